//! What no battle may do, told from its events alone.
//!
//! The audit walks the record of a battle beside its set-up and keeps books of its own: where ships stand, their tokens,
//! cards and turns. It asks nothing of the engine that wrote the record; positions are checked by the shapes of the bases,
//! not by executing moves again.

use std::collections::BTreeMap;

mod actions;
mod combat;
mod devices;
mod escort;
mod flights;
mod met;
mod mission;

use met::Met;

use super::{
    Event, Fighter, MissionInPlay, NoAttack, Order, Phase, Setup, Side, attack::permits, conditions::tokens_of,
};
use crate::{
    geometry::Pose,
    xwing::{
        ObjectId,
        action::{ActionDetail, ActionKind, BarAction},
        base,
        combat::{AttackStep, MAX_DICE},
        damage_deck::{Damage, DamageEvent, DeckFacts},
        edition::{Contact, DamageDecks, Dispute, Dying, EndPhase, LeavingTheArea, Reload, Rules, Slam, Ties},
        effects::{TokenWord, Window},
        maneuver::{Bearing, Difficulty, Maneuver},
        movement::consequences::ObstacleEffect,
        obstacle::Obstacle,
        ship::{Ship, Standing, Status, Tokens},
        table::PlayArea,
    },
};

/// A rule that a record breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {event}: {what}")]
pub struct Violation {
    /// The place of the event, from 0.
    pub event: usize,
    /// What is wrong.
    pub what: String,
}

/// Tokens that go in the end phase (FE-10.1, FE-14.8).
const fn round_tokens(end: EndPhase) -> &'static [TokenWord] {
    use TokenWord as T;
    match end {
        EndPhase::RoundTokens => &[
            T::Focus,
            T::Evade,
            T::Calculate,
            T::Disarm,
            T::Reinforce,
            T::Tractor,
            T::Jam,
        ],
        EndPhase::First => &[T::Focus, T::Evade, T::Disarm, T::Reinforce, T::Tractor],
        EndPhase::Rulebook2012 => &[T::Focus, T::Evade],
    }
}

/// One ship in the audit's books.
struct Entry<'s> {
    ship: &'s Ship,
    /// The ship as its cards let it attack and be attacked.
    armed: Ship,
    side: usize,
    pose: Pose,
    status: Status,
    tokens: Tokens,
    shields: u32,
    /// How many shields came back when they last changed.
    restored: u32,
    /// Whether it has recovered, and its energy is to go.
    recovers: bool,
    most_shields: u32,
    hull: u32,
    cards: u32,
    /// What its face-up cards count beyond one damage each.
    more: u32,
    /// Damage cards that were turned face up on it, as far as they have a say about its dial.
    bars_straights: u32,
    agility: u32,
    points: Option<u32>,
    /// Whether nothing but damage cards has a say in how many dice it rolls.
    plain: bool,
    /// The skill of the ships that attacked when it was shot down; `None` at any other time.
    shot_down_at: Option<Option<u8>>,
    performed: Vec<ActionKind>,
    /// Cards whose own action it has performed this round.
    card_actions: Vec<String>,
    /// Whether it was pulled this round.
    pulled: bool,
    dial: Option<Maneuver>,
    /// The initiative at which it acts.
    initiative: u8,
    /// Actions that cards have put on its bar, in their colours.
    more_actions: Vec<BarAction>,
    standing: Standing,
    /// The maneuver that a card has put in the place of the revealed one.
    changed: Option<Maneuver>,
    /// Tokens that stay in this End Phase.
    kept: Vec<(TokenWord, u32)>,
    charges: Vec<Option<u32>>,
    /// Cards that the deck gave it; `cards` has damage without a card, too.
    from_deck: u32,
    recovering: Vec<(usize, u32)>,
    /// Charges of its devices, by card.
    device_charges: Vec<(String, u32)>,
    /// Whether it has dropped its device this round.
    dropped: bool,
    /// Obstacles and mines that its maneuver led over, and that are to come.
    flown_over: Vec<ObjectId>,
    /// What it met since it last flew or acted.
    met: Vec<Met>,
}

