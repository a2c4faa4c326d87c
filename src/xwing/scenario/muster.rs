//! SA-13.1: which ships take part: types by faction, pilots by initiative, upgrades by the footnotes.

use super::{Group, LockOnArrival, PilotChoice, Scenario, ScenarioError, ShipChoice, SideName, wave::scaled};
use crate::{
    geometry::Pose,
    xwing::{
        ObjectId,
        catalog::{Catalog, PilotFacts, QuickBuild, Resolved, quick_build::QuickBuildPilot},
        ship::{Ship, Status},
        squad::{self, Squad, SquadShip},
    },
};

/// Behind the name of a ship that came back.
const AGAIN: &str = " (again)";

/// What the players want.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wishes {
    /// The players' faction, by xws id or name.
    pub faction: String,
    /// The solo side's faction, by xws id or name; any may fight any.
    pub enemy: String,
    /// How many ships the players have.
    pub player_ships: u32,
    /// The variant.
    pub variant: Option<String>,
    /// Ship types to take where there is a choice: `SHIP`, or `GROUP=SHIP` for one group alone.
    pub take: Vec<String>,
    /// The id of the Quick Build card that the ace flies by, in place of the scenario's (`ace` variant).
    pub ace: Option<String>,
    /// The players' own squad in place of the scenario's; it says how many ships they have.
    pub squad: Option<Squad>,
    /// The solo side's own squad in place of the scenario's: dealt to its groups in their order, to each as many as it
    /// has; those left over wait in the last one.
    pub enemy_squad: Option<Squad>,
}

/// The ships of a game, none of them placed yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Muster {
    /// xws id of the players' faction.
    pub faction: String,
    /// xws id of the solo side's faction.
    pub enemy: String,
    /// How many ships the players have.
    pub player_ships: u32,
    /// The variant.
    pub variant: Option<String>,
    /// All ships, in the order of groups and of arrival in each.
    pub recruits: Vec<Recruit>,
    /// What the players ought to know.
    pub notes: Vec<String>,
}

/// A ship that takes part.
#[derive(Debug, Clone, PartialEq)]
pub struct Recruit {
    /// Its group.
    pub group: String,
    /// xws id of its faction.
    pub faction: String,
    /// xws id of its pilot.
    pub pilot: String,
    /// xws ids of its upgrades.
    pub upgrades: Vec<String>,
    /// What it locks as it arrives.
    pub lock: Option<LockOnArrival>,
    /// The ship, waiting to be placed.
    pub ship: Ship,
}

/// The non-limited pilots of a ship type in a faction, by initiative, then the cheaper, then by id. Those with a standard
/// loadout are left out: no ship has upgrades but those of the footnotes (SA-13.1).
pub fn generic_pilots<'c>(catalog: &'c Catalog, ship: &str, faction: &str) -> Vec<&'c PilotFacts> {
    let mut pilots: Vec<&PilotFacts> = (catalog.pilots().iter())
        .filter(|pilot| pilot.ship == ship && pilot.faction == faction)
        .filter(|pilot| pilot.limited == 0 && pilot.standard_loadout.is_empty())
        .collect();
    pilots.sort_by(|a, b| (a.initiative, a.cost, &a.xws).cmp(&(b.initiative, b.cost, &b.xws)));
    pilots
}

/// The pilot that is meant. Of several with the highest initiative it is the cheapest, then the first by id (choice).
fn chosen<'c>(pilots: &[&'c PilotFacts], choice: PilotChoice) -> Option<&'c PilotFacts> {
    match choice {
        PilotChoice::Lowest => pilots.first().copied(),
        PilotChoice::Highest => {
            let highest = pilots.last()?.initiative;
            pilots.iter().find(|pilot| pilot.initiative == highest).copied()
        }
    }
}

impl Scenario {
    /// How many ships a squad of the solo side has: those of all its groups that take part, for so many player ships. What
    /// comes alone whatever the player has, as the transport does, is no part of it.
    pub fn solo_ships(&self, variant: Option<&str>, player_ships: u32) -> u32 {
        let variant = variant.and_then(|id| self.variant(id).ok());
        let waves = self
            .waves
            .iter()
            .chain(variant.iter().flat_map(|variant| &variant.waves));
        let takes_part = |group: &&Group| waves.clone().any(|wave| wave.place.contains_key(&group.id));
        let groups = self
            .groups
            .iter()
            .filter(|group| is_dealt_to(group) && takes_part(group));
        groups.map(|group| dealt(self, group, player_ships)).sum()
    }
}

/// Whether ships of a squad of the solo side's own are dealt to a group.
fn is_dealt_to(group: &Group) -> bool {
    group.side == SideName::Solo && !group.unscaled
}

