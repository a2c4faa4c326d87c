//! Whether the parts of a scenario fit together, and whether the catalog knows its ships.

use super::{FORMAT, Scenario, ScenarioError, Wave, muster::generic_pilots};
use crate::xwing::catalog::Catalog;

/// The largest play area, mm; beyond it a unit is mistaken.
const LARGEST_MM: f64 = 4000.0;
/// No more obstacles, markers, ships of a group or player ships than this.
const MOST: u32 = 24;

fn wrong(place: impl Into<String>, message: impl Into<String>) -> ScenarioError {
    ScenarioError::Value {
        place: place.into(),
        message: message.into(),
    }
}

/// Checks what can be checked without a catalog.
pub(super) fn consistent(scenario: &Scenario) -> Result<(), ScenarioError> {
    if scenario.format != FORMAT {
        let found = &scenario.format;
        return Err(wrong("format", format!("is `{found}`; this program reads `{FORMAT}`")));
    }
    for (place, mm) in [
        ("area.width_mm", scenario.area.width_mm),
        ("area.height_mm", scenario.area.height_mm),
    ] {
        if !(100.0..=LARGEST_MM).contains(&mm) {
            return Err(wrong(
                place,
                format!("is {mm}; give millimetres between 100 and {LARGEST_MM}"),
            ));
        }
    }
    let players = scenario.player_ships;
    if players.usual == 0 || players.usual > players.most || players.most > MOST {
        return Err(wrong("player_ships", format!("give 1 <= usual <= most <= {MOST}")));
    }
    let markers = &scenario.markers;
    if markers.count > MOST {
        return Err(wrong("markers.count", format!("give at most {MOST}")));
    }
    if !(markers.size_mm > 0.0 && markers.size_mm <= 200.0) {
        return Err(wrong("markers.size_mm", "give millimetres between 0 and 200"));
    }
    if markers.count > 0 && markers.deployment_sides.is_empty() {
        return Err(wrong("markers.deployment_sides", "name at least one side"));
    }
    if scenario.obstacles.pieces.len() > MOST as usize {
        return Err(wrong("obstacles.pieces", format!("give at most {MOST}")));
    }
    for (index, group) in scenario.groups.iter().enumerate() {
        let place = format!("group[{index}]");
        let id = &group.id;
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
            return Err(wrong(
                format!("{place}.id"),
                format!("`{id}`: use small letters and `_`"),
            ));
        }
        if scenario.groups[..index].iter().any(|other| other.id == *id) {
            return Err(wrong(format!("{place}.id"), format!("`{id}` is there twice")));
        }
        let count: u32 = group.ships.iter().fold(0, |sum, ships| sum.saturating_add(ships.count));
        if !(1..=MOST).contains(&count) {
            return Err(wrong(
                format!("{place}.ships"),
                format!("give between 1 and {MOST} ships"),
            ));
        }
        if group.arrives == super::Arrives::Marker && markers.count == 0 {
            return Err(wrong(
                format!("{place}.arrives"),
                "there are no markers; set markers.count, or let it arrive elsewhere",
            ));
        }
        if matches!(&group.arrives, super::Arrives::Corner(corners) if corners.is_empty()) {
            return Err(wrong(format!("{place}.arrives"), "name at least one corner"));
        }
    }
    for (index, wave) in scenario.waves.iter().enumerate() {
        wave_fits(scenario, wave, &format!("wave[{index}]"))?;
    }
    for (index, variant) in scenario.variants.iter().enumerate() {
        for (number, wave) in variant.waves.iter().enumerate() {
            wave_fits(scenario, wave, &format!("variant[{index}].wave[{number}]"))?;
        }
        if let Some(ace) = &variant.ace {
            known_group(scenario, &ace.group, &format!("variant[{index}].ace.group"))?;
        }
    }
    for (index, squad) in scenario.squads.iter().enumerate() {
        for (group, choices) in &squad.ships {
            let place = format!("squad[{index}].ships.{group}");
            known_group(scenario, group, &place)?;
            if choices.is_empty() {
                return Err(wrong(place, "name at least one ship, or leave the group out"));
            }
        }
    }
    Ok(())
}

fn known_group(scenario: &Scenario, group: &str, place: &str) -> Result<(), ScenarioError> {
    if scenario.group(group).is_some() {
        return Ok(());
    }
    let known: Vec<&str> = scenario.groups.iter().map(|group| group.id.as_str()).collect();
    let known = known.join(", ");
    Err(wrong(place, format!("there is no group `{group}`; there are {known}")))
}

fn wave_fits(scenario: &Scenario, wave: &Wave, place: &str) -> Result<(), ScenarioError> {
    for (group, count) in &wave.place {
        known_group(scenario, group, &format!("{place}.place"))?;
        if *count > MOST {
            return Err(wrong(format!("{place}.place.{group}"), format!("give at most {MOST}")));
        }
    }
    if let Some(condition) = &wave.when {
        for group in &condition.destroyed {
            known_group(scenario, group, &format!("{place}.when.destroyed"))?;
        }
        if condition.at_least.is_none() && condition.at_most.is_none() {
            return Err(wrong(format!("{place}.when"), "give at_least or at_most"));
        }
        if wave.round == 0 {
            return Err(wrong(
                format!("{place}.when"),
                "nothing is destroyed at set-up; leave the condition out, or give a later round",
            ));
        }
    }
    Ok(())
}

impl Scenario {
    /// What the catalog does not know of this scenario's ships, pilots, upgrades and obstacles; nothing if it knows all.
    pub fn unknown_to(&self, catalog: &Catalog) -> Vec<ScenarioError> {
        let mut found = Vec::new();
        for (index, piece) in self.obstacles.pieces.iter().enumerate() {
            if catalog.outlines().find(piece).is_none() {
                let place = format!("obstacles.pieces[{index}]");
                found.push(wrong(
                    place,
                    format!("no obstacle `{piece}` is known; data/obstacles.toml lists them"),
                ));
            }
        }
        for (index, squad) in self.squads.iter().enumerate() {
            let upgrades_known = |place: &str, upgrades: &[String], found: &mut Vec<ScenarioError>| {
                for upgrade in upgrades.iter().filter(|upgrade| catalog.upgrade(upgrade).is_none()) {
                    found.push(wrong(
                        place,
                        format!("the upgrade `{upgrade}` is not known; check its xws id"),
                    ));
                }
            };
            for (group, choices) in &squad.ships {
                for (number, choice) in choices.iter().enumerate() {
                    let place = format!("squad[{index}].ships.{group}[{number}]");
                    let ship = &choice.ship;
                    if generic_pilots(catalog, ship, &squad.faction).is_empty() {
                        let faction = &squad.faction;
                        let message = format!("{faction} has no non-limited pilot of `{ship}`; check its xws id");
                        found.push(wrong(&place, message));
                    }
                    upgrades_known(&place, &choice.upgrades, &mut found);
                }
            }
            for (ship, ace) in &squad.aces {
                let place = format!("squad[{index}].aces.{ship}");
                match catalog.pilot(&ace.pilot) {
                    Some(pilot) if pilot.ship == *ship && pilot.faction == squad.faction && pilot.limited > 0 => {}
                    Some(_) => {
                        let message = format!("`{}` is no limited pilot of that ship and faction", ace.pilot);
                        found.push(wrong(&place, message));
                    }
                    None => found.push(wrong(&place, format!("the pilot `{}` is not known", ace.pilot))),
                }
                upgrades_known(&place, &ace.upgrades, &mut found);
            }
        }
        found
    }
}
