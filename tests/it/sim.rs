//! Whole games, many of them: no rule broken, the same figures for the same seed.

use std::sync::atomic::AtomicBool;

use assert_cmd::Command;
use tallyho::{
    sim::{
        self, Plan, PlayerPolicy,
        figures::{GameFigures, Summary},
        squad,
    },
    xwing::catalog::Catalog,
};

/// Squads of every size of base, with turrets, locks, Force, charges, every kind of bar action that the catalog has.
const MEETINGS: [(&str, &str); 8] = [
    ("2*t65xwing", "4*tielnfighter"),
    (
        "btla4ywing+protontorpedoes,t65xwing",
        "tiesabomber+concussionmissiles,2*tieininterceptor",
    ),
    ("yt2400lightfreighter", "2*tieadvancedx1,alphaclassstarwing"),
    ("2*delta7aethersprite", "3*vultureclassdroidfighter"),
    ("modifiedyt1300lightfreighter", "vt49decimator"),
    ("2*asf01bwing", "lambdaclasst4ashuttle,tiephphantom"),
    ("t70xwing,resistancetransport", "2*tiefofighter,tiesffighter"),
    ("2*arc170starfighter", "2*belbullab22starfighter,hyenaclassdroidbomber"),
];

fn plan(player: &str, solo: &str, policy: PlayerPolicy) -> Plan {
    let squad = |text: &str| squad::read(text, Catalog::embedded()).unwrap_or_else(|error| panic!("{text}: {error}"));
    Plan {
        policy,
        rounds: 12,
        seed: 20_260_101,
        audit: true,
        ..Plan::lines(squad(player), squad(solo))
    }
}

fn play(plan: &Plan, games: usize, threads: usize) -> Vec<GameFigures> {
    sim::run(plan, games, threads, &AtomicBool::new(false), &|| {}).unwrap()
}

#[test]
fn games_of_many_ships_run_to_their_end_and_break_no_rule() {
    for (player, solo) in MEETINGS {
        for policy in [PlayerPolicy::Scripted, PlayerPolicy::Solo] {
            let plan = plan(player, solo, policy);
            for number in 0..4 {
                let mut commanders = sim::Commanders::new(&plan);
                let mut dice = tallyho::dice::SeededDice::new(number);
                let setup = sim::open(&plan, 0, 0, &mut dice).unwrap().setup;
                let (battle, refusals) = sim::play(setup.clone(), &mut commanders, &mut dice).unwrap();
                assert_eq!(refusals, [], "{player} against {solo}, {policy:?}, dice {number}");
                assert!(battle.pending().is_none());
                let found = tallyho::xwing::battle::audit::audit(&setup, battle.events());
                assert_eq!(found, [], "{player} against {solo}, {policy:?}, dice {number}");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_figures_whatever_the_number_of_threads() {
    let (player, solo) = MEETINGS[0];
    let plan = plan(player, solo, PlayerPolicy::Scripted);
    let one = play(&plan, 12, 1);
    assert_eq!(one, play(&plan, 12, 3));
    assert_eq!(one[..5], play(&plan, 5, 2));
    let other = play(&Plan { seed: 2, ..plan }, 12, 1);
    assert_ne!(one, other);
}

#[test]
fn figures_add_up() {
    let (player, solo) = MEETINGS[0];
    let games = play(&plan(player, solo, PlayerPolicy::Scripted), 10, 2);
    let summary = Summary::of(&games);
    assert_eq!(summary.player_wins + summary.solo_wins + summary.draws, 10);
    assert_eq!((summary.refused, summary.violations), (0, 0));
    for game in &games {
        let last = game.rounds.last().unwrap();
        let sum = |figure: fn(&sim::figures::SideRound) -> u32, side: usize| {
            game.rounds.iter().map(|round| figure(&round[side])).sum::<u32>()
        };
        // Who came is there, shot down by the other side, or fled.
        let (player, solo) = (
            sum(|s| s.fled, 0) + sum(|s| s.kills, 1),
            sum(|s| s.fled, 1) + sum(|s| s.kills, 0),
        );
        assert_eq!((last[0].survivors + player, last[1].survivors + solo), (2, 4));
        assert_eq!(sum(|s| s.fled, 1), 0, "a solo ship never flees (SA-7)");
        match game.winner {
            Some(0) => assert!(last[1].survivors == 0 && last[0].survivors > 0),
            Some(_) => assert!(last[0].survivors == 0 && last[1].survivors > 0),
            None => assert_eq!(last[0].survivors == 0, last[1].survivors == 0),
        }
        for round in &game.rounds {
            // Every ship that engages has a shot or has lost one.
            assert!(round[0].shots + round[0].shots_lost <= 2 && round[1].shots + round[1].shots_lost <= 4);
        }
    }
    assert!(summary.player.damage > 0 && summary.solo.damage > 0);
}

#[test]
fn a_game_that_is_stopped_keeps_what_is_done() {
    let (player, solo) = MEETINGS[0];
    let plan = plan(player, solo, PlayerPolicy::Scripted);
    let stop = AtomicBool::new(false);
    let done = std::sync::atomic::AtomicUsize::new(0);
    let games = sim::run(&plan, 1000, 2, &stop, &|| {
        if done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 2 {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
    let games = games.unwrap();
    assert!((3..=5).contains(&games.len()), "{}", games.len());
}

#[test]
fn the_scripted_player_is_no_straw_man() {
    // Against Solo Alpha, ships of the same kind: one that flew without looking would lose more than it wins.
    let games = play(&plan("3*t65xwing", "3*t65xwing", PlayerPolicy::Scripted), 24, 2);
    let summary = Summary::of(&games);
    assert!(summary.player_wins > summary.solo_wins, "{summary:?}");
    // Of 72 ships.
    assert!(summary.player.fled <= 3, "{summary:?}");
}

#[test]
fn the_command_writes_files_and_names_what_it_cannot_read() {
    let folder = tempfile::tempdir().unwrap();
    let (csv, json) = (folder.path().join("games.csv"), folder.path().join("summary.json"));
    let tallyho = || Command::cargo_bin("tallyho").unwrap();
    let output = tallyho()
        .args([
            "sim", "--games", "3", "--rounds", "4", "--seed", "7", "--audit", "--csv",
        ])
        .arg(&csv)
        .arg("--json")
        .arg(&json)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("3 games: "));
    let mut reader = csv::Reader::from_path(&csv).unwrap();
    let side = reader
        .headers()
        .unwrap()
        .iter()
        .position(|name| name == "side")
        .unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    assert!(rows.len() >= 6 && rows.len().is_multiple_of(2));
    assert_eq!((&rows[0][side], &rows[1][side]), ("player", "solo"));
    let whole: serde_json::Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    assert_eq!((&whole["summary"]["games"], &whole["seed"]), (&3.into(), &7.into()));

    let wrong = tallyho().args(["sim", "--solo", "2*tiefigter"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    let words = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(words.contains("--solo") && words.contains("tiefigter"), "{words}");
    let many = tallyho().args(["sim", "--player", "9*t65xwing"]).output().unwrap();
    assert_eq!(many.status.code(), Some(2));
}
