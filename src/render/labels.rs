//! Where texts go: beside what they name, and not over each other.

use super::{
    canvas::{Canvas, escape, number},
    palette,
};
use crate::{
    geometry::{Bounds, Point},
    xwing::{base, size::Size, table::Table},
};

/// Spots right beside what a label names; those after them are farther off.
const NEAREST_SPOTS: usize = 8;

/// A box in picture units.
#[derive(Debug, Clone, Copy)]
struct Rect {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Rect {
    fn around((x, y): (f64, f64), width: f64, height: f64) -> Self {
        Rect {
            left: x - width / 2.0,
            top: y - height / 2.0,
            right: x + width / 2.0,
            bottom: y + height / 2.0,
        }
    }

    fn overlap(&self, other: &Rect) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        if width > 0.0 && height > 0.0 {
            width * height
        } else {
            0.0
        }
    }

    fn area(&self) -> f64 {
        (self.right - self.left) * (self.bottom - self.top)
    }
}

/// One line of a label.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// What it says.
    pub text: String,
    /// Letter height, in picture units on a 3-foot table.
    pub size: f64,
    /// Its colour.
    pub colour: &'static str,
    /// Whether it is bold.
    pub bold: bool,
}

impl Line {
    /// The first line of a label.
    pub(super) fn head(text: impl Into<String>, colour: &'static str) -> Self {
        Line {
            text: text.into(),
            size: 13.0,
            colour,
            bold: true,
        }
    }

    /// A line of smaller letters.
    pub(super) fn small(text: impl Into<String>, colour: &'static str) -> Self {
        Line {
            text: text.into(),
            size: 10.5,
            colour,
            bold: false,
        }
    }
}

/// The labels of a picture and the room that is taken.
#[derive(Debug)]
pub(super) struct Labels {
    unit: f64,
    table: Rect,
    height: f64,
    taken: Vec<Rect>,
    markup: String,
}

impl Labels {
    /// No labels yet; the ships on the table already take their room.
    pub(super) fn new(table: &Table, unit: f64) -> Self {
        let mut labels = Labels {
            unit,
            table: Rect {
                left: 0.0,
                top: 0.0,
                right: table.area.width,
                bottom: table.area.height,
            },
            height: table.area.height,
            taken: Vec::new(),
            markup: String::new(),
        };
        for ship in table.ships_in_play() {
            labels.keep_free(&base::base(ship.size, ship.pose).corners());
        }
        labels
    }

    /// Keeps labels off an area of the table.
    pub(super) fn keep_free(&mut self, corners: &[Point]) {
        let Bounds { low, high } = Bounds::of(corners);
        self.taken.push(Rect {
            left: low.x,
            top: self.height - high.y,
            right: high.x,
            bottom: self.height - low.y,
        });
    }

    /// Keeps labels off a line of the table, roughly.
    pub(super) fn keep_free_along(&mut self, from: Point, to: Point) {
        let steps = (from.distance(to) / (12.0 * self.unit)).clamp(1.0, 200.0) as usize;
        for step in 0..=steps {
            let middle = from + (to - from) * (step as f64 / steps as f64);
            let reach = Point::new(3.0, 3.0) * self.unit;
            self.keep_free(&[middle - reach, middle + reach]);
        }
    }

    /// Puts a label around a base: below, above or beside it, where there is most room.
    pub(super) fn around(&mut self, centre: Point, size: Size, lines: &[Line]) {
        let reach = size.base_mm().max(size.length_mm()) / 2.0;
        self.around_reach(centre, reach * 1.15, lines);
    }

    /// Puts a label around a point, at least `reach` mm away from it.
    pub(super) fn around_reach(&mut self, centre: Point, reach: f64, lines: &[Line]) {
        let (width, height) = self.extent(lines);
        let (x, y) = (centre.x, self.height - centre.y);
        let gap = 4.0 * self.unit;
        let mut spots = Vec::new();
        for ring in [0.0, 14.0, 30.0, 52.0, 80.0] {
            let out = reach + gap + ring * self.unit;
            let (beside, above) = (out + width / 2.0, out + height / 2.0);
            spots.extend([
                (x, y + above),
                (x, y - above),
                (x + beside, y),
                (x - beside, y),
                (x + beside * 0.8, y + above * 0.8),
                (x - beside * 0.8, y + above * 0.8),
                (x + beside * 0.8, y - above * 0.8),
                (x - beside * 0.8, y - above * 0.8),
            ]);
        }
        let Some(chosen) = self.choose(&spots, width, height) else {
            return;
        };
        let spot = spots[chosen];
        // A label that found no room close by is tied to what it names.
        if chosen >= NEAREST_SPOTS {
            let towards = |from: f64, to: f64, half: f64| from + (to - from).clamp(-half, half);
            let colour = lines.first().map_or(palette::FAINT_INK, |line| line.colour);
            self.markup.push_str(&format!(
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\" stroke-opacity=\"0.6\" \
                 stroke-width=\"{}\"/>\n",
                number(towards(spot.0, x, width / 2.0)),
                number(towards(spot.1, y, height / 2.0)),
                number(x),
                number(y),
                number(0.8 * self.unit)
            ));
        }
        self.write(spot, width, height, lines);
    }

    /// Puts a label on one of some points of the table, the first that has room.
    pub(super) fn on(&mut self, points: &[Point], lines: &[Line]) {
        let (width, height) = self.extent(lines);
        let spots: Vec<_> = points.iter().map(|point| (point.x, self.height - point.y)).collect();
        if let Some(chosen) = self.choose(&spots, width, height) {
            self.write(spots[chosen], width, height, lines);
        }
    }

