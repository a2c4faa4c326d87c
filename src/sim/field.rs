//! What is fought over: two lines that face each other, of given or drawn squads, or a scenario.

use std::sync::Arc;

use super::{
    Plan, PlayerPolicy,
    draw::Pool,
    escort::{BadEscort, EscortField},
    squad::{Member, PLAYER, SOLO, deploy},
};
use crate::{
    dice::DiceSource,
    solo_alpha::{initiative, options::FirstPlayer},
    xwing::{
        ObjectId,
        battle::{BadSetup, Fighter, Mission, Setup, Side},
        catalog::Catalog,
        scenario::ScenarioError,
        squad::{SquadShip, initiative::Side as Strength},
        table::Table,
    },
};

/// One meeting of two sides.
#[derive(Debug, Clone)]
pub struct Field {
    /// What reports call the player's and the solo side: factions in a scenario, else squads.
    pub sides: [String; 2],
    /// The variant of the scenario, if one is played.
    pub variant: Option<String>,
    /// The ground.
    pub ground: Ground,
}

/// Where ships begin, and which.
#[derive(Debug, Clone)]
pub enum Ground {
    /// Two lines that face each other across six obstacles.
    Lines {
        /// The player's ships.
        player: Vec<Member>,
        /// The solo ships.
        solo: Vec<Member>,
    },
    /// The same, with squads that are drawn anew for each game.
    Drawn(Arc<Pool>),
    /// A scenario (SA-13).
    Mission(Arc<Mission>),
    /// Political Escort (PE).
    Escort(Arc<EscortField>),
}

/// A ship that takes part, or may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    /// Its id.
    pub id: ObjectId,
    /// Its side, as a place in [`super::figures::SIDES`].
    pub side: usize,
    /// Its points, if the catalog has all prices.
    pub points: Option<u32>,
    /// Whether it is in play from the beginning.
    pub in_play: bool,
    /// Its stress tokens at the beginning.
    pub stress: u32,
}

/// A game ready to begin.
#[derive(Debug, Clone)]
pub struct Start {
    /// What [`crate::xwing::battle::Battle::new`] takes.
    pub setup: Setup,
    /// The ships, in the order of the table.
    pub entrants: Vec<Entrant>,
}

/// A game that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SimError {
    /// Ships that cannot take part.
    #[error(transparent)]
    Setup(#[from] BadSetup),
    /// A scenario that cannot be set up.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A game of Political Escort that cannot be played.
    #[error(transparent)]
    Escort(BadEscort),
    /// Nothing to play.
    #[error("there is nothing to play: give squads or a scenario")]
    Nothing,
}

impl Field {
    /// Two lines.
    pub fn lines(sides: [String; 2], player: Vec<Member>, solo: Vec<Member>) -> Field {
        Field {
            sides,
            variant: None,
            ground: Ground::Lines { player, solo },
        }
    }

    /// Two lines of squads that are drawn anew for each game.
    pub fn drawn(pool: Pool) -> Field {
        let name = format!("squads of {} points", pool.points());
        Field {
            sides: [name.clone(), name],
            variant: None,
            ground: Ground::Drawn(Arc::new(pool)),
        }
    }

    /// A scenario.
    pub fn mission(mission: Mission) -> Field {
        let muster = &mission.muster;
        Field {
            sides: [muster.faction.clone(), muster.enemy.clone()],
            variant: muster.variant.clone(),
            ground: Ground::Mission(Arc::new(mission)),
        }
    }

    /// Political Escort. Its sides are called by their squads.
    pub fn escort(field: EscortField) -> Field {
        Field {
            sides: [PLAYER.to_owned(), SOLO.to_owned()],
            variant: Some("Political Escort".to_owned()),
            ground: Ground::Escort(Arc::new(field)),
        }
    }

    /// In words, as in `rebelalliance against galacticempire, ace`.
    pub fn name(&self) -> String {
        let [player, solo] = &self.sides;
        let variant = self.variant.as_ref().map(|variant| format!(", {variant}"));
        format!("{player} against {solo}{}", variant.unwrap_or_default())
    }

