//! From JSON text to the wire type, with the path of whatever does not fit.

use super::{PositionError, Warning, wire};
use crate::{json, visible::steers};

/// Most letters of the input that an error quotes.
const MAX_SHOWN: usize = 300;

/// Reads the wire type. A field that is not known becomes a warning with the nearest known name; nothing is dropped
/// silently.
pub(super) fn read(text: &str) -> Result<(wire::Position, Vec<Warning>), PositionError> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    // The derived reader would also take a list of the fields in order, and an empty list for an empty position.
    if text.starts_with('[') {
        return Err(PositionError::at(
            "",
            "a list is no position: give one object, or one on each line",
        ));
    }
    let mut warnings = Vec::new();
    let mut track = serde_path_to_error::Track::new();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let result = {
        let tracked = serde_path_to_error::Deserializer::new(&mut deserializer, &mut track);
        serde_ignored::deserialize(tracked, |path| warnings.push(unknown_field(&path)))
    };
    match result {
        Ok(position) => match deserializer.end() {
            Ok(()) => Ok((position, warnings)),
            Err(error) => Err(PositionError::at(
                "",
                format!("after the position: {}", json::plain(&error.to_string())),
            )),
        },
        Err(error) => {
            let place = match track.path().to_string() {
                root if root == "." => String::new(),
                place => place,
            };
            Err(PositionError::at(
                shown(&place),
                shown(&json::plain(&error.to_string())),
            ))
        }
    }
}

fn unknown_field(path: &serde_ignored::Path<'_>) -> Warning {
    let place = place(path);
    let name = place.rsplit('.').next().unwrap_or(&place);
    let remedy = match nearest(name, wire::FIELDS.iter().copied()) {
        Some(known) => format!("; is `{known}` meant?"),
        None => "; docs/positions.md lists the fields".to_owned(),
    };
    Warning {
        message: format!("unknown field, left aside{remedy}"),
        place: shown(&place),
    }
}

/// A text that quotes the input, fit for one line of a terminal.
fn shown(text: &str) -> String {
    let mut letters = text.chars().map(|letter| if steers(letter) { ' ' } else { letter });
    let mut shown: String = letters.by_ref().take(MAX_SHOWN).collect();
    if letters.next().is_some() {
        shown.push_str("...");
    }
    shown
}

/// The path with list indices in brackets, as the errors write it.
fn place(path: &serde_ignored::Path<'_>) -> String {
    use serde_ignored::Path;
    match path {
        Path::Root => String::new(),
        Path::Seq { parent, index } => format!("{}[{index}]", place(parent)),
        Path::Map { parent, key } => match place(parent) {
            root if root.is_empty() => key.clone(),
            outer => format!("{outer}.{key}"),
        },
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => place(parent),
    }
}

/// The candidate that looks most like a word, if any is near enough to be a slip of the pen.
pub(super) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A hostile word may be megabytes long, and the comparison is quadratic.
    if word.len() > 60 {
        return None;
    }
    candidates
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.len() / 3)
        .min()
        .map(|(_, candidate)| candidate)
}
