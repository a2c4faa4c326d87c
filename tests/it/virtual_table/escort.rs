//! Political Escort through the real controller, over the real wire, with the real server, which is killed on the way.

use std::path::Path;

use tallyho::{
    bridge::{
        host::{Host, HostConfig},
        virtual_table::{MatSpec, ShipSpec, VirtualTable, igu},
    },
    game::round::escort::{TableEscort, TableShip, TableSquad},
    protocol::round::Plays,
    server::tokens::Tokens,
    xwing::{catalog::Catalog, edition::Edition, escort::Role, size::Size},
};

use super::{Match, PLAYER, SOLO, Server};

const SHUTTLE: &str = "5e4a70";

fn squad(count: usize, name: &str, ship: &str, skill: u8) -> TableSquad {
    let own = TableShip {
        name: name.into(),
        ship: ship.into(),
        skill,
        size: Size::Small,
        points: Some(20),
    };
    TableSquad {
        ships: vec![own; count],
        points: Some(50),
        upgrades: 9,
        hull: 0,
        shields: 0,
    }
}

/// Two TIE fighters in the north, a player's X-wing in the south, a large model that the mod does not know for the shuttle.
fn furnish(table: &VirtualTable, role: Role) {
    table.add_mat(&MatSpec::default()).unwrap();
    table.add_bags(&[]).unwrap();
    let ship = |guid: &str, name: &str, ship_id: &str, x: f64, y: f64, turn: f64| ShipSpec {
        guid: guid.into(),
        name: name.into(),
        ship_id: ship_id.into(),
        size: Some(Size::Small),
        initiative: 1,
        faction: "galacticempire".into(),
        placement: [igu(x), igu(y), turn],
        ..ShipSpec::default()
    };
    table
        .add_ship(&ship(SOLO[0], "Academy Pilot", "tiefighter", -150.0, 400.0, 0.0))
        .unwrap();
    table
        .add_ship(&ship(SOLO[1], "Academy Pilot", "tiefighter", 150.0, 400.0, 0.0))
        .unwrap();
    let player = ShipSpec {
        faction: "rebelalliance".into(),
        owner: "Blue".into(),
        initiative: 2,
        ..ship(PLAYER, "Rookie Pilot", "xwing", -120.0, -400.0, 180.0)
    };
    table.add_ship(&player).unwrap();
    let (y, turn, faction, owner) = match role {
        Role::Defender => (-395.0, 180.0, "rebelalliance", "Blue"),
        Role::Attacker => (395.0, 0.0, "galacticempire", ""),
    };
    let shuttle = ShipSpec {
        size: Some(Size::Large),
        faction: faction.into(),
        owner: owner.into(),
        move_set: ["wbl1", "wbr1", "bs2"].map(String::from).to_vec(),
        ..ship(SHUTTLE, "Senator's Shuttle", "senator", 0.0, y, turn)
    };
    table.add_ship(&shuttle).unwrap();
}

fn server(port: u16, tokens: Tokens, role: Role, seed: u64, journal: &Path) -> Server {
    let host = Host::new(HostConfig {
        seed,
        game: Some("escort".into()),
        prompt_deadline_ms: 20_000,
        plays: Some(Plays::Rounds),
        catalog: Catalog::embedded_for(Edition::First),
        journal: Some(journal.to_owned()),
        escort: Some(TableEscort {
            player: squad(1, "Rookie Pilot", "xwing", 2),
            solo: squad(2, "Academy Pilot", "tiefighter", 1),
            role: Some(role),
            solo_first: Some(false),
            ..TableEscort::default()
        }),
        ..HostConfig::default()
    });
    Server::of(port, tokens, Box::new(host))
}

/// Plays a whole game by the buttons, the server killed and started again at the beginning of round 3; the last line.
fn play(role: Role, seed: u64) -> (String, Match, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("game.jsonl");
    let first = server(0, Tokens::random().unwrap(), role, seed, &journal);
    let mut game = Match::furnished(first, |table| furnish(table, role));
    game.connect_to_rounds();
    let mut asked = Vec::new();
    let mut killed = false;
    for _ in 0..3000 {
        game.table.run_for(0.3).unwrap();
        let line = game.lua("return Panel.line");
        if line.contains("The game is over") {
            assert!(killed, "{line}");
            return (line, game, asked);
        }
        if !killed && line.starts_with("Round 3, planning") {
            killed = true;
            let (port, tokens) = game.server.take().unwrap().stop();
            game.table.run_for(3.0).unwrap();
            game.server = Some(server(port, tokens, role, seed, &journal));
            continue;
        }
        let idle = "return tostring(Link.state == 'up' and not Panel.pressed and Link.outbox.n == 0 and Steps.running == nil \
                    and Steps.waiting.n == 0)";
        if game.lua("return tostring(Panel.questions.n > 0)") == "true" {
            let text = game.lua("return Panel.questions[1].text");
            if asked.last() != Some(&text) {
                asked.push(text);
            }
            let buttons = game.table.buttons(&game.controller).unwrap();
            if let Some(answer) = buttons.iter().find(|label| label.ends_with("(default)")).cloned() {
                game.press(&answer);
            }
        } else if game.lua(idle) == "true" {
            game.press("Next");
        }
    }
    panic!(
        "{role:?} {seed}: no end: `{}`, asked {asked:?}, chat {:?}",
        game.lua("return Panel.line"),
        game.table.chat()
    );
}

/// PE-7: told on the panel, and the game stays over.
#[test]
fn pe_7_players_defend_through_the_real_controller_to_the_end() {
    let (line, game, asked) = play(Role::Defender, 7);
    assert!(line.contains("wins") && line.contains("PE-8"), "{line}");
    let asked = asked.join("\n");
    assert!(asked.contains("lay an obstacle of yours"), "{asked}");
    assert!(asked.contains("which maneuver does it fly"), "{asked}");
    assert!(asked.contains("Shuttle activates"), "{asked}");
    game.assert_no_errors();
}

#[test]
fn pe_7_players_attack_through_the_real_controller_to_the_end() {
    let (line, game, asked) = play(Role::Attacker, 11);
    assert!(line.contains("wins") && line.contains("PE-8"), "{line}");
    let asked = asked.join("\n");
    assert!(
        asked.contains("whom does it attack") && asked.contains("Senator's Shuttle"),
        "{asked}"
    );
    assert!(!asked.contains("which maneuver does it fly"), "{asked}");
    let chat = game.table.chat().join("\n");
    assert!(chat.contains("Shuttle flies green 2 straight"), "{chat}");
    game.assert_no_errors();
}
