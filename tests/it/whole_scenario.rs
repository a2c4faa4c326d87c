//! The whole introductory scenario (SA-13) on the virtual table: the real controller, the real wire, the game that
//! `tallyho serve --scenario` serves. The program sets up, brings in the waves, sees who leaves and says the ending; players fly
//! by a script, press the buttons, throw the mod's dice and type faces. In the end the table and what the program keeps agree.

mod show;
mod watched;

use tallyho::{
    bridge::tts::units::UNITS_PER_MM,
    protocol::event::AttackStage,
    xwing::{
        scenario::{Scenario, setup::SetUp},
        ship::Status,
        table::Table,
    },
};

use self::show::{Laid, MAT_MM, Show};
use crate::scenario::checker::broken_rules_within;

/// A table lays things down so exactly, mm and degrees.
const LAID: f64 = 0.3;

/// What happens in the middle of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    /// The server ends and another begins.
    Kill,
    /// The table is loaded from its save.
    Load,
}

/// The solo ships on the mat that stand against a side of a marker, by their ids in the scenario.
fn at_markers(show: &Show, table: &Table) -> Vec<String> {
    let sides = &show.mission.play.mission.scenario.markers.deployment_sides;
    let solo = table.ships_in_play().filter(|ship| ship.side == "solo");
    let stands = solo.filter(|ship| {
        show.mission.play.markers.iter().any(|marker| {
            sides.iter().any(|side| {
                let pose = marker.arrival(*side, ship.size);
                pose.position.distance(ship.pose.position) < 1.0 && (pose.heading - ship.pose.heading).abs() < 1.0
            })
        })
    });
    stands.map(|ship| ship.id.to_string()).collect()
}

/// The waves that have to come, by what is destroyed (SA-13): how many ships.
fn due(round: u32, table: &Table) -> usize {
    let destroyed = |group: &str| {
        let down = table.ships.iter().filter(|ship| ship.status == Status::Destroyed);
        down.filter(|ship| ship.id.starts_with(group)).count()
    };
    match round {
        4 => 2,
        7 if destroyed("patrol") + destroyed("reinforcement") >= 3 => 2,
        7 => 1,
        _ => 0,
    }
}

/// What a game came to.
#[derive(Debug, Default)]
struct Outcome {
    /// Ships that arrived with the waves of rounds 4 and 7.
    waves: [usize; 2],
    /// The last round that began.
    round: u32,
    /// The ending was told.
    ended: bool,
}

/// Plays until a round begins or the game has ended. The troubles come in its second and its fifth round.
fn play(show: &mut Show, until_round: u32, mut troubles: Vec<Trouble>) -> Outcome {
    let mut outcome = Outcome::default();
    // The mod's dice at first, typed ones later.
    show.press("Dice: the program's");
    show.until("the table rolls", |show| {
        show.buttons().contains(&"Dice: the table's".to_owned())
    });
    for round in 1..until_round {
        if round == 5 {
            show.press("Dice: the table's");
            show.until("players type", |show| {
                show.buttons().contains(&"Dice: typed in".to_owned())
            });
        }
        let mut presses = 0;
        show.play_round(round, |show| {
            presses += 1;
            if (round == 2 || round == 5) && (presses == 2 || presses == 6) {
                match troubles.pop() {
                    Some(Trouble::Kill) => show.kill_the_server(),
                    Some(Trouble::Load) => show.load_the_table(),
                    None => {}
                }
            }
        });
        let before = show.scenario_table();
        show.until("calm", Show::calm);
        show.assert_agreement();
        outcome.ended = show.said("The game is over") > 0;
        if outcome.ended {
            return outcome;
        }
        outcome.round = round + 1;
        // SA-13: who is due stands against a side of a marker, put there by the program.
        let there = before
            .ships_in_play()
            .map(|ship| ship.id.to_string())
            .collect::<Vec<_>>();
        let after = show.scenario_table();
        let mut came = at_markers(show, &after);
        came.retain(|id| !there.contains(id));
        let due = due(round + 1, &after);
        assert_eq!(
            came.len(),
            due,
            "round {}: {came:?}, {:#?}",
            round + 1,
            show.table.chat()
        );
        match round + 1 {
            4 => outcome.waves[0] = came.len(),
            7 => outcome.waves[1] = came.len(),
            _ => {}
        }
    }
    outcome
}

