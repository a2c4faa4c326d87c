//! The game that is played at a table on a server: the host that also serves the plugin, with the peer as its table.
//!
//! A peer without the module's code carries out what the states of pieces show: where they stand, how they are turned, what their
//! properties say, which are there. What only the module does the host says in chat, for the players to do by hand.

use std::{
    collections::{BTreeSet, VecDeque},
    path::PathBuf,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    bridge::{
        host::{Host, HostConfig},
        served::Outgoing,
        skirmish::{SkirmishHost, SkirmishHostConfig},
        vassal::{
            module::Module,
            online::{Peer, Refused},
            profile::{Plays, Profile},
            save::About,
            table,
        },
        vassal_table::VassalReader,
    },
    decision::Reason,
    protocol::{
        apply::{ApplyParams, ApplyResult, Outcome, Placement, WireStep},
        event::GameEvent,
        lifecycle::{ClientCapabilities, Dialect, Role},
        solo::{AdvanceResult, Done, PreviewResult, PromptParams},
        status::StatusResult,
        vassal::VassalSnapshot,
    },
    server::{host::TableHost, vassal::VassalHost},
    solo_alpha::Options,
    xwing::catalog::Catalog,
};

/// How the opponent plays.
#[derive(Debug, Clone)]
pub(super) struct Wishes {
    /// All rolls come from it.
    pub(super) seed: u64,
    /// Choices that the rules leave open.
    pub(super) options: Options,
    /// Facts of ships and pilots.
    pub(super) catalog: &'static Catalog,
    /// A profile of the user's own.
    pub(super) profile: Option<PathBuf>,
    /// The side that nobody plays; empty: what the profile says.
    pub(super) solo_side: String,
}

/// The table on the server as the program knows it.
pub(super) struct Seated {
    pub(super) peer: Peer,
    pub(super) about: About,
    pub(super) module: Option<Module>,
}

impl Seated {
    /// The id of the piece that an id or a name means; of no name none.
    pub(super) fn meant(&self, named: &str) -> Result<String, String> {
        match self.peer.game() {
            Some(game) if !named.is_empty() => super::orders::found(game, named),
            _ => Ok(String::new()),
        }
    }
}

/// What comes of an order: lines for the server, and lines for whoever sits at the keyboard.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) send: Vec<String>,
    pub(super) said: Vec<String>,
}

impl Told {
    pub(super) fn note(text: impl Into<String>) -> Told {
        Told {
            send: Vec::new(),
            said: vec![text.into()],
        }
    }
}

/// Plays the solo side.
pub(super) struct Opponent {
    wishes: Wishes,
    /// The game, once one has come that a profile reads.
    host: Option<VassalHost>,
    rev: u64,
    /// The table as the game was told it last.
    known: Option<VassalSnapshot>,
    presses: u64,
    /// Each decision is a question first.
    confirm: bool,
    /// A question that waits, and until when.
    question: Option<(PromptParams, Instant)>,
    /// Remarks that were made already.
    remarked: BTreeSet<String>,
    /// Why the last one was decided so.
    reasons: Vec<Reason>,
    /// Pieces for which a step was carried out.
    acted: BTreeSet<String>,
}

impl Opponent {
    pub(super) fn new(wishes: Wishes) -> Opponent {
        Opponent {
            wishes,
            host: None,
            rev: 0,
            known: None,
            presses: 0,
            confirm: false,
            question: None,
            remarked: BTreeSet::new(),
            reasons: Vec::new(),
            acted: BTreeSet::new(),
        }
    }

    /// Whether decisions are asked about from now on.
    pub(super) fn confirm(&mut self, on: bool) {
        self.confirm = on;
    }

