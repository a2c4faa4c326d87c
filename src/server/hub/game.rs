//! Between sessions and the game: requests in, commands and events out, answers back in.

use serde_json::Value;
use tokio::time::Instant;

use super::guarded;
use super::session::{Awaiting, Pending, Session, request};
use super::task::Task;
use crate::protocol::event::{EventParams, GameEvent};
use crate::protocol::fault::{Fault, FaultKind};
use crate::protocol::lifecycle::Role;
use crate::protocol::methods::{Direction, Method};
use crate::protocol::plumbing::{CancelParams, Empty, Progress, ProgressParams};
use crate::protocol::rpc::{Id, Message, RpcError};
use crate::server::host::Outgoing;

/// Whose progress is reported, and how far it is.
pub(super) struct ProgressOf {
    session: String,
    token: Id,
    title: String,
    done: u32,
}

type Dispatched = (Result<Value, Fault>, Option<ProgressOf>, Vec<Outgoing>);

impl Task {
    /// Carries out a request of a session.
    pub(super) fn dispatch(&mut self, session: &str, name: &str, params: Value) -> Dispatched {
        let Some(entry) = self.sessions.get_mut(session) else {
            return refused(FaultKind::SessionLost, "this session is over");
        };
        let role = entry.role;
        if entry.shut {
            return refused(FaultKind::InvalidRequest, "shutdown was said; only exit may follow");
        }
        match name {
            "initialize" => return refused(FaultKind::InvalidRequest, "initialize was said before"),
            "shutdown" => {
                entry.shut = true;
                return (Ok(Value::Object(Default::default())), None, Vec::new());
            }
            "$/ping" => return (Ok(Value::Object(Default::default())), None, Vec::new()),
            _ => {}
        }
        let method =
            Method::find(name).filter(|method| method.request && method.direction != Direction::ServerToClient);
        let Some(method) = method else {
            return refused(FaultKind::MethodNotFound, format!("there is no method `{name}`"));
        };
        if !method.roles.contains(&role) {
            return refused(FaultKind::Role, format!("a {} may not send `{name}`", role_name(role)));
        }
        let token = params.get("progressToken").and_then(Id::from_value);
        let Some((outcome, outgoing)) = guarded(|| self.host.request(role, name, params)) else {
            return refused(
                FaultKind::Internal,
                "a mistake in the program; it goes on, please report this",
            );
        };
        let mut progress = None;
        if let Ok(result) = &outcome {
            if name == "table/sync"
                && let Some(entry) = self.sessions.get_mut(session)
            {
                entry.sync_wanted = None;
            }
            progress = token.map(|token| {
                let title = result.get("message").and_then(Value::as_str).unwrap_or(name).to_owned();
                ProgressOf {
                    session: session.to_owned(),
                    token,
                    title,
                    done: 0,
                }
            });
        }
        (outcome, progress, outgoing)
    }

    /// Tells the game that this session is the table now, and sends again what still waits for an answer.
    pub(super) fn attach(&mut self, session: &str, resumed: bool) {
        let Some(entry) = self
            .sessions
            .get_mut(session)
            .filter(|entry| entry.role == Role::Table && !entry.attached)
        else {
            return;
        };
        entry.attached = true;
        self.table = Some(session.to_owned());
        let capabilities = entry.capabilities.clone();
        let outgoing = guarded(|| self.host.table_attached(&capabilities, resumed)).unwrap_or_default();
        let again: Vec<_> = outgoing.iter().filter_map(Awaiting::of).collect();
        let Some(entry) = self.sessions.get(session) else {
            return;
        };
        let mut waiting: Vec<_> = entry
            .pending
            .values()
            .filter(|pending| !again.contains(&pending.awaiting))
            .map(|pending| pending.message.clone())
            .collect();
        if entry.sync_wanted.is_some() && !outgoing.contains(&Outgoing::RequestSync) {
            waiting.push(notification("table/requestSync", &Empty {}));
        }
        for message in waiting {
            self.deliver(session, message);
        }
        self.send_out(outgoing);
    }

    /// Tells the game that the table is away, if this session was it.
    pub(super) fn detach(&mut self, session: &str) {
        if let Some(entry) = self.sessions.get_mut(session)
            && std::mem::take(&mut entry.attached)
        {
            guarded(|| self.host.table_detached());
        }
    }

