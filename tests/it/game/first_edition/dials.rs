//! Players' dials at a table that are missing, another ship's, or red while the ship is stressed (FE-3.3, FE-4.3, FE-14.4).

use serde_json::{Value, json};
use tallyho::protocol::apply::Placement;

use super::{
    super::plain_table::{PlainTable, Session, same_place},
    alone, at, give, held, message, moves, moves_choosing, pump_choosing, turn_of_the_player,
};

fn stressed() -> PlainTable {
    let mut table = alone();
    give(&mut table, "xwing1", "stress", 1);
    table
}

fn tells(session: &mut Session, dial: &str) -> Result<Value, String> {
    let told = session.request("game/correct", json!({"ship": "xwing1", "dial": dial}));
    told.map_err(|fault| fault.message)
}

/// Where the ship comes to by a straight of that speed.
fn straight(speed: f64) -> Placement {
    at(300.0, 140.0 + 40.0 * speed, 0.0)
}

#[test]
fn fe_3_3_a_dial_that_is_missing_or_wrong_is_told_before_the_ship_moves_and_asked() {
    // The X-wing's 2 straight is green, its 4 Koiogran turn red. It has no 1 turn: the solo side picks the maneuver after which it
    // can attack the fewest, of equal ones the first of its dial.
    for (dial, asked, flies) in [
        (
            "missing",
            "has no dial (FE-3.3): the solo side picks green 1 straight",
            "green 1 straight",
        ),
        (
            "2F",
            "shows 2 straight (FE-3.3): it flies green 2 straight",
            "green 2 straight",
        ),
        (
            "4KW",
            "shows 4 Koiogran turn (FE-3.3): it flies red 4 Koiogran turn",
            "red 4 Koiogran turn",
        ),
        (
            "1T",
            "shows 1 turn left (FE-3.3): the solo side picks green 1 straight",
            "green 1 straight",
        ),
    ] {
        let mut session = turn_of_the_player(alone());
        tells(&mut session, dial).unwrap();
        pump_choosing(&mut session, &["It flies"]);
        let prompt = session.prompts.last().unwrap();
        assert!(prompt.text.contains(asked), "{dial}: {prompt:?}");
        assert_eq!(prompt.default, format!("It flies {flies}"));
        assert!(
            session.told().contains(&format!("xwing1 flies {flies} in this round")),
            "{}",
            session.told()
        );
        let end = match flies {
            "green 1 straight" => straight(1.0),
            "green 2 straight" => straight(2.0),
            _ => at(300.0, 300.0, 180.0),
        };
        session.prompts.clear();
        moves(&mut session, "xwing1", end, "No action");
        assert!(
            message(&session, "xwing1").contains(&format!("flew {flies}")),
            "{}",
            session.told()
        );
        assert!(
            !session
                .prompts
                .iter()
                .any(|prompt| prompt.text.contains("which maneuver"))
        );
    }
}

#[test]
fn fe_3_3_only_what_was_ruled_counts_and_an_undo_takes_the_ruling_back() {
    for undone in [false, true] {
        let mut session = turn_of_the_player(alone());
        tells(&mut session, "missing").unwrap();
        session.pump();
        if undone {
            session.request("solo/undo", json!({"scope": "step"})).unwrap();
            session.pump();
        }
        session.prompts.clear();
        moves(&mut session, "xwing1", straight(3.0), "No action");
        let asked = session
            .prompts
            .iter()
            .any(|prompt| prompt.text.contains("which maneuver"));
        assert_eq!(asked, !undone, "{:?}", session.prompts);
        assert_eq!(
            message(&session, "xwing1").contains("flew white 3 straight"),
            undone,
            "{}",
            session.told()
        );
    }
    // Who settles it among themselves is not held to anything.
    let mut session = turn_of_the_player(alone());
    tells(&mut session, "missing").unwrap();
    pump_choosing(&mut session, &["We settle it"]);
    moves(&mut session, "xwing1", straight(3.0), "No action");
    assert!(
        message(&session, "xwing1").contains("flew white 3 straight"),
        "{}",
        session.told()
    );
}

#[test]
fn fe_3_3_a_ship_that_flew_what_only_another_dial_has_is_put_where_the_solo_side_picks() {
    let before = alone().models;
    // A 1 turn to the left.
    let turned = at(245.0, 155.0, 270.0);
    let mut session = turn_of_the_player(alone());
    moves_choosing(&mut session, "xwing1", turned, &["Another ship's dial", "No action"]);
    assert!(
        message(&session, "xwing1").contains("flew green 1 straight"),
        "{:?} {}",
        session.prompts,
        session.told()
    );
    assert!(same_place(session.table.models["xwing1"].at, straight(1.0)));
    session.request("solo/undo", json!({"scope": "turn"})).unwrap();
    session.pump();
    assert_eq!(session.table.models, before);
    // Nothing of the kind by default: a hand may have pushed it.
    let mut session = turn_of_the_player(alone());
    moves_choosing(&mut session, "xwing1", turned, &[]);
    assert!(same_place(session.table.models["xwing1"].at, turned));
    assert!(!message(&session, "xwing1").contains("flew"), "{}", session.told());
}

