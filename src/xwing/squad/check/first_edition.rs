//! FE-1.3, FE-1.4: names that may occur once, an icon for each upgrade, and who may have it.

use std::collections::BTreeMap;

use super::{Problem, faction, problem};
use crate::xwing::{
    catalog::{
        Catalog, PilotFacts, Resolved, UpgradeFacts,
        facts::{Cost, Grant, Restriction},
        normalized,
    },
    edition::SameName,
    squad::{Squad, SquadShip},
};

/// Every ship has an icon for one of each of these, though its card does not show it (FE-1.4).
const EVERY_SHIP: [&str; 2] = ["Modification", "Title"];
/// Of these a ship has no two that are the same: whatever gives it a second icon says so.
const DIFFERENT: [&str; 3] = ["Elite", "Modification", "Title"];

/// What the squad's cards break.
pub(super) fn cards(squad: &Squad, catalog: &Catalog, names: SameName) -> Vec<Problem> {
    let mut problems = Vec::new();
    for ship in &squad.ships {
        let (Some(pilot), Some(resolved)) = (ship.pilot(catalog), ship.resolve(catalog)) else {
            continue;
        };
        problems.extend(faction(ship, pilot, squad, catalog));
        let bought = ship.bought(catalog);
        let icons = icons(pilot, &bought);
        for upgrade in without_icon(&icons, &bought) {
            let (card, slot) = (&upgrade.xws, upgrade.sides.first().map_or("", |side| side.kind()));
            let message = format!("`{card}` finds no {slot} icon left on `{}`; take it out", pilot.xws);
            problems.push(problem(&ship.place, message));
        }
        copies(ship, &bought, &mut problems);
        for upgrade in once(&bought) {
            for entry in &upgrade.restrictions {
                together(upgrade, entry, &bought, &ship.place, &mut problems);
                if let Err(only) = holds(entry, pilot, &resolved, &icons) {
                    let message = format!(
                        "`{}` is not for `{}`, only for {only}; take it out",
                        upgrade.xws, pilot.xws
                    );
                    problems.push(problem(&ship.place, message));
                }
            }
        }
    }
    same_names(squad, catalog, names, &mut problems);
    problems
}

/// What an upgrade asks of the others of its ship: a card beside it, unique cards in a slot.
fn together(
    upgrade: &UpgradeFacts,
    entry: &Restriction,
    bought: &[&UpgradeFacts],
    at: &str,
    problems: &mut Vec<Problem>,
) {
    let card = &upgrade.xws;
    for other in &entry.beside {
        if !bought.iter().any(|own| own.xws == *other) {
            let message = format!("`{card}` must have `{other}` beside it; add that, or take `{card}` out");
            problems.push(problem(at, message));
        }
    }
    for slot in &entry.unique_in {
        let takes = |own: &&&UpgradeFacts| own.sides.first().is_some_and(|side| side.slots.contains(slot));
        for other in bought.iter().filter(takes).filter(|own| own.limited == 0) {
            let message = format!(
                "`{}` is not unique, and with `{card}` a ship has unique {slot} cards only; take one of them out",
                other.xws
            );
            problems.push(problem(at, message));
        }
    }
}

/// Each card once, however many copies there are.
fn once<'c>(bought: &[&'c UpgradeFacts]) -> Vec<&'c UpgradeFacts> {
    let mut cards: Vec<&UpgradeFacts> = Vec::new();
    for upgrade in bought {
        if !cards.iter().any(|card| card.xws == upgrade.xws) {
            cards.push(upgrade);
        }
    }
    cards
}

/// An upgrade icon: which upgrades fit it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Icon {
    slots: Vec<String>,
    max_cost: Option<i32>,
}

impl Icon {
    fn of(slot: &str) -> Icon {
        Icon {
            slots: vec![slot.to_owned()],
            max_cost: None,
        }
    }

    fn is_plain(&self, slot: &str) -> bool {
        self.slots == [slot] && self.max_cost.is_none()
    }

    fn fits(&self, slot: &str, upgrade: &UpgradeFacts) -> bool {
        let cost = match upgrade.cost {
            Some(Cost::Fixed(cost)) => cost,
            _ => 0,
        };
        self.slots.iter().any(|own| own == slot) && self.max_cost.is_none_or(|most| cost <= most)
    }
}

