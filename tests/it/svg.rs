//! The drawings: well-formed, complete, and safe whatever the pieces are called.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tallyho::{
    bridge::position::{self, Position},
    dice::{FixedRoll, SeededDice},
    geometry::{Point, Pose},
    render::{self, Decided, Trail},
    solo_alpha::{self, Options, Situation},
    xwing::{catalog::Catalog, device::PlacedDevice, table::Table},
};

use crate::positions_300;

/// The drawing of a position's decision.
fn drawn(position: &Position) -> String {
    let id = position.active.clone().unwrap();
    let mut dice = FixedRoll {
        defence: position.roll.defence,
        attack: position.roll.attack,
        rest: SeededDice::new(0),
    };
    let situation = Situation {
        forced_tally: position.forced_tally.clone(),
    };
    let activation = solo_alpha::decide(&position.table, &id, &situation, &Options::default(), &mut dice).unwrap();
    let ship = position.table.ship(&id).unwrap();
    render::svg(&position.table, Some(&Decided::of(&activation, ship)), &position.id)
}

/// Ids of all drawn things of a class.
fn ids(document: &roxmltree::Document<'_>, class: &str) -> BTreeSet<String> {
    document
        .descendants()
        .filter(|node| {
            node.attribute("class")
                .is_some_and(|classes| classes.split(' ').any(|one| one == class))
        })
        .filter_map(|node| node.attribute("data-id").map(str::to_owned))
        .collect()
}

fn count(document: &roxmltree::Document<'_>, class: &str) -> usize {
    document
        .descendants()
        .filter(|node| node.attribute("class") == Some(class))
        .count()
}

fn texts(document: &roxmltree::Document<'_>) -> String {
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| node.text()).collect::<Vec<_>>().join(" ")
}

/// Nothing in it runs, and nothing comes from outside.
fn is_harmless(document: &roxmltree::Document<'_>) -> bool {
    document.descendants().all(|node| {
        !["script", "foreignObject", "image", "style", "a"].contains(&node.tag_name().name())
            && node.attributes().all(|attribute| {
                !attribute.name().starts_with("on")
                    && !attribute.name().contains("href")
                    && !attribute.value().contains("url(http")
            })
    })
}

#[test]
fn every_object_of_300_positions_is_in_the_drawing_of_its_decision() {
    for (_, position, expected) in positions_300::all() {
        let svg = drawn(&position);
        let document = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{}: {error}", position.id));
        assert!(is_harmless(&document));
        let Table {
            ships,
            obstacles,
            markers,
            ..
        } = &position.table;
        let present = ships
            .iter()
            .filter(|ship| ship.in_play())
            .map(|ship| ship.id.to_string())
            .collect();
        assert_eq!(ids(&document, "ship"), present);
        assert_eq!(
            ids(&document, "obstacle"),
            obstacles.iter().map(|one| one.id.to_string()).collect()
        );
        assert_eq!(
            ids(&document, "point"),
            markers.iter().map(|one| one.id.to_string()).collect()
        );
        let words = texts(&document);
        for ship in ships.iter().filter(|ship| !ship.in_play()) {
            assert!(
                words.contains("Not on the table") && words.contains(&*ship.id),
                "{words}"
            );
        }
        let tallies = expected["admissible"]["tally"].as_array().unwrap().len();
        assert_eq!(ids(&document, "tally").len(), tallies.min(1), "{}", position.id);
        assert_eq!(count(&document, "end-pose"), 1);
        assert_eq!(count(&document, "bullseye"), 1);
        // A stationary maneuver has no template; everything else has one.
        let stationary = expected["admissible"]["maneuvers"][0]
            .as_str()
            .unwrap()
            .starts_with('0');
        assert_eq!(
            count(&document, "template"),
            usize::from(!stationary),
            "{}",
            position.id
        );
        assert!(words.contains("SA-3.3") && words.contains("SA-3.5"), "{words}");
    }
}

