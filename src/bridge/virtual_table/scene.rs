//! What lies on a virtual table, and the game's units.

use std::collections::BTreeMap;

use mlua::Table;

use super::{Result, VirtualTable};
use crate::{
    bridge::tts::units::{Frame, UNITS_PER_MM},
    geometry::Pose,
    xwing::{obstacle_outlines::ObstacleOutlines, size::Size},
};

/// World units of a length in mm.
pub fn igu(mm: f64) -> f64 {
    mm * UNITS_PER_MM
}

/// The world in mm, about its own origin.
fn world() -> Frame {
    Frame::new(0.0, 0.0, 0.0, 0.0)
}

/// The pose, in mm about the world's origin, of a model at that world x, world z and rotY.
pub fn pose_of_tts(x: f64, z: f64, rot_y: f64) -> Pose {
    world().pose(x, z, rot_y)
}

/// World x, world z and rotY of a pose.
pub fn tts_of_pose(pose: Pose) -> [f64; 3] {
    let placement = world().placement(pose);
    [placement.x, placement.y, placement.facing]
}

/// A ship to put on the table, as the mod's spawner would.
#[derive(Debug, Clone, Default)]
pub struct ShipSpec {
    /// GUID; empty for a new one.
    pub guid: String,
    /// Name on the table.
    pub name: String,
    /// xws id of the ship type.
    pub ship_id: String,
    /// Base size; `None` for a model that the mod does not recognise.
    pub size: Option<Size>,
    /// Initiative.
    pub initiative: u8,
    /// Faction, as the newer builds write it.
    pub faction: String,
    /// Colour of the player who owns it; empty for none.
    pub owner: String,
    /// World x, world z, rotY.
    pub placement: [f64; 3],
    /// Dial, in the mod's codes with colour (`wbl2`).
    pub move_set: Vec<String>,
    /// Action bar, in the mod's codes.
    pub act_set: Vec<String>,
    /// Turret mounts and where they point.
    pub turrets: BTreeMap<String, String>,
}

/// A dial to put on the table.
#[derive(Debug, Clone, Default)]
pub struct DialSpec {
    /// GUID; empty for a new one.
    pub guid: String,
    /// GUID of the ship it is assigned to.
    pub ship: String,
}

/// An obstacle to put on the table.
#[derive(Debug, Clone, Default)]
pub struct ObstacleSpec {
    /// GUID; empty for a new one.
    pub guid: String,
    /// Name, as in the mod's bags.
    pub name: String,
    /// World x, world z, rotY.
    pub placement: [f64; 3],
    /// What a ray hits: a polygon in mm, x to its right and y to its local +z; empty: the outline of that name.
    pub shape: Vec<[f64; 2]>,
}

/// What lies beside the mat for a ship: its pilot card and all that goes with it, as the mod's spawner lays it.
#[derive(Debug, Clone, Default)]
pub struct CardSpec {
    /// GUID of the ship.
    pub ship: String,
    /// World x and z of the pilot card.
    pub place: [f64; 2],
    /// Names of the upgrade cards, in a row to its left.
    pub upgrades: Vec<String>,
    /// Name of the configuration card, tucked under its right side; empty for none.
    pub configuration: String,
    /// Shield tokens, all active.
    pub shields: u32,
    /// Force tokens, all active.
    pub force: u32,
}

/// A play mat.
#[derive(Debug, Clone)]
pub struct MatSpec {
    /// Name.
    pub name: String,
    /// World x and z of the centre, and y: parked mats lie below the table.
    pub centre: [f64; 3],
    /// Half of its side, world units.
    pub half: f64,
}

impl Default for MatSpec {
    /// The mod's standard mat, 910 mm wide.
    fn default() -> Self {
        Self {
            name: "Red-Blue".into(),
            centre: [0.0, 0.0, 1.0],
            half: 16.55,
        }
    }
}

const BAGS: [&str; 13] = [
    "Focus",
    "Calculate",
    "Evade",
    "Stress",
    "Strain",
    "Deplete",
    "Ion",
    "Jam",
    "Tractor",
    "Disarm",
    "Reinforce",
    "Cloak",
    "Target Locks",
];

impl VirtualTable {
    fn spawn(&self, spec: &Table) -> Result<String> {
        let object: Table = self.call("spawn", spec)?;
        Ok(object.get("guid")?)
    }

