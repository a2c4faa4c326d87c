//! Political Escort at a table of Vassal: its pieces are the squads and the shuttle, the set-up is asked for, and the shuttle flies,
//! exits or is shot down by changes of pieces.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tallyho::{
    bridge::{
        host::{Host, HostConfig, Outgoing},
        vassal::{
            practice::{self, Kit},
            profile::Plays,
        },
        vassal_table::VassalReader,
    },
    game::round::escort::{TableEscort, TableShip, TableSquad},
    protocol::{
        apply::WireStep,
        lifecycle::{ClientCapabilities, Dialect, Role as ClientRole},
        round,
        solo::PromptParams,
        vassal::{PieceChange, VassalPiece},
    },
    server::{host::TableHost, vassal::VassalHost},
    xwing::{
        catalog::Catalog,
        edition::Edition,
        escort::{Role, ShuttleBase},
        size::Size,
    },
};

use super::{Answers, Pieces, follow_answering, seen_of};

/// Pictures of the practice module, by which its kinds of pieces are found.
const TIE: &str = "academypilot.png";
const XWING: &str = "rookiepilot.png";
const LARGE: &str = "omicrongrouppilot.png";
const ROCK: &str = "rock.png";

/// Pixels of a millimetre of the practice module, and of the side of its mat.
const PIXELS_PER_MM: f64 = 2.825;
const MAT: f64 = 2583.0;

/// Six asteroids at the two sides, as FE-2.2 wants them.
const ROCKS: [(f64, f64); 6] = [
    (260.0, 260.0),
    (260.0, 457.0),
    (260.0, 654.0),
    (654.0, 260.0),
    (654.0, 457.0),
    (654.0, 654.0),
];

fn pixels(east: f64, north: f64) -> (i32, i32) {
    let x = (east * PIXELS_PER_MM).round() as i32;
    (x, (MAT - north * PIXELS_PER_MM).round() as i32)
}

/// How far from the southern edge a piece lies, mm.
fn north_of(piece: &VassalPiece) -> f64 {
    (MAT - f64::from(piece.y)) / PIXELS_PER_MM
}

/// Where a piece stands: east, north (mm) and heading.
type Stand = (f64, f64, f64);

/// The practice module of the first edition with these pieces on the mat.
fn kit(stands: &[(&str, &[Stand])]) -> Kit {
    let mut kit = practice::xwing(Edition::First).unwrap();
    for piece in &mut kit.pieces {
        piece.stands.clear();
    }
    for (file, places) in stands {
        let own = kit.pieces.iter_mut().find(|piece| piece.file == *file);
        own.unwrap_or_else(|| panic!("no piece {file}")).stands = places
            .iter()
            .map(|(east, north, heading)| {
                let (x, y) = pixels(*east, *north);
                (x, y, *heading)
            })
            .collect();
    }
    kit
}

fn rocks() -> Vec<Stand> {
    ROCKS.iter().map(|(east, north)| (*east, *north, 0.0)).collect()
}

fn squad(count: usize, name: &str, ship: &str, skill: u8, points: i32) -> TableSquad {
    let own = TableShip {
        name: name.to_owned(),
        ship: ship.to_owned(),
        skill,
        size: Size::Small,
        points: Some(points),
    };
    TableSquad {
        ships: vec![own; count],
        points: Some(points * count as i32 + 10),
        // What the upgrades of its shuttle cost is what its end scores (PE-8.2).
        upgrades: 10,
        ..TableSquad::default()
    }
}

/// The players have two X-wings, the program so many TIE fighters.
fn led(role: Role, ties: usize) -> TableEscort {
    TableEscort {
        player: squad(2, "Rookie Pilot", "xwing", 2, 21),
        solo: squad(ties, "Academy Pilot", "tiefighter", 1, 12),
        role: Some(role),
        solo_first: Some(false),
        ..TableEscort::default()
    }
}

/// A game at a table of Vassal.
struct Session {
    host: VassalHost,
    table: Pieces,
    presses: usize,
    asked: Vec<PromptParams>,
}

