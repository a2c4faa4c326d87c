//! SA-13 at a table: who arrives, who retreats, how it ends; killed and resumed in between.

use std::path::Path;

use serde_json::{Value, json};
use tallyho::{
    bridge::{
        host::{Host, HostConfig, Outgoing, ShipTable, scenario::ServedScenario},
        served::replay::replay,
    },
    protocol::{
        apply::{Placement, WireStep},
        round::PromptTopic,
        solo::PromptParams,
    },
    xwing::{battle::mission::MissionInPlay, catalog::Catalog, scenario::marker::PlacedMarker, ship::Ship},
};

use super::{
    plain_table::{Model, PlainTable, Session, config, same_place},
    whole_rounds::{leads, ledger},
};

const SEED: u64 = 7;

fn served() -> ServedScenario {
    ServedScenario {
        name: "intro".to_owned(),
        text: None,
        faction: "rebelalliance".to_owned(),
        enemy: "galacticempire".to_owned(),
        player_ships: None,
        variant: None,
        take: Vec::new(),
        ace: None,
        squad: None,
        enemy_squad: None,
    }
}

fn mission() -> MissionInPlay {
    served().open(Catalog::embedded(), SEED).unwrap().play
}

fn plays(scenario: ServedScenario) -> HostConfig {
    HostConfig {
        scenario: Some(scenario),
        ..config(SEED)
    }
}

fn recorded(path: Option<&Path>) -> HostConfig {
    HostConfig {
        scenario: Some(served()),
        journal: path.map(Path::to_owned),
        ..config(SEED)
    }
}

