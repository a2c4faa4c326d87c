//! The table as text: a map of characters, a line for each ship, one ship in full.

use anstyle::{AnsiColor, Style};

use super::{dial, escort};
use crate::{
    geometry::{Point, Pose, polygon},
    record::words,
    sim::squad,
    solo_alpha::attack::engage::weapon_words,
    xwing::{
        base,
        battle::Battle,
        catalog::Titles,
        obstacle::ObstacleKind,
        ship::{Ship, Status},
        table::Table,
    },
};

/// The colour of a side's ships.
pub fn side_style(side: &str) -> Style {
    match side {
        squad::PLAYER => AnsiColor::Cyan.on_default().bold(),
        _ => AnsiColor::Yellow.on_default().bold(),
    }
}

/// Width of a map, characters.
const COLUMNS: usize = 72;

/// Where ships and obstacles are, north up: a frame with a mark every 100 mm, the base of a ship as dots around its id, with
/// an arrow where it points; `#` asteroid, `%` debris, `~` gas cloud, each with its number, `+` a named point with its number.
pub fn map(table: &Table) -> Vec<String> {
    let (width, height) = (table.area.width.max(1.0), table.area.height.max(1.0));
    let cell_width = width / COLUMNS as f64;
    // A character is about twice as high as it is wide.
    let rows = ((height / (2.0 * cell_width)).round() as usize).clamp(1, 200);
    let cell_height = height / rows as f64;
    let mut grid = vec![vec![(' ', None::<Style>); COLUMNS]; rows];
    let centre = |row: usize, column: usize| {
        let x = (column as f64 + 0.5) * cell_width;
        Point::new(x, height - (row as f64 + 0.5) * cell_height)
    };
    let place = |point: Point| {
        let (column, row) = (
            (point.x / cell_width).floor(),
            ((height - point.y) / cell_height).floor(),
        );
        let inside = column >= 0.0 && row >= 0.0 && column < COLUMNS as f64 && row < rows as f64;
        inside.then_some((row as usize, column as usize))
    };
    for (row, cells) in grid.iter_mut().enumerate() {
        for (column, cell) in cells.iter_mut().enumerate() {
            let point = centre(row, column);
            let mut obstacles = table.obstacles.iter();
            if let Some(obstacle) = obstacles.find(|obstacle| polygon::contains(&obstacle.outline, point)) {
                cell.0 = match obstacle.kind {
                    ObstacleKind::Asteroid => '#',
                    ObstacleKind::Debris => '%',
                    ObstacleKind::GasCloud => '~',
                };
            }
        }
    }
    for obstacle in &table.obstacles {
        // Even a small one is seen.
        if let Some((row, column)) = place(polygon::centroid(&obstacle.outline))
            && grid[row][column].0 == ' '
        {
            grid[row][column].0 = '#';
        }
    }
    // Where there are many, a lock or a detonation needs to know which.
    for obstacle in &table.obstacles {
        let number = obstacle.id.trim_start_matches(|letter: char| !letter.is_ascii_digit());
        if number.len() > 3 || !number.bytes().all(|letter| letter.is_ascii_digit()) {
            continue;
        }
        if let Some((row, column)) = place(polygon::centroid(&obstacle.outline)) {
            let start = column.min(COLUMNS.saturating_sub(number.len()));
            for (offset, digit) in number.chars().enumerate() {
                grid[row][start + offset].0 = digit;
            }
        }
    }
    for marker in &table.markers {
        if let Some((row, column)) = place(marker.position) {
            grid[row][column].0 = '+';
            let number = marker.id.trim_start_matches(|letter: char| !letter.is_ascii_digit());
            for (cell, digit) in grid[row][column + 1..].iter_mut().zip(number.chars().take(2)) {
                cell.0 = digit;
            }
        }
    }
    for ship in table.ships_in_play() {
        let style = Some(side_style(&ship.side));
        let base = base::base(ship.size, ship.pose);
        for (row, cells) in grid.iter_mut().enumerate() {
            for (column, cell) in cells.iter_mut().enumerate() {
                if polygon::contains(&base.corners(), centre(row, column)) {
                    *cell = ('.', style);
                }
            }
        }
        let ahead = ship
            .pose
            .to_table(Point::new(0.0, ship.size.length_mm() / 2.0 + 0.4 * cell_height));
        if let Some((row, column)) = place(ahead) {
            grid[row][column] = (arrow(ship.pose), style);
        }
    }
    // Names last, so that no base lies on one.
    for ship in table.ships_in_play() {
        let Some((row, column)) = place(ship.pose.position) else {
            continue;
        };
        let name: Vec<char> = ship.id.chars().collect();
        let start = column
            .saturating_sub(name.len() / 2)
            .min(COLUMNS.saturating_sub(name.len()));
        for (offset, letter) in name.into_iter().take(COLUMNS).enumerate() {
            grid[row][start + offset] = (letter, Some(side_style(&ship.side)));
        }
    }
    let mut edge: Vec<char> = vec!['-'; COLUMNS];
    let mut scale: Vec<char> = vec![' '; COLUMNS + 4];
    for hundred in (1..)
        .map(|hundred| hundred * 100)
        .take_while(|&mm| f64::from(mm) < width)
    {
        let column = ((f64::from(hundred) / cell_width) as usize).min(COLUMNS - 1);
        edge[column] = '+';
        for (offset, digit) in hundred.to_string().chars().enumerate() {
            if let Some(cell) = scale.get_mut(column + offset) {
                *cell = digit;
            }
        }
    }
    let edge: String = edge.into_iter().collect();
    let mut lines = vec![format!("     +{edge}+")];
    let mut told = None;
    for (row, cells) in grid.into_iter().enumerate() {
        let top = height - row as f64 * cell_height;
        let hundred = (top / 100.0).floor() as i64;
        let label = match told.replace(hundred) {
            Some(before) if before != hundred => format!("{:>4} ", before * 100),
            _ => "     ".to_owned(),
        };
        let cells: String = (cells.into_iter())
            .map(|(letter, style)| match style {
                Some(style) => format!("{style}{letter}{style:#}"),
                None => letter.to_string(),
            })
            .collect();
        lines.push(format!("{label}|{cells}|"));
    }
    lines.push(format!("     +{edge}+"));
    lines.push(format!("      {}", scale.into_iter().collect::<String>().trim_end()));
    lines
}

