//! Shooters (SWM-S1 to S7): cover from low objects, distance, a field of fire.

use std::cmp::Reverse;

use super::{Mind, Step, Turn, compared};
use crate::swm::{
    ability::Effect,
    movement::{Manner, Ways},
    square::Square,
    targets::{self, Sighted, Stance},
};

/// Standing still, moving on afterwards, and having moved.
pub(super) const STAYS: Stance = Stance {
    moved: false,
    stays: true,
    charged: false,
};
pub(super) const BEFORE: Stance = Stance {
    moved: false,
    stays: false,
    charged: false,
};
pub(super) const MOVED: Stance = Stance {
    moved: true,
    stays: false,
    charged: false,
};

/// SWM-S2: how good a square is to stand and shoot from; the lower, the better.
type Rank = (Reverse<(u16, u16)>, u16, Reverse<u16>, (i16, i16));

/// A square to stand on.
pub(super) struct Spot {
    pub at: Square,
    pub cost: u16,
    pub legal: u16,
    visible: u16,
    away: u16,
}

fn any_legal(seen: &[Sighted<'_>]) -> bool {
    seen.iter().any(|enemy| enemy.legal)
}

impl<'b> Mind<'b, '_> {
    pub(super) fn spot(&self, at: Square, cost: u16) -> Spot {
        let space = self.space_at(at);
        let index = self.board.map().index(at);
        let mut fields = self.fields.borrow_mut();
        if fields.is_empty() {
            fields.resize(self.board.survey().width() * self.board.survey().height(), None);
        }
        let (legal, visible) = *fields[index].get_or_insert_with(|| {
            let (legal, visible) = targets::field(self.board, &self.distances, space, self.options);
            (legal as u16, visible as u16)
        });
        Spot {
            at,
            cost,
            legal,
            visible,
            away: self.nearest_range(at),
        }
    }

    /// With `fof_first` the field of fire comes before the cost, else behind it.
    fn rank(&self, spot: &Spot) -> (u16, Rank) {
        let field = Reverse((spot.legal, spot.visible));
        let first = if self.options.fof_first { 0 } else { spot.cost };
        (first, (field, spot.cost, Reverse(spot.away), self.compass(spot.at)))
    }

    /// The best of some spots by SWM-S2.
    pub(super) fn best_spot(&self, spots: Vec<Spot>) -> Option<(Spot, Vec<crate::decision::Compared>)> {
        let mut spots = spots;
        spots.sort_by_cached_key(|spot| self.rank(spot));
        let listed = self.list((spots.iter().enumerate()).map(|(index, spot)| {
            let verdict = if index == 0 { "chosen, " } else { "" };
            let text = format!(
                "{verdict}{} legal, {} seen, cost {}",
                spot.legal, spot.visible, spot.cost
            );
            compared(spot.at.to_string(), spot.cost, "movement", text)
        }));
        let best = spots.into_iter().next()?;
        Some((best, listed))
    }

    /// SWM-S2: the best low-object square with a legal target within a budget.
    fn low_spot(&self, ways: &Ways<'_>, budget: u16) -> Option<(Spot, Vec<crate::decision::Compared>)> {
        let spots = ways
            .ends(budget)
            .filter(|(at, _)| self.is_low(*at))
            .map(|(at, cost)| self.spot(at, cost));
        self.best_spot(spots.filter(|spot| spot.legal > 0).collect())
    }

    /// The best square of any kind with a legal target within a budget.
    fn plain_spot(&self, ways: &Ways<'_>, budget: u16) -> Option<(Spot, Vec<crate::decision::Compared>)> {
        let spots = ways.ends(budget).map(|(at, cost)| self.spot(at, cost));
        self.best_spot(spots.filter(|spot| spot.legal > 0).collect())
    }

    pub(super) fn ways(&self, from: Square, budget: u16) -> Ways<'b> {
        Ways::from(self.board, self.figure, from, Manner::of(self.figure), budget)
    }

    /// SWM-S3: where it goes after an attack, with this much movement left. With Mobile Attack out of sight first (SWM-S4).
    pub(super) fn withdraw(&mut self, from: Square, budget: u16) -> Option<Vec<Square>> {
        if self.has(&Effect::MobileAttack)
            && let Some(way) = self.out_of_sight(from, budget)
        {
            return Some(way);
        }
        self.retreat(from, budget)
    }

    /// SWM-S3: the best low-object square with a target, else the square farthest from the nearest enemy that still has one.
    pub(super) fn retreat(&mut self, from: Square, budget: u16) -> Option<Vec<Square>> {
        let ways = self.ways(from, budget);
        if let Some((spot, listed)) = self.low_spot(&ways, budget) {
            self.reason("SWM-S2", format!("moves to the low objects of {}", spot.at), listed);
            return Some(ways.way(spot.at));
        }
        let spots = ways
            .ends(budget)
            .map(|(at, cost)| self.spot(at, cost))
            .filter(|spot| spot.legal > 0);
        let mut spots: Vec<Spot> = spots.collect();
        spots.sort_by_key(|spot| (Reverse(spot.away), spot.cost, self.compass(spot.at)));
        let best = spots.first()?;
        let listed = (spots.iter().enumerate()).map(|(index, spot)| {
            let verdict = if index == 0 {
                "chosen"
            } else {
                "nearer, or a longer way"
            };
            compared(
                spot.at.to_string(),
                spot.away,
                "squares from the nearest enemy",
                verdict,
            )
        });
        let (at, way) = (best.at, ways.way(best.at));
        let text = match way.is_empty() {
            true => "stays: no square within its move is farther from the nearest enemy and has a target".to_owned(),
            false => format!("no low objects with a target within its move: keeps away at {at}"),
        };
        self.reason("SWM-S3", text, listed);
        Some(way)
    }

    /// Whether something makes it stay where it has a target (SWM-S5), by name.
    fn pinned(&self) -> Option<String> {
        let pins = |effect: &Effect| match effect {
            Effect::AttackOrMove | Effect::MovesOnlyWithoutTarget => true,
            Effect::ExtraAttacks { .. } => !self.has(&Effect::ExtraAttacksDespiteMoving),
            Effect::Bonus { when, .. } => {
                use crate::swm::ability::Condition::{NotMoved, TargetAdjacent};
                when.contains(&NotMoved) && !when.contains(&TargetAdjacent)
            }
            _ => false,
        };
        let abilities = self.figure.card.abilities.iter();
        abilities
            .filter(|ability| ability.effects.iter().any(pins))
            .map(ToString::to_string)
            .next()
    }
}

