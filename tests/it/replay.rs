//! Recorded games looked at afterwards: in the terminal, as a page, and journals of served games.

use std::{collections::VecDeque, io::Cursor, path::Path};

use assert_cmd::Command;
use serde_json::json;
use tallyho::{
    bridge::host::{Host, HostConfig, Outgoing},
    play::{console::Console, viewer},
    protocol::{
        event::GameEvent,
        lifecycle::{ClientCapabilities, Role},
    },
    record::{
        Beginning, Game, Hand, RecordFile, Start,
        course::{self, Course, ships::ShipScene},
        file, html,
        ships::ShipGame,
    },
    solo_alpha::Options,
    xwing::catalog::Catalog,
};

fn intro(seed: u64) -> Game {
    let start = tallyho::play::begin::intro("rebelalliance");
    let beginning = Beginning {
        player: Hand::Scripted,
        ..Beginning::new(start, Options::default(), seed)
    };
    Game::simulated(beginning, Catalog::embedded()).unwrap()
}

fn course(game: &Game) -> Course<ShipScene> {
    let read = file::Read {
        header: game.header().clone(),
        answers: game.answers().to_vec(),
        damage: None,
    };
    let (course, astray) = course::of::<ShipGame>(read, Catalog::embedded()).unwrap();
    assert_eq!(astray, []);
    course
}

fn write(path: &Path, game: &Game) {
    let mut record = RecordFile::create(path, game.header()).unwrap();
    for answered in game.answers() {
        record.choice(answered).unwrap();
    }
}

#[test]
fn a_course_has_every_choice_and_the_end() {
    let game = intro(1);
    let course = course(&game);
    assert_eq!(course.moments.len(), game.answers().len() + 1);
    for (moment, answered) in course.moments.iter().zip(game.answers()) {
        assert_eq!(moment.round, answered.round);
        assert!(moment.heading.starts_with(&*answered.who.ship), "{}", moment.heading);
        assert_eq!(moment.reasons, answered.explanation.reasons);
        assert!(!moment.sentence.is_empty());
    }
    let last = course.moments.last().unwrap();
    assert_eq!(&last.scene.table, game.battle().table());
    assert!(last.sentence.starts_with("The game is over"), "{}", last.sentence);
    let flown = course
        .moments
        .iter()
        .filter_map(|moment| moment.scene.drawn.as_ref()?.maneuver);
    assert!(flown.count() > 20);
}

#[test]
fn the_page_needs_nothing_else_and_holds_the_whole_game() {
    let game = intro(2);
    let course = course(&game);
    let page = html::write(&course).unwrap();
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    for outside in ["http://", "https://", "src=", "@import", "url(http"] {
        let without = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!without.contains(outside), "{outside}");
    }
    // What the page's script reads.
    let start = page.find("type=\"application/json\">").unwrap() + "type=\"application/json\">".len();
    let data = &page[start..start + page[start..].find("</script>").unwrap()];
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["moments"].as_array().unwrap().len(), course.moments.len());
    // What is wrong with a record stands apart from what was rolled at the beginning.
    assert_eq!(data["notes"], serde_json::json!(course.notes));
    assert_eq!(data["warnings"], serde_json::json!([]));
    let texts: String = (data["moments"].as_array().unwrap().iter())
        .flat_map(|moment| moment["reasons"].as_array().unwrap().clone())
        .map(|reason| reason[0].as_str().unwrap().to_owned() + " ")
        .collect();
    for rule in ["SA-3.1", "SA-8", "SA-9", "SA-11"] {
        assert!(texts.contains(rule), "{rule}");
    }
    // Every ship that is ever on the table has a group, and the drawing is well formed.
    let svg = &page[page.find("<svg").unwrap()..page.find("</svg>").unwrap() + "</svg>".len()];
    let drawing = roxmltree::Document::parse(svg).unwrap();
    for index in 0..data["table"]["ships"].as_array().unwrap().len() {
        let id = format!("ship-{index}");
        assert!(
            drawing.descendants().any(|node| node.attribute("id") == Some(&*id)),
            "{id}"
        );
    }
    for moment in data["moments"].as_array().unwrap() {
        for layer in ["below", "above"] {
            let markup = moment["shows"][layer].as_str().unwrap_or_default();
            let whole = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{markup}</svg>");
            let parsed = roxmltree::Document::parse(&whole).unwrap();
            for used in parsed.descendants().filter_map(|node| node.attribute("href")) {
                let target = used.trim_start_matches('#');
                assert!(
                    drawing.descendants().any(|node| node.attribute("id") == Some(target)),
                    "{used}"
                );
            }
        }
    }
}

