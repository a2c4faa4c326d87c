//! How ships at a table came to stand against each other, where that decides whether they touch (FE-4.7).

use std::collections::BTreeMap;

use crate::{
    dice::SeededDice,
    game::{Game, Refusal, called, known_ship, opponent::Opponent, same_pose},
    geometry::Pose,
    xwing::{
        ObjectId, dispute,
        edition::{Contact, Dispute},
        measure::{self, Object},
        movement::Execution,
        ship::Ship,
        stance::Stance,
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

/// What players have told about pairs of ships, against what the table reports. It holds as long as both stand where they stood.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ToldContacts(BTreeMap<(ObjectId, ObjectId), ToldContact>);

#[derive(Debug, Clone, Copy, PartialEq)]
struct ToldContact {
    touching: bool,
    stood: (Pose, Pose),
}

impl ToldContacts {
    fn tell(&mut self, one: &Ship, other: &Ship, touching: bool) {
        let (one, other) = if one.id <= other.id { (one, other) } else { (other, one) };
        let told = ToldContact {
            touching,
            stood: (one.pose, other.pose),
        };
        self.0.insert((one.id.clone(), other.id.clone()), told);
    }

    /// Puts the bumps of a table right. What was told about ships that have moved since, or that are gone, is over.
    pub(super) fn put_right(&mut self, table: &mut Table) {
        self.0.retain(|(one, other), told| {
            let pose = |id: &ObjectId| table.ship(id).map(|ship| ship.pose);
            match (pose(one), pose(other)) {
                (Some(here), Some(there)) => same_pose(here, told.stood.0) && same_pose(there, told.stood.1),
                _ => false,
            }
        });
        for ((one, other), told) in &self.0 {
            for (id, against) in [(one, other), (other, one)] {
                if let Some(ship) = table.ships.iter_mut().find(|ship| ship.id == *id) {
                    ship.bumped.retain(|bumped| bumped != against);
                    if told.touching {
                        ship.bumped.push(against.clone());
                    }
                }
            }
        }
    }
}

/// The ships that a ship touches, and those that stand against it and that it does not touch, where the rules make a difference
/// (FE-4.7).
pub(super) fn beside(table: &Table, ship: &Ship) -> (Vec<ObjectId>, Vec<ObjectId>) {
    let contact = table.rules.contact;
    if contact == Contact::RangeZero {
        return (Vec::new(), Vec::new());
    }
    let (own, mut touching, mut against) = (Stance::of(ship), Vec::new(), Vec::new());
    for other in table.ships_in_play().filter(|other| other.id != ship.id) {
        let stance = Stance::of(other);
        if own.touches(&stance, contact) {
            touching.push(other.id.clone());
        } else if !own.is_surely_beyond(&stance, BUMPED_MM) && own.distance(&stance) <= BUMPED_MM {
            against.push(other.id.clone());
        }
    }
    (touching, against)
}

impl<O: Opponent> Game<O> {
    /// Whether what players tell about a ship and others can be.
    ///
    /// # Errors
    /// No such ship, the ship itself, or one that stands elsewhere.
    pub(super) fn check_contacts(&self, id: &ObjectId, told: &BTreeMap<String, bool>) -> Result<(), Refusal> {
        let table = self.table.as_ref().ok_or(Refusal::NoTable)?;
        let ship = known_ship(table, id)?;
        for (other, touching) in told {
            let other = known_ship(table, other)?;
            let mm = measure::distance(ship.size, ship.pose, &Object::Ship(other));
            if other.id == ship.id || (*touching && mm > BUMPED_MM) {
                return Err(Refusal::NotAgainst {
                    ship: called(ship).to_owned(),
                    other: called(other).to_owned(),
                    mm: mm.round() as u32,
                });
            }
        }
        Ok(())
    }

    /// FE-4.7: the players say which ships a ship touches and which it does not, whatever the table reported.
    pub(super) fn correct_contacts(&mut self, id: &ObjectId, told: &BTreeMap<String, bool>, said: &mut Vec<String>) {
        for (other, touching) in told {
            let (Some(table), Some(whole)) = (&mut self.table, &mut self.whole) else {
                return;
            };
            let (Some(ship), Some(other)) = (table.ship(id), table.ship(other)) else {
                continue;
            };
            let (other_id, name) = (other.id.clone(), called(other).to_owned());
            whole.contacts.tell(ship, other, *touching);
            whole.contacts.put_right(table);
            whole.battle.put_touching_right(id, &other_id, *touching);
            let contact = table.rules.contact;
            let still = match (table.ship(id), table.ship(&other_id)) {
                (Some(ship), Some(other)) => Stance::of(ship).touches(&Stance::of(other), contact),
                _ => false,
            };
            said.push(match (*touching, contact) {
                (true, Contact::RangeZero) => format!("it touches {name}"),
                (true, _) => format!("it touches {name}: they cannot attack each other (FE-4.7)"),
                // FE-14.5: what counts is where they stand.
                (false, Contact::AnyContact) if still => format!(
                    "it does not touch {name}, but their bases meet where they stand, and that decides (FE-14.5): move one of \
                     them back a little"
                ),
                (false, _) => format!("it does not touch {name}"),
            });
        }
        self.stale = true;
        self.follow_table();
    }

    /// As [`judge`], of a ship that has moved; what the players may see otherwise is told.
    pub(super) fn judge_contact(&mut self, ship: &Ship, execution: &mut Execution) {
        let Some(table) = &self.table else { return };
        let settled = table.rules.dispute;
        for other in judge(table, ship, execution) {
            // FE-0.8: the players see what happened; where they want dice to decide, these do.
            let otherwise = match settled {
                Dispute::TheProgramSays => "Did it overlap? Then say on its ship sheet that they touch.".to_owned(),
                Dispute::Roll => {
                    let mut dice = SeededDice::for_activation(self.config.seed, self.round, &ship.id);
                    let rolled = dispute::Dispute::settle(&mut dice);
                    let counts = match rolled.winner() {
                        0 => "yours counts, and they touch: say so on its ship sheet",
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
    use crate::xwing::{
        catalog::Catalog,
        edition::Rules,
        movement::{Alignment, MovementOptions, execute},
        table::PlayArea,
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

    #[test]
    fn fe_4_7_what_players_tell_of_a_contact_stands_over_reports_until_one_of_the_pair_moves() {
        for (reported, told) in [(true, false), (false, true)] {
            let (mut table, ship, _) = against("2FB", 0.0, reported);
            let other = table.ship("b").expect("it is there").clone();
            let mut contacts = ToldContacts::default();
            // Whichever of the two it is told of.
            contacts.tell(&other, &ship, told);
            let bumped = |table: &Table| table.ships.iter().map(|ship| ship.bumped.len()).collect::<Vec<_>>();
            let expected = if told { vec![1, 1] } else { vec![0, 0] };
            for _ in 0..2 {
                contacts.put_right(&mut table);
                assert_eq!(bumped(&table), expected, "{reported}");
                // The table reports the same again.
                table.ships[0].bumped = if reported { vec!["b".into()] } else { Vec::new() };
                table.ships[1].bumped.clear();
            }
            let stood = table.ships[1].pose;
            table.ships[1].pose.position.y += 30.0;
            let before = bumped(&table);
            contacts.put_right(&mut table);
            assert_eq!(bumped(&table), before, "{reported}");
            // It is back, and nobody has said anything since.
            table.ships[1].pose = stood;
            contacts.put_right(&mut table);
            assert_eq!(bumped(&table), before, "{reported}");
        }
    }
}