impl Session {
    /// The plugin is connected, and has sent what lies there.
    fn begun(seed: u64, game: TableEscort, kit: &Kit, answers: &mut Answers) -> Session {
        let inner = Host::new(HostConfig {
            seed,
            catalog: Catalog::embedded_for(Edition::First),
            escort: Some(game),
            plays: Some(round::Plays::Rounds),
            ..HostConfig::default()
        });
        let reader = VassalReader::new(Plays::XWing, Catalog::embedded_for(Edition::First), None);
        let mut session = Session {
            host: VassalHost::around(Box::new(inner), reader),
            table: Pieces::of(seen_of(kit)),
            presses: 0,
            asked: Vec::new(),
        };
        // As the plugin says of itself.
        let plugin = ClientCapabilities {
            dialect: Dialect::Vassal,
            steps: vec!["say".to_owned(), "pieces".to_owned()],
            prompt: true,
            ..ClientCapabilities::default()
        };
        let attached = session.host.table_attached(&plugin, false);
        session.follow(attached, answers);
        let sync = session.table.sync();
        let (answer, outgoing) = session.host.request(ClientRole::Table, "table/sync", sync);
        answer.unwrap();
        session.follow(outgoing, answers);
        session
    }

    fn follow(&mut self, outgoing: Vec<Outgoing>, answers: &mut Answers) {
        let asked = &mut self.asked;
        follow_answering(
            &mut self.host,
            &mut self.table,
            outgoing.into(),
            &mut |prompt, table| {
                asked.push(prompt.clone());
                answers(prompt, table)
            },
        );
    }

    /// The button `Next solo`, before which the plugin looks at the table.
    fn next(&mut self, answers: &mut Answers) {
        self.presses += 1;
        let sync = self.table.sync();
        let (answer, outgoing) = self.host.request(ClientRole::Table, "table/sync", sync);
        answer.unwrap();
        self.follow(outgoing, answers);
        let press = json!({"opId": format!("press {}", self.presses), "scope": "ship", "rev": self.table.rev});
        let (_, outgoing) = self.host.request(ClientRole::Table, "solo/advance", press);
        self.follow(outgoing, answers);
    }

    fn text(&mut self) -> String {
        let (answer, outgoing) = self.host.request(ClientRole::Table, "game/status", Value::Null);
        self.follow(outgoing, &mut |_, _| None);
        answer.unwrap()["text"].as_str().unwrap().to_owned()
    }

    /// Presses on until the line has these words; the line.
    fn play_until(&mut self, words: &str, answers: &mut Answers) -> String {
        for _ in 0..200 {
            let text = self.text();
            if text.contains(words) {
                return text;
            }
            self.next(answers);
        }
        panic!("never `{words}`: {}\n{}", self.text(), self.all());
    }

    /// All that players were told, asked and shown in the chat.
    fn all(&self) -> String {
        let asked = self.asked.iter().map(|prompt| prompt.text.clone());
        let told = self.table.told.iter().chain(&self.table.said).cloned();
        told.chain(asked).collect::<Vec<_>>().join("\n")
    }

    /// The only piece that is called so.
    fn piece(&self, name: &str) -> VassalPiece {
        let mut found = self.table.seen.pieces.iter().filter(|piece| piece.name.contains(name));
        let piece = found.next().unwrap_or_else(|| panic!("no piece {name}")).clone();
        assert!(found.next().is_none(), "several {name}");
        piece
    }

    /// Where a piece was moved to, one after the other.
    fn moves_of(&self, id: &str) -> Vec<(i32, i32)> {
        let steps = self.table.carried_out.iter().filter_map(|step| match step {
            WireStep::Pieces { changes, .. } => Some(changes),
            _ => None,
        });
        steps
            .flatten()
            .filter_map(|change| match change {
                PieceChange::Move { piece, to, .. } if piece == id => Some((to.x, to.y)),
                _ => None,
            })
            .collect()
    }
}

fn option(prompt: &PromptParams, part: &str) -> Option<String> {
    prompt.options.iter().find(|option| option.contains(part)).cloned()
}

