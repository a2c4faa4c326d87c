//! A table of Vassal as a game sees it: its raw pieces read by a profile, and steps of the game as changes of those pieces.
//!
//! Ships and figures have the ids of their pieces, so that they keep them when others go.

mod tokens;

use std::{collections::BTreeMap, path::PathBuf};

use super::vassal::{
    Damage,
    profile::{Flight, Plays, Profile, Rule, Skirmish, flight, held, skirmish},
};
use crate::{
    protocol::{
        apply::{Placement, WireStep},
        grid::{BoardStep, GridSnapshot},
        snapshot::{Snapshot, SyncWarning},
        vassal::{PieceChange, Spot, VassalPiece, VassalSnapshot},
    },
    solo_alpha::sentence::SpokenIn,
    swm::square::{Base, Square},
    xwing::{catalog::Catalog, edition::Edition},
};

/// Reads the tables of one game.
#[derive(Debug)]
pub struct VassalReader {
    plays: Plays,
    catalog: &'static Catalog,
    /// A profile of the user's own.
    own: Option<PathBuf>,
    /// The module that was seen last, with its profile.
    known: Option<(String, Profile)>,
    /// All pieces of the game as they were last seen, with those that were taken off since: they may come back.
    pieces: BTreeMap<String, Remembered>,
}

/// A piece as it was last seen.
#[derive(Debug, Clone)]
struct Remembered {
    piece: VassalPiece,
    /// The squares that it takes up as a figure.
    base: Base,
}

impl VassalReader {
    /// Reads tables of that game, with a profile of the user's own or the shipped one for their module.
    pub fn new(plays: Plays, catalog: &'static Catalog, own: Option<PathBuf>) -> VassalReader {
        VassalReader {
            plays,
            catalog,
            own,
            known: None,
            pieces: BTreeMap::new(),
        }
    }

    /// Which game it is.
    pub fn plays(&self) -> Plays {
        self.plays
    }

    /// Reads a snapshot.
    ///
    /// # Errors
    /// No profile for the module, one for the other game, or one that does not fit what lies there.
    pub fn read(&mut self, seen: &VassalSnapshot) -> Result<VassalTable, Damage> {
        let known = self.known.take().filter(|(module, _)| *module == seen.module.name);
        let profile = match (known, &self.own) {
            (Some((_, profile)), _) => profile,
            (None, Some(file)) => Profile::open(file)?,
            (None, None) => Profile::for_game(seen)?,
        };
        self.known = Some((seen.module.name.clone(), profile.clone()));
        if profile.game != self.plays {
            let remedy = match profile.game {
                Plays::StarWarsMiniatures => "it is one of Star Wars Miniatures: start `tallyho serve --swm`",
                Plays::XWing => "it is one of X-Wing: start `tallyho serve` without --swm",
            };
            return Err(Damage::at(format!("the module `{}`", seen.module.name), remedy));
        }
        let read = read(seen, &profile, self.catalog)?;
        if !seen.pieces.iter().any(|piece| self.pieces.contains_key(&piece.id)) {
            // Another game.
            self.pieces.clear();
        }
        for piece in &seen.pieces {
            let base = match &read {
                Read::Figures(read) => read.position.figures.get(&piece.id).and_then(|figure| figure.size),
                Read::Ships(_) => None,
            };
            let remembered = Remembered {
                piece: piece.clone(),
                base: base.unwrap_or_default(),
            };
            self.pieces.insert(piece.id.clone(), remembered);
        }
        Ok(VassalTable {
            profile,
            catalog: self.catalog,
            pieces: self.pieces.clone(),
            read,
        })
    }
}

/// A snapshot read by a profile.
#[derive(Debug, Clone)]
pub struct VassalTable {
    profile: Profile,
    catalog: &'static Catalog,
    pieces: BTreeMap<String, Remembered>,
    read: Read,
}

/// What was read.
#[derive(Debug, Clone)]
enum Read {
    /// Ships.
    Ships(Box<Flight>),
    /// Figures on squares.
    Figures(Box<Skirmish>),
}

fn read(seen: &VassalSnapshot, profile: &Profile, catalog: &Catalog) -> Result<Read, Damage> {
    if profile.game == Plays::XWing {
        return Ok(Read::Ships(Box::new(flight(seen, profile, catalog)?)));
    }
    let mut read = skirmish(seen, profile)?;
    let figures = std::mem::take(&mut read.position.figures).into_iter();
    let by_piece = figures.map(|(letter, figure)| (read.pieces.get(&letter).cloned().unwrap_or(letter), figure));
    read.position.figures = by_piece.collect();
    Ok(Read::Figures(Box::new(read)))
}

