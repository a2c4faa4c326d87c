//! Political Escort at a table, through the same host: set-up, the shuttle's moves, Protect, endings; killed and resumed in
//! between.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use tallyho::{
    bridge::{
        host::{Host, HostConfig, Outgoing, ShipTable},
        served::replay::replay,
    },
    game::round::escort::{TableEscort, TableShip, TableSquad},
    protocol::{
        apply::{Placement, WireStep},
        event::GameEvent,
        lifecycle::ClientCapabilities,
        round::PromptTopic,
        solo::PromptParams,
    },
    xwing::{catalog::Catalog, edition::Edition, escort::Role, size::Size},
};

use super::{
    plain_table::{Model, PlainTable, Session, config, same_place},
    whole_rounds::{leads, ledger},
};

fn at(x: f64, y: f64, facing: f64) -> Placement {
    Placement { x, y, facing }
}

fn model(side: &'static str, ship: &'static str, initiative: u8, at: Placement) -> Model {
    Model {
        side,
        ship,
        initiative,
        at,
        tokens: Default::default(),
        locks: Vec::new(),
        off: false,
        pilot: None,
        upgrades: Vec::new(),
        device: None,
    }
}

/// A squad of so many ships of a type and skill, at so many points each.
fn squad(count: usize, name: &str, ship: &str, skill: u8, points: i32) -> TableSquad {
    let own = TableShip {
        name: name.to_owned(),
        ship: ship.to_owned(),
        skill,
        size: Size::Small,
        points: Some(points),
    };
    TableSquad {
        ships: vec![own; count],
        points: Some(points * count as i32 + 10),
        upgrades: 10,
        hull: 1,
        shields: 0,
    }
}

/// The players have two X-wings, the solo side so many TIE fighters.
fn led(role: Role, ties: usize) -> TableEscort {
    TableEscort {
        player: squad(2, "Rookie Pilot", "xwing", 2, 21),
        solo: squad(ties, "Academy Pilot", "tiefighter", 1, 12),
        role: Some(role),
        solo_first: Some(false),
        ..TableEscort::default()
    }
}

fn served(seed: u64, game: TableEscort, journal: Option<&Path>) -> HostConfig {
    HostConfig {
        catalog: Catalog::embedded_for(Edition::First),
        escort: Some(game),
        journal: journal.map(Path::to_owned),
        plays: Some(tallyho::protocol::round::Plays::Rounds),
        ..config(seed)
    }
}

const SHUTTLE: &str = "transport";

/// Six asteroids at the two sides, where nobody flies.
fn rocks() -> Vec<Value> {
    let rock = |id: usize, x: f64, y: f64| {
        json!({"id": format!("rock{id}"), "kind": "asteroid",
            "points": [[x - 15.0, y - 15.0], [x + 15.0, y - 15.0], [x + 15.0, y + 15.0], [x - 15.0, y + 15.0]]})
    };
    let places = [
        (240.0, 240.0),
        (240.0, 400.0),
        (240.0, 560.0),
        (680.0, 240.0),
        (680.0, 400.0),
        (680.0, 560.0),
    ];
    places.iter().enumerate().map(|(id, (x, y))| rock(id, *x, *y)).collect()
}

/// All stands as PE-3 wants it: the players in the south, the solo side in the north, the shuttle in the middle.
fn table(role: Role, ties: usize) -> PlainTable {
    let mut table = PlainTable::skirmish();
    table.edition = Some("first");
    table.models.clear();
    table.obstacles = rocks();
    for (index, x) in [300.0, 600.0].into_iter().enumerate() {
        let id = format!("xwing{}", index + 1);
        table.models.insert(id, model("player", "xwing", 2, at(x, 60.0, 0.0)));
    }
    for index in 0..ties {
        let x = 457.2 + 90.0 * (index as f64 - (ties as f64 - 1.0) / 2.0);
        let id = format!("tie{}", index + 1);
        table
            .models
            .insert(id, model("solo", "tiefighter", 1, at(x, 854.4, 180.0)));
    }
    let (side, place) = match role {
        Role::Defender => ("player", at(457.2, 60.0, 0.0)),
        Role::Attacker => ("solo", at(457.2, 854.4, 180.0)),
    };
    if role == Role::Attacker {
        // Escorts at the shuttle's sides.
        for (index, x) in [340.0, 575.0, 250.0, 665.0].into_iter().enumerate().take(ties) {
            let tie = table.models.get_mut(&format!("tie{}", index + 1)).unwrap();
            tie.at = at(x, 854.4, 180.0);
        }
    }
    table
        .models
        .insert(SHUTTLE.to_owned(), model(side, "lambdaclassshuttle", 2, place));
    table
}

