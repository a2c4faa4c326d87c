//! `tallyho play --escort`: a game of Political Escort in a terminal, against the automated other side.

use anyhow::bail;

use super::{New, squad_text};
use crate::{
    cli::{
        files::Files,
        load_options,
        sim::escort::{EscortArgs, USUAL},
    },
    play::{
        begin::{self, ReadSquad},
        console::Console,
    },
    record::{Beginning, Game, Start},
    sim::{
        escort::{EscortField, EscortGame, GameResult, Holder},
        squad::{PLAYER, SOLO},
    },
    solo_alpha::Options,
    tournament::{Entrant, Game as Recorded, Options as Tallying, game::Ending},
    xwing::{
        catalog::Catalog,
        edition::{Edition, FirstEditionOptions},
        escort::ending::Cause,
    },
};

/// The game that the command line asks for, with what the rules leave to the player asked; `None` for who leaves.
///
/// # Errors
/// Options of other games, a squad that cannot be flown, or a file that cannot be read.
pub(super) fn beginning(
    escort: &EscortArgs,
    new: New,
    seed: u64,
    catalog: &Catalog,
    (edition, files): (Option<&FirstEditionOptions>, &Files),
    console: &mut Console<'_>,
) -> anyhow::Result<Option<Beginning>> {
    let foreign: Vec<&str> = [
        ("--faction", new.faction.is_some()),
        ("--enemy", new.enemy.is_some()),
        ("--players", new.players.is_some()),
        ("--variant", new.variant.is_some()),
        ("--ace", new.ace.is_some()),
        ("--take", !new.take.is_empty()),
        ("--squad", new.squad.is_some()),
    ]
    .into_iter()
    .filter_map(|(name, given)| given.then_some(name))
    .collect();
    if !foreign.is_empty() {
        bail!(
            "{} belongs to scenarios of Solo Alpha: leave it out, or leave --escort out (docs/escort.md)",
            foreign.join(", ")
        );
    }
    let read = |given: Option<&String>| given.map(|given| squad_text(given, catalog)).transpose();
    let (player, solo) = (read(new.player.as_ref())?, read(new.solo.as_ref())?);
    let (mut game, play) = escort.game((player.as_deref(), solo.as_deref()), files)?;
    if let Some(edition) = edition {
        game.edition = *edition;
    }
    let field = escort.field(game, catalog)?;
    let mut options = load_options(new.options.as_deref())?;
    options.escort = play;
    let rounds = new.rounds.unwrap_or(begin::ROUNDS);
    let begun = with_roles(&field, options, rounds, seed, console)?;
    Ok(begun.map(|beginning| Beginning {
        set_up_by_hand: !new.quick_setup,
        ..beginning
    }))
}

/// The game, once initiative and roles are asked for where they are left to the player; `None` for who leaves.
fn with_roles(
    field: &EscortField,
    options: Options,
    rounds: u32,
    seed: u64,
    console: &mut Console<'_>,
) -> anyhow::Result<Option<Beginning>> {
    let Some(game) = begin::ask_roles(console, field, options.escort.initiative)? else {
        return Ok(None);
    };
    let start = Start::Escort { game: Box::new(game) };
    Ok(Some(Beginning {
        rounds: Some(rounds),
        edition: Edition::First,
        ..Beginning::new(start, options, seed)
    }))
}

/// The game of who has named nothing and picked the scenario: squads, then roles; `None` for who leaves.
///
/// # Errors
/// Nobody reads any more, or the input cannot be read.
pub(super) fn asked(
    options: Options,
    seed: u64,
    read: &ReadSquad<'_>,
    catalog: &Catalog,
    console: &mut Console<'_>,
) -> anyhow::Result<Option<Beginning>> {
    let field = |game: EscortGame| EscortField::new(game, catalog).map_err(|bad| bad.to_string());
    let Some((field, seed)) = begin::ask_escort(console, read, USUAL, &field, seed)? else {
        return Ok(None);
    };
    with_roles(&field, options, begin::ROUNDS, seed, console)
}

