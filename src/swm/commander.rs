//! Who chooses for a side of a skirmish: the automated opponents, or a player who is played for.

use super::skirmish::{Answer, Refused, Request, Skirmish};
pub use crate::decision::Explanation;
use crate::{
    dice::D20Source,
    swm::{board::Board, figure::Side, options::Options},
};

pub mod automated;
pub mod scripted;

/// Somebody who chooses for a side.
pub trait Commander {
    /// The answer to a request.
    fn answer(&mut self, skirmish: &Skirmish, request: &Request, dice: &mut dyn D20Source) -> Answer;

    /// Why the last answer was given, where there is something to say.
    fn explanation(&mut self) -> Option<Explanation> {
        None
    }
}

/// An answer that is always allowed, for a choice that was refused.
pub fn harmless(skirmish: &Skirmish, request: &Request) -> Answer {
    match request {
        Request::First { side } => Answer::First(*side),
        Request::Activate { side } => {
            let first = skirmish.board().side(*side).find(|figure| !figure.activated);
            Answer::Activate(first.map(|figure| figure.id.clone()).unwrap_or_default())
        }
        Request::Act { .. } => Answer::Done,
        Request::Opportunity { .. } | Request::Reroll { .. } | Request::Riposte { .. } | Request::Intercept { .. } => {
            Answer::Yes(false)
        }
        Request::Defend { .. } => Answer::Power(None),
        Request::ByHand { damage, .. } => Answer::Damage(*damage),
    }
}

/// Whether a figure takes the damage of a hit on a friend: where that saves the friend and costs it nothing but hit points
/// (a choice: the text is silent).
fn intercepts(skirmish: &Skirmish, guard: &str, ally: &str, damage: u16) -> bool {
    let points = |id: &str| skirmish.board().figure(id).map_or(0, |figure| figure.hit_points);
    points(ally) <= damage && points(guard) > damage
}

/// A whole skirmish between two commanders, to its end. Refused choices come with it: there should be none.
pub fn play(
    board: Board,
    options: Options,
    rounds: u32,
    player: &mut dyn Commander,
    automated: &mut dyn Commander,
    dice: &mut dyn D20Source,
) -> (Skirmish, Vec<Refused>) {
    let mut skirmish = Skirmish::new(board, options, Some(rounds), dice);
    let mut refusals = Vec::new();
    while let Some(request) = skirmish.pending().cloned() {
        let commander: &mut dyn Commander = match skirmish.side_of(&request) {
            Side::Player => player,
            Side::Automated => automated,
        };
        let answer = commander.answer(&skirmish, &request, dice);
        if let Err(refused) = skirmish.answer(answer, dice) {
            refusals.push(refused);
            let instead = harmless(&skirmish, &request);
            if skirmish.answer(instead, dice).is_err() {
                break;
            }
        }
    }
    (skirmish, refusals)
}
