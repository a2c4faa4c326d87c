//! Module profiles: data files that tell what the pieces of a module are in the game (`docs/vassal.md`).
//!
//! A module names its pieces, properties and maps as its maker liked. A profile says which pieces are ships, figures, obstacles or
//! tokens, which property names the stat card or the pilot, where hit points are, how pixels become squares or millimetres, and
//! whose a piece is.

mod fault;
mod skirmish;
mod xwing;

use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};

use serde::Deserialize;

pub use self::{
    skirmish::{Skirmish, skirmish},
    xwing::{Flight, Loose, Scale, flight},
};
use super::Damage;
use crate::{
    protocol::vassal::{VassalPiece, VassalSnapshot},
    text_file,
    xwing::{edition::Edition, obstacle::ObstacleKind},
};

/// Most bytes of a profile or of a file beside it.
const MOST_BYTES: u64 = 4 << 20;
/// Pixels from a square to the next, at least and at most.
const STEPS: std::ops::RangeInclusive<f64> = 1.0..=10_000.0;
/// How far from the corner of a map its first square may be, pixels.
const FARTHEST: f64 = 1_000_000.0;

/// The profiles that come with the program.
const SHIPPED: &[(&str, &str)] = &[
    ("x-wing.toml", include_str!("../../../data/vassal/x-wing.toml")),
    (
        "star-wars-miniatures.toml",
        include_str!("../../../data/vassal/star-wars-miniatures.toml"),
    ),
    (
        "practice-skirmish.toml",
        include_str!("../../../data/vassal/practice-skirmish.toml"),
    ),
    (
        "practice-xwing.toml",
        include_str!("../../../data/vassal/practice-xwing.toml"),
    ),
];
/// Texts that shipped profiles name, since they stand beside no file.
const SHIPPED_BESIDE: &[(&str, &str)] = &[(
    "practice-skirmish.map.txt",
    include_str!("../../../data/vassal/practice-skirmish.map.txt"),
)];

/// Which game a module plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plays {
    /// X-Wing.
    XWing,
    /// Star Wars Miniatures.
    StarWarsMiniatures,
}

/// What the pieces of a module are.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// What it is called in messages.
    pub name: String,
    /// Which game.
    pub game: Plays,
    /// Names of the modules that it is for; `*` stands for any letters, and capitals do not matter, here and below.
    #[serde(default)]
    pub modules: Vec<String>,
    /// Names of the maps that are the table; none: every map.
    #[serde(default)]
    pub maps: Vec<String>,
    /// How far the front of a piece's picture is from up, degrees clockwise.
    #[serde(default)]
    pub heading_offset: f64,
    /// X-Wing: pixels of a millimetre.
    pub pixels_per_mm: Option<f64>,
    /// X-Wing: how large the boards are.
    #[serde(default)]
    pub areas: Vec<Area>,
    /// Star Wars Miniatures: the squares.
    pub grid: Option<Squares>,
    /// Star Wars Miniatures: a file beside the profile with the terrain, as the rows of a position (`docs/swm.md`).
    pub terrain: Option<PathBuf>,
    /// Star Wars Miniatures: a file beside the profile with stat cards of one's own.
    pub roster: Option<PathBuf>,
    /// Whose a piece is.
    #[serde(default)]
    pub sides: Sides,
    /// What pieces are; the first rule that fits counts, and a piece that none fits is left aside.
    #[serde(default, rename = "piece")]
    pub pieces: Vec<Rule>,
    /// Where the files beside it are.
    #[serde(skip)]
    folder: Option<PathBuf>,
}

/// How large a board is.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// The board's name.
    pub board: String,
    /// Width and height, mm.
    pub mm: [f64; 2],
}

/// The squares of a board.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Squares {
    /// Pixels from a column to the next, and from a row to the next.
    pub step: [f64; 2],
    /// The centre of the first square, pixels of the map.
    pub origin: [f64; 2],
    /// Columns and rows; not needed where there is terrain.
    pub count: Option<[u8; 2]>,
}

/// Whose a piece is.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sides {
    /// The properties that tell it, the first that a piece has. `faction` is the faction of its pilot or stat card.
    pub property: Vec<String>,
    /// The values of those whom nobody plays.
    pub solo: Vec<String>,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A ship of X-Wing.
    Ship,
    /// A figure of Star Wars Miniatures.
    Figure,
    /// An obstacle of X-Wing.
    Obstacle,
    /// A token that lies beside the ship to which it belongs.
    Token,
    /// Nothing that the game counts.
    Ignore,
}

