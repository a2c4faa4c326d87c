//! The course of a served game, from its journal.

use crate::{
    bridge::{
        host::{SeenTable, ShipTable},
        served::{
            Outgoing,
            replay::{Replayed, ReplayedLine},
        },
        skirmish::GridTable,
    },
    decision::Reason,
    game::{
        journal::Damage,
        step::{Movement, Step},
    },
    protocol::{apply::WireStep, event::GameEvent, grid::BoardStep},
    record::course::{
        Course, Moment,
        ships::{Drawn, ShipScene},
        skirmish::GridScene,
    },
    solo_alpha::sentence::called,
    swm::board::Board,
    xwing::ObjectId,
};

/// Moments of a journal: each decision is one, and so is everything else that the players were told.
pub(super) fn course(game: Replayed<ShipTable>) -> Course<ShipScene> {
    let warnings = warnings(&game.astray, &game.version, game.damage.as_ref());
    let scene = |seen: &Option<SeenTable>| {
        let scene = |seen: SeenTable| ShipScene {
            devices: seen.devices,
            ..ShipScene::of(seen.table)
        };
        seen.clone().map_or_else(ShipScene::default, scene)
    };
    let mut moments: Vec<Moment<ShipScene>> = Vec::new();
    let mut round = 0;
    for (index, line) in game.lines.iter().enumerate() {
        for outgoing in &line.outgoing {
            let Outgoing::Event(event) = outgoing else {
                continue;
            };
            if let GameEvent::Round { round: now } | GameEvent::Status { round: now, .. } = event {
                round = *now;
            }
            let told = told(event);
            match (event, told) {
                (
                    GameEvent::Decided {
                        ship,
                        sentence,
                        reasons,
                    },
                    _,
                ) => {
                    // A decision is made on what was seen with it.
                    let seen = game.lines.get(index + 1).map_or(&game.seen, |next| &next.seen);
                    let mut scene = scene(&seen.clone().or_else(|| line.seen.clone()));
                    let name = scene.table.ship(ship).map_or(ship.as_str(), called).to_owned();
                    scene.drawn = Some(Drawn {
                        after: after(reasons),
                        ..drawn(ship, &game.lines[index..])
                    });
                    moments.push(Moment {
                        by: "Solo Alpha".to_owned(),
                        sentence: sentence.clone(),
                        reasons: reasons.clone(),
                        ..Moment::of(round, &name, scene)
                    });
                }
                (_, Some(text)) => match moments.last_mut() {
                    Some(moment) => moment.events.push(text),
                    None => moments.push(Moment {
                        events: vec![text],
                        ..Moment::of(round, &line.what, scene(&line.seen))
                    }),
                },
                (_, None) => {}
            }
        }
    }
    moments.push(Moment::of(round, "How it stands", scene(&game.seen)));
    Course {
        title: format!("Served game {}, seed {}", game.game, game.seed),
        notes: Vec::new(),
        warnings,
        moments,
    }
}

