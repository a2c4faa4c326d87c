//! The line to the program: connecting, losing it, finding it again.

use std::{
    collections::BTreeSet,
    io::{Read as _, Write as _},
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::json;
use tallyho::{
    bridge::{
        tts::install::{Connection, saved_object},
        virtual_table::{NetworkFault, VirtualTable, igu},
    },
    protocol::apply::Outcome,
};

use super::{Setting, TIE, TIE_AT, WING, furnish, scripted::ScriptedServer, to};

#[test]
fn it_connects_as_a_table_and_sends_the_table_raw() {
    let setting = Setting::new();
    let hello = &setting.server.heard("initialize")[0];
    assert_eq!(hello["auth"], "secret");
    assert_eq!(hello["role"], "table");
    let capabilities = &hello["capabilities"];
    assert_eq!(capabilities["dialect"], "tts");
    let steps: BTreeSet<&str> = capabilities["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s.as_str().unwrap())
        .collect();
    assert_eq!(
        steps,
        BTreeSet::from([
            "dial", "lay", "lock", "move", "place", "remove", "say", "show", "token", "turret"
        ])
    );
    assert_eq!(capabilities["rounds"], true);
    assert_eq!(setting.server.heard("initialized").len(), 1);
    let seen = setting.snapshot();
    assert_eq!(seen.mats.len(), 1);
    assert!((seen.mats[0].half_x - 16.55).abs() < 1e-6);
    assert_eq!(seen.ships.len(), 2);
    let wing = seen.ships.iter().find(|ship| ship.guid == WING).unwrap();
    assert_eq!(
        (wing.ship_id.as_str(), wing.initiative.as_str(), wing.owner.as_str()),
        ("t65xwing", "init3", "Blue")
    );
    assert_eq!(wing.move_set, ["bs1", "wbl2", "rk4"]);
    assert_eq!(wing.turrets["main"], "front");
    assert!(wing.placed && !wing.busy && !wing.held);
    assert_eq!((wing.x, wing.z, wing.rot_y), (0.0, 0.0, 180.0));
    assert_eq!(seen.obstacles[0].name, "Asteroid 1");
    setting.assert_no_errors();
}

#[test]
fn another_table_that_took_the_game_is_left_in_peace() {
    let setting = Setting::new();
    setting.server.state.lock().unwrap().replaced = true;
    setting.server.lose_session();
    assert!(
        setting
            .table
            .run_until(5.0, |_| setting.chat_has("Another table plays this game"))
            .unwrap()
    );
    let sessions = setting.server.heard("initialize").len();
    setting.table.run_for(60.0).unwrap();
    assert_eq!(
        setting.server.heard("initialize").len(),
        sessions,
        "it does not take the game back by itself"
    );
    setting.table.press(&setting.controller, "Connect", "White").unwrap();
    assert!(
        setting
            .table
            .run_until(5.0, |_| setting.server.heard("initialize").len() > sessions)
            .unwrap()
    );
    setting.assert_no_errors();
}

#[test]
fn a_lost_session_begins_anew_and_sends_the_table_again() {
    let setting = Setting::new();
    let syncs = setting.server.heard("table/sync").len();
    setting.server.lose_session();
    assert!(
        setting
            .table
            .run_until(10.0, |_| setting.server.heard("table/sync").len() > syncs)
            .unwrap()
    );
    let hello = setting.server.heard("initialize").pop().unwrap();
    assert_eq!(hello["resume"]["session"], "session1");
    setting.assert_no_errors();
}

#[test]
fn lost_doubled_and_late_requests_carry_every_step_out_once() {
    let setting = Setting::new();
    setting.table.report_requests_twice(true).unwrap();
    let faults = [
        NetworkFault::LoseReply,
        NetworkFault::SendTwice,
        NetworkFault::LoseRequest,
        NetworkFault::Delay(Duration::from_millis(120)),
        NetworkFault::LoseReply,
        NetworkFault::LoseReply,
        NetworkFault::SendTwice,
    ];
    let mut x = TIE_AT[0];
    for round in 0..4 {
        setting.table.break_network(faults.iter().cloned().map(Some));
        let from = setting.placement(TIE);
        x -= igu(80.0);
        let done =
            setting.apply(json!({ "kind": "move", "object": TIE, "code": "s1", "from": from, "to": to(x, 5.0, 90.0) }));
        assert!(
            matches!(done.outcome, Outcome::Applied | Outcome::Duplicate),
            "{round}: {done:?}"
        );
        assert!((setting.table.placement(TIE).unwrap()[0] - x).abs() < 1e-5, "{round}");
    }
    assert_eq!(setting.server.heard("initialize").len(), 1, "the session lasted");
    setting.assert_no_errors();
}

#[test]
fn a_server_that_is_silent_is_given_up_and_found_again() {
    let mut setting = Setting::new();
    setting.table.set_patience(9.9);
    setting.table.break_network([Some(NetworkFault::Silence)]);
    let made = setting.table.requests_made();
    // The swallowed poll is given up after ten seconds, and the next one works.
    assert!(
        setting
            .table
            .run_until(60.0, |table| table.requests_made() > made + 2)
            .unwrap()
    );
    let done = setting.apply(json!({ "kind": "token", "object": TIE, "token": "focus", "count": 1 }));
    assert_eq!(done.outcome, Outcome::Applied);
    setting.assert_no_errors();
}

#[test]
fn another_program_on_the_port_is_told_with_the_remedy() {
    let setting = Setting::before_connecting();
    let pages = ["<html>It works!</html>", "{\"hello\":1}", "", "nonsense", "[]", "<"];
    setting
        .table
        .break_network(pages.map(|page| Some(NetworkFault::Answer(page.into()))));
    setting.table.run_for(15.0).unwrap();
    assert!(
        setting.chat_has("Something else answers on port"),
        "{:?}",
        setting.table.chat()
    );
    let told = setting
        .table
        .chat()
        .iter()
        .filter(|line| line.contains("Something else answers"))
        .count();
    assert_eq!(told, 1);
    // The player sets it right.
    setting.table.break_network([None]);
    setting.table.run_for(1.0).unwrap();
    setting.table.press(&setting.controller, "Connect", "White").unwrap();
    assert!(
        setting
            .table
            .run_until(60.0, |_| !setting.server.heard("table/sync").is_empty())
            .unwrap()
    );
    setting.assert_no_errors();
}

#[test]
fn nobody_on_the_port_is_told_once_and_the_port_can_be_typed_in() {
    let server = ScriptedServer::start();
    let table = VirtualTable::new().unwrap();
    furnish(&table, &[]);
    // A port on which nobody listens: one that was just given back.
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let connection = Connection {
        port: free,
        token: "secret".into(),
    };
    let controller = table.spawn_saved_object(&saved_object(&connection).unwrap()).unwrap();
    table.run_for(30.0).unwrap();
    let chat = table.chat();
    assert_eq!(
        chat.iter().filter(|line| line.contains("no answer on port")).count(),
        1,
        "{chat:?}"
    );
    let requests = table.requests_made();
    assert!((5..=12).contains(&requests), "it backs off: {requests} tries in 30 s");
    table.type_in(&controller, "port", "nonsense").unwrap();
    table
        .type_in(&controller, "port", &server.address.port().to_string())
        .unwrap();
    assert!(
        table
            .run_until(8.0, |_| !server.heard("table/sync").is_empty())
            .unwrap()
    );
    assert!(table.chat().iter().any(|line| line.contains("connected again")) || table.now() > 0.0);
    assert_eq!(table.script_errors(), Vec::<String>::new());
}

#[test]
fn a_refused_token_is_told_with_the_remedy_and_can_be_typed_in() {
    let setting = Setting::before_connecting();
    setting.server.state.lock().unwrap().refuse_token = true;
    setting.table.run_for(5.0).unwrap();
    assert!(setting.chat_has("tallyho install tts"), "{:?}", setting.table.chat());
    assert_eq!(setting.server.heard("initialize").len(), 1, "it does not hammer");
    setting.server.state.lock().unwrap().refuse_token = false;
    setting.table.type_in(&setting.controller, "token", "other").unwrap();
    assert!(
        setting
            .table
            .run_until(5.0, |_| !setting.server.heard("table/sync").is_empty())
            .unwrap()
    );
    assert_eq!(setting.server.heard("initialize").pop().unwrap()["auth"], "other");
    setting.assert_no_errors();
}

#[test]
fn what_the_mod_lacks_is_left_out_of_the_capabilities_and_told() {
    let server = ScriptedServer::start();
    let table = VirtualTable::new().unwrap();
    furnish(&table, &["Target Locks", "Jam"]);
    table.remove_mod_call("API_PerformMove").unwrap();
    let connection = Connection {
        port: server.address.port(),
        token: "secret".into(),
    };
    table.spawn_saved_object(&saved_object(&connection).unwrap()).unwrap();
    assert!(
        table
            .run_until(6.0, |_| !server.heard("table/sync").is_empty())
            .unwrap()
    );
    table.run_for(0.5).unwrap();
    let steps = server.heard("initialize")[0]["capabilities"]["steps"].clone();
    let steps: BTreeSet<&str> = steps.as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    assert!(
        !steps.contains("move") && !steps.contains("lock") && steps.contains("token"),
        "{steps:?}"
    );
    let told = table
        .chat()
        .into_iter()
        .find(|line| line.contains("cannot do by itself"))
        .unwrap();
    assert!(told.contains("API_PerformMove") && told.contains("Jam"), "{told}");
    assert_eq!(table.script_errors(), Vec::<String>::new());
}

#[test]
fn the_older_json_reader_of_the_game_is_enough() {
    let server = ScriptedServer::start();
    let mut table = VirtualTable::new().unwrap();
    table.set_patience(0.2);
    table.use_old_json().unwrap();
    let setting = Setting::on(server, table);
    setting.wait_for_the_table();
    assert_eq!(
        setting
            .table
            .evaluate(&setting.controller, "return tostring(Json.fast)")
            .unwrap(),
        "false"
    );
    // West of the middle: negative numbers on the wire.
    let done = setting
        .apply(json!({ "kind": "place", "object": TIE, "from": setting.placement(TIE), "to": to(-4.0, -7.0, 12.5) }));
    assert_eq!(done.outcome, Outcome::Applied, "{}", done.reason);
    setting.assert_no_errors();
}

/// A program that answers everything in its own way and keeps what it was sent.
fn stranger(port: u16, answer: &'static str) -> Option<(u16, Arc<Mutex<String>>)> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", port)).ok()?;
    let port = listener.local_addr().ok()?.port();
    let heard = Arc::new(Mutex::new(String::new()));
    let hearing = Arc::clone(&heard);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
            let mut bytes = [0; 4096];
            while let Ok(count) = stream.read(&mut bytes) {
                hearing
                    .lock()
                    .unwrap()
                    .push_str(&String::from_utf8_lossy(&bytes[..count]));
                if count == 0 || bytes[..count].ends_with(b"\r\n\r\n") {
                    break;
                }
            }
            let length = answer.len();
            let reply = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{answer}");
            let _ = stream.write_all(reply.as_bytes());
        }
    });
    Some((port, heard))
}

