//! SA-12: actions that cards give. In the ship's own activation such an action is one more link of SA-8.1: the lines of the
//! attitude come first. What no line wants is looked at by itself: tokens, if the ship may still attack or be attacked;
//! moves, by the three tests.

use super::{Context, chances::may_still_fight, moves};
use crate::{
    decision::Reason,
    dice::DiceSource,
    solo_alpha::{
        self, ActionDecision, DecideError, MoveResult, Options, PlannedAction, action, attitude::Attitude, chart,
        outcome::movement_options, sentence::Named,
    },
    xwing::{
        action::{ActionDetail, ActionKind, BarAction},
        battle::{Battle, GivenAction, Order},
        ship::Ship,
    },
};

/// An action that a card gives, decided.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GivenDecision {
    /// The action; `None` to take none.
    pub order: Option<Order>,
    /// Why.
    pub reasons: Vec<Reason>,
}

const TOKENS: [ActionKind; 3] = [ActionKind::Focus, ActionKind::Evade, ActionKind::Calculate];
const MOVES: [ActionKind; 3] = [ActionKind::BarrelRoll, ActionKind::Boost, ActionKind::RotateArc];

/// SA-12: whether and how a ship takes an action that a card gives.
pub fn decide(
    battle: &Battle,
    given: &GivenAction,
    context: Option<&Context>,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> GivenDecision {
    let mut reasons = Vec::new();
    let order = by_attitude(battle, given, context, options, dice, &mut reasons)
        .or_else(|| token(battle, given, &mut reasons))
        .or_else(|| by_move(battle, given, context, options, dice, &mut reasons));
    if order.is_none() {
        reasons.push(reason(given, "no action that it gives is wanted".to_owned()));
    }
    GivenDecision { order, reasons }
}

/// The lowest number of a line that a decision meets.
pub(super) fn lowest_line(decision: &ActionDecision) -> Option<u8> {
    let lines = decision.sequence.iter().filter_map(|planned| planned.line);
    lines.map(|line| line.number).min()
}

/// SA-8 and SA-8.1 in the own activation, with the actions that cards give after an action as links of it: a lower line may
/// come first if the card's link meets a higher one. The link itself is decided when the card comes up.
///
/// # Errors
/// As [`solo_alpha::perform_action`].
pub fn perform(
    battle: &Battle,
    id: &str,
    attitude: Attitude,
    result: &MoveResult,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> Result<ActionDecision, DecideError> {
    let table = battle.table();
    let plain = solo_alpha::perform_action(table, id, attitude, result, options, dice)?;
    let links = battle.links_by_cards(id);
    if links.is_empty() || !plain.lost.is_empty() {
        return Ok(plain);
    }
    let Some(mut ship) = table.ship(id).cloned() else {
        return Ok(plain);
    };
    let linked = links.iter().map(|(first, given, _)| BarAction {
        action: *first,
        linked: Some(*given),
    });
    ship.actions.extend(linked);
    let mut with_cards = action::decide(table, ship, false, attitude, result, options, dice);
    let better = match (lowest_line(&with_cards), lowest_line(&plain)) {
        (Some(with), Some(without)) => with < without,
        (with, None) => with.is_some(),
        (None, Some(_)) => false,
    };
    if !better || with_cards.sequence.len() < 2 {
        return Ok(plain);
    }
    let (first, then) = (&with_cards.sequence[0], &with_cards.sequence[1]);
    let card = links
        .iter()
        .find(|(action, given, _)| action.kind == first.kind && given.kind == then.kind);
    let text = format!(
        "{} first: {} gives {} then, which meets the higher line",
        Named(table.rules.edition, first),
        card.map_or("a card", |(.., card)| card),
        Named(table.rules.edition, then)
    );
    with_cards.reasons.push(Reason {
        rule: "SA-8.1".to_owned(),
        text,
        compared: Vec::new(),
    });
    with_cards.sequence.truncate(1);
    Ok(with_cards)
}

fn reason(given: &GivenAction, text: String) -> Reason {
    Reason {
        rule: "SA-12".to_owned(),
        text: format!("{}: {text}", given.card),
        compared: Vec::new(),
    }
}

/// The ship as it may take only what the card gives.
fn as_given(ship: &Ship, given: &GivenAction) -> Ship {
    let mut ship = ship.clone();
    ship.actions = (given.actions.iter())
        .map(|&action| BarAction { action, linked: None })
        .collect();
    if given.while_stressed {
        ship.standing.acts_stressed = given.actions.iter().map(|action| action.kind).collect();
    }
    ship
}

/// The lines of SA-8: of the attitude in the ship's own activation, of a die elsewhere (SA-8.2), where the kind of action
/// is left open at all.
fn by_attitude(
    battle: &Battle,
    given: &GivenAction,
    context: Option<&Context>,
    options: &Options,
    dice: &mut dyn DiceSource,
    reasons: &mut Vec<Reason>,
) -> Option<Order> {
    let table = battle.table();
    let ship = table.ship(&given.ship)?;
    let own = context.filter(|context| context.ship == given.ship);
    let all = |kinds: &[ActionKind]| given.actions.iter().all(|action| kinds.contains(&action.kind));
    let (attitude, result) = match own {
        Some(context) => (
            context.attitude,
            MoveResult {
                maneuver: context.result.maneuver,
                heed: context.result.heed.clone(),
                ionized: ship.is_ionized(),
                ..MoveResult::default()
            },
        ),
        None => {
            let result = MoveResult {
                ionized: ship.is_ionized(),
                ..MoveResult::default()
            };
            // Moves and tokens are measured by themselves; a lock is wanted whatever the attitude.
            let attitude = if all(&MOVES) || all(&TOKENS) {
                return None;
            } else if all(&[ActionKind::Lock]) {
                Attitude::Offensive
            } else {
                let die = dice.defence();
                let attitude = Attitude::from_die(die);
                let text = format!("rolled {} for the attitude, {attitude}", chart::defence_name(die));
                reasons.push(reason(given, text));
                attitude
            };
            (attitude, result)
        }
    };
    let decision = action::decide(table, as_given(ship, given), false, attitude, &result, options, dice);
    let planned = decision.sequence.first()?;
    let line = planned.line.map(|line| line.id());
    let text = match line {
        Some(line) => format!("{} by line {line}", Named(table.rules.edition, planned)),
        None => Named(table.rules.edition, planned).to_string(),
    };
    reasons.push(reason(given, text));
    Some(order(planned))
}

fn order(planned: &PlannedAction) -> Order {
    Order::Bar {
        kind: planned.kind,
        difficulty: planned.difficulty,
        detail: planned.detail.clone(),
    }
}

/// Line 4 of the ladder: a green token that it lacks and may still need.
fn token(battle: &Battle, given: &GivenAction, reasons: &mut Vec<Reason>) -> Option<Order> {
    let ship = battle.table().ship(&given.ship)?;
    let tokens = &ship.tokens;
    let lacks = |kind: ActionKind| match kind {
        ActionKind::Focus => tokens.focus == 0,
        ActionKind::Evade => tokens.evade == 0,
        ActionKind::Calculate => tokens.calculate == 0,
        _ => false,
    };
    let mut wanted = TOKENS.iter().filter(|kind| lacks(**kind));
    let action = wanted.find_map(|kind| given.actions.iter().find(|action| action.kind == *kind))?;
    if !may_still_fight(battle, ship) {
        reasons.push(reason(
            given,
            "it can neither attack nor be attacked any more this round: no token".to_owned(),
        ));
        return None;
    }
    let text = format!("{}: it may still attack or be attacked this round", action.kind.name());
    reasons.push(reason(given, text));
    Some(Order::Bar {
        kind: action.kind,
        difficulty: action.difficulty,
        detail: ActionDetail::Token,
    })
}

/// Line 5 of the ladder: a move that meets one of the three tests.
fn by_move(
    battle: &Battle,
    given: &GivenAction,
    context: Option<&Context>,
    options: &Options,
    dice: &mut dyn DiceSource,
    reasons: &mut Vec<Reason>,
) -> Option<Order> {
    let kinds: Vec<ActionKind> = (given.actions.iter().map(|action| action.kind))
        .filter(|kind| MOVES.contains(kind))
        .collect();
    if kinds.is_empty() {
        return None;
    }
    let table = battle.table();
    let ship = table.ship(&given.ship)?;
    let heed = context
        .filter(|context| context.ship == given.ship)
        .and_then(|context| context.result.heed.as_ref());
    let survey = moves::Survey::new(table, ship);
    let mut candidates = survey.candidates(&kinds, &movement_options(options));
    let color = |candidate: &moves::Candidate| {
        let mut actions = given.actions.iter().filter(|action| action.kind == candidate.kind);
        actions.find_map(|action| ship.color_of(&candidate.detail, action.difficulty))
    };
    candidates.retain(|candidate| color(candidate).is_some());
    let choice = moves::choose(&survey, candidates, heed, &given.card, options, dice);
    reasons.push(choice.reason);
    let chosen = choice.chosen?;
    let difficulty = color(&chosen)?;
    Some(Order::Bar {
        kind: chosen.kind,
        difficulty,
        detail: chosen.detail,
    })
}
