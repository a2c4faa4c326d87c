//! Whether waves, variants and endings fit together (SA-13): who can come, comes; what can end, ends.

use std::collections::BTreeMap;

use super::{MOST, known_group, wrong};
use crate::xwing::scenario::{Condition, Scenario, ScenarioError, SideName, Wave};

/// No game lasts so many rounds.
const LAST_ROUND: u32 = 100;

/// Waves, variants, and that every group is placed by one of them.
pub(super) fn waves_fit(scenario: &Scenario) -> Result<(), ScenarioError> {
    let mut all: Vec<(String, &Wave)> = Vec::new();
    for (index, wave) in scenario.waves.iter().enumerate() {
        let place = format!("wave[{index}]");
        wave_fits(scenario, wave, &place)?;
        all.push((place, wave));
    }
    for (index, variant) in scenario.variants.iter().enumerate() {
        let place = format!("variant[{index}]");
        if variant.id.is_empty() {
            return Err(wrong(format!("{place}.id"), "is empty; give a short name"));
        }
        if scenario.variants[..index].iter().any(|other| other.id == variant.id) {
            let message = format!("`{}` is there twice; rename one of them", variant.id);
            return Err(wrong(format!("{place}.id"), message));
        }
        if variant.ace.is_none() && variant.waves.is_empty() {
            return Err(wrong(place, "changes nothing; give it an `ace` or a `wave`"));
        }
        for (number, wave) in variant.waves.iter().enumerate() {
            let place = format!("{place}.wave[{number}]");
            wave_fits(scenario, wave, &place)?;
            all.push((place, wave));
        }
        if let Some(ace) = &variant.ace {
            known_group(scenario, &ace.group, &format!("{place}.ace.group"))?;
        }
    }
    for (number, (place, wave)) in all.iter().enumerate() {
        let twin = all[..number].iter().find(|(_, other)| other == wave);
        if let Some((other, _)) = twin.filter(|(other, _)| other.starts_with("wave") == place.starts_with("wave")) {
            return Err(wrong(
                place,
                format!("is the same as {other}; give the sum in one of them"),
            ));
        }
    }
    for (index, group) in scenario.groups.iter().enumerate() {
        if !all.iter().any(|(_, wave)| wave.place.contains_key(&group.id)) {
            let message = format!("no wave places `{}`; add one, or leave the group out", group.id);
            return Err(wrong(format!("group[{index}].id"), message));
        }
    }
    enough_ships(scenario)
}

fn wave_fits(scenario: &Scenario, wave: &Wave, place: &str) -> Result<(), ScenarioError> {
    if wave.round > LAST_ROUND {
        let round = wave.round;
        return Err(wrong(
            format!("{place}.round"),
            format!("round {round} is never played; give at most {LAST_ROUND}"),
        ));
    }
    if wave.place.is_empty() {
        return Err(wrong(
            format!("{place}.place"),
            "places nobody; name a group, or leave the wave out",
        ));
    }
    for (group, count) in &wave.place {
        known_group(scenario, group, &format!("{place}.place"))?;
        if !(1..=MOST).contains(count) {
            return Err(wrong(
                format!("{place}.place.{group}"),
                format!("is {count}; give between 1 and {MOST}"),
            ));
        }
    }
    let Some(condition) = &wave.when else {
        return Ok(());
    };
    if wave.round == 0 {
        return Err(wrong(
            format!("{place}.when"),
            "nothing is destroyed at set-up; leave the condition out, or give a later round",
        ));
    }
    condition_fits(scenario, condition, &format!("{place}.when"))
}

