//! Melee figures (SWM-M1 to M5) and hybrids (H1 to H4): to the nearest enemy, by the shortest way, through cover.

use super::{Mind, Step, Turn, compared, selection, shooter::push_move};
use crate::swm::{
    ability::Effect,
    figure::Figure,
    movement::{Manner, Ways},
    options::Fallback,
    square::Square,
    targets::Stance,
};

/// How much longer than the shortest a way may be for the sake of cover (SWM-M3).
const DETOUR: u16 = 3;

/// How much farther a Force point takes a figure (SWM 1.3).
const FORCE_SQUARES: u16 = 2;

/// A way to a square beside an enemy.
struct Base<'b> {
    enemy: &'b Figure,
    at: Square,
    cost: u16,
}

impl<'b> Mind<'b, '_> {
    /// Free squares from which it is adjacent to an enemy.
    fn beside(&self, enemy: &Figure) -> Vec<Square> {
        let map = self.board.map();
        let free = |&at: &Square| {
            let space = self.space_at(at);
            map.contains_space(space) && self.board.are_adjacent(space, enemy.space())
        };
        let ground = Ways::from(self.board, self.figure, self.figure.at, Manner::of(self.figure), 0);
        map.squares().filter(free).filter(|&at| ground.may_end(at)).collect()
    }

    /// SWM-M2: enemies by range from where it stands, the nearest first, ties by the rules on targets.
    fn by_range(&mut self) -> Vec<&'b Figure> {
        let ranges = self.board.ranges(self.figure.space());
        let mut left: Vec<(&'b Figure, u16)> = (self.board.enemies(self.figure))
            .map(|enemy| (enemy, ranges.to_space(enemy.space()).unwrap_or(u16::MAX)))
            .collect();
        let mut order = Vec::with_capacity(left.len());
        while let Some(least) = left.iter().map(|(_, range)| *range).min() {
            let tied: Vec<&'b Figure> = left
                .iter()
                .filter(|(_, range)| *range == least)
                .map(|(enemy, _)| *enemy)
                .collect();
            let next = if let [only] = tied[..] {
                if order.is_empty() {
                    let listed = left
                        .iter()
                        .map(|(enemy, range)| compared(&enemy.id, *range, "squares", ""))
                        .collect();
                    self.reason(
                        "SWM-M2",
                        format!("the nearest enemy is {}, range {least}", only.called()),
                        listed,
                    );
                }
                only
            } else {
                let keys: Vec<_> = (tied.iter())
                    .map(|enemy| {
                        let covered = self.options.cover_in_movement_ties
                            && !self
                                .board
                                .cover(self.figure, self.figure.space(), enemy, self.options)
                                .is_empty();
                        (*enemy, selection::key(self.figure, enemy, false, covered))
                    })
                    .collect();
                match self.choose(&keys, &format!("of those at range {least} goes for")) {
                    Some(chosen) => chosen,
                    None => break,
                }
            };
            left.retain(|(enemy, _)| enemy.id != next.id);
            order.push(next);
            // Only the nearest matters, unless it cannot be reached: the rest is sorted when it comes to that.
        }
        order
    }

    /// SWM-M2: the square beside an enemy with the shortest way; of equal ones low objects, then fewer other enemies beside
    /// it, then north and east.
    fn base(&self, ways: &Ways<'_>, enemy: &'b Figure, rest: u16) -> Option<Base<'b>> {
        let squares = self
            .beside(enemy)
            .into_iter()
            .filter_map(|at| Some((ways.cost(at)?, at)));
        let best = squares.filter(|(cost, _)| *cost <= rest).min_by_key(|&(cost, at)| {
            let others = self
                .board
                .enemies(self.figure)
                .filter(|other| other.id != enemy.id && self.board.are_adjacent(self.space_at(at), other.space()));
            (cost, !self.is_low(at), others.count(), self.compass(at))
        });
        best.map(|(cost, at)| Base { enemy, at, cost })
    }

    /// Whether a Force point may take it farther on this turn.
    fn may_leap(&self) -> bool {
        self.options.force_movement && self.figure.may_spend_force(1) && !self.has(&Effect::NoForceRerollOrMove)
    }

    fn charge(&self) -> Option<bool> {
        self.figure.card.number(|effect| match effect {
            Effect::AttackAfterDoubleMove { melee, .. } => Some(*melee),
            _ => None,
        })
    }
}

const STAYS: Stance = Stance {
    moved: false,
    stays: true,
    charged: false,
};
const MOVED: Stance = Stance {
    moved: true,
    stays: false,
    charged: false,
};

