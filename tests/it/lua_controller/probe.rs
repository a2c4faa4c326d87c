//! Feeling the shapes of obstacles with rays.

use std::collections::BTreeSet;

use tallyho::{
    bridge::{
        tts::snapshot,
        virtual_table::{ObstacleSpec, VirtualTable, igu},
    },
    dice::{AttackFace, DefenceFace, FixedRoll, SeededDice},
    geometry::{Point, polygon},
    protocol::snapshot::TtsObstacle,
    solo_alpha::{self, Options, Situation},
    xwing::{catalog::Catalog, table::Table},
};

use super::{Setting, TIE, scripted::ScriptedServer};

const ROCK: &str = "dddddd";
/// A bar that lies askew and away from its own origin, mm.
const BAR: [[f64; 2]; 4] = [[10.0, -20.0], [110.0, 5.0], [105.0, 25.0], [5.0, 0.0]];
/// Seventy mm ahead of the TIE, which faces west.
const ROCK_AT: [f64; 3] = [2.45, 5.0, 33.0];

/// The usual table with one more rock.
fn with_a_rock(shape: &[[f64; 2]]) -> Setting {
    let mut table = VirtualTable::new().unwrap();
    table.set_patience(0.2);
    table
        .add_obstacle(&ObstacleSpec {
            guid: ROCK.into(),
            name: "Asteroid 2".into(),
            placement: ROCK_AT,
            shape: shape.to_vec(),
        })
        .unwrap();
    let setting = Setting::on(ScriptedServer::start(), table);
    setting.wait_for_the_table();
    setting
}

fn felt(setting: &Setting) -> TtsObstacle {
    setting
        .snapshot()
        .obstacles
        .into_iter()
        .find(|rock| rock.guid == ROCK)
        .unwrap()
}

fn switch_on(setting: &Setting) {
    setting
        .table
        .press(&setting.controller, "Feel obstacles: off", "White")
        .unwrap();
    setting.table.run_for(3.0).unwrap();
}

fn read(setting: &Setting) -> Table {
    snapshot::read(&setting.snapshot(), &BTreeSet::from([TIE.into()]), Catalog::embedded()).table
}

/// What the TIE would cross with each of the twelve rolls.
fn crossed(table: &Table) -> usize {
    let mut count = 0;
    for defence in [DefenceFace::Evade, DefenceFace::Focus, DefenceFace::Blank] {
        for attack in [AttackFace::Crit, AttackFace::Hit, AttackFace::Focus, AttackFace::Blank] {
            let mut dice = FixedRoll {
                defence: Some(defence),
                attack: Some(attack),
                rest: SeededDice::new(1),
            };
            let decided =
                solo_alpha::decide(table, TIE, &Situation::default(), &Options::default(), &mut dice).unwrap();
            count += usize::from(decided.execution.execution.crossed.iter().any(|id| &**id == ROCK));
        }
    }
    count
}

#[test]
fn a_shape_is_felt_in_the_objects_own_frame_to_a_fraction_of_a_millimetre() {
    let setting = with_a_rock(&BAR);
    assert!(felt(&setting).probe.is_empty(), "off unless it is asked for");
    assert_eq!(setting.table.rays_cast(), 0);
    switch_on(&setting);
    let probe = felt(&setting).probe;
    assert_eq!(probe.len(), 72);
    let bar = BAR.map(|[x, y]| Point::new(x, y));
    for pair in probe.chunks(2) {
        let point = Point::new(pair[0] / igu(1.0), pair[1] / igu(1.0));
        let off = polygon::edges(&bar)
            .map(|(a, b)| point.distance(polygon::nearest_on_segment(point, a, b)))
            .fold(f64::INFINITY, f64::min);
        assert!(off < 0.3, "{point:?} is {off} mm off");
    }
    let cast = setting.table.rays_cast();
    assert!(cast < 1500, "{cast} rays for two obstacles");
    // Felt once: neither another look nor switching off and looking feels again.
    setting.table.press(&setting.controller, "Tallyho", "White").unwrap();
    setting.table.run_for(2.0).unwrap();
    assert_eq!(setting.table.rays_cast(), cast);
    assert_eq!(felt(&setting).probe, probe);
    setting.assert_no_errors();
}

#[test]
fn the_shape_that_was_felt_is_the_one_that_is_decided_with() {
    // A splinter far from the way, on a piece whose known outline lies across it.
    let splinter = [[-70.0, 60.0], [-60.0, 60.0], [-60.0, 68.0], [-70.0, 68.0]];
    let setting = with_a_rock(&splinter);
    let before = read(&setting);
    assert!(crossed(&before) > 3, "{}", crossed(&before));
    switch_on(&setting);
    let after = read(&setting);
    assert_eq!(crossed(&after), 0);
    assert_ne!(before.obstacles, after.obstacles);
    setting
        .table
        .press(&setting.controller, "Feel obstacles: on", "White")
        .unwrap();
    setting.table.run_for(1.0).unwrap();
    assert_eq!(read(&setting), before, "switched off, the known outlines count again");
    setting.assert_no_errors();
}

#[test]
fn rays_that_fail_or_are_missing_change_nothing() {
    for missing in [false, true] {
        let setting = with_a_rock(&BAR);
        let before = read(&setting);
        setting.table.break_rays(missing).unwrap();
        if missing {
            let saved = setting.table.save().unwrap();
            let syncs = setting.server.heard("table/sync").len();
            setting.table.load(&saved).unwrap();
            assert!(
                setting
                    .table
                    .run_until(6.0, |_| setting.server.heard("table/sync").len() > syncs)
                    .unwrap()
            );
        }
        switch_on(&setting);
        setting.table.press(&setting.controller, "Tallyho", "White").unwrap();
        setting.table.run_for(1.0).unwrap();
        assert_eq!(read(&setting), before);
        let told = if missing { "has no rays" } else { "could not be felt" };
        assert!(setting.chat_has(told), "{:?}", setting.table.chat());
        setting.assert_no_errors();
    }
}

#[test]
fn after_a_load_shapes_are_felt_again_and_were_not_saved() {
    let setting = with_a_rock(&BAR);
    switch_on(&setting);
    let probe = felt(&setting).probe;
    let cast = setting.table.rays_cast();
    let saved = setting.table.save().unwrap();
    let size = setting.table.script_state(&setting.controller).unwrap().len();
    assert!(size < 600, "{size} bytes");
    setting.table.load(&saved).unwrap();
    assert!(setting.table.run_until(10.0, |table| table.rays_cast() > cast).unwrap());
    setting.table.run_for(3.0).unwrap();
    assert_eq!(felt(&setting).probe, probe);
    setting.assert_no_errors();
}