fn text(session: &mut Session) -> String {
    session.status()["text"].as_str().unwrap().to_owned()
}

fn notes(session: &Session) -> String {
    let notes = session.events.iter().filter_map(|event| match event {
        GameEvent::Note { message } => Some(message.clone()),
        _ => None,
    });
    let said = session.table.carried_out.iter().filter_map(|(_, step)| match step {
        WireStep::Say { text, .. } => Some(text.clone()),
        _ => None,
    });
    notes.chain(said).collect::<Vec<_>>().join("\n")
}

/// Presses on until the game is over, at most so often.
fn play_out(session: &mut Session, presses: usize) -> String {
    for _ in 0..presses {
        let text = text(session);
        if text.contains("The game is over") {
            return text;
        }
        let _ = session.press("round");
        session.pump();
    }
    panic!("no end: {}\n{}", text(session), notes(session));
}

#[test]
fn pe_3_a_table_that_is_set_up_begins_without_a_question() {
    let mut session = Session::with(
        served(3, led(Role::Defender, 2), None),
        table(Role::Defender, 2),
        &leads(),
    );
    assert_eq!(session.prompts, Vec::<PromptParams>::new());
    let notes = notes(&session);
    assert!(
        notes.contains("The shuttle is transport. It exits over the north edge"),
        "{notes}"
    );
    let text = text(&mut session);
    assert!(
        text.contains("planning") && text.contains("Shuttle: free, Protect 0, exits north"),
        "{text}"
    );
}

/// PE-7.1, PE-4.2
#[test]
fn pe_7_1_the_players_bring_their_shuttle_across() {
    for seed in [3, 11] {
        let mut session = Session::with(
            served(seed, led(Role::Defender, 1), None),
            table(Role::Defender, 1),
            &leads(),
        );
        let over = play_out(&mut session, 60);
        assert!(
            over.contains("left over the attacker's edge") && over.contains("The defender wins"),
            "{over}"
        );
        assert!(
            session
                .prompts
                .iter()
                .any(|prompt| prompt.text.contains("which maneuver does it fly"))
        );
    }
}

/// Answers questions as `f` says, which may touch the table first, until nothing more comes.
fn drive(session: &mut Session, mut f: impl FnMut(&PromptParams, &mut PlainTable) -> Option<String>) {
    for _ in 0..10_000 {
        match session.waiting.front() {
            None => return,
            Some(Outgoing::Prompt(_)) => {
                let Some(Outgoing::Prompt(prompt)) = session.waiting.pop_front() else {
                    continue;
                };
                let choice = f(&prompt, &mut session.table);
                let more = session.host.prompt_answered(&prompt.prompt_id, choice);
                session.prompts.push(prompt);
                session.waiting.extend(more);
            }
            Some(_) => {
                session.step();
            }
        }
    }
    panic!("the game does not come to rest");
}

/// The option that contains these words.
fn option(prompt: &PromptParams, part: &str) -> Option<String> {
    prompt.options.iter().find(|option| option.contains(part)).cloned()
}

/// The first question that contains these words.
fn question<'s>(session: &'s Session, part: &str) -> Option<&'s PromptParams> {
    session.prompts.iter().find(|prompt| prompt.text.contains(part))
}

/// Another program goes on with the game from its journal.
fn killed_and_resumed(session: &mut Session, seed: u64, journal: &Path) {
    session.waiting.clear();
    session.host = Host::new(HostConfig {
        escort: None,
        ..served(seed, TableEscort::default(), Some(journal))
    });
    let outgoing = session.host.table_attached(&leads(), true);
    session.waiting.extend(outgoing);
    session.pump();
}

