//! Whom a figure may attack (SWM 1.5), and how good the attack is (1.6, 1.9).

use std::sync::Arc;

use super::{
    ability::{Condition, Effect},
    board::Board,
    figure::Figure,
    options::Options,
    range::Ranges,
    square::Space,
    survey::Squares,
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
    /// Whether it has cover; never where it counts as adjacent.
    pub covered: bool,
    /// Whether it is the nearest (or one of them) that is seen.
    pub nearest: bool,
    /// Whether it may be attacked.
    pub legal: bool,
}

/// An enemy with what is asked of it again and again.
#[derive(Debug)]
struct Enemy<'b> {
    figure: &'b Figure,
    space: Space,
    ranges: Arc<Ranges>,
    /// Stealth: the range beyond which it is passed over as the nearest where it has cover.
    hides_beyond: Option<u16>,
    diplomat: bool,
}

/// A figure's enemies with their ranges and what covers them, worked out once for many squares that it might stand on.
#[derive(Debug)]
pub struct Distances<'b> {
    enemies: Vec<Enemy<'b>>,
    /// Squares of figures that give cover against the attacker.
    screens: Squares,
    reach: Option<u16>,
    melee: bool,
    accurate: bool,
}

impl<'b> Distances<'b> {
    /// Of a figure's enemies, in order of their ids.
    pub fn new(board: &'b Board, attacker: &Figure) -> Distances<'b> {
        let enemies = board.enemies(attacker).map(|figure| Enemy {
            figure,
            space: figure.space(),
            ranges: board.ranges(figure.space()),
            hides_beyond: (figure.card.effects())
                .filter_map(|effect| match effect {
                    Effect::HiddenInCover { beyond } => Some(*beyond),
                    _ => None,
                })
                .min(),
            diplomat: figure.card.has(|effect| *effect == Effect::Diplomat),
        });
        Distances {
            enemies: enemies.collect(),
            screens: board.screens(attacker),
            reach: attacker.card.number(|effect| match effect {
                Effect::Reach(squares) => Some(*squares),
                _ => None,
            }),
            melee: attacker.card.is_melee(),
            accurate: attacker.card.has(|effect| *effect == Effect::AttacksCovered),
        }
    }

    /// Each enemy with its range from a space; the highest number where walls shut it off.
    pub fn to(&self, space: Space) -> impl Iterator<Item = (&'b Figure, u16)> + '_ {
        let enemies = self.enemies.iter();
        enemies.map(move |enemy| (enemy.figure, enemy.ranges.to_space(space).unwrap_or(u16::MAX)))
    }

    /// The range of the nearest enemy, seen or not.
    pub fn nearest(&self, space: Space) -> u16 {
        self.to(space).map(|(_, range)| range).min().unwrap_or(u16::MAX)
    }
}

/// All enemies that an attacker sees from a space, in order of their ids, with who of them may be attacked.
pub fn sighted<'b>(board: &'b Board, attacker: &Figure, space: Space, options: &Options) -> Vec<Sighted<'b>> {
    sighted_from(board, &Distances::new(board, attacker), space, options, Covers::All)
}

/// The same for an attack that even a figure with Melee Attack makes from afar.
pub fn sighted_to_throw<'b>(board: &'b Board, attacker: &Figure, space: Space, options: &Options) -> Vec<Sighted<'b>> {
    let distances = Distances {
        melee: false,
        ..Distances::new(board, attacker)
    };
    sighted_from(board, &distances, space, options, Covers::All)
}

/// How many enemies an attacker could attack from a space, and how many it would see (SWM-S2).
pub fn field(board: &Board, distances: &Distances<'_>, space: Space, options: &Options) -> (usize, usize) {
    let seen = sighted_from(board, distances, space, options, Covers::AsNeeded);
    (seen.iter().filter(|enemy| enemy.legal).count(), seen.len())
}

/// Whether cover is worked out where it does not change who may be attacked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Covers {
    All,
    AsNeeded,
}

