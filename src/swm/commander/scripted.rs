//! A player who is played for. It looks one move ahead: for every square that it can reach it weighs the expected damage of
//! the attack that it would make from there against that of the attacks that it would take there, and on the way: it runs past
//! an enemy that may strike at it where that is worth it. Idle friends combine fire with it, and a Force point takes it to an
//! enemy that it could not come to otherwise.

use super::{Commander, Explanation, intercepts};
use crate::{
    dice::D20Source,
    swm::{
        ability::Effect,
        area,
        board::Board,
        figure::Figure,
        movement::provokes_by_leaving,
        opponent::force,
        options::Options,
        skirmish::{
            Answer, FORCE_SQUARES, Request, Skirmish,
            turn::{COMBINED, OUT_OF_TURN},
        },
        square::Square,
        survey::Squares,
        targets::{self, Covers, Distances, Stance},
    },
};

/// The scripted player.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scripted;

/// What damage taken weighs against damage given.
const CAUTION: f64 = 0.6;

/// What an attack weighs that an enemy makes only if it moves first.
const AFTER_A_MOVE: f64 = 0.5;

/// What an enemy weighs that has activated this round.
const ACTIVATED: f64 = 0.6;

/// What the help of a friend must add at least, in expected damage.
const LEAST_HELP: f64 = 1.0;

/// How much more damage is worth that brings its target down.
const DEFEAT: f64 = 1.5;

/// What an attack is worth: expected damage, and more when it may bring the target down. Combined fire adds to its roll.
fn worth(attacker: &Figure, target: &Figure, (adjacent, covered): (bool, bool), stance: Stance, combined: i16) -> f64 {
    let (bonus, damage) = targets::strength(attacker, target, adjacent, stance);
    let needs = targets::defense(attacker, target, adjacent, covered) - bonus - combined;
    let chance = f64::from((21 - needs).clamp(1, 19)) / 20.0;
    let critical = f64::from(damage) / 20.0;
    let kill = if damage >= target.hit_points { DEFEAT } else { 1.0 };
    let twin = match attacker.card.has(|effect| *effect == Effect::TwinAttack) {
        true => 2.0,
        false => 1.0,
    };
    (chance * f64::from(damage.min(target.hit_points)) + critical) * kill * twin
}

/// What an area attack does to enemies less what it does to friends.
fn blast(board: &Board, figure: &Figure, ability: &str, target: &str) -> f64 {
    let area = area::of(&figure.card).find(|own| own.ability == ability);
    let (Some(area), Some(middle)) = (area, board.figure(target)) else {
        return 0.0;
    };
    if area.attacks > 0 {
        let reached = area.affected(board, figure, figure.space(), middle).into_iter();
        let each = reached.map(|other| {
            let adjacent = board.are_adjacent(figure.space(), other.space());
            worth(figure, other, (adjacent, false), OUT_OF_TURN, 0) * f64::from(area.attacks)
        });
        return each.sum();
    }
    let damage = area.damage;
    let chance = area.save.map_or(1.0, |save| f64::from(save.clamp(1, 21) - 1) / 20.0);
    let reached = area.affected(board, figure, figure.space(), middle).into_iter();
    reached
        .map(|other| {
            let kill = if damage >= other.hit_points { DEFEAT } else { 1.0 };
            let loss = chance * f64::from(damage.min(other.hit_points)) * kill;
            if other.side == figure.side { -loss } else { loss }
        })
        .sum()
}

/// What a figure thinks over on its turn.
struct Mind<'s> {
    board: &'s Board,
    figure: &'s Figure,
    options: &'s Options,
    distances: Distances<'s>,
    /// What covers it against each of its enemies, wherever it stands.
    screens: Vec<Squares>,
}

/// A square that it can reach.
#[derive(Debug, Clone, Copy)]
struct Spot {
    at: Square,
    cost: u16,
    /// Expected damage of attacks of opportunity on the way.
    toll: f64,
}