/// PE-7: exit, or time; PE-A2 to PE-A4 in play.
#[test]
fn pe_7_whole_games_in_either_role_come_to_the_same_end_however_often_the_program_is_killed() {
    let mut endings = std::collections::BTreeSet::new();
    for (role, ties, seed, rounds) in [
        (Role::Defender, 1, 5, None),
        (Role::Defender, 5, 9, Some(3)),
        (Role::Attacker, 2, 5, None),
        (Role::Attacker, 3, 9, Some(4)),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let play = |journal: &Path, kills: bool| {
            let game = TableEscort {
                rounds,
                ..led(role, ties)
            };
            let mut session = Session::with(served(seed, game, Some(journal)), table(role, ties), &leads());
            for _ in 0..80 {
                let text = text(&mut session);
                if text.contains("The game is over") {
                    return (text, session);
                }
                let _ = session.press("ship");
                session.pump();
                if kills {
                    killed_and_resumed(&mut session, seed, journal);
                }
            }
            panic!("{role:?} {seed}: no end: {}\n{}", text(&mut session), notes(&session));
        };
        let (whole, broken) = (folder.path().join("whole.jsonl"), folder.path().join("broken.jsonl"));
        let (over, calm) = play(&whole, false);
        let (again, rough) = play(&broken, true);
        assert_eq!(over, again, "{role:?} {seed}");
        assert_eq!(calm.table.models, rough.table.models, "{role:?} {seed}");
        for path in [&whole, &broken] {
            let replayed = replay::<ShipTable>(path, &HostConfig::default()).unwrap();
            assert_eq!(replayed.astray, Vec::<usize>::new(), "{role:?} {seed}");
        }
        endings.insert(over.split(". ").nth(1).unwrap_or_default().to_owned());
        let told = calm.told();
        match role {
            Role::Attacker => {
                // The program's shuttle says why it flies what it flies, and comes first.
                assert!(told.contains("PE-A2") && told.contains("PE-A3"), "{told}");
                assert_eq!(calm.activated().first().map(String::as_str), Some(SHUTTLE), "PE-4.1");
            }
            Role::Defender => assert!(told.contains("PE-A4") && told.contains("PE-4.2"), "{told}"),
        }
    }
    assert!(endings.len() > 1, "one ending only: {endings:?}");
}

#[derive(Debug, Deserialize)]
struct Runs {
    case: Vec<Case>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    enemy: [f64; 3],
    second: Option<[f64; 3]>,
    third: Option<[f64; 3]>,
    friend: Option<[f64; 3]>,
    #[serde(default)]
    limit: bool,
    rounds: Vec<Turn>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    /// What the players answer when the maneuver is asked; else they move it themselves.
    answer: Option<String>,
    put: Option<[f64; 3]>,
    /// What they answer when it is asked which it was; nothing: it must not be asked.
    asked: Option<String>,
    #[serde(default)]
    ion: u32,
    state: String,
    at: Option<[f64; 3]>,
}

fn pose([x, y, facing]: [f64; 3]) -> Placement {
    at(x, y, facing)
}

