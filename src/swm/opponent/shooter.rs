//! Shooters (SWM-S1 to S7): cover from low objects, distance, a field of fire.

use std::cmp::Reverse;

use super::{Mind, Step, Turn, compared, selection::Key};
use crate::swm::{
    ability::Effect,
    movement::{Manner, Ways},
    square::Square,
    targets::{self, Sighted, Stance},
};

/// Standing still, moving on afterwards, and having moved.
const STAYS: Stance = Stance {
    moved: false,
    stays: true,
    charged: false,
};
const BEFORE: Stance = Stance {
    moved: false,
    stays: false,
    charged: false,
};
const MOVED: Stance = Stance {
    moved: true,
    stays: false,
    charged: false,
};

/// SWM-S2: how good a square is to stand and shoot from; the lower, the better.
type Rank = (Reverse<(usize, usize)>, u16, Reverse<u16>, (i16, i16));

/// A square to stand on.
struct Spot {
    at: Square,
    cost: u16,
    legal: usize,
    visible: usize,
    away: u16,
}

fn any_legal(seen: &[Sighted<'_>]) -> bool {
    seen.iter().any(|enemy| enemy.legal)
}

impl<'b> Mind<'b, '_> {
    fn spot(&self, at: Square, cost: u16) -> Spot {
        let space = self.space_at(at);
        let (legal, visible) = targets::field(self.board, &self.distances, self.figure, space, self.options);
        Spot {
            at,
            cost,
            legal,
            visible,
            away: self.nearest_range(at),
        }
    }

    fn rank(&self, spot: &Spot) -> (Rank, Rank) {
        let field = Reverse((spot.legal, spot.visible));
        let compass = self.compass(spot.at);
        // With `fof_first` the field of fire comes before the cost; the second rank is the other way round.
        let first = (field, spot.cost, Reverse(spot.away), compass);
        let nothing = Reverse((0, 0));
        let second = (nothing, spot.cost, Reverse(spot.away), compass);
        (first, second)
    }

    /// The best of some spots by SWM-S2.
    fn best_spot(&self, spots: Vec<Spot>) -> Option<(Spot, Vec<crate::decision::Compared>)> {
        let mut spots = spots;
        spots.sort_by(|a, b| {
            let ((a_field, a_cost), (b_field, b_cost)) = (self.rank(a), self.rank(b));
            match self.options.fof_first {
                true => a_field.cmp(&b_field),
                false => (a_cost.1, a_field.0, a_cost.2, a_cost.3).cmp(&(b_cost.1, b_field.0, b_cost.2, b_cost.3)),
            }
        });
        let listed = (spots.iter().enumerate())
            .map(|(index, spot)| {
                let verdict = if index == 0 { "chosen, " } else { "" };
                let text = format!(
                    "{verdict}{} legal, {} seen, cost {}",
                    spot.legal, spot.visible, spot.cost
                );
                compared(spot.at.to_string(), spot.cost, "movement", text)
            })
            .collect();
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

    fn ways(&self, from: Square, budget: u16) -> Ways<'b> {
        Ways::from(self.board, self.figure, from, Manner::of(self.figure), budget)
    }

    /// SWM-S3: where it goes after an attack, with this much movement left: the best low-object square with a target, else
    /// the square farthest from the nearest enemy that still has one.
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
        let listed = (spots.iter().enumerate())
            .map(|(index, spot)| {
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
            })
            .collect();
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

/// The turn of a shooter.
pub(super) fn decide(mut mind: Mind<'_, '_>) -> Turn {
    let at = mind.figure.at;
    let speed = mind.speed();
    let seen = mind.sighted(at);
    if !mind.figure.card.can_attack() {
        return keep_away(mind);
    }
    let adjacent = mind
        .board
        .enemies(mind.figure)
        .any(|enemy| mind.board.are_adjacent(mind.figure.space(), enemy.space()));
    if let Some(area) = mind.area(at, &seen) {
        let mut steps = vec![area];
        let stays = adjacent || mind.pinned().is_some() || (mind.is_low(at) && !mind.options.scoot_from_cover);
        let way = if stays { None } else { mind.retreat(at, speed) };
        push_move(&mut steps, way);
        return mind.turn("SWM-G1", steps);
    }
    if adjacent {
        let target = mind.target(at, &seen);
        let text = "an enemy is adjacent: any step would provoke, so it stays and attacks";
        mind.reason("SWM-S6", text, Vec::new());
        let steps = target.map(|target| mind.attack(target, STAYS)).into_iter().collect();
        return mind.turn("SWM-S6", steps);
    }
    if any_legal(&seen)
        && let Some(ability) = mind.pinned()
    {
        mind.reason(
            "SWM-S5",
            format!("stays and attacks: {ability} overrules moving"),
            Vec::new(),
        );
        let target = mind.target(at, &seen);
        let steps = target.map(|target| mind.attack(target, STAYS)).into_iter().collect();
        return mind.turn("SWM-S5", steps);
    }
    if mind.has(&Effect::MobileAttack) && speed > 0 {
        match mobile(mind) {
            Ok(turn) => return turn,
            Err(back) => mind = back,
        }
    }
    if any_legal(&seen) {
        if (mind.is_low(at) && !mind.options.scoot_from_cover) || speed == 0 {
            let text = match speed {
                0 => "cannot move: attacks from where it is",
                _ => "stands in low objects and has a target: does not move",
            };
            mind.reason("SWM-S1", text, Vec::new());
            let target = mind.target(at, &seen);
            let steps = target.map(|target| mind.attack(target, STAYS)).into_iter().collect();
            return mind.turn("SWM-S1", steps);
        }
        let target = mind.target(at, &seen);
        mind.reason("SWM-S3", "has a target now: attacks before it moves", Vec::new());
        let mut steps: Vec<Step> = target.map(|target| mind.attack(target, BEFORE)).into_iter().collect();
        let way = mind.retreat(at, speed);
        push_move(&mut steps, way);
        return mind.turn("SWM-S3", steps);
    }
    move_and_shoot(mind, speed)
}

/// SWM-S2 and S7: no target from here: moves to where it has one, else with a double move to where it will.
fn move_and_shoot(mut mind: Mind<'_, '_>, speed: u16) -> Turn {
    let at = mind.figure.at;
    let ways = mind.ways(at, 2 * speed);
    let within = mind.low_spot(&ways, speed).or_else(|| mind.plain_spot(&ways, speed));
    if let Some((spot, listed)) = within {
        let what = if mind.is_low(spot.at) {
            "the low objects of "
        } else {
            ""
        };
        mind.reason(
            "SWM-S2",
            format!("no target from here: moves to {what}{}", spot.at),
            listed,
        );
        let mut steps = Vec::new();
        push_move(&mut steps, Some(ways.way(spot.at)));
        // A heavy weapon attacks from there on its next turn.
        if mind.has(&Effect::AttackOrMove) {
            return mind.turn("SWM-S2", steps);
        }
        let seen = mind.sighted(spot.at);
        match mind.area(spot.at, &seen) {
            Some(area) => steps.push(area),
            None => {
                let target = mind.target(spot.at, &seen);
                steps.extend(target.map(|target| mind.attack(target, MOVED)));
            }
        }
        return mind.turn("SWM-S2", steps);
    }
    let later = mind
        .low_spot(&ways, 2 * speed)
        .or_else(|| mind.plain_spot(&ways, 2 * speed));
    if let Some((spot, listed)) = later {
        let text = format!(
            "no target within {speed}: double move to {}, from where it will have one",
            spot.at
        );
        mind.reason("SWM-S7", text, listed);
        let mut steps = Vec::new();
        push_move(&mut steps, Some(ways.way(spot.at)));
        return mind.turn("SWM-S7", steps);
    }
    let way = closer(&mut mind, &ways, 2 * speed);
    let mut steps = Vec::new();
    push_move(&mut steps, way);
    mind.turn("SWM-S7", steps)
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
    let listed = spots
        .iter()
        .map(|(_, left, _, at)| compared(at.to_string(), *left, "movement left", ""))
        .collect();
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

/// SWM-S4: Mobile Attack: out to shoot, and on to where nobody sees it.
fn mobile<'b, 'd>(mut mind: Mind<'b, 'd>) -> Result<Turn, Mind<'b, 'd>> {
    let at = mind.figure.at;
    let speed = mind.speed();
    let out = mind.ways(at, speed);
    let mut fires: Vec<(Key, Square, u16)> = Vec::new();
    for (square, cost) in out.ends(speed) {
        let seen = mind.sighted(square);
        if let Some(key) = mind.best_key(&seen) {
            fires.push((key, square, cost));
        }
    }
    let Some(best) = fires.iter().map(|(key, ..)| *key).min() else {
        return Err(mind);
    };
    let enemies: Vec<_> = mind.board.enemies(mind.figure).collect();
    let hidden = |mind: &Mind<'_, '_>, end: Square| {
        !enemies
            .iter()
            .any(|enemy| mind.board.sees(mind.space_at(end), enemy.space()))
    };
    let start_away = mind.nearest_range(at);
    let mut pairs = Vec::new();
    for &(_, fire, cost) in fires.iter().filter(|(key, ..)| *key == best) {
        let on = mind.ways(fire, speed - cost);
        for (end, more) in on.ends(speed - cost) {
            if mind.nearest_range(end) >= start_away && hidden(&mind, end) {
                pairs.push((
                    !mind.is_low(end),
                    cost + more,
                    mind.compass(end),
                    mind.compass(fire),
                    fire,
                    end,
                ));
            }
        }
    }
    pairs.sort();
    let listed = pairs.iter().map(|&(.., fire, end)| {
        let cost = pairs
            .iter()
            .find(|pair| (pair.4, pair.5) == (fire, end))
            .map_or(0, |pair| pair.1);
        compared(format!("{fire}, then {end}"), cost, "movement", "")
    });
    let listed: Vec<_> = listed.take(super::LISTED).collect();
    let mut steps = Vec::new();
    let (fire, back) = match pairs.first() {
        Some(&(.., fire, end)) => {
            let text = format!("Mobile Attack: attacks from {fire} and ends at {end}, where no enemy sees it");
            mind.reason("SWM-S4", text, listed);
            let cost = out.cost(fire).unwrap_or(0);
            (fire, Some(mind.ways(fire, speed - cost).way(end)))
        }
        None => {
            let mut best: Vec<_> = fires.iter().filter(|(key, ..)| *key == best).collect();
            best.sort_by_key(|(_, square, cost)| (*cost, mind.compass(*square)));
            let Some(&&(_, fire, _)) = best.first() else {
                return Err(mind);
            };
            let text = format!("Mobile Attack: attacks from {fire}; no square out of sight is in reach then");
            mind.reason("SWM-S4", text, Vec::new());
            (fire, None)
        }
    };
    let cost = out.cost(fire).unwrap_or(0);
    push_move(&mut steps, Some(out.way(fire)));
    let seen = mind.sighted(fire);
    let stance = if fire == at { BEFORE } else { MOVED };
    match mind.area(fire, &seen) {
        Some(area) => steps.push(area),
        None => {
            let target = mind.target(fire, &seen);
            steps.extend(target.map(|target| mind.attack(target, stance)));
        }
    }
    let way = match back {
        Some(way) => Some(way),
        None => mind.retreat(fire, speed - cost),
    };
    push_move(&mut steps, way);
    Ok(mind.turn("SWM-S4", steps))
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
    let way = spots.first().map(|&(.., at)| ways.way(at));
    mind.reason("SWM-S3", "has no attack: keeps away from the enemies", Vec::new());
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
