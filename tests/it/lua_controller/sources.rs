//! The Lua sources: what the game's interpreter takes.

use tallyho::bridge::tts::install::{Connection, script};

#[test]
fn the_sources_keep_to_the_subset_that_the_game_runs() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("lua");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        for (line, what) in lint(&source) {
            found.push(format!(
                "{}:{line}: {what}",
                file.file_name().unwrap().to_string_lossy()
            ));
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn the_lint_finds_what_it_is_for() {
    for (source, what) in [
        ("local x = 7 // 2", "//"),
        ("local x = a & b", "&"),
        ("if a != b then end", "!="),
        ("t[#t + 1] = x", "# + 1"),
        ("t[#t+1] = x", "# + 1"),
        ("goto done", "goto"),
        ("local f = |x| x", "|"),
        ("s:match('^%s*(.-)%s*$')", "lazy"),
        ("Wait.stopAll()", "stopAll"),
        ("table.sort(names)", "sort"),
        ("local x <const> = 1", "<const>"),
        ("Global.setVar('a', 1)", "Global"),
        ("load('x')", "load"),
        ("local x = 1 << 2", "<<"),
        ("local s = '\\u{48}'", "\\u"),
    ] {
        let found = lint(source);
        assert!(found.iter().any(|(_, text)| text.contains(what)), "{source}: {found:?}");
    }
    assert_eq!(
        lint("local a = '//' -- a & b\nif a ~= b then s = string.gsub(s, '%s+$', '') end\n--[[ goto ]] x = - 1"),
        []
    );
}

/// What in a Lua source the game's interpreter does not take or does otherwise (see `docs/tts-install.md`).
fn lint(source: &str) -> Vec<(usize, String)> {
    let (code, texts) = split_lua(source);
    let mut found = Vec::new();
    let line_of = |at: usize| source[..at].matches('\n').count() + 1;
    for operator in ["//", "&", "|", "!=", "<<", ">>", "<const>", "<close>"] {
        for (at, _) in code.match_indices(operator) {
            found.push((line_of(at), format!("{operator} is not in the subset")));
        }
    }
    for (at, _) in code.match_indices('~') {
        if !code[at + 1..].starts_with('=') {
            found.push((line_of(at), "unary ~ is not in the subset".into()));
        }
    }
    let word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    for name in [
        "goto",
        "load",
        "loadstring",
        "require",
        "dofile",
        "io",
        "debug",
        "utf8",
        "stopAll",
        "unpack",
    ] {
        for (at, _) in code.match_indices(name) {
            let (before, after) = (code[..at].chars().next_back(), code[at + name.len()..].chars().next());
            if !word(before) && !word(after) {
                found.push((line_of(at), format!("{name} is not to be used")));
            }
        }
    }
    for call in ["Global.setVar", "Global.setTable"] {
        for (at, _) in code.match_indices(call) {
            found.push((line_of(at), format!("{call}: Global is not edited")));
        }
    }
    for (at, _) in code.match_indices("table.sort(") {
        let inside = &code[at + "table.sort(".len()..];
        if inside.find(')') < inside.find(',') || !inside.contains(',') {
            found.push((line_of(at), "table.sort without a comparison".into()));
        }
    }
    for (at, _) in code.match_indices('#') {
        let rest = code[at + 1..].trim_start();
        let name: usize = rest
            .chars()
            .take_while(|&c| c.is_alphanumeric() || "_.".contains(c))
            .map(char::len_utf8)
            .sum();
        let after: String = rest[name..].chars().filter(|c| !c.is_whitespace()).take(2).collect();
        if after == "+1" {
            found.push((line_of(at), "# + 1 appends cost the length of the list".into()));
        }
    }
    for (at, text) in texts {
        if text.contains("\\u") {
            found.push((line_of(at), "\\u is not in the subset".into()));
        }
        let letters: Vec<char> = text.chars().collect();
        for i in 1..letters.len() {
            let item = letters[i - 1] == '.'
                || letters[i - 1] == ']'
                || i >= 2 && letters[i - 2] == '%' && letters[i - 1].is_alphabetic();
            let ends = letters.get(i + 1).is_none_or(|&next| "()$%[.^".contains(next));
            if letters[i] == '-' && item && ends && !text.contains(' ') {
                found.push((line_of(at), format!("lazy pattern {text}")));
            }
        }
    }
    found
}

/// A Lua source with its comments and texts blanked out, and the texts with their places.
fn split_lua(source: &str) -> (String, Vec<(usize, String)>) {
    let bytes = source.as_bytes();
    let mut code = source.as_bytes().to_vec();
    let mut texts = Vec::new();
    let mut i = 0;
    let blank = |code: &mut Vec<u8>, from: usize, to: usize| {
        for byte in &mut code[from..to] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    };
    while i < bytes.len() {
        if source[i..].starts_with("--[[") {
            let end = source[i..].find("]]").map_or(bytes.len(), |at| i + at + 2);
            blank(&mut code, i, end);
            i = end;
        } else if source[i..].starts_with("--") {
            let end = source[i..].find('\n').map_or(bytes.len(), |at| i + at);
            blank(&mut code, i, end);
            i = end;
        } else if bytes[i] == b'"' || bytes[i] == b'\'' {
            let mut end = i + 1;
            while end < bytes.len() && bytes[end] != bytes[i] {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            let end = end.min(bytes.len());
            texts.push((i, source[i + 1..end].to_owned()));
            blank(&mut code, i + 1, end);
            i = end + 1;
        } else {
            i += source[i..].chars().next().map_or(1, char::len_utf8);
        }
    }
    (String::from_utf8(code).unwrap(), texts)
}

#[test]
fn the_bundle_is_one_chunk_of_plain_text() {
    let script = script(&Connection {
        port: 1,
        token: "t".into(),
    })
    .unwrap();
    assert!(script.is_ascii() || script.chars().all(|letter| !letter.is_control() || letter == '\n'));
    assert!(mlua::Lua::new().load(&script).into_function().is_ok());
    // The game's editor and its limit of local names a function (200) are far away.
    assert!(script.len() < 200_000, "{}", script.len());
}
