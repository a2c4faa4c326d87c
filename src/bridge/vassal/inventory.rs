//! What lies on the tables of a game, in plain words and as data: for people who look at a save, and for bug reports.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    game::{Concealed, Game},
    module::Module,
    save::About,
};

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

    /// The same in lines for people.
    pub fn in_words(&self) -> String {
        let mut text = match (&*self.module, &*self.module_version) {
            ("", _) => "A game of a module that the save does not name.\n".to_owned(),
            (name, "") => format!("A game of {name}.\n"),
            (name, version) => format!("A game of {name}, version {version}.\n"),
        };
        for seat in &self.players {
            text.push_str(&format!("{} plays {}.\n", seat.name, seat.side));
        }
        for (map, boards) in self.boards.iter().filter(|(_, boards)| !boards.is_empty()) {
            text.push_str(&format!("Map {map}: {}.\n", boards.join(", ")));
        }
        let mut last = None;
        for seen in &self.pieces {
            if last != Some(&seen.map) {
                text.push_str(&match &seen.map {
                    Some(map) => format!("\nOn {map}:\n"),
                    None => "\nOff every map:\n".to_owned(),
                });
                last = Some(&seen.map);
            }
            let name = if seen.name.is_empty() { "(no name)" } else { &seen.name };
            text.push_str(&format!("  {name} at {},{}", seen.x, seen.y));
            if let Some(cell) = &seen.cell {
                text.push_str(&format!(" ({cell})"));
            }
            if let Some(heading) = seen.heading {
                text.push_str(&format!(", turned {heading}°"));
            }
            if let Some(why) = &seen.concealed {
                text.push_str(&format!(", {why}"));
            }
            let told: Vec<String> = (seen.properties.iter())
                .filter(|(name, value)| !value.is_empty() && !name.ends_with("_Degrees") && !name.ends_with("_Facing"))
                .map(|(name, value)| format!("{name} = {value}"))
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
        // A name may hold anything; a terminal is told letters alone.
        text.chars()
            .map(|letter| {
                if letter.is_control() && letter != '\n' {
                    ' '
                } else {
                    letter
                }
            })
            .collect()
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
