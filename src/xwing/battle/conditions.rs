//! What must hold for an effect: pure questions about the battle, as the card's ship sees it.
//!
//! An answer is `None` where the language says more than is known here: the caller then neither plays the effect nor drops
//! it, but asks. [`Scene::holds`] and [`knows`] go together: what [`knows`] is answered in every scene.

use super::{Fighter, occasion::Occasion};
use crate::xwing::{
    action::{ActionKind, ColoredAction},
    arc::Arc,
    effects::{
        Predicate, Query, Selector, State,
        arc::{ArcWord, TurretWord},
        predicate::{
            ActionColor, ActionFilter, ActionWord, BearingWord, EventWord, Executed, ManeuverColor, ManeuverFilter,
            Near, Obstruction, Terrain,
        },
        selector::Party,
        weapon::{WeaponFilter, WeaponWord},
    },
    maneuver::{Bearing, Difficulty, Maneuver},
    measure::{self, Object},
    obstacle::{Obstacle, ObstacleKind},
    ship::{ArcDirection, Ship},
    table::Table,
};

mod known;
mod spatial;
mod state;

pub use self::{known::*, state::tokens_of};

/// An attack, as far as conditions ask about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AttackScene<'b> {
    /// The attacker's place among the ships.
    pub attacker: usize,
    /// The defender's place.
    pub defender: usize,
    /// The weapon's place among the attacker's.
    pub weapon: usize,
    /// Attack range.
    pub range: u32,
    /// The arc of the attack.
    pub arc: Arc,
    /// What obstructs it.
    pub obstructing: &'b [crate::xwing::ObjectId],
}

/// Ships that an effect has chosen, with the name that the card gave the choice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chosen(pub Vec<(Option<String>, Vec<usize>)>);

impl Chosen {
    /// The ships of a choice: the first, or the one of that name.
    fn of(&self, name: Option<&str>) -> Option<&[usize]> {
        let found = match name {
            None => self.0.first(),
            Some(name) => self.0.iter().find(|(given, _)| given.as_deref() == Some(name)),
        };
        found.map(|(_, ships)| ships.as_slice())
    }
}

/// Who asks, and about what.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'b> {
    /// The table.
    pub table: &'b Table,
    /// The fighters, in the order of the table's ships.
    pub fighters: &'b [Fighter],
    /// The place of the card's ship.
    pub own: usize,
    /// The card's place among those of its ship.
    pub card: Option<usize>,
    /// What happened.
    pub occasion: &'b Occasion,
    /// The place of the ship that the window is about: the own one in moments of a phase.
    pub subject: Option<usize>,
    /// Whether the subject may be any friendly ship, the own one among them: then conditions on one ship beside the own one
    /// are about the subject, whoever it is.
    pub of_friends: bool,
    /// The attack under way.
    pub attack: Option<AttackScene<'b>>,
    /// What the effect has chosen so far.
    pub chosen: &'b Chosen,
    /// The one that `for_each` has come to, or that a choice is looking at.
    pub each: Option<usize>,
    /// Ships as somebody imagines them, instead of those of the table.
    pub imagined: &'b [(usize, &'b Ship)],
}

/// `Some(true)` if all are, `Some(false)` if one is not, else `None`.
fn all(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for answer in answers {
        match answer {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = None,
        }
    }
    known
}

fn any(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(answers.map(|answer| answer.map(|answer| !answer))).map(|answer| !answer)
}

