//! Scenarios (SA-13): set-up against a checker of its own, squads, waves, variants, files of users.

use std::collections::BTreeSet;

use expect_test::expect;
use geo::{Coord, Distance, Euclidean, Intersects, Line, LineString, Polygon};
use tallyho::{
    bridge::{
        position::{self, Position},
        text,
    },
    dice::SeededDice,
    geometry::{Point, Pose},
    solo_alpha::{self, Options, Situation},
    xwing::{
        catalog::Catalog,
        scenario::{
            Edge, Scenario, ScenarioError, SideName, arrival,
            muster::{self, Muster, Wishes},
            setup::{self, SetUp},
            standing::Standing,
        },
        ship::{Ship, Status},
        table::Table,
    },
};

const AMBUSH: &str = include_str!("../cases/scenario/ambush.toml");

const FACTIONS: [&str; 7] = [
    "galacticrepublic",
    "separatistalliance",
    "rebelalliance",
    "galacticempire",
    "resistance",
    "firstorder",
    "scumandvillainy",
];

fn wishes(faction: &str, enemy: &str) -> Wishes {
    Wishes {
        faction: faction.into(),
        enemy: enemy.into(),
        player_ships: 2,
        ..Wishes::default()
    }
}

fn intro(wishes: &Wishes, seed: u64) -> (Muster, SetUp) {
    let (scenario, catalog) = (Scenario::intro(), Catalog::embedded());
    let muster = muster::muster(scenario, catalog, wishes).expect("the scenario has these");
    let set_up = setup::set_up(scenario, &muster, catalog, seed).expect("there is room");
    (muster, set_up)
}

// The checker: written against the rules of SA-13, with the geometry of another library. It uses the placer's results
// (poses and outlines) and none of its functions.

fn square(pose: Pose, side: f64) -> Polygon {
    let (sin, cos) = pose.heading.to_radians().sin_cos();
    let half = side / 2.0;
    let corner = |x: f64, y: f64| Coord {
        x: pose.position.x + x * cos + y * sin,
        y: pose.position.y - x * sin + y * cos,
    };
    let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
    Polygon::new(LineString(corners.map(|(x, y)| corner(x, y)).to_vec()), Vec::new())
}

fn polygon(outline: &[Point]) -> Polygon {
    Polygon::new(outline.iter().map(|point| (point.x, point.y)).collect(), Vec::new())
}

fn base_mm(ship: &Ship) -> f64 {
    use tallyho::xwing::size::Size;
    match ship.size {
        Size::Small => 40.0,
        Size::Medium => 60.0,
        Size::Large => 80.0,
        Size::Huge => panic!("no huge ship takes part"),
    }
}

/// Smallest distance of any corner from any edge of the 914.4 mm square.
fn from_edges(shape: &Polygon) -> f64 {
    let coordinates = shape.exterior().coords().flat_map(|corner| [corner.x, corner.y]);
    coordinates
        .map(|value| value.min(914.4 - value))
        .fold(f64::INFINITY, f64::min)
}

/// Whether a ray out of a marker's front (0), right (90) or left (-90) side meets the shape; one every millimetre.
fn side_points_at(marker: Pose, size: f64, turn: f64, shape: &Polygon) -> bool {
    let (sin, cos) = (marker.heading + turn).to_radians().sin_cos();
    (0..=size as i32).any(|step| {
        let across = f64::from(step) - size / 2.0;
        let at = |out: f64| Coord {
            x: marker.position.x + across * cos + out * sin,
            y: marker.position.y - across * sin + out * cos,
        };
        Line::new(at(size / 2.0), at(2000.0)).intersects(shape)
    })
}

