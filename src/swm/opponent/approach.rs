//! Towards an enemy that is out of reach (SWM-M3, SWM-M5): by the shortest way, bent for the sake of cover.

use super::{Mind, compared, melee::Nearest};
use crate::swm::{
    figure::Figure,
    movement::{Manner, Ways, may_end_alone},
    options::Fallback,
    square::Square,
    survey::Squares,
};

/// How much longer than the shortest a way may be for the sake of cover (SWM-M3), in movement cost.
const DETOUR: u16 = 3;

/// What makes a square one to end on.
const SHELTERS: [&str; 3] = ["low objects", "out of sight", "covered"];

/// How hard it looks for a way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Try {
    /// To a free square beside the enemy, without an attack of opportunity.
    Free,
    /// The same where friends stand beside the enemy and leave no room.
    Crowded,
    /// As if nobody struck at it: it goes as far as it can without.
    Barred,
}

/// The way of a figure towards its enemies with so much movement, and the rule for it. Up to one where that is enough
/// (SWM-M1), else ending in cover (SWM-M3).
pub(super) fn approach<'b>(
    mind: &mut Mind<'b, '_>,
    order: &mut Nearest<'b>,
    budget: u16,
) -> (Option<Vec<Square>>, &'static str) {
    let at = mind.figure.at;
    let manner = Manner::of(mind.figure);
    if let Some((base, ways)) = super::melee::savage_base(mind, order, budget) {
        let text = format!("Savage: ends its move beside an enemy, at {}", base.at);
        mind.reason("SWM-M1", text, Vec::new());
        return (Some(ways.way(base.at)), "SWM-M1");
    }
    let ways = Ways::from(mind.board, mind.figure, at, manner, budget);
    let stays = mind.options.aoo_fallback == Fallback::Stay;
    let before = mind.reasons.len();
    // Everywhere that it could go, carefully and recklessly.
    let mut reached: [Option<Ways<'b>>; 2] = [None, None];
    for hard in [Try::Free, Try::Crowded, Try::Barred] {
        let mut place = 0;
        // SWM-M5: one that cannot be reached gives way to the next.
        while let Some(enemy) = order.get(mind, place) {
            let manner = if hard == Try::Barred { manner.reckless() } else { manner };
            let beside = squares_beside(mind, &ways, enemy, hard);
            // Once one could not be reached, a single search tells which of the others can.
            let reached = &mut reached[usize::from(hard == Try::Barred)];
            let may_reach = (hard, place) == (Try::Free, 0) || {
                let search = || Ways::from(mind.board, mind.figure, at, manner, u16::MAX);
                let all = reached.get_or_insert_with(search);
                beside.iter().any(|&square| all.cost(square).is_some())
            };
            if may_reach {
                let to = Ways::to(mind.board, mind.figure, &beside, manner);
                if let Some(shortest) = to.cost(at).filter(|shortest| *shortest > 0) {
                    return along(mind, &ways, &to, enemy, (shortest, budget), (hard, place));
                }
            }
            place += 1;
            if stays {
                break;
            }
        }
        if stays && hard == Try::Free {
            mind.reason(
                "SWM-M5",
                "every way to the nearest enemy would provoke: it stays",
                Vec::new(),
            );
            return (None, "SWM-M5");
        }
    }
    mind.reasons.truncate(before);
    mind.reason("SWM-M5", "no way leads to any enemy: it stays", Vec::new());
    (None, "SWM-M5")
}

/// Squares beside an enemy that it could go to.
fn squares_beside(mind: &Mind<'_, '_>, ways: &Ways<'_>, enemy: &Figure, hard: Try) -> Vec<Square> {
    let mut beside = mind.beside(enemy);
    if hard == Try::Free {
        beside.retain(|&at| ways.may_end(at));
    } else {
        let mut figure = mind.figure.clone();
        beside.retain(|&at| {
            figure.at = at;
            may_end_alone(mind.board.map(), &figure)
        });
    }
    beside
}

fn along<'b>(
    mind: &mut Mind<'b, '_>,
    ways: &Ways<'_>,
    to: &Ways<'_>,
    enemy: &'b Figure,
    (shortest, budget): (u16, u16),
    (hard, place): (Try, usize),
) -> (Option<Vec<Square>>, &'static str) {
    // After an attack it may still come up to an enemy.
    if hard == Try::Free
        && shortest <= budget
        && let Some(base) = mind.base(ways, enemy)
    {
        mind.reason(
            "SWM-M1",
            format!("comes up to {} at {}", enemy.called(), base.at),
            Vec::new(),
        );
        return (Some(ways.way(base.at)), "SWM-M1");
    }
    let (rule, text) = match (hard, place) {
        (Try::Free, 0) => (
            "SWM-M3",
            format!("{} is {shortest} squares of movement away", enemy.called()),
        ),
        (Try::Free, _) => (
            "SWM-M5",
            format!(
                "every way to nearer enemies would provoke or is barred: goes for {}",
                enemy.called()
            ),
        ),
        (Try::Crowded, _) => (
            "SWM-M3",
            format!("there is no room beside {}: goes as near as it can", enemy.called()),
        ),
        (Try::Barred, _) => (
            "SWM-M5",
            format!(
                "no way to {} without an attack of opportunity: goes as far as it can",
                enemy.called()
            ),
        ),
    };
    mind.reason(rule, text, Vec::new());
    (sheltered(mind, ways, to, shortest, budget), rule)
}

