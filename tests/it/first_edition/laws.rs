//! Laws of slides, Tallon rolls and touching on random tables, with the `geo` crate as a second opinion.

use geo::{Area, BooleanOps, Intersects, Polygon};
use proptest::prelude::*;
use tallyho::{
    geometry::{Point, Pose, angle},
    xwing::{
        edition::{Edition, Rules},
        maneuver::{Bearing, Difficulty, Maneuver, Side},
        movement::{self, Alignment, EdgePolicy, MovementOptions},
        reposition::{self, Sidestep},
        size::Size,
        table::Table,
    },
};

use crate::geometry_laws::{base_corners, geo_polygon, mover, table};

/// A table of the first edition: its bases are small or large.
fn first_table() -> impl Strategy<Value = Table> {
    table().prop_map(|table| {
        let mut table = table.with_rules(Rules::FIRST);
        for ship in &mut table.ships {
            ship.edition = Edition::First;
            if ship.size == Size::Medium {
                ship.size = Size::Small;
            }
        }
        table
    })
}

/// The template of a roll at an offset, and the base at a slide, drawn anew.
fn rectangle(pose: Pose, (x, y): (f64, f64), (width, length): (f64, f64)) -> Polygon {
    let corners = [(-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5)];
    let corner = |(a, b)| pose.to_table(Point::new(x + a * width, y + b * length));
    geo_polygon(&corners.map(corner))
}

/// How much of an area the obstacles, or the other ships, cover, mm².
fn covered<'p>(area: &Polygon, by: impl Iterator<Item = &'p Polygon>) -> f64 {
    by.filter(|other| area.intersects(*other))
        .map(|other| area.intersection(other).unsigned_area())
        .fold(0.0, f64::max)
}

