//! A set-up at the keyboard: what is asked, what is proposed, and places as they are typed.

use super::keyboard::Sheet;
use crate::{
    play::console::{FAINT, STRONG},
    record::{
        ships::{Chosen, ShipGame},
        words::{self, placing},
    },
    xwing::{
        ObjectId,
        deployment::{At, Deployment, EDGES, Placement, Turn},
        edition::ObstaclePlacing,
        placing::across,
    },
};

/// Takes everything that is left as it is proposed.
const AUTO: &str = "auto";

/// What is asked in a set-up.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    turn: Turn,
    heading: String,
    facts: Vec<String>,
    /// What Enter takes.
    proposed: Option<Placement>,
    /// What is typed for that.
    usual: String,
}

impl Question {
    /// The question of a set-up, with what is proposed; `None` when nothing is asked.
    pub(super) fn of(game: &ShipGame, suggested: Option<&Chosen>) -> Option<Question> {
        let deployment = game.set_up()?.deployment();
        let turn = deployment.turn()?;
        let proposed = suggested.and_then(|chosen| match chosen {
            Chosen::Placed { placed } => Some(placed.clone()),
            Chosen::Battle { .. } | Chosen::Rest { .. } => None,
        });
        Some(Question {
            heading: placing::asked(&turn, deployment.table()),
            facts: facts(deployment, &turn),
            usual: proposed.as_ref().map(typed).unwrap_or_default(),
            proposed,
            turn,
        })
    }

    /// The question as it is shown.
    pub(super) fn sheet(&self) -> Sheet {
        Sheet {
            heading: format!("{STRONG}Set-up: {}{STRONG:#}", self.heading),
            lines: (self.facts.iter())
                .map(|fact| format!("{FAINT}  {fact}{FAINT:#}"))
                .collect(),
            usual: self.usual.clone(),
        }
    }

    /// What is meant by what was typed.
    ///
    /// # Errors
    /// What can be typed.
    pub(super) fn meant(&self, deployment: &Deployment, typed: &str) -> Result<Chosen, String> {
        let typed = typed.trim().to_lowercase();
        if typed.is_empty() {
            return self.proposed.clone().map(Chosen::from).ok_or_else(|| self.expected());
        }
        if typed == AUTO {
            return Ok(Chosen::Rest { rest_as_proposed: () });
        }
        let placement = match &self.turn {
            Turn::Edge { .. } => {
                let mut meant = EDGES.into_iter().filter(|edge| edge.word().starts_with(&typed));
                meant.next().map(|edge| Placement::Edge { edge, along: None })
            }
            Turn::Obstacle { .. } => self.obstacle(deployment, &typed),
            Turn::Ship { side, ships } => self.ship(deployment, *side, ships, &typed),
        };
        placement.map(Chosen::from).ok_or_else(|| self.expected())
    }

    fn obstacle(&self, deployment: &Deployment, typed: &str) -> Option<Placement> {
        let (name, numbers) = parts(typed)?;
        let proposed = match &self.proposed {
            Some(Placement::Obstacle { piece, at }) => Some((piece.clone(), *at)),
            _ => None,
        };
        let piece = match name {
            Some(name) => {
                let known = deployment.pieces().iter().map(|piece| &piece.id);
                known.into_iter().find(|id| **id == name).cloned().unwrap_or(name)
            }
            None => proposed.as_ref()?.0.clone(),
        };
        let at = match numbers.as_slice() {
            // Another piece in the same place.
            [] => proposed?.1,
            &[x, y] => At { x, y, heading: 0.0 },
            &[x, y, heading] => At { x, y, heading },
            _ => return None,
        };
        Some(Placement::Obstacle { piece, at })
    }

    fn ship(&self, deployment: &Deployment, side: usize, ships: &[ObjectId], typed: &str) -> Option<Placement> {
        let (name, numbers) = parts(typed)?;
        let all = deployment.ships_of(side).map(|(ship, _)| &ship.id);
        let ship = match name {
            Some(name) => all.into_iter().find(|id| id.eq_ignore_ascii_case(&name))?.clone(),
            None => match &self.proposed {
                Some(Placement::Ship { ship, .. }) => ship.clone(),
                _ => ships.first()?.clone(),
            },
        };
        let at = match (numbers.as_slice(), &self.proposed) {
            // Another ship in the same place.
            ([], Some(Placement::Ship { at, .. })) => *at,
            (&[x, y], _) => {
                let edge = deployment.edge_of(side)?;
                let heading = across(deployment.area(), edge, x, y).heading;
                At { x, y, heading }
            }
            (&[x, y, heading], _) => At { x, y, heading },
            _ => return None,
        };
        Some(Placement::Ship { ship, at })
    }

