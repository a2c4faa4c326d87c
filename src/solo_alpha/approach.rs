//! SA-3.3 to SA-3.5 with SA-6: from the tally to a maneuver and an attitude.

use super::{
    Situation,
    attitude::Attitude,
    chart::{Chart, Roll, Word, defence_name},
    options::Options,
    selection::{RejectedManeuver, Rejection, Selection},
    sentence::SpokenIn,
    tally::{self, Tally},
};
use crate::{
    decision::Reason,
    dice::{DefenceFace, DiceSource},
    xwing::{ObjectId, edition::Edition, maneuver::Maneuver, scenario::departure, ship::Ship, table::Table},
};

/// An exception of SA-6 that was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Exception {
    /// Ionized: the ion maneuver.
    Ionized,
    /// Stressed, and the entry selected a red maneuver: the defence die became focus.
    StressedRed,
    /// Nothing on the dial met the entry: the defence die became focus.
    NoSuchManeuver,
    /// Still nothing: the slowest straight.
    SlowestStraight,
}

impl Exception {
    /// The rule's id.
    pub const fn id(self) -> &'static str {
        match self {
            Exception::Ionized => "SA-6.1",
            Exception::StressedRed => "SA-6.2",
            Exception::NoSuchManeuver => "SA-6.3",
            Exception::SlowestStraight => "SA-6.4",
        }
    }
}

/// What an entry asks the ship to near or to shun; barrel rolls and Tallon rolls are aligned by it (SA-5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heed {
    /// Towards or away.
    pub word: Word,
    /// From what.
    pub object: ObjectId,
}

/// The Determine Approach step of one activation.
#[derive(Debug, Clone, PartialEq)]
pub struct Approach {
    /// What it is after; `None` when ionized, or when there is nothing to be after.
    pub tally: Option<Tally>,
    /// The chart, where there is a tally.
    pub chart: Option<Chart>,
    /// The dice as rolled.
    pub roll: Roll,
    /// The defence die after SA-6.
    pub die: DefenceFace,
    /// The entry that was carried out, as the charts write it; what took its place where there is none.
    pub entry: String,
    /// Exceptions met, in order.
    pub exceptions: Vec<Exception>,
    /// The maneuver.
    pub maneuver: Maneuver,
    /// What the entry asks to near or to shun, if it does and the object exists.
    pub heed: Option<Heed>,
    /// The attitude.
    pub attitude: Attitude,
    /// Maneuvers that were looked at and left, each with its full end pose.
    pub rejected: Vec<RejectedManeuver>,
}

impl Approach {
    /// Ids of the exceptions joined by `+`; empty where there is none.
    pub fn exception_ids(&self) -> String {
        self.exceptions.iter().map(|e| e.id()).collect::<Vec<_>>().join("+")
    }
}

fn reason(rule: &str, text: String) -> Reason {
    Reason {
        rule: rule.to_owned(),
        text,
        compared: Vec::new(),
    }
}