/// PE-5 at a table: `tests/cases/escort/table-runs.toml`.
#[test]
fn pe_5_the_players_shuttle_is_moved_and_judged_by_its_cases() {
    let runs: Runs = toml::from_str(include_str!("../../cases/escort/table-runs.toml")).expect("cases");
    assert!(runs.case.len() > 8);
    for case in runs.case {
        let mut own = table(Role::Defender, 1);
        own.obstacles.clear();
        own.models.get_mut(SHUTTLE).unwrap().at = at(457.2, 200.0, 0.0);
        own.models.get_mut("tie1").unwrap().at = pose(case.enemy);
        for (id, place) in [("tie2", case.second), ("tie3", case.third)] {
            let Some(place) = place else { continue };
            own.models
                .insert(id.to_owned(), model("solo", "tiefighter", 1, pose(place)));
        }
        if let Some(friend) = case.friend {
            own.models.get_mut("xwing1").unwrap().at = pose(friend);
        }
        let mut game = led(Role::Defender, 1);
        game.options.clear_limit_5 = case.limit;
        let mut session = Session::new_unpumped(served(1, game, None), own, &leads());
        session.sync();
        // It does not stand where PE-3 wants it: as it lies.
        drive(&mut session, |prompt, _| option(prompt, "as it lies"));
        for (index, turn) in case.rounds.iter().enumerate() {
            let place = format!("{}, round {}", case.id, index + 1);
            if turn.ion > 0 {
                let tokens = &mut session.table.models.get_mut(SHUTTLE).unwrap().tokens;
                tokens.insert("ion".to_owned(), turn.ion);
            }
            let mut snapshot = session.table.snapshot();
            snapshot["snapshot"]["position"]["round"] = json!(index + 1);
            session.request("table/sync", snapshot).unwrap();
            session.pump();
            session.request("game/correct", json!({"phase": "activation"})).unwrap();
            let mut asked_again = false;
            let mut answers = |prompt: &PromptParams, _: &mut PlainTable| {
                if prompt.text.contains("activates. It is") {
                    let wanted = turn.answer.as_deref().unwrap_or("ourselves");
                    return Some(option(prompt, wanted).unwrap_or_else(|| panic!("{place}: {prompt:?}")));
                }
                asked_again |= prompt.text.contains("which was it");
                turn.asked.as_ref().and_then(|wanted| option(prompt, wanted))
            };
            drive(&mut session, &mut answers);
            if let Some(put) = turn.put {
                session.table.models.get_mut(SHUTTLE).unwrap().at = pose(put);
                session.sync();
                drive(&mut session, &mut answers);
            }
            assert_eq!(asked_again, turn.asked.is_some(), "{place}");
            let text = text(&mut session);
            let notes = notes(&session);
            assert!(
                text.contains(&format!("Shuttle: {},", turn.state)),
                "{place}: {text}\n{notes}"
            );
            let stands = session.table.models[SHUTTLE].at;
            if let Some(expected) = turn.at {
                assert!(same_place(stands, pose(expected)), "{place}: {stands:?}\n{notes}");
            }
            assert!(
                !session.table.models[SHUTTLE].tokens.contains_key("ion"),
                "{place}: FE-7.2"
            );
        }
    }
}

/// A shuttle with a TIE before it and an X-wing beside it, in the activation phase, all others done.
fn beside_the_shuttle() -> Session {
    let mut own = table(Role::Defender, 1);
    own.models.get_mut(SHUTTLE).unwrap().at = at(457.2, 300.0, 0.0);
    own.models.get_mut("tie1").unwrap().at = at(457.2, 600.0, 180.0);
    own.models.get_mut("xwing1").unwrap().at = at(360.0, 100.0, 0.0);
    let mut session = Session::new_unpumped(served(2, led(Role::Defender, 1), None), own, &leads());
    session.sync();
    drive(&mut session, |prompt, _| option(prompt, "as it lies"));
    session.request("game/correct", json!({"phase": "activation"})).unwrap();
    drive(&mut session, |prompt, _| option(prompt, "ourselves"));
    for ship in [SHUTTLE, "tie1", "xwing2"] {
        let done = json!({"ship": ship, "activated": "done"});
        session.request("game/correct", done).unwrap();
        drive(&mut session, |_, _| None);
    }
    session
}

/// PE-6.1: the players' escort is offered Protect, once a round; an evade token marks it on the table.
#[test]
fn pe_6_1_a_players_escort_protects_the_shuttle_and_the_table_shows_it() {
    let mut session = beside_the_shuttle();
    // A 3 straight: 120 + 40 on, to range 1 of the shuttle.
    session.table.models.get_mut("xwing1").unwrap().at = at(360.0, 260.0, 0.0);
    session.sync();
    drive(&mut session, |prompt, _| option(prompt, "Protect the shuttle"));
    let asked = question(&session, "which action does it take").expect("it is asked");
    assert!(asked.options.contains(&"Protect the shuttle".to_owned()), "{asked:?}");
    let tokens = &session.table.models[SHUTTLE].tokens;
    assert_eq!(tokens.get("evade"), Some(&1), "{tokens:?}");
    assert!(text(&mut session).contains("Protect 1"), "{}", text(&mut session));
    assert!(
        notes(&session).contains("xwing1 protects the shuttle"),
        "{}",
        notes(&session)
    );
    // It goes with the round (PE-6.2).
    session.request("game/skip", json!({"what": "phase"})).unwrap();
    drive(&mut session, |prompt, _| option(prompt, "No attack"));
    for _ in 0..6 {
        if session.status()["round"] == 2 {
            break;
        }
        let _ = session.press("round");
        drive(&mut session, |prompt, _| option(prompt, "No attack"));
    }
    assert_eq!(session.status()["round"], 2);
    assert_eq!(session.table.models[SHUTTLE].tokens.get("evade"), None);
    assert!(text(&mut session).contains("Protect 0"));
}