fn broken_rules(set_up: &SetUp) -> Vec<String> {
    let mut broken = Vec::new();
    let mut rule = |holds: bool, text: String| {
        if !holds {
            broken.push(text);
        }
    };
    let table = &set_up.table;
    rule(
        table.area.width == 914.4 && table.area.height == 914.4,
        "the area is 3 x 3 feet".into(),
    );
    rule(set_up.markers.len() == 2, "there are two markers".into());
    let markers: Vec<Polygon> = set_up
        .markers
        .iter()
        .map(|marker| square(marker.pose, marker.size_mm))
        .collect();
    let apart = Euclidean.distance(&markers[0], &markers[1]);
    rule(
        apart > 200.0 && apart <= 300.0,
        format!("markers are at range 3 of each other: {apart}"),
    );
    for (index, marker) in set_up.markers.iter().enumerate() {
        let edges = from_edges(&markers[index]);
        rule(
            edges > 300.0,
            format!("{} is beyond range 3 of edges: {edges}", marker.id),
        );
        rule(
            marker.pose.heading == 180.0,
            format!("{} faces the player edge", marker.id),
        );
        for turn in [0.0, 90.0, -90.0] {
            let at = side_points_at(marker.pose, marker.size_mm, turn, &markers[1 - index]);
            rule(
                !at,
                format!("no side of {} points at the other marker ({turn})", marker.id),
            );
        }
    }
    rule(table.obstacles.len() == 6, "there are six obstacles".into());
    let obstacles: Vec<Polygon> = table
        .obstacles
        .iter()
        .map(|obstacle| polygon(&obstacle.outline))
        .collect();
    for (index, obstacle) in obstacles.iter().enumerate() {
        let edges = from_edges(obstacle);
        rule(
            edges > 200.0,
            format!("obstacle {index} is beyond range 2 of edges: {edges}"),
        );
        for other in &obstacles[index + 1..] {
            let apart = Euclidean.distance(obstacle, other);
            rule(
                apart > 100.0,
                format!("obstacles are beyond range 1 of each other: {apart}"),
            );
        }
        for (marker, shape) in set_up.markers.iter().zip(&markers) {
            let apart = Euclidean.distance(obstacle, shape);
            rule(
                apart > 100.0,
                format!("obstacle {index} is beyond range 1 of {}: {apart}", marker.id),
            );
            for turn in [0.0, 90.0, -90.0] {
                let at = side_points_at(marker.pose, marker.size_mm, turn, obstacle);
                rule(
                    !at,
                    format!("no side of {} points at obstacle {index} ({turn})", marker.id),
                );
            }
        }
    }
    let ships: Vec<&Ship> = table
        .ships
        .iter()
        .filter(|ship| ship.status == Status::InPlay)
        .collect();
    let bases: Vec<Polygon> = ships.iter().map(|ship| square(ship.pose, base_mm(ship))).collect();
    for (ship, base) in ships.iter().zip(&bases) {
        let name = &ship.id;
        rule(from_edges(base) >= 0.0, format!("{name} is on the table"));
        if ship.id.starts_with("player-") {
            let top = base.exterior().coords().map(|corner| corner.y).fold(0.0, f64::max);
            rule(
                top <= 100.0,
                format!("{name} is within range 1 of the player edge: {top}"),
            );
            rule(ship.pose.heading == 0.0, format!("{name} flies away from its edge"));
        } else if ship.id.starts_with("patrol-") || ship.id.starts_with("reinforcement-") {
            rule(
                stands_against(ship, set_up),
                format!("{name} stands against a deployment side"),
            );
        }
        for (other, shape) in ships.iter().zip(&bases).filter(|(other, _)| other.id > ship.id) {
            // Bases that only touch are no overlap.
            let smaller = square(other.pose, base_mm(other) - 0.001);
            rule(
                !base.intersects(&smaller),
                format!("{name} and {} do not overlap: {shape:?}", other.id),
            );
        }
        for obstacle in &obstacles {
            rule(!base.intersects(obstacle), format!("{name} stands on no obstacle"));
        }
    }
    broken
}

/// Whether its rear edge lies along a front, left or right side of a marker, middle on middle, its nose pointing away.
fn stands_against(ship: &Ship, set_up: &SetUp) -> bool {
    set_up.markers.iter().any(|marker| {
        [0.0, 90.0, -90.0].into_iter().any(|turn: f64| {
            let heading = (marker.pose.heading + turn).rem_euclid(360.0);
            let out = (marker.size_mm + base_mm(ship)) / 2.0;
            let (sin, cos) = heading.to_radians().sin_cos();
            let (x, y) = (marker.pose.position.x + out * sin, marker.pose.position.y + out * cos);
            let off = (ship.pose.position.x - x).hypot(ship.pose.position.y - y);
            off < 1e-6 && (ship.pose.heading - heading).abs() < 1e-9
        })
    })
}

#[test]
fn sa_13_every_rule_of_set_up_holds_for_all_factions_and_many_seeds() {
    let mut layouts = BTreeSet::new();
    let mut checked = 0;
    for (index, faction) in FACTIONS.into_iter().enumerate() {
        for seed in 0..80_u64 {
            let enemy = FACTIONS[(index + seed as usize) % FACTIONS.len()];
            let variant = [None, Some("ace"), Some("transport")][seed as usize % 3];
            let wishes = Wishes {
                player_ships: 1 + seed as u32 % 8,
                variant: variant.map(str::to_owned),
                ..wishes(faction, enemy)
            };
            let (muster, set_up) = intro(&wishes, seed * 7 + index as u64);
            let broken = broken_rules(&set_up);
            assert!(
                broken.is_empty(),
                "{faction} against {enemy}, seed {seed}:\n{}",
                broken.join("\n")
            );
            let in_play = |group: &str| {
                set_up
                    .table
                    .ships_in_play()
                    .filter(|ship| ship.id.starts_with(group))
                    .count()
            };
            assert_eq!(in_play("player-"), muster.player_ships as usize);
            // Both markers together hold six small ships; the seventh waits.
            assert_eq!(
                in_play("patrol-"),
                (muster.player_ships as usize).min(6),
                "{:?}",
                set_up.notes
            );
            assert_eq!(in_play("transport-"), usize::from(variant == Some("transport")));
            layouts.insert(format!("{:?}", set_up.markers));
            checked += 1;
        }
    }
    assert_eq!(checked, 560);
    assert_eq!(layouts.len(), 560, "every seed has a layout of its own");
}

