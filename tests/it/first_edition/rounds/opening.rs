//! What a script sets out: ships, obstacles, dice, the game.

use std::{collections::VecDeque, sync::Arc};

use serde::Deserialize;
use tallyho::{
    dice::{AttackFace, DefenceFace, DiceSource},
    geometry::{Point, Pose},
    xwing::{
        action::FullArc,
        battle::{EscortInPlay, Fighter, Setup, Side, escort::shuttle_fighter},
        catalog::Catalog,
        damage_deck::{DamageDeck, DeckFacts},
        edition::{Edition, FirstEditionOptions},
        escort::{
            EscortOptions,
            facts::EscortFacts,
            shuttle::{SHUTTLE_ID, shuttle},
        },
        maneuver::{Dial, Side as Hand},
        obstacle::{Obstacle, ObstacleKind},
        scenario::Edge,
        ship::{ArcDirection, Ship, Tokens},
        table::{PlayArea, Table},
    },
};

/// Ship types as scripts call them: their id in the catalog, and the skill of one of their pilots.
const KINDS: [(&str, &str, u8); 23] = [
    ("xwing", "xwing", 2),
    ("ywing", "ywing", 2),
    ("tiefighter", "tiefighter", 1),
    ("tieinterceptor", "tieinterceptor", 3),
    ("tiebomber", "tiebomber", 2),
    ("tiephantom", "tiephantom", 4),
    ("tiefo", "tiefofighter", 2),
    ("reaper", "tiereaper", 3),
    ("alpha", "alphaclassstarwing", 2),
    ("kwing", "kwing", 2),
    ("auzituck", "auzituckgunship", 3),
    ("lambda", "lambdaclassshuttle", 2),
    ("upsilon", "upsilonclassshuttle", 4),
    ("lancer", "lancerclasspursuitcraft", 2),
    ("gr75", "gr75mediumtransport", 3),
    ("gozanti", "gozanticlasscruiser", 2),
    ("awing", "awing", 1),
    ("bwing", "bwing", 2),
    ("vt49", "vt49decimator", 3),
    ("yv666", "yv666", 2),
    ("yt1300", "yt1300", 1),
    ("yt2400", "yt2400", 2),
    ("starviper", "starviper", 1),
];

/// A script.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it shows, with its rules.
    pub name: String,
    /// As in `A xwing player 400,200 @0 skill 7 stress 1 carries seismiccharges spent protontorpedoes turret rear`; also with
    /// `hull 2`, `shields 0`, `agility 0`, `points 25`, `faceup structural-damage`, `down 3`. A ship of the kind `shuttle` is the
    /// shuttle of Political Escort, whose side defends.
    ships: Vec<String>,
    /// As in `R asteroid 35,9 45,19`: two corners.
    #[serde(default)]
    obstacles: Vec<String>,
    /// Options of the edition.
    #[serde(default)]
    pub options: FirstEditionOptions,
    /// Whether players set dials; otherwise every maneuver is chosen as the ship flies.
    #[serde(default)]
    dials: bool,
    /// The side with initiative, if not `player`.
    #[serde(default)]
    initiative: Option<String>,
    /// The last round, if not the sixth.
    #[serde(default)]
    rounds: Option<u32>,
    /// The next cards of the damage deck.
    #[serde(default)]
    pub deck: Vec<String>,
    /// Political Escort: what the text leaves open, the attacker's edge being the north one.
    #[serde(default)]
    escort: EscortOptions,
    /// Political Escort: what the shuttle's upgrades cost.
    #[serde(default)]
    upgrades: i32,
    /// Political Escort: whether the shuttle has a dial.
    #[serde(default)]
    shuttle_dial: bool,
    /// Attack dice in the order in which they are rolled; blanks follow.
    #[serde(default)]
    pub dice: String,
    /// Defence dice in the order in which they are rolled; blanks follow.
    #[serde(default)]
    pub defence: String,
    /// Who does what, and what is true then.
    pub play: Vec<String>,
}

/// Dice as given, then blanks.
#[derive(Default)]
pub struct Dice {
    attack: VecDeque<AttackFace>,
    defence: VecDeque<DefenceFace>,
}

