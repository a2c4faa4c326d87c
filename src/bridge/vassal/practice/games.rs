//! The two kits: a skirmish of Star Wars Miniatures on squares, and ships of X-Wing on an open mat.

use std::io;

use super::{
    Kit, KitBoard, KitPiece, common, face_down, hidden, label, marks, number, picture, rotator, whole_degrees,
};
use crate::{
    swm::{
        figure::{Figure, Side},
        map::{Map, Terrain},
        roster::Roster,
        square::Square,
    },
    xwing::{catalog::Catalog, edition::Edition},
};

/// Pixels of a square of the skirmish.
const SQUARE: u32 = 50;
/// The terrain of the skirmish, as `docs/swm.md` writes it.
const SKIRMISH_MAP: &str = include_str!("../../../../data/vassal/practice-skirmish.map.txt");
/// Pixels of a millimetre, as in the X-Wing module.
const PIXELS_PER_MM: f64 = 2.825;
/// Pixels of a side of a mat of 3 feet, as in the X-Wing module.
const MAT: u32 = 2583;

/// The picture on the back of what lies face down.
const BACK: &str = "back.png";
/// Who keeps something to herself in the skirmish: a player who is not there.
const SOMEBODY: &str = "somebody";

/// Whose the figures are.
const SOLO: &str = "solo";
const PLAYER: &str = "player";

/// A skirmish: a map of 20 by 16 squares of 50 pixels, three figures on each side, one that somebody hides and one that somebody
/// has face down: nobody else may know of the first, or what the second is.
///
/// # Errors
/// When a picture cannot be encoded.
pub fn skirmish() -> io::Result<Kit> {
    let (map, _) = Map::read(SKIRMISH_MAP.lines().filter(|line| !line.is_empty())).map_err(io::Error::other)?;
    let colour = |column: u32, row: u32| {
        let square = Square::new(
            u8::try_from(column).unwrap_or(u8::MAX),
            u8::try_from(row).unwrap_or(u8::MAX),
        );
        match map.terrain(square) {
            Terrain::Wall => [70, 66, 62, 255],
            Terrain::Floor => [214, 208, 190, 255],
            _ => [176, 186, 150, 255],
        }
    };
    let board = KitBoard {
        name: "Outpost".to_owned(),
        picture: picture::squares(20, 16, SQUARE, colour)?,
        square: Some(SQUARE),
    };
    let figures = [
        ("old-republic-guard", PLAYER, [(2, 3), (2, 12)].as_slice()),
        ("visas-marr", PLAYER, &[(1, 8)]),
        ("juggernaut-war-droid", SOLO, &[(17, 3), (17, 11)]),
        ("darth-nihl", SOLO, &[(18, 7)]),
    ];
    let mut pieces = Vec::new();
    for (id, side, squares) in figures {
        let entry = Roster::sample()
            .find(id)
            .ok_or_else(|| io::Error::other(format!("no figure `{id}`")))?;
        let card = &entry.card;
        let (colour, heading) = match side == SOLO {
            true => ([170, 40, 40, 255], 270.0),
            false => ([40, 80, 170, 255], 90.0),
        };
        let force = Figure::new(id, Side::Automated, card.clone(), Square::new(0, 0)).force;
        let mut traits = common();
        traits.push(marks(&[("Card", id), ("Side", side)]));
        traits.extend([
            label("HP $HP$"),
            number("HP", i32::from(card.hit_points), 200),
            number("Force", i32::from(force), 20),
            number("Activated", 0, 1),
            rotator("Facing"),
        ]);
        pieces.push(KitPiece {
            file: format!("{id}.png"),
            picture: picture::disc(46, colour)?,
            name: card.name.clone(),
            traits,
            stands: (squares.iter())
                .map(|(column, row)| (50 * column + 25, 50 * row + 25, heading))
                .collect(),
        });
    }
    let secrets = [
        ("lurker.png", "Lurker", hidden(SOMEBODY), (525, 75, 0.0)),
        ("reserve.png", "Reserve", face_down(SOMEBODY, BACK), (525, 725, 0.0)),
    ];
    for (file, name, secret, stand) in secrets {
        let mut traits = vec![secret];
        traits.extend(common());
        traits.extend([
            marks(&[("Card", name), ("Side", PLAYER)]),
            number("HP", 10, 200),
            rotator("Facing"),
        ]);
        pieces.push(KitPiece {
            file: file.to_owned(),
            picture: picture::disc(46, [60, 120, 60, 255])?,
            name: name.to_owned(),
            traits,
            stands: vec![stand],
        });
    }
    Ok(Kit {
        name: "Tallyho Skirmish Practice".to_owned(),
        sides: ["Player", "Solo", "Solitaire"].map(str::to_owned).to_vec(),
        board,
        pieces,
        players: vec![("Ann".to_owned(), "Solitaire".to_owned())],
        pictures: vec![(BACK.to_owned(), picture::disc(46, [110, 110, 110, 255])?)],
        beside: vec![
            (
                "skirmish.toml".to_owned(),
                include_str!("../../../../data/vassal/practice-skirmish.toml").to_owned(),
            ),
            ("practice-skirmish.map.txt".to_owned(), SKIRMISH_MAP.to_owned()),
        ],
    })
}

