//! Rounds of a battle, choice by choice, and the audit that watches it.

use tallyho::{
    dice::{AttackFace, DefenceFace, DiceSource, SeededDice},
    geometry::Pose,
    sim::{self, Plan, squad},
    xwing::{
        action::{ActionDetail, ActionKind},
        battle::{
            Answer, AttackOrder, Battle, Event, Flight, LostAction, NoAttack, Order, Phase, Refused, Request, Setup,
            Windows, audit::audit,
        },
        catalog::Catalog,
        combat::{AttackStep, Spending},
        maneuver::{Difficulty, Maneuver},
        movement::Alignment,
        ship::Status,
        targeting::Blocked,
    },
};

/// Dice that always show the same; cards are drawn as they come.
#[derive(Debug, Clone, Copy)]
struct Always(AttackFace, DefenceFace);

impl DiceSource for Always {
    fn attack(&mut self) -> AttackFace {
        self.0
    }
    fn defence(&mut self) -> DefenceFace {
        self.1
    }
    fn choose(&mut self, _count: usize) -> usize {
        0
    }
}

static DEADLY: Always = Always(AttackFace::Hit, DefenceFace::Blank);
static HARMLESS: Always = Always(AttackFace::Blank, DefenceFace::Blank);

/// A battle of TIE/ln against X-wings without obstacles, the ships where the test wants them.
fn setup(player: &[(f64, f64, f64)], solo: &[(f64, f64, f64)]) -> Setup {
    let squad = |ship: &str, count: usize| squad::read(&format!("{count}*{ship}"), Catalog::embedded()).unwrap();
    let plan = Plan {
        rounds: 4,
        ..Plan::lines(squad("t65xwing", player.len()), squad("tielnfighter", solo.len()))
    };
    let mut setup = sim::open(&plan, 0, 0, &mut SeededDice::new(0)).unwrap().setup;
    setup.table.obstacles.clear();
    for (poses, letter) in [(player, 'P'), (solo, 'S')] {
        for (place, &(x, y, heading)) in poses.iter().enumerate() {
            ship(&mut setup, &format!("{letter}{}", place + 1)).pose = Pose::new(x, y, heading);
        }
    }
    setup
}

fn ship<'s>(setup: &'s mut Setup, id: &str) -> &'s mut tallyho::xwing::ship::Ship {
    setup.table.ships.iter_mut().find(|ship| &*ship.id == id).unwrap()
}

fn fly(maneuver: &str) -> Answer {
    Answer::Fly(Flight {
        maneuver: maneuver.parse().unwrap(),
        alignment: Alignment::Middle,
        edge_turn: None,
    })
}

fn focus() -> Answer {
    Answer::Act(vec![bar(ActionKind::Focus, ActionDetail::Token)])
}

fn bar(kind: ActionKind, detail: ActionDetail) -> Order {
    Order::Bar {
        kind,
        difficulty: Difficulty::White,
        detail,
    }
}

/// What a test that does not care answers: the slowest straight, no action, the first legal attack, nothing spent.
fn usual(battle: &Battle) -> Answer {
    let request = battle.pending().unwrap();
    let ship = battle.table().ship(request.ship()).unwrap();
    let straight = |ship: &tallyho::xwing::ship::Ship| -> Maneuver {
        let dial = ship.dial.maneuvers().iter();
        *dial
            .filter(|m| m.bearing == tallyho::xwing::maneuver::Bearing::Straight)
            .min()
            .unwrap()
    };
    match request {
        Request::Dial { .. } => Answer::Dial(straight(ship)),
        Request::Fly { fixed, .. } => fly(&fixed.unwrap_or_else(|| straight(ship)).to_string()),
        Request::Decloak { .. } => Answer::Decloak(None),
        Request::Drop { .. } => Answer::Drop(None),
        Request::Pull { .. } => Answer::Pull(None),
        Request::PickManeuver { .. } | Request::Jammed { .. } | Request::MineUnder { .. } => {
            tallyho::commander::picks::pick(battle, request).unwrap()
        }
        Request::Detonate { .. } | Request::Act { .. } => Answer::Act(Vec::new()),
        Request::Attack { .. } => {
            let table = battle.targets();
            let target = table.ships_in_play().find(|other| {
                other.is_enemy_of(ship)
                    && tallyho::xwing::targeting::legal_target(
                        &tallyho::xwing::edition::Rules::SECOND,
                        ship,
                        &ship.weapons[0],
                        other,
                    )
                    .is_some()
            });
            Answer::Attack(target.map(|target| AttackOrder {
                weapon: 0,
                target: target.id.clone(),
            }))
        }
        Request::ModifyAttack { .. } => Answer::ModifyAttack(AttackStep::Finish {
            spending: Spending::default(),
            changed: 0,
        }),
        Request::Effect(offer) => Answer::Effect(offer.default),
        Request::CardAction(_) => Answer::Act(Vec::new()),
        Request::ModifyDefence { .. } => Answer::ModifyDefence(Spending::default()),
        Request::Dice { .. } => {
            let windows = battle.duel().and_then(|duel| duel.windows.as_ref());
            Answer::Dice(windows.and_then(Windows::idle).unwrap())
        }
    }
}

