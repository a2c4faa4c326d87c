//! Attacks of solo ships, and on them: which weapon at which target (SA-9), what is spent on dice (SA-10, SA-11), which
//! effects of cards are used (SA-12).

pub mod dice;
pub mod engage;
pub mod windows;

pub use self::{
    dice::{AttackDecision, DefenceDecision},
    engage::{Engagement, PlannedAttack, TargetRule, engage},
    windows::WindowDecision,
};
