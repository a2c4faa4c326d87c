//! Facts that the first edition's data has in card texts alone: attack headers, what is spent and discarded, what a card
//! adds to the ship, who may not equip it. Only fixed phrases are read; whatever else a text says is no fact.

use crate::xwing::{
    catalog::{
        facts::{Grant, Restriction},
        normalized,
    },
    weapon::Requirement,
};

use super::ship;

/// The text without marks, with single blanks.
pub(super) fn plain(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut inside = false;
    for letter in text.chars() {
        match letter {
            '<' => inside = true,
            '>' => {
                inside = false;
                bare.push(' ');
            }
            letter if !inside => bare.push(letter),
            _ => {}
        }
    }
    let words: Vec<&str> = bare.split_whitespace().collect();
    // Marks stand between a word and its colon or full stop, too.
    words.join(" ").replace(" :", ":").replace(" .", ".")
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(". ").map(|sentence| sentence.trim().trim_end_matches('.'))
}

/// The header of an attack, as in `Attack (target lock):`, and what the sentence behind it asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) requires: Vec<Requirement>,
    /// A requirement that the rules of standard games do not know.
    pub(super) unknown: Option<String>,
    /// Whether what is required is spent.
    pub(super) spends: bool,
    /// Whether it reaches ships outside the firing arc.
    pub(super) all_round: bool,
    /// Whether nothing stands before the header; else the attack is made when something happens.
    pub(super) first: bool,
}

impl Header {
    /// The header of that text, if it has one.
    pub(super) fn read(text: &str) -> Option<Header> {
        let (start, inside, rest) = text.match_indices("Attack").find_map(|(start, word)| {
            let before = text[..start].trim_end();
            let rest = text[start + word.len()..].trim_start();
            let (inside, rest) = match rest.strip_prefix('(') {
                Some(rest) => rest.split_once(')')?,
                None => ("", rest),
            };
            let rest = rest.trim_start().strip_prefix(':')?;
            (before.is_empty() || before.ends_with('.')).then_some((start, inside, rest))
        })?;
        let sentence = sentences(rest).next().unwrap_or_default().to_lowercase();
        let (requires, unknown) = match inside.to_lowercase().as_str() {
            "" => (Vec::new(), None),
            "target lock" => (vec![Requirement::Lock], None),
            "focus" => (vec![Requirement::Focus], None),
            _ => (Vec::new(), Some(inside.to_owned())),
        };
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| sentence.contains(phrase));
        Some(Header {
            spends: says(&["spend your target lock", "spend 1 focus token"]),
            all_round: says(&[
                "even a ship outside your firing arc",
                "even a ship outside of your firing arc",
                "even against a ship outside your firing arc",
            ]),
            first: start == 0,
            requires,
            unknown,
        })
    }
}

/// Whether the card is discarded when its attack is made or its token dropped.
pub(super) fn discards(text: &str) -> bool {
    sentences(text).next().is_some_and(|sentence| {
        let sentence = sentence.to_lowercase();
        sentence.contains("discard this card") && ["attack", "drop"].iter().any(|word| sentence.contains(word))
    })
}

/// What is dropped, as in `drop 1 Conner net token`.
pub(super) fn dropped(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("drop 1 ")?;
    Some(rest.split_once(" token")?.0)
}

/// The stat that the data or a text calls so.
pub(super) fn stat(name: &str) -> Option<&'static str> {
    match name {
        "skill" | "pilot skill" => Some("skill"),
        "attack" | "primary attack" | "primary weapon" => Some("attack"),
        "agility" => Some("agility"),
        "hull" => Some("hull"),
        "shields" | "shield" => Some("shields"),
        "energy" => Some("energy"),
        _ => None,
    }
}

