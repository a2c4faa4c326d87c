//! A game on a server of Vassal: a small server of our own, a player who owns the room, and `tallyho vassal join` in it.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use tallyho::{
    bridge::vassal::{
        command::{Basic, Command as Commands},
        game::Game,
        online::lines::{self, Received},
        practice::{self, Kit},
        sequence,
    },
    xwing::edition::Edition,
};

/// How long something may take on a busy machine before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);
/// The player who has opened the room.
const ANN: &str = "ann.1";

/// Passes messages on between its clients as Vassal's server does: paths, lists, rooms with their owners.
#[derive(Default)]
struct Server {
    /// Room and what is told of each client, by id, in the order in which they came to their rooms.
    clients: Vec<(String, String, String, Option<TcpStream>)>,
    module: String,
    /// Every line that came in, with who sent it.
    heard: Vec<(String, String)>,
    /// Lines for the players who are played by the test, by id.
    for_test: BTreeMap<String, mpsc::Sender<String>>,
}

impl Server {
    fn send(&mut self, id: &str, line: &str) {
        if let Some(inbox) = self.for_test.get(id) {
            let _ = inbox.send(line.to_owned());
        }
        for (own, _, _, stream) in &mut self.clients {
            if own == id
                && let Some(stream) = stream
            {
                let _ = stream.write_all(format!("{line}\n").as_bytes());
            }
        }
    }

    fn list(&mut self) {
        let players = self.clients.iter().map(|(id, room, info, _)| {
            sequence::join(
                [lines::path(&self.module, &[room, id]), format!("{info}|ip=127.0.0.1")],
                '=',
            )
        });
        let list = format!("LIST\t{}", sequence::join(players, '\t'));
        let mut owners: BTreeMap<String, String> = BTreeMap::new();
        for (id, room, ..) in &self.clients {
            owners.entry(room.clone()).or_insert_with(|| id.clone());
        }
        let rooms = owners
            .iter()
            .map(|(room, owner)| format!("{}=owner\\={owner}", room.replace(' ', "\\ ")));
        let rooms = format!("ROOM_INFO\t{}", sequence::join(rooms, '|'));
        let ids: Vec<String> = self.clients.iter().map(|(id, ..)| id.clone()).collect();
        for id in ids {
            self.send(&id, &list);
            self.send(&id, &rooms);
        }
    }

    fn go(&mut self, id: &str, room: &str) {
        if let Some(at) = self.clients.iter().position(|(own, ..)| own == id) {
            let mut client = self.clients.remove(at);
            client.1 = room.to_owned();
            self.clients.push(client);
        }
        self.list();
    }

    fn leave(&mut self, id: &str) {
        self.clients.retain(|(own, ..)| own != id);
        self.list();
    }

    fn hear(&mut self, id: &str, line: &str) {
        self.heard.push((id.to_owned(), line.to_owned()));
        let parts: Vec<String> = sequence::split(line, '\t')
            .into_iter()
            .map(std::borrow::Cow::into_owned)
            .collect();
        let path = |text: &str| -> Vec<String> {
            sequence::split(text, '/')
                .into_iter()
                .map(std::borrow::Cow::into_owned)
                .collect()
        };
        match parts[0].as_str() {
            "JOIN" => self.go(id, &path(&parts[1])[1]),
            "FWD" => {
                let path = path(&parts[1]);
                let to: Vec<String> = (self.clients.iter())
                    .filter(|(own, room, ..)| {
                        let in_room = path[1] == "*" || path[1] == *room;
                        in_room
                            && path
                                .get(2)
                                .is_none_or(|who| who.strip_prefix('~').map_or(who == own, |not| not != own))
                    })
                    .map(|(own, ..)| own.clone())
                    .collect();
                to.iter().for_each(|own| self.send(own, &parts[2]));
            }
            _ => {}
        }
    }
}

/// A server with Ann in a room of hers, the game that she holds, and what is sent to her.
struct Lab {
    server: Arc<Mutex<Server>>,
    port: u16,
    inbox: mpsc::Receiver<String>,
    game: String,
}

