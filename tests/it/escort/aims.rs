//! PE-A1, PE-A3 to PE-A5: who is first, and whom ships are after.

use tallyho::{
    dice::{AttackFace, FixedRoll, SeededDice},
    solo_alpha::escort::{
        AttackerTally, EscortPlay, EscortTally, Initiative,
        aims::{SCREEN, aims},
        first::{Decides, Seat, first},
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
