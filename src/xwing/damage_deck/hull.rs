//! What a ship suffers: shields first, then cards.

use serde::{Deserialize, Serialize};

use super::{
    deck::{Card, DamageDeck},
    facts::DeckFacts,
};
use crate::{
    dice::DiceSource,
    xwing::effects::{
        Amount, Effect, Predicate, Primitive, TokenWord, Window,
        predicate::EventWord,
        primitive::{GainToken, RepairedCard},
    },
};

/// Damage to suffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Damage {
    /// Hits.
    pub hits: u8,
    /// Crits.
    pub crits: u8,
}

/// Tokens that damage cards give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HarmfulToken {
    /// Stress.
    Stress,
    /// Ion.
    Ion,
}

impl HarmfulToken {
    /// The tokens that a card gives, and how many; `None` for tokens that no damage card gives.
    pub fn given(gained: &GainToken) -> Option<(HarmfulToken, u8)> {
        let token = match gained.token.0.as_slice() {
            [TokenWord::Stress] => HarmfulToken::Stress,
            [TokenWord::Ion] => HarmfulToken::Ion,
            _ => return None,
        };
        match gained.n {
            Amount::Fixed(count) => Some((token, count)),
            _ => None,
        }
    }
}

/// How whole a ship is: its hull, its shields, its damage cards.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Integrity {
    /// The hull value; damage cards never lower it.
    pub hull: u8,
    /// Active shields.
    pub shields: u8,
    /// Damage cards face up.
    pub face_up: Vec<Card>,
    /// Damage cards face down.
    pub face_down: Vec<Card>,
    /// Damage for which no card was left in the deck.
    pub without_card: u8,
}

/// What happened while a ship suffered damage, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DamageEvent {
    /// A shield was lost.
    ShieldLost,
    /// A card was dealt.
    Dealt {
        /// The card; `None` when none was left in the deck.
        card: Option<Card>,
        /// Whether it lies face up.
        face_up: bool,
    },
    /// A card was turned face down.
    Repaired(Card),
    /// A card was turned face up.
    Exposed(Card),
    /// The ship gained tokens. They are not put beside it here.
    Tokens {
        /// Which.
        token: HarmfulToken,
        /// How many.
        count: u8,
    },
    /// The damage has reached the hull value.
    Destroyed,
}

/// One damage while it is suffered.
struct Suffering<'a> {
    facts: &'a DeckFacts,
    deck: &'a mut DamageDeck,
    dice: &'a mut dyn DiceSource,
    events: Vec<DamageEvent>,
    /// Cards whose effect is being carried out: none is carried out within itself. So every answer to an answer comes of
    /// another card, of which there are only so many.
    busy: Vec<Card>,
}

impl<'a> Suffering<'a> {
    fn new(facts: &'a DeckFacts, deck: &'a mut DamageDeck, dice: &'a mut dyn DiceSource) -> Self {
        Suffering {
            facts,
            deck,
            dice,
            events: Vec::new(),
            busy: Vec::new(),
        }
    }
}

impl Integrity {
    /// A whole ship.
    pub fn new(hull: u8, shields: u8) -> Self {
        Integrity {
            hull,
            shields,
            ..Integrity::default()
        }
    }

    /// How many damage cards it has.
    pub fn damage(&self) -> usize {
        self.face_up.len() + self.face_down.len() + usize::from(self.without_card)
    }

    /// Whether its damage has reached its hull value.
    pub fn is_destroyed(&self) -> bool {
        self.damage() >= usize::from(self.hull)
    }

    /// Suffers damage: all hits, then all crits, each on a shield as long as there is one, else a card, face up for a crit.
    ///
    /// The cards' own answers to damage follow: what a card does that is dealt face up at once; what it does after critical
    /// damage, if it lay there before, when all of the damage is suffered. A destroyed ship suffers the rest, too.
    pub fn suffer(
        &mut self,
        damage: Damage,
        facts: &DeckFacts,
        deck: &mut DamageDeck,
        dice: &mut dyn DiceSource,
    ) -> Vec<DamageEvent> {
        let was_destroyed = self.is_destroyed();
        let mut now = Suffering::new(facts, deck, dice);
        self.suffer_within(damage, &mut now);
        self.with_destruction(was_destroyed, now.events)
    }

