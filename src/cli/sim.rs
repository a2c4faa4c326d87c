//! `tallyho sim`: many games at once, and what came of them.

use std::{
    fmt::Write as _,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};

use super::{Failure, GlobalOptions};
use crate::{
    sim::{
        self, Plan, PlayerPolicy,
        figures::{GameFigures, SIDES, SideRound, Summary},
        squad,
    },
    solo_alpha::{Options, options::FirstPlayer},
    xwing::catalog::Catalog,
};

/// Arguments of `tallyho sim`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A squad is a list of ships with commas between them, each with a number, a pilot and upgrades where wanted:

  tallyho sim --games 1000 --player '2*t65xwing' --solo '4*tielnfighter/academypilot'
  tallyho sim --player 'btla4ywing+protontorpedoes,t65xwing' --csv games.csv --json summary.json

Without a pilot it is the one of the lowest initiative that may fly any number of times. Both lines face each other across
six obstacles on a 3 by 3 foot table; where they and the obstacles are is rolled anew for each game. The same seed gives
the same figures, whatever the number of threads. Ctrl-C keeps what is done.

Played: movement, obstacles with their dice, the edge, stress, ion, strain, actions, locks, attacks with all dice and
tokens, range, obstruction, the damage deck. Not played: pilot abilities, upgrade texts beyond their dice, devices.")]
pub struct Args {
    /// How many games
    #[arg(long, short = 'n', default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    games: u32,
    /// Where all dice come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The player's squad
    #[arg(long, value_name = "SQUAD", default_value = "2*t65xwing")]
    player: String,
    /// The solo side's squad
    #[arg(long, value_name = "SQUAD", default_value = "4*tielnfighter")]
    solo: String,
    /// Who flies the player's ships
    #[arg(long, value_enum, default_value_t = Policy::Scripted)]
    policy: Policy,
    /// Whose ships come first at the same initiative
    #[arg(long, value_enum, default_value_t = First::Player)]
    first: First,
    /// SA-6.2 as some players read it: any stressed solo ship's defence die becomes focus
    #[arg(long)]
    any_stress_makes_focus: bool,
    /// After so many rounds a game is over
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// How many threads; as many as there are cores if not given
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Check the record of every game against the rules, too
    #[arg(long)]
    audit: bool,
    /// Write one line for each game, round and side
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write what was asked for and the sums, as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Policy {
    /// Looks one maneuver ahead
    Scripted,
    /// Solo Alpha against itself
    Solo,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum First {
    Player,
    Solo,
}

/// Runs `tallyho sim`.
///
/// # Errors
/// A squad that cannot be read, a catalog or an output file that cannot be opened, or a game that breaks the rules.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    let loaded = (global.catalog.as_deref())
        .map(|path| Catalog::load(path).map(|(catalog, _)| catalog))
        .transpose()?;
    let catalog = loaded.as_ref().unwrap_or_else(|| Catalog::embedded());
    let read = |option: &str, text: &str| {
        squad::read(text, catalog).map_err(|error| Failure::with(2, format!("--{option}: {error}")))
    };
    let plan = Plan {
        player: read("player", &arguments.player)?,
        solo: read("solo", &arguments.solo)?,
        policy: match arguments.policy {
            Policy::Scripted => PlayerPolicy::Scripted,
            Policy::Solo => PlayerPolicy::Solo,
        },
        options: Options {
            first_player: match arguments.first {
                First::Player => FirstPlayer::Player,
                First::Solo => FirstPlayer::Solo,
            },
            any_stress_makes_focus: arguments.any_stress_makes_focus,
            ..Options::default()
        },
        rounds: arguments.rounds,
        seed: arguments.seed,
        audit: arguments.audit,
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = arguments.threads.map_or(cores, |threads| threads as usize);
    let stop = Arc::new(AtomicBool::new(false));
    watch_for_interrupt(Arc::clone(&stop))?;

    let bar = ProgressBar::new(u64::from(arguments.games));
    let style = ProgressStyle::with_template("{bar:30} {human_pos}/{human_len} games, {per_sec}, {eta} left")
        .context("the progress bar's template")?;
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    let started = Instant::now();
    let games = sim::run(&plan, arguments.games as usize, threads, &stop, &|| bar.inc(1));
    let took = started.elapsed();
    bar.finish_and_clear();
    let games = games?;
    if games.len() < arguments.games as usize {
        eprintln!("stopped after {} of {} games", games.len(), arguments.games);
    }

    if let Some(path) = &arguments.csv {
        write_to(path, |out| write_csv(&games, out))?;
    }
    let summary = Summary::of(&games);
    if let Some(path) = &arguments.json {
        let whole = serde_json::json!({
            "player": arguments.player,
            "solo": arguments.solo,
            "policy": format!("{:?}", arguments.policy).to_lowercase(),
            "firstPlayer": plan.options.first_player,
            "anyStressMakesFocus": plan.options.any_stress_makes_focus,
            "seed": plan.seed,
            "roundLimit": plan.rounds,
            "audited": plan.audit,
            "summary": summary,
        });
        write_to(path, |out| {
            serde_json::to_writer_pretty(&mut *out, &whole)?;
            writeln!(out)
        })?;
    }
    let rate = games.len() as f64 / took.as_secs_f64().max(1e-9);
    eprintln!(
        "{} games in {:.1} s, {rate:.0} games/s on {threads} threads",
        games.len(),
        took.as_secs_f64()
    );
    io::stdout().lock().write_all(report(&summary).as_bytes())?;
    if summary.refused + summary.violations > 0 {
        anyhow::bail!(
            "{} choices were refused and {} rules broken: please report this with the seed and the squads",
            summary.refused,
            summary.violations
        );
    }
    Ok(())
}

/// Sets the flag at Ctrl-C.
fn watch_for_interrupt(stop: Arc<AtomicBool>) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .context("cannot watch for Ctrl-C")?;
    std::thread::spawn(move || {
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            stop.store(true, Ordering::Relaxed);
        }
    });
    Ok(())
}

