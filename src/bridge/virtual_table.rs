//! A table without Tabletop Simulator: the real controller runs under Lua 5.2 against a simulated game and a simulated
//! Unified mod, with virtual time and real HTTP. Used by the demo and by tests that break things on purpose.
//!
//! The game (`game.lua`), the mod (`unified.lua`, `ship.lua`, `dial.lua`, `lock.lua`) and the differences of the game's
//! interpreter (`strict.lua`) are Lua; geometry, JSON and the network are Rust.

mod json;
mod moves;
mod scene;
mod web;

use std::{cell::RefCell, rc::Rc, time::Duration};

use mlua::{AnyUserData, Function, IntoLua, Lua, MetaMethod, Table, UserData, UserDataMethods, Value};

pub use scene::{DialSpec, MatSpec, ObstacleSpec, ShipSpec, igu, pose_of_tts, tts_of_pose};
pub use web::NetworkFault;

/// Why the virtual table could not do what was asked. Always a mistake of the caller or of the simulation, never of the
/// controller: its errors are collected in [`VirtualTable::script_errors`].
#[derive(Debug, thiserror::Error)]
#[error("virtual table: {0}")]
pub struct VirtualTableError(String);

impl From<mlua::Error> for VirtualTableError {
    fn from(error: mlua::Error) -> Self {
        VirtualTableError(error.to_string())
    }
}

type Result<T> = std::result::Result<T, VirtualTableError>;

/// A reference to an object of the simulated game, as scripts hold it.
struct ObjectRef(u64);

impl UserData for ObjectRef {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_function(MetaMethod::Index, |lua, (this, key): (AnyUserData, Value)| {
            let id = this.borrow::<ObjectRef>()?.0;
            let host: Table = lua.named_registry_value("host")?;
            host.get::<Function>("index")?.call::<Value>((id, key))
        });
        methods.add_meta_function(
            MetaMethod::NewIndex,
            |lua, (this, key, _value): (AnyUserData, Value, Value)| {
                let id = this.borrow::<ObjectRef>()?.0;
                let host: Table = lua.named_registry_value("host")?;
                host.get::<Function>("set_index")?.call::<Value>((id, key))
            },
        );
        methods.add_meta_function(MetaMethod::Eq, |_, (a, b): (AnyUserData, AnyUserData)| {
            Ok(a.borrow::<ObjectRef>()?.0 == b.borrow::<ObjectRef>()?.0)
        });
    }
}

/// What a saved game holds; also a rewind checkpoint.
#[derive(Debug, Clone)]
pub struct SavedGame(Table);

/// The simulated table.
#[derive(Debug)]
pub struct VirtualTable {
    lua: Lua,
    game: Table,
    web: Rc<RefCell<web::Web>>,
    /// How far, in virtual seconds, time may run ahead of a request that has not been answered. The server holds a poll
    /// for 5 s and the controller gives up after 10.
    patience: f64,
}

impl VirtualTable {
    /// An empty table with the mod loaded.
    ///
    /// # Errors
    /// The simulation itself does not load.
    pub fn new() -> Result<Self> {
        let lua = Lua::new();
        let web = Rc::new(RefCell::new(web::Web::new()));
        let host = lua.create_table()?;
        json::install(&lua, &host)?;
        moves::install(&lua, &host)?;
        web::install(&lua, &host, &web)?;
        host.set("new_ref", lua.create_function(|_, id: u64| Ok(ObjectRef(id)))?)?;
        host.set(
            "ref_id",
            lua.create_function(|_, object: AnyUserData| Ok(object.borrow::<ObjectRef>()?.0))?,
        )?;
        host.set(
            "load",
            lua.create_function(|lua, (source, name, environment): (String, String, Table)| {
                let chunk = lua.load(source).set_name(name).set_environment(environment);
                match chunk.into_function() {
                    Ok(function) => Ok((Some(function), None)),
                    Err(error) => Ok((None, Some(error.to_string()))),
                }
            })?,
        )?;
        lua.set_named_registry_value("host", &host)?;
        let strict: Function = lua
            .load(include_str!("virtual_table/strict.lua"))
            .set_name("=strict")
            .into_function()?;
        let new_environment: Function = strict.call(&host)?;
        let sources = lua.create_table()?;
        sources.set("unified", include_str!("virtual_table/unified.lua"))?;
        sources.set("ship", include_str!("virtual_table/ship.lua"))?;
        sources.set("dial", include_str!("virtual_table/dial.lua"))?;
        sources.set("lock", include_str!("virtual_table/lock.lua"))?;
        let game: Function = lua
            .load(include_str!("virtual_table/game.lua"))
            .set_name("=game")
            .into_function()?;
        let game: Table = game.call((&host, new_environment, sources))?;
        game.get::<Function>("start")?.call::<()>(())?;
        Ok(Self {
            lua,
            game,
            web,
            patience: 4.0,
        })
    }