impl<'s> Entry<'s> {
    fn new(ship: &'s Ship, fighter: Option<&Fighter>, sides: &[Side]) -> Self {
        let charges = ship.weapons.iter().map(|weapon| {
            let charges = weapon.special.as_ref()?.charges?;
            Some(charges.left)
        });
        let mut armed = ship.clone();
        if let Some(fighter) = fighter {
            permits::put_in_force(&mut armed, &fighter.cards);
        }
        Entry {
            ship,
            armed,
            side: sides.iter().position(|side| side.name == ship.side).unwrap_or(0),
            pose: ship.pose,
            status: ship.status,
            tokens: ship.tokens,
            shields: fighter.map_or(0, |fighter| u32::from(fighter.integrity.shields)),
            restored: 0,
            recovers: false,
            most_shields: fighter.map_or(0, |fighter| u32::from(fighter.shields)),
            hull: fighter.map_or(0, |fighter| u32::from(fighter.integrity.hull)),
            cards: fighter.map_or(0, |fighter| fighter.integrity.cards() as u32),
            more: fighter.map_or(0, |fighter| u32::from(fighter.integrity.more)),
            bars_straights: 0,
            agility: fighter.map_or(0, |fighter| fighter.agility),
            points: fighter.and_then(|fighter| fighter.points),
            plain: fighter.is_some_and(|fighter| fighter.cards.iter().all(|card| card.effects().is_empty())),
            shot_down_at: None,
            performed: Vec::new(),
            card_actions: Vec::new(),
            pulled: false,
            dial: None,
            initiative: ship.initiative,
            more_actions: Vec::new(),
            standing: Standing::default(),
            changed: None,
            kept: Vec::new(),
            charges: charges.collect(),
            from_deck: fighter.map_or(0, |fighter| {
                (fighter.integrity.face_up.len() + fighter.integrity.face_down.len()) as u32
            }),
            recovering: fighter.map_or_else(Vec::new, |fighter| fighter.recovering.clone()),
            device_charges: (ship.devices())
                .map(|device| (device.id.clone(), device.charges.left))
                .collect(),
            dropped: false,
            flown_over: Vec::new(),
            met: Vec::new(),
        }
    }

    fn in_play(&self) -> bool {
        self.status == Status::InPlay
    }

    fn is_destroyed(&self) -> bool {
        self.cards + self.more >= self.hull
    }

    /// Tokens that it gains once the end phase has taken those of the round stay.
    fn gains_late(&mut self, tokens: &Tokens, end: EndPhase) {
        for &kind in round_tokens(end) {
            let count = |tokens: &Tokens| tokens_of(tokens, kind).unwrap_or(0);
            let more = count(tokens).saturating_sub(count(&self.tokens));
            self.kept.extend((more > 0).then_some((kind, more)));
        }
    }
}

struct Books<'s> {
    rules: Rules,
    facts: &'static DeckFacts,
    /// The side that has lost by leaving the play area (FE-14.15).
    forfeited: Option<usize>,
    area: PlayArea,
    sides: &'s [Side],
    alternating: bool,
    mission: Option<&'s MissionInPlay>,
    /// The shuttle of Political Escort, which leaves over edges and clears by longer straights.
    shuttle: Option<&'s ObjectId>,
    /// How many of each group may still arrive in this round.
    expected: BTreeMap<String, u32>,
    ships: BTreeMap<ObjectId, Entry<'s>>,
    obstacles: &'s [Obstacle],
    devices: devices::Devices,
    /// Pairs of which one overlapped the other, with the places where both stood then (FE-4.7).
    touching: Vec<[(ObjectId, Pose); 2]>,
    /// Cards that no ship has, of the one deck, or of that of each side (FE-2).
    free_cards: Vec<u32>,
    phase: Phase,
    round: u32,
    turns: Vec<ObjectId>,
    /// The skill of the ship that had its turn to attack last.
    attacking: Option<u8>,
    /// The last initiative and side rank that had its turn.
    last_turn: Option<(u8, usize)>,
    /// The last skill and side rank that decloaked at the start of the Activation Phase.
    last_decloak: Option<(u8, usize)>,
    attack: Option<(ObjectId, ObjectId, u32)>,
    /// The attack's weapon and range.
    fired: Option<(usize, u32)>,
    /// Whether the attack is obstructed.
    obstructed: bool,
    /// Results that cards have added in the attack.
    added: u32,
    /// A card had a say since the last attack was over, so perhaps before this one's dice.
    effect_before_dice: bool,
    /// A ship that has crossed the edge, and must be said to leave next.
    leaving: Option<ObjectId>,
    /// The ship whose next action a card gives.
    given: Option<ObjectId>,
    /// Damage that must be suffered next.
    owed: Option<(ObjectId, Damage)>,
    /// Whether tokens that are gained now come after the end phase has taken its own.
    round_is_over: bool,
    found: Vec<Violation>,
    at: usize,
}

