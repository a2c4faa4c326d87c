//! Which ids a reason cites: an edition that adapts a rule cites its adaptation beside it, as in `SA-5 FE-SOLO-4`.

use crate::{
    decision::Reason,
    xwing::edition::{Edition, Rules},
};

/// The adaptation of a rule of Solo Alpha for the first edition. The longest beginning of the id decides.
const FIRST: [(&str, &str); 16] = [
    ("SA-2", "FE-SOLO-11"),
    ("SA-3.1", "FE-SOLO-3"),
    ("SA-3.2", "FE-SOLO-3"),
    ("SA-3.3", "FE-SOLO-4"),
    ("SA-3.4", "FE-SOLO-4"),
    ("SA-3.5", "FE-SOLO-4"),
    ("SA-4", "FE-SOLO-4"),
    ("SA-5", "FE-SOLO-4"),
    ("SA-6", "FE-SOLO-5"),
    ("SA-6.2", "FE-SOLO-13"),
    ("SA-7", "FE-SOLO-6"),
    ("SA-8", "FE-SOLO-8"),
    ("SA-9", "FE-SOLO-9"),
    ("SA-10", "FE-SOLO-10"),
    ("SA-11", "FE-SOLO-10"),
    ("SA-13", "FE-SOLO-14"),
];

fn adaptation(rule: &str) -> Option<&'static str> {
    let begins = |id: &str| {
        let rest = rule.strip_prefix(id)?;
        // `SA-1` is no beginning of `SA-11`.
        (!rest.starts_with(|next: char| next.is_ascii_digit())).then_some(id.len())
    };
    let found = FIRST.iter().filter_map(|(id, adapted)| Some((begins(id)?, *adapted)));
    found.max_by_key(|(length, _)| *length).map(|(_, adapted)| adapted)
}

/// Adds to each reason the id of the adaptation that these rules make of its rule (FE-SOLO). A reason that cites one already
/// keeps it.
pub fn cite(rules: &Rules, reasons: &mut [Reason]) {
    match rules.edition {
        Edition::Second => {}
        Edition::First => {
            for reason in reasons {
                if let Some(adapted) = adaptation(&reason.rule).filter(|_| !reason.rule.contains(' ')) {
                    reason.rule.push(' ');
                    reason.rule.push_str(adapted);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_cites_the_adaptation_beside_its_rule_once() {
        let reason = |rule: &str| Reason {
            rule: rule.to_owned(),
            text: String::new(),
            compared: Vec::new(),
        };
        let rules = [
            "SA-5",
            "SA-3.1c",
            "SA-6.1",
            "SA-6.2",
            "SA-8-D1",
            "SA-11",
            "SA-0",
            "SA-5 FE-SOLO-7",
        ];
        let mut reasons = rules.map(reason);
        cite(&Rules::SECOND, &mut reasons);
        assert_eq!(reasons, rules.map(reason));
        cite(&Rules::FIRST, &mut reasons);
        cite(&Rules::FIRST, &mut reasons);
        let cited = reasons.map(|reason| reason.rule);
        assert_eq!(
            cited,
            [
                "SA-5 FE-SOLO-4",
                "SA-3.1c FE-SOLO-3",
                "SA-6.1 FE-SOLO-5",
                "SA-6.2 FE-SOLO-13",
                "SA-8-D1 FE-SOLO-8",
                "SA-11 FE-SOLO-10",
                "SA-0",
                "SA-5 FE-SOLO-7"
            ]
        );
    }
}