/// PE-6.3, PE-A7: tokens that players lay beside the shuttle count, and before an attack deals damage it is asked whether one is spent.
#[test]
fn pe_6_3_spending_a_protect_token_saves_one_damage_and_keeping_it_does_not() {
    let mut compared = 0;
    for seed in 0..6 {
        let suffer = |keep: bool| {
            let mut own = table(Role::Defender, 1);
            own.models.get_mut(SHUTTLE).unwrap().at = at(457.2, 300.0, 0.0);
            own.models.get_mut("tie1").unwrap().at = at(457.2, 420.0, 180.0);
            let mut session = Session::new_unpumped(served(seed, led(Role::Defender, 1), None), own, &leads());
            session.sync();
            drive(&mut session, |prompt, _| option(prompt, "as it lies"));
            let tokens = &mut session.table.models.get_mut(SHUTTLE).unwrap().tokens;
            tokens.insert("evade".to_owned(), 1);
            session.sync();
            drive(&mut session, |_, _| None);
            assert!(text(&mut session).contains("Protect 1"), "{}", text(&mut session));
            session.request("game/correct", json!({"phase": "engagement"})).unwrap();
            let mut left = String::new();
            for _ in 0..4 {
                let _ = session.press("round");
                drive(&mut session, |prompt, _| match prompt.text.contains("PE-6.3") {
                    true => {
                        left.clone_from(&prompt.text);
                        keep.then(|| option(prompt, "Keep the tokens")).flatten()
                    }
                    false => option(prompt, "No attack"),
                });
            }
            let entry = ledger(&mut session, SHUTTLE);
            let shields = entry["shields"].as_u64().unwrap();
            let spent = notes(&session).contains("A Protect token cancels");
            (left, shields, spent)
        };
        let (spent, kept) = (suffer(false), suffer(true));
        assert_eq!(spent.0, kept.0, "the same dice");
        assert_eq!(spent.2, !spent.0.is_empty());
        assert!(!kept.2);
        if !spent.0.is_empty() {
            compared += 1;
            assert_eq!(spent.1, kept.1 + 1, "{}", spent.0);
        }
    }
    assert!(compared > 0, "no attack ever left anything");
}

/// PE-3 in its order, with nothing on the table yet: every step is asked for, the program puts down what is its own.
#[test]
fn pe_3_a_bare_table_is_set_up_in_the_order_of_the_rules() {
    let mut own = table(Role::Defender, 2);
    own.obstacles.clear();
    own.reserve = true;
    for model in own.models.values_mut() {
        model.off = true;
        model.at.x += 2000.0;
    }
    let game = TableEscort {
        role: None,
        solo_first: None,
        player: squad(2, "Rookie Pilot", "xwing", 2, 21),
        solo: squad(2, "Academy Pilot", "tiefighter", 1, 21),
        ..TableEscort::default()
    };
    let mut session = Session::new_unpumped(served(4, game, None), own, &leads());
    session.sync();
    let mut order: Vec<&str> = Vec::new();
    let mut laid = rocks();
    let mut next_ship = 1;
    drive(&mut session, |prompt, table| {
        assert_eq!(prompt.topic, PromptTopic::SetUp, "{prompt:?}");
        let asks = |part: &str| prompt.text.contains(part);
        if asks("Who is it?") {
            order.push("roles");
            return option(prompt, "We have initiative and defend");
        }
        if asks("obstacle") {
            order.push(if asks("of yours") { "ours" } else { "theirs" });
            table.obstacles.push(laid.remove(0));
        } else if asks("which edge") {
            order.push("edge");
            return option(prompt, "south");
        } else if asks("Rookie Pilot") {
            order.push("ship");
            let ship = table.models.get_mut(&format!("xwing{next_ship}")).unwrap();
            ship.off = false;
            ship.at = at(200.0 + 100.0 * f64::from(next_ship), 60.0, 0.0);
            next_ship += 1;
        } else if asks("put the shuttle down") {
            order.push("shuttle");
            let shuttle = table.models.get_mut(SHUTTLE).unwrap();
            shuttle.off = false;
            shuttle.at = at(600.0, 50.0, 10.0);
        } else {
            panic!("{prompt:?}");
        }
        option(prompt, "Done")
    });
    assert_eq!(
        order,
        [
            "roles", "ours", "theirs", "ours", "theirs", "ours", "theirs", "edge", "ship", "ship", "shuttle"
        ]
    );
    // PE-A8: the attackers stand across, the hind edge on the line plus 20.
    for tie in ["tie1", "tie2"] {
        let model = &session.table.models[tie];
        assert!(!model.off && (model.at.y - 874.4).abs() < 1.0, "{:?}", model.at);
    }
    let text = text(&mut session);
    assert!(
        text.contains("planning") && text.contains("exits north"),
        "{text}\n{}",
        notes(&session)
    );
    assert!(!notes(&session).contains("not as PE-3 has it"), "{}", notes(&session));
}

