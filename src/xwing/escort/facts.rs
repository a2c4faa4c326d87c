//! The scenario's facts as data: `data/first-edition/political-escort.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::critical::Critical;
use crate::xwing::maneuver::{Dial, Maneuver};

/// The file that the program carries with it.
static EMBEDDED: &str = include_str!("../../../data/first-edition/political-escort.toml");

/// What the shuttle is (PE-1).
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShuttleFacts {
    /// What players call it (PE-1.4).
    pub name: String,
    /// Its id as a ship type.
    pub chassis: String,
    /// Its pilot skill.
    pub skill: u8,
    /// The pilot skill at which it is placed.
    pub set_up_skill: u8,
    /// Its agility.
    pub agility: u32,
    /// Its hull.
    pub hull: u8,
    /// Its shields.
    pub shields: u8,
    /// Its maneuvers.
    dial: Vec<Maneuver>,
    /// How many crew it takes.
    pub crew: usize,
    /// How many modifications it takes.
    pub modifications: usize,
    /// The size of its token: across and along the heading, mm.
    pub token: [f64; 2],
}

impl ShuttleFacts {
    /// Its dial.
    pub fn dial(&self) -> Dial {
        Dial::new(self.dial.iter().copied())
    }
}

/// What squads may not bring, and what does nothing (PE-2).
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SquadFacts {
    /// The most points of a squad, the shuttle's upgrades included (PE-2.1).
    pub points: i32,
    /// Ids of upgrades that are not allowed (PE-2.3).
    pub banned: Vec<String>,
    /// Ids of pilots whose ability is blank (PE-2.4).
    pub without_ability: Vec<String>,
}

/// All facts of the scenario.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EscortFacts {
    /// The shuttle.
    pub shuttle: ShuttleFacts,
    /// Squads.
    pub squads: SquadFacts,
    /// Critical cards on the shuttle.
    #[serde(rename = "critical")]
    pub criticals: Vec<Critical>,
}

impl EscortFacts {
    /// Reads a file of facts.
    ///
    /// # Errors
    /// Text of another form; the message names line and column.
    pub fn parse(text: &str) -> Result<EscortFacts, toml::de::Error> {
        toml::from_str(text)
    }

    /// The facts that the program carries with it, parsed at the first call.
    pub fn embedded() -> &'static EscortFacts {
        static FACTS: LazyLock<EscortFacts> = LazyLock::new(|| {
            EscortFacts::parse(EMBEDDED).expect("the embedded facts of the scenario are read by a test of every build")
        });
        &FACTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pe_1_the_embedded_facts_are_read_and_name_each_card_once() {
        let facts = EscortFacts::embedded();
        let shuttle = &facts.shuttle;
        assert_eq!((shuttle.agility, shuttle.hull, shuttle.shields), (2, 6, 6));
        assert_eq!(shuttle.dial().maneuvers().len(), 3);
        for (place, critical) in facts.criticals.iter().enumerate() {
            let again = facts.criticals[..place].iter().any(|other| other.card == critical.card);
            assert!(!again, "{} stands twice", critical.card);
        }
        assert!(EscortFacts::parse("[shuttle]").is_err());
    }
}
