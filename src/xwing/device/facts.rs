//! Facts about devices, out of `data/devices.toml`.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::DropTemplate;
use crate::{dice::AttackFace, geometry::Point, xwing::edition::Edition};

/// The first line of the file.
const FORMAT: &str = "tallyho-devices-1";
static EMBEDDED: &str = include_str!("../../../data/devices.toml");
static EMBEDDED_FIRST: &str = include_str!("../../../data/first-edition/devices.toml");

/// When a device goes off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// At the end of the Activation Phase: bombs.
    ActivationEnd,
    /// When a ship moves through it or ends on it: mines.
    Touched,
}

/// What the range of a device is measured from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Around {
    /// The device itself.
    #[default]
    Device,
    /// An obstacle at range 0-1 of it, which is removed then.
    Obstacle,
}

/// What a ship gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Harm {
    /// Hits suffered.
    pub hits: u8,
    /// Crits suffered.
    pub crits: u8,
    /// Ion tokens.
    pub ion: u8,
    /// Strain tokens.
    pub strain: u8,
    /// Disarm tokens.
    pub disarm: u8,
    /// Shields lost, which are no damage.
    pub shields: u8,
    /// Stress tokens.
    #[serde(skip_serializing_if = "is_none")]
    pub stress: u8,
    /// Damage cards dealt face up, whatever shields there are.
    #[serde(skip_serializing_if = "is_none")]
    pub face_up: u8,
}

/// Whether there is none: what only one edition has is not written where it is not.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that the attribute asks for")]
const fn is_none(count: &u8) -> bool {
    *count == 0
}

impl Harm {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Harm) -> Harm {
        Harm {
            hits: self.hits.saturating_add(other.hits),
            crits: self.crits.saturating_add(other.crits),
            ion: self.ion.saturating_add(other.ion),
            strain: self.strain.saturating_add(other.strain),
            disarm: self.disarm.saturating_add(other.disarm),
            shields: self.shields.saturating_add(other.shields),
            stress: self.stress.saturating_add(other.stress),
            face_up: self.face_up.saturating_add(other.face_up),
        }
    }
}

/// A device, as the file says.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceRules {
    /// xws id of the upgrade that it belongs to.
    pub id: String,
    /// What players call it.
    pub name: String,
    /// The piece on the table.
    pub piece: String,
    /// The templates that it may be dropped with.
    pub templates: Vec<DropTemplate>,
    /// When it goes off.
    pub goes_off: Trigger,
    /// What its range is measured from.
    #[serde(default)]
    pub around: Around,
    /// How far it reaches, in ranges of the ruler; means nothing for a mine.
    #[serde(default)]
    pub range: u32,
    /// Fuse markers placed on it.
    #[serde(default)]
    pub fuse: u32,
    /// What each ship gets.
    #[serde(default)]
    pub each: Harm,
    /// How many attack dice each ship rolls.
    #[serde(default)]
    pub dice: u8,
    /// What it gets for each blank.
    #[serde(default)]
    blank: Harm,
    /// For each focus.
    #[serde(default)]
    focus: Harm,
    /// For each hit.
    #[serde(default)]
    hit: Harm,
    /// For each crit.
    #[serde(default)]
    crit: Harm,
    /// Whether its charge cannot be recovered.
    #[serde(default)]
    pub keeps_no_charge: bool,
    /// Whether its card stays when it is dropped, so that it can be dropped again in later rounds.
    #[serde(default)]
    pub stays: bool,
    /// Whether a ship whose maneuver leads over it skips its Perform Action step (FE-11.2).
    #[serde(default)]
    pub takes_action: bool,
    /// What the players must carry out themselves.
    #[serde(default)]
    pub not_played: Option<String>,
}

impl DeviceRules {
    /// What a ship gets for one die that shows that face.
    pub fn on(&self, face: AttackFace) -> Harm {
        match face {
            AttackFace::Blank => self.blank,
            AttackFace::Focus => self.focus,
            AttackFace::Hit => self.hit,
            AttackFace::Crit => self.crit,
        }
    }
}

/// A further piece of a set.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beside {
    /// Which piece.
    pub piece: String,
    /// Its middle to the right of the first one's, mm.
    pub x_mm: f64,
    /// And in front of it, mm.
    pub y_mm: f64,
}

/// A piece of cardboard, in its own frame: x to the right, y forward, mm.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// Its name in the file.
    pub id: String,
    /// How far in front of its middle a template's end comes to lie, mm.
    pub tab_mm: f64,
    /// Its corners.
    #[serde(default)]
    outline: Vec<[f64; 2]>,
    /// Its radius, if it is round.
    radius_mm: Option<f64>,
    /// The rest of the set that lies beside it.
    #[serde(default)]
    pub beside: Vec<Beside>,
}

