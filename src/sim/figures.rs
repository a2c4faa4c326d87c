//! What is counted of games: by side and round, and over all of them.

use serde::Serialize;

use super::{
    field::Entrant,
    squad::{PLAYER, SOLO},
};
use crate::xwing::{ObjectId, battle::Event};

/// The sides, as figures list them.
pub const SIDES: [&str; 2] = [PLAYER, SOLO];

/// What one side did in one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SideRound {
    /// Attacks made: each opportunity that was used counts one, whatever it did.
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
    /// Ships that left over the edge and are lost.
    pub fled: u32,
    /// Ships that left safely: over the player edge, or the transport at its goal (SA-13).
    pub saved: u32,
    /// Ships in play when the round ended.
    pub survivors: u32,
    /// Points of the enemies that were destroyed or lost over the edge.
    pub points_destroyed: u32,
    /// Points of the own ships that came into play, at set-up in round 1.
    pub points_arrived: u32,
}

impl SideRound {
    /// Each figure with the name of its column.
    pub const fn named(&self) -> [(&'static str, u32); 13] {
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
            ("saved", self.saved),
            ("survivors", self.survivors),
            ("points_destroyed", self.points_destroyed),
            ("points_arrived", self.points_arrived),
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
        self.saved += other.saved;
        self.survivors += other.survivors;
        self.points_destroyed += other.points_destroyed;
        self.points_arrived += other.points_arrived;
    }
}

/// One game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFigures {
    /// Its number.
    pub game: u64,
    /// The place of its meeting in the plan.
    pub field: usize,
    /// The side that won, as a place in [`SIDES`]; nobody when both or neither have ships left.
    pub winner: Option<usize>,
    /// By round, then by side as in [`SIDES`].
    pub rounds: Vec<[SideRound; 2]>,
    /// Whether the points of all ships are known.
    pub priced: bool,
    /// Choices that the rules refused; there should be none.
    pub refused: usize,
    /// What the audit found, where it was asked for.
    pub violations: usize,
    /// The first of either, in words.
    pub problem: Option<String>,
}

/// The ships of a game as its record goes on.
struct Count {
    ships: Vec<Entrant>,
    /// Ships in play, by side.
    left: [u32; 2],
    now: [SideRound; 2],
}

impl Count {
    fn find(&self, id: &ObjectId) -> Option<usize> {
        self.ships.iter().position(|ship| ship.id == *id)
    }

    fn side(&self, id: &ObjectId) -> usize {
        self.find(id).map_or(0, |place| self.ships[place].side)
    }

    /// What the ship's own side did in this round.
    fn own(&mut self, id: &ObjectId) -> &mut SideRound {
        let side = self.side(id);
        &mut self.now[side]
    }

    fn comes(&mut self, place: usize) {
        let ship = &self.ships[place];
        self.left[ship.side] += 1;
        self.now[ship.side].points_arrived += ship.points.unwrap_or(0);
    }

    fn goes(&mut self, id: &ObjectId, lost: bool) {
        let Some(place) = self.find(id) else {
            return;
        };
        let (side, points) = (self.ships[place].side, self.ships[place].points.unwrap_or(0));
        self.left[side] = self.left[side].saturating_sub(1);
        if lost {
            self.now[1 - side].points_destroyed += points;
        }
    }

    fn close(&mut self) -> [SideRound; 2] {
        for (side, left) in self.now.iter_mut().zip(self.left) {
            side.survivors = left;
        }
        std::mem::take(&mut self.now)
    }
}

impl GameFigures {
    /// Counts the record of a game in which these ships took part.
    pub fn count(entrants: &[Entrant], events: &[Event]) -> GameFigures {
        let mut count = Count {
            ships: entrants.to_vec(),
            left: [0, 0],
            now: [SideRound::default(); 2],
        };
        for (place, _) in entrants.iter().enumerate().filter(|(_, ship)| ship.in_play) {
            count.comes(place);
        }
        let mut figures = GameFigures {
            game: 0,
            field: 0,
            winner: None,
            rounds: Vec::new(),
            priced: true,
            refused: 0,
            violations: 0,
            problem: None,
        };
        for event in events {
            match event {
                Event::RoundBegan(round) if *round > 1 => figures.rounds.push(count.close()),
                Event::Arrived { ship, instead_of, .. } => {
                    let own = count.find(instead_of.as_ref().unwrap_or(ship));
                    let place = match (instead_of, own) {
                        (Some(_), Some(original)) => {
                            let again = Entrant {
                                id: ship.clone(),
                                ..count.ships[original].clone()
                            };
                            count.ships.push(again);
                            Some(count.ships.len() - 1)
                        }
                        (_, own) => own,
                    };
                    if let Some(place) = place {
                        count.ships[place].stress = 0;
                        count.comes(place);
                    }
                }
                Event::Flew {
                    ship,
                    execution,
                    edge_turn,
                    ..
                } => {
                    let now = count.own(ship);
                    now.bumps += u32::from(!execution.overlapped.is_empty());
                    now.obstacle_hits += execution.suffered.len() as u32;
                    now.edge_rescues += u32::from(edge_turn.is_some());
                }
                Event::Tokens { ship, tokens } => {
                    if let Some(place) = count.find(ship) {
                        let side = count.ships[place].side;
                        let before = std::mem::replace(&mut count.ships[place].stress, tokens.stress);
                        count.now[side].stress += tokens.stress.saturating_sub(before);
                    }
                }
                Event::HeldFire { ship, .. } => count.own(ship).shots_lost += 1,
                Event::Attacked { attacker, .. } => count.own(attacker).shots += 1,
                Event::AttackResolved { attacker, damage, .. } => {
                    count.own(attacker).damage += u32::from(damage.hits) + u32::from(damage.crits);
                }
                Event::Fled { ship } => {
                    count.own(ship).fled += 1;
                    count.goes(ship, true);
                }
                Event::Saved { ship } | Event::Escaped { ship } => {
                    count.own(ship).saved += 1;
                    count.goes(ship, false);
                }
                Event::Removed { ship } => {
                    let side = count.side(ship);
                    count.now[1 - side].kills += 1;
                    count.goes(ship, true);
                }
                Event::Ended { winner, .. } => {
                    figures.rounds.push(count.close());
                    figures.winner = (winner.as_ref()).and_then(|name| SIDES.iter().position(|side| side == name));
                }
                _ => {}
            }
        }
        figures.priced = count.ships.iter().all(|ship| ship.points.is_some());
        figures
    }

