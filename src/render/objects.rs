//! What lies on the table: the play area, obstacles, points, ships.

use super::{
    canvas::{Canvas, number},
    labels::{Labels, Line},
    palette::{self, Palette},
};
use crate::{
    geometry::{Point, Pose, polygon},
    xwing::{
        base,
        obstacle::ObstacleKind,
        print::Print,
        ship::{Ship, Status},
        size::Size,
        table::Table,
    },
};

/// The play area with a line every 100 mm and figures along two edges.
pub(super) fn draw_area(canvas: &mut Canvas) {
    let area = canvas.area();
    let unit = canvas.unit();
    canvas.open("class=\"area\"");
    canvas.raw(&format!(
        "<rect width=\"{}\" height=\"{}\" fill=\"#f7f8fa\"/>",
        number(area.width),
        number(area.height)
    ));
    // On a very large table a line every 100 mm would be a hatching.
    let step = if unit > 3.0 { 500.0 } else { 100.0 };
    let thin = format!("stroke=\"#e3e6eb\" stroke-width=\"{}\"", number(0.8 * unit));
    let figure = |x: f64, y: f64, text: f64, anchor: &str| {
        format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"#9aa1ac\" text-anchor=\"{anchor}\">{}</text>",
            number(x),
            number(y),
            number(9.5 * unit),
            number(text)
        )
    };
    let lines = |length: f64| {
        (1..)
            .map(move |index| f64::from(index) * step)
            .take_while(move |at| *at < length)
    };
    for x in lines(area.width) {
        canvas.line(Point::new(x, 0.0), Point::new(x, area.height), &thin);
        canvas.raw(&figure(x, area.height + 12.0 * unit, x, "middle"));
    }
    for y in lines(area.height) {
        canvas.line(Point::new(0.0, y), Point::new(area.width, y), &thin);
        canvas.raw(&figure(-5.0 * unit, area.height - y + 3.5 * unit, y, "end"));
    }
    canvas.raw(&format!(
        "<rect width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#4a5160\" stroke-width=\"{}\"/>",
        number(area.width),
        number(area.height),
        number(2.0 * unit)
    ));
    canvas.close();
}

/// All obstacles, told apart by fill and edge.
pub(super) fn draw_obstacles(canvas: &mut Canvas, labels: &mut Labels, table: &Table) {
    let unit = canvas.unit();
    for obstacle in &table.obstacles {
        let (fill, edge, dash, kind) = obstacle_style(obstacle.kind);
        canvas.open(&format!(
            "class=\"obstacle {}\" data-id=\"{}\"",
            kind.replace(' ', "-"),
            super::canvas::escape(&obstacle.id)
        ));
        canvas.tooltip(&format!("{kind} {}", obstacle.id));
        let dash = match dash {
            true => format!(" stroke-dasharray=\"{} {}\"", number(5.0 * unit), number(3.0 * unit)),
            false => String::new(),
        };
        canvas.polygon(
            &obstacle.outline,
            &format!(
                "fill=\"{fill}\" fill-opacity=\"0.9\" stroke=\"{edge}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dash}",
                number(1.5 * unit)
            ),
        );
        canvas.close();
        let centre = polygon::centroid(&obstacle.outline);
        let name = Line::small(&*obstacle.id, palette::FAINT_INK);
        let reach = obstacle
            .outline
            .iter()
            .map(|corner| corner.distance(centre))
            .fold(0.0, f64::max);
        let beside: Vec<Point> = [(0.0, 0.0), (0.0, -1.0), (0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)]
            .map(|(x, y)| centre + Point::new(x, y) * (reach + 8.0 * unit))
            .into();
        labels.on(&beside, &[name]);
    }
    // Only now, so that their own names may lie on them.
    for obstacle in &table.obstacles {
        labels.keep_free(&obstacle.outline);
    }
}

/// Fill, edge, whether the edge is dashed, and the words for a kind of obstacle.
pub(super) fn obstacle_style(kind: ObstacleKind) -> (&'static str, &'static str, bool, &'static str) {
    match kind {
        ObstacleKind::Asteroid => ("#cfc8c0", "#6d6258", false, "asteroid"),
        ObstacleKind::Debris => ("url(#debris)", "#8d8272", false, "debris field"),
        ObstacleKind::GasCloud => ("#d5ead9", "#4f8a5b", true, "gas cloud"),
    }
}

/// Named points: a cross.
pub(super) fn draw_markers(canvas: &mut Canvas, labels: &mut Labels, table: &Table) {
    let unit = canvas.unit();
    for marker in &table.markers {
        canvas.open(&format!(
            "class=\"point\" data-id=\"{}\"",
            super::canvas::escape(&marker.id)
        ));
        canvas.tooltip(&format!("point {}", marker.id));
        let (x, y) = canvas.at(marker.position);
        canvas.raw(&format!(
            "<path transform=\"translate({} {}) scale({})\" d=\"M-8 0H8M0-8V8M-5-5L5 5M-5 5L5-5\" stroke=\"#8a6d1a\" \
             stroke-width=\"2\" fill=\"none\"/>",
            number(x),
            number(y),
            number(unit)
        ));
        canvas.close();
        labels.around_reach(marker.position, 8.0 * unit, &[Line::head(&*marker.id, "#8a6d1a")]);
    }
}

