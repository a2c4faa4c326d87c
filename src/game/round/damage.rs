//! Damage outside attacks: obstacles that a move meets, and damage cards that answer moves and actions.

use crate::{
    dice::SeededDice,
    game::{Game, opponent::Opponent, step::StepKind},
    xwing::{ObjectId, damage_deck::Damage, movement::Execution},
};

impl<O: Opponent> Game<O> {
    /// What a move did to a ship: dealt where it is kept, else the players are asked to deal it. The ship's damage cards
    /// answer the move.
    pub(crate) fn damage_of_move(
        &mut self,
        ship: &ObjectId,
        damage: Vec<(Damage, String)>,
        execution: Option<&Execution>,
        ionized: bool,
        dice: &mut SeededDice,
    ) {
        if !self.leads() || self.whole.is_none() {
            for (_, text) in damage {
                self.instruct(format!("{text} Please deal it the damage."), false);
            }
            return;
        }
        let mut said = Vec::new();
        for (damage, text) in damage {
            said.push(text);
            if let Some(whole) = &mut self.whole {
                whole.battle.deal(ship, damage, dice);
            }
        }
        if let (Some(whole), Some(execution)) = (&mut self.whole, execution) {
            whole.battle.moved_at_table(ship, execution, ionized, dice);
        }
        self.carry_damage(ship, said);
    }

    /// A ship has performed an action: its damage cards answer.
    pub(crate) fn damage_after_action(&mut self, ship: &ObjectId) {
        if !self.leads() {
            return;
        }
        let mut dice = SeededDice::for_activation(self.config.seed, self.round, &format!("{ship} after its action"));
        if let Some(whole) = &mut self.whole {
            whole.battle.acted_at_table(ship, &mut dice);
            self.carry_damage(ship, Vec::new());
        }
    }

    /// Tells what came of damage, and brings it to the table with the steps of the activation.
    fn carry_damage(&mut self, ship: &ObjectId, mut said: Vec<String>) {
        said.extend(self.tell_battle());
        let steps = self.differences();
        if !said.is_empty() {
            let text = said.join(" ");
            if self.can(StepKind::Say)
                && let Some(activation) = &mut self.activation
            {
                activation.todo.push_back(crate::game::step::Step::Say {
                    ship: Some(ship.clone()),
                    text,
                });
            } else {
                self.note(&text);
            }
        }
        if let Some(activation) = &mut self.activation {
            activation.todo.extend(steps);
        }
    }
}
