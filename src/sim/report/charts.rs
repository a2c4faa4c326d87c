//! The plots, each an SVG picture.

use plotters::{coord::Shift, prelude::*};

use super::Arm;
use crate::{
    sim::{compare::Mean, figures::SIDES},
    xwing::squad::xws,
};

/// A plot that cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a plot cannot be drawn: {0}")]
pub struct ChartError(String);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Blue and vermilion, which everybody can tell apart; grey for nobody.
const PLAYER: RGBColor = RGBColor(0, 114, 178);
const SOLO: RGBColor = RGBColor(213, 94, 0);
const NOBODY: RGBColor = RGBColor(170, 178, 189);
const INK: RGBColor = RGBColor(28, 36, 48);
const COLOURS: [RGBColor; 2] = [PLAYER, SOLO];

const FONT: &str = "sans-serif";
/// Rounds that a smaller share of the games came to say too little.
const LEAST_SHARE: f64 = 0.05;

/// Figures that are plotted round by round, with what the plot shows.
pub(super) const BY_ROUND: [(&str, &str); 11] = [
    ("shots", "Shots: opportunities that were used."),
    ("damage", "Damage dealt by attacks, overkill included."),
    (
        "shots_lost",
        "Shots lost: ships that engaged without a target, or could not attack.",
    ),
    ("kills", "Enemies destroyed."),
    ("survivors", "Ships in play at the end of the round."),
    ("stress", "Stress tokens gained."),
    ("bumps", "Moves that ended in other ships."),
    ("obstacle_hits", "Obstacles met."),
    ("edge_rescues", "Moves stopped at the edge (SA-7)."),
    ("fled", "Ships lost over the edge."),
    ("saved", "Ships that left safely (SA-13)."),
];

fn drawn(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Drawn) -> Result<String, ChartError> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        draw(&root)
            .and_then(|()| root.present().map_err(Into::into))
            .map_err(|error| ChartError(error.to_string()))?;
    }
    Ok(svg)
}

fn text(size: f64, colour: RGBColor) -> TextStyle<'static> {
    (FONT, size).into_font().color(&colour)
}

/// How an arm's lines are told from the others'.
fn dashes(arm: usize) -> Option<(u32, u32)> {
    match arm {
        0 => None,
        1 => Some((7, 4)),
        _ => Some((2, 4)),
    }
}

