//! What cards do all the time.

use super::support;
use crate::xwing::{
    battle::Battle,
    effects::{
        Primitive, Window,
        primitive::{ActionRule, ArcRuleWord, IgnoreObstacles},
    },
    obstacle::ObstacleKind,
    ship::ArcDirection,
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
        let subject = &mut self.table.ships[ship];
        subject.ignored_obstacles = ignored;
        if let Some(limit) = limit {
            // An indicator that points elsewhere is put right.
            if !subject.turret.is_empty() && !subject.turret.iter().all(|arc| limit.contains(arc)) {
                subject.turret = limit[..1].to_vec();
            }
            subject.turret_limit = limit;
        }
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
