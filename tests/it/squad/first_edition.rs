//! Squads of the first edition (FE-1): the rules of squad building, files of version 1, squads as they are typed.

use expect_test::expect_file;
use proptest::prelude::*;
use serde::Deserialize;
use tallyho::{
    dice::AttackFace,
    sim::squad::cards,
    xwing::{
        catalog::{Catalog, facts::Grant},
        edition::{Edition, FirstEditionOptions, Rules},
        squad::{
            Squad, SquadShip, check,
            initiative::{Initiative, Side, compare},
            xws,
        },
    },
};

fn catalog() -> &'static Catalog {
    Catalog::embedded_for(Edition::First)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    squad: String,
    points: i32,
    rules: Option<String>,
    #[serde(default)]
    problems: Vec<String>,
}

/// FE-SOLO-14: a player squad of the introductory scenario has 18 to 23 points a ship.
#[test]
fn fe_solo_14_player_squads_are_measured_on_the_scale_of_the_edition() {
    for (squad, said) in [
        ("2*xwing/rookiepilot", None),
        (
            "2*tiefighter/academypilot",
            Some("has 24 points; a squad of 2 may have 36 to 46 (18 to 23 a ship"),
        ),
        (
            "xwing/lukeskywalker",
            Some("has 28 points; a squad of 1 may have 18 to 23 (18 to 23 a ship"),
        ),
    ] {
        let squad = cards(squad, catalog()).expect("ships of the catalog");
        let found: Vec<String> = check::player(&squad, catalog())
            .iter()
            .map(ToString::to_string)
            .collect();
        match said {
            None => assert_eq!(found, Vec::<String>::new()),
            Some(said) => assert!(found.len() == 1 && found[0].contains(said), "{found:?}"),
        }
    }
}

#[test]
fn fe_1_squads_obey_the_rules_or_are_told_which_they_break() {
    let cases: Cases = toml::from_str(include_str!("../../cases/squad/first-edition.toml")).expect("cases");
    for case in &cases.case {
        let squad = cards(&case.squad, catalog()).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        assert_eq!(squad.points(catalog()), Some(case.points), "{}", case.id);
        let rules = case.rules.as_deref().map_or(Rules::FIRST, |text| {
            let options: FirstEditionOptions = serde_json::from_str(text).expect(&case.id);
            options.rules()
        });
        let mut problems = check::legal_by(&squad, catalog(), rules.same_name);
        problems.extend(check::total(&squad, 100, catalog()));
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), case.problems.len(), "{}: {said:#?}", case.id);
        for (said, expected) in said.iter().zip(&case.problems) {
            assert!(said.contains(expected), "{}: {said}, not {expected}", case.id);
        }
    }
}

/// Case A1: totals of 98 and 100 (FE-2.1, FE-14.1).
#[test]
fn fe_2_1_and_fe_14_1_who_has_the_initiative() {
    let sides = [(98, false), (100, true)].map(|(total, imperial)| Side { total, imperial });
    let by = |rules: Rules| compare(rules.first_initiative, sides, || AttackFace::Blank);
    assert_eq!(by(Rules::FIRST), Initiative::Chooses(0));
    let old = FirstEditionOptions {
        rulebook_2012: true,
        ..FirstEditionOptions::default()
    };
    assert_eq!(by(old.rules()), Initiative::Has(0));
}

#[test]
fn files_of_version_1_are_read_and_checked() {
    expect_file!["../../cases/squad/first-edition.expected"].assert_eq(&super::checked(&["first-edition.xws.json"], 3));
}

