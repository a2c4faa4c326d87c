//! What the players ask for: the button, a preview, seats, and what they know better.

use super::{
    Advance, Effect, Game, Override, Refusal, Scope,
    activation::{Activation, Purpose},
    called, known_ship,
    opponent::Opponent,
    roll_text,
    round::Ask,
};
use crate::{
    dice::SeededDice,
    geometry::Pose,
    xwing::{ObjectId, table::Table},
};

impl<O: Opponent> Game<O> {
    /// The button: lets solo ships act. `snapshot` is the revision of the table that the press saw; if it is the last
    /// one taken, the table is not looked at again.
    ///
    /// # Errors
    /// One decision at a time (case G2), and whatever else forbids it; nothing has changed then.
    pub fn advance(
        &mut self,
        scope: Scope,
        ship: Option<&str>,
        confirm: bool,
        snapshot: Option<u64>,
    ) -> Result<Advance, Refusal> {
        if let Some(advance) = self.press_on(scope, confirm) {
            return Ok(advance);
        }
        if self.activation.is_some() {
            // A lost request for a snapshot must not leave the players before a closed door.
            if self
                .activation
                .as_ref()
                .is_some_and(|activation| activation.awaits_sync)
            {
                self.effects.push(Effect::RequestSync);
            } else if self.ask != Ask::Nothing {
                self.resend();
            }
            return Err(self.busy());
        }
        if self.abilities.is_none() {
            return Err(Refusal::NotConnected);
        }
        if self.table.is_none() {
            return Err(Refusal::NoTable);
        }
        if let Some(refusal) = self.waits_for_somebody() {
            self.resend();
            return Err(refusal);
        }
        if self.leads() && ship.is_none() {
            return self.advance_round(scope, confirm, snapshot);
        }
        self.advance_ships(scope, ship, confirm, snapshot)
    }

    /// Lets solo ships activate: the next ones, or that one.
    pub(super) fn advance_ships(
        &mut self,
        scope: Scope,
        ship: Option<&str>,
        confirm: bool,
        snapshot: Option<u64>,
    ) -> Result<Advance, Refusal> {
        let table = self.table.as_ref().ok_or(Refusal::NoTable)?;
        let waiting = self.seats.order(table, &self.activated);
        let ships: Vec<ObjectId> = match ship {
            Some(id) => vec![self.may_activate(table, id)?],
            None => match (scope, waiting.first()) {
                (_, None) => Vec::new(),
                (Scope::Ship, Some(&first)) => vec![first.clone()],
                (Scope::Round, Some(_)) => waiting.into_iter().cloned().collect(),
                (Scope::Initiative, Some(&first)) => {
                    let initiative = |id: &str| table.ship(id).map(|ship| ship.initiative);
                    let lowest = initiative(first);
                    waiting
                        .into_iter()
                        .filter(|id| initiative(id) == lowest)
                        .cloned()
                        .collect()
                }
            },
        };
        if ships.is_empty() {
            return Ok(self.nobody_waits(scope, confirm, snapshot));
        }
        self.new_round_offered = false;
        let message = format!("Round {}: {}.", self.round, self.names(&ships));
        self.confirm = confirm;
        self.queue = ships.iter().cloned().collect();
        self.next_in_queue(snapshot);
        Ok(Advance { ships, message })
    }

    /// All have activated: the first press says so, the second begins a new round, so that one press too many at the
    /// end of a round does no harm and nobody is ever stuck in a round.
    pub(super) fn nobody_waits(&mut self, scope: Scope, confirm: bool, snapshot: Option<u64>) -> Advance {
        let none = |message: String| Advance {
            ships: Vec::new(),
            message,
        };
        if !self.any_solo_in_play() {
            return none("No solo ship is on the table: assign one first.".to_owned());
        }
        if !self.new_round_offered {
            self.new_round_offered = true;
            return none(format!(
                "All solo ships have activated in round {}. Press again to begin round {}.",
                self.round,
                self.round + 1
            ));
        }
        self.begin_round(self.round + 1);
        // Everything that could refuse this was checked by the caller; every solo ship in play waits now.
        self.advance(scope, None, confirm, snapshot)
            .unwrap_or_else(|refusal| none(refusal.to_string()))
    }

    pub(super) fn any_solo_in_play(&self) -> bool {
        self.table
            .as_ref()
            .is_some_and(|table| table.ships_in_play().any(|ship| self.seats.is_solo(&ship.id)))
    }

    pub(super) fn may_activate(&self, table: &Table, id: &str) -> Result<ObjectId, Refusal> {
        let ship = known_ship(table, id)?;
        if !self.seats.is_solo(id) {
            return Err(Refusal::NotSolo(called(ship).to_owned()));
        }
        if !ship.in_play() {
            return Err(Refusal::NotInPlay(called(ship).to_owned()));
        }
        if self.activated.contains(id) {
            return Err(Refusal::AlreadyActivated(called(ship).to_owned()));
        }
        Ok(ship.id.clone())
    }

    pub(super) fn busy(&self) -> Refusal {
        let (acting, doing) = match &self.activation {
            Some(activation) => (activation.name.clone(), self.doing(activation)),
            None => ("nobody".to_owned(), String::new()),
        };
        Refusal::Busy { acting, doing }
    }

