//! What an effect does, in plain words: the words of the language, put in order. No card's own text.

use serde::Serialize;
use toml::Value;

use super::{effect::Effect, weapon::CardWeapon};

impl Effect {
    /// When it comes up: the moments, and whose they are.
    pub fn when(&self) -> String {
        let windows: Vec<&str> = self.on.window.iter().map(|window| window.means()).collect();
        let other = if self.on.other { ", not the own ship" } else { "" };
        format!("{} ({}{other})", windows.join(", or "), self.on.role.means())
    }

    /// The effect, a line for each part: when it comes up, what must hold, who is chosen, what is paid, what happens.
    pub fn in_words(&self) -> Vec<String> {
        let mut lines = vec![format!("when: {}", self.when())];
        let mut part = |name: &str, values: Vec<String>| {
            if !values.is_empty() {
                lines.push(format!("{name}: {}", values.join("; ")));
            }
        };
        part("if", self.conditions.iter().map(words).collect());
        part("choose", self.choose.iter().map(words).collect());
        part("for", self.cost.iter().map(words).collect());
        let verb = if self.may { "may" } else { "must" };
        part(verb, self.steps.iter().map(words).collect());
        part(
            "lasts",
            self.until.iter().map(|until| until.means().to_owned()).collect(),
        );
        if self.replaces {
            part("instead", vec!["of what would happen".to_owned()]);
        }
        part(
            "used",
            self.policy.iter().map(|policy| policy.means().to_owned()).collect(),
        );
        lines
    }
}

impl CardWeapon {
    /// The weapon in plain words.
    pub fn in_words(&self) -> String {
        words(self)
    }
}

/// A value of the language in plain words.
fn words<T: Serialize>(value: &T) -> String {
    match Value::try_from(value) {
        Ok(value) => text(&value, true),
        // A plain word has no table of its own.
        Err(_) => serde_json::to_value(value)
            .map_or_else(|_| String::new(), |value| spaced(value.as_str().unwrap_or_default())),
    }
}

fn spaced(word: &str) -> String {
    word.replace('_', " ")
}

fn text(value: &Value, outer: bool) -> String {
    match value {
        Value::String(word) => spaced(word),
        Value::Array(values) => {
            let between = if values.iter().any(Value::is_array) {
                " / "
            } else {
                " or "
            };
            let values: Vec<String> = values.iter().map(|value| text(value, false)).collect();
            match values.is_empty() {
                true => "nothing".to_owned(),
                false => values.join(between),
            }
        }
        Value::Table(table) => {
            let parts: Vec<String> = table
                .iter()
                .map(|(key, value)| match value {
                    Value::Boolean(true) => spaced(key),
                    Value::Table(inner) if inner.is_empty() => spaced(key),
                    value => format!("{} {}", spaced(key), text(value, false)),
                })
                .collect();
            let all = parts.join(", ");
            if outer || parts.len() < 2 {
                all
            } else {
                format!("({all})")
            }
        }
        other => other.to_string(),
    }
}
