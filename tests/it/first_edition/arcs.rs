//! FE-0.3, FE-0.4, FE-8.2, FE-8.4: the printed arcs of the first edition, ranges inside them, and who may be attacked.

use serde::Deserialize;
use tallyho::xwing::{
    edition::{Contact, Edition, Rules},
    measure::{self, Arc, Object},
    print::Print,
    ship::{ArcDirection, Ship},
    size::Size,
    targeting,
    weapon::{Weapon, WeaponArc},
};

use crate::tables::{bare_ship, ship};

/// One situation of a ship that looks at another.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Case {
    /// What it shows, with the rule.
    name: String,
    /// The base that looks, at (0, 0, 0).
    from: Size,
    /// The other base.
    to: Size,
    /// Where that is.
    at: [f64; 3],
    /// The arc.
    arc: WeaponArc,
    /// Where a mobile arc points.
    #[serde(default)]
    mobile: Option<ArcDirection>,
    /// Base to base, mm.
    #[serde(default)]
    apart: Option<f64>,
    /// Distance inside the arc, mm; absent: no part lies in it.
    #[serde(default)]
    inside: Option<f64>,
    /// The range of an attack; absent: it cannot be attacked.
    #[serde(default)]
    range: Option<u32>,
    /// Whether it is so in the second edition, too; `false` where the case is about the difference.
    #[serde(default)]
    second_has_it: Option<bool>,
}

fn first(ship: Ship) -> Ship {
    Ship {
        edition: Edition::First,
        ..ship
    }
}

fn primary(arc: WeaponArc) -> Weapon {
    Weapon {
        id: "primary".to_owned(),
        arc,
        value: 3,
        min_range: 1,
        max_range: 3,
        special: None,
    }
}

#[test]
fn fe0_4_and_fe8_4_arcs_and_attack_ranges() {
    for case in super::cases::<Case>("arcs.toml") {
        let name = &case.name;
        let [x, y, heading] = case.at;
        let mut from = first(ship("A", case.from, 0.0, 0.0, 0.0));
        from.turret.extend(case.mobile);
        let to = first(ship("B", case.to, x, y, heading));
        let weapon = primary(case.arc);
        let object = Object::Ship(&to);
        let near = |found: f64, expected: f64| (found - expected).abs() < 1e-3;
        if let Some(apart) = case.apart {
            let found = measure::distance(from.size, from.pose, &object);
            assert!(near(found, apart), "{name}: {found} apart");
        }
        let inside = |print| {
            let arcs = measure::weapon_arcs(weapon.arc, &from.turret);
            let distances = arcs.filter_map(|arc| measure::distance_in_arc(print, from.pose, arc, &object));
            distances.min_by(f64::total_cmp)
        };
        let found = inside(from.print());
        assert_eq!(found.is_some(), case.inside.is_some(), "{name}: {found:?} in the arc");
        if let (Some(found), Some(expected)) = (found, case.inside) {
            assert!(near(found, expected), "{name}: {found} in the arc");
        }
        if let Some(second) = case.second_has_it {
            let there = inside(Print::second(from.size)).is_some();
            assert_eq!(there, second, "{name}: the second edition");
        }
        let legal = targeting::legal_target(&Rules::FIRST, &from, &weapon, &to);
        assert_eq!(legal.map(|legal| legal.range), case.range, "{name}");
    }
}

/// FE-0.3: there is no range 0, contact is range 1.
#[test]
fn fe0_3_contact_is_range_1() {
    for (mm, range) in [
        (0.0, Some(1)),
        (0.05, Some(1)),
        (100.0, Some(1)),
        (100.1, Some(2)),
        (300.1, None),
    ] {
        assert_eq!(Rules::FIRST.range(mm), range, "{mm}");
    }
    assert_eq!(Rules::SECOND.range(0.05), Some(0));
}

/// FE-8.2, FE-14.5: bases in contact shoot each other unless an overlap brought them together, or the rulebook of 2012 is
/// played; a bump that a table reports counts as an overlap.
#[test]
fn fe14_5_contact_without_an_overlap_keeps_nobody_from_attacking() {
    let rulebook = Rules {
        contact: Contact::AnyContact,
        ..Rules::FIRST
    };
    let a = first(ship("A", Size::Small, 0.0, 0.0, 0.0));
    let weapon = primary(WeaponArc::Front);
    let range = |rules: &Rules, b: &Ship| targeting::legal_target(rules, &a, &weapon, b).map(|legal| legal.range);
    let beside = first(ship("B", Size::Small, 0.0, 40.0, 0.0));
    assert_eq!(range(&Rules::FIRST, &beside), Some(1));
    assert_eq!(range(&rulebook, &beside), None);
    assert_eq!(range(&Rules::SECOND, &beside), None);
    let apart = first(ship("B", Size::Small, 0.0, 40.1, 0.0));
    for rules in [Rules::FIRST, rulebook] {
        assert_eq!(range(&rules, &apart), Some(1));
    }
    let reported = Ship {
        bumped: vec!["A".into()],
        ..apart
    };
    for rules in [Rules::FIRST, rulebook] {
        assert_eq!(range(&rules, &reported), None);
    }
    // A base that touches the own one only beside the arc is at the range of what lies in the arc (FE-8.4).
    let corner = first(bare_ship("B", Size::Large, crate::tables::at(59.0, 40.0, 0.0)));
    let legal = targeting::legal_target(&Rules::FIRST, &a, &weapon, &corner).expect("in the arc");
    assert_eq!((legal.range, legal.arc), (1, Arc::Front));
    assert!(legal.distance_mm > 1.0, "{legal:?}");
}
