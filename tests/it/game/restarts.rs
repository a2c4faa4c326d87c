//! The program killed after every line of its journal: each step is carried out once, and the game goes on.

use std::path::Path;

use serde_json::json;
use tallyho::bridge::host::{Host, HostConfig};

use super::{
    plain_table::{PlainTable, Session, config, everything},
    whole_rounds::{face_to_face, leads},
};

const SEED: u64 = 5;

fn recorded(path: &Path) -> HostConfig {
    HostConfig {
        journal: Some(path.to_owned()),
        ..config(SEED)
    }
}

fn lines(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// Plays two activations and is killed once the journal has `kill_at` lines: what the program was about to send is lost.
/// Then it is started again and they are played to their end. `resumed`: the table kept its session.
fn play_and_kill(path: &Path, kill_at: usize, resumed: bool) -> Session {
    let mut table = PlainTable::skirmish();
    table.models.remove("solo1");
    table.models.remove("xwing1");
    let mut session = Session::with(recorded(path), table, &everything());
    let press = json!({"opId": "press1", "scope": "initiative"});
    let mut killed = lines(path).len() >= kill_at;
    if !killed {
        session.request("solo/advance", press.clone()).unwrap();
        killed = lines(path).len() >= kill_at;
    }
    while !killed && session.step() {
        killed = lines(path).len() >= kill_at;
    }
    // Only so much had reached the disk.
    let kept: String = lines(path)
        .iter()
        .take(kill_at)
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(path, kept).unwrap();
    session.waiting.clear();
    session.host = Host::new(recorded(path));
    let outgoing = session.host.table_attached(&everything(), resumed);
    session.waiting.extend(outgoing);
    if !resumed {
        session.sync();
    }
    // The table does not know whether its press arrived, so it presses again.
    match session.request("solo/advance", press) {
        Ok(_) => {}
        Err(fault) => {
            // Nothing had been seen of the table yet, or it was not connected: it does what the fault says.
            session.sync();
            session
                .request("solo/advance", json!({"opId": "press1", "scope": "initiative"}))
                .unwrap_or_else(|_| panic!("{fault}"));
        }
    }
    session.pump();
    session
}

#[test]
fn each_step_is_carried_out_once_wherever_the_program_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.jsonl");
    let undisturbed = play_and_kill(&whole, usize::MAX, true);
    let all = lines(&whole).len();
    assert!(all > 12, "{all} lines");
    for resumed in [true, false] {
        for kill_at in 1..=all {
            let path = folder.path().join(format!("{resumed}{kill_at}.jsonl"));
            let session = play_and_kill(&path, kill_at, resumed);
            let steps = |session: &Session| {
                let mut ids: Vec<_> = session.table.carried_out.iter().map(|(id, _)| id.clone()).collect();
                let before = ids.len();
                ids.dedup();
                assert_eq!(before, ids.len());
                session
                    .table
                    .carried_out
                    .iter()
                    .map(|(_, step)| step.clone())
                    .collect::<Vec<_>>()
            };
            assert_eq!(
                session.table.models, undisturbed.table.models,
                "killed at line {kill_at}, resumed {resumed}"
            );
            assert_eq!(
                steps(&session),
                steps(&undisturbed),
                "killed at line {kill_at}, resumed {resumed}"
            );
        }
    }
}

/// Plays an engagement, is killed once the journal has `kill_at` lines, started again, and plays to the end of the round.
fn fight_and_kill(path: &Path, kill_at: usize, resumed: bool) -> Session {
    let requests = [
        ("game/correct", json!({"opId": "begin", "phase": "engagement"})),
        ("solo/advance", json!({"opId": "press1", "scope": "round"})),
    ];
    let mut session = Session::with(recorded(path), face_to_face(150.0), &leads());
    let killed = |path: &Path| lines(path).len() >= kill_at;
    for (method, params) in &requests {
        if killed(path) {
            break;
        }
        session.request(method, params.clone()).unwrap();
        while !killed(path) && session.step() {}
    }
    let kept: String = lines(path)
        .iter()
        .take(kill_at)
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(path, kept).unwrap();
    session.waiting.clear();
    session.host = Host::new(recorded(path));
    let outgoing = session.host.table_attached(&leads(), resumed);
    session.waiting.extend(outgoing);
    session.sync();
    session.pump();
    for (method, params) in &requests {
        session.request(method, params.clone()).unwrap();
        session.pump();
    }
    session
}

