//! Whom a figure may attack (SWM 1.5), and how good the attack is (1.6, 1.9).

use super::{
    ability::{Condition, Effect},
    board::Board,
    cover::Obstruction,
    figure::Figure,
    options::Options,
    range::Ranges,
    square::Space,
};

/// What cover adds to Defense (SWM 1.4).
pub const COVER: i16 = 4;

/// An enemy as an attacker sees it.
#[derive(Debug, Clone)]
pub struct Sighted<'b> {
    /// The enemy.
    pub figure: &'b Figure,
    /// Range; the highest number where walls shut it off.
    pub range: u16,
    /// Adjacent, or in the reach of Melee Reach, which counts as adjacent on the attacker's turn.
    pub adjacent: bool,
    /// What gives it cover; empty without.
    pub cover: Vec<Obstruction>,
    /// Whether it is the nearest (or one of them) that is seen.
    pub nearest: bool,
    /// Whether it may be attacked.
    pub legal: bool,
}

/// Ranges from every enemy of a figure, counted once for many squares that it might stand on.
#[derive(Debug)]
pub struct Distances<'b>(Vec<(&'b Figure, Ranges)>);

impl<'b> Distances<'b> {
    /// Of a figure's enemies, in order of their ids.
    pub fn new(board: &'b Board, attacker: &Figure) -> Distances<'b> {
        let enemies = board.enemies(attacker);
        Distances(enemies.map(|enemy| (enemy, board.ranges(enemy.space()))).collect())
    }

    /// Each enemy with its range from a space; the highest number where walls shut it off.
    pub fn to(&self, space: Space) -> impl Iterator<Item = (&'b Figure, u16)> + '_ {
        self.0
            .iter()
            .map(move |(enemy, ranges)| (*enemy, ranges.to_space(space).unwrap_or(u16::MAX)))
    }

    /// The range of the nearest enemy, seen or not.
    pub fn nearest(&self, space: Space) -> u16 {
        self.to(space).map(|(_, range)| range).min().unwrap_or(u16::MAX)
    }
}

/// All enemies that an attacker sees from a space, in order of their ids, with who of them may be attacked.
pub fn sighted<'b>(board: &'b Board, attacker: &Figure, space: Space, options: &Options) -> Vec<Sighted<'b>> {
    sighted_from(
        board,
        &Distances::new(board, attacker),
        attacker,
        space,
        options,
        Covers::All,
    )
}

/// How many enemies an attacker could attack from a space, and how many it would see (SWM-S2).
pub fn field(
    board: &Board,
    distances: &Distances<'_>,
    attacker: &Figure,
    space: Space,
    options: &Options,
) -> (usize, usize) {
    let seen = sighted_from(board, distances, attacker, space, options, Covers::AsNeeded);
    (seen.iter().filter(|enemy| enemy.legal).count(), seen.len())
}

/// Whether cover is worked out where it does not change who may be attacked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Covers {
    All,
    AsNeeded,
}

pub(super) fn sighted_from<'b>(
    board: &'b Board,
    distances: &Distances<'b>,
    attacker: &Figure,
    space: Space,
    options: &Options,
    covers: Covers,
) -> Vec<Sighted<'b>> {
    let reach = attacker.card.number(|effect| match effect {
        Effect::Reach(squares) => Some(*squares),
        _ => None,
    });
    let seen = distances
        .to(space)
        .filter(|(enemy, _)| board.sees(space, enemy.space()));
    let mut all: Vec<Sighted<'_>> = seen
        .map(|(figure, range)| Sighted {
            figure,
            range,
            adjacent: board.are_adjacent(space, figure.space()) || reach.is_some_and(|reach| range <= reach),
            cover: Vec::new(),
            nearest: false,
            legal: false,
        })
        .collect();
    // Stealth: with cover and far enough away it is passed over as the nearest.
    let stealthy = |enemy: &Sighted<'_>| {
        (enemy.figure.card).has(|effect| matches!(effect, Effect::HiddenInCover { beyond } if enemy.range > *beyond))
    };
    // Adjacent enemies never have cover, nor those that are attacked as if adjacent.
    let cover = |enemy: &Sighted<'_>| match enemy.adjacent {
        true => Vec::new(),
        false => board.cover(attacker, space, enemy.figure, options),
    };
    for enemy in &mut all {
        if covers == Covers::All || stealthy(enemy) {
            enemy.cover = cover(enemy);
        }
    }
    let hidden = |enemy: &Sighted<'_>| stealthy(enemy) && !enemy.cover.is_empty();
    let diplomat = |enemy: &Sighted<'_>| enemy.figure.card.has(|effect| *effect == Effect::Diplomat);
    let only_diplomats = all.iter().all(diplomat);
    let spared = |enemy: &Sighted<'_>| diplomat(enemy) && !only_diplomats;
    let candidates = all.iter().filter(|enemy| !hidden(enemy) && !spared(enemy));
    let least = candidates.map(|enemy| enemy.range).min();
    // Who is in reach only may be attacked as if adjacent, but does not keep others from being attacked.
    let any_adjacent =
        (all.iter()).any(|enemy| enemy.adjacent && !spared(enemy) && board.are_adjacent(space, enemy.figure.space()));
    let melee = attacker.card.is_melee();
    let accurate = attacker.card.has(|effect| *effect == Effect::AttacksCovered);
    for enemy in &mut all {
        enemy.nearest = least == Some(enemy.range) && !hidden(enemy) && !spared(enemy);
        enemy.legal = if spared(enemy) {
            false
        } else if any_adjacent || melee {
            enemy.adjacent
        } else if enemy.nearest || accurate || enemy.adjacent {
            true
        } else {
            if covers == Covers::AsNeeded && enemy.cover.is_empty() {
                enemy.cover = cover(enemy);
            }
            enemy.cover.is_empty()
        };
    }
    all
}