#[test]
fn the_template_has_its_true_shape() {
    let json = r#"{"active": "A", "roll": {"defence": "focus", "attack": "crit"}, "ships": [
        {"id": "A", "side": "solo", "ship": "tielnfighter", "initiative": 1, "x": 400, "y": 300, "heading": 0},
        {"id": "B", "side": "player", "ship": "tielnfighter", "initiative": 1, "x": 450, "y": 500, "heading": 180}]}"#;
    let svg = drawn(&position::parse(json, Catalog::embedded()).unwrap());
    let document = roxmltree::Document::parse(&svg).unwrap();
    let template = document
        .descendants()
        .find(|node| node.attribute("class") == Some("template"))
        .unwrap();
    // A 2 bank to the right: from the front edge, 20 mm ahead of the middle, along a circle of 130 mm, 45 degrees.
    assert_eq!(template.attribute("transform"), Some("translate(400 614.4) rotate(0)"));
    let path = template.first_element_child().unwrap();
    assert_eq!(path.attribute("d"), Some("M0 -20A130 130 0 0 1 38.08 -111.92"));
    assert_eq!(path.attribute("stroke-width"), Some("20"));
}

#[test]
fn a_history_shows_every_track_and_who_was_lost() {
    let (_, position, _) = positions_300::all()
        .find(|(_, position, _)| position.id == "p7")
        .unwrap();
    let mut trails: Vec<Trail> = (position.table.ships.iter())
        .map(|ship| Trail {
            ship: ship.id.clone(),
            side: ship.side.clone(),
            size: ship.size,
            poses: vec![Pose::new(100.0, 100.0, 0.0), Pose::new(200.0, 150.0, 45.0)],
        })
        .collect();
    trails.push(Trail {
        ship: "gone".into(),
        side: "player".to_owned(),
        size: tallyho::xwing::size::Size::Large,
        poses: vec![Pose::new(500.0, 500.0, 0.0)],
    });
    let corners = [(300.0, 300.0), (345.0, 300.0), (345.0, 330.0), (300.0, 330.0)];
    let bomb = PlacedDevice {
        id: "bomb-1".into(),
        device: "protonbombs".to_owned(),
        side: "solo".to_owned(),
        dropped_by: "S<1>".into(),
        pose: Pose::new(322.0, 315.0, 90.0),
        outline: corners.map(|(x, y)| Point::new(x, y)).into_iter().collect(),
        fuse: 2,
        edition: tallyho::xwing::edition::Edition::Second,
    };
    let svg = render::svg_history(
        &position.table,
        &[bomb],
        &trails,
        "After 3 rounds",
        &["Round 1: <all> moved".to_owned()],
    );
    let document = roxmltree::Document::parse(&svg).unwrap();
    assert_eq!(ids(&document, "trail").len(), trails.len());
    // Devices: what they cover, two fuse markers, what they are called and by whom they were dropped.
    assert_eq!(ids(&document, "device"), BTreeSet::from(["bomb-1".to_owned()]));
    let device = document
        .descendants()
        .find(|node| node.attribute("class") == Some("device"))
        .unwrap();
    let shapes = |name: &str| {
        device
            .descendants()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)))
            .count()
    };
    assert_eq!((shapes("polygon") + shapes("path"), shapes("circle")), (2, 2));
    assert!(svg.contains("dropped by S&lt;1&gt;, 2 fuse markers"));
    let words = texts(&document);
    assert!(
        words.contains("gone lost") && words.contains("After 3 rounds") && words.contains("<all>"),
        "{words}"
    );
}

proptest! {
    /// Whatever pieces are called and wherever they stand, the drawing is well-formed and harmless.
    #[test]
    fn any_name_and_place_is_drawn(
        name in any::<String>(),
        id in "[^\\p{C}]{1,12}",
        x in -20_000.0..20_000.0_f64,
        heading in any::<f64>(),
        width in 100.0..10_000.0_f64,
    ) {
        let mut position = positions_300::all().next().unwrap().1;
        position.table.area.width = width;
        position.table.ships[0].name.clone_from(&name);
        position.table.ships[1].id = id.as_str().into();
        position.table.ships[0].side = name;
        position.table.ships[1].pose = Pose::new(x, 300.0, heading);
        position.id = id;
        let svg = drawn(&position);
        let document = roxmltree::Document::parse(&svg).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!(is_harmless(&document));
    }
}
