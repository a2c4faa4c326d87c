//! Lua cannot tell an empty list from an empty map, and drops empty fields: both forms are taken for either.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

#[derive(Deserialize)]
#[serde(untagged)]
enum ListOrMap<T> {
    List(Vec<T>),
    Map(BTreeMap<String, T>),
}

/// A list; also takes `{}` and null.
pub fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Ok(match Option::<ListOrMap<T>>::deserialize(deserializer)? {
        None => Vec::new(),
        Some(ListOrMap::List(items)) => items,
        Some(ListOrMap::Map(map)) => map.into_values().collect(),
    })
}

/// A map; also takes `[]` and null, and a list as a map from 1-based numbers.
pub fn map<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error> {
    Ok(match Option::<ListOrMap<T>>::deserialize(deserializer)? {
        None => BTreeMap::new(),
        Some(ListOrMap::Map(map)) => map,
        Some(ListOrMap::List(items)) => items
            .into_iter()
            .enumerate()
            .map(|(i, item)| ((i + 1).to_string(), item))
            .collect(),
    })
}

/// A record whose fields may all be left out; also takes `[]` and null for the empty one.
pub fn record<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum RecordOrList<T> {
        Record(T),
        Empty([(); 0]),
    }
    Ok(match Option::<RecordOrList<T>>::deserialize(deserializer)? {
        None | Some(RecordOrList::Empty(_)) => T::default(),
        Some(RecordOrList::Record(record)) => record,
    })
}

/// The first whole number that a message may not hold.
const BEYOND: u64 = 1 << 53;

/// A whole number below 2^53, the first that not every reader of JSON has exactly; also takes `3.0` and `1E+15`, as Lua
/// hosts print them.
pub fn whole<'de, D: Deserializer<'de>, T: TryFrom<u64>>(deserializer: D) -> Result<T, D::Error> {
    let number = serde_json::Number::deserialize(deserializer)?;
    let whole = |float: f64| float.fract() == 0.0 && (0.0..BEYOND as f64).contains(&float);
    number
        .as_u64()
        // The bound makes the conversion exact.
        .or_else(|| number.as_f64().filter(|float| whole(*float)).map(|float| float as u64))
        .filter(|whole| *whole < BEYOND)
        .and_then(|whole| T::try_from(whole).ok())
        .ok_or_else(|| serde::de::Error::custom(format!("{number} is no whole number in the range of this field")))
}

/// A whole number as [`whole`] reads it, or none.
pub fn maybe_whole<'de, D: Deserializer<'de>, T: TryFrom<u64>>(deserializer: D) -> Result<Option<T>, D::Error> {
    struct Whole<T>(T);
    impl<'de, T: TryFrom<u64>> Deserialize<'de> for Whole<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            whole(deserializer).map(Whole)
        }
    }
    Ok(Option::<Whole<T>>::deserialize(deserializer)?.map(|Whole(number)| number))
}

/// A count as [`whole`] reads it; one that is too large for it is the largest, so that whoever knows the range of the field can
/// name it.
pub fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    whole::<D, u64>(deserializer).map(|count| u32::try_from(count).unwrap_or(u32::MAX))
}

/// A count as [`count`] reads it, or none.
pub fn maybe_count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let count = maybe_whole::<D, u64>(deserializer)?;
    Ok(count.map(|count| u32::try_from(count).unwrap_or(u32::MAX)))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Wire {
        #[serde(deserialize_with = "whole")]
        small: u32,
        #[serde(default, deserialize_with = "list")]
        list: Vec<u32>,
        #[serde(default, deserialize_with = "map")]
        map: BTreeMap<String, u32>,
    }

    #[test]
    fn whole_numbers_end_below_2_to_the_53() {
        #[derive(Deserialize)]
        struct Large(#[serde(deserialize_with = "whole")] u64);
        for (text, expected) in [
            ("9007199254740991", Some(BEYOND - 1)),
            ("9007199254740992", None),
            ("9.007199254740992E+15", None),
            ("18446744073709551615", None),
        ] {
            assert_eq!(
                serde_json::from_str::<Large>(text).ok().map(|large| large.0),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn what_lua_writes_is_read() {
        let map = |items: &[(&str, u32)]| items.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect();
        for (text, expected) in [
            (r#"{"small":3}"#, Some((3, vec![], map(&[])))),
            (r#"{"small":3.0,"list":{},"map":[]}"#, Some((3, vec![], map(&[])))),
            (
                r#"{"small":1E+3,"list":[1,2],"map":{"a":1}}"#,
                Some((1000, vec![1, 2], map(&[("a", 1)]))),
            ),
            (
                r#"{"small":0,"list":null,"map":[7]}"#,
                Some((0, vec![], map(&[("1", 7)]))),
            ),
            (r#"{"small":3.5}"#, None),
            (r#"{"small":-1}"#, None),
            (r#"{"small":1E+15}"#, None),
            (r#"{"small":"3"}"#, None),
            (r#"{"small":18446744073709551615}"#, None),
        ] {
            let expected = expected.map(|(small, list, map)| Wire { small, list, map });
            assert_eq!(serde_json::from_str::<Wire>(text).ok(), expected, "{text}");
        }
    }
}
