//! Whether the parts of a scenario fit together, and whether the catalog knows its ships.

mod waves;

use super::{Arrives, FORMAT, Group, MarkerSide, Scenario, ScenarioError, SideChoice, Spacing, muster::generic_pilots};
use crate::xwing::{catalog::Catalog, size::Size, squad::xws};

/// The largest play area, mm; beyond it a unit is mistaken.
const LARGEST_MM: f64 = 4000.0;
/// No more obstacles, markers, ships of a group or player ships than this.
const MOST: u32 = 24;

fn wrong(place: impl Into<String>, message: impl Into<String>) -> ScenarioError {
    ScenarioError::Value {
        place: place.into(),
        message: message.into(),
    }
}

/// Checks what can be checked without a catalog.
pub(super) fn consistent(scenario: &Scenario) -> Result<(), ScenarioError> {
    if scenario.format != FORMAT {
        let found = &scenario.format;
        return Err(wrong("format", format!("is `{found}`; this program reads `{FORMAT}`")));
    }
    for (place, mm) in [
        ("area.width_mm", scenario.area.width_mm),
        ("area.height_mm", scenario.area.height_mm),
    ] {
        if !(100.0..=LARGEST_MM).contains(&mm) {
            return Err(wrong(
                place,
                format!("is {}; give millimetres between 100 and {LARGEST_MM}", number(mm)),
            ));
        }
    }
    for (place, text) in [("id", &scenario.id), ("name", &scenario.name)] {
        if text.trim().is_empty() {
            return Err(wrong(place, "is empty; give a name"));
        }
    }
    let players = scenario.player_ships;
    if players.usual == 0 || players.usual > players.most || players.most > MOST {
        return Err(wrong("player_ships", format!("give 1 <= usual <= most <= {MOST}")));
    }
    let markers = &scenario.markers;
    if markers.count > MOST {
        return Err(wrong("markers.count", format!("give at most {MOST}")));
    }
    if !(markers.size_mm > 0.0 && markers.size_mm <= 200.0) {
        return Err(wrong("markers.size_mm", "give millimetres between 0 and 200"));
    }
    markers_fit(scenario)?;
    if scenario.obstacles.pieces.len() > MOST as usize {
        return Err(wrong("obstacles.pieces", format!("give at most {MOST}")));
    }
    let rules = &scenario.obstacles;
    spacing_fits(rules.apart, "obstacles.apart")?;
    spacing_fits(rules.from_markers, "obstacles.from_markers")?;
    if !rules.pieces.is_empty() {
        room_within(scenario, rules.from_edges, 0.0, "obstacles.from_edges")?;
    }
    for (index, group) in scenario.groups.iter().enumerate() {
        let place = format!("group[{index}]");
        let id = &group.id;
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
            return Err(wrong(
                format!("{place}.id"),
                format!("`{id}`: use small letters and `_`"),
            ));
        }
        if scenario.groups[..index].iter().any(|other| other.id == *id) {
            return Err(wrong(
                format!("{place}.id"),
                format!("`{id}` is there twice; rename one of them"),
            ));
        }
        let count: u32 = group.ships.iter().fold(0, |sum, ships| sum.saturating_add(ships.count));
        if !(1..=MOST).contains(&count) {
            return Err(wrong(
                format!("{place}.ships"),
                format!("give between 1 and {MOST} ships"),
            ));
        }
        group_arrives(scenario, group, &format!("{place}.arrives"))?;
    }
    waves::waves_fit(scenario)?;
    waves::endings_fit(scenario)?;
    for (index, squad) in scenario.squads.iter().enumerate() {
        let faction = &squad.faction;
        if xws::faction(faction) != Some(faction) {
            let meant = xws::faction(faction).map_or_else(String::new, |meant| format!("; is `{meant}` meant?"));
            return Err(wrong(
                format!("squad[{index}].faction"),
                format!("`{faction}` is no xws id of a faction{meant}"),
            ));
        }
        if scenario.squads[..index].iter().any(|other| other.faction == *faction) {
            let message = format!("`{faction}` is there twice; give its ships in one [[squad]]");
            return Err(wrong(format!("squad[{index}].faction"), message));
        }
        for (group, choices) in &squad.ships {
            let place = format!("squad[{index}].ships.{group}");
            known_group(scenario, group, &place)?;
            if choices.is_empty() {
                return Err(wrong(place, "name at least one ship, or leave the group out"));
            }
        }
    }
    Ok(())
}

