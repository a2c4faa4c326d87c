//! All integration tests, as one binary.

mod architecture;
mod catalog;
mod combat;
mod decide;
mod demo;
mod dice_oracle;
mod engage;
mod game;
mod geometry_laws;
mod geometry_positions;
mod install;
mod lua_controller;
mod measure_cases;
mod movement_cases;
mod position;
mod positions_300;
mod reposition_cases;
mod rules;
mod server;
mod solo_alpha;
mod svg;
mod tables;
mod text_fixture;
mod tts_bridge;
mod tts_save;
mod virtual_table;
