//! `tallyho tournament` as people use it: a tournament in a file, from beginning to end, and all that goes wrong.

use std::{
    fs,
    path::Path,
    process::{Child, Stdio},
};

use assert_cmd::{Command, cargo::CommandCargoExt as _};
use tallyho::tournament::file;

fn tallyho(folder: &Path, words: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
    let output = command
        .current_dir(folder)
        .arg("tournament")
        .args(words.split(' ').filter(|word| !word.is_empty()))
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn done(folder: &Path, words: &str) -> String {
    let (code, said, error) = tallyho(folder, words);
    assert_eq!(code, Some(0), "{words}: {error}");
    said
}

fn refused(folder: &Path, words: &str) -> String {
    let (code, said, error) = tallyho(folder, words);
    assert_eq!(code, Some(1), "{words}: {said}{error}");
    error
}

/// Enters all games of the last match that are missing, the first defender winning each.
fn enter_all(folder: &Path) {
    let tournament = file::read(&fs::read_to_string(folder.join("cup.toml")).unwrap()).unwrap();
    let last = tournament.matches.last().unwrap();
    let lines: Vec<String> = (last.missing().into_iter())
        .map(|(defender, attacker)| format!("{}, 30, {}, 20, exit", tournament.id(defender), tournament.id(attacker)))
        .collect();
    fs::write(folder.join("sheet.txt"), lines.join("\n")).unwrap();
    done(folder, "result cup.toml --from sheet.txt");
}

#[test]
fn a_tournament_is_played_from_beginning_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    done(at, "new cup.toml --matches 2 --seed 7 Ann Bob Cid");
    done(at, "add cup.toml Dora Ann-Marie");
    let file = at.join("cup.toml");
    // What the organiser writes into it stays.
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("id = \"bob\"", "id = \"bob\"   # pays later")).unwrap();
    let said = done(at, "pair cup.toml");
    assert!(
        said.contains("PE-9.6: rolled among all 5") && said.contains("PE-9.5: "),
        "{said}"
    );
    let again = done(at, "pair cup.toml --again");
    assert_eq!(said, again, "the same file and seed pair the same");
    // Who comes before a game is entered is paired in the same match.
    done(at, "add cup.toml Eve");
    let said = done(at, "pair cup.toml --again");
    assert!(said.contains("Eve") && !said.contains("bye"), "{said}");
    assert!(refused(at, "pair cup.toml").contains("match 1 is not over: enter "));
    enter_all(at);
    assert!(refused(at, "pair cup.toml --again").contains("match 1 has games entered"));
    done(at, "leave cup.toml dora");
    done(at, "pair cup.toml");
    done(at, "leave cup.toml bob");
    let again = done(at, "pair cup.toml --again");
    assert!(!again.contains("Bob") && !again.contains("bye"), "{again}");
    let shown = done(at, "show cup.toml --match 2");
    assert!(shown.contains("to be entered") && !shown.contains("dora"), "{shown}");
    assert!(!done(at, "standings cup.toml").contains("Winner"));
    enter_all(at);
    let standings = done(at, "standings cup.toml --html cup.html --json cup.json");
    assert!(
        standings.contains("after match 2 of 2") && standings.contains("Winner: "),
        "{standings}"
    );
    let page = fs::read_to_string(at.join("cup.html")).unwrap();
    assert!(
        page.contains("<td>Ann-Marie</td>") && page.contains("<h2>Match 2</h2>"),
        "{page}"
    );
    let json: serde_json::Value = serde_json::from_slice(&fs::read(at.join("cup.json")).unwrap()).unwrap();
    assert_eq!(json["standings"].as_array().unwrap().len(), 6);
    assert!(refused(at, "pair cup.toml").contains("all 2 matches are paired"));
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .contains("id = \"bob\"   # pays later\n")
    );
    let left: Vec<_> = fs::read_dir(at)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert!(
        !left.iter().any(|name| name.to_string_lossy().ends_with(".new")),
        "{left:?}"
    );
}

