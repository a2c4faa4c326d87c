//! SA-12 in attacks, in the cases of `tests/cases/cards/dice.toml`: the shipped cards, the real battle, the solver's play.

use std::collections::{BTreeMap, VecDeque};

use serde::Deserialize;
use tallyho::{
    commander::{Commander, solo::Solo},
    dice::{AttackFace, DefenceFace, DiceSource},
    geometry::{Point, Pose},
    solo_alpha::{
        Options,
        attack::{
            dice::{Thrift, attacking, defending},
            windows::choosing,
        },
    },
    xwing::{
        battle::{Answer, AttackOrder, Battle, Event, Fighter, Request, Setup, Side},
        catalog::Catalog,
        damage_deck::{Damage, DamageDeck, facts::DeckFacts},
        effects::{CardBook, CardInPlay, CardsInPlay},
        obstacle_outlines::ObstacleOutlines,
        ship::{ArcDirection, Ship},
        table::{PlayArea, Table},
    },
};

const CASES: &str = include_str!("../../cases/cards/dice.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    says: String,
    #[serde(rename = "A")]
    attacker: Piece,
    #[serde(rename = "B")]
    friend: Option<Piece>,
    #[serde(rename = "P")]
    defender: Piece,
    weapon: Option<String>,
    attack: String,
    defence: String,
    value: Option<f64>,
    without: Option<f64>,
    steps: Vec<String>,
    used: Vec<String>,
    #[serde(default)]
    forbidden: Vec<String>,
    damage: u8,
    crits: Option<u8>,
    #[serde(default)]
    suffers: BTreeMap<String, u32>,
    #[serde(default)]
    tokens: BTreeMap<String, BTreeMap<String, u32>>,
    /// The defence die that a solo ship rolls where it has to decide by the die.
    die: Option<char>,
    /// Bonus attacks that are offered to `A` afterwards: the arc of the weapon, and the target.
    #[serde(default)]
    bonus: Vec<(String, String)>,
    /// Obstacles: the piece, and where its middle lies.
    #[serde(default)]
    obstacles: Vec<(String, f64, f64)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    ship: String,
    pilot: Option<String>,
    #[serde(default)]
    upgrades: Vec<String>,
    /// Cards beside those of the pilot, whoever may equip them.
    #[serde(default)]
    with: Vec<String>,
    at: [f64; 3],
    #[serde(default)]
    focus: u32,
    #[serde(default)]
    evade: u32,
    #[serde(default)]
    calculate: u32,
    #[serde(default)]
    force: Option<u32>,
    lock: Option<String>,
    /// The maneuver that it has revealed, as dials write it.
    revealed: Option<String>,
    /// Where the turret points.
    turret: Option<ArcDirection>,
    /// Hull and shields that are left.
    left: Option<u8>,
    /// Damage cards that lie face down beside it.
    #[serde(default)]
    facedown: u8,
}

/// Faces in their order; more than there are is a fault of the case.
#[derive(Debug, Clone, Default)]
struct Faces {
    attack: VecDeque<char>,
    defence: VecDeque<char>,
    short: bool,
}

impl DiceSource for Faces {
    fn defence(&mut self) -> DefenceFace {
        match self.defence.pop_front() {
            Some('E') => DefenceFace::Evade,
            Some('F') => DefenceFace::Focus,
            Some(_) => DefenceFace::Blank,
            None => {
                self.short = true;
                DefenceFace::Blank
            }
        }
    }

    fn attack(&mut self) -> AttackFace {
        match self.attack.pop_front() {
            Some('C') => AttackFace::Crit,
            Some('H') => AttackFace::Hit,
            Some('F') => AttackFace::Focus,
            Some(_) => AttackFace::Blank,
            None => {
                self.short = true;
                AttackFace::Blank
            }
        }
    }

    fn choose(&mut self, _count: usize) -> usize {
        0
    }
}

