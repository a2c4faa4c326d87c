//! Melee figures (SWM-M1 to M5) and hybrids (H1 to H4): to the nearest enemy, by the shortest way.

use super::{
    Mind, Step, Turn, compared, listed, selection,
    shooter::{BEFORE, MOVED, STAYS, push_move, shoot_from},
};
use crate::{
    decision::Compared,
    swm::{
        ability::Effect,
        figure::Figure,
        movement::{Manner, Ways},
        options::Fallback,
        square::Square,
        targets::Stance,
    },
};

/// How much farther a Force point takes a figure (SWM 1.3).
const FORCE_SQUARES: u16 = 2;

/// A way to a square beside an enemy.
pub(super) struct Base<'b> {
    enemy: &'b Figure,
    pub at: Square,
    cost: u16,
    /// All such squares, the best first.
    listed: Vec<Compared>,
}

/// SWM-M2: enemies by range from where it stands at the start of its turn, the nearest first, unseen ones too; ties by the
/// rules on targets. Worked out only as far as it is asked for.
pub(super) struct Nearest<'b> {
    found: Vec<&'b Figure>,
    left: Vec<(&'b Figure, u16)>,
}

impl<'b> Nearest<'b> {
    pub(super) fn new(mind: &Mind<'b, '_>) -> Self {
        Nearest {
            found: Vec::new(),
            left: mind.distances.to(mind.figure.space()).collect(),
        }
    }

    /// The enemy of that place, from 0.
    pub(super) fn get(&mut self, mind: &mut Mind<'b, '_>, place: usize) -> Option<&'b Figure> {
        while self.found.len() <= place {
            let next = self.next(mind)?;
            self.left.retain(|(enemy, _)| enemy.id != next.id);
            self.found.push(next);
        }
        self.found.get(place).copied()
    }

    fn next(&self, mind: &mut Mind<'b, '_>) -> Option<&'b Figure> {
        let least = self.left.iter().map(|(_, range)| *range).min()?;
        let tied: Vec<&'b Figure> = (self.left.iter())
            .filter(|(_, range)| *range == least)
            .map(|(enemy, _)| *enemy)
            .collect();
        let listed = (self.left.iter()).map(|(enemy, range)| {
            let verdict = if *range == least { "nearest" } else { "farther" };
            let value = if *range == u16::MAX {
                f64::INFINITY
            } else {
                f64::from(*range)
            };
            match value.is_finite() {
                true => compared(&enemy.id, value, "squares", verdict),
                false => Compared {
                    candidate: enemy.id.clone(),
                    value: None,
                    unit: "squares".to_owned(),
                    verdict: "walled off".to_owned(),
                },
            }
        });
        let range = match least {
            u16::MAX => "walled off".to_owned(),
            least => format!("range {least}"),
        };
        let what = if self.found.is_empty() {
            "the nearest enemy"
        } else {
            "the next-nearest enemy"
        };
        if let [only] = tied[..] {
            mind.reason("SWM-M2", format!("{what} is {}, {range}", only.called()), listed);
            return Some(only);
        }
        mind.reason("SWM-M2", format!("{} enemies are nearest, {range}", tied.len()), listed);
        // The attack that it is about to make is one on an adjacent enemy.
        let keys: Vec<_> = (tied.iter())
            .map(|enemy| {
                let covered = mind.options.cover_in_movement_ties && mind.is_covered(enemy);
                (*enemy, selection::key(mind.figure, enemy, true, covered))
            })
            .collect();
        mind.choose(&keys, "goes for")
    }
}

