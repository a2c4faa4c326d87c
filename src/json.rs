//! JSON as people write it: no field twice, and faults in plain words instead of the names of types.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads a value in which no object has a field twice: of two that contradict each other neither is taken.
///
/// # Errors
/// What is no JSON, or the path of a field that is there twice; with line and column.
pub fn read(text: &str) -> Result<Value, String> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Place::Root.deserialize(&mut reader);
    let value = value.and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| plain(&error.to_string()))
}

/// Where a value stands.
#[derive(Clone, Copy)]
enum Place<'p> {
    Root,
    Field(&'p Place<'p>, &'p str),
    Item(&'p Place<'p>, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Root => Ok(()),
            Place::Field(Place::Root, name) => f.write_str(name),
            Place::Field(outer, name) => write!(f, "{outer}.{name}"),
            Place::Item(outer, index) => write!(f, "{outer}[{index}]"),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(truth.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Place::Item(&self, list.len()))? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            let place = Place::Field(&self, &name);
            if object.contains_key(&name) {
                return Err(A::Error::custom(format_args!(
                    "{place}: it is there twice; leave one of them out"
                )));
            }
            let value = fields.next_value_seed(place)?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

/// A message of a JSON reader without the names of types: what is expected, and what is there.
pub fn plain(message: &str) -> String {
    let (what, place) = match message.rfind(" at line ") {
        Some(at) => message.split_at(at),
        None => (message, ""),
    };
    let wrong = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|kind| {
            let (found, expected) = what.strip_prefix(kind)?.rsplit_once(", expected ")?;
            let found = match *kind {
                "invalid length " => format!("{found} of them"),
                _ => self::found(found),
            };
            Some(format!("{} is expected, not {found}", self::expected(expected)))
        });
    let what = match wrong {
        Some(wrong) => wrong,
        None if what.starts_with("data did not match any variant of untagged enum") => {
            "it has none of the forms that are read here".to_owned()
        }
        None => syntax(what).map_or_else(|| what.to_owned(), str::to_owned),
    };
    what + place
}

/// What of the text is no JSON, and the remedy; `None` for a message about something else.
fn syntax(what: &str) -> Option<&'static str> {
    Some(match what {
        "EOF while parsing a list" => "the text ends inside a list: add `]`",
        "EOF while parsing an object" => "the text ends inside an object: add `}`",
        "EOF while parsing a string" => "the text ends inside a quoted text: add `\"`",
        "EOF while parsing a value" => "the text ends where a value is to stand",
        "expected `:`" => "`:` is missing between the name of a field and its value",
        "expected `,` or `]`" => "`,` or `]` is missing after an entry of a list",
        "expected `,` or `}`" => "`,` or `}` is missing after a field",
        "expected ident" => "there is no such word: only true, false and null stand without double quotes",
        "expected value" => {
            "no value begins so: a text stands between double quotes, a list between [ and ], an object between { and }"
        }
        "expected `\"`" | "key must be a string" => {
            "the name of a field stands between double quotes, as in \"name\": 1"
        }
        "invalid escape" => {
            "there is no such sign after a backslash: a backslash itself is written twice, as in \"C:\\\\squads\""
        }
        "invalid number" => "this is no number: digits, as in 12 or -2.5",
        "number out of range" => "the number is too large",
        "invalid unicode code point" | "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            "the signs after \\u stand for no character"
        }
        "control character (\\u0000-\\u001F) found while parsing a string" => {
            "a quoted text is not closed on its line: add `\"`, or write \\n for a line break"
        }
        "trailing comma" => "a comma is followed by nothing: take it out",
        "trailing characters" => "something stands behind the end: take it out",
        "recursion limit exceeded" => "lists and objects are nested too deep",
        _ => return None,
    })
}

/// What is there, in plain words.
fn found(found: &str) -> String {
    let (kind, value) = match found.split_once(' ') {
        Some((kind, value)) => (kind, value),
        None => (found, ""),
    };
    match (kind, value) {
        ("map", _) => "an object".to_owned(),
        ("sequence", _) => "a list".to_owned(),
        ("null", _) | ("unit", "value") => "null".to_owned(),
        ("string", text) => format!("the text {text}"),
        // A number wider than any that is read has its type behind it.
        ("integer", number) => number
            .trim_end_matches(" as i128")
            .trim_end_matches(" as u128")
            .to_owned(),
        ("boolean", truth) => truth.to_owned(),
        // `floating point `1.5``
        ("floating", number) => number.trim_start_matches("point ").to_owned(),
        _ => found.to_owned(),
    }
}

