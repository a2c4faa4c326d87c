//! The cells of a board and their names.

use roxmltree::Node;

use super::number;

/// The cells of a board.
#[derive(Debug, Clone, PartialEq)]
pub enum Grid {
    /// Pieces stand anywhere.
    None,
    /// Squares, or rectangles.
    Square(SquareGrid),
    /// Hexagons.
    Hex {
        /// Pixels from a column to the next.
        dx: f64,
        /// Pixels from a hexagon to the next in its column.
        dy: f64,
        /// Where the first one is.
        origin: (f64, f64),
        /// Whether columns run from west to east.
        sideways: bool,
    },
    /// Named points.
    Region,
    /// Parts of the board with grids of their own, and one for the rest.
    Zoned {
        /// The parts.
        zones: Vec<Zone>,
        /// The grid of the rest.
        rest: Box<Grid>,
    },
    /// A grid that a module's own code makes, by the name of its class.
    Other(String),
}

/// A part of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone {
    /// Its name.
    pub name: String,
    /// Its corners, pixels of the board.
    pub outline: Vec<(i32, i32)>,
    /// Its cells; none: those of the rest of the board.
    pub grid: Option<Grid>,
}

/// A grid of squares.
#[derive(Debug, Clone, PartialEq)]
pub struct SquareGrid {
    /// Pixels from a column to the next.
    pub dx: f64,
    /// Pixels from a row to the next.
    pub dy: f64,
    /// The centre of the first cell, pixels of the board.
    pub origin: (f64, f64),
    /// Whether pieces may also snap to corners.
    pub corners: bool,
    /// Whether pieces may also snap to edges.
    pub edges: bool,
    /// How cells are named.
    pub numbering: Option<Numbering>,
}

/// How cells are named.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbering {
    /// Whether the column comes first.
    pub column_first: bool,
    /// What stands between the two.
    pub separator: String,
    /// How columns are named.
    pub columns: Axis,
    /// How rows are named.
    pub rows: Axis,
}

/// How columns, or rows, are named.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Letters, not numbers.
    pub letters: bool,
    /// What the first one is: 0 is `A`.
    pub offset: i32,
    /// Zeros before small numbers: 1 for `01`.
    pub leading: u32,
    /// Whether they are counted from the other end.
    pub descending: bool,
}

impl Axis {
    /// The name of a column or row of so many.
    fn name(&self, index: i32, count: i32) -> String {
        let index = if self.descending {
            count.saturating_sub(index)
        } else {
            index
        };
        let index = index.saturating_add(self.offset);
        let (sign, size) = (if index < 0 { "-" } else { "" }, index.unsigned_abs());
        if self.letters {
            // After Z come AA, BB, CC.
            let letter = char::from(b'A' + u8::try_from(size % 26).unwrap_or_default());
            return format!("{sign}{}", letter.to_string().repeat(size as usize / 26 + 1));
        }
        format!("{sign}{size:0wide$}", wide = self.leading.min(9) as usize + 1)
    }
}

impl Numbering {
    /// The name of a cell of a grid with so many columns and rows.
    pub fn name(&self, (column, row): (i32, i32), (columns, rows): (i32, i32)) -> String {
        // A name is some letters long; a point far off the board would have one of millions.
        let far = |index: i32, count: i32| index.unsigned_abs() > count.unsigned_abs().saturating_add(1000);
        if far(column, columns) || far(row, rows) {
            return "off the board".to_owned();
        }
        let column = self.columns.name(column, columns);
        let row = self.rows.name(row, rows);
        match self.column_first {
            true => format!("{column}{}{row}", self.separator),
            false => format!("{row}{}{column}", self.separator),
        }
    }
}

impl SquareGrid {
    /// The cell of a point of the board, from 0.
    pub fn cell(&self, x: f64, y: f64) -> (i32, i32) {
        let index = |at: f64, origin: f64, step: f64| {
            if step > 0.0 {
                ((at - origin) / step + 0.5).floor() as i32
            } else {
                0
            }
        };
        (index(x, self.origin.0, self.dx), index(y, self.origin.1, self.dy))
    }

    /// The centre of a cell, pixels of the board.
    pub fn centre(&self, (column, row): (i32, i32)) -> (f64, f64) {
        (
            self.origin.0 + f64::from(column) * self.dx,
            self.origin.1 + f64::from(row) * self.dy,
        )
    }

    /// Columns and rows of a board of that size.
    pub fn count(&self, (wide, high): (u32, u32)) -> (i32, i32) {
        let count = |size: u32, step: f64| {
            if step > 0.0 {
                (f64::from(size) / step + 0.5).floor() as i32
            } else {
                0
            }
        };
        (count(wide, self.dx), count(high, self.dy))
    }

    /// The name of the cell of a point of a board of that size, as Vassal shows it.
    pub fn name(&self, x: f64, y: f64, size: (u32, u32)) -> Option<String> {
        let numbering = self.numbering.as_ref()?;
        Some(numbering.name(self.cell(x, y), self.count(size)))
    }
}

