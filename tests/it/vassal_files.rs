//! Vassal's files at the command line: what is written is read back, decided for, and drafted.

use std::{path::Path, process::Command};

use serde_json::Value;
use tallyho::bridge::vassal::{
    archive,
    command::Command as Commands,
    game::Game,
    obfuscation::{self, Form},
    practice,
    save::{About, Save},
    table,
};

fn tallyho(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
    let output = command.current_dir(folder).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A folder with both practice modules.
fn practised() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for game in ["swm", "xwing"] {
        let (code, out, err) = tallyho(folder.path(), &["vassal", "practice", ".", "--game", game]);
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains(".vmod") && out.contains(".vsav"), "{out}");
    }
    folder
}

#[test]
fn a_save_is_listed_in_words_and_as_data() {
    let folder = practised();
    let module = ["--module", "practice-skirmish.vmod"];
    let (code, out, err) = tallyho(
        folder.path(),
        &[&["vassal", "dump", "practice-skirmish.vsav"], &module[..]].concat(),
    );
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("Visas Marr at 75,425 (B9), turned 90°"), "{out}");
    assert!(out.contains("HP = 90") && out.contains("Ann plays Solitaire."), "{out}");
    // What somebody hides is not told, and neither is anybody's password.
    assert!(
        !out.contains("Lurker") && !out.contains("Reserve") && out.contains("2 more are hidden"),
        "{out}"
    );
    let (_, out, _) = tallyho(
        folder.path(),
        &["vassal", "dump", "practice-skirmish.vsav", "--json", "--hidden"],
    );
    let listed: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(listed["pieces"].as_array().unwrap().len(), 8);
    let lurker = (listed["pieces"].as_array().unwrap().iter()).find(|piece| piece["name"] == "Lurker");
    assert_eq!(lurker.unwrap()["concealed"], "hidden by a player");
    assert!(!out.contains("somebody"), "{out}");
}