#[track_caller]
fn assert_a_whole_game(show: &mut Show) {
    show.note_attacks();
    let resolved = |by_solo: bool| {
        let attacks = show.attacks.iter();
        (attacks.filter(|(solo, stage)| *solo == by_solo && *stage == AttackStage::Resolved)).count()
    };
    assert!(resolved(true) > 0 && resolved(false) > 0, "{:?}", show.attacks);
    assert!(
        !show.table.dice_rolled().unwrap().is_empty(),
        "the table's dice were rolled"
    );
    assert!(show.said("which faces? Type the faces") > 0, "faces were typed");
    assert_eq!(show.table.script_errors(), Vec::<String>::new());
    // The game's reader is slow with long replies and trips over some of JSON.
    for reply in show.table.replies() {
        assert!(reply.len() <= 2500, "{} bytes: {reply}", reply.len());
        assert!(
            !reply.contains("\\u") && !reply.contains("\\/") && !reply.contains("null"),
            "{reply}"
        );
    }
    for complaint in [" failed: ", "do it by hand", "could not be", "not understood"] {
        assert_eq!(show.said(complaint), 0, "{complaint}: {:#?}", show.table.chat());
    }
}

/// The set-up of the table as it lies, for the checker.
fn laid(show: &Show) -> SetUp {
    SetUp {
        markers: show.mission.play.markers.clone(),
        obstacles: Vec::new(),
        table: show.scenario_table(),
        notes: Vec::new(),
    }
}

#[test]
fn sa_13_the_program_sets_up_what_the_scenario_places_and_asks_for_the_rest() {
    let mut show = Show::begin("rebelalliance", 5, &[], Laid::Beside);
    let status = show.game.status().text;
    assert!(status.contains("Academy Pilot"), "{status}");
    show.assign();
    let asked = show.set_up();
    // In ascending initiative, the players first: player-2 (1), the patrols (1), player-1 (3).
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert!(
        asked[0].contains("Cavern Angels Zealot") && asked[0].contains("T-65 X-wing, initiative 1"),
        "{asked:?}"
    );
    assert!(asked[1].contains("Red Squadron Veteran") && asked[1].contains("within range 1 of the player edge"));
    let set_up = laid(&show);
    assert_eq!(broken_rules_within(&set_up, LAID), Vec::<String>::new());
    assert_eq!(at_markers(&show, &set_up.table), ["patrol-1", "patrol-2"]);
    for placed in &show.mission.obstacles {
        let centre = |outline: &[tallyho::geometry::Point]| tallyho::geometry::polygon::centroid(outline);
        let mut lying = set_up.table.obstacles.iter();
        assert!(
            lying.any(|obstacle| centre(&obstacle.outline).distance(centre(&placed.obstacle.outline)) < LAID),
            "{}",
            placed.piece
        );
    }
    // The markers are drawn, and stay over a load of the table: four sides each.
    assert_eq!(show.table.vector_lines(), 8);
    show.load_the_table();
    assert_eq!(show.table.vector_lines(), 8);
    assert_eq!(show.said("not as the scenario has it"), 0, "{:#?}", show.table.chat());
    assert_eq!(show.table.script_errors(), Vec::<String>::new());
}

