//! The course of a skirmish, moment by moment, for who looks at it afterwards.

use super::{Answered, Astray, BadBeginning, Header, Skirmishing, game::said};
use crate::{
    decision::Reason,
    record::{Hand, course::Course},
    swm::{board::Board, skirmish::words},
};

/// One moment: a choice, with the board as it stood before it.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The round.
    pub round: u32,
    /// What was asked.
    pub heading: String,
    /// The figure that was asked; empty where a side was.
    pub figure: String,
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
    /// The board before it.
    pub board: Board,
}

/// Who chose, in words.
pub const fn by(hand: Hand) -> &'static str {
    match hand {
        Hand::Human => "the player",
        Hand::Scripted => "the scripted player",
        Hand::Solo => "the automated side",
    }
}

/// The course of a recorded skirmish, played again, and where this program goes another way.
///
/// # Errors
/// A beginning that cannot be played.
pub fn of(header: Header, answers: &[Answered]) -> Result<(Course<Moment>, Vec<Astray>), BadBeginning> {
    let title = header.title();
    let (mut game, _) = Skirmishing::resume(header, &[])?;
    let mut moments = Vec::with_capacity(answers.len() + 1);
    let mut all_astray: Vec<Astray> = Vec::new();
    let notes = game.notes().to_vec();
    let mut warnings = Vec::new();
    for (index, answered) in answers.iter().enumerate() {
        let skirmish = game.skirmish();
        let board = skirmish.board().clone();
        let heading = (skirmish.pending()).map_or_else(String::new, |request| words::request(&board, request));
        let beginning = match index {
            0 => words::events(&board, skirmish.events()),
            _ => Vec::new(),
        };
        let sentence = match answered.explanation.sentence.as_str() {
            "" => format!("Chosen: {}.", said(&answered.choice)),
            sentence => sentence.to_owned(),
        };
        let (round, before) = (skirmish.round(), skirmish.events().len());
        let astray = game.again(answered);
        let ends = astray.as_ref().is_some_and(|astray| astray.ends);
        all_astray.extend(astray);
        if ends {
            break;
        }
        let skirmish = game.skirmish();
        let happened = words::events(skirmish.board(), &skirmish.events()[before..]);
        moments.push(Moment {
            round,
            heading,
            figure: answered.figure.clone(),
            by: by(answered.by).to_owned(),
            sentence,
            reasons: answered.explanation.reasons.clone(),
            dice: (answered.chose_by.iter().chain(&answered.rolled))
                .map(ToString::to_string)
                .collect(),
            events: beginning.into_iter().chain(happened).collect(),
            board,
        });
    }
    if let Some(first) = all_astray.first() {
        warnings.push(format!("This version goes another way at {first}."));
    }
    let skirmish = game.skirmish();
    let board = skirmish.board().clone();
    let over = skirmish.pending().is_none();
    moments.push(Moment {
        round: skirmish.round(),
        heading: if over { "The end" } else { "How it stands" }.to_owned(),
        figure: String::new(),
        by: String::new(),
        sentence: match (skirmish.pending(), skirmish.events().last()) {
            (Some(request), _) => format!("Next: {}", words::request(&board, request)),
            (None, Some(event)) => words::event(&board, event),
            (None, None) => String::new(),
        },
        reasons: Vec::new(),
        dice: Vec::new(),
        events: Vec::new(),
        board,
    });
    let course = Course {
        title,
        notes,
        warnings,
        moments,
    };
    Ok((course, all_astray))
}
