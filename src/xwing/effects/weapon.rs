//! Weapons as cards name them, and the weapon that a card is.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{arc::ArcWord, cost::Cost, range::RangeSpan, vocabulary::vocabulary};
use crate::xwing::weapon::Requirement;

vocabulary! {
    /// A kind of weapon.
    pub enum WeaponWord {
        Primary = "primary": "a primary weapon",
        Special = "special": "a special weapon",
        This = "this": "the weapon of this card",
        Torpedo = "torpedo": "a torpedo",
        Missile = "missile": "a missile",
        Cannon = "cannon": "a cannon",
        TurretUpgrade = "turret_upgrade": "a turret upgrade",
        Hardpoint = "hardpoint": "a hardpoint",
        Ordnance = "ordnance": "ordnance",
        Other = "other": "a weapon that was not used yet",
        Remote = "remote": "the attack of a remote",
        Any = "any": "any weapon",
    }
}

/// One alternative of a [`WeaponFilter`]: a kind of weapon, an arc it fires in, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WeaponTerm {
    /// The kind.
    pub kind: Option<WeaponWord>,
    /// The arc of the attack.
    pub arc: Option<ArcWord>,
    /// Everything but this.
    pub not: bool,
}

/// Which weapons are meant: `primary`, `primary+front`, `torpedo/missile`, `not:front`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WeaponFilter(pub Vec<WeaponTerm>);

impl FromStr for WeaponTerm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (not, rest) = match text.strip_prefix("not:") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut term = WeaponTerm {
            kind: None,
            arc: None,
            not,
        };
        for word in rest.split('+') {
            let kind = WeaponWord::ALL.iter().find(|kind| kind.word() == word);
            let arc = ArcWord::ALL.iter().find(|arc| arc.word() == word);
            match (kind, arc) {
                (Some(&kind), _) if term.kind.is_none() => term.kind = Some(kind),
                (None, Some(&arc)) if term.arc.is_none() => term.arc = Some(arc),
                _ => {
                    return Err(format!(
                        "`{text}` names no weapon; write a kind (`primary`, `torpedo`, ...), an arc, both joined by `+`, alternatives \
                         joined by `/`, `not:` before what is not meant"
                    ));
                }
            }
        }
        Ok(term)
    }
}

impl fmt::Display for WeaponTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.not {
            f.write_str("not:")?;
        }
        match (self.kind, self.arc) {
            (Some(kind), Some(arc)) => write!(f, "{kind}+{arc}"),
            (Some(kind), None) => kind.fmt(f),
            (None, Some(arc)) => arc.fmt(f),
            (None, None) => Ok(()),
        }
    }
}

impl TryFrom<String> for WeaponFilter {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.split('/')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(WeaponFilter)
    }
}

impl fmt::Display for WeaponFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, term) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str("/")?;
            }
            term.fmt(f)?;
        }
        Ok(())
    }
}

impl From<WeaponFilter> for String {
    fn from(filter: WeaponFilter) -> String {
        filter.to_string()
    }
}

/// The weapon that a card is. What the catalog says of it must agree; an entry may leave it out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardWeapon {
    /// Where it fires.
    pub arc: ArcWord,
    /// Attack dice.
    pub dice: u8,
    /// At which ranges.
    pub range: RangeSpan,
    /// Whether no range bonus applies.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ordnance: bool,
    /// Whether it only makes bonus attacks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bonus: bool,
    /// What the header asks for: any one of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<Requirement>,
    /// What an attack with it costs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cost: Vec<Cost>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weapons_come_back_as_written_and_nonsense_is_told() {
        for text in [
            "primary",
            "this",
            "primary+front",
            "torpedo/missile",
            "not:front",
            "primary+front/turret_upgrade",
        ] {
            assert_eq!(WeaponFilter::try_from(text.to_owned()).unwrap().to_string(), text);
        }
        for text in [
            "",
            "laser",
            "primary+",
            "front+rear",
            "primary+torpedo",
            "primary//missile",
        ] {
            assert!(WeaponFilter::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
