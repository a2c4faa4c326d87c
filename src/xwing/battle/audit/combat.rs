//! Combat by the books: who may still attack, how many dice are rolled, who is ahead (FE-8, FE-9.5, FE-10.3).

use super::{Books, Entry};
use crate::geometry::Pose;
use crate::xwing::{
    ObjectId,
    battle::Phase,
    damage_deck::{Card, DamageEvent, DeckFacts},
    edition::{Dying, LateTurn, RangeBonus, TractoredAgility},
    effects::{Primitive, primitive::StepRule},
    ship::Status,
    size::Size,
};

impl Entry<'_> {
    /// FE-6.10: discarded torpedo and missile cards lie face up again, all of them or the one that is named.
    pub(super) fn turns_up_ordnance(&mut self, only: Option<&str>) {
        for (weapon, left) in self.ship.weapons.iter().zip(&mut self.charges) {
            let ordnance = weapon
                .special
                .as_ref()
                .filter(|special| matches!(&*special.slot, "Torpedo" | "Missile"));
            let most = ordnance.and_then(|special| special.charges).map(|charges| charges.max);
            if let Some(most) = most.filter(|_| only.is_none_or(|only| only == weapon.id)) {
                *left = Some(most);
            }
        }
    }
}

/// Whether a card was turned face up that forbids straights on the dial (FE-9.3).
pub(super) fn bars_straights(facts: &DeckFacts, event: &DamageEvent) -> bool {
    let card = match event {
        DamageEvent::Dealt {
            card: Some(card),
            face_up: true,
        }
        | DamageEvent::Exposed(card) => card,
        _ => return false,
    };
    let entry = card.facts(facts).and_then(|card| card.face_up().entry.clone());
    let mut steps = entry
        .iter()
        .flat_map(|entry| &entry.effects)
        .flat_map(|effect| &effect.steps);
    steps.any(|step| matches!(step, Primitive::StepRule(rules) if rules.0.contains(&StepRule::NoStraights)))
}

impl Books<'_> {
    /// FE-4.7: whether a ship and another stand as they did when one of them overlapped the other. What becomes of the state
    /// when either moves is no part of these books.
    pub(super) fn stand_touching(&self, one: &Entry<'_>, other: &Entry<'_>) -> bool {
        let stands = |entry: &Entry<'_>, (id, pose): &(ObjectId, Pose)| entry.ship.id == *id && entry.pose == *pose;
        self.touching
            .iter()
            .any(|[a, b]| (stands(one, a) && stands(other, b)) || (stands(one, b) && stands(other, a)))
    }

    /// What a damage card counts beyond one damage while it lies face up (FE-9.4).
    pub(super) fn weight(&self, card: Card) -> u32 {
        let facts = card.facts(self.facts);
        facts.map_or(0, |facts| u32::from(facts.damage.saturating_sub(1)))
    }

    /// FE-9.5: when a ship has its turn to attack, only those that were shot down at their own skill, and have had no turn
    /// yet, are still there although they are destroyed. Where they stay for an attack, no more is told.
    pub(super) fn the_dead_are_gone(&mut self, next: &ObjectId) {
        if self.rules.dying != Dying::AfterItsTurn {
            return;
        }
        let overdue = |(id, entry): &(&ObjectId, &Entry<'_>)| {
            let stays = entry.shot_down_at == Some(Some(entry.initiative)) && !self.turns.contains(id);
            entry.in_play() && entry.is_destroyed() && !stays
        };
        let overdue = self.ships.iter().find(overdue).map(|(id, _)| id.clone());
        self.check(overdue.is_none(), || {
            format!("{overdue:?} is shot down and still there when {next} has its turn")
        });
    }

    /// FE-8.1: a ship has no turn because its skill is above that of the ships that attack now.
    pub(super) fn is_late(&mut self, ship: &ObjectId) {
        let entry = self.ships.get(ship);
        let above = entry.is_some_and(|entry| self.attacking.is_some_and(|last| entry.initiative > last));
        let lost = self.rules.late_turn == LateTurn::IsLost && self.phase == Phase::Engagement;
        self.check(above && lost && !self.turns.contains(ship), || {
            format!("{ship} loses its turn against the rules")
        });
        self.turns.push(ship.clone());
    }

    /// FE-8.3: no more attack dice than the weapon, and a primary at range 1, give. Cards that add dice are no part of these
    /// books, and neither is the second edition.
    pub(super) fn counts_attack_dice(&mut self, attacker: &ObjectId, weapon: usize, range: u32, dice: usize) {
        if self.rules.range_bonus != RangeBonus::PrimariesOnly {
            return;
        }
        let Some(entry) = self.ships.get(attacker).filter(|entry| entry.plain) else {
            return;
        };
        let most = entry.ship.weapons.get(weapon).map_or(0, |weapon| {
            weapon.value + u32::from(weapon.special.is_none() && range <= 1)
        });
        self.check(dice as u32 <= most, || {
            format!("{attacker} rolls {dice} attack dice of {most}")
        });
    }

    /// The same for the defence dice (FE-7.3, FE-7.5): agility, two for a cloak, one for obstruction, one against a primary at
    /// range 3.
    pub(super) fn counts_defence_dice(&mut self, defender: &ObjectId, dice: usize) {
        if self.rules.tractored_agility != TractoredAgility::OneLessEachToken {
            return;
        }
        let (Some((attacker, ..)), Some((weapon, range))) = (&self.attack, self.fired) else {
            return;
        };
        let far = self.ships.get(attacker).is_some_and(|entry| {
            let weapon = entry.ship.weapons.get(weapon);
            range == 3 && weapon.is_some_and(|weapon| weapon.special.is_none())
        });
        let Some(entry) = self.ships.get(defender).filter(|entry| entry.plain) else {
            return;
        };
        let agility = entry.agility + 2 * u32::from(entry.tokens.cloak > 0);
        let most = agility.saturating_sub(entry.tokens.tractor) + u32::from(far) + u32::from(self.obstructed);
        self.check(dice as u32 <= most, || {
            format!("{defender} rolls {dice} defence dice of {most}")
        });
    }

    /// FE-10.3: the side whose enemies have lost more; `None` for a draw, or where a cost is not known.
    pub(super) fn ahead(&self) -> Option<&str> {
        let lost = |place: usize| -> Option<u32> {
            let own = self.ships.values().filter(|entry| entry.side == place);
            own.map(|entry| {
                let gone = matches!(entry.status, Status::Destroyed | Status::Removed);
                let whole = entry.hull + entry.most_shields;
                let left = entry.hull.saturating_sub(entry.cards + entry.more) + entry.shields;
                let halved = self.rules.large_half_points && entry.ship.size == Size::Large && 2 * left <= whole;
                match (gone, halved) {
                    (true, _) => entry.points,
                    (false, true) => Some(entry.points? / 2),
                    (false, false) => Some(0),
                }
            })
            .sum()
        };
        let (first, second) = (lost(0)?, lost(1)?);
        let ahead = match first.cmp(&second) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Greater => 1,
            std::cmp::Ordering::Equal => return None,
        };
        self.sides.get(ahead).map(|side| side.name.as_str())
    }
}