/// How many of them.
fn dealt(scenario: &Scenario, group: &Group, player_ships: u32) -> u32 {
    let usual = scenario.player_ships.usual;
    let own = group.ships.iter().map(|ships| scaled(ships.count, player_ships, usual));
    own.sum()
}

/// Chooses the ships of a game (SA-13.1). With more or fewer player ships than usual every group grows or shrinks alike
/// (choice).
///
/// # Errors
/// A faction, variant or ship type that the scenario does not have, or a ship that the catalog does not know.
pub fn muster(scenario: &Scenario, catalog: &Catalog, wishes: &Wishes) -> Result<Muster, ScenarioError> {
    scenario.fits(catalog.edition())?;
    let enemy = match &wishes.enemy_squad {
        Some(squad) => squad.faction.as_str(),
        None => faction(scenario, &wishes.enemy)?,
    };
    let faction = match &wishes.squad {
        // A squad of one's own need not be of a faction that the scenario knows.
        Some(squad) => squad.faction.as_str(),
        None => self::faction(scenario, &wishes.faction)?,
    };
    let most = scenario.player_ships.most;
    let asked = (wishes.squad.as_ref()).map_or(wishes.player_ships, |squad| squad.ships.len() as u32);
    if !(1..=most).contains(&asked) {
        return Err(ScenarioError::Asked(format!(
            "{asked} player ships: give between 1 and {most}"
        )));
    }
    let variant = wishes.variant.as_deref().map(|id| scenario.variant(id)).transpose()?;
    let mut muster = Muster {
        faction: faction.to_owned(),
        enemy: enemy.to_owned(),
        player_ships: asked,
        variant: wishes.variant.clone(),
        recruits: Vec::new(),
        notes: Vec::new(),
    };
    if let Some(card) = &wishes.ace
        && variant.is_none_or(|variant| variant.ace.is_none())
    {
        return Err(ScenarioError::Asked(format!(
            "the Quick Build card `{card}` is for an ace; take a variant that has one"
        )));
    }
    let mut used = vec![false; wishes.take.len()];
    let waves = scenario
        .waves
        .iter()
        .chain(variant.iter().flat_map(|variant| &variant.waves));
    let placed: Vec<&String> = waves.flat_map(|wave| wave.place.keys()).collect();
    let groups = || scenario.groups.iter().filter(|group| placed.contains(&&group.id));
    let last_solo = groups().rfind(|group| is_dealt_to(group));
    let mut taken = 0;
    for group in groups() {
        let faction = match group.side {
            SideName::Player => faction,
            SideName::Solo => enemy,
        };
        if let Some(squad) = wishes.squad.as_ref().filter(|_| group.side == SideName::Player) {
            own_squad(catalog, group, squad, &squad.ships, &mut muster);
            continue;
        }
        if let Some(squad) = wishes.enemy_squad.as_ref().filter(|_| is_dealt_to(group)) {
            let is_last = last_solo.is_some_and(|last| last.id == group.id);
            let count = if is_last {
                usize::MAX
            } else {
                dealt(scenario, group, asked) as usize
            };
            let ships = &squad.ships[taken..];
            let ships = &ships[..count.min(ships.len())];
            taken += ships.len();
            own_squad(catalog, group, squad, ships, &mut muster);
            continue;
        }
        let choice = choice(scenario, group, faction, &wishes.take, &mut used)?;
        let before = muster.recruits.len();
        enlist(scenario, catalog, group, faction, choice, &mut muster)?;
        if let Some(rule) = variant
            .and_then(|variant| variant.ace.as_ref())
            .filter(|rule| rule.group == group.id)
        {
            let cards = match &wishes.ace {
                Some(card) => ace_card(catalog, card, &choice.ship, choice.flown_by(faction))?,
                None => {
                    let squad = scenario.squads.iter().find(|squad| squad.faction == faction);
                    let ace = squad.and_then(|squad| squad.aces.get(&choice.ship)).ok_or_else(|| {
                        let ship = &choice.ship;
                        ScenarioError::Asked(format!(
                            "{faction} has no ace for `{ship}`; name a Quick Build card with --ace, or take another ship of \
                             the group `{}` with --take",
                            group.id
                        ))
                    })?;
                    Cards {
                        ship: &choice.ship,
                        pilot: &ace.pilot,
                        upgrades: &ace.upgrades,
                    }
                }
            };
            let flown_by = choice.flown_by(faction);
            let mut recruit = recruit(catalog, group, flown_by, cards, 1, &mut muster.notes)?;
            recruit.lock = rule.lock;
            muster.recruits[before] = recruit;
        }
    }
    if let Some(index) = used.iter().position(|used| !used) {
        let take = &wishes.take[index];
        return Err(ScenarioError::Asked(format!(
            "`{take}` is no choice of {faction} (player) or {enemy} (solo) in this scenario"
        )));
    }
    number_names(&mut muster.recruits);
    Ok(muster)
}