    fn call<R: mlua::FromLuaMulti>(&self, name: &str, arguments: impl mlua::IntoLuaMulti) -> Result<R> {
        Ok(self.game.get::<Function>(name)?.call(arguments)?)
    }

    fn object(&self, guid: &str) -> Result<Table> {
        self.game
            .get::<Table>("objects")?
            .get::<Option<Table>>(guid)?
            .ok_or_else(|| VirtualTableError(format!("no object {guid}")))
    }

    /// Sets how far virtual time may run ahead of an unanswered request, seconds (default 4).
    pub fn set_patience(&mut self, seconds: f64) {
        self.patience = seconds;
    }

    /// Virtual seconds since the table was made.
    pub fn now(&self) -> f64 {
        self.game.get("now").unwrap_or(0.0)
    }

    /// Spawns the first object of a Saved Object, its script with it. Returns its GUID.
    ///
    /// # Errors
    /// The text is no Saved Object.
    pub fn spawn_saved_object(&self, saved: &serde_json::Value) -> Result<String> {
        let state = &saved["ObjectStates"][0];
        let script = state["LuaScript"]
            .as_str()
            .ok_or_else(|| VirtualTableError("the Saved Object has no LuaScript".into()))?;
        let spec = self.lua.create_table()?;
        spec.set("name", state["Nickname"].as_str().unwrap_or_default())?;
        spec.set("kind", state["Name"].as_str().unwrap_or_default())?;
        spec.set("script", script)?;
        spec.set("state", state["LuaScriptState"].as_str().unwrap_or_default())?;
        spec.set("locked", state["Locked"].as_bool().unwrap_or_default())?;
        let tags: Vec<&str> = state["Tags"]
            .as_array()
            .map(|tags| tags.iter().filter_map(serde_json::Value::as_str).collect())
            .unwrap_or_default();
        spec.set("tags", tags)?;
        let position = self.lua.create_table()?;
        for (key, axis) in [("posX", "x"), ("posY", "y"), ("posZ", "z")] {
            position.set(axis, state["Transform"][key].as_f64().unwrap_or_default())?;
        }
        spec.set("position", position)?;
        let object: Table = self.call("spawn", spec)?;
        Ok(object.get("guid")?)
    }

