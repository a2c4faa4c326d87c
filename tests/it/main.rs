//! All integration tests, as one binary.

mod catalog;
mod decide;
mod game;
mod geometry_cases;
mod geometry_laws;
mod geometry_positions;
mod lua_controller;
mod position;
mod positions_300;
mod solo_alpha;
mod svg;
mod tables;
mod text_fixture;