/// A rule: which pieces, and what they are.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What they are.
    pub kind: Kind,
    /// Their name.
    pub named: Option<String>,
    /// A text that one of their labels contains.
    pub label_has: Option<String>,
    /// A text that neither their labels nor the names and values of their properties contain.
    pub lacks: Option<String>,
    /// X-Wing: the edition whose pieces they are.
    pub edition: Option<Edition>,
    /// Properties with the values that they must have.
    #[serde(default)]
    pub having: BTreeMap<String, String>,
    /// The properties that name the stat card, the first one that is known.
    #[serde(default)]
    pub card: Vec<String>,
    /// The properties that name the pilot, by xws id or name.
    #[serde(default)]
    pub pilot: Vec<String>,
    /// Properties with hit points now.
    #[serde(default)]
    pub hit_points: Vec<String>,
    /// Properties with Force points now.
    #[serde(default)]
    pub force: Vec<String>,
    /// Properties that say that a figure has activated this round.
    #[serde(default)]
    pub activated: Vec<String>,
    /// Properties with the initiative.
    #[serde(default)]
    pub initiative: Vec<String>,
    /// Tokens by their names in a position (`docs/positions.md`), with the properties that count them.
    #[serde(default)]
    pub tokens: BTreeMap<String, Vec<String>>,
    /// The kind of the obstacle.
    pub obstacle: Option<ObstacleKind>,
    /// The outline of the obstacle, by its id or a name; the piece's own outline or name otherwise.
    pub shape: Option<String>,
    /// The token, by its name in a position.
    pub token: Option<String>,
    /// How far from its ship's base a token lies at most, mm.
    pub within_mm: Option<f64>,
    /// The slot of the module's palette from which such a token is laid: its number (`gpid`), or its name where only one has it.
    pub slot: Option<String>,
}

impl Profile {
    /// Reads a profile.
    ///
    /// # Errors
    /// What is not understood, with its line.
    pub fn read(text: &str) -> Result<Profile, Damage> {
        let text = text.trim_start_matches('\u{feff}');
        let profile: Profile = toml::from_str(text).map_err(|error| fault::plain(&error, text))?;
        let positive = |number: f64| number.is_finite() && number > 0.0;
        let fault = if profile.pixels_per_mm.is_some_and(|scale| !positive(scale)) {
            Some("pixels_per_mm: give a number above 0")
        } else if profile
            .grid
            .is_some_and(|grid| !grid.step.iter().all(|step| STEPS.contains(step)))
        {
            Some("grid.step: give two numbers from 1 to 10000, the pixels from a square to the next, east and south")
        } else if profile
            .grid
            .is_some_and(|grid| !grid.origin.iter().all(|at| at.abs() <= FARTHEST))
        {
            Some("grid.origin: give two numbers, the pixels of the centre of the first square, east and south")
        } else if !profile.heading_offset.is_finite() {
            Some("heading_offset: give degrees")
        } else if profile.game == Plays::XWing && profile.pixels_per_mm.is_none() {
            Some("pixels_per_mm: it is missing; a small base is 40 mm wide")
        } else {
            None
        };
        match fault {
            Some(fault) => Err(Damage::at("the profile", fault)),
            None => Ok(profile),
        }
    }

    /// Reads a profile from a file; the files that it names are beside it.
    ///
    /// # Errors
    /// A file that cannot be read, or what is not understood.
    pub fn open(path: &Path) -> Result<Profile, Damage> {
        let shown = path.display().to_string();
        let text = text_file::read_at_most(path, MOST_BYTES)
            .map_err(|error| Damage::at(shown.clone(), format!("it cannot be read: {error}")))?;
        let mut profile = Profile::read(&text).map_err(|damage| damage.within(&shown))?;
        profile.folder = Some(path.parent().unwrap_or(Path::new("")).to_owned());
        Ok(profile)
    }

    /// The profiles that come with the program.
    ///
    /// # Errors
    /// None: the tests read them all.
    pub fn shipped() -> Result<Vec<Profile>, Damage> {
        (SHIPPED.iter())
            .map(|(file, text)| Profile::read(text).map_err(|damage| damage.within(file)))
            .collect()
    }

    /// The shipped profile for a game: by the name of its module, or, where a save does not name it, by the labels of its pieces.
    ///
    /// # Errors
    /// When no profile fits, with what to do.
    pub fn for_game(snapshot: &VassalSnapshot) -> Result<Profile, Damage> {
        let mut shipped = Profile::shipped()?;
        let module = &*snapshot.module.name;
        let by_name = (shipped.iter()).position(|profile| profile.modules.iter().any(|name| fits(name, module)));
        // The name of a piece, or that it has hit points, tells no module.
        let telling = |rule: &Rule| rule.label_has.is_some() && rule.kind == Kind::Ship;
        let by_pieces = || {
            let is_told = |profile: &Profile| snapshot.pieces.iter().any(|own| profile.rule(own).is_some_and(telling));
            shipped.iter().position(is_told)
        };
        let found = by_name.or_else(by_pieces);
        found.map(|at| shipped.swap_remove(at)).ok_or_else(|| {
            let which = match module {
                "" => "the save does not name its module".to_owned(),
                name => format!("no profile for the module `{name}` comes with the program"),
            };
            Damage::at(
                "the game",
                format!("{which}: give --profile FILE; `tallyho vassal probe` drafts one"),
            )
        })
    }

