//! Upgrade files: a list of cards, each with its sides.

use serde_json::Value;

use super::{fields::Fields, ship::size};
use crate::xwing::{
    catalog::{
        facts::{AttackFacts, AttackMode, Cost, DeviceFacts, DeviceKind, Grant, Restriction, SideFacts, UpgradeFacts},
        notation,
    },
    weapon::Requirement,
};

/// An upgrade; `None` when it has no id or no side.
pub(super) fn read(fields: &Fields<'_>) -> Option<UpgradeFacts> {
    // Which squad-building formats allow the card.
    fields.leave_out(&["hyperspace", "standard", "extended", "wildspace", "epic"]);
    let xws = fields.required_text("xws", "upgrade");
    let name = fields.text("name");
    let mut restrictions = restrictions(fields);
    let mut sides = Vec::new();
    for side in fields.records("sides") {
        for restriction in self::restrictions(&side) {
            if !restrictions.contains(&restriction) {
                restrictions.push(restriction);
            }
        }
        sides.push(read_side(&side, name.unwrap_or_default()));
    }
    let upgrade = UpgradeFacts {
        xws: xws?.to_owned(),
        name: name.or(xws)?.to_owned(),
        limited: fields.number("limited").unwrap_or(0),
        cost: cost(fields),
        restrictions,
        standard_loadout_only: fields.flag("standardLoadoutOnly"),
        once_per_ship: false,
        action: false,
        sides,
    };
    if name.is_none() {
        fields.warn("name", "there is none; the id is taken");
    }
    if upgrade.sides.is_empty() {
        fields.warn("sides", "there is none; the upgrade is left out");
        return None;
    }
    Some(upgrade)
}

fn read_side(side: &Fields<'_>, name: &str) -> SideFacts {
    // Card text, pictures, and the publisher's number. The text is looked at for the attack's header only.
    side.leave_out(&["text", "image", "artwork", "alt", "ffg"]);
    let mut slots = side.slots("slots");
    if let Some(kind) = side.text("type") {
        let kind = side.slot("type", kind);
        // The type is the first slot in all known data; if it is not, it counts all the same.
        if slots.first() != Some(&kind) {
            slots.retain(|slot| *slot != kind);
            slots.insert(0, kind);
        }
    }
    if slots.is_empty() {
        side.warn("slots", "there is none; the side has no type");
    }
    let mut grants: Vec<Grant> = side.records("grants").iter().filter_map(grant).collect();
    for action in side.actions("actions") {
        // Some cards list a granted action in both places.
        if !grants.contains(&Grant::Action(action)) {
            grants.push(Grant::Action(action));
        }
    }
    let text = side.text("ability").unwrap_or_default();
    let ship_ability = side.object("shipAbility").and_then(|ability| {
        ability.leave_out(&["text"]);
        let name = ability.text("name");
        ability.finish();
        name
    });
    let facts = SideFacts {
        title: side
            .text("title")
            .filter(|title| *title != name)
            .unwrap_or_default()
            .to_owned(),
        attack: side
            .object("attack")
            .and_then(|attack| read_attack(side, &attack, &grants, text)),
        slots,
        charges: side.pool("charges"),
        force: side.force("force"),
        grants,
        device: side.object("device").and_then(|device| read_device(&device)),
        ship_ability: ship_ability.unwrap_or_default().to_owned(),
        conditions: side.texts("conditions"),
    };
    side.finish();
    facts
}

fn read_attack(side: &Fields<'_>, attack: &Fields<'_>, grants: &[Grant], text: &str) -> Option<AttackFacts> {
    for key in ["arc", "value", "minrange", "maxrange"] {
        if attack.get(key).is_none() {
            attack.warn(key, "is missing; the attack is left out");
        }
    }
    let arc = attack.arc("arc");
    let value = attack.number("value");
    let min_range = attack.number("minrange");
    let max_range = attack.number("maxrange");
    let ordnance = attack.flag("ordnance");
    attack.finish();
    let header = Header::read(text);
    for word in &header.unknown {
        side.warn(
            "ability",
            &format!("the attack's header asks for `{word}`, which is no known requirement; it is left out"),
        );
    }
    if text.is_empty() {
        side.warn(
            "ability",
            "is missing, so what the attack's header asks for stays unknown",
        );
    }
    // A card that turns the ship's own weapon into a turret describes that weapon once more.
    let mode = if grants.iter().any(|grant| matches!(grant, Grant::Arc(_))) {
        AttackMode::Primary
    } else {
        header.mode
    };
    Some(AttackFacts {
        arc: arc?,
        value: Some(value?),
        min_range: min_range?,
        max_range: max_range?,
        ordnance,
        mode,
        requires: header.requires,
        spends: false,
    })
}

