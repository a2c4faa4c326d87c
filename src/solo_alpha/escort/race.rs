//! PE-A2: which maneuver the shuttle flies. The run is a race: a rock costs half a point of damage, a round costs a shot of
//! every attacker.

use std::fmt::Write as _;

use crate::{
    decision::{Compared, Reason},
    dice::DiceSource,
    geometry::{Pose, angle},
    xwing::{
        escort::{
            EscortOptions,
            blocking::{self, BlockState, Choosing, Run},
            ending::{Leaving, leaving},
            shuttle::{MANEUVERS, STRAIGHT},
        },
        maneuver::Maneuver,
        movement::{Alignment, consequences::obstacle_kind, full_end},
        obstacle::ObstacleKind,
        scenario::Edge,
        ship::Ship,
        size::Size,
        table::{PlayArea, Table},
    },
};

/// The longest sequence of maneuvers that is looked at; no exit within it counts as one more (PE-A2 b).
pub const LONGEST: u32 = 12;

/// A shuttle that is to move.
#[derive(Debug, Clone, Copy)]
pub struct Racing<'t> {
    /// The table, the shuttle on it where it stands.
    pub table: &'t Table,
    /// The shuttle.
    pub shuttle: &'t Ship,
    /// What it may do about being blocked.
    pub state: BlockState,
    /// The attacker's edge.
    pub edge: Edge,
    /// The scenario's options.
    pub options: &'t EscortOptions,
    /// Whether guides count for overlap.
    pub guides: bool,
}

/// A maneuver of the shuttle, flown in thought.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The maneuver.
    pub maneuver: Maneuver,
    /// The move.
    pub run: Run,
    /// Whether it leaves, and how.
    pub leaving: Leaving,
    /// R: the fewest further rounds to an exit; 0 if it exits now.
    pub rounds: u32,
    /// Asteroids that it meets.
    pub asteroids: u32,
    /// Debris clouds that it meets.
    pub debris: u32,
}

/// What the shuttle does.
#[derive(Debug, Clone, PartialEq)]
pub struct RaceDecision {
    /// The maneuver.
    pub maneuver: Maneuver,
    /// All that were looked at, in the order 2 straight, left bank, right bank.
    pub candidates: Vec<Candidate>,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The whole in a sentence.
    pub sentence: String,
}

/// Whether the shuttle's player may choose its maneuver (PE-5.7): it is not ionized, and its dial has the straight.
pub fn choosing(shuttle: &Ship) -> Choosing {
    let straight = |maneuver: &Maneuver| (maneuver.speed, maneuver.bearing) == (STRAIGHT.speed, STRAIGHT.bearing);
    match shuttle.is_ionized() || !shuttle.dial.maneuvers().iter().any(straight) {
        true => Choosing::Bound,
        false => Choosing::Free,
    }
}

/// R: the fewest rounds to an exit from a pose, ships and obstacles ignored, over all sequences of the three maneuvers; one
/// more than [`LONGEST`] if there is none (PE-A2 b).
pub fn rounds_to_exit(area: PlayArea, size: Size, from: Pose, edge: Edge) -> u32 {
    /// Poses nearer than this are one and the same, mm and degrees.
    const SAME: f64 = 1e-4;
    let key = |pose: &Pose| {
        let part = |value: f64| (value / SAME).round() as i64;
        (
            part(pose.position.x),
            part(pose.position.y),
            part(angle::normalize(pose.heading + SAME / 2.0)),
        )
    };
    let mut reached = vec![from];
    for round in 1..=LONGEST {
        let mut next = Vec::with_capacity(reached.len() * MANEUVERS.len());
        for pose in &reached {
            for maneuver in MANEUVERS {
                let end = full_end(size, *pose, maneuver, Alignment::Middle);
                match leaving(area, size, end, edge) {
                    Leaving::Exits => return round,
                    Leaving::Inside => next.push(end),
                    Leaving::Flees(_) => {}
                }
            }
        }
        // Many orders of the same maneuvers end in the same place.
        next.sort_by_key(key);
        next.dedup_by_key(|pose| key(pose));
        reached = next;
    }
    LONGEST + 1
}

