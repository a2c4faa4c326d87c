//! The clock of a match (PE-9.2), as values: who reads a real clock is somebody else's concern.

/// Which game of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameOfMatch {
    /// The first one.
    First,
    /// The second one, with roles swapped.
    Second,
}

/// How long a match lasts. All times are seconds since the first Planning of game one began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchClock {
    /// Until then rounds of the first game may begin.
    pub first_game_s: u32,
    /// Until then rounds of the second game may begin; it runs through the second set-up.
    pub match_s: u32,
}

impl Default for MatchClock {
    fn default() -> Self {
        MatchClock {
            first_game_s: 45 * 60,
            match_s: 95 * 60,
        }
    }
}

impl MatchClock {
    /// The last moment at which a round of a game may begin.
    pub const fn limit_s(&self, game: GameOfMatch) -> u32 {
        match game {
            GameOfMatch::First => self.first_game_s,
            GameOfMatch::Second => self.match_s,
        }
    }

    /// Whether another round of a game may begin at that time. The round that runs when time is up is finished.
    pub const fn may_begin_round(&self, game: GameOfMatch, now_s: u32) -> bool {
        now_s < self.limit_s(game)
    }

    /// How long rounds of a game may still begin, seconds. A first game that ends early leaves its time to the second.
    pub const fn left_s(&self, game: GameOfMatch, now_s: u32) -> u32 {
        self.limit_s(game).saturating_sub(now_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pe_9_2_a_first_game_that_ends_early_leaves_its_minutes_to_the_second() {
        let clock = MatchClock::default();
        assert!(clock.may_begin_round(GameOfMatch::First, 45 * 60 - 1));
        assert!(!clock.may_begin_round(GameOfMatch::First, 45 * 60));
        assert_eq!(clock.left_s(GameOfMatch::Second, 57 * 60), 38 * 60);
        assert_eq!(clock.left_s(GameOfMatch::Second, 20 * 60), 75 * 60);
    }
}
