//! The pilots of a ship file.

use super::fields::Fields;
use crate::xwing::catalog::PilotFacts;

/// A pilot of that ship and faction; `None` when it has no id or initiative.
pub(super) fn read(fields: &Fields<'_>, ship: &str, faction: &str) -> Option<PilotFacts> {
    // Card text, pictures, the publisher's number, and which squad-building formats allow the card.
    fields.leave_out(&[
        "ability",
        "text",
        "image",
        "artwork",
        "alt",
        "ffg",
        "hyperspace",
        "standard",
        "extended",
        "wildspace",
        "epic",
    ]);
    let xws = fields.required_text("xws", "pilot");
    let initiative = fields.required_number("initiative", "pilot");
    let name = fields.text("name");
    if name.is_none() {
        fields.warn("name", "there is none; the id is taken");
    }
    let ship_ability = fields.object("shipAbility").and_then(|ability| {
        ability.leave_out(&["text"]);
        let name = ability.text("name");
        ability.finish();
        name
    });
    let pilot = PilotFacts {
        xws: xws.unwrap_or_default().to_owned(),
        name: name.or(xws).unwrap_or_default().to_owned(),
        caption: fields.text("caption").unwrap_or_default().to_owned(),
        ship: ship.to_owned(),
        faction: faction.to_owned(),
        initiative: initiative.unwrap_or_default(),
        engagement: fields.number("engagement"),
        limited: fields.number("limited").unwrap_or(0),
        cost: fields.number("cost"),
        loadout: fields.number("loadout"),
        slots: fields.slots("slots"),
        keywords: fields.texts("keywords"),
        charges: fields.pool("charges"),
        force: fields.force("force"),
        actions: fields.get("shipActions").map(|_| fields.actions("shipActions")),
        stats: fields.get("shipStats").map(|_| fields.statline("shipStats")),
        without_text: false,
        ship_ability: ship_ability.unwrap_or_default().to_owned(),
        conditions: fields.texts("conditions"),
        standard_loadout: fields.texts("standardLoadout"),
        slot_arcs: Vec::new(),
    };
    fields.finish();
    (xws.is_some() && initiative.is_some()).then_some(pilot)
}
