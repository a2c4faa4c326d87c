//! Requests of clients of a skirmish, one method after the other.

use serde_json::{Value, json};

use super::GridTable;
use crate::{
    bridge::{
        grid,
        host::{dice_from, wire_dice},
        served::{params, result},
    },
    game::skirmish::{Observation, Refusal, Scope},
    protocol::{
        fault::{Fault, FaultKind},
        grid::GridSnapshot,
        round::{CorrectParams, GameOptionsParams, SkipParams},
        snapshot::{Snapshot, SyncParams, SyncResult, SyncWarning},
        solo::{
            AdvanceParams, AdvanceResult, AdvanceScope, Done, OverrideParams, PreviewParams, PreviewResult, UndoParams,
        },
        status::StatusResult,
    },
    swm::skirmish::Correction,
};

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        let kind = match &refusal {
            Refusal::NoTable => FaultKind::StaleState,
            Refusal::NotConnected => FaultKind::NoTable,
            Refusal::Busy(_) => FaultKind::Busy,
            Refusal::Unknown(_) => FaultKind::UnknownObject,
            Refusal::CannotActivate(_) | Refusal::Refused(_) => FaultKind::Illegal,
            Refusal::Nothing(_) | Refusal::Over => FaultKind::NothingToDo,
        };
        Fault::new(kind, refusal.to_string())
    }
}

impl GridTable {
    /// Answers a request.
    pub(super) fn answer_request(&mut self, method: &str, value: Value) -> Result<Value, Fault> {
        match method {
            "table/sync" => self.sync(params(method, value)?),
            "solo/preview" => self.preview(&params(method, value)?),
            "game/status" => self.game_status(),
            "solo/advance" => self.advance(&params(method, value)?),
            "solo/undo" => {
                let _: UndoParams = params(method, value)?;
                done(self.game.undo()?)
            }
            "solo/override" => self.set(&params(method, value)?),
            "game/correct" => self.correct(&params(method, value)?),
            "game/skip" => {
                let _: SkipParams = params(method, value)?;
                done(self.game.skip()?)
            }
            "game/options" => {
                let asked: GameOptionsParams = params(method, value)?;
                let dice = asked.dice.map(dice_from);
                done(dice.map_or_else(String::new, |dice| self.game.set_dice(dice)))
            }
            "solo/assign" => Err(Fault::new(
                FaultKind::NotImplemented,
                "whose figures are whose is told by the snapshot: small letters are automated, or give `side`",
            )),
            _ => Err(Fault::new(
                FaultKind::MethodNotFound,
                format!("there is no method `{method}`"),
            )),
        }
    }

    fn set(&mut self, asked: &OverrideParams) -> Result<Value, Fault> {
        let activated = activated(&asked.ship, &asked.activated)?;
        let correction = activated.ok_or_else(|| {
            Fault::new(
                FaultKind::InvalidParams,
                "a figure can be set to `activated`: done or waiting",
            )
        })?;
        done(self.game.correct(vec![correction])?)
    }

    fn sync(&mut self, asked: SyncParams) -> Result<Value, Fault> {
        let Snapshot::Grid(snapshot) = asked.snapshot else {
            return Err(Fault::new(
                FaultKind::InvalidParams,
                "this server plays Star Wars Miniatures: send a snapshot of the kind `grid`, or start it without --swm",
            ));
        };
        let round = u32::try_from(snapshot.round).unwrap_or(u32::MAX);
        let position = understand(snapshot)?;
        let warnings: Vec<SyncWarning> = (position.warnings.iter())
            .map(|warning| {
                let object = warning.strip_prefix("figures.").and_then(|rest| rest.split_once(':'));
                SyncWarning {
                    object: object.map_or_else(String::new, |(id, _)| id.to_owned()),
                    message: warning.clone(),
                }
            })
            .collect();
        let figures = position
            .board
            .figures()
            .iter()
            .filter(|figure| figure.in_play())
            .count();
        self.game.observe(Observation {
            board: position.board,
            options: position.options,
            round,
            rev: asked.rev,
        });
        result(&SyncResult {
            rev: asked.rev,
            ships: u32::try_from(figures).unwrap_or(u32::MAX),
            obstacles: 0,
            warnings,
        })
    }

