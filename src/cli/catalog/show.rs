//! `tallyho catalog show` and `list`: facts as readable text.

use std::io::Write;

use crate::xwing::{
    action::BarAction,
    catalog::{
        Catalog, PilotFacts, ShipFacts, UpgradeFacts,
        facts::{AttackMode, Cost, Grant, Pool, SideFacts, Statline},
        normalized, notation,
        quick_build::QuickBuild,
    },
    edition::Edition,
    maneuver::{Dial, Difficulty},
    size::Size,
    weapon::Requirement,
};

/// Prints every ship, pilot and upgrade that the name means, or the Quick Build card of that id; where it may mean several
/// things, a list of them.
///
/// # Errors
/// When the name means nothing, or the output cannot be written.
pub fn show(catalog: &Catalog, name: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let mut ship = catalog.find_ship(name);
    let pilots = catalog.find_pilots(name, None);
    let upgrade = catalog.find_upgrade(name).map(|(upgrade, _)| upgrade);
    if ship.is_none() && pilots.is_empty() && upgrade.is_none() {
        // An everyday name that only one ship can have.
        if let [one] = catalog.ships_like(name)[..] {
            ship = Some(one);
        }
    }
    let card = catalog.quick_build(name.trim()).is_some();
    if ship.is_none() && pilots.is_empty() && upgrade.is_none() && !card {
        return match similar(catalog, name) {
            Ok(list) => Ok(writeln!(out, "`{name}` may mean one of these:{list}")?),
            Err(remedy) => anyhow::bail!("nothing in the catalog is called `{name}`; {remedy}"),
        };
    }
    if let Some(first) = ship {
        for ship in catalog.ship_records(&first.xws) {
            write_ship(catalog, ship, out)?;
        }
    }
    for pilot in &pilots {
        write_pilot(catalog, pilot, out)?;
    }
    // A pilot shows its cards; only the id of a further card means it alone.
    if pilots.is_empty()
        && let Some(card) = catalog.quick_build(name.trim())
    {
        write_card(catalog, card, out)?;
    }
    if let Some(upgrade) = upgrade {
        write_upgrade(upgrade, catalog.edition(), out)?;
    }
    Ok(())
}

/// Prints one line for each ship or pilot.
///
/// # Errors
/// When the output cannot be written.
pub fn list(catalog: &Catalog, pilots: bool, out: &mut impl Write) -> anyhow::Result<()> {
    if pilots {
        for pilot in catalog.pilots() {
            let PilotFacts {
                xws,
                name,
                ship,
                faction,
                initiative,
                ..
            } = pilot;
            writeln!(out, "{xws:40} {initiative} {ship:32} {faction:20} {name}")?;
        }
    } else {
        for ship in catalog.ships() {
            let size = size_name(ship.size);
            let count = ship.pilots.len();
            writeln!(
                out,
                "{:36} {size:6} {count:3} {:6}  {} ({})",
                ship.xws,
                if count == 1 { "pilot" } else { "pilots" },
                ship.name,
                ship.factions.join(", ")
            )?;
        }
    }
    Ok(())
}

/// What the name may mean, ships first, one a line, to help with an everyday or half-remembered name; else what to do.
fn similar(catalog: &Catalog, name: &str) -> Result<String, String> {
    const MOST: usize = 12;
    let id = normalized(name);
    if id.len() < 3 {
        return Err("give at least three letters of the name".to_owned());
    }
    let ships = catalog.ships_like(name);
    let ships = ships.iter().map(|ship| (&ship.xws, format!("{}, ship", ship.name)));
    let fits = |xws: &str, name: &str| xws.contains(&id) || normalized(name).contains(&id);
    // An id that names its ship would repeat the ship's whole crew.
    let pilots = (catalog.pilots().iter())
        .filter(|pilot| fits(pilot.xws.split('-').next().unwrap_or_default(), &pilot.name))
        .map(|pilot| (&pilot.xws, format!("{}, pilot of {}", pilot.name, pilot.ship)));
    let upgrades = (catalog.upgrades().iter())
        .filter(|upgrade| fits(&upgrade.xws, &upgrade.name))
        .map(|upgrade| (&upgrade.xws, format!("{}, upgrade", upgrade.name)));
    let mut meant: Vec<(&String, String)> = ships.chain(pilots).chain(upgrades).collect();
    meant.dedup();
    if meant.is_empty() {
        let near = [
            catalog.ships_meant(name),
            catalog.pilots_meant(name, None),
            catalog.upgrades_meant(name),
        ];
        let near = near.into_iter().find(|near| !near.is_empty());
        return Err(
            near.unwrap_or_else(|| "`tallyho catalog list` shows all ships, with --pilots all pilots".to_owned())
        );
    }
    let width = (meant.iter().take(MOST).map(|(xws, _)| xws.len()))
        .max()
        .unwrap_or_default();
    let mut text = String::new();
    for (xws, what) in meant.iter().take(MOST) {
        text.push_str(&format!("\n  {xws:width$}  {what}"));
    }
    if meant.len() > MOST {
        text.push_str(&format!("\n  and {} more: give more of the name", meant.len() - MOST));
    }
    Ok(text)
}

