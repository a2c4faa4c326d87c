//! Area attacks (SWM-G1 to G5): used where they reach two or more player figures and no friend.

use super::{Mind, Step, compared, selection};
use crate::swm::{ability::Effect, figure::Figure, square::Square, targets::Sighted};

impl<'b> Mind<'b, '_> {
    /// All who stand in a blast: the target, and everybody adjacent to it.
    fn blast(&self, target: &'b Figure, from: Square) -> impl Iterator<Item = &'b Figure> {
        let board = self.board;
        let (own, at) = (self.figure.id.clone(), self.space_at(from));
        board.figures().iter().filter(move |other| {
            // The attacker stands where it would attack from.
            let space = if other.id == own { at } else { other.space() };
            other.in_play() && (other.id == target.id || board.are_adjacent(space, target.space()))
        })
    }

    /// Whether a blast on a target would reach a friend, itself included.
    pub(super) fn reaches_friend(&self, target: &'b Figure, at: Square) -> bool {
        self.blast(target, at).any(|other| other.side == self.figure.side)
    }

    /// SWM-G1 to G3: the area attack that it uses from a square, if one reaches two player figures and no friend.
    pub(super) fn area(&mut self, at: Square, seen: &[Sighted<'b>]) -> Option<Step> {
        let areas: Vec<(String, Option<u16>)> = (self.figure.card.abilities.iter())
            .flat_map(|ability| ability.effects.iter().map(move |effect| (ability, effect)))
            .filter_map(|(ability, effect)| match effect {
                Effect::Area { within, .. } => Some((ability.name.clone(), *within)),
                _ => None,
            })
            .collect();
        let mut best: Option<(usize, selection::Key, String, &'b Figure, Vec<String>)> = None;
        let mut candidates = Vec::new();
        for (ability, within) in areas {
            for enemy in seen
                .iter()
                .filter(|enemy| enemy.legal && within.is_none_or(|most| enemy.range <= most))
            {
                let (friends, foes): (Vec<_>, Vec<_>) = self
                    .blast(enemy.figure, at)
                    .partition(|other| other.side == self.figure.side);
                let verdict = match (friends.is_empty(), foes.len()) {
                    (false, _) => "would reach a friend",
                    (true, 0 | 1) => "reaches only one",
                    _ => "reaches enough",
                };
                candidates.push(compared(&enemy.figure.id, foes.len() as f64, "player figures", verdict));
                if !friends.is_empty() || foes.len() < 2 {
                    continue;
                }
                let key = selection::key(self.figure, enemy.figure, enemy.adjacent, !enemy.cover.is_empty());
                let better = best.as_ref().is_none_or(|(count, other, ..)| {
                    (std::cmp::Reverse(foes.len()), key) < (std::cmp::Reverse(*count), *other)
                });
                if better {
                    let affected = foes.iter().map(|foe| foe.id.clone()).collect();
                    best = Some((foes.len(), key, ability.clone(), enemy.figure, affected));
                }
            }
        }
        let (count, _, ability, target, affected) = best?;
        let text = format!(
            "uses {ability} on {}: it reaches {count} player figures and no friend",
            target.called()
        );
        self.reason("SWM-G1", text, candidates);
        Some(Step::Area {
            ability,
            target: target.id.clone(),
            affected,
        })
    }
}
