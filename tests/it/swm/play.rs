//! A skirmish at the keyboard, its record, and looking at it again.

use std::{fs, path::Path, process::Output};

use assert_cmd::Command;

pub(super) fn tallyho(arguments: &[&str], input: &str) -> Output {
    Command::cargo_bin("tallyho")
        .unwrap()
        .args(arguments)
        .write_stdin(input)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

const POSITION: &str = "  A  B  C  D  E  F  G  H\n\
    1 .. .. .. .. .. .. .. ..\n\
    2 .P .. .. o. .. .. .. .a\n\
    3 .Q .. .. .. .. .. .. .b\n\
    4 .. .. .. .. .. .. .. ..\n\
    figure P 40/16/+8/20 name Captain : Double Attack\n\
    figure Q 30/15/+6/10 force 2 name Knight : Lightsaber Deflect\n\
    figure a 30/14/+5/10 name Guard\n\
    figure b 20/14/+4/10 name Scout : Stealth\n";

fn begin(folder: &Path, more: &[&str], input: &str) -> (String, String) {
    let position = folder.join("ambush.txt");
    fs::write(&position, POSITION).unwrap();
    let record = folder.join("game.jsonl").display().to_string();
    let position = position.display().to_string();
    let mut arguments = vec![
        "play",
        "--swm",
        "--position",
        &position,
        "--seed",
        "2",
        "--save",
        &record,
    ];
    arguments.extend(more);
    (text(&tallyho(&arguments, input)), record)
}

#[test]
fn a_skirmish_is_played_left_resumed_undone_and_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let (shown, record) = begin(folder.path(), &[], "map\ntable\nfigure P\nnonsense\n99\n\n\n\nquit\n");
    for expected in [
        "skirmish ambush",
        "Captain",
        "Your choice?",
        "`nonsense`?",
        "there are choices 1 to",
        "Double Attack",
    ] {
        assert!(shown.contains(expected), "{expected} is not in\n{shown}");
    }
    // Goes on where it was left, to the end, by what a careful player would do.
    let enters = "\n".repeat(400);
    let shown = text(&tallyho(&["play", &record], &enters));
    assert!(shown.contains("goes on in round") && shown.contains("wins."), "{shown}");
    let whole = fs::read_to_string(&record).unwrap();
    // Played again by this program, everything comes out the same.
    let check = tallyho(&["replay", &record, "--check"], "");
    assert!(text(&check).contains("as recorded"), "{check:?}");
    let list = text(&tallyho(&["replay", &record, "--list"], ""));
    assert!(list.lines().count() > 10 && list.contains("activates"), "{list}");
    // In words, and not as it was typed.
    assert!(!list.contains('`') && list.contains("what does it do? It "), "{list}");
    let html = folder.path().join("game.html");
    text(&tallyho(&["replay", &record, "--html", html.to_str().unwrap()], ""));
    let page = fs::read_to_string(html).unwrap();
    assert!(
        page.contains("\"figures\":[{\"id\":\"P\"") && !page.contains("{{"),
        "the page has everything in it"
    );
    // It is the page of the game of ships with another table on it: what is pressed there is pressed here.
    for control in [
        "id=\"play\"",
        "id=\"round\"",
        "prefers-color-scheme: dark",
        "location.hash",
        "\" \": steps.play",
    ] {
        assert!(page.contains(control), "{control}");
    }
    let looked = text(&tallyho(
        &["replay", &record],
        "\nback\nwhy\nmap\nround 2\nlast\nquit\n",
    ));
    assert!(looked.contains("The end"), "{looked}");
    // Back to the beginning and into another future; the record tells both.
    let shown = text(&tallyho(&["play", &record], "undo 3\nlog 5\nwhy\nquit\n"));
    assert!(shown.contains("Back in round"), "{shown}");
    let longer = fs::read_to_string(&record).unwrap();
    assert!(
        longer.starts_with(&whole) && longer.contains("\"entry\":\"undone\""),
        "what was taken back stays"
    );
    assert!(text(&tallyho(&["replay", &record, "--check"], "")).contains("as recorded"));
}

