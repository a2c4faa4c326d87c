//! The clock of a match (PE-9.2), in seconds since the first Planning phase of the first game.

/// The clock of a match. It starts with the first Planning phase of the first game and runs through the second set-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// When no further round of play of the first game may begin, in seconds.
    pub first_game: u32,
    /// When no further round of play of the match may begin, in seconds.
    pub whole: u32,
}

/// The two games of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The first game.
    First,
    /// The second one, roles swapped.
    Second,
}

impl Default for Clock {
    /// 45 minutes for the first game, 95 for the match.
    fn default() -> Clock {
        Clock {
            first_game: 45 * 60,
            whole: 95 * 60,
        }
    }
}

impl Clock {
    /// When the time of a game is up.
    pub const fn end(&self, part: Part) -> u32 {
        match part {
            Part::First => self.first_game,
            Part::Second => self.whole,
        }
    }

    /// Whether a round of play may begin; the one that runs when the time is up is finished, then the game is scored.
    pub const fn may_begin_round(&self, part: Part, elapsed: u32) -> bool {
        // PE-9.2
        elapsed < self.end(part)
    }

    /// The seconds in which rounds of play may still begin. The second game has what a first one that ended early left.
    pub const fn left(&self, part: Part, elapsed: u32) -> u32 {
        self.end(part).saturating_sub(elapsed)
    }

    /// What there is to do at a moment of the match, in a sentence.
    pub fn told(&self, part: Part, elapsed: u32) -> String {
        let left = minutes(self.left(part, elapsed));
        match (part, self.may_begin_round(part, elapsed)) {
            (Part::First, true) => format!("first game: rounds may begin for another {left}"),
            (Part::First, false) => {
                "first game: finish the round of play, score the game, swap roles and set up".to_owned()
            }
            (Part::Second, true) => format!("second game: rounds may begin for another {left}"),
            (Part::Second, false) => "second game: finish the round of play and score the game".to_owned(),
        }
    }
}

/// Seconds as `38:00`.
pub fn minutes(seconds: u32) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// The seconds of `38:00`, or of minutes alone.
pub fn seconds(text: &str) -> Option<u32> {
    let (minutes, seconds) = text.split_once(':').unwrap_or((text, "0"));
    let (minutes, seconds): (u32, u32) = (minutes.parse().ok()?, seconds.parse().ok()?);
    (seconds < 60).then_some(())?;
    minutes.checked_mul(60)?.checked_add(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PE-9.2
    #[test]
    fn the_second_game_has_what_the_first_one_left() {
        let clock = Clock::default();
        assert!(clock.may_begin_round(Part::First, 45 * 60 - 1) && !clock.may_begin_round(Part::First, 45 * 60));
        assert!(clock.may_begin_round(Part::Second, 95 * 60 - 1) && !clock.may_begin_round(Part::Second, 95 * 60));
        assert_eq!(minutes(clock.left(Part::Second, 57 * 60)), "38:00");
        assert_eq!(minutes(clock.left(Part::Second, 30 * 60)), "65:00");
        assert_eq!(clock.left(Part::First, 52 * 60), 0);
    }

    #[test]
    fn times_are_read_as_they_are_written() {
        for (text, expected) in [("57:00", Some(3420)), ("57", Some(3420)), ("0:59", Some(59))] {
            assert_eq!(seconds(text), expected, "{text}");
        }
        for text in ["", "1:60", "-1", "1:2:3", "4294967295", "x"] {
            assert_eq!(seconds(text), None, "{text}");
        }
        assert_eq!(seconds(&minutes(3425)), Some(3425));
    }
}
