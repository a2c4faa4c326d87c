//! What is asked, chosen and done in a battle, in words for people.

use std::fmt::Write as _;

use crate::{
    dice::{AttackFace, DefenceFace},
    solo_alpha::{
        chart::{attack_name, defence_name},
        sentence::{NamedDetail, Spoken},
    },
    xwing::{
        battle::{Answer, Battle, Event, LostAction, NoAttack, Order, Pull, Request},
        combat::{AttackStep, Spending, contest::Face},
        damage_deck::{Card, Damage, DamageEvent, DeckFacts, HarmfulToken},
        device::{Harm, by_name},
        maneuver::{Difficulty, Side},
        movement::{Alignment, consequences::ObstacleEffect},
        reposition::Decloak,
        ship::{Ship, Tokens},
    },
};

/// What a ship is called: its id, and its name where it has another one.
pub fn title(ship: &Ship) -> String {
    match ship.name.is_empty() || ship.name == *ship.id {
        true => ship.id.to_string(),
        false => format!("{} {}", ship.id, ship.name),
    }
}

fn called(battle: &Battle, id: &str) -> String {
    battle.table().ship(id).map_or_else(|| id.to_owned(), title)
}

/// What is asked, as a heading: who, and for what.
pub fn request(battle: &Battle, request: &Request) -> String {
    let ship = called(battle, request.ship());
    match request {
        Request::Dial { .. } => format!("{ship}: dial"),
        Request::Decloak { .. } => format!("{ship}: decloak"),
        Request::Drop { .. } => format!("{ship}: device"),
        Request::Detonate { device, .. } => format!("{ship}: obstacle around which {device} goes off"),
        Request::Pull { target, .. } => format!("{ship}: moves the tractored {target}"),
        Request::Fly { fixed: None, .. } => format!("{ship}: maneuver"),
        Request::Fly {
            fixed: Some(maneuver), ..
        } => format!("{ship}: flies {}", Spoken(*maneuver)),
        Request::Act {
            coordinated_by: Some(by),
            ..
        } => format!("{ship}: action, coordinated by {by}"),
        Request::Act { .. } => format!("{ship}: action"),
        Request::Attack { .. } => format!("{ship}: attack"),
        Request::ModifyAttack { .. } => format!("{ship}: attack dice"),
        Request::ModifyDefence { .. } => format!("{ship}: defence dice"),
        Request::Dice { window, .. } => format!("{ship}: {}", window.name()),
        Request::Effect(offer) => match offer.asks {
            Some(_) => format!("{ship}: {} is played by hand", offer.card),
            None => format!("{ship}: {}", offer.card),
        },
        Request::CardAction(given) => format!("{ship}: action by {}", given.card),
    }
}

/// A choice in a few words.
pub fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Dial(maneuver) => Spoken(*maneuver).to_string(),
        Answer::Decloak(None) => "stay cloaked".to_owned(),
        Answer::Decloak(Some(Decloak::Forward)) => "decloak ahead".to_owned(),
        Answer::Decloak(Some(Decloak::Sideways { side, slide_mm })) => {
            format!("decloak {}", sideways(*side, *slide_mm))
        }
        Answer::Drop(None) => "no drop".to_owned(),
        Answer::Drop(Some(template)) => format!("drop by the {template}"),
        Answer::Detonate(obstacle) => format!("around {obstacle}"),
        Answer::Pull(None) => "no move".to_owned(),
        Answer::Pull(Some(Pull::Boost)) => "boost it ahead".to_owned(),
        Answer::Pull(Some(Pull::BarrelRoll { side, slide_mm })) => format!("roll it {}", sideways(*side, *slide_mm)),
        Answer::Fly(flight) => {
            let mut text = Spoken(flight.maneuver).to_string();
            match flight.alignment {
                Alignment::Middle => {}
                Alignment::Forward => text.push_str(", set forward"),
                Alignment::Back => text.push_str(", set back"),
            }
            if let Some(turn) = flight.edge_turn {
                let _ = write!(text, ", at the edge turning {turn} degrees");
            }
            text
        }
        Answer::Act(orders) if orders.is_empty() => "no action".to_owned(),
        Answer::Act(orders) => orders.iter().map(order).collect::<Vec<_>>().join(", then "),
        Answer::Attack(None) => "no attack".to_owned(),
        Answer::Attack(Some(order)) => format!("attack on {} with weapon {}", order.target, order.weapon + 1),
        Answer::ModifyAttack(step) => attack_step(step),
        Answer::ModifyDefence(spending) => format!("spend {spending}"),
        Answer::Dice(choice) => choice.to_string(),
        Answer::Effect(None) => "nothing".to_owned(),
        Answer::Effect(Some(choice)) => format!("choice {}", choice + 1),
    }
}

