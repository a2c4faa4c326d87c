//! Card effects in a battle: the cases of `tests/cases/cards/rounds.toml`, driven through the battle and the opponent.

use serde::Deserialize;
use tallyho::{
    dice::SeededDice,
    geometry::{Pose, angle},
    solo_alpha::{
        Attitude, MoveResult, Options,
        cards::{self, Context},
    },
    xwing::{
        battle::{Answer, Battle, Event, Fighter, Flight, Order, Phase, Request, Setup, Side},
        catalog::{Catalog, ResolveNote},
        damage_deck::{DamageDeck, DeckFacts},
        effects::CardKind,
        movement::Alignment,
        ship::Ship,
        table::{PlayArea, Table},
    },
};

const CASES: &str = include_str!("../../cases/cards/rounds.toml");

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    /// The ship that is looked at.
    ship: String,
    fly: Option<String>,
    attitude: Option<String>,
    phase: Option<String>,
    /// Ships that count as having engaged when a choice within a card is made.
    #[serde(default)]
    engaged: Vec<String>,
    ships: Vec<Placed>,
    expect: Expected,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Placed {
    id: String,
    pilot: String,
    ship: String,
    side: String,
    at: [f64; 3],
    #[serde(default)]
    upgrades: Vec<String>,
    #[serde(default)]
    focus: u32,
    /// Facedown damage cards that it has.
    #[serde(default)]
    facedown: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    focus: Option<u32>,
    evade: Option<u32>,
    stress: Option<u32>,
    tractor: Option<u32>,
    deplete: Option<u32>,
    strain: Option<u32>,
    force: Option<u32>,
    locks: Option<Vec<String>>,
    turret: Option<String>,
    at: Option<[f64; 3]>,
    /// Facedown damage cards.
    facedown: Option<usize>,
    /// The conditions that it has.
    conditions: Option<Vec<String>>,
    used: Vec<String>,
    /// What the players are offered of what the program does not play, in one question.
    #[serde(default)]
    asked: Vec<String>,
    /// A part of the reasons.
    reason: Option<String>,
}

fn setup(case: &Case) -> Setup {
    let resolve = |placed: &Placed| {
        let catalog = Catalog::embedded();
        let resolved = catalog.resolve(&placed.ship, Some(&placed.pilot), &placed.upgrades);
        resolved.unwrap_or_else(|error| panic!("{}: {error}", case.id))
    };
    let ship = |placed: &Placed| -> Ship {
        let [x, y, heading] = placed.at;
        let resolved = resolve(placed);
        let unknown = |note: &ResolveNote| matches!(note, ResolveNote::UnknownUpgrade(_));
        assert!(resolved.notes.iter().all(unknown), "{}: {:?}", case.id, resolved.notes);
        let mut ship = resolved.into_ship(placed.id.as_str().into(), placed.side.clone(), Pose::new(x, y, heading));
        ship.tokens.focus = placed.focus;
        // The order of turns is no part of the cases: the ship that flies comes first, solo ships attack first.
        ship.initiative = match case.fly {
            Some(_) if placed.id == case.ship => 0,
            Some(_) => 6,
            None => 3 + u8::from(placed.side == "solo"),
        };
        ship
    };
    let side = |name: &str| Side {
        name: name.to_owned(),
        dials: false,
        flees: false,
    };
    Setup {
        table: Table::new(
            PlayArea::STANDARD,
            case.ships.iter().map(ship).collect(),
            Vec::new(),
            Vec::new(),
        ),
        fighters: (case.ships.iter())
            .map(|placed| {
                let mut fighter = Fighter::of(&resolve(placed)).unwrap();
                let mut dice = SeededDice::new(1);
                let mut deck = DamageDeck::shuffled(DeckFacts::embedded(), &mut dice);
                for _ in 0..placed.facedown {
                    fighter.integrity.deal(false, &mut deck, &mut dice);
                }
                (placed.id.as_str().into(), fighter)
            })
            .collect(),
        sides: vec![side("player"), side("solo")],
        alternating: false,
        rounds: Some(1),
        guides: false,
        mission: None,
        escort: None,
    }
}

