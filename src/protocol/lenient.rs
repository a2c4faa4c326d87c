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
