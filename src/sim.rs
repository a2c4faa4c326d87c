//! Many games at once: Solo Alpha against a scripted player, or against itself, and what came of them.
//!
//! | what | where |
//! |---|---|
//! | squads, and where ships and obstacles are put | [`squad`] |
//! | what is counted | [`figures`] |
//!
//! The same seed gives the same figures, whatever the number of threads: each game has dice of its own.

use std::sync::{
    Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use crate::{
    commander::{Commander, scripted::Scripted, solo::Solo},
    dice::{DiceSource, SeededDice},
    solo_alpha::{Options, options::FirstPlayer},
    xwing::{
        battle::{Answer, BadSetup, Battle, Flight, Refused, Request, Setup, Side, audit},
        combat::{AttackStep, Spending},
        movement::Alignment,
    },
};

pub mod figures;
pub mod squad;

use self::{
    figures::GameFigures,
    squad::{Member, PLAYER, SOLO, deploy},
};

/// Who flies the player's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlayerPolicy {
    /// The scripted player.
    #[default]
    Scripted,
    /// Solo Alpha, too.
    Solo,
}

/// What is played.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The player's ships.
    pub player: Vec<Member>,
    /// The solo ships.
    pub solo: Vec<Member>,
    /// Who flies the player's ships.
    pub policy: PlayerPolicy,
    /// The options of the opponent.
    pub options: Options,
    /// After so many rounds a game is over.
    pub rounds: u32,
    /// Where all dice come from.
    pub seed: u64,
    /// Whether every game's record is audited, too.
    pub audit: bool,
}

/// Dice of one game: the same whatever was played before it.
pub fn dice_of(seed: u64, game: u64) -> SeededDice {
    // The constants of SplitMix64 spread neighbouring numbers over all seeds.
    let mut mixed = seed.wrapping_add((game + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    SeededDice::new(mixed ^ (mixed >> 31))
}

/// The beginning of one game of a plan. The dice place the obstacles.
pub fn setup(plan: &Plan, dice: &mut dyn DiceSource) -> Setup {
    let (table, fighters) = deploy(&plan.player, &plan.solo, dice);
    let player = Side {
        name: PLAYER.to_owned(),
        dials: plan.policy == PlayerPolicy::Scripted,
        flees: plan.policy == PlayerPolicy::Scripted,
    };
    let solo = Side {
        name: SOLO.to_owned(),
        dials: false,
        flees: false,
    };
    Setup {
        table,
        fighters,
        sides: match plan.options.first_player {
            FirstPlayer::Player => vec![player, solo],
            FirstPlayer::Solo => vec![solo, player],
        },
        alternating: false,
        rounds: Some(plan.rounds),
        mission: None,
        guides: plan.options.guides_overlap,
    }
}

/// Somebody for each side. They learn nothing from game to game, so one set may play many.
#[derive(Debug)]
pub struct Commanders {
    solo: Solo,
    solo_player: Solo,
    scripted: Scripted,
    policy: PlayerPolicy,
}

impl Commanders {
    /// The commanders that a plan asks for.
    pub fn new(plan: &Plan) -> Self {
        Commanders {
            solo: Solo::new(plan.options.clone()),
            solo_player: Solo::new(plan.options.clone()),
            scripted: Scripted::default(),
            policy: plan.policy,
        }
    }

    fn answer(&mut self, battle: &Battle, request: &Request, dice: &mut dyn DiceSource) -> Answer {
        let side = battle.table().ship(request.ship()).map(|ship| &*ship.side);
        match (side, self.policy) {
            (Some(PLAYER), PlayerPolicy::Scripted) => self.scripted.answer(battle, request, dice, None),
            (Some(PLAYER), PlayerPolicy::Solo) => self.solo_player.answer(battle, request, dice, None),
            _ => self.solo.answer(battle, request, dice, None),
        }
    }
}

/// An answer that is always allowed, or the nearest to one: for a choice that was refused.
fn harmless(battle: &Battle, request: &Request) -> Answer {
    let first = || {
        let ship = battle.table().ship(request.ship());
        ship.and_then(|ship| ship.dial.maneuvers().first().copied())
    };
    match request {
        Request::Dial { .. } => first().map_or(Answer::Act(Vec::new()), Answer::Dial),
        Request::Fly { fixed, .. } => fixed.or_else(first).map_or(Answer::Act(Vec::new()), |maneuver| {
            Answer::Fly(Flight {
                maneuver,
                alignment: Alignment::Middle,
                edge_turn: None,
            })
        }),
        Request::Act { .. } => Answer::Act(Vec::new()),
        Request::Attack { .. } => Answer::Attack(None),
        Request::ModifyAttack { .. } => Answer::ModifyAttack(AttackStep::Finish {
            spending: Spending::default(),
            changed: 0,
        }),
        Request::ModifyDefence { .. } => Answer::ModifyDefence(Spending::default()),
    }
}

/// One whole game, to its end. Refused choices come with it: there should be none.
///
/// # Errors
/// A set-up that cannot be played.
pub fn play(
    setup: Setup,
    commanders: &mut Commanders,
    dice: &mut dyn DiceSource,
) -> Result<(Battle, Vec<Refused>), BadSetup> {
    let mut battle = Battle::new(setup, dice)?;
    let mut refusals = Vec::new();
    while let Some(request) = battle.pending().cloned() {
        let answer = commanders.answer(&battle, &request, dice);
        if let Err(refused) = battle.answer(answer, dice) {
            refusals.push(refused);
            let instead = harmless(&battle, &request);
            if battle.answer(instead, dice).is_err() {
                break;
            }
        }
    }
    Ok((battle, refusals))
}

/// One game of a plan, counted.
///
/// # Errors
/// A set-up that cannot be played.
pub fn game(plan: &Plan, number: u64, commanders: &mut Commanders) -> Result<GameFigures, BadSetup> {
    let mut dice = dice_of(plan.seed, number);
    let setup = setup(plan, &mut dice);
    let start = plan.audit.then(|| setup.clone());
    let ships = setup.table.ships.clone();
    let (battle, refusals) = play(setup, commanders, &mut dice)?;
    let violations = start.map_or(0, |start| audit::audit(&start, battle.events()).len());
    let mut figures = GameFigures::count(number, &ships, battle.events());
    figures.refused = refusals.len();
    figures.violations = violations;
    Ok(figures)
}

/// Plays games 0 to `games` on so many threads until all are played or `stop` is set; `each` is called after every game.
/// Those that were played come back in order of their numbers.
///
/// # Errors
/// A set-up that cannot be played.
pub fn run(
    plan: &Plan,
    games: usize,
    threads: usize,
    stop: &AtomicBool,
    each: &(dyn Fn() + Sync),
) -> Result<Vec<GameFigures>, BadSetup> {
    let next = AtomicUsize::new(0);
    let played = Mutex::new(Vec::with_capacity(games.min(1 << 20)));
    let failed = Mutex::new(None);
    let work = || {
        let mut commanders = Commanders::new(plan);
        let mut own = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                break;
            }
            match game(plan, number as u64, &mut commanders) {
                Ok(figures) => own.push(figures),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    *lock(&failed) = Some(error);
                }
            }
            each();
        }
        lock(&played).append(&mut own);
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    if let Some(error) = lock(&failed).take() {
        return Err(error);
    }
    let mut played = std::mem::take(&mut *lock(&played));
    played.sort_by_key(|figures| figures.game);
    Ok(played)
}

/// A thread that panicked has left only whole games behind.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