impl VassalTable {
    /// The snapshot that the game takes.
    pub fn snapshot(&self) -> Snapshot {
        match &self.read {
            Read::Ships(read) => Snapshot::Plain {
                position: serde_json::to_value(&read.position).unwrap_or_default(),
            },
            Read::Figures(read) => {
                let figures = read.position.figures.iter();
                Snapshot::Grid(GridSnapshot {
                    map: read.position.map.clone(),
                    edges: read.position.edges.clone(),
                    figures: figures
                        .map(|(id, figure)| (id.clone(), serde_json::to_value(figure).unwrap_or_default()))
                        .collect(),
                    ..GridSnapshot::default()
                })
            }
        }
    }

    /// What the profile does not know, for the players.
    pub fn warnings(&self) -> Vec<SyncWarning> {
        let notes = match &self.read {
            Read::Ships(read) => &read.notes,
            Read::Figures(read) => &read.notes,
        };
        let warning = |note: &String| SyncWarning {
            object: String::new(),
            message: note.clone(),
        };
        notes.iter().map(warning).collect()
    }

    /// Figures and ships: their ids and what the game calls them.
    pub fn names(&self) -> Vec<(String, String)> {
        match &self.read {
            Read::Ships(read) => {
                let ships =
                    (read.position.ships.iter()).map(|ship| (ship.id.clone(), ship.name.clone().unwrap_or_default()));
                // Obstacles are spoken of, too: what a ship meets, and from which it keeps away.
                let obstacles = (read.position.obstacles.iter()).filter_map(|obstacle| {
                    let piece = self.piece(&obstacle.id)?;
                    let name = if piece.basic.is_empty() {
                        &piece.name
                    } else {
                        &piece.basic
                    };
                    Some((obstacle.id.clone(), name.clone()))
                });
                ships.chain(obstacles).collect()
            }
            Read::Figures(read) => (read.position.figures.iter())
                .map(|(id, figure)| (id.clone(), figure.name.clone()))
                .collect(),
        }
    }

    /// What an object is called, with its id behind it: whoever shows it tells two of one name apart.
    fn name(&self, id: &str) -> String {
        let mut names = self.names().into_iter();
        let known = names.find(|(own, name)| own == id && !name.is_empty());
        known.map_or_else(|| id.to_owned(), |(_, name)| format!("{name} ({id})"))
    }

    /// A step of the game as the plugin understands it. What no piece and no property shows is said instead, with the remedy.
    /// Objects are called `NAME (ID)` in the text.
    pub fn step(&self, step: &WireStep) -> WireStep {
        let (object, changes, text) = match step {
            WireStep::Board { does } => self.board(does),
            WireStep::Move { object, code, from, to } => {
                let text = format!("{} {}.", self.name(object), flown(code, self.catalog.edition()));
                let changes = [self.placed(object, Some(*from), *to), self.taken_along(object, *to)];
                (object, changes.concat(), text)
            }
            WireStep::Place { object, from, to } => {
                let text = format!("{} is put in its place.", self.name(object));
                let changes = [self.placed(object, Some(*from), *to), self.taken_along(object, *to)];
                (object, changes.concat(), text)
            }
            WireStep::Lay { object, to } => (object, self.placed(object, None, *to), String::new()),
            WireStep::Remove { object, back: None } => {
                let text = format!("{} is off the table.", self.name(object));
                let mut changes = vec![PieceChange::Remove { piece: object.clone() }];
                changes.extend(self.loose_of(object).map(|piece| PieceChange::Remove { piece }));
                (object, changes, text)
            }
            WireStep::Remove {
                object,
                back: Some(back),
            } => {
                let restored = PieceChange::Restore {
                    piece: object.clone(),
                    at: self.pixels(*back),
                };
                let turned = self.turned(object, *back);
                let text = format!("{} is back on the table.", self.name(object));
                (object, [vec![restored], turned].concat(), text)
            }
            WireStep::Token {
                object, token, count, ..
            } => self.token(object, token, *count),
            // Nothing else is asked of a table that says which steps it can carry out.
            other => return other.clone(),
        };
        WireStep::Pieces {
            object: object.clone(),
            changes,
            text,
        }
    }

    /// What a step that was carried out has changed, until the next snapshot shows it.
    pub fn carried_out(&mut self, step: &WireStep) {
        let WireStep::Pieces { object, changes, .. } = step else {
            return;
        };
        for change in changes {
            match change {
                PieceChange::Move { piece, to, .. } | PieceChange::Restore { piece, at: to } => {
                    if let Some(Remembered { piece, .. }) = self.pieces.get_mut(piece) {
                        (piece.x, piece.y) = (to.x, to.y);
                    }
                }
                PieceChange::Turn { piece, heading } => {
                    if let Some(Remembered { piece, .. }) = self.pieces.get_mut(piece) {
                        piece.heading = Some(*heading);
                    }
                }
                PieceChange::Property { piece, name, value } => {
                    if let Some(Remembered { piece, .. }) = self.pieces.get_mut(piece) {
                        piece.properties.insert(name.clone(), value.clone());
                    }
                }
                PieceChange::Key { .. } | PieceChange::Remove { .. } | PieceChange::Add { .. } => {}
            }
            self.note_token(object, change);
        }
    }

