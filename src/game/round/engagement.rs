//! The engagement: who is asked, whose dice are rolled, and what follows at the table. Solo ships drop devices by SA-2, choose
//! weapon and target by SA-9, and spend on dice by SA-10 and SA-11, as the opponent says.

use super::{Ask, Asked, DiceFrom, Faces, Go, Mark, Pick, Then, faces::GivenDice};
use crate::{
    dice::SeededDice,
    game::{
        Effect, Event, Game, Prompt, Roll,
        event::{DiceWanted, Topic},
        opponent::Opponent,
        same_pose,
        step::{Step, StepKind, Token},
    },
    xwing::{
        ObjectId,
        battle::{Answer, Battle, Phase, Request},
        combat::{AttackStep, Spending},
        ship::{Ship, Status},
    },
};

/// The option that lets the program roll.
pub const ROLL_FOR_ME: &str = "Roll for me";

/// Time for a choice of the players, as a multiple of the time for their consent: they think, and measure.
const PATIENCE: u32 = 10;

impl<O: Opponent> Game<O> {
    /// The engagement phase begins, on the table as it was just seen.
    pub(super) fn engage(&mut self, go: Go) {
        let before = self.checkpoint();
        self.follow_table();
        let mut dice = self.phase_dice(Phase::Engagement);
        let Some(whole) = &mut self.whole else { return };
        whole.go = go;
        whole.battle.finish_activation(&mut dice);
        whole.dice = dice;
        self.show_phase();
        let ship = self
            .pending()
            .map_or_else(|| "".into(), |request| request.ship().clone());
        self.follow_battle(&ship, String::new(), Mark::Phase, before);
    }

    pub(super) fn pending(&self) -> Option<Request> {
        self.whole.as_ref()?.battle.pending().cloned()
    }

    /// Goes on until somebody has to be waited for.
    pub(crate) fn drive(&mut self) {
        loop {
            if self.activation.is_some() || !self.leads() {
                return;
            }
            let Some(whole) = &self.whole else { return };
            if whole.ask != Ask::Nothing {
                return;
            }
            match whole.battle.phase() {
                _ if self.asks_about_a_card() => {}
                Phase::System | Phase::Engagement => {}
                Phase::Planning | Phase::Over if whole.battle.round() > self.round => {
                    self.begin_next_round();
                    return;
                }
                Phase::Activation if self.is_going_off() => {}
                _ => {
                    self.show_phase();
                    return;
                }
            }
            self.show_phase();
            let Some(whole) = self.whole.as_ref().filter(|_| self.abilities.is_some()) else {
                return;
            };
            let Some(request) = whole.battle.pending().cloned() else {
                return;
            };
            let solo = self.seats.is_solo(request.ship());
            let declares = matches!(request, Request::Attack { .. });
            if solo && (whole.held || (declares && !self.may_go(request.ship()))) {
                return;
            }
            if declares && self.stale {
                self.look(Then::Turn, false);
                return;
            }
            // SA-12: what the program does not play is the players' to carry out, whoever flies the ship.
            let by_hand = matches!(&request, Request::Effect(offer) if offer.asks.is_some());
            if solo && by_hand {
                self.solo_choice(&request);
            }
            if solo && !by_hand {
                let (answer, sentence) = self.solo_choice(&request);
                self.choose(answer, sentence, Faces::default());
            } else if !self.ask_players(&request) {
                return;
            }
        }
    }

    fn may_go(&self, ship: &str) -> bool {
        let Some(whole) = &self.whole else { return false };
        match whole.go {
            Go::Wait => false,
            Go::Ship | Go::Phase => true,
            Go::Initiative(initiative) => whole
                .battle
                .table()
                .ship(ship)
                .is_some_and(|ship| ship.initiative == initiative),
        }
    }

