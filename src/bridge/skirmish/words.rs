//! Steps of a skirmish on the wire.

use crate::{
    game::skirmish::Step,
    protocol::{apply::WireStep, grid::BoardStep},
    swm::{map::Place, square::Square},
};

/// Where a door is, as the edges of a snapshot are written.
fn place(place: Place) -> String {
    match place {
        Place::Square(at) => at.to_string(),
        Place::East(at) => format!("{at}-{}", Square::new(at.column + 1, at.row)),
        Place::South(at) => format!("{at}-{}", Square::new(at.column, at.row + 1)),
    }
}

/// A step as a table is told it.
pub(super) fn step(step: &Step) -> WireStep {
    let does = match step.clone() {
        Step::Say { figure, text } => {
            return WireStep::Say { object: figure, text };
        }
        Step::Walk { figure, from, way } => BoardStep::Walk {
            figure,
            from: from.to_string(),
            way: way.iter().map(ToString::to_string).collect(),
        },
        Step::Attack {
            figure,
            target,
            rolled,
            bonus,
            defense,
            hit,
            critical,
            text,
        } => BoardStep::Attack {
            figure,
            target,
            rolled,
            total: i32::from(rolled) + i32::from(bonus),
            defense: i32::from(defense),
            hit,
            critical,
            text,
        },
        Step::Damage { figure, left } => BoardStep::Damage { figure, left },
        Step::Force { figure, left } => BoardStep::Force { figure, left },
        Step::Activated { figure, activated } => BoardStep::Activated { figure, activated },
        Step::Remove { figure } => BoardStep::Remove { figure },
        Step::Put {
            figure,
            at,
            hit_points,
            force,
            activated,
        } => BoardStep::Put {
            figure,
            at: at.to_string(),
            hp: hit_points,
            force,
            activated,
        },
        Step::Door { place: at, open, .. } => BoardStep::Door { place: place(at), open },
    };
    WireStep::Board { does }
}
