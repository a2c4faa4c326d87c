//! The rules of Star Wars Miniatures: a game on a grid of squares, and its automated opponents.
//!
//! | what | where |
//! |---|---|
//! | squares, the space of a figure | [`square`] |
//! | terrain, walls, doors, adjacency | [`map`] |
//! | range around walls | [`range`] |
//! | line of sight, exact | [`sight`] |
//! | cover | [`cover`] |
//! | what cards say, abilities as data | [`figure`], [`ability`] |
//! | stat cards as a table | [`roster`] |
//! | what is worked out of a map once | [`survey`] |
//! | the map with figures | [`board`] |
//! | squads as they are typed, or drawn | [`squad`] |
//! | area attacks | [`area`] |
//! | trigger tokens of solo scenarios | [`token`] |
//! | random maps and squads | [`arena`] |
//! | whom a figure may attack, and how well | [`targets`] |
//! | where it can move | [`movement`] |
//! | a whole skirmish as a state machine | [`skirmish`] |
//! | choices where the text is silent | [`options`] |
//! | Carsten's automated opponents | [`opponent`] |
//! | who chooses for a side | [`commander`] |

pub mod ability;
pub mod area;
pub mod arena;
pub mod board;
pub mod commander;
pub mod cover;
pub mod figure;
pub mod map;
pub mod movement;
pub mod opponent;
pub mod options;
pub mod range;
pub mod roster;
pub mod sight;
pub mod skirmish;
pub mod squad;
pub mod square;
pub mod survey;
pub mod targets;
pub mod token;
