//! Logistic regression on one value, and where it crosses the half.

use serde::Serialize;

use crate::sim::compare::quantile_95;

/// The chance to win is 1 / (1 + exp(-(intercept + slope x))).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fit {
    /// The intercept.
    pub intercept: f64,
    /// The slope, for each point.
    pub slope: f64,
    /// Variances of intercept and slope, and their covariance.
    covariance: [f64; 3],
    /// The lowest and the highest value of the games.
    pub range: (f64, f64),
    /// Games.
    pub games: usize,
}

impl Fit {
    /// Fits values and outcomes (0 to 1) by maximum likelihood, with Jeffreys' prior (Firth), which keeps the slope finite
    /// where a value parts wins from losses cleanly. `None` of fewer than ten games, or of values that are all alike.
    pub fn of(games: &[(f64, f64)]) -> Option<Fit> {
        const LEAST: usize = 10;
        const STEPS: usize = 100;
        const DONE: f64 = 1e-10;
        let count = games.len() as f64;
        if games.len() < LEAST {
            return None;
        }
        let mean = games.iter().map(|(x, _)| x).sum::<f64>() / count;
        let spread = (games.iter().map(|(x, _)| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
        if spread.is_nan() || spread < 1e-9 {
            return None;
        }
        // On values of mean 0 and deviation 1, where Newton's steps are tame.
        let (mut a, mut b) = (0.0, 0.0);
        let mut inverse = [0.0; 3];
        for _ in 0..STEPS {
            // The information matrix and its inverse.
            let mut information = [0.0; 3];
            for (x, _) in games {
                let z = (x - mean) / spread;
                let p = chance(a + b * z);
                let weight = p * (1.0 - p);
                information[0] += weight;
                information[1] += weight * z * z;
                information[2] += weight * z;
            }
            let [aa, bb, ab] = information;
            let determinant = aa * bb - ab * ab;
            if determinant.is_nan() || determinant <= 1e-12 {
                return None;
            }
            inverse = [bb / determinant, aa / determinant, -ab / determinant];
            let mut score = [0.0; 2];
            for (x, outcome) in games {
                let z = (x - mean) / spread;
                let p = chance(a + b * z);
                let leverage = p * (1.0 - p) * (inverse[0] + 2.0 * z * inverse[2] + z * z * inverse[1]);
                let rest = outcome - p + leverage * (0.5 - p);
                score[0] += rest;
                score[1] += rest * z;
            }
            let step = [
                inverse[0] * score[0] + inverse[2] * score[1],
                inverse[2] * score[0] + inverse[1] * score[1],
            ];
            let size = step[0].abs().max(step[1].abs());
            // A long step is cut short, so that it cannot overshoot.
            let part = if size > 2.0 { 2.0 / size } else { 1.0 };
            a += part * step[0];
            b += part * step[1];
            if size < DONE {
                break;
            }
        }
        // Back to the values themselves.
        let [aa, bb, ab] = inverse;
        let slope = b / spread;
        Some(Fit {
            intercept: a - slope * mean,
            slope,
            covariance: [
                aa - 2.0 * ab * mean / spread + bb * mean * mean / (spread * spread),
                bb / (spread * spread),
                ab / spread - bb * mean / (spread * spread),
            ],
            range: (
                games.iter().map(|(x, _)| *x).fold(f64::INFINITY, f64::min),
                games.iter().map(|(x, _)| *x).fold(f64::NEG_INFINITY, f64::max),
            ),
            games: games.len(),
        })
    }

    /// The chance to win at a value.
    pub fn chance(&self, value: f64) -> f64 {
        chance(self.intercept + self.slope * value)
    }

    /// The value at which the chance to win is such.
    pub fn at(&self, chance: f64) -> f64 {
        (libm::log(chance / (1.0 - chance)) - self.intercept) / self.slope
    }

    /// The value at which half of the games are won.
    pub fn half(&self) -> f64 {
        self.at(0.5)
    }

    /// The 95 % interval of that value (Fieller). `None` where the games do not tell: the slope may be zero.
    pub fn interval(&self) -> Option<(f64, f64)> {
        // All x with (intercept + slope x)^2 <= z^2 times its variance.
        let z2 = quantile_95().powi(2);
        let [aa, bb, ab] = self.covariance;
        let square = self.slope * self.slope - z2 * bb;
        let linear = self.intercept * self.slope - z2 * ab;
        let constant = self.intercept * self.intercept - z2 * aa;
        let discriminant = linear * linear - square * constant;
        if square.is_nan() || square <= 0.0 || discriminant < 0.0 {
            return None;
        }
        let root = discriminant.sqrt();
        Some(((-linear - root) / square, (-linear + root) / square))
    }

    /// Whether half of the interval is no wider than this share of the estimate.
    pub fn is_precise(&self, share: f64) -> bool {
        (self.interval()).is_some_and(|(low, high)| (high - low) / 2.0 <= share * self.half().abs())
    }
}

fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Outcomes of a known curve, each chance met by as many wins as it says.
    fn games(half: f64, slope: f64, each: u32) -> Vec<(f64, f64)> {
        let mut games = Vec::new();
        for step in 0..=20 {
            let x = half - 50.0 + f64::from(step) * 5.0;
            let wins = (chance(slope * (x - half)) * f64::from(each)).round() as u32;
            games.extend((0..each).map(|game| (x, f64::from(u8::from(game < wins)))));
        }
        games
    }

    #[test]
    fn the_curve_that_made_the_games_is_found() {
        let fit = Fit::of(&games(140.0, -0.08, 200)).unwrap();
        assert!((fit.half() - 140.0).abs() < 0.1, "{fit:?}");
        assert!((fit.slope + 0.08).abs() < 0.001, "{fit:?}");
        let (low, high) = fit.interval().unwrap();
        assert!(low < 140.0 && 140.0 < high && high - low < 3.0, "{low} {high}");
        assert!((fit.chance(fit.at(0.2)) - 0.2).abs() < 1e-9);
        // Four times the games, half the interval.
        let fine = Fit::of(&games(140.0, -0.08, 800)).unwrap();
        let (a, b) = fine.interval().unwrap();
        assert!(((high - low) / (b - a) - 2.0).abs() < 0.05);
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        use crate::dice::{DiceSource as _, SeededDice};
        let mut held = 0;
        for seed in 0..400 {
            let mut dice = SeededDice::new(seed);
            let games: Vec<(f64, f64)> = (0..150)
                .map(|_| {
                    let x = 90.0 + dice.choose(101) as f64;
                    let won = (dice.choose(1_000_000) as f64) < 1e6 * chance(-0.05 * (x - 140.0));
                    (x, f64::from(u8::from(won)))
                })
                .collect();
            let interval = Fit::of(&games).unwrap().interval();
            held += usize::from(interval.is_some_and(|(low, high)| low < 140.0 && 140.0 < high));
        }
        // 95 %, give or take four deviations of 400 seeds.
        assert!((362..=397).contains(&held), "{held} of 400");
    }

    #[test]
    fn games_that_do_not_tell_have_no_interval() {
        assert_eq!(Fit::of(&[(1.0, 1.0); 9]), None);
        assert_eq!(Fit::of(&[(100.0, 1.0); 50]), None);
        // A win and a loss at each strength: no slope.
        let even: Vec<(f64, f64)> = (0..40).map(|n| (f64::from(n / 2), f64::from(n % 2))).collect();
        assert_eq!(Fit::of(&even).unwrap().interval(), None);
        // Wins and losses parted cleanly: finite, and between them.
        let parted: Vec<(f64, f64)> = (0..40).map(|n| (f64::from(n), f64::from(u8::from(n < 20)))).collect();
        let fit = Fit::of(&parted).unwrap();
        assert!(
            (fit.half() - 19.5).abs() < 0.5 && fit.slope < 0.0 && fit.slope.is_finite(),
            "{fit:?}"
        );
    }
}
