//! Many games at once: Solo Alpha against a scripted player, or against itself, and what came of them.
//!
//! | what | where |
//! |---|---|
//! | what is fought over: two lines, or a scenario | [`field`] |
//! | squads, and two lines of them across obstacles | [`squad`] |
//! | squads drawn by the dice | [`draw`] |
//! | Political Escort | [`escort`] |
//! | a table that a person sets up | [`by_hand`] |
//! | what is counted | [`figures`] |
//! | two ways to play side by side | [`compare`] |
//! | the report with plots | [`report`] |
//! | how strong an enemy a squad can stand | [`balance`] |
//! | what is played, in a few lines | [`checksum`] |
//! | many skirmishes of the grid game | [`skirmish`] |
//! | work on many threads | [`workers`] |
//!
//! The same seed gives the same figures, whatever the number of threads: each game has dice of its own.

use std::sync::{Arc, atomic::AtomicBool};

use crate::{
    commander::{Commander, picks, scripted::Scripted, solo::Solo},
    dice::{DiceSource, SeededDice},
    solo_alpha::Options,
    xwing::{
        battle::{Answer, BadSetup, Battle, Flight, Refused, Request, Setup, audit},
        catalog::Catalog,
        combat::{AttackStep, Spending},
        device,
        edition::Rules,
        movement::Alignment,
    },
};

pub mod balance;
pub mod by_hand;
pub mod checksum;
pub mod compare;
pub mod draw;
pub mod escort;
pub mod field;
pub mod figures;
pub mod report;
pub mod skirmish;
pub mod squad;
pub mod workers;

use self::{
    field::{Field, SimError, Start},
    figures::GameFigures,
    squad::{Member, PLAYER, SOLO},
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
    /// The meetings. Game n plays the one of place n, over and over.
    pub fields: Vec<Field>,
    /// Who flies the player's ships.
    pub policy: PlayerPolicy,
    /// The options of the opponent. They say who is the first player, too.
    pub options: Options,
    /// The options of the opponent on the player's side, where it flies both.
    pub player_options: Options,
    /// Whether the other side is the first player in every second round.
    pub alternating: bool,
    /// After so many rounds a game is over.
    pub rounds: u32,
    /// Where all dice come from.
    pub seed: u64,
    /// Whether every game's record is audited, too.
    pub audit: bool,
    /// The facts of cards; the embedded ones of the edition if not given.
    pub catalog: Option<Arc<Catalog>>,
    /// The rules of lines; a scenario has its own.
    pub rules: Rules,
}

impl Plan {
    /// Games on these meetings against the scripted player, with the options that are usual, of up to 20 rounds, from seed 1.
    pub fn of(fields: Vec<Field>) -> Plan {
        Plan {
            fields,
            policy: PlayerPolicy::default(),
            options: Options::default(),
            player_options: Options::default(),
            alternating: false,
            rounds: 20,
            seed: 1,
            audit: false,
            catalog: None,
            rules: Rules::SECOND,
        }
    }

    /// Games of two lines that face each other.
    pub fn lines(player: Vec<Member>, solo: Vec<Member>) -> Plan {
        Plan::of(vec![Field::lines([PLAYER, SOLO].map(str::to_owned), player, solo)])
    }

    /// The facts of cards.
    pub fn catalog(&self) -> &Catalog {
        match &self.catalog {
            Some(catalog) => catalog,
            None => Catalog::embedded_for(self.rules.edition),
        }
    }
}