impl<'b> Mind<'b, '_> {
    /// Squares on which its whole space would be beside an enemy, free or not.
    pub(super) fn beside(&self, enemy: &Figure) -> Vec<Square> {
        let map = self.board.map();
        let (own, space) = (self.figure.card.size, enemy.space());
        let from = |at: u8, size: u8| at.saturating_sub(size);
        let columns = from(space.at.column, own.wide)..=space.at.column.saturating_add(space.base.wide);
        let rows = from(space.at.row, own.high)..=space.at.row.saturating_add(space.base.high);
        let all = rows.flat_map(|row| columns.clone().map(move |column| Square::new(column, row)));
        all.filter(|&at| map.contains_space(self.space_at(at)) && self.board.are_adjacent(self.space_at(at), space))
            .collect()
    }

    /// SWM-M2: the square beside an enemy with the shortest way; of equal ones low objects, then fewer other enemies beside it,
    /// then north and east.
    pub(super) fn base(&self, ways: &Ways<'_>, enemy: &'b Figure) -> Option<Base<'b>> {
        let squares = self.beside(enemy).into_iter().filter(|&at| ways.may_end(at));
        let mut ranked: Vec<_> = squares
            .filter_map(|at| {
                let cost = ways.cost(at)?;
                let others = (self.board.enemies(self.figure))
                    .filter(|other| other.id != enemy.id && self.board.are_adjacent(self.space_at(at), other.space()));
                Some((cost, !self.is_low(at), others.count(), self.compass(at), at))
            })
            .collect();
        ranked.sort();
        let listed = self.list((ranked.iter()).map(|(cost, plain, others, _, at)| {
            let low = if *plain { "" } else { "low objects" };
            let more = match others {
                0 => String::new(),
                more => format!("{more} more enemies beside it"),
            };
            let verdict = [low, &more]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>();
            compared(at.to_string(), *cost, "movement", verdict.join(", "))
        }));
        ranked.first().map(|&(cost, .., at)| Base {
            enemy,
            at,
            cost,
            listed,
        })
    }

    /// Whether a Force point may take it farther on this turn.
    fn may_go_farther(&self) -> bool {
        self.options.force_movement && self.may_spend(1) && !self.has(&Effect::NoForceRerollOrMove)
    }

    /// Whether something lets it attack an adjacent enemy after a double move.
    fn charges(&self) -> bool {
        self.figure
            .card
            .has(|effect| matches!(effect, Effect::AttackAfterDoubleMove { .. }))
    }
}

/// The turn of a melee figure or of a hybrid.
pub(super) fn decide(mut mind: Mind<'_, '_>, hybrid: bool) -> Turn {
    let at = mind.figure.at;
    let speed = mind.speed();
    let seen = mind.sighted(at);
    // In reach counts as adjacent on its own turn.
    let adjacent = mind.is_held() || seen.iter().any(|enemy| enemy.adjacent && enemy.legal);
    if let Some(area) = mind.area(at, &seen, false) {
        let stays = adjacent || mind.is_whole_turn(&area);
        let mut steps = vec![area];
        if !stays && speed > 0 {
            let way = close_in(&mut mind, speed);
            push_move(&mut steps, way);
        }
        return mind.turn("SWM-G1", steps);
    }
    if adjacent || speed == 0 {
        let rule = if hybrid { "SWM-H4" } else { "SWM-M5" };
        let text = match adjacent {
            true => "an enemy is adjacent: it stays and makes all its attacks",
            false => "cannot move: attacks from where it is, if it can",
        };
        return stand(mind, rule, text);
    }
    let shoots = seen.iter().any(|enemy| enemy.legal);
    if hybrid && shoots && (mind.has(&Effect::MovesOnlyWithoutTarget) || mind.has(&Effect::AttackOrMove)) {
        return stand(
            mind,
            "SWM-H3",
            "has a target, for which it must not move: shoots from where it is",
        );
    }
    if let Some((way, area)) = mind.area_move() {
        let mut steps = Vec::new();
        push_move(&mut steps, Some(way));
        steps.push(area);
        return mind.turn("SWM-G4", steps);
    }
    let mut order = Nearest::new(&mind);
    let Some(nearest) = order.get(&mut mind, 0) else {
        mind.reason("SWM-M1", "there is no enemy: it stays", Vec::new());
        return mind.turn("SWM-M1", Vec::new());
    };
    let ways = Ways::from(mind.board, mind.figure, at, Manner::of(mind.figure), u16::MAX);
    let far = mind.far();
    if let Some((base, ways)) = savage_base(&mut mind, &mut order, far)
        && let Some((rule, force, attacks)) = plan(&mind, &base, hybrid)
    {
        return come_up(mind, base, &ways, rule, force, attacks);
    }
    let mut base = mind.base(&ways, nearest);
    if base.is_none() && mind.options.aoo_fallback == Fallback::NextPc {
        base = next_base(&mut mind, &mut order, &ways, nearest);
    }
    if let Some(base) = base
        && let Some((rule, force, attacks)) = plan(&mind, &base, hybrid)
    {
        return come_up(mind, base, &ways, rule, force, attacks);
    }
    if hybrid {
        return shoot_on_the_way(mind, order, speed);
    }
    let budget = mind.far();
    let (way, rule) = super::approach::approach(&mut mind, &mut order, budget);
    let mut steps = Vec::new();
    push_move(&mut steps, way);
    mind.turn(rule, steps)
}

