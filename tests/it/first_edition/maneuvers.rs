//! FE-4.4 to FE-4.9: where maneuvers end, whom they overlap, what they meet.

use std::collections::BTreeMap;

use serde::Deserialize;
use tallyho::{
    geometry::{Point, Pose, angle},
    xwing::{
        edition::{Edition, FirstEditionOptions, Rules},
        maneuver::Maneuver,
        movement::{self, Alignment, EdgePolicy, Execution, MovementOptions, consequences::tokens_after},
        obstacle::{Obstacle, ObstacleKind},
        ship::Ship,
        size::Size,
        table::{PlayArea, Table},
        targeting,
        weapon::{Weapon, WeaponArc},
    },
};

use crate::tables::{self, MIDDLE, asteroid, bare_ship, ids};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default)]
    plane: bool,
    #[serde(default = "small")]
    size: Size,
    from: [f64; 3],
    maneuver: Maneuver,
    #[serde(default)]
    ships: BTreeMap<String, [f64; 3]>,
    #[serde(default)]
    asteroids: BTreeMap<String, [f64; 4]>,
    #[serde(default)]
    debris: BTreeMap<String, [f64; 4]>,
    #[serde(default)]
    slide: f64,
    #[serde(default)]
    slid: Option<f64>,
    #[serde(default)]
    to: Option<[f64; 3]>,
    #[serde(default)]
    partial: bool,
    #[serde(default)]
    travelled: Option<f64>,
    #[serde(default)]
    overlapped: Vec<String>,
    #[serde(default)]
    edge: bool,
    #[serde(default)]
    suffered: Vec<String>,
    #[serde(default)]
    suffered_in_2012: Option<Vec<String>>,
    #[serde(default)]
    had_stress: u32,
    #[serde(default)]
    stress: u32,
}

fn small() -> Size {
    Size::Small
}

impl Case {
    fn origin(&self) -> f64 {
        if self.plane { MIDDLE } else { 0.0 }
    }

    fn pose(&self, [x, y, heading]: [f64; 3]) -> Pose {
        Pose::new(self.origin() + x, self.origin() + y, heading)
    }

    fn table(&self, rules: Rules) -> Table {
        let first = |id: &str, size, pose| Ship {
            edition: Edition::First,
            ..bare_ship(id, size, pose)
        };
        let mut mover = first("A", self.size, self.pose(self.from));
        mover.tokens.stress = self.had_stress;
        let others = self.ships.iter().map(|(id, &at)| first(id, Size::Small, self.pose(at)));
        let boxed = |id: &str, [x0, y0, x1, y1]: [f64; 4], kind| Obstacle {
            kind,
            ..asteroid(
                id,
                [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| Point::new(self.origin() + x, self.origin() + y)),
            )
        };
        let asteroids = self
            .asteroids
            .iter()
            .map(|(id, &at)| boxed(id, at, ObstacleKind::Asteroid));
        let debris = self.debris.iter().map(|(id, &at)| boxed(id, at, ObstacleKind::Debris));
        let area = if self.plane {
            tables::table(vec![], vec![]).area
        } else {
            PlayArea::STANDARD
        };
        let ships = std::iter::once(mover).chain(others).collect();
        Table::new(area, ships, asteroids.chain(debris).collect(), Vec::new()).with_rules(rules)
    }
}

fn fly(table: &Table, case: &Case) -> Execution {
    let options = MovementOptions {
        edge: EdgePolicy::Flee,
        ..MovementOptions::default()
    };
    let ship = table.ship("A").expect("the mover");
    movement::execute(table, ship, case.maneuver, Alignment::of_shift(case.slide), &options)
}

