//! What holds for every command: files that are not written over, readers that leave, errors that are said once.

use std::{path::Path, process::Stdio};

use assert_cmd::Command;
use tallyho::{
    record::beginning,
    sim::squad,
    xwing::{
        catalog::{Catalog, ResolveNote},
        size::Size,
    },
};

fn tallyho(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
    let output = command.current_dir(folder).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

const POSITION: &str = "ship A tielnfighter solo 457,300 @0 init 3\nship B t65xwing player 500,520 @180 init 5\n";

#[test]
fn no_output_is_written_over_an_input_or_another_output() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::create_dir(at.join("inner")).unwrap();
    let squad = r#"{"faction": "rebelalliance", "pilots": [{"id": "lukeskywalker", "ship": "t65xwing"}]}"#;
    for (name, text) in [
        ("table.txt", POSITION),
        ("mine.xws", squad),
        ("options.json", "{}"),
        ("cards.toml", ""),
    ] {
        std::fs::write(at.join(name), text).unwrap();
    }
    let (code, _, said) = tallyho(
        at,
        &[
            "sim",
            "--player",
            "t65xwing",
            "--solo",
            "tielnfighter",
            "-n",
            "1",
            "--threads",
            "1",
            "--record",
            "records",
        ],
    );
    assert_eq!(code, Some(0), "{said}");
    std::fs::copy(at.join("records/game-0.jsonl"), at.join("game.jsonl")).unwrap();
    let before = |name: &str| std::fs::read(at.join(name)).unwrap();
    let kept: Vec<(&str, Vec<u8>)> = ["table.txt", "mine.xws", "options.json", "cards.toml", "game.jsonl"]
        .map(|name| (name, before(name)))
        .to_vec();
    let sim = ["sim", "--player", "t65xwing", "--solo", "tielnfighter", "-n", "1"];
    let balance = ["balance", "--against", "scum"];
    let scenario = ["scenario", "intro", "--faction", "scum"];
    let with = |command: &[&'static str], more: &[&'static str]| [command, more].concat();
    let cases = [
        with(&sim, &["--csv", "a", "--json", "a"]),
        with(&sim, &["--csv", "inner/../a", "--html", "a"]),
        with(&sim, &["--json", "a", "--record", "a"]),
        with(&["sim", "--squad", "mine.xws"], &["--csv", "mine.xws"]),
        with(&balance, &["--csv", "a", "--json", "./a"]),
        with(&balance, &["--squad", "mine.xws", "--json", "mine.xws"]),
        with(&scenario, &["--card-file", "cards.toml", "--out", "cards.toml"]),
        vec!["scenario", "intro", "--squad", "mine.xws", "--out", "mine.xws"],
        with(
            &scenario,
            &["--table", "table.txt", "--round", "4", "--out", "inner/../table.txt"],
        ),
        vec!["decide", "table.txt", "--svg", "table.txt"],
        vec![
            "decide",
            "table.txt",
            "--options",
            "options.json",
            "--svg",
            "options.json",
        ],
        vec!["replay", "game.jsonl", "--html", "game.jsonl"],
        vec!["play", "game.jsonl", "--svg", "game.jsonl"],
        vec!["play", "--player", "t65xwing", "--save", "a", "--svg", "a"],
        vec!["play", "--squad", "mine.xws", "--svg", "mine.xws"],
        vec![
            "squad",
            "build",
            "soontirfel",
            "--card-file",
            "cards.toml",
            "--out",
            "cards.toml",
        ],
    ];
    for case in &cases {
        let (code, _, said) = tallyho(at, case);
        assert_eq!(code, Some(2), "{case:?}: {said}");
        assert!(
            said.contains("own") || said.contains("another file"),
            "{case:?}: {said}"
        );
        for (name, bytes) in &kept {
            assert_eq!(before(name), *bytes, "{case:?}");
        }
    }
    assert!(!at.join("a").exists(), "nothing is begun");
    // What is no file may be written twice.
    #[cfg(unix)]
    {
        let arguments = with(&sim, &["--csv", "/dev/null", "--json", "/dev/null"]);
        assert_eq!(tallyho(at, &arguments).0, Some(0));
    }
}

