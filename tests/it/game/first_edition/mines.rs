//! Mines at a table: dropped as an action (FE-11.1), and a Conner net that takes the action of who flies into it (FE-11.2).

use serde_json::json;

use super::{
    super::{
        devices::said,
        plain_table::{PlainTable, Session, config},
        whole_rounds::{leads, ledger},
    },
    at, face_to_face, give, held, message, moves_choosing,
};

/// `xwing1` is a bomber with a mine, at (300, 300); the others stand far away.
fn bomber(mine: &str) -> PlainTable {
    let mut table = face_to_face(500.0);
    let model = table.models.get_mut("xwing1").unwrap();
    (model.ship, model.at, model.initiative) = ("tiebomber", at(300.0, 300.0, 0.0), 1);
    model.upgrades = vec![match mine {
        "connernet" => "connernet",
        _ => "proximitymines",
    }];
    model.device = Some(json!({"id": mine, "charges": 1, "max_charges": 1}));
    table.models.remove("solo2");
    table.models.get_mut("solo1").unwrap().at = at(700.0, 800.0, 180.0);
    table.models.get_mut("solo1").unwrap().initiative = 3;
    table
}

/// The bomber has flown a 1 straight and dropped its mine: it lies where it stood.
fn mined(table: PlainTable) -> Session {
    let mut session = Session::with(config(1), table, &leads());
    session.request("game/correct", json!({"phase": "activation"})).unwrap();
    session.pump();
    moves_choosing(&mut session, "xwing1", at(300.0, 380.0, 0.0), &["The action of"]);
    session
}

#[test]
fn fe_11_1_a_mine_is_dropped_as_an_action() {
    for mine in ["proximitymines", "connernet"] {
        let mut session = mined(bomber(mine));
        assert!(
            said(&session).join("\n").contains("please put it down"),
            "{:?} {}",
            session.prompts,
            session.told()
        );
        assert_eq!(ledger(&mut session, "xwing1")["charges"], json!({mine: 0}));
        // That was its action.
        assert_eq!(held(&session, "xwing1"), "", "{mine}");
        session.request("solo/undo", json!({"scope": "turn"})).unwrap();
        session.pump();
        assert_eq!(ledger(&mut session, "xwing1")["charges"], json!({mine: 1}));
    }
}

#[test]
fn fe_11_2_a_conner_net_takes_the_action_of_a_player() {
    for (mine, asked) in [("connernet", false), ("proximitymines", true)] {
        let mut table = bomber(mine);
        table.models.get_mut("xwing2").unwrap().at = at(300.0, 180.0, 0.0);
        let mut session = mined(table);
        session
            .request("game/correct", json!({"ship": "solo1", "activated": "done"}))
            .unwrap();
        session.pump();
        session.prompts.clear();
        moves_choosing(&mut session, "xwing2", at(300.0, 300.0, 0.0), &["Focus"]);
        let which = session
            .prompts
            .iter()
            .any(|prompt| prompt.text.contains("xwing2: which action"));
        assert_eq!(which, asked, "{mine}: {:?} {}", session.prompts, session.told());
        let all = message(&session, "xwing2");
        assert_eq!(all.contains("has no action: a mine takes it"), !asked, "{all}");
        if mine == "connernet" {
            assert!(
                held(&session, "xwing2").contains("ion 2"),
                "{}",
                held(&session, "xwing2")
            );
            assert_eq!(ledger(&mut session, "xwing2")["shields"], 1);
        } else {
            assert!(
                held(&session, "xwing2").contains("focus 1"),
                "{}",
                held(&session, "xwing2")
            );
        }
    }
}

#[test]
fn fe_11_2_a_conner_net_takes_the_action_of_a_solo_ship() {
    for mine in [true, false] {
        let mut table = bomber("connernet");
        // It is ionized, so that it flies a white 1 straight, onto the place where the bomber stood.
        table.models.get_mut("solo1").unwrap().at = at(300.0, 200.0, 0.0);
        give(&mut table, "solo1", "ion", 1);
        let mut session = match mine {
            true => mined(table),
            false => {
                let mut session = Session::with(config(1), table, &leads());
                session.request("game/correct", json!({"phase": "activation"})).unwrap();
                session.pump();
                moves_choosing(&mut session, "xwing1", at(300.0, 380.0, 0.0), &["No action"]);
                session
            }
        };
        session.play("ship");
        let told = session.told();
        assert!(message(&session, "solo1").contains("flew white 1 straight"), "{told}");
        assert_eq!(told.contains("solo1 has no action: a mine takes it"), mine, "{told}");
        assert_eq!(told.contains("\"FE-11.2\""), mine, "{told}");
        let tokens = held(&session, "solo1");
        assert_eq!(tokens == "ion 2", mine, "{tokens}");
    }
}
