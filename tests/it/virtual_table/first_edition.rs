//! Whole rounds of the first edition through the real controller, over the real wire, with the real server.

use tallyho::{
    bridge::{
        host::{Host, HostConfig},
        virtual_table::{MatSpec, ShipSpec, VirtualTable},
    },
    protocol::round::Plays,
    server::tokens::Tokens,
    xwing::{catalog::Catalog, edition::Edition},
};

use super::{Match, PLAYER, SOLO, Server, academy_pilot};

/// Two TIE fighters and a player's X-wing, that face each other.
fn furnish(table: &VirtualTable) {
    table.add_mat(&MatSpec::default()).unwrap();
    table.add_bags(&[]).unwrap();
    let tie = |guid: &str, placement| academy_pilot(guid, "tiefighter", placement);
    table.add_ship(&tie(SOLO[0], [-2.0, 6.0, 0.0])).unwrap();
    table.add_ship(&tie(SOLO[1], [2.0, 6.0, 0.0])).unwrap();
    let player = ShipSpec {
        guid: PLAYER.into(),
        name: "Biggs Darklighter".into(),
        ship_id: "xwing".into(),
        faction: "rebelalliance".into(),
        owner: "Blue".into(),
        initiative: 5,
        placement: [0.0, -6.0, 180.0],
        ..tie(PLAYER, [0.0; 3])
    };
    table.add_ship(&player).unwrap();
}

/// FE-3.1 over the whole way: the controller's buttons, the server's questions, the mod's own moves.
#[test]
fn fe_3_1_whole_rounds_are_led_by_the_real_controller() {
    let host = Host::new(HostConfig {
        seed: 7,
        game: Some("first".into()),
        prompt_deadline_ms: 20_000,
        plays: Some(Plays::Rounds),
        catalog: Catalog::embedded_for(Edition::First),
        ..HostConfig::default()
    });
    let game = Match::furnished(Server::of(0, Tokens::random().unwrap(), Box::new(host)), furnish);
    game.connect();
    let mut lines = std::collections::BTreeSet::new();
    let mut flown = String::new();
    let mut asked = std::collections::BTreeSet::new();
    let round = |game: &Match| game.lua("return tostring(State.data.round)");
    for _ in 0..1500 {
        game.table.run_for(0.3).unwrap();
        let line = game.lua("return Panel.line");
        lines.insert(line.clone());
        if round(&game) == "4" {
            break;
        }
        let idle = "return tostring(Link.state == 'up' and not Panel.pressed and Link.outbox.n == 0 and Steps.running == nil \
                    and Steps.waiting.n == 0)";
        if game.lua("return tostring(Panel.questions.n > 0)") == "true" {
            let buttons = game.table.buttons(&game.controller).unwrap();
            asked.insert(game.lua("return Panel.questions[1].text"));
            let wanted = buttons.iter().find(|label| *label == "Focus");
            let answer = wanted.or_else(|| buttons.iter().find(|label| label.ends_with("(default)")));
            if let Some(answer) = answer.cloned() {
                game.press(&answer);
            }
        } else if game.lua(idle) != "true" {
            continue;
        } else if line.contains("Biggs Darklighter (pilot skill 5) moves and acts") && flown != round(&game) {
            flown = round(&game);
            assert!(game.table.fly(PLAYER, "s1").unwrap(), "the mod moves it");
            game.table
                .run_until(60.0, |table| table.at_rest(PLAYER).unwrap_or(true))
                .unwrap();
            game.table.run_for(0.2).unwrap();
            game.press("Tallyho");
        } else {
            game.press("Next");
        }
    }
    assert_eq!(
        round(&game),
        "4",
        "status `{}`, chat {:?}",
        game.lua("return Panel.line"),
        game.table.chat()
    );
    let all = lines.into_iter().collect::<Vec<_>>().join("\n");
    assert!(all.contains("pilot skill 1") && all.contains("combat"), "{all}");
    assert!(!all.contains("system phase") && !all.contains("initiative"), "{all}");
    let questions = asked.into_iter().collect::<Vec<_>>().join("\n");
    assert!(
        questions.contains("Biggs Darklighter: which action does it take?"),
        "{questions}"
    );
    assert!(
        questions.contains("(pilot skill 5) engages: whom does it attack?"),
        "{questions}"
    );
    // The end phase takes the focus tokens off.
    assert!(!game.table.tokens(PLAYER).unwrap().contains_key("Focus"));
    game.assert_no_errors();
}
