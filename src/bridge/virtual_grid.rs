//! A table of squares without a table program: it carries out what `table/apply` asks for, remembers the last steps as every
//! table does, and shows itself in snapshots. Used by tests that break things on purpose.

use std::collections::{BTreeMap, VecDeque};

use crate::{
    protocol::{
        apply::{ApplyParams, ApplyResult, Outcome, WireStep},
        grid::{BoardStep, GridSnapshot},
    },
    swm::square::Square,
};

/// How many of the last steps are remembered.
const REMEMBERED: usize = 32;

/// A figure as it lies on the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its square.
    pub at: String,
    /// Hit points.
    pub hp: u16,
    /// Force points.
    pub force: u16,
    /// Whether it is marked as activated.
    pub activated: bool,
    /// Whether it lies on the map.
    pub on_map: bool,
}

/// The table.
#[derive(Debug, Clone)]
pub struct VirtualGrid {
    snapshot: GridSnapshot,
    /// Figures by their ids.
    pub pieces: BTreeMap<String, Piece>,
    /// Steps that were carried out, by their ids, in order.
    pub carried_out: Vec<(String, WireStep)>,
    remembered: VecDeque<(String, ApplyResult)>,
    rev: u64,
}

fn text(value: &serde_json::Value, field: &str) -> Option<String> {
    value.get(field)?.as_str().map(str::to_owned)
}

fn number(value: &serde_json::Value, field: &str) -> Option<u16> {
    value.get(field)?.as_u64().and_then(|number| u16::try_from(number).ok())
}

impl VirtualGrid {
    /// A table that lies as a snapshot shows it; each figure must say where it stands.
    pub fn new(snapshot: GridSnapshot) -> VirtualGrid {
        let pieces = snapshot.figures.iter().map(|(id, figure)| {
            let hp = number(figure, "hp").unwrap_or(10);
            let piece = Piece {
                at: text(figure, "at").unwrap_or_default(),
                hp,
                force: number(figure, "force").unwrap_or(0),
                activated: figure.get("activated").is_some_and(|activated| activated == true),
                on_map: hp > 0,
            };
            (id.clone(), piece)
        });
        VirtualGrid {
            pieces: pieces.collect(),
            snapshot,
            carried_out: Vec::new(),
            remembered: VecDeque::new(),
            rev: 1,
        }
    }

    /// Its revision: it grows with every change.
    pub fn rev(&self) -> u64 {
        self.rev
    }

    /// What it shows now.
    pub fn snapshot(&self) -> GridSnapshot {
        let mut snapshot = self.snapshot.clone();
        for (id, figure) in &mut snapshot.figures {
            if let Some(piece) = self.pieces.get(id) {
                figure["at"] = piece.at.clone().into();
                figure["hp"] = if piece.on_map { piece.hp } else { 0 }.into();
                figure["force"] = piece.force.into();
                figure["activated"] = piece.activated.into();
            }
        }
        snapshot
    }

    /// The players change something by hand.
    pub fn by_hand(&mut self, change: impl FnOnce(&mut BTreeMap<String, Piece>)) {
        change(&mut self.pieces);
        self.rev += 1;
    }

    /// A new round: no figure has activated.
    pub fn next_round(&mut self) {
        self.snapshot.round += 1;
        self.by_hand(|pieces| pieces.values_mut().for_each(|piece| piece.activated = false));
    }

    /// The table is loaded anew and has forgotten which steps it has carried out.
    pub fn forget(&mut self) {
        self.remembered.clear();
    }

    /// Carries out one step, once.
    pub fn apply(&mut self, asked: &ApplyParams) -> ApplyResult {
        if let Some((_, first)) = self.remembered.iter().find(|(id, _)| *id == asked.action_id) {
            let outcome = match first.outcome {
                Outcome::Rejected => Outcome::Rejected,
                _ => Outcome::Duplicate,
            };
            return ApplyResult {
                outcome,
                ..first.clone()
            };
        }
        let (outcome, reason) = match self.carry_out(&asked.step) {
            Ok(()) => {
                self.carried_out.push((asked.action_id.clone(), asked.step.clone()));
                self.rev += 1;
                (Outcome::Applied, String::new())
            }
            Err(reason) => (Outcome::Rejected, reason),
        };
        let result = ApplyResult {
            outcome,
            reason,
            rev: self.rev,
            observed: None,
            bumped: false,
            touching: Vec::new(),
        };
        self.remembered.push_back((asked.action_id.clone(), result.clone()));
        if self.remembered.len() > REMEMBERED {
            self.remembered.pop_front();
        }
        result
    }

    fn piece(&mut self, id: &str) -> Result<&mut Piece, String> {
        self.pieces
            .get_mut(id)
            .ok_or_else(|| format!("there is no figure `{id}`"))
    }

    fn carry_out(&mut self, step: &WireStep) -> Result<(), String> {
        let does = match step {
            WireStep::Say { .. } => return Ok(()),
            WireStep::Board { does } => does,
            _ => return Err("this table has squares and no ships".to_owned()),
        };
        match does {
            BoardStep::Walk { figure, from, way } => {
                let end = way.last().ok_or("the way has no square")?.clone();
                if way.iter().any(|square| square.parse::<Square>().is_err()) {
                    return Err("the way leads over squares that there are not".to_owned());
                }
                let stands = self
                    .pieces
                    .iter()
                    .find(|(id, piece)| *id != figure && piece.on_map && piece.at == end);
                if let Some((other, _)) = stands {
                    return Err(format!("{other} stands on {end}"));
                }
                let piece = self.piece(figure)?;
                // It has walked already, if only the answer was lost.
                if piece.at != *from && piece.at != end {
                    return Err(format!("{figure} stands on {}, not on {from}", piece.at));
                }
                piece.at = end;
            }
            BoardStep::Attack { figure, target, .. } => {
                self.piece(figure)?;
                self.piece(target)?;
            }
            BoardStep::Damage { figure, left } => self.piece(figure)?.hp = *left,
            BoardStep::Force { figure, left } => self.piece(figure)?.force = *left,
            BoardStep::Activated { figure, activated } => self.piece(figure)?.activated = *activated,
            BoardStep::Remove { figure } => self.piece(figure)?.on_map = false,
            BoardStep::Put {
                figure,
                at,
                hp,
                force,
                activated,
            } => {
                *self.piece(figure)? = Piece {
                    at: at.clone(),
                    hp: *hp,
                    force: *force,
                    activated: *activated,
                    on_map: *hp > 0,
                };
            }
            BoardStep::Door { place, open } => {
                let word = if *open { "open" } else { "door" };
                let edges = self.snapshot.edges.iter_mut();
                let mut doors = edges.filter(|edge| edge.split_whitespace().nth(1) == Some(place.as_str()));
                match doors.next() {
                    Some(door) => *door = format!("{word} {place}"),
                    None => return Err(format!("there is no door at {place}")),
                }
            }
        }
        Ok(())
    }
}
