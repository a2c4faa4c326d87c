//! Dials: a matrix of speeds and bearings, with a number for each colour, and beside it the same as codes.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Fields;
use crate::xwing::maneuver::{Bearing, Dial, Difficulty, Maneuver, Side};

/// What the columns of the matrix stand for.
const BEARINGS: [Bearing; 13] = [
    Bearing::Turn(Side::Left),
    Bearing::Bank(Side::Left),
    Bearing::Straight,
    Bearing::Bank(Side::Right),
    Bearing::Turn(Side::Right),
    Bearing::Koiogran,
    Bearing::SegnorsLoop(Side::Left),
    Bearing::SegnorsLoop(Side::Right),
    Bearing::TallonRoll(Side::Left),
    Bearing::TallonRoll(Side::Right),
    Bearing::ReverseBank(Side::Left),
    Bearing::ReverseStraight,
    Bearing::ReverseBank(Side::Right),
];

/// The dial of a ship. The matrix counts; codes that say otherwise are reported.
pub(super) fn read(fields: &Fields<'_>) -> Dial {
    let mut maneuvers = Vec::new();
    for (speed, row) in fields.list("maneuvers").iter().enumerate() {
        let cells = row.as_array().map_or(&[][..], Vec::as_slice);
        for (column, cell) in cells.iter().enumerate() {
            let place = format!("maneuvers[{speed}][{column}]");
            match maneuver(speed, column, cell) {
                Ok(Some(maneuver)) => maneuvers.push(maneuver),
                Ok(None) => {}
                Err(problem) => fields.warn(&place, &format!("{problem}; it is left out")),
            }
        }
    }
    let dial = Dial::new(maneuvers);
    if fields.get("dial").is_none() {
        fields.warn("dial", "is missing; the matrix alone counts");
        return dial;
    }
    let codes: BTreeSet<Maneuver> = (fields.parsed("dial", "dial code", code)).into_iter().collect();
    let matrix: BTreeSet<Maneuver> = dial.maneuvers().iter().copied().collect();
    for (in_one, others, problem) in [
        (&matrix, &codes, "is in the matrix, but not among the codes; it is kept"),
        (
            &codes,
            &matrix,
            "is among the codes, but not in the matrix; it is left out",
        ),
    ] {
        for maneuver in in_one.difference(others) {
            fields.warn("dial", &format!("{maneuver} {problem}"));
        }
    }
    dial
}

/// A cell of the matrix: nothing, white, green or red.
fn maneuver(speed: usize, column: usize, cell: &Value) -> Result<Option<Maneuver>, String> {
    let difficulty = match cell.as_u64() {
        Some(0) => return Ok(None),
        Some(1) => Difficulty::White,
        Some(2) => Difficulty::Blue,
        Some(3) => Difficulty::Red,
        _ => return Err(format!("expected a colour from 0 to 3, found {cell}")),
    };
    let bearing = match (speed, BEARINGS.get(column)) {
        (0, Some(Bearing::Straight)) => Bearing::Stationary,
        (1..=5, Some(bearing)) => *bearing,
        _ => return Err("no maneuver has this speed and bearing".to_owned()),
    };
    Ok(Some(Maneuver {
        speed: speed as u8,
        bearing,
        difficulty,
    }))
}

/// A dial code of this edition: green has a letter of its own.
fn code(text: &str) -> Option<Maneuver> {
    let green = text.strip_suffix('G').map(|start| format!("{start}B"));
    green.as_deref().unwrap_or(text).parse().ok()
}
