//! Two games of a match at the keyboard (PE-3, PE-9.1, PE-9.3), the menu, squads out of files, and what is said of a game beforehand.

use std::path::Path;

use assert_cmd::Command;
use tallyho::{record::Start, sim::escort::Holder, xwing::escort::Role};

use super::keyboard::{recorded, told, typed_by_hand};

fn tallyho(arguments: &[&str], folder: &Path) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
    let run = command.current_dir(folder).args(arguments).output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.success(), text(&run.stdout), text(&run.stderr))
}

#[test]
fn pe_3_pe_9_the_second_game_swaps_roles_keeps_initiative_and_the_tournament_takes_both() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("evening.jsonl");
    let arguments = [
        "--escort",
        "--role=attacker",
        "--escort-initiative=solo",
        "--seed=3",
        "--rounds=2",
        "--quick-setup",
    ];
    // Two short games; to the end of the first one, its end is left, and on with the second.
    let mut lines = "\n".repeat(400);
    let shown = typed_by_hand(&arguments, &path, &lines);
    told(
        &shown,
        &[
            "As `tallyho tournament result FILE` takes it, with the players' names: solo ",
            "Begin the second game of the match now? Roles are swapped, you defend; initiative stays (PE-3). [yes]",
            "You are the defender.",
            "The match, as `tallyho tournament result FILE` takes its games",
            "It comes to player ",
        ],
    );
    let second = folder.path().join("evening-2.jsonl");
    let of = |path: &Path| match &recorded(path).header().beginning.start {
        Start::Escort { game } => (**game).clone(),
        other => panic!("{other:?}"),
    };
    let (one, two) = (of(&path), of(&second));
    assert_eq!((one.role, two.role), (Some(Role::Attacker), Some(Role::Defender)));
    assert_eq!(two.initiative, Some(Holder::Solo), "it stays");
    assert_eq!(two.first_game.map(|game| game.defender), Some(Holder::Solo));
    // Both lines go into a tournament as they are.
    let results: Vec<&str> = shown
        .lines()
        .map(str::trim)
        .filter(|line| line.ends_with(" time") && (line.starts_with("solo ") || line.starts_with("player ")))
        .collect();
    assert_eq!(results.len(), 2, "{shown}");
    std::fs::write(folder.path().join("sheet.txt"), results.join("\n")).expect("a file");
    for arguments in [
        &["tournament", "new", "cup.toml", "player", "solo"][..],
        &["tournament", "pair", "cup.toml"],
        &["tournament", "result", "cup.toml", "--from", "sheet.txt"],
    ] {
        let (well, _, error) = tallyho(arguments, folder.path());
        assert!(well, "{arguments:?}: {error}");
    }
    // A game that is over offers it again when it is looked at; no is an answer.
    lines = "\nno\n".to_owned();
    let shown = typed_by_hand(&[], &path, &lines);
    told(&shown, &["Begin the second game"]);
    assert!(!folder.path().join("evening-3.jsonl").exists());
}

#[test]
fn pe_2_the_menu_of_plain_play_offers_the_scenario_and_the_first_edition() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("menu.jsonl");
    // A squad that breaks a rule is asked for again.
    let lines = "escort\n2*xwing/biggsdarklighter\n\n\n\n\nhullupgrade\n\n\n9\nyou\ndefender\nquit\n";
    let shown = typed_by_hand(&[], &path, lines);
    told(
        &shown,
        &[
            "escort: Political Escort",
            "A squad has 100 points",
            "That cannot be played: the player's squad: ",
            "Upgrades of your shuttle",
            "Set-up: obstacle 1 of 6",
            "You are the defender.",
        ],
    );
    let kept = recorded(&path);
    let Start::Escort { game } = &kept.header().beginning.start else {
        panic!("another game");
    };
    assert_eq!(game.player_shuttle, ["hullupgrade"]);
    let path = folder.path().join("first.jsonl");
    let shown = typed_by_hand(&[], &path, "first\n\n\n7\nquit\n");
    told(&shown, &["Your squad? [2*xwing]", "Set-up: obstacle 1 of 6"]);
}

