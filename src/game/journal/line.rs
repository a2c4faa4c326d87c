//! The sum at the end of each line of a journal.

use sha2::{Digest as _, Sha256};

/// What stands before a sum, and behind it.
const BEFORE: &[u8] = b",\"sum\":\"";
const BEHIND: &[u8] = b"\"}";
/// Hexadecimal digits of a sum.
const DIGITS: usize = 16;

/// Whether a line ends as one that has a sum, right or not.
pub(super) fn is_sealed(line: &[u8]) -> bool {
    let sum = line
        .strip_suffix(BEHIND)
        .and_then(|rest| rest.split_last_chunk::<DIGITS>());
    sum.is_some_and(|(rest, sum)| rest.ends_with(BEFORE) && sum.iter().all(u8::is_ascii_hexdigit))
}

/// Sums up the lines of a journal, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Seal {
    /// The sum of the last line; `None` before the first one that has any.
    last: Option<String>,
}

/// What the sum of a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The line is as it was written.
    Whole,
    /// It has no sum: journals of earlier versions, and lines that are no objects, have none.
    Unsealed,
    /// It is not as it was written, or not the next one.
    Broken(&'static str),
}

impl Seal {
    fn sum(&self, body: &[u8]) -> String {
        let mut hash = Sha256::new();
        hash.update(self.last.as_deref().unwrap_or_default());
        hash.update(body);
        let bytes = hash.finalize();
        bytes[..DIGITS / 2].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Puts the sum into a line; only objects with members get one.
    pub(super) fn close(&mut self, mut line: Vec<u8>) -> Vec<u8> {
        if line.first() == Some(&b'{') && line.len() > 2 && line.pop() == Some(b'}') {
            let sum = self.sum(&line);
            line.extend_from_slice(BEFORE);
            line.extend_from_slice(sum.as_bytes());
            line.extend_from_slice(BEHIND);
            self.last = Some(sum);
        }
        line
    }

    /// Looks at the sum of the next line. A line that is not whole leaves the seal as it was.
    pub(super) fn check(&mut self, line: &[u8]) -> Verdict {
        let parts = line.strip_suffix(BEHIND).and_then(|rest| {
            let (rest, sum) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
            Some((rest.strip_suffix(BEFORE)?, sum))
        });
        match parts {
            Some((body, sum)) => {
                let expected = self.sum(body);
                if expected.as_bytes() != sum {
                    return Verdict::Broken("its sum is wrong: it was changed, or a line before it is missing");
                }
                self.last = Some(expected);
                Verdict::Whole
            }
            None if self.last.is_some() => Verdict::Broken("its sum is missing"),
            None => Verdict::Unsealed,
        }
    }
}
