//! Slides: places along a line, some of which something fits at (FE-4.6, FE-6.1).

/// How far apart the search looks, mm. What fits, or does not, for less of the way may be missed (FE-6.1).
const STEP_MM: f64 = 0.5;
/// How exactly the edge of what fits is found, mm (FE-6.1).
const EDGE_MM: f64 = 0.001;

/// The slides at which something fits: closed intervals in ascending order, mm from the middle, forward positive.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Slides {
    intervals: Vec<(f64, f64)>,
}

impl Slides {
    /// Every slide from one to another, mm.
    pub fn between(from: f64, to: f64) -> Self {
        Self {
            intervals: vec![(from, to)],
        }
    }

    /// The slides up to `reach` mm to both ends that fit: searched in steps of 0.5 mm with both ends, the edges then
    /// bisected to 0.001 mm (FE-6.1).
    pub fn search(reach: f64, mut fits: impl FnMut(f64) -> bool) -> Self {
        let mut intervals: Vec<(f64, f64)> = Vec::new();
        let mut last: Option<(f64, bool)> = None;
        let steps = (2.0 * reach / STEP_MM).ceil() as u32;
        for step in 0..=steps {
            let place = (STEP_MM * f64::from(step) - reach).min(reach);
            let here = fits(place);
            match (last, here) {
                (Some((before, false)), true) => intervals.push((edge(place, before, &mut fits), place)),
                (None, true) => intervals.push((place, place)),
                (Some((before, true)), false) => {
                    let end = edge(before, place, &mut fits);
                    if let Some(interval) = intervals.last_mut() {
                        interval.1 = end;
                    }
                }
                (Some((_, true)), true) => {
                    if let Some(interval) = intervals.last_mut() {
                        interval.1 = place;
                    }
                }
                (_, false) => {}
            }
            last = Some((place, here));
        }
        Self { intervals }
    }

    /// Single slides, in ascending order.
    pub fn of_points(slides: impl IntoIterator<Item = f64>) -> Self {
        Self {
            intervals: slides.into_iter().map(|slide| (slide, slide)).collect(),
        }
    }

    /// Whether nothing fits anywhere.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// The intervals, in ascending order, mm.
    pub fn intervals(&self) -> &[(f64, f64)] {
        &self.intervals
    }

    /// The slide that is nearest to one, mm; of two as near the one farther forward. `None` when nothing fits.
    pub fn nearest(&self, slide: f64) -> Option<f64> {
        let clamped = self.intervals.iter().map(|&(from, to)| slide.clamp(from, to));
        clamped.min_by(|a, b| {
            let (near, far) = ((a - slide).abs(), (b - slide).abs());
            near.total_cmp(&far).then_with(|| b.total_cmp(a))
        })
    }

    /// Each of these slides, or the nearest that fits in its place (FE-SOLO-7); each place once.
    pub fn nearest_to_each(&self, slides: impl IntoIterator<Item = f64>) -> Vec<f64> {
        let mut places: Vec<f64> = Vec::new();
        for place in slides.into_iter().filter_map(|slide| self.nearest(slide)) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// The slides that are made of one of these and a second one of up to `by` mm to either side.
    #[must_use]
    pub fn widened(&self, by: f64) -> Self {
        let mut intervals: Vec<(f64, f64)> = Vec::new();
        for (from, to) in self.intervals.iter().map(|&(from, to)| (from - by, to + by)) {
            match intervals.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => intervals.push((from, to)),
            }
        }
        Self { intervals }
    }

    /// The slides that both have.
    #[must_use]
    pub fn common(&self, other: &Slides) -> Self {
        let pairs = self
            .intervals
            .iter()
            .flat_map(|mine| other.intervals.iter().map(move |theirs| (mine, theirs)));
        let common = pairs.map(|(mine, theirs)| (mine.0.max(theirs.0), mine.1.min(theirs.1)));
        Self {
            intervals: common.filter(|(from, to)| from <= to).collect(),
        }
    }
}

/// The place nearest to `out`, which does not fit, that fits, between there and `fit`, which does.
fn edge(mut fit: f64, mut out: f64, fits: &mut impl FnMut(f64) -> bool) -> f64 {
    while (out - fit).abs() > EDGE_MM {
        let middle = (fit + out) / 2.0;
        if fits(middle) {
            fit = middle;
        } else {
            out = middle;
        }
    }
    fit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_finds_the_edges_and_both_ends() {
        let found = Slides::search(20.0, |slide| {
            slide <= -18.0 || (3.3..=7.7).contains(&slide) || slide == 20.0
        });
        let [(a, b), (c, d), (e, f)] = *found.intervals() else {
            panic!("{found:?}");
        };
        assert_eq!((a, b, e, f), (-20.0, -18.0, 20.0, 20.0));
        assert!((3.3..3.301).contains(&c) && (7.699..=7.7).contains(&d), "{found:?}");
        assert_eq!(Slides::search(10.0, |_| true), Slides::between(-10.0, 10.0));
        assert!(Slides::search(10.0, |_| false).is_empty());
        assert_eq!(Slides::search(0.0, |_| true).intervals(), [(0.0, 0.0)]);
    }

    #[test]
    fn the_nearest_slide_replaces_one_that_does_not_fit() {
        let slides = Slides::search(20.0, |slide| slide.abs() >= 5.0 && slide > -12.0);
        assert_eq!(slides.nearest(0.0), Some(5.0));
        assert_eq!(slides.nearest(-1.0), Some(-5.0));
        assert_eq!(slides.nearest(17.0), Some(17.0));
        let places = slides.nearest_to_each([0.0, 10.0, -10.0, 20.0, -20.0]);
        assert_eq!(places[..4], [5.0, 10.0, -10.0, 20.0]);
        assert!((places[4] + 12.0).abs() < 0.001, "{places:?}");
        assert_eq!(Slides::default().nearest(0.0), None);
    }

    #[test]
    fn two_slides_in_a_row_reach_as_far_as_both() {
        let first = Slides {
            intervals: vec![(-10.0, -1.0), (9.0, 10.0)],
        };
        assert_eq!(first.widened(10.0).intervals(), [(-20.0, 20.0)]);
        assert_eq!(first.widened(2.0).intervals(), [(-12.0, 1.0), (7.0, 12.0)]);
        let common = first.common(&Slides::between(-9.5, 9.5));
        assert_eq!(common.intervals(), [(-9.5, -1.0), (9.0, 9.5)]);
    }
}
