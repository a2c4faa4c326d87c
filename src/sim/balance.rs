//! How strong an enemy a squad can stand: the enemy points at which the player wins half of the games.
//!
//! Enemy squads of many strengths are drawn by dice ([`enemies`]), fought, and the chance to win is fitted to their points
//! ([`logistic`]). Games are played in batches: the first ones cover all strengths that make sense, each next one those that
//! tell most about the half (a sequential design), so the games of a batch depend on the seed and on the batches before alone.

use std::{cmp::Ordering as Order, sync::Arc, sync::atomic::AtomicBool};

use serde::Serialize;

use super::{
    Plan,
    field::{Field, SimError},
    run, seed_of,
    squad::{self, Member},
};
use crate::{
    dice::SeededDice,
    xwing::{
        battle::Mission,
        catalog::Catalog,
        scenario::{Scenario, muster::Wishes},
    },
};

pub mod enemies;
pub mod logistic;

use self::{enemies::Pool, logistic::Fit};

/// Games of a batch.
const BATCH: usize = 60;
/// The first games are spread over these shares of the player's points.
const SPREAD: (f64, f64) = (0.4, 3.5);
/// The chances to win that tell most about the half, and the half itself.
const TELLING: [f64; 3] = [0.18, 0.5, 0.82];

/// Where the games are played.
#[derive(Debug, Clone)]
pub enum Ground {
    /// Two lines; the enemy has any number of ships.
    Lines(Vec<Member>),
    /// A scenario; the enemy has the ships that its groups ask for.
    Scenario(Box<Scenario>, Box<Wishes>),
}

/// What is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// Where the games are played, with the player's ships.
    pub ground: Ground,
    /// The player's points.
    pub player_points: u32,
    /// The enemies.
    pub pool: Pool,
    /// How games are played; its meetings do not matter.
    pub plan: Plan,
    /// At most so many games.
    pub games: usize,
    /// It is enough when half of the interval is no wider than this share of the estimate.
    pub precision: f64,
    /// How many threads.
    pub threads: usize,
}

/// One game.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Trial {
    /// Points of the enemy squad.
    pub points: u32,
    /// xws ids of its pilots.
    pub pilots: Vec<String>,
    /// 1 when the player won, 0 when the solo side did, 0.5 when nobody did.
    pub outcome: f64,
}

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Games played in this batch and before.
    pub games: usize,
    /// The estimate so far.
    pub fit: Option<Fit>,
}

impl Question {
    /// How many ships an enemy squad has, at least and at most.
    fn ships(&self) -> (usize, usize) {
        match &self.ground {
            Ground::Lines(player) => (1, squad::MOST_SHIPS.max(player.len())),
            Ground::Scenario(scenario, wishes) => {
                let player = wishes
                    .squad
                    .as_ref()
                    .map_or(wishes.player_ships, |squad| squad.ships.len() as u32);
                let count = scenario.solo_ships(wishes.variant.as_deref(), player) as usize;
                (count, count)
            }
        }
    }

    /// The points that enemy squads can have.
    pub fn reach(&self) -> (f64, f64) {
        let (least, most) = self.ships();
        let (cheapest, dearest) = self.pool.prices();
        (least as f64 * f64::from(cheapest), most as f64 * f64::from(dearest))
    }

    fn field(&self, enemy: &crate::xwing::squad::Squad, catalog: &Catalog) -> Result<Option<Field>, SimError> {
        Ok(match &self.ground {
            Ground::Lines(player) => {
                let solo = squad::of_squad(enemy, catalog).ok();
                solo.map(|solo| Field::lines(["player", "solo"].map(str::to_owned), player.clone(), solo))
            }
            Ground::Scenario(scenario, wishes) => {
                let wishes = Wishes {
                    enemy_squad: Some(enemy.clone()),
                    ..(**wishes).clone()
                };
                Some(Field::mission(Mission::new((**scenario).clone(), catalog, &wishes)?))
            }
        })
    }

    /// Points to draw the next squads for.
    fn targets(&self, fit: Option<Fit>, count: usize) -> Vec<f64> {
        let (least, most) = self.reach();
        let own = f64::from(self.player_points);
        let useful = fit.filter(|fit| fit.slope < 0.0 && fit.half().is_finite());
        let target = |place: usize| match useful {
            None => {
                let (low, high) = (SPREAD.0 * own, SPREAD.1 * own);
                low + (high - low) * (place as f64 + 0.5) / count as f64
            }
            Some(fit) => fit.at(TELLING[place % TELLING.len()]),
        };
        (0..count).map(|place| target(place).clamp(least, most)).collect()
    }

