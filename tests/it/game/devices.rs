//! SA-2 at a table: solo ships roll for their devices in the system phase, the players are told where to put them and when
//! they go off.

use serde_json::json;
use tallyho::{
    bridge::host::HostConfig,
    protocol::apply::{Placement, WireStep},
};

use super::{
    plain_table::{Session, config},
    whole_rounds::{face_to_face, leads, ledger},
};

/// Everything that was said at the table.
pub fn said(session: &Session) -> Vec<String> {
    let steps = session.table.carried_out.iter();
    steps
        .filter_map(|(_, step)| match step {
            WireStep::Say { text, .. } => Some(text.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn sa_2_a_bomb_is_dropped_by_the_roll_put_down_by_the_players_and_goes_off() {
    let (mut dropped, mut kept, mut hit) = (0, 0, 0);
    for seed in 0..12 {
        let mut table = face_to_face(420.0);
        let bomber = table.models.get_mut("solo1").unwrap();
        bomber.device = Some(json!({"id": "protonbombs", "charges": 2, "max_charges": 2}));
        // An X-wing behind it, in its rear arc at range 1.
        table.models.get_mut("xwing1").unwrap().at = Placement {
            x: 300.0,
            y: 660.0,
            facing: 180.0,
        };
        let mut session = Session::with(config(seed), table, &leads());
        assert_eq!(ledger(&mut session, "solo1")["charges"], json!({"protonbombs": 2}));
        session.play("round");
        let told = session.told();
        assert!(told.contains("SA-2"), "{told}");
        let all = said(&session).join("\n");
        if all.contains("drops protonbombs") {
            dropped += 1;
            assert!(all.contains("please put it down"), "{all}");
            assert_eq!(ledger(&mut session, "solo1")["charges"], json!({"protonbombs": 1}));
            // The solo ships fly; then the engagement begins, and before it the bomb goes off.
            session.play("round");
            session.play("round");
            let all = said(&session).join("\n");
            assert!(all.contains("goes off: please take it off the table"), "{all}");
            hit += usize::from(all.contains("is reached by it"));
        } else {
            kept += 1;
            assert_eq!(ledger(&mut session, "solo1")["charges"], json!({"protonbombs": 2}));
        }
    }
    assert!(dropped > 0 && kept > 0, "{dropped} dropped, {kept} kept");
    assert!(hit > 0, "no bomb reached a ship");
}

#[test]
fn what_was_dropped_is_seen_when_the_journal_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, page) = (folder.path().join("game.jsonl"), folder.path().join("game.html"));
    for template in ["Drop it, 1 straight", "Keep it"] {
        let _ = std::fs::remove_file(&journal);
        let mut table = face_to_face(420.0);
        table.models.get_mut("xwing1").unwrap().device =
            Some(json!({"id": "protonbombs", "charges": 1, "max_charges": 1}));
        let recorded = HostConfig {
            journal: Some(journal.clone()),
            ..config(1)
        };
        let mut session = Session::with(recorded, table, &leads());
        session.consent = Some(template.to_owned());
        session.play("ship");
        session.sync();
        drop(session);
        assert_cmd::Command::cargo_bin("tallyho")
            .unwrap()
            .arg("replay")
            .arg(&journal)
            .args(["--list", "--html"])
            .arg(&page)
            .assert()
            .success();
        let page = std::fs::read_to_string(&page).unwrap();
        assert_eq!(
            page.contains("class=\\\"device\\\""),
            template != "Keep it",
            "{template}"
        );
    }
}

#[test]
fn players_are_asked_for_their_devices_and_may_keep_them() {
    let mut table = face_to_face(420.0);
    table.models.get_mut("xwing1").unwrap().device = Some(json!({"id": "protonbombs", "charges": 1, "max_charges": 1}));
    let mut session = Session::with(config(1), table, &leads());
    session.consent = Some("Drop it, 1 straight".to_owned());
    session.play("ship");
    let asked = session.prompts.iter().find(|prompt| prompt.ship == "xwing1").unwrap();
    assert_eq!(asked.default, "Keep it");
    assert!(
        asked.options.iter().any(|option| option == "Drop it, 1 straight"),
        "{asked:?}"
    );
    assert_eq!(ledger(&mut session, "xwing1")["charges"], json!({"protonbombs": 0}));
}
