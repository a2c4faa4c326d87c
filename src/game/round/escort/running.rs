//! The players' side of Political Escort in play: the maneuver of their shuttle is asked for and carried out, or told by where
//! they put it, by the rules of blocking (PE-4.2, PE-5); Protect tokens that they may spend (PE-6.3).

use crate::{
    commander::escort::racing_on,
    dice::SeededDice,
    game::{
        Effect, Game,
        activation::{Activation, Purpose},
        event::Topic,
        opponent::Opponent,
        round::{
            Ask, Moment, Pick,
            choices::Question,
            flown::{Flown, apart, near, stopped},
            following::{BY_THE_PLAYERS, ONLY_PUT_RIGHT},
        },
        same_pose,
        step::{Step, Token},
    },
    geometry::Pose,
    solo_alpha::{
        escort::race::{self, Candidate, candidates, choosing, to_exit},
        sentence::SpokenIn,
    },
    xwing::{
        ObjectId,
        battle::{Answer, Battle, Offer, Phase},
        escort::{
            blocking::{self, BlockState, Choosing, Run, movement},
            ending::Leaving,
        },
        maneuver::Maneuver,
        movement::{Execution, consequences::tokens_after},
        ship::{Ship, Tokens},
        table::Table,
    },
};

/// The answer that players move their shuttle by hand.
pub const WE_MOVE_IT: &str = "We move it ourselves";
/// The answer that no Protect token is spent.
pub const KEEP_TOKENS: &str = "Keep the tokens";

/// What may come of the shuttle's maneuvers on a table as it was before.
fn ends(battle: &Battle, table: &Table, shuttle: &str) -> Vec<Candidate> {
    let racing = battle
        .escort()
        .and_then(|play| racing_on(table, play, shuttle, battle.guides()));
    racing.as_ref().map(candidates).unwrap_or_default()
}

impl<O: Opponent> Game<O> {
    /// PE-4.2: it is the turn of the players' shuttle: its maneuver is asked for, once. Whether it is.
    pub(in crate::game::round) fn asks_for_run(&mut self) -> bool {
        let idle = self.activation.is_none()
            && self.ask == Ask::Nothing
            && self.abilities.is_some()
            && self.queue.is_empty()
            && self.phase() == Some(Phase::Activation)
            && !self.escort_is_over()
            && self.battle().is_some_and(|battle| !battle.activations_are_over())
            && self.asked_meanwhile().is_none();
        let Some(shuttle) = self.shuttle_to_run().filter(|_| idle) else {
            return false;
        };
        let round = self.round;
        let Some(whole) = self.whole.as_mut().filter(|whole| whole.escort.run_asked != round) else {
            return false;
        };
        whole.escort.run_asked = round;
        self.follow_table();
        let Some(question) = self.run_question(&shuttle) else {
            return false;
        };
        self.put_choice(&shuttle, question);
        self.ask != Ask::Nothing || self.activation.is_some()
    }

    /// The players' shuttle, if it is its turn.
    fn shuttle_to_run(&self) -> Option<ObjectId> {
        let table = self.table.as_ref()?;
        let next = self.next_to_activate(table)?;
        let theirs = self.is_the_shuttle(&next.id) && !self.seats.is_solo(&next.id);
        (theirs && self.escort_in_play().is_some()).then(|| next.id.clone())
    }

    /// The button, while the players' shuttle has not moved: it is asked for again, for it has to. Whether it is.
    pub(in crate::game::round) fn asks_for_run_again(&mut self) -> bool {
        if self.shuttle_to_run().is_none() {
            return false;
        }
        if let Some(whole) = &mut self.whole {
            whole.escort.run_asked = 0;
        }
        self.asks_for_run()
    }

    fn run_question(&self, shuttle: &ObjectId) -> Option<Question> {
        let battle = self.battle()?;
        let play = battle.escort()?;
        let table = battle.table();
        let ship = table.ship(shuttle)?;
        let racing = racing_on(table, play, shuttle, battle.guides())?;
        let mut dice = SeededDice::for_activation(self.config.seed, self.round, shuttle);
        let proposed = race::decide(&racing, &mut dice)?;
        let mut picks = Vec::new();
        let mut default = WE_MOVE_IT.to_owned();
        for candidate in &proposed.candidates {
            let text = format!(
                "{}: {}",
                SpokenIn(ship.edition, candidate.maneuver),
                self.comes_to(candidate)
            );
            if candidate.maneuver == proposed.maneuver {
                default.clone_from(&text);
            }
            picks.push((text, Pick::Run(Some(candidate.maneuver))));
        }
        picks.push((WE_MOVE_IT.to_owned(), Pick::Run(None)));
        let state = match (choosing(ship), play.state()) {
            (Choosing::Bound, state) => format!("{}, and stays so (PE-5.7)", state.name()),
            (Choosing::Free, BlockState::Free) => "free: a blocked 2 straight primes it (PE-5.2)".to_owned(),
            (Choosing::Free, BlockState::Primed) => {
                "primed: a 2 straight that is blocked again clears, a bank loses that (PE-5.3)".to_owned()
            }
        };
        let asks = match play.has_dial {
            true => "what does its dial show",
            false => "which maneuver does it fly",
        };
        // **choice** Who does not answer flies what the opponent would (PE-A2).
        Some(Question {
            text: format!(
                "{} activates. It is {state}. R: rounds to its exit over the {} edge. Now, {asks}?",
                self.name(shuttle),
                play.attackers_edge.word()
            ),
            picks,
            default,
            topic: Topic::Action,
        })
    }

