//! What steps of an effect do, in words: for the questions to players.

use crate::xwing::effects::{Amount, Primitive, Selector, TokenWord, selector::Party};

/// Steps in words; what has no words here is named as files write it.
pub(in crate::xwing::battle) fn steps(steps: &[Primitive]) -> String {
    if steps.is_empty() {
        return "nothing".to_owned();
    }
    let each: Vec<String> = steps.iter().map(step).collect();
    each.join(", then ")
}

fn step(step: &Primitive) -> String {
    match step {
        Primitive::GainToken(gain) => format!("{}gain {}", who(&gain.who), tokens(&gain.n, &gain.token.0)),
        Primitive::RemoveToken(remove) => format!("{}lose {}", who(&remove.who), tokens(&remove.n, &remove.token.0)),
        Primitive::DealDamage(deal) => {
            let parts = [
                (deal.hit, "hit"),
                (deal.crit, "crit"),
                (deal.facedown, "facedown damage card"),
            ];
            let parts = parts.iter().filter(|(count, _)| *count > 0);
            let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
            format!("{}suffer {}", who(&deal.who), parts.join(" and "))
        }
        Primitive::OwnerChoice(branches) => {
            format!("what the owner of the card chooses: {}", alternatives(branches))
        }
        Primitive::OpponentChoice(branches) => alternatives(branches),
        Primitive::AcquireLock(_) => "acquire a lock".to_owned(),
        Primitive::ForEach(each) => format!("for each: {}", steps(&each.steps)),
        other => word(other),
    }
}

fn alternatives(branches: &[Vec<Primitive>]) -> String {
    let each: Vec<String> = branches.iter().map(|branch| steps(branch)).collect();
    each.join(" or ")
}

fn who(selector: &Selector) -> &'static str {
    match selector {
        Selector::Party(Party::Own) => "the card's ship: ",
        _ => "",
    }
}

fn tokens(amount: &Amount, words: &[TokenWord]) -> String {
    let kinds: Vec<&str> = words.iter().map(|word| word.word()).collect();
    let kinds = kinds.join(" or ");
    match amount {
        Amount::Fixed(1) => format!("1 {kinds} token"),
        Amount::Fixed(number) => format!("{number} {kinds} tokens"),
        Amount::All => format!("all {kinds} tokens"),
        _ => format!("{kinds} tokens"),
    }
}

/// The word by which files name a step.
fn word(step: &Primitive) -> String {
    match serde_json::to_value(step) {
        Ok(serde_json::Value::Object(map)) => map.keys().next().map_or_else(String::new, |key| key.replace('_', " ")),
        _ => String::new(),
    }
}
