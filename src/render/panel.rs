//! The text beside the table: what was decided, why, and what the colours mean.

use std::fmt::Write as _;

use super::{
    canvas::{escape, number},
    decision::Decided,
    labels::wrap,
    objects::{obstacle_style, status_words, title},
    palette::{self, Palette},
    report::value,
};
use crate::xwing::{obstacle::ObstacleKind, table::Table};

/// Width of the panel on a 3-foot table.
const WIDTH: f64 = 430.0;
/// Width of the column of rule ids.
const RULE_WIDTH: f64 = 74.0;
/// Most reasons that are written out; the text output has them all.
const MAX_REASONS: usize = 24;
/// Most candidates that are written out for one reason.
const MAX_COMPARED: usize = 6;

/// Text that grows downwards.
#[derive(Debug)]
pub(super) struct Panel {
    unit: f64,
    /// Height so far, on a 3-foot table.
    height: f64,
    markup: String,
}

impl Panel {
    /// An empty panel.
    pub(super) fn new(unit: f64) -> Self {
        Panel {
            unit,
            height: 0.0,
            markup: String::new(),
        }
    }

    /// Width and height in picture units.
    pub(super) fn size(&self) -> (f64, f64) {
        (WIDTH * self.unit, self.height * self.unit)
    }

    /// The finished markup.
    pub(super) fn into_markup(self) -> String {
        let mut markup = format!("<g transform=\"scale({})\">\n", number(self.unit));
        markup.push_str(&self.markup);
        markup.push_str("</g>\n");
        markup
    }

    /// The heading.
    pub(super) fn title(&mut self, title: &str) {
        if !title.is_empty() {
            self.text(0.0, WIDTH, title, 20.0, true, palette::INK);
            self.height += 6.0;
        }
    }

    /// Plain paragraphs.
    pub(super) fn paragraphs(&mut self, paragraphs: &[String]) {
        for paragraph in paragraphs {
            self.text(0.0, WIDTH, paragraph, 12.5, false, palette::INK);
            self.height += 3.0;
        }
        self.height += 8.0;
    }

    /// The sentence, the main points and the reasons.
    pub(super) fn decision(&mut self, decided: &Decided<'_>) {
        self.text(0.0, WIDTH, decided.sentence, 15.0, true, palette::INK);
        self.height += 8.0;
        for (name, value) in &decided.facts {
            self.row(name, value, 12.5, false, palette::FAINT_INK);
        }
        self.height += 10.0;
        self.heading("Why");
        for reason in decided.reasons.iter().take(MAX_REASONS) {
            self.row(&reason.rule, &reason.text, 11.5, true, palette::RANGE);
            for compared in reason.compared.iter().take(MAX_COMPARED) {
                let value = value(compared);
                let line = [compared.candidate.as_str(), value.as_str(), compared.verdict.as_str()]
                    .into_iter()
                    .filter(|part| !part.is_empty())
                    .collect::<Vec<_>>()
                    .join(" · ");
                self.text(
                    RULE_WIDTH + 10.0,
                    WIDTH - RULE_WIDTH - 10.0,
                    &line,
                    10.5,
                    false,
                    palette::FAINT_INK,
                );
            }
            match reason.compared.len().checked_sub(MAX_COMPARED) {
                None | Some(0) => {}
                Some(more) => {
                    let line = format!("and {more} more");
                    self.text(
                        RULE_WIDTH + 10.0,
                        WIDTH - RULE_WIDTH - 10.0,
                        &line,
                        10.5,
                        false,
                        palette::FAINT_INK,
                    );
                }
            }
            self.height += 3.0;
        }
        if let Some(more) = decided.reasons.len().checked_sub(MAX_REASONS).filter(|more| *more > 0) {
            self.text(
                RULE_WIDTH,
                WIDTH - RULE_WIDTH,
                &format!("and {more} more"),
                11.5,
                false,
                palette::FAINT_INK,
            );
        }
        self.height += 10.0;
    }

    /// The ships, where there is no decision to speak of.
    pub(super) fn fleet(&mut self, table: &Table) {
        self.heading("Ships");
        for ship in table.ships_in_play() {
            let words = {
                let value = ship.edition.order_value();
                format!("{}, {}, {value} {}", ship.chassis, ship.side, ship.initiative)
            };
            self.row(&title(ship), &words, 12.0, false, palette::FAINT_INK);
        }
        self.height += 10.0;
    }

    /// Ships that are not on the table.
    pub(super) fn absent(&mut self, table: &Table) {
        let absent: Vec<String> = (table.ships.iter().filter(|ship| !ship.in_play()))
            .map(|ship| format!("{} ({})", title(ship), status_words(ship.status)))
            .collect();
        if !absent.is_empty() {
            self.text(
                0.0,
                WIDTH,
                &format!("Not on the table: {}", absent.join(", ")),
                11.5,
                false,
                palette::FAINT_INK,
            );
            self.height += 10.0;
        }
    }