#[test]
fn sa_13_aces_fly_by_quick_build_cards() {
    let (scenario, catalog) = (Scenario::intro(), Catalog::embedded());
    for squad in &scenario.squads {
        for ace in squad.aces.values() {
            let cards = catalog.quick_builds().iter();
            let same = cards.filter(|card| card.pilots.len() == 1 && card.pilots[0].is(&ace.pilot, &ace.upgrades));
            assert_eq!(same.count(), 1, "{}: {}", squad.faction, ace.pilot);
        }
    }
    let with = |card: &str, variant: Option<&str>| {
        let wishes = Wishes {
            variant: variant.map(str::to_owned),
            ace: Some(card.to_owned()),
            ..wishes("rebelalliance", "galacticempire")
        };
        muster::muster(scenario, catalog, &wishes)
    };
    let muster = with("soontirfel-2", Some("ace")).unwrap();
    let aces: Vec<_> = muster
        .recruits
        .iter()
        .filter(|recruit| recruit.pilot == "soontirfel")
        .collect();
    assert_eq!(aces.len(), 1);
    assert_eq!(aces[0].ship.id.as_ref(), "reinforcement-1");
    assert!(
        aces[0].upgrades.contains(&"daredevil".to_owned()),
        "{:?}",
        aces[0].upgrades
    );
    // Another ship type, a generic pilot, no such card, no ace in this game.
    let refusals = [
        with("tomaxbren", Some("ace")),
        with("alphasquadronpilot", Some("ace")),
        with("soontirfel-9", Some("ace")),
        with("soontirfel-2", None),
    ];
    let refusals = refusals.map(|refusal| refusal.unwrap_err().to_string());
    for refusal in &refusals[..3] {
        assert!(refusal.contains("soontirfel, soontirfel-2"), "{refusal}");
    }
    assert!(refusals[3].contains("take a variant"), "{}", refusals[3]);
}

#[test]
fn the_checker_finds_what_is_wrong() {
    let (_, good) = intro(&wishes("rebelalliance", "galacticempire"), 3);
    assert_eq!(broken_rules(&good), Vec::<String>::new());
    let mut bad = Vec::new();
    let mut with = |change: &dyn Fn(&mut SetUp)| {
        let mut set_up = good.clone();
        change(&mut set_up);
        bad.push(!broken_rules(&set_up).is_empty());
    };
    with(&|set_up| set_up.markers[0].pose.position.x = 300.0);
    with(&|set_up| set_up.markers[0].pose.heading = 90.0);
    with(&|set_up| {
        set_up.table.obstacles[0]
            .outline
            .iter_mut()
            .for_each(|point| point.x -= 400.0)
    });
    with(&|set_up| {
        let front = set_up.markers[0].pose.position - set_up.table.obstacles[1].outline[0];
        let outline = &mut set_up.table.obstacles[1].outline;
        outline
            .iter_mut()
            .for_each(|point| *point = *point + front + Point::new(0.0, -150.0));
    });
    with(&|set_up| {
        set_up
            .table
            .ships
            .iter_mut()
            .for_each(|ship| ship.pose.position.y += 61.0)
    });
    with(&|set_up| set_up.table.ships[0].pose.heading += 1.0);
    assert_eq!(bad, [true; 6]);
}

#[test]
fn a_set_up_depends_on_its_seed_alone_and_survives_both_forms() {
    let catalog = Catalog::embedded();
    let wishes = wishes("scumandvillainy", "resistance");
    let (_, once) = intro(&wishes, 11);
    assert_eq!(intro(&wishes, 11).1, once);
    assert_ne!(intro(&wishes, 12).1.table, once.table);
    let position = Position::of(once.table.clone());
    let read = text::parse(&text::write(&position, catalog), catalog).unwrap();
    assert_eq!(read.table, once.table);
    let read = position::parse(&position::write(&position, catalog), catalog).unwrap();
    assert_eq!(read.table, once.table);
}

