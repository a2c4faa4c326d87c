//! `tallyho play`: a whole game in a terminal.

mod escort;
mod skirmish;

use std::{
    borrow::Cow,
    io::{self, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use rand::TryRng as _;

use super::{
    Failure, GlobalOptions,
    files::Files,
    load_options, replay,
    sim::escort::{self as sim_escort, EscortArgs},
    skirmish::Field,
};
use crate::{
    play::{
        begin::{self, ROUNDS, Wanted},
        console::Console,
        keyboard::AtKeyboard,
        session::{self, Session},
    },
    private_file::create_folder,
    record::{
        Beginning, Hand, Header, Start, beginning,
        file::{self, Recording},
        game::Recorded,
        kind::Head as _,
        ships::ShipGame,
        skirmish::SkirmishGame,
    },
    server::instance::Folders,
    solo_alpha::Options,
    text_file,
    xwing::{
        catalog::{Catalog, asked::AttackValues},
        edition::Edition,
        scenario::Scenario,
        squad::xws,
    },
};

/// Arguments of `tallyho play`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tallyho play
  tallyho play --faction rebelalliance --variant ace --seed 7 --save evening.jsonl
  tallyho play --player '2*t65xwing' --solo '4*tielnfighter' --svg table.svg
  tallyho play --edition first --player '2*xwing/rookiepilot' --solo '4*tiefighter'
  tallyho play --escort --role defender --player '4*xwing/rookiepilot' --player-shuttle hullupgrade
  tallyho play --swm --player '2*old-republic-captain,mira' --solo 'squint,3*old-republic-guard' --size 24x16
  tallyho play evening.jsonl

Without a game it asks for one. Type `help` at any question. Every choice is on the disk before what comes of it is shown:
leave whenever you want, and go on with the record's name. docs/play.md tells more.")]
pub struct Args {
    /// Go on with this game: the record that `play` keeps
    #[arg(value_name = "FILE", conflicts_with_all = ["New", "save", "swm", "escort"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    new: New,
    #[command(flatten)]
    field: Field,
    #[command(flatten)]
    escort: EscortArgs,
    /// Keep the record of a new game in this file [default: a new file in a folder of the user's]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Draw the table into this file after every choice
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// What a new game is.
#[derive(Debug, Default, clap::Args)]
#[group(id = "New", multiple = true)]
struct New {
    /// Your squad, as in '2*t65xwing/bluesquadronescort+protontorpedoes,rz1awing', or an XWS file
    #[arg(long, value_name = "SQUAD|FILE", conflicts_with_all = ["scenario", "faction", "enemy", "players", "variant", "ace", "take"])]
    player: Option<String>,
    /// The solo side's squad
    #[arg(long, value_name = "SQUAD|FILE", conflicts_with_all = ["scenario", "faction", "enemy", "players", "variant", "ace", "take", "squad"])]
    solo: Option<String>,
    /// It is over after so many rounds [default: 20 for two squads, the scenario's end for a scenario]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,
    /// The scenario: `intro`, `starter` (first edition), or a scenario file of your own
    #[arg(long, value_name = "NAME|FILE")]
    scenario: Option<String>,
    /// Your faction in the scenario
    #[arg(long, value_name = "FACTION")]
    faction: Option<String>,
    /// The solo side's faction [default: galacticempire, against it rebelalliance]
    #[arg(long, value_name = "FACTION")]
    enemy: Option<String>,
    /// Your ships in the scenario [default: as it says]
    #[arg(long, value_name = "N")]
    players: Option<u32>,
    /// A variant of the scenario, as in `ace` or `transport`
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// The Quick Build card of the ace
    #[arg(long, value_name = "ID")]
    ace: Option<String>,
    /// Take this ship type where the faction has a choice: SHIP, or GROUP=SHIP for one group alone (repeatable)
    #[arg(long, value_name = "[GROUP=]SHIP")]
    take: Vec<String>,
    /// Your own squad in the scenario, an XWS file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["faction", "players"])]
    squad: Option<PathBuf>,
    /// Seed of everything that is rolled: the same seed and choices give the same game [default: a new one]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Choices of the rules where their text is silent, as a JSON object (docs/rules.md)
    #[arg(long, value_name = "FILE")]
    options: Option<PathBuf>,
    /// First edition: the program sets the table up for both sides; else you lay your obstacles, pick your edge and place your
    /// ships in turn (FE-2, PE-3), and may type `auto` at any time
    #[arg(long)]
    quick_setup: bool,
    /// Who rolls: the program by the seed, or you on your own table, typing the faces in
    #[arg(long, value_enum)]
    dice: Option<DiceFrom>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DiceFrom {
    /// By the seed
    Seeded,
    /// By you
    Typed,
}

/// Plays.
///
/// # Errors
/// A record, squad or scenario that cannot be used; a record that cannot be written.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    global.log_to_stderr();
    let new = &arguments.new;
    let files = Files::of(global)
        .reads("FILE", arguments.file.as_deref())
        .reads("--player", new.player.as_deref().map(Path::new))
        .reads("--solo", new.solo.as_deref().map(Path::new))
        .reads("--scenario", new.scenario.as_deref().map(Path::new))
        .reads("--squad", new.squad.as_deref())
        .reads("--options", new.options.as_deref())
        .reads("--escort-file", arguments.escort.escort_file.as_deref())
        .writes("--save", arguments.save.as_deref())
        .writes("--svg", arguments.svg.as_deref());
    files.check()?;
    let of_record = arguments.file.as_deref().map(|file| global.of_game(file)).transpose()?;
    let global = of_record.as_ref().unwrap_or(global);
    let catalog = match arguments.escort.escort {
        true => sim_escort::catalog(global)?,
        false => global.load_catalog()?,
    };
    let stdin = io::stdin();
    let echo = !stdin.is_terminal();
    let mut input = stdin.lock();
    // Leaves colours out where they are not wanted (NO_COLOR) or not understood, and sees to old Windows consoles.
    let mut output = anstream::stdout().lock();
    let mut console = Console::new(&mut input, &mut output, echo);
    let Args {
        file,
        new,
        field,
        escort,
        save,
        svg,
    } = arguments;
    if let Some((path, damage)) = file
        .as_ref()
        .and_then(|path| Some((path, file::lost_from_the_first_line(path)?)))
    {
        let what = format!("{} is damaged: {damage}", path.display());
        return Err(Failure::with(replay::DAMAGED, what));
    }
    match &file {
        Some(path) if file::is_skirmish(path) => {
            let resumed = resume::<SkirmishGame>(path, &(), &mut console)?;
            play(resumed, &(), svg, &mut console)?;
        }
        Some(path) => {
            let resumed = resume_ships(path, &catalog, &mut console)?;
            play_match(resumed, &catalog, svg, &mut console)?;
        }
        None => {
            let seed = seed(new.seed)?;
            let typed = new.dice == Some(DiceFrom::Typed);
            let new_file = |seed| save.map_or_else(|| free_name(seed), Ok);
            if field.swm {
                let header = skirmish::header(&field, &new, seed, typed)?;
                let Some(begun) = begin::<SkirmishGame>(&header, &(), || new_file(seed), &mut console)? else {
                    return Ok(());
                };
                play(begun, &(), svg, &mut console)?;
            } else {
                let to_read = catalog_to_read(&catalog)?;
                let quick = new.quick_setup;
                let options = load_options(new.options.as_deref())?;
                let wanted = match escort.escort {
                    true => {
                        let options = global.first_edition_options(&catalog)?;
                        let begun =
                            escort::beginning(&escort, new, seed, &to_read, (options.as_ref(), &files), &mut console)?;
                        begun.map(|beginning| Wanted::Game(Box::new(beginning)))
                    }
                    false => {
                        // Who names nothing is offered everything.
                        let others = global.edition.is_none() && global.catalog.is_none();
                        beginning(new, seed, &to_read, others, &mut console)?
                    }
                };
                drop(to_read);
                let (begun, catalog) = match wanted {
                    None => (None, catalog),
                    Some(Wanted::Game(beginning)) => (Some(*beginning), catalog),
                    Some(other) => {
                        let first = sim_escort::catalog(global)?;
                        let to_read = catalog_to_read(&first)?;
                        let begun = of_first_edition(&other, options, seed, &to_read, &mut console)?;
                        drop(to_read);
                        (begun.map(|beginning| by_hand(beginning, !quick)), first)
                    }
                };
                let begun = match begun {
                    Some(beginning) => with_values(beginning, catalog, global, &mut console)?,
                    None => None,
                };
                let Some((beginning, catalog)) = begun else {
                    console.say("No game was begun.")?;
                    output.flush()?;
                    return Ok(());
                };
                let header = Header::new(beginning, &catalog, typed);
                let Some(begun) = begin::<ShipGame>(&header, &catalog, || new_file(seed), &mut console)? else {
                    return Ok(());
                };
                play_match(begun, &catalog, svg, &mut console)?;
            }
        }
    }
    output.flush()?;
    Ok(())
}

/// A game of the first edition that was picked where nothing was named, its squads asked for; `None` for who leaves.
fn of_first_edition(
    wanted: &Wanted,
    options: Options,
    seed: u64,
    catalog: &Catalog,
    console: &mut Console<'_>,
) -> anyhow::Result<Option<Beginning>> {
    let read = |typed: &str| read_typed(typed, catalog);
    Ok(match wanted {
        Wanted::Escort => escort::asked(options, seed, &read, catalog, console)?,
        Wanted::Game(_) | Wanted::FirstEdition => begin::ask_squads(console, &read, catalog.edition(), options, seed)?,
    })
}

/// A squad as it was typed: the text that plays it, or what is wrong with it.
fn read_typed(typed: &str, catalog: &Catalog) -> Result<String, String> {
    let text = squad_text(typed, catalog).map_err(|error| format!("{error:#}"))?;
    beginning::members(&text, catalog).map_err(|error| error.to_string())?;
    Ok(text)
}

/// Plays a game of ships, and where it is the first one of a match of Political Escort the second one after it, if that is
/// wanted (PE-3, PE-9.1).
fn play_match(
    begun: Kept<ShipGame>,
    catalog: &Catalog,
    svg: Option<PathBuf>,
    console: &mut Console<'_>,
) -> anyhow::Result<()> {
    let mut next = begun;
    loop {
        let path = next.1.path().to_owned();
        let Some(over) = play(next, catalog, svg.clone(), console)? else {
            return Ok(());
        };
        let Some(second) = escort::after(&over, console)? else {
            return Ok(());
        };
        let header = Header::new(second, catalog, over.header().typed_dice);
        let file = || Ok(beside(&path));
        let Some(begun) = begin::<ShipGame>(&header, catalog, file, console)? else {
            return Ok(());
        };
        next = begun;
    }
}

/// A new name beside a record, as in `evening-2.jsonl`.
fn beside(path: &Path) -> PathBuf {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, end) = (part(path.file_stem()), part(path.extension()));
    let names = (2_u32..).map(|number| match end.is_empty() {
        true => path.with_file_name(format!("{stem}-{number}")),
        false => path.with_file_name(format!("{stem}-{number}.{end}")),
    });
    let mut free = names.into_iter().filter(|path| !path.exists());
    free.next().unwrap_or_else(|| path.to_owned())
}

/// The catalog that squads are read with before attack values that its data leaves open are asked for (FE-SOLO-9).
fn catalog_to_read(catalog: &Catalog) -> anyhow::Result<Cow<'_, Catalog>> {
    let open: AttackValues = (catalog.open_attack_values())
        .map(|upgrade| (upgrade.xws.clone(), None))
        .collect();
    Ok(match open.is_empty() {
        true => Cow::Borrowed(catalog),
        false => Cow::Owned(catalog.clone().with_attack_values(&open)?),
    })
}

/// The game with what it is to keep of its edition, once its open attack values are asked for, and the facts that it is played
/// with; `None` for who leaves.
fn with_values<'c>(
    mut beginning: Beginning,
    catalog: Cow<'c, Catalog>,
    global: &GlobalOptions,
    console: &mut Console<'_>,
) -> anyhow::Result<Option<(Beginning, Cow<'c, Catalog>)>> {
    beginning.edition_options = global.first_edition_options(&catalog)?;
    beginning.attack_values = global.attack_values();
    if catalog.open_attack_values().next().is_none() {
        return Ok(Some((beginning, catalog)));
    }
    let to_read = catalog_to_read(&catalog)?;
    let flown = beginning.upgrades(&to_read)?;
    drop(to_read);
    let open: Vec<_> = (catalog.open_attack_values())
        .filter(|upgrade| flown.contains(&upgrade.xws))
        .collect();
    if open.is_empty() {
        return Ok(Some((beginning, catalog)));
    }
    let Some(told) = begin::attack_values(console, &open)? else {
        return Ok(None);
    };
    let catalog = catalog.into_owned().with_attack_values(&told)?;
    beginning.attack_values.extend(told);
    Ok(Some((beginning, Cow::Owned(catalog))))
}

