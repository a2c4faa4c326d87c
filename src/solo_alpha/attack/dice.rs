//! SA-10 and SA-11: what a solo ship spends on the dice that lie on the table, and why.

use crate::{
    decision::{Compared, Reason},
    solo_alpha::{action::covers, nearest::enemies},
    xwing::{
        ObjectId,
        combat::{
            self, Attack, AttackChoice, AttackDice, AttackOption, AttackStep, DamageRule, DefenceChoice, DefenceDice,
            DefenceTokens, DiceRules, SpendFirst, Spending, Uncancelled,
        },
        measure::Object,
        ship::Ship,
        table::Table,
    },
};

/// Which means go first, and because of whom.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thrift {
    /// Which means go first.
    pub first: SpendFirst,
    /// The enemy because of which means of this role go first; the first one in id order.
    pub because: Option<ObjectId>,
}

/// SA-11: attack-only means go first for a ship in the arc of an enemy that has not engaged. `engaged` are the ships that
/// have.
pub fn thrift_attacking(table: &Table, ship: &Ship, engaged: &[ObjectId]) -> Thrift {
    let threat = |enemy: &&Ship| !engaged.contains(&enemy.id) && covers(enemy, &Object::Ship(ship));
    because(enemies(&table.ships, ship).into_iter().find(threat))
}

/// SA-10: defence-only means go first for a ship that has not engaged and has an enemy in its arc. `engaged` are the ships
/// that have.
pub fn thrift_defending(table: &Table, ship: &Ship, engaged: &[ObjectId]) -> Thrift {
    if engaged.contains(&ship.id) {
        return Thrift::default();
    }
    let prey = |enemy: &&Ship| covers(ship, &Object::Ship(enemy));
    because(enemies(&table.ships, ship).into_iter().find(prey))
}

fn because(enemy: Option<&Ship>) -> Thrift {
    enemy.map_or_else(Thrift::default, |enemy| Thrift {
        first: SpendFirst::RoleOnly,
        because: Some(enemy.id.clone()),
    })
}

/// What an attacking solo ship does next.
#[derive(Debug, Clone, PartialEq)]
pub struct AttackDecision {
    /// The step. After a reroll ask again, with the new dice and what is left to spend.
    pub step: AttackStep,
    /// All steps, best first.
    pub choice: AttackChoice,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The step in one readable sentence.
    pub sentence: String,
}

/// What a defending solo ship does.
#[derive(Debug, Clone, PartialEq)]
pub struct DefenceDecision {
    /// What it spends.
    pub spending: Spending,
    /// The evade results then.
    pub evades: u8,
    /// The damage then.
    pub damage: Uncancelled,
    /// All ways to spend, best first.
    pub choice: DefenceChoice,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The whole in one readable sentence.
    pub sentence: String,
}

/// The most options that a reason lists.
const LISTED: usize = 12;

/// Less damage than this is none, as it is shown.
const SEEN: f64 = 0.0005;

/// Damage that is expected, in words.
fn expected(damage: f64) -> String {
    match damage < SEEN {
        true => "no damage expected".to_owned(),
        false => format!("{damage:.3} damage expected"),
    }
}

/// SA-11: what an attacking solo ship does with the dice as they lie. `attack` has what is left to spend on both sides; its
/// own number of attack dice does not matter.
///
/// The defender is expected to spend as well as it can; to expect that it spends nothing, leave its tokens out.
pub fn attacking(attack: &Attack, dice: AttackDice, thrift: &Thrift) -> AttackDecision {
    let pools = Attack {
        attack_dice: dice.count(),
        ..*attack
    };
    let defence = pools.defence();
    let choice = combat::attack::choose(pools.rules, dice, pools.attack_tokens, &defence, thrift.first);
    let best = *choice.best();
    let compared = choice.options.iter().take(LISTED).map(|option| Compared {
        candidate: step_name(&option.step),
        value: Some(option.worth.damage),
        unit: "damage".to_owned(),
        verdict: verdict(&best, option),
    });
    let text = match best.step {
        AttackStep::Finish { spending, .. } if spending.count() == 0 && choice.options.len() == 1 => {
            format!("has nothing to spend on its dice: {}", expected(best.worth.damage))
        }
        AttackStep::Finish { spending, .. } if spending.count() == 0 => match best.worth.damage < SEEN {
            true => "spends nothing: nothing would bring damage".to_owned(),
            false => format!(
                "spends nothing: nothing would raise the {}",
                expected(best.worth.damage)
            ),
        },
        _ => format!("{}: {}", step_name(&best.step), expected(best.worth.damage)),
    };
    let mut reasons = vec![Reason {
        rule: "SA-11".to_owned(),
        text,
        compared: compared.collect(),
    }];
    let tied = choice.options.iter().skip(1).any(|option| as_good(&best, option));
    if let Some(enemy) = thrift
        .because
        .as_ref()
        .filter(|_| tied && best.step.spending().lock > 0)
    {
        reasons.push(Reason {
            rule: "SA-11".to_owned(),
            text: format!("of equal means the lock goes first: {enemy} has it in arc and has not engaged"),
            compared: Vec::new(),
        });
    }
    let sentence = sentence(&reasons[0].text);
    AttackDecision {
        step: best.step,
        choice,
        reasons,
        sentence,
    }
}