impl<'b> Scene<'b> {
    /// The ship at a place, as imagined if it is.
    pub fn ship(&self, index: usize) -> &'b Ship {
        let imagined = self.imagined.iter().find(|(place, _)| *place == index);
        imagined.map_or(&self.table.ships[index], |(_, ship)| ship)
    }

    /// Range between two ships; `None` beyond range 3.
    pub fn range(&self, a: usize, b: usize) -> Option<u32> {
        if a == b {
            return Some(0);
        }
        measure::range(measure::ship_distance(self.ship(a), self.ship(b)))
    }

    fn friendly(&self, a: usize, b: usize) -> bool {
        !self.ship(a).is_enemy_of(self.ship(b))
    }

    /// The one ship that is meant beside the own one: the subject, if that is another or may be any friend, else the other
    /// of the event.
    fn opposite(&self) -> Option<usize> {
        if self.of_friends {
            return self.subject;
        }
        let chosen = self.each.or_else(|| self.chosen.of(None)?.first().copied());
        let subject = self.subject.filter(|subject| *subject != self.own);
        subject.or(self.other()).or(chosen)
    }

    /// The other ship: the subject's opponent in the attack, or the other of the event.
    pub fn other(&self) -> Option<usize> {
        match self.attack {
            Some(attack) if self.subject == Some(attack.attacker) => Some(attack.defender),
            Some(attack) if self.subject == Some(attack.defender) => Some(attack.attacker),
            Some(attack) if self.own == attack.attacker => Some(attack.defender),
            Some(attack) if self.own == attack.defender => Some(attack.attacker),
            _ => self.occasion.other,
        }
    }

    /// Whether a condition holds.
    pub fn holds(&self, predicate: &Predicate) -> Option<bool> {
        match predicate {
            Predicate::Not(inner) => self.holds(inner).map(|answer| !answer),
            Predicate::AnyOf(inner) => any(inner.iter().map(|inner| self.holds(inner))),
            Predicate::AllOf(inner) => all(inner.iter().map(|inner| self.holds(inner))),
            Predicate::Range(span) => match self.opposite() {
                Some(ship) => Some(span.holds(self.range(self.own, ship))),
                // Something happened to nobody else: nobody is at a range.
                None => Some(self.subject == Some(self.own) && span.min == 0),
            },
            Predicate::AttackRange(span) => Some(self.attack.is_some_and(|attack| span.holds(Some(attack.range)))),
            Predicate::InOwnArc(arcs) => self.between(self.own, self.opposite(), &arcs.0),
            Predicate::InItsArc(arcs) => match self.opposite() {
                Some(ship) => self.between(ship, Some(self.own), &arcs.0),
                None => Some(false),
            },
            Predicate::Weapon(filter) => self.weapon(filter),
            Predicate::Own(state) => self.state(state, self.own),
            Predicate::Subject(state) => self.whose_state(state, self.subject),
            Predicate::Other(state) => self.whose_state(state, self.other()),
            Predicate::Target(state) => {
                let target = self.each.or_else(|| self.chosen.of(None)?.first().copied());
                self.whose_state(state, target)
            }
            Predicate::Turret(directions) => {
                let turret = &self.ship(self.own).turret;
                Some(
                    directions
                        .iter()
                        .any(|direction| turret.contains(&direction_of(*direction))),
                )
            }
            Predicate::Spatial(spatial) => self.spatial(spatial),
            Predicate::Compare(compare) => self.compare(compare),
            Predicate::Count(count) => {
                let number = self.query(&count.of)?.len();
                let at_least = count.at_least.is_none_or(|least| number >= usize::from(least));
                Some(at_least && count.at_most.is_none_or(|most| number <= usize::from(most)))
            }
            Predicate::Action(filter) => self.action(filter),
            Predicate::Maneuver(filter) => match self.occasion.maneuver() {
                Some(move_) => self.maneuver(filter, move_.maneuver, Some((move_.full, move_.ionized))),
                None => Some(false),
            },
            Predicate::MovedThrough(terrain) => self.moved_through(&terrain.0),
            Predicate::Near(near) => self.near(near),
            Predicate::Obstructed(words) => any(words.iter().map(|word| self.obstructed(*word))),
            Predicate::Result(test) => self.occasion.attack()?.ended(test),
            Predicate::Device(_) => None,
            Predicate::Event(words) => any(words.iter().map(|word| self.event(*word))),
            Predicate::Token(set) => match self.occasion.token() {
                Some(token) => Some(set.iter().any(|word| word.kinds().contains(&token))),
                None => Some(false),
            },
            Predicate::Phase(_) => None,
            Predicate::Initiative(number) => Some(self.occasion.initiative() == Some(*number)),
            Predicate::EarlierRound => {
                let card = self.card.and_then(|card| self.fighters[self.own].cards.get(card));
                Some(card.is_some_and(|card| card.earlier))
            }
        }
    }

    fn whose_state(&self, state: &State, ship: Option<usize>) -> Option<bool> {
        ship.map_or(Some(false), |ship| self.state(state, ship))
    }

    /// Whether a ship is in one of the arcs of another.
    pub(super) fn between(&self, of: usize, who: Option<usize>, arcs: &[ArcWord]) -> Option<bool> {
        let Some(who) = who else { return Some(false) };
        any(arcs.iter().map(|arc| self.in_arc(of, who, *arc)))
    }

    fn in_arc(&self, of: usize, who: usize, word: ArcWord) -> Option<bool> {
        if of == who {
            return Some(false);
        }
        let (ship, object) = (self.ship(of), Object::Ship(self.ship(who)));
        let inside = |arc| measure::in_arc(ship.print(), ship.pose, arc, &object);
        if let Some(arc) = word.of_the_base() {
            return Some(inside(arc));
        }
        match word {
            ArcWord::Turret => Some(ship.turret.iter().any(|&direction| inside(direction.arc()))),
            ArcWord::Firing => {
                let mut arcs = ship
                    .weapons
                    .iter()
                    .flat_map(|weapon| measure::weapon_arcs(weapon.arc, &ship.turret));
                Some(arcs.any(|arc| {
                    measure::distance_in_arc(ship.print(), ship.pose, arc, &object)
                        .is_some_and(|distance| measure::range(distance).is_some())
                }))
            }
            ArcWord::Attack => self
                .attack
                .filter(|attack| attack.attacker == of)
                .map(|attack| inside(attack.arc)),
            ArcWord::Reinforced => {
                let covered = self.fighters[of].reinforced.iter();
                Some(covered.map(|half| half.arc()).any(inside))
            }
            ArcWord::Behind => Some(measure::is_behind(ship, self.ship(who))),
            _ => None,
        }
    }

    /// Whether the attack is made with such a weapon.
    pub fn weapon(&self, filter: &WeaponFilter) -> Option<bool> {
        let Some(attack) = self.attack else { return Some(false) };
        let weapon = self.ship(attack.attacker).weapons.get(attack.weapon)?;
        any(filter.0.iter().map(|term| {
            let kind = term.kind.map_or(Some(true), |kind| {
                let slot = weapon.special.as_ref().map(|special| special.slot.as_str());
                match kind {
                    WeaponWord::Primary => Some(weapon.special.is_none()),
                    WeaponWord::Special => Some(weapon.special.is_some()),
                    WeaponWord::Torpedo => Some(slot == Some("Torpedo")),
                    WeaponWord::Missile => Some(slot == Some("Missile")),
                    WeaponWord::Cannon => Some(slot == Some("Cannon")),
                    WeaponWord::TurretUpgrade => Some(slot == Some("Turret")),
                    WeaponWord::Hardpoint => Some(slot == Some("Hardpoint")),
                    WeaponWord::Ordnance => Some(weapon.special.as_ref().is_some_and(|special| special.ordnance)),
                    WeaponWord::This => {
                        let card = self.fighters[self.own].cards.get(self.card?)?;
                        Some(self.own == attack.attacker && card.id.xws == weapon.id)
                    }
                    WeaponWord::Any => Some(true),
                    WeaponWord::Other | WeaponWord::Remote => None,
                }
            });
            let arc = term.arc.map_or(Some(true), |arc| match arc {
                ArcWord::Turret => Some(matches!(
                    weapon.arc,
                    crate::xwing::weapon::WeaponArc::SingleTurret | crate::xwing::weapon::WeaponArc::DoubleTurret
                )),
                _ => arc.of_the_base().map(|arc| arc == attack.arc),
            });
            all([kind, arc].into_iter()).map(|answer| answer != term.not)
        }))
    }

    fn action(&self, filter: &ActionFilter) -> Option<bool> {
        let Some(action) = self.occasion.action() else {
            return Some(false);
        };
        if filter.printed || !filter.given_by.is_empty() {
            return None;
        }
        let kind = match filter.any_of.is_empty() {
            true => Some(true),
            false => any(filter.any_of.iter().map(|word| self.action_is(*word, action.action))),
        };
        let color = filter.difficulty.map_or(Some(true), |color| match color {
            ActionColor::White => Some(action.action.difficulty == Difficulty::White),
            ActionColor::Red => Some(action.action.difficulty == Difficulty::Red),
            ActionColor::Purple => Some(action.action.difficulty == Difficulty::Purple),
            ActionColor::AsRed => None,
        });
        all([kind, color, Some(!filter.stressed || action.stressed)].into_iter())
    }

    fn action_is(&self, word: ActionWord, action: ColoredAction) -> Option<bool> {
        match word {
            ActionWord::Any | ActionWord::Same => Some(true),
            ActionWord::White => Some(action.difficulty == Difficulty::White),
            ActionWord::OnBar | ActionWord::OnOwnBar | ActionWord::WhiteOnBar | ActionWord::DamageCard => None,
            _ => Some(kind_of(word) == Some(action.kind)),
        }
    }

    /// Whether a maneuver is one of those meant. `executed` tells whether it was fully executed and by an ionized ship.
    pub(super) fn maneuver(
        &self,
        filter: &ManeuverFilter,
        maneuver: Maneuver,
        executed: Option<(bool, bool)>,
    ) -> Option<bool> {
        if filter.of.is_some() || !filter.compare.is_empty() {
            return None;
        }
        Some(is_meant(filter, maneuver, executed))
    }

    fn moved_through(&self, terrain: &[Terrain]) -> Option<bool> {
        let Some(met) = self.occasion.obstacles() else {
            return Some(false);
        };
        any(terrain.iter().map(|terrain| {
            let kind = |wanted| {
                let is = |id: &crate::xwing::ObjectId| {
                    let mut obstacles = self.table.obstacles.iter();
                    obstacles.any(|obstacle| obstacle.id == *id && obstacle.kind == wanted)
                };
                Some(met.iter().any(is))
            };
            match terrain {
                Terrain::Obstacle => Some(!met.is_empty()),
                Terrain::Asteroid => kind(ObstacleKind::Asteroid),
                Terrain::Debris => kind(ObstacleKind::Debris),
                Terrain::Gas => kind(ObstacleKind::GasCloud),
                // Huge ships take no part.
                Terrain::Huge => Some(false),
                _ => None,
            }
        }))
    }

    /// Whether such a thing obstructs the attack.
    fn obstructed(&self, word: Obstruction) -> Option<bool> {
        let Some(attack) = self.attack else { return Some(false) };
        let obstacle = |id: &crate::xwing::ObjectId| self.table.obstacles.iter().any(|obstacle| obstacle.id == *id);
        match word {
            Obstruction::Any => Some(!attack.obstructing.is_empty()),
            Obstruction::Obstacle => Some(attack.obstructing.iter().any(obstacle)),
            Obstruction::Own => Some(attack.obstructing.contains(&self.ship(self.own).id)),
            Obstruction::Device => None,
        }
    }

    fn near(&self, near: &Near) -> Option<bool> {
        let ship = self.ship(self.own);
        let obstacle = |kind: Option<ObstacleKind>| {
            let of_kind = |obstacle: &&Obstacle| kind.is_none_or(|kind| obstacle.kind == kind);
            let mut obstacles = self.table.obstacles.iter().filter(of_kind);
            Some(obstacles.any(|obstacle| {
                let distance = measure::distance(ship.size, ship.pose, &Object::Obstacle(obstacle));
                near.range.holds(measure::range(distance))
            }))
        };
        let ships = |enemy: Option<bool>| {
            let mut others = (0..self.table.ships.len()).filter(|&i| i != self.own && self.ship(i).in_play());
            Some(others.any(|i| {
                enemy.is_none_or(|enemy| enemy != self.friendly(self.own, i))
                    && near.range.holds(self.range(self.own, i))
            }))
        };
        any(near.what.iter().map(|what| match what {
            Terrain::Obstacle => obstacle(None),
            Terrain::Asteroid => obstacle(Some(ObstacleKind::Asteroid)),
            Terrain::Debris => obstacle(Some(ObstacleKind::Debris)),
            Terrain::Gas => obstacle(Some(ObstacleKind::GasCloud)),
            Terrain::Ship => ships(None),
            Terrain::Friend => ships(Some(false)),
            Terrain::Enemy => ships(Some(true)),
            Terrain::Huge => Some(false),
            Terrain::Device => None,
        }))
    }

    fn event(&self, word: EventWord) -> Option<bool> {
        if word == EventWord::DealtFaceup {
            return Some(self.card.is_some_and(|card| self.occasion.is_turned_up(self.own, card)));
        }
        self.occasion.is(word)
    }

    /// The ships that a word means; `None` for what is no ship, or is not known here.
    pub fn party(&self, party: Party) -> Option<Vec<usize>> {
        let one = |ship: Option<usize>| Some(ship.into_iter().collect::<Vec<_>>());
        let group = |means: &dyn Fn(usize) -> bool| {
            let all = 0..self.table.ships.len();
            Some(all.filter(|&i| self.ship(i).in_play() && means(i)).collect::<Vec<_>>())
        };
        let friends_of = |of: Option<usize>| match of {
            Some(of) => group(&|i| i != of && self.friendly(of, i)),
            None => Some(Vec::new()),
        };
        match party {
            Party::Own => one(Some(self.own)),
            Party::Subject => one(self.subject),
            Party::Other => one(self.other()),
            Party::Attacker => one(self.attack.map(|attack| attack.attacker)),
            Party::Defender => one(self.attack.map(|attack| attack.defender)),
            Party::Target => Some(self.chosen.of(None).unwrap_or_default().to_vec()),
            Party::SecondTarget => Some(self.chosen.0.get(1).map(|(_, ships)| ships.clone()).unwrap_or_default()),
            Party::Each => one(self.each),
            Party::CoordinatedShip | Party::JammedShip => {
                let action = self.occasion.action();
                let target = action.and_then(|action| action.target.clone());
                one(target.and_then(|id| self.table.ships.iter().position(|ship| ship.id == id)))
            }
            Party::LockedObject => {
                let object = self.occasion.object()?;
                one(self.table.ships.iter().position(|ship| ship.id == *object))
            }
            Party::Friend => group(&|i| self.friendly(self.own, i)),
            Party::OtherFriend => group(&|i| i != self.own && self.friendly(self.own, i)),
            Party::Enemy => group(&|i| !self.friendly(self.own, i)),
            Party::AnyShip | Party::AnyShipOrRemote => group(&|_| true),
            // **choice** What cards lock is a ship: nobody wants a lock on an obstacle of a card.
            Party::OtherShip | Party::Object => group(&|i| i != self.own),
            Party::FriendOfSubject => friends_of(self.subject),
            Party::FriendOfAttacker => friends_of(self.attack.map(|attack| attack.attacker)),
            Party::FriendOfDefender => friends_of(self.attack.map(|attack| attack.defender)),
            Party::EnemyOfSubject => match self.subject {
                Some(subject) => group(&|i| !self.friendly(subject, i)),
                None => Some(Vec::new()),
            },
            Party::OtherThanDefender => {
                let defender = self.attack.map(|attack| attack.defender);
                group(&|i| Some(i) != defender)
            }
            _ => None,
        }
    }

    /// The ships that a selector means.
    pub fn select(&self, selector: &Selector) -> Option<Vec<usize>> {
        match selector {
            Selector::Party(party) => self.party(*party),
            Selector::Named(name) => Some(self.chosen.of(Some(name)).unwrap_or_default().to_vec()),
        }
    }

    /// The ships that qualify, in the order of the table.
    pub fn query(&self, query: &Query) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for ship in self.party(query.who)? {
            if self.qualifies(query, ship)? {
                found.push(ship);
            }
        }
        Some(found)
    }

    fn qualifies(&self, query: &Query, ship: usize) -> Option<bool> {
        let looking = Scene {
            each: Some(ship),
            ..*self
        };
        let arc = match query.arc.is_empty() {
            true => Some(true),
            false => any(self
                .select(&query.arc_of)?
                .into_iter()
                .map(|of| self.between(of, Some(ship), &query.arc.0))),
        };
        let range = match query.range {
            None => Some(true),
            Some(span) => {
                let from = self.select(&query.range_of)?;
                Some(from.into_iter().any(|from| span.holds(self.range(from, ship))))
            }
        };
        let states = query.state.iter().map(|state| looking.state(state, ship));
        let not_states = query
            .not_state
            .iter()
            .map(|state| looking.state(state, ship).map(|is| !is));
        let conditions = query.conditions.iter().map(|condition| looking.holds(condition));
        all([arc, range]
            .into_iter()
            .chain(states)
            .chain(not_states)
            .chain(conditions))
    }
}

