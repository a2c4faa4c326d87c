//! A map of Star Wars Miniatures as a picture, with the turn of a figure on it: its way, the lines to its target.

use std::fmt::Write as _;

use super::canvas::{escape, number};
use crate::swm::{
    board::Board,
    figure::{Figure, Side},
    map::{Place, Terrain},
    opponent::{Step, Turn},
    square::{Square, column_letters},
};

/// A square's side in units of the picture.
const SQUARE: f64 = 40.0;
/// Room for the letters and numbers of the squares.
const MARGIN: f64 = 30.0;

fn corner(square: Square) -> (f64, f64) {
    (
        MARGIN + SQUARE * f64::from(square.column),
        MARGIN + SQUARE * f64::from(square.row),
    )
}

/// The middle of the space that a figure takes up with its north-western square there.
fn middle(at: Square, size: u8) -> (f64, f64) {
    let (x, y) = corner(at);
    let half = SQUARE * f64::from(size) / 2.0;
    (x + half, y + half)
}

/// Draws a map to scale with its figures; with a turn also where its figure goes and whom it attacks from where.
pub fn svg(board: &Board, turn: Option<&Turn>, title: &str) -> String {
    let map = board.map();
    let width = 2.0 * MARGIN + SQUARE * f64::from(map.width());
    let text = turn
        .map(|turn| lines(&turn.sentence, (width / 8.0) as usize))
        .unwrap_or_default();
    let height = 2.0 * MARGIN + SQUARE * f64::from(map.height()) + 22.0 * text.len() as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
         font-family=\"'Segoe UI','Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif\">\n<title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        w = number(width),
        h = number(height),
        title = escape(title),
    );
    squares(&mut out, board);
    walls(&mut out, board);
    if let Some(turn) = turn {
        draw_turn(&mut out, board, turn);
    }
    for figure in board.figures().iter().filter(|figure| figure.in_play()) {
        draw_figure(&mut out, figure, turn.is_some_and(|turn| turn.figure == figure.id));
    }
    for (index, line) in text.iter().enumerate() {
        let y = 2.0 * MARGIN + SQUARE * f64::from(map.height()) + 22.0 * index as f64;
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"15\" fill=\"#1f2430\">{}</text>",
            number(MARGIN),
            number(y),
            escape(line)
        );
    }
    out.push_str("</svg>\n");
    out
}

fn lines(text: &str, width: usize) -> Vec<String> {
    textwrap::wrap(text, width.max(20))
        .into_iter()
        .map(|line| line.into_owned())
        .collect()
}

fn squares(out: &mut String, board: &Board) {
    let map = board.map();
    for square in map.squares() {
        let (x, y) = corner(square);
        let fill = match map.terrain(square) {
            Terrain::Floor => "#f7f5ef",
            Terrain::LowObjects => "#bcd9a8",
            Terrain::Difficult => "#f0dd9a",
            Terrain::Pit => "#e0a26a",
            Terrain::Wall => "#5c4a5a",
        };
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\" stroke=\"#c9c4b8\"><title>{square}</title></rect>",
            number(x),
            number(y)
        );
    }
    let mut label = |x: f64, y: f64, text: String| {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"13\" text-anchor=\"middle\" fill=\"#5c6370\">{text}</text>",
            number(x),
            number(y)
        );
    };
    for column in 0..map.width() {
        let (x, _) = middle(Square::new(column, 0), 1);
        label(x, MARGIN - 9.0, column_letters(column));
    }
    for row in 0..map.height() {
        let (_, y) = middle(Square::new(0, row), 1);
        label(MARGIN / 2.0, y + 4.0, (u16::from(row) + 1).to_string());
    }
}

