//! A game of ships, as it is written down: how it begins, who chooses, what is asked.

use std::{fmt, path::Path, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    Beginning, Game, Hand,
    beginning::BadBeginning,
    dice::AllDice,
    file::{FORMAT, short_sum},
    kind::{Head, Kind},
    words,
};
use crate::{
    commander::{Commander as _, scripted::Scripted, solo::Solo},
    decision::Explanation,
    sim::{self, squad},
    xwing::{
        ObjectId,
        battle::{Answer, BadSetup, Battle, Event, Refused, Request},
        catalog::{Catalog, Titles},
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

/// The ship that was asked.
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

/// What was chosen for a ship.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chosen {
    /// The answer to what was asked.
    pub answer: Answer,
}

impl From<Answer> for Chosen {
    fn from(answer: Answer) -> Chosen {
        Chosen { answer }
    }
}

/// A battle, and who chooses for its sides.
#[derive(Debug, Clone)]
pub struct ShipGame {
    battle: Battle,
    solo: Solo,
    solo_player: Solo,
    scripted: Scripted,
    titles: Arc<Titles>,
}

impl ShipGame {
    /// The battle as it stands.
    pub fn battle(&self) -> &Battle {
        &self.battle
    }

    /// The printed names of what the facts of this game know by ids.
    pub fn titles(&self) -> &Titles {
        &self.titles
    }
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
    type Request = Request;
    type Who = Asked;
    type Choice = Chosen;
    type Event = Event;
    type Refused = Refused;

    fn begin(
        header: &mut Header,
        catalog: &Catalog,
        dice: &mut dyn AllDice,
    ) -> Result<(ShipGame, Vec<String>), BadBeginning> {
        let (setup, mut notes) = header.beginning.open(catalog, dice)?;
        let titles = Titles::of(catalog);
        notes.iter_mut().for_each(|note| titles.speak_in(note));
        let game = ShipGame {
            battle: Battle::new(setup, dice)?,
            solo: Solo::new(header.beginning.options.clone()),
            solo_player: Solo::new(header.beginning.player_options().clone()),
            scripted: Scripted::default(),
            titles: Arc::new(titles),
        };
        Ok((game, notes))
    }

    fn round(&self) -> u32 {
        self.battle.round()
    }

    fn pending(&self) -> Option<&Request> {
        self.battle.pending()
    }

    fn events(&self) -> &[Event] {
        self.battle.events()
    }

    fn who(&self, request: &Request) -> Asked {
        Asked {
            ship: request.ship().clone(),
        }
    }

    fn is_players(&self, request: &Request) -> bool {
        let ship = self.battle.table().ship(request.ship());
        ship.is_some_and(|ship| ship.side == squad::PLAYER)
    }

    fn choose(&mut self, by: Hand, request: &Request, dice: &mut dyn AllDice) -> (Chosen, Explanation) {
        let mut explanation = Explanation::default();
        let said = Some(&mut explanation);
        let players = self.is_players(request);
        let answer = match by {
            Hand::Human | Hand::Scripted => self.scripted.answer(&self.battle, request, dice, said),
            Hand::Solo if players => self.solo_player.answer(&self.battle, request, dice, said),
            Hand::Solo => self.solo.answer(&self.battle, request, dice, said),
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

    fn not_asked() -> Refused {
        Refused::NotAsked
    }

    fn harmless(&self, request: &Request) -> Chosen {
        sim::harmless(&self.battle, request).into()
    }

    fn carry_out(&mut self, choice: &Chosen, dice: &mut dyn AllDice) -> Result<(), Refused> {
        self.battle.answer(choice.answer.clone(), dice)
    }

    fn title(&self, header: &Header) -> String {
        self.titles.speak(&header.beginning.title())
    }

    fn asked(&self) -> String {
        let request = self.battle.pending();
        let words = request.map(|request| words::request(&self.battle, request));
        self.titles.speak(&words.unwrap_or_default())
    }

    fn chosen(&self, choice: &Chosen) -> String {
        self.titles.speak(&words::chosen(&self.battle, &choice.answer))
    }

    fn sentence(&self, choice: &Chosen) -> String {
        self.titles.speak(&words::chose(&self.battle, &choice.answer))
    }

    fn told_since(&self, before: usize) -> Vec<String> {
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