/// Drives one case to where its expectations hold.
struct Drive<'c> {
    case: &'c Case,
    battle: Battle,
    dice: SeededDice,
    options: Options,
    orders: Vec<Order>,
    reasons: Vec<String>,
    asked: Vec<String>,
}

impl Drive<'_> {
    fn context(&self) -> Option<Context> {
        let attitude = match self.case.attitude.as_deref()? {
            "Defensive" => Attitude::Defensive,
            "Balanced" => Attitude::Balanced,
            "Offensive" => Attitude::Offensive,
            other => panic!("no such attitude: {other}"),
        };
        Some(Context {
            ship: self.case.ship.as_str().into(),
            attitude,
            result: MoveResult {
                maneuver: Some(self.case.fly.as_deref()?.parse().unwrap()),
                ..MoveResult::default()
            },
        })
    }

    fn answer(&mut self, request: &Request) -> Answer {
        match request {
            Request::Fly { .. } => Answer::Fly(Flight {
                maneuver: self.case.fly.as_deref().unwrap().parse().unwrap(),
                alignment: Alignment::Middle,
                edge_turn: None,
            }),
            Request::Act { ship, .. } => {
                let context = self.context().unwrap();
                let (battle, options) = (&self.battle, &self.options);
                let (attitude, result) = (context.attitude, &context.result);
                let decision = cards::actions::perform(battle, ship, attitude, result, options, &mut self.dice);
                let sequence = decision.unwrap().sequence.into_iter();
                let orders = sequence.map(|planned| Order::Bar {
                    kind: planned.kind,
                    difficulty: planned.difficulty,
                    detail: planned.detail,
                });
                Answer::Act(orders.collect())
            }
            // A player's own effect is used: the cases are about what the opponent makes of it.
            Request::Effect(offer) if !offer.must && self.side(&offer.ship) == "player" => Answer::Effect(Some(0)),
            Request::Effect(offer) => {
                if offer.asks.is_some() {
                    self.asked.extend(offer.choices.iter().map(ToString::to_string));
                    assert_eq!((offer.must, offer.default), (false, None), "{}", self.case.id);
                }
                let context = self.context();
                let decision = cards::decide(&self.battle, offer, context.as_ref(), &self.options, &mut self.dice);
                self.reasons.extend(decision.reasons.iter().map(|reason| {
                    assert_eq!(reason.rule, "SA-12");
                    assert!(reason.text.contains(&offer.card), "{}", reason.text);
                    reason.text.clone()
                }));
                self.orders = decision.orders.into_iter().map(|(_, order)| order).collect();
                Answer::Effect(decision.choice)
            }
            Request::CardAction(_) => Answer::Act(std::mem::take(&mut self.orders)),
            other => panic!("{}: asked {other:?}", self.case.id),
        }
    }

    fn side(&self, id: &str) -> &str {
        &self.battle.table().ship(id).unwrap().side
    }

    /// Whether the part of the game that the case is about is over.
    fn is_over(&self, request: &Request) -> bool {
        match self.case.phase.as_deref() {
            Some("system") => self.battle.phase() != Phase::System,
            Some("set_up") => self.battle.round() > 0,
            Some("engagement" | "end" | "setup") => !matches!(request, Request::Effect(_) | Request::CardAction(_)),
            Some(other) => panic!("no such phase: {other}"),
            None => self.battle.phase() != Phase::Activation || **request.ship() != *self.case.ship,
        }
    }
}

