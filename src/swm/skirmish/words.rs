//! A skirmish in words: what is asked, what was chosen, what happened; and choices as they are typed.

use std::{fmt, str::FromStr};

use super::{
    event::{Against, Cause, Event},
    request::{Answer, Correction, Request},
};
use crate::swm::{
    board::Board,
    figure::{Figure, Side},
    map::Place,
    square::Square,
};

/// What players call a figure.
fn name(board: &Board, id: &str) -> String {
    board.figure(id).map_or_else(|| id.to_owned(), Figure::called)
}

fn names(board: &Board, ids: &[String]) -> String {
    let all: Vec<String> = ids.iter().map(|id| name(board, id)).collect();
    all.join(", ")
}

/// A side in words, at the beginning of a sentence.
pub const fn side(side: Side) -> &'static str {
    match side {
        Side::Automated => "The automated side",
        Side::Player => "The player",
    }
}

fn points(count: u16) -> String {
    match count {
        1 => "a Force point".to_owned(),
        many => format!("{many} Force points"),
    }
}

/// Where a door is.
pub fn door(board: &Board, door: usize) -> String {
    match board.map().doors().get(door).map(|door| door.place) {
        Some(Place::Square(at)) => format!("The door at {at}"),
        Some(Place::East(at)) => format!("The door {at}-{}", Square::new(at.column + 1, at.row)),
        Some(Place::South(at)) => format!("The door {at}-{}", Square::new(at.column, at.row + 1)),
        None => format!("Door {door}"),
    }
}

/// What happened, in a sentence.
pub fn event(board: &Board, event: &Event) -> String {
    let name = |id: &str| self::name(board, id);
    match event {
        Event::RoundBegan { round } => format!("Round {round} begins."),
        Event::Initiative { player, automated } => {
            let again = if player == automated { "; both roll again" } else { "" };
            format!("Initiative: the player rolls {player}, the automated side {automated}{again}.")
        }
        Event::GoesFirst { side } => format!("{} goes first.", self::side(*side)),
        Event::PhaseBegan { side } => format!("{} activates figures.", self::side(*side)),
        Event::Activated { figure } => format!("{} activates.", name(figure)),
        Event::ForceGained { figure, points } => format!("{} gains {}.", name(figure), self::points(*points)),
        Event::ForceSpent { figure, points } => format!("{} spends {}.", name(figure), self::points(*points)),
        Event::Revealed { token, by, figures } => {
            let come: Vec<String> = figures.iter().map(|(id, at)| format!("{} at {at}", name(id))).collect();
            match come.is_empty() {
                true => format!("{} sees the token at {token}: nobody is there.", name(by)),
                false => format!("{} sees the token at {token}: {} come in.", name(by), come.join(", ")),
            }
        }
        Event::Stepped { figure, from, to } => format!("{} walks from {from} to {to}.", name(figure)),
        Event::CombinedFire { attacker, friends } => format!(
            "{} combines fire with {}: {:+} on the attack.",
            name(attacker),
            names(board, friends),
            super::turn::COMBINED * i16::try_from(friends.len()).unwrap_or_default()
        ),
        Event::Attacked {
            attacker,
            target,
            cause,
            rolled,
            bonus,
            defense,
            repeated,
            hit,
            critical,
        } => {
            let why = match cause {
                Cause::Turn => "",
                Cause::Twin => " (Twin Attack)",
                Cause::Power => " (by that power)",
                Cause::Opportunity => " (attack of opportunity)",
                Cause::Riposte => " (Riposte)",
            };
            let again = if *repeated { ", repeated with the Force" } else { "" };
            let outcome = match (hit, critical) {
                (true, true) => "a critical hit",
                (true, false) => "a hit",
                _ => "a miss",
            };
            let total = i16::from(*rolled) + bonus;
            format!(
                "{} attacks {}{why}: {rolled}{again} {bonus:+} = {total} against {defense}, {outcome}.",
                name(attacker),
                name(target)
            )
        }
        Event::Saved {
            figure,
            against,
            rolled,
            bonus,
            needs,
            repeated,
            succeeds,
        } => {
            let what = match against {
                Against::Ability(ability) => format!("against {ability}"),
                Against::Hit(power) => format!("with {power}"),
                Against::Illusion(of) => format!("against the illusion of {}", name(of)),
            };
            let again = if *repeated { ", repeated with the Force" } else { "" };
            let more = if *bonus > 0 {
                format!(" +{bonus}")
            } else {
                String::new()
            };
            let outcome = if *succeeds { "made" } else { "failed" };
            format!(
                "{} saves {what}: {rolled}{again}{more}, needs {needs}, {outcome}.",
                name(figure)
            )
        }
        Event::Area {
            attacker,
            ability,
            target,
            affected,
        } => format!(
            "{} uses {ability} on {}: it reaches {}.",
            name(attacker),
            name(target),
            names(board, affected)
        ),
        Event::Defended { figure, power } => format!("{} uses {power}.", name(figure)),
        Event::Intercepted { figure, ally } => {
            format!("{} takes the damage in place of {}.", name(figure), name(ally))
        }
        Event::DamageSet { figure, from, to } => {
            format!(
                "{} takes {to} damage in place of {from}, as the players say.",
                name(figure)
            )
        }
        Event::Corrected { correction } => corrected(board, correction),
        Event::Damaged { figure, damage, left } => format!("{} takes {damage} damage, {left} left.", name(figure)),
        Event::Healed { figure, left } => format!("{} is healed, {left} hit points now.", name(figure)),
        Event::Defeated { figure } => format!("{} is defeated.", name(figure)),
        Event::TurnEnded { figure } => format!("{} has finished.", name(figure)),
        Event::Door { door, open } => {
            let how = if *open { "opens" } else { "closes" };
            format!("{} {how}.", self::door(board, *door))
        }
        Event::Ended { winner } => match winner {
            Some(winner) => format!("{} wins.", side(*winner)),
            None => "The skirmish is over without a winner.".to_owned(),
        },
    }
}

