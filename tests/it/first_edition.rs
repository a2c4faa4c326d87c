//! The first edition: worked cases and laws of its own.

use std::{fs, path::Path};

use serde::{Deserialize, de::DeserializeOwned};

mod arcs;
mod combat;
mod drawn;
mod games;
mod huge;
mod laws;
mod maneuvers;
mod repositions;
mod rounds;
mod scenarios;
mod set_up;
mod solo;
mod solo_laws;
mod solo_rounds;

/// The cases of a file under `tests/cases/first-edition/`.
fn cases<T: DeserializeOwned>(file: &str) -> Vec<T> {
    #[derive(Deserialize)]
    struct Cases<T> {
        case: Vec<T>,
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases/first-edition")
        .join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cases: Cases<T> = toml::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert!(!cases.case.is_empty(), "{file} has no case");
    cases.case
}
