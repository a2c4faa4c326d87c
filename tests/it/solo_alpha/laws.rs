//! Laws that hold on every table.

use std::sync::Arc;

use proptest::prelude::*;
use tallyho::{
    dice::{AttackFace, DefenceFace, DiceSource, FixedRoll, SeededDice},
    geometry::{Point, Pose, angle},
    solo_alpha::{
        self, Activation, Attitude, MoveResult, Options, Situation,
        chart::{Chart, Roll},
    },
    xwing::{
        action::ActionKind,
        catalog::{Catalog, ShipFacts},
        edition::Edition,
        maneuver::{Bearing, Dial, Difficulty, Maneuver},
        obstacle::{Obstacle, ObstacleKind},
        ship::{ArcDirection, Device, Ship, Status, Tokens},
        size::Size,
        table::{Marker, PlayArea, Table},
        weapon::{Charges, Permits, Requirement, SpecialWeapon, Weapon, WeaponArc},
    },
};

/// A ship of a type of the catalog.
fn ship(id: &str, side: &str, facts: &ShipFacts, pose: Pose) -> Ship {
    Ship {
        chassis: facts.xws.clone(),
        dial: Arc::clone(&facts.dial),
        weapons: facts.stats.weapons.clone(),
        actions: facts.actions.clone(),
        ..Ship::bare(id.into(), side, Edition::Second, facts.size, pose)
    }
}

/// What the solo rules fly.
fn flown() -> Vec<&'static ShipFacts> {
    let ships = Catalog::embedded().ships().iter();
    ships
        .filter(|ship| !ship.dial.maneuvers().is_empty() && ship.size != Size::Huge)
        .collect()
}

/// Counts how often a choice was left to a roll.
struct Counting<D> {
    dice: D,
    choices: usize,
}

impl<D: DiceSource> DiceSource for Counting<D> {
    fn defence(&mut self) -> DefenceFace {
        self.dice.defence()
    }

    fn attack(&mut self) -> AttackFace {
        self.dice.attack()
    }

    fn choose(&mut self, count: usize) -> usize {
        self.choices += 1;
        self.dice.choose(count)
    }
}

fn dice(roll: Roll, seed: u64) -> Counting<FixedRoll<SeededDice>> {
    Counting {
        dice: FixedRoll {
            defence: Some(roll.defence),
            attack: Some(roll.attack),
            rest: SeededDice::new(seed),
        },
        choices: 0,
    }
}

/// SA-6: over every ship, chart and roll, plain, stressed and ionized, the ladder ends in a maneuver that can be executed.
#[test]
fn sa_6_the_ladder_always_ends_on_the_dial() {
    let places = [
        (Chart::Bullseye, Point::new(0.0, 250.0)),
        (Chart::Front, Point::new(100.0, 250.0)),
        (Chart::Side, Point::new(250.0, 0.0)),
        (Chart::Rear, Point::new(50.0, -250.0)),
    ];
    let enemy_type = Catalog::embedded().ship("t65xwing").unwrap();
    let rock = Obstacle {
        id: "rock".into(),
        kind: ObstacleKind::Asteroid,
        outline: [(600.0, 600.0), (640.0, 600.0), (620.0, 640.0)]
            .map(|(x, y)| Point::new(x, y))
            .into_iter()
            .collect(),
    };
    let mut last_resorts = std::collections::BTreeSet::new();
    for facts in flown() {
        for (chart, place) in places {
            for (stress, ion, force) in [(0, 0, 0), (0, 0, 1), (1, 0, 0), (0, 3, 0)] {
                let mut solo = ship("S", "solo", facts, Pose::new(457.0, 457.0, 0.0));
                solo.tokens = Tokens {
                    stress,
                    ion,
                    force,
                    ..Tokens::default()
                };
                let at = solo.pose.to_table(place);
                let enemy = ship("E", "player", enemy_type, Pose::new(at.x, at.y, 180.0));
                let table = Table::new(PlayArea::STANDARD, vec![solo, enemy], vec![rock.clone()], Vec::new());
                for roll in Roll::all() {
                    let options = Options::default();
                    let (approach, _) =
                        solo_alpha::approach(&table, "S", &Situation::default(), &options, &mut dice(roll, 1)).unwrap();
                    let about = format!("{} {chart} {roll} stress {stress} ion {ion}: {approach:?}", facts.xws);
                    if ion > 0 {
                        assert_eq!((approach.maneuver, approach.chart), (Maneuver::ION, None), "{about}");
                        continue;
                    }
                    assert_eq!(approach.chart, Some(chart), "{about}");
                    assert!(facts.dial.maneuvers().contains(&approach.maneuver), "{about}");
                    let difficulty = approach.maneuver.difficulty;
                    assert!(!(difficulty == Difficulty::Red && stress > 0), "{about}");
                    assert!(!(difficulty == Difficulty::Purple && force == 0), "{about}");
                    if approach.exception_ids().ends_with("SA-6.4") {
                        last_resorts.insert(facts.xws.as_str());
                    }
                }
            }
        }
    }
    // The dials that the rules page names.
    for named in [
        "btlbywing",
        "laatigunship",
        "jumpmaster5000",
        "st70assaultship",
        "tiesebomber",
    ] {
        assert!(last_resorts.contains(named), "{named} is not among {last_resorts:?}");
    }
}

