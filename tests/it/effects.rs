//! The language of card effects: its forms, and what is told of text that is not of them.

use std::collections::{BTreeMap, BTreeSet};

use tallyho::xwing::{
    catalog::Catalog,
    effects::{
        CardEntry, CardId, CardKind, Primitive, Role, Window,
        book::{CardBook, read_file},
        card::CardFile,
        nested,
    },
};

const LANGUAGE: &str = include_str!("../cases/cards/language.toml");

#[test]
fn every_form_of_the_language_is_read_and_comes_back() {
    let cards = read_file("language.toml", LANGUAGE).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(cards.len(), 25);
    let file = CardFile { cards };
    let text = toml::to_string(&file).unwrap();
    let again = read_file("again", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(file.cards, again);
}

#[test]
fn text_that_is_not_of_the_language_is_told_with_file_card_and_line() {
    let wrong = [
        (
            ", role = \"friend_attacks\"",
            "",
            "line 7, card `pilot:howlrunner`",
            "role",
        ),
        (
            "\"friend_attacks\"",
            "\"friends\"",
            "line 7, card `pilot:howlrunner`",
            "`friends`",
        ),
        (
            "reroll = {",
            "re_roll = {",
            "line 10, card `pilot:howlrunner`",
            "`re_roll`",
        ),
        (
            "up_to = 1 }",
            "up_to = 1, n = 1 }",
            "card `pilot:howlrunner`",
            "either `n` or `up_to`",
        ),
        (
            "range = \"0-1\"",
            "range = \"1-0\"",
            "line 8, card `pilot:howlrunner`",
            "`1-0` is no range",
        ),
        (
            "from = \"payer\"",
            "from = \"freind\"",
            "card `ship-ability:networkedcalculations`",
            "`freind`",
        ),
        (
            "id = \"pilot:howlrunner\"",
            "id = \"howlrunner\"",
            "line 5",
            "`howlrunner` is no card id",
        ),
        (
            "id = \"upgrade:juke\"",
            "id = \"pilot:howlrunner\"",
            "card `pilot:howlrunner`",
            "stands twice",
        ),
        (
            "ask = \"secret_condition\"\n",
            "",
            "card `pilot:zamwesell`",
            "`ask` go together",
        ),
        ("by = 1 }", "by = 1, per = 2 }", "card `pilot:scourgeskutu`", "`per`"),
    ];
    for (from, to, place, what) in wrong {
        let text = LANGUAGE.replacen(from, to, 1);
        assert_ne!(text, LANGUAGE, "{from}");
        let error = read_file("mine.toml", &text).unwrap_err().to_string();
        assert!(error.starts_with("mine.toml, "), "{error}");
        assert!(error.contains(place) && error.contains(what), "{error}");
    }
}

#[test]
fn a_file_of_ones_own_replaces_cards_and_adds_others() {
    let book = CardBook::default().with_file("language.toml", LANGUAGE).unwrap();
    assert_eq!(book.len(), 25);
    let own = "[[card]]\nid = \"upgrade:juke\"\ngrants = true\n[[card]]\nid = \"pilot:nobody\"\ngrants = true\n";
    let mine = book.with_file("mine.toml", own).unwrap();
    assert_eq!(mine.len(), 26);
    assert!(mine.card("upgrade:juke").unwrap().effects.is_empty());
    assert!(mine.card("pilot:nobody").is_some());
    // The book that it was made from stays as it was.
    assert_eq!(book.card("upgrade:juke").unwrap().effects.len(), 1);
    assert!(book.card("pilot:nobody").is_none());
}

/// All cards that come with the program, read from their files.
fn embedded() -> Vec<CardEntry> {
    let files = CardBook::embedded_files().iter();
    let read = |(file, text): &(&str, &str)| read_file(file, text).unwrap_or_else(|error| panic!("{error}"));
    files.flat_map(read).collect()
}

/// The ids that the catalog has.
fn catalog_ids(catalog: &Catalog) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for pilot in catalog.pilots() {
        ids.insert(CardId::new(CardKind::Pilot, &pilot.xws));
        if !pilot.ship_ability.is_empty() {
            ids.insert(CardId::ship_ability(&pilot.ship_ability));
        }
        ids.extend(pilot.conditions.iter().map(|xws| CardId::new(CardKind::Condition, xws)));
    }
    for upgrade in catalog.upgrades() {
        for (number, side) in (0u8..).zip(&upgrade.sides) {
            ids.insert(CardId {
                side: number,
                ..CardId::new(CardKind::Upgrade, &upgrade.xws)
            });
            if !side.ship_ability.is_empty() {
                ids.insert(CardId::ship_ability(&side.ship_ability));
            }
            ids.extend(side.conditions.iter().map(|xws| CardId::new(CardKind::Condition, xws)));
        }
    }
    ids.iter().map(ToString::to_string).collect()
}

/// The conditions that a step assigns.
fn assigned(step: &Primitive) -> Vec<String> {
    let Primitive::Condition(condition) = step else {
        return nested(step).flat_map(assigned).collect();
    };
    let all = condition.assign.iter().chain(&condition.one_of);
    all.map(|xws| CardId::new(CardKind::Condition, xws).to_string())
        .collect()
}

#[test]
fn every_card_of_the_catalog_has_an_entry_and_every_entry_a_card() {
    let cards = embedded();
    let mut known = catalog_ids(Catalog::embedded());
    // The data does not name every condition on the card that assigns it.
    known.extend(
        cards
            .iter()
            .flat_map(|card| &card.effects)
            .flat_map(|effect| &effect.steps)
            .flat_map(assigned),
    );
    let entries: BTreeSet<String> = cards.iter().map(|card| card.id.to_string()).collect();
    assert_eq!(entries.len(), cards.len(), "an id stands in two files");
    let silent: Vec<&String> = known.difference(&entries).collect();
    let unknown: Vec<&String> = entries.difference(&known).collect();
    assert_eq!(silent, [""; 0], "cards without an entry");
    assert_eq!(unknown, [""; 0], "entries without a card");
}

