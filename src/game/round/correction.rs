//! What players put right: everything that no table shows for certain can be told, and what is waited for can be skipped.

use std::collections::BTreeMap;

use super::{
    Ask, Asked, Mark,
    dials::DialTold,
    engagement::pass_over,
    telling::{counted, damage_words},
};
use crate::{
    dice::SeededDice,
    game::{Effect, Event, Game, Refusal, called, known_ship, opponent::Opponent, step::Token, undo::Done},
    xwing::{
        ObjectId,
        action::FullArc,
        battle::{Battle, Phase, Request},
        damage_deck::{Damage, DamageDeck, DeckFacts, Integrity},
        ship::Status,
    },
};

/// What the players tell. What is left out stays as it is. The wire has a form of its own (`protocol::round::CorrectParams`), as all
/// domain types have: there a count may be anything that is written, here it is checked, words are kinds, and the ship is known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Correction {
    /// The ship; `None` if only phase or round are set.
    pub ship: Option<ObjectId>,
    /// It suffers so much now.
    pub suffers: Damage,
    /// Hull left.
    pub hull: Option<u32>,
    /// The hull value.
    pub hull_max: Option<u32>,
    /// Active shields.
    pub shields: Option<u32>,
    /// One of its damage cards changes.
    pub card: Option<(CardChange, String)>,
    /// Active Force charges.
    pub force: Option<u32>,
    /// Active charges of its cards.
    pub charges: BTreeMap<String, u32>,
    /// Counts of tokens.
    pub tokens: BTreeMap<String, u32>,
    /// Other ships, and whether this one touches them (FE-4.7).
    pub touching: BTreeMap<String, bool>,
    /// What is wrong with its dial (FE-3.3, FE-4.3); told alone.
    pub dial: Option<DialTold>,
    /// The side that its reinforce token covers.
    pub reinforced: Option<FullArc>,
    /// Whether it has activated this round.
    pub activated: Option<bool>,
    /// Whether it has engaged this round.
    pub engaged: Option<bool>,
    /// Whether it is in play; else it is shot down or gone.
    pub in_play: Option<bool>,
    /// The phase.
    pub phase: Option<Phase>,
    /// The round.
    pub round: Option<u32>,
}

/// What happens to a damage card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardChange {
    /// Dealt face up.
    DealFaceUp,
    /// Dealt face down.
    DealFaceDown,
    /// Turned face down.
    Repair,
    /// Turned face up.
    Expose,
    /// Discarded.
    Discard,
}

/// What is not waited for any longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skip {
    /// The step of the table, the question, the dice.
    Step,
    /// The ship whose turn it is.
    Ship,
    /// The rest of the phase.
    Phase,
    /// The rounds after this one: time is up (PE-7.3).
    Game,
}