fn roll() -> impl Strategy<Value = Roll> {
    prop::sample::select(Roll::all().collect::<Vec<_>>())
}

fn tokens() -> impl Strategy<Value = Tokens> {
    let few = || prop_oneof![4 => Just(0u32), 1 => 1..4u32];
    (few(), few(), few(), few(), few(), few()).prop_map(|(stress, ion, focus, evade, calculate, force)| Tokens {
        stress,
        ion,
        focus,
        evade,
        calculate,
        force,
        ..Tokens::default()
    })
}

fn special() -> impl Strategy<Value = Option<Weapon>> {
    let arcs = [
        WeaponArc::Front,
        WeaponArc::Bullseye,
        WeaponArc::SingleTurret,
        WeaponArc::Rear,
    ];
    let weapon = (prop::sample::select(arcs.to_vec()), 0..3u32, any::<bool>()).prop_map(|(arc, left, lock)| Weapon {
        id: "weapon".to_owned(),
        arc,
        value: 3,
        min_range: 1,
        max_range: 2,
        special: Some(SpecialWeapon {
            slot: "Missile".to_owned(),
            requires: if lock { vec![Requirement::Lock] } else { Vec::new() },
            spends: false,
            ordnance: true,
            charges: Some(Charges { left, max: 2 }),
            permits: Permits::default(),
        }),
    });
    prop_oneof![Just(None), weapon.prop_map(Some)]
}

fn random_ship(index: usize) -> impl Strategy<Value = Ship> {
    use ArcDirection::{Front, Left, Rear, Right};
    let turrets = [vec![], vec![Front], vec![Right], vec![Front, Rear], vec![Left, Right]];
    let status = prop_oneof![6 => Just(Status::InPlay), 1 => Just(Status::Docked), 1 => Just(Status::Destroyed)];
    let done = [
        ActionKind::Focus,
        ActionKind::Evade,
        ActionKind::BarrelRoll,
        ActionKind::Lock,
    ];
    // Huge ships lie about, but the deciding ship is none.
    let types: Vec<_> = (Catalog::embedded().ships().iter())
        .filter(|facts| index > 0 || facts.size != Size::Huge)
        .collect();
    // Some stand over the edge, some on one another.
    let pose = (-30.0..650.0, -30.0..650.0, 0.0..360.0).prop_map(|(x, y, heading)| Pose::new(x, y, heading));
    (
        (prop::sample::select(types), any::<bool>(), pose),
        (tokens(), status, special()),
        (
            prop::sample::select(turrets.to_vec()),
            prop::option::weighted(0.2, prop::sample::select(done.to_vec())),
            prop::option::weighted(
                0.2,
                prop::sample::select(vec!["T0", "T1", "T2", "rock0", "P", "nothing"]),
            ),
            prop::option::weighted(0.2, 0..2u32),
        ),
    )
        .prop_map(
            move |((facts, solo, pose), (tokens, status, special), (turret, done, lock, device))| {
                let side = if solo || index == 0 { "solo" } else { "player" };
                let mut ship = ship(&format!("T{index}"), side, facts, pose);
                ship.tokens = tokens;
                ship.turret = turret;
                ship.weapons.extend(special);
                ship.performed.extend(done);
                ship.locks.extend(lock.map(Into::into));
                ship.device = device.map(|left| Device {
                    id: "device".to_owned(),
                    charges: Charges { left, max: 1 },
                });
                if index > 0 {
                    ship.status = status;
                }
                ship
            },
        )
}