/// The turn of a melee figure or of a hybrid.
pub(super) fn decide(mut mind: Mind<'_, '_>, hybrid: bool) -> Turn {
    let at = mind.figure.at;
    let speed = mind.speed();
    let seen = mind.sighted(at);
    if let Some(area) = mind.area(at, &seen) {
        let mut steps = vec![area];
        let adjacent = seen.iter().any(|enemy| enemy.adjacent);
        if !adjacent && speed > 0 {
            let (way, _) = approach(&mut mind, speed, speed);
            push_move(&mut steps, way);
        }
        return mind.turn("SWM-G1", steps);
    }
    let adjacent = |enemy: &Figure| mind.board.are_adjacent(mind.figure.space(), enemy.space());
    let is_adjacent = mind.board.enemies(mind.figure).any(adjacent) || seen.iter().any(|enemy| enemy.adjacent);
    if is_adjacent || speed == 0 {
        let rule = if hybrid { "SWM-H4" } else { "SWM-M5" };
        let text = match is_adjacent {
            true => "an enemy is adjacent: any step would provoke, so it stays and makes all its attacks",
            false => "cannot move",
        };
        mind.reason(rule, text, Vec::new());
        let target = mind.target(at, &seen);
        let steps = target.map(|target| mind.attack(target, STAYS)).into_iter().collect();
        return mind.turn(rule, steps);
    }
    let order = mind.by_range();
    let Some(&nearest) = order.first() else {
        mind.reason("SWM-M1", "there is no enemy: it stays", Vec::new());
        return mind.turn("SWM-M1", Vec::new());
    };
    let leap = if mind.may_leap() { FORCE_SQUARES } else { 0 };
    let ways = Ways::from(mind.board, mind.figure, at, Manner::of(mind.figure), u16::MAX);
    // SWM-M5: one that cannot be reached without provoking gives way to the next.
    let fallback = mind.options.aoo_fallback == Fallback::NextPc;
    let mut base = mind.base(&ways, nearest, u16::MAX);
    if base.is_none() && fallback {
        base = order.iter().find_map(|enemy| mind.base(&ways, enemy, u16::MAX));
        if let Some(base) = &base {
            let text = format!(
                "every way to {} would provoke or is barred: goes for {}",
                nearest.called(),
                base.enemy.called()
            );
            mind.reason("SWM-M5", text, Vec::new());
        }
    }
    if let Some(base) = &base {
        let (near, far) = match hybrid {
            true => ("SWM-H1", "SWM-H2"),
            false => ("SWM-M1", "SWM-M4"),
        };
        let within = |budget: u16| base.cost <= budget;
        let charge = mind.charge();
        let plan = if within(speed) {
            Some((near, false, true))
        } else if leap > 0 && within(speed + leap) {
            Some((near, true, true))
        } else if within(2 * speed) {
            Some((far, false, charge.is_some()))
        } else if leap > 0 && within(2 * speed + leap) {
            Some((far, true, charge.is_some()))
        } else {
            None
        };
        if let Some((rule, force, attacks)) = plan {
            return reach(mind, base.at, base.cost, &ways, rule, force, attacks);
        }
    }
    if hybrid {
        return shoot_on_the_way(mind, speed);
    }
    let (way, rule) = approach(&mut mind, 2 * speed, 2 * speed);
    let mut steps = Vec::new();
    push_move(&mut steps, way);
    mind.turn(rule, steps)
}

/// It comes up to its enemy, and attacks if it may.
fn reach(
    mut mind: Mind<'_, '_>,
    at: Square,
    cost: u16,
    ways: &Ways<'_>,
    rule: &'static str,
    force: bool,
    attacks: bool,
) -> Turn {
    let speed = mind.speed();
    let double = cost > speed + if force { FORCE_SQUARES } else { 0 };
    let text = format!(
        "comes up to it at {at}, {cost} squares of movement{}{}",
        if double { ", with a double move" } else { "" },
        if attacks { "" } else { ", so it does not attack" }
    );
    mind.reason(rule, text, Vec::new());
    let mut steps = vec![Step::Move {
        way: ways.way(at),
        force,
    }];
    if force {
        mind.reason(
            "SWM-F1",
            "a Force point takes it 2 squares farther, which is enough",
            Vec::new(),
        );
    }
    if attacks {
        let seen = mind.sighted(at);
        match if double { None } else { mind.area(at, &seen) } {
            Some(area) => steps.push(area),
            None => {
                let target = mind.target(at, &seen);
                let stance = Stance {
                    charged: double,
                    ..MOVED
                };
                steps.extend(target.map(|target| mind.attack(target, stance)));
            }
        }
    }
    mind.turn(rule, steps)
}

