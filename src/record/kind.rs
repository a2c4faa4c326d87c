//! What a kind of game is, as far as its record needs to know: who is asked, what may be chosen, what comes of it. The rest
//! (playing it, writing it down, playing it again and comparing) is the same for all, see [`super::game::Recorded`].

use std::fmt;

use serde::{Serialize, de::DeserializeOwned};

use super::{Hand, beginning::BadBeginning, dice::AllDice};
use crate::decision::Explanation;

/// The first line of a record of some kind of game.
pub trait Head: Clone + fmt::Debug + Serialize + DeserializeOwned {
    /// The form of the record.
    fn form(&self) -> u32;
    /// Where all dice come from.
    fn seed(&self) -> u64;
    /// Which game of a simulation it is.
    fn game(&self) -> Option<u64>;
    /// Who chooses for the player.
    fn player(&self) -> Hand;
    /// Whether somebody rolls the dice on their own table and types them in.
    fn typed_dice(&self) -> bool;
}

/// A game in play, with those who choose for its sides.
pub trait Kind: Clone + fmt::Debug {
    /// What it is called in messages.
    const NAME: &'static str;
    /// What the opponent is called where it chose something.
    const OPPONENT: &'static str;

    /// How it begins.
    type Header: Head;
    /// What else it is played with, that is too large for a record.
    type Facts: ?Sized;
    /// What is asked.
    type Request: Clone + fmt::Debug;
    /// Who is asked, as a line of the record begins.
    type Who: Clone + PartialEq + fmt::Debug + fmt::Display + Serialize + DeserializeOwned;
    /// What is chosen, as a line of the record has it.
    type Choice: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned;
    /// What happens.
    type Event: fmt::Debug;
    /// Why the rules do not allow a choice.
    type Refused: std::error::Error;

    /// The game before its first choice, and what the players ought to know about it. Dice that the header should keep are
    /// written into it.
    ///
    /// # Errors
    /// A beginning that cannot be played.
    fn begin(
        header: &mut Self::Header,
        facts: &Self::Facts,
        dice: &mut dyn AllDice,
    ) -> Result<(Self, Vec<String>), BadBeginning>;

    /// The round.
    fn round(&self) -> u32;
    /// What is asked now; `None` when it is over.
    fn pending(&self) -> Option<&Self::Request>;
    /// All that has happened.
    fn events(&self) -> &[Self::Event];
    /// Who is asked.
    fn who(&self, request: &Self::Request) -> Self::Who;
    /// Whether the player's side is asked.
    fn is_players(&self, request: &Self::Request) -> bool;

    /// What a commander would choose. Nothing happens but that it remembers.
    fn choose(&mut self, by: Hand, request: &Self::Request, dice: &mut dyn AllDice) -> (Self::Choice, Explanation);
    /// Why a choice is refused where nothing is asked.
    fn not_asked() -> Self::Refused;
    /// A choice that is always allowed, or the nearest to one: for one that was refused.
    fn harmless(&self, request: &Self::Request) -> Self::Choice;
    /// Does what was chosen.
    ///
    /// # Errors
    /// What the rules do not allow; nothing has changed then.
    fn carry_out(&mut self, choice: &Self::Choice, dice: &mut dyn AllDice) -> Result<(), Self::Refused>;

    /// What it is, in a line for people.
    fn title(&self, header: &Self::Header) -> String;
    /// What is asked now, in words; empty when nothing is.
    fn asked(&self) -> String;
    /// A choice of what is asked now, in words.
    fn chosen(&self, choice: &Self::Choice) -> String;
    /// The same as a whole sentence.
    fn sentence(&self, choice: &Self::Choice) -> String;
    /// What has happened since so many events, in words.
    fn told_since(&self, before: usize) -> Vec<String>;
}
