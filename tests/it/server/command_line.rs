//! `tallyho serve`, `status` and `schema` as a user runs them.

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use super::client::{PATIENCE, initialize, notification, request, resume};

fn tallyho(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
    command
        .args(arguments)
        .env("TALLYHO_HOME", home)
        .env_remove("TALLYHO_PORT")
        .env_remove("TALLYHO_TOKEN_FILE");
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

async fn output(home: &Path, arguments: &[&str]) -> Output {
    timeout(PATIENCE, tallyho(home, arguments).output())
        .await
        .expect("it ends")
        .unwrap()
}

/// Starts a server; what its first line says.
async fn serve(home: &Path, more: &[&str]) -> (Child, Value) {
    let mut arguments = vec!["serve", "--port", "0", "--seed", "7"];
    arguments.extend(more);
    let mut child = tallyho(home, &arguments).spawn().unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    timeout(PATIENCE, out.read_line(&mut line))
        .await
        .expect("a first line")
        .unwrap();
    (child, serde_json::from_str(&line).expect("JSON"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn token(home: &Path) -> String {
    let tokens: Value = serde_json::from_str(&std::fs::read_to_string(home.join("tokens.json")).unwrap()).unwrap();
    tokens["table"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_server_says_where_it_is_and_is_alone() {
    let home = TempDir::new().unwrap();
    let port_file = home.path().join("port");
    let (_server, line) = serve(home.path(), &["--port-file", port_file.to_str().unwrap()]).await;
    assert_eq!((&line["event"], &line["protocol"]), (&json!("listening"), &json!(1)));
    let port = line["port"].to_string();
    assert_eq!(std::fs::read_to_string(&port_file).unwrap().trim(), port);
    let instance: Value =
        serde_json::from_str(&std::fs::read_to_string(home.path().join("instance.json")).unwrap()).unwrap();
    assert_eq!((&instance["port"], &instance["pid"]), (&line["port"], &line["pid"]));

    let second = output(home.path(), &["serve"]).await;
    assert_eq!(second.status.code(), Some(3));
    assert!(
        text(&second.stderr).contains(&format!("http://127.0.0.1:{port}")),
        "{}",
        text(&second.stderr)
    );
    assert!(second.stdout.is_empty());

    let status = output(home.path(), &["status"]).await;
    assert!(status.status.success(), "{}", text(&status.stderr));
    assert!(
        text(&status.stdout).contains("none attached"),
        "{}",
        text(&status.stdout)
    );
    let status = output(home.path(), &["status", "--json"]).await;
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(
        (&status["instance"]["port"], &status["game"]["table"]),
        (&line["port"], &json!(false))
    );

    let other = TempDir::new().unwrap();
    let taken = output(other.path(), &["serve", "--port", &port]).await;
    assert_eq!(taken.status.code(), Some(4), "{}", text(&taken.stderr));
    assert!(!other.path().join("instance.json").exists());
    for file in std::fs::read_dir(home.path().join("logs")).unwrap() {
        let log = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(!log.contains(&token(home.path())), "the token stands in the log");
    }
}

#[tokio::test]
async fn without_a_server_there_is_no_status() {
    let home = TempDir::new().unwrap();
    let status = output(home.path(), &["status"]).await;
    assert_eq!(status.status.code(), Some(1));
    assert!(text(&status.stderr).contains("tallyho serve"), "the remedy is named");
}

#[tokio::test]
async fn a_scenario_is_checked_before_anybody_connects() {
    let home = TempDir::new().unwrap();
    let intro = ["serve", "--port", "0", "--seed", "7", "--scenario", "intro"];
    for (more, code, remedy) in [
        (&["--faction", "rebelaliance"][..], 1, "is `rebelalliance` meant?"),
        (&[][..], 2, "--faction"),
        (&["--faction", "rebelalliance", "--variant", "none"][..], 1, "ace"),
        (
            &["--faction", "rebelalliance", "--plays", "activations"][..],
            1,
            "whole rounds",
        ),
    ] {
        let refused = output(home.path(), &[&intro[..], more].concat()).await;
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(code), "{said}");
        assert!(said.contains(remedy), "{said}");
    }
    let unseeded = ["serve", "--scenario", "intro", "--faction", "rebelalliance"];
    let refused = output(home.path(), &unseeded).await;
    assert!(text(&refused.stderr).contains("--seed"), "{}", text(&refused.stderr));
}

#[tokio::test]
async fn a_wider_address_needs_a_word() {
    let home = TempDir::new().unwrap();
    let refused = output(home.path(), &["serve", "--listen", "0.0.0.0"]).await;
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--i-know"));
    assert_eq!(
        output(home.path(), &["serve", "--stdio", "--port", "1"])
            .await
            .status
            .code(),
        Some(2)
    );
}

#[cfg(unix)]
async fn signal(child: &Child, name: &str) {
    let kill = Command::new("kill")
        .args(["-s", name, &child.id().unwrap().to_string()])
        .status()
        .await
        .unwrap();
    assert!(kill.success());
}

#[cfg(unix)]
#[tokio::test]
async fn it_ends_in_order_when_told() {
    use std::os::unix::fs::PermissionsExt;
    for name in ["TERM", "INT", "HUP"] {
        let home = TempDir::new().unwrap();
        let (mut server, line) = serve(home.path(), &[]).await;
        for private in ["instance.json", "tokens.json"] {
            let mode = std::fs::metadata(home.path().join(private))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600, "{private}");
        }
        let (mut socket, _) = connect_async(format!("ws://127.0.0.1:{}/ws", line["port"]))
            .await
            .unwrap();
        signal(&server, name).await;
        let closed = timeout(PATIENCE, socket.next()).await.unwrap();
        assert!(matches!(closed, Some(Ok(Message::Close(Some(frame)))) if u16::from(frame.code) == 1001));
        drop(socket);
        let ended = timeout(Duration::from_secs(5), server.wait())
            .await
            .expect("in time")
            .unwrap();
        assert_eq!(ended.code(), Some(0), "{name}");
        assert!(!home.path().join("instance.json").exists());
    }
}

#[cfg(unix)]
#[tokio::test]
async fn it_ends_with_the_process_that_it_serves() {
    let home = TempDir::new().unwrap();
    let mut client = Command::new("sleep").arg("60").kill_on_drop(true).spawn().unwrap();
    let (mut server, _) = serve(home.path(), &["--client-process-id", &client.id().unwrap().to_string()]).await;
    client.kill().await.unwrap();
    let ended = timeout(PATIENCE, server.wait()).await.expect("it notices").unwrap();
    assert_eq!(ended.code(), Some(0));
}

#[tokio::test]
async fn stdio_carries_the_protocol_and_nothing_else() {
    let shutdown = request(2, "shutdown", json!({}));
    let exit = notification("exit");
    for (messages, code) in [
        (vec![initialize("", "table"), shutdown.clone(), exit.clone()], 0),
        (vec![initialize("", "table"), exit], 1),
        (vec![initialize("", "table"), shutdown], 1),
        (vec![json!("junk")], 1),
    ] {
        let home = TempDir::new().unwrap();
        let mut child = tallyho(home.path(), &["serve", "--stdio", "-vvv"]).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        for message in &messages {
            input.write_all(format!("{message}\n\n").as_bytes()).await.unwrap();
        }
        drop(input);
        let output = timeout(PATIENCE, child.wait_with_output())
            .await
            .expect("it ends")
            .unwrap();
        assert_eq!(
            output.status.code(),
            Some(code),
            "{messages:?}: {}",
            text(&output.stderr)
        );
        let lines: Vec<Value> = text(&output.stdout)
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert!(lines.iter().all(|line| line["jsonrpc"] == "2.0"), "{lines:?}");
        assert!(!lines.is_empty());
        assert!(!home.path().join("instance.json").exists());
    }
}

#[tokio::test]
async fn the_schema_is_written_and_checked() {
    let home = TempDir::new().unwrap();
    let folder = home.path().join("protocol");
    let folder_name = folder.to_str().unwrap();
    assert!(
        output(home.path(), &["schema", "--out", folder_name])
            .await
            .status
            .success()
    );
    assert!(
        output(home.path(), &["schema", "--check", "--out", folder_name])
            .await
            .status
            .success()
    );
    std::fs::write(folder.join("methods.json"), "{}").unwrap();
    let check = output(home.path(), &["schema", "--check", "--out", folder_name]).await;
    assert_eq!(check.status.code(), Some(1));
    assert!(text(&check.stderr).contains("methods.json"), "{}", text(&check.stderr));
}

/// A table for the real game, which answers every question with its position.
async fn first_step(port: &Value, hello: Value, advance: bool) -> (Value, Value) {
    let (mut socket, _) = connect_async(format!("ws://127.0.0.1:{port}/ws")).await.unwrap();
    let ship = |id: &str, side: &str, xws: &str, y: f64, heading: f64| json!({"id": id, "side": side, "ship": xws, "size": "small", "x": 450, "y": y, "heading": heading, "initiative": 2});
    let ships = [
        ship("T1", "solo", "tielnfighter", 700.0, 180.0),
        ship("X1", "player", "t65xwing", 250.0, 0.0),
    ];
    let position = json!({"id": "p", "area": {"w": 914.4, "h": 914.4}, "ships": ships, "obstacles": []});
    let mut hello = hello;
    hello["params"]["capabilities"] = json!({"steps": ["dial", "move", "token"]});
    let mut say = vec![hello];
    let mut id = 1;
    let mut session = Value::Null;
    loop {
        for message in say.drain(..) {
            socket.send(Message::text(message.to_string())).await.unwrap();
        }
        let Some(Ok(Message::Text(message))) = timeout(PATIENCE, socket.next()).await.expect("a message") else {
            panic!("the connection ended");
        };
        let message: Value = serde_json::from_str(&message).unwrap();
        let mut sync = || {
            id += 1;
            request(
                id,
                "table/sync",
                json!({"rev": id, "snapshot": {"kind": "plain", "position": position}}),
            )
        };
        if message["result"]["session"].is_string() {
            session = message["result"]["session"].clone();
            say.push(sync());
            if advance {
                say.push(request(1000, "solo/advance", json!({"opId": "press"})));
            }
        } else if message["method"] == "table/requestSync" {
            say.push(sync());
        } else if message["method"] == "table/apply" {
            return (message, session);
        } else {
            assert!(message.get("error").is_none(), "{message}");
        }
    }
}

/// The server is killed while a step is on its way; the next one goes on with the same step, unless a new game is wanted.
#[tokio::test]
async fn a_killed_server_goes_on_from_its_journal() {
    let home = TempDir::new().unwrap();
    let journal = home.path().join("journal");
    goes_on(&home, &["--journal", journal.to_str().unwrap()]).await;
    let old = goes_on(&home, &[]).await;
    let (mut server, line) = serve(home.path(), &["--new-game"]).await;
    let (step, _) = first_step(&line["port"], initialize(&token(home.path()), "table"), true).await;
    assert_ne!(step["params"]["actionId"], old);
    server.kill().await.unwrap();
    let kept = std::fs::read_dir(home.path().join("games")).unwrap();
    let mut kept: Vec<_> = kept
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    kept.sort_unstable();
    assert!(
        kept.len() == 2 && kept[0].starts_with("game-") && kept[1] == "game.jsonl",
        "{kept:?}"
    );
}

/// Kills a server and its successor; the id of the step that both sent.
async fn goes_on(home: &TempDir, more: &[&str]) -> Value {
    let (mut server, line) = serve(home.path(), more).await;
    let token = token(home.path());
    let (step, session) = first_step(&line["port"], initialize(&token, "table"), true).await;
    server.kill().await.unwrap();
    let (mut server, line) = serve(home.path(), more).await;
    let (again, other_session) = first_step(&line["port"], resume(&token, "table", &session, 1), false).await;
    assert_eq!(again["params"]["actionId"], step["params"]["actionId"]);
    assert_eq!(again["params"]["step"], step["params"]["step"]);
    assert_ne!(session, other_session);
    server.kill().await.unwrap();
    step["params"]["actionId"].clone()
}

/// PE-2: what cannot be played is said before anybody listens, with the remedy.
#[tokio::test]
async fn political_escort_is_served_or_refused_with_the_remedy() {
    let home = TempDir::new().unwrap();
    for (arguments, code, part) in [
        (&["--player", "5*xwing/rookiepilot"][..], 2, "the player's squad"),
        (&["--player", "nosuchship"], 2, "nosuchship"),
        (&["--escort-option", "nothing"], 2, "there is no option `nothing`"),
        (&["--plays", "activations"], 1, "leave --plays activations out"),
        (&["--edition", "second"], 1, "leave --edition second out"),
        (
            &["--scenario", "intro", "--faction", "rebelalliance"],
            2,
            "cannot be used with",
        ),
        (&["--swm"], 2, "cannot be used with"),
    ] {
        let mut all = vec!["serve", "--port", "0", "--seed", "7", "--escort"];
        all.extend(arguments);
        let ended = output(home.path(), &all).await;
        let said = text(&ended.stderr);
        assert_eq!(ended.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(part), "{arguments:?}: {said}");
    }
    let alone = output(home.path(), &["serve", "--solo", "tiefighter"]).await;
    assert!(text(&alone.stderr).contains("--escort"), "{}", text(&alone.stderr));
    // What is played stands in the record: squads with their prices, role, options.
    let journal = home.path().join("record");
    let (mut server, line) = serve(
        home.path(),
        &[
            "--escort",
            "--role",
            "defender",
            "--player-shuttle",
            "hullupgrade",
            "--rounds",
            "12",
            "--escort-option",
            "clear-limit-5",
            "--journal",
            journal.to_str().unwrap(),
        ],
    )
    .await;
    assert_eq!(line["event"], "listening");
    server.kill().await.unwrap();
    let record = std::fs::read_to_string(journal.join("game.jsonl")).unwrap();
    let first: Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    let escort = &first["escort"];
    assert_eq!(
        (&escort["role"], &escort["rounds"]),
        (&json!("defender"), &json!(12)),
        "{first}"
    );
    assert_eq!(escort["options"]["clearLimit5"], true);
    assert_eq!(escort["player"]["ships"].as_array().map(Vec::len), Some(4));
    assert_eq!(escort["player"]["hull"], 1);
    assert_eq!(first["edition"], "first");
}