impl Grid {
    /// What kind it is, in a word.
    pub fn name(&self) -> &str {
        match self {
            Grid::None => "none",
            Grid::Square(_) => "square",
            Grid::Hex { .. } => "hex",
            Grid::Region => "region",
            Grid::Zoned { .. } => "zoned",
            Grid::Other(kind) => kind,
        }
    }

    /// The squares, if that is what it is, or what its zones agree on.
    pub fn square(&self) -> Option<&SquareGrid> {
        match self {
            Grid::Square(square) => Some(square),
            Grid::Zoned { zones, rest } => rest
                .square()
                .or_else(|| zones.iter().find_map(|zone| zone.grid.as_ref()?.square())),
            _ => None,
        }
    }
}

/// Reads a grid, if the element is one.
pub(super) fn read(node: Node<'_, '_>) -> Option<Grid> {
    let kind = node.tag_name().name();
    let class = kind.rsplit('.').next()?;
    let positive = |attribute: &str, default: f64| {
        let read = number::<f64>(node, attribute).filter(|step| step.is_finite() && *step > 0.0);
        read.unwrap_or(default)
    };
    let origin = || {
        let at = |attribute: &str| {
            number::<f64>(node, attribute)
                .filter(|at| at.is_finite())
                .unwrap_or(0.0)
        };
        (at("x0"), at("y0"))
    };
    let is = |attribute: &str| node.attribute(attribute) == Some("true");
    Some(match class {
        "SquareGrid" => Grid::Square(SquareGrid {
            dx: positive("dx", 48.0),
            dy: positive("dy", 48.0),
            origin: origin(),
            corners: is("cornersLegal"),
            edges: is("edgesLegal"),
            numbering: node.children().find_map(numbering),
        }),
        "HexGrid" => Grid::Hex {
            dx: positive("dx", 55.5),
            dy: positive("dy", 64.0),
            origin: origin(),
            sideways: is("sideways"),
        },
        "RegionGrid" => Grid::Region,
        "ZonedGrid" => {
            let zones = node
                .children()
                .filter(|child| child.tag_name().name().ends_with(".Zone"));
            Grid::Zoned {
                zones: zones.map(zone).collect(),
                rest: Box::new(node.children().find_map(read).unwrap_or(Grid::None)),
            }
        }
        class if class.ends_with("Grid") => Grid::Other(kind.to_owned()),
        _ => return None,
    })
}

fn zone(node: Node<'_, '_>) -> Zone {
    let corner = |text: &str| {
        let (x, y) = text.split_once(',')?;
        Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
    };
    let parent = node.attribute("useParentGrid") == Some("true");
    Zone {
        name: node.attribute("name").unwrap_or_default().to_owned(),
        outline: (node.attribute("path").unwrap_or_default().split(';'))
            .filter_map(corner)
            .collect(),
        grid: if parent { None } else { node.children().find_map(read) },
    }
}

fn numbering(node: Node<'_, '_>) -> Option<Numbering> {
    if !node.tag_name().name().ends_with("GridNumbering") {
        return None;
    }
    let axis = |prefix: &str| Axis {
        letters: node.attribute(&*format!("{prefix}Type")) == Some("A"),
        offset: number(node, &format!("{prefix}Off")).unwrap_or(1),
        leading: number(node, &format!("{prefix}Leading")).unwrap_or(0),
        descending: node.attribute(&*format!("{prefix}Descend")) == Some("true"),
    };
    Some(Numbering {
        column_first: node.attribute("first") != Some("V"),
        separator: node.attribute("sep").unwrap_or_default().to_owned(),
        columns: axis("h"),
        rows: axis("v"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(letters: bool, offset: i32, leading: u32, descending: bool) -> Axis {
        Axis {
            letters,
            offset,
            leading,
            descending,
        }
    }

    /// As a real Vassal names them: (125, 175) of a board with cells of 50 pixels and a first centre at (25, 25) is C4.
    #[test]
    fn cells_are_named_as_vassal_names_them() {
        let mut grid = SquareGrid {
            dx: 50.0,
            dy: 50.0,
            origin: (25.0, 25.0),
            corners: false,
            edges: false,
            numbering: Some(Numbering {
                column_first: true,
                separator: String::new(),
                columns: axis(true, 0, 0, false),
                rows: axis(false, 1, 0, false),
            }),
        };
        let size = (1000, 800);
        assert_eq!(grid.count(size), (20, 16));
        for (x, y, name) in [
            (125.0, 175.0, "C4"),
            (127.0, 180.0, "C4"),
            (25.0, 25.0, "A1"),
            (-25.0, 25.0, "-B1"),
            (1e9, 0.0, "off the board"),
        ] {
            assert_eq!(grid.name(x, y, size).as_deref(), Some(name), "{x},{y}");
        }
        grid.numbering = Some(Numbering {
            column_first: false,
            separator: ".".to_owned(),
            columns: axis(true, 25, 0, false),
            rows: axis(false, 0, 1, true),
        });
        assert_eq!(grid.name(75.0, 25.0, size).as_deref(), Some("16.AA"));
        assert_eq!(grid.name(25.0, 725.0, size).as_deref(), Some("02.Z"));
        assert_eq!(grid.centre((2, 3)), (125.0, 175.0));
    }
}
