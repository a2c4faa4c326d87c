//! SA-12: whether and how a solo ship uses what its cards offer.
//!
//! | what | where |
//! |---|---|
//! | moves: the three tests, measured beforehand, and which of several ends | [`moves`] |

pub mod moves;
