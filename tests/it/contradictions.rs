//! What people write that contradicts itself, cannot be, or would show otherwise than it is: each is told with its place.

use std::{fs, path::Path, process::Output};

use assert_cmd::Command;
use tallyho::{
    bridge::{grid, position},
    xwing::{catalog::Catalog, scenario::Scenario},
};

fn tallyho(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
    command.args(arguments).write_stdin(input).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const MAP: &str = "  A  B  C\n1 .a .. .P\n";

#[test]
fn a_figure_that_is_described_in_two_ways_is_named() {
    let mistakes = [
        (
            "figure a 20/14/+5/10 force 1 force 2\n",
            "line 3: `force` is there twice for figure `a`",
        ),
        (
            "figure a 20/14/+5/10 speed 6 activated speed 8\n",
            "line 3: `speed` is there twice",
        ),
        (
            "figure a 20/14/+5/10 player automated\n",
            "line 3: figure `a` is said twice to be somebody's",
        ),
        (
            "figure a 20/14/+5/10\nfigure a 30/14/+5/10\n",
            "line 4: figure `a` is described twice",
        ),
        (
            "figure a 20/14/+5/10 at B1\n",
            "figures.a: its letter stands on A1, and `at` says B1",
        ),
        (
            "switch fof_first true\nswitch fof_first false\n",
            "line 4: `fof_first` is set twice",
        ),
        ("id one\nid two\n", "line 4: the position has an `id` already"),
    ];
    for (lines, told) in mistakes {
        let error = grid::parse_text(&format!("{MAP}{lines}")).unwrap_err().to_string();
        assert!(error.starts_with(told), "{lines}: {error}");
    }
    let json = |figures: &str| format!("{{\"map\": [\"1 .a .. .P\"], \"figures\": {figures}}}");
    let mistakes = [
        (
            json("{\"a\": {\"hp\": 10, \"hp\": 20}}"),
            "the position: figures.a.hp: it is there twice",
        ),
        (
            json("{\"a\": {\"hp\": 10}, \"a\": {\"hp\": 20}}"),
            "the position: figures.a: it is there twice",
        ),
        (
            json("{\"a\": {\"hp\": 10, \"hit_points\": 20}}"),
            "figures.a.hp: it means the same as `hit_points`",
        ),
        (
            json("[{\"id\": \"a\", \"hp\": 10}, {\"id\": \"a\", \"hp\": 20}]"),
            "figures.a: it is described twice",
        ),
        (
            json("{}, \"switches\": {\"north\": \"top\", \"northEdge\": \"left\"}"),
            "switches.northEdge: `north` is set twice",
        ),
        (json("{\"a\": 7}"), "figures.a: an object is expected, not `7`"),
        (
            json("{\"a\": {\"abilities\": [[]]}}"),
            "figures.a.abilities[0]: a text is expected, not a list",
        ),
        (json("{\"a\": {\"size\": {}}}"), "figures.a.size: "),
        ("{\"map\": 7}".to_owned(), "map: a list is expected, not `7`"),
    ];
    for (text, told) in &mistakes {
        let error = grid::parse_json(text).unwrap_err().to_string();
        assert!(error.starts_with(told), "{text}: {error}");
        for name in ["struct", "enum", "Wire", "u16"] {
            assert!(!error.contains(name), "{text}: {error}");
        }
    }
    // The same said twice contradicts nothing.
    for text in [
        json("{\"a\": {\"hp\": 10, \"hit_points\": 10}}"),
        json("{\"a\": {\"at\": \"A1\"}}"),
    ] {
        assert!(grid::parse_json(&text).is_ok(), "{text}");
    }
}

#[test]
fn faults_in_a_position_of_ships_name_no_types() {
    for (text, told) in [
        ("{\"ships\": 7}", "ships: a list is expected, not `7`"),
        ("{\"ships\": [7]}", "ships[0]: an object is expected, not `7`"),
        ("7", "an object is expected, not `7`"),
    ] {
        let error = position::parse(text, Catalog::embedded()).unwrap_err().to_string();
        assert!(error.starts_with(told), "{text}: {error}");
    }
}

#[test]
fn names_that_steer_what_is_shown_are_written_out() {
    let text = format!("{MAP}figure a 20/14/+5/10 name Good\u{202e}yug\u{1b}[31m\n");
    let position = grid::parse_text(&text).unwrap();
    assert_eq!(
        position.board.figure("a").unwrap().card.name,
        "Good\\u{202e}yug\\u{1b}[31m"
    );
    let ship = |name: &str| {
        format!(
            "{{\"ships\": [{{\"id\": \"A\", \"side\": \"solo\", \"ship\": \"tielnfighter\", \"name\": {name:?}, \"x\": 1, \"y\": 1, \"heading\": 0}}]}}"
        )
    };
    let named = |text: &str| {
        position::parse(text, Catalog::embedded()).unwrap().table.ships[0]
            .name
            .clone()
    };
    assert_eq!(named(&ship("Wedge")), "Wedge");
    assert_eq!(
        named(&ship("W").replace("\"W\"", "\"a\\u202eb\\u0007\"")),
        "a\\u{202e}b\\u{7}"
    );
}

#[test]
fn what_no_scenario_can_have_is_refused_with_the_reason() {
    let ambush = include_str!("../cases/scenario/ambush.toml");
    let refused = |right: &str, mistaken: &str| {
        assert!(ambush.contains(right), "{right}");
        let scenario = Scenario::parse(&ambush.replacen(right, mistaken, 1));
        match scenario {
            Err(error) => error.to_string(),
            Ok(scenario) => {
                let unknown = scenario.unknown_to(Catalog::embedded());
                unknown.iter().map(|error| format!("{error}\n")).collect()
            }
        }
    };
    let high = refused("height_mm = 600.0", "height_mm = 1e300");
    assert!(high.contains("area.height_mm: is 1e300") && high.len() < 120, "{high}");
    let far = ambush
        .find("within = ")
        .map(|at| &ambush[at..at + "within = 1".len()])
        .unwrap();
    let far = refused(far, "within = 99");
    assert!(far.contains("range 99 is farther than any play area"), "{far}");
    let ship = ambush
        .find("ship = \"")
        .map(|at| ambush[at..].split('}').next().unwrap().trim())
        .unwrap();
    let huge = refused(ship.split(',').next().unwrap(), "ship = \"gozanticlasscruiser\"");
    assert!(huge.contains("huge ships have rules of their own"), "{huge}");
}

#[test]
fn a_fault_in_a_line_of_many_positions_is_said_once() {
    for (arguments, line) in [
        (&["decide", "--swm", "--jsonl"][..], "{\"map\": 7}"),
        (&["decide", "--jsonl"], "{\"ships\": 7}"),
        (&["decide", "--swm", "--jsonl"], "{\"map\": "),
    ] {
        let output = tallyho(arguments, &format!("{line}\n"));
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let error = answer["error"].as_str().unwrap();
        let half = error.len() / 2;
        assert!(!error[half..].contains(&error[..half.min(20)]), "{error}");
    }
}

#[test]
fn a_record_whose_beginning_is_damaged_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let name = path.to_str().unwrap();
    for begin in [
        &[
            "play",
            "--player",
            "t65xwing",
            "--solo",
            "tielnfighter",
            "--seed",
            "1",
            "--save",
            name,
        ][..],
        &[
            "play", "--swm", "--size", "8x8", "--points", "30", "--seed", "1", "--save", name,
        ],
    ] {
        let _ = fs::remove_file(&path);
        assert!(tallyho(begin, &"\n".repeat(6)).status.success());
        let bytes = fs::read(&path).unwrap();
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap();
        for at in [0, 1, 5, 12, end / 2, end - 30] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            fs::write(&path, &damaged).unwrap();
            for arguments in [
                &["replay", name, "--list"][..],
                &["replay", name, "--check"],
                &["play", name],
            ] {
                let output = tallyho(arguments, "");
                assert_eq!(
                    output.status.code(),
                    Some(3),
                    "byte {at}, {arguments:?}: {}",
                    said(&output)
                );
                assert!(
                    said(&output).contains("line 1 is damaged"),
                    "byte {at}: {}",
                    said(&output)
                );
            }
            assert_eq!(fs::read(&path).unwrap(), damaged, "it is left as it was");
        }
        // An editor's mark before it damages nothing.
        fs::write(&path, [b"\xef\xbb\xbf", &bytes[..]].concat()).unwrap();
        assert!(tallyho(&["replay", name, "--check"], "").status.success());
        assert!(tallyho(&["play", name], "\nquit\n").status.success());
        assert!(tallyho(&["replay", name, "--check"], "").status.success());
    }
    fs::write(&path, "dear diary\n").unwrap();
    assert_eq!(tallyho(&["replay", name], "").status.code(), Some(1));
}

