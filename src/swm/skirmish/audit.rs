//! What no skirmish may do, told from its events alone: an independent look at whole games.

use std::collections::{BTreeMap, BTreeSet};

use super::event::{Cause, Event};
use crate::swm::{
    board::Board,
    figure::{Figure, Side},
    movement::{may_end, step_cost},
    options::Options,
    targets,
};

/// Walks the events of a skirmish from its beginning. What is wrong, in words; empty when nothing is.
pub fn audit(start: &Board, options: &Options, events: &[Event]) -> Vec<String> {
    let mut audit = Audit {
        board: start.clone(),
        options,
        wrong: Vec::new(),
        active: None,
        activated: BTreeSet::new(),
        phase: (Side::Player, 0),
        walked: 0,
        attacks: 0,
        opportunities: BTreeSet::new(),
        spent: BTreeMap::new(),
        over: false,
    };
    for (index, event) in events.iter().enumerate() {
        if audit.over {
            audit
                .wrong
                .push(format!("event {index}: something happens after the end"));
            break;
        }
        audit.take(index, event);
    }
    audit.wrong
}

struct Audit<'a> {
    board: Board,
    options: &'a Options,
    wrong: Vec<String>,
    active: Option<String>,
    activated: BTreeSet<String>,
    phase: (Side, u8),
    walked: u16,
    attacks: u8,
    opportunities: BTreeSet<String>,
    spent: BTreeMap<String, u16>,
    over: bool,
}

