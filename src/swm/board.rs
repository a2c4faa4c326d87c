//! The map with the figures on it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    ability::Effect,
    cover::{Obstruction, cover, is_covered},
    figure::{Figure, Side},
    map::{Map, Terrain},
    options::Options,
    range::Ranges,
    square::{Space, Square},
    survey::{Squares, Survey},
    token::Token,
};

/// The map with the figures on it.
#[derive(Debug, Clone)]
pub struct Board {
    map: Map,
    /// Of the map as its doors stand.
    survey: Arc<Survey>,
    /// Those of all door states that have been; shared by copies of the board.
    surveys: Arc<Mutex<BTreeMap<Vec<bool>, Arc<Survey>>>>,
    figures: Vec<Figure>,
    /// Face down, in order of their squares.
    tokens: Vec<Token>,
}

/// A board that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadBoard {
    /// Two figures of one name.
    #[error("figure `{0}` is there twice: give each a letter of its own")]
    Twice(String),
    /// Not on the map, or partly off it.
    #[error("figure `{id}` at {at} is not wholly on the map")]
    OffMap {
        /// The figure.
        id: String,
        /// Its square.
        at: Square,
    },
    /// In a wall or over a pit.
    #[error("figure `{id}` stands on a {what} at {at}")]
    Blocked {
        /// The figure.
        id: String,
        /// The square.
        at: Square,
        /// What is there.
        what: &'static str,
    },
    /// In another figure's space.
    #[error("figures `{0}` and `{1}` stand on the same square")]
    Overlap(String, String),
    /// A trigger token off the map, in a wall, or on another one.
    #[error("the token at {0} lies off the map, in a wall or on another token")]
    Token(Square),
}

impl Board {
    /// The figures on the map, in order of their ids. Defeated ones may stand anywhere.
    ///
    /// # Errors
    /// A figure that cannot stand where it does.
    pub fn new(map: Map, mut figures: Vec<Figure>) -> Result<Board, BadBoard> {
        figures.sort_by(|a, b| a.id.cmp(&b.id));
        Board::check(&map, &figures)?;
        let survey = Arc::new(Survey::new(&map));
        let doors = map.doors().iter().map(|door| door.open).collect();
        let surveys = BTreeMap::from([(doors, Arc::clone(&survey))]);
        Ok(Board {
            map,
            survey,
            surveys: Arc::new(Mutex::new(surveys)),
            figures,
            tokens: Vec::new(),
        })
    }

    /// Whether figures, in order of their ids, can stand where they do.
    fn check(map: &Map, figures: &[Figure]) -> Result<(), BadBoard> {
        for pair in figures.windows(2) {
            if pair[0].id == pair[1].id {
                return Err(BadBoard::Twice(pair[0].id.clone()));
            }
        }
        let here: Vec<&Figure> = figures.iter().filter(|figure| figure.in_play()).collect();
        for (index, figure) in here.iter().enumerate() {
            let (id, space) = (|| figure.id.clone(), figure.space());
            if !map.contains_space(space) {
                return Err(BadBoard::OffMap {
                    id: id(),
                    at: figure.at,
                });
            }
            for at in space.squares() {
                let what = match map.terrain(at) {
                    Terrain::Wall => "wall",
                    Terrain::Pit => "pit",
                    _ if map.is_shut(at) => "closed door",
                    _ => continue,
                };
                return Err(BadBoard::Blocked { id: id(), at, what });
            }
            if let Some(other) = here[..index].iter().find(|other| other.space().overlaps(space)) {
                return Err(BadBoard::Overlap(other.id.clone(), id()));
            }
        }
        Ok(())
    }

    /// Trigger tokens that lie face down, in order of their squares.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Lays a trigger token down.
    ///
    /// # Errors
    /// It lies off the map, in a wall or on another one.
    pub fn add_token(&mut self, token: Token) -> Result<(), BadBoard> {
        let lies = self.map.contains(token.at) && !self.map.is_shut(token.at);
        match self.tokens.binary_search_by_key(&token.at, |other| other.at) {
            Err(place) if lies => self.tokens.insert(place, token),
            _ => return Err(BadBoard::Token(token.at)),
        }
        Ok(())
    }

    /// Takes the token of a square away.
    pub fn remove_token(&mut self, at: Square) {
        self.tokens.retain(|token| token.at != at);
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// What is worked out of the map as its doors stand.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Opens or closes a door by its number; the map is surveyed anew the first time that the doors stand so.
    pub fn set_door(&mut self, door: usize, open: bool) {
        if self.map.set_door(door, open) {
            let doors = self.map.doors().iter().map(|door| door.open).collect();
            let mut surveys = self.surveys.lock().unwrap_or_else(PoisonError::into_inner);
            let survey = surveys.entry(doors).or_insert_with(|| Arc::new(Survey::new(&self.map)));
            self.survey = Arc::clone(survey);
        }
    }

    /// All figures, in order of their ids, defeated ones too.
    pub fn figures(&self) -> &[Figure] {
        &self.figures
    }

    /// The figure of that id.
    pub fn figure(&self, id: &str) -> Option<&Figure> {
        self.place(id).map(|place| &self.figures[place])
    }

    /// The figure of that id, to change it.
    pub fn figure_mut(&mut self, id: &str) -> Option<&mut Figure> {
        self.place(id).map(|place| &mut self.figures[place])
    }

    fn place(&self, id: &str) -> Option<usize> {
        self.figures.binary_search_by(|figure| figure.id.as_str().cmp(id)).ok()
    }

    /// Puts a figure on the board.
    ///
    /// # Errors
    /// It cannot stand there, or there is one of its name.
    pub fn add(&mut self, figure: Figure) -> Result<(), BadBoard> {
        let mut figures = self.figures.clone();
        figures.push(figure);
        figures.sort_by(|a, b| a.id.cmp(&b.id));
        Board::check(&self.map, &figures)?;
        self.figures = figures;
        Ok(())
    }

    /// Figures of a side that are in play.
    pub fn side(&self, side: Side) -> impl Iterator<Item = &Figure> {
        self.figures
            .iter()
            .filter(move |figure| figure.side == side && figure.in_play())
    }

    /// Enemies of a figure that are in play.
    pub fn enemies(&self, of: &Figure) -> impl Iterator<Item = &Figure> + use<'_> {
        let side = of.side;
        self.figures
            .iter()
            .filter(move |figure| figure.side != side && figure.in_play())
    }