impl Dice {
    /// The dice of a case.
    pub fn of(case: &Case) -> Dice {
        let attack = case.dice.split_whitespace().map(|face| match face {
            "blank" => AttackFace::Blank,
            "focus" => AttackFace::Focus,
            "hit" => AttackFace::Hit,
            "crit" => AttackFace::Crit,
            _ => panic!("`{face}` is no face"),
        });
        let defence = case.defence.split_whitespace().map(|face| match face {
            "blank" => DefenceFace::Blank,
            "focus" => DefenceFace::Focus,
            "evade" => DefenceFace::Evade,
            _ => panic!("`{face}` is no face"),
        });
        Dice {
            attack: attack.collect(),
            defence: defence.collect(),
        }
    }
}

impl DiceSource for Dice {
    fn attack(&mut self) -> AttackFace {
        self.attack.pop_front().unwrap_or(AttackFace::Blank)
    }
    fn defence(&mut self) -> DefenceFace {
        self.defence.pop_front().unwrap_or(DefenceFace::Blank)
    }
    fn choose(&mut self, _count: usize) -> usize {
        0
    }
}

pub fn point(text: &str) -> Point {
    let (x, y) = text.split_once(',').unwrap_or_else(|| panic!("`{text}` is no point"));
    Point::new(number(x), number(y))
}

pub fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}

pub fn count(text: &str) -> u32 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no count"))
}

pub fn token<'t>(tokens: &'t mut Tokens, name: &str) -> Option<&'t mut u32> {
    Some(match name {
        "stress" => &mut tokens.stress,
        "ion" => &mut tokens.ion,
        "focus" => &mut tokens.focus,
        "evade" => &mut tokens.evade,
        "disarm" => &mut tokens.disarm,
        "reinforce" => &mut tokens.reinforce,
        "tractor" => &mut tokens.tractor,
        "jam" => &mut tokens.jam,
        "cloak" => &mut tokens.cloak,
        "energy" => &mut tokens.energy,
        _ => return None,
    })
}

pub fn arc(word: &str) -> ArcDirection {
    match word {
        "front" => ArcDirection::Front,
        "rear" => ArcDirection::Rear,
        "left" => ArcDirection::Left,
        "right" => ArcDirection::Right,
        _ => panic!("`{word}` is no direction"),
    }
}

pub fn hand(word: &str) -> Hand {
    match word {
        "left" => Hand::Left,
        "right" => Hand::Right,
        _ => panic!("`{word}` is no side"),
    }
}

/// A ship of the catalog as the line says, or the shuttle, and its fighter.
fn ship(case: &Case, line: &str) -> (Ship, Fighter) {
    let mut words = line.split_whitespace();
    let mut next = || words.next().unwrap_or_else(|| panic!("`{line}` ends too early"));
    let (id, kind, side, place, heading) = (next(), next(), next(), next(), next());
    let rest: Vec<(&str, &str)> = std::iter::from_fn(|| {
        let word = words.next()?;
        Some((word, words.next().unwrap_or_else(|| panic!("`{word}` has no value"))))
    })
    .collect();
    let (place, heading) = (point(place), number(heading.trim_start_matches('@')));
    let pose = Pose::new(place.x, place.y, heading);
    let (mut ship, mut fighter) = match kind {
        SHUTTLE_ID => (shuttle(id.into(), side, pose, &case.escort), shuttle_fighter(0, 0)),
        _ => of_catalog(id, kind, side, pose, &rest),
    };
    let facts = DeckFacts::of(case.options.rules().damage_deck);
    // The cards lie in the order of the list.
    let mut deck = DamageDeck::shuffled(facts, &mut Dice::default());
    for (word, value) in rest {
        match word {
            "carries" => {}
            "points" => fighter.points = Some(count(value)),
            "spent" => {
                let mut weapons = ship.weapons.iter_mut().filter(|weapon| weapon.id == value);
                let charges = weapons.find_map(|weapon| weapon.special.as_mut()?.charges.as_mut());
                charges.unwrap_or_else(|| panic!("`{value}` has no charge")).left = 0;
            }
            "skill" => ship.initiative = u8::try_from(count(value)).unwrap(),
            "turret" => ship.turret = vec![arc(value)],
            "lock" => ship.locks.push(value.into()),
            "agility" => fighter.agility = count(value),
            "hull" => fighter.integrity.hull = u8::try_from(count(value)).unwrap(),
            "shields" => fighter.integrity.shields = u8::try_from(count(value)).unwrap(),
            "faceup" => fighter.integrity.face_up.push(deck.take(facts, value).unwrap()),
            "down" => {
                // Face down one counts like the others.
                let cards = (0..count(value)).map(|_| deck.take(facts, "direct-hit").unwrap());
                fighter.integrity.face_down.extend(cards);
            }
            name => *token(&mut ship.tokens, name).unwrap_or_else(|| panic!("no `{name}`")) = count(value),
        }
    }
    fighter.integrity.weigh(facts);
    fighter.reinforced = vec![FullArc::Fore; ship.tokens.reinforce as usize];
    (ship, fighter)
}