#[test]
fn fe_3_3_what_has_no_dial_to_be_wrong_is_refused() {
    let mut session = turn_of_the_player(alone());
    let fault = session
        .request("game/correct", json!({"ship": "solo1", "dial": "missing"}))
        .unwrap_err();
    assert!(fault.message.contains("without a dial"), "{}", fault.message);
    for (dial, told) in [
        ("red", "may fly the red maneuvers"),
        ("9T", "speed and bearing"),
        ("nonsense", "`missing`"),
    ] {
        let fault = tells(&mut session, dial).unwrap_err();
        assert!(fault.contains(told), "{dial}: {fault}");
    }
    let both = json!({"ship": "xwing1", "dial": "missing", "hits": 1});
    assert!(
        session
            .request("game/correct", both)
            .unwrap_err()
            .message
            .contains("tell it alone")
    );
    let mut table = alone();
    give(&mut table, "xwing1", "ion", 1);
    let fault = tells(&mut turn_of_the_player(table), "missing").unwrap_err();
    assert!(fault.contains("it flies a white 1 straight"), "{fault}");
    let mut session = turn_of_the_player(alone());
    moves(&mut session, "xwing1", straight(2.0), "No action");
    let fault = tells(&mut session, "missing").unwrap_err();
    assert!(fault.contains("has already activated"), "{fault}");
    // The second edition does not say.
    let mut session = Session::with(
        super::super::plain_table::config(1),
        super::super::whole_rounds::face_to_face(600.0),
        &super::super::whole_rounds::leads(),
    );
    let fault = tells(&mut session, "missing").unwrap_err();
    assert!(fault.contains("do not say"), "{fault}");
}

#[test]
fn fe_4_3_a_stressed_ship_that_shows_red_flies_a_white_2_straight() {
    // Its model stands at the end of the red maneuver.
    let koiogran = at(300.0, 300.0, 180.0);
    for (answer, flew, stress, end) in [
        ("Put it at the end", "flew white 2 straight", "stress 1", straight(2.0)),
        ("A card lets it", "flew red 4 Koiogran turn", "stress 2", koiogran),
        ("It has activated", "has activated", "stress 1", koiogran),
    ] {
        let before = stressed().models;
        let mut session = turn_of_the_player(stressed());
        moves_choosing(&mut session, "xwing1", koiogran, &[answer]);
        let asked = session
            .prompts
            .iter()
            .find(|prompt| prompt.text.contains("may not fly red 4 Koiogran turn (FE-4.3)"));
        assert!(
            asked.is_some_and(|asked| asked.default.contains("white 2 straight")),
            "{:?}",
            session.prompts
        );
        assert!(
            message(&session, "xwing1").contains(flew),
            "{answer}: {}",
            session.told()
        );
        assert_eq!(held(&session, "xwing1"), stress, "{answer}");
        assert!(same_place(session.table.models["xwing1"].at, end), "{answer}");
        session.request("solo/undo", json!({"scope": "turn"})).unwrap();
        session.pump();
        assert_eq!(session.table.models, before, "{answer}");
    }
}

#[test]
fn fe_4_3_that_the_dial_shows_red_may_be_told_before_the_ship_moves() {
    // A 2 straight of its own dial is green, and takes the stress away.
    for (told, flew, stress) in [
        (false, "flew green 2 straight", ""),
        (true, "flew white 2 straight", "stress 1"),
    ] {
        let mut session = turn_of_the_player(stressed());
        if told {
            tells(&mut session, "red").unwrap();
            session.pump();
        }
        moves(&mut session, "xwing1", straight(2.0), "No action");
        assert!(message(&session, "xwing1").contains(flew), "{}", session.told());
        assert_eq!(held(&session, "xwing1"), stress);
    }
}

#[test]
fn fe_14_4_the_solo_side_picks_for_a_stressed_ship_that_shows_red() {
    for by_hand in [false, true] {
        let mut table = stressed();
        table.rules = Some(json!({"stressedRedByOpponent": true}));
        let mut session = turn_of_the_player(table);
        if by_hand {
            tells(&mut session, "red").unwrap();
            session.pump();
            assert!(
                session
                    .prompts
                    .last()
                    .unwrap()
                    .text
                    .contains("(FE-14.4): the solo side picks green 1 straight")
            );
            moves(&mut session, "xwing1", straight(1.0), "No action");
        } else {
            moves_choosing(
                &mut session,
                "xwing1",
                at(300.0, 300.0, 180.0),
                &["Put it at the end", "No action"],
            );
        }
        assert!(
            message(&session, "xwing1").contains("flew green 1 straight"),
            "{}",
            session.told()
        );
        assert!(same_place(session.table.models["xwing1"].at, straight(1.0)));
        assert_eq!(held(&session, "xwing1"), "");
    }
}
