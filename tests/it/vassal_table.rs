//! Games at tables of Vassal: raw pieces go in, changes of pieces come out. A table of our own carries them out as the plugin does;
//! `.ci/vassal` shows the same in a real Vassal.

mod escort;

use std::{
    collections::{BTreeMap, VecDeque},
    path::Path,
};

use serde_json::{Value, json};
use tallyho::{
    bridge::{
        host::{Host, HostConfig, Outgoing},
        skirmish::{SkirmishHost, SkirmishHostConfig},
        vassal::{
            game::Game,
            module::Module,
            practice::{self, Kit},
            profile::{Plays, Profile, flight},
            save::Save,
            table,
        },
        vassal_table::{VassalReader, VassalTable},
    },
    protocol::{
        apply::{ApplyParams, ApplyResult, Outcome, Placement, WireStep},
        lifecycle::{ClientCapabilities, Dialect, Role},
        round,
        solo::PromptParams,
        vassal::{PieceChange, VassalPiece, VassalSnapshot},
    },
    server::{host::TableHost, vassal::VassalHost},
    xwing::{catalog::Catalog, edition::Edition},
};

/// What the plugin would send of a practice game.
fn practice_game(plays: Plays) -> VassalSnapshot {
    let kit = match plays {
        Plays::XWing => practice::xwing(Edition::Second),
        Plays::StarWarsMiniatures => practice::skirmish(),
    }
    .unwrap();
    seen_of(&kit)
}

/// What the plugin would send of a kit's save.
fn seen_of(kit: &Kit) -> VassalSnapshot {
    let save = Save::read(std::io::Cursor::new(kit.save().unwrap())).unwrap();
    let module = Module::read(std::io::Cursor::new(kit.module().unwrap())).unwrap();
    let game = Game::of(&save.commands).unwrap();
    table::snapshot(&game, &save.about, Some(&module))
}

fn host(plays: Plays, journal: Option<&Path>) -> VassalHost {
    let journal = journal.map(Path::to_owned);
    let inner: Box<dyn TableHost> = match plays {
        Plays::XWing => Box::new(Host::new(HostConfig {
            seed: 7,
            journal,
            plays: Some(round::Plays::Activations),
            ..HostConfig::default()
        })),
        Plays::StarWarsMiniatures => Box::new(SkirmishHost::new(SkirmishHostConfig {
            seed: 7,
            journal,
            ..SkirmishHostConfig::default()
        })),
    };
    VassalHost::around(inner, VassalReader::new(plays, Catalog::embedded(), None))
}

/// Pieces on a table that does what it is asked.
struct Pieces {
    seen: VassalSnapshot,
    removed: BTreeMap<String, VassalPiece>,
    rev: u64,
    carried_out: Vec<WireStep>,
    said: Vec<String>,
    /// What the players are told.
    told: Vec<String>,
}

impl Pieces {
    fn of(seen: VassalSnapshot) -> Pieces {
        Pieces {
            seen,
            removed: BTreeMap::new(),
            rev: 1,
            carried_out: Vec::new(),
            said: Vec::new(),
            told: Vec::new(),
        }
    }

    fn piece(&mut self, id: &str) -> &mut VassalPiece {
        let found = self.seen.pieces.iter_mut().find(|piece| piece.id == id);
        found.unwrap_or_else(|| panic!("no piece {id}"))
    }

    fn sync(&self) -> Value {
        let mut snapshot = serde_json::to_value(&self.seen).unwrap();
        snapshot["kind"] = json!("vassal");
        json!({"rev": self.rev, "snapshot": snapshot})
    }

    /// Places, headings and properties: all that a step can change.
    fn state(&self) -> BTreeMap<String, String> {
        let pieces = self.seen.pieces.iter();
        let shown = pieces.map(|own| {
            let state = format!("{} {} {:?} {:?}", own.x, own.y, own.heading, own.properties);
            (own.id.clone(), state)
        });
        shown.collect()
    }