#[test]
fn options_of_the_other_game_are_refused_and_everyday_names_taken() {
    for (arguments, option) in [
        (&["sim", "--swm", "--scenario", "intro"][..], "--scenario"),
        (&["sim", "--swm", "--policy", "solo"], "--policy"),
        (
            &["sim", "--swm", "--first", "solo", "--any-stress-makes-focus"],
            "--first, --any-stress-makes-focus",
        ),
        (&["sim", "--swm", "--squad", "mine.json"], "--squad"),
        (&["play", "--swm", "--faction", "scum"], "--faction"),
        (&["play", "--swm", "--options", "own.json"], "--options"),
    ] {
        let output = tallyho(arguments, "");
        let told = said(&output);
        assert!(
            !output.status.success() && told.contains(&format!("{option} ")),
            "{arguments:?}: {told}"
        );
        assert!(told.contains("leave --swm out"), "{told}");
    }
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.jsonl");
    let save = save.to_str().unwrap();
    let begin = [
        "play",
        "--player",
        "t65xwing",
        "--solo",
        "TIE fighter",
        "--seed",
        "1",
        "--save",
        save,
    ];
    let shown = tallyho(&begin, "quit\n");
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(
        shown.contains("against TIE fighter") || shown.contains("TIE/ln"),
        "{shown}"
    );
    assert!(Path::new(save).exists());
}

#[test]
fn what_is_not_asked_for_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
    let output = command.arg("schema").current_dir(folder.path()).output().unwrap();
    assert!(output.status.success());
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(schema.is_object());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // Pictures under names that nobody gave are named.
    let position = folder.path().join("two.txt");
    fs::write(
        &position,
        "  A  B  C\n1 .a .b .P\nfigure a 20/14/+5/10\nfigure b 20/14/+5/10\nfigure P 20/14/+5/10\n",
    )
    .unwrap();
    let svg = folder.path().join("two.svg");
    let output = tallyho(
        &[
            "decide",
            "--swm",
            position.to_str().unwrap(),
            "--svg",
            svg.to_str().unwrap(),
        ],
        "",
    );
    for picture in ["two-a.svg", "two-b.svg"] {
        assert!(
            said(&output).contains(picture) && folder.path().join(picture).exists(),
            "{}",
            said(&output)
        );
    }
}
