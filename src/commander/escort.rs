//! Political Escort for a commander: how the opponent's choices for the scenario become answers (PE-A).

use std::borrow::Cow;

use crate::{
    decision::{Explanation, Reason},
    dice::DiceSource,
    solo_alpha::{
        Attitude, Options,
        escort::{
            aims::{Aims, aims},
            protect::{LineOfProtect, line, spend, wanted},
            race::{self, Racing},
        },
        sentence::called,
    },
    xwing::{
        battle::{Answer, Battle, EscortInPlay, Flight, Offer, Order},
        combat::Uncancelled,
        escort::protect::{PROTECT, cancellable},
        movement::Alignment,
        table::Table,
    },
};

/// The shuttle as its next move is weighed (PE-A2). `None` for every other ship.
pub fn racing<'b>(battle: &'b Battle, ship: &str) -> Option<Racing<'b>> {
    racing_on(battle.table(), battle.escort()?, ship, battle.guides())
}

/// As [`racing`], on a table as it was seen.
pub fn racing_on<'t>(table: &'t Table, play: &'t EscortInPlay, ship: &str, guides: bool) -> Option<Racing<'t>> {
    let shuttle = table.ship(ship).filter(|ship| ship.id == play.shuttle)?;
    Some(Racing {
        table,
        shuttle,
        state: play.state(),
        edge: play.attackers_edge,
        options: &play.options,
        guides,
    })
}

/// PE-A2: the shuttle's move. `None` for every other ship.
pub(super) fn fly(battle: &Battle, ship: &str, dice: &mut dyn DiceSource) -> Option<(Flight, Explanation)> {
    let decision = race::decide(&racing(battle, ship)?, dice)?;
    let flight = Flight {
        maneuver: decision.maneuver,
        alignment: Alignment::Middle,
        edge_turn: None,
    };
    Some((flight, Explanation::new(decision.sentence, decision.reasons)))
}

/// PE-A3 to PE-A5: what a ship is after. Nothing in particular where the scenario is not played.
pub(super) fn aims_of(battle: &Battle, ship: &str, options: &Options, dice: &mut dyn DiceSource) -> Aims {
    let table = battle.table();
    match battle.escort().zip(table.ship(ship)) {
        Some((play, ship)) => aims(table, ship, &play.shuttle, &options.escort, dice),
        None => Aims::default(),
    }
}

/// PE-A5: the ship that an attacker locks and attacks before others; its forced tally. No dice are taken.
pub(super) fn prefers<'o>(battle: &Battle, ship: &str, options: &'o Options) -> Cow<'o, Options> {
    match battle.escort() {
        Some(play) => prefers_on(battle.table(), play, ship, options),
        None => Cow::Borrowed(options),
    }
}

/// As for a battle, on a table as it was seen.
pub fn prefers_on<'o>(table: &Table, play: &EscortInPlay, ship: &str, options: &'o Options) -> Cow<'o, Options> {
    let mut options = Cow::Borrowed(options);
    if let Some(ship) = table.ship(ship)
        && ship.side != play.defender
    {
        // An attacker's aim is no matter of dice.
        let mut none = crate::dice::SeededDice::new(0);
        let prefers = aims(table, ship, &play.shuttle, &options.escort, &mut none).prefers;
        options.to_mut().prefers = prefers;
    }
    options
}

/// PE-A6: Protect, where its line comes up: before the first line or after the last. The order if it is wanted, and why.
pub(super) fn protects(
    battle: &Battle,
    escort: &str,
    attitude: Attitude,
    at: LineOfProtect,
) -> Option<(Option<Order>, Reason)> {
    protects_on(battle.table(), battle.escort()?, escort, attitude, at)
}

/// As for a battle, on a table as it was seen.
pub fn protects_on(
    table: &Table,
    play: &EscortInPlay,
    escort: &str,
    attitude: Attitude,
    at: LineOfProtect,
) -> Option<(Option<Order>, Reason)> {
    let (ship, shuttle) = (table.ship(escort)?, table.ship(&play.shuttle)?);
    if line(attitude) != at || ship.side != play.defender || ship.id == shuttle.id {
        return None;
    }
    let (wanted, reason) = wanted(table, ship, shuttle, play.protect(), play.has_protected(escort));
    Some((wanted.then(|| Order::Card(PROTECT.to_owned())), reason))
}

/// What is proposed to a player whose escort acts: Protect where PE-A6 finds it worth a token.
pub(super) fn proposes_protect(battle: &Battle, escort: &str) -> Option<Order> {
    let play = battle.escort()?;
    let table = battle.table();
    let (ship, shuttle) = (table.ship(escort)?, table.ship(&play.shuttle)?);
    if ship.side != play.defender || !battle.card_actions(escort).iter().any(|card| card == PROTECT) {
        return None;
    }
    let (wanted, _) = wanted(table, ship, shuttle, play.protect(), play.has_protected(escort));
    wanted.then(|| Order::Card(PROTECT.to_owned()))
}

/// PE-A7: whether a Protect token is spent, and on what.
pub(super) fn spends(battle: &Battle, offer: &Offer) -> Option<(Answer, Explanation)> {
    let play = battle.escort().filter(|_| offer.card == PROTECT)?;
    let damage = play.comparing()?;
    let left = Uncancelled {
        hits: damage.hits,
        crits: damage.crits,
    };
    let order = play.options.protect_order;
    let (die, reason) = spend(left, left, order);
    let choice = die.and_then(|die| cancellable(left, order).iter().position(|other| *other == die));
    let name = battle.table().ship(&play.shuttle).map_or("the shuttle", called);
    let sentence = match die {
        Some(die) => format!("A Protect token of {name} cancels a {}.", die.name()),
        None => format!("{name} keeps its Protect tokens."),
    };
    Some((Answer::Effect(choice), Explanation::new(sentence, vec![reason])))
}
