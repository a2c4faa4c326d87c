//! Games at the keyboard: to their end, left and gone on with, taken back, with dice typed in.

use std::{collections::BTreeSet, io::Cursor, path::Path};

use assert_cmd::Command;
use tallyho::{
    play::{begin, console::Console, question::Question, session::Session, viewer},
    record::{Beginning, Game, Hand, Header, RecordFile, Start, beginning, course, dice::Roll, file, ships::ShipGame},
    solo_alpha::Options,
    xwing::{
        catalog::{Catalog, Titles},
        edition::Edition,
    },
};

fn beginning(player: &str, solo: &str, seed: u64) -> Beginning {
    let start = Start::Squads {
        player: player.to_owned(),
        solo: solo.to_owned(),
    };
    Beginning {
        rounds: Some(8),
        ..Beginning::new(start, Options::default(), seed)
    }
}

/// What is shown when these lines are typed into a new game, or into one that is there.
fn play(path: &Path, beginning: &Beginning, typed_dice: bool, lines: &str) -> String {
    let catalog = Catalog::embedded();
    let (game, record) = match path.exists() {
        true => {
            let (record, read) = RecordFile::open(path).unwrap();
            let (game, astray) = Game::resume(read.header, &read.answers, catalog).unwrap();
            assert_eq!(astray, []);
            (game, record)
        }
        false => {
            let header = Header::new(beginning.clone(), catalog, typed_dice);
            let game = Game::begin(header, catalog).unwrap();
            let record = RecordFile::create(path, game.header()).unwrap();
            (game, record)
        }
    };
    let mut session = Session::new(game, record, catalog, None);
    let mut shown = Vec::new();
    let mut input = Cursor::new(lines.to_owned());
    session.run(&mut Console::new(&mut input, &mut shown, true)).unwrap();
    anstream::adapter::strip_str(&String::from_utf8(shown).unwrap()).to_string()
}

fn recorded(path: &Path) -> Game {
    let read = file::read::<ShipGame>(path).unwrap();
    assert_eq!(read.damage, None);
    let (game, astray) = Game::resume(read.header, &read.answers, Catalog::embedded()).unwrap();
    assert_eq!(astray, []);
    game
}

#[test]
fn a_scripted_game_runs_to_its_end_through_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let svg = folder.path().join("table.svg");
    let tallyho = || Command::new(env!("CARGO_BIN_EXE_tallyho"));
    let mut command = tallyho();
    command.args([
        "play",
        "--player",
        "t65xwing",
        "--solo",
        "2*tielnfighter",
        "--seed",
        "5",
    ]);
    command.arg("--save").arg(&path).arg("--svg").arg(&svg);
    let run = command.write_stdin("\n".repeat(400)).assert().success();
    let shown = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    for expected in [
        "T-65 X-wing against 2 \u{d7} TIE/ln Fighter, seed 5",
        "P1 Cavern Angels Zealot: dial",
        "S1 Academy Pilot is after P1",
        "The engagement phase begins.",
        "The game is over: the",
        "goes on with it",
    ] {
        assert!(shown.contains(expected), "{expected}:\n{shown}");
    }
    assert!(!shown.contains('\u{1b}'), "no colours in a pipe");
    assert!(recorded(&path).battle().pending().is_none());
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    // The same choices and the same seed give the same game, and a record is never written over.
    let copy = folder.path().join("copy.jsonl");
    let again = |path: &Path| {
        let mut command = tallyho();
        command.args([
            "play",
            "--player",
            "t65xwing",
            "--solo",
            "2*tielnfighter",
            "--seed",
            "5",
            "--save",
        ]);
        command.arg(path).write_stdin("\n".repeat(400)).assert()
    };
    again(&copy).success();
    assert_eq!(std::fs::read(&copy).unwrap(), std::fs::read(&path).unwrap());
    let refused = again(&copy).failure();
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("is there already"), "{said}");
    // The end can be taken back.
    let run = tallyho()
        .arg("play")
        .arg(&path)
        .write_stdin("why\nundo\nquit\n")
        .assert()
        .success();
    let shown = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert!(shown.contains("SA-") && shown.contains("Back in round"), "{shown}");
    assert!(recorded(&path).battle().pending().is_some());
}

