//! PE-A1, PE-A3 to PE-A5: who is first, and whom ships are after.

use tallyho::{
    dice::{AttackFace, FixedRoll, SeededDice},
    solo_alpha::{
        self, Attitude, MoveResult, Options,
        attack::engage::engage_preferring,
        escort::{
            AttackerTally, EscortPlay, EscortTally, Initiative,
            aims::{SCREEN, aims},
            first::{Decides, Seat, first},
        },
    },
    xwing::{
        action::{ActionDetail, ActionKind, BarAction, ColoredAction},
        edition::Rules,
        maneuver::Difficulty,
        weapon::{Weapon, WeaponArc},
    },
};

use super::cases::read;

fn tally(text: &str, ship: &str, play: EscortPlay) -> Option<String> {
    let table = read(text)[0].table();
    let ship = table.ship(ship).expect("the ship");
    let aims = aims(&table, ship, "shuttle", &play, &mut SeededDice::new(1));
    let rule = if ship.side == "attacker" { "PE-A4" } else { "PE-A3" };
    assert_eq!(aims.reasons[0].rule, rule);
    assert_eq!(aims.point.is_some(), aims.tally.as_deref() == Some(SCREEN));
    assert_eq!(aims.prefers, aims.tally.clone().filter(|_| ship.side == "attacker"));
    aims.tally.map(|id| id.to_string())
}

#[test]
fn pe_a3_f10_escorts_fly_at_the_attacker_nearest_to_the_shuttle() {
    // 250 and 320 mm from the shuttle's base; the other one is in the escort's bullseye.
    let near = "## t
shuttle 457,200 @0
escort E small 600,200 @0
attacker A small 457,510 @180
attacker B small 600,575 @180
";
    assert_eq!(tally(near, "E", EscortPlay::default()).as_deref(), Some("A"));
    let far = "## t
shuttle 457,200 @0
escort E small 600,200 @0
attacker A small 457,561 @180
attacker B small 600,575 @180
";
    assert_eq!(tally(far, "E", EscortPlay::default()), None);
    let with = |escort_tally| EscortPlay {
        escort_tally,
        ..EscortPlay::default()
    };
    assert_eq!(tally(near, "E", with(EscortTally::Solo)), None);
    assert_eq!(tally(near, "E", with(EscortTally::Screen)).as_deref(), Some(SCREEN));
}

#[test]
fn pe_a4_f12_attackers_fly_at_the_shuttle() {
    let five = "## t
shuttle 457,200 @0
attacker A1 small 100,800 @180
attacker A2 small 200,800 @180
attacker A3 small 300,800 @180
attacker A4 small 400,800 @180
attacker A5 small 500,800 @180
";
    let of = |ship: &str, attacker_tally| {
        let play = EscortPlay {
            attacker_tally,
            ..EscortPlay::default()
        };
        tally(five, ship, play)
    };
    for (ship, mixed) in [("A1", true), ("A2", true), ("A3", true), ("A4", false), ("A5", false)] {
        assert_eq!(of(ship, AttackerTally::Shuttle).as_deref(), Some("shuttle"));
        assert_eq!(of(ship, AttackerTally::Mixed).is_some(), mixed, "{ship}");
        assert_eq!(of(ship, AttackerTally::Solo), None);
    }
}

