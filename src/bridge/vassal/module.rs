//! Modules (`.vmod`): their maps, boards and grids, and the pieces of their palettes, from the build file.
//!
//! A save knows a board by its name alone; where its cells are stands only here.

mod grid;

use std::{
    collections::BTreeMap,
    io::{Read, Seek},
    path::Path,
};

use roxmltree::{Document, Node, ParsingOptions};

pub use self::grid::{Axis, Grid, Numbering, SquareGrid, Zone};
use super::{
    Damage,
    archive::Archive,
    command::{Basic, Command, PlacedBoard},
    piece::Piece,
};

/// The entry that describes a module, since Vassal 3.5.
pub const BUILD_FILE: &str = "buildFile.xml";
/// The same in older ones.
const OLD_BUILD_FILE: &str = "buildFile";
/// Where the pictures are.
pub(super) const PICTURES: &str = "images/";
/// Most elements of a build file; the largest known one has about 30,000.
const MOST_NODES: u32 = 5_000_000;
/// The first bytes of a picture, in which its size stands.
const BEGIN_OF_PICTURE: u64 = 64 << 10;
/// Ends the name of the class of a map; modules have their own kinds of maps.
const MAP: &str = ".Map";

/// A module.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The Vassal for which it is made.
    pub vassal_version: String,
    /// Its maps.
    pub maps: Vec<Map>,
    /// The pieces of its palettes, with the traits of their prototypes put in.
    pub slots: Vec<Slot>,
    /// The sides that players can take.
    pub sides: Vec<String>,
    /// What could not be understood; the rest is usable all the same.
    pub notes: Vec<String>,
}

/// A map of a module.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// Its name.
    pub name: String,
    /// Pixels between its corner and the boards.
    pub edge: (i32, i32),
    /// The boards that can be laid out on it.
    pub boards: Vec<Board>,
}

/// A board of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    /// Its name.
    pub name: String,
    /// Its picture, if it has one.
    pub picture: Option<String>,
    /// Width and height in pixels; none where the picture's could not be told.
    pub size: Option<(u32, u32)>,
    /// Its cells.
    pub grid: Grid,
}

/// A piece of a palette.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// The id by which pieces name their slot.
    pub id: String,
    /// Its name in the palette.
    pub name: String,
    /// The piece.
    pub piece: Piece,
}

/// A board with the place where it lies on the map.
#[derive(Debug, Clone, PartialEq)]
pub struct LaidOut<'a> {
    /// The board.
    pub board: &'a Board,
    /// Pixels of its north-western corner.
    pub at: (i32, i32),
    /// Whether it is turned by a half.
    pub reversed: bool,
}

impl Module {
    /// Reads a module from a file.
    ///
    /// # Errors
    /// A file that cannot be opened, or what [`Module::read`] refuses.
    pub fn open(path: &Path) -> Result<Module, Damage> {
        let shown = path.display().to_string();
        Module::read(super::archive::open_file(path)?).map_err(|damage| damage.within(&shown))
    }