/// A game and the file that it is recorded in.
type Kept<K> = (Recorded<K>, Recording<K>);

/// A new game in a new file; `None` when the player leaves before it has begun.
fn begin<K: AtKeyboard>(
    header: &K::Header,
    facts: &K::Facts,
    file: impl FnOnce() -> anyhow::Result<PathBuf>,
    console: &mut Console<'_>,
) -> anyhow::Result<Option<Kept<K>>> {
    let Some(game) = session::begin::<K>(header, facts, console)? else {
        return Ok(None);
    };
    let record = Recording::create(&file()?, game.header())?;
    Ok(Some((game, record)))
}

/// Plays until the player leaves; the game if it is over.
fn play<K: AtKeyboard>(
    (game, record): Kept<K>,
    facts: &K::Facts,
    svg: Option<PathBuf>,
    console: &mut Console<'_>,
) -> anyhow::Result<Option<Recorded<K>>> {
    console.say(&game.title())?;
    let path = record.path().to_owned();
    let mut session = Session::new(game, record, facts, svg);
    let over = session.run(console)?;
    console.say(&format!(
        "The {} is kept: `tallyho play {1}` goes on with it, `tallyho replay {1}` shows it.",
        K::NAME,
        typed(&path)
    ))?;
    Ok(over.then(|| session.game().clone()))
}

