//! `tallyho sim --escort`: many games of Political Escort, both sides automated.

use std::{
    fmt::Write as _,
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use super::{Args, Failure, GlobalOptions, MOST_PROBLEMS, progress_bar, threads, write_to};
use crate::{
    cli::{files::Files, interrupt, play::squad_text},
    record::{Beginning, Game, Hand, RecordFile, Start, words::count as counted},
    sim::{
        self, Plan, PlayerPolicy,
        escort::{EscortField, EscortGame, Holder},
        field::Field,
        workers,
    },
    solo_alpha::escort::{AttackerTally, EscortPlay, EscortTally, Initiative},
    toml_text,
    xwing::{
        battle::{EscortEvent, Event, audit},
        catalog::Catalog,
        edition::Edition,
        escort::{ProtectOrder, Role, ShuttleBase, ending::Cause},
    },
};

/// Squads of a hundred points, for who names none.
pub(in crate::cli) const USUAL: [&str; 2] = ["4*xwing/rookiepilot", "8*tiefighter/academypilot"];

/// What Political Escort is told beside the squads.
#[derive(Debug, Clone, Default, clap::Args)]
pub(in crate::cli) struct EscortArgs {
    /// Play Political Escort with ships of the first edition; squads by --player and --solo, or by --escort-file
    #[arg(long, conflicts_with_all = ["scenario", "swm"])]
    pub escort: bool,
    /// Read squads, roles and options of Political Escort from this file (docs/escort.md)
    #[arg(long, value_name = "FILE", requires = "escort", conflicts_with_all = ["player", "solo"])]
    pub escort_file: Option<PathBuf>,
    /// The upgrades of the player's shuttle, with + between them
    #[arg(long, value_name = "UPGRADES", requires = "escort")]
    pub player_shuttle: Option<String>,
    /// The upgrades of the solo side's shuttle, with + between them
    #[arg(long, value_name = "UPGRADES", requires = "escort")]
    pub solo_shuttle: Option<String>,
    /// What the shuttle is called, in words alone [default: Senator's Shuttle]
    #[arg(long, value_name = "NAME", requires = "escort")]
    pub shuttle_name: Option<String>,
    /// The player's role; as initiative says if not given
    #[arg(long, value_enum, requires = "escort")]
    pub role: Option<RoleArg>,
    /// Who has initiative; as the squad points say if not given
    #[arg(long, value_enum, value_name = "WHO", requires = "escort")]
    pub escort_initiative: Option<HolderArg>,
    /// Fly squads that break the rules of squad building, too
    #[arg(long, requires = "escort")]
    pub unchecked: bool,
    /// An option of the scenario (repeatable): shuttle-token, clear-limit-5, protect-persists, hits-first, large-half-points,
    /// shuttle-dial, escorts-solo, escorts-screen, attackers-mixed, attackers-solo, initiative-human
    #[arg(long, value_name = "NAME", requires = "escort")]
    pub escort_option: Vec<String>,
}

/// A role, as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum RoleArg {
    /// Shoots at the shuttle
    Attacker,
    /// Has the shuttle
    Defender,
}

/// Who has initiative, as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum HolderArg {
    /// The player
    Player,
    /// The solo side
    Solo,
}

