//! An attack of tokens alone: what both sides spend on their dice.

use super::{
    super::{Battle, Event, Refused},
    windows::{Spent, attack_spending},
};
use crate::{
    dice::DiceSource,
    xwing::{
        combat::{self, Attack, AttackDice, AttackStep, DefenceDice, Means, SpendFirst, Spending, contest::Side},
        damage_deck::Damage,
        effects::TokenWord,
    },
};

impl Battle {
    pub(in crate::xwing::battle) fn modify_attack(
        &mut self,
        id: &str,
        step: AttackStep,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let index = self.asked(id)?;
        if self.duel.as_ref().is_some_and(|duel| duel.windows.is_some()) {
            return self.spend_in_windows(Side::Attacker, &attack_spending(step));
        }
        let attacker = self.table.ships[index].id.clone();
        let refused = Refused::Spending { ship: attacker.clone() };
        let Some(duel) = &mut self.duel else {
            return Err(Refused::NotAsked);
        };
        let mut rerolled = Vec::new();
        match step {
            AttackStep::Reroll {
                means,
                focuses,
                blanks,
                hits,
                crits,
            } => {
                // FE-8.7: a die is rerolled once, hits too; the dice are picked together.
                let [settled_hits, settled_crits] = duel.settled;
                let successes = hits <= duel.dice.hits.saturating_sub(settled_hits)
                    && crits <= duel.dice.crits.saturating_sub(settled_crits);
                let usual = hits == 0 && crits == 0 && (focuses > 0 || blanks > 0);
                let any = usual || duel.pools.rules.spends_freely();
                let there = focuses <= duel.dice.focuses && blanks <= duel.dice.blanks && successes && any;
                // FE-8.8: one lock a step, where the rules say so.
                let spent = duel.locks_spent >= duel.pools.rules.most_spent();
                if means != Means::Lock || duel.pools.attack_tokens.lock == 0 || spent || !there {
                    return Err(refused);
                }
                duel.locks_spent += 1;
                rerolled = (0..focuses + blanks + hits + crits).map(|_| dice.attack()).collect();
                duel.dice.hits -= hits;
                duel.dice.crits -= crits;
                duel.dice = duel.dice.rerolled(focuses, blanks, &rerolled);
                let anew = AttackDice::rolled(&rerolled);
                duel.settled = [settled_hits + anew.hits, settled_crits + anew.crits];
                duel.course.modified |= !rerolled.is_empty();
                duel.pools.attack_tokens.lock -= 1;
                let defender = duel.defender.clone();
                self.table.ships[index].locks.retain(|lock| *lock != defender);
            }
            AttackStep::Finish { spending, changed } => {
                let have = duel.pools.attack_tokens;
                let focuses = duel.dice.focuses + duel.dice.rerolled_focuses;
                let singles = spending.calculate + spending.force;
                let most = if spending.focus > 0 {
                    focuses
                } else {
                    focuses.min(singles)
                };
                let finds = focuses > 0 || duel.pools.rules.spends_freely();
                let fits = (spending.focus == 0 || finds)
                    && spending.focus <= have.focus.min(duel.pools.rules.most_spent())
                    && spending.calculate <= have.calculate
                    && spending.force <= have.force
                    && spending.lock == 0
                    && spending.evade == 0
                    && changed <= most;
                if !fits {
                    return Err(refused);
                }
                let rolled_once = changed.min(duel.dice.focuses);
                duel.dice.focuses -= rolled_once;
                duel.dice.rerolled_focuses -= changed - rolled_once;
                duel.dice.hits += changed;
                duel.course.modified |= changed > 0;
                duel.course.defence_dice = duel.pools.defence_dice;
                let rolled: Vec<_> = (0..duel.pools.defence_dice).map(|_| dice.defence()).collect();
                duel.defence = Some(DefenceDice::rolled(&rolled));
                let defender = duel.defender.clone();
                self.events.push(Event::AttackModified {
                    attacker,
                    step,
                    rerolled,
                });
                self.events.push(Event::Defended { defender, rolled });
                self.spend(index, Side::Attacker, spending);
                return Ok(());
            }
        }
        self.events.push(Event::AttackModified {
            attacker,
            step,
            rerolled,
        });
        Ok(())
    }

    pub(in crate::xwing::battle) fn modify_defence(
        &mut self,
        id: &str,
        spending: Spending,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let index = self.asked(id)?;
        if self.duel.as_ref().is_some_and(|duel| duel.windows.is_some()) {
            return self.spend_in_windows(Side::Defender, &Spent::all(spending));
        }
        let Some(duel) = self.duel.clone() else {
            return Err(Refused::NotAsked);
        };
        let Attack {
            rules,
            rule,
            defence_tokens,
            ..
        } = duel.pools;
        let lying = duel.defence.unwrap_or_default();
        let choice = combat::defence::offered(
            rules,
            rule,
            duel.results(),
            lying,
            defence_tokens,
            SpendFirst::default(),
        );
        let option = choice.options.iter().find(|option| option.spending == spending);
        let option = option.ok_or_else(|| Refused::Spending {
            ship: duel.defender.clone(),
        })?;
        let damage = Damage {
            hits: option.damage.hits,
            crits: option.damage.crits,
        };
        self.spend(index, Side::Defender, spending);
        if let Some(duel) = &mut self.duel {
            duel.spent = spending;
            let results = duel.results();
            duel.course.neutralized = damage.hits + damage.crits < results.hits + results.crits;
        }
        self.compare_results(damage, dice);
        Ok(())
    }

    fn spend(&mut self, index: usize, side: Side, spending: Spending) {
        if spending.count() == 0 {
            return;
        }
        if let Some(duel) = &mut self.duel {
            for (word, count) in [
                (TokenWord::Focus, spending.focus),
                (TokenWord::Calculate, spending.calculate),
                (TokenWord::Evade, spending.evade),
            ] {
                duel.course.spent(side, word, count);
            }
        }
        let tokens = &mut self.table.ships[index].tokens;
        for (count, spent) in [
            (&mut tokens.focus, spending.focus),
            (&mut tokens.calculate, spending.calculate),
            (&mut tokens.force, spending.force),
            (&mut tokens.evade, spending.evade),
        ] {
            *count = count.saturating_sub(u32::from(spent));
        }
        self.record_tokens(index);
    }
}
