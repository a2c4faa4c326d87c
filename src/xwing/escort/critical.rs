//! Critical cards on the shuttle (PE-8.5): what they do to it, and when they turn down by themselves.

use serde::Deserialize;

use super::facts::EscortFacts;

/// What a card that lies face up does on the shuttle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardEffect {
    /// What it says.
    Card,
    /// Nothing; so a Console Fire never hurts the shuttle (PE-10.3).
    None,
}

/// When a card turns down by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnsDown {
    /// It stays.
    Never,
    /// As soon as it has done what it does.
    AtOnce,
    /// As the shuttle activates next: what it forbids is over with that.
    WhenItActivates,
    /// After the shuttle's next activation; the one in which it was dealt does not count.
    AfterNextActivation,
}

/// A critical card on the shuttle.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Critical {
    /// The damage card's id.
    pub card: String,
    /// What it does.
    pub effect: CardEffect,
    /// When it turns down.
    pub turns: TurnsDown,
}

/// What becomes of a damage card on the shuttle, by its id. One that no table lists does what it says and stays.
pub fn on_shuttle(card: &str) -> (CardEffect, TurnsDown) {
    let known = EscortFacts::embedded()
        .criticals
        .iter()
        .find(|critical| critical.card == card);
    known.map_or((CardEffect::Card, TurnsDown::Never), |critical| {
        (critical.effect, critical.turns)
    })
}

/// Moments at which cards turn down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The card has just come to lie face up.
    Dealt,
    /// The shuttle activates.
    Activates,
    /// Its activation is over.
    Activated,
}

/// Whether a card that lies face up on the shuttle turns down now. `before` says whether it lay face up when the activation
/// began: the activation in which it was dealt does not count (PE-8.5).
pub fn turns_down(card: &str, moment: Moment, before: bool) -> bool {
    match (on_shuttle(card).1, moment) {
        (TurnsDown::AtOnce, Moment::Dealt) => true,
        // What turned down at once by its own text does not lie here; what a text did not turn down goes at the latest now.
        (TurnsDown::AtOnce, Moment::Activates | Moment::Activated) => true,
        (TurnsDown::WhenItActivates, Moment::Activates) => before,
        (TurnsDown::AfterNextActivation, Moment::Activated) => before,
        _ => false,
    }
}
