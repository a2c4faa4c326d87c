//! Political Escort at a table (PE): which model is the shuttle, who has which role, how far the game has come, its end.
//!
//! | what | where |
//! |---|---|
//! | set-up: obstacles, edges, ships, the shuttle (PE-3) | `set_up` |
//! | who has initiative, and who attacks (PE-3, PE-A1) | `roles` |
//! | which models the ships of the squads and the shuttle are (PE-1.1) | `models` |
//! | where the program puts what is its own (PE-A8) | `places` |
//! | the maneuver of the players' shuttle, Protect tokens (PE-4.2, PE-5, PE-6) | `running` |
//!
//! The rules are those of [`Battle`](crate::xwing::battle::Battle); it keeps the state of blocking, the tokens and the score.

mod models;
mod places;
mod roles;
mod running;
mod set_up;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::{Deserialize, Serialize};
pub use set_up::Reply;
use set_up::{Item, SetUp};

use super::{Ask, Mark};
use crate::{
    game::{
        Game, Refusal,
        opponent::{EscortSituation, Opponent},
        seats::{PLAYER_SIDE, SOLO_SIDE},
        step::{Step, StepKind, Token},
    },
    xwing::{
        ObjectId,
        battle::{EscortInPlay, Phase, escort::shuttle_fighter},
        escort::{EscortOptions, Role, ending::Cause, shuttle::stand_in},
        obstacle_outlines::ObstacleOutlines,
        scenario::Edge,
        ship::Ship,
        size::Size,
        table::Table,
    },
};

/// A ship of a squad as a table needs it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableShip {
    /// What players call it.
    pub name: String,
    /// Its type.
    pub ship: String,
    /// Its pilot skill.
    pub skill: u8,
    /// Its base.
    pub size: Size,
    /// What it costs with its upgrades; `None` where a price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
}

/// A squad as a table needs it (PE-2).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableSquad {
    /// Its ships.
    pub ships: Vec<TableShip>,
    /// What it costs, the shuttle's upgrades included (PE-2.2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
    /// What the upgrades of its shuttle cost.
    #[serde(default)]
    pub upgrades: i32,
    /// What they add to the shuttle's hull.
    #[serde(default)]
    pub hull: i32,
    /// What they add to its shields.
    #[serde(default)]
    pub shields: i32,
}

/// A game of Political Escort as a table plays it, read and checked. With the seed of the game it says all there is to set up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableEscort {
    /// The players' squad.
    pub player: TableSquad,
    /// The solo side's.
    pub solo: TableSquad,
    /// The players' role, if it is fixed; else initiative decides (PE-3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Whether the solo side has initiative, if that is fixed; else as PE-A1 says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solo_first: Option<bool>,
    /// Whether the players' shuttle has a dial (PE-4.2).
    #[serde(default)]
    pub dial: bool,
    /// The last round; `None`: play goes on until the shuttle's end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// What the scenario's text leaves open.
    #[serde(default)]
    pub options: EscortOptions,
    /// What the players ought to know about the squads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl TableEscort {
    /// The squad of the solo side, or of the players.
    fn squad(&self, solo: bool) -> &TableSquad {
        if solo { &self.solo } else { &self.player }
    }
}

/// A game of Political Escort that is led.
#[derive(Debug, Clone)]
pub(in crate::game) struct Led {
    game: Arc<TableEscort>,
    /// The pieces that may be laid.
    outlines: &'static ObstacleOutlines,
}

/// A ship of a squad: whether it is the solo side's, and its place there.
type Place = (bool, usize);

/// How far the game has come.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Progress {
    set_up: SetUp,
    /// The players set up by themselves; only the outcome is looked at.
    by_ourselves: bool,
    /// Whether the solo side defends.
    solo_defends: Option<bool>,
    /// The model of the shuttle.
    shuttle: Option<ObjectId>,
    /// The defender's edge.
    edge: Option<Edge>,
    /// The models of the ships.
    bound: BTreeMap<Place, ObjectId>,
    /// What needs no more asking.
    settled: BTreeSet<Item>,
    /// What the players are asked about.
    asked: Option<Item>,
    /// What they say is done, and the next look has to show.
    expected: Option<Item>,
    /// The round in which the maneuver of their shuttle was asked.
    run_asked: u32,
    /// The players know what is played.
    announced: bool,
    /// The round in which time was called.
    time: Option<u32>,
    /// The end that was told.
    told: Option<Cause>,
}

impl<O: Opponent> Game<O> {
    /// The game is one of Political Escort. `outlines` are the pieces that an automated side may lay.
    #[must_use]
    pub fn with_escort(mut self, game: TableEscort, outlines: &'static ObstacleOutlines) -> Self {
        let game = Arc::new(game);
        self.escort = Some(Led { game, outlines });
        self
    }

    /// The game of the scenario as it stands, once it has begun.
    pub fn escort_in_play(&self) -> Option<&EscortInPlay> {
        self.battle()?.escort()
    }

