//! The three ladders of SA-8: which line an action would meet, measured beforehand.

use super::{
    ActionDetail, ActionFailure, Effect, FullArc, Line, MoveResult, PlannedAction, RejectedAction,
    sequence::{Possible, PossibleKind},
};
use crate::{
    geometry::Pose,
    solo_alpha::{
        attitude::Attitude,
        nearest::{Measured, TIE_MM, enemies, tied_nearest},
        options::Options,
        outcome::best_heeding,
    },
    xwing::{
        ObjectId,
        action::{ActionKind, ColoredAction},
        maneuver::{Difficulty, Side},
        measure::{self, Arc, Object},
        movement::{self, MovementOptions},
        reposition::{self, BoostTemplate, Reposition},
        ship::{ArcDirection, Ship},
        size::Size,
        table::Table,
        weapon::{Requirement, Weapon, WeaponArc},
    },
};

/// One Perform Action step: the ship as it stands, and what its actions would do.
pub(super) struct Ladder<'a> {
    pub table: &'a Table,
    pub enemies: Vec<&'a Ship>,
    pub ship: Ship,
    /// Whether the ship has left the place that the table shows, so that a bump reported there is over (SA-0).
    moved: bool,
    pub attitude: Attitude,
    pub result: &'a MoveResult,
    movement: MovementOptions,
    options: &'a Options,
    pub rejected: Vec<RejectedAction>,
    /// Measured once for the ship as it stands; indices of `enemies`.
    exposed: Vec<usize>,
    targets: bool,
}

/// What an action changes, to be undone after looking at the link that follows it.
pub(super) struct Saved {
    ship: Ship,
    moved: bool,
    exposed: Vec<usize>,
    targets: bool,
}

impl<'a> Ladder<'a> {
    pub fn new(
        table: &'a Table,
        ship: Ship,
        moved: bool,
        attitude: Attitude,
        result: &'a MoveResult,
        movement: MovementOptions,
        options: &'a Options,
    ) -> Self {
        let mut enemies = enemies(&table.ships, &ship);
        enemies.sort_by(|a, b| a.id.cmp(&b.id));
        let mut ladder = Self {
            table,
            enemies,
            ship,
            moved,
            attitude,
            result,
            movement,
            options,
            rejected: Vec::new(),
            exposed: Vec::new(),
            targets: false,
        };
        ladder.look_around();
        ladder
    }

    fn look_around(&mut self) {
        match self.attitude {
            Attitude::Defensive => {
                self.exposed = (0..self.enemies.len())
                    .filter(|&i| covers(self.enemies[i], &Object::Ship(&self.ship)))
                    .collect();
            }
            Attitude::Offensive => {
                self.targets = self
                    .enemies
                    .iter()
                    .any(|enemy| covers(&self.ship, &Object::Ship(enemy)))
            }
            Attitude::Balanced => {}
        }
    }

    pub const fn line(&self, number: u8) -> Line {
        Line {
            attitude: self.attitude,
            number,
        }
    }

    /// Whether the ship may take an action now (SA-8): once a round, not stressed, ionized only focus, Force for purple.
    pub fn may_take(&self, action: ColoredAction) -> bool {
        !self.ship.performed.contains(&action.kind)
            && !self.ship.is_stressed()
            && (!self.result.ionized || action.kind == ActionKind::Focus)
            && (action.difficulty != Difficulty::Purple || self.ship.tokens.force > 0)
    }

    /// Carries an action out for the look at its link.
    pub fn enter(&mut self, action: &PlannedAction) -> Saved {
        let saved = Saved {
            ship: self.ship.clone(),
            moved: self.moved,
            exposed: self.exposed.clone(),
            targets: self.targets,
        };
        self.moved |= self.ship.pose != action.pose_after;
        action.apply(&mut self.ship);
        if changes_view(action.kind) {
            self.look_around();
        }
        saved
    }

    /// Takes it back.
    pub fn leave(&mut self, saved: Saved) {
        self.ship = saved.ship;
        self.moved = saved.moved;
        self.exposed = saved.exposed;
        self.targets = saved.targets;
    }

