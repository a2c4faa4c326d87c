//! Squads, and a plain set-up: two lines that face each other across six obstacles.

use crate::{
    dice::DiceSource,
    geometry::{Pose, polygon},
    xwing::{
        ObjectId,
        battle::Fighter,
        catalog::{Catalog, ResolveNote, Resolved},
        edition::Rules,
        obstacle::Obstacle,
        obstacle_outlines::{ObstacleOutline, ObstacleOutlines},
        placing,
        ship::Ship,
        size::Size,
        squad::{Squad, SquadShip, quick_build},
        table::{PlayArea, Table},
    },
};

/// The name of the player's side.
pub const PLAYER: &str = "player";
/// The name of the solo side.
pub const SOLO: &str = "solo";

/// The most ships of a side: more find no room in one line.
pub const MOST_SHIPS: usize = 8;

/// One ship of a squad, out of the catalog.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    resolved: Resolved,
    fighter: Fighter,
    /// Its points, if the catalog has all prices.
    pub(super) points: Option<u32>,
}

impl Member {
    /// Its points, if the catalog has all prices.
    pub fn points(&self) -> Option<u32> {
        self.points
    }

    /// What it is beside its place on a table.
    pub fn fighter(&self) -> &Fighter {
        &self.fighter
    }

    /// Its base.
    pub fn size(&self) -> Size {
        self.resolved.size
    }

    /// What players call it: its pilot, or its ship.
    pub fn name(&self) -> &str {
        &self.resolved.name
    }

    /// Its ship type.
    pub fn chassis(&self) -> &str {
        &self.resolved.chassis
    }

    /// Its initiative or pilot skill; 0 where the catalog does not say.
    pub fn order_value(&self) -> u8 {
        self.resolved.initiative.unwrap_or(0)
    }

    /// The ship at a pose.
    pub fn ship(&self, id: ObjectId, side: &str, pose: Pose) -> Ship {
        self.resolved.clone().into_ship(id, side.to_owned(), pose)
    }
}

/// A squad that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SquadError {
    /// A ship that is not known.
    #[error("squad entry `{entry}`: {problem}")]
    Entry {
        /// The entry.
        entry: String,
        /// What is wrong, with the remedy.
        problem: String,
    },
    /// Too many ships, or none.
    #[error("a squad has 1 to {MOST_SHIPS} ships, this one has {0}")]
    Count(usize),
}

/// Before the id of a Quick Build card in a squad.
const QUICK_BUILD: &str = "card:";

/// Reads a squad such as `2*t65xwing/bluesquadronescort+protontorpedoes,rz1awing`: entries with commas between them, each
/// with a number of ships, a ship, a pilot and upgrades; all but the ship may be left out. Without a pilot it is the
/// pilot without a limit of the lowest initiative. `card:soontirfel` is a Quick Build card.
///
/// # Errors
/// An unknown ship, pilot or upgrade, one whose hull, agility or dial is unknown, or too many ships.
pub fn read(text: &str, catalog: &Catalog) -> Result<Vec<Member>, SquadError> {
    let mut squad = Vec::new();
    for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let wrong = |problem| SquadError::Entry {
            entry: entry.to_owned(),
            problem,
        };
        if let Some(id) = entry.strip_prefix(QUICK_BUILD) {
            let card = catalog.quick_build(id.trim()).ok_or_else(|| {
                wrong("there is no such Quick Build card; `tallyho squad cards` lists their ids".to_owned())
            })?;
            squad.extend(of_squad(&quick_build::squad("", &[card], catalog), catalog)?);
        } else {
            let (count, member) = read_entry(entry, catalog).map_err(wrong)?;
            squad.extend(std::iter::repeat_n(member, count));
        }
        if squad.len() > MOST_SHIPS {
            return Err(SquadError::Count(squad.len()));
        }
    }
    if squad.is_empty() {
        return Err(SquadError::Count(0));
    }
    Ok(squad)
}

/// Reads a squad such as [`read`] does, as a list of cards; its faction is the first pilot's.
///
/// # Errors
/// An unknown ship, pilot or upgrade, or a squad without ships.
pub fn cards(text: &str, catalog: &Catalog) -> Result<Squad, SquadError> {
    let mut squad = Squad::default();
    for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let wrong = |problem| SquadError::Entry {
            entry: entry.to_owned(),
            problem,
        };
        let found = match entry.strip_prefix(QUICK_BUILD) {
            Some(id) => {
                let card = catalog.quick_build(id.trim());
                let card = card.ok_or_else(|| wrong("there is no such Quick Build card".to_owned()))?;
                quick_build::squad("", &[card], catalog).ships
            }
            None => {
                let (count, _, ship) = parts(entry, catalog).map_err(wrong)?;
                vec![ship; count]
            }
        };
        for ship in found {
            let place = format!("ship {}", squad.ships.len() + 1);
            squad.ships.push(SquadShip { place, ..ship });
        }
    }
    let Some(first) = squad.ships.first() else {
        return Err(SquadError::Count(0));
    };
    squad.faction = first
        .pilot(catalog)
        .map_or_else(String::new, |pilot| pilot.faction.clone());
    Ok(squad)
}

