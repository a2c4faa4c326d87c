//! `tallyho demo`: the whole way from a button to a picture.

use assert_cmd::Command;

fn demo(folder: &std::path::Path, options: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tallyho").unwrap();
    command.arg("demo").args(options).arg("--out").arg(folder);
    command
}

#[test]
fn the_same_seed_gives_the_same_game_and_picture() {
    let folder = tempfile::tempdir().unwrap();
    let play = |seed: &str| {
        let run = demo(folder.path(), &["--seed", seed, "--ships", "3", "--rounds", "2"])
            .assert()
            .success();
        let log = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        (log, std::fs::read_to_string(folder.path().join("demo.svg")).unwrap())
    };
    let first = play("11");
    assert_eq!(play("11"), first);
    assert_ne!(play("12").0, first.0);
    let (log, picture) = first;
    assert_eq!(log.matches("Round ").count(), 2, "{log}");
    // Three solo ships decide in each of two rounds, and both players fly.
    assert_eq!(log.matches(" is after ").count(), 6, "{log}");
    assert_eq!(log.matches("(player) flies").count(), 4, "{log}");
    assert!(
        picture.starts_with("<svg") || picture.starts_with("<?xml"),
        "{picture:.80}"
    );
    assert!(picture.contains("Academy Pilot"));
}

/// What the README shows to somebody who has nothing but the program: both sides fly, both shoot, and it is said why.
#[test]
fn the_demo_as_it_comes_has_an_attack_each_way_with_its_reasons() {
    let folder = tempfile::tempdir().unwrap();
    let run = demo(folder.path(), &[]).assert().success();
    let log = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    for part in [
        "    solo    ",
        "    player  ",
        "SA-9: ",
        "The engagement:",
        "Hull and shields left",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
    // Whatever a ship does or suffers is told with its name, and one that was shot down is so on the picture, too.
    let names: Vec<&str> = (log.lines())
        .filter_map(|line| {
            let rest = line
                .strip_prefix("  solo    ")
                .or_else(|| line.strip_prefix("  player  "))?;
            Some(rest.split_once(" (")?.0)
        })
        .collect();
    assert_eq!(names.len(), 6, "{log}");
    let told = log.lines().skip_while(|line| !line.starts_with("Round 1"));
    let does = told.filter(|line| line.starts_with("      ") && !line.trim_start().starts_with("SA-"));
    let mut count = 0;
    for line in does.filter(|line| !line.starts_with("        ")) {
        assert!(names.iter().any(|name| line.trim_start().starts_with(name)), "{line}");
        count += 1;
    }
    assert!(count > 20, "{log}");
    assert!(log.contains("Academy Pilot shot down"), "{log}");
    let picture = std::fs::read_to_string(folder.path().join("demo.svg")).unwrap();
    assert!(
        picture.contains("destroyed") && !picture.contains("in reserve"),
        "{picture}"
    );
    for (whose, others) in [("solo  ", "player"), ("player", "solo  ")] {
        let attacks = |line: &&str| line.starts_with(&format!("    {whose}  ")) && line.contains(" attacks ");
        assert!(
            log.lines().any(|line| attacks(&line)),
            "{whose} does not attack the {others}: {log}"
        );
    }
}

#[test]
fn wrong_options_are_told() {
    let folder = tempfile::tempdir().unwrap();
    demo(folder.path(), &["--ships", "7"]).assert().code(2);
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let run = demo(&file.join("below"), &[]).assert().code(1);
    let error = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(error.contains("--out"), "{error}");
}
