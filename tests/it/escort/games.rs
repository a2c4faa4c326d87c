//! Whole games of Political Escort stand up to the audit, and who moves first, what has a dial, what outlives a round.

use std::sync::Arc;

use tallyho::{
    dice::SeededDice,
    sim::{
        Commanders, Plan, PlayerPolicy, dice_of,
        escort::{EscortField, EscortGame, Holder},
        field::Field,
        harmless, play,
    },
    xwing::{
        battle::{Battle, EscortEvent, EscortInPlay, Event, Request, Setup, audit::audit},
        catalog::Catalog,
        edition::{DamageDecks, Edition},
        escort::{Role, ShuttleBase, ending::Cause, shuttle::SHUTTLE_ID},
    },
};

fn field(change: impl FnOnce(&mut EscortGame)) -> EscortField {
    let mut game = EscortGame {
        player: "4*xwing/rookiepilot".to_owned(),
        solo: "6*tiefighter/academypilot,tieinterceptor/alphasquadronpilot".to_owned(),
        role: Some(Role::Defender),
        ..EscortGame::default()
    };
    change(&mut game);
    EscortField::new(game, Catalog::embedded_for(Edition::First)).expect("both squads may fly")
}

fn plan(field: EscortField) -> Plan {
    let mut plan = Plan::of(vec![Field::escort(field)]);
    plan.catalog = Some(Arc::new(Catalog::embedded_for(Edition::First).clone()));
    plan.policy = PlayerPolicy::Solo;
    plan
}

/// A game that is set up, with the player's side flown by a person.
fn opened(field: &EscortField, seed: u64) -> Setup {
    let plan = plan(field.clone());
    field.open(&plan, true, &mut SeededDice::new(seed)).0.setup
}

/// PE-1.2, PE-1.3, PE-4.1, PE-6.2, PE-7.1, FE-13.1: the audit looks at each of these in every event. PE-A9: no other ship leaves.
#[test]
fn games_of_either_role_stand_up_to_the_audit() {
    let mut unspent = [0; 2];
    for (persists, role) in [(false, Role::Defender), (true, Role::Attacker)] {
        let field = field(|game| {
            game.role = Some(role);
            game.options.protect_persists = persists;
            game.player_shuttle = vec!["hullupgrade".to_owned()];
        });
        let plan = plan(field.clone());
        for seed in 0..12 {
            let mut dice = SeededDice::new(seed);
            let (start, _) = field.open(&plan, false, &mut dice);
            let setup = start.setup.clone();
            let mut commanders = Commanders::new(&plan);
            let (battle, refused) = play(start.setup, &mut commanders, &mut dice).expect("the game can be played");
            assert!(refused.is_empty(), "seed {seed}: {refused:?}");
            let violations = audit(&setup, battle.events());
            assert!(violations.is_empty(), "seed {seed}: {violations:#?}");
            assert!(
                battle.escort().is_some_and(|play| play.cause().is_some()),
                "seed {seed}: it ends"
            );
            for event in battle.events() {
                match event {
                    Event::Escort(EscortEvent::Unspent { .. }) => unspent[usize::from(persists)] += 1,
                    Event::Fled { ship } => assert_eq!(&**ship, SHUTTLE_ID, "PE-A9, seed {seed}"),
                    _ => {}
                }
            }
        }
    }
    assert!(unspent[0] > 0 && unspent[1] == 0, "PE-6.2: {unspent:?}");
}

/// PE-7.2: what a damage card says at once belongs to the damage that destroys the shuttle; nothing else comes after it.
#[test]
fn pe_7_2_cards_that_destroy_the_shuttle_are_carried_out_with_it() {
    let field = field(|game| {
        game.player = "4*xwing/rookiepilot".to_owned();
        game.solo = "8*tiefighter/academypilot".to_owned();
        game.role = None;
        game.options.shuttle_base = ShuttleBase::Token;
    });
    let plan = plan(field.clone());
    // A game in which the last card that is dealt stresses the shuttle.
    let mut dice = dice_of(plan.seed, 32);
    let (mut start, _) = field.open(&plan, false, &mut dice);
    start.setup.table.rules.damage_decks = DamageDecks::Shared;
    let setup = start.setup.clone();
    let (battle, _) = play(start.setup, &mut Commanders::new(&plan), &mut dice).expect("the game can be played");
    let violations = audit(&setup, battle.events());
    assert!(violations.is_empty(), "{violations:#?}");
    assert_eq!(battle.escort().and_then(EscortInPlay::cause), Some(Cause::ShotDown));
}

