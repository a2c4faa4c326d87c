//! Who is first at the same initiative or pilot skill: what the opponent's option says, or where squads decide it (FE-2.1,
//! FE-SOLO-2) what the players tell, for no table shows what a squad costs.

use super::{Ask, Pick, choices::Question};
use crate::{
    dice::{AttackFace, DiceSource as _, SeededDice},
    game::{Game, event::Topic, opponent::Opponent},
    xwing::{
        battle::Phase,
        edition::{FirstInitiative, solo::SoloInitiative},
    },
};

/// The answer that the players have initiative.
pub const PLAYERS: &str = "The players";
/// The answer that the solo ships have it.
pub const SOLO_SHIPS: &str = "The solo ships";
/// The answer that it is the solo side's to choose.
pub const SOLO_SIDE_CHOOSES: &str = "The solo side chooses";

/// What the players tell about initiative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::game) enum Told {
    /// The solo ships have it, or the players.
    Solo(bool),
    /// The solo side has the lower total, or won the roll: it rolls whether it takes initiative (FE-SOLO-2).
    SoloChooses,
}

impl<O: Opponent> Game<O> {
    /// Whether solo ships come before the players' at the same initiative or skill.
    pub(super) fn solo_goes_first(&self) -> bool {
        let told = self.whole.as_ref().and_then(|whole| whole.solo_first);
        told.unwrap_or_else(|| self.opponent.goes_first())
    }

    /// Before the first round's dials are revealed the players are asked who has initiative, where the squads' totals decide
    /// it. Whether they are.
    pub(super) fn asks_for_initiative(&mut self) -> bool {
        // SA-13: in a scenario the player is first.
        let led = self.mission.is_some() || self.escort.is_some();
        let Some(whole) = self.whole.as_ref().filter(|_| !led) else {
            return false;
        };
        let rules = whole.battle.table().rules;
        let open = whole.solo_first.is_none() && self.round <= 1 && whole.battle.phase() == Phase::Planning;
        match rules.solo.initiative {
            SoloInitiative::Points if open => {}
            SoloInitiative::Points | SoloInitiative::Player => return false,
        }
        let mut picks = vec![
            (PLAYERS.to_owned(), Pick::Initiative(Told::Solo(false))),
            (SOLO_SHIPS.to_owned(), Pick::Initiative(Told::Solo(true))),
        ];
        let text = match rules.first_initiative {
            FirstInitiative::LowerTotalChooses => {
                picks.push((SOLO_SIDE_CHOOSES.to_owned(), Pick::Initiative(Told::SoloChooses)));
                "The squad with the lower total chooses who has initiative for the whole game; equal totals roll an attack die, \
                 and hit or crit chooses (FE-2.1). Who has it?"
            }
            FirstInitiative::LowerTotal => {
                "The squad with the lower total has initiative for the whole game; of equal ones the Imperial one (FE-14.1). Who \
                 has it?"
            }
        };
        // **choice** Who does not answer has it: a person at the table is the first player (FE-SOLO-2).
        let question = Question {
            text: text.to_owned(),
            picks,
            default: PLAYERS.to_owned(),
            topic: Topic::SetUp,
        };
        self.put_choice(&"".into(), question);
        self.ask != Ask::Nothing
    }

    /// The players have told who has initiative.
    pub(super) fn initiative_told(&mut self, told: Told) {
        let solo = match told {
            Told::Solo(solo) => solo,
            Told::SoloChooses => {
                let face = SeededDice::for_activation(self.config.seed, 0, "initiative").attack();
                // FE-SOLO-2: no text gives it a taste.
                let takes = matches!(face, AttackFace::Hit | AttackFace::Crit);
                let does = if takes {
                    "takes initiative"
                } else {
                    "leaves initiative to the players"
                };
                self.note(&format!(
                    "The solo side rolled {} and {does} (FE-2.1, FE-SOLO-2).",
                    face.word()
                ));
                takes
            }
        };
        if let Some(whole) = &mut self.whole {
            whole.solo_first = Some(solo);
        }
        self.follow_table();
    }
}
