//! What the solo side does next at a game on a server, and the changes of pieces that carry it out.
//!
//! A peer without the module's code carries out what pieces show: where they stand, how they are turned, that they have activated.
//! Dice, tokens and damage stay with the players, and the sentence says what comes next.

use std::{borrow::Cow, collections::BTreeSet};

use anyhow::{anyhow, bail};

use crate::{
    bridge::{
        grid, position,
        vassal::profile::{self, Profile},
    },
    cli::vassal::reading::Reading,
    dice::SeededDice,
    protocol::vassal::{PieceChange, Spot, VassalSnapshot},
    solo_alpha::{self, Options, Situation},
    swm::opponent::{Step, activation},
    xwing::catalog::{Catalog, Titles},
};

/// The side of ships that nobody plays, in a position.
const SOLO: &str = "solo";

/// Decides for the solo side.
pub(super) struct Opponent<'c> {
    swm: bool,
    seed: u64,
    round: u32,
    reading: Reading,
    catalog: Cow<'c, Catalog>,
    /// Ships that have activated this round.
    activated: BTreeSet<String>,
}

/// What one ship or figure does.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planned {
    /// Its piece.
    piece: String,
    /// The changes of pieces.
    pub(super) changes: Vec<PieceChange>,
    /// All in one sentence.
    pub(super) sentence: String,
    /// What was filled in or left aside when the table was read.
    pub(super) notes: Vec<String>,
}

impl<'c> Opponent<'c> {
    pub(super) fn new(swm: bool, seed: u64, reading: Reading, catalog: Cow<'c, Catalog>) -> Opponent<'c> {
        Opponent {
            swm,
            seed,
            round: 1,
            reading,
            catalog,
            activated: BTreeSet::new(),
        }
    }

    /// Every ship is to activate again.
    pub(super) fn next_round(&mut self) {
        self.round += 1;
        self.activated.clear();
    }

    /// What was planned is carried out.
    pub(super) fn done(&mut self, planned: &Planned) {
        self.activated.insert(planned.piece.clone());
    }

    /// What the next one does.
    pub(super) fn plan(&self, mut snapshot: VassalSnapshot) -> anyhow::Result<Planned> {
        let profile = self.reading.profile_for(&mut snapshot)?;
        match self.swm {
            true => self.figure(&snapshot, &profile),
            false => self.ship(&snapshot, &profile),
        }
    }

    fn ship(&self, snapshot: &VassalSnapshot, profile: &Profile) -> anyhow::Result<Planned> {
        let flight = profile::flight(snapshot, profile, &self.catalog)?;
        let position = position::resolve(flight.position, &self.catalog)?;
        let waiting = position.table.ships.iter().filter(|ship| {
            ship.side == SOLO
                && ship.in_play()
                && !self.activated.contains(&*ship.id)
                && !ship.dial.maneuvers().is_empty()
        });
        // SA-2: the lowest initiative first; among equals the earliest piece.
        let Some(ship) = waiting.min_by_key(|ship| (ship.initiative, ship.id.clone())) else {
            bail!("every ship of the solo side has activated: type `round` when the next round begins");
        };
        let mut dice = SeededDice::for_activation(self.seed, self.round, &ship.id);
        let activation = solo_alpha::decide(
            &position.table,
            &ship.id,
            &Situation::default(),
            &Options::default(),
            &mut dice,
        )?;
        let pose = activation.execution.pose;
        let Some(piece) = snapshot.pieces.iter().find(|piece| *piece.id == *ship.id) else {
            bail!("the ship's piece is gone");
        };
        let (x, y) = flight.scale.to_pixels((pose.position.x, pose.position.y));
        let mut names = crate::bridge::names::Names::default();
        names.learn_ships(&position.table);
        let mut notes = flight.notes;
        notes.extend(position.warnings.iter().map(ToString::to_string));
        Ok(Planned {
            piece: piece.id.clone(),
            changes: vec![
                moved(&piece.id, (piece.x, piece.y), (x, y), false),
                PieceChange::Turn {
                    piece: piece.id.clone(),
                    heading: flight.scale.to_turned(pose.heading),
                },
            ],
            sentence: Titles::of(&self.catalog).speak(&names.speak(&activation.sentence)),
            notes,
        })
    }

    fn figure(&self, snapshot: &VassalSnapshot, profile: &Profile) -> anyhow::Result<Planned> {
        let skirmish = profile::skirmish(snapshot, profile)?;
        let position = grid::understand(skirmish.position).map_err(|error| anyhow!("{error}"))?;
        let mut dice = SeededDice::new(self.seed);
        let (order, _) = activation::order(&position.board, &position.options, &mut dice);
        let Some(first) = order.into_iter().next() else {
            bail!("every figure of the solo side has activated: mark them as not activated when the next round begins");
        };
        let id = &skirmish.pieces[&first.figure];
        let piece = snapshot.pieces.iter().find(|piece| piece.id == *id);
        let figure = position.board.figures().iter().find(|figure| figure.id == first.figure);
        let (Some(piece), Some(figure)) = (piece, figure) else {
            bail!("the figure's piece is gone");
        };
        let mut changes = Vec::new();
        let end = first.turn.steps.iter().rev().find_map(|step| match step {
            Step::Move { way, .. } => way.last(),
            _ => None,
        });
        if let Some(end) = end {
            let to = skirmish.squares.centre(*end, figure.card.size);
            changes.push(moved(id, (piece.x, piece.y), to, true));
        }
        let mark = profile.rule(piece).and_then(|rule| {
            let name = rule
                .activated
                .iter()
                .find(|name| piece.properties.contains_key(*name))?;
            let is_number = piece.properties[name].trim().parse::<f64>().is_ok();
            Some(PieceChange::Property {
                piece: id.clone(),
                name: name.clone(),
                value: if is_number { "1" } else { "true" }.to_owned(),
            })
        });
        let mut notes = skirmish.notes;
        notes.extend(position.warnings);
        if mark.is_none() {
            notes.push(format!(
                "nothing marks that `{}` has activated: mark it by hand",
                figure.called()
            ));
        }
        changes.extend(mark);
        Ok(Planned {
            piece: id.clone(),
            changes,
            sentence: first.turn.sentence.clone(),
            notes,
        })
    }
}

fn moved(piece: &str, from: (i32, i32), to: (i32, i32), drag: bool) -> PieceChange {
    let spot = |(x, y)| Spot {
        map: String::new(),
        x,
        y,
    };
    PieceChange::Move {
        piece: piece.to_owned(),
        from: spot(from),
        to: spot(to),
        drag,
    }
}
