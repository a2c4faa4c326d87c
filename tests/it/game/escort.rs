//! Political Escort at a table, through the same host: set-up, the shuttle's moves, Protect, endings; killed and resumed in
//! between.

use std::path::Path;

use serde_json::{Value, json};
use tallyho::{
    bridge::host::HostConfig,
    game::round::escort::{TableEscort, TableShip, TableSquad},
    protocol::{apply::Placement, event::GameEvent, solo::PromptParams},
    xwing::{catalog::Catalog, edition::Edition, escort::Role, size::Size},
};

use super::{
    plain_table::{Model, PlainTable, Session, config},
    whole_rounds::leads,
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
        tallyho::protocol::apply::WireStep::Say { text, .. } => Some(text.clone()),
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
