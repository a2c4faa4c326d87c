//! Who plays whom (PE-9.5), exactly: among all ways to pair the players the one that costs least.
//!
//! What a pair costs, the first difference deciding over the whole match: meeting again; the difference in victory points;
//! going down again; the seeded roll. The sums are compared through one number a pair, wide enough that no sum of a later
//! one reaches an earlier one, and the least sum is found by the blossom algorithm, whose work grows with the third power of
//! the number of players: 60 are paired in a few milliseconds.

use std::collections::BTreeMap;

use integer_blossom::min_weight_perfect_matching;

use super::{Entrant, MOST_MATCHES, MOST_PLAYERS, Match, Pairing, Record, Tournament, bye::bye, record, report};
use crate::dice::{DiceSource as _, SeededDice};

/// Why the next match cannot be paired.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotPaired {
    /// Results are missing.
    #[error("match {number} is not over: enter {}", missing.join("; "))]
    Unfinished {
        /// The match.
        number: u32,
        /// Its games without a result, in words.
        missing: Vec<String>,
    },
    /// Too few players.
    #[error("match {number} takes 2 players or more, and has {}: `tallyho tournament add` adds some", report::players(*.players))]
    TooFew {
        /// The match.
        number: u32,
        /// Those who take part.
        players: usize,
    },
    /// All matches were paired.
    #[error("all {planned} matches are paired; raise `matches` in the file for more")]
    Over {
        /// How many were planned.
        planned: u32,
    },
    /// Too many matches.
    #[error("a tournament has at most {MOST_MATCHES} matches")]
    TooMany,
}

/// What pairing two players costs, the earlier deciding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// How often they have met; 0 with the option `rematch`.
    pub met: u32,
    /// The difference of their victory points.
    pub difference: u32,
    /// How much of going down falls on one who has gone down before: each group that is crossed after the first, and one
    /// more if the higher had to go down in an earlier match.
    pub down_again: u32,
    /// The roll.
    pub roll: u32,
}

/// Rolls go to here: those of a whole match, 256 pairs, still fit.
const ROLL: u32 = 1 << 24;

impl Cost {
    /// One number whose sums over a match compare as the parts do: each part has more room than it can fill, with 256 pairs
    /// and [`MOST_MATCHES`].
    fn number(self) -> i128 {
        let [met, difference, down_again, roll] =
            [self.met, self.difference, self.down_again, self.roll].map(i128::from);
        (((((met << 17) + difference) << 17) + down_again) << 33) + roll
    }
}

impl std::ops::Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            met: self.met + other.met,
            difference: self.difference + other.difference,
            down_again: self.down_again + other.down_again,
            roll: self.roll + other.roll,
        }
    }
}

/// The costs of a match that is to be paired.
#[derive(Debug)]
pub struct Costs<'a> {
    playing: &'a [Entrant],
    records: &'a [Record],
    /// Places of the groups by victory points, the best being 0.
    groups: BTreeMap<u32, u32>,
    rolls: Vec<u32>,
    rematch: bool,
}

impl<'a> Costs<'a> {
    /// Rolls a number for each pair; players in the order of their ids.
    pub fn new(tournament: &Tournament, number: u32, playing: &'a [Entrant], records: &'a [Record]) -> Costs<'a> {
        let mut points: Vec<u32> = (playing.iter())
            .map(|entrant| records[entrant.0].victory_points)
            .collect();
        points.sort_unstable_by(|one, other| other.cmp(one));
        points.dedup();
        let mut dice = SeededDice::for_activation(tournament.seed, number, "pairing");
        let count = playing.len();
        let mut rolls = vec![0; count * count];
        for one in 0..count {
            for other in one + 1..count {
                let roll = dice.choose(ROLL as usize) as u32;
                rolls[one * count + other] = roll;
                rolls[other * count + one] = roll;
            }
        }
        Costs {
            playing,
            records,
            groups: points.into_iter().zip(0..).collect(),
            rolls,
            rematch: tournament.options.rematch,
        }
    }

    /// What it costs to pair two, by their places among those who take part.
    pub fn of(&self, one: usize, other: usize) -> Cost {
        let record = |place: usize| &self.records[self.playing[place].0];
        let (high, low) = match record(one).victory_points >= record(other).victory_points {
            true => (one, other),
            false => (other, one),
        };
        let group = |place: usize| {
            self.groups
                .get(&record(place).victory_points)
                .copied()
                .unwrap_or_default()
        };
        let steps = group(low) - group(high);
        let met = record(one).met.get(&self.playing[other]).copied().unwrap_or_default();
        Cost {
            // PE-9.5: nobody meets the same opponent twice if any pairing avoids it.
            met: if self.rematch { 0 } else { met },
            difference: record(high).victory_points - record(low).victory_points,
            // PE-9.5: those go down who have not yet; who is sent on to a second group has gone down already.
            down_again: match steps {
                0 => 0,
                steps => steps - 1 + u32::from(!record(high).went_down.is_empty()),
            },
            roll: self.rolls[one * self.playing.len() + other],
        }
    }

    /// The cheapest way to pair everybody: places of those who meet, each pair once, the lower place first. The number of
    /// players is even.
    fn cheapest(&self) -> Vec<(usize, usize)> {
        let count = self.playing.len();
        let mut numbers = vec![0; count * count];
        for one in 0..count {
            for other in one + 1..count {
                numbers[one * count + other] = self.of(one, other).number();
            }
        }
        let partners = min_weight_perfect_matching(&numbers, count);
        (partners.into_iter().enumerate())
            .filter(|(one, other)| one < other)
            .collect()
    }
}