    /// What the opponent chooses, and what it says; the reasons are told to everyone.
    fn solo_choice(&mut self, request: &Request) -> (Answer, String) {
        let mut dice = SeededDice::for_activation(self.config.seed, self.round, &format!("{} chooses", request.ship()));
        let Some(whole) = &mut self.whole else {
            return (Answer::Attack(None), String::new());
        };
        if whole.go == Go::Ship && matches!(request, Request::Attack { .. }) {
            whole.go = Go::Wait;
        }
        let (answer, explanation) = self.opponent.choose(&whole.battle, request, &mut dice);
        if !explanation.sentence.is_empty() {
            self.effects.push(Effect::Event(Event::Decided {
                ship: request.ship().clone(),
                sentence: explanation.sentence.clone(),
                reasons: explanation.reasons,
            }));
        }
        // What happens says it all, with the dice.
        let told = matches!(
            answer,
            Answer::Attack(Some(_)) | Answer::Drop(Some(_)) | Answer::Effect(_)
        );
        (answer, if told { String::new() } else { explanation.sentence })
    }

    /// Asks the players for a choice. False if they cannot be asked, and a default was taken without an errand.
    fn ask_players(&mut self, request: &Request) -> bool {
        let Some(question) = self.question_for(request) else {
            // Nothing to choose: the one thing that there is.
            let (answer, _) = self.default_choice(request);
            self.choose(answer, String::new(), Faces::default());
            return true;
        };
        let prompt = Prompt {
            id: self.new_id("q"),
            text: question.text,
            options: question.picks.iter().map(|(text, _)| text.clone()).collect(),
            default: question.default,
            deadline_ms: self.config.prompt_deadline_ms.saturating_mul(PATIENCE),
            topic: question.topic,
            ship: Some(request.ship().clone()),
            dice: None,
        };
        let picks: Vec<Pick> = question.picks.into_iter().map(|(_, pick)| pick).collect();
        if let Some(whole) = &mut self.whole {
            whole.ask = Ask::Choice {
                prompt: prompt.clone(),
                picks,
            };
        }
        if self.abilities.as_ref().is_none_or(|abilities| abilities.prompt) {
            self.effects.push(Effect::Prompt(prompt));
            self.status();
            return false;
        }
        self.choice_made(&prompt.id, None);
        true
    }

    /// The players chose; `None`: the deadline passed and the default counts.
    pub(crate) fn choice_made(&mut self, prompt_id: &str, choice: Option<&str>) {
        let Some(whole) = &mut self.whole else { return };
        match &whole.ask {
            Ask::Choice { prompt, picks } if prompt.id == prompt_id => {
                let place = |text: &str| prompt.options.iter().position(|option| option == text);
                let place = choice.and_then(place).or_else(|| place(&prompt.default)).unwrap_or(0);
                let pick = picks.get(place).cloned();
                let ship = prompt.ship.clone();
                whole.ask = Ask::Nothing;
                match pick {
                    Some(Pick::Choose(answer, sentence)) => self.choose(answer, sentence, Faces::default()),
                    Some(Pick::ByHand) => {
                        let name = ship.map_or_else(String::new, |ship| self.name(&ship));
                        let text = format!(
                            "{name} attacks by hand: tell the damage with the buttons of the ship that it hits."
                        );
                        self.choose(Answer::Attack(None), text, Faces::default());
                    }
                    Some(Pick::SetUp(reply)) => self.set_up_answered(reply),
                    None => {}
                }
                self.drive();
            }
            Ask::Dice {
                asked: Asked::Players(prompt),
                wanted,
                ..
            } if prompt.id == prompt_id => {
                let wanted = *wanted;
                match choice {
                    Some(text) if text != ROLL_FOR_ME => match Faces::parse(text, wanted) {
                        Some(faces) => self.dice_came(Some(faces)),
                        None => self.ask_dice_again(text),
                    },
                    _ => self.dice_came(None),
                }
            }
            _ => {}
        }
        self.status();
    }

