//! SA-4: the approach charts, read from a data file.

use std::{
    borrow::Cow,
    fmt,
    sync::{Arc, LazyLock},
};

use crate::{
    dice::{AttackFace, DefenceFace},
    xwing::edition::Edition,
};

/// Which chart applies: the first arc that the tally is in (SA-3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Chart {
    /// The tally is in the bullseye arc.
    Bullseye,
    /// In the front arc.
    Front,
    /// In either side arc.
    Side,
    /// In the rear arc.
    Rear,
}

impl Chart {
    /// All charts, in the order in which SA-3.2 asks.
    pub const ALL: [Chart; 4] = [Chart::Bullseye, Chart::Front, Chart::Side, Chart::Rear];

    /// Its name in the data file.
    pub const fn name(self) -> &'static str {
        match self {
            Chart::Bullseye => "bullseye",
            Chart::Front => "front",
            Chart::Side => "side",
            Chart::Rear => "rear",
        }
    }
}

impl fmt::Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The approach roll: one die of each kind (SA-3.3). Its text form is `evade/hit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Roll {
    /// The defence die.
    pub defence: DefenceFace,
    /// The attack die.
    pub attack: AttackFace,
}

/// The defence die's faces by name.
pub const DEFENCE_FACES: [(&str, DefenceFace); 3] = [
    ("evade", DefenceFace::Evade),
    ("focus", DefenceFace::Focus),
    ("blank", DefenceFace::Blank),
];

/// The attack die's faces by name.
pub const ATTACK_FACES: [(&str, AttackFace); 4] = [
    ("crit", AttackFace::Crit),
    ("hit", AttackFace::Hit),
    ("focus", AttackFace::Focus),
    ("blank", AttackFace::Blank),
];

/// The name of a defence face, as rolls are written.
pub fn defence_name(face: DefenceFace) -> &'static str {
    DEFENCE_FACES[face as usize].0
}

/// An attack face by name.
pub fn attack_name(face: AttackFace) -> &'static str {
    ATTACK_FACES[face as usize].0
}

impl Roll {
    /// The twelve rolls, in the order of the charts.
    pub fn all() -> impl Iterator<Item = Roll> {
        DEFENCE_FACES
            .iter()
            .flat_map(|&(_, defence)| ATTACK_FACES.iter().map(move |&(_, attack)| Roll { defence, attack }))
    }

    fn index(self) -> usize {
        self.defence as usize * ATTACK_FACES.len() + self.attack as usize
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", defence_name(self.defence), attack_name(self.attack))
    }
}

/// A text that is not a roll.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a roll: write the defence die, a slash, the attack die: evade|focus|blank / crit|hit|focus|blank"
)]
pub struct BadRoll(pub String);

impl std::str::FromStr for Roll {
    type Err = BadRoll;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || BadRoll(text.to_owned());
        let (defence, attack) = text.split_once('/').ok_or_else(bad)?;
        let defence = DEFENCE_FACES.iter().find(|f| f.0 == defence.trim()).ok_or_else(bad)?.1;
        let attack = ATTACK_FACES.iter().find(|f| f.0 == attack.trim()).ok_or_else(bad)?.1;
        Ok(Roll { defence, attack })
    }
}

/// The speed that an entry asks for (SA-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Speed {
    /// The lowest; reverse speeds count negative.
    Slowest,
    /// The element at index n/2 of the ascending list of distinct speeds.
    Average,
    /// The highest.
    Fastest,
    /// A fixed speed.
    Exactly(u8),
}

/// A family of bearings that an entry allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BearingClass {
    /// Straight ahead.
    Straight,
    /// Left and right bank.
    Bank,
    /// Left and right turn.
    Turn,
    /// SA-5: Koiogran turn, Segnor's loop, Tallon roll, stationary, reverse straight, reverse bank.
    Advanced,
    /// Stationary.
    Stationary,
    /// Reverse straight and reverse banks.
    Reverse,
}

/// Where to, seen from an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Word {
    /// To the object's side, or as near to it as can be.
    Towards,
    /// To the other side, or as far from it as can be.
    Away,
}

impl Word {
    /// The word as the charts write it.
    pub const fn name(self) -> &'static str {
        match self {
            Word::Towards => "towards",
            Word::Away => "away from",
        }
    }
}

/// What an entry's direction is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Landmark {
    /// The tally.
    Tally,
    /// The nearest obstacle.
    NearestObstacle,
}

/// Towards or away, from what.
pub type Direction = (Word, Landmark);

/// One cell of a chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The speed asked for.
    pub speed: Speed,
    /// Only blue maneuvers.
    pub blue: bool,
    /// The bearings allowed.
    pub bearings: Vec<BearingClass>,
    /// The direction asked for, if any.
    pub direction: Option<Direction>,
    /// The entry as the data file writes it.
    pub text: String,
}

impl Entry {
    /// The entry in the words of an edition (FE-SOLO-1).
    pub fn words(&self, edition: Edition) -> Cow<'_, str> {
        let blue = Edition::Second.words().easy;
        let easy = edition.words().easy;
        if easy == blue {
            return Cow::Borrowed(&self.text);
        }
        // A colour stands by itself, and no other word of an entry is one.
        let words: Vec<&str> = (self.text.split(' '))
            .map(|word| if word == blue { easy } else { word })
            .collect();
        Cow::Owned(words.join(" "))
    }
}

/// All four charts. Cheap to clone.
#[derive(Debug, Clone, PartialEq)]
pub struct Charts(Arc<[[Entry; 12]; 4]>);

impl Charts {
    /// The charts that come with the program (`data/charts.toml`).
    pub fn embedded() -> Charts {
        static EMBEDDED: LazyLock<Charts> = LazyLock::new(|| {
            Charts::from_toml(include_str!("../../data/charts.toml"))
                .expect("the embedded charts are checked by a test")
        });
        EMBEDDED.clone()
    }

    /// Reads and checks charts in the form of `data/charts.toml`.
    ///
    /// # Errors
    /// Text that is not TOML, a chart or a roll that is missing or unknown, an entry that cannot be read; the message
    /// names the chart and the roll.
    pub fn from_toml(text: &str) -> Result<Charts, ChartsError> {
        let mut file: toml::Table = text.parse().map_err(|error| ChartsError::NotToml(Box::new(error)))?;
        let mut read = |chart: Chart| -> Result<[Entry; 12], ChartsError> {
            let mut rolls = match file.remove(chart.name()) {
                Some(toml::Value::Table(rolls)) => rolls,
                _ => return Err(ChartsError::Missing(format!("[{chart}]"))),
            };
            let mut entries = Vec::with_capacity(12);
            for roll in Roll::all() {
                let key = roll.to_string();
                let place = || format!("[{chart}] \"{key}\"");
                let Some(value) = rolls.remove(&key) else {
                    return Err(ChartsError::Missing(place()));
                };
                let text = value.as_str().ok_or_else(|| ChartsError::Entry {
                    place: place(),
                    problem: "must be a text in quotes".to_owned(),
                })?;
                entries.push(parse_entry(text).map_err(|problem| ChartsError::Entry {
                    place: place(),
                    problem,
                })?);
            }
            if let Some(unknown) = rolls.keys().next() {
                return Err(ChartsError::Unknown(format!("[{chart}] \"{unknown}\"")));
            }
            entries
                .try_into()
                .map_err(|_| ChartsError::Missing(format!("[{chart}]")))
        };
        let charts = [
            read(Chart::Bullseye)?,
            read(Chart::Front)?,
            read(Chart::Side)?,
            read(Chart::Rear)?,
        ];
        match file.keys().next() {
            Some(unknown) => Err(ChartsError::Unknown(unknown.clone())),
            None => Ok(Charts(Arc::new(charts))),
        }
    }

    /// The cell of a chart for a roll (SA-3.4).
    pub fn entry(&self, chart: Chart, roll: Roll) -> &Entry {
        &self.0[chart as usize][roll.index()]
    }
}

/// Why a chart file was refused.
#[derive(Debug, thiserror::Error)]
pub enum ChartsError {
    /// Not TOML at all.
    #[error("the charts are not TOML: {0}")]
    NotToml(Box<toml::de::Error>),
    /// A chart or a roll is not there.
    #[error("the charts lack {0}: add it")]
    Missing(String),
    /// A chart or a roll that no rule knows.
    #[error("the charts have an unknown {0}: remove it or correct its name")]
    Unknown(String),
    /// An entry that cannot be read.
    #[error("charts {place}: {problem}")]
    Entry {
        /// Chart and roll.
        place: String,
        /// What is wrong, and what may stand there.
        problem: String,
    },
}

fn parse_entry(text: &str) -> Result<Entry, String> {
    let (rest, direction) = split_direction(text)?;
    let mut words = rest.split([' ', ',']).filter(|word| !word.is_empty()).peekable();
    let speed = match words.next() {
        Some("slowest") => Speed::Slowest,
        Some("average") => Speed::Average,
        Some("fastest") => Speed::Fastest,
        Some(word) => match word.strip_suffix("-speed").and_then(|digits| digits.parse().ok()) {
            Some(speed @ 0..=5) => Speed::Exactly(speed),
            _ => {
                return Err(format!(
                    "`{word}` is no speed: write slowest, average, fastest or 0-speed to 5-speed"
                ));
            }
        },
        None => return Err("is empty: begin with slowest, average, fastest or a speed".to_owned()),
    };
    let blue = words.next_if(|&word| word == "blue").is_some();
    let mut bearings = Vec::new();
    for word in words.filter(|&word| word != "or") {
        let bearing = match word {
            "straight" => BearingClass::Straight,
            "bank" => BearingClass::Bank,
            "turn" => BearingClass::Turn,
            "advanced" => BearingClass::Advanced,
            "stationary" => BearingClass::Stationary,
            "reverse" => BearingClass::Reverse,
            other => {
                return Err(format!(
                    "`{other}` is no bearing: write straight, bank, turn, advanced, stationary or reverse"
                ));
            }
        };
        if bearings.contains(&bearing) {
            return Err(format!("`{word}` stands twice"));
        }
        bearings.push(bearing);
    }
    if bearings.is_empty() {
        return Err("names no bearing".to_owned());
    }
    Ok(Entry {
        speed,
        blue,
        bearings,
        direction,
        text: text.to_owned(),
    })
}

fn split_direction(text: &str) -> Result<(&str, Option<Direction>), String> {
    let found = [(" towards ", Word::Towards), (" away from ", Word::Away)]
        .into_iter()
        .find_map(|(word, meaning)| text.split_once(word).map(|(rest, object)| (rest, object, meaning)));
    match found {
        None => Ok((text, None)),
        Some((rest, "the tally", word)) => Ok((rest, Some((word, Landmark::Tally)))),
        Some((rest, "the nearest obstacle", word)) => Ok((rest, Some((word, Landmark::NearestObstacle)))),
        Some((_, object, word)) => Err(format!(
            "`{} {object}` is no direction: write `the tally` or `the nearest obstacle`",
            word.name()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMBEDDED: &str = include_str!("../../data/charts.toml");

    #[test]
    fn sa_4_embedded_charts_are_complete() {
        let charts = Charts::from_toml(EMBEDDED).unwrap();
        for chart in Chart::ALL {
            let cell = charts.entry(chart, "blank/blank".parse().unwrap());
            assert_eq!(
                (cell.speed, &cell.bearings[..]),
                (Speed::Exactly(2), &[BearingClass::Straight][..])
            );
            // SA-6 leans on this: a die changed to focus always asks for a blue maneuver.
            for roll in Roll::all().filter(|roll| roll.defence == DefenceFace::Focus) {
                assert!(charts.entry(chart, roll).blue, "{chart} {roll}");
            }
        }
        let cell = charts.entry(Chart::Rear, "evade/focus".parse().unwrap());
        assert_eq!(
            (cell.speed, cell.blue, cell.direction),
            (Speed::Fastest, false, Some((Word::Away, Landmark::NearestObstacle)))
        );
        let cell = charts.entry(Chart::Side, "focus/hit".parse().unwrap());
        assert_eq!(
            (cell.speed, cell.blue, &cell.bearings[..]),
            (Speed::Average, true, &[BearingClass::Bank, BearingClass::Turn][..])
        );
    }

    #[test]
    fn rolls_are_written_and_read_back() {
        for roll in Roll::all() {
            assert_eq!(roll.to_string().parse(), Ok(roll));
        }
        assert_eq!("evade".parse::<Roll>(), Err(BadRoll("evade".to_owned())));
        assert_eq!("hit/evade".parse::<Roll>(), Err(BadRoll("hit/evade".to_owned())));
    }

    #[test]
    fn a_broken_file_names_the_place_and_the_remedy() {
        let refused = |from: &str, to: &str| {
            assert!(EMBEDDED.contains(from), "{from}");
            Charts::from_toml(&EMBEDDED.replacen(from, to, 1))
                .unwrap_err()
                .to_string()
        };
        assert_eq!(refused("[side]", "[sides]"), "the charts lack [side]: add it");
        assert_eq!(
            refused("\"evade/crit\" ", "\"evade/miss\" "),
            "the charts lack [bullseye] \"evade/crit\": add it"
        );
        assert_eq!(
            refused("slowest blue bank", "slow blue bank"),
            "charts [bullseye] \"evade/crit\": `slow` is no speed: write slowest, average, fastest or 0-speed to 5-speed"
        );
        assert_eq!(
            refused(
                "blue bank away from the nearest obstacle",
                "blue bank away from the nearest rock"
            ),
            "charts [bullseye] \"evade/crit\": `away from the nearest rock` is no direction: write `the tally` or \
             `the nearest obstacle`"
        );
        assert_eq!(
            refused("fastest straight\"", "fastest straight straight\""),
            "charts [bullseye] \"blank/hit\": `straight` stands twice"
        );
        assert_eq!(
            refused("[bullseye]", "[bullseye]\nextra = \"fastest straight\""),
            "the charts have an unknown [bullseye] \"extra\": remove it or correct its name"
        );
        assert!(refused("[bullseye]", "[bullseye").starts_with("the charts are not TOML: "));
    }
}
