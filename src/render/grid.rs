//! A map of Star Wars Miniatures as a picture, with the turn of a figure on it: its way, the squares that it considered, its
//! lines of sight, and whom it attacks.

use std::{collections::BTreeSet, fmt::Write as _};

use super::{
    SVG_START,
    canvas::{escape, number},
};
use crate::swm::{
    board::Board,
    figure::{Figure, Side},
    map::{Map, Place, Terrain},
    opponent::{Step, Turn},
    options::Options,
    square::{Base, Space, Square, column_letters},
    targets,
};

/// A square's side in units of the picture.
pub const SQUARE: f64 = 40.0;
/// Room for the letters and numbers of the squares.
pub const MARGIN: f64 = 30.0;

fn corner(square: Square) -> (f64, f64) {
    (
        MARGIN + SQUARE * f64::from(square.column),
        MARGIN + SQUARE * f64::from(square.row),
    )
}

/// The middle of the space that a figure takes up with its north-western square there.
fn middle(at: Square, base: Base) -> (f64, f64) {
    let (x, y) = corner(at);
    (
        x + SQUARE * f64::from(base.wide) / 2.0,
        y + SQUARE * f64::from(base.high) / 2.0,
    )
}

/// What the colours of a turn mean, under the picture.
const LEGEND: &str = "Green: its way. Shaded: squares that it considered. Red: its attack. Blue: lines of sight to enemies that it may \
                      attack from there; grey: to those that it may not.";

/// Draws a map to scale with its figures; with a turn also where its figure goes, the squares that it considered, whom it sees
/// from where it attacks or ends, and whom it attacks.
pub fn svg(board: &Board, turn: Option<&Turn>, options: &Options, title: &str) -> String {
    let map = board.map();
    let width = 2.0 * MARGIN + SQUARE * f64::from(map.width());
    let text = turn
        .map(|turn| {
            let width = (width / 8.8) as usize;
            let mut text = lines(&format!("{} ({})", turn.sentence, turn.rule), width);
            text.extend(lines(LEGEND, width));
            text
        })
        .unwrap_or_default();
    let height = 2.0 * MARGIN + SQUARE * f64::from(map.height()) + 22.0 * text.len() as f64;
    let mut out = format!(
        "{SVG_START}0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
         font-family=\"'Segoe UI','Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif\">\n<title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        w = number(width),
        h = number(height),
        title = escape(title),
    );
    squares(&mut out, board.map());
    if let Some(turn) = turn {
        draw_considered(&mut out, turn);
    }
    walls(&mut out, board.map(), true);
    if let Some(turn) = turn {
        draw_sight(&mut out, board, turn, options);
        draw_turn(&mut out, board, turn);
    }
    for token in board.tokens() {
        let (x, y) = middle(token.at, Base::ONE);
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"22\" font-weight=\"700\" text-anchor=\"middle\" fill=\"#8a5a00\">?</text>",
            number(x),
            number(y + 8.0)
        );
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

/// The squares, walls and terrain of a map alone, without doors and figures: for what draws those itself.
pub fn ground(map: &Map) -> String {
    let size = |squares: u8| number(2.0 * MARGIN + SQUARE * f64::from(squares));
    let (width, height) = (size(map.width()), size(map.height()));
    let mut out = format!("{SVG_START}0 0 {width} {height}\">\n");
    squares(&mut out, map);
    walls(&mut out, map, false);
    out.push_str("</svg>\n");
    out
}

fn lines(text: &str, width: usize) -> Vec<String> {
    textwrap::wrap(text, width.max(20))
        .into_iter()
        .map(|line| line.into_owned())
        .collect()
}

fn squares(out: &mut String, map: &Map) {
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
        let (x, _) = middle(Square::new(column, 0), Base::ONE);
        label(x, MARGIN - 9.0, column_letters(column));
    }
    for row in 0..map.height() {
        let (_, y) = middle(Square::new(0, row), Base::ONE);
        label(MARGIN / 2.0, y + 4.0, (u16::from(row) + 1).to_string());
    }
}

/// Walls between squares, and doors where they are wanted.
fn walls(out: &mut String, map: &Map, doors: bool) {
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
    for door in map.doors().iter().filter(|_| doors) {
        edge(
            door.place,
            "#4aa3c7",
            if door.open { " stroke-dasharray=\"6 8\"" } else { "" },
        );
    }
}

/// Squares that the reasons of a turn compare: `C4`, or `C4, then E5` of Mobile Attack.
fn draw_considered(out: &mut String, turn: &Turn) {
    let compared = turn.reasons.iter().flat_map(|reason| &reason.compared);
    let squares: BTreeSet<Square> = compared
        .filter_map(|one| one.candidate.rsplit(' ').next()?.parse().ok())
        .collect();
    for square in squares {
        let (x, y) = corner(square);
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#00796b\" fill-opacity=\"0.22\"/>",
            number(x + 2.0),
            number(y + 2.0),
            number(SQUARE - 4.0),
            number(SQUARE - 4.0)
        );
    }
}

