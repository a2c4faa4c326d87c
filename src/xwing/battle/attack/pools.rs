//! How many dice both sides roll, and what tokens they have for them.

use super::{
    super::{Battle, Fighter},
    few,
};
use crate::xwing::{
    action::FullArc,
    combat::{Attack, AttackTokens, DamageRule, DefenceTokens, Edition},
    effects::{
        CardsInPlay, Effect, Primitive, Role, Window,
        primitive::{Modification, Pool},
    },
    measure::Stance,
    ship::Ship,
    targeting::LegalTarget,
    weapon::Weapon,
};

/// Whether an effect always holds and costs nothing, so that it needs no look at the attack.
fn is_plain(effect: &Effect) -> bool {
    let free = effect.cost.is_empty() && effect.choose.is_empty() && !effect.may && !effect.is_asked();
    free && effect.conditions.is_empty() && effect.until.is_none() && !effect.replaces
}

/// Whether all that an effect does is counted in the pools: it always rolls more or fewer of its ship's own dice.
pub(super) fn is_counted(window: Window, role: Role, effect: &Effect) -> bool {
    let own = match (window, role) {
        (Window::AttackRoll, Role::Attacker) => Pool::Attack,
        (Window::DefenseRoll, Role::Defender) => Pool::Defence,
        _ => return false,
    };
    let counts = |step: &Primitive| matches!(step, Primitive::DiceCount(count) if count.dice == own);
    is_plain(effect) && effect.steps.iter().all(counts)
}

/// How many dice more a ship always rolls by its cards.
fn always(cards: &CardsInPlay, window: Window, role: Role) -> i64 {
    let counted = cards
        .effects(window, role)
        .filter(|coming| is_counted(window, role, coming.effect));
    let steps = counted.flat_map(|coming| &coming.effect.steps);
    let each = steps.map(|step| match step {
        Primitive::DiceCount(count) => i64::from(count.by),
        _ => 0,
    });
    each.sum()
}

/// Whether a ship may modify its attack dice by Force alone.
fn only_force(cards: &CardsInPlay) -> bool {
    let only = |step: &Primitive| matches!(step, Primitive::RestrictModification(rule) if rule.only.0[..] == [Modification::Force]);
    let mut effects = cards.effects(Window::AttackModify, Role::Attacker);
    effects.any(|coming| is_plain(coming.effect) && coming.effect.steps.iter().any(only))
}

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
        let card =
            |fighter: Option<&Fighter>, window, role| fighter.map_or(0, |fighter| always(&fighter.cards, window, role));
        let attack = i64::from(weapon.value) + near + card(ours, Window::AttackRoll, Role::Attacker)
            - i64::from(attacker.tokens.deplete > 0);
        let tractored = defender.tokens.tractor >= defender.ion_limit();
        let defence = i64::from(theirs.map_or(0, |fighter| fighter.agility))
            + far
            + i64::from(obstructed)
            + 2 * i64::from(defender.tokens.cloak > 0)
            + card(theirs, Window::DefenseRoll, Role::Defender)
            - i64::from(defender.tokens.strain > 0)
            - i64::from(tractored);
        let dice = |count: i64| few(u32::try_from(count).unwrap_or(0));
        let (a, d) = (&attacker.tokens, &defender.tokens);
        let blinded = ours.is_some_and(|fighter| only_force(&fighter.cards));
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