/// Who won: one bar a kind of game.
pub(super) fn outcomes(arms: &[Arm<'_>]) -> Result<String, ChartError> {
    const WIDTH: i32 = 900;
    const LEFT: i32 = 190;
    const ROW: i32 = 46;
    drawn((WIDTH as u32, (arms.len() as i32 * ROW + 34) as u32), |root| {
        for (place, arm) in arms.iter().enumerate() {
            let summary = &arm.summary;
            let top = place as i32 * ROW + 6;
            let name = if arm.name.is_empty() { "all games" } else { arm.name };
            root.draw_text(name, &text(15.0, INK), (6, top + 9))?;
            let parts = [
                (summary.player_wins, PLAYER),
                (summary.draws, NOBODY),
                (summary.solo_wins, SOLO),
            ];
            let all = summary.games.max(1) as f64;
            let mut from = 0.0;
            for (count, colour) in parts {
                let to = from + count as f64 / all;
                let x = |share: f64| LEFT + (share * f64::from(WIDTH - LEFT - 10)) as i32;
                root.draw(&Rectangle::new([(x(from), top), (x(to), top + 34)], colour.filled()))?;
                let percent = 100.0 * (to - from);
                if percent >= 6.0 {
                    let ink = if colour == NOBODY { INK } else { WHITE };
                    root.draw_text(&format!("{percent:.1} %"), &text(14.0, ink), (x(from) + 6, top + 10))?;
                }
                from = to;
            }
        }
        let bottom = arms.len() as i32 * ROW + 10;
        legend(
            root,
            LEFT,
            bottom,
            &[("player", PLAYER), ("nobody", NOBODY), ("solo", SOLO)],
        )
    })
}

fn legend(root: &Area<'_>, left: i32, top: i32, entries: &[(&str, RGBColor)]) -> Drawn {
    for (place, (name, colour)) in entries.iter().enumerate() {
        let x = left + place as i32 * 90;
        root.draw(&Rectangle::new([(x, top), (x + 14, top + 14)], colour.filled()))?;
        root.draw_text(name, &text(13.0, INK), (x + 20, top + 1))?;
    }
    Ok(())
}

/// Which part of the games the player won at each meeting: its factions down, the solo side's across. `None` where there
/// is one meeting only.
pub(super) fn win_grid(arm: &Arm<'_>) -> Result<Option<String>, ChartError> {
    let meetings = arm.meetings();
    let names = |side: usize| {
        let mut names: Vec<&str> = Vec::new();
        for meeting in &meetings {
            let name = meeting.field.sides[side].as_str();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    let (players, solos) = (names(0), names(1));
    if players.len() * solos.len() < 2 {
        return Ok(None);
    }
    const CELL: (i32, i32) = (96, 30);
    let (left, top) = (170, 50);
    let size = (
        (left + solos.len() as i32 * CELL.0 + 10) as u32,
        (top + players.len() as i32 * CELL.1 + 10) as u32,
    );
    let short = |name: &str| name.chars().take(22).collect::<String>();
    let svg = drawn(size, |root| {
        root.draw_text("solo side", &text(13.0, SOLO), (left + 4, 3))?;
        root.draw_text("player", &text(13.0, PLAYER), (6, 28))?;
        for (column, solo) in solos.iter().enumerate() {
            for (line, name) in in_two_lines(side_name(solo)).into_iter().enumerate() {
                let at = (left + column as i32 * CELL.0 + 4, 21 + 13 * line as i32);
                root.draw_text(&name, &text(12.0, INK), at)?;
            }
        }
        for (row, player) in players.iter().enumerate() {
            let y = top + row as i32 * CELL.1;
            root.draw_text(&short(side_name(player)), &text(12.0, INK), (6, y + 9))?;
            for (column, solo) in solos.iter().enumerate() {
                let here = meetings
                    .iter()
                    .filter(|meeting| meeting.field.sides == [*player, *solo]);
                let (games, wins) = here.fold((0, 0), |(games, wins), meeting| {
                    (games + meeting.games, wins + meeting.wins[0])
                });
                let x = left + column as i32 * CELL.0;
                let share = wins as f64 / games.max(1) as f64;
                let colour = if games == 0 { WHITE } else { between(share) };
                let cell = [(x + 1, y + 1), (x + CELL.0 - 1, y + CELL.1 - 1)];
                root.draw(&Rectangle::new(cell, colour.filled()))?;
                if games > 0 {
                    let words = format!("{:.0} % of {games}", 100.0 * share);
                    root.draw_text(&words, &text(13.0, INK), (x + 10, y + 9))?;
                }
            }
        }
        Ok(())
    });
    svg.map(Some)
}

/// What people call a side: a faction by its printed name, a squad as it was written.
fn side_name(side: &str) -> &str {
    xws::faction_name(side).unwrap_or(side)
}

/// A name in a narrow column: what finds no room in a line stands in a second one.
fn in_two_lines(name: &str) -> [String; 2] {
    const WIDTH: usize = 14;
    let cut = |text: &str| text.chars().take(WIDTH).collect::<String>();
    match name.rsplit_once(' ').filter(|_| name.chars().count() > WIDTH) {
        Some((first, second)) => [cut(first), cut(second)],
        None => [String::new(), cut(name)],
    }
}

/// From vermilion over white to blue.
fn between(share: f64) -> RGBColor {
    let (end, part) = if share < 0.5 {
        (SOLO, 1.0 - 2.0 * share)
    } else {
        (PLAYER, 2.0 * share - 1.0)
    };
    let mix = |end: u8| (255.0 + (f64::from(end) - 255.0) * part * 0.65).round() as u8;
    RGBColor(mix(end.0), mix(end.1), mix(end.2))
}

const SMALL: (u32, u32) = (440, 260);

/// Games by length: bars side by side, one for each kind.
pub(super) fn lengths(arms: &[Arm<'_>]) -> Result<String, ChartError> {
    let longest = arms.iter().map(|arm| arm.summary.longest).max().unwrap_or(0).max(1);
    let share = |arm: &Arm<'_>, round: usize| {
        let games = arm.summary.lengths.get(round).copied().unwrap_or(0);
        f64::from(games) / arm.summary.games.max(1) as f64
    };
    let most = (arms.iter())
        .flat_map(|arm| (0..longest).map(move |round| share(arm, round)))
        .fold(0.01, f64::max);
    let shades = [INK, RGBColor(117, 128, 143), RGBColor(190, 198, 208)];
    drawn(SMALL, |root| {
        let mut chart = ChartBuilder::on(root)
            .caption("length", text(15.0, INK))
            .margin(8)
            .x_label_area_size(26)
            .y_label_area_size(46)
            .build_cartesian_2d(0.5..longest as f64 + 0.5, 0.0..most * 1.1)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels(longest.min(12))
            .x_label_formatter(&|round| format!("{round:.0}"))
            .y_label_formatter(&|share| format!("{:.0} %", share * 100.0))
            .draw()?;
        let width = 0.8 / arms.len() as f64;
        for (place, arm) in arms.iter().enumerate() {
            let colour = shades[place.min(2)];
            chart
                .draw_series((0..longest).map(|round| {
                    let left = round as f64 + 0.6 + place as f64 * width;
                    Rectangle::new([(left, 0.0), (left + width, share(arm, round))], colour.filled())
                }))?
                .label(arm.name)
                .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()));
        }
        if arms.len() > 1 {
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperLeft)
                .border_style(NOBODY)
                .background_style(WHITE.mix(0.8))
                .draw()?;
        }
        Ok(())
    })
}