/// All stands as PE-3 wants it, the players in the south; the shuttle is this kind of piece.
fn set_up(role: Role, shuttle: &str, ties: &[f64]) -> Kit {
    let ties: Vec<Stand> = ties.iter().map(|east| (*east, 854.4, 180.0)).collect();
    let place = match role {
        Role::Defender => (457.2, 60.0, 0.0),
        Role::Attacker => (457.2, 854.4, 180.0),
    };
    kit(&[
        (TIE, &ties),
        (XWING, &[(330.0, 60.0, 0.0), (584.0, 60.0, 0.0)]),
        (shuttle, &[place]),
        (ROCK, &rocks()),
    ])
}

/// PE-1.1, PE-4.1, PE-7.1: a large base of the module is the shuttle, whosever pilot it has, and flies by its own rules.
#[test]
fn pe_1_1_a_large_piece_of_the_module_is_the_shuttle_and_is_brought_across() {
    let mut session = Session::begun(
        3,
        led(Role::Defender, 1),
        &set_up(Role::Defender, LARGE, &[457.2]),
        &mut |_, _| None,
    );
    assert!(session.asked.is_empty(), "all stands there: {:?}", session.asked);
    let begun = session.text();
    assert!(
        begun.contains("planning") && begun.contains("Shuttle: free, Protect 0, exits north"),
        "{begun}"
    );
    let shuttle = session.piece("Large Lambda");
    let over = session.play_until("The game is over", &mut |_, _| None);
    assert!(
        over.contains("left over the attacker's edge") && over.contains("The defender wins"),
        "{over}"
    );
    let all = session.all();
    assert!(
        all.contains("The shuttle is Omicron Group Pilot. It exits over the north edge"),
        "{all}"
    );
    assert!(all.contains("which maneuver does it fly"), "{all}");
    // A 2 straight of a large base: 80 mm of template and 80 of base (PE-4.2).
    let (x, y) = session.moves_of(&shuttle.id)[0];
    assert_eq!((x, y), pixels(457.2, 60.0 + 160.0), "{all}");
}

/// PE-A2, PE-A3: a piece that is no ship of the module but called so is the program's shuttle.
#[test]
fn pe_1_1_a_piece_named_senators_shuttle_flies_for_the_program() {
    let mut kit = set_up(Role::Attacker, LARGE, &[340.0, 575.0]);
    let own = kit.pieces.iter_mut().find(|piece| piece.file == LARGE).unwrap();
    own.name = "Token: Senator's Shuttle".to_owned();
    own.traits = [practice::common(), vec![practice::whole_degrees("")]].concat();
    let mut session = Session::begun(5, led(Role::Attacker, 2), &kit, &mut |_, _| None);
    let shuttle = session.piece("Senator's Shuttle");
    let begun = session.text();
    assert!(begun.contains("Shuttle: free, Protect 0, exits south"), "{begun}");
    session.play_until("Round 4", &mut |_, _| None);
    let moves = session.moves_of(&shuttle.id);
    assert_eq!(moves.len(), 3, "once a round: {moves:?}\n{}", session.all());
    assert!(
        moves[0].1 > shuttle.y && moves[2].1 > moves[0].1,
        "to the south: {moves:?}"
    );
    let all = session.all();
    assert!(
        all.contains("PE-A2") && all.contains("Senator's Shuttle flies green 2 straight."),
        "{all}"
    );
    assert!(!all.contains("does nothing"), "{all}");
}

