//! FE-SOLO: worked cases of the solo rules for ships of the first edition, by the ids of `tests/cases/first-edition/solo.txt`.

use std::{collections::BTreeSet, fs, path::Path};

use tallyho::{
    dice::SeededDice,
    solo_alpha::{Options, decloak},
    xwing::reposition::Decloak,
};

use crate::solo_alpha::cases;

fn text() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/first-edition/solo.txt");
    fs::read_to_string(path).expect("the cases can be read")
}

/// Whether a section is about decloaking, which comes before the activation.
fn decloaks(section: &str) -> Option<&str> {
    section.lines().find_map(|line| line.strip_prefix("=> decloak "))
}

#[test]
fn fe_solo_cases_come_out_as_worked_by_hand() {
    let text = text();
    let files = [text.as_str()];
    let mut ids = BTreeSet::new();
    let mut differences = Vec::new();
    for (id, section) in cases::sections(&files) {
        assert!(ids.insert(id), "{id} stands twice");
        if decloaks(section).is_none() {
            differences.extend(cases::differences(id, section));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    for given in [
        "G1",
        "G3",
        "G5-6.3",
        "G5-6.4",
        "G7-plain",
        "G7-stressed",
        "G9",
        "G13",
        "G15",
        "G17-right",
    ] {
        assert!(ids.contains(given), "{given}");
    }
}

#[test]
fn fe_solo_12_a_cloaked_ship_decloaks_after_its_tally() {
    let (text, mut seen) = (text(), 0);
    let files = [text.as_str()];
    for (id, section) in cases::sections(&files) {
        let Some(expected) = decloaks(section) else {
            continue;
        };
        seen += 1;
        let (position, _) = cases::fixture(id, section);
        let ship = position.active.as_deref().expect("an active ship");
        for seed in 0..10 {
            let decision = decloak::decide(&position.table, ship, &Options::default(), &mut SeededDice::new(seed))
                .expect("it is in play");
            let way = match decision.way {
                Some(Decloak::Forward) => "forward".to_owned(),
                Some(Decloak::Sideways { side, slide_mm }) => format!("{}:{slide_mm}", side.name()),
                None => "none".to_owned(),
            };
            assert_eq!(way, expected, "{id}: {:#?}", decision.reasons);
            let last = decision.reasons.last().expect("a reason");
            assert_eq!(last.rule, "SA-12 FE-SOLO-12", "{id}");
        }
    }
    assert!(seen >= 4);
}
