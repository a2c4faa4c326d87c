//! FE-SOLO-9 at a table: an attack value that the data leaves open is asked once and kept.

use serde_json::json;
use tallyho::{
    bridge::host::HostConfig,
    xwing::{catalog::Catalog, edition::Edition},
};

use super::{
    super::{
        plain_table::{PlainTable, Session, config},
        whole_rounds::leads,
    },
    alone, at, pump_choosing,
};

/// A Y-wing with the one card whose value the data leaves open, and an enemy at range 2 of it.
fn turret() -> PlainTable {
    let mut table = alone();
    let armed = table.models.get_mut("xwing1").unwrap();
    (armed.ship, armed.upgrades) = ("ywing", vec!["twinlaserturret"]);
    table.models.get_mut("solo1").unwrap().at = at(300.0, 310.0, 180.0);
    table
}

fn of_the_edition(seed: u64) -> HostConfig {
    HostConfig {
        catalog: Catalog::embedded_for(Edition::First),
        ..config(seed)
    }
}

/// The options of the attack of `xwing1`.
fn attacks(session: &mut Session) -> String {
    session.request("game/correct", json!({"phase": "engagement"})).unwrap();
    session.prompts.clear();
    for _ in 0..6 {
        pump_choosing(session, &["No attack"]);
        if session.prompts.iter().any(|prompt| prompt.ship == "xwing1") {
            break;
        }
        session.press("ship").unwrap();
    }
    let asked = session.prompts.iter().find(|prompt| prompt.ship == "xwing1");
    asked.map(|prompt| prompt.options.join("; ")).unwrap_or_default()
}

fn questions(session: &Session) -> usize {
    let prompts = session.prompts.iter();
    prompts
        .filter(|prompt| prompt.text.contains("Twin Laser Turret: how many attack dice"))
        .count()
}

#[test]
fn fe_solo_9_an_open_attack_value_is_asked_once_and_kept() {
    for (answer, shown) in [
        ("3 attack dice", Some("3 dice")),
        ("without its attack", None),
        ("nobody answers", None),
    ] {
        let mut session = Session::with(of_the_edition(1), turret(), &leads());
        session.press("ship").unwrap();
        pump_choosing(&mut session, &[answer]);
        assert_eq!(questions(&session), 1, "{:?}", session.prompts);
        let options = attacks(&mut session);
        assert_eq!(
            options.contains("Twin Laser Turret"),
            shown.is_some(),
            "{answer}: {options}"
        );
        assert!(shown.is_none_or(|shown| options.contains(shown)), "{options}");
        // The next round asks no more.
        session
            .request("game/correct", json!({"phase": "planning", "round": 2}))
            .unwrap();
        session.pump();
        session.prompts.clear();
        session.press("ship").unwrap();
        pump_choosing(&mut session, &[]);
        assert_eq!(questions(&session), 0, "{answer}: {:?}", session.prompts);
    }
    // A table without such a card is not asked.
    let mut session = Session::with(of_the_edition(1), alone(), &leads());
    session.press("ship").unwrap();
    pump_choosing(&mut session, &[]);
    assert_eq!(questions(&session), 0);
}

#[test]
fn fe_solo_9_a_resumed_game_knows_the_value() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = || HostConfig {
        journal: Some(folder.path().join("game.jsonl")),
        ..of_the_edition(1)
    };
    let mut session = Session::with(recorded(), turret(), &leads());
    session.press("ship").unwrap();
    pump_choosing(&mut session, &["3 attack dice"]);
    let Session { table, host, .. } = session;
    drop(host);
    let mut resumed = Session::with(recorded(), table, &leads());
    let options = attacks(&mut resumed);
    assert!(
        options.contains("Twin Laser Turret") && options.contains("3 dice"),
        "{options}"
    );
}
