//! SA-12 for effects that move the ship or turn its turret: three tests, measured beforehand for every end.
//!
//! A move is used if it leaves the firing arc of an enemy, brings an enemy into an own firing arc, or gains a die by range
//! or obstruction against the nearest enemy. Of several that do, the one that meets the most tests, then loses the least,
//! then a barrel roll before a boost before the rest, then SA-5's alignment, then the nearest enemy closest to the nose,
//! then a seeded roll.

use crate::{
    decision::{Compared, Reason},
    dice::DiceSource,
    geometry::{Pose, angle},
    solo_alpha::{
        action::covers,
        approach::Heed,
        nearest::{Measured, TIE_MM, enemies, tied_nearest},
        options::{CardMoves, Options},
        outcome::{best_heeding, movement_options},
        sentence::NamedDetail,
    },
    xwing::{
        ObjectId,
        action::{ActionDetail, ActionKind},
        battle::offer::rotation,
        measure::{self, Object},
        movement::MovementOptions,
        obstruction, reposition,
        ship::Ship,
        table::Table,
        targeting,
    },
};

/// An end that a move could have, and the action or effect that leads to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// What moves the ship.
    pub kind: ActionKind,
    /// How.
    pub detail: ActionDetail,
    /// By how many degrees it rotates where it stands, right positive, if that is all it does.
    pub rotated: Option<i16>,
    /// Where the ship would stand.
    pub pose: Pose,
    /// What SA-12's tests find there.
    pub tests: MoveTests,
}

impl Candidate {
    /// What is done, in words.
    pub fn name(&self) -> String {
        match self.rotated {
            Some(degrees) => rotation(degrees),
            None => NamedDetail(self.kind, &self.detail).to_string(),
        }
    }
}

/// SA-12's three tests of an end, with what is lost there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveTests {
    /// Enemies in whose firing arcs the ship is now and would not be.
    pub left: Vec<ObjectId>,
    /// Enemies in whose firing arcs it would be and is not now.
    pub entered: Vec<ObjectId>,
    /// Enemies that would come into its own firing arcs.
    pub gained: Vec<ObjectId>,
    /// Enemies that would leave its own firing arcs.
    pub lost: Vec<ObjectId>,
    /// Attack and defence dice gained by range or obstruction against the nearest enemy.
    pub dice_gained: u32,
    /// Such dice lost.
    pub dice_lost: u32,
}

impl MoveTests {
    /// How many of the three tests are met.
    pub fn met(&self) -> usize {
        usize::from(!self.left.is_empty()) + usize::from(!self.gained.is_empty()) + usize::from(self.dice_gained > 0)
    }

    /// How much is gained: enemies and dice.
    pub fn gains(&self) -> usize {
        self.left.len() + self.gained.len() + self.dice_gained as usize
    }

    /// How much is lost: enemies and dice.
    pub fn losses(&self) -> usize {
        self.entered.len() + self.lost.len() + self.dice_lost as usize
    }

    /// Whether the move is used: one test met, or under [`CardMoves::Net`] more gained than lost.
    pub fn used(&self, moves: CardMoves) -> bool {
        self.met() > 0 && (moves == CardMoves::AnyTest || self.gains() > self.losses())
    }

    /// What the tests found, in words.
    fn verdict(&self) -> String {
        let mut parts = Vec::new();
        for (words, ids) in [
            ("leaves the arcs of", &self.left),
            ("gains", &self.gained),
            ("enters the arcs of", &self.entered),
            ("loses", &self.lost),
        ] {
            if !ids.is_empty() {
                parts.push(format!("{words} {}", ids.join(", ")));
            }
        }
        for (words, count) in [("gains", self.dice_gained), ("loses", self.dice_lost)] {
            match count {
                0 => {}
                1 => parts.push(format!("{words} 1 die against the nearest enemy")),
                _ => parts.push(format!("{words} {count} dice against the nearest enemy")),
            }
        }
        if parts.is_empty() {
            "meets no test".to_owned()
        } else {
            parts.join("; ")
        }
    }
}

/// What an enemy and the ship are to each other, as the ship stands.
#[derive(Debug, Clone, Copy, PartialEq)]
struct View {
    /// The ship is in a firing arc of the enemy.
    exposed: bool,
    /// The enemy is in a firing arc of the ship.
    target: bool,
}

/// Dice that range and obstruction give against one enemy; `None` where there is no attack.
#[derive(Debug, Clone, Copy, PartialEq)]
struct BonusDice {
    attack: Option<u32>,
    defence: Option<u32>,
}

/// The ship and its enemies, measured as they stand, to compare ends with.
#[derive(Debug)]
pub struct Survey<'t> {
    table: &'t Table,
    ship: &'t Ship,
    enemies: Vec<&'t Ship>,
    now: Vec<View>,
    /// The nearest enemies, all that are as near (SA-0).
    nearest: Vec<&'t Ship>,
    bonus: Vec<BonusDice>,
}

