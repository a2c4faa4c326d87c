//! From a game of a Star Wars Miniatures module to a position on squares.

use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, Plays, Profile, Rule, STEPS, Squares, count, first, holds, name_of, property, some_names};
use crate::{
    bridge::{
        grid::{Wire, WireFigure, of_card},
        vassal::Damage,
    },
    protocol::vassal::{VassalPiece, VassalSnapshot},
    swm::{
        figure::Side,
        roster::{Entry, Roster},
        square::{Base, Square},
    },
};

/// What was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Skirmish {
    /// The position.
    pub position: Wire,
    /// The piece of each figure, by the figure's letter.
    pub pieces: BTreeMap<String, String>,
    /// Where the squares are.
    pub squares: Squares,
    /// What was filled in or left aside.
    pub notes: Vec<String>,
}

impl Squares {
    /// The square whose centre a point is nearest to, from 0; none west or north of the first one.
    fn square(&self, x: f64, y: f64) -> Option<Square> {
        let index = |at: f64, axis: usize| {
            let index = ((at - self.origin[axis]) / self.step[axis] + 0.5).floor();
            (0.0..=f64::from(u8::MAX)).contains(&index).then_some(index as u8)
        };
        Some(Square::new(index(x, 0)?, index(y, 1)?))
    }

    /// The north-western square of a base whose centre stands at a point.
    pub fn corner(&self, (x, y): (i32, i32), base: Base) -> Option<Square> {
        let back = |size: u8, axis: usize| f64::from(size.saturating_sub(1)) / 2.0 * self.step[axis];
        self.square(f64::from(x) - back(base.wide, 0), f64::from(y) - back(base.high, 1))
    }

    /// Where the centre of a base stands whose north-western square this is, whole pixels.
    pub fn centre(&self, at: Square, base: Base) -> (i32, i32) {
        let middle = |index: u8, size: u8, axis: usize| {
            let cells = f64::from(index) + f64::from(size.saturating_sub(1)) / 2.0;
            (self.origin[axis] + cells * self.step[axis]).round() as i32
        };
        (middle(at.column, base.wide, 0), middle(at.row, base.high, 1))
    }
}

/// Reads the position of a game. Where the profile has no grid that of the board counts.
///
/// # Errors
/// A profile for another game, one without squares, a game without figures, terrain or stat cards that cannot be read.
pub fn skirmish(snapshot: &VassalSnapshot, profile: &Profile) -> Result<Skirmish, Damage> {
    if profile.game != Plays::StarWarsMiniatures {
        return Err(Damage::at(
            profile.name.clone(),
            "it is a profile of X-Wing: leave --swm out",
        ));
    }
    let mut notes = Vec::new();
    let squares = squares(snapshot, profile)?;
    let roster = match &profile.roster {
        None => None,
        Some(file) => {
            let own = Roster::read(&profile.beside(file)?)
                .map_err(|error| Damage::at(file.display().to_string(), error.to_string()))?;
            Some(own.over(Roster::sample()))
        }
    };
    let roster = roster.as_ref().unwrap_or(Roster::sample());
    let mut read: Vec<(&str, WireFigure)> = Vec::new();
    let mut aside = Vec::new();
    let mut beside = 0_usize;
    for piece in snapshot.pieces.iter().filter(|piece| profile.is_table(&piece.map)) {
        match profile.rule(piece) {
            Some(rule) if rule.kind == Kind::Figure => {
                match figure(snapshot, piece, rule, profile, &squares, roster, &mut notes) {
                    Some(figure) => read.push((&piece.id, figure)),
                    None => beside += 1,
                }
            }
            Some(rule) if rule.kind == Kind::Ignore => {}
            _ => aside.push(name_of(piece).to_owned()),
        }
    }
    if read.is_empty() && beside > 0 {
        let [x, y] = squares.origin;
        let who = match beside {
            1 => "the only figure stands".to_owned(),
            beside => format!("all {beside} figures stand"),
        };
        return Err(Damage::at(
            profile.name.clone(),
            format!(
                "{who} beside the squares, the first of which is around pixel {x},{y} with {} by {} pixels: `grid` in \
                 the profile says where they are",
                squares.step[0], squares.step[1]
            ),
        ));
    }
    if read.is_empty() {
        return Err(Damage::at(
            profile.name.clone(),
            "no piece on the map is a figure by this profile; `tallyho vassal dump` lists the pieces",
        ));
    }
    let mut ids = BTreeSet::new();
    if let Some((twice, _)) = read.iter().find(|(id, _)| !ids.insert(*id)) {
        return Err(Damage::at(
            format!("piece {twice}"),
            "another piece has this id, too: save the game and load it again, so that Vassal gives each its own",
        ));
    }
    if !read.iter().any(|(_, figure)| figure.side == Some(Side::Automated)) {
        notes.push("no figure is on the side that nobody plays; say which side that is by --solo-side".to_owned());
    }
    if !aside.is_empty() {
        notes.push(format!(
            "left aside, as the profile has no figure for them: {}",
            some_names(&aside)
        ));
    }
    let mut figures = BTreeMap::new();
    let mut pieces = BTreeMap::new();
    let mut counts = [0_usize; 2];
    for (id, figure) in read {
        let (first, count) = match figure.side {
            Some(Side::Automated) => (b'a', &mut counts[0]),
            _ => (b'A', &mut counts[1]),
        };
        let letter = char::from(first + u8::try_from(*count % 26).unwrap_or(0));
        let letter = match *count / 26 {
            0 => letter.to_string(),
            again => format!("{letter}{again}"),
        };
        *count += 1;
        pieces.insert(letter.clone(), id.to_owned());
        figures.insert(letter, figure);
    }
    let position = Wire {
        map: terrain(profile, &squares, &mut notes)?,
        figures,
        ..Wire::default()
    };
    Ok(Skirmish {
        position,
        pieces,
        squares,
        notes,
    })
}