    /// Where an object was observed, in the game's terms.
    pub fn observed(&self, seen: Placement) -> Placement {
        match &self.read {
            Read::Ships(read) => {
                let (x, y) = read.scale.to_mm((seen.x.round() as i32, seen.y.round() as i32));
                let facing = read.scale.to_heading(seen.facing);
                Placement { x, y, facing }
            }
            Read::Figures(_) => seen,
        }
    }

    /// A place of ships on the map.
    fn pixels(&self, placement: Placement) -> Spot {
        let Read::Ships(read) = &self.read else {
            return Spot::default();
        };
        spot(read.scale.to_pixels((placement.x, placement.y)))
    }

    fn turned(&self, object: &str, to: Placement) -> Vec<PieceChange> {
        // A piece without a rotator stands as it is drawn.
        let turns = self.piece(object).is_none_or(|piece| piece.heading.is_some());
        match &self.read {
            Read::Ships(read) if turns => vec![PieceChange::Turn {
                piece: object.to_owned(),
                heading: read.scale.to_turned(to.facing),
            }],
            _ => Vec::new(),
        }
    }

    fn placed(&self, object: &str, from: Option<Placement>, to: Placement) -> Vec<PieceChange> {
        let lies = self.piece(object).map(|piece| spot((piece.x, piece.y)));
        let from = from.map(|from| self.pixels(from)).or(lies);
        let moved = PieceChange::Move {
            piece: object.to_owned(),
            from: from.unwrap_or_default(),
            to: self.pixels(to),
            drag: false,
        };
        [vec![moved], self.turned(object, to)].concat()
    }

    fn rule(&self, id: &str) -> Option<(&VassalPiece, &Rule)> {
        let piece = self.piece(id)?;
        Some((piece, self.profile.rule(piece)?))
    }

    fn piece(&self, id: &str) -> Option<&VassalPiece> {
        self.pieces.get(id).map(|remembered| &remembered.piece)
    }

    fn set(&self, piece: &str, name: &str, value: &str) -> PieceChange {
        PieceChange::Property {
            piece: piece.to_owned(),
            name: name.to_owned(),
            value: value.to_owned(),
        }
    }

    /// The change of the first of a rule's properties that a piece has, to a number; none if it has none of them.
    fn count(&self, id: &str, names: impl Fn(&Rule) -> &Vec<String>, number: u16) -> Option<PieceChange> {
        let (piece, rule) = self.rule(id)?;
        let (name, value) = names(rule).iter().find_map(|name| held(piece, name))?;
        Some(self.set(id, name, &with_number(value, number.into())))
    }

    fn mark_activated(&self, id: &str, activated: bool) -> Option<PieceChange> {
        let (piece, rule) = self.rule(id)?;
        let (name, value) = rule.activated.iter().find_map(|name| held(piece, name))?;
        // In the words that the module uses.
        let words = match &*value.trim().to_lowercase() {
            "true" | "false" => ["false", "true"],
            "yes" | "no" => ["no", "yes"],
            "on" | "off" => ["off", "on"],
            _ => ["0", "1"],
        };
        Some(self.set(id, name, words[usize::from(activated)]))
    }

    /// The middle of the squares that a figure takes up from a corner on; its own exact place if it stands there.
    fn middle(&self, figure: &str, corner: &str) -> Option<Spot> {
        let Read::Figures(read) = &self.read else { return None };
        let corner: Square = corner.parse().ok()?;
        let base = self
            .pieces
            .get(figure)
            .map_or_else(Base::default, |remembered| remembered.base);
        let lies = self.piece(figure).map(|piece| (piece.x, piece.y));
        let middle = lies
            .filter(|place| read.squares.corner(*place, base) == Some(corner))
            .unwrap_or_else(|| read.squares.centre(corner, base));
        Some(spot(middle))
    }