#[test]
fn every_entry_comes_back_as_it_was_read_and_the_book_finds_it_alone() {
    let book = CardBook::embedded();
    let cards = embedded();
    assert_eq!(book.len(), cards.len());
    for card in &cards {
        assert_eq!(book.card(&card.id.to_string()).map(|found| &**found), Some(card));
    }
    let file = CardFile { cards };
    let again = read_file("again", &toml::to_string(&file).unwrap()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(file.cards, again);
}

#[test]
fn what_entries_say_of_charges_and_weapons_is_what_the_catalog_says() {
    let catalog = Catalog::embedded();
    for card in embedded() {
        let (charges, attack) = match card.id.kind {
            CardKind::Pilot => (catalog.pilot(&card.id.xws).unwrap().charges, None),
            CardKind::Upgrade => {
                let side = &catalog.upgrade(&card.id.xws).unwrap().sides[usize::from(card.id.side)];
                (side.charges, side.attack.as_ref())
            }
            _ => (None, None),
        };
        if let Some(said) = card.charges {
            let found = charges.map(|pool| (pool.value, pool.recovers));
            assert_eq!(
                found,
                Some((u32::from(said.n), i32::from(said.recovers))),
                "{}",
                card.id
            );
        }
        if let Some(said) = card.weapon {
            let attack = attack.unwrap_or_else(|| panic!("{} is no weapon", card.id));
            let found = (
                attack.value,
                attack.min_range,
                Some(attack.max_range),
                attack.ordnance,
                &attack.requires,
            );
            let range = (u32::from(said.range.min), said.range.max.map(u32::from));
            assert_eq!(
                found,
                (
                    Some(u32::from(said.dice)),
                    range.0,
                    range.1,
                    said.ordnance,
                    &said.requires
                ),
                "{}",
                card.id
            );
        }
    }
}

/// Words that one card alone uses: the language has them all the same, because nothing else says what the card does.
const USED_ONCE: [&str; 1] = ["obstruction_rule"];

#[test]
fn every_primitive_serves_at_least_two_cards() {
    fn words(step: &Primitive, found: &mut BTreeSet<String>) {
        let value = toml::Value::try_from(step).unwrap();
        found.extend(value.as_table().unwrap().keys().cloned());
        nested(step).for_each(|step| words(step, found));
    }
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for card in embedded() {
        let mut found = BTreeSet::new();
        let steps = card.effects.iter().flat_map(|effect| &effect.steps);
        steps.for_each(|step| words(step, &mut found));
        for word in found {
            *uses.entry(word).or_default() += 1;
        }
    }
    let rare: Vec<&str> = uses
        .iter()
        .filter(|(_, count)| **count < 2)
        .map(|(word, _)| &**word)
        .collect();
    assert_eq!(rare, USED_ONCE);
    assert!(uses.len() > 60, "{} primitives are used", uses.len());
}

/// What a value says under a key, wherever in it.
fn said(value: &toml::Value, key: &str, found: &mut BTreeSet<String>) {
    match value {
        toml::Value::Table(table) => {
            for (name, value) in table {
                match value {
                    toml::Value::String(text) if name == key => _ = found.insert(text.clone()),
                    toml::Value::Array(texts) if name == key => {
                        found.extend(texts.iter().filter_map(|text| text.as_str().map(str::to_owned)));
                    }
                    value => said(value, key, found),
                }
            }
        }
        toml::Value::Array(values) => values.iter().for_each(|value| said(value, key, found)),
        _ => {}
    }
}

#[test]
fn what_entries_name_exists_in_the_catalog() {
    let catalog = Catalog::embedded();
    let known = catalog_ids(catalog);
    for card in embedded() {
        for effect in &card.effects {
            let value = toml::Value::try_from(effect).unwrap();
            for (key, prefix) in [
                ("pilot", "pilot"),
                ("upgrade", "upgrade"),
                ("ship_ability", "ship-ability"),
            ] {
                let mut names = BTreeSet::new();
                said(&value, key, &mut names);
                for name in names {
                    // A name covers every pilot whose id continues it after a hyphen.
                    let any = known.iter().any(|id| {
                        let rest = id.strip_prefix(&format!("{prefix}:{name}"));
                        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
                    });
                    assert!(any, "{}: there is no {key} `{name}`", card.id);
                }
            }
            let mut ships = BTreeSet::new();
            said(&value, "ship", &mut ships);
            assert!(
                ships.iter().all(|ship| catalog.ship(ship).is_some()),
                "{}: {ships:?}",
                card.id
            );
        }
    }
}

#[test]
fn the_page_on_cards_names_every_window_role_and_primitive_that_cards_use() {
    let page = include_str!("../../docs/cards.md");
    let named = |word: &str| {
        assert!(
            page.contains(&format!("| `{word}` |")),
            "docs/cards.md does not name `{word}`"
        )
    };
    Window::ALL.iter().for_each(|window| named(window.word()));
    Role::ALL.iter().for_each(|role| named(role.word()));
    for card in embedded() {
        for step in card.effects.iter().flat_map(|effect| &effect.steps) {
            let value = toml::Value::try_from(step).unwrap();
            value.as_table().unwrap().keys().for_each(|word| named(word));
        }
    }
}

#[test]
fn the_example_of_the_page_on_cards_is_read() {
    let page = include_str!("../../docs/cards.md");
    let example = page
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .unwrap();
    assert_eq!(read_file("docs/cards.md", example).unwrap().len(), 1);
}