    fn apply(&mut self, asked: &ApplyParams) -> ApplyResult {
        self.carried_out.push(asked.step.clone());
        self.rev += 1;
        let mut observed = None;
        match &asked.step {
            WireStep::Say { text, .. } => self.said.push(text.clone()),
            WireStep::Pieces { object, changes, text } => {
                self.said.push(text.clone());
                changes.iter().for_each(|change| self.change(change));
                let piece = self.seen.pieces.iter().find(|piece| piece.id == *object);
                observed = piece.map(|piece| Placement {
                    x: piece.x.into(),
                    y: piece.y.into(),
                    facing: piece.heading.unwrap_or(0.0),
                });
            }
            other => panic!("no step of a table of Vassal: {other:?}"),
        }
        ApplyResult {
            outcome: Outcome::Applied,
            reason: String::new(),
            rev: self.rev,
            observed,
            bumped: false,
            touching: Vec::new(),
        }
    }

    fn change(&mut self, change: &PieceChange) {
        match change {
            PieceChange::Move {
                piece, from, to, drag, ..
            } => {
                let piece = self.piece(piece);
                assert_eq!((piece.x, piece.y), (from.x, from.y), "{change:?}");
                if *drag {
                    // What is dragged snaps to the middle of a square, and so it must be meant.
                    assert_eq!((to.x.rem_euclid(50), to.y.rem_euclid(50)), (25, 25), "{change:?}");
                }
                (piece.x, piece.y) = (to.x, to.y);
            }
            // Modules turn ships by whole degrees.
            PieceChange::Turn { piece, heading } => self.piece(piece).heading = Some(heading.round().rem_euclid(360.0)),
            PieceChange::Property { piece, name, value } => {
                let own = self.piece(piece).properties.get_mut(name);
                *own.unwrap_or_else(|| panic!("{change:?}")) = value.clone();
            }
            PieceChange::Remove { piece } => {
                let at = self.seen.pieces.iter().position(|own| own.id == *piece).unwrap();
                let gone = self.seen.pieces.remove(at);
                self.removed.insert(piece.clone(), gone);
            }
            PieceChange::Restore { piece, at } => {
                if let Some(back) = self.removed.remove(piece) {
                    self.seen.pieces.push(back);
                }
                let piece = self.piece(piece);
                (piece.x, piece.y) = (at.x, at.y);
            }
            PieceChange::Add { slot, at } => {
                let id = format!("laid {}", self.rev * 100 + self.seen.pieces.len() as u64);
                self.seen.pieces.push(VassalPiece {
                    id,
                    name: slot.clone(),
                    basic: slot.clone(),
                    map: "Main Map".to_owned(),
                    x: at.x,
                    y: at.y,
                    ..VassalPiece::default()
                });
            }
            PieceChange::Key { .. } => panic!("nobody asks for {change:?}"),
        }
    }
}

fn attach(host: &mut VassalHost, resumed: bool) -> VecDeque<Outgoing> {
    let capabilities = ClientCapabilities {
        dialect: Dialect::Vassal,
        steps: vec!["say".to_owned(), "pieces".to_owned()],
        ..ClientCapabilities::default()
    };
    host.table_attached(&capabilities, resumed).into()
}

/// Asks for something and carries out whatever comes of it.
fn play(host: &mut VassalHost, table: &mut Pieces, method: &str, params: Value) -> Value {
    let (answer, outgoing) = host.request(Role::Table, method, params);
    follow(host, table, outgoing.into());
    answer.unwrap_or_else(|fault| panic!("{method}: {fault}"))
}

fn follow(host: &mut VassalHost, table: &mut Pieces, waiting: VecDeque<Outgoing>) {
    follow_answering(host, table, waiting, &mut |_, _| None);
}

/// What the players answer to a question; they may touch the table first.
type Answers<'a> = dyn FnMut(&PromptParams, &mut Pieces) -> Option<String> + 'a;

