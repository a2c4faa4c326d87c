//! The Force (SWM-F1 to F6): what an automated figure spends its points on, as soon as it can.

use crate::{
    decision::{Compared, Reason},
    swm::{
        ability::{Against, Effect},
        figure::Figure,
    },
};

/// SWM-F1 to F6: what a figure will do with its Force points, those of Force Renewal counted that it gains when it activates.
pub(super) fn reason(figure: &Figure, renewal: u16) -> Option<Reason> {
    let gained = if figure.activated { 0 } else { renewal };
    let points = figure.force + gained;
    if points == 0 {
        return None;
    }
    let repeats = match figure.card.has(|effect| *effect == Effect::NoForceRerollOrMove) {
        true => "does not repeat rolls with the Force",
        false => "repeats an attack that misses or a save that fails, never a hit",
    };
    // As on another figure's turn, with nothing spent yet.
    let mut rested = figure.clone();
    (rested.force, rested.force_spent) = (points, 0);
    let power = |adjacent: bool| {
        defends(&rested, adjacent).map_or_else(
            || "no power".to_owned(),
            |power| format!("{} for {}", power.name, power.cost),
        )
    };
    let against = [("a hit from beside it", true), ("a hit from afar", false)];
    Some(Reason {
        rule: "SWM-F6".to_owned(),
        text: format!(
            "{} has {points} Force point{}: {repeats}; once on a turn",
            figure.called(),
            if points == 1 { "" } else { "s" }
        ),
        compared: (against.into_iter())
            .map(|(what, adjacent)| Compared {
                candidate: what.to_owned(),
                value: Some(f64::from(points)),
                unit: "Force points".to_owned(),
                verdict: power(adjacent),
            })
            .collect(),
    })
}

/// A power against a hit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Power {
    /// The ability's name.
    pub name: String,
    /// Force points.
    pub cost: u16,
    /// What it does.
    pub effect: Effect,
}

/// SWM-F1, SWM-F2: whether it repeats a roll that missed or a save that failed. Hits and saves that were made are kept
/// (SWM-F5).
pub fn repeats(figure: &Figure, succeeded: bool) -> bool {
    !succeeded && figure.may_spend_force(1) && !figure.card.has(|effect| *effect == Effect::NoForceRerollOrMove)
}

/// What is added to a roll that was repeated.
pub fn bonus(figure: &Figure) -> u8 {
    let mettle = figure.card.number(|effect| match effect {
        Effect::Mettle { by } => Some(*by),
        _ => None,
    });
    mettle.unwrap_or(0)
}

/// SWM-F3: the power that it uses against a hit: the cheapest that fits, of equal ones the better odds.
pub fn defends(figure: &Figure, adjacent: bool) -> Option<Power> {
    let mut fitting: Vec<(u16, u8, Power)> = Vec::new();
    for ability in &figure.card.abilities {
        for effect in &ability.effects {
            let (cost, save) = match effect {
                Effect::Avoid {
                    cost, against, save, ..
                } => {
                    let fits = match against {
                        Against::Melee => adjacent,
                        Against::Ranged => !adjacent,
                        Against::Any => true,
                    };
                    if !fits {
                        continue;
                    }
                    (*cost, *save)
                }
                // The attacker's save: as good as 22 less that for the defender.
                Effect::Illusion { cost, save } => (*cost, 22 - (*save).min(21)),
                Effect::Absorb { cost, save } => (*cost, *save),
                _ => continue,
            };
            let cost = u16::from(cost);
            if figure.may_spend_force(cost) {
                let power = Power {
                    name: ability.name.clone(),
                    cost,
                    effect: effect.clone(),
                };
                fitting.push((cost, save, power));
            }
        }
    }
    // A stable sort: equal ones in the order of the card.
    fitting.sort_by_key(|(cost, save, _)| (*cost, *save));
    fitting.into_iter().next().map(|(.., power)| power)
}