    fn advance(&mut self, asked: &AdvanceParams) -> Result<Value, Fault> {
        let scope = match asked.scope {
            AdvanceScope::Ship => Scope::Figure,
            AdvanceScope::Initiative => Scope::Phase,
            AdvanceScope::Round => Scope::Round,
        };
        let figure = (!asked.ship.is_empty()).then_some(&*asked.ship);
        let rev = (asked.rev != 0).then_some(asked.rev);
        let (ships, message) = self.game.advance(scope, figure, asked.confirm, rev)?;
        result(&AdvanceResult { ships, message })
    }

    fn preview(&self, asked: &PreviewParams) -> Result<Value, Fault> {
        let figure = (!asked.ship.is_empty()).then_some(&*asked.ship);
        let (ship, sentence, reasons) = self.game.preview(figure)?;
        result(&PreviewResult {
            ship,
            sentence,
            reasons,
        })
    }

    fn correct(&mut self, asked: &CorrectParams) -> Result<Value, Fault> {
        let points = |number: u32| {
            u16::try_from(number).map_err(|_| Fault::new(FaultKind::InvalidParams, "no figure has so many points"))
        };
        let mut corrections = Vec::new();
        let figure = || asked.ship.clone();
        if let Some(hull) = asked.hull {
            corrections.push(Correction::HitPoints {
                figure: figure(),
                points: points(hull)?,
            });
        }
        if let Some(force) = asked.force {
            corrections.push(Correction::Force {
                figure: figure(),
                points: points(force)?,
            });
        }
        corrections.extend(activated(&asked.ship, &asked.activated)?);
        if corrections.is_empty() {
            return Err(Fault::new(
                FaultKind::InvalidParams,
                "of a figure `hull` (its hit points), `force` and `activated` can be set",
            ));
        }
        done(self.game.correct(corrections)?)
    }

    fn game_status(&self) -> Result<Value, Fault> {
        let status = self.game.current_status();
        let outstanding = self.game.outstanding().map(|sent| sent.action_id.clone());
        result(&StatusResult {
            table: self.attached,
            rev: self.game.rev(),
            round: status.round,
            solo: status.automated,
            waiting: status.waiting,
            outstanding: outstanding.unwrap_or_default(),
            turn: status.acting.unwrap_or_default(),
            prompt: self.game.question().map(|prompt| prompt.id.clone()).unwrap_or_default(),
            dice: wire_dice(self.game.dice_from()),
            text: status.text,
            ..StatusResult::default()
        })
    }
}

fn done(message: String) -> Result<Value, Fault> {
    result(&Done { message })
}

/// `done` or `waiting`; nothing where nothing is said.
fn activated(figure: &str, word: &str) -> Result<Option<Correction>, Fault> {
    let activated = match word {
        "" => return Ok(None),
        "done" => true,
        "waiting" => false,
        other => {
            return Err(Fault::new(
                FaultKind::InvalidParams,
                format!("activated: `{other}` is neither `done` nor `waiting`"),
            ));
        }
    };
    Ok(Some(Correction::Activated {
        figure: figure.to_owned(),
        activated,
    }))
}

/// The position that a snapshot shows.
fn understand(snapshot: GridSnapshot) -> Result<grid::GridPosition, Fault> {
    let GridSnapshot {
        map,
        edges,
        figures,
        switches,
        ..
    } = snapshot;
    let mut position = json!({"map": map, "edges": edges, "figures": figures});
    if let Some(switches) = switches.filter(|switches| switches.as_object().is_some_and(|known| !known.is_empty())) {
        position["switches"] = switches;
    }
    grid::parse_json(&position.to_string()).map_err(|error| Fault::new(FaultKind::InvalidParams, error.to_string()))
}