/// PE-3: from a mat with the shuttle alone. What the program owns it asks for where PE-A8 has it: a module has its pieces in a palette.
#[test]
fn pe_3_a_mat_with_the_shuttle_alone_is_set_up_by_its_questions() {
    let shuttle = [(457.2, 60.0, 0.0)];
    let bare = kit(&[(LARGE, &shuttle)]);
    let full = seen_of(&set_up(Role::Defender, LARGE, &[417.2, 497.2]));
    let taken = |part: &str| -> Vec<VassalPiece> {
        let all = full.pieces.iter().filter(|piece| piece.name.contains(part));
        // Ids of pieces that come later are others.
        all.map(|piece| VassalPiece {
            id: format!("palette {}", piece.id),
            ..piece.clone()
        })
        .collect()
    };
    let mut palette: BTreeMap<&str, Vec<VassalPiece>> =
        ["Asteroid", "TIE", "X-wing"].map(|part| (part, taken(part))).into();
    assert!(palette.values().all(|pieces| pieces.len() > 1), "{palette:?}");
    let mut order: Vec<&str> = Vec::new();
    let mut answers = |prompt: &PromptParams, table: &mut Pieces| {
        let asks = |part: &str| prompt.text.contains(part);
        let (word, from) = match () {
            () if asks("lay an obstacle of yours") => ("ours", "Asteroid"),
            () if asks("obstacle") => ("theirs", "Asteroid"),
            () if asks("Rookie Pilot") => ("X-wing", "X-wing"),
            () if asks("Academy Pilot") => ("TIE", "TIE"),
            () => return None,
        };
        order.push(word);
        table.seen.pieces.push(palette.get_mut(from).unwrap().remove(0));
        table.rev += 1;
        option(prompt, "Done")
    };
    let mut session = Session::begun(4, led(Role::Defender, 2), &bare, &mut answers);
    let begun = session.play_until("Shuttle: free", &mut answers);
    assert!(begun.contains("Round 1") && begun.contains("exits north"), "{begun}");
    assert_eq!(
        order,
        [
            "ours", "theirs", "ours", "theirs", "ours", "theirs", "TIE", "TIE", "X-wing", "X-wing"
        ],
        "{}",
        session.all()
    );
    session.play_until("Round 3", &mut |_, _| None);
    let shuttle = session.piece("Large Lambda");
    assert!(north_of(&shuttle) > 200.0, "{shuttle:?}");
}

/// PE-7.2, PE-8.2, PE-A4: the program's attackers shoot the shuttle down, by dice; on a large base, and on the token with a dial.
#[test]
fn pe_7_2_the_programs_attackers_shoot_the_shuttle_down() {
    for (base, dial, long) in [(ShuttleBase::Large, false, 80.0), (ShuttleBase::Token, true, 67.0)] {
        let ties: Vec<f64> = (0..8).map(|index| 457.2 + 60.0 * (f64::from(index) - 3.5)).collect();
        let kit = set_up(Role::Defender, LARGE, &ties);
        let play = |seed| {
            let mut game = led(Role::Defender, 8);
            game.options.shuttle_base = base;
            game.dial = dial;
            let mut session = Session::begun(seed, game, &kit, &mut |_, _| None);
            let shuttle = session.piece("Large Lambda");
            let over = session.play_until("The game is over", &mut |_, _| None);
            (session, shuttle, over)
        };
        // About one game in four ends so.
        let mut games = (4..44).map(play);
        let (session, shuttle, over) = games
            .find(|(_, _, over)| over.contains("The shuttle is destroyed"))
            .unwrap_or_else(|| panic!("{base:?}: nobody ever shot it down"));
        assert!(
            over.contains("The attacker wins") && over.contains("10 for the attacker"),
            "{over}"
        );
        let all = session.all();
        assert!(all.contains("PE-A4") && !all.contains("left over the"), "{all}");
        assert!(
            !session.table.seen.pieces.iter().any(|piece| piece.id == shuttle.id),
            "its piece is taken off"
        );
        assert_eq!(all.contains("what does its dial show"), dial, "PE-4.2");
        assert_eq!(all.contains("which maneuver does it fly"), !dial, "PE-4.2");
        // A 2 straight and the base's own length (PE-1.1); pixels are 0.35 mm.
        let moved = VassalPiece {
            y: session.moves_of(&shuttle.id)[0].1,
            ..shuttle.clone()
        };
        let flown = north_of(&moved) - north_of(&shuttle);
        assert!((flown - 80.0 - long).abs() < 0.4, "{base:?}: {flown} mm");
    }
}
