//! Area attacks (SWM-G1 to G5): used where they reach two or more player figures and no friend.

use std::cmp::Reverse;

use super::{Mind, Step, compared, selection, shooter::BEFORE};
use crate::swm::{
    ability::Blast,
    area::{self, AreaAttack},
    figure::Figure,
    movement::{Manner, Ways},
    square::{Space, Square},
    targets::{Sighted, Stance},
};

/// Player figures that an area attack must reach (SWM-G1).
const ENOUGH: usize = 2;

/// One way to use an area attack.
struct Use<'b, 'c> {
    attack: AreaAttack<'c>,
    target: &'b Figure,
    key: selection::Key,
    affected: Vec<&'b Figure>,
    friends: usize,
    /// Damage to its target, or to all where it is attacks, if each hits.
    damage: u32,
}

impl Use<'_, '_> {
    fn foes(&self) -> usize {
        self.affected.len() - self.friends
    }
}

impl<'b> Mind<'b, '_> {
    /// Whether a splash on a target would reach a friend, itself included.
    pub(super) fn reaches_friend(&self, target: &'b Figure, at: Square) -> bool {
        let (own, space) = (self.figure, self.space_at(at));
        self.board.figures().iter().any(|other| {
            let stands = if other.id == own.id { space } else { other.space() };
            other.in_play() && other.side == own.side && self.board.are_adjacent(stands, target.space())
        })
    }

    /// All ways to use its area attacks from a square: on legal targets in range (SWM-G2) that it can pay for.
    fn uses(&self, at: Square, seen: &[Sighted<'b>], moved: bool) -> Vec<Use<'b, 'b>> {
        let space = self.space_at(at);
        let mut uses = Vec::new();
        let usable = |attack: &AreaAttack<'_>| {
            (attack.cost == 0 || self.may_spend(attack.cost)) && !(attack.whole_turn && moved)
        };
        for attack in area::of(&self.figure.card).filter(usable) {
            // Who can come up to an enemy does not throw its weapon at one.
            if attack.reach == Blast::Thrown && !moved && self.could_base() {
                continue;
            }
            // Without a target, whoever of those beside it comes first by the rules on targets stands for it.
            for enemy in attack.targets(self.board, self.figure, space, seen, self.options) {
                let affected = attack.affected(self.board, self.figure, space, enemy.figure);
                let friends = affected.iter().filter(|other| other.side == self.figure.side).count();
                let damage = match attack.attacks {
                    0 => u32::from(attack.damage),
                    _ => self.attack_damage(&attack, &affected, space, moved),
                };
                uses.push(Use {
                    damage,
                    attack,
                    target: enemy.figure,
                    key: selection::key(self.figure, enemy.figure, enemy.adjacent, enemy.covered),
                    affected,
                    friends,
                });
            }
        }
        uses
    }

    /// SWM-G1 to G3, SWM-F4: the area attack that it uses from a square, if one reaches two player figures and no friend. One
    /// that costs Force points is also used on a single one where it does more damage than the attacks that it replaces.
    pub(super) fn area(&mut self, at: Square, seen: &[Sighted<'b>], moved: bool) -> Option<Step> {
        let uses = self.uses(at, seen, moved);
        if uses.is_empty() {
            return None;
        }
        let attacks = self.potential(seen, moved);
        let good = |one: &Use<'_, '_>| {
            one.friends == 0
                && (one.foes() >= ENOUGH || (one.attack.cost > 0 && one.foes() == 1 && one.damage > attacks))
        };
        let verdict = |one: &Use<'_, '_>| match () {
            () if one.friends > 0 => format!("{}: would reach a friend", one.attack.ability),
            () if one.foes() >= ENOUGH => format!("{}: reaches enough", one.attack.ability),
            () if good(one) => format!("{}: more damage than its attacks, {attacks}", one.attack.ability),
            () => format!("{}: reaches only one", one.attack.ability),
        };
        let candidates =
            (uses.iter()).map(|one| compared(&one.target.id, one.foes() as f64, "player figures", verdict(one)));
        let best = (uses.iter().filter(|one| good(one)))
            .map(|one| (Reverse(one.foes()), one.key))
            .min()?;
        // SWM-G3: the most player figures, then the rules on targets, a roll among those that are tied (SWM-T5).
        let mut tied: Vec<&Use<'_, '_>> = uses
            .iter()
            .filter(|one| good(one) && (Reverse(one.foes()), one.key) == best)
            .collect();
        let mut targets: Vec<&str> = tied.iter().map(|one| &*one.target.id).collect();
        targets.sort_unstable();
        targets.dedup();
        let target = match targets[..] {
            [only] => only,
            _ => targets[self.dice.pick(targets.len())],
        };
        tied.retain(|one| one.target.id == target);
        tied.sort_by_key(|one| (Reverse(one.damage), one.attack.cost));
        let chosen = tied.first()?;
        let (rule, what) = match chosen.foes() {
            0 | 1 => ("SWM-F4", "it does more damage than its attacks".to_owned()),
            foes => ("SWM-G1", format!("it reaches {foes} player figures and no friend")),
        };
        let text = format!("uses {} on {}: {what}", chosen.attack.ability, chosen.target.called());
        let step = Step::Area {
            ability: chosen.attack.ability.to_owned(),
            target: chosen.target.id.clone(),
            affected: chosen.affected.iter().map(|foe| foe.id.clone()).collect(),
        };
        self.reason(rule, text, candidates);
        Some(step)
    }

    /// The damage of a power that is attacks, if each hits.
    pub(super) fn attack_damage(
        &self,
        attack: &AreaAttack<'_>,
        affected: &[&Figure],
        space: Space,
        moved: bool,
    ) -> u32 {
        let stance = Stance { moved, ..BEFORE };
        let on = |other: &&Figure| {
            let adjacent = self.is_as_if_adjacent(space, other);
            selection::potential(self.figure, other, adjacent, attack.attacks, stance)
        };
        affected.iter().map(on).sum()
    }

    /// Whether it can come up to an enemy with a single move, or is beside one.
    fn could_base(&self) -> bool {
        let speed = self.speed();
        let ways = self.ways(self.figure.at, speed);
        (self.board.enemies(self.figure)).any(|enemy| self.base(&ways, enemy).is_some())
    }

    /// The damage of the attacks that it would make from a square, if each hits (SWM-F4).
    fn potential(&self, seen: &[Sighted<'b>], moved: bool) -> u32 {
        let stance = Stance {
            moved,
            stays: !moved,
            charged: false,
        };
        let legal = seen.iter().filter(|enemy| enemy.legal);
        let best = legal.min_by_key(|enemy| selection::key(self.figure, enemy.figure, enemy.adjacent, enemy.covered));
        let attacks = self.attacks(stance);
        match best {
            Some(enemy) if self.figure.card.can_attack() => {
                selection::potential(self.figure, enemy.figure, enemy.adjacent, attacks, stance)
            }
            _ => 0,
        }
    }

    /// Whether the area attack of a step replaces the whole turn.
    pub(super) fn is_whole_turn(&self, step: &Step) -> bool {
        let Step::Area { ability, .. } = step else {
            return false;
        };
        area::of(&self.figure.card).any(|own| own.ability == ability && own.whole_turn)
    }

    /// SWM-G4, with the switch for it: the nearest square within its move from which an area attack reaches the most player
    /// figures, and the way there. `None` without such an attack or such a square.
    pub(super) fn area_move(&mut self) -> Option<(Vec<Square>, Step)> {
        if !self.options.area_moves || area::of(&self.figure.card).all(|own| own.whole_turn) {
            return None;
        }
        let speed = self.speed();
        let ways = Ways::from(self.board, self.figure, self.figure.at, Manner::of(self.figure), speed);
        let mut spots = Vec::new();
        for (at, cost) in ways.ends(speed).filter(|(_, cost)| *cost > 0) {
            let seen = self.sighted(at);
            let uses = self.uses(at, &seen, true);
            let enough = uses.iter().filter(|one| one.friends == 0 && one.foes() >= ENOUGH);
            if let Some((foes, key)) = enough.map(|one| (Reverse(one.foes()), one.key)).min() {
                spots.push((foes, key, cost, self.compass(at), at));
            }
        }
        spots.sort();
        let listed = (spots.iter())
            .map(|(foes, _, cost, _, at)| compared(at.to_string(), *cost, "movement", format!("reaches {}", foes.0)));
        let &(.., at) = spots.first()?;
        self.reason("SWM-G4", format!("moves to {at} to use an area attack"), listed);
        let seen = self.sighted(at);
        let step = self.area(at, &seen, true)?;
        Some((ways.way(at), step))
    }
}
