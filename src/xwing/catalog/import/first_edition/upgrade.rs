//! Upgrades of the first edition. What the data has in a card's text alone is read from it ([`words`](super::words)); the
//! text itself goes nowhere.

use super::{super::ship::size, Fields, Names, ship, words};
use crate::xwing::{
    catalog::facts::{
        AttackFacts, AttackMode, Cost, DeviceFacts, DeviceKind, Grant, Pool, Restriction, SideFacts, UpgradeFacts,
    },
    weapon::WeaponArc,
};

/// Cards that take two icons of their slot, as is printed on them; the data does not say it.
const TWO_ICONS: [&str; 5] = [
    "bombletgenerator",
    "emperorpalpatine",
    "jabbathehutt",
    "unguidedrockets",
    "wookieecommandos",
];

/// One side of an upgrade as a card of its own; `None` when it has no id or slot.
pub(super) fn read(fields: &Fields<'_>, names: &Names) -> Option<UpgradeFacts> {
    // The data's numbers of the card and of its other side, its picture, and what only huge ships have.
    fields.leave_out(&["id", "dualCard", "image", "energy"]);
    let xws = fields.required_text("xws", "upgrade");
    let printed = fields.text("name").or(xws);
    let slot = fields.required_text("slot", "upgrade");
    let text = words::plain(fields.text("text").unwrap_or_default());
    if text.is_empty() {
        fields.warn("text", "is missing, so what only the text says stays unknown");
    }
    let limited = match fields.number("squadLimited") {
        Some(limit) => limit,
        None => u32::from(fields.flag("unique")),
    };
    let restrictions = restrictions(fields, names, &text);
    let attack = attack(fields, &text);
    let device = device(fields, &text);
    let grants = grants(fields, &text);
    let conditions = names.conditions(fields);
    let cost = fields.number("points").map(Cost::Fixed);
    let once_per_ship = fields.flag("limited");
    let printed = printed?;
    // The sides of a card tell themselves apart by a word in brackets.
    let name = printed.split(" (").next().unwrap_or(printed);
    let discards = words::discards(&text) && (attack.is_some() || device.is_some());
    let side = SideFacts {
        title: if printed == name {
            String::new()
        } else {
            printed.to_owned()
        },
        slots: vec![fields.slot("slot", slot?); if TWO_ICONS.contains(&xws?) { 2 } else { 1 }],
        attack,
        charges: discards.then_some(Pool { value: 1, recovers: 0 }),
        force: None,
        grants,
        device,
        ship_ability: String::new(),
        conditions,
    };
    Some(UpgradeFacts {
        xws: xws?.to_owned(),
        name: name.to_owned(),
        limited,
        cost,
        restrictions,
        standard_loadout_only: false,
        once_per_ship,
        action: words::is_action(&text),
        sides: vec![side],
    })
}

/// FE-8.3: a secondary weapon. FE-8.5: none has a range bonus.
fn attack(fields: &Fields<'_>, text: &str) -> Option<AttackFacts> {
    let value: Option<u32> = fields.number("attack");
    let range = fields.text("range");
    let Some(header) = words::Header::read(text) else {
        if value.is_some() || range.is_some() {
            fields.warn("text", "has no attack header; the attack is left out");
        }
        return None;
    };
    if let Some(word) = &header.unknown {
        let problem = format!("the attack's header asks for `{word}`, which is no known requirement; it is left out");
        fields.warn("text", &problem);
    }
    if value.is_none() {
        fields.warn("attack", "is missing; the attack value stays unknown, and is asked for");
    }
    let ends = range.and_then(|range| {
        let (min, max) = range.split_once('-').unwrap_or((range, range));
        Some((min.trim().parse().ok()?, max.trim().parse().ok()?))
    });
    let Some((min_range, max_range)) = ends else {
        fields.warn("range", "is missing or no range; the attack is left out");
        return None;
    };
    Some(AttackFacts {
        arc: if header.all_round {
            WeaponArc::AllRound
        } else {
            WeaponArc::Front
        },
        value,
        min_range,
        max_range,
        ordnance: true,
        mode: if header.first {
            AttackMode::Engage
        } else {
            AttackMode::Bonus
        },
        requires: header.requires,
        spends: header.spends,
    })
}

