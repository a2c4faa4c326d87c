//! Obstacles of the mod: what they are, and where their outlines lie.

use super::{
    Warning,
    units::{Frame, UNITS_PER_MM},
};
use crate::{
    game::LoosePiece,
    geometry::{Point, Pose},
    protocol::snapshot::TtsObstacle,
    xwing::{
        ObjectId,
        obstacle::Obstacle,
        obstacle_outlines::{FoundOutline, ObstacleOutlines},
    },
};

/// What a name on the table stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// An obstacle.
    Obstacle,
    /// A mine, a remote or another device: the rules of obstacles do not apply to it.
    Device,
    /// The edge of the mat, which is no obstacle.
    BoardEdge,
    /// Something else.
    Unknown,
}

/// What an object is, by its name.
pub fn recognise(name: &str) -> Found {
    let name = name.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["board edge"]) {
        Found::BoardEdge
    } else if has(&["mine", "connor", "probe", "buzz", "remote", "bomb", "turret", "marker"]) {
        Found::Device
    } else if has(&[
        "asteroid", "debris", "cloud", "cargo", "spare", "chute", "chaff", "blaze",
    ]) {
        Found::Obstacle
    } else {
        Found::Unknown
    }
}

/// The outline of a piece. One piece of several states has its state's number after its name.
fn outline<'o>(outlines: &'o ObstacleOutlines, name: &str, state: i32) -> FoundOutline<'o> {
    let with_state = || outlines.find(&format!("{name} {state}"));
    match outlines.find(name).or_else(with_state) {
        Some(outline) => FoundOutline { outline, known: true },
        None => outlines.find_or_default(name),
    }
}

/// A probed outline in mm in the object's own frame (x to its right, y to its local +z), if it is one.
fn probed(probe: &[f64]) -> Option<Vec<Point>> {
    let points: Vec<Point> = probe
        .chunks_exact(2)
        .map(|pair| Point::new(pair[0] / UNITS_PER_MM, pair[1] / UNITS_PER_MM))
        .collect();
    // Two feet across is more than any obstacle has; such a probe hit something else.
    let usable =
        probe.len().is_multiple_of(2) && points.len() >= 3 && points.iter().all(|point| point.length() < 300.0);
    usable.then_some(points)
}

/// Where the own frame of an object lies.
fn own_frame(raw: &TtsObstacle, frame: &Frame) -> Pose {
    Pose {
        position: frame.point(raw.x, raw.z),
        // An obstacle has no nose: its local +z is its north.
        heading: crate::geometry::angle::normalize(raw.rot_y),
    }
}

/// An obstacle of a known shape that lies beside the mat.
pub fn loose(raw: &TtsObstacle, frame: &Frame, outlines: &ObstacleOutlines) -> Option<LoosePiece> {
    let pose = own_frame(raw, frame);
    if recognise(&raw.name) != Found::Obstacle || frame.area().holds(pose.position) {
        return None;
    }
    let found = outline(outlines, raw.name.trim(), raw.state);
    found.known.then(|| LoosePiece {
        id: raw.guid.as_str().into(),
        piece: found.outline.id.clone(),
        pose,
    })
}