/// All maneuvers of the shuttle's dial, flown in thought with their real ends: overlaps, clearing (PE-A2).
pub fn candidates(racing: &Racing<'_>) -> Vec<Candidate> {
    let Racing {
        table, shuttle, edge, ..
    } = *racing;
    let choosing = choosing(shuttle);
    let known = |maneuver: &Maneuver| {
        let mut dial = shuttle.dial.maneuvers().iter();
        dial.find(|entry| (entry.speed, entry.bearing) == (maneuver.speed, maneuver.bearing))
            .copied()
    };
    let open: Vec<Maneuver> = match shuttle.is_ionized() {
        // FE-7.2: whatever its dial says.
        true => vec![table.rules.ion_maneuver()],
        false => MANEUVERS.iter().filter_map(known).collect(),
    };
    let flown = open.into_iter().map(|maneuver| {
        let run = blocking::fly(
            table,
            shuttle,
            maneuver,
            choosing,
            racing.state,
            racing.options,
            racing.guides,
        );
        let leaving = leaving(table.area, shuttle.size, run.execution.pose, edge);
        let rounds = match leaving {
            Leaving::Exits => 0,
            Leaving::Inside => rounds_to_exit(table.area, shuttle.size, run.execution.pose, edge),
            Leaving::Flees(_) => LONGEST + 1,
        };
        let met = |debris: bool| {
            let kinds = run.execution.suffered.iter().filter_map(|id| obstacle_kind(table, id));
            kinds.filter(|kind| (*kind == ObstacleKind::Debris) == debris).count() as u32
        };
        Candidate {
            maneuver,
            leaving,
            rounds,
            asteroids: met(false),
            debris: met(true),
            run,
        }
    });
    flown.collect()
}

