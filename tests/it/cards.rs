//! SA-12: what solo ships do with their cards, in worked cases.

mod aces;
mod damage;
mod dice;
mod engaged;
mod fallen;
mod fuzz;
mod introductory;
mod laws;
mod moves;
mod rounds;
mod standing;
