//! What the program plays, in a few lines: a fixed set of games, each line the checksum of every choice made in some of
//! them. A change of play shows as a line that differs; a change that should not touch play leaves all of them alone.

use sha2::{Digest, Sha256};

use super::{Commanders, Plan, PlayerPolicy, field::Field, field::SimError, open, play_noting, seed_of};
use crate::{
    dice::SeededDice,
    xwing::{
        battle::Mission,
        catalog::Catalog,
        scenario::{Scenario, muster::Wishes},
    },
};

/// Games of each meeting and policy.
pub const GAMES: u64 = 3;
/// Where their dice come from. A renewed checksum keeps it: what differs is the play.
const SEED: u64 = 20_260_101;
/// Hexadecimal digits that are shown: enough that no change is missed by chance.
const DIGITS: usize = 16;

/// The checksum of the games of one meeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Who met whom, and who flew the player's ships.
    pub name: String,
    /// The checksum, hexadecimal.
    pub sum: String,
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}  {}", self.sum, self.name)
    }
}

/// The fixed set: every faction against the next one in the introductory scenario, its variants in turn, and the mirror,
/// with both ways to fly the player's ships.
///
/// # Errors
/// An embedded scenario that the embedded catalog cannot field, which a test of every build rules out.
pub fn plans() -> Result<Vec<(String, Plan)>, SimError> {
    let catalog = Catalog::embedded();
    let mut plans = Vec::new();
    for (scenario, shift) in [(Scenario::intro(), 1), (Scenario::mirror(), 0)] {
        for (place, squad) in scenario.squads.iter().enumerate() {
            let variants = scenario.variants.len() + 1;
            let variant = (place % variants)
                .checked_sub(1)
                .map(|variant| scenario.variants[variant].id.clone());
            let wishes = Wishes {
                faction: squad.faction.clone(),
                enemy: scenario.squads[(place + shift) % scenario.squads.len()].faction.clone(),
                player_ships: scenario.player_ships.usual,
                variant,
                ..Wishes::default()
            };
            let field = Field::mission(Mission::new(scenario.clone(), catalog, &wishes)?);
            for (policy, words) in [
                (PlayerPolicy::Scripted, "scripted player"),
                (PlayerPolicy::Solo, "Solo Alpha"),
            ] {
                let name = format!("{}: {}, {words}", scenario.id, field.name());
                let plan = Plan {
                    policy,
                    seed: SEED,
                    ..Plan::of(vec![field.clone()])
                };
                plans.push((name, plan));
            }
        }
    }
    Ok(plans)
}

/// Plays the games of one of those plans and sums them up: every choice, and where every ship is at the end.
///
/// # Errors
/// A set-up that cannot be played.
pub fn line(name: &str, plan: &Plan) -> Result<Line, SimError> {
    let mut hash = Sha256::new();
    let mut commanders = Commanders::new(plan);
    for number in 0..GAMES {
        let seed = seed_of(plan.seed, number);
        let mut dice = SeededDice::new(seed);
        let start = open(plan, number, seed, &mut dice)?;
        let (battle, _) = play_noting(start.setup, &mut commanders, &mut dice, &mut |request, answer| {
            hash.update(request.ship().as_bytes());
            // A choice that cannot be written down would leave the others to tell.
            hash.update(serde_json::to_vec(answer).unwrap_or_default());
        })?;
        for ship in &battle.table().ships {
            let pose = ship.pose;
            // Rounded, so that only what matters counts.
            let place = format!(
                "{} {:?} {:.3} {:.3} {:.3}\n",
                ship.id, ship.status, pose.position.x, pose.position.y, pose.heading
            );
            hash.update(place.as_bytes());
        }
        hash.update(format!("{:?} {}\n", battle.winner(), battle.round()).as_bytes());
    }
    let mut sum: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    sum.truncate(DIGITS);
    Ok(Line {
        name: name.to_owned(),
        sum,
    })
}

/// One checksum of all lines.
pub fn whole(lines: &[Line]) -> String {
    let mut hash = Sha256::new();
    for line in lines {
        hash.update(line.to_string().as_bytes());
    }
    let mut sum: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    sum.truncate(DIGITS);
    sum
}
