//! Rounds of the first edition, as scripts: FE-3 to FE-11, PE-4 to PE-8. A case sets ships and obstacles out, says who does
//! what, and what is true afterwards; whoever is not named is idle. The audit reads every record.

use tallyho::{
    commander::{Commander as _, solo::Solo},
    geometry::angle,
    solo_alpha::Options,
    xwing::{
        action::{ActionDetail, ActionKind, ColoredAction, FullArc},
        battle::{
            Answer, AttackOrder, Battle, Choice, Duel, Event, Fighter, Flight, Jammed, LostAction, Order, Pull,
            Refused, Request, Setup, audit::audit,
        },
        combat::{AttackStep, Means, Spending},
        damage_deck::{Card, DeckFacts},
        escort::protect::PROTECT,
        maneuver::{Bearing, Difficulty, Maneuver},
        movement::Alignment,
        reposition::{BoostTemplate, Decloak},
        ship::{Ship, Tokens},
    },
};

use super::cases;
use opening::{Case, Dice, arc, count, hand, number, point, setup, token};

mod opening;

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
        let dial = battle.table().ship(request.ship()).unwrap().dial.maneuvers();
        let calm = |entry: &&Maneuver| entry.bearing == Bearing::Straight && entry.difficulty != Difficulty::Red;
        // A huge ship stays where it is here.
        *dial.iter().find(calm).unwrap_or(&dial[0])
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
        Request::Effect(offer) if !offer.must => Answer::Effect(None),
        _ => Answer::Act(Vec::new()),
    }
}

