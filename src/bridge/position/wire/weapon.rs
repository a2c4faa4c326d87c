//! Weapons and devices, as written.

use serde::{Deserialize, Serialize};

use crate::xwing::weapon::{Requirement, WeaponArc};

/// A special weapon. What is left out comes from the catalog's upgrade of that id.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Special {
    /// The upgrade's xws id.
    pub id: String,
    /// Where it fires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arc: Option<WeaponArc>,
    /// Attack dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<u32>,
    /// Smallest range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u32>,
    /// Largest range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// The header: absent means "as the catalog says", null means that it asks for nothing.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub requires: Option<Header>,
    /// Active charges left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charges: Option<u32>,
    /// Charges that the card has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_charges: Option<u32>,
    /// Upgrade slot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<String>,
}

/// What an attack's header asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "no header: give lock, focus or calculate, a list of these if any one will do, or null for none"
)]
pub enum Header {
    /// Nothing (null).
    Nothing,
    /// One thing.
    One(Requirement),
    /// Any one of these.
    AnyOf(Vec<Requirement>),
}

impl From<Header> for Vec<Requirement> {
    fn from(header: Header) -> Self {
        match header {
            Header::Nothing => Vec::new(),
            Header::One(requirement) => vec![requirement],
            Header::AnyOf(requirements) => requirements,
        }
    }
}

impl From<Vec<Requirement>> for Header {
    fn from(requirements: Vec<Requirement>) -> Self {
        match requirements[..] {
            [] => Header::Nothing,
            [one] => Header::One(one),
            _ => Header::AnyOf(requirements),
        }
    }
}

/// Tells a field that is null from one that is absent.
fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// A bomb or a mine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Device {
    /// The upgrade's xws id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Upgrade slot; `Device` where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<String>,
    /// Active charges left.
    pub charges: u32,
    /// Charges that the card has.
    pub max_charges: u32,
}

/// A primary weapon that replaces the ship type's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Primary {
    /// Where it fires.
    pub arc: WeaponArc,
    /// Attack dice.
    pub value: u32,
    /// Smallest range; 1 where it is left out.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub min: u32,
    /// Largest range; 3 where it is left out.
    #[serde(default = "three", skip_serializing_if = "is_three")]
    pub max: u32,
}

fn one() -> u32 {
    1
}

fn three() -> u32 {
    3
}

fn is_one(range: &u32) -> bool {
    *range == 1
}

fn is_three(range: &u32) -> bool {
    *range == 3
}