/// What the card adds to its ship or takes from it for as long as it lies there.
pub(super) fn grants(text: &str) -> Vec<Grant> {
    let mut found = Vec::new();
    for sentence in sentences(text) {
        found.extend(value_change(sentence));
        if let Some(rest) = sentence.strip_prefix("Your action bar gains ") {
            let kinds = icons(rest).filter_map(ship::action);
            found.extend(kinds.map(Grant::Action));
        }
        if let Some(rest) = sentence.strip_prefix("Your upgrade bar ") {
            found.extend(slot_changes(rest));
        }
        found.extend(more_cards(sentence));
        found.extend(discount(sentence));
    }
    // A limit on what the slots of a card may hold follows in a sentence of its own.
    for sentence in sentences(text) {
        let Some((slot, cost)) = costs_no_more(sentence) else {
            continue;
        };
        for grant in &mut found {
            if let Grant::Slot {
                slot: own,
                amount,
                max_cost,
            } = grant
                && own == slot
                && *amount > 0
            {
                *max_cost = Some(cost);
            }
        }
    }
    found
}

/// `Increase your agility value by 1`, and nothing behind it.
fn value_change(sentence: &str) -> Option<Grant> {
    let (sign, rest) = [("Increase your ", 1), ("Decrease your ", -1), ("Reduce your ", -1)]
        .into_iter()
        .find_map(|(start, sign)| Some((sign, sentence.strip_prefix(start)?)))?;
    let (name, amount) = rest.split_once(" value by ")?;
    Some(Grant::Stat {
        stat: stat(name)?.to_owned(),
        amount: sign * amount.parse::<i32>().ok()?,
        arc: None,
    })
}

/// The words in square brackets.
fn icons(text: &str) -> impl Iterator<Item = &str> {
    text.split('[').skip(1).filter_map(|part| Some(part.split_once(']')?.0))
}

/// `gains the [System] and [Illicit] upgrade icons`, `loses all [Torpedo] upgrade icons`, in one sentence too.
fn slot_changes(text: &str) -> Vec<Grant> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(part) = next_clause(&mut rest) {
        let (gains, words) = match (part.strip_prefix("gains "), part.strip_prefix("loses ")) {
            (Some(words), _) => (true, words),
            (_, Some(words)) => (false, words),
            _ => continue,
        };
        let slots: Vec<String> = icons(words).map(str::to_owned).collect();
        if gains && words.contains(" or ") {
            found.push(Grant::SlotChoice(slots));
            continue;
        }
        let amount = match (gains, words.split(' ').next()) {
            (true, Some("2" | "two")) => 2,
            (true, _) => 1,
            (false, Some("all")) => Grant::ALL_SLOTS,
            (false, _) => -1,
        };
        found.extend(slots.into_iter().map(|slot| Grant::Slot {
            slot,
            amount,
            max_cost: None,
        }));
    }
    found
}

/// Cuts a clause off: up to the next ` and gains ` or ` and loses `.
fn next_clause<'t>(rest: &mut &'t str) -> Option<&'t str> {
    if rest.is_empty() {
        return None;
    }
    let end = [" and gains ", " and loses "]
        .iter()
        .filter_map(|word| rest.find(word))
        .min();
    let (clause, after) = match end {
        Some(end) => (&rest[..end], &rest[end + " and ".len()..]),
        None => (*rest, ""),
    };
    *rest = after;
    Some(clause)
}

/// `You may equip up to 2 different Modification upgrades`, `You may equip 1 additional Modification upgrade that costs 3 or
/// fewer squad points`, `You cannot equip Modification upgrades`.
fn more_cards(sentence: &str) -> Option<Grant> {
    let slot = ["Modification", "Title"]
        .into_iter()
        .find(|slot| sentence.contains(slot))?;
    let number = |text: &str| text.split(' ').next().and_then(|word| word.parse::<i32>().ok());
    let (amount, max_cost) = if let Some(rest) = sentence.strip_prefix("You may equip up to ") {
        (number(rest)? - 1, None)
    } else if let Some(rest) = sentence.strip_prefix("You may equip 1 additional ") {
        (1, rest.split_once("that costs ").and_then(|(_, rest)| number(rest)))
    } else if sentence == format!("You cannot equip {slot} upgrades") {
        (Grant::ALL_SLOTS, None)
    } else {
        return None;
    };
    Some(Grant::Slot {
        slot: slot.to_owned(),
        amount,
        max_cost,
    })
}

/// `You cannot equip a [Crew] Upgrade card that costs more than 4 squad points`.
fn costs_no_more(sentence: &str) -> Option<(&str, i32)> {
    let rest = sentence.strip_prefix("You cannot equip a [")?;
    let (slot, rest) = rest.split_once("] Upgrade card that costs more than ")?;
    Some((slot, rest.split(' ').next()?.parse().ok()?))
}