/// The icons of a ship: those of its card, a modification and a title, with what its upgrades add and take away.
fn icons(pilot: &PilotFacts, bought: &[&UpgradeFacts]) -> Vec<Icon> {
    let every = EVERY_SHIP.into_iter().map(Icon::of);
    let mut icons: Vec<Icon> = pilot.slots.iter().map(|slot| Icon::of(slot)).chain(every).collect();
    let sides = bought.iter().filter_map(|upgrade| upgrade.sides.first());
    let (gains, losses): (Vec<&Grant>, Vec<&Grant>) = sides
        .flat_map(|side| &side.grants)
        .partition(|grant| !matches!(grant, Grant::Slot { amount, .. } if *amount < 0));
    for grant in losses {
        let Grant::Slot { slot, amount, .. } = grant else {
            continue;
        };
        for _ in 0..amount.unsigned_abs() {
            match icons.iter().rposition(|icon| icon.is_plain(slot)) {
                Some(place) => icons.remove(place),
                None => break,
            };
        }
    }
    for grant in gains {
        match grant {
            Grant::Slot { slot, amount, max_cost } => {
                let icon = Icon {
                    max_cost: *max_cost,
                    ..Icon::of(slot)
                };
                icons.extend(std::iter::repeat_n(icon, amount.unsigned_abs() as usize));
            }
            Grant::SlotChoice(slots) => icons.push(Icon {
                slots: slots.clone(),
                max_cost: None,
            }),
            _ => {}
        }
    }
    icons
}

/// The upgrades that find no icon when as many as can be have one.
fn without_icon<'c>(icons: &[Icon], bought: &[&'c UpgradeFacts]) -> Vec<&'c UpgradeFacts> {
    // What another card of the ship asks for comes with it, whatever the ship's icons.
    let brought = |upgrade: &UpgradeFacts| {
        let mut entries = bought.iter().flat_map(|other| &other.restrictions);
        entries.any(|entry| entry.beside.contains(&upgrade.xws))
    };
    // One entry for each icon that an upgrade takes: some take two.
    let wanted: Vec<(&UpgradeFacts, &str)> = (bought.iter())
        .filter(|upgrade| !brought(upgrade))
        .flat_map(|upgrade| {
            let slots = upgrade.sides.first().map_or(&[][..], |side| &side.slots);
            slots.iter().map(|slot| (*upgrade, slot.as_str()))
        })
        .collect();
    let mut taken: Vec<Option<usize>> = vec![None; icons.len()];
    let mut left: Vec<&UpgradeFacts> = Vec::new();
    for (index, (upgrade, _)) in wanted.iter().enumerate() {
        if !place(index, &wanted, icons, &mut taken, &mut vec![false; icons.len()])
            && !left.iter().any(|other| std::ptr::eq(*other, *upgrade))
        {
            left.push(upgrade);
        }
    }
    left
}

/// Finds an icon for an entry, moving others to icons that fit them too.
fn place(
    index: usize,
    wanted: &[(&UpgradeFacts, &str)],
    icons: &[Icon],
    taken: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    let (upgrade, slot) = wanted[index];
    for (spot, icon) in icons.iter().enumerate() {
        if seen[spot] || !icon.fits(slot, upgrade) {
            continue;
        }
        seen[spot] = true;
        let free = match taken[spot] {
            None => true,
            Some(other) => place(other, wanted, icons, taken, seen),
        };
        if free {
            taken[spot] = Some(index);
            return true;
        }
    }
    false
}

/// FE-1.4: a limited card once a ship, and no second one of those that must be different.
fn copies(ship: &SquadShip, bought: &[&UpgradeFacts], problems: &mut Vec<Problem>) {
    for upgrade in once(bought) {
        let count = bought.iter().filter(|other| other.xws == upgrade.xws).count();
        let kind = upgrade.sides.first().map_or("", |side| side.kind());
        if count > 1 && (upgrade.once_per_ship || DIFFERENT.contains(&kind)) {
            let why = match upgrade.once_per_ship {
                true => "is limited".to_owned(),
                false => format!("is the same {kind} twice"),
            };
            let message = format!(
                "`{}` {why}: a ship may have one; take {} of them out",
                upgrade.xws,
                count - 1
            );
            problems.push(problem(&ship.place, message));
        }
    }
}