/// PE-2.1, PE-10.6: what the shuttle of the player carries flies when he defends, and is out of play when he attacks.
#[test]
fn pe_2_1_the_shuttles_upgrades_fly_when_their_owner_defends() {
    for (role, hull) in [(Role::Defender, 7), (Role::Attacker, 6)] {
        let setup = opened(
            &field(|game| {
                game.role = Some(role);
                game.player_shuttle = vec!["hullupgrade".to_owned()];
            }),
            1,
        );
        let (_, shuttle) = setup
            .fighters
            .iter()
            .find(|(id, _)| **id == *SHUTTLE_ID)
            .expect("a shuttle");
        assert_eq!(shuttle.integrity.hull, hull, "{role:?}");
        assert_eq!(setup.fighters.len(), setup.table.ships.len(), "{role:?}");
    }
}

/// PE-4.2: with a dial the shuttle sets it in Planning; without one its maneuver is declared as it activates.
#[test]
fn pe_4_2_the_shuttle_has_a_dial_if_it_is_to_have_one() {
    for dial in [false, true] {
        let setup = opened(&field(|game| game.dial = dial), 2);
        let mut dice = SeededDice::new(2);
        let mut battle = Battle::new(setup, &mut dice).expect("a game");
        let mut dialled = Vec::new();
        while let Some(Request::Dial { ship }) = battle.pending().cloned() {
            let answer = harmless(&battle, &Request::Dial { ship: ship.clone() });
            battle.answer(answer, &mut dice).expect("a maneuver of its dial");
            dialled.push(ship.to_string());
        }
        assert_eq!(dialled.len(), if dial { 5 } else { 4 }, "{dialled:?}");
        assert_eq!(dialled.iter().any(|ship| ship == SHUTTLE_ID), dial);
        let Some(Request::Fly { ship, fixed, .. }) = battle.pending() else {
            panic!("the shuttle moves first: {:?}", battle.pending());
        };
        assert_eq!((&**ship, fixed.is_some()), (SHUTTLE_ID, dial));
    }
}

/// PE-4.1: attackers whose skill has become 0 go before the shuttle with initiative, and the defender's own never do.
#[test]
fn pe_4_1_the_shuttle_moves_before_all_but_attackers_of_skill_0_with_initiative() {
    for (holder, first) in [(Holder::Player, ["shuttle", "P2"]), (Holder::Solo, ["S3", "shuttle"])] {
        let mut setup = opened(&field(|game| game.initiative = Some(holder)), 3);
        for lowered in ["P2", "S3"] {
            let ship = setup
                .table
                .ships
                .iter_mut()
                .find(|ship| *ship.id == *lowered)
                .expect("a ship");
            ship.initiative = 0;
            let (_, fighter) = setup.fighters.iter_mut().find(|(id, _)| **id == *lowered).expect("it");
            fighter.base_initiative = Some(0);
        }
        for side in &mut setup.sides {
            side.dials = false;
        }
        let mut dice = SeededDice::new(3);
        let mut battle = Battle::new(setup, &mut dice).expect("a game");
        let mut order: Vec<String> = Vec::new();
        while let Some(request) = battle.pending().cloned() {
            if let Request::Fly { ship, .. } = &request {
                order.push(ship.to_string());
            }
            if order.len() == first.len() {
                break;
            }
            let answer = harmless(&battle, &request);
            battle.answer(answer, &mut dice).expect("a harmless answer");
        }
        assert_eq!(order, first, "{holder:?}");
    }
}

/// PE-10.8: a tractor beam moves no shuttle, and does move a small ship.
#[test]
fn pe_10_8_a_tractor_beam_moves_no_shuttle() {
    for (target, by, moved) in [(SHUTTLE_ID, "S1", false), ("P1", "S1", true)] {
        let mut setup = opened(&field(|_| {}), 4);
        for side in &mut setup.sides {
            side.dials = false;
        }
        let mut dice = SeededDice::new(4);
        let mut battle = Battle::new(setup, &mut dice).expect("a game");
        battle.gain_tractor(target, 1, &by.into());
        let mut asked = false;
        while let Some(request) = battle.pending().cloned() {
            asked |= matches!(&request, Request::Pull { target: pulled, .. } if **pulled == *target);
            if battle.round() > 1 {
                break;
            }
            let answer = harmless(&battle, &request);
            battle.answer(answer, &mut dice).expect("a harmless answer");
        }
        assert_eq!(asked, moved, "{target}");
    }
}