/// The header of an attack, as in `Attack ([Lock]):`. The data has it in the card's text alone.
struct Header {
    mode: AttackMode,
    requires: Vec<Requirement>,
    unknown: Vec<String>,
}

impl Header {
    fn read(text: &str) -> Header {
        let mut header = Header {
            mode: AttackMode::Bonus,
            requires: Vec::new(),
            unknown: Vec::new(),
        };
        // An unknown text (another language, say) leaves an ordinary attack.
        if text.is_empty() {
            header.mode = AttackMode::Engage;
            return header;
        }
        for (start, word) in [("Attack", AttackMode::Engage), ("Bonus Attack", AttackMode::Bonus)] {
            let Some(rest) = sentence_starting_with(text, start) else {
                continue;
            };
            header.mode = word;
            if let Some((inside, _)) = rest
                .trim_start()
                .strip_prefix('(')
                .and_then(|rest| rest.split_once(')'))
            {
                header.read_requirements(inside);
            }
            break;
        }
        header
    }

    fn read_requirements(&mut self, inside: &str) {
        for part in inside.split(']') {
            let Some((_, word)) = part.split_once('[') else {
                continue;
            };
            match word.to_ascii_lowercase().as_str() {
                "lock" => self.requires.push(Requirement::Lock),
                "focus" => self.requires.push(Requirement::Focus),
                "calculate" => self.requires.push(Requirement::Calculate),
                _ => self.unknown.push(word.to_owned()),
            }
        }
    }
}

/// What follows `start` where a sentence consists of it or goes on with a colon or a bracket.
fn sentence_starting_with<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let at_sentence = |position: usize| {
        let before = text[..position].trim_end();
        before.is_empty() || before.ends_with(['.', ':']) || text[..position].ends_with('\n')
    };
    text.match_indices(start).find_map(|(position, _)| {
        let rest = &text[position + start.len()..];
        let next = rest.trim_start().chars().next();
        (at_sentence(position) && matches!(next, None | Some(':' | '(' | '.'))).then_some(rest)
    })
}

fn read_device(device: &Fields<'_>) -> Option<DeviceFacts> {
    device.leave_out(&["effect", "text", "image"]);
    let name = device.text("name").unwrap_or_default().to_owned();
    let kind = match device.text("type") {
        Some("Bomb") => Some(DeviceKind::Bomb),
        Some("Mine") => Some(DeviceKind::Mine),
        Some("Remote") => Some(DeviceKind::Remote),
        Some("Obstacle") => Some(DeviceKind::Obstacle),
        Some(other) => {
            device.warn(
                "type",
                &format!("`{other}` is no known kind of device; the device is left out"),
            );
            None
        }
        None => {
            device.warn("type", "is missing; the device is left out");
            None
        }
    };
    let facts = DeviceFacts {
        name,
        kind: kind.unwrap_or(DeviceKind::Bomb),
        initiative: device.number("initiative"),
        stats: device.get("stats").map(|_| device.statline("stats")),
        charges: device.pool("charges"),
    };
    device.finish();
    kind.map(|_| facts)
}

fn grant(fields: &Fields<'_>) -> Option<Grant> {
    fields.leave_out(&["value", "amount", "arc"]);
    let kind = fields.required_text("type", "grant")?;
    let grant = match kind {
        "action" => fields
            .object("value")
            .and_then(|value| value.bar_action())
            .map(Grant::Action),
        "stat" => fields.text("value").and_then(|stat| {
            Some(Grant::Stat {
                stat: known_stat(fields, stat)?,
                amount: fields.number("amount")?,
                arc: fields.arc("arc"),
            })
        }),
        "slot" => fields.text("value").and_then(|slot| {
            Some(Grant::Slot {
                slot: fields.slot("value", slot),
                amount: fields.number("amount")?,
                max_cost: None,
            })
        }),
        "force" => fields.object("value").and_then(|value| {
            let side = value.texts("side");
            value.finish();
            Some(Grant::Force {
                amount: fields.number("amount")?,
                side,
            })
        }),
        "arc" => fields.arc("value").map(Grant::Arc),
        other => {
            fields.warn("type", &format!("`{other}` is no known kind of grant; it is left out"));
            return None;
        }
    };
    if grant.is_none() {
        fields.warn("", "the grant cannot be read; it is left out");
    }
    fields.finish();
    grant
}

