//! Many skirmishes of the grid game at once: the automated opponents against a scripted player, and what came of
//! them.

use std::sync::{Arc, atomic::AtomicBool};

use serde::Serialize;

use super::{dice_of, workers};
use crate::{
    dice::D20Source,
    swm::{
        arena,
        board::{BadBoard, Board},
        commander::{self, automated::Automated, scripted::Scripted},
        figure::{Card, Side},
        map::Map,
        options::Options,
        roster::Roster,
        skirmish::{Event, audit},
        squad,
    },
};

/// A squad of a side.
#[derive(Debug, Clone)]
pub enum Muster {
    /// These cards.
    Given(Vec<Arc<Card>>),
    /// By the dice, anew for each skirmish.
    Drawn {
        /// Out of these.
        roster: Arc<Roster>,
        /// For so many points.
        points: u16,
    },
}

impl Muster {
    fn cards(&self, dice: &mut dyn D20Source) -> Vec<Arc<Card>> {
        match self {
            Muster::Given(cards) => cards.clone(),
            Muster::Drawn { roster, points } => squad::draw(roster, *points, dice),
        }
    }
}

/// Where skirmishes are fought.
#[derive(Debug, Clone)]
pub enum Ground {
    /// A position with its figures.
    Position(Board),
    /// A map, squads put on it by the dice.
    Map {
        /// The map.
        map: Map,
        /// The automated squad.
        automated: Muster,
        /// The player's.
        player: Muster,
    },
    /// A map of this size by the dice, anew for each skirmish.
    Random {
        /// Columns.
        width: u8,
        /// Rows.
        height: u8,
        /// The automated squad.
        automated: Muster,
        /// The player's.
        player: Muster,
    },
}

/// A ground on which nothing can be played.
#[derive(Debug, thiserror::Error)]
pub enum BadGround {
    /// A size of map that there is not.
    #[error("a map has 1 to 100 columns and rows, not {0} x {1}")]
    Size(u8, u8),
    /// Nobody of a side has room.
    #[error("there is no room for anybody of one of the sides: take a larger map or smaller squads")]
    Room,
    /// Figures that cannot stand where they do.
    #[error(transparent)]
    Board(#[from] BadBoard),
}

impl Ground {
    /// The board of one skirmish.
    ///
    /// # Errors
    /// Nothing can be played on it.
    pub fn open(&self, dice: &mut dyn D20Source) -> Result<Board, BadGround> {
        let (map, automated, player) = match self {
            Ground::Position(board) => return Ok(board.clone()),
            Ground::Map { map, automated, player } => (map.clone(), automated, player),
            Ground::Random {
                width,
                height,
                automated,
                player,
            } => {
                let map = arena::map(*width, *height, dice).ok_or(BadGround::Size(*width, *height))?;
                (map, automated, player)
            }
        };
        let (automated, player) = (automated.cards(dice), player.cards(dice));
        let figures = arena::deploy(&map, &automated, &player, dice);
        let has = |side: Side| figures.iter().any(|figure| figure.side == side);
        if !has(Side::Automated) || !has(Side::Player) {
            return Err(BadGround::Room);
        }
        Ok(Board::new(map, figures)?)
    }
}

/// What is played.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Where, and who.
    pub ground: Ground,
    /// Choices of the rules.
    pub options: Options,
    /// After so many rounds a skirmish is over.
    pub rounds: u32,
    /// Where all dice come from.
    pub seed: u64,
    /// Whether the events of every skirmish are audited, too.
    pub audit: bool,
}

impl Plan {
    /// Skirmishes on a ground against the scripted player, of up to 20 rounds, from seed 1.
    pub fn of(ground: Ground) -> Plan {
        Plan {
            ground,
            options: Options::default(),
            rounds: 20,
            seed: 1,
            audit: false,
        }
    }
}

/// What one side did in one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SideRound {
    /// Figures that activated.
    pub activations: u32,
    /// Squares walked, a diagonal counts one.
    pub squares: u32,
    /// Attacks rolled, those out of turn among them.
    pub attacks: u32,
    /// Those that hit.
    pub hits: u32,
    /// Area attacks used.
    pub areas: u32,
    /// Attacks of opportunity made.
    pub opportunities: u32,
    /// Hit points taken from enemies and, by area attacks, from friends.
    pub damage: u32,
    /// Force points spent.
    pub force: u32,
    /// Enemies defeated.
    pub defeated: u32,
    /// Cost of the enemies defeated.
    pub cost_defeated: u32,
    /// Own figures left when the round ended.
    pub survivors: u32,
}

impl SideRound {
    /// Each figure with the name of its column.
    pub const fn named(&self) -> [(&'static str, u32); 11] {
        [
            ("activations", self.activations),
            ("squares", self.squares),
            ("attacks", self.attacks),
            ("hits", self.hits),
            ("areas", self.areas),
            ("opportunities", self.opportunities),
            ("damage", self.damage),
            ("force", self.force),
            ("defeated", self.defeated),
            ("cost_defeated", self.cost_defeated),
            ("survivors", self.survivors),
        ]
    }

    fn add(&mut self, other: &SideRound) {
        self.activations += other.activations;
        self.squares += other.squares;
        self.attacks += other.attacks;
        self.hits += other.hits;
        self.areas += other.areas;
        self.opportunities += other.opportunities;
        self.damage += other.damage;
        self.force += other.force;
        self.defeated += other.defeated;
        self.cost_defeated += other.cost_defeated;
        self.survivors += other.survivors;
    }
}

/// The sides, as figures list them.
pub const SIDES: [(Side, &str); 2] = [(Side::Player, "player"), (Side::Automated, "automated")];

fn place(side: Side) -> usize {
    usize::from(side == Side::Automated)
}

/// One skirmish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkirmishFigures {
    /// Its number.
    pub game: u64,
    /// The side that won.
    pub winner: Option<Side>,
    /// By round, then by side as in [`SIDES`].
    pub rounds: Vec<[SideRound; 2]>,
    /// Choices that the rules refused; there should be none.
    pub refused: usize,
    /// What the audit found, where it was asked for.
    pub violations: usize,
    /// The first of either, in words.
    pub problem: Option<String>,
}

