//! Huge ships in a position: their energy (FE-6.8), and weapons that reach farther than those of other ships (FE-0.3, FE-12).

use tallyho::{
    bridge::position::{self, Position, PositionError},
    xwing::catalog::Catalog,
    xwing::edition::Edition,
};

fn read(edition: Edition, ship: &str) -> Result<Position, PositionError> {
    let json = format!(
        r#"{{"edition": "{}", "ships": [{{"id": "G", "side": "player", "x": 400, "y": 400, "heading": 0, {ship}}}]}}"#,
        edition.name()
    );
    position::parse(&json, Catalog::embedded_for(edition))
}

#[test]
fn fe_6_8_energy_is_told_by_a_position_and_written_back() {
    let ship = r#""ship": "gr75mediumtransport", "skill": 3, "tokens": {"energy": 3}"#;
    let position = read(Edition::First, ship).unwrap();
    assert_eq!(position.table.ships[0].tokens.energy, 3);
    let written = position::write(&position, Catalog::embedded_for(Edition::First));
    let again = position::parse(&written, Catalog::embedded_for(Edition::First)).unwrap();
    assert_eq!(again.table.ships[0].tokens.energy, 3, "{written}");
}

#[test]
fn fe_0_3_weapons_of_huge_ships_alone_reach_to_range_5() {
    let ranges = |edition, ship: &str| {
        let read = read(edition, ship).map_err(|error| error.to_string())?;
        let weapon = read.table.ships[0].weapons.last().expect("a weapon is given");
        Ok((weapon.min_range, weapon.max_range))
    };
    let huge = r#""ship": "gozanticlasscruiser", "skill": 2"#;
    let card = r#""special": [{"id": "singleturbolasers"}]"#;
    let own = r#""weapons": [{"arc": "Front Arc", "value": 4, "min": 3, "max": 5}]"#;
    for weapon in [card, own] {
        assert_eq!(ranges(Edition::First, &format!("{huge}, {weapon}")), Ok((3, 5)));
    }
    let small = r#""ship": "xwing", "skill": 2"#;
    assert_eq!(ranges(Edition::First, &format!("{small}, {card}")), Ok((3, 3)));
    let second = r#""ship": "gozanticlasscruiser", "initiative": 7"#;
    for (edition, ship, farthest) in [(Edition::First, small, 3), (Edition::Second, second, 3)] {
        let refused: Result<_, String> = ranges(edition, &format!("{ship}, {own}"));
        let why = refused.expect_err("no such range");
        assert!(why.contains(&format!("from 0 to {farthest}")), "{why}");
    }
    let beyond = own.replace("\"max\": 5", "\"max\": 6");
    let why = ranges(Edition::First, &format!("{huge}, {beyond}")).expect_err("no such range");
    assert!(why.contains("from 0 to 5"), "{why}");
}