impl<'s> Mind<'s> {
    fn new(board: &'s Board, figure: &'s Figure, options: &'s Options) -> Mind<'s> {
        Mind {
            board,
            figure,
            options,
            distances: Distances::new(board, figure),
            screens: (board.enemies(figure))
                .map(|enemy| board.screens_without(enemy, figure))
                .collect(),
        }
    }

    /// The best target from a square, and what one attack on it is worth.
    fn best(&self, at: Square, moved: bool) -> Option<(&str, f64)> {
        let stance = Stance {
            moved,
            stays: false,
            charged: false,
        };
        let space = self.figure.space_at(at);
        let seen = targets::sighted_from(self.board, &self.distances, space, self.options, Covers::All);
        let legal = seen.into_iter().filter(|enemy| enemy.legal);
        legal
            .map(|enemy| {
                let worth = worth(self.figure, enemy.figure, (enemy.adjacent, enemy.covered), stance, 0);
                (enemy.figure.id.as_str(), worth)
            })
            .max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| b.0.cmp(a.0)))
    }

    /// Expected damage that enemies would do to the figure on a square until it acts again.
    fn danger(&self, at: Square) -> f64 {
        let space = self.figure.space_at(at);
        let each = self.distances.to(space).enumerate().map(|(place, (enemy, range))| {
            if !enemy.card.can_attack() {
                return 0.0;
            }
            let stands = Stance {
                moved: false,
                stays: true,
                charged: false,
            };
            let adjacent = self.board.are_adjacent(space, enemy.space());
            let reaches = range <= enemy.single_move().saturating_add(1);
            let (covered, chance) = if adjacent {
                (false, 1.0 + f64::from(enemy.card.extra_attacks()))
            } else if enemy.card.is_melee() {
                // It must come here first.
                (false, if reaches { 1.0 } else { 0.0 })
            } else if self.board.sees(enemy.space(), space) {
                let covered = (self.board).is_covered(enemy.space(), space, &self.screens[place], self.options);
                (covered, 1.0 + f64::from(enemy.card.extra_attacks()) / 2.0)
            } else {
                (true, if reaches { AFTER_A_MOVE } else { 0.0 })
            };
            let again = if enemy.activated { ACTIVATED } else { 1.0 };
            chance * again * worth(enemy, self.figure, (adjacent, covered), stands, 0)
        });
        each.sum()
    }

    /// Expected damage of the attacks of opportunity on a way (SWM 1.8), one for each enemy.
    fn toll(&self, way: &[Square]) -> f64 {
        let mut mover = self.figure.clone();
        let mut struck: Vec<&str> = Vec::new();
        let mut sum = 0.0;
        for &to in way {
            for enemy in self.board.enemies(self.figure) {
                let may = enemy.card.can_attack() && !struck.contains(&enemy.id.as_str());
                if may && provokes_by_leaving(self.board, &mover, enemy) {
                    struck.push(&enemy.id);
                    sum += worth(enemy, self.figure, (true, false), OUT_OF_TURN, 0);
                }
            }
            mover.at = to;
        }
        sum
    }

    /// The square within a budget where it is least in danger, if there is a better one than where it stands; what the way
    /// there costs it in attacks of opportunity counts.
    fn shelter(&self, spots: &[Spot], budget: u16) -> Option<(Square, f64)> {
        let here = self.danger(self.figure.at);
        let safest = (spots.iter().filter(|spot| spot.cost <= budget))
            .map(|spot| (spot.at, spot.cost, self.danger(spot.at) + spot.toll / CAUTION))
            .min_by(|a, b| a.2.total_cmp(&b.2).then_with(|| (a.1, a.0).cmp(&(b.1, b.0))));
        safest
            .filter(|(.., danger)| *danger < here)
            .map(|(at, _, danger)| (at, danger))
    }

    /// Friends that it is worth more to have them help an attack than to let them act themselves (SWM 1.7).
    fn helpers(&self, skirmish: &Skirmish, target: &str, moved: bool) -> Vec<String> {
        let seen = targets::sighted_from(
            self.board,
            &self.distances,
            self.figure.space(),
            self.options,
            Covers::All,
        );
        let Some(enemy) = seen.iter().find(|enemy| enemy.figure.id == target) else {
            return Vec::new();
        };
        let stance = Stance { moved, ..OUT_OF_TURN };
        let value = |combined| {
            let seen = (enemy.adjacent, enemy.covered);
            worth(self.figure, enemy.figure, seen, stance, combined)
        };
        let (mut with, mut bonus) = (Vec::new(), 0);
        for friend in skirmish.may_combine(target) {
            let own = Mind::new(self.board, friend, self.options);
            let own = own.best(friend.at, false).map_or(0.0, |(_, worth)| worth);
            if value(bonus + COMBINED) - value(bonus) > own.max(LEAST_HELP) {
                with.push(friend.id.clone());
                bonus += COMBINED;
            }
        }
        with
    }

    /// A move that a Force point takes 2 squares farther, where only that brings it to an attack (SWM 1.3).
    fn by_force(&self, skirmish: &Skirmish, steps: u16) -> Option<Answer> {
        if steps == 0 || skirmish.has_moved() || !skirmish.may_move_by_force() {
            return None;
        }
        let budget = steps + FORCE_SQUARES;
        let ways = skirmish.ways_now(budget, true)?;
        let best = (ways.ends(budget))
            .filter(|(at, cost)| *cost > steps && skirmish.may_stop(*at, skirmish.may_still_move() + FORCE_SQUARES))
            .filter_map(|(at, cost)| Some((at, cost, self.best(at, true)?.1 - CAUTION * self.danger(at))))
            .max_by(|a, b| a.2.total_cmp(&b.2).then_with(|| (b.1, b.0).cmp(&(a.1, a.0))))?;
        Some(Answer::Move {
            way: ways.way(best.0),
            force: true,
        })
    }

    /// The square that brings it nearest to an enemy, without an attack of opportunity if it may choose.
    fn nearer(&self, spots: &[Spot]) -> Option<Square> {
        let away = |at: Square| self.distances.nearest(self.figure.space_at(at));
        let unharmed = spots.iter().filter(|spot| spot.toll == 0.0);
        let best = unharmed
            .min_by_key(|spot| (away(spot.at), spot.cost, spot.at))
            .or(spots.first())?;
        (away(best.at) < away(self.figure.at)).then_some(best.at)
    }
}