fn check(case: &Case, failures: &mut Vec<String>) {
    let mut dice = SeededDice::new(1);
    let battle = match case.phase.as_deref() {
        Some(phase @ ("engagement" | "end")) => {
            let mut battle = Battle::at_table(setup(case), 1, &mut dice);
            let phase = if phase == "end" { Phase::End } else { Phase::Engagement };
            battle.begin_phase(phase, &mut dice);
            battle
        }
        _ => Battle::new(setup(case), &mut dice).unwrap(),
    };
    let mut drive = Drive {
        case,
        battle,
        dice,
        options: Options::default(),
        orders: Vec::new(),
        reasons: Vec::new(),
        asked: Vec::new(),
    };
    while let Some(request) = drive.battle.pending().cloned() {
        if drive.is_over(&request) {
            break;
        }
        for ship in &case.engaged {
            let mut dice = drive.dice.clone();
            drive.battle.set_done(ship, true, &mut dice);
        }
        let answer = drive.answer(&request);
        let mut dice = drive.dice.clone();
        drive.battle.answer(answer, &mut dice).unwrap();
        drive.dice = dice;
    }
    let (ship, expect) = (drive.battle.table().ship(&case.ship).unwrap(), &case.expect);
    let mut is = |what: &str, holds: bool, found: String| {
        if !holds {
            failures.push(format!("{} {what}: {found}; {:#?}", case.id, drive.reasons));
        }
    };
    let tokens = &ship.tokens;
    for (what, wanted, found) in [
        ("focus", expect.focus, tokens.focus),
        ("evade", expect.evade, tokens.evade),
        ("stress", expect.stress, tokens.stress),
        ("tractor", expect.tractor, tokens.tractor),
        ("deplete", expect.deplete, tokens.deplete),
        ("strain", expect.strain, tokens.strain),
        ("force", expect.force, tokens.force),
    ] {
        is(what, wanted.is_none_or(|wanted| wanted == found), found.to_string());
    }
    if let Some([x, y, heading]) = expect.at {
        let near = ship.pose.position.distance(Pose::new(x, y, heading).position) < 0.01;
        let turned = angle::signed(ship.pose.heading - heading).abs() < 0.01;
        is("at", near && turned, format!("{:?}", ship.pose));
    }
    if let Some(turret) = &expect.turret {
        let found: Vec<&str> = ship.turret.iter().map(|arc| arc.name()).collect();
        is("turret", found == [turret], found.join(" "));
    }
    if let Some(locks) = &expect.locks {
        let found: Vec<String> = ship.locks.iter().map(ToString::to_string).collect();
        is("locks", found == *locks, found.join(" "));
    }
    let fighter = drive.battle.fighter(&case.ship).unwrap();
    let facedown = fighter.integrity.face_down.len();
    let wanted = expect.facedown.is_none_or(|wanted| wanted == facedown);
    is("facedown", wanted, facedown.to_string());
    if let Some(conditions) = &expect.conditions {
        let lying = fighter
            .cards
            .iter()
            .filter(|card| card.id.kind == CardKind::Condition && card.entry.is_some());
        let found: Vec<&str> = lying.map(|card| card.id.xws.as_str()).collect();
        is("conditions", found == *conditions, found.join(" "));
    }
    is("asked", drive.asked == expect.asked, drive.asked.join(", "));
    if let Some(reason) = &expect.reason {
        let given = drive.reasons.iter().any(|text| text.contains(reason.as_str()));
        is("reason", given, String::new());
    }
    let mut used: Vec<String> = (drive.battle.events().iter())
        .filter_map(|event| match event {
            Event::CardUsed { card, .. } => Some(card.clone()),
            _ => None,
        })
        .collect();
    used.dedup();
    is("used", used == expect.used, used.join(" "));
}

#[test]
fn sa_12_card_effects_outside_attacks_as_the_cases_say() {
    let file: File = toml::from_str(CASES).unwrap();
    let mut failures = Vec::new();
    for case in &file.case {
        check(case, &mut failures);
        println!("{}: driven", case.id);
    }
    assert!(file.case.len() >= 8);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
