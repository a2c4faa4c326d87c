//! Carsten's automated opponents: what a figure does on its turn, and why (SWM 2 and 6).
//!
//! | sentence | where |
//! |---|---|
//! | who activates next (SWM-A1 to A8) | [`activation`] |
//! | shooters (S1 to S7) | [`shooter`], `mobile` |
//! | melee figures and hybrids (M1 to M5, H1 to H4) | [`melee`], `approach` |
//! | the target (T1 to T5) | [`selection`] |
//! | area attacks (G1 to G5) | [`area`] |
//! | the Force (F1 to F6) | [`force`] |

use std::cell::RefCell;

use super::{
    ability::{Condition, Effect},
    board::Board,
    figure::{Figure, Kind},
    map::Terrain,
    options::Options,
    square::{Space, Square},
    targets::{self, Distances, Stance},
};
use crate::{
    decision::{Compared, Reason},
    dice::D20Source,
};

pub mod activation;
mod approach;
pub mod area;
pub mod force;
pub mod melee;
mod mobile;
pub mod selection;
pub mod shooter;

/// One thing that a figure does on its turn, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// It walks.
    Move {
        /// The squares, the last one being where it stops.
        way: Vec<Square>,
        /// Whether it spends a Force point to come 2 squares farther.
        force: bool,
    },
    /// It attacks.
    Attack {
        /// Whom first; after each attack the target is chosen anew.
        target: String,
        /// How many attacks, those of Twin Attack not counted.
        attacks: u8,
    },
    /// It uses an area attack in place of its attacks.
    Area {
        /// The ability's name.
        ability: String,
        /// The target in the middle.
        target: String,
        /// Player figures in the blast, in order of their ids.
        affected: Vec<String>,
    },
}

/// What a figure does on its turn, if nothing comes in between.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// Whose turn.
    pub figure: String,
    /// How it fights.
    pub kind: Kind,
    /// The rule that decided, as in `SWM-S3`.
    pub rule: &'static str,
    /// What it does.
    pub steps: Vec<Step>,
    /// From where it attacks, if it does.
    pub fire: Option<Square>,
    /// Whom it attacks first, if anybody.
    pub target: Option<String>,
    /// Where it ends.
    pub end: Square,
    /// What the first attack adds to the roll: printed and all that counts then; `None` without an attack.
    pub attack: Option<i16>,
    /// The damage of all its attacks together if each hits, without criticals.
    pub damage: u32,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The whole in one sentence.
    pub sentence: String,
}

/// What is looked at while one figure's turn is thought over.
pub(super) struct Mind<'b, 'd> {
    pub board: &'b Board,
    pub figure: &'b Figure,
    pub distances: Distances<'b>,
    pub options: &'b Options,
    pub dice: &'d mut dyn D20Source,
    pub reasons: Vec<Reason>,
    telling: Telling,
    /// Force points that the turn thought of so far spends.
    pub spent: u16,
    /// For every square of the map how many enemies it could attack from there and how many it would see, once asked for.
    fields: RefCell<Vec<Option<(u16, u16)>>>,
}

/// How much is told of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Telling {
    /// Everything that was compared, with its rules.
    Reasons,
    /// What it comes to, in one sentence.
    Brief,
}

/// The most candidates that a reason lists.
const LISTED: usize = 12;

impl<'b, 'd> Mind<'b, 'd> {
    fn new(
        board: &'b Board,
        figure: &'b Figure,
        options: &'b Options,
        dice: &'d mut dyn D20Source,
        telling: Telling,
    ) -> Self {
        Mind {
            telling,
            fields: RefCell::new(Vec::new()),
            board,
            figure,
            distances: Distances::new(board, figure),
            options,
            dice,
            reasons: Vec::new(),
            spent: 0,
        }
    }

    /// Squares that it may move and attack.
    fn speed(&self) -> u16 {
        self.figure.single_move()
    }

    /// Squares that it may move without attacking.
    fn far(&self) -> u16 {
        self.figure.double_move()
    }

    /// Whether it may spend so many Force points on its turn (SWM-F6). Before it activates those of Force Renewal are still to
    /// come, and what it spent was on somebody else's turn.
    fn may_spend(&self, points: u16) -> bool {
        let times = self.figure.force_spends();
        if self.figure.activated {
            let before = self.figure.force_spent + self.spent;
            return self.figure.force >= self.spent + points && before < times;
        }
        self.figure.force + self.renewal() >= self.spent + points && self.spent < times
    }

