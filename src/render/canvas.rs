//! The sheet: millimetres of the table become units of the picture, north stays up.

use std::fmt::Write as _;

use super::{SVG_START, panel::Panel};
use crate::{
    geometry::{Point, Pose},
    xwing::table::PlayArea,
};

/// Fonts that every system has something for.
const FONTS: &str = "'Segoe UI','Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif";

/// A picture in the making.
#[derive(Debug)]
pub(super) struct Canvas {
    area: PlayArea,
    body: String,
}

impl Canvas {
    /// An empty picture of a play area.
    pub(super) fn new(area: PlayArea) -> Self {
        Canvas {
            area,
            body: String::new(),
        }
    }

    /// The play area.
    pub(super) fn area(&self) -> PlayArea {
        self.area
    }

    /// How much larger than on a 3-foot table letters and lines are drawn, so that they stay readable on a bigger one.
    pub(super) fn unit(&self) -> f64 {
        (self.area.width.max(self.area.height) / PlayArea::STANDARD.width).max(0.25)
    }

    /// A point of the table in picture units.
    pub(super) fn at(&self, point: Point) -> (f64, f64) {
        (point.x, self.area.height - point.y)
    }

    /// The markup so far.
    pub(super) fn into_body(self) -> String {
        self.body
    }

    /// Adds finished markup.
    pub(super) fn raw(&mut self, markup: &str) {
        self.body.push_str(markup);
        self.body.push('\n');
    }

    /// Opens a group; `attributes` are finished markup.
    pub(super) fn open(&mut self, attributes: &str) {
        let _ = writeln!(self.body, "<g {attributes}>");
    }

    /// Closes the last group.
    pub(super) fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// The text that a viewer shows when the pointer rests on the group.
    pub(super) fn tooltip(&mut self, text: &str) {
        let _ = writeln!(self.body, "<title>{}</title>", escape(text));
    }

    /// A closed polygon through table points.
    pub(super) fn polygon(&mut self, corners: &[Point], attributes: &str) {
        let points: Vec<String> = corners
            .iter()
            .map(|&corner| {
                let (x, y) = self.at(corner);
                format!("{},{}", number(x), number(y))
            })
            .collect();
        let _ = writeln!(self.body, "<polygon points=\"{}\" {attributes}/>", points.join(" "));
    }

    /// A line between table points.
    pub(super) fn line(&mut self, from: Point, to: Point, attributes: &str) {
        let ((x1, y1), (x2, y2)) = (self.at(from), self.at(to));
        let _ = writeln!(
            self.body,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {attributes}/>",
            number(x1),
            number(y1),
            number(x2),
            number(y2)
        );
    }

    /// A line through table points.
    pub(super) fn polyline(&mut self, points: &[Point], attributes: &str) {
        let points: Vec<String> = points
            .iter()
            .map(|&point| {
                let (x, y) = self.at(point);
                format!("{},{}", number(x), number(y))
            })
            .collect();
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" {attributes}/>",
            points.join(" ")
        );
    }

    /// The transform that puts a drawing of the ship's frame (x to the right, y backwards, since the picture's y grows
    /// downwards) at a pose.
    pub(super) fn transform(&self, pose: Pose) -> String {
        let (x, y) = self.at(pose.position);
        format!(
            "translate({} {}) rotate({})",
            number(x),
            number(y),
            number(pose.heading)
        )
    }

    /// The whole picture: the table on the left, the panel on the right.
    pub(super) fn finish(self, title: &str, description: &str, panel: Panel) -> String {
        let unit = self.unit();
        let margin = 28.0 * unit;
        let PlayArea { width, height } = self.area;
        let (panel_width, panel_height) = panel.size();
        let total_width = width + panel_width + 3.0 * margin;
        let total_height = height.max(panel_height) + 2.0 * margin;
        let title = if title.is_empty() { "Table" } else { title };
        let mut out = String::with_capacity(self.body.len() + 4096);
        let _ = writeln!(
            out,
            "{SVG_START}0 0 {w} {h}\" width=\"{pw}\" height=\"{ph}\" \
             role=\"img\" font-family=\"{FONTS}\">",
            w = number(total_width),
            h = number(total_height),
            pw = number(total_width / unit),
            ph = number(total_height / unit),
        );
        let _ = writeln!(out, "<title>{}</title>", escape(title));
        if !description.is_empty() {
            let _ = writeln!(out, "<desc>{}</desc>", escape(description));
        }
        out.push_str(&definitions(self.area, unit));
        let _ = writeln!(
            out,
            "<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>",
            number(total_width),
            number(total_height)
        );
        let _ = writeln!(out, "<g transform=\"translate({m} {m})\">", m = number(margin));
        out.push_str(&self.body);
        out.push_str("</g>\n");
        let _ = writeln!(
            out,
            "<g class=\"panel\" transform=\"translate({} {})\">",
            number(width + 2.0 * margin),
            number(margin)
        );
        out.push_str(&panel.into_markup());
        out.push_str("</g>\n</svg>\n");
        out
    }
}

/// Patterns, arrow heads and clips that the drawings use.
pub(super) fn definitions(area: PlayArea, unit: f64) -> String {
    let arrow = |id: &str, colour: &str| {
        format!(
            "<marker id=\"{id}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto-start-reverse\"><path d=\"M0 1L9 5L0 9z\" fill=\"{colour}\"/></marker>"
        )
    };
    format!(
        "<defs>\n\
         <clipPath id=\"area\"><rect width=\"{w}\" height=\"{h}\"/></clipPath>\n\
         <pattern id=\"debris\" width=\"{p}\" height=\"{p}\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><rect width=\"{p}\" height=\"{p}\" fill=\"#e4e0da\"/>\
         <rect width=\"{s}\" height=\"{p}\" fill=\"#b5ada0\"/></pattern>\n\
         {arrow}\n</defs>\n",
        w = number(area.width),
        h = number(area.height),
        p = number(7.0 * unit),
        s = number(2.5 * unit),
        arrow = arrow("tally-arrow", super::palette::TALLY),
    )
}

/// A number as markup: at most two decimals, never anything that is not a number.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text as markup: escaped, and without what XML does not allow at all.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => {}
            control if control.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}
