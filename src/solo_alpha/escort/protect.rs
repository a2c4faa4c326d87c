//! Protect played automatically: when an escort gives a token (PE-A6), and when one is spent (PE-A7).

use crate::{
    decision::{Compared, Reason},
    solo_alpha::{action::covers, attitude::Attitude},
    xwing::{
        combat::Uncancelled,
        escort::{
            ProtectOrder,
            protect::{Die, cancel, cancellable, may_protect},
        },
        measure::Object,
        ship::Ship,
        table::Table,
    },
};

/// Where Protect stands among the lines of a ladder (PE-A6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineOfProtect {
    /// Before the first line: Defensive and Balanced.
    First,
    /// After the last line: Offensive.
    Last,
}

/// Where Protect stands in the ladder of an attitude.
pub const fn line(attitude: Attitude) -> LineOfProtect {
    match attitude {
        Attitude::Defensive | Attitude::Balanced => LineOfProtect::First,
        Attitude::Offensive => LineOfProtect::Last,
    }
}

/// PE-A6: whether an escort that stands where the table shows it protects the shuttle when its line comes up: at range 1, the
/// shuttle in an attacker's firing arc, and fewer tokens on it than attackers have it in arc. `done` says whether the ship
/// has protected it this round.
pub fn wanted(table: &Table, escort: &Ship, shuttle: &Ship, tokens: u32, done: bool) -> (bool, Reason) {
    let reason = |text: String, compared| Reason {
        rule: "PE-A6".to_owned(),
        text,
        compared,
    };
    if let Err(why) = may_protect(escort, shuttle, done) {
        return (false, reason(format!("no Protect: {}", why.says()), Vec::new()));
    }
    let attackers = table.ships_in_play().filter(|other| other.is_enemy_of(shuttle));
    let (mut shooters, mut compared) = (0_u32, Vec::new());
    for attacker in attackers {
        let has_it = has_in_arc(attacker, shuttle);
        shooters += u32::from(has_it);
        compared.push(Compared {
            candidate: attacker.id.to_string(),
            value: None,
            unit: String::new(),
            verdict: if has_it {
                "has the shuttle in arc"
            } else {
                "has it not in arc"
            }
            .to_owned(),
        });
    }
    let wanted = tokens < shooters;
    let does = if wanted { "Protect" } else { "no Protect" };
    let text = format!("{does}: {tokens} tokens on the shuttle, {shooters} attackers have it in arc");
    (wanted, reason(text, compared))
}

/// Whether an attacker has the shuttle in a firing arc (PE-A6, FE-SOLO-8).
pub fn has_in_arc(attacker: &Ship, shuttle: &Ship) -> bool {
    covers(attacker, &Object::Ship(shuttle))
}

/// PE-A7: which die the shuttle's side cancels: the worst result that would be left after the evades, a critical hit first.
/// `None` if nothing would be left.
pub fn spend(results: Uncancelled, left: Uncancelled, order: ProtectOrder) -> (Option<Die>, Reason) {
    // What the rules let it cancel comes worst first; one that changes nothing is no use.
    let die = cancellable(results, order)
        .into_iter()
        .find(|die| cancel(results, left, *die).count() < left.count());
    let text = match die {
        Some(die) => format!(
            "{} hits and {} critical hits would be left: the token cancels a {}",
            left.hits,
            left.crits,
            die.name()
        ),
        None => "nothing would be left: the token is kept".to_owned(),
    };
    let reason = Reason {
        rule: "PE-A7".to_owned(),
        text,
        compared: Vec::new(),
    };
    (die, reason)
}