#[test]
fn a_game_that_is_left_anywhere_goes_on_as_if_it_had_not_been() {
    let folder = tempfile::tempdir().unwrap();
    let game = beginning("t65xwing,rz1awing", "2*tielnfighter", 11);
    let whole = folder.path().join("whole.jsonl");
    play(&whole, &game, false, &"\n".repeat(12));
    let parts = folder.path().join("parts.jsonl");
    for _ in 0..6 {
        play(&parts, &game, false, "\n\nquit\n");
    }
    assert_eq!(std::fs::read(&parts).unwrap(), std::fs::read(&whole).unwrap());
    assert!(recorded(&whole).answers().len() > 12);
}

#[test]
fn choices_are_taken_back_step_by_step_and_the_record_only_grows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let game = beginning("t65xwing", "tielnfighter", 3);
    play(&path, &game, false, "2 straight\n\n3f\n\nquit\n");
    let before = recorded(&path);
    let own = |game: &Game| {
        game.answers()
            .iter()
            .filter(|answered| answered.by == Hand::Human && !answered.forced)
            .count()
    };
    let bytes = std::fs::read(&path).unwrap();
    let shown = play(&path, &game, false, "undo\nundo 2\nundo 99\nundo some\nquit\n");
    assert_eq!(shown.matches("Back in round").count(), 2, "{shown}");
    assert!(
        shown.contains("You have made") && shown.contains("Say how many"),
        "{shown}"
    );
    let after = recorded(&path);
    assert_eq!(own(&after), own(&before) - 3);
    assert_eq!(after.answers(), &before.answers()[..after.answers().len()]);
    assert!(
        std::fs::read(&path).unwrap().starts_with(&bytes),
        "what was written stays"
    );
    // The same choices again lead to the same place.
    play(&path, &game, false, "\n");
    let again = recorded(&path);
    assert!(own(&again) > own(&after));
}

#[test]
fn what_is_typed_is_understood_or_told_what_could_be() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let copy = folder.path().join("copy.jsonl");
    let svg = folder.path().join("now.svg");
    let game = beginning("t65xwing", "tielnfighter", 4);
    let lines = format!(
        "help\ntable\nmap\nship p1\nship nobody\nwhy\n9 sideways\n\u{1b}[31mred\nlog\nsvg\nsvg {}\nsave\nsave {}\n\
         2 bank left\nfo\nwhy\nwhy P1\nsave {}\nquit\n",
        svg.display(),
        copy.display(),
        copy.display(),
    );
    let shown = play(&path, &game, false, &lines);
    for expected in [
        "takes back your last choice",
        "hull 4/4, shields 2",
        "agility 2",
        "There is no ship `nobody`; there are P1, S1.",
        "There is no such decision",
        "`9 sideways`? type a maneuver of the dial",
        "`[31mred`?",
        "Name a file",
        "The table is drawn in",
        "The game so far is copied",
        "has its dial at blue 2 bank left",
        "P1 Cavern Angels Zealot: focus; it has focus.",
        "SA-8-",
        "cannot be written",
    ] {
        assert!(shown.contains(expected), "{expected}:\n{shown}");
    }
    assert!(std::fs::read_to_string(&svg).unwrap().contains("Round 1"));
    assert_eq!(recorded(&copy).answers().len(), 0);
}

#[test]
fn dice_that_are_typed_in_are_those_that_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let game = beginning("t65xwing", "tielnfighter", 4);
    // The opponent's two dice of its move, one wrong word first.
    let shown = play(&path, &game, true, "2f\n1\nmaybe\ne\ncrit\nquit\n");
    assert!(shown.contains("roll 1 defence die"), "{shown}");
    assert!(shown.contains("evade, focus or blank each"), "{shown}");
    assert!(shown.contains("rolled evade/crit"), "{shown}");
    let rolls: Vec<Roll> = (recorded(&path).answers().iter())
        .flat_map(|answered| answered.chose_by.clone())
        .filter(|roll| !matches!(roll, Roll::Choice { .. }))
        .collect();
    let expected: [Roll; 2] = ["defence evade".parse().unwrap(), "attack crit".parse().unwrap()];
    assert_eq!(rolls, expected);
    // Who does not want to roll has it rolled, to the end of the game.
    play(&path, &game, true, &"\n".repeat(900));
    assert!(recorded(&path).battle().pending().is_none());
}