/// Pairs the next match.
///
/// # Errors
/// The match before is not over, all planned matches are paired, or fewer than two players take part.
pub fn pair(tournament: &Tournament) -> Result<Match, NotPaired> {
    let number = tournament.next_match();
    if let Some(planned) = tournament.planned.filter(|planned| number > *planned) {
        return Err(NotPaired::Over { planned });
    }
    if number > MOST_MATCHES {
        return Err(NotPaired::TooMany);
    }
    if let Some((played, missing)) = (tournament.matches.iter())
        .map(|played| (played, played.missing()))
        .find(|(_, missing)| !missing.is_empty())
    {
        let told = |(defender, attacker): &(Entrant, Entrant)| {
            let (defender, attacker) = (tournament.id(*defender), tournament.id(*attacker));
            format!("{defender} defends against {attacker}")
        };
        return Err(NotPaired::Unfinished {
            number: played.number,
            missing: missing.iter().map(told).collect(),
        });
    }
    let mut playing = tournament.taking_part(number);
    debug_assert!(playing.len() <= MOST_PLAYERS);
    if playing.len() < 2 {
        return Err(NotPaired::TooFew {
            number,
            players: playing.len(),
        });
    }
    let records = record::now(tournament);
    let bye = bye(tournament, number, &playing, &records);
    if let Some(bye) = &bye {
        playing.retain(|entrant| *entrant != bye.entrant);
    }
    let costs = Costs::new(tournament, number, &playing, &records);
    let mut pairs = costs.cheapest();
    // The best table first; the higher record, then the lower id, stands first in a pair.
    let worth = |place: usize| {
        let record = &records[playing[place].0];
        (record.victory_points, record.margin)
    };
    for pair in &mut pairs {
        if worth(pair.1) > worth(pair.0) {
            *pair = (pair.1, pair.0);
        }
    }
    pairs.sort_by(|one, other| (worth(other.0), worth(other.1), one.0).cmp(&(worth(one.0), worth(one.1), other.0)));
    let sum = (pairs.iter()).fold(Cost::default(), |sum, pair| sum + costs.of(pair.0, pair.1));
    let pairings = (pairs.iter())
        .map(|(one, other)| Pairing {
            players: [playing[*one], playing[*other]],
            why: why(tournament, &costs, *one, *other),
        })
        .collect();
    let (why_bye, bye) = bye.map_or_else(Default::default, |bye| (bye.why, Some(bye.entrant)));
    Ok(Match {
        number,
        pairings,
        bye,
        why_bye,
        why: why_all(tournament, &costs, number, sum),
        games: Vec::new(),
    })
}

/// Why two meet.
fn why(tournament: &Tournament, costs: &Costs<'_>, one: usize, other: usize) -> String {
    let record = |place: usize| &costs.records[costs.playing[place].0];
    let points = |place: usize| record(place).victory_points;
    let id = |place: usize| tournament.id(costs.playing[place]);
    let cost = costs.of(one, other);
    let mut why = match cost.difference {
        0 => format!("PE-9.5: {} and {} have {} VP each", id(one), id(other), points(one)),
        difference => {
            let (high, low) = if points(one) > points(other) {
                (one, other)
            } else {
                (other, one)
            };
            let before = match &record(high).went_down[..] {
                [] => "for the first time".to_owned(),
                matches => {
                    let matches: Vec<String> = matches.iter().map(u32::to_string).collect();
                    format!("as in match {}", matches.join(", "))
                }
            };
            format!(
                "PE-9.5: {} goes down with {} VP to {} with {}, {difference} apart, {before}",
                id(high),
                points(high),
                id(low),
                points(low)
            )
        }
    };
    let met = record(one).met.get(&costs.playing[other]).copied().unwrap_or_default();
    why += &match (met, costs.rematch) {
        (0, _) => "; not met before".to_owned(),
        (met, true) => format!("; met {met} before, which the option rematch allows"),
        (met, false) => format!("; met {met} before, no pairing avoids it"),
    };
    why + &format!("; roll {}", cost.roll)
}

/// Why the match is as it is.
fn why_all(tournament: &Tournament, costs: &Costs<'_>, number: u32, sum: Cost) -> String {
    if number == 1 {
        return format!("PE-9.5: the first match is at random, seed {}", tournament.seed);
    }
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    for entrant in costs.playing {
        *sizes.entry(costs.records[entrant.0].victory_points).or_default() += 1;
    }
    let groups: Vec<String> = (sizes.iter().rev())
        .map(|(points, size)| format!("{size} with {points} VP"))
        .collect();
    let meetings = match costs.rematch {
        true => "meeting again is allowed (option rematch)".to_owned(),
        false => format!("{} meetings again, the fewest", sum.met),
    };
    format!(
        "PE-9.5: {}; {meetings}; {} VP of difference in all, the least; {} gone down again, the fewest; then the roll, seed {}",
        groups.join(", "),
        sum.difference,
        sum.down_again,
        tournament.seed
    )
}