/// SWM-M3: the way towards an enemy that is out of reach, ending in cover where a detour allows it. `budget` is how far it
/// moves now.
fn approach(mind: &mut Mind<'_, '_>, budget: u16, reachable: u16) -> (Option<Vec<Square>>, &'static str) {
    let at = mind.figure.at;
    let order = if mind
        .reasons
        .iter()
        .any(|reason| reason.rule.starts_with("SWM-M2") || reason.rule.starts_with("SWM-T"))
    {
        let before = mind.reasons.len();
        let order = mind.by_range();
        // Said already.
        mind.reasons.truncate(before);
        order
    } else {
        mind.by_range()
    };
    let manner = Manner::of(mind.figure);
    let ways = Ways::from(mind.board, mind.figure, at, manner, reachable);
    for (careful, enemies) in [(true, &order[..]), (false, &order[..1.min(order.len())])] {
        for enemy in enemies {
            let beside = mind.beside(enemy);
            let manner = if careful { manner } else { manner.reckless() };
            let to = Ways::to(mind.board, mind.figure, &beside, manner);
            let Some(shortest) = to.cost(at) else { continue };
            if careful && shortest <= budget {
                // After an area attack it may still come up to its enemy.
                let ends = ways.ends(budget).filter(|(end, _)| beside.contains(end));
                if let Some((end, _)) = ends.min_by_key(|&(end, cost)| (cost, !mind.is_low(end), mind.compass(end))) {
                    mind.reason("SWM-M1", format!("comes up to {} at {end}", enemy.called()), Vec::new());
                    return (Some(ways.way(end)), "SWM-M1");
                }
            }
            let text = match careful {
                true => format!("{} is {shortest} squares of movement away", enemy.called()),
                false => format!(
                    "no way to {} without an attack of opportunity: goes as far as it can",
                    enemy.called()
                ),
            };
            let rule = if careful { "SWM-M3" } else { "SWM-M5" };
            mind.reason(rule, text, Vec::new());
            return (in_cover(mind, &ways, &to, shortest, budget), rule);
        }
    }
    mind.reason("SWM-M5", "no way leads to any enemy: it stays", Vec::new());
    (None, "SWM-M5")
}

/// SWM-M3: the square in cover by a way at most 3 longer than the shortest, else the farthest along the shortest.
fn in_cover(
    mind: &mut Mind<'_, '_>,
    ways: &Ways<'_>,
    to: &Ways<'_>,
    shortest: u16,
    budget: u16,
) -> Option<Vec<Square>> {
    let enemies: Vec<&Figure> = mind.board.enemies(mind.figure).collect();
    let allowed = ways.ends(budget).filter_map(|(end, cost)| {
        let left = to.cost(end)?;
        (left < shortest && cost + left <= shortest + DETOUR).then_some((end, cost, left))
    });
    let mut best = Vec::new();
    for (end, cost, left) in allowed {
        let space = mind.space_at(end);
        let seen_by: Vec<&&Figure> = enemies
            .iter()
            .filter(|enemy| mind.board.sees(space, enemy.space()))
            .collect();
        let covered = |enemy: &&&Figure| {
            let mut moved = mind.figure.clone();
            moved.at = end;
            !mind.board.cover(enemy, enemy.space(), &moved, mind.options).is_empty()
        };
        let kind = if mind.is_low(end) {
            0_u8
        } else if seen_by.is_empty() {
            1
        } else if seen_by.iter().all(covered) {
            2
        } else {
            continue;
        };
        best.push((kind, left, cost, mind.compass(end), end));
    }
    best.sort();
    let words = ["low objects", "out of sight", "covered"];
    let listed = (best.iter())
        .map(|(kind, left, _, _, end)| compared(end.to_string(), *left, "movement left", words[usize::from(*kind)]))
        .collect();
    if let Some(&(kind, left, _, _, end)) = best.first() {
        let text = format!("ends at {end} ({}), which leaves {left}", words[usize::from(kind)]);
        mind.reason("SWM-M3", text, listed);
        return Some(ways.way(end));
    }
    // Along the shortest way, as far as it may stop.
    let mut along = Vec::new();
    let mut last = 0;
    for (index, square) in to.way_from(mind.figure.at).into_iter().enumerate() {
        match ways.cost(square) {
            Some(cost) if cost <= budget => along.push(square),
            _ => break,
        }
        if ways.may_end(square) {
            last = index + 1;
        }
    }
    along.truncate(last);
    let text = match along.last() {
        Some(end) => format!("no cover on the way: goes to {end}"),
        None => "cannot get nearer: it stays".to_owned(),
    };
    mind.reason("SWM-M3", text, Vec::new());
    Some(along)
}

/// SWM-H3: a hybrid moves a single move towards its enemy, in cover, and shoots; or shoots first where it could not then.
fn shoot_on_the_way(mut mind: Mind<'_, '_>, speed: u16) -> Turn {
    let at = mind.figure.at;
    let (way, _) = approach(&mut mind, speed, speed);
    let end = way.as_ref().and_then(|way| way.last().copied()).unwrap_or(at);
    let there = mind.sighted(end);
    let here = mind.sighted(at);
    let mut steps = Vec::new();
    if there.iter().any(|enemy| enemy.legal) || !here.iter().any(|enemy| enemy.legal) {
        push_move(&mut steps, way);
        let stance = if steps.is_empty() { STAYS } else { MOVED };
        match mind.area(end, &there) {
            Some(area) => steps.push(area),
            None => {
                let target = mind.target(end, &there);
                steps.extend(target.map(|target| mind.attack(target, stance)));
            }
        }
    } else {
        mind.reason(
            "SWM-H3",
            "it will have no target there: shoots before it moves",
            Vec::new(),
        );
        let target = mind.target(at, &here);
        let stance = Stance { stays: false, ..STAYS };
        steps.extend(target.map(|target| mind.attack(target, stance)));
        push_move(&mut steps, way);
    }
    mind.turn("SWM-H3", steps)
}