/// A game of ships that was left, from its record.
fn resume_ships(path: &Path, catalog: &Catalog, console: &mut Console<'_>) -> anyhow::Result<Kept<ShipGame>> {
    if path.is_file() && !file::is_record(path) {
        bail!(
            "{} is no record of `tallyho play`; for a squad there are --player and --solo, for a scenario --scenario",
            path.display()
        );
    }
    let read = file::read::<ShipGame>(path)?;
    if let Some(other) = read.header.other_facts(catalog) {
        console.say(&format!("{other} It may go another way now."))?;
    }
    resume(path, catalog, console)
}

/// A game that was left, from its record.
fn resume<K: AtKeyboard>(path: &Path, facts: &K::Facts, console: &mut Console<'_>) -> anyhow::Result<Kept<K>> {
    let (mut record, read) = Recording::<K>::open(path)?;
    // Nobody would be asked, and the record would grow.
    if read.header.player() != Hand::Human {
        bail!(
            "{} is a {} that the program played on both sides: `tallyho replay` shows it",
            path.display(),
            K::NAME
        );
    }
    if let Some(damage) = &read.damage {
        console.say(&format!("The record was damaged: {damage}."))?;
    }
    let (game, astray) = Recorded::resume(read.header, &read.answers, facts)?;
    for astray in astray.iter().take(3) {
        let ends = match astray.ends {
            true => format!(" The {} goes on from before it.", K::NAME),
            false => String::new(),
        };
        console.say(&format!("At {astray}.{ends}"))?;
    }
    if game.answers().len() < read.answers.len() {
        record.undone(game.answers().len() + 1)?;
    }
    Ok((game, record))
}

