//! Bombs, mines and other devices that lie on a table.

use super::{
    canvas::{Canvas, escape, number},
    labels::{Labels, Line},
    palette::{self, Palette},
};
use crate::{
    geometry::{Point, polygon},
    xwing::device::PlacedDevice,
};

/// Draws them in the colour of whose they are: what they cover, a cross in the middle, fuse markers as dots beside it.
pub(super) fn draw(canvas: &mut Canvas, devices: &[PlacedDevice], palette: &Palette) {
    let unit = canvas.unit();
    for piece in devices {
        let colour = palette.side(&piece.side);
        canvas.open(&format!("class=\"device\" data-id=\"{}\"", escape(&piece.id)));
        canvas.tooltip(&words(piece));
        canvas.polygon(
            &piece.outline,
            &format!(
                "fill=\"{colour}\" fill-opacity=\"0.35\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
                number(1.5 * unit)
            ),
        );
        let (x, y) = canvas.at(piece.pose.position);
        canvas.raw(&format!(
            "<path transform=\"translate({} {}) scale({})\" d=\"M-4-4L4 4M-4 4L4-4\" stroke=\"{colour}\" stroke-width=\"2\" \
             fill=\"none\"/>",
            number(x),
            number(y),
            number(unit)
        ));
        for fuse in 0..piece.fuse {
            canvas.raw(&format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{colour}\"/>",
                number(x + (8.0 + 5.0 * f64::from(fuse)) * unit),
                number(y),
                number(2.0 * unit)
            ));
        }
        canvas.close();
    }
}

/// Writes beside each what it is.
pub(super) fn label(labels: &mut Labels, devices: &[PlacedDevice], unit: f64) {
    for piece in devices {
        let centre = polygon::centroid(&piece.outline);
        let far = |corner: &Point| corner.distance(centre);
        let reach = piece.outline.iter().map(far).fold(0.0, f64::max);
        let beside: Vec<Point> = [(0.0, -1.0), (0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)]
            .map(|(x, y)| centre + Point::new(x, y) * (reach + 8.0 * unit))
            .into();
        labels.on(&beside, &[Line::small(&*piece.device, palette::FAINT_INK)]);
    }
}

/// What it is, whose, and by whom it was dropped.
fn words(piece: &PlacedDevice) -> String {
    let fuse = match piece.fuse {
        0 => String::new(),
        1 => ", 1 fuse marker".to_owned(),
        many => format!(", {many} fuse markers"),
    };
    format!(
        "{} ({}), dropped by {}{fuse}",
        piece.device, piece.side, piece.dropped_by
    )
}
