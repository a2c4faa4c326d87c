//! `tallyho rules`: every rule id, where it is carried out and where it is tested.

use std::io::Write as _;

use anyhow::Context as _;
use serde::Deserialize;

use super::GlobalOptions;

/// The index, kept by hand; `tests/it/rules.rs` proves each of its claims against the sources.
const INDEX: &str = include_str!("../../data/rules.toml");

/// List the rules by id: what they are, where they are carried out, where they are tested
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only this id and those that belong to it, as in `SA-8`, `FE-4`, `PE`
    #[arg(value_name = "ID")]
    pub prefix: Option<String>,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// The rules this program knows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleIndex {
    /// In the order of the rules page.
    pub rule: Vec<Rule>,
}

/// One rule.
#[derive(Debug, Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its id, as reasons and comments cite it.
    pub id: String,
    /// What it is about, in our own words.
    pub title: String,
    /// Whether the program carries it out.
    pub state: RuleState,
    /// Source files that carry it out; they cite the id.
    #[serde(default)]
    pub place: Vec<String>,
    /// Files of tests and cases that name it.
    #[serde(default)]
    pub tests: Vec<String>,
    /// For a rule that is not carried out: what the player does instead.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub instead: String,
}

/// How far a rule is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleState {
    /// As written.
    Done,
    /// Not by the program: the player does it.
    Player,
    /// A section: its rules stand under ids of their own.
    Heading,
}

impl Rule {
    /// Whether the rule is asked for by an id, or by what its id begins with: `FE-1` has `FE-1.2`, and not `FE-10`.
    pub fn belongs_to(&self, asked: &str) -> bool {
        let id = self.id.to_ascii_uppercase();
        let asked = asked.to_ascii_uppercase();
        id.strip_prefix(&asked).is_some_and(|rest| {
            let digit = |c: char| c.is_ascii_digit();
            !(asked.ends_with(digit) && rest.starts_with(digit))
        })
    }
}

impl RuleIndex {
    /// The built-in index.
    ///
    /// # Errors
    /// Only if the file in the source tree is broken, which a test excludes.
    pub fn built_in() -> Result<Self, toml::de::Error> {
        toml::from_str(INDEX)
    }
}

/// Prints the index.
///
/// # Errors
/// No rule begins with the given prefix, or stdout cannot be written.
pub fn run(arguments: Args, _global: &GlobalOptions) -> anyhow::Result<()> {
    let index = RuleIndex::built_in().context("the built-in index of rules")?;
    let prefix = arguments.prefix.unwrap_or_default();
    let rules: Vec<&Rule> = index.rule.iter().filter(|rule| rule.belongs_to(&prefix)).collect();
    anyhow::ensure!(
        !rules.is_empty(),
        "no rule id begins with `{prefix}`; `tallyho rules` lists them all"
    );
    let mut out = std::io::stdout().lock();
    for rule in rules {
        if arguments.json {
            writeln!(out, "{}", serde_json::to_string(rule)?)?;
            continue;
        }
        writeln!(out, "{:<11} {}", rule.id, rule.title)?;
        match rule.state {
            RuleState::Done => writeln!(out, "{:<11}   done in {}", "", rule.place.join(", "))?,
            RuleState::Player => writeln!(out, "{:<11}   left to you: {}", "", rule.instead)?,
            RuleState::Heading => {}
        }
        if !rule.tests.is_empty() {
            writeln!(out, "{:<11}   tested in {}", "", rule.tests.join(", "))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_asked_for_with_what_belongs_to_it() {
        let index = RuleIndex::built_in().expect("the built-in index");
        let ids = |asked: &str| -> Vec<&str> {
            let rules = index.rule.iter().filter(|rule| rule.belongs_to(asked));
            rules.map(|rule| rule.id.as_str()).collect()
        };
        assert_eq!(ids("fe-11"), ["FE-11", "FE-11.1", "FE-11.2"]);
        assert_eq!(ids("FE-4.1"), ["FE-4.1"]);
        assert!(ids("FE-1").iter().all(|id| *id == "FE-1" || id.starts_with("FE-1.")));
        assert!(ids("SA-3.1").contains(&"SA-3.1-forced") && ids("SA-3.1").contains(&"SA-3.1a"));
        assert_eq!(ids("").len(), index.rule.len());
        assert!(ids("XY").is_empty());
    }
}