fn table() -> impl Strategy<Value = Table> {
    let spokes = prop::collection::vec(10.0..40.0, 3..9);
    let kinds = [ObstacleKind::Asteroid, ObstacleKind::Debris, ObstacleKind::GasCloud];
    let rock = (0.0..600.0, 0.0..600.0, spokes, prop::sample::select(kinds.to_vec()));
    (
        (0usize..8).prop_flat_map(|others| (0..=others).map(random_ship).collect::<Vec<_>>()),
        prop::collection::vec(rock, 0..6),
    )
        .prop_map(|(ships, rocks)| {
            let obstacles = rocks.into_iter().enumerate().map(|(index, (x, y, spokes, kind))| {
                let step = 360.0 / spokes.len() as f64;
                let corner =
                    |(i, length): (usize, &f64)| Pose::new(x, y, step * i as f64).to_table(Point::new(0.0, *length));
                Obstacle {
                    id: format!("rock{index}").into(),
                    kind,
                    outline: spokes.iter().enumerate().map(corner).collect(),
                }
            });
            let obstacles = obstacles.collect();
            let marker = Marker {
                id: "P".into(),
                position: Point::new(600.0, 0.0),
            };
            let area = PlayArea {
                width: 640.0,
                height: 620.0,
            };
            Table::new(area, ships, obstacles, vec![marker])
        })
}

fn situation() -> impl Strategy<Value = Situation> {
    let named = prop::sample::select(vec!["T1", "rock0", "P", "nothing"]);
    prop::option::weighted(0.2, named).prop_map(|forced| Situation {
        forced_tally: forced.map(Into::into),
    })
}