/// How many games end with at most such a points ratio. `None` where prices are not known.
pub(super) fn ratios(arms: &[Arm<'_>]) -> Result<Option<String>, ChartError> {
    let mut lines: Vec<(usize, usize, Vec<f64>)> = Vec::new();
    for (place, arm) in arms.iter().enumerate() {
        for side in 0..2 {
            let ratios: Option<Vec<f64>> = arm.games.iter().map(|game| game.final_ratio(side)).collect();
            let Some(mut ratios) = ratios.filter(|ratios| !ratios.is_empty()) else {
                return Ok(None);
            };
            ratios.sort_by(f64::total_cmp);
            lines.push((place, side, ratios));
        }
    }
    let most = lines
        .iter()
        .filter_map(|(.., ratios)| ratios.last().copied())
        .fold(1.0, f64::max);
    let svg = drawn(SMALL, |root| {
        let mut chart = ChartBuilder::on(root)
            .caption("points ratio", text(15.0, INK))
            .margin(8)
            .x_label_area_size(26)
            .y_label_area_size(46)
            .build_cartesian_2d(0.0..most * 1.02, 0.0..1.0)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels(7)
            .x_label_formatter(&|ratio| format!("{ratio:.1}"))
            .y_label_formatter(&|share| format!("{:.0} %", share * 100.0))
            .draw()?;
        for (place, side, ratios) in &lines {
            let count = ratios.len() as f64;
            // A step at each game; thinned out, since more steps than pixels show nothing more.
            let every = (ratios.len() / 400).max(1);
            let mut points = vec![(0.0, 0.0)];
            for (index, ratio) in ratios.iter().enumerate().step_by(every) {
                let before = points.last().map_or(0.0, |point| point.1);
                points.push((*ratio, before));
                points.push((*ratio, (index + 1) as f64 / count));
            }
            points.push((most, 1.0));
            line(&mut chart, points, COLOURS[*side], *place)?;
        }
        legend(root, 290, 14, &[(SIDES[0], PLAYER), (SIDES[1], SOLO)])
    });
    svg.map(Some)
}

type Chart<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

fn line(chart: &mut Chart<'_, '_>, points: Vec<(f64, f64)>, colour: RGBColor, arm: usize) -> Drawn {
    let style = colour.stroke_width(2);
    match dashes(arm) {
        None => chart.draw_series(LineSeries::new(points, style))?,
        Some((dash, gap)) => chart.draw_series(DashedLineSeries::new(points, dash, gap, style))?,
    };
    Ok(())
}

/// One figure, round by round, of both sides.
pub(super) fn by_round(arms: &[Arm<'_>], figure: &str) -> Result<String, ChartError> {
    // By arm, then by side, then by round.
    let mut lines: Vec<[Vec<Mean>; 2]> = Vec::new();
    for arm in arms {
        let least = LEAST_SHARE * arm.games.len() as f64;
        let mut means: [Vec<Mean>; 2] = [Vec::new(), Vec::new()];
        for round in 0..arm.summary.longest {
            let there: Vec<_> = arm.games.iter().filter_map(|game| game.rounds.get(round)).collect();
            if (there.len() as f64) < least {
                break;
            }
            for (side, means) in means.iter_mut().enumerate() {
                let value = |sides: &&[crate::sim::figures::SideRound; 2]| {
                    let named = sides[side].named();
                    named
                        .iter()
                        .find(|(name, _)| *name == figure)
                        .map_or(0.0, |(_, value)| f64::from(*value))
                };
                means.extend(Mean::of(&there.iter().map(value).collect::<Vec<f64>>()));
            }
        }
        lines.push(means);
    }
    let all = || lines.iter().flatten();
    let rounds = all().map(Vec::len).max().unwrap_or(0).max(2);
    // The intervals are in the picture where they are drawn.
    let top = |mean: &Mean| match lines.len() {
        1 if mean.half_width.is_finite() => mean.mean + mean.half_width,
        _ => mean.mean,
    };
    let most = all().flatten().map(top).fold(0.01, f64::max);
    drawn(SMALL, |root| {
        let mut chart = ChartBuilder::on(root)
            .caption(figure.replace('_', " "), text(15.0, INK))
            .margin(8)
            .x_label_area_size(26)
            .y_label_area_size(46)
            .build_cartesian_2d(1.0..rounds as f64, 0.0..most * 1.08)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels(rounds.min(12))
            .y_labels(6)
            .x_label_formatter(&|round| format!("{round:.0}"))
            .draw()?;
        for (place, sides) in lines.iter().enumerate() {
            for (means, colour) in sides.iter().zip(COLOURS) {
                let at = |index: usize, value: f64| (index as f64 + 1.0, value.max(0.0));
                if lines.len() == 1 {
                    let (low, high): (Vec<_>, Vec<_>) = (means.iter().enumerate())
                        .filter(|(_, mean)| mean.half_width.is_finite())
                        .map(|(index, mean)| {
                            (
                                at(index, mean.mean - mean.half_width),
                                at(index, mean.mean + mean.half_width),
                            )
                        })
                        .unzip();
                    let band: Vec<(f64, f64)> = high.into_iter().chain(low.into_iter().rev()).collect();
                    chart.draw_series(std::iter::once(Polygon::new(band, colour.mix(0.18))))?;
                }
                let points = means
                    .iter()
                    .enumerate()
                    .map(|(index, mean)| at(index, mean.mean))
                    .collect();
                line(&mut chart, points, colour, place)?;
            }
        }
        legend(root, 290, 14, &[(SIDES[0], PLAYER), (SIDES[1], SOLO)])
    })
}