/// Whether it comes up to an enemy on this turn: the rule for it, whether a Force point takes it there, and whether it attacks.
fn plan(mind: &Mind<'_, '_>, base: &Base<'_>, hybrid: bool) -> Option<(&'static str, bool, bool)> {
    let (speed, far) = (mind.speed(), mind.far());
    let farther = if mind.may_go_farther() { FORCE_SQUARES } else { 0 };
    let (near, double) = match hybrid {
        true => ("SWM-H1", "SWM-H2"),
        false => ("SWM-M1", "SWM-M4"),
    };
    // A weapon that is too heavy to move and attack waits for the next turn.
    let attacks = !mind.has(&Effect::AttackOrMove);
    let charges = attacks && mind.charges();
    match base.cost {
        cost if cost <= speed => Some((near, false, attacks)),
        // A Force point turns "cannot base" into "bases", with an attack and without.
        cost if farther > 0 && attacks && cost <= speed + farther => Some((near, true, true)),
        cost if cost <= far => Some((double, false, charges && cost <= 2 * speed)),
        cost if cost <= far + farther => Some((double, true, charges && cost <= 2 * speed + farther)),
        _ => None,
    }
}

/// Savage: it must end its move beside an enemy if it can (SWM 1.9), so the first of its enemies that it can come up to within
/// a budget, and, where every way provokes, past those who strike at it: what a card demands goes before SWM-M5.
pub(super) fn savage_base<'b>(
    mind: &mut Mind<'b, '_>,
    order: &mut Nearest<'b>,
    budget: u16,
) -> Option<(Base<'b>, Ways<'b>)> {
    if !mind.has(&Effect::EndsBesideEnemy) {
        return None;
    }
    let manner = Manner::of(mind.figure);
    for manner in [manner, manner.reckless()] {
        let ways = Ways::from(mind.board, mind.figure, mind.figure.at, manner, budget);
        let mut place = 0;
        while let Some(enemy) = order.get(mind, place) {
            if let Some(base) = mind.base(&ways, enemy) {
                if !manner.careful {
                    let text = format!("Savage: runs to {} although that provokes", enemy.called());
                    mind.reason("SWM-M5", text, Vec::new());
                }
                return Some((base, ways));
            }
            place += 1;
        }
    }
    None
}

/// It stays where it is and attacks whom it can.
fn stand(mut mind: Mind<'_, '_>, rule: &'static str, text: &str) -> Turn {
    let at = mind.figure.at;
    let seen = mind.sighted(at);
    mind.reason(rule, text, listed(&seen));
    let target = mind.target(at, &seen);
    let steps = target.map(|target| mind.attack(target, STAYS)).into_iter().collect();
    mind.turn(rule, steps)
}

