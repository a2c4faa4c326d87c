//! What is counted of games: by side and round, and over all of them.

use serde::Serialize;

use super::squad::{PLAYER, SOLO};
use crate::xwing::{ObjectId, battle::Event, ship::Ship};

/// The sides, as figures list them.
pub const SIDES: [&str; 2] = [PLAYER, SOLO];

/// What one side did in one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SideRound {
    /// Attacks made.
    pub shots: u32,
    /// Damage dealt by them, overkill included.
    pub damage: u32,
    /// Ships that engaged without anybody to attack, or could not attack.
    pub shots_lost: u32,
    /// Moves that ended in other ships.
    pub bumps: u32,
    /// Obstacles met.
    pub obstacle_hits: u32,
    /// Moves stopped at the edge (SA-7).
    pub edge_rescues: u32,
    /// Stress tokens gained.
    pub stress: u32,
    /// Enemies destroyed, those that obstacles and damage cards destroyed included.
    pub kills: u32,
    /// Ships that left over the edge.
    pub fled: u32,
    /// Ships in play when the round ended.
    pub survivors: u32,
}

impl SideRound {
    /// Each figure with the name of its column.
    pub const fn named(&self) -> [(&'static str, u32); 10] {
        [
            ("shots", self.shots),
            ("damage", self.damage),
            ("shots_lost", self.shots_lost),
            ("bumps", self.bumps),
            ("obstacle_hits", self.obstacle_hits),
            ("edge_rescues", self.edge_rescues),
            ("stress", self.stress),
            ("kills", self.kills),
            ("fled", self.fled),
            ("survivors", self.survivors),
        ]
    }

    fn add(&mut self, other: &SideRound) {
        self.shots += other.shots;
        self.damage += other.damage;
        self.shots_lost += other.shots_lost;
        self.bumps += other.bumps;
        self.obstacle_hits += other.obstacle_hits;
        self.edge_rescues += other.edge_rescues;
        self.stress += other.stress;
        self.kills += other.kills;
        self.fled += other.fled;
        self.survivors += other.survivors;
    }
}

/// One game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFigures {
    /// Its number.
    pub game: u64,
    /// The side that won, as a place in [`SIDES`]; nobody when both or neither have ships left.
    pub winner: Option<usize>,
    /// By round, then by side as in [`SIDES`].
    pub rounds: Vec<[SideRound; 2]>,
    /// Choices that the rules refused; there should be none.
    pub refused: usize,
    /// What the audit found, where it was asked for.
    pub violations: usize,
}

impl GameFigures {
    /// Counts the record of a game that began with these ships.
    pub fn count(game: u64, ships: &[Ship], events: &[Event]) -> GameFigures {
        let find = |id: &ObjectId| ships.iter().position(|ship| ship.id == *id);
        let side = |id: &ObjectId| find(id).map_or(0, |place| usize::from(ships[place].side != SIDES[0]));
        let mut stress: Vec<u32> = ships.iter().map(|ship| ship.tokens.stress).collect();
        let mut left = [0, 0];
        for ship in ships.iter().filter(|ship| ship.in_play()) {
            left[usize::from(ship.side != SIDES[0])] += 1;
        }
        let mut figures = GameFigures {
            game,
            winner: None,
            rounds: Vec::new(),
            refused: 0,
            violations: 0,
        };
        let mut now = [SideRound::default(); 2];
        for event in events {
            match event {
                Event::RoundBegan(round) if *round > 1 => figures.close(&mut now, left),
                Event::Flew {
                    ship,
                    execution,
                    edge_turn,
                    ..
                } => {
                    let now = &mut now[side(ship)];
                    now.bumps += u32::from(!execution.overlapped.is_empty());
                    now.obstacle_hits += execution.suffered.len() as u32;
                    now.edge_rescues += u32::from(edge_turn.is_some());
                }
                Event::Tokens { ship, tokens } => {
                    if let Some(place) = find(ship) {
                        now[side(ship)].stress += tokens.stress.saturating_sub(stress[place]);
                        stress[place] = tokens.stress;
                    }
                }
                Event::HeldFire { ship, .. } => now[side(ship)].shots_lost += 1,
                Event::Attacked { attacker, .. } => now[side(attacker)].shots += 1,
                Event::AttackResolved { attacker, damage, .. } => {
                    now[side(attacker)].damage += u32::from(damage.hits) + u32::from(damage.crits);
                }
                Event::Fled { ship } | Event::Saved { ship } | Event::Escaped { ship } => {
                    now[side(ship)].fled += 1;
                    left[side(ship)] -= 1;
                }
                Event::Removed { ship } => {
                    now[1 - side(ship)].kills += 1;
                    left[side(ship)] -= 1;
                }
                Event::Ended { winner, .. } => {
                    figures.close(&mut now, left);
                    figures.winner = (winner.as_ref()).and_then(|name| SIDES.iter().position(|side| side == name));
                }
                _ => {}
            }
        }
        figures
    }

    fn close(&mut self, now: &mut [SideRound; 2], left: [u32; 2]) {
        for (side, left) in now.iter_mut().zip(left) {
            side.survivors = left;
        }
        self.rounds.push(std::mem::take(now));
    }
}

/// The sums of one side in one round, over the games that came so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoundSums {
    /// The round, from 1.
    pub round: usize,
    /// Games that came to it.
    pub games: u32,
    /// The player's sums.
    pub player: SideRound,
    /// The solo side's sums.
    pub solo: SideRound,
}

/// All games together.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Games played.
    pub games: usize,
    /// Won by the player.
    pub player_wins: usize,
    /// Won by the solo side.
    pub solo_wins: usize,
    /// Won by nobody.
    pub draws: usize,
    /// The average length, rounds.
    pub mean_rounds: f64,
    /// The longest game, rounds.
    pub longest: usize,
    /// The player's sums over all rounds; survivors are those at the end of the games.
    pub player: SideRound,
    /// The solo side's.
    pub solo: SideRound,
    /// Round by round.
    pub rounds: Vec<RoundSums>,
    /// Choices that the rules refused.
    pub refused: usize,
    /// What audits found.
    pub violations: usize,
}

impl Summary {
    /// Sums games up.
    pub fn of(games: &[GameFigures]) -> Summary {
        let longest = games.iter().map(|game| game.rounds.len()).max().unwrap_or(0);
        let mut totals = [SideRound::default(); 2];
        let mut rounds: Vec<RoundSums> = (1..=longest)
            .map(|round| RoundSums {
                round,
                games: 0,
                player: SideRound::default(),
                solo: SideRound::default(),
            })
            .collect();
        for game in games {
            let last = game.rounds.len();
            for ((place, sides), sums) in game.rounds.iter().enumerate().zip(&mut rounds) {
                sums.games += 1;
                sums.player.add(&sides[0]);
                sums.solo.add(&sides[1]);
                for (total, side) in totals.iter_mut().zip(sides) {
                    let mut side = *side;
                    if place + 1 < last {
                        side.survivors = 0;
                    }
                    total.add(&side);
                }
            }
        }
        let won = |side| games.iter().filter(|game| game.winner == side).count();
        let all: usize = games.iter().map(|game| game.rounds.len()).sum();
        Summary {
            games: games.len(),
            player_wins: won(Some(0)),
            solo_wins: won(Some(1)),
            draws: won(None),
            mean_rounds: all as f64 / games.len().max(1) as f64,
            longest,
            player: totals[0],
            solo: totals[1],
            rounds,
            refused: games.iter().map(|game| game.refused).sum(),
            violations: games.iter().map(|game| game.violations).sum(),
        }
    }
}