/// Moments of the journal of a skirmish: each decision is one, and what the players were told since.
pub(super) fn skirmish(game: Replayed<GridTable>) -> Course<GridScene> {
    let warnings = warnings(&game.astray, &game.version, game.damage.as_ref());
    let mut moments: Vec<Moment<GridScene>> = Vec::new();
    let mut round = 0;
    let scene = |figure: &str, board: &Board| GridScene {
        figure: figure.to_owned(),
        board: board.clone(),
    };
    for (index, line) in game.lines.iter().enumerate() {
        // A decision is made on what was seen with it.
        let after = game.lines.get(index + 1).map_or(&game.seen, |next| &next.seen);
        let Some(board) = line.seen.as_ref().or(after.as_ref()) else {
            continue;
        };
        for outgoing in &line.outgoing {
            let text = match outgoing {
                Outgoing::Event(GameEvent::Decided {
                    ship,
                    sentence,
                    reasons,
                }) => {
                    let heading = board
                        .figure(ship)
                        .map_or_else(|| ship.clone(), |figure| figure.called());
                    moments.push(Moment {
                        by: "the automated side".to_owned(),
                        sentence: sentence.clone(),
                        reasons: reasons.clone(),
                        ..Moment::of(round, &heading, scene(ship, board))
                    });
                    continue;
                }
                Outgoing::Event(event) => {
                    if let GameEvent::Round { round: now } | GameEvent::Status { round: now, .. } = event {
                        round = *now;
                    }
                    told(event)
                }
                Outgoing::Apply(sent) => match &sent.step {
                    WireStep::Say { text, .. } => Some(text.clone()),
                    WireStep::Board {
                        does: BoardStep::Attack { text, .. },
                    } => Some(text.clone()),
                    _ => None,
                },
                Outgoing::Prompt(prompt) => Some(format!("Asked: {}", prompt.text)),
                Outgoing::Roll(_) | Outgoing::Withdraw(_) | Outgoing::RequestSync => None,
            };
            let Some(text) = text else { continue };
            match moments.last_mut() {
                Some(moment) => moment.events.push(text),
                None => moments.push(Moment {
                    events: vec![text],
                    ..Moment::of(round, &line.what, scene("", board))
                }),
            }
        }
    }
    if let Some(board) = &game.seen {
        moments.push(Moment::of(round, "How it stands", scene("", board)));
    }
    Course {
        title: format!("Served skirmish {}, seed {}", game.game, game.seed),
        notes: Vec::new(),
        warnings,
        moments,
    }
}

/// Where this version goes another way than a journal, and what the journal lost.
fn warnings(astray: &[usize], version: &str, damage: Option<&Damage>) -> Vec<String> {
    let otherwise = astray.first().map(|line| {
        format!("This version goes another way at line {line} of the journal, which version {version} began.")
    });
    let damaged = damage.map(|damage| format!("The journal was damaged: {damage}."));
    otherwise.into_iter().chain(damaged).collect()
}

/// An event in words; `None` for what only shows how things stand.
fn told(event: &GameEvent) -> Option<String> {
    match event {
        GameEvent::Activated { message, .. }
        | GameEvent::Replanned { message, .. }
        | GameEvent::Attack { message, .. }
        | GameEvent::Note { message } => Some(message.clone()),
        GameEvent::Round { round } => Some(format!("Round {round} begins.")),
        GameEvent::Phase { phase, .. } => Some(format!("The {} phase begins.", format!("{phase:?}").to_lowercase())),
        GameEvent::Decided { .. } | GameEvent::Ledger { .. } | GameEvent::Status { .. } => None,
    }
}

/// What the ship is after: SA-3.1 names the tally as the candidate that is taken.
fn after(reasons: &[Reason]) -> Option<ObjectId> {
    let tally = reasons.iter().find(|reason| reason.rule.starts_with("SA-3.1"))?;
    let taken = tally.compared.iter().find(|compared| compared.verdict == "taken")?;
    Some(taken.candidate.as_str().into())
}

/// Where the steps that follow a decision take its ship.
fn drawn(id: &str, lines: &[ReplayedLine<ShipTable>]) -> Drawn {
    let mut drawn = Drawn {
        ship: id.into(),
        after: None,
        maneuver: None,
        end: None,
        actions: Vec::new(),
    };
    for (index, line) in lines.iter().enumerate() {
        let next = |outgoing: &Outgoing| matches!(outgoing, Outgoing::Event(GameEvent::Decided { .. }));
        if index > 0 && line.outgoing.iter().any(next) {
            break;
        }
        match &line.step {
            Some(Step::Move { ship, movement, to, .. }) if **ship == *id => match movement {
                Movement::Maneuver { maneuver, .. } => {
                    drawn.maneuver = Some(*maneuver);
                    drawn.end = Some(*to);
                }
                Movement::BarrelRoll { .. } if !has(&drawn, "barrel roll") => {
                    drawn.actions.push(("barrel roll".to_owned(), *to));
                }
                Movement::Boost { .. } if !has(&drawn, "boost") => drawn.actions.push(("boost".to_owned(), *to)),
                Movement::BarrelRoll { .. } | Movement::Boost { .. } => {}
            },
            _ => {}
        }
    }
    drawn
}

fn has(drawn: &Drawn, label: &str) -> bool {
    drawn.actions.iter().any(|(known, _)| known == label)
}