    /// The table's dice were read; `None`: they were not.
    pub(crate) fn table_rolled(&mut self, roll_id: &str, faces: Option<Faces>) {
        let Some(whole) = &self.whole else { return };
        if let Ask::Dice {
            asked: Asked::Table(roll),
            wanted,
            ..
        } = &whole.ask
            && roll.id == roll_id
        {
            let faces = faces.and_then(|faces| faces.exactly(*wanted));
            if faces.is_none() {
                self.note("The dice could not be read: the program rolled.");
            }
            self.dice_came(faces);
            self.status();
        }
    }

    /// Dice came from outside, or (none) the program rolls them; the choice that needs them is made again.
    pub(super) fn dice_came(&mut self, more: Option<Faces>) {
        let Some(whole) = &mut self.whole else { return };
        if !matches!(whole.ask, Ask::Dice { .. }) {
            return;
        }
        let Ask::Dice {
            wanted,
            answer,
            sentence,
            mut faces,
            ..
        } = std::mem::replace(&mut whole.ask, Ask::Nothing)
        else {
            return;
        };
        faces.extend(more.unwrap_or_else(|| Faces::rolled(wanted, &mut whole.dice)));
        self.choose(answer, sentence, faces);
        self.drive();
    }

    /// Makes a choice: all that follows from it happens, or dice are asked for first.
    pub(super) fn choose(&mut self, answer: Answer, sentence: String, faces: Faces) {
        let from_outside = match self.dice_from {
            DiceFrom::Program => false,
            DiceFrom::Table => self.abilities.as_ref().is_some_and(|abilities| abilities.dice),
            DiceFrom::Typed => self.abilities.as_ref().is_some_and(|abilities| abilities.prompt),
        };
        let Some(request) = self.pending() else { return };
        let before = self.checkpoint();
        let Some(whole) = &mut self.whole else { return };
        let mut battle = whole.battle.clone();
        let mut dice = whole.dice.clone();
        let (result, missing) = if from_outside || faces != Faces::default() {
            let mut given = GivenDice::new(faces.clone(), &mut dice);
            let result = battle.answer(answer.clone(), &mut given);
            (result, given.missing())
        } else {
            (battle.answer(answer.clone(), &mut dice), DiceWanted::default())
        };
        if let Err(refused) = result {
            self.note(&format!("That cannot be done: {refused}."));
            self.take_harmless(&request, before);
            return;
        }
        if missing != DiceWanted::default() {
            self.ask_for_faces(&request, missing, answer, sentence, faces);
            return;
        }
        whole.battle = battle;
        whole.dice = dice;
        let mark = match request {
            Request::Attack { .. } | Request::Drop { .. } | Request::Decloak { .. } => Mark::Turn,
            _ => Mark::Step,
        };
        self.follow_battle(request.ship(), sentence, mark, before);
    }

    /// A choice was refused: the table may have changed since it was offered. Play goes on without it.
    fn take_harmless(&mut self, request: &Request, before: Option<Box<super::Checkpoint>>) {
        let Some(whole) = &mut self.whole else { return };
        let mut dice = whole.dice.clone();
        let duel = whole.battle.duel();
        let nothing = match (request, duel.and_then(|duel| duel.windows.as_ref())) {
            (_, Some(windows)) => windows.idle().map(Answer::Dice),
            (Request::ModifyAttack { .. }, None) => Some(Answer::ModifyAttack(AttackStep::Finish {
                spending: Spending::default(),
                changed: 0,
            })),
            (Request::ModifyDefence { .. }, None) => Some(Answer::ModifyDefence(Spending::default())),
            _ => None,
        };
        let done = nothing.is_some_and(|nothing| whole.battle.answer(nothing, &mut dice).is_ok());
        if !done {
            pass_over(&mut whole.battle, &mut dice);
        }
        whole.dice = dice;
        self.follow_battle(request.ship(), String::new(), Mark::Step, before);
    }

