//! The file of a tournament: TOML that people read, edit and go on with. What is wrong is said with its line.

use std::{collections::BTreeMap, fmt, ops::Range};

use serde::Deserialize;
use toml::Spanned;

use super::{
    Ending, Entrant, Game, MOST_MATCHES, MOST_PLAYERS, MOST_POINTS, Match, Options, Outcome, Pairing, Player,
    Tournament,
};
use crate::{
    toml_text::{self, line_of},
    visible::{steers, visible},
};

/// The word for a game that nobody won, in place of a winner.
pub const DRAW: &str = "draw";

/// Something wrong in the file of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, and the remedy.
    pub text: String,
}

/// Everything that is wrong in the file of a tournament, in the order of its lines.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, fault) in self.0.iter().enumerate() {
            let gap = if place == 0 { "" } else { "\n" };
            write!(out, "{gap}line {}: {}", fault.line, visible(&fault.text))?;
        }
        Ok(())
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    tournament: RawHead,
    #[serde(default)]
    player: Vec<Spanned<RawPlayer>>,
    #[serde(default, rename = "match")]
    matches: Vec<Spanned<RawMatch>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHead {
    name: String,
    seed: Spanned<u64>,
    matches: Option<Spanned<u32>>,
    #[serde(default)]
    mov_floor: bool,
    #[serde(default)]
    rematch: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPlayer {
    id: String,
    name: Option<String>,
    squad: Option<u32>,
    shuttle: Option<u32>,
    from: Option<u32>,
    until: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMatch {
    number: u32,
    #[serde(default)]
    why: String,
    bye: Option<Spanned<String>>,
    #[serde(default)]
    why_bye: String,
    pairings: Vec<Spanned<RawPairing>>,
    #[serde(default)]
    games: Vec<Spanned<RawGame>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPairing {
    players: [String; 2],
    #[serde(default)]
    why: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGame {
    defender: String,
    attacker: String,
    score: Vec<i64>,
    ended: Option<String>,
    winner: Option<String>,
}

/// A game in words, as a file or a command line has it.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// Id or name of the player with the shuttle.
    pub defender: &'a str,
    /// Id or name of the opponent.
    pub attacker: &'a str,
    /// Points of the defender, then of the attacker.
    pub score: [u32; 2],
    /// How it ended.
    pub ended: Option<&'a str>,
    /// Who won, or [`DRAW`].
    pub winner: Option<&'a str>,
}

impl Told<'_> {
    /// The game that is told.
    ///
    /// # Errors
    /// Why it cannot be one of this tournament: each thing that is wrong, with its rule.
    pub fn game(&self, tournament: &Tournament) -> Result<Game, Vec<String>> {
        let known = |word: &str| tournament.entrant(word).ok_or_else(|| unknown_player(tournament, word));
        let (defender, attacker) = match (known(self.defender), known(self.attacker)) {
            (Ok(defender), Ok(attacker)) => (defender, attacker),
            (defender, attacker) => return Err([defender.err(), attacker.err()].into_iter().flatten().collect()),
        };
        if defender == attacker {
            return Err(vec![format!(
                "{} cannot play against themselves",
                tournament.id(defender)
            )]);
        }
        let ended = match self.ended.map(|word| Ending::from_word(word).ok_or(word)).transpose() {
            Ok(ended) => ended,
            Err(word) => return Err(vec![format!("there is no ending `{word}`: {}", Ending::words())]),
        };
        let [defender_score, attacker_score] = self.score;
        let outcome = match (self.winner, ended) {
            (Some(word), _) => winner(tournament, word, [defender, attacker]).map_err(|fault| vec![fault])?,
            (None, Some(ended)) => ended.outcome(defender_score, attacker_score),
            (None, None) => {
                return Err(vec![format!("say how the game ended ({}) or who won", Ending::words())]);
            }
        };
        let game = Game {
            defender,
            attacker,
            defender_score,
            attacker_score,
            ended,
            outcome,
        };
        let faults = game.contradictions(tournament);
        if faults.is_empty() { Ok(game) } else { Err(faults) }
    }
}

fn winner(tournament: &Tournament, word: &str, [defender, attacker]: [Entrant; 2]) -> Result<Outcome, String> {
    match tournament.entrant(word) {
        Some(entrant) if entrant == defender => Ok(Outcome::Defender),
        Some(entrant) if entrant == attacker => Ok(Outcome::Attacker),
        None if word == DRAW => Ok(Outcome::Draw),
        None => Err(unknown_player(tournament, word)),
        Some(other) => Err(format!(
            "the winner {} is neither {} nor {}; a game that nobody won has `{DRAW}`",
            tournament.id(other),
            tournament.id(defender),
            tournament.id(attacker)
        )),
    }
}

/// That nobody of the name plays, with the name that may be meant.
pub fn unknown_player(tournament: &Tournament, word: &str) -> String {
    let likeness = |player: &Player| {
        let word = word.to_lowercase();
        strsim::jaro_winkler(&word, &player.id).max(strsim::jaro_winkler(&word, &player.name.to_lowercase()))
    };
    let near = (tournament.players.iter()).max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    match near.filter(|near| likeness(near) > 0.75) {
        Some(near) => format!("there is no player `{word}`; did you mean `{}`?", near.id),
        None => format!("there is no player `{word}`: add a [[player]] with this id, or correct it"),
    }
}

/// Why a game cannot stand in a match: not paired, or there already.
pub fn misplaced(tournament: &Tournament, played: &Match, game: &Game) -> Option<String> {
    let (defender, attacker) = (tournament.id(game.defender), tournament.id(game.attacker));
    if !(played.pairings.iter()).any(|pairing| pairing.is_of(game.defender, game.attacker)) {
        let opponent = |entrant: Entrant| {
            let id = tournament.id(entrant);
            let pair = played
                .pairings
                .iter()
                .find(|pairing| pairing.players.contains(&entrant));
            let opponent = pair.and_then(|pair| pair.players.iter().find(|other| **other != entrant));
            match opponent {
                Some(opponent) => format!("{id} meets {}", tournament.id(*opponent)),
                None if played.bye == Some(entrant) => format!("{id} has the bye"),
                None => format!("{id} does not play"),
            }
        };
        return Some(format!(
            "{defender} and {attacker} are not paired in match {}: {}, {}",
            played.number,
            opponent(game.defender),
            opponent(game.attacker)
        ));
    }
    (played.game(game.defender, game.attacker)).map(|there| {
        format!(
            "the game in which {defender} defends against {attacker} in match {} is there already, {} to {}",
            played.number, there.defender_score, there.attacker_score
        )
    })
}

/// The points of a game as they are written, the defender's first.
///
/// # Errors
/// Not two of them, or a number that is none of points.
fn points(written: &[i64]) -> Result<[u32; 2], String> {
    let [defender, attacker] = written else {
        let told: Vec<String> = written.iter().map(i64::to_string).collect();
        return Err(format!(
            "`score = [{}]` has {} {}: give two, the defender's points, then the attacker's",
            told.join(", "),
            written.len(),
            if written.len() == 1 { "number" } else { "numbers" }
        ));
    };
    let one = |points: i64| u32::try_from(points).map_err(|_| no_points(&points.to_string()));
    Ok([one(*defender)?, one(*attacker)?])
}

/// That a word is no number of points, and which are.
pub fn no_points(word: &str) -> String {
    format!("`{word}` is no number of points: give 0 to {MOST_POINTS}")
}

/// Reads the text of a tournament's file.
///
/// # Errors
/// Everything that is wrong with it, line by line.
pub fn read(text: &str) -> Result<Tournament, Faults> {
    let raw: RawFile = toml::from_str(text).map_err(|error| {
        let (line, text) = toml_text::fault(&error, text);
        Faults(vec![Fault {
            line: line.unwrap_or(1),
            text,
        }])
    })?;
    let mut reading = Reading {
        text,
        faults: Vec::new(),
    };
    let planned = raw.tournament.matches.map(|planned| {
        if !(1..=MOST_MATCHES).contains(planned.get_ref()) {
            let fault = format!("`matches = {}`: give 1 to {MOST_MATCHES}", planned.get_ref());
            reading.fault(&planned.span(), fault);
        }
        planned.into_inner()
    });
    // What changes the file writes no greater number.
    let seed = raw.tournament.seed;
    if i64::try_from(*seed.get_ref()).is_err() {
        reading.fault(
            &seed.span(),
            format!("`seed = {}`: give 0 to {}", seed.get_ref(), i64::MAX),
        );
    }
    let mut tournament = Tournament {
        name: raw.tournament.name,
        seed: seed.into_inner(),
        planned,
        options: Options {
            mov_floor: raw.tournament.mov_floor,
            rematch: raw.tournament.rematch,
        },
        players: reading.players(raw.player),
        matches: Vec::new(),
    };
    for played in raw.matches {
        let played = reading.match_of(&tournament, played);
        tournament.matches.push(played);
    }
    reading.faults.sort();
    match reading.faults.is_empty() {
        true => Ok(tournament),
        false => Err(Faults(reading.faults)),
    }
}

struct Reading<'a> {
    text: &'a str,
    faults: Vec<Fault>,
}

impl Reading<'_> {
    fn line(&self, span: &Range<usize>) -> usize {
        line_of(self.text.as_bytes(), span.start)
    }

    fn fault(&mut self, span: &Range<usize>, text: String) {
        let line = self.line(span);
        self.faults.push(Fault { line, text });
    }

    fn players(&mut self, raw: Vec<Spanned<RawPlayer>>) -> Vec<Player> {
        let mut lines: BTreeMap<String, usize> = BTreeMap::new();
        let mut players = Vec::new();
        for player in raw {
            let span = player.span();
            let player = player.into_inner();
            let id = player.id.clone();
            if id.trim().is_empty() || id.chars().any(steers) {
                self.fault(&span, format!("`{id}` is no id: give letters, digits and hyphens"));
            }
            if id == DRAW {
                self.fault(
                    &span,
                    format!("`{DRAW}` stands for a game without a winner: give another id"),
                );
            }
            if let Some(before) = lines.get(&id) {
                self.fault(
                    &span,
                    format!("the player `{id}` stands in line {before} already: ids are unique"),
                );
                continue;
            }
            lines.insert(id.clone(), self.line(&span));
            for (what, points) in [("squad", player.squad), ("shuttle", player.shuttle)] {
                if let Some(points) = points.filter(|points| *points > MOST_POINTS) {
                    self.fault(
                        &span,
                        format!("{id}: `{what} = {points}` is more than {MOST_POINTS} points (PE-2.1)"),
                    );
                }
            }
            if let (Some(squad), Some(shuttle)) = (player.squad, player.shuttle)
                && shuttle > squad
            {
                self.fault(
                    &span,
                    format!("{id}: the squad's {squad} points include the shuttle's {shuttle} (PE-2.1)"),
                );
            }
            let from = player.from.unwrap_or(1);
            if let Some(until) = player.until.filter(|until| *until < from) {
                self.fault(
                    &span,
                    format!("{id} plays from match {from} until match {until}: none at all"),
                );
            }
            players.push(Player {
                name: player.name.unwrap_or_else(|| id.clone()),
                id,
                squad: player.squad,
                shuttle: player.shuttle,
                from,
                until: player.until,
            });
        }
        if players.len() > MOST_PLAYERS {
            self.fault(
                &(0..0),
                format!("{} players are more than {MOST_PLAYERS}", players.len()),
            );
        }
        players.sort_by(|one, other| one.id.cmp(&other.id));
        players
    }

    fn match_of(&mut self, tournament: &Tournament, raw: Spanned<RawMatch>) -> Match {
        let span = raw.span();
        let raw = raw.into_inner();
        let number = tournament.next_match();
        if raw.number != number {
            self.fault(
                &span,
                format!("match {} stands where match {number} is due", raw.number),
            );
        }
        match tournament.planned {
            _ if number == MOST_MATCHES + 1 => {
                self.fault(&span, format!("a tournament has at most {MOST_MATCHES} matches"));
            }
            // It was said of the first one too many.
            _ if number > MOST_MATCHES => {}
            // PE-9.1: the organiser says how many.
            Some(planned) if number > planned && number <= MOST_MATCHES => self.fault(
                &span,
                format!(
                    "match {number} is one more than planned: raise `matches = {planned}` in [tournament], or take the match out"
                ),
            ),
            _ => {}
        }
        let mut played = Match {
            number,
            why: raw.why,
            why_bye: raw.why_bye,
            ..Match::default()
        };
        let mut seated: BTreeMap<Entrant, usize> = BTreeMap::new();
        for pairing in raw.pairings {
            let span = pairing.span();
            let RawPairing { players, why } = pairing.into_inner();
            let known = players.map(|word| self.seat(tournament, &word, number, &span, &mut seated));
            if let [Some(one), Some(other)] = known {
                played.pairings.push(Pairing {
                    players: [one, other],
                    why,
                });
            }
        }
        if let Some(bye) = raw.bye {
            played.bye = self.seat(tournament, bye.get_ref(), number, &bye.span(), &mut seated);
        }
        let taking_part = tournament.taking_part(number);
        for entrant in &taking_part {
            if !seated.contains_key(entrant) {
                let id = tournament.id(*entrant);
                let sits_out = match played.bye {
                    // PE-9.6
                    None if !taking_part.len().is_multiple_of(2) => {
                        format!("give one player of the odd number the bye, as in `bye = \"{id}\"`, or pair them")
                    }
                    Some(_) if taking_part.len().is_multiple_of(2) => {
                        "pair them, for nobody has the bye of an even number of players".to_owned()
                    }
                    _ => "pair them".to_owned(),
                };
                let leaves = match number {
                    1 => "take the [[player]] out, or give `from = 2`".to_owned(),
                    _ => format!("give the player `until = {}`", number - 1),
                };
                self.fault(
                    &span,
                    format!("match {number} leaves out {id}: {sits_out}; if they do not play, {leaves}"),
                );
            }
        }
        let mut lines = BTreeMap::new();
        for game in raw.games {
            let (span, game) = (game.span(), game.into_inner());
            self.game(tournament, &game, &mut played, &span, &mut lines);
        }
        played
    }

    /// Takes a player's only place in a match.
    fn seat(
        &mut self,
        tournament: &Tournament,
        word: &str,
        number: u32,
        span: &Range<usize>,
        seated: &mut BTreeMap<Entrant, usize>,
    ) -> Option<Entrant> {
        let Some(entrant) = tournament.entrant(word) else {
            self.fault(span, unknown_player(tournament, word));
            return None;
        };
        if !tournament.player(entrant).plays_in(number) {
            self.fault(
                span,
                format!("{word} does not take part in match {number}: see `from` and `until`"),
            );
        }
        let line = self.line(span);
        if let Some(before) = seated.insert(entrant, line) {
            self.fault(
                span,
                format!("{word} stands in match {number} twice, in line {before} too"),
            );
            return None;
        }
        Some(entrant)
    }

    fn game(
        &mut self,
        tournament: &Tournament,
        raw: &RawGame,
        played: &mut Match,
        span: &Range<usize>,
        lines: &mut BTreeMap<(Entrant, Entrant), usize>,
    ) {
        let score = match points(&raw.score) {
            Ok(score) => score,
            Err(fault) => return self.fault(span, fault),
        };
        let told = Told {
            defender: &raw.defender,
            attacker: &raw.attacker,
            score,
            ended: raw.ended.as_deref(),
            winner: raw.winner.as_deref(),
        };
        let game = match told.game(tournament) {
            Ok(game) => game,
            Err(faults) => return faults.into_iter().for_each(|fault| self.fault(span, fault)),
        };
        if let Some(mut fault) = misplaced(tournament, played, &game) {
            if let Some(line) = lines.get(&(game.defender, game.attacker)) {
                fault += &format!(", in line {line}");
            }
            return self.fault(span, fault);
        }
        lines.insert((game.defender, game.attacker), self.line(span));
        played.games.push(game);
    }
}