    fn spec(&self, guid: &str, name: &str, kind: &str, tags: &[&str], [x, z, rot]: [f64; 3]) -> Result<Table> {
        let spec = self.lua.create_table()?;
        spec.set("guid", guid)?;
        spec.set("name", name)?;
        spec.set("kind", kind)?;
        spec.set("tags", tags.to_vec())?;
        spec.set(
            "position",
            self.lua.create_table_from([("x", x), ("y", 1.0), ("z", z)])?,
        )?;
        spec.set(
            "rotation",
            self.lua.create_table_from([("x", 0.0), ("y", rot), ("z", 0.0)])?,
        )?;
        Ok(spec)
    }

    /// Puts a mat on the table.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn add_mat(&self, mat: &MatSpec) -> Result<String> {
        let [x, z, y] = mat.centre;
        let spec = self.spec("", &mat.name, "Custom_Model", &[], [x, z, 0.0])?;
        spec.get::<Table>("position")?.set("y", y)?;
        let side = 2.0 * mat.half;
        spec.set(
            "bounds",
            self.lua.create_table_from([("x", side), ("y", 0.1), ("z", side)])?,
        )?;
        spec.set("vars", self.lua.create_table_from([("__XW_Mat", true)])?)?;
        self.spawn(&spec)
    }

    /// Puts the mod's token bags on the table, all but those named.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn add_bags(&self, without: &[&str]) -> Result<()> {
        for (i, name) in BAGS.into_iter().enumerate() {
            if without.contains(&name) {
                continue;
            }
            let spec = self.spec("", name, "Infinite", &[], [30.0, i as f64, 0.0])?;
            let vars = self.lua.create_table()?;
            if name == "Target Locks" {
                vars.set("gives", "Target Lock")?;
                vars.set("gives_script", "lock")?;
            } else {
                vars.set("gives", name)?;
                let token = self.lua.create_table()?;
                token.set("__XW_TokenType", name.to_lowercase())?;
                vars.set("gives_vars", token)?;
            }
            spec.set("vars", vars)?;
            self.spawn(&spec)?;
        }
        Ok(())
    }

    /// Puts a bag of the mod's attack dice and one of its defence dice on the table. The same seed rolls the same faces.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn add_dice(&self, seed: u32) -> Result<()> {
        // Neighbouring seeds are spread out; the generator knows no zero.
        let seed = u64::from(seed) * 2_654_435_761 % 2_147_483_646 + 1;
        self.game.set("dice_seed", seed)?;
        for (place, name, notes, colour) in [
            (0.0, "X-Wing Attack Die", "atkOG1", "Red"),
            (2.0, "X-Wing Defense Die", "defOG1", "Green"),
        ] {
            let spec = self.spec("", name, "Infinite", &[], [34.0, place, 0.0])?;
            spec.set("gm_notes", notes)?;
            let vars = self.lua.create_table()?;
            vars.set("gives", "")?;
            vars.set("gives_kind", "Dice")?;
            vars.set("gives_script", "die")?;
            vars.set("gives_tags", ["DiceControl"])?;
            vars.set("gives_vars", self.lua.create_table_from([("dicecolor", colour)])?)?;
            spec.set("vars", vars)?;
            self.spawn(&spec)?;
        }
        Ok(())
    }

    /// Puts a ship on the table.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn add_ship(&self, ship: &ShipSpec) -> Result<String> {
        let spec = self.spec(&ship.guid, &ship.name, "Figurine", &["Ship"], ship.placement)?;
        let data = self.lua.create_table()?;
        data.set("name", ship.name.as_str())?;
        data.set("shipId", ship.ship_id.as_str())?;
        data.set("initiative", ship.initiative)?;
        data.set(
            "Size",
            ship.size.map(|size| match size {
                Size::Small => "small",
                Size::Medium => "medium",
                Size::Large => "large",
                Size::Huge => "huge",
                Size::ShuttleToken => "shuttletoken",
            }),
        )?;
        data.set("Faction", ship.faction.as_str())?;
        data.set("moveSet", ship.move_set.clone())?;
        data.set("actSet", ship.act_set.clone())?;
        let shown = self.lua.create_table()?;
        shown.set("init", format!("init{}", ship.initiative))?;
        let vars = self.lua.create_table()?;
        vars.set("Data", data)?;
        vars.set("UiData", shown)?;
        vars.set("owningPlayer", (!ship.owner.is_empty()).then_some(ship.owner.as_str()))?;
        vars.set("finished_setup", true)?;
        vars.set("turret_arcs", ship.turrets.clone())?;
        spec.set("vars", vars)?;
        spec.set("script", "ship")?;
        spec.set("locked", true)?;
        self.spawn(&spec)
    }

    /// Lays a ship's cards and tokens beside the mat. Returns the GUID of the pilot card.
    ///
    /// # Errors
    /// There is no such ship.
    pub fn add_cards(&self, cards: &CardSpec) -> Result<String> {
        let name: String = self.object(&cards.ship)?.get("name")?;
        let [x, z] = cards.place;
        let pilot = self.spec("", &name, "Card", &[], [x, z, 0.0])?;
        let vars = self.lua.create_table()?;
        vars.set("ship_guid", cards.ship.as_str())?;
        pilot.set("vars", vars)?;
        let guid = self.spawn(&pilot)?;
        for (i, upgrade) in cards.upgrades.iter().enumerate() {
            self.spawn(&self.spec("", upgrade, "Card", &[], [x - 1.42 - 1.78 * i as f64, z, 0.0])?)?;
        }
        if !cards.configuration.is_empty() {
            self.spawn(&self.spec("", &cards.configuration, "Card", &["ConfigCard"], [x + 1.42, z, 0.0])?)?;
        }
        for (kind, count, right, up) in [("Shield", cards.shields, -1.0, -2.1), ("Force", cards.force, 1.7, -1.8)] {
            for i in 0..count {
                let place = [x + right + 0.9 * f64::from(i), z + up, 0.0];
                let token = self.spec("", kind, "Generic", &["Flippable"], place)?;
                let vars = self.lua.create_table()?;
                vars.set("__XW_TokenType", kind)?;
                vars.set(format!("{}_owner", kind.to_lowercase()), name.as_str())?;
                token.set("vars", vars)?;
                self.spawn(&token)?;
            }
        }
        Ok(guid)
    }

    /// A player lays a damage card under a pilot card. Returns its GUID.
    ///
    /// # Errors
    /// There is no such card.
    pub fn add_damage_card(&self, pilot_card: &str, face_down: bool) -> Result<String> {
        let [x, z, rot] = self.placement(pilot_card)?;
        let spec = self.spec("", "", "Card", &[], [x + 0.3, z - 0.8, rot])?;
        spec.set("face_down", face_down)?;
        spec.set("card_id", 27_324)?;
        self.spawn(&spec)
    }

    /// Puts a dial beside a ship and assigns it.
    ///
    /// # Errors
    /// There is no such ship.
    pub fn add_dial(&self, dial: &DialSpec) -> Result<String> {
        let [x, z, rot] = self.placement(&dial.ship)?;
        let spec = self.spec(
            &dial.guid,
            "Unassigned Dial",
            "Custom_Model",
            &["Flippable"],
            [x, z + 3.0, rot],
        )?;
        spec.set("script", "dial")?;
        let guid = self.spawn(&spec)?;
        let record = self.object(&guid)?;
        let ship: mlua::AnyUserData = self.call("ref", self.object(&dial.ship)?)?;
        let assign: mlua::Function = record.get::<Table>("env")?.raw_get("assignShip")?;
        assign.call::<()>(self.lua.create_table_from([("ship", ship)])?)?;
        Ok(guid)
    }

    /// Puts an obstacle on the table.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn add_obstacle(&self, obstacle: &ObstacleSpec) -> Result<String> {
        let spec = self.spec(
            &obstacle.guid,
            &obstacle.name,
            "Custom_Model",
            &["Obstacle"],
            obstacle.placement,
        )?;
        let named = ObstacleOutlines::embedded().find(&obstacle.name);
        let shape: Vec<[f64; 2]> = match named {
            Some(outline) if obstacle.shape.is_empty() => outline
                .points
                .iter()
                .map(|point| [igu(point.x), igu(point.y)])
                .collect(),
            _ => obstacle.shape.iter().map(|[x, y]| [igu(*x), igu(*y)]).collect(),
        };
        spec.set("shape", (!shape.is_empty()).then_some(shape))?;
        self.spawn(&spec)
    }
}