#[test]
fn choices_are_typed_and_what_the_rules_refuse_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let input = "first player\nactivate P\nmove H9\nmove A9\nmove D2\nattack zz\nsvg\nhp a 999\nhp a 10\nfp Q 7\nput Q A1\nput Q H2\n\
        ready P\ndone Q\nopen 1\nhp zz 3\nattack a\ndone\nquit\n";
    let (shown, record) = begin(folder.path(), &[], input);
    for expected in [
        "no way leads to A9",
        "Captain (P) walks from A2 to D2",
        "That cannot be done: `P` cannot make that attack: zz is no legal target: no such figure is there.",
        "no figure has more hit points than at the start",
        "Set: Guard (a) has 10 hit points.",
        "Set: Knight (Q) has 7 Force points.",
        "Set: Knight (Q) stands at A1.",
        "it cannot stand there",
        "there is no such door",
        "There is no figure `zz`",
        "Captain (P) attacks Guard (a)",
    ] {
        assert!(shown.contains(expected), "{expected} is not in\n{shown}");
    }
    assert!(text(&tallyho(&["replay", &record, "--check"], "")).contains("as recorded"));
}

#[test]
fn dice_may_be_typed() {
    let folder = tempfile::tempdir().unwrap();
    // Both dice of the initiative, then who goes first, then a die for the attack.
    let input = "17\n21\n4\n1\nactivate P\nmove D2\nattack a\n20\ndone\nquit\n";
    let (shown, record) = begin(folder.path(), &["--dice", "typed"], input);
    for expected in [
        "Type a number from 1 to 20",
        "the player rolls 17, the automated side 4",
        "20 +8 = 28",
        "a critical hit",
        "is defeated",
    ] {
        assert!(shown.contains(expected), "{expected} is not in\n{shown}");
    }
    assert!(text(&tallyho(&["replay", &record, "--check"], "")).contains("as recorded"));
}

#[test]
fn a_record_that_was_cut_off_goes_on_before_the_cut() {
    let folder = tempfile::tempdir().unwrap();
    let (_, record) = begin(folder.path(), &[], &"\n".repeat(12));
    let whole = fs::read(&record).unwrap();
    for part in [2, 3] {
        fs::write(&record, &whole[..whole.len() * part / 4]).unwrap();
        let shown = text(&tallyho(&["play", &record], "quit\n"));
        assert!(
            shown.contains("was damaged") && shown.contains("goes on in round"),
            "{shown}"
        );
    }
}

#[test]
fn simulations_of_skirmishes_are_counted_recorded_and_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (csv, json, records) = (at("games.csv"), at("summary.json"), at("records"));
    let arguments = [
        "sim", "--swm", "--games", "6", "--size", "12x9", "--points", "60", "--seed", "3", "--audit",
    ];
    let more = ["--csv", &csv, "--json", &json, "--record", &records];
    let shown = text(&tallyho(&[&arguments[..], &more, &["--threads", "2"]].concat(), ""));
    assert!(
        shown.contains("6 skirmishes") && shown.contains("no rule broken"),
        "{shown}"
    );
    let summary: serde_json::Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(summary["summary"]["games"], 6);
    let table = fs::read_to_string(&csv).unwrap();
    assert!(
        table.starts_with("game,winner,length,round,side,activations"),
        "{table}"
    );
    for number in 0..6 {
        let record = format!("{records}/skirmish-{number}.jsonl");
        assert!(text(&tallyho(&["replay", &record, "--check"], "")).contains("as recorded"));
        // What is recorded is what was counted.
        let rounds = table
            .lines()
            .filter(|line| line.starts_with(&format!("{number},")))
            .count()
            / 2;
        let last = fs::read_to_string(&record).unwrap().lines().last().unwrap().to_owned();
        let last: serde_json::Value = serde_json::from_str(&last).unwrap();
        assert_eq!(last["round"], rounds, "{number}");
    }
    assert_eq!(
        text(&tallyho(&[&arguments[..], &["--threads", "1"]].concat(), "")),
        shown
    );
}

#[test]
fn what_cannot_be_played_is_told_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.txt");
    let path = path.to_str().unwrap();
    let failed = |arguments: &[&str]| {
        let output = tallyho(arguments, "");
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(failed(&["play", "--swm", "--player", "old-republic-gard"]).contains("did you mean `old-republic-guard`?"));
    assert!(failed(&["play", "--swm", "--size", "3x3"]).contains("as in 24x16"));
    assert!(failed(&["sim", "--size", "20x20"]).contains("--swm"));
    fs::write(path, "  A B\n1 .P ..\n2 .x\n").unwrap();
    assert!(failed(&["play", "--swm", "--position", path]).contains("bad.txt: map"));
    fs::write(path, "  A  B\n1 .P ..\nfigure P 10/10/+1/10\n").unwrap();
    let told = failed(&["play", "--swm", "--position", path]);
    assert!(told.contains("the automated side has no figure in play"), "{told}");
    assert!(failed(&["play", "--swm", "--roster", path]).contains("bad.txt"));
}