impl Lab {
    fn new(kit: &Kit) -> Lab {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, inbox) = mpsc::channel();
        let mut server = Server {
            module: kit.name.clone(),
            ..Server::default()
        };
        server
            .clients
            .push((ANN.to_owned(), "Solo".to_owned(), format!("name=Ann|id={ANN}"), None));
        server.for_test.insert(ANN.to_owned(), sender);
        let server = Arc::new(Mutex::new(server));
        let shared = server.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = shared.clone();
                thread::spawn(move || serve(stream, &shared));
            }
        });
        Lab {
            server,
            port,
            inbox,
            game: kit.commands().write(),
        }
    }

    /// The next message to Ann that is no list, answering who asks for the game.
    fn next(&self) -> String {
        loop {
            let line = self.inbox.recv_timeout(PATIENCE).expect("a message");
            match lines::read(&line).unwrap() {
                Received::AskedForGame { id, .. } => {
                    let answer = lines::forward(&lines::path("x", &["*", &id]), &self.game);
                    let packed = sequence::split(answer.strip_prefix("FWD\t").unwrap(), '\t')[1]
                        .clone()
                        .into_owned();
                    self.server.lock().unwrap().send(&id, &packed);
                }
                Received::Message(text) => return text,
                _ => {}
            }
        }
    }

    /// Everything that a client sent, once there is such a line.
    fn wait_for(&self, is_there: impl Fn(&[(String, String)]) -> bool) {
        for _ in 0..PATIENCE.as_millis() / 20 {
            if is_there(&self.server.lock().unwrap().heard) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("nothing of the kind was sent: {:?}", self.server.lock().unwrap().heard);
    }
}

fn serve(stream: TcpStream, server: &Mutex<Server>) {
    let mut id = String::new();
    let reader = BufReader::new(stream.try_clone().unwrap());
    for line in reader.lines() {
        let Ok(line) = line else { break };
        if let Some(rest) = line.strip_prefix("REG\t") {
            let parts = sequence::split(rest, '\t');
            id = parts[0].to_string();
            let mut server = server.lock().unwrap();
            server.heard.push((id.clone(), line.clone()));
            let room = sequence::split(&parts[1], '/')[1].to_string();
            (server.clients).push((id.clone(), room, parts[2].to_string(), stream.try_clone().ok()));
            server.list();
        } else if line == lines::BYE {
            break;
        } else {
            server.lock().unwrap().hear(&id, &line);
        }
    }
    server.lock().unwrap().leave(&id);
}

/// The program at the server.
struct Joined {
    child: Child,
    typed: ChildStdin,
    said: mpsc::Receiver<String>,
}

impl Joined {
    fn new(lab: &Lab, folder: &std::path::Path, more: &[&str]) -> Joined {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tallyho"))
            .current_dir(folder)
            .args(["vassal", "join", &format!("127.0.0.1:{}", lab.port), "Solo"])
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let typed = child.stdin.take().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (sender, said) = mpsc::channel();
        thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Joined { child, typed, said }
    }

    fn type_in(&mut self, line: &str) {
        writeln!(self.typed, "{line}").unwrap();
    }

    /// Waits until it says something of the kind.
    fn wait_for(&self, text: &str) -> String {
        let mut others = Vec::new();
        loop {
            let line = self
                .said
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|_| panic!("it never said `{text}`, but {others:#?}"));
            if line.contains(text) {
                return line;
            }
            others.push(line);
        }
    }
}

impl Drop for Joined {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn written(kit: &Kit, stem: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(format!("{stem}.vmod")), kit.module().unwrap()).unwrap();
    folder
}

/// The game of Ann after a message of the program.
fn after(game: &mut Game, message: &str) {
    game.carry_out(&Commands::read(message).unwrap()).unwrap();
}

/// Waits for the game, as it is in the program.
fn in_game(lab: &Lab, joined: &mut Joined) {
    joined.wait_for("I have asked Ann for the game");
    // Ann's client answers as it reads what came in.
    joined.type_in("say ready");
    assert_eq!(lab.next(), "CHAT<Tallyho> - ready");
    joined.wait_for("The game is here");
}

/// The lines of chat in a message.
fn said(message: &str) -> Vec<String> {
    let commands = Commands::read(message).unwrap();
    let lines = commands.basics().into_iter().filter_map(|basic| match basic {
        Basic::Chat(line) => Some(line.clone()),
        _ => None,
    });
    lines.collect()
}

