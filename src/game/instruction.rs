//! Steps in plain words, for tables and players that carry them out by hand.

use super::step::{Movement, Step, Token};
use crate::{
    geometry::Pose,
    solo_alpha::sentence::SpokenIn,
    xwing::{
        edition::Edition,
        maneuver::{Bearing, Side},
        ship::ArcDirection,
    },
};

/// The step as an instruction to the players, in the words of their edition.
pub fn sentence(step: &Step, edition: Edition, name: impl Fn(&str) -> String) -> String {
    match step {
        Step::Say { text, .. } => text.clone(),
        Step::Show { ship, .. } => format!("Look at {}.", name(ship)),
        Step::Dial { ship, maneuver } => {
            format!(
                "Please set the dial of {} to {}.",
                name(ship),
                SpokenIn(edition, *maneuver)
            )
        }
        Step::Move { ship, movement, .. } => {
            format!("Please move {}: {}.", name(ship), movement_words(edition, *movement))
        }
        Step::Place { ship, to, .. } => format!("Please put {} at {}.", name(ship), pose_words(*to)),
        Step::Token { ship, token, count } => {
            let number = count.unsigned_abs();
            let tokens = if number == 1 { "token" } else { "tokens" };
            let token = token_words(*token);
            if *count < 0 {
                format!("Please take {number} {token} {tokens} from {}.", name(ship))
            } else {
                format!("Please give {} {number} {token} {tokens}.", name(ship))
            }
        }
        Step::Lock { ship, target, remove } if *remove => {
            format!("Please take the lock of {} off {}.", name(ship), name(target))
        }
        Step::Lock { ship, target, .. } => format!("Please put a lock of {} on {}.", name(ship), name(target)),
        Step::Lay { object, to, .. } => format!("Please lay {} down: {}.", name(object), pose_words(*to)),
        Step::Remove { ship, back: None } => format!("Please take {} off the table.", name(ship)),
        Step::Remove { ship, back: Some(pose) } => {
            format!("Please put {} back on the table, {}.", name(ship), pose_words(*pose))
        }
        Step::Turret { ship, arcs } => {
            format!(
                "Please turn the turret indicator of {} to {}.",
                name(ship),
                arcs_words(arcs)
            )
        }
    }
}

/// What a step does, after "waiting for the table to".
pub fn verb(step: &Step) -> &'static str {
    match step {
        Step::Say { .. } => "show a message",
        Step::Show { .. } => "draw lines",
        Step::Dial { .. } => "set the dial",
        Step::Move { .. } => "move the ship",
        Step::Place { .. } => "place the ship",
        Step::Token { .. } => "change tokens",
        Step::Lock { .. } => "change a lock",
        Step::Turret { .. } => "turn a turret",
        Step::Remove { .. } => "take the ship off",
        Step::Lay { .. } => "lay an obstacle down",
    }
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

fn movement_words(edition: Edition, movement: Movement) -> String {
    match movement {
        Movement::Maneuver { maneuver, slide_mm } => {
            let words = SpokenIn(edition, maneuver).to_string();
            match maneuver.bearing {
                Bearing::TallonRoll(_) if slide_mm > 0.0 => format!("{words}, as far forward as it goes"),
                Bearing::TallonRoll(_) if slide_mm < 0.0 => format!("{words}, as far back as it goes"),
                _ => words,
            }
        }
        Movement::BarrelRoll { side, slide_mm } => {
            let end = match slide_mm {
                slide if slide > 0.0 => "forward",
                slide if slide < 0.0 => "back",
                _ => "middle",
            };
            format!("barrel roll {}, {end}", side_word(side))
        }
        Movement::Boost { bank: None } => "boost straight".to_owned(),
        Movement::Boost { bank: Some(side) } => format!("boost {}", side_word(side)),
    }
}

/// A pose for people with a ruler.
pub fn pose_words(pose: Pose) -> String {
    format!(
        "{:.0} mm from the west edge, {:.0} mm from the south edge, heading {:.0} degrees",
        pose.position.x, pose.position.y, pose.heading
    )
}

fn token_words(token: Token) -> &'static str {
    match token {
        Token::ReinforceFore => "fore reinforce",
        Token::ReinforceAft => "aft reinforce",
        other => other.word(),
    }
}

fn arcs_words(arcs: &[ArcDirection]) -> String {
    let words: Vec<_> = arcs.iter().map(|arc| arc.name()).collect();
    words.join(" and ")
}