/// Each file that `sim` reads against each that it writes, in every game that has both.
#[test]
fn sim_writes_over_nothing_that_it_reads() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::create_dir(at.join("inner")).unwrap();
    let squad = r#"{"faction": "rebelalliance", "pilots": [{"id": "rookiepilot", "ship": "xwing"}]}"#;
    let whole = "player = \"z.json\"\nsolo = \"8*tiefighter/academypilot\"\n";
    for (name, text) in [("read", "kept"), ("z.json", squad), ("whole.toml", whole)] {
        std::fs::write(at.join(name), text).unwrap();
    }
    let (ships, escort, swm): (&[&str], &[&str], &[&str]) = (&[], &["--escort"], &["--swm"]);
    let everywhere = ["--csv", "--json", "--record"];
    let outputs = |game: &[&str]| [&everywhere[..], if game.is_empty() { &["--html"] } else { &[] }].concat();
    for (game, options) in [
        (
            ships,
            &[
                "--squad",
                "--enemy-squad",
                "--scenario",
                "--catalog",
                "--obstacles",
                "--card-file",
                "--edition-options",
            ][..],
        ),
        (
            escort,
            &[
                "--escort-file",
                "--player",
                "--solo",
                "--catalog",
                "--obstacles",
                "--card-file",
                "--edition-options",
            ],
        ),
        (swm, &["--position", "--map", "--roster", "--switches"]),
    ] {
        for option in options {
            for output in outputs(game) {
                let arguments = [&["sim", "-n", "1"], game, &[*option, "read", output, "inner/../read"]].concat();
                let (code, _, said) = tallyho(at, &arguments);
                let told =
                    format!("{output} would write over inner/../read, which is read as {option}: give another file");
                assert!(code == Some(2) && said.contains(&told), "{arguments:?}: {said}");
            }
        }
        for (place, one) in outputs(game).iter().enumerate() {
            for other in &outputs(game)[..place] {
                let arguments = [&["sim", "-n", "1"], game, &[*one, "new", *other, "inner/../new"]].concat();
                let (code, _, said) = tallyho(at, &arguments);
                assert!(code == Some(2) && said.contains("both write"), "{arguments:?}: {said}");
            }
        }
    }
    // A squad that the file of the scenario names.
    for (command, output) in [
        ("sim", "--csv"),
        ("sim", "--json"),
        ("sim", "--record"),
        ("play", "--svg"),
    ] {
        let arguments = [
            command,
            "--escort",
            "--escort-file",
            "whole.toml",
            output,
            "inner/../z.json",
        ];
        let (code, _, said) = tallyho(at, &arguments);
        let told = "which is read as --escort-file whole.toml, `player`";
        assert!(code == Some(2) && said.contains(told), "{arguments:?}: {said}");
    }
    let text = |name: &str| std::fs::read_to_string(at.join(name)).unwrap();
    assert_eq!(
        (text("read"), text("z.json"), text("whole.toml")),
        ("kept".to_owned(), squad.to_owned(), whole.to_owned())
    );
    assert!(!at.join("new").exists(), "nothing is begun");
}