    fn expected(&self) -> String {
        let how = match &self.turn {
            Turn::Obstacle { .. } => {
                "type a piece and its place, as in `coreasteroid3 300,450 @45`, or the place alone"
            }
            Turn::Edge { .. } => "type south or north",
            Turn::Ship { .. } => {
                "type a place and a facing, as in `300,60 @0`, with the ship before it where you choose"
            }
        };
        format!("{how}; Enter takes what is proposed, `{AUTO}` all of it")
    }
}

/// What ought to be known where something is placed.
fn facts(deployment: &Deployment, turn: &Turn) -> Vec<String> {
    let all = format!("Enter takes what is proposed, `{AUTO}` takes it for all that is left, `map` shows the table.");
    match turn {
        Turn::Obstacle { .. } => vec![
            format!(
                "PIECE X,Y @TURN in mm and degrees: more than 200 mm from every edge, {}.",
                match deployment.table().rules.obstacle_placing {
                    ObstaclePlacing::EdgesAndEachOther => "more than 100 mm from other obstacles",
                    ObstaclePlacing::EdgesOnly => "not on another obstacle (FE-14.3)",
                }
            ),
            format!("The pieces are {}.", deployment.piece_names()),
            all,
        ],
        Turn::Edge { .. } => vec![
            "Your ships are placed within range 1 of it, the other side's at the opposite edge.".to_owned(),
            all,
        ],
        Turn::Ship { side, ships } => {
            let edge = deployment.edge_of(*side).map_or("", |edge| edge.word());
            let order = match ships.as_slice() {
                [ship] if deployment.is_shuttle(ship) => "The shuttle comes last (PE-3)",
                [_] => "Ships come in ascending skill",
                _ => "Equal skill: you say which comes next",
            };
            vec![
                format!("{order}. SHIP X,Y @FACING: all of its base within 100 mm of the {edge} edge, any facing."),
                all,
            ]
        }
    }
}

/// What is typed for a placement.
fn typed(placement: &Placement) -> String {
    match placement {
        Placement::Obstacle { piece, at } => format!("{piece} {}", placing::at(*at)),
        Placement::NoObstacle => "no obstacle".to_owned(),
        Placement::Edge { edge, .. } => edge.word().to_owned(),
        Placement::Ship { ship, at } => format!("{ship} {}", placing::at(*at)),
    }
}

/// A word, if one comes first, and numbers, with or without commas and `@`. `None` for anything else.
fn parts(typed: &str) -> Option<(Option<String>, Vec<f64>)> {
    let spaced = typed.replace([',', '@', ';'], " ");
    let mut words = spaced.split_whitespace().peekable();
    let name = words.next_if(|word| word.parse::<f64>().is_err()).map(str::to_owned);
    let numbers: Option<Vec<f64>> = words
        .map(|word| word.parse().ok().filter(|number: &f64| number.is_finite()))
        .collect();
    numbers.map(|numbers| (name, numbers))
}

/// Where each side stands in a set-up, in a line; nothing once it is done.
pub(super) fn standing(game: &ShipGame) -> Option<String> {
    let deployment = game.set_up()?.deployment();
    let order = deployment.order();
    let role = order.run.as_ref().map(|run| match run.defender {
        0 => "You are the defender. ",
        _ => "You are the attacker. ",
    });
    let initiative = match order.initiative {
        0 => "You have initiative",
        _ => "The solo side has initiative",
    };
    let edge = deployment
        .edge_of(0)
        .map_or_else(String::new, |edge| format!("; your edge is the {} one", edge.word()));
    let laid = words::count(deployment.table().obstacles.len() as u32, "obstacle");
    Some(format!(
        "{}{initiative}{edge}. {laid} on the table.",
        role.unwrap_or_default()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_understood_as_people_write_them() {
        let of = |typed: &str| parts(typed);
        let numbers = |numbers: &[f64]| numbers.to_vec();
        assert_eq!(of("300,450 @45"), Some((None, numbers(&[300.0, 450.0, 45.0]))));
        assert_eq!(
            of("p2 300.5 60"),
            Some((Some("p2".to_owned()), numbers(&[300.5, 60.0])))
        );
        assert_eq!(
            of("coreasteroid3 300, 450, -90"),
            Some((Some("coreasteroid3".to_owned()), numbers(&[300.0, 450.0, -90.0])))
        );
        assert_eq!(of("p2"), Some((Some("p2".to_owned()), Vec::new())));
        for wrong in ["p2 p3", "300 north", "300,nan", "1 2 3 inf"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
