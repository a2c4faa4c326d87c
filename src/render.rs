//! Tables and decisions for people: as a picture and as plain text.
//!
//! Pictures are SVG, to scale, without scripts, outside fonts or any other outside resource.
//! [`svg`] shows a table and, if there is one, the decision made on it: arcs and ranges of the deciding ship, the line to
//! its tally, the template, the end pose, what was rejected, and the reasons beside it. [`svg_history`] shows how the
//! ships of a game came to where they are. [`report`] is a decision in plain text. Rules are only shown here, never applied.

mod canvas;
mod decision;
mod device;
mod grid;
mod labels;
mod objects;
mod palette;
mod panel;
mod report;
pub mod scene;
mod summary;
mod trail;

use self::{canvas::Canvas, labels::Labels, palette::Palette, panel::Panel};
pub use self::{
    decision::{Decided, Ghost},
    grid::{ground as ground_svg, svg as grid_svg},
    report::{paragraph, report, value, why},
    summary::facts,
    trail::Trail,
};
use crate::xwing::{device::PlacedDevice, table::Table};

/// The side of a square, and the room around the squares, in the pictures of a grid.
pub const GRID: (f64, f64) = (grid::SQUARE, grid::MARGIN);

/// What every picture begins with, and what a file of another kind hardly does.
pub const SVG_START: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"";

/// Draws a table to scale, with the decision made on it if there is one.
///
/// `title` heads the text beside the table; nothing is written where it is empty.
pub fn svg(table: &Table, decided: Option<&Decided<'_>>, title: &str) -> String {
    let palette = Palette::of(table, decided.map(|decided| decided.ship.as_ref()));
    let mut canvas = Canvas::new(table.area);
    let mut labels = Labels::new(table, canvas.unit());
    objects::draw_area(&mut canvas);
    if let Some(decided) = decided {
        decision::draw_beneath(&mut canvas, &mut labels, table, decided);
    }
    objects::draw_obstacles(&mut canvas, &mut labels, table);
    if let Some(decided) = decided {
        decision::draw_moves(&mut canvas, table, decided, &palette);
    }
    objects::draw_markers(&mut canvas, &mut labels, table);
    objects::draw_ships(
        &mut canvas,
        &mut labels,
        table,
        &palette,
        decided.map(|decided| decided.ship.as_ref()),
    );
    if let Some(decided) = decided {
        decision::draw_above(&mut canvas, &mut labels, table, decided, &palette);
    }
    labels.draw(&mut canvas);
    let mut panel = Panel::new(canvas.unit());
    panel.title(title);
    match decided {
        Some(decided) => panel.decision(decided),
        None => panel.fleet(table),
    }
    panel.absent(table);
    panel.legend(table, &palette, decided);
    canvas.finish(title, decided.map_or("", |decided| decided.sentence), panel)
}

/// Draws a table with the devices that lie on it and the tracks that its ships left, oldest pose first, and `lines` of text
/// beside it.
pub fn svg_history(table: &Table, devices: &[PlacedDevice], trails: &[Trail], title: &str, lines: &[String]) -> String {
    let palette = Palette::of(table, None);
    let mut canvas = Canvas::new(table.area);
    let mut labels = Labels::new(table, canvas.unit());
    objects::draw_area(&mut canvas);
    objects::draw_obstacles(&mut canvas, &mut labels, table);
    trail::draw(&mut canvas, table, trails, &palette);
    device::draw(&mut canvas, devices, &palette);
    device::label(&mut labels, devices, canvas.unit());
    objects::draw_markers(&mut canvas, &mut labels, table);
    objects::draw_ships(&mut canvas, &mut labels, table, &palette, None);
    trail::label(&mut labels, table, trails, &palette);
    labels.draw(&mut canvas);
    let mut panel = Panel::new(canvas.unit());
    panel.title(title);
    panel.paragraphs(lines);
    panel.absent(table);
    panel.legend(table, &palette, None);
    canvas.finish(title, "", panel)
}
