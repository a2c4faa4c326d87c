//! SA-13: whether a table that players set up by hand obeys the rules of set-up, in words where it does not.

use super::{
    Arrives, Edge, Group, MarkerSide, Scenario, SideName, Spacing,
    arrival::at_set_up,
    marker::{PlacedMarker, from_edges},
    muster::{Muster, Recruit},
};
use crate::{
    geometry::{OVERLAP_MM, Point, angle, polygon},
    xwing::{
        base::{Footprint, base},
        obstacle::Obstacle,
        ship::Ship,
        table::{PlayArea, Table},
    },
};

/// Hands, rulers and a table's rounding lay things down so exactly, mm.
const TOLERANCE_MM: f64 = 0.5;
/// A ship put against a side by hand stands so near to where it would exactly stand, mm and degrees.
const AGAINST: f64 = 3.0;
/// How near its corner a ship that starts in one stands, mm: range 1.
const CORNER_MM: f64 = 100.0;

/// What breaks a rule of set-up: a sentence each, with what is wrong and what would be right. `table` names ships and sides
/// as the scenario does.
pub fn broken_rules(scenario: &Scenario, muster: &Muster, markers: &[PlacedMarker], table: &Table) -> Vec<String> {
    let mut broken = Vec::new();
    review_markers(scenario, markers, table.area, &mut broken);
    review_obstacles(scenario, markers, table, &mut broken);
    review_ships(scenario, muster, markers, table, &mut broken);
    broken
}

impl Spacing {
    /// Whether a distance satisfies it as exactly as a table can tell.
    fn about_holds(self, mm: f64) -> bool {
        let (least, most) = self.exact_mm();
        least - TOLERANCE_MM <= mm && mm <= most + TOLERANCE_MM
    }

    /// As players say it: `within range 1`.
    fn words(self) -> String {
        match self {
            Spacing::Within(n) => format!("within range {n}"),
            Spacing::At(n) => format!("at range {n}"),
            Spacing::Beyond(n) => format!("beyond range {n}"),
        }
    }
}

fn review_markers(scenario: &Scenario, markers: &[PlacedMarker], area: PlayArea, broken: &mut Vec<String>) {
    let rules = &scenario.markers;
    for (index, marker) in markers.iter().enumerate() {
        let (id, outline) = (&marker.id, marker.outline());
        let edges = from_edges(area, &outline);
        if !rules.from_edges.about_holds(edges) {
            let wanted = rules.from_edges.words();
            broken.push(format!(
                "{id} lies {edges:.0} mm from an edge; it has to be {wanted} of each."
            ));
        }
        for other in &markers[index + 1..] {
            let apart = polygon::distance(&outline, &other.outline());
            if !rules.apart.about_holds(apart) {
                let (other, wanted) = (&other.id, rules.apart.words());
                broken.push(format!(
                    "{id} and {other} lie {apart:.0} mm from each other; they have to be {wanted}."
                ));
            }
        }
        for other in markers.iter().filter(|other| other.id != *id) {
            for side in pointing(rules.deployment_sides.iter().copied(), marker, area, &other.outline()) {
                broken.push(format!("The {side} side of {id} points at {}; none may.", other.id));
            }
        }
    }
}

/// The sides that point directly at something, by their words.
fn pointing(
    sides: impl Iterator<Item = MarkerSide>,
    marker: &PlacedMarker,
    area: PlayArea,
    outline: &[Point],
) -> Vec<&'static str> {
    sides
        .filter(|side| marker.points_at(*side, area, outline))
        .map(MarkerSide::word)
        .collect()
}

fn review_obstacles(scenario: &Scenario, markers: &[PlacedMarker], table: &Table, broken: &mut Vec<String>) {
    let rules = &scenario.obstacles;
    let (wanted, lying) = (rules.pieces.len(), table.obstacles.len());
    if wanted != lying {
        broken.push(format!("{lying} obstacles lie on the mat; the scenario has {wanted}."));
    }
    for (index, Obstacle { id, outline, .. }) in table.obstacles.iter().enumerate() {
        let edges = from_edges(table.area, outline);
        if !rules.from_edges.about_holds(edges) {
            let wanted = rules.from_edges.words();
            broken.push(format!(
                "The obstacle {id} lies {edges:.0} mm from an edge; it has to be {wanted} of each."
            ));
        }
        for other in &table.obstacles[index + 1..] {
            let apart = polygon::distance(outline, &other.outline);
            if !rules.apart.about_holds(apart) {
                let (other, wanted) = (&other.id, rules.apart.words());
                broken.push(format!(
                    "The obstacles {id} and {other} lie {apart:.0} mm from each other; they have to be {wanted}."
                ));
            }
        }
        for marker in markers {
            let apart = polygon::distance(outline, &marker.outline());
            if !rules.from_markers.about_holds(apart) {
                let (marker, wanted) = (&marker.id, rules.from_markers.words());
                broken.push(format!(
                    "The obstacle {id} lies {apart:.0} mm from {marker}; it has to be {wanted}."
                ));
            }
            let sides = scenario.markers.deployment_sides.iter().copied();
            let sides = sides.filter(|_| rules.off_deployment_sides);
            for side in pointing(sides, marker, table.area, outline) {
                broken.push(format!(
                    "The {side} side of {} points at the obstacle {id}; none may.",
                    marker.id
                ));
            }
        }
    }
}

