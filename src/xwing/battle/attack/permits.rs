//! What cards permit, or ask, as a target is declared: which weapons, arcs, ranges and targets are legal.
//!
//! What always holds is put into the weapons when a ship comes into play; what hangs on the moment is looked at anew before
//! its ship is asked for an attack, and when it declares one.

use super::super::{
    Battle,
    conditions::{AttackScene, Chosen, Scene, knows},
    occasion::{Happening, Occasion},
};
use crate::xwing::{
    effects::{
        Amount, CardsInPlay, Cost, Effect, Predicate, Primitive, Role, State, Support, Window,
        primitive::WeaponRule,
        range::RangeSpan,
        weapon::{WeaponFilter, WeaponWord},
    },
    ship::Ship,
    targeting::{self, LegalTarget},
    weapon::{OtherArc, Weapon, WeaponArc, WhileDisarmed},
};

/// What of an effect at the declaration is played, for a ship of a role.
pub(super) fn supports(role: Role, effect: &Effect) -> Support {
    let [Primitive::WeaponRule(rules)] = effect.steps.as_slice() else {
        return match treated(effect) {
            Some(_) if role == Role::Attacker => Support::Played,
            _ => Support::Asked,
        };
    };
    let [rule] = rules.0.as_slice() else {
        return Support::Asked;
    };
    let plain = effect.choose.is_empty() && effect.until.is_none() && !effect.replaces && !effect.is_asked();
    let free = effect.cost.is_empty();
    let own = role == Role::Attacker;
    let weapons = || matches!(effect.conditions.as_slice(), [Predicate::Weapon(filter)] if !slots(filter).is_empty());
    let played = match rule {
        WeaponRule::Range0 => own && free && is_of_primaries(effect),
        WeaponRule::Range0AgainstSelf => {
            role == Role::EnemyAttacks && free && effect.conditions.iter().all(|one| matches!(one, Predicate::Range(_)))
        }
        WeaponRule::RangePlusMinus1 | WeaponRule::RearArcRange1To2 => own && free && weapons(),
        WeaponRule::RearArc => own && free && is_of_front_specials(effect),
        WeaponRule::WhileDisarmed => own && free && while_disarmed(effect).is_some(),
        WeaponRule::OnObstacle => {
            role == Role::Friend && free && effect.conditions.iter().all(|one| matches!(one, Predicate::Range(_)))
        }
        WeaponRule::IgnoreRequirement => {
            matches!(role, Role::Attacker | Role::FriendAttacks)
                && matches!(effect.cost.as_slice(), [] | [Cost::Force(Amount::Fixed(_))])
                && effect.conditions.iter().all(knows)
        }
        _ => false,
    };
    if plain && played {
        Support::Played
    } else {
        Support::Asked
    }
}

/// The range that an attack at a range counts as, if an effect says so.
fn treated(effect: &Effect) -> Option<(RangeSpan, u32)> {
    match (effect.conditions.as_slice(), effect.steps.as_slice()) {
        ([Predicate::AttackRange(_)], [Primitive::TreatAttackRange(treat)])
            if effect.cost.is_empty() && effect.choose.is_empty() && !effect.may =>
        {
            Some((treat.from, u32::from(treat.to)))
        }
        _ => None,
    }
}

fn is_of_primaries(effect: &Effect) -> bool {
    matches!(effect.conditions.as_slice(), [Predicate::Weapon(filter)]
        if filter.0.iter().all(|term| term.kind == Some(WeaponWord::Primary) && term.arc.is_none() && !term.not))
}

fn is_of_front_specials(effect: &Effect) -> bool {
    matches!(effect.conditions.as_slice(), [Predicate::Weapon(filter)] if filter.to_string() == "special+front")
}

