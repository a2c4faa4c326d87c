//! TOML as people write it: faults in plain words, with the line in which they stand.

use crate::json;

/// The line in which a byte of a text stands, counted from 1.
pub fn line_of(text: &[u8], at: usize) -> usize {
    let before = &text[..at.min(text.len())];
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}

/// What is wrong with a text, without the words of the library that reads it, and the line where it knows it.
pub fn fault(error: &toml::de::Error, text: &str) -> (Option<usize>, String) {
    let line = error.span().map(|span| line_of(text.as_bytes(), span.start));
    (line, plain(error.message()))
}

/// The texts between backticks of a message.
fn named(message: &str) -> Vec<&str> {
    message.split('`').skip(1).step_by(2).collect()
}

/// How a text of this form is written, for those who do not know it.
const FORM: &str = "a field is written NAME = VALUE on a line of its own, a text stands between double quotes, a list between \
                    [ and ]";

/// A message of a TOML reader in plain words: what is expected, and what is there.
pub fn plain(message: &str) -> String {
    let message = message.trim().lines().next().unwrap_or_default();
    let names = named(message);
    let others = || names.get(1..).unwrap_or_default().join(", ");
    match (message, names.first()) {
        (_, Some(field)) if message.starts_with("unknown field") => {
            format!("there is no field `{field}` here; known are {}", others())
        }
        (_, Some(word)) if message.starts_with("unknown variant") => {
            format!("`{word}` is not known here; write one of {}", others())
        }
        (_, Some(field)) if message.starts_with("missing field") => format!("the field `{field}` is missing"),
        _ if message.starts_with("invalid type") || message.starts_with("invalid value") => json::plain(message)
            .replace("an object", "a table of fields, as in { name = 1 }")
            .replace("a list", "a list between [ and ]")
            .replace("an array of length 2", "a list of two"),
        _ if message.starts_with("invalid length") => "the list has too few or too many entries: give two".to_owned(),
        _ if message.starts_with("duplicate") => "it is written twice; leave one of them out".to_owned(),
        _ if is_syntax(message) => format!("it cannot be read{}: {FORM}", cause(message)),
        // What a field says of its own value.
        _ => message.to_owned(),
    }
}

/// Whether the text itself is at fault, and not a value that a field refuses.
fn is_syntax(message: &str) -> bool {
    const BEGINNINGS: [&str; 19] = [
        "cannot recurse",
        "carriage return",
        "expected ",
        "extra ",
        "floating-point number overflowed",
        "integer number overflowed",
        "integers with a radix",
        "invalid ",
        "key with no value",
        "keys cannot be",
        "missing ",
        "radix must",
        "recursion limit",
        "redundant ",
        "string values must be quoted",
        "too few unicode",
        "unclosed ",
        "unexpected ",
        "unquoted keys",
    ];
    BEGINNINGS.iter().any(|beginning| message.starts_with(beginning))
}

/// What keeps a text from being read at all, where it can be said in a word.
fn cause(message: &str) -> &'static str {
    let any = |parts: &[&str]| parts.iter().any(|part| message.contains(part));
    match () {
        () if any(&["integer number overflowed", "floating-point number overflowed"]) => ", a number is too large",
        () if any(&["must be quoted"]) => ", this is no value, or a quotation mark is missing",
        () if any(&["opening quote", "basic string", "literal string"]) => ", a quotation mark is missing",
        () if any(&["missing comma"]) => ", a comma is missing",
        () if any(&["extra comma"]) => ", a comma is too many",
        () if any(&[
            "unclosed",
            "missing array",
            "missing inline table",
            "missing table open",
        ]) =>
        {
            ", a bracket is not closed"
        }
        () if any(&["no value", "missing value"]) => ", `=` and a value are missing",
        () if any(&["escape", "unicode"]) => ", a backslash in a text is written twice, as in \"C:\\\\cup\"",
        () if any(&["recurs"]) => ", it is nested too deep",
        () => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Form {
        name: String,
        number: Option<u32>,
        list: Option<Vec<bool>>,
        pair: Option<[String; 2]>,
    }

    #[test]
    fn faults_name_the_line_and_no_types() {
        for (text, line, expected) in [
            ("number = 1\n", Some(1), "the field `name` is missing"),
            (
                "name = \"a\"\nnumber = -3\n",
                Some(2),
                "a whole number from 0 to 4294967295 is expected, not `-3`",
            ),
            (
                "name = \"a\"\nnumber = 2.5\n",
                Some(2),
                "a whole number from 0 to 4294967295 is expected, not `2.5`",
            ),
            (
                "name = \"a\"\nnumber = 99999999999999999999999\n",
                Some(2),
                "a whole number from 0 to 4294967295 is expected, not `99999999999999999999999`",
            ),
            (
                "name = \"a\"\nlist = 5\n",
                Some(2),
                "a list between [ and ] is expected, not `5`",
            ),
            (
                "name = \"a\"\npair = [\"a\"]\n",
                Some(2),
                "the list has too few or too many entries: give two",
            ),
            (
                "name = \"a\"\npair = 3\n",
                Some(2),
                "a list of two is expected, not `3`",
            ),
            (
                "name = \"a\"\nnane = 1\n",
                Some(2),
                "there is no field `nane` here; known are name",
            ),
            ("name = \"a\"\nname = \"b\"\n", Some(2), "it is written twice"),
            (
                "name = a\n",
                Some(1),
                "it cannot be read, this is no value, or a quotation mark is missing: ",
            ),
            (
                "name = \"a\n",
                Some(1),
                "it cannot be read, a quotation mark is missing: ",
            ),
            (
                "name = \"a\"\nlist = [true\n",
                None,
                "it cannot be read, a bracket is not closed: ",
            ),
            (
                "name = \"a\"\npair = [\"a\" \"b\"]\n",
                Some(2),
                "it cannot be read, a comma is missing: ",
            ),
            ("name =\n", Some(1), "it cannot be read, this is no value"),
            (
                "name \"a\"\n",
                Some(1),
                "it cannot be read, `=` and a value are missing: ",
            ),
            ("[[[[", Some(1), "it cannot be read"),
            ("name = \"a\"\nnumber = 3x\n", Some(2), "it cannot be read"),
            ("= 5\n", Some(1), "it cannot be read: "),
            (
                "name = \"C:\\cup\"\n",
                Some(1),
                "it cannot be read, a backslash in a text is written twice",
            ),
        ] {
            let error = toml::from_str::<Form>(text).unwrap_err();
            let (at, said) = fault(&error, text);
            assert!(said.starts_with(expected), "{text}: {said} ({error})");
            assert!(line.is_none() || at == line, "{text}: {at:?}");
            for jargon in ["u32", "struct", "sequence", "i128", "expected `"] {
                assert!(!said.contains(jargon), "{said}");
            }
        }
    }
}