#[test]
fn an_engagement_goes_on_wherever_the_program_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.jsonl");
    let mut undisturbed = fight_and_kill(&whole, usize::MAX, true);
    let all = lines(&whole).len();
    assert!(all > 20, "{all} lines");
    assert_eq!(undisturbed.status()["round"], 2);
    let changes = |session: &Session| {
        let mut ids: Vec<_> = session.table.carried_out.iter().map(|(id, _)| id.clone()).collect();
        let before = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(before, ids.len());
        session
            .table
            .carried_out
            .iter()
            .map(|(_, step)| step.clone())
            .collect::<Vec<_>>()
    };
    for resumed in [true, false] {
        for kill_at in 1..=all {
            let path = folder.path().join(format!("{resumed}{kill_at}.jsonl"));
            let mut session = fight_and_kill(&path, kill_at, resumed);
            let at = format!("killed at line {kill_at} of {all}, resumed {resumed}");
            assert_eq!(session.table.models, undisturbed.table.models, "{at}");
            assert_eq!(session.status()["ledger"], undisturbed.status()["ledger"], "{at}");
            assert_eq!(changes(&session), changes(&undisturbed), "{at}");
        }
    }
}

#[test]
fn a_journal_read_back_is_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let mut session = Session::with(recorded(&path), PlainTable::skirmish(), &everything());
    for _ in 0..3 {
        session.play("round");
        session.play("ship");
    }
    session.request("solo/undo", json!({"opId": "u"})).unwrap();
    session.pump();
    session
        .request(
            "solo/override",
            json!({"opId": "o", "ship": "solo2", "roll": "focus/crit"}),
        )
        .unwrap();
    let mut again = Host::new(HostConfig {
        // The seed of the journal counts.
        seed: 99,
        ..recorded(&path)
    });
    let role = tallyho::protocol::lifecycle::Role::Cli;
    let mut status = session.status();
    // The table itself is not connected after a restart.
    status["table"] = json!(false);
    assert_eq!(again.request(role, "game/status", json!({})).0.unwrap(), status);
    for ship in ["solo1", "solo2", "solo3"] {
        let preview = json!({"ship": ship});
        assert_eq!(
            again.request(role, "solo/preview", preview.clone()).0.unwrap(),
            session.request("solo/preview", preview).unwrap()
        );
    }
}

#[test]
fn a_journal_that_cannot_be_used_costs_the_record_and_not_the_game() {
    let folder = tempfile::tempdir().unwrap();
    // A folder stands in its place; a file that is no journal; and one that has lost its beginning.
    let broken = folder.path().join("broken.jsonl");
    std::fs::write(&broken, "nonsense\n").unwrap();
    let headless = folder.path().join("headless.jsonl");
    std::fs::write(&headless, "{\"entry\":\"detached\"}\n").unwrap();
    for path in [folder.path().to_owned(), broken.clone(), headless.clone()] {
        let mut session = Session::with(recorded(&path), PlainTable::skirmish(), &everything());
        assert!(session.told().contains("not recorded"), "{}", session.told());
        session.play("round");
        assert_eq!(session.activated().len(), 3);
    }
    assert_eq!(std::fs::read_to_string(broken).unwrap(), "nonsense\n");
    assert_eq!(std::fs::read_to_string(headless).unwrap(), "{\"entry\":\"detached\"}\n");
}