    fn board<'s>(&self, does: &'s BoardStep) -> (&'s String, Vec<PieceChange>, String) {
        const BY_HAND: &str = "please note it by hand";
        let or_by_hand = |change: Option<PieceChange>, said: String| match change {
            Some(change) => (vec![change], format!("{said}.")),
            None => (Vec::new(), format!("{said}: {BY_HAND}.")),
        };
        match does {
            BoardStep::Walk { figure, from, way } => {
                let end = way.last().unwrap_or(from);
                let places = self.middle(figure, from).zip(self.middle(figure, end));
                let moved = places.map(|(from, to)| PieceChange::Move {
                    piece: figure.clone(),
                    from,
                    to,
                    drag: true,
                });
                let text = format!("{} walks from {from} to {end}.", self.name(figure));
                (figure, moved.into_iter().collect(), text)
            }
            BoardStep::Attack { figure, text, .. } => (figure, Vec::new(), text.clone()),
            BoardStep::Damage { figure, left } => {
                let change = self.count(figure, |rule| &rule.hit_points, *left);
                let (changes, text) = or_by_hand(change, format!("{} has {left} hit points left", self.name(figure)));
                (figure, changes, text)
            }
            BoardStep::Force { figure, left } => {
                let change = self.count(figure, |rule| &rule.force, *left);
                let (changes, text) = or_by_hand(change, format!("{} has {left} Force points left", self.name(figure)));
                (figure, changes, text)
            }
            BoardStep::Activated { figure, activated } => {
                let change = self.mark_activated(figure, *activated);
                let what = if *activated {
                    "has activated"
                } else {
                    "has yet to activate"
                };
                // The program keeps by itself who has activated: where the module does not, there is nothing to do by hand.
                (
                    figure,
                    change.into_iter().collect(),
                    format!("{} {what}.", self.name(figure)),
                )
            }
            BoardStep::Remove { figure } => {
                let text = format!("{} is defeated.", self.name(figure));
                (figure, vec![PieceChange::Remove { piece: figure.clone() }], text)
            }
            BoardStep::Put {
                figure,
                at,
                hp,
                force,
                activated,
            } => {
                let restored = self.middle(figure, at).map(|at| PieceChange::Restore {
                    piece: figure.clone(),
                    at,
                });
                let changes = [
                    restored,
                    self.count(figure, |rule| &rule.hit_points, *hp),
                    self.count(figure, |rule| &rule.force, *force),
                    self.mark_activated(figure, *activated),
                ];
                let text = format!("{} is put back to {at}.", self.name(figure));
                (figure, changes.into_iter().flatten().collect(), text)
            }
            BoardStep::Door { place, open } => {
                static NOBODY: String = String::new();
                let verb = if *open { "open" } else { "close" };
                (&NOBODY, Vec::new(), format!("Please {verb} the door at {place}."))
            }
        }
    }
}

/// What a ship does by a move of the plain dialect: a dial code, `roll:left:10`, `boost:straight`. Players of an edition have
/// its colours (FE-SOLO-1).
fn flown(code: &str, edition: Edition) -> String {
    // A Tallon roll has its end behind it.
    let (word, rest) = code.split_once(':').unwrap_or((code, ""));
    match word {
        "roll" => format!("barrel rolls {}", rest.split(':').next().unwrap_or_default()),
        "boost" => format!("boosts {rest}"),
        dial => match dial.parse() {
            Ok(maneuver) => format!("flies {}", SpokenIn(edition, maneuver)),
            Err(_) => format!("moves ({code})"),
        },
    }
}

/// A point of the map that the piece lies on.
fn spot((x, y): (i32, i32)) -> Spot {
    Spot {
        map: String::new(),
        x,
        y,
    }
}

/// The number that a property begins with: 40 of `40/60`.
fn leading_number(value: &str) -> Option<i64> {
    let value = value.trim();
    let end = value
        .char_indices()
        .find(|(at, letter)| !(letter.is_ascii_digit() || *at == 0 && *letter == '-'));
    value[..end.map_or(value.len(), |(at, _)| at)].parse().ok()
}

/// The property with another number at its beginning: `30/60` of `40/60`.
fn with_number(value: &str, number: i64) -> String {
    let value = value.trim();
    let rest = value.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '-');
    let has_number = leading_number(value).is_some();
    if has_number {
        format!("{number}{rest}")
    } else {
        number.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_told_in_words() {
        for (code, edition, expected) in [
            ("2FB", Edition::Second, "flies blue 2 straight"),
            ("2FB", Edition::First, "flies green 2 straight"),
            ("3ER:-10", Edition::Second, "flies red 3 Tallon roll left"),
            ("3RR:10", Edition::Second, "flies red 3 Tallon roll right"),
            ("roll:left:10", Edition::Second, "barrel rolls left"),
            ("boost:straight", Edition::Second, "boosts straight"),
            ("odd", Edition::Second, "moves (odd)"),
        ] {
            assert_eq!(flown(code, edition), expected);
        }
    }

    #[test]
    fn numbers_keep_what_stands_behind_them() {
        for (value, number, expected) in [
            ("40", 30, "30"),
            ("40/60", 0, "0/60"),
            (" 7 hp", 10, "10 hp"),
            ("-1", 2, "2"),
            ("none", 3, "3"),
            ("", 4, "4"),
        ] {
            assert_eq!(with_number(value, number), expected, "{value}");
        }
    }
}