    fn suffer_within(&mut self, mut damage: Damage, now: &mut Suffering<'_>) {
        let answers_hits = |card: &Card| answers(*card, now.facts, Window::DamageWould, EventWord::Hit);
        if damage.hits > 0 && self.face_up.iter().any(answers_hits) {
            damage.crits = damage.crits.saturating_add(damage.hits);
            damage.hits = 0;
        }
        let lying = self.face_up.clone();
        for face_up in (0..damage.hits).map(|_| false).chain((0..damage.crits).map(|_| true)) {
            if self.shields > 0 {
                self.shields -= 1;
                now.events.push(DamageEvent::ShieldLost);
                continue;
            }
            let card = now.deck.draw(now.dice);
            now.events.push(DamageEvent::Dealt { card, face_up });
            match card {
                None => self.without_card = self.without_card.saturating_add(1),
                Some(card) if face_up => {
                    self.face_up.push(card);
                    self.answer(card, Window::DamageCardEvent, EventWord::DealtFaceup, now);
                }
                Some(card) => self.face_down.push(card),
            }
        }
        if damage.crits > 0 {
            for card in lying {
                let count = |cards: &[Card]| cards.iter().filter(|other| **other == card).count();
                if count(&self.face_up) > count(&now.busy) {
                    self.answer(card, Window::DamageSuffered, EventWord::Crit, now);
                }
            }
        }
    }

    /// Carries out what a face-up card does at a moment of damage.
    fn answer(&mut self, card: Card, window: Window, event: EventWord, now: &mut Suffering<'_>) {
        let facts = now.facts;
        now.busy.push(card);
        for effect in effects(card, facts, window, event) {
            for step in &effect.steps {
                match step {
                    Primitive::Repair(repair) if repair.card == RepairedCard::This && self.turn_face_down(card) => {
                        now.events.push(DamageEvent::Repaired(card));
                    }
                    Primitive::DealDamage(dealt) => {
                        let damage = Damage {
                            hits: dealt.hit,
                            crits: dealt.crit,
                        };
                        self.suffer_within(damage, now);
                    }
                    Primitive::GainToken(gained) => {
                        let tokens = HarmfulToken::given(gained);
                        now.events
                            .extend(tokens.map(|(token, count)| DamageEvent::Tokens { token, count }));
                    }
                    // These belong to other windows.
                    _ => {}
                }
            }
        }
        now.busy.pop();
    }

    /// Repairs a face-up card: turns it face down. False if it does not lie there.
    pub fn turn_face_down(&mut self, card: Card) -> bool {
        match self.face_up.iter().rposition(|other| *other == card) {
            Some(place) => {
                let card = self.face_up.remove(place);
                self.face_down.push(card);
                true
            }
            None => false,
        }
    }

    /// Exposes a face-down card: turns it face up, and what a card does that is dealt face up happens. Nothing if it does
    /// not lie there.
    pub fn expose(
        &mut self,
        card: Card,
        facts: &DeckFacts,
        deck: &mut DamageDeck,
        dice: &mut dyn DiceSource,
    ) -> Vec<DamageEvent> {
        let Some(place) = self.face_down.iter().rposition(|other| *other == card) else {
            return Vec::new();
        };
        let was_destroyed = self.is_destroyed();
        self.face_up.push(self.face_down.remove(place));
        let mut now = Suffering::new(facts, deck, dice);
        now.events.push(DamageEvent::Exposed(card));
        self.answer(card, Window::DamageCardEvent, EventWord::DealtFaceup, &mut now);
        self.with_destruction(was_destroyed, now.events)
    }

    /// A card is dealt face down, whatever shields there are.
    pub fn deal_facedown(&mut self, deck: &mut DamageDeck, dice: &mut dyn DiceSource) -> Vec<DamageEvent> {
        let was_destroyed = self.is_destroyed();
        let card = deck.draw(dice);
        match card {
            Some(card) => self.face_down.push(card),
            None => self.without_card = self.without_card.saturating_add(1),
        }
        self.with_destruction(was_destroyed, vec![DamageEvent::Dealt { card, face_up: false }])
    }