/// FE-2.4, PE-3: what breaks a rule is told with the remedy, asked about once, and play goes on.
#[test]
fn pe_3_what_is_put_down_wrongly_is_told_and_played_as_it_lies() {
    let mut own = table(Role::Defender, 2);
    own.models.get_mut("xwing1").unwrap().at = at(300.0, 300.0, 0.0);
    own.obstacles.pop();
    let mut session = Session::with(served(4, led(Role::Defender, 2), None), own, &leads());
    let asked = question(&session, "Not as PE-3 has it").expect("asked");
    assert!(asked.options.contains(&"Look again".to_owned()));
    let notes = notes(&session);
    assert!(
        notes.contains("5 obstacles lie there, not 6") && notes.contains("xwing1 reaches"),
        "{notes}"
    );
    assert!(text(&mut session).contains("planning"), "{}", text(&mut session));
}

/// PE-1.1, PE-10.9: which model is the shuttle.
#[test]
fn pe_1_1_of_two_large_models_it_is_asked_which_is_the_shuttle() {
    let mut own = table(Role::Defender, 2);
    let other = model("player", "lambdaclassshuttle", 2, at(700.0, 60.0, 0.0));
    own.models.insert("other".to_owned(), other);
    let mut session = Session::new_unpumped(served(4, led(Role::Defender, 2), None), own, &leads());
    session.sync();
    drive(&mut session, |prompt, _| option(prompt, "(transport)"));
    assert!(question(&session, "Which model is the shuttle").is_some());
    assert!(
        notes(&session).contains("The shuttle is transport"),
        "{}",
        notes(&session)
    );
    // Without any it is waited for, and nothing hangs: once it stands there, play goes on.
    let mut bare = table(Role::Defender, 2);
    let shuttle = bare.models.remove(SHUTTLE).unwrap();
    let mut session = Session::with(served(4, led(Role::Defender, 2), None), bare, &leads());
    for _ in 0..3 {
        assert!(
            text(&mut session).contains("put a model for the shuttle"),
            "{}",
            text(&mut session)
        );
        let _ = session.press("ship");
        session.pump();
    }
    session.table.models.insert(SHUTTLE.to_owned(), shuttle);
    session.sync();
    session.pump();
    assert!(text(&mut session).contains("Shuttle: free"), "{}", text(&mut session));
}

/// A table that cannot ask is told what is to be done, and never waited for.
#[test]
fn pe_3_a_table_that_cannot_ask_is_told_and_goes_on() {
    let mut own = table(Role::Defender, 1);
    own.obstacles.clear();
    own.models.get_mut("xwing1").unwrap().off = true;
    let mute = ClientCapabilities {
        prompt: false,
        ..leads()
    };
    let mut session = Session::with(served(6, led(Role::Defender, 1), None), own, &mute);
    let notes = notes(&session);
    assert!(
        notes.contains("lay an obstacle of yours, number 1") && notes.contains("put Rookie Pilot"),
        "{notes}"
    );
    let over = play_out(&mut session, 60);
    assert!(over.contains("The game is over"), "{over}");
}

