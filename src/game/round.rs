//! The whole round at a table: phases, whose turn it is, attacks, damage, the end phase. The rules of it are those of
//! [`Battle`]; here it is joined to a table that is looked at, to players who are asked, and to dice from outside.
//!
//! | what | where |
//! |---|---|
//! | faces of dice from outside | [`faces`] |
//! | what is kept of each ship, and what a snapshot says about it | [`ledger`] |
//! | phases, whose turn it is, the button | `phases` |
//! | the engagement: who chooses, which dice, what follows at the table | `engagement` |
//! | what players may choose | `choices` |
//! | cards outside attacks: what is announced, what players may choose | `cards` |
//! | a player's own activation: which maneuver it was, its actions | `following`, `flown`, `acts` |
//! | the moments of an activation: obstacles, mines, damage cards, cards | `moments` |
//! | the scenario: set-up, arrivals, retreats, the ending | [`scenario`] |
//! | Political Escort: set-up, the shuttle, the ending | [`escort`] |
//! | what they put right | [`correction`] |
//! | who is first at the same initiative or skill | [`initiative`] |
//! | how ships came to stand against each other | `contact` |
//! | dials that are missing or wrong, or show what may not be flown | [`dials`] |
//! | attack values that the data leaves open | [`values`] |
//! | what is told | `telling` |

mod acts;
mod cards;
mod choices;
mod contact;
pub mod correction;
pub mod dials;
mod engagement;
pub mod escort;
pub mod faces;
mod flown;
mod following;
pub mod initiative;
pub mod ledger;
mod moments;
mod phases;
pub mod scenario;
mod telling;
pub mod values;

use std::collections::{BTreeMap, BTreeSet};

use acts::Placing;
pub use faces::Faces;
use flown::Flown;
pub use following::Following;
pub(super) use moments::Moment;

use super::{
    Effect, Game,
    event::{DiceWanted, Prompt, Roll},
    opponent::{Opponent, Promised},
};
use crate::{
    dice::SeededDice,
    xwing::{
        ObjectId,
        action::ActionKind,
        battle::{Answer, Battle, Order, Phase, Request},
        maneuver::Maneuver,
    },
};

/// Time for a choice of the players, as a multiple of the time for their consent: they think, measure, and look for pieces.
const PATIENCE: u32 = 10;

/// How much of the round is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plays {
    /// All of it.
    Rounds,
    /// Only the activations of the solo ships.
    Activations,
}

/// Where dice come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DiceFrom {
    /// The program rolls.
    #[default]
    Program,
    /// The table rolls its own, where it has any.
    Table,
    /// The players roll and type the faces, where they can be asked.
    Typed,
}

/// How far the last press plays the solo ships' attacks. Players are asked as soon as it is their turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Go {
    /// Not without another press.
    Wait,
    /// One attack.
    Ship,
    /// All attacks of that initiative.
    Initiative(u8),
    /// All of the phase.
    Phase,
}

/// What goes on after a look at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    /// The engagement phase begins.
    Engage(Go),
    /// The next turn of it.
    Turn,
    /// What the scenario waits for.
    Scenario,
}

/// What is waited for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ask {
    /// Nothing.
    Nothing,
    /// A look at the table.
    Look(Then),
    /// A look at a ship that players say is placed; whether they mean it wherever it stands.
    Placed(Box<Placing>, bool),
    /// A choice of the players: their options, and what each means.
    Choice { prompt: Prompt, picks: Vec<Pick> },
    /// Dice from outside, for something that is done again with them.
    Dice {
        asked: Asked,
        wanted: DiceWanted,
        deed: Deed,
        faces: Faces,
    },
}

/// Something for which dice may be needed: it is done, or done again with those that were asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Deed {
    /// The roll for the approach of the ship that activates (SA-3.3).
    Approach,
    /// A solo ship chooses what is asked.
    Choice(Request),
    /// A choice is made, with what is said about it.
    Answer(Answer, String),
    /// A moment of the activation comes.
    Moment(Moment),
    /// All ships have activated: what goes off then does, and the engagement begins.
    Engagement(Go),
}

/// Who is asked for dice.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Asked {
    /// The table.
    Table(Roll),
    /// The players.
    Players(Prompt),
}

