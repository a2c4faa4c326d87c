//! Whole games, many of them: no rule broken, the same figures for the same seed.

use std::sync::atomic::AtomicBool;

use assert_cmd::Command;
use expect_test::expect_file;
use tallyho::{
    geometry::Pose,
    sim::{
        self, Plan, PlayerPolicy,
        balance::{self, Ground, Question, enemies::Pool, logistic::Fit},
        checksum, compare,
        field::{Entrant, Field},
        figures::{GameFigures, Summary},
        squad,
    },
    solo_alpha::Options,
    xwing::{
        battle::{Event, Mission},
        catalog::Catalog,
        scenario::{Scenario, muster::Wishes},
    },
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

/// Case G4: a huge ship is no member of a squad, and it is said why.
#[test]
fn huge_ships_are_refused_with_the_reason() {
    let refused = squad::read("t65xwing,gr75mediumtransport", Catalog::embedded()).unwrap_err();
    let said = refused.to_string();
    assert!(said.contains("gr75mediumtransport") && said.contains("huge"), "{said}");
}

/// An effect between the declaration and the dice may destroy the defender: the attack is over, and no rule is broken.
#[test]
fn a_defender_that_an_effect_destroys_before_the_dice_is_no_violation() {
    let plan = plan(
        "btla4ywing/hiredgun+homingtorpedoes",
        "4*tielnfighter",
        PlayerPolicy::Scripted,
    );
    for figures in play(&plan, 8, 1) {
        assert_eq!((figures.refused, figures.violations), (0, 0), "game {}", figures.game);
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

fn wishes(faction: &str, enemy: &str, variant: Option<&str>) -> Wishes {
    Wishes {
        faction: faction.to_owned(),
        enemy: enemy.to_owned(),
        player_ships: 2,
        variant: variant.map(str::to_owned),
        ..Wishes::default()
    }
}

fn mission(scenario: &Scenario, wishes: &Wishes) -> Field {
    Field::mission(Mission::new(scenario.clone(), Catalog::embedded(), wishes).unwrap())
}

/// A smaller number of the games that `tallyho sim --scenario intro --every-faction --games 1000 --audit` plays.
#[test]
fn introductory_games_of_every_faction_break_no_rule() {
    let scenario = Scenario::intro();
    let mut fields = Vec::new();
    for (row, squad) in scenario.squads.iter().enumerate() {
        let enemies = scenario.squads.iter().map(|enemy| enemy.faction.as_str());
        for (place, enemy) in enemies.enumerate().filter(|(place, _)| place % 3 == row % 3) {
            let variant = [None, Some("ace"), Some("transport")][place % 3];
            fields.push(mission(scenario, &wishes(&squad.faction, enemy, variant)));
        }
    }
    let factions: std::collections::BTreeSet<String> = fields.iter().flat_map(|field| field.sides.clone()).collect();
    assert_eq!(factions.len(), 7, "{factions:?}");
    for policy in [PlayerPolicy::Scripted, PlayerPolicy::Solo] {
        let plan = Plan {
            policy,
            audit: true,
            ..Plan::of(fields.clone())
        };
        let games = play(&plan, fields.len(), 2);
        assert_eq!(games.len(), fields.len());
        for game in &games {
            let name = fields[game.field].name();
            assert_eq!(
                (game.refused, game.violations),
                (0, 0),
                "{name}, {policy:?}, game {}",
                game.game
            );
            assert!(game.priced, "{name}");
            // Wave ships arrive and are counted: the solo side has more ships than it begins with.
            let arrived: u32 = game.rounds.iter().skip(1).map(|sides| sides[1].points_arrived).sum();
            assert!(game.rounds.len() < 4 || arrived > 0, "{name}, game {}", game.game);
            let totals = game.totals();
            assert!(totals[0].points_destroyed <= totals[1].points_arrived);
            assert!(totals[1].points_destroyed <= totals[0].points_arrived);
        }
    }
}

#[test]
fn the_mirror_gives_both_sides_the_same() {
    let field = mission(Scenario::mirror(), &wishes("rebelalliance", "rebelalliance", None));
    let plan = Plan {
        policy: PlayerPolicy::Solo,
        alternating: true,
        rounds: 12,
        audit: true,
        ..Plan::of(vec![field])
    };
    let games = play(&plan, 40, 2);
    for game in &games {
        assert_eq!((game.refused, game.violations), (0, 0));
        for round in [0, 3, 6] {
            let Some([south, north]) = game.rounds.get(round) else {
                continue;
            };
            assert!(south.points_arrived > 0, "round {round}");
            assert_eq!(south.points_arrived, north.points_arrived, "round {round}");
        }
    }
    // Fair: with 40 games neither side wins more than 33 of them by chance once in ten thousand times.
    let summary = Summary::of(&games);
    assert!(summary.player_wins <= 33 && summary.solo_wins <= 33, "{summary:?}");
}

#[test]
fn kinds_of_games_are_played_side_by_side_from_the_same_seeds() {
    let (player, solo) = MEETINGS[0];
    let written = plan(player, solo, PlayerPolicy::Scripted);
    let any = Plan {
        options: Options {
            any_stress_makes_focus: true,
            ..Options::default()
        },
        ..written.clone()
    };
    let plans = [written.clone(), any, written];
    let played = sim::run_all(&plans, 12, 2, &AtomicBool::new(false), &|| {}).unwrap();
    assert_eq!(played[0], played[2]);
    let rows = compare::table(&played);
    let row = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
    assert_eq!(row("solo shots").differences.len(), 2);
    for row in &rows {
        assert_eq!(row.differences[1].mean, 0.0, "{}", row.name);
        let difference = row.means[1].mean - row.means[0].mean;
        assert!((row.differences[0].mean - difference).abs() < 1e-9, "{}", row.name);
    }
}

#[test]
fn the_points_ratio_follows_what_is_destroyed() {
    let entrant = |id: &str, side, points, in_play| Entrant {
        id: id.into(),
        side,
        points: Some(points),
        in_play,
        stress: 0,
    };
    let entrants = [
        entrant("a", 0, 40, true),
        entrant("b", 1, 30, true),
        entrant("c", 1, 50, false),
        entrant("d", 0, 10, true),
    ];
    let events = [
        Event::RoundBegan(1),
        Event::Removed { ship: "b".into() },
        Event::RoundBegan(2),
        Event::Arrived {
            ship: "c".into(),
            name: String::new(),
            instead_of: None,
            pose: Pose::default(),
            locks: Vec::new(),
        },
        Event::Arrived {
            ship: "e".into(),
            name: String::new(),
            instead_of: Some("b".into()),
            pose: Pose::default(),
            locks: Vec::new(),
        },
        Event::Saved { ship: "d".into() },
        Event::Fled { ship: "a".into() },
        Event::Ended {
            winner: Some("solo".into()),
            ending: None,
        },
    ];
    let game = GameFigures::count(&entrants, &events);
    assert_eq!((game.winner, game.priced), (Some(1), true));
    // 30 of the enemy for 50 of one's own; the ship that came again costs its points again.
    assert_eq!(game.points_ratio(0, 0), Some(0.6));
    assert_eq!(game.points_ratio(1, 0), Some(0.0));
    assert_eq!(game.final_ratio(1), Some(40.0 / 110.0));
    let [player, solo] = game.totals();
    assert_eq!(
        (player.fled, player.saved, player.kills, player.survivors),
        (1, 1, 1, 0)
    );
    assert_eq!(
        (solo.points_arrived, solo.survivors, solo.points_destroyed),
        (110, 2, 40)
    );
    assert!(!game.is_unfinished());
}

#[test]
fn sa_13_a_player_ship_that_is_spent_saves_itself() {
    // One ship against the waves of two: it is beaten often, and what is left of it gets away over its edge now and then.
    let scenario = Scenario::intro();
    let alone = Wishes {
        player_ships: 2,
        ..wishes("separatistalliance", "firstorder", None)
    };
    let plan = Plan {
        audit: true,
        ..Plan::of(vec![mission(scenario, &alone)])
    };
    let summary = Summary::of(&play(&plan, 60, 2));
    assert_eq!((summary.refused, summary.violations), (0, 0));
    assert!(summary.player.saved > 0, "{summary:?}");
    assert!(summary.player.fled * 20 < 120, "{summary:?}");
}

#[test]
fn balance_finds_where_half_of_the_games_are_won() {
    let question = Question {
        ground: Ground::Lines(squad::read("2*t65xwing", Catalog::embedded()).unwrap()),
        player_points: 78,
        pool: Pool::of("galacticempire", Catalog::embedded()).unwrap(),
        plan: Plan {
            rounds: 10,
            ..Plan::of(Vec::new())
        },
        games: 90,
        precision: 0.001,
        threads: 2,
    };
    let stop = AtomicBool::new(false);
    let trials = question.answer(&stop, &|_| {}).unwrap();
    assert_eq!(trials.len(), 90);
    let fit = Fit::of(&balance::points_and_outcomes(&trials)).unwrap();
    // Stronger enemies win more; the half lies among the squads that were drawn.
    assert!(fit.slope < 0.0, "{fit:?}");
    let (low, high) = fit.interval().unwrap();
    assert!(low < fit.half() && fit.half() < high, "{fit:?}");
    assert!((fit.range.0..=fit.range.1).contains(&fit.half()), "{fit:?}");
    // The same games whatever the number of threads.
    let alone = Question {
        threads: 1,
        games: 60,
        ..question.clone()
    };
    assert_eq!(alone.answer(&stop, &|_| {}).unwrap(), trials[..60]);
    // What is stopped keeps what is done.
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(question.answer(&stop, &|_| {}).unwrap(), []);
}

/// A change of play must be seen. When one is meant, `UPDATE_EXPECT=1 cargo test --test it sim::` writes the file anew, and the
/// commit says what plays otherwise and why; `tallyho bench` prints the same lines.
#[test]
fn what_is_played_is_what_was_played() {
    let mut text =
        "# Checksums of what is played (tallyho bench). To renew: UPDATE_EXPECT=1 cargo test --test it sim::\n"
            .to_owned();
    let mut lines = Vec::new();
    for (name, plan) in checksum::plans().unwrap() {
        let line = checksum::line(&name, &plan).unwrap();
        text += &format!("{line}\n");
        lines.push(line);
    }
    text += &format!("{}  all\n", checksum::whole(&lines));
    expect_file!["../cases/sim/checksums.txt"].assert_eq(&text);
    // It is play that counts: other dice, other choices.
    let (name, plan) = checksum::plans().unwrap().swap_remove(0);
    let other = checksum::line(&name, &Plan { seed: 2, ..plan }).unwrap();
    assert_ne!(other.sum, lines[0].sum);
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
    let kind = &whole["kinds"][0];
    assert_eq!((&kind["summary"]["games"], &kind["seed"]), (&3.into(), &7.into()));

    let html = folder.path().join("report.html");
    let output = tallyho()
        .args(["sim", "--scenario", "mirror", "--faction", "empire", "--policy", "solo"])
        .args([
            "--first",
            "alternating",
            "--compare",
            "stress",
            "--games",
            "2",
            "--rounds",
            "5",
            "--html",
        ])
        .arg(&html)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(words.contains("difference, any stress"), "{words}");
    assert!(words.contains("difference, solo side any stress"), "{words}");
    let page = std::fs::read_to_string(&html).unwrap();
    // Nothing is loaded from anywhere, and every picture is well-formed.
    let names = page.replace("http://www.w3.org/2000/svg", "");
    assert!(
        !names.contains("http") && !names.contains("<script") && !names.contains("@import"),
        "{names}"
    );
    let pictures: Vec<&str> = (page.split("<svg ").skip(1))
        .map(|rest| rest.split_once("</svg>").unwrap().0)
        .collect();
    assert_eq!(pictures.len(), 14);
    for picture in pictures {
        roxmltree::Document::parse(&format!("<svg {picture}</svg>")).unwrap();
    }

    let wrong = tallyho().args(["sim", "--solo", "2*tiefigter"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    let words = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(words.contains("--solo") && words.contains("tiefigter"), "{words}");
    let many = tallyho().args(["sim", "--player", "9*t65xwing"]).output().unwrap();
    assert_eq!(many.status.code(), Some(2));
}
