//! What the player ought to know about a ship that was put together.

use std::fmt;

/// Something that the player ought to know about a ship that was put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResolveNote {
    /// No pilot of that id or name; the ship flies without pilot facts.
    UnknownPilot(String),
    /// Several pilots of that name; the first by id was taken.
    AmbiguousPilot {
        /// The name given.
        name: String,
        /// The id taken.
        taken: String,
        /// The other ids.
        others: Vec<String>,
    },
    /// No ship of that id or name; the pilot's ship was taken.
    UnknownShip {
        /// The id or name given.
        ship: String,
        /// The pilot's ship.
        taken: String,
    },
    /// The pilot flies another ship; the ship given was taken, with the pilot's own facts left out.
    PilotOfOtherShip {
        /// The pilot's id.
        pilot: String,
        /// The ship that the pilot flies.
        flies: String,
    },
    /// No upgrade of that id or name; it is not used.
    UnknownUpgrade(String),
    /// The upgrade is listed twice; a ship has no card twice, so it counts once.
    Repeated(String),
    /// The upgrade has two sides; this one was taken.
    SideTaken {
        /// The upgrade's id.
        upgrade: String,
        /// The title of the side.
        title: String,
    },
    /// A second device upgrade; the opponent uses the first alone.
    SecondDevice(String),
    /// The ship has no dial of its own.
    NoDial(String),
    /// A weapon whose attack value nobody knows; it is not mounted.
    NoAttackValue(String),
}

impl fmt::Display for ResolveNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResolveNote::UnknownPilot(pilot) => write!(
                f,
                "the pilot `{pilot}` is not known; the ship flies without pilot facts"
            ),
            ResolveNote::AmbiguousPilot { name, taken, others } => {
                write!(
                    f,
                    "several pilots are called `{name}`: `{taken}` is taken, not `{}`",
                    others.join("`, `")
                )
            }
            ResolveNote::UnknownShip { ship, taken } => {
                write!(f, "the ship `{ship}` is not known; the pilot's ship `{taken}` is taken")
            }
            ResolveNote::PilotOfOtherShip { pilot, flies } => {
                write!(
                    f,
                    "the pilot `{pilot}` flies the ship `{flies}`; pilot facts are left out"
                )
            }
            ResolveNote::UnknownUpgrade(upgrade) => write!(f, "the upgrade `{upgrade}` is not known; it is not used"),
            ResolveNote::Repeated(upgrade) => write!(f, "the upgrade `{upgrade}` is listed twice; it counts once"),
            ResolveNote::SideTaken { upgrade, title } => {
                write!(f, "the upgrade `{upgrade}` is taken with its side `{title}` up")
            }
            ResolveNote::SecondDevice(upgrade) => {
                write!(f, "`{upgrade}` is a second device; only the first one is used")
            }
            ResolveNote::NoDial(ship) => write!(f, "the ship `{ship}` has no dial of its own"),
            ResolveNote::NoAttackValue(upgrade) => {
                write!(
                    f,
                    "the attack value of `{upgrade}` is not known, so that it is not fired: read it on the card and give it as \
                     `--value {upgrade}=N`, or `--value {upgrade}=none` (FE-SOLO-9)"
                )
            }
        }
    }
}
