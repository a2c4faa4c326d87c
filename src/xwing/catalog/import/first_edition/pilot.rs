//! Pilots of the first edition.

use super::{Fields, Names, ship::auxiliary_arc};
use crate::xwing::catalog::{
    PilotFacts, ShipFacts,
    facts::{SlotArc, Statline},
};

/// A pilot; `None` when it has no id, ship, faction or pilot skill.
pub(super) fn read(fields: &Fields<'_>, names: &Names, ships: &[ShipFacts]) -> Option<PilotFacts> {
    // The data's number, card text, picture. The range is that of a huge ship's own weapon, whose arcs are not given.
    fields.leave_out(&["id", "text", "image", "range"]);
    let xws = fields.required_text("xws", "pilot");
    let name = fields.text("name");
    let ship = fields.required_text("ship", "pilot");
    let faction = fields.required_text("faction", "pilot");
    let skill = fields.required_number("skill", "pilot");
    let cost = fields.number("points");
    let slots = fields.slots("slots");
    let unique = fields.flag("unique");
    let conditions = names.conditions(fields);
    let slot_arcs = slot_arcs(fields);
    let ship = names.ship(fields, "ship", ship?);
    let base = ships.iter().find(|facts| facts.xws == ship);
    let stats = base.and_then(|base| stats(fields, &base.stats));
    Some(PilotFacts {
        xws: xws?.to_owned(),
        name: name.or(xws)?.to_owned(),
        caption: String::new(),
        ship,
        faction: fields.faction("faction", faction?),
        initiative: skill?,
        engagement: None,
        limited: u32::from(unique),
        cost,
        loadout: None,
        slots,
        keywords: Vec::new(),
        charges: None,
        force: None,
        actions: None,
        stats,
        without_text: fields.text("text").is_none(),
        ship_ability: String::new(),
        conditions,
        standard_loadout: Vec::new(),
        slot_arcs,
    })
}

/// The statline of a pilot whose card has other values than the ship's.
fn stats(fields: &Fields<'_>, ship: &Statline) -> Option<Statline> {
    let own = fields.object("ship_override")?;
    let mut stats = ship.clone();
    if let Some(value) = own.number("attack") {
        stats.weapons.iter_mut().for_each(|weapon| weapon.value = value);
    }
    stats.agility = own.number("agility").or(stats.agility);
    stats.hull = own.number("hull").or(stats.hull);
    stats.shields = own.number("shields").unwrap_or(stats.shields);
    own.finish();
    Some(stats)
}

/// Arcs in which secondary weapons of a slot may be fired.
fn slot_arcs(fields: &Fields<'_>) -> Vec<SlotArc> {
    let read = |grant: &Fields<'_>| {
        let (kind, arc, slot) = (grant.text("type"), grant.text("name"), grant.text("slot"));
        grant.finish();
        let arc = arc.and_then(auxiliary_arc).filter(|_| kind == Some("firing_arc"));
        let (Some(arc), Some(slot)) = (arc, slot) else {
            grant.warn("", "is no arc for a slot; it is left out");
            return None;
        };
        let slot = grant.slot("slot", slot);
        Some(SlotArc { slot, arc })
    };
    fields.records("grants").iter().filter_map(read).collect()
}
