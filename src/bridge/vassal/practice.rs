//! Small modules with a save, made here: to try the bridge in a real Vassal without anybody's module, and for tests.
//!
//! All pictures are drawn by [`picture`]. The modules use no trait that Vassal 3.5 does not have.

mod games;
pub mod picture;

use std::io;

pub use self::games::{skirmish, xwing};
use super::{
    archive,
    command::{Basic, Command, PlacedBoard},
    module::{BUILD_FILE, PICTURES, escaped},
    piece::{Piece, Trait},
    save::{ABOUT_MODULE, About, Save, about_module},
    secret::Secret,
    sequence,
};

/// The Vassal for which the modules are made. One that is older than this warns; newer ones do not.
const VASSAL_VERSION: &str = "3.5.0";
/// The module's version.
const VERSION: &str = "1.0";
/// The name of the one map.
pub const MAP: &str = "Main Map";
/// The picture that marks pieces that have moved.
const MOVED: &str = "moved.png";

/// A small module with one map and one board, and pieces that stand on it in its save.
#[derive(Debug, Clone, PartialEq)]
pub struct Kit {
    /// The module's name.
    pub name: String,
    /// The sides that players can take.
    pub sides: Vec<String>,
    /// The board.
    pub board: KitBoard,
    /// The kinds of pieces, each with the places where it stands.
    pub pieces: Vec<KitPiece>,
    /// Who sits where in the save: a player's name and side. The ids of the players are their names in small letters.
    pub players: Vec<(String, String)>,
    /// Further pictures in the module, by their names, as PNG.
    pub pictures: Vec<(String, Vec<u8>)>,
    /// Further files beside module and save, by their names.
    pub beside: Vec<(String, String)>,
}

/// The board of a kit.
#[derive(Debug, Clone, PartialEq)]
pub struct KitBoard {
    /// Its name.
    pub name: String,
    /// Its picture as PNG.
    pub picture: Vec<u8>,
    /// The pixels of a square; none: pieces stand anywhere.
    pub square: Option<u32>,
}

/// A kind of pieces.
#[derive(Debug, Clone, PartialEq)]
pub struct KitPiece {
    /// The name of its picture.
    pub file: String,
    /// Its picture as PNG.
    pub picture: Vec<u8>,
    /// Its name.
    pub name: String,
    /// Its traits, the outermost first.
    pub traits: Vec<Trait>,
    /// Where it stands in the save, pixels, and how far it is turned, degrees clockwise.
    pub stands: Vec<(i32, i32, f64)>,
}

/// A trait by which any number can be changed in the game.
pub fn number(name: &str, value: i32, most: i32) -> Trait {
    Trait::new(format!("PROP;{name};true,{},{most},false;;", -most), value.to_string())
}

/// A trait that holds properties that stay as they are.
pub fn marks(properties: &[(&str, &str)]) -> Trait {
    Trait::new(
        format!("mark;{}", sequence::join(properties.iter().map(|(name, _)| name), ',')),
        sequence::join(properties.iter().map(|(_, value)| value), ','),
    )
}

/// A trait that turns a piece to any angle.
pub fn rotator(name: &str) -> Trait {
    Trait::new(format!("rotate;1;520,0;Rotate;;;{name};"), "0.0")
}

/// A trait that turns a piece by whole degrees, by its keys for clockwise and back.
pub fn whole_degrees(name: &str) -> Trait {
    Trait::new(
        format!("rotate;360;93,130;91,130;Rotate clockwise;Rotate back;;;{name};"),
        "0",
    )
}

/// A trait by which a player hides a piece; the player of that id does.
pub fn hidden(by: &str) -> Trait {
    Trait::new("hide;73,130;Hide;255,255,255;player:;0.3;", by)
}

/// A trait by which a player turns a piece face down, so that others see this picture; the player of that id does.
pub fn face_down(by: &str, picture: &str) -> Trait {
    Trait::new(
        format!("obs;70,130;{picture};Turn face down;B;?;player:;Peek;"),
        format!("{by};"),
    )
}

/// A trait that shows a text under the piece.
pub fn label(text: &str) -> Trait {
    Trait::new(
        "label;;;10;255,255,255;0,0,0;b;0;c;0;t;c;$pieceName$;Dialog;1;0;Label;",
        text,
    )
}