#[test]
fn sa_13_what_players_laid_wrong_is_said_and_may_be_put_right() {
    let mut show = Show::begin("rebelalliance", 5, &[], Laid::AsListed);
    // A rock near the edge, and a ship too far in.
    show.table.put("0b57a0", [-15.0, 0.0, 0.0]).unwrap();
    let player = show.guids["player-1"].clone();
    let right = show.table.placement(&player).unwrap();
    show.table.put(&player, [right[0], -8.0, right[2]]).unwrap();
    show.table.run_for(2.0).unwrap();
    show.sync();
    show.assign();
    show.until("it is asked", |show| {
        show.lua("return tostring(Panel.questions.n > 0)") == "true"
    });
    let text = show.lua("return Panel.questions[1].text");
    assert!(text.contains("has to be beyond range 2 of each"), "{text}");
    assert!(text.contains("has to be within range 1 of it"), "{text}");
    show.table.put(&player, right).unwrap();
    show.table.run_for(2.0).unwrap();
    show.press("Look again");
    show.until("it is asked again", |show| {
        let text = show.lua("local q = Panel.questions[1] return q ~= nil and q.text or ''");
        text.contains("beyond range 2") && !text.contains("within range 1")
    });
    show.press("Play as it lies");
    assert_eq!(show.set_up(), Vec::<String>::new());
}

#[test]
fn sa_13_a_set_up_goes_on_after_a_kill() {
    let mut show = Show::begin("rebelalliance", 5, &[], Laid::Beside);
    show.assign();
    show.until("it is asked", |show| {
        show.lua("return tostring(Panel.questions.n > 0)") == "true"
    });
    show.kill_the_server();
    show.until("it is asked again", |show| {
        show.lua("return tostring(Panel.questions.n > 0)") == "true"
    });
    show.set_up();
    assert_eq!(broken_rules_within(&laid(&show), LAID), Vec::<String>::new());
    assert_eq!(show.servers, 2);
}

#[test]
fn the_spawn_list_is_read_back_as_it_was_set_up() {
    let show = Show::begin("rebelalliance", 5, &[], Laid::AsListed);
    let table = show.scenario_table();
    let scenario = Scenario::intro();
    let muster = &show.mission.play.mission.muster;
    let set_up = tallyho::xwing::scenario::setup::set_up(scenario, muster, show.catalog, 5).unwrap();
    for placed in &set_up.obstacles {
        let centre = |outline: &[tallyho::geometry::Point]| tallyho::geometry::polygon::centroid(outline);
        let there = table.obstacles.iter().any(|obstacle| {
            centre(&obstacle.outline).distance(centre(&placed.obstacle.outline)) < 0.1
                && (obstacle.outline.iter().zip(placed.obstacle.outline.iter())).all(|(a, b)| a.distance(*b) < 0.2)
        });
        assert!(there, "{}: {:?}", placed.piece, table.obstacles);
    }
    for ship in &set_up.table.ships {
        let seen = table.ship(&ship.id).unwrap();
        assert_eq!(
            (seen.in_play(), &seen.chassis, seen.initiative),
            (ship.in_play(), &ship.chassis, ship.initiative)
        );
        if ship.in_play() {
            assert!(seen.pose.position.distance(ship.pose.position) < 0.1, "{}", ship.id);
        }
    }
}

/// The sheet of a ship through to the table, and back.
#[test]
fn a_ship_that_was_shot_down_by_mistake_is_put_back_on_the_mat() {
    let mut show = Show::begin("rebelalliance", 5, &[], Laid::AsListed);
    show.assign();
    assert_eq!(show.set_up(), Vec::<String>::new());
    let guid = show.guids["patrol-1"].clone();
    let at = show.table.placement(&guid).unwrap();
    let hull = |show: &Show| {
        let ledger = show.game.status().ledger;
        ledger
            .iter()
            .find(|entry| entry.ship == guid)
            .and_then(|entry| entry.hull)
    };
    show.table.select(&[&guid]).unwrap();
    show.press("Ship sheet...");
    for left in [2, 1, 0] {
        assert_eq!(hull(&show), Some(left + 1));
        show.press("Suffers a hit");
        show.until("it is counted", |show| show.calm() && hull(show) != Some(left + 1));
    }
    let half = MAT_MM / 2.0 * UNITS_PER_MM;
    let beside = |show: &Show| show.table.placement(&guid).unwrap()[0].abs() > half;
    let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3);
    show.until("it stands beside the mat", |show| show.calm() && beside(show));
    show.press("Undo");
    show.until("it is back", |show| {
        show.calm() && near(show.table.placement(&guid).unwrap(), at)
    });
    assert_eq!(hull(&show), Some(1));
    assert_eq!(show.table.script_errors(), Vec::<String>::new());
}