/// `The squad point cost of your equipped [Elite] upgrades is reduced by 1`.
fn discount(sentence: &str) -> Option<Grant> {
    let (before, rest) = ["squad point cost "]
        .iter()
        .find_map(|words| sentence.split_once(words))?;
    let (_, amount) = rest.split_once("is reduced by ")?;
    let amount = amount.split(' ').next()?.parse().ok()?;
    let slot = icons(before).chain(icons(rest)).next().unwrap_or_default().to_owned();
    Some(Grant::Discount { slot, amount })
}

/// Whether a text begins with an action of its own, or has one as a sentence.
pub(super) fn is_action(text: &str) -> bool {
    text.match_indices("Action:")
        .any(|(start, _)| text[..start].trim_end().is_empty() || text[..start].trim_end().ends_with('.'))
}

/// The card that `You must equip 1 "..." Upgrade card` names, by its id.
fn beside(sentence: &str) -> Option<String> {
    let (_, rest) = sentence.split_once("You must equip ")?;
    let name = rest.split('"').nth(1).filter(|name| !name.is_empty())?;
    Some(normalized(name))
}

/// Who may not equip the card.
pub(super) fn restrictions(text: &str) -> Vec<Restriction> {
    let mut found = Vec::new();
    for sentence in sentences(text) {
        if let Some(card) = beside(sentence) {
            found.push(Restriction {
                beside: vec![card],
                ..Restriction::default()
            });
            continue;
        }
        if let Some((_, rest)) = sentence.split_once("You cannot equip non-unique ") {
            found.push(Restriction {
                unique_in: icons(rest).map(str::to_owned).collect(),
                ..Restriction::default()
            });
            continue;
        }
        let (forbids, rest) = match (equip(sentence, "cannot"), equip(sentence, "can")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => continue,
        };
        for part in rest.split(" or if ") {
            found.extend(condition(part, forbids));
        }
    }
    found
}

/// What stands behind `if` in `You can equip this card only if ...` or `You cannot equip this upgrade if ...`.
fn equip<'t>(sentence: &'t str, word: &str) -> Option<&'t str> {
    let rest = sentence
        .strip_prefix("You ")?
        .strip_prefix(word)?
        .strip_prefix(" equip this")?;
    ["", " card", " upgrade", " Upgrade"].iter().find_map(|noun| {
        let rest = rest.strip_prefix(noun)?;
        rest.strip_prefix(" if ").or_else(|| rest.strip_prefix(" only if "))
    })
}

