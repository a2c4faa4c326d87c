//! Tokens of ships: counted by a property of the ship, or pieces of their own that lie beside it.
//!
//! A loose token belongs to the ship whose base it lies nearest to. It is laid from the palette where no other lies and no other
//! ship is nearer, goes along when its ship moves, and is taken off with it.

use super::{Read, VassalTable, leading_number, spot, with_number};
use crate::{
    bridge::vassal::profile::{Flight, Kind, Loose, held},
    geometry::{Point, Pose},
    protocol::{apply::Placement, vassal::PieceChange},
    xwing::size::Size,
};

/// How far from the edge of a base the middle of a token is laid, mm; tokens are about half as wide.
const BESIDE_MM: f64 = 14.0;
/// How far the middles of two tokens lie apart, mm.
const APART_MM: f64 = 22.0;

impl VassalTable {
    /// Gives a ship tokens, or takes them: by the property that counts them, else by pieces. What neither shows is said.
    pub(super) fn token<'s>(
        &self,
        object: &'s String,
        token: &str,
        count: i32,
    ) -> (&'s String, Vec<PieceChange>, String) {
        let (verb, number) = match count < 0 {
            true => ("loses", -count),
            false => ("gets", count),
        };
        let said = format!("{} {verb} {number} {token}", self.name(object));
        let changes = self
            .counted(object, token, count)
            .map(|change| vec![change])
            .or_else(|| self.laid(object, token, count));
        match changes {
            Some(changes) => (object, changes, format!("{said}.")),
            None => (object, Vec::new(), format!("{said}: please do it by hand.")),
        }
    }

    /// The change of the property that counts such tokens.
    fn counted(&self, object: &str, token: &str, count: i32) -> Option<PieceChange> {
        let (piece, rule) = self.rule(object)?;
        let names = rule.tokens.get(token)?;
        let (name, value) = names.iter().find_map(|name| held(piece, name))?;
        let now = leading_number(value).unwrap_or(0).max(0);
        Some(self.set(object, name, &with_number(value, (now + i64::from(count)).max(0))))
    }

    /// The tokens that are laid beside a ship, or taken from beside it; none where the profile names no slot, or fewer lie there.
    fn laid(&self, object: &str, token: &str, count: i32) -> Option<Vec<PieceChange>> {
        let Read::Ships(flight) = &self.read else { return None };
        let number = usize::try_from(count.unsigned_abs()).ok()?;
        if count < 0 {
            let own = |loose: &&Loose| loose.ship == object && loose.token == token && !loose.piece.is_empty();
            // The last that came goes first.
            let pieces: Vec<&Loose> = flight.loose.iter().rev().filter(own).take(number).collect();
            let remove = |loose: &&Loose| PieceChange::Remove {
                piece: loose.piece.clone(),
            };
            return (pieces.len() == number).then(|| pieces.iter().map(remove).collect());
        }
        let slot = self.profile.slot_of(token)?;
        let mut taken: Vec<(f64, f64)> = flight.loose.iter().map(|loose| loose.at).collect();
        let mut changes = Vec::new();
        for _ in 0..number {
            let at = self.free_place(flight, object, &taken)?;
            taken.push(at);
            changes.push(PieceChange::Add {
                slot: slot.to_owned(),
                at: spot(flight.scale.to_pixels(at)),
            });
        }
        Some(changes)
    }

    /// Where a ship stands now.
    fn pose(&self, flight: &Flight, ship: &str) -> Option<Pose> {
        let piece = self.piece(ship)?;
        let (x, y) = flight.scale.to_mm((piece.x, piece.y));
        Some(Pose::new(x, y, flight.scale.to_heading(piece.heading.unwrap_or(0.0))))
    }

    /// Half the side of a ship's base, mm.
    fn half(&self, flight: &Flight, ship: &str) -> f64 {
        let known = flight.position.ships.iter().find(|own| own.id == ship);
        let size = known.and_then(|own| self.catalog.ship(&own.ship).map_or(own.size, |facts| Some(facts.size)));
        size.unwrap_or(Size::Small).base_mm() / 2.0
    }

    /// A place beside a ship on which no token lies and to which no other ship is as near: along its sides and its rear, where it
    /// flies last.
    fn free_place(&self, flight: &Flight, ship: &str, taken: &[(f64, f64)]) -> Option<(f64, f64)> {
        let frame = self.pose(flight, ship)?.frame();
        let half = self.half(flight, ship);
        let beside = half + BESIDE_MM;
        let along = [half - BESIDE_MM / 2.0, half - BESIDE_MM / 2.0 - APART_MM];
        let sides = along.iter().flat_map(|along| [(-beside, *along), (beside, *along)]);
        let rear = [-1.0, 1.0, 0.0].map(|side| (side * APART_MM, -beside));
        let corners = [(-beside, -beside), (beside, -beside)];
        let farther = along.map(|along| (-beside - APART_MM, along));
        let places = sides.chain(rear).chain(corners).chain(farther);
        let all = places.map(|(x, y)| {
            let at = frame.to_table(Point::new(x, y));
            (at.x, at.y)
        });
        let gap = |ship: &str, at: (f64, f64)| {
            self.pose(flight, ship)
                .map(|pose| (pose.position.x - at.0).hypot(pose.position.y - at.1) - self.half(flight, ship))
        };
        let mut free = all.filter(|at| {
            let clear = taken
                .iter()
                .all(|other| (other.0 - at.0).hypot(other.1 - at.1) >= APART_MM * 0.9);
            let own = gap(ship, *at);
            let nearest = (flight.position.ships.iter())
                .filter(|other| other.id != ship)
                .all(|other| gap(&other.id, *at).zip(own).is_none_or(|(other, own)| other > own));
            let area = flight.scale.area;
            clear && nearest && (0.0..=area.w).contains(&at.0) && (0.0..=area.h).contains(&at.1)
        });
        free.next()
    }

    /// The loose tokens of a ship, by their pieces.
    pub(super) fn loose_of(&self, ship: &str) -> impl Iterator<Item = String> {
        let all = match &self.read {
            Read::Ships(flight) => &flight.loose[..],
            Read::Figures(_) => &[],
        };
        let own: Vec<String> = (all.iter())
            .filter(|loose| loose.ship == ship && !loose.piece.is_empty())
            .map(|loose| loose.piece.clone())
            .collect();
        own.into_iter()
    }

    /// The tokens of a ship that go along with it to a place: they lie beside it as they lay before.
    pub(super) fn taken_along(&self, ship: &str, to: Placement) -> Vec<PieceChange> {
        let Read::Ships(flight) = &self.read else {
            return Vec::new();
        };
        let Some(from) = self.pose(flight, ship) else {
            return Vec::new();
        };
        let (from, to) = (from.frame(), Pose::new(to.x, to.y, to.facing).frame());
        let own = flight.loose.iter().filter(|loose| loose.ship == ship);
        own.filter_map(|loose| {
            let piece = self.piece(&loose.piece)?;
            let lies = spot((piece.x, piece.y));
            let at = to.to_table(from.to_local(Point::new(loose.at.0, loose.at.1)));
            Some(PieceChange::Move {
                piece: loose.piece.clone(),
                from: lies,
                to: spot(flight.scale.to_pixels((at.x, at.y))),
                drag: false,
            })
        })
        .collect()
    }

    /// Notes what a change has done to loose tokens, until the next snapshot shows it.
    pub(super) fn note_token(&mut self, object: &str, change: &PieceChange) {
        let slots: Vec<(String, String)> = (self.profile.pieces.iter())
            .filter(|rule| rule.kind == Kind::Token)
            .filter_map(|rule| Some((rule.slot.clone()?, rule.token.clone()?)))
            .collect();
        let Read::Ships(flight) = &mut self.read else { return };
        match change {
            PieceChange::Add { slot, at } => {
                if let Some((_, token)) = slots.into_iter().find(|(own, _)| own == slot) {
                    flight.loose.push(Loose {
                        // Its piece is told by the next snapshot.
                        piece: String::new(),
                        ship: object.to_owned(),
                        token,
                        at: flight.scale.to_mm((at.x, at.y)),
                    });
                }
            }
            PieceChange::Remove { piece } => flight.loose.retain(|loose| loose.piece != *piece),
            PieceChange::Move { piece, to, .. } => {
                let at = flight.scale.to_mm((to.x, to.y));
                let moved = flight.loose.iter_mut().filter(|loose| loose.piece == *piece);
                moved.for_each(|loose| loose.at = at);
            }
            _ => {}
        }
    }
}
