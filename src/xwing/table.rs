//! Everything that lies on one table.

use super::{ObjectId, edition::Rules, obstacle::Obstacle, ship::Ship};
use crate::geometry::Point;

/// The play area, from (0, 0) to (`width`, `height`), mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayArea {
    /// East-west, mm.
    pub width: f64,
    /// South-north, mm.
    pub height: f64,
}

impl PlayArea {
    /// 3 feet square, the standard table.
    pub const STANDARD: PlayArea = PlayArea {
        width: 914.4,
        height: 914.4,
    };

    /// Whether a point lies within it, off its edges.
    pub fn holds(&self, point: Point) -> bool {
        point.x > 0.0 && point.y > 0.0 && point.x < self.width && point.y < self.height
    }

    /// The middle of the table.
    pub fn centre(&self) -> Point {
        Point::new(self.width / 2.0, self.height / 2.0)
    }
}

/// A named point: the escaping transport's corner, say, or a mission's token, which has no effect without it (FE-13.2).
#[derive(Debug, Clone, PartialEq)]
pub struct Marker {
    /// Its id.
    pub id: ObjectId,
    /// Where it is, mm.
    pub position: Point,
}

/// A table. The order of the lists carries no meaning (SA-0): whoever builds one sorts each list by id.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The rules that are played.
    pub rules: Rules,
    /// The play area.
    pub area: PlayArea,
    /// All ships, those off the table included.
    pub ships: Vec<Ship>,
    /// All obstacles.
    pub obstacles: Vec<Obstacle>,
    /// Named points.
    pub markers: Vec<Marker>,
}

impl Table {
    /// A table of the second edition whose lists are put into id order, so that the order in which objects were listed never
    /// matters (SA-0).
    pub fn new(area: PlayArea, ships: Vec<Ship>, obstacles: Vec<Obstacle>, markers: Vec<Marker>) -> Self {
        let mut table = Self {
            rules: Rules::SECOND,
            area,
            ships,
            obstacles,
            markers,
        };
        table.ships.sort_by(|a, b| a.id.cmp(&b.id));
        table.obstacles.sort_by(|a, b| a.id.cmp(&b.id));
        table.markers.sort_by(|a, b| a.id.cmp(&b.id));
        table
    }

    /// The same table, played by these rules.
    #[must_use]
    pub fn with_rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// The place of the ship of that id among the ships.
    pub fn index(&self, id: &str) -> Option<usize> {
        // Most ids that are asked for are copies of those here: then they are the very same text, which is seen soonest.
        let mut ships = self.ships.iter();
        let same = ships.position(|ship| std::ptr::eq(&*ship.id, id));
        same.or_else(|| self.ships.iter().position(|ship| &*ship.id == id))
    }

    /// The ship of that id.
    pub fn ship(&self, id: &str) -> Option<&Ship> {
        self.index(id).map(|index| &self.ships[index])
    }

    /// Ships on the table.
    pub fn ships_in_play(&self) -> impl Iterator<Item = &Ship> {
        self.ships.iter().filter(|ship| ship.in_play())
    }
}