/// What `geo` says about a roll at a slide: surely legal, surely not, or too near to a border to tell.
fn verdict(table: &Table, side: Side, slide: f64) -> Option<bool> {
    let ship = mover(table);
    let (base, out, along) = match ship.size {
        Size::Small => (40.0, 40.0, 20.0),
        _ => (80.0, 20.0, 40.0),
    };
    let play = (base - along) / 2.0;
    let others: Vec<Polygon> = (table.ships_in_play().filter(|other| other.id != ship.id))
        .map(|other| geo_polygon(&base_corners(other.size, other.pose)))
        .collect();
    let obstacles: Vec<Polygon> = table
        .obstacles
        .iter()
        .map(|obstacle| geo_polygon(&obstacle.outline))
        .collect();
    let at = |y: f64, grown: f64| rectangle(ship.pose, (side.sign() * (base + out), y), (base + grown, base + grown));
    let template = |y: f64, grown: f64| {
        rectangle(
            ship.pose,
            (side.sign() * (base + out) / 2.0, y),
            (out + grown, along + grown),
        )
    };
    let inside = |y: f64, margin: f64| {
        at(y, 0.0).exterior().coords().all(|corner| {
            let within = |value: f64, most: f64| value >= margin && value <= most - margin;
            within(corner.x, table.area.width) && within(corner.y, table.area.height)
        })
    };
    // The offsets are tried in steps of a quarter of a millimetre: what is free with a margin of that much is found.
    let (least, most) = ((slide - play).max(-play), (slide + play).min(play));
    let steps = ((most - least) / 0.25).ceil() as usize;
    let offsets: Vec<f64> = (0..=steps).map(|step| (least + 0.25 * step as f64).min(most)).collect();
    let clear = |grown: f64| (offsets.iter()).any(|&offset| covered(&template(offset, grown), obstacles.iter()) == 0.0);
    let base_clear = |grown: f64| covered(&at(slide, grown), others.iter().chain(&obstacles)) == 0.0;
    const MARGIN: f64 = 1.2;
    if inside(slide, MARGIN) && base_clear(MARGIN) && clear(MARGIN) {
        return Some(true);
    }
    let hopeless = !inside(slide, -MARGIN) || !base_clear(-MARGIN) || !clear(-MARGIN);
    hopeless.then_some(false)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// FE-6.1: the legal slides are those that `geo` finds, and each single slide says the same.
    #[test]
    fn fe6_1_legal_slides_agree_with_geo(table in first_table(), side in prop::sample::select(&Side::BOTH[..])) {
        let (ship, options) = (mover(&table), MovementOptions::default());
        let legal = reposition::legal_slides(&table, ship, Sidestep::BarrelRoll, side, &options);
        let reach = if ship.size == Size::Small { 20.0 } else { 40.0 };
        for step in -8..=8 {
            let slide = reach * f64::from(step) / 8.0;
            let holds = legal.intervals().iter().any(|&(from, to)| from <= slide && slide <= to);
            let one = reposition::barrel_roll(&table, ship, side, slide, &options);
            let expected = verdict(&table, side, slide);
            prop_assert!(expected.is_none_or(|expected| expected == holds), "{side:?} {slide}: {legal:?}");
            prop_assert!(expected.is_none_or(|expected| expected == one.blocked.is_none()), "{side:?} {slide}: {one:?}");
        }
    }

    /// FE-6.1, FE-SOLO-7: if any slide of a side is legal all that are named are, and each is the nearest to what it
    /// stands for.
    #[test]
    fn fe_solo_7_named_slides_are_legal_and_nearest(table in first_table(), side in prop::sample::select(&Side::BOTH[..])) {
        let (ship, options) = (mover(&table), MovementOptions::default());
        let reach: f64 = if ship.size == Size::Small { 20.0 } else { 40.0 };
        let legal = reposition::legal_slides(&table, ship, Sidestep::BarrelRoll, side, &options);
        let places = reposition::places(&table, ship, Sidestep::BarrelRoll, side, &options);
        for place in &places {
            let end = reposition::barrel_roll(&table, ship, side, *place, &options);
            prop_assert_eq!(end.blocked.is_none(), !legal.is_empty(), "{} {:?}", place, end);
        }
        for named in [0.0, 0.5, -0.5, 1.0, -1.0].map(|share| share * reach) {
            let least = legal.intervals().iter().map(|&(from, to)| (named.clamp(from, to) - named).abs());
            if let Some(least) = least.min_by(f64::total_cmp) {
                let found = places.iter().map(|place| (place - named).abs()).min_by(f64::total_cmp);
                prop_assert!(found.is_some_and(|found| (found - least).abs() < 1e-9), "{named}: {places:?} {legal:?}");
            }
        }
    }

    /// FE-4.6: a Tallon roll turns if there is a slide at which it lies on no ship, as near as can be to where it was meant
    /// to be; else it ends on the way along the turn. `geo` looks for such a slide, too.
    #[test]
    fn fe4_6_tallon_rolls_slide_off_ships(
        table in first_table(), side in prop::sample::select(&Side::BOTH[..]), speed in 1u8..=3, meant in -1.0..1.0,
    ) {
        let ship = mover(&table);
        let options = MovementOptions { edge: EdgePolicy::Flee, ..MovementOptions::default() };
        let maneuver = Maneuver { speed, bearing: Bearing::TallonRoll(side), difficulty: Difficulty::Red };
        let reach = if ship.size == Size::Small { 10.0 } else { 30.0 };
        let meant = meant * reach;
        let found = movement::execute(&table, ship, maneuver, Alignment::of_shift(meant), &options);
        let others: Vec<Polygon> = (table.ships_in_play().filter(|other| other.id != ship.id))
            .map(|other| geo_polygon(&base_corners(other.size, other.pose)))
            .collect();
        let depth = |slide: f64| {
            let end = movement::full_end(ship.size, ship.pose, maneuver, Alignment::of_shift(slide));
            covered(&geo_polygon(&base_corners(ship.size, end)), others.iter())
        };
        let tried = (0..=200).map(|step| reach * (f64::from(step) / 100.0 - 1.0));
        match found.alignment {
            Some(alignment) => {
                let slide = alignment.shift_mm();
                prop_assert!(found.full && slide.abs() <= reach + 1e-9 && found.overlapped.is_empty());
                prop_assert!(depth(slide) < 0.5, "{slide} lies on a ship");
                let nearer = tried.filter(|other| (other - meant).abs() < (slide - meant).abs() - 0.6);
                let free = |other: f64| depth(other - 0.25) == 0.0 && depth(other) == 0.0 && depth(other + 0.25) == 0.0;
                for other in nearer {
                    prop_assert!(!free(other), "{other} is nearer to {meant} than {slide}");
                }
            }
            None => {
                prop_assert!(!found.full);
                let turned = angle::signed(found.pose.heading - ship.pose.heading).abs();
                prop_assert!(turned <= 90.0 + 1e-6, "it turned {turned}");
                let wide = |other: f64| depth(other - 0.25) == 0.0 && depth(other) == 0.0 && depth(other + 0.25) == 0.0;
                prop_assert!(tried.into_iter().all(|other| !wide(other)), "a slide is free");
            }
        }
    }

    /// FE-4.5: a ship has overlapped only ships that it touches at the end.
    #[test]
    fn fe4_5_overlapped_ships_are_touched(table in first_table(), maneuver in crate::geometry_laws::maneuver()) {
        let ship = mover(&table);
        let options = MovementOptions { edge: EdgePolicy::Flee, ..MovementOptions::default() };
        let found = movement::execute(&table, ship, maneuver, Alignment::Middle, &options);
        prop_assert_eq!(&found.overlapped, &found.bumped);
        prop_assert_eq!(found.full, found.overlapped.is_empty());
    }
}
