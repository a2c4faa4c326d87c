//! `tallyho sim`: many games at once, and what came of them.

use std::{
    fmt::Write as _,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};

use super::{Failure, GlobalOptions, files::Files, interrupt, skirmish::Field};
use crate::{
    record::{Beginning, Game, Hand, RecordFile, Start, words::count as counted},
    sim::{
        self, Plan, PlayerPolicy, compare,
        figures::{GameFigures, SIDES, SideRound, Summary},
        report::{self, Arm},
    },
    solo_alpha::{Options, options::FirstPlayer},
    xwing::{
        catalog::{Catalog, asked::AttackValues},
        edition::FirstEditionOptions,
    },
};

pub(super) mod escort;
pub(super) mod meeting;
mod skirmish;

use meeting::Meeting;

/// So many games with a choice that was refused or a rule that was broken are named.
const MOST_PROBLEMS: usize = 10;

/// Arguments of `tallyho sim`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tallyho sim --scenario intro --faction rebelalliance --enemy scum --variant ace --games 1000 --html report.html
  tallyho sim --scenario intro --every-faction --games 1000 --audit
  tallyho sim --scenario mirror --faction empire --enemy empire --policy solo --first alternating --compare stress
  tallyho sim --edition first --drawn 100 --games 500 --audit
  tallyho sim --escort --player '4*xwing/rookiepilot' --player-shuttle hullupgrade --solo '8*tiefighter/academypilot' --audit
  tallyho sim --swm --points 150 --size 24x16 --games 1000 --audit
  tallyho sim --player 'btla4ywing+protontorpedoes,t65xwing' --solo 'card:soontirfel' --csv games.csv --json summary.json

A squad of two lines is a list of ships with commas between them, each with a number, a pilot and upgrades where wanted, or
a Quick Build card. Without a pilot it is the one of the lowest initiative that may fly any number of times. Where ships and
obstacles are is rolled anew for each game. The same seed gives the same figures, whatever the number of threads. Ctrl-C
keeps what is done. docs/sim.md says what is played and what the figures mean.")]
// What belongs to other games is refused and not passed over.
#[command(mut_arg("escort", |escort| escort.conflicts_with_all([
    "squad", "enemy_squad", "drawn", "faction", "enemy", "variant", "every_faction", "players", "take", "ace", "compare", "html",
])))]
pub struct Args {
    #[command(flatten)]
    meeting: Meeting,
    #[command(flatten)]
    field: Field,
    #[command(flatten)]
    escort: escort::EscortArgs,
    /// How many games (of each kind with --compare)
    #[arg(long, short = 'n', default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    games: u32,
    /// Where all dice come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    how: How,
    /// Play every game again with another choice, from the same seed, and put the figures side by side
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with = "swm")]
    compare: Option<Compare>,
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
    /// Write a report with plots, one HTML file that needs nothing else
    #[arg(long, value_name = "FILE", conflicts_with = "swm")]
    html: Option<PathBuf>,
    /// Write the record of every game into this folder, for `tallyho replay`; each is played once more for it, with words
    #[arg(long, value_name = "DIR", conflicts_with = "drawn")]
    record: Option<PathBuf>,
}

impl Args {
    /// Every file that is read or written, whatever is played.
    fn files(&self, global: &GlobalOptions) -> Files {
        let (player, solo) = self.meeting.squads();
        // Only Political Escort takes files here.
        let file = |squad: Option<&str>| squad.filter(|_| self.escort.escort).map(PathBuf::from);
        (self.meeting.files(global))
            .reads("--player", file(player).as_deref())
            .reads("--solo", file(solo).as_deref())
            .reads("--escort-file", self.escort.escort_file.as_deref())
            .reads("--position", self.field.position.as_deref())
            .reads("--map", self.field.map.as_deref())
            .reads("--roster", self.field.roster.as_deref())
            .reads("--switches", self.field.switches.as_deref())
            .writes("--csv", self.csv.as_deref())
            .writes("--json", self.json.as_deref())
            .writes("--html", self.html.as_deref())
            .writes_into("--record", self.record.as_deref())
    }
}