/// A text that lives as long as the tests, as the table's models have it.
fn leaked(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// What stands for a ship of the scenario; `at`: on the mat, else beside it.
fn model(ship: &Ship, at: Placement) -> Model {
    Model {
        side: leaked(&ship.side),
        ship: leaked(&ship.chassis),
        initiative: ship.initiative,
        at,
        tokens: Default::default(),
        locks: Vec::new(),
        off: !(0.0..914.0).contains(&at.x),
        pilot: None,
        upgrades: Vec::new(),
        device: None,
    }
}

/// The two players' ships and two of the patrol on the mat, under ids of the table's own, far from each other and from the
/// edges; the others of the scenario beside it.
fn table() -> PlainTable {
    let mission = mission();
    let mut table = PlainTable::skirmish();
    table.models.clear();
    table.obstacles.clear();
    for (index, recruit) in mission.mission.muster.recruits.iter().enumerate() {
        let ship = &recruit.ship;
        let place = |x: f64, y: f64, facing: f64| Placement { x, y, facing };
        let at = match &*ship.id {
            "player-1" => place(60.0, 60.0, 0.0),
            "player-2" => place(860.0, 60.0, 0.0),
            "patrol-1" => place(60.0, 850.0, 90.0),
            "patrol-2" => place(860.0, 850.0, 270.0),
            _ => place(1000.0 + 60.0 * index as f64, 500.0, 0.0),
        };
        table.models.insert(format!("m{index:02}"), model(ship, at));
    }
    table
}

/// The model of the table that is a ship of the scenario.
fn id_of(own: &str) -> String {
    let mission = mission();
    let mut recruits = mission.mission.muster.recruits.iter();
    let index = recruits.position(|recruit| *recruit.ship.id == *own).unwrap();
    format!("m{index:02}")
}

fn begin(session: &mut Session, round: u32) {
    let mut snapshot = session.table.snapshot();
    snapshot["snapshot"]["position"]["round"] = json!(round);
    session.request("table/sync", snapshot).unwrap();
    session.pump();
}

fn destroy(session: &mut Session, own: &str) {
    let params = json!({"ship": id_of(own), "state": "destroyed"});
    session.request("game/correct", params).unwrap();
    session.pump();
    // The players take it off themselves.
    session.table.models.get_mut(&id_of(own)).unwrap().off = true;
}

/// The models that are on the mat and were not, by their ids.
fn on_the_mat(session: &Session) -> Vec<String> {
    let there = session.table.models.iter().filter(|(_, model)| !model.off);
    there.map(|(id, _)| id.clone()).collect()
}

/// Whether a ship stands against a side of one of the markers.
fn at_a_marker(markers: &[PlacedMarker], at: Placement) -> bool {
    use tallyho::xwing::{scenario::MarkerSide, size::Size};
    let sides = [MarkerSide::Front, MarkerSide::Left, MarkerSide::Right];
    markers.iter().any(|marker| {
        sides.iter().any(|side| {
            let pose = marker.arrival(*side, Size::Small);
            let there = Placement {
                x: pose.position.x,
                y: pose.position.y,
                facing: pose.heading,
            };
            same_place(there, at)
        })
    })
}

#[test]
fn sa_13_the_wave_of_round_4_arrives_by_what_was_shot_down() {
    for (shot, expected) in [
        (None, ["patrol-3", "patrol-4"]),
        (Some("patrol-1"), ["patrol-3", "reinforcement-1"]),
    ] {
        let mut session = Session::with(recorded(None), table(), &leads());
        assert!(session.told().contains("marker-1"), "{}", session.told());
        for round in 2..=3 {
            begin(&mut session, round);
        }
        if let Some(shot) = shot {
            destroy(&mut session, shot);
        }
        let before = on_the_mat(&session);
        begin(&mut session, 4);
        let came: Vec<String> = on_the_mat(&session)
            .into_iter()
            .filter(|id| !before.contains(id))
            .collect();
        let mut ids: Vec<String> = expected.iter().map(|own| id_of(own)).collect();
        ids.sort();
        assert_eq!(came, ids, "{shot:?}: {}", session.told());
        for id in &came {
            let model = &session.table.models[id];
            assert!(at_a_marker(&mission().markers, model.at), "{:?}", model.at);
            assert!(ledger(&mut session, id)["hull"].as_u64() > Some(0));
        }
        let said = format!("{:?}", session.table.carried_out);
        assert!(said.contains("arrives at marker-"), "{said}");
        // It comes once.
        begin(&mut session, 4);
        assert_eq!(on_the_mat(&session).len(), before.len() + 2);
        // They fly in this round.
        let waiting = session.status()["waiting"].clone();
        for id in &ids {
            assert!(waiting.as_array().unwrap().contains(&json!(id)), "{waiting}");
        }
    }
}

#[test]
fn sa_13_a_ship_without_a_model_is_asked_for_at_its_pose() {
    let mut session = Session::with(recorded(None), table(), &leads());
    let missing = id_of("patrol-3");
    let model = session.table.models.remove(&missing).unwrap();
    let other = id_of("patrol-4");
    session.table.models.remove(&other);
    let mut without = Session::with(recorded(None), session.table, &leads());
    begin(&mut without, 4);
    let text = without.status()["text"].as_str().unwrap().to_owned();
    assert!(
        text.contains("(patrol-3) down") && text.contains("(patrol-4) down"),
        "{text}"
    );
    // Once it stands there it is no longer asked for.
    let at = Placement {
        x: 450.0,
        y: 450.0,
        facing: 180.0,
    };
    without.table.models.insert(
        "new".to_owned(),
        Model {
            at,
            off: false,
            ..model
        },
    );
    begin(&mut without, 4);
    let text = without.status()["text"].as_str().unwrap().to_owned();
    assert!(
        !text.contains("(patrol-3)") && text.contains("(patrol-4) down"),
        "{text}"
    );
}

#[test]
fn sa_13_who_leaves_over_the_player_edge_is_safe_and_the_ending_is_told() {
    let mut session = Session::with(recorded(None), table(), &leads());
    begin(&mut session, 2);
    for own in ["player-1", "player-2"] {
        assert!(!session.told().contains("The game is over"));
        let model = session.table.models.get_mut(&id_of(own)).unwrap();
        model.at.y = -10.0;
        begin(&mut session, 2);
        let said = format!("{:?}", session.table.carried_out);
        assert!(said.contains("is safe (SA-13)"), "{said}");
    }
    assert!(
        session.told().contains("All player ships have fled or been destroyed"),
        "{}",
        session.told()
    );
    let answer = session.play("ship");
    assert!(
        answer["message"].as_str().unwrap().contains("The game is over"),
        "{answer}"
    );
    assert_eq!(session.status()["round"], 2);
}

#[test]
fn sa_13_it_is_won_from_round_7_when_no_solo_ship_is_left() {
    let mut session = Session::with(recorded(None), table(), &leads());
    for own in ["patrol-1", "patrol-2"] {
        destroy(&mut session, own);
    }
    assert!(!session.told().contains("The game is over"));
    begin(&mut session, 4);
    begin(&mut session, 7);
    assert!(!session.told().contains("The game is over"), "{}", session.told());
    for id in on_the_mat(&session) {
        if session.table.models[&id].side == "solo" {
            session
                .request("game/correct", json!({"ship": id, "state": "destroyed"}))
                .unwrap();
            session.pump();
        }
    }
    assert!(session.told().contains("we did it"), "{}", session.told());
}

#[test]
fn sa_13_the_button_leads_into_the_round_in_which_a_wave_arrives() {
    let mut session = Session::with(recorded(None), table(), &leads());
    let solo = |session: &Session| {
        let there = on_the_mat(session).into_iter();
        there.filter(|id| session.table.models[id].side == "solo").count()
    };
    let mut before = solo(&session);
    for _ in 0..60 {
        if session.status()["round"] == 4 {
            break;
        }
        before = solo(&session);
        session.play("round");
    }
    assert_eq!(session.status()["round"], 4);
    assert_eq!(session.status()["phase"], "planning");
    assert_eq!(solo(&session), before + 2, "{}", session.told());
    let said = format!("{:?}", session.table.carried_out);
    assert!(said.contains("arrives at marker-"), "{said}");
}

#[test]
fn sa_13_a_model_that_was_shot_down_comes_back_as_another_ship_and_can_be_taken_back() {
    let mut session = Session::with(recorded(None), table(), &leads());
    begin(&mut session, 4);
    for own in ["patrol-1", "patrol-2", "patrol-3"] {
        destroy(&mut session, own);
    }
    let off = |session: &Session, own: &str| session.table.models[&id_of(own)].off;
    assert!(off(&session, "patrol-1"), "shot down and taken off");
    begin(&mut session, 7);
    assert!(!off(&session, "patrol-1") && !off(&session, "reinforcement-1"));
    assert!(off(&session, "patrol-2") && off(&session, "reinforcement-2"));
    let back = ledger(&mut session, &id_of("patrol-1"));
    assert_eq!(back["hull"], back["hullMax"], "{back}");
    assert_ne!(back["destroyed"], json!(true));
    assert!(session.told().contains("comes as patrol-5"), "{}", session.told());
    // Step by step it goes again, and comes again where it stood.
    let stood = session.table.models.clone();
    session.request("solo/undo", json!({"scope": "step"})).unwrap();
    session.pump();
    session.sync();
    session.pump();
    assert_eq!(session.table.models, stood);
}

fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Two arrivals in round 4, killed once the journal has so many lines, and resumed.
fn arrive_and_kill(path: &Path, kill_at: usize) -> Session {
    let mut session = Session::with(recorded(Some(path)), table(), &leads());
    begin(&mut session, 3);
    let mut snapshot = session.table.snapshot();
    snapshot["snapshot"]["position"]["round"] = json!(4);
    session.request("table/sync", snapshot).unwrap();
    while lines(path).len() < kill_at && session.step() {}
    session.waiting.clear();
    // The scenario stands in the journal.
    session.host = Host::new(HostConfig {
        scenario: None,
        ..recorded(Some(path))
    });
    let outgoing = session.host.table_attached(&leads(), true);
    session.waiting.extend(outgoing);
    session.pump();
    begin(&mut session, 4);
    session
}

#[test]
fn sa_13_a_wave_arrives_once_wherever_the_program_is_killed_and_replays_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.jsonl");
    let undisturbed = arrive_and_kill(&whole, usize::MAX);
    let all = lines(&whole).len();
    let places = |session: &Session| -> Vec<WireStep> {
        let steps = session.table.carried_out.iter().map(|(_, step)| step.clone());
        let moved = steps.filter(|step| matches!(step, WireStep::Place { .. } | WireStep::Remove { .. }));
        moved.collect()
    };
    assert_eq!(places(&undisturbed).len(), 2);
    for kill_at in 4..=all {
        let path = folder.path().join(format!("{kill_at}.jsonl"));
        let session = arrive_and_kill(&path, kill_at);
        assert_eq!(
            session.table.models, undisturbed.table.models,
            "killed at line {kill_at}"
        );
        assert_eq!(places(&session), places(&undisturbed), "killed at line {kill_at}");
        let replayed = replay::<ShipTable>(&path, &HostConfig::default()).unwrap();
        assert_eq!(replayed.astray, Vec::<usize>::new(), "killed at line {kill_at}");
    }
}

