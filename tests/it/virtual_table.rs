//! The real controller and the real server on the virtual table, with everything that can go wrong between and around
//! them.

mod escort;
mod first_edition;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use tallyho::{
    bridge::{
        host::{Host, HostConfig},
        tts::install::{Connection, saved_object},
        virtual_table::{DialSpec, MatSpec, NetworkFault, ObstacleSpec, ShipSpec, VirtualTable, igu},
    },
    server::{host::TableHost, http::Shared, hub::Hub, limits::Limits, listen, tokens::Tokens},
    xwing::size::Size,
};
use tokio_util::sync::CancellationToken;

/// A server as `tallyho serve` runs it, on a port of its own.
pub struct Server {
    pub port: u16,
    pub tokens: Tokens,
    stop: CancellationToken,
    runtime: tokio::runtime::Runtime,
}

impl Server {
    fn start(port: u16, tokens: Tokens, journal: Option<PathBuf>) -> Self {
        let host = Host::new(HostConfig {
            seed: 7,
            game: Some("test".into()),
            journal,
            prompt_deadline_ms: 20_000,
            // The button of these tests lets solo ships activate; whole rounds have tests of their own.
            plays: Some(tallyho::protocol::round::Plays::Activations),
            ..HostConfig::default()
        });
        Self::of(port, tokens, Box::new(host))
    }

    /// Serves this game.
    pub fn of(port: u16, tokens: Tokens, host: Box<dyn TableHost>) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let limits = Limits {
            // Virtual time is fast, and tests do not wait.
            rate: 10_000.0,
            burst: 10_000.0,
            hold: Duration::from_millis(150),
            ..Limits::default()
        };
        let stop = CancellationToken::new();
        let (serving, cancelled) = (tokens.clone(), stop.clone());
        let port = runtime.block_on(async move {
            let listener = listen::bind(None, Some(port)).await.unwrap();
            let port = listener.local_addr().unwrap().port();
            let (hub, _) = Hub::start(host, serving.clone(), limits);
            let shared = Shared::new(hub.clone(), serving, limits);
            tokio::spawn(listen::serve(listener, shared, hub, limits, cancelled));
            port
        });
        Self {
            port,
            tokens,
            stop,
            runtime,
        }
    }

    /// Ends it; what it knew is lost but for its journal.
    pub fn stop(self) -> (u16, Tokens) {
        self.stop.cancel();
        self.runtime.shutdown_timeout(Duration::from_secs(2));
        (self.port, self.tokens)
    }
}

struct Match {
    server: Option<Server>,
    table: VirtualTable,
    controller: String,
}

const SOLO: [&str; 2] = ["501001", "501002"];
const PLAYER: &str = "9a1e01";

impl Match {
    /// A table with two solo TIEs of one name and a player's X-wing, connected, the TIEs assigned.
    fn new() -> Self {
        let game = Self::with_server(Server::start(0, Tokens::random().unwrap(), None));
        game.connect();
        game
    }

    fn with_server(server: Server) -> Self {
        Self::furnished(server, furnish)
    }

    fn furnished(server: Server, furnish: impl FnOnce(&VirtualTable)) -> Self {
        let mut table = VirtualTable::new().unwrap();
        table.set_patience(1.0);
        furnish(&table);
        let connection = Connection {
            port: server.port,
            token: server.tokens.table.expose().into(),
        };
        let controller = table.spawn_saved_object(&saved_object(&connection).unwrap()).unwrap();
        Self {
            server: Some(server),
            table,
            controller,
        }
    }

    fn connect(&self) {
        self.until("connected", 20.0, |game| game.lua("return Link.state") == "up");
        self.table.run_for(0.5).unwrap();
        self.press("Solo ships...");
        for ship in SOLO {
            let row = self.button(&format!("({ship})"));
            self.press(&row);
            let told = format!("return tostring(State.data.solo['{ship}'])");
            self.until("assigned", 5.0, |game| game.lua(&told) == "true");
        }
        self.until("both wait", 10.0, |game| {
            game.lua("return tostring(Panel.waiting)") == "2"
        });
    }

    /// Connected, the TIEs assigned, whatever is asked meanwhile.
    fn connect_to_rounds(&self) {
        self.until("connected", 20.0, |game| game.lua("return Link.state") == "up");
        self.table.run_for(0.5).unwrap();
        for ship in SOLO {
            self.lua(&format!("State.data.solo['{ship}'] = true; return ''"));
        }
        self.table.run_for(1.0).unwrap();
    }

