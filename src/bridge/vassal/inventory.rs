//! What lies on the tables of a game, in plain words and as data: for people who look at a save, and for bug reports.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    game::{Concealed, Game},
    module::Module,
    save::About,
};
use crate::visible::visible;

/// Properties that Vassal keeps for itself and that say nothing about the game.
pub(super) const BOOKKEEPING: &[&str] = &[
    "OldX",
    "OldY",
    "OldMap",
    "OldBoard",
    "OldZone",
    "OldLocationName",
    "OldDeckName",
    "OldMat",
    "OldMatID",
    "OldMatPieceName",
    "OldMatBasicName",
    "UniqueID",
    "BasicName",
];

/// The property with the name of a ship's pilot, in the X-Wing module and those made after it.
const PILOT_NAME: &str = "Pilot Name";

/// What lies on the tables.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inventory {
    /// The module's name; old saves do not say it.
    pub module: String,
    /// The module's version.
    pub module_version: String,
    /// The Vassal that wrote the save.
    pub vassal_version: String,
    /// Who has taken which side.
    pub players: Vec<Seat>,
    /// The boards of each map, as they are laid out.
    pub boards: BTreeMap<String, Vec<String>>,
    /// The pieces, by map and place.
    pub pieces: Vec<Seen>,
    /// Pieces that are hidden, face down, or in a deck that is face down, and are left out.
    pub concealed: usize,
}

/// A player with a side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Seat {
    /// What the player is called.
    pub name: String,
    /// The side.
    pub side: String,
}

/// A piece.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Seen {
    /// Its id in the game.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The map; none: off every map.
    pub map: Option<String>,
    /// Pixels east.
    pub x: i32,
    /// Pixels south.
    pub y: i32,
    /// The name of its cell, where the module is known and has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// Degrees clockwise from how its picture is drawn; none if nothing turns it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<f64>,
    /// The slot of the palette from which it came.
    pub slot: String,
    /// Its properties, but for those that Vassal keeps for itself.
    pub properties: BTreeMap<String, String>,
    /// Why it is not for all to see, if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concealed: Option<String>,
}

impl Seen {
    /// What the piece is called: by its pilot where it has one, since modules name ships by their bases.
    fn called(&self) -> String {
        let pilot = self
            .properties
            .get(PILOT_NAME)
            .map(|name| name.trim())
            .filter(|name| !name.is_empty());
        match (pilot, &*self.name) {
            (Some(pilot), name) if name.is_empty() || name == pilot => pilot.to_owned(),
            (Some(pilot), name) => format!("{pilot} ({name})"),
            (None, "") => "(no name)".to_owned(),
            (None, name) => name.to_owned(),
        }
    }

    /// A value as players see it: where it names properties between dollar signs, as labels do, these are put in. One that the
    /// piece does not have stays as it is written: it may be the module's.
    fn filled_in(&self, value: &str) -> String {
        let mut parts = value.split('$');
        let mut text = parts.next().unwrap_or_default().to_owned();
        let mut parts = parts.peekable();
        while let Some(name) = parts.next() {
            let own = match name {
                "pieceName" | "PieceName" | "BasicName" => Some(&self.name),
                name => self.properties.get(name),
            };
            match own {
                // What stands behind the second dollar sign follows.
                Some(own) if parts.peek().is_some() => {
                    text.push_str(own);
                    text.push_str(parts.next().unwrap_or_default());
                }
                _ => {
                    text.push('$');
                    text.push_str(name);
                }
            }
        }
        text
    }
}

impl Inventory {
    /// What lies on the tables; with a module also the cells. What a player hides or turns face down is left out, unless all is
    /// asked for: the save holds it, but a player at the table would not see it.
    pub fn of(game: &Game, about: &About, module: Option<&Module>, all: bool) -> Inventory {
        let mut concealed = 0;
        let mut pieces = Vec::new();
        for (id, piece) in game.pieces() {
            let hidden = game.concealed(id).map(|why| match why {
                Concealed::Hidden(by) => format!("hidden by {}", called(game, &by)),
                Concealed::Masked(by) => format!("face down, by {}", called(game, &by)),
                Concealed::InDeck => "in a deck that is face down".to_owned(),
            });
            if hidden.is_some() && !all {
                concealed += 1;
                continue;
            }
            let place = game.place(id).unwrap_or_default();
            let mut properties = piece.properties();
            properties.retain(|name, _| !BOOKKEEPING.contains(&&**name));
            pieces.push(Seen {
                id: id.to_owned(),
                name: piece.name(),
                cell: cell(game, module, &place),
                map: place.map,
                x: place.x,
                y: place.y,
                heading: piece.heading(),
                slot: piece.slot(),
                properties,
                concealed: hidden,
            });
        }
        pieces.sort_by(|one, other| {
            let key = |own: &Seen| (own.map.is_none(), own.map.clone(), own.y, own.x, own.id.clone());
            key(one).cmp(&key(other))
        });
        let seats = game.players().iter().map(|player| Seat {
            name: player.name.clone(),
            side: player.side.clone(),
        });
        let boards = game.boards().iter().map(|(map, boards)| {
            let names = boards.iter().map(|board| match board.reversed {
                true => format!("{} (turned)", board.name),
                false => board.name.clone(),
            });
            (map.clone(), names.collect())
        });
        Inventory {
            module: about.module.clone(),
            module_version: about.module_version.clone(),
            vassal_version: about.vassal_version.clone(),
            players: seats.collect(),
            boards: boards.collect(),
            pieces,
            concealed,
        }
    }

