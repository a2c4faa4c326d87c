//! One ship: the catalog's facts, with what the position says instead.

use std::{collections::HashSet, sync::Arc};

use super::{
    MAX_LIST, Warning, check_count,
    foreign::leave_aside,
    heading, point, printable, suggestion,
    weapon::{charges, own_primaries, special_weapon},
};
use crate::{
    bridge::position::{PositionError, wire},
    geometry::Pose,
    xwing::{
        catalog::{Catalog, PilotFacts, ResolveNote, Resolved, ShipFacts},
        edition::Edition,
        maneuver::{Dial, Maneuver},
        ship::{ArcDirection, Device, Ship},
        size::Size,
        weapon::{Weapon, WeaponArc},
    },
};

/// Most of one kind of token that is believed.
const MAX_COUNT: u32 = 1000;
/// Highest initiative that is believed.
const MAX_INITIATIVE: u8 = 12;

/// Resolves one ship; `place` names it in errors, `ids` are all objects of the position.
pub(super) fn resolve_ship(
    mut ship: wire::Ship,
    place: &str,
    catalog: &Catalog,
    ids: &HashSet<String>,
    warnings: &mut Vec<Warning>,
) -> Result<Ship, PositionError> {
    leave_aside(&mut ship, place, catalog.edition(), warnings);
    let facts = catalog.ship(&ship.ship);
    let size = size(&ship, facts, place, catalog, warnings)?;
    let pilot = pilot(&ship, place, catalog, warnings);
    let farthest = catalog.edition().rules().farthest_range(size);
    let initiative = initiative(&ship, pilot, (catalog.edition(), place), warnings)?;
    let equipped = equipped(&ship, place, catalog, warnings)?;
    let dial = match &ship.dial {
        None => (equipped.as_ref().map(|equipped| equipped.dial.clone()))
            .or_else(|| facts.map(|facts| facts.dial.clone()))
            .unwrap_or_default(),
        Some(codes) => Arc::new(dial(codes, place)?),
    };
    let mut weapons = match ship.weapons {
        None => (equipped.as_ref().map(|equipped| equipped.weapons.clone()))
            .or_else(|| {
                let stats = pilot.and_then(|pilot| pilot.stats.as_ref());
                stats.map(|stats| stats.weapons.clone())
            })
            .or_else(|| facts.map(|facts| facts.stats.weapons.clone()))
            .unwrap_or_default(),
        Some(weapons) => own_primaries(weapons, farthest, place)?,
    };
    check_count(&format!("{place}.special"), ship.special.len(), MAX_LIST)?;
    for (index, special) in ship.special.into_iter().enumerate() {
        let place = format!("{place}.special[{index}]");
        let special = special_weapon(special, farthest, &place, catalog, warnings)?;
        // One that an upgrade has brought already is described here.
        weapons.retain(|weapon| special.iter().all(|special| special.id != weapon.id));
        weapons.extend(special);
    }
    let actions = match ship.actions {
        None => (equipped.as_ref().map(|equipped| equipped.actions.clone()))
            .or_else(|| pilot.and_then(|pilot| pilot.actions.clone()))
            .or_else(|| facts.map(|facts| facts.actions.clone()))
            .unwrap_or_default(),
        Some(actions) => {
            check_count(&format!("{place}.actions"), actions.len(), MAX_LIST)?;
            actions.into_iter().map(Into::into).collect()
        }
    };
    let turret = turret(ship.turret, &weapons, (&ship.id, place), warnings)?;
    let carried = equipped.iter();
    let carried = carried.flat_map(|equipped| equipped.device.iter().chain(&equipped.other_devices));
    let mut other_devices: Vec<Device> = carried.cloned().collect();
    let device = match ship.device {
        None => equipped.and_then(|equipped| equipped.device),
        Some(device) => Some(Device {
            id: device.id.unwrap_or_else(|| "device".to_owned()),
            charges: charges(device.charges, device.max_charges, &format!("{place}.device"))?,
        }),
    };
    other_devices.retain(|other| device.as_ref().is_some_and(|device| device.id != other.id));

    for (name, count) in ship.tokens.counts().named() {
        if count > MAX_COUNT {
            return Err(PositionError::at(
                format!("{place}.tokens.{name}"),
                format!("{count} tokens; at most {MAX_COUNT} are believed"),
            ));
        }
    }
    check_count(&format!("{place}.tokens.lock"), ship.tokens.lock.len(), MAX_LIST)?;
    let tokens = ship.tokens.counts();
    let locks = known_ids(ship.tokens.lock, "tokens.lock", place, ids, warnings);
    let bumped = known_ids(ship.bumped, "bumped", place, ids, warnings);
    let position = point(place, ship.x, ship.y)?;
    Ok(Ship {
        name: ship.name.as_deref().map(printable).unwrap_or_default(),
        side: printable(&ship.side),
        edition: catalog.edition(),
        chassis: printable(&ship.ship),
        size,
        pose: Pose::new(position.x, position.y, heading(place, ship.heading)?),
        initiative,
        status: ship.status,
        tokens,
        locks,
        turret,
        turret_limit: Vec::new(),
        ignored_obstacles: Vec::new(),
        fires_on_obstacles: false,
        open_at_range_0: false,
        standing: Default::default(),
        dial,
        weapons,
        actions,
        device,
        other_devices,
        performed: ship.done,
        bumped,
        touching: Vec::new(),
        id: ship.id.into(),
    })
}

