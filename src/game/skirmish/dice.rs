//! Dice of a skirmish: the program's own, the table's, or those that the players roll and tell.

use super::{Effect, Event, SkirmishGame, activation::Waits, event::Roll};
use crate::{
    dice::{D20Source as _, SeededDice},
    game::round::DiceFrom,
    swm::skirmish::Answer,
};

impl SkirmishGame {
    /// Where dice come from.
    pub fn dice_from(&self) -> DiceFrom {
        self.config.dice
    }

    /// Who rolls the dice from now on. One sentence.
    pub fn set_dice(&mut self, dice: DiceFrom) -> String {
        self.config.dice = dice;
        match dice {
            DiceFrom::Program => "The program rolls the dice.",
            DiceFrom::Table => "The table rolls the dice, where it can; else the players do and tell what they show.",
            DiceFrom::Typed => "The players roll the dice and tell what they show.",
        }
        .to_owned()
    }

    /// Whether dice come from outside the program, and somebody is there who can give them.
    pub(super) fn dice_from_outside(&self) -> bool {
        let able = self.abilities.as_ref();
        match self.config.dice {
            DiceFrom::Program => false,
            DiceFrom::Table => able.is_some_and(|able| able.dice || able.prompt),
            DiceFrom::Typed => able.is_some_and(|able| able.prompt),
        }
    }

    /// Asks the table, or the players, for the next die of a choice.
    pub(super) fn ask_for_a_die(&mut self, answer: &Answer) {
        let Some(acting) = &self.acting else { return };
        let figure = acting.figure.clone();
        let rolls = self.config.dice == DiceFrom::Table && self.abilities.as_ref().is_some_and(|able| able.dice);
        if !rolls {
            return self.ask_players_for_a_die(&figure, answer);
        }
        self.numbers += 1;
        let roll = Roll {
            id: format!("{}-r{}", self.config.id, self.numbers),
            reason: format!("{figure}, `{answer}`: a d20"),
            figure,
        };
        self.effects.push(Effect::Roll(roll.clone()));
        if let Some(acting) = &mut self.acting {
            acting.waits = Waits::Roll(roll);
        }
        self.status();
    }

    fn ask_players_for_a_die(&mut self, figure: &str, answer: &Answer) {
        let default = self.own_die().to_string();
        let options: Vec<String> = (1..=20).map(|shows: u8| shows.to_string()).collect();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let text = format!("{figure}, `{answer}`: roll a d20. What does it show?");
        let prompt = self.prompt(figure, text, &options, &default, true);
        self.wait_for(prompt);
    }

    /// The die that the program would roll next for the choice under way, if nobody gives one.
    pub(super) fn own_die(&self) -> u8 {
        let Some(acting) = &self.acting else { return 1 };
        let who = format!("{} {}", acting.figure, acting.choice);
        let mut rolled = SeededDice::for_activation(self.config.seed, self.round, &who);
        (0..=acting.known.len()).map(|_| rolled.d20()).last().unwrap_or(1)
    }

    /// The table has rolled a die, or (none) it has not: then the players are asked, or the program rolls. An answer to another
    /// roll is dropped.
    pub fn roll_answered(&mut self, id: &str, shows: Option<u8>) {
        let prompts = self.abilities.as_ref().is_some_and(|able| able.prompt);
        let Some(acting) = &mut self.acting else { return };
        let Waits::Roll(roll) = &acting.waits else { return };
        if roll.id != id {
            return;
        }
        let figure = roll.figure.clone();
        acting.waits = Waits::Nothing;
        match (shows.filter(|shows| (1..=20).contains(shows)), acting.answer.clone()) {
            (Some(shows), _) => acting.known.push(shows),
            (None, Some(answer)) if prompts => return self.ask_players_for_a_die(&figure, &answer),
            (None, _) => {
                let own = self.own_die();
                let message = format!("The table did not roll the die; the program rolls {own}.");
                self.effects.push(Effect::Event(Event::Note(message)));
                if let Some(acting) = &mut self.acting {
                    acting.known.push(own);
                }
            }
        }
        self.go_on();
        self.status();
    }
}
