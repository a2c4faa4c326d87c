//! `tallyho install tts` as a user runs it.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tallyho::bridge::tts::install::{FILE_NAME, Platform, UserFolders, connection_of, game_folders};
use tallyho::bridge::vassal_plugin::{PACKAGE, vassal_folder};

/// The command with a home of its own, so that nothing of the real user is read or written.
fn install(home: &Path, options: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tallyho").unwrap();
    command
        .args(["install", "tts"])
        .args(options)
        .env("TALLYHO_HOME", home)
        .env("HOME", home)
        .env("USERPROFILE", home)
        .env_remove("TALLYHO_PORT")
        .env_remove("TALLYHO_TOKEN_FILE");
    command
}

fn output(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

#[test]
fn it_writes_a_saved_object_that_holds_port_and_token_and_says_what_is_next() {
    let home = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let said = output(&mut install(home.path(), &["--dir", dir, "--port", "4711"]));
    assert!(
        said.contains("Saved Objects") && said.contains("tallyho serve --port 4711"),
        "{said}"
    );
    let saved: Value = serde_json::from_str(&std::fs::read_to_string(folder.path().join(FILE_NAME)).unwrap()).unwrap();
    let connection = connection_of(&saved).unwrap();
    assert_eq!(connection.port, 4711);
    let tokens: Value =
        serde_json::from_str(&std::fs::read_to_string(home.path().join("tokens.json")).unwrap()).unwrap();
    assert_eq!(tokens["table"], connection.token.as_str());
    let object = &saved["ObjectStates"][0];
    assert_eq!(object["Locked"], true);
    assert!(!object["LuaScript"].as_str().unwrap().contains('\r'));
    // Again with another port: the player is told what to do about tables that hold the old one.
    let again = output(&mut install(home.path(), &["--dir", dir, "--port", "4712"]));
    assert!(again.contains("4711") && again.contains("delete it"), "{again}");
    let same = output(&mut install(home.path(), &["--dir", dir, "--port", "4712"]));
    assert!(!same.contains("delete it"), "{same}");
}

#[test]
fn print_shows_it_and_writes_nothing_into_the_game() {
    let home = tempfile::tempdir().unwrap();
    let shown = output(&mut install(home.path(), &["--print"]));
    let saved: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(connection_of(&saved).unwrap().port, tallyho::protocol::DEFAULT_PORT);
    assert!(!home.path().join(".local").exists());
}

#[test]
fn the_games_own_folder_is_found_or_the_places_are_named() {
    let home = tempfile::tempdir().unwrap();
    let failed = install(home.path(), &[]).assert().code(1);
    let error = String::from_utf8(failed.get_output().stderr.clone()).unwrap();
    assert!(
        error.contains("--dir") && error.contains("Tabletop Simulator"),
        "{error}"
    );
    let user = UserFolders {
        home: home.path().to_owned(),
        documents: None,
    };
    let game = &game_folders(Platform::HERE, &user)[0];
    std::fs::create_dir_all(game.join("Saves")).unwrap();
    output(&mut install(home.path(), &[]));
    assert!(game.join("Saves").join("Saved Objects").join(FILE_NAME).is_file());
}

#[test]
fn somebody_elses_file_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(FILE_NAME);
    std::fs::write(&file, "{\"mine\": true}").unwrap();
    let failed = install(home.path(), &["--dir", folder.path().to_str().unwrap()])
        .assert()
        .code(1);
    let error = String::from_utf8(failed.get_output().stderr.clone()).unwrap();
    assert!(error.contains("no Tallyho controller"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{\"mine\": true}");
    install(home.path(), &["--port", "0", "--print"]).assert().code(2);
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().to_str().unwrap();
    for options in [&["--print"][..], &["--dir", dir]] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_tallyho"))
            .args(["install", "tts"])
            .args(options)
            .env("TALLYHO_HOME", home.path())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let done = child.wait_with_output().unwrap();
        assert_eq!(
            (done.status.code(), String::from_utf8_lossy(&done.stderr).as_ref()),
            (Some(0), ""),
            "{options:?}"
        );
    }
    assert!(home.path().join(FILE_NAME).is_file());
}

#[test]
fn the_vassal_plugin_is_written_where_vassal_looks_for_it() {
    let home = tempfile::tempdir().unwrap();
    let vassal = |options: &[&str]| {
        let mut command = Command::cargo_bin("tallyho").unwrap();
        command.args(["install", "vassal"]).args(options);
        command.env("HOME", home.path()).env("USERPROFILE", home.path());
        command.env("APPDATA", home.path().join("AppData").join("Roaming"));
        command
    };
    // Vassal has never been started.
    let refused = vassal(&[]).assert().failure();
    let said = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
    assert!(said.contains("Start Vassal once") && said.contains("--dir"), "{said}");
    let folder = vassal_folder(
        Platform::HERE,
        home.path(),
        Some(&home.path().join("AppData").join("Roaming")),
    );
    std::fs::create_dir_all(&folder).unwrap();
    let said = output(&mut vassal(&[]));
    assert!(said.starts_with("Wrote ") && said.contains("tallyho serve"), "{said}");
    let written = std::fs::read(folder.join("plugins").join("Tallyho.vmdx")).unwrap();
    assert_eq!(written, PACKAGE);
    let elsewhere = tempfile::tempdir().unwrap();
    output(&mut vassal(&["--dir", elsewhere.path().to_str().unwrap()]));
    assert!(elsewhere.path().join("Tallyho.vmdx").is_file());
}