/// The traits that every piece of a kit has.
pub fn common() -> Vec<Trait> {
    vec![
        Trait::new("delete;Delete;127,0;", ""),
        Trait::new(format!("markmoved;{MOVED};-20;-20;Mark moved;77,130;;false"), "false"),
    ]
}

impl KitPiece {
    fn piece(&self, slot: usize, place: Option<(i32, i32, f64)>) -> Piece {
        let (map, (x, y, heading)) = match place {
            Some(place) => (MAP, place),
            None => ("null", (0, 0, 0.0)),
        };
        let core = Trait::new(
            format!("piece;;;{}", sequence::join([&self.file, &self.name], ';')),
            format!("{map};{x};{y};{slot};0"),
        );
        let mut piece = Piece::new(self.traits.clone(), core);
        piece.turn(heading);
        piece
    }
}

impl Kit {
    fn about(&self) -> About {
        About {
            module: self.name.clone(),
            module_version: VERSION.to_owned(),
            vassal_version: VASSAL_VERSION.to_owned(),
            description: String::new(),
        }
    }

    /// The module as a file.
    ///
    /// # Errors
    /// When a picture cannot be written, or two pieces have pictures of one name.
    pub fn module(&self) -> io::Result<Vec<u8>> {
        let build = self.build_file();
        let about = about_module(&self.about());
        let moved = picture::moved()?;
        let mut pictures = vec![
            (format!("{PICTURES}board.png"), &*self.board.picture),
            (format!("{PICTURES}{MOVED}"), &*moved),
        ];
        let pieces = self.pieces.iter().map(|piece| (&piece.file, &piece.picture));
        let more = self.pictures.iter().map(|(name, picture)| (name, picture));
        pictures.extend(
            pieces
                .chain(more)
                .map(|(name, picture)| (format!("{PICTURES}{name}"), &**picture)),
        );
        let texts = [(BUILD_FILE, build.as_bytes()), (ABOUT_MODULE, about.as_bytes())];
        let pictures = pictures.iter().map(|(name, bytes)| (&**name, *bytes));
        archive::write(texts.into_iter().chain(pictures))
    }

    /// The save as a file.
    ///
    /// # Errors
    /// When it is too large for a zip archive.
    pub fn save(&self) -> io::Result<Vec<u8>> {
        Save::new(self.commands(), self.about()).write()
    }

    /// The commands of the save.
    pub fn commands(&self) -> Command {
        // Vassal makes ids of the time, of which each is later than the last.
        let mut next = 1_700_000_000_000_u64;
        let mut id = || {
            next += 1;
            next.to_string()
        };
        let mut pieces: Vec<Command> = vec![Basic::Null.into()];
        for (slot, own) in self.pieces.iter().enumerate() {
            for place in &own.stands {
                let piece = id();
                let stack = Trait::new("stack", format!("{MAP};{};{};{piece};@@0", place.0, place.1));
                pieces.push(Command::one(Basic::Add {
                    id: Some(piece),
                    piece: own.piece(slot + 1, Some(*place)),
                }));
                pieces.push(Command::one(Basic::Add {
                    id: Some(id()),
                    piece: Piece::new([], stack),
                }));
            }
        }
        let players = self.players.iter().map(|(name, side)| Basic::Player {
            id: Secret::new(name.to_lowercase()),
            name: name.clone(),
            side: side.clone(),
        });
        let boards = Basic::Boards {
            map: MAP.to_owned(),
            boards: vec![PlacedBoard {
                name: self.board.name.clone(),
                reversed: false,
                column: 0,
                row: 0,
            }],
        };
        let mut all = vec![Basic::BeginSave.into(), Basic::Null.into(), Command::many(pieces)];
        all.extend(players.map(Command::one));
        all.extend([boards.into(), Basic::EndSave.into()]);
        Command::many(all)
    }

