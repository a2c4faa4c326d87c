//! Geometry among three places, and numbers that are compared.

use super::{Scene, all};
use crate::xwing::effects::{
    Selector,
    spatial::{Compare, Comparison, Number, Quantity, Spatial},
};

impl Scene<'_> {
    /// Somebody is in an arc of somebody, at a range of somebody, in a state.
    pub(super) fn spatial(&self, spatial: &Spatial) -> Option<bool> {
        let (of, range_of) = (self.select(&spatial.of)?, self.select(&spatial.range_of)?);
        let mut count = 0_u8;
        for who in self.select(&spatial.who)? {
            let arc = match spatial.in_arc.is_empty() {
                true => Some(true),
                false => super::any(of.iter().map(|&of| self.between(of, Some(who), &spatial.in_arc.0))),
            };
            let range = spatial.at_range.is_none_or(|span| {
                let mut from = range_of.iter();
                from.any(|&from| span.holds(self.range(from, who)))
            });
            let states = spatial.state.iter().map(|state| self.state(state, who));
            if all([arc, Some(range)].into_iter().chain(states))? {
                count = count.saturating_add(1);
            }
        }
        Some(match spatial.quantity {
            Quantity::Some => count > 0,
            Quantity::None => count == 0,
            Quantity::AtLeast(least) => count >= least,
        })
    }

    pub(super) fn compare(&self, compare: &Compare) -> Option<bool> {
        let (left, right) = (self.number(&compare.left)?, self.number(&compare.right)?);
        Some(match compare.is {
            Comparison::Greater => left > right,
            Comparison::Equal => left == right,
            Comparison::Less => left < right,
        })
    }

    fn number(&self, number: &Number) -> Option<usize> {
        let one = |selector: &Selector| self.select(selector)?.first().copied();
        Some(match number {
            Number::Count(query) => self.query(query)?.len(),
            Number::Initiative(selector) => usize::from(self.ship(one(selector)?).initiative),
            Number::DamageCards(selector) => self.fighters[one(selector)?].integrity.cards(),
            Number::Shields(selector) => usize::from(self.fighters[one(selector)?].integrity.shields),
            Number::Results => return None,
        })
    }
}
