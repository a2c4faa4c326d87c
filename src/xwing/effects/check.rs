//! What an entry must satisfy beyond its form.

use serde_json::Value;

use super::{
    amount::Amount, card::CardEntry, cost::Cost, effect::Effect, primitive::Primitive, selector::Selector,
    window::Window,
};

impl CardEntry {
    /// Whether the entry is consistent in itself.
    ///
    /// # Errors
    /// What is wrong, with the effect's number and the remedy.
    pub fn check(&self) -> Result<(), String> {
        let says = !self.effects.is_empty() || self.grants || self.weapon.is_some() || self.unread.is_some();
        if self.blank == says {
            return Err(
                "give effects, `grants`, `weapon` or `unread`; or `blank = true` for a card without text".to_owned(),
            );
        }
        let value = serde_json::to_value(self).map_err(|error| error.to_string())?;
        no_huge_number(&value, "")?;
        for (place, effect) in self.effects.iter().enumerate() {
            effect
                .check()
                .map_err(|fault| format!("effect {}: {fault}", place + 1))?;
        }
        Ok(())
    }
}

impl Effect {
    /// Whether the effect is consistent in itself.
    ///
    /// # Errors
    /// What is wrong, and the remedy.
    pub fn check(&self) -> Result<(), String> {
        if self.is_asked() != self.ask.is_some() {
            return Err("`use = \"ask_player\"` and `ask` go together: give both or neither".to_owned());
        }
        if self.steps.is_empty() && !self.is_asked() {
            return Err("`do` is empty: say what happens, or `use = \"ask_player\"` with `ask`".to_owned());
        }
        if self.on.window.is_empty() {
            return Err("`window` is empty: name at least one".to_owned());
        }
        let header = self.on.window.contains(&Window::ActionHeader);
        let acts = self.cost.contains(&Cost::Action);
        if acts && !header {
            return Err(
                "cost: `\"action\"` is the price of actions that a card adds; take it away, or write \
                        `window = \"action_header\"`"
                    .to_owned(),
            );
        }
        let names: Vec<&str> = self.choose.iter().filter_map(|query| query.name.as_deref()).collect();
        let steps = self.steps.iter().flat_map(selectors);
        let costs = self.cost.iter().flat_map(super::cost::Cost::selectors);
        for selector in steps.chain(costs) {
            if let Selector::Named(name) = selector
                && !names.contains(&name.as_str())
            {
                return Err(format!(
                    "`{name}` is no word for somebody, and no choice has it as its name (`choose = {{ ..., as = \"{name}\" }}`)"
                ));
            }
        }
        self.steps.iter().try_for_each(check_step)
    }
}

/// No card has more of anything.
const MOST: i64 = 20;

/// Whether a number is larger than any card has; angles are not counted.
fn no_huge_number(value: &Value, path: &str) -> Result<(), String> {
    let within = |key: &str| match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    };
    match value {
        Value::Number(number) => match number.as_i64().filter(|number| number.abs() <= MOST) {
            Some(_) => Ok(()),
            None => Err(format!(
                "{path}: {number} is more than any card has; give at most {MOST} (words such as \"all\" say more)"
            )),
        },
        Value::Object(map) => (map.iter())
            .filter(|(key, _)| *key != "degrees")
            .try_for_each(|(key, inner)| no_huge_number(inner, &within(key))),
        Value::Array(all) => all.iter().try_for_each(|inner| no_huge_number(inner, path)),
        _ => Ok(()),
    }
}

fn one_of(n: Option<&Amount>, up_to: Option<&Amount>) -> Result<(), String> {
    match (n, up_to) {
        (Some(_), None) | (None, Some(_)) => Ok(()),
        _ => Err("give either `n` or `up_to`".to_owned()),
    }
}

