//! What a ship is like.

use super::{Scene, any, kind_of};
use crate::xwing::{
    ObjectId,
    battle::queue::counted_with,
    effects::{
        CardKind, OneOrMany, State, TokenWord,
        predicate::{ManeuverCompare, ManeuverFilter, Terrain},
        state::{InitiativeTest, TokenCount},
    },
    maneuver::{Difficulty, Maneuver},
    measure::{self, Object, Stance},
    obstacle::ObstacleKind,
    ship::{Ship, Tokens},
    size::Size,
};

/// How many tokens of a single kind lie beside a ship; `None` for locks and words that are no kind.
pub fn tokens_of(tokens: &Tokens, kind: TokenWord) -> Option<u32> {
    Some(match kind {
        TokenWord::Focus => tokens.focus,
        TokenWord::Evade => tokens.evade,
        TokenWord::Calculate => tokens.calculate,
        TokenWord::Reinforce => tokens.reinforce,
        TokenWord::Cloak => tokens.cloak,
        TokenWord::Stress => tokens.stress,
        TokenWord::Strain => tokens.strain,
        TokenWord::Deplete => tokens.deplete,
        TokenWord::Ion => tokens.ion,
        TokenWord::Disarm => tokens.disarm,
        TokenWord::Jam => tokens.jam,
        TokenWord::Tractor => tokens.tractor,
        _ => return None,
    })
}