    /// When the question that waits is answered by its default.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.question.as_ref().map(|(_, until)| *until)
    }

    /// Shows the game the table, if it has changed.
    pub(super) fn look(&mut self, seated: &mut Seated) -> Told {
        let mut told = Told::default();
        self.sync(seated, false, &mut told);
        told
    }

    /// Decides, and carries nothing out.
    pub(super) fn preview(&mut self, seated: &mut Seated, piece: &str) -> Told {
        self.ask(seated, "solo/preview", json!({"ship": piece}), |own, answer| {
            let Ok(preview) = serde_json::from_value::<PreviewResult>(answer) else {
                return String::new();
            };
            own.reasons = preview.reasons;
            preview.sentence
        })
    }

    /// Plays the next activation, or that of a piece.
    pub(super) fn advance(&mut self, seated: &mut Seated, piece: &str) -> Told {
        let params = json!({"opId": self.press(), "ship": piece, "confirm": self.confirm});
        self.ask(seated, "solo/advance", params, |_, answer| {
            let answer: AdvanceResult = serde_json::from_value(answer).unwrap_or_default();
            answer.message
        })
    }

    /// Takes the last activation back.
    pub(super) fn undo(&mut self, seated: &mut Seated) -> Told {
        let params = json!({"opId": self.press()});
        self.ask(seated, "solo/undo", params, |_, answer| done(answer))
    }

    /// How the game stands.
    pub(super) fn status(&mut self, seated: &mut Seated) -> Told {
        self.ask(seated, "game/status", Value::Null, |_, answer| {
            let status: StatusResult = serde_json::from_value(answer).unwrap_or_default();
            status.text
        })
    }

    /// Why the last one was decided so, a rule a line.
    pub(super) fn why(&self) -> Told {
        if self.reasons.is_empty() {
            return Told::note("Nothing has been decided yet.");
        }
        Told {
            send: Vec::new(),
            said: (self.reasons.iter())
                .map(|reason| format!("{}: {}", reason.rule, reason.text))
                .collect(),
        }
    }

    /// Players have taken back what was done with these pieces: those that acted have not had their turn.
    pub(super) fn taken_back(&mut self, seated: &mut Seated, pieces: &BTreeSet<String>) -> Told {
        let mut told = self.look(seated);
        let acted: Vec<String> = self.acted.intersection(pieces).cloned().collect();
        for piece in acted {
            self.acted.remove(&piece);
            let params = json!({"opId": self.press(), "ship": piece, "activated": "waiting"});
            let Some(host) = &mut self.host else { break };
            // Of pieces that have no turn the game refuses it, which is nothing to tell.
            let (_, outgoing) = host.request(Role::Table, "solo/override", params);
            self.follow(seated, outgoing, &mut told);
        }
        told
    }

    /// Answers the question that waits: by the number of an option, its words, or what else is asked for.
    pub(super) fn answer(&mut self, seated: &mut Seated, text: &str) -> Told {
        let Some((prompt, _)) = self.question.take() else {
            return Told::note("Nothing is asked.");
        };
        let number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let option = number.and_then(|number| prompt.options.get(number));
        let option = option.or_else(|| prompt.options.iter().find(|option| option.eq_ignore_ascii_case(text)));
        let choice = option.cloned().unwrap_or_else(|| text.to_owned());
        self.answered(seated, &prompt.prompt_id, Some(choice))
    }

    /// Takes the default of a question whose time is over.
    pub(super) fn pass_deadline(&mut self, seated: &mut Seated, now: Instant) -> Told {
        match self.question.take() {
            Some((prompt, until)) if until <= now => self.answered(seated, &prompt.prompt_id, None),
            question => {
                self.question = question;
                Told::default()
            }
        }
    }

    fn answered(&mut self, seated: &mut Seated, prompt: &str, choice: Option<String>) -> Told {
        let mut told = Told::default();
        if let Some(host) = &mut self.host {
            let outgoing = host.prompt_answered(prompt, choice);
            self.follow(seated, outgoing, &mut told);
            self.sync(seated, false, &mut told);
        }
        told
    }

    /// A number for a press that is used once.
    fn press(&mut self) -> String {
        self.presses += 1;
        format!("typed {}", self.presses)
    }

    fn ask(
        &mut self,
        seated: &mut Seated,
        method: &str,
        params: Value,
        say: impl FnOnce(&mut Opponent, Value) -> String,
    ) -> Told {
        if seated.peer.game().is_none() {
            return Told::note("There is no game yet.");
        }
        let mut told = Told::default();
        self.sync(seated, true, &mut told);
        let Some(host) = &mut self.host else { return told };
        let (answer, outgoing) = host.request(Role::Table, method, params);
        let said = match answer {
            Ok(answer) => say(self, answer),
            Err(fault) => fault.message,
        };
        told.said.extend(Some(said).filter(|said| !said.is_empty()));
        self.follow(seated, outgoing, &mut told);
        // What was carried out is seen, as any other change of the table.
        self.sync(seated, false, &mut told);
        told
    }

    /// Sends the game what lies on the table; unchanged only if it is asked for.
    fn sync(&mut self, seated: &mut Seated, again: bool, told: &mut Told) {
        let outgoing = self.synced(seated, again, told);
        self.follow(seated, outgoing, told);
    }

    fn synced(&mut self, seated: &Seated, again: bool, told: &mut Told) -> Vec<Outgoing> {
        let Some(game) = seated.peer.game() else {
            return Vec::new();
        };
        let mut snapshot = table::snapshot(game, &seated.about, seated.module.as_ref());
        snapshot.automates.clone_from(&self.wishes.solo_side);
        if self.known.as_ref() == Some(&snapshot) && !again {
            return Vec::new();
        }
        let mut outgoing = match self.begin(&snapshot) {
            Ok(outgoing) => outgoing,
            Err(why) => {
                self.remark(why, told);
                return Vec::new();
            }
        };
        if self.known.as_ref() != Some(&snapshot) {
            self.rev += 1;
        }
        let mut raw = serde_json::to_value(&snapshot).unwrap_or_default();
        raw["kind"] = json!("vassal");
        self.known = Some(snapshot);
        let Some(host) = &mut self.host else { return outgoing };
        let (answer, more) = host.request(Role::Table, "table/sync", json!({"rev": self.rev, "snapshot": raw}));
        outgoing.extend(more);
        match answer {
            Ok(answer) => {
                let warnings = answer
                    .get("warnings")
                    .and_then(Value::as_array)
                    .cloned()
                    .unwrap_or_default();
                for warning in warnings {
                    let message = warning["message"].as_str().unwrap_or_default();
                    self.remark(message.to_owned(), told);
                }
            }
            Err(fault) => self.remark(fault.message, told),
        }
        outgoing
    }

    /// Begins the game that the module plays, when the first table is there.
    fn begin(&mut self, seen: &VassalSnapshot) -> Result<Vec<Outgoing>, String> {
        if self.host.is_some() {
            return Ok(Vec::new());
        }
        let Wishes {
            seed,
            options,
            catalog,
            profile,
            ..
        } = self.wishes.clone();
        let read = match &profile {
            Some(file) => Profile::open(file),
            None => Profile::for_game(seen),
        };
        let plays = read.map_err(|damage| damage.to_string())?.game;
        let game: Box<dyn TableHost> = match plays {
            Plays::XWing => Box::new(Host::new(HostConfig {
                seed,
                options,
                catalog,
                ..HostConfig::default()
            })),
            Plays::StarWarsMiniatures => Box::new(SkirmishHost::new(SkirmishHostConfig {
                seed,
                ..SkirmishHostConfig::default()
            })),
        };
        let mut host = VassalHost::around(game, VassalReader::new(plays, catalog, profile));
        let capabilities = ClientCapabilities {
            dialect: Dialect::Vassal,
            steps: ["say", "pieces"].map(str::to_owned).to_vec(),
            prompt: true,
            ..ClientCapabilities::default()
        };
        let outgoing = host.table_attached(&capabilities, false);
        self.host = Some(host);
        Ok(outgoing)
    }

    fn remark(&mut self, text: String, told: &mut Told) {
        if !text.is_empty() && self.remarked.insert(text.clone()) {
            told.said.push(format!("note: {text}"));
        }
    }

    /// Does whatever the game wants done, until it wants no more.
    fn follow(&mut self, seated: &mut Seated, outgoing: Vec<Outgoing>, told: &mut Told) {
        let mut waiting: VecDeque<Outgoing> = outgoing.into();
        while let Some(outgoing) = waiting.pop_front() {
            match outgoing {
                Outgoing::Apply(asked) => {
                    let answer = self.carry_out(seated, &asked, told);
                    if let Some(host) = &mut self.host {
                        waiting.extend(host.apply_answered(&asked.action_id, Ok(answer)));
                    }
                }
                Outgoing::RequestSync => waiting.extend(self.synced(seated, true, told)),
                Outgoing::Event(event) => self.happened(event, told),
                Outgoing::Prompt(prompt) => {
                    told.said.push(asked(&prompt));
                    let until = Instant::now() + Duration::from_millis(prompt.deadline_ms.into());
                    self.question = Some((prompt, until));
                }
                Outgoing::Withdraw(id) => {
                    self.question = self.question.take().filter(|(prompt, _)| prompt.prompt_id != id)
                }
                // Nobody rolls here, and nobody was told that somebody would.
                Outgoing::Roll(roll) => {
                    if let Some(host) = &mut self.host {
                        waiting.extend(host.roll_answered(&roll.roll_id, None));
                    }
                }
            }
        }
    }

    fn happened(&mut self, event: GameEvent, told: &mut Told) {
        match event {
            // The sentence itself is said at the table.
            GameEvent::Decided { reasons, .. } => self.reasons = reasons,
            GameEvent::Activated { message, .. }
            | GameEvent::Replanned { message, .. }
            | GameEvent::Attack { message, .. }
            | GameEvent::Note { message } => told.said.push(message),
            GameEvent::Round { .. } | GameEvent::Phase { .. } | GameEvent::Ledger { .. } | GameEvent::Status { .. } => {
            }
        }
    }

    /// Carries a step out, and tells the others in the room.
    fn carry_out(&mut self, seated: &mut Seated, asked: &ApplyParams, told: &mut Told) -> ApplyResult {
        let mut result = ApplyResult {
            outcome: Outcome::Applied,
            reason: String::new(),
            rev: self.rev,
            observed: None,
            bumped: false,
            touching: Vec::new(),
        };
        match &asked.step {
            WireStep::Say { text, .. } => {
                told.send.push(seated.peer.say(text));
                told.said.push(text.clone());
            }
            WireStep::Pieces { object, changes, text } => {
                match seated.peer.change(changes, text) {
                    Ok(line) => {
                        if !(changes.is_empty() && text.is_empty()) {
                            told.send.push(line);
                        }
                        told.said.extend(Some(text.clone()).filter(|text| !text.is_empty()));
                        if !changes.is_empty() {
                            self.acted.insert(object.clone());
                        }
                    }
                    // Without the module nothing else can be done: the players do it, and the game goes on.
                    Err(Refused::NeedsModule(what)) => {
                        let text = format!("{text} Please do it by hand: {what} needs a Vassal with the module.");
                        told.send.push(seated.peer.say(&text));
                        told.said.push(text);
                    }
                    Err(refused) => {
                        result.outcome = Outcome::Rejected;
                        result.reason = refused.to_string();
                    }
                }
                result.observed = observed(&seated.peer, object);
            }
            _ => {
                result.outcome = Outcome::Rejected;
                result.reason = "this table changes pieces and nothing else".to_owned();
            }
        }
        // The table that comes next is a newer one.
        if let Some(game) = seated.peer.game() {
            let mut snapshot = table::snapshot(game, &seated.about, seated.module.as_ref());
            snapshot.automates.clone_from(&self.wishes.solo_side);
            if self.known.as_ref() != Some(&snapshot) {
                self.rev += 1;
                result.rev = self.rev;
            }
        }
        result
    }
}

fn done(answer: Value) -> String {
    let answer: Done = serde_json::from_value(answer).unwrap_or_default();
    answer.message
}

/// A question with its options by number.
fn asked(prompt: &PromptParams) -> String {
    let options = prompt.options.iter().enumerate().map(|(index, option)| {
        let mark = if *option == prompt.default { " (default)" } else { "" };
        format!("{} {option}{mark}", index + 1)
    });
    let options: Vec<String> = options.collect();
    format!(
        "{} Type `answer N`: {}. In {} s the default is taken.",
        prompt.text,
        options.join(", "),
        prompt.deadline_ms / 1000
    )
}

/// Where a piece is now.
fn observed(peer: &Peer, piece: &str) -> Option<Placement> {
    let game = peer.game()?;
    let place = game.place(piece)?;
    place.map.as_ref()?;
    Some(Placement {
        x: place.x.into(),
        y: place.y.into(),
        facing: game.piece(piece)?.heading().unwrap_or(0.0),
    })
}
