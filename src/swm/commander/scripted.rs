//! A player who is played for: goes where its next attack is worth most, attacks what that brings down or hurts most, and
//! steps back into cover.

use super::Commander;
use crate::{
    dice::D20Source,
    swm::{
        board::Board,
        figure::{Figure, Side},
        map::Terrain,
        movement::{Manner, Ways},
        options::Options,
        skirmish::{Answer, Request, Skirmish},
        square::Square,
        targets::{self, Distances, Stance},
    },
};

/// The scripted player.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scripted;

/// What an attack is worth: expected damage, and more when it may bring the target down.
fn worth(attacker: &Figure, target: &Figure, adjacent: bool, covered: bool, stance: Stance) -> f64 {
    let (bonus, damage) = targets::strength(attacker, target, adjacent, stance);
    let needs = targets::defense(attacker, target, adjacent, covered) - bonus;
    let chance = f64::from((21 - needs).clamp(1, 19)) / 20.0;
    let damage = f64::from(damage.min(target.hit_points));
    let kill = if damage >= f64::from(target.hit_points) {
        1.5
    } else {
        1.0
    };
    chance * damage * kill
}

/// The best target from a square, and what attacking it is worth.
fn best(board: &Board, figure: &Figure, at: Square, options: &Options, moved: bool) -> Option<(String, f64)> {
    let stance = Stance {
        moved,
        stays: !moved,
        charged: false,
    };
    let seen = targets::sighted(board, figure, figure.space_at(at), options);
    let legal = seen.iter().filter(|enemy| enemy.legal);
    legal
        .map(|enemy| {
            let covered = !enemy.cover.is_empty();
            (
                enemy.figure.id.clone(),
                worth(figure, enemy.figure, enemy.adjacent, covered, stance),
            )
        })
        .max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| b.0.cmp(&a.0)))
}

impl Scripted {
    fn act(self, skirmish: &Skirmish, id: &str) -> Answer {
        let (board, options) = (skirmish.board(), skirmish.options());
        let Some(figure) = board.figure(id) else {
            return Answer::Done;
        };
        let may_move = skirmish.may_still_move();
        let moved = skirmish.has_moved();
        if skirmish.attacks_left() > 0
            && figure.card.can_attack()
            && let Some((target, _)) = best(board, figure, figure.at, options, moved)
        {
            return Answer::Attack { target, stays: false };
        }
        if moved || may_move == 0 {
            return Answer::Done;
        }
        let speed = figure.card.speed.min(may_move);
        let ways = Ways::from(board, figure, figure.at, Manner::of(figure), may_move);
        let attacked = skirmish.has_attacked();
        let end = if attacked || !figure.card.can_attack() {
            // Back into low objects, if there are some and nobody holds it.
            let low = ways
                .ends(speed)
                .filter(|(at, _)| board.map().is_on(figure.space_at(*at), Terrain::LowObjects));
            low.filter(|(at, _)| *at != figure.at)
                .min_by_key(|&(at, cost)| (cost, at))
                .map(|(at, _)| at)
        } else {
            let fights = ways
                .ends(speed)
                .filter_map(|(at, cost)| best(board, figure, at, options, true).map(|(_, worth)| (at, cost, worth)));
            let fights = fights.max_by(|a, b| a.2.total_cmp(&b.2).then_with(|| (b.1, b.0).cmp(&(a.1, a.0))));
            fights
                .map(|(at, ..)| at)
                .or_else(|| nearer(board, figure, &ways, may_move))
        };
        match end.map(|end| ways.way(end)).filter(|way| !way.is_empty()) {
            Some(way) => Answer::Move { way, force: false },
            None => Answer::Done,
        }
    }
}

/// The square that brings it nearest to an enemy.
fn nearer(board: &Board, figure: &Figure, ways: &Ways<'_>, budget: u16) -> Option<Square> {
    let distances = Distances::new(board, figure);
    let away = |at: Square| distances.nearest(figure.space_at(at));
    let best = ways.ends(budget).min_by_key(|&(at, cost)| (away(at), cost, at))?;
    (away(best.0) < away(figure.at)).then_some(best.0)
}

impl Commander for Scripted {
    fn answer(&mut self, skirmish: &Skirmish, request: &Request, _: &mut dyn D20Source) -> Answer {
        match request {
            Request::First { side } => Answer::First(*side),
            Request::Activate { side } => {
                // Who can attack now goes first, the weakest before the others.
                let board = skirmish.board();
                let waiting = board.side(*side).filter(|figure| !figure.activated);
                let next = waiting.min_by_key(|figure| {
                    let idle = best(board, figure, figure.at, skirmish.options(), false).is_none();
                    (idle, figure.hit_points, figure.id.clone())
                });
                Answer::Activate(next.map(|figure| figure.id.clone()).unwrap_or_default())
            }
            Request::Act { figure } => self.act(skirmish, figure),
            Request::Opportunity { .. } => Answer::Yes(true),
            Request::Reroll { .. } => Answer::Yes(true),
            Request::Defend { powers, .. } => Answer::Power((!powers.is_empty()).then_some(0)),
        }
    }
}

/// The side that it plays in skirmishes against the automated opponents.
pub const SIDE: Side = Side::Player;
