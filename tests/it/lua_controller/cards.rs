//! What lies beside the mat: pilot cards, upgrades, shields, Force, damage cards.

use serde_json::json;
use tallyho::{bridge::virtual_table::CardSpec, protocol::snapshot::TtsShip};

use super::{Setting, TIE, WING};

/// The X-wing's cards with two upgrades and the TIE's to the left of them, closer to the last upgrade than that is to its
/// pilot.
fn with_cards() -> (Setting, String, String) {
    let setting = Setting::new();
    let wing = CardSpec {
        ship: WING.into(),
        place: [-20.0, -20.0],
        upgrades: vec!["R2 Astromech".into(), "Proton Torpedoes".into(), "Marksmanship".into()],
        configuration: "Servomotor S-Foils".into(),
        shields: 2,
        force: 0,
    };
    let tie = CardSpec {
        ship: TIE.into(),
        place: [-20.0 - 1.42 - 1.78 * 3.0 - 2.58, -20.0],
        shields: 0,
        force: 1,
        ..CardSpec::default()
    };
    let wing = setting.table.add_cards(&wing).unwrap();
    let tie = setting.table.add_cards(&tie).unwrap();
    (setting, wing, tie)
}

/// The ships as read at the press of the status line.
fn read(setting: &Setting) -> (TtsShip, TtsShip) {
    let syncs = setting.server.heard("table/sync").len();
    setting.press("Tallyho");
    setting.until_heard("table/sync", syncs + 1);
    let snapshot = setting.snapshot();
    let ship = |guid: &str| snapshot.ships.iter().find(|ship| ship.guid == guid).unwrap().clone();
    (ship(WING), ship(TIE))
}

#[test]
fn upgrades_and_tokens_belong_to_the_pilot_whose_row_they_lie_in() {
    let (setting, _, _) = with_cards();
    let (wing, tie) = read(&setting);
    let mut upgrades = wing.upgrades.clone();
    upgrades.sort();
    assert_eq!(
        upgrades,
        ["Marksmanship", "Proton Torpedoes", "R2 Astromech", "Servomotor S-Foils"]
    );
    assert_eq!((wing.shields, wing.damage), (Some(2), Some(0)));
    assert_eq!(tie.upgrades, Vec::<String>::new());
    assert_eq!((tie.shields, tie.damage), (None, Some(0)));
    assert_eq!(tie.tokens.get("Force"), Some(&1));
    setting.assert_no_errors();
}

#[test]
fn turned_shields_and_damage_cards_are_counted_also_after_a_load() {
    let (setting, wing_card, tie_card) = with_cards();
    let shield = setting
        .table
        .objects_of("Generic")
        .unwrap()
        .into_iter()
        .find(|guid| setting.table.variable(guid, "__XW_TokenType").unwrap() == "Shield")
        .unwrap();
    setting.table.flip(&shield).unwrap();
    setting.table.add_damage_card(&wing_card, true).unwrap();
    setting.table.add_damage_card(&tie_card, false).unwrap();
    setting.table.add_damage_card(&tie_card, true).unwrap();
    // In reality a save does not know whose a token is.
    let saved = setting.table.save().unwrap();
    for loaded in [false, true] {
        if loaded {
            setting.load(&saved);
        }
        let (wing, tie) = read(&setting);
        assert_eq!((wing.shields, wing.damage), (Some(1), Some(1)), "loaded: {loaded}");
        assert_eq!((tie.shields, tie.damage), (None, Some(2)));
        assert_eq!(wing.upgrades.len(), 4);
    }
    setting.assert_no_errors();
}

#[test]
fn tokens_are_turned_as_the_program_keeps_them() {
    let (setting, _, _) = with_cards();
    read(&setting);
    let tell = |shields: u32, force: u32| {
        for (ship, shields, force) in [(WING, shields, 0), (TIE, 0, force)] {
            setting.server.tell(json!({ "kind": "ledger", "entry": {
                "ship": ship, "solo": false, "hull": 3, "hullMax": 3, "shields": shields, "shieldsMax": 2,
                "force": force, "forceMax": 1, "activated": false, "engaged": false } }));
        }
        setting.table.run_for(2.0).unwrap();
        let counts = (
            setting.table.face_up("Shield").unwrap(),
            setting.table.face_up("Force").unwrap(),
        );
        assert_eq!(counts, (shields as usize, force as usize));
        assert_eq!(read(&setting).0.shields, Some(shields));
    };
    tell(0, 1);
    tell(2, 0);
    tell(1, 1);
    setting.assert_no_errors();
}
