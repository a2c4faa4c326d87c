//! Which interpreters of card effects a battle has. Each declares what it carries out; what a card is said to be (played,
//! partly, asked) follows from this list alone.

use super::{attack, damage, queue};
use crate::xwing::effects::{
    CardsInPlay, Effect, Primitive, Role, Support, Supports, Window,
    primitive::{DeviceRule, PlaceDevice, Placed},
};

/// The interpreters of card effects, each with what it declares.
pub const INTERPRETERS: &[Supports] = &[
    attack::support::supports,
    queue::support::supports,
    damage::supports,
    devices,
    squads,
];

/// What the System Phase makes of cards that drop devices (SA-2): bombs and mines are dropped, and go off by the rules of
/// their device.
fn devices(window: Window, role: Role, effect: &Effect) -> Support {
    let dropped = |step: &Primitive| {
        matches!(
            step,
            Primitive::PlaceDevice(PlaceDevice {
                device: Placed::Bomb | Placed::Mine,
                ..
            })
        )
    };
    match (window, role, effect.steps.as_slice()) {
        // How it is dropped and what it does then, the device's own facts say.
        (Window::SystemPhase, Role::Own, [step, ..]) if dropped(step) => Support::Played,
        (Window::DevicePlacing, Role::Own, [Primitive::DeviceRule(rules)]) if allows_banks(effect, &rules.0) => {
            Support::Played
        }
        _ => Support::Asked,
    }
}

/// Whether an effect lets a ship drop with the bank templates, always and for nothing: ships that may have it among their
/// facts ([`DeviceBook::banks`](crate::xwing::device::DeviceBook::banks)).
fn allows_banks(effect: &Effect, rules: &[DeviceRule]) -> bool {
    effect.may
        && effect.conditions.is_empty()
        && effect.cost.is_empty()
        && rules.iter().all(|rule| *rule == DeviceRule::TemplateBank)
}

/// What is decided as squads are built has been decided: a battle takes them as they are given.
fn squads(window: Window, _: Role, _: &Effect) -> Support {
    match window {
        Window::SquadBuilding => Support::Played,
        _ => Support::Asked,
    }
}

/// What the players ought to know before the game about a ship's cards: which are asked about, which are played in part,
/// which the book does not have. Cards that are played are not named.
pub fn announcements(cards: &CardsInPlay) -> impl Iterator<Item = String> {
    cards.iter().filter_map(|card| {
        let Some(entry) = &card.entry else {
            return Some(format!("{}: the card is not known, and is asked about", card.id));
        };
        match entry.support(INTERPRETERS) {
            Support::Played => None,
            Support::Partly => Some(format!(
                "{}: only a part of it is played, the rest is asked about",
                card.id
            )),
            Support::Asked => Some(format!("{}: it is asked about", card.id)),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xwing::effects::{CardBook, CardInPlay};

    #[test]
    fn only_what_is_not_played_is_announced() {
        let text = r#"
[[card]]
id = "pilot:played"
[[card.effect]]
on = { window = "attack_roll", role = "attacker" }
do = [{ dice_count = { dice = "attack", by = 1 } }]
[[card]]
id = "pilot:asked"
[[card.effect]]
on = { window = "setup", role = "self" }
use = "ask_player"
ask = "where"
do = [{ place_ship = { place = "reserve" } }]
[[card]]
id = "pilot:partly"
grants = true
[[card.effect]]
on = { window = "game_end", role = "self" }
do = [{ move_upgrade = { how = "return_to_owner" } }]
[[card]]
id = "pilot:blank"
blank = true
"#;
        let book = CardBook::default().with_file("cards.toml", text).unwrap();
        let ids = ["played", "asked", "partly", "blank", "nobody"];
        let cards = ids.map(|id| CardInPlay::of(&format!("pilot:{id}").parse().unwrap(), &book));
        let said: Vec<String> = announcements(&CardsInPlay::new(cards.to_vec())).collect();
        assert_eq!(
            said,
            [
                "pilot:asked: it is asked about",
                "pilot:partly: only a part of it is played, the rest is asked about",
                "pilot:nobody: the card is not known, and is asked about",
            ]
        );
    }
}