fn write_to(
    path: &Path,
    write: impl FnOnce(&mut io::BufWriter<std::fs::File>) -> io::Result<()>,
) -> anyhow::Result<()> {
    let file = std::fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut out = io::BufWriter::new(file);
    write(&mut out)
        .and_then(|()| out.flush())
        .with_context(|| format!("cannot write {}", path.display()))
}

fn write_csv(games: &[GameFigures], out: &mut impl Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    let columns = SideRound::default().named().map(|(name, _)| name);
    let fixed = ["game", "winner", "length", "round", "side"];
    table.write_record(fixed.iter().chain(&columns))?;
    for game in games {
        let winner = game.winner.map_or("", |side| SIDES[side]);
        for (round, sides) in (1..).zip(&game.rounds) {
            for (name, side) in SIDES.iter().zip(sides) {
                let numbers = [game.game.to_string(), winner.to_owned(), game.rounds.len().to_string()];
                let place = [format!("{round}"), (*name).to_owned()];
                let figures = side.named().map(|(_, figure)| figure.to_string());
                table.write_record(numbers.iter().chain(&place).chain(&figures))?;
            }
        }
    }
    table.flush()
}

/// The sums for people.
fn report(summary: &Summary) -> String {
    let games = summary.games.max(1) as f64;
    let share = |count: usize| 100.0 * count as f64 / games;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} games: player won {} ({:.1} %), solo won {} ({:.1} %), nobody {} ({:.1} %); {:.2} rounds on average, at most {}",
        summary.games,
        summary.player_wins,
        share(summary.player_wins),
        summary.solo_wins,
        share(summary.solo_wins),
        summary.draws,
        share(summary.draws),
        summary.mean_rounds,
        summary.longest,
    );
    let _ = writeln!(text, "\n{:<16}{:>12}{:>12}   a game", "", "player", "solo");
    for ((name, player), (_, solo)) in summary.player.named().into_iter().zip(summary.solo.named()) {
        let name = name.replace('_', " ");
        let (player, solo) = (f64::from(player) / games, f64::from(solo) / games);
        let _ = writeln!(text, "{name:<16}{player:>12.3}{solo:>12.3}");
    }
    text
}