/// As in `left, 10 mm ahead`.
fn sideways(side: Side, slide_mm: f64) -> String {
    let side = match side {
        Side::Left => "left",
        Side::Right => "right",
    };
    match slide_mm {
        0.0 => side.to_owned(),
        ahead if ahead > 0.0 => format!("{side}, {ahead:.0} mm ahead"),
        back => format!("{side}, {:.0} mm back", -back),
    }
}

/// What a device gives a ship.
fn harm(harm: &Harm) -> String {
    let parts = [
        (harm.hits, "hit"),
        (harm.crits, "crit"),
        (harm.ion, "ion token"),
        (harm.strain, "strain token"),
        (harm.disarm, "disarm token"),
        (harm.shields, "lost shield"),
    ];
    let parts: Vec<String> = (parts.into_iter().filter(|(number, _)| *number > 0))
        .map(|(number, what)| count(u32::from(number), what))
        .collect();
    match parts.is_empty() {
        true => "nothing happens".to_owned(),
        false => parts.join(", "),
    }
}

/// An action in a few words.
pub fn order(order: &Order) -> String {
    match order {
        Order::Bar {
            kind,
            difficulty,
            detail,
        } => {
            let colour = match difficulty {
                Difficulty::Red => "red ",
                Difficulty::Purple => "purple ",
                Difficulty::Blue | Difficulty::White => "",
            };
            format!("{colour}{}", NamedDetail(*kind, detail))
        }
        Order::Repair(card) => format!("repair of {}", card_name(*card)),
    }
}

/// The name of a damage card.
pub fn card_name(card: Card) -> &'static str {
    card.facts(DeckFacts::embedded())
        .map_or("an unknown damage card", |facts| facts.name.as_str())
}

/// What an attacker does with its dice, as an order.
pub fn attack_step(step: &AttackStep) -> String {
    match step {
        AttackStep::Reroll { means, focuses, blanks } => {
            let parts = [(*focuses, "focus result"), (*blanks, "blank")];
            let dice: Vec<String> = (parts.into_iter().filter(|(count, _)| *count > 0))
                .map(|(number, what)| count(u32::from(number), what))
                .collect();
            match dice.is_empty() {
                true => format!("spend {means} and reroll nothing"),
                false => format!("spend {means} to reroll {}", dice.join(" and ")),
            }
        }
        AttackStep::Finish { spending, .. } if *spending == Spending::default() => "spend nothing".to_owned(),
        AttackStep::Finish { spending, changed } => {
            format!("spend {spending} on {}", count(u32::from(*changed), "focus result"))
        }
    }
}