    /// What a maneuver comes to, in few words: a panel has room for so many.
    fn comes_to(&self, candidate: &Candidate) -> String {
        let mut text = match (candidate.leaving, candidate.run.cleared) {
            (Leaving::Exits, _) => "exits".to_owned(),
            (Leaving::Flees(edge), _) => format!("lost over the {} edge", edge.word()),
            (Leaving::Inside, Some(speed)) => format!("clears by a {speed} straight, {}", to_exit(candidate.rounds)),
            (Leaving::Inside, None) if !candidate.run.blocked_by.is_empty() => {
                let by: Vec<String> = candidate.run.blocked_by.iter().map(|id| self.name(id)).collect();
                format!("blocked by {}, {}", by.join(", "), to_exit(candidate.rounds))
            }
            (Leaving::Inside, None) if !candidate.run.execution.full => {
                format!("held up by friends, {}", to_exit(candidate.rounds))
            }
            (Leaving::Inside, None) => to_exit(candidate.rounds),
        };
        let dice = candidate.asteroids + candidate.debris;
        if dice > 0 {
            let dice_word = if dice == 1 { "die" } else { "dice" };
            text.push_str(&format!(", {dice} obstacle {dice_word}"));
        }
        text
    }

    /// The players have declared the maneuver of their shuttle: it is carried out as if the program had chosen it. None: they
    /// move it themselves.
    pub(in crate::game::round) fn run_told(&mut self, ship: &ObjectId, maneuver: Option<Maneuver>) {
        let Some(maneuver) = maneuver else { return };
        let Some(stands) = self.table.as_ref().and_then(|table| table.ship(ship)) else {
            return;
        };
        let dice = SeededDice::for_activation(self.config.seed, self.round, ship);
        let name = self.name(ship);
        let mut activation = Activation::new(ship.clone(), name, Purpose::Fly, self.round, stands.pose, dice);
        activation.told = Some(maneuver);
        activation.before = self.checkpoint();
        // What comes before it moves has come when it was its turn.
        activation.readied = true;
        activation.awaits_sync = self.stale;
        let fresh = !self.stale;
        self.activation = Some(activation);
        match fresh {
            true => self.decide(),
            false => self.effects.push(Effect::RequestSync),
        }
        self.status();
    }

    /// The players have moved their shuttle: which maneuver that was is told by where it stands, or asked. False: it is asked.
    pub(in crate::game::round) fn tell_run(&mut self) -> bool {
        let Some((shuttle, table, now)) = self.ran() else {
            return false;
        };
        let Some(battle) = self.battle() else { return false };
        let all = ends(battle, &table, &shuttle);
        let to = now.pose;
        let flown = |execution: &Execution| Flown {
            execution: execution.clone(),
            off: apart(execution.pose, to),
        };
        let mut fitting: Vec<Flown> = (all.iter())
            .map(|candidate| flown(&candidate.run.execution))
            .filter(|flown| near(flown.execution.pose, to))
            .collect();
        fitting.sort_by(|a, b| a.off.total_cmp(&b.off));
        // Of one that clears players may have left the shuttle where it was stopped.
        let before = table.ship(&shuttle);
        let options = movement(battle.guides());
        let held = all
            .iter()
            .filter(|candidate| candidate.run.cleared.is_some())
            .filter(|candidate| {
                let found =
                    before.and_then(|before| stopped(&table, before, candidate.maneuver, to, &now.bumped, &options));
                found.is_some()
            });
        let held: Vec<Flown> = held.map(|candidate| flown(&candidate.run.execution)).collect();
        // Or the table has stopped it earlier than bases would.
        let early = all
            .iter()
            .filter(|_| !now.bumped.is_empty())
            .filter_map(|candidate| stopped(&table, before?, candidate.maneuver, to, &now.bumped, &options));
        let early: Vec<Flown> = early.collect();
        let found = [fitting, held, early].into_iter().find(|found| !found.is_empty());
        if let Some(found) = found.filter(|found| found.len() == 1 || found[1].off > found[0].off + 1.5) {
            self.players_flew(found.into_iter().next());
            return true;
        }
        let edition = self.edition();
        let mut picks: Vec<(String, Pick)> = Vec::new();
        let mut nearest: Option<(f64, String)> = None;
        for candidate in &all {
            let text = SpokenIn(edition, candidate.maneuver).to_string();
            let flown = flown(&candidate.run.execution);
            if nearest.as_ref().is_none_or(|(off, _)| flown.off < *off) {
                nearest = Some((flown.off, text.clone()));
            }
            picks.push((text, Pick::Flew(Box::new(flown))));
        }
        picks.push((BY_THE_PLAYERS.to_owned(), Pick::HasActivated));
        picks.push((ONLY_PUT_RIGHT.to_owned(), Pick::PutRight));
        // **choice** Who does not answer has flown what ends nearest.
        let default = nearest.map_or_else(|| BY_THE_PLAYERS.to_owned(), |(_, text)| text);
        let question = Question {
            text: format!(
                "{} has moved, and stands where no maneuver of its ends: which was it? It is put where that ends (PE-5).",
                self.name(&shuttle)
            ),
            picks,
            default,
            topic: Topic::Action,
        };
        self.put_own_choice(&shuttle, question)
    }