/// The decision, or `None` for a ship that has no dial.
fn decide(table: &Table, situation: &Situation, roll: Roll, seed: u64) -> Option<(Activation, usize)> {
    let mut dice = dice(roll, seed);
    match solo_alpha::decide(table, "T0", situation, &Options::default(), &mut dice) {
        Ok(activation) => Some((activation, dice.choices)),
        Err(solo_alpha::DecideError::EmptyDial(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

fn mirrored_direction(direction: ArcDirection) -> ArcDirection {
    match direction {
        ArcDirection::Left => ArcDirection::Right,
        ArcDirection::Right => ArcDirection::Left,
        other => other,
    }
}

fn mirrored_maneuver(maneuver: Maneuver) -> Maneuver {
    let bearing = match maneuver.bearing {
        Bearing::Bank(side) => Bearing::Bank(side.opposite()),
        Bearing::Turn(side) => Bearing::Turn(side.opposite()),
        Bearing::SegnorsLoop(side) => Bearing::SegnorsLoop(side.opposite()),
        Bearing::TallonRoll(side) => Bearing::TallonRoll(side.opposite()),
        Bearing::ReverseBank(side) => Bearing::ReverseBank(side.opposite()),
        other => other,
    };
    Maneuver { bearing, ..maneuver }
}

fn mirrored_text(text: &str) -> String {
    text.split_inclusive([':', '+', ' '])
        .map(|word| match word.trim_end_matches([':', '+', ' ']) {
            "left" => word.replace("left", "right"),
            "right" => word.replace("right", "left"),
            code => match code.parse::<Maneuver>() {
                Ok(maneuver) => word.replace(code, &mirrored_maneuver(maneuver).to_string()),
                Err(_) => word.to_owned(),
            },
        })
        .collect::<String>()
        // A double turret names the left side first.
        .replace("right+left", "left+right")
}

fn mirrored(table: &Table) -> Table {
    let width = table.area.width;
    let flip = |point: Point| Point::new(width - point.x, point.y);
    let mut table = table.clone();
    for ship in &mut table.ships {
        let at = flip(ship.pose.position);
        ship.pose = Pose::new(at.x, at.y, -ship.pose.heading);
        ship.turret = ship.turret.iter().copied().map(mirrored_direction).collect();
        ship.dial = Arc::new(Dial::new(ship.dial.maneuvers().iter().copied().map(mirrored_maneuver)));
        for weapon in &mut ship.weapons {
            weapon.arc = match weapon.arc {
                WeaponArc::Left => WeaponArc::Right,
                WeaponArc::Right => WeaponArc::Left,
                other => other,
            };
        }
    }
    for obstacle in &mut table.obstacles {
        obstacle.outline = obstacle.outline.iter().rev().copied().map(flip).collect();
    }
    for marker in &mut table.markers {
        marker.position = flip(marker.position);
    }
    table
}

/// A half turn of the whole table.
fn turned(table: &Table) -> Table {
    let turn = |point: Point| Point::new(table.area.width - point.x, table.area.height - point.y);
    let mut turned = table.clone();
    for ship in &mut turned.ships {
        let at = turn(ship.pose.position);
        ship.pose = Pose::new(at.x, at.y, ship.pose.heading + 180.0);
    }
    for obstacle in &mut turned.obstacles {
        obstacle.outline = obstacle.outline.iter().copied().map(turn).collect();
    }
    for marker in &mut turned.markers {
        marker.position = turn(marker.position);
    }
    turned
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// SA-0: the same input and seed give the same answer, and the order in which a table lists its objects never matters.
    #[test]
    fn sa_0_same_answer_in_any_order(table in table(), situation in situation(), roll in roll(), seed: u64) {
        let first = decide(&table, &situation, roll, seed);
        prop_assert_eq!(&first, &decide(&table, &situation, roll, seed));
        let reversed = |table: &Table| {
            let mut table = table.clone();
            table.ships.reverse();
            table.obstacles.reverse();
            table.markers.reverse();
            for ship in &mut table.ships {
                ship.locks.reverse();
            }
            table
        };
        let listed = reversed(&table);
        let sorted = Table::new(listed.area, listed.ships.clone(), listed.obstacles.clone(), listed.markers.clone());
        prop_assert_eq!(&first, &decide(&sorted, &situation, roll, seed));
        // Even on a table that nobody has sorted the decision is the same, though lists in it may stand in another order.
        let unsorted = decide(&listed, &situation, roll, seed);
        let core = |a: &(Activation, usize)| {
            (a.0.approach.clone(), a.0.execution.pose, a.0.execution.tokens, a.0.action.to_string(), a.1)
        };
        prop_assert_eq!(first.as_ref().map(core), unsorted.as_ref().map(core));
    }

    /// A mirrored table gives the mirrored decision, unless a roll chose.
    #[test]
    fn a_mirrored_table_gives_the_mirrored_decision(table in table(), situation in situation(), roll in roll()) {
        let Some((here, choices)) = decide(&table, &situation, roll, 1) else {
            return Ok(());
        };
        let (there, _) = decide(&mirrored(&table), &situation, roll, 1).unwrap();
        if choices == 0 {
            prop_assert_eq!(&here.approach.tally.as_ref().map(|t| &t.id), &there.approach.tally.as_ref().map(|t| &t.id));
            prop_assert_eq!(here.approach.maneuver, mirrored_maneuver(there.approach.maneuver));
            prop_assert_eq!(here.approach.attitude, there.approach.attitude);
            let (a, b) = (here.execution.pose, there.execution.pose);
            let off = a.position.distance(Point::new(table.area.width - b.position.x, b.position.y));
            prop_assert!(off < 1e-3 && angle::signed(a.heading + b.heading).abs() < 1e-3, "{:?} {:?}", a, b);
            prop_assert_eq!(here.action.to_string(), mirrored_text(&there.action.to_string()));
        }
    }

    /// A table turned by a half turn gives the same decision, unless a roll chose.
    #[test]
    fn a_turned_table_gives_the_same_decision(table in table(), situation in situation(), roll in roll()) {
        let Some((here, choices)) = decide(&table, &situation, roll, 1) else {
            return Ok(());
        };
        let (there, _) = decide(&turned(&table), &situation, roll, 1).unwrap();
        if choices == 0 {
            prop_assert_eq!(here.approach.maneuver, there.approach.maneuver);
            prop_assert_eq!(here.action.to_string(), there.action.to_string());
        }
    }

    /// Nothing on a table makes a decision fail, and every decision can be explained and carried out.
    #[test]
    fn every_table_gives_a_decision_with_its_reasons(
        table in table(),
        situation in situation(),
        roll in roll(),
        seed: u64,
        overlapped: bool,
    ) {
        let Some((activation, _)) = decide(&table, &situation, roll, seed) else {
            return Ok(());
        };
        let ship = table.ship("T0").unwrap();
        let maneuver = activation.approach.maneuver;
        prop_assert!(ship.is_ionized() || ship.dial.maneuvers().contains(&maneuver));
        prop_assert!(activation.sentence.ends_with('.') && activation.sentence.len() > 20, "{}", activation.sentence);
        prop_assert!(activation.reasons.iter().all(|r| r.rule.starts_with("SA-") && !r.text.is_empty()));
        // SA-3.1 and SA-3.5 have always something to say.
        prop_assert!(activation.reasons.iter().any(|r| r.rule == "SA-3.5"));
        for step in &activation.action.sequence {
            // SA-8: every action is on the bar, alone or as a link, was not performed before, and a reposition is clear.
            let on_bar = ship.actions.iter().any(|bar| {
                bar.action.kind == step.kind || bar.linked.is_some_and(|link| link.kind == step.kind)
            });
            prop_assert!(on_bar && !ship.performed.contains(&step.kind), "{}", step);
        }
        if !activation.action.sequence.is_empty() {
            prop_assert!(activation.execution.tokens.stress == 0 && activation.action.lost.is_empty());
        }
        // The action from an observed pose: the ship may stand anywhere, and be on others.
        let result = MoveResult { overlapped, ..activation.move_result(ship) };
        let attitude = Attitude::from_die(roll.defence);
        let observed = solo_alpha::perform_action(&table, "T0", attitude, &result, &Options::default(), &mut dice(roll, seed))
            .unwrap();
        prop_assert!(!overlapped || observed.to_string() == "lost");
        solo_alpha::action_outside_activation(&table, "T0", &Options::default(), &mut dice(roll, seed)).unwrap();
    }

    /// The action chosen from the expected end is the one that a table in that very state gives.
    #[test]
    fn the_expected_and_the_observed_end_give_the_same_action(table in table(), situation in situation(), roll in roll()) {
        let Some((activation, 0)) = decide(&table, &situation, roll, 1) else {
            return Ok(());
        };
        let result = activation.move_result(table.ship("T0").unwrap());
        let mut after = table.clone();
        let ship = after.ships.iter_mut().find(|ship| &*ship.id == "T0").unwrap();
        ship.pose = activation.execution.pose;
        ship.tokens = activation.execution.tokens;
        let attitude = activation.approach.attitude;
        let observed =
            solo_alpha::perform_action(&after, "T0", attitude, &result, &Options::default(), &mut dice(roll, 1)).unwrap();
        prop_assert_eq!(observed, activation.action);
    }
}

/// SA-8.2: outside its activation a ship rolls for its attitude.
#[test]
fn sa_8_2_one_defence_die_sets_the_attitude() {
    let tie = Catalog::embedded().ship("tielnfighter").unwrap();
    let solo = ship("S", "solo", tie, Pose::new(400.0, 400.0, 0.0));
    let table = Table::new(PlayArea::STANDARD, vec![solo], Vec::new(), Vec::new());
    for (face, expected) in [("evade", "Evade"), ("focus", "Focus"), ("blank", "Focus")] {
        let roll: Roll = format!("{face}/blank").parse().unwrap();
        let (die, action) =
            solo_alpha::action_outside_activation(&table, "S", &Options::default(), &mut dice(roll, 1)).unwrap();
        assert_eq!((die, action.to_string().as_str()), (roll.defence, expected));
        assert_eq!(action.reasons[0].rule, "SA-8.2");
    }
}

/// A ship that cannot be decided for is refused in words.
#[test]
fn refusals_name_the_ship_and_the_remedy() {
    let tie = Catalog::embedded().ship("tielnfighter").unwrap();
    let mut docked = ship("D", "solo", tie, Pose::new(400.0, 400.0, 0.0));
    docked.status = Status::Docked;
    let mut blank = ship("B", "solo", tie, Pose::new(200.0, 400.0, 0.0));
    blank.dial = Arc::new(Dial::default());
    let table = Table::new(PlayArea::STANDARD, vec![docked, blank], Vec::new(), Vec::new());
    let refuse = |id: &str| {
        let roll = "evade/hit".parse().unwrap();
        solo_alpha::decide(
            &table,
            id,
            &Situation::default(),
            &Options::default(),
            &mut dice(roll, 1),
        )
        .unwrap_err()
        .to_string()
    };
    assert_eq!(refuse("X"), "there is no ship `X` on the table: check its id");
    assert!(refuse("D").starts_with("`D` is not in play"));
    assert!(refuse("B").starts_with("`B` has no maneuver on its dial"));
}