#[test]
fn every_choice_that_is_offered_can_be_made() {
    let squads = [
        ("yt2400lightfreighter,t65xwing+protontorpedoes", "2*tieadvancedx1"),
        ("alphaclassstarwing,lambdaclasst4ashuttle", "2*t65xwing"),
        ("tiesabomber+concussionmissiles,tiephphantom", "btla4ywing"),
    ];
    let mut kinds = std::collections::BTreeSet::new();
    let mut offered = 0;
    for (player, solo) in squads {
        let header = Header::new(beginning(player, solo, 6), Catalog::embedded(), false);
        let mut game = Game::begin(header, Catalog::embedded()).unwrap();
        let mut steps = 0;
        while let Some(hand) = game.hand()
            && steps < 150
        {
            let mut dice = tallyho::record::dice::of_choice(6, steps);
            steps += 1;
            if hand != Hand::Human {
                game.play(hand, &mut dice).unwrap();
                continue;
            }
            let suggested = game.suggestion().and_then(|chosen| chosen.answer().cloned());
            let question = Question::of(game.battle(), suggested.as_ref(), game.titles()).unwrap();
            assert!(!question.choices.is_empty(), "{question:?}");
            for choice in &question.choices {
                assert_eq!(question.meant(&choice.key).unwrap(), choice, "{}", question.heading);
                game.battle()
                    .clone()
                    .answer(choice.answer.clone(), &mut dice.clone())
                    .unwrap();
            }
            let kind = format!("{:?}", game.battle().pending().unwrap());
            kinds.insert(kind.split(' ').next().unwrap_or_default().to_owned());
            offered += question.choices.len();
            // Ships that fly with care stay on the table; all else is tried in turn.
            let place = if question.dial {
                question.default
            } else {
                steps * 7 % question.choices.len()
            };
            let chosen = question.choices[place].answer.clone();
            game.answer(chosen, question.only().is_some(), &mut dice).unwrap();
        }
    }
    assert!(offered > 300, "{offered}");
    for kind in ["Dial", "Fly", "Act", "Attack", "ModifyAttack", "ModifyDefence"] {
        assert!(kinds.contains(kind), "{kind} in {kinds:?}");
    }
}

/// The game that these lines ask for, and what is shown.
fn ask(lines: &str) -> (Option<Beginning>, String) {
    let read = |typed: &str| {
        let members = beginning::members(typed, Catalog::embedded());
        members.map(|_| typed.to_owned()).map_err(|error| error.to_string())
    };
    let mut shown = Vec::new();
    let mut input = Cursor::new(lines.to_owned());
    let mut console = Console::new(&mut input, &mut shown, true);
    let asked = begin::ask(&mut console, &read, Edition::Second, false, Options::default(), 77).unwrap();
    let asked = asked.map(|wanted| match wanted {
        begin::Wanted::Game(beginning) => *beginning,
        other => panic!("{other:?} was not offered"),
    });
    (asked, String::from_utf8(shown).unwrap())
}

#[test]
fn every_opening_question_explains_itself_and_can_be_left() {
    // Each question there is, reached by Enter, and on the way of two squads.
    for way in [["", "", "", "", ""].as_slice(), &["squads", "", "", ""]] {
        for place in 0..way.len() {
            let before: String = way[..place].iter().map(|line| format!("{line}\n")).collect();
            let (asked, shown) = ask(&format!("{before}help\n{}", "\n".repeat(9)));
            assert!(
                asked.is_some() && shown.contains("quit       leaves"),
                "{way:?} {place}: {shown}"
            );
            for leave in ["quit", "Exit", "q"] {
                let (asked, _) = ask(&format!("{before}{leave}\n"));
                assert_eq!(asked, None, "{way:?} {place}: {leave}");
            }
        }
    }
}

#[test]
fn factions_are_understood_by_every_name_they_have() {
    for (typed, meant) in [
        ("rebels", "rebelalliance"),
        ("Rebel Alliance", "rebelalliance"),
        ("empire", "galacticempire"),
        ("Imperials", "galacticempire"),
        ("scum", "scumandvillainy"),
        ("CIS", "separatistalliance"),
        ("republic", "galacticrepublic"),
        ("first order", "firstorder"),
        ("res", "resistance"),
    ] {
        let (asked, shown) = ask(&format!("scenario\n{typed}\n\n\n\n"));
        let Start::Scenario { faction, .. } = asked.unwrap().start else {
            panic!("{typed}")
        };
        assert_eq!(faction, meant, "{typed}: {shown}");
    }
}