/// The game that the command line asks for, or that is asked for now; `None` for who leaves.
fn beginning(
    new: New,
    seed: u64,
    catalog: &Catalog,
    others: bool,
    console: &mut Console<'_>,
) -> anyhow::Result<Option<Wanted>> {
    let options = load_options(new.options.as_deref())?;
    let set_up_by_hand = !new.quick_setup;
    let squads = new.player.is_some() || new.solo.is_some();
    let scenario = new.scenario.is_some() || new.faction.is_some() || new.squad.is_some();
    if !squads && !scenario {
        let read = |typed: &str| read_typed(typed, catalog);
        let asked = begin::ask(console, &read, catalog.edition(), others, options, seed)?;
        return Ok(asked.map(|wanted| match wanted {
            Wanted::Game(beginning) => Wanted::Game(Box::new(by_hand(*beginning, set_up_by_hand))),
            other => other,
        }));
    }
    let start = if squads {
        let squad = |given: Option<String>, usual: &str| match given {
            Some(given) => squad_text(&given, catalog),
            None => Ok(usual.to_owned()),
        };
        Start::Squads {
            player: squad(new.player, begin::squads(catalog.edition()).0)?,
            solo: squad(new.solo, begin::squads(catalog.edition()).1)?,
        }
    } else {
        let built_in = |name: &str| Scenario::named(name, catalog.edition());
        let intro = built_in("intro").unwrap_or(Scenario::intro());
        let (name, scenario) = match new.scenario.as_deref() {
            None => (intro.id.clone(), intro.clone()),
            Some(given) => match built_in(given) {
                Some(known) => (known.id.clone(), known.clone()),
                None => {
                    let text = text_file::read(Path::new(given)).with_context(|| format!("--scenario {given}"))?;
                    let scenario = Scenario::parse(&text).with_context(|| given.to_owned())?;
                    (text, scenario)
                }
            },
        };
        let squad = match &new.squad {
            None => None,
            Some(path) => {
                let text = text_file::read(path).with_context(|| format!("cannot read {}", path.display()))?;
                let squad = xws::read(&text, catalog).with_context(|| path.display().to_string())?;
                Some((text, squad.faction))
            }
        };
        let faction = match (&squad, new.faction) {
            (Some((_, faction)), _) => faction.clone(),
            (None, Some(faction)) => faction,
            (None, None) if scenario.only_faction().is_some() => scenario.only_faction().unwrap_or_default().to_owned(),
            (None, None) => bail!("name your faction with --faction, or your squad with --squad"),
        };
        let known = xws::faction(&faction).unwrap_or(&faction);
        Start::Scenario {
            scenario: name,
            enemy: new.enemy.unwrap_or_else(|| begin::usual_enemy(known).to_owned()),
            faction,
            player_ships: new.players.unwrap_or(scenario.player_ships.usual),
            variant: new.variant,
            ace: new.ace,
            take: new.take,
            squad: squad.map(|(text, _)| text),
            enemy_squad: None,
        }
    };
    // Two squads fight to the end of an evening, a scenario to its own end.
    let rounds = new.rounds.or(squads.then_some(ROUNDS));
    let beginning = Beginning {
        rounds,
        edition: catalog.edition(),
        ..Beginning::new(start, options, seed)
    };
    Ok(Some(Wanted::Game(Box::new(by_hand(beginning, set_up_by_hand)))))
}

