//! SA-12, what follows an attack and what follows the engagement, in the cases of `tests/cases/cards/engaged.toml`.

use serde::Deserialize;
use tallyho::{
    dice::{AttackFace, DefenceFace, DiceSource},
    geometry::Pose,
    sim::{Commanders, Plan},
    xwing::{
        battle::{Answer, AttackOrder, Battle, Event, Fighter, Flight, Phase, Request, Setup, Side, audit::audit},
        catalog::Catalog,
        effects::{CardBook, CardInPlay, CardsInPlay},
        movement::Alignment,
        ship::Ship,
        table::{PlayArea, Table},
    },
};

const CASES: &str = include_str!("../../cases/cards/engaged.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    book: String,
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    says: String,
    attack: char,
    #[serde(default = "yes")]
    attacks: bool,
    declines: Option<String>,
    #[serde(rename = "A")]
    attacker: Vec<String>,
    #[serde(rename = "P", default)]
    defender: Vec<String>,
    order: Vec<String>,
}

fn yes() -> bool {
    true
}

/// Every attack die shows one face, every defence die a blank.
struct Always(AttackFace);

impl DiceSource for Always {
    fn attack(&mut self) -> AttackFace {
        self.0
    }
    fn defence(&mut self) -> DefenceFace {
        DefenceFace::Blank
    }
    fn choose(&mut self, _count: usize) -> usize {
        0
    }
}

fn ship(id: &str, side: &str, pose: Pose, cards: &[String], book: &CardBook) -> (Ship, Fighter) {
    let resolved = Catalog::embedded()
        .resolve("tielnfighter", None, [] as [&str; 0])
        .expect("a ship of the catalog");
    let mut fighter = Fighter::of(&resolved).expect("its hull is known");
    let cards = cards.iter().map(|id| {
        let card = CardInPlay::of(&id.parse().expect("a card's id"), book);
        assert!(card.entry.is_some(), "no entry for {id}");
        card
    });
    fighter.cards = CardsInPlay::new(cards.collect());
    (resolved.into_ship(id.into(), side.to_owned(), pose), fighter)
}

/// What happens, in words.
fn played(case: &Case, book: &CardBook) -> Vec<String> {
    let face = match case.attack {
        'H' => AttackFace::Hit,
        'C' => AttackFace::Crit,
        'F' => AttackFace::Focus,
        _ => AttackFace::Blank,
    };
    let mut dice = Always(face);
    let ships = [
        ship("A", "one", Pose::new(400.0, 300.0, 0.0), &case.attacker, book),
        ship("P", "two", Pose::new(400.0, 450.0, 180.0), &case.defender, book),
    ];
    let (ships, fighters): (Vec<Ship>, Vec<Fighter>) = ships.into_iter().unzip();
    let side = |name: &str| Side {
        name: name.to_owned(),
        dials: true,
        flees: true,
    };
    let setup = Setup {
        fighters: ships.iter().map(|ship| ship.id.clone()).zip(fighters).collect(),
        table: Table::new(PlayArea::STANDARD, ships, Vec::new(), Vec::new()),
        sides: vec![side("one"), side("two")],
        alternating: false,
        rounds: None,
        guides: false,
        mission: None,
        escort: None,
    };
    let mut battle = Battle::new(setup, &mut dice).expect("the sides are known");
    battle.begin_phase(Phase::Engagement, &mut dice);
    // Until the other ship's own turn: then the engagement of `A` is over.
    for _ in 0..40 {
        let Some(request) = battle.pending().cloned() else {
            break;
        };
        let answer = match &request {
            Request::Attack { ship } => {
                let bonus = battle.bonus().cloned();
                if bonus.is_none() && &**ship == "P" {
                    break;
                }
                let declined = case.declines.as_deref() == Some(&**ship);
                match bonus {
                    Some(_) if declined => Answer::Attack(None),
                    Some(bonus) => {
                        let (weapon, target) = bonus.allowed[0].clone();
                        Answer::Attack(Some(AttackOrder { weapon, target }))
                    }
                    None => Answer::Attack(case.attacks.then(|| AttackOrder {
                        weapon: 0,
                        target: "P".into(),
                    })),
                }
            }
            Request::Effect(_) => Answer::Effect(Some(0)),
            Request::Dice { .. } | Request::ModifyAttack { .. } | Request::ModifyDefence { .. } => {
                let windows = battle.duel().and_then(|duel| duel.windows.as_ref());
                let idle = windows.and_then(|windows| windows.idle());
                idle.map_or_else(|| plain(&request), Answer::Dice)
            }
            other => panic!("{}: {other:?}", case.says),
        };
        battle
            .answer(answer, &mut dice)
            .unwrap_or_else(|refused| panic!("{}: {request:?}: {refused}", case.says));
    }
    battle
        .events()
        .iter()
        .filter_map(|event| match event {
            Event::Attacked {
                attacker,
                defender,
                bonus,
                ..
            } => {
                let again = if *bonus { " again" } else { "" };
                Some(format!("{attacker} attacks {defender}{again}"))
            }
            Event::CardUsed { ship, card, .. } => Some(format!("{ship} uses {card}")),
            _ => None,
        })
        .collect()
}