    /// Sets a game up. The seed is that of a scenario; the dice place lines and their obstacles.
    ///
    /// # Errors
    /// A scenario of which no table was found that satisfies all rules.
    pub fn open(&self, plan: &Plan, seed: u64, dice: &mut dyn DiceSource) -> Result<Start, SimError> {
        let in_lines = |(table, fighters): (Table, Vec<(ObjectId, Fighter)>)| Setup {
            table,
            fighters,
            sides: Vec::new(),
            alternating: false,
            rounds: None,
            guides: false,
            mission: None,
            escort: None,
        };
        let mut setup = match &self.ground {
            Ground::Lines { player, solo } => in_lines(deploy(player, solo, plan.rules, dice)),
            Ground::Drawn(pool) => {
                let [player, solo] = [(); 2].map(|()| pool.draw(plan.catalog(), dice));
                in_lines(deploy(&player, &solo, plan.rules, dice))
            }
            Ground::Mission(mission) => {
                let mut setup = Mission::open(mission, plan.catalog(), seed)?.setup;
                setup.table.rules = plan.rules;
                setup
            }
            Ground::Escort(field) => return Ok(field.open(plan, false, dice).0),
        };
        // Solo ships get no dials (SA-1) and stop at the edge (SA-7), on whichever side they fly.
        let by_hand = plan.policy == PlayerPolicy::Scripted;
        let player = Side {
            name: PLAYER.to_owned(),
            dials: by_hand,
            flees: by_hand,
        };
        let solo = Side {
            name: SOLO.to_owned(),
            dials: false,
            flees: false,
        };
        setup.alternating = plan.alternating;
        setup.rounds = Some(plan.rounds);
        setup.guides = plan.options.guides_overlap;
        let entrants = self.entrants(&setup, plan.catalog());
        setup.sides = match self.first(plan, &entrants, dice) {
            FirstPlayer::Player => vec![player, solo],
            FirstPlayer::Solo => vec![solo, player],
        };
        Ok(Start { setup, entrants })
    }

    /// Who takes part in a game as it is set up.
    pub fn entrants(&self, setup: &Setup, catalog: &Catalog) -> Vec<Entrant> {
        let drawn = |id: &ObjectId| {
            let fighter = setup.fighters.iter().find(|(other, _)| other == id);
            fighter.and_then(|(_, fighter)| fighter.points)
        };
        let entrants = setup.table.ships.iter().map(|ship| Entrant {
            id: ship.id.clone(),
            side: usize::from(ship.side != PLAYER),
            points: drawn(&ship.id).or_else(|| self.points_of(&ship.id, catalog)),
            in_play: ship.in_play(),
            stress: ship.tokens.stress,
        });
        entrants.collect()
    }

    /// Whose ships come first at equal initiative or skill (SA-13, FE-SOLO-2).
    pub fn first(&self, plan: &Plan, entrants: &[Entrant], dice: &mut dyn DiceSource) -> FirstPlayer {
        let totals = [0, 1].map(|side| self.strength(side, entrants));
        initiative::first(&plan.rules, plan.options.first_player, totals, dice).0
    }

    /// What the rules of initiative look at in a side (FE-2.1): ships without a price count nothing.
    fn strength(&self, side: usize, entrants: &[Entrant]) -> Strength {
        let own = entrants.iter().filter(|entrant| entrant.side == side);
        let total: u32 = own.filter_map(|entrant| entrant.points).sum();
        Strength {
            total: i32::try_from(total).unwrap_or(i32::MAX),
            imperial: matches!(&*self.sides[side], "galacticempire" | "firstorder"),
        }
    }

    /// The points of a ship that takes part from the beginning.
    fn points_of(&self, id: &str, catalog: &Catalog) -> Option<u32> {
        match &self.ground {
            Ground::Lines { player, solo } => {
                let squad = if id.starts_with('P') { player } else { solo };
                let number: usize = id.get(1..)?.parse().ok()?;
                squad.get(number.checked_sub(1)?)?.points
            }
            Ground::Drawn(_) | Ground::Escort(_) => None,
            Ground::Mission(mission) => {
                let recruit = mission.muster.recruits.iter().find(|recruit| *recruit.ship.id == *id)?;
                let ship = SquadShip {
                    place: String::new(),
                    pilot: Some(recruit.pilot.clone()),
                    ship: recruit.ship.chassis.clone(),
                    upgrades: recruit.upgrades.clone(),
                    threat: None,
                };
                ship.points(catalog).and_then(|points| u32::try_from(points).ok())
            }
        }
    }
}