impl EscortArgs {
    /// The game that is asked for, and how the opponent plays it. `squads` are those of --player and --solo; `files` are those
    /// of the command line, which may write none that --escort-file names.
    ///
    /// # Errors
    /// A file that cannot be read, or would be written over, or an option that there is not.
    pub fn game(
        &self,
        squads: (Option<&str>, Option<&str>),
        files: &Files,
    ) -> anyhow::Result<(EscortGame, EscortPlay)> {
        let mut game = match &self.escort_file {
            Some(path) => read_file(path)?,
            None => EscortGame {
                player: squads.0.unwrap_or(USUAL[0]).to_owned(),
                solo: squads.1.unwrap_or(USUAL[1]).to_owned(),
                ..EscortGame::default()
            },
        };
        if let Some(path) = &self.escort_file {
            squads_of(path, &mut game, files)?;
        }
        if self.shuttle_name.is_some() {
            game.shuttle_name.clone_from(&self.shuttle_name);
        }
        for (one, other) in [
            ("escorts-solo", "escorts-screen"),
            ("attackers-mixed", "attackers-solo"),
        ] {
            let has = |name: &str| self.escort_option.iter().any(|option| option == name);
            if has(one) && has(other) {
                let message =
                    format!("--escort-option {one} and --escort-option {other} contradict each other: leave one out");
                return Err(Failure::with(2, message));
            }
        }
        let list = |text: &str| -> Vec<String> {
            let each = text.split(['+', ',']).map(str::trim).filter(|part| !part.is_empty());
            each.map(str::to_owned).collect()
        };
        if let Some(text) = &self.player_shuttle {
            game.player_shuttle = list(text);
        }
        if let Some(text) = &self.solo_shuttle {
            game.solo_shuttle = list(text);
        }
        game.role = match self.role {
            Some(RoleArg::Attacker) => Some(Role::Attacker),
            Some(RoleArg::Defender) => Some(Role::Defender),
            None => game.role,
        };
        game.initiative = match self.escort_initiative {
            Some(HolderArg::Player) => Some(Holder::Player),
            Some(HolderArg::Solo) => Some(Holder::Solo),
            None => game.initiative,
        };
        game.unchecked |= self.unchecked;
        let mut play = EscortPlay::default();
        for option in &self.escort_option {
            match option.as_str() {
                "shuttle-token" => game.options.shuttle_base = ShuttleBase::Token,
                "clear-limit-5" => game.options.clear_limit_5 = true,
                "protect-persists" => game.options.protect_persists = true,
                "hits-first" => game.options.protect_order = ProtectOrder::HitsFirst,
                "large-half-points" => game.options.large_half_points = true,
                "shuttle-dial" => game.dial = true,
                "escorts-solo" => play.escort_tally = EscortTally::Solo,
                "escorts-screen" => play.escort_tally = EscortTally::Screen,
                "attackers-mixed" => play.attacker_tally = AttackerTally::Mixed,
                "attackers-solo" => play.attacker_tally = AttackerTally::Solo,
                "initiative-human" => play.initiative = Initiative::Human,
                other => {
                    return Err(Failure::with(
                        2,
                        format!(
                            "there is no option `{other}` of the scenario; take shuttle-token, clear-limit-5, \
                             protect-persists, hits-first, large-half-points, shuttle-dial, escorts-solo, \
                             escorts-screen, attackers-mixed, attackers-solo or initiative-human"
                        ),
                    ));
                }
            }
        }
        Ok((game, play))
    }
}

/// Reads a game of Political Escort from its file, TOML.
///
/// # Errors
/// A file that cannot be read, or text of another form, with line and column.
fn read_file(path: &Path) -> anyhow::Result<EscortGame> {
    let text = crate::text_file::read(path).with_context(|| format!("--escort-file {}", path.display()))?;
    toml::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
        Failure::with(
            2,
            format!(
                "--escort-file {}: {}; docs/escort.md describes the file",
                path.display(),
                in_words(&error, &text)
            ),
        )
    })
}

/// What is wrong with the file, with its line.
fn in_words(error: &toml::de::Error, text: &str) -> String {
    let (line, fault) = toml_text::fault(error, text);
    line.map_or(fault.clone(), |line| format!("line {line}: {fault}"))
}

