//! Rules of the round, one by one: cloak, tractor, ion, jam, disarm, strain and deplete, reinforce, locks, obstacles, SLAM,
//! repairs, charges and Force.

use std::collections::VecDeque;

use tallyho::{
    bridge::text,
    dice::{AttackFace, DefenceFace, DiceSource},
    xwing::{
        action::{ActionDetail, ActionKind, BarAction, ColoredAction, FullArc},
        battle::{
            Answer, AttackOrder, Battle, Event, Fighter, Flight, LostAction, Order, Phase, Pull, Refused, Request,
            Setup, Side, audit::audit,
        },
        catalog::Catalog,
        combat::{AttackStep, Spending},
        damage_deck::{DamageDeck, DeckFacts},
        maneuver::{Difficulty, Side as Hand},
        movement::Alignment,
        obstacle_outlines::ObstacleOutlines,
        reposition::Decloak,
        ship::{Ship, Tokens},
    },
};

/// Attack dice as given, then blanks; defence dice blank.
#[derive(Default)]
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

/// A battle of a position's ships. Nobody has a dial, so that every maneuver is chosen as the ship flies; the player's
/// ships may flee.
fn setup(fixture: &str) -> Setup {
    let table = text::parse(fixture, Catalog::embedded())
        .unwrap_or_else(|error| panic!("{error}\n{fixture}"))
        .table;
    let fighters = table.ships.iter().map(|ship| {
        let resolved = Catalog::embedded()
            .resolve(&ship.chassis, None, &[] as &[&str])
            .unwrap();
        (ship.id.clone(), Fighter::of(&resolved).unwrap())
    });
    let side = |name: &str, flees: bool| Side {
        name: name.to_owned(),
        dials: false,
        flees,
    };
    Setup {
        fighters: fighters.collect(),
        table,
        sides: vec![side("player", true), side("solo", false)],
        alternating: false,
        rounds: Some(3),
        guides: false,
        mission: None,
        escort: None,
    }
}

fn rock(setup: &mut Setup, piece: &str, x: f64, y: f64) {
    let outline = ObstacleOutlines::embedded().find(piece).unwrap();
    let id = format!("O{}", setup.table.obstacles.len() + 1);
    let pose = tallyho::geometry::Pose::new(x, y, 0.0);
    setup.table.obstacles.push(outline.placed(id.into(), pose));
}

fn ship_of<'s>(setup: &'s mut Setup, id: &str) -> &'s mut Ship {
    setup.table.ships.iter_mut().find(|ship| &*ship.id == id).unwrap()
}

/// Gives a ship white actions that its card has not.
fn give(setup: &mut Setup, id: &str, kinds: &[ActionKind]) {
    let bar: Vec<BarAction> = (kinds.iter())
        .map(|&kind| BarAction {
            action: ColoredAction {
                kind,
                difficulty: Difficulty::White,
            },
            linked: None,
        })
        .collect();
    ship_of(setup, id).actions.clone_from(&bar);
    let fighter = setup.fighters.iter_mut().find(|(other, _)| &**other == id);
    fighter.unwrap().1.actions = bar;
}

fn flight(maneuver: &str, alignment: Alignment) -> Answer {
    Answer::Fly(Flight {
        maneuver: maneuver.parse().unwrap(),
        alignment,
        edge_turn: None,
    })
}

fn fly(maneuver: &str) -> Answer {
    flight(maneuver, Alignment::Middle)
}

fn white(kind: ActionKind, detail: ActionDetail) -> Answer {
    Answer::Act(vec![Order::Bar {
        kind,
        difficulty: Difficulty::White,
        detail,
    }])
}

/// What somebody answers who does nothing: the slowest straight, no action, no attack.
fn idle(battle: &Battle) -> Answer {
    let request = battle.pending().unwrap();
    match request {
        Request::Fly { fixed, ship } => {
            let ship = battle.table().ship(ship).unwrap();
            let straights = ship.dial.maneuvers().iter();
            let straight = straights
                .filter(|maneuver| maneuver.bearing == tallyho::xwing::maneuver::Bearing::Straight)
                .min()
                .unwrap();
            fly(&fixed.unwrap_or(*straight).to_string())
        }
        Request::Decloak { .. } => Answer::Decloak(None),
        Request::Drop { .. } => Answer::Drop(None),
        Request::Pull { .. } => Answer::Pull(None),
        Request::Effect(_) => Answer::Effect(None),
        Request::Attack { .. } => Answer::Attack(None),
        Request::ModifyAttack { .. } => Answer::ModifyAttack(AttackStep::Finish {
            spending: Spending::default(),
            changed: 0,
        }),
        Request::ModifyDefence { .. } => Answer::ModifyDefence(Spending::default()),
        _ => Answer::Act(Vec::new()),
    }
}