#[test]
fn a_file_says_which_edition_it_is_of() {
    for (text, edition) in [
        (
            include_str!("../../cases/squad/first-edition.xws.json"),
            Some(Edition::First),
        ),
        (include_str!("../../cases/squad/player.xws.json"), Some(Edition::Second)),
        (
            r#"{"version":"0.3.0","pilots":[{"name":"rookiepilot","ship":"xwing"}]}"#,
            Some(Edition::First),
        ),
        (
            r#"{"version":"0.3.0","pilots":[{"id":"bluesquadronescort","ship":"t65xwing"}]}"#,
            Some(Edition::Second),
        ),
        (r#"{"version":"1.0.0","pilots":[]}"#, Some(Edition::First)),
        (r#"{"version":"2.0.0","pilots":[]}"#, Some(Edition::Second)),
        (r#"{"pilots":[]}"#, None),
        ("xwing", None),
    ] {
        assert_eq!(xws::edition_of(text), edition, "{text}");
    }
}

#[test]
fn cards_of_the_other_edition_are_named_with_the_remedy() {
    let error = cards("t65xwing", catalog())
        .expect_err("a second-edition id")
        .to_string();
    assert!(
        error.contains("the second edition has it: add `--edition second`"),
        "{error}"
    );
    let error = cards("xwing/rookiepilot", Catalog::embedded())
        .expect_err("a first-edition id")
        .to_string();
    assert!(
        error.contains("the first edition has it: add `--edition first`"),
        "{error}"
    );
    let error = cards("xwing/lukeskywalker+instinctiveaim", catalog())
        .expect_err("a second-edition card")
        .to_string();
    assert!(error.contains("--edition second"), "{error}");
}

/// A pilot with upgrades out of the whole catalog.
fn random_ship() -> impl Strategy<Value = SquadShip> {
    let catalog = catalog();
    let upgrades = prop::collection::vec(0..catalog.upgrades().len(), 0..6);
    (0..catalog.pilots().len(), upgrades).prop_map(move |(pilot, upgrades)| {
        let pilot = &catalog.pilots()[pilot];
        SquadShip {
            place: String::new(),
            pilot: Some(pilot.xws.clone()),
            ship: pilot.ship.clone(),
            upgrades: upgrades
                .into_iter()
                .map(|index| catalog.upgrades()[index].xws.clone())
                .collect(),
            threat: None,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A file of version 1 reads back as the squad that it was written from.
    #[test]
    fn version_1_reads_back_as_written(ships in prop::collection::vec(random_ship(), 1..5)) {
        let catalog = catalog();
        let faction = catalog.pilot(ships[0].pilot.as_deref().expect("a pilot")).expect("known").faction.clone();
        let primary = catalog.edition().rules().factions.primary(&faction).to_owned();
        let ships: Vec<SquadShip> = ships
            .into_iter()
            .filter(|ship| {
                let own = &ship.pilot(catalog).expect("known").faction;
                catalog.edition().rules().factions.fly_together(own, &primary)
            })
            .collect();
        let squad = Squad { name: "Test".to_owned(), faction: primary, ships, ..Squad::default() };
        let text = squad.to_xws(catalog).to_string();
        prop_assert_eq!(xws::edition_of(&text), Some(Edition::First));
        let read = xws::read(&text, catalog).expect("just written");
        prop_assert!(read.notes.is_empty(), "{:?}", read.notes);
        prop_assert_eq!(&read.faction, &squad.faction);
        prop_assert_eq!(read.points(catalog), squad.points(catalog));
        let cards = |squad: &Squad| -> Vec<_> {
            squad.ships.iter().map(|ship| {
                let mut upgrades = ship.upgrades.clone();
                upgrades.sort();
                (ship.pilot.clone(), ship.ship.clone(), upgrades)
            }).collect()
        };
        prop_assert_eq!(cards(&read), cards(&squad));
    }

    /// Checking says something about every squad and never more than there is; no upgrade makes a ship's points unknown.
    #[test]
    fn any_squad_can_be_checked(ships in prop::collection::vec(random_ship(), 0..5)) {
        let catalog = catalog();
        let squad = Squad { faction: "rebelalliance".to_owned(), ships, ..Squad::default() };
        let problems = check::legal(&squad, catalog);
        prop_assert_eq!(squad.ships.is_empty(), problems.iter().any(|problem| problem.message.contains("has no ship")));
        prop_assert!(squad.points(catalog).is_some());
        for ship in &squad.ships {
            prop_assert!(ship.resolve(catalog).is_some());
        }
    }
}

/// FE-12: huge ships belong to epic squads, and of one in two sections both are flown.
#[test]
fn fe_12_huge_ships_are_for_epic_squads_and_come_whole() {
    let ship = |id: &str| SquadShip {
        place: id.to_owned(),
        pilot: Some(id.to_owned()),
        ship: id.to_owned(),
        upgrades: Vec::new(),
        threat: None,
    };
    let said = |ships: &[&str], most: i32| -> Vec<String> {
        let squad = Squad {
            faction: "rebelalliance".to_owned(),
            ships: ships.iter().map(|id| ship(id)).collect(),
            ..Squad::default()
        };
        let problems = check::total(&squad, most, catalog());
        problems.iter().map(ToString::to_string).collect()
    };
    let (fore, aft) = ("cr90corvettefore", "cr90corvetteaft");
    let told = said(&[fore], 100);
    assert!(
        matches!(told.as_slice(), [one] if one.contains("is huge") && one.contains("FE-12")),
        "{told:?}"
    );
    let told = said(&[fore], 300);
    assert!(
        matches!(told.as_slice(), [one] if one.contains("half a ship") && one.contains("(Aft)")),
        "{told:?}"
    );
    assert_eq!(said(&[fore, aft], 300), Vec::<String>::new());
    assert_eq!(said(&["gr75mediumtransport"], 300), Vec::<String>::new());
    assert_eq!(said(&["xwing"], 100).len(), 1, "it has no pilot, and so no price");
}

/// Squad files of the other edition are refused with the remedy; the ship of a file is compared with its pilot's.
#[test]
fn xws_files_say_their_edition_and_their_ships_are_checked() {
    let file = |version: &str, pilot: &str, ship: &str| {
        format!(r#"{{"version":"{version}","faction":"rebel","pilots":[{{"id":"{pilot}","ship":"{ship}"}}]}}"#)
    };
    let second = Catalog::embedded_for(Edition::Second);
    for (catalog, text, other) in [
        (catalog(), file("2.0.0", "bluesquadronescort", "t65xwing"), "second"),
        (catalog(), file("1.0.0", "bluesquadronescort", "t65xwing"), "second"),
        // The ship is in both, so the version tells.
        (catalog(), file("2.0.0", "sabinewren", "attackshuttle"), "second"),
        (second, file("1.0.0", "rookiepilot", "xwing"), "first"),
        (second, file("1.0.0", "sabinewren", "attackshuttle"), "first"),
    ] {
        let refused = xws::read(&text, catalog)
            .expect_err("it is of the other edition")
            .to_string();
        assert!(
            refused.contains(&format!("of the {other} edition")) && refused.contains(&format!("--edition {other}")),
            "{refused}"
        );
    }
    // Its ships tell more than its number.
    let read = xws::read(&file("2.0.0", "rookiepilot", "xwing"), catalog()).expect("a squad");
    assert!(
        read.notes.iter().any(|note| note.starts_with("version: ")),
        "{:?}",
        read.notes
    );
    let read = xws::read(&file("1.0.0", "rookiepilot", "ywing"), catalog()).expect("a squad");
    assert_eq!(read.ships[0].ship, "xwing");
    assert!(
        read.notes
            .iter()
            .any(|note| note.contains("the file says `ywing`") && note.contains("flies `xwing`")),
        "{:?}",
        read.notes
    );
    let read = xws::read(&file("1.0.0", "rookiepilot", "xwing"), catalog()).expect("a squad");
    assert!(
        !read.notes.iter().any(|note| note.contains("ship:")),
        "{:?}",
        read.notes
    );
}

/// A card without text leaves nothing to the players; one with a text does.
#[test]
fn only_cards_with_a_text_are_left_to_the_players() {
    let notes = |text: &str| -> Vec<String> {
        let members = tallyho::sim::squad::read(text, catalog()).expect("a squad");
        members[0].fighter().notes.clone()
    };
    assert_eq!(notes("xwing/rookiepilot"), Vec::<String>::new());
    let told = notes("xwing/lukeskywalker+r2d2");
    assert!(
        matches!(told.as_slice(), [one] if one.contains("lukeskywalker") && one.contains("r2d2")),
        "{told:?}"
    );
    let told = notes("xwing/rookiepilot+r2d2");
    assert!(
        matches!(told.as_slice(), [one] if !one.contains("rookiepilot") && one.contains("r2d2")),
        "{told:?}"
    );
}

/// Of the cards that add slots none leaves its own type without a place for it.
#[test]
fn every_grant_of_a_slot_names_a_slot_that_some_upgrade_takes() {
    let kinds: Vec<&str> = catalog()
        .upgrades()
        .iter()
        .map(|upgrade| upgrade.sides[0].kind())
        .collect();
    for upgrade in catalog().upgrades() {
        for grant in &upgrade.sides[0].grants {
            let slots: Vec<&String> = match grant {
                Grant::Slot { slot, .. } => vec![slot],
                Grant::SlotChoice(slots) => slots.iter().collect(),
                Grant::Discount { slot, .. } if !slot.is_empty() => vec![slot],
                _ => Vec::new(),
            };
            for slot in slots {
                assert!(kinds.contains(&slot.as_str()), "{}: {slot}", upgrade.xws);
            }
        }
    }
}
