//! The form of the case files: `## NAME what it is`, lines of words, and `=> ` lines with what is expected.

use std::{fs, path::Path};

use tallyho::{
    geometry::Pose,
    xwing::{
        escort::{EscortOptions, ProtectOrder, ShuttleBase, shuttle::shuttle},
        obstacle::{Obstacle, ObstacleKind},
        ship::Ship,
        size::Size,
        table::{PlayArea, Table},
    },
};

use crate::tables::bare_ship;

/// A file of cases under `tests/cases/escort/`.
pub fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases/escort")
        .join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// One case of a file.
#[derive(Debug)]
pub struct Case<'t> {
    /// Its name and what it is about.
    pub title: &'t str,
    /// What is given, a line each, in words.
    pub given: Vec<Vec<&'t str>>,
    /// What is expected, a line each, in words.
    pub expected: Vec<Vec<&'t str>>,
}

/// The cases of a file.
pub fn read(text: &str) -> Vec<Case<'_>> {
    let mut cases = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            cases.push(Case {
                title,
                given: Vec::new(),
                expected: Vec::new(),
            });
        } else if let Some(case) = cases.last_mut().filter(|_| !line.trim().is_empty()) {
            match line.strip_prefix("=> ") {
                Some(expected) => case.expected.push(split(expected)),
                None => case.given.push(split(line)),
            }
        }
    }
    assert!(!cases.is_empty(), "a file of cases has cases");
    cases
}

fn split(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

impl Case<'_> {
    /// The words after this first word, on its first line.
    pub fn given(&self, word: &str) -> Option<&[&str]> {
        self.all(word).next()
    }

    /// The words after this first word, on each of its lines.
    pub fn all<'c>(&'c self, word: &str) -> impl Iterator<Item = &'c [&'c str]> {
        let word = word.to_owned();
        let lines = self.given.iter().filter(move |line| line[0] == word);
        lines.map(|line| &line[1..])
    }

    /// The scenario's options.
    pub fn options(&self) -> EscortOptions {
        let mut options = EscortOptions::default();
        for option in self.all("option").flatten() {
            match *option {
                "token" => options.shuttle_base = ShuttleBase::Token,
                "clear_limit_5" => options.clear_limit_5 = true,
                "protect_persists" => options.protect_persists = true,
                "hits_first" => options.protect_order = ProtectOrder::HitsFirst,
                "large_half_points" => options.large_half_points = true,
                other => panic!("{}: there is no option `{other}`", self.title),
            }
        }
        options
    }

    /// The table: the shuttle, ships of both sides (`attacker A small 457,400 @180`), obstacles (`asteroid R x,y w,h`).
    pub fn table(&self) -> Table {
        let options = self.options();
        let mut ships: Vec<Ship> = Vec::new();
        for words in self.all("shuttle") {
            let mut ship = shuttle("shuttle".into(), "defender", self.pose(words), &options);
            for token in &words[2..] {
                match *token {
                    "stressed" => ship.tokens.stress = 1,
                    "ionized" => ship.tokens.ion = 2,
                    "no-straight" => {
                        let banks = ship
                            .dial
                            .maneuvers()
                            .iter()
                            .copied()
                            .filter(|maneuver| maneuver.speed == 1);
                        ship.dial = std::sync::Arc::new(tallyho::xwing::maneuver::Dial::new(banks));
                    }
                    other => panic!("{}: `{other}` is no word about the shuttle", self.title),
                }
            }
            ships.push(ship);
        }
        for (side, word) in [("attacker", "attacker"), ("defender", "escort")] {
            for words in self.all(word) {
                let size = match words[1] {
                    "small" => Size::Small,
                    "large" => Size::Large,
                    other => panic!("{}: `{other}` is no size", self.title),
                };
                let mut ship = bare_ship(words[0], size, self.pose(&words[2..]));
                ship.side = side.to_owned();
                ships.push(ship);
            }
        }
        let mut obstacles = Vec::new();
        for (word, kind) in [("asteroid", ObstacleKind::Asteroid), ("debris", ObstacleKind::Debris)] {
            for words in self.all(word) {
                let ((x, y), (width, height)) = (pair(words[1]), pair(words[2]));
                let corner = |a: f64, b: f64| tallyho::geometry::Point::new(x + a * width, y + b * height);
                obstacles.push(Obstacle {
                    id: words[0].into(),
                    kind,
                    outline: [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
                        .map(|(a, b)| corner(a, b))
                        .into_iter()
                        .collect(),
                });
            }
        }
        Table::new(PlayArea::STANDARD, ships, obstacles, Vec::new())
    }

    /// A pose out of two words: `457.2,220 @0`.
    pub fn pose(&self, words: &[&str]) -> Pose {
        let (x, y) = pair(words[0]);
        let heading = words[1].strip_prefix('@').and_then(|text| text.parse().ok());
        Pose::new(
            x,
            y,
            heading.unwrap_or_else(|| panic!("{}: a heading is written @90", self.title)),
        )
    }
}

/// Two numbers with a comma between them.
pub fn pair(text: &str) -> (f64, f64) {
    let numbers: Vec<f64> = text.split(',').map(|part| part.parse().expect("a number")).collect();
    (numbers[0], numbers[1])
}
