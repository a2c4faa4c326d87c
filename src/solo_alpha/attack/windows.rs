//! SA-12 in an attack: which effects of cards a solo ship uses on dice and results, and which tokens beside them (SA-10,
//! SA-11), by exact values.

use rustc_hash::FxHashMap;

use super::dice::Thrift;
use crate::{
    decision::{Compared, Reason},
    dice::{DefenceFace, DiceSource},
    xwing::{
        battle::{Battle, DiceChoice, Windows},
        combat::contest::{Choice, Contest, Side, Solved, Solver, State, Step, Weighed},
        effects::effect::Policy,
    },
};

/// What a solo side does next in an attack that cards touch.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowDecision {
    /// The step, with what is expected with and without the card's effect.
    pub choice: DiceChoice,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The step in one readable sentence.
    pub sentence: String,
}

/// The most steps that a reason lists.
const LISTED: usize = 12;

/// SA-12: the next step of the side whose turn it is; `None` when it is nobody's. The other side is expected to play as
/// well as it can.
///
/// The defence die is rolled only for an effect that moves damage to another ship of the side.
pub fn choosing(battle: &Battle, thrift: &Thrift, dice: &mut dyn DiceSource) -> Option<WindowDecision> {
    let windows = battle.duel()?.windows.as_ref()?;
    let (_, side, _) = windows.turn()?;
    let contest = windows.cards.contest.thrifty(side, thrift.first);
    let mut solver = Solver::new(&contest);
    let choice = solver.choose(&windows.state)?;
    let best = own_best(&solver, &windows.state, &choice);
    let mut reasons = Vec::new();
    if best.step == Step::DONE
        && let Some(moved) = move_damage(battle, windows, &solver, &choice, dice, &mut reasons)
    {
        return Some(decision(windows, moved, None, reasons));
    }
    let weighed = weigh_cards(windows, &contest, &mut solver, &choice, best, &mut reasons);
    if windows.cards.card_of(best.step.effect).is_none() {
        reasons.insert(0, token_reason(windows, side, best, &choice));
    }
    Some(decision(windows, best.step, weighed, reasons))
}

/// What is known about attacks from decisions that came before: nothing but what would be reckoned out again to the same.
#[derive(Debug, Clone, Default)]
pub struct Foresight {
    /// Only looked up, never walked through.
    solved: FxHashMap<Contest, Solved>,
    /// How many states of attacks that is.
    states: usize,
}

impl Foresight {
    /// So many states are remembered at most, some 20 MB.
    const MOST: usize = 100_000;

    fn take(&mut self, contest: &Contest) -> (Contest, Solved) {
        let known = self.solved.remove_entry(contest);
        let (contest, solved) = known.unwrap_or_else(|| (contest.clone(), Solved::default()));
        self.states -= solved.states();
        (contest, solved)
    }

    fn keep(&mut self, contest: Contest, solved: Solved) {
        if self.states + solved.states() > Foresight::MOST {
            *self = Foresight::default();
        }
        self.states += solved.states();
        self.solved.insert(contest, solved);
    }
}

/// The same without words, for a player who plays as well. An attack has several decisions, and the same ships make the same
/// attack again: what was reckoned out for one of them is `known` in the next.
pub fn best_step(windows: &Windows, known: &mut Foresight) -> Option<DiceChoice> {
    let (contest, solved) = known.take(&windows.cards.contest);
    let mut solver = Solver::resuming(&contest, solved);
    let choice = solver.choose(&windows.state);
    let step = choice.map(|choice| own_best(&solver, &windows.state, &choice).step);
    let solved = solver.into_solved();
    known.keep(contest, solved);
    Some(DiceChoice {
        step: step?,
        weighed: None,
    })
}

fn decision(windows: &Windows, step: Step, weighed: Option<[f64; 2]>, reasons: Vec<Reason>) -> WindowDecision {
    let words = match step.effect {
        Some(_) => windows.words(step),
        None => "nothing more is done with the dice".to_owned(),
    };
    WindowDecision {
        choice: DiceChoice { step, weighed },
        reasons,
        sentence: super::dice::sentence(&words),
    }
}

/// The best of the steps that dice decide.
fn own_best(solver: &Solver<'_>, state: &State, choice: &Choice) -> Weighed {
    let decided = choice
        .options
        .iter()
        .find(|option| !solver.is_referred(state, option.step));
    *decided.unwrap_or(&choice.options[0])
}

