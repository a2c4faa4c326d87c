//! One ship: the catalog's facts, with what the position says instead.

use std::{collections::HashSet, sync::Arc};

use super::{MAX_LIST, Warning, check_count, heading, point, printable, suggestion};
use crate::{
    bridge::position::{PositionError, wire},
    geometry::Pose,
    xwing::{
        catalog::Catalog,
        maneuver::{Dial, Maneuver},
        ship::{ArcDirection, Device, Ship},
        weapon::{Charges, SpecialWeapon, Weapon, WeaponArc},
    },
};

/// Most of one kind of token, charges or attack dice that is believed.
const MAX_COUNT: u32 = 1000;
/// Farthest range of a weapon.
const MAX_RANGE: u32 = 3;
/// Highest initiative that is believed.
const MAX_INITIATIVE: u8 = 12;

/// Resolves one ship; `place` names it in errors, `ids` are all objects of the position.
pub(super) fn resolve_ship(
    ship: wire::Ship,
    place: &str,
    catalog: &Catalog,
    ids: &HashSet<String>,
    warnings: &mut Vec<Warning>,
) -> Result<Ship, PositionError> {
    let mut warn = |field: &str, message: String| {
        warnings.push(Warning {
            place: format!("{place}.{field}"),
            message,
        });
    };
    let at = |field: &str, message: String| PositionError::at(format!("{place}.{field}"), message);

    let facts = catalog.ship(&ship.ship);
    let size = match (facts, ship.size) {
        (Some(facts), Some(given)) if given != facts.size => {
            warn(
                "size",
                format!("the catalog's {} has another base size; this one is used", ship.ship),
            );
            given
        }
        (_, Some(given)) => given,
        (Some(facts), None) => facts.size,
        (None, None) => {
            let known = suggestion(&ship.ship, catalog.ships().iter().map(|facts| &*facts.xws));
            let message = format!(
                "the catalog has no ship `{}`{known}; correct the xws id, or give the ship's own `size`, `dial`, \
                 `weapons` and `actions`",
                ship.ship
            );
            return Err(at("ship", message));
        }
    };
    if facts.is_none() && (ship.dial.is_none() || ship.weapons.is_none() || ship.actions.is_none()) {
        let known = suggestion(&ship.ship, catalog.ships().iter().map(|facts| &*facts.xws));
        let message = format!(
            "the catalog has no ship `{}`{known}; what the position does not give of its dial, weapons and actions \
             counts as none",
            ship.ship
        );
        warn("ship", message);
    }
    let pilot = match &ship.pilot {
        None => None,
        Some(id) => {
            let pilot = catalog.pilot(id);
            match pilot {
                None => warn(
                    "pilot",
                    format!("the catalog has no pilot `{id}`; the ship type's facts are used"),
                ),
                Some(pilot) if pilot.ship != ship.ship => warn(
                    "pilot",
                    format!(
                        "`{id}` flies a {}, not a {}; the pilot's initiative is used all the same",
                        pilot.ship, ship.ship
                    ),
                ),
                Some(_) => {}
            }
            pilot
        }
    };
    let initiative = match (ship.initiative, pilot) {
        (Some(given), _) if given > MAX_INITIATIVE => {
            return Err(at(
                "initiative",
                format!("{given} is no initiative: give 0 to {MAX_INITIATIVE}"),
            ));
        }
        (Some(given), _) => given,
        (None, Some(pilot)) => pilot.initiative,
        (None, None) => {
            warn(
                "initiative",
                "not given, so 1 is used: give `initiative` or `pilot`".to_owned(),
            );
            1
        }
    };

    let dial = match &ship.dial {
        None => facts.map(|facts| facts.dial.clone()).unwrap_or_default(),
        Some(codes) => Arc::new(dial(codes, place)?),
    };
    let mut weapons = match ship.weapons {
        None => (pilot
            .and_then(|pilot| pilot.stats.as_ref())
            .map(|stats| stats.weapons.clone()))
        .or_else(|| facts.map(|facts| facts.stats.weapons.clone()))
        .unwrap_or_default(),
        Some(weapons) => own_primaries(weapons, place)?,
    };
    check_count(&format!("{place}.special"), ship.special.len(), MAX_LIST)?;
    for (index, special) in ship.special.into_iter().enumerate() {
        let place = format!("{place}.special[{index}]");
        weapons.extend(special_weapon(special, &place, catalog, warnings)?);
    }
    let actions = match ship.actions {
        None => (pilot.and_then(|pilot| pilot.actions.clone()))
            .or_else(|| facts.map(|facts| facts.actions.clone()))
            .unwrap_or_default(),
        Some(actions) => {
            check_count(&format!("{place}.actions"), actions.len(), MAX_LIST)?;
            actions.into_iter().map(Into::into).collect()
        }
    };
    let turret = turret(ship.turret, &weapons, place, warnings)?;
    let device = match ship.device {
        None => None,
        Some(device) => Some(Device {
            id: device.id.unwrap_or_else(|| "device".to_owned()),
            charges: charges(device.charges, device.max_charges, &format!("{place}.device"))?,
        }),
    };

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
        side: ship.side,
        chassis: ship.ship,
        size,
        pose: Pose::new(position.x, position.y, heading(place, ship.heading)?),
        initiative,
        status: ship.status,
        tokens,
        locks,
        turret,
        dial,
        weapons,
        actions,
        device,
        performed: ship.done,
        bumped,
        id: ship.id.into(),
    })
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