/// The game, set up by hand where that is wanted and its edition and kind have such a set-up (FE-2, PE-3).
fn by_hand(beginning: Beginning, wanted: bool) -> Beginning {
    let has = beginning.edition == Edition::First && !matches!(beginning.start, Start::Scenario { .. });
    Beginning {
        set_up_by_hand: wanted && has,
        ..beginning
    }
}

/// A path as it is typed into a shell: in quotation marks where there are spaces in it.
fn typed(path: &Path) -> String {
    let path = path.display().to_string();
    match path.contains(char::is_whitespace) {
        true => format!("\"{path}\""),
        false => path,
    }
}

/// The seed that is given, or a new one.
fn seed(given: Option<u64>) -> anyhow::Result<u64> {
    if let Some(seed) = given {
        return Ok(seed);
    }
    let mut random = rand::rngs::SysRng;
    // Short enough to be typed again.
    let seed = random.try_next_u32();
    Ok(seed.context("no random bytes from the system; give --seed")?.into())
}

/// A squad as it was typed, or as an XWS file has it.
pub(super) fn squad_text(given: &str, catalog: &Catalog) -> anyhow::Result<String> {
    let path = Path::new(given);
    if !path.is_file() {
        // No ship is called so.
        let is_path = given.contains('\\') || path.extension().is_some_and(|end| end == "json" || end == "xws");
        if is_path {
            bail!("there is no file {given}");
        }
        return Ok(given.to_owned());
    }
    for note in &super::scenario::read_squad(path, catalog)?.notes {
        crate::cli::console::tell!("note: {given}: {note}");
    }
    text_file::read(path).with_context(|| format!("cannot read {given}"))
}

/// A new file in the folder of games, named by the seed.
fn free_name(seed: u64) -> anyhow::Result<PathBuf> {
    let folder = Folders::of_user()?.games();
    create_folder(&folder).with_context(|| format!("cannot make {}; give --save", folder.display()))?;
    let names = (1_u32..).map(|number| match number {
        1 => format!("play-{seed}.jsonl"),
        _ => format!("play-{seed}-{number}.jsonl"),
    });
    let mut free = names.map(|name| folder.join(name)).filter(|path| !path.exists());
    free.next().context("there is no free name for the record; give --save")
}