#[test]
fn names_in_a_record_cannot_leave_the_text_of_the_page() {
    let mut course = course(&intro(3));
    let evil = "</script><script>alert(1)</script><b>\"'&";
    course.title = evil.to_owned();
    course.moments[0].sentence = evil.to_owned();
    course.moments[0].scene.table.ships[0].name = evil.to_owned();
    let page = html::write(&course).unwrap();
    assert_eq!(page.matches("</script>").count(), 2, "the page's own two");
    assert!(!page.contains("<b>\"'"));
}

#[test]
fn the_viewer_goes_forth_and_back() {
    let course = course(&intro(4));
    let mut shown = Vec::new();
    let typed =
        "\nnext\nback\nlast\nback\nfirst\nround 2\nto 5\nwhy\nto 0\nround 99\nto many\nlist 1\nmap\nhelp\nquit\n";
    let mut input = Cursor::new(typed);
    viewer::view(&course, &mut Console::new(&mut input, &mut shown, true)).unwrap();
    let shown = anstream::adapter::strip_str(&String::from_utf8(shown).unwrap()).to_string();
    let count = course.moments.len();
    let places: Vec<&str> = shown
        .lines()
        .filter(|line| line.contains(&format!(" of {count}, round")))
        .collect();
    let expected = [1, 2, 3, 2, count, count - 1, 1];
    for (line, place) in places.iter().zip(expected) {
        assert!(line.contains(&format!("({place} of {count}, ")), "{line}");
    }
    assert_eq!(places.len(), expected.len() + 2);
    assert!(places[7].contains("round 2"), "{}", places[7]);
    assert!(places[8].contains(&format!("(5 of {count}")), "{}", places[8]);
    assert_eq!(shown.matches("There is no such moment.").count(), 2, "{shown}");
    assert!(shown.contains("where round N begins") && shown.contains("+----"));
}

#[test]
fn the_command_replays_lists_checks_and_writes_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let (path, page) = (folder.path().join("game.jsonl"), folder.path().join("game.html"));
    let game = intro(5);
    write(&path, &game);
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
        command
            .arg("replay")
            .arg(&path)
            .args(arguments)
            .write_stdin("\nquit\n")
            .assert()
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let stepped = run(&[]).success();
    assert!(text(&stepped.get_output().stdout).contains(&format!("2 of {}", game.answers().len() + 1)));
    let listed = run(&["--list", "--html", page.to_str().unwrap()]).success();
    assert_eq!(
        text(&listed.get_output().stdout).lines().count(),
        game.answers().len() + 1
    );
    assert!(std::fs::read_to_string(&page).unwrap().starts_with("<!doctype html>"));
    run(&["--check"]).success();
    // A record that says otherwise is found out.
    let changed = folder.path().join("changed.jsonl");
    let mut answers = file::read::<ShipGame>(&path).unwrap().answers;
    let place = answers.iter().position(|answered| answered.by == Hand::Solo).unwrap();
    answers[place].explanation.sentence = "It does as it likes.".to_owned();
    let mut record = RecordFile::create(&changed, game.header()).unwrap();
    for answered in &answers {
        record.choice(answered).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
    let checked = command.arg("replay").arg(&changed).arg("--check").assert().code(3);
    let said = text(&checked.get_output().stderr);
    assert!(said.contains(&format!("choice {} of the record", place + 1)), "{said}");
    // A page is not written over its record.
    let bytes = std::fs::read(&path).unwrap();
    run(&["--html", path.to_str().unwrap()]).code(2);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    std::fs::write(&path, "dear diary\n").unwrap();
    assert!(text(&run(&[]).failure().get_output().stderr).contains("neither a record"));
}

