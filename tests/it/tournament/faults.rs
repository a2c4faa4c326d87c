//! Files with faults, by `tests/cases/tournament/faults.toml`.

use serde::Deserialize;
use tallyho::tournament::file;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    file: String,
    faults: Vec<String>,
}

#[test]
fn faults_are_named_by_their_lines_all_at_once() {
    let cases: Cases = toml::from_str(include_str!("../../cases/tournament/faults.toml")).unwrap();
    for case in cases.case {
        let found = file::read(&case.file).map_or_else(|faults| faults.to_string(), |_| String::new());
        let found: Vec<&str> = found.lines().collect();
        let as_expected = found.len() == case.faults.len()
            && (found.iter().zip(&case.faults)).all(|(found, expected)| found.starts_with(expected.as_str()));
        assert!(as_expected, "{}:\n{found:#?}\nexpected {:#?}", case.name, case.faults);
    }
}

#[test]
fn names_that_steer_are_written_out_in_faults() {
    let text = "[tournament]\nname = \"Cup\"\nseed = 1\n[[player]]\nid = \"a\\u202Eb\"\n";
    let said = file::read(text).unwrap_err().to_string();
    assert!(said.starts_with("line 4: `a\\u{202e}b` is no id"), "{said}");
}