    fn with_destruction(&self, was_destroyed: bool, mut events: Vec<DamageEvent>) -> Vec<DamageEvent> {
        if self.is_destroyed() && !was_destroyed {
            events.push(DamageEvent::Destroyed);
        }
        events
    }

    /// Repairs a face-down card: discards it. False if it does not lie there.
    pub fn discard_face_down(&mut self, card: Card, deck: &mut DamageDeck) -> bool {
        match self.face_down.iter().rposition(|other| *other == card) {
            Some(place) => {
                deck.discard(self.face_down.remove(place));
                true
            }
            None => false,
        }
    }

    /// Discards all cards, for a ship that leaves the game.
    pub fn discard_all(&mut self, deck: &mut DamageDeck) {
        for card in self.face_up.drain(..).chain(self.face_down.drain(..)) {
            deck.discard(card);
        }
        self.without_card = 0;
    }
}

/// The effects of a card at a moment, for something that happened.
fn effects(card: Card, facts: &DeckFacts, window: Window, event: EventWord) -> impl Iterator<Item = &Effect> {
    let all = card
        .facts(facts)
        .map(|card| card.effects.as_slice())
        .unwrap_or_default();
    let answers = move |condition: &Predicate| matches!(condition, Predicate::Event(words) if words.contains(&event));
    all.iter()
        .filter(move |effect| effect.on.window.contains(&window) && effect.conditions.iter().any(answers))
}

