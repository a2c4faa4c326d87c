//! What somebody is asked at the keyboard: the choices that the rules allow, each with what is typed for it.

use super::{dial, escort};
use crate::{
    dice::SeededDice,
    record::words,
    solo_alpha::{attack::engage::weapon_words, sentence::SpokenIn},
    xwing::{
        action::{ActionDetail, ActionKind, BarAction, ColoredAction},
        battle::{Answer, AttackOrder, Battle, DiceChoice, Duel, Flight, Order, Pull, Request},
        catalog::Titles,
        combat::{self, AttackDice, AttackStep, SpendFirst, Spending, contest::Step},
        edition::Edition,
        maneuver::{Bearing, Maneuver, Side},
        measure,
        movement::{Alignment, Departure, MovementOptions},
        reposition::{self, Decloak, Sidestep},
        ship::Ship,
        targeting,
    },
};

/// One way to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What is typed for it.
    pub key: String,
    /// What it is.
    pub words: String,
    /// The answer.
    pub answer: Answer,
}

/// A question with all its answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Who is asked, and for what.
    pub heading: String,
    /// What ought to be known about it: dice as they lie, what an attack would be.
    pub facts: Vec<String>,
    /// Whether the keys are dial codes: then the dial is shown, and maneuvers may be typed in words.
    pub dial: bool,
    /// The answers.
    pub choices: Vec<Choice>,
    /// The place of the answer for who types nothing.
    pub default: usize,
}

impl Question {
    /// What is asked now, with the answer of `suggested` as the default. `None` when nothing is, or when nothing is left
    /// to choose: then the one answer there is counts, see [`Question::only`].
    pub fn of(battle: &Battle, suggested: Option<&Answer>, titles: &Titles) -> Option<Question> {
        let request = battle.pending()?;
        let ship = battle.table().ship(request.ship())?;
        let mut question = Question {
            heading: words::request(battle, request),
            facts: Vec::new(),
            dial: false,
            choices: Vec::new(),
            default: 0,
        };
        match request {
            Request::Dial { .. } => {
                question.dial = true;
                question.facts = escort::of_run(battle, &ship.id);
                let maneuvers = ship.dial.maneuvers().iter();
                question.choices = maneuvers
                    .map(|&maneuver| of_dial(battle.edition(), maneuver, Answer::Dial(maneuver)))
                    .collect();
            }
            Request::Fly { fixed, .. } => fly(battle, ship, *fixed, &mut question),
            Request::Act { .. } => {
                let orders = orders(battle, ship, None);
                question.facts = escort::of_protect(battle, &orders);
                question.add("no action".to_owned(), Answer::Act(Vec::new()));
                for order in orders {
                    question.add(words::action(battle, &order), Answer::Act(vec![order]));
                }
            }
            Request::Attack { .. } => attacks(battle, ship, &mut question),
            Request::Decloak { .. } => {
                question.answers(
                    battle.edition(),
                    [Answer::Decloak(None), Answer::Decloak(Some(Decloak::Forward))],
                );
                let sideways = Side::BOTH.into_iter().flat_map(|side| {
                    let slides = places(battle, ship, Sidestep::Decloak, side).into_iter();
                    slides.map(move |slide_mm| Answer::Decloak(Some(Decloak::Sideways { side, slide_mm })))
                });
                question.answers(battle.edition(), sideways);
            }
            Request::Drop { .. } => {
                question.answers(battle.edition(), [Answer::Drop(None)]);
                let drops = battle.drops(ship).into_iter();
                question.answers(battle.edition(), drops.map(|template| Answer::Drop(Some(template))));
                let others = battle.other_drops(ship).into_iter();
                let others = others.map(|(device, template)| Answer::DropOther { device, template });
                question.answers(battle.edition(), others);
            }
            Request::Detonate { .. } => {
                let obstacles = battle.table().obstacles.iter();
                for obstacle in obstacles {
                    let words = format!("around {}", words::obstacle(obstacle));
                    question.add(words, Answer::Detonate(obstacle.id.clone()));
                }
            }
            Request::Pull { target, .. } => {
                question.answers(battle.edition(), [Answer::Pull(None)]);
                if let Some(pulled) = battle.table().ship(target) {
                    question.answers(
                        battle.edition(),
                        Pull::all(battle.table(), pulled, &movement(battle)).map(|pull| Answer::Pull(Some(pull))),
                    );
                }
            }
            Request::PickManeuver { target, .. } => {
                question.answers(
                    battle.edition(),
                    battle.pickable(target).into_iter().map(Answer::PickManeuver),
                );
            }
            Request::Jammed { ship } => {
                question.answers(battle.edition(), battle.jammable(ship).into_iter().map(Answer::Jammed))
            }
            Request::MineUnder { device, .. } => {
                question.answers(
                    battle.edition(),
                    battle.under_mine(device).into_iter().map(Answer::MineUnder),
                );
            }
            Request::ModifyAttack { .. } | Request::ModifyDefence { .. } | Request::Dice { .. }
                if battle.duel().is_some_and(|duel| duel.windows.is_some()) =>
            {
                windows(battle, &mut question);
            }
            Request::Dice { .. } => {}
            Request::Effect(offer) => {
                question.facts.extend(escort::of_token(battle, &offer.card));
                if !offer.must {
                    question.add("do not use it".to_owned(), Answer::Effect(None));
                }
                for (place, choice) in offer.choices.iter().enumerate() {
                    question.add(words::choice(battle, choice), Answer::Effect(Some(place)));
                }
            }
            Request::CardAction(given) => {
                let bar = given.actions.iter();
                let ship = Ship {
                    actions: bar.map(|&action| BarAction { action, linked: None }).collect(),
                    ..ship.clone()
                };
                question.add("no action".to_owned(), Answer::Act(Vec::new()));
                for order in orders(battle, &ship, None) {
                    question.add(words::action(battle, &order), Answer::Act(vec![order]));
                }
            }
            Request::ModifyAttack { .. } => attack_dice(battle, &mut question),
            Request::ModifyDefence { .. } => defence_dice(battle, &mut question),
        }
        question.choices.retain(|choice| allowed(battle, &choice.answer));
        question.number();
        if let Some(suggested) = suggested {
            question.suggest(battle, suggested);
        }
        question.speak(titles);
        Some(question)
    }