/// Squads of a file: there must be both, and one may be the name of an XWS file, beside the file itself.
fn squads_of(path: &Path, game: &mut EscortGame, files: &Files) -> anyhow::Result<()> {
    for (key, squad) in [("player", &mut game.player), ("solo", &mut game.solo)] {
        let place = format!("--escort-file {}, `{key}`", path.display());
        if squad.trim().is_empty() {
            let message = format!(
                "{place}: the squad is missing; write one, as in {key} = \"{}\"",
                USUAL[0]
            );
            return Err(Failure::with(2, message));
        }
        let named = Path::new(&*squad);
        let is_file = named.extension().is_some_and(|end| end == "json" || end == "xws");
        if is_file {
            let named = path.parent().unwrap_or(Path::new("")).join(named);
            files.clone().reads(&place, Some(&named)).check()?;
            *squad = crate::text_file::read(&named).with_context(|| format!("{place}: {}", named.display()))?;
        }
    }
    Ok(())
}

impl EscortArgs {
    /// The squads, read and checked.
    ///
    /// # Errors
    /// A squad that cannot be flown, with the option or the key of the file that has it.
    pub fn field(&self, game: EscortGame, catalog: &Catalog) -> anyhow::Result<EscortField> {
        EscortField::new(game, catalog).map_err(|bad| {
            let said = match &self.escort_file {
                None => bad.to_string(),
                Some(path) => {
                    let keys = [
                        ("the player's squad: shuttle", "`playerShuttle`"),
                        ("the solo squad: shuttle", "`soloShuttle`"),
                        ("the player's squad", "`player`"),
                        ("the solo squad", "`solo`"),
                        ("the shuttle's name", "`shuttleName`: the shuttle's name"),
                    ];
                    let found = keys.iter().find_map(|(words, key)| {
                        let rest = bad.0.strip_prefix(words)?;
                        Some(format!("{key}{rest}"))
                    });
                    format!(
                        "--escort-file {}, {}",
                        path.display(),
                        found.unwrap_or_else(|| bad.to_string())
                    )
                }
            };
            Failure::with(2, said)
        })
    }
}

/// The catalog that the scenario is played with: the given one, else that of the first edition.
pub(in crate::cli) fn catalog(global: &GlobalOptions) -> anyhow::Result<std::borrow::Cow<'static, Catalog>> {
    let mut first = global.clone();
    first.edition = Some(Edition::First);
    first.load_catalog()
}

/// One game, counted.
#[derive(Debug, Clone)]
struct Played {
    cause: Option<Cause>,
    /// Whether the player has won; nobody in a draw.
    player: Option<bool>,
    player_role: Role,
    rounds: u32,
    /// The attacker's and the defender's score.
    score: [i32; 2],
    blocked: u32,
    cleared: u32,
    protected: u32,
    spent: u32,
    refused: usize,
    violations: usize,
    problem: Option<String>,
}

