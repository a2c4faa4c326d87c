//! `tallyho balance`: how strong an enemy a squad can stand.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::PathBuf,
};

use anyhow::{Context as _, bail};

use super::{
    GlobalOptions, interrupt,
    sim::{How, loaded_catalog, meeting::Meeting, progress_bar, threads, write_to},
};
use crate::{
    record::words::count,
    sim::balance::{self, Progress, Question, Trial, enemies::Pool, logistic::Fit},
    xwing::{catalog::Catalog, squad::xws},
};

/// Rows of the table by strength.
const GROUPS: usize = 8;

/// Arguments of `tallyho balance`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tallyho balance --squad mine.xws.json --scenario intro --against galacticempire
  tallyho balance --scenario intro --faction rebelalliance --against scum --games 2000
  tallyho balance --player '2*t65xwing/redsquadronveteran' --against galacticempire --precision 0.02

Enemy squads of many strengths are drawn from the faction's pilots that may fly any number of times, without upgrades, and
the chance to win is fitted to their points (logistic regression, Firth's penalty). The interval is Fieller's. A game that
nobody wins counts half. In a scenario the points are those of all ships that may come. Ctrl-C keeps what is done.")]
pub struct Args {
    #[command(flatten)]
    meeting: Meeting,
    /// The faction of the enemy squads that are drawn, by xws id or name
    #[arg(long, value_name = "FACTION")]
    against: String,
    /// At most so many games
    #[arg(long, short = 'n', default_value_t = 1200, value_parser = clap::value_parser!(u32).range(60..=10_000_000))]
    games: u32,
    /// Stop when half of the interval is no wider than this share of the estimate
    #[arg(long, value_name = "SHARE", default_value_t = 0.03)]
    precision: f64,
    /// Where all dice come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    how: How,
    /// How many threads; as many as there are cores if not given
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Write one line for each game: enemy points, outcome, pilots
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the answer as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs `tallyho balance`.
///
/// # Errors
/// A squad, scenario or catalog that cannot be read, ships without a price, or an output file that cannot be written.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    if !(0.001..1.0).contains(&arguments.precision) {
        bail!(
            "--precision {}: give a share from 0.001 to 1, as in 0.03",
            arguments.precision
        );
    }
    let files = (arguments.meeting.files(global))
        .writes("--csv", arguments.csv.as_deref())
        .writes("--json", arguments.json.as_deref());
    files.check()?;
    let loaded = loaded_catalog(global)?;
    let catalog = loaded
        .as_deref()
        .unwrap_or_else(|| Catalog::embedded_for(global.edition.unwrap_or_default()));
    let faction = xws::faction(&arguments.against)
        .with_context(|| format!("--against {}: there is no such faction", arguments.against))?;
    let pool = Pool::of(faction, catalog).with_context(|| format!("the catalog has no prices for {faction}"))?;
    let (ground, points) = arguments.meeting.one_side(catalog, faction)?;
    let player_points =
        points.context("the catalog does not have all prices of the player's squad, so its points are not known")?;
    let question = Question {
        ground,
        player_points,
        pool,
        plan: crate::sim::Plan {
            rules: global.rules(catalog)?,
            ..arguments.how.plan(Vec::new(), arguments.seed, loaded.clone())
        },
        games: arguments.games as usize,
        precision: arguments.precision,
        threads: threads(arguments.threads),
    };
    files.prepare()?;
    let stop = interrupt::watch()?;
    let bar = progress_bar(u64::from(arguments.games), "games")?;
    let trials = question.answer(&stop, &|progress: Progress| {
        bar.set_position(progress.games as u64);
        if let Some((fit, (low, high))) = progress.fit.and_then(|fit| Some((fit, fit.interval()?))) {
            bar.set_message(format!("{:.0} ({low:.0} to {high:.0})", fit.half()));
        }
    });
    bar.finish_and_clear();
    let trials = trials?;
    let fit = Fit::of(&balance::points_and_outcomes(&trials));
    if let Some(path) = &arguments.csv {
        write_to(path, |out| {
            let mut table = csv::Writer::from_writer(out);
            table.write_record(["enemy_points", "outcome", "pilots"])?;
            for trial in &trials {
                let (points, outcome) = (trial.points.to_string(), trial.outcome.to_string());
                table.write_record([points, outcome, trial.pilots.join(" ")])?;
            }
            table.flush()
        })?;
    }
    if let Some(path) = &arguments.json {
        let whole = serde_json::json!({
            "playerPoints": player_points,
            "against": faction,
            "seed": arguments.seed,
            "games": trials.len(),
            "half": fit.map(|fit| fit.half()),
            "interval": fit.and_then(|fit| fit.interval()),
            "fit": fit,
            "groups": balance::groups(&trials, GROUPS),
        });
        write_to(path, |out| {
            serde_json::to_writer_pretty(&mut *out, &whole)?;
            writeln!(out)
        })?;
    }
    let text = answer(&question, &trials, fit);
    Ok(io::stdout().lock().write_all(text.as_bytes())?)
}

/// The answer for people.
fn answer(question: &Question, trials: &[Trial], fit: Option<Fit>) -> String {
    let own = question.player_points;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "player: {own} points; {}", count(trials.len() as u32, "game"));
    let _ = writeln!(
        text,
        "\n{:>15} {:>7} {:>9}   95 % interval",
        "enemy points", "games", "won"
    );
    for group in balance::groups(trials, GROUPS) {
        let points = format!("{} to {}", group.points.0, group.points.1);
        let (low, high) = group.interval;
        let _ = writeln!(
            text,
            "{points:>15} {:>7} {:>7.1} %   {:.1} to {:.1} %",
            group.games,
            100.0 * group.share,
            100.0 * low,
            100.0 * high
        );
    }
    let percent = |points: f64| 100.0 * points / f64::from(own.max(1));
    let (least, most) = question.reach();
    text.push('\n');
    let _ = match fit.map(|fit| (fit, fit.interval())) {
        Some((fit, Some((low, high)))) if fit.slope < 0.0 && (least..=most).contains(&fit.half()) => writeln!(
            text,
            "The player wins half of the games at {:.0} enemy points (95 % interval {low:.0} to {high:.0}): {:.0} % of its own \
             ({:.0} to {:.0} %).",
            fit.half(),
            percent(fit.half()),
            percent(low),
            percent(high)
        ),
        Some((fit, Some(_))) if fit.slope < 0.0 => {
            let (words, limit) = if fit.half() > most {
                ("more", most)
            } else {
                ("fewer", least)
            };
            writeln!(
                text,
                "The player wins half of the games at {words} than {limit:.0} enemy points, which squads of this faction and \
                 number of ships cannot have. Take another faction, or more or fewer player ships."
            )
        }
        _ => writeln!(
            text,
            "These games do not tell where the player wins half: play more of them (--games), or take another faction or \
             squad."
        ),
    };
    text
}
