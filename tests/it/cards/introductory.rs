//! The cards of the introductory scenario (SA-13): all of them are played.

use std::collections::BTreeSet;

use tallyho::xwing::{
    battle::{Fighter, support::INTERPRETERS},
    catalog::Catalog,
    device::DeviceBook,
    effects::{CardBook, CardId, Primitive, Support, Window, primitive::DeviceRule},
    scenario::{Scenario, muster},
};

#[test]
fn sa_13_every_card_of_the_introductory_scenario_is_played() {
    let (scenario, catalog) = (Scenario::intro(), Catalog::embedded());
    let mut seen = BTreeSet::new();
    for squad in &scenario.squads {
        // Transports and aces come with the variants.
        let groups = squad.ships.iter().filter(|(group, _)| *group != "transport");
        for choice in groups.flat_map(|(_, choices)| choices) {
            let pilots = muster::generic_pilots(catalog, &choice.ship, &squad.faction);
            assert!(!pilots.is_empty(), "{} of {}", choice.ship, squad.faction);
            for pilot in pilots {
                let resolved = catalog.resolve(&choice.ship, Some(&pilot.xws), &choice.upgrades);
                let fighter = Fighter::of(&resolved.unwrap()).unwrap();
                for card in fighter.cards.iter() {
                    let entry = card
                        .entry
                        .as_ref()
                        .unwrap_or_else(|| panic!("no entry for {}", card.id));
                    assert_eq!(entry.support(INTERPRETERS), Support::Played, "{}", card.id);
                    seen.insert(card.id.to_string());
                }
            }
        }
    }
    // The abilities of its ships and the upgrades that its footnotes name.
    for card in [
        "ship-ability:nimblebomber",
        "ship-ability:heavyweaponturret",
        "ship-ability:pinpointtractorarray",
        "upgrade:concussionmissiles",
        "upgrade:specialforcesgunner",
    ] {
        assert!(seen.contains(card), "{card} is not among {seen:?}");
    }
}

#[test]
fn sa_2_ships_with_bank_templates_are_those_whose_ability_says_so() {
    let (book, devices) = (CardBook::embedded(), DeviceBook::embedded());
    let mut banking = 0;
    for pilot in Catalog::embedded().pilots() {
        let ability = book.card(&CardId::ship_ability(&pilot.ship_ability).to_string());
        let banks = ability.is_some_and(|entry| {
            entry.effects.iter().any(|effect| {
                effect.on.window.contains(&Window::DevicePlacing)
                    && effect.steps.iter().any(|step| {
                        matches!(step, Primitive::DeviceRule(rules) if rules.contains(&DeviceRule::TemplateBank))
                    })
            })
        });
        assert_eq!(banks, devices.banks(&pilot.ship), "{} flies {}", pilot.xws, pilot.ship);
        banking += usize::from(banks);
    }
    assert!(banking > 0);
}
