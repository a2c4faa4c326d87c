//! Damage cards in a battle: the cases of `tests/cases/cards/damage.toml`. Each is driven a second time with the cards face
//! down, and must come out otherwise then: a card that did nothing would fail it.

use std::collections::VecDeque;

use serde::Deserialize;
use tallyho::{
    bridge::text,
    dice::{AttackFace, DefenceFace, DiceSource},
    geometry::Pose,
    xwing::{
        action::{ActionDetail, ActionKind},
        battle::{
            Answer, AttackOrder, Battle, Event, Fighter, Flight, Order, Phase, Request, Setup, Side, audit::audit,
        },
        catalog::Catalog,
        combat::{AttackStep, Spending},
        damage_deck::{Damage, DamageDeck, DamageEvent, DeckFacts},
        maneuver::{Difficulty, Maneuver},
        movement::Alignment,
        obstacle_outlines::ObstacleOutlines,
    },
};

const CASES: &str = include_str!("../../cases/cards/damage.toml");

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

/// The ship `P`, an X-wing without shields at (400, 200), and the enemy `S` ahead of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    /// Cards that lie face up on `P`.
    #[serde(default)]
    faceup: Vec<String>,
    /// The next cards of the deck.
    #[serde(default)]
    deck: Vec<String>,
    /// The hull of `P`.
    hull: Option<u8>,
    /// Hits and crits that `P` suffers; without them a round is played.
    suffer: Option<[u8; 2]>,
    /// The maneuver of `P`.
    #[serde(default = "straight")]
    fly: String,
    /// Whether an asteroid lies in its way.
    #[serde(default)]
    asteroid: bool,
    /// The action of `P`: a kind, or the card whose action it is.
    act: Option<String>,
    /// Who attacks.
    attack: Option<String>,
    /// Attack dice that are rolled, in order; blanks after them.
    #[serde(default)]
    rolls: Vec<String>,
    /// Tokens of `P`, as positions write them.
    #[serde(default)]
    tokens: String,
    /// Whether the card does nothing here, so that it comes to the same face down.
    #[serde(default)]
    inert: bool,
    expect: Expected,
}

fn straight() -> String {
    "2FB".to_owned()
}

/// What holds of `P` in the end; what is not named may be anything.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// Damage cards, face up and down.
    cards: Option<usize>,
    repaired: Option<Vec<String>>,
    /// Cards that were dealt face up.
    dealt_up: Option<Vec<String>>,
    destroyed: Option<bool>,
    stress: Option<u32>,
    ion: Option<u32>,
    /// Kinds of actions of its bar.
    bar: Option<Vec<ActionKind>>,
    performed: Option<Vec<ActionKind>>,
    /// A maneuver that its dial has.
    dial: Option<String>,
    attack_dice: Option<u8>,
    defence_dice: Option<u8>,
    /// Whether it spends a focus token in its attack.
    focus_spent: Option<bool>,
}

struct Dice(VecDeque<AttackFace>);

impl DiceSource for Dice {
    fn attack(&mut self) -> AttackFace {
        self.0.pop_front().unwrap_or(AttackFace::Blank)
    }
    fn defence(&mut self) -> DefenceFace {
        DefenceFace::Blank
    }
    fn choose(&mut self, count: usize) -> usize {
        // The deck stays in its order.
        count - 1
    }
}

/// What was seen on the way.
#[derive(Default)]
struct Seen {
    attack_dice: Option<u8>,
    defence_dice: Option<u8>,
}

fn setup(case: &Case, face_down: bool) -> Setup {
    let catalog = Catalog::embedded();
    let fixture = format!(
        "ship P t65xwing player 400,200 @0 {}\nship S tielnfighter solo 400,640 @180\n",
        case.tokens
    );
    let mut table = text::parse(&fixture, catalog)
        .unwrap_or_else(|error| panic!("{error}\n{fixture}"))
        .table;
    if case.asteroid {
        let outline = ObstacleOutlines::embedded().find("coreasteroid1").unwrap();
        table
            .obstacles
            .push(outline.placed("O1".into(), Pose::new(400.0, 270.0, 0.0)));
    }
    let facts = DeckFacts::embedded();
    let mut deck = DamageDeck::shuffled(facts, &mut Dice(VecDeque::new()));
    let fighters = table.ships.iter_mut().map(|ship| {
        let resolved = catalog.resolve(&ship.chassis, None, &[] as &[&str]).unwrap();
        let mut fighter = Fighter::of(&resolved).unwrap();
        ship.initiative = if &*ship.id == "P" { 1 } else { 4 };
        if &*ship.id == "P" {
            let integrity = &mut fighter.integrity;
            integrity.shields = 0;
            integrity.hull = case.hull.unwrap_or(9);
            let cards = case.faceup.iter().map(|id| deck.take(facts, id).unwrap());
            match face_down {
                true => integrity.face_down.extend(cards),
                false => integrity.face_up.extend(cards),
            }
        }
        (ship.id.clone(), fighter)
    });
    let fighters = fighters.collect();
    let side = |name: &str| Side {
        name: name.to_owned(),
        dials: false,
        flees: false,
    };
    Setup {
        fighters,
        table,
        sides: vec![side("player"), side("solo")],
        alternating: false,
        rounds: Some(1),
        guides: false,
        mission: None,
    }
}

