//! Damage as a ship suffers it, and the damage cards that come of it.
//!
//! A damage card that lies face up is one of its ship's cards in play: what it does comes up like what other cards do, in the
//! queue, in attacks, or all the time. Here it is laid out and taken away again. What it says of its own being dealt is
//! carried out at once, before the next damage.

use super::{Battle, Event, occasion::Happening};
use crate::{
    dice::DiceSource,
    xwing::{
        damage_deck::{Card, Damage, DamageEvent},
        effects::{
            CardKind, Effect, Predicate, Primitive, Role, Support, Window,
            predicate::EventWord,
            primitive::{DamageCardRule, DamageCardRuleWord},
        },
    },
};

/// What is made of replacements of damage, wherever it comes from.
pub fn supports(window: Window, role: Role, effect: &Effect) -> Support {
    match (window, role) {
        (Window::DamageWould, Role::Own) if turns_hits(effect) || turns_cards_up(effect) => Support::Played,
        _ => Support::Asked,
    }
}

/// Whether an effect makes crits of all hits that its ship would suffer.
fn turns_hits(effect: &Effect) -> bool {
    let hits = matches!(effect.conditions.as_slice(), [Predicate::Event(words)] if words.0[..] == [EventWord::Hit]);
    let turns = matches!(
        effect.steps.as_slice(),
        [Primitive::DamageCardRule(DamageCardRule { rule: DamageCardRuleWord::HitBecomesCrit, who })] if who.is_own()
    );
    let free = effect.cost.is_empty() && effect.choose.is_empty() && effect.until.is_none();
    hits && turns && free && effect.replaces && !effect.may
}

/// Whether an effect lets all damage cards that are dealt to its ship lie face up.
fn turns_cards_up(effect: &Effect) -> bool {
    let turns = matches!(
        effect.steps.as_slice(),
        [Primitive::DamageCardRule(DamageCardRule { rule: DamageCardRuleWord::AllFaceup, who })] if who.is_own()
    );
    let conditions = matches!(effect.conditions.as_slice(), [] | [Predicate::EarlierRound]);
    let free = effect.cost.is_empty() && effect.choose.is_empty() && effect.until.is_none();
    conditions && turns && free && effect.replaces && !effect.may
}

impl Battle {
    /// A ship suffers damage, one after the other: all hits, then all crits. The moment after it comes when all of it is
    /// suffered.
    pub(super) fn suffer(&mut self, index: usize, damage: Damage, dice: &mut dyn DiceSource) {
        let suffered = self.replaced(index, damage);
        let (place, known) = (self.events.len(), self.fighters[index].cards.len());
        let was_destroyed = self.fighters[index].integrity.is_destroyed();
        self.events.push(Event::Suffered {
            ship: self.table.ships[index].id.clone(),
            damage,
            outcome: Vec::new(),
        });
        let (mut shields, mut cards) = (0, 0);
        for crit in suffered.points() {
            let face_up = crit || self.lies_face_up(index);
            let deck = self.decks.of(&self.table.ships[index].side);
            let event = (self.fighters[index].integrity).suffer_one(face_up, deck, dice);
            self.came_of_it(place, event);
            match event {
                DamageEvent::ShieldLost => shields += 1,
                _ => cards += 1,
            }
            if let DamageEvent::Dealt {
                card: Some(card),
                face_up: true,
            } = event
            {
                self.turn_up(index, card, EventWord::DealtFaceup, dice);
            }
        }
        self.note_destruction(index, place, was_destroyed);
        let what = Happening::Damage {
            damage: suffered,
            shields,
            cards,
            known,
        };
        self.open(Window::DamageSuffered, Some(index), None, what);
    }

    /// The damage as cards of the ship replace it.
    fn replaced(&self, index: usize, damage: Damage) -> Damage {
        let cards = &self.fighters[index].cards;
        let turned = damage.hits > 0
            && cards.has(Window::DamageWould)
            && (cards.effects(Window::DamageWould, Role::Own)).any(|coming| turns_hits(coming.effect));
        match turned {
            true => Damage {
                hits: 0,
                crits: damage.crits.saturating_add(damage.hits),
            },
            false => damage,
        }
    }

