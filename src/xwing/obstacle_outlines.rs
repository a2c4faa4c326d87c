//! Outlines of the obstacles by their ids and the names that table programs give them.
//!
//! The outlines are the project's own (`data/obstacles.toml` says how they were made) and a user's file may replace them.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde::Deserialize;

use super::{
    ObjectId,
    catalog::normalized,
    obstacle::{Obstacle, ObstacleKind},
};
use crate::geometry::{Point, Pose};

/// The outlines that the program carries with it.
static EMBEDDED: &str = include_str!("../../data/obstacles.toml");

/// The outline of one kind of obstacle piece.
#[derive(Debug, Clone, PartialEq)]
pub struct ObstacleOutline {
    /// Its xws id, as in `coreasteroid0`.
    pub id: String,
    /// What it is.
    pub kind: ObstacleKind,
    /// What table programs call it.
    pub names: Vec<String>,
    /// A simple polygon in the piece's own frame (x to the right, y forward), mm.
    pub points: Vec<Point>,
}

impl ObstacleOutline {
    /// The piece lying on the table with its centre and heading at `pose`.
    pub fn placed(&self, id: ObjectId, pose: Pose) -> Obstacle {
        Obstacle {
            id,
            kind: self.kind,
            outline: self.outline_at(pose).into(),
        }
    }

    /// The outline of the piece lying there.
    pub fn outline_at(&self, pose: Pose) -> Vec<Point> {
        let frame = pose.frame();
        self.points.iter().map(|&point| frame.to_table(point)).collect()
    }
}

/// An outline found for a piece, and whether it is really that piece's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundOutline<'o> {
    /// The outline.
    pub outline: &'o ObstacleOutline,
    /// False when the piece is not known and this is a middling outline of its kind; the player should be told.
    pub known: bool,
}

/// All known outlines.
#[derive(Debug, Clone, PartialEq)]
pub struct ObstacleOutlines {
    /// Sorted by id.
    outlines: Vec<ObstacleOutline>,
}