#[test]
fn a_squad_is_read_as_soon_as_it_is_typed_with_what_may_be_meant() {
    for (typed, said) in [
        ("2*t65xwng", "t65xwing (T-65 X-wing)"),
        ("t65xwing/lukeskywaker", "lukeskywalker (Luke Skywalker)"),
        ("t65xwing+protontorpedos", "protontorpedoes (Proton Torpedoes)"),
        ("x-wing", "t70xwing"),
        ("9*t65xwing", "from 1 to 8"),
        ("card:nobody", "no such Quick Build card"),
        (",", "1 to 8 ships"),
    ] {
        let (asked, shown) = ask(&format!("squads\n{typed}\nrz1awing\n\n\n"));
        assert!(
            shown.contains("cannot be flown") && shown.contains(said),
            "{typed}: {shown}"
        );
        let Start::Squads { player, .. } = asked.unwrap().start else {
            panic!("{typed}")
        };
        assert_eq!(player, "rz1awing", "{typed}");
    }
    // A nickname means one ship.
    let (asked, shown) = ask("squads\nfalcon\nrz1awing\n\n\n");
    assert!(!shown.contains("cannot be flown"), "{shown}");
    assert!(matches!(asked.unwrap().start, Start::Squads { player, .. } if player == "falcon"));
}

#[test]
fn a_game_is_asked_for_where_none_is_named() {
    let ask = |lines: &str| {
        let (asked, shown) = ask(lines);
        (asked.unwrap(), shown)
    };
    let (asked, _) = ask("");
    assert_eq!((asked.start, asked.seed), (begin::intro("rebelalliance"), 77));
    let (asked, shown) = ask("nothing\nscen\nscum\nresistance\nace\nmany\n12\n");
    assert!(
        shown.contains("`nothing` is none of") && shown.contains("whole number"),
        "{shown}"
    );
    assert_eq!(asked.seed, 12);
    let Start::Scenario {
        faction,
        enemy,
        variant,
        ..
    } = &asked.start
    else {
        panic!("{asked:?}")
    };
    assert_eq!((faction.as_str(), enemy.as_str()), ("scumandvillainy", "resistance"));
    assert_eq!(variant.as_deref(), Some("ace"));
    let (asked, _) = ask("squads\nrz1awing\n\n\n");
    assert!(matches!(asked.start, Start::Squads { player, .. } if player == "rz1awing"));
}

#[test]
fn what_cannot_be_played_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes.txt");
    std::fs::write(&notes, "dear diary\n").unwrap();
    let said = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
        let run = command.arg("play").args(arguments).write_stdin("").assert().failure();
        String::from_utf8_lossy(&run.get_output().stderr).into_owned()
    };
    assert!(said(&[notes.to_str().unwrap()]).contains("is no record"));
    assert!(said(&["no-such-file.jsonl"]).contains("no-such-file.jsonl"));
    let save = folder.path().join("x.jsonl");
    let save = save.to_str().unwrap();
    assert!(said(&["--player", "milleniumfalcon", "--save", save]).contains("the player's squad"));
    assert!(said(&["--faction", "ewoks", "--save", save]).contains("ewoks"));
    assert!(!Path::new(save).exists(), "nothing is kept of what was not begun");
}

/// The words of a text that people should not have to read: ids of cards, ships and pilots, and what programs call weapons.
fn ids_in(text: &str, ids: &BTreeSet<&str>) -> Vec<String> {
    let of_an_id = |letter: char| letter.is_alphanumeric() || "-:#".contains(letter);
    let words = text.split(|letter: char| !of_an_id(letter));
    let is_id = |word: &&str| {
        let kind = word
            .split_once(':')
            .filter(|(_, rest)| !rest.is_empty())
            .map(|(kind, _)| kind);
        kind.is_some_and(|kind| !kind.bytes().all(|letter| letter.is_ascii_digit()))
            || ids.contains(word.trim_end_matches([':', '-']))
    };
    words.filter(is_id).map(str::to_owned).collect()
}

