//! Warnings that anybody can cause as often as they like: the first of a burst is logged, the rest is counted.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::limits::Rate;

/// Shortest time between two lines about the same thing.
const QUIET: Duration = Duration::from_secs(60);

/// How often something happened that is not worth a line each time.
#[derive(Debug)]
pub struct Burst {
    state: Mutex<(Rate, u64)>,
}

impl Default for Burst {
    fn default() -> Self {
        Burst {
            state: Mutex::new((Rate::new(QUIET.as_secs_f64().recip(), 1.0), 0)),
        }
    }
}

impl Burst {
    /// It happened. `Some` if that is to be logged now, with the number of times since the last line that were not.
    pub fn noted(&self) -> Option<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (rate, unlogged) = &mut *state;
        if rate.take(1) {
            return Some(std::mem::take(unlogged));
        }
        *unlogged += 1;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_one_line_and_the_next_one_counts_the_rest() {
        let burst = Burst::default();
        assert_eq!(burst.noted(), Some(0));
        for _ in 0..500 {
            assert_eq!(burst.noted(), None);
        }
        tokio::time::advance(QUIET / 2).await;
        assert_eq!(burst.noted(), None);
        tokio::time::advance(QUIET).await;
        assert_eq!(burst.noted(), Some(501));
        assert_eq!(burst.noted(), None);
    }
}
