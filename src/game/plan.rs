//! What carries an action out: steps for what tables do, words for what is left to the players.

use super::{
    called,
    opponent::ActionPlan,
    step::{Movement, Step, Token},
};
use crate::{
    geometry::Pose,
    xwing::{
        ObjectId,
        action::{ActionDetail, ActionKind, FullArc},
        edition::Reload,
        maneuver::{Bearing, Difficulty, Maneuver, Side},
        reposition::BoostTemplate,
        ship::Ship,
        size::Size,
        table::Table,
        template::Path,
    },
};

impl ActionPlan {
    /// The plan of an action in that colour and way, by which the ship comes from one pose to the other.
    pub(super) fn of(
        table: &Table,
        actor: &Ship,
        (kind, difficulty, detail): (ActionKind, Difficulty, &ActionDetail),
        from: Pose,
        to: Pose,
    ) -> ActionPlan {
        let mut steps = steps(actor, kind, detail, from, to);
        pay(&actor.id, difficulty, &mut steps);
        ActionPlan {
            performer: actor.id.clone(),
            kind,
            difficulty,
            detail: detail.clone(),
            steps,
            instruction: instruction(table, actor, kind, detail),
        }
    }
}

fn steps(actor: &Ship, kind: ActionKind, detail: &ActionDetail, from: Pose, to: Pose) -> Vec<Step> {
    let ship = actor.id.clone();
    let gain = |token: Token| Step::Token {
        ship: ship.clone(),
        token,
        count: 1,
    };
    let travel = |movement: Movement| Step::Move {
        ship: ship.clone(),
        movement,
        from,
        to,
    };
    match detail {
        ActionDetail::Token => Token::of_action(kind).map(gain).into_iter().collect(),
        ActionDetail::BarrelRoll { side, slide_mm } => vec![travel(Movement::BarrelRoll {
            side: *side,
            slide_mm: *slide_mm,
        })],
        ActionDetail::Boost(template) => {
            // A turn is moved as the maneuver of that template.
            let turn = |side| Movement::Maneuver {
                maneuver: Maneuver {
                    speed: 1,
                    bearing: Bearing::Turn(side),
                    difficulty: Difficulty::White,
                },
                slide_mm: 0.0,
            };
            vec![travel(match template {
                BoostTemplate::Left => Movement::Boost { bank: Some(Side::Left) },
                BoostTemplate::Straight => Movement::Boost { bank: None },
                BoostTemplate::Right => Movement::Boost {
                    bank: Some(Side::Right),
                },
                BoostTemplate::TurnLeft => turn(Side::Left),
                BoostTemplate::TurnRight => turn(Side::Right),
            })]
        }
        ActionDetail::Slam { maneuver, .. } => {
            let mut steps = vec![travel(Movement::Maneuver {
                maneuver: *maneuver,
                slide_mm: tallon_slide(actor.size, *maneuver, from, to),
            })];
            match maneuver.difficulty {
                Difficulty::Blue if actor.tokens.stress > 0 => steps.push(Step::Token {
                    ship: ship.clone(),
                    token: Token::Stress,
                    count: -1,
                }),
                Difficulty::Blue | Difficulty::White => {}
                difficulty => pay(&ship, difficulty, &mut steps),
            }
            steps.push(gain(Token::Disarm));
            steps
        }
        ActionDetail::RotateArc(arcs) => vec![Step::Turret {
            ship: ship.clone(),
            arcs: arcs.clone(),
        }],
        // A ship maintains one lock: the old one goes first.
        ActionDetail::Lock(target) => {
            let lock = |target: &ObjectId, remove: bool| Step::Lock {
                ship: ship.clone(),
                target: target.clone(),
                remove,
            };
            let mut steps: Vec<Step> = actor
                .locks
                .iter()
                .filter(|old| *old != target)
                .map(|old| lock(old, true))
                .collect();
            steps.push(lock(target, false));
            steps
        }
        ActionDetail::Jam(target) => vec![Step::Token {
            ship: target.clone(),
            token: Token::Jam,
            count: 1,
        }],
        ActionDetail::Reinforce(FullArc::Fore) => vec![gain(Token::ReinforceFore)],
        ActionDetail::Reinforce(FullArc::Aft) => vec![gain(Token::ReinforceAft)],
        ActionDetail::Coordinate(_) => Vec::new(),
        ActionDetail::Reload(_) => vec![gain(Token::Disarm)],
    }
}

/// Which end of a Tallon roll a pose is, mm along the old heading: +10, 0 or -10; 0 for everything else.
fn tallon_slide(size: Size, maneuver: Maneuver, from: Pose, to: Pose) -> f64 {
    let (Bearing::TallonRoll(_), Some(path)) = (maneuver.bearing, Path::of(size, maneuver)) else {
        return 0.0;
    };
    match from.to_local(to.position).y - path.end().position.y {
        ahead if (5.0..15.0).contains(&ahead) => 10.0,
        behind if (-15.0..-5.0).contains(&behind) => -10.0,
        _ => 0.0,
    }
}

/// A red action costs a stress token, a purple one a Force charge.
fn pay(ship: &ObjectId, difficulty: Difficulty, steps: &mut Vec<Step>) {
    let (token, count) = match difficulty {
        Difficulty::Red => (Token::Stress, 1),
        Difficulty::Purple => (Token::Force, -1),
        Difficulty::White | Difficulty::Blue => return,
    };
    steps.push(Step::Token {
        ship: ship.clone(),
        token,
        count,
    });
}

/// What no step can do.
fn instruction(table: &Table, actor: &Ship, kind: ActionKind, detail: &ActionDetail) -> Option<String> {
    match detail {
        ActionDetail::Token if kind == ActionKind::Reload => Some(format!(
            "Please turn the discarded torpedo and missile cards of {} face up.",
            called(actor)
        )),
        // FE-6.8
        ActionDetail::Token if kind == ActionKind::Recover => Some(format!(
            "Please take all energy tokens of {} off, and give it a shield for each, up to its maximum.",
            called(actor)
        )),
        ActionDetail::Coordinate(friend) => {
            let friend = table.ship(friend).map_or(&**friend, called);
            Some(format!("{} coordinates {friend}.", called(actor)))
        }
        ActionDetail::Reload(upgrade) => Some(match table.rules.reload {
            Reload::OneCharge => format!("Please give 1 charge back to {upgrade} of {}.", called(actor)),
            Reload::AllCards => format!("Please turn {upgrade} of {} face up.", called(actor)),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xwing::template::Path;

    #[test]
    fn the_end_of_a_tallon_roll_is_told_from_its_pose() {
        let maneuver: Maneuver = "3RR".parse().expect("a dial code");
        let from = Pose::new(300.0, 300.0, 40.0);
        let end = Path::of(Size::Small, maneuver).expect("it moves").end();
        for slide in [10.0, 0.0, -10.0] {
            let to = from.compose(Pose::new(end.position.x, end.position.y + slide, 180.0));
            assert_eq!(tallon_slide(Size::Small, maneuver, from, to), slide);
        }
        let straight: Maneuver = "3FB".parse().expect("a dial code");
        assert_eq!(
            tallon_slide(Size::Small, straight, from, from.compose(Pose::new(0.0, 10.0, 0.0))),
            0.0
        );
    }
}