/// PE-7.3: the limit of rounds, and the score with the half of PE-8.3.
#[test]
fn pe_7_3_after_the_last_round_the_score_decides() {
    let game = TableEscort {
        rounds: Some(1),
        ..led(Role::Defender, 1)
    };
    let mut session = Session::with(served(3, game, None), table(Role::Defender, 1), &leads());
    let harm = json!({"ship": SHUTTLE, "hits": 6});
    session.request("game/correct", harm).unwrap();
    session.pump();
    let over = play_out(&mut session, 30);
    assert!(
        over.contains("Time is up") && over.contains("The attacker wins"),
        "{over}"
    );
    assert!(over.contains("5 for the attacker, 0 for the defender"), "{over}");
}

/// PE-7.2: shot down is over at once, and what was wrong can be undone.
#[test]
fn pe_7_2_the_shuttles_end_is_told_at_once_and_can_be_taken_back() {
    let mut session = Session::with(
        served(3, led(Role::Defender, 1), None),
        table(Role::Defender, 1),
        &leads(),
    );
    let before = text(&mut session);
    session
        .request("game/correct", json!({"ship": SHUTTLE, "hits": 13}))
        .unwrap();
    session.pump();
    let over = text(&mut session);
    assert!(
        over.contains("The shuttle is destroyed") && over.contains("The attacker wins"),
        "{over}"
    );
    assert!(over.contains("10 for the attacker"), "PE-8.2: {over}");
    session.request("solo/undo", json!({"scope": "step"})).unwrap();
    session.pump();
    assert_eq!(text(&mut session), before);
}

/// What the program has moved for the players is taken back with all that it meant.
#[test]
fn pe_4_2_a_declared_maneuver_can_be_taken_back() {
    let mut own = table(Role::Defender, 1);
    own.models.get_mut("tie1").unwrap().at = at(457.2, 220.0, 180.0);
    let mut session = Session::new_unpumped(served(3, led(Role::Defender, 1), None), own, &leads());
    session.sync();
    drive(&mut session, |prompt, _| option(prompt, "as it lies"));
    let stood = session.table.models.clone();
    session.request("game/correct", json!({"phase": "activation"})).unwrap();
    drive(&mut session, |prompt, _| option(prompt, "2 straight"));
    assert!(text(&mut session).contains("Shuttle: primed"), "{}", text(&mut session));
    assert_ne!(session.table.models[SHUTTLE], stood[SHUTTLE]);
    session.request("solo/undo", json!({"scope": "turn"})).unwrap();
    drive(&mut session, |prompt, _| option(prompt, "ourselves"));
    assert_eq!(session.table.models[SHUTTLE], stood[SHUTTLE]);
    assert!(text(&mut session).contains("Shuttle: free"), "{}", text(&mut session));
}

/// PE-9.2: the players call time; the round is played to its end, then the score decides.
#[test]
fn pe_7_3_time_that_is_called_ends_the_game_with_its_round() {
    let mut session = Session::with(
        served(3, led(Role::Defender, 1), None),
        table(Role::Defender, 1),
        &leads(),
    );
    assert!(text(&mut session).contains("Round 1"));
    session.request("game/skip", json!({"what": "game"})).unwrap();
    session.pump();
    assert!(text(&mut session).contains("planning"), "{}", text(&mut session));
    let over = play_out(&mut session, 20);
    assert!(over.starts_with("Round 1") && over.contains("Time is up"), "{over}");
    assert!(over.contains("It is a draw"), "PE-7.3: {over}");
    // No other game has a clock.
    let mut other = Session::new(1);
    assert!(other.request("game/skip", json!({"what": "game"})).is_err());
}

/// A shuttle that is lifted off the table and put back flies on: nothing was lost.
#[test]
fn pe_7_2_a_shuttle_that_is_lifted_off_is_not_lost() {
    let mut session = Session::with(
        served(3, led(Role::Defender, 1), None),
        table(Role::Defender, 1),
        &leads(),
    );
    let before = text(&mut session);
    for way in 0..2 {
        let model = session.table.models.remove(SHUTTLE).unwrap();
        let mut lifted = model.clone();
        lifted.off = true;
        if way == 1 {
            session.table.models.insert(SHUTTLE.to_owned(), lifted);
        }
        session.sync();
        session.pump();
        assert!(!text(&mut session).contains("over"), "{}", text(&mut session));
        session.table.models.insert(SHUTTLE.to_owned(), model);
        session.sync();
        session.pump();
        assert_eq!(text(&mut session), before, "way {way}");
    }
}