fn corrected(board: &Board, correction: &Correction) -> String {
    match correction {
        Correction::HitPoints { figure, points } => format!("Set: {} has {points} hit points.", name(board, figure)),
        Correction::Force { figure, points: 1 } => format!("Set: {} has 1 Force point.", name(board, figure)),
        Correction::Force { figure, points } => format!("Set: {} has {points} Force points.", name(board, figure)),
        Correction::Activated { figure, activated } => {
            let has = if *activated { "has" } else { "has not" };
            format!("Set: {} {has} activated.", name(board, figure))
        }
        Correction::Place { figure, at } => format!("Set: {} stands at {at}.", name(board, figure)),
        Correction::Door { door, open } => {
            let how = if *open { "open" } else { "closed" };
            format!("Set: {} is {how}.", self::door(board, *door).to_lowercase())
        }
    }
}

/// What happened since so many events: the steps of one walk in one line.
pub fn events(board: &Board, events: &[Event]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut walk: Option<(&str, Square, Square, usize)> = None;
    let flush = |walk: &mut Option<(&str, Square, Square, usize)>, lines: &mut Vec<String>| {
        if let Some((figure, from, to, steps)) = walk.take() {
            let plural = if steps == 1 { "" } else { "s" };
            lines.push(format!(
                "{} walks from {from} to {to}, {steps} square{plural}.",
                name(board, figure)
            ));
        }
    };
    for event in events {
        match event {
            Event::Stepped { figure, from, to } => match &mut walk {
                Some((who, _, end, steps)) if *who == figure && end == from => {
                    *end = *to;
                    *steps += 1;
                }
                _ => {
                    flush(&mut walk, &mut lines);
                    walk = Some((figure, *from, *to, 1));
                }
            },
            other => {
                flush(&mut walk, &mut lines);
                lines.push(self::event(board, other));
            }
        }
    }
    flush(&mut walk, &mut lines);
    lines
}