/// What is expected, in plain words.
fn expected(expected: &str) -> String {
    let whole = |most: &str| format!("a whole number from 0 to {most}");
    match expected {
        "u8" => whole("255"),
        "u16" => whole("65535"),
        "u32" => whole("4294967295"),
        "u64" | "usize" | "u128" => "a whole number, 0 or more".to_owned(),
        "i8" | "i16" | "i32" | "i64" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" | "a borrowed string" => "a text".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        "unit" => "null".to_owned(),
        typed if typed.starts_with("struct ") => "an object".to_owned(),
        typed if typed.starts_with("tuple ") || typed.starts_with("a tuple ") => "a list".to_owned(),
        typed
            if ["enum ", "internally tagged enum ", "variant "]
                .iter()
                .any(|kind| typed.starts_with(kind)) =>
        {
            "one of the words that are known here".to_owned()
        }
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_once_is_read_as_any_reader_reads_it() {
        for text in [
            "null",
            "[1, -2, 2.5, true, \"a\\n\"]",
            "{\"a\": {\"b\": [{\"c\": 1}]}, \"b\": {}}",
            "\"\\ud83d\\ude00\"",
        ] {
            assert_eq!(
                read(text).as_ref(),
                Ok(&serde_json::from_str::<Value>(text).unwrap()),
                "{text}"
            );
        }
        for text in ["", "{", "[1,]", "{\"a\" 1}", "1 2", "nul"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_field_that_is_there_twice_is_named_with_its_place() {
        for (text, place) in [
            ("{\"a\": 1, \"a\": 1}", "a"),
            (
                "{\"figures\": {\"a\": {\"hp\": 10, \"def\": 1, \"hp\": 20}}}",
                "figures.a.hp",
            ),
            ("[{}, {\"x\": [0, {\"y\": 1, \"y\": 2}]}]", "[1].x[1].y"),
            ("{\"a\": 1, \"\\u0061\": 2}", "a"),
        ] {
            let said = read(text).unwrap_err();
            assert!(
                said.starts_with(&format!("{place}: it is there twice")) && said.contains("line 1"),
                "{said}"
            );
        }
    }

    /// Whatever is no JSON is said without the words of the reader, with its place.
    #[test]
    fn what_is_no_json_is_said_in_plain_words() {
        for (text, expected) in [
            ("", "the text ends where a value is to stand"),
            ("[1", "the text ends inside a list: add `]`"),
            ("{\"a\": 1", "the text ends inside an object: add `}`"),
            ("\"a", "the text ends inside a quoted text: add `\"`"),
            ("{\"a\" 1}", "`:` is missing"),
            ("[1 2]", "`,` or `]` is missing"),
            ("{\"a\": 1 \"b\": 2}", "`,` or `}` is missing"),
            ("nul", "the text ends where a value is to stand"),
            ("nulx", "there is no such word: only true, false and null"),
            ("ship A", "no value begins so"),
            ("{a: 1}", "the name of a field stands between double quotes"),
            ("{\"a\": 1,}", "a comma is followed by nothing"),
            ("[1,]", "a comma is followed by nothing"),
            ("\"C:\\squads\"", "there is no such sign after a backslash"),
            ("-", "the text ends where a value is to stand"),
            ("-x", "this is no number"),
            ("1e999", "the number is too large"),
            ("\"\\ud800\"", "the signs after \\u stand for no character"),
            ("\"a\nb\"", "a quoted text is not closed on its line"),
            ("1 2", "something stands behind the end"),
            (&"[".repeat(200), "lists and objects are nested too deep"),
        ] {
            let said = read(text).unwrap_err();
            assert!(
                said.starts_with(expected) && said.contains(" at line "),
                "{text}: {said}"
            );
            for jargon in ["EOF", "ident", "trailing", "expected", "pars", "recursion"] {
                assert!(!said.contains(jargon), "{said}");
            }
        }
    }

    #[test]
    fn faults_name_no_types() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(untagged)]
        #[allow(dead_code)]
        enum Either {
            Number(u8),
            Words(Vec<String>),
        }
        #[derive(Debug, serde::Deserialize)]
        #[allow(dead_code)]
        struct Inner {
            number: u16,
            list: Vec<bool>,
            either: Option<Either>,
        }
        let told = |text: &str| plain(&serde_json::from_str::<Inner>(text).unwrap_err().to_string());
        for (text, expected) in [
            ("7", "an object is expected, not `7`"),
            (
                "{\"number\": \"x\"}",
                "a whole number from 0 to 65535 is expected, not the text \"x\"",
            ),
            (
                "{\"number\": 70000}",
                "a whole number from 0 to 65535 is expected, not `70000`",
            ),
            (
                "{\"number\": 1.5}",
                "a whole number from 0 to 65535 is expected, not `1.5`",
            ),
            ("{\"list\": {}}", "a list is expected, not an object"),
            ("{\"list\": [null]}", "true or false is expected, not null"),
            (
                "{\"number\": 1, \"list\": [], \"either\": {}}",
                "it has none of the forms that are read here",
            ),
            ("{}", "missing field `number`"),
        ] {
            let said = told(text);
            assert!(said.starts_with(expected), "{text}: {said}");
            for name in ["struct", "enum", "u16", "Inner", "Either"] {
                assert!(!said.contains(name), "{said}");
            }
        }
    }
}