    fn renewal(&self) -> u16 {
        let renewal = self.figure.card.number(|effect| match effect {
            Effect::ForceRenewal(points) => Some(*points),
            _ => None,
        });
        renewal.unwrap_or_default()
    }

    /// Whether an enemy is beside it where it stands, reach not counted.
    fn is_held(&self) -> bool {
        let space = self.figure.space();
        (self.board.enemies(self.figure)).any(|enemy| self.board.are_adjacent(space, enemy.space()))
    }

    /// North first, then east (SWM-A5, SWM-A6): the lower, the better.
    fn compass(&self, at: Square) -> (i16, i16) {
        self.options.north.compass_of(self.space_at(at))
    }

    fn space_at(&self, at: Square) -> Space {
        self.figure.space_at(at)
    }

    fn is_low(&self, at: Square) -> bool {
        self.board.map().is_on(self.space_at(at), Terrain::LowObjects)
    }

    fn has(&self, effect: &Effect) -> bool {
        self.figure.card.has(|other| other == effect)
    }

    /// Range to the nearest enemy from a square, seen or not; the highest number where walls shut all off.
    fn nearest_range(&self, at: Square) -> u16 {
        self.distances.nearest(self.space_at(at))
    }

    /// Notes a reason, where somebody wants to read them; of what was compared the first, which are the best.
    fn reason(&mut self, rule: &str, text: impl Into<String>, compared: impl IntoIterator<Item = Compared>) {
        if self.telling == Telling::Reasons {
            self.reasons.push(Reason {
                rule: rule.to_owned(),
                text: text.into(),
                compared: compared.into_iter().take(LISTED).collect(),
            });
        }
    }

    /// What was compared, for a reason that is given later.
    fn list(&self, compared: impl Iterator<Item = Compared>) -> Vec<Compared> {
        match self.telling {
            Telling::Reasons => compared.take(LISTED).collect(),
            Telling::Brief => Vec::new(),
        }
    }

    /// Attacks of a turn: the first, and those instead of moving or in spite of it.
    fn attacks(&self, stance: Stance) -> u8 {
        let extra = self.figure.card.extra_attacks();
        let keeps = !stance.moved && stance.stays || self.has(&Effect::ExtraAttacksDespiteMoving);
        if keeps { 1 + extra } else { 1 }
    }

    /// A turn out of its parts.
    fn turn(self, rule: &'static str, steps: Vec<Step>) -> Turn {
        let mut at = self.figure.at;
        let (mut fire, mut target) = (None, None);
        for step in &steps {
            match step {
                Step::Move { way, .. } => at = way.last().copied().unwrap_or(at),
                Step::Attack { target: who, .. } | Step::Area { target: who, .. } => {
                    fire.get_or_insert(at);
                    target.get_or_insert_with(|| who.clone());
                }
            }
        }
        let (attack, damage) = selection::output(&self, &steps);
        let sentence = sentence(self.board, self.figure, &steps);
        Turn {
            figure: self.figure.id.clone(),
            kind: self.figure.card.kind(),
            rule,
            steps,
            fire,
            target,
            end: at,
            attack,
            damage,
            reasons: self.reasons,
            sentence,
        }
    }
}

fn compared(candidate: impl Into<String>, value: impl Into<f64>, unit: &str, verdict: impl Into<String>) -> Compared {
    Compared {
        candidate: candidate.into(),
        value: Some(value.into()),
        unit: unit.to_owned(),
        verdict: verdict.into(),
    }
}

/// What is said of the enemies that it sees: range, and whether each may be attacked.
fn listed(seen: &[targets::Sighted<'_>]) -> impl Iterator<Item = Compared> {
    let verdict = |enemy: &targets::Sighted<'_>| match enemy {
        enemy if enemy.legal && enemy.adjacent => "adjacent, legal".to_owned(),
        enemy if enemy.legal && !enemy.covered => "no cover, legal".to_owned(),
        enemy if enemy.legal => "cover, legal".to_owned(),
        enemy if !enemy.covered => "not legal".to_owned(),
        _ => "cover and not the nearest, not legal".to_owned(),
    };
    let all = seen.iter();
    all.map(move |enemy| compared(&enemy.figure.id, enemy.range, "squares", verdict(enemy)))
}