/// What an option of a question means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Pick {
    /// This choice, with what is said about it.
    Choose(Answer, String),
    /// The players play it by hand and tell the result.
    ByHand,
    /// This answer about the set-up of a scenario.
    SetUp(scenario::Reply),
    /// This answer about the set-up of Political Escort.
    Escort(escort::Reply),
    /// The players' shuttle flies this, or they move it themselves.
    Run(Option<Maneuver>),
    /// A player's ship that activates has flown this.
    Flew(Box<Flown>),
    /// It has activated, and its players have seen to all that follows.
    HasActivated,
    /// It was only put right, and waits.
    PutRight,
    /// A ship flies this, as the rules say of its dial; or (none) the players settle what.
    Fly(ObjectId, Option<Maneuver>),
    /// So many attack dice are printed on a card, or it is flown without its attack.
    AttackValue(String, Option<u32>),
    /// This about initiative.
    Initiative(initiative::Told),
    /// It takes this action, or none.
    Act(Option<Order>),
    /// One of several ways, asked next.
    Narrow(Box<choices::Question>),
    /// The players place the ship.
    Place(Box<Placing>),
    /// They have; whether they mean it wherever it stands.
    Placed(Box<Placing>, bool),
}

/// A whole round in play.
#[derive(Debug, Clone)]
pub(super) struct Whole {
    /// The ships with what no table shows, the phase, and the attack under way.
    pub(super) battle: Battle,
    /// How many of the battle's events were told.
    told: usize,
    /// The phase that was told last.
    shown: Phase,
    /// The program's dice in this phase.
    dice: SeededDice,
    go: Go,
    /// Players' ships whose turn it was: what comes before their dials are revealed has come.
    readied: BTreeSet<ObjectId>,
    /// A ship that players have placed, for the choice that is made next.
    placed: Option<acts::Placed>,
    /// What solo ships have decided together with a card that is still to give it.
    promised: Promised,
    /// After something was taken back: solo ships wait for a press.
    held: bool,
    /// The last round whose End Phase was played with one side alone.
    ended: u32,
    /// Whether solo ships are first at the same skill, where the players have told it (FE-2.1).
    solo_first: Option<bool>,
    /// What the table last said about things that it may only show late, or not at all.
    reports: BTreeMap<ObjectId, ledger::Report>,
    /// What players have told about ships that touch, or do not (FE-4.7).
    contacts: contact::ToldContacts,
    /// What players' ships fly whose dials were missing or wrong, or that may not fly what they show (FE-3.3, FE-4.3).
    ruled: BTreeMap<ObjectId, Maneuver>,
    /// Cards about which the players were told that they are asked.
    announced: BTreeSet<String>,
    /// How far the scenario has come, where one is played.
    progress: scenario::Progress,
    /// How far Political Escort has come, where it is played.
    escort: escort::Progress,
}

/// How far back a step of the round reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// A step within a turn, or a correction.
    Step,
    /// It began a turn: an activation, an attack.
    Turn,
    /// It began a phase.
    Phase,
}

/// The state of the round before something happened, to come back to.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    round: u32,
    activated: BTreeSet<ObjectId>,
    performed: BTreeMap<ObjectId, Vec<ActionKind>>,
    whole: Whole,
}

impl PartialEq for Checkpoint {
    /// By what the players see: the battle's own memory has no equality.
    fn eq(&self, other: &Self) -> bool {
        self.round == other.round
            && self.activated == other.activated
            && self.performed == other.performed
            && self.whole.battle.events() == other.whole.battle.events()
            && self.whole.battle.table() == other.whole.battle.table()
    }
}

impl<O: Opponent> Game<O> {
    /// Whether whole rounds are played: as the players chose, else as the table can.
    pub fn leads(&self) -> bool {
        self.plays.map_or(self.table_leads, |plays| plays == Plays::Rounds)
    }

    /// How much is played.
    pub fn plays(&self) -> Plays {
        if self.leads() {
            Plays::Rounds
        } else {
            Plays::Activations
        }
    }

    /// Time that the players have for a choice, ms.
    pub(super) fn patient_deadline_ms(&self) -> u32 {
        self.config.prompt_deadline_ms.saturating_mul(PATIENCE)
    }

    /// Where dice come from.
    pub fn dice_from(&self) -> DiceFrom {
        self.dice_from
    }

