//! What has happened in the battle, in plain sentences, and as events for those who watch.

use super::{cards, choices::arms};
use crate::{
    dice::{AttackFace, DefenceFace},
    game::{AttackShown, AttackStage, Effect, Event, Game, called, instruction::pose_words, opponent::Opponent},
    solo_alpha::{attack::engage::causes, sentence::SpokenIn},
    xwing::{
        battle::{self, Battle, Choice, NoAttack, event},
        combat::Spending,
        damage_deck::{Card, Damage, DamageEvent},
        movement::consequences::{ObstacleEffect, obstacle_kind},
        obstacle::ObstacleKind,
    },
};

fn words<'f>(faces: impl IntoIterator<Item = &'f str>) -> String {
    let faces: Vec<&str> = faces.into_iter().collect();
    if faces.is_empty() {
        "no dice".to_owned()
    } else {
        faces.join(", ")
    }
}

fn attack_words(faces: &[AttackFace]) -> String {
    words(faces.iter().map(|face| face.word()))
}

fn defence_words(faces: &[DefenceFace]) -> String {
    words(faces.iter().map(|face| face.word()))
}

pub(super) fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

impl<O: Opponent> Game<O> {
    /// Tells what has happened in the battle since it was last told: the sentences, in order.
    pub(super) fn tell_battle(&mut self) -> Vec<String> {
        let Some(whole) = &mut self.whole else {
            return Vec::new();
        };
        let battle = &whole.battle;
        let new = battle.events().get(whole.told..).unwrap_or_default();
        let mut said = Vec::new();
        let mut shown = Vec::new();
        for event in new {
            said.extend(sentence(battle, event));
            shown.extend(attack(battle, event));
        }
        whole.told = battle.events().len();
        for attack in shown {
            self.effects.push(Effect::Event(Event::Attack(attack)));
        }
        said
    }
}

