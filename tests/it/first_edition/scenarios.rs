//! Scenarios of the first edition in whole games: the starter game (FE-1.6), and the options of the edition, which reach every
//! game that is played (FE-14, FE-SOLO-2).

use assert_cmd::Command;
use tallyho::{
    sim::{self, Commanders, Plan, PlayerPolicy, field::Field},
    xwing::{
        battle::{Event, Mission, audit::audit},
        catalog::Catalog,
        edition::{DamageDeckKind, Edition, FirstEditionOptions, Rules},
        scenario::{Scenario, muster::Wishes},
        squad::initiative::Side,
    },
};

fn starter(rules: Rules, policy: PlayerPolicy) -> Plan {
    let scenario = Scenario::starter();
    let wishes = Wishes {
        faction: scenario.only_faction().expect("Luke Skywalker's alone").to_owned(),
        enemy: "galacticempire".to_owned(),
        player_ships: 1,
        ..Wishes::default()
    };
    let mission = Mission::new(scenario.clone(), Catalog::embedded_for(Edition::First), &wishes);
    Plan {
        rules,
        policy,
        rounds: 30,
        seed: 16,
        ..Plan::of(vec![Field::mission(mission.expect("its ships are known"))])
    }
}

fn options(text: &str) -> Rules {
    let options: FirstEditionOptions = serde_json::from_str(text).expect(text);
    options.rules()
}

/// FE-1.6: three ships, no obstacles, to an end that says who has won.
#[test]
fn fe_1_6_the_starter_game_is_played_to_its_end() {
    let mut told = Vec::new();
    for policy in [PlayerPolicy::Scripted, PlayerPolicy::Solo] {
        let plan = starter(Rules::FIRST, policy);
        let mut commanders = Commanders::new(&plan);
        for game in 0..10 {
            let mut dice = sim::dice_of(plan.seed, game);
            let start = sim::open(&plan, game, sim::seed_of(plan.seed, game), &mut dice).expect("it is set up");
            let names = start.setup.table.ships.iter().map(|ship| ship.name.as_str());
            let wanted = ["Luke Skywalker", "\"Night Beast\"", "Obsidian Squadron Pilot"];
            assert_eq!(names.collect::<Vec<_>>(), wanted);
            assert!(start.setup.table.obstacles.is_empty());
            let setup = start.setup.clone();
            let (battle, refused) = sim::play(start.setup, &mut commanders, &mut dice).expect("it is played");
            assert_eq!(refused, []);
            assert_eq!(audit(&setup, battle.events()), []);
            match battle.events().last() {
                Some(Event::Ended { ending, .. }) => told.extend(ending.clone()),
                other => panic!("game {game} ends with {other:?}"),
            }
        }
    }
    for says in ["Luke Skywalker is lost", "Both TIE fighters are lost"] {
        assert!(told.iter().any(|told| told.contains(says)), "{says}: {told:?}");
    }
}