/// The squares, from the profile or from the board that lies on the table.
fn squares(snapshot: &VassalSnapshot, profile: &Profile) -> Result<Squares, Damage> {
    if let Some(squares) = profile.grid {
        return Ok(squares);
    }
    let maps = snapshot.maps.iter().filter(|map| profile.is_table(&map.name));
    for board in maps.flat_map(|map| &map.boards) {
        let grid = board
            .grid
            .as_ref()
            .filter(|grid| grid.kind == "square" && STEPS.contains(&grid.dx) && STEPS.contains(&grid.dy));
        if let Some(grid) = grid {
            let count =
                |size: i32, step: f64| (f64::from(size) / step + 0.5).floor().clamp(0.0, f64::from(u8::MAX)) as u8;
            return Ok(Squares {
                step: [grid.dx, grid.dy],
                origin: [grid.x0 + f64::from(board.x), grid.y0 + f64::from(board.y)],
                count: Some([count(board.width, grid.dx), count(board.height, grid.dy)]),
            });
        }
    }
    Err(Damage::at(
        profile.name.clone(),
        "it does not say where the squares are: give --module FILE, or `grid` in the profile",
    ))
}

fn terrain(profile: &Profile, squares: &Squares, notes: &mut Vec<String>) -> Result<Vec<String>, Damage> {
    if let Some(file) = &profile.terrain {
        let text = profile.beside(file)?;
        return Ok(text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(str::to_owned)
            .collect());
    }
    let Some([columns, rows]) = squares.count.filter(|count| !count.contains(&0)) else {
        return Err(Damage::at(
            profile.name.clone(),
            "it does not say how many squares there are: give `terrain`, or `count` in `grid`",
        ));
    };
    notes.push("the profile names no terrain: every square is taken for floor, without walls".to_owned());
    Ok(vec![vec!["."; columns.into()].join(" "); rows.into()])
}

fn figure(
    snapshot: &VassalSnapshot,
    piece: &VassalPiece,
    rule: &Rule,
    profile: &Profile,
    squares: &Squares,
    roster: &Roster,
    notes: &mut Vec<String>,
) -> Option<WireFigure> {
    let name = name_of(piece);
    let mut named = rule.card.iter().filter_map(|name| property(piece, name));
    let entry: Option<&Entry> = named.find_map(|value| roster.find(value.trim()));
    let faction = entry.map_or("", |entry| &entry.faction);
    let (solo, _) = profile.side(snapshot, piece, faction);
    let number = |properties: &[String]| count(piece, properties).map(|number| number.clamp(0, 9990) as u16);
    let hit_points = number(&rule.hit_points);
    let mut figure = match entry {
        Some(entry) => of_card(&entry.card),
        None => {
            let told = first(piece, &rule.card).unwrap_or(name);
            notes.push(format!(
                "no stat card `{told}` is known: it is taken for a figure of 10/14/+4/10 with the hit points that it shows"
            ));
            WireFigure {
                name: name.to_owned(),
                ..WireFigure::default()
            }
        }
    };
    figure.hp = hit_points.or(figure.hp_max).or(figure.hp);
    figure.force = number(&rule.force).or(figure.force);
    figure.activated = holds(piece, &rule.activated);
    figure.side = Some(if solo { Side::Automated } else { Side::Player });
    figure.at = squares.corner((piece.x, piece.y), figure.size.unwrap_or_default());
    if figure.at.is_none() {
        notes.push(format!("`{name}` stands beside the squares and takes no part"));
        return None;
    }
    Some(figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(at: &[(i32, i32)]) -> VassalSnapshot {
        let pieces = at.iter().enumerate().map(|(index, (x, y))| VassalPiece {
            id: format!("{index}"),
            name: "Guard".to_owned(),
            x: *x,
            y: *y,
            properties: [("HP".to_owned(), "10".to_owned())].into(),
            ..VassalPiece::default()
        });
        VassalSnapshot {
            pieces: pieces.collect(),
            ..VassalSnapshot::default()
        }
    }

    #[test]
    fn figures_beside_the_squares_are_told_with_where_the_squares_are() {
        let text = "name = \"x\"\ngame = \"star-wars-miniatures\"\n[grid]\nstep = [50, 50]\norigin = [5000, 5000]\ncount = [9, 9]\n\
            [[piece]]\nkind = \"figure\"\nhaving = { HP = \"*\" }\n";
        let profile = Profile::read(text).unwrap();
        let damage = skirmish(&table(&[(25, 25), (75, 25)]), &profile).unwrap_err();
        assert_eq!(
            damage.to_string(),
            "x: all 2 figures stand beside the squares, the first of which is around pixel 5000,5000 with 50 by 50 pixels: `grid` in \
             the profile says where they are"
        );
        // One on the squares is enough to play; the other is told.
        let read = skirmish(&table(&[(25, 25), (5050, 5000)]), &profile).unwrap();
        assert_eq!(read.position.figures.len(), 1);
        assert!(
            read.notes.iter().any(|note| note.contains("stands beside the squares")),
            "{:?}",
            read.notes
        );
    }
}
