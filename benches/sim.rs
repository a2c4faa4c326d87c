//! How many whole games a core plays in a second, and what a second core brings.

use std::sync::atomic::AtomicBool;

use tallyho::{
    sim::{self, Commanders, Plan, PlayerPolicy, field::Field, squad},
    xwing::{
        battle::Mission,
        catalog::Catalog,
        scenario::{Scenario, muster::Wishes},
    },
};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

const MEETINGS: [(&str, &str); 2] = [("2*t65xwing", "4*tielnfighter"), ("3*t65xwing", "3*t65xwing")];
const FACTIONS: [(&str, &str); 2] = [("rebelalliance", "galacticempire"), ("firstorder", "resistance")];

fn lines(meeting: (&str, &str), policy: PlayerPolicy) -> Plan {
    let squad = |text: &str| squad::read(text, Catalog::embedded()).unwrap_or_default();
    Plan {
        policy,
        ..Plan::lines(squad(meeting.0), squad(meeting.1))
    }
}

/// Introductory games (SA-13).
fn intro((faction, enemy): (&str, &str), policy: PlayerPolicy) -> Plan {
    let wishes = Wishes {
        faction: faction.to_owned(),
        enemy: enemy.to_owned(),
        player_ships: 2,
        ..Wishes::default()
    };
    let mission = Mission::new(Scenario::intro().clone(), Catalog::embedded(), &wishes);
    Plan {
        policy,
        ..Plan::of(mission.into_iter().map(Field::mission).collect())
    }
}

/// Whole introductory games one after the other, against the scripted player. The goal is 500 in a second.
#[divan::bench(args = FACTIONS)]
fn introductory_scripted(bencher: divan::Bencher<'_, '_>, factions: (&str, &str)) {
    games(bencher, &intro(factions, PlayerPolicy::Scripted));
}

/// Whole introductory games, Solo Alpha against itself.
#[divan::bench(args = FACTIONS)]
fn introductory_solo(bencher: divan::Bencher<'_, '_>, factions: (&str, &str)) {
    games(bencher, &intro(factions, PlayerPolicy::Solo));
}

/// The same number of introductory games on one thread and on two.
#[divan::bench(args = [1, 2], sample_count = 10)]
fn threads(bencher: divan::Bencher<'_, '_>, threads: usize) {
    const GAMES: usize = 60;
    let plan = intro(FACTIONS[0], PlayerPolicy::Scripted);
    bencher
        .counter(divan::counter::ItemsCount::new(GAMES))
        .bench_local(|| sim::run(&plan, GAMES, threads, &AtomicBool::new(false), &|| {}));
}

/// Two lines, against the scripted player.
#[divan::bench(args = MEETINGS)]
fn lines_scripted(bencher: divan::Bencher<'_, '_>, meeting: (&str, &str)) {
    games(bencher, &lines(meeting, PlayerPolicy::Scripted));
}

/// Two lines, Solo Alpha against itself.
#[divan::bench(args = MEETINGS)]
fn lines_solo(bencher: divan::Bencher<'_, '_>, meeting: (&str, &str)) {
    games(bencher, &lines(meeting, PlayerPolicy::Solo));
}

fn games(bencher: divan::Bencher<'_, '_>, plan: &Plan) {
    let mut commanders = Commanders::new(plan);
    let mut number = 0;
    bencher.counter(divan::counter::ItemsCount::new(1_u32)).bench_local(|| {
        number += 1;
        sim::game(plan, number, &mut commanders)
    });
}
