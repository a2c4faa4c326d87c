//! From a position to its text form.

use std::fmt::Write as _;

use super::{
    token::word,
    words::{self, word_for},
};
use crate::{
    bridge::position::{
        Position, to_wire,
        wire::{self, Action, Header, Ship, Special},
    },
    xwing::{action::BarAction, catalog::Catalog, edition::FirstEditionOptions, ship::Status, table::PlayArea},
};

/// Writes a position as text that [`super::parse`] reads back to the same table.
///
/// Ids, names and other free words lose control characters, which no line of text can carry.
pub fn write(position: &Position, catalog: &Catalog) -> String {
    let wire = to_wire(position, catalog);
    let mut text = String::new();
    // Writing to a String cannot fail, so the results below carry nothing.
    let _ = write_lines(&mut text, &wire);
    text
}

fn write_lines(out: &mut String, wire: &wire::Position) -> std::fmt::Result {
    if !wire.id.is_empty() {
        writeln!(out, "id {}", word(&wire.id))?;
    }
    if let Some(edition) = wire.edition {
        writeln!(out, "edition {}", word_for(edition, words::EDITIONS))?;
    }
    if let Some(options) = wire.rules.filter(|options| *options != FirstEditionOptions::default()) {
        let switches = options.switches().into_iter().map(|(name, on)| match on {
            true => format!(" {name}"),
            false => format!(" {name}=off"),
        });
        writeln!(out, "rules{}", switches.collect::<String>())?;
    }
    if (wire.area.w, wire.area.h) != (PlayArea::STANDARD.width, PlayArea::STANDARD.height) {
        writeln!(out, "area {}x{}", wire.area.w, wire.area.h)?;
    }
    for ship in &wire.ships {
        write_ship(out, ship)?;
    }
    for obstacle in &wire.obstacles {
        let kind = word_for(obstacle.kind, words::OBSTACLES);
        write!(out, "{kind} {} points", word(&obstacle.id))?;
        for [x, y] in &obstacle.points {
            write!(out, " {x},{y}")?;
        }
        out.push('\n');
    }
    for point in &wire.points {
        writeln!(out, "point {} {},{}", word(&point.id), point.x, point.y)?;
    }
    if let Some(active) = &wire.active {
        writeln!(out, "active {}", word(active))?;
    }
    if let Some(forced) = &wire.forced_tally {
        writeln!(out, "forced {}", word(forced))?;
    }
    if !wire.roll.is_empty() {
        let defence = wire
            .roll
            .defence
            .map_or("?", |face| word_for(face, words::DEFENCE_FACES));
        let attack = wire.roll.attack.map_or("?", |face| word_for(face, words::ATTACK_FACES));
        writeln!(out, "roll {defence}/{attack}")?;
    }
    if !wire.tags.is_empty() {
        let tags: Vec<_> = wire.tags.iter().map(|tag| word(tag)).collect();
        writeln!(out, "tag {}", tags.join(" "))?;
    }
    Ok(())
}

fn write_ship(out: &mut String, ship: &Ship) -> std::fmt::Result {
    let (id, kind, side) = (word(&ship.id), word(&ship.ship), word(&ship.side));
    write!(out, "ship {id} {kind} {side} {},{} @{}", ship.x, ship.y, ship.heading)?;
    if let Some(initiative) = ship.initiative {
        write!(out, " init {initiative}")?;
    }
    if let Some(name) = &ship.name {
        write!(out, " name {}", word(name))?;
    }
    if let Some(size) = ship.size {
        write!(out, " size {}", word_for(size, words::SIZES))?;
    }
    if ship.status != Status::InPlay {
        write!(out, " {}", word_for(ship.status, words::STATUSES))?;
    }
    for (token, count) in ship.tokens.counts().named().into_iter().filter(|(_, count)| *count > 0) {
        write!(out, " {token} {count}")?;
    }
    for id in &ship.tokens.lock {
        write!(out, " lock {}", word(id))?;
    }
    if !ship.turret.is_empty() {
        write!(
            out,
            " turret {}",
            joined(&ship.turret, |arc| word_for(*arc, words::DIRECTIONS))
        )?;
    }
    for special in &ship.special {
        write_special(out, special)?;
    }
    if let Some(device) = &ship.device {
        let id = word(device.id.as_deref().unwrap_or("device"));
        write!(out, " device {id} charges {}/{}", device.charges, device.max_charges)?;
    }
    if !ship.done.is_empty() {
        write!(
            out,
            " done {}",
            joined(&ship.done, |action| word_for(*action, words::ACTIONS))
        )?;
    }
    for id in &ship.bumped {
        write!(out, " bumped {}", word(id))?;
    }
    match ship.dial.as_deref() {
        None => {}
        Some([]) => out.push_str(" nodial"),
        Some(codes) => write!(out, " dial {}", codes.join(","))?,
    }
    match ship.weapons.as_deref() {
        None => {}
        Some([]) => out.push_str(" unarmed"),
        Some(weapons) => {
            for weapon in weapons {
                let arc = word_for(weapon.arc, words::WEAPON_ARCS);
                write!(
                    out,
                    " primary {arc} {} range {}-{}",
                    weapon.value, weapon.min, weapon.max
                )?;
            }
        }
    }
    match ship.actions.as_deref() {
        None => {}
        Some([]) => out.push_str(" noactions"),
        Some(actions) => {
            for action in actions {
                write!(out, " action {}", action_words(*action))?;
            }
        }
    }
    out.push('\n');
    Ok(())
}

fn write_special(out: &mut String, special: &Special) -> std::fmt::Result {
    write!(out, " weapon {}", word(&special.id))?;
    if let Some(arc) = special.arc {
        write!(out, " arc {}", word_for(arc, words::WEAPON_ARCS))?;
    }
    if let Some(value) = special.value {
        write!(out, " dice {value}")?;
    }
    if let (Some(min), Some(max)) = (special.min, special.max) {
        write!(out, " range {min}-{max}")?;
    }
    match &special.requires {
        None => {}
        Some(Header::Nothing) => out.push_str(" needs nothing"),
        Some(Header::One(one)) => write!(out, " needs {}", word_for(*one, words::REQUIREMENTS))?,
        Some(Header::AnyOf(any)) => write!(out, " needs {}", joined(any, |one| word_for(*one, words::REQUIREMENTS)))?,
    }
    if let (Some(left), Some(max)) = (special.charges, special.max_charges) {
        write!(out, " charges {left}/{max}")?;
    }
    if let Some(slot) = &special.slot {
        write!(out, " slot {}", word(slot))?;
    }
    Ok(())
}

fn joined<T>(items: &[T], word: impl Fn(&T) -> &'static str) -> String {
    items.iter().map(word).collect::<Vec<_>>().join(",")
}

fn action_words(action: Action) -> String {
    let BarAction { action, linked } = action.into();
    [Some(action), linked]
        .into_iter()
        .flatten()
        .map(|action| {
            let colour = word_for(action.difficulty, words::COLOURS);
            format!("{colour}:{}", word_for(action.kind, words::ACTIONS))
        })
        .collect::<Vec<_>>()
        .join(">")
}