impl Audit<'_> {
    fn check(&mut self, index: usize, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(format!("event {index}: {}", what()));
        }
    }

    fn take(&mut self, index: usize, event: &Event) {
        match event {
            Event::RoundBegan { .. } => {
                let waiting = self.board.figures().iter().any(|figure| {
                    figure.in_play() && !self.activated.contains(&figure.id) && !self.activated.is_empty()
                });
                self.check(index, !waiting, || {
                    "a round begins before all have activated".to_owned()
                });
                self.activated.clear();
                let ids: Vec<String> = self.board.figures().iter().map(|figure| figure.id.clone()).collect();
                for id in ids {
                    if let Some(figure) = self.board.figure_mut(&id) {
                        figure.activated = false;
                    }
                }
            }
            Event::Initiative { player, automated } => {
                let fair = [player, automated].iter().all(|die| (1..=20).contains(*die));
                self.check(index, fair, || "a die shows no number from 1 to 20".to_owned());
            }
            Event::GoesFirst { side } | Event::PhaseBegan { side } => {
                self.phase = (*side, 0);
            }
            Event::Activated { figure } => self.activated(index, figure),
            Event::ForceGained { figure, points } => {
                if let Some(figure) = self.board.figure_mut(figure) {
                    figure.force += points;
                }
            }
            Event::ForceSpent { figure, points } => {
                let (may, has) = match self.board.figure(figure) {
                    Some(own) => (own.may_spend_force(*points), own.force),
                    None => (false, 0),
                };
                self.check(index, may, || {
                    format!("{figure} spends {points} Force points, with {has} left")
                });
                *self.spent.entry(figure.clone()).or_default() += points;
                if let Some(figure) = self.board.figure_mut(figure) {
                    figure.force = figure.force.saturating_sub(*points);
                    figure.force_spent += 1;
                }
            }
            Event::Stepped { figure, from, to } => {
                let cost = self.board.figure(figure).and_then(|own| {
                    (own.at == *from)
                        .then(|| step_cost(&self.board, own, *from, *to))
                        .flatten()
                });
                let turn = self.active.as_deref() == Some(figure);
                self.check(index, turn && cost.is_some(), || {
                    format!("{figure} steps from {from} to {to}")
                });
                self.walked += cost.unwrap_or(0);
                if let Some(figure) = self.board.figure_mut(figure) {
                    figure.at = *to;
                }
            }
            Event::Attacked { .. } => self.attacked(index, event),
            Event::Saved {
                rolled,
                needs,
                succeeds,
                ..
            } => {
                self.check(index, (rolled >= needs) == *succeeds, || {
                    format!("a save of {rolled} against {needs}")
                });
            }
            Event::Area { attacker, target, .. } => {
                let legal = self.is_legal(attacker, target);
                self.check(index, legal, || format!("{attacker} bombs {target}, no legal target"));
            }
            Event::Defended { .. } => {}
            Event::Damaged { figure, damage, left } => {
                let before = self.board.figure(figure).map_or(0, |own| own.hit_points);
                self.check(index, before.saturating_sub(*damage) == *left, || {
                    format!("{figure} has {left} hit points after {damage} damage to {before}")
                });
                if let Some(figure) = self.board.figure_mut(figure) {
                    figure.hit_points = *left;
                }
            }
            Event::Healed { figure, left } => {
                let most = self.board.figure(figure).map_or(0, |own| own.card.hit_points);
                self.check(index, *left <= most, || {
                    format!("{figure} has more hit points than at the start")
                });
                if let Some(figure) = self.board.figure_mut(figure) {
                    figure.hit_points = *left;
                }
            }
            Event::Defeated { figure } => {
                let down = self.board.figure(figure).is_some_and(|own| own.hit_points == 0);
                self.check(index, down, || format!("{figure} is defeated with hit points left"));
            }
            Event::TurnEnded { figure } => self.turn_ended(index, figure),
            Event::Door { door, open } => self.board.set_door(*door, *open),
            Event::Ended { .. } => self.over = true,
        }
    }

    fn activated(&mut self, index: usize, id: &str) {
        let Some(own) = self.board.figure(id) else {
            self.wrong.push(format!("event {index}: {id} is no figure"));
            return;
        };
        let (side, in_play) = (own.side, own.in_play());
        let fresh = self.activated.insert(id.to_owned());
        self.check(index, fresh && in_play, || format!("{id} activates twice, or defeated"));
        self.check(index, side == self.phase.0, || {
            format!("{id} activates in the other side's phase")
        });
        self.phase.1 += 1;
        let count = self.phase.1;
        let others = self.board.side(match side {
            Side::Automated => Side::Player,
            Side::Player => Side::Automated,
        });
        let others_wait = others.into_iter().any(|other| !self.activated.contains(&other.id));
        self.check(index, count <= 2 || !others_wait, || {
            format!("{id} is number {count} of a phase")
        });
        self.active = Some(id.to_owned());
        (self.walked, self.attacks) = (0, 0);
        self.opportunities.clear();
        let ids: Vec<String> = self.board.figures().iter().map(|figure| figure.id.clone()).collect();
        for other in ids {
            if let Some(figure) = self.board.figure_mut(&other) {
                figure.force_spent = 0;
                figure.activated |= other == id;
            }
        }
    }

    fn is_legal(&self, attacker: &str, target: &str) -> bool {
        let Some(own) = self.board.figure(attacker) else {
            return false;
        };
        let seen = targets::sighted(&self.board, own, own.space(), self.options);
        seen.iter().any(|enemy| enemy.figure.id == target && enemy.legal)
    }

    fn attacked(&mut self, index: usize, event: &Event) {
        let Event::Attacked {
            attacker,
            target,
            cause,
            rolled,
            bonus,
            defense,
            hit,
            critical,
            ..
        } = event
        else {
            return;
        };
        let right = *rolled == 20 || (*rolled != 1 && i16::from(*rolled) + bonus >= *defense);
        self.check(index, right == *hit, || {
            format!("{rolled} {bonus:+} against {defense} is read wrongly")
        });
        self.check(index, !critical || *rolled == 20, || {
            "a critical without a 20".to_owned()
        });
        let adjacent = match (self.board.figure(attacker), self.board.figure(target)) {
            (Some(a), Some(b)) => self.board.are_adjacent(a.space(), b.space()),
            _ => false,
        };
        match cause {
            Cause::Turn => {
                let legal = self.is_legal(attacker, target) && self.active.as_deref() == Some(attacker);
                self.check(index, legal, || {
                    format!("{attacker} attacks {target}, no legal target, or not on its turn")
                });
                self.attacks += 1;
            }
            Cause::Twin => {}
            Cause::Opportunity => {
                let first = self.opportunities.insert(attacker.clone());
                let mover = self.active.as_deref() == Some(target);
                self.check(index, first && adjacent && mover, || {
                    format!("{attacker} takes an opportunity against {target} that it does not have")
                });
            }
            Cause::Riposte => self.check(index, adjacent, || format!("{attacker} answers from afar")),
        }
    }

    fn turn_ended(&mut self, index: usize, id: &str) {
        let Some(own) = self.board.figure(id).cloned() else {
            return;
        };
        if Figure::in_play(&own) {
            let stands = may_end(&self.board, &own, own.at);
            self.check(index, stands, || {
                format!("{id} ends its turn at {} where it cannot stand", own.at)
            });
        }
        // A Force point takes it 2 squares farther.
        let farther = if self.spent.contains_key(id) { 2 } else { 0 };
        let most = 2 * own.card.speed + farther;
        let walked = self.walked;
        self.check(index, walked <= most, || format!("{id} walks {walked} of {most}"));
        let cleave = u8::from(own.card.has(|effect| *effect == crate::swm::ability::Effect::Cleave));
        let attacks = self.attacks;
        let may = 1 + own.card.extra_attacks() + cleave;
        self.check(index, attacks <= may, || format!("{id} attacks {attacks} times"));
        self.active = None;
        self.spent.clear();
    }
}
