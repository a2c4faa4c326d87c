//! SA-13: scenarios as data: the play area, what is set up where, who arrives when, and when the game ends.
//!
//! A scenario is a TOML file (`docs/scenarios.md` describes it, `data/scenarios/intro.toml` is the introductory one);
//! [`Scenario::parse`] reads and checks it. [`muster::muster`] chooses the ships, [`setup::set_up`] makes a ready table,
//! [`wave`] says who arrives in a round, [`arrival::bring_in`] places them, [`departure`] says who
//! gets away, and [`review`] whether a table set up by hand obeys the rules. All are functions of their arguments: the
//! same scenario, ships, table and seed give the same answer.

use std::sync::OnceLock;

use serde::Deserialize;

pub use self::form::{
    Ace, AceRule, Area, Arrives, Condition, Corner, Edge, Ending, FactionShips, Group, LockOnArrival, MARGIN_MM,
    MarkerRules, MarkerSide, ObstacleRules, PilotChoice, PlayerShips, Recruits, Retreat, RetreatEdge, ShipChoice,
    SideByDie, SideChoice, SideName, Spacing, Variant, Wave,
};
use super::{edition::Edition, table::PlayArea};

pub mod arrival;
pub mod departure;
mod form;
pub mod marker;
pub mod muster;
mod obstacles;
pub mod review;
pub mod setup;
pub mod standing;
mod validate;
pub mod wave;

/// The first line of every scenario file.
pub const FORMAT: &str = "tallyho-scenario-1";

/// The introductory scenario (SA-13).
static INTRO: &str = include_str!("../../data/scenarios/intro.toml");
/// The introductory scenario with ships of the first edition (FE-SOLO-14).
static INTRO_FIRST: &str = include_str!("../../data/scenarios/intro-first.toml");
/// The starter game of the first edition (FE-1.6).
static STARTER: &str = include_str!("../../data/scenarios/starter.toml");
/// The same ships on both sides.
static MIRROR: &str = include_str!("../../data/scenarios/mirror.toml");

/// A scenario, as its file says.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Always [`FORMAT`].
    pub format: String,
    /// A short name for the command line.
    pub id: String,
    /// What players call it.
    pub name: String,
    /// The edition that its ships are of.
    #[serde(default)]
    pub edition: Edition,
    /// The play area.
    pub area: Area,
    /// The player's edge.
    pub player_edge: Edge,
    /// Whose ships come first at the same initiative.
    pub first_player: SideName,
    /// How many ships the player has.
    pub player_ships: PlayerShips,
    /// Hyperspace markers.
    pub markers: MarkerRules,
    /// Obstacles.
    pub obstacles: ObstacleRules,
    /// Over which edge a ship leaves safely; none if over no edge.
    pub retreat: Option<Retreat>,
    /// Ships that arrive together and are counted together.
    #[serde(rename = "group")]
    pub groups: Vec<Group>,
    /// What is placed when.
    #[serde(rename = "wave")]
    pub waves: Vec<Wave>,
    /// What may be played differently.
    #[serde(rename = "variant", default)]
    pub variants: Vec<Variant>,
    /// When the game ends.
    #[serde(rename = "ending")]
    pub endings: Vec<Ending>,
    /// The ships of each faction.
    #[serde(rename = "squad")]
    pub squads: Vec<FactionShips>,
}

/// Why a scenario, or what is asked of one, cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScenarioError {
    /// The text is not of the form of a scenario file; the message names line and column.
    #[error("this is no scenario file: {0}")]
    Form(String),
    /// A value that makes no sense, with its place and the remedy.
    #[error("{place}: {message}")]
    Value {
        /// Where, as in `wave[2].place`.
        place: String,
        /// What is wrong, and what to do.
        message: String,
    },
    /// What was asked for is not in the scenario.
    #[error("{0}")]
    Asked(String),
    /// No table that satisfies all rules was found.
    #[error("{0}")]
    NoRoom(String),
}

