//! The catalog: importing checkouts of both forms and a broken one, the embedded table, resolving, the command line.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use assert_cmd::Command;
use expect_test::{expect, expect_file};
use tallyho::{
    geometry::Pose,
    xwing::{
        catalog::{Catalog, Resolved, import, notation, resolve::ResolveNote},
        size::Size,
        weapon::{Charges, Requirement, WeaponArc},
    },
};

mod first_edition;

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/catalog")
}

fn import_case(name: &str) -> import::Import {
    import::read(&cases().join(name), &mut |_, _| {}).expect(name)
}

/// The fact table without its notice, and the warnings.
fn table_and_warnings(import: &import::Import) -> String {
    let mut table = Vec::new();
    import
        .catalog
        .write_json(&mut table)
        .expect("a vector takes everything");
    let table = String::from_utf8(table).expect("JSON is UTF-8");
    let records = table.split_once("\"source\"").expect("the source follows the notice").1;
    let warnings: Vec<String> = import.warnings.iter().map(ToString::to_string).collect();
    format!("\"source\"{records}\n{}\n", warnings.join("\n"))
}

#[test]
fn the_3x_form_is_read_in_full() {
    let import = import_case("form3");
    expect_file!["../cases/catalog/form3.expected"].assert_eq(&table_and_warnings(&import));
}

#[test]
fn the_2x_form_is_read_in_full() {
    let import = import_case("form2");
    expect_file!["../cases/catalog/form2.expected"].assert_eq(&table_and_warnings(&import));
}

#[test]
fn a_broken_checkout_is_read_as_far_as_it_goes() {
    let import = import_case("broken");
    expect_file!["../cases/catalog/broken.expected"].assert_eq(&table_and_warnings(&import));
}

#[test]
fn a_checkout_and_its_data_folder_are_the_same() {
    let (whole, data) = (import_case("form3"), import_case("form3/data"));
    assert_eq!(whole.catalog, data.catalog);
    assert_eq!(whole.warnings, data.warnings);
}

#[test]
fn a_table_reads_back_as_written() {
    for case in ["form2", "form3", "broken"] {
        let catalog = import_case(case).catalog;
        let mut table = Vec::new();
        catalog.write_json(&mut table).expect("a vector takes everything");
        let text = String::from_utf8(table).expect("JSON is UTF-8");
        assert_eq!(Catalog::from_json(&text).expect("just written"), catalog, "{case}");
    }
}

#[test]
fn folders_that_are_no_checkout_are_refused() {
    let empty = tempfile::tempdir().expect("a folder");
    let error = Catalog::load(empty.path()).expect_err("empty folder").to_string();
    assert!(error.contains("no xwing-data2 checkout"), "{error}");
    let error = Catalog::load(&empty.path().join("nowhere"))
        .expect_err("no such file")
        .to_string();
    assert!(error.contains("nowhere"), "{error}");
}

