//! What happened in a battle, a sentence an event.

use std::fmt::Write as _;

use super::{action, all_called, attack_faces, attack_step, called, card_name, count, defence_faces, listed};
use crate::{
    sim::squad,
    solo_alpha::{
        attack::engage::{causes, weapon_words},
        chart::attack_name,
        sentence::SpokenIn,
    },
    xwing::{
        ObjectId,
        battle::{Battle, Choice, Event, LostAction, NoAttack},
        combat::{AttackStep, Spending, contest::Face},
        damage_deck::{DamageEvent, DeckFacts},
        dispute::Dispute,
        movement::consequences::ObstacleEffect,
        ship::Tokens,
    },
};

/// What has happened since so many events, a line each. Of the changes of a ship's tokens in a phase the last one is told,
/// and none that leaves the ship as it was; ships of which the same is to be said share a line.
pub fn events(battle: &Battle, before: usize) -> Vec<String> {
    let all = battle.events();
    let before = before.min(all.len());
    let mut lines = Vec::with_capacity(all.len() - before);
    let mut same: Option<(Same, Vec<String>)> = None;
    for (place, event) in all.iter().enumerate().skip(before) {
        if is_passed_over(battle, place, event) {
            continue;
        }
        let told = Same::of(event);
        if let (Some((about, ships)), Some((now, ship))) = (&mut same, &told)
            && about == now
        {
            ships.push(called(battle, ship));
            continue;
        }
        lines.extend(same.take().map(|(about, ships)| about.sentence(&ships)));
        // What an action gives is told with it.
        if let Event::Tokens { ship, tokens } = event
            && let Some(Event::Acted { ship: actor, .. }) = place.checked_sub(1).map(|before| &all[before])
            && place > before
            && actor == ship
            && told.is_none()
            && let Some(line) = lines.last_mut()
        {
            line.truncate(line.trim_end_matches('.').len());
            let _ = write!(line, "; it has {}.", super::tokens_by(tokens, battle.edition().words()));
            continue;
        }
        match told {
            Some((about, ship)) => same = Some((about, vec![called(battle, ship)])),
            None => lines.push(self::event(battle, event)),
        }
    }
    lines.extend(same.map(|(about, ships)| about.sentence(&ships)));
    lines
}

/// What says nothing: tokens that change again, or that a ship had before, and dice on which nothing is spent.
fn disputed(about: &str, sides: &[String; 2], dispute: &Dispute) -> String {
    let [first, second] = sides;
    let about = match about {
        "" => String::new(),
        about => format!(" about \"{about}\""),
    };
    let wins = &sides[dispute.winner()];
    format!("Dispute{about}: {first} rolls against {second}: {dispute}. How {wins} reads the rules counts (FE-0.8).")
}

fn is_passed_over(battle: &Battle, place: usize, event: &Event) -> bool {
    let all = battle.events();
    match event {
        Event::Tokens { ship, tokens } => {
            let of_phase = |other: &&Event| !matches!(other, Event::PhaseBegan(_));
            let of_ship = |other: &Event| matches!(other, Event::Tokens { ship: also, .. } if also == ship);
            let mut had = all[..place].iter().rev().filter(|other| of_ship(other));
            let had = match had.next() {
                Some(Event::Tokens { tokens, .. }) => *tokens,
                // At first a ship has its Force alone.
                _ => Tokens {
                    force: battle.fighter(ship).map_or(0, |fighter| fighter.force),
                    ..Tokens::default()
                },
            };
            *tokens == had || all[place + 1..].iter().take_while(of_phase).any(of_ship)
        }
        Event::AttackModified {
            step: AttackStep::Finish { spending, .. },
            ..
        } => *spending == Spending::default(),
        // What it suffers follows.
        Event::AttackResolved {
            defender,
            spent,
            damage,
            ..
        } => {
            *spent == Spending::default()
                && damage.hits + damage.crits > 0
                && matches!(all.get(place + 1), Some(Event::Suffered { ship, .. }) if ship == defender)
        }
        // That it is used follows.
        Event::CardChoice {
            choice: Some(Choice::Use { .. }),
            ..
        } => true,
        _ => false,
    }
}

/// What is said of several ships at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Same {
    /// They have nobody to attack.
    NoTarget,
    /// They have no tokens left.
    NoTokens,
}

impl Same {
    fn of(event: &Event) -> Option<(Same, &ObjectId)> {
        match event {
            Event::HeldFire {
                ship,
                cause: NoAttack::NoTarget,
            } => Some((Same::NoTarget, ship)),
            Event::Tokens { ship, tokens } if *tokens == Tokens::default() => Some((Same::NoTokens, ship)),
            _ => None,
        }
    }

    fn sentence(self, ships: &[String]) -> String {
        let who = listed(ships);
        match (self, ships.len()) {
            (Same::NoTarget, 1) => format!("{who} does not attack: nobody is in its arcs and range."),
            (Same::NoTarget, _) => format!("{who} do not attack: nobody is in their arcs and range."),
            (Same::NoTokens, 1) => format!("{who} has no tokens left."),
            (Same::NoTokens, _) => format!("{who} have no tokens left."),
        }
    }
}