/// The options reach games of a scenario (FE-14.9), and the totals decide about initiative there, too (FE-SOLO-2): 28 points
/// against 28, which is the Imperial side's by the rulebook of 2012 (FE-14.1).
#[test]
fn fe_14_options_reach_the_games_of_a_scenario() {
    let first = |text: &str| {
        let plan = starter(options(text), PlayerPolicy::Scripted);
        let mut dice = sim::dice_of(plan.seed, 0);
        let start = sim::open(&plan, 0, 1, &mut dice).expect("it is set up");
        assert_eq!(start.setup.table.rules, plan.rules, "{text}");
        start.setup.sides[0].name.clone()
    };
    assert_eq!(
        options(r#"{"rulebook2012": true}"#).damage_deck,
        DamageDeckKind::Core2012
    );
    assert_eq!(first("{}"), "player");
    assert_eq!(first(r#"{"rulebook2012": true}"#), "player");
    assert_eq!(
        first(r#"{"rulebook2012": true, "soloInitiativeByPoints": true}"#),
        "solo"
    );
    let sides = [true, false].map(|imperial| Side { total: 28, imperial });
    let rolled = tallyho::xwing::squad::initiative::compare(Rules::FIRST.first_initiative, sides, || {
        tallyho::dice::AttackFace::Hit
    });
    assert_eq!(rolled, tallyho::xwing::squad::initiative::Initiative::Chooses(0));
}

fn run(arguments: &[&str], typed: &str) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("tallyho").expect("the program");
    let output = command
        .args(arguments)
        .write_stdin(typed.to_owned())
        .output()
        .expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// FE-1.6 at the keyboard and in many games; FE-0.8, FE-14.13: a dispute is rolled for where the option is on, kept and replayed.
#[test]
fn fe_1_6_the_starter_game_in_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (record, options, other) = (file("game.jsonl"), file("options.json"), file("other.jsonl"));
    std::fs::write(&options, r#"{"disputeRoll": true, "soloInitiativeByPoints": true}"#).expect("a file");
    let new = [
        "play",
        "--edition",
        "first",
        "--scenario",
        "starter",
        "--seed",
        "7",
        "--save",
    ];
    let typed = format!("dispute does a template count?\n{}", "\n".repeat(400));
    let (code, shown, error) = run(&[&new[..], &[&record, "--edition-options", &options]].concat(), &typed);
    assert_eq!(code, Some(0), "{error}");
    assert!(shown.contains("The game is over"), "{shown}");
    assert!(
        shown.contains("Dispute about \"does a template count?\": player rolls against solo:")
            && shown.contains("(FE-0.8)"),
        "{shown}"
    );
    let (code, shown, error) = run(&["replay", &record, "--check"], "");
    assert_eq!((code, error.as_str()), (Some(0), ""), "{shown}");
    // Without the option the program names the rules that it goes by.
    let (code, shown, error) = run(&[&new[..], &[&other]].concat(), "dispute\nquit\n");
    assert_eq!(code, Some(0), "{error}");
    assert!(
        shown.contains("The program goes by the rules that `why` names"),
        "{shown}"
    );
    // FE-13.3, FE-14.12: a dial that is set is told to all of its side, or to nobody before it is revealed.
    for (text, tells, hides) in [
        ("{}", "has its dial at", "face down"),
        (r#"{"hiddenTeamDials": true}"#, "face down", "dial at"),
    ] {
        let (record, options) = (file(&format!("{tells}.jsonl")), file(&format!("{tells}.json")));
        std::fs::write(&options, text).expect("a file");
        let (code, shown, error) = run(
            &[&new[..], &[&record, "--edition-options", &options]].concat(),
            "\nquit\n",
        );
        assert_eq!(code, Some(0), "{error}");
        assert!(shown.contains(tells) && !shown.contains(hides), "{text}: {shown}");
        assert!(shown.contains(" reveals "), "{text}: {shown}");
    }
    let sim = [
        "sim",
        "--edition",
        "first",
        "--scenario",
        "starter",
        "--games",
        "3",
        "--audit",
    ];
    let (code, shown, error) = run(&[&sim[..], &["--edition-options", &options]].concat(), "");
    assert_eq!(code, Some(0), "{error}");
    assert!(shown.contains("no rule broken"), "{shown}");
    let (code, _, error) = run(&["sim", "--scenario", "starter", "--games", "1"], "");
    assert_eq!(code, Some(1));
    assert!(error.contains("--edition first"), "{error}");
}

/// The options reach Political Escort in many games, and what is written says so.
#[test]
fn fe_14_options_reach_political_escort() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (options, summary) = (file("options.json"), file("summary.json"));
    std::fs::write(&options, r#"{"coreDamageDeck": true}"#).expect("a file");
    let sim = [
        "sim",
        "--escort",
        "--player",
        "4*xwing/rookiepilot",
        "--solo",
        "6*tiefighter/academypilot",
        "--games",
        "2",
    ];
    let (code, _, error) = run(
        &[
            &sim[..],
            &["--audit", "--edition-options", &options, "--json", &summary],
        ]
        .concat(),
        "",
    );
    assert_eq!(code, Some(0), "{error}");
    let told: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&summary).expect("a summary")).expect("JSON");
    assert_eq!(
        told["game"]["edition"]["coreDamageDeck"],
        serde_json::json!(true),
        "{told}"
    );
}
