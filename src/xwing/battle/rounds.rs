//! Phases and turn order.

use super::{Battle, Event, NoAttack, ObjectId, Phase, Refused, Request, occasion::Happening, queue::tokens::count_of};
use crate::{
    dice::DiceSource,
    xwing::{
        edition::{Dying, EndPhase, LateTurn},
        effects::{TokenWord, Window, effect::Duration},
        maneuver::Maneuver,
        ship::{Ship, Status},
        targeting,
    },
};

/// The tokens that go in the End Phase (FE-10.1, FE-14.8).
const fn going(end_phase: EndPhase) -> &'static [TokenWord] {
    use TokenWord as T;
    match end_phase {
        EndPhase::RoundTokens => &[
            T::Focus,
            T::Evade,
            T::Calculate,
            T::Reinforce,
            T::Disarm,
            T::Jam,
            T::Tractor,
        ],
        EndPhase::First => &[T::Focus, T::Evade, T::Reinforce, T::Disarm, T::Tractor],
        EndPhase::Rulebook2012 => &[T::Focus, T::Evade],
    }
}

impl Battle {
    /// Goes on until somebody must choose or it is over.
    pub(super) fn advance(&mut self, dice: &mut dyn DiceSource) {
        self.pending = None;
        while self.pending.is_none() && self.phase != Phase::Over {
            if self.ends_with_the_shuttle() {
                // PE-7: at once, whatever else would come of it.
                self.end();
                break;
            }
            if !self.queue.is_empty() {
                self.pending = self.work(dice);
                // Ships go when nothing waits any more, those shot down in the engagement phase when the rules say so.
                let waits = self.phase == Phase::Engagement && self.table.rules.dying == Dying::AfterItsInitiative;
                if self.queue.is_empty() && !waits {
                    self.remove_destroyed();
                }
                continue;
            }
            if self.has_fallen() {
                self.remove_destroyed();
                continue;
            }
            self.letter_locks();
            self.queue.nothing_waits();
            self.refresh_standing();
            if self.waits_for_the_table() {
                // Its players and bridges go on when all have decloaked that may (FE-6.3).
                let decloaks = (self.phase == Phase::Activation)
                    .then(|| self.next_to_decloak())
                    .flatten();
                self.pending = decloaks.map(|ship| Request::Decloak { ship });
                break;
            }
            self.pending = match self.phase {
                Phase::Planning => self.next_dial(),
                Phase::System => self.next_in_system_phase(),
                Phase::Activation => self.next_activation(dice),
                Phase::Engagement => self.next_engagement(dice),
                Phase::End => self.next_round(),
                Phase::Over => None,
            };
        }
    }

    pub(super) fn begin(&mut self, phase: Phase) -> Option<Request> {
        self.phase = phase;
        self.activation_over = false;
        self.decloaking = None;
        self.done.clear();
        self.engaging = None;
        self.dying.clear();
        // One bonus attack a ship and round. At a table all of them are made in the engagement phase, which may begin anew.
        if phase == Phase::Planning || self.at_table {
            self.bonus_made.clear();
        }
        self.fired.clear();
        if phase == Phase::Planning {
            for index in 0..self.fighters.len() {
                self.fighters[index].cards.begin_round();
            }
            self.take_over_skills();
        }
        self.events.push(Event::PhaseBegan(phase));
        self.expire(&[Duration::Phase]);
        self.forget_opened();
        let window = match phase {
            Phase::Planning => Some(Window::RoundStart),
            Phase::Activation => Some(Window::ActivationPhaseStart),
            Phase::Engagement => Some(Window::EngagementStart),
            Phase::End => Some(Window::EndPhaseStart),
            Phase::System | Phase::Over => None,
        };
        if let Some(window) = window {
            self.open(window, None, None, Happening::Moment);
        }
        None
    }

    pub(super) fn end(&mut self) -> Option<Request> {
        self.phase = Phase::Over;
        self.conclude_escort();
        let winner = self.winner().map(str::to_owned);
        let ending = self.ending_says();
        self.events.push(Event::Ended { winner, ending });
        None
    }

    fn next_round(&mut self) -> Option<Request> {
        if self.round > 0 {
            if self.open_once(Window::EndPhase, None) {
                return None;
            }
            if self.tidies_now() {
                self.end_phase();
                self.protect_ends();
                self.expire(&[Duration::Round]);
            }
            if self.open_once(Window::EndPhaseEnd, None) {
                return None;
            }
        }
        if self.forfeited.is_some() || self.is_decided() || self.rounds.is_some_and(|most| self.round >= most) {
            return self.end();
        }
        self.round += 1;
        // An ending may wait for a round.
        self.recount = true;
        self.events.push(Event::RoundBegan(self.round));
        self.arrive();
        if self.is_decided() {
            return self.end();
        }
        self.begin(Phase::Planning)
    }