/// A name as it is compared: letters and digits alone.
fn plain(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

impl<O: Opponent> Game<O> {
    /// Puts right what is kept.
    ///
    /// # Errors
    /// No table, no whole rounds, no such ship, card or token; nothing has changed then.
    pub fn correct(&mut self, correction: &Correction) -> Result<String, Refusal> {
        let table = self.table.as_ref().ok_or(Refusal::NoTable)?;
        if !self.leads() || self.whole.is_none() {
            return Err(Refusal::OnlyActivations);
        }
        let ship = match &correction.ship {
            Some(id) => {
                let ship = known_ship(table, id)?;
                Some((ship.id.clone(), called(ship).to_owned()))
            }
            None => None,
        };
        let facts = self.battle().map(|battle| battle.deck_facts());
        if let (Some((_, name)), Some(facts)) = (&correction.card, facts)
            && !name.is_empty()
            && find_card(facts, name).is_none()
        {
            return Err(Refusal::UnknownName {
                field: "card.name",
                name: name.clone(),
                known: "the title or the id of a damage card, as in `Structural Damage`".to_owned(),
            });
        }
        if let Some(name) = correction.tokens.keys().find(|name| token(name).is_none()) {
            let mut known: Vec<&str> = Token::ALL.iter().map(|token| token.word()).collect();
            known.dedup();
            return Err(Refusal::UnknownName {
                field: "tokens",
                name: name.clone(),
                known: format!("one of {}", known.join(", ")),
            });
        }
        if let Some((id, _)) = &ship {
            let charged = self.charged_cards(id);
            let is_known = |card: &&String| charged.iter().any(|known| plain(known) == plain(card));
            if let Some(card) = correction.charges.keys().find(|card| !is_known(card)) {
                return Err(Refusal::UnknownName {
                    field: "charges",
                    name: card.clone(),
                    known: match charged.is_empty() {
                        true => "none: no card of this ship is known to have charges".to_owned(),
                        false => format!("one of {}", charged.join(", ")),
                    },
                });
            }
        }
        if self.activation.is_some() && (correction.phase.is_some() || correction.round.is_some()) {
            return Err(self.busy());
        }
        if let (Some((id, _)), Some(told)) = (&ship, correction.dial) {
            return self.dial_told(id, told);
        }
        if let Some((id, _)) = &ship {
            self.check_contacts(id, &correction.touching)?;
        }
        let before = self.checkpoint();
        let mut said = Vec::new();
        let mut name = "The game".to_owned();
        if let Some((id, called)) = &ship {
            name.clone_from(called);
            self.correct_ship(id, correction, &mut said)?;
            self.correct_contacts(id, &correction.touching, &mut said);
        }
        self.correct_round(correction, &mut said);
        if said.is_empty() {
            return Ok(format!("{name}: nothing changed."));
        }
        let text = format!("{name}: {}.", said.join(", "));
        // What was asked may no longer be what is to be asked.
        if !matches!(self.ask, Ask::Look(_)) {
            self.withdraw_question();
        }
        self.believe(correction);
        let id = ship.map_or_else(|| "".into(), |(id, _)| id);
        if self.activation.is_none() {
            self.follow_battle(&id, String::new(), Mark::Step, before);
        } else {
            let told = self.tell_battle().join(" ");
            if !told.is_empty() {
                self.note(&told);
            }
            let steps = self.differences();
            if let Some(activation) = &mut self.activation {
                activation.todo.extend(steps);
            }
            self.remember(Done {
                ship: id,
                name,
                round: self.round,
                roll: None,
                inverse: Vec::new(),
                by_hand: Vec::new(),
                mark: Mark::Step,
                before,
            });
            self.proceed();
        }
        self.status();
        Ok(text)
    }

    /// The cards of a ship that have charges.
    fn charged_cards(&self, id: &ObjectId) -> Vec<String> {
        let entry = self.ledger().into_iter().find(|entry| entry.ship == *id);
        entry.map_or_else(Vec::new, |entry| entry.charges.into_keys().collect())
    }

    /// What the players tell about tokens and about who is in play is how the table is: no step has to bring it there.
    fn believe(&mut self, correction: &Correction) {
        let (Some(table), Some(whole)) = (&mut self.table, &self.whole) else {
            return;
        };
        let Some(id) = &correction.ship else { return };
        let Some(kept) = whole.battle.table().ship(id) else {
            return;
        };
        let Some(known) = table.ships.iter_mut().find(|ship| ship.id == *id) else {
            return;
        };
        for token in correction.tokens.keys().filter_map(|name| token(name)) {
            *token.count_mut(&mut known.tokens) = *token.count_mut(&mut kept.tokens.clone());
        }
        if correction.force.is_some() {
            known.tokens.force = kept.tokens.force;
        }
        if correction.reinforced.is_some() {
            known.tokens.reinforce = kept.tokens.reinforce;
        }
        if correction.in_play.is_some() {
            known.status = kept.status;
        }
        known.weapons.clone_from(&kept.weapons);
        known.device.clone_from(&kept.device);
        known.other_devices.clone_from(&kept.other_devices);
    }

    fn correct_ship(&mut self, id: &ObjectId, correction: &Correction, said: &mut Vec<String>) -> Result<(), Refusal> {
        let mut dice = SeededDice::for_activation(
            self.config.seed,
            self.round,
            &format!("{id} corrected {}", self.numbers),
        );
        // The number makes two corrections roll differently, and a replay alike.
        self.numbers += 1;
        let Some(whole) = &mut self.whole else {
            return Err(Refusal::OnlyActivations);
        };
        let battle = &mut whole.battle;
        if correction.suffers != Damage::default() {
            battle.deal(id, correction.suffers, &mut dice);
            let damage = damage_words(correction.suffers).unwrap_or_default();
            said.push(format!("it suffers {damage}"));
        }
        if let Some((CardChange::DealFaceUp, name)) = &correction.card {
            said.push(deal_face_up(battle, id, name, &mut dice));
        }
        let mut card_said = None;
        battle.put_right(id, |ship, fighter, deck, facts| {
            let integrity = &mut fighter.integrity;
            if let Some(hull) = correction.hull_max {
                integrity.hull = u8::try_from(hull).unwrap_or(u8::MAX - 1).min(u8::MAX - 1);
                said.push(format!("its hull value is {}", integrity.hull));
            }
            if let Some(shields) = correction.shields {
                integrity.shields = u8::try_from(shields).unwrap_or(u8::MAX);
                said.push(format!("it has {}", counted(usize::from(integrity.shields), "shield")));
            }
            if let Some((change, name)) = &correction.card
                && *change != CardChange::DealFaceUp
            {
                card_said = Some(change_card(integrity, deck, facts, *change, name, &mut dice));
            }
            if let Some(hull) = correction.hull {
                set_hull(integrity, deck, hull, &mut dice);
                said.push(format!("it has {hull} hull left"));
            }
            if let Some(force) = correction.force {
                ship.tokens.force = force;
                fighter.force = fighter.force.max(force);
                said.push(format!("it has {}", counted(force as usize, "Force charge")));
            }
            for (card, left) in &correction.charges {
                let wanted = plain(card);
                let mut known = false;
                for weapon in ship.weapons.iter_mut().filter(|weapon| plain(&weapon.id) == wanted) {
                    if let Some(charges) = weapon.special.as_mut().and_then(|special| special.charges.as_mut()) {
                        charges.left = (*left).min(charges.max.max(*left));
                        known = true;
                    }
                }
                for device in ship.devices_mut().filter(|device| plain(&device.id) == wanted) {
                    device.charges.left = *left;
                    known = true;
                }
                let place = fighter.cards.iter().position(|card| plain(&card.id.xws) == wanted);
                if let Some(charges) = place
                    .and_then(|place| fighter.cards.get_mut(place))
                    .and_then(|card| card.charges.as_mut())
                {
                    charges.left = *left;
                    known = true;
                }
                if known {
                    said.push(format!("{card} has {}", counted(*left as usize, "charge")));
                }
            }
            for (name, count) in &correction.tokens {
                if let Some(token) = token(name) {
                    *token.count_mut(&mut ship.tokens) = *count;
                    said.push(format!("it has {}", counted(*count as usize, &format!("{name} token"))));
                }
            }
            if let Some(side) = correction.reinforced {
                fighter.reinforced = vec![side; ship.tokens.reinforce.max(1) as usize];
                ship.tokens.reinforce = ship.tokens.reinforce.max(1);
                said.push(match side {
                    FullArc::Fore => "its reinforce token covers the fore side".to_owned(),
                    FullArc::Aft => "its reinforce token covers the aft side".to_owned(),
                });
            }
            match correction.in_play {
                Some(true) => {
                    ship.status = Status::InPlay;
                    said.push("it is in play".to_owned());
                }
                Some(false) => {
                    ship.status = Status::Destroyed;
                    said.push("it is out of the game".to_owned());
                }
                None => {}
            }
        });
        said.extend(card_said);
        match correction.in_play {
            Some(true) => battle.shuttle_is_in_play(id, &mut dice),
            Some(false) => battle.shuttle_is_lost(id),
            None => {}
        }
        if let Some(engaged) = correction.engaged {
            battle.set_done(id, engaged, &mut dice);
            said.push(
                if engaged {
                    "it has engaged"
                } else {
                    "it waits to engage"
                }
                .to_owned(),
            );
        }
        match correction.activated {
            Some(true) => {
                self.activated.insert(id.clone());
                self.queue.retain(|queued| queued != id);
                said.push("it has activated".to_owned());
            }
            Some(false) => {
                self.activated.remove(id);
                self.performed.remove(id);
                said.push("it waits to activate".to_owned());
            }
            None => {}
        }
        Ok(())
    }

    fn correct_round(&mut self, correction: &Correction, said: &mut Vec<String>) {
        if let Some(round) = correction.round {
            let phase = self.phase();
            self.round = round.max(1);
            let mut dice = SeededDice::for_activation(self.config.seed, self.round, "corrected round");
            if let Some(whole) = &mut self.whole {
                whole.battle.set_round(self.round);
                if let Some(phase) = phase.filter(|phase| *phase == Phase::Engagement) {
                    whole.battle.begin_phase(phase, &mut dice);
                }
            }
            self.effects.push(Effect::Event(Event::Round(self.round)));
            said.push(format!("it is round {}", self.round));
        }
        if let Some(phase) = correction.phase {
            if matches!(phase, Phase::System | Phase::Engagement) {
                self.follow_table();
            }
            let mut dice = self.phase_dice(phase);
            if let Some(whole) = &mut self.whole {
                whole.battle.begin_phase(phase, &mut dice);
                whole.dice = dice;
                whole.go = super::Go::Wait;
            }
            self.drop_ask();
            if phase == Phase::Planning {
                self.activated.clear();
                self.performed.clear();
            }
            self.show_phase();
            said.push(format!("it is the {} phase", phase.name()));
        }
    }

    /// Does not wait any longer.
    ///
    /// # Errors
    /// Nothing is waited for, or only activations are played and no step is on its way.
    pub fn skip(&mut self, what: Skip) -> Result<String, Refusal> {
        if self.table.is_none() {
            return Err(Refusal::NoTable);
        }
        let said = match what {
            Skip::Step => self.skip_step()?,
            Skip::Ship => self.skip_ship()?,
            Skip::Phase => self.skip_phase()?,
            Skip::Game => self.call_time()?,
        };
        self.status();
        Ok(said)
    }

    fn skip_step(&mut self) -> Result<String, Refusal> {
        if let Some(sent) = self.outstanding.take() {
            let text = crate::game::instruction::sentence(&sent.step, self.edition(), |id| self.name(id));
            self.leave_to_the_players(sent.step);
            self.proceed();
            return Ok(format!("The table is not waited for any longer. {text}"));
        }
        if self
            .activation
            .as_ref()
            .is_some_and(|activation| activation.awaits_sync)
        {
            self.effects.push(Effect::RequestSync);
            return Ok("The table is read again.".to_owned());
        }
        match self.ask.clone() {
            Ask::Choice { prompt, .. } => {
                self.effects.push(Effect::Withdraw(prompt.id.clone()));
                self.choice_made(&prompt.id, None);
                Ok(format!("Taken: {}.", prompt.default))
            }
            Ask::Dice { asked, .. } => {
                self.effects.push(Effect::Withdraw(match asked {
                    Asked::Table(roll) => roll.id,
                    Asked::Players(prompt) => prompt.id,
                }));
                self.dice_came(None);
                Ok("The program rolled.".to_owned())
            }
            Ask::Look(_) => {
                // The last look must do.
                self.looked();
                Ok("The table is taken as it was last read.".to_owned())
            }
            Ask::Placed(..) => {
                self.judge_placed();
                self.carry_on();
                Ok("The ship is taken as it was last seen.".to_owned())
            }
            Ask::Nothing => Err(Refusal::NothingToSkip),
        }
    }

    fn skip_ship(&mut self) -> Result<String, Refusal> {
        if let Some(said) = self.leave_out_the_rest() {
            return Ok(said);
        }
        if self.activation.is_some() {
            return Err(self.busy());
        }
        match self.phase() {
            Some(Phase::Activation) => {
                let ship = self.turn().ok_or(Refusal::NothingToSkip)?;
                let before = self.checkpoint();
                self.activated.insert(ship.clone());
                self.queue.retain(|queued| *queued != ship);
                let name = self.name(&ship);
                self.remember(Done {
                    ship,
                    name: name.clone(),
                    round: self.round,
                    roll: None,
                    inverse: Vec::new(),
                    by_hand: Vec::new(),
                    mark: Mark::Turn,
                    before,
                });
                Ok(format!("{name} counts as activated."))
            }
            Some(Phase::System | Phase::Engagement) => {
                let request = self.pending().ok_or(Refusal::NothingToSkip)?;
                let name = self.name(request.ship());
                self.pass(&request);
                self.drive();
                Ok(format!("{name} is passed over; what was not resolved is left out."))
            }
            _ => Err(Refusal::NothingToSkip),
        }
    }

    /// The ship that is asked makes no attack, or the attack under way is dropped.
    fn pass(&mut self, request: &Request) {
        let before = self.checkpoint();
        self.drop_ask();
        let Some(whole) = &mut self.whole else { return };
        let mut dice = whole.dice.clone();
        pass_over(&mut whole.battle, &mut dice);
        whole.dice = dice;
        self.follow_battle(request.ship(), String::new(), Mark::Turn, before);
    }

    fn skip_phase(&mut self) -> Result<String, Refusal> {
        if self.activation.is_some() {
            return Err(self.busy());
        }
        let phase = self.phase().ok_or(Refusal::NothingToSkip)?;
        let table = self.table.as_ref().ok_or(Refusal::NoTable)?;
        let ships: Vec<ObjectId> = table.ships_in_play().map(|ship| ship.id.clone()).collect();
        match phase {
            Phase::Planning | Phase::System | Phase::Activation => {
                let before = self.checkpoint();
                let next = if phase == Phase::Activation {
                    self.activated.extend(ships);
                    self.queue.clear();
                    Phase::Engagement
                } else {
                    Phase::Activation
                };
                if next == Phase::Engagement {
                    self.look(super::Then::Engage(super::Go::Wait), !self.stale);
                } else {
                    let mut dice = self.phase_dice(next);
                    self.drop_ask();
                    if let Some(whole) = &mut self.whole {
                        whole.battle.begin_phase(next, &mut dice);
                    }
                    self.show_phase();
                    self.remember_phase(before, next);
                }
            }
            Phase::Engagement => {
                let before = self.checkpoint();
                self.drop_ask();
                let Some(whole) = &mut self.whole else {
                    return Err(Refusal::NothingToSkip);
                };
                let mut dice = whole.dice.clone();
                whole.battle.begin_phase(Phase::End, &mut dice);
                whole.dice = dice;
                self.follow_battle(&"".into(), String::new(), Mark::Phase, before);
            }
            Phase::End => {
                let before = self.checkpoint();
                self.drop_ask();
                let Some(whole) = &mut self.whole else {
                    return Err(Refusal::NothingToSkip);
                };
                let mut dice = whole.dice.clone();
                while whole.battle.phase() == Phase::End && whole.battle.pending().is_some() {
                    pass_over(&mut whole.battle, &mut dice);
                }
                whole.dice = dice;
                self.follow_battle(&"".into(), String::new(), Mark::Phase, before);
            }
            Phase::Over => return Err(Refusal::RoundIsOver),
        }
        Ok(format!("The rest of the {} phase is left out.", phase.name()))
    }
}

/// The token of that name.
fn token(name: &str) -> Option<Token> {
    let wanted = plain(name);
    Token::ALL.into_iter().find(|token| token.word() == wanted)
}

fn find_card<'f>(facts: &'f DeckFacts, name: &str) -> Option<&'f str> {
    let wanted = plain(name);
    let card = facts
        .cards
        .iter()
        .find(|card| plain(&card.id) == wanted || plain(&card.name) == wanted);
    card.map(|card| card.id.as_str())
}