/// A number as people write it, however large it is.
fn number(number: f64) -> String {
    match number.abs() < 1e9 {
        true => number.to_string(),
        false => format!("{number:e}"),
    }
}

fn known_group(scenario: &Scenario, group: &str, place: &str) -> Result<(), ScenarioError> {
    if scenario.group(group).is_some() {
        return Ok(());
    }
    let known: Vec<&str> = scenario.groups.iter().map(|group| group.id.as_str()).collect();
    let known = known.join(", ");
    Err(wrong(place, format!("there is no group `{group}`; there are {known}")))
}

/// Markers that have a place and a use.
fn markers_fit(scenario: &Scenario) -> Result<(), ScenarioError> {
    let markers = &scenario.markers;
    let arrive = scenario.groups.iter().any(|group| group.arrives == Arrives::Marker);
    if markers.count == 0 {
        return Ok(());
    }
    if !arrive {
        return Err(wrong(
            "markers.count",
            "no group arrives at a marker; set it to 0, or give a group `arrives = \"marker\"`",
        ));
    }
    let sides = &markers.deployment_sides;
    if sides.is_empty() {
        return Err(wrong("markers.deployment_sides", "name at least one side"));
    }
    if let Some(twice) = (1..sides.len()).find(|&index| sides[..index].contains(&sides[index])) {
        let message = format!("`{}` is there twice", sides[twice].word());
        return Err(wrong(format!("markers.deployment_sides[{twice}]"), message));
    }
    let by_die = &markers.side_by_die;
    for (face, choice) in [
        ("blank", by_die.blank),
        ("focus", by_die.focus),
        ("evade", by_die.evade),
    ] {
        let side = match choice {
            SideChoice::Front => MarkerSide::Front,
            SideChoice::Left => MarkerSide::Left,
            SideChoice::Right => MarkerSide::Right,
            SideChoice::Back => MarkerSide::Back,
            SideChoice::Closest => continue,
        };
        if !sides.contains(&side) {
            let message = format!("`{}` is no deployment side; add it there, or name another", side.word());
            return Err(wrong(format!("markers.side_by_die.{face}"), message));
        }
    }
    room_within(scenario, markers.from_edges, markers.size_mm, "markers.from_edges")?;
    spacing_fits(markers.apart, "markers.apart")?;
    if markers.count > 1 {
        let (edges, _) = markers.from_edges.exact_mm();
        let (apart, _) = markers.apart.exact_mm();
        let inner = |extent: f64| (extent - 2.0 * (edges + markers.size_mm)).max(0.0);
        let widest = inner(scenario.area.width_mm).hypot(inner(scenario.area.height_mm));
        if apart >= widest {
            return Err(wrong(
                "markers.apart",
                format!(
                    "markers that keep from_edges are at most {widest:.0} mm apart; loosen one of the two, or enlarge the area"
                ),
            ));
        }
    }
    Ok(())
}

/// The farthest range that a play area of [`LARGEST_MM`] has room for.
const FARTHEST: u32 = (LARGEST_MM / 100.0) as u32;

/// A distance that something can have.
fn spacing_fits(spacing: Spacing, place: &str) -> Result<(), ScenarioError> {
    let (Spacing::Within(range) | Spacing::At(range) | Spacing::Beyond(range)) = spacing;
    match spacing {
        Spacing::Within(0) | Spacing::At(0) => Err(wrong(place, "range 0 is contact; give 1 or more")),
        _ if range > FARTHEST => Err(wrong(
            place,
            format!("range {range} is farther than any play area is wide; give {FARTHEST} or less"),
        )),
        _ => Ok(()),
    }
}

/// Whether something of that size can be so far from every edge.
fn room_within(scenario: &Scenario, from_edges: Spacing, size_mm: f64, place: &str) -> Result<(), ScenarioError> {
    spacing_fits(from_edges, place)?;
    let (least, _) = from_edges.exact_mm();
    let shorter = scenario.area.width_mm.min(scenario.area.height_mm);
    if 2.0 * least + size_mm >= shorter {
        return Err(wrong(
            place,
            format!(
                "nothing is more than {least:.0} mm from every edge of an area {shorter:.0} mm deep; give a smaller range"
            ),
        ));
    }
    Ok(())
}

