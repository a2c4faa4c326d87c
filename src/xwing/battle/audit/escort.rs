//! The audit of Political Escort (PE): told from the events alone, by books and shapes of its own.

use std::collections::BTreeMap;

use super::Violation;
use crate::{
    geometry::{CONTACT_MM, OVERLAP_MM, Pose, Rectangle},
    xwing::{
        ObjectId,
        base::base,
        battle::{EscortEvent, EscortInPlay, Event, Phase, Setup, Side},
        damage_deck::DamageEvent,
        escort::{Role, blocking::BlockState, ending::Cause, facts::EscortFacts, score::Score},
        maneuver::{Bearing, Maneuver},
        movement::Execution,
        scenario::Edge,
        size::Size,
        table::PlayArea,
    },
};

/// A ship in these books.
struct Ship {
    side: usize,
    defends: bool,
    size: Size,
    pose: Pose,
    in_play: bool,
    lost: bool,
    skill: u8,
    stressed: bool,
    ionized: bool,
}

/// The books of the scenario.
pub(super) struct Watch<'s> {
    play: &'s EscortInPlay,
    sides: &'s [Side],
    area: PlayArea,
    ships: BTreeMap<ObjectId, Ship>,
    ion_limit: u32,
    phase: Phase,
    state: BlockState,
    tokens: u32,
    protected_by: Vec<ObjectId>,
    /// Whether the shuttle has moved in this phase.
    moved: bool,
    /// The shuttle's last move, until the scenario has told what it means.
    run: Option<(Pose, Execution)>,
    attack: Option<ObjectId>,
    cancelled: u32,
    damage: u32,
    /// What the shuttle's end must lead to.
    ends: Option<Cause>,
    /// What has ended it, and who has won by that.
    over: Option<(Cause, Option<Role>)>,
    found: Vec<Violation>,
    at: usize,
}

impl<'s> Watch<'s> {
    /// The books at the beginning; none where no such game is played.
    pub(super) fn new(setup: &'s Setup) -> Option<Watch<'s>> {
        let play = setup.escort.as_ref()?;
        let ships = setup.table.ships.iter().map(|ship| {
            let entry = Ship {
                side: setup.sides.iter().position(|side| side.name == ship.side).unwrap_or(0),
                defends: ship.side == play.defender,
                size: ship.size,
                pose: ship.pose,
                in_play: ship.in_play(),
                lost: false,
                skill: ship.initiative,
                stressed: ship.is_stressed(),
                ionized: ship.is_ionized(),
            };
            (ship.id.clone(), entry)
        });
        let shuttle = setup.table.ship(&play.shuttle);
        // What it has suffered before the record begins (PE-8.3).
        let own = setup.fighters.iter().find(|(id, _)| *id == play.shuttle);
        let suffered = own.map_or(0, |(_, fighter)| {
            let missing = fighter.shields.saturating_sub(fighter.integrity.shields);
            u32::from(missing) + fighter.integrity.damage() as u32
        });
        Some(Watch {
            play,
            sides: &setup.sides,
            area: setup.table.area,
            ships: ships.collect(),
            ion_limit: shuttle.map_or(u32::MAX, crate::xwing::ship::Ship::ion_limit),
            phase: Phase::End,
            state: BlockState::Free,
            tokens: 0,
            protected_by: Vec::new(),
            moved: false,
            run: None,
            attack: None,
            cancelled: 0,
            damage: suffered,
            ends: None,
            over: None,
            found: Vec::new(),
            at: 0,
        })
    }

    /// What was found, at the end of the record.
    pub(super) fn found(self) -> Vec<Violation> {
        self.found
    }

    fn check(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.found.push(Violation {
                event: self.at,
                what: what(),
            });
        }
    }

    fn is_shuttle(&self, ship: &ObjectId) -> bool {
        *ship == self.play.shuttle
    }