/// The seed of one game: the same whatever was played before it.
pub fn seed_of(seed: u64, game: u64) -> u64 {
    // The constants of SplitMix64 spread neighbouring numbers over all seeds.
    let mut mixed = seed.wrapping_add((game + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Dice of one game: the same whatever was played before it.
pub fn dice_of(seed: u64, game: u64) -> SeededDice {
    SeededDice::new(seed_of(seed, game))
}

/// The beginning of a game of a plan. The seed is that of a scenario; the dice place lines and their obstacles.
///
/// # Errors
/// A plan without meetings, or a scenario that cannot be set up.
pub fn open(plan: &Plan, game: u64, seed: u64, dice: &mut dyn DiceSource) -> Result<Start, SimError> {
    let place = game.checked_rem(plan.fields.len() as u64).ok_or(SimError::Nothing)?;
    plan.fields[place as usize].open(plan, seed, dice)
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
            solo_player: Solo::new(plan.player_options.clone()),
            scripted: Scripted::default(),
            policy: plan.policy,
        }
    }

    /// The choice of whoever flies the ship that is asked.
    pub fn answer(&mut self, battle: &Battle, request: &Request, dice: &mut dyn DiceSource) -> Answer {
        let side = battle.table().ship(request.ship()).map(|ship| &*ship.side);
        match (side, self.policy) {
            (Some(PLAYER), PlayerPolicy::Scripted) => self.scripted.answer(battle, request, dice, None),
            (Some(PLAYER), PlayerPolicy::Solo) => self.solo_player.answer(battle, request, dice, None),
            _ => self.solo.answer(battle, request, dice, None),
        }
    }
}

/// An answer that is always allowed, or the nearest to one: for a choice that was refused.
pub fn harmless(battle: &Battle, request: &Request) -> Answer {
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
        Request::Decloak { .. } => Answer::Decloak(None),
        Request::Drop { .. } => Answer::Drop(None),
        Request::Pull { .. } => Answer::Pull(None),
        Request::PickManeuver { .. } | Request::Jammed { .. } | Request::MineUnder { .. } => {
            picks::pick(battle, request).unwrap_or(Answer::Act(Vec::new()))
        }
        Request::Detonate { device, .. } => {
            let piece = battle.devices().iter().find(|piece| piece.id == *device);
            let near = piece.and_then(|piece| device::obstacles_near(battle.table(), piece).next());
            near.map_or(Answer::Act(Vec::new()), |obstacle| {
                Answer::Detonate(obstacle.id.clone())
            })
        }
        Request::Act { .. } => Answer::Act(Vec::new()),
        Request::Attack { .. } => Answer::Attack(None),
        Request::ModifyAttack { .. } => Answer::ModifyAttack(AttackStep::Finish {
            spending: Spending::default(),
            changed: 0,
        }),
        Request::ModifyDefence { .. } => Answer::ModifyDefence(Spending::default()),
        Request::Dice { .. } => {
            let windows = battle.duel().and_then(|duel| duel.windows.as_ref());
            let idle = windows.and_then(crate::xwing::battle::Windows::idle);
            idle.map_or(Answer::Act(Vec::new()), Answer::Dice)
        }
        Request::Effect(offer) => Answer::Effect(offer.default),
        Request::CardAction(_) => Answer::Act(Vec::new()),
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
    play_noting(setup, commanders, dice, &mut |_, _| {})
}

/// As [`play`]; `note` is told every choice before it is carried out.
///
/// # Errors
/// A set-up that cannot be played.
pub fn play_noting(
    setup: Setup,
    commanders: &mut Commanders,
    dice: &mut dyn DiceSource,
    note: &mut dyn FnMut(&Request, &Answer),
) -> Result<(Battle, Vec<Refused>), BadSetup> {
    let mut battle = Battle::new(setup, dice)?;
    let mut refusals = Vec::new();
    while let Some(request) = battle.pending().cloned() {
        let answer = commanders.answer(&battle, &request, dice);
        note(&request, &answer);
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
pub fn game(plan: &Plan, number: u64, commanders: &mut Commanders) -> Result<GameFigures, SimError> {
    let seed = seed_of(plan.seed, number);
    let mut dice = SeededDice::new(seed);
    let start = open(plan, number, seed, &mut dice)?;
    let audited = plan.audit.then(|| start.setup.clone());
    let (battle, refusals) = play(start.setup, commanders, &mut dice)?;
    let violations = audited.map_or_else(Vec::new, |setup| audit::audit(&setup, battle.events()));
    let mut figures = GameFigures::count(&start.entrants, battle.events());
    figures.game = number;
    figures.field = number as usize % plan.fields.len().max(1);
    figures.refused = refusals.len();
    figures.violations = violations.len();
    let refused = refusals.first().map(ToString::to_string);
    figures.problem = refused.or_else(|| violations.first().map(ToString::to_string));
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
) -> Result<Vec<GameFigures>, SimError> {
    let played = run_all(std::slice::from_ref(plan), games, threads, stop, each)?;
    Ok(played.into_iter().flatten().collect())
}

/// As [`run`], for several plans side by side: game n of each before game n + 1 of any, so that what is done when it is
/// stopped can be compared. Game n of two plans with the same seed rolls the same dice.
///
/// # Errors
/// A set-up that cannot be played.
pub fn run_all(
    plans: &[Plan],
    games: usize,
    threads: usize,
    stop: &AtomicBool,
    each: &(dyn Fn() + Sync),
) -> Result<Vec<Vec<GameFigures>>, SimError> {
    let done = workers::work(games * plans.len(), threads, stop, each, || {
        let mut commanders: Vec<Commanders> = plans.iter().map(Commanders::new).collect();
        move |number| {
            let (number, place) = (number / plans.len(), number % plans.len());
            game(&plans[place], number as u64, &mut commanders[place])
        }
    })?;
    let mut played = vec![Vec::new(); plans.len()];
    for (number, figures) in done {
        played[number % plans.len()].push(figures);
    }
    Ok(played)
}
