//! Requests of clients, one method after the other.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{ShipTable, rounds, words};
use crate::{
    bridge::{
        position,
        served::{params, result},
        tts,
    },
    game::{
        Observation, Override, Refusal, Scope,
        round::ledger::{Fighters, Report},
        seats::SOLO_SIDE,
    },
    protocol::{
        fault::{Fault, FaultKind},
        round::{GameOptionsParams, SkipParams},
        snapshot::{SyncParams, SyncResult, SyncWarning, TtsShip, TtsSnapshot},
        solo::{
            AdvanceParams, AdvanceResult, AdvanceScope, AssignParams, Done, OverrideParams, PreviewParams,
            PreviewResult, UndoParams,
        },
        status::StatusResult,
    },
    xwing::{
        ObjectId,
        battle::Fighter,
        catalog::{Catalog, ResolveNote, Resolved},
        edition::Edition,
    },
};

/// Bytes of warnings that a terse client gets; its reader is slow.
const TERSE_WARNING_BYTES: usize = 1500;

/// A snapshot in the game's terms, with what to answer.
pub(super) struct Understood {
    pub(super) observation: Observation,
    warnings: Vec<SyncWarning>,
}

impl Understood {
    pub(super) fn of_tts(
        raw: &TtsSnapshot,
        reading: tts::snapshot::Reading,
        catalog: &Catalog,
        rev: u64,
    ) -> Understood {
        let id = |ship: &TtsShip| ObjectId::from(ship.guid.as_str());
        let ships = raw.ships.iter();
        let mut open_values = BTreeMap::new();
        let mut fighters = Fighters::new();
        for ship in ships {
            let Some(resolved) = tts::ships::resolved(ship, catalog) else {
                continue;
            };
            note_open_values(&resolved, catalog, &mut open_values);
            fighters.extend(Fighter::of(&resolved).map(|fighter| (id(ship), fighter)));
        }
        let reports = raw.ships.iter().map(|ship| {
            let report = Report {
                shields: ship.shields,
                damage: ship.damage,
                force: None,
            };
            (id(ship), report)
        });
        let reports = reports.collect();
        Understood {
            observation: Observation {
                table: reading.table,
                solo: raw.solo.iter().map(|guid| guid.as_str().into()).collect(),
                dials: reading.dials,
                round: raw.round,
                rev,
                fighters,
                reports,
                loose: reading.loose,
                open_values,
            },
            warnings: reading
                .warnings
                .into_iter()
                .map(|warning| SyncWarning {
                    object: warning.object,
                    message: warning.message,
                })
                .collect(),
        }
    }

    /// In a plain position the ships of the side `solo` are solo ships, or if there is no such side, the ships of the
    /// side of the ship that the position asks about.
    pub(super) fn of_position(value: &Value, catalog: &Catalog, rev: u64) -> Result<Understood, Fault> {
        let parsed = position::parse(&value.to_string(), catalog)
            .map_err(|error| Fault::new(FaultKind::InvalidParams, format!("snapshot.position: {error}")))?;
        let has_solo_side = parsed.table.ships.iter().any(|ship| ship.side == SOLO_SIDE);
        let asked = parsed
            .active
            .as_ref()
            .and_then(|id| parsed.table.ship(id))
            .map(|ship| ship.side.clone());
        let side = if has_solo_side {
            Some(SOLO_SIDE.to_owned())
        } else {
            asked
        };
        let solo: Vec<ObjectId> = parsed
            .table
            .ships
            .iter()
            .filter(|ship| Some(&ship.side) == side.as_ref())
            .map(|ship| ship.id.clone())
            .collect();
        let mut open_values = BTreeMap::new();
        let fighters = fighters_of(value, catalog.of_edition(parsed.table.rules.edition), &mut open_values);
        Ok(Understood {
            observation: Observation {
                solo,
                fighters,
                reports: BTreeMap::new(),
                loose: Vec::new(),
                open_values,
                // A plain table that can set dials can set them all.
                dials: parsed
                    .table
                    .ships
                    .iter()
                    .map(|ship| ship.id.clone())
                    .collect::<BTreeSet<_>>(),
                table: parsed.table,
                round: value
                    .get("round")
                    .and_then(Value::as_u64)
                    .and_then(|round| u32::try_from(round).ok())
                    .unwrap_or(0),
                rev,
            },
            warnings: parsed
                .warnings
                .into_iter()
                .map(|warning| SyncWarning {
                    object: warning.place,
                    message: warning.message,
                })
                .collect(),
        })
    }
}