    /// Whether every card that is dealt to a ship now lies face up.
    fn lies_face_up(&self, index: usize) -> bool {
        let cards = &self.fighters[index].cards;
        cards.has(Window::DamageWould)
            && (cards.effects(Window::DamageWould, Role::Own)).any(|coming| {
                let begun = coming.effect.conditions.is_empty() || coming.card.earlier;
                turns_cards_up(coming.effect) && begun
            })
    }

    fn came_of_it(&mut self, place: usize, event: DamageEvent) {
        if let Some(Event::Suffered { outcome, .. }) = self.events.get_mut(place) {
            outcome.push(event);
        }
    }

    /// Says with the last damage recorded since then that it destroyed the ship, if it did and nobody has said so.
    fn note_destruction(&mut self, index: usize, since: usize, was_destroyed: bool) {
        if was_destroyed || !self.fighters[index].integrity.is_destroyed() {
            return;
        }
        let id = &self.table.ships[index].id;
        let said = |event: &Event| {
            matches!(event, Event::Suffered { ship, outcome, .. }
                if ship == id && outcome.contains(&DamageEvent::Destroyed))
        };
        let recorded = self.events.get_mut(since..).unwrap_or_default();
        if recorded.iter().any(said) {
            return;
        }
        let outcomes = recorded.iter_mut().rev().filter_map(|event| match event {
            Event::Suffered { ship, outcome, .. } if ship == id => Some(outcome),
            _ => None,
        });
        if let Some(outcome) = outcomes.into_iter().next() {
            outcome.push(DamageEvent::Destroyed);
        }
    }

    /// Facedown damage cards are exposed, which is no damage.
    pub(super) fn expose(&mut self, index: usize, count: u32, dice: &mut dyn DiceSource) {
        for _ in 0..count {
            let lying = &self.fighters[index].integrity.face_down;
            if lying.is_empty() {
                return;
            }
            // Nobody knows which is which: any of them.
            let card = lying[dice.choose(lying.len()).min(lying.len() - 1)];
            let place = self.events.len();
            let was_destroyed = self.fighters[index].integrity.is_destroyed();
            self.fighters[index].integrity.expose(card);
            self.events.push(Event::Suffered {
                ship: self.table.ships[index].id.clone(),
                damage: Damage::default(),
                outcome: vec![DamageEvent::Exposed(card)],
            });
            self.turn_up(index, card, EventWord::Expose, dice);
            self.note_destruction(index, place, was_destroyed);
        }
    }

    /// Damage cards are dealt face up, whatever shields there are, which is no damage (FE-9.1).
    pub(super) fn deal_faceup(&mut self, index: usize, count: u8, dice: &mut dyn DiceSource) {
        for _ in 0..count {
            let place = self.events.len();
            let integrity = &mut self.fighters[index].integrity;
            let was_destroyed = integrity.is_destroyed();
            let dealt = integrity.deal(true, self.decks.of(&self.table.ships[index].side), dice);
            self.events.push(Event::Suffered {
                ship: self.table.ships[index].id.clone(),
                damage: Damage::default(),
                outcome: vec![dealt],
            });
            if let DamageEvent::Dealt { card: Some(card), .. } = dealt {
                self.turn_up(index, card, EventWord::DealtFaceup, dice);
            }
            self.note_destruction(index, place, was_destroyed);
        }
    }

    /// Damage cards are dealt facedown, whatever shields there are.
    pub(super) fn deal_facedown(&mut self, index: usize, count: u8, dice: &mut dyn DiceSource) {
        self.deal_cards(index, false, count, dice);
    }

    /// Damage cards are dealt, face up or down, whatever shields there are (FE-9.1).
    pub(super) fn deal_cards(&mut self, index: usize, face_up: bool, count: u8, dice: &mut dyn DiceSource) {
        let (place, known) = (self.events.len(), self.fighters[index].cards.len());
        let was_destroyed = self.fighters[index].integrity.is_destroyed();
        self.events.push(Event::Suffered {
            ship: self.table.ships[index].id.clone(),
            damage: Damage::default(),
            outcome: Vec::new(),
        });
        for _ in 0..count {
            let face_up = face_up || self.lies_face_up(index);
            let deck = self.decks.of(&self.table.ships[index].side);
            let event = self.fighters[index].integrity.deal(face_up, deck, dice);
            self.came_of_it(place, event);
            if let DamageEvent::Dealt {
                card: Some(card),
                face_up: true,
            } = event
            {
                self.turn_up(index, card, EventWord::DealtFaceup, dice);
            }
        }
        self.note_destruction(index, place, was_destroyed);
        let what = Happening::Damage {
            damage: Damage::default(),
            shields: 0,
            cards: count,
            known,
        };
        self.open(Window::DamageSuffered, Some(index), None, what);
    }