/// SA-12: for each card that has an effect now, what is expected with it and without it. Returns the two values of the card
/// that is used.
fn weigh_cards(
    windows: &Windows,
    contest: &Contest,
    solver: &mut Solver<'_>,
    choice: &Choice,
    best: Weighed,
    reasons: &mut Vec<Reason>,
) -> Option<[f64; 2]> {
    let mut seen = Vec::new();
    let mut weighed = None;
    for option in &choice.options {
        let (Some(place), Some(used)) = (option.step.effect, windows.cards.card_of(option.step.effect)) else {
            continue;
        };
        let Some(effect) = contest.effects().get(usize::from(place)) else {
            continue;
        };
        if seen.contains(&effect.group) || windows.state.under_way().is_some() || effect.referred {
            continue;
        }
        seen.push(effect.group);
        let without = solver.worth_without(&windows.state, effect.group).net;
        let is_used = best.step.effect == Some(place);
        let with = if is_used { best.worth.net } else { option.worth.net };
        let text = match is_used {
            true => format!(
                "uses {}: {with:.3} damage expected, {without:.3} without it",
                windows.words(best.step)
            ),
            false => format!(
                "does not use {} of {} now: {with:.3} damage expected with it, {:.3} without",
                used.id, used.owner, best.worth.net
            ),
        };
        if is_used {
            weighed = Some([with, without]);
        }
        let listed = choice
            .options
            .iter()
            .filter(|other| other.step.effect == Some(place))
            .take(LISTED);
        let mut compared: Vec<Compared> = listed
            .map(|other| Compared {
                candidate: windows.words(other.step),
                value: Some(other.worth.net),
                unit: "damage".to_owned(),
                verdict: if other.step == best.step {
                    "chosen"
                } else {
                    "not better"
                }
                .to_owned(),
            })
            .collect();
        compared.push(Compared {
            candidate: format!("without {}", used.id),
            value: Some(without),
            unit: "damage".to_owned(),
            verdict: if is_used { "not better" } else { "no worse" }.to_owned(),
        });
        let reason = Reason {
            rule: "SA-12".to_owned(),
            text,
            compared,
        };
        if is_used {
            reasons.insert(0, reason);
        } else {
            reasons.push(reason);
        }
    }
    weighed
}

/// SA-10, SA-11: what is spent, or that nothing is.
fn token_reason(windows: &Windows, side: Side, best: Weighed, choice: &Choice) -> Reason {
    let rule = match side {
        Side::Attacker => "SA-11",
        Side::Defender => "SA-10",
    };
    let text = match best.step.effect {
        Some(_) => format!("{}: {:.3} damage expected", windows.words(best.step), best.worth.net),
        None => format!("does nothing more with the dice: {:.3} damage expected", best.worth.net),
    };
    let listed = choice.options.iter().take(LISTED);
    Reason {
        rule: rule.to_owned(),
        text,
        compared: listed
            .map(|option| Compared {
                candidate: windows.words(option.step),
                value: Some(option.worth.net),
                unit: "damage".to_owned(),
                verdict: if option.step == best.step {
                    "chosen"
                } else {
                    "not better"
                }
                .to_owned(),
            })
            .collect(),
    }
}

/// SA-12, damage that a friend may take over: used when it keeps the defender from being destroyed; else one defence die
/// decides, for it protects one ship at the price of another.
fn move_damage(
    battle: &Battle,
    windows: &Windows,
    solver: &Solver<'_>,
    choice: &Choice,
    dice: &mut dyn DiceSource,
    reasons: &mut Vec<Reason>,
) -> Option<Step> {
    let duel = battle.duel()?;
    let option = choice
        .options
        .iter()
        .find(|option| solver.is_referred(&windows.state, option.step))?;
    let used = windows.cards.card_of(option.step.effect)?;
    let policy = battle.effect_policy(used);
    if policy == Some(Policy::Never) {
        return None;
    }
    let stays = choice.options.iter().find(|other| other.step == Step::DONE)?;
    let left = f64::from(battle.fighter(&duel.defender)?.left());
    let saves = stays.worth.net >= left && option.worth.net - option.worth.harm[Side::Defender as usize] < left;
    let name = format!("{} of {}", used.id, used.owner);
    let (takes, text) = if saves && choice.side == Side::Defender {
        (
            true,
            format!("uses {name}: it keeps {} from being destroyed", duel.defender),
        )
    } else {
        let face = dice.defence();
        let wanted = match policy {
            Some(Policy::AttitudeOffensive) => DefenceFace::Blank,
            Some(Policy::AttitudeBalanced) => DefenceFace::Focus,
            _ => DefenceFace::Evade,
        };
        let (word, does) = match face == wanted {
            true => ("uses", true),
            false => ("does not use", false),
        };
        (
            does,
            format!("{word} {name}, which moves damage to another ship: the die shows {face:?}"),
        )
    };
    reasons.push(Reason {
        rule: "SA-12".to_owned(),
        text,
        compared: vec![
            Compared {
                candidate: windows.words(option.step),
                value: Some(option.worth.net),
                unit: "damage".to_owned(),
                verdict: if takes { "chosen" } else { "left" }.to_owned(),
            },
            Compared {
                candidate: "without it".to_owned(),
                value: Some(stays.worth.net),
                unit: "damage".to_owned(),
                verdict: if takes { "left" } else { "chosen" }.to_owned(),
            },
        ],
    });
    takes.then_some(option.step)
}