    /// The points of the enemies that a side has destroyed, to the points of its own ships that came into play, up to the
    /// end of a round (from 0). `None` where a price is not known.
    pub fn points_ratio(&self, side: usize, round: usize) -> Option<f64> {
        let sum = |figure: fn(&SideRound) -> u32| {
            let rounds = self.rounds.iter().take(round + 1);
            rounds.map(|sides| f64::from(figure(&sides[side]))).sum::<f64>()
        };
        let own = sum(|figures| figures.points_arrived);
        (self.priced && own > 0.0).then(|| sum(|figures| figures.points_destroyed) / own)
    }

    /// The points ratio of a side at the end of the game.
    pub fn final_ratio(&self, side: usize) -> Option<f64> {
        self.points_ratio(side, self.rounds.len())
    }

    /// The figures of both sides over the whole game; survivors are those at its end.
    pub fn totals(&self) -> [SideRound; 2] {
        let mut totals = [SideRound::default(); 2];
        for sides in &self.rounds {
            for (total, side) in totals.iter_mut().zip(sides) {
                total.survivors = 0;
                total.add(side);
            }
        }
        totals
    }

    /// Whether it ended because of the limit of rounds: nobody has won, and both have ships left.
    pub fn is_unfinished(&self) -> bool {
        let last = self.rounds.last();
        self.winner.is_none() && last.is_some_and(|sides| sides.iter().all(|side| side.survivors > 0))
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
    /// Those of them that ended because of the limit of rounds.
    pub unfinished: usize,
    /// The average length, rounds.
    pub mean_rounds: f64,
    /// The longest game, rounds.
    pub longest: usize,
    /// The player's sums over all rounds; survivors are those at the end of the games.
    pub player: SideRound,
    /// The solo side's.
    pub solo: SideRound,
    /// The player's points ratio (destroyed to own points) on average, if all prices are known.
    pub player_points_ratio: Option<f64>,
    /// The solo side's.
    pub solo_points_ratio: Option<f64>,
    /// Games of each length, from one round.
    pub lengths: Vec<u32>,
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
            for (sides, sums) in game.rounds.iter().zip(&mut rounds) {
                sums.games += 1;
                sums.player.add(&sides[0]);
                sums.solo.add(&sides[1]);
            }
            for (sum, total) in totals.iter_mut().zip(game.totals()) {
                sum.add(&total);
            }
        }
        let won = |side| games.iter().filter(|game| game.winner == side).count();
        let all: usize = games.iter().map(|game| game.rounds.len()).sum();
        let mut lengths = vec![0; longest];
        for game in games.iter().filter(|game| !game.rounds.is_empty()) {
            lengths[game.rounds.len() - 1] += 1;
        }
        let ratio = |side| {
            let ratios: Option<Vec<f64>> = games.iter().map(|game| game.final_ratio(side)).collect();
            let ratios = ratios.filter(|ratios| !ratios.is_empty())?;
            Some(ratios.iter().sum::<f64>() / ratios.len() as f64)
        };
        Summary {
            games: games.len(),
            player_wins: won(Some(0)),
            solo_wins: won(Some(1)),
            draws: won(None),
            unfinished: games.iter().filter(|game| game.is_unfinished()).count(),
            mean_rounds: all as f64 / games.len().max(1) as f64,
            longest,
            player: totals[0],
            solo: totals[1],
            player_points_ratio: ratio(0),
            solo_points_ratio: ratio(1),
            lengths,
            rounds,
            refused: games.iter().map(|game| game.refused).sum(),
            violations: games.iter().map(|game| game.violations).sum(),
        }
    }
}
