//! A game at a simulated plain table, through the host: whole rounds, refusals, moves in between, restarts, undo.

mod cards;
mod devices;
mod escort;
mod first_edition;
mod following;
mod moments;
mod noise;
pub mod plain_table;
mod restarts;
mod rounds;
mod scenario;
mod trouble;
mod undo;
mod whole_rounds;