fn read_entry(entry: &str, catalog: &Catalog) -> Result<(usize, Member), String> {
    let (count, resolved, card) = parts(entry, catalog)?;
    Ok((count, member(resolved, card.points(catalog), catalog)?))
}

/// How many ships an entry names, what they are made of, and their cards.
fn parts(entry: &str, catalog: &Catalog) -> Result<(usize, Resolved, SquadShip), String> {
    let (count, rest) = match entry.split_once('*') {
        None => (1, entry),
        Some((count, rest)) => {
            let count = count
                .trim()
                .parse()
                .ok()
                .filter(|count| (1..=MOST_SHIPS).contains(count));
            (
                count.ok_or(format!("write a number from 1 to {MOST_SHIPS} before `*`"))?,
                rest,
            )
        }
    };
    let mut parts = rest.split('+').map(str::trim);
    let ship = parts.next().unwrap_or_default();
    let (ship, pilot) = match ship.split_once('/') {
        Some((ship, pilot)) => (ship.trim(), Some(pilot.trim().to_owned())),
        None => (ship, None),
    };
    // An everyday name is taken for what players mean by it.
    let everyday = match catalog.find_ship(ship).is_none() && catalog.find_pilots(ship, None).is_empty() {
        true => catalog.everyday_ship(ship).map(|meant| meant.xws.clone()),
        false => None,
    };
    let ship = everyday.as_deref().unwrap_or(ship);
    let pilot = pilot.or_else(|| generic_pilot(ship, catalog));
    let upgrades: Vec<&str> = parts.collect();
    let meant = |near: String| match near.is_empty() {
        true => "; `tallyho catalog show` tells ids and names".to_owned(),
        false => format!("; {near}"),
    };
    let resolved = catalog
        .resolve(ship, pilot.as_deref(), &upgrades)
        .map_err(|error| format!("{error}{}", meant(catalog.ships_meant(ship))))?;
    // Squads out of files are taken as far as they are known; one that is typed in ought to be what was meant. What comes
    // with the pilot's own card nobody has typed.
    let typed = |card: &str| {
        upgrades
            .iter()
            .any(|text| catalog.find_upgrade(text).is_some_and(|(own, _)| own.xws == card))
    };
    for note in &resolved.notes {
        let remedy = match note {
            ResolveNote::SideTaken { .. } | ResolveNote::NoDial(_) => continue,
            ResolveNote::SecondDevice(card) | ResolveNote::Repeated(card) if !typed(card) => continue,
            ResolveNote::UnknownUpgrade(text) if !upgrades.contains(&text.as_str()) => continue,
            ResolveNote::UnknownUpgrade(text) => meant(catalog.upgrades_meant(text)),
            ResolveNote::UnknownPilot(text) => meant(catalog.pilots_meant(text, Some(&resolved.chassis))),
            ResolveNote::UnknownShip { ship, .. } => meant(catalog.ships_meant(ship)),
            ResolveNote::AmbiguousPilot { .. } => "; write the id of one of them".to_owned(),
            ResolveNote::PilotOfOtherShip { flies, .. } => format!("; write {flies}/ before the pilot"),
            ResolveNote::NoAttackValue(_) => "; or write the squad without it".to_owned(),
            ResolveNote::SecondDevice(_) | ResolveNote::Repeated(_) => "; write the squad without it".to_owned(),
        };
        return Err(format!("{note}{remedy}"));
    }
    let known = |text: &&str| catalog.find_upgrade(text).map(|(upgrade, _)| upgrade.xws.clone());
    let pilots = |pilot: String| catalog.find_pilots(&pilot, Some(&resolved.chassis)).first().copied();
    let card = SquadShip {
        place: String::new(),
        pilot: pilot.and_then(pilots).map(|pilot| pilot.xws.clone()),
        ship: resolved.chassis.clone(),
        upgrades: upgrades.iter().filter_map(known).collect(),
        threat: None,
    };
    Ok((count, resolved, card))
}

/// A ship out of the catalog, as far as whole games play it.
pub(super) fn member(resolved: Resolved, points: Option<i32>, catalog: &Catalog) -> Result<Member, String> {
    if resolved.size == Size::Huge {
        return Err(
            "it is huge: huge ships have rules of their own, which whole games do not play; leave it out".to_owned(),
        );
    }
    if resolved.dial.maneuvers().is_empty() {
        return Err("the catalog has no dial for it".to_owned());
    }
    let mut fighter =
        Fighter::with_cards(&resolved, catalog.cards()).ok_or("the catalog does not say its hull or its agility")?;
    fighter.points = points.and_then(|points| u32::try_from(points).ok());
    Ok(Member {
        points: fighter.points,
        resolved,
        fighter,
    })
}