/// How games are played.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct How {
    /// Who flies the player's ships
    #[arg(long, value_enum, default_value_t = Policy::Scripted)]
    policy: Policy,
    /// Whose ships come first at the same initiative; `alternating` flips it each round
    #[arg(long, value_enum, default_value_t = First::Player)]
    first: First,
    /// SA-6.2 as some players read it: any stressed solo ship's defence die becomes focus
    #[arg(long)]
    any_stress_makes_focus: bool,
    /// After so many rounds a game is over
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
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
    Alternating,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Compare {
    /// The readings of SA-6.2: only a red maneuver, or any stress, makes a stressed ship's defence die focus
    Stress,
    /// The player, or the solo side, first at the same initiative
    First,
    /// The scripted player, or Solo Alpha, on the player's side
    Policy,
}

impl How {
    /// A plan of games on these meetings.
    pub(super) fn plan(&self, fields: Vec<sim::field::Field>, seed: u64, catalog: Option<Arc<Catalog>>) -> Plan {
        let options = Options {
            first_player: match self.first {
                First::Player | First::Alternating => FirstPlayer::Player,
                First::Solo => FirstPlayer::Solo,
            },
            any_stress_makes_focus: self.any_stress_makes_focus,
            ..Options::default()
        };
        Plan {
            policy: match self.policy {
                Policy::Scripted => PlayerPolicy::Scripted,
                Policy::Solo => PlayerPolicy::Solo,
            },
            player_options: options.clone(),
            options,
            alternating: self.first == First::Alternating,
            rounds: self.rounds,
            seed,
            catalog,
            ..Plan::of(fields)
        }
    }
}

/// The plans that a comparison asks for, each with its name; one without a name if nothing is compared.
fn arms(plan: Plan, compare: Option<Compare>) -> Vec<(String, Plan)> {
    let with = |name: &str, change: &dyn Fn(&mut Plan)| {
        let mut plan = plan.clone();
        change(&mut plan);
        (name.to_owned(), plan)
    };
    match compare {
        None => vec![(String::new(), plan)],
        Some(Compare::Stress) => {
            let reading = |north: bool, south: bool| {
                move |plan: &mut Plan| {
                    plan.options.any_stress_makes_focus = north;
                    plan.player_options.any_stress_makes_focus = south;
                }
            };
            let mut arms = vec![
                with("as written", &reading(false, false)),
                with("any stress", &reading(true, true)),
            ];
            if plan.policy == PlayerPolicy::Solo {
                // One reading against the other.
                arms.push(with("solo side any stress", &reading(true, false)));
            }
            arms
        }
        Some(Compare::First) => {
            let first = |side| move |plan: &mut Plan| plan.options.first_player = side;
            vec![
                with("player first", &first(FirstPlayer::Player)),
                with("solo first", &first(FirstPlayer::Solo)),
            ]
        }
        Some(Compare::Policy) => {
            let policy = |policy| move |plan: &mut Plan| plan.policy = policy;
            vec![
                with("scripted player", &policy(PlayerPolicy::Scripted)),
                with("Solo Alpha", &policy(PlayerPolicy::Solo)),
            ]
        }
    }
}