fn piece(id: &str, side: &str, piece: &Piece) -> (Ship, Fighter) {
    let catalog = Catalog::embedded();
    let upgrades = piece.upgrades.iter().map(String::as_str);
    let resolved = catalog
        .resolve(&piece.ship, piece.pilot.as_deref(), upgrades)
        .expect("a ship of the catalog");
    let mut fighter = Fighter::of(&resolved).expect("its hull is known");
    let more = piece.with.iter().map(|id| {
        let id = id.parse().expect("a card's id");
        let card = CardInPlay::of(&id, CardBook::embedded());
        assert!(card.entry.is_some(), "no entry for {id}");
        card
    });
    fighter.cards = CardsInPlay::new(fighter.cards.iter().cloned().chain(more).collect());
    if let Some(left) = piece.left {
        fighter.integrity.hull = left;
        fighter.integrity.shields = 0;
    }
    let mut deck = DamageDeck::shuffled(DeckFacts::embedded(), &mut Faces::default());
    for _ in 0..piece.facedown {
        fighter.integrity.shields = 0;
        fighter.integrity.deal(false, &mut deck, &mut Faces::default());
    }
    fighter.set = piece.revealed.as_deref().map(|code| code.parse().expect("a maneuver"));
    let [x, y, heading] = piece.at;
    let pose = Pose {
        position: Point::new(x, y),
        heading,
    };
    let mut ship = resolved.into_ship(id.into(), side.to_owned(), pose);
    ship.tokens.focus = piece.focus;
    ship.tokens.evade = piece.evade;
    ship.tokens.calculate = piece.calculate;
    if let Some(force) = piece.force {
        ship.tokens.force = force;
    }
    if let Some(turret) = piece.turret {
        ship.turret = vec![turret];
    }
    ship.locks = piece.lock.iter().map(|id| id.as_str().into()).collect();
    (ship, fighter)
}

fn setup(case: &Case) -> Setup {
    let side = |name: &str| Side {
        name: name.to_owned(),
        dials: true,
        flees: true,
    };
    let mut pieces = vec![piece("A", "one", &case.attacker), piece("P", "two", &case.defender)];
    if let Some(friend) = &case.friend {
        // The friend of the ship that it stands beside.
        let near = |other: &Piece| (friend.at[1] - other.at[1]).abs();
        let side = if near(&case.attacker) < near(&case.defender) {
            "one"
        } else {
            "two"
        };
        pieces.push(piece("B", side, friend));
    }
    let (ships, fighters): (Vec<Ship>, Vec<Fighter>) = pieces.into_iter().unzip();
    let fighters = ships.iter().map(|ship| ship.id.clone()).zip(fighters).collect();
    let obstacles = case.obstacles.iter().enumerate().map(|(number, (piece, x, y))| {
        let outline = ObstacleOutlines::embedded().find(piece).expect("a known piece");
        outline.placed(format!("rock{number}").into(), Pose::new(*x, *y, 0.0))
    });
    Setup {
        table: Table::new(PlayArea::STANDARD, ships, obstacles.collect(), Vec::new()),
        fighters,
        sides: vec![side("one"), side("two")],
        alternating: false,
        rounds: None,
        guides: true,
        mission: None,
        escort: None,
    }
}

/// What is expected now, and with and without the card that is used, by the solo side's reckoning.
fn expected(battle: &Battle, die: Option<char>) -> (f64, Option<f64>) {
    let duel = battle.duel().expect("an attack");
    let thrift = Thrift::default();
    if let Some(windows) = &duel.windows {
        let mut die = Faces {
            defence: die.into_iter().collect(),
            ..Faces::default()
        };
        let decision = choosing(battle, &thrift, &mut die).expect("a choice");
        let value = tallyho::xwing::combat::contest::Solver::new(&windows.cards.contest)
            .worth(&windows.state)
            .net;
        return (value, decision.choice.weighed.map(|[_, without]| without));
    }
    match duel.defence {
        None => (
            attacking(&duel.pools, duel.dice, &thrift).choice.best().worth.damage,
            None,
        ),
        Some(lying) => {
            let pools = &duel.pools;
            let tokens = pools.defence_tokens;
            let decision = defending(pools.rules, pools.rule, duel.results(), lying, tokens, &thrift);
            (f64::from(decision.damage.count()), None)
        }
    }
}

