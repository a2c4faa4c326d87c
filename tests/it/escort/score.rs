//! PE-7 (PE-7.3, PE-7.4) and PE-8 (PE-8.1, PE-8.4): who has won, and the score.

use tallyho::xwing::escort::{
    EscortOptions, Role,
    ending::{Cause, Fate, winner},
    score::{Scored, ScoredShuttle, score},
};

fn ship(id: &str, side: Role, points: i32, lost: bool) -> Scored {
    Scored {
        ship: id.into(),
        side,
        points: Some(points),
        lost,
        half_of_a_large_ship: false,
    }
}

fn shuttle(upgrades: i32, fate: Fate, damage: u32) -> ScoredShuttle {
    ScoredShuttle { upgrades, fate, damage }
}

#[test]
fn pe_8_the_score_counts_ships_that_are_gone_and_the_shuttles_upgrades() {
    let options = EscortOptions::default();
    let ships = [
        ship("A1", Role::Attacker, 25, true),
        ship("A2", Role::Attacker, 30, false),
        ship("D1", Role::Defender, 41, true),
    ];
    for (upgrades, fate, damage, attacker, rule) in [
        // D1
        (7, Fate::Destroyed, 12, 48, Some("PE-8.2")),
        (7, Fate::InPlay, 6, 44, Some("PE-8.3")),
        (7, Fate::InPlay, 5, 41, None),
        // It also counts when the shuttle got away.
        (7, Fate::Exited, 9, 44, Some("PE-8.3")),
        (1, Fate::Exited, 9, 41, None),
        (0, Fate::Destroyed, 12, 41, None),
    ] {
        let score = score(&ships, &shuttle(upgrades, fate, damage), "shuttle", &options);
        assert_eq!(
            (score.attacker, score.defender),
            (attacker, 25),
            "{upgrades} {fate:?} {damage}"
        );
        let last = score.entries.last().filter(|entry| &*entry.ship == "shuttle");
        assert_eq!(last.map(|entry| entry.rule.as_str()), rule);
        let sum: i32 = score.entries.iter().map(|entry| entry.points).sum();
        assert_eq!(sum, score.attacker + score.defender);
    }
}

#[test]
fn pe_8_4_large_ships_give_half_points_by_the_option_alone() {
    let large = Scored {
        half_of_a_large_ship: true,
        ..ship("D1", Role::Defender, 41, false)
    };
    let of = |options| {
        score(
            std::slice::from_ref(&large),
            &shuttle(0, Fate::InPlay, 0),
            "shuttle",
            &options,
        )
        .attacker
    };
    assert_eq!(of(EscortOptions::default()), 0);
    let options = EscortOptions {
        large_half_points: true,
        ..EscortOptions::default()
    };
    assert_eq!(of(options), 20);
}

#[test]
fn pe_8_1_a_ship_without_a_known_price_is_named() {
    let unknown = Scored {
        points: None,
        ..ship("D1", Role::Defender, 0, true)
    };
    let score = score(
        &[unknown],
        &shuttle(0, Fate::InPlay, 0),
        "shuttle",
        &EscortOptions::default(),
    );
    assert_eq!((score.attacker, score.without_price.len()), (0, 1));
}

#[test]
fn pe_7_the_cause_or_the_score_says_who_has_won() {
    for (cause, attacker, defender, expected) in [
        // Even with fewer points.
        (Cause::Exit, 48, 25, Some(Role::Defender)),
        (Cause::ShotDown, 0, 80, Some(Role::Attacker)),
        (Cause::Fled, 0, 80, Some(Role::Attacker)),
        (Cause::NoAttacker, 60, 100, Some(Role::Defender)),
        // D5
        (Cause::Time, 41, 41, None),
        (Cause::Time, 42, 41, Some(Role::Attacker)),
        (Cause::Time, 41, 42, Some(Role::Defender)),
    ] {
        assert_eq!(
            winner(cause, attacker, defender),
            expected,
            "{cause:?} {attacker}:{defender}"
        );
    }
}

/// PE-0, PE-3: roles swap for the second game of a match.
#[test]
fn pe_3_roles_swap() {
    use tallyho::xwing::escort::setup::attackers;
    assert_eq!(attackers(0), [0, 1]);
    assert_eq!(attackers(1), [1, 0]);
    assert_eq!(Role::Attacker.other(), Role::Defender);
}
