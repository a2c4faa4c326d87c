//! Area attacks (SWM 1.9, 1.10): what a card has of them, and whom each reaches.

use super::{
    ability::{Blast, Effect},
    board::Board,
    figure::{Card, Figure},
    options::Options,
    square::Space,
    targets::{self, Sighted},
};

/// An area attack of a card, with its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AreaAttack<'c> {
    /// The ability's name.
    pub ability: &'c str,
    /// The target is at most so far away; without it, as far as is seen.
    pub within: Option<u16>,
    /// Damage to each; nothing where it is attacks.
    pub damage: u16,
    /// Attacks on each.
    pub attacks: u8,
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
            attacks,
            save,
            cost,
            reach,
            whole_turn,
        } => Some(AreaAttack {
            ability,
            within: *within,
            damage: *damage,
            attacks: *attacks,
            save: *save,
            cost: u16::from(*cost),
            reach: *reach,
            whole_turn: *whole_turn,
        }),
        _ => None,
    })
}

impl AreaAttack<'_> {
    /// Whether it has a target that the rules on targets must allow; else it is for all who are beside the attacker.
    pub const fn has_target(&self) -> bool {
        !matches!(self.reach, Blast::AroundSelf | Blast::AdjacentEnemies)
    }

    /// The enemies that it may be used on from a space, in order of their ids (SWM-G2). `seen` are those that the attacker sees
    /// from there.
    pub fn targets<'s, 'b>(
        &self,
        board: &'b Board,
        attacker: &Figure,
        space: Space,
        seen: &'s [Sighted<'b>],
        options: &Options,
    ) -> Vec<&'s Sighted<'b>> {
        let thrown = match self.reach {
            Blast::Thrown => targets::sighted_to_throw(board, attacker, space, options),
            _ => Vec::new(),
        };
        let legal = |enemy: &Sighted<'_>| match self.reach {
            Blast::AroundSelf | Blast::AdjacentEnemies => board.are_adjacent(space, enemy.figure.space()),
            Blast::Thrown => (thrown.iter()).any(|other| other.legal && other.figure.id == enemy.figure.id),
            _ => enemy.legal,
        };
        let in_range = |enemy: &Sighted<'_>| !self.has_target() || self.within.is_none_or(|most| enemy.range <= most);
        seen.iter().filter(|enemy| legal(enemy) && in_range(enemy)).collect()
    }

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
            Blast::AdjacentEnemies => here
                .filter(|other| other.side != attacker.side && board.are_adjacent(other.space(), space))
                .collect(),
            Blast::Alone | Blast::Thrown => here.filter(|other| other.id == target.id).collect(),
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