impl<'t> Survey<'t> {
    /// Measures from where the ship stands on the table.
    pub fn new(table: &'t Table, ship: &'t Ship) -> Self {
        let mut enemies = enemies(&table.ships, ship);
        enemies.sort_by(|a, b| a.id.cmp(&b.id));
        let now = enemies.iter().map(|enemy| view(ship, enemy)).collect();
        let measured: Vec<_> = (enemies.iter())
            .map(|enemy| Measured {
                object: Object::Ship(enemy),
                distance: measure::ship_distance(ship, enemy),
            })
            .collect();
        let tied = tied_nearest(&measured);
        let nearest: Vec<&Ship> = (enemies.iter().copied())
            .filter(|enemy| tied.iter().any(|near| *near.object.id() == enemy.id))
            .collect();
        let bonus = nearest.iter().map(|enemy| bonus_dice(table, ship, enemy)).collect();
        Survey {
            table,
            ship,
            enemies,
            now,
            nearest,
            bonus,
        }
    }

    /// SA-12's tests for the ship as it would be.
    pub fn tests(&self, there: &Ship) -> MoveTests {
        let mut tests = MoveTests::default();
        for (enemy, now) in self.enemies.iter().zip(&self.now) {
            let then = view(there, enemy);
            let id = || enemy.id.clone();
            match (now.exposed, then.exposed) {
                (true, false) => tests.left.push(id()),
                (false, true) => tests.entered.push(id()),
                _ => {}
            }
            match (now.target, then.target) {
                (true, false) => tests.lost.push(id()),
                (false, true) => tests.gained.push(id()),
                _ => {}
            }
        }
        // Of several as near, the one that gains the most counts.
        for (enemy, now) in self.nearest.iter().zip(&self.bonus) {
            let then = bonus_dice(self.table, there, enemy);
            let (mut gained, mut lost) = (0, 0);
            // Only a die of an attack that is possible both from here and from there is gained or lost: what begins or
            // ends with the move is counted by the arcs.
            for (before, after) in [(now.attack, then.attack), (now.defence, then.defence)] {
                if let (Some(before), Some(after)) = (before, after) {
                    gained += after.saturating_sub(before);
                    lost += before.saturating_sub(after);
                }
            }
            if (gained, std::cmp::Reverse(lost)) > (tests.dice_gained, std::cmp::Reverse(tests.dice_lost)) {
                (tests.dice_gained, tests.dice_lost) = (gained, lost);
            }
        }
        tests
    }

    /// Every end of these actions that would not fail.
    pub fn candidates(&self, kinds: &[ActionKind], movement: &MovementOptions) -> Vec<Candidate> {
        let mut found = Vec::new();
        for &kind in kinds {
            if kind == ActionKind::RotateArc {
                for arcs in self.ship.turret_turns() {
                    let mut there = self.ship.clone();
                    there.turret = arcs.to_vec();
                    found.push(Candidate {
                        kind,
                        detail: ActionDetail::RotateArc(arcs.to_vec()),
                        rotated: None,
                        pose: there.pose,
                        tests: self.tests(&there),
                    });
                }
            }
            for (detail, end) in reposition::ends(self.table, self.ship, kind, movement) {
                // **choice** It never goes over an obstacle of its own will, even where a card lets it.
                if end.in_the_way().is_none() {
                    found.push(self.candidate(kind, detail, end.pose));
                }
            }
        }
        found
    }

    /// One end, tested.
    pub fn candidate(&self, kind: ActionKind, detail: ActionDetail, pose: Pose) -> Candidate {
        let mut there = self.ship.clone();
        there.move_to(pose, self.table);
        Candidate {
            kind,
            detail,
            rotated: None,
            pose,
            tests: self.tests(&there),
        }
    }

    /// The ship rotated where it stands, tested.
    pub fn rotated(&self, degrees: i16) -> Candidate {
        let now = self.ship.pose;
        let heading = angle::normalize(now.heading + f64::from(degrees));
        Candidate {
            rotated: Some(degrees),
            ..self.candidate(ActionKind::RotateArc, ActionDetail::Token, Pose { heading, ..now })
        }
    }

    /// How far off the nose the nearest enemy would be from there, degrees; of several as near, the least (SA-5).
    fn nearest_enemy_off_nose(&self, pose: Pose) -> f64 {
        let measured: Vec<_> = (self.enemies.iter())
            .map(|enemy| Measured {
                object: Object::Ship(enemy),
                distance: measure::distance(self.ship.size, pose, &Object::Ship(enemy)),
            })
            .collect();
        (tied_nearest(&measured).iter())
            .map(|m| angle::signed((m.object.centre() - pose.position).bearing() - pose.heading).abs())
            .fold(f64::INFINITY, f64::min)
    }
}

fn view(ship: &Ship, enemy: &Ship) -> View {
    View {
        exposed: covers(enemy, &Object::Ship(ship)),
        target: covers(ship, &Object::Ship(enemy)),
    }
}

