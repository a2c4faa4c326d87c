//! The rules of squad building: limited cards, slots and restrictions, and how strong a squad may be (SA-13).

use std::collections::BTreeMap;

use super::{Squad, SquadShip};
use crate::xwing::{
    catalog::{
        Catalog, PilotFacts, UpgradeFacts,
        facts::{Grant, Restriction},
    },
    edition::{Edition, SameName},
    size::Size,
};

mod first_edition;

/// SA-13: points of a player squad, for each ship.
const POINTS_PER_SHIP: std::ops::RangeInclusive<i32> = 35..=45;
/// The same on the scale of the first edition (FE-SOLO-14).
const FIRST_EDITION_POINTS_PER_SHIP: std::ops::RangeInclusive<i32> = 18..=23;
/// SA-13: Threat of a player squad, about so much for each ship.
const THREAT_PER_SHIP: u32 = 2;
/// SA-13: an enemy squad of a standard or Epic game, percent of the player's points.
const ENEMY_PERCENT: std::ops::RangeInclusive<i64> = 125..=150;
/// "About half" of the player's total, percent (choice).
const HALF_PERCENT: std::ops::RangeInclusive<i64> = 40..=60;
/// "Slightly less than" the player's total, percent (choice).
const SLIGHTLY_LESS_PERCENT: std::ops::RangeInclusive<i64> = 75..=99;

/// A rule that a squad breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where, as in `pilots[2]`; `squad` for the whole.
    pub place: String,
    /// What is wrong, and the remedy.
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

fn problem(place: &str, message: String) -> Problem {
    Problem {
        place: place.to_owned(),
        message,
    }
}

/// Points or Threat: what two squads are compared in. Threat only where every ship of both has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// Squad points.
    Points(i32),
    /// Threat of Quick Build cards.
    Threat(u32),
}

impl Strength {
    /// A squad's, Threat first; `None` where neither is known.
    pub fn of(squad: &Squad, catalog: &Catalog) -> Option<Strength> {
        let points = || squad.points(catalog).map(Strength::Points);
        squad.threat().map(Strength::Threat).or_else(points)
    }

    const fn unit(self) -> &'static str {
        match self {
            Strength::Points(_) => "points",
            Strength::Threat(_) => "Threat",
        }
    }

    fn value(self) -> i64 {
        match self {
            Strength::Points(points) => i64::from(points),
            Strength::Threat(threat) => i64::from(threat),
        }
    }
}

/// What any squad must obey by the rules of its catalog's edition: one faction, limited cards, slots, restrictions, all as far
/// as the catalog's facts go.
pub fn legal(squad: &Squad, catalog: &Catalog) -> Vec<Problem> {
    legal_by(squad, catalog, catalog.edition().rules().same_name)
}

/// The same, with this rule about names that occur twice.
pub fn legal_by(squad: &Squad, catalog: &Catalog, names: SameName) -> Vec<Problem> {
    let mut problems = Vec::new();
    if squad.ships.is_empty() {
        problems.push(problem("squad", "has no ship; add at least one".into()));
    }
    problems.extend(match names {
        SameName::Limited => second_edition(squad, catalog),
        SameName::Unique | SameName::NoPilotTwice => first_edition::cards(squad, catalog, names),
    });
    problems
}

/// FE-1.2: a pilot flies for the squad's faction, or for one that flies together with it.
fn faction(ship: &SquadShip, pilot: &PilotFacts, squad: &Squad, catalog: &Catalog) -> Option<Problem> {
    let factions = catalog.edition().rules().factions;
    if factions.fly_together(&pilot.faction, &squad.faction) {
        return None;
    }
    let (pilot, other, own) = (&pilot.xws, &pilot.faction, &squad.faction);
    let message = format!("`{pilot}` flies for {other}, the squad for {own}; take a pilot of its faction");
    Some(problem(&ship.place, message))
}

/// FE-12: the least total for which squads are built that may have huge ships.
const EPIC_POINTS: i32 = 300;