#[test]
fn it_plays_figures_in_the_room_of_a_player() {
    let kit = practice::skirmish().unwrap();
    let folder = written(&kit, "lab");
    let lab = Lab::new(&kit);
    let mut joined = Joined::new(&lab, folder.path(), &["--module", "lab.vmod", "--seed", "7"]);
    in_game(&lab, &mut joined);
    let before = Game::of(&kit.commands()).unwrap();
    let mut game = before.clone();
    let marks = |game: &Game| {
        let figures = game
            .pieces()
            .filter(|(_, piece)| piece.property("Activated").as_deref() == Some("1"));
        figures.map(|(id, _)| id.to_owned()).collect::<Vec<_>>()
    };
    let mut chat = Vec::new();
    let mut walked = 0;
    for activations in 1..=3 {
        joined.type_in("play");
        // Its walk, its attack with the damage, and the mark that it has activated: all in turn.
        while marks(&game).len() < activations {
            let message = lab.next();
            after(&mut game, &message);
            walked += usize::from(message.contains("M/"));
            chat.extend(said(&message));
        }
        for id in &marks(&game) {
            assert_eq!(game.piece(id).unwrap().property("Side").as_deref(), Some("solo"));
            let place = game.place(id).unwrap();
            assert_eq!(
                ((place.x - 25) % 50, (place.y - 25) % 50),
                (0, 0),
                "in the middle of a square"
            );
        }
    }
    assert!(walked > 0, "{chat:?}");
    assert!(chat.iter().all(|line| line.starts_with("<Tallyho> - ")), "{chat:?}");
    assert!(
        chat.iter().all(|line| !line.contains("17000000000")),
        "an id is spoken: {chat:?}"
    );
    assert!(chat.iter().any(|line| line.contains(" walks from ")), "{chat:?}");
    joined.type_in("play");
    joined.wait_for("All automated figures have activated. Press again to begin round 2.");
    joined.type_in("why");
    joined.wait_for("SWM-M");
    // One is taken back, and has not had its turn.
    joined.type_in("undo");
    while marks(&game).len() > 2 {
        after(&mut game, &lab.next());
    }
    joined.type_in("status");
    joined.wait_for("1 automated figure has yet to activate");
    // The player moves in between: that is seen.
    let (id, _) = game.pieces().find(|(_, piece)| piece.name() == "Visas Marr").unwrap();
    let place = game.place(id).unwrap();
    let moved = format!(
        "M/{id}/Main Map/525/425/null/Main Map/{}/{}/null/ann\u{1b}CHATmoved over",
        place.x, place.y
    );
    let program = lab.server.lock().unwrap().clients.last().unwrap().0.clone();
    lab.server.lock().unwrap().send(&program, &moved);
    joined.wait_for("moved over");
    joined.type_in("dump");
    joined.wait_for("Visas Marr at 525,425 (K9)");
    joined.type_in("quit");
    joined.wait_for("Left the server.");
    let sent = lab.server.lock().unwrap().heard.clone();
    assert!(
        sent.iter().all(|(_, line)| !line.contains("ROOM_INFO")),
        "it claims no room"
    );
}

/// The piece that a message moves, if it moves one.
fn moved(message: &str) -> Option<String> {
    let commands = Commands::read(message).unwrap();
    let moves = commands.basics().into_iter().filter_map(|basic| match basic {
        Basic::Move(own) => own.id.clone(),
        _ => None,
    });
    let moves: Vec<String> = moves.collect();
    assert!(moves.len() <= 1, "{message}");
    moves.into_iter().next()
}

#[test]
fn it_flies_ships_and_says_what_it_cannot_do() {
    let kit = practice::xwing(Edition::Second).unwrap();
    let folder = written(&kit, "lab");
    let lab = Lab::new(&kit);
    let mut joined = Joined::new(&lab, folder.path(), &["--module", "lab.vmod", "--seed", "7"]);
    in_game(&lab, &mut joined);
    let mut game = Game::of(&kit.commands()).unwrap();
    let mut seen = Vec::new();
    let mut chat = Vec::new();
    let mut last = Vec::new();
    for _ in 0..3 {
        joined.type_in("play");
        let ship = loop {
            let message = lab.next();
            let before = game.clone();
            after(&mut game, &message);
            chat.extend(said(&message));
            if let Some(ship) = moved(&message) {
                assert_ne!(game.place(&ship), before.place(&ship));
                last = vec![(before.place(&ship).unwrap(), game.place(&ship).unwrap())];
                break ship;
            }
        };
        assert!(!seen.contains(&ship), "each ship once a round");
        seen.push(ship);
    }
    joined.type_in("play");
    joined.wait_for("All solo ships have activated in round 1. Press again to begin round 2.");
    // Reasons and moves are told, and tokens are laid from the module's palette.
    for told in [" flies ", " gets 1 evade."] {
        chat.extend((lab.inbox.try_iter()).flat_map(|line| match lines::read(&line) {
            Ok(Received::Message(text)) => said(&text),
            _ => Vec::new(),
        }));
        assert!(chat.iter().any(|line| line.contains(told)), "{told}: {chat:?}");
    }
    // Ann takes the last move back with her Vassal: that ship has not had its turn.
    let ship = seen.last().unwrap().clone();
    let (from, to) = last.remove(0);
    let map = from.map.clone().unwrap();
    let back = format!(
        "\u{1b}M/{ship}/{map}/{}/{}/null/{map}/{}/{}/null/ann\u{1b}CHAT* UNDO: <Tallyho> - taken back",
        from.x, from.y, to.x, to.y
    );
    let program = lab.server.lock().unwrap().clients.last().unwrap().0.clone();
    lab.server.lock().unwrap().send(&program, &back);
    after(&mut game, &back);
    joined.wait_for("taken back");
    joined.type_in("play");
    let again = loop {
        let message = lab.next();
        after(&mut game, &message);
        if let Some(ship) = moved(&message) {
            break ship;
        }
    };
    assert_eq!(again, ship, "who was taken back flies again");
    joined.type_in("turn \"Asteroid 1\" 5");
    joined.wait_for("several pieces are called");
    joined.type_in("set 1700000000001 Colour red");
    joined.wait_for("Not done: piece 1700000000001: property Colour: no trait holds it.");
}