#[test]
fn a_skirmish_is_decided_by_the_shipped_profile() {
    let folder = practised();
    let (code, out, err) = tallyho(folder.path(), &["decide", "--swm", "practice-skirmish.vsav", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let answer: Value = serde_json::from_str(&out).unwrap();
    // Three figures of the side that nobody plays, by the letters that they are given in the order of their pieces.
    let reasons = answer["reasons"].as_object().unwrap();
    assert_eq!(reasons.keys().collect::<Vec<_>>(), ["a", "b", "c"]);
    // The other way round, the players' figures are decided for.
    let (_, out, err) = tallyho(
        folder.path(),
        &["decide", "--swm", "practice-skirmish.vsav", "--solo-side", "player"],
    );
    assert!(out.contains("Visas Marr"), "{out} {err}");
}

#[test]
fn ships_are_decided_for_from_where_they_stand() {
    let folder = practised();
    let (code, out, err) = tallyho(folder.path(), &["decide", "practice-xwing.vsav", "--roll", "evade/hit"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("Academy Pilot") && out.contains("Howlrunner"), "{out}");
    assert_eq!(err, "", "the practice module is known whole");
    let (code, _, err) = tallyho(
        folder.path(),
        &["decide", "practice-xwing.vsav", "--solo-side", "hutts"],
    );
    assert_eq!(code, Some(1));
    assert!(
        err.contains("no ship is on the side that nobody plays") && err.contains("`rebelalliance`"),
        "{err}"
    );
}

/// Ships are those of the edition that is played; those of the other one are told, with what plays them.
#[test]
fn pieces_of_either_edition_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    for edition in ["first", "second"] {
        let practice = ["vassal", "practice", edition, "--game", "xwing", "--edition", edition];
        let (code, _, err) = tallyho(folder.path(), &practice);
        assert_eq!(code, Some(0), "{err}");
    }
    let decide = |save: &str, edition: &str, more: &[&str]| {
        let save = format!("{save}/practice-xwing.vsav");
        let rolled = ["decide", &save, "--edition", edition, "--roll", "evade/hit"];
        tallyho(folder.path(), &[&rolled[..], more].concat())
    };
    let (code, out, err) = decide("first", "first", &[]);
    assert_eq!((code, &*err), (Some(0), ""), "the practice module is known whole");
    assert!(
        out.contains("pilot skill order") && out.contains("Academy Pilot") && out.contains("Howlrunner"),
        "{out}"
    );
    let (_, out, _) = decide("first", "first", &["--json"]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    let rule = answer["decisions"][0]["reasons"][0]["rule"].as_str().unwrap();
    assert!(rule.contains("FE-SOLO"), "{rule}");
    for (save, played, pilot) in [
        ("first", "second", "Rookie Pilot"),
        ("second", "first", "Blue Squadron Escort"),
    ] {
        let (_, _, err) = decide(save, played, &[]);
        let told = format!("pieces of the {save} edition, while the {played} is played: ");
        assert!(
            err.contains(&told) && err.contains("Academy Pilot") && err.contains(pilot),
            "{err}"
        );
        assert!(err.contains(&format!("Add `--edition {save}`")), "{err}");
    }
}

#[test]
fn a_drafted_profile_reads_the_module_that_it_was_drafted_from() {
    let folder = practised();
    let probe = |arguments: &[&str]| tallyho(folder.path(), &[&["vassal", "probe"], arguments].concat());
    let (code, _, err) = probe(&[
        "practice-skirmish.vsav",
        "--module",
        "practice-skirmish.vmod",
        "--out",
        "drafted.toml",
    ]);
    assert_eq!(code, Some(0), "{err}");
    assert!(
        err.contains("could not be mapped: Label") && err.contains("comes with the program"),
        "{err}"
    );
    let draft = std::fs::read_to_string(folder.path().join("drafted.toml")).unwrap();
    assert!(
        draft.contains("step = [50.0, 50.0]")
            && draft.contains("hit_points = [\"HP\"]")
            && draft.contains("solo = [\"solo\"]"),
        "{draft}"
    );
    let decide = ["decide", "--swm", "practice-skirmish.vsav", "--profile", "drafted.toml"];
    let (code, out, err) = tallyho(folder.path(), &decide);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("Darth Nihl"), "{out}");
    assert!(err.contains("the profile names no terrain"), "{err}");
    // From a module alone there are no maps, but all pieces. The game is that of its profile.
    let (code, out, err) = probe(&["practice-xwing.vmod"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(
        out.contains("pilot = [\"xws\", \"Pilot Name\", \"BasicName\"]"),
        "{out}"
    );
}

#[test]
fn faults_are_told_with_their_place_and_remedy() {
    let folder = practised();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("text.vsav", b"begin_save");
    write("empty.vsav", &archive::write([("savedata", &b"x"[..])]).unwrap());
    write(
        "cut.vsav",
        &archive::write([("savedGame", &b"begin_save\x1b+/7/a;\tpiece;;;;/hunter2"[..])]).unwrap(),
    );
    write(
        "unknown.vsav",
        &archive::write([("savedGame", &b"begin_save\x1bend_save"[..])]).unwrap(),
    );
    // Small as a file, and each letter a command.
    let many = format!("begin_save{}", "\u{1b}".repeat(600_000));
    write("many.vsav", &archive::write([("savedGame", many.as_bytes())]).unwrap());
    write(
        "profile.toml",
        b"name = \"x\"\ngame = \"x-wing\"\npixels_per_mm = 2\ncolour = 1",
    );
    for (arguments, told) in [
        (&["vassal", "dump", "gone.vsav"][..], "gone.vsav: it cannot be opened"),
        (&["vassal", "dump", "text.vsav"], "it is no whole zip archive"),
        (
            &["vassal", "dump", "practice-xwing.vmod"],
            "this is a module, not a save",
        ),
        (&["vassal", "dump", "empty.vsav"], "this is no save or log of Vassal"),
        (
            &["vassal", "dump", "cut.vsav"],
            "savedGame, command 2, piece 7, state: it has 1 levels where its type has 2",
        ),
        (
            &["decide", "unknown.vsav"],
            "the save does not name its module: give --profile FILE",
        ),
        (
            &["decide", "practice-skirmish.vsav"],
            "it is a profile of Star Wars Miniatures: add --swm",
        ),
        (
            &["decide", "--swm", "practice-xwing.vsav"],
            "it is a profile of X-Wing: leave --swm out",
        ),
        (
            &["decide", "practice-xwing.vsav", "--profile", "profile.toml"],
            "there is no field `colour` here",
        ),
        (
            &["decide", "profile.toml", "--solo-side", "x"],
            "are for saves of Vassal",
        ),
        (
            &["vassal", "probe", "practice-xwing.vsav", "--out", "practice-xwing.vsav"],
            "would write over",
        ),
        (
            &["vassal", "practice", "."],
            "is there already, and is left as it is: name another folder",
        ),
        (&["vassal", "dump", "many.vsav"], "there are more than 500000 commands"),
    ] {
        let (code, _, err) = tallyho(folder.path(), arguments);
        assert!(code == Some(1) || code == Some(2), "{arguments:?}");
        assert!(err.contains(told), "{arguments:?}: {err}");
        assert!(!err.contains("hunter2"), "{err}");
    }
}

/// What has no end or waits for somebody is not read.
#[cfg(unix)]
#[test]
fn devices_and_pipes_are_no_files() {
    let folder = practised();
    let pipe = folder.path().join("pipe.vsav");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (arguments, told) in [
        (&["vassal", "dump", "/dev/zero"][..], "it is no file"),
        (&["vassal", "dump", "pipe.vsav"], "it is no file"),
        (&["vassal", "probe", "/dev/zero"], "it is no file"),
        (
            &["vassal", "dump", "practice-xwing.vsav", "--module", "/dev/zero"],
            "it is no file",
        ),
        (
            &["decide", "practice-xwing.vsav", "--profile", "/dev/zero"],
            "/dev/zero: it cannot be read: it is longer than 4194304 bytes",
        ),
    ] {
        let (code, _, err) = tallyho(folder.path(), arguments);
        assert!(code == Some(1) || code == Some(2), "{arguments:?}");
        assert!(err.contains(told), "{arguments:?}: {err}");
    }
}

/// The table that the server has written down is drafted from as a save is.
#[test]
fn a_live_table_is_probed() {
    let home = tempfile::tempdir().unwrap();
    let probe = || {
        let output = Command::new(env!("CARGO_BIN_EXE_tallyho"))
            .args(["vassal", "probe", "--live"])
            .env("TALLYHO_HOME", home.path())
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, _, err) = probe();
    assert_eq!(code, Some(1), "{err}");
    assert!(
        err.contains("no table of Vassal has been seen: start `tallyho serve`"),
        "{err}"
    );
    let kit = practice::skirmish().unwrap();
    let game = Game::of(&kit.commands()).unwrap();
    let mut seen = table::snapshot(&game, &About::default(), None);
    seen.module.name = "Somebody's module".to_owned();
    std::fs::create_dir_all(home.path().join("games")).unwrap();
    let file = home.path().join("games").join("vassal-table.json");
    std::fs::write(&file, serde_json::to_string(&seen).unwrap()).unwrap();
    let (code, draft, err) = probe();
    assert_eq!(code, Some(0), "{err}");
    assert!(
        err.contains("the table of `Somebody's module` with 6 pieces, as the plugin showed it just now"),
        "{err}"
    );
    assert!(err.contains("could not be mapped"), "{err}");
    assert!(draft.contains("hit_points = [\"HP\"]"), "{draft}");
}

/// A log that Vassal hid in either way holds the same game as the plain one, at its start and at its end.
#[test]
fn a_log_is_played_to_its_end_in_each_form() {
    let folder = tempfile::tempdir().unwrap();
    let begin = practice::skirmish().unwrap().commands().write();
    let game = Game::of(&Commands::read(&begin).unwrap()).unwrap();
    let (id, _) = game.pieces().find(|(_, piece)| piece.name() == "Visas Marr").unwrap();
    let text = format!("{begin}\u{1b}LOG\tM/{id}/Main Map/125/425/null/Main Map/75/425/null/ann\u{1b}LOG\tCHAThello");
    for (name, form) in [
        ("hexadecimal.vlog", Form::Hexadecimal { key: 0xa7 }),
        ("raw.vlog", Form::Raw { key: 9 }),
        ("plain.vlog", Form::Plain),
    ] {
        let bytes = archive::write([("savedGame", &*obfuscation::write(&text, form))]).unwrap();
        std::fs::write(folder.path().join(name), bytes).unwrap();
        let at = |more: &[&str]| tallyho(folder.path(), &[&["vassal", "dump", name], more].concat()).1;
        assert!(at(&[]).contains("Visas Marr at 125,425"), "{name}");
        assert!(at(&["--start"]).contains("Visas Marr at 75,425"), "{name}");
        let save = Save::open(&folder.path().join(name)).unwrap();
        assert_eq!((save.form, save.commands.write()), (form, text.clone()));
    }
}
