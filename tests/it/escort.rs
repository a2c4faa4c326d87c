//! Political Escort: its rules on values, and how it is played automatically. Cases are data (`tests/cases/escort/`).

mod aims;
mod cases;
mod criticals;
mod games;
mod keyboard;
mod matches;
mod moves;
mod placing;
mod protect;
mod score;
mod set_up;
mod squads;