#[test]
fn no_sentence_of_a_whole_game_holds_an_id() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::embedded();
    let titles = Titles::of(catalog);
    let ids: BTreeSet<&str> = titles.ids().collect();
    let ace = |faction: &str, enemy: &str, seed| {
        let mut start = begin::intro(faction);
        if let Start::Scenario { variant, enemy: of, .. } = &mut start {
            *variant = Some("ace".to_owned());
            *of = enemy.to_owned();
        }
        Beginning::new(start, Options::default(), seed)
    };
    let games = [
        beginning(
            "2*t65xwing/lukeskywalker+protontorpedoes+r2d2,yt2400lightfreighter",
            "2*tielnfighter/howlrunner,tieadvancedx1/darthvader+firecontrolsystem,tiesabomber+concussionmissiles+protonbombs",
            7,
        ),
        beginning(
            "jumpmaster5000/dengar+r2d2,hwk290lightfreighter+ioncannonturret",
            "alphaclassstarwing,2*tieininterceptor/soontirfel",
            8,
        ),
        ace("rebelalliance", "galacticempire", 7),
        ace("scumandvillainy", "firstorder", 3),
    ];
    let mut cards = 0;
    for (number, game) in games.iter().enumerate() {
        let path = folder.path().join(format!("{number}.jsonl"));
        // Now and then everything that can be looked at is.
        let looked = "why\nship\ntable\nlog 99\n";
        let lines: String = (0..500).map(|line| if line % 9 == 0 { looked } else { "\n" }).collect();
        let shown = play(&path, game, false, &lines);
        let found: Vec<(&str, Vec<String>)> = (shown.lines())
            .map(|line| (line, ids_in(line, &ids)))
            .filter(|(_, ids)| !ids.is_empty())
            .collect();
        assert_eq!(found, [], "game {number}");
        let (course, _) = course::of::<ShipGame>(file::read::<ShipGame>(&path).unwrap(), catalog).unwrap();
        let mut told: Vec<String> = vec![course.title.clone()];
        told.extend(course.notes.iter().cloned());
        told.extend(viewer::list(&course));
        for moment in &course.moments {
            told.push(moment.heading.clone());
            told.extend(moment.events.iter().cloned());
            for reason in &moment.reasons {
                told.push(reason.text.clone());
                told.extend(reason.compared.iter().map(|compared| compared.candidate.clone()));
            }
        }
        for text in &told {
            assert_eq!(ids_in(text, &ids), [""; 0], "{text}");
        }
        cards += told
            .iter()
            .filter(|text| text.contains(" uses ") || text.contains(" of P1"))
            .count();
    }
    assert!(cards > 10, "cards were used: {cards}");
    // The test can tell.
    for (text, found) in [
        ("S1 uses pilot:howlrunner.", "pilot:howlrunner"),
        ("with primary:Front Arc:2", "primary:Front"),
        ("a t65xwing.", "t65xwing"),
    ] {
        assert!(ids_in(text, &ids).contains(&found.to_owned()), "{text}");
    }
}

#[test]
fn a_picture_is_not_drawn_over_the_record_by_any_path_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let game = beginning("t65xwing", "tielnfighter", 4);
    play(&path, &game, false, "\nquit\n");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::create_dir(folder.path().join("a b")).unwrap();
    let detour = folder.path().join("a b").join("..").join("game.jsonl");
    let lines = format!("svg {}\nsvg \"{}\"\nquit\n", path.display(), detour.display());
    let shown = play(&path, &game, false, &lines);
    assert_eq!(shown.matches("is the record of this game").count(), 2, "{shown}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let picture = folder.path().join("a b").join("table.svg");
    play(&path, &game, false, &format!("svg \"{}\"\nquit\n", picture.display()));
    assert!(std::fs::read_to_string(&picture).unwrap().starts_with("<svg"));
}