    /// What may be linked to the actions that were chosen; `None` when nothing may.
    pub fn linked(battle: &Battle, orders: &[Order], titles: &Titles) -> Option<Question> {
        let request = battle.pending()?;
        let ship = battle.table().ship(request.ship())?;
        let Some(Order::Bar { kind, .. }) = orders.last() else {
            return None;
        };
        let mut after = battle.clone();
        let chosen = Answer::Act(orders.to_vec());
        after.answer(chosen.clone(), &mut SeededDice::new(0)).ok()?;
        // Where the ship stands when it has taken them: what it can reach from there.
        let there = after.table().ship(&ship.id).unwrap_or(ship);
        let mut question = Question {
            heading: format!("{}: linked action", words::title(ship)),
            facts: Vec::new(),
            dial: false,
            choices: Vec::new(),
            default: 0,
        };
        question.add("nothing more".to_owned(), chosen);
        for order in self::orders(&after, there, Some(*kind)) {
            let named = words::action(battle, &order);
            let mut all = orders.to_vec();
            all.push(order);
            question.add(named, Answer::Act(all));
        }
        question.choices.retain(|choice| allowed(battle, &choice.answer));
        question.number();
        question.speak(titles);
        (question.choices.len() > 1).then_some(question)
    }

    /// The answer, where there is nothing to choose.
    pub fn only(&self) -> Option<&Answer> {
        match self.choices.as_slice() {
            [only] => Some(&only.answer),
            _ => None,
        }
    }

    /// Says printed names in place of ids.
    fn speak(&mut self, titles: &Titles) {
        titles.speak_in(&mut self.heading);
        self.facts.iter_mut().for_each(|fact| titles.speak_in(fact));
        for choice in &mut self.choices {
            titles.speak_in(&mut choice.words);
        }
    }