/// Everybody is idle until somebody is asked what `wanted` names; at the latest until it is over.
fn until(battle: &mut Battle, dice: &mut Dice, wanted: impl Fn(&Request) -> bool) {
    while battle.pending().is_some_and(|request| !wanted(request)) {
        let answer = idle(battle);
        battle.answer(answer, dice).unwrap();
    }
}

fn flies(id: &str) -> impl Fn(&Request) -> bool + use<'_> {
    move |request| matches!(request, Request::Fly { ship, .. } if &**ship == id)
}

fn acts(id: &str) -> impl Fn(&Request) -> bool + use<'_> {
    move |request| matches!(request, Request::Act { ship, .. } if &**ship == id)
}

fn attacks(id: &str) -> impl Fn(&Request) -> bool + use<'_> {
    move |request| matches!(request, Request::Attack { ship } if &**ship == id)
}

fn next_round(battle: &mut Battle, dice: &mut Dice) {
    let round = battle.round();
    while battle.pending().is_some() && battle.round() == round {
        let answer = idle(battle);
        battle.answer(answer, dice).unwrap();
    }
}

fn tokens(battle: &Battle, id: &str) -> Tokens {
    battle.table().ship(id).unwrap().tokens
}

#[test]
fn a_cloaked_ship_decloaks_in_the_system_phase_or_stays_and_cannot_attack() {
    let mut start = setup("ship P tiephphantom player 400,200 @0 cloak 1\nship S tielnfighter solo 400,460 @180\n");
    rock(&mut start, "coreasteroid1", 400.0, 330.0);
    let mut dice = Dice::default();
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    assert_eq!(battle.phase(), Phase::System);
    // Two more defence dice while it is cloaked.
    let dice_of = |battle: &Battle| {
        let (attacker, defender) = (battle.table().ship("S").unwrap(), battle.table().ship("P").unwrap());
        let weapon = &attacker.weapons[0];
        let target = tallyho::xwing::targeting::legal_target(
            &tallyho::xwing::edition::Rules::SECOND,
            attacker,
            weapon,
            defender,
        )
        .unwrap();
        battle.pools(attacker, defender, weapon, &target, false).defence_dice
    };
    let cloaked = dice_of(&battle);
    let ahead = battle.answer(Answer::Decloak(Some(Decloak::Forward)), &mut dice);
    assert!(
        matches!(ahead, Err(Refused::Action { .. })),
        "the asteroid is in the way: {ahead:?}"
    );
    assert_eq!(tokens(&battle, "P").cloak, 1);
    let left = Decloak::Sideways {
        side: Hand::Left,
        slide_mm: 10.0,
    };
    battle.answer(Answer::Decloak(Some(left)), &mut dice).unwrap();
    let ship = battle.table().ship("P").unwrap();
    assert_eq!(
        (ship.pose.position.x, ship.pose.position.y, ship.tokens.cloak),
        (280.0, 210.0, 0)
    );
    assert_eq!(dice_of(&battle) + 2, cloaked);
    next_round(&mut battle, &mut dice);
    assert_eq!(audit(&start, battle.events()), []);

    let mut battle = Battle::new(start, &mut dice).unwrap();
    battle.answer(Answer::Decloak(None), &mut dice).unwrap();
    until(&mut battle, &mut dice, flies("P"));
    battle.answer(fly("2TW"), &mut dice).unwrap();
    until(&mut battle, &mut dice, acts("P"));
    let again = battle.answer(white(ActionKind::Cloak, ActionDetail::Token), &mut dice);
    assert!(matches!(again, Err(Refused::Action { .. })));
    next_round(&mut battle, &mut dice);
    let fired = battle
        .events()
        .iter()
        .any(|event| matches!(event, Event::Attacked { attacker, .. } if &**attacker == "P"));
    assert!(!fired && tokens(&battle, "P").cloak == 1);
}