/// Runs `tallyho sim`.
///
/// # Errors
/// A squad that cannot be read, a catalog or an output file that cannot be opened, or a game that breaks the rules.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    let files = arguments.files(global);
    files.check()?;
    if arguments.field.swm {
        return skirmish::run(&arguments, &files);
    }
    if arguments.escort.escort {
        return escort::run(&arguments, global, &files);
    }
    let loaded = loaded_catalog(global)?;
    let catalog = loaded
        .as_deref()
        .unwrap_or_else(|| Catalog::embedded_for(global.edition.unwrap_or_default()));
    let fields = arguments.meeting.fields(catalog)?;
    let mut plan = arguments.how.plan(fields, arguments.seed, loaded.clone());
    plan.audit = arguments.audit;
    plan.rules = global.rules(catalog)?;
    let arms = arms(plan, arguments.compare);
    let (names, plans): (Vec<String>, Vec<Plan>) = arms.into_iter().unzip();
    let threads = threads(arguments.threads);
    files.prepare()?;
    let stop = interrupt::watch()?;
    let all = u64::from(arguments.games) * plans.len() as u64;
    let bar = progress_bar(all, "games")?;
    let started = Instant::now();
    let played = sim::run_all(&plans, arguments.games as usize, threads, &stop, &|| bar.inc(1));
    let took = started.elapsed();
    bar.finish_and_clear();
    let played = played?;
    let count: usize = played.iter().map(Vec::len).sum();
    if (count as u64) < all {
        crate::cli::console::tell!("stopped after {count} of {}", counted(all as u32, "game"));
    }
    let arms: Vec<Arm<'_>> = (names.iter().zip(&plans).zip(&played))
        .map(|((name, plan), games)| Arm {
            name,
            plan,
            games,
            summary: Summary::of(games),
        })
        .collect();
    if let Some(path) = &arguments.csv {
        write_to(path, |out| write_csv(&arms, out))?;
    }
    if let Some(path) = &arguments.json {
        let whole = json(&arms, &arguments);
        write_to(path, |out| {
            serde_json::to_writer_pretty(&mut *out, &whole)?;
            writeln!(out)
        })?;
    }
    if let Some(path) = &arguments.html {
        let html = report::html(&arguments.meeting.title(), &arms).context("the plots cannot be drawn")?;
        write_to(path, |out| out.write_all(html.as_bytes()))?;
    }
    if let Some(folder) = &arguments.record {
        let starts = arguments.meeting.starts(catalog)?;
        let many = arms.len() > 1;
        let edition_options = global.first_edition_options(catalog)?;
        for arm in &arms {
            let prefix = if many {
                format!("{}-", arm.name.replace(' ', "-"))
            } else {
                String::new()
            };
            let facts = (catalog, edition_options, global.attack_values());
            record(folder, &prefix, arm, &starts, facts)?;
        }
    }
    let rate = count as f64 / took.as_secs_f64().max(1e-9);
    let took = took.as_secs_f64();
    let (games, on) = (counted(count as u32, "game"), counted(threads as u32, "thread"));
    crate::cli::console::tell!("{games} in {took:.1} s, {rate:.0} a second on {on}");
    let mut text = String::new();
    for arm in &arms {
        if !arm.name.is_empty() {
            text += &format!("{}: ", arm.name);
        }
        text += &overview(&arm.summary);
        if arms.len() == 1 {
            text += &figures(&arm.summary);
        }
    }
    if arms.len() > 1 {
        text += &comparison(&names, &played);
    }
    io::stdout().lock().write_all(text.as_bytes())?;
    let refused: usize = arms.iter().map(|arm| arm.summary.refused).sum();
    let violations: usize = arms.iter().map(|arm| arm.summary.violations).sum();
    if refused + violations > 0 {
        for arm in &arms {
            for game in arm
                .games
                .iter()
                .filter(|game| game.problem.is_some())
                .take(MOST_PROBLEMS)
            {
                let (number, meeting) = (game.game, arm.plan.fields[game.field].name());
                crate::cli::console::tell!(
                    "game {number}, {meeting}: {}",
                    game.problem.as_deref().unwrap_or_default()
                );
            }
        }
        anyhow::bail!(
            "choices refused: {refused}, rules broken: {violations}; please report this with the seed and the squads"
        );
    }
    if arguments.audit {
        let mut out = io::stdout().lock();
        writeln!(out, "audit: {games}, no choice refused, no rule broken")?;
    }
    Ok(())
}

