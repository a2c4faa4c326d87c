//! Games of Political Escort: two squads, who has which role, and a table set up by the opponent (PE-3, PE-A8).

use serde::{Deserialize, Serialize};

use super::{
    Plan,
    by_hand::ByHand,
    field::{Entrant, SimError, Start},
    squad::{self, Member, PLAYER, SOLO},
};
use crate::{
    decision::Reason,
    dice::{DiceSource, SeededDice},
    geometry::Pose,
    solo_alpha::escort::{
        Initiative,
        first::{Decides, Seat, attacks_by_roll, chooses, first},
        placing::{self, ToPlace},
    },
    xwing::{
        ObjectId,
        battle::{Battle, EscortInPlay, Fighter, Setup, Side, escort::shuttle_fighter},
        catalog::{Catalog, asked::AttackValues, facts::Grant},
        deployment::{EDGES, Order, Run},
        edition::{Edition, FirstEditionOptions},
        escort::{
            EscortOptions, Role,
            ending::Cause,
            shuttle::{SHUTTLE_ID, shuttle, size},
            squads::EscortSquad,
        },
        placing::across,
        scenario::Edge,
        squad::{Squad, xws},
        table::{PlayArea, Table},
    },
};

/// What is played, as a person writes it down: `docs/escort.md` describes the file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct EscortGame {
    /// The player's squad: as [`squad::read`] reads it, or the text of an XWS file.
    pub player: String,
    /// The solo side's squad.
    pub solo: String,
    /// Ids of the upgrades of the player's shuttle, which flies when the player defends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub player_shuttle: Vec<String>,
    /// The same of the solo side's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub solo_shuttle: Vec<String>,
    /// The player's role; without it initiative decides (PE-A1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Who has initiative; without it as PE-A1 says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initiative: Option<Holder>,
    /// What the shuttle is called, in words alone (PE-1.4); Senator's Shuttle if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shuttle_name: Option<String>,
    /// Whether the shuttle has a dial (PE-4.2).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dial: bool,
    /// What the scenario's text leaves open.
    pub options: EscortOptions,
    /// The options of the first edition.
    pub edition: FirstEditionOptions,
    /// What came of the first game of the match, where this is the second (PE-9.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_game: Option<GameResult>,
    /// Whether squads are flown that break the rules of squad building.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unchecked: bool,
}

/// What came of a game of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GameResult {
    /// Who defended.
    pub defender: Holder,
    /// The defender's score (PE-8).
    pub defender_score: i32,
    /// The attacker's score.
    pub attacker_score: i32,
    /// Why it ended.
    pub cause: Cause,
}

impl GameResult {
    /// What came of a battle; `None` where it is not over or the scenario is not played.
    pub fn of(battle: &Battle) -> Option<GameResult> {
        let play = battle.escort()?;
        let score = battle.escort_score()?;
        Some(GameResult {
            defender: match play.role(PLAYER) {
                Role::Defender => Holder::Player,
                Role::Attacker => Holder::Solo,
            },
            defender_score: score.defender,
            attacker_score: score.attacker,
            cause: play.cause()?,
        })
    }
}

impl EscortGame {
    /// The second game of the match whose first one ended so: roles swapped, initiative where it was (PE-3). `initiative` is its
    /// holder in the first game.
    #[must_use]
    pub fn second(&self, first: GameResult, initiative: Holder) -> EscortGame {
        EscortGame {
            role: Some(match first.defender {
                Holder::Player => Role::Attacker,
                Holder::Solo => Role::Defender,
            }),
            initiative: Some(initiative),
            first_game: Some(first),
            ..self.clone()
        }
    }
}

/// Longest name of a shuttle, letters.
const LONGEST_NAME: usize = 40;

/// Who has initiative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Holder {
    /// The player.
    Player,
    /// The solo side.
    Solo,
}

/// A game that cannot be played, with what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadEscort(pub String);

/// One side, read.
#[derive(Debug, Clone)]
struct Squadron {
    members: Vec<Member>,
    points: Option<i32>,
    upgrades: i32,
    /// What the shuttle's upgrades add to its hull and shields.
    hull: i32,
    shields: i32,
}

/// A game of the scenario, its squads read and checked.
#[derive(Debug, Clone)]
pub struct EscortField {
    game: EscortGame,
    /// The player's, then the solo side's.
    squads: [Squadron; 2],
    /// What the players ought to know about the squads.
    pub notes: Vec<String>,
}

