//! The target (SWM-T1 to T5), and what an attack on it is worth.

use std::cmp::Reverse;

use super::{Mind, Step, compared};
use crate::swm::{
    ability::Effect,
    area,
    figure::Figure,
    movement,
    square::{Space, Square},
    targets::{self, Covers, Sighted, Stance},
};

/// SWM-T2 to T4: fewest hit points, then lowest effective Defense, then highest base Attack. Lower is better.
pub(super) type Key = (u16, i16, Reverse<i16>);

/// The key of a target for an attack.
pub(super) fn key(attacker: &Figure, target: &Figure, adjacent: bool, covered: bool) -> Key {
    let defense = targets::defense(attacker, target, adjacent, covered);
    (target.hit_points, defense, Reverse(target.card.attack))
}

/// What the rules on targets compare, as candidates of a reason.
fn listed<'k>(keys: &'k [(&Figure, Key)], chosen: &'k str) -> impl Iterator<Item = crate::decision::Compared> + 'k {
    let best = keys.iter().map(|(_, key)| *key).min();
    (keys.iter()).map(move |(figure, key)| {
        let verdict = match best {
            _ if figure.id == chosen => "chosen".to_owned(),
            Some(best) if key.0 > best.0 => "more hit points".to_owned(),
            Some(best) if key.1 > best.1 => format!("Defense {} against {}", key.1, best.1),
            Some(best) if key.2 > best.2 => format!("Attack {} against {}", key.2.0, best.2.0),
            _ => "as good; the roll chose another".to_owned(),
        };
        compared(&figure.id, key.0, "hit points", verdict)
    })
}

