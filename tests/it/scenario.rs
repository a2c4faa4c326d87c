//! Scenarios (SA-13): set-up against a checker of its own, squads, waves, variants, files of users.

mod arrivals;
pub mod checker;
mod command_line;
mod files;
mod set_up;
mod squads;

use tallyho::xwing::{
    catalog::Catalog,
    scenario::{
        Scenario,
        muster::{self, Muster, Wishes},
        setup::{self, SetUp},
    },
};

const FACTIONS: [&str; 7] = [
    "galacticrepublic",
    "separatistalliance",
    "rebelalliance",
    "galacticempire",
    "resistance",
    "firstorder",
    "scumandvillainy",
];

fn wishes(faction: &str, enemy: &str) -> Wishes {
    Wishes {
        faction: faction.into(),
        enemy: enemy.into(),
        player_ships: 2,
        ..Wishes::default()
    }
}

fn intro(wishes: &Wishes, seed: u64) -> (Muster, SetUp) {
    let (scenario, catalog) = (Scenario::intro(), Catalog::embedded());
    let muster = muster::muster(scenario, catalog, wishes).expect("the scenario has these");
    let set_up = setup::set_up(scenario, &muster, catalog, seed).expect("there is room");
    (muster, set_up)
}
