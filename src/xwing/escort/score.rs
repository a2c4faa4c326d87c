//! The score of a game (PE-8): squad points of enemy ships that are gone, and the shuttle's upgrades or half of them.

use serde::{Deserialize, Serialize};

use super::{EscortOptions, Role, ending::Fate};
use crate::xwing::ObjectId;

/// Damage of a shuttle that was not destroyed from which on half of its upgrades' cost counts (PE-8.3).
pub const HALF_DAMAGE: u32 = 6;

/// A ship of a squad at the end of a game, the shuttle left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scored {
    /// Its id.
    pub ship: ObjectId,
    /// Whose it is.
    pub side: Role,
    /// Squad points, upgrades included; `None` where no price is known.
    pub points: Option<i32>,
    /// Whether it was destroyed or has fled.
    pub lost: bool,
    /// Whether it is large and has half or less of its hull and shields left (FE-10.3).
    pub half_of_a_large_ship: bool,
}

/// The shuttle at the end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredShuttle {
    /// What its upgrades cost.
    pub upgrades: i32,
    /// What became of it.
    pub fate: Fate,
    /// Shields missing from its full number and damage cards, a Direct Hit for two (PE-8.3).
    pub damage: u32,
}

/// What a player scored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Who scored.
    pub role: Role,
    /// For which ship.
    pub ship: ObjectId,
    /// How much.
    pub points: i32,
    /// The rule.
    pub rule: String,
}

/// Both scores with where they come from (PE-8.1: both are recorded, whoever has won).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Score {
    /// The attacker's.
    pub attacker: i32,
    /// The defender's.
    pub defender: i32,
    /// What they are made of, in the order of the ships, the shuttle last.
    pub entries: Vec<Entry>,
    /// Ships that are gone and whose price is not known: the players add it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_price: Vec<ObjectId>,
}

impl Score {
    /// A player's.
    pub const fn of(&self, role: Role) -> i32 {
        match role {
            Role::Attacker => self.attacker,
            Role::Defender => self.defender,
        }
    }

    fn add(&mut self, entry: Entry) {
        match entry.role {
            Role::Attacker => self.attacker += entry.points,
            Role::Defender => self.defender += entry.points,
        }
        self.entries.push(entry);
    }
}

/// The score of a game as it stands (PE-8).
pub fn score(ships: &[Scored], shuttle: &ScoredShuttle, shuttle_id: &str, options: &EscortOptions) -> Score {
    let mut score = Score::default();
    for ship in ships {
        let half = options.large_half_points && ship.half_of_a_large_ship && !ship.lost;
        if !ship.lost && !half {
            continue;
        }
        let Some(points) = ship.points else {
            score.without_price.push(ship.ship.clone());
            continue;
        };
        score.add(Entry {
            role: ship.side.other(),
            ship: ship.ship.clone(),
            points: if half { points.div_euclid(2) } else { points },
            rule: if half { "PE-8.4" } else { "PE-8.1" }.to_owned(),
        });
    }
    let shuttles = match shuttle.fate {
        Fate::Destroyed => Some((shuttle.upgrades, "PE-8.2")),
        Fate::InPlay | Fate::Exited if shuttle.damage >= HALF_DAMAGE => {
            Some((shuttle.upgrades.div_euclid(2), "PE-8.3"))
        }
        Fate::InPlay | Fate::Exited => None,
    };
    if let Some((points, rule)) = shuttles.filter(|(points, _)| *points != 0) {
        score.add(Entry {
            role: Role::Attacker,
            ship: shuttle_id.into(),
            points,
            rule: rule.to_owned(),
        });
    }
    score
}