/// Runs `tallyho sim --escort`.
///
/// # Errors
/// A squad that cannot be flown, an output file that cannot be written, or a game that breaks the rules.
pub(super) fn run(arguments: &Args, global: &GlobalOptions, files: &Files) -> anyhow::Result<()> {
    let loaded = catalog(global)?;
    // A squad may be a file.
    let squad = |given: Option<&str>| given.map(|given| squad_text(given, &loaded)).transpose();
    let (player, solo) = arguments.meeting.squads();
    let (player, solo) = (squad(player)?, squad(solo)?);
    let (mut game, play) = arguments.escort.game((player.as_deref(), solo.as_deref()), files)?;
    if let Some(options) = global.first_edition_options(&loaded)? {
        game.edition = options;
    }
    let field = arguments.escort.field(game.clone(), &loaded)?;
    for note in &field.notes {
        crate::cli::console::tell!("note: {note}");
    }
    let mut plan = arguments
        .how
        .plan(vec![Field::escort(field.clone())], arguments.seed, None);
    plan.catalog = Some(std::sync::Arc::new(loaded.into_owned()));
    plan.policy = PlayerPolicy::Solo;
    plan.options.escort = play;
    plan.player_options = plan.options.clone();
    plan.audit = arguments.audit;
    files.prepare()?;
    let stop = interrupt::watch()?;
    let bar = progress_bar(u64::from(arguments.games), "games")?;
    let count = arguments.games as usize;
    let played = workers::work(count, threads(arguments.threads), &stop, &|| bar.inc(1), || {
        |number| one(&plan, number as u64)
    });
    bar.finish_and_clear();
    let played: Vec<Played> = played?.into_iter().map(|(_, game)| game).collect();
    if played.len() < count {
        crate::cli::console::tell!("stopped after {} of {}", played.len(), counted(arguments.games, "game"));
    }
    if let Some(path) = &arguments.csv {
        write_to(path, |out| write_csv(&played, out))?;
    }
    if let Some(path) = &arguments.json {
        let whole = json(&played, &game, arguments);
        write_to(path, |out| {
            serde_json::to_writer_pretty(&mut *out, &whole)?;
            writeln!(out)
        })?;
    }
    if let Some(folder) = &arguments.record {
        record(folder, &plan, &game, played.len())?;
    }
    let text = overview(&played);
    std::io::stdout().lock().write_all(text.as_bytes())?;
    let refused: usize = played.iter().map(|game| game.refused).sum();
    let violations: usize = played.iter().map(|game| game.violations).sum();
    if refused + violations > 0 {
        let wrong = played.iter().enumerate().filter(|(_, game)| game.problem.is_some());
        for (number, game) in wrong.take(MOST_PROBLEMS) {
            crate::cli::console::tell!("game {number}: {}", game.problem.as_deref().unwrap_or_default());
        }
        anyhow::bail!(
            "choices refused: {refused}, rules broken: {violations}; please report this with the seed and the squads"
        );
    }
    if arguments.audit {
        let games = counted(played.len() as u32, "game");
        writeln!(
            std::io::stdout().lock(),
            "audit: {games}, no choice refused, no rule broken"
        )?;
    }
    Ok(())
}

fn one(plan: &Plan, number: u64) -> anyhow::Result<Played> {
    let seed = sim::seed_of(plan.seed, number);
    let mut dice = sim::dice_of(plan.seed, number);
    let start = sim::open(plan, number, seed, &mut dice)?;
    let audited = plan.audit.then(|| start.setup.clone());
    let mut commanders = sim::Commanders::new(plan);
    let (battle, refusals) = sim::play(start.setup, &mut commanders, &mut dice)?;
    let violations = audited.map_or_else(Vec::new, |setup| audit::audit(&setup, battle.events()));
    let play = battle.escort().context("the scenario is played")?;
    let player_role = play.role(sim::squad::PLAYER);
    let score = battle.escort_score().unwrap_or_default();
    let count = |what: &dyn Fn(&EscortEvent) -> bool| {
        let told = battle
            .events()
            .iter()
            .filter(|event| matches!(event, Event::Escort(event) if what(event)));
        told.count() as u32
    };
    let first = refusals.first().map(ToString::to_string);
    Ok(Played {
        cause: play.cause(),
        player: battle.escort_winner().map(|role| role == player_role),
        player_role,
        rounds: battle.round(),
        score: [score.attacker, score.defender],
        blocked: count(&|event| matches!(event, EscortEvent::Ran { blocked_by, .. } if !blocked_by.is_empty())),
        cleared: count(&|event| matches!(event, EscortEvent::Ran { cleared: Some(_), .. })),
        protected: count(&|event| matches!(event, EscortEvent::Protected { .. })),
        spent: count(&|event| matches!(event, EscortEvent::Cancelled { .. })),
        refused: refusals.len(),
        violations: violations.len(),
        problem: first.or_else(|| violations.first().map(ToString::to_string)),
    })
}

