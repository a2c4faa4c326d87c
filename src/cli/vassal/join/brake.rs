//! How fast something may come: so many at once, then so many a second.

use std::time::{Duration, Instant};

/// A brake: it lets a burst pass, and then a steady flow.
#[derive(Debug, Clone)]
pub(super) struct Brake {
    a_second: f64,
    at_once: f64,
    /// What may still come at once; below zero: what came too early.
    left: f64,
    last: Instant,
}

impl Brake {
    /// A brake that lets `at_once` pass, and from then on `a_second`, which is above zero.
    pub(super) fn new(a_second: f64, at_once: f64, now: Instant) -> Brake {
        Brake {
            a_second,
            at_once,
            left: at_once,
            last: now,
        }
    }

    fn refill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.last).as_secs_f64();
        self.left = (self.left + passed * self.a_second).min(self.at_once);
        self.last = now;
    }

    /// Something of that weight has come: how long to wait before the next is taken.
    pub(super) fn wait_after(&mut self, weight: f64, now: Instant) -> Duration {
        self.refill(now);
        self.left -= weight;
        Duration::from_secs_f64((-self.left).max(0.0) / self.a_second)
    }

    /// Whether something of weight one may pass now; what may not is not counted.
    pub(super) fn lets_pass(&mut self, now: Instant) -> bool {
        self.refill(now);
        let passes = self.left >= 1.0;
        if passes {
            self.left -= 1.0;
        }
        passes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_and_then_a_steady_flow() {
        let now = Instant::now();
        let later = |ms| now + Duration::from_millis(ms);
        let mut brake = Brake::new(10.0, 3.0, now);
        for _ in 0..3 {
            assert_eq!(brake.wait_after(1.0, now), Duration::ZERO);
        }
        assert_eq!(brake.wait_after(1.0, now), Duration::from_millis(100));
        // What weighs more waits longer, and waiting makes room again.
        assert_eq!(brake.wait_after(2.0, later(100)), Duration::from_millis(200));
        assert_eq!(brake.wait_after(1.0, later(60_000)), Duration::ZERO);
    }

    #[test]
    fn what_is_too_much_is_turned_away_and_costs_nothing() {
        let now = Instant::now();
        let mut brake = Brake::new(2.0, 2.0, now);
        let passed = (0..1000).filter(|_| brake.lets_pass(now)).count();
        assert_eq!(passed, 2);
        assert!(brake.lets_pass(now + Duration::from_millis(500)));
        assert!(!brake.lets_pass(now + Duration::from_millis(500)));
    }
}