    /// Reads the next event.
    pub(super) fn read(&mut self, at: usize, event: &Event) {
        self.at = at;
        if let Some(cause) = self.ends {
            // PE-7.1, PE-7.2: at once.
            let rest = matches!(
                event,
                Event::Escort(_)
                    | Event::Ended { .. }
                    | Event::Removed { .. }
                    | Event::Fled { .. }
                    | Event::Escaped { .. }
            );
            // What its damage cards say at once belongs to the damage that destroys it (FE-9.1).
            let of_its_cards = cause == Cause::ShotDown
                && matches!(
                    event,
                    Event::Suffered { ship, .. }
                        | Event::CardUsed { ship, .. }
                        | Event::CardDice { ship, .. }
                        | Event::Tokens { ship, .. }
                        | Event::Repaired { ship, .. }
                        | Event::Standing { ship, .. }
                    if self.is_shuttle(ship)
                );
            self.check(rest || of_its_cards, || {
                format!("play goes on after the shuttle's end ({cause:?})")
            });
        }
        match event {
            Event::PhaseBegan(phase) => self.begin(*phase),
            Event::Flew {
                ship,
                from,
                execution,
                to,
                slam,
                ..
            } => self.flew(ship, *from, execution, *to, *slam),
            Event::Acted { ship, to, .. } => {
                let shuttle = self.is_shuttle(ship);
                self.check(!shuttle, || "the shuttle performs an action (PE-1)".to_owned());
                self.stands(ship, *to);
            }
            Event::ActedByCard { ship, .. } => {
                let shuttle = self.is_shuttle(ship);
                self.check(!shuttle, || "the shuttle performs a card's action (PE-1)".to_owned());
            }
            Event::Decloaked { ship, to, .. } | Event::Moved { ship, to, .. } => self.stands(ship, *to),
            Event::Pulled { ship, to, from, .. } => {
                let moved = self.is_shuttle(ship) && from != to;
                self.check(!moved, || "a tractor beam moves the shuttle (PE-10.8)".to_owned());
                self.stands(ship, *to);
            }
            Event::Tokens { ship, tokens } => {
                let limit = self.ion_limit;
                let shuttle = self.is_shuttle(ship);
                if let Some(entry) = self.ships.get_mut(ship) {
                    entry.stressed = tokens.stress > 0;
                    entry.ionized = shuttle && tokens.ion >= limit;
                }
            }
            Event::Standing { ship, initiative, .. } => {
                if let Some(entry) = self.ships.get_mut(ship) {
                    entry.skill = *initiative;
                }
            }
            Event::Attacked { attacker, defender, .. } => {
                let shuttle = self.is_shuttle(attacker);
                self.check(!shuttle, || "the shuttle attacks (PE-1)".to_owned());
                self.attack = Some(defender.clone());
                self.cancelled = 0;
            }
            Event::AttackResolved { .. } => self.attack = None,
            Event::Suffered { ship, outcome, .. } if self.is_shuttle(ship) => {
                for event in outcome {
                    match event {
                        DamageEvent::ShieldLost | DamageEvent::Dealt { .. } => self.damage += 1,
                        DamageEvent::Exposed(_) => {}
                        DamageEvent::Destroyed => self.ends = self.ends.or(Some(Cause::ShotDown)),
                    }
                }
            }
            Event::Fled { ship } | Event::Saved { ship } => self.leaves(ship, true),
            Event::Escaped { ship } => {
                let shuttle = self.is_shuttle(ship);
                self.check(shuttle, || format!("{ship} escapes, and is not the shuttle"));
                self.leaves(ship, false);
            }
            Event::Removed { ship } => self.leaves(ship, true),
            Event::Escort(event) => self.escort(event),
            Event::Ended { winner, ending } => {
                let over = self.over;
                self.check(over.is_some(), || "the game ends without a result (PE-7)".to_owned());
                let named = (winner.as_deref(), ending.as_deref());
                let says = over.map(|(cause, _)| cause.sentence());
                let winner = over.and_then(|(_, winner)| winner);
                let by_result = (winner.map(|role| self.side_of(role)), says.as_deref());
                self.check(named == by_result, || {
                    format!("the winner and the ending are {named:?}, and by the result {by_result:?} (PE-7)")
                });
            }
            _ => {}
        }
    }

