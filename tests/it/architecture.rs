//! Dependencies point one way: each layer names only the layers that `ARCHITECTURE.md` lets it use.

use std::{collections::BTreeSet, fs, path::Path};

/// A layer and those beneath it that it may name.
const LAYERS: [(&str, &[&str]); 23] = [
    ("geometry", &[]),
    ("decision", &[]),
    ("dice", &[]),
    ("text_file", &[]),
    ("json", &[]),
    ("toml_text", &["json"]),
    ("visible", &[]),
    ("private_file", &[]),
    ("same_file", &[]),
    ("xwing", &["geometry", "dice", "text_file", "json", "visible"]),
    ("solo_alpha", &["geometry", "dice", "decision", "xwing"]),
    ("swm", &["dice", "decision", "json", "visible"]),
    ("commander", &["geometry", "dice", "decision", "xwing", "solo_alpha"]),
    (
        "sim",
        &[
            "geometry",
            "dice",
            "decision",
            "xwing",
            "solo_alpha",
            "commander",
            "swm",
            "visible",
        ],
    ),
    ("tournament", &["dice", "visible", "toml_text"]),
    (
        "game",
        &[
            "geometry",
            "dice",
            "decision",
            "xwing",
            "solo_alpha",
            "commander",
            "swm",
            "text_file",
        ],
    ),
    (
        "render",
        &["geometry", "dice", "decision", "xwing", "solo_alpha", "swm", "visible"],
    ),
    (
        "record",
        &[
            "geometry",
            "dice",
            "decision",
            "xwing",
            "solo_alpha",
            "commander",
            "sim",
            "game",
            "render",
            "swm",
            "bridge",
        ],
    ),
    (
        "play",
        &[
            "geometry",
            "dice",
            "decision",
            "xwing",
            "solo_alpha",
            "commander",
            "sim",
            "render",
            "record",
            "same_file",
            "swm",
        ],
    ),
    ("protocol", &["decision"]),
    (
        "bridge",
        &[
            "geometry",
            "dice",
            "decision",
            "xwing",
            "solo_alpha",
            "swm",
            "game",
            "protocol",
            "private_file",
            "json",
            "toml_text",
            "text_file",
            "visible",
        ],
    ),
    ("server", &["protocol", "bridge", "text_file", "private_file"]),
    (
        "cli",
        &[
            "geometry",
            "dice",
            "decision",
            "xwing",
            "solo_alpha",
            "swm",
            "commander",
            "sim",
            "game",
            "render",
            "record",
            "play",
            "tournament",
            "protocol",
            "bridge",
            "server",
            "text_file",
            "private_file",
            "same_file",
            "json",
            "toml_text",
            "visible",
        ],
    ),
];

/// The modules of this crate that a source text names by `crate::`, singly or in a group.
fn named(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    // What stands in comments may name anything.
    let code: String = (text.lines().filter(|line| !line.trim_start().starts_with("//")))
        .flat_map(|line| [line, "\n"])
        .collect();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let Some(group) = rest.strip_prefix('{') else {
            names.insert(identifier(rest));
            continue;
        };
        let mut depth = 0;
        let mut at_start = true;
        for (offset, letter) in group.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => at_start = true,
                letter if at_start && !letter.is_whitespace() => {
                    names.insert(identifier(&group[offset..]));
                    at_start = false;
                }
                _ => {}
            }
        }
    }
    names
}

fn identifier(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn sources(path: &Path, visit: &mut dyn FnMut(&Path, &str)) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a source folder can be read") {
            sources(&entry.expect("a folder entry can be read").path(), visit);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        visit(path, &fs::read_to_string(path).expect("a source file can be read"));
    }
}

#[test]
fn each_layer_names_only_what_lies_beneath_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let layers: BTreeSet<&str> = LAYERS.iter().map(|(layer, _)| *layer).collect();
    let mut wrong = Vec::new();
    let mut files = 0;
    for (layer, allowed) in LAYERS {
        let mut check = |path: &Path, text: &str| {
            files += 1;
            for name in named(text) {
                if layers.contains(name.as_str()) && name != layer && !allowed.contains(&name.as_str()) {
                    wrong.push(format!(
                        "{} names {name}",
                        path.strip_prefix(&source).unwrap_or(path).display()
                    ));
                }
            }
        };
        for path in [source.join(layer), source.join(format!("{layer}.rs"))] {
            if path.exists() {
                sources(&path, &mut check);
            }
        }
    }
    assert!(files > 100, "only {files} files were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_module_of_the_crate_has_its_layer() {
    let layers: BTreeSet<&str> = LAYERS.iter().map(|(layer, _)| *layer).collect();
    let library = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).expect("src/lib.rs");
    let modules = library
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let unknown: Vec<&str> = modules.filter(|module| !layers.contains(module)).collect();
    assert!(unknown.is_empty(), "no layer for {unknown:?}");
}

/// The core asks for no clock, thread, socket or file; the journal and a user's own data files are the exceptions.
#[test]
fn the_core_touches_nothing_outside() {
    const OUTSIDE: [&str; 6] = [
        "std::time",
        "std::net",
        "std::thread",
        "std::env",
        "tokio::",
        "rand::rng(",
    ];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for layer in [
        "geometry",
        "xwing",
        "solo_alpha",
        "commander",
        "game",
        "tournament",
        "decision",
        "dice",
    ] {
        let mut check = |path: &Path, text: &str| {
            for (number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                for outside in OUTSIDE.iter().filter(|outside| code.contains(**outside)) {
                    wrong.push(format!("{}:{}: {outside}", path.display(), number + 1));
                }
            }
        };
        for path in [source.join(layer), source.join(format!("{layer}.rs"))] {
            if path.exists() {
                sources(&path, &mut check);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
