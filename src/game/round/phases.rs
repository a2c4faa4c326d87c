//! The phases of the round, whose turn it is, and the button.

use super::{Ask, Asked, Checkpoint, Faces, Go, Mark, Then};
use crate::{
    dice::SeededDice,
    game::{
        Advance, Effect, Event, Game, Refusal, Scope,
        activation::{Activation, Purpose},
        called,
        opponent::Opponent,
        step::Step,
        undo::Done,
    },
    geometry::Pose,
    xwing::{
        ObjectId,
        battle::{Phase, Request},
        edition::{Edition, IdOrder, words::Words},
        escort::shuttle::is_shuttle,
        ship::Ship,
        table::Table,
    },
};

impl<O: Opponent> Game<O> {
    /// The next ship of either side that has not activated: lowest initiative first, then the first player's, then by id.
    pub(crate) fn next_to_activate<'t>(&self, table: &'t Table) -> Option<&'t Ship> {
        let waiting = table.ships_in_play().filter(|ship| !self.activated.contains(&ship.id));
        waiting.min_by_key(|ship| self.activation_rank(table, ship))
    }

    /// PE-4.1: of one side's ships of the same skill the shuttle comes first.
    fn activation_rank<'t>(&self, table: &Table, ship: &'t Ship) -> (u8, bool, bool, IdOrder<'t>) {
        let second = self.seats.is_solo(&ship.id) != self.solo_goes_first();
        let own = table.rules.same_skill.order(&ship.id);
        (ship.initiative, second, !is_shuttle(ship), own)
    }

    /// The ship whose turn it is, of either side.
    pub fn turn(&self) -> Option<ObjectId> {
        let table = self.table.as_ref().filter(|_| self.leads())?;
        if let Some(activation) = self.activation.as_ref().filter(|activation| !activation.is_errand()) {
            return Some(activation.ship.clone());
        }
        match self.phase()? {
            _ if self.asks_about_a_card() => Some(self.pending()?.ship().clone()),
            Phase::Activation => self.next_to_activate(table).map(|ship| ship.id.clone()),
            Phase::System | Phase::Engagement => {
                let battle = self.battle()?;
                let attacker = battle.duel().map(|duel| &duel.attacker);
                Some(attacker.or(battle.pending().map(Request::ship))?.clone())
            }
            Phase::Planning | Phase::End | Phase::Over => None,
        }
    }

    /// The question that waits for the players.
    pub fn question(&self) -> Option<&crate::game::Prompt> {
        match &self.ask {
            Ask::Choice { prompt, .. } => Some(prompt),
            Ask::Dice {
                asked: Asked::Players(prompt),
                ..
            } => Some(prompt),
            _ => None,
        }
    }

    /// The button, where whole rounds are played: goes on with the next thing to do.
    pub(crate) fn advance_round(
        &mut self,
        scope: Scope,
        confirm: bool,
        snapshot: Option<u64>,
    ) -> Result<Advance, Refusal> {
        let say = |message: String| Advance {
            ships: Vec::new(),
            message,
        };
        if let Some(whole) = &mut self.whole {
            whole.held = false;
        }
        if let Some(over) = self.scenario_over().or_else(|| self.escort_over()) {
            return Ok(say(over));
        }
        if self.set_up_pressed() || self.escort_pressed() {
            return Ok(say(self.current_status().text));
        }
        match self.phase() {
            None => Err(Refusal::NoTable),
            Some(_) if self.asks_about_a_card() => self.go_on_with_what_is_asked(scope),
            Some(Phase::Planning) => {
                if !self.any_solo_there() && !self.scenario_waits() {
                    return Ok(say("No solo ship is on the table: assign one first.".to_owned()));
                }
                if self.asks_for_initiative() || self.asks_for_attack_value() {
                    return Ok(say(self.current_status().text));
                }
                self.leave_planning();
                let table = self.table.as_ref().ok_or(Refusal::NoTable)?;
                let next = self.next_to_activate(table).map(|ship| self.seats.is_solo(&ship.id));
                let waits = self.activation.is_some()
                    || self.phase() != Some(Phase::Activation)
                    || self.waits_for_somebody().is_some();
                if next == Some(true) && !waits {
                    return self.activate_next(scope, confirm, snapshot);
                }
                self.status();
                Ok(say(self.current_status().text))
            }
            Some(Phase::Activation) if !self.is_going_off() => self.activate_next(scope, confirm, snapshot),
            Some(Phase::System | Phase::Activation | Phase::Engagement) => self.go_on_with_what_is_asked(scope),
            Some(Phase::Over) if !self.has_ended_alone() => {
                self.play_end_phase();
                Ok(say(self.current_status().text))
            }
            Some(Phase::End | Phase::Over) => {
                // Who has no ship left may have others that come; the players decide when it is over.
                self.begin_next_round();
                Ok(say(self.current_status().text))
            }
        }
    }

    /// Goes on with what the battle asks now.
    fn go_on_with_what_is_asked(&mut self, scope: Scope) -> Result<Advance, Refusal> {
        let Some(request) = self.pending() else {
            self.drive();
            return Ok(Advance {
                ships: Vec::new(),
                message: self.current_status().text,
            });
        };
        let go = self.go(scope);
        if let Some(whole) = &mut self.whole {
            whole.go = go;
        }
        let ship = request.ship().clone();
        let phase = self.phase().map_or("", Phase::name);
        let message = format!("Round {}, {phase}: {}.", self.round, self.name(&ship));
        self.drive();
        self.status();
        Ok(Advance {
            ships: vec![ship],
            message,
        })
    }

    /// Whether the End Phase of this round was played with one side alone.
    pub(super) fn has_ended_alone(&self) -> bool {
        self.whole.as_ref().is_some_and(|whole| whole.ended == self.round)
    }

    /// A side without ships ends the battle before its End Phase; it is played all the same, with what cards ask in it, for
    /// others may come. The next round begins once the table has followed.
    fn play_end_phase(&mut self) {
        let before = self.checkpoint();
        let mut dice = self.phase_dice(Phase::End);
        if let Some(whole) = &mut self.whole {
            whole.ended = self.round;
            whole.battle.begin_phase(Phase::End, &mut dice);
            whole.dice = dice;
        }
        self.follow_battle(&"".into(), String::new(), Mark::Phase, before);
    }

    /// Whether any ship of the table is a solo ship, in play or not: the round goes on without those that wait in reserve or
    /// are shot down.
    fn any_solo_there(&self) -> bool {
        let mut ships = self.table.iter().flat_map(|table| &table.ships);
        ships.any(|ship| self.seats.is_solo(&ship.id))
    }

    /// The edition that is played.
    pub(in crate::game) fn edition(&self) -> Edition {
        self.table.as_ref().map(|table| table.rules.edition).unwrap_or_default()
    }

    /// What that edition calls things.
    pub(super) fn words(&self) -> &'static Words {
        self.edition().words()
    }

    fn go(&self, scope: Scope) -> Go {
        let next = self.battle().and_then(|battle| battle.pending()).map(Request::ship);
        let ship = next.and_then(|id| self.table.as_ref()?.ship(id));
        match (scope, ship) {
            (Scope::Round, _) => Go::Phase,
            (Scope::Initiative, Some(ship)) => Go::Initiative(ship.initiative),
            _ => Go::Ship,
        }
    }

    /// Why the button must wait.
    pub(crate) fn waits_for_somebody(&self) -> Option<Refusal> {
        let doing = match &self.ask {
            Ask::Nothing => return None,
            Ask::Look(_) | Ask::Placed(..) => "waiting for the table to be read",
            Ask::Choice { .. } => "waiting for your answer",
            Ask::Dice { .. } => "waiting for the dice",
        };
        let acting = self.turn().map_or_else(|| "the game".to_owned(), |id| self.name(&id));
        Some(Refusal::Busy {
            acting,
            doing: doing.to_owned(),
        })
    }

    /// The next solo ships activate; the players' ships before them have. When nobody waits, the engagement begins.
    fn activate_next(&mut self, scope: Scope, confirm: bool, snapshot: Option<u64>) -> Result<Advance, Refusal> {
        if self.asks_for_run_again() {
            return Ok(Advance {
                ships: Vec::new(),
                message: self.current_status().text,
            });
        }
        let table = self.table.as_ref().ok_or(Refusal::NoTable)?;
        let first = self.seats.order(table, &self.activated).first().map(|&id| id.clone());
        let rank = first
            .as_ref()
            .and_then(|id| table.ship(id))
            .map(|ship| self.activation_rank(table, ship));
        let passed: Vec<ObjectId> = table
            .ships_in_play()
            .filter(|ship| !self.seats.is_solo(&ship.id) && !self.activated.contains(&ship.id))
            .filter(|ship| {
                rank.as_ref()
                    .is_none_or(|rank| self.activation_rank(table, ship) < *rank)
            })
            .map(|ship| ship.id.clone())
            .collect();
        self.activated.extend(passed);
        if first.is_some() {
            return self.advance_ships(scope, None, confirm, snapshot);
        }
        let go = match scope {
            Scope::Round => Go::Phase,
            Scope::Ship | Scope::Initiative => Go::Ship,
        };
        let fresh = !self.stale && snapshot == Some(self.rev);
        self.look(Then::Engage(go), fresh);
        self.status();
        Ok(Advance {
            ships: Vec::new(),
            message: format!(
                "Round {}: all ships have activated; the {} phase begins.",
                self.round,
                self.words().engagement
            ),
        })
    }

    /// The dials are set: the system phase begins, where there is one, and after it, unless somebody is asked, the activation
    /// phase.
    fn leave_planning(&mut self) {
        let before = self.checkpoint();
        self.follow_table();
        let Some(next) = self.whole.as_ref().map(|whole| whole.battle.after_planning()) else {
            return;
        };
        let mut dice = self.phase_dice(next);
        if let Some(whole) = &mut self.whole {
            whole.battle.begin_phase(next, &mut dice);
            whole.dice = dice;
        }
        self.show_phase();
        self.follow_battle(&"".into(), String::new(), Mark::Phase, before);
    }

    /// Tells everyone the phase, if it has changed.
    pub(super) fn show_phase(&mut self) {
        let Some(whole) = &mut self.whole else { return };
        let phase = whole.battle.phase();
        if whole.shown != phase && !matches!(phase, Phase::End | Phase::Over) {
            whole.shown = phase;
            let round = whole.battle.round();
            self.effects.push(Effect::Event(Event::Phase(round, phase)));
        }
    }

    /// Whether devices go off at the end of the activation phase, and somebody is asked about it.
    pub(super) fn is_going_off(&self) -> bool {
        let battle = self.whole.as_ref().map(|whole| &whole.battle);
        battle.is_some_and(|battle| battle.activations_are_over() && battle.pending().is_some())
    }

    pub(super) fn phase_dice(&self, phase: Phase) -> SeededDice {
        SeededDice::for_activation(self.config.seed, self.round, &format!("phase {}", phase.name()))
    }

    pub(super) fn remember_phase(&mut self, before: Option<Box<Checkpoint>>, phase: Phase) {
        self.remember(Done {
            ship: "".into(),
            name: format!("the {} phase", phase.name()),
            round: self.round,
            roll: None,
            inverse: Vec::new(),
            by_hand: Vec::new(),
            mark: Mark::Phase,
            before,
        });
    }

    /// Looks at the table, unless it was just seen, and goes on.
    pub(super) fn look(&mut self, then: Then, fresh: bool) {
        self.ask = Ask::Look(then);
        if fresh {
            self.looked();
        } else {
            self.effects.push(Effect::RequestSync);
        }
    }

    /// A snapshot was taken: goes on with what waited for it.
    pub(crate) fn looked(&mut self) {
        let Ask::Look(then) = self.ask else { return };
        self.ask = Ask::Nothing;
        match then {
            Then::Engage(go) => self.engage(go, Faces::default()),
            Then::Turn => self.drive(),
            // The scenario goes on after every look.
            Then::Scenario => {}
        }
    }

    /// The engagement and the end phase are over: the next round begins.
    pub(super) fn begin_next_round(&mut self) {
        let Some(whole) = &mut self.whole else { return };
        let mut round = whole.battle.round();
        let mut dice = whole.dice.clone();
        if whole.battle.phase() != Phase::Planning {
            round = self.round + 1;
            whole.battle.set_round(round);
            whole.battle.begin_phase(Phase::Planning, &mut dice);
        }
        whole.told = whole.battle.events().len();
        whole.go = Go::Wait;
        self.begin_round(round);
        self.show_phase();
        self.scenario_goes_on();
        self.status();
    }

    /// Whether a card is asked about: that comes before everything else, whatever the phase.
    pub(super) fn asks_about_a_card(&self) -> bool {
        let card = matches!(self.pending(), Some(Request::Effect(_) | Request::CardAction(_)));
        card || self.asked_meanwhile().is_some()
    }

    /// A round began, perhaps because the table says so: the battle stands at its beginning.
    pub(crate) fn put_battle_into_round(&mut self) {
        let (round, mut dice) = (self.round, self.phase_dice(Phase::Planning));
        if let Some(whole) = &mut self.whole {
            whole.readied.clear();
            whole.ruled.clear();
        }
        if let Some(whole) = &mut self.whole
            && (whole.battle.round() != round || whole.battle.phase() != Phase::Planning)
        {
            whole.battle.set_round(round);
            whole.battle.begin_phase(Phase::Planning, &mut dice);
            whole.told = whole.battle.events().len();
            whole.go = Go::Wait;
            self.withdraw_question();
        }
    }

    /// Asks again what waits for an answer, of a table that is back, and goes on with what did not wait for it.
    pub(crate) fn ask_again(&mut self) {
        match self.ask.clone() {
            Ask::Nothing if self.activation.is_some() => {}
            Ask::Nothing => self.drive(),
            Ask::Look(_) | Ask::Placed(..) => self.effects.push(Effect::RequestSync),
            Ask::Choice { prompt, .. } => self.effects.push(Effect::Prompt(prompt)),
            Ask::Dice { asked, .. } => self.effects.push(match asked {
                Asked::Table(roll) => Effect::Roll(roll),
                Asked::Players(prompt) => Effect::Prompt(prompt),
            }),
        }
    }

    /// Steps that follow from a choice, as an errand: they are carried out like those of an activation. The state before
    /// is what an undo comes back to.
    pub(super) fn begin_errand(
        &mut self,
        ship: &ObjectId,
        steps: Vec<Step>,
        mark: Mark,
        before: Option<Box<Checkpoint>>,
    ) {
        // Steps of the round itself are no ship's.
        let name = match ship.is_empty() {
            true => "the program".to_owned(),
            false => self.name(ship),
        };
        let pose = self.table.as_ref().and_then(|table| table.ship(ship));
        let pose = pose.map_or_else(Pose::default, |ship| ship.pose);
        let dice = SeededDice::for_activation(self.config.seed, self.round, ship);
        let mut errand = Activation::new(ship.clone(), name, Purpose::Errand(mark), self.round, pose, dice);
        errand.run(steps, before);
        errand.inverse = std::mem::take(&mut self.players_moves);
        self.activation = Some(errand);
        self.proceed();
    }

    /// The steps of an errand are done.
    pub(crate) fn errand_done(&mut self) {
        let Some(errand) = self.activation.take() else { return };
        let Purpose::Errand(mark) = errand.purpose else { return };
        self.remember(Done {
            ship: errand.ship,
            name: errand.name,
            round: errand.round,
            roll: None,
            inverse: errand.inverse,
            by_hand: errand.by_hand,
            mark,
            before: errand.before,
        });
        self.follow_table();
        self.drive();
        self.scenario_goes_on();
        // A ship that escaped was one of several that fly.
        if self.activation.is_none() && !self.queue.is_empty() {
            self.next_in_queue(None);
        }
        self.status();
    }

    /// One line about the round, for the players.
    pub(crate) fn round_text(&self, table: &Table) -> Option<String> {
        let battle = self.battle()?;
        let round = self.round;
        let Words {
            order_value,
            engagement,
            ..
        } = self.words();
        Some(match battle.phase() {
            Phase::Planning => format!("Round {round}, planning: set your dials, then go on."),
            Phase::System => match battle.pending() {
                Some(request) => format!("Round {round}, system phase: {}.", self.name(request.ship())),
                None => format!("Round {round}, system phase."),
            },
            Phase::Activation => match self.next_to_activate(table) {
                Some(ship) if self.seats.is_solo(&ship.id) => format!(
                    "Round {round}, activation: next is {} ({order_value} {}).",
                    called(ship),
                    ship.initiative
                ),
                Some(ship) => {
                    let next = self
                        .seats
                        .order(table, &self.activated)
                        .first()
                        .and_then(|id| table.ship(id));
                    let then = next.map_or_else(
                        || format!("the {engagement} phase follows"),
                        |solo| format!("{} ({order_value} {}) follows", called(solo), solo.initiative),
                    );
                    format!(
                        "Round {round}, activation: {} ({order_value} {}) moves and acts; then go on, {then}.",
                        called(ship),
                        ship.initiative
                    )
                }
                None => format!("Round {round}: all ships have activated; the {engagement} phase follows."),
            },
            Phase::Engagement => match battle.pending() {
                Some(request) => {
                    let ship = request.ship();
                    let name = self.name(ship);
                    let doing = match (&self.ask, request) {
                        (Ask::Choice { .. }, _) => "your choice is asked",
                        (Ask::Dice { .. }, _) => "waiting for the dice",
                        (Ask::Look(_) | Ask::Placed(..), _) => "waiting for the table to be read",
                        (Ask::Nothing, Request::Attack { .. }) => "it is its turn; go on",
                        (Ask::Nothing, _) => "go on",
                    };
                    format!("Round {round}, {engagement}: {name} ({doing}).")
                }
                None => format!("Round {round}, {engagement}."),
            },
            Phase::End => format!("Round {round}, end phase."),
            Phase::Over => match battle.winner() {
                Some(side) => format!("Only ships of side {side} are left. If others come, go on."),
                None => "No side has ships left.".to_owned(),
            },
        })
    }
}