#[test]
fn a_ship_that_becomes_tractored_may_be_moved_once_onto_obstacles_too() {
    let mut start = setup("ship P t65xwing player 400,200 @0\nship S tielnfighter solo 700,700 @180\n");
    rock(&mut start, "coreasteroid5", 400.0, 300.0);
    let mut dice = Dice::default();
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    battle.gain_tractor("P", 1, &"S".into());
    assert_eq!(tokens(&battle, "P").tractor, 1);
    until(&mut battle, &mut dice, |request| {
        matches!(request, Request::Pull { .. })
    });
    let Some(Request::Pull { ship, target }) = battle.pending() else {
        panic!("{:?}", battle.pending());
    };
    assert_eq!((&**ship, &**target), ("S", "P"));
    let away = Answer::Pull(Some(Pull::BarrelRoll {
        side: Hand::Left,
        slide_mm: 3.0,
    }));
    assert!(
        matches!(battle.answer(away, &mut dice), Err(Refused::Pull { .. })),
        "no such slide"
    );
    let before = battle.fighter("P").unwrap().left();
    dice.0.push_back(AttackFace::Hit);
    battle.answer(Answer::Pull(Some(Pull::Boost)), &mut dice).unwrap();
    assert!(
        battle
            .events()
            .iter()
            .any(|event| matches!(event, Event::Pulled { .. }))
    );
    assert_eq!(battle.fighter("P").unwrap().left(), before - 1, "the asteroid's die");
    // A second token in the same round moves it no more.
    battle.gain_tractor("P", 1, &"S".into());
    while battle.round() == 1 {
        assert!(!matches!(battle.pending(), Some(Request::Pull { .. })));
        let answer = idle(&battle);
        battle.answer(answer, &mut dice).unwrap();
    }
    assert_eq!(tokens(&battle, "P").tractor, 0);
    // In the next round it may be moved again.
    battle.gain_tractor("P", 1, &"S".into());
    until(&mut battle, &mut dice, |request| {
        matches!(request, Request::Pull { .. })
    });
    assert!(matches!(battle.pending(), Some(Request::Pull { .. })));
}

#[test]
fn a_tractor_beam_that_hits_lets_its_side_move_the_ship() {
    let mut start = setup("ship P asf01bwing player 400,100 @0\nship S tielnfighter solo 400,400 @180\n");
    let resolved = Catalog::embedded()
        .resolve("asf01bwing", None, ["tractorbeam"])
        .unwrap();
    start.fighters[0].1 = Fighter::of(&resolved).unwrap();
    let ship = ship_of(&mut start, "P");
    (ship.weapons, ship.initiative) = (resolved.weapons, 6);
    let weapon = ship
        .weapons
        .iter()
        .position(|weapon| weapon.id == "tractorbeam")
        .unwrap();
    let mut dice = Dice::default();
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    until(&mut battle, &mut dice, attacks("P"));
    dice.0.extend([AttackFace::Hit, AttackFace::Blank, AttackFace::Blank]);
    let attack = AttackOrder {
        weapon,
        target: "S".into(),
    };
    battle.answer(Answer::Attack(Some(attack)), &mut dice).unwrap();
    until(&mut battle, &mut dice, |request| {
        matches!(request, Request::Pull { .. } | Request::Attack { .. })
    });
    let asked = matches!(battle.pending(), Some(Request::Pull { ship, target }) if &**ship == "P" && &**target == "S");
    assert!(asked, "{:?}", battle.pending());
    assert_eq!(tokens(&battle, "S").tractor, 1);
    let from = battle.table().ship("S").unwrap().pose;
    // Ahead of it stands P.
    let ahead = battle.answer(Answer::Pull(Some(Pull::Boost)), &mut dice);
    assert!(matches!(ahead, Err(Refused::Pull { .. })), "{ahead:?}");
    let left = Pull::BarrelRoll {
        side: Hand::Left,
        slide_mm: 0.0,
    };
    battle.answer(Answer::Pull(Some(left)), &mut dice).unwrap();
    let to = battle.table().ship("S").unwrap().pose;
    assert_eq!(
        (to.position.x - from.position.x, to.position.y),
        (80.0, from.position.y)
    );
    next_round(&mut battle, &mut dice);
    assert_eq!(audit(&start, battle.events()), []);
}