/// Whether a maneuver is one of those that a filter describes by itself. `executed` tells whether it was fully executed and
/// by an ionized ship.
pub(super) fn is_meant(filter: &ManeuverFilter, maneuver: Maneuver, executed: Option<(bool, bool)>) -> bool {
    let how = match (filter.executed.is_empty(), executed) {
        (true, _) => true,
        (false, Some((full, _))) => filter.executed.iter().any(|word| match word {
            Executed::Full => full,
            Executed::Partial => !full,
            Executed::Skipped => false,
        }),
        (false, None) => false,
    };
    let color = filter.color.is_empty()
        || filter.color.iter().any(|color| {
            maneuver.difficulty
                == match color {
                    ManeuverColor::Blue => Difficulty::Blue,
                    ManeuverColor::White => Difficulty::White,
                    ManeuverColor::Red => Difficulty::Red,
                    ManeuverColor::Purple => Difficulty::Purple,
                }
        });
    let ion = executed.is_some_and(|(_, ion)| ion);
    let bearing = filter.bearing.is_empty()
        || filter
            .bearing
            .iter()
            .any(|word| bearing_is(*word, maneuver.bearing, ion));
    let speed = filter.speed.is_none_or(|speed| speed.holds(maneuver.speed));
    how && color && bearing && speed
}

