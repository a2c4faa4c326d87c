//! The text form of positions: what it means, what its errors say, and that it survives the way there and back.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use tallyho::{
    bridge::{
        position::{self, Position},
        text::{self, TextError},
    },
    xwing::{catalog::Catalog, ship::Status},
};

use crate::positions_300;

fn parse(text: &str) -> Result<Position, TextError> {
    text::parse(text, Catalog::embedded())
}

const SAMPLE: &str = r#"
# A TIE fighter after an X-wing.
id sample
ship A tielnfighter solo 457,300 @0 init 3 focus 1 stress 2 lock B,a1
ship B t65xwing player 500,520.5 @-180 pilot lukeskywalker name "Red \"Five\"" weapon protontorpedoes charges 1/2
ship C btla4ywing player 100,100 @90 init 2 turret left docked weapon ioncannonturret  # on its carrier
ship D custom player 800,100 @0 init 1 size large dial 1FB,2FB,3TR primary fullfront 3 range 1-2 action focus>red:boost done focus bumped A
debris d1 points 1,2 30,4 5,60
gascloud "g 1" points 701,702 730,704 705,760
asteroid a1 coreasteroid0 601,602 @30
point P 0,914.4
forced P
active A
roll evade/?
tag one "two words"
"#;

#[test]
fn every_word_of_the_sample_is_understood() {
    let position = parse(SAMPLE).unwrap();
    assert_eq!(position.warnings, []);
    assert_eq!(position.id, "sample");
    assert_eq!(position.tags, ["one", "two words"]);
    assert_eq!(position.active.as_deref(), Some("A"));
    assert_eq!(position.forced_tally.as_deref(), Some("P"));
    assert!(position.roll.defence.is_some() && position.roll.attack.is_none());
    let ship = |id: &str| position.table.ship(id).unwrap();
    assert_eq!((ship("A").tokens.focus, ship("A").tokens.stress), (1, 2));
    assert_eq!(ship("A").locks.iter().map(|id| &**id).collect::<Vec<_>>(), ["B", "a1"]);
    assert_eq!(
        (ship("B").name.as_str(), ship("B").initiative, ship("B").pose.heading),
        ("Red \"Five\"", 5, 180.0)
    );
    assert_eq!(
        ship("B")
            .weapons
            .last()
            .unwrap()
            .special
            .as_ref()
            .unwrap()
            .charges
            .unwrap()
            .left,
        1
    );
    assert_eq!(ship("C").status, Status::Docked);
    assert_eq!(ship("C").weapons.last().unwrap().id, "ioncannonturret");
    assert_eq!(ship("D").dial.maneuvers().len(), 3);
    assert_eq!((ship("D").weapons[0].value, ship("D").weapons[0].max_range), (3, 2));
    assert_eq!(ship("D").actions.len(), 1);
    assert_eq!(ship("D").bumped.len(), 1);
    assert_eq!(position.table.obstacles.len(), 3);
}

