//! Scenario files of users: mistakes, rules that nothing satisfies, and a file that is played.

use expect_test::expect;
use geo::{Distance, Euclidean, Polygon};
use tallyho::{
    bridge::text,
    xwing::{
        catalog::Catalog,
        scenario::{
            Scenario, ScenarioError,
            muster::{self, Wishes},
            setup,
        },
        ship::Status,
    },
};

use super::{checker::polygon, command_line::stdout, wishes};

const AMBUSH: &str = include_str!("../../cases/scenario/ambush.toml");

#[test]
fn mistakes_in_a_scenario_file_are_named_with_their_place() {
    let mistakes = [
        ("player_edge = \"east\"", "player_edge = \"left\""),
        ("first_player = \"solo\"", "first_payer = \"solo\""),
        ("width_mm = 914.4", "width_mm = 3"),
        ("place = { hunter = 1 }", "place = { hunters = 1 }"),
        ("at_most = 0", "at_mos = 0"),
        ("{ courier = 1, hunter = 1 }", "{ courier = 1, hunter = 1000 }"),
        ("usual = 1", "usual = 4"),
        (
            "arrives = { corner = [\"south_west\", \"north_west\", \"north_east\"] }",
            "arrives = \"marker\"",
        ),
        ("id = \"hunter\"", "id = \"Hunter 1\""),
        ("tallyho-scenario-1", "tallyho-scenario-9"),
    ];
    let mut said = String::new();
    for (right, mistaken) in mistakes {
        assert!(AMBUSH.contains(right), "{right}");
        let error = Scenario::parse(&AMBUSH.replacen(right, mistaken, 1)).unwrap_err();
        assert!(matches!(error, ScenarioError::Form(_) | ScenarioError::Value { .. }));
        said += &format!("{}\n", error.to_string().trim_end());
    }
    expect![[r#"
        this is no scenario file: TOML parse error at line 6, column 15
          |
        6 | player_edge = "left"
          |               ^^^^^^
        unknown variant `left`, expected one of `south`, `north`, `west`, `east`
        this is no scenario file: TOML parse error at line 7, column 1
          |
        7 | first_payer = "solo"
          | ^^^^^^^^^^^
        unknown field `first_payer`, expected one of `format`, `id`, `name`, `area`, `player_edge`, `first_player`, `player_ships`, `markers`, `obstacles`, `retreat`, `group`, `wave`, `variant`, `ending`, `squad`
        area.width_mm: is 3; give millimetres between 100 and 4000
        wave[2].place: there is no group `hunters`; there are courier, hunter
        this is no scenario file: TOML parse error at line 47, column 34
           |
        47 | when = { destroyed = ["hunter"], at_mos = 0 }
           |                                  ^^^^^^
        unknown field `at_mos`, expected one of `destroyed`, `at_least`, `at_most`
        wave[0].place.hunter: give at most 24
        player_ships: give 1 <= usual <= most <= 24
        group[1].arrives: there are no markers; set markers.count, or let it arrive elsewhere
        group[1].id: `Hunter 1`: use small letters and `_`
        format: is `tallyho-scenario-9`; this program reads `tallyho-scenario-1`
    "#]].assert_eq(&said);
}

#[test]
fn rules_without_any_layout_end_in_an_error() {
    let text = AMBUSH.replacen(
        "from_edges = { beyond = 1 }\napart = { at = 2 }",
        "from_edges = { beyond = 2 }\napart = { at = 9 }",
        1,
    );
    let scenario = Scenario::parse(&text).unwrap();
    let wishes = Wishes {
        player_ships: 1,
        ..wishes("rebelalliance", "galacticempire")
    };
    let muster = muster::muster(&scenario, Catalog::embedded(), &wishes).unwrap();
    let error = setup::set_up(&scenario, &muster, Catalog::embedded(), 1).unwrap_err();
    assert!(
        matches!(&error, ScenarioError::NoRoom(text) if text.contains("loosen the distances of [obstacles]")),
        "{error}"
    );
}

#[test]
fn a_users_scenario_is_played_from_its_file_alone() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/scenario/ambush.toml");
    let base = [
        "scenario",
        file,
        "--faction",
        "rebelalliance",
        "--enemy",
        "galacticempire",
        "--seed",
        "2",
    ];
    let text = stdout(&base);
    let table = text::parse(&text, Catalog::embedded()).unwrap().table;
    let courier = table.ship("courier-1").unwrap();
    assert_eq!((courier.status, courier.pose.heading), (Status::InPlay, 270.0));
    assert!(courier.pose.position.x - 20.0 >= 914.4 - 200.0 && courier.pose.position.x + 20.0 <= 914.4);
    let hunter = table.ship("hunter-1").unwrap();
    assert_eq!(hunter.status, Status::InPlay);
    assert_eq!(hunter.locks.iter().map(|id| &**id).collect::<Vec<_>>(), ["courier-1"]);
    let outlines: Vec<Polygon> = table
        .obstacles
        .iter()
        .map(|obstacle| polygon(&obstacle.outline))
        .collect();
    let apart = Euclidean.distance(&outlines[0], &outlines[1]);
    assert!(apart > 100.0 && apart <= 200.0, "{apart}");
    // Round 2: with the first hunter destroyed one comes, else two.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.txt");
    let round_2 = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let more = ["--table", path.to_str().unwrap(), "--round", "2"];
        let text = stdout(&[&base[..], &more].concat());
        let table = text::parse(&text, Catalog::embedded()).unwrap().table;
        let hunters = table
            .ships_in_play()
            .filter(|ship| ship.side == "solo")
            .map(|ship| ship.id.to_string());
        hunters.collect::<Vec<_>>()
    };
    assert_eq!(round_2(&text), ["hunter-1", "hunter-2", "hunter-3"]);
    let shot = text.lines().map(|line| match line.starts_with("ship hunter-1 ") {
        true => format!("{line} destroyed\n"),
        false => format!("{line}\n"),
    });
    assert_eq!(round_2(&shot.collect::<String>()), ["hunter-2"]);
}