/// The questions that were asked, by what they are about.
fn asked(session: &Session, part: &str) -> usize {
    session
        .prompts
        .iter()
        .filter(|prompt| prompt.text.contains(part))
        .count()
}

#[test]
fn sa_13_a_ship_without_a_model_is_asked_for_once_and_may_be_left_out() {
    let mut without = table();
    without.models.remove(&id_of("patrol-3"));
    without.models.remove(&id_of("patrol-4"));
    let mut session = Session::with(recorded(None), without, &leads());
    session.consent = Some("Play without it".to_owned());
    begin(&mut session, 4);
    for own in ["patrol-3", "patrol-4"] {
        let question = session.prompts.iter().find(|prompt| prompt.text.contains(own)).unwrap();
        assert_eq!(question.topic, PromptTopic::SetUp);
        assert_eq!(question.options, ["Done", "Play without it"]);
        assert!(question.text.contains("mm from the west edge"), "{}", question.text);
        assert_eq!(asked(&session, own), 1);
    }
    let text = session.status()["text"].as_str().unwrap().to_owned();
    assert!(text.contains("planning: set your dials"), "{text}");
    // Left out for good: neither is called up again, and the game ends without them.
    for own in ["patrol-1", "patrol-2"] {
        destroy(&mut session, own);
    }
    begin(&mut session, 7);
    assert_eq!(asked(&session, "patrol-3") + asked(&session, "patrol-4"), 2);
    destroy(&mut session, "reinforcement-1");
    assert!(session.told().contains("we did it"), "{}", session.told());
}