#[test]
fn an_error_names_line_column_and_what_was_expected() {
    let cases: &[(&str, Expect)] = &[
        (
            "shp A tielnfighter solo 1,2 @0",
            expect![
                "line 1, column 1: `shp`: no line begins so; expected id, edition, rules, area, ship, asteroid, debris, gascloud, point, active, forced, roll, tag or # for a comment"
            ],
        ),
        (
            "\n\n  ship A",
            expect!["line 3, column 9: the line ends where the ship type's xws id, as in tielnfighter should follow"],
        ),
        (
            "ship A tielnfighter solo 457 300 @0",
            expect![
                "line 1, column 26: `457`: expected a place as x,y in millimetres without a space, as in 457,300.5; such a line is `ship ID TYPE SIDE X,Y @HEADING ...`"
            ],
        ),
        (
            "ship A tielnfighter solo nan,3 @0",
            expect![
                "line 1, column 26: `nan,3`: expected a place as x,y in millimetres without a space, as in 457,300.5; such a line is `ship ID TYPE SIDE X,Y @HEADING ...`"
            ],
        ),
        (
            "ship A tielnfighter solo 457,300 90",
            expect!["line 1, column 34: `90`: expected @ and a heading in degrees clockwise from north, as in @90"],
        ),
        (
            "ship A tielnfigther solo 457,300 @90",
            expect![
                "line 1, column 8: the catalog has no ship `tielnfigther`; correct the xws id (`tallyho catalog list` shows all), or give the ship's own `size`, `dial`, `weapons` and `actions`; is `tielnfighter` meant?"
            ],
        ),
        (
            "ship A tielnfighter solo 457,300 @90 init three",
            expect!["line 1, column 43: `three`: expected a whole number, as in 2"],
        ),
        (
            "ship A tielnfighter solo 457,300 @90 focsu 1",
            expect![
                "line 1, column 38: `focsu`: expected init N, pilot ID, name \"...\", size SIZE, TOKEN N, lock ID, turret ARC, weapon ID, device ID, done ACTION, bumped ID, dial CODES, primary ARC DICE, action NAME, unarmed, nodial, noactions, docked, reserved, destroyed or removed"
            ],
        ),
        (
            "ship A tielnfighter solo 457,300 @90 range 1-3",
            expect!["line 1, column 38: `range`: belongs after `weapon ID`, `primary ARC DICE` or `device ID`"],
        ),
        (
            "ship A tielnfighter solo 457,300 @90 turret up",
            expect!["line 1, column 45: `up`: expected one of front, rear, left, right"],
        ),
        (
            "ship A tielnfighter solo 457,300 @90 dial 1FB,7XX",
            expect![
                "line 1, column 43: `7XX` is not a dial code: write speed 0-5, a bearing letter of TBFNYKLPERASDO, a colour letter of BWRP, as in 2FB"
            ],
        ),
        (
            "ship A tielnfighter solo 457,300 @90 action warp",
            expect![
                "line 1, column 45: `warp`: expected one of focus, calculate, evade, lock, barrelroll, boost, slam, rotatearc, reinforce, reload, coordinate, jam, cloak, recover"
            ],
        ),
        (
            "ship Ä tielnfighter solo 457,300 @90 name \"open",
            expect!["line 1, column 43: the quote is not closed on this line: add `\"`"],
        ),
        (
            "ship A tielnfighter solo 1,2 @0\npoint A 1,2",
            expect!["line 2, column 7: `A` is already another object's id: give each object its own"],
        ),
        (
            "asteroid a points 1,2 3,4",
            expect!["line 1, column 12: 2 corners are no outline: give at least 3, or a `shape`"],
        ),
        (
            "ship A xwing solo 457,300 @90",
            expect![
                "line 1, column 8: the catalog has no ship `xwing`; correct the xws id (`tallyho catalog list` shows all), or give the ship's own `size`, `dial`, `weapons` and `actions`; is `t65xwing` or `t70xwing` meant?"
            ],
        ),
        (
            "debris a 400,400 @0",
            expect![
                "line 1, column 18: `@0`: expected a place as x,y in millimetres without a space, as in 457,300.5; such a line is `debris ID OUTLINE X,Y @TURN`"
            ],
        ),
        (
            "asteroid a nosuchrock 1,2 @0",
            expect![
                "line 1, column 12: no outline is known by the id `nosuchrock`; the ids are core2asteroid0-5, coreasteroid0-5, gascloud1-6, pomasteroid1-3, pomdebris1-3, vt49decimatordebris0-2, yt2400debris0-2; or give `points`"
            ],
        ),
        (
            "area 914.4",
            expect![
                "line 1, column 6: `914.4`: expected width x height in millimetres without a space, as in 914.4x914.4"
            ],
        ),
        (
            "area 9x9",
            expect!["line 1, column 6: 9 mm is no side of a play area: give 100 to 10000 mm, 914.4 for 3 feet"],
        ),
        (
            "roll hit/evade",
            expect![
                "line 1, column 6: `hit/evade`: expected a defence face and an attack face, as in evade/hit: (evade, focus, blank) / (crit, hit, focus, blank), or ? for either"
            ],
        ),
        (
            "point P 1,2 3",
            expect!["line 1, column 13: `3`: one word too many on this line"],
        ),
        (
            "point P 1,2\nforced Q",
            expect![
                "line 2, column 8: no ship, obstacle or point has the id `Q`: correct it or leave `forced_tally` out"
            ],
        ),
        (
            "active A",
            expect!["line 1, column 8: no ship has the id `A`: the position has no ships"],
        ),
    ];
    for (text, expected) in cases {
        let error = parse(text).expect_err(text);
        expected.assert_eq(&error.to_string());
    }
}

