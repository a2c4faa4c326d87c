//! What comes in: lines of the server, as fast as they may come, and lines that are typed.

use std::{
    io::{self, BufRead as _, BufReader, Read as _},
    net::{TcpStream, ToSocketAddrs as _},
    sync::mpsc::{self, Receiver, SyncSender},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};

use super::brake::Brake;

/// Longest line of the server: a whole game, packed. That of a thousand pieces has less than one megabyte.
const LONGEST_LINE: u64 = 16 << 20;
/// Lines that wait to be read; then the server has to wait.
const MOST_WAITING: usize = 8;
/// Lines that may come at once, and then in a second. A line of many bytes counts as several.
const AT_ONCE: f64 = 2000.0;
const A_SECOND: f64 = 200.0;
/// Bytes that count as one more line.
const BYTES_OF_A_LINE: f64 = 65_536.0;
/// How long the server may take to answer the call.
const PATIENCE: Duration = Duration::from_secs(10);

/// What comes in.
pub(super) enum Input {
    /// A line of the server.
    Server(String),
    /// The server is gone, with what was wrong.
    Lost(String),
    /// A line that was typed.
    Typed(String),
}

/// The lines of the server and of the keyboard, in the order in which they come.
pub(super) fn of(stream: TcpStream) -> Receiver<Input> {
    let (sender, inputs) = mpsc::sync_channel(MOST_WAITING);
    listen(stream, sender.clone());
    type_in(sender);
    inputs
}

/// Calls a server.
pub(super) fn call(server: &str) -> anyhow::Result<TcpStream> {
    let addresses = server
        .to_socket_addrs()
        .with_context(|| format!("`{server}` is no server: write host and port, as in localhost:5050"))?;
    let mut last = None;
    for address in addresses {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = Some(error),
        }
    }
    match last {
        Some(error) => Err(error).with_context(|| format!("nobody answers at {server}: is the server started?")),
        None => bail!("`{server}` is no server: its name leads nowhere"),
    }
}

/// Passes the server's lines on.
fn listen(stream: TcpStream, inputs: SyncSender<Input>) {
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut brake = Brake::new(A_SECOND, AT_ONCE, Instant::now());
        loop {
            let mut line = Vec::new();
            let lost = match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                Ok(0) => Some("it has closed the connection".to_owned()),
                Ok(_) if !line.ends_with(b"\n") && line.len() as u64 >= LONGEST_LINE => {
                    Some(format!("it sent a line of more than {} MiB", LONGEST_LINE >> 20))
                }
                Ok(_) => None,
                Err(error) => Some(error.to_string()),
            };
            // Whoever sends more than a game needs is read more slowly, and fills his own buffers, not ours.
            let wait = brake.wait_after(1.0 + line.len() as f64 / BYTES_OF_A_LINE, Instant::now());
            let input = match lost {
                Some(why) => Input::Lost(why),
                None => Input::Server(String::from_utf8_lossy(&line).into_owned()),
            };
            let ends = matches!(input, Input::Lost(_));
            if inputs.send(input).is_err() || ends {
                return;
            }
            thread::sleep(wait);
        }
    });
}

/// Passes on what is typed. Its end is no end of the game: a program that runs beside others has nobody at its keyboard.
fn type_in(inputs: SyncSender<Input>) {
    thread::spawn(move || {
        // What is no UTF-8 (an old terminal's letters) spoils its own word, not the rest.
        for line in io::stdin().lock().split(b'\n') {
            let Ok(line) = line else { return };
            let line = String::from_utf8_lossy(&line);
            if inputs
                .send(Input::Typed(line.trim_end_matches('\r').to_owned()))
                .is_err()
            {
                return;
            }
        }
    });
}
