//! Card files at random: entries put together from pieces of the program's own and changed at will are refused with a clear
//! error, or are played through whole battles in which nobody hangs, nothing is offered that cannot be paid, and the audit
//! finds no rule broken.

use std::{
    collections::{BTreeMap, BTreeSet},
    panic,
};

use serde_json::{Map, Value, json};
use tallyho::{
    dice::{DiceSource, SeededDice},
    geometry::Pose,
    sim::{Commanders, Plan},
    xwing::{
        battle::{Answer, Battle, Event, Fighter, Request, Setup, Side, audit::audit},
        catalog::Catalog,
        damage_deck::{DamageDeck, DeckFacts},
        effects::CardBook,
        obstacle_outlines::ObstacleOutlines,
        table::{PlayArea, Table},
        weapon::Charges,
    },
};

use super::laws::{Looked, check_offer, check_steps};

/// Files that are tried.
const FILES: u64 = 500;

/// More questions than these no battle of so few ships and rounds asks.
const MOST_QUESTIONS: usize = 4000;

/// Effects of the program's own cards, and all words that stand in them.
struct Pieces {
    effects: Vec<Map<String, Value>>,
    /// By the key under which they stand.
    words: BTreeMap<String, Vec<String>>,
}

impl Pieces {
    fn new() -> Pieces {
        let mut pieces = Pieces {
            effects: Vec::new(),
            words: BTreeMap::new(),
        };
        let mut words = BTreeMap::new();
        let deck = DeckFacts::embedded()
            .cards
            .iter()
            .flat_map(|card| card.face_up().entry.as_ref());
        for card in CardBook::embedded().cards().chain(deck) {
            for effect in &card.effects {
                let value = serde_json::to_value(effect).unwrap();
                words_of(&value, "", &mut words);
                pieces.effects.extend(value.as_object().cloned());
            }
        }
        let listed = words.into_iter().map(|(key, words)| (key, words.into_iter().collect()));
        pieces.words = listed.collect();
        pieces
    }

    fn effect(&self, dice: &mut SeededDice) -> &Map<String, Value> {
        &self.effects[dice.choose(self.effects.len())]
    }

    /// An effect with parts of others, some of it changed at will.
    fn mixed(&self, dice: &mut SeededDice) -> Value {
        let mut effect = self.effect(dice).clone();
        for key in ["on", "if", "choose", "cost", "do", "may", "until", "replaces"] {
            if dice.choose(4) == 0 {
                match self.effect(dice).get(key) {
                    Some(other) => effect.insert(key.to_owned(), other.clone()),
                    None => effect.remove(key),
                };
            }
        }
        let mut effect = Value::Object(effect);
        if dice.choose(3) == 0 {
            self.change(&mut effect, "", dice);
        }
        effect
    }

    /// A word, most often one that may stand under the key.
    fn word(&self, key: &str, dice: &mut SeededDice) -> String {
        let any = self.words.values().nth(dice.choose(self.words.len()));
        let known = self.words.get(key).filter(|_| dice.choose(6) > 0).or(any).unwrap();
        known[dice.choose(known.len())].clone()
    }

    /// Changes one thing somewhere in a value that stands under a key.
    fn change(&self, value: &mut Value, under: &str, dice: &mut SeededDice) {
        match value {
            Value::Object(map) if !map.is_empty() => {
                let place = dice.choose(map.len());
                let key = map.keys().nth(place).unwrap().clone();
                match dice.choose(16) {
                    0 => {
                        map.remove(&key);
                    }
                    1 => {
                        let inner = map.remove(&key).unwrap();
                        map.insert(self.word(under, dice), inner);
                    }
                    _ => self.change(map.get_mut(&key).unwrap(), &key, dice),
                }
            }
            Value::Array(all) if !all.is_empty() => {
                let place = dice.choose(all.len());
                match dice.choose(8) {
                    0 => {
                        all.remove(place);
                    }
                    1 => all.push(all[place].clone()),
                    _ => self.change(&mut all[place], under, dice),
                }
            }
            Value::Number(_) => *value = json!([0, 1, 2, 3, 20, 1, 2, -1, 255][dice.choose(9)]),
            Value::Bool(flag) => *flag = !*flag,
            _ => *value = Value::String(self.word(under, dice)),
        }
    }
}

fn words_of(value: &Value, under: &str, words: &mut BTreeMap<String, BTreeSet<String>>) {
    match value {
        Value::String(word) => {
            words.entry(under.to_owned()).or_default().insert(word.clone());
        }
        Value::Array(all) => all.iter().for_each(|inner| words_of(inner, under, words)),
        Value::Object(map) => {
            for (key, inner) in map {
                words.entry(under.to_owned()).or_default().insert(key.clone());
                words_of(inner, key, words);
            }
        }
        _ => {}
    }
}

const SHIPS: [(&str, &str, &str); 4] = [
    ("player", "t65xwing", "redsquadronveteran"),
    ("player", "t65xwing", "redsquadronveteran"),
    ("solo", "tielnfighter", "academypilot"),
    ("solo", "tieadvancedx1", "tempestsquadronpilot"),
];

fn file(pieces: &Pieces, dice: &mut SeededDice) -> String {
    let cards: Vec<Value> = ["redsquadronveteran", "academypilot", "tempestsquadronpilot"]
        .iter()
        .map(|pilot| {
            let effects: Vec<Value> = (0..1 + dice.choose(2)).map(|_| pieces.mixed(dice)).collect();
            json!({ "id": format!("pilot:{pilot}"), "effect": effects })
        })
        .collect();
    toml::to_string(&json!({ "card": cards })).unwrap()
}