/// Answers as usual until somebody is asked for what `wanted` names, or it is over.
fn until(battle: &mut Battle, dice: &mut dyn DiceSource, wanted: impl Fn(&Request) -> bool) {
    while battle.pending().is_some_and(|request| !wanted(request)) {
        let answer = usual(battle);
        battle.answer(answer, dice).unwrap();
    }
}

fn until_round(battle: &mut Battle, dice: &mut dyn DiceSource, round: u32) {
    while battle.pending().is_some() && battle.round() < round {
        let answer = usual(battle);
        battle.answer(answer, dice).unwrap();
    }
}

fn turns(battle: &Battle, phase: Phase) -> Vec<String> {
    let mut now = Phase::End;
    let mut turns = Vec::new();
    for event in battle.events() {
        match event {
            Event::PhaseBegan(phase) => now = *phase,
            Event::Flew { ship, slam: false, .. } if phase == Phase::Activation => turns.push(ship.to_string()),
            Event::Attacked { attacker: ship, .. } | Event::HeldFire { ship, .. } if now == phase => {
                turns.push(ship.to_string());
            }
            _ => {}
        }
    }
    turns
}

#[test]
fn ships_move_from_low_to_high_initiative_and_engage_from_high_to_low() {
    for (player_first, moves, shots) in [
        (true, ["P1", "S1", "P2", "S2"], ["P2", "S2", "P1", "S1"]),
        (false, ["S1", "P1", "S2", "P2"], ["S2", "P2", "S1", "P1"]),
    ] {
        let mut setup = setup(
            &[(200.0, 100.0, 0.0), (400.0, 100.0, 0.0)],
            &[(200.0, 700.0, 180.0), (400.0, 700.0, 180.0)],
        );
        for (id, initiative) in [("P1", 2), ("S1", 2), ("P2", 4), ("S2", 4)] {
            ship(&mut setup, id).initiative = initiative;
        }
        if !player_first {
            setup.sides.reverse();
        }
        let mut dice = HARMLESS;
        let mut battle = Battle::new(setup, &mut dice).unwrap();
        until_round(&mut battle, &mut dice, 2);
        assert_eq!(turns(&battle, Phase::Activation), moves);
        assert_eq!(turns(&battle, Phase::Engagement), shots);
    }
}

#[test]
fn a_ship_shot_down_still_fires_at_its_own_initiative_but_not_at_a_lower_one() {
    for (initiative, both_fall) in [(3, true), (2, false)] {
        let mut setup = setup(&[(400.0, 200.0, 0.0)], &[(400.0, 450.0, 180.0)]);
        ship(&mut setup, "P1").initiative = 3;
        ship(&mut setup, "S1").initiative = initiative;
        for (_, fighter) in &mut setup.fighters {
            fighter.integrity.hull = 1;
            fighter.integrity.shields = 0;
        }
        let start = setup.clone();
        let mut dice = DEADLY;
        let mut battle = Battle::new(setup, &mut dice).unwrap();
        until(&mut battle, &mut dice, |_| false);
        assert_eq!(turns(&battle, Phase::Engagement).len(), if both_fall { 2 } else { 1 });
        assert_eq!(battle.winner(), if both_fall { None } else { Some("player") });
        assert_eq!(battle.table().ship("S1").unwrap().status, Status::Destroyed);
        assert_eq!(audit(&start, battle.events()), []);
    }
}