    fn build_file(&self) -> String {
        let sides: String = (self.sides.iter())
            .map(|side| format!("    <entry>{}</entry>\n", escaped(side)))
            .collect();
        let slots: String = (self.pieces.iter().enumerate())
            .map(|(slot, own)| {
                let piece = own.piece(slot + 1, None);
                let command = Command::one(Basic::Add { id: None, piece }).write();
                format!(
                    "      <VASSAL.build.widget.PieceSlot entryName=\"{}\" gpid=\"{}\" height=\"50\" \
                     width=\"50\">{}</VASSAL.build.widget.PieceSlot>\n",
                    escaped(&own.name),
                    slot + 1,
                    escaped(&command)
                )
            })
            .collect();
        let grid = self.board.square.map_or(String::new(), |square| {
            format!(
                "<VASSAL.build.module.map.boardPicker.board.SquareGrid color=\"0,0,0\" cornersLegal=\"false\" \
                 dotsVisible=\"false\" dx=\"{square}.0\" dy=\"{square}.0\" edgesLegal=\"false\" range=\"Metric\" \
                 snapTo=\"true\" visible=\"false\" x0=\"{half}\" y0=\"{half}\">\
                 <VASSAL.build.module.map.boardPicker.board.mapgrid.SquareGridNumbering color=\"0,0,0\" first=\"H\" \
                 fontSize=\"9\" hDescend=\"false\" hDrawOff=\"0\" hLeading=\"0\" hOff=\"0\" hType=\"A\" \
                 locationFormat=\"$gridLocation$\" rotateText=\"0\" sep=\"\" vDescend=\"false\" vDrawOff=\"0\" \
                 vLeading=\"0\" vOff=\"1\" vType=\"N\" visible=\"false\"/>\
                 </VASSAL.build.module.map.boardPicker.board.SquareGrid>",
                half = square / 2
            )
        });
        format!(
            r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<VASSAL.build.GameModule ModuleOther1="" ModuleOther2="" VassalVersion="{VASSAL_VERSION}" description="" name="{name}" nextPieceSlotId="{next}" version="{VERSION}">
  <VASSAL.build.module.BasicCommandEncoder/>
  <VASSAL.build.module.Documentation/>
  <VASSAL.build.module.PlayerRoster buttonKeyStroke="" buttonText="Retire" buttonToolTip="Change sides or become an observer">
{sides}  </VASSAL.build.module.PlayerRoster>
  <VASSAL.build.module.Chatter/>
  <VASSAL.build.module.KeyNamer/>
  <VASSAL.build.module.GlobalOptions autoReport="Always" centerOnMove="Use Preferences Setting" nonOwnerUnmaskable="Never" playerIdFormat="$PlayerName$" promptString="Opponents can unmask my pieces"/>
  <VASSAL.build.module.PrototypesContainer/>
  <VASSAL.build.module.gamepieceimage.GamePieceImageDefinitions/>
  <VASSAL.build.module.properties.GlobalProperties/>
  <VASSAL.build.module.Map allowMultiple="false" backgroundcolor="255,255,255" buttonName="" changeFormat="$message$" color="255,0,0" createFormat="* $pieceName$ created in $location$ *" edgeHeight="0" edgeWidth="0" hideKey="" hotkey="77,195" icon="/images/map.gif" launch="false" mapName="{MAP}" markMoved="Always" markUnmovedHotkey="" markUnmovedIcon="/images/unmoved.gif" markUnmovedReport="" markUnmovedText="" markUnmovedTooltip="Mark all pieces on this map as not moved" moveKey="" moveToFormat="* $pieceName$ moves $previousLocation$ -&gt; $location$ *" moveWithinFormat="* $pieceName$ moves $previousLocation$ -&gt; $location$ *" showKey="" thickness="3">
    <VASSAL.build.module.map.BoardPicker addColumnText="Add column" addRowText="Add row" boardPrompt="Select board" slotHeight="125" slotScale="0.2" slotWidth="350" title="Choose boards">
      <VASSAL.build.module.map.boardPicker.Board image="board.png" name="{board}" reversible="false">{grid}</VASSAL.build.module.map.boardPicker.Board>
    </VASSAL.build.module.map.BoardPicker>
    <VASSAL.build.module.map.StackMetrics bottom="40,0" disabled="false" down="37,0" exSepX="6" exSepY="18" top="38,0" unexSepX="2" unexSepY="4" up="39,0"/>
    <VASSAL.build.module.map.ForwardToKeyBuffer/>
    <VASSAL.build.module.map.Scroller/>
    <VASSAL.build.module.map.ForwardToChatter/>
    <VASSAL.build.module.map.MenuDisplayer/>
    <VASSAL.build.module.map.MapCenterer/>
    <VASSAL.build.module.map.StackExpander/>
    <VASSAL.build.module.map.PieceMover/>
    <VASSAL.build.module.map.KeyBufferer/>
    <VASSAL.build.module.properties.GlobalProperties/>
    <VASSAL.build.module.map.SelectionHighlighters/>
    <VASSAL.build.module.map.HighlightLastMoved color="255,0,0" enabled="true" thickness="2"/>
    <VASSAL.build.module.map.Zoomer inButtonText="" inIconName="/images/zoomIn.gif" inTooltip="Zoom in" outButtonText="" outIconName="/images/zoomOut.gif" outTooltip="Zoom out" pickButtonText="" pickIconName="/images/zoom.png" pickTooltip="Select zoom" zoomInKey="61,130" zoomLevels="0.25,0.333,0.5,0.75,1.0,1.5,2.0" zoomOutKey="45,130" zoomPickKey="" zoomStart="{zoom}"/>
  </VASSAL.build.module.Map>
  <VASSAL.build.module.PieceWindow defaultWidth="0" hidden="false" hotkey="67,195" icon="/images/counter.gif" scale="1.0" text="" tooltip="Show or hide the pieces">
    <VASSAL.build.widget.ListWidget divider="0" entryName="Pieces" height="0" scale="1.0" width="300">
{slots}    </VASSAL.build.widget.ListWidget>
  </VASSAL.build.module.PieceWindow>
  <VASSAL.build.module.DiceButton addToTotal="0" canDisable="false" hotkey="68,195" icon="/images/die.gif" nDice="1" nSides="20" name="d20" plus="0" prompt="false" reportFormat="** $name$ = $result$ *** &amp;lt;$PlayerName$&amp;gt;" reportTotal="false" sortDice="false" text="d20" tooltip="Roll a die of twenty sides"/>
</VASSAL.build.GameModule>
"#,
            name = escaped(&self.name),
            board = escaped(&self.board.name),
            next = self.pieces.len() + 1,
            zoom = if self.board.square.is_some() { 5 } else { 3 },
        )
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::{
        bridge::vassal::{game::Game, module::Module, save},
        xwing::edition::Edition,
    };

    /// Each kit must say the same in its module, its save and its own lists.
    #[test]
    fn kits_are_read_back() {
        for kit in [
            skirmish().unwrap(),
            xwing(Edition::Second).unwrap(),
            xwing(Edition::First).unwrap(),
        ] {
            let module = Module::read(Cursor::new(kit.module().unwrap())).unwrap();
            assert_eq!(module.notes, Vec::<String>::new());
            assert_eq!((&module.name, &module.sides), (&kit.name, &kit.sides));
            let map = module.map(MAP).unwrap();
            assert_eq!(map.boards[0].grid.square().map(|grid| grid.dx as u32), kit.board.square);
            let names: Vec<String> = module.slots.iter().map(|slot| slot.piece.name()).collect();
            assert_eq!(
                names,
                kit.pieces.iter().map(|piece| piece.name.clone()).collect::<Vec<_>>()
            );

            let save = save::from_bytes(&kit.save().unwrap()).unwrap();
            assert_eq!(save.commands, kit.commands());
            assert_eq!(save.about.module, module.name);
            let game = Game::of(&save.commands).unwrap();
            let mut stood: Vec<(String, i32, i32, i32)> = Vec::new();
            for (id, piece) in game.pieces() {
                let place = game.place(id).unwrap();
                assert_eq!(place.map.as_deref(), Some(MAP));
                stood.push((piece.name(), place.x, place.y, piece.heading().unwrap_or(0.0) as i32));
            }
            let mut stand: Vec<(String, i32, i32, i32)> = (kit.pieces.iter())
                .flat_map(|piece| {
                    piece
                        .stands
                        .iter()
                        .map(|(x, y, turn)| (piece.name.clone(), *x, *y, *turn as i32))
                })
                .collect();
            stood.sort();
            stand.sort();
            assert_eq!(stood, stand);
        }
    }
}
