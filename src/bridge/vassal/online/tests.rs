//! The peer at a server whose lines are written here.

use super::{lines::forward, *};
use crate::{
    bridge::vassal::{sequence, traits::Place},
    protocol::vassal::Spot,
};

const GAME: &str = "begin_save\u{1b}\u{1b}\
    PLAYER\thunter2\tAnn\tRebels\u{1b}\
    +/1/markmoved;m.png;0;0\trotate;1;;;;;Facing;\\\tPROP;HP;;;\\\\\tpiece;;;v.png;Vader/false\t0.0\\\t120\\\\\tMain Map;25;75;7;0\u{1b}\
    +/2/piece;;;t.png;Trooper/Main Map;125;175;8;0\u{1b}\
    +/9/stack/Main Map;125;175;2;@@0\u{1b}\
    end_save";

fn peer() -> Peer {
    Peer::new(Seat {
        module: "Lab".to_owned(),
        module_version: "1.0".to_owned(),
        room: "Solo".to_owned(),
        name: "Tallyho".to_owned(),
        connection: "me.1".to_owned(),
        player: Secret::new("s3cret"),
    })
}

/// A list of the server: rooms with the ids of those in them.
fn list(players: &[(&str, &str)]) -> String {
    let players = players.iter().map(|(room, id)| {
        let name = id.split('.').next().unwrap_or_default();
        sequence::join([format!("Lab/{room}/{id}"), format!("name={name}|id={id}")], '=')
    });
    format!("LIST\t{}", sequence::join(players, '\t'))
}

/// Path and message of a line that is passed on.
fn passed_on(line: &str) -> (String, String) {
    let mut parts = sequence::tokens(line.strip_prefix("FWD\t").expect("a message"), '\t');
    let mut next = || parts.text().unwrap_or_default().into_owned();
    (next(), next())
}

/// A peer in the room, with the game.
fn in_game() -> Peer {
    let mut peer = peer();
    peer.receive(&list(&[("Solo", "ann.2"), ("Main Room", "me.1")]));
    peer.receive(&list(&[("Solo", "ann.2"), ("Solo", "me.1")]));
    assert_eq!(peer.receive(GAME).events, [Event::Game]);
    peer
}

#[test]
fn it_waits_for_the_room_enters_and_asks_its_owner() {
    let mut peer = peer();
    assert!(
        peer.greeting()
            .starts_with("REG\tme.1\tLab/Main Room\tname=Tallyho|id=me.1|")
    );
    let alone = peer.receive(&list(&[("Main Room", "me.1"), ("Duel", "zed.9")]));
    assert_eq!(alone.events, [Event::Waiting(vec!["Duel".to_owned()])]);
    assert_eq!(alone.send, Vec::<String>::new());
    // Told once.
    assert_eq!(
        peer.receive(&list(&[("Main Room", "me.1"), ("Duel", "zed.9")])),
        Reaction::default()
    );
    let there = peer.receive(&list(&[("Main Room", "me.1"), ("Solo", "ann.2"), ("Solo", "bob.3")]));
    assert_eq!(there.send, ["JOIN\tLab/Solo"]);
    let inside = peer.receive(&list(&[("Solo", "ann.2"), ("Solo", "bob.3"), ("Solo", "me.1")]));
    assert_eq!(inside.events, [Event::Entered("ann".to_owned())]);
    let (path, message) = passed_on(&inside.send[0]);
    assert_eq!(path, "Lab/*/ann.2");
    assert!(message.starts_with("SYNCname=Tallyho|id=me.1|"), "{message}");
    assert!(peer.game().is_none());
    let came = peer.receive(GAME);
    assert_eq!(came.events, [Event::Game]);
    assert_eq!(peer.game().unwrap().pieces().count(), 2);
}

#[test]
fn the_owner_whom_the_server_names_is_asked() {
    let mut peer = peer();
    peer.receive("ROOM_INFO\tSolo=owner\\=bob.3");
    peer.receive(&list(&[("Solo", "ann.2"), ("Solo", "bob.3"), ("Main Room", "me.1")]));
    let inside = peer.receive(&list(&[("Solo", "ann.2"), ("Solo", "bob.3"), ("Solo", "me.1")]));
    assert_eq!(passed_on(&inside.send[0]).0, "Lab/*/bob.3");
}