/// As in `1 blank`, `2 blanks`.
pub fn count(count: u32, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// Attack dice as they lie, best first; `nothing` for none.
pub fn attack_faces(faces: &[AttackFace]) -> String {
    let mut faces = faces.to_vec();
    faces.sort_unstable();
    joined(faces.into_iter().map(attack_name))
}

/// Defence dice as they lie, best first; `nothing` for none.
pub fn defence_faces(faces: &[DefenceFace]) -> String {
    let mut faces = faces.to_vec();
    faces.sort_unstable();
    joined(faces.into_iter().map(defence_name))
}

fn joined(names: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.is_empty() {
        true => "no dice".to_owned(),
        false => names.join(", "),
    }
}

/// All tokens of a ship, as in `2 stress, focus`; empty for none.
pub fn tokens(tokens: &Tokens) -> String {
    let there = tokens.named().into_iter().filter(|(_, count)| *count > 0);
    let words: Vec<String> = there
        .map(|(token, count)| match count {
            1 => token.to_owned(),
            _ => format!("{count} {token}"),
        })
        .collect();
    words.join(", ")
}

fn damage(damage: Damage) -> String {
    let parts = [(damage.hits, "hit"), (damage.crits, "crit")];
    let parts: Vec<String> = (parts.into_iter().filter(|(number, _)| *number > 0))
        .map(|(number, what)| count(u32::from(number), what))
        .collect();
    match parts.is_empty() {
        true => "no damage".to_owned(),
        false => parts.join(" and "),
    }
}

/// What has happened since so many events, a line each. Of the changes of a ship's tokens in a phase the last one is told.
pub fn events(battle: &Battle, before: usize) -> Vec<String> {
    let new = &battle.events()[before.min(battle.events().len())..];
    let mut lines = Vec::with_capacity(new.len());
    for (index, event) in new.iter().enumerate() {
        if let Event::Tokens { ship, .. } = event {
            let of_phase = |other: &&Event| !matches!(other, Event::PhaseBegan(_));
            let again = |other: &Event| matches!(other, Event::Tokens { ship: also, .. } if also == ship);
            if new[index + 1..].iter().take_while(of_phase).any(again) {
                continue;
            }
        }
        lines.push(self::event(battle, event));
    }
    lines
}

/// One thing that happened, in a sentence. The battle may have gone on since.
pub fn event(battle: &Battle, event: &Event) -> String {
    let name = |id: &str| called(battle, id);
    match event {
        Event::Noted { ship, text } => format!("{}: {text}.", name(ship)),
        Event::Told { text } => text.clone(),
        Event::RoundBegan(round) => format!("Round {round} begins."),
        Event::PhaseBegan(phase) => format!("The {} phase begins.", phase.name()),
        Event::Arrived {
            ship,
            instead_of,
            pose,
            locks,
            ..
        } => {
            let mut text = format!(
                "{} arrives at {:.0},{:.0} @{:.0}",
                name(ship),
                pose.position.x,
                pose.position.y,
                pose.heading
            );
            if let Some(first) = instead_of {
                let _ = write!(text, " in place of {first}");
            }
            if !locks.is_empty() {
                let _ = write!(text, " with a lock on {}", locks.join(", "));
            }
            text + "."
        }
        Event::Decloaked { ship, to, .. } => {
            let (x, y) = (to.position.x, to.position.y);
            format!("{} decloaks: now at {x:.0},{y:.0} @{:.0}.", name(ship), to.heading)
        }
        Event::Dropped { ship, template, pieces } => {
            let device = pieces.first().map_or("a device", |piece| {
                by_name(&piece.device).map_or(piece.device.as_str(), |device| device.name.as_str())
            });
            format!("{} drops {device} by the {template}.", name(ship))
        }
        Event::FuseBurned { device } => format!("The fuse of {device} burns."),
        Event::Detonated { device, obstacle: None } => format!("{device} goes off."),
        Event::Detonated {
            device,
            obstacle: Some(obstacle),
        } => format!("{device} goes off around {obstacle}, which is gone."),
        Event::Blasted { ship, rolled, harm, .. } => {
            let rolled = match rolled.is_empty() {
                true => String::new(),
                false => format!(" rolls {}", attack_faces(rolled)),
            };
            format!("{}{rolled}: {}.", name(ship), self::harm(harm))
        }
        Event::Pulled { ship, by, to, .. } => {
            let (x, y) = (to.position.x, to.position.y);
            format!(
                "{} moves {}: now at {x:.0},{y:.0} @{:.0}.",
                name(by),
                name(ship),
                to.heading
            )
        }
        Event::DialSet { ship, maneuver } => format!("{} has its dial at {}.", name(ship), Spoken(*maneuver)),
        Event::Flew {
            ship,
            execution,
            edge_turn,
            to,
            slam,
            ..
        } => {
            let how = if *slam { "SLAMs by" } else { "flies" };
            let mut text = format!("{} {how} {}", name(ship), Spoken(execution.maneuver));
            if !execution.overlapped.is_empty() {
                let _ = write!(text, ", backs up from {}", execution.overlapped.join(", "));
            }
            if let Some(turn) = edge_turn {
                let _ = write!(text, ", stops at the edge and turns by {turn:.0} degrees");
            }
            if !execution.suffered.is_empty() {
                let _ = write!(text, ", meets {}", execution.suffered.join(", "));
            }
            let _ = write!(
                text,
                ": now at {:.0},{:.0} @{:.0}.",
                to.position.x, to.position.y, to.heading
            );
            text
        }
        Event::MetObstacle {
            ship,
            obstacle,
            face,
            effect,
        } => {
            let effect = match effect {
                ObstacleEffect::Nothing => "nothing happens",
                ObstacleEffect::Hit => "1 hit",
                ObstacleEffect::Crit => "1 crit",
                ObstacleEffect::Strain => "1 strain token",
            };
            let (ship, face) = (name(ship), attack_name(*face));
            format!("{ship} rolls {face} for {obstacle}: {effect}.")
        }
        Event::CardUsed {
            ship, card, targets, ..
        } => match targets.is_empty() {
            true => format!("{} uses {card}.", name(ship)),
            false => format!("{} uses {card} on {}.", name(ship), targets.join(", ")),
        },
        Event::CardChoice {
            ship,
            card,
            choice,
            asks,
            ..
        } => match (choice, asks) {
            (Some(choice), _) => format!("{}: {card}: {choice}.", name(ship)),
            (None, Some(_)) => format!("{}: {card} is left out.", name(ship)),
            (None, None) => format!("{} does not use {card}.", name(ship)),
        },
        Event::CardAction { ship, owner, card } => format!("{card} of {owner} gives {} an action.", name(ship)),
        Event::CardDice {
            ship,
            card,
            attack,
            defence,
        } => {
            let mut dice = attack_faces(attack);
            if !defence.is_empty() {
                dice = defence_faces(defence);
            }
            format!("{} rolls for {card}: {dice}.", name(ship))
        }
        Event::CardCharges { ship, card, left } => format!("{}: {card} has {left} charges left.", name(ship)),
        Event::CardFault { ship, card, text } => format!("{}: {card}: {text}.", name(ship)),
        Event::Moved { ship, to, .. } => format!(
            "{} is moved to {:.0},{:.0} @{:.0}.",
            name(ship),
            to.position.x,
            to.position.y,
            to.heading
        ),
        Event::Locks { ship, locks } => match locks.is_empty() {
            true => format!("{} has no lock.", name(ship)),
            false => format!("{} has locked {}.", name(ship), locks.join(", ")),
        },
        Event::Shields { ship, left } => format!("{} has {left} shields.", name(ship)),
        Event::Discarded { ship, .. } => format!("{} repairs a facedown damage card.", name(ship)),
        Event::Fled { ship } => format!("{} leaves the table over the edge.", name(ship)),
        Event::Saved { ship } => format!("{} gets away safely over the edge.", name(ship)),
        Event::Escaped { ship } => format!("{} has reached where it was making for and escapes.", name(ship)),
        Event::Tokens { ship, tokens } => match self::tokens(tokens) {
            none if none.is_empty() => format!("{} has no tokens.", name(ship)),
            some => format!("{} has {some}.", name(ship)),
        },
        Event::ActionLost { ship, cause } => {
            let cause = match cause {
                LostAction::Overlap => "it was on another ship",
                LostAction::Obstacle => "it met an obstacle",
                LostAction::Edge => "it was stopped at the edge",
                LostAction::Stressed => "it is stressed",
            };
            format!("{} has no action: {cause}.", name(ship))
        }
        Event::Acted { ship, order, to, from } => {
            let moved = match to == from {
                true => String::new(),
                false => format!(", to {:.0},{:.0} @{:.0}", to.position.x, to.position.y, to.heading),
            };
            format!("{}: {}{moved}.", name(ship), self::order(order))
        }
        Event::HeldFire { ship, cause } => {
            let cause = match cause {
                NoAttack::Blocked(blocked) => blocked.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
                NoAttack::NoTarget => "nobody is in its arcs and range".to_owned(),
                NoAttack::Declined => "it holds its fire".to_owned(),
            };
            format!("{} does not attack: {cause}.", name(ship))
        }
        Event::Attacked {
            attacker,
            defender,
            weapon,
            range,
            obstructed,
            rolled,
            ..
        } => {
            let weapon = battle.table().ship(attacker).and_then(|ship| ship.weapons.get(*weapon));
            let weapon = weapon.map_or("a weapon", |weapon| weapon.id.as_str());
            let obstructed = if *obstructed { ", obstructed" } else { "" };
            format!(
                "{} attacks {} with {weapon} at range {range}{obstructed}: {}.",
                name(attacker),
                name(defender),
                attack_faces(rolled)
            )
        }
        Event::AttackModified {
            attacker,
            step,
            rerolled,
        } => {
            let new = match rerolled.is_empty() {
                true => String::new(),
                false => format!(": {}", attack_faces(rerolled)),
            };
            format!("{}: {}{new}.", name(attacker), attack_step(step))
        }
        Event::EffectUsed {
            ship,
            card,
            touched,
            rolled,
            weighed,
            ..
        } => {
            let mut text = format!("{card} of {}", name(ship));
            if !touched.is_empty() {
                let _ = write!(text, " on {}", faces(touched));
            }
            if !rolled.is_empty() {
                let _ = write!(text, ": {}", faces(rolled));
            }
            if let Some([with, without]) = weighed {
                let _ = write!(text, " ({with:.3} damage expected, {without:.3} without it)");
            }
            text + "."
        }
        Event::Forbidden { ship, owner, card, ban } => format!(
            "{card} of {}: {} {} in this attack.",
            name(owner),
            name(ship),
            ban.sentence()
        ),
        Event::Defended { defender, rolled } => format!("{} defends: {}.", name(defender), defence_faces(rolled)),
        Event::AttackResolved {
            defender,
            spent,
            damage,
            ..
        } => format!("{} spends {spent}: {}.", name(defender), self::damage(*damage)),
        Event::Suffered { ship, damage, outcome } => {
            let what: Vec<String> = outcome.iter().map(damage_event).collect();
            format!("{} suffers {}: {}.", name(ship), self::damage(*damage), what.join(", "))
        }
        Event::Repaired { ship, card } => format!("{} repairs {}.", name(ship), card_name(*card)),
        Event::CardRolled { ship, card, face } => {
            format!("{} rolls {} for {}.", name(ship), attack_name(*face), card_name(*card))
        }
        Event::Removed { ship } => format!("{} is destroyed and leaves the table.", name(ship)),
        Event::Ended { winner, ending } => {
            let winner = match winner {
                Some(side) => format!("The game is over: the side {side} has won."),
                None => "The game is over: nobody has won.".to_owned(),
            };
            match ending {
                Some(says) => format!("{winner} {says}"),
                None => winner,
            }
        }
    }
}

fn faces(faces: &[Face]) -> String {
    faces.iter().map(|face| face.name()).collect::<Vec<_>>().join(", ")
}

fn damage_event(event: &DamageEvent) -> String {
    match event {
        DamageEvent::ShieldLost => "a shield is lost".to_owned(),
        DamageEvent::Dealt { card: None, .. } => "damage without a card".to_owned(),
        DamageEvent::Dealt {
            card: Some(card),
            face_up: true,
        } => format!("{} face up", card_name(*card)),
        DamageEvent::Dealt { face_up: false, .. } => "a card face down".to_owned(),
        DamageEvent::Repaired(card) => format!("{} is turned face down", card_name(*card)),
        DamageEvent::Exposed(card) => format!("{} is turned face up", card_name(*card)),
        DamageEvent::Tokens { token, count: number } => {
            let token = match token {
                HarmfulToken::Stress => "stress token",
                HarmfulToken::Ion => "ion token",
            };
            format!("gains {}", count(u32::from(*number), token))
        }
        DamageEvent::Destroyed => "destroyed".to_owned(),
    }
}