/// What tells candidates apart, the first difference decides (PE-A2 a to e).
type Preference = (&'static str, fn(&Candidate) -> u32);
const PREFERENCES: [Preference; 6] = [
    ("a) it exits now", |candidate| {
        u32::from(candidate.leaving != Leaving::Exits)
    }),
    ("b) the fewest further rounds to an exit", |candidate| candidate.rounds),
    ("c) the fewest asteroids met", |candidate| candidate.asteroids),
    ("c) the fewest debris clouds met", |candidate| candidate.debris),
    ("d) it is not blocked", |candidate| {
        u32::from(!candidate.run.blocked_by.is_empty() && candidate.run.cleared.is_none())
    }),
    ("e) the 2 straight", |candidate| {
        u32::from((candidate.maneuver.speed, candidate.maneuver.bearing) != (STRAIGHT.speed, STRAIGHT.bearing))
    }),
];

/// PE-A2: the shuttle's maneuver. `None` if its dial has none of its maneuvers.
pub fn decide(racing: &Racing<'_>, dice: &mut dyn DiceSource) -> Option<RaceDecision> {
    let candidates = candidates(racing);
    let strays = |candidate: &&Candidate| matches!(candidate.leaving, Leaving::Flees(_));
    let mut open: Vec<&Candidate> = candidates.iter().filter(|candidate| !strays(candidate)).collect();
    let mut why = Vec::new();
    if open.is_empty() {
        // Every one leaves somewhere else: there is nothing to lose.
        open = candidates.iter().collect();
        why.push("all leave over an edge that is not the attacker's".to_owned());
    }
    // One that leaves on the wrong side has no claim to be taken for that.
    let clears = candidates
        .iter()
        .filter(|candidate| !strays(candidate))
        .find(|candidate| candidate.run.cleared.is_some());
    let chosen = match clears {
        Some(clears) => {
            why.push(format!(
                "primed, and the 2 straight would be blocked by {}: it clears",
                clears.run.blocked_by.join(", ")
            ));
            Some(clears)
        }
        None => {
            for (says, value) in PREFERENCES {
                let least = open.iter().map(|candidate| value(candidate)).min();
                let before = open.len();
                open.retain(|candidate| Some(value(candidate)) == least);
                if open.len() < before {
                    why.push(says.to_owned());
                }
                if open.len() <= 1 {
                    break;
                }
            }
            match open.len() {
                0 => None,
                1 => Some(open[0]),
                count => {
                    why.push("f) a seeded roll of the banks".to_owned());
                    Some(open[dice.choose(count).min(count - 1)])
                }
            }
        }
    };
    let chosen = chosen?.maneuver;
    let compared = candidates.iter().map(|candidate| Compared {
        candidate: candidate.maneuver.to_string(),
        value: Some(f64::from(candidate.rounds)),
        unit: "rounds".to_owned(),
        verdict: verdict(candidate, candidate.maneuver == chosen),
    });
    let flown = candidates.iter().find(|candidate| candidate.maneuver == chosen)?;
    let sentence = sentence(racing.shuttle, flown);
    let reasons = vec![Reason {
        rule: "PE-A2".to_owned(),
        text: format!(
            "{chosen}: {}",
            if why.is_empty() {
                "no other is left".to_owned()
            } else {
                why.join(", then ")
            }
        ),
        compared: compared.collect(),
    }];
    Some(RaceDecision {
        maneuver: chosen,
        candidates,
        reasons,
        sentence,
    })
}

/// What is compared of a candidate, in words for the log.
fn verdict(candidate: &Candidate, taken: bool) -> String {
    let taken = if taken { "taken" } else { "left" };
    format!("{taken}: {}", comes_to(candidate))
}

/// R in words: `R 5`, and where no exit is found that there is none within [`LONGEST`] rounds (PE-A2 b).
pub fn to_exit(rounds: u32) -> String {
    match rounds {
        rounds if rounds > LONGEST => format!("no exit within {LONGEST} rounds"),
        rounds => format!("R {rounds}"),
    }
}

/// What a candidate comes to, in words: where it ends, R, who blocks it or what it clears, the dice it meets.
pub fn comes_to(candidate: &Candidate) -> String {
    let mut text = String::new();
    let pose = candidate.run.execution.pose;
    // Writing to a string cannot fail.
    let _ = match candidate.leaving {
        Leaving::Exits => write!(text, "exits now"),
        Leaving::Flees(edge) => write!(text, "leaves by the {} edge", edge.word()),
        Leaving::Inside => write!(
            text,
            "ends at {:.1},{:.1} @{:.1}, {}",
            pose.position.x,
            pose.position.y,
            pose.heading,
            to_exit(candidate.rounds)
        ),
    };
    if let Some(speed) = candidate.run.cleared {
        let _ = write!(text, ", clears by the {speed} straight");
    } else if !candidate.run.blocked_by.is_empty() {
        let _ = write!(text, ", blocked by {}", candidate.run.blocked_by.join(", "));
    } else if !candidate.run.execution.full {
        text.push_str(", held up by friends");
    }
    for (count, what) in [(candidate.asteroids, "asteroid"), (candidate.debris, "debris")] {
        if count > 0 {
            let dice = if count == 1 { "die" } else { "dice" };
            let _ = write!(text, ", {count} {what} {dice}");
        }
    }
    text
}

/// The move in a sentence.
fn sentence(shuttle: &Ship, candidate: &Candidate) -> String {
    let name = super::super::sentence::called(shuttle);
    let flies = super::super::sentence::SpokenIn(shuttle.edition, candidate.maneuver);
    let comes_to = match (candidate.leaving, candidate.run.cleared) {
        (Leaving::Exits, _) => "and exits".to_owned(),
        (Leaving::Flees(edge), _) => format!("and leaves by the {} edge", edge.word()),
        (Leaving::Inside, Some(speed)) => format!("and clears its blockers by the {speed} straight"),
        (Leaving::Inside, None) if !candidate.run.blocked_by.is_empty() => {
            format!("and is blocked by {}", candidate.run.blocked_by.join(", "))
        }
        (Leaving::Inside, None) => match candidate.rounds {
            rounds if rounds > LONGEST => format!("with {}", to_exit(rounds)),
            1 => "1 round from its exit".to_owned(),
            rounds => format!("{rounds} rounds from its exit"),
        },
    };
    format!("{name} flies {flies}, {comes_to}.")
}