#[test]
fn results_that_cannot_be_are_refused_and_the_file_stays() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    done(at, "new cup.toml --seed 1 Ann Bob");
    assert!(refused(at, "result cup.toml ann 1 bob 2 exit").contains("match 0 is not paired"));
    done(at, "pair cup.toml");
    let before = fs::read(at.join("cup.toml")).unwrap();
    for (words, expected) in [
        ("ann 25 bop 48 exit", "there is no player `bop`; did you mean `bob`?"),
        ("ann 125 bob 48 exit", "ann scores 125: a squad has 100 points"),
        ("ann 25 bob x exit", "`x` is no number of points"),
        ("ann 25 bob 48 exit --winner bob", "the winner is ann by `exit`"),
        ("ann 25 bob 48 gone", "there is no ending `gone`"),
        ("ann 25 bob 48", "say how the game ended"),
        ("ann 25 bob 48 exit --match 2", "match 2 is not paired"),
        ("ann 25 bob 48 exit --correct", "there is nothing to correct"),
        ("ann -25 bob 48 exit", "`-25` is no number of points: give 0 to 100"),
        ("ann 2.5 bob 48 exit", "`2.5` is no number of points: give 0 to 100"),
        (
            "ann 25 bob",
            "a game has five words, DEFENDER POINTS ATTACKER POINTS ENDING, not 3",
        ),
        ("ann 25 bob 48 exit now", "not 6: ann 25 bob 48 exit now"),
    ] {
        let error = refused(at, &format!("result cup.toml {words}"));
        assert!(error.contains(expected), "{words}: {error}");
    }
    fs::write(
        at.join("sheet.txt"),
        "# match 1\nann 25 bob 48 exit # early\n\nbob 20 ann 30 winner=bob\n\"bob 1 ann 2 exit\nbob 1 zoe 2 time",
    )
    .unwrap();
    let error = refused(at, "result cup.toml --from sheet.txt");
    assert!(error.contains("nothing of sheet.txt is entered"), "{error}");
    for line in [
        "line 5: a quotation mark is missing",
        "line 6: there is no player `zoe`",
    ] {
        assert!(error.contains(line), "{error}");
    }
    for sheet in ["", "# nothing yet\r\n\r\n"] {
        fs::write(at.join("sheet.txt"), sheet).unwrap();
        let error = refused(at, "result cup.toml --from sheet.txt");
        assert!(
            error.contains("there is no game in sheet.txt: write one a line"),
            "{error}"
        );
    }
    assert_eq!(fs::read(at.join("cup.toml")).unwrap(), before);
    done(at, "result cup.toml Ann 25 BOB 48 exit");
    let error = refused(at, "result cup.toml ann 25 bob 48 exit");
    assert!(
        error.contains("is there already, 25 to 48; --correct puts this in its place"),
        "{error}"
    );
    // Options stand before, between and behind the words.
    for words in [
        "ann 26 bob 48 exit --correct",
        "--correct ann 26 bob 48 exit",
        "ann 26 bob 48 --correct exit",
        "ann 26 --correct --match 1 bob 48 exit",
    ] {
        assert!(
            done(at, &format!("result cup.toml {words}")).contains("MOV 78 and 122"),
            "{words}"
        );
    }
    // PE-7.3, PE-9.4: nobody has a VP, both have 100.
    assert!(done(at, "result cup.toml bob 30 ann 30 time").contains("nobody wins by time (PE-7.3); MOV 100 and 100"));
    assert!(done(at, "result cup.toml bob 30 ann 30 --winner draw --correct").contains("nobody wins; MOV 100 and 100"));
    assert!(refused(at, "result cup.toml bob 31 ann 30 --winner draw --correct").contains("a draw has equal scores"));
}

#[test]
fn a_tournament_with_too_few_players_says_how_to_add_some() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (file, players, told) in [("none.toml", "", "no player"), ("one.toml", "Ann", "1 player")] {
        let said = done(at, &format!("new {file} --seed 1 {players}"));
        assert!(
            said.contains(&format!(
                "begun with {told} and seed 1; next: tallyho tournament add {file}"
            )),
            "{said}"
        );
        let error = refused(at, &format!("pair {file}"));
        assert!(
            error.contains(&format!(
                "match 1 takes 2 players or more, and has {told}: `tallyho tournament add`"
            )),
            "{error}"
        );
        done(at, &format!("standings {file} --html page.html"));
    }
    assert!(done(at, "standings none.toml").contains("without players: `tallyho tournament add` takes them"));
}