/// The players' script is no good one, and dice are dice: not every game lasts until both waves have come. The first that does
/// is played to its end: the players take their last ships off over their edge.
#[test]
fn sa_13_the_introductory_scenario_is_played_to_its_end() {
    let mut played = Vec::new();
    for seed in [12, 13, 14, 15, 16] {
        let mut show = Show::begin("rebelalliance", seed, &[], Laid::Beside);
        show.assign();
        show.set_up();
        let outcome = play(&mut show, 8, Vec::new());
        assert_a_whole_game(&mut show);
        if outcome.ended || outcome.round < 8 {
            played.push(outcome);
            continue;
        }
        assert_eq!(outcome.waves[0], 2);
        assert!((1..=2).contains(&outcome.waves[1]));
        let players: Vec<String> = (show.scenario_table().ships_in_play())
            .filter(|ship| ship.side == "player")
            .map(|ship| show.guids[&ship.id].clone())
            .collect();
        assert!(!players.is_empty());
        let half = MAT_MM / 2.0 * UNITS_PER_MM;
        for guid in &players {
            assert_eq!(show.said("The game is over"), 0);
            let [x, _, facing] = show.table.placement(guid).unwrap();
            show.table.put(guid, [x, -half, facing]).unwrap();
            show.table.run_for(2.0).unwrap();
            show.sync();
        }
        show.until("it is over", |show| show.calm() && show.said("The game is over") > 0);
        assert_eq!(show.said("is safe (SA-13)"), players.len(), "{:#?}", show.table.chat());
        assert!(show.said("All player ships have fled or been destroyed") > 0);
        assert!(show.game.status().text.contains("The game is over"));
        // The button goes no further.
        let round = show.game.status().round;
        show.press("Next");
        show.until("answered", Show::calm);
        assert_eq!(show.game.status().round, round);
        return;
    }
    panic!("none of these games lasted so long: {played:?}");
}

#[test]
fn sa_13_it_is_played_through_killed_servers_and_loaded_tables() {
    let mut show = Show::begin("galacticempire", 3, &[], Laid::AsListed);
    show.assign();
    assert_eq!(show.set_up(), Vec::<String>::new());
    let troubles = vec![Trouble::Load, Trouble::Kill, Trouble::Load, Trouble::Kill];
    play(&mut show, 8, troubles);
    assert_a_whole_game(&mut show);
    assert_eq!(show.servers, 3);
}

/// SA-13, the transport: it makes for the corner opposite to the one that it starts in, which no table shows, and leaves there.
#[test]
fn sa_13_the_transport_makes_for_its_corner_and_its_escape_is_seen() {
    let mut show = Show::begin("rebelalliance", 4, &["--variant", "transport"], Laid::Beside);
    show.assign();
    show.set_up();
    let guid = show.guids["transport-1"].clone();
    let [x, z, _] = show.table.placement(&guid).unwrap();
    let half = MAT_MM / 2.0 * UNITS_PER_MM;
    assert!(x.abs() < half && z > half - 5.0, "in a far corner: {x}, {z}");
    // Near its goal, its nose over the corner: whatever it flies takes it over the edge there.
    let side = -x.signum();
    let out = if side > 0.0 { 315.0 } else { 45.0 };
    show.table.put(&guid, [side * (half - 1.6), -half + 1.6, out]).unwrap();
    show.table.run_for(2.0).unwrap();
    show.sync();
    for _ in 0..60 {
        if show.said("has escaped over its corner (SA-13)") > 0 {
            break;
        }
        show.play_step();
    }
    show.until("it has escaped", |show| {
        show.calm() && show.said("has escaped over its corner (SA-13)") > 0
    });
    let [x, z, _] = show.table.placement(&guid).unwrap();
    assert!(x.abs() > half || z.abs() > half, "its model is off the mat");
    assert!(show.table.script_errors().is_empty());
}