#[test]
fn fe4_4_to_fe4_9_maneuvers() {
    let rulebook = FirstEditionOptions {
        rulebook_2012: true,
        ..FirstEditionOptions::default()
    };
    for case in super::cases::<Case>("maneuvers.toml") {
        let name = &case.name;
        let table = case.table(Rules::FIRST);
        let found = fly(&table, &case);
        if let Some(to) = case.to {
            let to = case.pose(to);
            let off = found.pose.position.distance(to.position);
            let turned = angle::signed(found.pose.heading - to.heading).abs();
            assert!(off < 1e-3 && turned < 5e-3, "{name}: {:?}, expected {to:?}", found.pose);
        }
        if let Some(travelled) = case.travelled {
            assert!(
                (found.travelled_mm - travelled).abs() < 1e-3,
                "{name}: {}",
                found.travelled_mm
            );
        }
        let slid = found.alignment.map(Alignment::shift_mm);
        let near = |slid: f64| case.slid.is_some_and(|expected| (slid - expected).abs() < 1e-3);
        assert!(slid.map_or(case.slid.is_none(), near), "{name}: slid {slid:?}");
        assert_eq!(!found.full, case.partial, "{name}: partial");
        assert_eq!(found.edge, case.edge, "{name}: edge");
        assert_eq!(ids(&found.overlapped), case.overlapped, "{name}: overlapped");
        assert_eq!(ids(&found.bumped), case.overlapped, "{name}: touching");
        assert_eq!(ids(&found.suffered), case.suffered, "{name}: suffered");
        let ship = table.ship("A").expect("the mover");
        // A ship that has fled has no use for tokens.
        if !case.edge {
            assert_eq!(tokens_after(&table, ship, &found).stress, case.stress, "{name}: stress");
        }
        if let Some(expected) = &case.suffered_in_2012 {
            let old = case.table(rulebook.rules());
            assert_eq!(ids(&fly(&old, &case).suffered), *expected, "{name}: suffered in 2012");
        }
    }
}

fn gun() -> Weapon {
    Weapon {
        id: "primary".to_owned(),
        arc: WeaponArc::AllRound,
        value: 3,
        min_range: 1,
        max_range: 3,
        special: None,
    }
}

/// Flies a maneuver on a table and leaves the ship where it ends, touching whom it overlapped.
fn move_on(table: &mut Table, id: &str, maneuver: &str) {
    let index = table.index(id).expect("the mover");
    let ship = &table.ships[index];
    let (from, maneuver) = (ship.pose, maneuver.parse().expect("a maneuver"));
    let end = movement::execute(table, ship, maneuver, Alignment::Middle, &MovementOptions::default());
    table.ships[index].pose = end.pose;
    table.moved_into_contact(index, from, &end.bumped);
}

fn may_attack(table: &Table, a: &str, b: &str) -> bool {
    let ship = |id| table.ship(id).expect("a ship");
    let one = targeting::legal_target(&table.rules, ship(a), &gun(), ship(b)).is_some();
    let other = targeting::legal_target(&table.rules, ship(b), &gun(), ship(a)).is_some();
    assert_eq!(one, other, "touching is mutual");
    one
}

fn first_table(ships: &[(&str, Size, [f64; 3])]) -> Table {
    let ships = ships.iter().map(|&(id, size, [x, y, heading])| Ship {
        edition: Edition::First,
        ..tables::ship(id, size, x, y, heading)
    });
    tables::table(ships.collect(), Vec::new()).with_rules(Rules::FIRST)
}

/// B7, B9: it may attack whom it backed over, and not whom it touches.
#[test]
fn fe8_2_ships_that_touch_since_an_overlap_do_not_attack_each_other() {
    let small = Size::Small;
    let mut table = first_table(&[
        ("A", small, [0.0; 3]),
        ("B", small, [0.0, 150.0, 0.0]),
        ("C", small, [0.0, 205.0, 0.0]),
    ]);
    move_on(&mut table, "A", "4FW");
    assert!(!may_attack(&table, "A", "B") && may_attack(&table, "A", "C"));
    // FE-4.7: a maneuver that just fits touches nobody.
    let mut table = first_table(&[
        ("A", small, [0.0; 3]),
        ("B", small, [-25.0, 120.0, 0.0]),
        ("C", small, [25.0, 119.0, 0.0]),
    ]);
    move_on(&mut table, "A", "1FW");
    assert!(may_attack(&table, "A", "B"), "it was never on B");
    assert!(!may_attack(&table, "A", "C"));
}

/// FE-0.2: guides count nowhere, unless the option asks for them: then a gap of 1 mm ahead is none.
#[test]
fn fe0_2_guides_count_nowhere_by_default() {
    let table = first_table(&[("A", Size::Small, [0.0; 3]), ("B", Size::Small, [0.0, 121.0, 0.0])]);
    let ship = table.ship("A").expect("A");
    let fly = |guides| {
        let options = MovementOptions {
            guides,
            ..MovementOptions::default()
        };
        let maneuver = "1FW".parse().expect("a maneuver");
        movement::execute(&table, ship, maneuver, Alignment::Middle, &options)
    };
    assert!(fly(false).full && fly(false).overlapped.is_empty());
    assert!(!fly(true).full && ids(&fly(true).overlapped) == ["B"]);
}

