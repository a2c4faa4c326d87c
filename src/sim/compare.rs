//! Two plans side by side: what of the figures differs, game by game with the same dice.

use statrs::distribution::{ContinuousCDF, Normal};

use super::figures::{GameFigures, SIDES};

/// A mean with the half width of its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half of the interval, on either side of it; infinite for fewer than two values.
    pub half_width: f64,
}

impl Mean {
    /// The mean of values. `None` of none.
    pub fn of(values: &[f64]) -> Option<Mean> {
        let count = values.len() as f64;
        if values.is_empty() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half_width = match values.len() {
            1 => f64::INFINITY,
            _ => quantile_95() * (squares / (count - 1.0) / count).sqrt(),
        };
        Some(Mean { mean, half_width })
    }

    /// Whether zero is outside of the interval.
    pub fn is_distinct(&self) -> bool {
        self.mean.abs() > self.half_width
    }
}

/// The quantile of the normal distribution that an interval of 95 % reaches to, on either side.
pub fn quantile_95() -> f64 {
    Normal::standard().inverse_cdf(0.975)
}

/// Figures with their names; `None` where one is not known.
pub type Figures = Vec<(String, Option<f64>)>;

/// Figures of one game with their names: of both sides, and of the game as a whole.
pub fn figures_of(game: &GameFigures) -> Figures {
    let mut figures = vec![
        (
            "player wins".to_owned(),
            Some(f64::from(u8::from(game.winner == Some(0)))),
        ),
        (
            "solo wins".to_owned(),
            Some(f64::from(u8::from(game.winner == Some(1)))),
        ),
        ("rounds".to_owned(), Some(game.rounds.len() as f64)),
    ];
    for (side, totals) in game.totals().into_iter().enumerate() {
        let name = SIDES[side];
        for (figure, value) in totals.named() {
            let figure = figure.replace('_', " ");
            figures.push((format!("{name} {figure}"), Some(f64::from(value))));
        }
        figures.push((format!("{name} points ratio"), game.final_ratio(side)));
    }
    figures
}

/// One figure of several plans.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What it is.
    pub name: String,
    /// Its mean in each plan.
    pub means: Vec<Mean>,
    /// By how much each plan but the first differs from the first one, game by game.
    pub differences: Vec<Mean>,
}

/// The figures of several plans over the games that all of them have played. A figure that is not known in all games is
/// left out.
pub fn table(plans: &[Vec<GameFigures>]) -> Vec<Row> {
    let common = |game: &u64| {
        let has = |games: &Vec<GameFigures>| games.binary_search_by_key(game, |figures| figures.game).is_ok();
        plans.iter().all(has)
    };
    // By plan, then by game, then by figure.
    let values: Vec<Vec<Figures>> = (plans.iter())
        .map(|games| games.iter().filter(|game| common(&game.game)).map(figures_of).collect())
        .collect();
    let Some(first) = values.first().and_then(|games| games.first()) else {
        return Vec::new();
    };
    let rows = first.iter().enumerate().map(|(place, (name, _))| {
        let column = |games: &Vec<Figures>| {
            let values = games.iter().map(|figures| figures[place].1);
            values.collect::<Option<Vec<f64>>>()
        };
        let columns = values.iter().map(column).collect::<Option<Vec<Vec<f64>>>>()?;
        let differences = columns.iter().skip(1).map(|column| {
            let pairs = column.iter().zip(&columns[0]);
            Mean::of(&pairs.map(|(here, there)| here - there).collect::<Vec<f64>>())
        });
        Some(Row {
            name: name.clone(),
            means: columns.iter().map(|column| Mean::of(column)).collect::<Option<_>>()?,
            differences: differences.collect::<Option<_>>()?,
        })
    });
    rows.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_comes_with_its_interval() {
        // Sample deviation 1, so 1.96 / sqrt(3).
        let mean = Mean::of(&[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(mean.mean, 2.0);
        assert!((mean.half_width - 1.959_964 / 3.0_f64.sqrt()).abs() < 1e-6, "{mean:?}");
        assert!(mean.is_distinct());
        assert!(!Mean::of(&[5.0]).unwrap().is_distinct());
        assert!(!Mean::of(&[-1.0, 1.0, -1.0, 1.0]).unwrap().is_distinct());
        assert_eq!(Mean::of(&[]), None);
    }
}
