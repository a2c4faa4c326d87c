//! A game as it is recorded (PE-9.3): who defended, both scores, how it ended, and what it is worth.

use super::{Entrant, MOST_POINTS, Options, Tournament};

/// How a game ended (PE-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The shuttle left over the attacker's edge: the defender wins (PE-7.1).
    Exit,
    /// The shuttle was destroyed: the attacker wins (PE-7.2).
    Destroyed,
    /// The shuttle left over another edge, which destroys it: the attacker wins (PE-7.2).
    Fled,
    /// The time was up: the higher score wins, equal scores are a draw (PE-7.3).
    Time,
    /// All attackers were gone at the end of a round: the defender wins (PE-7.4).
    AttackersGone,
}

impl Ending {
    /// All of them.
    pub const ALL: [Ending; 5] = [
        Ending::Exit,
        Ending::Destroyed,
        Ending::Fled,
        Ending::Time,
        Ending::AttackersGone,
    ];

    /// The word for it in files and on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Ending::Exit => "exit",
            Ending::Destroyed => "destroyed",
            Ending::Fled => "fled",
            Ending::Time => "time",
            Ending::AttackersGone => "attackers-gone",
        }
    }

    /// The ending that a word means.
    pub fn from_word(word: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.word() == word)
    }

    /// The words, for the sentence that asks for one of them.
    pub fn words() -> String {
        Ending::ALL.map(Ending::word).join(", ")
    }

    /// The rule that says who wins.
    pub const fn rule(self) -> &'static str {
        match self {
            Ending::Exit => "PE-7.1",
            Ending::Destroyed | Ending::Fled => "PE-7.2",
            Ending::Time => "PE-7.3",
            Ending::AttackersGone => "PE-7.4",
        }
    }

    /// What comes of it with these scores.
    pub fn outcome(self, defender_score: u32, attacker_score: u32) -> Outcome {
        match self {
            Ending::Exit | Ending::AttackersGone => Outcome::Defender,
            Ending::Destroyed | Ending::Fled => Outcome::Attacker,
            // PE-7.3: equal scores leave no winner.
            Ending::Time => match defender_score.cmp(&attacker_score) {
                std::cmp::Ordering::Greater => Outcome::Defender,
                std::cmp::Ordering::Less => Outcome::Attacker,
                std::cmp::Ordering::Equal => Outcome::Draw,
            },
        }
    }
}

/// Who won a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The side with the shuttle.
    Defender,
    /// The other side.
    Attacker,
    /// Nobody.
    Draw,
}

/// A game that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Whose shuttle it was.
    pub defender: Entrant,
    /// The opponent.
    pub attacker: Entrant,
    /// Points of enemy ships that the defender destroyed (PE-8).
    pub defender_score: u32,
    /// Points of enemy ships that the attacker destroyed, with those of the shuttle (PE-8).
    pub attacker_score: u32,
    /// How it ended, where that was recorded.
    pub ended: Option<Ending>,
    /// Who won.
    pub outcome: Outcome,
}

impl Game {
    /// The winner; `None` for a draw.
    pub fn winner(&self) -> Option<Entrant> {
        match self.outcome {
            Outcome::Defender => Some(self.defender),
            Outcome::Attacker => Some(self.attacker),
            Outcome::Draw => None,
        }
    }

    /// Margin of victory of defender and attacker; together always 200.
    pub fn margins(&self, options: &Options) -> (i64, i64) {
        // PE-9.4: 100 and the winner's score less the loser's, which may be negative unless the option holds it at 0.
        let lead = i64::from(self.defender_score) - i64::from(self.attacker_score);
        let floored = |lead: i64| if options.mov_floor { lead.max(0) } else { lead };
        match self.outcome {
            Outcome::Defender => (100 + floored(lead), 100 - floored(lead)),
            Outcome::Attacker => (100 - floored(-lead), 100 + floored(-lead)),
            Outcome::Draw => (100, 100),
        }
    }

    /// Victory points of defender and attacker.
    pub const fn victory_points(&self) -> (u32, u32) {
        // PE-9.3: one for the winner.
        match self.outcome {
            Outcome::Defender => (1, 0),
            Outcome::Attacker => (0, 1),
            Outcome::Draw => (0, 0),
        }
    }

    /// What of the game contradicts the rules, in words.
    pub fn contradictions(&self, tournament: &Tournament) -> Vec<String> {
        let mut found = Vec::new();
        let (defender, attacker) = (tournament.player(self.defender), tournament.player(self.attacker));
        for (player, score) in [(defender, self.defender_score), (attacker, self.attacker_score)] {
            if score > MOST_POINTS {
                found.push(format!(
                    "{} scores {score}: a squad has {MOST_POINTS} points, so no score is above {MOST_POINTS} (PE-2.1, PE-8.1)",
                    player.id
                ));
            }
        }
        self.against_ending(tournament, &mut found);
        // PE-8.1 to 8.3, where the file tells what the squads cost.
        if let Some(ships) = attacker.ships().filter(|ships| self.defender_score > *ships) {
            found.push(format!(
                "{} scores {}, and the ships of {} cost {ships} (PE-8.1)",
                defender.id, self.defender_score, attacker.id
            ));
        }
        if let (Some(ships), Some(shuttle)) = (defender.ships(), defender.shuttle) {
            let (least, most) = match self.ended {
                Some(Ending::Destroyed | Ending::Fled) => (shuttle, ships + shuttle),
                Some(_) => (0, ships + shuttle / 2),
                None => (0, ships + shuttle),
            };
            if !(least..=most).contains(&self.attacker_score) {
                found.push(format!(
                    "{} scores {}: with ships of {ships} and a shuttle of {shuttle} points of {} it is {least} to {most} \
                     (PE-8.1 to PE-8.3)",
                    attacker.id, self.attacker_score, defender.id
                ));
            }
        }
        found
    }

    fn against_ending(&self, tournament: &Tournament, found: &mut Vec<String>) {
        let scores = (self.defender_score, self.attacker_score);
        let (defender, attacker) = (tournament.id(self.defender), tournament.id(self.attacker));
        match self.ended {
            Some(ended) => {
                let due = ended.outcome(scores.0, scores.1);
                if due != self.outcome {
                    let due = Game {
                        outcome: due,
                        ..self.clone()
                    };
                    let word = |game: &Game| {
                        game.winner()
                            .map_or("nobody", |winner| tournament.id(winner))
                            .to_owned()
                    };
                    found.push(format!(
                        "the winner is {} by `{}` with {} to {} ({}), not {}",
                        word(&due),
                        ended.word(),
                        scores.0,
                        scores.1,
                        ended.rule(),
                        word(self)
                    ));
                }
                let ships = tournament.player(self.attacker).ships();
                if let (Ending::AttackersGone, Some(ships)) = (ended, ships.filter(|ships| *ships > scores.0)) {
                    found.push(format!(
                        "all attackers are gone: {defender} scores the {ships} points of {attacker}'s ships, not {} (PE-7.4, \
                         PE-8.1)",
                        scores.0
                    ));
                }
            }
            // Only the time leaves a game without a winner, and then the scores are equal.
            None if self.outcome == Outcome::Draw && scores.0 != scores.1 => found.push(format!(
                "a draw has equal scores, not {} to {} (PE-7.3)",
                scores.0, scores.1
            )),
            None => {}
        }
    }
}