/// What the ships of a plain position are beside their places, where the catalog knows them.
fn fighters_of(position: &Value, catalog: &Catalog, open_values: &mut BTreeMap<String, String>) -> Fighters {
    let ships = position.get("ships").and_then(Value::as_array);
    let mut fighter = |ship: &Value| {
        let text = |field: &str| ship.get(field).and_then(Value::as_str);
        let upgrades = ship.get("upgrades").and_then(Value::as_array);
        let upgrades = upgrades.into_iter().flatten().filter_map(Value::as_str);
        let resolved = catalog.resolve(text("ship")?, text("pilot"), upgrades).ok()?;
        note_open_values(&resolved, catalog, open_values);
        Some((text("id")?.into(), Fighter::of(&resolved)?))
    };
    ships.into_iter().flatten().filter_map(&mut fighter).collect()
}

/// FE-SOLO-9: the cards of a ship whose attack value the data leaves open, by their ids, with their titles.
fn note_open_values(resolved: &Resolved, catalog: &Catalog, open: &mut BTreeMap<String, String>) {
    for note in &resolved.notes {
        if let ResolveNote::NoAttackValue(card) = note {
            let title = catalog.find_upgrade(card).map(|(facts, _)| facts.name.clone());
            open.insert(card.clone(), title.unwrap_or_else(|| card.clone()));
        }
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        let kind = match &refusal {
            Refusal::NoTable => FaultKind::StaleState,
            Refusal::NotConnected => FaultKind::NoTable,
            Refusal::Busy { .. } => FaultKind::Busy,
            Refusal::Unknown { .. } | Refusal::UnknownName { .. } => FaultKind::UnknownObject,
            Refusal::NotSolo(_)
            | Refusal::AlreadyActivated(_)
            | Refusal::NotInPlay(_)
            | Refusal::NotAgainst { .. }
            | Refusal::Dial(_) => FaultKind::Illegal,
            Refusal::NothingToUndo => FaultKind::NothingToDo,
            Refusal::NothingToSkip | Refusal::RoundIsOver => FaultKind::NothingToDo,
            Refusal::OnlyActivations => FaultKind::NotImplemented,
            Refusal::CannotFly(_) => FaultKind::NeedsHuman,
        };
        Fault::new(kind, refusal.to_string())
    }
}

impl ShipTable {
    /// Answers a request.
    pub(super) fn answer_request(&mut self, method: &str, value: Value) -> Result<Value, Fault> {
        match method {
            "table/sync" => self.sync(params(method, value)?),
            "solo/preview" => self.preview(params(method, value)?),
            "game/status" => self.game_status(),
            "solo/advance" => self.advance(&params(method, value)?),
            "solo/undo" => {
                let asked: UndoParams = params(method, value)?;
                let message = self.game.undo(rounds::reach(asked.scope))?;
                self.done(&message)
            }
            "solo/override" => self.set(&params(method, value)?),
            "solo/assign" => self.assign(&params(method, value)?),
            "game/correct" => {
                let correction = rounds::correction(params(method, value)?)?;
                let message = self.game.correct(&correction)?;
                self.done(&message)
            }
            "game/skip" => {
                let asked: SkipParams = params(method, value)?;
                let message = self.game.skip(rounds::skip(asked.what))?;
                self.done(&message)
            }
            "game/options" => {
                let asked: GameOptionsParams = params(method, value)?;
                let dice = asked.dice.map(rounds::dice_from);
                let message = self.game.set_options(dice, asked.plays.map(rounds::plays));
                result(&Done { message })
            }
            _ => Err(Fault::new(
                FaultKind::MethodNotFound,
                format!("there is no method `{method}`"),
            )),
        }
    }

    /// A request is done; one sentence.
    fn done(&self, message: &str) -> Result<Value, Fault> {
        let message = self.names.speak(message);
        result(&Done { message })
    }

    fn sync(&mut self, asked: SyncParams) -> Result<Value, Fault> {
        let understood = self.observe(asked.rev, &asked.snapshot)?;
        self.snapshot = Some(asked.snapshot);
        let table = &understood.observation.table;
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        result(&SyncResult {
            rev: asked.rev,
            ships: count(table.ships.len()),
            obstacles: count(table.obstacles.len()),
            warnings: if self.terse {
                shortened(understood.warnings)
            } else {
                understood.warnings
            },
        })
    }