    /// A damage card has come to lie face up: it is in play, what it says of that is carried out, and others answer it.
    fn turn_up(&mut self, index: usize, card: Card, what: EventWord, dice: &mut dyn DiceSource) {
        let (Some(place), Some(facts)) = (self.lay_out(index, card), card.facts(self.facts)) else {
            return;
        };
        let happening = Happening::DamageCard {
            card,
            what,
            place,
            damaged: facts.kind,
        };
        self.happens_at_once(index, place, Window::DamageCardEvent, happening.clone(), dice);
        self.open(Window::DamageCardEvent, Some(index), None, happening);
    }

    /// Brings a card that lies face up into play. Its place among the cards of the ship.
    fn lay_out(&mut self, index: usize, card: Card) -> Option<usize> {
        if self.lies_without_effect(index, card) {
            return None;
        }
        let in_play = card.facts(self.facts)?.face_up().clone();
        let fighter = &mut self.fighters[index];
        fighter.integrity.weigh(self.facts);
        let place = fighter.cards.len();
        fighter.cards.add(in_play);
        self.cards_came(index, place);
        Some(place)
    }

    /// The damage card that lies face up at a place among the cards of a ship.
    fn lying_at(&self, index: usize, place: usize) -> Option<Card> {
        let card = self.fighters[index].cards.get(place)?;
        let lies = card.id.kind == CardKind::Damage && card.entry.is_some();
        lies.then(|| self.facts.card(&card.id.xws)).flatten()
    }

    /// Repairs the card that lies face up at a place among the cards of a ship. False if none lies there.
    pub(super) fn repair_at(&mut self, index: usize, place: usize) -> bool {
        let Some(card) = self.lying_at(index, place) else {
            return false;
        };
        let integrity = &mut self.fighters[index].integrity;
        if !integrity.turn_face_down(card) {
            return false;
        }
        integrity.weigh(self.facts);
        self.fighters[index].cards.retire(place);
        let ship = self.table.ships[index].id.clone();
        self.events.push(Event::Repaired { ship, card });
        self.cards_are_others(index);
        if let Some(facts) = card.facts(self.facts) {
            let happening = Happening::DamageCard {
                card,
                what: EventWord::Repair,
                place,
                damaged: facts.kind,
            };
            self.open(Window::DamageCardEvent, Some(index), None, happening);
        }
        true
    }

    /// Repairs a card that lies face up. False if it does not.
    pub(super) fn repair(&mut self, index: usize, card: Card) -> bool {
        let places = 0..self.fighters[index].cards.len();
        let place = places.rev().find(|place| self.lying_at(index, *place) == Some(card));
        place.is_some_and(|place| self.repair_at(index, place))
    }

    /// Whether the card at a place among the cards of a ship is a damage card that lies face up.
    pub(super) fn is_damage_at(&self, index: usize, place: usize) -> bool {
        self.lying_at(index, place).is_some()
    }

    /// Brings the damage cards in play in line with those that lie face up, for ships that begin with some or were put
    /// right from outside. Nothing comes of it but what they do all the time.
    pub(super) fn settle_damage_cards(&mut self, index: usize) {
        let mut lying = self.fighters[index].integrity.face_up.clone();
        let mut changed = false;
        for place in 0..self.fighters[index].cards.len() {
            let Some(card) = self.lying_at(index, place) else {
                continue;
            };
            match lying.iter().position(|other| *other == card) {
                Some(known) => {
                    lying.remove(known);
                }
                None => {
                    self.fighters[index].cards.retire(place);
                    changed = true;
                }
            }
        }
        for card in lying {
            changed |= self.lay_out(index, card).is_some();
        }
        self.fighters[index].integrity.weigh(self.facts);
        if changed {
            self.cards_are_others(index);
        }
    }

    /// The damage cards of a ship that leaves do nothing any more.
    pub(super) fn take_damage_cards_away(&mut self, index: usize) {
        for place in 0..self.fighters[index].cards.len() {
            if self.is_damage_at(index, place) {
                self.fighters[index].cards.retire(place);
            }
        }
        let deck = self.decks.of(&self.table.ships[index].side);
        self.fighters[index].integrity.discard_all(deck);
    }
}
