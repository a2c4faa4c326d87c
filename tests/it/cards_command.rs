//! `tallyho cards`: what cards do, how much of them is played, and a file of one's own.

use std::io::Write as _;

use serde_json::Value;

fn tallyho(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = assert_cmd::Command::cargo_bin("tallyho").unwrap();
    let output = command.arg("cards").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A card of one's own whose damage sets itself off again: the chain is cut, and the game goes on to its end.
#[test]
fn effects_that_set_themselves_off_come_to_an_end() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(
        b"[[card]]\nid = \"pilot:redsquadronveteran\"\n[[card.effect]]\n\
          on = { window = \"damage_suffered\", role = \"self\" }\ndo = [{ deal_damage = { hit = 1 } }]\n",
    )
    .unwrap();
    let mut command = assert_cmd::Command::cargo_bin("tallyho").unwrap();
    let path = file.path().to_str().unwrap();
    let run = command
        .args(["--card-file", path, "sim", "--player", "2*t65xwing/redsquadronveteran"])
        .args([
            "--solo",
            "3*tielnfighter/academypilot",
            "--games",
            "3",
            "--threads",
            "1",
        ])
        .timeout(std::time::Duration::from_secs(120))
        .assert()
        .success();
    let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(said.starts_with("3 games: "), "{said}");
}

#[test]
fn the_counts_add_up_whichever_way_cards_are_counted() {
    let (code, text, _) = tallyho(&["--json"]);
    assert_eq!(code, Some(0));
    let coverage: Value = serde_json::from_str(&text).unwrap();
    let of = |tally: &Value| ["played", "partly", "asked"].map(|state| tally[state].as_u64().unwrap());
    let all = of(&coverage["all"]);
    let kinds = coverage["kinds"].as_object().unwrap().values().map(of);
    let sum = kinds.fold([0; 3], |sum, kind| {
        std::array::from_fn(|place| sum[place] + kind[place])
    });
    assert_eq!(sum, all);
    assert!(all.iter().sum::<u64>() > 1200, "{all:?}");
    for (state, count) in ["played", "partly", "asked"].iter().zip(all) {
        let (_, listed, _) = tallyho(&["--state", state, "--json"]);
        let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
        assert_eq!(listed.len() as u64, count, "{state}");
        assert!(
            listed
                .iter()
                .all(|card| card["state"] == *state && card["blank"] == false)
        );
    }
}

#[test]
fn a_card_is_told_in_words_and_one_that_is_not_known_is_an_error() {
    let (_, text, _) = tallyho(&["howlrunner"]);
    for part in [
        "pilot:howlrunner",
        "galacticempire",
        "attack dice are modified",
        "may: reroll (dice attack, up to 1)",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let (_, blank, _) = tallyho(&["pilot:academypilot"]);
    assert!(blank.contains("played") && blank.contains("no text"), "{blank}");
    let (code, _, error) = tallyho(&["nobody at all"]);
    assert_eq!(code, Some(1));
    assert!(error.contains("no card is called `nobody at all`"), "{error}");
}

#[test]
fn a_file_of_ones_own_is_read_and_its_faults_are_told_with_their_place() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let card = "[[card]]\nid = \"pilot:howlrunner\"\n[[card.effect]]\non = { window = \"passive\", role = \"self\" }\n";
    writeln!(file, "{card}do = [{{ stat_change = {{ stat = \"hull\", by = 1 }} }}]").unwrap();
    let path = file.path().to_str().unwrap().to_owned();
    let (_, text, _) = tallyho(&["howlrunner", "--card-file", &path]);
    assert!(text.contains("stat change (by 1, stat hull)"), "{text}");
    writeln!(file, "{card}do = [{{ stat_chance = {{ stat = \"hull\", by = 1 }} }}]").unwrap();
    let (code, _, error) = tallyho(&["howlrunner", "--card-file", &path]);
    assert_eq!(code, Some(1));
    let place = "line 10, card `pilot:howlrunner`: unknown variant `stat_chance`";
    assert!(error.contains("--card-file") && error.contains(place), "{error}");
}

/// No card of the first edition is called played, or asked about, for want of an entry.
#[test]
fn cards_of_the_first_edition_are_facts_only() {
    let told = "cards of the first edition are facts only";
    for arguments in [
        ["--edition", "first"].as_slice(),
        &["--edition", "first", "--state", "asked"],
        &["--edition", "first", "Howlrunner"],
    ] {
        let (code, _, error) = tallyho(arguments);
        assert_eq!(code, Some(0), "{error}");
        assert!(error.contains(told), "{arguments:?}: {error}");
    }
    let (_, shown, _) = tallyho(&["--edition", "first", "Howlrunner"]);
    assert!(shown.contains("its text says is left to the players"), "{shown}");
    let (_, _, error) = tallyho(&["Howlrunner"]);
    assert_eq!(error, "");
}
