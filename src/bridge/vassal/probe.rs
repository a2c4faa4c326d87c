//! A first profile for a module that nobody has described: from the pieces of a save, or of a module's palettes.
//!
//! It guesses by what properties are called and which values they have, says so, and lists what it could not place. The player
//! who knows the module puts it right.

use std::collections::{BTreeMap, BTreeSet};

use super::{module::Module, profile::Plays, traits::NAME};
use crate::{
    protocol::vassal::{VassalPiece, VassalSnapshot},
    swm::roster::Roster,
    xwing::catalog::Catalog,
};

/// Words of properties that may be hit points, the likeliest first.
const HIT_POINTS: &[&str] = &["hp", "hitpoints", "hits", "health", "life", "wounds", "damage"];
/// Words of properties that may be Force points.
const FORCE: &[&str] = &["force", "forcepoints", "fp"];
/// Words of properties that may say that a figure has activated.
const ACTIVATED: &[&str] = &[
    "activated",
    "activatedactive",
    "activatedlevel",
    "done",
    "used",
    "tapped",
];
/// Words of properties that may tell whose a piece is.
const SIDES: &[&str] = &["side", "owner", "player", "team", "army", "faction", "color", "colour"];
/// Most examples of a property's values.
const EXAMPLES: usize = 4;

/// A draft.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The profile, with remarks.
    pub text: String,
    /// Properties that the draft gives no meaning, with some of their values.
    pub unmapped: Vec<(String, Vec<String>)>,
}

/// The letters and digits of a name, small.
fn plain(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_lowercase()
}

/// The pieces of the palettes as if they lay on the table, for a module without a save.
pub fn of_module(module: &Module) -> VassalSnapshot {
    let pieces = module.slots.iter().map(|slot| VassalPiece {
        id: slot.id.clone(),
        name: slot.piece.name(),
        basic: slot.piece.name(),
        gpid: slot.id.clone(),
        heading: slot.piece.heading(),
        properties: slot.piece.properties(),
        labels: (slot.piece.traits().iter())
            .filter(|own| own.id() == "label")
            .map(|own| own.state.clone())
            .collect(),
        ..VassalPiece::default()
    });
    let mut snapshot = VassalSnapshot {
        pieces: pieces.collect(),
        ..VassalSnapshot::default()
    };
    snapshot.module.name.clone_from(&module.name);
    snapshot.module.version.clone_from(&module.version);
    snapshot
}

/// All values of each property, over these pieces.
fn values<'p>(pieces: &[&'p VassalPiece]) -> BTreeMap<&'p str, BTreeSet<&'p str>> {
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, value) in pieces.iter().flat_map(|piece| &piece.properties) {
        found.entry(name).or_default().insert(value);
    }
    found
}

/// The property whose name is one of these words, the likeliest word first.
fn named<'p>(all: &BTreeMap<&'p str, BTreeSet<&'p str>>, words: &[&str]) -> Option<&'p str> {
    (words.iter()).find_map(|word| all.keys().find(|name| plain(name) == *word).copied())
}

/// Text in a TOML file.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Drafts a profile for a game from what lies on its table.
pub fn draft(snapshot: &VassalSnapshot, game: Plays, catalog: &Catalog) -> Draft {
    match game {
        Plays::StarWarsMiniatures => skirmish(snapshot),
        Plays::XWing => xwing(snapshot, catalog),
    }
}

fn head(snapshot: &VassalSnapshot, game: &str) -> String {
    let name = match &*snapshot.module.name {
        "" => "My module",
        name => name,
    };
    let maps: BTreeSet<&str> = (snapshot.pieces.iter().map(|piece| &*piece.map))
        .filter(|map| !map.is_empty())
        .collect();
    let maps: Vec<String> = maps.into_iter().map(quoted).collect();
    format!(
        "# A draft, guessed from {} pieces. Put right what is wrong, and leave out what is not so (docs/vassal.md).\n\n\
         name = {}\ngame = \"{game}\"\nmodules = [{}]\n\
         # Keep those that are the table; hands, boxes and trays are not.\nmaps = [{}]\n",
        snapshot.pieces.len(),
        quoted(name),
        quoted(name),
        maps.join(", ")
    )
}

/// What is left: the properties that the draft gives no meaning.
fn unmapped(all: &BTreeMap<&str, BTreeSet<&str>>, mapped: &[&str]) -> Vec<(String, Vec<String>)> {
    let rest = all
        .iter()
        .filter(|(name, _)| !mapped.contains(name) && **name != NAME && **name != "Moved");
    let rest = rest.filter(|(name, _)| !name.ends_with("_Degrees") && !name.ends_with("_Facing"));
    rest.map(|(name, values)| {
        let examples = values.iter().filter(|value| !value.is_empty()).take(EXAMPLES);
        ((*name).to_owned(), examples.map(|value| (*value).to_owned()).collect())
    })
    .collect()
}