/// An arrow for a heading.
fn arrow(pose: Pose) -> char {
    const ARROWS: [char; 8] = ['^', '/', '>', '\\', 'v', '/', '<', '\\'];
    let eighth = (pose.heading.rem_euclid(360.0) / 45.0).round() as usize % ARROWS.len();
    ARROWS[eighth]
}

/// How much of a ship is left, as in `hull 2/3, shields 1`.
pub fn left(battle: &Battle, id: &str) -> String {
    let Some(fighter) = battle.fighter(id) else {
        return "hull not known".to_owned();
    };
    let integrity = &fighter.integrity;
    let hull = usize::from(integrity.hull).saturating_sub(integrity.damage());
    let mut text = format!("hull {hull}/{}, shields {}", integrity.hull, integrity.shields);
    if !integrity.face_up.is_empty() {
        let cards: Vec<&str> = (integrity.face_up.iter())
            .map(|card| words::card_name(battle.deck_facts(), *card))
            .collect();
        text.push_str(&format!(" ({})", cards.join(", ")));
    }
    text
}

/// A line for each ship, those on the table first.
pub fn list(battle: &Battle) -> Vec<String> {
    let table = battle.table();
    let words_of = table.rules.edition.words();
    let mut ships: Vec<&Ship> = table.ships.iter().collect();
    ships.sort_by_key(|ship| (!ship.in_play(), ship.side.as_str(), std::cmp::Reverse(ship.initiative)));
    let name = |ship: &Ship| words::title(ship);
    let widest = ships
        .iter()
        .map(|ship| name(ship).chars().count())
        .max()
        .unwrap_or(0)
        .min(40);
    let mut lines = Vec::new();
    for ship in ships {
        let style = side_style(&ship.side);
        let head = format!(
            "{style}{:<widest$}{style:#} {}{}",
            name(ship),
            words_of.order_letters,
            ship.initiative
        );
        if !ship.in_play() {
            let status = match ship.status {
                Status::InPlay => "in play",
                Status::Docked => "docked",
                Status::Reserved => "in reserve",
                Status::Destroyed => "destroyed",
                Status::Removed => "gone",
            };
            lines.push(format!("{head}  {status}"));
            continue;
        }
        let pose = ship.pose;
        let mut rest = vec![
            format!("{:.0},{:.0} @{:.0}", pose.position.x, pose.position.y, pose.heading),
            left(battle, &ship.id),
        ];
        let tokens = words::tokens_by(&ship.tokens, words_of);
        if !tokens.is_empty() {
            rest.push(tokens);
        }
        if !ship.locks.is_empty() {
            rest.push(format!("{} on {}", words_of.lock, ship.locks.join(", ")));
        }
        lines.push(format!("{head}  {}", rest.join("; ")));
    }
    lines.extend(escort::standing(battle));
    lines
}

/// One ship in full.
pub fn ship(battle: &Battle, ship: &Ship, titles: &Titles) -> Vec<String> {
    let style = side_style(&ship.side);
    let mut lines = vec![format!(
        "{style}{}{style:#}: {}, {} base, side {}, {} {}",
        words::title(ship),
        titles.title(&ship.chassis).unwrap_or_else(|| ship.chassis.clone()),
        format!("{:?}", ship.size).to_lowercase(),
        ship.side,
        ship.edition.order_value(),
        ship.initiative
    )];
    let agility = battle.fighter(&ship.id).map_or(0, |fighter| fighter.agility);
    lines.push(format!("  agility {agility}, {}", left(battle, &ship.id)));
    for weapon in &ship.weapons {
        let charges = weapon.special.as_ref().and_then(|special| special.charges);
        let charges = charges.map_or_else(String::new, |charges| {
            format!(", {} of {}", charges.left, words::count(charges.max, "charge"))
        });
        let dice = match weapon.special {
            Some(_) => format!(" ({})", words::count(weapon.value, "die")),
            None => String::new(),
        };
        lines.push(format!(
            "  {}{dice}: range {}-{}{charges}",
            titles.speak(&weapon_words(weapon)),
            weapon.min_range,
            weapon.max_range
        ));
    }
    if !ship.turret.is_empty() {
        let arcs: Vec<&str> = ship.turret.iter().map(|arc| arc.name()).collect();
        lines.push(format!("  turret to the {}", arcs.join(" and ")));
    }
    for device in ship.devices() {
        let charges = format!(
            "{} of {}",
            device.charges.left,
            words::count(device.charges.max, "charge")
        );
        lines.push(format!("  {}: {charges}", titles.speak(&device.id)));
    }
    for card in battle.fighter(&ship.id).iter().flat_map(|fighter| fighter.cards.iter()) {
        let charges = card.charges.map_or_else(String::new, |charges| {
            format!(": {} of {}", charges.left, words::count(charges.max, "charge"))
        });
        lines.push(format!("  card {}{charges}", titles.speak(&card.id.to_string())));
    }
    let tokens = words::tokens_by(&ship.tokens, ship.edition.words());
    lines.push(format!(
        "  tokens: {}",
        if tokens.is_empty() { "none" } else { &tokens }
    ));
    lines.extend(dial::grid(&ship.dial));
    lines
}