/// The kinds of special weapons that a filter names; none for one that says more than kinds.
fn slots(filter: &WeaponFilter) -> Vec<&'static str> {
    let slots: Option<Vec<&'static str>> = (filter.0.iter())
        .map(|term| match term.kind {
            _ if term.arc.is_some() || term.not => None,
            Some(WeaponWord::Torpedo) => Some("Torpedo"),
            Some(WeaponWord::Missile) => Some("Missile"),
            Some(WeaponWord::Cannon) => Some("Cannon"),
            _ => None,
        })
        .collect();
    slots.unwrap_or_default()
}

/// Which weapons a disarmed ship may fire by an effect, and when.
fn while_disarmed(effect: &Effect) -> Option<(Vec<&'static str>, WhileDisarmed)> {
    let (mut kinds, mut one, mut locked) = (Vec::new(), false, false);
    for condition in &effect.conditions {
        match condition {
            Predicate::Weapon(filter) => kinds = slots(filter),
            Predicate::Own(State::Disarmed) => {}
            Predicate::Own(State::Tokens(count)) if count.at_least == Some(1) && count.at_most == Some(1) => one = true,
            Predicate::Other(State::LockedBySelf) => locked = true,
            _ => return None,
        }
    }
    let when = match (one, locked) {
        (false, false) => WhileDisarmed::Always,
        (true, false) => WhileDisarmed::OneToken,
        (true, true) => WhileDisarmed::OneTokenAtLocked,
        (false, true) => return None,
    };
    (!kinds.is_empty()).then_some((kinds, when))
}

fn special(weapon: &Weapon, kinds: &[&str]) -> bool {
    let slot = weapon.special.as_ref().map(|special| special.slot.as_str());
    slot.is_some_and(|slot| kinds.contains(&slot))
}

/// Puts what always holds into a ship that comes into play with such cards, and into its weapons.
pub(in crate::xwing::battle) fn put_in_force(ship: &mut Ship, cards: &CardsInPlay) {
    for card in cards.iter() {
        let cost = card
            .entry
            .iter()
            .flat_map(|entry| &entry.weapon)
            .flat_map(|weapon| &weapon.cost);
        for cost in cost {
            if let Cost::Charge(Amount::Fixed(count)) = cost
                && let Some(weapon) = ship.weapons.iter_mut().find(|weapon| weapon.id == card.id.xws)
                && let Some(special) = &mut weapon.special
            {
                special.permits.more_charges = u32::from(count.saturating_sub(1));
            }
        }
    }
    for coming in cards.effects(Window::AttackDeclare, Role::EnemyAttacks) {
        if supports(Role::EnemyAttacks, coming.effect) == Support::Played {
            ship.open_at_range_0 = true;
        }
    }
    for coming in cards.effects(Window::AttackDeclare, Role::Attacker) {
        let effect = coming.effect;
        let [Primitive::WeaponRule(rules)] = effect.steps.as_slice() else {
            continue;
        };
        if supports(Role::Attacker, effect) != Support::Played {
            continue;
        }
        let kinds = match effect.conditions.first() {
            Some(Predicate::Weapon(filter)) => slots(filter),
            _ => Vec::new(),
        };
        let fresh = |weapon: &&mut Weapon| weapon.special.as_ref().is_none_or(|special| !special.permits.in_force);
        for weapon in ship.weapons.iter_mut().filter(fresh) {
            let (range, front) = ((weapon.min_range, weapon.max_range), weapon.arc == WeaponArc::Front);
            match rules.0.first() {
                Some(WeaponRule::Range0) if weapon.special.is_none() => weapon.min_range = 0,
                Some(WeaponRule::RangePlusMinus1) if special(weapon, &kinds) => {
                    weapon.min_range = range.0.saturating_sub(1);
                    weapon.max_range = (range.1 + 1).min(3);
                }
                Some(rule @ (WeaponRule::RearArc | WeaponRule::RearArcRange1To2)) if front => {
                    let named = *rule == WeaponRule::RearArc || special(weapon, &kinds);
                    let (min_range, max_range) = match rule {
                        WeaponRule::RearArcRange1To2 => (1, 2),
                        _ => range,
                    };
                    if let Some(special) = weapon.special.as_mut().filter(|_| named) {
                        special.permits.also.push(OtherArc {
                            arc: WeaponArc::Rear,
                            min_range,
                            max_range,
                        });
                    }
                }
                Some(WeaponRule::WhileDisarmed) => {
                    if let Some((kinds, when)) = while_disarmed(effect)
                        && special(weapon, &kinds)
                        && let Some(special) = &mut weapon.special
                    {
                        special.permits.disarmed = when;
                    }
                }
                _ => {}
            }
        }
    }
    for special in ship.weapons.iter_mut().filter_map(|weapon| weapon.special.as_mut()) {
        special.permits.in_force = true;
    }
}

