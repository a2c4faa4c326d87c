//! FE-SOLO: worked cases of the solo rules for ships of the first edition, by the ids of `tests/cases/first-edition/solo.txt`.

use std::{collections::BTreeSet, fs, path::Path};

use assert_cmd::Command;
use serde_json::Value;
use tallyho::{
    bridge::{position, text},
    dice::SeededDice,
    solo_alpha::{
        Options,
        attack::engage::{engage, no_abilities},
        decloak,
    },
    xwing::{
        catalog::Catalog,
        edition::{Contact, Edition},
        reposition::Decloak,
        scenario::{
            Scenario,
            muster::{Wishes, muster},
            setup::set_up,
        },
    },
};

use crate::solo_alpha::cases;

fn text() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/first-edition/solo.txt");
    fs::read_to_string(path).expect("the cases can be read")
}

/// Whether a section is about decloaking, which comes before the activation.
fn decloaks(section: &str) -> Option<&str> {
    section.lines().find_map(|line| line.strip_prefix("=> decloak "))
}

#[test]
fn fe_solo_cases_come_out_as_worked_by_hand() {
    let text = text();
    let files = [text.as_str()];
    let mut ids = BTreeSet::new();
    let mut differences = Vec::new();
    for (id, section) in cases::sections(&files) {
        assert!(ids.insert(id), "{id} stands twice");
        if decloaks(section).is_none() {
            differences.extend(cases::differences(id, section));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    for given in [
        "G1",
        "G3",
        "G5-6.3",
        "G5-6.4",
        "G7-plain",
        "G7-stressed",
        "G9",
        "G13",
        "G15",
        "G17-right",
    ] {
        assert!(ids.contains(given), "{given}");
    }
}

#[test]
fn fe_solo_12_a_cloaked_ship_decloaks_after_its_tally() {
    let (text, mut seen) = (text(), 0);
    let files = [text.as_str()];
    for (id, section) in cases::sections(&files) {
        let Some(expected) = decloaks(section) else {
            continue;
        };
        seen += 1;
        let (position, _) = cases::fixture(id, section);
        let ship = position.active.as_deref().expect("an active ship");
        for seed in 0..10 {
            let decision = decloak::decide(&position.table, ship, &Options::default(), &mut SeededDice::new(seed))
                .expect("it is in play");
            let way = match decision.way {
                Some(Decloak::Forward) => "forward".to_owned(),
                Some(Decloak::Sideways { side, slide_mm }) => {
                    format!("{}:{}", side.name(), (slide_mm * 100.0).round() / 100.0)
                }
                None => "none".to_owned(),
            };
            assert_eq!(way, expected, "{id}: {:#?}", decision.reasons);
            let last = decision.reasons.last().expect("a reason");
            assert_eq!(last.rule, "SA-12 FE-SOLO-12", "{id}");
        }
    }
    assert!(seen >= 4);
}

/// What `tallyho decide` prints.
fn decided(arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
    command.arg("decide").args(arguments).env_remove("TALLYHO_CATALOG");
    let run = command.write_stdin(input).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).expect("text")
}

/// FE-13.2: tracking tokens, the shuttle and satellites lie on the table without a mission, and change nothing.
#[test]
fn fe_13_2_mission_tokens_have_no_effect_without_a_mission() {
    let ships = "edition first\nship A tiefighter solo 500,400 @0 skill 3\nship X xwing player 400,700 @180 skill 1\n";
    let tokens = "point satellite-1 500,480\npoint tracking-1 505,520\npoint shuttle-1 460,440\n";
    assert_eq!(decided(&[], &format!("{ships}{tokens}")), decided(&[], ships));
}

/// FE-SOLO-2: ascending skill, equal skill in ascending id; the edition's word for it.
#[test]
fn fe_solo_2_ships_act_by_skill_then_by_id() {
    let ships = "edition first\nship C tiefighter solo 300,400 @0 skill 1\nship A tiefighter solo 500,400 @0 skill 3\n\
                 ship B tiefighter solo 700,400 @0 skill 1\nship X xwing player 400,700 @180 skill 1\n";
    let told = decided(&[], ships);
    assert!(told.contains("3 solo ships in pilot skill order: B, C, A."), "{told}");
    // The edition of the command line is meant where the position names none.
    let same = decided(
        &["--edition", "first"],
        ships.strip_prefix("edition first\n").expect("the line"),
    );
    assert_eq!(same, told);
}

#[test]
fn fe_solo_12_decide_tells_how_a_ship_decloaks_first() {
    let cloaked = r#"{"edition": "first", "active": "S", "roll": {"defence": "blank", "attack": "blank"}, "ships": [
        {"id": "S", "side": "solo", "ship": "tiephantom", "x": 400, "y": 400, "heading": 0, "skill": 3, "tokens": {"cloak": 1}},
        {"id": "A", "side": "player", "ship": "xwing", "x": 700, "y": 400, "heading": 0, "skill": 4}]}"#;
    let report: Value = serde_json::from_str(&decided(&["--json"], cloaked)).expect("JSON");
    let decision = &report["decisions"][0];
    assert_eq!(decision["decloak"], "right:0");
    assert_eq!(
        (decision["x"].as_f64(), decision["y"].as_f64()),
        (Some(520.0), Some(520.0))
    );
    let sentence = decision["sentence"].as_str().expect("a sentence");
    assert!(
        sentence.starts_with("S decloaks to the right. S is after A"),
        "{sentence}"
    );
    assert_eq!(decision["reasons"][0]["rule"], "SA-3.1d FE-SOLO-3");
}

