//! `tallyho play --escort`: a person in either role against the automated other side (PE-3, PE-5, PE-6, PE-A1).

use std::path::Path;

use assert_cmd::Command;
use tallyho::{
    record::{Game, Hand, Start, file, ships::ShipGame},
    sim::{escort::Holder, squad::PLAYER},
    xwing::{
        battle::{Answer, EscortEvent, Event},
        catalog::Catalog,
        edition::Edition,
        escort::Role,
        maneuver::Bearing,
    },
};

/// What the program shows when these lines are typed into it. It sets up the table of a new game.
fn typed(arguments: &[&str], path: &Path, lines: &str) -> String {
    let quick = match path.exists() {
        true => &[][..],
        false => &["--quick-setup"],
    };
    typed_by_hand(&[arguments, quick].concat(), path, lines)
}

/// As [`typed`], with the set-up of a new game.
pub(super) fn typed_by_hand(arguments: &[&str], path: &Path, lines: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
    command.arg("play").args(arguments);
    match path.exists() {
        true => command.arg(path),
        false => command.arg("--save").arg(path),
    };
    let run = command.write_stdin(lines.to_owned()).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).expect("text")
}

pub(super) fn recorded(path: &Path) -> Game {
    let read = file::read::<ShipGame>(path).expect("a record");
    let catalog = Catalog::embedded_for(Edition::First);
    let (game, astray) = Game::resume(read.header, &read.answers, catalog).expect("it is played again");
    assert_eq!(astray, []);
    game
}

/// Every kind of line must be told; which one is missing is said with all that was shown.
pub(super) fn told(shown: &str, expected: &[&str]) {
    for expected in expected {
        assert!(shown.contains(expected), "{expected}:\n{shown}");
    }
}

const DEFENDS: [&str; 10] = [
    "--escort",
    "--role",
    "defender",
    "--escort-initiative",
    "player",
    "--player-shuttle",
    "hullupgrade",
    "--seed",
    "11",
    "--rounds=12",
];

#[test]
fn pe_a_person_defends_to_the_end_and_the_game_is_kept_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    // The first round is left in its middle; a bank is flown in the place of what is proposed.
    let planned = "\n".repeat(4);
    let first = typed(&DEFENDS, &path, &format!("{planned}1B\nquit\n"));
    told(
        &first,
        &[
            "Political Escort: ",
            "You are the defender. The shuttle is free, holds 0 Protect tokens",
            ": maneuver",
            "The shuttle is free: a 2 straight that enemies block stops at them and primes it (PE-5.2).",
            "R is the fewest further rounds to that",
            "green 2 straight: ends at",
            "white 1 bank left: ends at",
            "white 1 bank right: ends at",
            "goes on with it",
        ],
    );
    let game = recorded(&path);
    let Start::Escort { game: played } = &game.header().beginning.start else {
        panic!("no game of the scenario is kept");
    };
    assert_eq!(
        (played.role, played.initiative),
        (Some(Role::Defender), Some(Holder::Player))
    );
    let flown = game
        .answers()
        .iter()
        .find_map(|answered| match answered.choice.answer() {
            Some(Answer::Fly(flight)) if &*answered.who.ship == "shuttle" => Some((answered.by, flight.maneuver)),
            _ => None,
        });
    let (by, maneuver) = flown.expect("the shuttle has moved");
    assert_eq!(by, Hand::Human);
    assert!(matches!(maneuver.bearing, Bearing::Bank(_)), "{maneuver}");
    // It goes on, with what is proposed, to its end.
    let rest = typed(&[], &path, &"\n".repeat(600));
    told(
        &rest,
        &[
            "goes on in round 1",
            "protect the shuttle",
            "It is over: ",
            "the score is ",
            "The game is over",
        ],
    );
    let game = recorded(&path);
    let battle = game.battle();
    assert!(battle.pending().is_none());
    let events = battle.events();
    let protected = events
        .iter()
        .any(|event| matches!(event, Event::Escort(EscortEvent::Protected { .. })));
    let over = events
        .iter()
        .any(|event| matches!(event, Event::Escort(EscortEvent::Over { .. })));
    assert!(protected && over);
    let replay = |arguments: &[&str], lines: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
        let command = command.arg("replay").args(arguments).arg(&path);
        command.write_stdin(lines.to_owned()).assert().success()
    };
    // This version decides and rolls as it is recorded.
    replay(&["--check"], "");
    let replay = replay(&[], &"\n".repeat(700));
    let shown = String::from_utf8(replay.get_output().stdout.clone()).expect("text");
    told(&shown, &["Political Escort", "It is over: "]);
}