    /// Puts a label beside a line between two points, as near its middle as there is room.
    pub(super) fn beside_line(&mut self, from: Point, to: Point, lines: &[Line]) {
        let (width, height) = self.extent(lines);
        let along = to - from;
        let length = along.length();
        let across = match length > 0.0 {
            true => Point::new(along.y, -along.x) * (1.0 / length),
            false => Point::new(1.0, 0.0),
        };
        // So far that the whole box is on one side of the line.
        let out = (across.x.abs() * width + across.y.abs() * height) / 2.0 + 5.0 * self.unit;
        let points: Vec<Point> = [0.5, 0.6, 0.4, 0.7, 0.3, 0.8, 0.2]
            .iter()
            .flat_map(|share| {
                let on = from + along * *share;
                [on + across * out, on - across * out]
            })
            .collect();
        self.on(&points, lines);
    }

    fn extent(&self, lines: &[Line]) -> (f64, f64) {
        let width = lines
            .iter()
            .map(|line| text_width(&line.text, line.size, line.bold))
            .fold(0.0, f64::max);
        let height: f64 = lines.iter().map(|line| line.size * 1.2).sum();
        (width * self.unit, height * self.unit)
    }

    /// The spot with most room, the first among equals.
    fn choose(&self, spots: &[(f64, f64)], width: f64, height: f64) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (index, spot) in spots.iter().enumerate() {
            let own = Rect::around(*spot, width, height);
            let outside = own.area() - own.overlap(&self.table);
            let covered: f64 = self.taken.iter().map(|taken| own.overlap(taken)).sum();
            let cost = covered + 4.0 * outside;
            if best.is_none_or(|(_, least)| cost < least - 1e-6) {
                best = Some((index, cost));
            }
            // Nothing is cheaper than free.
            if cost <= 0.0 {
                break;
            }
        }
        best.map(|(index, _)| index)
    }

    /// Writes a label around a spot, which is then taken.
    fn write(&mut self, spot: (f64, f64), width: f64, height: f64, lines: &[Line]) {
        let own = Rect::around(spot, width, height);
        self.taken.push(own);
        let mut top = own.top;
        for line in lines {
            let size = line.size * self.unit;
            top += size * 1.2;
            let weight = if line.bold { " font-weight=\"600\"" } else { "" };
            self.markup.push_str(&format!(
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{weight} fill=\"{}\" text-anchor=\"middle\" stroke=\"#fff\" \
                 stroke-width=\"{}\" stroke-opacity=\"0.85\" stroke-linejoin=\"round\" paint-order=\"stroke\">{}</text>\n",
                number(spot.0),
                number(top - size * 0.3),
                number(size),
                line.colour,
                number(3.0 * self.unit),
                escape(&line.text)
            ));
        }
    }

    /// Draws all labels.
    pub(super) fn draw(self, canvas: &mut Canvas) {
        canvas.open(&format!("class=\"labels\" fill=\"{}\"", palette::INK));
        canvas.raw(self.markup.trim_end());
        canvas.close();
    }
}

/// About how wide a text is: enough to place it, whatever font the viewer has.
pub(super) fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|letter| match letter {
            'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.3,
            ' ' | 'f' | 't' | 'r' | '(' | ')' | '/' | '-' => 0.38,
            'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.9,
            'A'..='Z' => 0.68,
            letter if letter > '\u{2e80}' => 1.05,
            _ => 0.6,
        })
        .sum();
    ems * size * if bold { 1.18 } else { 1.04 }
}

/// Breaks a text into lines that are at most so wide.
pub(super) fn wrap(text: &str, size: f64, bold: bool, width: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let mut word = word.to_owned();
        loop {
            let candidate = match line.is_empty() {
                true => word.clone(),
                false => format!("{line} {word}"),
            };
            if text_width(&candidate, size, bold) <= width {
                line = candidate;
                break;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
                continue;
            }
            // A single word that is too wide is cut.
            let mut kept = 0;
            let mut used = 0.0;
            for letter in word.chars() {
                used += text_width(letter.encode_utf8(&mut [0; 4]), size, bold);
                if used > width && kept > 0 {
                    break;
                }
                kept += letter.len_utf8();
            }
            let rest = word.split_off(kept);
            lines.push(std::mem::replace(&mut word, rest));
            if word.is_empty() {
                break;
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_wide_as_allowed_and_lose_nothing() {
        let text = "one two three-and-a-very-long-word-that-does-not-fit-on-any-line four \u{4e2d}\u{6587}";
        let lines = wrap(text, 12.0, false, 100.0);
        assert!(
            lines.iter().all(|line| text_width(line, 12.0, false) <= 100.0),
            "{lines:?}"
        );
        let letters = |text: &str| {
            text.chars()
                .filter(|letter| !letter.is_whitespace())
                .collect::<String>()
        };
        assert_eq!(letters(&lines.concat()), letters(text));
        assert!(wrap("", 12.0, false, 100.0).is_empty());
        // A line narrower than a letter still comes to an end.
        assert_eq!(wrap("abc", 12.0, false, 0.1), ["a", "b", "c"]);
    }

    #[test]
    fn labels_keep_off_what_is_taken_and_off_each_other() {
        let table = Table::new(
            crate::xwing::table::PlayArea::STANDARD,
            Vec::new(),
            Vec::new(),
            Vec::new(),
        );
        let mut labels = Labels::new(&table, 1.0);
        for _ in 0..8 {
            labels.around_reach(Point::new(450.0, 450.0), 10.0, &[Line::head("a label", "#000")]);
        }
        for (index, one) in labels.taken.iter().enumerate() {
            assert!(labels.taken[index + 1..].iter().all(|other| one.overlap(other) == 0.0));
        }
    }
}