fn known_stat(fields: &Fields<'_>, stat: &str) -> Option<String> {
    const STATS: [&str; 5] = ["attack", "agility", "hull", "shields", "energy"];
    if !STATS.contains(&stat) {
        fields.warn("value", &format!("`{stat}` is no known stat"));
        return None;
    }
    Some(stat.to_owned())
}

fn cost(fields: &Fields<'_>) -> Option<Cost> {
    // A bare number is not what the data writes today, but what it says is plain.
    if fields.get("cost").is_some_and(Value::is_number) {
        return fields.number("cost").map(Cost::Fixed);
    }
    let cost = fields.object("cost")?;
    let found = if let Some(by) = cost.text("variable") {
        let by = by.to_ascii_lowercase();
        let known_key = |key: &str| match by.as_str() {
            "agility" | "initiative" => key.parse::<u8>().is_ok(),
            "size" => size(key).is_some(),
            _ => true,
        };
        if !["agility", "initiative", "size"].contains(&by.as_str()) {
            cost.warn(
                "variable",
                &format!("`{by}` is no known property of a ship; it is kept as it is"),
            );
        }
        let mut values = std::collections::BTreeMap::new();
        match cost.get("values") {
            Some(Value::Object(map)) => {
                for (key, value) in map {
                    if !known_key(key) {
                        cost.warn("values", &format!("`{key}` is no value of {by}; it is kept as it is"));
                    }
                    match value.as_i64().and_then(|value| i32::try_from(value).ok()) {
                        Some(value) => {
                            values.insert(key.clone(), value);
                        }
                        None => cost.warn(&format!("values.{key}"), "is not a whole number; it is left out"),
                    }
                }
            }
            _ => cost.warn("values", "is missing or no object; the cost stays unknown"),
        }
        (!values.is_empty()).then_some(Cost::Variable { by, values })
    } else {
        cost.number("value").map(Cost::Fixed)
    };
    cost.finish();
    found
}

fn restrictions(fields: &Fields<'_>) -> Vec<Restriction> {
    let read = |entry: &Fields<'_>| {
        let factions = entry.texts("factions");
        let action = entry.object("action").and_then(|action| {
            let coloured = action.get("difficulty").is_some();
            let read = action.colored_action();
            action.finish();
            read.map(|read| match coloured {
                true => format!("{} {}", notation::difficulty_name(read.difficulty), read.kind.name()),
                false => read.kind.name().to_owned(),
            })
        });
        let restriction = Restriction {
            factions: (factions.iter().map(|text| entry.faction("factions", text))).collect(),
            ships: entry.texts("ships"),
            sizes: entry.parsed("sizes", "size", size),
            keywords: entry.texts("keywords"),
            names: entry.texts("names"),
            ship_abilities: entry.texts("shipAbility"),
            equipped: entry.slots("equipped"),
            arcs: entry.parsed("arcs", "arc", notation::weapon_arc),
            agility: entry.numbers("agility"),
            force_sides: entry.texts("force_side"),
            action,
            non_limited: entry.flag("non-limited"),
            solitary: entry.flag("solitary"),
            standardized: entry.flag("standardized"),
            ..Restriction::default()
        };
        entry.finish();
        restriction
    };
    let entries = fields.records("restrictions");
    (entries.iter().map(read))
        .filter(|restriction| *restriction != Restriction::default())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_told_apart() {
        use AttackMode::{Bonus, Engage};
        use Requirement::{Calculate, Focus, Lock};
        let cases: [(&str, AttackMode, &[Requirement]); 10] = [
            ("Attack: Words.", Engage, &[]),
            ("Attack", Engage, &[]),
            ("Attack ([Lock]): Words.", Engage, &[Lock]),
            ("Attack ([Calculate] or [Lock]): Words.", Engage, &[Calculate, Lock]),
            (
                "Attack ([Focus], [Calculate], or [Lock]): Words.",
                Engage,
                &[Focus, Calculate, Lock],
            ),
            ("Reaches far. Attack: Words.", Engage, &[]),
            ("Setup: Words. Bonus Attack ([Lock]): Words.", Bonus, &[Lock]),
            ("Setup: Words. Bonus Attack. Bonus Attack: Words.", Bonus, &[]),
            ("When it pleases, you may perform this attack.", Bonus, &[]),
            ("", Engage, &[]),
        ];
        for (text, mode, requires) in cases {
            let header = Header::read(text);
            assert_eq!((header.mode, &header.requires[..]), (mode, requires), "{text}");
        }
        assert_eq!(Header::read("Attack ([Patience]): Words.").unknown, ["Patience"]);
    }
}