/// One condition: forbidden when it holds, or allowed only when it does.
fn condition(text: &str, forbids: bool) -> Option<Restriction> {
    let value = text.split('"').nth(1).and_then(|number| number.parse::<u32>().ok());
    let named: Vec<String> = icons(text).map(str::to_owned).collect();
    let lower = text.ends_with("or lower");
    let entry = match (value, forbids) {
        (Some(value), true) if text.contains("pilot skill") && lower => Restriction {
            min_initiative: u8::try_from(value + 1).ok(),
            ..Restriction::default()
        },
        (Some(value), true) if text.contains("agility") && text.ends_with("or higher") => Restriction {
            agility: (0..value).collect(),
            ..Restriction::default()
        },
        (Some(value), false) if text.contains("shield value is") && !lower => Restriction {
            shields: vec![value],
            ..Restriction::default()
        },
        (Some(value), false) if text.contains("hull value is") && lower => Restriction {
            max_hull: Some(value),
            ..Restriction::default()
        },
        (None, false) if text.ends_with("action icon") => Restriction {
            action: ship::action(named.first()?).map(|action| action.action.kind.name().to_owned()),
            ..Restriction::default()
        },
        (None, false) if text.ends_with("in your upgrade bar") => Restriction {
            slots: named,
            ..Restriction::default()
        },
        (None, true) if text.contains("you already have a [") => Restriction {
            without_slot: named.into_iter().next()?,
            ..Restriction::default()
        },
        _ => return None,
    };
    Some(entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_what_is_held_spent_and_reached() {
        let read = |text: &str| {
            let header = Header::read(&plain(text))?;
            Some((header.requires, header.spends, header.all_round, header.first))
        };
        use Requirement::{Focus, Lock};
        assert_eq!(
            read("<strong>Attack (target lock):</strong> Spend your target lock and discard this card to do this."),
            Some((vec![Lock], true, false, true))
        );
        assert_eq!(
            read("<b>Attack</b> (Focus): Discard this card. Spend 1 focus token later."),
            Some((vec![Focus], false, false, true))
        );
        assert_eq!(
            read("Attack: Attack 1 ship (even a ship outside your firing arc)."),
            Some((vec![], false, true, true))
        );
        assert_eq!(
            read("When it pleases you, do this. Attack: Attack 1 ship."),
            Some((vec![], false, false, false))
        );
        assert_eq!(read("You may treat the Attack (target lock): header as another."), None);
        let energy = Header::read("Attack (Energy): Spend 2 energy.").expect("a header");
        assert_eq!(energy.unknown.as_deref(), Some("Energy"));
    }

    #[test]
    fn additions_are_read_and_what_lasts_for_a_while_is_none() {
        let stat = |stat: &str, amount| Grant::Stat {
            stat: stat.to_owned(),
            amount,
            arc: None,
        };
        let slot = |slot: &str, amount, max_cost| Grant::Slot {
            slot: slot.to_owned(),
            amount,
            max_cost,
        };
        for (text, expected) in [
            (
                "Increase your agility value by 1. If you are hit, discard this card.",
                vec![stat("agility", 1)],
            ),
            (
                "Action: Increase your agility value by 1 until the end of the round.",
                vec![],
            ),
            ("Increase your agility value by 1 until the end of the round.", vec![]),
            ("Reduce your primary attack value by 1.", vec![stat("attack", -1)]),
            (
                "Your upgrade bar loses all [Torpedo] and [Bomb] upgrade icons and gains 2 [Crew] upgrade icons. You cannot \
                 equip a [Crew] Upgrade card that costs more than 4 squad points.",
                vec![
                    slot("Torpedo", Grant::ALL_SLOTS, None),
                    slot("Bomb", Grant::ALL_SLOTS, None),
                    slot("Crew", 2, Some(4)),
                ],
            ),
            (
                "Your upgrade bar gains the [Cannon] or [Missile] upgrade icon.",
                vec![Grant::SlotChoice(vec!["Cannon".to_owned(), "Missile".to_owned()])],
            ),
            (
                "You may equip 1 additional Modification upgrade that costs 3 or fewer squad points.",
                vec![slot("Modification", 1, Some(3))],
            ),
            (
                "You may equip up to 3 different Modification upgrades.",
                vec![slot("Modification", 2, None)],
            ),
            (
                "If you equip a [System] upgrade, its squad point cost is reduced by 4 (to a minimum of 0).",
                vec![Grant::Discount {
                    slot: "System".to_owned(),
                    amount: 4,
                }],
            ),
        ] {
            assert_eq!(grants(text), expected, "{text}");
        }
    }

    #[test]
    fn restrictions_are_read() {
        for (text, expected) in [
            (
                "You cannot equip this card if your pilot skill value is \"3\" or lower.",
                vec![Restriction {
                    min_initiative: Some(4),
                    ..Restriction::default()
                }],
            ),
            (
                "You cannot equip this upgrade if you already have a [Elite] upgrade icon or if your pilot skill value is \
                 \"2\" or lower.",
                vec![
                    Restriction {
                        without_slot: "Elite".to_owned(),
                        ..Restriction::default()
                    },
                    Restriction {
                        min_initiative: Some(3),
                        ..Restriction::default()
                    },
                ],
            ),
            (
                "You can equip this card only if you have the [Boost] action icon.",
                vec![Restriction {
                    action: Some("Boost".to_owned()),
                    ..Restriction::default()
                }],
            ),
            (
                "You can equip this Upgrade only if your hull value is \"4\" or lower.",
                vec![Restriction {
                    max_hull: Some(4),
                    ..Restriction::default()
                }],
            ),
            ("You cannot equip 2 of the same [Elite] Upgrade cards.", vec![]),
        ] {
            assert_eq!(restrictions(text), expected, "{text}");
        }
    }
}