    /// What the colours and lines mean: only what is on this picture.
    pub(super) fn legend(&mut self, table: &Table, palette: &Palette, decided: Option<&Decided<'_>>) {
        self.heading("Legend");
        let mut entries: Vec<(String, String)> = Vec::new();
        for (side, colour) in palette.sides() {
            entries.push((
                swatch(&format!("fill=\"{colour}\" fill-opacity=\"0.3\" stroke=\"{colour}\"")),
                format!("side {side}"),
            ));
        }
        for kind in [ObstacleKind::Asteroid, ObstacleKind::Debris, ObstacleKind::GasCloud] {
            if table.obstacles.iter().any(|obstacle| obstacle.kind == kind) {
                let (fill, edge, _, words) = obstacle_style(kind);
                entries.push((swatch(&format!("fill=\"{fill}\" stroke=\"{edge}\"")), words.to_owned()));
            }
        }
        if let Some(decided) = decided {
            if let Some(maneuver) = decided.maneuver {
                let (fill, edge) = palette::difficulty(maneuver.difficulty);
                let colour = table.rules.edition.words().color(maneuver.difficulty);
                entries.push((
                    swatch(&format!("fill=\"{fill}\" stroke=\"{edge}\"")),
                    format!("template, {colour}"),
                ));
            }
            if decided.tally.is_some() {
                let line = format!(
                    "<path d=\"M0 -4H22\" stroke=\"{}\" stroke-width=\"2.5\"/>",
                    palette::TALLY
                );
                entries.push((line, "to the tally".to_owned()));
            }
            let arc = format!("fill=\"{0}\" fill-opacity=\"0.2\" stroke=\"{0}\"", palette::RANGE);
            entries.push((swatch(&arc), "front arc, bullseye".to_owned()));
            if !decided.actions.is_empty() {
                let dashed = format!("fill=\"none\" stroke=\"{}\" stroke-dasharray=\"4 2\"", palette::ACTION);
                entries.push((swatch(&dashed), "after its action".to_owned()));
            }
            if !decided.rejected.is_empty() {
                let dashed = format!(
                    "fill=\"none\" stroke=\"{}\" stroke-dasharray=\"4 2\"",
                    palette::REJECTED
                );
                entries.push((swatch(&dashed), "looked at and left".to_owned()));
            }
        }
        for (index, (symbol, words)) in entries.iter().enumerate() {
            let column = (index % 2) as f64 * WIDTH / 2.0;
            if index % 2 == 0 {
                self.height += 19.0;
            }
            let _ = writeln!(
                self.markup,
                "<g transform=\"translate({} {})\">{symbol}<text x=\"30\" font-size=\"11.5\" fill=\"{}\">{}</text></g>",
                number(column),
                number(self.height),
                palette::INK,
                escape(words)
            );
        }
        self.height += 8.0;
    }

    fn heading(&mut self, words: &str) {
        self.text(0.0, WIDTH, words, 11.0, true, palette::FAINT_INK);
        let _ = writeln!(
            self.markup,
            "<path d=\"M0 {y}H{WIDTH}\" stroke=\"#d5d9e0\" stroke-width=\"1\"/>",
            y = number(self.height + 4.0)
        );
        self.height += 8.0;
    }

    /// A short word on the left, a text on the right of it.
    fn row(&mut self, left: &str, right: &str, size: f64, bold: bool, colour: &'static str) {
        let top = self.height;
        for (index, line) in wrap(left, size, bold, RULE_WIDTH - 6.0).iter().enumerate() {
            self.line(0.0, top + size * 1.35 * (index + 1) as f64, line, size, bold, colour);
        }
        let left_bottom = top + size * 1.35 * wrap(left, size, bold, RULE_WIDTH - 6.0).len() as f64;
        self.text(RULE_WIDTH, WIDTH - RULE_WIDTH, right, size, false, palette::INK);
        self.height = self.height.max(left_bottom);
    }

    /// A wrapped text.
    fn text(&mut self, left: f64, width: f64, text: &str, size: f64, bold: bool, colour: &'static str) {
        for line in wrap(text, size, bold, width) {
            self.height += size * 1.35;
            self.line(left, self.height, &line, size, bold, colour);
        }
    }

    fn line(&mut self, x: f64, y: f64, text: &str, size: f64, bold: bool, colour: &'static str) {
        let weight = if bold { " font-weight=\"600\"" } else { "" };
        let _ = writeln!(
            self.markup,
            "<text x=\"{}\" y=\"{}\" font-size=\"{size}\"{weight} fill=\"{colour}\">{}</text>",
            number(x),
            number(y),
            escape(text)
        );
    }
}

fn swatch(attributes: &str) -> String {
    format!("<rect y=\"-10\" width=\"22\" height=\"12\" rx=\"2\" {attributes}/>")
}