    fn lua(&self, code: &str) -> String {
        self.table.evaluate(&self.controller, code).unwrap()
    }

    fn button(&self, part: &str) -> String {
        let buttons = self.table.buttons(&self.controller).unwrap();
        buttons
            .iter()
            .find(|label| label.contains(part))
            .unwrap_or_else(|| panic!("{part}: {buttons:?}"))
            .clone()
    }

    fn press(&self, label: &str) {
        self.table.run_for(0.1).unwrap();
        self.table.press(&self.controller, label, "Black").unwrap();
        self.table.run_for(0.1).unwrap();
    }

    #[track_caller]
    fn until(&self, what: &str, seconds: f64, condition: impl Fn(&Self) -> bool) {
        let held = self.table.run_until(seconds, |_| condition(self)).unwrap();
        assert!(
            held,
            "{what}: status `{}`, chat {:?}",
            self.lua("return Panel.line"),
            self.table.chat()
        );
    }

    /// Plays the round to its end.
    fn play_round(&self) {
        self.press("Whole round");
        self.until("the round is over", 300.0, |game| {
            game.lua("return tostring(Panel.waiting)") == "0"
        });
        self.table.run_for(1.0).unwrap();
    }

    /// Where all ships stand, rounded to a thousandth of a mm.
    fn standing(&self) -> BTreeMap<&'static str, [i64; 3]> {
        SOLO.into_iter()
            .chain([PLAYER])
            .map(|ship| {
                let [x, z, rot] = self.table.placement(ship).unwrap();
                let round = |value: f64| (value * 1000.0).round() as i64;
                (ship, [round(x / igu(1.0)), round(z / igu(1.0)), round(rot)])
            })
            .collect()
    }

    fn said(&self, part: &str) -> usize {
        self.table.chat().iter().filter(|line| line.contains(part)).count()
    }

    #[track_caller]
    fn assert_no_errors(&self) {
        assert_eq!(self.table.script_errors(), Vec::<String>::new());
        assert_eq!(self.said(" failed: "), 0, "{:?}", self.table.chat());
    }

    fn server(&self) -> &Server {
        self.server.as_ref().unwrap()
    }
}

/// A TIE fighter, by the id that its edition gives it.
fn academy_pilot(guid: &str, ship_id: &str, placement: [f64; 3]) -> ShipSpec {
    ShipSpec {
        guid: guid.into(),
        name: "Academy Pilot".into(),
        ship_id: ship_id.into(),
        size: Some(Size::Small),
        initiative: 1,
        faction: "galacticempire".into(),
        placement,
        ..ShipSpec::default()
    }
}

fn furnish(table: &VirtualTable) {
    table.add_mat(&MatSpec::default()).unwrap();
    table.add_bags(&[]).unwrap();
    let tie = |guid: &str, placement| academy_pilot(guid, "tielnfighter", placement);
    table.add_ship(&tie(SOLO[0], [-3.0, 8.0, 0.0])).unwrap();
    table.add_ship(&tie(SOLO[1], [3.0, 8.0, 0.0])).unwrap();
    table
        .add_ship(&ShipSpec {
            guid: PLAYER.into(),
            name: "Red Squadron Veteran".into(),
            ship_id: "t65xwing".into(),
            faction: "rebelalliance".into(),
            owner: "Blue".into(),
            initiative: 3,
            placement: [0.0, -8.0, 180.0],
            ..tie(PLAYER, [0.0; 3])
        })
        .unwrap();
    table
        .add_obstacle(&ObstacleSpec {
            guid: "0b57a0".into(),
            name: "Asteroid 1".into(),
            placement: [-8.0, 0.0, 30.0],
            ..ObstacleSpec::default()
        })
        .unwrap();
}

#[test]
fn a_round_is_flown_once_by_each_ship_although_both_bear_one_name() {
    let game = Match::new();
    let before = game.standing();
    game.play_round();
    let after = game.standing();
    assert_ne!(before[SOLO[0]], after[SOLO[0]]);
    assert_ne!(before[SOLO[1]], after[SOLO[1]]);
    assert_eq!(before[PLAYER], after[PLAYER], "players' ships are left alone");
    assert_eq!(game.said("Academy Pilot performed"), 2, "{:?}", game.table.chat());
    assert_eq!(game.table.vector_lines(), 0, "the lines are gone when all is done");
    game.assert_no_errors();
}

