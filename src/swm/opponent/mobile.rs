//! Mobile Attack (SWM-S4): out to where it attacks, and on to where nobody sees it.

use super::{
    Mind, Turn, compared,
    selection::Key,
    shooter::{BEFORE, MOVED, push_move, shoot_from},
};
use crate::swm::{
    movement::{Manner, Ways},
    square::Square,
};

/// Where it attacks and where it ends, with what the whole way costs.
struct Pair {
    fire: Square,
    end: Square,
    cost: u16,
}

impl<'b> Mind<'b, '_> {
    /// Whether no enemy would see it there.
    fn is_hidden(&self, at: Square) -> bool {
        let space = self.space_at(at);
        !(self.board.enemies(self.figure)).any(|enemy| self.board.sees(space, enemy.space()))
    }

    /// Whether a square is one to end on (SWM-S4): out of sight, and no nearer to an enemy than where its turn began.
    fn is_shelter(&self, at: Square) -> bool {
        self.nearest_range(at) >= self.nearest_range(self.figure.at) && self.is_hidden(at)
    }

    /// SWM-S4: the way to the best square out of sight within a budget, after an attack from where it stands.
    pub(super) fn out_of_sight(&mut self, from: Square, budget: u16) -> Option<Vec<Square>> {
        let ways = self.ways(from, budget);
        let mut spots: Vec<_> = (ways.ends(budget))
            .filter(|(at, _)| self.is_shelter(*at))
            .map(|(at, cost)| (!self.is_low(at), cost, self.compass(at), at))
            .collect();
        spots.sort();
        let listed = (spots.iter()).map(|(plain, cost, _, at)| {
            let verdict = if *plain {
                "out of sight"
            } else {
                "out of sight, low objects"
            };
            compared(at.to_string(), *cost, "movement", verdict)
        });
        let &(.., at) = spots.first()?;
        self.reason("SWM-S4", format!("ends at {at}, where no enemy sees it"), listed);
        Some(ways.way(at))
    }
}

/// The turn of a shooter with Mobile Attack; the mind comes back where it has no target within its move.
pub(super) fn decide<'b, 'd>(mut mind: Mind<'b, 'd>) -> Result<Turn, Box<Mind<'b, 'd>>> {
    let at = mind.figure.at;
    let speed = mind.speed();
    let out = mind.ways(at, speed);
    let mut fires: Vec<(Key, Vec<&str>, Square, u16)> = Vec::new();
    for (square, cost) in out.ends(speed) {
        let seen = mind.sighted(square);
        if let Some((key, targets)) = mind.best_targets(&seen) {
            fires.push((key, targets, square, cost));
        }
    }
    // Beside an enemy it would be held there, and near to it (SWM-S3, SWM-S6): only where it has no other square to attack from.
    if !Manner::of(mind.figure).ignores_enemies {
        let free = |square: Square| {
            let space = mind.space_at(square);
            !(mind.board.enemies(mind.figure)).any(|enemy| mind.board.are_adjacent(space, enemy.space()))
        };
        if fires.iter().any(|(_, _, square, _)| free(*square)) {
            fires.retain(|(_, _, square, _)| free(*square));
        }
    }
    // The best target by the rules on targets, wherever it can be attacked from; then every square from where it is the one.
    let Some(best) = fires.iter().map(|(key, ..)| *key).min() else {
        return Err(Box::new(mind));
    };
    let targets: Vec<&str> = (fires.iter())
        .filter(|(key, ..)| *key == best)
        .flat_map(|(_, targets, ..)| targets.iter().copied())
        .collect();
    let mut fires: Vec<(Square, u16)> = (fires.iter())
        .filter(|(_, own, ..)| own.iter().all(|target| targets.contains(target)))
        .map(|(_, _, square, cost)| (*square, *cost))
        .collect();
    fires.sort_by_key(|(square, cost)| (*cost, mind.compass(*square)));
    let hidden = hidden_end(&mut mind, &fires, speed);
    let pair = match hidden {
        Some(pair) => Some(pair),
        None => covered_end(&mut mind, &fires, speed),
    };
    let fire = pair.as_ref().map_or(fires[0].0, |pair| pair.fire);
    let cost = out.cost(fire).unwrap_or_default();
    let mut steps = Vec::new();
    push_move(&mut steps, Some(out.way(fire)));
    let stance = if fire == at { BEFORE } else { MOVED };
    let shot = shoot_from(&mut mind, fire, stance);
    steps.extend(shot);
    let way = match pair {
        Some(pair) => mind.ways(fire, speed - cost).way(pair.end),
        None => mind.retreat(fire, speed - cost).unwrap_or_default(),
    };
    push_move(&mut steps, Some(way));
    Ok(mind.turn("SWM-S4", steps))
}