/// Counts the events of a skirmish that began on a board.
pub fn count(start: &Board, events: &[Event]) -> (Option<Side>, Vec<[SideRound; 2]>) {
    let side_of = |id: &str| start.figure(id).map_or(0, |figure| place(figure.side));
    let cost_of = |id: &str| start.figure(id).map_or(0, |figure| u32::from(figure.card.cost));
    let mut left = SIDES.map(|(side, _)| start.side(side).count() as u32);
    let mut rounds: Vec<[SideRound; 2]> = Vec::new();
    let mut now = [SideRound::default(); 2];
    let mut winner = None;
    let mut close = |now: &mut [SideRound; 2], left: [u32; 2]| {
        for (side, left) in now.iter_mut().zip(left) {
            side.survivors = left;
        }
        rounds.push(std::mem::take(now));
    };
    for event in events {
        match event {
            Event::RoundBegan { round } if *round > 1 => close(&mut now, left),
            Event::Activated { figure } => now[side_of(figure)].activations += 1,
            Event::Stepped { figure, .. } => now[side_of(figure)].squares += 1,
            Event::Attacked {
                attacker, cause, hit, ..
            } => {
                let side = &mut now[side_of(attacker)];
                side.attacks += 1;
                side.hits += u32::from(*hit);
                side.opportunities += u32::from(*cause == crate::swm::skirmish::Cause::Opportunity);
            }
            Event::Area { attacker, .. } => now[side_of(attacker)].areas += 1,
            Event::Damaged { figure, damage, .. } => now[1 - side_of(figure)].damage += u32::from(*damage),
            Event::ForceSpent { figure, points } => now[side_of(figure)].force += u32::from(*points),
            Event::Defeated { figure } => {
                let side = side_of(figure);
                left[side] = left[side].saturating_sub(1);
                now[1 - side].defeated += 1;
                now[1 - side].cost_defeated += cost_of(figure);
            }
            Event::Ended { winner: side } => winner = *side,
            _ => {}
        }
    }
    close(&mut now, left);
    (winner, rounds)
}

/// Over all skirmishes.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// How many.
    pub games: usize,
    /// Won by the player.
    pub player_wins: usize,
    /// Won by the automated side.
    pub automated_wins: usize,
    /// Won by nobody within the rounds.
    pub undecided: usize,
    /// Rounds on average.
    pub mean_rounds: f64,
    /// Rounds of the longest.
    pub longest: usize,
    /// The player's sums.
    pub player: SideRound,
    /// The automated side's sums.
    pub automated: SideRound,
    /// Choices refused.
    pub refused: usize,
    /// Rules broken, as the audit sees it.
    pub violations: usize,
}

impl Summary {
    /// Sums up; survivors are those at the end of each skirmish.
    pub fn of(games: &[SkirmishFigures]) -> Summary {
        let mut summary = Summary {
            games: games.len(),
            ..Summary::default()
        };
        let mut rounds = 0;
        for game in games {
            match game.winner {
                Some(Side::Player) => summary.player_wins += 1,
                Some(Side::Automated) => summary.automated_wins += 1,
                None => summary.undecided += 1,
            }
            rounds += game.rounds.len();
            summary.longest = summary.longest.max(game.rounds.len());
            summary.refused += game.refused;
            summary.violations += game.violations;
            for (number, [player, automated]) in game.rounds.iter().enumerate() {
                let last = number + 1 == game.rounds.len();
                for (sum, side) in [(&mut summary.player, player), (&mut summary.automated, automated)] {
                    let survivors = if last { side.survivors } else { 0 };
                    sum.add(&SideRound { survivors, ..*side });
                }
            }
        }
        summary.mean_rounds = rounds as f64 / games.len().max(1) as f64;
        summary
    }
}

/// One skirmish of a plan, counted.
///
/// # Errors
/// A ground on which nothing can be played.
pub fn game(plan: &Plan, number: u64) -> Result<SkirmishFigures, BadGround> {
    let mut dice = dice_of(plan.seed, number);
    let board = plan.ground.open(&mut dice)?;
    let (skirmish, refusals) = commander::play(
        board.clone(),
        plan.options.clone(),
        plan.rounds,
        &mut Scripted,
        &mut Automated::default(),
        &mut dice,
    );
    let violations = match plan.audit {
        true => audit::audit(&board, &plan.options, skirmish.events()),
        false => Vec::new(),
    };
    let (winner, rounds) = count(&board, skirmish.events());
    let refused = refusals.first().map(ToString::to_string);
    Ok(SkirmishFigures {
        game: number,
        winner,
        rounds,
        refused: refusals.len(),
        violations: violations.len(),
        problem: refused.or_else(|| violations.into_iter().next()),
    })
}

/// Plays skirmishes 0 to `games` on so many threads until all are played or `stop` is set; `each` is called after every one.
///
/// # Errors
/// A ground on which nothing can be played.
pub fn run(
    plan: &Plan,
    games: usize,
    threads: usize,
    stop: &AtomicBool,
    each: &(dyn Fn() + Sync),
) -> Result<Vec<SkirmishFigures>, BadGround> {
    let done = workers::work(games, threads, stop, each, || |number| game(plan, number as u64))?;
    Ok(done.into_iter().map(|(_, figures)| figures).collect())
}
