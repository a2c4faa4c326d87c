//! Whatever comes in, in whatever order: nothing breaks, nothing is done twice, and the round can always be finished.

use proptest::prelude::*;
use serde_json::{Value, json};
use tallyho::{
    bridge::host::Outgoing,
    protocol::{
        apply::Outcome,
        lifecycle::{ClientCapabilities, Role},
        solo::RollResult,
    },
};

use super::{
    plain_table::{PlainTable, Session, answer, config, everything},
    whole_rounds::{face_to_face, leads},
};

/// Something that happens to a host.
#[derive(Debug, Clone)]
enum Happening {
    /// The next message is handled as it should be.
    Handled(u8),
    /// It is lost.
    Lost,
    /// It arrives, and the answer is lost.
    AnswerLost,
    /// The step is refused.
    Refused,
    /// The step is done in part, and nobody says where the ship ended.
    PartlyDone,
    /// The table goes away and comes back, with its session or without.
    Reconnected(bool),
    /// A request of somebody.
    Asked(&'static str, Value),
    /// Answers to things that nobody asked.
    Stray,
    /// Somebody moves a ship by hand.
    Moved(u8, f64, f64),
}

fn happening() -> impl Strategy<Value = Happening> {
    let ship = prop::sample::select(vec!["solo1", "solo2", "solo3", "xwing1", "nobody", ""]);
    let asked = prop_oneof![
        (prop::sample::select(vec!["ship", "initiative", "round"]), any::<bool>())
            .prop_map(|(scope, confirm)| Happening::Asked("solo/advance", json!({"scope": scope, "confirm": confirm}))),
        ship.clone()
            .prop_map(|ship| Happening::Asked("solo/advance", json!({"ship": ship}))),
        Just(Happening::Asked("solo/undo", json!({}))),
        (ship.clone(), any::<bool>())
            .prop_map(|(ship, solo)| Happening::Asked("solo/assign", json!({"ship": ship, "solo": solo}))),
        (
            ship.clone(),
            prop::sample::select(vec!["", "done", "waiting"]),
            prop::sample::select(vec!["", "focus/hit", "x/y"])
        )
            .prop_map(|(ship, activated, roll)| Happening::Asked(
                "solo/override",
                json!({"ship": ship, "activated": activated, "roll": roll})
            )),
        ship.clone()
            .prop_map(|ship| Happening::Asked("solo/preview", json!({"ship": ship}))),
        prop::sample::select(vec!["step", "turn", "phase"])
            .prop_map(|scope| Happening::Asked("solo/undo", json!({"scope": scope}))),
        prop::sample::select(vec!["step", "ship", "phase"])
            .prop_map(|what| Happening::Asked("game/skip", json!({"what": what}))),
        (ship.clone(), 0..3u32, 0..2u32).prop_map(|(ship, hits, crits)| {
            Happening::Asked("game/correct", json!({"ship": ship, "hits": hits, "crits": crits}))
        }),
        (ship, prop::sample::select(vec!["done", "waiting", ""])).prop_map(|(ship, flag)| {
            Happening::Asked(
                "game/correct",
                json!({"ship": ship, "engaged": flag, "activated": flag}),
            )
        }),
        prop::sample::select(vec!["planning", "system", "activation", "engagement", "end"])
            .prop_map(|phase| Happening::Asked("game/correct", json!({"phase": phase}))),
        prop::sample::select(vec!["program", "table", "typed"])
            .prop_map(|dice| Happening::Asked("game/options", json!({"dice": dice}))),
        Just(Happening::Asked("no/such", json!(null))),
        Just(Happening::Asked("table/sync", json!({"rev": 1}))),
    ];
    prop_oneof![
        8 => (1..12u8).prop_map(Happening::Handled),
        1 => Just(Happening::Lost),
        1 => Just(Happening::AnswerLost),
        2 => Just(Happening::Refused),
        1 => Just(Happening::PartlyDone),
        2 => any::<bool>().prop_map(Happening::Reconnected),
        4 => asked,
        1 => Just(Happening::Stray),
        2 => (0..5u8, 100.0..800.0f64, 100.0..800.0f64).prop_map(|(ship, x, y)| Happening::Moved(ship, x, y)),
    ]
}

fn next_step(session: &mut Session) -> Option<tallyho::protocol::apply::ApplyParams> {
    match session.waiting.front() {
        Some(Outgoing::Apply(_)) => match session.waiting.pop_front() {
            Some(Outgoing::Apply(params)) => Some(params),
            _ => None,
        },
        _ => None,
    }
}

fn happen(session: &mut Session, happening: &Happening, capabilities: &ClientCapabilities) {
    match happening {
        Happening::Handled(count) => (0..*count).for_each(|_| {
            session.step();
        }),
        Happening::Lost => {
            session.waiting.pop_front();
        }
        Happening::AnswerLost => {
            if let Some(params) = next_step(session) {
                session.table.apply(&params);
            }
        }
        Happening::Refused => {
            if let Some(params) = next_step(session) {
                let more = session
                    .host
                    .apply_answered(&params.action_id, Ok(answer(Outcome::Rejected, None, "no")));
                session.waiting.extend(more);
            }
        }
        Happening::PartlyDone => {
            if let Some(params) = next_step(session) {
                session.table.apply(&params);
                let more = session
                    .host
                    .apply_answered(&params.action_id, Ok(answer(Outcome::Partial, None, "somehow")));
                session.waiting.extend(more);
            }
        }
        Happening::Reconnected(resumed) => reconnect(session, *resumed, capabilities),
        Happening::Asked(method, params) => {
            // What is not waited for any longer is cancelled.
            if *method == "game/skip" {
                session
                    .waiting
                    .retain(|outgoing| !matches!(outgoing, Outgoing::Apply(_)));
            }
            // A refusal is an answer.
            let _ = session.request(method, params.clone());
            // An undo that is pressed again gives up the step whose answer is missing: the server cancels it.
            if *method == "solo/undo" {
                let awaited = session.status()["outstanding"].as_str().unwrap_or_default().to_owned();
                session
                    .waiting
                    .retain(|outgoing| !matches!(outgoing, Outgoing::Apply(params) if params.action_id != awaited));
            }
        }
        Happening::Stray => {
            let mut more = session.host.apply_answered("game0-a999999", Err("what".to_owned()));
            more.extend(session.host.prompt_answered("game0-q999999", None));
            more.extend(session.host.roll_answered("game0-r999999", Some(RollResult::default())));
            session.waiting.extend(more);
        }
        Happening::Moved(ship, x, y) => {
            // Three solo ships, and two of the players, which move ahead.
            let id = match ship {
                0..=2 => format!("solo{}", ship + 1),
                ship => format!("xwing{}", ship - 2),
            };
            let players = *ship > 2;
            if let Some(model) = session.table.models.get_mut(&id).filter(|_| players) {
                model.at.y += 120.0;
            } else if let Some(model) = session.table.models.get_mut(&id) {
                (model.at.x, model.at.y) = (*x, *y);
            }
        }
    }
    let on_their_way = session
        .waiting
        .iter()
        .filter(|outgoing| matches!(outgoing, Outgoing::Apply(_)))
        .count();
    // A step may be sent again after a reconnect while the first sending is still on its way; never two different ones.
    let mut ids: Vec<_> = session
        .waiting
        .iter()
        .filter_map(|outgoing| match outgoing {
            Outgoing::Apply(params) => Some(params.action_id.clone()),
            _ => None,
        })
        .collect();
    ids.dedup();
    assert!(
        ids.len() <= 1 || on_their_way == 0 || matches!(happening, Happening::Reconnected(_)),
        "{ids:?}"
    );
}

fn reconnect(session: &mut Session, resumed: bool, capabilities: &ClientCapabilities) {
    session.waiting.clear();
    session.host.table_detached();
    let outgoing = session.host.table_attached(capabilities, resumed);
    session.waiting.extend(outgoing);
    session.sync();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn nothing_breaks_and_the_round_can_always_be_finished(
        seed in 0..20u64,
        happenings in prop::collection::vec(happening(), 1..60),
    ) {
        let mut session = Session::new(seed);
        for happening in &happenings {
            happen(&mut session, happening, &everything());
        }
        // Calm returns: the table reconnects, everything is handled.
        reconnect(&mut session, false, &everything());
        session.pump();
        for ship in ["solo1", "solo2", "solo3"] {
            session.request("solo/assign", json!({"ship": ship, "solo": true})).unwrap();
        }
        let mut presses = 0;
        while session.status()["waiting"] != json!([]) {
            session.request("solo/advance", json!({"scope": "round"})).unwrap();
            session.pump();
            presses += 1;
            prop_assert!(presses < 8, "{}", session.status());
        }
        // Every id was carried out at most once.
        let mut ids: Vec<_> = session.table.carried_out.iter().map(|(id, _)| id).collect();
        ids.sort();
        let all = ids.len();
        ids.dedup();
        prop_assert_eq!(ids.len(), all);
        let (answer, _) = session.host.request(Role::Viewer, "game/status", json!({}));
        prop_assert_eq!(&answer.unwrap()["outstanding"], "");
    }

    #[test]
    fn a_whole_round_can_always_be_finished(
        seed in 0..20u64,
        happenings in prop::collection::vec(happening(), 1..60),
    ) {
        finish_a_round(seed, face_to_face(150.0), &happenings)?;
    }

    /// The same where cards of both sides come up in the activations, and one that nobody knows.
    #[test]
    fn a_whole_round_with_cards_can_always_be_finished(
        seed in 0..20u64,
        happenings in prop::collection::vec(happening(), 1..60),
    ) {
        let mut table = face_to_face(150.0);
        for (id, ship, pilot) in [
            ("solo1", "tielnfighter", "nightbeast"),
            ("solo2", "tieadvancedx1", "darthvader"),
            ("xwing1", "ut60duwing", "hefftobber"),
            ("xwing2", "lancerclasspursuitcraft", "asajjventress"),
        ] {
            let model = table.models.get_mut(id).unwrap();
            (model.ship, model.pilot) = (ship, Some(pilot));
        }
        table.models.get_mut("solo1").unwrap().upgrades = vec!["Coffee Stain"];
        finish_a_round(seed, table, &happenings)?;
    }
}

fn finish_a_round(seed: u64, table: PlainTable, happenings: &[Happening]) -> Result<(), TestCaseError> {
    let able = ClientCapabilities { dice: true, ..leads() };
    let mut session = Session::with(config(seed), table, &able);
    session.press("round").unwrap();
    for happening in happenings {
        happen(&mut session, happening, &able);
    }
    reconnect(&mut session, false, &able);
    session.pump();
    for ship in ["solo1", "solo2"] {
        session
            .request("solo/assign", json!({"ship": ship, "solo": true}))
            .unwrap();
    }
    let round = session.status()["round"].as_u64();
    let mut presses = 0;
    while session.status()["round"].as_u64() <= round {
        let _ = session.request("solo/advance", json!({"scope": "round"}));
        session.pump();
        presses += 1;
        prop_assert!(presses < 30, "{}", session.status());
    }
    let mut ids: Vec<_> = session.table.carried_out.iter().map(|(id, _)| id).collect();
    ids.sort();
    let all = ids.len();
    ids.dedup();
    prop_assert_eq!(ids.len(), all);
    Ok(())
}

/// A ship that is assigned while the table must be looked at again: the last snapshot, read again for its sides, is no new look.
#[test]
fn an_assignment_is_no_look_at_the_table() {
    let mut session = Session::new(0);
    let happenings = [
        Happening::Handled(1),
        Happening::Asked("solo/advance", json!({"scope": "ship", "confirm": false})),
        Happening::Handled(1),
        Happening::Asked("solo/undo", json!({})),
        Happening::Handled(1),
        Happening::Lost,
        Happening::Reconnected(false),
        Happening::Asked("solo/undo", json!({})),
        Happening::Asked("solo/assign", json!({"ship": "solo2", "solo": false})),
    ];
    for happening in &happenings {
        happen(&mut session, happening, &everything());
    }
    // Nor does it put ships back to where the last snapshot showed them.
    let mut session = Session::new(0);
    let preview = |session: &mut Session| session.request("solo/preview", json!({"ship": "solo1"})).unwrap();
    let at_first = preview(&mut session);
    session.play("ship");
    let flown = preview(&mut session);
    assert_ne!(flown, at_first, "it stands elsewhere");
    session
        .request("solo/assign", json!({"ship": "solo2", "solo": false}))
        .unwrap();
    assert_eq!(preview(&mut session), flown);
}
