//! A player who is played for. It looks one move ahead: for every square that it can reach it weighs the expected damage of
//! the attack that it would make from there against that of the attacks that it would take there.

use super::{Commander, Explanation, intercepts};
use crate::{
    dice::D20Source,
    swm::{
        ability::Effect,
        area,
        board::Board,
        figure::Figure,
        movement::Ways,
        opponent::force,
        options::Options,
        skirmish::{Answer, Request, Skirmish, turn::speed},
        square::Square,
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

/// How much more damage is worth that brings its target down.
const DEFEAT: f64 = 1.5;

/// What an attack is worth: expected damage, and more when it may bring the target down.
fn worth(attacker: &Figure, target: &Figure, adjacent: bool, covered: bool, stance: Stance) -> f64 {
    let (bonus, damage) = targets::strength(attacker, target, adjacent, stance);
    let needs = targets::defense(attacker, target, adjacent, covered) - bonus;
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
}

impl Mind<'_> {
    /// The best target from a square, and what one attack on it is worth.
    fn best(&self, at: Square, moved: bool) -> Option<(&str, f64)> {
        let stance = Stance {
            moved,
            stays: false,
            charged: false,
        };
        let space = self.figure.space_at(at);
        let seen = targets::sighted_from(
            self.board,
            &self.distances,
            self.figure,
            space,
            self.options,
            Covers::All,
        );
        let legal = seen.into_iter().filter(|enemy| enemy.legal);
        legal
            .map(|enemy| {
                let covered = !enemy.adjacent && !enemy.cover.is_empty();
                let worth = worth(self.figure, enemy.figure, enemy.adjacent, covered, stance);
                (enemy.figure.id.as_str(), worth)
            })
            .max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| b.0.cmp(a.0)))
    }

    /// Expected damage that enemies would do to the figure on a square until it acts again.
    fn danger(&self, at: Square) -> f64 {
        let space = self.figure.space_at(at);
        let each = self.distances.to(space).map(|(enemy, range)| {
            if !enemy.card.can_attack() {
                return 0.0;
            }
            let stands = Stance {
                moved: false,
                stays: true,
                charged: false,
            };
            let adjacent = self.board.are_adjacent(space, enemy.space());
            let reaches = range <= speed(&enemy.card).saturating_add(1);
            let (covered, chance) = if adjacent {
                (false, 1.0 + f64::from(enemy.card.extra_attacks()))
            } else if enemy.card.is_melee() {
                // It must come here first.
                (false, if reaches { 1.0 } else { 0.0 })
            } else if self.board.sees(enemy.space(), space) {
                let here = Figure {
                    at,
                    ..self.figure.clone()
                };
                let cover = self.board.cover(enemy, enemy.space(), &here, self.options);
                (!cover.is_empty(), 1.0 + f64::from(enemy.card.extra_attacks()) / 2.0)
            } else {
                (true, if reaches { AFTER_A_MOVE } else { 0.0 })
            };
            let again = if enemy.activated { ACTIVATED } else { 1.0 };
            chance * again * worth(enemy, self.figure, adjacent, covered, stands)
        });
        each.sum()
    }

    /// The square within a budget where it is least in danger, if there is a better one than where it stands.
    fn shelter(&self, ways: &Ways<'_>, budget: u16) -> Option<(Square, f64)> {
        let here = self.danger(self.figure.at);
        let safest = ways
            .ends(budget)
            .map(|(at, cost)| (at, cost, self.danger(at)))
            .min_by(|a, b| a.2.total_cmp(&b.2).then_with(|| (a.1, a.0).cmp(&(b.1, b.0))));
        safest
            .filter(|(.., danger)| *danger < here)
            .map(|(at, _, danger)| (at, danger))
    }

    /// The square that brings it nearest to an enemy.
    fn nearer(&self, ways: &Ways<'_>, budget: u16) -> Option<Square> {
        let away = |at: Square| self.distances.nearest(self.figure.space_at(at));
        let best = ways.ends(budget).min_by_key(|&(at, cost)| (away(at), cost, at))?;
        (away(best.0) < away(self.figure.at)).then_some(best.0)
    }
}

impl Scripted {
    fn act(self, skirmish: &Skirmish, id: &str) -> Answer {
        let (board, options) = (skirmish.board(), skirmish.options());
        let Some(figure) = board.figure(id) else {
            return Answer::Done;
        };
        let mind = Mind {
            board,
            figure,
            options,
            distances: Distances::new(board, figure),
        };
        let may_move = skirmish.may_still_move();
        let Some(ways) = skirmish.ways_now(may_move, true) else {
            return Answer::Done;
        };
        let go = |end: Square| match ways.way(end) {
            way if way.is_empty() => Answer::Done,
            way => Answer::Move { way, force: false },
        };
        let (moved, attacked) = (skirmish.has_moved(), skirmish.has_attacked());
        let left = skirmish.attacks_left();
        let shelter = match moved {
            false => mind.shelter(&ways, speed(&figure.card).min(may_move)),
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
                (Some((target, worth)), _) if worth >= spared => attack(target),
                (_, Some((at, _))) if may_move > 0 => go(at),
                (Some((target, _)), None) => attack(target),
                _ => Answer::Done,
            };
        }
        let all = f64::from(left);
        let volley = now.map(|(target, worth)| (target, (worth * all).max(worth + spared)));
        // A bomb lets it step back, too.
        let bomb = bomb.map(|(answer, worth)| (answer, worth + spared));
        let steps = skirmish.may_move_and_attack();
        let fight = (ways.ends(steps).filter(|(at, _)| *at != figure.at && !moved)).filter_map(|(at, cost)| {
            let (_, worth) = mind.best(at, true)?;
            Some((at, cost, worth + CAUTION * (danger - mind.danger(at))))
        });
        let fight = fight.max_by(|a, b| a.2.total_cmp(&b.2).then_with(|| (b.1, b.0).cmp(&(a.1, a.0))));
        let stay = volley.map_or(f64::MIN, |(_, worth)| worth);
        let bombs = bomb.as_ref().map_or(f64::MIN, |(_, worth)| *worth);
        match (volley, bomb, fight) {
            (_, Some((bomb, worth)), _) if worth >= stay && worth >= fight.map_or(f64::MIN, |(.., worth)| worth) => {
                bomb
            }
            (Some((target, worth)), ..) if worth >= fight.map_or(f64::MIN, |(.., worth)| worth) => attack(target),
            (_, _, Some((at, _, worth))) if figure.card.can_attack() && worth >= bombs => go(at),
            _ if moved || may_move == 0 => Answer::Done,
            _ if !figure.card.can_attack() => shelter.map_or(Answer::Done, |(at, _)| go(at)),
            _ => mind.nearer(&ways, may_move).map_or(Answer::Done, go),
        }
    }
}

fn attack(target: &str) -> Answer {
    Answer::Attack {
        target: target.to_owned(),
        stays: false,
        with: Vec::new(),
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
