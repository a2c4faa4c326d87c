//! Attacks of solo ships, and on them: which weapon at which target (SA-9), and what is spent on dice (SA-10, SA-11).

pub mod dice;
pub mod engage;

pub use self::{
    dice::{AttackDecision, DefenceDecision},
    engage::{Engagement, PlannedAttack, TargetRule, engage},
};