    /// Reads a module.
    ///
    /// # Errors
    /// What is no archive, or has no build file that can be read.
    pub fn read(source: impl Read + Seek) -> Result<Module, Damage> {
        let mut archive = Archive::open(source)?;
        let bytes = match archive.read(BUILD_FILE)? {
            Some(bytes) => bytes,
            None => archive.read(OLD_BUILD_FILE)?.ok_or_else(|| {
                Damage::at(
                    BUILD_FILE,
                    "it is not there: this is no module of Vassal (a .vmod file)",
                )
            })?,
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut module = Module::from_build_file(&text)?;
        for board in module.maps.iter_mut().flat_map(|map| &mut map.boards) {
            if let Some(picture) = &board.picture {
                let begin = archive.begin(&format!("{PICTURES}{picture}"), BEGIN_OF_PICTURE)?;
                let size = begin.and_then(|begin| imagesize::blob_size(&begin).ok());
                let whole = |size: usize| u32::try_from(size).ok();
                board.size = size.and_then(|size| whole(size.width).zip(whole(size.height)));
                if board.size.is_none() {
                    (module.notes).push(format!("board `{}`: the size of its picture is unknown", board.name));
                }
            }
        }
        Ok(module)
    }

    /// Reads a build file without the pictures.
    ///
    /// # Errors
    /// Text that is no XML, or that describes no module.
    pub fn from_build_file(text: &str) -> Result<Module, Damage> {
        let options = ParsingOptions {
            nodes_limit: MOST_NODES,
            ..ParsingOptions::default()
        };
        let document = Document::parse_with_options(text.trim_start_matches('\u{feff}'), options)
            .map_err(|error| Damage::at(BUILD_FILE, format!("it is no XML that can be read: {error}")))?;
        let root = document.root_element();
        if !matches!(
            root.tag_name().name(),
            "VASSAL.build.GameModule" | "VASSAL.launch.BasicModule"
        ) {
            return Err(Damage::at(
                BUILD_FILE,
                format!("it describes `{}`, not a module", root.tag_name().name()),
            ));
        }
        let attribute = |name: &str| root.attribute(name).unwrap_or_default().to_owned();
        let mut module = Module {
            name: attribute("name"),
            version: attribute("version"),
            vassal_version: attribute("VassalVersion"),
            ..Module::default()
        };
        let mut prototypes: BTreeMap<String, Piece> = BTreeMap::new();
        let mut slots = Vec::new();
        for node in root.descendants().filter(Node::is_element) {
            let name = |attribute: &str| node.attribute(attribute).unwrap_or_default().to_owned();
            match node.tag_name().name() {
                "VASSAL.build.module.PrototypeDefinition" => {
                    if let Some(piece) = piece_in(node) {
                        prototypes.insert(name("name"), piece);
                    }
                }
                "VASSAL.build.widget.PieceSlot" | "VASSAL.build.widget.CardSlot" => match piece_in(node) {
                    Some(piece) => slots.push(Slot {
                        id: name("gpid"),
                        name: name("entryName"),
                        piece,
                    }),
                    None => (module.notes).push(format!("piece `{}`: it cannot be read", name("entryName"))),
                },
                "VASSAL.build.module.PlayerRoster" => {
                    let entries = node.children().filter(|child| child.has_tag_name("entry"));
                    module
                        .sides
                        .extend(entries.filter_map(|entry| entry.text().map(str::to_owned)));
                }
                kind if kind.ends_with(MAP) && node.attribute("mapName").is_some() => {
                    module.maps.push(map(node, &mut module.notes));
                }
                _ => {}
            }
        }
        for slot in &mut slots {
            slot.piece = expanded(&slot.piece, &prototypes, 0);
        }
        module.slots = slots;
        Ok(module)
    }

    /// The map of that name.
    pub fn map(&self, name: &str) -> Option<&Map> {
        self.maps.iter().find(|map| map.name == name)
    }
}

impl Map {
    /// The boards as a save lays them out: each right of those before it in its row, and below those before it in its column.
    pub fn laid_out(&self, placed: &[PlacedBoard]) -> Vec<LaidOut<'_>> {
        let known: Vec<(&Board, &PlacedBoard)> = (placed.iter())
            .filter_map(|own| Some((self.boards.iter().find(|board| board.name == own.name)?, own)))
            .collect();
        let size = |board: &Board| board.size.unwrap_or_default();
        // Of two boards in one place the later one counts, as in Vassal.
        let places: BTreeMap<(i32, i32), (u32, u32)> = (known.iter())
            .map(|(board, own)| ((own.column, own.row), size(board)))
            .collect();
        let total =
            |sizes: &mut dyn Iterator<Item = u32>| i32::try_from(sizes.map(u64::from).sum::<u64>()).unwrap_or(i32::MAX);
        let laid = known.iter().map(|(board, own)| {
            let left = places
                .iter()
                .filter(|((column, row), _)| *column < own.column && *row == own.row);
            let above = places
                .iter()
                .filter(|((column, row), _)| *column == own.column && *row < own.row);
            LaidOut {
                board,
                at: (
                    self.edge.0.saturating_add(total(&mut left.map(|(_, (wide, _))| *wide))),
                    self.edge
                        .1
                        .saturating_add(total(&mut above.map(|(_, (_, high))| *high))),
                ),
                reversed: own.reversed,
            }
        });
        laid.collect()
    }
}

impl LaidOut<'_> {
    /// A point of the map as one of the board, from its own north-western corner.
    pub fn point(&self, x: i32, y: i32) -> (f64, f64) {
        let (x, y) = (f64::from(x) - f64::from(self.at.0), f64::from(y) - f64::from(self.at.1));
        match self.board.size.filter(|_| self.reversed) {
            Some((wide, high)) => (f64::from(wide) - x, f64::from(high) - y),
            None => (x, y),
        }
    }

    /// Whether a point of the map lies on the board.
    pub fn contains(&self, x: i32, y: i32) -> bool {
        let inside = |at: i32, from: i32, size: u32| at >= from && i64::from(at) < i64::from(from) + i64::from(size);
        let within = |(wide, high): (u32, u32)| inside(x, self.at.0, wide) && inside(y, self.at.1, high);
        self.board.size.is_none_or(within)
    }
}