    /// Whether a ship is the shuttle.
    pub(in crate::game) fn is_the_shuttle(&self, ship: &str) -> bool {
        self.escort_progress()
            .is_some_and(|progress| progress.shuttle.as_deref() == Some(ship))
    }

    fn escort_progress(&self) -> Option<&Progress> {
        let whole = self.whole.as_ref().filter(|_| self.escort.is_some())?;
        Some(&whole.escort)
    }

    /// What a decision needs to know of the game.
    pub(in crate::game) fn escort_situation(&self, ship: &str) -> Option<EscortSituation> {
        let battle = self.battle()?;
        let activation = self.activation.as_ref().filter(|activation| *activation.ship == *ship);
        Some(EscortSituation {
            play: battle.escort()?.clone(),
            guides: battle.guides(),
            told: activation.and_then(|activation| activation.told),
        })
    }

    /// Whatever of the scenario is due happens: its set-up, its end. Nothing while something else goes on.
    pub(super) fn escort_goes_on(&mut self) {
        let Some(led) = self.escort.clone() else { return };
        let idle = self.leads() && self.activation.is_none() && self.abilities.is_some() && self.table.is_some();
        if !idle || self.whole.is_none() {
            return;
        }
        self.announce_escort(&led);
        self.bind_squads(&led);
        self.install_escort(&led);
        self.take_back_what_stands();
        if self.ask != Ask::Nothing {
            return;
        }
        self.tell_what_is_missing();
        if !self.escort_set_up(&led) {
            self.tell_end_of_escort();
        }
    }

    /// What is played, once.
    fn announce_escort(&mut self, led: &Led) {
        let Some(whole) = &mut self.whole else { return };
        if std::mem::replace(&mut whole.escort.announced, true) {
            return;
        }
        let points = |squad: &TableSquad| {
            squad
                .points
                .map_or_else(|| "unknown".to_owned(), |points| points.to_string())
        };
        let mut text = format!(
            "Political Escort: the players' squad costs {}, the solo side's {}.",
            points(&led.game.player),
            points(&led.game.solo)
        );
        if let Some(rounds) = led.game.rounds {
            text.push_str(&format!(" It is over after round {rounds} (PE-7.3)."));
        }
        for note in &led.game.notes {
            text.push_str(&format!(" {}.", note.trim_end_matches('.')));
        }
        self.note(&text);
    }

    /// The name of a side on the table.
    fn side_name(&self, solo: bool) -> String {
        let shuttle = self.escort_progress().and_then(|progress| progress.shuttle.as_ref());
        let ships = self.table.iter().flat_map(|table| &table.ships);
        let own = ships
            .filter(|ship| self.seats.is_solo(&ship.id) == solo && Some(&ship.id) != shuttle)
            .map(|ship| ship.side.clone());
        let usual = if solo { SOLO_SIDE } else { PLAYER_SIDE };
        own.min().unwrap_or_else(|| usual.to_owned())
    }

    /// The battle plays the scenario as far as it is known: from the moment the shuttle is.
    fn install_escort(&mut self, led: &Led) {
        let Some(progress) = self.escort_progress() else { return };
        let (Some(shuttle), Some(solo)) = (progress.shuttle.clone(), progress.solo_defends) else {
            return;
        };
        let squad = led.game.squad(solo);
        let edge = progress.edge.unwrap_or(Edge::South).opposite();
        let mut play = EscortInPlay::new(shuttle.clone(), &self.side_name(solo), edge, led.game.options);
        play.upgrades = squad.upgrades;
        play.has_dial = led.game.dial;
        let Some(table) = &self.table else { return };
        let others = table.ships.iter().filter(|ship| ship.id != shuttle);
        play.points = others
            .map(|ship| {
                let bound = progress.bound.iter().find(|(_, id)| **id == ship.id);
                let of_squad = bound.and_then(|((solo, place), _)| led.game.squad(*solo).ships.get(*place)?.points);
                let printed = || {
                    self.fighters
                        .get(&ship.id)?
                        .points
                        .and_then(|points| i32::try_from(points).ok())
                };
                (ship.id.clone(), of_squad.or_else(printed))
            })
            .collect();
        if self.seats.is_solo(&shuttle) != solo {
            self.seats.ask(shuttle.clone(), solo);
        }
        let fighter = shuttle_fighter(squad.hull, squad.shields);
        self.fighters.insert(shuttle, fighter.clone());
        if let Some(whole) = &mut self.whole {
            whole.battle.escort_at_table(play, fighter);
            let last = led.game.rounds.into_iter().chain(whole.escort.time).min();
            whole.battle.set_last_round(last);
        }
        if let Some(mut table) = self.table.take() {
            self.lend(&mut table);
            self.table = Some(table);
        }
        self.follow_table();
    }