#[test]
fn dials_are_set_before_and_open_after_the_move() {
    let game = Match::with_server(Server::start(0, Tokens::random().unwrap(), None));
    let dial = game
        .table
        .add_dial(&DialSpec {
            guid: String::new(),
            ship: SOLO[0].into(),
        })
        .unwrap();
    game.connect();
    game.play_round();
    assert_eq!(game.said("has set the maneuver for Academy Pilot"), 1);
    assert_eq!(game.table.variable(&dial, "setStat").unwrap(), "false");
    game.assert_no_errors();
}

#[test]
fn the_second_press_after_a_round_begins_the_next() {
    let game = Match::new();
    game.play_round();
    let once = game.standing();
    game.press("Whole round");
    game.until("told", 10.0, |game| game.said("Press again to begin round 2") == 1);
    assert_eq!(game.standing(), once);
    game.play_round();
    assert_ne!(game.standing(), once);
    assert_eq!(game.lua("return tostring(State.data.round)"), "2");
    game.assert_no_errors();
}

#[test]
fn undo_takes_the_last_activation_back() {
    let game = Match::new();
    let before = game.standing();
    game.press("Next solo ship");
    game.until("one has flown", 120.0, |game| {
        game.lua("return tostring(Panel.waiting)") == "1"
    });
    game.table.run_for(1.0).unwrap();
    assert_ne!(game.standing(), before);
    game.press("Undo");
    game.until("both wait again", 120.0, |game| {
        game.lua("return tostring(Panel.waiting)") == "2"
    });
    game.table.run_for(2.0).unwrap();
    assert_eq!(game.standing(), before);
    game.assert_no_errors();
}

#[test]
fn lost_doubled_and_late_messages_change_nothing_in_the_game() {
    let calm = Match::new();
    calm.play_round();
    let rough = Match::new();
    let faults = [
        NetworkFault::LoseReply,
        NetworkFault::SendTwice,
        NetworkFault::LoseRequest,
        NetworkFault::Delay(Duration::from_millis(60)),
        NetworkFault::LoseReply,
        NetworkFault::SendTwice,
    ];
    rough.table.report_requests_twice(true).unwrap();
    rough
        .table
        .break_network(faults.iter().cycle().take(90).cloned().map(Some));
    rough.play_round();
    assert_eq!(rough.standing(), calm.standing());
    assert_eq!(
        rough.said("Academy Pilot performed"),
        calm.said("Academy Pilot performed")
    );
    for ship in SOLO {
        assert_eq!(rough.table.tokens(ship).unwrap(), calm.table.tokens(ship).unwrap());
    }
    rough.assert_no_errors();
}

#[test]
fn a_server_that_comes_late_is_found() {
    let server = Server::start(0, Tokens::random().unwrap(), None);
    let game = Match::with_server(server);
    let mut game = game;
    let (port, tokens) = game.server.take().unwrap().stop();
    game.table.run_for(20.0).unwrap();
    assert_eq!(game.said("no answer on port"), 1);
    game.server = Some(Server::start(port, tokens, None));
    game.connect();
    assert_eq!(game.said("connected again"), 1);
    game.play_round();
    game.assert_no_errors();
}

#[test]
fn a_server_killed_in_the_middle_goes_on_from_its_journal() {
    let calm = Match::new();
    calm.play_round();
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("game.jsonl");
    let tokens = Tokens::random().unwrap();
    let mut game = Match::with_server(Server::start(0, tokens, Some(journal.clone())));
    game.connect();
    let start = game.standing();
    game.press("Whole round");
    let moving =
        |game: &Match| game.standing()[SOLO[0]] != start[SOLO[0]] || game.standing()[SOLO[1]] != start[SOLO[1]];
    game.until("the first ship moves", 60.0, moving);
    let (port, tokens) = game.server.take().unwrap().stop();
    game.table.run_for(5.0).unwrap();
    game.server = Some(Server::start(port, tokens, Some(journal)));
    game.until("the round is over", 300.0, |game| {
        game.lua("return Link.state .. tostring(Panel.waiting)") == "up0"
    });
    game.table.run_for(1.0).unwrap();
    assert_eq!(game.standing(), calm.standing(), "as if nothing had happened");
    assert_eq!(
        game.said("Academy Pilot performed"),
        calm.said("Academy Pilot performed"),
        "{:?}",
        game.table.chat()
    );
    game.assert_no_errors();
}