#[test]
fn round_tokens_go_in_the_end_phase_and_stress_and_locks_stay() {
    let mut setup = setup(&[(300.0, 100.0, 0.0)], &[(300.0, 800.0, 180.0)]);
    let tokens = &mut ship(&mut setup, "P1").tokens;
    (tokens.focus, tokens.evade, tokens.disarm, tokens.stress, tokens.strain) = (2, 1, 1, 2, 2);
    ship(&mut setup, "P1").locks = vec!["S1".into()];
    // A maneuver that is not blue leaves stress and strain alone.
    let mut dice = HARMLESS;
    let mut battle = Battle::new(setup, &mut dice).unwrap();
    battle.answer(Answer::Dial("4FW".parse().unwrap()), &mut dice).unwrap();
    until_round(&mut battle, &mut dice, 2);
    let ship = battle.table().ship("P1").unwrap();
    let tokens = ship.tokens;
    assert_eq!((tokens.focus, tokens.evade, tokens.disarm), (0, 0, 0));
    assert_eq!((tokens.stress, tokens.strain), (2, 2));
    assert_eq!(ship.locks, ["S1".into()]);
}

#[test]
fn strain_costs_one_defence_die_and_goes_when_it_has() {
    let mut setup = setup(&[(300.0, 100.0, 0.0)], &[(300.0, 500.0, 180.0)]);
    ship(&mut setup, "S1").tokens.strain = 2;
    ship(&mut setup, "P1").initiative = 6;
    let mut dice = HARMLESS;
    let mut battle = Battle::new(setup, &mut dice).unwrap();
    until(
        &mut battle,
        &mut dice,
        |request| matches!(request, Request::Fly { ship, .. } if &**ship == "S1"),
    );
    battle.answer(fly("2FB"), &mut dice).unwrap();
    // The blue maneuver has taken one of the two.
    assert_eq!(battle.table().ship("S1").unwrap().tokens.strain, 1);
    until(&mut battle, &mut dice, |request| {
        matches!(request, Request::ModifyAttack { .. })
    });
    let duel = battle.duel().unwrap();
    let far = u8::from(duel.target.range == 3);
    assert_eq!(duel.pools.defence_dice, 3 - 1 + far);
    until(&mut battle, &mut dice, |request| {
        matches!(request, Request::Dial { .. })
    });
    assert_eq!(battle.table().ship("S1").unwrap().tokens.strain, 0);
}

#[test]
fn an_asteroid_takes_the_action_a_hit_and_the_attack() {
    let mut setup = setup(&[(300.0, 100.0, 0.0)], &[(300.0, 420.0, 180.0)]);
    let outlines = tallyho::xwing::obstacle_outlines::ObstacleOutlines::embedded();
    let rock = outlines.find("coreasteroid5").unwrap();
    setup.table.obstacles = vec![rock.placed("O1".into(), Pose::new(300.0, 180.0, 0.0))];
    let mut dice = DEADLY;
    let mut battle = Battle::new(setup.clone(), &mut dice).unwrap();
    let left = battle.fighter("P1").unwrap().left();
    battle.answer(Answer::Dial("1FB".parse().unwrap()), &mut dice).unwrap();
    until(
        &mut battle,
        &mut dice,
        |request| matches!(request, Request::Fly { ship, .. } if &**ship == "S1"),
    );
    assert_eq!(battle.fighter("P1").unwrap().left(), left - 1);
    let lost = battle
        .events()
        .iter()
        .any(|event| matches!(event, Event::ActionLost { ship, cause: LostAction::Obstacle } if &**ship == "P1"));
    assert!(lost, "{:?}", battle.events());
    until_round(&mut battle, &mut dice, 2);
    let blocked = battle.events().iter().any(|event| match event {
        Event::HeldFire {
            ship,
            cause: NoAttack::Blocked(blocked),
        } => &**ship == "P1" && blocked == &[Blocked::Asteroid("O1".into())],
        _ => false,
    });
    assert!(blocked, "{:?}", battle.events());
    assert_eq!(audit(&setup, battle.events()), []);
}