#[test]
fn pe_a_person_attacks_an_automated_shuttle() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hunt.jsonl");
    let squads = ["--player", "8*tiefighter/academypilot", "--solo", "4*xwing/rookiepilot"];
    let arguments = [
        &["--escort", "--role=attacker", "--escort-initiative=solo", "--seed=3"],
        &squads[..],
    ]
    .concat();
    let shown = typed(&arguments, &path, &"\n".repeat(1500));
    told(
        &shown,
        &[
            "You are the attacker.",
            "rounds from its exit",
            "It is over: ",
            "for the attacker",
        ],
    );
    let game = recorded(&path);
    let play = game.battle().escort().expect("the scenario is played");
    assert_eq!(play.role(PLAYER), Role::Attacker);
    assert!(play.cause().is_some());
    // PE-A2: the automated shuttle says why.
    let shuttle = game.answers().iter().find(|answered| &*answered.who.ship == "shuttle");
    let why = &shuttle.expect("it has moved").explanation.reasons;
    assert!(why.iter().any(|reason| reason.rule == "PE-A2"), "{why:?}");
}

#[test]
fn pe_a1_pe_3_initiative_and_role_are_asked_where_they_are_left_to_the_person() {
    let folder = tempfile::tempdir().expect("a folder");
    // 84 points against 96: the player's side has the lower total and chooses (FE-2.1).
    let play = |name: &str, arguments: &[&str], lines: &str| {
        let path = folder.path().join(name);
        let arguments = [&["--escort", "--seed=5"], arguments].concat();
        let shown = typed(&arguments, &path, lines);
        (shown, path)
    };
    let beginning = |path: &Path| match &recorded(path).header().beginning.start {
        Start::Escort { game } => (game.initiative, game.role),
        other => panic!("{other:?}"),
    };
    let (shown, path) = play("own.jsonl", &[], "maybe\nyou\ndefender\nquit\n");
    told(
        &shown,
        &[
            "who has initiative (PE-A1)",
            "`maybe` is none of you, solo.",
            "say who attacks (PE-3)",
            "You are the defender.",
        ],
    );
    assert_eq!(beginning(&path), (Some(Holder::Player), Some(Role::Defender)));
    // Who gives initiative away leaves the role to the automated side's roll.
    let (shown, path) = play("given.jsonl", &[], "solo\nquit\n");
    told(
        &shown,
        &["the automated side has initiative and rolls", "The solo has initiative"],
    );
    assert!(!shown.contains("say who attacks"), "{shown}");
    assert_eq!(beginning(&path), (Some(Holder::Solo), None));
    // Where dice are typed in, it is told whose die it is.
    let (shown, _) = play("typed.jsonl", &["--dice", "typed"], "solo\nhit\nquit\n");
    told(
        &shown,
        &["Who attacks, Solo Alpha's die", "rolls hit: it attacks first"],
    );
    // The other side has the lower total: nothing is asked.
    let turned = ["--player", "8*tiefighter/academypilot", "--solo", "4*xwing/rookiepilot"];
    let (shown, path) = play("settled.jsonl", &turned, "quit\n");
    assert!(!shown.contains("who has initiative (PE-A1)"), "{shown}");
    assert_eq!(beginning(&path), (None, None));
    // Unless the option leaves it to the person.
    let option = [&turned[..], &["--escort-option", "initiative-human"]].concat();
    let (shown, _) = play("option.jsonl", &option, "you\nattacker\nquit\n");
    told(&shown, &["who has initiative (PE-A1)", "You are the attacker."]);
    let path = folder.path().join("none.jsonl");
    let shown = typed(&["--escort"], &path, "quit\n");
    told(&shown, &["No game was begun."]);
    assert!(!path.exists());
}

#[test]
fn pe_options_of_other_games_are_refused() {
    for (arguments, expected) in [
        (&["--escort", "--faction", "rebelalliance"][..], "leave --escort out"),
        (
            &["--escort", "--player", "8*tiefighter/blacksquadronpilot"][..],
            "PE-2.1",
        ),
        (&["--escort", "--escort-option", "nothing"][..], "there is no option"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
        let run = command.arg("play").args(arguments).write_stdin("").assert().failure();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(expected), "{expected}: {said}");
    }
}