    /// Ships in play that have not had their turn, with their initiative and the place of their side.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (&Ship, u8, usize)> {
        self.table
            .ships_in_play()
            .filter(|ship| !self.done.contains(&ship.id))
            .map(|ship| (ship, ship.initiative, self.side_of(ship)))
    }

    fn next_dial(&mut self) -> Option<Request> {
        // FE-3.2: ionized ships get no dial.
        let all = self.table.rules.ionized_dials;
        let next = self
            .waiting()
            .find(|(ship, _, side)| {
                let dialled = all || !ship.is_ionized();
                self.sides[*side].dials && dialled && !self.declares_its_maneuver(ship)
            })
            .map(|(ship, _, _)| ship.id.clone());
        match next {
            Some(ship) => Some(Request::Dial { ship }),
            None if self.table.rules.has_system_phase() => self.begin(Phase::System),
            None => self.begin(Phase::Activation),
        }
    }

    pub(super) fn set_dial(&mut self, id: &str, maneuver: Maneuver) -> Result<(), Refused> {
        let index = self.asked(id)?;
        let ship = &self.table.ships[index];
        if !ship.dial.maneuvers().contains(&maneuver) {
            let ship = ship.id.clone();
            return Err(Refused::Maneuver { ship, maneuver });
        }
        let ship = ship.id.clone();
        self.fighters[index].set = Some(maneuver);
        self.done.push(ship.clone());
        self.events.push(Event::DialSet { ship, maneuver });
        Ok(())
    }

    fn next_activation(&mut self, dice: &mut dyn DiceSource) -> Option<Request> {
        if self.ends_now() {
            return self.end();
        }
        if let Some(ship) = self.next_to_decloak() {
            return Some(Request::Decloak { ship });
        }
        // Lowest initiative first, then the first player's; one side's own ships in id order (FE-14.2).
        let own = self.table.rules.same_skill;
        let next = (self.waiting())
            .min_by_key(|&(ship, initiative, side)| {
                let after = self.comes_after_the_shuttle(ship);
                (initiative, self.rank(side), after, own.order(&ship.id))
            })
            .map(|(ship, _, _)| ship.id.clone());
        let Some(ship) = next else {
            if self.open_once(Window::ActivationPhaseEnd, None) {
                return None;
            }
            return match self.next_detonation(dice) {
                Some(request) => request,
                None => self.begin(Phase::Engagement),
            };
        };
        let turn = self.index(&ship);
        if self.open_once(Window::BeforeActivate, turn) || self.open_once(Window::BeforeReveal, turn) {
            return None;
        }
        if let Some(request) = turn.and_then(|index| self.ask_opponent_for_maneuver(index)) {
            return Some(request);
        }
        let fixed = turn.and_then(|index| self.fixed_maneuver(index));
        Some(Request::Fly { ship, fixed })
    }

    fn next_engagement(&mut self, dice: &mut dyn DiceSource) -> Option<Request> {
        if self.duel.is_some() || !self.fought.is_empty() {
            // What came of the attack is asked before the next ship engages.
            return self.duel_goes_on(dice);
        }
        self.pass_late_ships();
        // Highest initiative first, then the first player's (FE-8.1), one side's own in id order.
        let own = self.table.rules.same_skill;
        let next = self.waiting().min_by_key(|&(ship, initiative, side)| {
            (std::cmp::Reverse(initiative), self.rank(side), own.order(&ship.id))
        });
        let next = next.map(|(ship, initiative, _)| (ship.id.clone(), initiative));
        let initiative = next.as_ref().map(|(_, initiative)| *initiative);
        if self.open_initiative(initiative.unwrap_or(0)) {
            return None;
        }
        if self.engaging != initiative {
            // Simultaneous fire: ships shot down at an initiative go when all of it have engaged.
            self.engaging = initiative;
            if self.remove_destroyed() {
                if self.ends_now() {
                    return self.end();
                }
                return None;
            }
        }
        let Some((ship, _)) = next else {
            if self.open_once(Window::EngagementEnd, None) {
                return None;
            }
            return self.begin(Phase::End);
        };
        let index = self.index(&ship)?;
        self.done.push(ship);
        self.engage_later(index);
        None
    }

    /// FE-8.1: ships whose order value has risen above that of the ships that attack now have no turn any more.
    fn pass_late_ships(&mut self) {
        let Some(engaging) = self.engaging else { return };
        if self.table.rules.late_turn == LateTurn::ComesNext {
            return;
        }
        let late = self.waiting().filter(|(_, skill, _)| *skill > engaging);
        let late: Vec<ObjectId> = late.map(|(ship, ..)| ship.id.clone()).collect();
        for ship in late {
            self.done.push(ship.clone());
            let cause = NoAttack::Late;
            self.events.push(Event::HeldFire { ship, cause });
        }
    }

    /// FE-9.5: whether a ship that is shot down stays for its own turn: it is marked for that, or it is shot down while ships
    /// of its own skill attack and has not had its turn yet.
    fn stays_for_its_turn(&mut self, index: usize) -> bool {
        if self.phase != Phase::Engagement || self.table.rules.dying == Dying::AfterItsInitiative {
            return false;
        }
        let ship = &self.table.ships[index];
        let had_its_turn = self.done.contains(&ship.id) && !self.waits_to_attack(&ship.id);
        if had_its_turn {
            return false;
        }
        let marked = self.dying.contains(&ship.id);
        if !marked && self.engaging != Some(ship.initiative) {
            return false;
        }
        if !marked {
            self.dying.push(ship.id.clone());
        }
        true
    }

    /// FE-14.11: whether a ship that is shot down has had its turn and still waits for a target, as long as ships of its
    /// skill attack.
    fn waits_to_attack(&self, ship: &ObjectId) -> bool {
        let fired = || self.fired.iter().any(|fired| fired.attacker == *ship);
        let same_skill = || (self.table.ship(ship)).is_some_and(|ship| self.engaging == Some(ship.initiative));
        self.table.rules.dying == Dying::AfterItsAttack && self.dying.contains(ship) && same_skill() && !fired()
    }

    /// A ship engages: it is asked whom it attacks, if it can attack anybody.
    pub(super) fn engage(&mut self, index: usize) -> Option<Request> {
        let ship = self.table.ships[index].id.clone();
        if !self.table.ships[index].in_play() {
            return None;
        }
        self.renew_permits(index);
        let blocked = targeting::blocked(&self.table, &self.table.ships[index]);
        let cause = if !blocked.is_empty() {
            NoAttack::Blocked(blocked)
        } else if !self.has_target(index) {
            NoAttack::NoTarget
        } else {
            self.expect_duel();
            return Some(Request::Attack { ship });
        };
        self.events.push(Event::HeldFire { ship, cause });
        None
    }

    /// Takes destroyed ships off the table. Whether there were any.
    pub(super) fn remove_destroyed(&mut self) -> bool {
        let mut any = false;
        for index in 0..self.fighters.len() {
            let shot_down =
                self.fighters[index].integrity.is_destroyed() || self.dying.contains(&self.table.ships[index].id);
            if self.table.ships[index].in_play() && shot_down {
                if self.stays_for_its_turn(index) {
                    continue;
                }
                any = true;
                if self.falls(index) {
                    continue;
                }
                self.leave(index, Status::Destroyed);
                let ship = self.table.ships[index].id.clone();
                self.events.push(Event::Removed { ship });
            }
        }
        if self.queue.is_empty() {
            self.nobody_falls();
        }
        any
    }

    /// A ship leaves the game: its cards are discarded, and nobody has it locked any more.
    pub(super) fn leave(&mut self, index: usize, status: Status) {
        self.take_damage_cards_away(index);
        let gone = self.table.ships[index].id.clone();
        for ship in &mut self.table.ships {
            ship.locks.retain(|lock| *lock != gone);
        }
        let ship = &mut self.table.ships[index];
        ship.status = status;
        ship.locks.clear();
        self.recount = true;
    }

    /// Round tokens go, charges and Force come back.
    fn end_phase(&mut self) {
        let going = going(self.table.rules.end_phase);
        for index in 0..self.fighters.len() {
            let (ship, fighter) = (&mut self.table.ships[index], &mut self.fighters[index]);
            if !ship.in_play() {
                continue;
            }
            let before = ship.tokens;
            let tokens = &mut ship.tokens;
            let kept = std::mem::take(&mut fighter.kept);
            let stays = |kind: TokenWord| -> u32 {
                let each = kept.iter().filter(|(token, _)| *token == kind);
                each.map(|(_, count)| *count).sum()
            };
            for &kind in going {
                if let Some(token) = count_of(tokens, kind) {
                    *token = (*token).min(stays(kind));
                }
            }
            fighter.reinforced.truncate(tokens.reinforce as usize);
            tokens.force = fighter.force.min(tokens.force + 1);
            fighter.cards.end_round();
            ship.performed.clear();
            fighter.performed.clear();
            fighter.pulled = false;
            fighter.dropped = false;
            fighter.set = None;
            for &(place, count) in &fighter.recovering {
                let special = ship.weapons.get_mut(place).and_then(|weapon| weapon.special.as_mut());
                if let Some(charges) = special.and_then(|special| special.charges.as_mut()) {
                    charges.left = charges.max.min(charges.left + count);
                }
            }
            if ship.tokens != before {
                self.record_tokens(index);
            }
        }
    }
}