/// Plays the games of an arm once more and writes a record of each.
fn record(
    folder: &Path,
    prefix: &str,
    arm: &Arm<'_>,
    starts: &[Start],
    (catalog, edition_options, attack_values): (&Catalog, Option<FirstEditionOptions>, AttackValues),
) -> anyhow::Result<()> {
    let plan = arm.plan;
    for figures in arm.games {
        let start = starts.get(figures.field).context("every meeting has its beginning")?;
        let other = (plan.player_options != plan.options).then(|| plan.player_options.clone());
        let beginning = Beginning {
            player: match plan.policy {
                PlayerPolicy::Scripted => Hand::Scripted,
                PlayerPolicy::Solo => Hand::Solo,
            },
            player_options: other,
            rounds: Some(plan.rounds),
            alternating: plan.alternating,
            game: Some(figures.game),
            edition: catalog.edition(),
            edition_options,
            attack_values: attack_values.clone(),
            ..Beginning::new(start.clone(), plan.options.clone(), plan.seed)
        };
        let game = Game::simulated(beginning, catalog)?;
        let path = folder.join(format!("{prefix}game-{}.jsonl", figures.game));
        RecordFile::write_whole(&path, game.header(), game.answers())?;
    }
    Ok(())
}

/// The catalog that is asked for, if it is not the embedded one.
pub(super) fn loaded_catalog(global: &GlobalOptions) -> anyhow::Result<Option<Arc<Catalog>>> {
    Ok(match global.load_catalog()? {
        std::borrow::Cow::Borrowed(_) => None,
        std::borrow::Cow::Owned(catalog) => Some(Arc::new(catalog)),
    })
}

/// As many threads as are asked for, or as there are cores.
pub(super) fn threads(asked: Option<u32>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    asked.map_or(cores, |threads| threads as usize)
}

/// A bar with rate and time left, on standard error.
pub(super) fn progress_bar(length: u64, of: &str) -> anyhow::Result<ProgressBar> {
    let bar = ProgressBar::new(length);
    let style = ProgressStyle::with_template(&format!(
        "{{bar:30}} {{human_pos}}/{{human_len}} {of}, {{per_sec}}, {{eta}} left {{msg}}"
    ))
    .context("the progress bar's template")?;
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    Ok(bar)
}

pub(super) fn write_to(
    path: &Path,
    write: impl FnOnce(&mut io::BufWriter<std::fs::File>) -> io::Result<()>,
) -> anyhow::Result<()> {
    let file = std::fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut out = io::BufWriter::new(file);
    write(&mut out)
        .and_then(|()| out.flush())
        .with_context(|| format!("cannot write {}", path.display()))
}

