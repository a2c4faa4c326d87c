//! `WebRequest` over real sockets: a worker thread a request, and ways to break it.

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    rc::Rc,
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use mlua::{Lua, Table};

/// How long time stands still for a request that the server should answer at once.
pub(super) const PROMPT: Duration = Duration::from_millis(300);
/// No request lives longer than this, whatever happens.
const LIFETIME: Duration = Duration::from_secs(60);

/// What happens to one request of the controller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NetworkFault {
    /// It never reaches the server and reports an error.
    LoseRequest,
    /// It reaches the server; the reply is lost and an error reported.
    LoseReply,
    /// It reaches the server twice; the second reply is delivered.
    SendTwice,
    /// It is sent this much later.
    Delay(Duration),
    /// It is swallowed: no reply and no error, ever.
    Silence,
    /// Another program answers with status 200 and this text.
    Answer(String),
}

/// What a finished request reports.
#[derive(Debug)]
pub(super) struct Reply {
    pub text: String,
    pub code: u16,
    pub error: Option<String>,
}

impl Reply {
    fn failed(error: impl ToString) -> Self {
        Reply {
            text: String::new(),
            code: 0,
            error: Some(error.to_string()),
        }
    }
}

#[derive(Debug)]
struct Flight {
    since: Instant,
    carries_messages: bool,
    agent: ureq::Agent,
    reply: Receiver<Reply>,
    /// Kept for a request that is swallowed, so that waiting for it is no error.
    _sender: Sender<Reply>,
}

/// The requests under way.
#[derive(Debug, Default)]
pub(super) struct Web {
    made: u64,
    flights: BTreeMap<u64, Flight>,
    /// Texts of all replies that came in, if somebody wants to look at them.
    pub kept: Option<Vec<String>>,
    pub faults: VecDeque<Option<NetworkFault>>,
}

impl Web {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn made(&self) -> u64 {
        self.made
    }

    fn start(&mut self, url: String, method: String, body: String) -> u64 {
        self.made += 1;
        let id = self.made;
        let (sender, reply) = channel();
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(LIFETIME))
            .proxy(None)
            // Each request has an agent of its own; a connection kept open would only take up room.
            .max_idle_connections(0)
            .build()
            .into();
        let fault = self.faults.pop_front().flatten();
        let carries_messages = !body.contains("\"messages\":[]");
        let flight = Flight {
            since: Instant::now(),
            carries_messages,
            agent: agent.clone(),
            reply,
            _sender: sender.clone(),
        };
        self.flights.insert(id, flight);
        thread::spawn(move || {
            if let Some(reply) = carry_out(&agent, &url, &method, &body, fault) {
                // Nobody listens any more if the request was given up.
                let _ = sender.send(reply);
            }
        });
        id
    }

    fn abort(&mut self, id: u64) {
        if let Some(flight) = self.flights.remove(&id) {
            flight.agent.shutdown();
        }
    }

    pub fn carries_messages(&self, id: u64) -> bool {
        self.flights.get(&id).is_some_and(|flight| flight.carries_messages)
    }

    pub fn real_age(&self, id: u64) -> Duration {
        self.flights
            .get(&id)
            .map_or(Duration::ZERO, |flight| flight.since.elapsed())
    }

    /// Waits for the reply of a request; once it is there, the request and its connection are done with.
    pub fn wait(&mut self, id: u64, at_most: Duration) -> Option<Reply> {
        let reply = self.flights.get(&id)?.reply.recv_timeout(at_most).ok()?;
        self.flights.remove(&id);
        if let Some(kept) = &mut self.kept {
            kept.push(reply.text.clone());
        }
        Some(reply)
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        for (_, flight) in std::mem::take(&mut self.flights) {
            flight.agent.shutdown();
        }
    }
}

fn carry_out(agent: &ureq::Agent, url: &str, method: &str, body: &str, fault: Option<NetworkFault>) -> Option<Reply> {
    match fault {
        None => {}
        Some(NetworkFault::LoseRequest) => return Some(Reply::failed("the connection broke off")),
        Some(NetworkFault::LoseReply) => {
            send(agent, url, method, body);
            return Some(Reply::failed("the connection broke off"));
        }
        Some(NetworkFault::SendTwice) => {
            send(agent, url, method, body);
        }
        Some(NetworkFault::Delay(time)) => thread::sleep(time),
        Some(NetworkFault::Silence) => return None,
        Some(NetworkFault::Answer(text)) => {
            return Some(Reply {
                text,
                code: 200,
                error: None,
            });
        }
    }
    Some(send(agent, url, method, body))
}

fn send(agent: &ureq::Agent, url: &str, method: &str, body: &str) -> Reply {
    let answered = match method {
        "POST" => agent.post(url).header("Content-Type", "application/json").send(body),
        "GET" => agent.get(url).call(),
        other => return Reply::failed(format!("the virtual table sends GET and POST alone, not {other}")),
    };
    match answered {
        Ok(mut response) => {
            let code = response.status().as_u16();
            match response.body_mut().read_to_string() {
                Ok(text) => Reply {
                    text,
                    code,
                    error: None,
                },
                Err(error) => Reply::failed(error),
            }
        }
        Err(error) => Reply::failed(error),
    }
}

pub(super) fn install(lua: &Lua, host: &Table, web: &Rc<RefCell<Web>>) -> mlua::Result<()> {
    let starting = Rc::clone(web);
    host.set(
        "request",
        lua.create_function(move |_, (url, method, body): (String, String, String)| {
            Ok(starting.borrow_mut().start(url, method, body))
        })?,
    )?;
    let aborting = Rc::clone(web);
    host.set(
        "abort",
        lua.create_function(move |_, id: u64| {
            aborting.borrow_mut().abort(id);
            Ok(())
        })?,
    )
}
