//! Tokens in the mod's own words.

use crate::{game::step::Token, xwing::ship::Tokens};

/// Names of things that lie beside ships and are no tokens that the rules here ask about.
const NO_TOKENS: [&str; 9] = [
    "shield",
    "shields",
    "charge",
    "charges",
    "lock",
    "target lock",
    "id",
    "damage",
    "stress reminder",
];

/// The token that a name on the table means. Reinforce is read without its side, as fore.
pub fn parse(name: &str) -> Option<Token> {
    let name = name.trim().to_ascii_lowercase();
    let name = name.strip_suffix(" token").unwrap_or(&name);
    // The mod writes the side of a reinforce token behind its name.
    let name = name.split_once(" (").map_or(name, |(name, _)| name);
    match name {
        "weapons disabled" => Some(Token::Disarm),
        "force charge" => Some(Token::Force),
        "tractor beam" => Some(Token::Tractor),
        _ => Token::ALL.into_iter().find(|token| token.word() == name),
    }
}

/// Counts tokens by name. What is not known is listed; it changes nothing.
pub fn count<'a>(named: impl IntoIterator<Item = (&'a String, &'a u32)>) -> (Tokens, Vec<String>) {
    let mut tokens = Tokens::default();
    let mut unknown = Vec::new();
    for (name, &number) in named {
        match parse(name) {
            Some(token) => {
                let held = token.count_mut(&mut tokens);
                *held = held.saturating_add(number);
            }
            None if NO_TOKENS.contains(&name.trim().to_ascii_lowercase().as_str()) => {}
            None => unknown.push(name.clone()),
        }
    }
    (tokens, unknown)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_mods_token_names_are_counted() {
        let names = [
            "Focus",
            "Evade",
            "Calculate",
            "Stress",
            "Strain",
            "Deplete",
            "Ion",
            "Jam",
            "Tractor",
            "Disarm",
            "Reinforce",
            "Cloak",
            "Reinforce (aft)",
        ];
        let named: BTreeMap<String, u32> = names.iter().map(|name| ((*name).to_owned(), 2)).collect();
        let (mut tokens, unknown) = count(&named);
        assert!(unknown.is_empty());
        for name in names {
            let expected = if name.starts_with("Reinforce") { 4 } else { 2 };
            assert_eq!(*parse(name).unwrap().count_mut(&mut tokens), expected, "{name}");
        }
    }

    #[test]
    fn unknown_names_are_listed_and_shields_are_not() {
        let named = BTreeMap::from([
            ("Shield".to_owned(), 3),
            ("Wobble".to_owned(), 1),
            ("stress".to_owned(), 1),
        ]);
        let (tokens, unknown) = count(&named);
        assert_eq!(tokens.stress, 1);
        assert_eq!(unknown, ["Wobble"]);
    }
}