/// An output that cannot be written is told before the games, so the others are neither written nor emptied.
#[test]
fn what_cannot_be_written_is_told_before_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::create_dir(at.join("inner")).unwrap();
    std::fs::write(at.join("old"), "kept, and longer than what no game writes").unwrap();
    let games: [(&[&str], &[&str]); 4] = [
        (&["sim", "-n", "1"], &["--csv", "--json", "--html", "--record"]),
        (&["sim", "-n", "1", "--escort"], &["--csv", "--json", "--record"]),
        (&["sim", "-n", "1", "--swm"], &["--csv", "--json", "--record"]),
        (&["balance", "-n", "100", "--against", "scum"], &["--csv", "--json"]),
    ];
    for (game, outputs) in games {
        for output in outputs {
            let places: &[&str] = match *output {
                "--record" => &["old/new"],
                _ => &["gone/new", "inner", "old/new"],
            };
            let fine = outputs.iter().filter(|fine| *fine != output && **fine != "--record");
            let fine: Vec<&str> = fine
                .zip(["old", "fresh"])
                .flat_map(|(fine, name)| [*fine, name])
                .collect();
            for place in places {
                let arguments = [game, &[*output, *place], &fine[..]].concat();
                let (code, printed, said) = tallyho(at, &arguments);
                assert!(
                    code == Some(1) && said.contains(&format!("{output}: cannot ")) && said.contains(place),
                    "{arguments:?}: {said}"
                );
                assert_eq!(printed, "", "{arguments:?}");
                let old = std::fs::read_to_string(at.join("old")).unwrap();
                assert!(old.starts_with("kept"), "{arguments:?}: {old}");
                assert!(!at.join("fresh").exists(), "{arguments:?}");
            }
        }
    }
    // What can be written is written, over what was there.
    let (code, _, said) = tallyho(
        at,
        &["sim", "-n", "1", "--csv", "old", "--json", "fresh", "--record", "a/b"],
    );
    assert_eq!(code, Some(0), "{said}");
    assert!(std::fs::read_to_string(at.join("old")).unwrap().starts_with("kind,"));
    assert!(at.join("fresh").is_file() && at.join("a/b/game-0.jsonl").is_file());
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("table.txt"), POSITION).unwrap();
    let header = "case,edition,atk_dice,atk_focus,atk_lock,atk_calculate,atk_force,def_dice,def_focus,def_evade,def_calculate,\
                  def_force,def_reinforce\n";
    std::fs::write(
        at.join("dice.csv"),
        format!("{header}{}", "a,2e,3,1,0,0,0,2,0,0,0,0,0\n".repeat(3000)),
    )
    .unwrap();
    let sim = [
        "sim",
        "--player",
        "t65xwing",
        "--solo",
        "tielnfighter",
        "-n",
        "1",
        "--threads",
        "1",
    ];
    assert_eq!(tallyho(at, &[&sim[..], &["--record", "records"]].concat()).0, Some(0));
    let cases: [&[&str]; 14] = [
        &["--help"],
        &["sim", "--help"],
        &["catalog", "list", "--pilots"],
        &["catalog", "show", "TIE fighter"],
        &["cards"],
        &["rules"],
        &["dice", "dice.csv"],
        &["decide", "table.txt"],
        &["decide", "table.txt", "--json"],
        &["scenario", "intro", "--faction", "scum"],
        &["squad", "cards"],
        &["replay", "records/game-0.jsonl", "--list"],
        &["replay", "records/game-0.jsonl"],
        &[
            "play",
            "--player",
            "t65xwing",
            "--solo",
            "tielnfighter",
            "--seed",
            "1",
            "--save",
            "game.jsonl",
        ],
    ];
    for arguments in cases {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tallyho"));
        command
            .current_dir(at)
            .args(arguments)
            .stdout(writer)
            .stdin(Stdio::null());
        let output = command.stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn an_error_says_what_the_system_said_once_and_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("table.txt"), POSITION).unwrap();
    let cases: [&[&str]; 14] = [
        &["decide", "missing"],
        &["decide", "table.txt", "--svg", "missing/a.svg"],
        &["replay", "missing"],
        &["play", "missing"],
        &["play", "--player", "t65xwing", "--save", "missing/a.jsonl"],
        &["play", "--squad", "missing"],
        &["play", "--scenario", "missing", "--faction", "scum"],
        &["play", "--player", "t65xwing", "--options", "missing"],
        &["catalog", "list", "--catalog", "missing"],
        &["catalog", "list", "--card-file", "missing"],
        &["catalog", "list", "--obstacles", "missing"],
        &["dice", "missing"],
        &["squad", "check", "missing"],
        &[
            "sim",
            "--player",
            "t65xwing",
            "--solo",
            "tielnfighter",
            "-n",
            "1",
            "--csv",
            "missing/a.csv",
        ],
    ];
    for arguments in cases {
        let (code, _, said) = tallyho(at, arguments);
        assert_eq!(code, Some(1), "{arguments:?}: {said}");
        let error = said.lines().find(|line| line.starts_with("tallyho: ")).unwrap();
        assert!(error.contains("missing"), "{arguments:?}: {error}");
        let times = error.matches("os error").count();
        assert!(times <= 1, "{arguments:?}: {error}");
        let parts: Vec<&str> = error.split(": ").collect();
        let mut once = parts.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), parts.len(), "{arguments:?}: {error}");
    }
}

