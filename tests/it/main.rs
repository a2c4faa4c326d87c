//! All integration tests, as one binary.

mod geometry_positions;
