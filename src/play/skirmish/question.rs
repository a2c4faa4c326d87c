//! What the player of a skirmish is asked: the choices that the rules allow, each with what is typed for it.

use crate::swm::{
    board::Board,
    figure::{Figure, Side},
    skirmish::{Answer, Request, Skirmish, turn::walk_to, words},
    square::Square,
    targets,
};

/// One way to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What it is.
    pub words: String,
    /// The answer.
    pub answer: Answer,
}

/// A question with its answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Who is asked, and for what.
    pub heading: String,
    /// What ought to be known about it.
    pub facts: Vec<String>,
    /// Answers that are chosen by their numbers.
    pub choices: Vec<Choice>,
    /// The answer for who types nothing.
    pub usual: Option<Answer>,
}

/// The most squares that a list of them has.
const LISTED: usize = 60;

fn squares(list: impl Iterator<Item = (Square, u16)>) -> String {
    let mut all: Vec<(u16, Square)> = list.map(|(at, cost)| (cost, at)).collect();
    all.sort_unstable();
    let more = all.len().saturating_sub(LISTED);
    let mut words: Vec<String> = all.iter().take(LISTED).map(|(_, at)| at.to_string()).collect();
    if more > 0 {
        words.push(format!("and {more} more"));
    }
    words.join(" ")
}

impl Question {
    /// What is asked now, with a suggestion for who types nothing. `None` when nothing is.
    pub fn of(skirmish: &Skirmish, suggested: Option<Answer>) -> Option<Question> {
        let request = skirmish.pending()?;
        let board = skirmish.board();
        let mut question = Question {
            heading: words::request(board, request),
            facts: Vec::new(),
            choices: Vec::new(),
            usual: suggested,
        };
        match request {
            Request::First { .. } => {
                question.add("you go first", Answer::First(Side::Player));
                question.add("the automated side goes first", Answer::First(Side::Automated));
            }
            Request::Activate { side } => {
                for figure in board.side(*side).filter(|figure| !figure.activated) {
                    let words = format!("{} at {}, {} hit points", figure.called(), figure.at, figure.hit_points);
                    question.add(words, Answer::Activate(figure.id.clone()));
                }
            }
            Request::Act { figure } => question.act(skirmish, board.figure(figure)?),
            Request::Opportunity { .. }
            | Request::Reroll { .. }
            | Request::Riposte { .. }
            | Request::Intercept { .. } => {
                question.add("yes", Answer::Yes(true));
                question.add("no", Answer::Yes(false));
            }
            Request::Defend { powers, .. } => {
                for (place, power) in powers.iter().enumerate() {
                    question.add(power.as_str(), Answer::Power(Some(place)));
                }
                question.add("none", Answer::Power(None));
            }
            Request::ByHand { damage, .. } => {
                question
                    .facts
                    .push("Roll and count by the card, then type what is left, as in `damage 10`.".to_owned());
                for left in (0..=*damage).rev().step_by(10) {
                    question.add(format!("{left} damage"), Answer::Damage(left));
                }
            }
        }
        Some(question)
    }

    fn add(&mut self, words: impl Into<String>, answer: Answer) {
        let words = words.into();
        self.choices.push(Choice { words, answer });
    }

    fn act(&mut self, skirmish: &Skirmish, figure: &Figure) {
        let seen = skirmish.sighted_now();
        for enemy in &seen {
            let target = enemy.figure;
            let mut words = format!(
                "attack {} at {}, range {}, {} hit points, Defense {}",
                target.called(),
                target.at,
                enemy.range,
                target.hit_points,
                targets::defense(figure, target, enemy.adjacent, enemy.covered)
            );
            if enemy.covered {
                words += " in cover";
            }
            if enemy.legal {
                let attack = |stays| Answer::Attack {
                    target: target.id.clone(),
                    stays,
                    with: Vec::new(),
                };
                self.add(words.clone(), attack(false));
                if crate::swm::opponent::gains_by_staying(figure) && !skirmish.has_moved() {
                    self.add(format!("{words}, giving up its move"), attack(true));
                }
                let friends: Vec<&str> = (skirmish.may_combine(&target.id).iter())
                    .map(|friend| friend.id.as_str())
                    .collect();
                if !friends.is_empty() {
                    self.facts.push(format!(
                        "Combined fire on {}: `attack {} with {}`, or fewer of them; each gives up its activation for +4.",
                        target.id,
                        target.id,
                        friends.join(" ")
                    ));
                }
            } else {
                let why = skirmish
                    .why_not(&target.id)
                    .map_or_else(String::new, |why| format!(": {why}"));
                self.facts
                    .push(format!("It sees {} and may not attack it{why}.", target.called()));
            }
        }
        for area in skirmish.areas_now() {
            for target in area.targets {
                let name = skirmish
                    .board()
                    .figure(&target)
                    .map_or_else(|| target.clone(), Figure::called);
                let ability = area.ability.clone();
                self.add(format!("{ability} on {name}"), Answer::Area { ability, target });
            }
        }
        let (left, fighting) = (skirmish.may_still_move(), skirmish.may_move_and_attack());
        if left > 0
            && let Some(ways) = skirmish.ways_now(left, false)
        {
            let within = squares(ways.ends(fighting).filter(|(at, _)| *at != figure.at));
            if !within.is_empty() {
                self.facts
                    .push(format!("`move SQUARE`: within {fighting} squares {within}."));
            }
            let beyond = squares(ways.ends(left).filter(|(_, cost)| *cost > fighting));
            if !beyond.is_empty() {
                self.facts.push(format!("With a double move, and no attack: {beyond}."));
            }
            let held = skirmish
                .board()
                .enemies(figure)
                .any(|enemy| enemy.card.can_attack() && skirmish.board().are_adjacent(enemy.space(), figure.space()));
            if held {
                self.facts
                    .push("An enemy beside it may attack it when it moves away.".to_owned());
            }
        }
        if skirmish.may_move_by_force() {
            let one = match figure.force {
                1 => "its Force point".to_owned(),
                many => format!("one of its {many} Force points"),
            };
            self.facts
                .push(format!("`force SQUARE` spends {one} to come 2 squares farther."));
        }
        self.add("done", Answer::Done);
    }