/// A turn of one step or none.
fn stand(mind: Mind<'_, '_>, rule: &'static str, step: Option<Step>) -> Turn {
    mind.turn(rule, step.into_iter().collect())
}

/// The turn of a shooter.
pub(super) fn decide(mut mind: Mind<'_, '_>) -> Turn {
    let at = mind.figure.at;
    let speed = mind.speed();
    let seen = mind.sighted(at);
    // Who ignores enemies provokes nothing and is not held.
    let held = mind.is_held() && !Manner::of(mind.figure).ignores_enemies;
    let content = mind.is_low(at) && !mind.options.scoot_from_cover;
    if let Some(area) = mind.area(at, &seen, false) {
        // What rewards that it does not move rewards attacks, which this replaces.
        let barred = mind.has(&Effect::AttackOrMove) || mind.has(&Effect::MovesOnlyWithoutTarget);
        let stays = held || content || barred || mind.is_whole_turn(&area);
        let mut steps = vec![area];
        let way = if stays { None } else { mind.withdraw(at, speed) };
        push_move(&mut steps, way);
        return mind.turn("SWM-G1", steps);
    }
    if !mind.figure.card.can_attack() {
        return keep_away(mind);
    }
    if held {
        let text = "an enemy is adjacent: any step would provoke, so it stays and attacks";
        mind.reason("SWM-S6", text, super::listed(&seen));
        let step = mind.target(at, &seen).map(|target| mind.attack(target, STAYS));
        return stand(mind, "SWM-S6", step);
    }
    if any_legal(&seen)
        && let Some(ability) = mind.pinned()
    {
        let text = format!("stays and attacks: {ability} overrules moving");
        mind.reason("SWM-S5", text, super::listed(&seen));
        let step = mind.target(at, &seen).map(|target| mind.attack(target, STAYS));
        return stand(mind, "SWM-S5", step);
    }
    if let Some((way, area)) = mind.area_move() {
        let mut steps = Vec::new();
        push_move(&mut steps, Some(way));
        steps.push(area);
        return mind.turn("SWM-G4", steps);
    }
    if mind.has(&Effect::MobileAttack) && speed > 0 {
        match super::mobile::decide(mind) {
            Ok(turn) => return turn,
            Err(back) => mind = *back,
        }
    }
    if any_legal(&seen) {
        if content || speed == 0 {
            let text = match speed {
                0 => "cannot move: attacks from where it is",
                _ => "stands in low objects and has a target: does not move",
            };
            mind.reason("SWM-S1", text, super::listed(&seen));
            let step = mind.target(at, &seen).map(|target| mind.attack(target, STAYS));
            return stand(mind, "SWM-S1", step);
        }
        let text = "has a target now: attacks before it moves";
        mind.reason("SWM-S3", text, super::listed(&seen));
        let target = mind.target(at, &seen);
        let mut steps: Vec<Step> = target.map(|target| mind.attack(target, BEFORE)).into_iter().collect();
        let way = mind.withdraw(at, speed);
        push_move(&mut steps, way);
        // Where nothing makes it move after all, what rewards that it stays counts.
        if let [Step::Attack { attacks, .. }] = &mut steps[..] {
            *attacks = mind.attacks(STAYS);
        }
        return mind.turn("SWM-S3", steps);
    }
    move_and_shoot(mind, speed)
}