/// SWM-S4: an end without a line of sight from any enemy: low objects first, then the least movement, north, east. Of several
/// squares that it may attack from on its way there the northernmost.
fn hidden_end(mind: &mut Mind<'_, '_>, fires: &[(Square, u16)], speed: u16) -> Option<Pair> {
    let mut by_compass: Vec<Square> = fires.iter().map(|&(fire, _)| fire).collect();
    by_compass.sort_by_key(|&fire| mind.compass(fire));
    let over: Vec<(Square, u16, u16)> = (fires.iter())
        .map(|&(fire, cost)| {
            let rank = by_compass.binary_search_by_key(&mind.compass(fire), |&other| mind.compass(other));
            (fire, cost, rank.unwrap_or_default() as u16)
        })
        .collect();
    let on = Ways::onward(mind.board, mind.figure, &over, Manner::of(mind.figure), speed);
    let mut pairs: Vec<_> = (on.ends(speed))
        .filter(|&(end, _)| mind.is_shelter(end))
        .map(|(end, total)| {
            (
                !mind.is_low(end),
                total,
                mind.compass(end),
                by_compass[on.start(end)],
                end,
            )
        })
        .collect();
    pairs.sort_unstable();
    let listed = (pairs.iter()).map(|&(plain, cost, _, fire, end)| {
        let verdict = if plain {
            "out of sight"
        } else {
            "out of sight, low objects"
        };
        compared(format!("{fire}, then {end}"), cost, "movement", verdict)
    });
    let &(_, cost, _, fire, end) = pairs.first()?;
    let text = format!("Mobile Attack: attacks from {fire} and ends at {end}, where no enemy sees it");
    mind.reason("SWM-S4", text, listed);
    Some(Pair { fire, end, cost })
}

/// SWM-S4, where it cannot get out of sight: the best square of low objects by SWM-S2.
fn covered_end(mind: &mut Mind<'_, '_>, fires: &[(Square, u16)], speed: u16) -> Option<Pair> {
    // The cheapest way to each low-object square, over any of the squares that it attacks from.
    let over: Vec<(Square, u16, u16)> = (0..)
        .zip(fires)
        .map(|(rank, &(fire, cost))| (fire, cost, rank))
        .collect();
    let on = Ways::onward(mind.board, mind.figure, &over, Manner::of(mind.figure), speed);
    let pairs: Vec<Pair> = (on.ends(speed))
        .filter(|(end, _)| mind.is_low(*end))
        .map(|(end, cost)| Pair {
            fire: fires[on.start(end)].0,
            end,
            cost,
        })
        .collect();
    let spots = pairs
        .iter()
        .map(|pair| mind.spot(pair.end, pair.cost))
        .filter(|spot| spot.legal > 0)
        .collect();
    let Some((spot, listed)) = mind.best_spot(spots) else {
        let text =
            "Mobile Attack: no square out of sight and no low objects with a target are in reach after its attack";
        mind.reason("SWM-S4", text, Vec::new());
        return None;
    };
    let pair = pairs.into_iter().find(|pair| pair.end == spot.at)?;
    let text = format!(
        "Mobile Attack: no square out of sight is in reach: attacks from {} and ends in the low objects of {}",
        pair.fire, pair.end
    );
    mind.reason("SWM-S4", text, listed);
    Some(pair)
}