/// Turns an object into an obstacle; `None` with a note where it is none.
pub fn convert(
    raw: &TtsObstacle,
    frame: &Frame,
    outlines: &ObstacleOutlines,
    warnings: &mut Vec<Warning>,
) -> Option<Obstacle> {
    let mut warn = |text: String| warnings.push(Warning::new(&*raw.guid, format!("{}: {text}", raw.name)));
    match recognise(&raw.name) {
        Found::BoardEdge => return None,
        Found::Device => {
            warn("mines, remotes and other devices are not handled by this version; mind them yourself".to_owned());
            return None;
        }
        Found::Unknown => {
            warn(
                "what kind of obstacle this is, is not known, so it is left out; give it a name with Asteroid, Debris or \
                 Gas Cloud in it"
                    .to_owned(),
            );
            return None;
        }
        Found::Obstacle => {}
    }
    let own_frame = own_frame(raw, frame);
    if !frame.area().holds(own_frame.position) {
        // The bags and spare obstacles beside the mat are none of the game's.
        return None;
    }
    if !raw.probe.is_empty() && probed(&raw.probe).is_none() {
        warn("the outline that was probed cannot be used".to_owned());
    }
    let found = outline(outlines, raw.name.trim(), raw.state);
    let id: ObjectId = raw.guid.as_str().into();
    match probed(&raw.probe) {
        Some(local) => Some(Obstacle {
            id,
            kind: found.outline.kind,
            outline: local.into_iter().map(|point| own_frame.to_table(point)).collect(),
        }),
        None => {
            if !found.known {
                warn("its shape is not known and a middling one is taken; let the controller probe it".to_owned());
            }
            Some(found.outline.placed(id, own_frame))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_mod_are_recognised() {
        for (name, expected) in [
            ("Asteroid 1", Found::Obstacle),
            ("TFA Asteroid 6", Found::Obstacle),
            ("Debrisfield 1", Found::Obstacle),
            ("Gas Cloud 4", Found::Obstacle),
            ("Loose Cargo", Found::Obstacle),
            ("Spare Parts", Found::Obstacle),
            ("Electro-Chaff Cloud", Found::Obstacle),
            ("Blaze", Found::Obstacle),
            ("Board Edge 2", Found::BoardEdge),
            ("Proximity Mine", Found::Device),
            ("Connor Net", Found::Device),
            ("Coffee cup", Found::Unknown),
            ("", Found::Unknown),
        ] {
            assert_eq!(recognise(name), expected, "{name}");
        }
    }

    #[test]
    fn the_state_of_a_piece_chooses_its_shape() {
        let outlines = ObstacleOutlines::embedded();
        for (name, state, id) in [
            ("Asteroid 1", 1, "coreasteroid0"),
            ("Asteroid", 3, "coreasteroid2"),
            ("TFA Asteroid 6", 1, "core2asteroid5"),
            ("Gas Cloud 4", 1, "gascloud4"),
        ] {
            let found = outline(outlines, name, state);
            assert!(found.known && found.outline.id == id, "{name}: {}", found.outline.id);
        }
        assert!(!outline(outlines, "Asteroid 99", 1).known);
    }

    #[test]
    fn a_probe_overrides_the_known_shape_and_turns_with_the_object() {
        let frame = Frame::new(0.0, 0.0, 16.0, 16.0);
        let raw = TtsObstacle {
            guid: "o1".to_owned(),
            name: "Asteroid 1".to_owned(),
            state: 1,
            rot_y: 90.0,
            // Twenty mm to the right, thirty to local +z.
            probe: vec![20.0 * UNITS_PER_MM, 0.0, 0.0, 30.0 * UNITS_PER_MM, -UNITS_PER_MM, 0.0],
            ..TtsObstacle::default()
        };
        let mut warnings = Vec::new();
        let obstacle = convert(&raw, &frame, ObstacleOutlines::embedded(), &mut warnings).unwrap();
        assert!(warnings.is_empty());
        let centre = frame.area().centre();
        // Turned clockwise by 90: right becomes south, local +z becomes east.
        assert!(obstacle.outline[0].distance(centre + Point::new(0.0, -20.0)) < 1e-9);
        assert!(obstacle.outline[1].distance(centre + Point::new(30.0, 0.0)) < 1e-9);
        assert!(obstacle.outline[2].distance(centre + Point::new(0.0, 1.0)) < 1e-9);
    }

    #[test]
    fn a_probe_that_is_no_outline_is_told_and_not_used() {
        let frame = Frame::new(0.0, 0.0, 16.0, 16.0);
        for probe in [
            vec![1.0, 2.0, 3.0],
            vec![1.0, 2.0],
            vec![0.0, 0.0, 99.0, 0.0, 0.0, 99.0],
        ] {
            let raw = TtsObstacle {
                name: "Asteroid 1".to_owned(),
                probe,
                ..TtsObstacle::default()
            };
            let mut warnings = Vec::new();
            let obstacle = convert(&raw, &frame, ObstacleOutlines::embedded(), &mut warnings).unwrap();
            assert_eq!(obstacle.kind, crate::xwing::obstacle::ObstacleKind::Asteroid);
            assert_eq!(warnings.len(), 1);
        }
    }
}
