//! The steps that a table of squares carries out.

use crate::swm::{
    board::Board,
    figure::Figure,
    map::Place,
    skirmish::{Event, words},
    square::Square,
};

/// One step. Each says how it is afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A figure walks.
    Walk {
        /// The figure.
        figure: String,
        /// From where.
        from: Square,
        /// The squares.
        way: Vec<Square>,
    },
    /// An attack was rolled.
    Attack {
        /// The attacker.
        figure: String,
        /// The target.
        target: String,
        /// The die.
        rolled: u8,
        /// What is added to it.
        bonus: i16,
        /// What it must reach.
        defense: i16,
        /// Whether it hits.
        hit: bool,
        /// Whether it does double damage.
        critical: bool,
        /// One sentence.
        text: String,
    },
    /// A figure has so many hit points left.
    Damage {
        /// The figure.
        figure: String,
        /// How many.
        left: u16,
    },
    /// A figure has so many Force points left.
    Force {
        /// The figure.
        figure: String,
        /// How many.
        left: u16,
    },
    /// Whether a figure has activated.
    Activated {
        /// The figure.
        figure: String,
        /// Whether it has.
        activated: bool,
    },
    /// A figure is defeated.
    Remove {
        /// The figure.
        figure: String,
    },
    /// A figure is put back as it was.
    Put {
        /// The figure.
        figure: String,
        /// Its square.
        at: Square,
        /// Its hit points.
        hit_points: u16,
        /// Its Force points.
        force: u16,
        /// Whether it has activated.
        activated: bool,
    },
    /// A door opens or closes.
    Door {
        /// Its number.
        door: usize,
        /// Where it is.
        place: Place,
        /// Whether it is open.
        open: bool,
    },
    /// The players read something.
    Say {
        /// The figure that it is about; empty if none.
        figure: String,
        /// One sentence.
        text: String,
    },
}

/// Kinds of steps, as tables name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepKind {
    /// `walk`
    Walk,
    /// `attack`
    Attack,
    /// `damage`
    Damage,
    /// `force`
    Force,
    /// `activated`
    Activated,
    /// `remove`
    Remove,
    /// `put`
    Put,
    /// `door`
    Door,
    /// `say`
    Say,
}

impl StepKind {
    /// The kind that a table names.
    pub fn from_word(word: &str) -> Option<StepKind> {
        Some(match word {
            "walk" => StepKind::Walk,
            "attack" => StepKind::Attack,
            "damage" => StepKind::Damage,
            "force" => StepKind::Force,
            "activated" => StepKind::Activated,
            "remove" => StepKind::Remove,
            "put" => StepKind::Put,
            "door" => StepKind::Door,
            "say" => StepKind::Say,
            _ => return None,
        })
    }
}

impl Step {
    /// Its kind.
    pub const fn kind(&self) -> StepKind {
        match self {
            Step::Walk { .. } => StepKind::Walk,
            Step::Attack { .. } => StepKind::Attack,
            Step::Damage { .. } => StepKind::Damage,
            Step::Force { .. } => StepKind::Force,
            Step::Activated { .. } => StepKind::Activated,
            Step::Remove { .. } => StepKind::Remove,
            Step::Put { .. } => StepKind::Put,
            Step::Door { .. } => StepKind::Door,
            Step::Say { .. } => StepKind::Say,
        }
    }

    /// The step as the players carry it out by hand.
    pub fn words(&self) -> String {
        match self {
            Step::Walk { figure, from, way } => {
                let way: Vec<String> = way.iter().map(ToString::to_string).collect();
                format!("{figure} walks from {from} over {}.", way.join(" "))
            }
            Step::Attack { text, .. } | Step::Say { text, .. } => text.clone(),
            Step::Damage { figure, left } => format!("{figure} has {left} hit points left."),
            Step::Force { figure, left } => format!("{figure} has {left} Force points left."),
            Step::Activated {
                figure,
                activated: true,
            } => format!("{figure} has activated."),
            Step::Activated { figure, .. } => format!("{figure} has yet to activate."),
            Step::Remove { figure } => format!("{figure} is defeated: take it off the map."),
            Step::Put {
                figure,
                at,
                hit_points,
                force,
                ..
            } => format!("Put {figure} back to {at}, with {hit_points} hit points and {force} Force points."),
            Step::Door { door, open, .. } => {
                format!("Door {}: {} it.", door + 1, if *open { "open" } else { "close" })
            }
        }
    }

