//! The table of a game of ships at a moment.

use super::{Moment, Staged};
use crate::{
    geometry::Pose,
    record::{Answered, kind::Kind as _, ships::ShipGame, words},
    render::{Decided, Ghost},
    xwing::{
        ObjectId,
        battle::{Answer, Battle, Event},
        device::PlacedDevice,
        edition::Edition,
        maneuver::Maneuver,
        table::{PlayArea, Table},
    },
};

/// The ships and what lies between them.
#[derive(Debug, Clone, PartialEq)]
pub struct ShipScene {
    /// The table.
    pub table: Table,
    /// Devices that lie on it.
    pub devices: Vec<PlacedDevice>,
    /// Hull and shields of the ships of the table, in its order, where they are known.
    pub left: Vec<Option<(u32, u32)>>,
    /// What can be drawn of the choice.
    pub drawn: Option<Drawn>,
}

/// What can be drawn of a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// Whose it is.
    pub ship: ObjectId,
    /// What the ship is after.
    pub after: Option<ObjectId>,
    /// What it flies.
    pub maneuver: Option<Maneuver>,
    /// Where that ends it.
    pub end: Option<Pose>,
    /// Where actions put it.
    pub actions: Vec<(String, Pose)>,
}

impl ShipScene {
    /// A table that nothing more is known of.
    pub fn of(table: Table) -> ShipScene {
        ShipScene {
            table,
            devices: Vec::new(),
            left: Vec::new(),
            drawn: None,
        }
    }
}

impl Default for ShipScene {
    fn default() -> ShipScene {
        let empty = Table::new(PlayArea::STANDARD, Vec::new(), Vec::new(), Vec::new());
        ShipScene::of(empty)
    }
}

impl Moment<ShipScene> {
    /// What a picture shows of the choice, if anything.
    pub fn decided(&self) -> Option<Decided<'_>> {
        let drawn = self.scene.drawn.as_ref()?;
        Some(Decided {
            ship: drawn.ship.clone(),
            sentence: &self.sentence,
            facts: Vec::new(),
            reasons: &self.reasons,
            tally: drawn.after.clone(),
            maneuver: drawn.maneuver,
            end: drawn.end,
            actions: (drawn.actions.iter())
                .map(|(label, pose)| Ghost {
                    label: label.clone(),
                    pose: *pose,
                    maneuver: None,
                })
                .collect(),
            rejected: Vec::new(),
        })
    }
}

fn left(battle: &Battle) -> Vec<Option<(u32, u32)>> {
    let ships = battle.table().ships.iter();
    ships
        .map(|ship| {
            let integrity = &battle.fighter(&ship.id)?.integrity;
            let hull = usize::from(integrity.hull).saturating_sub(integrity.damage());
            Some((hull as u32, u32::from(integrity.shields)))
        })
        .collect()
}

impl Staged for ShipGame {
    type Scene = ShipScene;

    fn scene(&self) -> ShipScene {
        let battle = self.battle();
        ShipScene {
            table: battle.table().clone(),
            devices: battle.devices().to_vec(),
            left: left(battle),
            drawn: None,
        }
    }

    fn phase(&self) -> &str {
        match self.set_up() {
            Some(_) => "set-up",
            None => self.battle().phase().called(self.battle().edition()),
        }
    }

    fn said(&self, answered: &Answered) -> String {
        let sentence = answered.explanation.sentence.as_str();
        match (sentence, self.battle().table().ship(&answered.who.ship)) {
            ("", _) => self.sentence(&answered.choice),
            (sentence, Some(ship)) => words::said(ship, sentence),
            (sentence, None) => sentence.to_owned(),
        }
    }

    fn draw(&self, scene: &mut ShipScene, answered: &Answered, before: usize) {
        let flies = matches!(answered.choice.answer(), Some(Answer::Fly(_)));
        if answered.choice.answer().is_some() {
            let edition = scene.table.rules.edition;
            scene.drawn = Some(drawn(answered, &self.events()[before..], flies, edition));
        }
    }
}

/// What can be drawn of a choice, told from what came of it.
fn drawn(answered: &Answered, events: &[Event], flies: bool, edition: Edition) -> Drawn {
    let mut drawn = Drawn {
        ship: answered.who.ship.clone(),
        after: answered.explanation.after.clone(),
        maneuver: None,
        end: None,
        actions: Vec::new(),
    };
    for event in events {
        match event {
            Event::Flew {
                ship,
                execution,
                to,
                slam: false,
                ..
            } if flies && *ship == answered.who.ship => {
                drawn.maneuver = Some(execution.maneuver);
                drawn.end = Some(*to);
                return drawn;
            }
            Event::Acted { ship, order, from, to } if *ship == answered.who.ship && from != to => {
                drawn.actions.push((words::order(edition, order), *to));
            }
            Event::Attacked { attacker, defender, .. } if *attacker == answered.who.ship => {
                drawn.after = Some(defender.clone());
                return drawn;
            }
            _ => {}
        }
    }
    drawn
}
