//! Political Escort in play (PE): what a battle keeps of it, and where its rules touch the course of a round.
//!
//! The rules themselves are values in [`crate::xwing::escort`]; here they meet the battle: the shuttle's move, Protect,
//! critical cards on the shuttle, the end.

mod at_table;

use std::fmt;

use super::{Battle, Choice, Event, Fighter, Offer, Phase, Refused, Request};
use crate::{
    dice::DiceSource,
    geometry::Pose,
    xwing::{
        ObjectId,
        combat::Uncancelled,
        damage_deck::{Card, Damage, Integrity},
        effects::Window,
        escort::{
            EscortOptions, Role,
            blocking::{self, BlockState, Choosing, Run},
            critical::{CardEffect, Moment, on_shuttle, turns_down},
            ending::{Cause, Fate, Leaving, leaving, winner},
            facts::EscortFacts,
            protect::{Die, PROTECT, cancel, cancellable, may_protect},
            score::{Score, Scored, ScoredShuttle, score},
            shuttle::STRAIGHT,
        },
        maneuver::Maneuver,
        scenario::Edge,
        ship::{Ship, Status},
        size::Size,
    },
};
use std::sync::Arc;

/// A game of Political Escort, as it is set up and as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct EscortInPlay {
    /// The shuttle.
    pub shuttle: ObjectId,
    /// The defender's side.
    pub defender: String,
    /// The edge over which the shuttle exits.
    pub attackers_edge: Edge,
    /// What the text leaves open.
    pub options: EscortOptions,
    /// Whether the shuttle has a dial; without one its maneuver is declared when it activates (PE-4.2).
    pub has_dial: bool,
    /// Squad points of the ships, the shuttle left out; `None` where a price is not known.
    pub points: Vec<(ObjectId, Option<i32>)>,
    /// What the shuttle's upgrades cost.
    pub upgrades: i32,
    course: Course,
}

/// What has come of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Course {
    state: BlockState,
    /// Protect tokens on the shuttle.
    protect: u32,
    /// Escorts that have protected it this round.
    protected_by: Vec<ObjectId>,
    /// Critical cards that lay face up on the shuttle when its activation began.
    lay_before: Vec<Card>,
    /// What the shuttle's player could choose when it activated.
    bound: bool,
    /// What an attack on the shuttle leaves after the evades, while it is asked whether a token is spent.
    comparing: Option<Damage>,
    /// The shuttle's damage when it left the table.
    damage: Option<u32>,
    cause: Option<Cause>,
}

/// Something that happened by the scenario's rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EscortEvent {
    /// The shuttle has moved (PE-5).
    Ran {
        /// The enemies that blocked it.
        blocked_by: Vec<ObjectId>,
        /// The speed of the straight that it cleared them with.
        cleared: Option<u8>,
        /// The state before.
        before: BlockState,
        /// The state after.
        after: BlockState,
    },
    /// An escort has given the shuttle a Protect token (PE-6.1).
    Protected {
        /// The escort.
        by: ObjectId,
        /// How many tokens the shuttle has now.
        tokens: u32,
    },
    /// A Protect token was spent (PE-6.3).
    Cancelled {
        /// What it cancelled.
        die: Die,
        /// How many tokens are left.
        tokens: u32,
    },
    /// Protect tokens that were not spent are gone (PE-6.2).
    Unspent {
        /// How many.
        tokens: u32,
    },
    /// The game is over (PE-7).
    Over {
        /// Why.
        cause: Cause,
        /// Who has won; nobody in a draw.
        winner: Option<Role>,
        /// Both scores (PE-8).
        score: Box<Score>,
    },
}

