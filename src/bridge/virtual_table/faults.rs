//! Breaking things on purpose.

use mlua::{IntoLua, Table, Value};

use super::{NetworkFault, Result, VirtualTable};

/// What is wrong with the dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiceFault {
    /// They never come to rest.
    Leaning,
    /// One falls off the table.
    Falling,
    /// One disappears as it comes to rest.
    Vanishing,
    /// They show no face that could be read.
    Unreadable,
    /// They know their faces by number, as older ones of the mod do.
    Numbered,
}

impl VirtualTable {
    /// Sets how far virtual time may run ahead of an unanswered request, seconds (default 4).
    pub fn set_patience(&mut self, seconds: f64) {
        self.patience = seconds;
    }

    /// Changes a variable of an object's script.
    ///
    /// # Errors
    /// There is no such object.
    pub fn set_variable(&self, guid: &str, name: &str, value: impl IntoLua) -> Result<()> {
        let environment: Table = self.object(guid)?.get("env")?;
        Ok(environment.raw_set(name, value)?)
    }

    /// Takes a call away from the mod, as an update of the mod would.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn remove_mod_call(&self, name: &str) -> Result<()> {
        Ok(self.game.get::<Table>("unified")?.raw_set(name, Value::Nil)?)
    }

    /// From now on the mod says yes to moves of this ship and does not move it.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn refuse_moves(&self, ship: &str) -> Result<()> {
        Ok(self.game.get::<Table>("faults")?.set(format!("refused:{ship}"), true)?)
    }

    /// From now on the ship stays busy after it moved, until the mod's `diag` frees it.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn make_stuck(&self, ship: &str) -> Result<()> {
        Ok(self.game.get::<Table>("faults")?.set(format!("stuck:{ship}"), true)?)
    }

    /// From now on rays cannot be cast: every cast fails, or (`missing`) scripts that are loaded from now on find no call.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn break_rays(&self, missing: bool) -> Result<()> {
        let how = if missing { "missing" } else { "fail" };
        Ok(self.game.get::<Table>("faults")?.set("rays", how)?)
    }

    /// From now on dice misbehave.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn break_dice(&self, fault: DiceFault) -> Result<()> {
        let how = match fault {
            DiceFault::Leaning => "leaning",
            DiceFault::Falling => "falling",
            DiceFault::Vanishing => "vanishing",
            DiceFault::Unreadable => "unreadable",
            DiceFault::Numbered => "numbered",
        };
        Ok(self.game.get::<Table>("faults")?.set("dice", how)?)
    }

    /// What the next requests of the controller meet, in order; `None` for nothing out of the ordinary.
    pub fn break_network(&self, faults: impl IntoIterator<Item = Option<NetworkFault>>) {
        self.web.borrow_mut().faults.extend(faults);
    }

    /// Whether finished requests report a second time, as some versions of the game do.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn report_requests_twice(&self, twice: bool) -> Result<()> {
        Ok(self.game.get::<Table>("web")?.set("reports_twice", twice)?)
    }

    /// Gives the game the older of its two JSON readers, which cannot read negative numbers.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn use_old_json(&self) -> Result<()> {
        let host: Table = self.lua.named_registry_value("host")?;
        Ok(host.set("old_json", true)?)
    }
}