fn action(battle: &Battle, word: &str) -> Answer {
    if word.contains(':') {
        return Answer::Act(vec![Order::Card(word.to_owned())]);
    }
    let ship = battle.table().ship("P").unwrap();
    let named = |kind: ActionKind| kind.name().eq_ignore_ascii_case(word);
    let kind = ship
        .actions
        .iter()
        .map(|entry| entry.action.kind)
        .find(|kind| named(*kind));
    let Some(kind) = kind else {
        return Answer::Act(Vec::new());
    };
    let detail = match kind {
        ActionKind::Lock => ActionDetail::Lock("S".into()),
        _ => ActionDetail::Token,
    };
    let difficulty = Difficulty::White;
    Answer::Act(vec![Order::Bar {
        kind,
        difficulty,
        detail,
    }])
}

/// The round, answered as the case says, and where it says nothing idly.
fn play(case: &Case, battle: &mut Battle, dice: &mut Dice) -> Seen {
    let mut seen = Seen::default();
    while let Some(request) = battle.pending().cloned() {
        let own = &**request.ship() == "P";
        let attacks = case.attack.as_deref() == Some(&**request.ship());
        let answer = match &request {
            Request::Fly { fixed, .. } => {
                let wanted: Maneuver = (if own { &case.fly } else { "2FB" }).parse().unwrap();
                // In the colour that it has on the dial.
                let dial = battle.table().ship(request.ship()).unwrap().dial.maneuvers().iter();
                let same = |other: &&Maneuver| (other.speed, other.bearing) == (wanted.speed, wanted.bearing);
                let shown = *{ dial }.find(same).unwrap();
                Answer::Fly(Flight {
                    maneuver: fixed.unwrap_or(shown),
                    alignment: Alignment::Middle,
                    edge_turn: None,
                })
            }
            Request::Act { .. } if own => action(battle, case.act.as_deref().unwrap_or_default()),
            Request::Act { .. } | Request::CardAction(_) => Answer::Act(Vec::new()),
            Request::Attack { ship } if attacks => Answer::Attack(Some(AttackOrder {
                weapon: 0,
                target: if &**ship == "P" { "S".into() } else { "P".into() },
            })),
            Request::Attack { .. } => Answer::Attack(None),
            Request::ModifyAttack { .. } => {
                let focuses = battle.duel().map_or(0, |duel| duel.dice.focuses);
                Answer::ModifyAttack(AttackStep::Finish {
                    spending: Spending {
                        focus: u8::from(focuses > 0),
                        ..Spending::default()
                    },
                    changed: focuses,
                })
            }
            Request::ModifyDefence { .. } => Answer::ModifyDefence(Spending::default()),
            Request::Effect(offer) => Answer::Effect(offer.default),
            other => panic!("{}: asked {other:?}", case.id),
        };
        if let Some(duel) = battle.duel() {
            match &*duel.attacker == "P" {
                true => seen.attack_dice = Some(duel.pools.attack_dice),
                false => seen.defence_dice = Some(duel.pools.defence_dice),
            }
        }
        if battle.answer(answer, dice).is_err() {
            battle.answer(Answer::Act(Vec::new()), dice).unwrap();
        }
    }
    seen
}

