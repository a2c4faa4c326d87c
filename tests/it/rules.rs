//! The index of rules tells the truth: what it says is done is cited where it says so, and nothing else is cited.

use std::{collections::BTreeSet, fs, path::Path};

use tallyho::cli::rules::{RuleIndex, RuleState};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether the text cites exactly this id: `SA-3.1` is not cited by `SA-3.1a`, nor by `SA-3.12`.
fn cites(text: &str, id: &str) -> bool {
    text.match_indices(id).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut rest = text[at + id.len()..].chars();
        let (next, after) = (rest.next(), rest.next());
        let continues = match next {
            Some('.') | Some('-') => after.is_some_and(|c| c.is_ascii_alphanumeric()),
            Some(c) => c.is_ascii_alphanumeric(),
            None => false,
        };
        !continues && before.is_none_or(|c| !c.is_ascii_alphanumeric())
    })
}

#[test]
fn every_rule_stands_where_the_index_says() {
    let index = RuleIndex::built_in().expect("data/rules.toml parses");
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for rule in &index.rule {
        if !seen.insert(&rule.id) {
            problems.push(format!("{} stands twice", rule.id));
        }
        match rule.state {
            RuleState::Done if rule.place.is_empty() || rule.tests.is_empty() => {
                problems.push(format!("{} is called done but names no place or no test", rule.id));
            }
            RuleState::Player if rule.instead.is_empty() => {
                problems.push(format!("{} is not done and does not say what the player does", rule.id));
            }
            RuleState::Heading => {
                let under = format!("{}.", rule.id);
                if !index.rule.iter().any(|other| other.id.starts_with(&under)) {
                    problems.push(format!("{} is called a heading and has no rule under it", rule.id));
                }
            }
            _ => {}
        }
        for file in rule.place.iter().chain(&rule.tests) {
            match fs::read_to_string(root().join(file)) {
                Ok(text) if cites(&text, &rule.id) => {}
                Ok(_) => problems.push(format!("{file} does not cite {}", rule.id)),
                Err(error) => problems.push(format!("{}: {file}: {error}", rule.id)),
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Source files, texts and cases that cite ids, with their text.
fn texts(folders: &[&str]) -> Vec<(String, String)> {
    let mut folders: Vec<_> = folders.iter().map(|folder| root().join(folder)).collect();
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("a folder entry can be read").path();
            let kind = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                folders.push(path);
            } else if matches!(kind, Some("rs" | "toml" | "md" | "txt")) {
                let text = fs::read_to_string(&path).expect("the file can be read");
                texts.push((path.strip_prefix(root()).unwrap_or(&path).display().to_string(), text));
            }
        }
    }
    texts
}

#[test]
fn nothing_cites_an_id_that_the_index_does_not_know() {
    let index = RuleIndex::built_in().expect("data/rules.toml parses");
    let known: BTreeSet<&str> = index.rule.iter().map(|rule| rule.id.as_str()).collect();
    let mut unknown = BTreeSet::new();
    for (file, text) in texts(&["src"]) {
        let strange = cited(&text).into_iter().filter(|id| !known.contains(id.as_str()));
        unknown.extend(strange.map(|id| format!("{file}: {id}")));
    }
    for (file, text) in texts(&["src", "data", "docs", "tests"]) {
        let strange = cited_of_editions(&text)
            .into_iter()
            .filter(|id| !known.contains(id.as_str()));
        unknown.extend(strange.map(|id| format!("{file}: {id}")));
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// FE, FE-SOLO, PE, PE-A: the index has every id of the rules of the first edition and of Political Escort, and no other.
#[test]
fn every_rule_of_the_first_edition_and_of_its_scenario_is_in_the_index() {
    let listed = include_str!("../cases/rules/ids.txt");
    let lines = listed.lines().filter(|line| !line.starts_with('#'));
    let listed: BTreeSet<&str> = lines.flat_map(str::split_whitespace).collect();
    let index = RuleIndex::built_in().expect("data/rules.toml parses");
    let ids = index.rule.iter().map(|rule| rule.id.as_str());
    let known: BTreeSet<&str> = ids
        .filter(|id| id.starts_with("FE-") || id.starts_with("PE-"))
        .collect();
    let missing: Vec<_> = listed.difference(&known).collect();
    let strange: Vec<_> = known.difference(&listed).collect();
    assert!(
        missing.is_empty() && strange.is_empty(),
        "not in the index: {missing:?}; not in the rules: {strange:?}"
    );
}

#[test]
fn ids_of_the_editions_are_found_in_texts() {
    let text = "FE-4.7, (FE-SOLO-8-D2) PE-A5/PE-3. FE-6.4 to 6.9; FE-SOLO; PE-A; SAFE-1; `FE-11`";
    let found: Vec<String> = cited_of_editions(text).into_iter().collect();
    assert_eq!(found, ["FE-11", "FE-4.7", "FE-6.4", "FE-SOLO-8", "PE-3", "PE-A5"]);
}

/// The ids of the first edition and of Political Escort that a text cites: `FE-` or `FE-SOLO-`, `PE-` or `PE-A`, a number, and
/// perhaps a point and a number.
fn cited_of_editions(text: &str) -> BTreeSet<String> {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mut ids = BTreeSet::new();
    for (start, more) in [("FE-", "SOLO-"), ("PE-", "A")] {
        for (at, _) in text.match_indices(start) {
            if text[..at].ends_with(|c: char| c.is_ascii_alphanumeric()) {
                continue;
            }
            let tail = &text[at + start.len()..];
            let more = if tail.starts_with(more) { more.len() } else { 0 };
            let whole = digits(&tail[more..]);
            if whole == 0 {
                continue;
            }
            let point = tail[more + whole..].strip_prefix('.').map_or(0, digits);
            let end = more + whole + if point > 0 { 1 + point } else { 0 };
            ids.insert(format!("{start}{}", &tail[..end]));
        }
    }
    ids
}

/// The ids of Solo Alpha and Star Wars Miniatures that a text cites: `SA-` and all that belongs to it (`3.1c`, `8.1`,
/// `3.1-forced`), and `SWM-` with a letter and a number.
fn cited(text: &str) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for (at, _) in text.match_indices("SA-") {
        let tail = &text[at + 3..];
        let end = tail
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-'))
            .unwrap_or(tail.len());
        let id = tail[..end].trim_end_matches(['.', '-']);
        if id.starts_with(|c: char| c.is_ascii_digit()) {
            ids.insert(format!("SA-{id}"));
        }
    }
    for (at, _) in text.match_indices("SWM-") {
        let tail = &text[at + 4..];
        let end = tail.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tail.len());
        let id = &tail[..end];
        if id.starts_with(|c: char| c.is_ascii_uppercase()) && id.ends_with(|c: char| c.is_ascii_digit()) {
            ids.insert(format!("SWM-{id}"));
        }
    }
    ids
}