#[test]
fn sa_13_pieces_that_the_table_cannot_lay_are_asked_for_by_name_and_place() {
    let laid = served().open(Catalog::embedded(), SEED).unwrap().obstacles;
    let session = Session::with(recorded(None), table(), &leads());
    for placed in &laid {
        let question = session
            .prompts
            .iter()
            .find(|prompt| prompt.text.contains(&placed.piece))
            .unwrap();
        assert!(
            question.text.contains("mm from the south edge, heading"),
            "{}",
            question.text
        );
        assert!(question.options.contains(&"We set up ourselves".to_owned()));
    }
    // They were not laid, whatever was answered; play goes on, and the rules that are broken are told.
    assert!(
        session
            .told()
            .contains("0 obstacles lie on the mat; the scenario has 6")
    );
    assert!(session.told().contains("stands against no deployment side"));
}

#[test]
fn sa_13_a_question_of_the_set_up_goes_when_the_piece_lies_there() {
    let mut own = table();
    let player = id_of("player-1");
    let model = own.models.remove(&player).unwrap();
    let mut session = Session::new_unpumped(recorded(None), own, &leads());
    session.sync();
    // Ships are asked for when the obstacles are done with.
    let asks_for_it = |outgoing: Option<&Outgoing>| matches!(outgoing, Some(Outgoing::Prompt(prompt)) if prompt.text.starts_with("Please put "));
    while !asks_for_it(session.waiting.front()) {
        assert!(session.step(), "the ship is not asked for: {}", session.told());
    }
    session.waiting.clear();
    session.table.models.insert(player, model);
    session.sync();
    session.pump();
    assert_eq!(session.withdrawn.len(), 1, "{:?}", session.prompts);
    assert_eq!(
        asked(&session, "Please put "),
        0,
        "nothing else is missing: {:?}",
        session.prompts
    );
    let text = session.status()["text"].as_str().unwrap().to_owned();
    assert!(text.contains("planning"), "{text}");
}

#[test]
fn sa_13_players_who_set_up_themselves_have_it_checked_by_the_next_press() {
    let mut session = Session::new_unpumped(recorded(None), table(), &leads());
    session.consent = Some("We set up ourselves".to_owned());
    session.sync();
    session.pump();
    assert_eq!(asked(&session, "Please lay"), 1);
    let text = session.status()["text"].as_str().unwrap().to_owned();
    assert!(text.contains("set the table up as the scenario says"), "{text}");
    assert_eq!(asked(&session, "Not as the scenario has it"), 0);
    session.play("ship");
    assert_eq!(asked(&session, "Not as the scenario has it"), 1);
    assert_eq!(session.status()["phase"], "planning");
    // The press after it begins the game.
    session.play("ship");
    assert_ne!(session.status()["phase"], "planning");
}

