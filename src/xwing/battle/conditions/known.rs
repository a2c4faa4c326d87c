//! Which conditions are answered in every scene: what the coverage of cards is reckoned by.

use super::kind_of;
use crate::xwing::effects::{
    Predicate, Query, Selector, State,
    arc::ArcWord,
    predicate::{ActionColor, ActionFilter, ActionWord, EventWord, ManeuverFilter, Obstruction, Terrain},
    selector::Party,
    spatial::{Number, Spatial},
    weapon::{WeaponFilter, WeaponWord},
};

/// Whether a condition is answered in every scene that has what it asks about.
pub fn knows(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Not(inner) => knows(inner),
        Predicate::AnyOf(inner) | Predicate::AllOf(inner) => inner.iter().all(knows),
        Predicate::Range(_) | Predicate::AttackRange(_) | Predicate::Turret(_) => true,
        Predicate::InOwnArc(_) | Predicate::InItsArc(_) => true,
        Predicate::Weapon(filter) => knows_weapon(filter),
        Predicate::Own(state) | Predicate::Subject(state) | Predicate::Other(state) | Predicate::Target(state) => {
            knows_state(state)
        }
        Predicate::Spatial(spatial) => knows_spatial(spatial),
        Predicate::Compare(compare) => knows_number(&compare.left) && knows_number(&compare.right),
        Predicate::Count(count) => knows_query(&count.of),
        Predicate::Action(filter) => knows_action(filter),
        Predicate::Maneuver(filter) => knows_maneuver(filter),
        Predicate::MovedThrough(terrain) => terrain.iter().all(|terrain| {
            matches!(
                terrain,
                Terrain::Obstacle | Terrain::Asteroid | Terrain::Debris | Terrain::Gas | Terrain::Huge
            )
        }),
        Predicate::Near(near) => !near.what.contains(&Terrain::Device),
        Predicate::Event(words) => words.iter().all(|word| knows_event(*word)),
        Predicate::Token(set) => set.iter().all(|word| !word.kinds().is_empty()),
        Predicate::Obstructed(words) => !words.contains(&Obstruction::Device),
        Predicate::Initiative(_) | Predicate::EarlierRound => true,
        Predicate::Result(_) | Predicate::Device(_) | Predicate::Phase(_) => false,
    }
}

/// Whether it is known which weapons are meant.
pub fn knows_weapon(filter: &WeaponFilter) -> bool {
    filter.0.iter().all(|term| {
        let kind = !matches!(term.kind, Some(WeaponWord::Other | WeaponWord::Remote));
        let arc = term
            .arc
            .is_none_or(|arc| arc == ArcWord::Turret || arc.of_the_base().is_some());
        kind && arc
    })
}

fn knows_event(word: EventWord) -> bool {
    matches!(
        word,
        EventWord::Damage
            | EventWord::Hit
            | EventWord::Crit
            | EventWord::ShieldLost
            | EventWord::CardDealt
            | EventWord::DealtFaceup
            | EventWord::Expose
            | EventWord::Repair
            | EventWord::Overlap
            | EventWord::OverlapShip
            | EventWord::Destroyed
            | EventWord::ShipCard
            | EventWord::PilotCard
            | EventWord::Deploy
            | EventWord::Decloak
            | EventWord::BarrelRoll
            | EventWord::Boost
    )
}

/// Whether it is known which actions are meant.
pub fn knows_action(filter: &ActionFilter) -> bool {
    let words = filter
        .any_of
        .iter()
        .all(|word| matches!(word, ActionWord::Any | ActionWord::Same | ActionWord::White) || kind_of(*word).is_some());
    words && filter.difficulty != Some(ActionColor::AsRed) && !filter.printed && filter.given_by.is_empty()
}

/// Whether it is known which maneuvers are meant.
pub fn knows_maneuver(filter: &ManeuverFilter) -> bool {
    filter.of.is_none() && filter.compare.is_empty()
}

/// Whether it is known who is in such a state.
pub fn knows_state(state: &State) -> bool {
    match state {
        State::Has(set) => set.iter().all(|word| !word.kinds().is_empty()),
        State::Tokens(count) => !count.token.kinds().is_empty(),
        State::Performed(words) | State::OnBar(words) => words.iter().all(|word| kind_of(*word).is_some()),
        State::Initiative(_) => true,
        // Whose maneuver it is compared with is known in attacks.
        State::Revealed(filter) => filter.of.is_none(),
        State::AnyOf(states) => states.iter().all(knows_state),
        State::JustLockedByEnemy
        | State::SpentCalculate
        | State::SpentGreen
        | State::Defended
        | State::Engaged
        | State::Docked
        | State::Configuration(_)
        | State::SameConfiguration
        | State::UpgradeType(_)
        | State::Carrying => false,
        State::Overlaps(terrain) => terrain.iter().all(|terrain| {
            let known = [Terrain::Obstacle, Terrain::Asteroid, Terrain::Debris, Terrain::Gas];
            known.contains(terrain)
        }),
        _ => true,
    }
}

/// Whether it is known whom a word means.
pub fn knows_party(party: Party) -> bool {
    matches!(
        party,
        Party::Own
            | Party::Subject
            | Party::Other
            | Party::Attacker
            | Party::Defender
            | Party::Target
            | Party::SecondTarget
            | Party::Each
            | Party::CoordinatedShip
            | Party::JammedShip
            | Party::LockedObject
            | Party::Friend
            | Party::OtherFriend
            | Party::Enemy
            | Party::AnyShip
            | Party::AnyShipOrRemote
            | Party::OtherShip
            | Party::Object
            | Party::FriendOfSubject
            | Party::FriendOfAttacker
            | Party::FriendOfDefender
            | Party::EnemyOfSubject
            | Party::OtherThanDefender
    )
}

/// Whether it is known whom a selector means.
pub fn knows_selector(selector: &Selector) -> bool {
    match selector {
        Selector::Party(party) => knows_party(*party),
        Selector::Named(_) => true,
    }
}

/// Whether it is known who qualifies.
pub fn knows_query(query: &Query) -> bool {
    knows_party(query.who)
        && knows_selector(&query.arc_of)
        && knows_selector(&query.range_of)
        && query.state.iter().chain(&query.not_state).all(knows_state)
        && query.conditions.iter().all(knows)
}

fn knows_spatial(spatial: &Spatial) -> bool {
    knows_selector(&spatial.who)
        && knows_selector(&spatial.of)
        && knows_selector(&spatial.range_of)
        && spatial.state.iter().all(knows_state)
}

fn knows_number(number: &Number) -> bool {
    match number {
        Number::Count(query) => knows_query(query),
        Number::Initiative(selector) | Number::DamageCards(selector) | Number::Shields(selector) => {
            knows_selector(selector)
        }
        Number::Results => false,
    }
}