#[test]
fn a_ship_moved_by_a_player_before_the_consent_is_decided_for_again() {
    let game = Match::new();
    game.press("Ask first");
    game.press("Next solo ship");
    let asked = |game: &Match| game.lua("return tostring(Panel.questions.n)") == "1";
    game.until("asked", 20.0, asked);
    let question = game.lua("return Panel.questions[1].id");
    // Of two alike the first by id acts. A player turns it about and pushes it aside, and lets the controller see it.
    let [x, z, rot] = game.table.placement(SOLO[0]).unwrap();
    game.table.put(SOLO[0], [x - igu(100.0), z, rot + 180.0]).unwrap();
    game.until("asked anew", 30.0, |game| {
        asked(game) && game.lua("return Panel.questions[1].id") != question
    });
    game.press("Carry out");
    game.until("done", 120.0, |game| game.lua("return tostring(Panel.waiting)") == "1");
    game.table.run_for(1.0).unwrap();
    let [now_x, now_z, _] = game.table.placement(SOLO[0]).unwrap();
    // It flew north from where it was put: no maneuver of its dial leads south of there.
    assert!(now_z > z, "{now_x} {now_z}");
    game.assert_no_errors();
}

#[test]
fn a_ship_moved_by_a_player_as_its_plan_begins_is_planned_for_again() {
    let game = Match::new();
    game.press("Ask first");
    game.press("Next solo ship");
    game.until("asked", 20.0, |game| {
        game.lua("return tostring(Panel.questions.n)") == "1"
    });
    game.press("Carry out");
    // Before the move itself: the step is refused, the table read again.
    let [x, z, rot] = game.table.placement(SOLO[0]).unwrap();
    game.table.put(SOLO[0], [x - igu(100.0), z, rot]).unwrap();
    game.press("Ask first");
    game.until("done", 120.0, |game| {
        if game.lua("return tostring(Panel.questions.n)") == "1" {
            game.press("Carry out");
        }
        game.lua("return tostring(Panel.waiting)") == "1"
    });
    game.table.run_for(1.0).unwrap();
    let [now_x, now_z, _] = game.table.placement(SOLO[0]).unwrap();
    let moved = ((now_x - x).powi(2) + (now_z - z).powi(2)).sqrt();
    assert!(moved > igu(30.0), "it flew: {now_x} {now_z}");
    assert_eq!(game.said("Academy Pilot performed"), 1, "once: {:?}", game.table.chat());
    game.assert_no_errors();
}

#[test]
fn a_mod_without_the_move_call_leads_to_instructions() {
    let game = Match::with_server(Server::start(0, Tokens::random().unwrap(), None));
    game.table.remove_mod_call("API_PerformMove").unwrap();
    game.connect();
    let before = game.standing();
    game.play_round();
    assert_eq!(game.standing(), before);
    assert_eq!(game.said("cannot do by itself: moves"), 1);
    assert!(game.said("Please") >= 2, "{:?}", game.table.chat());
    game.assert_no_errors();
}

#[test]
fn a_stuck_ship_holds_nobody_else_up_for_good() {
    let game = Match::new();
    for ship in SOLO {
        game.table.make_stuck(ship).unwrap();
    }
    game.press("Next solo ship");
    game.until("told with the remedy", 200.0, |game| game.said("diag") > 0);
    game.table.select(&SOLO).unwrap();
    game.press("Ship is stuck");
    game.until("one has flown", 300.0, |game| {
        game.lua("return tostring(Panel.waiting)") == "1"
    });
    game.assert_no_errors();
}

#[test]
fn a_reload_in_the_middle_of_the_round_ends_it_once() {
    let calm = Match::new();
    calm.play_round();
    let game = Match::new();
    let start = game.standing();
    game.press("Whole round");
    game.until("the first ship moves", 60.0, |game| game.standing() != start);
    let saved = game.table.save().unwrap();
    game.table.load(&saved).unwrap();
    game.until("the round is over", 300.0, |game| {
        game.lua("return Link.state .. tostring(Panel.waiting)") == "up0"
    });
    game.table.run_for(1.0).unwrap();
    // The ship that was caught on its way stands where the load left it; the other one flies its move.
    let moved = |game: &Match| {
        SOLO.into_iter()
            .filter(|ship| game.standing()[ship] != start[ship])
            .count()
    };
    assert_eq!(moved(&game), 2);
    assert!(game.said("Academy Pilot performed") <= 3, "{:?}", game.table.chat());
    game.assert_no_errors();
}