/// SA-10: what a defending solo ship spends against so many hits and crits, with the dice as they lie.
pub fn defending(
    rules: DiceRules,
    rule: DamageRule,
    attack: Uncancelled,
    dice: DefenceDice,
    tokens: DefenceTokens,
    thrift: &Thrift,
) -> DefenceDecision {
    let choice = combat::defence::choose(rules, rule, attack, dice, tokens, thrift.first);
    let best = *choice.best();
    let compared = choice
        .options
        .iter()
        .take(LISTED)
        .enumerate()
        .map(|(index, option)| Compared {
            candidate: option.spending.to_string(),
            value: Some(f64::from(option.damage.count())),
            unit: "damage".to_owned(),
            verdict: if index == 0 {
                "chosen".to_owned()
            } else if option.damage != best.damage {
                "worse".to_owned()
            } else if option.spending.count() > best.spending.count() {
                "no better, and spends more".to_owned()
            } else {
                "as good, but kept for later".to_owned()
            },
        });
    let damage = best.damage.count();
    let text = if best.spending.count() > 0 {
        format!(
            "spends {}: {}, {damage} damage",
            best.spending,
            counted(best.evades, "evade result")
        )
    } else if choice.options.len() == 1 {
        format!(
            "has nothing to spend on its dice: {}, {damage} damage",
            counted(best.evades, "evade result")
        )
    } else {
        format!("spends nothing, for nothing would lower the {damage} damage")
    };
    let mut reasons = vec![Reason {
        rule: "SA-10".to_owned(),
        text,
        compared: compared.collect(),
    }];
    let equal = |option: &&combat::DefenceOption| {
        option.damage == best.damage && option.spending.count() == best.spending.count()
    };
    let tied = best.spending.evade > 0 && choice.options.iter().skip(1).any(|option| equal(&option));
    if let Some(enemy) = thrift.because.as_ref().filter(|_| tied) {
        reasons.push(Reason {
            rule: "SA-10".to_owned(),
            text: format!("of equal means evade tokens go first: it has not engaged and has {enemy} in arc"),
            compared: Vec::new(),
        });
    }
    let sentence = sentence(&reasons[0].text);
    DefenceDecision {
        spending: best.spending,
        evades: best.evades,
        damage: best.damage,
        choice,
        reasons,
        sentence,
    }
}

/// Differences of expected values below this are rounding.
const EQUAL: f64 = 1e-12;

fn as_good(best: &AttackOption, option: &AttackOption) -> bool {
    let (a, b) = (&best.worth, &option.worth);
    (a.damage - b.damage).abs() <= EQUAL && (a.crits - b.crits).abs() <= EQUAL && (a.spent - b.spent).abs() <= EQUAL
}

fn verdict(best: &AttackOption, option: &AttackOption) -> String {
    let (a, b) = (&best.worth, &option.worth);
    if best.step == option.step {
        "chosen".to_owned()
    } else if b.damage < a.damage - EQUAL {
        "less damage".to_owned()
    } else if b.crits < a.crits - EQUAL {
        format!("fewer crits ({:.3} against {:.3})", b.crits, a.crits)
    } else if b.spent > a.spent + EQUAL {
        format!("no better, and spends more ({:.3} against {:.3})", b.spent, a.spent)
    } else {
        "as good, but kept for later".to_owned()
    }
}

/// A step in words, as in `spends lock to reroll 1 focus result and 2 blanks`.
pub fn step_name(step: &AttackStep) -> String {
    match step {
        AttackStep::Finish { spending, .. } if spending.count() == 0 => "spends nothing".to_owned(),
        AttackStep::Finish { spending, changed } => {
            format!("spends {spending} on {}", counted(*changed, "focus result"))
        }
        AttackStep::Reroll { means, .. } => {
            let dice: Vec<String> = step.rerolled().map(|(count, what)| counted(count, what)).collect();
            match dice.is_empty() {
                true => format!("spends {means} and rerolls nothing"),
                false => format!("spends {means} to reroll {}", dice.join(" and ")),
            }
        }
    }
}

/// As in `1 blank`, `2 blanks`.
fn counted(count: u8, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// The text with a capital and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}