/// One thing that happened, in a sentence. The battle may have gone on since.
pub fn event(battle: &Battle, event: &Event) -> String {
    let name = |id: &str| called(battle, id);
    match event {
        Event::Noted { ship, text } => format!("{}: {text}.", name(ship)),
        Event::Told { text } => text.clone(),
        Event::Disputed { about, sides, dispute } => disputed(about, sides, dispute),
        Event::Escort(event) => event.to_string(),
        Event::RoundBegan(round) => format!("Round {round} begins."),
        Event::PhaseBegan(phase) => {
            let name = phase.called(battle.table().rules.edition);
            format!("The {name} phase begins.")
        }
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
                let _ = write!(text, " with a lock on {}", all_called(battle, locks));
            }
            text + "."
        }
        Event::Decloaked { ship, to, .. } => {
            let (x, y) = (to.position.x, to.position.y);
            format!("{} decloaks: now at {x:.0},{y:.0} @{:.0}.", name(ship), to.heading)
        }
        Event::Dropped { ship, template, pieces } => {
            let device = pieces.first().map_or("a device", |piece| {
                piece
                    .rules()
                    .map_or(piece.device.as_str(), |device| device.name.as_str())
            });
            format!("{} drops {device} by the {template}.", name(ship))
        }
        Event::FuseBurned { device } => format!("The fuse of {device} burns."),
        Event::Detonated { device, obstacle: None } => format!("{device} goes off."),
        Event::Detonated {
            device,
            obstacle: Some(obstacle),
        } => format!("{device} goes off around {}, which is gone.", name(obstacle)),
        Event::Blasted { ship, rolled, harm, .. } => {
            let rolled = match rolled.is_empty() {
                true => String::new(),
                false => format!(" rolls {}", attack_faces(rolled)),
            };
            format!("{}{rolled}: {}.", name(ship), super::harm(harm))
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
        // FE-13.3, FE-14.12: who shares a side does not see it before it is revealed.
        Event::DialSet { ship, .. } if !battle.table().rules.team_dials => {
            format!("{} has its dial set, face down.", name(ship))
        }
        Event::DialSet { ship, maneuver } => format!(
            "{} has its dial at {}.",
            name(ship),
            SpokenIn(battle.edition(), *maneuver)
        ),
        Event::Flew {
            ship,
            execution,
            edge_turn,
            to,
            slam,
            ..
        } => {
            let how = if *slam { "SLAMs by" } else { "flies" };
            let mut text = format!(
                "{} {how} {}",
                name(ship),
                SpokenIn(battle.edition(), execution.maneuver)
            );
            if !execution.overlapped.is_empty() {
                let _ = write!(text, ", backs up from {}", all_called(battle, &execution.overlapped));
            }
            if let Some(turn) = edge_turn {
                let _ = write!(text, ", stops at the edge and turns by {turn:.0} degrees");
            }
            if !execution.suffered.is_empty() {
                let _ = write!(text, ", meets {}", all_called(battle, &execution.suffered));
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
            format!("{ship} rolls {face} for {}: {effect}.", name(obstacle))
        }
        Event::CardUsed {
            ship, card, targets, ..
        } => match targets.is_empty() {
            true => format!("{} uses {card}.", name(ship)),
            false => format!("{} uses {card} on {}.", name(ship), all_called(battle, targets)),
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
        Event::CardAction { ship, owner, card } => format!("{card} of {} gives {} an action.", name(owner), name(ship)),
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
        Event::CardCharges { ship, card, left } => {
            format!("{}: {card} has {} left.", name(ship), count(*left, "charge"))
        }
        Event::CardFault { ship, card, text } => format!("{}: {card}: {text}.", name(ship)),
        Event::Moved { ship, to, .. } => format!(
            "{} is moved to {:.0},{:.0} @{:.0}.",
            name(ship),
            to.position.x,
            to.position.y,
            to.heading
        ),
        Event::Standing { ship, initiative, .. } => {
            let value = battle.edition().order_value();
            format!("Cards change what {} may do ({value} {initiative}).", name(ship))
        }
        Event::ManeuverChanged { ship, maneuver } => {
            let maneuver = SpokenIn(battle.edition(), *maneuver);
            format!("{} executes {maneuver} instead.", name(ship))
        }
        Event::Kept { ship, token, count } => format!(
            "{} keeps {}.",
            name(ship),
            self::count(*count, &format!("{token} token"))
        ),
        Event::Condition {
            ship,
            condition,
            source,
        } => match source {
            Some(source) => format!("{} assigns {condition} to {}.", name(source), name(ship)),
            None => format!("{} has {condition} no more.", name(ship)),
        },
        Event::Flipped { ship, card } => format!("{} turns a card: {card} is up.", name(ship)),
        Event::ActedByCard { ship, card } => format!("{} performs the action of {card}.", name(ship)),
        Event::Locks { ship, locks } => match locks.is_empty() {
            true => format!("{} has no lock.", name(ship)),
            false => format!("{} has a lock on {}.", name(ship), all_called(battle, locks)),
        },
        Event::LockLettered { ship, target, letter } => {
            format!(
                "The lock of {} on {} has the letter {letter}.",
                name(ship),
                name(target)
            )
        }
        Event::Shields { ship, left } => format!("{} has {}.", name(ship), count(u32::from(*left), "shield")),
        Event::Discarded { ship, .. } => format!("{} repairs a facedown damage card.", name(ship)),
        Event::Fled { ship } => format!("{} leaves the table over the edge.", name(ship)),
        Event::Saved { ship } => format!("{} gets away safely over the edge.", name(ship)),
        Event::Escaped { ship } => format!("{} has reached where it was making for and escapes.", name(ship)),
        Event::Tokens { ship, tokens } => match super::tokens_by(tokens, battle.edition().words()) {
            none if none.is_empty() => Same::NoTokens.sentence(&[name(ship)]),
            some => format!("{} has {some}.", name(ship)),
        },
        Event::ActionLost { ship, cause } => {
            let cause = match cause {
                LostAction::Overlap => "it was on another ship",
                LostAction::Obstacle => "it met an obstacle",
                LostAction::Edge => "it was stopped at the edge",
                LostAction::Stressed => "it is stressed",
                LostAction::Card => "it acted before its move, by a card",
                LostAction::Mine => "a mine went off under it",
            };
            format!("{} has no action: {cause}.", name(ship))
        }
        Event::Acted { ship, order, to, from } => {
            let moved = match to == from {
                true => String::new(),
                false => format!(", to {:.0},{:.0} @{:.0}", to.position.x, to.position.y, to.heading),
            };
            format!("{}: {}{moved}.", name(ship), action(battle, order))
        }
        Event::HeldFire { ship, cause } => {
            let cause = match cause {
                NoAttack::Blocked(blocked) => causes(battle.edition().words(), blocked),
                NoAttack::NoTarget => return Same::NoTarget.sentence(&[name(ship)]),
                NoAttack::Declined => "it holds its fire".to_owned(),
                NoAttack::Late => "its turn is over".to_owned(),
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
            let weapon = weapon.map_or_else(|| "weapon".to_owned(), weapon_words);
            let obstructed = if *obstructed { ", obstructed" } else { "" };
            format!(
                "{} attacks {} with its {weapon} at range {range}{obstructed}: {}.",
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
            // As an order it begins with `spend`.
            format!(
                "{} {}{new}.",
                name(attacker),
                attack_step(step).replacen("spend", "spends", 1)
            )
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
        } => {
            let takes = match damage.hits + damage.crits {
                0 => "takes no damage".to_owned(),
                _ => format!("takes {}", super::damage(*damage)),
            };
            let spends = match *spent == Spending::default() {
                true => String::new(),
                false => format!("spends {spent} and "),
            };
            format!("{} {spends}{takes}.", name(defender))
        }
        Event::Suffered { ship, damage, outcome } => {
            format!(
                "{} suffers {}: {}.",
                name(ship),
                super::damage(*damage),
                outcomes(battle.deck_facts(), outcome)
            )
        }
        Event::Repaired { ship, card } => format!("{} repairs {}.", name(ship), card_name(battle.deck_facts(), *card)),
        Event::Removed { ship } => format!("{} is destroyed and leaves the table.", name(ship)),
        Event::Ended { winner, ending } => {
            let winner = match winner {
                Some(side) if side == squad::PLAYER => "The game is over: the player has won.".to_owned(),
                Some(side) => format!("The game is over: the {side} side has won."),
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

/// What comes of damage; of the same thing twice its number is said.
fn outcomes(facts: &DeckFacts, outcome: &[DamageEvent]) -> String {
    let is_shield = |event: &&DamageEvent| matches!(event, DamageEvent::ShieldLost);
    let is_facedown = |event: &&DamageEvent| {
        matches!(
            event,
            DamageEvent::Dealt {
                face_up: false,
                card: Some(_)
            }
        )
    };
    let mut words = Vec::new();
    match outcome.iter().filter(is_shield).count() as u32 {
        0 => {}
        lost => words.push(format!("loses {}", count(lost, "shield"))),
    }
    match outcome.iter().filter(is_facedown).count() as u32 {
        0 => {}
        dealt => words.push(format!("{} face down", count(dealt, "damage card"))),
    }
    let others = outcome.iter().filter(|event| !is_shield(event) && !is_facedown(event));
    words.extend(others.map(|event| damage_event(facts, event)));
    words.join(", ")
}

fn damage_event(facts: &DeckFacts, event: &DamageEvent) -> String {
    match event {
        DamageEvent::ShieldLost => "a shield is lost".to_owned(),
        DamageEvent::Dealt { card: None, .. } => "damage without a card".to_owned(),
        DamageEvent::Dealt {
            card: Some(card),
            face_up: true,
        } => format!("{} face up", card_name(facts, *card)),
        DamageEvent::Dealt { face_up: false, .. } => "a card face down".to_owned(),
        DamageEvent::Exposed(card) => format!("{} is turned face up", card_name(facts, *card)),
        DamageEvent::Destroyed => "destroyed".to_owned(),
    }
}