/// What became of the games, for people.
fn overview(played: &[Played]) -> String {
    let games = played.len().max(1) as f64;
    let share = |count: usize| format!("{count} ({:.1} %)", 100.0 * count as f64 / games);
    let by = |cause: Cause| share(played.iter().filter(|game| game.cause == Some(cause)).count());
    let won = |role: Role| {
        let wins = played
            .iter()
            .filter(|game| game.player == Some(game.player_role == role));
        share(wins.count())
    };
    let mean = |value: &dyn Fn(&Played) -> f64| played.iter().map(value).sum::<f64>() / games;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{}: the attacker won {}, the defender {}, draws {}; {:.2} rounds on average, at most {}",
        counted(played.len() as u32, "game"),
        won(Role::Attacker),
        won(Role::Defender),
        share(played.iter().filter(|game| game.player.is_none()).count()),
        mean(&|game| f64::from(game.rounds)),
        played.iter().map(|game| game.rounds).max().unwrap_or(0),
    );
    let _ = writeln!(
        text,
        "  exits {}, shuttle shot down {}, shuttle fled {}, no attacker left {}, time {}",
        by(Cause::Exit),
        by(Cause::ShotDown),
        by(Cause::Fled),
        by(Cause::NoAttacker),
        by(Cause::Time)
    );
    let _ = writeln!(
        text,
        "  a game: score {:.1} for the attacker, {:.1} for the defender; {:.2} blocks, {:.2} cleared; {:.2} Protect \
         tokens given, {:.2} spent",
        mean(&|game| f64::from(game.score[0])),
        mean(&|game| f64::from(game.score[1])),
        mean(&|game| f64::from(game.blocked)),
        mean(&|game| f64::from(game.cleared)),
        mean(&|game| f64::from(game.protected)),
        mean(&|game| f64::from(game.spent)),
    );
    text
}

fn cause_word(cause: Option<Cause>) -> String {
    let word = serde_json::to_value(cause).ok();
    word.and_then(|word| word.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn write_csv(played: &[Played], out: &mut impl std::io::Write) -> std::io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record([
        "game",
        "player_role",
        "winner",
        "cause",
        "rounds",
        "attacker_score",
        "defender_score",
        "blocked",
        "cleared",
        "protected",
        "spent",
    ])?;
    for (number, game) in played.iter().enumerate() {
        let winner = match game.player {
            Some(true) => "player",
            Some(false) => "solo",
            None => "",
        };
        let numbers = [
            game.blocked.to_string(),
            game.cleared.to_string(),
            game.protected.to_string(),
            game.spent.to_string(),
        ];
        let mut row = vec![
            number.to_string(),
            game.player_role.name().to_owned(),
            winner.to_owned(),
            cause_word(game.cause),
            game.rounds.to_string(),
            game.score[0].to_string(),
            game.score[1].to_string(),
        ];
        row.extend(numbers);
        table.write_record(row)?;
    }
    table.flush()
}

fn json(played: &[Played], game: &EscortGame, arguments: &Args) -> serde_json::Value {
    let count = |cause: Cause| played.iter().filter(|game| game.cause == Some(cause)).count();
    let wins = |player: Option<bool>| played.iter().filter(|game| game.player == player).count();
    serde_json::json!({
        "played": "Political Escort",
        "game": game,
        "seed": arguments.seed,
        "games": played.len(),
        "audited": arguments.audit,
        "playerWins": wins(Some(true)),
        "soloWins": wins(Some(false)),
        "draws": wins(None),
        "endings": {
            "exit": count(Cause::Exit),
            "shotDown": count(Cause::ShotDown),
            "fled": count(Cause::Fled),
            "noAttacker": count(Cause::NoAttacker),
            "time": count(Cause::Time),
        },
    })
}

/// Plays the games once more and writes a record of each.
fn record(folder: &Path, plan: &Plan, game: &EscortGame, count: usize) -> anyhow::Result<()> {
    for number in 0..count as u64 {
        let start = Start::Escort {
            game: Box::new(game.clone()),
        };
        let beginning = Beginning {
            player: Hand::Solo,
            edition: Edition::First,
            rounds: Some(plan.rounds),
            game: Some(number),
            ..Beginning::new(start, plan.options.clone(), plan.seed)
        };
        let game = Game::simulated(beginning, plan.catalog())?;
        let path = folder.join(format!("game-{number}.jsonl"));
        RecordFile::write_whole(&path, game.header(), game.answers())?;
    }
    Ok(())
}