fn check_step(step: &Primitive) -> Result<(), String> {
    match step {
        Primitive::Reroll(reroll) => {
            one_of(reroll.n.as_ref(), reroll.up_to.as_ref()).map_err(|fault| format!("reroll: {fault}"))
        }
        Primitive::ChangeResult(change) => {
            one_of(change.n.as_ref(), change.up_to.as_ref()).map_err(|fault| format!("change_result: {fault}"))
        }
        Primitive::DiceLimit(limit) if limit.min.is_none() && limit.max.is_none() => {
            Err("dice_limit: give `min` or `max`".to_owned())
        }
        Primitive::RestrictModification(rule)
            if rule.forbid.is_empty() && rule.only.is_empty() && rule.max_rerolls.is_none() =>
        {
            Err("restrict_modification: give `forbid`, `only` or `max_rerolls`".to_owned())
        }
        Primitive::ChangeDifficulty(change) if change.by.is_some() == change.to.is_some() => {
            Err("change_difficulty: give either `by` or `to`".to_owned())
        }
        Primitive::Condition(condition) => {
            let given = [
                condition.assign.is_some(),
                !condition.one_of.is_empty(),
                condition.remove.is_some(),
            ];
            match given.into_iter().filter(|&given| given).count() {
                1 => Ok(()),
                _ => Err("condition: give one of `assign`, `one_of` and `remove`".to_owned()),
            }
        }
        Primitive::DealDamage(damage) if [damage.hit, damage.crit, damage.matching, damage.facedown] == [0; 4] => {
            Err("deal_damage: give `hit`, `crit`, `matching` or `facedown`".to_owned())
        }
        _ => nested(step).try_for_each(check_step),
    }
}

/// The steps within a step.
pub fn nested(step: &Primitive) -> impl Iterator<Item = &Primitive> {
    let lists: Vec<&[Primitive]> = match step {
        Primitive::OpponentChoice(branches) | Primitive::OwnerChoice(branches) => {
            branches.iter().map(Vec::as_slice).collect()
        }
        Primitive::RollCheck(check) => check.branches.iter().map(|branch| branch.steps.as_slice()).collect(),
        Primitive::ForEach(each) => vec![each.steps.as_slice()],
        _ => Vec::new(),
    };
    lists.into_iter().flatten()
}

/// Everybody whom a step names, with the steps within it.
fn selectors(step: &Primitive) -> Vec<&Selector> {
    use Primitive as P;
    let mut all = match step {
        P::LendResource(lend) => vec![&lend.owner, &lend.spender],
        P::GainToken(gain) => vec![&gain.who],
        P::RemoveToken(remove) => vec![&remove.who],
        P::TransferToken(transfer) => vec![&transfer.from, &transfer.to],
        P::KeepToken(keep) => vec![&keep.who],
        P::AcquireLock(lock) => vec![&lock.who, &lock.on],
        P::Recover(recover) => vec![&recover.who],
        P::Lose(lose) => vec![&lose.who],
        P::PerformAction(perform) => vec![&perform.who],
        P::GrantAction(grant) => vec![&grant.who],
        P::Reposition(reposition) => vec![&reposition.who],
        P::RotateShip(rotate) => vec![&rotate.who],
        P::RotateArc(rotate) => std::iter::once(&rotate.who).chain(&rotate.to).collect(),
        P::ChangeDifficulty(change) => vec![&change.who],
        P::BonusAttack(attack) => vec![&attack.who],
        P::DealDamage(damage) => vec![&damage.who],
        P::PreventDamage(prevent) => vec![&prevent.who],
        P::DamageCardRule(rule) => vec![&rule.who],
        P::DiscardWeapon(discard) => vec![&discard.who],
        P::Repair(repair) => vec![&repair.who],
        P::Expose(expose) => vec![&expose.who],
        P::Destroy(destroy) => vec![&destroy.who],
        P::Survive(survive) => vec![&survive.who],
        P::PlaceShip(place) => vec![&place.who],
        P::Initiative(initiative) => vec![&initiative.who],
        P::Condition(condition) => vec![&condition.to],
        P::HiddenInformation(hidden) => vec![&hidden.who],
        P::RollCheck(check) => vec![&check.who],
        P::ReplaceToken(replace) => replace.to.iter().collect(),
        P::ChangeResult(change) => change.by.iter().collect(),
        P::RelocateDevice(relocate) => relocate.to.iter().collect(),
        _ => Vec::new(),
    };
    all.extend(nested(step).flat_map(selectors));
    all
}
