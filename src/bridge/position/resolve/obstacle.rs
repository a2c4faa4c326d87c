//! One obstacle: corners as given, or a known outline put in its place.

use super::{MAX_CORNERS, Warning, check_count, coordinate, heading, point, printable, suggestion};
use crate::{
    bridge::position::{PositionError, wire},
    geometry::{Point, Pose},
    xwing::{obstacle::Obstacle, obstacle_outlines::ObstacleOutlines},
};

/// Resolves one obstacle; `place` names it in errors.
pub(super) fn resolve_obstacle(
    obstacle: wire::Obstacle,
    place: &str,
    outlines: &ObstacleOutlines,
    warnings: &mut Vec<Warning>,
) -> Result<Obstacle, PositionError> {
    let outline = match (&obstacle.shape, obstacle.points.is_empty()) {
        (Some(shape), true) => placed(&obstacle, shape, place, outlines, warnings)?,
        (Some(_), false) => {
            let message = "both `shape` and `points` are given: leave one out";
            return Err(PositionError::at(format!("{place}.shape"), message));
        }
        (None, _) => corners(&obstacle.points, place)?,
    };
    Ok(Obstacle {
        id: obstacle.id.into(),
        kind: obstacle.kind,
        outline: outline.into(),
    })
}

fn corners(points: &[[f64; 2]], place: &str) -> Result<Vec<Point>, PositionError> {
    let place = format!("{place}.points");
    check_count(&place, points.len(), MAX_CORNERS)?;
    let outline = points
        .iter()
        .enumerate()
        .map(|(index, &[x, y])| {
            let place = format!("{place}[{index}]");
            Ok(Point::new(coordinate(place.clone(), x)?, coordinate(place, y)?))
        })
        .collect::<Result<Vec<_>, _>>()?;
    if outline.len() < 3 {
        let message = format!(
            "{} corners are no outline: give at least 3, or a `shape`",
            outline.len()
        );
        return Err(PositionError::at(place, message));
    }
    let doubled_area: f64 = (outline.iter().zip(outline.iter().cycle().skip(1)))
        .map(|(a, b)| a.cross(*b))
        .sum();
    if doubled_area.abs() < 2.0 {
        let message = "the outline covers no area: give its corners in order around it";
        return Err(PositionError::at(place, message));
    }
    Ok(outline)
}

/// The ids of all outlines, those that differ in their last digit in one: `coreasteroid0-5`.
fn known_outlines(outlines: &ObstacleOutlines) -> String {
    let ids = outlines.all().iter().map(|outline| outline.id.as_str());
    let mut families: Vec<(&str, &str, &str)> = Vec::new();
    for id in ids {
        let stem = id.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number = &id[stem.len()..];
        match families.last_mut() {
            Some((known, _, last)) if *known == stem => *last = number,
            _ => families.push((stem, number, number)),
        }
    }
    let words: Vec<String> = (families.iter())
        .map(|(stem, first, last)| match first == last {
            true => format!("{stem}{first}"),
            false => format!("{stem}{first}-{last}"),
        })
        .collect();
    words.join(", ")
}

/// A known outline at its place.
fn placed(
    obstacle: &wire::Obstacle,
    shape: &str,
    place: &str,
    outlines: &ObstacleOutlines,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Point>, PositionError> {
    let Some(outline) = outlines.find(shape) else {
        let known = suggestion(shape, outlines.all().iter().map(|outline| outline.id.as_str()));
        let message = format!(
            "no outline is known by the id `{}`; the ids are {}; or give `points`{known}",
            printable(shape),
            known_outlines(outlines)
        );
        return Err(PositionError::at(format!("{place}.shape"), message));
    };
    if outline.kind != obstacle.kind {
        warnings.push(Warning {
            place: format!("{place}.kind"),
            message: format!(
                "`{}` is another kind of obstacle; the kind given is used, with its outline",
                outline.id
            ),
        });
    }
    let (Some(x), Some(y)) = (obstacle.x, obstacle.y) else {
        let message = "a `shape` needs its place: give `x` and `y`, and `heading` if it is turned";
        return Err(PositionError::at(format!("{place}.shape"), message));
    };
    let position = point(place, x, y)?;
    let pose = Pose::new(position.x, position.y, heading(place, obstacle.heading.unwrap_or(0.0))?);
    Ok(outline.outline_at(pose))
}