impl fmt::Display for EscortEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EscortEvent::Ran {
                blocked_by,
                cleared: Some(speed),
                ..
            } => write!(
                f,
                "The shuttle clears {} by the {speed} straight (PE-5.3).",
                blocked_by.join(", ")
            ),
            EscortEvent::Ran { blocked_by, after, .. } if !blocked_by.is_empty() => {
                let next = match after {
                    BlockState::Primed => "; blocked again on a 2 straight, it clears (PE-5.2)",
                    BlockState::Free => " (PE-5.1)",
                };
                write!(f, "The shuttle is blocked by {}{next}.", blocked_by.join(", "))
            }
            EscortEvent::Ran { .. } => f.write_str("The shuttle is not blocked."),
            EscortEvent::Protected { by, tokens } => {
                write!(
                    f,
                    "{by} protects the shuttle, which has {} now (PE-6.1).",
                    Tokens(*tokens)
                )
            }
            EscortEvent::Cancelled { die, tokens } => write!(
                f,
                "A Protect token cancels a {}; {} left (PE-6.3).",
                die.name(),
                Tokens(*tokens)
            ),
            EscortEvent::Unspent { tokens } => write!(f, "{} unspent and gone (PE-6.2).", Tokens(*tokens)),
            EscortEvent::Over { cause, winner, score } => {
                write!(f, "It is over: {} ({}). ", cause.says(), cause.rule())?;
                match winner {
                    Some(role) => write!(f, "The {} wins", role.name())?,
                    None => f.write_str("A draw")?,
                }
                write!(
                    f,
                    "; the score is {} for the attacker, {} for the defender (PE-8).",
                    score.attacker, score.defender
                )
            }
        }
    }
}

/// A number of Protect tokens in words.
struct Tokens(u32);

impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.0 == 1 { "" } else { "s" };
        write!(f, "{} Protect token{s}", self.0)
    }
}

impl EscortInPlay {
    /// A game that is about to begin.
    pub fn new(shuttle: ObjectId, defender: &str, attackers_edge: Edge, options: EscortOptions) -> EscortInPlay {
        EscortInPlay {
            shuttle,
            defender: defender.to_owned(),
            attackers_edge,
            options,
            has_dial: false,
            points: Vec::new(),
            upgrades: 0,
            course: Course::default(),
        }
    }

    /// What the shuttle may do about being blocked (PE-5.2).
    pub fn state(&self) -> BlockState {
        self.course.state
    }

    /// Protect tokens on the shuttle (PE-6.2).
    pub fn protect(&self) -> u32 {
        self.course.protect
    }

    /// Whether an escort has protected the shuttle this round (PE-6.1).
    pub fn has_protected(&self, escort: &str) -> bool {
        self.course.protected_by.iter().any(|id| **id == *escort)
    }

    /// Why the game is over, if it is.
    pub fn cause(&self) -> Option<Cause> {
        self.course.cause
    }

    /// The role of a side.
    pub fn role(&self, side: &str) -> Role {
        if side == self.defender {
            Role::Defender
        } else {
            Role::Attacker
        }
    }

    /// The attack on the shuttle that waits for a Protect token, as it would be without one.
    pub fn comparing(&self) -> Option<Damage> {
        self.course.comparing
    }
}

/// The shuttle as a fighter: hull, shields and agility (PE-1), with what a modification adds to them.
pub fn shuttle_fighter(hull: i32, shields: i32) -> Fighter {
    let facts = &EscortFacts::embedded().shuttle;
    let plus = |own: u8, more: i32| u8::try_from(i32::from(own) + more).unwrap_or(own);
    let (hull, shields) = (plus(facts.hull, hull), plus(facts.shields, shields));
    Fighter {
        agility: facts.agility,
        integrity: Integrity::new(hull, shields),
        shields,
        dial: Arc::new(facts.dial()),
        base_initiative: Some(facts.skill),
        ..Fighter::unknown()
    }
}

const fn as_results(damage: Damage) -> Uncancelled {
    Uncancelled {
        hits: damage.hits,
        crits: damage.crits,
    }
}

impl Battle {
    /// The game of Political Escort, if one is played.
    pub fn escort(&self) -> Option<&EscortInPlay> {
        self.escort.as_ref()
    }

    /// Whether a ship is the shuttle that is escorted.
    pub fn is_shuttle(&self, ship: &str) -> bool {
        self.escort.as_ref().is_some_and(|play| *play.shuttle == *ship)
    }

    pub(super) fn is_shuttle_at(&self, index: usize) -> bool {
        self.escort.is_some() && self.is_shuttle(&self.table.ships[index].id)
    }

    /// PE-4.2: whether a ship sets no dial although its side does.
    pub(super) fn declares_its_maneuver(&self, ship: &Ship) -> bool {
        (self.escort.as_ref()).is_some_and(|play| !play.has_dial && play.shuttle == ship.id)
    }

    /// PE-4.1: what comes first among ships of the same skill of one side: the shuttle.
    pub(super) fn comes_after_the_shuttle(&self, ship: &Ship) -> bool {
        (self.escort.as_ref()).is_some_and(|play| play.shuttle != ship.id)
    }