    /// Sends what the game wants sent.
    pub(super) fn send_out(&mut self, outgoing: Vec<Outgoing>) {
        for item in outgoing {
            match &item {
                Outgoing::Apply(params) => self.ask(&item, "table/apply", params, None),
                Outgoing::Prompt(params) => {
                    let wait = std::time::Duration::from_millis(params.deadline_ms.into());
                    self.ask(&item, "table/prompt", params, Some(wait));
                }
                Outgoing::Roll(params) => self.ask(&item, "dice/roll", params, Some(self.limits.roll)),
                Outgoing::Withdraw(id) => self.withdraw(id),
                Outgoing::RequestSync => {
                    if let Some(table) = self.table.clone() {
                        if let Some(entry) = self.sessions.get_mut(&table) {
                            entry.sync_wanted = Some(Instant::now());
                        }
                        self.deliver(&table, notification("table/requestSync", &Empty {}));
                    }
                }
                Outgoing::Event(event) => self.broadcast(event),
            }
        }
    }

    fn ask(
        &mut self,
        item: &Outgoing,
        method: &str,
        params: &impl serde::Serialize,
        wait: Option<std::time::Duration>,
    ) {
        let Some(awaiting) = Awaiting::of(item) else { return };
        let Some(table) = self.table.clone() else {
            tracing::warn!(method, "no table to send this to; it waits until one comes");
            return;
        };
        let Some(entry) = self.sessions.get_mut(&table) else {
            return;
        };
        let now = Instant::now();
        let known = entry.pending.values_mut().find(|pending| pending.awaiting == awaiting);
        let mut messages = Vec::new();
        if let Some(pending) = known {
            // The same step again: under the same id, with the deadline that it had.
            pending.sent = now;
            messages.push(pending.message.clone());
        } else {
            if matches!(awaiting, Awaiting::Apply(_)) {
                // One step at a time: the game has given up the one before.
                let given_up: Vec<_> = entry
                    .pending
                    .iter()
                    .filter(|(_, pending)| matches!(pending.awaiting, Awaiting::Apply(_)))
                    .map(|(id, _)| *id)
                    .collect();
                for id in given_up {
                    entry.pending.remove(&id);
                    messages.push(cancel(id));
                }
            }
            let id = entry.next_id;
            entry.next_id += 1;
            let message = request(id, method, params);
            messages.push(message.clone());
            let deadline = wait.map(|wait| now + wait);
            entry.pending.insert(
                id,
                Pending {
                    awaiting,
                    message,
                    sent: now,
                    deadline,
                },
            );
        }
        for message in messages {
            self.deliver(&table, message);
        }
    }

    /// The game no longer waits for the answer to a question or a roll: the table is told so.
    fn withdraw(&mut self, id: &str) {
        let Some(table) = self.table.clone() else { return };
        let Some(entry) = self.sessions.get_mut(&table) else {
            return;
        };
        let asked =
            |awaiting: &Awaiting| matches!(awaiting, Awaiting::Prompt(asked) | Awaiting::Roll(asked) if asked == id);
        let mut pending = entry.pending.iter();
        let request = pending
            .find(|(_, pending)| asked(&pending.awaiting))
            .map(|(request, _)| *request);
        if let Some(request) = request {
            entry.pending.remove(&request);
            self.deliver(&table, cancel(request));
        }
    }

    /// Sends an event to every session, under the session's own number.
    fn broadcast(&mut self, event: &GameEvent) {
        let sessions: Vec<_> = self.sessions.keys().cloned().collect();
        for session in sessions {
            let Some(entry) = self.sessions.get_mut(&session) else {
                continue;
            };
            let mut event = event.clone();
            if entry.capabilities.terse
                && let GameEvent::Decided { reasons, .. } = &mut event
            {
                reasons.clear();
            }
            let params = EventParams {
                seq: entry.events.number(),
                event,
            };
            let message = notification("game/event", &params);
            entry.events.keep(message.to_string());
            self.deliver(&session, message);
        }
    }

    /// An answer to one of our requests. A second answer finds nothing that waits, and is dropped.
    pub(super) fn on_response(&mut self, session: &str, id: Option<Id>, outcome: Result<Value, RpcError>) {
        let Some(entry) = self.sessions.get_mut(session) else {
            return;
        };
        let Some(pending) = (match id {
            Some(Id::Number(id)) => entry.pending.remove(&id),
            _ => None,
        }) else {
            tracing::debug!("an answer that nobody waits for");
            return;
        };
        self.on_answer(pending.awaiting, Some(outcome));
    }

