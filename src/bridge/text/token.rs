//! Words of one line, each with its column.

use std::{borrow::Cow, fmt};

use super::TextError;

/// A place in the text, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Spot {
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl Spot {
    /// An error at this place.
    pub(super) fn error(self, message: impl Into<String>) -> TextError {
        TextError {
            line: self.line,
            column: self.column,
            message: message.into(),
        }
    }
}

/// One word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word<'t> {
    /// Its text, quotes and escapes resolved.
    pub text: Cow<'t, str>,
    /// Where it begins.
    pub spot: Spot,
    /// Whether it stood in quotes, and so is never a keyword nor a list.
    pub quoted: bool,
}

/// The words of a line that are still to be read.
#[derive(Debug)]
pub(super) struct Words<'t> {
    rest: &'t str,
    spot: Spot,
}

impl<'t> Words<'t> {
    /// The words of a line with this number.
    pub(super) fn new(line: &'t str, number: usize) -> Self {
        Words {
            rest: line,
            spot: Spot {
                line: number,
                column: 1,
            },
        }
    }

    /// The next word; `None` at the end of the line or at a comment.
    pub(super) fn next(&mut self) -> Result<Option<Word<'t>>, TextError> {
        let trimmed = self.rest.trim_start();
        self.skip(self.rest.len() - trimmed.len());
        if self.rest.is_empty() || self.rest.starts_with('#') {
            return Ok(None);
        }
        let spot = self.spot;
        if self.rest.starts_with('"') {
            return self.quoted().map(Some);
        }
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let word = Word {
            text: Cow::Borrowed(&self.rest[..end]),
            spot,
            quoted: false,
        };
        self.skip(end);
        Ok(Some(word))
    }

    /// The next word, which must be there.
    pub(super) fn expect(&mut self, what: &str) -> Result<Word<'t>, TextError> {
        match self.next()? {
            Some(word) => Ok(word),
            None => Err(self.spot.error(format!("the line ends where {what} should follow"))),
        }
    }

    /// Refuses whatever else is on the line.
    pub(super) fn end(&mut self) -> Result<(), TextError> {
        match self.next()? {
            None => Ok(()),
            Some(word) => Err(word.error("one word too many on this line")),
        }
    }

    fn quoted(&mut self) -> Result<Word<'t>, TextError> {
        let spot = self.spot;
        let mut text = String::new();
        let mut letters = self.rest.char_indices().skip(1);
        while let Some((index, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.skip(index + 1);
                    return Ok(Word {
                        text: Cow::Owned(text),
                        spot,
                        quoted: true,
                    });
                }
                '\\' => match letters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                    _ => return Err(spot.error("in quotes, a backslash stands before a quote or a backslash only")),
                },
                other => text.push(other),
            }
        }
        Err(spot.error("the quote is not closed on this line: add `\"`"))
    }

    fn skip(&mut self, bytes: usize) {
        self.spot.column += self.rest[..bytes].chars().count();
        self.rest = &self.rest[bytes..];
    }
}

impl Word<'_> {
    /// The word as an error shows it: cut short, since the text may be anything.
    pub(super) fn shown(&self) -> String {
        let mut letters = self.text.chars().filter(|letter| !letter.is_control());
        let mut shown: String = letters.by_ref().take(40).collect();
        if letters.next().is_some() {
            shown.push_str("...");
        }
        shown
    }

    /// An error about this word.
    pub(super) fn error(&self, message: impl fmt::Display) -> TextError {
        self.spot.error(format!("`{}`: {message}", self.shown()))
    }

    /// The parts of a list: the whole word if it stood in quotes, else what the commas separate, empty parts left out.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        let separator = |letter| letter == ',' && !self.quoted;
        self.text.split(separator).filter(|part| !part.is_empty())
    }
}

/// Writes a text as one word: bare where that reads back the same, else in quotes.
pub(super) fn word(text: &str) -> Cow<'_, str> {
    let awkward = |letter: char| letter.is_whitespace() || letter.is_control() || letter == ',';
    if !text.is_empty() && !text.starts_with(['"', '#']) && !text.contains(awkward) {
        return Cow::Borrowed(text);
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        if matches!(letter, '"' | '\\') {
            quoted.push('\\');
        }
        // A line ends where it ends; whatever else controls a terminal has no place in a text to be pasted either.
        quoted.push(if letter.is_control() { ' ' } else { letter });
    }
    quoted.push('"');
    Cow::Owned(quoted)
}
