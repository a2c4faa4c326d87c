//! Tallyho sits beside a game table and flies the side nobody plays.
//!
//! The modules form layers; each may use only those named above it in this list (`ARCHITECTURE.md` has the map):
//!
//! 1. [`geometry`] and [`dice`]: pure values, nothing of ours beneath them; [`text_file`]: files as people write them;
//!    [`private_file`]: files that nobody else may read; [`same_file`]: whether two paths mean one file.
//! 2. [`xwing`]: the rules of the game. It knows no opponent.
//! 3. [`solo_alpha`] with [`decision`]: the opponent and the explained choices it returns. It knows no game loop.
//!    [`commander`]: who chooses for a side of a battle, the opponent or a player who is played for.
//!    [`swm`]: Star Wars Miniatures, a game of its own with its opponent.
//! 4. [`game`]: one game at one table: observed state, turn order, plans, acknowledgements. It knows no socket.
//! 5. [`protocol`] and [`bridge`]: wire types, and one module a table that turns raw facts into domain values and back.
//! 6. [`sim`]: many games at once, the opponent against a scripted player. It knows no socket.
//!    [`record`]: whole games written down, and played again; [`play`]: a game at the keyboard.
//!    [`tournament`]: players, pairings, results and standings of a tournament; it plays no game.
//! 7. [`render`]: tables and decisions for people, as pictures and as text.
//! 8. [`server`] and [`cli`]: sockets and commands.
#![forbid(unsafe_code)]

pub mod bridge;
pub mod cli;
pub mod commander;
pub mod decision;
pub mod dice;
pub mod game;
pub mod geometry;
pub mod json;
pub mod play;
pub mod private_file;
pub mod protocol;
pub mod record;
pub mod render;
pub mod same_file;
pub mod server;
pub mod sim;
pub mod solo_alpha;
pub mod swm;
pub mod text_file;
pub mod toml_text;
pub mod tournament;
pub mod visible;
pub mod xwing;