#[test]
fn it_never_stays_where_it_is_first() {
    // It entered just as the last human left, or the humans before it have left.
    for before in [
        vec![list(&[("Solo", "ann.2"), ("Main Room", "me.1")])],
        vec![
            list(&[("Solo", "ann.2"), ("Main Room", "me.1")]),
            list(&[("Solo", "ann.2"), ("Solo", "me.1"), ("Solo", "bob.3")]),
            GAME.to_owned(),
        ],
    ] {
        let mut peer = peer();
        before.iter().for_each(|line| drop(peer.receive(line)));
        let first = peer.receive(&list(&[("Solo", "me.1"), ("Solo", "bob.3")]));
        assert_eq!(first.events, [Event::LeftRatherThanOwn]);
        assert_eq!(first.send, ["JOIN\tLab/Main Room"]);
        assert!(peer.game().is_none());
        // Behind the others it may come in again.
        let back = peer.receive(&list(&[("Main Room", "me.1"), ("Solo", "bob.3")]));
        assert_eq!(back.send, ["JOIN\tLab/Solo"]);
    }
}

#[test]
fn who_asks_it_for_the_game_gets_none() {
    let mut peer = in_game();
    let asked = peer.receive("SYNCname=bob|id=bob.3");
    assert_eq!(asked.events, [Event::AskedForGame("bob".to_owned())]);
    let (path, message) = passed_on(&asked.send[0]);
    assert_eq!(
        (&*path, &*message),
        ("Lab/*/bob.3", "CHAT- Tallyho holds no game: ask ann to synchronize")
    );
}

#[test]
fn a_locked_room_and_being_sent_out_are_told() {
    let mut peer = peer();
    peer.receive("ROOM_INFO\tSolo=owner\\=ann.2\\|locked\\=true");
    let locked = peer.receive(&list(&[("Solo", "ann.2"), ("Main Room", "me.1")]));
    assert_eq!((locked.events, locked.send), (vec![Event::Locked], Vec::new()));
    let open = peer.receive("ROOM_INFO\tSolo=owner\\=ann.2");
    assert_eq!(open.send, ["JOIN\tLab/Solo"]);
    let mut peer = in_game();
    let out = peer.receive(&list(&[("Solo", "ann.2"), ("Main Room", "me.1")]));
    assert_eq!((out.events, out.send), (vec![Event::SentAway], Vec::new()));
    // It does not push its way back in.
    assert_eq!(
        peer.receive(&list(&[("Solo", "ann.2"), ("Main Room", "me.1")])),
        Reaction::default()
    );
}

#[test]
fn it_follows_the_game() {
    let mut peer = in_game();
    let moved = peer.receive("M/1/Main Map/75/75/null/Main Map/25/75/null/hunter2\u{1b}CHAT* Vader moves *");
    assert_eq!(
        moved.events,
        [Event::Said("* Vader moves *".to_owned()), Event::Changed]
    );
    let place = Place {
        map: Some("Main Map".to_owned()),
        x: 75,
        y: 75,
    };
    assert_eq!(peer.game().unwrap().place("1"), Some(place));
    // What cannot be followed is no reason to go on with a wrong game.
    let lost = peer.receive("D/1/too few levels");
    assert!(
        matches!(&lost.events[..], [Event::Unreadable(_), Event::Entered(_)]),
        "{:?}",
        lost.events
    );
    assert!(passed_on(&lost.send[0]).1.starts_with("SYNC"));
    assert!(peer.game().is_none());
}