/// What an attack adds to the printed numbers, and whether it is made after moving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stance {
    /// The attacker has moved on this turn.
    pub moved: bool,
    /// It will not move on this turn.
    pub stays: bool,
    /// It has made a double move (Charging Fire, Charging Assault).
    pub charged: bool,
}

fn holds(condition: Condition, attacker: &Figure, target: &Figure, adjacent: bool, stance: Stance) -> bool {
    match condition {
        Condition::NotMoved => stance.stays && !stance.moved,
        Condition::Moved => stance.moved,
        Condition::TargetAdjacent | Condition::AttackerAdjacent => adjacent,
        Condition::TargetNotActivated => !target.activated,
        Condition::TargetActivated => target.activated,
        Condition::TargetHasForce => target.has_force(),
        Condition::TargetIsUnique => target.card.unique,
        Condition::TargetCostsMore => target.card.cost > attacker.card.cost,
        Condition::TargetHasCommanderEffect => target.card.commander,
        Condition::AttackerHasForce => attacker.has_force(),
    }
}

/// The attack bonus and the damage of one attack: printed numbers and every bonus whose conditions hold (SWM 1.9).
pub fn strength(attacker: &Figure, target: &Figure, adjacent: bool, stance: Stance) -> (i16, u16) {
    let modifiers = attacker.modifiers;
    let mut attack = attacker.card.attack + modifiers.attack;
    let mut damage = attacker.card.damage.saturating_add_signed(modifiers.damage);
    for effect in attacker.card.effects() {
        match effect {
            Effect::Bonus {
                attack: by,
                damage: more,
                when,
            } => {
                let all = when
                    .iter()
                    .all(|&condition| holds(condition, attacker, target, adjacent, stance));
                if all {
                    attack += *by as i16;
                    damage += more;
                }
            }
            Effect::AttackAfterDoubleMove { damage: more, melee } if stance.charged && (adjacent || !melee) => {
                damage += more;
            }
            _ => {}
        }
    }
    (attack, damage)
}

/// The Defense that an attack must reach: printed, cover, the target's own bonuses, and less what the attacker takes from it
/// (SWM 1.6, SWM-T3).
pub fn defense(attacker: &Figure, target: &Figure, adjacent: bool, covered: bool) -> i16 {
    let stance = Stance {
        moved: false,
        stays: false,
        charged: false,
    };
    let bonus = target.card.effects().map(|effect| match effect {
        Effect::Defence { by, when }
            // Seen from the defender its attacker is the figure that is asked about.
            if when.iter().all(|&condition| holds(condition, attacker, target, adjacent, stance)) =>
        {
            *by as i16
        }
        _ => 0,
    });
    let lowered = attacker.card.effects().map(|effect| match effect {
        Effect::LowersDefence { by, when }
            if when
                .iter()
                .all(|&condition| holds(condition, attacker, target, adjacent, stance)) =>
        {
            *by as i16
        }
        _ => 0,
    });
    let cover = if covered { COVER } else { 0 };
    target.card.defense + target.modifiers.defense + cover + bonus.sum::<i16>() - lowered.sum::<i16>()
}