/// FE-1.1: a squad may cost so much, or less; FE-12: only one of epic play has huge ships, and of one that comes in two sections
/// both.
pub fn total(squad: &Squad, most: i32, catalog: &Catalog) -> Vec<Problem> {
    let mut problems: Vec<Problem> = points(squad, most, catalog).into_iter().collect();
    let of = |ship: &SquadShip| {
        let pilot = ship.pilot(catalog);
        let facts = pilot.and_then(|pilot| catalog.ship_of(&pilot.ship, &pilot.faction));
        facts.or_else(|| catalog.ship(&ship.ship))
    };
    let huge = squad.ships.iter().filter_map(|ship| Some((ship, of(ship)?)));
    let huge: Vec<_> = huge.filter(|(_, facts)| facts.size == Size::Huge).collect();
    if most < EPIC_POINTS {
        problems.extend(huge.iter().map(|(ship, facts)| {
            let message = format!(
                "`{}` is huge, which only squads of epic play have, of {EPIC_POINTS} points (FE-12); take it out",
                facts.xws
            );
            problem(&ship.place, message)
        }));
        return problems;
    }
    for (section, other) in [("(Fore)", "(Aft)"), ("(Aft)", "(Fore)")] {
        for (ship, facts) in huge.iter().filter(|(_, facts)| facts.name.ends_with(section)) {
            let counterpart = facts.name.replace(section, other);
            let count = |name: &str| huge.iter().filter(|(_, facts)| facts.name == name).count();
            if count(&facts.name) > count(&counterpart) {
                let message = format!(
                    "{} is half a ship; add the {counterpart}, or take it out (FE-12)",
                    facts.name
                );
                problems.push(problem(&ship.place, message));
                break;
            }
        }
    }
    problems
}

fn points(squad: &Squad, most: i32, catalog: &Catalog) -> Option<Problem> {
    match squad.points(catalog) {
        None => Some(unpriced(squad, catalog)),
        Some(points) if points > most => Some(problem(
            "squad",
            format!(
                "has {points} points, {} more than {most}; take upgrades out or cheaper pilots",
                points - most
            ),
        )),
        Some(_) => None,
    }
}

/// Slots, restrictions and limited cards of the second edition.
fn second_edition(squad: &Squad, catalog: &Catalog) -> Vec<Problem> {
    let mut problems = Vec::new();
    for ship in &squad.ships {
        if let Some(pilot) = ship.pilot(catalog) {
            problems.extend(faction(ship, pilot, squad, catalog));
            // A Quick Build card says what its ship has, whatever its slots.
            if ship.threat.is_some() && ship.flies_by_card(catalog) {
                continue;
            }
            slots(ship, pilot, catalog, &mut problems);
            for upgrade in ship.bought(catalog) {
                restrictions(ship, pilot, upgrade, catalog, &mut problems);
            }
        }
    }
    limited(squad, catalog, &mut problems);
    problems
}

/// Limited cards of one name, pilots and upgrades together, up to their number.
fn limited(squad: &Squad, catalog: &Catalog, problems: &mut Vec<Problem>) {
    let mut uses: BTreeMap<&str, (u32, Vec<&str>)> = BTreeMap::new();
    for ship in &squad.ships {
        let pilot = ship.pilot(catalog).map(|pilot| (pilot.name.as_str(), pilot.limited));
        let upgrades = ship.upgrades.iter().filter_map(|upgrade| catalog.upgrade(upgrade));
        let upgrades = upgrades.map(|upgrade| (upgrade.name.as_str(), upgrade.limited));
        for (name, limit) in pilot.into_iter().chain(upgrades).filter(|(_, limit)| *limit > 0) {
            let (known, places) = uses.entry(name).or_insert((limit, Vec::new()));
            *known = limit.min(*known);
            places.push(&ship.place);
        }
    }
    for (name, (limit, places)) in uses {
        if places.len() > limit as usize {
            let (count, at) = (places.len(), places.join(", "));
            let message = format!("`{name}` is there {count} times ({at}), its limit is {limit}; take the others out");
            problems.push(problem("squad", message));
        }
    }
}

