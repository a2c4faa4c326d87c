//! Mobile Attack (SWM-S4): out to where it attacks, and on to where nobody sees it.

use super::{
    Mind, Turn, compared,
    selection::Key,
    shooter::{BEFORE, MOVED, push_move, shoot_from},
};
use crate::swm::{movement::Ways, square::Square};

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
        let listed = (spots.iter())
            .map(|(plain, cost, _, at)| {
                let verdict = if *plain {
                    "out of sight"
                } else {
                    "out of sight, low objects"
                };
                compared(at.to_string(), *cost, "movement", verdict)
            })
            .collect();
        let &(.., at) = spots.first()?;
        self.reason("SWM-S4", format!("ends at {at}, where no enemy sees it"), listed);
        Some(ways.way(at))
    }
}

/// The turn of a shooter with Mobile Attack; the mind comes back where it has no target within its move.
pub(super) fn decide<'b, 'd>(mut mind: Mind<'b, 'd>) -> Result<Turn, Mind<'b, 'd>> {
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
    // The best target by the rules on targets, wherever it can be attacked from; then every square from where it is the one.
    let Some(best) = fires.iter().map(|(key, ..)| *key).min() else {
        return Err(mind);
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
    let shelters: Vec<Square> = (mind.board.map().squares())
        .filter(|&end| mind.board.map().contains_space(mind.space_at(end)) && mind.is_shelter(end))
        .collect();
    let ons: Vec<(Square, u16, Ways<'b>)> = (fires.iter())
        .map(|&(fire, cost)| (fire, cost, mind.ways(fire, speed - cost)))
        .collect();
    let hidden = hidden_end(&mut mind, &ons, &shelters, speed);
    let pair = match hidden {
        Some(pair) => Some(pair),
        None => covered_end(&mut mind, &ons, speed),
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

/// SWM-S4: an end without a line of sight from any enemy: low objects first, then the least movement, north, east.
fn hidden_end(
    mind: &mut Mind<'_, '_>,
    ons: &[(Square, u16, Ways<'_>)],
    shelters: &[Square],
    speed: u16,
) -> Option<Pair> {
    let mut pairs = Vec::new();
    for (fire, cost, on) in ons {
        for &end in shelters.iter().filter(|&&end| on.may_end(end)) {
            let Some(more) = on.cost(end).filter(|more| cost + more <= speed) else {
                continue;
            };
            let total = cost + more;
            pairs.push((
                !mind.is_low(end),
                total,
                mind.compass(end),
                mind.compass(*fire),
                *fire,
                end,
            ));
        }
    }
    pairs.sort();
    let listed = (pairs.iter())
        .map(|&(plain, cost, _, _, fire, end)| {
            let verdict = if plain {
                "out of sight"
            } else {
                "out of sight, low objects"
            };
            compared(format!("{fire}, then {end}"), cost, "movement", verdict)
        })
        .collect();
    let &(_, cost, _, _, fire, end) = pairs.first()?;
    let text = format!("Mobile Attack: attacks from {fire} and ends at {end}, where no enemy sees it");
    mind.reason("SWM-S4", text, listed);
    Some(Pair { fire, end, cost })
}

/// SWM-S4, where it cannot get out of sight: the best square of low objects by SWM-S2.
fn covered_end(mind: &mut Mind<'_, '_>, ons: &[(Square, u16, Ways<'_>)], speed: u16) -> Option<Pair> {
    // The cheapest way to each low-object square, over any of the squares that it attacks from.
    let mut pairs: Vec<Pair> = Vec::new();
    for (fire, cost, on) in ons {
        for (end, more) in on.ends(speed - cost).filter(|(end, _)| mind.is_low(*end)) {
            let total = cost + more;
            match pairs.iter_mut().find(|pair| pair.end == end) {
                Some(pair) if pair.cost <= total => {}
                Some(pair) => (pair.fire, pair.cost) = (*fire, total),
                None => pairs.push(Pair {
                    fire: *fire,
                    end,
                    cost: total,
                }),
            }
        }
    }
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