fn controller_for(port: u16) -> (VirtualTable, String) {
    let mut table = VirtualTable::new().unwrap();
    table.set_patience(0.2);
    furnish(&table, &[]);
    let token = "secret".to_owned();
    let controller = table
        .spawn_saved_object(&saved_object(&Connection { port, token }).unwrap())
        .unwrap();
    (table, controller)
}

#[test]
fn the_token_goes_to_no_program_that_does_not_say_it_is_tallyho() {
    for answer in [
        "<html>It works!</html>",
        "{\"name\":\"other\",\"protocol\":{}}",
        "{\"session\":\"s\",\"messages\":[]}",
    ] {
        let (port, heard) = stranger(0, answer).unwrap();
        let (table, _) = controller_for(port);
        table.run_for(30.0).unwrap();
        let heard = heard.lock().unwrap().clone();
        assert!(heard.contains("GET /health"), "{heard}");
        assert!(!heard.contains("secret") && !heard.contains("POST"), "{heard}");
        assert!(
            table.chat().iter().any(|line| line.contains("Something else answers")),
            "{:?}",
            table.chat()
        );
        assert_eq!(table.script_errors(), Vec::<String>::new());
    }
}

#[test]
fn the_program_is_found_on_another_of_its_ports() {
    let server = ScriptedServer::start();
    let port = server.address.port();
    // A few ports around it stand for the usual ten; on the one that is built in another program listens.
    let (built_in, heard) = (1..5)
        .find_map(|below| stranger(port - below, "nonsense"))
        .expect("one of the ports before is free");
    let (table, controller) = controller_for(built_in);
    let usual = format!("return (function() Install.first_port, Install.ports_tried = {built_in}, 6 end)()");
    table.evaluate(&controller, &usual).unwrap();
    assert!(
        table
            .run_until(60.0, |_| !server.heard("table/sync").is_empty())
            .unwrap(),
        "{:?}",
        table.chat()
    );
    assert_eq!(server.heard("initialize")[0]["auth"], "secret");
    assert!(!heard.lock().unwrap().contains("secret"));
    assert_eq!(
        table.evaluate(&controller, "return Link.port").unwrap(),
        port.to_string()
    );
    // What the player typed in or installed stays as it was.
    assert_eq!(
        table.evaluate(&controller, "return State.port()").unwrap(),
        built_in.to_string()
    );
    assert_eq!(table.script_errors(), Vec::<String>::new());
}
