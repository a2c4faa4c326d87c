//! `tallyho tournament clock`: what the clock of a match allows (PE-9.2), asked or running.

use std::{
    io::{BufRead as _, IsTerminal as _, stdin},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;

use super::print;
use crate::tournament::clock::{Clock, Part, minutes, seconds};

/// Arguments of `tallyho tournament clock`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tallyho tournament clock                  run it; Enter ends the first game early, then the match
  tallyho tournament clock 57:00 --second   57 minutes after the first Planning Phase, in the second game

The clock starts with the first Planning Phase of the first game and runs through the second set-up. When a time is up the
round of play is finished and the game scored.")]
pub(super) struct Args {
    /// Time since the first Planning Phase, in minutes or as 57:00 [default: run the clock now]
    #[arg(value_name = "TIME", value_parser = parse_time)]
    time: Option<u32>,
    /// The second game is played
    #[arg(long)]
    second: bool,
    /// Minutes of the first game
    #[arg(long, value_name = "MINUTES", default_value_t = 45, value_parser = clap::value_parser!(u32).range(1..=600))]
    first_game: u32,
    /// Minutes of the match
    #[arg(long, value_name = "MINUTES", default_value_t = 95, value_parser = clap::value_parser!(u32).range(1..=1200))]
    whole: u32,
}

fn parse_time(text: &str) -> Result<u32, String> {
    seconds(text).ok_or_else(|| "give minutes, or minutes and seconds as in 57:00".to_owned())
}

/// Tells what the clock allows, or runs it.
///
/// # Errors
/// The match is shorter than its first game, or stdout cannot be written.
pub(super) fn run(arguments: &Args) -> anyhow::Result<()> {
    let clock = Clock {
        first_game: arguments.first_game * 60,
        whole: arguments.whole * 60,
    };
    anyhow::ensure!(
        clock.first_game < clock.whole,
        "--first-game {} takes all of the {} minutes of the match",
        arguments.first_game,
        arguments.whole
    );
    let part = if arguments.second { Part::Second } else { Part::First };
    match arguments.time {
        Some(time) => print(&format!("{}  {}\n", minutes(time), clock.told(part, time))),
        None => live(clock, part),
    }
}

/// Runs the clock: a line a minute, and one whenever what may be done changes.
fn live(clock: Clock, mut part: Part) -> anyhow::Result<()> {
    let begun = Instant::now();
    let (entered, lines) = mpsc::channel();
    // Without somebody at the keyboard an end of input would end both games at once.
    let keyboard = stdin().is_terminal();
    if keyboard {
        thread::Builder::new()
            .spawn(move || {
                for line in stdin().lock().lines() {
                    if line.is_err() || entered.send(()).is_err() {
                        return;
                    }
                }
            })
            .context("cannot listen to the keyboard")?;
    }
    loop {
        let elapsed = begun.elapsed().as_secs() as u32;
        print(&format!("{}  {}\n", minutes(elapsed), clock.told(part, elapsed)))?;
        match (part, clock.may_begin_round(part, elapsed)) {
            (Part::First, false) => part = Part::Second,
            (Part::Second, false) => return Ok(()),
            _ => {}
        }
        let next = (elapsed / 60 + 1) * 60;
        let wait =
            Duration::from_secs(u64::from(next.min(clock.end(part)).max(elapsed + 1))).saturating_sub(begun.elapsed());
        match (keyboard, lines.recv_timeout(wait)) {
            (true, Ok(())) => match part {
                Part::First => part = Part::Second,
                Part::Second => return Ok(()),
            },
            (false, Err(RecvTimeoutError::Disconnected)) => thread::sleep(wait),
            _ => {}
        }
    }
}