/// All ships on the table, the deciding one with a stronger edge.
pub(super) fn draw_ships(
    canvas: &mut Canvas,
    labels: &mut Labels,
    table: &Table,
    palette: &Palette,
    deciding: Option<&str>,
) {
    for ship in table.ships_in_play() {
        let colour = palette.side(&ship.side);
        let name = title(ship);
        canvas.open(&format!(
            "class=\"ship\" data-id=\"{}\"",
            super::canvas::escape(&ship.id)
        ));
        canvas.tooltip(&format!("{name} ({})\n{}\n{}", ship.side, facts(ship), locks(ship)));
        let look = match deciding == Some(&*ship.id) {
            true => Look::Deciding,
            false => Look::Present,
        };
        draw_base(canvas, ship.print(), ship.pose, colour, look);
        canvas.close();
        let mut lines = vec![Line::head(name, colour), Line::small(facts(ship), palette::FAINT_INK)];
        let locks = locks(ship);
        if !locks.is_empty() {
            lines.push(Line::small(locks, palette::FAINT_INK));
        }
        labels.around(ship.pose.position, ship.size, &lines);
    }
}

/// What a ship is called on the picture: its id, and its name where it has another one.
pub(super) fn title(ship: &Ship) -> String {
    match ship.name.is_empty() || ship.name == *ship.id {
        true => ship.id.to_string(),
        false => format!("{} {}", ship.id, ship.name),
    }
}

fn facts(ship: &Ship) -> String {
    let mut facts = vec![
        ship.chassis.clone(),
        format!("{}{}", ship.edition.words().order_letters, ship.initiative),
    ];
    let tokens = ship.tokens.named();
    facts.extend(
        tokens
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(token, count)| match count {
                1 => token.to_owned(),
                _ => format!("{count} {token}"),
            }),
    );
    facts.join(" · ")
}

fn locks(ship: &Ship) -> String {
    match ship.locks.is_empty() {
        true => String::new(),
        false => format!("lock on {}", ship.locks.join(", ")),
    }
}

/// How a base is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// A ship on the table.
    Present,
    /// The ship that decides.
    Deciding,
    /// Where a ship will be.
    Planned,
}

/// A base with its printed lines and a dart that points where the ship points.
pub(super) fn draw_base(canvas: &mut Canvas, print: Print, pose: Pose, colour: &str, look: Look) {
    let size = print.size;
    let unit = canvas.unit();
    let (half_width, half_length) = (size.base_mm() / 2.0, size.length_mm() / 2.0);
    let (edge, fill, dart_fill) = match look {
        Look::Present => (1.5, 0.2, 1.0),
        Look::Deciding => (3.0, 0.25, 1.0),
        Look::Planned => (1.8, 0.1, 0.45),
    };
    let dash = match look {
        Look::Planned => format!(" stroke-dasharray=\"{} {}\"", number(6.0 * unit), number(3.0 * unit)),
        Look::Present | Look::Deciding => String::new(),
    };
    canvas.open(&format!("transform=\"{}\"", canvas.transform(pose)));
    for side in [-1.0, 1.0] {
        for end in [-1.0, 1.0] {
            canvas.raw(&format!(
                "<rect x=\"{}\" y=\"{}\" width=\"3.5\" height=\"1.7\" fill=\"{colour}\"/>",
                number(side * 11.8 - 1.75),
                number(end * (half_length + 0.85) - 0.85)
            ));
        }
    }
    canvas.raw(&format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2.5\" fill=\"{colour}\" fill-opacity=\"{fill}\" \
         stroke=\"{colour}\" stroke-width=\"{}\"{dash}/>",
        number(-half_width),
        number(-half_length),
        number(half_width * 2.0),
        number(half_length * 2.0),
        number(edge * unit)
    ));
    // The front arc's printed lines, from the centre to the front edge.
    let (sin, cos) = crate::geometry::angle::sin_cos(print.front_half_angle());
    let spread = half_length * sin / cos;
    canvas.raw(&format!(
        "<path d=\"M{l} {t}L0 0L{r} {t}\" fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"0.6\" stroke-width=\"{}\"/>",
        number(0.9 * unit),
        l = number(-spread.min(half_width)),
        r = number(spread.min(half_width)),
        t = number(-half_length)
    ));
    let dart = half_width.min(half_length);
    canvas.raw(&format!(
        "<path d=\"M0 {}L{} {}L0 {}L{} {}z\" fill=\"{colour}\" fill-opacity=\"{dart_fill}\"/>",
        number(-dart * 0.72),
        number(dart * 0.46),
        number(dart * 0.58),
        number(dart * 0.3),
        number(-dart * 0.46),
        number(dart * 0.58)
    ));
    canvas.close();
}

/// Words for where a ship is that is not on the table.
pub(super) fn status_words(status: Status) -> &'static str {
    match status {
        Status::InPlay => "in play",
        Status::Docked => "docked",
        Status::Reserved => "in reserve",
        Status::Destroyed => "destroyed",
        Status::Removed => "removed",
    }
}

/// The base's outline at a pose, as table points.
pub(super) fn base_corners(size: Size, pose: Pose) -> [Point; 4] {
    base::base(size, pose).corners()
}