/// Primary weapons that the position gives itself.
fn own_primaries(weapons: Vec<wire::Primary>, place: &str) -> Result<Vec<Weapon>, PositionError> {
    check_count(&format!("{place}.weapons"), weapons.len(), MAX_LIST)?;
    weapons
        .into_iter()
        .enumerate()
        .map(|(index, weapon)| {
            let place = format!("{place}.weapons[{index}]");
            check_weapon(weapon.value, weapon.min, weapon.max, &place)?;
            Ok(Weapon {
                id: "primary".to_owned(),
                arc: weapon.arc,
                value: weapon.value,
                min_range: weapon.min,
                max_range: weapon.max,
                special: None,
            })
        })
        .collect()
}

/// A special weapon, what is left out taken from the catalog's upgrade; `None`, with a warning, if too little is known.
fn special_weapon(
    special: wire::Special,
    place: &str,
    catalog: &Catalog,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Weapon>, PositionError> {
    let side = catalog.upgrade(&special.id).and_then(|upgrade| {
        let armed = upgrade.sides.iter().find(|side| side.attack.is_some());
        armed.or(upgrade.sides.first())
    });
    let attack = side.and_then(|side| side.attack.as_ref());
    let (Some(arc), Some(value)) = (
        special.arc.or(attack.map(|attack| attack.arc)),
        special.value.or(attack.map(|attack| attack.value)),
    ) else {
        let why = match side {
            Some(_) => "is no weapon in the catalog",
            None => "is not in the catalog",
        };
        warnings.push(Warning {
            place: format!("{place}.id"),
            message: format!(
                "`{}` {why}; left aside. If it is one, give its `arc`, `value`, `min` and `max`",
                printable(&special.id)
            ),
        });
        return Ok(None);
    };
    let min = special.min.or(attack.map(|attack| attack.min_range)).unwrap_or(1);
    let max = special
        .max
        .or(attack.map(|attack| attack.max_range.min(MAX_RANGE)))
        .unwrap_or(MAX_RANGE);
    check_weapon(value, min, max, place)?;
    let card_charges = side.and_then(|side| side.charges).map(|pool| pool.value);
    let charges = match (special.charges, special.max_charges.or(card_charges)) {
        (None, None) => None,
        (None, Some(max)) => Some(charges(max, max, place)?),
        (Some(left), None) => Some(charges(left, left, place)?),
        (Some(left), Some(max)) => Some(charges(left, max, place)?),
    };
    let requires = match special.requires {
        Some(header) => header.into(),
        None => attack.map(|attack| attack.requires.clone()).unwrap_or_default(),
    };
    Ok(Some(Weapon {
        id: special.id,
        arc,
        value,
        min_range: min,
        max_range: max,
        special: Some(SpecialWeapon {
            slot: special
                .slot
                .or(side.map(|side| side.kind().to_owned()))
                .unwrap_or_default(),
            requires,
            charges,
        }),
    }))
}

fn check_weapon(value: u32, min: u32, max: u32, place: &str) -> Result<(), PositionError> {
    if value > MAX_COUNT {
        return Err(PositionError::at(
            format!("{place}.value"),
            format!("{value} attack dice are not believed"),
        ));
    }
    if min > max || max > MAX_RANGE {
        let message = format!("{min} to {max} is no range: give `min` and `max` from 0 to 3");
        return Err(PositionError::at(format!("{place}.max"), message));
    }
    Ok(())
}

fn charges(left: u32, max: u32, place: &str) -> Result<Charges, PositionError> {
    if left > max || max > MAX_COUNT {
        let message = format!("{left} of {max} charges: `charges` may not exceed `max_charges`");
        return Err(PositionError::at(format!("{place}.charges"), message));
    }
    Ok(Charges { left, max })
}

/// Where the turret points; a turret weapon whose indicator nobody gave points ahead, and that is said.
fn turret(
    given: Vec<ArcDirection>,
    weapons: &[Weapon],
    place: &str,
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
                message: format!("not given though the ship has a turret; it points to the {words}"),
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
