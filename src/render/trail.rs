//! Tracks: where ships of a game have been.

use super::{
    canvas::{Canvas, escape, number},
    labels::{Labels, Line},
    palette::{self, Palette},
};
use crate::{
    geometry::{Point, Pose},
    xwing::{ObjectId, size::Size, table::Table},
};

/// The poses that one ship had, oldest first; its pose on the table is the last and need not be repeated.
#[derive(Debug, Clone, PartialEq)]
pub struct Trail {
    /// The ship's id.
    pub ship: ObjectId,
    /// Its side, which sets the colour of ships that are no longer on the table.
    pub side: String,
    /// Its base.
    pub size: Size,
    /// Where it has been.
    pub poses: Vec<Pose>,
}

/// Draws all tracks: a line through the middles, and a faint base with its number at each stop.
pub(super) fn draw(canvas: &mut Canvas, table: &Table, trails: &[Trail], palette: &Palette) {
    let unit = canvas.unit();
    for trail in trails {
        let colour = palette.side(&trail.side);
        let present = table.ship(&trail.ship).filter(|ship| ship.in_play());
        let mut points: Vec<Point> = trail.poses.iter().map(|pose| pose.position).collect();
        points.extend(present.map(|ship| ship.pose.position));
        canvas.open(&format!("class=\"trail\" data-id=\"{}\"", escape(&trail.ship)));
        canvas.tooltip(&format!("track of {}", trail.ship));
        canvas.polyline(
            &points,
            &format!(
                "stroke=\"{colour}\" stroke-opacity=\"0.55\" stroke-width=\"{}\" stroke-dasharray=\"{} {}\" \
                 stroke-linejoin=\"round\"",
                number(2.0 * unit),
                number(6.0 * unit),
                number(4.0 * unit)
            ),
        );
        let count = trail.poses.len();
        for (index, pose) in trail.poses.iter().enumerate() {
            // Older stops are fainter.
            let opacity = 0.25 + 0.45 * (index + 1) as f64 / (count + 1) as f64;
            let (half_width, half_length) = (trail.size.base_mm() / 2.0, trail.size.length_mm() / 2.0);
            let dart = half_width.min(half_length);
            canvas.raw(&format!(
                "<g transform=\"{}\" opacity=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\">\
                 <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2.5\" fill=\"{colour}\" fill-opacity=\"0.08\"/>\
                 <path d=\"M{} {}L0 {}L{} {}\"/></g>",
                canvas.transform(*pose),
                number(opacity),
                number(1.2 * unit),
                number(-half_width),
                number(-half_length),
                number(half_width * 2.0),
                number(half_length * 2.0),
                number(-dart * 0.4),
                number(-dart * 0.15),
                number(-dart * 0.7),
                number(dart * 0.4),
                number(-dart * 0.15),
            ));
            let (x, y) = canvas.at(pose.position);
            canvas.raw(&format!(
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{colour}\" text-anchor=\"middle\">{index}</text>",
                number(x),
                number(y + 4.0 * unit),
                number(10.0 * unit)
            ));
        }
        if present.is_none()
            && let Some(last) = trail.poses.last()
        {
            let (x, y) = canvas.at(last.position);
            canvas.raw(&format!(
                "<path transform=\"translate({} {}) scale({})\" d=\"M-12-12L12 12M-12 12L12-12\" stroke=\"{colour}\" \
                 stroke-width=\"4\"/>",
                number(x),
                number(y),
                number(unit)
            ));
        }
        canvas.close();
    }
}

/// Names where each track begins, and ships that are no longer there.
pub(super) fn label(labels: &mut Labels, table: &Table, trails: &[Trail], palette: &Palette) {
    for trail in trails {
        if let Some(first) = trail.poses.first() {
            let start = Line::small(format!("{} starts", trail.ship), palette::FAINT_INK);
            labels.around(first.position, trail.size, &[start]);
        }
        let present = table.ship(&trail.ship).is_some_and(|ship| ship.in_play());
        if let Some(last) = trail.poses.last().filter(|_| !present) {
            let lost = Line::head(format!("{} lost", trail.ship), palette.side(&trail.side));
            labels.around(last.position, trail.size, &[lost]);
        }
    }
}