/// Whether ships find a place where their group arrives.
fn group_arrives(scenario: &Scenario, group: &Group, place: &str) -> Result<(), ScenarioError> {
    match &group.arrives {
        Arrives::Marker if scenario.markers.count == 0 => Err(wrong(
            place,
            "there are no markers; set markers.count, or let it arrive elsewhere",
        )),
        Arrives::Corner(corners) if corners.is_empty() => Err(wrong(place, "name at least one corner")),
        Arrives::PlayerEdge(spacing) | Arrives::FarEdge(spacing) => {
            spacing_fits(*spacing, place)?;
            use super::Edge::{East, North, South, West};
            let deep = match scenario.player_edge {
                South | North => scenario.area.height_mm,
                West | East => scenario.area.width_mm,
            };
            let (least, _) = spacing.exact_mm();
            if least >= deep {
                let message = format!("the area is {deep:.0} mm deep there; give a smaller range");
                return Err(wrong(place, message));
            }
            Ok(())
        }
        Arrives::Marker | Arrives::Corner(_) => Ok(()),
    }
}

impl Scenario {
    /// What the catalog does not know of this scenario's ships, pilots and obstacles, without which it cannot be played.
    pub fn unknown_to(&self, catalog: &Catalog) -> Vec<ScenarioError> {
        if let Err(error) = self.fits(catalog.edition()) {
            return vec![error];
        }
        let mut found = Vec::new();
        for (index, piece) in self.obstacles.pieces.iter().enumerate() {
            if catalog.outlines().find(piece).is_none() {
                let place = format!("obstacles.pieces[{index}]");
                found.push(wrong(
                    place,
                    format!("no obstacle `{piece}` is known; data/obstacles.toml lists them"),
                ));
            }
        }
        for (index, squad) in self.squads.iter().enumerate() {
            for (group, choices) in &squad.ships {
                for (number, choice) in choices.iter().enumerate() {
                    let place = format!("squad[{index}].ships.{group}[{number}]");
                    let ship = &choice.ship;
                    if catalog.ship(ship).is_some_and(|ship| ship.size == Size::Huge) {
                        let message = format!(
                            "`{ship}` is huge: huge ships have rules of their own, which whole games do not play; name \
                             another ship"
                        );
                        found.push(wrong(&place, message));
                    } else if let Some(pilot) = &choice.pilot {
                        let faction = choice.flown_by(&squad.faction);
                        let known = catalog.pilot(pilot);
                        if !known.is_some_and(|known| known.ship == *ship && known.faction == faction) {
                            let message = format!("{faction} has no pilot `{pilot}` of `{ship}`; check its xws id");
                            found.push(wrong(&place, message));
                        }
                    } else if generic_pilots(catalog, ship, choice.flown_by(&squad.faction)).is_empty() {
                        let faction = choice.flown_by(&squad.faction);
                        let message = format!("{faction} has no non-limited pilot of `{ship}`; check its xws id");
                        found.push(wrong(&place, message));
                    }
                }
            }
            for (ship, ace) in &squad.aces {
                let place = format!("squad[{index}].aces.{ship}");
                let mut choices = squad.ships.values().flatten().filter(|choice| choice.ship == *ship);
                let faction = choices
                    .next()
                    .map_or(&*squad.faction, |choice| choice.flown_by(&squad.faction));
                match catalog.pilot(&ace.pilot) {
                    Some(pilot) if pilot.ship == *ship && pilot.faction == faction && pilot.limited > 0 => {}
                    Some(_) => {
                        let message = format!("`{}` is no limited pilot of that ship and faction", ace.pilot);
                        found.push(wrong(&place, message));
                    }
                    None => found.push(wrong(&place, format!("the pilot `{}` is not known", ace.pilot))),
                }
            }
        }
        found
    }

    /// Upgrades that the catalog does not know: the ships are played without them.
    pub fn upgrades_unknown_to(&self, catalog: &Catalog) -> Vec<ScenarioError> {
        let mut found = Vec::new();
        for (index, squad) in self.squads.iter().enumerate() {
            let ships = squad.ships.iter().flat_map(|(group, choices)| {
                let numbered = choices.iter().enumerate();
                numbered.map(move |(number, choice)| (format!("ships.{group}[{number}]"), &choice.upgrades))
            });
            let aces = squad
                .aces
                .iter()
                .map(|(ship, ace)| (format!("aces.{ship}"), &ace.upgrades));
            for (place, upgrades) in ships.chain(aces) {
                for upgrade in upgrades.iter().filter(|upgrade| catalog.upgrade(upgrade).is_none()) {
                    let message = format!("the upgrade `{upgrade}` is not known; check its xws id");
                    found.push(wrong(format!("squad[{index}].{place}"), message));
                }
            }
        }
        found
    }
}
