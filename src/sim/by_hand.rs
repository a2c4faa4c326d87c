//! Games whose table is set up one thing after the other (FE-2, PE-3), where a person sits at it.

use crate::{
    commander::deployment,
    decision::Explanation,
    dice::DiceSource,
    xwing::{
        battle::Setup,
        deployment::{BadPlacement, Deployment, Order, Placement, Turn},
        obstacle_outlines::ObstacleOutlines,
        placing,
    },
};

/// A game before its table is set up, and how far that has come.
#[derive(Debug, Clone)]
pub struct ByHand {
    deployment: Deployment,
    /// The game with its ships wherever.
    setup: Setup,
}

impl ByHand {
    /// A game, its ships wherever, whose table is empty.
    pub fn new(setup: Setup, order: Order, outlines: &ObstacleOutlines) -> ByHand {
        ByHand {
            deployment: Deployment::new(setup.table.clone(), order, outlines, setup.guides),
            setup,
        }
    }

    /// A game without a shuttle, that may be set up already. `imperial`: which side is the only Imperial one, if one is
    /// (FE-14.3).
    pub fn of(mut setup: Setup, sides: [&str; 2], imperial: Option<usize>, outlines: &ObstacleOutlines) -> ByHand {
        setup.table.obstacles.clear();
        let has_initiative = setup.sides.first().map_or(sides[0], |side| &side.name);
        let initiative = usize::from(has_initiative != sides[0]);
        let rules = &setup.table.rules;
        let order = Order {
            sides: sides.map(str::to_owned),
            initiative,
            obstacles_first: placing::first_to_place(rules, initiative, imperial),
            picks_edge: placing::picks_edge(rules, initiative, imperial),
            run: None,
        };
        ByHand::new(setup, order, outlines)
    }

    /// How far it has come.
    pub fn deployment(&self) -> &Deployment {
        &self.deployment
    }

    /// What is to be done next; `None` when the table is set up.
    pub fn turn(&self) -> Option<Turn> {
        self.deployment.turn()
    }

    /// Places one thing.
    ///
    /// # Errors
    /// Why it may not be placed so; nothing has changed then.
    pub fn place(&mut self, placement: &Placement) -> Result<(), BadPlacement> {
        self.deployment.place(placement)
    }

    /// What an automated side would do now, and why.
    pub fn propose(&self, dice: &mut dyn DiceSource) -> Option<(Placement, Explanation)> {
        deployment::propose(&self.deployment, dice)
    }

    /// Places all that is left as it is proposed.
    ///
    /// # Errors
    /// What of it may not be placed; what was placed before it stays.
    pub fn place_the_rest(&mut self, dice: &mut dyn DiceSource) -> Result<(), BadPlacement> {
        while let Some((placement, _)) = self.propose(dice) {
            self.place(&placement)?;
        }
        Ok(())
    }

    /// The game with the table as it is so far. Where the shuttle's edge is not known yet, the scenario is left out: the game
    /// can be looked at, and not be played.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup {
            table: self.deployment.table().clone(),
            ..self.setup.clone()
        };
        let attacker = self.deployment.order().run.as_ref().map(|run| 1 - run.defender);
        let edge = attacker.and_then(|attacker| self.deployment.edge_of(attacker));
        setup.escort = setup.escort.zip(edge).map(|(mut play, edge)| {
            play.attackers_edge = edge;
            play
        });
        setup
    }
}