fn walls(out: &mut String, board: &Board) {
    let map = board.map();
    let mut edge = |place: Place, colour: &str, dashes: &str| {
        let (from, to) = match place {
            Place::East(square) => {
                let (x, y) = corner(square);
                ((x + SQUARE, y), (x + SQUARE, y + SQUARE))
            }
            Place::South(square) => {
                let (x, y) = corner(square);
                ((x, y + SQUARE), (x + SQUARE, y + SQUARE))
            }
            Place::Square(square) => {
                let (x, y) = corner(square);
                let _ = writeln!(
                    out,
                    "<rect x=\"{}\" y=\"{}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"none\" stroke=\"{colour}\" \
                     stroke-width=\"5\"{dashes}/>",
                    number(x),
                    number(y)
                );
                return;
            }
        };
        let _ = writeln!(
            out,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\" stroke-width=\"5\"{dashes}/>",
            number(from.0),
            number(from.1),
            number(to.0),
            number(to.1)
        );
    };
    let is_door = |place: Place| map.doors().iter().any(|door| door.place == place);
    for square in map.squares() {
        for (place, shut) in [
            (Place::East(square), map.is_east_shut(square)),
            (Place::South(square), map.is_south_shut(square)),
        ] {
            if shut && !is_door(place) {
                edge(place, "#5c4a5a", "");
            }
        }
    }
    for door in map.doors() {
        edge(
            door.place,
            "#4aa3c7",
            if door.open { " stroke-dasharray=\"6 8\"" } else { "" },
        );
    }
}

fn draw_turn(out: &mut String, board: &Board, turn: &Turn) {
    let Some(figure) = board.figure(&turn.figure) else {
        return;
    };
    let size = figure.card.size;
    let mut at = figure.at;
    for step in &turn.steps {
        match step {
            Step::Move { way, .. } => {
                let mut points = vec![middle(at, size)];
                points.extend(way.iter().map(|square| middle(*square, size)));
                let points: Vec<String> = points
                    .iter()
                    .map(|(x, y)| format!("{},{}", number(*x), number(*y)))
                    .collect();
                let _ = writeln!(
                    out,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"#00796b\" stroke-width=\"4\" stroke-linejoin=\"round\"/>",
                    points.join(" ")
                );
                at = way.last().copied().unwrap_or(at);
                let (x, y) = middle(at, size);
                let _ = writeln!(
                    out,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"#00796b\" stroke-width=\"3\" stroke-dasharray=\"5 4\"/>",
                    number(x),
                    number(y),
                    number(SQUARE * f64::from(size) * 0.42)
                );
            }
            Step::Attack { target, .. } | Step::Area { target, .. } => {
                let Some(target) = board.figure(target) else { continue };
                let ((x1, y1), (x2, y2)) = (middle(at, size), middle(target.at, target.card.size));
                let _ = writeln!(
                    out,
                    "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#b3261e\" stroke-width=\"2.5\" stroke-dasharray=\"8 5\"/>",
                    number(x1),
                    number(y1),
                    number(x2),
                    number(y2)
                );
            }
        }
    }
}

fn draw_figure(out: &mut String, figure: &Figure, active: bool) {
    let (x, y) = middle(figure.at, figure.card.size);
    let radius = SQUARE * f64::from(figure.card.size) * 0.38;
    let colour = match figure.side {
        Side::Automated => "#b04a1f",
        Side::Player => "#1f5fa8",
    };
    let ring = if active {
        " stroke=\"#1f2430\" stroke-width=\"3\""
    } else {
        ""
    };
    let faded = if figure.activated { " fill-opacity=\"0.55\"" } else { "" };
    let _ = writeln!(
        out,
        "<g><title>{}: {} of {} hit points</title><circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{colour}\"{ring}{faded}/>\
         <text x=\"{x}\" y=\"{}\" font-size=\"16\" font-weight=\"600\" text-anchor=\"middle\" fill=\"#ffffff\">{}</text>\
         <text x=\"{x}\" y=\"{}\" font-size=\"9\" text-anchor=\"middle\" fill=\"#ffffff\">{}</text></g>",
        escape(&figure.called()),
        figure.hit_points,
        figure.card.hit_points,
        number(radius),
        number(y + 3.0),
        escape(&figure.id),
        number(y + 12.0),
        figure.hit_points,
        x = number(x),
        y = number(y),
    );
}
