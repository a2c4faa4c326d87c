//! `tallyho scenario`.

use tallyho::{
    bridge::{position, text},
    xwing::catalog::Catalog,
};

pub fn tallyho() -> assert_cmd::Command {
    assert_cmd::Command::cargo_bin("tallyho").unwrap()
}

pub fn stdout(arguments: &[&str]) -> String {
    let output = tallyho().args(arguments).assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

#[test]
fn every_form_of_output_is_written() {
    let base = [
        "scenario",
        "intro",
        "--faction",
        "Rebel Alliance",
        "--seed",
        "4",
        "--format",
    ];
    let with = |format| stdout(&[&base[..], &[format]].concat());
    let fixture = text::parse(&with("text"), Catalog::embedded()).unwrap().table;
    assert_eq!(
        position::parse(&with("json"), Catalog::embedded()).unwrap().table,
        fixture
    );
    assert!(with("svg").starts_with("<svg"));
    // No number has a tail of binary digits.
    for format in ["text", "json", "tts"] {
        let written = with(format);
        let numbers = written.split(|c: char| !c.is_ascii_digit() && c != '.');
        for number in numbers.filter(|number| number.contains('.')) {
            let digits = number
                .split_once('.')
                .map_or(0, |(_, digits)| digits.trim_end_matches('.').len());
            assert!(digits <= 4, "{format}: {number}");
        }
    }
    let list: serde_json::Value = serde_json::from_str(&with("tts")).unwrap();
    assert_eq!(list["format"], "tallyho-spawn-1");
    let counts = ["markers", "obstacles", "ships"].map(|key| list[key].as_array().unwrap().len());
    assert_eq!(counts, [2, 6, 8]);
    for entry in list["ships"].as_array().unwrap() {
        let ship = fixture.ship(entry["id"].as_str().unwrap()).unwrap();
        assert_eq!(entry["ship"], ship.chassis.as_str());
        assert_eq!(entry.get("tts").is_some(), ship.in_play());
        if ship.in_play() {
            // World units about the middle of the mat, nose at local -z.
            let x = (ship.pose.position.x - 457.2) * 0.036_37;
            assert!((entry["tts"]["x"].as_f64().unwrap() - x).abs() < 1e-3);
            let facing = (ship.pose.heading + 180.0).rem_euclid(360.0);
            assert!((entry["tts"]["rotY"].as_f64().unwrap() - facing).abs() < 1e-3);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.txt");
    let out = ["text", "--out", path.to_str().unwrap()];
    assert_eq!(stdout(&[&base[..], &out].concat()), "");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), with("text"));
}

#[test]
fn mistakes_on_the_command_line_end_with_a_remedy() {
    let stderr = |arguments: &[&str]| {
        let output = tallyho().args(arguments).assert().failure().get_output().stderr.clone();
        String::from_utf8(output).unwrap()
    };
    let unknown = stderr(&["scenario", "outro", "--faction", "scum"]);
    assert!(
        unknown.contains("give `intro`, `mirror`, or the path of a scenario file"),
        "{unknown}"
    );
    let none = stderr(&["scenario", "intro"]);
    assert!(none.contains("--faction <FACTION>"), "{none}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.txt");
    std::fs::write(&path, "ship A tielnfighter solo 400,400 @0\n").unwrap();
    let table = [
        "scenario",
        "intro",
        "--faction",
        "scum",
        "--round",
        "4",
        "--table",
        path.to_str().unwrap(),
    ];
    let other = stderr(&table);
    assert!(
        other.contains("has 0 points named marker-1 and so on, the scenario 2 markers"),
        "{other}"
    );
}
