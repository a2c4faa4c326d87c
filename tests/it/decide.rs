//! `tallyho decide` as its users run it: answers for programs, for people, pictures, and what it says to mistakes.

use std::{fs, path::Path};

use assert_cmd::Command;
use expect_test::{expect, expect_file};
use serde_json::Value;

use crate::positions_300;

fn decide(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
    command.arg("decide").args(arguments).env_remove("TALLYHO_CATALOG");
    command
}

/// Standard output of a run that must succeed.
fn output(arguments: &[&str], input: &str) -> String {
    let run = decide(arguments).write_stdin(input).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

/// What a run that must fail says on standard error.
fn complaint(arguments: &[&str], input: impl Into<Vec<u8>>) -> String {
    let run = decide(arguments).write_stdin(input).assert().code(1);
    assert_eq!(String::from_utf8_lossy(&run.get_output().stdout), "");
    String::from_utf8(run.get_output().stderr.clone()).unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().filter_map(Value::as_str).collect()
}

/// Whether an answer's end is the expected one, to 0.05 mm and 0.05 degrees.
fn same_end(answer: &Value, outcome: &Value) -> bool {
    let apart = |key: &str| (answer[key].as_f64().unwrap() - outcome[key].as_f64().unwrap()).abs();
    let turned = apart("heading");
    let same_ids = |key: &str| {
        let (mut found, mut expected) = (texts(&answer[key]), texts(&outcome[key]));
        found.sort_unstable();
        expected.sort_unstable();
        found == expected
    };
    apart("x") <= 0.05
        && apart("y") <= 0.05
        && turned.min(360.0 - turned) <= 0.05
        && answer["full"] == outcome["full"]
        && answer["edge"] == outcome["edge"]
        && ["bumped", "crossed", "suffered"].into_iter().all(same_ids)
}

/// SA-9: whether an attack is among the expected ones, to 0.05 mm, or absent where none is expected.
fn same_attack(engage: &Value, expected: &[Value]) -> bool {
    let same = |attack: &Value| {
        let apart = engage["distance"].as_f64().unwrap_or(f64::NAN) - attack["distance"].as_f64().unwrap();
        let same_keys = ["weapon", "target", "attack_range", "obstructed"].map(|key| engage[key] == attack[key]);
        apart.abs() <= 0.05 && !same_keys.contains(&false)
    };
    match engage {
        Value::Null => expected.is_empty(),
        _ => expected.iter().any(same),
    }
}

/// SA-3 to SA-9: the lines of `--jsonl`, in the notations of the position format, against the independent answers.
#[test]
fn jsonl_answers_to_300_positions_are_admissible() {
    let output = output(&["--jsonl", "-"], positions_300::POSITIONS);
    let answers: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 300);
    for (answer, (_, position, expected)) in answers.iter().zip(positions_300::all()) {
        assert_eq!(answer["id"], position.id);
        assert!(answer.get("warnings").is_none(), "{answer}");
        let engage = &answer["engage"];
        let attacks = expected["engage"]["answers"].as_array().unwrap();
        assert!(
            same_attack(engage, attacks),
            "engage {engage}, admissible: {attacks:?}, {answer}"
        );
        let admissible = &expected["admissible"];
        for (key, set) in [
            ("tally", "tally"),
            ("chart", "chart"),
            ("exceptions", "exceptions"),
            ("maneuver", "maneuvers"),
            ("attitude", "attitude"),
        ] {
            let set = texts(&admissible[set]);
            let fits = answer[key]
                .as_str()
                .map_or(set.is_empty(), |found| set.contains(&found));
            assert!(fits, "{key} of {answer}, admissible: {set:?}");
        }
        let actions: Vec<&Value> = (expected["branches"].as_array().unwrap().iter())
            .filter(|branch| branch["code"] == answer["maneuver"] && branch["tally"] == answer["tally"])
            .flat_map(|branch| branch["outcomes"].as_array().unwrap())
            .filter(|outcome| same_end(answer, outcome))
            .flat_map(|outcome| outcome["actions"].as_array().unwrap())
            .map(|action| &action["action"])
            .collect();
        assert!(
            actions.contains(&&answer["action"]),
            "{answer}, admissible actions there: {actions:?}"
        );
    }
}