#[test]
fn a_players_ship_flees_over_the_edge_and_a_solo_ship_stops_and_turns() {
    let mut setup = setup(
        &[(200.0, 880.0, 0.0), (700.0, 100.0, 0.0)],
        &[(300.0, 40.0, 180.0), (500.0, 40.0, 180.0)],
    );
    ship(&mut setup, "S2").tokens.stress = 1;
    let mut dice = HARMLESS;
    let mut battle = Battle::new(setup.clone(), &mut dice).unwrap();
    let flight = |turn| {
        Answer::Fly(Flight {
            maneuver: "2FB".parse().unwrap(),
            alignment: Alignment::Middle,
            edge_turn: Some(turn),
        })
    };
    for id in ["S1", "S2"] {
        until(
            &mut battle,
            &mut dice,
            |request| matches!(request, Request::Fly { ship, .. } if &**ship == id),
        );
        battle.answer(flight(180.0), &mut dice).unwrap();
    }
    let table = battle.table();
    assert_eq!(table.ship("P1").unwrap().status, Status::Removed);
    let s1 = table.ship("S1").unwrap();
    assert!(
        (s1.pose.position.y - 20.0).abs() < 1e-3 && s1.pose.heading == 0.0,
        "{:?}",
        s1.pose
    );
    // SA-7: the edge gives a stress and a disarm token; before that the blue maneuver takes the stress that S2 had.
    for id in ["S1", "S2"] {
        let gained = battle.events().iter().find_map(|event| match event {
            Event::Tokens { ship, tokens } if &**ship == id => Some((tokens.stress, tokens.disarm)),
            _ => None,
        });
        assert_eq!(gained, Some((1, 1)), "{id}");
        let lost = battle
            .events()
            .iter()
            .any(|event| matches!(event, Event::ActionLost { ship, cause: LostAction::Edge } if &**ship == id));
        assert!(lost, "{id}");
    }
    assert_eq!(audit(&setup, battle.events()), []);
}

#[test]
fn a_stressed_ship_flies_a_white_2_straight_for_a_red_maneuver() {
    let mut setup = setup(&[(300.0, 100.0, 0.0)], &[(300.0, 700.0, 180.0)]);
    ship(&mut setup, "P1").tokens.stress = 1;
    let mut dice = HARMLESS;
    let mut battle = Battle::new(setup.clone(), &mut dice).unwrap();
    let dial = battle.table().ship("P1").unwrap().dial.clone();
    let mut dial = dial.maneuvers().iter();
    let red = dial.find(|maneuver| maneuver.difficulty == Difficulty::Red).unwrap();
    battle.answer(Answer::Dial(*red), &mut dice).unwrap();
    until(
        &mut battle,
        &mut dice,
        |request| matches!(request, Request::Fly { ship, .. } if &**ship == "P1"),
    );
    let Some(Request::Fly { fixed, .. }) = battle.pending() else {
        panic!("{:?}", battle.pending());
    };
    assert_eq!(*fixed, Some("2FW".parse().unwrap()));
    battle.answer(fly("2FW"), &mut dice).unwrap();
    assert_eq!(battle.table().ship("P1").unwrap().tokens.stress, 1);
    assert_eq!(audit(&setup, battle.events()), []);
}

