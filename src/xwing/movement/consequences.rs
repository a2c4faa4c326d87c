//! What a maneuver does beside the move: Check Difficulty, the edge, ion tokens, and the dice of obstacles (SA-7).

use crate::{
    dice::AttackFace,
    xwing::{
        ObjectId,
        maneuver::Difficulty,
        movement::Execution,
        obstacle::ObstacleKind,
        ship::{Ship, Tokens},
        table::Table,
    },
};

/// What an obstacle is, by its id.
pub fn obstacle_kind(table: &Table, id: &ObjectId) -> Option<ObstacleKind> {
    table.obstacles.iter().find(|o| o.id == *id).map(|o| o.kind)
}

/// The tokens after Check Difficulty, then debris and the edge (SA-7), and after an ion maneuver (SA-6.1).
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

/// What the die does that an obstacle asks for (SA-7).
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
