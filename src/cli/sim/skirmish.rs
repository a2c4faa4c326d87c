//! `tallyho sim --swm`: many skirmishes of Star Wars Miniatures.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::Path,
    time::Instant,
};

use super::{Args, First, MOST_PROBLEMS, Policy, interrupt, progress_bar, threads, write_to};
use crate::{
    bridge::grid,
    cli::{files::Files, skirmish::refuse_of_ships},
    record::{
        Hand,
        skirmish::{File, Header, Skirmishing},
        words::count,
    },
    sim::{
        self,
        skirmish::{self, Plan, SIDES, SideRound, SkirmishFigures, Summary},
    },
};

/// Runs `tallyho sim --swm`.
///
/// # Errors
/// A ground that cannot be used, an output file that cannot be written, or a skirmish that breaks the rules.
pub(super) fn run(arguments: &Args, files: &Files) -> anyhow::Result<()> {
    refuse_of_ships(&arguments.meeting.of_ships())?;
    refuse_of_ships(&[
        ("--policy", arguments.how.policy != Policy::Scripted),
        ("--first", arguments.how.first != First::Player),
        ("--any-stress-makes-focus", arguments.how.any_stress_makes_focus),
    ])?;
    let (player, solo) = arguments.meeting.squads();
    let (ground, options, warnings) = arguments.field.ground(player, solo)?;
    for warning in &warnings {
        crate::cli::console::tell!("warning: {}", grid::spoken(warning));
    }
    let plan = Plan {
        options,
        rounds: arguments.how.rounds,
        seed: arguments.seed,
        audit: arguments.audit,
        ..Plan::of(ground)
    };
    files.prepare()?;
    let threads = threads(arguments.threads);
    let stop = interrupt::watch()?;
    let bar = progress_bar(u64::from(arguments.games), "skirmishes")?;
    let started = Instant::now();
    let played = skirmish::run(&plan, arguments.games as usize, threads, &stop, &|| bar.inc(1));
    let took = started.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let played = played?;
    if played.len() < arguments.games as usize {
        crate::cli::console::tell!(
            "stopped after {} of {}",
            played.len(),
            count(arguments.games, "skirmish")
        );
    }
    let summary = Summary::of(&played);
    if let Some(path) = &arguments.csv {
        write_to(path, |out| write_csv(&played, out))?;
    }
    if let Some(path) = &arguments.json {
        let whole = serde_json::json!({
            "played": "Star Wars Miniatures",
            "seed": plan.seed,
            "roundLimit": plan.rounds,
            "audited": plan.audit,
            "switches": plan.options,
            "summary": summary,
        });
        write_to(path, |out| {
            serde_json::to_writer_pretty(&mut *out, &whole)?;
            writeln!(out)
        })?;
    }
    if let Some(folder) = &arguments.record {
        for game in &played {
            record(folder, &plan, game.game)?;
        }
    }
    let rate = played.len() as f64 / took.max(1e-9);
    crate::cli::console::tell!(
        "{} in {took:.1} s, {rate:.0} a second on {}",
        count(played.len() as u32, "skirmish"),
        count(threads as u32, "thread")
    );
    io::stdout().lock().write_all(overview(&summary).as_bytes())?;
    if summary.refused + summary.violations > 0 {
        for game in played.iter().filter(|game| game.problem.is_some()).take(MOST_PROBLEMS) {
            crate::cli::console::tell!(
                "skirmish {}: {}",
                game.game,
                game.problem.as_deref().unwrap_or_default()
            );
        }
        anyhow::bail!(
            "choices refused: {}, rules broken: {}; please report this with the seed, the map and the squads",
            summary.refused,
            summary.violations
        );
    }
    if arguments.audit {
        println!(
            "audit: {}, no choice refused, no rule broken",
            count(played.len() as u32, "skirmish")
        );
    }
    Ok(())
}

/// Plays a skirmish once more and writes its record.
fn record(folder: &Path, plan: &Plan, number: u64) -> anyhow::Result<()> {
    let mut dice = sim::dice_of(plan.seed, number);
    let board = plan.ground.open(&mut dice)?;
    let position = grid::write(&board, &plan.options, &number.to_string());
    let header = Header {
        game: Some(number),
        ..Header::new(position, Some(plan.rounds), plan.seed, Hand::Scripted)
    };
    let game = Skirmishing::played_out(header, &(), &mut dice)?;
    let path = folder.join(format!("skirmish-{number}.jsonl"));
    File::write_whole(&path, game.header(), game.answers())?;
    Ok(())
}

fn write_csv(played: &[SkirmishFigures], out: &mut impl io::Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    let columns = SideRound::default().named().map(|(name, _)| name);
    table.write_record(["game", "winner", "length", "round", "side"].iter().chain(&columns))?;
    for game in played {
        let winner = SIDES.iter().find(|(side, _)| game.winner == Some(*side));
        for (round, sides) in game.rounds.iter().enumerate() {
            for ((_, name), side) in SIDES.iter().zip(sides) {
                let fixed = [
                    game.game.to_string(),
                    winner.map_or("", |(_, name)| name).to_owned(),
                    game.rounds.len().to_string(),
                    (round + 1).to_string(),
                    (*name).to_owned(),
                ];
                table.write_record(
                    fixed
                        .into_iter()
                        .chain(side.named().map(|(_, count)| count.to_string())),
                )?;
            }
        }
    }
    table.flush()
}

/// Wins, length and sums, for people.
fn overview(summary: &Summary) -> String {
    let games = summary.games.max(1) as f64;
    let share = |count: usize| 100.0 * count as f64 / games;
    let mut text = format!(
        "{}: player won {} ({:.1} %), automated side won {} ({:.1} %), nobody {} ({:.1} %); {:.2} rounds on average, \
         at most {}\n",
        count(summary.games as u32, "skirmish"),
        summary.player_wins,
        share(summary.player_wins),
        summary.automated_wins,
        share(summary.automated_wins),
        summary.undecided,
        share(summary.undecided),
        summary.mean_rounds,
        summary.longest,
    );
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n{:<16}{:>12}{:>12}   a skirmish", "", "player", "automated");
    for ((name, player), (_, automated)) in summary.player.named().into_iter().zip(summary.automated.named()) {
        let name = name.replace('_', " ");
        let (player, automated) = (f64::from(player) / games, f64::from(automated) / games);
        let _ = writeln!(text, "{name:<16}{player:>12.3}{automated:>12.3}");
    }
    text
}