/// Ships of X-Wing of that edition on a mat of three feet, with the properties that the X-Wing module gives its ships.
///
/// # Errors
/// When a picture cannot be encoded.
pub fn xwing(edition: Edition) -> io::Result<Kit> {
    let catalog = Catalog::embedded_for(edition);
    // The first edition has a large base in the palette, too: Political Escort takes it for the shuttle (PE-1.1).
    let (rebel, large) = match edition {
        Edition::First => ("rookiepilot", Some("omicrongrouppilot")),
        Edition::Second => ("bluesquadronescort", None),
    };
    let mut ships = vec![
        (
            "academypilot",
            [130, 130, 140, 255],
            [(500.0, 700.0, 180.0), (560.0, 760.0, 180.0)].as_slice(),
        ),
        ("howlrunner", [90, 90, 110, 255], &[(420.0, 780.0, 180.0)]),
        (rebel, [170, 60, 50, 255], &[(430.0, 180.0, 0.0), (520.0, 150.0, 15.0)]),
    ];
    ships.extend(large.map(|pilot| (pilot, [200, 200, 205, 255], [].as_slice())));
    // From the south-western corner, mm, as positions are written.
    let at = |(east, north, heading): &(f64, f64, f64)| {
        let x = (east * PIXELS_PER_MM).round() as i32;
        let y = (f64::from(MAT) - north * PIXELS_PER_MM).round() as i32;
        (x, y, *heading)
    };
    let whole = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let mut pieces = Vec::new();
    for (id, colour, stands) in ships {
        let missing = || io::Error::other(format!("no pilot `{id}`"));
        let pilot = catalog.pilot(id).ok_or_else(missing)?;
        let ship = catalog.ship(&pilot.ship).ok_or_else(missing)?;
        let initiative = pilot.initiative.to_string();
        let mut own = vec![
            ("Pilot Name", &*pilot.name),
            ("xws", id),
            ("this_is_a_ship", "this_is_a_ship"),
        ];
        // What ships of the second edition have beside it; the skill of the first is on no piece.
        let stem = match edition {
            Edition::First => "Stem",
            Edition::Second => {
                own.extend([("Initiative", &*initiative), ("this_is_2pointoh", "this_is_2pointoh")]);
                "Stem2e"
            }
        };
        let mut traits = common();
        traits.extend([
            label("$this_is_a_ship$"),
            marks(&own),
            number("Hull Rating", whole(ship.stats.hull.unwrap_or_default()), 20),
            number("Shield Rating", whole(ship.stats.shields), 20),
            number("Stress", 0, 9),
            whole_degrees(""),
        ]);
        pieces.push(KitPiece {
            file: format!("{id}.png"),
            picture: picture::base((ship.size.base_mm() * PIXELS_PER_MM).round() as u32, colour)?,
            name: format!("ship -- {stem} {:?} {} Ship", ship.size, ship.name),
            traits,
            stands: stands.iter().map(at).collect(),
        });
    }
    pieces.push(KitPiece {
        file: "rock.png".to_owned(),
        picture: picture::rock(150)?,
        name: "Asteroid 1".to_owned(),
        traits: [common(), vec![label("$this_is_an_asteroid$"), whole_degrees("")]].concat(),
        stands: [(300.0, 460.0, 0.0), (620.0, 440.0, 40.0)].iter().map(at).collect(),
    });
    // Tokens lie in the palette, and are laid beside ships.
    for (name, colour) in [
        ("Focus2e", [70, 160, 80, 255]),
        ("Evade2e", [90, 140, 220, 255]),
        ("Calculate2e", [180, 180, 190, 255]),
    ] {
        pieces.push(KitPiece {
            file: format!("{}.png", name.to_lowercase()),
            picture: picture::disc(54, colour)?,
            name: name.to_owned(),
            traits: common(),
            stands: Vec::new(),
        });
    }
    Ok(Kit {
        name: "Tallyho X-Wing Practice".to_owned(),
        sides: ["Player 1", "Player 2", "Solitaire"].map(str::to_owned).to_vec(),
        board: KitBoard {
            name: "3'x3' - Plain".to_owned(),
            picture: picture::plain(MAT, MAT, [16, 18, 28, 255])?,
            square: None,
        },
        pieces,
        players: vec![("Ann".to_owned(), "Solitaire".to_owned())],
        pictures: Vec::new(),
        beside: Vec::new(),
    })
}