/// What a tournament records of a game (PE-9.3); the player is number 0.
fn recorded(result: GameResult) -> Recorded {
    let ended = match result.cause {
        Cause::Exit => Ending::Exit,
        Cause::ShotDown => Ending::Destroyed,
        Cause::Fled => Ending::Fled,
        Cause::NoAttacker => Ending::AttackersGone,
        Cause::Time => Ending::Time,
    };
    let points = |score: i32| u32::try_from(score).unwrap_or(0);
    let (own, other) = (points(result.defender_score), points(result.attacker_score));
    let defender = usize::from(result.defender == Holder::Solo);
    Recorded {
        defender: Entrant(defender),
        attacker: Entrant(1 - defender),
        defender_score: own,
        attacker_score: other,
        ended: Some(ended),
        outcome: ended.outcome(own, other),
    }
}

/// What the sides are called in a result.
const NAMES: [&str; 2] = [PLAYER, SOLO];

/// A result as `tallyho tournament result` takes it, the defender first.
fn line(game: &Recorded) -> String {
    let name = |entrant: Entrant| NAMES[entrant.0.min(1)];
    format!(
        "{} {} {} {} {}",
        name(game.defender),
        game.defender_score,
        name(game.attacker),
        game.attacker_score,
        game.ended.map_or("", Ending::word)
    )
}

/// After a game of the scenario: tells its result as a tournament takes it, and after the second one what the match comes to
/// (PE-9.3, PE-9.4). The second game, where this was the first one and it is wanted.
///
/// # Errors
/// Nobody reads any more, or the input cannot be read.
pub(super) fn after(game: &Game, console: &mut Console<'_>) -> anyhow::Result<Option<Beginning>> {
    let beginning = &game.header().beginning;
    let (Start::Escort { game: played }, Some(result)) = (&beginning.start, GameResult::of(game.battle())) else {
        return Ok(None);
    };
    let own = recorded(result);
    if let Some(first) = played.first_game {
        let games = [recorded(first), own];
        console.say("The match, as `tallyho tournament result FILE` takes its games, with the players' names:")?;
        for game in &games {
            console.say(&format!("  {}", line(game)))?;
        }
        let options = Tallying::default();
        let sums = [0, 1].map(|side| {
            let of = |game: &Recorded| {
                let (points, margins) = (game.victory_points(), game.margins(&options));
                match game.defender == Entrant(side) {
                    true => (points.0, margins.0),
                    false => (points.1, margins.1),
                }
            };
            let each = games.iter().map(of);
            each.fold((0, 0), |sum, (points, margin)| (sum.0 + points, sum.1 + margin))
        });
        let told = NAMES.iter().zip(sums);
        let told: Vec<String> = told
            .map(|(name, (points, margin))| format!("{name} {points} VP, {margin} MOV"))
            .collect();
        console.say(&format!("It comes to {} (PE-9.3, PE-9.4).", told.join("; ")))?;
        return Ok(None);
    }
    console.say(&format!(
        "As `tallyho tournament result FILE` takes it, with the players' names: {}",
        line(&own)
    ))?;
    let roles = match result.defender {
        Holder::Player => "you attack",
        Holder::Solo => "you defend",
    };
    let question =
        format!("Begin the second game of the match now? Roles are swapped, {roles}; initiative stays (PE-3).");
    if !begin::ask_yes(console, &question)? {
        return Ok(None);
    }
    let initiative = match game.battle().sides().first() {
        Some(side) if side.name == PLAYER => Holder::Player,
        _ => Holder::Solo,
    };
    Ok(Some(Beginning {
        start: Start::Escort {
            game: Box::new(played.second(result, initiative)),
        },
        seed: beginning.seed.wrapping_add(1),
        ..beginning.clone()
    }))
}