#[test]
fn a_damaged_record_fails_its_check_wherever_the_damage_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    write(&path, &intro(6));
    let bytes = std::fs::read(&path).unwrap();
    let third = bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .nth(2)
        .unwrap()
        .0;
    for (what, length, flipped) in [
        ("cut within a line", bytes.len() - 20, None),
        ("a line flipped", bytes.len(), Some(third + 40)),
        ("the last line flipped", bytes.len(), Some(bytes.len() - 30)),
    ] {
        let mut damaged = bytes[..length].to_vec();
        if let Some(at) = flipped {
            damaged[at] ^= 1;
        }
        std::fs::write(&path, &damaged).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
        let run = command.arg("replay").arg(&path).arg("--check").assert().code(3);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains("is damaged: line "), "{what}: {said}");
        assert!(said.contains("game.jsonl"), "{what}: {said}");
        assert_eq!(std::fs::read(&path).unwrap(), damaged, "{what}: it is only looked at");
    }
}

#[test]
fn a_game_with_cards_of_ones_own_says_by_which_option_they_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let card = |by: u8| {
        format!(
            "[[card]]\nid = \"pilot:academypilot\"\n[[card.effect]]\non = {{ window = \"attack_roll\", role = \"attacker\" }}\n\
             do = [{{ dice_count = {{ dice = \"attack\", by = {by} }} }}]\n"
        )
    };
    std::fs::write(at("cards.toml"), card(1)).unwrap();
    std::fs::write(at("others.toml"), card(2)).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
        let run = command
            .current_dir(folder.path())
            .args(arguments)
            .write_stdin("")
            .assert();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        (run.get_output().status.code(), said)
    };
    let squads = [
        "play",
        "--player",
        "t65xwing",
        "--solo",
        "tielnfighter/academypilot",
        "--seed",
        "1",
    ];
    let own = ["--card-file", "cards.toml"];
    assert_eq!(run(&[&squads[..], &own, &["--save", "own.jsonl"]].concat()).0, Some(0));
    assert_eq!(run(&[&squads[..], &["--save", "plain.jsonl"]].concat()).0, Some(0));
    for (arguments, said) in [
        (vec!["own.jsonl"], "give the same --card-file"),
        (
            vec!["own.jsonl", "--card-file", "others.toml"],
            "give the same --card-file",
        ),
        (
            vec!["plain.jsonl", "--card-file", "cards.toml"],
            "leave --card-file out",
        ),
        (vec!["own.jsonl", "--card-file", "cards.toml"], ""),
        (vec!["plain.jsonl"], ""),
    ] {
        let (_, found) = run(&[&["replay", "--list"], &arguments[..]].concat());
        assert!(
            found.contains(said) && !found.contains("--catalog"),
            "{arguments:?}: {found}"
        );
        assert_eq!(found.is_empty(), said.is_empty(), "{arguments:?}: {found}");
    }
}

#[test]
fn no_two_moments_of_a_list_say_the_same_twice() {
    let course = course(&intro(7));
    for line in viewer::list(&course) {
        let words: Vec<&str> = line.split("  ").filter(|part| part.len() > 12).collect();
        let ship = course.moments[0].heading.split(':').next().unwrap_or_default();
        assert!(line.matches(ship).count() <= 2, "{line}");
        assert!(words.len() <= 2, "{line}");
    }
    // Whatever is chosen is said in a sentence that begins with who chose it.
    for moment in &course.moments[..course.moments.len() - 1] {
        let ship = moment.heading.split(':').next().unwrap_or_default();
        assert!(
            moment.sentence.starts_with(ship),
            "{}: {}",
            moment.heading,
            moment.sentence
        );
    }
}