/// Every file of `tests/cases/decide` is a position with `# expect FIELD VALUE` lines: a new ruling needs a file there.
#[test]
fn cases_come_out_as_their_files_expect() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/decide");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 15);
    let mut wrong = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy();
        let text = fs::read_to_string(&file).unwrap();
        let report: Value = serde_json::from_str(&output(&["--json", "-", "--ship", "S"], &text)).unwrap();
        let answer = &report["decisions"][0];
        let expectations = text.lines().filter_map(|line| line.strip_prefix("# expect "));
        assert!(expectations.clone().count() > 0, "{name} expects nothing");
        for expectation in expectations {
            let (key, expected) = expectation.split_once(' ').unwrap_or((expectation, ""));
            // `engage.target` is a field of a field.
            let found = match answer.pointer(&format!("/{}", key.replace('.', "/"))) {
                None => panic!("{name}: no field {key}"),
                Some(Value::String(text)) => text.clone(),
                Some(list @ Value::Array(_)) => texts(list).join(","),
                Some(other) => other.to_string(),
            };
            let same = match (found.parse::<f64>(), expected.parse::<f64>()) {
                (Ok(found), Ok(expected)) => (found - expected).abs() <= 0.05,
                _ => found == expected,
            };
            if !same {
                wrong.push(format!(
                    "{name}: {key} is {found}, expected {expected}; {}",
                    answer["sentence"]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// SA-9: for people, whom each solo ship attacks from where it stands, the highest initiative first.
#[test]
fn engagements_are_told_with_their_reasons() {
    let table = "ship A tielnfighter solo 457,300 @0 init 1\nship B tielnfighter solo 600,300 @0 init 4\n\
                 ship E t65xwing player 457,440 @180 init 1\n";
    let said = output(&["-", "--engage"], table);
    expect![[r#"
        B attacks E with its front arc (2 dice) at range 2: 2 attack dice.

        Why
          SA-9c       attacks with its front arc (2 dice), the first primary weapon with a legal target
                      front arc (2 dice)  2 dice  chosen, a primary weapon
          SA-9.3      attacks E at range 2, the nearest in its arc and range
                      E  143.6 mm  chosen
          SA-9        rolls 2 attack dice; the defender adds 0 defence dice

        A attacks E with its front arc (2 dice) at range 1: 3 attack dice.

        Why
          SA-9c       attacks with its front arc (2 dice), the first primary weapon with a legal target
                      front arc (2 dice)  2 dice  chosen, a primary weapon
          SA-9.3      attacks E at range 1, the nearest in its arc and range
                      E  100.0 mm  chosen
          SA-9        rolls 3 attack dice, one of them for range; the defender adds 0 defence dice
    "#]]
    .assert_eq(&said);
}

#[test]
fn a_bad_line_is_answered_with_its_error_and_the_run_goes_on() {
    let good = positions_300::POSITIONS.lines().next().unwrap();
    let mut input = format!("{good}\n\nnonsense\n").into_bytes();
    input.extend(b"\xff\xfe\n");
    input.extend(
        r#"{"id": "q", "ships": [{"id": "A", "side": "solo", "ship": "nosuchship", "x": 1, "y": 2, "heading": 0}]}"#
            .as_bytes(),
    );
    input.extend(b"\n");
    input.extend(br#"{"id": "r", "active": "A", "ships": [{"id": "A", "side": "solo", "ship": "tielnfighter", "x": 1, "y": 2, "heading": 0, "status": "docked"}]}"#);
    input.extend(b"\n{\"id\": \"s\", \"ships\": [");
    input.extend(format!("\n{good}").as_bytes());
    let run = decide(&["--jsonl"]).write_stdin(input).assert().code(1);
    let lines: Vec<Value> = (String::from_utf8_lossy(&run.get_output().stdout).lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [first, nonsense, bytes, unknown, docked, torn, last] = &lines[..] else {
        panic!("{lines:?}")
    };
    assert_eq!(first, last);
    assert!(nonsense["id"].is_null() && nonsense["line"] == 3);
    assert!(bytes["error"].as_str().unwrap().contains("not UTF-8"));
    assert_eq!(unknown["id"], "q");
    assert!(
        unknown["error"]
            .as_str()
            .unwrap()
            .starts_with("ships[0].ship: the catalog has no ship"),
        "{unknown}"
    );
    assert!(docked["error"].as_str().unwrap().contains("not in play"), "{docked}");
    assert!(
        torn["error"].as_str().unwrap().ends_with("at line 1 column 22"),
        "{torn}"
    );
    let said = String::from_utf8_lossy(&run.get_output().stderr);
    assert_eq!(
        said,
        "tallyho: 5 of 7 positions could not be answered; their lines have an `error`\n"
    );
}

#[test]
fn an_answer_is_there_before_the_next_position_comes() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_tallyho"))
        .args(["decide", "--jsonl"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap()).lines();
    for position in positions_300::POSITIONS.lines().take(3) {
        writeln!(to, "{position}").unwrap();
        let answer: Value = serde_json::from_str(&from.next().unwrap().unwrap()).unwrap();
        assert!(answer.get("error").is_none());
    }
    drop(to);
    assert!(from.next().is_none());
    assert!(child.wait().unwrap().success());
}

const TWO_SOLO: &str = "\
ship B tielnfighter solo 400,300 @0 init 5
ship A tielnfighter solo 500,300 @0 init 5 stress 1
ship Z tielnfighter solo 600,300 @0 init 1 name \"Last Letter\"
ship E t65xwing player 450,600 @180 init 4
ship H t65xwing player 450,600 @180 init 4 docked
asteroid rock coreasteroid0 300,500 @30
";

#[test]
fn the_same_seed_gives_the_same_answer_and_another_may_not() {
    let run = |seed: &str| output(&["--json", "--seed", seed, "-"], TWO_SOLO);
    assert_eq!(run("7"), run("7"));
    let reversed: Vec<&str> = TWO_SOLO.lines().rev().collect();
    assert_eq!(output(&["--json", "--seed", "7", "-"], &reversed.join("\n")), run("7"));
    let seeds: std::collections::BTreeSet<String> = (0..8).map(|seed| run(&seed.to_string())).collect();
    assert!(seeds.len() > 1);
    assert_eq!(output(&["-"], TWO_SOLO), output(&["--seed", "0", "-"], TWO_SOLO));
}

#[test]
fn without_a_name_all_solo_ships_are_decided_in_initiative_order() {
    let all = output(&["-"], TWO_SOLO);
    assert!(all.starts_with("3 solo ships in initiative order: Z, A, B."), "{all}");
    let report: Value = serde_json::from_str(&output(&["--json", "-"], TWO_SOLO)).unwrap();
    let ships: Vec<_> = report["decisions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["ship"])
        .collect();
    assert_eq!(ships, ["Z", "A", "B"]);
    // By id, and by name in any case.
    for name in ["Z", "last letter"] {
        let one = output(&["--ship", name, "--json", "-"], TWO_SOLO);
        let one: Value = serde_json::from_str(&one).unwrap();
        assert_eq!(one["decisions"], Value::from(vec![report["decisions"][0].clone()]));
    }
}

#[test]
fn a_person_reads_the_sentence_then_the_points_then_the_reasons() {
    expect![[r#"
        S is after E (113 mm, side chart); rolled evade/focus: slowest turn towards the tally. It flies
        white 1 turn right; Defensive, it takes an evade token, of which it has none.

          Tally       E, 112.7 mm away (SA-3.1d)
          Chart       side
          Roll        evade/focus
          Entry       slowest turn towards the tally
          Maneuver    white 1 turn right (1YW)
          Ends at     455.0,455.0 @90.0
          Attitude    Defensive
          Action      takes an evade token, of which it has none

        Why
    "#]]
    .assert_eq(
        output(&[&case("worked-example")], "")
            .split_inclusive("Why\n")
            .next()
            .unwrap(),
    );
}

fn case(name: &str) -> String {
    format!("{}/tests/cases/decide/{name}.txt", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn pictures_are_written_one_a_ship() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.svg");
    output(&["--svg", file.to_str().unwrap(), "--ship", "A", "-"], TWO_SOLO);
    assert!(roxmltree::Document::parse(&fs::read_to_string(&file).unwrap()).is_ok());
    fs::remove_file(&file).unwrap();
    output(
        &["--svg", file.to_str().unwrap(), "-"],
        &TWO_SOLO.replace(" A ", " A/.. "),
    );
    let mut names: Vec<_> = (fs::read_dir(folder.path()).unwrap())
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["picture-A_...svg", "picture-B.svg", "picture-Z.svg"]);
    // Two ids that make the same file name, for some systems.
    for name in names {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    let alike = TWO_SOLO
        .replace(" A ", " z/ ")
        .replace(" B ", " Z_ ")
        .replace(" Z ", " z_ ");
    output(&["--svg", file.to_str().unwrap(), "-"], &alike);
    let mut names: Vec<_> = (fs::read_dir(folder.path()).unwrap())
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["picture-Z_-2.svg", "picture-z_-3.svg", "picture-z_.svg"]);
    let said = complaint(&["--svg", "/no/such/folder/x.svg", "--ship", "A", "-"], TWO_SOLO);
    assert!(said.contains("cannot write /no/such/folder/x.svg"), "{said}");
}

#[test]
fn every_example_is_decided_without_a_warning() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut count = 0;
    for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if file
            .extension()
            .is_some_and(|extension| extension == "txt" || extension == "json")
        {
            let run = decide(&[file.to_str().unwrap()]).assert().success();
            assert_eq!(
                String::from_utf8_lossy(&run.get_output().stderr),
                "",
                "{}",
                file.display()
            );
            count += 1;
        }
    }
    assert!(count >= 4);
}

/// A GUID tells a player nothing: the report and the picture's text say the ships' names.
#[test]
fn ids_that_no_player_reads_give_way_to_names() {
    let position = r#"{"ships": [
        {"id": "c0ffee", "name": "Academy Pilot", "side": "solo", "ship": "tielnfighter", "x": 400, "y": 400, "heading": 0,
         "initiative": 1},
        {"id": "beef01", "name": "Luke Skywalker", "side": "player", "ship": "t65xwing", "x": 420, "y": 600, "heading": 180,
         "initiative": 5}]}"#;
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("picture.svg");
    let told = output(&["--svg", picture.to_str().unwrap(), "-"], position);
    assert!(told.starts_with("Academy Pilot is after Luke Skywalker ("), "{told}");
    assert!(!told.contains("c0ffee") && !told.contains("beef01"), "{told}");
    // The label of each ship still holds its id.
    let picture = fs::read_to_string(picture).unwrap();
    assert!(
        picture.contains("<desc>Academy Pilot is after Luke Skywalker ("),
        "{picture}"
    );
    let json = output(&["--json", "-"], position);
    assert!(
        json.contains(r#""ship": "c0ffee""#) && json.contains(r#""tally": "beef01""#),
        "{json}"
    );
}

/// Every object of a save is spoken of by its name on the table, ships and obstacles alike.
#[test]
fn a_save_is_answered_in_names() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/tts/save/game.json");
    let mut save: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let objects = save["ObjectStates"].as_array_mut().unwrap();
    let asteroid = |object: &Value| {
        object["Nickname"]
            .as_str()
            .is_some_and(|name| name.starts_with("Asteroid"))
    };
    let rock = objects.iter().find(|object| asteroid(object)).expect("a rock").clone();
    let ships: Vec<Value> = (objects.iter())
        .filter(|object| {
            object["Tags"].to_string().contains("Ship") || object["LuaScriptState"].to_string().contains("shipId")
        })
        .cloned()
        .collect();
    assert!(!ships.is_empty());
    // Rocks all around every ship, so that each decision speaks of some.
    let mut number = 0;
    for ship in &ships {
        let place = |axis: &str| ship["Transform"][axis].as_f64().expect("a place");
        for (right, ahead) in (-3..=3).flat_map(|right| (-3..=3).map(move |ahead| (right, ahead))) {
            if (right, ahead) == (0, 0) {
                continue;
            }
            let mut near = rock.clone();
            near["GUID"] = format!("{:06x}", 0xbad_000 + number).into();
            near["Transform"]["posX"] = (place("posX") + f64::from(right) * 2.0).into();
            near["Transform"]["posZ"] = (place("posZ") + f64::from(ahead) * 2.0).into();
            objects.push(near);
            number += 1;
        }
    }
    let guids: Vec<String> = (objects.iter())
        .filter_map(|object| object["GUID"].as_str().map(str::to_owned))
        .collect();
    let known = output(&["--json", "-"], &save.to_string());
    let ids: Value = serde_json::from_str(&known).unwrap();
    let ship = ids["decisions"][0]["ship"].as_str().expect("a solo ship").to_owned();
    let said = output(&["--ship", &ship, "-"], &save.to_string());
    assert!(said.contains(rock["Nickname"].as_str().unwrap()), "{said}");
    for guid in &guids {
        assert!(!said.contains(guid), "{guid}: {said}");
    }
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("picture.svg");
    output(
        &["--ship", &ship, "--svg", picture.to_str().unwrap(), "-"],
        &save.to_string(),
    );
    let drawn = fs::read_to_string(picture).unwrap();
    assert!(
        drawn.contains(&format!(">{}<", rock["Nickname"].as_str().unwrap())),
        "{drawn}"
    );
    for guid in guids.iter().filter(|guid| guid.starts_with("bad")) {
        assert!(!drawn.contains(guid), "{guid}");
    }
}

#[test]
fn a_save_is_told_by_its_objects() {
    let said = complaint(&["-"], r#"{"SaveName": "x", "ObjectStates": []}"#);
    assert!(said.contains("there is no ship"), "{said}");
}

#[test]
fn mistakes_are_answered_with_the_place_and_the_remedy() {
    let two_lines = positions_300::POSITIONS.lines().take(2).collect::<Vec<_>>().join("\n");
    let cases: [(&[&str], &str, &str); 10] = [
        (&["/no/such/file"], "", "cannot open /no/such/file: No such file"),
        (&["/"], "", "cannot read /"),
        (&["-"], " \n", "standard input: nothing is in it"),
        (&["-"], &two_lines, "add --jsonl"),
        (&["-"], "[]", "a list is no position"),
        (&["-"], "shp A", "  | shp A\n  | ^"),
        (&["-"], "point P 1,2", "no ship on the table"),
        (
            &["-"],
            "ship A tielnfighter rebels 1,2 @0 init 1",
            "name the ship to decide for with --ship; there are A (rebels)",
        ),
        (
            &["--ship", "Q", "-"],
            TWO_SOLO,
            "there is no ship `Q`; there are A (solo), B (solo), E (player)",
        ),
        (&["--ship", "H", "-"], TWO_SOLO, "`H` is not in play"),
    ];
    for (arguments, input, expected) in cases {
        let said = complaint(arguments, input);
        assert!(
            said.starts_with("tallyho: ") && said.contains(expected),
            "{arguments:?} {said}"
        );
        assert!(!said.contains("panicked"));
    }
    let said = complaint(&["-"], b"ship \xff".to_vec());
    assert!(said.contains("byte 5 is not UTF-8"), "{said}");
    decide(&["--roll", "hit/evade", "-"]).assert().code(2);
    decide(&["--jsonl", "--svg", "x.svg", "-"]).assert().code(2);
}

#[test]
fn options_change_the_choices_of_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("options.json");
    // With the mark that some editors put before the first letter.
    fs::write(&file, "\u{feff}{\"changedDieSetsAttitude\": false}").unwrap();
    let case = case("stress-changes-a-red-entry");
    let report: Value =
        serde_json::from_str(&output(&["--json", "--options", file.to_str().unwrap(), &case], "")).unwrap();
    assert_eq!(report["decisions"][0]["attitude"], "Offensive");
    fs::write(&file, r#"{"changedDie": false}"#).unwrap();
    let said = complaint(&["--options", file.to_str().unwrap(), &case], "");
    assert!(said.contains("unknown field `changedDie`"), "{said}");
    fs::write(&file, " []").unwrap();
    let said = complaint(&["--options", file.to_str().unwrap(), &case], "");
    assert!(
        said.contains("options.json") && said.contains("write an object"),
        "{said}"
    );
}

/// A huge ship, and one without a dial, are the player's to fly; the others are decided all the same.
#[test]
fn a_ship_that_cannot_be_decided_for_costs_only_its_own_answer() {
    let huge = "ship L cr90corelliancorvette solo 200,200 @0 init 8\n";
    let empty = "ship N tielnfighter solo 700,200 @0 init 1 nodial\n";
    let table = format!("{TWO_SOLO}{huge}{empty}");
    let run = decide(&["--json", "-"]).write_stdin(table.clone()).assert().success();
    let report: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let ships: Vec<_> = report["decisions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|decision| &decision["ship"])
        .collect();
    assert_eq!(ships, ["Z", "A", "B"]);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    for expected in ["`L` is huge", "`N` has no maneuver"] {
        assert!(
            texts(&report["warnings"])
                .iter()
                .any(|warning| warning.contains(expected)),
            "{report}"
        );
        assert!(said.contains(expected), "{said}");
    }
    for ship in ["L", "N"] {
        let said = complaint(&["--ship", ship, "-"], table.clone());
        assert!(said.contains("by hand"), "{said}");
    }
    let said = complaint(&["-"], format!("{huge}{empty}"));
    assert!(
        said.contains("`L` is huge") && said.contains("no solo ship can be decided for"),
        "{said}"
    );
}

/// The user's outline of an obstacle takes the place of the built-in one.
#[test]
fn obstacles_come_from_the_users_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("outlines.toml");
    let wide = "[[obstacle]]\nid = \"coreasteroid0\"\noutline = [[-90, -10], [90, -10], [90, 10], [-90, 10]]\n";
    fs::write(&file, wide).unwrap();
    // The rock lies 80 mm beside the template: out of the way in its own shape, across it as a bar of 180 mm.
    let table = "ship S tielnfighter solo 400,300 @0\nship E t65xwing player 400,700 @180\nasteroid a coreasteroid0 480,380 @0\n";
    let crossed = |arguments: &[&str]| {
        let report: Value = serde_json::from_str(&output(
            &[arguments, &["--json", "--roll", "blank/blank", "-"]].concat(),
            table,
        ))
        .unwrap();
        report["decisions"][0]["crossed"].clone()
    };
    assert_eq!(crossed(&[]), serde_json::json!([]));
    assert_eq!(
        crossed(&["--obstacles", file.to_str().unwrap()]),
        serde_json::json!(["a"])
    );
    fs::write(&file, "[[obstacle]]\nid = \"coreasteroid0\"\noutline = [[1, 2]]\n").unwrap();
    let said = complaint(&["--obstacles", file.to_str().unwrap(), "-"], table);
    assert!(
        said.contains("outlines.toml") && said.contains("coreasteroid0"),
        "{said}"
    );
}

/// Editors and shells of Windows mark what they write, and some write UTF-16.
#[test]
fn a_file_is_read_in_the_encodings_of_windows() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/tie-after-xwing.txt")).unwrap();
    let expected = output(&["-"], &text);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Stellung ä.txt");
    let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let utf16 = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [marked.into_bytes(), utf16] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(output(&[path.to_str().unwrap()], ""), expected);
    }
    let options = folder.path().join("options.json");
    fs::write(&options, "\u{feff}{}").unwrap();
    assert_eq!(output(&["-", "--options", options.to_str().unwrap()], &text), expected);
}

#[test]
fn warnings_go_to_standard_error() {
    let run = decide(&["-"])
        .write_stdin("ship S tielnfighter solo 400,300 @0 init 1 lock nobody")
        .assert()
        .success();
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert_eq!(
        said,
        "warning: line 1, column 49: no object has the id `nobody`; left aside\n"
    );
}

/// Someone who looks at the first lines only has not met a failure.
#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let many = folder.path().join("many.jsonl");
    fs::write(&many, positions_300::POSITIONS.repeat(20)).unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_tallyho"))
        .args(["decide", "--jsonl", many.to_str().unwrap()])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let done = child.wait_with_output().unwrap();
    assert_eq!(
        (done.status.code(), String::from_utf8_lossy(&done.stderr).as_ref()),
        (Some(0), "")
    );
}

/// The picture in the documentation is the one that the program draws of the example; `UPDATE_EXPECT=1` renews it.
#[test]
fn the_documented_picture_is_current() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("decision.svg");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/tie-after-xwing.txt");
    output(&["--svg", file.to_str().unwrap(), example.to_str().unwrap()], "");
    expect_file!["../../docs/decision.svg"].assert_eq(&fs::read_to_string(file).unwrap());
}

const PLAIN_NAMES: &str = "edition first
ship A tiefighter solo 457,300 @0 pilot academypilot name \"Academy Pilot\"
ship A2 tiefighter solo 557,300 @0 pilot academypilot name \"Academy Pilot\"
ship B xwing player 500,520 @180 pilot lukeskywalker name Luke
";

/// Names that a position gives are told beside ids that stand as they are, and are taken as they are told.
#[test]
fn ships_of_short_ids_are_told_and_taken_by_name() {
    for arguments in [&["-"][..], &["--engage", "-"], &["--ship", "A", "-"]] {
        let told = output(arguments, PLAIN_NAMES);
        let key = "A is Academy Pilot, A2 is Academy Pilot 2, B is Luke.\n\n";
        assert_eq!(told.matches(key).count(), 1, "{told}");
    }
    let told = output(&["--ship", "academy pilot 2", "-"], PLAIN_NAMES);
    assert!(
        told.contains("Academy Pilot 2 is after B") && !told.contains("2 solo ships"),
        "{told}"
    );
    let json = serde_json::json!({"edition": "first", "ships": [
        {"id": "A", "ship": "tiefighter", "side": "solo", "x": 457, "y": 300, "heading": 0, "initiative": 1, "name": "Academy Pilot"},
        {"id": "A2", "ship": "tiefighter", "side": "solo", "x": 557, "y": 300, "heading": 0, "initiative": 1, "name": "Academy Pilot"},
    ]});
    let answer: Value = serde_json::from_str(&output(
        &["--jsonl", "--ship", "Academy Pilot 2", "-"],
        &json.to_string(),
    ))
    .unwrap();
    assert_eq!(answer["ship"], "A2", "{answer}");
    let said = complaint(&["--ship", "Academy Pilot", "-"], PLAIN_NAMES);
    assert!(said.contains("is the name of A and A2: give the id"), "{said}");
    // Nothing is said where nobody has a name, or a name says no more than the id.
    let nameless =
        "ship A tielnfighter solo 457,300 @0 init 1\nship Luke t65xwing player 500,520 @180 name Luke init 5\n";
    assert!(output(&["-"], nameless).starts_with("A is after Luke"));
}

/// FE-15: what the edition does not have is left aside, one warning each with its place and the remedy.
#[test]
fn what_is_of_another_edition_is_told() {
    let position = |edition: &str| {
        format!(
            "edition {edition}\nship A xwing solo 457,300 @0 init 2 focus 1 force 2 calculate 1 strain 1 deplete 1 done calculate\n\
             ship B xwing player 457,500 @180 init 2 size medium weapon protontorpedoes charges 3/3 needs calculate action red:boost\n"
        )
    };
    let run = decide(&["--json", "-"])
        .write_stdin(position("first"))
        .assert()
        .success();
    let answer: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let warnings: Vec<&str> = texts(&answer["warnings"]);
    for (place, what) in [
        ("line 2, column 45: ", "no force tokens: they are left aside"),
        ("line 2, column 53: ", "no calculate tokens: they are left aside"),
        ("line 2, column 65: ", "no strain tokens: they are left aside"),
        ("line 2, column 74: ", "no deplete tokens: they are left aside"),
        ("line 2, ", "no calculate action: it is left aside"),
        ("line 3, column 46: ", "no medium bases (FE-0.2)"),
        ("line 3, ", "no charges, its cards are discarded: `protontorpedoes`"),
        ("line 3, ", "no calculate tokens: `protontorpedoes` finds none"),
        ("line 3, ", "no coloured and no linked actions"),
    ] {
        let found = warnings.iter().filter(|warning| {
            warning.starts_with(place)
                && warning.contains(&format!("the first edition has {what}"))
                && warning.ends_with("; correct it, or say `edition second` for the position")
        });
        assert_eq!(found.count(), 1, "{what}: {warnings:#?}");
    }
    let second = position("second").replace("xwing", "t65xwing");
    let run = decide(&["--json", "-"]).write_stdin(second).assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(!said.contains("edition has no"), "{said}");
}

#[test]
fn an_edition_that_the_position_overrules_is_told() {
    let first = "edition first\nship A tiefighter solo 457,300 @0 init 1\n";
    let second = "edition second\nship A tielnfighter solo 457,300 @0 init 1\n";
    let silent = "ship A tiefighter solo 457,300 @0 init 1\n";
    for (text, asked, told) in [
        (first, "second", true),
        (second, "first", true),
        (first, "first", false),
        (silent, "first", false),
    ] {
        let run = decide(&["--edition", asked, "-"]).write_stdin(text).assert().success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        let expected = format!("is read so; --edition {asked} counts where a position says nothing");
        assert_eq!(said.contains(&expected), told, "{text}: {said}");
    }
    let line = r#"{"edition": "first", "ships": [{"id": "A", "ship": "tiefighter", "side": "solo", "x": 1, "y": 1, "heading": 0}]}"#;
    let answer = output(&["--edition", "second", "--jsonl", "-"], line);
    assert!(
        answer.contains("edition: the position says that it is of the first edition"),
        "{answer}"
    );
}

/// Who types a squad in place of a position is told how a position has the same.
#[test]
fn a_squad_in_place_of_a_position_is_told_how_to_write_it() {
    for (text, place, remedy) in [
        (
            "2*xwing/rookiepilot+protontorpedoes",
            "line 1, column 1",
            "a squad is typed so",
        ),
        (
            "xwing/rookiepilot",
            "line 1, column 1",
            "as in `ship A xwing solo 457,300 @0 pilot rookiepilot`",
        ),
        (
            "ship A 2*xwing/rookiepilot+protontorpedoes+r2d2 solo 3,3 @0",
            "line 1, column 8",
            "the type stands alone, here `xwing`, and behind its heading `pilot rookiepilot`; cards that fire stand behind it, \
             as in `weapon protontorpedoes weapon r2d2`",
        ),
        (
            "ship A xwing/rookiepilot solo 3,3 @0",
            "line 1, column 8",
            "here `xwing`, and behind its heading `pilot rookiepilot`\n",
        ),
    ] {
        let said = complaint(&["--edition", "first", "-"], text);
        assert!(said.contains(place) && said.contains(remedy), "{text}: {said}");
    }
}