/// A squad of a field.
#[derive(Debug, Clone, Copy)]
pub struct FieldedSquad<'f> {
    /// Its ships.
    pub members: &'f [Member],
    /// What it costs, the shuttle's upgrades included; `None` where a price is not known.
    pub points: Option<i32>,
    /// What the shuttle's upgrades cost.
    pub upgrades: i32,
    /// What they add to the shuttle's hull.
    pub hull: i32,
    /// What they add to its shields.
    pub shields: i32,
}

/// The squad of a text in either form, and its ships.
fn read(text: &str, catalog: &Catalog) -> Result<(Squad, Vec<Member>), String> {
    if text.trim_start().starts_with('{') {
        let squad = xws::read(text, catalog).map_err(|error| error.to_string())?;
        let members = squad::of_squad(&squad, catalog).map_err(|error| error.to_string())?;
        return Ok((squad, members));
    }
    let members = squad::read(text, catalog).map_err(|error| error.to_string())?;
    let squad = squad::cards(text, catalog).map_err(|error| error.to_string())?;
    Ok((squad, members))
}

/// What of a squad that cannot be read may not be brought at all (PE-2.3): told where only a card's attack value is open.
fn banned(text: &str, shuttle: &[String], catalog: &Catalog) -> Option<String> {
    let open: AttackValues = (catalog.open_attack_values())
        .map(|upgrade| (upgrade.xws.clone(), None))
        .collect();
    let catalog = catalog.clone().with_attack_values(&open).ok()?;
    let (squad, _) = read(text, &catalog).ok()?;
    let shuttle = shuttle.to_vec();
    let review = EscortSquad { squad, shuttle }.review(&catalog);
    let problem = review
        .problems
        .iter()
        .find(|problem| problem.message.contains("PE-2.3"));
    problem.map(ToString::to_string)
}

fn squadron(
    whose: &str,
    text: &str,
    upgrades: &[String],
    unchecked: bool,
    catalog: &Catalog,
    notes: &mut Vec<String>,
) -> Result<Squadron, BadEscort> {
    let bad = |problem: String| BadEscort(format!("{whose}: {problem}"));
    let known = upgrades.iter().map(|text| {
        let found = catalog.find_upgrade(text).map(|(upgrade, _)| upgrade.xws.clone());
        found.unwrap_or_else(|| text.clone())
    });
    let shuttle: Vec<String> = known.collect();
    let (squad, members) = match read(text, catalog) {
        Ok(read) => read,
        // PE-2.3: what may not be brought need not be known in full.
        Err(problem) => {
            let banned = banned(text, &shuttle, catalog);
            return Err(bad(banned.unwrap_or(problem)));
        }
    };
    let squad = EscortSquad { squad, shuttle };
    let review = squad.review(catalog);
    notes.extend(review.notes.iter().map(|note| format!("{whose}: {note}")));
    let problems = review.problems.iter().map(ToString::to_string);
    if unchecked {
        notes.extend(problems.map(|problem| format!("{whose}: {problem}")));
    } else if let Some(problem) = problems.into_iter().next() {
        return Err(bad(format!(
            "{problem}; or fly it all the same with --unchecked, in a file `unchecked = true`"
        )));
    }
    let (mut hull, mut shields) = (0, 0);
    for upgrade in squad.shuttle.iter().filter_map(|xws| catalog.upgrade(xws)) {
        for grant in upgrade.sides.first().iter().flat_map(|side| &side.grants) {
            match grant {
                Grant::Stat { stat, amount, .. } if stat == "hull" => hull += amount,
                Grant::Stat { stat, amount, .. } if stat == "shields" => shields += amount,
                _ => {}
            }
        }
    }
    Ok(Squadron {
        members,
        points: review.points,
        upgrades: squad.shuttle_points(catalog).unwrap_or(0),
        hull,
        shields,
    })
}