/// Why a file of outlines cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OutlineError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The text is not of the form that `data/obstacles.toml` has.
    #[error("this is no file of obstacle outlines: {0}")]
    Form(#[from] toml::de::Error),
    /// A new obstacle without a kind.
    #[error("obstacle `{0}`: `kind` is missing; write kind = \"asteroid\", \"debris\" or \"gascloud\"")]
    NoKind(String),
    /// An outline that is no polygon.
    #[error("obstacle `{id}`: {problem}")]
    Outline {
        /// The obstacle's id.
        id: String,
        /// What is wrong with its outline.
        problem: &'static str,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    obstacle: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    kind: Option<ObstacleKind>,
    names: Option<Vec<String>>,
    outline: Vec<[f64; 2]>,
}

/// An outline of more corners than this is refused: every measurement walks through them all.
const MOST_CORNERS: usize = 200;

/// The longest coordinate of an outline, mm; anything beyond is a mistaken unit.
const FARTHEST_MM: f64 = 300.0;

impl ObstacleOutlines {
    /// The outlines that the program carries with it, parsed at the first call.
    pub fn embedded() -> &'static ObstacleOutlines {
        static OUTLINES: OnceLock<ObstacleOutlines> = OnceLock::new();
        OUTLINES.get_or_init(|| {
            let nothing = ObstacleOutlines { outlines: Vec::new() };
            (nothing.merged(EMBEDDED)).expect("the embedded outlines are read by a test of every build")
        })
    }

    /// The embedded outlines with those of a user's file in their place or beside them.
    ///
    /// # Errors
    /// When the file cannot be read or holds something that is no outline.
    pub fn load(path: &Path) -> Result<ObstacleOutlines, OutlineError> {
        let text = crate::text_file::read(path).map_err(|error| OutlineError::Read {
            path: path.to_owned(),
            error,
        })?;
        Self::embedded().merged(&text)
    }

    /// These outlines with those of the text in their place or beside them. An entry for a known id may leave out kind
    /// and names.
    ///
    /// # Errors
    /// When the text holds something that is no outline.
    pub fn merged(&self, text: &str) -> Result<ObstacleOutlines, OutlineError> {
        let file: File = toml::from_str(text)?;
        let mut outlines = self.outlines.clone();
        for entry in file.obstacle {
            let points = polygon(&entry)?;
            let place = outlines.binary_search_by(|outline| outline.id.cmp(&entry.id));
            let known = place.ok().map(|index| &outlines[index]);
            let kind =
                (entry.kind.or(known.map(|known| known.kind))).ok_or_else(|| OutlineError::NoKind(entry.id.clone()))?;
            let names = (entry.names.or_else(|| known.map(|known| known.names.clone()))).unwrap_or_default();
            let outline = ObstacleOutline {
                id: entry.id,
                kind,
                names,
                points,
            };
            match place {
                Ok(index) => outlines[index] = outline,
                Err(index) => outlines.insert(index, outline),
            }
        }
        Ok(ObstacleOutlines { outlines })
    }

    /// All outlines, by id.
    pub fn all(&self) -> &[ObstacleOutline] {
        &self.outlines
    }

    /// The outline of that id, or of that name in any spelling.
    pub fn find(&self, text: &str) -> Option<&ObstacleOutline> {
        let id = normalized(text);
        self.outlines.iter().find(|outline| {
            outline.id == text || outline.id == id || outline.names.iter().any(|name| normalized(name) == id)
        })
    }

    /// The outline of a piece with that name. A piece that is not known gets a middling outline of its kind, which its
    /// name gives away: gas and chaff clouds, debris (cargo and spare parts are debris), or else an asteroid.
    pub fn find_or_default(&self, name: &str) -> FoundOutline<'_> {
        if let Some(outline) = self.find(name) {
            return FoundOutline { outline, known: true };
        }
        let kind = kind_of_name(name);
        let usual = match kind {
            ObstacleKind::Asteroid => "coreasteroid4",
            ObstacleKind::Debris => "vt49decimatordebris1",
            ObstacleKind::GasCloud => "gascloud1",
        };
        let of_kind = || self.outlines.iter().find(|outline| outline.kind == kind);
        let outline = self.find(usual).or_else(of_kind).or(self.outlines.first());
        FoundOutline {
            // `embedded` is never empty, and merging takes nothing away.
            outline: outline.unwrap_or(&Self::embedded().outlines[0]),
            known: false,
        }
    }
}

/// What an obstacle of that name most likely is.
pub fn kind_of_name(name: &str) -> ObstacleKind {
    let name = normalized(name);
    let has = |word: &str| name.contains(word);
    if has("debris") || has("cargo") || has("spare") || has("chute") {
        ObstacleKind::Debris
    } else if has("gas") || has("chaff") || has("cloud") {
        ObstacleKind::GasCloud
    } else {
        ObstacleKind::Asteroid
    }
}

fn polygon(entry: &Entry) -> Result<Vec<Point>, OutlineError> {
    let wrong = |problem| {
        Err(OutlineError::Outline {
            id: entry.id.clone(),
            problem,
        })
    };
    let points: Vec<Point> = entry.outline.iter().map(|&[x, y]| Point::new(x, y)).collect();
    if points.len() < 3 {
        return wrong("an outline has at least three corners");
    }
    if points.len() > MOST_CORNERS {
        return wrong("an outline has at most 200 corners");
    }
    if (points.iter().flat_map(|point| [point.x, point.y])).any(|value| !value.is_finite() || value.abs() > FARTHEST_MM)
    {
        return wrong("a corner is more than 300 mm from the centre; coordinates are in millimetres");
    }
    if crosses_itself(&points) {
        return wrong("the outline crosses itself; list the corners in order around the piece");
    }
    Ok(points)
}

/// Whether two sides that are not neighbours meet.
fn crosses_itself(points: &[Point]) -> bool {
    let count = points.len();
    let side = |index: usize| (points[index], points[(index + 1) % count]);
    (0..count).any(|first| {
        (first + 1..count)
            .filter(|second| (first + 1) % count != *second && (second + 1) % count != first)
            .any(|second| sides_meet(side(first), side(second)))
    })
}