/// A choice in words; `None` for one that does nothing.
fn words(battle: &Battle, answer: &Answer) -> Option<String> {
    match answer {
        Answer::Dice(choice) => {
            let windows = battle.duel()?.windows.as_ref()?;
            choice.step.effect.map(|_| windows.words(choice.step))
        }
        Answer::ModifyAttack(step) if step.spending().count() == 0 => None,
        Answer::ModifyAttack(step) => Some(match step {
            tallyho::xwing::combat::AttackStep::Finish { spending, changed } => {
                format!(
                    "spends {spending} on {changed} focus result{}",
                    if *changed == 1 { "" } else { "s" }
                )
            }
            other => format!("{other:?}"),
        }),
        Answer::ModifyDefence(spending) if spending.count() == 0 => None,
        Answer::ModifyDefence(spending) => Some(format!("spends {spending}")),
        other => Some(format!("{other:?}")),
    }
}

fn left(battle: &Battle, id: &str) -> u32 {
    battle.fighter(id).expect("a ship").left()
}

fn check(case: &Case) -> Result<(), String> {
    let mut dice = Faces::default();
    let setup = setup(case);
    let mut battle = Battle::new(setup, &mut dice).map_err(|refused| refused.to_string())?;
    battle.begin_phase(tallyho::xwing::battle::Phase::Engagement, &mut dice);
    while battle.pending().is_some_and(|request| &**request.ship() != "A") {
        battle
            .answer(Answer::Attack(None), &mut dice)
            .map_err(|refused| refused.to_string())?;
    }
    let before: BTreeMap<String, u32> = battle
        .table()
        .ships
        .iter()
        .map(|ship| (ship.id.to_string(), left(&battle, &ship.id)))
        .collect();
    let weapons = &battle.table().ship("A").expect("A").weapons;
    let weapon = weapons
        .iter()
        .position(|weapon| case.weapon.as_ref().is_none_or(|id| weapon.id == *id));
    let order = AttackOrder {
        weapon: weapon.ok_or("no such weapon")?,
        target: "P".into(),
    };
    dice.attack = case.attack.chars().filter(|face| *face != ' ').collect();
    dice.defence = case.defence.chars().filter(|face| *face != ' ').collect();
    let start = battle.events().len();
    battle
        .answer(Answer::Attack(Some(order)), &mut dice)
        .map_err(|refused| refused.to_string())?;
    let mut solo = Solo::new(Options::default());
    let mut steps = Vec::new();
    let mut first = None;
    let follows = |battle: &Battle| matches!(battle.pending(), Some(Request::Effect(_) | Request::CardAction(_)));
    while battle.duel().is_some() || follows(&battle) {
        let request = battle.pending().cloned().ok_or("nobody is asked")?;
        let mut die = Faces {
            defence: case.die.into_iter().collect(),
            ..Faces::default()
        };
        let answer = solo.answer(&battle, &request, &mut die, None);
        if die.short {
            return Err("a die was rolled for a decision, and the case has none".to_owned());
        }
        if first.is_none() && battle.duel().is_some() && !matches!(request, Request::Attack { .. }) {
            first = Some(expected(&battle, case.die));
        }
        steps.extend(words(&battle, &answer));
        battle
            .answer(answer, &mut dice)
            .map_err(|refused| format!("{request:?}: {refused}"))?;
    }
    let offered = battle.bonus().map(|bonus| bonus.allowed.clone()).unwrap_or_default();
    let weapons = &battle.table().ship("A").expect("A").weapons;
    let offered: Vec<(String, String)> = (offered.into_iter())
        .map(|(weapon, target)| (format!("{:?}", weapons[weapon].arc), target.to_string()))
        .collect();
    if offered != case.bonus {
        return Err(format!("bonus attacks: {offered:?}, expected {:?}", case.bonus));
    }
    let close = |name: &str, found: Option<f64>, expected: Option<f64>| match (found, expected) {
        (_, None) => Ok(()),
        (Some(found), Some(expected)) if (found - expected).abs() <= 1e-6 => Ok(()),
        _ => Err(format!("{name} is {found:?}, expected {expected:?}")),
    };
    close("value", first.map(|(value, _)| value), case.value)?;
    close("without", first.and_then(|(_, without)| without), case.without)?;
    let same = |name: &str, found: &dyn std::fmt::Debug, expected: &dyn std::fmt::Debug| {
        let (found, expected) = (format!("{found:?}"), format!("{expected:?}"));
        if found == expected {
            Ok(())
        } else {
            Err(format!("{name}: {found}, expected {expected}"))
        }
    };
    same("steps", &steps, &case.steps)?;
    let events = &battle.events()[start..];
    let cards = |wanted: fn(&Event) -> Option<&String>| -> Vec<&String> { events.iter().filter_map(wanted).collect() };
    // What the damage deck brings is no part of the cases.
    let used = cards(|event| match event {
        Event::CardUsed { card, .. } if card.starts_with("damage:") => None,
        Event::EffectUsed { card, .. } | Event::CardUsed { card, .. } => Some(card),
        _ => None,
    });
    same("used", &used, &case.used)?;
    let forbidden = cards(|event| match event {
        Event::Forbidden { card, .. } => Some(card),
        _ => None,
    });
    same("forbidden", &forbidden, &case.forbidden)?;
    let damage = events.iter().find_map(|event| match event {
        Event::AttackResolved { damage, .. } => Some(*damage),
        _ => None,
    });
    let Damage { hits, crits } = damage.ok_or("no end of the attack")?;
    same("damage", &(hits + crits), &case.damage)?;
    if let Some(expected) = case.crits {
        same("crits", &crits, &expected)?;
    }
    for (id, expected) in &case.suffers {
        same(
            &format!("what {id} suffers"),
            &(before[id] - left(&battle, id)),
            expected,
        )?;
    }
    for (id, expected) in &case.tokens {
        let ship = battle.table().ship(id).ok_or("no such ship")?;
        for (name, count) in expected {
            let found = ship
                .tokens
                .named()
                .into_iter()
                .find(|(kind, _)| kind == name)
                .map(|(_, count)| count);
            same(&format!("{name} of {id}"), &found, &Some(*count))?;
        }
    }
    if let (Some(Request::Attack { ship }), Some(bonus)) = (battle.pending().cloned(), battle.bonus().cloned()) {
        // It can be made, once.
        let request = Request::Attack { ship };
        let answer = solo.answer(&battle, &request, &mut Faces::default(), None);
        let Answer::Attack(Some(order)) = &answer else {
            return Err(format!("the bonus attack is answered by {answer:?}"));
        };
        if !bonus.allowed.contains(&(order.weapon, order.target.clone())) {
            return Err(format!("the bonus attack is made as {order:?}"));
        }
        battle
            .answer(answer, &mut Faces::default())
            .map_err(|refused| refused.to_string())?;
        if !battle.duel().is_some_and(|duel| duel.bonus) || battle.bonus().is_some() {
            return Err("no bonus attack is under way".to_owned());
        }
    }
    if dice.short || !dice.attack.is_empty() || !dice.defence.is_empty() {
        return Err(format!("the dice of the case do not fit: {dice:?}"));
    }
    Ok(())
}

#[test]
fn sa_12_cards_are_used_in_attacks_as_the_cases_say() {
    let cases: Cases = toml::from_str(CASES).expect("the cases");
    assert!(cases.case.len() >= 30, "{} cases", cases.case.len());
    let failures: Vec<String> = (cases.case.iter())
        .filter_map(|case| {
            check(case)
                .err()
                .map(|fault| format!("{} ({}): {fault}", case.id, case.says))
        })
        .collect();
    assert!(failures.is_empty(), "{} wrong\n{}", failures.len(), failures.join("\n"));
}
