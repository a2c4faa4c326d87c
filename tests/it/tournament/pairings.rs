//! PE-9.1, PE-9.5, PE-9.6: who meets whom and who sits out, by `tests/cases/tournament/pairings.toml`.

use std::collections::BTreeSet;

use serde::Deserialize;
use tallyho::tournament::{
    Match, Options, Tournament,
    pairing::{NotPaired, pair},
};

use super::{begun, play};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default)]
    options: Vec<String>,
    players: Vec<String>,
    #[serde(default)]
    matches: Vec<Vec<String>>,
    #[serde(default)]
    paired: Vec<String>,
    #[serde(default)]
    never: Vec<String>,
    #[serde(default)]
    rolled: Vec<Vec<String>>,
    #[serde(default)]
    bye: Vec<String>,
}

/// A pair in one spelling.
fn spelt(one: &str, other: &str) -> String {
    format!("{}-{}", one.min(other), one.max(other))
}

fn pair_of(text: &str) -> String {
    let (one, other) = text.split_once('-').unwrap();
    spelt(one, other)
}

fn pairs(tournament: &Tournament, paired: &Match) -> BTreeSet<String> {
    (paired.pairings.iter())
        .map(|pairing| spelt(tournament.id(pairing.players[0]), tournament.id(pairing.players[1])))
        .collect()
}

#[test]
fn pe_9_5_pe_9_6_matches_are_paired_as_the_rules_say() {
    let cases: Cases = toml::from_str(include_str!("../../cases/tournament/pairings.toml")).unwrap();
    for case in cases.case {
        let name = &case.name;
        let options = Options {
            rematch: case.options.iter().any(|option| option == "rematch"),
            ..Options::default()
        };
        let players: Vec<&str> = case.players.iter().map(String::as_str).collect();
        let wanted: BTreeSet<String> = case.paired.iter().map(|text| pair_of(text)).collect();
        let sets: Vec<BTreeSet<String>> = (case.rolled.iter())
            .map(|set| set.iter().map(|text| pair_of(text)).collect())
            .collect();
        let (mut rolled, mut byes) = (BTreeSet::new(), BTreeSet::new());
        for seed in 0..64 {
            let mut tournament = begun(&players, seed, options);
            for words in &case.matches {
                play(&mut tournament, &words.iter().map(String::as_str).collect::<Vec<_>>());
            }
            let paired = pair(&tournament).unwrap();
            let found = pairs(&tournament, &paired);
            assert!(found.is_superset(&wanted), "{name}, seed {seed}: {found:?}");
            for never in &case.never {
                assert!(!found.contains(&pair_of(never)), "{name}, seed {seed}: {found:?}");
            }
            if !sets.is_empty() {
                let which = sets.iter().position(|set| found.is_superset(set));
                rolled.insert(which.unwrap_or_else(|| panic!("{name}, seed {seed}: {found:?}")));
            }
            byes.extend(paired.bye.map(|bye| tournament.id(bye).to_owned()));
            assert!(paired.why.contains("PE-9.5"), "{name}: {}", paired.why);
            for pairing in &paired.pairings {
                let ids = pairing.players.map(|entrant| tournament.id(entrant));
                let told = pairing.why.starts_with("PE-9.5: ") && ids.iter().all(|id| pairing.why.contains(id));
                assert!(told, "{name}: {}", pairing.why);
            }
            assert_eq!(paired.bye.is_some(), paired.why_bye.starts_with("PE-9.6: "), "{name}");
        }
        assert_eq!(rolled.len(), sets.len(), "{name}: not each set was rolled");
        assert_eq!(byes, case.bye.iter().cloned().collect(), "{name}");
    }
}

/// PE-9.1: two games a pairing, roles swapped.
#[test]
fn pe_9_1_a_match_is_over_when_each_has_defended_once() {
    let mut tournament = begun(&["ann", "bob"], 1, Options::default());
    play(&mut tournament, &["ann-bob 2"]);
    let played = &mut tournament.matches[0];
    let roles: Vec<_> = played.games.iter().map(|game| (game.defender, game.attacker)).collect();
    assert_eq!(roles, [(roles[0].0, roles[0].1), (roles[0].1, roles[0].0)]);
    assert_eq!(played.missing(), []);
    played.games.pop();
    assert_eq!(played.missing(), [roles[1]]);
}

#[test]
fn a_match_is_not_paired_before_the_one_before_is_over() {
    let mut tournament = begun(&["ann", "bob", "cid"], 1, Options::default());
    play(&mut tournament, &["ann-bob 1", "cid bye"]);
    tournament.matches[0].games.pop();
    let error = pair(&tournament).unwrap_err();
    assert_eq!(error.to_string(), "match 1 is not over: enter bob defends against ann");
    tournament.players[1].until = Some(1);
    tournament.players[2].until = Some(1);
    tournament.matches[0].games.clear();
    tournament.matches[0].pairings.clear();
    assert_eq!(pair(&tournament), Err(NotPaired::TooFew { number: 2, players: 1 }));
    tournament.planned = Some(1);
    assert_eq!(pair(&tournament), Err(NotPaired::Over { planned: 1 }));
}