/// Every bought upgrade needs its slots; upgrades may add slots or take them away.
fn slots(ship: &SquadShip, pilot: &PilotFacts, catalog: &Catalog, problems: &mut Vec<Problem>) {
    let bought = ship.bought(catalog);
    if !pilot.standard_loadout.is_empty() && pilot.slots.is_empty() && !bought.is_empty() {
        let extra: Vec<&str> = bought.iter().map(|upgrade| upgrade.xws.as_str()).collect();
        let message = format!(
            "`{}` has a standard loadout and no slots; take out {}",
            pilot.xws,
            extra.join(", ")
        );
        problems.push(problem(&ship.place, message));
        return;
    }
    let mut free: BTreeMap<&str, i32> = BTreeMap::new();
    for slot in &pilot.slots {
        *free.entry(slot).or_default() += 1;
    }
    for side in bought.iter().filter_map(|upgrade| upgrade.sides.first()) {
        for grant in &side.grants {
            if let Grant::Slot { slot, amount, .. } = grant {
                *free.entry(slot).or_default() += amount;
            }
        }
        for slot in &side.slots {
            *free.entry(slot).or_default() -= 1;
        }
    }
    for (slot, left) in free.into_iter().filter(|(_, left)| *left < 0) {
        let takers = bought.iter().filter(|upgrade| {
            let side = upgrade.sides.first();
            side.is_some_and(|side| side.slots.iter().any(|taken| taken == slot))
        });
        let takers: Vec<&str> = takers.map(|upgrade| upgrade.xws.as_str()).collect();
        let (over, pilot, takers) = (-left, &pilot.xws, takers.join(", "));
        let message = format!("`{pilot}` has {over} {slot} slot(s) too few for {takers}; take {over} of them out");
        problems.push(problem(&ship.place, message));
    }
}

/// Every entry of an upgrade's restrictions must hold. An entry is only judged if all its facts are known to the catalog.
fn restrictions(
    ship: &SquadShip,
    pilot: &PilotFacts,
    upgrade: &UpgradeFacts,
    catalog: &Catalog,
    problems: &mut Vec<Problem>,
) {
    let Some(facts) = catalog.ship_of(&pilot.ship, &pilot.faction) else {
        return;
    };
    for entry in &upgrade.restrictions {
        let judged = Restriction {
            factions: entry.factions.clone(),
            ships: entry.ships.clone(),
            sizes: entry.sizes.clone(),
            keywords: entry.keywords.clone(),
            non_limited: entry.non_limited,
            ..Restriction::default()
        };
        if *entry != judged || judged == Restriction::default() {
            continue;
        }
        let holds = entry.factions.contains(&pilot.faction)
            || entry.ships.contains(&pilot.ship)
            || entry.sizes.contains(&facts.size)
            || entry.keywords.iter().any(|keyword| pilot.keywords.contains(keyword))
            || (entry.non_limited && pilot.limited == 0);
        if !holds {
            let mut only: Vec<String> = entry
                .factions
                .iter()
                .chain(&entry.ships)
                .chain(&entry.keywords)
                .cloned()
                .collect();
            only.extend(entry.sizes.iter().map(|size| format!("{size:?} ships").to_lowercase()));
            only.extend(entry.non_limited.then(|| "non-limited pilots".to_owned()));
            let (card, pilot, only) = (&upgrade.xws, &pilot.xws, only.join(", "));
            let message = format!("`{card}` is not for `{pilot}`, only for {only}; take it out");
            problems.push(problem(&ship.place, message));
        }
    }
}

/// SA-13: a player squad has 35 to 45 points, or about 2 Threat, for each ship together; 18 to 23 points in the first edition
/// (FE-SOLO-14).
pub fn player(squad: &Squad, catalog: &Catalog) -> Vec<Problem> {
    let mut problems = legal(squad, catalog);
    let ships = squad.ships.len() as i32;
    match Strength::of(squad, catalog) {
        _ if ships == 0 => {}
        None => problems.push(unpriced(squad, catalog)),
        Some(Strength::Points(points)) => {
            let (a_ship, rule) = match catalog.edition() {
                Edition::Second => (POINTS_PER_SHIP, "SA-13"),
                Edition::First => (FIRST_EDITION_POINTS_PER_SHIP, "SA-13 FE-SOLO-14"),
            };
            let (one, other) = (a_ship.start(), a_ship.end());
            let (least, most) = (one * ships, other * ships);
            if !(least..=most).contains(&points) {
                problems.push(problem(
                    "squad",
                    format!(
                        "has {points} points; a squad of {ships} may have {least} to {most} ({one} to {other} a ship, {rule}): {}",
                        if points < least {
                            "add upgrades or take dearer pilots"
                        } else {
                            "take upgrades out or cheaper pilots"
                        }
                    ),
                ));
            }
        }
        Some(Strength::Threat(threat)) => {
            // "About": one up or down for every two ships, at least one (choice).
            let about = THREAT_PER_SHIP * ships as u32;
            let slack = (ships as u32 / 2).max(1);
            if threat.abs_diff(about) > slack {
                let (least, most) = (about - slack, about + slack);
                problems.push(problem(
                    "squad",
                    format!(
                        "has Threat {threat}; a squad of {ships} may have {least} to {most} (about 2 a ship, SA-13)"
                    ),
                ));
            }
        }
    }
    problems
}

