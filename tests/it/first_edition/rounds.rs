//! Rounds of the first edition, as scripts: FE-3 to FE-7, FE-11. A case sets ships and obstacles out, says who does what, and
//! what is true afterwards; whoever is not named is idle. The audit reads every record.

use std::collections::VecDeque;

use serde::Deserialize;
use tallyho::{
    dice::{AttackFace, DefenceFace, DiceSource},
    geometry::{Point, Pose, angle},
    xwing::{
        action::{ActionDetail, ActionKind, FullArc},
        battle::{
            Answer, Battle, Event, Fighter, Flight, Jammed, LostAction, Order, Pull, Refused, Request, Setup, Side,
            audit::audit,
        },
        catalog::Catalog,
        combat::{AttackStep, Spending},
        edition::{Edition, FirstEditionOptions},
        maneuver::{Bearing, Dial, Difficulty, Maneuver, Side as Hand},
        movement::Alignment,
        obstacle::{Obstacle, ObstacleKind},
        reposition::{BoostTemplate, Decloak},
        ship::{ArcDirection, Ship, Tokens},
        table::{PlayArea, Table},
    },
};

use super::cases;

/// Ship types as scripts call them: their id in the catalog, and the skill of one of their pilots.
const KINDS: [(&str, &str, u8); 15] = [
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
];

/// A script.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What it shows, with its rules.
    name: String,
    /// As in `A xwing player 400,200 @0 skill 7 stress 1 carries seismiccharges spent protontorpedoes turret rear`.
    ships: Vec<String>,
    /// As in `R asteroid 35,9 45,19`: two corners.
    #[serde(default)]
    obstacles: Vec<String>,
    /// Options of the edition.
    #[serde(default)]
    options: FirstEditionOptions,
    /// Whether players set dials; otherwise every maneuver is chosen as the ship flies.
    #[serde(default)]
    dials: bool,
    /// Attack dice in the order in which they are rolled; blanks follow.
    #[serde(default)]
    dice: String,
    /// Who does what, and what is true then.
    play: Vec<String>,
}

/// Attack dice as given, then blanks; defence dice blank.
struct Dice(VecDeque<AttackFace>);

impl DiceSource for Dice {
    fn attack(&mut self) -> AttackFace {
        self.0.pop_front().unwrap_or(AttackFace::Blank)
    }
    fn defence(&mut self) -> DefenceFace {
        DefenceFace::Blank
    }
    fn choose(&mut self, _count: usize) -> usize {
        0
    }
}

fn point(text: &str) -> Point {
    let (x, y) = text.split_once(',').unwrap_or_else(|| panic!("`{text}` is no point"));
    Point::new(number(x), number(y))
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}

fn count(text: &str) -> u32 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no count"))
}

fn token<'t>(tokens: &'t mut Tokens, name: &str) -> Option<&'t mut u32> {
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
        _ => return None,
    })
}

fn arc(word: &str) -> ArcDirection {
    match word {
        "front" => ArcDirection::Front,
        "rear" => ArcDirection::Rear,
        "left" => ArcDirection::Left,
        "right" => ArcDirection::Right,
        _ => panic!("`{word}` is no direction"),
    }
}

fn hand(word: &str) -> Hand {
    match word {
        "left" => Hand::Left,
        "right" => Hand::Right,
        _ => panic!("`{word}` is no side"),
    }
}