/// A card was dealt face up at the table: it is dealt here, past the shields, with what it does at once.
fn deal_face_up(battle: &mut Battle, id: &str, name: &str, dice: &mut SeededDice) -> String {
    let mut shields = 0;
    let mut missing = false;
    battle.put_right(id, |_, fighter, deck, facts| {
        shields = std::mem::take(&mut fighter.integrity.shields);
        if let Some(wanted) = find_card(facts, name) {
            match deck.take(facts, wanted) {
                Some(card) => deck.put_on_top(card),
                None => missing = true,
            }
        }
    });
    battle.deal(id, Damage { hits: 0, crits: 1 }, dice);
    battle.put_right(id, |_, fighter, _, _| fighter.integrity.shields = shields);
    if missing {
        format!("{name} is not left in the deck; another card was dealt face up")
    } else {
        "it is dealt a card face up".to_owned()
    }
}

/// Carries out what the players did with a damage card, as far as there is such a card; what it came to.
fn change_card(
    integrity: &mut Integrity,
    deck: &mut DamageDeck,
    facts: &DeckFacts,
    change: CardChange,
    name: &str,
    dice: &mut SeededDice,
) -> String {
    let id = find_card(facts, name);
    let is_it = |card: &crate::xwing::damage_deck::Card| {
        id.is_none_or(|id| card.facts(facts).is_some_and(|facts| facts.id == id))
    };
    let shown = if name.is_empty() { "a card" } else { name };
    match change {
        CardChange::DealFaceUp | CardChange::DealFaceDown => {
            let card = match id {
                Some(id) => deck.take(facts, id),
                None => deck.draw(dice),
            };
            match card {
                Some(card) => integrity.face_down.push(card),
                None => integrity.without_card = integrity.without_card.saturating_add(1),
            }
            "it is dealt a card face down".to_owned()
        }
        CardChange::Repair => match integrity.face_up.iter().copied().find(is_it) {
            Some(card) => {
                integrity.turn_face_down(card);
                format!("{shown} is turned face down")
            }
            None => format!("{shown} does not lie face up there"),
        },
        CardChange::Expose => match integrity.face_down.iter().rposition(is_it) {
            Some(place) => {
                let card = integrity.face_down.remove(place);
                integrity.face_up.push(card);
                let title = card.facts(facts).map_or(shown, |card| &card.name);
                format!("{title} is turned face up")
            }
            // The players see the card; here it was another one that lay face down.
            None => match (id.and_then(|id| deck.take(facts, id)), integrity.face_down.pop()) {
                (Some(card), Some(other)) => {
                    deck.put_on_top(other);
                    integrity.face_up.push(card);
                    format!("{shown} is turned face up")
                }
                (taken, other) => {
                    if let Some(card) = taken {
                        deck.put_on_top(card);
                    }
                    integrity.face_down.extend(other);
                    format!("{shown} does not lie face down there")
                }
            },
        },
        CardChange::Discard => {
            let up = integrity.face_up.iter().rposition(is_it);
            let card = match up {
                Some(place) => Some(integrity.face_up.remove(place)),
                None => match integrity.face_down.iter().rposition(is_it) {
                    Some(place) => Some(integrity.face_down.remove(place)),
                    None => integrity.face_down.pop(),
                },
            };
            match card {
                Some(card) => {
                    deck.discard(card);
                    format!("{shown} is discarded")
                }
                None => {
                    integrity.without_card = integrity.without_card.saturating_sub(1);
                    format!("{shown} is discarded")
                }
            }
        }
    }
}

/// Deals or takes face-down cards until so much hull is left.
fn set_hull(integrity: &mut Integrity, deck: &mut DamageDeck, left: u32, dice: &mut SeededDice) {
    let wanted = u32::from(integrity.hull).saturating_sub(left) as usize;
    while integrity.damage() < wanted {
        match deck.draw(dice) {
            Some(card) => integrity.face_down.push(card),
            None => integrity.without_card = integrity.without_card.saturating_add(1),
        }
    }
    while integrity.damage() > wanted {
        if integrity.without_card > 0 {
            integrity.without_card -= 1;
        } else if let Some(card) = integrity.face_down.pop().or_else(|| integrity.face_up.pop()) {
            deck.discard(card);
        } else {
            return;
        }
    }
}