/// SWM-S2 and S7: no target from here: moves to where it has one, else with a double move to where it will.
fn move_and_shoot(mut mind: Mind<'_, '_>, speed: u16) -> Turn {
    let far = mind.far();
    let ways = mind.ways(mind.figure.at, far);
    let within = mind.low_spot(&ways, speed).or_else(|| mind.plain_spot(&ways, speed));
    if let Some((spot, listed)) = within {
        let what = if mind.is_low(spot.at) {
            "the low objects of "
        } else {
            ""
        };
        let text = format!("no target from here: moves to {what}{}", spot.at);
        mind.reason("SWM-S2", text, listed);
        let mut steps = Vec::new();
        push_move(&mut steps, Some(ways.way(spot.at)));
        // A heavy weapon attacks from there on its next turn.
        if !mind.has(&Effect::AttackOrMove) {
            let shot = shoot_from(&mut mind, spot.at, MOVED);
            steps.extend(shot);
        }
        return mind.turn("SWM-S2", steps);
    }
    let later = mind.low_spot(&ways, far).or_else(|| mind.plain_spot(&ways, far));
    let mut steps = Vec::new();
    if let Some((spot, listed)) = later {
        // Charging Fire attacks after a double move.
        let charges = (mind.figure.card)
            .has(|effect| matches!(effect, Effect::AttackAfterDoubleMove { melee: false, .. }))
            && spot.cost <= 2 * speed;
        let what = if charges {
            "from where it attacks"
        } else {
            "from where it will have one"
        };
        let text = format!("no target within {speed}: double move to {}, {what}", spot.at);
        mind.reason("SWM-S7", text, listed);
        push_move(&mut steps, Some(ways.way(spot.at)));
        if charges {
            let seen = mind.sighted(spot.at);
            let stance = Stance { charged: true, ..MOVED };
            let target = mind.target(spot.at, &seen);
            steps.extend(target.map(|target| mind.attack(target, stance)));
        }
        return mind.turn("SWM-S7", steps);
    }
    let way = closer(&mut mind, &ways, far);
    push_move(&mut steps, way);
    mind.turn("SWM-S7", steps)
}