/// Whether a line touches no wall, in squares.
fn is_clear(map: &Map, from: (f64, f64), to: (f64, f64)) -> bool {
    let meets = |low: (f64, f64), high: (f64, f64)| {
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (start, by, low, high) in [
            (from.0, to.0 - from.0, low.0, high.0),
            (from.1, to.1 - from.1, low.1, high.1),
        ] {
            if by == 0.0 {
                if start < low || start > high {
                    return false;
                }
                continue;
            }
            let (a, b) = ((low - start) / by, (high - start) / by);
            (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
        }
        first <= last
    };
    map.squares().all(|square| {
        let (west, north) = (f64::from(square.column), f64::from(square.row));
        let (east, south) = (west + 1.0, north + 1.0);
        let wall = map.is_shut(square) && meets((west, north), (east, south))
            || map.is_east_shut(square) && meets((east, north), (east, south))
            || map.is_south_shut(square) && meets((west, south), (east, south));
        !wall
    })
}

/// A line between two spaces that touches no wall, in units of the picture: between their middles where that is one. Only for
/// the eye: whether there is one is said by the rules.
fn line_of_sight(map: &Map, from: Space, to: Space) -> ((f64, f64), (f64, f64)) {
    let points = |space: Space| {
        let (wide, high) = (f64::from(space.base.wide), f64::from(space.base.high));
        let (west, north) = (f64::from(space.at.column), f64::from(space.at.row));
        const SHARES: [f64; 5] = [0.5, 0.25, 0.75, 0.06, 0.94];
        SHARES
            .into_iter()
            .flat_map(move |x| SHARES.map(|y| (west + wide * x, north + high * y)))
    };
    let mut clear = points(from).flat_map(|a| points(to).map(move |b| (a, b)));
    let (a, b) = clear.find(|(a, b)| is_clear(map, *a, *b)).unwrap_or_else(|| {
        let middle = |space| points(space).next().unwrap_or_default();
        (middle(from), middle(to))
    });
    let drawn = |(x, y): (f64, f64)| (MARGIN + SQUARE * x, MARGIN + SQUARE * y);
    (drawn(a), drawn(b))
}

/// Whom it sees from where it attacks, or from where it ends.
fn draw_sight(out: &mut String, board: &Board, turn: &Turn, options: &Options) {
    let Some(figure) = board.figure(&turn.figure) else {
        return;
    };
    let space = figure.space_at(turn.fire.unwrap_or(turn.end));
    for enemy in targets::sighted(board, figure, space, options) {
        let ((x1, y1), (x2, y2)) = line_of_sight(board.map(), space, enemy.figure.space());
        let colour = if enemy.legal { "#1565c0" } else { "#8a8f98" };
        let dashes = if !enemy.covered {
            ""
        } else {
            " stroke-dasharray=\"2 4\""
        };
        let _ = writeln!(
            out,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\" stroke-width=\"1.5\"{dashes}/>",
            number(x1),
            number(y1),
            number(x2),
            number(y2)
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
                    "<ellipse cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\" fill=\"none\" stroke=\"#00796b\" stroke-width=\"3\" stroke-dasharray=\"5 4\"/>",
                    number(x),
                    number(y),
                    number(SQUARE * f64::from(size.wide) * 0.42),
                    number(SQUARE * f64::from(size.high) * 0.42)
                );
            }
            Step::Attack { target, .. } | Step::Area { target, .. } => {
                let Some(target) = board.figure(target) else { continue };
                let ((x1, y1), (x2, y2)) = line_of_sight(board.map(), figure.space_at(at), target.space());
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
    let base = figure.card.size;
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
        "<g><title>{}: {} of {} hit points</title>\
         <ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{}\" ry=\"{}\" fill=\"{colour}\"{ring}{faded}/>\
         <text x=\"{x}\" y=\"{}\" font-size=\"16\" font-weight=\"600\" text-anchor=\"middle\" fill=\"#ffffff\">{}</text>\
         <text x=\"{x}\" y=\"{}\" font-size=\"9\" text-anchor=\"middle\" fill=\"#ffffff\">{}</text></g>",
        escape(&figure.called()),
        figure.hit_points,
        figure.card.hit_points,
        number(SQUARE * f64::from(base.wide) * 0.38),
        number(SQUARE * f64::from(base.high) * 0.38),
        number(y + 3.0),
        escape(&figure.id),
        number(y + 12.0),
        figure.hit_points,
        x = number(x),
        y = number(y),
    );
}