#[test]
fn a_large_ship_is_tractored_by_three_tokens_and_loses_a_defence_die() {
    for (count, less) in [(2, 0), (3, 1)] {
        let fixture = format!(
            "ship P modifiedyt1300lightfreighter player 400,200 @0 tractor {count}\nship S tielnfighter solo 400,380 @180\n"
        );
        let mut dice = Dice::default();
        let mut start = setup(&fixture);
        // Agility 1, so that one die can be lost.
        start.fighters[0].1.agility = 2;
        let battle = Battle::new(start, &mut dice).unwrap();
        let (attacker, defender) = (battle.table().ship("S").unwrap(), battle.table().ship("P").unwrap());
        let weapon = &attacker.weapons[0];
        let target = tallyho::xwing::targeting::legal_target(
            &tallyho::xwing::edition::Rules::SECOND,
            attacker,
            weapon,
            defender,
        )
        .unwrap();
        let pools = battle.pools(attacker, defender, weapon, &target, false);
        assert_eq!(pools.defence_dice, 2 - less, "{count} tokens");
    }
}

#[test]
fn sa_6_1_an_ionized_ship_flies_the_ion_maneuver_may_only_focus_and_loses_the_tokens() {
    let mut start = setup("ship P t65xwing player 400,200 @0 ion 1\nship S tielnfighter solo 700,700 @180\n");
    let facts = DeckFacts::embedded();
    let mut deck = DamageDeck::shuffled(facts, &mut Dice::default());
    let leak = deck.take(facts, "fuel-leak").unwrap();
    start.fighters[0].1.integrity.face_up.push(leak);
    let mut dice = Dice::default();
    let mut battle = Battle::new(start, &mut dice).unwrap();
    until(&mut battle, &mut dice, flies("P"));
    assert!(matches!(
        battle.answer(fly("3FW"), &mut dice),
        Err(Refused::Maneuver { .. })
    ));
    battle.answer(fly("1FB"), &mut dice).unwrap();
    assert_eq!(tokens(&battle, "P").ion, 0);
    until(&mut battle, &mut dice, acts("P"));
    let lock = battle.answer(white(ActionKind::Lock, ActionDetail::Lock("S".into())), &mut dice);
    assert!(matches!(lock, Err(Refused::Action { .. })));
    let repair = || Answer::Act(vec![Order::Card("damage:fuel-leak".to_owned())]);
    let refused = battle.answer(repair(), &mut dice);
    assert!(matches!(refused, Err(Refused::Action { .. })));
    battle
        .answer(white(ActionKind::Focus, ActionDetail::Token), &mut dice)
        .unwrap();
    // In the next round it repairs.
    next_round(&mut battle, &mut dice);
    until(&mut battle, &mut dice, acts("P"));
    battle.answer(repair(), &mut dice).unwrap();
    assert!(battle.fighter("P").unwrap().integrity.face_up.is_empty());
}

/// P flies the straight of speed 1 first and stands with its front edge at y = 200.
fn before_acting(fixture: &str, kinds: &[ActionKind], prepare: impl Fn(&mut Setup)) -> (Setup, Battle) {
    let mut start = setup(fixture);
    give(&mut start, "P", kinds);
    ship_of(&mut start, "P").initiative = 1;
    prepare(&mut start);
    let mut dice = Dice::default();
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    until(&mut battle, &mut dice, flies("P"));
    battle.answer(fly("1FB"), &mut dice).unwrap();
    (start, battle)
}

#[test]
fn jam_is_at_range_1_and_takes_the_first_token_or_the_lock() {
    for (gap, allowed) in [(0.0, false), (60.0, true), (100.0, true), (101.0, false)] {
        for (evade, locks) in [(1, 1), (0, 0)] {
            let fixture = format!(
                "ship P t65xwing player 400,100 @0\nship S tielnfighter solo 400,{} @180 evade {evade} lock P\n",
                220.0 + gap
            );
            let (_, mut battle) = before_acting(&fixture, &[ActionKind::Jam], |_| {});
            let jam = white(ActionKind::Jam, ActionDetail::Jam("S".into()));
            let answered = battle.answer(jam, &mut Dice::default());
            assert_eq!(answered.is_ok(), allowed, "{gap} mm apart: {answered:?}");
            if allowed {
                let ship = battle.table().ship("S").unwrap();
                assert_eq!((ship.tokens.evade, ship.tokens.jam, ship.locks.len()), (0, 0, locks));
            }
        }
    }
}