/// What does not hold of the case, with its cards face up or down.
fn faults(case: &Case, face_down: bool) -> Vec<String> {
    let facts = DeckFacts::embedded();
    let face = |word: &String| serde_json::from_value(serde_json::Value::String(word.clone())).unwrap();
    let mut dice = Dice(case.rolls.iter().map(face).collect());
    let start = setup(case, face_down);
    let stack = |deck: &mut DamageDeck| {
        for id in case.deck.iter().rev() {
            let card = deck.take(facts, id).unwrap();
            deck.put_on_top(card);
        }
    };
    let mut seen = Seen::default();
    let mut battle = match case.suffer {
        Some(_) => Battle::at_table(start.clone(), 1, &mut dice),
        None => Battle::new(start.clone(), &mut dice).unwrap(),
    };
    battle.put_right("P", |_, _, deck, _| stack(deck));
    match case.suffer {
        Some([hits, crits]) => {
            let damage = match face_down {
                true => Damage {
                    hits: hits + crits,
                    crits: 0,
                },
                false => Damage { hits, crits },
            };
            battle.begin_phase(Phase::Activation, &mut dice);
            battle.deal("P", damage, &mut dice);
        }
        None => {
            seen = play(case, &mut battle, &mut dice);
            assert_eq!(audit(&start, battle.events()), [], "{}", case.id);
        }
    }
    let (ship, fighter) = (battle.table().ship("P").unwrap(), battle.fighter("P").unwrap());
    let name = |card: &tallyho::xwing::damage_deck::Card| card.facts(facts).unwrap().id.clone();
    let repaired = battle.events().iter().filter_map(|event| match event {
        Event::Repaired { card, .. } => Some(name(card)),
        _ => None,
    });
    let outcomes = battle.events().iter().flat_map(|event| match event {
        Event::Suffered { ship, outcome, .. } if &**ship == "P" => outcome.as_slice(),
        _ => &[],
    });
    let dealt_up = outcomes.clone().filter_map(|event| match event {
        DamageEvent::Dealt {
            card: Some(card),
            face_up: true,
        } => Some(name(card)),
        _ => None,
    });
    let performed = battle.events().iter().filter_map(|event| match event {
        Event::Acted {
            order: Order::Bar { kind, .. },
            ship,
            ..
        } if &**ship == "P" => Some(*kind),
        _ => None,
    });
    let dial: Vec<String> = ship.dial.maneuvers().iter().map(ToString::to_string).collect();
    let expect = &case.expect;
    let mut faults = Vec::new();
    let mut is = |what: &str, holds: bool, found: String| {
        if !holds {
            faults.push(format!("{}: {what} is {found}", case.id));
        }
    };
    macro_rules! same {
        ($what:ident, $found:expr) => {
            let found = $found;
            is(
                stringify!($what),
                expect.$what.as_ref().is_none_or(|wanted| *wanted == found),
                format!("{found:?}"),
            );
        };
    }
    macro_rules! seen {
        ($what:ident) => {
            is(
                stringify!($what),
                expect.$what.is_none() || expect.$what == seen.$what,
                format!("{:?}", seen.$what),
            );
        };
    }
    same!(cards, fighter.integrity.damage());
    same!(repaired, repaired.collect::<Vec<_>>());
    same!(dealt_up, dealt_up.collect::<Vec<_>>());
    same!(
        destroyed,
        outcomes.clone().any(|event| *event == DamageEvent::Destroyed)
    );
    same!(stress, ship.tokens.stress);
    same!(ion, ship.tokens.ion);
    same!(
        bar,
        ship.actions.iter().map(|entry| entry.action.kind).collect::<Vec<_>>()
    );
    same!(performed, performed.collect::<Vec<_>>());
    is(
        "dial",
        expect.dial.as_ref().is_none_or(|maneuver| dial.contains(maneuver)),
        dial.join(" "),
    );
    seen!(attack_dice);
    seen!(defence_dice);
    same!(
        focus_spent,
        battle.events().iter().any(|event| {
            matches!(event, Event::AttackModified { step: AttackStep::Finish { spending, .. }, .. } if spending.focus > 0)
        })
    );
    faults
}

#[test]
fn damage_cards_do_as_the_cases_say_and_nothing_face_down() {
    let file: File = toml::from_str(CASES).unwrap();
    let mut failures = Vec::new();
    for case in &file.case {
        failures.extend(faults(case, false));
        if faults(case, true).is_empty() != case.inert {
            failures.push(format!(
                "{}: face down it comes {} same",
                case.id,
                if case.inert { "not to the" } else { "to the" }
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_damage_card_has_a_case_that_needs_it() {
    let file: File = toml::from_str(CASES).unwrap();
    let needed = |id: &String| {
        let mut cases = file.case.iter().filter(|case| !case.inert);
        cases.any(|case| case.faceup.contains(id) || case.deck.contains(id))
    };
    let missing: Vec<&String> = (DeckFacts::embedded().cards.iter())
        .map(|card| &card.id)
        .filter(|id| !needed(id))
        .collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}