#[test]
fn one_is_not_counted_as_many() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let squad = r#"{"faction": "rebelalliance", "pilots": [{"id": "lukeskywalker", "ship": "t65xwing"}]}"#;
    std::fs::write(at.join("mine.xws"), squad).unwrap();
    std::fs::write(at.join("bad.jsonl"), "{}\n").unwrap();
    let sim = [
        "sim",
        "--player",
        "t65xwing",
        "--solo",
        "tielnfighter",
        "-n",
        "1",
        "--threads",
        "1",
        "--audit",
    ];
    for arguments in [
        &sim[..],
        &["squad", "check", "mine.xws"],
        &["decide", "--jsonl", "bad.jsonl"],
    ] {
        let (_, told, said) = tallyho(at, arguments);
        let all = format!("{told}{said}");
        for word in all.split_whitespace().collect::<Vec<_>>().windows(2) {
            let plural = word[1].trim_end_matches([',', ':', '.', ';', ')']);
            let many = [
                "games",
                "threads",
                "ships",
                "positions",
                "rules",
                "moments",
                "points",
                "warnings",
                "lines",
            ];
            assert!(
                word[0] != "1" || !many.contains(&plural),
                "{arguments:?}: 1 {plural}: {all}"
            );
        }
        assert!(
            all.contains("1 game") || all.contains("1 ship") || all.contains("1 position"),
            "{all}"
        );
    }
}

#[test]
fn several_solo_ships_of_a_line_are_decided_each() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let ship = |id: &str, side: &str, y: u32| {
        format!(
            r#"{{"id": "{id}", "side": "{side}", "ship": "tielnfighter", "initiative": 3, "x": 400, "y": {y}, "heading": 0}}"#
        )
    };
    let ships = [ship("a", "solo", 100), ship("b", "solo", 250), ship("c", "player", 600)].join(", ");
    let line = format!(r#"{{"id": "two", "ships": [{ships}]}}"#);
    let named = format!(r#"{{"id": "one", "active": "b", "ships": [{ships}]}}"#);
    std::fs::write(at.join("lines.jsonl"), format!("{line}\n{named}\n")).unwrap();
    let (code, told, said) = tallyho(at, &["decide", "--jsonl", "lines.jsonl"]);
    assert_eq!((code, &*said), (Some(0), ""), "{told}");
    let answers: Vec<serde_json::Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [each, one] = &answers[..] else { panic!("{told}") };
    assert_eq!(each["id"], "two");
    let decided: Vec<&str> = (each["decisions"].as_array().unwrap().iter())
        .map(|answer| answer["ship"].as_str().unwrap())
        .collect();
    assert_eq!(decided, ["a", "b"]);
    // Each is the answer that the ship has when it is named.
    let mut of_b = each["decisions"][1].clone();
    of_b["id"] = one["id"].clone();
    assert_eq!(of_b, *one);
}

#[test]
fn a_column_that_is_there_twice_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let header = "case,edition,atk_dice,atk_focus,atk_lock,atk_calculate,atk_force,def_dice,def_focus,def_evade,def_calculate,\
                  def_force,def_reinforce";
    for double in ["case", "atk_dice", "def_reinforce"] {
        std::fs::write(at.join("dice.csv"), format!("{header},note,{double}\n")).unwrap();
        let (code, _, said) = tallyho(at, &["dice", "dice.csv"]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(&format!("more than one column {double};")), "{said}");
    }
    // Columns that are left alone may be doubled.
    std::fs::write(at.join("dice.csv"), format!("{header},note,note\n")).unwrap();
    assert_eq!(tallyho(at, &["dice", "dice.csv"]).0, Some(0));
}

#[test]
fn a_name_that_may_mean_several_things_lists_them() {
    let folder = tempfile::tempdir().unwrap();
    let (code, told, said) = tallyho(folder.path(), &["catalog", "show", "TIE fighter"]);
    assert_eq!((code, &*said), (Some(0), ""));
    for ship in ["tielnfighter", "tiefofighter", "tiesffighter", "modifiedtielnfighter"] {
        assert!(told.contains(ship), "{told}");
    }
}

