//! The facts of the first edition: what the importer reads, and what the embedded table holds (FE-0.4, FE-1, FE-8.3).

use std::{collections::BTreeMap, path::Path};

use expect_test::{expect, expect_file};
use proptest::prelude::*;
use tallyho::xwing::{
    catalog::{
        Catalog,
        facts::{AttackMode, Cost, DeviceKind, Grant},
        import, notation,
        resolve::ResolveNote,
    },
    edition::Edition,
    maneuver::{Dial, Maneuver},
    size::Size,
    weapon::{Requirement, WeaponArc},
};

fn embedded() -> &'static Catalog {
    Catalog::embedded_for(Edition::First)
}

/// Imports a data set of these files.
fn import_files(files: &[(&str, &str)]) -> import::Import {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    import::read(folder.path(), &mut |_, _| {}).expect("a data set")
}

#[test]
fn the_embedded_table_covers_the_first_edition() {
    let catalog = embedded();
    assert_eq!(catalog.edition(), Edition::First);
    let mut sizes = BTreeMap::new();
    for ship in catalog.ships() {
        *sizes.entry(ship.size).or_insert(0) += 1;
    }
    assert_eq!(
        sizes,
        BTreeMap::from([(Size::Small, 36), (Size::Large, 13), (Size::Huge, 7)])
    );
    // The data has 297 pilots, one of them without a pilot skill of his own, and 367 sides of upgrades, five cards with two.
    assert_eq!(catalog.pilots().len(), 296);
    assert_eq!(catalog.upgrades().len(), 362);
    let sides: usize = catalog.upgrades().iter().map(|upgrade| upgrade.sides.len()).sum();
    assert_eq!(sides, 367);
    let listed: usize = catalog.ships().iter().map(|ship| ship.pilots.len()).sum();
    assert_eq!(listed, 296, "every pilot belongs to a ship");
    let unique = catalog.pilots().iter().filter(|pilot| pilot.limited == 1).count();
    assert_eq!(unique, 196);
    for ship in catalog.ships().iter().filter(|ship| ship.size != Size::Huge) {
        let id = &ship.xws;
        assert!(ship.dial.maneuvers().len() >= 10, "{id}: dial");
        assert!(ship.stats.hull.is_some_and(|hull| hull > 0), "{id}: hull");
        assert!(
            ship.stats.agility.is_some() && !ship.stats.weapons.is_empty(),
            "{id}: stats"
        );
        assert!(!ship.actions.is_empty(), "{id}: actions");
        let plain = |action: &tallyho::xwing::action::BarAction| !notation::write_action(action).contains([' ', '>']);
        let named = ["Barrel Roll", "Rotate Arc"];
        assert!(
            (ship.actions.iter())
                .all(|action| plain(action) || named.contains(&notation::write_action(action).as_str())),
            "{id}: FE-5.6: all actions are white and unlinked"
        );
    }
}

#[test]
fn the_embedded_table_of_the_first_edition_is_what_the_importer_writes() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/xwing-data");
    if !data.is_dir() {
        eprintln!("skipped: there is no data set at {}", data.display());
        return;
    }
    let import = import::read(&data, &mut |_, _| {}).expect("a data set");
    let mut table = Vec::new();
    (import.catalog.write_json(&mut table)).expect("a vector takes everything");
    assert!(
        table == include_bytes!("../../../data/first-edition/catalog.json"),
        "write data/first-edition/catalog.json anew with `tallyho catalog import`"
    );
    assert_eq!(&import.catalog, embedded());
    let warnings: Vec<String> = import.warnings.iter().map(ToString::to_string).collect();
    expect_file!["../../cases/catalog/first-edition.warnings"].assert_eq(&(warnings.join("\n") + "\n"));
}

#[test]
fn the_embedded_table_of_the_first_edition_holds_no_text() {
    let table = include_str!("../../../data/first-edition/catalog.json");
    let (_, records) = table.split_once("\"source\"").expect("the source follows the notice");
    for word in ["http", "Attack:", "[Focus]", "you may", "<br", ".png"] {
        assert!(!records.contains(word), "{word}");
    }
}