/// Whether a bearing is one of a group.
pub(super) fn bearing_is(word: BearingWord, bearing: Bearing, ion: bool) -> bool {
    let basic = matches!(bearing, Bearing::Straight | Bearing::Bank(_) | Bearing::Turn(_));
    match word {
        BearingWord::Straight => bearing == Bearing::Straight,
        BearingWord::Bank => matches!(bearing, Bearing::Bank(_)),
        BearingWord::Turn => matches!(bearing, Bearing::Turn(_)),
        BearingWord::Koiogran => bearing == Bearing::Koiogran,
        BearingWord::Segnor => matches!(bearing, Bearing::SegnorsLoop(_)),
        BearingWord::Tallon => matches!(bearing, Bearing::TallonRoll(_)),
        BearingWord::Sideslip => false,
        BearingWord::Stationary => bearing == Bearing::Stationary,
        BearingWord::Reverse => matches!(bearing, Bearing::ReverseStraight | Bearing::ReverseBank(_)),
        BearingWord::ReverseStraight => bearing == Bearing::ReverseStraight,
        BearingWord::Ion => ion,
        BearingWord::Basic => basic,
        BearingWord::Advanced => !basic,
    }
}

fn direction_of(word: TurretWord) -> ArcDirection {
    match word {
        TurretWord::Front => ArcDirection::Front,
        TurretWord::Rear => ArcDirection::Rear,
        TurretWord::Left => ArcDirection::Left,
        TurretWord::Right => ArcDirection::Right,
    }
}

/// The action that a word names, if it names a single one.
pub fn kind_of(word: ActionWord) -> Option<ActionKind> {
    Some(match word {
        ActionWord::Focus => ActionKind::Focus,
        ActionWord::Calculate => ActionKind::Calculate,
        ActionWord::Evade => ActionKind::Evade,
        ActionWord::Lock => ActionKind::Lock,
        ActionWord::BarrelRoll => ActionKind::BarrelRoll,
        ActionWord::Boost => ActionKind::Boost,
        ActionWord::Slam => ActionKind::Slam,
        ActionWord::RotateArc => ActionKind::RotateArc,
        ActionWord::Reinforce => ActionKind::Reinforce,
        ActionWord::Reload => ActionKind::Reload,
        ActionWord::Coordinate => ActionKind::Coordinate,
        ActionWord::Jam => ActionKind::Jam,
        ActionWord::Cloak => ActionKind::Cloak,
        _ => return None,
    })
}