#[test]
fn every_pilot_of_a_standard_loadout_can_be_flown() {
    let catalog = Catalog::embedded();
    let mut flown = 0;
    let mut with_notes = 0;
    for pilot in catalog.pilots() {
        let ship = catalog.ship_of(&pilot.ship, &pilot.faction).unwrap();
        if pilot.standard_loadout.is_empty() || ship.size == Size::Huge {
            continue;
        }
        let typed = format!("{}/{}", pilot.ship, pilot.xws);
        let members = squad::read(&typed, catalog);
        assert!(members.is_ok(), "{typed}: {members:?}");
        assert!(beginning::members(&typed, catalog).is_ok());
        let resolved = catalog.resolve(&pilot.ship, Some(&pilot.xws), [""; 0]).unwrap();
        let second = |note: &&ResolveNote| matches!(note, ResolveNote::SecondDevice(_));
        with_notes += resolved.notes.iter().filter(second).count();
        flown += 1;
    }
    assert!(flown > 40 && with_notes > 0, "{flown} flown, {with_notes} with a note");
    // What is typed beside it is still checked.
    let refused = squad::read("t65xwing+r2d2+r2d2", catalog).unwrap_err().to_string();
    assert!(refused.contains("listed twice"), "{refused}");
}

#[test]
fn a_game_that_the_program_played_on_both_sides_is_not_played_on() {
    let folder = tempfile::tempdir().unwrap();
    let games: [(&[&str], &str); 2] = [
        (
            &[
                "sim",
                "--player",
                "t65xwing",
                "--solo",
                "tielnfighter",
                "-n",
                "1",
                "--record",
                "ships",
            ],
            "ships",
        ),
        (
            &["sim", "--swm", "--size", "8x8", "-n", "1", "--record", "figures"],
            "figures",
        ),
    ];
    for (sim, records) in games {
        let (code, _, said) = tallyho(folder.path(), sim);
        assert_eq!(code, Some(0), "{said}");
        let mut files = std::fs::read_dir(folder.path().join(records)).unwrap();
        let record = files.next().unwrap().unwrap().path();
        // As one that was left in the middle.
        let whole = std::fs::read_to_string(&record).unwrap();
        let begun: String = whole.split_inclusive('\n').take(5).collect();
        std::fs::write(&record, &begun).unwrap();
        let (code, _, said) = tallyho(folder.path(), &["play", record.to_str().unwrap()]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("tallyho replay"), "{said}");
        assert_eq!(std::fs::read_to_string(&record).unwrap(), begun, "{records}");
    }
}

/// Whatever a file holds that is another's, damaged or no text at all: it is told with its name, in plain words, and nothing
/// panics.
#[test]
fn files_of_the_wrong_kind_are_told_in_plain_words() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let deep = "[".repeat(5000);
    let files: [(&str, Vec<u8>); 9] = [
        ("empty", Vec::new()),
        ("half-utf16", vec![0xff, 0xfe, 0]),
        ("latin1", b"ship A \xe4\r\n".to_vec()),
        (
            "noise",
            (0..4000_u32)
                .map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8)
                .collect(),
        ),
        ("deep-list", deep.clone().into_bytes()),
        ("deep-table", format!("name = {deep}").into_bytes()),
        ("cut.json", b"{\"pilots\": [{\"id\": \"x\", \r\n".to_vec()),
        ("words", b"nothing of the kind\r\n".to_vec()),
        (
            "tournament",
            b"[tournament]\r\nname = \"x\"\r\nseed = \"one\"\r\n".to_vec(),
        ),
    ];
    for (name, bytes) in &files {
        std::fs::write(at.join(name), bytes).unwrap();
    }
    let commands: [&[&str]; 11] = [
        &["tournament", "show"],
        &["decide"],
        &["decide", "--swm"],
        &["decide", "--jsonl"],
        &["squad", "check"],
        &["squad", "check", "--edition", "first"],
        &["replay", "--list"],
        &["play"],
        &["dice"],
        &["sim", "--escort", "--games", "1", "--escort-file"],
        &["catalog", "show", "xwing", "--catalog"],
    ];
    for command in commands {
        for (name, _) in &files {
            let (code, out, said) = tallyho(at, &[command, &[*name]].concat());
            // Lines without a position are passed over, and the map of a skirmish is free text.
            let may_pass = command == ["decide", "--jsonl"] && *name == "empty";
            assert!(
                may_pass || matches!(code, Some(1..=3)),
                "{command:?} {name}: {code:?} {out}{said}"
            );
            for jargon in [
                "panicked",
                "EOF",
                "expected ident",
                "parse",
                "serde",
                "expected value",
                "invalid type",
                "trailing",
                "recursion",
                "struct",
                "u32",
                "u64",
            ] {
                assert!(
                    !said.contains(jargon) && !out.contains(jargon),
                    "{command:?} {name}: {out}{said}"
                );
            }
        }
    }
}