fn unpriced(squad: &Squad, catalog: &Catalog) -> Problem {
    let without = squad.ships.iter().filter(|ship| ship.points(catalog).is_none());
    let places: Vec<&str> = without.map(|ship| ship.place.as_str()).collect();
    let message = "has ships without a price in the catalog, so its points are not known; give a newer --catalog, or \
                   `threat` for each ship";
    problem("squad", format!("{message} ({})", places.join(", ")))
}

/// SA-13: an enemy squad has more ships than the player's. With `waves` (the number of ships of the first, second and
/// third wave, in the file's order) the first two are about half of the player's total each and the third slightly less
/// than it; without, as in a standard or Epic game, it has 125 to 150 % of the points, or 5 to 6 Threat for every 4.
pub fn enemy(squad: &Squad, player: &Squad, waves: Option<[usize; 3]>, catalog: &Catalog) -> Vec<Problem> {
    let mut problems = legal(squad, catalog);
    let (ours, theirs) = (squad.ships.len(), player.ships.len());
    if ours <= theirs {
        problems.push(problem(
            "squad",
            format!("has {ours} ships, the player {theirs}; take more and weaker ships (SA-13)"),
        ));
    }
    let measure = |squad: &Squad, threat: bool| match threat {
        true => squad.threat().map(Strength::Threat),
        false => squad.points(catalog).map(Strength::Points),
    };
    // Points and Threat are not compared with each other.
    let threat = squad.threat().is_some() && player.threat().is_some();
    let Some(total) = measure(player, threat).filter(|total| total.value() > 0) else {
        let Problem { place, message } = unpriced(player, catalog);
        problems.push(problem(&format!("player {place}"), message));
        return problems;
    };
    if let Some(waves) = waves {
        if waves.iter().sum::<usize>() != ours {
            let (asked, sum) = (
                waves.map(|wave| wave.to_string()).join(","),
                waves.iter().sum::<usize>(),
            );
            let message = format!("has {ours} ships, the waves {asked} have {sum}; give waves that add up");
            problems.push(problem("waves", message));
            return problems;
        }
        let mut rest = squad.ships.as_slice();
        for (index, (count, (allowed, words))) in (waves.into_iter())
            .zip([
                (HALF_PERCENT, "about half"),
                (HALF_PERCENT, "about half"),
                (SLIGHTLY_LESS_PERCENT, "slightly less"),
            ])
            .enumerate()
        {
            let (wave, after) = rest.split_at(count);
            rest = after;
            let wave = Squad {
                ships: wave.to_vec(),
                ..Squad::default()
            };
            let place = format!("wave {}", index + 1);
            let Some(own) = measure(&wave, threat) else {
                problems.push(problem(&place, "has a ship without a price, or none at all".into()));
                continue;
            };
            share(&place, own, total, &allowed, words, &mut problems);
        }
        return problems;
    }
    match measure(squad, threat) {
        None => problems.push(unpriced(squad, catalog)),
        Some(own) => share("squad", own, total, &ENEMY_PERCENT, "125 to 150 %", &mut problems),
    }
    problems
}

/// Compares with a share of the player's total.
fn share(
    place: &str,
    own: Strength,
    total: Strength,
    allowed: &std::ops::RangeInclusive<i64>,
    words: &str,
    problems: &mut Vec<Problem>,
) {
    let percent = |value: i64| value * 100;
    let (least, most) = (allowed.start() * total.value(), allowed.end() * total.value());
    if (least..=most).contains(&percent(own.value())) {
        return;
    }
    let unit = own.unit();
    let (low, high) = ((least + 99) / 100, most / 100);
    let (own, total) = (own.value(), total.value());
    problems.push(problem(
        place,
        format!("has {own} {unit}, the player {total}; it may have {low} to {high} ({words}, SA-13)"),
    ));
}
