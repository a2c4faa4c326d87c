//! What cards do all the time.

use super::support;
use crate::xwing::{
    battle::Battle,
    effects::{
        Primitive, Window,
        primitive::{ActionRule, ArcRuleWord, IgnoreObstacles, WeaponRule},
    },
    obstacle::ObstacleKind,
    ship::ArcDirection,
    weapon::WeaponArc,
};

impl Battle {
    fn standing(&self, ship: usize) -> impl Iterator<Item = &Primitive> {
        let passive = self
            .effects_of(ship)
            .map(|(_, effect)| effect)
            .filter(|effect| {
                effect.on.window.contains(&Window::Passive) || effect.on.window.contains(&Window::WhileAction)
            })
            .filter(|effect| effect.conditions.is_empty() && effect.cost.is_empty());
        passive
            .flat_map(|effect| &effect.steps)
            .filter(|step| support::stands(step))
    }

    /// Lets what cards do all the time take hold of a ship that comes into play.
    pub(in crate::xwing::battle) fn put_standing_in_force(&mut self, ship: usize) {
        use ArcDirection::{Front, Left, Rear, Right};
        let mut limit: Option<Vec<ArcDirection>> = None;
        for step in self.standing(ship) {
            let only: &[ArcDirection] = match step {
                Primitive::ArcRule(rule) if rule.rule == ArcRuleWord::TurretFrontOrRear => &[Front, Rear],
                Primitive::ArcRule(rule) if rule.rule == ArcRuleWord::TurretNotRear => &[Front, Left, Right],
                Primitive::ActionRule(rules) if rules.contains(&ActionRule::OnlyFrontOrRear) => &[Front, Rear],
                _ => continue,
            };
            let before = limit.unwrap_or_else(|| vec![Front, Rear, Left, Right]);
            limit = Some(before.into_iter().filter(|arc| only.contains(arc)).collect());
        }
        let ignored = self.ignored(ship);
        let swivels = self.weapons_on_turrets(ship);
        let subject = &mut self.table.ships[ship];
        subject.ignored_obstacles = ignored;
        // What had to be fired to the front is fired in the turret's arc instead.
        let arms = subject
            .weapons
            .iter_mut()
            .filter(|weapon| weapon.arc == WeaponArc::Front);
        for weapon in arms {
            let slot = weapon.special.as_ref().map(|special| special.slot.as_str());
            if slot.is_some_and(|slot| swivels.contains(&slot)) {
                weapon.arc = WeaponArc::SingleTurret;
            }
        }
        if let Some(limit) = limit {
            // An indicator that points elsewhere is put right.
            if !subject.turret.is_empty() && !subject.turret.iter().all(|arc| limit.contains(arc)) {
                subject.turret = limit[..1].to_vec();
            }
            subject.turret_limit = limit;
        }
    }

    /// The kinds of special weapons that a ship fires in its turret's arc.
    fn weapons_on_turrets(&self, ship: usize) -> Vec<&'static str> {
        let rules = self.standing(ship).filter_map(|step| match step {
            Primitive::WeaponRule(rules) => Some(rules),
            _ => None,
        });
        let slots = rules.flat_map(|rules| rules.iter()).filter_map(|rule| match rule {
            WeaponRule::MissileTurretArc => Some("Missile"),
            WeaponRule::CannonTurretArc => Some("Cannon"),
            _ => None,
        });
        slots.collect()
    }

    /// The obstacles that a ship ignores while it moves.
    fn ignored(&self, ship: usize) -> Vec<ObstacleKind> {
        let mut ignored = Vec::new();
        for step in self.standing(ship) {
            let Primitive::IgnoreObstacles(words) = step else {
                continue;
            };
            for word in words {
                match word {
                    IgnoreObstacles::AsteroidsMoving => ignored.push(ObstacleKind::Asteroid),
                    IgnoreObstacles::Moving => {
                        ignored.extend([ObstacleKind::Asteroid, ObstacleKind::Debris, ObstacleKind::GasCloud]);
                    }
                    _ => {}
                }
            }
        }
        ignored.sort_unstable();
        ignored.dedup();
        ignored
    }
}
