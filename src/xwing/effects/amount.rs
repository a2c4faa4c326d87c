//! How many.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, Visitor, value},
    ser::SerializeMap,
};

use super::selector::Query;

/// How many of something.
#[derive(Debug, Clone, PartialEq)]
pub enum Amount {
    /// This many: `1`.
    Fixed(u8),
    /// Between two numbers, chosen by whoever uses the effect: `"1-2"`.
    Between(u8, u8),
    /// All there are: `"all"`.
    All,
    /// As many as whoever uses the effect likes: `"any"`.
    Any,
    /// As many as the event had (results cancelled, tokens removed, charges spent before): `"matching"`.
    Matching,
    /// One for each thing that qualifies: `{ for_each = { who = ... } }`.
    ForEach(Box<Query>),
}

impl Default for Amount {
    fn default() -> Self {
        Amount::Fixed(1)
    }
}

impl Amount {
    /// Whether it is the plain one.
    pub fn is_one(&self) -> bool {
        *self == Amount::Fixed(1)
    }

    /// The most that it may be, where that is known from the card alone.
    pub const fn at_most(&self) -> Option<u8> {
        match self {
            Amount::Fixed(number) | Amount::Between(_, number) => Some(*number),
            _ => None,
        }
    }
}

impl From<u8> for Amount {
    fn from(number: u8) -> Self {
        Amount::Fixed(number)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Amount::Fixed(number) => serializer.serialize_u8(*number),
            Amount::Between(least, most) => serializer.serialize_str(&format!("{least}-{most}")),
            Amount::All => serializer.serialize_str("all"),
            Amount::Any => serializer.serialize_str("any"),
            Amount::Matching => serializer.serialize_str("matching"),
            Amount::ForEach(query) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("for_each", query)?;
                map.end()
            }
        }
    }
}

struct AmountVisitor;

impl<'de> Visitor<'de> for AmountVisitor {
    type Value = Amount;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number from 0 to 20, `all`, `any`, `matching`, `1-2` or `{ for_each = { who = ... } }`")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Amount, E> {
        let fits = u8::try_from(number).ok().filter(|&number| number <= 20);
        fits.map(Amount::Fixed)
            .ok_or_else(|| E::invalid_value(de::Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Amount, E> {
        self.visit_i64(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Amount, E> {
        match text {
            "all" => Ok(Amount::All),
            "any" => Ok(Amount::Any),
            "matching" => Ok(Amount::Matching),
            _ => {
                let numbers = text.split_once('-').and_then(|(least, most)| {
                    let numbers = (least.parse::<u8>().ok()?, most.parse::<u8>().ok()?);
                    (numbers.0 < numbers.1 && numbers.1 <= 20).then_some(numbers)
                });
                numbers
                    .map(|(least, most)| Amount::Between(least, most))
                    .ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Amount, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Counted {
            for_each: Box<Query>,
        }
        let counted = Counted::deserialize(value::MapAccessDeserializer::new(map))?;
        Ok(Amount::ForEach(counted.for_each))
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AmountVisitor)
    }
}