    /// PE-5.7: what the shuttle's player could choose: not when it is ionized, or a card forbids the straight. Looked at as the
    /// maneuver is chosen, for revealing it may turn that card down.
    pub(super) fn shuttle_chooses(&mut self, index: usize) {
        if !self.is_shuttle_at(index) {
            return;
        }
        let straight = |maneuver: &Maneuver| (maneuver.speed, maneuver.bearing) == (STRAIGHT.speed, STRAIGHT.bearing);
        let ship = &self.table.ships[index];
        let bound = ship.is_ionized() || !ship.dial.maneuvers().iter().any(straight);
        if let Some(play) = &mut self.escort {
            play.course.bound = bound;
        }
    }

    /// PE-8.5: the shuttle activates: which cards lie on it, and what turns down.
    pub(super) fn shuttle_activates(&mut self, index: usize) {
        if !self.is_shuttle_at(index) {
            return;
        }
        let lying = self.fighters[index].integrity.face_up.clone();
        if let Some(play) = &mut self.escort {
            play.course.lay_before.clone_from(&lying);
        }
        self.turn_down_on_shuttle(index, Moment::Activates);
    }

    /// PE-8.5: the shuttle has had its activation; it never acts (PE-1).
    pub(super) fn shuttle_activated(&mut self, index: usize) {
        self.turn_down_on_shuttle(index, Moment::Activated);
    }

    fn turn_down_on_shuttle(&mut self, index: usize, moment: Moment) {
        let Some(play) = &self.escort else { return };
        let before = play.course.lay_before.clone();
        for card in self.fighters[index].integrity.face_up.clone() {
            let Some(facts) = card.facts(self.facts) else { continue };
            if turns_down(&facts.id, moment, before.contains(&card)) {
                self.turn_down(index, card);
            }
        }
    }

    /// Turns a card face down that may do nothing where it lies, and so is not in play.
    fn turn_down(&mut self, index: usize, card: Card) {
        if self.repair(index, card) {
            return;
        }
        if self.fighters[index].integrity.turn_face_down(card) {
            let ship = self.table.ships[index].id.clone();
            self.events.push(Event::Repaired { ship, card });
        }
    }

    /// PE-8.5: whether a damage card does nothing on the ship that it lies on. One that turns down at once does.
    pub(super) fn lies_without_effect(&mut self, index: usize, card: Card) -> bool {
        if !self.is_shuttle_at(index) {
            return false;
        }
        let Some(facts) = card.facts(self.facts) else {
            return false;
        };
        let none = on_shuttle(&facts.id).0 == CardEffect::None;
        if none && turns_down(&facts.id, Moment::Dealt, false) {
            self.turn_down(index, card);
        }
        none
    }

    /// PE-5: the shuttle's move, in the place of that of other ships. `None` for other ships.
    pub(super) fn run_of_shuttle(&self, index: usize, maneuver: Maneuver) -> Option<Run> {
        let play = self.escort.as_ref().filter(|_| self.is_shuttle_at(index))?;
        let choosing = if play.course.bound {
            Choosing::Bound
        } else {
            Choosing::Free
        };
        let ship = &self.table.ships[index];
        let run = blocking::fly(
            &self.table,
            ship,
            maneuver,
            choosing,
            play.course.state,
            &play.options,
            self.guides,
        );
        Some(run)
    }

    /// PE-5, PE-7: what the shuttle's move means. Whether it exits.
    pub(super) fn shuttle_ran(&mut self, index: usize, run: &Run, to: Pose) -> bool {
        let size = self.table.ships[index].size;
        let damage = self.shuttle_damage(index);
        let area = self.table.area;
        let Some(play) = &mut self.escort else {
            return false;
        };
        play.course.state = run.after;
        let leaves = leaving(area, size, to, play.attackers_edge);
        if leaves != Leaving::Inside {
            // Its damage counts although its cards are discarded (PE-8.3).
            play.course.damage = Some(damage);
            play.course.cause = Some(match leaves {
                Leaving::Exits => Cause::Exit,
                _ => Cause::Fled,
            });
        }
        self.events.push(Event::Escort(EscortEvent::Ran {
            blocked_by: run.blocked_by.clone(),
            cleared: run.cleared,
            before: run.before,
            after: run.after,
        }));
        leaves == Leaving::Exits
    }