#[test]
fn who_gives_no_reasons_is_named() {
    let course = course(&intro(8));
    let place = course
        .moments
        .iter()
        .position(|moment| moment.reasons.is_empty())
        .unwrap();
    let mut shown = Vec::new();
    let typed = format!("to {}\nwhy\nquit\n", place + 1);
    let mut input = Cursor::new(typed);
    viewer::view(&course, &mut Console::new(&mut input, &mut shown, true)).unwrap();
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains("gives no reasons"), "{shown}");
}

#[test]
fn a_record_of_the_simulator_is_the_game_that_was_counted() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("records");
    let csv = folder.path().join("games.csv");
    for arguments in [
        &[
            "--player",
            "t65xwing",
            "--solo",
            "2*tielnfighter",
            "--games",
            "2",
            "--seed",
            "8",
        ][..],
        &[
            "--scenario",
            "intro",
            "--faction",
            "rebelalliance",
            "--games",
            "1",
            "--seed",
            "8",
            "--first",
            "alternating",
        ],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
        command
            .arg("sim")
            .args(arguments)
            .arg("--csv")
            .arg(&csv)
            .arg("--record")
            .arg(&records);
        command.assert().success();
        let games = if arguments.contains(&"2") { 2 } else { 1 };
        let figures = std::fs::read_to_string(&csv).unwrap();
        for game in 0..games {
            let path = records.join(format!("game-{game}.jsonl"));
            let read = file::read::<ShipGame>(&path).unwrap();
            let (again, astray) = Game::resume(read.header, &read.answers, Catalog::embedded()).unwrap();
            assert_eq!(astray, []);
            assert!(again.battle().pending().is_none());
            let winner = again.battle().winner().unwrap_or_default();
            let counted = figures
                .lines()
                .find(|line| line.split(',').nth(1) == Some(&*game.to_string()))
                .unwrap();
            assert!(counted.split(',').any(|cell| cell == winner), "{counted}: {winner}");
        }
        std::fs::remove_dir_all(&records).unwrap();
    }
}

#[test]
fn the_journal_of_a_served_game_is_replayed_too() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, page) = (folder.path().join("game.jsonl"), folder.path().join("game.html"));
    let mut host = Host::new(HostConfig {
        seed: 4,
        journal: Some(journal.clone()),
        ..HostConfig::default()
    });
    // A table that is told what to do and says that it has done it.
    let capabilities = ClientCapabilities {
        steps: vec!["say".to_owned()],
        ..ClientCapabilities::default()
    };
    let ship = |id: &str, side: &str, y: f64| json!({"id": id, "side": side, "ship": "tielnfighter", "x": 200, "y": y, "heading": 0});
    let position = json!({"ships": [ship("a", "solo", 100.0), ship("b", "player", 600.0)]});
    let sync = json!({"rev": 1, "snapshot": {"kind": "plain", "position": position}});
    let mut waiting: VecDeque<Outgoing> = host.table_attached(&capabilities, false).into();
    let ask = |host: &mut Host, method: &str, params: &serde_json::Value| {
        let (answer, outgoing) = host.request(Role::Table, method, params.clone());
        assert!(answer.is_ok(), "{method}: {answer:?}");
        outgoing
    };
    waiting.extend(ask(&mut host, "table/sync", &sync));
    waiting.extend(ask(&mut host, "solo/advance", &json!({"scope": "ship", "rev": 1})));
    let mut decided = Vec::new();
    for _ in 0..100 {
        match waiting.pop_front() {
            Some(Outgoing::Apply(apply)) => {
                let done = json!({"outcome": "applied", "rev": 1});
                let done = serde_json::from_value(done).unwrap();
                waiting.extend(host.apply_answered(&apply.action_id, Ok(done)));
            }
            Some(Outgoing::RequestSync) => waiting.extend(ask(&mut host, "table/sync", &sync)),
            Some(Outgoing::Event(GameEvent::Decided { sentence, .. })) => decided.push(sentence),
            Some(_) => {}
            None => break,
        }
    }
    assert!(!decided.is_empty());
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
        let run = command.arg("replay").arg(&journal).args(arguments).assert().success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let before = std::fs::read(&journal).unwrap();
    run(&["--check"]);
    let listed = run(&["--list", "--html", page.to_str().unwrap()]);
    for sentence in decided {
        assert!(listed.contains(&sentence), "{sentence} in {listed}");
    }
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(
        page.contains("SA-3.1") && page.contains("class=\\\"tally\\\""),
        "reasons, and the line to the tally"
    );
    assert_eq!(std::fs::read(&journal).unwrap(), before, "it is only looked at");
}