/// A file of a user's own needs no Rust at a table either: corners, a far smaller mat, a lock on arrival at set-up.
#[test]
fn sa_13_a_users_scenario_is_led_from_its_text_alone() {
    let scenario = ServedScenario {
        name: "ambush".to_owned(),
        text: Some(include_str!("../../cases/scenario/ambush.toml").to_owned()),
        ..served()
    };
    let mission = scenario.open(Catalog::embedded(), SEED).unwrap().play;
    let mut own = table();
    own.models.clear();
    for (index, recruit) in mission.mission.muster.recruits.iter().enumerate() {
        let at = match &*recruit.ship.id {
            "courier-1" => (800.0, 300.0, 270.0),
            _ => (1000.0 + 60.0 * index as f64, 500.0, 0.0),
        };
        let at = Placement {
            x: at.0,
            y: at.1,
            facing: at.2,
        };
        own.models.insert(format!("m{index:02}"), model(&recruit.ship, at));
    }
    let mut session = Session::with(plays(scenario), own, &leads());
    let hunters = |session: &Session| {
        let there = session
            .table
            .models
            .values()
            .filter(|model| model.side == "solo" && !model.off);
        there.cloned().collect::<Vec<Model>>()
    };
    let first = hunters(&session);
    assert_eq!(first.len(), 1);
    // It came out of a corner and has locked the courier.
    let near = |value: f64, edge: f64| (value - edge).abs() < 60.0;
    let at = first[0].at;
    assert!(
        (near(at.x, 0.0) || near(at.x, 914.4)) && (near(at.y, 0.0) || near(at.y, 914.4)),
        "{at:?}"
    );
    assert_eq!(first[0].locks, ["m00"]);
    begin(&mut session, 2);
    assert_eq!(hunters(&session).len(), 3);
}

#[test]
fn sa_13_squads_of_ones_own_are_led_alike() {
    let squad = |faction: &str, pilots: &[(&str, &str)]| {
        let pilots: Vec<Value> = (pilots.iter())
            .map(|(pilot, ship)| json!({"id": pilot, "ship": ship, "upgrades": {}}))
            .collect();
        json!({"faction": faction, "name": "own", "pilots": pilots}).to_string()
    };
    let scenario = ServedScenario {
        squad: Some(squad(
            "rebelalliance",
            &[("greensquadronpilot", "rz1awing"), ("bluesquadronpilot", "asf01bwing")],
        )),
        enemy_squad: Some(squad("firstorder", &[("epsilonsquadroncadet", "tiefofighter"); 6])),
        ..served()
    };
    let mission = scenario.open(Catalog::embedded(), SEED).unwrap().play;
    let mut own = table();
    own.models.clear();
    for (index, recruit) in mission.mission.muster.recruits.iter().enumerate() {
        let at = Placement {
            x: 1000.0 + 60.0 * index as f64,
            y: 500.0,
            facing: 0.0,
        };
        own.models.insert(format!("m{index:02}"), model(&recruit.ship, at));
    }
    let session = Session::with(plays(scenario), own, &leads());
    let ships = |prompt: &PromptParams| prompt.text.contains("A-wing") || prompt.text.contains("B-wing");
    assert_eq!(session.prompts.iter().filter(|prompt| ships(prompt)).count(), 2);
    let solo: Vec<&Model> = (session.table.models.values())
        .filter(|model| model.side == "solo" && !model.off)
        .collect();
    assert_eq!(solo.len(), 2);
    for model in solo {
        assert_eq!(model.ship, "tiefofighter");
        assert!(at_a_marker(&mission.markers, model.at), "{:?}", model.at);
    }
}

#[test]
fn a_scenario_that_cannot_be_played_is_said_and_the_game_goes_on() {
    let mut scenario = served();
    scenario.faction = "nobody".to_owned();
    let config = HostConfig {
        scenario: Some(scenario),
        ..config(SEED)
    };
    let mut session = Session::with(config, table(), &leads());
    assert!(session.told().contains("without its scenario"), "{}", session.told());
    assert_ne!(session.status()["solo"], Value::Null);
}
