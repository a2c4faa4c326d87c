//! What a decision looks like on the table: ranges and arcs, the tally line, the template, end poses.

use super::{
    canvas::{Canvas, escape, number},
    labels::{Labels, Line},
    objects::{Look, base_corners, draw_base},
    palette::{self, Palette},
};
use crate::{
    decision::Reason,
    geometry::{Point, Pose, angle, polygon},
    solo_alpha::sentence::SpokenIn,
    xwing::{
        ObjectId,
        arc::BULLSEYE_HALF_MM,
        edition::ShowRanges,
        maneuver::{Maneuver, Side},
        measure::{self, Object},
        print::Print,
        ship::Ship,
        size::Size,
        table::Table,
        template::{HALF_WIDTH_MM, Path, Template},
    },
};

/// What a picture shows of a decision.
#[derive(Debug, Clone)]
pub struct Decided<'a> {
    /// Whose decision it is.
    pub ship: ObjectId,
    /// The whole in one sentence.
    pub sentence: &'a str,
    /// The main points by name, in the order of the rules: what the tally is, the chart, the roll and so on.
    pub facts: Vec<(&'static str, String)>,
    /// Why.
    pub reasons: &'a [Reason],
    /// What it is after.
    pub tally: Option<ObjectId>,
    /// What it flies, if it is a move.
    pub maneuver: Option<Maneuver>,
    /// Where the maneuver ends it.
    pub end: Option<Pose>,
    /// Where each action of the sequence that moves it puts it.
    pub actions: Vec<Ghost>,
    /// What was looked at and left.
    pub rejected: Vec<Ghost>,
}

/// A pose that is not, or not yet, taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Ghost {
    /// What leads there.
    pub label: String,
    /// Where.
    pub pose: Pose,
    /// The maneuver that leads there from the ship's place, if it is one: its template is drawn.
    pub maneuver: Option<Maneuver>,
}

/// Ranges and arcs of the deciding ship: beneath everything.
pub(super) fn draw_beneath(canvas: &mut Canvas, labels: &mut Labels, table: &Table, decided: &Decided<'_>) {
    let Some(ship) = table.ship(&decided.ship) else { return };
    let length = ship.size.length_mm();
    let unit = canvas.unit();
    let transform = canvas.transform(ship.pose);
    keep_free(labels, table, ship, decided);
    canvas.open("class=\"ranges\" clip-path=\"url(#area)\"");
    canvas.open(&format!("transform=\"{transform}\""));
    let shown = table.rules.show_ranges == ShowRanges::Always;
    canvas.raw(&arcs_and_ranges(ship.print(), unit, "range3", shown));
    canvas.close();
    canvas.close();
    if !shown {
        return;
    }
    for range in 1..=3 {
        let out = Point::new(0.0, length / 2.0 + 100.0 * f64::from(range) - 9.0 * unit);
        // Astern first, where neither the template nor, as a rule, the tally is.
        let spots = [180.0, 150.0, 210.0, 125.0, 235.0, 90.0, 270.0, 45.0, 315.0].map(|turn| {
            let pose = Pose {
                heading: angle::normalize(ship.pose.heading + turn),
                ..ship.pose
            };
            pose.to_table(out)
        });
        labels.on(&spots, &[Line::small(format!("range {range}"), palette::RANGE)]);
    }
}

/// Ranges 1 to 3 around a base and its arcs, in the ship's frame; `clip` is the id of the outline of range 3.
/// Without `rings` the ranges are left out (FE-0.7).
pub(super) fn arcs_and_ranges(print: Print, unit: f64, clip: &str, rings: bool) -> String {
    let size = print.size;
    let (width, length) = (size.base_mm(), size.length_mm());
    let ring = |range: f64, attributes: &str| {
        format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{range}\" {attributes}/>",
            number(-width / 2.0 - range),
            number(-length / 2.0 - range),
            number(width + 2.0 * range),
            number(length + 2.0 * range)
        )
    };
    let mut markup = format!(
        "<clipPath id=\"{clip}\">{}</clipPath>\n<g stroke=\"{}\">\n",
        ring(300.0, ""),
        palette::RANGE
    );
    for range in [300.0, 200.0, 100.0].into_iter().filter(|_| rings) {
        markup.push_str(&ring(
            range,
            &format!(
                "fill=\"{}\" fill-opacity=\"0.045\" stroke-opacity=\"0.5\" stroke-width=\"{}\" stroke-dasharray=\"{} {}\"",
                palette::RANGE,
                number(unit),
                number(3.0 * unit),
                number(4.0 * unit)
            ),
        ));
        markup.push('\n');
    }
    markup.push_str(&arcs(print, unit, clip));
    markup.push_str("</g>");
    markup
}