#[test]
fn a_lock_is_at_range_0_to_3_and_the_old_one_goes() {
    for (y, allowed) in [(520.0, true), (521.0, false)] {
        let fixture = format!(
            "ship P t65xwing player 400,100 @0 lock T\nship S tielnfighter solo 400,{y} @180\nship T tielnfighter solo 700,300 @180\n"
        );
        let (_, mut battle) = before_acting(&fixture, &[ActionKind::Lock], |_| {});
        let lock = white(ActionKind::Lock, ActionDetail::Lock("S".into()));
        assert_eq!(battle.answer(lock, &mut Dice::default()).is_ok(), allowed, "{y}");
        let locks = &battle.table().ship("P").unwrap().locks;
        assert_eq!(*locks, [if allowed { "S".into() } else { "T".into() }]);
    }
}

#[test]
fn a_coordinated_ship_acts_at_once_at_range_1_or_2() {
    for (x, allowed) in [(441.0, true), (640.0, true), (641.0, false), (440.0, false)] {
        let fixture = format!(
            "ship P t65xwing player 400,100 @0\nship Q t65xwing player {x},180 @0\nship S tielnfighter solo 800,800 @180\n"
        );
        let (_, mut battle) = before_acting(&fixture, &[ActionKind::Coordinate], |setup| {
            give(setup, "Q", &[ActionKind::Focus]);
        });
        let coordinate = white(ActionKind::Coordinate, ActionDetail::Coordinate("Q".into()));
        let answered = battle.answer(coordinate, &mut Dice::default());
        assert_eq!(answered.is_ok(), allowed, "{x}: {answered:?}");
        if allowed {
            let asked = matches!(battle.pending(), Some(Request::Act { ship, coordinated_by: Some(by) })
                if &**ship == "Q" && &**by == "P");
            assert!(asked, "{:?}", battle.pending());
            battle
                .answer(white(ActionKind::Focus, ActionDetail::Token), &mut Dice::default())
                .unwrap();
            assert_eq!(tokens(&battle, "Q").focus, 1);
        }
    }
}

#[test]
fn reload_gives_a_charge_and_a_disarm_token_but_not_to_a_mine() {
    for (device, allowed) in [("protonbombs charges 0/2", true), ("proximitymines charges 0/2", false)] {
        let fixture =
            format!("ship P btla4ywing player 400,100 @0 device {device}\nship S tielnfighter solo 400,360 @180\n");
        let (_, mut battle) = before_acting(&fixture, &[ActionKind::Reload], |_| {});
        let id = device.split(' ').next().unwrap().to_owned();
        let reload = white(ActionKind::Reload, ActionDetail::Reload(id));
        assert_eq!(battle.answer(reload, &mut Dice::default()).is_ok(), allowed, "{device}");
        let ship = battle.table().ship("P").unwrap();
        let charges = ship.device.as_ref().unwrap().charges.left;
        assert_eq!((charges, ship.tokens.disarm), if allowed { (1, 1) } else { (0, 0) });
        // A disarmed ship holds its fire, and is disarmed no longer in the next round.
        let mut dice = Dice::default();
        until(&mut battle, &mut dice, |request| {
            matches!(request, Request::Attack { ship } if &**ship == "P") || matches!(request, Request::Drop { .. })
        });
        let asked = matches!(battle.pending(), Some(Request::Attack { .. }));
        assert_eq!(asked, !allowed);
        assert_eq!(tokens(&battle, "P").disarm, 0);
    }
}

#[test]
fn a_slam_is_at_the_same_speed_never_over_the_edge_and_disarms() {
    let slam = |maneuver: &str| {
        white(
            ActionKind::Slam,
            ActionDetail::Slam {
                maneuver: maneuver.parse().unwrap(),
                alignment: Alignment::Middle,
            },
        )
    };
    let fixture = "ship P btls8kwing player 400,100 @0\nship S tielnfighter solo 800,800 @180\n";
    let (start, mut battle) = before_acting(fixture, &[ActionKind::Slam], |_| {});
    let mut dice = Dice::default();
    assert!(battle.answer(slam("2FB"), &mut dice).is_err(), "another speed");
    battle.answer(slam("1FB"), &mut dice).unwrap();
    let ship = battle.table().ship("P").unwrap();
    assert_eq!(ship.tokens.disarm, 1);
    assert!((ship.pose.position.y - 300.0).abs() < 1e-6, "{:?}", ship.pose);
    next_round(&mut battle, &mut dice);
    assert_eq!(audit(&start, battle.events()), []);
    let fixture = "ship P btls8kwing player 400,750 @0\nship S tielnfighter solo 100,100 @180\n";
    let (_, mut battle) = before_acting(fixture, &[ActionKind::Slam], |_| {});
    assert!(battle.answer(slam("1FB"), &mut dice).is_err(), "it would flee");
    assert!(battle.table().ship("P").unwrap().in_play());
}