#[test]
fn a_picture_is_drawn_over_pictures_of_the_program_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let game = beginning("t65xwing", "tielnfighter", 4);
    for (name, held) in [
        ("notes.txt", &b"my notes"[..]),
        ("squad.xws", b"{}"),
        ("empty.svg", b""),
        (
            "drawn-elsewhere.svg",
            b"<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>",
        ),
        ("cut.svg", b"<svg"),
        ("bytes.bin", &[0xff, 0, 0xfe]),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, held).unwrap();
        let shown = play(&path, &game, false, &format!("svg {}\nquit\n", file.display()));
        let told = format!("{name} is there already and is no picture that was drawn here");
        assert!(shown.contains(&told) && shown.contains("name another file"), "{shown}");
        assert_eq!(std::fs::read(&file).unwrap(), held, "{name}");
    }
    let picture = folder.path().join("table.svg");
    let lines = format!("svg {0}\nsvg {0}\nquit\n", picture.display());
    let shown = play(&path, &game, false, &lines);
    assert_eq!(shown.matches("is drawn in").count(), 2, "{shown}");
    // A picture of the grid game begins alike, and is drawn over, too.
    let grid = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\">";
    std::fs::write(&picture, grid).unwrap();
    play(&path, &game, false, &format!("svg {}\nquit\n", picture.display()));
    assert!(std::fs::read_to_string(&picture).unwrap().len() > grid.len());
}

#[test]
fn a_file_that_is_not_there_is_taken_for_no_ship() {
    let folder = tempfile::tempdir().unwrap();
    for given in ["mine.xws", "squads/mine.json", r"C:\squads\mine.xws", r"..\mine"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
        let run = command.current_dir(folder.path()).args(["play", "--player", given]);
        let run = run.write_stdin("").assert().code(1);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(&format!("there is no file {given}")), "{said}");
    }
}

#[test]
fn what_is_shown_says_what_is_left_which_obstacle_is_which_and_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let game = beginning("2*t65xwing", "3*tielnfighter,tieininterceptor/soontirfel", 5);
    let shown = play(&path, &game, false, &"\n".repeat(300));
    let map = shown.lines().take(60).collect::<Vec<_>>().join("\n");
    let game = recorded(&path);
    for obstacle in &game.battle().table().obstacles {
        let number = obstacle.id.trim_start_matches('O');
        let marks = ["#", "%", "~"].map(|mark| (format!("{number}{mark}"), format!("{mark}{number}")));
        let drawn = marks
            .iter()
            .any(|(before, after)| map.contains(before) || map.contains(after));
        assert!(drawn || map.contains(&format!(" {number} ")), "{number}:\n{map}");
    }
    assert!(shown.contains("is left with hull"), "{shown}");
    let lines: Vec<&str> = shown.lines().map(str::trim).collect();
    for pair in lines.windows(2) {
        let text = pair[0].len() > 12 && pair[0].ends_with('.');
        assert!(!text || pair[0] != pair[1], "twice: {}", pair[0]);
        // What is left is told before the next phase begins.
        assert!(
            !pair[0].ends_with("phase begins.") || !pair[1].contains("is left with"),
            "{pair:?}"
        );
    }
    for line in lines.iter().filter(|line| line.contains("lock on")) {
        let named = [
            "asteroid O",
            "debris field O",
            "gas cloud O",
            "S1 ",
            "S2 ",
            "S3 ",
            "S4 ",
            "P1",
            "P2",
        ];
        assert!(named.iter().any(|name| line.contains(name)), "{line}");
    }
}