fn sentence(board: &Board, figure: &Figure, steps: &[Step]) -> String {
    let name = |id: &str| board.figure(id).map_or_else(|| id.to_owned(), Figure::called);
    let part = |step: &Step| match step {
        Step::Move { way, force } => {
            let end = way.last().map(ToString::to_string).unwrap_or_default();
            format!("moves to {end}{}", if *force { " with a Force point" } else { "" })
        }
        Step::Attack { target, attacks: 1 } => format!("attacks {}", name(target)),
        Step::Attack { target, attacks } => format!("attacks {} ({attacks} attacks)", name(target)),
        Step::Area {
            ability,
            target,
            affected,
        } => {
            let all: Vec<String> = affected.iter().map(|id| name(id)).collect();
            format!(
                "uses {ability} on {}, which reaches {}",
                name(target),
                all.join(" and ")
            )
        }
    };
    let parts: Vec<String> = steps.iter().map(part).collect();
    match parts.is_empty() {
        true => format!("{} stays where it is.", figure.called()),
        false => format!("{} {}.", figure.called(), parts.join(", then ")),
    }
}

/// What a figure would do if it activated now, and why.
pub fn decide(board: &Board, figure: &Figure, options: &Options, dice: &mut dyn D20Source) -> Turn {
    think(board, figure, options, dice, Telling::Reasons)
}

/// The same, with so much told of it.
pub fn think(board: &Board, figure: &Figure, options: &Options, dice: &mut dyn D20Source, telling: Telling) -> Turn {
    let mut mind = Mind::new(board, figure, options, dice, telling);
    if telling == Telling::Reasons
        && let Some(reason) = force::reason(figure, mind.renewal())
    {
        mind.reasons.push(reason);
    }
    match figure.card.kind() {
        // Who must end beside an enemy does not keep away, whatever it is said to be.
        Kind::Shooter if mind.has(&Effect::EndsBesideEnemy) => melee::decide(mind, true),
        Kind::Shooter => shooter::decide(mind),
        Kind::Melee => melee::decide(mind, false),
        Kind::Hybrid => melee::decide(mind, true),
    }
}

/// Whether a figure may attack another from where it stands.
pub fn is_legal(board: &Board, figure: &Figure, target: &str, options: &Options) -> bool {
    let seen = targets::sighted(board, figure, figure.space(), options);
    seen.iter().any(|enemy| enemy.legal && enemy.figure.id == target)
}

/// SWM-T1 to T5: whom a figure attacks next from where it stands: chosen anew for every separate attack.
pub fn next_target(board: &Board, figure: &Figure, options: &Options, dice: &mut dyn D20Source) -> Option<String> {
    let mut mind = Mind::new(board, figure, options, dice, Telling::Brief);
    let seen = mind.sighted(figure.at);
    mind.target(figure.at, &seen).map(|target| target.id.clone())
}

/// Whether an attack gets better when the figure gives up moving on its turn (SWM-S5).
pub fn gains_by_staying(figure: &Figure) -> bool {
    figure
        .card
        .has(|effect| matches!(effect, Effect::Bonus { when, .. } if when.contains(&Condition::NotMoved)))
}

/// SWM-S6: the move of a figure that an enemy held until its attack defeated it, with so much movement left: a shooter goes
/// where it would go after an attack, the others close in on the next enemy (SWM-M1).
pub fn rest(
    board: &Board,
    figure: &Figure,
    options: &Options,
    dice: &mut dyn D20Source,
    left: u16,
) -> Option<Vec<Square>> {
    let mut mind = Mind::new(board, figure, options, dice, Telling::Brief);
    let budget = mind.speed().min(left);
    if budget == 0 || mind.is_held() {
        return None;
    }
    let way = match figure.card.kind() {
        Kind::Shooter if mind.is_low(figure.at) && !options.scoot_from_cover => None,
        Kind::Shooter => mind.withdraw(figure.at, budget),
        Kind::Melee | Kind::Hybrid => melee::close_in(&mut mind, budget),
    };
    way.filter(|way| !way.is_empty())
}
