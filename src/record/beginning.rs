//! How a game begins: everything that its first table follows from.

use std::{collections::BTreeSet, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{
    dice::DiceSource,
    sim::{
        self, Plan, PlayerPolicy,
        by_hand::ByHand,
        escort::{EscortField, EscortGame},
        field::Field,
        squad::{self, Member},
    },
    solo_alpha::{Options, options::FirstPlayer},
    xwing::{
        battle::{Mission, Setup},
        catalog::{Catalog, asked::AttackValues},
        edition::{Edition, FirstEditionOptions, Rules, solo::SoloInitiative},
        scenario::{Scenario, muster::Wishes},
        squad::{Squad, check, xws},
    },
};

/// Who chooses for the player's ships.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hand {
    /// Somebody at the keyboard.
    #[default]
    Human,
    /// The scripted player.
    Scripted,
    /// Solo Alpha.
    Solo,
}

/// What is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Start {
    /// Two squads in lines across obstacles.
    Squads {
        /// The player's: as [`squad::read`] reads it, or the text of an XWS file.
        player: String,
        /// The solo side's.
        solo: String,
    },
    /// A scenario.
    Scenario {
        /// The id of a scenario that is built in, or the text of a scenario file.
        scenario: String,
        /// The players' faction.
        faction: String,
        /// The solo side's faction.
        enemy: String,
        /// How many ships the players have.
        player_ships: u32,
        /// The variant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        variant: Option<String>,
        /// The Quick Build card of the ace.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ace: Option<String>,
        /// Ship types to take where there is a choice.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        take: Vec<String>,
        /// The players' own squad: the text of an XWS file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        squad: Option<String>,
        /// The solo side's own squad: the text of an XWS file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        enemy_squad: Option<String>,
    },
    /// Political Escort (PE).
    Escort {
        /// Squads, roles and options.
        game: Box<EscortGame>,
    },
}

/// How a game begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Beginning {
    /// What is played.
    pub start: Start,
    /// The edition of the game.
    #[serde(default, skip_serializing_if = "is_second")]
    pub edition: Edition,
    /// Options of the first edition, where they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition_options: Option<FirstEditionOptions>,
    /// Attack values that the data leaves open, as the players have read them on their cards (FE-SOLO-9). They are in the
    /// facts that the game is played with.
    #[serde(default, skip_serializing_if = "AttackValues::is_empty")]
    pub attack_values: AttackValues,
    /// Who chooses for the player's ships.
    pub player: Hand,
    /// The options of the opponent.
    pub options: Options,
    /// The options of the opponent on the player's side, where it flies both and they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_options: Option<Options>,
    /// After so many rounds it is over, whoever is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Whether the other side is the first player in every second round.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alternating: bool,
    /// Whether the table of a game of the first edition is set up one thing after the other (FE-2, PE-3), and not by the program
    /// at once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub set_up_by_hand: bool,
    /// Where all dice come from that nobody types in.
    pub seed: u64,
    /// Which game of a simulation it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
}

fn is_second(edition: &Edition) -> bool {
    *edition == Edition::Second
}

/// A beginning that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadBeginning(pub String);

fn bad(error: impl std::fmt::Display) -> BadBeginning {
    BadBeginning(error.to_string())
}

/// What squads are called in messages.
const PLAYERS_SQUAD: &str = "the player's squad";
const SOLO_SQUAD: &str = "the solo squad";