/// PE-7.1: put over the attacker's edge by hand, or over another one; on the mat or, as some tables see it, off it.
#[test]
fn pe_7_1_where_the_players_have_put_their_shuttle_the_game_ends() {
    for (stands, put, off, says) in [
        (at(457.2, 780.0, 0.0), at(457.2, 940.0, 0.0), false, "The defender wins"),
        (at(457.2, 780.0, 0.0), at(457.2, 940.0, 0.0), true, "The defender wins"),
        (
            at(90.0, 300.0, 270.0),
            at(-70.0, 300.0, 270.0),
            true,
            "The attacker wins",
        ),
    ] {
        let mut own = table(Role::Defender, 1);
        own.reserve = true;
        own.models.get_mut("tie1").unwrap().at = at(700.0, 854.4, 180.0);
        own.models.get_mut(SHUTTLE).unwrap().at = stands;
        let mut session = Session::new_unpumped(served(3, led(Role::Defender, 1), None), own, &leads());
        session.sync();
        drive(&mut session, |prompt, _| option(prompt, "as it lies"));
        session.request("game/correct", json!({"phase": "activation"})).unwrap();
        drive(&mut session, |prompt, _| option(prompt, "ourselves"));
        let model = session.table.models.get_mut(SHUTTLE).unwrap();
        (model.at, model.off) = (put, off);
        session.sync();
        drive(&mut session, |prompt, _| panic!("{prompt:?}"));
        let over = text(&mut session);
        assert!(
            over.contains("The game is over") && over.contains(says),
            "{put:?}: {over}"
        );
        // What was wrong is put right: the game goes on.
        let model = session.table.models.get_mut(SHUTTLE).unwrap();
        (model.at, model.off) = (stands, false);
        session
            .request("game/correct", json!({"ship": SHUTTLE, "state": "inPlay"}))
            .unwrap();
        drive(&mut session, |_, _| None);
        let text = text(&mut session);
        assert!(
            text.contains("Round 1, planning") && text.contains("Shuttle: free"),
            "{text}"
        );
    }
}

/// PE-7.4: no attacker is left at the end of a round.
#[test]
fn pe_7_4_without_attackers_the_round_is_played_and_the_defender_wins() {
    for role in [Role::Defender, Role::Attacker] {
        let mut session = Session::with(served(3, led(role, 1), None), table(role, 1), &leads());
        let attackers: &[&str] = match role {
            Role::Defender => &["tie1"],
            Role::Attacker => &["xwing1", "xwing2"],
        };
        for ship in attackers {
            session
                .request("game/correct", json!({"ship": ship, "state": "destroyed"}))
                .unwrap();
            session.pump();
        }
        assert!(!text(&mut session).contains("over"), "{}", text(&mut session));
        let over = play_out(&mut session, 20);
        assert!(
            over.contains("No attacker is left") && over.contains("The defender wins"),
            "{over}"
        );
        assert!(over.starts_with("Round 1"), "{over}");
        let score = if role == Role::Defender {
            "12 for the defender"
        } else {
            "42 for the defender"
        };
        assert!(over.contains(score), "PE-8.1: {over}");
    }
}

/// PE-8.5 at a table: a card turns down by itself after the next activation, whoever moves the shuttle.
#[test]
fn pe_8_5_a_critical_card_turns_down_after_the_next_activation() {
    for role in [Role::Defender, Role::Attacker] {
        let mut session = Session::with(served(3, led(role, 1), None), table(role, 1), &leads());
        let deal = json!({"ship": SHUTTLE, "card": {"change": "dealFaceUp", "name": "Structural Damage"}});
        session.request("game/correct", deal).unwrap();
        session.pump();
        assert_eq!(ledger(&mut session, SHUTTLE)["faceUp"], json!(["structural-damage"]));
        session.play("ship");
        for _ in 0..4 {
            if session.activated().contains(&SHUTTLE.to_owned()) {
                break;
            }
            session.play("ship");
        }
        let entry = ledger(&mut session, SHUTTLE);
        assert_eq!(entry["faceUp"], Value::Null, "{role:?}: {}", notes(&session));
        assert_eq!(entry["faceDown"], 1, "{entry}");
    }
}
