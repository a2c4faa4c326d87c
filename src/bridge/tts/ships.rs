//! A ship of the mod as a ship of the rules.

use std::{collections::BTreeMap, sync::Arc};

use super::{Warning, models::Model, moves, tokens, units::Frame};
use crate::{
    game::seats::{PLAYER_SIDE, SOLO_SIDE},
    protocol::snapshot::TtsShip,
    xwing::{
        ObjectId,
        action::{ActionKind, BarAction, ColoredAction},
        catalog::{Catalog, ResolveNote, Resolved, normalized},
        edition::Edition,
        maneuver::{Dial, Difficulty},
        ship::{Ship, Status},
        size::Size,
        weapon::{Weapon, WeaponArc},
    },
};

/// xws ids of the mod's faction numbers, 1 first.
const FACTIONS: [&str; 7] = [
    "rebelalliance",
    "galacticempire",
    "scumandvillainy",
    "resistance",
    "firstorder",
    "galacticrepublic",
    "separatistalliance",
];

/// The faction's xws id, from a number or a word of any spelling. `None`: nothing there, or nothing known.
pub fn faction(text: &str) -> Option<&'static str> {
    // A number may have come through a program that writes all numbers with a fraction.
    if let Ok(number) = text.trim().parse::<f64>() {
        return FACTIONS.get((number as usize).checked_sub(1)?).copied();
    }
    let word: String = text
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    match word.as_str() {
        "rebel" | "rebels" => Some(FACTIONS[0]),
        "imperial" | "empire" => Some(FACTIONS[1]),
        "scum" => Some(FACTIONS[2]),
        "republic" => Some(FACTIONS[5]),
        "separatist" | "separatists" | "cis" => Some(FACTIONS[6]),
        word => FACTIONS.into_iter().find(|faction| *faction == word),
    }
}

/// The initiative in `init3`, `3` or `3.0`.
pub fn initiative(text: &str) -> Option<u8> {
    let digits = text.trim().trim_start_matches(|c: char| !c.is_ascii_digit());
    let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|&value| value <= 12)
}

/// The name without the number that the mod appends when a pilot is in a list more than once.
fn pilot_name(name: &str) -> &str {
    match name.trim().rsplit_once(' ') {
        Some((pilot, number)) if number.parse::<u32>().is_ok() => pilot,
        _ => name.trim(),
    }
}

/// How sides are told apart, for the table as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// Some ships are solo: they are one side, everyone else is the other.
    Solo,
    /// None is: the factions are the sides.
    Factions,
    /// And if all are of one faction, the owners' colours are.
    Owners,
}

impl Sides {
    /// How the sides of these ships are told apart.
    pub fn of(ships: &[TtsShip], any_solo: bool) -> Self {
        if any_solo {
            return Sides::Solo;
        }
        let mut factions = ships.iter().map(|ship| faction(&ship.faction));
        let first = factions.next();
        if factions.any(|faction| Some(faction) != first) {
            Sides::Factions
        } else {
            Sides::Owners
        }
    }

    fn side(self, ship: &TtsShip, solo: bool) -> String {
        match self {
            Sides::Solo if solo => SOLO_SIDE.to_owned(),
            Sides::Solo => PLAYER_SIDE.to_owned(),
            Sides::Factions => faction(&ship.faction).unwrap_or("unknown faction").to_owned(),
            Sides::Owners if ship.owner.is_empty() => "no owner".to_owned(),
            Sides::Owners => ship.owner.clone(),
        }
    }
}

