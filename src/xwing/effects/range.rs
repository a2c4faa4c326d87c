//! Ranges as cards name them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// From a range to a range, both included: `0-1`, `2`, `>3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RangeSpan {
    /// The smallest range.
    pub min: u8,
    /// The largest; `None` for `>n`, beyond any measure.
    pub max: Option<u8>,
}

impl RangeSpan {
    /// Whether a range lies in it. `None` is beyond range 3 or any range that the caller measures.
    pub fn holds(self, range: Option<u32>) -> bool {
        match range {
            None => self.max.is_none(),
            Some(range) => range >= u32::from(self.min) && self.max.is_none_or(|max| range <= u32::from(max)),
        }
    }
}

impl FromStr for RangeSpan {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<u8>().ok().filter(|&range| range <= 5);
        let span = match (text.strip_prefix('>'), text.split_once('-')) {
            (Some(beyond), _) => number(beyond).map(|min| (min + 1, None)),
            (None, Some((min, max))) => number(min).zip(number(max)).map(|(min, max)| (min, Some(max))),
            (None, None) => number(text).map(|range| (range, Some(range))),
        };
        match span {
            Some((min, max)) if max.is_none_or(|max| min <= max) => Ok(RangeSpan { min, max }),
            _ => Err(format!(
                "`{text}` is no range; write `1`, `0-2` or `>1` with ranges from 0 to 5"
            )),
        }
    }
}

impl TryFrom<String> for RangeSpan {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for RangeSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.max {
            None => write!(f, ">{}", self.min.saturating_sub(1)),
            Some(max) if max == self.min => write!(f, "{max}"),
            Some(max) => write!(f, "{}-{max}", self.min),
        }
    }
}

impl From<RangeSpan> for String {
    fn from(span: RangeSpan) -> String {
        span.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_comes_back_as_written_and_nonsense_is_told() {
        for text in ["0", "1", "0-1", "2-3", "0-4", ">1", ">3"] {
            assert_eq!(text.parse::<RangeSpan>().unwrap().to_string(), text);
        }
        for text in ["", "-", "3-1", "a", "0-9", ">", "1-2-3"] {
            assert!(text.parse::<RangeSpan>().is_err(), "{text}");
        }
        let near: RangeSpan = "0-1".parse().unwrap();
        assert_eq!(
            [Some(0), Some(1), Some(2), None].map(|range| near.holds(range)),
            [true, true, false, false]
        );
        let far: RangeSpan = ">1".parse().unwrap();
        assert_eq!(
            [Some(1), Some(2), None].map(|range| far.holds(range)),
            [false, true, true]
        );
    }
}
