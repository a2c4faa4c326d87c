//! SA-8.1: single and linked actions, and which of them is taken.

use std::cmp::Reverse;

use super::{
    ActionDecision, ActionDetail, Alternative, Effect, InOrder, Line, PlannedAction, Preference,
    ladder::{Ladder, changes_view},
};
use crate::{
    decision::{Compared, Reason},
    dice::DiceSource,
    geometry::Pose,
    solo_alpha::{
        attitude::Attitude,
        chart::Word,
        outcome::{aligning, best_heeding},
        sentence::{Named, NamedInOrder},
    },
    xwing::{
        action::{ActionKind, ColoredAction},
        edition::{Edition, solo::EqualMoves},
        maneuver::{Difficulty, Side},
        measure::{self, Object},
        reposition::BoostTemplate,
    },
};

/// One way to take an action, and what it is worth.
#[derive(Debug, Clone)]
pub(super) struct Possible {
    /// The line it meets.
    pub line: Option<u8>,
    /// Its place within the line: barrel roll, else boost, else the third.
    pub rank: u8,
    /// SA-8-B2: the distance gained to, mm; 0 for whatever does not move away from an obstacle.
    pub gain: f64,
    pub detail: ActionDetail,
    pub pose: Pose,
    pub effect: Effect,
    pub kind: PossibleKind,
}

/// Whether the action moves the ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PossibleKind {
    Moves,
    Stays,
}

/// Actions in order, with the values that SA-8.1 ranks them by.
struct Sequence {
    steps: Vec<PlannedAction>,
    line: u8,
    rank: u8,
    whites: usize,
    gain: f64,
}

impl Sequence {
    fn new(steps: Vec<(PlannedAction, Possible)>) -> Option<Self> {
        let best = steps
            .iter()
            .filter_map(|(_, possible)| Some((possible.line?, possible.rank)))
            .min()?;
        let gain = steps.iter().map(|(_, possible)| possible.gain).fold(0.0, f64::max);
        let steps: Vec<_> = steps.into_iter().map(|(step, _)| step).collect();
        Some(Self {
            line: best.0,
            rank: best.1,
            whites: steps.iter().filter(|s| s.difficulty == Difficulty::White).count(),
            gain,
            steps,
        })
    }

    /// SA-8.1: the highest line ("else" ranks before the rest), the most actions, the most white ones.
    fn key(&self) -> (u8, u8, Reverse<usize>, Reverse<usize>) {
        (self.line, self.rank, Reverse(self.steps.len()), Reverse(self.whites))
    }

    /// What equal sequences are ordered by.
    fn text(&self) -> String {
        InOrder(&self.steps).to_string()
    }

    fn words(&self, edition: Edition) -> String {
        NamedInOrder(edition, &self.steps).to_string()
    }

    fn left(&mut self, line: Line, why: Preference) -> Alternative {
        Alternative {
            sequence: std::mem::take(&mut self.steps),
            line,
            why,
        }
    }

    fn end(&self) -> Pose {
        self.steps.last().map_or_else(Pose::default, |step| step.pose_after)
    }

    fn roll(&self) -> Option<(Side, f64)> {
        self.steps.iter().rev().find_map(|step| match step.detail {
            ActionDetail::BarrelRoll { side, slide_mm } => Some((side, slide_mm)),
            _ => None,
        })
    }
}

/// SA-8.1: these may start a sequence without meeting a line of their own.
const fn may_open(kind: ActionKind) -> bool {
    matches!(kind, ActionKind::Focus | ActionKind::Evade | ActionKind::Calculate)
}