    /// Decides for a ship and carries nothing out: the name of the ship, the sentence and the reasons.
    ///
    /// # Errors
    /// No table, no such ship, or one that the opponent cannot fly.
    pub fn preview(&self, ship: Option<&str>) -> Result<(ObjectId, String, Vec<crate::decision::Reason>), Refusal> {
        let table = self.table.as_ref().ok_or(Refusal::NoTable)?;
        let id = match ship {
            Some(id) => known_ship(table, id)?.id.clone(),
            None => match self.seats.order(table, &self.activated).first() {
                Some(&id) => id.clone(),
                None => return Err(Refusal::CannotFly("no solo ship waits this round".to_owned())),
            },
        };
        let dice = self.dice(&id);
        let flight = self
            .opponent
            .decide(table, &id, &self.situation(&id), dice)
            .map_err(Refusal::CannotFly)?;
        Ok((id, flight.sentence, flight.reasons))
    }

    /// Flies a ship from now on, or stops flying it.
    ///
    /// # Errors
    /// No table, no such ship, or the ship is acting.
    pub fn assign(&mut self, ship: &str, solo: bool) -> Result<String, Refusal> {
        let table = self.table.as_ref().ok_or(Refusal::NoTable)?;
        let (id, name) = known_ship(table, ship).map(|ship| (ship.id.clone(), called(ship).to_owned()))?;
        if self.activation.as_ref().is_some_and(|activation| activation.ship == id) {
            return Err(self.busy());
        }
        self.seats.ask(id.clone(), solo);
        self.queue.retain(|queued| *queued != id);
        self.stale = true;
        self.status();
        Ok(if solo {
            format!("{name} is flown by the solo rules from now on.")
        } else {
            format!("{name} is no longer flown by the solo rules.")
        })
    }

    /// Takes what the players know better.
    ///
    /// # Errors
    /// No table, no such ship or tally, or the ship is acting and its flag cannot change now.
    pub fn set(&mut self, ship: &str, change: Override) -> Result<String, Refusal> {
        let table = self.table.as_ref().ok_or(Refusal::NoTable)?;
        let (id, name) = known_ship(table, ship).map(|ship| (ship.id.clone(), called(ship).to_owned()))?;
        if let Some(Some(tally)) = &change.tally {
            let known = table.ship(tally).is_some()
                || table.obstacles.iter().any(|obstacle| obstacle.id == *tally)
                || table.markers.iter().any(|marker| marker.id == *tally);
            if !known {
                return Err(Refusal::Unknown {
                    what: "object",
                    id: tally.to_string(),
                });
            }
        }
        if change.activated.is_some() && self.activation.as_ref().is_some_and(|activation| activation.ship == id) {
            return Err(self.busy());
        }
        let mut said = Vec::new();
        match change.tally {
            Some(Some(tally)) => {
                said.push(format!("its tally is {tally}"));
                self.forced_tallies.insert(id.clone(), tally);
            }
            Some(None) => {
                said.push("it chooses its tally itself".to_owned());
                self.forced_tallies.remove(&id);
            }
            None => {}
        }
        if let Some(roll) = change.roll {
            said.push(format!("its next roll is {}", roll_text(roll)));
            self.rolls.insert(id.clone(), roll);
        }
        match change.activated {
            Some(true) => {
                said.push("it has activated this round".to_owned());
                self.activated.insert(id.clone());
                self.queue.retain(|queued| *queued != id);
            }
            Some(false) => {
                said.push("it waits to activate".to_owned());
                self.activated.remove(&id);
                self.performed.remove(&id);
                self.new_round_offered = false;
            }
            None => {}
        }
        self.status();
        Ok(if said.is_empty() {
            format!("{name}: nothing changed.")
        } else {
            format!("{name}: {}.", said.join(", "))
        })
    }

    pub(super) fn next_in_queue(&mut self, snapshot: Option<u64>) {
        // Who was moved meanwhile comes first: its queue goes on when that is over.
        if self.follow_players() {
            return;
        }
        // PE-7: nobody flies when the game is over.
        if self.escort_is_over() {
            self.queue.clear();
        }
        while let Some(id) = self.queue.pop_front() {
            let Some(table) = &self.table else { break };
            match self.may_activate(table, &id) {
                Ok(id) => {
                    let pose = table.ship(&id).map_or_else(Pose::default, |ship| ship.pose);
                    let name = self.name(&id);
                    let fresh = !self.stale && snapshot == Some(self.rev);
                    let dice = SeededDice::for_activation(self.config.seed, self.round, &id);
                    let mut activation = Activation::new(id, name, Purpose::Fly, self.round, pose, dice);
                    activation.awaits_sync = !fresh;
                    activation.before = self.checkpoint();
                    self.activation = Some(activation);
                    if fresh {
                        self.decide();
                    } else {
                        self.effects.push(Effect::RequestSync);
                    }
                    self.status();
                    return;
                }
                Err(refusal) => self.note(&format!("Left out: {refusal}.")),
            }
        }
        self.status();
    }
}
