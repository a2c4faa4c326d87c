//! What the rules page leaves open, as one record with the page's defaults (`docs/rules.md`).

use serde::{Deserialize, Serialize};

use super::{cards::losses::Losses, chart::Charts, escort::EscortPlay};
use crate::xwing::ObjectId;

/// Which text of the rules is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum RulesVersion {
    /// The open alpha, 0.1.
    #[default]
    #[serde(rename = "0.1")]
    V0_1,
}

/// Whose ships come first at the same initiative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FirstPlayer {
    /// The player's ships act before solo ships of the same initiative.
    #[default]
    Player,
    /// Solo ships act before the player's.
    Solo,
}

/// SA-12: which moves that a card offers are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CardMoves {
    /// Those that meet at least one of the three tests.
    #[default]
    AnyTest,
    /// Those of them that gain more enemies and dice than they lose.
    Net,
}

/// All choices of the opponent. [`Options::default`] is what the rules page says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Options {
    /// Which text of the rules is played.
    pub rules_version: RulesVersion,
    /// Whose ships come first at the same initiative.
    pub first_player: FirstPlayer,
    /// Whether a base's guides count for overlap. They never count for range or arc.
    pub guides_overlap: bool,
    /// SA-5: speed is ranked before the direction filter (else after it).
    pub speed_before_direction: bool,
    /// SA-3.5: a die that SA-6 changed to focus sets the attitude too (else the die as rolled does).
    pub changed_die_sets_attitude: bool,
    /// SA-6.2 as some players read it: the defence die of any stressed ship becomes focus, whatever the entry selects.
    pub any_stress_makes_focus: bool,
    /// SA-8 Offensive 2: a special weapon without charges still asks for its lock.
    pub lock_for_empty_weapons: bool,
    /// SA-12: which moves that a card offers are used.
    pub card_moves: CardMoves,
    /// SA-12: what harms and gains are worth where one of several has to be chosen.
    pub card_losses: Losses,
    /// PE-A: Political Escort.
    #[serde(skip_serializing_if = "is_usual")]
    pub escort: EscortPlay,
    /// PE-A5: a ship that the acting one locks and attacks before others; the scenario says so from ship to ship.
    #[serde(skip)]
    pub prefers: Option<ObjectId>,
    /// SA-4: the approach charts.
    #[serde(skip, default = "Charts::embedded")]
    pub charts: Charts,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rules_version: RulesVersion::default(),
            first_player: FirstPlayer::default(),
            guides_overlap: false,
            speed_before_direction: true,
            changed_die_sets_attitude: true,
            any_stress_makes_focus: false,
            lock_for_empty_weapons: true,
            card_moves: CardMoves::default(),
            card_losses: Losses::default(),
            escort: EscortPlay::default(),
            prefers: None,
            charts: Charts::embedded(),
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_usual(escort: &EscortPlay) -> bool {
    *escort == EscortPlay::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_the_rules_pages_defaults_and_refuse_unknown_names() {
        let read: Options = serde_json::from_str("{}").unwrap();
        assert_eq!(read, Options::default());
        let changed: Options = serde_json::from_str(r#"{"guidesOverlap": true, "firstPlayer": "solo"}"#).unwrap();
        assert!(changed.guides_overlap && changed.first_player == FirstPlayer::Solo);
        assert!(serde_json::from_str::<Options>(r#"{"guides": true}"#).is_err());
    }
}