#[test]
fn a_rewind_is_read_anew_and_play_goes_on() {
    let game = Match::new();
    let before = game.table.save().unwrap();
    let start = game.standing();
    game.play_round();
    game.table.load(&before).unwrap();
    game.until("connected", 20.0, |game| game.lua("return Link.state") == "up");
    game.table.run_for(1.0).unwrap();
    assert_eq!(game.standing(), start);
    assert_eq!(
        game.lua(&format!("return tostring(State.data.solo['{}'])", SOLO[0])),
        "true"
    );
    // The round counts as flown; pressing on begins the next one from the places of the rewound table.
    game.press("Whole round");
    game.table.run_for(2.0).unwrap();
    game.press("Whole round");
    game.until("both have moved", 300.0, |game| {
        SOLO.into_iter().all(|ship| game.standing()[ship] != start[ship])
    });
    game.assert_no_errors();
}

#[test]
fn after_a_rewind_ships_set_to_waiting_fly_again_in_the_same_round() {
    let game = Match::new();
    let before = game.table.save().unwrap();
    game.play_round();
    let flown = game.standing();
    game.table.load(&before).unwrap();
    game.until("connected", 20.0, |game| game.lua("return Link.state") == "up");
    game.table.run_for(1.0).unwrap();
    game.table.select(&SOLO).unwrap();
    game.table
        .choose_menu(&game.controller, "Selected: waiting", "Black")
        .unwrap();
    game.until("both wait", 10.0, |game| {
        game.lua("return tostring(Panel.waiting)") == "2"
    });
    game.play_round();
    assert_eq!(game.standing(), flown, "the same round, the same dice");
    assert_eq!(game.lua("return tostring(State.data.round)"), "1");
    // Players read names, and two of one name apart.
    assert!(game.said("Academy Pilot 2 ") > 0, "{:?}", game.table.chat());
    assert_eq!(SOLO.map(|guid| game.said(guid)), [0, 0], "{:?}", game.table.chat());
    game.assert_no_errors();
}

#[test]
fn a_journal_that_cannot_be_written_costs_the_record_and_not_the_game() {
    let folder = tempfile::tempdir().unwrap();
    for journal in [
        folder.path().to_owned(),
        folder.path().join("not there").join("game.jsonl"),
        PathBuf::from("/dev/full"),
    ] {
        if journal.starts_with("/dev") && !Path::new("/dev/full").exists() {
            continue;
        }
        let game = Match::with_server(Server::start(0, Tokens::random().unwrap(), Some(journal.clone())));
        game.connect();
        let start = game.standing();
        game.play_round();
        assert_ne!(game.standing(), start);
        assert_eq!(
            game.said("not recorded") + game.said("no longer be recorded"),
            1,
            "{journal:?}: {:?}",
            game.table.chat()
        );
        game.assert_no_errors();
    }
}

#[test]
fn a_second_table_takes_over_and_the_first_does_not_fight_back() {
    let game = Match::new();
    let mut other = VirtualTable::new().unwrap();
    other.set_patience(1.0);
    furnish(&other);
    let connection = Connection {
        port: game.server().port,
        token: game.server().tokens.table.expose().into(),
    };
    let second = other.spawn_saved_object(&saved_object(&connection).unwrap()).unwrap();
    assert!(
        other
            .run_until(20.0, |table| table.evaluate(&second, "return Link.state").unwrap()
                == "up")
            .unwrap()
    );
    game.until("the first is told", 20.0, |game| {
        game.said("Another table plays this game") == 1
    });
    game.table.run_for(30.0).unwrap();
    other.run_for(2.0).unwrap();
    assert_eq!(other.evaluate(&second, "return Link.state").unwrap(), "up");
    game.assert_no_errors();
}

#[test]
fn another_port_or_token_is_told_with_the_remedy() {
    let game = Match::with_server(Server::start(0, Tokens::random().unwrap(), None));
    let mut game = game;
    let (port, _) = game.server.take().unwrap().stop();
    game.server = Some(Server::start(port, Tokens::random().unwrap(), None));
    game.until("told", 30.0, |game| game.said("tallyho install tts") == 1);
    let token = game.server().tokens.table.expose().to_owned();
    game.table.type_in(&game.controller, "token", &token).unwrap();
    game.connect();
    game.assert_no_errors();
}

#[test]
fn every_reply_is_short_and_plain_enough_for_the_games_reader() {
    let game = Match::new();
    game.table.keep_replies();
    game.play_round();
    game.press("Tallyho");
    game.press("Whole round");
    game.table.run_for(1.0).unwrap();
    game.play_round();
    let replies = game.table.replies();
    assert!(replies.len() > 20, "{}", replies.len());
    for reply in replies {
        assert!(reply.len() <= 2500, "{} bytes: {reply}", reply.len());
        assert!(
            !reply.contains("\\u") && !reply.contains("\\/") && !reply.contains("null"),
            "{reply}"
        );
    }
    game.assert_no_errors();
}
