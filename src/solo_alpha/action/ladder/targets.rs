//! The lines that choose a target, a side or a card: reinforce, jam, coordinate, lock, reload.

use super::{
    super::{ActionDetail, Effect, FullArc, sequence::Possible},
    Ladder, open_to_ionized,
    sight::{covers, reaches},
};
use crate::{
    solo_alpha::nearest::{Measured, TIE_MM, tied_nearest},
    xwing::{
        ObjectId,
        action::ActionKind,
        device::DeviceBook,
        edition::{
            Rules,
            topic::{Jam, Reinforce, Reload},
        },
        maneuver::Difficulty,
        measure::{self, Arc, Object},
        ship::Ship,
        weapon::{Requirement, Weapon},
    },
};

impl Ladder<'_> {
    /// SA-8-D2: the side that holds the most enemies at any range. It is a full arc, where one across the middle line is in
    /// both; or, where the token works so, fore are the own printed arcs and aft is everything else (FE-SOLO-8, FE-6.9).
    pub(super) fn reinforcements(&self) -> Vec<Possible> {
        if self.enemies.is_empty() {
            return Vec::new();
        }
        let (print, pose) = (self.ship.print(), self.ship.pose);
        let holds = |arc: Arc| {
            let inside = |enemy: &&&Ship| measure::in_arc(print, pose, arc, &Object::Ship(enemy));
            self.enemies.iter().filter(inside).count()
        };
        let (fore, aft) = match self.table.rules.reinforce {
            Reinforce::CancelsOne => (holds(Arc::FullFront), holds(Arc::FullRear)),
            Reinforce::AddsAnEvade => {
                let ahead = |enemy: &&&Ship| self.in_printed_arcs(&Object::Ship(enemy));
                let fore = self.enemies.iter().filter(ahead).count();
                (fore, self.enemies.len() - fore)
            }
        };
        let sides = match fore.cmp(&aft) {
            std::cmp::Ordering::Greater => vec![FullArc::Fore],
            std::cmp::Ordering::Less => vec![FullArc::Aft],
            std::cmp::Ordering::Equal => self.side_of_nearest(),
        };
        let most = fore.max(aft);
        let effect = match self.table.rules.reinforce {
            Reinforce::CancelsOne => Effect::Covers(most),
            Reinforce::AddsAnEvade => Effect::CoversSide(most),
        };
        sides
            .into_iter()
            .map(|side| self.stays(2, ActionDetail::Reinforce(side), effect.clone()))
            .collect()
    }

    /// FE-6.9: whether an object is in the front arc or an auxiliary arc of the ship, with any part.
    fn in_printed_arcs(&self, object: &Object) -> bool {
        let ship = &self.ship;
        let printed = (ship.weapons.iter().filter(|weapon| weapon.special.is_none()))
            .flat_map(|weapon| measure::weapon_arcs(weapon.arc, &[]))
            .filter(|arc| matches!(arc, Arc::Rear | Arc::FullFront));
        std::iter::once(Arc::Front)
            .chain(printed)
            .any(|arc| measure::in_arc(ship.print(), ship.pose, arc, object))
    }

    /// The side of the nearest enemy: by the half that its centre lies in, both where it lies on the line, or by the printed
    /// arcs; both where the nearest disagree.
    fn side_of_nearest(&self) -> Vec<FullArc> {
        let measured = self.measured(self.enemies.iter().copied());
        let mut sides: Vec<_> = tied_nearest(&measured)
            .iter()
            .flat_map(|m| {
                if self.table.rules.reinforce == Reinforce::AddsAnEvade {
                    let ahead = self.in_printed_arcs(&m.object);
                    return [ahead.then_some(FullArc::Fore), (!ahead).then_some(FullArc::Aft)];
                }
                let along = self.ship.pose.to_local(m.object.centre()).y;
                [
                    (along >= -TIE_MM).then_some(FullArc::Fore),
                    (along <= TIE_MM).then_some(FullArc::Aft),
                ]
            })
            .flatten()
            .collect();
        sides.sort_unstable();
        sides.dedup();
        sides
    }

    /// SA-8-D3: of those that it may jam, the nearest enemy that maintains a lock first, else the nearest.
    pub(super) fn jams(&self) -> Vec<Possible> {
        let mut near = self.measured(self.enemies.iter().copied());
        near.retain(|m| self.may_jam(m));
        let locking = |m: &Measured| matches!(m.object, Object::Ship(ship) if !ship.locks.is_empty());
        if near.iter().any(locking) {
            near.retain(locking);
        }
        self.on_nearest(3, &near, ActionDetail::Jam)
    }

    /// At range 1 without contact; or as FE-6.7 allows: without a jam token, at range 1, a ship in contact too, or at range 2
    /// in the front arc.
    fn may_jam(&self, enemy: &Measured) -> bool {
        let range = self.table.rules.range(enemy.distance);
        match self.table.rules.jam {
            Jam::JammerPicks => range == Some(1),
            Jam::OwnerPicks { range_1_only } => {
                let jammed = matches!(enemy.object, Object::Ship(ship) if ship.tokens.jam > 0);
                let ahead = || measure::in_arc(self.ship.print(), self.ship.pose, Arc::Front, &enemy.object);
                !jammed && (range == Some(1) || (range == Some(2) && !range_1_only && ahead()))
            }
        }
    }

    /// One possibility for each of the nearest: more than one is a tie, for the roll that chooses between sequences.
    fn on_nearest(&self, line: u8, measured: &[Measured], detail: impl Fn(ObjectId) -> ActionDetail) -> Vec<Possible> {
        tied_nearest(measured)
            .iter()
            .map(|m| self.stays(line, detail(m.object.id().clone()), Effect::On(m.distance)))
            .collect()
    }

    /// SA-8-B1: the nearest unstressed friendly ship at range 1-2 that has no coordinate and can perform an action.
    pub(super) fn coordinations(&self) -> Vec<Possible> {
        let friends = self
            .table
            .ships_in_play()
            .filter(|other| other.id != self.ship.id && !other.is_enemy_of(&self.ship))
            .filter(|other| other.actions.iter().all(|a| a.action.kind != ActionKind::Coordinate))
            .filter(|other| can_act(&self.table.rules, other));
        let mut near = self.measured(friends);
        near.retain(|m| matches!(self.table.rules.range(m.distance), Some(1 | 2)));
        self.on_nearest(1, &near, ActionDetail::Coordinate)
    }

    /// SA-8-O2 and O3.
    pub(super) fn locks(&self) -> Vec<Possible> {
        let lockable = self
            .enemies
            .iter()
            .copied()
            .filter(|enemy| !enemy.standing.cannot_be_locked);
        let measured = self.measured(lockable);
        // PE-A5: at range 1-3 the shuttle is locked, and where it is locked already nobody else.
        if let Some(first) = &self.options.prefers {
            let preferred: Vec<_> = (measured.iter().copied())
                .filter(|m| m.object.id() == first && measure::range(m.distance).is_some())
                .collect();
            if !preferred.is_empty() {
                let for_weapon = self.ship.weapons.iter().any(|weapon| self.asks_for_lock(weapon));
                return self.lock_on(if for_weapon { 2 } else { 3 }, &preferred);
            }
        }
        // SA-8-O2: weapons in the order of SA-9.
        let mut weapons: Vec<_> = self.ship.weapons.iter().filter(|w| self.asks_for_lock(w)).collect();
        weapons.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.id.cmp(&b.id)));
        for weapon in weapons {
            let inside: Vec<_> = measured
                .iter()
                .copied()
                .filter(|m| reaches(&self.table.rules, &self.ship, weapon, &m.object))
                .collect();
            let found = self.lock_on(2, &inside);
            if !found.is_empty() {
                return found;
            }
        }
        // SA-8-O3
        let covered: Vec<_> = measured
            .iter()
            .copied()
            .filter(|m| covers(&self.ship, &m.object))
            .collect();
        if covered.is_empty() {
            self.lock_on(3, &measured)
        } else {
            self.lock_on(3, &covered)
        }
    }

    fn asks_for_lock(&self, weapon: &Weapon) -> bool {
        weapon.special.as_ref().is_some_and(|special| {
            special.requires.contains(&Requirement::Lock)
                && (self.options.lock_for_empty_weapons || special.charges.is_none_or(|charges| charges.left > 0))
        })
    }

    /// A lock on the nearest of these, within the range of the lock action. One that it holds already has no effect.
    fn lock_on(&self, line: u8, measured: &[Measured]) -> Vec<Possible> {
        let mut found = self.on_nearest(line, measured, ActionDetail::Lock);
        found.retain(|possible| match (&possible.detail, &possible.effect) {
            (ActionDetail::Lock(id), Effect::On(mm)) => measure::range(*mm).is_some() && !self.ship.locks.contains(id),
            _ => false,
        });
        found
    }

    /// SA-8-O4: no enemy in its firing arc, and a torpedo, missile or device lacks a charge.
    pub(super) fn reloads(&self) -> Vec<Possible> {
        if self.targets {
            return Vec::new();
        }
        let special = self.ship.weapons.iter().find_map(|weapon| {
            let special = weapon.special.as_ref()?;
            let lacks = special.charges.is_some_and(|charges| charges.left < charges.max);
            (matches!(special.slot.as_str(), "Torpedo" | "Missile" | "Device") && lacks).then_some(&weapon.id)
        });
        // FE-6.10: it leaves bombs out.
        let device = || {
            if self.table.rules.reload == Reload::AllCards {
                return None;
            }
            let device = self.ship.device.as_ref()?;
            let recovers = DeviceBook::embedded()
                .device(&device.id)
                .is_none_or(|known| !known.keeps_no_charge);
            (recovers && device.charges.left < device.charges.max).then_some(&device.id)
        };
        let upgrade = special.or_else(device);
        upgrade
            .map(|id| self.stays(4, ActionDetail::Reload(id.clone()), Effect::Lacking))
            .into_iter()
            .collect()
    }
}

/// Whether a friendly ship could perform an action now.
fn can_act(rules: &Rules, ship: &Ship) -> bool {
    !ship.standing.cannot_be_coordinated
        && ship.actions.iter().any(|bar| {
            !ship.performed.contains(&bar.action.kind)
                && ship.may_act(bar.action)
                && (bar.action.difficulty != Difficulty::Purple || ship.tokens.force > 0)
                && (!ship.is_ionized() || open_to_ionized(rules, bar.action.kind))
        })
}