impl Scene<'_> {
    /// How many tokens of a word a ship has, locks on it and of it included.
    pub fn tokens(&self, word: TokenWord, of: usize) -> Option<u32> {
        let ship = self.ship(of);
        let kinds = word.kinds();
        if kinds.is_empty() {
            return None;
        }
        let count = |kind: &TokenWord| match kind {
            TokenWord::Lock => ship.locks.len() as u32,
            TokenWord::EnemyLock => self.locks_on(of, |other| other.is_enemy_of(ship)),
            kind => tokens_of(&ship.tokens, *kind).unwrap_or(0),
        };
        Some(kinds.iter().map(count).sum())
    }

    fn locks_on(&self, of: usize, by: impl Fn(&Ship) -> bool) -> u32 {
        let id = &self.ship(of).id;
        let holders = self.table.ships_in_play();
        holders.filter(|holder| by(holder) && holder.locks.contains(id)).count() as u32
    }

    fn has_lock(&self, holder: usize, on: Option<usize>) -> bool {
        on.is_some_and(|on| self.ship(holder).locks.contains(&self.ship(on).id))
    }

    /// Whether a ship is in a state.
    pub(super) fn state(&self, state: &State, of: usize) -> Option<bool> {
        let (ship, fighter) = (self.ship(of), &self.fighters[of]);
        let tokens = &ship.tokens;
        let attacker = self.attack.map(|attack| attack.attacker);
        let defender = self.attack.map(|attack| attack.defender);
        Some(match state {
            State::Stressed => tokens.stress > 0,
            State::Strained => tokens.strain > 0,
            State::Depleted => tokens.deplete > 0,
            State::Disarmed => tokens.disarm > 0,
            State::Jammed => tokens.jam > 0,
            State::Tractored => tokens.tractor >= ship.ion_limit(),
            State::Ionized => ship.is_ionized(),
            State::Cloaked => tokens.cloak > 0,
            State::Touching => {
                let (own, contact) = (Stance::of(ship), self.table.rules.contact);
                let mut others = self.table.ships_in_play().filter(|other| other.id != ship.id);
                others.any(|other| own.touches(&Stance::of(other), contact))
            }
            State::Focused => tokens.focus > 0,
            State::Evading => tokens.evade > 0,
            State::Calculating => tokens.calculate > 0,
            State::Reinforced => tokens.reinforce > 0,
            State::Has(set) => {
                return any(set.iter().map(|word| self.tokens(*word, of).map(|count| count > 0)));
            }
            State::Tokens(TokenCount {
                token,
                at_least,
                at_most,
            }) => {
                let count = self.tokens(*token, of)?;
                at_least.is_none_or(|least| count >= u32::from(least))
                    && at_most.is_none_or(|most| count <= u32::from(most))
            }
            State::Damaged => fighter.integrity.cards() > 0,
            State::CriticallyDamaged => !fighter.integrity.face_up.is_empty(),
            State::DamageCardsAtMost(most) => fighter.integrity.cards() <= usize::from(*most),
            State::HullAtMost(most) => {
                usize::from(fighter.integrity.hull).saturating_sub(fighter.integrity.damage()) <= usize::from(*most)
            }
            State::Shielded => fighter.integrity.shields > 0,
            State::ShieldsFull => fighter.integrity.shields >= fighter.shields,
            State::ChargeActive | State::ChargeDeficit => {
                let card = self.fighters[self.own].cards.get(self.card?)?;
                let charges = card
                    .charges
                    .or_else(|| counted_with(self.ship(self.own), &card.id.xws))?;
                match state {
                    State::ChargeActive => charges.left > 0,
                    _ => charges.left < charges.max,
                }
            }
            State::ForceActive => tokens.force > 0,
            State::ForceFull => tokens.force >= fighter.force,
            State::ForceDeficit => tokens.force < fighter.force,
            State::HasLockOnOther => self.has_lock(of, self.other().filter(|other| *other != of).or(attacker)),
            State::HasLockOnAttacker => self.has_lock(of, attacker),
            State::HasLockOnDefender => self.has_lock(of, defender),
            State::HasLockOnSelf => self.has_lock(of, Some(self.own)),
            State::LockedBySelf => self.has_lock(self.own, Some(of)),
            State::LockedByFriend => self.locks_on(of, |holder| !holder.is_enemy_of(self.ship(self.own))) > 0,
            State::LockedByEnemy => self.locks_on(of, |holder| holder.is_enemy_of(ship)) > 0,
            State::LockedByAttacker => attacker.is_some_and(|attacker| self.has_lock(attacker, Some(of))),
            State::Performed(words) => {
                let did = |kind| ship.performed.contains(&kind);
                return any(words.iter().map(|word| kind_of(*word).map(did)));
            }
            State::OnBar(words) => {
                let on = |kind| ship.actions.iter().any(|entry| entry.action.kind == kind);
                return any(words.iter().map(|word| kind_of(*word).map(on)));
            }
            State::ActionOnItsBar => {
                let action = self.occasion.action()?.action;
                ship.actions.iter().any(|entry| entry.action.kind == action.kind)
            }
            State::Destroyed => fighter.integrity.is_destroyed(),
            State::Friendly => !ship.is_enemy_of(self.ship(self.own)),
            State::Limited => fighter.limited,
            State::NonLimited => !fighter.limited,
            State::Keyword(words) => words.iter().any(|word| fighter.keywords.contains(word)),
            State::Condition(xws) => fighter.has_card(CardKind::Condition, xws),
            State::ConditionSource => {
                let card = self.fighters[self.own].cards.get(self.card?)?;
                card.source.as_ref() == Some(&ship.id)
            }
            State::SameUpgrade => {
                let card = self.fighters[self.own].cards.get(self.card?)?;
                fighter.has_card(CardKind::Upgrade, &card.id.xws)
            }
            State::Pilot(ids) => ids.iter().any(|id| fighter.has_card(CardKind::Pilot, id)),
            State::Ship(ids) => ids.iter().any(|id| *id == ship.chassis),
            State::SameShip => ship.chassis == self.ship(self.own).chassis,
            State::ShipAbility(ids) => ids.iter().any(|id| fighter.has_card(CardKind::ShipAbility, id)),
            State::Upgrade(ids) => ids.iter().any(|id| fighter.has_card(CardKind::Upgrade, id)),
            State::Size(sizes) => sizes.contains(&ship.size),
            State::Smaller => rank(ship.size) < rank(self.ship(self.own).size),
            State::Larger => rank(ship.size) > rank(self.ship(self.own).size),
            State::Initiative(test) => {
                let than = |selector| Some(self.ship(self.select(selector)?.first().copied()?).initiative);
                match test {
                    InitiativeTest::LowerThan(other) => ship.initiative < than(other)?,
                    InitiativeTest::HigherThan(other) => ship.initiative > than(other)?,
                    InitiativeTest::NotLowerThan(other) => ship.initiative >= than(other)?,
                    InitiativeTest::NotHigherThan(other) => ship.initiative <= than(other)?,
                    InitiativeTest::AtLeast(least) => ship.initiative >= *least,
                    InitiativeTest::AtMost(most) => ship.initiative <= *most,
                }
            }
            State::Revealed(filter) => {
                let plain = filter.compare.is_empty();
                if !plain && !self.compares(filter, of)? {
                    return Some(false);
                }
                let filter = ManeuverFilter {
                    compare: OneOrMany::default(),
                    ..filter.clone()
                };
                return self.maneuver(&filter, fighter.set?, None);
            }
            State::SameRevealedSpeed => {
                let own = self.fighters[self.own].set.map(|maneuver| maneuver.speed);
                of != self.own && own.is_some() && own == fighter.set.map(|maneuver| maneuver.speed)
            }
            State::SpentCalculate => self.occasion.attack()?.spent(of).0 > 0,
            State::SpentGreen => self.occasion.attack()?.spent(of).1 > 0,
            State::Overlaps(terrain) => {
                let near = |kind: Option<ObstacleKind>| {
                    self.table.obstacles.iter().any(|obstacle| {
                        kind.is_none_or(|kind| obstacle.kind == kind)
                            && measure::range(measure::distance(ship.size, ship.pose, &Object::Obstacle(obstacle)))
                                == Some(0)
                    })
                };
                return any(terrain.iter().map(|terrain| match terrain {
                    Terrain::Obstacle => Some(near(None)),
                    Terrain::Asteroid => Some(near(Some(ObstacleKind::Asteroid))),
                    Terrain::Debris => Some(near(Some(ObstacleKind::Debris))),
                    Terrain::Gas => Some(near(Some(ObstacleKind::GasCloud))),
                    _ => None,
                }));
            }
            State::ObstructsTheAttack => self.attack?.obstructing.contains(&ship.id),
            State::ObstructedByObstacle => {
                let obstacle = |id: &ObjectId| self.table.obstacles.iter().any(|obstacle| obstacle.id == *id);
                self.attack?.obstructing.iter().any(obstacle)
            }
            State::AnyOf(states) => return any(states.iter().map(|state| self.state(state, of))),
            _ => return None,
        })
    }
}

