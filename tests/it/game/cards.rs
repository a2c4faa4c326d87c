//! Cards outside attacks at a table (SA-12): what is announced, asked and decided.

use tallyho::protocol::event::GameEvent;

use super::{
    plain_table::{Session, config},
    whole_rounds::{face_to_face, leads},
};

/// Notes that name a card.
fn notes_about(session: &Session, card: &str) -> Vec<String> {
    let events = session.events.iter();
    let notes = events.filter_map(|event| match event {
        GameEvent::Note { message } if message.contains(card) => Some(message.clone()),
        _ => None,
    });
    notes.collect()
}

#[test]
fn cards_that_are_asked_are_announced_once_and_played_ones_are_not() {
    let mut table = face_to_face(420.0);
    for (id, ship, pilot) in [
        ("solo1", "firesprayclasspatrolcraft", "zamwesell"),
        ("solo2", "tielnfighter", "howlrunner"),
    ] {
        let model = table.models.get_mut(id).unwrap();
        (model.ship, model.pilot) = (ship, Some(pilot));
    }
    let mut session = Session::with(config(1), table, &leads());
    let notes = notes_about(&session, "pilot:zamwesell");
    assert_eq!(notes.len(), 1, "{}", session.told());
    assert!(notes[0].contains("asked about"), "{notes:?}");
    assert!(notes_about(&session, "howlrunner").is_empty());
    for _ in 0..3 {
        session.sync();
        session.play("ship");
    }
    assert_eq!(
        notes_about(&session, "it is asked about").len() + notes_about(&session, "only a part").len(),
        1
    );
}