/// Keeps all labels off the template, the end poses and the line to the tally.
fn keep_free(labels: &mut Labels, table: &Table, ship: &Ship, decided: &Decided<'_>) {
    if let Some(path) = decided.maneuver.and_then(|maneuver| Path::of(ship.size, maneuver)) {
        const STEPS: u32 = 12;
        let half = Point::new(HALF_WIDTH_MM, HALF_WIDTH_MM);
        for step in 0..=STEPS {
            let local = path.pose_at(path.length() * f64::from(step) / f64::from(STEPS));
            let middle = ship.pose.compose(local).position;
            labels.keep_free(&[middle - half, middle + half]);
        }
    }
    if let Some(end) = decided.end {
        labels.keep_free(&base_corners(ship.size, end));
    }
    for action in &decided.actions {
        labels.keep_free(&base_corners(ship.size, action.pose));
    }
    if let Some(object) = decided.tally.as_deref().and_then(|id| Object::find(table, id)) {
        let (from, to) = nearest_points(&base_corners(ship.size, ship.pose), object.outline().corners());
        labels.keep_free_along(from, to);
    }
}

/// The front arc and the bullseye up to range 3, and the lines between the other arcs, in the ship's frame.
fn arcs(print: Print, unit: f64, clip: &str) -> String {
    const FAR: f64 = 600.0;
    let (sin, cos) = angle::sin_cos(print.front_half_angle());
    let front = print.size.length_mm() / 2.0;
    let edge = front * sin / cos;
    let (far_x, far_y) = (FAR * sin, FAR * cos);
    let colour = palette::RANGE;
    format!(
        "<g clip-path=\"url(#{clip})\"><path class=\"front-arc\" d=\"M{ne} {nf}L{nx} {ny}H{x}L{e} {nf}z\" fill=\"{colour}\" \
         fill-opacity=\"0.09\" stroke=\"none\"/>\
         <path class=\"bullseye\" d=\"M{nb} {nf}V{ny}H{b}V{nf}z\" fill=\"{colour}\" fill-opacity=\"0.14\" stroke=\"none\"/>\
         <path d=\"M{e} {nf}L{x} {ny}M{ne} {nf}L{nx} {ny}M{e} {f}L{x} {y}M{ne} {f}L{nx} {y}\" fill=\"none\" \
         stroke-opacity=\"0.55\" stroke-width=\"{}\"/></g>",
        number(1.2 * unit),
        b = number(BULLSEYE_HALF_MM),
        nb = number(-BULLSEYE_HALF_MM),
        e = number(edge),
        ne = number(-edge),
        f = number(front),
        nf = number(-front),
        x = number(far_x),
        nx = number(-far_x),
        y = number(far_y),
        ny = number(-far_y),
    )
}