/// All that is wrong with the record of a battle that began so.
pub fn audit(setup: &Setup, events: &[Event]) -> Vec<Violation> {
    let ships = setup.table.ships.iter().map(|ship| {
        let fighter = setup.fighters.iter().find(|(id, _)| *id == ship.id).map(|(_, f)| f);
        (ship.id.clone(), Entry::new(ship, fighter, &setup.sides))
    });
    let facts = DeckFacts::of(setup.table.rules.damage_deck);
    let mut books = Books {
        rules: setup.table.rules,
        facts,
        forfeited: None,
        area: setup.table.area,
        sides: &setup.sides,
        obstacles: &setup.table.obstacles,
        devices: devices::Devices::default(),
        alternating: setup.alternating,
        mission: setup.mission.as_ref(),
        shuttle: setup.escort.as_ref().map(|play| &play.shuttle),
        expected: BTreeMap::new(),
        ships: ships.collect(),
        touching: Vec::new(),
        free_cards: match setup.table.rules.damage_decks {
            DamageDecks::Shared => vec![facts.size()],
            DamageDecks::OnePerSide => vec![facts.size(); setup.sides.len().max(1)],
        },
        phase: Phase::End,
        round: 0,
        turns: Vec::new(),
        attacking: None,
        last_turn: None,
        last_decloak: None,
        attack: None,
        fired: None,
        obstructed: false,
        added: 0,
        effect_before_dice: false,
        given: None,
        leaving: None,
        owed: None,
        round_is_over: false,
        found: Vec::new(),
        at: 0,
    };
    let mut watch = escort::Watch::new(setup);
    for (at, event) in events.iter().enumerate() {
        books.at = at;
        books.read(event);
        if let Some(watch) = &mut watch {
            watch.read(at, event);
        }
    }
    books.found.extend(watch.into_iter().flat_map(escort::Watch::found));
    books.found
}