impl EscortField {
    /// Reads and checks the squads (PE-2).
    ///
    /// # Errors
    /// A squad that cannot be read or breaks a rule, with its place and the remedy, or a catalog of another edition.
    pub fn new(game: EscortGame, catalog: &Catalog) -> Result<EscortField, BadEscort> {
        if catalog.edition() != Edition::First {
            return Err(BadEscort(
                "the scenario is played with first-edition ships; use the catalog of the first edition".to_owned(),
            ));
        }
        if let Some(name) = &game.shuttle_name
            && (name.trim().is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control))
        {
            return Err(BadEscort(format!(
                "the shuttle's name must have 1 to {LONGEST_NAME} letters and no line breaks; write another one (PE-1.4)"
            )));
        }
        let mut notes = Vec::new();
        let mut of = |whose: &str, text: &str, upgrades: &[String]| {
            squadron(whose, text, upgrades, game.unchecked, catalog, &mut notes)
        };
        let squads = [
            of("the player's squad", &game.player, &game.player_shuttle)?,
            of("the solo squad", &game.solo, &game.solo_shuttle)?,
        ];
        Ok(EscortField { game, squads, notes })
    }

    /// What is played.
    pub fn game(&self) -> &EscortGame {
        &self.game
    }

    /// A squad's ships by name, type, skill, base and points; what it costs, and what its shuttle's upgrades cost and add to
    /// hull and shields. The player's is number 0.
    pub fn squad(&self, side: usize) -> FieldedSquad<'_> {
        let squad = &self.squads[side.min(1)];
        FieldedSquad {
            members: &squad.members,
            points: squad.points,
            upgrades: squad.upgrades,
            hull: squad.hull,
            shields: squad.shields,
        }
    }

    /// Sets a game up (PE-3, PE-A8): roles, obstacles, edges, ships, the shuttle. `human` says whether a person plays the
    /// player's side. The second list has what was decided, in words.
    pub fn open(&self, plan: &Plan, human: bool, dice: &mut dyn DiceSource) -> (Start, Vec<String>) {
        let mut notes = self.notes.clone();
        let (initiative, defender) = self.roles(plan, human, dice, &mut notes);
        let mut setup = self.unplaced(plan, human, initiative, defender);
        let area = setup.table.area;
        // FE-2.2: the side with initiative begins.
        let first = if initiative == defender {
            Role::Defender
        } else {
            Role::Attacker
        };
        let rules = setup.table.rules;
        setup.table.obstacles = placing::obstacles(&rules, area, plan.catalog().outlines(), first, dice);
        let base = size(&self.game.options);
        let start = placing::start(area, &setup.table.obstacles, base, &EDGES, dice);
        let start = start.unwrap_or_else(|| placing::Start {
            edge: Edge::South,
            along: area.width / 2.0,
            pose: across(area, Edge::South, area.width / 2.0, 60.0),
            reasons: Vec::new(),
        });
        notes.extend(
            start
                .reasons
                .iter()
                .map(|reason| format!("{}: {}.", reason.rule, reason.text)),
        );
        let to_place = |side: usize| -> Vec<ToPlace> {
            let members = self.squads[side].members.iter().enumerate();
            let members = members.map(|(place, member)| ToPlace {
                ship: id(side, place),
                skill: member.order_value(),
                size: member.size(),
            });
            members.collect()
        };
        let mut placed = placing::escorts(area, &start, base, &to_place(defender));
        placed.extend(placing::attackers(area, &start, &to_place(1 - defender)));
        placed.push((SHUTTLE_ID.into(), start.pose));
        for ship in &mut setup.table.ships {
            if let Some((_, pose)) = placed.iter().find(|(id, _)| *id == ship.id) {
                ship.pose = *pose;
            }
        }
        if let Some(play) = &mut setup.escort {
            play.attackers_edge = start.edge.opposite();
        }
        let entrants = self.entrants(&setup, defender);
        (Start { setup, entrants }, notes)
    }

    /// A game whose table is set up one thing after the other (PE-3): roles are settled, nothing is placed. The second list has what
    /// was decided, in words.
    pub fn open_by_hand(&self, plan: &Plan, human: bool, dice: &mut dyn DiceSource) -> (ByHand, Vec<String>) {
        let mut notes = self.notes.clone();
        let (initiative, defender) = self.roles(plan, human, dice, &mut notes);
        let setup = self.unplaced(plan, human, initiative, defender);
        let order = Order {
            sides: [PLAYER, SOLO].map(str::to_owned),
            initiative,
            obstacles_first: initiative,
            // PE-3: not the side without initiative, as FE-2.3 has it.
            picks_edge: defender,
            run: Some(Run {
                defender,
                shuttle: SHUTTLE_ID.into(),
            }),
        };
        (ByHand::new(setup, order, plan.catalog().outlines()), notes)
    }

    /// A game with its ships wherever, and no obstacles.
    fn unplaced(&self, plan: &Plan, human: bool, initiative: usize, defender: usize) -> Setup {
        let names = [PLAYER, SOLO];
        let mut ships = Vec::new();
        let mut fighters: Vec<(ObjectId, Fighter)> = Vec::new();
        let mut points = Vec::new();
        for (side, squad) in self.squads.iter().enumerate() {
            for (place, member) in squad.members.iter().enumerate() {
                let id = id(side, place);
                ships.push(member.ship(id.clone(), names[side], Pose::default()));
                fighters.push((id.clone(), member.fighter().clone()));
                points.push((id, member.points().and_then(|points| i32::try_from(points).ok())));
            }
        }
        let own = &self.squads[defender];
        let mut ship = shuttle(SHUTTLE_ID.into(), names[defender], Pose::default(), &self.game.options);
        if let Some(name) = &self.game.shuttle_name {
            ship.name.clone_from(name);
        }
        ships.push(ship);
        fighters.push((SHUTTLE_ID.into(), shuttle_fighter(own.hull, own.shields)));
        let mut play = EscortInPlay::new(SHUTTLE_ID.into(), names[defender], Edge::North, self.game.options);
        play.points = points;
        play.upgrades = own.upgrades;
        play.has_dial = self.game.dial;
        let by_hand = |side: usize| side == 0 && human;
        let side = |place: usize| Side {
            name: names[place].to_owned(),
            dials: by_hand(place),
            flees: by_hand(place),
        };
        Setup {
            table: Table::new(PlayArea::STANDARD, ships, Vec::new(), Vec::new()).with_rules(self.game.edition.rules()),
            fighters,
            sides: vec![side(initiative), side(1 - initiative)],
            alternating: false,
            rounds: Some(plan.rounds),
            guides: plan.options.guides_overlap,
            mission: None,
            escort: Some(play),
        }
    }

    fn entrants(&self, setup: &Setup, defender: usize) -> Vec<Entrant> {
        let known = setup.escort.iter().flat_map(|play| &play.points);
        let known: Vec<&(ObjectId, Option<i32>)> = known.collect();
        let entrants = setup.table.ships.iter().map(|ship| Entrant {
            id: ship.id.clone(),
            side: usize::from(ship.side != PLAYER),
            points: match &*ship.id == SHUTTLE_ID {
                true => u32::try_from(self.squads[defender].upgrades).ok(),
                false => {
                    let known = known.iter().find(|(id, _)| *id == ship.id);
                    known.and_then(|(_, points)| u32::try_from((*points)?).ok())
                }
            },
            in_play: true,
            stress: 0,
        });
        entrants.collect()
    }

    /// Whether initiative is for a person to choose who plays the player's side (PE-A1, FE-2.1).
    pub fn player_chooses(&self, wish: Initiative) -> bool {
        let points = [self.squads[0].points, self.squads[1].points];
        // A choice of the person is found before any die is rolled.
        let mut none = SeededDice::new(0);
        matches!(
            first([Seat::Human, Seat::Automated], points, wish, &mut none),
            (Decides::Human(0), _)
        )
    }

    /// Who has initiative and who defends, by place: the player is 0 (PE-3, PE-A1).
    fn roles(&self, plan: &Plan, human: bool, dice: &mut dyn DiceSource, notes: &mut Vec<String>) -> (usize, usize) {
        let seats = [if human { Seat::Human } else { Seat::Automated }, Seat::Automated];
        let points = [self.squads[0].points, self.squads[1].points];
        let mut say = |reasons: &[Reason]| {
            notes.extend(
                reasons
                    .iter()
                    .map(|reason| format!("{}: {}.", reason.rule, reason.text)),
            );
        };
        // What is given is not rolled for. Who is asked and has named nothing takes initiative and attacks (choice).
        let initiative = match self.game.initiative {
            Some(Holder::Player) => 0,
            Some(Holder::Solo) => 1,
            None => {
                let (chooser, reasons) = chooses(seats, points, plan.options.escort.initiative, dice);
                say(&reasons);
                chooser
            }
        };
        // PE-3: who has initiative says who attacks.
        let defender = match self.game.role {
            Some(Role::Defender) => 0,
            Some(Role::Attacker) => 1,
            None if seats[initiative] == Seat::Human => 1 - initiative,
            None => {
                let (attacks, reason) = attacks_by_roll(initiative, dice);
                say(&[reason]);
                1 - attacks
            }
        };
        notes.push(format!(
            "The {} has initiative, the {} attacks, the {} defends.",
            [PLAYER, SOLO][initiative],
            [PLAYER, SOLO][1 - defender],
            [PLAYER, SOLO][defender]
        ));
        (initiative, defender)
    }
}

/// The id of a side's ship by its place in the squad.
fn id(side: usize, place: usize) -> ObjectId {
    format!("{}{}", ['P', 'S'][side], place + 1).into()
}

impl From<BadEscort> for SimError {
    fn from(bad: BadEscort) -> SimError {
        SimError::Escort(bad)
    }
}