/// The ship as its upgrades make it, if it names some and the catalog knows it. What about them is not known is a warning.
fn equipped(
    ship: &wire::Ship,
    place: &str,
    catalog: &Catalog,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Resolved>, PositionError> {
    check_count(&format!("{place}.upgrades"), ship.upgrades.len(), MAX_LIST)?;
    if ship.upgrades.is_empty() {
        return Ok(None);
    }
    let Ok(resolved) = catalog.resolve(&ship.ship, ship.pilot.as_deref(), &ship.upgrades) else {
        let message = "the catalog does not have the ship, so its upgrades are left aside".to_owned();
        warnings.push(Warning::at(place, "upgrades", message));
        return Ok(None);
    };
    for note in &resolved.notes {
        if matches!(note, ResolveNote::UnknownUpgrade(_) | ResolveNote::Repeated(_)) {
            warnings.push(Warning::at(place, "upgrades", printable(&note.to_string())));
        }
    }
    Ok(Some(resolved))
}

/// The base size: given, or the catalog's. Says so where the catalog does not have the ship, or has it otherwise.
fn size(
    ship: &wire::Ship,
    facts: Option<&ShipFacts>,
    place: &str,
    catalog: &Catalog,
    warnings: &mut Vec<Warning>,
) -> Result<Size, PositionError> {
    let Some(facts) = facts else {
        if let Some(remedy) = typed_as_in_squads(&ship.ship) {
            return Err(PositionError::at(format!("{place}.ship"), remedy));
        }
        let known = meant(&ship.ship, catalog);
        let unknown = format!("the catalog has no ship `{}`", printable(&ship.ship));
        let Some(size) = ship.size else {
            let remedy = "correct the xws id (`tallyho catalog list` shows all), or give the ship's own `size`, `dial`, \
                          `weapons` and `actions`";
            return Err(PositionError::at(
                format!("{place}.ship"),
                format!("{unknown}; {remedy}{known}"),
            ));
        };
        if ship.dial.is_none() || ship.weapons.is_none() || ship.actions.is_none() {
            let used = "what the position does not give of its dial, weapons and actions counts as none";
            warnings.push(Warning::at(place, "ship", format!("{unknown}; {used}{known}")));
        }
        return Ok(size);
    };
    match ship.size {
        Some(given) if given != facts.size => {
            let message = format!("the catalog's {} has another base size; this one is used", ship.ship);
            warnings.push(Warning::at(place, "size", message));
            Ok(given)
        }
        _ => Ok(facts.size),
    }
}

/// The remedy for a ship as squads are typed, `xwing/rookiepilot+protontorpedoes`, where the ship type alone is to stand.
fn typed_as_in_squads(word: &str) -> Option<String> {
    let (chassis, pilot) = word.split_once('/')?;
    let chassis = printable(chassis.rsplit('*').next().unwrap_or(chassis));
    let mut parts = pilot.split('+').map(printable);
    let pilot = parts.next().filter(|pilot| !pilot.is_empty())?;
    let cards: String = parts.map(|card| format!(" weapon {card}")).collect();
    let cards = match cards.is_empty() {
        true => String::new(),
        false => format!("; cards that fire stand behind it, as in `{}`", cards.trim_start()),
    };
    Some(format!(
        "a ship is typed so in a squad; in a position the type stands alone, here `{chassis}`, and behind its heading \
         `pilot {pilot}`{cards}"
    ))
}

/// The ships that an unknown id may mean, as a question.
fn meant(id: &str, catalog: &Catalog) -> String {
    const MOST: usize = 4;
    let like: Vec<String> = (catalog.ships_like(id).iter().take(MOST))
        .map(|facts| format!("`{}`", facts.xws))
        .collect();
    match &like[..] {
        [] => suggestion(id, catalog.ships().iter().map(|facts| &*facts.xws)),
        [one] => format!("; is {one} meant?"),
        [first @ .., last] => format!("; is {} or {last} meant?", first.join(", ")),
    }
}

/// The pilot's facts, if the ship names a pilot whom the catalog has.
fn pilot<'c>(
    ship: &wire::Ship,
    place: &str,
    catalog: &'c Catalog,
    warnings: &mut Vec<Warning>,
) -> Option<&'c PilotFacts> {
    let id = ship.pilot.as_deref()?;
    let pilot = catalog.pilot(id);
    let message = match pilot {
        None => format!(
            "the catalog has no pilot `{}`; the ship type's facts are used{}",
            printable(id),
            suggestion(id, catalog.pilots().iter().map(|pilot| &*pilot.xws))
        ),
        Some(pilot) if pilot.ship != ship.ship => {
            format!(
                "`{id}` flies a {}, not a {}; the pilot's facts are used all the same",
                pilot.ship, ship.ship
            )
        }
        Some(_) => return pilot,
    };
    warnings.push(Warning::at(place, "pilot", message));
    pilot
}

