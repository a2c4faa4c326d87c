//! SA-12: what cards do all the time, as the ship's state changes.

use tallyho::{
    dice::SeededDice,
    geometry::Pose,
    solo_alpha::{Attitude, MoveResult, Options, perform_action},
    xwing::{
        action::{ActionKind, ColoredAction},
        battle::{Battle, Fighter, Phase, Setup, Side},
        catalog::Catalog,
        damage_deck::Damage,
        maneuver::{Dial, Difficulty, Maneuver},
        ship::{Ship, TurnBoost},
        table::{PlayArea, Table},
    },
};

/// A ship with cards in the engagement phase, its tokens as `change` leaves them.
fn engaging(pilot: &str, chassis: &str, upgrades: &[&str], change: impl Fn(&mut Ship)) -> (Battle, SeededDice) {
    let resolve = |chassis: &str, pilot: &str, upgrades: &[&str]| {
        Catalog::embedded().resolve(chassis, Some(pilot), upgrades).unwrap()
    };
    let ships = [
        (
            "a",
            "solo",
            resolve(chassis, pilot, upgrades),
            Pose::new(457.0, 100.0, 0.0),
        ),
        (
            "p",
            "player",
            resolve("t65xwing", "redsquadronveteran", &[]),
            Pose::new(457.0, 260.0, 180.0),
        ),
    ];
    let (mut table, mut fighters) = (Vec::new(), Vec::new());
    for (id, side, resolved, pose) in ships {
        fighters.push((id.into(), Fighter::of(&resolved).unwrap()));
        let mut ship = resolved.into_ship(id.into(), side.to_owned(), pose);
        if id == "a" {
            change(&mut ship);
        }
        table.push(ship);
    }
    let side = |name: &str| Side {
        name: name.to_owned(),
        dials: false,
        flees: false,
    };
    let setup = Setup {
        table: Table::new(PlayArea::STANDARD, table, Vec::new(), Vec::new()),
        fighters,
        sides: vec![side("player"), side("solo")],
        alternating: false,
        rounds: Some(2),
        guides: false,
        mission: None,
        escort: None,
    };
    let mut dice = SeededDice::new(1);
    let mut battle = Battle::at_table(setup, 1, &mut dice);
    battle.begin_phase(Phase::Engagement, &mut dice);
    (battle, dice)
}

fn white(kind: ActionKind) -> ColoredAction {
    ColoredAction {
        kind,
        difficulty: Difficulty::White,
    }
}

fn flies(battle: &Battle, maneuver: &str) -> bool {
    let maneuver: Maneuver = maneuver.parse().unwrap();
    battle.table().ship("a").unwrap().dial.maneuvers().contains(&maneuver)
}

#[test]
fn initiative_follows_the_state_of_the_ship() {
    let (mut battle, mut dice) = engaging("null", "tiefofighter", &[], |_| {});
    let initiative = |battle: &Battle| battle.table().ship("a").unwrap().initiative;
    assert_eq!(initiative(&battle), 7);
    battle.deal("a", Damage { hits: 2, crits: 0 }, &mut dice);
    battle.begin_phase(Phase::Engagement, &mut dice);
    let printed = Catalog::embedded()
        .resolve("tiefofighter", Some("null"), &[] as &[&str])
        .unwrap();
    assert_eq!(Some(initiative(&battle)), printed.initiative);
}

#[test]
fn colours_of_the_dial_follow_cards_and_the_state_of_the_ship() {
    let (battle, _) = engaging("redsquadronveteran", "t65xwing", &[], |_| {});
    assert!(flies(&battle, "3BW") && !flies(&battle, "3BB"));
    let (battle, _) = engaging("redsquadronveteran", "t65xwing", &["niennunb"], |_| {});
    assert!(flies(&battle, "3BB") && !flies(&battle, "3BW") && flies(&battle, "3FW"));
    // As long as the ship has shields, nothing changes.
    let easier = ["l337sprogramming-battleofyavin"];
    let (mut battle, mut dice) = engaging("redsquadronveteran", "t65xwing", &easier, |_| {});
    assert!(flies(&battle, "3BW"));
    battle.deal("a", Damage { hits: 2, crits: 0 }, &mut dice);
    battle.begin_phase(Phase::Engagement, &mut dice);
    assert!(flies(&battle, "3BB"));
}