/// Turns a ship of the mod into one of the rules. Locks and bumps concern two ships and come later.
pub fn convert(
    raw: &TtsShip,
    frame: &Frame,
    sides: Sides,
    solo: bool,
    catalog: &Catalog,
    warnings: &mut Vec<Warning>,
) -> Ship {
    let id: ObjectId = raw.guid.as_str().into();
    let name = if raw.name.trim().is_empty() {
        raw.ship_id.clone()
    } else {
        raw.name.trim().to_owned()
    };
    let mut warn = |text: String| warnings.push(Warning::new(&*raw.guid, format!("{name}: {text}")));
    let pose = frame.pose(raw.x, raw.z, raw.rot_y);
    let known = resolve(raw, catalog, &mut warn);
    let is_known = known.is_some();
    let has_pilot = known.as_ref().is_some_and(|known| known.initiative.is_some());
    let mut ship = known
        .unwrap_or_else(|| unknown(raw, catalog.edition()))
        .into_ship(id, sides.side(raw, solo), pose);
    ship.name.clone_from(&name);
    let stands_for = is_known && Model::of(raw, catalog).stands_for;
    match (raw.size.trim().to_ascii_lowercase().as_str(), is_known) {
        // FE-0.2: the card of the edition that is played says how large its base is.
        (shown, true) if stands_for => {
            let size = format!("{:?}", ship.size).to_ascii_lowercase();
            if !shown.is_empty() && shown != size {
                warn(format!(
                    "its model has a {shown} base, and its card a {size} one, which is measured by: use a model with a {size} \
                     base"
                ));
            }
        }
        ("small", _) => ship.size = Size::Small,
        ("medium", _) => ship.size = Size::Medium,
        ("large", _) => ship.size = Size::Large,
        ("huge", _) => ship.size = Size::Huge,
        (_, true) => {}
        (other, false) => warn(format!(
            "its base size is `{other}`, which is not known; a small base is taken. Spawn it again from the mod's own list"
        )),
    }
    if ship.size == Size::Huge {
        warn("huge ships are measured, but not flown: fly it by hand".to_owned());
    }
    match initiative(&raw.initiative) {
        // What it shows is of the other edition's card.
        _ if stands_for && has_pilot => {}
        Some(value) => ship.initiative = value,
        None if is_known && raw.initiative.is_empty() => {}
        None => warn(format!(
            "its initiative `{}` cannot be read; {} is taken. Set it with the command `init N` in its description",
            raw.initiative, ship.initiative
        )),
    }
    if !stands_for {
        take_move_set(raw, &mut ship, is_known, &mut warn);
    }
    let (counted, unknown_tokens) = tokens::count(&raw.tokens);
    let has_force_tokens = raw
        .tokens
        .keys()
        .any(|name| tokens::parse(name) == Some(crate::game::step::Token::Force));
    let force = ship.tokens.force;
    ship.tokens = counted;
    if !has_force_tokens {
        ship.tokens.force = force;
    }
    for token in unknown_tokens {
        warn(format!(
            "the token `{token}` beside it is not known and counts for nothing"
        ));
    }
    take_turrets(raw, &mut ship, &mut warn);
    if !raw.placed {
        ship.status = Status::Reserved;
        warn("it has not been set up and does not count as on the table; use its `Place` button".to_owned());
    } else if off_the_mat(&ship, frame) {
        ship.status = Status::Reserved;
        warn(
            "it stands off the play mat and does not count as on the table; move it onto the mat to play it".to_owned(),
        );
    }
    if raw.held {
        warn("somebody holds it; put it down before it has to move".to_owned());
    }
    ship
}

/// What a ship is beside its place on the table, where the catalog knows it.
pub fn resolved(raw: &TtsShip, catalog: &Catalog) -> Option<Resolved> {
    resolve(raw, catalog, &mut |_| {})
}

fn resolve(raw: &TtsShip, catalog: &Catalog, warn: &mut impl FnMut(String)) -> Option<Resolved> {
    let pilot = if raw.pilot.is_empty() {
        pilot_name(&raw.name)
    } else {
        &raw.pilot
    };
    let known = |pilot: &str| {
        let pilot = (!pilot.is_empty()).then_some(pilot);
        catalog.resolve(Model::of(raw, catalog).ship, pilot, &raw.upgrades)
    };
    match known(pilot) {
        Ok(mut resolved) => {
            if let Some(id) = by_initiative(&resolved, raw, catalog)
                && let Ok(exact) = known(&id)
            {
                resolved = exact;
            }
            for note in &resolved.notes {
                warn(note.to_string());
            }
            Some(resolved)
        }
        Err(error) => {
            warn(format!(
                "{error}. Its own move and action lists are used, with a front arc of 2 dice"
            ));
            None
        }
    }
}