impl<'b> Mind<'b, '_> {
    /// The best of some figures by their keys; a tie is rolled (SWM-T5).
    pub(super) fn choose(&mut self, keys: &[(&'b Figure, Key)], text: &str) -> Option<&'b Figure> {
        let best = keys.iter().map(|(_, key)| *key).min()?;
        let tied: Vec<&'b Figure> = keys
            .iter()
            .filter(|(_, key)| *key == best)
            .map(|(figure, _)| *figure)
            .collect();
        let chosen = match tied.len() {
            1 => tied[0],
            many => tied[self.dice.pick(many)],
        };
        let (rule, how) = match tied.len() {
            1 if keys.len() == 1 => ("SWM-T1", "the only one"),
            1 => {
                let others = keys.iter().filter(|(figure, _)| figure.id != chosen.id);
                let second = others.map(|(_, key)| *key).min().unwrap_or(best);
                match best {
                    (points, ..) if points < second.0 => ("SWM-T2", "fewest hit points"),
                    (_, defense, _) if defense < second.1 => ("SWM-T3", "lowest effective Defense"),
                    _ => ("SWM-T4", "highest base Attack"),
                }
            }
            _ => ("SWM-T5", "tied, chosen by a roll"),
        };
        self.reason(
            rule,
            format!("{text} {}: {how}", chosen.called()),
            listed(keys, &chosen.id),
        );
        Some(chosen)
    }

    /// The enemies that it sees from a square.
    pub(super) fn sighted(&self, at: Square) -> Vec<Sighted<'b>> {
        targets::sighted_from(
            self.board,
            &self.distances,
            self.space_at(at),
            self.options,
            Covers::All,
        )
    }

    /// Whether an enemy has cover against it where it stands.
    pub(super) fn is_covered(&self, enemy: &Figure) -> bool {
        let screens = self.board.screens(self.figure);
        (self.board).is_covered(self.figure.space(), enemy.space(), &screens, self.options)
    }

    /// SWM-T1 to T5 and G5: whom it attacks of those that it sees.
    pub(super) fn target(&mut self, at: Square, seen: &[Sighted<'b>]) -> Option<&'b Figure> {
        let mut legal: Vec<&Sighted<'b>> = seen.iter().filter(|enemy| enemy.legal).collect();
        // SWM-G5: a splash that would reach a friend, if somebody else can be attacked.
        if self.figure.card.has(|effect| matches!(effect, Effect::Splash { .. })) {
            let spares_friends = |enemy: &&Sighted<'b>| !self.reaches_friend(enemy.figure, at);
            if legal.iter().any(spares_friends) {
                legal.retain(spares_friends);
            }
        }
        let keys: Vec<(&'b Figure, Key)> = (legal.iter())
            .map(|enemy| {
                (
                    enemy.figure,
                    key(self.figure, enemy.figure, enemy.adjacent, enemy.covered),
                )
            })
            .collect();
        self.choose(&keys, "attacks")
    }

    /// The best key of the targets that it may attack, and those that have it.
    pub(super) fn best_targets(&self, seen: &[Sighted<'b>]) -> Option<(Key, Vec<&'b str>)> {
        let keys: Vec<(Key, &'b str)> = (seen.iter().filter(|enemy| enemy.legal))
            .map(|enemy| {
                let key = key(self.figure, enemy.figure, enemy.adjacent, enemy.covered);
                (key, &*enemy.figure.id)
            })
            .collect();
        let best = keys.iter().map(|(key, _)| *key).min()?;
        let tied = keys.into_iter().filter(|(key, _)| *key == best);
        Some((best, tied.map(|(_, id)| id).collect()))
    }

    /// The attack step on a target.
    pub(super) fn attack(&self, target: &Figure, stance: Stance) -> Step {
        Step::Attack {
            target: target.id.clone(),
            attacks: self.attacks(stance),
        }
    }
}

/// The damage of all attacks of a step on a target, if each hits (SWM-A4).
pub(super) fn potential(figure: &Figure, target: &Figure, adjacent: bool, attacks: u8, stance: Stance) -> u32 {
    let (_, damage) = targets::strength(figure, target, adjacent, stance);
    let twin = (figure.card)
        .has(|effect| *effect == Effect::TwinAttack || (*effect == Effect::TwinAttackAdjacent && adjacent));
    u32::from(damage) * u32::from(attacks) * if twin { 2 } else { 1 }
}

/// SWM-A3, SWM-A4: what the first attack of these steps adds to its roll, and the damage of all if they hit.
pub(super) fn output(mind: &Mind<'_, '_>, steps: &[Step]) -> (Option<i16>, u32) {
    let figure = mind.figure;
    let mut at = figure.at;
    let mut stance = Stance {
        moved: false,
        stays: !steps.iter().any(|step| matches!(step, Step::Move { .. })),
        charged: false,
    };
    let (mut first, mut sum) = (None, 0);
    for step in steps {
        match step {
            Step::Move { way, .. } => {
                stance.moved = true;
                // An attack after a move that is longer than a single one is a charge.
                stance.charged |= mind.is_double_move(at, way);
                at = way.last().copied().unwrap_or(at);
            }
            Step::Attack { target, attacks } => {
                let Some(target) = mind.board.figure(target) else {
                    continue;
                };
                let adjacent = mind.is_as_if_adjacent(figure.space_at(at), target);
                let (attack, _) = targets::strength(figure, target, adjacent, stance);
                first.get_or_insert(attack);
                sum += potential(figure, target, adjacent, *attacks, stance);
            }
            Step::Area { ability, affected, .. } => {
                first.get_or_insert(figure.card.attack);
                let Some(own) = area::of(&figure.card).find(|own| own.ability == ability) else {
                    continue;
                };
                let affected: Vec<&Figure> = affected.iter().filter_map(|id| mind.board.figure(id)).collect();
                sum += match own.attacks {
                    0 => u32::from(own.damage) * affected.len() as u32,
                    _ => mind.attack_damage(&own, &affected, figure.space_at(at), stance.moved),
                };
            }
        }
    }
    (first, sum)
}

impl Mind<'_, '_> {
    /// Whether an enemy is adjacent to a space, or within the reach of Melee Reach, which counts as adjacent on its own turn.
    pub(super) fn is_as_if_adjacent(&self, space: Space, enemy: &Figure) -> bool {
        let reach = self.figure.card.number(|effect| match effect {
            Effect::Reach(squares) => Some(*squares),
            _ => None,
        });
        let in_reach = |reach| {
            self.distances
                .to(space)
                .any(|(other, range)| other.id == enemy.id && range <= reach)
        };
        self.board.are_adjacent(space, enemy.space()) || reach.is_some_and(in_reach)
    }

    /// Whether a way is longer than a single move; only looked at for those who may attack after one.
    fn is_double_move(&self, from: Square, way: &[Square]) -> bool {
        if !self
            .figure
            .card
            .has(|effect| matches!(effect, Effect::AttackAfterDoubleMove { .. }))
        {
            return false;
        }
        let mut cost = 0;
        let mut at = from;
        for &square in way {
            cost += movement::step_cost(self.board, self.figure, at, square).unwrap_or(1);
            at = square;
        }
        cost > self.speed()
    }
}
