//! The course of a game, moment by moment, for who looks at it afterwards.

use super::{
    Astray, Hand,
    beginning::BadBeginning,
    file::{AnsweredOf, Read},
    game::Recorded,
    kind::Kind,
};
use crate::decision::Reason;

pub mod ships;
pub mod skirmish;

/// One moment: a choice, with the table as it stood before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment<Scene> {
    /// The round; 0 where there is none yet.
    pub round: u32,
    /// The phase, in a word; empty where there is none, or it is not known.
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
    /// The table before it, and what can be drawn of the choice.
    pub scene: Scene,
}

/// A whole game.
#[derive(Debug, Clone, PartialEq)]
pub struct Course<Scene> {
    /// What it is.
    pub title: String,
    /// What ought to be known about its beginning.
    pub notes: Vec<String>,
    /// What is wrong with it: damage of the record, where this program goes another way.
    pub warnings: Vec<String>,
    /// Its moments, in order; the last one is how it stands.
    pub moments: Vec<Moment<Scene>>,
}

/// A game that can be looked at moment by moment.
pub trait Staged: Kind {
    /// The table at a moment.
    type Scene;

    /// The table as it stands.
    fn scene(&self) -> Self::Scene;
    /// The phase, in a word; empty where there is none.
    fn phase(&self) -> &str;
    /// What was chosen, as a sentence for people.
    fn said(&self, answered: &AnsweredOf<Self>) -> String;
    /// Puts into the scene what can be drawn of a choice: told from what came of it, that is the events since so many.
    fn draw(&self, scene: &mut Self::Scene, answered: &AnsweredOf<Self>, before: usize);
}

impl<Scene> Moment<Scene> {
    /// A moment at which nothing was chosen.
    pub fn of(round: u32, heading: &str, scene: Scene) -> Self {
        Moment {
            round,
            phase: String::new(),
            heading: heading.to_owned(),
            by: String::new(),
            sentence: String::new(),
            reasons: Vec::new(),
            dice: Vec::new(),
            events: Vec::new(),
            scene,
        }
    }
}

/// The course of a recorded game, played again, and where this program goes another way.
///
/// # Errors
/// A beginning that cannot be played.
pub fn of<K: Staged>(read: Read<K>, facts: &K::Facts) -> Result<(Course<K::Scene>, Vec<Astray>), BadBeginning> {
    let Read {
        header,
        answers,
        damage,
    } = read;
    let mut game = Recorded::<K>::begin(header, facts)?;
    let mut course = Course {
        title: game.title(),
        notes: game.notes().to_vec(),
        warnings: Vec::new(),
        moments: Vec::with_capacity(answers.len() + 1),
    };
    let mut all_astray: Vec<Astray> = Vec::new();
    for (index, answered) in answers.iter().enumerate() {
        let state = game.state();
        let mut moment = Moment {
            round: state.round(),
            phase: state.phase().to_owned(),
            heading: state.asked(),
            by: by::<K>(answered.by).to_owned(),
            sentence: state.said(answered),
            reasons: answered.explanation.reasons.clone(),
            dice: (answered.chose_by.iter().chain(&answered.rolled))
                .map(ToString::to_string)
                .collect(),
            // What happened before the first choice belongs to it.
            events: if index == 0 { state.told_since(0) } else { Vec::new() },
            scene: state.scene(),
        };
        let before = state.events().len();
        let astray = game.again(answered);
        let ends = astray.as_ref().is_some_and(|astray| astray.ends);
        all_astray.extend(astray);
        if ends {
            break;
        }
        let state = game.state();
        moment.events.extend(state.told_since(before));
        state.draw(&mut moment.scene, answered, before);
        course.moments.push(moment);
    }
    if let Some(first) = all_astray.first() {
        course
            .warnings
            .push(format!("This version goes another way at {first}."));
    }
    if let Some(damage) = damage {
        course.warnings.push(format!("The record was damaged: {damage}."));
    }
    course.moments.push(last(game.state()));
    Ok((course, all_astray))
}

/// How it stands, or how it ended.
fn last<K: Staged>(state: &K) -> Moment<K::Scene> {
    let (heading, sentence) = match state.pending() {
        Some(_) => {
            let asked = state.asked();
            let stop = if asked.ends_with(['.', '?', '!']) { "" } else { "." };
            ("How it stands", format!("Next: {asked}{stop}"))
        }
        None => {
            let before = state.events().len().saturating_sub(1);
            ("The end", state.told_since(before).pop().unwrap_or_default())
        }
    };
    Moment {
        phase: state.phase().to_owned(),
        sentence,
        ..Moment::of(state.round(), heading, state.scene())
    }
}

/// Who chose, in words.
pub const fn by<K: Kind>(hand: Hand) -> &'static str {
    match hand {
        Hand::Human => "the player",
        Hand::Scripted => "the scripted player",
        Hand::Solo => K::OPPONENT,
    }
}
