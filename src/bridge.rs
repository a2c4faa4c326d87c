//! One module a table program: raw facts in, domain values out, and back.

pub mod grid;
pub mod host;
pub(crate) mod names;
pub mod position;
pub mod served;
pub mod skirmish;
pub mod text;
pub mod tts;
pub mod vassal;
pub mod vassal_plugin;
pub mod vassal_table;
pub mod virtual_grid;
pub mod virtual_table;
