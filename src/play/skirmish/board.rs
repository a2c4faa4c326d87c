//! The board as text: the map with its figures, and a line for each figure.

use anstyle::{AnsiColor, Style};

use crate::swm::{
    board::Board,
    figure::{Figure, Side},
};

/// The colour of a side's figures.
pub fn side_style(side: Side) -> Style {
    match side {
        Side::Player => AnsiColor::Cyan.on_default().bold(),
        Side::Automated => AnsiColor::Yellow.on_default().bold(),
    }
}

/// The map as it may be typed in, with the first letter of every figure's id, and the walls and doors between squares.
pub fn map(board: &Board) -> Vec<String> {
    let stands = |square| {
        let here = board
            .figures()
            .iter()
            .find(|own| own.in_play() && own.space().contains(square));
        here.and_then(|own| own.id.chars().next())
    };
    let mut lines: Vec<String> = board.map().write(stands).lines().map(str::to_owned).collect();
    let mut edges = Vec::new();
    for square in board.map().squares() {
        for (place, shut) in [
            (crate::swm::map::Place::East(square), board.map().is_east_shut(square)),
            (crate::swm::map::Place::South(square), board.map().is_south_shut(square)),
        ] {
            let is_door = board.map().doors().iter().any(|door| door.place == place);
            if shut && !is_door {
                edges.push(edge(place));
            }
        }
    }
    if !edges.is_empty() {
        lines.push(format!("walls: {}", edges.join(", ")));
    }
    let doors = board.map().doors().iter().enumerate().map(|(number, door)| {
        let how = if door.open { "open" } else { "closed" };
        format!("{} {} {how}", number + 1, edge(door.place))
    });
    let doors: Vec<String> = doors.collect();
    if !doors.is_empty() {
        lines.push(format!("doors: {}", doors.join(", ")));
    }
    lines
}

fn edge(place: crate::swm::map::Place) -> String {
    use crate::swm::{map::Place, square::Square};
    match place {
        Place::East(at) => format!("{at}-{}", Square::new(at.column + 1, at.row)),
        Place::South(at) => format!("{at}-{}", Square::new(at.column, at.row + 1)),
        Place::Square(at) => at.to_string(),
    }
}

/// A line for each figure: place, hit points, Force, whether it has activated.
pub fn list(board: &Board) -> Vec<String> {
    board.figures().iter().map(line).collect()
}

fn line(figure: &Figure) -> String {
    let style = side_style(figure.side);
    let card = &figure.card;
    let mut text = format!("{style}{:<3}{style:#} {:<26}", figure.id, card.name);
    if !figure.in_play() {
        return format!("{text} defeated");
    }
    text += &format!(
        " {:<4} {:>3}/{:<3} Def {:<2} Atk {:+} Dmg {}",
        figure.at.to_string(),
        figure.hit_points,
        card.hit_points,
        card.defense,
        card.attack,
        card.damage
    );
    if figure.has_force() || figure.force > 0 {
        text += &format!(" Force {}", figure.force);
    }
    if figure.activated {
        text += " (has activated)";
    }
    text
}

/// A figure in full.
pub fn figure(figure: &Figure) -> Vec<String> {
    let card = &figure.card;
    let mut lines = vec![line(figure)];
    lines.push(format!(
        "  {}, speed {}, cost {}",
        card.kind().name(),
        card.speed,
        card.cost
    ));
    for ability in &card.abilities {
        let known = if ability.known { "" } else { " (carry it out by hand)" };
        lines.push(format!("  {ability}{known}"));
    }
    lines
}