#[test]
fn texts_that_are_no_table_are_refused() {
    for (text, expected) in [
        ("", "line 1"),
        ("[]", "not a fact table"),
        (r#"{"format":"other","ships":[],"pilots":[],"upgrades":[]}"#, "`other`"),
        (
            r#"{"format":"tallyho-catalog-1","ships":[{"xws":"a","name":"A","factions":[],"size":"small","dial":"1ZZ"}],"pilots":[],"upgrades":[]}"#,
            "1ZZ",
        ),
        (
            r#"{"format":"tallyho-catalog-1","ships":[{"xws":"a","name":"A","factions":[],"size":"small","hul":1}],"pilots":[],"upgrades":[]}"#,
            "hul",
        ),
    ] {
        let error = Catalog::from_json(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn the_embedded_table_covers_the_second_edition() {
    let catalog = Catalog::embedded();
    let mut sizes = BTreeMap::new();
    for ship in catalog.ships() {
        *sizes.entry(ship.size).or_insert(0) += 1;
    }
    let expected = [
        (Size::Small, 54),
        (Size::Medium, 14),
        (Size::Large, 15),
        (Size::Huge, 6),
    ];
    assert_eq!(sizes, BTreeMap::from(expected));
    assert_eq!(catalog.ships().len(), 89);
    assert_eq!(catalog.pilots().len(), 755);
    assert_eq!(catalog.upgrades().len(), 512);
    let listed: usize = catalog.ships().iter().map(|ship| ship.pilots.len()).sum();
    assert_eq!(listed, 755, "every pilot belongs to a ship");
    let flights: usize = catalog.ships().iter().map(|ship| ship.factions.len()).sum();
    assert_eq!(flights, 108, "ships by faction");
}

#[test]
fn every_embedded_ship_can_be_flown() {
    for ship in Catalog::embedded().ships() {
        let id = ship.xws.as_str();
        assert!(ship.stats.hull.is_some_and(|hull| hull > 0), "{id} has no hull");
        assert!(ship.stats.agility.is_some(), "{id} has no agility");
        // The ring is docked to another ship, flies that one's dial and has no weapon and no action of its own.
        let ring = id == "syliureclasshyperspacering";
        assert_eq!(ship.dial.maneuvers().is_empty(), ring, "{id}: dial");
        assert_eq!(ship.actions.is_empty(), ring, "{id}: actions");
        assert_eq!(ship.stats.weapons.is_empty(), ring, "{id}: weapons");
        for weapon in &ship.stats.weapons {
            assert_eq!(
                (weapon.id.as_str(), weapon.min_range, weapon.max_range),
                ("primary", 1, 3),
                "{id}"
            );
            assert!((1..=6).contains(&weapon.value), "{id}: attack {}", weapon.value);
        }
    }
}

/// The data set has the pilots of one scenario pack, but not the upgrades of their standard loadouts.
fn missing_in_the_data(upgrade: &str) -> bool {
    upgrade.ends_with("-battleoverendor")
}

#[test]
fn ids_named_in_the_embedded_table_are_known() {
    let catalog = Catalog::embedded();
    for pilot in catalog.pilots() {
        for upgrade in &pilot.standard_loadout {
            let known = catalog.upgrade(upgrade).is_some();
            assert!(known || missing_in_the_data(upgrade), "{}: {upgrade}", pilot.xws);
        }
    }
    for upgrade in catalog.upgrades() {
        for ship in upgrade.restrictions.iter().flat_map(|restriction| &restriction.ships) {
            assert!(catalog.ship(ship).is_some(), "{}: {ship}", upgrade.xws);
        }
    }
}

#[test]
fn the_embedded_quick_build_cards_name_what_is_known() {
    let catalog = Catalog::embedded();
    assert_eq!(catalog.quick_builds().len(), 644);
    let ships: usize = catalog.quick_builds().iter().map(|card| card.pilots.len()).sum();
    assert_eq!(ships, 670);
    for card in catalog.quick_builds() {
        assert!((1..=20).contains(&card.threat), "{}", card.id);
        assert!(card.id.starts_with(&card.pilots[0].pilot), "{}", card.id);
        for entry in &card.pilots {
            let pilot = catalog.pilot(&entry.pilot).expect(&entry.pilot);
            assert_eq!(pilot.faction, card.faction, "{}", card.id);
            for upgrade in &entry.upgrades {
                assert!(catalog.upgrade(upgrade).is_some(), "{}: {upgrade}", card.id);
            }
        }
    }
    let found = |text: &str| {
        let cards = catalog.find_quick_builds(text).into_iter();
        cards
            .map(|card| format!("{} {}", card.id, card.threat))
            .collect::<Vec<_>>()
            .join(", ")
    };
    assert_eq!(found("academypilot-2"), "academypilot-2 2");
    // An id names one card, a name all of a pilot.
    assert_eq!(found("academypilot"), "academypilot 1");
    assert_eq!(found("Academy Pilot"), "academypilot 1, academypilot-2 2");
    assert_eq!(found("“Quickdraw”"), "quickdraw 3");
    assert_eq!(catalog.find_quick_builds("TIE/ba Interceptor").len(), 4);
    assert!(catalog.find_quick_builds("nobody").is_empty() && catalog.find_quick_builds("").is_empty());
}

#[test]
fn embedded_facts_agree_with_the_printed_cards() {
    let catalog = Catalog::embedded();
    let xwing = catalog.ship("t65xwing").expect("the X-wing");
    assert_eq!(
        notation::write_dial(&xwing.dial),
        "1FB 1BB 1NB 2FB 2BB 2NB 2TW 2YW 3FW 3BW 3NW 3TW 3YW 3ER 3RR 4FW 4KR"
    );
    assert_eq!(
        (xwing.stats.agility, xwing.stats.hull, xwing.stats.shields),
        (Some(2), Some(4), 2)
    );
    let requires = |id: &str| {
        let upgrade = catalog.upgrade(id).expect(id);
        upgrade.sides[0].attack.clone().expect(id).requires
    };
    assert_eq!(requires("protontorpedoes"), [Requirement::Lock]);
    assert_eq!(requires("barragerockets"), [Requirement::Focus]);
    assert_eq!(requires("energyshellcharges"), [Requirement::Calculate]);
    assert_eq!(
        requires("multimissilepods"),
        [Requirement::Calculate, Requirement::Lock]
    );
    assert_eq!(requires("ioncannon"), []);
}

#[test]
fn the_embedded_table_holds_no_text_and_no_address() {
    let table = include_str!("../../data/catalog.json");
    for word in ["http", "[Charge]", "Attack (", "you may"] {
        let (_, records) = table.split_once("\"source\"").expect("the source follows the notice");
        assert!(!records.contains(word), "{word}");
    }
}

#[test]
fn the_embedded_table_is_what_the_importer_writes() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/xwing-data2-legacy");
    if !checkout.is_dir() {
        eprintln!("skipped: there is no data checkout at {}", checkout.display());
        return;
    }
    let import = import::read(&checkout, &mut |_, _| {}).expect("a checkout");
    let mut table = Vec::new();
    import
        .catalog
        .write_json(&mut table)
        .expect("a vector takes everything");
    assert!(
        table == include_bytes!("../../data/catalog.json"),
        "write data/catalog.json anew with `tallyho catalog import`"
    );
    let warnings: Vec<String> = import.warnings.iter().map(ToString::to_string).collect();
    expect_file!["../cases/catalog/embedded.warnings"].assert_eq(&(warnings.join("\n") + "\n"));
}

#[test]
fn names_are_found_in_any_spelling() {
    let catalog = Catalog::embedded();
    for text in ["t65xwing", "T-65 X-wing", "t-65  X WING"] {
        assert_eq!(
            catalog.find_ship(text).map(|ship| ship.xws.as_str()),
            Some("t65xwing"),
            "{text}"
        );
    }
    let renamed = catalog.find_ship("upsilonclassshuttle").map(|ship| ship.xws.as_str());
    assert_eq!(renamed, Some("upsilonclasscommandshuttle"), "an id of the 2.x data");
    let pilot = |text: &str, ship: Option<&str>| {
        let found = catalog.find_pilots(text, ship);
        found.iter().map(|pilot| pilot.xws.clone()).collect::<Vec<_>>()
    };
    assert_eq!(pilot("•Wedge Antilles", Some("t65xwing")), ["wedgeantilles"]);
    assert_eq!(pilot("Padmé Amidala", None), pilot("Padme Amidala", None));
    assert_eq!(pilot("Academy Pilot 2", None), ["academypilot"]);
    assert!(pilot("Anakin Skywalker", Some("delta7aethersprite")).len() == 1);
    for nothing in ["", " ", "!", "2", "nobody at all", "x 99999999999999999999"] {
        assert!(pilot(nothing, None).is_empty(), "{nothing}");
        assert!(catalog.find_ship(nothing).is_none(), "{nothing}");
        assert!(catalog.find_upgrade(nothing).is_none(), "{nothing}");
    }
    let (foils, side) = catalog
        .find_upgrade("Servomotor S-foils (Open)")
        .expect("a side's title");
    assert_eq!((foils.xws.as_str(), side), ("servomotorsfoils", 1));
}

/// The resolved ship in a few readable lines.
fn summary(ship: &Resolved) -> String {
    let weapons = |list: &[tallyho::xwing::weapon::Weapon]| {
        let one = |weapon: &tallyho::xwing::weapon::Weapon| {
            let special = weapon.special.as_ref().map_or(String::new(), |special| {
                let charges = special
                    .charges
                    .map_or(String::new(), |c| format!(" {}/{}", c.left, c.max));
                format!(" {} {:?}{charges}", special.slot, special.requires)
            });
            let arc = notation::arc_name(weapon.arc);
            format!(
                "{} {arc} {} at {}-{}{special}",
                weapon.id, weapon.value, weapon.min_range, weapon.max_range
            )
        };
        list.iter().map(one).collect::<Vec<_>>().join("; ")
    };
    let actions: Vec<String> = ship.actions.iter().map(notation::write_action).collect();
    let notes: Vec<String> = ship.notes.iter().map(ToString::to_string).collect();
    let charges: Vec<String> = (ship.charges.iter())
        .map(|card| {
            format!(
                "{} {}/{} {:+}",
                card.id, card.charges.left, card.charges.max, card.recovers
            )
        })
        .collect();
    format!(
        "{} ({}) initiative {:?}, agility {:?}, hull {:?}, shields {}, force {}\nweapons: {}\nbonus: {}\nactions: {}\ndevice: {}\ncharges: {}\nnotes: {}\n",
        ship.name,
        ship.chassis,
        ship.initiative,
        ship.agility,
        ship.hull,
        ship.shields,
        ship.force,
        weapons(&ship.weapons),
        weapons(&ship.bonus_weapons),
        actions.join(", "),
        ship.device.as_ref().map_or("none", |device| &device.id),
        charges.join(", "),
        notes.join("; "),
    )
}

const NO_UPGRADES: [&str; 0] = [];

#[test]
fn a_ship_is_put_together_with_pilot_and_upgrades() {
    let catalog = import_case("form3").catalog;
    let plain = catalog.resolve("kitek1", None, NO_UPGRADES).expect("a ship");
    expect![[r#"
        Kite K-1 (kitek1) initiative None, agility Some(2), hull Some(4), shields 1, force 0
        weapons: primary Front Arc 3 at 1-3; primary Rear Arc 2 at 1-3
        bonus: 
        actions: Focus > red Barrel Roll, Lock
        device: none
        charges: 
        notes: 
    "#]]
    .assert_eq(&summary(&plain));
    let all = [
        "darts",
        "sails",
        "squib",
        "swivel",
        "Second Thought",
        "squib",
        "nonsense",
    ];
    let cadet = catalog.resolve("Kite K-1", Some("Kite Cadet 3"), all).expect("a ship");
    expect![[r#"
        Kite Cadet (kitek1) initiative Some(1), agility Some(2), hull Some(5), shields 1, force 1
        weapons: primary Single Turret Arc 3 at 1-3; primary Rear Arc 2 at 1-3; primary Bullseye Arc 3 at 1-3; darts Front Arc 4 at 2-3 Torpedo [Lock] 2/2
        bonus: secondthought Front Arc 2 at 2-2 Talent []
        actions: Focus > red Barrel Roll, Lock, Boost, Focus > red Boost
        device: squib
        charges: darts 2/2 +0, squib 2/2 +0
        notes: the upgrade `squib` is listed twice; it counts once; the upgrade `nonsense` is not known; it is not used; the upgrade `sails` is taken with its side `Sails (Set)` up
    "#]].assert_eq(&summary(&cadet));
}

#[test]
fn a_pilots_own_stats_actions_and_loadout_count() {
    let catalog = import_case("form3").catalog;
    let ann = catalog
        .resolve("kitek1", Some("annonym"), ["sails", "Sails (Furled)"])
        .expect("a ship");
    expect![[r#"
        Ann Onym (kitek1) initiative Some(4), agility Some(3), hull Some(2), shields 0, force 2
        weapons: primary Single Turret Arc 2 at 1-3; darts Front Arc 4 at 2-3 Torpedo [Lock] 2/2
        bonus: 
        actions: purple Evade
        device: none
        charges: annonym 1/1 -1, darts 2/2 +0
        notes: the upgrade `sails` is taken with its side `Sails (Furled)` up
    "#]]
    .assert_eq(&summary(&ann));
}

#[test]
fn a_faction_with_another_dial_keeps_it() {
    let catalog = import_case("form3").catalog;
    let codes = |pilot: &str| {
        let ship = catalog.resolve("kitek1", Some(pilot), NO_UPGRADES).expect("a ship");
        notation::write_dial(&ship.dial)
    };
    assert_eq!(codes("capturedkite"), "1FB 5FW");
    assert_eq!(codes("kitecadet"), "1FB 2TW 2YW 3KR");
}

#[test]
fn what_is_not_known_becomes_a_note() {
    let catalog = import_case("form3").catalog;
    let notes = |ship: &str, pilot: &str| catalog.resolve(ship, Some(pilot), NO_UPGRADES).map(|ship| ship.notes);
    assert_eq!(
        notes("kitek1", "nobody"),
        Ok(vec![ResolveNote::UnknownPilot("nobody".to_owned())])
    );
    assert_eq!(
        notes("balloon", "kitecadet"),
        Ok(vec![ResolveNote::UnknownShip {
            ship: "balloon".to_owned(),
            taken: "kitek1".to_owned()
        }])
    );
    let error = notes("balloon", "nobody").expect_err("neither is known");
    assert!(error.to_string().contains("`balloon`"), "{error}");
    let other = Catalog::embedded()
        .resolve("tielnfighter", Some("wedgeantilles"), NO_UPGRADES)
        .expect("a ship");
    assert_eq!(
        other.notes,
        [ResolveNote::PilotOfOtherShip {
            pilot: "wedgeantilles".to_owned(),
            flies: "t65xwing".to_owned()
        }]
    );
    assert_eq!(other.initiative, None);
}

#[test]
fn every_pilot_with_every_upgrade_is_put_together() {
    let catalog = Catalog::embedded();
    for pilot in catalog.pilots() {
        let ship = catalog
            .resolve(&pilot.ship, Some(&pilot.xws), NO_UPGRADES)
            .expect(&pilot.xws);
        assert_eq!(ship.initiative, Some(pilot.initiative), "{}", pilot.xws);
        let unknown = ship.notes.iter().any(|note| match note {
            ResolveNote::SideTaken { .. } | ResolveNote::NoDial(_) | ResolveNote::SecondDevice(_) => false,
            ResolveNote::UnknownUpgrade(upgrade) => !missing_in_the_data(upgrade),
            _ => true,
        });
        assert!(!unknown, "{}: {:?}", pilot.xws, ship.notes);
    }
    let upgrades = catalog.upgrades().iter().map(|upgrade| upgrade.xws.as_str());
    let laden = catalog.resolve("t65xwing", None, upgrades).expect("a ship");
    assert!(
        !laden
            .notes
            .iter()
            .any(|note| matches!(note, ResolveNote::UnknownUpgrade(_)))
    );
}

#[test]
fn a_resolved_ship_stands_on_the_table() {
    let ship = Catalog::embedded()
        .resolve("btls8kwing", Some("Miranda Doni"), ["protontorpedoes", "protonbombs"])
        .expect("a ship")
        .into_ship("A".into(), "solo".to_owned(), Pose::new(100.0, 200.0, 90.0));
    assert_eq!((ship.size, ship.initiative, ship.turret.len()), (Size::Medium, 4, 2));
    assert_eq!(ship.weapons[0].arc, WeaponArc::DoubleTurret);
    assert_eq!(ship.weapons[1].id, "protontorpedoes");
    assert_eq!(
        ship.device.map(|device| (device.id, device.charges)),
        Some(("protonbombs".to_owned(), Charges { left: 2, max: 2 }))
    );
}

fn tallyho() -> Command {
    let mut command = Command::cargo_bin("tallyho").expect("the program is built with its tests");
    command.env_remove("TALLYHO_CATALOG");
    command
}

#[test]
fn the_command_imports_and_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = folder.path().join("facts.json");
    let output = (tallyho()
        .args(["catalog", "import"])
        .arg(cases().join("form3"))
        .arg("--out")
        .arg(&table))
    .output();
    let output = output.expect("it runs");
    assert_eq!(output.status.code(), Some(0));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.contains("warning: manifest.json: data/pilots/galactic-empire/gone.json"),
        "{stderr}"
    );
    assert!(stderr.contains("2 warnings"), "{stderr}");
    assert!(output.stdout.is_empty());

    // What is no plain file stays what it is; a file that cannot be written stays as it was.
    let before = std::fs::read(&table).expect("the table");
    let refused = (tallyho().args(["catalog", "import"]).arg(cases().join("form3")))
        .arg("--out")
        .arg(folder.path())
        .output();
    assert_eq!(refused.expect("it runs").status.code(), Some(1), "a folder is no file");
    assert!(folder.path().is_dir());
    assert_eq!(std::fs::read(&table).expect("the table"), before);

    let shown = tallyho()
        .args(["catalog", "show", "ann", "onym", "--catalog"])
        .arg(&table)
        .output()
        .expect("it runs");
    expect![[r#"
        Ann Onym, Nobody (annonym), Kite K-1, rebelalliance
          initiative 4, limited 1, 5 points and 12 for upgrades
          stats    attack Single Turret Arc 2; agility 3, hull 2, shields 0
          actions  purple Evade
          charges  1 (-1 a round)
          force    2 (+1 a round) light
          slots    Talent, Torpedo, Torpedo
          keywords Test
          ability  Tail Wind
          upgrades darts, sails
          card     annonym  Threat 3  Rebel Alliance  Ann Onym + Squib + Second Thought
          card     annonym-2  Threat 2  Rebel Alliance  Ann Onym + Darts + Darts
          card     kitecadet-2  Threat 3  Rebel Alliance  Kite Cadet and Ann Onym
    "#]]
    .assert_eq(&String::from_utf8_lossy(&shown.stdout));
    let from_checkout = tallyho()
        .args(["catalog", "show", "ann onym", "--catalog"])
        .arg(cases().join("form3"))
        .output();
    assert_eq!(
        from_checkout.expect("it runs").stdout,
        shown.stdout,
        "table and checkout say the same"
    );
}

#[test]
fn the_command_says_what_is_wrong() {
    for (arguments, code, expected) in [
        (&["catalog", "show", "nothing such"][..], 1, "`nothing such`"),
        (&["catalog", "show", "wegde antiles"], 1, "wedgeantilles"),
        (&["catalog", "list", "--catalog", "/no/such/file"], 1, "/no/such/file"),
        (&["catalog", "import", "/no/such/folder"], 1, "/no/such/folder"),
        (&["catalog", "import"], 2, "<DIR>"),
        (&["sing"], 2, "sing"),
        (&[], 2, "Usage"),
    ] {
        let output = tallyho().args(arguments).output().expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    }
}

/// Every place of a JSON value, as JSON pointers.
fn places(value: &serde_json::Value, pointer: &str, found: &mut Vec<String>) {
    found.push(pointer.to_owned());
    match value {
        serde_json::Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, &format!("{pointer}/{index}"), found);
            }
        }
        serde_json::Value::Object(map) => {
            for (key, item) in map {
                places(item, &format!("{pointer}/{key}"), found);
            }
        }
        _ => {}
    }
}

/// Whatever stands in any one place of a file, the importer goes on; and a fact that is lost is never lost silently.
#[test]
fn no_value_in_any_place_breaks_the_import_or_is_lost_silently() {
    use serde_json::json;
    let folder = tempfile::tempdir().expect("a folder");
    for sub in ["pilots/rebel-alliance", "upgrades"] {
        std::fs::create_dir_all(folder.path().join(sub)).expect("a folder");
    }
    let files = ["pilots/rebel-alliance/kite.json", "upgrades/cards.json"];
    let source = |file: &str| std::fs::read_to_string(cases().join("form3/data").join(file)).expect(file);
    for file in files {
        std::fs::write(folder.path().join(file), source(file)).expect("a file");
    }
    let read = || import::read(folder.path(), &mut |_, _| {}).expect("it is a checkout");
    let baseline = read();
    for file in files {
        let whole: serde_json::Value = serde_json::from_str(&source(file)).expect("JSON");
        let mut pointers = Vec::new();
        places(&whole, "", &mut pointers);
        for pointer in pointers {
            // None of these is what any field holds.
            for wrong in [json!({"zzz": 1}), json!([[null]])] {
                let mut changed = whole.clone();
                *changed.pointer_mut(&pointer).expect("it was just listed") = wrong.clone();
                std::fs::write(folder.path().join(file), changed.to_string()).expect("a file");
                let import = read();
                assert!(
                    import.catalog == baseline.catalog || import.warnings.len() > baseline.warnings.len(),
                    "{file}{pointer} = {wrong} changes the facts without a warning"
                );
            }
            // These may be what a field holds, so only that the importer goes on is certain.
            for odd in [json!(null), json!(i64::MIN), json!(1e300), json!("\u{1b}[2J")] {
                let mut changed = whole.clone();
                *changed.pointer_mut(&pointer).expect("it was just listed") = odd;
                std::fs::write(folder.path().join(file), changed.to_string()).expect("a file");
                for warning in read().warnings {
                    assert!(!warning.to_string().contains(char::is_control), "{warning}");
                }
            }
        }
        std::fs::write(folder.path().join(file), source(file)).expect("a file");
    }
}

#[test]
fn everyday_names_lead_to_the_ships_that_may_be_meant() {
    let like = |name| -> Vec<&str> {
        (Catalog::embedded().ships_like(name).iter())
            .map(|ship| ship.xws.as_str())
            .collect()
    };
    assert_eq!(like("X-wing"), ["t65xwing", "t70xwing"]);
    assert_eq!(like("TIE Fighter")[0], "tielnfighter");
    assert_eq!(like("falcon")[0], "modifiedyt1300lightfreighter");
    assert_eq!(like("Slave I"), ["firesprayclasspatrolcraft"]);
    // Letters may be missing, as the `/sa` is here, but none may be wrong.
    assert_eq!(like("TIE bomber"), ["tiesabomber", "tiesebomber"]);
    let endless = "x".repeat(1000);
    for nothing in ["", "x", "no such ship", &endless] {
        assert!(like(nothing).is_empty(), "{nothing}");
    }
    // Each nickname names ships that there are.
    for nickname in [
        "Firespray",
        "Ghost",
        "Hawk",
        "Hound's Tooth",
        "Outrider",
        "Phantom",
        "Razor Crest",
    ] {
        assert!(!like(nickname).is_empty(), "{nickname}");
    }
    // The one ship that can be meant is shown at once.
    let shown = tallyho()
        .args(["catalog", "show", "slave 1"])
        .output()
        .expect("it runs");
    let shown = String::from_utf8_lossy(&shown.stdout);
    assert!(shown.contains("(firesprayclasspatrolcraft)"), "{shown}");
}