    /// Plays until the answer is precise enough, the games are played, or `stop` is set. `each` is told after every game.
    ///
    /// # Errors
    /// A scenario that cannot be set up.
    pub fn answer(&self, stop: &AtomicBool, each: &(dyn Fn(Progress) + Sync)) -> Result<Vec<Trial>, SimError> {
        let catalog: Arc<Catalog> = match &self.plan.catalog {
            Some(catalog) => Arc::clone(catalog),
            None => Arc::new(self.plan.catalog().clone()),
        };
        let (least, most) = self.ships();
        let mut trials: Vec<Trial> = Vec::new();
        let mut batch = 0;
        while trials.len() < self.games && !stop.load(std::sync::atomic::Ordering::Relaxed) {
            let fit = Fit::of(&points_and_outcomes(&trials));
            if fit.is_some_and(|fit| fit.is_precise(self.precision)) {
                break;
            }
            let count = BATCH.min(self.games - trials.len());
            let seed = seed_of(self.plan.seed, batch);
            let mut dice = SeededDice::new(seed);
            let (mut fields, mut enemies) = (Vec::new(), Vec::new());
            for target in self.targets(fit, count) {
                let enemy = self.pool.draw(target, least..=most, &catalog, &mut dice);
                if let Some(field) = self.field(&enemy, &catalog)? {
                    fields.push(field);
                    enemies.push(enemy);
                }
            }
            let plan = Plan {
                fields,
                seed,
                catalog: Some(Arc::clone(&catalog)),
                ..self.plan.clone()
            };
            let before = trials.len();
            let done = std::sync::atomic::AtomicUsize::new(before);
            let games = run(&plan, enemies.len(), self.threads, stop, &|| {
                let games = 1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                each(Progress { games, fit });
            })?;
            for game in games {
                let enemy = &enemies[game.field];
                trials.push(Trial {
                    points: enemy
                        .points(&catalog)
                        .and_then(|points| u32::try_from(points).ok())
                        .unwrap_or(0),
                    pilots: enemy.ships.iter().filter_map(|ship| ship.pilot.clone()).collect(),
                    outcome: match game.winner {
                        Some(0) => 1.0,
                        Some(_) => 0.0,
                        None => 0.5,
                    },
                });
            }
            if enemies.is_empty() {
                break;
            }
            batch += 1;
        }
        Ok(trials)
    }
}

/// What [`Fit::of`] takes.
pub fn points_and_outcomes(trials: &[Trial]) -> Vec<(f64, f64)> {
    trials
        .iter()
        .map(|trial| (f64::from(trial.points), trial.outcome))
        .collect()
}

/// Games of enemies of similar strength.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// Enemy points, from and to.
    pub points: (u32, u32),
    /// Games.
    pub games: usize,
    /// The share that the player won; a game that nobody won counts half.
    pub share: f64,
    /// Its 95 % interval (Wilson).
    pub interval: (f64, f64),
}

/// Trials by strength, in so many groups of about the same number of games.
pub fn groups(trials: &[Trial], count: usize) -> Vec<Group> {
    let mut sorted: Vec<&Trial> = trials.iter().collect();
    sorted.sort_by(|a, b| match a.points.cmp(&b.points) {
        Order::Equal => a.outcome.total_cmp(&b.outcome),
        order => order,
    });
    let size = sorted.len().div_ceil(count.max(1)).max(1);
    let group = |part: &[&Trial]| {
        let won: f64 = part.iter().map(|trial| trial.outcome).sum();
        Group {
            points: (part[0].points, part[part.len() - 1].points),
            games: part.len(),
            share: won / part.len() as f64,
            interval: wilson(won, part.len() as f64),
        }
    };
    sorted.chunks(size).map(group).collect()
}

/// Wilson's 95 % interval of a share of games.
pub fn wilson(won: f64, games: f64) -> (f64, f64) {
    let z = super::compare::quantile_95();
    let (share, z2) = (won / games, z * z);
    let middle = (share + z2 / (2.0 * games)) / (1.0 + z2 / games);
    let half = z / (1.0 + z2 / games) * (share * (1.0 - share) / games + z2 / (4.0 * games * games)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_intervals_agree_with_published_ones() {
        // 7 of 10 and 0 of 10 of Newcombe's tables.
        let near = |(low, high): (f64, f64), (a, b): (f64, f64)| (low - a).abs() < 5e-5 && (high - b).abs() < 5e-5;
        assert!(near(wilson(7.0, 10.0), (0.3968, 0.8922)), "{:?}", wilson(7.0, 10.0));
        assert!(near(wilson(0.0, 10.0), (0.0, 0.2775)), "{:?}", wilson(0.0, 10.0));
    }

    #[test]
    fn groups_hold_every_trial_once() {
        let trial = |points, outcome| Trial {
            points,
            pilots: Vec::new(),
            outcome,
        };
        let trials: Vec<Trial> = (0..23)
            .map(|n| trial(100 + n * 7 % 23, f64::from(n % 3) / 2.0))
            .collect();
        let groups = groups(&trials, 5);
        assert_eq!(groups.iter().map(|group| group.games).sum::<usize>(), 23);
        assert!(
            groups.windows(2).all(|pair| pair[0].points.1 <= pair[1].points.0),
            "{groups:?}"
        );
        let won: f64 = groups.iter().map(|group| group.share * group.games as f64).sum();
        assert!((won - trials.iter().map(|trial| trial.outcome).sum::<f64>()).abs() < 1e-9);
    }
}