pub(super) fn sighted_from<'b>(
    board: &Board,
    distances: &Distances<'b>,
    space: Space,
    options: &Options,
    covers: Covers,
) -> Vec<Sighted<'b>> {
    let mut all: Vec<(Sighted<'b>, &Enemy<'b>)> = Vec::with_capacity(distances.enemies.len());
    let (mut only_diplomats, mut beside) = (true, false);
    for enemy in &distances.enemies {
        if !board.sees(space, enemy.space) {
            continue;
        }
        let range = enemy.ranges.to_space(space).unwrap_or(u16::MAX);
        let is_beside = board.are_adjacent(space, enemy.space);
        only_diplomats &= enemy.diplomat;
        beside |= is_beside && !enemy.diplomat;
        let sighted = Sighted {
            figure: enemy.figure,
            range,
            adjacent: is_beside || distances.reach.is_some_and(|reach| range <= reach),
            covered: false,
            nearest: false,
            legal: false,
        };
        all.push((sighted, enemy));
    }
    // Who is in reach only may be attacked as if adjacent, but does not keep others from being attacked.
    let any_adjacent = beside || only_diplomats && all.iter().any(|(_, enemy)| board.are_adjacent(space, enemy.space));
    // Adjacent enemies never have cover, nor those that are attacked as if adjacent.
    let cover = |sighted: &Sighted<'_>, enemy: &Enemy<'_>| {
        !sighted.adjacent && board.is_covered(space, enemy.space, &distances.screens, options)
    };
    // Stealth: with cover and far enough away it is passed over as the nearest.
    let stealthy =
        |sighted: &Sighted<'_>, enemy: &Enemy<'_>| enemy.hides_beyond.is_some_and(|beyond| sighted.range > beyond);
    let passed_over = |sighted: &Sighted<'_>, enemy: &Enemy<'_>| {
        (sighted.covered && stealthy(sighted, enemy)) || (enemy.diplomat && !only_diplomats)
    };
    let mut least = None;
    for (sighted, enemy) in &mut all {
        if covers == Covers::All || stealthy(sighted, enemy) {
            sighted.covered = cover(sighted, enemy);
        }
        if !passed_over(sighted, enemy) {
            least = Some(least.map_or(sighted.range, |least: u16| least.min(sighted.range)));
        }
    }
    for (sighted, enemy) in &mut all {
        let spared = enemy.diplomat && !only_diplomats;
        sighted.nearest = least == Some(sighted.range) && !passed_over(sighted, enemy);
        sighted.legal = if spared {
            false
        } else if any_adjacent || distances.melee {
            sighted.adjacent
        } else if sighted.nearest || distances.accurate || sighted.adjacent {
            true
        } else {
            if covers == Covers::AsNeeded && !sighted.covered {
                sighted.covered = cover(sighted, enemy);
            }
            !sighted.covered
        };
    }
    all.into_iter().map(|(sighted, _)| sighted).collect()
}

/// Why an attacker may not attack a figure from where it stands (SWM 1.5), in words; `None` where it may.
pub fn why_not(board: &Board, attacker: &Figure, target: &Figure, options: &Options) -> Option<String> {
    if target.side == attacker.side {
        return Some("it is no enemy".to_owned());
    }
    if !target.in_play() {
        return Some("it is defeated".to_owned());
    }
    let seen = sighted(board, attacker, attacker.space(), options);
    let Some(own) = seen.iter().find(|enemy| enemy.figure.id == target.id) else {
        return Some("no line of sight leads to it: walls are in the way of every one".to_owned());
    };
    if own.legal {
        return None;
    }
    let is_diplomat = |figure: &Figure| figure.card.has(|effect| *effect == Effect::Diplomat);
    let others = || seen.iter().filter(|enemy| !is_diplomat(enemy.figure));
    if is_diplomat(target)
        && let Some(other) = others().next()
    {
        let name = other.figure.called();
        return Some(format!("it is a Diplomat, no target as long as {name} is seen"));
    }
    let beside = |enemy: &&Sighted<'_>| board.are_adjacent(attacker.space(), enemy.figure.space());
    if let Some(other) = seen.iter().filter(beside).find(|enemy| enemy.legal) {
        let name = other.figure.called();
        return Some(format!(
            "{name} is adjacent, and then only adjacent enemies may be attacked"
        ));
    }
    if attacker.card.is_melee() {
        return Some("it is not adjacent, and Melee Attack is for adjacent enemies only".to_owned());
    }
    let cover = board.cover_words(attacker, target, options);
    let nearest = seen.iter().find(|enemy| enemy.nearest);
    let nearest = nearest.map_or_else(String::new, |enemy| {
        format!(": {} is, at range {}", enemy.figure.called(), enemy.range)
    });
    Some(format!("it has cover ({cover}) and is not the nearest enemy{nearest}"))
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
