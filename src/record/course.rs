//! The course of a game, moment by moment, for who looks at it afterwards.

use super::{Answered, Astray, Game, Hand, Header, beginning::BadBeginning, words};
use crate::{
    decision::Reason,
    geometry::Pose,
    render::{Decided, Ghost},
    xwing::{
        ObjectId,
        battle::{Battle, Event, Request},
        catalog::Catalog,
        device::PlacedDevice,
        maneuver::Maneuver,
        table::Table,
    },
};

/// One moment: a choice, with the table as it stood before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// The round; 0 where there is none yet.
    pub round: u32,
    /// The phase, in a word; empty where it is not known.
    pub phase: String,
    /// Who is asked, and for what.
    pub heading: String,
    /// Who chose, in words; empty where nobody did.
    pub by: String,
    /// The choice in a sentence.
    pub sentence: String,
    /// Why.
    pub reasons: Vec<Reason>,
    /// Dice that were rolled for it, in words.
    pub dice: Vec<String>,
    /// What came of it.
    pub events: Vec<String>,
    /// The table before it.
    pub table: Table,
    /// Devices that lie on it.
    pub devices: Vec<PlacedDevice>,
    /// Hull and shields of the ships of the table, in its order, where they are known.
    pub left: Vec<Option<(u32, u32)>>,
    /// What can be drawn of it.
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

impl Moment {
    /// What a picture shows of the choice, if anything.
    pub fn decided(&self) -> Option<Decided<'_>> {
        let drawn = self.drawn.as_ref()?;
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

/// A whole game.
#[derive(Debug, Clone, PartialEq)]
pub struct Course<M = Moment> {
    /// What it is.
    pub title: String,
    /// What ought to be known about its beginning.
    pub notes: Vec<String>,
    /// What is wrong with it: damage of the record, where this program goes another way.
    pub warnings: Vec<String>,
    /// Its moments, in order; the last one is how it stands.
    pub moments: Vec<M>,
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

impl Course {
    /// The course of a recorded game, played again, and where this program goes another way.
    ///
    /// # Errors
    /// A beginning that cannot be played.
    pub fn of(header: Header, answers: &[Answered], catalog: &Catalog) -> Result<(Course, Vec<Astray>), BadBeginning> {
        let mut game = Game::begin(header, catalog)?;
        let mut course = Course {
            title: game.title(),
            notes: game.notes().to_vec(),
            warnings: Vec::new(),
            moments: Vec::with_capacity(answers.len() + 1),
        };
        let mut all_astray: Vec<Astray> = Vec::new();
        for (index, answered) in answers.iter().enumerate() {
            let battle = game.battle();
            let heading = game.asked();
            let flies = matches!(battle.pending(), Some(Request::Fly { .. }));
            let mut moment = Moment {
                round: battle.round(),
                phase: battle.phase().name().to_owned(),
                heading,
                by: match answered.by {
                    Hand::Human => "the player",
                    Hand::Scripted => "the scripted player",
                    Hand::Solo => "Solo Alpha",
                }
                .to_owned(),
                sentence: answered.explanation.sentence.clone(),
                reasons: answered.explanation.reasons.clone(),
                dice: (answered.chose_by.iter().chain(&answered.rolled))
                    .map(ToString::to_string)
                    .collect(),
                events: Vec::new(),
                table: battle.table().clone(),
                devices: battle.devices().to_vec(),
                left: left(battle),
                drawn: None,
            };
            moment.sentence = match (moment.sentence.as_str(), battle.table().ship(&answered.ship)) {
                ("", _) => game.sentence(&answered.answer),
                (sentence, Some(ship)) => words::said(ship, sentence),
                (sentence, None) => sentence.to_owned(),
            };
            // What happened before the first choice belongs to it.
            let before = battle.events().len();
            let beginning = if index == 0 { game.told_since(0) } else { Vec::new() };
            let astray = game.again(answered);
            let ends = astray.as_ref().is_some_and(|astray| astray.ends);
            all_astray.extend(astray);
            if ends {
                break;
            }
            let battle = game.battle();
            moment.events = beginning.into_iter().chain(game.told_since(before)).collect();
            moment.drawn = Some(drawn(answered, &battle.events()[before..], flies));
            course.moments.push(moment);
        }
        if let Some(first) = all_astray.first() {
            course
                .warnings
                .push(format!("This version goes another way at {first}."));
        }
        let battle = game.battle();
        let over = battle.pending().is_none();
        course.moments.push(Moment {
            round: battle.round(),
            phase: battle.phase().name().to_owned(),
            heading: if over { "the end" } else { "how it stands" }.to_owned(),
            by: String::new(),
            sentence: match battle.events().last().filter(|_| over) {
                Some(event) => game.titles().speak(&words::event(battle, event)),
                None if over => String::new(),
                None => format!("Next: {}.", game.asked()),
            },
            reasons: Vec::new(),
            dice: Vec::new(),
            events: Vec::new(),
            table: battle.table().clone(),
            devices: battle.devices().to_vec(),
            left: left(battle),
            drawn: None,
        });
        Ok((course, all_astray))
    }
}

/// What can be drawn of a choice, told from what came of it.
fn drawn(answered: &Answered, events: &[Event], flies: bool) -> Drawn {
    let mut drawn = Drawn {
        ship: answered.ship.clone(),
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
            } if flies && *ship == answered.ship => {
                drawn.maneuver = Some(execution.maneuver);
                drawn.end = Some(*to);
                return drawn;
            }
            Event::Acted { ship, order, from, to } if *ship == answered.ship && from != to => {
                drawn.actions.push((words::order(order), *to));
            }
            Event::Attacked { attacker, defender, .. } if *attacker == answered.ship => {
                drawn.after = Some(defender.clone());
                return drawn;
            }
            _ => {}
        }
    }
    drawn
}