    /// Lets one frame pass. Replies that came in are delivered; a request that has waited long enough in virtual time
    /// is waited for in real time.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn step(&self) -> Result<()> {
        self.call::<()>("step", ())?;
        self.deliver()
    }

    fn deliver(&self) -> Result<()> {
        let requests: Table = self.game.get("requests")?;
        let now = self.now();
        let mut open: Vec<(u64, f64)> = Vec::new();
        for pair in requests.pairs::<u64, Table>() {
            let (id, request) = pair?;
            open.push((id, request.get("since")?));
        }
        open.sort_by_key(|(id, _)| *id);
        let mut outrun = false;
        for (id, since) in open {
            let (reply, ahead) = {
                let mut web = self.web.borrow_mut();
                let carries = web.carries_messages(id);
                let real = web.real_age(id);
                // A request that carries messages is answered at once, so time stands still for a moment; a poll that
                // waits for news may be outrun, but not so far that the controller loses patience with it.
                let ahead = now - since - real.as_secs_f64();
                let at_most = if carries && real < web::PROMPT {
                    web::PROMPT - real
                } else if ahead > self.patience {
                    Duration::from_millis(20)
                } else {
                    Duration::ZERO
                };
                (web.wait(id, at_most), ahead)
            };
            if let Some(reply) = reply {
                let values = self.lua.create_table()?;
                values.set("text", reply.text)?;
                values.set("code", reply.code)?;
                values.set("error", reply.error)?;
                self.call::<()>("replied", (id, values))?;
            } else if ahead > self.patience {
                outrun = true;
            }
        }
        if outrun {
            // Still nothing: hold the clock.
            let frame: u64 = self.game.get("frame")?;
            self.game.set("frame", frame.saturating_sub(1))?;
        }
        Ok(())
    }

    /// Lets time pass until the condition holds; false if it does not within so many virtual seconds.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn run_until(&self, seconds: f64, mut condition: impl FnMut(&Self) -> bool) -> Result<bool> {
        let end = self.now() + seconds;
        while self.now() < end {
            if condition(self) {
                return Ok(true);
            }
            self.step()?;
        }
        Ok(condition(self))
    }

    /// Lets so many virtual seconds pass.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn run_for(&self, seconds: f64) -> Result<()> {
        self.run_until(seconds, |_| false).map(|_| ())
    }

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

    /// Tokens assigned to a ship by name, stacks counted.
    ///
    /// # Errors
    /// There is no such ship.
    pub fn tokens(&self, ship: &str) -> Result<std::collections::BTreeMap<String, u32>> {
        let mut counts = std::collections::BTreeMap::new();
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

    /// Changes a variable of an object's script.
    ///
    /// # Errors
    /// There is no such object.
    pub fn set_variable(&self, guid: &str, name: &str, value: impl IntoLua) -> Result<()> {
        let environment: Table = self.object(guid)?.get("env")?;
        Ok(environment.raw_set(name, value)?)
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

    fn mod_call<R: mlua::FromLuaMulti>(&self, name: &str, arguments: Table) -> Result<R> {
        Ok(self
            .game
            .get::<Table>("unified")?
            .raw_get::<Function>(name)?
            .call(arguments)?)
    }

    /// Whether a ship rests and the mod is done with it.
    ///
    /// # Errors
    /// There is no such ship.
    pub fn at_rest(&self, ship: &str) -> Result<bool> {
        let object = self.object(ship)?;
        Ok(object.get::<Value>("moving")?.is_nil() && self.variable(ship, "cmdBusy")? != "true")
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

    /// Selects objects for a player, as dragging a box does.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn select(&self, guids: &[&str]) -> Result<()> {
        Ok(self.game.set("selected", guids.to_vec())?)
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

    /// Writes into an object's description, the mod's command line.
    ///
    /// # Errors
    /// There is no such object.
    pub fn describe(&self, guid: &str, text: &str) -> Result<()> {
        Ok(self.object(guid)?.set("description", text)?)
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

    /// Requests made so far.
    pub fn requests_made(&self) -> u64 {
        self.web.borrow().made()
    }

    /// Saves the game, as the game's autosave does every ten seconds.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn save(&self) -> Result<SavedGame> {
        Ok(SavedGame(self.call("save", ())?))
    }

    /// Loads a saved game: every script starts anew from what it saved. Rewinding is the same with an older save.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn load(&self, saved: &SavedGame) -> Result<()> {
        self.call("load", saved.0.clone())
    }

    /// The script state that an object saved last, as text.
    ///
    /// # Errors
    /// There is no such object.
    pub fn script_state(&self, guid: &str) -> Result<String> {
        Ok(self.object(guid)?.get("state")?)
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
}