/// The piece that an element holds: a command that adds it.
fn piece_in(node: Node<'_, '_>) -> Option<Piece> {
    let text = node.text()?.trim();
    let command = Command::read(text).ok()?;
    match command.basics()[..] {
        [Basic::Add { piece, .. }] => Some(piece.clone()),
        _ => None,
    }
}

/// The piece with the traits of its prototypes in the places of their names.
fn expanded(piece: &Piece, prototypes: &BTreeMap<String, Piece>, depth: usize) -> Piece {
    let mut traits = Vec::new();
    for own in &piece.traits()[..piece.traits().len() - 1] {
        let prototype = (own.id() == "prototype").then(|| own.setting().split(';').next().unwrap_or_default());
        match prototype.and_then(|name| prototypes.get(name)) {
            // A prototype may name others; one that names itself would never end.
            Some(prototype) if depth < 20 => {
                let prototype = expanded(prototype, prototypes, depth + 1);
                traits.extend_from_slice(&prototype.traits()[..prototype.traits().len() - 1]);
            }
            _ => traits.push(own.clone()),
        }
    }
    Piece::new(traits, piece.core().clone())
}

fn number<T: std::str::FromStr>(node: Node<'_, '_>, attribute: &str) -> Option<T> {
    node.attribute(attribute)?.trim().parse().ok()
}

fn map(node: Node<'_, '_>, notes: &mut Vec<String>) -> Map {
    let name = node.attribute("mapName").unwrap_or_default().to_owned();
    let boards = node.descendants().filter(|child| {
        child.is_element() && child.tag_name().name().ends_with(".Board") && child.attribute("name").is_some()
    });
    let boards = boards.map(|board| board_of(board, notes)).collect();
    Map {
        edge: (
            number(node, "edgeWidth").unwrap_or(0),
            number(node, "edgeHeight").unwrap_or(0),
        ),
        boards,
        name,
    }
}

fn board_of(node: Node<'_, '_>, notes: &mut Vec<String>) -> Board {
    let name = node.attribute("name").unwrap_or_default().to_owned();
    let picture = node.attribute("image").filter(|picture| !picture.is_empty());
    let size = number(node, "width").zip(number(node, "height"));
    let grid = node.children().find_map(grid::read).unwrap_or(Grid::None);
    if let Grid::Other(kind) = &grid {
        notes.push(format!(
            "board `{name}`: its grid `{kind}` is not known, so its cells have no names here"
        ));
    }
    Board {
        size: if picture.is_some() { None } else { size },
        picture: picture.map(str::to_owned),
        grid,
        name,
    }
}

