//! The lines that move the ship or turn its turret: SA-8-D1, SA-8-B2, SA-8-O1.

use super::{
    super::{
        ActionDetail, ActionFailure, Effect,
        sequence::{Possible, PossibleKind},
    },
    Ladder,
    sight::covers,
};
use crate::{
    geometry::{Pose, angle},
    solo_alpha::{
        attitude::Attitude,
        nearest::{Measured, TIE_MM, tied_nearest},
        outcome::best_heeding,
    },
    xwing::{
        ObjectId,
        action::ActionKind,
        edition::solo::Rotation,
        maneuver::{Difficulty, Maneuver},
        measure::{self, Arc, Object},
        movement, reposition,
        ship::Ship,
    },
};

impl Ladder<'_> {
    /// SA-8-D1 and SA-8-O1 for barrel roll and boost.
    pub(super) fn repositions(&mut self, kind: ActionKind, line: u8, rank: u8) -> Vec<Possible> {
        if !self.wants_new_place() {
            return Vec::new();
        }
        let mut possible = Vec::new();
        let ends: Vec<_> = reposition::ends(self.table, &self.ship, kind, &self.movement).collect();
        for (detail, end) in ends {
            let outcome = match end.in_the_way() {
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
    pub(super) fn slams(&mut self) -> Vec<Possible> {
        let Some(flown) = self.result.maneuver else {
            return Vec::new();
        };
        if !self.wants_new_place() {
            return Vec::new();
        }
        let (force, dial) = (self.ship.tokens.force, self.ship.dial.clone());
        // A card may let it act while it is stressed; a red maneuver is no less red for that.
        let legal = |m: &&Maneuver| self.ship.may_fly(**m) && (m.difficulty != Difficulty::Purple || force > 0);
        let mut possible = Vec::new();
        let same_speed = dial.maneuvers().iter().filter(|m| m.speed == flown.speed);
        let legal: Vec<Maneuver> = same_speed.filter(legal).copied().collect();
        for maneuver in legal {
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
            let slam = |pose: Pose| {
                let end = ends.iter().find(|end| end.pose == pose);
                let alignment = end.and_then(|end| end.alignment).unwrap_or_default();
                ActionDetail::Slam { maneuver, alignment }
            };
            match (good, failure) {
                (Some((pose, effect)), _) => possible.push(Possible {
                    line: Some(1),
                    rank: 2,
                    gain: 0.0,
                    detail: slam(pose),
                    pose,
                    effect,
                    kind: PossibleKind::Moves,
                }),
                (None, Some((pose, why))) => self.reject(ActionKind::Slam, 1, slam(pose), pose, why),
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

    /// FE-SOLO-8: of the directions that put enemies in an arc, those that hold the nearest.
    fn towards_the_nearest(&self, mut turned: Vec<Possible>) -> Vec<Possible> {
        let mut gained: Vec<&Ship> = Vec::new();
        for possible in &turned {
            if let Effect::GainsTargets(ids) = &possible.effect {
                gained.extend(self.enemies.iter().filter(|enemy| ids.contains(&enemy.id)));
            }
        }
        gained.sort_by(|a, b| a.id.cmp(&b.id));
        gained.dedup_by(|a, b| a.id == b.id);
        let measured = self.measured(gained.into_iter());
        let nearest: Vec<ObjectId> = tied_nearest(&measured).iter().map(|m| m.object.id().clone()).collect();
        turned.retain(|possible| {
            matches!(&possible.effect, Effect::GainsTargets(ids) if ids.iter().any(|id| nearest.contains(id)))
        });
        turned
    }

    /// SA-8-O1 for rotate.
    pub(super) fn rotations(&mut self) -> Vec<Possible> {
        if !self.wants_new_place() {
            return Vec::new();
        }
        let directions: Vec<_> = self.ship.turret_turns().collect();
        let mut possible = Vec::new();
        for arcs in directions {
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
        match self.table.rules.solo.rotation {
            Rotation::AnyEnemy => possible,
            Rotation::NearestEnemy => self.towards_the_nearest(possible),
        }
    }

    /// SA-8-B2: away from an obstacle in the bullseye at range 0-2.
    pub(super) fn evasions(&mut self, kind: ActionKind) -> Vec<Possible> {
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
            .filter(|m| measure::in_arc(self.ship.print(), pose, Arc::Bullseye, &m.object))
            .collect();
        // Of several in the bullseye, the nearest; of several as near, the first by id.
        let Some(&Measured { object, distance }) = tied_nearest(&ahead).first() else {
            return Vec::new();
        };
        let mut possible = Vec::new();
        let ends: Vec<_> = reposition::ends(self.table, &self.ship, kind, &self.movement).collect();
        for (detail, end) in ends {
            let farther = measure::distance(size, end.pose, &object);
            let why = match end.in_the_way() {
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

    /// How far off the nose the nearest enemy would be from there, degrees; of several as near, the least (SA-5).
    pub(in super::super) fn nearest_enemy_off_nose(&self, pose: Pose) -> f64 {
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
                angle::signed(bearing - pose.heading).abs()
            })
            .fold(f64::INFINITY, f64::min)
    }
}