fn follow_answering(host: &mut VassalHost, table: &mut Pieces, mut waiting: VecDeque<Outgoing>, answers: &mut Answers) {
    while let Some(outgoing) = waiting.pop_front() {
        match outgoing {
            Outgoing::Apply(asked) => {
                let answer = table.apply(&asked);
                waiting.extend(host.apply_answered(&asked.action_id, Ok(answer)));
            }
            Outgoing::RequestSync => {
                let (answer, more) = host.request(Role::Table, "table/sync", table.sync());
                answer.unwrap();
                waiting.extend(more);
            }
            Outgoing::Prompt(prompt) => {
                let choice = answers(&prompt, table);
                waiting.extend(host.prompt_answered(&prompt.prompt_id, choice));
            }
            Outgoing::Event(event) => {
                let text = serde_json::to_value(&event).unwrap();
                for field in ["text", "message", "sentence"] {
                    let sentence = text[field].as_str().unwrap_or_default();
                    assert!(!sentence.contains("17000000000"), "an id is spoken: {text}");
                }
                table.told.push(text.to_string());
            }
            Outgoing::Roll(_) | Outgoing::Withdraw(_) => {}
        }
    }
}

/// A table that is attached and seen, with its host.
fn begun(plays: Plays) -> (VassalHost, Pieces) {
    let (mut host, mut table) = (host(plays, None), Pieces::of(practice_game(plays)));
    let waiting = attach(&mut host, false);
    follow(&mut host, &mut table, waiting);
    let sync = table.sync();
    play(&mut host, &mut table, "table/sync", sync);
    (host, table)
}

/// Plays until nobody waits; how many activations there were.
fn play_round(host: &mut VassalHost, table: &mut Pieces) -> usize {
    for activations in 0..20 {
        let status = play(host, table, "game/status", Value::Null);
        if status["waiting"].as_array().unwrap().is_empty() {
            return activations;
        }
        let press = format!("press {activations}");
        play(host, table, "solo/advance", json!({"opId": press}));
    }
    panic!("the round has no end");
}

#[test]
fn a_round_of_a_skirmish_is_played_with_the_pieces_and_taken_back() {
    let (mut host, mut table) = begun(Plays::StarWarsMiniatures);
    let before = table.state();
    assert_eq!(play_round(&mut host, &mut table), 3);
    let after = table.state();
    assert_ne!(before, after);
    let solo = |piece: &&VassalPiece| piece.properties["Side"] == "solo";
    assert!(
        table
            .seen
            .pieces
            .iter()
            .filter(solo)
            .all(|piece| piece.properties["Activated"] == "1")
    );
    assert!(
        table.said.iter().all(|text| !text.contains("17000000000")),
        "{:?}",
        table.said
    );
    // Two of one name are told apart.
    assert!(
        table.said.iter().any(|text| text.contains("Juggernaut War Droid 2")),
        "{:?}",
        table.said
    );
    for press in 0..3 {
        play(
            &mut host,
            &mut table,
            "solo/undo",
            json!({"opId": format!("undo {press}")}),
        );
    }
    assert_eq!(table.state(), before);
    let status = play(&mut host, &mut table, "game/status", Value::Null);
    assert_eq!(status["waiting"].as_array().unwrap().len(), 3);
}

#[test]
fn ships_fly_to_pixels_and_whole_degrees() {
    let (mut host, mut table) = begun(Plays::XWing);
    let before = table.state();
    assert_eq!(play_round(&mut host, &mut table), 3);
    let moved: Vec<&str> = (table.state().iter())
        .filter(|(id, state)| before.get(*id).is_some_and(|before| before != *state))
        .map(|(id, _)| {
            table
                .seen
                .pieces
                .iter()
                .find(|piece| piece.id == *id)
                .unwrap()
                .name
                .as_str()
        })
        .map(|name| if name.contains("TIE") { "TIE" } else { "other" })
        .collect();
    assert_eq!(moved, ["TIE"; 3]);
    // Tokens are laid beside the ships that got them, and read from there.
    let evades = table
        .seen
        .pieces
        .iter()
        .filter(|piece| piece.basic == "Evade2e")
        .count();
    let said = table
        .said
        .iter()
        .filter(|text| text.ends_with(" gets 1 evade."))
        .count();
    assert!(evades > 0 && evades == said, "{:?}", table.said);
    assert!(
        table.said.iter().any(|text| text.contains(" flies blue 2 straight.")),
        "{:?}",
        table.said
    );
    let moves = table.carried_out.iter().filter(|step| {
        matches!(step, WireStep::Pieces { changes, .. }
            if matches!(changes[..], [PieceChange::Move { drag: false, .. }, PieceChange::Turn { .. }, ..]))
    });
    assert_eq!(moves.count(), 3);
}