fn condition_fits(scenario: &Scenario, condition: &Condition, place: &str) -> Result<(), ScenarioError> {
    if condition.destroyed.is_empty() {
        return Err(wrong(
            format!("{place}.destroyed"),
            "name the groups whose losses count",
        ));
    }
    for (index, group) in condition.destroyed.iter().enumerate() {
        known_group(scenario, group, &format!("{place}.destroyed"))?;
        if condition.destroyed[..index].contains(group) {
            let message = format!("`{group}` is there twice; its losses would count double");
            return Err(wrong(format!("{place}.destroyed"), message));
        }
    }
    let (least, most) = (condition.at_least, condition.at_most);
    if least.is_none() && most.is_none() {
        return Err(wrong(place, "give at_least or at_most"));
    }
    if let (Some(least), Some(most)) = (least, most)
        && least > most
    {
        let message = format!("at least {least} and at most {most} never hold together; give at_least <= at_most");
        return Err(wrong(place, message));
    }
    let groups = || condition.destroyed.iter().filter_map(|id| scenario.group(id));
    let ships: u32 = groups().flat_map(|group| &group.ships).map(|ships| ships.count).sum();
    if let Some(least) = least.filter(|least| *least > ships && !groups().any(|group| group.destroyed_return)) {
        let message = format!("{least} ships can never be destroyed: these groups have {ships}; give at most so many");
        return Err(wrong(format!("{place}.at_least"), message));
    }
    Ok(())
}

/// That a group whose destroyed ships do not come back has the ships that its waves surely ask for.
fn enough_ships(scenario: &Scenario) -> Result<(), ScenarioError> {
    let mut asked: BTreeMap<&str, u32> = BTreeMap::new();
    for (index, wave) in scenario.waves.iter().enumerate() {
        for (id, count) in &wave.place {
            let Some(group) = scenario.group(id).filter(|group| !group.destroyed_return) else {
                continue;
            };
            // Waves under a condition may shut each other out.
            let before = asked.get(id.as_str()).copied().unwrap_or(0);
            let sum = before + count;
            if wave.when.is_none() {
                asked.insert(&group.id, sum);
            }
            let has: u32 = group.ships.iter().map(|ships| ships.count).sum();
            if sum > has {
                return Err(wrong(
                    format!("wave[{index}].place.{id}"),
                    format!(
                        "asks for {sum} ships of `{id}` with the waves before it, and the group has {has}; give it more \
                         `ships`, or `destroyed_return = true`"
                    ),
                ));
            }
        }
    }
    Ok(())
}

/// Endings, each of which can come, and none before the game has begun.
pub(super) fn endings_fit(scenario: &Scenario) -> Result<(), ScenarioError> {
    if scenario.endings.is_empty() {
        return Err(wrong(
            "ending",
            "there is none, so the game would never end; add an [[ending]]",
        ));
    }
    for (index, ending) in scenario.endings.iter().enumerate() {
        let place = format!("ending[{index}]");
        if ending.says.trim().is_empty() {
            return Err(wrong(
                format!("{place}.says"),
                "is empty; say what the players are told",
            ));
        }
        let before = scenario.endings[..index].iter();
        let mut before =
            before.filter(|other| other.without == ending.without && other.from_round <= ending.from_round);
        if before.next().is_some() {
            let side = ending.without.as_str();
            return Err(wrong(
                place,
                format!("an ending without {side} ships comes before it; leave one out, or give an earlier from_round"),
            ));
        }
        let begins = |wave: &&Wave| {
            wave.round < ending.from_round.max(1) && {
                let mut placed = wave.place.keys().filter_map(|id| scenario.group(id));
                placed.any(|group| group.side == ending.without)
            }
        };
        if !scenario.waves.iter().any(|wave| begins(&wave)) {
            let side = ending.without.as_str();
            return Err(wrong(
                place,
                format!(
                    "no {side} ship is placed before round {}, so it would come at once; place one earlier, or give a later from_round",
                    ending.from_round.max(1)
                ),
            ));
        }
    }
    for side in [SideName::Player, SideName::Solo] {
        if !scenario.groups.iter().any(|group| group.side == side) {
            let side = side.as_str();
            return Err(wrong("group", format!("there is none of the side `{side}`; add one")));
        }
    }
    Ok(())
}
