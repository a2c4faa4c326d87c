//! Area attacks (SWM 1.9, 1.10): what a card has of them, and whom each reaches.

use super::{
    ability::{Blast, Effect},
    board::Board,
    figure::{Card, Figure},
    square::Space,
};

/// An area attack of a card, with its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AreaAttack<'c> {
    /// The ability's name.
    pub ability: &'c str,
    /// The target is at most so far away; without it, as far as is seen.
    pub within: Option<u16>,
    /// Damage to each.
    pub damage: u16,
    /// The save of each; without it there is none.
    pub save: Option<u8>,
    /// Force points.
    pub cost: u16,
    /// Whom it reaches.
    pub reach: Blast,
    /// Replaces the whole turn.
    pub whole_turn: bool,
}

/// The area attacks of a card, in its order.
pub fn of(card: &Card) -> impl Iterator<Item = AreaAttack<'_>> {
    let all = (card.abilities.iter()).flat_map(|own| own.effects.iter().map(move |effect| (&*own.name, effect)));
    all.filter_map(|(ability, effect)| match effect {
        Effect::Area {
            within,
            damage,
            save,
            cost,
            reach,
            whole_turn,
        } => Some(AreaAttack {
            ability,
            within: *within,
            damage: *damage,
            save: *save,
            cost: u16::from(*cost),
            reach: *reach,
            whole_turn: *whole_turn,
        }),
        _ => None,
    })
}

impl AreaAttack<'_> {
    /// Whom it reaches when the attacker stands in a space, in order of their ids. Where it chooses, it chooses enemies first.
    pub fn affected<'b>(&self, board: &'b Board, attacker: &Figure, space: Space, target: &Figure) -> Vec<&'b Figure> {
        // The attacker stands where it would attack from.
        let stands = |other: &Figure| if other.id == attacker.id { space } else { other.space() };
        let here = board.figures().iter().filter(|other| other.in_play());
        let beside = |other: &&Figure| board.are_adjacent(stands(other), target.space());
        match self.reach {
            Blast::AroundSelf => here
                .filter(|other| other.id != attacker.id && board.are_adjacent(other.space(), space))
                .collect(),
            Blast::Everybody => here.filter(|other| other.id == target.id || beside(other)).collect(),
            Blast::Alone => here.filter(|other| other.id == target.id).collect(),
            Blast::Some(most) => {
                let mut others: Vec<&Figure> = here.filter(|other| other.id != target.id && beside(other)).collect();
                // Enemies first, then strangers before the attacker itself.
                others.sort_by_key(|other| (other.side == attacker.side, other.id == attacker.id));
                others.truncate(usize::from(most));
                others.extend(board.figure(&target.id));
                others.sort_by(|a, b| a.id.cmp(&b.id));
                others
            }
        }
    }
}