/// Of several pilots of one name the one with the ship's initiative, and of those the one whose id is made of nothing but
/// the name and the ship (not of a scenario); `None` where that does not tell them apart.
fn by_initiative(resolved: &Resolved, raw: &TtsShip, catalog: &Catalog) -> Option<String> {
    let (taken, others) = resolved.notes.iter().find_map(|note| match note {
        ResolveNote::AmbiguousPilot { taken, others, .. } => Some((taken, others)),
        _ => None,
    })?;
    let initiative = initiative(&raw.initiative)?;
    let fitting: Vec<_> = std::iter::once(taken)
        .chain(others)
        .filter_map(|id| catalog.pilot(id))
        .filter(|pilot| pilot.initiative == initiative)
        .collect();
    let plain: Vec<_> = fitting
        .iter()
        .filter(|pilot| {
            let name = normalized(&pilot.name);
            pilot.xws == name || pilot.xws == format!("{name}-{}", pilot.ship)
        })
        .collect();
    match (&fitting[..], &plain[..]) {
        ([only], _) => Some(only.xws.clone()),
        (_, [only]) => Some(only.xws.clone()),
        _ => None,
    }
}

/// A ship that the catalog does not have, as far as the mod itself describes it.
fn unknown(raw: &TtsShip, edition: Edition) -> Resolved {
    Resolved {
        name: raw.name.clone(),
        edition,
        chassis: raw.ship_id.clone(),
        size: Size::Small,
        initiative: None,
        dial: Arc::new(Dial::default()),
        weapons: vec![Weapon {
            id: "primary".to_owned(),
            arc: WeaponArc::Front,
            value: 2,
            min_range: 1,
            max_range: 3,
            special: None,
        }],
        bonus_weapons: Vec::new(),
        actions: raw.act_set.iter().filter_map(|code| action(code)).collect(),
        device: None,
        other_devices: Vec::new(),
        agility: None,
        hull: None,
        shields: 0,
        energy: None,
        force: 0,
        charges: Vec::new(),
        limited: false,
        keywords: Vec::new(),
        cards: Vec::new(),
        slots: Vec::new(),
        other_bars: Vec::new(),
        slot_arcs: Vec::new(),
        notes: Vec::new(),
    }
}

/// An action of the mod's `actSet`. It knows no colours: all are taken as white.
fn action(code: &str) -> Option<BarAction> {
    let kind = match code.trim().to_ascii_uppercase().as_str() {
        "F" => ActionKind::Focus,
        "TL" => ActionKind::Lock,
        "E" => ActionKind::Evade,
        "BR" => ActionKind::BarrelRoll,
        "B" => ActionKind::Boost,
        "C" => ActionKind::Calculate,
        "CL" => ActionKind::Cloak,
        "R" | "RF" => ActionKind::Reinforce,
        "ROT" => ActionKind::RotateArc,
        "RL" => ActionKind::Reload,
        "COORD" => ActionKind::Coordinate,
        "JAM" => ActionKind::Jam,
        _ => return None,
    };
    Some(BarAction {
        action: ColoredAction {
            kind,
            difficulty: Difficulty::White,
        },
        linked: None,
    })
}

/// The dial as the table has it: where it differs from the catalog's, the table's counts.
fn take_move_set(raw: &TtsShip, ship: &mut Ship, is_known: bool, warn: &mut impl FnMut(String)) {
    let mut unread = Vec::new();
    let mut maneuvers = Vec::new();
    for code in &raw.move_set {
        match moves::parse_dial_code(code) {
            Some(maneuver) => maneuvers.push(maneuver),
            None => unread.push(code.as_str()),
        }
    }
    if !unread.is_empty() {
        warn(format!(
            "moves of its dial that are not known are left out: {}",
            unread.join(", ")
        ));
    }
    let dial = Dial::new(maneuvers);
    if dial.maneuvers().is_empty() {
        if ship.dial.maneuvers().is_empty() {
            warn("it has no dial; fly it by hand".to_owned());
        }
    } else if dial != *ship.dial {
        if is_known && unread.is_empty() {
            let difference = difference(&ship.dial, &dial);
            warn(format!(
                "its dial on the table differs from the catalog's and counts: {difference}"
            ));
        }
        ship.dial = Arc::new(dial);
    }
}

