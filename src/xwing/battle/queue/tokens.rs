//! Tokens, locks, charges and damage as effects change them, and the events that follow.

use super::Happening;
use crate::xwing::{
    battle::{Battle, Event, conditions::tokens_of},
    effects::{TokenWord, Window},
    measure,
    ship::Tokens,
};

/// The count of a kind of token; `None` for locks and words that are no kind.
pub(in crate::xwing::battle) fn count_of(tokens: &mut Tokens, kind: TokenWord) -> Option<&mut u32> {
    Some(match kind {
        TokenWord::Focus => &mut tokens.focus,
        TokenWord::Evade => &mut tokens.evade,
        TokenWord::Calculate => &mut tokens.calculate,
        TokenWord::Reinforce => &mut tokens.reinforce,
        TokenWord::Cloak => &mut tokens.cloak,
        TokenWord::Stress => &mut tokens.stress,
        TokenWord::Strain => &mut tokens.strain,
        TokenWord::Deplete => &mut tokens.deplete,
        TokenWord::Ion => &mut tokens.ion,
        TokenWord::Disarm => &mut tokens.disarm,
        TokenWord::Jam => &mut tokens.jam,
        TokenWord::Tractor => &mut tokens.tractor,
        _ => return None,
    })
}

impl Battle {
    /// A ship gains tokens, by a card of a ship. What the token does at once is done at once.
    pub(in crate::xwing::battle) fn gain_tokens(&mut self, ship: usize, kind: TokenWord, count: u32, by: usize) {
        if count == 0 || !self.table.ships[ship].in_play() {
            return;
        }
        if kind == TokenWord::Tractor {
            let (id, by) = (self.table.ships[ship].id.clone(), self.table.ships[by].id.clone());
            self.gain_tractor(&id, count, &by);
        } else {
            let Some(held) = count_of(&mut self.table.ships[ship].tokens, kind) else {
                return;
            };
            *held = held.saturating_add(count);
            self.record_tokens(ship);
        }
        if kind == TokenWord::Jam {
            self.settle_jam(ship);
            self.record_tokens(ship);
        }
        self.open(
            Window::TokenGained,
            Some(ship),
            Some(by),
            Happening::Token { token: kind, count },
        );
    }

    /// Takes tokens of one kind from a ship, as many as it has; how many it were.
    pub(super) fn take(&mut self, ship: usize, kind: TokenWord, count: u32) -> u32 {
        match kind {
            TokenWord::Lock => {
                let locks = &mut self.table.ships[ship].locks;
                let taken = locks.len().min(count as usize);
                locks.truncate(locks.len() - taken);
                self.record_locks(ship);
                return taken as u32;
            }
            TokenWord::EnemyLock => {
                let id = self.table.ships[ship].id.clone();
                let mut taken = 0;
                for other in 0..self.table.ships.len() {
                    let enemy = self.table.ships[other].is_enemy_of(&self.table.ships[ship]);
                    if enemy && taken < count && self.table.ships[other].locks.contains(&id) {
                        self.table.ships[other].locks.retain(|lock| *lock != id);
                        self.record_locks(other);
                        taken += 1;
                    }
                }
                return taken;
            }
            _ => {}
        }
        let Some(held) = count_of(&mut self.table.ships[ship].tokens, kind) else {
            return 0;
        };
        let taken = (*held).min(count);
        *held -= taken;
        if taken > 0 {
            if kind == TokenWord::Reinforce && self.table.ships[ship].tokens.reinforce == 0 {
                self.fighters[ship].reinforced.clear();
            }
            self.record_tokens(ship);
            let what = Happening::Token {
                token: kind,
                count: taken,
            };
            self.open(Window::TokenRemoved, Some(ship), None, what);
        }
        taken
    }

    pub(in crate::xwing::battle) fn record_locks(&mut self, ship: usize) {
        let ship = &self.table.ships[ship];
        self.events.push(Event::Locks {
            ship: ship.id.clone(),
            locks: ship.locks.clone(),
        });
    }

    /// Whether a ship can acquire a lock on another.
    pub(in crate::xwing::battle) fn can_lock(&self, who: usize, on: usize) -> bool {
        let (ship, other) = (&self.table.ships[who], &self.table.ships[on]);
        who != on
            && ship.in_play()
            && other.in_play()
            && !other.standing.cannot_be_locked
            && !ship.locks.contains(&other.id)
            && measure::range(measure::ship_distance(ship, other)).is_some()
    }

    /// A ship acquires a lock on another; the oldest of those that it had goes, if it may not have one more.
    pub(in crate::xwing::battle) fn acquire_lock(&mut self, who: usize, on: usize) {
        if !self.can_lock(who, on) {
            return;
        }
        let id = self.table.ships[on].id.clone();
        self.table.ships[who].lock(id.clone());
        self.record_locks(who);
        self.open(Window::LockAcquired, Some(who), Some(on), Happening::Lock(id));
    }

    /// A shield is lost or spent.
    pub(in crate::xwing::battle) fn lose_shield(&mut self, ship: usize) {
        let integrity = &mut self.fighters[ship].integrity;
        if integrity.shields > 0 {
            integrity.shields -= 1;
            self.record_shields(ship);
        }
    }

    /// Shields come back, as many as there are at most.
    pub(in crate::xwing::battle) fn recover_shields(&mut self, ship: usize, count: u32) {
        let fighter = &mut self.fighters[ship];
        let lacking = u32::from(fighter.shields.saturating_sub(fighter.integrity.shields));
        let back = u8::try_from(lacking.min(count)).unwrap_or(0);
        if back > 0 {
            fighter.integrity.shields += back;
            self.record_shields(ship);
        }
    }

    pub(in crate::xwing::battle) fn record_shields(&mut self, ship: usize) {
        self.events.push(Event::Shields {
            ship: self.table.ships[ship].id.clone(),
            left: self.fighters[ship].integrity.shields,
        });
    }

    /// How many tokens of a kind a ship has.
    pub fn tokens(&self, ship: &str, kind: TokenWord) -> Option<u32> {
        tokens_of(&self.table.ship(ship)?.tokens, kind)
    }
}