fn remarks(text: &mut String, unmapped: &[(String, Vec<String>)], names: &BTreeSet<&str>) {
    if !unmapped.is_empty() {
        text.push_str("\n# Properties without a meaning here, with some of their values:\n");
        for (name, values) in unmapped {
            text.push_str(&format!("#   {}: {}\n", one_line(name), one_line(&values.join(" | "))));
        }
    }
    if !names.is_empty() {
        text.push_str("\n# Names of pieces:\n");
        for name in names.iter().take(200) {
            text.push_str(&format!("#   {}\n", one_line(name)));
        }
    }
}

/// A text fit for a remark of one line.
fn one_line(text: &str) -> String {
    let letters = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter });
    letters.take(160).collect()
}

/// Values that name the side which nobody plays.
const SOLO: [&str; 5] = ["solo", "automated", "ai", "bot", "enemy"];

/// How a side is told: the property, and its values.
fn sides(all: &BTreeMap<&str, BTreeSet<&str>>) -> (Option<String>, String) {
    match named(all, SIDES) {
        Some(name) => {
            let values: Vec<&str> = all[name].iter().copied().filter(|value| !value.is_empty()).collect();
            let told: Vec<String> = values.iter().map(|value| quoted(value)).collect();
            // Nobody is taken for the solo side whose name does not say so.
            let solo = (values.iter().zip(&told))
                .find(|(value, _)| SOLO.contains(&&*value.to_lowercase()))
                .map(|(_, told)| told.clone())
                .unwrap_or_default();
            let text = format!(
                "\n# Whose a piece is. Its values here: {}. Write those that nobody plays into `solo`.\n[sides]\nproperty = [{}]\n\
                 solo = [{solo}]\n",
                one_line(&told.join(", ")),
                quoted(name)
            );
            (Some(name.to_owned()), text)
        }
        None => (
            None,
            "\n# No property was found that tells whose a piece is: name one.\n[sides]\nproperty = []\nsolo = [\"solo\"]\n".to_owned(),
        ),
    }
}

fn skirmish(snapshot: &VassalSnapshot) -> Draft {
    let pieces: Vec<&VassalPiece> = snapshot.pieces.iter().collect();
    let every = values(&pieces);
    let hit_points = named(&every, HIT_POINTS);
    // Figures are what has hit points; without such a property, what has a stat card.
    let is_figure = |piece: &&VassalPiece| match hit_points {
        Some(name) => piece.properties.contains_key(name),
        None => Roster::sample().find(&piece.basic).is_some(),
    };
    let figures: Vec<&VassalPiece> = pieces.iter().copied().filter(is_figure).collect();
    let all = values(&figures);
    let force = named(&all, FORCE);
    let activated = named(&all, ACTIVATED);
    // The property whose values are most often known stat cards; the name otherwise.
    let cards = |name: &str| {
        figures
            .iter()
            .filter(|piece| {
                piece
                    .properties
                    .get(name)
                    .is_some_and(|value| Roster::sample().find(value).is_some())
            })
            .count()
    };
    let card = (all.keys().copied())
        .map(|name| (cards(name), name))
        .filter(|(count, _)| *count > 0)
        .max();
    let mut text = head(snapshot, "star-wars-miniatures");
    match grid(snapshot) {
        Some(grid) => text.push_str(&grid),
        None => text.push_str(
            "\n# The squares are read from the module: give --module FILE. Or say where they are, in pixels of the map:\n\
             # [grid]\n# step = [50, 50]\n# origin = [25, 25]\n# count = [20, 16]\n",
        ),
    }
    text.push_str(
        "# terrain = \"my-map.txt\"  # goes above [grid]: rows of cells as docs/swm.md has them; without it all squares are floor\n",
    );
    let (side, told) = sides(&all);
    text.push_str(&told);
    text.push_str("\n[[piece]]\nkind = \"figure\"\n");
    if let Some(name) = hit_points {
        text.push_str(&format!("having = {{ {} = \"*\" }}\n", quoted(name)));
    }
    let list = |names: &[&str]| names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
    let card = card.map(|(_, name)| name);
    text.push_str(&format!("card = [{}]\n", list(&[card.as_slice(), &[NAME]].concat())));
    for (field, name, what) in [
        ("hit_points", hit_points, "hit points"),
        ("force", force, "Force points"),
        ("activated", activated, "having activated"),
    ] {
        match name {
            Some(name) => text.push_str(&format!("{field} = [{}]\n", quoted(name))),
            None => text.push_str(&format!("# No property for {what} was found: {field} = [\"...\"]\n")),
        }
    }
    let side = side.as_deref();
    let mapped: Vec<&str> = [hit_points, force, activated, card, side]
        .into_iter()
        .flatten()
        .collect();
    let unmapped = unmapped(&all, &mapped);
    let unknown: BTreeSet<&str> = (figures.iter())
        .filter(|piece| {
            Roster::sample().find(&piece.basic).is_none()
                && card.is_none_or(|card| {
                    piece
                        .properties
                        .get(card)
                        .is_none_or(|value| Roster::sample().find(value).is_none())
                })
        })
        .map(|piece| &*piece.basic)
        .collect();
    if !unknown.is_empty() {
        text.push_str("\n# The stat cards of the figures below are not known: write them into a table and name it by `roster` at the top.\n");
    }
    remarks(&mut text, &unmapped, &unknown);
    Draft { text, unmapped }
}