/// Whether an entry of an upgrade's restrictions holds, by the values that the ship has with its upgrades; else what it asks
/// for.
fn holds(entry: &Restriction, pilot: &PilotFacts, ship: &Resolved, icons: &[Icon]) -> Result<(), String> {
    let mut only: Vec<String> = Vec::new();
    let mut check = |holds: bool, words: String| {
        if !holds {
            only.push(words);
        }
    };
    if !entry.factions.is_empty() {
        check(entry.factions.contains(&pilot.faction), entry.factions.join(" and "));
    }
    if !entry.ships.is_empty() {
        check(entry.ships.contains(&pilot.ship), entry.ships.join(", "));
    }
    if !entry.sizes.is_empty() {
        let sizes: Vec<String> = entry
            .sizes
            .iter()
            .map(|size| format!("{size:?}").to_lowercase())
            .collect();
        check(
            entry.sizes.contains(&ship.size),
            format!("{} ships", sizes.join(" and ")),
        );
    }
    if let (Some(least), Some(skill)) = (entry.min_initiative, ship.initiative) {
        check(skill >= least, format!("pilot skill {least} and more"));
    }
    if let (Some(most), Some(hull)) = (entry.max_hull, ship.hull) {
        check(hull <= most, format!("hull up to {most}"));
    }
    let numbers = |values: &[u32]| values.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    if !entry.shields.is_empty() {
        check(
            entry.shields.contains(&ship.shields),
            format!("shields of {}", numbers(&entry.shields)),
        );
    }
    if let (false, Some(agility)) = (entry.agility.is_empty(), ship.agility) {
        check(
            entry.agility.contains(&agility),
            format!("agility of {}", numbers(&entry.agility)),
        );
    }
    if let Some(action) = &entry.action {
        let has = ship.actions.iter().any(|own| own.action.kind.name() == action);
        check(has, format!("ships with the action {action}"));
    }
    for slot in &entry.slots {
        let has = icons.iter().any(|icon| icon.slots.contains(slot));
        check(has, format!("ships with a {slot} icon"));
    }
    if !entry.without_slot.is_empty() {
        let printed = pilot.slots.contains(&entry.without_slot);
        check(!printed, format!("ships without a {} icon", entry.without_slot));
    }
    if only.is_empty() { Ok(()) } else { Err(only.join(", ")) }
}

/// FE-1.3: what is unique occurs once, whatever cards bear the name; FE-14.10: and no two pilots of one name.
fn same_names(squad: &Squad, catalog: &Catalog, names: SameName, problems: &mut Vec<Problem>) {
    struct Uses<'s> {
        name: &'s str,
        limit: u32,
        places: Vec<&'s str>,
    }
    let mut uses: BTreeMap<String, Uses<'_>> = BTreeMap::new();
    for ship in &squad.ships {
        let pilot = ship.pilot(catalog).map(|pilot| {
            let limit = match names {
                SameName::NoPilotTwice => 1,
                SameName::Unique | SameName::Limited => pilot.limited,
            };
            (pilot.name.as_str(), limit)
        });
        let upgrades = ship.upgrades.iter().filter_map(|upgrade| catalog.upgrade(upgrade));
        let upgrades = upgrades.map(|upgrade| (upgrade.name.as_str(), upgrade.limited));
        for (name, limit) in pilot.into_iter().chain(upgrades).filter(|(_, limit)| *limit > 0) {
            // Quotation marks do not make another person of him.
            let entry = uses.entry(normalized(name)).or_insert(Uses {
                name,
                limit,
                places: Vec::new(),
            });
            entry.limit = entry.limit.min(limit);
            entry.places.push(&ship.place);
        }
    }
    for Uses { name, limit, places } in uses.into_values() {
        if places.len() > limit as usize {
            let (count, at) = (places.len(), places.join(", "));
            let most = match limit {
                1 => "once".to_owned(),
                limit => format!("{limit} times"),
            };
            let message =
                format!("`{name}` is there {count} times ({at}), and may be there {most}; take the others out");
            problems.push(problem("squad", message));
        }
    }
}
