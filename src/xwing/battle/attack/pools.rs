//! How many dice both sides roll, and what tokens they have for them.

use super::{
    super::{Battle, Fighter},
    few,
};
use crate::geometry::{CONTACT_MM, Pose, Rectangle};
use crate::xwing::{
    action::FullArc,
    arc::Arc,
    base,
    combat::{Attack, AttackTokens, DamageRule, DefenceTokens, DiceRules},
    edition::{Reinforce, TractoredAgility},
    effects::{
        CardsInPlay, Effect, Primitive, Role, Window,
        primitive::{Modification, Pool},
    },
    measure::Stance,
    ship::Ship,
    size::Size,
    targeting::LegalTarget,
    weapon::{Weapon, WeaponArc},
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

/// Whether any part of an attacker lies in an arc that is printed on the defender's base to be fired in: the front arc, or an
/// auxiliary one (FE-6.9).
fn is_ahead(defender: &Stance<'_>, attacker: &Stance<'_>) -> bool {
    let primaries = defender.ship.weapons.iter().filter(|weapon| weapon.special.is_none());
    let auxiliary = primaries.filter_map(|weapon| match weapon.arc {
        WeaponArc::Rear => Some(Arc::Rear),
        WeaponArc::FullFront => Some(Arc::FullFront),
        _ => None,
    });
    let mut printed = std::iter::once(Arc::Front).chain(auxiliary);
    printed.any(|arc| defender.has_in_arc(arc, attacker))
}

/// The section of a huge ship that an attack is on (FE-6.9). **choice** The half of the base that is nearer to the attacker;
/// `None` where both are as near, so that the attacker picks the one without a token.
fn section_attacked(defender: &Stance<'_>, attacker: &Stance<'_>) -> Option<FullArc> {
    let size = defender.ship.size;
    let half = |end: f64| {
        let middle = Pose::new(0.0, end * size.length_mm() / 4.0, 0.0);
        let half = Rectangle::at(defender.pose.compose(middle), size.base_mm(), size.length_mm() / 2.0);
        half.distance(&base::base(attacker.ship.size, attacker.pose))
    };
    let (fore, aft) = (half(1.0), half(-1.0));
    match (fore - aft).abs() <= CONTACT_MM {
        true => None,
        false if fore < aft => Some(FullArc::Fore),
        false => Some(FullArc::Aft),
    }
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
        let rules = &self.table.rules;
        let (attacker, defender) = (from.ship, to.ship);
        let (ours, theirs) = (self.fighter(&attacker.id), self.fighter(&defender.id));
        let bonus = weapon.has_range_bonus(rules);
        let near = i64::from(bonus && target.range <= 1);
        let far = i64::from(bonus && target.range == 3);
        let card =
            |fighter: Option<&Fighter>, window, role| fighter.map_or(0, |fighter| always(&fighter.cards, window, role));
        // FE-7.5: a value is the sum of all that changes it, and no less than none; dice come on top of it (FE-8.3).
        let primary = weapon.special.is_none();
        let changed = ours.filter(|_| primary).map_or(0, |fighter| fighter.changed.primary);
        let value = (i64::from(weapon.value) + i64::from(changed)).max(0);
        let attack =
            value + near + card(ours, Window::AttackRoll, Role::Attacker) - i64::from(attacker.tokens.deplete > 0);
        let tractor = defender.tokens.tractor;
        let (lowered, fewer) = match rules.tractored_agility {
            TractoredAgility::OneLess => (0, i64::from(tractor >= defender.ion_limit())),
            TractoredAgility::OneLessEachToken => (i64::from(tractor), 0), // FE-7.3
        };
        let agility = i64::from(theirs.map_or(0, |fighter| fighter.agility))
            + theirs.map_or(0, |fighter| i64::from(fighter.changed.agility))
            + 2 * i64::from(defender.tokens.cloak > 0)
            - lowered;
        // FE-8.6: obstructed is obstructed, by however many.
        let defence = agility.max(0) + far + i64::from(obstructed) + card(theirs, Window::DefenseRoll, Role::Defender)
            - i64::from(defender.tokens.strain > 0)
            - fewer;
        let dice = |count: i64| few(u32::try_from(count).unwrap_or(0));
        let (a, d) = (&attacker.tokens, &defender.tokens);
        let blinded = ours.is_some_and(|fighter| only_force(&fighter.cards));
        let unless_blinded = |count: u32| if blinded { 0 } else { few(count) };
        let covered = |side: &&FullArc| match rules.reinforce {
            Reinforce::CancelsOne => to.has_in_arc(side.arc(), from),
            // FE-6.9
            Reinforce::AddsAnEvade if defender.size == Size::Huge => section_attacked(to, from) == Some(**side),
            Reinforce::AddsAnEvade => is_ahead(to, from) == (**side == FullArc::Fore),
        };
        let reinforced = theirs.map_or(0, |fighter| fighter.reinforced.iter().filter(covered).count());
        Attack {
            rules: DiceRules::of(rules),
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