    /// Base to base distance to another ship, mm (SA-0).
    fn distance(&self, other: &Ship) -> f64 {
        if self.moved {
            measure::distance(self.ship.size, self.ship.pose, &Object::Ship(other))
        } else {
            measure::ship_distance(&self.ship, other)
        }
    }

    fn measured<'s>(&self, ships: impl Iterator<Item = &'s Ship>) -> Vec<Measured<'s>> {
        ships
            .map(|ship| Measured {
                object: Object::Ship(ship),
                distance: self.distance(ship),
            })
            .collect()
    }

    /// All ways to take an action that meet a line, and which line.
    pub fn possible(&mut self, kind: ActionKind) -> Vec<Possible> {
        use ActionKind as A;
        use Attitude::{Balanced, Defensive, Offensive};
        let tokens = &self.ship.tokens;
        match (self.attitude, kind) {
            // SA-8-D1, SA-8-O1: "else" gives the rank within the line.
            (Defensive, A::BarrelRoll) | (Offensive, A::BarrelRoll) => self.repositions(kind, 1, 0),
            (Defensive, A::Boost) | (Offensive, A::Boost) => self.repositions(kind, 1, 1),
            (Defensive, A::Slam) => self.slams(),
            (Offensive, A::RotateArc) => self.rotations(),
            // SA-8-B2
            (Balanced, A::BarrelRoll | A::Boost) => self.evasions(kind),
            (Defensive, A::Reinforce) => self.reinforcements(),
            (Defensive, A::Jam) => self.jams(),
            (Balanced, A::Coordinate) => self.coordinations(),
            (Offensive, A::Lock) => self.locks(),
            (Offensive, A::Reload) => self.reloads(),
            // SA-8-D4, SA-8-D5, SA-8-D6, SA-8-B3, SA-8-B4, SA-8-O5, SA-8-O6.
            (Defensive, A::Evade) if tokens.evade == 0 => self.token(4),
            (Defensive, A::Focus) if tokens.focus == 0 => self.token(5),
            (Defensive, A::Calculate) if tokens.calculate == 0 => self.token(6),
            (Balanced, A::Focus) if tokens.focus == 0 => self.token(3),
            (Balanced, A::Calculate) if tokens.calculate == 0 => self.token(4),
            (Offensive, A::Focus) if tokens.focus == 0 => self.token(5),
            (Offensive, A::Calculate) if tokens.calculate == 0 => self.token(6),
            _ => Vec::new(),
        }
    }

    fn stays(&self, line: u8, detail: ActionDetail, effect: Effect) -> Possible {
        Possible {
            line: Some(line),
            rank: 0,
            gain: 0.0,
            detail,
            pose: self.ship.pose,
            effect,
            kind: PossibleKind::Stays,
        }
    }

    fn token(&self, line: u8) -> Vec<Possible> {
        vec![self.stays(line, ActionDetail::Token, Effect::Lacking)]
    }

    fn reject(&mut self, kind: ActionKind, line: u8, detail: ActionDetail, pose: Pose, why: ActionFailure) {
        self.rejected.push(RejectedAction {
            action: PlannedAction {
                kind,
                difficulty: Difficulty::White,
                detail,
                pose_after: pose,
                line: Some(self.line(line)),
                effect: Effect::OpensLink,
            },
            why,
        });
    }

    /// Every barrel roll or boost, as it would come out.
    fn reposition_ends(&self, kind: ActionKind) -> Vec<(ActionDetail, Reposition)> {
        if kind == ActionKind::BarrelRoll {
            let slides = reposition::slides(self.ship.size);
            Side::BOTH
                .iter()
                .flat_map(|&side| slides.map(|slide_mm| (side, slide_mm)))
                .map(|(side, slide_mm)| {
                    let end = reposition::barrel_roll(self.table, &self.ship, side, slide_mm, &self.movement);
                    (ActionDetail::BarrelRoll { side, slide_mm }, end)
                })
                .collect()
        } else {
            BoostTemplate::ALL
                .iter()
                .map(|&template| {
                    let end = reposition::boost(self.table, &self.ship, template, &self.movement);
                    (ActionDetail::Boost(template), end)
                })
                .collect()
        }
    }

    /// SA-8-D1 and SA-8-O1 for barrel roll and boost.
    fn repositions(&mut self, kind: ActionKind, line: u8, rank: u8) -> Vec<Possible> {
        if !self.wants_new_place() {
            return Vec::new();
        }
        let mut possible = Vec::new();
        for (detail, end) in self.reposition_ends(kind) {
            let outcome = match end.blocked {
                Some(block) => Err(ActionFailure::Blocked(block)),
                None => self.effect_of_standing_at(end.pose),
            };
            match outcome {
                Ok(effect) => possible.push(Possible {
                    line: Some(line),
                    rank,
                    gain: 0.0,
                    detail,
                    pose: end.pose,
                    effect,
                    kind: PossibleKind::Moves,
                }),
                Err(why) => self.reject(kind, line, detail, end.pose, why),
            }
        }
        possible
    }

    /// Whether the condition of the first line holds: in an enemy's firing arc, or no enemy in its own.
    fn wants_new_place(&self) -> bool {
        match self.attitude {
            Attitude::Defensive => !self.exposed.is_empty(),
            Attitude::Offensive => !self.targets && !self.enemies.is_empty(),
            Attitude::Balanced => false,
        }
    }

    /// What standing there would do for the first line.
    fn effect_of_standing_at(&mut self, pose: Pose) -> Result<Effect, ActionFailure> {
        let here = std::mem::replace(&mut self.ship.pose, pose);
        let there = Object::Ship(&self.ship);
        let result = if self.attitude == Attitude::Defensive {
            // Counted per enemy, not per weapon.
            let left: Vec<_> = self
                .exposed
                .iter()
                .map(|&i| self.enemies[i])
                .filter(|enemy| !covers(enemy, &there))
                .map(|enemy| enemy.id.clone())
                .collect();
            if left.is_empty() {
                Err(ActionFailure::StaysInArcs)
            } else {
                Ok(Effect::LeavesArcs(left))
            }
        } else {
            let gained = self.covered_by(&self.ship);
            if gained.is_empty() {
                Err(ActionFailure::GainsNoTarget)
            } else {
                Ok(Effect::GainsTargets(gained))
            }
        };
        self.ship.pose = here;
        result
    }

    fn covered_by(&self, ship: &Ship) -> Vec<ObjectId> {
        self.enemies
            .iter()
            .filter(|enemy| covers(ship, &Object::Ship(enemy)))
            .map(|enemy| enemy.id.clone())
            .collect()
    }

    /// SA-8-D1 for SLAM: a maneuver of the speed just executed; one that would flee fails.
    fn slams(&mut self) -> Vec<Possible> {
        let Some(flown) = self.result.maneuver else {
            return Vec::new();
        };
        if !self.wants_new_place() {
            return Vec::new();
        }
        let (force, dial) = (self.ship.tokens.force, self.ship.dial.clone());
        let mut possible = Vec::new();
        let same_speed = dial.maneuvers().iter().filter(|m| m.speed == flown.speed);
        for &maneuver in same_speed.filter(|m| m.difficulty != Difficulty::Purple || force > 0) {
            let ends = movement::executions(self.table, &self.ship, maneuver, &self.movement);
            let mut failure = None;
            let mut good = Vec::new();
            for end in &ends {
                let outcome = if end.edge {
                    Err(ActionFailure::WouldFlee)
                } else {
                    self.effect_of_standing_at(end.pose)
                };
                match outcome {
                    Ok(effect) => good.push((end.pose, effect)),
                    Err(why) => failure = Some((end.pose, why)),
                }
            }
            let good = self.best_aligned(good);
            match (good, failure) {
                (Some((pose, effect)), _) => possible.push(Possible {
                    line: Some(1),
                    rank: 2,
                    gain: 0.0,
                    detail: ActionDetail::Slam(maneuver),
                    pose,
                    effect,
                    kind: PossibleKind::Moves,
                }),
                (None, Some((pose, why))) => self.reject(ActionKind::Slam, 1, ActionDetail::Slam(maneuver), pose, why),
                (None, None) => {}
            }
        }
        possible
    }

    /// SA-5: of a Tallon roll's ends that do what the line wants, the one that best heeds the row; without a requirement the
    /// first, which is the middle where that is among them.
    fn best_aligned(&self, mut ends: Vec<(Pose, Effect)>) -> Option<(Pose, Effect)> {
        let heed = self.result.heed.as_ref();
        let object = heed.and_then(|heed| Some((heed.word, Object::find(self.table, &heed.object)?)));
        if let Some((word, object)) = object.filter(|_| ends.len() > 1) {
            let distances: Vec<_> = ends
                .iter()
                .map(|(pose, _)| measure::distance(self.ship.size, *pose, &object))
                .collect();
            let best = *best_heeding(word, &distances).first()?;
            return Some(ends.swap_remove(best));
        }
        (!ends.is_empty()).then(|| ends.swap_remove(0))
    }

    /// SA-8-O1 for rotate.
    fn rotations(&mut self) -> Vec<Possible> {
        use ArcDirection::{Front, Left, Rear, Right};
        if !self.wants_new_place() {
            return Vec::new();
        }
        let double = self.ship.weapons.iter().any(|w| w.arc == WeaponArc::DoubleTurret);
        let single = self.ship.weapons.iter().any(|w| w.arc == WeaponArc::SingleTurret);
        let directions: &[&[ArcDirection]] = match (single, double) {
            (_, true) => &[&[Front, Rear], &[Left, Right]],
            (true, false) => &[&[Front], &[Rear], &[Left], &[Right]],
            (false, false) => &[],
        };
        let mut possible = Vec::new();
        for &arcs in directions {
            let pointed = |arc: &ArcDirection| self.ship.turret.contains(arc);
            // It must point elsewhere. A double turret may be told by one of its two directions.
            if (double && arcs.iter().any(pointed)) || arcs.iter().all(pointed) {
                continue;
            }
            let before = std::mem::replace(&mut self.ship.turret, arcs.to_vec());
            let gained = self.covered_by(&self.ship);
            self.ship.turret = before;
            let detail = ActionDetail::RotateArc(arcs.to_vec());
            if gained.is_empty() {
                let pose = self.ship.pose;
                self.reject(ActionKind::RotateArc, 1, detail, pose, ActionFailure::GainsNoTarget);
            } else {
                let mut turned = self.stays(1, detail, Effect::GainsTargets(gained));
                turned.rank = 2;
                possible.push(turned);
            }
        }
        possible
    }

    /// SA-8-B2: away from an obstacle in the bullseye at range 0-2.
    fn evasions(&mut self, kind: ActionKind) -> Vec<Possible> {
        let (size, pose) = (self.ship.size, self.ship.pose);
        let ahead: Vec<_> = self
            .table
            .obstacles
            .iter()
            .map(Object::Obstacle)
            .map(|object| Measured {
                object,
                distance: measure::distance(size, pose, &object),
            })
            .filter(|m| measure::range(m.distance).is_some_and(|range| range <= 2))
            .filter(|m| measure::in_arc(size, pose, Arc::Bullseye, &m.object))
            .collect();
        // Of several in the bullseye, the nearest; of several as near, the first by id.
        let Some(&Measured { object, distance }) = tied_nearest(&ahead).first() else {
            return Vec::new();
        };
        let mut possible = Vec::new();
        for (detail, end) in self.reposition_ends(kind) {
            let farther = measure::distance(size, end.pose, &object);
            let why = match end.blocked {
                Some(block) => Some(ActionFailure::Blocked(block)),
                None if farther <= distance + TIE_MM => Some(ActionFailure::NotFarther),
                None => None,
            };
            match why {
                Some(why) => self.reject(kind, 2, detail, end.pose, why),
                None => possible.push(Possible {
                    line: Some(2),
                    rank: 0,
                    gain: farther,
                    detail,
                    pose: end.pose,
                    effect: Effect::Farther {
                        obstacle: object.id().clone(),
                        from_mm: distance,
                        to_mm: farther,
                    },
                    kind: PossibleKind::Moves,
                }),
            }
        }
        possible
    }

    /// SA-8-D2: the full arc that holds the most enemies at any range; one across the middle line is in both.
    fn reinforcements(&self) -> Vec<Possible> {
        if self.enemies.is_empty() {
            return Vec::new();
        }
        let (size, pose) = (self.ship.size, self.ship.pose);
        let holds = |arc: Arc| {
            let inside = |enemy: &&&Ship| measure::in_arc(size, pose, arc, &Object::Ship(enemy));
            self.enemies.iter().filter(inside).count()
        };
        let (fore, aft) = (holds(Arc::FullFront), holds(Arc::FullRear));
        let sides = match fore.cmp(&aft) {
            std::cmp::Ordering::Greater => vec![FullArc::Fore],
            std::cmp::Ordering::Less => vec![FullArc::Aft],
            std::cmp::Ordering::Equal => self.side_of_nearest(),
        };
        sides
            .into_iter()
            .map(|side| self.stays(2, ActionDetail::Reinforce(side), Effect::Covers(fore.max(aft))))
            .collect()
    }

    /// The half that the centre of the nearest enemy lies in; both where it lies on the line or the nearest disagree.
    fn side_of_nearest(&self) -> Vec<FullArc> {
        let measured = self.measured(self.enemies.iter().copied());
        let mut sides: Vec<_> = tied_nearest(&measured)
            .iter()
            .flat_map(|m| {
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

    /// SA-8-D3: at range 1 without contact, the nearest enemy that maintains a lock first, else the nearest.
    fn jams(&self) -> Vec<Possible> {
        let mut near = self.measured(self.enemies.iter().copied());
        near.retain(|m| measure::range(m.distance) == Some(1));
        let locking = |m: &Measured| matches!(m.object, Object::Ship(ship) if !ship.locks.is_empty());
        if near.iter().any(locking) {
            near.retain(locking);
        }
        self.on_nearest(3, &near, ActionDetail::Jam)
    }

    /// One possibility for each of the nearest: more than one is a tie, for the roll that chooses between sequences.
    fn on_nearest(&self, line: u8, measured: &[Measured], detail: impl Fn(ObjectId) -> ActionDetail) -> Vec<Possible> {
        tied_nearest(measured)
            .iter()
            .map(|m| self.stays(line, detail(m.object.id().clone()), Effect::On(m.distance)))
            .collect()
    }

    /// SA-8-B1: the nearest unstressed friendly ship at range 1-2 that has no coordinate and can perform an action.
    fn coordinations(&self) -> Vec<Possible> {
        let friends = self
            .table
            .ships_in_play()
            .filter(|other| other.id != self.ship.id && !other.is_enemy_of(&self.ship))
            .filter(|other| other.actions.iter().all(|a| a.action.kind != ActionKind::Coordinate))
            .filter(|other| can_act(other));
        let mut near = self.measured(friends);
        near.retain(|m| matches!(measure::range(m.distance), Some(1 | 2)));
        self.on_nearest(1, &near, ActionDetail::Coordinate)
    }

    /// SA-8-O2 and O3.
    fn locks(&self) -> Vec<Possible> {
        let measured = self.measured(self.enemies.iter().copied());
        // SA-8-O2: weapons in the order of SA-9.
        let mut weapons: Vec<_> = self.ship.weapons.iter().filter(|w| self.asks_for_lock(w)).collect();
        weapons.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.id.cmp(&b.id)));
        for weapon in weapons {
            let inside: Vec<_> = measured
                .iter()
                .copied()
                .filter(|m| reaches(&self.ship, weapon, &m.object))
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
    fn reloads(&self) -> Vec<Possible> {
        if self.targets {
            return Vec::new();
        }
        let special = self.ship.weapons.iter().find_map(|weapon| {
            let special = weapon.special.as_ref()?;
            let lacks = special.charges.is_some_and(|charges| charges.left < charges.max);
            (matches!(special.slot.as_str(), "Torpedo" | "Missile" | "Device") && lacks).then_some(&weapon.id)
        });
        let device = || {
            let device = self.ship.device.as_ref()?;
            (device.charges.left < device.charges.max).then_some(&device.id)
        };
        let upgrade = special.or_else(device);
        upgrade
            .map(|id| self.stays(4, ActionDetail::Reload(id.clone()), Effect::Lacking))
            .into_iter()
            .collect()
    }

    /// Why no action meets a line, in words.
    pub fn why_not(&self, number: u8) -> &'static str {
        use Attitude::{Balanced, Defensive, Offensive};
        match (self.attitude, number) {
            (Defensive, 1) if self.exposed.is_empty() => "it is in no enemy's firing arc",
            (Defensive, 1) => "no barrel roll, boost or SLAM takes it out of an enemy's firing arc",
            (Defensive, 2) => "it cannot reinforce, or there is no enemy",
            (Defensive, 3) => "it cannot jam an enemy at range 1",
            (Defensive, 4) => "it has an evade token or cannot evade",
            (Defensive, 5) | (Balanced, 3) | (Offensive, 5) => "it has a focus token or cannot focus",
            (Defensive, 6) | (Balanced, 4) | (Offensive, 6) => "it has a calculate token or cannot calculate",
            (Balanced, 1) => "it cannot coordinate a friendly ship",
            (Balanced, 2) => "no obstacle is ahead, or no barrel roll or boost takes it farther from it",
            (Offensive, 1) if self.targets => "an enemy is in its firing arc",
            (Offensive, 1) => "no barrel roll, boost or rotation puts an enemy in its firing arc",
            (Offensive, 2) => "no weapon that needs a lock has an enemy to lock in its arc and range",
            (Offensive, 3) => "it cannot lock the nearest enemy",
            (Offensive, 4) => "an enemy is in its firing arc, or it has nothing to reload",
            _ => "no such line",
        }
    }

    /// The last line of the attitude's ladder.
    pub const fn last_line(&self) -> u8 {
        match self.attitude {
            Attitude::Balanced => 4,
            Attitude::Defensive | Attitude::Offensive => 6,
        }
    }

    /// How far off the nose the nearest enemy would be from there, degrees; of several as near, the least (SA-5).
    pub fn nearest_enemy_off_nose(&self, pose: Pose) -> f64 {
        let measured: Vec<_> = self
            .enemies
            .iter()
            .map(|enemy| Measured {
                object: Object::Ship(enemy),
                distance: measure::distance(self.ship.size, pose, &Object::Ship(enemy)),
            })
            .collect();
        tied_nearest(&measured)
            .iter()
            .map(|m| {
                let bearing = (m.object.centre() - pose.position).bearing();
                crate::geometry::angle::signed(bearing - pose.heading).abs()
            })
            .fold(f64::INFINITY, f64::min)
    }
}

/// Whether an action changes who sees whom.
pub(super) const fn changes_view(kind: ActionKind) -> bool {
    matches!(
        kind,
        ActionKind::BarrelRoll | ActionKind::Boost | ActionKind::Slam | ActionKind::RotateArc
    )
}

/// SA-8 *in a firing arc*: in any arc of any weapon, the part inside the arc at range 0-3.
fn covers(shooter: &Ship, target: &Object) -> bool {
    let Object::Ship(other) = target else {
        return false;
    };
    // No corner is farther out than the diagonal, so most pairs need no exact distance.
    let reach = 301.0 + circumradius(shooter.size) + circumradius(other.size);
    if shooter.pose.position.distance(other.pose.position) > reach {
        return false;
    }
    let mut seen: u8 = 0;
    for arc in shooter
        .weapons
        .iter()
        .flat_map(|weapon| measure::weapon_arcs(weapon, &shooter.turret))
    {
        let bit = 1 << arc as u8;
        if seen & bit == 0 {
            seen |= bit;
            let inside = measure::distance_in_arc(shooter.size, shooter.pose, arc, target);
            if inside.is_some_and(|mm| measure::range(mm).is_some()) {
                return true;
            }
        }
    }
    false
}

fn circumradius(size: Size) -> f64 {
    (size.base_mm() + size.length_mm()) / 2.0
}

/// Whether a target is in a weapon's arc and range, measured inside the arc (SA-9).
fn reaches(ship: &Ship, weapon: &Weapon, target: &Object) -> bool {
    measure::weapon_arcs(weapon, &ship.turret).any(|arc| {
        measure::distance_in_arc(ship.size, ship.pose, arc, target)
            .and_then(measure::range)
            .is_some_and(|range| (weapon.min_range..=weapon.max_range).contains(&range))
    })
}

/// Whether a friendly ship could perform an action now.
fn can_act(ship: &Ship) -> bool {
    !ship.is_stressed()
        && ship.actions.iter().any(|bar| {
            !ship.performed.contains(&bar.action.kind)
                && (bar.action.difficulty != Difficulty::Purple || ship.tokens.force > 0)
                && (!ship.is_ionized() || bar.action.kind == ActionKind::Focus)
        })
}