impl Battle {
    /// Puts what always holds into the weapons of a ship that comes into play.
    pub(in crate::xwing::battle) fn put_permits_in_force(&mut self, index: usize) {
        put_in_force(&mut self.table.ships[index], &self.fighters[index].cards);
    }

    /// Looks anew at what cards permit a ship that is asked for an attack.
    pub(in crate::xwing::battle) fn renew_permits(&mut self, index: usize) {
        if !self.has_window(Window::AttackDeclare) {
            return;
        }
        let on_obstacles = (0..self.fighters.len()).any(|owner| self.lets_fire_on_obstacles(owner, index));
        self.table.ships[index].fires_on_obstacles = on_obstacles;
        for place in 0..self.table.ships[index].weapons.len() {
            let waived: Vec<_> = (0..self.table.ships.len())
                .filter(|&target| self.waiver(index, place, target).is_some())
                .map(|target| self.table.ships[target].id.clone())
                .collect();
            if let Some(special) = &mut self.table.ships[index].weapons[place].special {
                special.permits.waived = waived;
            }
        }
    }

    fn lets_fire_on_obstacles(&self, owner: usize, ship: usize) -> bool {
        let (own, other) = (&self.table.ships[owner], &self.table.ships[ship]);
        if !own.in_play() || own.is_enemy_of(other) {
            return false;
        }
        let mut effects = self.fighters[owner].cards.effects(Window::AttackDeclare, Role::Friend);
        effects.any(|coming| {
            let rule = matches!(coming.effect.steps.as_slice(),
                [Primitive::WeaponRule(rules)] if rules.0 == [WeaponRule::OnObstacle]);
            let near = coming.effect.conditions.iter().all(|condition| match condition {
                Predicate::Range(span) => span.holds(self.range_between(owner, ship)),
                _ => false,
            });
            rule && near && supports(Role::Friend, coming.effect) == Support::Played
        })
    }

    fn range_between(&self, a: usize, b: usize) -> Option<u32> {
        use crate::xwing::measure;
        if a == b {
            return Some(0);
        }
        measure::range(measure::ship_distance(&self.table.ships[a], &self.table.ships[b]))
    }

