//! The automated opponents as a commander.

use std::collections::VecDeque;

use super::{Commander, Explanation};
use crate::{
    decision::Reason,
    dice::D20Source,
    swm::{
        figure::Figure,
        opponent::{self, Step, activation, force},
        skirmish::{Answer, Request, Skirmish},
        square::Square,
    },
};

/// What is left of the plan of the active figure.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Intent {
    Walk {
        way: Vec<Square>,
        force: bool,
    },
    Attack {
        target: Option<String>,
        stays: bool,
    },
    Area {
        ability: String,
        target: String,
    },
    /// After an attack that may have changed who is adjacent (SWM-S6).
    Rest,
}

/// Plays by Carsten's rules.
#[derive(Debug, Clone, Default)]
pub struct Automated {
    /// The active figure, and what it still does.
    plan: Option<(String, VecDeque<Intent>)>,
    explanation: Option<Explanation>,
}

impl Automated {
    fn plan(&mut self, skirmish: &Skirmish, id: &str, dice: &mut dyn D20Source) -> VecDeque<Intent> {
        let Some(figure) = skirmish.board().figure(id) else {
            return VecDeque::new();
        };
        let turn = opponent::decide(skirmish.board(), figure, skirmish.options(), dice);
        let moves = turn.steps.iter().any(|step| matches!(step, Step::Move { .. }));
        let mut plan = VecDeque::new();
        for step in turn.steps {
            match step {
                Step::Move { way, force } => plan.push_back(Intent::Walk { way, force }),
                Step::Area { ability, target, .. } => plan.push_back(Intent::Area { ability, target }),
                Step::Attack { target, attacks } => {
                    let stays = !moves;
                    plan.push_back(Intent::Attack {
                        target: Some(target),
                        stays,
                    });
                    // The target is chosen anew for every separate attack.
                    for _ in 1..attacks {
                        plan.push_back(Intent::Attack { target: None, stays });
                    }
                }
            }
        }
        if !moves {
            plan.push_back(Intent::Rest);
        }
        self.explanation = Some(Explanation::new(turn.sentence, turn.reasons));
        plan
    }

    /// A reaction, explained in a sentence with the name of the figure.
    fn says(&mut self, skirmish: &Skirmish, figure: &str, rule: &str, text: impl FnOnce(&str) -> String) {
        let name = skirmish
            .board()
            .figure(figure)
            .map_or_else(|| figure.to_owned(), Figure::called);
        let text = text(&name);
        let reason = Reason {
            rule: rule.to_owned(),
            text,
            compared: Vec::new(),
        };
        self.explanation = Some(Explanation::new(format!("{}.", reason.text), vec![reason]));
    }

    fn act(&mut self, skirmish: &Skirmish, id: &str, dice: &mut dyn D20Source) -> Answer {
        let mut plan = match self.plan.take() {
            Some((figure, plan)) if figure == id => plan,
            _ => self.plan(skirmish, id, dice),
        };
        let (board, options) = (skirmish.board(), skirmish.options());
        let answer = loop {
            let (Some(intent), Some(figure)) = (plan.pop_front(), board.figure(id)) else {
                break Answer::Done;
            };
            match intent {
                Intent::Walk { way, force } => break Answer::Move { way, force },
                Intent::Area { ability, target } => break Answer::Area { ability, target },
                Intent::Attack { target, stays } => {
                    let still = target.filter(|target| opponent::is_legal(board, figure, target, options));
                    match still.or_else(|| opponent::next_target(board, figure, options, dice)) {
                        Some(target) => {
                            // A figure that an enemy holds may move once that one is gone: it keeps its move for then, unless
                            // something rewards that it stays.
                            let stays = stays && opponent::gains_by_staying(figure);
                            break Answer::Attack {
                                target,
                                stays,
                                with: Vec::new(),
                            };
                        }
                        None => continue,
                    }
                }
                Intent::Rest => match opponent::rest(board, figure, options, dice, skirmish.may_still_move()) {
                    Some(way) => break Answer::Move { way, force: false },
                    None => continue,
                },
            }
        };
        if answer != Answer::Done {
            self.plan = Some((id.to_owned(), plan));
        }
        answer
    }
}

impl Commander for Automated {
    fn answer(&mut self, skirmish: &Skirmish, request: &Request, dice: &mut dyn D20Source) -> Answer {
        self.explanation = None;
        match request {
            // Who wins the initiative goes first (a choice: the text is silent).
            Request::First { side } => Answer::First(*side),
            Request::Activate { .. } => {
                let (next, reason) = activation::next(skirmish.board(), skirmish.options(), dice);
                self.plan = None;
                self.explanation = Some(Explanation::new(format!("{}.", reason.text), vec![reason]));
                Answer::Activate(next.unwrap_or_default())
            }
            Request::Act { figure } => self.act(skirmish, figure, dice),
            // At the first chance (a choice: the text is silent).
            Request::Opportunity { figure, mover } => {
                self.says(skirmish, figure, "SWM-A8", |name| {
                    format!("{name} attacks {mover}, which moves away from it")
                });
                Answer::Yes(true)
            }
            Request::Reroll { figure, attack, .. } => {
                let own = skirmish.board().figure(figure);
                let repeats = own.is_some_and(|figure| force::repeats(figure, false));
                if repeats {
                    let (rule, what) = if *attack {
                        ("SWM-F1", "missed attack")
                    } else {
                        ("SWM-F2", "failed save")
                    };
                    self.says(skirmish, figure, rule, |name| {
                        format!("{name} spends a Force point to repeat its {what}")
                    });
                }
                Answer::Yes(repeats)
            }
            Request::Defend { figure, powers, .. } => {
                let adjacent = skirmish.is_hit_from_beside();
                let own = skirmish.board().figure(figure);
                let power = own.and_then(|figure| force::defends(figure, adjacent));
                let place = power.and_then(|power| powers.iter().position(|name| *name == power.name));
                // The cheapest may have failed against this hit already: then whatever is left.
                let place = place.or((!powers.is_empty()).then_some(0));
                if let Some(name) = place.and_then(|place| powers.get(place)) {
                    self.says(skirmish, figure, "SWM-F3", |figure| {
                        format!("{figure} uses {name} against the hit")
                    });
                }
                Answer::Power(place)
            }
            Request::Riposte { figure, attacker } => {
                self.says(skirmish, figure, "SWM-F6", |name| {
                    format!("{name} attacks {attacker} back")
                });
                Answer::Yes(true)
            }
            Request::Intercept { figure, ally, damage } => {
                let takes = super::intercepts(skirmish, figure, ally, *damage);
                Answer::Yes(takes)
            }
            // Asked of the players.
            Request::ByHand { damage, .. } => Answer::Damage(*damage),
        }
    }

    fn explanation(&mut self) -> Option<Explanation> {
        self.explanation.take()
    }
}
