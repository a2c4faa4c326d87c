//! How ships at a table came to stand against each other, where that decides whether they touch (FE-4.7).

use crate::{
    dice::SeededDice,
    game::{Game, opponent::Opponent},
    xwing::{
        ObjectId, dispute,
        edition::{Contact, Dispute},
        measure::{self, Object},
        movement::Execution,
        ship::Ship,
        table::Table,
    },
};

/// How far two bases may be apart that stand against each other at a table, mm: hands and physics are not exact.
const AGAINST_MM: f64 = 1.0;

/// How far a ship may stand from one that its table says it has bumped, mm.
const BUMPED_MM: f64 = 6.0;

/// FE-4.7 (choice): a table cannot tell how a contact arose. It is touching if the table reported a bump, whatever the maneuver
/// would have come to; the move then ended by that overlap. Contact that is neither reported nor what the maneuver comes to
/// leaves both free to attack: the ships of it, to be told.
pub(super) fn judge(table: &Table, ship: &Ship, execution: &mut Execution) -> Vec<ObjectId> {
    match table.rules.contact {
        Contact::Touching => {}
        Contact::RangeZero | Contact::AnyContact => return Vec::new(),
    }
    let others = table.ships_in_play().filter(|other| other.id != ship.id);
    let near: Vec<(&ObjectId, f64)> = others
        .map(|other| (&other.id, measure::distance(ship.size, ship.pose, &Object::Ship(other))))
        .filter(|(_, mm)| *mm <= BUMPED_MM)
        .collect();
    let reported: Vec<ObjectId> = (near.iter())
        .filter(|(id, _)| ship.bumped.contains(id))
        .map(|(id, _)| (*id).clone())
        .collect();
    if execution.overlapped.is_empty() && !reported.is_empty() {
        execution.overlapped.clone_from(&reported);
        execution.bumped = reported;
    }
    (near.into_iter())
        .filter(|(id, mm)| *mm <= AGAINST_MM && !execution.overlapped.contains(id))
        .map(|(id, _)| id.clone())
        .collect()
}

impl<O: Opponent> Game<O> {
    /// As [`judge`], of a ship that has moved; what the players may see otherwise is told.
    pub(super) fn judge_contact(&mut self, ship: &Ship, execution: &mut Execution) {
        let Some(table) = &self.table else { return };
        let settled = table.rules.dispute;
        for other in judge(table, ship, execution) {
            // FE-0.8: the players see what happened; where they want dice to decide, these do.
            let otherwise = match settled {
                Dispute::TheProgramSays => "If it did overlap, make no attack between them.".to_owned(),
                Dispute::Roll => {
                    let mut dice = SeededDice::for_activation(self.config.seed, self.round, &ship.id);
                    let rolled = dispute::Dispute::settle(&mut dice);
                    let counts = match rolled.winner() {
                        0 => "yours counts, and they touch",
                        _ => "this one counts",
                    };
                    format!("If you read that otherwise, dice decide (FE-0.8): yours {rolled}: {counts}.")
                }
            };
            let (name, other) = (self.name(&ship.id), self.name(&other));
            self.note(&format!(
                "{name} stands against {other}, and no overlap was reported: they do not touch, and may attack each other \
                 (FE-4.7). {otherwise}"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geometry::Pose,
        xwing::{
            catalog::Catalog,
            edition::Rules,
            movement::{Alignment, MovementOptions, execute},
            table::PlayArea,
        },
    };

    /// A TIE fighter at (300, 100) that has flown a straight, and another that stands so far ahead of its front.
    fn against(speed: &str, gap_mm: f64, bumped: bool) -> (Table, Ship, Execution) {
        let ship = |id: &str, side: &str, pose: Pose| {
            let resolved = Catalog::embedded().resolve("tielnfighter", None, std::iter::empty::<&str>());
            let resolved = resolved.expect("a ship of the catalog");
            resolved.into_ship(id.into(), side.to_owned(), pose)
        };
        let start = ship("a", "player", Pose::new(300.0, 100.0, 0.0));
        let maneuver = speed.parse().expect("a dial code");
        let far = ship("b", "solo", Pose::new(300.0, 800.0, 0.0));
        let table = |ships| Table::new(PlayArea::STANDARD, ships, Vec::new(), Vec::new()).with_rules(Rules::FIRST);
        let free = table(vec![start.clone(), far.clone()]);
        let execution = execute(&free, &start, maneuver, Alignment::Middle, &MovementOptions::default());
        let mut moved = Ship {
            pose: execution.pose,
            ..start
        };
        if bumped {
            moved.bumped = vec!["b".into()];
        }
        let mut other = far;
        other.pose = Pose::new(300.0, moved.pose.position.y + 40.0 + gap_mm, 180.0);
        (table(vec![moved.clone(), other]), moved, execution)
    }

    #[test]
    fn fe_4_7_a_contact_counts_as_touching_if_the_table_reported_a_bump() {
        for (gap_mm, bumped, touching, told) in [
            (0.0, true, true, false),
            (3.0, true, true, false),
            (0.0, false, false, true),
            (3.0, false, false, false),
            (20.0, true, false, false),
        ] {
            let (table, ship, mut execution) = against("2FB", gap_mm, bumped);
            let unclear = judge(&table, &ship, &mut execution);
            assert_eq!(
                (!execution.overlapped.is_empty(), !unclear.is_empty()),
                (touching, told),
                "{gap_mm} {bumped}"
            );
            let second = table.clone().with_rules(Rules::SECOND);
            let (_, _, mut execution) = against("2FB", gap_mm, bumped);
            assert!(judge(&second, &ship, &mut execution).is_empty() && execution.overlapped.is_empty());
        }
    }
}