fn of_catalog(id: &str, kind: &str, side: &str, pose: Pose, words: &[(&str, &str)]) -> (Ship, Fighter) {
    let known = KINDS.iter().find(|(name, ..)| *name == kind);
    let (_, chassis, skill) = known.unwrap_or_else(|| panic!("no ship `{kind}`"));
    let cards = words.iter().filter(|(word, _)| matches!(*word, "carries" | "spent"));
    let resolved = Catalog::embedded_for(Edition::First)
        .resolve(chassis, None, cards.map(|(_, card)| *card))
        .unwrap_or_else(|error| panic!("{id}: {error}"));
    let mut fighter = Fighter::of(&resolved).expect("its hull is known");
    let mut ship = resolved.into_ship(id.into(), side.to_owned(), pose);
    ship.initiative = *skill;
    if ship.dial.maneuvers().is_empty() {
        // A huge ship has no dial in the data; it stays where it is here.
        ship.dial = Arc::new(Dial::new(["0OW".parse().unwrap()]));
        fighter.dial = ship.dial.clone();
    }
    (ship, fighter)
}

fn obstacle(line: &str) -> Obstacle {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [id, kind, a, b] = words[..] else {
        panic!("`{line}` is no obstacle");
    };
    let (a, b) = (point(a), point(b));
    Obstacle {
        id: id.into(),
        kind: match kind {
            "asteroid" => ObstacleKind::Asteroid,
            "debris" => ObstacleKind::Debris,
            _ => panic!("`{kind}` is no kind of obstacle"),
        },
        outline: [a, Point::new(b.x, a.y), b, Point::new(a.x, b.y)].into_iter().collect(),
    }
}

/// What is set out.
pub fn setup(case: &Case) -> Setup {
    let (ships, fighters): (Vec<Ship>, Vec<_>) = (case.ships.iter())
        .map(|line| {
            let (ship, fighter) = ship(case, line);
            let id = ship.id.clone();
            (ship, (id, fighter))
        })
        .unzip();
    let obstacles = case.obstacles.iter().map(|line| obstacle(line)).collect();
    let side = |name: &str| Side {
        name: name.to_owned(),
        dials: case.dials,
        flees: true,
    };
    let mut sides = vec![side("player"), side("other")];
    sides.sort_by_key(|side| case.initiative.as_ref().is_some_and(|first| *first != side.name));
    Setup {
        escort: escort(case, &ships),
        table: Table::new(PlayArea::STANDARD, ships, obstacles, Vec::new()).with_rules(case.options.rules()),
        fighters,
        sides,
        // It would alternate, but for FE-4.1.
        alternating: true,
        rounds: Some(case.rounds.unwrap_or(6)),
        guides: false,
        mission: None,
    }
}

/// The game of Political Escort, where a shuttle is set out.
fn escort(case: &Case, ships: &[Ship]) -> Option<EscortInPlay> {
    let chassis = &EscortFacts::embedded().shuttle.chassis;
    let shuttle = ships.iter().find(|ship| ship.chassis == *chassis)?;
    let mut play = EscortInPlay::new(shuttle.id.clone(), &shuttle.side, Edge::North, case.escort);
    play.upgrades = case.upgrades;
    play.has_dial = case.shuttle_dial;
    let points = |line: &str| {
        let mut words = line.split_whitespace().skip_while(|word| *word != "points");
        words.nth(1).map(|points| count(points) as i32)
    };
    play.points = (case.ships.iter().zip(ships))
        .filter(|(_, ship)| ship.id != shuttle.id)
        .map(|(line, ship)| (ship.id.clone(), points(line)))
        .collect();
    Some(play)
}
