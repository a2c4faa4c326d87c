//! Who activates next (SWM-A1 to A8).

use std::cmp::Reverse;

use super::{Telling, Turn};
use crate::{
    decision::{Compared, Reason},
    dice::D20Source,
    swm::{
        board::Board,
        figure::{Figure, Side},
        opponent,
        options::Options,
    },
};

/// SWM-A7: enemies at most so far away, walls counted around, make the second tier.
const NEAR: u16 = 6;

/// A figure that has yet to activate, with its turn as it would be now.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// Its id.
    pub figure: String,
    /// 1: adjacent to an enemy; 2: one is within 6 squares; 3: the others.
    pub tier: u8,
    /// What it would do.
    pub turn: Turn,
}

/// What the order compares, the lower the earlier.
type Rank = (u8, u16, Reverse<Option<i16>>, Reverse<u32>, (i16, i16));

/// SWM-A1, A7, A8: the tier of a figure.
pub fn tier(board: &Board, figure: &Figure) -> u8 {
    let space = figure.space();
    let mut enemies = board.enemies(figure);
    if board
        .enemies(figure)
        .any(|enemy| board.are_adjacent(space, enemy.space()))
    {
        return 1;
    }
    let ranges = board.ranges(space);
    let near = enemies.any(|enemy| ranges.to_space(enemy.space()).is_some_and(|range| range <= NEAR));
    if near { 2 } else { 3 }
}

/// A figure with what the order compares.
struct Ranked<'b> {
    figure: &'b Figure,
    tier: u8,
    turn: Turn,
}

impl Ranked<'_> {
    /// Equal ranks would be two figures on one square; their ids keep even that in order.
    fn rank(&self, options: &Options) -> (Rank, &str) {
        let compass = options.north.compass_of(self.figure.space());
        let turn = &self.turn;
        let rank = (
            self.tier,
            self.figure.hit_points,
            Reverse(turn.attack),
            Reverse(turn.damage),
            compass,
        );
        (rank, &self.figure.id)
    }
}

/// Why the first of some figures in order comes before the second.
fn reason(ranked: &[Ranked<'_>], others: &[(&Figure, u8)], options: &Options) -> Reason {
    let rule = match (ranked, others) {
        ([], _) => "SWM-A8",
        ([one, two, ..], _) => {
            let ((a, _), (b, _)) = (one.rank(options), two.rank(options));
            match () {
                () if a.0 != b.0 && a.0 == 1 => "SWM-A1",
                () if a.0 != b.0 => "SWM-A7",
                () if a.1 != b.1 => "SWM-A2",
                () if a.2 != b.2 => "SWM-A3",
                () if a.3 != b.3 => "SWM-A4",
                () if a.4.0 != b.4.0 => "SWM-A5",
                () => "SWM-A6",
            }
        }
        ([one], others) => {
            let best = others.iter().map(|(_, tier)| *tier).min();
            match best {
                Some(tier) if tier > one.tier && one.tier == 1 => "SWM-A1",
                Some(tier) if tier > one.tier => "SWM-A7",
                Some(_) => "SWM-A2",
                None => "SWM-A8",
            }
        }
    };
    let tied = ranked.iter().map(|ranked| Compared {
        candidate: ranked.figure.id.clone(),
        value: Some(f64::from(ranked.figure.hit_points)),
        unit: "hit points".to_owned(),
        verdict: format!(
            "tier {}, attack {}, damage {}",
            ranked.tier,
            ranked
                .turn
                .attack
                .map_or_else(|| "none".to_owned(), |attack| format!("{attack:+}")),
            ranked.turn.damage
        ),
    });
    let rest = others.iter().map(|(figure, tier)| Compared {
        candidate: figure.id.clone(),
        value: Some(f64::from(figure.hit_points)),
        unit: "hit points".to_owned(),
        verdict: format!("tier {tier}"),
    });
    Reason {
        rule: rule.to_owned(),
        text: match ranked.first() {
            Some(first) => format!("{} activates", first.figure.called()),
            None => "all automated figures have activated".to_owned(),
        },
        compared: tied.chain(rest).collect(),
    }
}

fn waiting(board: &Board) -> Vec<(&Figure, u8)> {
    let all = board.side(Side::Automated).filter(|figure| !figure.activated);
    all.map(|figure| (figure, tier(board, figure))).collect()
}

/// The automated figure that activates next, and why. Only those that tie in tier and hit points are thought over.
pub fn next(board: &Board, options: &Options, dice: &mut dyn D20Source) -> (Option<String>, Reason) {
    let mut all = waiting(board);
    all.sort_by_key(|(figure, tier)| (*tier, figure.hit_points));
    let first = all.first().map(|(figure, tier)| (*tier, figure.hit_points));
    let (tied, others): (Vec<_>, Vec<_>) =
        (all.into_iter()).partition(|(figure, tier)| Some((*tier, figure.hit_points)) == first);
    let mut ranked = think(board, tied, options, dice, Telling::Brief);
    ranked.sort_by(|a, b| a.rank(options).cmp(&b.rank(options)));
    let reason = reason(&ranked, &others, options);
    (ranked.first().map(|ranked| ranked.figure.id.clone()), reason)
}

fn think<'b>(
    board: &'b Board,
    figures: Vec<(&'b Figure, u8)>,
    options: &Options,
    dice: &mut dyn D20Source,
    telling: Telling,
) -> Vec<Ranked<'b>> {
    let turn = |(figure, tier): (&'b Figure, u8)| Ranked {
        figure,
        tier,
        turn: opponent::think(board, figure, options, dice, telling),
    };
    figures.into_iter().map(turn).collect()
}

/// All automated figures that have yet to activate, in the order in which they would if nothing changed, and why.
pub fn order(board: &Board, options: &Options, dice: &mut dyn D20Source) -> (Vec<Waiting>, Reason) {
    order_told(board, options, dice, Telling::Reasons)
}

/// The same, with so much told of each turn.
pub fn order_told(
    board: &Board,
    options: &Options,
    dice: &mut dyn D20Source,
    telling: Telling,
) -> (Vec<Waiting>, Reason) {
    let mut ranked = think(board, waiting(board), options, dice, telling);
    ranked.sort_by(|a, b| a.rank(options).cmp(&b.rank(options)));
    let reason = reason(&ranked, &[], options);
    let waiting = ranked.into_iter().map(|Ranked { figure, tier, turn }| Waiting {
        figure: figure.id.clone(),
        tier,
        turn,
    });
    (waiting.collect(), reason)
}
