//! A game of ships, as it is written down: how it begins, who chooses, what is asked.

use std::{fmt, path::Path, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    Beginning, Game, Hand,
    beginning::BadBeginning,
    dice::AllDice,
    file::{FORMAT, short_sum},
    kind::{Head, Kind},
    words::{self, placing},
};
use crate::{
    commander::{Commander as _, scripted::Scripted, solo::Solo},
    decision::Explanation,
    dice::SeededDice,
    sim::{self, by_hand::ByHand, squad},
    xwing::{
        ObjectId,
        battle::{Answer, BadSetup, Battle, Event, Refused, Request},
        catalog::{Catalog, Titles},
        deployment::{BadPlacement, Placement, Turn},
        effects::CardBook,
        obstacle_outlines::ObstacleOutlines,
    },
};

/// The first line of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// The form of the record: [`FORMAT`].
    pub format: u32,
    /// The version of the program that began it.
    pub version: String,
    /// The sum of the facts of ships, pilots and upgrades that it was played with: see [`fingerprint`].
    pub catalog: String,
    /// The sum of the obstacle outlines, where they were a user's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obstacles: Option<String>,
    /// The sum of what cards do, where some were a user's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<String>,
    /// How the game began.
    pub beginning: Beginning,
    /// Whether somebody rolls the dice on their own table and types them in.
    #[serde(default)]
    pub typed_dice: bool,
}

impl Header {
    /// The header of a game that begins now.
    pub fn new(beginning: Beginning, catalog: &Catalog, typed_dice: bool) -> Header {
        Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            catalog: fingerprint(catalog),
            obstacles: own_obstacles(catalog),
            cards: own_cards(catalog),
            beginning,
            typed_dice,
        }
    }
}

/// How the game of a record began; `None` for what is no record of ships.
pub fn beginning_of(path: &Path) -> Option<Beginning> {
    let read = super::file::read::<ShipGame>(path).ok()?;
    Some(read.header.beginning)
}

impl Header {
    /// What to say where the game was played with other facts than these: which, and by which option they are given.
    pub fn other_facts(&self, catalog: &Catalog) -> Option<String> {
        let mut other = Vec::new();
        if self.catalog != fingerprint(catalog) {
            other.push(("other ship facts", "--catalog"));
        }
        let own = [
            (
                &self.obstacles,
                own_obstacles(catalog),
                "obstacle outlines",
                "--obstacles",
            ),
            (&self.cards, own_cards(catalog), "cards", "--card-file"),
        ];
        let what: Vec<String> = (other
            .iter()
            .map(|(what, option)| format!("{what} (give {option} as then)")))
        .chain(
            own.into_iter()
                .filter(|(then, now, ..)| *then != now)
                .map(|(then, now, what, option)| match (then, &now) {
                    (Some(_), None) => format!("{what} of a user's own (give the same {option})"),
                    (None, _) => format!("the built-in {what} (leave {option} out)"),
                    (Some(_), Some(_)) => format!("other {what} (give the same {option})"),
                }),
        )
        .collect();
        (!what.is_empty()).then(|| format!("The game was played with {}.", what.join(" and ")))
    }
}

/// A short sum of all ships, pilots, upgrades and Quick Build cards of a catalog.
pub fn fingerprint(catalog: &Catalog) -> String {
    let facts = (
        catalog.ships(),
        catalog.pilots(),
        catalog.upgrades(),
        catalog.quick_builds(),
    );
    short_sum(format!("{facts:?}").as_bytes())
}

fn own_obstacles(catalog: &Catalog) -> Option<String> {
    let outlines = catalog.outlines();
    let own = !std::ptr::eq(outlines, ObstacleOutlines::embedded());
    own.then(|| short_sum(format!("{outlines:?}").as_bytes()))
}

fn own_cards(catalog: &Catalog) -> Option<String> {
    let book = catalog.cards();
    if std::ptr::eq(book, CardBook::embedded()) {
        return None;
    }
    let entries: Vec<_> = book.cards().collect();
    Some(short_sum(format!("{entries:?}").as_bytes()))
}

impl Head for Header {
    fn form(&self) -> u32 {
        self.format
    }

    fn seed(&self) -> u64 {
        self.beginning.seed
    }

    fn game(&self) -> Option<u64> {
        self.beginning.game
    }

    fn player(&self) -> Hand {
        self.beginning.player
    }

    fn typed_dice(&self) -> bool {
        self.typed_dice
    }
}

/// The ship that was asked; in a set-up the obstacle, or the side where it is more than a ship.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Its id.
    pub ship: ObjectId,
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.ship)
    }
}

/// What was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum Chosen {
    /// In a battle.
    Battle {
        /// The answer to what was asked.
        answer: Answer,
    },
    /// In a set-up.
    Placed {
        /// What was placed.
        placed: Placement,
    },
    /// In a set-up: all that is left is placed as it is proposed, for both sides.
    Rest {
        /// Nothing more is to be said.
        rest_as_proposed: (),
    },
}