    /// Answers whose words say enough.
    fn answers(&mut self, edition: Edition, answers: impl IntoIterator<Item = Answer>) {
        for answer in answers {
            self.add(words::answer(edition, &answer), answer);
        }
    }

    fn add(&mut self, words: String, answer: Answer) {
        let key = String::new();
        self.choices.push(Choice { key, words, answer });
    }

    /// Numbers the choices that nothing else is typed for; doing nothing is 0.
    fn number(&mut self) {
        let nothing = |answer: &Answer| match answer {
            Answer::Act(orders) => orders.is_empty(),
            Answer::Attack(order) => order.is_none(),
            Answer::Decloak(way) => way.is_none(),
            Answer::Drop(template) => template.is_none(),
            Answer::Pull(pull) => pull.is_none(),
            Answer::Dice(choice) => choice.step.effect.is_none(),
            Answer::Effect(choice) => choice.is_none(),
            _ => false,
        };
        let start = usize::from(self.choices.first().is_none_or(|choice| !nothing(&choice.answer)));
        for (number, choice) in (start..).zip(&mut self.choices) {
            if choice.key.is_empty() {
                choice.key = number.to_string();
            }
        }
    }

    fn suggest(&mut self, battle: &Battle, suggested: &Answer) {
        // Of linked actions the first one is asked first.
        let first = match suggested {
            Answer::Act(orders) if orders.len() > 1 => &Answer::Act(orders[..1].to_vec()),
            _ => suggested,
        };
        let same = |choice: &Choice| match (&choice.answer, first) {
            // What was weighed is no part of the choice.
            (Answer::Dice(choice), Answer::Dice(first)) => choice.step == first.step,
            (answer, first) => answer == first,
        };
        match self.choices.iter().position(same) {
            Some(place) => self.default = place,
            None if allowed(battle, first) => {
                self.default = self.choices.len();
                self.add(words::chosen(battle, first), first.clone());
                self.number();
            }
            None => {}
        }
    }

    /// The choice that is meant by what was typed.
    ///
    /// # Errors
    /// What can be typed.
    pub fn meant(&self, typed: &str) -> Result<&Choice, String> {
        let typed = typed.trim();
        if typed.is_empty() {
            return self.choices.get(self.default).ok_or_else(|| self.expected());
        }
        let same = |choice: &&Choice| choice.key.eq_ignore_ascii_case(typed);
        if let Some(choice) = self.choices.iter().find(same) {
            return Ok(choice);
        }
        if self.dial {
            let meant = dial::meant(typed);
            let found = self.choices.iter().filter(|choice| {
                let maneuver = match choice.answer {
                    Answer::Dial(maneuver) => maneuver,
                    Answer::Fly(flight) => flight.maneuver,
                    _ => return false,
                };
                meant == Some((maneuver.speed, maneuver.bearing))
            });
            return one(found).ok_or_else(|| self.expected());
        }
        // The beginning of its words is enough, where no other begins so.
        let typed = typed.to_lowercase();
        let begins = |choice: &&Choice| choice.words.to_lowercase().starts_with(&typed);
        one(self.choices.iter().filter(begins)).ok_or_else(|| self.expected())
    }

    fn expected(&self) -> String {
        match self.dial {
            true => "type a maneuver of the dial, as in 2B or `2 bank left`".to_owned(),
            false => "type the number of a choice, or the beginning of its words".to_owned(),
        }
    }
}

fn one<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Whether the battle would take this answer.
fn allowed(battle: &Battle, answer: &Answer) -> bool {
    // What comes of it does not matter, so neither do the dice.
    battle.clone().answer(answer.clone(), &mut SeededDice::new(0)).is_ok()
}

fn of_dial(edition: Edition, maneuver: Maneuver, answer: Answer) -> Choice {
    Choice {
        key: dial::code(maneuver),
        words: SpokenIn(edition, maneuver).to_string(),
        answer,
    }
}