    /// The first rule that fits a piece.
    pub fn rule(&self, piece: &VassalPiece) -> Option<&Rule> {
        self.pieces.iter().find(|rule| rule.fits(piece))
    }

    /// The slot of the palette from which a token is laid, if the profile names one.
    pub fn slot_of(&self, token: &str) -> Option<&str> {
        let mut rules = self.pieces.iter().filter(|rule| rule.token.as_deref() == Some(token));
        rules.find_map(|rule| rule.slot.as_deref())
    }

    /// Whether a map is the table.
    pub fn is_table(&self, map: &str) -> bool {
        self.maps.is_empty() || self.maps.iter().any(|name| fits(name, map))
    }

    /// Whether nobody plays a piece of that faction, and the word that tells whose it is. A side that the players chose counts
    /// before those of the profile.
    fn side(&self, snapshot: &VassalSnapshot, piece: &VassalPiece, faction: &str) -> (bool, String) {
        let told = self.sides.property.iter().find_map(|name| match &**name {
            "faction" => Some(faction).filter(|faction| !faction.is_empty()),
            name => property(piece, name).filter(|value| !value.trim().is_empty()),
        });
        let told = told.unwrap_or_default().trim();
        let solo = match &*snapshot.automates {
            "" => self.sides.solo.iter().any(|value| fits(value, told)),
            chosen => fits(chosen, told),
        };
        (solo, told.to_owned())
    }

    /// A text beside the profile.
    fn beside(&self, file: &Path) -> Result<String, Damage> {
        let shown = file.display().to_string();
        // A profile of somebody else's reads nothing but what came with it.
        let stays = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
        if !file.components().all(stays) {
            return Err(Damage::at(
                format!("the profile names `{shown}`"),
                "give the name of a file in the profile's own folder or in one below it",
            ));
        }
        match &self.folder {
            Some(folder) => text_file::read_at_most(&folder.join(file), MOST_BYTES).map_err(|error| {
                Damage::at(
                    format!("{shown}, beside the profile"),
                    format!("it cannot be read: {error}"),
                )
            }),
            None => (SHIPPED_BESIDE.iter())
                .find(|(name, _)| *name == shown)
                .map(|(_, text)| (*text).to_owned())
                .ok_or_else(|| Damage::at(shown, "it does not come with the program")),
        }
    }
}

impl Rule {
    fn fits(&self, piece: &VassalPiece) -> bool {
        let label = |text: &String| piece.labels.iter().any(|label| label.contains(&**text));
        self.named.as_ref().is_none_or(|name| fits(name, name_of(piece)))
            && self.label_has.as_ref().is_none_or(label)
            && !self
                .lacks
                .as_ref()
                .is_some_and(|text| label(text) || property_has(piece, text))
            && (self.having.iter()).all(|(name, value)| property(piece, name).is_some_and(|own| fits(value, own)))
    }
}

/// Whether a property of a piece has such a text in its name or its value.
fn property_has(piece: &VassalPiece, text: &str) -> bool {
    let mut properties = piece.properties.iter();
    properties.any(|(name, value)| name.contains(text) || value.contains(text))
}

/// The name of a piece, without what labels add to it.
fn name_of(piece: &VassalPiece) -> &str {
    if piece.basic.is_empty() {
        &piece.name
    } else {
        &piece.basic
    }
}

/// A property of a piece.
fn property<'p>(piece: &'p VassalPiece, name: &str) -> Option<&'p str> {
    if name == super::traits::NAME {
        return Some(name_of(piece));
    }
    held(piece, name).map(|(_, value)| value)
}

/// A property that a trait of a piece holds, with its whole name: one of a sheet (`SHEET.FIELD`) is also found by its own name.
pub fn held<'p>(piece: &'p VassalPiece, name: &str) -> Option<(&'p str, &'p str)> {
    let own = piece.properties.get_key_value(name).or_else(|| {
        let of_sheet = |key: &str| key.strip_suffix(name).is_some_and(|sheet| sheet.ends_with('.'));
        piece.properties.iter().find(|(key, _)| of_sheet(key))
    });
    own.map(|(key, value)| (&**key, &**value))
}

/// The value of the first of these properties that a piece has.
fn first<'p>(piece: &'p VassalPiece, names: &[String]) -> Option<&'p str> {
    let values = names.iter().filter_map(|name| property(piece, name));
    values.map(str::trim).find(|value| !value.is_empty())
}

