//! A tournament of Political Escort (PE-9): who plays, who is paired with whom and why, what the games came to, who stands where.
//!
//! Everything here is a plain value of a text: [`file::read`] makes a [`Tournament`] of it or says what is wrong in which
//! line, [`edit`] changes the text and leaves all else in it alone, [`pairing::pair`] pairs the next match,
//! [`standings::standings`] ranks the players, [`report`] and [`page`] show it all. No file, no clock, no random source of its
//! own: rolls come from the tournament's seed, so the same text gives the same pairings everywhere.

pub mod bye;
pub mod clock;
pub mod edit;
pub mod file;
pub mod game;
pub mod page;
pub mod pairing;
pub mod record;
pub mod report;
pub mod standings;

pub use self::{
    file::{Fault, Faults},
    game::{Ending, Game, Outcome},
    record::Record,
};

/// The most players that a tournament takes: more than any event of this kind has seen, and still paired at once.
pub const MOST_PLAYERS: usize = 512;

/// The most matches that a tournament takes.
pub const MOST_MATCHES: u32 = 64;

/// The most points that a side can score in a game: a whole squad (PE-2.1, PE-8).
pub const MOST_POINTS: u32 = 100;

/// A player of a tournament, by the place in [`Tournament::players`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entrant(pub usize);

/// A tournament as its file tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tournament {
    /// What it is called.
    pub name: String,
    /// Where all rolls come from.
    pub seed: u64,
    /// How many matches are planned, where the organiser has decided (PE-9.1).
    pub planned: Option<u32>,
    /// Readings of the rules that the organiser picked.
    pub options: Options,
    /// The players, in the order of their ids, whatever order the file has.
    pub players: Vec<Player>,
    /// The matches that were paired, first to last.
    pub matches: Vec<Match>,
}

/// Readings of the rules.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// The winner's difference of points counts as 0 where it is negative (PE-9.4).
    pub mov_floor: bool,
    /// Players may meet again, as if they had not met (PE-9.5).
    pub rematch: bool,
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// What stands for the player in pairings and games.
    pub id: String,
    /// What the player is called.
    pub name: String,
    /// Points of the squad with the shuttle's upgrades (PE-2.1), where the file tells it.
    pub squad: Option<u32>,
    /// Points of the shuttle's upgrades, where the file tells it.
    pub shuttle: Option<u32>,
    /// The first match that the player takes part in; later than 1 for a late arrival.
    pub from: u32,
    /// The last match that the player takes part in, for one who left.
    pub until: Option<u32>,
}

impl Player {
    /// Whether the player takes part in a match.
    pub fn plays_in(&self, number: u32) -> bool {
        self.from <= number && self.until.is_none_or(|until| number <= until)
    }

    /// Points of the squad's own ships, without what is on the shuttle.
    pub fn ships(&self) -> Option<u32> {
        self.squad?.checked_sub(self.shuttle?)
    }
}

/// A match: each player plays two games against one opponent, once in each role (PE-9.1).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Match {
    /// Counted from 1.
    pub number: u32,
    /// Who plays whom, table by table.
    pub pairings: Vec<Pairing>,
    /// Who sits out, with an odd number of players (PE-9.6).
    pub bye: Option<Entrant>,
    /// Why that player.
    pub why_bye: String,
    /// Why the match was paired as it was.
    pub why: String,
    /// The games that were entered.
    pub games: Vec<Game>,
}

/// Two players who meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// Who.
    pub players: [Entrant; 2],
    /// Why these two, with the rule's id and the values compared.
    pub why: String,
}

impl Pairing {
    /// Whether these two are the pair, in either order.
    pub fn is_of(&self, one: Entrant, other: Entrant) -> bool {
        self.players == [one, other] || self.players == [other, one]
    }

    /// The games of a pairing by who defends: each player once (PE-9.1).
    pub fn games(&self) -> [(Entrant, Entrant); 2] {
        let [one, other] = self.players;
        [(one, other), (other, one)]
    }
}

impl Match {
    /// The game in which one player defended against another, if it was entered.
    pub fn game(&self, defender: Entrant, attacker: Entrant) -> Option<&Game> {
        (self.games.iter()).find(|game| (game.defender, game.attacker) == (defender, attacker))
    }

    /// The games that are still to be entered, by defender and attacker.
    pub fn missing(&self) -> Vec<(Entrant, Entrant)> {
        (self.pairings.iter().flat_map(Pairing::games))
            .filter(|(defender, attacker)| self.game(*defender, *attacker).is_none())
            .collect()
    }
}

impl Tournament {
    /// A player.
    pub fn player(&self, entrant: Entrant) -> &Player {
        &self.players[entrant.0]
    }

    /// A player's id.
    pub fn id(&self, entrant: Entrant) -> &str {
        &self.player(entrant).id
    }

    /// The player of an id, or of a name in any case where that is one player's alone.
    pub fn entrant(&self, word: &str) -> Option<Entrant> {
        let by_id = self.players.iter().position(|player| player.id == word);
        by_id.map(Entrant).or_else(|| {
            let same =
                |player: &Player| player.name.to_lowercase() == word.to_lowercase() || player.id == word.to_lowercase();
            let mut found = (0..self.players.len()).filter(|at| same(&self.players[*at]));
            let first = found.next()?;
            found.next().is_none().then_some(Entrant(first))
        })
    }

    /// Everybody, in the order of their ids.
    pub fn entrants(&self) -> impl Iterator<Item = Entrant> + use<> {
        (0..self.players.len()).map(Entrant)
    }

    /// Those who take part in a match, in the order of their ids.
    pub fn taking_part(&self, number: u32) -> Vec<Entrant> {
        (self.entrants())
            .filter(|entrant| self.player(*entrant).plays_in(number))
            .collect()
    }

    /// A match by its number.
    pub fn numbered(&self, number: u32) -> Option<&Match> {
        self.matches.get((number as usize).checked_sub(1)?)
    }

    /// The number of the match that comes next.
    pub fn next_match(&self) -> u32 {
        self.matches.len() as u32 + 1
    }
}