    fn ask_for_faces(&mut self, request: &Request, wanted: DiceWanted, answer: Answer, sentence: String, faces: Faces) {
        let ship = self.rolling(request, wanted);
        let name = self.name(&ship);
        let asked = if self.dice_from == DiceFrom::Typed {
            Asked::Players(Prompt {
                id: self.new_id("q"),
                text: format!("{name} rolls {}: which faces?", dice_words(wanted)),
                options: vec![ROLL_FOR_ME.to_owned()],
                default: ROLL_FOR_ME.to_owned(),
                deadline_ms: self.config.prompt_deadline_ms.saturating_mul(PATIENCE),
                topic: Topic::Dice,
                ship: Some(ship),
                dice: Some(wanted),
            })
        } else {
            Asked::Table(Roll {
                id: self.new_id("r"),
                reason: format!("{name} rolls {}", dice_words(wanted)),
                dice: wanted,
                ship,
            })
        };
        self.effects.push(match &asked {
            Asked::Table(roll) => Effect::Roll(roll.clone()),
            Asked::Players(prompt) => Effect::Prompt(prompt.clone()),
        });
        if let Some(whole) = &mut self.whole {
            whole.ask = Ask::Dice {
                asked,
                wanted,
                answer,
                sentence,
                faces,
            };
        }
        self.status();
    }

    /// Who rolls: the defender its defence dice, else the ship that is asked.
    fn rolling(&self, request: &Request, wanted: DiceWanted) -> ObjectId {
        let duel = self.whole.as_ref().and_then(|whole| whole.battle.duel());
        match duel {
            Some(duel) if wanted.defence > 0 => duel.defender.clone(),
            _ => request.ship().clone(),
        }
    }

    /// What was typed is no roll: the players are asked again.
    fn ask_dice_again(&mut self, text: &str) {
        let id = self.new_id("q");
        let Some(whole) = &mut self.whole else { return };
        let Ask::Dice {
            asked: Asked::Players(prompt),
            wanted,
            ..
        } = &mut whole.ask
        else {
            return;
        };
        let shown: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
        prompt.id = id;
        prompt.text = format!(
            "`{shown}` is no roll of {}. Write the faces, as in `2h 1f` or `hit hit focus`; which faces?",
            dice_words(*wanted)
        );
        let prompt = prompt.clone();
        self.effects.push(Effect::Prompt(prompt));
    }

    /// Carries over to the table what has happened in the battle, and tells it.
    pub(super) fn follow_battle(
        &mut self,
        ship: &ObjectId,
        sentence: String,
        mark: Mark,
        before: Option<Box<super::Checkpoint>>,
    ) {
        let mut said: Vec<String> = Vec::new();
        if !sentence.is_empty() {
            said.push(sentence);
        }
        said.extend(self.tell_battle());
        let mut steps = Vec::new();
        if !said.is_empty() {
            let text = said.join(" ");
            if self.can(StepKind::Say) {
                steps.push(Step::Say {
                    ship: Some(ship.clone()).filter(|ship| !ship.is_empty()),
                    text,
                });
            } else {
                self.note(&text);
            }
        }
        steps.extend(self.differences());
        self.begin_errand(ship, steps, mark, before);
    }

