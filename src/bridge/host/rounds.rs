//! The whole round in wire types: options, corrections, the ledger.

use crate::{
    game::{
        AttackStage,
        round::{
            DiceFrom, Mark, Plays,
            correction::{CardChange, Correction, Skip},
            dials::DialTold,
            ledger::LedgerEntry,
        },
    },
    protocol::{
        event as wire_event,
        fault::{Fault, FaultKind},
        round as wire,
        solo::UndoScope,
    },
    xwing::{action::FullArc, battle::Phase, damage_deck::Damage},
};

pub(super) const fn reach(scope: UndoScope) -> Mark {
    match scope {
        UndoScope::Step => Mark::Step,
        UndoScope::Turn => Mark::Turn,
        UndoScope::Phase => Mark::Phase,
    }
}

pub(super) const fn skip(what: wire::SkipWhat) -> Skip {
    match what {
        wire::SkipWhat::Step => Skip::Step,
        wire::SkipWhat::Ship => Skip::Ship,
        wire::SkipWhat::Phase => Skip::Phase,
        wire::SkipWhat::Game => Skip::Game,
    }
}

pub(in crate::bridge) const fn dice_from(dice: wire::DiceFrom) -> DiceFrom {
    match dice {
        wire::DiceFrom::Program => DiceFrom::Program,
        wire::DiceFrom::Table => DiceFrom::Table,
        wire::DiceFrom::Typed => DiceFrom::Typed,
    }
}

pub(in crate::bridge) const fn wire_dice(dice: DiceFrom) -> wire::DiceFrom {
    match dice {
        DiceFrom::Program => wire::DiceFrom::Program,
        DiceFrom::Table => wire::DiceFrom::Table,
        DiceFrom::Typed => wire::DiceFrom::Typed,
    }
}

pub(super) const fn plays(plays: wire::Plays) -> Plays {
    match plays {
        wire::Plays::Rounds => Plays::Rounds,
        wire::Plays::Activations => Plays::Activations,
    }
}

pub(super) const fn wire_plays(plays: Plays) -> wire::Plays {
    match plays {
        Plays::Rounds => wire::Plays::Rounds,
        Plays::Activations => wire::Plays::Activations,
    }
}

pub(super) const fn wire_phase(phase: Phase) -> wire::RoundPhase {
    match phase {
        Phase::Planning => wire::RoundPhase::Planning,
        Phase::System => wire::RoundPhase::System,
        Phase::Activation => wire::RoundPhase::Activation,
        Phase::Engagement => wire::RoundPhase::Engagement,
        Phase::End => wire::RoundPhase::End,
        Phase::Over => wire::RoundPhase::Over,
    }
}

const fn phase(phase: wire::RoundPhase) -> Phase {
    match phase {
        wire::RoundPhase::Planning => Phase::Planning,
        wire::RoundPhase::System => Phase::System,
        wire::RoundPhase::Activation => Phase::Activation,
        wire::RoundPhase::Engagement => Phase::Engagement,
        wire::RoundPhase::End => Phase::End,
        wire::RoundPhase::Over => Phase::Over,
    }
}

pub(super) const fn stage(stage: AttackStage) -> wire_event::AttackStage {
    match stage {
        AttackStage::Declared => wire_event::AttackStage::Declared,
        AttackStage::Modified => wire_event::AttackStage::Modified,
        AttackStage::Defended => wire_event::AttackStage::Defended,
        AttackStage::Resolved => wire_event::AttackStage::Resolved,
    }
}

pub(super) fn entry(entry: LedgerEntry) -> wire::ShipLedger {
    wire::ShipLedger {
        ship: entry.ship.to_string(),
        solo: entry.solo,
        hull: entry.hull.map(|(left, _)| left),
        hull_max: entry.hull.map(|(_, value)| value),
        shields: entry.shields,
        shields_max: entry.shields_max,
        face_up: entry.face_up,
        face_down: entry.face_down,
        force: entry.force,
        force_max: entry.force_max,
        charges: entry.charges,
        activated: entry.activated,
        engaged: entry.engaged,
        destroyed: entry.destroyed,
        touching: entry.touching.iter().map(ToString::to_string).collect(),
        against: entry.against.iter().map(ToString::to_string).collect(),
    }
}

/// `done` or `waiting`, as flags of a turn are written.
pub(super) fn done(field: &str, word: &str) -> Result<Option<bool>, Fault> {
    match word {
        "" => Ok(None),
        "done" => Ok(Some(true)),
        "waiting" => Ok(Some(false)),
        other => Err(invalid(format!("{field}: it is `done` or `waiting`, not `{other}`"))),
    }
}

fn invalid(message: String) -> Fault {
    Fault::new(FaultKind::InvalidParams, message)
}