fn fly(battle: &Battle, ship: &Ship, fixed: Option<Maneuver>, question: &mut Question) {
    let flight = |maneuver, alignment| {
        Answer::Fly(Flight {
            maneuver,
            alignment,
            edge_turn: None,
        })
    };
    match fixed {
        None => {
            question.dial = true;
            question.facts = escort::of_run(battle, &ship.id);
            let maneuvers = ship.dial.maneuvers().iter();
            let middle =
                |&maneuver: &Maneuver| of_dial(battle.edition(), maneuver, flight(maneuver, Alignment::Middle));
            question.choices = maneuvers.map(middle).collect();
        }
        Some(maneuver) if matches!(maneuver.bearing, Bearing::TallonRoll(_)) => {
            for alignment in alignments(battle, ship, maneuver) {
                let words = match alignment {
                    Alignment::Middle => "middle of the template".to_owned(),
                    Alignment::Forward => "forward".to_owned(),
                    Alignment::Back => "back".to_owned(),
                    Alignment::Slide(mm) => format!("{mm:+.1} mm"),
                };
                question.add(words, flight(maneuver, alignment));
            }
        }
        Some(maneuver) => question.add(
            SpokenIn(battle.edition(), maneuver).to_string(),
            flight(maneuver, Alignment::Middle),
        ),
    }
}

/// Everything on the action bar, or linked to an action of it, in every way there is; the battle says what is allowed.
fn orders(battle: &Battle, ship: &Ship, after: Option<ActionKind>) -> Vec<Order> {
    let bar = ship.actions.iter();
    let offered: Vec<ColoredAction> = match after {
        None => bar.map(|entry| entry.action).collect(),
        Some(kind) => (bar.filter(|entry| entry.action.kind == kind))
            .filter_map(|entry| entry.linked)
            .collect(),
    };
    let mut orders = Vec::new();
    for action in offered {
        match action.kind {
            ActionKind::Slam => orders.extend(slams(battle, ship, action)),
            _ => orders.extend(battle.orders_of(&ship.id, action)),
        }
    }
    if after.is_none() {
        orders.extend(battle.card_actions(&ship.id).into_iter().map(Order::Card));
    }
    orders
}

/// The end positions of a move to a side.
fn places(battle: &Battle, ship: &Ship, step: Sidestep, side: Side) -> Vec<f64> {
    reposition::places(battle.table(), ship, step, side, &movement(battle))
}

fn movement(battle: &Battle) -> MovementOptions {
    MovementOptions {
        guides: battle.guides(),
        ..MovementOptions::default()
    }
}

/// Where a Tallon roll may be set down; of other bearings the one end.
fn alignments(battle: &Battle, ship: &Ship, maneuver: Maneuver) -> Vec<Alignment> {
    Departure::new(battle.table(), ship, &movement(battle)).alignments(maneuver)
}

/// Every SLAM, also one that leaves the play area: a player may want that, and nobody else is offered it.
fn slams(battle: &Battle, ship: &Ship, action: ColoredAction) -> Vec<Order> {
    let speed = battle.moved().map(|moved| moved.maneuver.speed);
    let same = ship.dial.maneuvers().iter().filter(|entry| Some(entry.speed) == speed);
    let ways = same.flat_map(|&maneuver| {
        let ends = alignments(battle, ship, maneuver).into_iter();
        ends.map(move |alignment| ActionDetail::Slam { maneuver, alignment })
    });
    ways.filter_map(|detail| {
        Some(Order::Bar {
            kind: action.kind,
            difficulty: ship.color_of(&detail, action.difficulty)?,
            detail,
        })
    })
    .collect()
}

fn attacks(battle: &Battle, ship: &Ship, question: &mut Question) {
    question.add("no attack".to_owned(), Answer::Attack(None));
    let table = battle.targets_of(&ship.id);
    for other in table.ships_in_play().filter(|other| other.is_enemy_of(ship)) {
        for (place, weapon) in ship.weapons.iter().enumerate() {
            let Some(legal) = targeting::legal_target(&table.rules, ship, weapon, other) else {
                continue;
            };
            let obstructed = measure::obstructed(&table, ship, other, legal.arc);
            let pools = battle.pools(ship, other, weapon, &legal, obstructed);
            let expected = pools.forecast().damage;
            let left = battle.fighter(&other.id).map_or(0, crate::xwing::battle::Fighter::left);
            let words = format!(
                "{} with the {}, range {}{}: {} against {}; {expected:.2} damage expected, {left} left",
                words::title(other),
                weapon_words(weapon),
                legal.range,
                if obstructed { ", obstructed" } else { "" },
                words::count(u32::from(pools.attack_dice), "attack die"),
                words::count(u32::from(pools.defence_dice), "defence die"),
            );
            let target = other.id.clone();
            question.add(words, Answer::Attack(Some(AttackOrder { weapon: place, target })));
        }
    }
}