/// A file as a Windows editor writes it, with remarks and half of a match entered by hand: nothing of it is lost.
#[test]
fn a_file_that_was_edited_half_way_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    done(at, "new cup.toml --seed 1 --matches 2 Ann Bob Cid");
    done(at, "pair cup.toml");
    let file = at.join("cup.toml");
    let read = || fs::read_to_string(&file).unwrap();
    let tournament = file::read(&read()).unwrap();
    let (defender, attacker) = tournament.matches[0].missing()[0];
    let (one, other) = (tournament.id(defender), tournament.id(attacker));
    let by_hand = read()
        .replace("id = \"ann\"", "id = \"ann\"   # paid")
        .replace(
            "games = []",
            &format!(
                "# by hand\ngames = [\n  # first table\n  {{ defender = \"{one}\", attacker = \"{other}\", score = [12, 34],\n    \
                 ended = \"destroyed\" }}   # late\n]"
            ),
        )
        .replace('\n', "\r\n");
    fs::write(&file, &by_hand).unwrap();
    assert!(done(at, "show cup.toml").contains("12 to 34"), "{by_hand}");
    enter_all(at);
    done(at, "pair cup.toml");
    enter_all(at);
    done(at, "standings cup.toml");
    let text = read();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text}");
    // What stands behind the last entry moves behind its comma.
    for line in by_hand
        .lines()
        .filter(|line| !matches!(line.trim(), "" | "]") && !line.contains("# late"))
    {
        assert!(text.contains(&format!("{line}\r\n")), "{line}\n{text}");
    }
    assert!(text.contains("# late"), "{text}");
    let tournament = file::read(&text).unwrap();
    assert_eq!(
        (tournament.matches.len(), tournament.matches[1].missing().len()),
        (2, 0)
    );
}

#[test]
fn a_damaged_file_is_named_by_line_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    done(at, "new cup.toml --seed 1 Ann Bob");
    let file = at.join("cup.toml");
    let whole = fs::read(&file).unwrap();
    for (damaged, expected) in [
        (whole[..whole.len() - 3].to_vec(), "line "),
        ([&whole[..], b"\xff"].concat(), "line 18: byte "),
        (Vec::new(), "line 1: the field `tournament` is missing"),
    ] {
        fs::write(&file, &damaged).unwrap();
        for words in [
            "pair cup.toml",
            "add cup.toml Cid",
            "standings cup.toml",
            "result cup.toml ann 1 bob 2 time",
        ] {
            let error = refused(at, words);
            assert!(
                error.contains(expected) && error.contains("cup.toml"),
                "{words}: {error}"
            );
        }
        assert_eq!(fs::read(&file).unwrap(), damaged);
    }
    assert!(refused(at, "new cup.toml Cid").contains("cup.toml is there already"));
    assert!(refused(at, "show none.toml").contains("cannot read none.toml"));
    fs::write(&file, &whole).unwrap();
    // As Windows PowerShell writes texts.
    let wide: Vec<u8> = std::iter::once(0xfeff)
        .chain(String::from_utf8(whole).unwrap().encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    fs::write(&file, wide).unwrap();
    done(at, "pair cup.toml");
    // A command that was stopped half-way is told of, and nothing is written meanwhile.
    fs::write(at.join("cup.toml.new"), "").unwrap();
    assert!(refused(at, "add cup.toml Cid").contains("cup.toml.new is there"));
}

#[test]
fn results_entered_at_once_are_all_kept() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    done(at, "new cup.toml --seed 1 Ann Bob Cid Dora Eve Flo");
    done(at, "pair cup.toml");
    let tournament = file::read(&fs::read_to_string(at.join("cup.toml")).unwrap()).unwrap();
    let missing = tournament.matches[0].missing();
    assert_eq!(missing.len(), 6);
    let running: Vec<Child> = (missing.into_iter())
        .map(|(defender, attacker)| {
            let mut command = std::process::Command::cargo_bin("tallyho").unwrap();
            command.current_dir(at).args(["tournament", "result", "cup.toml"]);
            command.args([tournament.id(defender), "10", tournament.id(attacker), "20", "time"]);
            command.stdout(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in running {
        assert!(child.wait().unwrap().success());
    }
    let tournament = file::read(&fs::read_to_string(at.join("cup.toml")).unwrap()).unwrap();
    assert_eq!(tournament.matches[0].missing(), []);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_rights_stay() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("inner")).unwrap();
    done(at, "new inner/cup.toml --seed 1 Ann");
    std::os::unix::fs::symlink("inner/cup.toml", at.join("cup.toml")).unwrap();
    fs::set_permissions(at.join("inner/cup.toml"), fs::Permissions::from_mode(0o640)).unwrap();
    done(at, "add cup.toml Bob");
    assert!(fs::symlink_metadata(at.join("cup.toml")).unwrap().is_symlink());
    let rights = fs::metadata(at.join("inner/cup.toml")).unwrap().permissions().mode() & 0o777;
    assert_eq!(rights, 0o640);
}

/// PE-9.2
#[test]
fn the_clock_says_what_may_be_begun() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (words, expected) in [
        ("clock 44:59", "first game: rounds may begin for another 0:01"),
        (
            "clock 52",
            "first game: finish the round of play, score the game, swap roles and set up",
        ),
        (
            "clock 57:00 --second",
            "second game: rounds may begin for another 38:00",
        ),
        (
            "clock 95 --second",
            "second game: finish the round of play and score the game",
        ),
    ] {
        assert!(done(at, words).contains(expected), "{words}");
    }
}