fn write_csv(arms: &[Arm<'_>], out: &mut impl Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    let columns = SideRound::default().named().map(|(name, _)| name);
    let fixed = [
        "kind", "game", "player", "solo", "variant", "winner", "length", "round", "side",
    ];
    table.write_record(fixed.iter().chain(&columns).chain(&["points_ratio"]))?;
    for arm in arms {
        for game in arm.games {
            let field = &arm.plan.fields[game.field];
            let winner = game.winner.map_or("", |side| SIDES[side]);
            let (number, length) = (game.game.to_string(), game.rounds.len().to_string());
            let [player, solo] = &field.sides;
            let variant = field.variant.as_deref().unwrap_or_default();
            for (round, sides) in game.rounds.iter().enumerate() {
                for (place, side) in sides.iter().enumerate() {
                    let ratio = game.points_ratio(place, round);
                    let ratio = ratio.map_or_else(String::new, |ratio| format!("{ratio:.4}"));
                    let named = [
                        arm.name,
                        &number,
                        player,
                        solo,
                        variant,
                        winner,
                        &length,
                        &(round + 1).to_string(),
                        SIDES[place],
                    ];
                    let figures = side.named().map(|(_, figure)| figure.to_string());
                    let figures = figures.iter().map(String::as_str);
                    table.write_record(named.into_iter().chain(figures).chain([ratio.as_str()]))?;
                }
            }
        }
    }
    table.flush()
}

fn json(arms: &[Arm<'_>], arguments: &Args) -> serde_json::Value {
    let kinds = arms.iter().map(|arm| {
        let meetings = arm.meetings().into_iter().map(|meeting| {
            serde_json::json!({
                "player": meeting.field.sides[0],
                "solo": meeting.field.sides[1],
                "variant": meeting.field.variant,
                "games": meeting.games,
                "playerWins": meeting.wins[0],
                "soloWins": meeting.wins[1],
            })
        });
        serde_json::json!({
            "kind": arm.name,
            "policy": match arm.plan.policy {
                PlayerPolicy::Scripted => "scripted",
                PlayerPolicy::Solo => "solo",
            },
            "firstPlayer": arm.plan.options.first_player,
            "alternating": arm.plan.alternating,
            "anyStressMakesFocus": arm.plan.options.any_stress_makes_focus,
            "seed": arm.plan.seed,
            "roundLimit": arm.plan.rounds,
            "audited": arm.plan.audit,
            "meetings": meetings.collect::<Vec<_>>(),
            "summary": arm.summary,
        })
    });
    serde_json::json!({
        "played": arguments.meeting.title(),
        "kinds": kinds.collect::<Vec<_>>(),
    })
}

/// Wins and length, in a line.
fn overview(summary: &Summary) -> String {
    let games = summary.games.max(1) as f64;
    let share = |count: usize| 100.0 * count as f64 / games;
    format!(
        "{}: player won {} ({:.1} %), solo won {} ({:.1} %), nobody {} ({:.1} %, {} at the limit of rounds); {:.2} \
         rounds on average, at most {}\n",
        counted(summary.games as u32, "game"),
        summary.player_wins,
        share(summary.player_wins),
        summary.solo_wins,
        share(summary.solo_wins),
        summary.draws,
        share(summary.draws),
        summary.unfinished,
        summary.mean_rounds,
        summary.longest,
    )
}

/// The sums for people, a game.
fn figures(summary: &Summary) -> String {
    let games = summary.games.max(1) as f64;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n{:<16}{:>12}{:>12}   a game", "", "player", "solo");
    for ((name, player), (_, solo)) in summary.player.named().into_iter().zip(summary.solo.named()) {
        let name = name.replace('_', " ");
        let (player, solo) = (f64::from(player) / games, f64::from(solo) / games);
        let _ = writeln!(text, "{name:<16}{player:>12.3}{solo:>12.3}");
    }
    let ratio = |ratio: Option<f64>| ratio.map_or_else(|| "?".to_owned(), |ratio| format!("{ratio:.3}"));
    let (player, solo) = (ratio(summary.player_points_ratio), ratio(summary.solo_points_ratio));
    let _ = writeln!(text, "{:<16}{player:>12}{solo:>12}", "points ratio");
    text
}

/// The figures of all kinds side by side, and how the others differ from the first.
fn comparison(names: &[String], played: &[Vec<GameFigures>]) -> String {
    let mut text = String::new();
    let _ = write!(text, "\n{:<26}", "mean of a game");
    for name in names {
        let _ = write!(text, "{name:>21}");
    }
    for name in &names[1..] {
        let _ = write!(text, "   {:>23}", format!("difference, {name}"));
    }
    text.push('\n');
    for row in compare::table(played) {
        let _ = write!(text, "{:<26}", row.name);
        for mean in &row.means {
            let _ = write!(text, "{:>21.3}", mean.mean);
        }
        for difference in &row.differences {
            let mark = if difference.is_distinct() { "*" } else { " " };
            let (mean, half) = (difference.mean, difference.half_width);
            let _ = write!(text, "   {:>22}{mark}", format!("{mean:+.3} +- {half:.3}"));
        }
        text.push('\n');
    }
    text += "95 % intervals of the differences, game by game; * where zero is outside.\n";
    text
}
