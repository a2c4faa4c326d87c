//! The damage decks of a game: one that all draw from, or one for each side, whose cards never mix (FE-2, FE-9.2).

use super::{deck::DamageDeck, facts::DeckFacts};
use crate::{dice::DiceSource, xwing::edition::DamageDecks};

/// All damage decks of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decks {
    /// One, or one for each of two sides.
    decks: Vec<DamageDeck>,
    /// Which of them a side draws from; a side that is not named draws from the first.
    seats: Vec<(String, usize)>,
}

impl Decks {
    /// Full decks, shuffled one after the other, for these sides.
    pub fn shuffled<'a>(
        facts: &DeckFacts,
        how_many: DamageDecks,
        sides: impl IntoIterator<Item = &'a str>,
        dice: &mut dyn DiceSource,
    ) -> Decks {
        let count = match how_many {
            DamageDecks::Shared => 1,
            DamageDecks::OnePerSide => 2,
        };
        let decks = (0..count).map(|_| DamageDeck::shuffled(facts, dice)).collect();
        let mut decks = Decks {
            decks,
            seats: Vec::new(),
        };
        decks.seat(sides);
        decks
    }

    /// These are the sides from now on: those that were there keep their decks, each new one takes the deck that the fewest
    /// others draw from.
    pub fn seat<'a>(&mut self, sides: impl IntoIterator<Item = &'a str>) {
        if self.decks.len() < 2 {
            return;
        }
        let sides: Vec<&str> = sides.into_iter().collect();
        self.seats.retain(|(name, _)| sides.contains(&&**name));
        for side in sides {
            if self.seats.iter().any(|(name, _)| name == side) {
                continue;
            }
            let drawing = |deck: &usize| self.seats.iter().filter(|(_, taken)| taken == deck).count();
            let deck = (0..self.decks.len()).min_by_key(drawing).unwrap_or(0);
            self.seats.push((side.to_owned(), deck));
        }
    }

    /// The deck that the ships of a side draw from, and that their cards go back to.
    pub fn of(&mut self, side: &str) -> &mut DamageDeck {
        let place = self.place_of(side);
        &mut self.decks[place]
    }

    /// As [`Decks::of`], to look at.
    pub fn seen_by(&self, side: &str) -> &DamageDeck {
        &self.decks[self.place_of(side)]
    }

    /// Which deck it is.
    fn place_of(&self, side: &str) -> usize {
        let seat = self.seats.iter().find(|(name, _)| name == side);
        seat.map_or(0, |(_, deck)| *deck)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{dice::SeededDice, xwing::edition::DamageDeckKind};

    fn decks(how_many: DamageDecks) -> Decks {
        let facts = DeckFacts::of(DamageDeckKind::Core2015);
        Decks::shuffled(facts, how_many, ["a", "b"], &mut SeededDice::new(1))
    }

    #[test]
    fn fe_2_each_side_has_a_deck_of_its_own_unless_they_share_one() {
        for (how_many, other) in [(DamageDecks::OnePerSide, 33), (DamageDecks::Shared, 23)] {
            let mut decks = decks(how_many);
            let mut dice = SeededDice::new(2);
            for _ in 0..10 {
                let card = decks.of("a").draw(&mut dice).expect("there are cards");
                decks.of("a").discard(card);
            }
            assert_eq!((decks.seen_by("a").left(), decks.seen_by("b").left()), (23, other));
            let discarded = if other == 33 { 0 } else { 10 };
            assert_eq!(decks.seen_by("b").discarded().len(), discarded, "{how_many:?}");
        }
        // They are shuffled each for itself.
        let decks = decks(DamageDecks::OnePerSide);
        assert_ne!(decks.seen_by("a"), decks.seen_by("b"));
    }

    #[test]
    fn sides_that_are_named_otherwise_later_do_not_share_a_deck() {
        let mut decks = decks(DamageDecks::OnePerSide);
        let a = decks.seen_by("a").clone();
        for names in [["player", "solo"], ["solo", "player"], ["b", "player"]] {
            decks.seat(names);
            assert_ne!(decks.seen_by(names[0]), decks.seen_by(names[1]), "{names:?}");
        }
        // Who stays keeps its own.
        decks.seat(["a", "b"]);
        let b = decks.seen_by("b").clone();
        decks.seat(["c", "b"]);
        assert_eq!((decks.seen_by("b"), decks.seen_by("c") == &a), (&b, b != a));
    }
}