    /// A snapshot is about to be taken: the evade tokens beside the shuttle mark Protect tokens, and players may have changed
    /// them (PE-6.2).
    pub(super) fn count_markers(&mut self, table: &Table) {
        let Some(shuttle) = self.escort_progress().and_then(|progress| progress.shuttle.clone()) else {
            return;
        };
        if let (Some(led), Some(solo)) = (
            &self.escort,
            self.escort_progress().and_then(|progress| progress.solo_defends),
        ) {
            let squad = led.game.squad(solo);
            self.fighters
                .insert(shuttle.clone(), shuttle_fighter(squad.hull, squad.shields));
        }
        let Some(seen) = table.ship(&shuttle).map(|ship| ship.tokens.evade) else {
            return;
        };
        // While a step is on its way nobody knows whether the snapshot shows it.
        if seen == self.protect_markers || self.outstanding.is_some() || !self.can(StepKind::Token) {
            return;
        }
        self.protect_markers = seen;
        if let Some(whole) = &mut self.whole {
            whole.battle.set_protect(seen);
        }
        self.note(&format!(
            "The players have put the Protect tokens of the shuttle right: {seen} now (PE-6.2)."
        ));
    }

    /// What no table shows of the shuttle: that a model is it.
    pub(super) fn lend_shuttle(&self, table: &mut Table) {
        let Some((led, progress)) = self.escort.as_ref().zip(self.escort_progress()) else {
            return;
        };
        let (Some(shuttle), Some(solo)) = (&progress.shuttle, progress.solo_defends) else {
            return;
        };
        let side = self.side_name(solo);
        if let Some(ship) = table.ships.iter_mut().find(|ship| ship.id == *shuttle) {
            stand_in(ship, &side, &led.game.options);
        }
    }

    /// The step by which the markers of Protect tokens on the table become as many as there are.
    pub(super) fn marker_step(&self) -> Option<Step> {
        let play = self.escort_in_play()?;
        let table = self.table.as_ref()?;
        let change = i64::from(play.protect()) - i64::from(self.protect_markers);
        let stands = table.ship(&play.shuttle).is_some_and(Ship::in_play);
        (change != 0 && stands).then(|| Step::Token {
            ship: play.shuttle.clone(),
            token: Token::Evade,
            count: i32::try_from(change).unwrap_or(0),
        })
    }

    /// Whether the game is over (PE-7).
    pub(in crate::game) fn escort_is_over(&self) -> bool {
        self.escort_in_play().is_some_and(|play| play.cause().is_some()) && self.phase() == Some(Phase::Over)
    }

    /// What the button answers when the game is over.
    pub(super) fn escort_over(&self) -> Option<String> {
        let battle = self.battle().filter(|_| self.escort_is_over())?;
        let (cause, score) = (battle.escort()?.cause()?, battle.escort_score()?);
        let winner = match battle.escort_winner() {
            Some(role) => format!("The {} wins", role.name()),
            None => "It is a draw".to_owned(),
        };
        Some(format!(
            "The game is over. {} {winner}; the score is {} for the attacker, {} for the defender (PE-8). If that is wrong, \
             put it right or undo, and go on.",
            cause.sentence(),
            score.attacker,
            score.defender
        ))
    }

    /// PE-7.3, PE-9.2: time is up, and the round that is being played is the last one.
    ///
    /// # Errors
    /// No game of the scenario goes on.
    pub(super) fn call_time(&mut self) -> Result<String, Refusal> {
        let goes_on = self.escort_in_play().is_some() && !self.escort_is_over();
        let round = self.round;
        let before = self.checkpoint();
        let Some(whole) = self.whole.as_mut().filter(|_| goes_on) else {
            return Err(Refusal::NothingToSkip);
        };
        whole.escort.time = Some(round);
        whole.battle.call_time();
        let text = format!("Time is up: round {round} is played to its end, and the score decides (PE-7.3).");
        self.note(&text);
        if self.activation.is_none() {
            self.begin_errand(&"".into(), Vec::new(), Mark::Step, before);
        }
        Ok(text)
    }

    /// The end is told once more where nothing else is said: to those who come later, too.
    fn tell_end_of_escort(&mut self) {
        let cause = self.escort_in_play().and_then(EscortInPlay::cause);
        let Some(whole) = &mut self.whole else { return };
        if whole.escort.told == cause {
            return;
        }
        whole.escort.told = cause;
        if let Some(over) = self.escort_over() {
            self.note(&over);
        }
    }

    /// How the game stands in a line, once it has begun.
    pub(in crate::game) fn escort_standing(&self) -> Option<String> {
        let battle = self.battle().filter(|_| !self.escort_is_over())?;
        let (play, score) = (battle.escort()?, battle.escort_score()?);
        let begun = self
            .escort_progress()
            .is_some_and(|progress| progress.set_up == SetUp::Over);
        begun.then(|| {
            format!(
                "Shuttle: {}, Protect {}, exits {}. Score: attacker {}, defender {}.",
                play.state().name(),
                play.protect(),
                play.attackers_edge.word(),
                score.attacker,
                score.defender
            )
        })
    }

    /// One line about the scenario, where it matters more than the phase.
    pub(super) fn escort_text(&self) -> Option<String> {
        self.escort.as_ref()?;
        if let Some(over) = self.escort_over() {
            return Some(format!("Round {}: {over}", self.round));
        }
        self.escort_set_up_text()
    }
}
