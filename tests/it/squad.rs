//! Squads of squad builders: read leniently, checked by the rules of squad building (SA-13).

use expect_test::{Expect, expect, expect_file};
use proptest::prelude::*;
use tallyho::xwing::{
    catalog::Catalog,
    squad::{Squad, check, xws},
};

mod first_edition;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/squad/");

fn checked(arguments: &[&str], code: i32) -> String {
    let arguments: Vec<String> = (arguments.iter())
        .map(|argument| match argument.ends_with(".json") {
            true => format!("{CASES}{argument}"),
            false => (*argument).to_owned(),
        })
        .collect();
    let mut command = assert_cmd::Command::cargo_bin("tallyho").unwrap();
    let output = command.args(["squad", "check"]).args(arguments).output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(code),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_builders_file_is_read_leniently() {
    expect_file!["../cases/squad/player.expected"].assert_eq(&checked(&["player.xws.json"], 0));
}

#[test]
fn what_is_not_known_or_not_allowed_is_named_with_its_place() {
    expect_file!["../cases/squad/odd.expected"].assert_eq(&checked(&["odd.xws.json"], 3));
}

#[test]
fn a_standard_loadout_comes_from_the_data() {
    expect_file!["../cases/squad/loadout.expected"].assert_eq(&checked(&["loadout.xws.json"], 3));
}

#[test]
fn sa_13_an_enemy_squad_is_measured_against_the_players() {
    let against = ["enemy.xws.json", "--enemy-of", "player.xws.json"];
    let whole = checked(&against, 3);
    let waves = checked(&[&against[..], &["--waves", "2,2,2"]].concat(), 0);
    let other = checked(&[&against[..], &["--waves", "3,1,2"]].concat(), 3);
    let sum = checked(&[&against[..], &["--waves", "2,2,1"]].concat(), 3);
    let few = checked(&["few.xws.json", "--enemy-of", "player.xws.json"], 3);
    let problems = |text: &str| {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("  ") && !line.starts_with("note"));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    expect![[r#"
        Raiders: Galactic Empire, 6 ships, 161 points
        problem: squad: has 161 points, the player 82; it may have 103 to 123 (125 to 150 %, SA-13)

        Raiders: Galactic Empire, 6 ships, 161 points
        All rules that can be checked hold.

        Raiders: Galactic Empire, 6 ships, 161 points
        problem: wave 1: has 68 points, the player 82; it may have 33 to 49 (about half, SA-13)
        problem: wave 2: has 24 points, the player 82; it may have 33 to 49 (about half, SA-13)

        Raiders: Galactic Empire, 6 ships, 161 points
        problem: waves: has 6 ships, the waves 2,2,1 have 5; give waves that add up

        Squad: Galactic Empire, 2 ships, Threat 5, 90 points
        problem: squad: has 2 ships, the player 2; take more and weaker ships (SA-13)
        problem: squad: has 90 points, the player 82; it may have 103 to 123 (125 to 150 %, SA-13)
    "#]]
    .assert_eq(&[whole, waves, other, sum, few].map(|text| problems(&text)).join("\n"));
}

/// A squad of so many ships of so much Threat.
fn of_threat(threats: &[u32]) -> Squad {
    let pilots: Vec<String> = threats
        .iter()
        .map(|threat| format!(r#"{{"id": "bluesquadronescort", "threat": {threat}}}"#))
        .collect();
    let text = format!(r#"{{"faction": "rebelalliance", "pilots": [{}]}}"#, pilots.join(","));
    xws::read(&text, Catalog::embedded()).unwrap()
}

#[test]
fn sa_13_threat_counts_in_place_of_points() {
    let catalog = Catalog::embedded();
    let player = |threats: &[u32]| check::player(&of_threat(threats), catalog).len();
    let fair = [&[2, 2][..], &[2, 3], &[1, 2], &[2], &[3], &[2, 2, 2, 2], &[3, 3, 2, 2]];
    assert_eq!(fair.map(player), [0; 7]);
    let unfair = [&[3, 3][..], &[1, 1], &[4], &[3, 3, 3, 2]];
    assert_eq!(unfair.map(player), [1; 4]);
    let four = of_threat(&[2, 2]);
    // 5 to 6 Threat for every 4.
    let enemy = |threats: &[u32]| check::enemy(&of_threat(threats), &four, None, catalog).len();
    assert_eq!(
        [
            enemy(&[2, 2, 1]),
            enemy(&[2, 2, 2]),
            enemy(&[1, 2, 1]),
            enemy(&[3, 2, 2])
        ],
        [0, 0, 1, 1]
    );
}

fn run_squad(arguments: &[&str], code: i32) -> String {
    let mut command = assert_cmd::Command::cargo_bin("tallyho").unwrap();
    let output = command.arg("squad").args(arguments).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{errors}");
    String::from_utf8(output.stdout).unwrap() + &errors
}

#[test]
fn quick_build_cards_are_listed_and_make_a_squad() {
    expect![[r#"
        academypilot                     Threat 1  Galactic Empire  Academy Pilot
        academypilot-2                   Threat 2  Galactic Empire  Academy Pilot and Academy Pilot
        soontirfel                       Threat 3  Galactic Empire  Soontir Fel + Afterburners + Stealth Device + Outmaneuver
    "#]]
    .assert_eq(
        &[
            run_squad(&["cards", "Academy", "Pilot"], 0),
            run_squad(&["cards", "Soontir Fel", "--threat", "3", "--faction", "empire"], 0)
                .lines()
                .next()
                .unwrap()
                .to_owned()
                + "\n",
        ]
        .concat(),
    );
    assert!(run_squad(&["cards", "nobody"], 1).contains("no Quick Build card of `nobody`"));
    assert!(run_squad(&["build", "academypilot", "nobody"], 1).contains("no Quick Build card `nobody`"));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.xws.json");
    let file = path.to_str().unwrap();
    let built = run_squad(&["build", "soontirfel", "academypilot-2", "--out", file], 0);
    assert_eq!(built, "");
    // The pair counts with its first ship, and the whole reads back as it was.
    expect![[r#"
        Quick Build: Galactic Empire, 3 ships, Threat 5, 121 points
           77  Soontir Fel (TIE/in Interceptor) + Afterburners + Stealth Device + Outmaneuver
           22  Academy Pilot (TIE/ln Fighter)
           22  Academy Pilot (TIE/ln Fighter)
        All rules that can be checked hold.
    "#]]
    .assert_eq(&run_squad(&["check", file], 0));
}

#[test]
fn sa_13_threat_of_ships_comes_from_their_quick_build_cards() {
    let catalog = Catalog::embedded();
    let read = |pilots: &str| {
        let text = format!(r#"{{"faction": "galacticempire", "pilots": [{pilots}]}}"#);
        let mut squad = xws::read(&text, catalog).unwrap();
        squad.find_threat(catalog);
        squad
    };
    let academy = r#"{"id": "academypilot"}"#;
    let fel = r#"{"id": "soontirfel", "upgrades": {"talent": ["outmaneuver"], "modification": ["stealthdevice", "afterburners"]}}"#;
    assert_eq!(read(&[academy, academy, fel].join(",")).threat(), Some(5));
    // Other upgrades than the card's.
    assert_eq!(read(&[academy, r#"{"id": "soontirfel"}"#].join(",")).threat(), None);
    // Cards of two ships, of which both are there; a third such ship has no card of its own.
    let black = r#"{"id": "blacksquadronace", "upgrades": {"talent": ["juke"], "modification": ["stealthdevice"]}}"#;
    let pair = read(&[black, academy, black].join(","));
    let threats: Vec<Option<u32>> = pair.ships.iter().map(|ship| ship.threat).collect();
    assert_eq!(threats, [Some(3), Some(1), Some(0)]);
    assert_eq!(read(&[black, black, black].join(",")).threat(), None);
}

#[test]
fn sa_13_a_squad_is_measured_in_the_unit_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, cards: &[&str]| {
        let file = folder.path().join(name).to_str().unwrap().to_owned();
        run_squad(&[&["build"], cards, &["--out", &file]].concat(), 0);
        file
    };
    let player = write("player.json", &["soontirfel"]);
    let enemy = write("enemy.json", &["academypilot-2", "nightbeast"]);
    let in_threat = run_squad(&["check", &enemy, "--enemy-of", &player, "--by", "threat"], 0);
    assert!(in_threat.contains("Threat 4"), "{in_threat}");
    let in_points = run_squad(&["check", &player, "--by", "points"], 3);
    assert!(
        in_points.contains("has 77 points; a squad of 1 may have 35 to 45"),
        "{in_points}"
    );
    let unknown = folder.path().join("unknown.json");
    std::fs::write(
        &unknown,
        r#"{"faction": "galacticempire", "pilots": [{"id": "soontirfel"}]}"#,
    )
    .unwrap();
    let refused = run_squad(&["check", unknown.to_str().unwrap(), "--by", "threat"], 1);
    assert!(
        refused.contains("pilots[0]: no Quick Build card has that pilot"),
        "{refused}"
    );
}

/// The first edition has no Quick Build cards: whoever asks for them is told, and is not sent to look for one.
#[test]
fn the_first_edition_offers_no_cards_and_no_threat() {
    for arguments in [
        &["cards"][..],
        &["cards", "academypilot"],
        &["build", "academypilot"],
        &["check", "xwing/rookiepilot", "--by", "threat"],
    ] {
        let said = run_squad(&[arguments, &["--edition", "first"]].concat(), 1);
        assert!(
            said.contains("the first edition has no Quick Build cards and no Threat: squads are built in points"),
            "{said}"
        );
    }
}

fn refused(text: &str, expected: &Expect) {
    expected.assert_eq(&xws::read(text, Catalog::embedded()).unwrap_err().to_string());
}

#[test]
fn what_is_no_squad_is_refused() {
    refused("[1]", &expect!["the file: holds no object; export the squad as XWS"]);
    refused("{}", &expect!["pilots: is missing; export the squad as XWS"]);
    refused(
        r#"{"pilots": 3}"#,
        &expect!["pilots: is no list; export the squad as XWS"],
    );
    refused(
        r#"{"pilots": ["luke"]}"#,
        &expect![[r#"pilots[0]: is no object; a pilot is { "id": ..., "upgrades": { ... } }"#]],
    );
    assert!(
        xws::read("ship A", Catalog::embedded())
            .unwrap_err()
            .to_string()
            .starts_with("this is no JSON")
    );
}

proptest! {
    #[test]
    fn no_file_panics_and_what_is_read_can_be_checked(text in r#"(\{"faction": ?("[a-z]{0,5}"|3|null), "pilots": ?\[(\{"id": ?"(lukeskywalker|academypilot|[a-z é]{0,9})", "upgrades": ?(\{"[a-zé-]{0,9}": ?("protontorpedoes"|\["r2d2", 3, null\]|\{\})\}|\[\]|null|7)\},?){0,2}\]\}|.{0,60})"#) {
        let catalog = Catalog::embedded();
        if let Ok(squad) = xws::read(&text, catalog) {
            check::player(&squad, catalog);
            check::enemy(&squad, &squad, Some([1, 1, 1]), catalog);
        }
    }
}