impl Chosen {
    /// The answer to what a battle asked.
    pub const fn answer(&self) -> Option<&Answer> {
        match self {
            Chosen::Battle { answer } => Some(answer),
            Chosen::Placed { .. } | Chosen::Rest { .. } => None,
        }
    }
}

impl From<Answer> for Chosen {
    fn from(answer: Answer) -> Chosen {
        Chosen::Battle { answer }
    }
}

impl From<Placement> for Chosen {
    fn from(placed: Placement) -> Chosen {
        Chosen::Placed { placed }
    }
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Asking {
    /// In a battle.
    Battle(Request),
    /// In a set-up.
    Placing(Turn),
}

/// Why a choice is not accepted. The game stands where it stood.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotAccepted {
    /// The battle refuses it.
    #[error(transparent)]
    Battle(#[from] Refused),
    /// It may not be placed so.
    #[error(transparent)]
    Placing(#[from] BadPlacement),
    /// The table is set up, and the battle cannot begin.
    #[error("the game cannot begin: {0}")]
    Setup(#[from] BadSetup),
}

/// A battle, and who chooses for its sides.
#[derive(Debug, Clone)]
pub struct ShipGame {
    /// In a set-up: the table as it is so far, at which nobody is asked.
    battle: Battle,
    /// The set-up, until it is done.
    set_up: Option<Box<ByHand>>,
    asking: Option<Asking>,
    solo: Solo,
    solo_player: Solo,
    scripted: Scripted,
    titles: Arc<Titles>,
}

impl ShipGame {
    /// The battle as it stands; in a set-up the table as it is so far.
    pub fn battle(&self) -> &Battle {
        &self.battle
    }

    /// The set-up, while it goes on.
    pub fn set_up(&self) -> Option<&ByHand> {
        self.set_up.as_deref()
    }

    /// The printed names of what the facts of this game know by ids.
    pub fn titles(&self) -> &Titles {
        &self.titles
    }

    /// What is asked after something has changed.
    fn asks_next(&mut self) {
        let placing = self.set_up.as_ref().and_then(|set_up| set_up.turn());
        self.asking = match placing {
            Some(turn) => Some(Asking::Placing(turn)),
            None => self.battle.pending().cloned().map(Asking::Battle),
        };
    }

    /// Goes on with a set-up that has come farther: to the battle, when all is placed.
    fn goes_on(&mut self, set_up: ByHand, dice: &mut dyn AllDice) -> Result<(), BadSetup> {
        if set_up.turn().is_none() {
            self.battle = Battle::new(set_up.setup(), dice)?;
            self.set_up = None;
        } else {
            self.battle = looked_at(&set_up);
            self.set_up = Some(Box::new(set_up));
        }
        Ok(())
    }
}

/// The table of a set-up as a battle that does not begin: to be looked at.
fn looked_at(set_up: &ByHand) -> Battle {
    Battle::at_table(set_up.setup(), 0, &mut SeededDice::new(0))
}

impl From<BadSetup> for BadBeginning {
    fn from(bad: BadSetup) -> BadBeginning {
        BadBeginning(bad.to_string())
    }
}

impl Kind for ShipGame {
    const NAME: &'static str = "game";
    const OPPONENT: &'static str = "Solo Alpha";

    type Header = Header;
    type Facts = Catalog;
    type Request = Asking;
    type Who = Asked;
    type Choice = Chosen;
    type Event = Event;
    type Refused = NotAccepted;

    fn begin(
        header: &mut Header,
        catalog: &Catalog,
        dice: &mut dyn AllDice,
    ) -> Result<(ShipGame, Vec<String>), BadBeginning> {
        let by_hand = header.beginning.open_by_hand(catalog, dice)?;
        let (battle, set_up, mut notes) = match by_hand {
            Some((set_up, notes)) => (looked_at(&set_up), Some(Box::new(set_up)), notes),
            None => {
                let (setup, notes) = header.beginning.open(catalog, dice)?;
                (Battle::new(setup, dice)?, None, notes)
            }
        };
        let titles = Titles::of(catalog);
        notes.iter_mut().for_each(|note| titles.speak_in(note));
        let mut game = ShipGame {
            battle,
            set_up,
            asking: None,
            solo: Solo::new(header.beginning.options.clone()),
            solo_player: Solo::new(header.beginning.player_options().clone()),
            scripted: Scripted::default(),
            titles: Arc::new(titles),
        };
        game.asks_next();
        Ok((game, notes))
    }

    fn round(&self) -> u32 {
        self.battle.round()
    }

    fn pending(&self) -> Option<&Asking> {
        self.asking.as_ref()
    }

    fn events(&self) -> &[Event] {
        match self.set_up {
            Some(_) => &[],
            None => self.battle.events(),
        }
    }

    fn who(&self, request: &Asking) -> Asked {
        let side = |side: usize| ObjectId::from([squad::PLAYER, squad::SOLO][side]);
        let ship = match request {
            Asking::Battle(request) => request.ship().clone(),
            Asking::Placing(Turn::Obstacle { number, .. }) => format!("O{number}").into(),
            Asking::Placing(Turn::Ship { ships, .. }) if ships.len() == 1 => ships[0].clone(),
            Asking::Placing(turn) => side(turn.side()),
        };
        Asked { ship }
    }

    fn is_players(&self, request: &Asking) -> bool {
        match request {
            Asking::Battle(request) => {
                let ship = self.battle.table().ship(request.ship());
                ship.is_some_and(|ship| ship.side == squad::PLAYER)
            }
            Asking::Placing(turn) => turn.side() == 0,
        }
    }

    fn choose(&mut self, by: Hand, request: &Asking, dice: &mut dyn AllDice) -> (Chosen, Explanation) {
        let Asking::Battle(asked) = request else {
            let proposed = self.set_up.as_ref().and_then(|set_up| set_up.propose(dice));
            return match proposed {
                Some((placement, mut explanation)) => {
                    let chosen = Chosen::from(placement);
                    explanation.sentence = self.sentence(&chosen);
                    (chosen, explanation)
                }
                None => (self.harmless(request), Explanation::default()),
            };
        };
        let mut explanation = Explanation::default();
        let said = Some(&mut explanation);
        let players = self.is_players(request);
        let answer = match by {
            Hand::Human | Hand::Scripted => self.scripted.answer(&self.battle, asked, dice, said),
            Hand::Solo if players => self.solo_player.answer(&self.battle, asked, dice, said),
            Hand::Solo => self.solo.answer(&self.battle, asked, dice, said),
        };
        self.titles.speak_in(&mut explanation.sentence);
        for reason in &mut explanation.reasons {
            self.titles.speak_in(&mut reason.text);
            for compared in &mut reason.compared {
                self.titles.speak_in(&mut compared.candidate);
            }
        }
        (answer.into(), explanation)
    }

    fn not_asked() -> NotAccepted {
        Refused::NotAsked.into()
    }

    fn harmless(&self, request: &Asking) -> Chosen {
        match request {
            Asking::Battle(request) => sim::harmless(&self.battle, request).into(),
            Asking::Placing(_) => Chosen::Rest { rest_as_proposed: () },
        }
    }

    fn carry_out(&mut self, choice: &Chosen, dice: &mut dyn AllDice) -> Result<(), NotAccepted> {
        match (choice, &self.set_up) {
            (Chosen::Battle { answer }, None) => self.battle.answer(answer.clone(), dice)?,
            (Chosen::Placed { placed }, Some(set_up)) => {
                let mut set_up = (**set_up).clone();
                set_up.place(placed)?;
                self.goes_on(set_up, dice)?;
            }
            (Chosen::Rest { .. }, Some(set_up)) => {
                let mut set_up = (**set_up).clone();
                set_up.place_the_rest(dice)?;
                self.goes_on(set_up, dice)?;
            }
            _ => return Err(Self::not_asked()),
        }
        self.asks_next();
        Ok(())
    }

    fn title(&self, header: &Header) -> String {
        self.titles.speak(&header.beginning.title())
    }

    fn asked(&self) -> String {
        let words = match &self.asking {
            Some(Asking::Battle(request)) => words::request(&self.battle, request),
            Some(Asking::Placing(turn)) => placing::asked(turn, self.battle.table()),
            None => String::new(),
        };
        self.titles.speak(&words)
    }

    fn chosen(&self, choice: &Chosen) -> String {
        match choice {
            Chosen::Battle { answer } => self.titles.speak(&words::chosen(&self.battle, answer)),
            Chosen::Placed { placed } => placing::chosen(placed, self.battle.table()),
            Chosen::Rest { .. } => placing::REST.to_owned(),
        }
    }

    fn sentence(&self, choice: &Chosen) -> String {
        match (choice, &self.asking) {
            (Chosen::Battle { answer }, _) => self.titles.speak(&words::chose(&self.battle, answer)),
            (Chosen::Placed { placed }, Some(Asking::Placing(turn))) => {
                placing::sentence(turn.side(), placed, self.battle.table())
            }
            (Chosen::Placed { .. }, _) => format!("Placed: {}.", self.chosen(choice)),
            (Chosen::Rest { .. }, _) => format!("Set-up: {}.", placing::REST),
        }
    }

    fn told_since(&self, before: usize) -> Vec<String> {
        if self.set_up.is_some() {
            return Vec::new();
        }
        let mut lines = words::events(&self.battle, before);
        lines.iter_mut().for_each(|line| self.titles.speak_in(line));
        lines
    }
}

impl Game {
    /// A game of a simulation, played to its end and written down.
    ///
    /// # Errors
    /// A beginning that cannot be played.
    pub fn simulated(beginning: Beginning, catalog: &Catalog) -> Result<Game, BadBeginning> {
        let mut dice = sim::dice_of(beginning.seed, beginning.game.unwrap_or(0));
        let header = Header::new(beginning, catalog, false);
        Game::played_out(header, catalog, &mut dice)
    }

    /// The battle as it stands.
    pub fn battle(&self) -> &Battle {
        self.state().battle()
    }

    /// The printed names of what the facts of this game know by ids.
    pub fn titles(&self) -> &Titles {
        self.state().titles()
    }
}