impl Piece {
    /// Its corners; a round piece is a polygon of as large an area.
    pub fn outline(&self) -> Vec<Point> {
        const CORNERS: u32 = 24;
        match self.radius_mm {
            None => self.outline.iter().map(|&[x, y]| Point::new(x, y)).collect(),
            Some(radius) => (0..CORNERS)
                .map(|corner| {
                    let (sin, cos) = crate::geometry::angle::sin_cos(f64::from(corner) * 360.0 / f64::from(CORNERS));
                    Point::new(radius * sin, radius * cos)
                })
                .collect(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Banks {
    chassis: String,
}

/// All devices that are known.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceBook {
    format: String,
    #[serde(rename = "piece")]
    pieces: Vec<Piece>,
    #[serde(default)]
    banks: Vec<Banks>,
    #[serde(rename = "device")]
    devices: Vec<DeviceRules>,
}

impl DeviceBook {
    /// The devices of an edition that the program carries with it, parsed at the first call.
    pub fn of(edition: Edition) -> &'static DeviceBook {
        static FIRST: OnceLock<DeviceBook> = OnceLock::new();
        match edition {
            Edition::Second => DeviceBook::embedded(),
            Edition::First => FIRST.get_or_init(|| {
                DeviceBook::parse(EMBEDDED_FIRST).expect("the embedded devices are read by a test of every build")
            }),
        }
    }

    /// The devices of the second edition that the program carries with it, parsed at the first call.
    pub fn embedded() -> &'static DeviceBook {
        static BOOK: OnceLock<DeviceBook> = OnceLock::new();
        BOOK.get_or_init(|| {
            DeviceBook::parse(EMBEDDED).expect("the embedded devices are read by a test of every build")
        })
    }

    /// Reads a file of the form that `data/devices.toml` has.
    ///
    /// # Errors
    /// Text of another form, or of another format; the message names line and column.
    pub fn parse(text: &str) -> Result<DeviceBook, String> {
        let book: DeviceBook = toml::from_str(text).map_err(|error| error.to_string())?;
        match book.format == FORMAT {
            true => Ok(book),
            false => Err(format!(
                "the format is `{}`; this program reads `{FORMAT}`",
                book.format
            )),
        }
    }

    /// All devices.
    pub fn devices(&self) -> &[DeviceRules] {
        &self.devices
    }

    /// The device of that upgrade.
    pub fn device(&self, id: &str) -> Option<&DeviceRules> {
        self.devices.iter().find(|device| device.id == id)
    }

    /// The piece of that name.
    pub fn piece(&self, id: &str) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.id == id)
    }

    /// Whether a ship type may take the bank template of a straight one's speed.
    pub fn banks(&self, chassis: &str) -> bool {
        self.banks.iter().any(|banks| banks.chassis == chassis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geometry::polygon,
        xwing::catalog::{Catalog, facts::DeviceKind},
    };

    #[test]
    fn the_embedded_devices_fit_together() {
        let other = EMBEDDED.replace(FORMAT, "tallyho-devices-9");
        assert!(DeviceBook::parse(&other).is_err());
        for edition in Edition::ALL {
            fits_together(DeviceBook::of(edition));
        }
    }

    fn fits_together(book: &DeviceBook) {
        for device in &book.devices {
            let id = &device.id;
            assert!(!device.templates.is_empty(), "{id} cannot be dropped");
            let piece = book.piece(&device.piece).unwrap_or_else(|| panic!("{id} has no piece"));
            for beside in &piece.beside {
                assert!(book.piece(&beside.piece).is_some(), "{id}: no piece {}", beside.piece);
            }
            let mine = device.goes_off == Trigger::Touched;
            assert_eq!(mine, device.range == 0, "{id}: a bomb has a range, a mine has none");
            let does = [device.each, device.blank, device.focus, device.hit, device.crit];
            let harmless = does.iter().all(|harm| *harm == Harm::default());
            assert!(!harmless || device.not_played.is_some(), "{id} does nothing");
            assert_eq!(
                device.dice > 0,
                does[1..].iter().any(|harm| *harm != Harm::default()),
                "{id}"
            );
        }
        for piece in &book.pieces {
            let outline = piece.outline();
            assert!(
                outline.len() >= 3 && polygon::contains(&outline, Point::new(0.0, 0.0)),
                "{}",
                piece.id
            );
        }
    }

    #[test]
    fn every_bomb_and_mine_of_the_catalog_is_known() {
        let book = DeviceBook::embedded();
        for upgrade in Catalog::embedded().upgrades() {
            for side in &upgrade.sides {
                let Some(device) = &side.device else {
                    continue;
                };
                let known = book.device(&upgrade.xws);
                match device.kind {
                    DeviceKind::Bomb | DeviceKind::Mine => {
                        let known = known.unwrap_or_else(|| panic!("{} is not known", upgrade.xws));
                        let mine = known.goes_off == Trigger::Touched;
                        assert_eq!(mine, device.kind == DeviceKind::Mine, "{}", upgrade.xws);
                    }
                    DeviceKind::Remote | DeviceKind::Obstacle => assert!(known.is_none(), "{}", upgrade.xws),
                }
            }
        }
    }
}
