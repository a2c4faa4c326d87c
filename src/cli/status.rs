//! `tallyho status`: asks the running server how the game stands.

use std::io::{self, Write as _};
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::GlobalOptions;
use crate::protocol::SUPPORTED;
use crate::protocol::http::{Health, PollReply};
use crate::protocol::lifecycle::{ClientCapabilities, ClientInfo, InitializeParams, Role};
use crate::protocol::status::StatusResult;
use crate::server::instance::{Folders, Instance};
use crate::server::tokens::{Tokens, random_hex};

/// Ask the running server how the game stands
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Asks and prints.
///
/// # Errors
/// No server is running, it is not the one that the instance file names, or it does not answer.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    global.log_to_stderr();
    let folders = Folders::of_user()?;
    let Some(instance) = Instance::running(&folders)? else {
        bail!("no server is running; start one with `tallyho serve`");
    };
    let tokens = Tokens::load_or_create(&instance.token_file)?;
    let server = Server {
        port: instance.port,
        agent: agent(),
    };
    server.prove(&tokens)?;
    let status = server.status(&tokens)?;
    let mut out = io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", json!({"instance": instance, "game": status}))?;
        return Ok(());
    }
    writeln!(
        out,
        "server   http://127.0.0.1:{}, process {}, version {}",
        instance.port, instance.pid, instance.version
    )?;
    writeln!(out, "tokens   {}", instance.token_file.display())?;
    writeln!(
        out,
        "table    {}",
        if status.table { "attached" } else { "none attached" }
    )?;
    writeln!(out, "round    {}", status.round)?;
    writeln!(out, "solo     {}", listed(&status.solo))?;
    writeln!(out, "waiting  {}", listed(&status.waiting))?;
    if !status.outstanding.is_empty() {
        writeln!(out, "step     {} is being carried out", status.outstanding)?;
    }
    if !status.text.is_empty() {
        writeln!(out, "\n{}", status.text)?;
    }
    Ok(())
}

fn listed(ships: &[String]) -> String {
    if ships.is_empty() {
        "none".to_owned()
    } else {
        ships.join(", ")
    }
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_secs(10)))
        .build()
        .into()
}

/// A server on this machine.
struct Server {
    port: u16,
    agent: ureq::Agent,
}

impl Server {
    /// Makes sure that whoever answers on the port knows the token, before it is sent there.
    fn prove(&self, tokens: &Tokens) -> anyhow::Result<()> {
        let nonce = random_hex(16)?;
        let url = format!("http://127.0.0.1:{}/health?nonce={nonce}", self.port);
        let health: Health = self
            .agent
            .get(&url)
            .call()
            .and_then(|mut answer| answer.body_mut().read_json())
            .with_context(|| format!("nobody who speaks our language answers on port {}", self.port))?;
        if !tokens.table.proves(&nonce, &health.proof) {
            bail!(
                "what answers on port {} does not know the token; it is not told it either",
                self.port
            );
        }
        Ok(())
    }

    fn status(&self, tokens: &Tokens) -> anyhow::Result<StatusResult> {
        let initialize = InitializeParams {
            protocol: SUPPORTED,
            client: ClientInfo {
                name: "tallyho-status".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            auth: Some(tokens.table.expose().to_owned()),
            role: Role::Cli,
            capabilities: ClientCapabilities::default(),
            resume: None,
        };
        let reply = self.poll(&json!({"ack": 0, "messages": [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize},
            {"jsonrpc": "2.0", "id": 2, "method": "game/status"},
        ]}))?;
        let status = reply
            .messages
            .iter()
            .find(|message| message["id"] == 2)
            .context("the server did not answer")?;
        if let Some(error) = status.get("error") {
            bail!(
                "the server refused: {}",
                error["message"].as_str().unwrap_or("no reason given")
            );
        }
        let status = serde_json::from_value(status["result"].clone()).context("the server's answer cannot be read")?;
        let goodbye = json!({"jsonrpc": "2.0", "method": "exit"});
        self.poll(&json!({"session": reply.session, "ack": 2, "messages": [goodbye]}))?;
        Ok(status)
    }

    fn poll(&self, body: &Value) -> anyhow::Result<PollReply> {
        let url = format!("http://127.0.0.1:{}/v1/rpc", self.port);
        let mut answer = self
            .agent
            .post(&url)
            .send_json(body)
            .context("the server does not answer")?;
        answer
            .body_mut()
            .read_json()
            .context("the server's answer cannot be read")
    }
}