/// Rejected candidates, the template, the end pose and the poses of actions: above obstacles, beneath ships.
pub(super) fn draw_moves(canvas: &mut Canvas, table: &Table, decided: &Decided<'_>, palette: &Palette) {
    let Some(ship) = table.ship(&decided.ship) else { return };
    let unit = canvas.unit();
    for ghost in &decided.rejected {
        canvas.open(&format!("class=\"rejected\" data-label=\"{}\"", escape(&ghost.label)));
        canvas.tooltip(&format!("left: {}", ghost.label));
        if let Some(path) = ghost.maneuver.and_then(|maneuver| template_path(ship.size, maneuver)) {
            canvas.raw(&format!(
                "<path transform=\"{}\" d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"0.12\" stroke-width=\"20\"/>",
                canvas.transform(ship.pose),
                palette::REJECTED
            ));
        }
        draw_ghost(canvas, ship, ghost.pose, palette::REJECTED, 0.75);
        canvas.close();
    }
    let template = decided
        .maneuver
        .and_then(|maneuver| Some((maneuver, template_path(ship.size, maneuver)?)));
    if let Some((maneuver, path)) = template {
        let (fill, edge) = palette::difficulty(maneuver.difficulty);
        canvas.open(&format!(
            "class=\"template\" transform=\"{}\"",
            canvas.transform(ship.pose)
        ));
        // A wide line with a slightly narrower one on it: the template's true shape with an edge.
        canvas.raw(&format!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{edge}\" stroke-width=\"{}\"/>",
            HALF_WIDTH_MM * 2.0
        ));
        canvas.raw(&format!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{fill}\" stroke-width=\"{}\"/>",
            number(HALF_WIDTH_MM * 2.0 - 2.0 * unit.min(4.0))
        ));
        canvas.raw(&format!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{edge}\" stroke-opacity=\"0.6\" stroke-width=\"{}\" \
             stroke-dasharray=\"{} {}\"/>",
            number(unit),
            number(2.0 * unit),
            number(4.0 * unit)
        ));
        canvas.close();
    }
    let colour = palette.side(&ship.side);
    if let Some(end) = decided.end {
        canvas.open("class=\"end-pose\"");
        if let Some(maneuver) = decided.maneuver {
            canvas.tooltip(&format!("after {}", SpokenIn(ship.edition, maneuver)));
        }
        draw_base(canvas, ship.print(), end, colour, Look::Planned);
        canvas.close();
    }
    let mut from = decided.end.unwrap_or(ship.pose);
    for action in &decided.actions {
        canvas.open(&format!(
            "class=\"action-pose\" data-label=\"{}\"",
            escape(&action.label)
        ));
        canvas.tooltip(&format!("after {}", action.label));
        canvas.line(
            from.position,
            action.pose.position,
            &format!(
                "stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"{} {}\"",
                palette::ACTION,
                number(2.0 * unit),
                number(2.0 * unit),
                number(3.0 * unit)
            ),
        );
        draw_ghost(canvas, ship, action.pose, palette::ACTION, 1.0);
        canvas.close();
        from = action.pose;
    }
}

/// The outline of a base and its dart.
fn draw_ghost(canvas: &mut Canvas, ship: &Ship, pose: Pose, colour: &str, opacity: f64) {
    let unit = canvas.unit();
    let (half_width, half_length) = (ship.size.base_mm() / 2.0, ship.size.length_mm() / 2.0);
    let dart = half_width.min(half_length);
    canvas.raw(&format!(
        "<g transform=\"{}\" opacity=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\">\
         <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2.5\" fill=\"#fff\" fill-opacity=\"0.35\" \
         stroke-dasharray=\"{} {}\"/>\
         <path d=\"M{} {}L0 {}L{} {}\"/></g>",
        canvas.transform(pose),
        number(opacity),
        number(1.4 * unit),
        number(-half_width),
        number(-half_length),
        number(half_width * 2.0),
        number(half_length * 2.0),
        number(5.0 * unit),
        number(3.0 * unit),
        number(-dart * 0.4),
        number(-dart * 0.15),
        number(-dart * 0.7),
        number(dart * 0.4),
        number(-dart * 0.15),
    ));
}

/// The tally, outlined, and the line to it: from where to where, and how far that is.
pub(super) fn draw_tally(
    canvas: &mut Canvas,
    table: &Table,
    ship: &Ship,
    decided: &Decided<'_>,
) -> Option<(Point, Point, f64)> {
    let unit = canvas.unit();
    let object = Object::find(table, decided.tally.as_deref()?)?;
    let outline = object.outline();
    let (from, to) = nearest_points(&base_corners(ship.size, ship.pose), outline.corners());
    canvas.open(&format!("class=\"tally\" data-id=\"{}\"", escape(object.id())));
    canvas.tooltip(&format!("tally: {}", object.id()));
    canvas.polygon(
        outline.corners(),
        &format!(
            "fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"",
            palette::TALLY,
            number(2.5 * unit)
        ),
    );
    canvas.line(
        from,
        to,
        &format!(
            "stroke=\"{}\" stroke-width=\"{}\" marker-end=\"url(#tally-arrow)\"",
            palette::TALLY,
            number(2.0 * unit)
        ),
    );
    canvas.close();
    Some((from, to, measure::distance(ship.size, ship.pose, &object)))
}