/// What is told about a dial.
fn dial(word: &str) -> Result<Option<DialTold>, Fault> {
    Ok(Some(match word {
        "" => return Ok(None),
        "missing" => DialTold::Missing,
        "red" => DialTold::Red,
        // The colour of a dial of another ship says nothing.
        code => match code.parse().or_else(|_| format!("{code}W").parse()) {
            Ok(shown) => DialTold::Shows(shown),
            Err(_) => {
                return Err(invalid(format!(
                    "dial: it is `missing`, `red` for a red maneuver of its own, or speed and bearing of what it shows as in \
                     `3T` or `4KR`, not `{code}`"
                )));
            }
        },
    }))
}

/// No ship suffers more at once.
const MOST_DAMAGE: u32 = 50;

/// No ship has more hull, shields, charges or tokens of a kind.
const MOST_COUNTED: u32 = 99;

/// No game lasts longer.
const MOST_ROUNDS: u32 = 1000;

/// A number that was written; of the largest nobody knows how large it was.
fn told(count: u32) -> String {
    match count {
        u32::MAX => format!("{count} or more"),
        count => count.to_string(),
    }
}

pub(super) fn correction(asked: wire::CorrectParams) -> Result<Correction, Fault> {
    let count = |field: &str, count: u32| match u8::try_from(count) {
        Ok(few) if count <= MOST_DAMAGE => Ok(few),
        _ => Err(invalid(format!(
            "{field}: it is 0 to {MOST_DAMAGE}, not {}",
            told(count)
        ))),
    };
    let few = |field: &str, count: Option<u32>| match count {
        Some(count) if count > MOST_COUNTED => Err(invalid(format!(
            "{field}: it is 0 to {MOST_COUNTED}, not {}",
            told(count)
        ))),
        count => Ok(count),
    };
    for (field, counts) in [("charges", &asked.charges), ("tokens", &asked.tokens)] {
        for (name, count) in counts {
            few(&format!("{field}.{name}"), Some(*count))?;
        }
    }
    let correction = Correction {
        suffers: Damage {
            hits: count("hits", asked.hits)?,
            crits: count("crits", asked.crits)?,
        },
        hull: few("hull", asked.hull)?,
        hull_max: few("hullMax", asked.hull_max)?,
        shields: few("shields", asked.shields)?,
        card: asked.card.map(|card| {
            let change = match card.change {
                wire::CardChange::DealFaceUp => CardChange::DealFaceUp,
                wire::CardChange::DealFaceDown => CardChange::DealFaceDown,
                wire::CardChange::Repair => CardChange::Repair,
                wire::CardChange::Expose => CardChange::Expose,
                wire::CardChange::Discard => CardChange::Discard,
            };
            (change, card.name)
        }),
        force: few("force", asked.force)?,
        charges: asked.charges,
        tokens: asked.tokens,
        touching: asked.touching,
        dial: dial(&asked.dial)?,
        reinforced: match &*asked.reinforced {
            "" => None,
            "fore" => Some(FullArc::Fore),
            "aft" => Some(FullArc::Aft),
            other => return Err(invalid(format!("reinforced: it is `fore` or `aft`, not `{other}`"))),
        },
        activated: done("activated", &asked.activated)?,
        engaged: done("engaged", &asked.engaged)?,
        in_play: match &*asked.state {
            "" => None,
            "inPlay" => Some(true),
            "destroyed" => Some(false),
            other => return Err(invalid(format!("state: it is `inPlay` or `destroyed`, not `{other}`"))),
        },
        phase: match asked.phase {
            Some(wire::RoundPhase::End | wire::RoundPhase::Over) => {
                return Err(invalid(
                    "phase: it is `planning`, `system`, `activation` or `engagement`; what ends a round happens by itself, so \
                     skip the engagement phase (`game/skip`) to come there"
                        .to_owned(),
                ));
            }
            other => other.map(phase),
        },
        round: match asked.round {
            Some(round) if !(1..=MOST_ROUNDS).contains(&round) => {
                return Err(invalid(format!("round: it is 1 to {MOST_ROUNDS}, not {round}")));
            }
            round => round,
        },
        ship: None,
    };
    if correction.dial.is_some() {
        let alone = Correction {
            dial: correction.dial,
            ..Correction::default()
        };
        if correction != alone {
            return Err(invalid("dial: tell it alone, and the rest by itself".to_owned()));
        }
    }
    let of_a_ship = Correction {
        phase: None,
        round: None,
        ..correction.clone()
    };
    if asked.ship.is_empty() && of_a_ship != Correction::default() {
        return Err(invalid(
            "ship: it is missing; say whose hull, cards or tokens they are".to_owned(),
        ));
    }
    Ok(Correction {
        ship: (!asked.ship.is_empty()).then(|| asked.ship.as_str().into()),
        ..correction
    })
}