    /// What has to change on the table so that it is as the battle has it.
    pub(super) fn differences(&self) -> Vec<Step> {
        let (Some(whole), Some(table)) = (&self.whole, &self.table) else {
            return Vec::new();
        };
        let mut steps = Vec::new();
        let mut gone = Vec::new();
        for now in &whole.battle.table().ships {
            let Some(known) = table.ship(&now.id) else { continue };
            if known.in_play() && matches!(now.status, Status::Destroyed | Status::Removed) {
                gone.push(Step::Remove {
                    ship: now.id.clone(),
                    back: None,
                });
                steps.extend(lock_changes(known, now));
                continue;
            }
            if known.status == Status::Reserved && now.in_play() {
                steps.push(Step::Place {
                    ship: now.id.clone(),
                    from: known.pose,
                    to: now.pose,
                });
            }
            if known.in_play() && now.in_play() && !same_pose(known.pose, now.pose) {
                steps.push(Step::Place {
                    ship: now.id.clone(),
                    from: known.pose,
                    to: now.pose,
                });
            }
            if known.in_play() && now.in_play() && known.turret != now.turret {
                steps.push(Step::Turret {
                    ship: now.id.clone(),
                    arcs: now.turret.clone(),
                });
            }
            steps.extend(token_changes(known, now, &whole.battle));
            steps.extend(lock_changes(known, now));
        }
        steps.extend(gone);
        steps
    }
}

/// Leaves out what is asked now: no attack, no drop, no move; an attack under way is dropped. What cannot be left out ends the
/// phase, for play must go on.
pub(super) fn pass_over(battle: &mut Battle, dice: &mut SeededDice) {
    let none = match battle.pending() {
        Some(Request::Attack { .. }) => Answer::Attack(None),
        Some(Request::Drop { .. }) => Answer::Drop(None),
        Some(Request::Decloak { .. }) => Answer::Decloak(None),
        Some(Request::Pull { .. }) => Answer::Pull(None),
        Some(Request::Effect(offer)) => Answer::Effect(offer.default.or(offer.must.then_some(0))),
        Some(Request::CardAction(_)) => Answer::Act(Vec::new()),
        _ if battle.duel().is_some() => return battle.drop_attack(dice),
        _ => return leave_phase(battle, dice),
    };
    if battle.answer(none, dice).is_err() {
        leave_phase(battle, dice);
    }
}

fn leave_phase(battle: &mut Battle, dice: &mut SeededDice) {
    let next = match battle.phase() {
        Phase::Planning | Phase::System => Phase::Activation,
        Phase::Activation => Phase::Engagement,
        Phase::Engagement | Phase::End | Phase::Over => Phase::End,
    };
    battle.begin_phase(next, dice);
}

/// As in `3 attack dice`, `1 defence die`.
fn dice_words(wanted: DiceWanted) -> String {
    let of = |count: u32, kind: &str| {
        let dice = if count == 1 { "die" } else { "dice" };
        (count > 0).then(|| format!("{count} {kind} {dice}"))
    };
    let parts: Vec<String> = of(wanted.attack, "attack")
        .into_iter()
        .chain(of(wanted.defence, "defence"))
        .collect();
    parts.join(" and ")
}

fn token_changes(known: &Ship, now: &Ship, battle: &Battle) -> Vec<Step> {
    use crate::xwing::action::FullArc;
    let (mut before, mut after) = (known.tokens, now.tokens);
    let aft = battle
        .fighter(&now.id)
        .is_some_and(|fighter| fighter.reinforced.contains(&FullArc::Aft));
    let mut steps = Vec::new();
    for token in Token::ALL {
        // Both sides of reinforce share a count.
        let other_side = if aft { Token::ReinforceFore } else { Token::ReinforceAft };
        if token == other_side {
            continue;
        }
        let change = i64::from(*token.count_mut(&mut after)) - i64::from(*token.count_mut(&mut before));
        if change != 0 {
            steps.push(Step::Token {
                ship: now.id.clone(),
                token,
                count: i32::try_from(change).unwrap_or(0),
            });
        }
    }
    steps
}

fn lock_changes(known: &Ship, now: &Ship) -> Vec<Step> {
    let lock = |target: &ObjectId, remove: bool| Step::Lock {
        ship: now.id.clone(),
        target: target.clone(),
        remove,
    };
    let lost = known.locks.iter().filter(|target| !now.locks.contains(target));
    let gained = now.locks.iter().filter(|target| !known.locks.contains(target));
    lost.map(|target| lock(target, true))
        .chain(gained.map(|target| lock(target, false)))
        .collect()
}