#[test]
fn pe_a1_f11_the_human_chooses_where_the_rules_leave_a_choice() {
    use Seat::{Automated, Human};
    let decide = |seats, points, initiative, face| {
        let mut dice = FixedRoll {
            defence: None,
            attack: Some(face),
            rest: SeededDice::new(1),
        };
        let (decides, reasons) = first(seats, points, initiative, &mut dice);
        assert!(!reasons.is_empty() && reasons.iter().all(|reason| reason.rule == "PE-A1"));
        decides
    };
    let (hit, blank) = (AttackFace::Hit, AttackFace::Blank);
    let equal = [Some(100), Some(100)];
    assert_eq!(
        decide([Automated, Human], equal, Initiative::Points, hit),
        Decides::Human(1)
    );
    assert_eq!(
        decide([Human, Automated], [None, Some(90)], Initiative::Points, hit),
        Decides::Human(0)
    );
    // The lower total chooses.
    assert_eq!(
        decide([Human, Automated], [Some(98), Some(100)], Initiative::Points, hit),
        Decides::Human(0)
    );
    let lower = |face| decide([Human, Automated], [Some(100), Some(98)], Initiative::Points, face);
    let settled = |initiative, attacks_first| Decides::Settled {
        initiative,
        attacks_first,
    };
    assert_eq!(lower(AttackFace::Crit), settled(1, 1));
    assert_eq!(lower(blank), settled(1, 0));
    assert_eq!(
        decide([Human, Automated], [Some(100), Some(98)], Initiative::Human, hit),
        Decides::Human(0)
    );
    // The first die says who chooses, a second one who attacks.
    let nobody = decide([Automated, Automated], equal, Initiative::Points, hit);
    assert!(matches!(nobody, Decides::Settled { initiative: 0, .. }), "{nobody:?}");
}

#[test]
fn pe_a5_f9_attackers_lock_and_shoot_the_shuttle_before_others() {
    // The shuttle at 280 mm and an escort at 120 mm, both ahead of the attacker.
    let mut table = read(
        "## t
shuttle 457,360 @0
escort E small 457,540 @0
attacker A small 457,700 @180
",
    )[0]
    .table()
    .with_rules(Rules::FIRST);
    let attacker = table
        .ships
        .iter_mut()
        .find(|ship| &*ship.id == "A")
        .expect("the attacker");
    attacker.weapons = vec![Weapon {
        id: "primary".to_owned(),
        arc: WeaponArc::Front,
        value: 2,
        min_range: 1,
        max_range: 3,
        special: None,
    }];
    let lock = ColoredAction {
        kind: ActionKind::Lock,
        difficulty: Difficulty::White,
    };
    attacker.actions = vec![BarAction {
        action: lock,
        linked: None,
    }];
    let own = table.ship("A").expect("the attacker");
    let mut dice = SeededDice::new(1);
    let prefers = aims(&table, own, "shuttle", &EscortPlay::default(), &mut dice).prefers;
    assert_eq!(prefers.as_deref(), Some("shuttle"));
    let locks = |prefers| {
        let options = Options {
            prefers,
            ..Options::default()
        };
        let result = MoveResult {
            maneuver: Some("2FW".parse().expect("a maneuver")),
            ..MoveResult::default()
        };
        let mut dice = SeededDice::new(1);
        let decision = solo_alpha::perform_action(&table, "A", Attitude::Offensive, &result, &options, &mut dice);
        let sequence = decision.expect("it acts").sequence;
        let locked = sequence.iter().find_map(|step| match &step.detail {
            ActionDetail::Lock(id) => Some(id.to_string()),
            _ => None,
        });
        locked.expect("it locks")
    };
    assert_eq!(locks(prefers.clone()), "shuttle");
    assert_eq!(locks(None), "E");
    let mut shoots = |locked: &[&str], prefers: Option<&str>| {
        let mut table = table.clone();
        let own = table
            .ships
            .iter_mut()
            .find(|ship| &*ship.id == "A")
            .expect("the attacker");
        own.locks = locked.iter().map(|id| (*id).into()).collect();
        let engaged = engage_preferring(&table, "A", prefers, &|_, _| 0, &mut dice).expect("it attacks");
        engaged.attack.map(|attack| attack.target.id.to_string())
    };
    assert_eq!(shoots(&[], prefers.as_deref()).as_deref(), Some("shuttle"));
    assert_eq!(shoots(&["E"], prefers.as_deref()).as_deref(), Some("E"));
    assert_eq!(shoots(&[], None).as_deref(), Some("E"));
}