impl Books<'_> {
    fn wrong(&mut self, what: String) {
        self.found.push(Violation { event: self.at, what });
    }

    fn check(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.wrong(what());
        }
    }

    fn read(&mut self, event: &Event) {
        if matches!(event, Event::Escort(_)) {
            // These have books of their own.
            return;
        }
        if !matches!(event, Event::Suffered { .. } | Event::Tokens { .. })
            && let Some((ship, damage)) = self.owed.take()
        {
            self.wrong(format!("{ship} does not suffer {damage:?}"));
        }
        if let Some(gone) = self.leaving.take() {
            let says_so = match event {
                Event::Fled { ship } | Event::Saved { ship } | Event::Escaped { ship } => *ship == gone,
                _ => false,
            };
            self.check(says_so, || format!("{gone} crosses the edge and does not leave"));
        }
        match event {
            Event::MetObstacle {
                ship, obstacle, effect, ..
            } => {
                self.in_play(ship, "meets an obstacle");
                self.meets_obstacle(ship, obstacle);
                let (hits, crits) = match effect {
                    ObstacleEffect::Hit => (1, 0),
                    ObstacleEffect::Crit => (0, 1),
                    ObstacleEffect::Nothing | ObstacleEffect::Strain => return,
                };
                self.owed = Some((ship.clone(), Damage { hits, crits }));
            }
            Event::Noted { .. } | Event::Told { .. } | Event::Escort(_) => {}
            Event::Disputed { .. } => {
                let may = self.rules.dispute == Dispute::Roll;
                self.check(may, || {
                    "a dispute is rolled for, and the rules have no such roll".to_owned()
                });
            }
            Event::Repaired { ship, card } => {
                let heavy = self.weight(*card);
                if let Some(entry) = self.ships.get_mut(ship) {
                    entry.bars_straights = 0;
                    entry.more = entry.more.saturating_sub(heavy);
                }
            }
            Event::RoundBegan(round) => {
                let expected = self.round + 1;
                self.check(*round == expected, || format!("round {round} follows {}", expected - 1));
                self.round_tokens_are_gone();
                self.round_is_over = false;
                self.scenario_goes_on(*round);
                self.round = *round;
                for entry in self.ships.values_mut() {
                    entry.performed.clear();
                    entry.card_actions.clear();
                    entry.pulled = false;
                    entry.dropped = false;
                    entry.met.clear();
                    entry.dial = None;
                    entry.kept.clear();
                    if expected > 1 {
                        for &(weapon, count) in &entry.recovering {
                            if let Some(Some(left)) = entry.charges.get_mut(weapon) {
                                *left += count;
                            }
                        }
                    }
                }
            }
            Event::PhaseBegan(phase) => self.begin(*phase),
            Event::DialSet { ship, maneuver } => self.dial(ship, *maneuver),
            Event::Flew { .. } => self.flew(event),
            Event::Fled { ship } => {
                let sides = self.sides;
                let may =
                    self.shuttle == Some(ship) || self.ships.get(ship).is_some_and(|entry| sides[entry.side].flees);
                self.check(may, || format!("{ship} fled, and its side does not flee"));
                if self.rules.leaving == LeavingTheArea::GameLost {
                    let side = self.ships.get(ship).map(|entry| entry.side);
                    self.forfeited = self.forfeited.or(side);
                }
                self.leave(ship, Status::Removed);
            }
            Event::Decloaked { .. }
            | Event::Dropped { .. }
            | Event::FuseBurned { .. }
            | Event::Detonated { .. }
            | Event::Blasted { .. }
            | Event::Pulled { .. } => self.device_event(event),
            Event::Arrived { .. } => self.arrived(event),
            Event::Saved { ship } => {
                self.is_saved(ship);
                self.leave(ship, Status::Removed);
            }
            Event::Escaped { ship } => {
                if self.shuttle != Some(ship) {
                    self.has_escaped(ship);
                }
                self.leave(ship, Status::Removed);
            }
            Event::Removed { ship } => {
                let dead = self.ships.get(ship).is_some_and(|entry| {
                    // FE-9.5: one that stayed for its own turn goes after it, even if repaired meanwhile.
                    let marked = self.rules.dying != Dying::AfterItsInitiative && entry.shot_down_at.is_some();
                    marked || entry.is_destroyed()
                });
                self.check(dead, || format!("{ship} was taken off with hull left"));
                self.leave(ship, Status::Destroyed);
            }
            Event::Tokens { ship, tokens } => {
                if let Some(entry) = self.ships.get_mut(ship) {
                    if self.round_is_over {
                        entry.gains_late(tokens, self.rules.end_phase);
                    }
                    entry.tokens = *tokens;
                    let kept = std::mem::take(&mut entry.recovers) && tokens.energy > 0;
                    self.check(!kept, || format!("{ship} keeps energy that it has recovered with"));
                }
                let many = tokens.named().into_iter().find(|(_, count)| *count > 30);
                self.check(many.is_none(), || format!("{ship} has {many:?} tokens"));
            }
            Event::ActionLost { ship, .. } => self.in_play(ship, "loses an action"),
            Event::Acted { .. } => self.acted(event),
            Event::HeldFire { ship, cause } => match cause {
                NoAttack::Late => self.is_late(ship),
                _ => self.engages(ship),
            },
            Event::Attacked {
                attacker,
                defender,
                weapon,
                range,
                rolled,
                bonus,
                obstructed,
            } => {
                if !bonus {
                    self.engages(attacker);
                }
                self.obstructed = *obstructed;
                self.attacked((attacker, defender), *weapon, *range, rolled.len(), *bonus);
            }
            Event::AttackModified { attacker, step, .. } => {
                let fits = (self.attack.as_ref()).is_some_and(|(ours, _, _)| ours == attacker);
                self.check(fits, || format!("{attacker} modifies dice of no attack of its own"));
                if let AttackStep::Finish { spending, .. } = step {
                    let entry = self.ships.get(attacker);
                    let has = entry.is_some_and(|entry| entry.tokens.focus >= u32::from(spending.focus));
                    self.check(has, || format!("{attacker} spends a focus token that it has not"));
                }
            }
            Event::EffectUsed { ship, added, .. } => {
                self.check(self.ships.contains_key(ship), || {
                    format!("{ship} has a card and is unknown")
                });
                self.added += u32::from(*added);
                self.effect_before_dice = true;
            }
            Event::Forbidden { .. } => {}
            Event::Defended { defender, rolled } => {
                let fits = (self.attack.as_ref()).is_some_and(|(_, theirs, _)| theirs == defender);
                let few = rolled.len() <= usize::from(MAX_DICE);
                self.check(fits && few, || format!("{defender} defends against no attack"));
                self.counts_defence_dice(defender, rolled.len());
            }
            Event::AttackResolved { defender, damage, .. } => {
                let dice = self.attack.take().map_or(0, |(_, _, dice)| dice) + std::mem::take(&mut self.added);
                let dealt = u32::from(damage.hits) + u32::from(damage.crits);
                self.check(dealt <= dice, || {
                    format!("{defender} suffers {dealt} damage of {dice} attack dice")
                });
                self.owed = (dealt > 0).then(|| (defender.clone(), *damage));
                self.effect_before_dice = false;
            }
            Event::Suffered { ship, damage, outcome } => {
                if let Some((owed_by, owed)) = self.owed.take() {
                    self.check(owed_by == *ship && owed == *damage, || {
                        format!("{ship} suffers {damage:?} instead of {owed_by} {owed:?}")
                    });
                }
                self.suffered(ship, *damage, outcome);
            }
            Event::CardAction { ship, .. } => self.given = Some(ship.clone()),
            Event::Moved { ship, from, to, .. } => {
                self.in_play(ship, "moves");
                let stood = self.ships.get(ship).map(|entry| entry.pose);
                self.check(stood == Some(*from), || {
                    format!("{ship} moves from {from:?}, not from {stood:?}")
                });
                if let Some(entry) = self.ships.get_mut(ship) {
                    entry.pose = *to;
                }
                self.stands(ship, from != to);
            }
            Event::Shields { ship, left } => {
                if let Some(entry) = self.ships.get_mut(ship) {
                    let most = entry.most_shields;
                    entry.restored = u32::from(*left).saturating_sub(entry.shields);
                    entry.shields = u32::from(*left);
                    self.check(u32::from(*left) <= most, || {
                        format!("{ship} has {left} shields of {most}")
                    });
                }
            }
            Event::Discarded { ship, .. } => {
                if let Some(entry) = self.ships.get_mut(ship) {
                    entry.bars_straights = 0;
                    entry.cards = entry.cards.saturating_sub(1);
                    entry.from_deck = entry.from_deck.saturating_sub(1);
                    let side = entry.side;
                    *self.free_cards_of(side) += 1;
                }
            }
            Event::CardUsed { ship, window, .. } => {
                self.in_play(ship, "uses a card");
                self.round_is_over |= *window == Window::EndPhaseEnd;
            }
            Event::Standing {
                ship,
                initiative,
                actions,
                standing,
            } => {
                let Some(entry) = self.ships.get_mut(ship) else {
                    return self.wrong(format!("{ship} has cards and is unknown"));
                };
                if entry.initiative != *initiative {
                    // Whoever changes places comes next, wherever the order was.
                    entry.initiative = *initiative;
                    self.last_turn = None;
                }
                entry.more_actions.clone_from(actions);
                entry.standing = (**standing).clone();
            }
            Event::ManeuverChanged { ship, maneuver } => {
                self.in_play(ship, "changes its maneuver");
                self.is_picked_by_rule(ship, *maneuver);
                if let Some(entry) = self.ships.get_mut(ship) {
                    entry.changed = Some(*maneuver);
                }
            }
            Event::Kept { ship, token, count } => {
                if let Some(entry) = self.ships.get_mut(ship) {
                    entry.kept.push((*token, *count));
                }
            }
            Event::ActedByCard { ship, card } => {
                self.in_play(ship, "acts");
                let mends = card.starts_with("damage:");
                let stressed = self
                    .ships
                    .get(ship)
                    .is_some_and(|entry| entry.tokens.stress > 0 && !(mends && entry.standing.repairs_stressed));
                self.check(!stressed, || format!("{ship} performs a card's action while stressed"));
                self.acts_by_card(ship, card);
            }
            Event::Condition { .. } | Event::Flipped { .. } => {}
            Event::CardFault { card, text, .. } => self.wrong(format!("{card}: {text}")),
            Event::CardCharges { ship, card, left } => self.card_charges(ship, card, *left),
            Event::CardChoice { .. } | Event::CardDice { .. } | Event::Locks { .. } => {}
            Event::LockLettered { .. } => {}
            Event::Ended { winner, ending } => self.ended(winner.as_deref(), ending.as_deref()),
        }
    }

    /// A round begins: no ship in play has a token that goes in the end phase.
    fn round_tokens_are_gone(&mut self) {
        if self.round == 0 {
            return;
        }
        let stays = |entry: &Entry<'_>, kind: TokenWord| -> u32 {
            let each = entry.kept.iter().filter(|(token, _)| *token == kind);
            each.map(|(_, count)| *count).sum()
        };
        let end = self.rules.end_phase;
        let has = |entry: &Entry<'_>| {
            let mut tokens = round_tokens(end).iter();
            tokens.any(|&kind| tokens_of(&entry.tokens, kind).unwrap_or(0) > stays(entry, kind))
        };
        let kept = self.ships.iter().find(|(_, entry)| entry.in_play() && has(entry));
        let kept = kept.map(|(id, _)| id.clone());
        self.check(kept.is_none(), || format!("{kept:?} keeps round tokens"));
    }

    /// The place of a side among players of the same initiative in this round.
    fn rank(&self, side: usize) -> usize {
        let count = self.sides.len();
        match self.alternating && self.rules.ties == Ties::PlayerOrder {
            true => (side + (self.round as usize).saturating_sub(1) * (count - 1)) % count,
            false => side,
        }
    }

    fn begin(&mut self, phase: Phase) {
        let expected = match self.phase {
            Phase::Planning if !self.rules.has_system_phase() => Phase::Activation,
            Phase::Planning => Phase::System,
            Phase::System => Phase::Activation,
            Phase::Activation => Phase::Engagement,
            Phase::Engagement => Phase::End,
            Phase::End | Phase::Over => Phase::Planning,
        };
        let before = self.phase;
        // The end phase of the last round began before the next planning phase; it has no turns of its own.
        self.check(phase == expected, || format!("{phase:?} follows {before:?}"));
        if before == Phase::Activation || before == Phase::Engagement {
            let missed: Vec<ObjectId> = self
                .ships
                .iter()
                .filter(|(id, entry)| entry.in_play() && !self.turns.contains(id))
                .map(|(id, _)| id.clone())
                .collect();
            self.check(missed.is_empty(), || format!("{missed:?} had no turn in {before:?}"));
        }
        if before == Phase::Activation {
            self.bombs_are_gone();
        }
        if before == Phase::Activation || before == Phase::Engagement {
            let dead = self.ships.values().any(|entry| entry.in_play() && entry.is_destroyed());
            self.check(!dead, || "a destroyed ship stays on the table".to_owned());
        }
        self.jam_is_settled();
        self.phase = phase;
        self.turns.clear();
        self.last_turn = None;
        self.last_decloak = None;
        self.attacking = None;
        for entry in self.ships.values_mut() {
            entry.shot_down_at = None;
        }
    }

    fn in_play(&mut self, ship: &ObjectId, does: &str) {
        let there = self.ships.get(ship).is_some_and(|entry| entry.in_play());
        self.check(there, || format!("{ship} {does} and is not in play"));
    }

    fn leave(&mut self, ship: &ObjectId, status: Status) {
        self.in_play(ship, "leaves");
        if let Some(entry) = self.ships.get_mut(ship) {
            entry.status = status;
            let (side, back) = (entry.side, std::mem::take(&mut entry.from_deck));
            *self.free_cards_of(side) += back;
        }
    }

    /// Cards that no ship has, of the deck that a side draws from.
    fn free_cards_of(&mut self, side: usize) -> &mut u32 {
        let decks = self.free_cards.len();
        &mut self.free_cards[side % decks]
    }

    fn dial(&mut self, ship: &ObjectId, maneuver: Maneuver) {
        self.in_play(ship, "sets its dial");
        let phase = self.phase;
        self.check(phase == Phase::Planning, || {
            format!("{ship} sets its dial in {phase:?}")
        });
        if let Some(entry) = self.ships.get_mut(ship) {
            let listed = entry.ship.dial.maneuvers().iter();
            // A damage card may have changed the colour.
            let fits = |other: &Maneuver| (other.speed, other.bearing) == (maneuver.speed, maneuver.bearing);
            let on_dial = listed.into_iter().any(fits);
            entry.dial = Some(maneuver);
            let dials = self.sides[entry.side].dials;
            // FE-3.2: ionized ships get no dial.
            let ionized = entry.tokens.ion >= entry.ship.ion_limit() && !self.rules.ionized_dials;
            let barred = entry.bars_straights > 0 && maneuver.bearing == Bearing::Straight;
            self.check(on_dial && dials && !ionized && !barred, || {
                format!("{ship} sets {maneuver}, which its dial has not, a card forbids, or gets none")
            });
        }
    }

    /// A turn in order: of the ships still to come none ranks before this one.
    fn turn(&mut self, ship: &ObjectId, phase: Phase) {
        self.in_play(ship, "has its turn");
        let now = self.phase;
        let first = !self.turns.contains(ship);
        self.check(now == phase && first, || {
            format!("{ship} has a turn in {now:?} again or out of phase")
        });
        let Some(entry) = self.ships.get(ship) else {
            return;
        };
        let initiative = entry.initiative;
        let key = match phase {
            Phase::Engagement => (u8::MAX - initiative, self.rank(entry.side)),
            _ => (initiative, self.rank(entry.side)),
        };
        let late = self.last_turn.is_some_and(|last| last > key);
        self.check(!late, || {
            format!("{ship} of initiative {initiative} has its turn too late")
        });
        self.last_turn = Some(key);
        self.attacking = (phase == Phase::Engagement).then_some(initiative);
        self.turns.push(ship.clone());
    }

    fn acted(&mut self, event: &Event) {
        let Event::Acted { ship, order, from, to } = event else {
            return;
        };
        self.in_play(ship, "acts");
        // What a card gives need not be on the bar, and some cards give it to a stressed ship.
        let given = self.given.take().is_some_and(|given| given == *ship);
        let Some(entry) = self.ships.get_mut(ship) else {
            return;
        };
        let permitted = match order {
            Order::Bar { kind, difficulty, .. } => {
                let white = entry.standing.acts_white_stressed && *difficulty == Difficulty::White;
                white || entry.standing.acts_stressed.contains(kind)
            }
            Order::Card(_) => entry.standing.repairs_stressed,
        };
        // What it met on its way in this very action came after it was declared.
        let stress = entry.stress_before_action(order, *from, *to);
        entry.met.clear();
        let (stressed, stood) = (stress > 0 && !permitted, entry.pose);
        let mut slam = false;
        if let Order::Bar {
            kind,
            difficulty,
            detail,
        } = order
        {
            if *kind == ActionKind::Reload && self.rules.reload == Reload::AllCards {
                let only = match detail {
                    ActionDetail::Reload(upgrade) => Some(upgrade.as_str()),
                    _ => None,
                };
                entry.turns_up_ordnance(only);
            } else if let ActionDetail::Reload(upgrade) = detail {
                let weapons = entry.ship.weapons.iter().zip(&mut entry.charges);
                let mut named = weapons.filter(|(weapon, _)| weapon.id == *upgrade);
                if let Some((_, Some(left))) = named.next() {
                    *left += 1;
                } else if let Some((_, left)) = entry.device_charges.iter_mut().find(|(id, _)| id == upgrade) {
                    *left += 1;
                }
            }
            slam = *kind == ActionKind::Slam;
            let again = entry.performed.contains(kind);
            entry.performed.push(*kind);
            let bar = entry.ship.actions.iter().chain(&entry.more_actions);
            let offered = bar
                .flat_map(|entry| [Some(entry.action), entry.linked])
                .flatten()
                .any(|action| {
                    action.kind == *kind && entry.standing.color_of(detail, action.difficulty) == Some(*difficulty)
                });
            let slams_free = slam && given && self.rules.slam == Slam::AnyOfItsSpeed;
            self.check(!again, || format!("{ship} takes {kind:?} twice in a round"));
            self.check(!slams_free, || format!("{ship} SLAMs as a free action"));
            self.is_open(ship, *kind, detail);
            if *kind == ActionKind::Recover {
                self.recovers(ship);
            }
            self.check(offered || given, || {
                format!("{ship} takes {kind:?}, which its bar has not")
            });
        }
        self.check(slam || given || !stressed, || format!("{ship} acts while stressed"));
        self.check(slam || *from == stood, || {
            format!("{ship} acts from {from:?}, not from {stood:?}")
        });
        if let Some(entry) = self.ships.get_mut(ship) {
            entry.pose = *to;
        }
        if from != to && !slam {
            self.stands(ship, true);
        }
    }

    fn engages(&mut self, ship: &ObjectId) {
        self.the_dead_are_gone(ship);
        // A declined attack and one that is made are both a turn.
        self.turn(ship, Phase::Engagement);
    }

    fn attacked(
        &mut self,
        (attacker, defender): (&ObjectId, &ObjectId),
        weapon: usize,
        range: u32,
        dice: usize,
        bonus: bool,
    ) {
        let open = self.attack.is_some();
        self.check(!open, || "an attack begins before the last one is over".to_owned());
        self.in_play(defender, "defends");
        let (Some(a), Some(d)) = (self.ships.get(attacker), self.ships.get(defender)) else {
            return self.wrong(format!("{attacker} attacks {defender}: no such ships"));
        };
        let enemies = a.side != d.side;
        let arms = a.armed.weapons.get(weapon);
        let disarmed = a.tokens.cloak > 0 || arms.is_some_and(|weapon| !weapon.fires_disarmed(a.tokens.disarm));
        let dead = d.is_destroyed();
        let in_range = arms.is_some_and(|weapon| {
            let open = weapon.special.is_none() && d.armed.open_at_range_0;
            let least = if open { 0 } else { weapon.min_range };
            let mut also = weapon.special.iter().flat_map(|special| &special.permits.also);
            (least..=weapon.max_range).contains(&range)
                || also.any(|other| (other.min_range..=other.max_range).contains(&range))
        });
        let special = arms.and_then(|weapon| weapon.special.as_ref());
        let cost = 1 + special.map_or(0, |special| special.permits.more_charges);
        let apart = base::base(a.ship.size, a.pose).distance(&base::base(d.ship.size, d.pose));
        // Attack range is measured inside the arc, so the bases are as near or nearer.
        let near = apart <= 100.0 * f64::from(range) + 1e-3 && (range > 0 || apart <= 0.1);
        let touches = self.rules.contact == Contact::AnyContact && apart <= 0.04;
        let (touches, pair) = (touches || self.stand_touching(a, d), [attacker, defender]);
        // A bonus attack may be paid in another way.
        let empty = !bonus
            && a.charges
                .get(weapon)
                .is_some_and(|charges| charges.is_some_and(|left| left < cost));
        // An effect between the declaration and the dice may destroy the defender; the attack is then over, but for that.
        let by_effect = std::mem::take(&mut self.effect_before_dice);
        self.check(enemies && (!dead || by_effect) && in_range && near, || {
            format!("{attacker} attacks {defender} at range {range}, {apart:.1} mm apart, against the rules")
        });
        self.check(!touches, || format!("{pair:?} attack each other and touch (FE-8.2)"));
        // Such an effect may disarm the attacker, too, which has declared its attack by then.
        self.check((!disarmed || by_effect) && !empty, || {
            format!("{attacker} attacks disarmed, cloaked or without a charge")
        });
        if let Some(Some(left)) = self
            .ships
            .get_mut(attacker)
            .and_then(|entry| entry.charges.get_mut(weapon))
        {
            *left = left.saturating_sub(if bonus { 0 } else { cost });
        }
        if !by_effect {
            self.counts_attack_dice(attacker, weapon, range, dice);
        }
        self.fired = Some((weapon, range));
        self.attack = Some((attacker.clone(), defender.clone(), dice as u32));
    }

    fn suffered(&mut self, ship: &ObjectId, damage: Damage, outcome: &[DamageEvent]) {
        let turned_up = outcome.iter().map(|event| match event {
            DamageEvent::Dealt {
                card: Some(card),
                face_up: true,
            }
            | DamageEvent::Exposed(card) => self.weight(*card),
            _ => 0,
        });
        let heavier: u32 = turned_up.sum();
        let (attacking, facts) = (self.attacking, self.facts);
        let Some(entry) = self.ships.get_mut(ship) else {
            return self.wrong(format!("{ship} suffers damage and is unknown"));
        };
        entry.more += heavier;
        let mut shields_short = false;
        let mut pierced = false;
        let mut dealt = 0;
        let mut destroyed = false;
        for event in outcome {
            match event {
                DamageEvent::ShieldLost if entry.shields > 0 => entry.shields -= 1,
                DamageEvent::ShieldLost => shields_short = true,
                DamageEvent::Dealt { card, .. } => {
                    // A card that is dealt without damage passes the shields by.
                    pierced |= entry.shields > 0 && damage != Damage::default();
                    entry.cards += 1;
                    dealt += u32::from(card.is_some());
                    entry.from_deck += u32::from(card.is_some());
                }
                DamageEvent::Destroyed => destroyed = true,
                DamageEvent::Exposed(_) => {}
            }
            entry.bars_straights += u32::from(combat::bars_straights(facts, event));
        }
        let dead = entry.is_destroyed();
        let side = entry.side;
        if dead && entry.shot_down_at.is_none() {
            entry.shot_down_at = Some(attacking);
        }
        self.check(!shields_short, || format!("{ship} loses a shield that it has not"));
        self.check(!pierced, || format!("{ship} is dealt a card with shields left"));
        self.check(!destroyed || dead, || format!("{ship} is destroyed with hull left"));
        let free = *self.free_cards_of(side);
        self.check(dealt <= free, || format!("{dealt} cards are dealt of {free}"));
        *self.free_cards_of(side) = free.saturating_sub(dealt);
    }
}
