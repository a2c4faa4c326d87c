//! The language of card effects: its forms, and what is told of text that is not of them.

use tallyho::xwing::effects::{
    book::{CardBook, read_file},
    card::CardFile,
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
