//! A ship file: the ship itself.

use std::sync::Arc;

use super::fields::Fields;
use crate::xwing::{
    catalog::{ShipFacts, facts::Statline},
    maneuver::{Dial, Maneuver},
    size::Size,
};

/// The ship of a file, of one faction, and that faction; `None` when it has no id, size or faction.
pub(super) fn read(fields: &Fields<'_>) -> Option<(ShipFacts, String)> {
    // Codes printed on the dial, the icon's address, and the publisher's own number.
    fields.leave_out(&["dialCodes", "icon", "ffg"]);
    let whole = "ship with its pilots";
    let xws = fields.required_text("xws", whole);
    let name = fields.text("name");
    let size_text = fields.required_text("size", whole);
    let faction = fields.required_text("faction", whole);
    let maneuvers: Vec<Maneuver> = fields.parsed("dial", "dial code", |code| code.parse().ok());
    let stats = fields.statline("stats");
    let actions = fields.actions("actions");
    // Asked for here, so that a ship that is left out does not report its pilots as unknown.
    fields.get("pilots");

    let size = size_text.and_then(|text| {
        let size = size(text);
        if size.is_none() {
            fields.warn("size", &format!("`{text}` is no known size; the {whole} is left out"));
        }
        size
    });
    let (xws, size, faction) = (xws?, size?, faction?);
    if fields.get("dial").is_none() {
        fields.warn("dial", "is missing; the ship has no maneuvers of its own");
    } else if maneuvers.is_empty() {
        fields.warn("dial", "holds no maneuver");
    }
    if stats == Statline::default() {
        fields.warn(
            "stats",
            "names no stat; the ship is unarmed and its hull and agility stay unknown",
        );
    } else if stats.hull.is_none() || stats.agility.is_none() {
        fields.warn("stats", "names no hull or no agility; that one stays unknown");
    }
    if actions.is_empty() {
        fields.warn("actions", "names no action; the ship has none of its own");
    }
    if name.is_none() {
        fields.warn("name", "there is none; the id is taken");
    }
    let faction = fields.faction("faction", faction);
    let ship = ShipFacts {
        xws: xws.to_owned(),
        name: name.unwrap_or(xws).to_owned(),
        factions: vec![faction.clone()],
        size,
        dial: Arc::new(Dial::new(maneuvers)),
        stats,
        actions,
        pilots: Vec::new(),
    };
    Some((ship, faction))
}

/// The size of that name.
pub(super) fn size(text: &str) -> Option<Size> {
    match text.to_ascii_lowercase().as_str() {
        "small" => Some(Size::Small),
        "medium" => Some(Size::Medium),
        "large" => Some(Size::Large),
        "huge" => Some(Size::Huge),
        _ => None,
    }
}