    /// Whether a line of sight joins two spaces.
    pub fn sees(&self, from: Space, to: Space) -> bool {
        // The second one's list: many squares are asked about few figures.
        self.survey.sees(&self.map, to, from)
    }

    /// Whether two spaces are adjacent.
    pub fn are_adjacent(&self, a: Space, b: Space) -> bool {
        self.survey.are_adjacent(a, b)
    }

    /// Ranges from a space.
    pub fn ranges(&self, from: Space) -> Arc<Ranges> {
        self.survey.ranges(from)
    }

    /// What gives a target cover against an attacker that stands in a space: see [`cover()`].
    pub fn cover(&self, attacker: &Figure, space: Space, target: &Figure, options: &Options) -> Vec<Obstruction> {
        let sniper = attacker.card.has(|effect| *effect == Effect::FiguresGiveNoCover);
        let others = self
            .figures
            .iter()
            .filter(|other| !sniper && other.in_play() && other.id != attacker.id && other.id != target.id);
        let spaces: Vec<Space> = others.map(Figure::space).collect();
        cover(&self.map, space, target.space(), &spaces, options)
    }

    /// What gives a target cover against an attacker where it stands, in words; empty without cover.
    pub fn cover_words(&self, attacker: &Figure, target: &Figure, options: &Options) -> String {
        let sniper = attacker.card.has(|effect| *effect == Effect::FiguresGiveNoCover);
        let others = self
            .figures
            .iter()
            .filter(|other| !sniper && other.in_play() && other.id != attacker.id && other.id != target.id);
        let others: Vec<&Figure> = others.collect();
        let mut words: Vec<String> = (self.cover(attacker, attacker.space(), target, options).into_iter())
            .map(|obstruction| match obstruction {
                Obstruction::Wall(at) => format!("a wall at {at}"),
                Obstruction::LowObjects(at) => format!("low objects at {at}"),
                Obstruction::Figure(place) => others.get(place).map_or_else(String::new, |other| other.called()),
            })
            .collect();
        words.sort_unstable();
        words.dedup();
        words.join(", ")
    }

    /// Squares of figures that give cover against an attacker's attacks: all but its own. Those of the target are passed over
    /// by [`Board::is_covered`].
    pub fn screens(&self, attacker: &Figure) -> Squares {
        self.screens_without(attacker, attacker)
    }

    /// The same for attacks on a target that might stand elsewhere.
    pub fn screens_without(&self, attacker: &Figure, target: &Figure) -> Squares {
        let mut squares = Squares::none(self.map.height());
        if !attacker.card.has(|effect| *effect == Effect::FiguresGiveNoCover) {
            let others = self.figures.iter().filter(|other| other.in_play());
            for other in others.filter(|other| other.id != attacker.id && other.id != target.id) {
                squares.add_space(other.space());
            }
        }
        squares
    }

    /// Whether a target has cover against an attacker that stands in a space, with its [`Board::screens`]: the same as
    /// whether [`Board::cover`] finds something, and much faster.
    pub fn is_covered(&self, space: Space, target: Space, screens: &Squares, options: &Options) -> bool {
        is_covered(&self.survey, space, target, screens, options)
    }

    /// Whether somebody beside the mover stands in a space.
    pub fn is_taken(&self, space: Space, mover: &Figure) -> bool {
        self.figures
            .iter()
            .any(|other| other.in_play() && other.id != mover.id && other.space().overlaps(space))
    }

    /// How the doors stand at the end of a turn (SWM 1.2): open where somebody is adjacent, else closed.
    pub fn doors_by_rule(&self) -> Vec<bool> {
        let beside = self.survey.beside_doors(&self.map);
        let opens = |squares: &Squares| {
            let mut figures = self.figures.iter().filter(|figure| figure.in_play());
            figures.any(|figure| squares.meets(figure.space()))
        };
        let doors = beside.iter().zip(self.map.doors());
        doors
            .map(|(squares, door)| if door.stays { door.open } else { opens(squares) })
            .collect()
    }

    /// Opens the doors that somebody stands beside and closes the others, as at the end of a turn (SWM 1.2).
    pub fn settle_doors(&mut self) {
        if self.map.doors().is_empty() {
            return;
        }
        for (door, open) in self.doors_by_rule().into_iter().enumerate() {
            self.set_door(door, open);
        }
    }
}