#[test]
fn it_moves_turns_and_changes_pieces_as_one_step() {
    let mut peer = in_game();
    let at = |x, y| Spot {
        map: String::new(),
        x,
        y,
    };
    let changes = [
        PieceChange::Move {
            piece: "1".to_owned(),
            from: at(25, 75),
            to: at(125, 175),
            drag: true,
        },
        PieceChange::Turn {
            piece: "1".to_owned(),
            heading: 90.0,
        },
        PieceChange::Property {
            piece: "1".to_owned(),
            name: "HP".to_owned(),
            value: "100".to_owned(),
        },
    ];
    let line = peer.change(&changes, "Vader\nmoves.").unwrap();
    let (path, message) = passed_on(&line);
    assert_eq!(path, "Lab/Solo/~me.1");
    assert_eq!(
        message.split('\u{1b}').collect::<Vec<_>>(),
        [
            "D/1/true\t0.0\\\t120\\\\\tMain Map;25;75;7;3;OldMap;Main Map;OldX;25;OldY;75/false\t0.0\\\t120\\\\\tMain Map;25;75;7;0",
            "M/1/Main Map/125/175/2/Main Map/25/75/null/s3cret",
            "D/1/true\t-90.0\\\t120\\\\\tMain Map;125;175;7;3;OldMap;Main Map;OldX;25;OldY;75/\
             true\t0.0\\\t120\\\\\tMain Map;125;175;7;3;OldMap;Main Map;OldX;25;OldY;75",
            "D/1/true\t-90.0\\\t100\\\\\tMain Map;125;175;7;3;OldMap;Main Map;OldX;25;OldY;75/\
             true\t-90.0\\\t120\\\\\tMain Map;125;175;7;3;OldMap;Main Map;OldX;25;OldY;75",
            "CHAT<Tallyho> - Vader moves.",
        ]
    );
    // Another player's game that takes the message in is the same as the peer's own.
    let mut other = Game::of(&Command::read(GAME).unwrap()).unwrap();
    other.carry_out(&Command::read(&message).unwrap()).unwrap();
    assert_eq!(Some(&other), peer.game());
    assert_eq!(other.piece("1").unwrap().heading(), Some(90.0));
    assert_eq!(other.below("1").as_deref(), Some("2"));
}

#[test]
fn what_it_cannot_do_is_told_and_changes_nothing() {
    let mut peer = in_game();
    let spot = Spot::default();
    let id = |id: &str| id.to_owned();
    for (change, told) in [
        (
            PieceChange::Key {
                piece: id("1"),
                stroke: id("65,130"),
            },
            "a key stroke needs a Vassal with the module: let a player do it, or use the plugin",
        ),
        (
            PieceChange::Add {
                slot: id("7"),
                at: spot.clone(),
            },
            "a new piece `7` needs a Vassal with the module: let a player do it, or use the plugin",
        ),
        (
            PieceChange::Turn {
                piece: id("2"),
                heading: 5.0,
            },
            "nothing turns piece 2",
        ),
        (
            PieceChange::Turn {
                piece: id("77"),
                heading: 5.0,
            },
            "no piece 77 is in the game",
        ),
        (
            PieceChange::Property {
                piece: id("2"),
                name: id("HP"),
                value: id("1"),
            },
            "piece 2: property HP: no trait holds it",
        ),
        (
            PieceChange::Move {
                piece: id("1"),
                from: spot.clone(),
                to: spot.clone(),
                drag: false,
            },
            "piece 1 is at 25,75 and not where it was expected",
        ),
        (
            PieceChange::Restore {
                piece: id("77"),
                at: spot.clone(),
            },
            "no piece 77 is in the game",
        ),
    ] {
        let before = peer.game().cloned();
        let remove = PieceChange::Remove { piece: id("2") };
        let refused = peer.change(&[remove, change], "x").unwrap_err().to_string();
        let told = told.replace("nothing turns piece 2", "no piece 2 is in the game");
        let told = told.replace("piece 2: property HP: no trait holds it", "no piece 2 is in the game");
        assert_eq!(refused, told);
        assert_eq!(peer.game().cloned(), before);
    }
    assert_eq!(
        super::Peer::new(peer.seat.clone()).change(&[], "x"),
        Err(Refused::NoGame)
    );
}

#[test]
fn a_piece_that_was_taken_off_can_be_put_back() {
    let mut peer = in_game();
    let id = "1".to_owned();
    peer.change(&[PieceChange::Remove { piece: id.clone() }], "").unwrap();
    assert!(peer.game().unwrap().piece("1").is_none());
    let at = Spot {
        map: String::new(),
        x: 25,
        y: 75,
    };
    let line = peer.change(&[PieceChange::Restore { piece: id, at }], "").unwrap();
    assert!(passed_on(&line).1.starts_with("+/1/markmoved;"), "{line}");
    assert_eq!(
        peer.game().unwrap().piece("1").unwrap().property("HP").as_deref(),
        Some("120")
    );
}

