//! What comes back from the table and the players.

use super::{ATTEMPTS, Effect, Event, Refusal, SkirmishGame, Waits};
use crate::swm::skirmish::{Answer, Request};

/// What the players answer to whether a decision is carried out.
pub(super) const AGREE: &str = "Carry out";
pub(super) const NOT_NOW: &str = "Not now";

/// How a step went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepAnswer {
    /// It is as the step says.
    Done,
    /// It is not.
    Otherwise {
        /// Why, in plain words.
        reason: String,
    },
}

/// The answers that a question has for the players, and the one for who says nothing.
pub(super) fn options(request: &Request) -> (Vec<String>, String) {
    let (yes, no) = ("yes".to_owned(), "no".to_owned());
    match request {
        Request::Defend { powers, .. } => {
            let none = "none".to_owned();
            (powers.iter().cloned().chain([none.clone()]).collect(), none)
        }
        Request::ByHand { damage, .. } => {
            let amounts = (0..=*damage).step_by(10).map(|left| left.to_string());
            (amounts.collect(), damage.to_string())
        }
        // An attack of opportunity costs nothing; Force points are the players' to spend.
        Request::Opportunity { .. } => (vec![yes.clone(), no], yes),
        _ => (vec![yes, no.clone()], no),
    }
}

/// The answer that is meant by the players' words.
pub(super) fn meant(request: &Request, choice: &str) -> Option<Answer> {
    match request {
        Request::Defend { powers, .. } if choice == "none" => Some(Answer::Power(None)).filter(|_| !powers.is_empty()),
        Request::Defend { powers, .. } => {
            let place = powers.iter().position(|power| power == choice)?;
            Some(Answer::Power(Some(place)))
        }
        Request::ByHand { .. } => choice.trim().parse().ok().map(Answer::Damage),
        Request::Opportunity { .. } | Request::Reroll { .. } | Request::Riposte { .. } | Request::Intercept { .. } => {
            match choice {
                "yes" => Some(Answer::Yes(true)),
                "no" => Some(Answer::Yes(false)),
                _ => None,
            }
        }
        Request::First { .. } | Request::Activate { .. } | Request::Act { .. } => None,
    }
}

impl SkirmishGame {
    /// The table has answered a step. An answer to another step than the one on its way is dropped.
    pub fn step_answered(&mut self, action_id: &str, answer: StepAnswer) {
        let Some(sent) = self.outstanding.take_if(|sent| sent.action_id == action_id) else {
            return;
        };
        let StepAnswer::Otherwise { reason } = answer else {
            self.go_on();
            self.status();
            return;
        };
        // What follows from a step that was not carried out does not follow any more.
        self.steps.clear();
        let why = if reason.is_empty() {
            String::new()
        } else {
            format!(": {reason}")
        };
        let Some(acting) = &mut self.acting else {
            let by_hand = sent.step.words();
            self.effects.push(Effect::Event(Event::Note(format!(
                "The table did not do it{why}. By hand: {by_hand}"
            ))));
            self.status();
            return;
        };
        acting.attempts += 1;
        let figure = acting.figure.clone();
        if acting.attempts >= ATTEMPTS {
            acting.finished = true;
            let message = format!("The table did not do it{why}. Finish the turn of {figure} by hand.");
            self.effects.push(Effect::Event(Event::Replanned { figure, message }));
            self.go_on();
        } else {
            acting.waits = Waits::Sync;
            let message = format!("The table did not do it{why}. It is looked at anew.");
            self.effects.push(Effect::Event(Event::Replanned { figure, message }));
            self.effects.push(Effect::RequestSync);
        }
        self.status();
    }

    /// The players have chosen, or (none) the deadline has passed. An answer to another question is dropped.
    pub fn prompt_answered(&mut self, id: &str, choice: Option<&str>) {
        let Some(acting) = &mut self.acting else { return };
        let Waits::Prompt(prompt) = &acting.waits else { return };
        if prompt.id != id {
            return;
        }
        let prompt = prompt.clone();
        let choice = choice.unwrap_or(&prompt.default).trim().to_owned();
        acting.waits = Waits::Nothing;
        if prompt.die {
            match choice.parse::<u8>().ok().filter(|shows| (1..=20).contains(shows)) {
                Some(shows) => acting.known.push(shows),
                None => return self.ask_again(&choice, prompt),
            }
        } else if prompt.options.iter().any(|option| option == AGREE) {
            if choice != AGREE {
                self.not_now();
                return;
            }
        } else {
            let request = acting.skirmish.pending().cloned();
            match request.and_then(|request| meant(&request, &choice)) {
                Some(answer) => self.play(answer),
                None => return self.ask_again(&choice, prompt),
            }
        }
        self.go_on();
        self.status();
    }

    fn ask_again(&mut self, choice: &str, prompt: super::Prompt) {
        let options = prompt.options.join(", ");
        self.effects.push(Effect::Event(Event::Note(format!(
            "`{choice}` is no answer; answers are {options}."
        ))));
        let options: Vec<&str> = prompt.options.iter().map(String::as_str).collect();
        let again = self.prompt(&prompt.figure, prompt.text, &options, &prompt.default, prompt.die);
        self.wait_for(again);
    }

    fn not_now(&mut self) {
        let Some(acting) = self.acting.take() else { return };
        self.history.pop();
        self.queue = 0;
        self.effects.push(Effect::Event(Event::Note(format!(
            "{} does not act now; it still waits.",
            acting.figure
        ))));
        self.status();
    }

    /// Waits no longer: for the step on its way, or the question. One sentence.
    ///
    /// # Errors
    /// Nothing is waited for.
    pub fn skip(&mut self) -> Result<String, Refusal> {
        if let Some(sent) = self.outstanding.clone() {
            self.step_answered(&sent.action_id, StepAnswer::Done);
            return Ok(format!("By hand: {}", sent.step.words()));
        }
        if let Some(prompt) = self.question().cloned() {
            self.prompt_answered(&prompt.id, None);
            return Ok(format!("Taken: {}.", prompt.default));
        }
        if let Some(roll) = self.acting.as_ref().and_then(|acting| match &acting.waits {
            Waits::Roll(roll) => Some(roll.id.clone()),
            _ => None,
        }) {
            let own = self.own_die();
            self.roll_answered(&roll, Some(own));
            return Ok(format!("Taken: {own}."));
        }
        match &mut self.acting {
            Some(acting) if acting.waits == Waits::Sync => {
                acting.waits = Waits::Nothing;
                acting.finished = true;
                let figure = acting.figure.clone();
                self.go_on();
                self.status();
                Ok(format!("The turn of {figure} is over."))
            }
            _ => Err(Refusal::Nothing("skip")),
        }
    }
}
