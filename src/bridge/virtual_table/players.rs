//! What players do at a virtual table.

use mlua::{AnyUserData, Table, Value};

use super::{Result, VirtualTable, VirtualTableError};

impl VirtualTable {
    /// Presses the button of an object whose label begins so, as the player of that colour.
    ///
    /// # Errors
    /// There is no such object or button.
    pub fn press(&self, guid: &str, label: &str, colour: &str) -> Result<()> {
        if self.call::<bool>("press", (self.object(guid)?, label, colour))? {
            Ok(())
        } else {
            Err(VirtualTableError(format!(
                "{guid} has no button `{label}`: {:?}",
                self.buttons(guid)?
            )))
        }
    }

    /// Types a text into an input of an object and leaves it.
    ///
    /// # Errors
    /// There is no such object or input.
    pub fn type_in(&self, guid: &str, label: &str, text: &str) -> Result<()> {
        if self.call::<bool>("type_in", (self.object(guid)?, label, text, "White"))? {
            Ok(())
        } else {
            Err(VirtualTableError(format!("{guid} has no input `{label}`")))
        }
    }

    /// Chooses an item of an object's own menu.
    ///
    /// # Errors
    /// There is no such object or item.
    pub fn choose_menu(&self, guid: &str, label: &str, colour: &str) -> Result<()> {
        if self.call::<bool>("choose_menu", (self.object(guid)?, label, colour))? {
            Ok(())
        } else {
            Err(VirtualTableError(format!("{guid} has no menu item `{label}`")))
        }
    }

    /// A player takes an object and puts it elsewhere, at once.
    ///
    /// # Errors
    /// There is no such object.
    pub fn put(&self, guid: &str, [x, z, rot_y]: [f64; 3]) -> Result<()> {
        let object = self.object(guid)?;
        let (position, rotation): (Table, Table) = (object.get("position")?, object.get("rotation")?);
        position.set("x", x)?;
        position.set("z", z)?;
        rotation.set("y", rot_y)?;
        object.set("moving", Value::Nil)?;
        self.call("drop", (object, "White"))
    }

    /// A player picks an object up (`Some` colour) or lets it go.
    ///
    /// # Errors
    /// There is no such object.
    pub fn hold(&self, guid: &str, colour: Option<&str>) -> Result<()> {
        Ok(self.object(guid)?.set("held_by", colour)?)
    }

    /// Takes an object off the table.
    ///
    /// # Errors
    /// There is no such object.
    pub fn remove(&self, guid: &str) -> Result<()> {
        self.call("remove", self.object(guid)?)
    }

    /// A player flies a ship by the mod, as the button of its dial does. What the mod says of it; look where the ship ends.
    ///
    /// # Errors
    /// There is no such ship.
    pub fn fly(&self, ship: &str, code: &str) -> Result<bool> {
        let arguments = self.lua.create_table()?;
        arguments.set("ship", self.call::<AnyUserData>("ref", self.object(ship)?)?)?;
        arguments.set("code", code)?;
        self.mod_call("API_PerformMove", arguments)
    }

    /// A player takes a token for a ship by the mod, as the button of its dial does.
    ///
    /// # Errors
    /// There is no such ship, or no bag of such tokens.
    pub fn take_token(&self, ship: &str, name: &str) -> Result<()> {
        let arguments = self.lua.create_table()?;
        arguments.push(self.call::<AnyUserData>("ref", self.object(ship)?)?)?;
        arguments.push(name)?;
        arguments.push("White")?;
        self.mod_call("proxyPerformAction", arguments)
    }

    /// The players clear tokens of these names off the table, as in the End Phase.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn clear_tokens(&self, names: &[&str]) -> Result<()> {
        for record in self.game.get::<Vec<Table>>("order")? {
            let (name, kind): (String, String) = (record.get("name")?, record.get("kind")?);
            if kind == "Generic" && names.contains(&name.as_str()) {
                self.call::<()>("remove", record)?;
            }
        }
        Ok(())
    }

    /// A player turns an object over.
    ///
    /// # Errors
    /// There is no such object.
    pub fn flip(&self, guid: &str) -> Result<()> {
        let record = self.object(guid)?;
        let down: bool = record.get("face_down")?;
        Ok(record.set("face_down", !down)?)
    }

    /// Selects objects for a player, as dragging a box does.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn select(&self, guids: &[&str]) -> Result<()> {
        Ok(self.game.set("selected", guids.to_vec())?)
    }

    /// Writes into an object's description, the mod's command line.
    ///
    /// # Errors
    /// There is no such object.
    pub fn describe(&self, guid: &str, text: &str) -> Result<()> {
        Ok(self.object(guid)?.set("description", text)?)
    }
}