fn faction<'s>(scenario: &'s Scenario, text: &str) -> Result<&'s str, ScenarioError> {
    let id = crate::xwing::catalog::normalized(text);
    let known = || scenario.squads.iter().map(|squad| squad.faction.as_str());
    let usual = squad::xws::faction(text);
    known()
        .find(|faction| *faction == id || Some(*faction) == usual)
        .ok_or_else(|| {
            let nearest = known().max_by(|a, b| {
                let likeness = |known: &str| strsim::jaro_winkler(known, &id);
                likeness(a).total_cmp(&likeness(b))
            });
            let meant = nearest.filter(|near| strsim::jaro_winkler(near, &id) > 0.8);
            let meant = meant.map_or_else(String::new, |near| format!(" (is `{near}` meant?)"));
            let list: Vec<&str> = known().collect();
            ScenarioError::Asked(format!(
                "no faction `{text}` in this scenario{meant}; it has {}",
                list.join(", ")
            ))
        })
}

fn choice<'s>(
    scenario: &'s Scenario,
    group: &Group,
    faction: &str,
    take: &[String],
    used: &mut [bool],
) -> Result<&'s ShipChoice, ScenarioError> {
    let squad = scenario.squads.iter().find(|squad| squad.faction == faction);
    let choices = squad.and_then(|squad| squad.ships.get(&group.id)).ok_or_else(|| {
        let id = &group.id;
        ScenarioError::Asked(format!(
            "the scenario names no ships of {faction} for the group `{id}`; add squad.ships.{id}, or take another faction"
        ))
    })?;
    let mut chosen = &choices[0];
    for (wish, used) in take.iter().zip(used) {
        let (for_group, ship) = wish
            .split_once('=')
            .map_or((None, wish.as_str()), |(group, ship)| (Some(group), ship));
        if for_group.is_none_or(|id| id == group.id)
            && let Some(choice) = choices.iter().find(|choice| choice.ship == ship)
        {
            chosen = choice;
            *used = true;
        }
    }
    Ok(chosen)
}

fn enlist(
    scenario: &Scenario,
    catalog: &Catalog,
    group: &Group,
    faction: &str,
    choice: &ShipChoice,
    muster: &mut Muster,
) -> Result<(), ScenarioError> {
    let faction = choice.flown_by(faction);
    let pilots = generic_pilots(catalog, &choice.ship, faction);
    let mut wanted: Vec<PilotChoice> = Vec::new();
    match group.side {
        // One ship after another takes the next line, so that three ships are highest, lowest, highest.
        SideName::Player => {
            let lines: Vec<PilotChoice> = (group.ships.iter())
                .flat_map(|ships| std::iter::repeat_n(ships.pilot, ships.count as usize))
                .collect();
            wanted.extend(lines.iter().cycle().take(muster.player_ships as usize));
        }
        SideName::Solo => {
            for ships in &group.ships {
                let count = match group.unscaled {
                    true => ships.count,
                    false => scaled(ships.count, muster.player_ships, scenario.player_ships.usual),
                };
                wanted.extend(std::iter::repeat_n(ships.pilot, count as usize));
            }
        }
    }
    for (index, wish) in wanted.into_iter().enumerate() {
        let named = choice.pilot.as_deref();
        let pilot = named.or_else(|| Some(&*chosen(&pilots, wish)?.xws)).ok_or_else(|| {
            let ship = &choice.ship;
            ScenarioError::Asked(format!(
                "the catalog has no non-limited pilot of `{ship}` in {faction}; check the id, or leave --catalog out"
            ))
        })?;
        let number = index as u32 + 1;
        let cards = Cards {
            ship: &choice.ship,
            pilot,
            upgrades: &choice.upgrades,
        };
        let recruit = recruit(catalog, group, faction, cards, number, &mut muster.notes)?;
        muster.recruits.push(recruit);
    }
    Ok(())
}