/// SWM-M3: the square in cover by a way at most 3 longer than the shortest, else the farthest along the shortest. It must be
/// nearer to the enemy than where it stands.
fn sheltered(
    mind: &mut Mind<'_, '_>,
    ways: &Ways<'_>,
    to: &Ways<'_>,
    shortest: u16,
    budget: u16,
) -> Option<Vec<Square>> {
    // The mover does not cover itself.
    let enemies: Vec<(&Figure, Squares)> = (mind.board.enemies(mind.figure))
        .map(|enemy| (enemy, mind.board.screens_without(enemy, mind.figure)))
        .collect();
    let nearer: Vec<(Square, u16, u16)> = (ways.ends(budget))
        .filter_map(|(end, cost)| Some((end, cost, to.cost(end)?)))
        .filter(|(_, _, left)| *left < shortest)
        .collect();
    let mut best = Vec::new();
    for &(end, cost, left) in nearer.iter().filter(|(_, cost, left)| cost + left <= shortest + DETOUR) {
        let space = mind.space_at(end);
        let mut seen_by = enemies
            .iter()
            .filter(|(enemy, _)| mind.board.sees(space, enemy.space()))
            .peekable();
        let kind = if mind.is_low(end) {
            0_u8
        } else if seen_by.peek().is_none() {
            1
        } else if seen_by.all(|(enemy, screens)| mind.board.is_covered(enemy.space(), space, screens, mind.options)) {
            2
        } else {
            continue;
        };
        best.push((kind, left, cost, mind.compass(end), end));
    }
    best.sort();
    let listed = (best.iter())
        .map(|(kind, left, _, _, end)| compared(end.to_string(), *left, "movement left", SHELTERS[usize::from(*kind)]));
    if let Some(&(kind, left, _, _, end)) = best.first() {
        let text = format!("ends at {end} ({}), which leaves {left}", SHELTERS[usize::from(kind)]);
        mind.reason("SWM-M3", text, listed);
        return Some(ways.way(end));
    }
    // The farthest along the shortest way; where friends or enemies bar that, the square that leaves least.
    let on_way = |&&(_, cost, left): &&(Square, u16, u16)| cost + left == shortest;
    let key = |&&(end, cost, left): &&(Square, u16, u16)| (left, cost, mind.compass(end));
    let farthest = (nearer.iter().filter(on_way).min_by_key(key)).or_else(|| nearer.iter().min_by_key(key));
    let listed =
        (nearer.iter().filter(on_way)).map(|(end, _, left)| compared(end.to_string(), *left, "movement left", ""));
    let (text, way) = match farthest {
        Some(&(end, _, left)) => (
            format!("no cover on the way: goes to {end}, which leaves {left}"),
            Some(ways.way(end)),
        ),
        None => ("cannot get nearer: it stays".to_owned(), None),
    };
    mind.reason("SWM-M3", text, listed);
    way
}