/// A decision is a question first where that is wished for, and who does not want it says so.
#[test]
fn decisions_are_asked_about_where_that_is_wished_for() {
    let kit = practice::xwing(Edition::Second).unwrap();
    let folder = written(&kit, "lab");
    let lab = Lab::new(&kit);
    // Without the module's file no token can be laid: the players are asked to, and the game goes on.
    let mut joined = Joined::new(&lab, folder.path(), &["--module-name", &kit.name, "--seed", "7"]);
    in_game(&lab, &mut joined);
    joined.type_in("confirm on");
    joined.type_in("play");
    let question = joined.wait_for("Type `answer N`: 1 ");
    assert!(question.contains("(default)"), "{question}");
    joined.type_in("answer 1");
    while moved(&lab.next()).is_none() {}
    joined.wait_for("gets 1 evade. Please do it by hand: a new piece `Evade2e` needs a Vassal with the module.");
    joined.type_in("answer 1");
    joined.wait_for("Nothing is asked.");
}

/// A server that sends no game but junk, and much of it.
#[test]
fn junk_of_a_server_is_neither_believed_nor_shown_as_it_is() {
    let kit = practice::skirmish().unwrap();
    let folder = written(&kit, "lab");
    let lab = Lab::new(&kit);
    let mut joined = Joined::new(&lab, folder.path(), &["--module", "lab.vmod", "--seed", "7"]);
    in_game(&lab, &mut joined);
    let program = lab.server.lock().unwrap().clients.last().unwrap().0.clone();
    {
        let mut server = lab.server.lock().unwrap();
        for junk in [
            "CHAT\u{202e}evil\u{7}\u{9b}31m",
            "!ZIP!AAAA",
            "ROOM_INFO\t=|||",
            "D/1/2/3/4",
            "+/x/y",
            "\\\u{1b}\\",
        ] {
            server.send(&program, junk);
        }
        for line in 0..2500 {
            server.send(&program, &format!("CHATline {line}"));
        }
    }
    let evil = joined.wait_for("evil");
    assert!(evil.contains("\\u{202e}evil\\u{7}\\u{9b}31m"), "{evil}");
    joined.wait_for("lines more were not shown)");
    // What was no game was asked for anew, and it is played as before.
    joined.type_in("say still here");
    assert_eq!(lab.next(), "CHAT<Tallyho> - still here");
    joined.wait_for("The game is here");
    joined.type_in("status");
    joined.wait_for("yet to activate");
}

#[test]
fn it_owns_no_room_and_gives_nobody_the_game() {
    let kit = practice::skirmish().unwrap();
    let folder = written(&kit, "lab");
    let lab = Lab::new(&kit);
    lab.server.lock().unwrap().go(ANN, "Elsewhere");
    let joined = Joined::new(&lab, folder.path(), &["--module-name", &kit.name]);
    joined.wait_for("The room is not there yet; there is Elsewhere.");
    assert!(
        lab.server
            .lock()
            .unwrap()
            .heard
            .iter()
            .all(|(_, line)| !line.starts_with("JOIN"))
    );
    lab.server.lock().unwrap().go(ANN, "Solo");
    joined.wait_for("I have asked Ann for the game");
    let program = lab.server.lock().unwrap().clients.last().unwrap().0.clone();
    lab.server
        .lock()
        .unwrap()
        .send(&program, &format!("SYNCname=Bob|id={ANN}"));
    joined.wait_for("Bob asked me for the game");
    loop {
        if lab.next() == "CHAT- Tallyho holds no game: ask Ann to synchronize" {
            break;
        }
    }
    // Ann leaves, and the program would be the first.
    lab.server.lock().unwrap().go(ANN, "Elsewhere");
    joined.wait_for("left it, so that I do not own it");
    lab.wait_for(|heard| {
        heard
            .iter()
            .any(|(_, line)| line.ends_with("/Main Room") && line.starts_with("JOIN"))
    });
    let sent = lab.server.lock().unwrap().heard.clone();
    assert!(
        sent.iter()
            .all(|(_, line)| !line.contains("begin_save") && !line.contains("!ZIP!")),
        "{sent:?}"
    );
}

#[test]
fn a_server_that_is_not_there_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for (server, told) in [
        ("127.0.0.1:1", "nobody answers at 127.0.0.1:1"),
        ("nowhere", "write host and port"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_tallyho"))
            .current_dir(folder.path())
            .args(["vassal", "join", server, "Solo", "--module-name", "Lab"])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(told), "{said}");
    }
}