    /// The Force that it costs to ignore what the header of a weapon asks for against a target: the cheapest way; `None`
    /// where no card lets the ship do so, or nothing is asked.
    pub(super) fn waiver(&self, attacker: usize, place: usize, target: usize) -> Option<u32> {
        let (ship, enemy) = (&self.table.ships[attacker], &self.table.ships[target]);
        let weapon = &ship.weapons[place];
        let special = weapon.special.as_ref()?;
        if special.requires.is_empty() || !enemy.in_play() || !enemy.is_enemy_of(ship) {
            return None;
        }
        let LegalTarget { range, arc, .. } =
            targeting::legal_target(&self.table.rules, ship, &weapon.without_requirement(), enemy)?;
        let occasion = Occasion {
            id: 0,
            window: Window::AttackDeclare,
            subject: Some(attacker),
            other: Some(target),
            what: Happening::Moment,
        };
        let nobody = Chosen::default();
        let mut cheapest = None;
        for owner in 0..self.fighters.len() {
            let own = &self.table.ships[owner];
            if !own.in_play() || own.is_enemy_of(ship) {
                continue;
            }
            let roles = [Role::Attacker, Role::FriendAttacks];
            for role in roles
                .into_iter()
                .filter(|role| *role == Role::FriendAttacks || owner == attacker)
            {
                for coming in self.fighters[owner].cards.effects(Window::AttackDeclare, role) {
                    let effect = coming.effect;
                    let waives = matches!(effect.steps.as_slice(),
                        [Primitive::WeaponRule(rules)] if rules.0 == [WeaponRule::IgnoreRequirement]);
                    if !waives || supports(role, effect) != Support::Played || (effect.on.other && owner == attacker) {
                        continue;
                    }
                    let scene = Scene {
                        table: &self.table,
                        fighters: &self.fighters,
                        own: owner,
                        card: Some(coming.at.card),
                        occasion: &occasion,
                        subject: Some(attacker),
                        of_friends: role == Role::FriendAttacks,
                        attack: Some(AttackScene {
                            attacker,
                            defender: target,
                            weapon: place,
                            range,
                            arc,
                            obstructing: &[],
                        }),
                        chosen: &nobody,
                        each: None,
                        imagined: &[],
                    };
                    let force = match effect.cost.as_slice() {
                        [Cost::Force(Amount::Fixed(count))] => u32::from(*count),
                        _ => 0,
                    };
                    let holds = effect
                        .conditions
                        .iter()
                        .all(|condition| scene.holds(condition) == Some(true));
                    if holds && own.tokens.force >= force {
                        cheapest = Some(cheapest.map_or(force, |other: u32| other.min(force)));
                    }
                }
            }
        }
        cheapest
    }

    /// Whether obstacles beyond range 0 do not obstruct an attack, by a card of the attacker.
    pub(super) fn sees_past_obstacles(
        &self,
        attacker: usize,
        defender: usize,
        weapon: usize,
        target: &LegalTarget,
    ) -> bool {
        let cards = &self.fighters[attacker].cards;
        if !cards.has(Window::AttackDeclared) {
            return false;
        }
        let occasion = Occasion {
            id: 0,
            window: Window::AttackDeclared,
            subject: Some(attacker),
            other: Some(defender),
            what: Happening::Moment,
        };
        let nobody = Chosen::default();
        let mut effects = cards.effects(Window::AttackDeclared, Role::Attacker);
        effects.any(|coming| {
            let scene = Scene {
                table: &self.table,
                fighters: &self.fighters,
                own: attacker,
                card: Some(coming.at.card),
                occasion: &occasion,
                subject: Some(attacker),
                of_friends: false,
                attack: Some(AttackScene {
                    attacker,
                    defender,
                    weapon,
                    range: target.range,
                    arc: target.arc,
                    obstructing: &[],
                }),
                chosen: &nobody,
                each: None,
                imagined: &[],
            };
            let mut conditions = coming.effect.conditions.iter();
            matches!(coming.effect.steps.as_slice(), [Primitive::ObstructionRule(_)])
                && conditions.all(|condition| scene.holds(condition) == Some(true))
        })
    }

    /// Pays for what the header of a weapon asks for and the ship has not.
    pub(super) fn pay_waiver(&mut self, attacker: usize, force: u32) {
        if force > 0 {
            let tokens = &mut self.table.ships[attacker].tokens;
            tokens.force = tokens.force.saturating_sub(force);
            self.record_tokens(attacker);
        }
    }

    /// The range that an attack counts as by the attacker's cards.
    pub(super) fn treated_range(&self, attacker: usize, range: u32) -> u32 {
        let mut effects = self.fighters[attacker]
            .cards
            .effects(Window::AttackDeclare, Role::Attacker);
        let counts = effects.find_map(|coming| treated(coming.effect).filter(|(from, _)| from.holds(Some(range))));
        counts.map_or(range, |(_, to)| to)
    }
}
