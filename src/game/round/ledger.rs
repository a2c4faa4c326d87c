//! What is kept of each ship that no table shows for certain, and what a snapshot says about it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Go, Whole, contact};
use crate::{
    dice::SeededDice,
    game::{
        Effect, Event, Game,
        opponent::Opponent,
        step::{Step, Token},
    },
    xwing::{
        ObjectId,
        action::FullArc,
        battle::{Battle, Fighter, Phase, Setup, Side},
        ship::{Ship, Status},
        table::Table,
    },
};

/// What a table says about things that it shows late or not at all. A change of it is a report of the players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    /// Active shields.
    pub shields: Option<u32>,
    /// Damage cards.
    pub damage: Option<u32>,
    /// Active Force charges.
    pub force: Option<u32>,
}

/// What is kept of a ship.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The ship.
    pub ship: ObjectId,
    /// Whether the program flies it.
    pub solo: bool,
    /// Hull left and hull value; `None` where it is not known.
    pub hull: Option<(u32, u32)>,
    /// Active shields.
    pub shields: u32,
    /// The shield value.
    pub shields_max: u32,
    /// Damage cards face up, by id.
    pub face_up: Vec<String>,
    /// How many lie face down.
    pub face_down: u32,
    /// Active Force charges.
    pub force: u32,
    /// The most of them.
    pub force_max: u32,
    /// Active charges by card.
    pub charges: BTreeMap<String, u32>,
    /// It has activated this round.
    pub activated: bool,
    /// It has engaged this round.
    pub engaged: bool,
    /// It is shot down.
    pub destroyed: bool,
    /// Ships that it touches, so that they cannot attack each other (FE-4.7).
    pub touching: Vec<ObjectId>,
    /// Ships that stand against it without touching it.
    pub against: Vec<ObjectId>,
}

impl<O: Opponent> Game<O> {
    /// A snapshot is about to be taken, `before` being what was known: keeps the battle in step with it, and lends it what
    /// the table does not show.
    pub(crate) fn take_round(
        &mut self,
        before: Option<&Table>,
        table: &mut Table,
        reports: &BTreeMap<ObjectId, Report>,
    ) {
        if !self.leads() {
            return;
        }
        if self.whole.is_none() {
            self.whole = Some(self.new_whole(table.clone()));
        }
        self.count_markers(table);
        self.arm(table);
        self.take_reports(before, table, reports);
        if let Some(whole) = &mut self.whole {
            whole.contacts.put_right(table);
        }
        self.lend(table);
        self.players_moved(before, table);
        if !self.on_an_errand() {
            self.see(table);
        }
        // Ships that are new have cards that may be asked about at once.
        if self.activation.is_none()
            && let Some(whole) = &mut self.whole
        {
            let mut dice = whole.dice.clone();
            whole.battle.go_on_at_table(&mut dice);
            whole.dice = dice;
            // What cards do at set-up belongs to no step that could say it.
            if whole.battle.phase() == Phase::Planning {
                let told = self.tell_battle().join(" ");
                if !told.is_empty() {
                    self.note(&told);
                }
            }
        }
        self.announce_cards(table);
    }

    fn new_whole(&self, table: Table) -> Whole {
        let mut dice = SeededDice::for_activation(self.config.seed, 0, "damage deck");
        let setup = Setup {
            sides: self.sides(&table),
            fighters: table
                .ships
                .iter()
                .filter_map(|ship| Some((ship.id.clone(), self.fighters.get(&ship.id)?.clone())))
                .collect(),
            table,
            alternating: false,
            rounds: None,
            guides: false,
            mission: None,
            escort: None,
        };
        Whole {
            battle: Battle::at_table(setup, self.round, &mut dice),
            told: 0,
            shown: Phase::Planning,
            dice,
            go: Go::Wait,
            readied: BTreeSet::new(),
            placed: None,
            promised: Vec::new(),
            held: false,
            ended: 0,
            solo_first: None,
            reports: BTreeMap::new(),
            contacts: contact::ToldContacts::default(),
            ruled: BTreeMap::new(),
            announced: BTreeSet::new(),
            progress: super::scenario::Progress::default(),
            escort: super::escort::Progress::default(),
        }
    }

    /// The sides of a table, the first player's first (the player's, unless an option says otherwise).
    fn sides(&self, table: &Table) -> Vec<Side> {
        let mut names: Vec<(bool, &str)> = table
            .ships
            .iter()
            .map(|ship| (self.seats.is_solo(&ship.id) != self.solo_goes_first(), &*ship.side))
            .collect();
        names.sort_unstable();
        let mut sides: Vec<Side> = Vec::new();
        for (_, name) in names {
            if sides.iter().all(|side| side.name != name) {
                sides.push(Side {
                    name: name.to_owned(),
                    // The battle stops in the planning phase, for the players set their dials then.
                    dials: true,
                    flees: true,
                });
            }
        }
        sides
    }