fn difference(ours: &Dial, theirs: &Dial) -> String {
    let only = |a: &Dial, b: &Dial| {
        let codes: Vec<String> = a
            .maneuvers()
            .iter()
            .filter(|maneuver| !b.maneuvers().contains(maneuver))
            .map(ToString::to_string)
            .collect();
        if codes.is_empty() {
            "none".to_owned()
        } else {
            codes.join(" ")
        }
    };
    format!(
        "only on the table {}, only in the catalog {}",
        only(theirs, ours),
        only(ours, theirs)
    )
}

fn take_turrets(raw: &TtsShip, ship: &mut Ship, warn: &mut impl FnMut(String)) {
    let mut arcs = Vec::new();
    // `main` first; the rest in the order of their names.
    let mut mounts: Vec<_> = raw.turrets.iter().collect();
    mounts.sort_by_key(|(mount, _)| (*mount != "main", *mount));
    for (mount, word) in mounts {
        match moves::parse_turret_word(word) {
            Some(directions) => {
                for direction in directions {
                    if !arcs.contains(&direction) {
                        arcs.push(direction);
                    }
                }
            }
            None => warn(format!("the turret `{mount}` points at `{word}`, which is not known")),
        }
    }
    if !arcs.is_empty() {
        ship.turret = arcs;
    }
}

/// Its whole base is off the play area.
fn off_the_mat(ship: &Ship, frame: &Frame) -> bool {
    let area = frame.area();
    let reach = ship.size.base_mm() / 2.0;
    let position = ship.pose.position;
    position.x < -reach || position.y < -reach || position.x > area.width + reach || position.y > area.height + reach
}

