//! Cards outside attacks at a table: what is announced when their ships are first seen, and what players may choose when
//! their moment comes.

use super::{
    Pick,
    choices::{MOST_OPTIONS, Question, unlike},
};
use crate::{
    commander::Explanation,
    dice::SeededDice,
    game::{
        Game, called,
        event::Topic,
        opponent::{Opponent, Within},
    },
    xwing::{
        battle::{Answer, Battle, Choice, Offer, Request, queue::UNKNOWN_CARD, support::announcements},
        catalog::Titles,
        edition::Edition,
        escort::protect::PROTECT,
        table::Table,
    },
};

/// The option not to use a card.
pub const NONE: &str = "None";
/// The option not to take an action that a card gives.
pub const NO_ACTION: &str = "No action";
/// The option to take it at the table.
pub const ACT_BY_HAND: &str = "By hand";

impl<O: Opponent> Game<O> {
    /// Tells the players, once a game and card, which cards of the ships on the table are asked about or played in part.
    pub(super) fn announce_cards(&mut self, table: &Table) {
        let Some(whole) = &mut self.whole else { return };
        let mut said = Vec::new();
        for ship in &table.ships {
            let Some(fighter) = self.fighters.get(&ship.id) else {
                continue;
            };
            for text in announcements(&fighter.cards) {
                if whole.announced.insert(text.clone()) {
                    said.push(format!("{} has {text}.", called(ship)));
                }
            }
        }
        if !said.is_empty() {
            self.note(&said.join(" "));
        }
    }

    /// Whether and how a card is used, or what is chosen within it. What need not be used is not used when nobody answers
    /// in time; what has to be chosen is then what costs the least (SA-12, by the table of losses).
    pub(super) fn effect_question(&self, battle: &Battle, offer: &Offer) -> Option<Question> {
        if offer.card == PROTECT {
            return self.protect_question(battle, offer);
        }
        let mut picks: Vec<(String, Pick)> = Vec::new();
        if !offer.must {
            picks.push((NONE.to_owned(), Pick::Choose(Answer::Effect(None), String::new())));
        }
        for (place, choice) in offer.choices.iter().enumerate().take(MOST_OPTIONS) {
            let text = unlike(&picks, self.choice_words(choice));
            picks.push((text, Pick::Choose(Answer::Effect(Some(place)), String::new())));
        }
        let mut default = 0;
        if offer.must {
            if picks.len() < 2 {
                return None;
            }
            let mut dice = SeededDice::for_activation(self.config.seed, self.round, &format!("{} chooses", offer.ship));
            let request = Request::Effect(Box::new(offer.clone()));
            if let (Answer::Effect(Some(best)), _) = self.best_play(battle, &request, &mut dice)
                && best < picks.len()
            {
                default = best;
            }
        }
        let (name, card) = (self.name(&offer.ship), title(&offer.card));
        let text = match (&offer.asks, offer.must) {
            (Some(key), _) if key == UNKNOWN_CARD => format!(
                "{name} has {card}, a card that the program does not know. Carry out by hand what it says, whenever its moment \
                 comes. Does it do something now?"
            ),
            (Some(_), _) => format!("{name}: {card} is played by hand. What do you use of it?"),
            (None, true) => format!("{name}: {card}. What does it choose?"),
            (None, false) => format!("{name}: does it use {card}?"),
        };
        Some(Question {
            text,
            default: picks[default].0.clone(),
            picks,
            topic: Topic::Ability,
        })
    }

    /// What the opponent would choose: the best play is the same for both sides.
    pub(super) fn best_play(&self, battle: &Battle, request: &Request, dice: &mut SeededDice) -> (Answer, Explanation) {
        let within = Within {
            flight: None,
            promised: &mut Vec::new(),
        };
        self.opponent.choose(battle, request, within, dice)
    }

    /// A choice in words, ships by their names.
    fn choice_words(&self, choice: &Choice) -> String {
        match choice {
            Choice::Use { targets, price } if !targets.is_empty() => {
                let targets: Vec<String> = targets.iter().map(|id| self.name(id)).collect();
                let price = match price {
                    0 => String::new(),
                    price => format!(" at its price {}", price + 1),
                };
                format!("Use it on {}{price}", targets.join(", "))
            }
            choice => choice.to_string(),
        }
    }
}

/// What players call a card: its name, or its id where the catalog has none.
pub(super) fn title(card: &str) -> String {
    if card == PROTECT {
        return "Protect".to_owned();
    }
    let mut editions = Edition::ALL.into_iter().map(Titles::embedded_for);
    let printed = editions.find_map(|titles| titles.printed(card)).map(str::to_owned);
    printed
        .or_else(|| Titles::embedded().title(card))
        .unwrap_or_else(|| card.to_owned())
}