    pub(super) fn on_an_errand(&self) -> bool {
        self.activation
            .as_ref()
            .is_some_and(|activation| activation.is_errand())
    }

    /// The battle takes over what is known of the table.
    pub(super) fn see(&mut self, table: &Table) {
        let sides = self.sides(table);
        let fighters = &self.fighters;
        if let Some(whole) = &mut self.whole {
            whole.battle.set_sides(sides);
            whole.battle.see(table, &|id| fighters.get(id).cloned());
        }
    }

    /// As [`Game::see`], of the table as it is known now.
    pub(crate) fn follow_table(&mut self) {
        if self.leads()
            && !self.on_an_errand()
            && let Some(table) = self.table.take()
        {
            self.see(&table);
            self.table = Some(table);
        }
    }

    /// What a table does not show is as it is kept: charges, what damage cards do to dial and actions, who is gone.
    pub(super) fn lend(&self, table: &mut Table) {
        let Some(whole) = &self.whole else { return };
        self.lend_goals(table);
        self.lend_shuttle(table);
        for ship in &mut table.ships {
            if let Some(kept) = whole.battle.table().ship(&ship.id) {
                lend_cards_of(kept, ship);
                // A shuttle that was lifted off and is back flies on.
                let lifted = kept.status == Status::Removed && whole.battle.is_lifted(&ship.id);
                if matches!(kept.status, Status::Destroyed | Status::Removed) && !self.on_an_errand() && !lifted {
                    ship.status = kept.status;
                }
            }
        }
    }

    /// As [`Game::lend`], to the table as it is known now, but for who is gone: the steps that take ships off come yet.
    pub(super) fn lend_cards(&mut self) {
        let (Some(whole), Some(table)) = (&self.whole, &mut self.table) else {
            return;
        };
        for ship in &mut table.ships {
            if let Some(kept) = whole.battle.table().ship(&ship.id) {
                lend_cards_of(kept, ship);
            }
        }
    }

    /// The table shows that a ship has a reinforce token, and not always which side it covers.
    pub(crate) fn note_reinforced(&mut self, step: &Step) {
        let (Step::Token { ship, token, count }, Some(whole)) = (step, &mut self.whole) else {
            return;
        };
        let side = match token {
            Token::ReinforceFore => FullArc::Fore,
            Token::ReinforceAft => FullArc::Aft,
            _ => return,
        };
        if self
            .activation
            .as_ref()
            .is_some_and(|activation| activation.is_errand())
        {
            return;
        }
        whole.battle.put_right(ship, |_, fighter, _, _| {
            if *count > 0 {
                fighter.reinforced.push(side);
            } else if let Some(place) = fighter.reinforced.iter().position(|other| *other == side) {
                fighter.reinforced.remove(place);
            }
        });
    }

    fn take_reports(&mut self, before: Option<&Table>, table: &mut Table, reports: &BTreeMap<ObjectId, Report>) {
        let Some(whole) = &mut self.whole else { return };
        for ship in &mut table.ships {
            let mut new = reports.get(&ship.id).copied().unwrap_or_default();
            new.force = Some(ship.tokens.force);
            let old = whole.reports.insert(ship.id.clone(), new);
            // Force that the table shows changes now and then; what never changes is the printed value.
            if let (Some(old), Some(known)) = (old, before.and_then(|table| table.ship(&ship.id)))
                && old.force == new.force
            {
                ship.tokens.force = known.tokens.force;
            }
            let Some(old) = old else { continue };
            whole.battle.put_right(&ship.id, |_, fighter, deck, _| {
                let integrity = &mut fighter.integrity;
                let kept = u32::from(integrity.shields);
                if let Some(shields) = reported(old.shields, new.shields, kept) {
                    integrity.shields = u8::try_from(shields).unwrap_or(u8::MAX);
                }
                let kept = u32::try_from(integrity.damage()).unwrap_or(u32::MAX);
                match reported(old.damage, new.damage, kept) {
                    Some(cards) if cards > kept => {
                        let mut none = SeededDice::new(u64::from(cards));
                        for _ in kept..cards {
                            integrity.face_down.extend(deck.draw(&mut none));
                        }
                    }
                    Some(cards) => {
                        for _ in cards..kept {
                            if let Some(card) = integrity.face_down.pop().or_else(|| integrity.face_up.pop()) {
                                deck.discard(card);
                            }
                        }
                    }
                    None => {}
                }
            });
        }
    }

    /// The phase, where whole rounds are played.
    pub fn phase(&self) -> Option<Phase> {
        self.battle().map(Battle::phase)
    }