/// Bonus dice by range and obstruction. The ship takes the weapon with the most; of the enemy's the one that leaves it the
/// fewest is reckoned with.
fn bonus_dice(table: &Table, ship: &Ship, enemy: &Ship) -> BonusDice {
    let attack = (ship.weapons.iter())
        .filter_map(|weapon| {
            let target = targeting::legal_target(&table.rules, ship, weapon, enemy)?;
            Some(u32::from(weapon.has_range_bonus(&table.rules) && target.range <= 1))
        })
        .max();
    let defence = (enemy.weapons.iter())
        .filter_map(|weapon| {
            let target = targeting::legal_target(&table.rules, enemy, weapon, ship)?;
            let far = u32::from(weapon.has_range_bonus(&table.rules) && target.range == 3);
            Some(far + u32::from(obstruction::obstructed(table, enemy, ship, target.arc)))
        })
        .min();
    BonusDice { attack, defence }
}

/// What was decided about a move.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveChoice {
    /// The move, if one is made.
    pub chosen: Option<Candidate>,
    /// Why, with every end that was measured.
    pub reason: Reason,
}

/// SA-12: which of several ends is taken, if any. `what` names the card in the reason.
pub fn choose(
    survey: &Survey<'_>,
    candidates: Vec<Candidate>,
    heed: Option<&Heed>,
    what: &str,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> MoveChoice {
    let used = |candidate: &&Candidate| candidate.tests.used(options.card_moves);
    let rank = |candidate: &Candidate| {
        let kind = match candidate.kind {
            ActionKind::BarrelRoll => 0_u8,
            ActionKind::Boost => 1,
            _ => 2,
        };
        (std::cmp::Reverse(candidate.tests.met()), candidate.tests.losses(), kind)
    };
    let best = candidates.iter().filter(used).map(rank).min();
    let mut kept: Vec<usize> = (0..candidates.len())
        .filter(|&i| used(&&candidates[i]) && Some(rank(&candidates[i])) == best)
        .collect();
    align(survey, &candidates, heed, &mut kept);
    if kept.len() > 1 {
        let off: Vec<f64> = (kept.iter())
            .map(|&i| survey.nearest_enemy_off_nose(candidates[i].pose))
            .collect();
        const TIE_DEGREES: f64 = 1e-6;
        let least = off.iter().copied().fold(f64::INFINITY, f64::min);
        let mut off = off.into_iter();
        kept.retain(|_| off.next().is_some_and(|degrees| degrees <= least + TIE_DEGREES));
    }
    // Equal ones are rolled for in the order of their names, whatever the order in which they were listed.
    kept.sort_by_cached_key(|&i| candidates[i].name());
    let index = match kept.len() {
        0 => None,
        1 => Some(kept[0]),
        count => Some(kept[dice.choose(count).min(count - 1)]),
    };
    let compared = (candidates.iter().enumerate())
        .map(|(i, candidate)| Compared {
            candidate: candidate.name(),
            value: Some(candidate.tests.met() as f64),
            unit: "tests".to_owned(),
            verdict: match index {
                Some(index) if index == i => format!("taken: {}", candidate.tests.verdict()),
                _ => candidate.tests.verdict(),
            },
        })
        .collect();
    let text = match index.map(|index| &candidates[index]) {
        Some(chosen) => format!("{what}: {} {}", chosen.name(), chosen.tests.verdict()),
        None if candidates.is_empty() => format!("{what}: not used, no move would succeed"),
        None => format!("{what}: not used, no move meets one of the three tests"),
    };
    MoveChoice {
        chosen: index.map(|index| candidates[index].clone()),
        reason: Reason {
            rule: "SA-12".to_owned(),
            text,
            compared,
        },
    }
}

/// SA-5: of several barrel rolls, as the row asks; where nothing asks for anything the middle first.
fn align(survey: &Survey<'_>, candidates: &[Candidate], heed: Option<&Heed>, kept: &mut Vec<usize>) {
    if kept.len() < 2 {
        return;
    }
    let object = heed.and_then(|heed| Some((heed.word, Object::find(survey.table, &heed.object)?)));
    if let Some((word, object)) = object {
        let distances: Vec<_> = (kept.iter())
            .map(|&i| measure::distance(survey.ship.size, candidates[i].pose, &object))
            .collect();
        let best = best_heeding(word, &distances);
        *kept = best.into_iter().map(|place| kept[place]).collect();
        return;
    }
    let middle = |i: &usize| match candidates[*i].detail {
        ActionDetail::BarrelRoll { slide_mm, .. } => slide_mm.abs() < TIE_MM,
        _ => true,
    };
    if kept.iter().any(middle) {
        kept.retain(middle);
    }
}

/// SA-12 for a ship on the table and the moves that an effect offers: the whole of the above.
pub fn choose_move(
    table: &Table,
    ship: &Ship,
    kinds: &[ActionKind],
    heed: Option<&Heed>,
    what: &str,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> MoveChoice {
    let survey = Survey::new(table, ship);
    let candidates = survey.candidates(kinds, &movement_options(options));
    choose(&survey, candidates, heed, what, options, dice)
}