    /// The side that has a role.
    fn side_of(&self, role: Role) -> &'s str {
        let mut sides = self.sides.iter();
        let named = sides.find(|side| (side.name == self.play.defender) == (role == Role::Defender));
        named.map_or("", |side| &side.name)
    }

    fn begin(&mut self, phase: Phase) {
        self.phase = phase;
        self.moved = false;
        if phase == Phase::Planning {
            let left = self.tokens;
            let persists = self.play.options.protect_persists;
            self.check(persists || left == 0, || {
                format!("{left} Protect tokens outlive the round (PE-6.2)")
            });
            self.protected_by.clear();
        }
    }

    fn stands(&mut self, ship: &ObjectId, pose: Pose) {
        if let Some(entry) = self.ships.get_mut(ship) {
            entry.pose = pose;
        }
    }

    fn leaves(&mut self, ship: &ObjectId, lost: bool) {
        if let Some(entry) = self.ships.get_mut(ship) {
            entry.in_play = false;
            entry.lost = lost;
        }
    }

    fn flew(&mut self, ship: &ObjectId, from: Pose, execution: &Execution, to: Pose, slam: bool) {
        if self.is_shuttle(ship) {
            self.moved = true;
            self.run = Some((from, execution.clone()));
            let first = self.first_to_leave(to);
            self.ends = first.map(|edge| match edge == self.play.attackers_edge {
                true => Cause::Exit,
                false => Cause::Fled,
            });
        } else if !slam && self.phase == Phase::Activation && !self.moved {
            // PE-4.1: only attackers of skill 0 move before the shuttle, and only with initiative.
            let may = self
                .ships
                .get(ship)
                .is_some_and(|entry| !entry.defends && entry.skill == 0 && entry.side == 0);
            let gone = self.ships.get(&self.play.shuttle).is_none_or(|entry| !entry.in_play);
            self.check(may || gone, || format!("{ship} moves before the shuttle (PE-4.1)"));
        }
        self.stands(ship, to);
    }

    /// The edge over which a shuttle there has left, the one that it reaches farthest over, the attacker's in a tie.
    fn first_to_leave(&self, pose: Pose) -> Option<Edge> {
        let size = self.ships.get(&self.play.shuttle)?.size;
        let corners = base(size, pose).corners();
        let over = |edge: Edge| {
            let each = corners.map(|corner| match edge {
                Edge::South => -corner.y,
                Edge::West => -corner.x,
                Edge::North => corner.y - self.area.height,
                Edge::East => corner.x - self.area.width,
            });
            each.into_iter().fold(f64::NEG_INFINITY, f64::max)
        };
        let mut edges = [
            self.play.attackers_edge,
            Edge::South,
            Edge::North,
            Edge::West,
            Edge::East,
        ];
        edges[1..].sort_by(|a, b| over(*b).total_cmp(&over(*a)));
        let [attackers, best, ..] = edges;
        let edge = if over(best) > over(attackers) + OVERLAP_MM {
            best
        } else {
            attackers
        };
        (over(edge) > OVERLAP_MM).then_some(edge)
    }

    /// The base of the shuttle after a maneuver that nothing stops, from a pose: straights and the ion maneuver alone.
    fn straight_end(&self, from: Pose, speed: u8) -> Option<Rectangle> {
        let size = self.ships.get(&self.play.shuttle)?.size;
        let ahead = size.length_mm() + 40.0 * f64::from(speed);
        let forward = from.forward();
        let (x, y) = (from.position.x + forward.x * ahead, from.position.y + forward.y * ahead);
        Some(base(size, Pose::new(x, y, from.heading)))
    }

    /// Other ships in play: enemies of the shuttle, or all.
    fn others(&self, enemies: bool) -> impl Iterator<Item = (&ObjectId, Rectangle)> {
        let others = self
            .ships
            .iter()
            .filter(move |(id, entry)| **id != self.play.shuttle && entry.in_play && !(enemies && entry.defends));
        others.map(|(id, entry)| (id, base(entry.size, entry.pose)))
    }

    fn escort(&mut self, event: &EscortEvent) {
        match event {
            EscortEvent::Ran {
                blocked_by,
                cleared,
                before,
                after,
            } => self.ran(blocked_by, *cleared, *before, *after),
            EscortEvent::Protected { by, tokens } => self.protected(by, *tokens),
            EscortEvent::Cancelled { tokens, .. } => {
                let shuttle = self.attack.as_ref().is_some_and(|defender| self.is_shuttle(defender));
                self.cancelled += 1;
                let (had, number) = (self.tokens, self.cancelled);
                let first = number == 1;
                self.check(shuttle && first && had > 0 && *tokens == had.saturating_sub(1), || {
                    format!(
                        "a Protect token is spent: {had} before, {tokens} after, number {number} in the attack (PE-6.3)"
                    )
                });
                self.tokens = *tokens;
            }
            EscortEvent::Unspent { tokens } => {
                let (had, phase) = (self.tokens, self.phase);
                let persists = self.play.options.protect_persists;
                self.check(phase == Phase::End && !persists && *tokens == had, || {
                    format!("{tokens} of {had} Protect tokens go in {phase:?} (PE-6.2)")
                });
                self.tokens = 0;
            }
            EscortEvent::Over { cause, winner, score } => self.ended(*cause, *winner, score),
        }
    }

    fn ran(&mut self, blocked_by: &[ObjectId], cleared: Option<u8>, before: BlockState, after: BlockState) {
        let Some((from, execution)) = self.run.take() else {
            return self.check(false, || "the shuttle is said to have moved, and has not".to_owned());
        };
        let state = self.state;
        self.check(before == state, || {
            format!("the shuttle is {state:?} and said to be {before:?} (PE-5.2)")
        });
        let flown = execution.maneuver;
        let straight = |speed: u8| flown.bearing == Bearing::Straight && flown.speed == speed;
        let ionized = self.ships.get(&self.play.shuttle).is_some_and(|entry| entry.ionized);
        if let Some(speed) = cleared {
            self.cleared(from, flown, speed, blocked_by, before, after);
        } else {
            let facts = EscortFacts::embedded().shuttle.dial();
            let known = facts
                .maneuvers()
                .iter()
                .any(|m| (m.speed, m.bearing) == (flown.speed, flown.bearing));
            self.check(known || straight(1), || format!("the shuttle flies {flown} (PE-1)"));
            // PE-5.1
            let size = self
                .ships
                .get(&self.play.shuttle)
                .map_or(Size::Large, |entry| entry.size);
            let stopped = base(size, execution.pose);
            let end = match flown.bearing {
                Bearing::Straight => self.straight_end(from, flown.speed),
                _ => None,
            };
            let holds = |other: &Rectangle| {
                let under = end.as_ref().is_some_and(|end| end.penetration(other) > OVERLAP_MM);
                !execution.full && (under || stopped.distance(other) <= CONTACT_MM)
            };
            let wrong: Vec<ObjectId> = match end {
                // Of a straight it is known exactly who lies under its end.
                Some(_) => {
                    let enemies = self.others(true);
                    enemies
                        .filter(|(id, other)| {
                            let under = end.as_ref().is_some_and(|end| end.penetration(other) > OVERLAP_MM);
                            !execution.full && under && !blocked_by.contains(id)
                                || blocked_by.contains(id) && !holds(other)
                        })
                        .map(|(id, _)| id.clone())
                        .collect()
                }
                None => Vec::new(),
            };
            self.check(wrong.is_empty(), || {
                format!("the shuttle is blocked by {blocked_by:?}: wrong about {wrong:?} (PE-5.1)")
            });
            let friends = blocked_by
                .iter()
                .any(|id| self.ships.get(id).is_none_or(|entry| entry.defends));
            self.check(!friends, || {
                format!("a friend among {blocked_by:?} blocks the shuttle (PE-5.1)")
            });
            // A bound shuttle keeps its state (PE-5.7); straights may be forbidden by a card, which leaves banks.
            let bank = !straight(2) && !straight(1);
            let next = match (straight(2), blocked_by.is_empty(), before) {
                (true, false, BlockState::Free) => BlockState::Primed,
                (true, false, BlockState::Primed) if self.play.options.clear_limit_5 => BlockState::Primed,
                _ => BlockState::Free,
            };
            let holds = match straight(1) || ionized {
                true => after == before,
                false => after == next || bank && after == before,
            };
            self.check(holds, || {
                format!("after {flown} the shuttle goes from {before:?} to {after:?} (PE-5.2)")
            });
            let must_clear = straight(2) && !blocked_by.is_empty() && before == BlockState::Primed;
            self.check(!must_clear || self.play.options.clear_limit_5, || {
                "the primed shuttle is blocked and does not clear (PE-5.3)".to_owned()
            });
        }
        self.state = after;
    }

    fn cleared(
        &mut self,
        from: Pose,
        flown: Maneuver,
        speed: u8,
        blocked_by: &[ObjectId],
        before: BlockState,
        after: BlockState,
    ) {
        let on_a_ship = |speed: u8| {
            let end = self.straight_end(from, speed);
            let mut others = self.others(false);
            end.is_some_and(|end| others.any(|(_, other)| end.penetration(&other) > OVERLAP_MM))
        };
        let shorter_is_clear = (3..speed).any(|speed| !on_a_ship(speed));
        let is_clear = !on_a_ship(speed);
        let blocked = self.straight_end(from, 2).is_some_and(|end| {
            let mut enemies = self.others(true);
            enemies.any(|(id, other)| end.penetration(&other) > OVERLAP_MM && blocked_by.contains(id))
        });
        let same = flown.speed == speed && flown.bearing == Bearing::Straight;
        let states = (before, after) == (BlockState::Primed, BlockState::Free);
        self.check(same && states && is_clear && !shorter_is_clear, || {
            format!("the shuttle clears by the {speed} straight from {before:?} (PE-5.3)")
        });
        self.check(blocked || !blocked_by.is_empty(), || {
            "the shuttle clears, and nobody blocks it (PE-5.3)".to_owned()
        });
    }

    fn protected(&mut self, by: &ObjectId, tokens: u32) {
        let first = !self.protected_by.contains(by);
        let near = match (self.ships.get(by), self.ships.get(&self.play.shuttle)) {
            (Some(escort), Some(shuttle)) => {
                let distance = base(escort.size, escort.pose).distance(&base(shuttle.size, shuttle.pose));
                let may = escort.defends && escort.in_play && !escort.stressed && !self.is_shuttle(by);
                may && distance <= 100.0 + CONTACT_MM
            }
            _ => false,
        };
        let had = self.tokens;
        self.check(first && near && tokens == had + 1, || {
            format!("{by} protects the shuttle, which has {tokens} tokens after {had} (PE-6.1)")
        });
        self.protected_by.push(by.clone());
        self.tokens = tokens;
    }

    /// PE-7, PE-8: the result, by the ships that are gone.
    fn ended(&mut self, cause: Cause, winner: Option<Role>, score: &Score) {
        self.over = Some((cause, winner));
        let expected = self.ends;
        let fits = match cause {
            Cause::Exit | Cause::ShotDown | Cause::Fled => {
                // What destroys it may be damage or the edge, and the record says which.
                expected == Some(cause) || expected.is_none() && cause == Cause::ShotDown
            }
            Cause::NoAttacker => expected.is_none() && self.others(true).next().is_none(),
            Cause::Time => expected.is_none(),
        };
        self.check(fits, || {
            format!("the game ends by {cause:?}, and the shuttle's fate is {expected:?} (PE-7)")
        });
        let lost = |defends: bool| -> i32 {
            let points = self.play.points.iter();
            let gone = points.filter(|(id, _)| {
                let entry = self.ships.get(id);
                entry.is_some_and(|entry| entry.lost && entry.defends == defends)
            });
            gone.filter_map(|(_, points)| *points).sum()
        };
        let (lost_defender, lost_attacker) = (lost(true), lost(false));
        let upgrades = self.play.upgrades;
        let destroyed = matches!(cause, Cause::ShotDown | Cause::Fled);
        // A Direct Hit counts for two, so that a shuttle of five may have six.
        let attacker = match (destroyed, self.damage) {
            (true, _) => [lost_defender + upgrades; 2],
            (false, ..3) => [lost_defender; 2],
            (false, 6..) => [lost_defender + upgrades / 2; 2],
            (false, _) => [lost_defender, lost_defender + upgrades / 2],
        };
        let halves = self.play.options.large_half_points;
        let right = halves || attacker.contains(&score.attacker) && score.defender == lost_attacker;
        self.check(right, || {
            format!(
                "the score is {}:{}, by the ships that are gone {attacker:?}:{} (PE-8)",
                score.attacker, score.defender, lost_attacker
            )
        });
        let won = match cause {
            Cause::Exit | Cause::NoAttacker => Some(Role::Defender),
            Cause::ShotDown | Cause::Fled => Some(Role::Attacker),
            Cause::Time if score.attacker > score.defender => Some(Role::Attacker),
            Cause::Time if score.attacker < score.defender => Some(Role::Defender),
            Cause::Time => None,
        };
        self.check(winner == won, || format!("{winner:?} wins by {cause:?} (PE-7)"));
    }
}