/// What is asked, in a sentence.
pub fn request(board: &Board, request: &Request) -> String {
    let name = |id: &str| self::name(board, id);
    match request {
        Request::First { side } => format!("{} has won the initiative: who goes first?", self::side(*side)),
        Request::Activate { side } => format!("{}: which figure activates?", self::side(*side)),
        Request::Act { figure } => format!("{}: what does it do?", name(figure)),
        Request::Opportunity { figure, mover } => {
            format!("{} moves away from {}: does that attack?", name(mover), name(figure))
        }
        Request::Reroll {
            figure,
            rolled,
            bonus,
            needs,
            attack,
        } => {
            let what = if *attack { "misses" } else { "fails its save" };
            format!(
                "{} {what}: {rolled} {bonus:+} against {needs}. Repeat the roll for a Force point?",
                name(figure)
            )
        }
        Request::Defend {
            figure,
            attacker,
            damage,
            ..
        } => format!(
            "{} hits {} for {damage}: which power does it use?",
            name(attacker),
            name(figure)
        ),
        Request::Riposte { figure, attacker } => {
            format!(
                "{} was hit: does it attack {} back with the Force?",
                name(figure),
                name(attacker)
            )
        }
        Request::Intercept { figure, ally, damage } => {
            format!(
                "{} takes {damage} damage: does {} take it instead?",
                name(ally),
                name(figure)
            )
        }
        Request::ByHand {
            figure,
            damage,
            abilities,
        } => format!(
            "{} would take {damage} damage and has {}: how much does it take?",
            name(figure),
            abilities.join(", ")
        ),
    }
}

/// What was chosen, in a sentence that follows what was asked.
pub fn answer(board: &Board, answer: &Answer) -> String {
    let name = |id: &str| self::name(board, id);
    match answer {
        Answer::First(first) => format!("{} goes first.", side(*first)),
        Answer::Activate(figure) => format!("{} activates.", name(figure)),
        Answer::Move { way, force } => {
            let by_force = if *force { ", with a Force point" } else { "" };
            match way.last() {
                Some(end) => format!("It moves to {end}{by_force}."),
                None => "It stays.".to_owned(),
            }
        }
        Answer::Attack { target, stays, with } => {
            let stays = if *stays { " and gives up moving" } else { "" };
            let with = match with.is_empty() {
                true => String::new(),
                false => format!(", together with {}", names(board, with)),
            };
            format!("It attacks {}{with}{stays}.", name(target))
        }
        Answer::Area { ability, target } => format!("It uses {ability} on {}.", name(target)),
        Answer::Done => "It is done.".to_owned(),
        Answer::Yes(true) => "Yes.".to_owned(),
        Answer::Yes(false) => "No.".to_owned(),
        Answer::Power(Some(place)) => format!("Power {} of those that fit.", place + 1),
        Answer::Power(None) => "No power.".to_owned(),
        Answer::Damage(damage) => format!("{damage} damage."),
    }
}

/// What the players put right, in a sentence.
pub fn correction(board: &Board, correction: &Correction) -> String {
    let name = |id: &str| self::name(board, id);
    let told = match correction {
        Correction::HitPoints { figure, points } => format!("{} has {points} hit points left", name(figure)),
        Correction::Force { figure, points } => format!("{} has {points} Force points left", name(figure)),
        Correction::Activated { figure, activated } => {
            let word = if *activated { "has" } else { "has not" };
            format!("{} {word} activated", name(figure))
        }
        Correction::Place { figure, at } => format!("{} stands at {at}", name(figure)),
        Correction::Door { door: number, open } => {
            format!("{} is {}", door(board, *number), if *open { "open" } else { "closed" })
        }
    };
    format!("Put right: {told}.")
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::First(Side::Player) => f.write_str("first player"),
            Answer::First(Side::Automated) => f.write_str("first automated"),
            Answer::Activate(figure) => write!(f, "activate {figure}"),
            Answer::Move { way, force } => {
                f.write_str(if *force { "force" } else { "move" })?;
                way.iter().try_for_each(|square| write!(f, " {square}"))
            }
            Answer::Attack { target, stays, with } => {
                write!(f, "attack {target}")?;
                if *stays {
                    f.write_str(" staying")?;
                }
                match with.is_empty() {
                    true => Ok(()),
                    false => write!(f, " with {}", with.join(" ")),
                }
            }
            Answer::Area { ability, target } => write!(f, "area {target} {ability}"),
            Answer::Done => f.write_str("done"),
            Answer::Yes(true) => f.write_str("yes"),
            Answer::Yes(false) => f.write_str("no"),
            Answer::Power(Some(place)) => write!(f, "power {}", place + 1),
            Answer::Power(None) => f.write_str("power none"),
            Answer::Damage(damage) => write!(f, "damage {damage}"),
        }
    }
}