    /// Changes a board as the table is changed.
    pub(super) fn put_on(&self, board: Option<&mut Board>) {
        let Some(board) = board else { return };
        match self {
            Step::Walk { figure, way, .. } => {
                if let (Some(figure), Some(end)) = (board.figure_mut(figure), way.last()) {
                    figure.at = *end;
                }
            }
            Step::Damage { figure, left } => {
                if let Some(figure) = board.figure_mut(figure) {
                    figure.hit_points = *left;
                }
            }
            Step::Force { figure, left } => {
                if let Some(figure) = board.figure_mut(figure) {
                    figure.force = *left;
                }
            }
            Step::Activated { figure, activated } => {
                if let Some(figure) = board.figure_mut(figure) {
                    figure.activated = *activated;
                }
            }
            Step::Remove { figure } => {
                if let Some(figure) = board.figure_mut(figure) {
                    figure.hit_points = 0;
                }
            }
            Step::Put {
                figure,
                at,
                hit_points,
                force,
                activated,
            } => {
                if let Some(figure) = board.figure_mut(figure) {
                    (figure.at, figure.hit_points) = (*at, *hit_points);
                    (figure.force, figure.activated) = (*force, *activated);
                }
            }
            Step::Door { door, open, .. } => board.set_door(*door, *open),
            Step::Attack { .. } | Step::Say { .. } => {}
        }
    }
}

/// The steps of what has happened, from the board as the table has it so far.
pub(super) fn steps(shown: Option<&Board>, board: &Board, events: &[Event]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let force = |id: &str, steps: &[Step]| {
        let last = steps.iter().rev().find_map(|step| match step {
            Step::Force { figure, left } if figure == id => Some(*left),
            _ => None,
        });
        let known = shown
            .and_then(|shown| shown.figure(id))
            .map_or(0, |figure: &Figure| figure.force);
        last.unwrap_or(known)
    };
    for event in events {
        let say = |figure: &str| Step::Say {
            figure: figure.to_owned(),
            text: words::event(board, event),
        };
        let step = match event {
            Event::Stepped { figure, from, to } => {
                if let Some(Step::Walk { figure: who, way, .. }) = steps.last_mut()
                    && who == figure
                    && way.last() == Some(from)
                {
                    way.push(*to);
                    continue;
                }
                Step::Walk {
                    figure: figure.clone(),
                    from: *from,
                    way: vec![*to],
                }
            }
            Event::Attacked {
                attacker,
                target,
                rolled,
                bonus,
                defense,
                hit,
                critical,
                ..
            } => Step::Attack {
                figure: attacker.clone(),
                target: target.clone(),
                rolled: *rolled,
                bonus: *bonus,
                defense: *defense,
                hit: *hit,
                critical: *critical,
                text: words::event(board, event),
            },
            Event::Saved { figure, .. }
            | Event::Area { attacker: figure, .. }
            | Event::Defended { figure, .. }
            | Event::Intercepted { figure, .. }
            | Event::DamageSet { figure, .. }
            | Event::CombinedFire { attacker: figure, .. } => say(figure),
            Event::Damaged { figure, left, .. } | Event::Healed { figure, left } => Step::Damage {
                figure: figure.clone(),
                left: *left,
            },
            Event::ForceSpent { figure, points } => Step::Force {
                figure: figure.clone(),
                left: force(figure, &steps).saturating_sub(*points),
            },
            Event::ForceGained { figure, points } => Step::Force {
                figure: figure.clone(),
                left: force(figure, &steps) + points,
            },
            Event::Defeated { figure } => Step::Remove { figure: figure.clone() },
            Event::TurnEnded { figure } if board.figure(figure).is_some_and(Figure::in_play) => Step::Activated {
                figure: figure.clone(),
                activated: true,
            },
            Event::Door { door, open } => match board.map().doors().get(*door) {
                Some(known) => Step::Door {
                    door: *door,
                    place: known.place,
                    open: *open,
                },
                None => continue,
            },
            Event::Revealed { by, figures, .. } => {
                steps.push(say(by));
                let come = figures.keys().filter_map(|id| board.figure(id));
                steps.extend(come.map(|own| Step::Put {
                    figure: own.id.clone(),
                    at: own.at,
                    hit_points: own.hit_points,
                    force: own.force,
                    activated: own.activated,
                }));
                continue;
            }
            Event::TurnEnded { .. }
            | Event::Activated { .. }
            | Event::RoundBegan { .. }
            | Event::Initiative { .. }
            | Event::GoesFirst { .. }
            | Event::PhaseBegan { .. }
            | Event::Corrected { .. }
            | Event::Ended { .. } => continue,
        };
        steps.push(step);
    }
    steps
}