fn review_ships(
    scenario: &Scenario,
    muster: &Muster,
    markers: &[PlacedMarker],
    table: &Table,
    broken: &mut Vec<String>,
) {
    // The scenario was mustered with this variant, so it is there.
    let recruits = at_set_up(scenario, muster).unwrap_or_default();
    for recruit in &recruits {
        let group = scenario.group(&recruit.group);
        match (table.ship(&recruit.ship.id).filter(|ship| ship.in_play()), group) {
            (Some(ship), Some(group)) => review_place(scenario, group, recruit, ship, markers, table, broken),
            _ => broken.push(format!("{} is not on the mat.", recruit.ship.name)),
        }
    }
    let ships: Vec<&Ship> = table.ships_in_play().collect();
    for (index, ship) in ships.iter().enumerate() {
        let footprint = Footprint::new(ship.size, ship.pose, false);
        for other in &ships[index + 1..] {
            let other_base = Footprint::new(other.size, other.pose, false);
            if footprint.penetration(&other_base) > OVERLAP_MM + TOLERANCE_MM {
                broken.push(format!("{} and {} overlap.", ship.name, other.name));
            }
        }
        let corners = footprint.base().corners();
        for obstacle in &table.obstacles {
            if polygon::intersect(&corners, &obstacle.outline) {
                broken.push(format!("{} stands on the obstacle {}.", ship.name, obstacle.id));
            }
        }
    }
}

/// Whether a ship stands where its group arrives.
fn review_place(
    scenario: &Scenario,
    group: &Group,
    recruit: &Recruit,
    ship: &Ship,
    markers: &[PlacedMarker],
    table: &Table,
    broken: &mut Vec<String>,
) {
    let name = &recruit.ship.name;
    let corners = base(ship.size, ship.pose).corners();
    match &group.arrives {
        Arrives::PlayerEdge(spacing) | Arrives::FarEdge(spacing) => {
            let (edge, called) = match (&group.arrives, group.side) {
                (Arrives::PlayerEdge(_), _) => (scenario.player_edge, "the player edge"),
                _ => (scenario.player_edge.opposite(), "the far edge"),
            };
            let (nearest, farthest) = depths(table.area, edge, &corners);
            // "Within" holds for the whole base, "beyond" for its nearest point.
            let (holds, mm) = match spacing {
                Spacing::Within(_) => (nearest >= -TOLERANCE_MM && spacing.about_holds(farthest), farthest),
                Spacing::At(_) => (spacing.about_holds(nearest) && spacing.about_holds(farthest), nearest),
                Spacing::Beyond(_) => (spacing.about_holds(nearest), nearest),
            };
            if !holds {
                let wanted = spacing.words();
                broken.push(format!(
                    "{name} stands {mm:.0} mm from {called}; it has to be {wanted} of it."
                ));
            }
        }
        Arrives::Marker => {
            let sides = &scenario.markers.deployment_sides;
            let against = |marker: &PlacedMarker| {
                sides.iter().any(|side| {
                    let pose = marker.arrival(*side, ship.size);
                    pose.position.distance(ship.pose.position) <= AGAINST
                        && angle::signed(pose.heading - ship.pose.heading).abs() <= AGAINST
                })
            };
            if !markers.iter().any(against) {
                broken.push(format!(
                    "{name} stands against no deployment side of a hyperspace marker."
                ));
            }
        }
        Arrives::Corner(all) => {
            let near = |corner: &super::Corner| {
                let point = corner.point(table.area);
                polygon::distance(&corners, &[point]) <= CORNER_MM
            };
            if !all.iter().any(near) {
                broken.push(format!("{name} stands in none of its corners."));
            }
        }
    }
}

/// How far a base reaches from an edge: its nearest and its farthest corner, mm.
fn depths(area: PlayArea, edge: Edge, corners: &[Point]) -> (f64, f64) {
    let depths = corners.iter().map(|corner| match edge {
        Edge::South => corner.y,
        Edge::North => area.height - corner.y,
        Edge::West => corner.x,
        Edge::East => area.width - corner.x,
    });
    depths.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), depth| {
        (low.min(depth), high.max(depth))
    })
}