/// Text that is no choice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no choice: first player, activate P, move C4 C5, force C4 C5, attack a [staying] [with Q R], area a Grenades, done, \
     yes, no, power 1, power none, damage 10"
)]
pub struct NoAnswer(pub String);

impl FromStr for Answer {
    type Err = NoAnswer;

    fn from_str(text: &str) -> Result<Answer, NoAnswer> {
        let bad = || NoAnswer(text.to_owned());
        let mut words = text.split_whitespace();
        let first = words.next().ok_or_else(bad)?;
        let rest: Vec<&str> = words.collect();
        let one = || match rest[..] {
            [word] => Ok(word),
            _ => Err(bad()),
        };
        Ok(match first.to_ascii_lowercase().as_str() {
            "first" => Answer::First(match one()? {
                "player" => Side::Player,
                "automated" => Side::Automated,
                _ => return Err(bad()),
            }),
            "activate" => Answer::Activate(one()?.to_owned()),
            word @ ("move" | "force") => {
                let way: Result<Vec<Square>, _> = rest.iter().map(|square| square.parse()).collect();
                let way = way.ok().filter(|way| !way.is_empty()).ok_or_else(bad)?;
                Answer::Move {
                    way,
                    force: word == "force",
                }
            }
            "attack" => {
                let (target, mut more) = rest.split_first().ok_or_else(bad)?;
                let stays = more.first() == Some(&"staying");
                if stays {
                    more = &more[1..];
                }
                let with = match more {
                    [] => Vec::new(),
                    ["with", friends @ ..] if !friends.is_empty() => {
                        friends.iter().map(|friend| (*friend).to_owned()).collect()
                    }
                    _ => return Err(bad()),
                };
                Answer::Attack {
                    target: (*target).to_owned(),
                    stays,
                    with,
                }
            }
            "area" => {
                let (target, ability) = rest
                    .split_first()
                    .filter(|(_, more)| !more.is_empty())
                    .ok_or_else(bad)?;
                Answer::Area {
                    ability: ability.join(" "),
                    target: (*target).to_owned(),
                }
            }
            "done" if rest.is_empty() => Answer::Done,
            "yes" if rest.is_empty() => Answer::Yes(true),
            "no" if rest.is_empty() => Answer::Yes(false),
            "power" => match one()? {
                "none" => Answer::Power(None),
                number => {
                    let place: usize = number.parse().map_err(|_| bad())?;
                    Answer::Power(Some(place.checked_sub(1).ok_or_else(bad)?))
                }
            },
            "damage" => Answer::Damage(one()?.parse().map_err(|_| bad())?),
            _ => return Err(bad()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_written_and_read() {
        for text in [
            "first player",
            "first automated",
            "activate P",
            "move C4 C5 D5",
            "force C4",
            "attack a",
            "attack a staying",
            "attack a with Q R",
            "attack a staying with Q",
            "area a Force Lightning",
            "done",
            "yes",
            "no",
            "power 2",
            "power none",
            "damage 20",
        ] {
            let answer: Answer = text.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(answer.to_string(), text);
        }
        for text in [
            "",
            "move",
            "move 4",
            "attack",
            "attack a with",
            "power 0",
            "damage x",
            "fly",
            "done now",
        ] {
            assert!(text.parse::<Answer>().is_err(), "{text}");
        }
    }
}
