//! Looking at a virtual table.

use std::collections::BTreeMap;

use mlua::{AnyUserData, Function, Table, Value};

use super::{Result, VirtualTable};

impl VirtualTable {
    /// Labels of an object's buttons, in order.
    ///
    /// # Errors
    /// There is no such object.
    pub fn buttons(&self, guid: &str) -> Result<Vec<String>> {
        let buttons: Vec<Table> = self.object(guid)?.get("buttons")?;
        buttons.iter().map(|button| Ok(button.get("label")?)).collect()
    }

    /// Everything that was printed so far; lines for the host alone begin with `host: `.
    pub fn chat(&self) -> Vec<String> {
        self.game.get("chat").unwrap_or_default()
    }

    /// Errors that scripts ran into, as the game would show them to the host. Empty when all is well.
    pub fn script_errors(&self) -> Vec<String> {
        self.game.get("errors").unwrap_or_default()
    }

    /// How many vector lines the controller shows.
    pub fn vector_lines(&self) -> usize {
        self.game
            .get::<Table>("lines")
            .map(|lines| lines.raw_len())
            .unwrap_or_default()
    }

    /// Whether an object of that GUID lies on the table.
    pub fn exists(&self, guid: &str) -> bool {
        self.object(guid).is_ok()
    }

    /// Where an object stands: world x, world z, rotY.
    ///
    /// # Errors
    /// There is no such object.
    pub fn placement(&self, guid: &str) -> Result<[f64; 3]> {
        let object = self.object(guid)?;
        let (position, rotation): (Table, Table) = (object.get("position")?, object.get("rotation")?);
        Ok([
            position.get("x")?,
            position.get("z")?,
            rotation.get::<f64>("y")?.rem_euclid(360.0),
        ])
    }

    /// Tokens assigned to a ship by name, stacks counted.
    ///
    /// # Errors
    /// There is no such ship.
    pub fn tokens(&self, ship: &str) -> Result<BTreeMap<String, u32>> {
        let mut counts = BTreeMap::new();
        for (name, quantity) in self.ship_tokens(ship)? {
            *counts.entry(name).or_default() += quantity;
        }
        Ok(counts)
    }

    fn ship_tokens(&self, ship: &str) -> Result<Vec<(String, u32)>> {
        let environment: Table = self.object(ship)?.get("env")?;
        let tokens: Vec<AnyUserData> = environment
            .raw_get::<Function>("GetTokens")?
            .call(self.lua.create_table()?)?;
        let mut list = Vec::new();
        for token in tokens {
            let record: Table = self.call("record", token)?;
            list.push((record.get("name")?, record.get::<i64>("quantity")?.max(1) as u32));
        }
        Ok(list)
    }

    /// A variable of an object's script, as text; empty if it is nil.
    ///
    /// # Errors
    /// There is no such object.
    pub fn variable(&self, guid: &str, name: &str) -> Result<String> {
        let environment: Table = self.object(guid)?.get("env")?;
        let value: Value = environment.raw_get(name)?;
        Ok(match value {
            Value::Nil => String::new(),
            other => other.to_string()?,
        })
    }

    /// Where a turret of a ship points.
    ///
    /// # Errors
    /// There is no such ship.
    pub fn turret(&self, ship: &str, mount: &str) -> Result<String> {
        let environment: Table = self.object(ship)?.get("env")?;
        let arcs: Table = environment.raw_get("turret_arcs")?;
        Ok(arcs.get::<Option<String>>(mount)?.unwrap_or_default())
    }

    /// Whether a ship rests and the mod is done with it.
    ///
    /// # Errors
    /// There is no such ship.
    pub fn at_rest(&self, ship: &str) -> Result<bool> {
        let object = self.object(ship)?;
        Ok(object.get::<Value>("moving")?.is_nil() && self.variable(ship, "cmdBusy")? != "true")
    }

    /// Requests made so far.
    pub fn requests_made(&self) -> u64 {
        self.web.borrow().made()
    }

    /// The script state that an object saved last, as text.
    ///
    /// # Errors
    /// There is no such object.
    pub fn script_state(&self, guid: &str) -> Result<String> {
        Ok(self.object(guid)?.get("state")?)
    }

    /// How many rays were cast since the table was made.
    pub fn rays_cast(&self) -> u64 {
        self.game.get("casts").unwrap_or(0)
    }

    /// All dice that came to rest so far, in order: `Red` or `Green`, and the face in the mod's words.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn dice_rolled(&self) -> Result<Vec<(String, String)>> {
        let rolled: Vec<Table> = self.game.get("rolled")?;
        rolled
            .iter()
            .map(|die| Ok((die.get("colour")?, die.get("face")?)))
            .collect()
    }

    /// GUIDs of the objects of a kind that lie on the table (`Dice`, `Card`, `Figurine`), in the order they came.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn objects_of(&self, kind: &str) -> Result<Vec<String>> {
        let mut guids = Vec::new();
        for record in self.game.get::<Vec<Table>>("order")? {
            if record.get::<String>("kind")? == kind {
                guids.push(record.get("guid")?);
            }
        }
        Ok(guids)
    }

    /// How many tokens of a name that is not assigned to ships (`Shield`, `Force`) lie face up on the table.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn face_up(&self, name: &str) -> Result<usize> {
        let mut count = 0;
        for record in self.game.get::<Vec<Table>>("order")? {
            let token = record.get::<String>("name")? == name && record.get::<String>("kind")? == "Generic";
            if token && !record.get::<bool>("face_down")? {
                count += 1;
            }
        }
        Ok(count)
    }

    /// Runs Lua in an object's script and returns its value as text: for tests that look inside.
    ///
    /// # Errors
    /// There is no such object, or the code fails.
    pub fn evaluate(&self, guid: &str, code: &str) -> Result<String> {
        let environment: Table = self.object(guid)?.get("env")?;
        let value: Value = self.lua.load(code).set_environment(environment).eval()?;
        Ok(match value {
            Value::Nil => String::new(),
            other => other.to_string()?,
        })
    }

    /// Keeps the texts of all replies from now on, for [`VirtualTable::replies`].
    pub fn keep_replies(&self) {
        self.web.borrow_mut().kept.get_or_insert_default();
    }

    /// The texts of the replies kept.
    pub fn replies(&self) -> Vec<String> {
        self.web.borrow().kept.clone().unwrap_or_default()
    }
}