/// The tokens of a ship by the position that the table is read as.
fn tokens_of(table: &Pieces, ship: &str) -> BTreeMap<String, u32> {
    let profile = Profile::for_game(&table.seen).unwrap();
    let read = flight(&table.seen, &profile, Catalog::embedded()).unwrap();
    let mut own = read.position.ships.into_iter().find(|own| own.id == ship).unwrap();
    let words = ["focus", "evade", "calculate", "stress"];
    let counts = words
        .iter()
        .map(|word| ((*word).to_owned(), *own.tokens.count_mut(word).unwrap()));
    counts.filter(|(_, count)| *count > 0).collect()
}

#[test]
fn tokens_are_laid_beside_their_ship_go_along_with_it_and_are_taken_back() {
    let mut reader = VassalReader::new(Plays::XWing, Catalog::embedded(), None);
    let mut table = Pieces::of(practice_game(Plays::XWing));
    let ships: Vec<String> = (table.seen.pieces.iter())
        .filter(|piece| piece.properties.contains_key("xws"))
        .map(|piece| piece.id.clone())
        .collect();
    let apply = |table: &mut Pieces, read: &mut VassalTable, step: &WireStep| {
        let step = read.step(step);
        table.apply(&ApplyParams {
            action_id: String::new(),
            rev: 1,
            step: step.clone(),
        });
        read.carried_out(&step);
        step
    };
    let token = |object: &String, token: &str, count| WireStep::Token {
        object: object.clone(),
        token: token.to_owned(),
        count,
        side: String::new(),
    };
    let before = table.state();
    for ship in &ships {
        // Without a look at the table in between, and with one.
        let mut read = reader.read(&table.seen).unwrap();
        apply(&mut table, &mut read, &token(ship, "focus", 2));
        apply(&mut table, &mut read, &token(ship, "evade", 1));
        apply(&mut table, &mut read, &token(ship, "stress", 1));
        let mut read = reader.read(&table.seen).unwrap();
        apply(&mut table, &mut read, &token(ship, "calculate", 1));
    }
    let expected: BTreeMap<String, u32> = [("calculate", 1), ("evade", 1), ("focus", 2), ("stress", 1)]
        .map(|(word, count)| (word.to_owned(), count))
        .into();
    for ship in &ships {
        assert_eq!(tokens_of(&table, ship), expected, "{ship}");
    }
    let places: std::collections::BTreeSet<(i32, i32)> =
        table.seen.pieces.iter().map(|piece| (piece.x, piece.y)).collect();
    assert_eq!(places.len(), table.seen.pieces.len(), "no two lie on one spot");
    // A ship takes its tokens along.
    let mut read = reader.read(&table.seen).unwrap();
    let ship = table.piece(&ships[0]).clone();
    let seen = Placement {
        x: ship.x.into(),
        y: ship.y.into(),
        facing: ship.heading.unwrap(),
    };
    let from = read.observed(seen);
    let to = Placement {
        x: 100.0,
        y: 100.0,
        facing: 90.0,
    };
    let code = "2FB".to_owned();
    apply(
        &mut table,
        &mut read,
        &WireStep::Move {
            object: ships[0].clone(),
            code,
            from,
            to,
        },
    );
    assert_eq!(tokens_of(&table, &ships[0]), expected);
    // They are spent and taken away; what does not lie there is said.
    let mut read = reader.read(&table.seen).unwrap();
    let WireStep::Pieces { changes, text, .. } = apply(&mut table, &mut read, &token(&ships[0], "focus", -3)) else {
        panic!("no change of pieces")
    };
    assert!(
        changes.is_empty() && text.ends_with("loses 3 focus: please do it by hand."),
        "{text}"
    );
    let back = WireStep::Place {
        object: ships[0].clone(),
        from: to,
        to: from,
    };
    apply(&mut table, &mut read, &back);
    for ship in &ships {
        let mut read = reader.read(&table.seen).unwrap();
        for (word, count) in &expected {
            apply(
                &mut table,
                &mut read,
                &token(ship, word, -i32::try_from(*count).unwrap()),
            );
        }
        assert_eq!(tokens_of(&table, ship), BTreeMap::new());
    }
    assert_eq!(table.state(), before);
}

