//! What pictures of a game show beside the table.

use crate::{
    geometry::Pose,
    render::Trail,
    xwing::{
        ObjectId,
        battle::{Battle, Event},
    },
};

/// Where the ships have been since the round began.
pub fn trails(battle: &Battle) -> Vec<Trail> {
    let events = battle.events();
    let began = events.iter().rposition(|event| matches!(event, Event::RoundBegan(_)));
    let mut trails: Vec<Trail> = Vec::new();
    let mut moved = |ship: &ObjectId, from: Pose, to: Pose| {
        if from == to {
            return;
        }
        match trails.iter_mut().find(|trail| trail.ship == *ship) {
            Some(trail) => trail.poses.push(from),
            None => {
                let Some(there) = battle.table().ship(ship) else { return };
                trails.push(Trail {
                    ship: ship.clone(),
                    side: there.side.clone(),
                    size: there.size,
                    poses: vec![from],
                });
            }
        }
    };
    for event in &events[began.unwrap_or(0)..] {
        match event {
            Event::Flew { ship, from, to, .. } | Event::Acted { ship, from, to, .. } => moved(ship, *from, *to),
            _ => {}
        }
    }
    trails
}