/// What the side may do whose turn it is in an attack that cards touch, as the cards say it.
fn windows(battle: &Battle, question: &mut Question) {
    let Some(duel) = battle.duel() else { return };
    question.facts.push(dice_of(battle, duel));
    let Some(windows) = &duel.windows else { return };
    let Some((_, _, steps)) = windows.turn() else { return };
    // Doing nothing more first: it is number 0.
    let (done, others): (Vec<Step>, Vec<Step>) = steps.into_iter().partition(|step| step.effect.is_none());
    for step in done.into_iter().chain(others) {
        let choice = DiceChoice { step, weighed: None };
        question.add(windows.words(step), Answer::Dice(choice));
    }
}

/// The attack under way and the dice as they lie.
fn dice_of(battle: &Battle, duel: &Duel) -> String {
    let dice = duel.dice;
    let attack = words::counted(&[
        (dice.crits, "crit"),
        (dice.hits, "hit"),
        (dice.focuses + dice.rerolled_focuses, "focus"),
        (dice.blanks + dice.rerolled_blanks, "blank"),
    ]);
    let defence = duel.defence.map_or_else(String::new, |dice| {
        let dice = [(dice.evades, "evade"), (dice.focuses, "focus"), (dice.blanks, "blank")];
        format!("; the defence dice: {}", words::counted(&dice))
    });
    let (attacker, defender) = (
        words::called(battle, &duel.attacker),
        words::called(battle, &duel.defender),
    );
    let weapon = battle
        .table()
        .ship(&duel.attacker)
        .and_then(|ship| ship.weapons.get(duel.weapon));
    let weapon = weapon.map_or_else(|| "weapon".to_owned(), weapon_words);
    let obstructed = if duel.obstructed { ", obstructed" } else { "" };
    let lying = match dice == AttackDice::default() {
        true => "No dice are rolled yet".to_owned(),
        false => format!("The attack dice: {attack}{defence}"),
    };
    format!(
        "{attacker} attacks {defender} with its {weapon} at range {}{obstructed}. {lying}.",
        duel.target.range
    )
}

fn attack_dice(battle: &Battle, question: &mut Question) {
    let Some(duel) = battle.duel() else { return };
    let dice = duel.dice;
    question.facts.push(dice_of(battle, duel));
    let (pools, defence) = (&duel.pools, duel.pools.defence());
    let (tokens, first) = (pools.attack_tokens, SpendFirst::default());
    let options = combat::attack::offered(pools.rules, dice, duel.settled, tokens, &defence, first);
    for option in options.options {
        let words = format!(
            "{}: {:.2} damage expected",
            words::attack_step(&option.step),
            option.worth.damage
        );
        question.add(words, Answer::ModifyAttack(option.step));
    }
    if question.choices.is_empty() {
        let step = AttackStep::Finish {
            spending: Spending::default(),
            changed: 0,
        };
        question.add(words::attack_step(&step), Answer::ModifyAttack(step));
    }
}

fn defence_dice(battle: &Battle, question: &mut Question) {
    let Some(duel) = battle.duel() else { return };
    let (results, dice) = (duel.results(), duel.defence.unwrap_or_default());
    question.facts.push(dice_of(battle, duel));
    let pools = &duel.pools;
    let options = combat::defence::offered(
        pools.rules,
        pools.rule,
        results,
        dice,
        pools.defence_tokens,
        SpendFirst::default(),
    );
    for option in options.options {
        let damage = words::count(u32::from(option.damage.count()), "damage");
        let words = format!("spend {}: {damage}", option.spending);
        question.add(words, Answer::ModifyDefence(option.spending));
    }
}