impl Scripted {
    fn act(self, skirmish: &Skirmish, id: &str) -> Answer {
        let (board, options) = (skirmish.board(), skirmish.options());
        let Some(figure) = board.figure(id) else {
            return Answer::Done;
        };
        let mind = Mind::new(board, figure, options);
        let may_move = skirmish.may_still_move();
        let ways = (skirmish.ways_now(may_move, true), skirmish.ways_now(may_move, false));
        let (Some(ways), Some(reckless)) = ways else {
            return Answer::Done;
        };
        // Whatever it can reach unharmed, and what it can reach at the cost of attacks of opportunity.
        let mut spots: Vec<Spot> = ways
            .ends(may_move)
            .map(|(at, cost)| Spot { at, cost, toll: 0.0 })
            .collect();
        let barred = reckless.ends(may_move).filter(|(at, _)| ways.cost(*at).is_none());
        spots.extend(barred.map(|(at, cost)| Spot {
            at,
            cost,
            toll: mind.toll(&reckless.way(at)),
        }));
        if figure.card.has(|effect| *effect == Effect::EndsBesideEnemy) {
            spots.retain(|spot| skirmish.may_stop(spot.at, may_move));
        }
        let go = |end: Square| {
            let way = if ways.cost(end).is_some() {
                ways.way(end)
            } else {
                reckless.way(end)
            };
            match way.is_empty() {
                true => Answer::Done,
                false => Answer::Move { way, force: false },
            }
        };
        let (moved, attacked) = (skirmish.has_moved(), skirmish.has_attacked());
        let left = skirmish.attacks_left();
        let shelter = match moved {
            false => mind.shelter(&spots, figure.single_move().min(may_move)),
            true => None,
        };
        let danger = mind.danger(figure.at);
        let spared = shelter.map_or(0.0, |(_, safe)| CAUTION * (danger - safe));
        // What it can do from where it stands.
        let now = mind.best(figure.at, moved).filter(|_| left > 0);
        let bomb = (skirmish.areas_now().into_iter())
            .flat_map(|area| {
                let ability = area.ability;
                area.targets.into_iter().map(move |target| (ability.clone(), target))
            })
            .map(|(ability, target)| {
                let worth = blast(board, figure, &ability, &target);
                (Answer::Area { ability, target }, worth)
            })
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let bomb = bomb.filter(|(_, worth)| *worth > 0.0);
        if attacked {
            // One more attack in place of stepping back, where it is worth more.
            return match (now, shelter) {
                (Some((target, worth)), _) if worth >= spared => attack(target, Vec::new()),
                (_, Some((at, _))) if may_move > 0 => go(at),
                (Some((target, _)), None) => attack(target, Vec::new()),
                _ => Answer::Done,
            };
        }
        let all = f64::from(left);
        let volley = now.map(|(target, worth)| (target, (worth * all).max(worth + spared)));
        // A bomb lets it step back, too.
        let bomb = bomb.map(|(answer, worth)| (answer, worth + spared));
        let steps = skirmish.may_move_and_attack();
        let others = (spots.iter()).filter(|spot| spot.cost <= steps && spot.at != figure.at && !moved);
        let fight = others.filter_map(|spot| {
            let (_, worth) = mind.best(spot.at, true)?;
            let gain = CAUTION * (danger - mind.danger(spot.at)) - spot.toll;
            Some((spot.at, spot.cost, worth + gain))
        });
        let fight = fight.max_by(|a, b| a.2.total_cmp(&b.2).then_with(|| (b.1, b.0).cmp(&(a.1, a.0))));
        if volley.is_none()
            && bomb.is_none()
            && fight.is_none()
            && let Some(farther) = mind.by_force(skirmish, steps)
        {
            return farther;
        }
        let stay = volley.map_or(f64::MIN, |(_, worth)| worth);
        let bombs = bomb.as_ref().map_or(f64::MIN, |(_, worth)| *worth);
        match (volley, bomb, fight) {
            (_, Some((bomb, worth)), _) if worth >= stay && worth >= fight.map_or(f64::MIN, |(.., worth)| worth) => {
                bomb
            }
            (Some((target, worth)), ..) if worth >= fight.map_or(f64::MIN, |(.., worth)| worth) => {
                attack(target, mind.helpers(skirmish, target, moved))
            }
            (_, _, Some((at, _, worth))) if figure.card.can_attack() && worth >= bombs => go(at),
            _ if moved || may_move == 0 => Answer::Done,
            _ if !figure.card.can_attack() => shelter.map_or(Answer::Done, |(at, _)| go(at)),
            _ => mind.nearer(&spots).map_or(Answer::Done, go),
        }
    }
}