/// FE-4.6: a Tallon roll that a player has set down at any slide is seen as executed in full there.
#[test]
fn fe4_6_a_tallon_roll_is_seen_at_its_slide() {
    let table = first_table(&[("A", Size::Small, [0.0; 3])]);
    let ship = table.ship("A").expect("A");
    let maneuver = "3RR".parse().expect("a maneuver");
    let pose = tables::at(110.3, 117.4, 180.2);
    let seen = movement::observed::observed(&table, ship, maneuver, pose, &[], &MovementOptions::default());
    assert!(seen.full && seen.overlapped.is_empty(), "{seen:?}");
    assert!(
        seen.alignment.is_some_and(|slid| (slid.shift_mm() - 7.4).abs() < 1e-6),
        "{seen:?}"
    );
}

/// B11: stationary maneuvers change nothing, a move that parts them ends it.
#[test]
fn fe4_7_touching_ends_when_a_move_leaves_them_apart() {
    let large = Size::Large;
    let mut table = first_table(&[("L", large, [0.0; 3]), ("Y", large, [0.0, 130.0, 0.0])]);
    move_on(&mut table, "L", "2FW");
    assert!(!may_attack(&table, "L", "Y"));
    move_on(&mut table, "L", "0OR");
    move_on(&mut table, "Y", "0OR");
    assert!(!may_attack(&table, "L", "Y"), "both were stationary");
    move_on(&mut table, "Y", "1FW");
    assert!(may_attack(&table, "L", "Y"), "it flew away");
    assert!(table.ships.iter().all(|ship| ship.touching.is_empty()));
}

/// FE-4.7: it ends when both have changed their poses since without overlapping each other again, though the bases meet.
#[test]
fn fe4_7_touching_ends_when_both_have_moved_since() {
    let place = |table: &mut Table, id: &str, x: f64, y: f64| {
        let index = table.index(id).expect("a ship");
        let from = table.ships[index].pose;
        table.ships[index].pose = tables::at(x, y, 0.0);
        table.moved(index, from);
    };
    let small = Size::Small;
    let overlapped = || {
        let mut table = first_table(&[("A", small, [0.0; 3]), ("B", small, [0.0, 90.0, 0.0])]);
        move_on(&mut table, "A", "2FW");
        table
    };
    let mut table = overlapped();
    place(&mut table, "A", 15.0, 50.0);
    assert!(!may_attack(&table, "A", "B"), "A alone has slid along B");
    place(&mut table, "A", 10.0, 50.0);
    assert!(!may_attack(&table, "A", "B"), "however often");
    place(&mut table, "B", -10.0, 90.0);
    assert!(may_attack(&table, "A", "B"), "both have moved");
    // Overlapping each other again begins it anew.
    let mut table = overlapped();
    place(&mut table, "B", -20.0, 90.0);
    move_on(&mut table, "A", "1TW");
    assert!(!may_attack(&table, "A", "B"), "A overlapped B again");
    place(&mut table, "A", 10.0, 50.0);
    assert!(!may_attack(&table, "A", "B"), "only A has moved since then");
    // A place that is only thought of.
    let there = {
        let mut there = table.ship("A").expect("A").clone();
        there.move_to(tables::at(10.0, 40.0, 0.0), &table);
        there
    };
    let b = table.ship("B").expect("B");
    assert!(targeting::legal_target(&table.rules, &there, &gun(), b).is_some());
}

/// FE-SOLO-7: the ends of a Tallon roll worth trying are 0, +-5, +-10 along the old heading, or what is nearest to them.
#[test]
fn fe_solo_7_ends_of_a_tallon_roll() {
    let slides = |table: &Table| -> Vec<f64> {
        let ship = table.ship("A").expect("A");
        let maneuver = "3RR".parse().expect("a maneuver");
        let ends = movement::executions(table, ship, maneuver, &MovementOptions::default());
        ends.iter()
            .map(|end| end.alignment.map_or(f64::NAN, Alignment::shift_mm))
            .collect()
    };
    let small = Size::Small;
    let free = first_table(&[("A", small, [0.0; 3])]);
    assert_eq!(slides(&free), [0.0, 5.0, -5.0, 10.0, -10.0]);
    let ahead = first_table(&[("A", small, [0.0; 3]), ("B", small, [110.0, 152.0, 0.0])]);
    assert_eq!(slides(&ahead), [0.0, 2.0, -5.0, -10.0]);
    let large = first_table(&[("A", Size::Large, [0.0; 3])]);
    assert_eq!(slides(&large), [0.0, 15.0, -15.0, 30.0, -30.0]);
    let blocked = first_table(&[("A", small, [0.0; 3]), ("B", small, [110.0, 110.0, 0.0])]);
    assert!(slides(&blocked)[0].is_nan() && slides(&blocked).len() == 1);
}