    /// The shuttle whose activation is followed, the table before it moved, and itself as it stands now.
    fn ran(&self) -> Option<(ObjectId, Table, Ship)> {
        let id = self.activation.as_ref()?.ship.clone();
        let table = self.following()?.before_table().clone();
        let now = self.table.as_ref()?.ship(&id)?.clone();
        Some((id, table, now))
    }

    /// The move of the players' shuttle, by the rules, as it was told.
    fn run_of(&self, table: &Table, shuttle: &ObjectId, execution: &Execution) -> Option<Run> {
        let battle = self.battle()?;
        let all = ends(battle, table, shuttle);
        if let Some(candidate) = all.iter().find(|candidate| candidate.run.execution == *execution) {
            return Some(candidate.run.clone());
        }
        let (play, ship) = (battle.escort()?, table.ship(shuttle)?);
        let (state, guides) = (play.state(), battle.guides());
        let execution = execution.clone();
        Some(blocking::seen(
            table,
            ship,
            execution,
            choosing(ship),
            state,
            &play.options,
            guides,
        ))
    }

    /// The shuttle is put where its maneuver ends, its tokens change, and what that means follows (PE-5, PE-7).
    pub(in crate::game::round) fn settle_run(&mut self, execution: &Execution, ionized: bool) {
        let Some((shuttle, table, now)) = self.ran() else {
            return;
        };
        let (Some(run), Some(before)) = (self.run_of(&table, &shuttle, execution), table.ship(&shuttle)) else {
            return;
        };
        let from = before.pose;
        let to = run.execution.pose;
        let mut steps = Vec::new();
        if !near(now.pose, to) {
            let place = |to: Pose| Step::Place {
                ship: shuttle.clone(),
                from: now.pose,
                to,
            };
            steps.push(place(to));
        }
        let due = match run.execution.edge {
            true => before.tokens,
            false => tokens_after(&table, before, &run.execution),
        };
        let count = |tokens: &Tokens, token: Token| *token.count_mut(&mut tokens.clone());
        for token in [Token::Stress, Token::Ion] {
            let (held, seen, due) = (
                count(&before.tokens, token),
                count(&now.tokens, token),
                count(&due, token),
            );
            // Whoever has changed it already has done it.
            if seen == held && due != held {
                steps.push(Step::Token {
                    ship: shuttle.clone(),
                    token,
                    count: i32::try_from(i64::from(due) - i64::from(held)).unwrap_or(0),
                });
            }
        }
        let said = self
            .following()
            .map(|following| vec![following.said()])
            .unwrap_or_default();
        let say = self.say(&shuttle, &said);
        if let Some(activation) = &mut self.activation {
            activation.todo.extend(say);
            activation.todo.extend(steps);
            activation.moments.push_back(Moment::Ran {
                from,
                run: Box::new(run),
                ionized,
            });
        }
    }

    /// PE-6.3: whether the players spend a Protect token, and on what.
    pub(in crate::game::round) fn protect_question(&self, battle: &Battle, offer: &Offer) -> Option<Question> {
        let play = battle.escort()?;
        let left = play.comparing()?;
        let mut picks: Vec<(String, Pick)> = (offer.choices.iter().enumerate())
            .map(|(place, choice)| {
                (
                    choice.to_string(),
                    Pick::Choose(Answer::Effect(Some(place)), String::new()),
                )
            })
            .collect();
        // **choice** A question that nobody answers spends it (PE-A7).
        let default = picks.first()?.0.clone();
        picks.push((
            KEEP_TOKENS.to_owned(),
            Pick::Choose(Answer::Effect(None), String::new()),
        ));
        Some(Question {
            text: format!(
                "The attack leaves {} hits and {} critical hits on {}, which has {} Protect: does it spend one (PE-6.3)?",
                left.hits,
                left.crits,
                self.name(&play.shuttle),
                play.protect()
            ),
            picks,
            default,
            topic: Topic::Spend,
        })
    }

    /// Whether the players' shuttle has been moved since it was asked for.
    pub(in crate::game) fn shuttle_was_moved(&self) -> bool {
        let Ask::Choice { picks, prompt } = &self.ask else {
            return false;
        };
        let asks = matches!(picks.first(), Some(Pick::Run(_)));
        let moved = |ship: &Ship| {
            let now = self.table.as_ref().and_then(|table| table.ship(&ship.id));
            prompt.ship.as_ref() == Some(&ship.id) && now.is_some_and(|now| !same_pose(now.pose, ship.pose))
        };
        asks && self.moved_by_players.iter().any(moved)
    }
}