#[test]
fn no_line_makes_it_panic_and_no_password_is_shown() {
    let mut peer = in_game();
    for line in [
        "",
        "!BYE\n",
        "LIST\t",
        "LIST\t=",
        "LIST\ta/b",
        "ROOM_INFO\t",
        "ROOM_INFO\t\\",
        "SYNC",
        "!ZIP!",
        "+/",
        "\u{1b}",
    ] {
        peer.receive(line);
    }
    assert!(!format!("{peer:?}").contains("s3cret"));
    let long = forward("Lab/Solo/~x", &GAME.replace("Trooper", &"T".repeat(3000)));
    assert!(matches!(lines::read(&passed_on(&long).1), Ok(Received::Message(_))));
}

#[test]
fn a_game_that_never_comes_whole_is_asked_for_three_times() {
    let mut peer = peer();
    peer.receive(&list(&[("Solo", "ann.2"), ("Main Room", "me.1")]));
    let entered = peer.receive(&list(&[("Solo", "ann.2"), ("Solo", "me.1")]));
    assert_eq!(entered.send.len(), 1);
    // A change of a piece whose state does not fit it.
    let broken = format!("{}\u{1b}D/1/cut off", GAME.strip_suffix("\u{1b}end_save").unwrap());
    let asks: Vec<usize> = (0..5).map(|_| peer.receive(&broken).send.len()).collect();
    assert_eq!(asks, [1, 1, 0, 0, 0]);
    assert!(peer.receive(&broken).events.contains(&Event::GivenUp));
    assert!(peer.game().is_none());
    // Whoever sits at the keyboard may have it asked for again, and one that is whole is taken.
    assert_eq!(peer.ask_again().send.len(), 1);
    assert_eq!(peer.receive(GAME).events, [Event::Game]);
    assert_eq!(peer.ask_again().send.len(), 1);
}

#[test]
fn a_game_that_only_grows_is_left() {
    let mut peer = in_game();
    peer.most_bytes = 100_000;
    let change = |text: &str| format!("D/2/Main Map;125;175;8;1;Note;{text}");
    // The same piece again and again takes no more room than once.
    for _ in 0..50 {
        assert_eq!(peer.receive(&change(&"x".repeat(10_000))).events, [Event::Changed]);
    }
    let mut events = Vec::new();
    for index in 0..50 {
        let added = format!("+/new{index}/piece;;;t.png;{}/Main Map;1;1;8;0", "x".repeat(10_000));
        events.extend(peer.receive(&added).events);
    }
    assert_eq!(events.iter().filter(|event| **event == Event::TooLarge).count(), 1);
    assert!(peer.game().is_none());
    assert!(peer.change(&[], "hello").is_err());
}

#[test]
fn what_a_player_takes_back_is_told() {
    let back = "M/1/Main Map/25/75/null/Main Map/75/75/null/hunter2";
    for (text, taken_back) in [
        // In a log, and as Vassal sends it, in any language.
        (format!("\u{1b}UNDO\ttrue\u{1b}{back}\u{1b}UNDO\tfalse"), true),
        (format!("\u{1b}{back}\u{1b}CHAT* UNDO: <Tallyho> - Vader walks."), true),
        (
            format!("\u{1b}{back}\u{1b}CHAT* ANNULER: <Tallyho> - Vader walks."),
            true,
        ),
        // Somebody else's, and one who only speaks of it.
        (format!("\u{1b}{back}\u{1b}CHAT* UNDO: <Ann> - Vader walks."), false),
        (
            format!("\u{1b}{back}\u{1b}CHAT<Ann> - * UNDO: <Tallyho> - Vader walks."),
            false,
        ),
        (back.to_owned(), false),
    ] {
        let events = in_game().receive(&text).events;
        assert!(events.contains(&Event::Changed), "{text}");
        let told = Event::TakenBack(["1".to_owned()].into());
        assert_eq!(events.contains(&told), taken_back, "{text}");
    }
}