/// FE-SOLO-9: secondary weapons with the target lock header at the locked ship, then others, then the primary weapon.
#[test]
fn fe_solo_9_secondary_weapons_come_first() {
    let torpedoes = "weapon protontorpedoes charges 1/1";
    let table = |words: &str| {
        let fixture = format!(
            "edition first\nship S xwing solo 400,300 @0 skill 2 {words}\nship A tiefighter player 400,500 @180 skill 1\n\
             ship B tiefighter player 430,600 @180 skill 1"
        );
        text::parse(&fixture, Catalog::embedded()).expect("a position").table
    };
    let attack = |words: &str| {
        let engagement = engage(&table(words), "S", &no_abilities, &mut SeededDice::new(1)).expect("in play");
        let rules: Vec<String> = engagement.reasons.iter().map(|reason| reason.rule.clone()).collect();
        (
            engagement
                .attack
                .map(|attack| (attack.weapon_name, attack.target.id.to_string())),
            rules,
            engagement.sentence,
        )
    };
    let made = |words: &str| attack(words).0.expect("an attack");
    let primary = "primary:Front Arc:3".to_owned();
    assert_eq!(
        made(&format!("lock B {torpedoes}")),
        ("protontorpedoes".to_owned(), "B".to_owned())
    );
    assert_eq!(
        attack(&format!("lock B {torpedoes}")).1,
        ["SA-9a FE-SOLO-9", "SA-9.1 FE-SOLO-9", "SA-9 FE-SOLO-9"]
    );
    // No lock, or the card lies discarded: the primary weapon, at the locked ship first.
    assert_eq!(made(torpedoes), (primary.clone(), "A".to_owned()));
    assert_eq!(
        made("lock B weapon protontorpedoes charges 0/1"),
        (primary.clone(), "B".to_owned())
    );
    // A ship that it touches cannot be attacked: the other one is.
    assert_eq!(made("bumped A"), (primary, "B".to_owned()));
    let (none, _, sentence) = attack("disarm 1");
    assert_eq!(none, None);
    assert!(sentence.contains("its weapons are disabled"), "{sentence}");
}

/// FE-SOLO-9, FE-8.3: the arcs of the primary weapon are one weapon: the nearest target in any of them, the locked one first.
#[test]
fn fe_solo_9_an_auxiliary_or_mobile_arc_belongs_to_the_primary_weapon() {
    let attack = |lines: &str| {
        let fixture = format!("edition first\n{lines}");
        let table = text::parse(&fixture, Catalog::embedded()).expect("a position").table;
        let attacks: BTreeSet<(String, String)> = (0..12)
            .map(|seed| {
                let engagement = engage(&table, "S", &no_abilities, &mut SeededDice::new(seed)).expect("in play");
                let attack = engagement.attack.expect("an attack");
                (attack.weapon_name, attack.target.id.to_string())
            })
            .collect();
        attacks
            .into_iter()
            .map(|(weapon, target)| format!("{weapon} {target}"))
            .collect::<Vec<_>>()
    };
    let around = "ship A xwing player 400,600 @180\nship B xwing player 400,240 @0";
    for ship in [
        "firespray31 solo 400,400 @0",
        "arc170 solo 400,400 @0",
        "lancerclasspursuitcraft solo 400,400 @0 turret rear",
    ] {
        let nearest = attack(&format!("ship S {ship}\n{around}"));
        assert_eq!(nearest.len(), 1, "{ship}: {nearest:?}");
        assert!(
            nearest[0].ends_with(" B") && !nearest[0].contains("Front"),
            "{ship}: {nearest:?}"
        );
        let locked = attack(&format!("ship S {ship} lock A\n{around}"));
        assert!(
            locked.len() == 1 && locked[0].contains("Front Arc") && locked[0].ends_with(" A"),
            "{ship}: {locked:?}"
        );
    }
}