impl Scene<'_> {
    /// Whether the maneuver that a ship has revealed compares so with that of its opponent. Neither did, unless both have
    /// revealed one.
    fn compares(&self, filter: &ManeuverFilter, of: usize) -> Option<bool> {
        let attack = self.attack?;
        let other = if of == attack.attacker {
            attack.defender
        } else {
            attack.attacker
        };
        let (Some(own), Some(other)) = (self.fighters[of].set, self.fighters[other].set) else {
            return Some(false);
        };
        let difficulty = |maneuver: Maneuver| match maneuver.difficulty {
            Difficulty::Blue => 0,
            Difficulty::White => 1,
            Difficulty::Red | Difficulty::Purple => 2,
        };
        Some(filter.compare.iter().all(|compare| match compare {
            ManeuverCompare::SameBearing => {
                std::mem::discriminant(&own.bearing) == std::mem::discriminant(&other.bearing)
            }
            ManeuverCompare::SameSpeed => own.speed == other.speed,
            ManeuverCompare::Faster => own.speed > other.speed,
            ManeuverCompare::Easier => difficulty(own) < difficulty(other),
        }))
    }
}

const fn rank(size: Size) -> u8 {
    match size {
        Size::Small => 0,
        Size::Medium => 1,
        Size::Large | Size::ShuttleToken => 2,
        Size::Huge => 3,
    }
}
