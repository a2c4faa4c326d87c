//! What is asked, chosen and done in a battle, in words for people.
//!
//! Cards are named by their ids here, as the battle knows them; whoever shows the words says their printed names
//! ([`Titles::speak`](crate::xwing::catalog::Titles::speak)).

mod events;
pub mod placing;

use std::fmt::Write as _;

pub use events::{event, events};

use crate::{
    dice::{AttackFace, DefenceFace},
    solo_alpha::{
        attack::engage::weapon_words,
        chart::{attack_name, defence_name},
        sentence::{NamedDetailIn, SpokenIn, called as spoken_name},
    },
    xwing::{
        ObjectId,
        action::ActionDetail,
        battle::{Answer, Battle, Choice, Order, Pull, Request},
        combat::{AttackStep, Spending},
        damage_deck::{Card, Damage, DeckFacts},
        device::Harm,
        edition::{Edition, words::Words},
        escort::protect::PROTECT,
        maneuver::{Difficulty, Side},
        movement::Alignment,
        obstacle::{Obstacle, ObstacleKind},
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

/// What an object of the table is called: a ship by its [`title`], an obstacle by what it is and its id, a device or a
/// marker by its id.
pub fn called(battle: &Battle, id: &str) -> String {
    let table = battle.table();
    if let Some(ship) = table.ship(id) {
        return title(ship);
    }
    let obstacle = table.obstacles.iter().find(|obstacle| *obstacle.id == *id);
    obstacle.map_or_else(|| id.to_owned(), self::obstacle)
}

/// As in `asteroid O3`.
pub fn obstacle(obstacle: &Obstacle) -> String {
    let kind = match obstacle.kind {
        ObstacleKind::Asteroid => "asteroid",
        ObstacleKind::Debris => "debris field",
        ObstacleKind::GasCloud => "gas cloud",
    };
    format!("{kind} {}", obstacle.id)
}

/// Several objects, as in `P1 Luke Skywalker, asteroid O3`.
fn all_called(battle: &Battle, ids: &[ObjectId]) -> String {
    let names: Vec<String> = ids.iter().map(|id| called(battle, id)).collect();
    names.join(", ")
}

/// A list as it is spoken: `one, two and three`.
fn listed(names: &[String]) -> String {
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// A sentence of the opponent about a ship, beginning with what the ship is called.
pub fn said(ship: &Ship, sentence: &str) -> String {
    let title = title(ship);
    let name = spoken_name(ship);
    if let Some(rest) = sentence.strip_prefix(name).filter(|rest| rest.starts_with(' ')) {
        return format!("{title}{rest}");
    }
    if sentence.starts_with(&*ship.id) {
        return sentence.to_owned();
    }
    // Steps with dice are written as orders.
    if let Some(rest) = sentence.strip_prefix("Spend ") {
        return format!("{title} spends {rest}");
    }
    // What it does goes on from its name; the name of a card stays as it is.
    let mut words = sentence.split(' ');
    let does = words
        .next()
        .is_some_and(|word| word.ends_with('s') && word.chars().all(char::is_alphabetic));
    let goes_on = words
        .next()
        .is_some_and(|word| word.starts_with(char::is_lowercase) || word.starts_with("Force"));
    let mut letters = sentence.chars();
    match letters.next() {
        Some(first) if does && goes_on => format!("{title} {}{}", first.to_lowercase(), letters.as_str()),
        _ => format!("{title}: {sentence}"),
    }
}

/// What is chosen of what is asked now, with everything named that the answer alone only numbers.
pub fn chosen(battle: &Battle, answer: &Answer) -> String {
    match (answer, battle.pending()) {
        (Answer::Attack(Some(order)), Some(request)) => {
            let attacker = battle.table().ship(request.ship());
            let weapon = attacker.and_then(|ship| ship.weapons.get(order.weapon));
            let weapon = weapon.map_or_else(|| "a weapon".to_owned(), weapon_words);
            format!("attack on {} with the {weapon}", called(battle, &order.target))
        }
        (Answer::Act(orders), _) if !orders.is_empty() => {
            let orders: Vec<String> = orders.iter().map(|order| action(battle, order)).collect();
            orders.join(", then ")
        }
        (Answer::Effect(Some(place)), Some(Request::Effect(offer))) => match offer.choices.get(*place) {
            Some(chosen) => format!("{}: {}", offer.card, choice(battle, chosen)),
            None => self::answer(battle.edition(), answer),
        },
        (Answer::Effect(None), Some(Request::Effect(offer))) => format!("{} is not used", offer.card),
        (Answer::Dice(choice), _) => {
            let windows = battle.duel().and_then(|duel| duel.windows.as_ref());
            match windows.filter(|_| choice.step.effect.is_some()) {
                Some(windows) => windows.words(choice.step),
                None => self::answer(battle.edition(), answer),
            }
        }
        (Answer::Detonate(obstacle), _) => format!("around {}", called(battle, obstacle)),
        _ => self::answer(battle.edition(), answer),
    }
}

/// What is chosen of what is asked now, as a sentence with the ship's name.
pub fn chose(battle: &Battle, answer: &Answer) -> String {
    let ship = battle
        .pending()
        .map_or_else(String::new, |request| called(battle, request.ship()));
    match answer {
        Answer::Dial(maneuver) => format!("{ship} sets its dial to {}.", SpokenIn(battle.edition(), *maneuver)),
        Answer::Fly(_) => format!("{ship} flies {}.", self::answer(battle.edition(), answer)),
        Answer::Act(orders) if orders.is_empty() => format!("{ship} takes no action."),
        Answer::Attack(None) => format!("{ship} does not attack."),
        Answer::Attack(Some(_)) => format!("{ship}: {}.", chosen(battle, answer)),
        Answer::ModifyAttack(_) | Answer::ModifyDefence(_) => {
            // As an order it begins with `spend`.
            format!(
                "{ship} {}.",
                self::answer(battle.edition(), answer).replacen("spend", "spends", 1)
            )
        }
        _ => format!("{ship}: {}.", chosen(battle, answer)),
    }
}

/// What may be chosen of a card, ships by their names.
pub fn choice(battle: &Battle, choice: &Choice) -> String {
    match choice {
        Choice::Use { targets, price } if !targets.is_empty() => {
            let price = match price {
                0 => String::new(),
                price => format!(" at its price {}", price + 1),
            };
            format!("use it on {}{price}", all_called(battle, targets))
        }
        Choice::Use { price: 0, .. } => "use it".to_owned(),
        choice => choice.to_string(),
    }
}

/// An action in a few words, what it is about by its name.
pub fn action(battle: &Battle, order: &Order) -> String {
    let words = self::order(battle.edition(), order);
    let about = match order {
        Order::Bar {
            detail: ActionDetail::Lock(id) | ActionDetail::Jam(id) | ActionDetail::Coordinate(id),
            ..
        } => id,
        _ => return words,
    };
    match words.strip_suffix(&**about) {
        Some(what) => format!("{what}{}", called(battle, about)),
        None => words,
    }
}

/// What is asked, as a heading: who, and for what.
pub fn request(battle: &Battle, request: &Request) -> String {
    let ship = called(battle, request.ship());
    match request {
        Request::Dial { .. } => format!("{ship}: dial"),
        Request::Decloak { .. } => format!("{ship}: decloak"),
        Request::Drop { .. } => format!("{ship}: device"),
        Request::Detonate { device, .. } => format!("{ship}: obstacle around which {device} goes off"),
        Request::Pull { target, .. } => format!("{ship}: moves the tractored {}", called(battle, target)),
        Request::PickManeuver { target, .. } => {
            format!("{ship}: maneuver of the stressed {}", called(battle, target))
        }
        Request::Jammed { .. } => format!("{ship}: what the jam token takes with it"),
        Request::MineUnder { device, .. } => format!("{ship}: ship under which {device} goes off"),
        Request::Fly { fixed: None, .. } => format!("{ship}: maneuver"),
        Request::Fly {
            fixed: Some(maneuver), ..
        } => format!("{ship}: flies {}", SpokenIn(battle.edition(), *maneuver)),
        Request::Act {
            coordinated_by: Some(by),
            ..
        } => format!("{ship}: action, coordinated by {}", called(battle, by)),
        Request::Act { .. } => format!("{ship}: action"),
        Request::Attack { .. } => format!("{ship}: attack"),
        Request::ModifyAttack { .. } => format!("{ship}: attack dice"),
        Request::ModifyDefence { .. } => format!("{ship}: defence dice"),
        Request::Dice { window, .. } => format!("{ship}: {}", window.name()),
        Request::Effect(offer) => match offer.asks {
            Some(_) => format!("{ship}: {} is played by hand", offer.card),
            None if offer.card == PROTECT => format!("{ship}: a Protect token"),
            None => format!("{ship}: {}", offer.card),
        },
        Request::CardAction(given) => format!("{ship}: action by {}", given.card),
    }
}

/// A choice in a few words, those of the edition.
pub fn answer(edition: Edition, answer: &Answer) -> String {
    match answer {
        Answer::Dial(maneuver) => SpokenIn(edition, *maneuver).to_string(),
        Answer::Decloak(None) => "stay cloaked".to_owned(),
        Answer::Decloak(Some(Decloak::Forward)) => "decloak ahead".to_owned(),
        Answer::Decloak(Some(Decloak::Sideways { side, slide_mm })) => {
            format!("decloak {}", sideways(*side, *slide_mm))
        }
        Answer::Drop(None) => "no drop".to_owned(),
        Answer::Drop(Some(template)) => format!("drop by the {template}"),
        Answer::DropOther { device, template } => format!("drop {device} by the {template}"),
        Answer::Detonate(obstacle) => format!("around {obstacle}"),
        Answer::Pull(None) => "no move".to_owned(),
        Answer::Pull(Some(Pull::Boost)) => "boost it ahead".to_owned(),
        Answer::Pull(Some(Pull::BarrelRoll { side, slide_mm })) => format!("roll it {}", sideways(*side, *slide_mm)),
        Answer::PickManeuver(maneuver) => SpokenIn(edition, *maneuver).to_string(),
        Answer::Jammed(what) => what.to_string(),
        Answer::MineUnder(ship) => format!("under {ship}"),
        Answer::Fly(flight) => {
            let mut text = SpokenIn(edition, flight.maneuver).to_string();
            match flight.alignment {
                Alignment::Middle => {}
                Alignment::Forward => text.push_str(", set forward"),
                Alignment::Back => text.push_str(", set back"),
                Alignment::Slide(mm) => {
                    let _ = write!(text, ", set {mm:+} mm");
                }
            }
            if let Some(turn) = flight.edge_turn {
                let _ = write!(text, ", at the edge turning {turn} degrees");
            }
            text
        }
        Answer::Act(orders) if orders.is_empty() => "no action".to_owned(),
        Answer::Act(orders) => orders
            .iter()
            .map(|one| order(edition, one))
            .collect::<Vec<_>>()
            .join(", then "),
        Answer::Attack(None) => "no attack".to_owned(),
        Answer::Attack(Some(order)) => format!("attack on {} with weapon {}", order.target, order.weapon + 1),
        Answer::ModifyAttack(step) => attack_step(step),
        Answer::ModifyDefence(spending) => format!("spend {spending}"),
        Answer::Dice(choice) => choice.to_string(),
        Answer::Effect(None) => "nothing".to_owned(),
        Answer::Effect(Some(choice)) => format!("choice {}", choice + 1),
        Answer::Dispute { about } if about.is_empty() => "dispute".to_owned(),
        Answer::Dispute { about } => format!("dispute: {about}"),
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
        (harm.stress, "stress token"),
        (harm.face_up, "faceup damage card"),
    ];
    let parts: Vec<String> = (parts.into_iter().filter(|(number, _)| *number > 0))
        .map(|(number, what)| count(u32::from(number), what))
        .collect();
    match parts.is_empty() {
        true => "nothing happens".to_owned(),
        false => parts.join(", "),
    }
}

/// An action in a few words, those of the edition.
pub fn order(edition: Edition, order: &Order) -> String {
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
            format!("{colour}{}", NamedDetailIn(edition, *kind, detail))
        }
        Order::Card(card) if card == PROTECT => "protect the shuttle".to_owned(),
        Order::Card(card) => format!("the action of {card}"),
    }
}

/// The name of a damage card.
pub fn card_name(facts: &DeckFacts, card: Card) -> &str {
    card.facts(facts)
        .map_or("an unknown damage card", |facts| facts.name.as_str())
}

/// What an attacker does with its dice, as an order.
pub fn attack_step(step: &AttackStep) -> String {
    match step {
        AttackStep::Reroll { means, .. } => {
            let dice = step.rerolled().map(|(number, what)| count(u32::from(number), what));
            let dice: Vec<String> = dice.collect();
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

/// As in `1 blank`, `2 blanks`, `2 dice`.
pub fn count(count: u32, what: &str) -> String {
    match (count, what) {
        (1, _) => format!("1 {what}"),
        (_, "damage") => format!("{count} damage"),
        _ => match what.strip_suffix("die") {
            Some(kind) => format!("{count} {kind}dice"),
            None if what.ends_with("sh") => format!("{count} {what}es"),
            None => format!("{count} {what}s"),
        },
    }
}

/// A number of dice by face, as in `2 hits, 1 blank`; `no dice` for none.
pub fn counted(faces: &[(u8, &str)]) -> String {
    let there = faces.iter().filter(|(number, _)| *number > 0);
    let words: Vec<String> = there
        .map(|(number, face)| match (number, *face) {
            // `2 focuses` is said by nobody.
            (1, _) | (_, "focus") => format!("{number} {face}"),
            (_, face) => count(u32::from(*number), face),
        })
        .collect();
    match words.is_empty() {
        true => "no dice".to_owned(),
        false => words.join(", "),
    }
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

/// All tokens of a ship in the words of an edition, as in `2 stress, focus`; empty for none.
pub fn tokens_by(tokens: &Tokens, edition: &Words) -> String {
    let name = |token: &'static str| match token {
        "disarm" => edition.disarm,
        token => token,
    };
    let there = tokens.named().into_iter().filter(|(_, count)| *count > 0);
    let words: Vec<String> = there
        .map(|(token, count)| match count {
            1 => name(token).to_owned(),
            _ => format!("{count} {}", name(token)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{geometry::Pose, xwing::catalog::Catalog};

    #[test]
    fn a_sentence_of_the_opponent_goes_on_from_the_ships_name() {
        let resolved = Catalog::embedded()
            .resolve("tielnfighter", Some("howlrunner"), [""; 0])
            .unwrap();
        let ship = resolved.into_ship("S1".into(), "solo".to_owned(), Pose::new(0.0, 0.0, 0.0));
        let name = title(&ship);
        for (sentence, expected) in [
            (
                "\u{201c}Howlrunner\u{201d} takes a focus token.",
                " takes a focus token.",
            ),
            (
                "Has nothing to spend on its dice.",
                " has nothing to spend on its dice.",
            ),
            ("Spends Force: 2 evade results.", " spends Force: 2 evade results."),
            (
                "Spend focus: turn 1 focus result to hit.",
                " spends focus: turn 1 focus result to hit.",
            ),
            ("Autothrusters: reroll 1 blank.", ": Autothrusters: reroll 1 blank."),
            ("Proton Torpedoes: add 1 crit.", ": Proton Torpedoes: add 1 crit."),
            ("Nothing more is done.", ": Nothing more is done."),
            ("", ": "),
        ] {
            assert_eq!(said(&ship, sentence), format!("{name}{expected}"));
        }
    }

    #[test]
    fn things_are_counted_as_they_are_spoken_of() {
        for (number, what, expected) in [
            (1, "game", "1 game"),
            (2, "game", "2 games"),
            (0, "attack die", "0 attack dice"),
            (1, "attack die", "1 attack die"),
            (3, "die", "3 dice"),
            (2, "damage", "2 damage"),
            (2, "skirmish", "2 skirmishes"),
        ] {
            assert_eq!(count(number, what), expected);
        }
        assert_eq!(
            counted(&[(2, "hit"), (0, "crit"), (2, "focus"), (1, "blank")]),
            "2 hits, 2 focus, 1 blank"
        );
        assert_eq!(counted(&[(0, "hit")]), "no dice");
    }
}