/// Nothing is spent.
fn plain(request: &Request) -> Answer {
    use tallyho::xwing::combat::{AttackStep, Spending};
    match request {
        Request::ModifyDefence { .. } => Answer::ModifyDefence(Spending::default()),
        _ => Answer::ModifyAttack(AttackStep::Finish {
            spending: Spending::default(),
            changed: 0,
        }),
    }
}

#[test]
fn sa_12_bonus_attacks_come_before_what_follows_the_engagement() {
    let file: File = toml::from_str(CASES).expect("the cases");
    let book = CardBook::default()
        .with_file("engaged.toml", &file.book)
        .expect("the cards");
    let wrong: Vec<String> = (file.case.iter())
        .filter_map(|case| {
            let played = played(case, &book);
            (played != case.order).then(|| format!("{}: {played:?}, expected {:?}", case.says, case.order))
        })
        .collect();
    assert!(file.case.len() >= 7 && wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An attack that a card gives when an enemy has moved, by the opponent and by nobody at a table.
#[test]
fn sa_12_an_enemys_maneuver_is_answered_by_an_attack_once_a_round() {
    let resolve = |chassis: &str, pilot: &str, upgrades: &[&str]| {
        Catalog::embedded()
            .resolve(chassis, Some(pilot), upgrades)
            .expect("a ship of the catalog")
    };
    let start = |y: f64| {
        let ships = [
            (
                "a",
                "solo",
                resolve("t65xwing", "redsquadronveteran", &["snapshot"]),
                Pose::new(400.0, 300.0, 0.0),
            ),
            (
                "p",
                "player",
                resolve("tielnfighter", "academypilot", &[]),
                Pose::new(400.0, y, 180.0),
            ),
            (
                "q",
                "player",
                resolve("tielnfighter", "academypilot", &[]),
                Pose::new(460.0, y, 180.0),
            ),
        ];
        let (mut table, mut fighters) = (Vec::new(), Vec::new());
        for (id, side, resolved, pose) in ships {
            fighters.push((id.into(), Fighter::of(&resolved).expect("its hull is known")));
            let mut ship = resolved.into_ship(id.into(), side.to_owned(), pose);
            ship.initiative = if id == "a" { 6 } else { 1 };
            table.push(ship);
        }
        let side = |name: &str| Side {
            name: name.to_owned(),
            dials: false,
            flees: false,
        };
        Setup {
            table: Table::new(PlayArea::STANDARD, table, Vec::new(), Vec::new()),
            fighters,
            sides: vec![side("player"), side("solo")],
            alternating: false,
            rounds: Some(1),
            guides: false,
            mission: None,
            escort: None,
        }
    };
    // At range 2 after its maneuver; beyond it nobody is asked.
    for (y, expected) in [(620.0, vec![("a", "p")]), (760.0, vec![])] {
        let (setup, mut dice) = (start(y), Always(AttackFace::Hit));
        let mut battle = Battle::new(setup.clone(), &mut dice).expect("the sides are known");
        let mut commanders = Commanders::new(&Plan::of(Vec::new()));
        while let Some(request) = battle
            .pending()
            .cloned()
            .filter(|_| battle.phase() <= Phase::Activation)
        {
            let answer = match &request {
                Request::Fly { ship, .. } if &**ship != "a" => Answer::Fly(Flight {
                    maneuver: "2FB".parse().expect("a maneuver"),
                    alignment: Alignment::Middle,
                    edge_turn: None,
                }),
                Request::Act { .. } => Answer::Act(Vec::new()),
                _ => commanders.answer(&battle, &request, &mut dice),
            };
            battle.answer(answer, &mut dice).expect("the rules allow it");
        }
        let attacks: Vec<(&str, &str)> = (battle.events().iter())
            .filter_map(|event| match event {
                Event::Attacked {
                    attacker,
                    defender,
                    bonus: true,
                    ..
                } => Some((&**attacker, &**defender)),
                _ => None,
            })
            .collect();
        assert_eq!(attacks, expected, "{y}");
        assert_eq!(audit(&setup, battle.events()), []);
    }
}