#[test]
fn a_property_that_the_module_lacks_is_noted_by_hand() {
    let (mut host, mut table) = begun(Plays::StarWarsMiniatures);
    for piece in &mut table.seen.pieces {
        piece.properties.remove("Activated");
        piece.properties.remove("HP");
    }
    table.rev += 1;
    play_round(&mut host, &mut table);
    let said = table.said.join("\n");
    assert!(said.contains("hit points left: please note it by hand."), "{said}");
    assert!(said.contains("has activated."), "{said}");
}

/// Modules that keep hit points on property sheets: they are read by the field's own name, and written under its whole one.
#[test]
fn hit_points_on_a_sheet_are_counted_there() {
    let (mut host, mut table) = begun(Plays::StarWarsMiniatures);
    for piece in &mut table.seen.pieces {
        if let Some(value) = piece.properties.remove("HP") {
            piece.properties.insert("Card.HP".to_owned(), format!("{value}/140"));
        }
    }
    table.rev += 1;
    play_round(&mut host, &mut table);
    let set: Vec<&str> = (table.carried_out.iter())
        .filter_map(|step| match step {
            WireStep::Pieces { changes, .. } => Some(changes),
            _ => None,
        })
        .flatten()
        .filter_map(|change| match change {
            PieceChange::Property { name, value, .. } if name == "Card.HP" => Some(value.as_str()),
            _ => None,
        })
        .collect();
    assert!(
        !set.is_empty() && set.iter().all(|value| value.ends_with("/140")),
        "{set:?}"
    );
}

#[test]
fn a_step_waits_for_the_pieces_after_a_restart_and_keeps_its_id() {
    for plays in [Plays::XWing, Plays::StarWarsMiniatures] {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("game.jsonl");
        let mut table = Pieces::of(practice_game(plays));
        let first = {
            let mut host = host(plays, Some(&journal));
            attach(&mut host, false);
            host.request(Role::Table, "table/sync", table.sync()).0.unwrap();
            let (answer, outgoing) = host.request(Role::Table, "solo/advance", json!({"opId": "a", "rev": table.rev}));
            answer.unwrap();
            let asked = outgoing.into_iter().find_map(|outgoing| match outgoing {
                Outgoing::Apply(asked) => Some(asked),
                _ => None,
            });
            asked.unwrap()
        };
        let mut host = host(plays, Some(&journal));
        let outgoing = attach(&mut host, false);
        let asks = |outgoing: &Outgoing| matches!(outgoing, Outgoing::Apply(_));
        assert!(
            !outgoing.iter().any(asks),
            "what the pieces are is not known yet: {outgoing:?}"
        );
        assert!(outgoing.contains(&Outgoing::RequestSync));
        let (answer, outgoing) = host.request(Role::Table, "table/sync", table.sync());
        answer.unwrap();
        let again = outgoing.iter().find_map(|outgoing| match outgoing {
            Outgoing::Apply(asked) => Some(asked.clone()),
            _ => None,
        });
        assert_eq!(again, Some(first));
        follow(&mut host, &mut table, outgoing.into());
        let status = play(&mut host, &mut table, "game/status", Value::Null);
        assert_eq!(status["waiting"].as_array().unwrap().len(), 2, "{status}");
    }
}

#[test]
fn a_module_of_the_other_game_is_refused_with_the_remedy() {
    for (serves, lies, remedy) in [
        (Plays::XWing, Plays::StarWarsMiniatures, "tallyho serve --swm"),
        (Plays::StarWarsMiniatures, Plays::XWing, "without --swm"),
    ] {
        let mut host = host(serves, None);
        attach(&mut host, false);
        let table = Pieces::of(practice_game(lies));
        let (answer, _) = host.request(Role::Table, "table/sync", table.sync());
        let fault = answer.unwrap_err();
        assert!(fault.message.contains(remedy), "{fault}");
    }
}