#[test]
fn what_is_played_says_what_it_is() {
    let start = Start::Squads {
        player: "t65xwing".to_owned(),
        solo: "tielnfighter".to_owned(),
    };
    let beginning = Beginning {
        game: Some(7),
        ..Beginning::new(start, Options::default(), 4)
    };
    assert_eq!(beginning.title(), "t65xwing against tielnfighter, seed 4, game 7");
    let start = Start::Squads {
        player: "2*t65xwing/lukeskywalker+r2d2, rz1awing".to_owned(),
        solo: "card:soontirfel".to_owned(),
    };
    assert_eq!(
        Beginning::new(start, Options::default(), 4).title(),
        "2 \u{d7} t65xwing (lukeskywalker + r2d2), rz1awing against card:soontirfel, seed 4"
    );
    assert!(
        intro(1)
            .header()
            .beginning
            .title()
            .ends_with("Rebel Alliance against Galactic Empire, seed 1")
    );
}

/// A served game's journal says its edition and what was agreed on; nobody has to say it again, and nobody may say otherwise.
#[test]
fn a_journal_keeps_its_edition_and_options() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (options, other) = (file("options.json"), file("other.json"));
    std::fs::write(&options, r#"{"rulebook2012": true}"#).unwrap();
    std::fs::write(&other, "{}").unwrap();
    // A client that only says hello and goes.
    let serve = |more: &[&str]| {
        let hello = [
            json!({"jsonrpc": "2.0", "id": 1, "method": "shutdown", "params": {}}),
            json!({"jsonrpc": "2.0", "method": "exit", "params": {}}),
        ];
        let typed: String = hello.iter().map(|message| format!("{message}\n")).collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
        let run = command
            .env("TALLYHO_HOME", folder.path())
            .args(["serve", "--stdio", "--journal", &file("games")])
            .args(more)
            .write_stdin(typed)
            .assert();
        String::from_utf8_lossy(&run.get_output().stderr).into_owned()
    };
    let begun = [
        "--edition",
        "first",
        "--edition-options",
        &options,
        "--value",
        "twinlaserturret=3",
    ];
    serve(&begun);
    let journal = file("games/game.jsonl");
    let first = std::fs::read_to_string(&journal).unwrap();
    for kept in [
        r#""edition":"first""#,
        r#""rulebook2012":true"#,
        r#""twinlaserturret":3"#,
    ] {
        assert!(first.contains(kept), "{first}");
    }
    // With nothing said, or the same, it goes on.
    for more in [[].as_slice(), &begun] {
        let said = serve(more);
        assert!(!said.contains("--new-game"), "{said}");
    }
    assert!(std::fs::read_to_string(&journal).unwrap().starts_with(first.trim_end()));
    let replay = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
        let run = command.args(["replay", &journal, "--check"]).args(more).assert();
        let output = run.get_output();
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    assert_eq!(replay(&[]), (Some(0), String::new()));
    for (more, told) in [
        (["--edition", "second"], "leave --edition second out"),
        (["--edition-options", &other], "other options of the first edition"),
        (["--value", "twinlaserturret=4"], "leave --value out"),
    ] {
        let (code, said) = replay(&more);
        assert!(code == Some(1) && said.contains(told), "{said}");
        let said = serve(&more);
        assert!(said.contains(told) && said.contains("--new-game"), "{said}");
    }
    // A new game is what it is started with.
    serve(&["--new-game"]);
    assert!(
        std::fs::read_to_string(&journal)
            .unwrap()
            .contains(r#""edition":"second""#)
    );
}