fn initiative(
    ship: &wire::Ship,
    pilot: Option<&PilotFacts>,
    (edition, place): (Edition, &str),
    warnings: &mut Vec<Warning>,
) -> Result<u8, PositionError> {
    let called = edition.order_value();
    match (ship.initiative, pilot) {
        (Some(given), _) if given > MAX_INITIATIVE => {
            let message = format!("{given} is no {called}: give 0 to {MAX_INITIATIVE}");
            Err(PositionError::at(format!("{place}.initiative"), message))
        }
        (Some(given), _) => Ok(given),
        (None, Some(pilot)) => Ok(pilot.initiative),
        (None, None) => {
            let message = format!(
                "`{}` has no {called} given, so 1 is used: give it, or the `pilot`",
                printable(&ship.id)
            );
            warnings.push(Warning::at(place, "initiative", message));
            Ok(1)
        }
    }
}

fn dial(codes: &[String], place: &str) -> Result<Dial, PositionError> {
    check_count(&format!("{place}.dial"), codes.len(), 200)?;
    let maneuvers = codes
        .iter()
        .enumerate()
        .map(|(index, code)| {
            code.parse::<Maneuver>()
                .map_err(|error| PositionError::at(format!("{place}.dial[{index}]"), error.to_string()))
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Dial::new(maneuvers))
}

/// Where the turret points; a turret weapon whose indicator nobody gave points ahead, and that is said.
fn turret(
    given: Vec<ArcDirection>,
    weapons: &[Weapon],
    (id, place): (&str, &str),
    warnings: &mut Vec<Warning>,
) -> Result<Vec<ArcDirection>, PositionError> {
    use ArcDirection::{Front, Left, Rear, Right};
    let mut sorted = given.clone();
    sorted.sort();
    sorted.dedup();
    let arc = |arc| weapons.iter().any(|weapon| weapon.arc == arc);
    let (single, double) = (arc(WeaponArc::SingleTurret), arc(WeaponArc::DoubleTurret));
    match sorted[..] {
        [] if double || single => {
            let (turret, words) = match double {
                true => (vec![Front, Rear], "front and rear"),
                false => (vec![Front], "front"),
            };
            warnings.push(Warning {
                place: format!("{place}.turret"),
                message: format!(
                    "`{}` has a turret whose direction is not given: it points to the {words}; give `turret`",
                    printable(id)
                ),
            });
            Ok(turret)
        }
        [] | [_] | [Front, Rear] | [Left, Right] => Ok(sorted),
        _ => Err(PositionError::at(
            format!("{place}.turret"),
            "a turret points at one arc, or at two opposite ones: front and rear, or left and right",
        )),
    }
}

/// The ids that name an object; the others are left aside with a warning.
fn known_ids(
    given: Vec<String>,
    field: &str,
    place: &str,
    ids: &HashSet<String>,
    warnings: &mut Vec<Warning>,
) -> Vec<Arc<str>> {
    let mut known = Vec::with_capacity(given.len());
    for (index, id) in given.into_iter().enumerate() {
        if ids.contains(&id) {
            known.push(Arc::from(id));
        } else {
            warnings.push(Warning {
                place: format!("{place}.{field}[{index}]"),
                message: format!(
                    "no object has the id `{}`; left aside{}",
                    printable(&id),
                    suggestion(&id, ids.iter().map(String::as_str))
                ),
            });
        }
    }
    known.sort();
    known.dedup();
    known
}