    /// The same in lines for people. Names and values may hold anything: what steers a terminal or turns a line around is
    /// written out.
    pub fn in_words(&self) -> String {
        let mut text = match (&*self.module, &*self.module_version) {
            ("", _) => "A game of a module that the save does not name.\n".to_owned(),
            (name, "") => format!("A game of {}.\n", visible(name)),
            (name, version) => format!("A game of {}, version {}.\n", visible(name), visible(version)),
        };
        for seat in &self.players {
            text.push_str(&format!("{} plays {}.\n", visible(&seat.name), visible(&seat.side)));
        }
        for (map, boards) in self.boards.iter().filter(|(_, boards)| !boards.is_empty()) {
            text.push_str(&format!("Map {}: {}.\n", visible(map), visible(&boards.join(", "))));
        }
        let mut last = None;
        for seen in &self.pieces {
            if last != Some(&seen.map) {
                text.push_str(&match &seen.map {
                    Some(map) => format!("\nOn {}:\n", visible(map)),
                    None => "\nOff every map:\n".to_owned(),
                });
                last = Some(&seen.map);
            }
            text.push_str(&format!("  {} at {},{}", visible(&seen.called()), seen.x, seen.y));
            if let Some(cell) = &seen.cell {
                text.push_str(&format!(" ({})", visible(cell)));
            }
            if let Some(heading) = seen.heading {
                text.push_str(&format!(", turned {heading}°"));
            }
            if let Some(why) = &seen.concealed {
                text.push_str(&format!(", {}", visible(why)));
            }
            let told: Vec<String> = (seen.properties.iter())
                .filter(|(name, value)| !value.is_empty() && !name.ends_with("_Degrees") && !name.ends_with("_Facing"))
                .map(|(name, value)| visible(&format!("{name} = {}", seen.filled_in(value))))
                .collect();
            if !told.is_empty() {
                text.push_str(&format!("; {}", told.join(", ")));
            }
            text.push('\n');
        }
        if self.concealed > 0 {
            text.push_str(&format!(
                "\n{} more {} hidden, face down or in a closed deck (--hidden lists them).\n",
                self.concealed,
                if self.concealed == 1 { "is" } else { "are" }
            ));
        }
        text
    }
}

fn called(game: &Game, id: &super::secret::Secret) -> String {
    game.player(id)
        .map_or_else(|| "a player".to_owned(), |player| player.name.clone())
}

/// The name of the cell at a place.
fn cell(game: &Game, module: Option<&Module>, place: &super::traits::Place) -> Option<String> {
    let name = place.map.as_ref()?;
    let map = module?.map(name)?;
    let laid = map.laid_out(game.boards().get(name)?);
    let own = laid.iter().find(|own| own.contains(place.x, place.y))?;
    let (x, y) = own.point(place.x, place.y);
    own.board.grid.square()?.name(x, y, own.board.size?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(name: &str, properties: &[(&str, &str)]) -> Seen {
        Seen {
            id: "1".to_owned(),
            name: name.to_owned(),
            map: None,
            x: 0,
            y: 0,
            cell: None,
            heading: None,
            slot: String::new(),
            properties: (properties.iter())
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            concealed: None,
        }
    }

    #[test]
    fn labels_show_what_they_name() {
        let seen = seen("Vader", &[("HP", "120"), ("A", "$HP$")]);
        for (written, shown) in [
            ("HP $HP$", "HP 120"),
            ("$pieceName$: $HP$/140", "Vader: 120/140"),
            ("$A$", "$HP$"),
            ("$Elsewhere$ $HP$", "$Elsewhere$ 120"),
            ("5$", "5$"),
            ("$HP", "$HP"),
            ("a $ b $HP$ c $", "a $ b 120 c $"),
            ("$$", "$$"),
            ("", ""),
        ] {
            assert_eq!(seen.filled_in(written), shown, "{written}");
        }
    }

    #[test]
    fn ships_are_called_by_their_pilots() {
        for (name, pilot, called) in [
            (
                "ship -- Stem2e Small Ship",
                "Howlrunner",
                "Howlrunner (ship -- Stem2e Small Ship)",
            ),
            ("Howlrunner", "Howlrunner", "Howlrunner"),
            ("", "Howlrunner", "Howlrunner"),
            ("Vader", " ", "Vader"),
            ("", "", "(no name)"),
        ] {
            assert_eq!(seen(name, &[(PILOT_NAME, pilot)]).called(), called);
        }
    }

    #[test]
    fn nothing_that_is_shown_steers_a_terminal() {
        let mut inventory = Inventory {
            module: "a\u{1b}[31m".to_owned(),
            module_version: "\u{202e}".to_owned(),
            vassal_version: String::new(),
            players: vec![Seat {
                name: "x\n".to_owned(),
                side: "\u{2066}".to_owned(),
            }],
            boards: [("m\u{7}".to_owned(), vec!["b\u{8}".to_owned()])].into(),
            pieces: vec![seen("n\nn", &[("p\u{200e}", "v\u{feff}")])],
            concealed: 0,
        };
        inventory.pieces[0].map = Some("m\u{7}".to_owned());
        let words = inventory.in_words();
        assert!(
            words
                .chars()
                .all(|letter| letter == '\n' || !crate::visible::steers(letter)),
            "{words:?}"
        );
        assert!(
            words.contains("\n  n\\u{a}n at 0,0; p\\u{200e} = v\\u{feff}\n"),
            "{words}"
        );
    }
}