/// The number at the beginning of the first of these properties that has one: `40` of `40/60`.
fn count(piece: &VassalPiece, names: &[String]) -> Option<i64> {
    names.iter().filter_map(|name| property(piece, name)).find_map(|value| {
        let value = value.trim();
        let mut letters = value.char_indices();
        let end = letters.find(|(at, letter)| !(letter.is_ascii_digit() || *at == 0 && *letter == '-'));
        value[..end.map_or(value.len(), |(at, _)| at)].parse().ok()
    })
}

/// Whether something is said to be so: a number above zero, or `true`, `yes`, `on`.
fn holds(piece: &VassalPiece, names: &[String]) -> bool {
    names.iter().filter_map(|name| property(piece, name)).any(|value| {
        let value = value.trim().to_lowercase();
        matches!(&*value, "true" | "yes" | "on") || value.parse::<f64>().is_ok_and(|number| number > 0.0)
    })
}

/// Whether a text fits a pattern, in which `*` stands for any letters; capitals do not matter.
pub fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.to_lowercase(), text.to_lowercase());
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// What a list of pieces is, for the remark that some are no part of the game: `3 pieces`, with some names.
fn some_names(names: &[String]) -> String {
    let mut names: Vec<&str> = names
        .iter()
        .map(|name| if name.is_empty() { "(no name)" } else { name })
        .collect();
    names.sort_unstable();
    names.dedup();
    let more = names.len().saturating_sub(5);
    names.truncate(5);
    match more {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_profiles_can_be_read() {
        let shipped = Profile::shipped().unwrap();
        assert_eq!(shipped.len(), SHIPPED.len());
        for profile in shipped {
            assert!(
                !profile.pieces.is_empty() && !profile.sides.solo.is_empty(),
                "{}",
                profile.name
            );
            for file in [&profile.terrain, &profile.roster].into_iter().flatten() {
                profile.beside(file).unwrap();
            }
        }
    }

    #[test]
    fn patterns() {
        for (pattern, text, expected) in [
            ("Vader", "vader", true),
            ("Vader", "Darth Vader", false),
            ("*vader", "Darth Vader", true),
            ("*", "", true),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "acb", false),
            ("a*a", "a", false),
            ("", "x", false),
            ("*é*", "CAFÉ au lait", true),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn files_beside_a_profile_are_beside_it_and_no_larger_than_such_files_are() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("maps")).unwrap();
        std::fs::write(folder.path().join("maps").join("map.txt"), ". .\n").unwrap();
        std::fs::write(folder.path().join("large.txt"), vec![b'.'; (MOST_BYTES + 1) as usize]).unwrap();
        let own = folder.path().join("own.toml");
        std::fs::write(&own, "name = \"x\"\ngame = \"star-wars-miniatures\"\n").unwrap();
        let profile = Profile::open(&own).unwrap();
        assert_eq!(profile.beside(Path::new("maps/map.txt")).unwrap(), ". .\n");
        for (file, told) in [
            ("/dev/zero", "in the profile's own folder"),
            ("../own.toml", "in the profile's own folder"),
            ("maps/../../x", "in the profile's own folder"),
            ("large.txt", "it cannot be read: it is longer than 4194304 bytes"),
            ("gone.txt", "gone.txt, beside the profile: it cannot be read"),
        ] {
            let damage = profile.beside(Path::new(file)).unwrap_err().to_string();
            assert!(damage.contains(told), "{file}: {damage}");
        }
    }

    #[test]
    fn a_misspelt_field_and_a_wrong_number_are_told() {
        for (text, told) in [
            (
                "name = \"x\"\ngame = \"star-wars-miniatures\"\n[grid]\nstep = [1e-9, 50]\norigin = [0, 0]",
                "the profile: grid.step: give two numbers from 1 to 10000",
            ),
            (
                "name = \"x\"\ngame = \"star-wars-miniatures\"\n[grid]\nstep = [50, nan]\norigin = [0, 0]",
                "the profile: grid.step: give two numbers from 1 to 10000",
            ),
            (
                "name = \"x\"\ngame = \"star-wars-miniatures\"\n[grid]\nstep = [50, 50]\norigin = [0, 1e300]",
                "the profile: grid.origin: give two numbers, the pixels of the centre",
            ),
            (
                "name = \"x\"\ngame = \"x-wing\"\npixels_per_mm = 0",
                "give a number above 0",
            ),
            (
                "name = \"x\"\ngame = \"x-wing\"",
                "it is missing; a small base is 40 mm wide",
            ),
        ] {
            let damage = Profile::read(text).unwrap_err().to_string();
            assert!(damage.contains(told), "{damage}");
        }
    }
}