#[test]
fn warnings_name_the_line_too() {
    let position = parse("# one\nship A tielnfighter solo 1,2 @0 init 1 lock B").unwrap();
    let warnings: Vec<_> = position.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["line 2, column 45: no object has the id `B`; left aside"]);
}

#[test]
fn the_sample_and_all_300_positions_survive_the_way_there_and_back() {
    let json = positions_300::POSITIONS
        .lines()
        .map(|line| position::parse(line, Catalog::embedded()).unwrap());
    for position in json.chain([parse(SAMPLE).unwrap()]) {
        let text = text::write(&position, Catalog::embedded());
        assert_eq!(
            parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}")),
            position,
            "{text}"
        );
    }
}

/// An id, a name: anything that can be seen and that a table program may call a piece.
fn free_word() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Za-z0-9]{1,8}", "[ -~]{1,12}", "[^\\p{C}\\p{Zl}\\p{Zp}]{1,6}"]
}

prop_compose! {
    fn any_position()(
        id in free_word(),
        ids in prop::collection::hash_set(free_word(), 4..5),
        side in free_word(),
        name in free_word(),
        numbers in prop::collection::vec(-19_900.0..19_900.0_f64, 10),
        counts in prop::collection::vec(0..9_u32, 8),
        tag in free_word(),
    ) -> Position {
        use position::wire;
        let mut ids = ids.into_iter();
        let mut next = || ids.next().unwrap();
        let mut ship = wire::Ship {
            id: next(),
            name: Some(name),
            side,
            ship: "btla4ywing".to_owned(),
            x: numbers[0],
            y: numbers[1],
            heading: numbers[2],
            initiative: Some(counts[0] as u8),
            ..wire::Ship::default()
        };
        ship.tokens.stress = counts[1];
        ship.tokens.cloak = counts[2];
        let (rock, point) = (next(), next());
        ship.tokens.lock = vec![rock.clone(), point.clone()];
        ship.device = Some(wire::Device { id: Some(next()), slot: None, charges: counts[3], max_charges: 9 });
        let wire = wire::Position {
            id,
            active: Some(ship.id.clone()),
            forced_tally: Some(point.clone()),
            ships: vec![ship],
            obstacles: vec![wire::Obstacle {
                id: rock,
                kind: tallyho::xwing::obstacle::ObstacleKind::Asteroid,
                points: vec![[numbers[3], numbers[4]], [numbers[3] + 50.0, numbers[4]], [numbers[3], numbers[4] + 50.0]],
                shape: None, x: None, y: None, heading: None,
            }],
            points: vec![wire::Marker { id: point, x: numbers[5], y: numbers[6] }],
            tags: vec![tag],
            ..wire::Position::default()
        };
        let mut position = position::resolve(wire, Catalog::embedded()).unwrap();
        position.warnings.clear();
        position
    }
}

proptest! {
    /// What is written is read back, whatever the pieces are called.
    #[test]
    fn any_position_survives_the_way_there_and_back(position in any_position()) {
        let text = text::write(&position, Catalog::embedded());
        let mut read = parse(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        read.warnings.clear();
        prop_assert_eq!(read, position, "{}", text);
    }

    /// Noise of any kind gives an answer or an error, never a panic.
    #[test]
    fn noise_is_answered(noise in "(ship|asteroid|point|roll|area|[a-z]{1,6}|[0-9,.@/>:#\"\\\\ \n\t-]|\\PC){0,60}") {
        let _ = parse(&noise);
    }

    /// So does the sample in which letters were changed.
    #[test]
    fn mutated_samples_are_answered(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<char>()), 1..6)) {
        let mut letters: Vec<char> = SAMPLE.chars().collect();
        for (index, letter) in changes {
            let at = index.index(letters.len());
            letters[at] = letter;
        }
        let _ = parse(&letters.into_iter().collect::<String>());
    }
}