/// The tally line and the labels of what was drawn: above the ships.
pub(super) fn draw_above(
    canvas: &mut Canvas,
    labels: &mut Labels,
    table: &Table,
    decided: &Decided<'_>,
    palette: &Palette,
) {
    let Some(ship) = table.ship(&decided.ship) else { return };
    let tally = draw_tally(canvas, table, ship, decided);
    if let Some((from, to, distance)) = tally.filter(|_| table.rules.show_ranges == ShowRanges::Always) {
        let words = match table.rules.range(distance) {
            Some(range) => format!("{distance:.1} mm, range {range}"),
            None => format!("{distance:.1} mm, beyond range 3"),
        };
        labels.beside_line(from, to, &[Line::head(words, palette::TALLY)]);
    }
    let colour = palette.side(&ship.side);
    if let (Some(maneuver), Some(end)) = (decided.maneuver, decided.end) {
        let flown = Line::head(SpokenIn(ship.edition, maneuver).to_string(), colour);
        labels.around(end.position, ship.size, &[flown]);
    }
    for action in &decided.actions {
        labels.around(
            action.pose.position,
            ship.size,
            &[Line::head(&*action.label, palette::ACTION)],
        );
    }
    for (pose, names) in grouped(&decided.rejected) {
        let reach = ship.size.base_mm() / 2.0 * 0.3;
        labels.around_reach(
            pose.position,
            reach,
            &[Line::small(names.join(", "), palette::REJECTED)],
        );
    }
}

/// Candidates that end on the same spot share a label.
fn grouped(ghosts: &[Ghost]) -> Vec<(Pose, Vec<&str>)> {
    let mut groups: Vec<(Pose, Vec<&str>)> = Vec::new();
    for ghost in ghosts {
        match groups
            .iter_mut()
            .find(|(pose, _)| pose.position.distance(ghost.pose.position) < 3.0)
        {
            Some((_, names)) => names.push(&ghost.label),
            None => groups.push((ghost.pose, vec![&ghost.label])),
        }
    }
    groups
}

/// The two nearest points of two outlines; where they overlap, a pair of corners.
fn nearest_points(a: &[Point], b: &[Point]) -> (Point, Point) {
    let from_corners = |corners: &[Point], border: &[Point]| {
        let mut best = (f64::INFINITY, Point::ZERO, Point::ZERO);
        for &corner in corners {
            for (start, end) in polygon::edges(border) {
                let near = polygon::nearest_on_segment(corner, start, end);
                let distance = corner.distance(near);
                if distance < best.0 {
                    best = (distance, corner, near);
                }
            }
        }
        best
    };
    let (one, other) = (from_corners(a, b), from_corners(b, a));
    match one.0 <= other.0 {
        true => (one.1, one.2),
        false => (other.2, other.1),
    }
}

/// The template's centre line in the ship's frame, as path data; `None` for a maneuver without a template.
fn template_path(size: Size, maneuver: Maneuver) -> Option<String> {
    let path = Path::of(size, maneuver)?;
    let reverse = path.is_reverse();
    // Forward is up, which is the negative y of pictures.
    let ahead = if reverse { 1.0 } else { -1.0 };
    let start = ahead * size.length_mm() / 2.0;
    Some(match path.template() {
        Template::Straight { length } => format!("M0 {}V{}", number(start), number(start + ahead * length)),
        Template::Curve { radius, degrees, side } => {
            let (sin, cos) = angle::sin_cos(degrees);
            let clockwise = (side == Side::Right) != reverse;
            format!(
                "M0 {}A{r} {r} 0 0 {} {} {}",
                number(start),
                u8::from(clockwise),
                number(side.sign() * radius * (1.0 - cos)),
                number(start + ahead * radius * sin),
                r = number(radius)
            )
        }
    })
}
