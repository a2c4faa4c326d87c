//! The parts of a picture that is put together elsewhere: the table once, its ships each on a group of its own that can be
//! moved, and what belongs to one moment of a game.

use super::{
    canvas::{Canvas, definitions, escape, number},
    decision::{Decided, arcs_and_ranges, draw_moves, draw_tally},
    device,
    labels::Labels,
    objects::{self, Look, draw_base},
    palette::Palette,
};
use crate::{
    geometry::{Point, Pose},
    xwing::{
        device::PlacedDevice,
        edition::Edition,
        print::Print,
        ship::Ship,
        size::Size,
        table::{PlayArea, Table},
    },
};

/// The id of the group in which ranges and arcs of a base are drawn.
pub fn ranges_id(print: Print) -> String {
    let size = size_word(print.size);
    match print.edition {
        Edition::Second => format!("ranges-{size}"),
        Edition::First => format!("ranges-first-{size}"),
    }
}

const fn size_word(size: Size) -> &'static str {
    match size {
        Size::Small => "small",
        Size::Medium => "medium",
        Size::Large => "large",
        Size::Huge => "huge",
        Size::ShuttleToken => "shuttle token",
    }
}

/// The pose at which [`Canvas::transform`] does nothing.
fn origin(area: PlayArea) -> Pose {
    Pose {
        position: Point::new(0.0, area.height),
        heading: 0.0,
    }
}

/// The transform that puts a ship's group at a pose.
pub fn place(area: PlayArea, pose: Pose) -> String {
    Canvas::new(area).transform(pose)
}

/// A table with its obstacles and points as one SVG. Each of `ships` is a group `ship-N` at the origin, N its place in the
/// list, hidden until somebody shows it; `below` and `above` are empty groups under and over the ships, for [`moment`];
/// ranges and arcs of each kind of base wait under [`ranges_id`].
pub fn board(table: &Table, ships: &[Ship]) -> String {
    let area = table.area;
    let mut canvas = Canvas::new(area);
    let unit = canvas.unit();
    let mut labels = Labels::new(table, unit);
    objects::draw_area(&mut canvas);
    objects::draw_obstacles(&mut canvas, &mut labels, table);
    objects::draw_markers(&mut canvas, &mut labels, table);
    labels.draw(&mut canvas);
    canvas.raw("<g id=\"below\"></g>");
    let palette = Palette::of_ships(ships, None);
    for (index, ship) in ships.iter().enumerate() {
        let colour = palette.side(&ship.side);
        canvas.open(&format!("id=\"ship-{index}\" class=\"ship\" display=\"none\""));
        canvas.tooltip(&format!("{} ({}, {})", objects::title(ship), ship.chassis, ship.side));
        draw_base(&mut canvas, ship.print(), origin(area), colour, Look::Present);
        canvas.close();
    }
    canvas.raw("<g id=\"above\"></g><g id=\"names\"></g>");
    let margin = 30.0 * unit;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {} {}\" role=\"img\" font-family=\"sans-serif\">\n{}<defs>\n",
        number(-margin),
        number(-margin / 2.0),
        number(area.width + 1.5 * margin),
        number(area.height + 1.5 * margin),
        definitions(area, unit),
    );
    let mut prints: Vec<Print> = ships.iter().map(Ship::print).collect();
    prints.sort_by_key(|print| (print.edition, print.size));
    prints.dedup();
    for print in prints {
        let id = ranges_id(print);
        let clip = format!("clip-{id}");
        out.push_str(&format!(
            "<g id=\"{id}\">{}</g>\n",
            arcs_and_ranges(print, unit, &clip, true)
        ));
    }
    out.push_str("</defs>\n");
    out.push_str(&canvas.into_body());
    out.push_str("</svg>\n");
    out
}

/// The colour of each side of these ships, as [`board`] draws them.
pub fn colours(ships: &[Ship]) -> Vec<(String, &'static str)> {
    let palette = Palette::of_ships(ships, None);
    palette
        .sides()
        .map(|(side, colour)| (side.to_owned(), colour))
        .collect()
}

/// What a decision adds to a [`board`]: under the ships, with ranges and arcs of the ship that decides, and over them.
pub fn moment(table: &Table, ships: &[Ship], decided: &Decided<'_>) -> (String, String) {
    let Some(ship) = table.ship(&decided.ship) else {
        return (String::new(), String::new());
    };
    let palette = Palette::of_ships(ships, None);
    let mut below = Canvas::new(table.area);
    below.raw(&format!(
        "<g clip-path=\"url(#area)\"><use href=\"#{}\" transform=\"{}\"/></g>",
        escape(&ranges_id(ship.print())),
        below.transform(ship.pose)
    ));
    draw_moves(&mut below, table, decided, &palette);
    let mut above = Canvas::new(table.area);
    draw_tally(&mut above, table, ship, decided);
    (below.into_body(), above.into_body())
}

/// What devices that lie on the table add to a [`board`], under the ships.
pub fn devices(area: PlayArea, ships: &[Ship], devices: &[PlacedDevice]) -> String {
    let mut below = Canvas::new(area);
    device::draw(&mut below, devices, &Palette::of_ships(ships, None));
    below.into_body()
}