    /// What somebody means by what was typed; an error says what is expected.
    ///
    /// # Errors
    /// Text that is no answer.
    pub fn meant(&self, skirmish: &Skirmish, typed: &str) -> Result<Answer, String> {
        if typed.is_empty() {
            return self
                .usual
                .clone()
                .ok_or_else(|| "type the number of a choice".to_owned());
        }
        if let Ok(number) = typed.parse::<usize>() {
            let choice = number.checked_sub(1).and_then(|place| self.choices.get(place));
            return match choice {
                Some(choice) => Ok(choice.answer.clone()),
                None => Err(format!("there are choices 1 to {}", self.choices.len())),
            };
        }
        if let Some(answer) = self.walk(skirmish, typed) {
            return answer;
        }
        let wanted = typed.to_lowercase();
        // The shortest way to name a figure, and `y` and `n`.
        let board = skirmish.board();
        let answer = match (skirmish.pending(), wanted.as_str()) {
            (Some(Request::Activate { .. }), _) if find(board, typed).is_some() => {
                find(board, typed).map(|figure| Answer::Activate(figure.id.clone()))
            }
            (Some(Request::Act { .. }), "end" | "d") => Some(Answer::Done),
            (_, "y") => Some(Answer::Yes(true)),
            (_, "n") => Some(Answer::Yes(false)),
            _ => None,
        };
        if let Some(answer) = answer {
            return Ok(answer);
        }
        if let Ok(answer) = typed.parse::<Answer>() {
            return Ok(answer);
        }
        let mut starts = self
            .choices
            .iter()
            .filter(|choice| choice.words.to_lowercase().starts_with(&wanted));
        match (starts.next(), starts.next()) {
            (Some(choice), None) => Ok(choice.answer.clone()),
            (Some(_), Some(_)) => Err("more than one choice begins so".to_owned()),
            _ => Err("type the number of a choice, or a choice in words".to_owned()),
        }
    }

    /// `move C4`: the way is found; with several squares it is that way.
    fn walk(&self, skirmish: &Skirmish, typed: &str) -> Option<Result<Answer, String>> {
        if !matches!(skirmish.pending(), Some(Request::Act { .. })) {
            return None;
        }
        let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
        let force = word.eq_ignore_ascii_case("force");
        let rest = match word.to_lowercase().as_str() {
            "move" | "force" | "m" => rest.trim(),
            // A square alone.
            _ if rest.is_empty() && word.parse::<Square>().is_ok() => word,
            _ => return None,
        };
        let way: Result<Vec<Square>, _> = rest.split_whitespace().map(str::parse::<Square>).collect();
        Some(match way {
            Err(error) => Err(error.to_string()),
            Ok(way) => match way[..] {
                [] => Err("say where to, as in `move C4`".to_owned()),
                [to] => walk_to(skirmish, to, force)
                    .ok_or_else(|| format!("no way leads to {to} with the movement that is left")),
                _ => Ok(Answer::Move { way, force }),
            },
        })
    }
}

/// The figure that somebody means: by its id, or by the beginning of its name where that is clear.
pub fn find<'b>(board: &'b Board, typed: &str) -> Option<&'b Figure> {
    if let Some(figure) = board.figure(typed) {
        return Some(figure);
    }
    let wanted = typed.to_lowercase();
    let named = |figure: &&Figure| wanted.len() > 1 && figure.card.name.to_lowercase().starts_with(&wanted);
    let mut found = board.figures().iter().filter(named);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
