//! The engagement: who is asked, whose dice are rolled, and what follows at the table. Solo ships drop devices by SA-2, choose
//! weapon and target by SA-9, and spend on dice by SA-10 and SA-11, as the opponent says.

use super::{Ask, Asked, Deed, Faces, Go, Mark, Pick, Then, choices::Question, moments::ROLL_FOR_ME};
use crate::{
    commander::picks,
    dice::SeededDice,
    game::{
        Effect, Event, Game, Prompt,
        event::DiceWanted,
        opponent::{Opponent, Within},
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

impl<O: Opponent> Game<O> {
    /// The engagement phase begins, on the table as it was just seen; what goes off before it does.
    pub(super) fn engage(&mut self, go: Go, faces: Faces) {
        let before = self.checkpoint();
        self.follow_table();
        let mut own = self.phase_dice(Phase::Engagement);
        let Some(whole) = &self.whole else { return };
        let mut battle = whole.battle.clone();
        let ((), missing) = self.with_dice(faces.clone(), &mut own, |dice| battle.finish_activation(dice));
        if missing != DiceWanted::default() {
            self.ask_for_faces("".into(), missing, Deed::Engagement(go), faces);
            return;
        }
        if let Some(whole) = &mut self.whole {
            whole.go = go;
            whole.battle = battle;
            whole.dice = own;
        }
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
            // A player's ship has moved, or it is its turn and something comes first.
            if self.follow_players() || self.ready_next_player() || self.asks_for_run() {
                return;
            }
            let Some(whole) = self.whole.as_ref().filter(|_| self.ask == Ask::Nothing) else {
                return;
            };
            match whole.battle.phase() {
                _ if self.asks_about_a_card() => {}
                Phase::System | Phase::Engagement => {}
                Phase::Planning | Phase::Over if whole.battle.round() > self.round => {
                    self.begin_next_round();
                    return;
                }
                Phase::Over if self.has_ended_alone() => {
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
            let declares = matches!(request, Request::Attack { .. }) && whole.battle.phase() == Phase::Engagement;
            if solo && (whole.held || (declares && !self.may_go(request.ship()))) {
                return;
            }
            if declares && self.stale {
                self.look(Then::Turn, false);
                return;
            }
            self.have_chosen(&request);
        }
    }

    /// Lets whoever flies the ship that is asked choose: the opponent, or the players, who may have to be waited for.
    pub(in crate::game) fn have_chosen(&mut self, request: &Request) {
        if !self.seats.is_solo(request.ship()) {
            self.ask_players(request);
        } else if matches!(request, Request::Effect(offer) if offer.asks.is_some()) {
            // SA-12: what the program does not play is the players' to carry out, whoever flies the ship.
            self.solo_choice(request, Faces::default());
            self.ask_players(request);
        } else {
            self.choose_for_solo(request, Faces::default());
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

    /// The opponent chooses for its ship, by its own dice if it needs any.
    pub(super) fn choose_for_solo(&mut self, request: &Request, faces: Faces) {
        if let Some((answer, sentence)) = self.solo_choice(request, faces) {
            self.choose(answer, sentence, Faces::default());
        }
    }

    /// What the opponent chooses, and what it says; the reasons are told to everyone. `None`: dice are asked for first.
    fn solo_choice(&mut self, request: &Request, faces: Faces) -> Option<(Answer, String)> {
        let whole = self.whole.as_ref()?;
        let label = match request {
            // Each card has a die of its own.
            Request::Effect(offer) => format!("{} chooses {} {}", offer.ship, offer.card, whole.battle.events().len()),
            Request::CardAction(given) => {
                format!("{} chooses {} {}", given.ship, given.card, whole.battle.events().len())
            }
            _ => format!("{} chooses", request.ship()),
        };
        let mut own = SeededDice::for_activation(self.config.seed, self.round, &label);
        let mut promised = whole.promised.clone();
        let flight = self
            .activation
            .as_ref()
            .and_then(|activation| activation.flight.as_ref());
        let (battle, promises) = (&whole.battle, &mut promised);
        let ((answer, explanation), missing) = self.with_dice(faces.clone(), &mut own, |dice| {
            let within = Within {
                flight,
                promised: promises,
            };
            self.opponent.choose(battle, request, within, dice)
        });
        if missing != DiceWanted::default() {
            self.ask_for_faces(request.ship().clone(), missing, Deed::Choice(request.clone()), faces);
            return None;
        }
        let whole = self.whole.as_mut()?;
        whole.promised = promised;
        if whole.go == Go::Ship && matches!(request, Request::Attack { .. }) {
            whole.go = Go::Wait;
        }
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
            Answer::Attack(Some(_)) | Answer::Drop(Some(_)) | Answer::DropOther { .. } | Answer::Effect(_)
        );
        Some((answer, if told { String::new() } else { explanation.sentence }))
    }

    /// Asks the players for a choice; where they cannot be asked, or there is but one, it is made for them.
    fn ask_players(&mut self, request: &Request) {
        let Some(question) = self.question_for(request) else {
            // Nothing to choose: the one thing that there is.
            let (answer, _) = self.default_choice(request);
            self.choose(answer, String::new(), Faces::default());
            return;
        };
        let ship = request.ship().clone();
        self.put_choice(&ship, question);
    }

    /// Puts a question about a ship to the players; where they cannot be asked its default is taken.
    pub(super) fn put_choice(&mut self, ship: &ObjectId, question: Question) {
        let prompt = Prompt {
            id: self.new_id("q"),
            text: question.text,
            options: question.picks.iter().map(|(text, _)| text.clone()).collect(),
            default: question.default,
            deadline_ms: self.patient_deadline_ms(),
            topic: question.topic,
            ship: Some(ship.clone()),
            dice: None,
        };
        let picks: Vec<Pick> = question.picks.into_iter().map(|(_, pick)| pick).collect();
        self.ask = Ask::Choice {
            prompt: prompt.clone(),
            picks,
        };
        if self.abilities.as_ref().is_none_or(|abilities| abilities.prompt) {
            self.effects.push(Effect::Prompt(prompt));
            self.status();
        } else {
            self.choice_made(&prompt.id, None);
        }
    }

    /// The players chose; `None`: the deadline passed and the default counts.
    pub(crate) fn choice_made(&mut self, prompt_id: &str, choice: Option<&str>) {
        match &self.ask {
            Ask::Choice { prompt, picks } if prompt.id == prompt_id => {
                let place = |text: &str| prompt.options.iter().position(|option| option == text);
                let place = choice.and_then(place).or_else(|| place(&prompt.default)).unwrap_or(0);
                let pick = picks.get(place).cloned();
                let ship = prompt.ship.clone();
                self.ask = Ask::Nothing;
                self.picked(pick, ship);
                self.carry_on();
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

    /// An option was chosen, of a question about a ship.
    pub(super) fn picked(&mut self, pick: Option<Pick>, ship: Option<ObjectId>) {
        match pick {
            Some(Pick::Choose(answer, sentence)) => self.choose(answer, sentence, Faces::default()),
            Some(Pick::ByHand) => {
                let name = ship.map_or_else(String::new, |ship| self.name(&ship));
                let text =
                    format!("{name} attacks by hand: tell the damage with the buttons of the ship that it hits.");
                self.choose(Answer::Attack(None), text, Faces::default());
            }
            Some(Pick::SetUp(reply)) => self.set_up_answered(reply),
            Some(Pick::Escort(reply)) => self.escort_answered(reply),
            Some(Pick::Run(maneuver)) => self.run_told(&ship.unwrap_or_else(|| "".into()), maneuver),
            Some(Pick::Flew(flown)) => self.players_flew(Some(*flown)),
            Some(Pick::HasActivated) => self.players_flew(None),
            Some(Pick::PutRight) => self.only_put_right(),
            Some(Pick::Initiative(told)) => self.initiative_told(told),
            Some(Pick::AttackValue(card, value)) => self.attack_value_told(card, value),
            Some(Pick::Fly(ship, maneuver)) => self.fly_ruled(&ship, maneuver),
            Some(Pick::Act(order)) => self.players_act(order, None),
            Some(Pick::Narrow(question)) => self.put_choice(&ship.unwrap_or_else(|| "".into()), *question),
            Some(Pick::Place(placing)) => self.ask_to_place(*placing, "", false),
            Some(Pick::Placed(placing, as_it_stands)) => self.look_at_placed(*placing, as_it_stands),
            None => {}
        }
    }

    /// Makes a choice: all that follows from it happens, or dice are asked for first.
    pub(super) fn choose(&mut self, answer: Answer, sentence: String, faces: Faces) {
        let Some(request) = self.pending() else { return };
        let before = self.checkpoint();
        let Some(whole) = &self.whole else { return };
        let mut battle = whole.battle.clone();
        let mut own = whole.dice.clone();
        // Its players have placed it already: the battle moves it from where it stood.
        let placed = whole.placed.clone();
        if let Some(placed) = &placed {
            battle.put_right(&placed.ship, |ship, _, _, _| ship.pose = placed.from);
        }
        let (result, missing) = self.with_dice(faces.clone(), &mut own, |dice| battle.answer(answer.clone(), dice));
        if let (Err(_), Some(whole)) = (&result, &mut self.whole) {
            whole.placed = None;
        }
        if let Err(refused) = result {
            self.note(&format!("That cannot be done: {refused}."));
            self.take_harmless(&request, before);
            return;
        }
        if missing != DiceWanted::default() {
            let ship = self.rolling(&request, missing);
            self.ask_for_faces(ship, missing, Deed::Answer(answer, sentence), faces);
            return;
        }
        if let Some(placed) = placed {
            battle.put_right(&placed.ship, |ship, _, _, _| ship.pose = placed.to);
        }
        let Some(whole) = &mut self.whole else { return };
        whole.placed = None;
        whole.battle = battle;
        whole.dice = own;
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

    /// Who rolls: the defender its defence dice, else the ship that is asked.
    fn rolling(&self, request: &Request, wanted: DiceWanted) -> ObjectId {
        let duel = self.whole.as_ref().and_then(|whole| whole.battle.duel());
        match duel {
            Some(duel) if wanted.defence > 0 => duel.defender.clone(),
            _ => request.ship().clone(),
        }
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
        if self.is_activating() {
            self.follow_in_activation(ship, said);
            return;
        }
        self.take_performed();
        said.extend(self.tell_battle());
        let mut steps: Vec<Step> = self.say(ship, &said).into_iter().collect();
        steps.extend(self.differences());
        self.begin_errand(ship, steps, mark, before);
    }

    /// The step that says something at the table; where it cannot talk, it is a note to everyone.
    pub(super) fn say(&mut self, ship: &ObjectId, said: &[String]) -> Option<Step> {
        if said.is_empty() {
            return None;
        }
        let text = said.join(" ");
        if !self.can(StepKind::Say) {
            self.note(&text);
            return None;
        }
        Some(Step::Say {
            ship: Some(ship.clone()).filter(|ship| !ship.is_empty()),
            text,
        })
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
        steps.extend(self.marker_step());
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
        Some(request @ (Request::PickManeuver { .. } | Request::Jammed { .. } | Request::MineUnder { .. })) => {
            match picks::pick(battle, request) {
                Some(answer) => answer,
                None => return leave_phase(battle, dice),
            }
        }
        Some(Request::Effect(offer)) => Answer::Effect(offer.default.or(offer.must.then_some(0))),
        Some(Request::CardAction(_) | Request::Act { .. }) => Answer::Act(Vec::new()),
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

pub(super) fn token_changes(known: &Ship, now: &Ship, battle: &Battle) -> Vec<Step> {
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

pub(super) fn lock_changes(known: &Ship, now: &Ship) -> Vec<Step> {
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
