//! What an automated side does in a set-up, and what is proposed to a person: PE-A8 in Political Escort, else plain lines.

use crate::{
    decision::{Explanation, Reason},
    dice::{DiceSource, SeededDice},
    solo_alpha::escort::placing::{self, Start, ToPlace},
    xwing::{
        ObjectId,
        deployment::{At, Deployment, EDGES, Placement, Turn},
        obstacle_outlines::ObstacleOutline,
        placing::across,
        scenario::Edge,
        ship::Ship,
        size::Size,
    },
};

/// What is done next, and why; `None` when all is set up. The dice place what lies at random and decide between equals.
pub fn propose(deployment: &Deployment, dice: &mut dyn DiceSource) -> Option<(Placement, Explanation)> {
    let turn = deployment.turn()?;
    let (placement, rule, text) = match &turn {
        Turn::Obstacle { side, .. } => obstacle(deployment, *side, dice),
        Turn::Edge { side } => return Some(edge(deployment, *side, dice)),
        Turn::Ship { side, ships } => ship(deployment, *side, ships.first()?)?,
    };
    let reason = Reason {
        rule: rule.to_owned(),
        text,
        compared: Vec::new(),
    };
    Some((placement, Explanation::new(String::new(), vec![reason])))
}

/// Whether the side has the shuttle; `None` where there is none.
fn defends(deployment: &Deployment, side: usize) -> Option<bool> {
    deployment.order().run.as_ref().map(|run| run.defender == side)
}

fn obstacle(deployment: &Deployment, side: usize, dice: &mut dyn DiceSource) -> (Placement, &'static str, String) {
    let table = deployment.table();
    let pieces: Vec<&ObstacleOutline> = deployment.pieces().iter().collect();
    let defends = defends(deployment, side);
    let free = defends == Some(true);
    let found = placing::one_obstacle(&table.rules, table.area, &pieces, &table.obstacles, free, dice);
    let placement = match found {
        Some((piece, pose)) => Placement::Obstacle {
            piece: piece.id.clone(),
            at: pose.into(),
        },
        None => deployment.room().unwrap_or(Placement::NoObstacle),
    };
    let (rule, text) = match (&placement, defends) {
        (Placement::NoObstacle, _) => ("FE-2.2", "no place is left for another obstacle"),
        (_, Some(true)) => ("PE-A8", "a random legal place that is not in the middle third"),
        (_, Some(false)) => ("PE-A8", "a random legal place"),
        (_, None) => ("FE-2.2", "a random legal place (choice)"),
    };
    (placement, rule, text.to_owned())
}

fn edge(deployment: &Deployment, side: usize, dice: &mut dyn DiceSource) -> (Placement, Explanation) {
    let table = deployment.table();
    let starts = shuttle(deployment)
        .and_then(|shuttle| placing::start(table.area, &table.obstacles, shuttle.size, &EDGES, dice));
    match starts {
        Some(Start {
            edge, along, reasons, ..
        }) => {
            let along = Some(along);
            (
                Placement::Edge { edge, along },
                Explanation::new(String::new(), reasons),
            )
        }
        None => {
            let edge = EDGES[side.min(1)];
            let reason = Reason {
                rule: "FE-2.3".to_owned(),
                text: format!(
                    "each side takes the edge that it sits at; the {} one (choice)",
                    edge.word()
                ),
                compared: Vec::new(),
            };
            let explanation = Explanation::new(String::new(), vec![reason]);
            (Placement::Edge { edge, along: None }, explanation)
        }
    }
}

fn shuttle(deployment: &Deployment) -> Option<&Ship> {
    let run = deployment.order().run.as_ref()?;
    deployment.table().ship(&run.shuttle)
}

/// Where the shuttle starts as far as can be told before it is placed: where its side means to, else where PE-A8 would put it on
/// the defender's edge.
fn start(deployment: &Deployment, defender: usize) -> Option<Start> {
    let (edge, size) = (deployment.edge_of(defender)?, shuttle(deployment)?.size);
    let table = deployment.table();
    match deployment.along() {
        Some(along) => Some(Start {
            edge,
            along,
            pose: across(table.area, edge, along, placing::depth(size)),
            reasons: Vec::new(),
        }),
        // The same each time that it is asked.
        None => placing::start(table.area, &table.obstacles, size, &[edge], &mut SeededDice::new(0)),
    }
}

fn ship(deployment: &Deployment, side: usize, ship: &ObjectId) -> Option<(Placement, &'static str, String)> {
    let edge = deployment.edge_of(side)?;
    let run = deployment.order().run.as_ref();
    let start = run.and_then(|run| start(deployment, run.defender));
    let placed = |at: At| Placement::Ship { ship: ship.clone(), at };
    let fits = |at: At| deployment.check(&placed(at)).is_ok();
    if deployment.is_shuttle(ship) {
        let meant = start.map(|start| At::from(start.pose));
        let at = meant
            .filter(|at| fits(*at))
            .or_else(|| on_lane(deployment, edge, &fits));
        let at = at.or_else(|| deployment.room_for(ship)).or(meant)?;
        let text = "the lane that meets the fewest obstacles, nearest the middle".to_owned();
        return Some((placed(at), "PE-A8", text));
    }
    let squad = deployment
        .ships_of(side)
        .filter(|(ship, _)| !deployment.is_shuttle(&ship.id));
    let squad: Vec<ToPlace> = squad
        .map(|(ship, skill)| ToPlace {
            ship: ship.id.clone(),
            skill,
            size: ship.size,
        })
        .collect();
    let (places, rule, text) = match (run, &start) {
        (Some(run), Some(start)) if run.defender == side => (
            placing::escorts(
                deployment.area(),
                start,
                shuttle(deployment).map_or(Size::Large, |ship| ship.size),
                &squad,
            ),
            "PE-A8",
            "escorts stand on both sides of the shuttle, outward by skill",
        ),
        (Some(_), Some(start)) => (
            placing::attackers(deployment.area(), start, &squad),
            "PE-A8",
            "attackers stand at equal distances, the middle one opposite the shuttle's start",
        ),
        _ => (
            placing::in_line(deployment.area(), edge, &squad),
            "FE-2.4",
            "in a line in the middle of its edge (choice)",
        ),
    };
    let (_, pose) = places.into_iter().find(|(id, _)| id == ship)?;
    let meant = At::from(pose);
    if fits(meant) {
        return Some((placed(meant), rule, text.to_owned()));
    }
    // Somebody has placed other ships otherwise.
    let at = deployment.near(&placed(meant)).or_else(|| deployment.room_for(ship));
    let text = format!("{text}; as near to that place as there is room");
    Some((placed(at.unwrap_or(meant)), rule, text))
}

/// PE-A8 for the shuttle among the places that are free.
fn on_lane(deployment: &Deployment, edge: Edge, fits: &dyn Fn(At) -> bool) -> Option<At> {
    let table = deployment.table();
    let allowed = |pose| fits(At::from(pose));
    let size = shuttle(deployment)?.size;
    let mut dice = SeededDice::new(0);
    let start = placing::start_where(table.area, &table.obstacles, size, &[edge], &allowed, &mut dice);
    start.map(|start| start.pose.into())
}
