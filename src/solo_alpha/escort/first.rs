//! PE-A1: who has initiative, and who attacks in the first game.

use super::Initiative;
use crate::{
    decision::Reason,
    dice::{AttackFace, DiceSource},
};

/// Who sits at a side's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// Somebody who is asked.
    Human,
    /// The program.
    Automated,
}

/// Somebody who is to decide, by place: 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decides {
    /// The human at that place chooses who has initiative, and its holder who attacks first.
    Human(usize),
    /// It is settled: who has initiative, and who attacks first.
    Settled {
        /// Who has initiative.
        initiative: usize,
        /// Who attacks in the first game.
        attacks_first: usize,
    },
}

/// PE-A1: who decides, or what is decided. `points` are the totals of both squads, the shuttle's upgrades included (PE-2.2);
/// `None` where one is not known.
pub fn first(
    seats: [Seat; 2],
    points: [Option<i32>; 2],
    initiative: Initiative,
    dice: &mut dyn DiceSource,
) -> (Decides, Vec<Reason>) {
    let (chooser, mut reasons) = chooses(seats, points, initiative, dice);
    if seats[chooser] == Seat::Human {
        return (Decides::Human(chooser), reasons);
    }
    let (attacks_first, reason) = attacks_by_roll(chooser, dice);
    reasons.push(reason);
    let settled = Decides::Settled {
        initiative: chooser,
        attacks_first,
    };
    (settled, reasons)
}

/// PE-A1, FE-2.1: the place of who chooses who has initiative, and why. `points` as for [`first`].
pub fn chooses(
    seats: [Seat; 2],
    points: [Option<i32>; 2],
    initiative: Initiative,
    dice: &mut dyn DiceSource,
) -> (usize, Vec<Reason>) {
    let mut reasons = Vec::new();
    let mut say = |text: String| {
        reasons.push(Reason {
            rule: "PE-A1".to_owned(),
            text,
            compared: Vec::new(),
        });
    };
    let human = seats.iter().position(|seat| *seat == Seat::Human);
    if let (Initiative::Human, Some(place)) = (initiative, human) {
        say("the option gives the choice to the human".to_owned());
        return (place, reasons);
    }
    // FE-2.1
    let chooser = match points {
        [Some(a), Some(b)] if a != b => {
            let lower = usize::from(b < a);
            say(format!("{a} points against {b}: the lower total chooses (FE-2.1)"));
            lower
        }
        totals => {
            let known = totals.iter().all(Option::is_some);
            let cause = if known {
                "the totals are equal"
            } else {
                "a total is not known"
            };
            match human {
                Some(place) => {
                    say(format!("{cause}: the human chooses"));
                    place
                }
                None => {
                    let face = dice.attack();
                    let place = usize::from(!succeeds(face));
                    say(format!(
                        "{cause}: a die shows {}, so player {} chooses (FE-2.1)",
                        face.word(),
                        place + 1
                    ));
                    place
                }
            }
        }
    };
    (chooser, reasons)
}

/// PE-A1: the automated side at that place has initiative and rolls: hit or critical, it attacks first. The place of who
/// does.
pub fn attacks_by_roll(holder: usize, dice: &mut dyn DiceSource) -> (usize, Reason) {
    let face = dice.attack();
    let attacks = succeeds(face);
    let reason = Reason {
        rule: "PE-A1".to_owned(),
        text: format!(
            "the automated side has initiative and rolls {}: it {} first",
            face.word(),
            if attacks { "attacks" } else { "defends" }
        ),
        compared: Vec::new(),
    };
    (if attacks { holder } else { 1 - holder }, reason)
}

const fn succeeds(face: AttackFace) -> bool {
    matches!(face, AttackFace::Hit | AttackFace::Crit)
}
