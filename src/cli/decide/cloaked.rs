//! Cloaked ships of a position: where the rules have them decloak at the start of the Activation Phase, they do so before any
//! of them is decided for (FE-6.3, FE-SOLO-12).

use std::collections::BTreeMap;

use super::{Args, ROUND};
use crate::{
    bridge::position::{Answer, Position},
    dice::SeededDice,
    solo_alpha::{
        Activation, Options,
        decloak::{self, DecloakDecision},
        sentence::called,
    },
    xwing::{ObjectId, edition::WhenDecloaking, reposition::Decloak},
};

/// What became of each cloaked ship that was decided for.
#[derive(Debug, Default)]
pub(super) struct Decloaked(BTreeMap<ObjectId, DecloakDecision>);

impl Decloaked {
    /// Decloaks those of the ships, in the order of their activation, that are cloaked, on the table of the position.
    pub(super) fn at_the_start(
        position: &mut Position,
        ships: &[ObjectId],
        arguments: &Args,
        options: &Options,
    ) -> Self {
        let mut all = Decloaked::default();
        match position.table.rules.decloaking {
            WhenDecloaking::SystemPhase => return all,
            WhenDecloaking::StartOfActivation => {}
        }
        for id in ships {
            let cloaked = |place: &usize| position.table.ships[*place].tokens.cloak > 0;
            let Some(place) = position.table.index(id).filter(cloaked) else {
                continue;
            };
            let mut dice = SeededDice::for_activation(arguments.seed, ROUND, &format!("{id} decloaks"));
            // Whatever keeps it from deciding keeps it from its activation too, and is told there.
            let Ok(decision) = decloak::decide(&position.table, id, options, &mut dice) else {
                continue;
            };
            if let Some(way) = decision.way {
                let end = decloak::end(&position.table, &position.table.ships[place], way, options);
                let ship = &mut position.table.ships[place];
                ship.pose = end;
                ship.bumped.clear();
                ship.tokens.cloak -= 1;
            }
            all.0.insert(id.clone(), decision);
        }
        all
    }

    /// Tells it at the head of the activation.
    pub(super) fn tell(&self, position: &Position, activation: &mut Activation) {
        let Some(decision) = self.0.get(&activation.ship) else {
            return;
        };
        let name = position.table.ship(&activation.ship).map_or(&*activation.ship, called);
        let told = match decision.way {
            Some(Decloak::Forward) => format!("{name} decloaks forward. "),
            Some(Decloak::Sideways { side, .. }) => format!("{name} decloaks to the {}. ", side.name()),
            None => format!("{name} stays cloaked: every way is blocked. "),
        };
        activation.sentence.insert_str(0, &told);
        activation.reasons.splice(0..0, decision.reasons.iter().cloned());
    }

    /// Writes it into the answer.
    pub(super) fn answer(&self, answer: &mut Answer) {
        let decision = self.0.get(answer.ship.as_str());
        answer.decloak = decision.map(|decision| match decision.way {
            Some(Decloak::Forward) => "forward".to_owned(),
            Some(Decloak::Sideways { side, slide_mm: 0.0 }) => format!("{}:0", side.name()),
            Some(Decloak::Sideways { side, slide_mm }) => {
                format!("{}:{:+}", side.name(), (slide_mm * 1000.0).round() / 1000.0)
            }
            None => "none".to_owned(),
        });
    }
}
