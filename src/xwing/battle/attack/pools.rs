//! How many dice both sides roll, and what tokens they have for them.

use super::{
    super::{Battle, Fighter, cards},
    few,
};
use crate::xwing::{
    action::FullArc,
    combat::{Attack, AttackTokens, DamageRule, DefenceTokens, Edition},
    effects::{Window, primitive::Pool},
    measure::Stance,
    ship::Ship,
    targeting::LegalTarget,
    weapon::Weapon,
};

impl Battle {
    /// The pools of an attack as it would be made: range, obstruction, tokens and damage cards counted in. The ships may
    /// stand, or have tokens, as somebody imagines.
    pub fn pools(
        &self,
        attacker: &Ship,
        defender: &Ship,
        weapon: &Weapon,
        target: &LegalTarget,
        obstructed: bool,
    ) -> Attack {
        self.pools_from(&Stance::of(attacker), &Stance::of(defender), weapon, target, obstructed)
    }

    /// As [`Battle::pools`], for ships where they stand or would stand.
    pub fn pools_from(
        &self,
        from: &Stance<'_>,
        to: &Stance<'_>,
        weapon: &Weapon,
        target: &LegalTarget,
        obstructed: bool,
    ) -> Attack {
        let (attacker, defender) = (from.ship, to.ship);
        let (ours, theirs) = (self.fighter(&attacker.id), self.fighter(&defender.id));
        let bonus = weapon.has_range_bonus();
        let near = i64::from(bonus && target.range <= 1);
        let far = i64::from(bonus && target.range == 3);
        let card = |fighter: Option<&Fighter>, window, pool| {
            fighter.map_or(0, |fighter| cards::dice_change(fighter, self.facts, window, pool))
        };
        let attack = i64::from(weapon.value) + near + card(ours, Window::AttackRoll, Pool::Attack)
            - i64::from(attacker.tokens.deplete > 0);
        let tractored = defender.tokens.tractor >= defender.size.ion_limit();
        let defence = i64::from(theirs.map_or(0, |fighter| fighter.agility))
            + far
            + i64::from(obstructed)
            + 2 * i64::from(defender.tokens.cloak > 0)
            + card(theirs, Window::DefenseRoll, Pool::Defence)
            - i64::from(defender.tokens.strain > 0)
            - i64::from(tractored);
        let dice = |count: i64| few(u32::try_from(count).unwrap_or(0));
        let (a, d) = (&attacker.tokens, &defender.tokens);
        let blinded = ours.is_some_and(|fighter| cards::only_force(fighter, self.facts));
        let unless_blinded = |count: u32| if blinded { 0 } else { few(count) };
        let in_arc = |arc: &&FullArc| to.has_in_arc(arc.arc(), from);
        let reinforced = theirs.map_or(0, |fighter| fighter.reinforced.iter().filter(in_arc).count());
        Attack {
            edition: Edition::Second,
            attack_dice: dice(attack),
            attack_tokens: AttackTokens {
                focus: unless_blinded(a.focus),
                lock: unless_blinded(u32::from(attacker.locks.contains(&defender.id))),
                calculate: unless_blinded(a.calculate),
                force: few(a.force),
            },
            defence_dice: dice(defence),
            defence_tokens: DefenceTokens {
                focus: few(d.focus),
                evade: few(d.evade),
                calculate: few(d.calculate),
                force: few(d.force),
                reinforce: few(reinforced as u32),
            },
            rule: DamageRule::Results,
        }
    }
}