/// The area attack or the attack that it makes from a square that it has moved to (SWM-G4).
pub(super) fn shoot_from(mind: &mut Mind<'_, '_>, at: Square, stance: Stance) -> Option<Step> {
    let seen = mind.sighted(at);
    if let Some(area) = mind.area(at, &seen, stance.moved) {
        return Some(area);
    }
    let target = mind.target(at, &seen)?;
    Some(mind.attack(target, stance))
}

/// SWM-S7, its end: the low-object square that most reduces the way to the nearest enemy, else the most reducing square.
fn closer(mind: &mut Mind<'_, '_>, ways: &Ways<'_>, budget: u16) -> Option<Vec<Square>> {
    let enemies: Vec<_> = mind.board.enemies(mind.figure).collect();
    let beside: Vec<Square> = mind
        .board
        .map()
        .squares()
        .filter(|&at| {
            let space = mind.space_at(at);
            mind.board.map().contains_space(space)
                && !mind.board.is_taken(space, mind.figure)
                && enemies
                    .iter()
                    .any(|enemy| mind.board.are_adjacent(space, enemy.space()))
        })
        .collect();
    let to = Ways::to(mind.board, mind.figure, &beside, Manner::of(mind.figure).reckless());
    let now = to.cost(mind.figure.at).unwrap_or(u16::MAX);
    let mut spots: Vec<(bool, u16, u16, Square)> = (ways.ends(budget))
        .filter_map(|(at, cost)| Some((!mind.is_low(at), to.cost(at)?, cost, at)))
        .filter(|(_, left, ..)| *left < now)
        .collect();
    spots.sort_by_key(|&(plain, left, cost, at)| (plain, left, cost, mind.compass(at)));
    let verdict = |plain: bool| if plain { "" } else { "low objects" };
    let listed = spots
        .iter()
        .map(|(plain, left, _, at)| compared(at.to_string(), *left, "movement left", verdict(*plain)));
    match spots.first() {
        Some(&(_, left, _, at)) => {
            mind.reason(
                "SWM-S7",
                format!("no square with a target in reach: {at} leaves {left} to the nearest enemy"),
                listed,
            );
            Some(ways.way(at))
        }
        None => {
            mind.reason("SWM-S7", "no square brings it nearer to an enemy: it stays", Vec::new());
            None
        }
    }
}

/// A figure without attacks only keeps away: out of sight if it can, then as far as it can.
fn keep_away(mut mind: Mind<'_, '_>) -> Turn {
    let speed = mind.speed();
    let ways = mind.ways(mind.figure.at, speed);
    let enemies: Vec<_> = mind.board.enemies(mind.figure).collect();
    let mut spots: Vec<_> = (ways.ends(speed))
        .map(|(at, cost)| {
            let seen = enemies
                .iter()
                .any(|enemy| mind.board.sees(mind.space_at(at), enemy.space()));
            (
                seen,
                Reverse(mind.nearest_range(at)),
                !mind.is_low(at),
                cost,
                mind.compass(at),
                at,
            )
        })
        .collect();
    spots.sort();
    let listed = (spots.iter()).map(|(seen, away, _, _, _, at)| {
        let verdict = if *seen { "seen" } else { "out of sight" };
        compared(at.to_string(), away.0, "squares from the nearest enemy", verdict)
    });
    let way = spots.first().map(|&(.., at)| ways.way(at));
    mind.reason("SWM-S3", "has no attack: keeps away from the enemies", listed);
    let mut steps = Vec::new();
    push_move(&mut steps, way);
    mind.turn("SWM-S3", steps)
}

/// A way of no squares is no move.
pub(super) fn push_move(steps: &mut Vec<Step>, way: Option<Vec<Square>>) {
    if let Some(way) = way.filter(|way| !way.is_empty()) {
        steps.push(Step::Move { way, force: false });
    }
}