#[test]
fn a_module_that_no_profile_knows_is_refused_with_the_remedy() {
    let mut host = host(Plays::XWing, None);
    attach(&mut host, false);
    let mut table = Pieces::of(practice_game(Plays::StarWarsMiniatures));
    table.seen.module.name = "Somebody's Chess".to_owned();
    let (answer, _) = host.request(Role::Table, "table/sync", table.sync());
    let fault = answer.unwrap_err();
    assert!(
        fault.message.contains("Somebody's Chess") && fault.message.contains("probe"),
        "{fault}"
    );
}

#[test]
fn the_side_that_the_player_chooses_is_played() {
    let mut host = host(Plays::StarWarsMiniatures, None);
    attach(&mut host, false);
    let mut table = Pieces::of(practice_game(Plays::StarWarsMiniatures));
    table.seen.automates = "player".to_owned();
    let sync = table.sync();
    play(&mut host, &mut table, "table/sync", sync);
    let status = play(&mut host, &mut table, "game/status", Value::Null);
    let solo = status["solo"].as_array().unwrap();
    assert_eq!(solo.len(), 3);
    for id in solo {
        let piece = table.piece(id.as_str().unwrap());
        assert_eq!(piece.properties["Side"], "player");
    }
}

#[test]
fn other_tables_pass_through_as_they_are() {
    let mut host = host(Plays::XWing, None);
    let capabilities = ClientCapabilities {
        steps: ["say", "move", "token"].map(str::to_owned).to_vec(),
        ..ClientCapabilities::default()
    };
    host.table_attached(&capabilities, false);
    let ship = |id: &str, side: &str, y: f64| json!({"id": id, "side": side, "ship": "tielnfighter", "x": 400, "y": y, "heading": 0});
    let position = json!({"ships": [ship("a", "solo", 100.0), ship("c", "player", 700.0)]});
    let sync = json!({"rev": 1, "snapshot": {"kind": "plain", "position": position}});
    host.request(Role::Table, "table/sync", sync).0.unwrap();
    let (answer, mut waiting) = host.request(Role::Table, "solo/advance", json!({"opId": "a", "rev": 1}));
    answer.unwrap();
    let mut seen = Vec::new();
    while let Some(outgoing) = waiting.pop() {
        let Outgoing::Apply(asked) = outgoing else { continue };
        seen.push(asked.step.clone());
        let observed = match asked.step {
            WireStep::Move { to, .. } => Some(to),
            _ => None,
        };
        let answer = ApplyResult {
            outcome: Outcome::Applied,
            reason: String::new(),
            rev: 1,
            observed,
            bumped: false,
            touching: Vec::new(),
        };
        waiting.extend(host.apply_answered(&asked.action_id, Ok(answer)));
    }
    assert!(
        seen.iter().any(|step| matches!(step, WireStep::Move { .. })),
        "{seen:?}"
    );
    assert!(
        !seen.iter().any(|step| matches!(step, WireStep::Pieces { .. })),
        "{seen:?}"
    );
}

/// Two pieces of one id are two things: neither is passed over in silence.
#[test]
fn pieces_of_one_id_are_refused() {
    for plays in [Plays::StarWarsMiniatures, Plays::XWing] {
        let (mut host, mut table) = begun(plays);
        let takes_part = |piece: &&VassalPiece| {
            let mut values = piece.properties.values();
            values.any(|value| value == "solo" || value == "academypilot")
        };
        let mut twin = table.seen.pieces.iter().find(takes_part).unwrap().clone();
        twin.x += 100;
        table.seen.pieces.push(twin);
        table.rev += 1;
        let (answer, _) = host.request(Role::Table, "table/sync", table.sync());
        let fault = answer.unwrap_err();
        let said = ["another piece has this id", "already another object's id"];
        assert!(said.iter().any(|said| fault.message.contains(said)), "{fault}");
    }
}