    fn advance(&mut self, asked: &AdvanceParams) -> Result<Value, Fault> {
        let scope = match asked.scope {
            AdvanceScope::Ship => Scope::Ship,
            AdvanceScope::Initiative => Scope::Initiative,
            AdvanceScope::Round => Scope::Round,
        };
        let ship = (!asked.ship.is_empty()).then_some(&*asked.ship);
        let advance = self
            .game
            .advance(scope, ship, asked.confirm, (asked.rev != 0).then_some(asked.rev))?;
        result(&AdvanceResult {
            ships: advance.ships.iter().map(ToString::to_string).collect(),
            message: self.names.speak(&advance.message),
        })
    }

    fn preview(&self, asked: PreviewParams) -> Result<Value, Fault> {
        let ship = (!asked.ship.is_empty()).then_some(&*asked.ship);
        let (ship, sentence, reasons) = self.game.preview(ship)?;
        result(&PreviewResult {
            ship: ship.to_string(),
            sentence: self.names.speak(&sentence),
            reasons: self.spoken_reasons(reasons),
        })
    }

    fn assign(&mut self, asked: &AssignParams) -> Result<Value, Fault> {
        let message = self.names.speak(&self.game.assign(&asked.ship, asked.solo)?);
        // Sides follow from who is solo, so the snapshot is read anew. It is no new look at the table.
        if let Some(snapshot) = self.snapshot.take() {
            let understood = self.understand(self.game.rev(), &snapshot);
            self.snapshot = Some(snapshot);
            self.game.take_sides(&understood?.observation.table);
        }
        result(&Done { message })
    }

    fn set(&mut self, asked: &OverrideParams) -> Result<Value, Fault> {
        let invalid = |message: String| Fault::new(FaultKind::InvalidParams, message);
        let roll = match asked.roll.as_str() {
            "" => None,
            text => Some(words::parse_roll(text).ok_or_else(|| {
                invalid(format!(
                    "`{text}` is not a roll: write evade, focus or blank, a slash, and crit, hit, focus or blank, as in evade/hit"
                ))
            })?),
        };
        let activated = rounds::done("activated", &asked.activated)?;
        let tally = match asked.tally.as_str() {
            "" => None,
            "none" => Some(None),
            id => Some(Some(id.into())),
        };
        let message = self.game.set(&asked.ship, Override { tally, roll, activated })?;
        let message = self.names.speak(&message);
        result(&Done { message })
    }

    fn game_status(&self) -> Result<Value, Fault> {
        let status = self.game.current_status();
        let ids = |ids: Vec<ObjectId>| ids.iter().map(ToString::to_string).collect();
        result(&StatusResult {
            table: self.attached,
            rev: self.game.rev(),
            round: status.round,
            solo: ids(status.solo),
            waiting: ids(status.waiting),
            outstanding: self
                .game
                .outstanding()
                .map(|sent| sent.action_id.clone())
                .unwrap_or_default(),
            phase: status.phase.map(rounds::wire_phase).unwrap_or_default(),
            turn: status.turn.map(|id| id.to_string()).unwrap_or_default(),
            prompt: self.game.question().map(|prompt| prompt.id.clone()).unwrap_or_default(),
            plays: rounds::wire_plays(self.game.plays()),
            dice: rounds::wire_dice(self.game.dice_from()),
            edition: match (self.game.table()).map_or(self.catalog.edition(), |table| table.rules.edition) {
                Edition::First => Edition::First.name().to_owned(),
                Edition::Second => String::new(),
            },
            ledger: self.game.ledger().into_iter().map(rounds::entry).collect(),
            text: self.names.speak(&status.text),
        })
    }
}

/// As many warnings as fit, and how many more there are.
fn shortened(warnings: Vec<SyncWarning>) -> Vec<SyncWarning> {
    let mut bytes = 0;
    let all = warnings.len();
    let mut kept: Vec<SyncWarning> = warnings
        .into_iter()
        .take_while(|warning| {
            bytes += warning.message.len() + warning.object.len() + 30;
            bytes <= TERSE_WARNING_BYTES
        })
        .collect();
    if kept.len() < all {
        kept.push(SyncWarning {
            object: String::new(),
            message: format!("and {} more", all - kept.len()),
        });
    }
    kept
}