/// The text of an XWS file, and not a list of ships.
fn is_xws(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

impl Beginning {
    /// A game that somebody plays, as it is usually played.
    pub fn new(start: Start, options: Options, seed: u64) -> Beginning {
        Beginning {
            start,
            edition: Edition::Second,
            edition_options: None,
            attack_values: AttackValues::new(),
            player: Hand::Human,
            options,
            player_options: None,
            rounds: None,
            alternating: false,
            set_up_by_hand: false,
            seed,
            game: None,
        }
    }

    /// The first table, and what the players ought to know about it. The dice place what lies at random.
    ///
    /// # Errors
    /// A squad, scenario or ship that cannot be used; the message says which and what to do.
    pub fn open(&self, catalog: &Catalog, dice: &mut dyn DiceSource) -> Result<(Setup, Vec<String>), BadBeginning> {
        if let Start::Escort { game } = &self.start {
            let field = EscortField::new((**game).clone(), catalog).map_err(bad)?;
            let plan = self.plan(Field::escort(field.clone()), catalog);
            let (start, notes) = field.open(&plan, self.player == Hand::Human, dice);
            return Ok((start.setup, notes));
        }
        let (own, other) = (self.edition.name(), catalog.edition().name());
        if self.edition != catalog.edition() {
            return Err(BadBeginning(format!(
                "the game is of the {own} edition, the facts of ships of the {other}: give --edition {own}, or a --catalog of it"
            )));
        }
        let (mut setup, mut notes) = self.set_up(catalog, dice)?;
        setup.table.rules = self.rules();
        notes.extend(self.squad_notes(catalog));
        Ok((setup, notes))
    }

    /// The game before its table is set up, where that is done by hand: as [`Beginning::open`].
    ///
    /// # Errors
    /// A squad that cannot be used; the message says which and what to do.
    pub fn open_by_hand(
        &self,
        catalog: &Catalog,
        dice: &mut dyn DiceSource,
    ) -> Result<Option<(ByHand, Vec<String>)>, BadBeginning> {
        if !self.set_up_by_hand || self.edition != Edition::First {
            return Ok(None);
        }
        match &self.start {
            Start::Scenario { .. } => Ok(None),
            Start::Escort { game } => {
                let field = EscortField::new((**game).clone(), catalog).map_err(bad)?;
                let plan = self.plan(Field::escort(field.clone()), catalog);
                Ok(Some(field.open_by_hand(&plan, self.player == Hand::Human, dice)))
            }
            Start::Squads { player, solo } => {
                let (setup, notes) = self.open(catalog, dice)?;
                let mut imperial = Vec::new();
                for (side, text) in [player, solo].into_iter().enumerate() {
                    let faction = cards(text, catalog).map_err(bad)?.faction;
                    if matches!(&*faction, "galacticempire" | "firstorder") {
                        imperial.push(side);
                    }
                }
                let imperial = imperial.pop().filter(|_| imperial.is_empty());
                let by_hand = ByHand::of(setup, [squad::PLAYER, squad::SOLO], imperial, catalog.outlines());
                Ok(Some((by_hand, notes)))
            }
        }
    }

    /// What the squads of a game of the first edition break of its rules of squad building (FE-1): they are flown all the same.
    fn squad_notes(&self, catalog: &Catalog) -> Vec<String> {
        let Start::Squads { player, solo } = &self.start else {
            return Vec::new();
        };
        if self.edition != Edition::First {
            return Vec::new();
        }
        let names = self.rules().same_name;
        let mut notes = Vec::new();
        for (whose, text) in [(PLAYERS_SQUAD, player), (SOLO_SQUAD, solo)] {
            let Ok(squad) = cards(text, catalog) else { continue };
            let problems = check::legal_by(&squad, catalog, names);
            notes.extend(problems.iter().map(|problem| format!("{whose}, {problem} (FE-1).")));
        }
        notes
    }

    /// The rules that it is played by.
    pub fn rules(&self) -> Rules {
        match &self.edition_options {
            Some(options) if self.edition == Edition::First => options.rules(),
            _ => self.edition.rules(),
        }
    }

    fn set_up(&self, catalog: &Catalog, dice: &mut dyn DiceSource) -> Result<(Setup, Vec<String>), BadBeginning> {
        let ground = match &self.start {
            Start::Squads { player, solo } => {
                let player = side(PLAYERS_SQUAD, player, catalog)?;
                Ok((player, side(SOLO_SQUAD, solo, catalog)?))
            }
            Start::Scenario { .. } | Start::Escort { .. } => Err(self.mission(catalog)?),
        };
        match ground {
            Err(mission) if self.game.is_none() => {
                let mission = Arc::new(mission);
                let opening = Mission::open(&mission, catalog, self.seed).map_err(bad)?;
                let mut setup = opening.setup;
                if self.rules().solo.initiative == SoloInitiative::Points {
                    let field = Field::mission((*mission).clone());
                    let entrants = field.entrants(&setup, catalog);
                    let first = match field.first(&self.plan(field.clone(), catalog), &entrants, dice) {
                        FirstPlayer::Player => squad::PLAYER,
                        FirstPlayer::Solo => squad::SOLO,
                    };
                    setup.sides.sort_by_key(|side| side.name != first);
                }
                setup.guides = self.options.guides_overlap;
                setup.rounds = self.rounds;
                setup.alternating = self.alternating;
                for side in setup.sides.iter_mut().filter(|side| side.name == squad::PLAYER) {
                    side.dials = self.player != Hand::Solo;
                    side.flees = self.player != Hand::Solo;
                }
                Ok((setup, opening.notes))
            }
            // As a simulation sets up its games.
            ground => {
                let field = match ground {
                    Ok((player, solo)) => Field::lines([squad::PLAYER, squad::SOLO].map(str::to_owned), player, solo),
                    Err(mission) => Field::mission(mission),
                };
                let seed = self.game.map_or(self.seed, |game| sim::seed_of(self.seed, game));
                let start = sim::open(&self.plan(field, catalog), 0, seed, dice).map_err(bad)?;
                Ok((start.setup, Vec::new()))
            }
        }
    }

    fn plan(&self, field: Field, catalog: &Catalog) -> Plan {
        let usual = Plan::of(vec![field]);
        Plan {
            policy: match self.player {
                Hand::Human | Hand::Scripted => PlayerPolicy::Scripted,
                Hand::Solo => PlayerPolicy::Solo,
            },
            options: self.options.clone(),
            player_options: self.player_options().clone(),
            alternating: self.alternating,
            rounds: self.rounds.unwrap_or(usual.rounds),
            seed: self.seed,
            rules: self.rules(),
            catalog: (!std::ptr::eq(catalog, Catalog::embedded())).then(|| Arc::new(catalog.clone())),
            ..usual
        }
    }

    fn mission(&self, catalog: &Catalog) -> Result<Mission, BadBeginning> {
        let Start::Scenario {
            scenario,
            faction,
            enemy,
            player_ships,
            variant,
            ace,
            take,
            squad,
            enemy_squad,
        } = &self.start
        else {
            return Err(BadBeginning("no scenario is played".to_owned()));
        };
        let read = |text: &Option<String>| text.as_deref().map(|text| xws::read(text, catalog)).transpose();
        let wishes = Wishes {
            faction: faction.clone(),
            enemy: enemy.clone(),
            player_ships: *player_ships,
            variant: variant.clone(),
            ace: ace.clone(),
            take: take.clone(),
            squad: read(squad).map_err(bad)?,
            enemy_squad: read(enemy_squad).map_err(bad)?,
        };
        Mission::new(known_scenario(scenario, self.edition)?, catalog, &wishes).map_err(bad)
    }

    /// The ids of the upgrades in the squads that somebody has written for it.
    ///
    /// # Errors
    /// A squad that cannot be read.
    pub fn upgrades(&self, catalog: &Catalog) -> Result<BTreeSet<String>, BadBeginning> {
        let [player, solo] = match &self.start {
            Start::Squads { player, solo } => [Some(player), Some(solo)],
            Start::Scenario { squad, enemy_squad, .. } => [squad.as_ref(), enemy_squad.as_ref()],
            Start::Escort { game } => [Some(&game.player), Some(&game.solo)],
        };
        let mut upgrades = BTreeSet::new();
        for (whose, text) in [(PLAYERS_SQUAD, player), (SOLO_SQUAD, solo)] {
            let Some(text) = text else { continue };
            let squad = cards(text, catalog).map_err(|error| BadBeginning(format!("{whose}: {error}")))?;
            upgrades.extend(squad.ships.into_iter().flat_map(|ship| ship.upgrades));
        }
        Ok(upgrades)
    }

    /// The options of the opponent on the player's side.
    pub fn player_options(&self) -> &Options {
        self.player_options.as_ref().unwrap_or(&self.options)
    }

    /// What it is, in a line: who against whom, and the seed.
    pub fn title(&self) -> String {
        let what = match &self.start {
            Start::Squads { player, solo } => {
                let named = |text: &str| match is_xws(text) {
                    true => "a squad of one's own".to_owned(),
                    false => spaced(text),
                };
                format!("{} against {}", named(player), named(solo))
            }
            Start::Scenario {
                scenario,
                faction,
                enemy,
                variant,
                ..
            } => {
                let name = known_scenario(scenario, self.edition)
                    .map_or_else(|_| "a scenario".to_owned(), |scenario| scenario.name);
                let variant = variant
                    .as_ref()
                    .map_or_else(String::new, |name| format!(", variant {name}"));
                let named = |faction: &str| {
                    let id = xws::faction(faction).unwrap_or(faction);
                    xws::faction_name(id).unwrap_or(id).to_owned()
                };
                format!("{name}: {} against {}{variant}", named(faction), named(enemy))
            }
            Start::Escort { game } => {
                let named = |text: &str| match is_xws(text) {
                    true => "a squad of one's own".to_owned(),
                    false => spaced(text),
                };
                format!(
                    "Political Escort: {} against {}",
                    named(&game.player),
                    named(&game.solo)
                )
            }
        };
        let game = self.game.map_or_else(String::new, |game| format!(", game {game}"));
        format!("{what}, seed {}{game}", self.seed)
    }
}

/// A squad as it is typed, easier to read: `2 × t65xwing (lukeskywalker + r2d2), rz1awing`.
fn spaced(squad: &str) -> String {
    let entries = squad.split(',').map(str::trim).filter(|entry| !entry.is_empty());
    let entries = entries.map(|entry| {
        let (count, ship) = entry
            .split_once('*')
            .map_or(("", entry), |(count, ship)| (count.trim(), ship));
        let mut parts = ship.split(['/', '+']).map(str::trim);
        let ship = parts.next().unwrap_or_default();
        let cards: Vec<&str> = parts.collect();
        let count = match count {
            "" => String::new(),
            count => format!("{count} \u{d7} "),
        };
        match cards.is_empty() {
            true => format!("{count}{ship}"),
            false => format!("{count}{ship} ({})", cards.join(" + ")),
        }
    });
    entries.collect::<Vec<_>>().join(", ")
}

fn known_scenario(text: &str, edition: Edition) -> Result<Scenario, BadBeginning> {
    let known = Scenario::named(text, edition);
    known.map_or_else(|| Scenario::parse(text).map_err(bad), |known| Ok(known.clone()))
}

/// The ships of a squad: as [`squad::read`] reads it, or of the text of an XWS file.
///
/// # Errors
/// What of it is not known or cannot be flown.
pub fn members(text: &str, catalog: &Catalog) -> Result<Vec<Member>, BadBeginning> {
    match is_xws(text) {
        true => squad::of_squad(&xws::read(text, catalog).map_err(bad)?, catalog),
        false => squad::read(text, catalog),
    }
    .map_err(bad)
}

/// The cards of a squad in either form.
fn cards(text: &str, catalog: &Catalog) -> Result<Squad, BadBeginning> {
    match is_xws(text) {
        true => xws::read(text, catalog).map_err(bad),
        false => squad::cards(text, catalog).map_err(bad),
    }
}

fn side(whose: &str, text: &str, catalog: &Catalog) -> Result<Vec<Member>, BadBeginning> {
    members(text, catalog).map_err(|error| BadBeginning(format!("{whose}: {error}")))
}