#[test]
fn stress_keeps_a_ship_from_what_no_card_permits() {
    let stressed = |count: u32| move |ship: &mut Ship| ship.tokens.stress = count;
    for (stress, may) in [(0, true), (2, true), (3, false)] {
        let (battle, _) = engaging(
            "bluesquadronrecruit",
            "rz2awing",
            &["primedthrusters"],
            stressed(stress),
        );
        let ship = battle.table().ship("a").unwrap();
        assert_eq!(ship.may_act(white(ActionKind::Boost)), may, "{stress} stress");
        assert_eq!(ship.may_act(white(ActionKind::Focus)), stress == 0, "{stress} stress");
        assert_eq!(ship.stress_bars_actions(), !may, "{stress} stress");
    }
    let red: Maneuver = "4KR".parse().unwrap();
    for (upgrades, may) in [(&[][..], false), (&["herasyndulla"][..], true)] {
        let (battle, _) = engaging("redsquadronveteran", "t65xwing", upgrades, stressed(1));
        assert_eq!(battle.table().ship("a").unwrap().may_fly(red), may);
    }
}

#[test]
fn locks_and_boosts_follow_the_cards() {
    let (battle, _) = engaging("redsquadronveteran", "t65xwing", &["r3astromech"], |_| {});
    let mut ship = battle.table().ship("a").unwrap().clone();
    for object in ["x", "y", "y", "z"] {
        ship.lock(object.into());
    }
    let held: Vec<&str> = ship.locks.iter().map(|id| &**id).collect();
    assert_eq!(held, ["y", "z"]);
    let (battle, _) = engaging("alphasquadronpilot", "tieininterceptor", &["daredevil"], |_| {});
    let ship = battle.table().ship("a").unwrap();
    assert_eq!(ship.standing.boost_turns, Some(TurnBoost::AsRed));
    let cloaked = |ship: &mut Ship| ship.tokens.cloak = 1;
    for (change, hidden) in [(&cloaked as &dyn Fn(&mut Ship), true), (&|_: &mut Ship| {}, false)] {
        let (battle, _) = engaging(
            "sigmasquadronace",
            "tiephphantom",
            &["withoutatrace-tiephphantom"],
            change,
        );
        assert_eq!(battle.table().ship("a").unwrap().standing.cannot_be_locked, hidden);
    }
}

/// A card lets a stressed ship act: a SLAM is among its actions, a red maneuver is not.
#[test]
fn a_stressed_ship_slams_by_no_red_maneuver() {
    let (battle, _) = engaging("nusquadronpilot", "alphaclassstarwing", &[], |_| {});
    let all_red = ["3TR", "3YR"].map(|text| text.parse::<Maneuver>().unwrap());
    let result = MoveResult {
        maneuver: Some("3FW".parse().unwrap()),
        ..MoveResult::default()
    };
    for (stress, slams) in [(0, true), (1, false)] {
        let mut table = battle.table().clone();
        let ship = table.ships.iter_mut().find(|ship| &*ship.id == "a").unwrap();
        ship.dial = Dial::new(all_red).into();
        ship.actions.retain(|entry| entry.action.kind == ActionKind::Slam);
        ship.tokens.stress = stress;
        ship.standing.acts_stressed = vec![ActionKind::Slam];
        assert!(!ship.stress_bars_actions());
        let mut dice = SeededDice::new(3);
        let decision = perform_action(
            &table,
            "a",
            Attitude::Defensive,
            &result,
            &Options::default(),
            &mut dice,
        )
        .unwrap();
        let slammed = decision.sequence.iter().any(|action| action.kind == ActionKind::Slam);
        assert_eq!(slammed, slams, "{stress} stress: {decision}");
    }
}