/// FE-0.4: the arcs of the ships that have more than the front one.
#[test]
fn fe_0_4_arcs_of_primary_weapons() {
    let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for ship in embedded().ships().iter().filter(|ship| ship.size != Size::Huge) {
        let arcs: Vec<&str> = (ship.stats.weapons.iter())
            .map(|weapon| notation::arc_name(weapon.arc))
            .collect();
        if arcs != ["Front Arc"] {
            found.entry(arcs.join(", ")).or_default().push(&ship.xws);
        }
    }
    let lines: Vec<String> = (found.iter())
        .map(|(arcs, ships)| format!("{arcs}: {}\n", ships.join(" ")))
        .collect();
    expect![[r#"
        All Round: bsf17bomber jumpmaster5000 kwing vt49decimator yt1300 yt2400
        Front Arc, Rear Arc: arc170 firespray31 sheathipedeclassshuttle tiesffighter
        Front Arc, Single Turret Arc: lancerclasspursuitcraft
        Full Front Arc: auzituckgunship yv666
    "#]]
    .assert_eq(&lines.concat());
}

#[test]
fn embedded_facts_of_the_first_edition_agree_with_the_cards() {
    let catalog = embedded();
    let dial = |ship: &str| notation::write_dial(&catalog.ship(ship).expect(ship).dial);
    assert_eq!(
        dial("xwing"),
        "1FB 1BB 1NB 2FB 2BW 2NW 2TW 2YW 3FW 3BW 3NW 3TW 3YW 4FW 4KR"
    );
    // Loops, rolls, staying and going astern.
    assert!(dial("starviper").contains("3LR 3PR") && dial("t70xwing").contains("3ER 3RR"));
    assert!(dial("lambdaclassshuttle").starts_with("0OR") && dial("quadjumper").contains("1SR 1AR 1DR"));
    let side = |id: &str| catalog.upgrade(id).expect(id).sides[0].clone();
    let attack = |id: &str| side(id).attack.expect(id);
    let torpedoes = attack("protontorpedoes");
    assert_eq!(
        (torpedoes.value, torpedoes.min_range, torpedoes.max_range),
        (Some(4), 2, 3)
    );
    assert_eq!((torpedoes.requires, torpedoes.spends), (vec![Requirement::Lock], true));
    assert_eq!(
        side("protontorpedoes").charges.map(|pool| pool.value),
        Some(1),
        "it is discarded"
    );
    let homing = attack("homingmissiles");
    assert_eq!(
        (homing.requires, homing.spends),
        (vec![Requirement::Lock], false),
        "the lock is kept"
    );
    let blaster = attack("blasterturret");
    assert_eq!(
        (blaster.arc, blaster.requires, blaster.spends),
        (WeaponArc::AllRound, vec![Requirement::Focus], true)
    );
    assert_eq!(side("blasterturret").charges, None, "it is not discarded");
    assert_eq!(
        (attack("ioncannon").arc, attack("ioncannon").requires),
        (WeaponArc::Front, vec![])
    );
    assert_eq!(attack("snapshot").mode, AttackMode::Bonus);
    // FE-SOLO-9: what the data does not say is not guessed.
    assert_eq!(attack("twinlaserturret").value, None);
    // FE-8.5: no secondary weapon has a range bonus.
    let weapons = catalog.upgrades().iter().flat_map(|upgrade| &upgrade.sides);
    assert!(
        weapons
            .filter_map(|side| side.attack.as_ref())
            .all(|attack| attack.ordnance)
    );
    let device = |id: &str| side(id).device.map(|device| device.kind);
    assert_eq!(device("seismiccharges"), Some(DeviceKind::Bomb));
    assert_eq!(device("clustermines"), Some(DeviceKind::Mine));
    assert_eq!(device("extramunitions"), None);
    let devices = catalog
        .upgrades()
        .iter()
        .filter(|upgrade| upgrade.sides[0].device.is_some());
    assert_eq!(devices.count(), 8);
    // Pilots who share an id have the ship behind it, and the faction where that is the same too.
    for id in [
        "maarekstele-tiedefender",
        "bobafett-firespray31-scumandvillainy",
        "hansolo-swx57",
        "lukeskywalker",
    ] {
        assert!(catalog.pilot(id).is_some(), "{id}");
    }
    assert_eq!(catalog.find_pilots("Sabine Wren", Some("tiefighter")).len(), 1);
    assert_eq!(catalog.find_pilots("bobafett", None).len(), 2);
}

#[test]
fn ships_of_the_first_edition_are_put_together() {
    let catalog = embedded();
    let resolve =
        |ship: &str, pilot: &str, upgrades: &[&str]| catalog.resolve(ship, Some(pilot), upgrades).expect(ship);
    let dengar = resolve(
        "jumpmaster5000",
        "dengar",
        &["punishingone", "twinlaserturret", "adaptability"],
    );
    assert_eq!(
        (dengar.weapons.len(), dengar.weapons[0].value),
        (1, 3),
        "Punishing One raises the weapon all round"
    );
    assert_eq!(dengar.initiative, Some(8), "the side that lowers the skill is up");
    assert!(
        dengar
            .notes
            .contains(&ResolveNote::NoAttackValue("twinlaserturret".to_owned()))
    );
    let rexler = resolve(
        "tiedefender",
        "rexlerbrath",
        &["veteraninstincts", "ioncannon", "stealthdevice"],
    );
    assert_eq!((rexler.initiative, rexler.agility), (Some(10), Some(4)));
    assert_eq!(rexler.edition, Edition::First);
    let nera = resolve("bwing", "neradantels", &["protontorpedoes"]);
    let torpedoes = nera.weapons[1].special.as_ref().expect("a secondary weapon");
    assert_eq!(torpedoes.permits.also.len(), 1, "she fires them all round");
    assert_eq!(
        torpedoes.charges.map(|charges| (charges.left, charges.max)),
        Some((1, 1))
    );
    let smuggler = resolve("yt1300", "outerrimsmuggler", &[]);
    assert_eq!(
        (smuggler.hull, smuggler.shields, smuggler.weapons[0].value),
        (Some(6), 4, 2)
    );
    let bomber = resolve("tiebomber", "gammasquadronpilot", &["seismiccharges"]);
    assert_eq!(bomber.device.map(|device| device.id).as_deref(), Some("seismiccharges"));
    let title = resolve("yt1300", "hansolo", &["millenniumfalcon"]);
    assert!(
        title
            .actions
            .iter()
            .any(|action| notation::write_action(action) == "Evade")
    );
}

/// Cards that share an id with one of the second edition do something else, so that book is closed.
#[test]
fn no_card_of_the_second_edition_speaks_for_one_of_the_first() {
    assert!(!Catalog::embedded().cards().is_empty());
    assert!(embedded().cards().is_empty());
}

#[test]
fn restrictions_and_additions_are_facts() {
    let catalog = embedded();
    let facts = |id: &str| serde_json::to_string(catalog.upgrade(id).expect(id)).expect("facts are JSON");
    expect![[r#"{"xws":"heavyscykinterceptor","name":"\"Heavy Scyk\" Interceptor","cost":2,"restrictions":[{"ships":["m3ainterceptor"]}],"sides":[{"slots":["Title"],"grants":[{"stat":{"stat":"hull","amount":1}},{"slotchoice":["Cannon","Torpedo","Missile"]}]}]}"#]].assert_eq(&facts("heavyscykinterceptor"));
    expect![[r#"{"xws":"tieshuttle","name":"TIE Shuttle","cost":0,"restrictions":[{"ships":["tiebomber"]}],"sides":[{"slots":["Title"],"grants":[{"slot":{"slot":"Torpedo","amount":-9}},{"slot":{"slot":"Missile","amount":-9}},{"slot":{"slot":"Bomb","amount":-9}},{"slot":{"slot":"Crew","amount":2,"max_cost":4}}]}]}"#]].assert_eq(&facts("tieshuttle"));
    expect![[r#"{"xws":"longrangescanners","name":"Long-Range Scanners","cost":0,"restrictions":[{"slots":["Torpedo","Missile"]}],"sides":[{"slots":["Modification"]}]}"#]].assert_eq(&facts("longrangescanners"));
    let limited = catalog
        .upgrades()
        .iter()
        .filter(|upgrade| upgrade.once_per_ship)
        .count();
    assert_eq!(limited, 24);
    assert_eq!(
        catalog.upgrade("attannimindlink").map(|upgrade| upgrade.limited),
        Some(2)
    );
    assert_eq!(
        catalog.upgrade("tiex7").and_then(|upgrade| upgrade.cost.clone()),
        Some(Cost::Fixed(-2))
    );
    let swaps = |id: &str| catalog.upgrade(id).expect(id).sides[0].grants.clone();
    assert!(
        swaps("vaksai")
            .iter()
            .any(|grant| matches!(grant, Grant::Discount { amount: 1, .. }))
    );
}

/// Bearing letters in the order of the matrix's columns.
const COLUMNS: &str = "TBFNYKLPERASD";

fn ships_js(matrix: &[Vec<u8>], codes: &[String]) -> String {
    serde_json::json!([{
        "name": "Test", "xws": "test", "id": 1, "size": "small", "faction": ["Rebel Alliance"], "attack": 2, "agility": 2,
        "hull": 3, "shields": 1, "actions": ["Focus"], "firing_arcs": ["Front"], "maneuvers": matrix, "dial": codes,
    }])
    .to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever stands in the matrix stands on the dial, in its colour, and nothing else.
    #[test]
    fn no_maneuver_is_lost_and_colours_are_kept(
        rows in prop::collection::vec(prop::collection::vec(0u8..=3, 0..=13), 0..=5),
        stop in 0u8..=3,
    ) {
        let matrix: Vec<Vec<u8>> = std::iter::once(vec![0, 0, stop]).chain(rows).collect();
        let mut codes = Vec::new();
        for (speed, row) in matrix.iter().enumerate() {
            for (colour, letter) in row.iter().zip(COLUMNS.chars()).filter(|(colour, _)| **colour > 0) {
                let colour = [' ', 'W', 'G', 'R'][usize::from(*colour)];
                let letter = if speed == 0 { 'O' } else { letter };
                codes.push(format!("{speed}{letter}{colour}"));
            }
        }
        let import = import_files(&[
            ("ships.js", &ships_js(&matrix, &codes)),
            ("conditions.js", "[]"),
            ("pilots.js", "[]"),
            ("upgrades.js", "[]"),
        ]);
        prop_assert!(import.warnings.is_empty(), "{:?}", import.warnings);
        let expected: Vec<Maneuver> = codes
            .iter()
            .map(|code| code.replace('G', "B").parse().expect("a dial code"))
            .collect();
        let dial = &import.catalog.ship("test").expect("the ship").dial;
        prop_assert_eq!(dial.as_ref(), &Dial::new(expected));
    }
}

#[test]
fn what_is_wrong_in_a_data_set_of_the_first_edition_is_reported() {
    let matrix = vec![vec![1], vec![0, 9, 2]];
    let import = import_files(&[
        ("ships.js", &ships_js(&matrix, &["1FW".to_owned(), "7XX".to_owned()])),
        ("conditions.js", "[]"),
        (
            "pilots.js",
            r#"[{"xws":"ace","name":"Ace","ship":"Nothing","faction":"Nobody","skill":"?","points":1,"slots":["Pocket"]},
                {"xws":"ace","name":"Ace","ship":"Test","faction":"Rebel Alliance","skill":4,"points":20,"slots":["Bomb"],"new":1},
                {"xws":"ace","name":"Ace","ship":"Test","faction":"Rebel Alliance","skill":5,"points":21,"slots":[]}]"#,
        ),
        (
            "upgrades.js",
            r#"[{"xws":"gun","name":"Gun","slot":"Cannon","points":1,"attack":3,"range":"far","text":"Attack: Attack 1 ship."},
                {"xws":"odd","name":"Odd","slot":"Bomb","points":1,"attack":3,"range":"1","text":"It fires.","effect":"Bang."},
                7]"#,
        ),
    ]);
    let warnings: Vec<String> = import.warnings.iter().map(ToString::to_string).collect();
    expect![[r#"
        ships.js: [test].maneuvers[0][0]: no maneuver has this speed and bearing; it is left out
        ships.js: [test].maneuvers[1][1]: expected a colour from 0 to 3, found 9; it is left out
        ships.js: [test].dial[1]: `7XX` is no known dial code; it is left out
        ships.js: [test].dial: 1FB is in the matrix, but not among the codes; it is kept
        ships.js: [test].dial: 1FW is among the codes, but not in the matrix; it is left out
        pilots.js: [ace].skill: expected a whole number, found the text `?`; the field is left out
        pilots.js: [ace].skill: cannot be used; the pilot is left out
        pilots.js: [ace].slots[0]: `Pocket` is no known slot; it is kept as it is
        pilots.js: [ace].ship: `Nothing` is no ship of the data; it is kept as `nothing`
        pilots.js: [ace].faction: `Nobody` is no known faction; it is kept as `nobody`
        pilots.js: [ace].new: this field is not known; it is left out
        upgrades.js: [gun].range: is missing or no range; the attack is left out
        upgrades.js: [odd].text: has no attack header; the attack is left out
        upgrades.js: [odd].text: does not say when the bomb is dropped; the bomb is left out
        upgrades.js: [2]: expected an object, found a number; it is left out
        pilots.js: [ace-test-rebelalliance]: is there twice for one ship and faction; the first one is kept"#]]
    .assert_eq(&warnings.join("\n"));
    assert_eq!(import.catalog.pilots().len(), 1);
    assert_eq!(import.catalog.upgrades().len(), 2);
    let import = import_files(&[("ships.js", "{}")]);
    assert!(import.catalog.ships().is_empty());
    assert!(
        import
            .warnings
            .iter()
            .any(|warning| warning.problem.contains("expected a list, found an object"))
    );
}

/// What is shown is said in the words of the edition.
#[test]
fn fe_15_cards_are_shown_in_the_words_of_their_edition() {
    let shown = |edition: &str, name: &str| {
        let mut command = assert_cmd::Command::cargo_bin("tallyho").unwrap();
        let run = (command.args(["catalog", "show", "--edition", edition, name]))
            .env_remove("TALLYHO_CATALOG")
            .assert()
            .success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let pilot = shown("first", "hansolo");
    assert!(pilot.contains("  pilot skill 9, unique, 46 points\n"), "{pilot}");
    let card = shown("first", "protontorpedoes");
    assert!(
        card.contains("spends target lock") && card.contains("  discard  when it is used\n"),
        "{card}"
    );
    let ship = shown("first", "tieadvanced");
    assert!(
        ship.contains("Focus, Target Lock, Barrel Roll, Evade") && ship.contains("(B is green, W white, R red)"),
        "{ship}"
    );
    for text in [&pilot, &card, &ship] {
        for word in ["initiative", "limited", "charges", " Lock,"] {
            assert!(!text.replace("Target Lock", "").contains(word), "{word}: {text}");
        }
    }
    let second = shown("second", "lukeskywalker") + &shown("second", "protontorpedoes");
    for word in ["initiative 5, limited 1", "needs lock", "charges  2"] {
        assert!(second.contains(word), "{second}");
    }
}
