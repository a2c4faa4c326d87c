//! Damage cards in a battle: the cases of `tests/cases/cards/damage.toml`, and those of the decks of the first edition in
//! `tests/cases/first-edition/` (FE-9.1, FE-9.2, FE-9.3, FE-14.9). Each is driven a second time with the cards face down, and must come out
//! otherwise then: a card that did nothing would fail it.

use std::{collections::VecDeque, fs, path::Path};

use serde::Deserialize;
use tallyho::{
    bridge::text,
    dice::{AttackFace, DefenceFace, DiceSource},
    geometry::Pose,
    xwing::{
        action::{ActionDetail, ActionKind},
        battle::{
            Answer, AttackOrder, Battle, Event, Fighter, Flight, Order, Phase, Request, Setup, Side, audit::audit,
            support::INTERPRETERS,
        },
        catalog::Catalog,
        combat::{AttackStep, Spending},
        damage_deck::{Damage, DamageDeck, DamageEvent, DeckFacts},
        edition::{FirstEditionOptions, Rules},
        effects::{CardBook, Support},
        maneuver::{Difficulty, Maneuver},
        movement::Alignment,
        obstacle_outlines::ObstacleOutlines,
        weapon::{Charges, Permits, SpecialWeapon, Weapon, WeaponArc},
    },
};

/// The cases of each deck, and the rules that they are played by.
fn decks() -> [(String, Rules); 3] {
    let old_deck = FirstEditionOptions {
        core_damage_deck: Some(true),
        ..FirstEditionOptions::default()
    };
    let read = |file: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(file);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    [
        (read("cards/damage.toml"), Rules::SECOND),
        (read("first-edition/damage-tfa.toml"), Rules::FIRST),
        (read("first-edition/damage-core.toml"), old_deck.rules()),
    ]
}

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
    /// The initiative or skill of `P`.
    #[serde(default = "one")]
    skill: u8,
    /// What `P` is, if no X-wing.
    ship: Option<String>,
    /// Where `S` stands, if not ahead at (400, 640).
    enemy: Option<[f64; 2]>,
    /// Whether `P` has a special weapon, too, and fires it.
    #[serde(default)]
    torpedoes: bool,
    /// How many rounds are played.
    rounds: Option<u32>,
    /// Whether a round begins before the damage is suffered.
    #[serde(default)]
    later: bool,
    /// Maneuvers that `P` tries before it flies, and that are refused.
    #[serde(default)]
    refused: Vec<String>,
    /// Hits and crits that `P` suffers; without them a round is played.
    suffer: Option<[u8; 2]>,
    /// The maneuver of `P`.
    #[serde(default = "straight")]
    fly: String,
    /// Whether an asteroid lies in its way.
    #[serde(default)]
    asteroid: bool,
    /// Whether a debris cloud lies where its straight of speed 2 ends.
    #[serde(default)]
    debris: bool,
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

const fn one() -> u8 {
    1
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
    /// How many attack dice `P` rolls in each of its attacks.
    rolled: Option<Vec<usize>>,
    damage: Option<usize>,
    skill: Option<u8>,
    /// Weapons that `P` still has a card of.
    weapons: Option<usize>,
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
    /// Maneuvers that were to be refused and were not.
    flew: usize,
}

