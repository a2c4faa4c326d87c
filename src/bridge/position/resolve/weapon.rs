//! Weapons and charges of one ship.

use super::{MAX_LIST, Warning, check_count, printable};
use crate::{
    bridge::position::{PositionError, wire},
    xwing::{
        catalog::Catalog,
        weapon::{Charges, Permits, SpecialWeapon, Weapon},
    },
};

/// Most attack dice or charges that are believed.
const MAX_COUNT: u32 = 1000;

/// Primary weapons that the position gives itself, of a ship whose weapons reach so far at most (FE-0.3).
pub(super) fn own_primaries(
    weapons: Vec<wire::Primary>,
    farthest: u32,
    place: &str,
) -> Result<Vec<Weapon>, PositionError> {
    check_count(&format!("{place}.weapons"), weapons.len(), MAX_LIST)?;
    weapons
        .into_iter()
        .enumerate()
        .map(|(index, weapon)| {
            let place = format!("{place}.weapons[{index}]");
            check_weapon(weapon.value, (weapon.min, weapon.max), farthest, &place)?;
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

/// A special weapon, what is left out taken from the catalog's upgrade; `None`, with a warning, if too little is known. The
/// weapons of its ship reach so far at most (FE-0.3).
pub(super) fn special_weapon(
    special: wire::Special,
    farthest: u32,
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
        special.value.or(attack.and_then(|attack| attack.value)),
    ) else {
        let why = match side {
            Some(_) if attack.is_some() => "has no attack value in the catalog",
            Some(_) => "is no weapon in the catalog",
            None => "is not in the catalog",
        };
        warnings.push(Warning {
            place: format!("{place}.id"),
            message: match attack {
                // FE-SOLO-9: it is asked for, never guessed.
                Some(_) => format!(
                    "`{id}` {why}; left aside. Read it on the card and give its `value`, or `--value {id}=N`",
                    id = printable(&special.id)
                ),
                None => format!(
                    "`{}` {why}; left aside. If it is one, give its `arc`, `value`, `min` and `max`",
                    printable(&special.id)
                ),
            },
        });
        return Ok(None);
    };
    let min = special.min.or(attack.map(|attack| attack.min_range)).unwrap_or(1);
    let max = special
        .max
        .or(attack.map(|attack| attack.max_range.min(farthest)))
        .unwrap_or(3);
    check_weapon(value, (min, max), farthest, place)?;
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
    let slot = special
        .slot
        .or(side.map(|side| side.kind().to_owned()))
        .unwrap_or_default();
    // Of a weapon that the catalog does not know, the slot tells: torpedoes and missiles are ordnance.
    let ordnance = attack.map_or_else(
        || matches!(slot.as_str(), "Torpedo" | "Missile"),
        |attack| attack.ordnance,
    );
    Ok(Some(Weapon {
        id: special.id,
        arc,
        value,
        min_range: min,
        max_range: max,
        special: Some(SpecialWeapon {
            slot,
            requires,
            spends: attack.is_some_and(|attack| attack.spends),
            ordnance,
            charges,
            permits: Permits::default(),
        }),
    }))
}

fn check_weapon(value: u32, (min, max): (u32, u32), farthest: u32, place: &str) -> Result<(), PositionError> {
    if value > MAX_COUNT {
        return Err(PositionError::at(
            format!("{place}.value"),
            format!("{value} attack dice are not believed"),
        ));
    }
    if min > max || max > farthest {
        let message = format!("{min} to {max} is no range: give `min` and `max` from 0 to {farthest}");
        return Err(PositionError::at(format!("{place}.max"), message));
    }
    Ok(())
}

pub(super) fn charges(left: u32, max: u32, place: &str) -> Result<Charges, PositionError> {
    if left > max || max > MAX_COUNT {
        let message = format!("{left} of {max} charges: `charges` may not exceed `max_charges`");
        return Err(PositionError::at(format!("{place}.charges"), message));
    }
    Ok(Charges { left, max })
}