fn answers(card: Card, facts: &DeckFacts, window: Window, event: EventWord) -> bool {
    effects(card, facts, window, event).next().is_some()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dice::SeededDice;

    /// A ship that suffers damage from a deck whose next cards are these.
    fn suffer(ship: &mut Integrity, damage: (u8, u8), cards: &[&str]) -> (Vec<DamageEvent>, DamageDeck) {
        let facts = DeckFacts::embedded();
        let mut dice = SeededDice::new(1);
        let mut deck = DamageDeck::shuffled(facts, &mut dice);
        let next: Vec<Card> = cards.iter().map(|id| deck.take(facts, id).unwrap()).collect();
        for card in next.into_iter().rev() {
            deck.put_on_top(card);
        }
        let damage = Damage {
            hits: damage.0,
            crits: damage.1,
        };
        let events = ship.suffer(damage, facts, &mut deck, &mut dice);
        (events, deck)
    }

    /// The ids of face-up cards and the number of face-down ones.
    fn lies(ship: &Integrity) -> (Vec<&'static str>, usize) {
        let id = |card: &Card| &*card.facts(DeckFacts::embedded()).unwrap().id;
        (ship.face_up.iter().map(id).collect(), ship.face_down.len())
    }

    #[test]
    fn shields_first_then_cards_face_up_for_crits() {
        let mut ship = Integrity::new(4, 2);
        let (events, _) = suffer(&mut ship, (1, 2), &["structural-damage"]);
        assert_eq!(events[..2], [DamageEvent::ShieldLost; 2]);
        assert_eq!((ship.shields, lies(&ship)), (0, (vec!["structural-damage"], 0)));
        assert!(!ship.is_destroyed());
        // Hits before crits: the one shield takes the hit.
        let mut ship = Integrity::new(2, 1);
        suffer(&mut ship, (1, 1), &["weapons-failure"]);
        assert_eq!(lies(&ship), (vec!["weapons-failure"], 0));
        let mut ship = Integrity::new(2, 0);
        let (events, _) = suffer(&mut ship, (2, 0), &["direct-hit", "direct-hit"]);
        assert_eq!(lies(&ship), (vec![], 2), "face down they do nothing");
        assert_eq!(events.last(), Some(&DamageEvent::Destroyed));
    }

    #[test]
    fn a_card_that_is_dealt_face_up_acts_at_once() {
        let mut ship = Integrity::new(5, 0);
        suffer(&mut ship, (0, 1), &["direct-hit", "direct-hit"]);
        assert_eq!(lies(&ship), (vec![], 2));
        let mut ship = Integrity::new(5, 0);
        let (events, _) = suffer(&mut ship, (0, 1), &["panicked-pilot"]);
        let stress = DamageEvent::Tokens {
            token: HarmfulToken::Stress,
            count: 2,
        };
        assert!(events.contains(&stress));
        assert_eq!(lies(&ship), (vec![], 1));
    }

    #[test]
    fn a_card_that_is_exposed_acts_as_if_dealt() {
        let facts = DeckFacts::embedded();
        let mut ship = Integrity::new(2, 0);
        let (_, mut deck) = suffer(&mut ship, (1, 0), &["direct-hit"]);
        let card = ship.face_down[0];
        let events = ship.expose(card, facts, &mut deck, &mut SeededDice::new(3));
        assert_eq!(
            (lies(&ship), events.last()),
            ((vec![], 2), Some(&DamageEvent::Destroyed))
        );
        let other = deck.take(facts, "fuel-leak").unwrap();
        assert_eq!(ship.expose(other, facts, &mut deck, &mut SeededDice::new(3)), []);
    }

    #[test]
    fn damage_after_critical_damage_only_from_what_lay_there_and_not_within_itself() {
        let mut ship = Integrity::new(9, 0);
        suffer(&mut ship, (0, 1), &["fuel-leak"]);
        assert_eq!(lies(&ship), (vec!["fuel-leak"], 0));
        suffer(&mut ship, (1, 0), &["console-fire"]);
        assert_eq!(lies(&ship), (vec!["fuel-leak"], 1), "hits do not set it off");
        suffer(&mut ship, (0, 1), &["structural-damage", "console-fire"]);
        assert_eq!(lies(&ship), (vec!["structural-damage"], 3));
        // Its hit becomes a crit, which does not set it off again.
        let mut ship = Integrity::new(9, 0);
        suffer(&mut ship, (0, 2), &["fuel-leak", "hull-breach"]);
        suffer(&mut ship, (1, 0), &["weapons-failure", "damaged-engine"]);
        assert_eq!(
            lies(&ship),
            (vec!["hull-breach", "weapons-failure", "damaged-engine"], 1)
        );
    }

    proptest! {
        #[test]
        fn no_card_is_lost_or_made(
            seed in any::<u64>(), hull in 1u8..12, shields in 0u8..8,
            blows in prop::collection::vec((0u8..5, 0u8..5, any::<bool>()), 1..12),
        ) {
            let facts = DeckFacts::embedded();
            let mut dice = SeededDice::new(seed);
            let mut deck = DamageDeck::shuffled(facts, &mut dice);
            let mut full: Vec<Card> = (0..facts.size()).filter_map(|_| deck.draw(&mut dice)).collect();
            full.sort_unstable();
            let mut dice = SeededDice::new(seed);
            let mut deck = DamageDeck::shuffled(facts, &mut dice);
            let mut ships = [Integrity::new(hull, shields), Integrity::new(hull, 0)];
            for (hits, crits, first) in blows {
                let ship = &mut ships[usize::from(first)];
                let (shields, damage) = (usize::from(ship.shields), ship.damage());
                let events = ship.suffer(Damage { hits, crits }, facts, &mut deck, &mut dice);
                let dealt = events.iter().filter(|event| matches!(event, DamageEvent::Dealt { .. })).count();
                let lost = events.iter().filter(|event| matches!(event, DamageEvent::ShieldLost)).count();
                prop_assert!(dealt + lost >= usize::from(hits + crits));
                prop_assert_eq!(ship.damage(), damage + dealt);
                prop_assert_eq!(usize::from(ship.shields), shields - lost);
                prop_assert!(ship.shields == 0 || dealt == 0, "a card although there is a shield");
                if ship.is_destroyed() && first {
                    ship.discard_all(&mut deck);
                    prop_assert_eq!(ship.damage(), 0);
                }
                let mut all = deck.discarded().to_vec();
                let mut rest = deck.clone();
                for _ in 0..deck.left() {
                    all.extend(rest.draw(&mut dice.clone()));
                }
                for ship in &ships {
                    all.extend(ship.face_up.iter().chain(&ship.face_down));
                }
                all.sort_unstable();
                prop_assert_eq!(&all, &full);
            }
        }
    }
}