/// SA-3: tally, chart, roll, maneuver, attitude.
///
/// Returns `None` only for a ship that has an empty dial and is not ionized.
pub(super) fn determine(
    table: &Table,
    ship: &Ship,
    situation: &Situation,
    options: &Options,
    dice: &mut dyn DiceSource,
    reasons: &mut Vec<Reason>,
) -> Option<Approach> {
    let found = if ship.is_ionized() {
        None
    } else {
        // SA-13, the transport: the corner that it makes for is always its tally.
        let goal = departure::goal(table, ship).map(|goal| &*goal.id);
        let forced = situation.forced_tally.as_deref().or(goal);
        tally::identify(table, ship, forced, dice, reasons)
    };
    let chart = found.as_ref().map(|(_, object)| tally::chart(ship, object, reasons));
    // SA-3.3; an ionized ship rolls for its attitude (SA-6.1).
    let roll = Roll {
        defence: dice.defence(),
        attack: dice.attack(),
    };
    let (tally, object) = found.unzip();
    let mut approach = Approach {
        tally,
        chart,
        roll,
        die: roll.defence,
        entry: String::new(),
        exceptions: Vec::new(),
        maneuver: table.rules.ion_maneuver(),
        heed: None,
        attitude: Attitude::from_die(roll.defence),
        rejected: Vec::new(),
    };
    reasons.push(reason("SA-3.3", format!("rolled {roll}")));
    if options.any_stress_makes_focus && ship.is_stressed() && approach.die != DefenceFace::Focus {
        approach.die = DefenceFace::Focus;
        reasons.push(reason(
            Exception::StressedRed.id(),
            "stressed, and by the option any stressed ship's defence die becomes focus".to_owned(),
        ));
    }
    if ship.is_ionized() {
        approach.exceptions.push(Exception::Ionized);
        approach.entry.push_str("ion maneuver");
        reasons.push(reason(
            Exception::Ionized.id(),
            format!(
                "ionized by {} ion tokens: no tally, no approach, the ion maneuver {}",
                ship.tokens.ion, approach.maneuver
            ),
        ));
    } else {
        let mut selection = Selection::new(table, ship, object, options, dice, reasons);
        climb_down(&mut selection, &mut approach, ship, (table.rules.edition, options))?;
        approach.rejected = selection.into_rejected();
    }
    let die = if options.changed_die_sets_attitude {
        approach.die
    } else {
        roll.defence
    };
    approach.attitude = Attitude::from_die(die);
    reasons.push(reason(
        "SA-3.5",
        format!(
            "{} attitude from the defence die's {}",
            approach.attitude,
            defence_name(die)
        ),
    ));
    Some(approach)
}

/// SA-3.4 with the ladder of SA-6.2 to SA-6.4.
fn climb_down(
    selection: &mut Selection<'_, '_>,
    approach: &mut Approach,
    ship: &Ship,
    (edition, options): (Edition, &Options),
) -> Option<()> {
    let Some(chart) = approach.chart else {
        // SA-3.1, choice: without a tally the slowest straight.
        approach.maneuver = selection.slowest_straight("SA-3.1")?;
        approach.entry.push_str("slowest straight, for want of a tally");
        return Some(());
    };
    let mut first = true;
    loop {
        let roll = Roll {
            defence: approach.die,
            attack: approach.roll.attack,
        };
        let entry = options.charts.entry(chart, roll);
        let asked = entry.words(edition);
        let focused = approach.die == DefenceFace::Focus;
        let exception = match selection.select(entry) {
            Some(maneuver) if !ship.may_fly(maneuver) => {
                selection.reject(maneuver, Rejection::RedWhileStressed);
                (Exception::StressedRed, Some(maneuver))
            }
            Some(maneuver) => {
                approach.maneuver = maneuver;
                approach.entry.push_str(&asked);
                approach.heed = entry.direction.and_then(|(word, landmark)| {
                    let object = selection.object(landmark)?.id().clone();
                    Some(Heed { word, object })
                });
                selection.explain(
                    "SA-3.4",
                    format!(
                        "{chart} chart, {roll}: {asked} is {} ({maneuver})",
                        SpokenIn(edition, maneuver)
                    ),
                );
                return Some(());
            }
            None => (Exception::NoSuchManeuver, None),
        };
        match exception {
            // Only charts of the user's own have a red or a missing maneuver twice.
            _ if !first || focused => break,
            (Exception::StressedRed, Some(red)) => {
                approach.exceptions.push(Exception::StressedRed);
                selection.explain(
                    Exception::StressedRed.id(),
                    format!(
                        "{chart} chart, {roll}: {asked} is the red {red}, and the ship is stressed: the defence die becomes \
                         focus"
                    ),
                );
            }
            _ => {
                approach.exceptions.push(Exception::NoSuchManeuver);
                selection.explain(
                    Exception::NoSuchManeuver.id(),
                    format!("{chart} chart, {roll}: nothing on the dial is {asked}: the defence die becomes focus"),
                );
            }
        }
        approach.die = DefenceFace::Focus;
        first = false;
    }
    approach.exceptions.push(Exception::SlowestStraight);
    approach.maneuver = selection.slowest_straight(Exception::SlowestStraight.id())?;
    approach.entry.push_str("slowest straight");
    Some(())
}
