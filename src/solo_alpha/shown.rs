//! What a human is shown of what was measured (FE-0.7). The program measures whenever it decides; where players may measure at some
//! moments only, distances are shown at those: when a ship attacks, and of a ship that was named for an action.

use crate::{
    decision::Reason,
    xwing::edition::{Rules, ShowRanges},
};

/// Rules of an attack, by which range is measured whoever plays.
const OF_ATTACKS: [&str; 3] = ["SA-9", "SA-10", "SA-11"];

/// Reasons as they are shown: without the distances that players may not measure then.
pub fn reasons(rules: &Rules, mut reasons: Vec<Reason>) -> Vec<Reason> {
    match rules.show_ranges {
        ShowRanges::Always => return reasons,
        ShowRanges::AtTheirMoments => {}
    }
    for reason in &mut reasons {
        let first = reason.rule.split_whitespace().next().unwrap_or_default();
        let of_attack = |rule: &&str| {
            let more = first.strip_prefix(*rule);
            more.is_some_and(|more| !more.starts_with(|letter: char| letter.is_ascii_digit()))
        };
        if OF_ATTACKS.iter().any(of_attack) {
            continue;
        }
        reason.text = without_obstacles(&reason.text);
        for compared in &mut reason.compared {
            if compared.unit == "mm" {
                compared.value = None;
                compared.unit.clear();
            }
            compared.verdict = without_obstacles(&compared.verdict);
        }
    }
    reasons
}

/// The text without how far an obstacle is: `is 40.0 mm from rock instead of 12.5 mm` is farther from it.
fn without_obstacles(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let number = |place: usize| words.get(place).is_some_and(|word| word.parse::<f64>().is_ok());
    let mm = |place: usize| words.get(place).is_some_and(|word| word.starts_with("mm"));
    let mut shown: Vec<String> = Vec::with_capacity(words.len());
    let mut place = 0;
    while place < words.len() {
        if number(place) && mm(place + 1) && words.get(place + 2) == Some(&"from") {
            shown.push("farther".to_owned());
            place += 2;
        } else if words[place..].starts_with(&["instead", "of"]) && number(place + 2) && mm(place + 3) {
            // What follows the unit goes with the word before.
            if let Some(last) = shown.last_mut() {
                last.push_str(&words[place + 3]["mm".len()..]);
            }
            place += 4;
        } else {
            shown.push(words[place].to_owned());
            place += 1;
        }
    }
    shown.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::Compared;

    fn reason(rule: &str, text: &str) -> Reason {
        Reason {
            rule: rule.to_owned(),
            text: text.to_owned(),
            compared: vec![Compared {
                candidate: "E1".to_owned(),
                value: Some(143.5),
                unit: "mm".to_owned(),
                verdict: "is 40.0 mm from rock instead of 12.5 mm".to_owned(),
            }],
        }
    }

    #[test]
    fn fe_0_7_distances_are_shown_at_the_moments_at_which_players_may_measure() {
        let always = Rules {
            show_ranges: ShowRanges::Always,
            ..Rules::FIRST
        };
        for (rule, hidden) in [
            ("SA-3.1c", true),
            ("SA-5 FE-SOLO-7", true),
            ("SA-9 FE-SOLO-9", false),
            ("SA-10", false),
        ] {
            let full = reason(rule, "rolls left, which is 40.0 mm from rock instead of 12.5 mm.");
            for rules in [always, Rules::SECOND] {
                assert_eq!(
                    reasons(&rules, vec![full.clone()]),
                    std::slice::from_ref(&full),
                    "{rule}"
                );
            }
            let shown = reasons(&Rules::FIRST, vec![full.clone()]).remove(0);
            if !hidden {
                assert_eq!(shown, full);
                continue;
            }
            assert_eq!(shown.text, "rolls left, which is farther from rock.");
            let compared = &shown.compared[0];
            assert_eq!(
                (compared.value, &*compared.unit, &*compared.verdict),
                (None, "", "is farther from rock")
            );
        }
    }

    #[test]
    fn slides_are_places_of_a_template_and_stay() {
        for text in ["rolls left, sliding 10 mm back", "SA-5: aligned +10 mm", ""] {
            assert_eq!(without_obstacles(text), text);
        }
    }
}
