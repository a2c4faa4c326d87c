//! Where questions are shown and answers come from: a terminal, or two pipes.

use std::io::{self, BufRead, Read as _, Write};

use anstyle::{Effects, Style};

/// Longest answer, bytes; the rest of a longer line is dropped.
const LONGEST: u64 = 4096;

/// Headings.
pub const STRONG: Style = Style::new().bold();
/// What matters less.
pub const FAINT: Style = Style::new().effects(Effects::DIMMED);

/// Two ends of a conversation.
pub struct Console<'c> {
    input: &'c mut dyn BufRead,
    output: &'c mut dyn Write,
    /// Whether answers are shown, since nobody has typed them where they can be seen.
    echo: bool,
}

impl std::fmt::Debug for Console<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Console")
            .field("echo", &self.echo)
            .finish_non_exhaustive()
    }
}

impl<'c> Console<'c> {
    /// A conversation; with `echo` the answers are shown behind their questions.
    pub fn new(input: &'c mut dyn BufRead, output: &'c mut dyn Write, echo: bool) -> Self {
        Console { input, output, echo }
    }

    /// Writes a line.
    ///
    /// # Errors
    /// Nobody reads any more.
    pub fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }

    /// Writes lines.
    ///
    /// # Errors
    /// Nobody reads any more.
    pub fn list(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.say(line))
    }

    /// Asks; `None` at the end of the input.
    ///
    /// # Errors
    /// Nobody reads any more, or the input cannot be read.
    pub fn ask(&mut self, question: &str) -> io::Result<Option<String>> {
        write!(self.output, "{STRONG}{question}{STRONG:#} ")?;
        self.output.flush()?;
        let mut line = Vec::new();
        let read = (&mut self.input).take(LONGEST).read_until(b'\n', &mut line)?;
        if read as u64 == LONGEST && line.last() != Some(&b'\n') {
            self.input.skip_until(b'\n')?;
        }
        if read == 0 {
            writeln!(self.output)?;
            return Ok(None);
        }
        // What is no text is no answer either; it is told as any other that is not understood.
        let mut answer = String::from_utf8_lossy(&line)
            .trim()
            .trim_start_matches('\u{feff}')
            .to_owned();
        // It is shown again, and must not steer the terminal.
        answer.retain(|letter| !letter.is_control());
        if self.echo {
            writeln!(self.output, "{answer}")?;
        }
        Ok(Some(answer))
    }
}