/// SA-13.1.
#[test]
fn sa_13_1_squads_are_those_of_the_table() {
    let (scenario, catalog) = (Scenario::intro(), Catalog::embedded());
    assert_eq!(scenario.unknown_to(catalog), Vec::new());
    let mut lines = String::new();
    for squad in &scenario.squads {
        lines += &format!("{}\n", squad.faction);
        for (group, choices) in &squad.ships {
            for choice in choices {
                let wishes = Wishes {
                    take: vec![format!("{group}={}", choice.ship)],
                    variant: Some("transport".into()),
                    ..wishes(&squad.faction, &squad.faction)
                };
                let muster = muster::muster(scenario, catalog, &wishes).unwrap();
                let ships = muster.recruits.iter().filter(|recruit| recruit.group == *group);
                let pilots: Vec<String> = ships
                    .map(|recruit| {
                        assert_eq!(recruit.ship.chassis, choice.ship);
                        assert_eq!(recruit.upgrades, choice.upgrades);
                        format!("{} {}", recruit.ship.initiative, recruit.pilot)
                    })
                    .collect();
                let upgrades: String = choice.upgrades.iter().map(|upgrade| format!(" + {upgrade}")).collect();
                lines += &format!("  {group}: {}{upgrades}: {}\n", choice.ship, pilots.join(", "));
            }
        }
    }
    expect![[r#"
        galacticrepublic
          patrol: v19torrentstarfighter: 2 goldsquadrontrooper, 2 goldsquadrontrooper, 3 bluesquadronprotector, 3 bluesquadronprotector
          player: arc170starfighter: 3 squadsevenveteran, 2 104thbattalionpilot
          player: delta7aethersprite + calibratedlasertargeting: 3 jediknight, 3 jediknight
          reinforcement: btlbywing + protontorpedoes: 3 shadowsquadronveteran, 3 shadowsquadronveteran
          reinforcement: delta7aethersprite + calibratedlasertargeting: 3 jediknight, 3 jediknight
          transport: laatigunship: 2 212thbattalionpilot
        separatistalliance
          patrol: vultureclassdroidfighter: 1 tradefederationdrone, 1 tradefederationdrone, 3 separatistdrone, 3 separatistdrone
          player: belbullab22starfighter: 3 skakoanace, 1 feethanottrawautopilot
          reinforcement: nantexclassstarfighter: 4 petranakiarenaace, 4 petranakiarenaace
          reinforcement: hyenaclassdroidbomber + protontorpedoes: 3 separatistbomber, 3 separatistbomber
          transport: sithinfiltrator: 2 darkcourier
        rebelalliance
          patrol: z95af4headhunter: 1 banditsquadronpilot, 1 banditsquadronpilot, 2 talasquadronpilot, 2 talasquadronpilot
          player: t65xwing: 3 redsquadronveteran, 1 cavernangelszealot
          player: asf01bwing: 3 bladesquadronveteran, 2 bluesquadronpilot
          reinforcement: rz1awing + concussionmissiles: 3 greensquadronpilot, 3 greensquadronpilot
          reinforcement: btla4ywing + protontorpedoes: 3 goldsquadronveteran, 3 goldsquadronveteran
          transport: hwk290lightfreighter: 2 rebelscout
        galacticempire
          patrol: tielnfighter: 1 academypilot, 1 academypilot, 3 blacksquadronace, 3 blacksquadronace
          patrol: tieagaggressor: 2 sienarspecialist, 2 sienarspecialist, 3 onyxsquadronscout, 3 onyxsquadronscout
          player: tieadvancedx1: 3 stormsquadronace, 2 tempestsquadronpilot
          reinforcement: tieininterceptor: 4 sabersquadronace, 4 sabersquadronace
          reinforcement: tiesabomber + protontorpedoes: 3 gammasquadronace, 3 gammasquadronace
          transport: lambdaclasst4ashuttle: 1 omicrongrouppilot
        resistance
          patrol: fireball: 2 colossusstationmechanic, 2 colossusstationmechanic, 2 colossusstationmechanic, 2 colossusstationmechanic
          player: t70xwing: 4 blacksquadronace-t70xwing, 1 bluesquadronrookie
          reinforcement: rz2awing + concussionmissiles: 3 greensquadronexpert, 3 greensquadronexpert
          reinforcement: resistancetransport + protontorpedoes: 1 logisticsdivisionpilot, 1 logisticsdivisionpilot
          transport: resistancetransport: 1 logisticsdivisionpilot
        firstorder
          patrol: tiefofighter: 1 epsilonsquadroncadet, 1 epsilonsquadroncadet, 3 omegasquadronace, 3 omegasquadronace
          player: tiesffighter + specialforcesgunner: 3 omegasquadronexpert, 2 zetasquadronsurvivor
          reinforcement: tiebainterceptor: 3 firstorderprovocateur, 3 firstorderprovocateur
          reinforcement: tiesffighter + concussionmissiles: 3 omegasquadronexpert, 3 omegasquadronexpert
          transport: upsilonclasscommandshuttle: 2 starkillerbasepilot
        scumandvillainy
          patrol: z95af4headhunter: 1 binayrepirate, 1 binayrepirate, 3 blacksunsoldier, 3 blacksunsoldier
          patrol: m3ainterceptor: 1 cartelspacer, 1 cartelspacer, 3 tansariipointveteran, 3 tansariipointveteran
          patrol: modifiedtielnfighter: 1 miningguildsentry, 1 miningguildsentry, 2 miningguildsurveyor, 2 miningguildsurveyor
          player: kihraxzfighter: 3 blacksunace, 2 cartelmarauder
          player: g1astarfighter: 1 gandfindsman, 1 gandfindsman
          reinforcement: fangfighter: 4 skullsquadronpilot, 4 skullsquadronpilot
          reinforcement: btla4ywing + protontorpedoes: 3 amaxinewarrior, 3 amaxinewarrior
          transport: yv666lightfreighter: 2 trandoshanslaver
    "#]].assert_eq(&lines);
}

/// A table of the game with some ships destroyed.
fn destroyed(table: &Table, ids: &[&str]) -> Table {
    let mut table = table.clone();
    for id in ids {
        let ship = table
            .ships
            .iter_mut()
            .find(|ship| *ship.id == **id)
            .expect("the ship is there");
        assert_eq!(ship.status, Status::InPlay, "{id}");
        ship.status = Status::Destroyed;
    }
    table
}

fn bring_in(muster: &Muster, set_up: &SetUp, table: &Table, round: u32) -> (Table, Vec<String>) {
    let mut table = table.clone();
    let arrived = arrival::bring_in(Scenario::intro(), muster, &set_up.markers, &mut table, round, 5).unwrap();
    let mut ships: Vec<String> = arrived.ships.iter().map(ToString::to_string).collect();
    ships.sort();
    (table, ships)
}

#[test]
fn sa_13_waves_of_rounds_4_and_7_place_ships_by_what_is_destroyed() {
    let (muster, set_up) = intro(&wishes("rebelalliance", "galacticempire"), 5);
    let start = &set_up.table;
    let holds = |table: &Table| {
        let set_up = SetUp {
            table: table.clone(),
            ..set_up.clone()
        };
        assert_eq!(broken_rules(&set_up), Vec::<String>::new());
    };
    let (round_4, ships) = bring_in(&muster, &set_up, start, 4);
    assert_eq!(ships, ["patrol-3", "patrol-4"]);
    holds(&round_4);
    let one_down = destroyed(start, &["patrol-1"]);
    let (mixed, ships) = bring_in(&muster, &set_up, &one_down, 4);
    assert_eq!(ships, ["patrol-3", "reinforcement-1"]);
    holds(&mixed);
    assert_eq!(bring_in(&muster, &set_up, start, 5).1, Vec::<String>::new());
    let two_down = destroyed(&round_4, &["patrol-1", "patrol-3"]);
    assert_eq!(bring_in(&muster, &set_up, &two_down, 7).1, ["reinforcement-1"]);
    // All four patrols came, three are down: the additional one is a destroyed one that comes again.
    let three_down = destroyed(&round_4, &["patrol-1", "patrol-3", "patrol-2"]);
    let (last, ships) = bring_in(&muster, &set_up, &three_down, 7);
    assert_eq!(ships, ["patrol-5", "reinforcement-1"]);
    assert_eq!(last.ship("patrol-5").unwrap().chassis, "tielnfighter");
    assert_eq!(last.ship("patrol-1").unwrap().status, Status::Destroyed);
    holds(&last);
    let by_group = destroyed(&mixed, &["patrol-2", "reinforcement-1"]);
    assert_eq!(
        bring_in(&muster, &set_up, &by_group, 7).1,
        ["patrol-4", "reinforcement-2"]
    );
    // A wave is a function of the table: twice the same.
    assert_eq!(
        bring_in(&muster, &set_up, &by_group, 7),
        bring_in(&muster, &set_up, &by_group, 7)
    );
}

#[test]
fn sa_13_a_blocked_side_gives_way_to_another() {
    let (muster, set_up) = intro(&wishes("rebelalliance", "galacticempire"), 5);
    let mut table = set_up.table.clone();
    // Every side of both markers is taken, each by a player ship of its own.
    let player = table.ship("player-1").unwrap().clone();
    table
        .ships
        .retain(|ship| ship.side != "player" && ship.status != Status::InPlay);
    let mut number = 0;
    for marker in &set_up.markers {
        for turn in [0.0, 90.0, -90.0] {
            number += 1;
            let mut ship = player.clone();
            ship.id = format!("player-{number}").into();
            let side = marker.pose.compose(Pose::new(0.0, 0.0, turn));
            ship.pose = side.compose(Pose::new(0.0, 41.0, 0.0));
            table.ships.push(ship);
        }
    }
    table.ships.sort_by(|a, b| a.id.cmp(&b.id));
    let (after, ships) = bring_in(&muster, &set_up, &table, 4);
    assert_eq!(ships, Vec::<String>::new());
    assert!(
        after
            .ships
            .iter()
            .filter(|ship| ship.side == "solo")
            .all(|ship| ship.status == Status::Reserved)
    );
    // One ship gone, one side free: that is where the one ship arrives, whatever was rolled.
    for gone in 1..=6 {
        let mut table = table.clone();
        let id = format!("player-{gone}");
        let free = table.ship(&id).unwrap().pose;
        table.ships.retain(|ship| *ship.id != *id);
        let (after, ships) = bring_in(&muster, &set_up, &table, 4);
        assert_eq!(ships.len(), 1);
        let pose = after.ship(&ships[0]).unwrap().pose;
        assert!((pose.position.distance(free.position) - 1.0).abs() < 1e-6 && pose.heading == free.heading);
    }
}

/// The side that the first patrol of a set-up stands against, as the turn from its marker's front, and what was rolled.
fn rolled_side(set_up: &SetUp) -> (usize, i32, String) {
    let patrol = set_up.table.ship("patrol-1").unwrap();
    let note = set_up
        .notes
        .iter()
        .find(|note| note.contains("(patrol-1) arrives"))
        .unwrap();
    let marker = usize::from(note.contains("marker-2"));
    let roll = note.rsplit_once("rolled ").unwrap().1.trim_end_matches(").").to_owned();
    let turn = patrol.pose.heading - set_up.markers[marker].pose.heading;
    (marker, turn as i32, roll)
}

#[test]
fn sa_13_the_die_chooses_the_side_and_without_player_ships_a_focus_the_front() {
    let mut seen = BTreeSet::new();
    for seed in 0..60 {
        // All player ships have a higher initiative than the patrols, so that these arrive first.
        let wishes = Wishes {
            player_ships: 1,
            ..wishes("resistance", "firstorder")
        };
        let (marker, turn, roll) = rolled_side(&intro(&wishes, seed).1);
        let expected = match roll.as_str() {
            "blank" => -90,
            "evade" => 90,
            "focus" => 0,
            other => panic!("{other}"),
        };
        assert_eq!(turn, expected, "seed {seed}: {roll}");
        seen.insert((marker, roll));
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
}

#[test]
fn sa_13_a_focus_takes_the_side_closest_to_the_nearest_player_ship() {
    let mut turns = BTreeSet::new();
    for seed in 0..120 {
        // Of the player ships only the second is there already: initiative 1, the patrols have 2.
        let (_, set_up) = intro(&wishes("rebelalliance", "resistance"), seed);
        let (marker, turn, roll) = rolled_side(&set_up);
        if roll != "focus" {
            continue;
        }
        let player = set_up.table.ship("player-2").unwrap();
        assert_eq!(player.initiative, 1);
        let (base, marker) = (square(player.pose, base_mm(player)), &set_up.markers[marker]);
        let away = |turn: i32| {
            let (sin, cos) = (marker.pose.heading + f64::from(turn)).to_radians().sin_cos();
            let half = marker.size_mm / 2.0;
            let middle = (marker.pose.position.x + half * sin, marker.pose.position.y + half * cos);
            Euclidean.distance(&geo::Point::from(middle), &base)
        };
        for other in [0, 90, -90] {
            assert!(
                away(turn) <= away(other) + 0.01,
                "seed {seed}: {turn} is not closer than {other}"
            );
        }
        turns.insert(turn);
    }
    assert!(turns.contains(&0) && turns.len() > 1, "{turns:?}");
}

#[test]
fn sa_13_the_ace_locks_the_nearest_player_ship_as_it_arrives() {
    for faction in FACTIONS {
        let wishes = Wishes {
            variant: Some("ace".into()),
            ..wishes("rebelalliance", faction)
        };
        let (muster, set_up) = intro(&wishes, 5);
        let ace = muster
            .recruits
            .iter()
            .find(|recruit| &*recruit.ship.id == "reinforcement-1")
            .unwrap();
        let pilot = Catalog::embedded().pilot(&ace.pilot).unwrap();
        assert!(pilot.limited > 0 && pilot.faction == faction && !ace.upgrades.is_empty());
        let table = destroyed(&set_up.table, &["patrol-1"]);
        let (table, ships) = bring_in(&muster, &set_up, &table, 4);
        assert_eq!(ships, ["patrol-3", "reinforcement-1"]);
        let ship = table.ship("reinforcement-1").unwrap();
        let away = |player: &str| {
            let player = table.ship(player).unwrap();
            Euclidean.distance(&square(ship.pose, base_mm(ship)), &square(player.pose, base_mm(player)))
        };
        let nearest = if away("player-1") < away("player-2") {
            "player-1"
        } else {
            "player-2"
        };
        assert_eq!(ship.locks.iter().map(|id| &**id).collect::<Vec<_>>(), [nearest]);
        assert!(table.ship("patrol-3").unwrap().locks.is_empty());
    }
}

#[test]
fn sa_13_the_transport_is_after_the_opposite_corner() {
    for seed in 0..6 {
        let wishes = Wishes {
            variant: Some("transport".into()),
            ..wishes("rebelalliance", "scumandvillainy")
        };
        let (_, set_up) = intro(&wishes, seed);
        let table = &set_up.table;
        let transport = table.ship("transport-1").unwrap();
        let goal = table
            .markers
            .iter()
            .find(|marker| &*marker.id == "transport-1-goal")
            .unwrap()
            .position;
        let start = transport.pose.position;
        assert!(
            start.y > 914.4 - 65.0 && (start.x < 65.0 || start.x > 914.4 - 65.0),
            "{start:?}"
        );
        assert_eq!(goal, Point::new(if start.x < 457.0 { 914.4 } else { 0.0 }, 0.0));
        let mut dice = SeededDice::new(seed);
        let situation = Situation::default();
        let activation = solo_alpha::decide(table, &transport.id, &situation, &Options::default(), &mut dice).unwrap();
        let tally = activation.approach.tally.unwrap();
        assert_eq!((&*tally.id, tally.rule.id()), ("transport-1-goal", "SA-3.1a"));
    }
}

#[test]
fn sa_13_the_game_ends_and_ships_are_saved_as_the_text_says() {
    let scenario = Scenario::intro();
    let (_, set_up) = intro(&wishes("rebelalliance", "galacticempire"), 1);
    let ended = |table: &Table, round| {
        scenario
            .ended(round, &Standing::of(scenario, table))
            .map(|end| end.without)
    };
    assert_eq!(ended(&set_up.table, 1), None);
    let beaten = destroyed(&set_up.table, &["patrol-1", "patrol-2"]);
    assert_eq!(ended(&beaten, 6), None);
    assert_eq!(ended(&beaten, 7), Some(SideName::Solo));
    let mut lost = destroyed(&set_up.table, &["player-1"]);
    assert_eq!(ended(&lost, 2), None);
    lost.ships
        .iter_mut()
        .filter(|ship| &*ship.id == "player-2")
        .for_each(|ship| ship.status = Status::Removed);
    assert_eq!(ended(&lost, 2), Some(SideName::Player));
    assert!(scenario.saves(SideName::Player, Edge::South));
    assert!(!scenario.saves(SideName::Player, Edge::North));
    assert!(!scenario.saves(SideName::Solo, Edge::South));
}

#[test]
fn requests_that_a_scenario_cannot_fulfil_are_named() {
    let (scenario, catalog) = (Scenario::intro(), Catalog::embedded());
    let base = wishes("rebelalliance", "galacticempire");
    let asked = |change: &dyn Fn(&mut Wishes)| {
        let mut wishes = base.clone();
        change(&mut wishes);
        muster::muster(scenario, catalog, &wishes).unwrap_err().to_string()
    };
    let all = [
        asked(&|wishes| wishes.faction = "rebelallience".into()),
        asked(&|wishes| wishes.player_ships = 9),
        asked(&|wishes| wishes.variant = Some("convoy".into())),
        asked(&|wishes| wishes.take = vec!["t70xwing".into()]),
        asked(&|wishes| {
            wishes.enemy = "resistance".into();
            wishes.variant = Some("ace".into());
            wishes.take = vec!["reinforcement=resistancetransport".into()];
        }),
    ];
    expect![[r#"
        no faction `rebelallience` in this scenario (is `rebelalliance` meant?); it has galacticrepublic, separatistalliance, rebelalliance, galacticempire, resistance, firstorder, scumandvillainy
        9 player ships: give between 1 and 8
        the scenario `intro` has no variant `convoy`; it has ace, transport
        `t70xwing` is no choice of rebelalliance (player) or galacticempire (solo) in this scenario
        resistance has no ace for `resistancetransport`; name a Quick Build card with --ace, or take another ship of the group `reinforcement` with --take"#]].assert_eq(&all.join("\n"));
}

#[test]
fn mistakes_in_a_scenario_file_are_named_with_their_place() {
    let mistakes = [
        ("player_edge = \"east\"", "player_edge = \"left\""),
        ("first_player = \"solo\"", "first_payer = \"solo\""),
        ("width_mm = 914.4", "width_mm = 3"),
        ("place = { hunter = 1 }", "place = { hunters = 1 }"),
        ("at_most = 0", "at_mos = 0"),
        ("{ courier = 1, hunter = 1 }", "{ courier = 1, hunter = 1000 }"),
        ("usual = 1", "usual = 4"),
        (
            "arrives = { corner = [\"south_west\", \"north_west\", \"north_east\"] }",
            "arrives = \"marker\"",
        ),
        ("id = \"hunter\"", "id = \"Hunter 1\""),
        ("tallyho-scenario-1", "tallyho-scenario-9"),
    ];
    let mut said = String::new();
    for (right, mistaken) in mistakes {
        assert!(AMBUSH.contains(right), "{right}");
        let error = Scenario::parse(&AMBUSH.replacen(right, mistaken, 1)).unwrap_err();
        assert!(matches!(error, ScenarioError::Form(_) | ScenarioError::Value { .. }));
        said += &format!("{}\n", error.to_string().trim_end());
    }
    expect![[r#"
        this is no scenario file: TOML parse error at line 6, column 15
          |
        6 | player_edge = "left"
          |               ^^^^^^
        unknown variant `left`, expected one of `south`, `north`, `west`, `east`
        this is no scenario file: TOML parse error at line 7, column 1
          |
        7 | first_payer = "solo"
          | ^^^^^^^^^^^
        unknown field `first_payer`, expected one of `format`, `id`, `name`, `area`, `player_edge`, `first_player`, `player_ships`, `markers`, `obstacles`, `retreat`, `group`, `wave`, `variant`, `ending`, `squad`
        area.width_mm: is 3; give millimetres between 100 and 4000
        wave[2].place: there is no group `hunters`; there are courier, hunter
        this is no scenario file: TOML parse error at line 47, column 34
           |
        47 | when = { destroyed = ["hunter"], at_mos = 0 }
           |                                  ^^^^^^
        unknown field `at_mos`, expected one of `destroyed`, `at_least`, `at_most`
        wave[0].place.hunter: give at most 24
        player_ships: give 1 <= usual <= most <= 24
        group[1].arrives: there are no markers; set markers.count, or let it arrive elsewhere
        group[1].id: `Hunter 1`: use small letters and `_`
        format: is `tallyho-scenario-9`; this program reads `tallyho-scenario-1`
    "#]].assert_eq(&said);
}

#[test]
fn rules_without_any_layout_end_in_an_error() {
    let text = AMBUSH.replacen(
        "from_edges = { beyond = 1 }\napart = { at = 2 }",
        "from_edges = { beyond = 2 }\napart = { at = 9 }",
        1,
    );
    let scenario = Scenario::parse(&text).unwrap();
    let wishes = Wishes {
        player_ships: 1,
        ..wishes("rebelalliance", "galacticempire")
    };
    let muster = muster::muster(&scenario, Catalog::embedded(), &wishes).unwrap();
    let error = setup::set_up(&scenario, &muster, Catalog::embedded(), 1).unwrap_err();
    assert!(
        matches!(&error, ScenarioError::NoRoom(text) if text.contains("loosen the distances of [obstacles]")),
        "{error}"
    );
}

fn tallyho() -> assert_cmd::Command {
    assert_cmd::Command::cargo_bin("tallyho").unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = tallyho().args(arguments).assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

#[test]
fn a_users_scenario_is_played_from_its_file_alone() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/scenario/ambush.toml");
    let base = [
        "scenario",
        file,
        "--faction",
        "rebelalliance",
        "--enemy",
        "galacticempire",
        "--seed",
        "2",
    ];
    let text = stdout(&base);
    let table = text::parse(&text, Catalog::embedded()).unwrap().table;
    let courier = table.ship("courier-1").unwrap();
    assert_eq!((courier.status, courier.pose.heading), (Status::InPlay, 270.0));
    assert!(courier.pose.position.x - 20.0 >= 914.4 - 200.0 && courier.pose.position.x + 20.0 <= 914.4);
    let hunter = table.ship("hunter-1").unwrap();
    assert_eq!(hunter.status, Status::InPlay);
    assert_eq!(hunter.locks.iter().map(|id| &**id).collect::<Vec<_>>(), ["courier-1"]);
    let outlines: Vec<Polygon> = table
        .obstacles
        .iter()
        .map(|obstacle| polygon(&obstacle.outline))
        .collect();
    let apart = Euclidean.distance(&outlines[0], &outlines[1]);
    assert!(apart > 100.0 && apart <= 200.0, "{apart}");
    // Round 2: with the first hunter destroyed one comes, else two.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.txt");
    let round_2 = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let more = ["--table", path.to_str().unwrap(), "--round", "2"];
        let text = stdout(&[&base[..], &more].concat());
        let table = text::parse(&text, Catalog::embedded()).unwrap().table;
        let hunters = table
            .ships_in_play()
            .filter(|ship| ship.side == "solo")
            .map(|ship| ship.id.to_string());
        hunters.collect::<Vec<_>>()
    };
    assert_eq!(round_2(&text), ["hunter-1", "hunter-2", "hunter-3"]);
    let shot = text.lines().map(|line| match line.starts_with("ship hunter-1 ") {
        true => format!("{line} destroyed\n"),
        false => format!("{line}\n"),
    });
    assert_eq!(round_2(&shot.collect::<String>()), ["hunter-2"]);
}

#[test]
fn every_form_of_output_is_written() {
    let base = [
        "scenario",
        "intro",
        "--faction",
        "Rebel Alliance",
        "--seed",
        "4",
        "--format",
    ];
    let with = |format| stdout(&[&base[..], &[format]].concat());
    let fixture = text::parse(&with("text"), Catalog::embedded()).unwrap().table;
    assert_eq!(
        position::parse(&with("json"), Catalog::embedded()).unwrap().table,
        fixture
    );
    assert!(with("svg").starts_with("<svg"));
    let list: serde_json::Value = serde_json::from_str(&with("tts")).unwrap();
    assert_eq!(list["format"], "tallyho-spawn-1");
    let counts = ["markers", "obstacles", "ships"].map(|key| list[key].as_array().unwrap().len());
    assert_eq!(counts, [2, 6, 8]);
    for entry in list["ships"].as_array().unwrap() {
        let ship = fixture.ship(entry["id"].as_str().unwrap()).unwrap();
        assert_eq!(entry["ship"], ship.chassis.as_str());
        assert_eq!(entry.get("tts").is_some(), ship.in_play());
        if ship.in_play() {
            // World units about the middle of the mat, nose at local -z.
            let x = (ship.pose.position.x - 457.2) * 0.036_37;
            assert!((entry["tts"]["x"].as_f64().unwrap() - x).abs() < 1e-3);
            let facing = (ship.pose.heading + 180.0).rem_euclid(360.0);
            assert!((entry["tts"]["rotY"].as_f64().unwrap() - facing).abs() < 1e-3);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.txt");
    let out = ["text", "--out", path.to_str().unwrap()];
    assert_eq!(stdout(&[&base[..], &out].concat()), "");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), with("text"));
}

#[test]
fn mistakes_on_the_command_line_end_with_a_remedy() {
    let stderr = |arguments: &[&str]| {
        let output = tallyho().args(arguments).assert().failure().get_output().stderr.clone();
        String::from_utf8(output).unwrap()
    };
    let unknown = stderr(&["scenario", "outro", "--faction", "scum"]);
    assert!(
        unknown.contains("give `intro`, `mirror`, or the path of a scenario file"),
        "{unknown}"
    );
    let none = stderr(&["scenario", "intro"]);
    assert!(none.contains("--faction <FACTION>"), "{none}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.txt");
    std::fs::write(&path, "ship A tielnfighter solo 400,400 @0\n").unwrap();
    let table = [
        "scenario",
        "intro",
        "--faction",
        "scum",
        "--round",
        "4",
        "--table",
        path.to_str().unwrap(),
    ];
    let other = stderr(&table);
    assert!(
        other.contains("has 0 points named marker-1 and so on, the scenario 2 markers"),
        "{other}"
    );
}