#[test]
fn deplete_costs_one_attack_die_and_one_token_goes_after_the_attack() {
    let mut start = setup("ship P t65xwing player 400,100 @0 deplete 2\nship S tielnfighter solo 400,500 @180\n");
    ship_of(&mut start, "P").initiative = 6;
    let mut dice = Dice::default();
    let mut battle = Battle::new(start, &mut dice).unwrap();
    until(&mut battle, &mut dice, flies("P"));
    // A white maneuver takes none of them.
    battle.answer(fly("3FW"), &mut dice).unwrap();
    assert_eq!(tokens(&battle, "P").deplete, 2);
    until(&mut battle, &mut dice, attacks("P"));
    let attack = AttackOrder {
        weapon: 0,
        target: "S".into(),
    };
    battle.answer(Answer::Attack(Some(attack)), &mut dice).unwrap();
    let pools = &battle.duel().unwrap().pools;
    let near = u8::from(battle.duel().unwrap().target.range <= 1);
    assert_eq!(pools.attack_dice, 3 - 1 + near);
    next_round(&mut battle, &mut dice);
    assert_eq!(tokens(&battle, "P").deplete, 1);
}

#[test]
fn reinforce_covers_the_side_that_was_chosen() {
    for (side, tokens_counted) in [(FullArc::Fore, 1), (FullArc::Aft, 0)] {
        let fixture = "ship P t65xwing player 400,100 @0\nship S tielnfighter solo 400,400 @180\n";
        let (_, mut battle) = before_acting(fixture, &[ActionKind::Reinforce], |_| {});
        battle
            .answer(
                white(ActionKind::Reinforce, ActionDetail::Reinforce(side)),
                &mut Dice::default(),
            )
            .unwrap();
        let (attacker, defender) = (battle.table().ship("S").unwrap(), battle.table().ship("P").unwrap());
        let weapon = &attacker.weapons[0];
        let target = tallyho::xwing::targeting::legal_target(
            &tallyho::xwing::edition::Rules::SECOND,
            attacker,
            weapon,
            defender,
        )
        .unwrap();
        let pools = battle.pools(attacker, defender, weapon, &target, false);
        assert_eq!(pools.defence_tokens.reinforce, tokens_counted);
    }
}

#[test]
fn sa_7_obstacles_take_the_action_and_roll_their_dice() {
    // Piece, die, damage, stress, strain, why there is no action.
    let cases = [
        ("coreasteroid5", AttackFace::Hit, 1, 0, 0, Some(LostAction::Obstacle)),
        ("coreasteroid5", AttackFace::Focus, 0, 0, 0, Some(LostAction::Obstacle)),
        ("yt2400debris0", AttackFace::Hit, 0, 1, 0, Some(LostAction::Stressed)),
        ("yt2400debris0", AttackFace::Crit, 1, 1, 0, Some(LostAction::Stressed)),
        ("gascloud4", AttackFace::Hit, 0, 0, 1, Some(LostAction::Obstacle)),
        ("gascloud4", AttackFace::Focus, 0, 0, 1, Some(LostAction::Obstacle)),
        ("gascloud4", AttackFace::Crit, 0, 0, 0, Some(LostAction::Obstacle)),
    ];
    for (piece, face, damage, stress, strain, lost) in cases {
        let mut start = setup("ship P t65xwing player 400,100 @0\nship S tielnfighter solo 800,800 @180\n");
        // Without shields a crit would lay a card whose effect is its own.
        start.fighters[0].1.integrity.shields = 2;
        rock(&mut start, piece, 400.0, 190.0);
        let mut dice = Dice::default();
        let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
        until(&mut battle, &mut dice, flies("P"));
        let before = battle.fighter("P").unwrap().left();
        dice.0.push_back(face);
        battle.answer(fly("3FW"), &mut dice).unwrap();
        let after = battle.fighter("P").unwrap().left();
        let now = tokens(&battle, "P");
        assert_eq!(
            (before - after, now.stress, now.strain),
            (damage, stress, strain),
            "{piece} {face:?}"
        );
        let cause = battle.events().iter().find_map(|event| match event {
            Event::ActionLost { ship, cause } if &**ship == "P" => Some(*cause),
            _ => None,
        });
        assert_eq!(cause, lost, "{piece} {face:?}");
        assert_eq!(audit(&start, battle.events()), [], "{piece} {face:?}");
    }
}