    /// What is kept of each ship, in id order; nothing where only activations are played.
    pub fn ledger(&self) -> Vec<LedgerEntry> {
        let Some(battle) = self.battle() else {
            return Vec::new();
        };
        let there = |ship: &&Ship| ship.in_play() || ship.status == Status::Destroyed;
        let ships = battle.table().ships.iter().filter(there);
        ships.filter_map(|ship| self.entry(battle, ship)).collect()
    }

    fn entry(&self, battle: &Battle, ship: &Ship) -> Option<LedgerEntry> {
        let fighter = battle.fighter(&ship.id)?;
        let integrity = &fighter.integrity;
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let hull = u32::from(integrity.hull);
        let title = |card: &crate::xwing::damage_deck::Card| {
            card.facts(battle.deck_facts())
                .map(|card| card.id.clone())
                .unwrap_or_default()
        };
        let printed = self.fighters.get(&ship.id);
        let mut charges = BTreeMap::new();
        for weapon in &ship.weapons {
            if let Some(left) = weapon.special.as_ref().and_then(|special| special.charges) {
                charges.insert(weapon.id.clone(), left.left);
            }
        }
        for device in ship.devices() {
            charges.insert(device.id.clone(), device.charges.left);
        }
        for card in fighter.cards.iter() {
            if let Some(left) = card.charges {
                charges.entry(card.id.xws.clone()).or_insert(left.left);
            }
        }
        let (touching, against) = match ship.in_play() {
            true => contact::beside(battle.table(), ship),
            false => (Vec::new(), Vec::new()),
        };
        Some(LedgerEntry {
            touching,
            against,
            ship: ship.id.clone(),
            solo: self.seats.is_solo(&ship.id),
            hull: fighter.is_known().then(|| {
                // The cards of a ship that has left are discarded.
                let left = hull.saturating_sub(count(integrity.damage()));
                (if ship.in_play() { left } else { 0 }, hull)
            }),
            shields: u32::from(integrity.shields),
            shields_max: printed
                .map_or(0, |printed| u32::from(printed.integrity.shields))
                .max(u32::from(integrity.shields)),
            face_up: integrity.face_up.iter().map(title).collect(),
            face_down: count(integrity.face_down.len()) + u32::from(integrity.without_card),
            force: ship.tokens.force,
            force_max: fighter.force,
            charges,
            activated: self.activated.contains(&ship.id),
            engaged: battle.phase() == Phase::Engagement
                && battle.done().contains(&ship.id)
                && battle.pending().is_none_or(|request| *request.ship() != ship.id)
                && battle.duel().is_none_or(|duel| duel.attacker != ship.id),
            destroyed: integrity.is_destroyed() || ship.status == Status::Destroyed,
        })
    }

    /// Tells what has changed in the ledger.
    pub(crate) fn tell_ledger(&mut self) {
        if !self.leads() {
            return;
        }
        let ledger = self.ledger();
        for entry in &ledger {
            if !self.last_ledger.contains(entry) {
                self.effects.push(Effect::Event(Event::Ledger(entry.clone())));
            }
        }
        self.last_ledger = ledger;
    }
}

/// What cards make of a ship that no table shows.
fn lend_cards_of(kept: &Ship, ship: &mut Ship) {
    ship.dial = kept.dial.clone();
    ship.weapons.clone_from(&kept.weapons);
    ship.actions.clone_from(&kept.actions);
    ship.device.clone_from(&kept.device);
    ship.other_devices.clone_from(&kept.other_devices);
    ship.ignored_obstacles.clone_from(&kept.ignored_obstacles);
    ship.turret_limit.clone_from(&kept.turret_limit);
}

/// The new count that players report: `None` if the table only catches up with what is kept.
fn reported(old: Option<u32>, new: Option<u32>, kept: u32) -> Option<u32> {
    let (old, new) = (old?, new?);
    let rose = new > old && new > kept;
    let fell = new < old && new < kept;
    (rose || fell).then_some(new)
}

/// The fighters of a battle by id, for whoever reads a table.
pub type Fighters = BTreeMap<ObjectId, Fighter>;

#[cfg(test)]
mod tests {
    use super::reported;

    #[test]
    fn a_table_that_catches_up_reports_nothing() {
        for (old, new, kept, expected) in [
            (Some(2), Some(2), 1, None),
            // The token was flipped for the damage that was dealt here.
            (Some(2), Some(1), 1, None),
            (Some(2), Some(1), 0, None),
            // It was flipped by the players' own.
            (Some(2), Some(1), 2, Some(1)),
            (Some(1), Some(2), 1, Some(2)),
            (Some(1), Some(2), 2, None),
            (None, Some(2), 1, None),
            (Some(2), None, 1, None),
        ] {
            assert_eq!(reported(old, new, kept), expected, "{old:?} {new:?} {kept}");
        }
    }
}
