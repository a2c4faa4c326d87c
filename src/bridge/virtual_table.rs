//! A table without Tabletop Simulator: the real controller runs under Lua 5.2 against a simulated game and a simulated
//! Unified mod, with virtual time and real HTTP. Used by the demo and by tests that break things on purpose.
//!
//! The game (`game.lua`), the mod (`unified.lua`, `ship.lua`, `dial.lua`, `lock.lua`, `die.lua`) and the differences of the game's
//! interpreter (`strict.lua`) are Lua; geometry, JSON and the network are Rust.

mod faults;
mod inspect;
mod json;
mod moves;
pub mod pilots;
mod players;
mod scene;
mod web;

use std::{cell::RefCell, rc::Rc, time::Duration};

use mlua::{AnyUserData, Function, Lua, MetaMethod, Table, UserData, UserDataMethods, Value};

pub use faults::DiceFault;
pub use scene::{CardSpec, DialSpec, MatSpec, ObstacleSpec, ShipSpec, igu, pose_of_tts, tts_of_pose};
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
        sources.set("die", include_str!("virtual_table/die.lua"))?;
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

    fn mod_call<R: mlua::FromLuaMulti>(&self, name: &str, arguments: Table) -> Result<R> {
        Ok(self
            .game
            .get::<Table>("unified")?
            .raw_get::<Function>(name)?
            .call(arguments)?)
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
}