/// An action that leads over debris was declared before the stress that it brings; the next one was not.
#[test]
fn sa_7_the_audit_knows_stress_that_an_action_brings_from_stress_that_bars_it() {
    let fixture = "ship P t65xwing player 400,100 @0\nship S tielnfighter solo 800,800 @180\n";
    let roll = |hand| {
        white(
            ActionKind::BarrelRoll,
            ActionDetail::BarrelRoll {
                side: hand,
                slide_mm: 0.0,
            },
        )
    };
    for face in [AttackFace::Hit, AttackFace::Crit] {
        let mut start = setup(fixture);
        start.fighters[0].1.integrity.shields = 2;
        give(&mut start, "P", &[ActionKind::BarrelRoll]);
        // The ability to end a roll on an obstacle is a card's.
        let resolved = (Catalog::embedded())
            .resolve("t65xwing", None, ["collisiondetector"])
            .unwrap();
        start.fighters[0].1.cards = Fighter::of(&resolved).unwrap().cards;
        rock(&mut start, "yt2400debris0", 480.0, 180.0);
        let mut dice = Dice::default();
        let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
        until(&mut battle, &mut dice, acts("P"));
        dice.0.push_back(face);
        battle.answer(roll(Hand::Right), &mut dice).unwrap();
        assert_eq!(tokens(&battle, "P").stress, 1, "{face:?}");
        next_round(&mut battle, &mut dice);
        assert_eq!(audit(&start, battle.events()), [], "{face:?}");
        // The same action of a ship that was stressed before it is found.
        let met = (battle.events().iter())
            .position(|event| matches!(event, Event::MetObstacle { .. }))
            .unwrap();
        let mut before = battle.events().to_vec();
        let stressed = Event::Tokens {
            ship: "P".into(),
            tokens: tokens(&battle, "P"),
        };
        before.insert(met, stressed);
        let found = audit(&start, &before);
        assert!(
            found
                .iter()
                .any(|violation| violation.what.contains("acts while stressed")),
            "{found:?}"
        );
    }
}

#[test]
fn force_comes_back_one_a_round_and_a_purple_maneuver_costs_one() {
    let mut start =
        setup("ship P delta7aethersprite player 400,100 @0 force 0\nship S tielnfighter solo 800,800 @180\n");
    start.fighters[0].1.force = 2;
    let mut dice = Dice::default();
    let mut battle = Battle::new(start, &mut dice).unwrap();
    for expected in [1, 2] {
        next_round(&mut battle, &mut dice);
        assert_eq!(tokens(&battle, "P").force, expected);
    }
}

#[test]
fn a_tallon_roll_by_slam_ends_where_it_was_aligned() {
    let fixture = "ship P btls8kwing player 400,400 @0\nship S tielnfighter solo 100,100 @180\n";
    for (alignment, y) in [
        (Alignment::Forward, 10.0),
        (Alignment::Middle, 0.0),
        (Alignment::Back, -10.0),
    ] {
        let roll = "1ER".parse().unwrap();
        let (_, mut battle) = before_acting(fixture, &[ActionKind::Slam], |setup| {
            let ship = ship_of(setup, "P");
            let mut dial = ship.dial.maneuvers().to_vec();
            dial.push(roll);
            ship.dial = std::sync::Arc::new(tallyho::xwing::maneuver::Dial::new(dial));
        });
        let stood = battle.table().ship("P").unwrap().pose.position.y;
        let slam = ActionDetail::Slam {
            maneuver: roll,
            alignment,
        };
        battle
            .answer(white(ActionKind::Slam, slam), &mut Dice::default())
            .unwrap();
        let pose = battle.table().ship("P").unwrap().pose;
        // Turn 1 on a medium base: 65 mm.
        assert!(
            (pose.position.y - stood - 65.0 - y).abs() < 1e-6,
            "{alignment:?}: {pose:?}"
        );
        assert_eq!(pose.heading, 180.0);
    }
}