    /// Hands an answer (none: the deadline has passed) to the game.
    fn on_answer(&mut self, awaiting: Awaiting, outcome: Option<Result<Value, RpcError>>) {
        let readable = |outcome: Result<Value, RpcError>| outcome.map_err(|error| error.message);
        let outgoing = match awaiting {
            Awaiting::Apply(action) => {
                let result = readable(outcome.unwrap_or(Ok(Value::Null))).and_then(|result| {
                    serde_json::from_value(result)
                        .map_err(|error| format!("the table's answer cannot be read: {error}"))
                });
                self.report_progress();
                guarded(|| self.host.apply_answered(&action, result))
            }
            Awaiting::Prompt(prompt) => {
                let choice = outcome
                    .and_then(Result::ok)
                    .and_then(read::<crate::protocol::solo::PromptResult>);
                guarded(|| self.host.prompt_answered(&prompt, choice.map(|result| result.choice)))
            }
            Awaiting::Roll(roll) => {
                let result = outcome.and_then(Result::ok).and_then(read);
                guarded(|| self.host.roll_answered(&roll, result))
            }
        };
        self.send_out(outgoing.unwrap_or_default());
    }

    /// Takes the default of what is overdue, and sends again what got no answer.
    pub(super) fn on_due(&mut self, now: Instant) {
        let Some(table) = self.table.clone() else { return };
        let Some(entry) = self.sessions.get_mut(&table) else {
            return;
        };
        let overdue: Vec<_> = entry
            .pending
            .iter()
            .filter(|(_, pending)| pending.deadline.is_some_and(|deadline| deadline <= now))
            .map(|(id, _)| *id)
            .collect();
        let mut again = Vec::new();
        if entry.present(&self.limits) {
            for pending in entry.pending.values_mut() {
                if pending.deadline.is_none() && pending.sent + self.limits.resend <= now {
                    pending.sent = now;
                    again.push(pending.message.clone());
                }
            }
        }
        if entry.present(&self.limits)
            && let Some(asked) = &mut entry.sync_wanted
            && *asked + self.limits.resend <= now
        {
            *asked = now;
            again.push(notification("table/requestSync", &Empty {}));
        }
        for message in again {
            tracing::debug!("the table did not answer; it is asked again");
            self.deliver(&table, message);
        }
        for id in overdue {
            if let Some(pending) = self
                .sessions
                .get_mut(&table)
                .and_then(|entry| entry.pending.remove(&id))
            {
                self.deliver(&table, cancel(id));
                self.on_answer(pending.awaiting, None);
            }
        }
    }

    pub(super) fn begin_progress(&mut self, progress: ProgressOf) {
        self.deliver_progress(
            &progress,
            Progress::Begin {
                title: progress.title.clone(),
            },
        );
        if let Some(earlier) = self.progress.replace(progress) {
            self.deliver_progress(&earlier, Progress::End { done: earlier.done });
        }
    }

    fn report_progress(&mut self) {
        if let Some(mut progress) = self.progress.take() {
            progress.done += 1;
            self.deliver_progress(&progress, Progress::Report { done: progress.done });
            self.progress = Some(progress);
        }
    }

    /// Ends the progress report once nothing is asked of the table any more.
    pub(super) fn end_progress(&mut self) {
        let table = self.table.as_ref().and_then(|table| self.sessions.get(table));
        let is_idle = |table: &Session| table.pending.is_empty() && table.sync_wanted.is_none();
        if table.is_none_or(is_idle)
            && let Some(progress) = self.progress.take()
        {
            self.deliver_progress(&progress, Progress::End { done: progress.done });
        }
    }

    fn deliver_progress(&mut self, progress: &ProgressOf, value: Progress) {
        let params = ProgressParams {
            token: progress.token.clone(),
            value,
        };
        self.deliver(&progress.session, notification("$/progress", &params));
    }
}

impl Awaiting {
    fn of(outgoing: &Outgoing) -> Option<Awaiting> {
        match outgoing {
            Outgoing::Apply(params) => Some(Awaiting::Apply(params.action_id.clone())),
            Outgoing::Prompt(params) => Some(Awaiting::Prompt(params.prompt_id.clone())),
            Outgoing::Roll(params) => Some(Awaiting::Roll(params.roll_id.clone())),
            Outgoing::Withdraw(_) | Outgoing::RequestSync | Outgoing::Event(_) => None,
        }
    }
}

fn read<T: serde::de::DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

fn refused(kind: FaultKind, message: impl Into<String>) -> Dispatched {
    (Err(Fault::new(kind, message)), None, Vec::new())
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Table => "table",
        Role::Viewer => "viewer",
        Role::Cli => "cli",
    }
}

fn cancel(id: i64) -> Value {
    notification("$/cancelRequest", &CancelParams { id: Id::Number(id) })
}

fn notification(method: &str, params: &impl serde::Serialize) -> Value {
    // Wire types are structs of strings, numbers and lists: they always serialise.
    let params = serde_json::to_value(params).unwrap_or_default();
    Message::Notification {
        method: method.to_owned(),
        params,
    }
    .to_value()
}