/// What players read about an event; `None` where the table itself shows it, or nothing is to be said.
fn sentence(battle: &Battle, event: &event::Event) -> Option<String> {
    let name = |id: &str| {
        let ship = battle.table().ship(id);
        ship.map_or_else(|| id.to_owned(), |ship| called(ship).to_owned())
    };
    Some(match event {
        event::Event::Attacked {
            attacker,
            defender,
            weapon,
            range,
            obstructed,
            rolled,
            ..
        } => {
            let weapon = battle.table().ship(attacker).and_then(|ship| ship.weapons.get(*weapon));
            let edition = battle.table().rules.edition;
            format!(
                "{} attacks {} with {} at range {range}{}: rolled {}.",
                name(attacker),
                name(defender),
                weapon.map_or_else(|| "a weapon".to_owned(), |weapon| arms(weapon, edition)),
                if *obstructed { ", obstructed" } else { "" },
                attack_words(rolled)
            )
        }
        event::Event::AttackModified { attacker, rerolled, .. } if !rerolled.is_empty() => {
            format!("{} rerolled: {}.", name(attacker), attack_words(rerolled))
        }
        event::Event::EffectUsed { ship, card, rolled, .. } => {
            let faces = rolled.iter().map(|face| face.name()).collect::<Vec<_>>();
            if faces.is_empty() {
                format!("{} uses {card}.", name(ship))
            } else {
                format!("{} uses {card}: rolled {}.", name(ship), faces.join(", "))
            }
        }
        event::Event::Defended { defender, rolled } => {
            format!("{} rolled {}.", name(defender), defence_words(rolled))
        }
        event::Event::AttackResolved {
            defender,
            spent,
            damage,
            ..
        } => {
            let spends = if *spent == Spending::default() {
                String::new()
            } else {
                format!("{} spends {spent}. ", name(defender))
            };
            match damage_words(*damage) {
                None => format!("{spends}{} is not hit.", name(defender)),
                Some(damage) => format!("{spends}{} suffers {damage}.", name(defender)),
            }
        }
        event::Event::Suffered { ship, outcome, .. } => suffered(battle, &name(ship), outcome)?,
        event::Event::Repaired { ship, card } => {
            format!("{} turns {} face down.", name(ship), card_name(battle, *card))
        }
        // PE-1: it has no weapon.
        event::Event::HeldFire { ship, .. } if battle.is_shuttle(ship) => return None,
        // PE-7: the end of the game says it.
        event::Event::Escaped { ship } | event::Event::Fled { ship } | event::Event::Removed { ship }
            if battle.is_shuttle(ship) =>
        {
            return None;
        }
        event::Event::Ended { .. } if battle.escort().is_some() => return None,
        event::Event::HeldFire { ship, cause } => {
            let cause = match cause {
                NoAttack::Blocked(blocked) => causes(battle.edition().words(), blocked),
                NoAttack::NoTarget => "no target in arc and range".to_owned(),
                NoAttack::Declined => return None,
                NoAttack::Late => "its turn is over".to_owned(),
            };
            format!("{} does not attack: {cause}.", name(ship))
        }
        event::Event::Dropped { ship, template, pieces } => {
            let places: Vec<String> = pieces.iter().map(|piece| pose_words(piece.pose)).collect();
            let device = pieces.first().map_or("its device", |piece| &*piece.device);
            format!(
                "{} drops {device} with the {template} template: please put it down, its middle at {}.",
                name(ship),
                places.join("; ")
            )
        }
        event::Event::Decloaked { ship, .. } => format!("{} decloaks.", name(ship)),
        event::Event::Pulled { ship, by, .. } => {
            format!("{} is moved by the tractor beam of {}.", name(ship), name(by))
        }
        event::Event::Detonated { device, obstacle } => {
            let device = dropped(battle, device);
            let obstacle = obstacle.as_ref();
            let obstacle = obstacle.map_or_else(String::new, |obstacle| format!(", with {obstacle}"));
            format!("{device} goes off: please take it off the table{obstacle}.")
        }
        event::Event::FuseBurned { device } => {
            format!("Please take a fuse marker off {}.", dropped(battle, device))
        }
        event::Event::Blasted { ship, rolled, .. } if !rolled.is_empty() => {
            format!("{} is reached by it: rolled {}.", name(ship), attack_words(rolled))
        }
        event::Event::Blasted { ship, .. } => format!("{} is reached by it.", name(ship)),
        event::Event::Arrived { ship, pose, .. } => format!("{} arrives: {}.", name(ship), pose_words(*pose)),
        event::Event::CardUsed {
            ship, card, targets, ..
        } if targets.is_empty() => {
            format!("{} uses {}.", name(ship), cards::title(card))
        }
        event::Event::CardUsed {
            ship, card, targets, ..
        } => {
            let targets: Vec<String> = targets.iter().map(|id| name(id)).collect();
            format!("{} uses {} on {}.", name(ship), cards::title(card), targets.join(", "))
        }
        event::Event::CardChoice {
            ship,
            card,
            choice: Some(choice @ (Choice::Branch { .. } | Choice::Token(_))),
            ..
        } => format!("{} chooses for {}: {choice}.", name(ship), cards::title(card)),
        event::Event::Condition {
            ship,
            condition,
            source,
        } => match source {
            Some(_) => format!("{} gets the condition {}.", name(ship), cards::title(condition)),
            None => format!("{} has the condition {} no more.", name(ship), cards::title(condition)),
        },
        event::Event::Flipped { ship, card } => format!("{}: please turn {} over.", name(ship), cards::title(card)),
        event::Event::ManeuverChanged { ship, maneuver } => {
            let maneuver = SpokenIn(battle.edition(), *maneuver);
            format!("{} executes {maneuver} instead.", name(ship))
        }
        event::Event::CardFault { ship, card, text } => format!("{}: {}: {text}.", name(ship), cards::title(card)),
        event::Event::Escort(event) => event.to_string(),
        event::Event::Disputed { .. } => return None,
        event::Event::Told { text } | event::Event::Noted { text, .. } => format!("{}.", text.trim_end_matches('.')),
        event::Event::Ended { ending: Some(says), .. } => says.clone(),
        event::Event::Saved { ship } => format!(
            "{} has left over the player edge and is safe (SA-13): its model stays off the table. If it should still fly, put \
             it back and undo.",
            name(ship)
        ),
        event::Event::Escaped { ship } => format!(
            "{} has escaped over its corner (SA-13): its model stays off the table.",
            name(ship)
        ),
        event::Event::MetObstacle {
            ship,
            obstacle,
            face,
            effect,
        } => obstacle_words(&name(ship), obstacle_kind(battle.table(), obstacle)?, *face, *effect),
        event::Event::CardAction { ship, card, .. } => {
            format!("{} acts by {}.", name(ship), cards::title(card))
        }
        event::Event::Fled { ship } => format!(
            "{} leaves the play area over the edge and is out of the game.",
            name(ship)
        ),
        event::Event::Removed { ship } => format!("{} is destroyed and leaves the table.", name(ship)),
        event::Event::Ended { winner: Some(side), .. } => format!("Only ships of side {side} are left."),
        _ => return None,
    })
}

/// SA-7: what an obstacle does to a ship, by its die.
pub(super) fn obstacle_words(name: &str, kind: ObstacleKind, face: AttackFace, effect: ObstacleEffect) -> String {
    let what = match kind {
        ObstacleKind::Asteroid => "an asteroid",
        ObstacleKind::Debris => "debris",
        ObstacleKind::GasCloud => "a gas cloud",
    };
    let effect = match effect {
        ObstacleEffect::Nothing => "no damage",
        ObstacleEffect::Hit => "it suffers 1 hit",
        ObstacleEffect::Crit => "it suffers 1 crit",
        ObstacleEffect::Strain => "it gains 1 strain",
    };
    format!("{name} meets {what}: rolled {}, {effect}.", face.word())
}