/// FE-0.1, FE-14: a position names the options of its rulebook, in JSON and in text, and keeps them.
#[test]
fn a_position_names_the_options_of_its_edition() {
    let fixture =
        "edition first\nrules rulebook2012 touchingByContact=off soloCloak\nship S xwing solo 400,300 @0 skill 2";
    let position = text::parse(fixture, Catalog::embedded()).expect("a position");
    assert_eq!(position.table.rules.contact, Contact::Touching);
    assert!(position.table.rules.solo.cloaks && position.options.rulebook_2012);
    let written = text::write(&position, Catalog::embedded());
    assert!(
        written.starts_with("edition first\nrules rulebook2012 soloCloak touchingByContact=off\n"),
        "{written}"
    );
    assert_eq!(
        text::parse(&written, Catalog::embedded()).expect("a position").table,
        position.table
    );
    let json = position::write(&position, Catalog::embedded());
    assert_eq!(
        position::parse(&json, Catalog::embedded()).expect("a position").table,
        position.table
    );
    let refused = |text: &str| {
        text::parse(text, Catalog::embedded())
            .expect_err("a mistake")
            .to_string()
    };
    let second = refused("rules rulebook2012\nship S t65xwing solo 400,300 @0 init 2");
    assert!(second.contains("options of the first edition"), "{second}");
    let unknown = refused("edition first\nrules rulebook2013");
    assert!(
        unknown.contains("line 2, column 7") && unknown.contains("rulebook2012"),
        "{unknown}"
    );
}

/// FE-SOLO-14: every faction of the first edition has its ships in the introductory scenario, and each can fight each.
#[test]
fn fe_solo_14_the_introductory_scenario_has_ships_of_the_first_edition() {
    let catalog = Catalog::embedded_for(Edition::First);
    let scenario = Scenario::named("intro", Edition::First).expect("it is built in");
    assert_eq!(scenario.id, "intro-first");
    assert!(scenario.unknown_to(catalog).is_empty() && scenario.upgrades_unknown_to(catalog).is_empty());
    let factions = [
        "rebelalliance",
        "resistance",
        "galacticempire",
        "firstorder",
        "scumandvillainy",
    ];
    for (seed, faction) in factions.into_iter().enumerate() {
        for enemy in factions {
            for variant in [None, Some("ace"), Some("transport")] {
                let wishes = Wishes {
                    faction: faction.to_owned(),
                    enemy: enemy.to_owned(),
                    player_ships: 2,
                    variant: variant.map(str::to_owned),
                    ..Wishes::default()
                };
                let about = format!("{faction} against {enemy}, {variant:?}");
                let muster = muster(scenario, catalog, &wishes).unwrap_or_else(|error| panic!("{about}: {error}"));
                let ready =
                    set_up(scenario, &muster, catalog, seed as u64).unwrap_or_else(|error| panic!("{about}: {error}"));
                assert_eq!(ready.table.rules.edition, Edition::First, "{about}");
                assert!(
                    ready.table.ships.iter().all(|ship| ship.edition == Edition::First),
                    "{about}"
                );
                let here = ready.table.ships_in_play().count();
                assert_eq!(here, 4 + usize::from(variant == Some("transport")), "{about}");
            }
        }
    }
    let second = muster(Scenario::intro(), catalog, &Wishes::default()).expect_err("other ships");
    assert!(second.to_string().contains("--edition second"), "{second}");
}

/// FE-SOLO-9: the open value is a weapon's `value` in a position, or `--value`; without either it is asked for.
#[test]
fn fe_solo_9_an_open_value_is_given_in_a_position_or_beforehand() {
    let position = |weapon: &str| {
        format!(
            r#"{{"edition": "first", "active": "S", "ships": [
            {{"id": "S", "side": "solo", "ship": "ywing", "x": 400, "y": 300, "heading": 0, "skill": 2, "special": [{weapon}]}},
            {{"id": "A", "side": "player", "ship": "tiefighter", "x": 400, "y": 520, "heading": 180, "skill": 1}}]}}"#
        )
    };
    let engage = |arguments: &[&str], weapon: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tallyho"));
        command.args(["decide", "--engage"]).args(arguments);
        let run = command.write_stdin(position(weapon)).assert().success();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&run.get_output().stdout), text(&run.get_output().stderr))
    };
    let open = r#"{"id": "twinlaserturret"}"#;
    let (out, err) = engage(&[], open);
    assert!(!out.contains("Twin Laser Turret"), "{out}");
    assert!(
        err.contains("give its `value`, or `--value twinlaserturret=N`"),
        "{err}"
    );
    let given = r#"{"id": "twinlaserturret", "value": 3}"#;
    for (arguments, weapon) in [
        (&[][..], given),
        (&["--edition", "first", "--value", "twinlaserturret=3"], open),
    ] {
        let (out, err) = engage(arguments, weapon);
        assert!(out.contains("Twin Laser Turret"), "{out} {err}");
    }
}
