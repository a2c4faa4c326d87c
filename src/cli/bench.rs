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
    record::words::count as counted,
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
    let lines: Vec<String> = (lines.iter().map(Line::to_string))
        .chain([format!("{}  all", checksum::whole(&lines))])
        .collect();
    for line in &lines {
        writeln!(out, "{line}")?;
    }
    let games = plans.len() as f64 * GAMES as f64;
    let rate = |took: Duration| games / took.as_secs_f64().max(1e-9);
    crate::cli::console::tell!(
        "{games} games: {:.0} a second on one thread, {:.0} a second on {} ({:.2} times)",
        rate(alone),
        rate(together),
        counted(threads as u32, "thread"),
        rate(together) / rate(alone)
    );
    let Some(path) = &arguments.check else {
        return Ok(());
    };
    let text = text_file::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    match differences(&text, &lines).as_slice() {
        [] => {
            crate::cli::console::tell!("{}: all {} lines are as expected", path.display(), lines.len());
            Ok(())
        }
        other => Err(Failure::with(
            3,
            format!("{} plays otherwise: {}", path.display(), other.join("; ")),
        )),
    }
}

/// The names of the lines that are not in both: those that play otherwise, those that the file has not, and those that only
/// the file has.
fn differences(text: &str, lines: &[String]) -> Vec<String> {
    let known = text.lines().map(str::trim_end);
    let known: Vec<&str> = known
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    let name = |line: &str| line.split_once("  ").map_or(line, |(_, name)| name).to_owned();
    let other = lines.iter().filter(|line| !known.contains(&line.as_str()));
    let mut names: Vec<String> = other.map(|line| name(line)).collect();
    let here = |wanted: &str| lines.iter().any(|line| name(line) == wanted);
    let gone = known.iter().map(|line| name(line)).filter(|known| !here(known));
    names.extend(gone.map(|name| format!("{name} (not played any more)")));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_that_is_not_in_both_is_named_whatever_the_line_ends() {
        let lines = ["aa  one", "bb  two", "cc  all"].map(str::to_owned);
        let cases: [(&str, &[&str]); 5] = [
            ("# a comment\r\naa  one\r\nbb  two\r\ncc  all\r\n", &[]),
            ("aa  one\nbb  two\ncd  all\n", &["all"]),
            ("aa  one\nbc  two\ncc  all\n", &["two"]),
            ("aa  one\n\ncc  all\n", &["two"]),
            (
                "aa  one\nbb  two\nee  three\ncc  all\n",
                &["three (not played any more)"],
            ),
        ];
        for (text, names) in cases {
            assert_eq!(differences(text, &lines), names, "{text}");
        }
    }
}