    /// PE-8.3: shields that are missing and damage cards, a Direct Hit for two.
    fn shuttle_damage(&self, index: usize) -> u32 {
        let fighter = &self.fighters[index];
        let missing = fighter.shields.saturating_sub(fighter.integrity.shields);
        u32::from(missing) + fighter.integrity.damage() as u32
    }

    /// PE-6.1: the Protect action, where a ship may take it now.
    pub(super) fn protect_action(&self, index: usize) -> Option<String> {
        self.may_protect(index).ok().map(|()| PROTECT.to_owned())
    }

    fn may_protect(&self, index: usize) -> Result<(), &'static str> {
        let play = self.escort.as_ref().ok_or("no mission has such an action")?;
        let shuttle = self.table.ship(&play.shuttle).ok_or("there is no shuttle")?;
        let escort = &self.table.ships[index];
        may_protect(escort, shuttle, play.has_protected(&escort.id)).map_err(|why| why.says())
    }

    /// PE-6.1: an escort protects the shuttle.
    pub(super) fn act_protect(&mut self, index: usize) -> Result<(), &'static str> {
        self.may_protect(index)?;
        let by = self.table.ships[index].id.clone();
        if let Some(play) = &mut self.escort {
            play.course.protect += 1;
            play.course.protected_by.push(by.clone());
            let tokens = play.course.protect;
            self.events.push(Event::Escort(EscortEvent::Protected { by, tokens }));
        }
        Ok(())
    }

    /// Compare results: the damage is dealt, unless the shuttle may first spend a Protect token on it (PE-6.3): no die
    /// is modified (PE-10.2).
    pub(super) fn compare_results(&mut self, damage: Damage, dice: &mut dyn DiceSource) {
        let defends = self.duel.as_ref().is_some_and(|duel| self.is_shuttle(&duel.defender));
        match &mut self.escort {
            Some(play) if defends && play.course.protect > 0 && damage != Damage::default() => {
                play.course.comparing = Some(damage);
            }
            _ => self.resolve_attack(damage, dice),
        }
    }

    /// PE-6.3: whether a Protect token is spent on the attack, while that is to be asked.
    pub(super) fn ask_for_protect(&self) -> Option<Request> {
        let play = self.escort.as_ref()?;
        let damage = play.course.comparing?;
        let dice = cancellable(as_results(damage), play.options.protect_order);
        let choices = dice.iter().enumerate().map(|(index, die)| Choice::Branch {
            index,
            says: format!("spend a Protect token: cancel a {}", die.name()),
        });
        Some(Request::Effect(Box::new(Offer {
            ship: play.shuttle.clone(),
            owner: play.shuttle.clone(),
            card: PROTECT.to_owned(),
            effect: 0,
            window: Window::Neutralize,
            about: self.duel.as_ref().map(|duel| duel.attacker.clone()),
            choices: choices.collect(),
            must: false,
            // PE-A7: waiting gains nothing.
            default: Some(0),
            asks: None,
        })))
    }

    /// Whether the question that is open is about a Protect token.
    pub(super) fn asks_for_protect(&self) -> bool {
        (self.escort.as_ref()).is_some_and(|play| play.course.comparing.is_some())
    }

    /// PE-6.3: a Protect token is spent, or not. With the last result cancelled the attack misses (PE-6.4).
    pub(super) fn answer_protect(&mut self, choice: Option<usize>, dice: &mut dyn DiceSource) -> Result<(), Refused> {
        let play = self.escort.as_mut().ok_or(Refused::NotAsked)?;
        let damage = play.course.comparing.ok_or(Refused::NotAsked)?;
        let left = as_results(damage);
        let mut then = left;
        if let Some(index) = choice {
            let open = cancellable(left, play.options.protect_order);
            let die = *open.get(index).ok_or_else(|| Refused::Choice {
                ship: play.shuttle.clone(),
            })?;
            then = cancel(left, left, die);
            play.course.protect = play.course.protect.saturating_sub(1);
            let tokens = play.course.protect;
            self.events.push(Event::Escort(EscortEvent::Cancelled { die, tokens }));
        }
        play.course.comparing = None;
        let damage = Damage {
            hits: then.hits,
            crits: then.crits,
        };
        self.resolve_attack(damage, dice);
        Ok(())
    }

    /// PE-6.2: in the End phase tokens go that were not spent; every escort may protect again.
    pub(super) fn protect_ends(&mut self) {
        let Some(play) = &mut self.escort else { return };
        play.course.protected_by.clear();
        if !play.options.protect_persists && play.course.protect > 0 {
            let tokens = std::mem::take(&mut play.course.protect);
            self.events.push(Event::Escort(EscortEvent::Unspent { tokens }));
        }
    }

    /// PE-7.1, PE-7.2: the shuttle's end ends the game at once, whatever is under way.
    pub(super) fn ends_with_the_shuttle(&mut self) -> bool {
        let Some(play) = &self.escort else {
            return false;
        };
        let Some(index) = self.index(&play.shuttle) else {
            return false;
        };
        // Its skill 0 gives it no last shot to wait for.
        if self.table.ships[index].in_play() && self.fighters[index].integrity.is_destroyed() {
            self.leave(index, Status::Destroyed);
            let ship = self.table.ships[index].id.clone();
            self.events.push(Event::Removed { ship });
        }
        let Some(play) = &mut self.escort else {
            return false;
        };
        // A model that players have lifted off a table is not lost.
        let gone = match self.at_table {
            true => play.course.cause.is_some() || self.table.ships[index].status == Status::Destroyed,
            false => !self.table.ships[index].in_play(),
        };
        if gone {
            play.course.cause.get_or_insert(Cause::ShotDown);
        }
        gone
    }

    /// PE-7.4: at the end of a round without attackers the defender wins. Whether the scenario has ended.
    pub(super) fn escort_is_decided(&mut self) -> bool {
        let attackers = |play: &EscortInPlay| {
            let mut ships = self.table.ships_in_play();
            ships.any(|ship| ship.side != play.defender)
        };
        let over = self.phase == Phase::End && self.round > 0;
        let none_left = self.escort.as_ref().is_some_and(|play| over && !attackers(play));
        let Some(play) = &mut self.escort else {
            return false;
        };
        if none_left {
            play.course.cause.get_or_insert(Cause::NoAttacker);
        }
        play.course.cause.is_some()
    }

    /// PE-7, PE-8: the result is recorded; a game that nothing else has ended is out of time.
    pub(super) fn conclude_escort(&mut self) {
        let Some(play) = &mut self.escort else { return };
        let cause = *play.course.cause.get_or_insert(Cause::Time);
        let Some(score) = self.escort_score() else { return };
        let winner = winner(cause, score.attacker, score.defender);
        self.events.push(Event::Escort(EscortEvent::Over {
            cause,
            winner,
            score: Box::new(score),
        }));
    }

    /// PE-8: both scores as the game stands. `None` if no such game is played.
    pub fn escort_score(&self) -> Option<Score> {
        let play = self.escort.as_ref()?;
        let index = self.index(&play.shuttle)?;
        let fate = match (self.table.ships[index].in_play(), play.course.cause) {
            (true, _) => Fate::InPlay,
            (false, Some(Cause::Exit)) => Fate::Exited,
            (false, _) => Fate::Destroyed,
        };
        let ships = self.table.ships.iter().zip(&self.fighters).enumerate();
        let ships = ships
            .filter(|(place, _)| *place != index)
            .map(|(_, (ship, fighter))| Scored {
                ship: ship.id.clone(),
                side: play.role(&ship.side),
                points: play
                    .points
                    .iter()
                    .find(|(id, _)| *id == ship.id)
                    .and_then(|(_, points)| *points),
                lost: matches!(ship.status, Status::Destroyed | Status::Removed),
                half_of_a_large_ship: ship.size == Size::Large
                    && 2 * fighter.left() <= u32::from(fighter.integrity.hull) + u32::from(fighter.shields),
            });
        let shuttle = ScoredShuttle {
            upgrades: play.upgrades,
            fate,
            damage: play.course.damage.unwrap_or_else(|| self.shuttle_damage(index)),
        };
        Some(score(
            &ships.collect::<Vec<_>>(),
            &shuttle,
            &play.shuttle,
            &play.options,
        ))
    }

    /// The role that has won, when the game is over; nobody in a draw.
    pub fn escort_winner(&self) -> Option<Role> {
        let cause = self.escort.as_ref()?.course.cause?;
        let score = self.escort_score()?;
        winner(cause, score.attacker, score.defender)
    }

    /// PE-9.2: time is up: the round that is being played is the last one.
    pub fn call_time(&mut self) {
        self.rounds = Some(self.rounds.map_or(self.round, |most| most.min(self.round)));
    }
}