/// The record keeps the edition and its options; nobody has to name them again.
#[test]
fn a_game_of_the_first_edition_is_kept_gone_on_with_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let run = |arguments: &[&str], typed: &str| {
        let mut command = Command::cargo_bin("tallyho").expect("the program");
        let output = command
            .args(arguments)
            .write_stdin(typed.to_owned())
            .output()
            .expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (record, options) = (file("game.jsonl"), file("options.json"));
    std::fs::write(&options, r#"{"rulebook2012": true, "fewActions": false}"#).expect("a file");
    let new = [
        "play",
        "--edition",
        "first",
        "--player",
        "2*xwing/rookiepilot+protontorpedoes",
        "--solo",
        "2*tiefighter",
        "--seed",
        "5",
        "--save",
        &record,
        "--edition-options",
        &options,
    ];
    // The set-up first, then some of the game.
    let lines = "\n".repeat(24);
    let (code, shown, error) = run(&new, &format!("table\nship P1\n{lines}quit\n"));
    assert_eq!(code, Some(0), "{error}");
    assert!(shown.contains("Rookie Pilot") && shown.contains("PS2"), "{shown}");
    assert!(shown.contains("pilot skill 2"), "{shown}");
    let read = file::read::<ShipGame>(Path::new(&record)).expect("a record");
    assert_eq!(read.header.beginning.edition, Edition::First);
    assert_eq!(
        read.header
            .beginning
            .edition_options
            .map(|options| options.rulebook_2012),
        Some(true)
    );
    assert!(!read.answers.is_empty());
    let (code, shown, error) = run(&["replay", &record, "--check"], "");
    assert_eq!((code, error.as_str()), (Some(0), ""), "{shown}");
    let (code, _, error) = run(&["play", &record], "quit\n");
    assert_eq!(code, Some(0), "{error}");
    let (code, _, error) = run(&["replay", &record, "--check", "--edition", "second"], "");
    assert_eq!(code, Some(1));
    assert!(error.contains("leave --edition second out"), "{error}");
    let (code, _, error) = run(
        &[
            "play",
            "--player",
            "xwing",
            "--solo",
            "tielnfighter",
            "--edition-options",
            &options,
        ],
        "",
    );
    assert_eq!(code, Some(1));
    assert!(error.contains("add `--edition first`"), "{error}");
}

/// FE-SOLO-9: a value that the data leaves open is asked once, kept in the record, and never guessed.
#[test]
fn fe_solo_9_an_open_attack_value_is_asked_once_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str], typed: &str| {
        let mut command = Command::cargo_bin("tallyho").expect("the program");
        let output = command
            .current_dir(folder.path())
            .args(arguments)
            .write_stdin(typed.to_owned())
            .output()
            .expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let squads = [
        "--edition",
        "first",
        "--player",
        "ywing+twinlaserturret",
        "--solo",
        "2*tiefighter",
    ];
    let new = |save: &str, more: &[&str], typed: &str| {
        let begin = [&["play", "--seed", "5", "--save", save], &squads[..], more].concat();
        run(&begin, typed)
    };
    let kept = |save: &str| {
        let read = file::read::<ShipGame>(&folder.path().join(save)).expect("a record");
        read.header.beginning.attack_values.get("twinlaserturret").copied()
    };
    // What is no number of dice is asked for again.
    let (code, shown, error) = new("asked.jsonl", &[], "many\n0\n3\nship P1\n\n\nquit\n");
    assert_eq!(code, Some(0), "{error}");
    assert!(
        shown.contains("How many attack dice does Twin Laser Turret have?"),
        "{shown}"
    );
    assert_eq!(shown.matches("a whole number from 1 to 10").count(), 2, "{shown}");
    assert!(shown.contains("Twin Laser Turret"), "{shown}");
    assert_eq!(kept("asked.jsonl"), Some(Some(3)));
    let (code, _, error) = run(&["replay", "asked.jsonl", "--check"], "");
    assert_eq!((code, &*error), (Some(0), ""));
    let (code, shown, error) = run(&["play", "asked.jsonl"], "quit\n");
    assert_eq!(code, Some(0), "{error}");
    assert!(!shown.contains("How many attack dice"), "{shown}");
    let (code, _, error) = run(
        &["replay", "asked.jsonl", "--check", "--value", "twinlaserturret=4"],
        "",
    );
    assert_eq!(code, Some(1));
    assert!(error.contains("leave --value out"), "{error}");
    // Nobody says it: the ship flies without.
    let (code, _, error) = new("without.jsonl", &[], "\nquit\n");
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(kept("without.jsonl"), Some(None));
    // Said beforehand: nobody is asked.
    let (_, shown, _) = new("said.jsonl", &["--value", "twinlaserturret=2"], "quit\n");
    assert!(!shown.contains("How many attack dice"), "{shown}");
    assert_eq!(kept("said.jsonl"), Some(Some(2)));
    // A simulation asks nobody: it wants the value.
    let sim = [&["sim", "--games", "1", "--threads", "1"], &squads[..]].concat();
    let (code, _, error) = run(&sim, "");
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("--value twinlaserturret=N"), "{error}");
    let recorded = [&sim[..], &["--value", "twinlaserturret=3", "--record", "games"]].concat();
    let (code, _, error) = run(&recorded, "");
    assert_eq!(code, Some(0), "{error}");
    let (code, _, error) = run(&["replay", "games/game-0.jsonl", "--check"], "");
    assert_eq!((code, &*error), (Some(0), ""));
}
