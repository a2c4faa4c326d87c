//! How many whole games a core plays in a second.

use tallyho::{
    sim::{self, Commanders, Plan, PlayerPolicy, squad},
    xwing::catalog::Catalog,
};

fn main() {
    divan::main();
}

const MEETINGS: [(&str, &str); 2] = [("2*t65xwing", "4*tielnfighter"), ("3*t65xwing", "3*t65xwing")];

fn plan(meeting: (&str, &str), policy: PlayerPolicy) -> Plan {
    let squad = |text: &str| squad::read(text, Catalog::embedded()).unwrap_or_default();
    Plan {
        policy,
        ..Plan::lines(squad(meeting.0), squad(meeting.1))
    }
}

/// Whole games one after the other, against the scripted player.
#[divan::bench(args = MEETINGS)]
fn scripted(bencher: divan::Bencher<'_, '_>, meeting: (&str, &str)) {
    games(bencher, &plan(meeting, PlayerPolicy::Scripted));
}

/// Solo Alpha against itself.
#[divan::bench(args = MEETINGS)]
fn solo(bencher: divan::Bencher<'_, '_>, meeting: (&str, &str)) {
    games(bencher, &plan(meeting, PlayerPolicy::Solo));
}

fn games(bencher: divan::Bencher<'_, '_>, plan: &Plan) {
    let mut commanders = Commanders::new(plan);
    let mut number = 0;
    bencher.counter(divan::counter::ItemsCount::new(1_u32)).bench_local(|| {
        number += 1;
        sim::game(plan, number, &mut commanders)
    });
}
