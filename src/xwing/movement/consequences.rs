//! What a maneuver does beside the move: Check Difficulty, the edge, ion tokens, and the dice of obstacles (SA-7, FE-4.8).

use crate::{
    dice::AttackFace,
    xwing::{
        ObjectId,
        edition::{ObstacleMet, Rules},
        maneuver::Difficulty,
        movement::Execution,
        obstacle::ObstacleKind,
        ship::{Ship, Tokens},
        table::Table,
    },
};

/// What an obstacle is by the rules of the table, by its id: the rulebook of 2012 knows asteroids alone (FE-14.6).
pub fn obstacle_kind(table: &Table, id: &ObjectId) -> Option<ObstacleKind> {
    let obstacle = table.obstacles.iter().find(|o| o.id == *id)?;
    Some(match table.rules.obstacle_met {
        ObstacleMet::Second | ObstacleMet::First => obstacle.kind,
        ObstacleMet::Rulebook2012 => ObstacleKind::Asteroid,
    })
}

/// Whether an obstacle of that kind has an effect on ships that meet it. The first edition has no gas clouds: one that lies
/// there all the same does nothing to them.
pub(super) fn has_effect(rules: &Rules, kind: ObstacleKind) -> bool {
    rules.obstacle_met != ObstacleMet::First || kind != ObstacleKind::GasCloud
}

/// Whether the dice of obstacles are rolled in place of the Perform Action step or after it (FE-4.8), not at once (SA-7).
pub(in crate::xwing) fn dice_come_later(rules: &Rules) -> bool {
    rules.obstacle_met != ObstacleMet::Second
}

/// The tokens after Check Difficulty, then debris and the edge (SA-7, FE-4.8, FE-SOLO-6), and after an ion maneuver (SA-6.1,
/// FE-7.2).
pub fn tokens_after(table: &Table, ship: &Ship, execution: &Execution) -> Tokens {
    let mut tokens = ship.tokens;
    match execution.maneuver.difficulty {
        Difficulty::Blue => {
            for token in [&mut tokens.stress, &mut tokens.strain, &mut tokens.deplete] {
                *token = token.saturating_sub(1);
            }
        }
        Difficulty::White => {}
        Difficulty::Red => tokens.stress = tokens.stress.saturating_add(1),
        Difficulty::Purple => tokens.force = tokens.force.saturating_sub(1),
    }
    let debris = execution
        .suffered
        .iter()
        .filter(|id| obstacle_kind(table, id) == Some(ObstacleKind::Debris))
        .count();
    tokens.stress = tokens.stress.saturating_add(debris as u32);
    if execution.edge {
        tokens.stress = tokens.stress.saturating_add(1);
        tokens.disarm = tokens.disarm.saturating_add(1);
    }
    if ship.is_ionized() {
        tokens.ion = 0;
    }
    tokens
}

/// What the die does that an obstacle asks for (SA-7, FE-4.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObstacleEffect {
    /// Nothing.
    Nothing,
    /// The ship suffers 1 hit.
    Hit,
    /// The ship suffers 1 crit.
    Crit,
    /// The ship gains 1 strain token.
    Strain,
}

/// What a face of the attack die means for a ship that meets such an obstacle.
pub const fn obstacle_effect(kind: ObstacleKind, face: AttackFace) -> ObstacleEffect {
    match (kind, face) {
        (ObstacleKind::Asteroid, AttackFace::Hit) => ObstacleEffect::Hit,
        (ObstacleKind::Asteroid | ObstacleKind::Debris, AttackFace::Crit) => ObstacleEffect::Crit,
        (ObstacleKind::GasCloud, AttackFace::Hit | AttackFace::Focus) => ObstacleEffect::Strain,
        _ => ObstacleEffect::Nothing,
    }
}