/// Locks: who locked this ship, by GUID where the table knows it, else by the locker's name.
pub fn lockers(raw: &TtsShip, guids: &BTreeMap<&str, &str>, warnings: &mut Vec<Warning>) -> Vec<ObjectId> {
    let mut lockers: Vec<ObjectId> = Vec::new();
    for locker in raw.locked_by.values() {
        let mut add = |guid: &str| {
            let guid: ObjectId = guid.into();
            if !lockers.contains(&guid) {
                lockers.push(guid);
            }
        };
        if guids.contains_key(locker.as_str()) {
            add(locker);
            continue;
        }
        let named: Vec<&str> = guids
            .iter()
            .filter(|(_, name)| name.trim() == locker.trim())
            .map(|(guid, _)| *guid)
            .collect();
        match named[..] {
            [guid] => add(guid),
            [] => warnings.push(Warning::new(
                &*raw.guid,
                format!("{}: the lock on it belongs to `{locker}`, and no ship is called so; it counts for nothing", raw.name),
            )),
            _ => warnings.push(Warning::new(
                &*raw.guid,
                format!(
                    "{}: the lock on it belongs to `{locker}`, and {} ships are called so; it counts for nothing until the \
                     ships have names of their own and the lock is taken again",
                    raw.name,
                    named.len()
                ),
            )),
        }
    }
    lockers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factions_are_numbers_or_words() {
        for (text, expected) in [
            ("1", Some("rebelalliance")),
            ("2", Some("galacticempire")),
            ("7", Some("separatistalliance")),
            ("5.0", Some("firstorder")),
            ("galacticempire", Some("galacticempire")),
            ("Galactic Empire", Some("galacticempire")),
            ("Rebel", Some("rebelalliance")),
            ("0", None),
            ("8", None),
            ("-1", None),
            ("1e300", None),
            ("", None),
            ("Hutts", None),
        ] {
            assert_eq!(faction(text), expected, "{text}");
        }
    }

    #[test]
    fn initiatives_are_read_in_every_form() {
        for (text, expected) in [
            ("init3", Some(3)),
            ("3", Some(3)),
            ("3.0", Some(3)),
            ("init 0", Some(0)),
            ("", None),
            ("init", None),
            ("initX", None),
            ("99", None),
            ("99999999999999", None),
        ] {
            assert_eq!(initiative(text), expected, "{text}");
        }
    }

    #[test]
    fn upgrade_cards_beside_the_pilot_are_part_of_the_ship() {
        let raw = TtsShip {
            guid: "aaaaaa".into(),
            name: "Red Squadron Veteran".into(),
            ship_id: "t65xwing".into(),
            placed: true,
            upgrades: vec!["Proton Torpedoes".into(), "Coffee Stain".into()],
            ..TtsShip::default()
        };
        let mut warnings = Vec::new();
        let frame = Frame::new(0.0, 0.0, 16.0, 16.0);
        let ship = convert(&raw, &frame, Sides::Factions, false, Catalog::embedded(), &mut warnings);
        assert!(
            ship.weapons.iter().any(|weapon| weapon.id == "protontorpedoes"),
            "{:?}",
            ship.weapons
        );
        assert!(
            warnings.iter().any(|warning| warning.message.contains("Coffee Stain")),
            "{warnings:?}"
        );
    }

    #[test]
    fn models_of_the_second_edition_fly_by_the_cards_of_the_first() {
        let first = Catalog::embedded_for(Edition::First);
        let frame = Frame::new(0.0, 0.0, 16.0, 16.0);
        let read = |ship_id: &str, name: &str, size: &str, init: &str, dial: &[&str]| {
            let raw = TtsShip {
                guid: "aaaaaa".into(),
                name: name.into(),
                ship_id: ship_id.into(),
                size: size.into(),
                initiative: init.into(),
                move_set: dial.iter().map(|code| (*code).to_owned()).collect(),
                placed: true,
                ..TtsShip::default()
            };
            let mut warnings = Vec::new();
            let ship = convert(&raw, &frame, Sides::Factions, false, first, &mut warnings);
            let told: Vec<String> = warnings.into_iter().map(|warning| warning.message).collect();
            (ship, told.join("; "))
        };
        // Dial and initiative are those of the second edition's card.
        let (luke, told) = read("t65xwing", "Luke Skywalker 2", "small", "init5", &["bs1", "ws2", "rk4"]);
        let own = first
            .resolve("xwing", Some("lukeskywalker"), std::iter::empty::<&str>())
            .unwrap();
        assert_eq!((&*luke.chassis, luke.initiative, luke.size), ("xwing", 8, Size::Small));
        assert_eq!((&luke.dial, told.as_str()), (&own.dial, ""));
        // Its base has another size on the table.
        let (boba, told) = read("firesprayclasspatrolcraft", "Boba Fett", "medium", "init5", &[]);
        assert_eq!((&*boba.chassis, boba.size), ("firespray31", Size::Large));
        assert!(
            told.contains("its model has a medium base, and its card a large one"),
            "{told}"
        );
        // A ship that only stands there, and one of the first edition itself, whose skill was changed.
        let (unknown, told) = read("eta2actis", "Yoda", "small", "init3", &["bs1"]);
        assert_eq!((unknown.initiative, unknown.dial.maneuvers().len()), (3, 1));
        assert!(told.contains("Its own move and action lists are used"), "{told}");
        let (own, told) = read("xwing", "Luke Skywalker", "small", "init3", &[]);
        assert_eq!((own.initiative, told.as_str()), (3, ""));
    }

    #[test]
    fn a_numbered_name_is_the_same_pilot() {
        assert_eq!(pilot_name("Academy Pilot 2"), "Academy Pilot");
        assert_eq!(pilot_name(" Academy Pilot"), "Academy Pilot");
        assert_eq!(pilot_name("DFS-081"), "DFS-081");
        assert_eq!(pilot_name("Red 5 x"), "Red 5 x");
    }
}