/// A ship of the catalog as the line says, and its fighter.
fn ship(line: &str) -> (Ship, Fighter) {
    let mut words = line.split_whitespace();
    let mut next = || words.next().unwrap_or_else(|| panic!("`{line}` ends too early"));
    let (id, kind, side, place, heading) = (next(), next(), next(), next(), next());
    let known = KINDS.iter().find(|(name, ..)| *name == kind);
    let (_, chassis, skill) = known.unwrap_or_else(|| panic!("no ship `{kind}`"));
    let rest: Vec<(&str, &str)> = std::iter::from_fn(|| {
        let word = words.next()?;
        Some((word, words.next().unwrap_or_else(|| panic!("`{word}` has no value"))))
    })
    .collect();
    let cards = rest.iter().filter(|(word, _)| matches!(*word, "carries" | "spent"));
    let resolved = Catalog::embedded_for(Edition::First)
        .resolve(chassis, None, cards.map(|(_, card)| *card))
        .unwrap_or_else(|error| panic!("`{line}`: {error}"));
    let mut fighter = Fighter::of(&resolved).expect("its hull is known");
    let (place, heading) = (point(place), number(heading.trim_start_matches('@')));
    let mut ship = resolved.into_ship(id.into(), side.to_owned(), Pose::new(place.x, place.y, heading));
    ship.initiative = *skill;
    if ship.dial.maneuvers().is_empty() {
        // A huge ship has no dial in the data; it stays where it is here.
        ship.dial = std::sync::Arc::new(Dial::new(["0OW".parse().unwrap()]));
        fighter.dial = ship.dial.clone();
    }
    for (word, value) in rest {
        match word {
            "carries" => {}
            "spent" => {
                let mut weapons = ship.weapons.iter_mut().filter(|weapon| weapon.id == value);
                let charges = weapons.find_map(|weapon| weapon.special.as_mut()?.charges.as_mut());
                charges.unwrap_or_else(|| panic!("`{value}` has no charge")).left = 0;
            }
            "skill" => ship.initiative = u8::try_from(count(value)).unwrap(),
            "turret" => ship.turret = vec![arc(value)],
            "lock" => ship.locks.push(value.into()),
            name => *token(&mut ship.tokens, name).unwrap_or_else(|| panic!("no `{name}`")) = count(value),
        }
    }
    fighter.reinforced = vec![FullArc::Fore; ship.tokens.reinforce as usize];
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

fn setup(case: &Case) -> Setup {
    let (ships, fighters): (Vec<Ship>, Vec<_>) = (case.ships.iter())
        .map(|line| {
            let (ship, fighter) = ship(line);
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
    Setup {
        table: Table::new(PlayArea::STANDARD, ships, obstacles, Vec::new()).with_rules(case.options.rules()),
        fighters,
        sides: vec![side("player"), side("other")],
        // It would alternate, but for FE-4.1.
        alternating: true,
        rounds: Some(6),
        guides: false,
        mission: None,
        escort: None,
    }
}

fn flight(maneuver: Maneuver) -> Answer {
    Answer::Fly(Flight {
        maneuver,
        alignment: Alignment::Middle,
        edge_turn: None,
    })
}

/// What somebody answers who does nothing: the slowest straight that is not red, no action, no attack.
fn idle(battle: &Battle) -> Answer {
    let request = battle.pending().unwrap();
    let straight = || {
        let dial = battle.table().ship(request.ship()).unwrap().dial.maneuvers().iter();
        let mut calm = dial.filter(|entry| entry.bearing == Bearing::Straight && entry.difficulty != Difficulty::Red);
        *calm.next().unwrap()
    };
    match request {
        Request::Dial { .. } => Answer::Dial(straight()),
        Request::Fly { fixed, .. } => flight(fixed.unwrap_or_else(straight)),
        Request::Decloak { .. } => Answer::Decloak(None),
        Request::Drop { .. } => Answer::Drop(None),
        Request::Pull { .. } => Answer::Pull(None),
        Request::Attack { .. } => Answer::Attack(None),
        Request::ModifyAttack { .. } => Answer::ModifyAttack(AttackStep::Finish {
            spending: Spending::default(),
            changed: 0,
        }),
        Request::ModifyDefence { .. } => Answer::ModifyDefence(Spending::default()),
        Request::PickManeuver { target, .. } => Answer::PickManeuver(battle.pickable(target)[0]),
        Request::Jammed { ship } => Answer::Jammed(battle.jammable(ship)[0].clone()),
        Request::MineUnder { device, .. } => Answer::MineUnder(battle.under_mine(device)[0].clone()),
        _ => Answer::Act(Vec::new()),
    }
}

fn action(words: &[&str]) -> Vec<Order> {
    use ActionKind as A;
    let (kind, detail) = match words {
        ["none"] => return Vec::new(),
        ["card", card] => return vec![Order::Card((*card).to_owned())],
        ["focus"] => (A::Focus, ActionDetail::Token),
        ["evade"] => (A::Evade, ActionDetail::Token),
        ["cloak"] => (A::Cloak, ActionDetail::Token),
        ["reload"] => (A::Reload, ActionDetail::Token),
        ["reload", card] => (A::Reload, ActionDetail::Reload((*card).to_owned())),
        ["lock", id] => (A::Lock, ActionDetail::Lock((*id).into())),
        ["jam", id] => (A::Jam, ActionDetail::Jam((*id).into())),
        ["coordinate", id] => (A::Coordinate, ActionDetail::Coordinate((*id).into())),
        ["reinforce", "fore"] => (A::Reinforce, ActionDetail::Reinforce(FullArc::Fore)),
        ["reinforce", "aft"] => (A::Reinforce, ActionDetail::Reinforce(FullArc::Aft)),
        ["rotate", to] => (A::RotateArc, ActionDetail::RotateArc(vec![arc(to)])),
        ["boost", way] => {
            let template = match *way {
                "left" => BoostTemplate::Left,
                "ahead" => BoostTemplate::Straight,
                "right" => BoostTemplate::Right,
                _ => panic!("`{way}` is no way to boost"),
            };
            (A::Boost, ActionDetail::Boost(template))
        }
        ["roll", side, slide] => {
            let (side, slide_mm) = (hand(side), number(slide));
            (A::BarrelRoll, ActionDetail::BarrelRoll { side, slide_mm })
        }
        ["slam", code] => {
            let (maneuver, alignment) = (code.parse().unwrap(), Alignment::Middle);
            (A::Slam, ActionDetail::Slam { maneuver, alignment })
        }
        _ => panic!("{words:?} is no action"),
    };
    vec![Order::Bar {
        kind,
        difficulty: Difficulty::White,
        detail,
    }]
}

/// A battle that is played by a script.
struct Played {
    battle: Battle,
    dice: Dice,
    start: Setup,
    /// Events before the last line.
    before: usize,
}

impl Played {
    fn answer(&mut self, answer: Answer) -> Result<(), Refused> {
        self.battle.answer(answer, &mut self.dice)
    }

    /// Everybody is idle until somebody is asked what `wanted` names.
    fn until(&mut self, line: &str, wanted: impl Fn(&Request) -> bool) {
        while !self.battle.pending().is_some_and(&wanted) {
            assert!(
                self.battle.pending().is_some(),
                "`{line}`: nobody is asked that any more"
            );
            let answer = idle(&self.battle);
            self.answer(answer)
                .unwrap_or_else(|error| panic!("`{line}`: idle: {error}"));
        }
    }

    fn ship(&self, id: &str) -> &Ship {
        self.battle.table().ship(id).unwrap_or_else(|| panic!("no ship `{id}`"))
    }

    /// Carries out an order; `Err` if it is refused. `None` where the line is no order.
    fn order(&mut self, line: &str) -> Option<Result<(), Refused>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is = |id: &'_ str, asked: &str| *id == *asked;
        Some(match words[..] {
            ["dial", id, code] => {
                self.until(
                    line,
                    |request| matches!(request, Request::Dial { ship } if is(id, ship)),
                );
                self.answer(Answer::Dial(code.parse().unwrap()))
            }
            ["decloak", id, ref way @ ..] => {
                self.until(
                    line,
                    |request| matches!(request, Request::Decloak { ship } if is(id, ship)),
                );
                let way = match way {
                    ["ahead"] => Some(Decloak::Forward),
                    ["stay"] => None,
                    [side, slide] => Some(Decloak::Sideways {
                        side: hand(side),
                        slide_mm: number(slide),
                    }),
                    _ => panic!("`{line}`"),
                };
                self.answer(Answer::Decloak(way))
            }
            ["fly", id, code] => {
                self.until(
                    line,
                    |request| matches!(request, Request::Fly { ship, .. } if is(id, ship)),
                );
                self.answer(flight(code.parse().unwrap()))
            }
            ["pick", id, code] => {
                self.until(
                    line,
                    |request| matches!(request, Request::PickManeuver { target, .. } if is(id, target)),
                );
                self.answer(Answer::PickManeuver(code.parse().unwrap()))
            }
            ["drop", id] => {
                self.until(
                    line,
                    |request| matches!(request, Request::Drop { ship } if is(id, ship)),
                );
                self.answer(Answer::Drop(Some("1F".parse().unwrap())))
            }
            ["under", id] => {
                self.until(line, |request| matches!(request, Request::MineUnder { .. }));
                self.answer(Answer::MineUnder(id.into()))
            }
            ["jammed", id, ref what @ ..] => {
                self.until(
                    line,
                    |request| matches!(request, Request::Jammed { ship } if is(id, ship)),
                );
                self.answer(Answer::Jammed(match what {
                    ["focus"] => Jammed::Focus,
                    ["evade"] => Jammed::Evade,
                    ["lock", id] => Jammed::Lock((*id).into()),
                    _ => panic!("`{line}`"),
                }))
            }
            ["act", id, ref what @ ..] => {
                self.until(
                    line,
                    |request| matches!(request, Request::Act { ship, .. } if is(id, ship)),
                );
                let orders = what.split(|word| *word == "+").flat_map(action);
                self.answer(Answer::Act(orders.collect()))
            }
            ["tractor", id, number, "by", by] => {
                let by = self.ship(by).id.clone();
                self.battle.gain_tractor(id, count(number), &by);
                Ok(())
            }
            ["pull", id, ref how @ ..] => {
                self.until(
                    line,
                    |request| matches!(request, Request::Pull { target, .. } if is(id, target)),
                );
                let pull = match how {
                    ["none"] => None,
                    ["boost"] => Some(Pull::Boost),
                    [side, slide] => Some(Pull::BarrelRoll {
                        side: hand(side),
                        slide_mm: number(slide),
                    }),
                    _ => panic!("`{line}`"),
                };
                self.answer(Answer::Pull(pull))
            }
            ["next", "round"] => {
                let round = self.battle.round();
                while self.battle.pending().is_some() && self.battle.round() == round {
                    let answer = idle(&self.battle);
                    self.answer(answer).unwrap_or_else(|error| panic!("`{line}`: {error}"));
                }
                Ok(())
            }
            ["until", "combat"] => {
                self.until(line, |request| matches!(request, Request::Attack { .. }));
                Ok(())
            }
            _ => return None,
        })
    }

    /// Looks whether something is true.
    fn expect(&self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["at", id, place, heading] => {
                let (pose, place) = (self.ship(id).pose, point(place));
                let heading = number(heading.trim_start_matches('@'));
                let there = pose.position.distance(place) < 2e-3 && angle::signed(pose.heading - heading).abs() < 1e-2;
                assert!(there, "`{line}`: {pose:?}");
            }
            ["tokens", id, ref named @ ..] => {
                let mut tokens = self.ship(id).tokens;
                for pair in named.chunks(2) {
                    let [name, value] = pair else { panic!("`{line}`") };
                    let held = token(&mut tokens, name).unwrap_or_else(|| panic!("`{line}`: no `{name}`"));
                    assert_eq!(*held, count(value), "`{line}`: {name} of {id}");
                    *held = 0;
                }
                assert_eq!(tokens, Tokens::default(), "`{line}`: {id} has more");
            }
            ["left", id, value] => {
                let left = self.battle.fighter(id).map(Fighter::left);
                assert_eq!(left, Some(count(value)), "`{line}`");
            }
            ["locks", id, ref named @ ..] => {
                let locks: Vec<&str> = self.ship(id).locks.iter().map(|lock| &**lock).collect();
                assert_eq!(locks, named, "`{line}`");
            }
            ["letter", id, target, letter] => {
                assert_eq!(self.battle.lock_letter(id, target).as_deref(), Some(letter), "`{line}`");
            }
            ["skill", id, value] => assert_eq!(u32::from(self.ship(id).initiative), count(value), "`{line}`"),
            ["cards", id, value] => {
                let integrity = &self.battle.fighter(id).unwrap().integrity;
                let lying = integrity.face_down.len() + integrity.face_up.len();
                assert_eq!(lying, count(value) as usize, "`{line}`");
            }
            ["shields", id, value] => {
                let shields = self.battle.fighter(id).unwrap().integrity.shields;
                assert_eq!(u32::from(shields), count(value), "`{line}`");
            }
            ["gone", id] => assert!(!self.ship(id).in_play(), "`{line}`"),
            ["charges", id, weapon, value] => {
                let weapons = self.ship(id).weapons.iter().filter(|known| known.id == weapon);
                let mut left = weapons.filter_map(|known| known.special.as_ref()?.charges);
                assert_eq!(left.next().map(|charges| charges.left), Some(count(value)), "`{line}`");
            }
            ["lost", id, why] => {
                let cause = match why {
                    "stressed" => LostAction::Stressed,
                    "overlap" => LostAction::Overlap,
                    "obstacle" => LostAction::Obstacle,
                    "mine" => LostAction::Mine,
                    _ => panic!("`{line}`"),
                };
                let ship = self.ship(id).id.clone();
                let wanted = Event::ActionLost { ship, cause };
                let since = &self.battle.events()[self.before..];
                assert!(since.contains(&wanted), "`{line}`: {since:#?}");
            }
            ["asked", id, what] => {
                let request = self.battle.pending().unwrap();
                let fits = match what {
                    "action" => matches!(request, Request::Act { .. }),
                    "drop" => matches!(request, Request::Drop { .. }),
                    "maneuver" => matches!(request, Request::Fly { .. }),
                    "decloak" => matches!(request, Request::Decloak { .. }),
                    "pull" => matches!(request, Request::Pull { .. }),
                    "dial" => matches!(request, Request::Dial { .. }),
                    "attack" => matches!(request, Request::Attack { .. }),
                    "pick" => matches!(request, Request::PickManeuver { .. }),
                    _ => panic!("`{line}`"),
                };
                assert!(fits && **request.ship() == *id, "`{line}`: {request:?}");
            }
            ["flown", ref order @ ..] => {
                let flown: Vec<&str> = (self.battle.events().iter())
                    .filter_map(|event| match event {
                        Event::Flew { ship, slam: false, .. } => Some(&**ship),
                        _ => None,
                    })
                    .collect();
                assert_eq!(flown, order, "`{line}`");
            }
            ["flew", id, code] => {
                let mut flown = self.battle.events().iter().rev().filter_map(|event| match event {
                    Event::Flew { ship, execution, .. } if **ship == *id => Some(execution.maneuver.to_string()),
                    _ => None,
                });
                assert_eq!(flown.next().as_deref(), Some(code), "`{line}`");
            }
            _ => panic!("`{line}` is no line of a script"),
        }
    }
}

#[test]
fn fe_3_to_fe_7_and_fe_11_rounds_go_as_they_are_written() {
    for case in cases::<Case>("rounds.toml") {
        // Said beside what fails.
        println!("{}", case.name);
        let faces = case.dice.split_whitespace().map(|face| match face {
            "blank" => AttackFace::Blank,
            "focus" => AttackFace::Focus,
            "hit" => AttackFace::Hit,
            "crit" => AttackFace::Crit,
            _ => panic!("`{face}` is no face"),
        });
        let start = setup(&case);
        let mut dice = Dice(faces.collect());
        let battle = Battle::new(start.clone(), &mut dice).unwrap();
        let mut played = Played {
            battle,
            dice,
            start,
            before: 0,
        };
        for line in &case.play {
            let before = played.battle.events().len();
            if let Some(order) = line.strip_prefix("refused ") {
                let refused = played.order(order).unwrap_or_else(|| panic!("`{line}` is no order"));
                assert!(refused.is_err(), "`{line}` is allowed");
            } else if let Some(done) = played.order(line) {
                done.unwrap_or_else(|error| panic!("`{line}`: {error}"));
                played.before = before;
            } else {
                played.expect(line);
            }
        }
        assert_eq!(audit(&played.start, played.battle.events()), [], "{}", case.name);
    }
}
