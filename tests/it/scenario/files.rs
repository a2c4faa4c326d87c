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

use super::{
    checker::polygon,
    command_line::{stdout, tallyho},
    wishes,
};

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
        unknown field `first_payer`, expected one of `format`, `id`, `name`, `edition`, `area`, `player_edge`, `first_player`, `player_ships`, `markers`, `obstacles`, `retreat`, `group`, `wave`, `variant`, `ending`, `squad`
        area.width_mm: is 3; give millimetres between 100 and 4000
        wave[2].place: there is no group `hunters`; there are courier, hunter
        this is no scenario file: TOML parse error at line 47, column 34
           |
        47 | when = { destroyed = ["hunter"], at_mos = 0 }
           |                                  ^^^^^^
        unknown field `at_mos`, expected one of `destroyed`, `at_least`, `at_most`
        wave[0].place.hunter: is 1000; give between 1 and 24
        player_ships: give 1 <= usual <= most <= 24
        group[1].arrives: there are no markers; set markers.count, or let it arrive elsewhere
        group[1].id: `Hunter 1`: use small letters and `_`
        format: is `tallyho-scenario-9`; this program reads `tallyho-scenario-1`
    "#]].assert_eq(&said);
}

/// Files that read well and cannot be meant: each is refused with the field and the remedy.
#[test]
fn sa_13_what_can_never_be_played_is_refused_with_its_field_and_a_remedy() {
    let intro = include_str!("../../../data/scenarios/intro.toml");
    let once = |text: &str, right: &str, mistaken: &str| {
        assert!(text.contains(right), "{right}");
        text.replacen(right, mistaken, 1)
    };
    let ending = "[[ending]]\nwithout = \"player\"\nsays = \"The courier is gone.\"\n";
    let wave = "[[wave]]\nround = 0\nplace = { courier = 1, hunter = 1 }\n";
    let mistakes = [
        // Names.
        once(AMBUSH, "id = \"ambush\"", "id = \"\""),
        once(AMBUSH, "id = \"hunter\"", "id = \"courier\""),
        once(AMBUSH, "faction = \"rebelalliance\"", "faction = \"rebels\""),
        once(AMBUSH, "faction = \"galacticempire\"", "faction = \"rebelalliance\""),
        once(intro, "id = \"transport\"\nname", "id = \"ace\"\nname"),
        once(
            intro,
            "ace = { group = \"reinforcement\", lock = \"nearest_enemy\" }\n",
            "",
        ),
        // Waves.
        once(AMBUSH, "place = { courier = 1, hunter = 1 }", "place = {}"),
        once(AMBUSH, "hunter = 1 }", "hunter = 0 }"),
        once(AMBUSH, wave, &format!("{wave}{wave}")),
        once(AMBUSH, "round = 2\nwhen", "round = 200\nwhen"),
        once(AMBUSH, "at_most = 0", "at_least = 3, at_most = 2"),
        once(AMBUSH, "at_least = 1", "at_least = 4"),
        once(AMBUSH, "destroyed = [\"hunter\"]", "destroyed = []"),
        once(
            AMBUSH,
            "destroyed = [\"hunter\"]",
            "destroyed = [\"hunter\", \"hunter\"]",
        ),
        once(AMBUSH, "place = { hunter = 2 }", "place = { hunter = 3 }"),
        once(
            AMBUSH,
            wave,
            "[[wave]]\nround = 0\nplace = { courier = 1 }\n[[wave]]\nround = 0\nwhen = { destroyed = [\"hunter\"], at_most = 0 }\nplace = { hunter = 1 }\n",
        ),
        once(
            intro,
            "wave = [{ round = 0, place = { transport = 1 } }]",
            "wave = [{ round = 0, place = { patrol = 1 } }]",
        ),
        // Endings.
        once(AMBUSH, ending, &format!("{ending}{ending}")),
        once(AMBUSH, "without = \"player\"", "without = \"solo\""),
        once(AMBUSH, "round = 0\n", "round = 1\n"),
        once(AMBUSH, "says = \"The courier is gone.\"", "says = \"\""),
        // Markers and distances.
        once(intro, "evade = \"right\"", "evade = \"back\""),
        once(
            intro,
            "[\"front\", \"left\", \"right\"]",
            "[\"front\", \"left\", \"right\", \"left\"]",
        ),
        once(intro, "apart = { at = 3 }", "apart = { beyond = 4 }"),
        once(intro, "from_edges = { beyond = 3 }", "from_edges = { beyond = 5 }"),
        once(AMBUSH, "count = 0", "count = 2"),
        once(
            AMBUSH,
            "from_edges = { beyond = 1 }\napart = { at = 2 }",
            "from_edges = { beyond = 3 }\napart = { at = 2 }",
        ),
        once(AMBUSH, "player_edge = { within = 2 }", "player_edge = { within = 0 }"),
        once(AMBUSH, "player_edge = { within = 2 }", "player_edge = { beyond = 10 }"),
    ];
    let mut said = String::new();
    for text in mistakes {
        let error = Scenario::parse(&text).unwrap_err();
        assert!(matches!(error, ScenarioError::Value { .. }), "{error}");
        said += &format!("{error}\n");
    }
    expect![[r#"
        id: is empty; give a name
        group[1].id: `courier` is there twice; rename one of them
        squad[0].faction: `rebels` is no xws id of a faction; is `rebelalliance` meant?
        squad[1].faction: `rebelalliance` is there twice; give its ships in one [[squad]]
        variant[1].id: `ace` is there twice; rename one of them
        variant[0]: changes nothing; give it an `ace` or a `wave`
        wave[0].place: places nobody; name a group, or leave the wave out
        wave[0].place.hunter: is 0; give between 1 and 24
        wave[1]: is the same as wave[0]; give the sum in one of them
        wave[1].round: round 200 is never played; give at most 100
        wave[1].when: at least 3 and at most 2 never hold together; give at_least <= at_most
        wave[2].when.at_least: 4 ships can never be destroyed: these groups have 3; give at most so many
        wave[1].when.destroyed: name the groups whose losses count
        wave[1].when.destroyed: `hunter` is there twice; its losses would count double
        wave[1].place.hunter: asks for 4 ships of `hunter` with the waves before it, and the group has 3; give it more `ships`, or `destroyed_return = true`
        wave[1].when: nothing is destroyed at set-up; leave the condition out, or give a later round
        group[3].id: no wave places `transport`; add one, or leave the group out
        ending[1]: an ending without player ships comes before it; leave one out, or give an earlier from_round
        ending[1]: an ending without solo ships comes before it; leave one out, or give an earlier from_round
        ending[0]: no player ship is placed before round 1, so it would come at once; place one earlier, or give a later from_round
        ending[0].says: is empty; say what the players are told
        markers.side_by_die.evade: `back` is no deployment side; add it there, or name another
        markers.deployment_sides[3]: `left` is there twice
        markers.apart: markers that keep from_edges are at most 331 mm apart; loosen one of the two, or enlarge the area
        markers.from_edges: nothing is more than 500 mm from every edge of an area 914 mm deep; give a smaller range
        markers.count: no group arrives at a marker; set it to 0, or give a group `arrives = "marker"`
        obstacles.from_edges: nothing is more than 300 mm from every edge of an area 600 mm deep; give a smaller range
        group[0].arrives: range 0 is contact; give 1 or more
        group[0].arrives: the area is 914 mm deep there; give a smaller range
    "#]].assert_eq(&said);
}

/// Unknown ships, pilots and obstacles are named with the file and all their places; unknown upgrades are left out.
#[test]
fn what_the_catalog_does_not_know_of_a_file_is_named_with_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let text = AMBUSH
        .replace("tiesabomber", "tiesabombre")
        .replace("gascloud1", "gascloud99")
        .replace(
            "hwk290lightfreighter\" }",
            "hwk290lightfreighter\", upgrades = [\"deflectorshield\"] }",
        );
    std::fs::write(&path, text).unwrap();
    let base = [
        "scenario",
        path.to_str().unwrap(),
        "--faction",
        "rebelalliance",
        "--enemy",
        "galacticempire",
    ];
    let refused = tallyho().args(base).assert().failure().get_output().stderr.clone();
    let refused = String::from_utf8(refused).unwrap();
    for part in [
        "mine.toml: obstacles.pieces[0]: no obstacle `gascloud99` is known",
        "squad[1].ships.hunter[0]: galacticempire has no non-limited pilot of `tiesabombre`; check its xws id",
    ] {
        assert!(refused.contains(part), "{refused}");
    }
    let text = AMBUSH.replace(
        "hwk290lightfreighter\" }",
        "hwk290lightfreighter\", upgrades = [\"deflectorshield\"] }",
    );
    std::fs::write(&path, text).unwrap();
    let noted = tallyho().args(base).assert().success().get_output().stderr.clone();
    let noted = String::from_utf8(noted).unwrap();
    assert!(noted.contains("the upgrade `deflectorshield` is not known"), "{noted}");
}

/// A file of a user is simulated and audited like the built-in ones.
#[test]
fn sa_13_a_users_scenario_is_simulated_from_its_file_alone() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/scenario/ambush.toml");
    let arguments = [
        "sim",
        "--scenario",
        file,
        "--faction",
        "rebelalliance",
        "--enemy",
        "galacticempire",
        "--games",
        "6",
        "--audit",
    ];
    let said = stdout(&arguments);
    assert!(said.contains("6 games"), "{said}");
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
