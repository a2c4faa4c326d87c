//! PE-2: what a squad may bring, and what its shuttle carries.

use serde::Deserialize;
use tallyho::{
    sim::squad::cards,
    xwing::{catalog::Catalog, edition::Edition, escort::squads::EscortSquad},
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    squad: String,
    also: Option<String>,
    #[serde(default)]
    shuttle: Vec<String>,
    points: i32,
    #[serde(default)]
    problems: Vec<String>,
    #[serde(default)]
    notes: Vec<String>,
}

fn same(case: &str, said: &[String], expected: &[String]) {
    let all = said.len() == expected.len()
        && said
            .iter()
            .zip(expected)
            .all(|(said, piece)| said.contains(piece.as_str()));
    assert!(all, "{case}: {said:#?}, not {expected:#?}");
}

#[test]
fn pe_2_squads_obey_the_scenario_or_are_told_what_they_break() {
    let catalog = Catalog::embedded_for(Edition::First);
    let cases: Cases = toml::from_str(&super::cases::file("squads.toml")).expect("cases");
    for case in &cases.case {
        let mut squad = cards(&case.squad, catalog).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        squad.ships[0].upgrades.extend(case.also.clone());
        let squad = EscortSquad {
            squad,
            shuttle: case.shuttle.clone(),
        };
        let review = squad.review(catalog);
        assert_eq!(review.points, Some(case.points), "{}", case.id);
        let problems: Vec<String> = review.problems.iter().map(ToString::to_string).collect();
        same(&case.id, &problems, &case.problems);
        same(&case.id, &review.notes, &case.notes);
    }
}

/// PE-2.3: a squad with a huge ship, whatever the catalog knows of its pilots.
#[test]
fn pe_2_3_huge_ships_are_refused() {
    let catalog = Catalog::embedded_for(Edition::First);
    let mut squad = cards("xwing/rookiepilot", catalog).expect("a squad");
    squad.ships[0].ship = "gr75mediumtransport".to_owned();
    squad.ships[0].pilot = None;
    let squad = EscortSquad {
        squad,
        shuttle: Vec::new(),
    };
    let review = squad.review(catalog);
    let said: Vec<String> = review.problems.iter().map(ToString::to_string).collect();
    assert!(
        said.iter()
            .any(|problem| problem.contains("is huge") && problem.contains("PE-2.3")),
        "{said:#?}"
    );
}
