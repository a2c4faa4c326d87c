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

#[test]
fn nothing_cites_an_id_that_the_index_does_not_know() {
    let index = RuleIndex::built_in().expect("data/rules.toml parses");
    let known: BTreeSet<&str> = index.rule.iter().map(|rule| rule.id.as_str()).collect();
    let mut unknown = BTreeSet::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the source folder can be read") {
            let path = entry.expect("a folder entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source file can be read");
                for id in cited(&text) {
                    if !known.contains(id.as_str()) {
                        unknown.insert(format!(
                            "{}: {id}",
                            path.strip_prefix(root()).unwrap_or(&path).display()
                        ));
                    }
                }
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// The ids that a text cites: `SA-` and all that belongs to it (`3.1c`, `8.1`, `3.1-forced`), and `SWM-` with a letter and a number.
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