fn attack(target: &str, with: Vec<String>) -> Answer {
    Answer::Attack {
        target: target.to_owned(),
        stays: false,
        with,
    }
}

impl Commander for Scripted {
    fn answer(&mut self, skirmish: &Skirmish, request: &Request, _: &mut dyn D20Source) -> Answer {
        let board = skirmish.board();
        match request {
            Request::First { side } => Answer::First(*side),
            Request::Activate { side } => {
                // Who can attack now goes first, the weakest before the others.
                let waiting = board.side(*side).filter(|figure| !figure.activated);
                let next = waiting.min_by_key(|figure| {
                    let seen = targets::sighted(board, figure, figure.space(), skirmish.options());
                    let idle = !seen.iter().any(|enemy| enemy.legal);
                    (idle, figure.hit_points, figure.id.clone())
                });
                Answer::Activate(next.map(|figure| figure.id.clone()).unwrap_or_default())
            }
            Request::Act { figure } => self.act(skirmish, figure),
            Request::Opportunity { .. } | Request::Reroll { .. } | Request::Riposte { .. } => Answer::Yes(true),
            Request::Defend { figure, powers, .. } => {
                let adjacent = skirmish.is_hit_from_beside();
                let power = board.figure(figure).and_then(|own| force::defends(own, adjacent));
                let place = power.and_then(|power| powers.iter().position(|name| *name == power.name));
                Answer::Power(place.or((!powers.is_empty()).then_some(0)))
            }
            Request::Intercept { figure, ally, damage } => Answer::Yes(intercepts(skirmish, figure, ally, *damage)),
            Request::ByHand { damage, .. } => Answer::Damage(*damage),
        }
    }

    fn explanation(&mut self) -> Option<Explanation> {
        None
    }
}