fn action(words: &[&str]) -> Vec<Order> {
    use ActionKind as A;
    let (kind, detail) = match words {
        ["none"] => return Vec::new(),
        ["protect"] => return vec![Order::Card(PROTECT.to_owned())],
        ["card", card] => return vec![Order::Card((*card).to_owned())],
        ["focus"] => (A::Focus, ActionDetail::Token),
        ["evade"] => (A::Evade, ActionDetail::Token),
        ["cloak"] => (A::Cloak, ActionDetail::Token),
        ["recover"] => (A::Recover, ActionDetail::Token),
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

    fn attack(&self, id: &str, target: &str, weapon: Option<&str>) -> AttackOrder {
        let weapons = &self.ship(id).weapons;
        let find = |weapon: &str| match weapon.parse() {
            Ok(place) => Some(place),
            Err(_) => weapons.iter().position(|known| known.id == weapon),
        };
        let place = weapon.map(find);
        AttackOrder {
            weapon: place.map_or(0, |place| place.unwrap_or_else(|| panic!("{id} has no {weapon:?}"))),
            target: target.into(),
        }
    }

    fn names(&self, cards: &[Card]) -> Vec<&str> {
        let facts = DeckFacts::of(self.battle.table().rules.damage_deck);
        let mut names: Vec<&str> = cards.iter().map(|card| &*card.facts(facts).unwrap().id).collect();
        names.sort_unstable();
        names
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
            ["drop", id, card] => {
                self.until(
                    line,
                    |request| matches!(request, Request::Drop { ship } if is(id, ship)),
                );
                self.answer(Answer::DropOther {
                    device: card.to_owned(),
                    template: "1F".parse().unwrap(),
                })
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
            ["attack", id, ref at @ ..] => {
                self.until(
                    line,
                    |request| matches!(request, Request::Attack { ship } if is(id, ship)),
                );
                self.answer(Answer::Attack(match at {
                    ["none"] => None,
                    [target] => Some(self.attack(id, target, None)),
                    [target, weapon] => Some(self.attack(id, target, Some(weapon))),
                    _ => panic!("`{line}`"),
                }))
            }
            ["spend", id, ref what @ ..] => {
                let modifies = |request: &Request| match request {
                    Request::ModifyAttack { ship } | Request::ModifyDefence { ship } => is(id, ship),
                    _ => false,
                };
                self.until(line, modifies);
                let attacks = matches!(self.battle.pending(), Some(Request::ModifyAttack { .. }));
                let mut spending = Spending::default();
                for word in what {
                    match *word {
                        "focus" => spending.focus += 1,
                        "evade" => spending.evade += 1,
                        "nothing" => {}
                        _ => panic!("`{line}`"),
                    }
                }
                let focuses = |duel: &Duel| duel.dice.focuses + duel.dice.rerolled_focuses;
                let focuses = self.battle.duel().map_or(0, focuses);
                let changed = if spending.focus > 0 { focuses } else { 0 };
                self.answer(match attacks {
                    true => Answer::ModifyAttack(AttackStep::Finish { spending, changed }),
                    false => Answer::ModifyDefence(spending),
                })
            }
            ["reroll", id, focuses, blanks, ref more @ ..] => {
                self.until(
                    line,
                    |request| matches!(request, Request::ModifyAttack { ship } if is(id, ship)),
                );
                let few = |text| u8::try_from(count(text)).unwrap();
                let (means, focuses, blanks) = (Means::Lock, few(focuses), few(blanks));
                let (hits, crits) = match *more {
                    [] => (0, 0),
                    [hits, crits] => (few(hits), few(crits)),
                    _ => panic!("`{line}`"),
                };
                self.answer(Answer::ModifyAttack(AttackStep::Reroll {
                    means,
                    focuses,
                    blanks,
                    hits,
                    crits,
                }))
            }
            ["cancel", die] => {
                self.until(
                    line,
                    |request| matches!(request, Request::Effect(offer) if offer.card == PROTECT),
                );
                let Some(Request::Effect(offer)) = self.battle.pending() else {
                    unreachable!()
                };
                let says = |choice: &Choice| match choice {
                    Choice::Branch { says, .. } => match die {
                        "crit" => says.contains("a critical hit"),
                        "hit" => says.ends_with("a hit"),
                        _ => false,
                    },
                    _ => false,
                };
                let place = offer.choices.iter().position(says);
                assert!(place.is_some() || die == "nothing", "`{line}`: {offer:?}");
                self.answer(Answer::Effect(place))
            }
            ["solo", id] => {
                let request = self.battle.pending().cloned().unwrap();
                assert_eq!(&**request.ship(), id, "`{line}`: {request:?}");
                let mut solo = Solo::new(Options::default());
                let answer = solo.answer(&self.battle, &request, &mut self.dice, None);
                self.answer(answer)
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
            ["until", "end"] => {
                while self.battle.pending().is_some() {
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
            ["offered", id, what] => {
                let open = self.battle.open_actions(id, None);
                let offers = |action: &&ColoredAction| action.kind.name() == what;
                let ways = open
                    .iter()
                    .find(offers)
                    .map(|action| self.battle.orders_of(id, *action).len());
                assert!(ways.is_some_and(|ways| ways > 0), "`{line}`: {open:?}");
            }
            ["withheld", id, what] => {
                let open = self.battle.open_actions(id, None);
                assert!(
                    open.iter().all(|action| action.kind.name() != what),
                    "`{line}`: {open:?}"
                );
            }
            ["range", value] => {
                let ranges = self.battle.events().iter().rev().filter_map(|event| match event {
                    Event::Attacked { range, .. } => Some(*range),
                    _ => None,
                });
                assert_eq!(ranges.take(1).next(), Some(count(value)), "`{line}`");
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
            ["damage", id, value] => {
                let damage = self.battle.fighter(id).unwrap().integrity.damage();
                assert_eq!(damage, count(value) as usize, "`{line}`");
            }
            ["faceup", id, ref cards @ ..] => {
                let lying = &self.battle.fighter(id).unwrap().integrity.face_up;
                assert_eq!(self.names(lying), cards, "`{line}`");
            }
            ["rolled", attack, defence] => {
                let counts = self.battle.events().iter().rev().filter_map(|event| match event {
                    Event::Attacked { rolled, .. } => Some((true, rolled.len())),
                    Event::Defended { rolled, .. } => Some((false, rolled.len())),
                    _ => None,
                });
                let last: Vec<(bool, usize)> = counts.take(2).collect();
                let expected = [(false, count(defence) as usize), (true, count(attack) as usize)];
                assert_eq!(last, expected, "`{line}`");
            }
            ["dealt", hits, crits] => {
                let mut attacks = self.battle.events().iter().rev().filter_map(|event| match event {
                    Event::AttackResolved { damage, .. } => Some((damage.hits, damage.crits)),
                    _ => None,
                });
                let expected = (count(hits) as u8, count(crits) as u8);
                assert_eq!(attacks.next(), Some(expected), "`{line}`");
            }
            ["attacked", ref order @ ..] => {
                let attackers: Vec<&str> = (self.battle.events().iter())
                    .filter_map(|event| match event {
                        Event::Attacked { attacker, .. } => Some(&**attacker),
                        _ => None,
                    })
                    .collect();
                assert_eq!(attackers, order, "`{line}`");
            }
            ["touching", id, ref others @ ..] => {
                let touched: Vec<&str> = self.ship(id).touching.iter().map(|touch| &*touch.ship).collect();
                assert_eq!(touched, others, "`{line}`");
            }
            ["stays", id] => assert!(self.ship(id).in_play(), "`{line}`"),
            ["protect", tokens] => {
                let held = self.battle.escort().map(|play| play.protect());
                assert_eq!(held, Some(count(tokens)), "`{line}`");
            }
            ["state", state] => {
                let held = self.battle.escort().map(|play| play.state().name());
                assert_eq!(held, Some(state), "`{line}`");
            }
            ["goes", "on"] => assert!(self.battle.pending().is_some(), "`{line}`"),
            ["won", by] => {
                assert!(self.battle.pending().is_none(), "`{line}`: it is not over");
                assert_eq!(self.battle.winner().unwrap_or("nobody"), by, "`{line}`");
            }
            ["score", attacker, defender] => {
                let score = self.battle.escort_score().unwrap();
                let expected = (count(attacker) as i32, count(defender) as i32);
                assert_eq!((score.attacker, score.defender), expected, "`{line}`");
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

fn play(case: &Case) {
    // Said beside what fails.
    println!("{}", case.name);
    let start = setup(case);
    let mut dice = Dice::of(case);
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    if !case.deck.is_empty() {
        // Each side has a deck of its own: both are stacked.
        let mut sides = std::collections::BTreeSet::new();
        for first in start.table.ships.iter().filter(|ship| sides.insert(&*ship.side)) {
            battle.put_right(&first.id, |_, _, deck, facts| {
                for id in case.deck.iter().rev() {
                    let card = deck.take(facts, id).unwrap_or_else(|| panic!("no card `{id}` is left"));
                    deck.put_on_top(card);
                }
            });
        }
    }
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

#[test]
fn fe_3_to_fe_7_and_fe_11_rounds_go_as_they_are_written() {
    cases::<Case>("rounds.toml").iter().for_each(play);
}

/// FE-8 to FE-10 in whole rounds.
#[test]
fn fe_8_to_fe_10_attacks_go_as_they_are_written() {
    cases::<Case>("attacks.toml").iter().for_each(play);
}

/// PE-4 to PE-8 in whole rounds.
#[test]
fn pe_4_to_pe_8_games_go_as_they_are_written() {
    cases::<Case>("../escort/games.toml").iter().for_each(play);
}
