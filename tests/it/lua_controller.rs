//! The real controller against a scripted server.

mod cards;
mod dice;
mod link;
mod panel;
mod probe;
mod reload;
mod rounds;
mod scripted;
mod sources;
mod steps;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tallyho::{
    bridge::{
        tts::install::{Connection, saved_object},
        virtual_table::{MatSpec, ObstacleSpec, SavedGame, ShipSpec, VirtualTable},
    },
    protocol::{
        apply::ApplyResult,
        snapshot::{Snapshot, SyncParams, TtsSnapshot},
    },
    xwing::size::Size,
};

use scripted::ScriptedServer;

/// A table with two ships, an obstacle and the controller, connected.
struct Setting {
    server: ScriptedServer,
    table: VirtualTable,
    controller: String,
    actions: std::cell::Cell<u32>,
}

const WING: &str = "aaaaaa";
const TIE: &str = "bbbbbb";
/// Where the TIE stands: facing world -x, that is rotY 90.
const TIE_AT: [f64; 3] = [5.0, 5.0, 90.0];

impl Setting {
    fn new() -> Self {
        let setting = Self::before_connecting();
        setting.wait_for_the_table();
        setting
    }

    fn before_connecting() -> Self {
        let mut table = VirtualTable::new().unwrap();
        // The scripted server holds a poll for a moment only; so time need not run far ahead of it.
        table.set_patience(0.2);
        Self::on(ScriptedServer::start(), table)
    }

    /// On an empty table.
    fn on(server: ScriptedServer, table: VirtualTable) -> Self {
        furnish(&table, &[]);
        let connection = Connection {
            port: server.address.port(),
            token: "secret".into(),
        };
        let controller = table.spawn_saved_object(&saved_object(&connection).unwrap()).unwrap();
        Self {
            server,
            table,
            controller,
            actions: std::cell::Cell::new(0),
        }
    }

    fn wait_for_the_table(&self) {
        assert!(
            self.table
                .run_until(6.0, |_| !self.server.heard("table/sync").is_empty())
                .unwrap()
        );
        self.table.run_for(0.5).unwrap();
    }

    /// Has a step carried out and returns the result.
    fn apply(&self, step: Value) -> ApplyResult {
        self.actions.set(self.actions.get() + 1);
        self.apply_as(&format!("act{}", self.actions.get()), step)
    }

    fn apply_as(&self, action: &str, step: Value) -> ApplyResult {
        let id = self
            .server
            .ask("table/apply", json!({ "actionId": action, "rev": 1, "step": step }));
        let answered = self
            .table
            .run_until(40.0, |_| self.server.answer(&id).is_some())
            .unwrap();
        assert!(
            answered,
            "no answer; chat {:?}, errors {:?}",
            self.table.chat(),
            self.table.script_errors()
        );
        serde_json::from_value(self.server.answer(&id).unwrap()["result"].clone()).unwrap()
    }

    /// A move of the TIE from where it stands.
    fn flight(&self, code: &str, goal: Value) -> Value {
        json!({ "kind": "move", "object": TIE, "code": code, "from": self.placement(TIE), "to": goal })
    }

    /// Presses a button as a player does, and lets the panel follow.
    fn press(&self, label: &str) {
        self.table.run_for(0.1).unwrap();
        self.table.press(&self.controller, label, "White").unwrap();
        self.table.run_for(0.1).unwrap();
    }

    fn buttons(&self) -> Vec<String> {
        self.table.buttons(&self.controller).unwrap()
    }

    /// Waits until the server heard so many requests of a method.
    #[track_caller]
    fn until_heard(&self, method: &str, count: usize) {
        let heard = (self.table)
            .run_until(12.0, |_| self.server.heard(method).len() >= count)
            .unwrap();
        assert!(heard, "{} of {count} {method}", self.server.heard(method).len());
    }

    /// The answer of the table to a request of the server, all of it.
    #[track_caller]
    fn answer(&self, id: &str) -> Value {
        let answered = self
            .table
            .run_until(200.0, |_| self.server.answer(id).is_some())
            .unwrap();
        assert!(answered, "no answer; chat {:?}", self.table.chat());
        self.server.answer(id).unwrap()
    }

    /// What the server answers to the next requests of a method.
    fn results_in(&self, method: &str, result: Value) {
        self.server.state.lock().unwrap().results.insert(method.into(), result);
    }

    /// Loads a saved game and waits until the controller is connected again.
    fn load(&self, saved: &SavedGame) {
        let sessions = self.server.heard("initialize").len();
        self.table.load(saved).unwrap();
        self.until_heard("initialize", sessions + 1);
        self.table.run_for(1.0).unwrap();
    }

    fn placement(&self, ship: &str) -> Value {
        let [x, y, facing] = self.table.placement(ship).unwrap();
        json!({ "x": x, "y": y, "facing": facing })
    }

    fn chat_has(&self, text: &str) -> bool {
        self.table.chat().iter().any(|line| line.contains(text))
    }

    fn snapshot(&self) -> TtsSnapshot {
        let last = self.server.heard("table/sync").pop().unwrap();
        match serde_json::from_value::<SyncParams>(last).unwrap().snapshot {
            Snapshot::Tts(snapshot) => snapshot,
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn assert_no_errors(&self) {
        assert_eq!(self.table.script_errors(), Vec::<String>::new());
        let failed: Vec<String> = self
            .table
            .chat()
            .into_iter()
            .filter(|line| line.contains(" failed: "))
            .collect();
        assert_eq!(failed, Vec::<String>::new());
    }
}

fn furnish(table: &VirtualTable, without_bags: &[&str]) {
    table.add_mat(&MatSpec::default()).unwrap();
    table.add_bags(without_bags).unwrap();
    let wing = ShipSpec {
        guid: WING.into(),
        name: "Red Squadron Veteran".into(),
        ship_id: "t65xwing".into(),
        size: Some(Size::Small),
        initiative: 3,
        faction: "rebelalliance".into(),
        owner: "Blue".into(),
        placement: [0.0, 0.0, 180.0],
        move_set: vec!["bs1".into(), "wbl2".into(), "rk4".into()],
        act_set: vec!["F".into(), "TL".into(), "BR".into()],
        turrets: BTreeMap::from([("main".into(), "front".into())]),
    };
    table.add_ship(&wing).unwrap();
    let tie = ShipSpec {
        guid: TIE.into(),
        name: "Academy Pilot".into(),
        ship_id: "tielnfighter".into(),
        initiative: 1,
        faction: "galacticempire".into(),
        owner: String::new(),
        placement: TIE_AT,
        turrets: BTreeMap::new(),
        ..wing
    };
    table.add_ship(&tie).unwrap();
    table
        .add_obstacle(&ObstacleSpec {
            guid: "cccccc".into(),
            name: "Asteroid 1".into(),
            placement: [-6.0, 3.0, 33.0],
            ..ObstacleSpec::default()
        })
        .unwrap();
}

/// A placement on the wire.
fn to(x: f64, y: f64, facing: f64) -> Value {
    json!({ "x": x, "y": y, "facing": facing })
}