/// The upgrade that a device on the table belongs to; it may be gone by now.
fn dropped(battle: &Battle, id: &str) -> String {
    let pieces = battle.events().iter().flat_map(|event| match event {
        event::Event::Dropped { pieces, .. } => &pieces[..],
        _ => &[],
    });
    let piece = pieces.into_iter().find(|piece| *piece.id == *id);
    piece.map_or_else(|| id.to_owned(), |piece| piece.device.clone())
}

pub(super) fn damage_words(damage: Damage) -> Option<String> {
    let part = |count: u8, what: &str| (count > 0).then(|| counted(usize::from(count), what));
    let parts: Vec<String> = part(damage.hits, "hit")
        .into_iter()
        .chain(part(damage.crits, "crit"))
        .collect();
    (!parts.is_empty()).then(|| parts.join(" and "))
}

fn card_name(battle: &Battle, card: Card) -> String {
    let facts = card.facts(battle.deck_facts());
    facts.map_or_else(|| "a damage card".to_owned(), |card| card.name.clone())
}

fn suffered(battle: &Battle, name: &str, outcome: &[DamageEvent]) -> Option<String> {
    let shields = outcome
        .iter()
        .filter(|event| matches!(event, DamageEvent::ShieldLost))
        .count();
    let down = outcome
        .iter()
        .filter(|event| matches!(event, DamageEvent::Dealt { face_up: false, .. }))
        .count();
    let mut parts = Vec::new();
    if shields > 0 {
        parts.push(format!("loses {}", counted(shields, "shield")));
    }
    if down > 0 {
        parts.push(format!("is dealt {} face down", counted(down, "card")));
    }
    for event in outcome {
        match event {
            DamageEvent::Dealt { card, face_up: true } => {
                let card = card.map_or_else(|| "a damage card".to_owned(), |card| card_name(battle, card));
                parts.push(format!("is dealt {card} face up"));
            }
            DamageEvent::Exposed(card) => parts.push(format!("turns {} face up", card_name(battle, *card))),
            DamageEvent::Destroyed => parts.push("is shot down".to_owned()),
            DamageEvent::ShieldLost | DamageEvent::Dealt { .. } => {}
        }
    }
    (!parts.is_empty()).then(|| format!("{name} {}.", parts.join(", ")))
}

/// What an overlay shows of an attack.
fn attack(battle: &Battle, event: &event::Event) -> Option<AttackShown> {
    let stage = match event {
        event::Event::Attacked { .. } => AttackStage::Declared,
        event::Event::AttackModified { .. } => AttackStage::Modified,
        event::Event::Defended { .. } => AttackStage::Defended,
        event::Event::AttackResolved { .. } => AttackStage::Resolved,
        _ => return None,
    };
    let (attacker, defender) = match (event, battle.duel()) {
        (
            event::Event::Attacked { attacker, defender, .. } | event::Event::AttackResolved { attacker, defender, .. },
            _,
        ) => (attacker.clone(), defender.clone()),
        (_, Some(duel)) => (duel.attacker.clone(), duel.defender.clone()),
        _ => return None,
    };
    let (mut dice, mut defence) = (Vec::new(), Vec::new());
    match event {
        event::Event::Attacked { rolled, .. } => dice = rolled.iter().map(|face| face.word().to_owned()).collect(),
        event::Event::Defended { rolled, .. } => defence = rolled.iter().map(|face| face.word().to_owned()).collect(),
        _ => {}
    }
    if dice.is_empty()
        && let Some(duel) = battle.duel().filter(|_| stage != AttackStage::Resolved)
    {
        dice = lying(duel);
    }
    Some(AttackShown {
        message: sentence(battle, event).unwrap_or_else(|| "The attacker has changed its dice.".to_owned()),
        attacker,
        defender,
        stage,
        attack: dice,
        defence,
    })
}

/// The attack dice as they lie.
fn lying(duel: &battle::Duel) -> Vec<String> {
    let dice = &duel.dice;
    let faces = [
        (dice.crits, AttackFace::Crit),
        (dice.hits, AttackFace::Hit),
        (dice.focuses + dice.rerolled_focuses, AttackFace::Focus),
        (dice.blanks + dice.rerolled_blanks, AttackFace::Blank),
    ];
    let faces = faces
        .iter()
        .flat_map(|(count, face)| (0..*count).map(|_| face.word().to_owned()));
    faces.collect()
}
