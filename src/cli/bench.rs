//! `tallyho bench`: what is played, as checksums over a fixed set of games, and how fast.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use anyhow::Context as _;

use super::{
    Failure,
    sim::{progress_bar, threads},
};
use crate::{
    sim::checksum::{self, GAMES, Line},
    text_file,
};

/// Arguments of `tallyho bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tallyho bench
  tallyho bench --check tests/cases/sim/checksums.txt

Each line is the checksum of every choice in a few games of one meeting. The same program gives the same lines on every
platform; a line that differs says that something plays otherwise. Speed is measured beside it: whole games, one after the
other on one thread, then on all.")]
pub struct Args {
    /// Compare with the lines of this file; exit code 3 if one differs
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// How many threads beside one; as many as there are cores if not given
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

/// Runs `tallyho bench`.
///
/// # Errors
/// A file that cannot be read, and lines that differ from it (exit code 3).
pub fn run(arguments: &Args) -> anyhow::Result<()> {
    let plans = checksum::plans()?;
    let threads = threads(arguments.threads);
    let bar = progress_bar(2 * plans.len() as u64, "meetings")?;
    let mut lines: Vec<Line> = Vec::new();
    let started = Instant::now();
    for (name, plan) in &plans {
        lines.push(checksum::line(name, plan)?);
        bar.inc(1);
    }
    let alone = started.elapsed();
    let next = AtomicUsize::new(0);
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((name, plan)) = plans.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Played before, so it can be played.
                    let _ = checksum::line(name, plan);
                    bar.inc(1);
                }
            });
        }
    });
    let together = started.elapsed();
    bar.finish_and_clear();
    let mut out = io::stdout().lock();
    for line in &lines {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{}  all", checksum::whole(&lines))?;
    let games = plans.len() as f64 * GAMES as f64;
    let rate = |took: Duration| games / took.as_secs_f64().max(1e-9);
    eprintln!(
        "{games} games: {:.0} a second on one thread, {:.0} a second on {threads} ({:.2} times)",
        rate(alone),
        rate(together),
        rate(together) / rate(alone)
    );
    let Some(path) = &arguments.check else {
        return Ok(());
    };
    let text = text_file::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let known: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let differs = |line: &&Line| !known.contains(&line.to_string().as_str());
    let other: Vec<String> = lines.iter().filter(differs).map(|line| line.name.clone()).collect();
    if other.is_empty() {
        return Ok(());
    }
    Err(Failure::with(
        3,
        format!("{} plays otherwise: {}", path.display(), other.join("; ")),
    ))
}