/// Two ships a side near each other, an asteroid between them, each with charges, Force and a damage card face up.
fn setup(book: &CardBook, dice: &mut SeededDice) -> Setup {
    let facts = DeckFacts::embedded();
    let mut deck = DamageDeck::shuffled(facts, dice);
    let (mut ships, mut fighters) = (Vec::new(), Vec::new());
    for (place, (side, chassis, pilot)) in SHIPS.into_iter().enumerate() {
        let resolved = Catalog::embedded()
            .resolve(chassis, Some(pilot), &[] as &[&str])
            .unwrap();
        let mut fighter = Fighter::with_cards(&resolved, book).unwrap();
        fighter.force = 2;
        fighter.integrity.face_up.extend(deck.draw(dice));
        fighter.integrity.face_down.extend(deck.draw(dice));
        for card in 0..fighter.cards.len() {
            if let Some(card) = fighter.cards.get_mut(card) {
                card.charges = Some(Charges { left: 2, max: 2 });
                card.recovers = 1;
            }
        }
        let (y, heading) = if side == "player" { (250.0, 0.0) } else { (600.0, 180.0) };
        let x = 350.0 + 120.0 * (place % 2) as f64 + 20.0 * dice.choose(5) as f64;
        let id = format!("{}{place}", &side[..1]);
        let mut ship = resolved.into_ship(id.as_str().into(), side.to_owned(), Pose::new(x, y, heading));
        ship.tokens.force = 2;
        ship.tokens.focus = dice.choose(2) as u32;
        ship.tokens.evade = dice.choose(2) as u32;
        fighters.push((ship.id.clone(), fighter));
        ships.push(ship);
    }
    let rock = ObstacleOutlines::embedded().find("coreasteroid1").unwrap();
    let rock = rock.placed("O1".into(), Pose::new(430.0, 430.0, 0.0));
    let side = |name: &str| Side {
        name: name.to_owned(),
        dials: name == "player",
        flees: name == "player",
    };
    Setup {
        table: Table::new(PlayArea::STANDARD, ships, vec![rock], Vec::new()),
        fighters,
        sides: vec![side("player"), side("solo")],
        alternating: false,
        rounds: Some(3),
        guides: false,
        mission: None,
        escort: None,
    }
}

/// Plays a battle, the players' choices about cards at random. What goes wrong, if anything does.
fn play(book: &CardBook, dice: &mut SeededDice, looked: &mut Looked) -> Result<Battle, String> {
    let start = setup(book, dice);
    let mut battle = Battle::new(start.clone(), dice).map_err(|error| error.to_string())?;
    let mut commanders = Commanders::new(&Plan::of(Vec::new()));
    let mut questions = 0;
    while let Some(request) = battle.pending().cloned() {
        questions += 1;
        if questions > MOST_QUESTIONS {
            return Err(format!("it does not come to an end: {request:?}"));
        }
        check_steps(&battle, looked);
        check_offer(&battle, &request, looked);
        let answer = match &request {
            Request::Effect(offer) if request.ship().starts_with('p') => {
                let place = dice.choose(offer.choices.len() + usize::from(!offer.must));
                Answer::Effect((place < offer.choices.len()).then_some(place))
            }
            _ => commanders.answer(&battle, &request, dice),
        };
        if let Err(refused) = battle.answer(answer.clone(), dice) {
            return Err(format!("{answer:?} to {request:?}: {refused}"));
        }
    }
    let fault = audit(&start, battle.events())
        .into_iter()
        // A card that sets itself off for ever is cut short, and the record says so.
        .find(|found| !matches!(battle.events()[found.event], Event::CardFault { .. }));
    match fault {
        Some(fault) => {
            let around = &battle.events()[fault.event.saturating_sub(6)..=fault.event];
            let around: Vec<String> = around.iter().map(|event| format!("  {event:?}")).collect();
            Err(format!("{fault}\n{}", around.join("\n")))
        }
        None => Ok(battle),
    }
}

#[test]
fn sa_12_card_files_at_random_are_refused_clearly_or_played_to_the_end() {
    let pieces = Pieces::new();
    let (mut refused, mut played, mut used) = (0, 0, 0);
    let mut looked = Looked::default();
    let mut wrong = Vec::new();
    for number in 0..FILES {
        let mut dice = SeededDice::new(0xca4d + number);
        let text = file(&pieces, &mut dice);
        match CardBook::embedded().with_file("mine.toml", &text) {
            Err(error) => {
                let said = error.to_string();
                let told = said.starts_with("mine.toml") && error.message.len() > 10;
                let placed = error.line.is_some() || error.card.is_some();
                if !told || !placed {
                    wrong.push(format!("file {number}: {said}\n{text}"));
                }
                refused += 1;
            }
            Ok(book) => {
                let attempt = || play(&book, &mut dice, &mut looked);
                match panic::catch_unwind(panic::AssertUnwindSafe(attempt)) {
                    Ok(Ok(battle)) => {
                        let of_pilots = |event: &&Event| {
                            matches!(event, Event::CardUsed { card, .. } | Event::EffectUsed { card, .. }
                                if card.starts_with("pilot:"))
                        };
                        used += battle.events().iter().filter(of_pilots).count();
                    }
                    Ok(Err(fault)) => wrong.push(format!("file {number}: {fault}\n{text}")),
                    Err(_) => wrong.push(format!("file {number}: a panic, told above\n{text}")),
                }
                played += 1;
            }
        }
    }
    println!("{refused} refused, {played} played, {used} uses; {looked:?}");
    assert!(wrong.is_empty(), "{} of {FILES}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(refused > 40 && played > 100 && used > 120, "{refused} {played} {used}");
}