/// Ships of a squad of one's own (of a builder), in the squad's order.
fn own_squad(catalog: &Catalog, group: &Group, squad: &Squad, ships: &[SquadShip], muster: &mut Muster) {
    let notes = squad.notes.iter().filter(|note| !muster.notes.contains(note));
    let notes: Vec<String> = notes.cloned().collect();
    muster.notes.extend(notes);
    for (index, member) in ships.iter().enumerate() {
        let Some(resolved) = member.resolve(catalog) else {
            let (place, ship) = (&member.place, &member.ship);
            muster.notes.push(format!(
                "{place}: the ship `{ship}` is not in the catalog; it is left out"
            ));
            continue;
        };
        let cards = Cards {
            ship: &member.ship,
            pilot: member.pilot.as_deref().unwrap_or_default(),
            upgrades: &member.upgrades,
        };
        let number = index as u32 + 1;
        let recruit = waiting(resolved, group, &squad.faction, cards, number, &mut muster.notes);
        muster.recruits.push(recruit);
    }
}

/// The cards of a ship, by xws ids.
#[derive(Debug, Clone, Copy)]
struct Cards<'a> {
    ship: &'a str,
    pilot: &'a str,
    upgrades: &'a [String],
}

/// The ship of a Quick Build card, for the ace of that ship type and faction.
fn ace_card<'a>(catalog: &'a Catalog, id: &str, ship: &'a str, faction: &str) -> Result<Cards<'a>, ScenarioError> {
    let fits = |card: &&QuickBuild| {
        let pilot = |entry: &QuickBuildPilot| catalog.pilot(&entry.pilot);
        let flies = |pilot: &PilotFacts| pilot.ship == ship && pilot.faction == faction && pilot.limited > 0;
        card.pilots.len() == 1 && pilot(&card.pilots[0]).is_some_and(flies)
    };
    let Some(card) = catalog.quick_build(id).filter(fits) else {
        let fitting = catalog.quick_builds().iter().filter(fits);
        let ids: Vec<&str> = fitting.map(|card| card.id.as_str()).collect();
        return Err(ScenarioError::Asked(format!(
            "`{id}` is no Quick Build card of a limited pilot of `{ship}` for {faction}; such are {}",
            if ids.is_empty() {
                "none".to_owned()
            } else {
                ids.join(", ")
            }
        )));
    };
    Ok(Cards {
        ship,
        pilot: &card.pilots[0].pilot,
        upgrades: &card.pilots[0].upgrades,
    })
}

fn recruit(
    catalog: &Catalog,
    group: &Group,
    faction: &str,
    cards: Cards<'_>,
    number: u32,
    notes: &mut Vec<String>,
) -> Result<Recruit, ScenarioError> {
    let resolved = catalog
        .resolve(cards.ship, Some(cards.pilot), cards.upgrades)
        .map_err(|error| ScenarioError::Asked(error.to_string()))?;
    Ok(waiting(resolved, group, faction, cards, number, notes))
}

/// A ship that was put together, waiting to be placed.
fn waiting(
    resolved: Resolved,
    group: &Group,
    faction: &str,
    cards: Cards<'_>,
    number: u32,
    notes: &mut Vec<String>,
) -> Recruit {
    let id: ObjectId = format!("{}-{number}", group.id).into();
    notes.extend(resolved.notes.iter().map(|note| format!("{id}: {note}")));
    let mut ship = resolved.into_ship(id, group.side.as_str().to_owned(), Pose::default());
    ship.status = Status::Reserved;
    Recruit {
        group: group.id.clone(),
        faction: faction.to_owned(),
        pilot: cards.pilot.to_owned(),
        upgrades: cards.upgrades.to_vec(),
        lock: group.lock,
        ship,
    }
}

/// Gives pilots of one name numbers, as players do with several of a kind.
fn number_names(recruits: &mut [Recruit]) {
    let names: Vec<String> = recruits.iter().map(|recruit| recruit.ship.name.clone()).collect();
    for (index, name) in names.iter().enumerate() {
        if names.iter().filter(|other| *other == name).count() > 1 {
            let number = names[..=index].iter().filter(|other| *other == name).count();
            recruits[index].ship.name = format!("{name} {number}");
        }
    }
}

impl Muster {
    /// What is known of a ship on the table; of one that came back, what is known of the destroyed one.
    pub fn recruit_of(&self, ship: &Ship) -> Option<&Recruit> {
        let own = self.recruits.iter().find(|recruit| recruit.ship.id == ship.id);
        own.or_else(|| {
            let first = ship.name.strip_suffix(AGAIN)?;
            self.recruits.iter().find(|recruit| recruit.ship.name == first)
        })
    }

    /// A ship that takes the place of a destroyed one: the same facts under the next number of its group.
    pub(super) fn another(&self, recruit: &Recruit, number: u32) -> Recruit {
        let mut new = recruit.clone();
        new.ship.id = format!("{}-{number}", recruit.group).into();
        new.ship.name = format!("{}{AGAIN}", recruit.ship.name);
        new
    }
}