fn size_name(size: Size) -> &'static str {
    match size {
        Size::Small => "small",
        Size::Medium => "medium",
        Size::Large => "large",
        Size::Huge => "huge",
        Size::ShuttleToken => "shuttle token",
    }
}

fn write_ship(catalog: &Catalog, ship: &ShipFacts, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "{} ({}), {} base, {}",
        ship.name,
        ship.xws,
        size_name(ship.size),
        ship.factions.join(", ")
    )?;
    write_stats(&ship.stats, out)?;
    writeln!(
        out,
        "  actions  {}",
        or_none(ship.actions.iter().map(|action| action_text(action, catalog.edition())))
    )?;
    write_dial(&ship.dial, catalog.edition(), out)?;
    for id in &ship.pilots {
        if let Some(pilot) = catalog.pilot(id) {
            writeln!(out, "  pilot    {} {} ({id})", pilot.initiative, pilot.name)?;
        }
    }
    Ok(())
}

fn write_stats(stats: &Statline, out: &mut impl Write) -> std::io::Result<()> {
    let number = |value: Option<u32>| value.map_or("unknown".to_owned(), |value| value.to_string());
    let energy = stats
        .energy
        .map(|pool| format!(", energy {}", pool_text(pool)))
        .unwrap_or_default();
    let recovers = match stats.shields_recover {
        0 => String::new(),
        count => format!(" (+{count} a round)"),
    };
    writeln!(
        out,
        "  stats    attack {}; agility {}, hull {}, shields {}{recovers}{energy}",
        or_none(stats.weapons.iter().map(notation::write_primary)),
        number(stats.agility),
        number(stats.hull),
        stats.shields,
    )
}

/// One line a speed, slowest last, as dials are drawn.
fn write_dial(dial: &Dial, edition: Edition, out: &mut impl Write) -> std::io::Result<()> {
    if dial.maneuvers().is_empty() {
        return writeln!(out, "  dial     none");
    }
    let mut speeds: Vec<u8> = dial.maneuvers().iter().map(|maneuver| maneuver.speed).collect();
    speeds.dedup();
    for speed in speeds.into_iter().rev() {
        let codes = dial.maneuvers().iter().filter(|maneuver| maneuver.speed == speed);
        let codes: Vec<String> = codes.map(ToString::to_string).collect();
        writeln!(out, "  dial     {}", codes.join(" "))?;
    }
    // A code has one letter for the easy colour, whatever the edition paints it.
    match edition.words().color(Difficulty::Blue) {
        "blue" => Ok(()),
        easy => writeln!(out, "           (B is {easy}, W white, R red)"),
    }
}

fn write_pilot(catalog: &Catalog, pilot: &PilotFacts, out: &mut impl Write) -> std::io::Result<()> {
    let ship = catalog
        .ship_of(&pilot.ship, &pilot.faction)
        .map_or(pilot.ship.as_str(), |ship| &ship.name);
    let caption = match pilot.caption.as_str() {
        "" => String::new(),
        caption => format!(", {caption}"),
    };
    writeln!(
        out,
        "{}{caption} ({}), {ship}, {}",
        pilot.name, pilot.xws, pilot.faction
    )?;
    let engages = pilot
        .engagement
        .map(|at| format!(", engages at {at}"))
        .unwrap_or_default();
    let words = catalog.edition().words();
    let limited = limited_text(pilot.limited, catalog.edition());
    let cost = pilot.cost.map(|cost| format!(", {cost} points")).unwrap_or_default();
    let loadout = pilot
        .loadout
        .map(|points| format!(" and {points} for upgrades"))
        .unwrap_or_default();
    writeln!(
        out,
        "  {} {}{engages}{limited}{cost}{loadout}",
        words.order_value, pilot.initiative
    )?;
    if let Some(stats) = &pilot.stats {
        write_stats(stats, out)?;
    }
    if let Some(actions) = &pilot.actions {
        writeln!(
            out,
            "  actions  {}",
            or_none(actions.iter().map(|action| action_text(action, catalog.edition())))
        )?;
    }
    if let Some(charges) = pilot.charges {
        writeln!(out, "  charges  {}", pool_text(charges))?;
    }
    if let Some(force) = &pilot.force {
        let pool = Pool {
            value: force.value,
            recovers: force.recovers,
        };
        writeln!(out, "  force    {} {}", pool_text(pool), force.side.join(" and "))?;
    }
    write_words("slots", &pilot.slots, out)?;
    write_words("keywords", &pilot.keywords, out)?;
    write_words("ability", std::slice::from_ref(&pilot.ship_ability), out)?;
    write_words("upgrades", &pilot.standard_loadout, out)?;
    let cards = catalog.quick_builds().iter();
    for card in cards.filter(|card| card.pilots.iter().any(|entry| entry.pilot == pilot.xws)) {
        write_card(catalog, card, out)?;
    }
    Ok(())
}