#[test]
fn what_the_rules_do_not_allow_is_refused_and_changes_nothing() {
    let setup = setup(&[(300.0, 100.0, 0.0)], &[(300.0, 520.0, 180.0)]);
    let mut dice = HARMLESS;
    let mut battle = Battle::new(setup, &mut dice).unwrap();
    let refuse = |battle: &mut Battle, answer: Answer| {
        let (before, count) = (battle.table().clone(), battle.events().len());
        let refused = battle.answer(answer, &mut { HARMLESS }).unwrap_err();
        assert_eq!((battle.table(), battle.events().len()), (&before, count));
        refused
    };
    assert_eq!(refuse(&mut battle, focus()), Refused::NotAsked);
    let off_dial = refuse(&mut battle, Answer::Dial("5KR".parse().unwrap()));
    assert!(matches!(off_dial, Refused::Maneuver { .. }));
    battle.answer(Answer::Dial("2FB".parse().unwrap()), &mut dice).unwrap();
    until(
        &mut battle,
        &mut dice,
        |request| matches!(request, Request::Fly { ship, .. } if &**ship == "P1"),
    );
    // Not what its dial shows.
    assert!(matches!(refuse(&mut battle, fly("1FB")), Refused::Maneuver { .. }));
    battle.answer(fly("2FB"), &mut dice).unwrap();
    until(
        &mut battle,
        &mut dice,
        |request| matches!(request, Request::Act { ship, .. } if &**ship == "P1"),
    );
    let evade = Answer::Act(vec![bar(ActionKind::Evade, ActionDetail::Token)]);
    assert!(
        matches!(refuse(&mut battle, evade), Refused::Action { .. }),
        "no evade on its bar"
    );
    // The first of two would do, the second is not linked to it.
    let twice = vec![
        bar(ActionKind::Focus, ActionDetail::Token),
        bar(ActionKind::Focus, ActionDetail::Token),
    ];
    assert!(matches!(
        refuse(&mut battle, Answer::Act(twice)),
        Refused::Action { .. }
    ));
    battle.answer(focus(), &mut dice).unwrap();
    assert_eq!(battle.table().ship("P1").unwrap().tokens.focus, 1);
    until(
        &mut battle,
        &mut dice,
        |request| matches!(request, Request::Attack { ship } if &**ship == "P1"),
    );
    let friend = AttackOrder {
        weapon: 0,
        target: "P1".into(),
    };
    assert!(matches!(
        refuse(&mut battle, Answer::Attack(Some(friend))),
        Refused::Attack { .. }
    ));
    let attack = AttackOrder {
        weapon: 0,
        target: "S1".into(),
    };
    battle.answer(Answer::Attack(Some(attack)), &mut dice).unwrap();
    let lock = Spending {
        lock: 1,
        ..Spending::default()
    };
    let lock = AttackStep::Finish {
        spending: lock,
        changed: 0,
    };
    assert!(matches!(
        refuse(&mut battle, Answer::ModifyAttack(lock)),
        Refused::Spending { .. }
    ));
}

#[test]
fn damage_cards_change_the_dice_the_dial_and_the_bar_until_they_are_repaired() {
    use tallyho::xwing::damage_deck::{DamageDeck, DeckFacts};
    let facts = DeckFacts::embedded();
    let mut deck = DamageDeck::shuffled(facts, &mut { HARMLESS });
    let mut setup = setup(&[(300.0, 100.0, 0.0)], &[(300.0, 520.0, 180.0)]);
    let (_, fighter) = setup.fighters.iter_mut().find(|(id, _)| &**id == "P1").unwrap();
    for card in ["weapons-failure", "structural-damage"] {
        fighter.integrity.face_up.push(deck.take(facts, card).unwrap());
    }
    let mut dice = HARMLESS;
    let mut battle = Battle::new(setup, &mut dice).unwrap();
    let dice_of = |battle: &Battle, from: &str, to: &str| {
        let (from, to) = (battle.table().ship(from).unwrap(), battle.table().ship(to).unwrap());
        let weapon = &from.weapons[0];
        let mut target =
            tallyho::xwing::targeting::legal_target(&tallyho::xwing::edition::Rules::SECOND, from, weapon, to);
        target.as_mut().unwrap().range = 2;
        let pools = battle.pools(from, to, weapon, &target.unwrap(), false);
        (pools.attack_dice, pools.defence_dice)
    };
    until(
        &mut battle,
        &mut dice,
        |request| matches!(request, Request::Act { ship, .. } if &**ship == "P1"),
    );
    assert_eq!(
        battle.card_actions("P1"),
        ["damage:weapons-failure"],
        "only one of the two has such an action"
    );
    until(&mut battle, &mut dice, |request| {
        matches!(request, Request::Attack { .. })
    });
    // X-wing: 3 dice, agility 2; TIE: 2 dice, agility 3.
    assert_eq!(dice_of(&battle, "P1", "S1"), (3 - 1, 3));
    assert_eq!(dice_of(&battle, "S1", "P1"), (2, 2 - 1));
    until(
        &mut battle,
        &mut dice,
        |request| matches!(request, Request::Act { ship, .. } if &**ship == "P1"),
    );
    let card = battle.card_actions("P1").remove(0);
    battle.answer(Answer::Act(vec![Order::Card(card)]), &mut dice).unwrap();
    assert_eq!(battle.fighter("P1").unwrap().integrity.face_up.len(), 1);
}