/// FE-11.1: bombs are dropped when the dial is revealed, mines as an action.
fn device(fields: &Fields<'_>, text: &str) -> Option<DeviceFacts> {
    // What the token does when it goes off is a rule (FE-11.2), and a text here.
    fields.get("effect")?;
    let kind = if text.starts_with("When you reveal your maneuver") {
        DeviceKind::Bomb
    } else if text.starts_with("Action:") {
        DeviceKind::Mine
    } else {
        fields.warn("text", "does not say when the bomb is dropped; the bomb is left out");
        return None;
    };
    Some(DeviceFacts {
        name: words::dropped(text).unwrap_or_default().to_owned(),
        kind,
        initiative: None,
        stats: None,
        charges: None,
    })
}

/// What the card adds, from the data where it says so, else from the text.
fn grants(fields: &Fields<'_>, text: &str) -> Vec<Grant> {
    let given: Vec<Grant> = fields.records("grants").iter().filter_map(grant).collect();
    let told = words::grants(text);
    let same_kind = |one: &Grant, other: &Grant| match (one, other) {
        (Grant::Stat { stat: one, .. }, Grant::Stat { stat: other, .. }) => one == other,
        (
            Grant::Slot {
                slot: one, amount: a, ..
            },
            Grant::Slot {
                slot: other, amount: b, ..
            },
        ) => one == other && (*a > 0) == (*b > 0),
        (one, other) => one == other,
    };
    // A slot that the data names without more is the one of the text, which may know what it can hold.
    let refined = given.iter().filter(|grant| {
        let limited = |other: &Grant| matches!(other, Grant::Slot { max_cost: Some(_), .. }) && same_kind(grant, other);
        !told.iter().any(limited)
    });
    let mut all: Vec<Grant> = refined.cloned().collect();
    let missing = told.into_iter().filter(|grant| {
        let limited = matches!(grant, Grant::Slot { max_cost: Some(_), .. });
        limited || !given.iter().any(|other| same_kind(other, grant))
    });
    all.extend(missing);
    all
}

/// A grant of the data; slots that are named twice are two.
fn grant(fields: &Fields<'_>) -> Option<Grant> {
    let (kind, name) = (fields.text("type"), fields.text("name"));
    let value: Option<i32> = fields.number("value");
    fields.finish();
    let grant = match (kind, name, value) {
        (Some("action"), Some(name), _) => ship::action(name).map(Grant::Action),
        (Some("slot"), Some(name), _) => Some(Grant::Slot {
            slot: fields.slot("name", name),
            amount: 1,
            max_cost: None,
        }),
        (Some("stats"), Some(stat), Some(amount)) => words::stat(stat).map(|stat| Grant::Stat {
            stat: stat.to_owned(),
            amount,
            arc: None,
        }),
        _ => None,
    };
    if grant.is_none() {
        fields.warn("", "the grant cannot be read; it is left out");
    }
    grant
}

/// FE-1.4: limits by ship, faction and size from the data, the others from the text.
fn restrictions(fields: &Fields<'_>, names: &Names, text: &str) -> Vec<Restriction> {
    let mut found = vec![
        Restriction {
            ships: (fields.texts("ship").iter())
                .map(|name| names.ship(fields, "ship", name))
                .collect(),
            ..Restriction::default()
        },
        Restriction {
            // FE-1.2: a card of the Rebels is the Resistance's too.
            factions: (fields.text("faction").iter())
                .flat_map(|text| allied(&fields.faction("faction", text)))
                .collect(),
            ..Restriction::default()
        },
        Restriction {
            sizes: fields.parsed("size", "size", size),
            ..Restriction::default()
        },
    ];
    found.extend(words::restrictions(text));
    found.retain(|entry| *entry != Restriction::default());
    found
}

/// FE-1.2: the factions of this edition that fly together.
fn allied(faction: &str) -> Vec<String> {
    let other = match faction {
        "rebelalliance" => Some("resistance"),
        "galacticempire" => Some("firstorder"),
        _ => None,
    };
    std::iter::once(faction).chain(other).map(str::to_owned).collect()
}