/// A text as it stands in XML.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Those of an attribute would be read as a space.
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", u32::from(letter))),
            // XML 1.0 has no other control characters at all.
            letter if letter < ' ' => {}
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUILD: &str = r#"<?xml version="1.0"?><VASSAL.build.GameModule name="Lab" version="0.1" VassalVersion="3.5.0">
      <VASSAL.build.module.PlayerRoster><entry>Rebels</entry><entry>Solitaire</entry></VASSAL.build.module.PlayerRoster>
      <VASSAL.build.module.PrototypesContainer>
        <VASSAL.build.module.PrototypeDefinition name="Figure">+/null/rotate;1;;;;;Facing;&#9;PROP;HP;;;\&#9;piece;;;;/0.0&#9;10\&#9;null;0;0;;0</VASSAL.build.module.PrototypeDefinition>
        <VASSAL.build.module.PrototypeDefinition name="Loop">+/null/prototype;Loop&#9;piece;;;;/&#9;null;0;0;;0</VASSAL.build.module.PrototypeDefinition>
      </VASSAL.build.module.PrototypesContainer>
      <VASSAL.build.widget.PieceSlot entryName="Vader" gpid="7" height="50" width="50">+/null/mark;Cost&#9;prototype;Figure\&#9;piece;;;v.png;Darth Vader/61&#9;\&#9;null;0;0;7;0</VASSAL.build.widget.PieceSlot>
      <VASSAL.build.widget.PieceSlot entryName="Odd" gpid="8">+/null/prototype;Loop&#9;piece;;;v.png;Odd/&#9;null;0;0;8;0</VASSAL.build.widget.PieceSlot>
      <VASSAL.build.widget.PieceSlot entryName="Bad" gpid="9">nothing</VASSAL.build.widget.PieceSlot>
      <VASSAL.build.module.Map mapName="Main Map" edgeWidth="10" edgeHeight="20">
        <VASSAL.build.module.map.BoardPicker>
          <VASSAL.build.module.map.boardPicker.Board name="Hoth" width="1000" height="800">
            <VASSAL.build.module.map.boardPicker.board.SquareGrid dx="50.0" dy="50" x0="25" y0="25">
              <VASSAL.build.module.map.boardPicker.board.mapgrid.SquareGridNumbering first="H" hType="A" vType="N" hOff="0" vOff="1" sep=""/>
            </VASSAL.build.module.map.boardPicker.board.SquareGrid>
          </VASSAL.build.module.map.boardPicker.Board>
          <VASSAL.build.module.map.boardPicker.Board name="Space" image="space.png"/>
          <VASSAL.build.module.map.boardPicker.Board name="Hexes" width="300" height="900">
            <VASSAL.build.module.map.boardPicker.board.HexGrid dx="57.0" dy="64.0" x0="0" y0="32" sideways="false"/>
          </VASSAL.build.module.map.boardPicker.Board>
          <VASSAL.build.module.map.boardPicker.Board name="Own" width="5" height="5"><some.module.StarGrid dx="1"/></VASSAL.build.module.map.boardPicker.Board>
        </VASSAL.build.module.map.BoardPicker>
      </VASSAL.build.module.Map>
    </VASSAL.build.GameModule>"#;

    #[test]
    fn a_build_file_is_read() {
        let module = Module::from_build_file(BUILD).unwrap();
        assert_eq!(
            (&*module.name, &*module.version, &*module.vassal_version),
            ("Lab", "0.1", "3.5.0")
        );
        assert_eq!(module.sides, ["Rebels", "Solitaire"]);
        let map = module.map("Main Map").unwrap();
        assert_eq!(map.edge, (10, 20));
        let grids: Vec<&str> = map.boards.iter().map(|board| board.grid.name()).collect();
        assert_eq!(grids, ["square", "none", "hex", "some.module.StarGrid"]);
        assert_eq!(map.boards[0].size, Some((1000, 800)));
        assert_eq!(
            module.notes,
            [
                "piece `Bad`: it cannot be read",
                "board `Own`: its grid `some.module.StarGrid` is not known, so its cells have no names here"
            ]
        );
    }

    #[test]
    fn prototypes_are_put_into_the_pieces() {
        let module = Module::from_build_file(BUILD).unwrap();
        let vader = &module.slots[0];
        let ids: Vec<&str> = vader.piece.traits().iter().map(|own| own.id()).collect();
        assert_eq!(ids, ["mark", "rotate", "PROP", "piece"]);
        assert_eq!(
            (vader.piece.property("HP").as_deref(), &*vader.piece.name()),
            (Some("10"), "Darth Vader")
        );
        assert_eq!(module.slots[1].piece.name(), "Odd");
    }

    #[test]
    fn boards_lie_side_by_side() {
        let module = Module::from_build_file(BUILD).unwrap();
        let placed = |name: &str, column, row| PlacedBoard {
            name: name.to_owned(),
            reversed: false,
            column,
            row,
        };
        let placed = [
            placed("Hoth", 0, 0),
            placed("Hexes", 1, 0),
            placed("Hoth", 1, 1),
            placed("Gone", 0, 1),
        ];
        let laid: Vec<(i32, i32)> = module.maps[0].laid_out(&placed).iter().map(|own| own.at).collect();
        assert_eq!(laid, [(10, 20), (1010, 20), (10, 920)]);
    }

    #[test]
    fn what_is_no_module_is_refused() {
        for (text, told) in [
            ("<a", "buildFile.xml: it is no XML that can be read"),
            (
                "<VASSAL.build.module.ModuleExtension/>",
                "buildFile.xml: it describes `VASSAL.build.module.ModuleExtension`, not a module",
            ),
        ] {
            let damage = Module::from_build_file(text).unwrap_err().to_string();
            assert!(damage.starts_with(told), "{damage}");
        }
    }
}