impl Ladder<'_> {
    /// SA-8 and SA-8.1: the action or the linked actions to take.
    pub fn decide(mut self, dice: &mut dyn DiceSource) -> ActionDecision {
        let edition = self.table.rules.edition;
        let mut all = self.sequences();
        all.sort_by_cached_key(|sequence| (sequence.key(), sequence.text()));
        // Two entries of the bar may offer the same.
        all.dedup_by(|a, b| a.key() == b.key() && a.steps == b.steps);
        let mut reasons = Vec::new();
        let best = all.first().map(Sequence::key);
        let last = best.map_or(self.last_line(), |(line, ..)| line);
        for number in 1..=last {
            self.explain_line(number, best.is_none_or(|(line, ..)| number < line), &mut reasons);
        }
        let Some(best) = best else {
            reasons.push(Reason {
                rule: "SA-8".to_owned(),
                text: format!("no line of the {} ladder applies", self.attitude),
                compared: Vec::new(),
            });
            return ActionDecision {
                rejected: self.rejected,
                reasons,
                ..ActionDecision::default()
            };
        };
        let lower = all.split_off(all.partition_point(|sequence| sequence.key() == best));
        let mut alternatives = Vec::new();
        let kept = self.align(&all, dice, &mut reasons);
        let index = kept[roll_among((&kept, &all), edition, dice, &mut reasons)];
        for (i, sequence) in all.iter_mut().enumerate().filter(|(i, _)| *i != index) {
            let why = if kept.contains(&i) {
                Preference::Roll
            } else {
                Preference::Alignment
            };
            alternatives.push(sequence.left(self.line(sequence.line), why));
        }
        for mut sequence in lower {
            let key = sequence.key();
            let why = if key.0 != best.0 {
                Preference::HigherLine
            } else if key.1 != best.1 {
                Preference::EarlierInLine
            } else if key.2 != best.2 {
                Preference::MoreActions
            } else {
                Preference::MoreWhite
            };
            alternatives.push(sequence.left(self.line(sequence.line), why));
        }
        let chosen = all.swap_remove(index);
        for step in &chosen.steps {
            reasons.push(Reason {
                rule: step.line.map_or_else(|| "SA-8.1".to_owned(), Line::id),
                text: format!("{} {}", Named(edition, step), step.effect),
                compared: Vec::new(),
            });
        }
        if !alternatives.is_empty() {
            reasons.push(Reason {
                rule: "SA-8.1".to_owned(),
                text: format!(
                    "{} is taken before what else meets a line",
                    NamedInOrder(edition, &chosen.steps)
                ),
                compared: alternatives
                    .iter()
                    .map(|alternative| Compared {
                        candidate: NamedInOrder(edition, &alternative.sequence).to_string(),
                        value: None,
                        unit: String::new(),
                        verdict: alternative.why.to_string(),
                    })
                    .collect(),
            });
        }
        ActionDecision {
            lost: Vec::new(),
            sequence: chosen.steps,
            rejected: self.rejected,
            alternatives,
            reasons,
        }
    }

    /// Every sequence that meets a line.
    fn sequences(&mut self) -> Vec<Sequence> {
        let bar = self.ship.actions.clone();
        let mut known: Vec<(ActionKind, Vec<Possible>)> = Vec::new();
        let mut all = Vec::new();
        for entry in bar {
            if !self.may_take(entry.action) {
                continue;
            }
            let mut firsts = self.known_possible(&mut known, entry.action.kind);
            if firsts.is_empty() && may_open(entry.action.kind) && entry.linked.is_some() {
                firsts.push(Possible {
                    line: None,
                    rank: 0,
                    gain: 0.0,
                    detail: ActionDetail::Token,
                    pose: self.ship.pose,
                    effect: Effect::OpensLink,
                    kind: PossibleKind::Stays,
                });
            }
            for first in firsts {
                let Some(step) = self.planned(entry.action, &first) else {
                    continue;
                };
                if let Some(linked) = entry.linked {
                    self.link(&mut all, &mut known, (&step, &first), linked);
                }
                all.extend(Sequence::new(vec![(step, first)]));
            }
        }
        all
    }

    /// The sequences of a first action and its link.
    fn link(
        &mut self,
        all: &mut Vec<Sequence>,
        known: &mut Vec<(ActionKind, Vec<Possible>)>,
        (step, first): (&PlannedAction, &Possible),
        linked: ColoredAction,
    ) {
        let saved = self.enter(step);
        if self.may_take(linked) {
            let same_view = first.kind == PossibleKind::Stays && !changes_view(step.kind);
            let seconds = if same_view && changes_view(linked.kind) {
                self.known_possible(known, linked.kind)
            } else {
                // What is measured from elsewhere is not what the log shows of the ship as it stands.
                let rejected = self.rejected.len();
                let seconds = self.possible(linked.kind);
                self.rejected.truncate(rejected);
                seconds
            };
            for second in seconds {
                if let Some(next) = self.planned(linked, &second) {
                    all.extend(Sequence::new(vec![(step.clone(), first.clone()), (next, second)]));
                }
            }
        }
        self.leave(saved);
    }

    /// What an action of that kind could do for the ship as it stands; measured once.
    fn known_possible(&mut self, known: &mut Vec<(ActionKind, Vec<Possible>)>, kind: ActionKind) -> Vec<Possible> {
        if let Some((_, possible)) = known.iter().find(|(known, _)| *known == kind) {
            return possible.clone();
        }
        let possible = self.possible(kind);
        known.push((kind, possible.clone()));
        possible
    }

    /// The action as it would be taken; `None` when it cannot be taken so in the colour in which it is offered.
    fn planned(&self, action: ColoredAction, possible: &Possible) -> Option<PlannedAction> {
        Some(PlannedAction {
            kind: action.kind,
            difficulty: self.ship.color_of(&possible.detail, action.difficulty)?,
            detail: possible.detail.clone(),
            pose_after: possible.pose,
            line: possible.line.map(|number| self.line(number)),
            effect: possible.effect.clone(),
        })
    }

    /// One reason for a line: why it does not apply, and what was measured for it.
    fn explain_line(&self, number: u8, skipped: bool, reasons: &mut Vec<Reason>) {
        let line = self.line(number);
        let compared: Vec<_> = self
            .rejected
            .iter()
            .filter(|rejected| rejected.action.line == Some(line))
            .map(|rejected| Compared {
                candidate: Named(self.table.rules.edition, &rejected.action).to_string(),
                value: None,
                unit: String::new(),
                verdict: rejected.why.to_string(),
            })
            .collect();
        if skipped || !compared.is_empty() {
            let text = if skipped {
                self.why_not(number)
            } else {
                "of what was measured, these fail"
            };
            reasons.push(Reason {
                rule: line.id(),
                text: text.to_owned(),
                compared,
            });
        }
    }

    /// SA-8-D1 by FE-SOLO-8: of equal kinds a SLAM that is not red, then what leaves the most enemies' arcs, then the
    /// smallest slide or the straight boost.
    fn most_arcs_left(&self, all: &[Sequence], reasons: &mut Vec<Reason>) -> Vec<usize> {
        let key = |sequence: &Sequence| {
            let step = sequence.steps.last()?;
            let left = match &step.effect {
                Effect::LeavesArcs(ships) => ships.len(),
                _ => 0,
            };
            let (red, slide) = match &step.detail {
                ActionDetail::Slam { maneuver, .. } => (maneuver.difficulty == Difficulty::Red, 0.0),
                ActionDetail::BarrelRoll { slide_mm, .. } => (false, slide_mm.abs()),
                ActionDetail::Boost(BoostTemplate::Straight) => (false, 0.0),
                ActionDetail::Boost(_) => (false, 1.0),
                _ => (false, 0.0),
            };
            // Slides are finer than any table to a thousandth of a millimetre.
            Some((red, Reverse(left), (slide * 1000.0).round() as i64))
        };
        let keys: Vec<_> = all.iter().map(key).collect();
        let best = keys.iter().min();
        let kept: Vec<usize> = (0..all.len()).filter(|&i| Some(&keys[i]) == best).collect();
        let leaves = |key: &Option<(bool, Reverse<usize>, i64)>| key.map_or(0, |(_, Reverse(left), _)| left);
        reasons.push(Reason {
            rule: self.line(1).id(),
            text:
                "several would do: the one that leaves the most enemies' arcs, then the smallest slide or the straight \
                   boost"
                    .to_owned(),
            compared: (all.iter().zip(&keys).enumerate())
                .map(|(i, (sequence, key))| Compared {
                    candidate: sequence.words(self.table.rules.edition),
                    value: Some(leaves(key) as f64),
                    unit: "arcs".to_owned(),
                    verdict: if kept.contains(&i) { "best" } else { "left" }.to_owned(),
                })
                .collect(),
        });
        kept
    }

    /// SA-5: which of several barrel rolls; the indices of those that are best. Balanced takes the end farthest from the
    /// obstacle; the row's towards or away aligns the others; where nothing asks for anything, the middle is
    /// first, and the nearest enemy's bearing chooses the side.
    fn align(&self, all: &[Sequence], dice: &mut dyn DiceSource, reasons: &mut Vec<Reason>) -> Vec<usize> {
        let everything: Vec<_> = (0..all.len()).collect();
        if all.len() < 2 {
            return everything;
        }
        if self.attitude == Attitude::Balanced {
            // Behind a coordinate, an equal sequence may have no move in it.
            let distances: Vec<_> = all.iter().map(|s| s.gain).collect();
            let mut best = best_heeding(Word::Away, &distances);
            best.extend((0..all.len()).filter(|&i| distances[i] == 0.0));
            best.sort_unstable();
            best.dedup();
            return best;
        }
        if self.attitude == Attitude::Defensive && self.table.rules.solo.equal_moves == EqualMoves::MostArcs {
            return self.most_arcs_left(all, reasons);
        }
        let Some(rolls) = all.iter().map(Sequence::roll).collect::<Option<Vec<_>>>() else {
            return everything;
        };
        let heed = self.result.heed.as_ref();
        if let Some((heed, object)) = heed.and_then(|heed| Some((heed, Object::find(self.table, &heed.object)?))) {
            let distances: Vec<_> = all
                .iter()
                .map(|s| measure::distance(self.ship.size, s.end(), &object))
                .collect();
            let best = best_heeding(heed.word, &distances);
            reasons.push(Reason {
                rule: aligning(&self.table.rules).to_owned(),
                text: format!("the barrel roll is aligned {} {}", heed.word.name(), heed.object),
                compared: (all.iter().zip(&distances).enumerate())
                    .map(|(i, (sequence, &distance))| Compared {
                        candidate: sequence.words(self.table.rules.edition),
                        value: Some(distance),
                        unit: "mm".to_owned(),
                        verdict: if best.contains(&i) { "best" } else { "left" }.to_owned(),
                    })
                    .collect(),
            });
            return best;
        }
        // The middle ends first, over both sides; then the side.
        let least = rolls.iter().map(|roll| roll.1.abs()).fold(f64::INFINITY, f64::min);
        let ends = Side::BOTH.map(|side| -> Vec<usize> {
            let fits = |&i: &usize| rolls[i].0 == side && rolls[i].1.abs() <= least;
            (0..rolls.len()).filter(fits).collect()
        });
        let [left, right] = &ends;
        if left.is_empty() || right.is_empty() {
            return ends.concat();
        }
        let off_nose = [left, right].map(|ends| {
            let off = ends.iter().map(|&i| self.nearest_enemy_off_nose(all[i].end()));
            off.fold(f64::INFINITY, f64::min)
        });
        const TIE_DEGREES: f64 = 1e-6;
        let side = if off_nose[0] + TIE_DEGREES < off_nose[1] {
            Side::Left
        } else if off_nose[1] + TIE_DEGREES < off_nose[0] {
            Side::Right
        } else {
            Side::BOTH[dice.choose(2).min(1)]
        };
        reasons.push(Reason {
            rule: aligning(&self.table.rules).to_owned(),
            text: format!(
                "nothing asks for a side: to the {}, where the nearest enemy is nearer to the nose",
                side.name()
            ),
            compared: (Side::BOTH.iter().zip(off_nose))
                .map(|(&candidate, degrees)| Compared {
                    candidate: candidate.name().to_owned(),
                    value: Some(degrees),
                    unit: "degrees".to_owned(),
                    verdict: if candidate == side { "taken" } else { "left" }.to_owned(),
                })
                .collect(),
        });
        if side == Side::Left {
            left.clone()
        } else {
            right.clone()
        }
    }
}

/// A seeded roll among equal sequences, which stand in the order of their texts; the index into `kept`.
fn roll_among(
    (kept, all): (&[usize], &[Sequence]),
    edition: Edition,
    dice: &mut dyn DiceSource,
    reasons: &mut Vec<Reason>,
) -> usize {
    if kept.len() < 2 {
        return 0;
    }
    let index = dice.choose(kept.len()).min(kept.len() - 1);
    let texts: Vec<_> = kept.iter().map(|&i| all[i].words(edition)).collect();
    reasons.push(Reason {
        rule: "SA-8.1".to_owned(),
        text: format!("equal: {}; a seeded roll took {}", texts.join("; "), texts[index]),
        compared: Vec::new(),
    });
    index
}