fn write_card(catalog: &Catalog, card: &QuickBuild, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "  card     {}  {}",
        card.id,
        crate::cli::squad::card_text(card, catalog)
    )
}

fn write_words(label: &str, words: &[String], out: &mut impl Write) -> std::io::Result<()> {
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {label:8} {}", words.join(", "))
}

/// How many cards of the name a squad may have, where that is limited.
fn limited_text(limited: u32, edition: Edition) -> String {
    match limited {
        0 => String::new(),
        1 => format!(", {}", edition.words().unique),
        count => format!(", limited {count}"),
    }
}

/// An action in the words of the edition.
fn action_text(action: &BarAction, edition: Edition) -> String {
    notation::write_action(action).replace("Lock", edition.words().lock_icon)
}

fn write_upgrade(upgrade: &UpgradeFacts, edition: Edition, out: &mut impl Write) -> std::io::Result<()> {
    let cost = match &upgrade.cost {
        None => String::new(),
        Some(Cost::Fixed(points)) => format!(", {points} points"),
        Some(Cost::Variable { by, values }) => {
            let values: Vec<String> = values.iter().map(|(key, points)| format!("{key}: {points}")).collect();
            format!(", points by {by} ({})", values.join(", "))
        }
    };
    let limited = limited_text(upgrade.limited, edition);
    // FE-1.4
    let once = if upgrade.once_per_ship { ", once a ship" } else { "" };
    writeln!(out, "{} ({}), upgrade{limited}{once}{cost}", upgrade.name, upgrade.xws)?;
    for side in &upgrade.sides {
        write_side(side, edition, out)?;
    }
    Ok(())
}

fn write_side(side: &SideFacts, edition: Edition, out: &mut impl Write) -> std::io::Result<()> {
    if !side.title.is_empty() {
        writeln!(out, " {}", side.title)?;
    }
    write_words("slots", &side.slots, out)?;
    if let Some(attack) = &side.attack {
        let requires: Vec<&str> = (attack.requires.iter())
            .map(|requirement| match requirement {
                Requirement::Lock => edition.words().lock,
                Requirement::Focus => "focus",
                Requirement::Calculate => "calculate",
            })
            .collect();
        let requires = match requires.is_empty() {
            true => String::new(),
            false if attack.spends => format!(", spends {}", requires.join(" or ")),
            false => format!(", needs {}", requires.join(" or ")),
        };
        let mode = match attack.mode {
            AttackMode::Engage => "",
            AttackMode::Bonus => ", bonus attack",
            AttackMode::Primary => ", in place of the ship's own",
        };
        let ordnance = if attack.ordnance { ", no range bonus" } else { "" };
        writeln!(
            out,
            "  attack   {} {}, range {}-{}{requires}{ordnance}{mode}",
            notation::arc_name(attack.arc),
            attack.value.map_or_else(|| "?".to_owned(), |value| value.to_string()),
            attack.min_range,
            attack.max_range
        )?;
    }
    if let Some(charges) = side.charges {
        match edition {
            Edition::Second => writeln!(out, "  charges  {}", pool_text(charges))?,
            Edition::First => writeln!(out, "  discard  when it is used")?,
        }
    }
    if let Some(force) = &side.force {
        writeln!(out, "  force    {}", force.value)?;
    }
    if let Some(device) = &side.device {
        writeln!(out, "  device   {} ({:?})", device.name, device.kind)?;
    }
    let grants: Vec<String> = side.grants.iter().map(|grant| grant_text(grant, edition)).collect();
    write_words("adds", &grants, out)
}

fn grant_text(grant: &Grant, edition: Edition) -> String {
    match grant {
        Grant::Action(action) => format!("action {}", action_text(action, edition)),
        Grant::Stat { stat, amount, arc } => {
            let arc = arc
                .map(|arc| format!(" ({})", notation::arc_name(arc)))
                .unwrap_or_default();
            let stat = match stat.as_str() {
                "skill" => edition.words().order_value,
                stat => stat,
            };
            format!("{stat}{arc} {amount:+}")
        }
        Grant::Slot { slot, amount, max_cost } => {
            let most = max_cost
                .map(|cost| format!(" for up to {cost} points"))
                .unwrap_or_default();
            match *amount {
                Grant::ALL_SLOTS => format!("no slot {slot}"),
                amount => format!("slot {slot} {amount:+}{most}"),
            }
        }
        Grant::SlotChoice(slots) => format!("slot {} +1", slots.join(" or ")),
        Grant::Discount { slot, amount } => format!("cost of {slot} upgrades -{amount}").replace("  ", " "),
        Grant::Force { amount, side } => format!("force {amount:+} {}", side.join(" and ")).trim_end().to_owned(),
        Grant::Arc(arc) => format!("{} indicator", notation::arc_name(*arc)),
    }
}

fn pool_text(pool: Pool) -> String {
    match pool.recovers {
        0 => pool.value.to_string(),
        recovers => format!("{} ({recovers:+} a round)", pool.value),
    }
}

fn or_none(texts: impl Iterator<Item = String>) -> String {
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() {
        "none".to_owned()
    } else {
        texts.join(", ")
    }
}