impl Scenario {
    /// The introductory scenario (SA-13), parsed at the first call.
    pub fn intro() -> &'static Scenario {
        static SCENARIO: OnceLock<Scenario> = OnceLock::new();
        SCENARIO.get_or_init(|| Scenario::parse(INTRO).expect("the embedded scenario is read by a test of every build"))
    }

    /// A game with the same ships and the same waves on both sides, parsed at the first call.
    pub fn mirror() -> &'static Scenario {
        static SCENARIO: OnceLock<Scenario> = OnceLock::new();
        SCENARIO
            .get_or_init(|| Scenario::parse(MIRROR).expect("the embedded scenario is read by a test of every build"))
    }

    /// The introductory scenario with ships of the first edition (FE-SOLO-14), parsed at the first call.
    pub fn intro_first() -> &'static Scenario {
        static SCENARIO: OnceLock<Scenario> = OnceLock::new();
        SCENARIO.get_or_init(|| {
            Scenario::parse(INTRO_FIRST).expect("the embedded scenario is read by a test of every build")
        })
    }

    /// The starter game of the first edition (FE-1.6), parsed at the first call.
    pub fn starter() -> &'static Scenario {
        static SCENARIO: OnceLock<Scenario> = OnceLock::new();
        SCENARIO
            .get_or_init(|| Scenario::parse(STARTER).expect("the embedded scenario is read by a test of every build"))
    }

    /// The scenarios that the program carries with it.
    pub fn built_in() -> [&'static Scenario; 4] {
        [
            Scenario::intro(),
            Scenario::intro_first(),
            Scenario::mirror(),
            Scenario::starter(),
        ]
    }

    /// The faction of the players where only one can be: the one that has ships for every group of theirs.
    pub fn only_faction(&self) -> Option<&str> {
        let groups = || self.groups.iter().filter(|group| group.side == SideName::Player);
        let mut all = self.squads.iter();
        let mut fit = all
            .by_ref()
            .filter(|squad| groups().all(|group| squad.ships.contains_key(&group.id)));
        match (fit.next(), fit.next()) {
            (Some(only), None) => Some(&only.faction),
            _ => None,
        }
    }

    /// The built-in scenario of that name for ships of an edition: `intro` is `intro-first` in the first one.
    pub fn named(name: &str, edition: Edition) -> Option<&'static Scenario> {
        let of_edition = format!("{name}-{}", edition.name());
        let find = |id: &str| Scenario::built_in().into_iter().find(|known| known.id == id);
        find(&of_edition).or_else(|| find(name))
    }

    /// Checks that its ships are of the edition that is played.
    ///
    /// # Errors
    /// They are of the other one; the message says how to play it.
    pub fn fits(&self, edition: Edition) -> Result<(), ScenarioError> {
        if self.edition == edition {
            return Ok(());
        }
        let (id, own, other) = (&self.id, self.edition.name(), edition.name());
        Err(ScenarioError::Asked(format!(
            "the scenario `{id}` has ships of the {own} edition, and the {other} is played: add --edition {own}, or take another \
             scenario"
        )))
    }

    /// Reads a scenario and checks that its parts fit together.
    ///
    /// # Errors
    /// Text of another form, an unknown word, a group that is not there, or a number that makes no sense.
    pub fn parse(text: &str) -> Result<Scenario, ScenarioError> {
        let scenario: Scenario = toml::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| ScenarioError::Form(error.to_string()))?;
        validate::consistent(&scenario)?;
        Ok(scenario)
    }

    /// The play area.
    pub fn play_area(&self) -> PlayArea {
        PlayArea {
            width: self.area.width_mm,
            height: self.area.height_mm,
        }
    }

    /// The group of that id.
    pub fn group(&self, id: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.id == id)
    }

    /// The variant of that id.
    ///
    /// # Errors
    /// There is none; the message lists those that there are.
    pub fn variant(&self, id: &str) -> Result<&Variant, ScenarioError> {
        self.variants.iter().find(|variant| variant.id == id).ok_or_else(|| {
            let known: Vec<&str> = self.variants.iter().map(|variant| variant.id.as_str()).collect();
            ScenarioError::Asked(match known.is_empty() {
                true => format!("the scenario `{}` has no variants; leave `{id}` out", self.id),
                false => format!(
                    "the scenario `{}` has no variant `{id}`; it has {}",
                    self.id,
                    known.join(", ")
                ),
            })
        })
    }

    /// SA-13: whether a ship of that side that leaves the table over that edge gets away safely.
    pub fn saves(&self, side: SideName, edge: Edge) -> bool {
        self.retreat.is_some_and(|retreat| {
            retreat.side == side && (retreat.edge == RetreatEdge::Any || edge == self.player_edge)
        })
    }
}
