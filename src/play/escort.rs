//! Political Escort at the keyboard: what a person ought to know who runs, protects or hunts the shuttle.

use crate::{
    commander::escort::racing,
    record::words,
    sim::squad::PLAYER,
    solo_alpha::{
        escort::{
            protect::has_in_arc,
            race::{candidates, choosing, comes_to},
        },
        sentence::SpokenIn,
    },
    xwing::{
        battle::{Battle, Order},
        escort::{
            blocking::{BlockState, Choosing},
            protect::PROTECT,
        },
    },
};

/// Where the shuttle's maneuver is asked: what it may do about being blocked (PE-5), and what each maneuver comes to as the
/// ships stand. Nothing for other ships.
pub(super) fn of_run(battle: &Battle, ship: &str) -> Vec<String> {
    let Some(racing) = racing(battle, ship) else {
        return Vec::new();
    };
    let state = match (choosing(racing.shuttle), racing.state) {
        (Choosing::Bound, state) => format!("{}, and a maneuver that is not chosen freely leaves it so (PE-5.7)", state.name()),
        (Choosing::Free, BlockState::Free) => {
            "free: a 2 straight that enemies block stops at them and primes it (PE-5.2)".to_owned()
        }
        (Choosing::Free, BlockState::Primed) => {
            "primed: a 2 straight that enemies block again clears them by a longer straight (PE-5.3); a bank loses that \
             (PE-5.6)"
                .to_owned()
        }
    };
    let mut facts = vec![
        format!("  The shuttle is {state}."),
        format!(
            "  It exits over the {} edge; R is the fewest further rounds to that, ships and obstacles ignored.",
            racing.edge.word()
        ),
    ];
    for candidate in candidates(&racing) {
        let after = match candidate.run.after {
            after if after == racing.state => String::new(),
            after => format!("; {} after it", after.name()),
        };
        facts.push(format!(
            "  {}: {}{after}",
            SpokenIn(battle.table().rules.edition, candidate.maneuver),
            comes_to(&candidate)
        ));
    }
    facts
}

/// Where an escort may protect: the tokens on the shuttle, and the attackers that have it in arc (PE-6.1).
pub(super) fn of_protect(battle: &Battle, orders: &[Order]) -> Vec<String> {
    let may = orders
        .iter()
        .any(|order| matches!(order, Order::Card(card) if card == PROTECT));
    let table = battle.table();
    let known = battle.escort().filter(|_| may);
    let Some((play, shuttle)) = known.and_then(|play| Some((play, table.ship(&play.shuttle)?))) else {
        return Vec::new();
    };
    let enemies = table.ships_in_play().filter(|other| other.is_enemy_of(shuttle));
    let shooters = enemies.filter(|enemy| has_in_arc(enemy, shuttle)).count() as u32;
    vec![format!(
        "  The shuttle holds {}; {} it in arc.",
        words::count(play.protect(), "Protect token"),
        match shooters {
            1 => "1 attacker has".to_owned(),
            count => format!("{count} attackers have"),
        }
    )]
}

/// Where a Protect token may be spent: what the attack leaves after the evades, and how many tokens there are (PE-6.3).
pub(super) fn of_token(battle: &Battle, card: &str) -> Option<String> {
    let play = battle.escort().filter(|_| card == PROTECT)?;
    let left = play.comparing()?;
    Some(format!(
        "  The attack leaves {} on the shuttle, which holds {}.",
        words::counted(&[(left.hits, "hit"), (left.crits, "critical hit")]),
        words::count(play.protect(), "Protect token")
    ))
}

/// The state of the game in a line: the player's role, the shuttle, both scores.
pub(super) fn standing(battle: &Battle) -> Option<String> {
    let play = battle.escort()?;
    let score = battle.escort_score()?;
    Some(format!(
        "You are the {}. The shuttle is {}, holds {} and exits over the {} edge. The score is {} for the attacker, {} for \
         the defender.",
        play.role(PLAYER).name(),
        play.state().name(),
        words::count(play.protect(), "Protect token"),
        play.attackers_edge.word(),
        score.attacker,
        score.defender
    ))
}