/// The ships of a squad out of a file.
///
/// # Errors
/// A ship whose hull, agility or dial is unknown, a weapon whose attack value is, or too many ships.
pub fn of_squad(squad: &Squad, catalog: &Catalog) -> Result<Vec<Member>, SquadError> {
    if squad.ships.is_empty() || squad.ships.len() > MOST_SHIPS {
        return Err(SquadError::Count(squad.ships.len()));
    }
    let ships = squad.ships.iter().map(|ship| {
        let resolved = ship
            .resolve(catalog)
            .ok_or_else(|| "it is not in the catalog".to_owned());
        // FE-SOLO-9: a squad does not quietly go without a weapon.
        let resolved = resolved.and_then(|resolved| {
            let open = |note: &&ResolveNote| matches!(note, ResolveNote::NoAttackValue(_));
            match resolved.notes.iter().find(open) {
                Some(note) => Err(note.to_string()),
                None => Ok(resolved),
            }
        });
        let made = resolved.and_then(|resolved| member(resolved, ship.points(catalog), catalog));
        made.map_err(|problem| SquadError::Entry {
            entry: ship.place.clone(),
            problem,
        })
    });
    ships.collect()
}

/// The pilot without a limit whose initiative is lowest, of one id the first.
fn generic_pilot(ship: &str, catalog: &Catalog) -> Option<String> {
    let pilots = catalog.ship(ship)?.pilots.iter().filter_map(|xws| catalog.pilot(xws));
    let generic = pilots.filter(|pilot| pilot.limited == 0 && pilot.standard_loadout.is_empty());
    generic
        .min_by(|a, b| (a.initiative, &a.xws).cmp(&(b.initiative, &b.xws)))
        .map(|pilot| pilot.xws.clone())
}

/// The distance between neighbours in a line, and of the line's middle from its edge, mm.
const SPACING_MM: f64 = 100.0;
const DEPTH_MM: f64 = 60.0;
/// How many obstacles there are.
const OBSTACLES: usize = 6;

/// Puts the player's ships at the south edge and the solo ships at the north edge, each line shifted sideways by the
/// dice, and six obstacles between them beyond range 2 of both edges and range 1 of each other.
pub fn deploy(
    player: &[Member],
    solo: &[Member],
    rules: Rules,
    dice: &mut dyn DiceSource,
) -> (Table, Vec<(ObjectId, Fighter)>) {
    let area = PlayArea::STANDARD;
    let mut ships: Vec<Ship> = Vec::new();
    let mut fighters = Vec::new();
    for (squad, side, letter) in [(player, PLAYER, 'P'), (solo, SOLO, 'S')] {
        let count = squad.len() as f64;
        let room = area.width - 2.0 * DEPTH_MM - (count - 1.0) * SPACING_MM;
        let left = DEPTH_MM + dice.choose(room.max(1.0) as usize) as f64;
        for (place, member) in squad.iter().enumerate() {
            let x = left + place as f64 * SPACING_MM;
            let pose = match side {
                PLAYER => Pose::new(x, DEPTH_MM, 0.0),
                _ => Pose::new(x, area.height - DEPTH_MM, 180.0),
            };
            let id: ObjectId = format!("{letter}{}", place + 1).into();
            ships.push(member.resolved.clone().into_ship(id.clone(), side.to_owned(), pose));
            fighters.push((id, member.fighter.clone()));
        }
    }
    let obstacles = obstacles(&area, &rules, dice);
    let table = Table::new(area, ships, obstacles, Vec::new()).with_rules(rules);
    (table, fighters)
}

fn obstacles(area: &PlayArea, rules: &Rules, dice: &mut dyn DiceSource) -> Vec<Obstacle> {
    const TRIES: usize = 400;
    const FROM_EDGE_MM: f64 = 200.0;
    const APART_MM: f64 = 100.0;
    let outlines = ObstacleOutlines::embedded().all().iter();
    let outlines: Vec<&ObstacleOutline> = outlines
        .filter(|outline| placing::may_be_brought(rules, outline.kind))
        .collect();
    let mut placed: Vec<Obstacle> = Vec::new();
    for _ in 0..TRIES {
        if placed.len() == OBSTACLES || outlines.is_empty() {
            break;
        }
        let outline = outlines[dice.choose(outlines.len()).min(outlines.len() - 1)];
        let mut somewhere = |length: f64| FROM_EDGE_MM + dice.choose((length - 2.0 * FROM_EDGE_MM) as usize) as f64;
        let (x, y) = (somewhere(area.width), somewhere(area.height));
        let pose = Pose::new(x, y, dice.choose(360) as f64);
        let obstacle = outline.placed(format!("O{}", placed.len() + 1).into(), pose);
        let inside = obstacle.outline.iter().all(|corner| {
            let within = |value: f64, length: f64| (FROM_EDGE_MM..=length - FROM_EDGE_MM).contains(&value);
            within(corner.x, area.width) && within(corner.y, area.height)
        });
        let apart = placed
            .iter()
            .all(|other| polygon::distance(&other.outline, &obstacle.outline) > APART_MM);
        if inside && apart {
            placed.push(obstacle);
        }
    }
    placed
}