/// Whole games by the simulation, for the audit to find fault with.
fn record() -> (Setup, Vec<Event>) {
    let squad = |text: &str| squad::read(text, Catalog::embedded()).unwrap();
    let plan = Plan {
        rounds: 8,
        ..Plan::lines(squad("2*t65xwing"), squad("3*tielnfighter"))
    };
    let mut dice = SeededDice::new(5);
    let setup = sim::open(&plan, 0, 0, &mut dice).unwrap().setup;
    let (battle, _) = sim::play(setup.clone(), &mut sim::Commanders::new(&plan), &mut dice).unwrap();
    (setup, battle.events().to_vec())
}

#[test]
fn the_audit_finds_what_is_changed_in_a_true_record() {
    let (setup, events) = record();
    assert_eq!(audit(&setup, &events), []);
    let find = |wanted: &dyn Fn(&Event) -> bool| events.iter().position(wanted).unwrap();
    let changed = |place: usize, change: &dyn Fn(&mut Event)| {
        let mut events = events.clone();
        change(&mut events[place]);
        audit(&setup, &events)
    };
    let without = |place: usize| {
        let mut events = events.clone();
        events.remove(place);
        audit(&setup, &events)
    };
    let flew = find(&|event| matches!(event, Event::Flew { .. }));
    let acted = find(&|event| matches!(event, Event::Acted { .. }));
    let attacked = find(&|event| matches!(event, Event::Attacked { .. }));
    let suffered = find(&|event| matches!(event, Event::Suffered { .. }));
    let dial = find(&|event| matches!(event, Event::DialSet { .. }));
    let removed = find(&|event| matches!(event, Event::Removed { .. }));
    let phase = find(&|event| matches!(event, Event::PhaseBegan(Phase::Engagement)));

    assert_ne!(without(flew), [], "a ship had no turn");
    assert_ne!(without(phase), [], "a phase is missing");
    assert_ne!(without(removed), [], "a destroyed ship stays");
    assert_ne!(without(suffered), [], "damage that did not happen");
    let twice = {
        let mut events = events.clone();
        events.insert(acted, events[acted].clone());
        audit(&setup, &events)
    };
    assert_ne!(twice, [], "the same action twice");
    let elsewhere = changed(flew, &|event| {
        if let Event::Flew { to, .. } = event {
            to.position.x = -300.0;
        }
    });
    assert_ne!(elsewhere, [], "a ship outside the table");
    let on_another = changed(flew, &|event| {
        if let Event::Flew { ship, to, .. } = event {
            let other = setup.table.ships.iter().find(|other| other.id != *ship).unwrap();
            *to = other.pose;
        }
    });
    assert_ne!(on_another, [], "a ship on another");
    let off_dial = changed(dial, &|event| {
        if let Event::DialSet { maneuver, .. } = event {
            *maneuver = "5KR".parse().unwrap();
        }
    });
    assert_ne!(off_dial, [], "a maneuver that the dial has not");
    let too_near = changed(attacked, &|event| {
        if let Event::Attacked { range, .. } = event {
            *range = 0;
        }
    });
    assert_ne!(too_near, [], "an attack at range 0");
}