/// Where a player's ship is put at set-up, as players say it: `within range 1 of the player edge (south)`.
pub fn where_words(scenario: &Scenario, recruit: &Recruit) -> String {
    let edge = |spacing: &Spacing, called: &str, edge: Edge| {
        format!("{} of the {called} edge ({})", spacing.words(), edge.word())
    };
    match scenario.group(&recruit.group).map(|group| &group.arrives) {
        Some(Arrives::PlayerEdge(spacing)) => edge(spacing, "player", scenario.player_edge),
        Some(Arrives::FarEdge(spacing)) => edge(spacing, "far", scenario.player_edge.opposite()),
        Some(Arrives::Marker) => "against a side of a hyperspace marker".to_owned(),
        Some(Arrives::Corner(_)) => "in a corner".to_owned(),
        None => "on the mat".to_owned(),
    }
}

/// Whether the ship is a players' one.
pub fn is_players(recruit: &Recruit) -> bool {
    recruit.ship.side == SideName::Player.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geometry::Pose,
        xwing::{
            catalog::Catalog,
            scenario::{muster::Wishes, muster::muster, setup::set_up},
        },
    };

    fn laid() -> (Muster, Vec<PlacedMarker>, Table) {
        let (scenario, catalog) = (Scenario::intro(), Catalog::embedded());
        let wishes = Wishes {
            faction: "rebelalliance".into(),
            enemy: "galacticempire".into(),
            player_ships: 2,
            ..Wishes::default()
        };
        let muster = muster(scenario, catalog, &wishes).expect("the scenario has them");
        let laid = set_up(scenario, &muster, catalog, 5).expect("there is room");
        (muster, laid.markers, laid.table)
    }

    /// Each change breaks one rule, and its sentence says which.
    #[test]
    fn sa_13_what_players_laid_wrong_is_named() {
        let (muster, markers, table) = laid();
        let broken = |change: &dyn Fn(&mut Vec<PlacedMarker>, &mut Table)| {
            let (mut markers, mut table) = (markers.clone(), table.clone());
            change(&mut markers, &mut table);
            broken_rules(Scenario::intro(), &muster, &markers, &table).join(" ")
        };
        assert_eq!(broken(&|_, _| {}), "");
        fn ship<'t>(table: &'t mut Table, id: &str) -> &'t mut Ship {
            let found = table.ships.iter_mut().find(|ship| &*ship.id == id);
            found.expect("it takes part")
        }
        type Change = Box<dyn Fn(&mut Vec<PlacedMarker>, &mut Table)>;
        let cases: Vec<(&str, Change)> = vec![
            (
                "marker-1 lies 80 mm from an edge; it has to be beyond range 3",
                Box::new(|markers, _| markers[0].pose = Pose::new(100.0, 450.0, 180.0)),
            ),
            (
                "from each other; they have to be at range 3",
                Box::new(|markers, _| {
                    markers[1].pose = markers[0].pose;
                    markers[1].pose.position.x += 60.0;
                }),
            ),
            (
                "points at marker-",
                Box::new(|markers, _| markers[0].pose.position = markers[1].pose.position + Point::new(230.0, 0.0)),
            ),
            (
                "5 obstacles lie on the mat; the scenario has 6",
                Box::new(|_, table| drop(table.obstacles.pop())),
            ),
            (
                "from an edge; it has to be beyond range 2",
                Box::new(|_, table| {
                    let low = table.obstacles[0]
                        .outline
                        .iter()
                        .map(|p| p.x)
                        .fold(f64::INFINITY, f64::min);
                    let outline = &mut table.obstacles[0].outline;
                    *outline = outline.map(|p| Point::new(p.x - (low - 190.0), p.y));
                }),
            ),
            (
                "stands 161 mm from the player edge; it has to be within range 1",
                Box::new(|_, table| ship(table, "player-1").pose.position.y = 141.0),
            ),
            (
                "stands against no deployment side",
                Box::new(|_, table| ship(table, "patrol-1").pose.position.y += 10.0),
            ),
            (
                "overlap",
                Box::new(|_, table| {
                    let pose = ship(table, "player-2").pose;
                    ship(table, "player-1").pose = pose;
                }),
            ),
            (
                "stands on the obstacle",
                Box::new(|_, table| {
                    let point = table.obstacles[0].outline[0];
                    ship(table, "player-1").pose.position = point;
                }),
            ),
            (
                "is not on the mat",
                Box::new(|_, table| ship(table, "patrol-2").status = crate::xwing::ship::Status::Reserved),
            ),
        ];
        for (expected, change) in cases {
            let said = broken(&*change);
            assert!(said.contains(expected), "{expected}: {said}");
        }
    }
}
