//! Solo Alpha as a commander.

use super::commander::Commander;
use crate::{
    dice::DiceSource,
    solo_alpha::{
        self, ActionDecision, Approach, MoveResult, Options, Outcome, Situation,
        attack::{
            dice::{attacking, defending, thrift_attacking, thrift_defending},
            engage::{engage, no_abilities},
        },
        outcome::EdgeTurn,
    },
    xwing::{
        battle::{Answer, AttackOrder, Battle, Flight, Order, Request},
        combat::{AttackStep, Spending},
        ship::Ship,
    },
};

/// Flies by the Solo Alpha rules.
#[derive(Debug, Clone)]
pub struct Solo {
    options: Options,
    /// The approach of the ship that activates, how its move was expected to come out, and the ship before it.
    approach: Option<(Approach, Outcome, Ship)>,
}

impl Solo {
    /// A commander with these options.
    pub fn new(options: Options) -> Self {
        Solo {
            options,
            approach: None,
        }
    }

    fn fly(&mut self, battle: &Battle, id: &str, dice: &mut dyn DiceSource) -> Option<Flight> {
        let table = battle.table();
        let (approach, _) = solo_alpha::approach(table, id, &Situation::default(), &self.options, dice).ok()?;
        let outcome = solo_alpha::expect(table, id, &approach, &self.options, dice).ok()?;
        let flight = Flight {
            maneuver: approach.maneuver,
            alignment: outcome.execution.alignment.unwrap_or_default(),
            edge_turn: outcome.edge_turn.map(EdgeTurn::degrees),
        };
        self.approach = Some((approach, outcome, table.ship(id)?.clone()));
        Some(flight)
    }

    fn act(
        &mut self,
        battle: &Battle,
        id: &str,
        coordinated: bool,
        dice: &mut dyn DiceSource,
    ) -> Option<ActionDecision> {
        let table = battle.table();
        if coordinated {
            let (_, decision) = solo_alpha::action_outside_activation(table, id, &self.options, dice).ok()?;
            return Some(decision);
        }
        let (approach, outcome, before) = self.approach.as_ref().filter(|(_, _, ship)| *ship.id == *id)?;
        let result: MoveResult = solo_alpha::move_result(approach, outcome, before);
        solo_alpha::perform_action(table, id, approach.attitude, &result, &self.options, dice).ok()
    }
}

impl Commander for Solo {
    fn answer(&mut self, battle: &Battle, request: &Request, dice: &mut dyn DiceSource) -> Answer {
        match request {
            // Solo ships get no dial (SA-1).
            Request::Dial { .. } => Answer::Act(Vec::new()),
            Request::Fly { ship, .. } => match self.fly(battle, ship, dice) {
                Some(flight) => Answer::Fly(flight),
                None => Answer::Act(Vec::new()),
            },
            Request::Act { ship, coordinated_by } => {
                let decision = self.act(battle, ship, coordinated_by.is_some(), dice);
                let sequence = decision.map(|decision| decision.sequence).unwrap_or_default();
                let orders = sequence.into_iter().map(|planned| Order::Bar {
                    kind: planned.kind,
                    difficulty: planned.difficulty,
                    detail: planned.detail,
                });
                Answer::Act(orders.collect())
            }
            Request::Attack { ship } => {
                let engagement = engage(&battle.targets(), ship, &no_abilities, dice).ok();
                let attack = engagement.and_then(|engagement| engagement.attack);
                Answer::Attack(attack.map(|attack| AttackOrder {
                    weapon: attack.weapon,
                    target: attack.target.id,
                }))
            }
            Request::ModifyAttack { ship } => {
                let (table, duel) = (battle.table(), battle.duel());
                let step = duel.zip(table.ship(ship)).map(|(duel, attacker)| {
                    let thrift = thrift_attacking(table, attacker, battle.done());
                    attacking(&duel.pools, duel.dice, &thrift).step
                });
                Answer::ModifyAttack(step.unwrap_or(AttackStep::Finish {
                    spending: Spending::default(),
                    changed: 0,
                }))
            }
            Request::ModifyDefence { ship } => {
                let (table, duel) = (battle.table(), battle.duel());
                let spending = duel.zip(table.ship(ship)).map(|(duel, defender)| {
                    let thrift = thrift_defending(table, defender, battle.done());
                    let (pools, dice) = (&duel.pools, duel.defence.unwrap_or_default());
                    let results = duel.results();
                    defending(pools.edition, pools.rule, results, dice, pools.defence_tokens, &thrift).spending
                });
                Answer::ModifyDefence(spending.unwrap_or_default())
            }
        }
    }
}