#[test]
fn pe_1_4_pe_2_what_a_game_is_told_beforehand() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write(
        "mine.json",
        r#"{"version":"1.0.0","faction":"rebel","pilots":[{"name":"rookiepilot","ship":"xwing"}]}"#,
    );
    write(
        "theirs.json",
        r#"{"version":"2.0.0","faction":"rebel","pilots":[{"id":"bluesquadronescort","ship":"t65xwing"}]}"#,
    );
    write("bare.toml", "player = \"xwing/rookiepilot\"\n");
    write("bad.toml", "player = \"xwing/rookiepilot\"\nsolo = \"9*tiefighter\"\n");
    write(
        "cards.toml",
        "player = \"mine.json\"\nsolo = \"tiefighter\"\nplayerShuttle = [\"nosuch\"]\n",
    );
    write(
        "fine.toml",
        "player = \"mine.json\"\nsolo = \"tiefighter\"\nshuttleName = \"Emperor's Shuttle\"\n",
    );
    let sim = |more: &[&str]| {
        let begin = ["sim", "--escort", "--games=1", "--threads=1", "--rounds=3"];
        tallyho(&[&begin[..], more].concat(), folder.path())
    };
    for (arguments, expected) in [
        (&["--player", "theirs.json"][..], &["of the second edition"][..]),
        (&["--player", "nosuch.json"], &["there is no file nosuch.json"]),
        (
            &["--escort-file", "bare.toml"],
            &["bare.toml", "`solo`", "missing", "solo = "],
        ),
        (&["--escort-file", "bad.toml"], &["bad.toml", "`solo`", "9*tiefighter"]),
        (
            &["--escort-file", "cards.toml"],
            &["cards.toml", "`playerShuttle`", "`nosuch` is not in the catalog"],
        ),
        (
            &["--player-shuttle", "nosuch"],
            &["`nosuch` is not in the catalog", "--unchecked"],
        ),
        (
            &["--escort-option", "escorts-solo", "--escort-option", "escorts-screen"],
            &["escorts-solo", "escorts-screen", "contradict"],
        ),
        (
            &[
                "--escort-option",
                "attackers-solo",
                "--escort-option",
                "attackers-mixed",
            ],
            &["contradict"],
        ),
        (
            &["--player", "ywing/goldsquadronpilot+twinlaserturret"],
            &["Twin Laser Turret is not allowed", "PE-2.3"],
        ),
        (&["--shuttle-name", ""], &["the shuttle's name"]),
    ] {
        let (well, _, error) = sim(arguments);
        assert!(!well, "{arguments:?}");
        for expected in expected {
            assert!(error.contains(expected), "{expected}: {error}");
        }
    }
    for arguments in [&["--player", "mine.json"][..], &["--escort-file", "fine.toml"]] {
        let (well, shown, error) = sim(arguments);
        assert!(well && shown.contains("1 game"), "{arguments:?}: {error}");
    }
    // PE-1.4: in words alone; PE-A1: what is given is neither rolled for nor told of.
    let (_, shown, error) = tallyho(
        &[
            "sim",
            "--escort",
            "--games=1",
            "--escort-file=fine.toml",
            "--role=defender",
            "--record=records",
        ],
        folder.path(),
    );
    assert!(shown.contains("1 game"), "{error}");
    let record = std::fs::read_dir(folder.path().join("records"))
        .expect("a folder")
        .next()
        .expect("a record");
    let record = record.expect("a file").path();
    let (_, listed, _) = tallyho(&["replay", &record.display().to_string(), "--list"], folder.path());
    told(&listed, &["Emperor's Shuttle"]);
    let game = recorded(&record);
    let notes = game.notes().join("\n");
    assert!(
        !notes.contains("attacks first") && !notes.contains("defends first"),
        "{notes}"
    );
    assert!(notes.contains("the solo attacks, the player defends"), "{notes}");
}

#[test]
fn fe_1_2_a_game_of_the_first_edition_says_what_its_squads_break() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mixed.jsonl");
    let squads = [
        "--edition=first",
        "--player=xwing/rookiepilot,tiefighter/academypilot",
        "--solo=tiefighter",
        "--seed=1",
    ];
    let shown = typed_by_hand(&squads, &path, "quit\n");
    told(
        &shown,
        &[
            "the player's squad, ship 2: `Academy Pilot` flies for Galactic Empire",
            "(FE-1)",
        ],
    );
}
