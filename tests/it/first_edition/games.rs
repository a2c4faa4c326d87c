//! Whole games of the first edition, played by the scripted player against itself and against the solo rules: every record
//! stands up to the audit.

use tallyho::{
    commander::{Commander, scripted::Scripted, solo::Solo},
    dice::SeededDice,
    geometry::Pose,
    record::words,
    sim::harmless,
    solo_alpha::Options,
    xwing::{
        action::ActionKind,
        battle::{Battle, Event, Fighter, Order, Request, Setup, Side, audit::audit},
        catalog::Catalog,
        edition::{Edition, FirstEditionOptions, Rules},
        obstacle::Obstacle,
        obstacle_outlines::ObstacleOutlines,
        ship::Ship,
        table::{PlayArea, Table},
    },
};

/// A ship type with upgrades.
type Line = (&'static str, &'static [&'static str]);

/// Squads that between them have every action, both kinds of devices, ordnance, large bases and tractor beams.
const SQUADS: [(&str, [&[Line]; 2]); 4] = [
    (
        "bombs and mines",
        [
            &[
                ("tiebomber", &["seismiccharges", "protontorpedoes"]),
                ("tiepunisher", &["connernet"]),
                ("tiefighter", &[]),
            ],
            &[
                ("kwing", &["ionbombs"]),
                ("ywing", &["ioncannonturret"]),
                ("xwing", &["protontorpedoes"]),
            ],
        ],
    ),
    (
        "cloaks and jams",
        [
            &[
                ("tiephantom", &[]),
                ("tiereaper", &[]),
                ("alphaclassstarwing", &["clustermissiles"]),
            ],
            &[("auzituckgunship", &[]), ("ewing", &[]), ("arc170", &[])],
        ],
    ),
    (
        "large ships",
        [
            &[
                ("upsilonclassshuttle", &[]),
                ("tiefofighter", &[]),
                ("tiesffighter", &[]),
            ],
            &[
                ("lancerclasspursuitcraft", &["tractorbeam"]),
                ("quadjumper", &["thermaldetonators"]),
                ("starviper", &[]),
            ],
        ],
    ),
    (
        "turns and boosts",
        [
            &[
                ("tieinterceptor", &[]),
                ("tiestriker", &[]),
                ("tieadvanced", &["concussionmissiles"]),
            ],
            &[("yt1300", &[]), ("t70xwing", &[]), ("awing", &["protonrockets"])],
        ],
    ),
];

fn fleet(lines: &[Line], side: &str, y: f64, heading: f64) -> Vec<(Ship, Fighter)> {
    let catalog = Catalog::embedded_for(Edition::First);
    let ships = lines.iter().enumerate().map(|(place, (chassis, upgrades))| {
        let mut pilots = catalog.pilots().iter().filter(|pilot| pilot.ship == *chassis);
        let pilot = pilots.next().unwrap_or_else(|| panic!("no pilot of {chassis}"));
        let known = upgrades.iter().filter(|upgrade| catalog.upgrade(upgrade).is_some());
        let resolved = catalog
            .resolve(chassis, Some(&pilot.xws), known.copied())
            .unwrap_or_else(|error| panic!("{chassis}: {error}"));
        let fighter = Fighter::of(&resolved).expect("its hull is known");
        let pose = Pose::new(250.0 + 200.0 * place as f64, y, heading);
        let id = format!("{}{}", &side[..1], place + 1);
        let mut ship = resolved.into_ship(id.into(), side.to_owned(), pose);
        // One that can cloak begins cloaked.
        let cloaks = ship.actions.iter().any(|entry| entry.action.kind == ActionKind::Cloak);
        ship.tokens.cloak = u32::from(cloaks);
        (ship, fighter)
    });
    ships.collect()
}

fn obstacles() -> Vec<Obstacle> {
    let places = [
        (300.0, 330.0),
        (600.0, 360.0),
        (457.0, 457.0),
        (310.0, 600.0),
        (620.0, 580.0),
    ];
    let pieces = [
        "coreasteroid1",
        "yt2400debris0",
        "coreasteroid5",
        "vt49decimatordebris1",
        "coreasteroid3",
    ];
    let outlines = ObstacleOutlines::embedded();
    let placed = pieces.iter().zip(places).filter_map(|(piece, (x, y))| {
        let outline = outlines.find(piece)?;
        Some(outline.placed(format!("O-{piece}").into(), Pose::new(x, y, 0.0)))
    });
    placed.collect()
}

/// The second squad is flown by the solo rules, if `solo` says so: without dials, and it does not flee.
fn setup(squads: [&[Line]; 2], rules: Rules, solo: bool) -> Setup {
    let mut all = fleet(squads[0], "player", 120.0, 0.0);
    all.extend(fleet(squads[1], "other", 794.0, 180.0));
    let (ships, fighters): (Vec<Ship>, Vec<_>) = all
        .into_iter()
        .map(|(ship, fighter)| (ship.clone(), (ship.id, fighter)))
        .unzip();
    let side = |name: &str| Side {
        name: name.to_owned(),
        dials: !solo || name == "player",
        flees: !solo || name == "player",
    };
    Setup {
        table: Table::new(PlayArea::STANDARD, ships, obstacles(), Vec::new()).with_rules(rules),
        fighters,
        sides: vec![side("other"), side("player")],
        alternating: true,
        rounds: Some(9),
        guides: false,
        mission: None,
        escort: None,
    }
}

/// Plays it to the end; what was refused, and the battle.
fn play(start: &Setup, seed: u64) -> (Vec<String>, Battle) {
    let mut dice = SeededDice::new(seed);
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    let (mut scripted, mut refused) = (Scripted::default(), Vec::new());
    let mut solo = Solo::new(Options::default());
    while let Some(request) = battle.pending().cloned() {
        let side = battle.table().ship(request.ship()).map(|ship| ship.side.as_str());
        let with_dial = start
            .sides
            .iter()
            .any(|known| known.dials && Some(known.name.as_str()) == side);
        let answer = match with_dial {
            true => scripted.answer(&battle, &request, &mut dice, None),
            false => solo.answer(&battle, &request, &mut dice, None),
        };
        if let Err(error) = battle.answer(answer, &mut dice) {
            refused.push(format!("{request:?}: {error}"));
            let answer = harmless(&battle, &request);
            battle
                .answer(answer, &mut dice)
                .unwrap_or_else(|error| panic!("{request:?}: {error}"));
        }
    }
    (refused, battle)
}

#[test]
fn games_of_the_first_edition_stand_up_to_the_audit() {
    let old = FirstEditionOptions {
        rulebook_2012: true,
        ..FirstEditionOptions::default()
    };
    let mut kinds = std::collections::BTreeSet::new();
    for (name, squads) in &SQUADS {
        for (rules, seed) in (1..=12).map(|seed| ([Rules::FIRST, old.rules()][usize::from(seed % 4 == 0)], seed)) {
            let start = setup(*squads, rules, seed % 2 == 0);
            let (refused, battle) = play(&start, seed);
            assert_eq!(
                refused,
                [] as [String; 0],
                "{name}, seed {seed}: somebody asks for what is not allowed"
            );
            assert_eq!(
                audit(&start, battle.events()),
                [],
                "{name}, seed {seed}, by {:?}",
                rules.stressed_red
            );
            kinds.extend(battle.events().iter().filter_map(|event| match event {
                Event::Acted {
                    order: Order::Bar { kind, .. },
                    ..
                } => Some(kind.name().to_owned()),
                Event::Dropped { .. } => Some("drop".to_owned()),
                Event::Decloaked { .. } => Some("decloak".to_owned()),
                Event::Detonated { .. } => Some("detonation".to_owned()),
                Event::LockLettered { .. } => Some("letter".to_owned()),
                _ => None,
            }));
        }
    }
    // The games show something.
    let wanted = [
        "Focus",
        "Evade",
        "Lock",
        "Barrel Roll",
        "Boost",
        "Coordinate",
        "Cloak",
        "Jam",
        "Reinforce",
        "Reload",
        "Rotate Arc",
        "SLAM",
        "drop",
        "decloak",
        "detonation",
        "letter",
    ];
    let missing: Vec<&str> = wanted.into_iter().filter(|kind| !kinds.contains(*kind)).collect();
    assert_eq!(missing, [] as [&str; 0], "of {kinds:?}");
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let start = setup(SQUADS[1].1, Rules::FIRST, true);
    let [(_, first), (_, second)] = [play(&start, 3), play(&start, 3)];
    assert_eq!(first.events(), second.events());
    assert!(!matches!(first.pending(), Some(Request::Fly { .. })));
}

/// FE-SOLO-1: what happened is told in the words of the edition, wherever a record is read.
#[test]
fn fe_solo_1_games_are_told_in_the_words_of_the_edition() {
    let mut told = Vec::new();
    for (_, squads) in &SQUADS {
        for seed in 1..=6 {
            let (_, battle) = play(&setup(*squads, Rules::FIRST, seed % 2 == 0), seed);
            told.extend(words::events(&battle, 0));
        }
    }
    for line in &told {
        // Ids of ships and names of cards are no words of ours.
        for foreign in [
            "initiative",
            "disarm",
            " blue ",
            "purple",
            "special weapon",
            "engagement",
            "system phase",
            "range 0",
            " calculate",
            " strain",
            " deplete",
        ] {
            assert!(!line.contains(foreign), "{foreign}: {line}");
        }
        assert!(!line.contains("lock on ") || line.contains("target lock on "), "{line}");
    }
    for own in ["target lock on ", "weapons disabled", "green "] {
        assert!(told.iter().any(|line| line.contains(own)), "{own}");
    }
}