fn setup(case: &Case, rules: Rules, face_down: bool) -> Setup {
    let catalog = Catalog::embedded();
    let fixture = format!(
        "ship P {} player 400,200 @0 {}\nship S tielnfighter solo 400,640 @180\n",
        case.ship.as_deref().unwrap_or("t65xwing"),
        case.tokens
    );
    let mut table = text::parse(&fixture, catalog)
        .unwrap_or_else(|error| panic!("{error}\n{fixture}"))
        .table
        .with_rules(rules);
    if case.debris {
        let outline = ObstacleOutlines::embedded().find("vt49decimatordebris1");
        table
            .obstacles
            .push(outline.unwrap().placed("O2".into(), Pose::new(400.0, 330.0, 0.0)));
    }
    if case.asteroid {
        let outline = ObstacleOutlines::embedded().find("coreasteroid1").unwrap();
        table
            .obstacles
            .push(outline.placed("O1".into(), Pose::new(400.0, 270.0, 0.0)));
    }
    let facts = DeckFacts::of(rules.damage_deck);
    let mut deck = DamageDeck::shuffled(facts, &mut Dice(VecDeque::new()));
    let fighters = table.ships.iter_mut().map(|ship| {
        let resolved = catalog.resolve(&ship.chassis, None, &[] as &[&str]).unwrap();
        let mut fighter = Fighter::of(&resolved).unwrap();
        ship.edition = rules.edition;
        ship.initiative = if &*ship.id == "P" { case.skill } else { 4 };
        if let Some([x, y]) = case.enemy.filter(|_| &*ship.id == "S") {
            ship.pose = Pose::new(x, y, 180.0);
        }
        if &*ship.id == "P" {
            if case.torpedoes {
                ship.weapons.push(torpedoes());
            }
            let integrity = &mut fighter.integrity;
            integrity.shields = 0;
            integrity.hull = case.hull.unwrap_or(9);
            let cards = case.faceup.iter().map(|id| deck.take(facts, id).unwrap());
            match face_down {
                true => integrity.face_down.extend(cards),
                false => integrity.face_up.extend(cards),
            }
            integrity.weigh(facts);
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
        rounds: Some(case.rounds.unwrap_or(1)),
        guides: false,
        mission: None,
        escort: None,
    }
}

fn torpedoes() -> Weapon {
    Weapon {
        id: "plasmatorpedoes".to_owned(),
        arc: WeaponArc::Front,
        value: 4,
        min_range: 1,
        max_range: 3,
        special: Some(SpecialWeapon {
            slot: "Torpedo".to_owned(),
            requires: Vec::new(),
            spends: false,
            ordnance: true,
            charges: Some(Charges { left: 1, max: 1 }),
            permits: Permits::default(),
        }),
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
        if let Request::Fly { .. } = &request
            && own
        {
            for maneuver in &case.refused {
                let flight = Flight {
                    maneuver: maneuver.parse().unwrap(),
                    alignment: Alignment::Middle,
                    edge_turn: None,
                };
                let tried = battle.clone().answer(Answer::Fly(flight), dice);
                seen.flew += usize::from(tried.is_ok());
            }
        }
        let answer = match &request {
            Request::Fly { fixed, .. } => {
                let wanted: Maneuver = (if own { &case.fly } else { "2FB" }).parse().unwrap();
                // In the colour that it has on the dial.
                let shown = || {
                    let mut dial = battle.table().ship(request.ship()).unwrap().dial.maneuvers().iter();
                    let same = |other: &&Maneuver| (other.speed, other.bearing) == (wanted.speed, wanted.bearing);
                    let shown = dial.find(same).copied();
                    shown.unwrap_or_else(|| panic!("{}: {wanted} is not on the dial", case.id))
                };
                Answer::Fly(Flight {
                    maneuver: fixed.unwrap_or_else(shown),
                    alignment: Alignment::Middle,
                    edge_turn: None,
                })
            }
            Request::Act { .. } if own => action(battle, case.act.as_deref().unwrap_or_default()),
            Request::Act { .. } | Request::CardAction(_) => Answer::Act(Vec::new()),
            Request::Attack { ship } if attacks => Answer::Attack(Some(AttackOrder {
                weapon: usize::from(own && case.torpedoes && battle.table().ship("P").unwrap().weapons[1].has_charge()),
                target: if &**ship == "P" { "S".into() } else { "P".into() },
            })),
            Request::Attack { .. } => Answer::Attack(None),
            Request::ModifyAttack { .. } => {
                let tokens = battle.table().ship(request.ship()).map_or(0, |ship| ship.tokens.focus);
                let focuses = battle.duel().map_or(0, |duel| duel.dice.focuses);
                let focuses = if tokens > 0 { focuses } else { 0 };
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
        if let Err(refused) = battle.answer(answer, dice) {
            let idle = battle.answer(Answer::Act(Vec::new()), dice);
            assert!(idle.is_ok(), "{}: {request:?}: {refused}", case.id);
        }
    }
    seen
}

/// What does not hold of the case, with its cards face up or down.
fn faults(case: &Case, rules: Rules, face_down: bool) -> Vec<String> {
    let facts = DeckFacts::of(rules.damage_deck);
    // Face down, a card is dealt for a hit.
    let face = |word: &String| match word.as_str() {
        "crit" if face_down && !case.deck.is_empty() => AttackFace::Hit,
        word => serde_json::from_value(serde_json::Value::String(word.to_owned())).unwrap(),
    };
    let mut dice = Dice(case.rolls.iter().map(face).collect());
    let start = setup(case, rules, face_down);
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
    // Where each side has a deck, both are stacked.
    for ship in ["P", "S"] {
        battle.put_right(ship, |_, _, deck, _| stack(deck));
    }
    match case.suffer {
        Some([hits, crits]) => {
            let damage = match face_down {
                true => Damage {
                    hits: hits + crits,
                    crits: 0,
                },
                false => Damage { hits, crits },
            };
            if case.later {
                battle.begin_phase(Phase::Planning, &mut dice);
            }
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
    same!(cards, fighter.integrity.cards());
    same!(damage, fighter.integrity.damage());
    same!(skill, ship.initiative);
    same!(
        weapons,
        ship.weapons
            .iter()
            .filter(|weapon| weapon.special.is_some() && weapon.has_charge())
            .count()
    );
    let rolled = battle.events().iter().filter_map(|event| match event {
        Event::Attacked { attacker, rolled, .. } if &**attacker == "P" => Some(rolled.len()),
        _ => None,
    });
    same!(rolled, rolled.collect::<Vec<_>>());
    is(
        "a maneuver that is refused",
        seen.flew == 0,
        format!("flown {} times", seen.flew),
    );
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
    let mut failures = Vec::new();
    for (text, rules) in decks() {
        let file: File = toml::from_str(&text).unwrap();
        for case in &file.case {
            failures.extend(faults(case, rules, false));
            if faults(case, rules, true).is_empty() != case.inert {
                failures.push(format!(
                    "{}: face down it comes {} same",
                    case.id,
                    if case.inert { "not to the" } else { "to the" }
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_damage_card_has_a_case_that_needs_it() {
    for (text, rules) in decks() {
        let file: File = toml::from_str(&text).unwrap();
        let needed = |id: &String| {
            let mut cases = file.case.iter().filter(|case| !case.inert);
            cases.any(|case| case.faceup.contains(id) || case.deck.contains(id))
        };
        let deck = DeckFacts::of(rules.damage_deck);
        let missing: Vec<&String> = (deck.cards.iter().map(|card| &card.id))
            // What Injured Pilot takes away is no part of a ship that has no cards.
            .filter(|id| !needed(id) && *id != "injured-pilot")
            .collect();
        assert!(missing.is_empty(), "no case for {missing:?}");
    }
}

/// Every card of every deck is carried out whole.
#[test]
fn fe_9_2_no_damage_card_is_left_to_the_players() {
    for (_, rules) in decks() {
        for card in &DeckFacts::of(rules.damage_deck).cards {
            let entry = card.face_up().entry.as_ref().unwrap();
            assert_eq!(entry.support(INTERPRETERS), Support::Played, "{}", card.id);
        }
    }
}

/// FE-9.3, the deck of 2012: an injured pilot's ability and elite talents are ignored until the card is turned down.
#[test]
fn fe_9_3_an_injured_pilot_has_no_ability() {
    let text = r#"
[[card]]
id = "pilot:wedgeantilles"
[[card.effect]]
on = { window = "attack_roll", role = "attacker" }
do = [{ dice_count = { dice = "attack", by = 1 } }]
"#;
    let book = CardBook::default().with_file("cards.toml", text).unwrap();
    let [.., (_, rules)] = decks();
    let case: Case =
        toml::from_str("id = \"injured-pilot\"\nfaceup = [\"injured-pilot\"]\nattack = \"P\"\nexpect = {}").unwrap();
    let rolled = |face_down: bool| {
        let mut start = setup(&case, rules, face_down);
        let resolved = Catalog::embedded()
            .resolve("t65xwing", Some("wedgeantilles"), &[] as &[&str])
            .unwrap();
        let (_, fighter) = start.fighters.iter_mut().find(|(id, _)| &**id == "P").unwrap();
        let integrity = fighter.integrity.clone();
        *fighter = Fighter::with_cards(&resolved, &book).unwrap();
        fighter.integrity = integrity;
        let mut dice = Dice(VecDeque::new());
        let mut battle = Battle::new(start, &mut dice).unwrap();
        play(&case, &mut battle, &mut dice);
        battle.events().iter().find_map(|event| match event {
            Event::Attacked { rolled, .. } => Some(rolled.len()),
            _ => None,
        })
    };
    assert_eq!((rolled(false), rolled(true)), (Some(3), Some(4)));
}