/// The grid of the first board that has squares.
fn grid(snapshot: &VassalSnapshot) -> Option<String> {
    for board in snapshot.maps.iter().flat_map(|map| &map.boards) {
        let Some(grid) = board
            .grid
            .as_ref()
            .filter(|grid| grid.kind == "square" && grid.dx > 0.0 && grid.dy > 0.0)
        else {
            continue;
        };
        let count = |size: i32, step: f64| (f64::from(size) / step + 0.5).floor().clamp(0.0, 255.0);
        return Some(format!(
            "\n# The squares of the board `{}`.\n[grid]\nstep = [{:?}, {:?}]\norigin = [{:?}, {:?}]\ncount = [{}, {}]\n",
            one_line(&board.name),
            grid.dx,
            grid.dy,
            grid.x0 + f64::from(board.x),
            grid.y0 + f64::from(board.y),
            count(board.width, grid.dx),
            count(board.height, grid.dy),
        ));
    }
    None
}

fn xwing(snapshot: &VassalSnapshot, catalog: &Catalog) -> Draft {
    let pieces: Vec<&VassalPiece> = snapshot.pieces.iter().collect();
    let every = values(&pieces);
    let is_pilot = |value: &str| !catalog.find_pilots(value, None).is_empty();
    // Names of pilots are the sign of ships.
    let pilots = |name: &str| {
        pieces
            .iter()
            .filter(|piece| piece.properties.get(name).is_some_and(|value| is_pilot(value)))
            .count()
    };
    let mut names: Vec<(usize, &str)> = (every.keys().copied())
        .map(|name| (pilots(name), name))
        .filter(|(count, _)| *count > 0)
        .collect();
    names.sort_by(|one, other| other.cmp(one));
    let names: Vec<&str> = names.into_iter().map(|(_, name)| name).take(3).collect();
    let is_ship = |piece: &&VassalPiece| match names.first() {
        Some(name) => piece.properties.contains_key(*name),
        None => is_pilot(&piece.basic),
    };
    let ships: Vec<&VassalPiece> = pieces.iter().copied().filter(is_ship).collect();
    let all = values(&ships);
    let initiative = named(&all, &["initiative", "pilotskill", "ps", "skill"]);
    let mut text = head(snapshot, "x-wing");
    let scale = ships.iter().map(|ship| ship.width).filter(|width| *width > 0).min();
    match scale {
        Some(width) => text.push_str(&format!(
            "# The smallest ship has an outline {width} pixels wide, taken for a small base of 40 mm.\npixels_per_mm = {:?}\n",
            f64::from(width) / 40.0
        )),
        None => text.push_str("# Measure a small base: its width in pixels by 40.\npixels_per_mm = 2.825\n"),
    }
    text.push_str("areas = [{ board = \"*\", mm = [914.4, 914.4] }]\n");
    text.push_str(
        "\n# Whose a ship is: the faction of its pilot. Write the factions that nobody plays into `solo`.\n[sides]\n\
         property = [\"faction\"]\nsolo = [\"galacticempire\", \"firstorder\", \"separatistalliance\"]\n",
    );
    text.push_str("\n[[piece]]\nkind = \"ship\"\n");
    if let Some(name) = names.first() {
        text.push_str(&format!("having = {{ {} = \"*\" }}\n", quoted(name)));
    }
    let told: Vec<String> = names.iter().chain(&[NAME]).map(|name| quoted(name)).collect();
    text.push_str(&format!("pilot = [{}]\n", told.join(", ")));
    match initiative {
        Some(name) => text.push_str(&format!("initiative = [{}]\n", quoted(name))),
        None => text.push_str("# The initiative is that of the pilot's card.\n"),
    }
    let tokens = ["stress", "ion", "focus", "evade", "calculate", "strain", "deplete"];
    let counted: Vec<(&str, &str)> = (tokens.iter())
        .filter_map(|token| Some((*token, named(&all, &[token, &format!("{token}level")])?)))
        .collect();
    if !counted.is_empty() {
        let told: Vec<String> = counted
            .iter()
            .map(|(token, name)| format!("{token} = [{}]", quoted(name)))
            .collect();
        text.push_str(&format!("tokens = {{ {} }}\n", told.join(", ")));
    }
    for (word, kind) in [
        ("*asteroid*", "asteroid"),
        ("*debris*", "debris"),
        ("*gas*cloud*", "gascloud"),
    ] {
        if pieces.iter().any(|piece| super::profile::fits(word, &piece.basic)) {
            text.push_str(&format!(
                "\n[[piece]]\nkind = \"obstacle\"\nnamed = \"{word}\"\nobstacle = \"{kind}\"\n"
            ));
        }
    }
    let mut mapped = names.clone();
    mapped.extend(initiative);
    mapped.extend(counted.iter().map(|(_, name)| *name));
    let unmapped = unmapped(&all, &mapped);
    let rest: BTreeSet<&str> = pieces
        .iter()
        .filter(|piece| !is_ship(piece))
        .map(|piece| &*piece.basic)
        .collect();
    remarks(&mut text, &unmapped, &rest);
    Draft { text, unmapped }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::vassal::{
        game::Game,
        practice,
        profile::{Profile, flight, skirmish},
        save::About,
        table,
    };

    /// What is drafted can be read as it is, and finds the figures and the ships of the practice modules.
    #[test]
    fn drafts_are_profiles() {
        let catalog = Catalog::embedded();
        for (kit, game) in [
            (practice::skirmish().unwrap(), Plays::StarWarsMiniatures),
            (
                practice::xwing(crate::xwing::edition::Edition::Second).unwrap(),
                Plays::XWing,
            ),
        ] {
            let module = Module::read(std::io::Cursor::new(kit.module().unwrap())).unwrap();
            let decoded = Game::of(&kit.commands()).unwrap();
            let snapshot = table::snapshot(&decoded, &About::default(), Some(&module));
            let drafted = draft(&snapshot, game, catalog);
            let profile = Profile::read(&drafted.text).unwrap_or_else(|damage| panic!("{damage}\n{}", drafted.text));
            match game {
                Plays::StarWarsMiniatures => {
                    let read = skirmish(&snapshot, &profile).unwrap();
                    assert_eq!(read.position.figures.len(), 6, "{}", drafted.text);
                    assert!(read.position.figures.values().any(|figure| figure.hp == Some(120)));
                    assert!(
                        drafted.unmapped.iter().any(|(name, _)| name == "Label"),
                        "{:?}",
                        drafted.unmapped
                    );
                }
                Plays::XWing => {
                    let read = flight(&snapshot, &profile, catalog).unwrap();
                    assert_eq!(read.position.ships.len(), 5, "{}", drafted.text);
                    assert!(read.position.ships.iter().all(|ship| ship.pilot.is_some()));
                    assert_eq!(read.position.obstacles.len(), 2);
                    assert!(
                        drafted.unmapped.iter().any(|(name, _)| name == "Hull Rating"),
                        "{:?}",
                        drafted.unmapped
                    );
                }
            }
            // A module without a save is enough for a draft, too.
            let drafted = draft(&of_module(&module), game, catalog);
            Profile::read(&drafted.text).unwrap_or_else(|damage| panic!("{damage}\n{}", drafted.text));
        }
    }

    #[test]
    fn names_of_a_hostile_module_stay_in_their_places() {
        let mut piece = VassalPiece {
            basic: "x\n[sides]\n\"\u{7}".to_owned(),
            map: "m\"\n]".to_owned(),
            ..VassalPiece::default()
        };
        piece
            .properties
            .insert("HP\"] = 1\n".to_owned(), "1\n[[piece]]".to_owned());
        piece.properties.insert("HP".to_owned(), "10".to_owned());
        let mut snapshot = VassalSnapshot {
            pieces: vec![piece],
            ..VassalSnapshot::default()
        };
        snapshot.module.name = "\"\"\"\n'''".to_owned();
        for game in [Plays::StarWarsMiniatures, Plays::XWing] {
            let drafted = draft(&snapshot, game, Catalog::embedded());
            let profile = Profile::read(&drafted.text).unwrap_or_else(|damage| panic!("{damage}\n{}", drafted.text));
            assert_eq!((profile.name.as_str(), profile.maps.len()), ("\"\"\"\n'''", 1));
        }
    }
}