/// SWM-M5: an enemy that cannot be reached without provoking gives way to the next.
fn next_base<'b>(
    mind: &mut Mind<'b, '_>,
    order: &mut Nearest<'b>,
    ways: &Ways<'_>,
    nearest: &Figure,
) -> Option<Base<'b>> {
    let before = mind.reasons.len();
    let mut place = 1;
    loop {
        let Some(enemy) = order.get(mind, place) else {
            // Nobody can be reached: said where it approaches.
            mind.reasons.truncate(before);
            return None;
        };
        if let Some(base) = mind.base(ways, enemy) {
            let text = format!(
                "every way to {} would provoke or is barred: goes for {}",
                nearest.called(),
                enemy.called()
            );
            mind.reason("SWM-M5", text, Vec::new());
            return Some(base);
        }
        place += 1;
    }
}

/// It comes up to its enemy, and attacks if it may.
fn come_up(
    mut mind: Mind<'_, '_>,
    base: Base<'_>,
    ways: &Ways<'_>,
    rule: &'static str,
    force: bool,
    attacks: bool,
) -> Turn {
    let double = base.cost > mind.speed() + if force { FORCE_SQUARES } else { 0 };
    let text = format!(
        "comes up to {} at {}, {} squares of movement{}{}{}",
        base.enemy.called(),
        base.at,
        base.cost,
        if double { ", with a double move" } else { "" },
        if force { ", 2 of them with a Force point" } else { "" },
        if attacks { "" } else { ", so it does not attack" }
    );
    mind.reason(rule, text, base.listed);
    let mut steps = vec![Step::Move {
        way: ways.way(base.at),
        force,
    }];
    mind.spent += u16::from(force);
    if attacks {
        let stance = Stance {
            charged: double,
            ..MOVED
        };
        let seen = mind.sighted(base.at);
        // An area attack is made after a single move only (SWM-G4).
        match if double { None } else { mind.area(base.at, &seen, true) } {
            Some(area) => steps.push(area),
            None => {
                let target = mind.target(base.at, &seen);
                steps.extend(target.map(|target| mind.attack(target, stance)));
            }
        }
    }
    mind.turn(rule, steps)
}

/// The move of a melee figure or a hybrid that has made its attack already (SWM-M1): up to an enemy, or as near as it comes.
pub(super) fn close_in(mind: &mut Mind<'_, '_>, budget: u16) -> Option<Vec<Square>> {
    let mut order = Nearest::new(mind);
    super::approach::approach(mind, &mut order, budget).0
}

/// SWM-H3: a hybrid moves a single move towards its enemy, in cover, and shoots; or shoots first where it could not then.
fn shoot_on_the_way<'b>(mut mind: Mind<'b, '_>, mut order: Nearest<'b>, speed: u16) -> Turn {
    let at = mind.figure.at;
    let (way, _) = super::approach::approach(&mut mind, &mut order, speed);
    let end = way.as_ref().and_then(|way| way.last().copied()).unwrap_or(at);
    let legal = |mind: &Mind<'_, '_>, at: Square| mind.sighted(at).iter().any(|enemy| enemy.legal);
    let mut steps = Vec::new();
    if legal(&mind, end) || !legal(&mind, at) {
        push_move(&mut steps, way);
        let stance = if steps.is_empty() { STAYS } else { MOVED };
        if steps.is_empty() || !mind.has(&Effect::AttackOrMove) {
            let shot = shoot_from(&mut mind, end, stance);
            steps.extend(shot);
        }
    } else {
        let seen = mind.sighted(at);
        let text = "it will have no target there: shoots before it moves";
        mind.reason("SWM-H3", text, listed(&seen));
        let target = mind.target(at, &seen);
        steps.extend(target.map(|target| mind.attack(target, BEFORE)));
        push_move(&mut steps, way);
    }
    mind.turn("SWM-H3", steps)
}
