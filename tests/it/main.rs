//! All integration tests, as one binary.

mod geometry_positions;
mod position;
mod positions_300;
mod text_fixture;