    /// The battle that keeps what no table shows, where whole rounds are played.
    pub fn battle(&self) -> Option<&Battle> {
        self.whole.as_ref().filter(|_| self.leads()).map(|whole| &whole.battle)
    }

    /// Chooses how the game is played.
    pub fn set_options(&mut self, dice: Option<DiceFrom>, plays: Option<Plays>) -> String {
        if let Some(dice) = dice {
            self.dice_from = dice;
        }
        if let Some(plays) = plays {
            self.plays = Some(plays);
            if !self.leads() {
                self.withdraw_question();
            }
            if let Some(mut table) = self.table.clone() {
                self.take_round(None, &mut table, &BTreeMap::new());
                self.table = Some(table);
            }
        }
        self.carry_on();
        self.status();
        let dice = match self.dice_from {
            DiceFrom::Program => "the program rolls the dice",
            DiceFrom::Table => "the table rolls its own dice",
            DiceFrom::Typed => "the players roll the dice and type the faces",
        };
        let plays = match self.plays() {
            Plays::Rounds => "whole rounds are played",
            Plays::Activations => "only the activations of the solo ships are played",
        };
        format!("From now on {plays}, and {dice}.")
    }

    /// The state to come back to, if whole rounds are played.
    pub(super) fn checkpoint(&self) -> Option<Box<Checkpoint>> {
        if !self.leads() {
            return None;
        }
        let whole = self.whole.clone()?;
        Some(Box::new(Checkpoint {
            round: self.round,
            activated: self.activated.clone(),
            performed: self.performed.clone(),
            whole,
        }))
    }

    /// Nothing is waited for any longer; a question or a roll that was is withdrawn.
    pub(crate) fn drop_ask(&mut self) {
        let id = match std::mem::replace(&mut self.ask, Ask::Nothing) {
            Ask::Choice { prompt, .. } => prompt.id,
            Ask::Dice { asked, .. } => match asked {
                Asked::Table(roll) => roll.id,
                Asked::Players(prompt) => prompt.id,
            },
            Ask::Nothing | Ask::Look(_) | Ask::Placed(..) => return,
        };
        self.effects.push(Effect::Withdraw(id));
    }

    /// As [`Game::drop_ask`], but for dice that the activation under way needs whatever else changes.
    pub(super) fn withdraw_question(&mut self) {
        let keeps = matches!(
            self.ask,
            Ask::Dice {
                deed: Deed::Approach | Deed::Moment(_),
                ..
            }
        );
        if !keeps {
            self.drop_ask();
        }
    }

    /// The table was put back to before the activation: so is what is kept of the round.
    pub(super) fn rewind_round(&mut self) {
        let before = self
            .activation
            .as_ref()
            .and_then(|activation| activation.before.as_ref());
        let Some(mut whole) = before.map(|before| before.whole.clone()) else {
            return;
        };
        if let Some(now) = self.whole.take() {
            whole.reports = now.reports;
            whole.announced = now.announced;
        }
        self.whole = Some(whole);
        self.follow_table();
    }

    /// As [`Game::come_back`], where the players themselves have put the table back: solo ships go on as before.
    pub(super) fn come_back_to_table(&mut self, checkpoint: Checkpoint) {
        let held = self.whole.as_ref().is_some_and(|whole| whole.held);
        self.come_back(checkpoint);
        if let Some(whole) = &mut self.whole {
            whole.held = held;
        }
    }

    /// Comes back to a state. What was seen of the table since then stays; solo ships wait for a press.
    pub(super) fn come_back(&mut self, checkpoint: Checkpoint) {
        let Checkpoint {
            round,
            activated,
            performed,
            whole,
        } = checkpoint;
        let told_before = self.round;
        self.drop_ask();
        self.round = round;
        self.activated = activated;
        self.performed = performed;
        let mut whole = whole;
        whole.held = true;
        whole.go = Go::Wait;
        if let Some(now) = self.whole.take() {
            whole.reports = now.reports;
            whole.announced = now.announced;
        }
        self.whole = Some(whole);
        if let Some(mut table) = self.table.take() {
            for ship in &mut table.ships {
                ship.performed = self.performed.get(&ship.id).cloned().unwrap_or_default();
            }
            self.lend(&mut table);
            self.table = Some(table);
        }
        self.follow_table();
        if told_before != round {
            self.effects.push(super::Effect::Event(super::Event::Round(round)));
        }
    }
}