fn sides_meet((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    let turn = |a: Point, b: Point, c: Point| (b - a).cross(c - a);
    let apart = |p: f64, q: f64| p * q > 0.0;
    // Parallel sides on one line count as meeting only if their boxes do.
    let boxes = |a: f64, b: f64, c: f64, d: f64| a.max(b) >= c.min(d) && c.max(d) >= a.min(b);
    !apart(turn(a, b, c), turn(a, b, d))
        && !apart(turn(c, d, a), turn(c, d, b))
        && boxes(a.x, b.x, c.x, d.x)
        && boxes(a.y, b.y, c.y, d.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// xws id, box (mm), area (cm2), measured on the printed pieces.
    const MEASURED: [(&str, f64, f64, f64); 30] = [
        ("coreasteroid0", 41.0, 32.0, 9.1),
        ("coreasteroid1", 34.0, 44.0, 10.9),
        ("coreasteroid2", 44.0, 43.0, 12.9),
        ("coreasteroid3", 46.0, 41.0, 12.8),
        ("coreasteroid4", 43.0, 39.0, 10.8),
        ("coreasteroid5", 71.0, 56.0, 28.2),
        ("core2asteroid0", 20.0, 43.0, 5.1),
        ("core2asteroid1", 51.0, 49.0, 12.9),
        ("core2asteroid2", 35.0, 35.0, 7.8),
        ("core2asteroid3", 62.0, 33.0, 12.1),
        ("core2asteroid4", 58.0, 45.0, 21.6),
        ("core2asteroid5", 66.0, 66.0, 33.4),
        ("yt2400debris0", 85.0, 55.0, 26.0),
        ("yt2400debris1", 74.0, 56.0, 19.6),
        ("yt2400debris2", 75.0, 56.0, 26.5),
        ("vt49decimatordebris0", 61.0, 50.0, 14.7),
        ("vt49decimatordebris1", 69.0, 46.0, 16.0),
        ("vt49decimatordebris2", 61.0, 37.0, 13.2),
        ("gascloud1", 47.0, 51.0, 17.8),
        ("gascloud2", 53.0, 51.0, 17.5),
        ("gascloud3", 79.0, 32.0, 18.9),
        ("gascloud4", 71.0, 59.0, 28.3),
        ("gascloud5", 49.0, 71.0, 25.5),
        ("gascloud6", 54.0, 50.0, 18.5),
        ("pomasteroid1", 65.0, 42.0, 22.8),
        ("pomasteroid2", 50.0, 67.0, 23.9),
        ("pomasteroid3", 61.0, 48.0, 23.3),
        ("pomdebris1", 78.0, 62.0, 34.6),
        ("pomdebris2", 58.0, 43.0, 17.6),
        ("pomdebris3", 54.0, 90.0, 31.5),
    ];

    fn area(points: &[Point]) -> f64 {
        let next = points.iter().cycle().skip(1);
        points.iter().zip(next).map(|(a, b)| a.cross(*b)).sum::<f64>().abs() / 2.0
    }

    #[test]
    fn outlines_have_the_measured_size() {
        let outlines = ObstacleOutlines::embedded();
        assert_eq!(outlines.all().len(), MEASURED.len());
        for (id, width, height, square_cm) in MEASURED {
            let outline = outlines.find(id).expect(id);
            let range = |values: Vec<f64>| {
                let least = values.iter().copied().fold(f64::INFINITY, f64::min);
                let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                (least, most)
            };
            let (west, east) = range(outline.points.iter().map(|point| point.x).collect());
            let (south, north) = range(outline.points.iter().map(|point| point.y).collect());
            assert!((east - west - width).abs() <= 1.0, "{id}: width {}", east - west);
            assert!((north - south - height).abs() <= 1.0, "{id}: height {}", north - south);
            assert!(
                (west + east).abs() <= 1.0 && (south + north).abs() <= 1.0,
                "{id} is off its centre"
            );
            let ratio = area(&outline.points) / (square_cm * 100.0);
            assert!(
                (0.95..=1.05).contains(&ratio),
                "{id}: area is {ratio} of the measured one"
            );
            assert!(
                (8..=14).contains(&outline.points.len()),
                "{id}: {} corners",
                outline.points.len()
            );
        }
    }

    #[test]
    fn names_of_the_table_are_known() {
        let outlines = ObstacleOutlines::embedded();
        for (name, id) in [
            ("Asteroid 1", "coreasteroid0"),
            ("asteroid 6", "coreasteroid5"),
            ("TFA Asteroid 3", "core2asteroid2"),
            ("Debrisfield 1", "yt2400debris0"),
            ("Debrisfield 6", "vt49decimatordebris2"),
            ("Gas Cloud 4", "gascloud4"),
            ("pomdebris2", "pomdebris2"),
        ] {
            let found = outlines.find_or_default(name);
            assert_eq!((found.outline.id.as_str(), found.known), (id, true), "{name}");
        }
    }

    #[test]
    fn unknown_pieces_get_an_outline_of_their_kind() {
        let outlines = ObstacleOutlines::embedded();
        for (name, kind) in [
            ("Asteroid 77", ObstacleKind::Asteroid),
            ("Rock of Ages", ObstacleKind::Asteroid),
            ("", ObstacleKind::Asteroid),
            ("Loose Cargo", ObstacleKind::Debris),
            ("Spare Parts", ObstacleKind::Debris),
            ("Chute debris", ObstacleKind::Debris),
            ("Electro-Chaff Cloud", ObstacleKind::GasCloud),
        ] {
            let found = outlines.find_or_default(name);
            assert_eq!((found.outline.kind, found.known), (kind, false), "{name}");
        }
    }

    #[test]
    fn a_users_file_replaces_and_adds() {
        let text = r#"
            [[obstacle]]
            id = "gascloud1"
            outline = [[0, 0], [30, 0], [0.0, 30.5]]
            [[obstacle]]
            id = "wreck"
            kind = "debris"
            names = ["Old Wreck"]
            outline = [[-5, -5], [5, -5], [5, 5], [-5, 5]]
        "#;
        let embedded = ObstacleOutlines::embedded();
        let outlines = embedded.merged(text).expect("both entries are outlines");
        assert_eq!(outlines.all().len(), embedded.all().len() + 1);
        let cloud = outlines.find("Gas Cloud 1").expect("kept its names");
        assert_eq!((cloud.kind, cloud.points.len()), (ObstacleKind::GasCloud, 3));
        assert_eq!(
            outlines.find("old wreck").map(|outline| outline.kind),
            Some(ObstacleKind::Debris)
        );
        assert_eq!(outlines.find("gascloud2"), embedded.find("gascloud2"));
    }

    #[test]
    fn bad_files_are_refused_by_name() {
        let cases = [
            ("id = 'new'\noutline = [[0,0],[1,0],[0,1]]", "kind"),
            ("id = 'gascloud1'\noutline = [[0,0],[1,0]]", "three corners"),
            (
                "id = 'gascloud1'\noutline = [[0,0],[9,9],[9,0],[0,9]]",
                "crosses itself",
            ),
            ("id = 'gascloud1'\noutline = [[0,0],[9000,9],[9,0]]", "300 mm"),
            ("id = 'gascloud1'\noutline = [[0,0],[nan,9],[9,0]]", "300 mm"),
            ("id = 'gascloud1'\nshape = 'round'", "shape"),
            ("id = 'gascloud1'\nkind = 'comet'\noutline = []", "comet"),
        ];
        for (entry, expected) in cases {
            let error = ObstacleOutlines::embedded().merged(&format!("[[obstacle]]\n{entry}"));
            let message = error.expect_err(entry).to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn a_placed_piece_turns_clockwise_with_its_heading() {
        let outline = ObstacleOutline {
            id: "stick".to_owned(),
            kind: ObstacleKind::Asteroid,
            names: Vec::new(),
            points: vec![Point::new(0.0, 10.0), Point::new(1.0, 0.0), Point::new(-1.0, 0.0)],
        };
        let placed = outline.placed("o".into(), Pose::new(100.0, 50.0, 90.0));
        assert!(placed.outline[0].distance(Point::new(110.0, 50.0)) < 1e-9);
    }
}
