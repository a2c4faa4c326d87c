//! Solo Alpha as a commander.

use std::borrow::Cow;

use super::{Commander, Explanation, escort};
use crate::{
    decision::Reason,
    dice::DiceSource,
    solo_alpha::{
        self, ActionDecision, Approach, Attitude, MoveResult, Options, Outcome, Situation,
        attack::{
            dice::{Thrift, attacking, defending, thrift_attacking, thrift_defending},
            engage::engage_preferring,
            windows::choosing,
        },
        cards::{self, Context},
        citing,
        device::{self, DropMoment, OwnDrop},
        escort::protect::LineOfProtect,
        outcome::EdgeTurn,
        sentence::{Flies, Performs, called},
    },
    xwing::{
        ObjectId,
        battle::{Answer, AttackOrder, Battle, Choice, Flight, Order, Phase, Request},
        combat::{AttackStep, Spending},
        ship::Ship,
        weapon::Weapon,
    },
};

/// Flies by the Solo Alpha rules.
#[derive(Debug, Clone)]
pub struct Solo {
    options: Options,
    /// The approach of the ship that activates, how its move was expected to come out, and the ship before it.
    approach: Option<(Approach, Outcome, Ship)>,
    /// The actions that a card gives next, as they were decided with the card.
    given: Vec<(ObjectId, Order)>,
}

impl Solo {
    /// A commander with these options.
    pub fn new(options: Options) -> Self {
        Solo {
            options,
            approach: None,
            given: Vec::new(),
        }
    }

    /// The commander in the middle of an activation that was decided elsewhere: how the move came out, or is expected to, and
    /// the ship before it.
    #[must_use]
    pub fn flying(mut self, approach: Approach, outcome: Outcome, before: Ship) -> Self {
        self.approach = Some((approach, outcome, before));
        self
    }

    /// The commander with actions that it has decided on already, for when a card gives them.
    #[must_use]
    pub fn with_given(mut self, given: Vec<(ObjectId, Order)>) -> Self {
        self.given = given;
        self
    }

    /// The actions that it has decided on and that a card is still to give.
    pub fn into_given(self) -> Vec<(ObjectId, Order)> {
        self.given
    }

    /// The attitude of the ship that activates, if it was this one that moved.
    fn attitude_of(&self, ship: &str) -> Option<Attitude> {
        let approach = self.approach.as_ref().filter(|(_, _, before)| *before.id == *ship);
        approach.map(|(approach, ..)| approach.attitude)
    }

    /// The activation under way, for cards that come up in it.
    fn context(&self, battle: &Battle) -> Option<Context> {
        let (approach, outcome, before) = self.approach.as_ref()?;
        if battle.phase() != Phase::Activation || battle.done().last() != Some(&before.id) {
            return None;
        }
        Some(Context {
            ship: before.id.clone(),
            attitude: approach.attitude,
            result: came_out(battle, approach, outcome, before),
        })
    }

    fn fly(
        &mut self,
        battle: &Battle,
        id: &str,
        dice: &mut dyn DiceSource,
        explanation: Option<&mut Explanation>,
    ) -> Option<Flight> {
        if let Some((flight, why)) = escort::fly(battle, id, dice) {
            // PE-A2: the shuttle races; it has no approach and no action after it.
            self.approach = None;
            explain(explanation, || why.sentence, why.reasons);
            return Some(flight);
        }
        let aims = escort::aims_of(battle, id, &self.options, dice);
        let mut table = Cow::Borrowed(battle.table());
        if let Some(point) = aims.point {
            table.to_mut().markers.push(point);
        }
        let table = &*table;
        let ship = table.ship(id)?;
        let situation = Situation {
            forced_tally: aims.tally,
        };
        let (approach, decided) = solo_alpha::approach(table, id, &situation, &self.options, dice).ok()?;
        let mut reasons = aims.reasons;
        reasons.extend(decided);
        let (outcome, expected) = solo_alpha::expect(table, id, &approach, &self.options, dice).ok()?;
        let flight = Flight {
            maneuver: approach.maneuver,
            alignment: outcome.execution.alignment.unwrap_or_default(),
            edge_turn: outcome.edge_turn.map(EdgeTurn::degrees),
        };
        if let Some(explanation) = explanation {
            let flies = Flies {
                ship,
                approach: &approach,
                outcome: &outcome,
            };
            reasons.extend(expected);
            *explanation = Explanation {
                sentence: format!("{flies}; {}.", approach.attitude),
                reasons,
                after: approach.tally.as_ref().map(|tally| tally.id.clone()),
            };
        }
        self.approach = Some((approach, outcome, ship.clone()));
        Some(flight)
    }

    fn act(&self, battle: &Battle, id: &str, dice: &mut dyn DiceSource) -> Option<ActionDecision> {
        let (approach, outcome, before) = self.approach.as_ref().filter(|(_, _, ship)| *ship.id == *id)?;
        let result = came_out(battle, approach, outcome, before);
        let options = escort::prefers(battle, id, &self.options);
        cards::actions::perform(battle, id, approach.attitude, &result, &options, dice).ok()
    }
}

/// How the move came out: as it was expected, unless a card made another maneuver of it.
fn came_out(battle: &Battle, approach: &Approach, outcome: &Outcome, before: &Ship) -> MoveResult {
    let moved = battle
        .moved()
        .filter(|moved| moved.maneuver != outcome.execution.maneuver);
    match moved {
        None => solo_alpha::move_result(approach, outcome, before),
        Some(moved) => {
            let other = Outcome {
                execution: moved.clone(),
                ..outcome.clone()
            };
            MoveResult {
                maneuver: Some(moved.maneuver),
                ..solo_alpha::move_result(approach, &other, before)
            }
        }
    }
}

/// FE-SOLO-11: the roll for a mine at the start of the own Perform Action step; if it succeeds the drop is the action.
fn mine(battle: &Battle, id: &str, coordinated: bool, dice: &mut dyn DiceSource) -> Option<(Order, Explanation)> {
    let table = battle.table();
    let ship = table.ship(id).filter(|_| !coordinated)?;
    let card = format!("upgrade:{}", ship.device.as_ref()?.id);
    // The battle says whether the ship may drop it now.
    if device::moment(table, ship) != Some(DropMoment::AsItsAction) || !battle.card_actions(id).contains(&card) {
        return None;
    }
    let drop = device::in_activation(table, ship, DropMoment::AsItsAction, dice).filter(OwnDrop::is_the_action)?;
    let mut reasons = drop.check.reasons;
    reasons.extend(drop.place.map(|place| place.reason));
    let sentence = format!("{} drops {} as its action.", called(ship), drop.check.device);
    Some((Order::Card(card), Explanation::new(sentence, reasons)))
}

/// SA-12: the next step in an attack that cards touch.
fn windows(
    battle: &Battle,
    request: &Request,
    dice: &mut dyn DiceSource,
    explanation: Option<&mut Explanation>,
) -> Answer {
    let table = battle.table();
    let own = table.ship(request.ship()).zip(battle.duel());
    let thrift = own.map_or_else(Thrift::default, |(ship, duel)| match ship.id == duel.attacker {
        true => thrift_attacking(table, ship, battle.done()),
        false => thrift_defending(table, ship, battle.done()),
    });
    match choosing(battle, &thrift, dice) {
        Some(decision) => {
            explain(explanation, || decision.sentence, decision.reasons);
            Answer::Dice(decision.choice)
        }
        None => Answer::Act(Vec::new()),
    }
}

/// Puts a choice into words, if anybody wants them.
fn explain(explanation: Option<&mut Explanation>, sentence: impl FnOnce() -> String, reasons: Vec<Reason>) {
    if let Some(explanation) = explanation {
        explanation.sentence = sentence();
        explanation.reasons = reasons;
    }
}

impl Commander for Solo {
    fn answer(
        &mut self,
        battle: &Battle,
        request: &Request,
        dice: &mut dyn DiceSource,
        mut explanation: Option<&mut Explanation>,
    ) -> Answer {
        let answer = self.choose(battle, request, dice, explanation.as_deref_mut());
        if let Some(explanation) = explanation {
            citing::cite(&battle.table().rules, &mut explanation.reasons);
        }
        answer
    }
}

impl Solo {
    fn choose(
        &mut self,
        battle: &Battle,
        request: &Request,
        dice: &mut dyn DiceSource,
        explanation: Option<&mut Explanation>,
    ) -> Answer {
        let table = battle.table();
        match request {
            // SA-12: what is unclear is rolled for.
            Request::Decloak { ship } => {
                let Ok(decision) = solo_alpha::decloak::decide(table, ship, &self.options, dice) else {
                    return Answer::Decloak(None);
                };
                let name = table.ship(ship).map_or(&**ship, called);
                let does = if decision.way.is_some() {
                    "decloaks"
                } else {
                    "stays cloaked"
                };
                explain(explanation, || format!("{name} {does}."), decision.reasons);
                Answer::Decloak(decision.way)
            }
            // SA-2
            Request::Drop { ship: id } => {
                // **choice** Of several bomb cards the first that is ready is rolled for, a mine at its own moment.
                let at_hand = table.ship(id).and_then(|ship| device::moment(table, ship));
                if at_hand == Some(DropMoment::AsItsAction) {
                    return Answer::Drop(None);
                }
                let checked = solo_alpha::device::check(table, id, dice);
                let (Ok(Some(check)), Some(ship)) = (checked, table.ship(id)) else {
                    return Answer::Drop(None);
                };
                let place = check.drops.then(|| solo_alpha::device::place(table, ship));
                let template = place.as_ref().and_then(|place| place.template);
                let mut reasons = check.reasons;
                reasons.extend(place.map(|place| place.reason));
                let does = if template.is_some() { "drops" } else { "keeps" };
                explain(
                    explanation,
                    || format!("{} {does} {}.", called(ship), check.device),
                    reasons,
                );
                Answer::Drop(template)
            }
            Request::Detonate { device, .. } => {
                let piece = battle.devices().iter().find(|piece| piece.id == *device);
                let chosen = piece.and_then(|piece| solo_alpha::device::obstacle(table, piece));
                let Some((obstacle, reason)) = chosen else {
                    return Answer::Act(Vec::new());
                };
                explain(
                    explanation,
                    || format!("{device} goes off around {obstacle}."),
                    vec![reason],
                );
                Answer::Detonate(obstacle)
            }
            Request::Pull { ship, target } => {
                let (pull, reasons) = solo_alpha::tractor::decide(battle, ship, target);
                let does = if pull.is_some() { "moves" } else { "leaves" };
                explain(explanation, || format!("{ship} {does} {target}."), reasons);
                Answer::Pull(pull)
            }
            Request::PickManeuver { .. } | Request::Jammed { .. } | Request::MineUnder { .. } => {
                super::picks::pick(battle, request).unwrap_or(Answer::Act(Vec::new()))
            }
            // Solo ships get no dial (SA-1).
            Request::Dial { .. } => Answer::Act(Vec::new()),
            Request::Fly { ship, .. } => match self.fly(battle, ship, dice, explanation) {
                Some(flight) => Answer::Fly(flight),
                None => Answer::Act(Vec::new()),
            },
            Request::Act { ship, coordinated_by } => {
                if let Some((order, explained)) = mine(battle, ship, coordinated_by.is_some(), dice) {
                    if let Some(explanation) = explanation {
                        *explanation = explained;
                    }
                    return Answer::Act(vec![order]);
                }
                let coordinated = coordinated_by.is_some();
                // PE-A5, PE-A6: the list of SA-8.2 is that of the ship in the scenario, too.
                let options = escort::prefers(battle, ship, &self.options);
                let mut outside = coordinated
                    .then(|| solo_alpha::action_outside_activation(table, ship, &options, dice).ok())
                    .flatten();
                let attitude = match &outside {
                    // PE-A6: an escort protects after its move.
                    Some((die, _)) => battle.done().contains(ship).then(|| Attitude::from_die(*die)),
                    None => self.attitude_of(ship).filter(|_| !coordinated),
                };
                let protects = |at| attitude.and_then(|attitude| escort::protects(battle, ship, attitude, at));
                let mut reasons: Vec<Reason> = Vec::new();
                if let Some((_, decision)) = &mut outside {
                    // The roll for the attitude comes first.
                    reasons.extend(decision.reasons.drain(..decision.reasons.len().min(1)));
                }
                if let Some((order, reason)) = protects(LineOfProtect::First) {
                    reasons.push(reason);
                    if let Some(order) = order {
                        let name = table.ship(ship).map_or(&**ship, called);
                        explain(explanation, || format!("{name} protects the shuttle."), reasons);
                        return Answer::Act(vec![order]);
                    }
                }
                let mut decision = match outside {
                    Some((_, decision)) => decision,
                    None if coordinated => ActionDecision::default(),
                    None => self.act(battle, ship, dice).unwrap_or_default(),
                };
                reasons.append(&mut decision.reasons);
                if decision.sequence.is_empty()
                    && let Some((order, reason)) = protects(LineOfProtect::Last)
                {
                    reasons.push(reason);
                    if let Some(order) = order {
                        let name = table.ship(ship).map_or(&**ship, called);
                        explain(explanation, || format!("{name} protects the shuttle."), reasons);
                        return Answer::Act(vec![order]);
                    }
                }
                let name = table.ship(ship).map_or(&**ship, called);
                let edition = table.rules.edition;
                explain(
                    explanation,
                    || format!("{name} {}.", Performs(edition, &decision)),
                    reasons,
                );
                let orders = decision.sequence.into_iter().map(|planned| Order::Bar {
                    kind: planned.kind,
                    difficulty: planned.difficulty,
                    detail: planned.detail,
                });
                Answer::Act(orders.collect())
            }
            Request::Attack { ship } => {
                let abilities = |weapon: &Weapon, target: &Ship| battle.abilities(ship, weapon, target);
                let prefers = escort::prefers(battle, ship, &self.options).prefers.clone();
                let targets = battle.targets_of(ship);
                let engaged = engage_preferring(&targets, ship, prefers.as_deref(), &abilities, dice);
                let Ok(engagement) = engaged else {
                    return Answer::Attack(None);
                };
                if let Some(explanation) = explanation {
                    let target = engagement.attack.as_ref().map(|attack| attack.target.id.clone());
                    *explanation = Explanation {
                        sentence: engagement.sentence,
                        reasons: engagement.reasons,
                        after: target,
                    };
                }
                Answer::Attack(engagement.attack.map(|attack| AttackOrder {
                    weapon: attack.weapon,
                    target: attack.target.id,
                }))
            }
            Request::ModifyAttack { .. } | Request::ModifyDefence { .. } | Request::Dice { .. }
                if battle.duel().is_some_and(|duel| duel.windows.is_some()) =>
            {
                windows(battle, request, dice, explanation)
            }
            Request::Dice { .. } => Answer::Act(Vec::new()),
            Request::ModifyAttack { ship } => {
                let Some((duel, attacker)) = battle.duel().zip(table.ship(ship)) else {
                    return Answer::ModifyAttack(AttackStep::Finish {
                        spending: Spending::default(),
                        changed: 0,
                    });
                };
                let thrift = thrift_attacking(table, attacker, battle.done());
                let decision = attacking(&duel.pools, duel.dice, &thrift);
                explain(explanation, || decision.sentence, decision.reasons);
                Answer::ModifyAttack(decision.step)
            }
            Request::ModifyDefence { ship } => {
                let Some((duel, defender)) = battle.duel().zip(table.ship(ship)) else {
                    return Answer::ModifyDefence(Spending::default());
                };
                let thrift = thrift_defending(table, defender, battle.done());
                let (pools, dice) = (&duel.pools, duel.defence.unwrap_or_default());
                let results = duel.results();
                let decision = defending(pools.rules, pools.rule, results, dice, pools.defence_tokens, &thrift);
                explain(explanation, || decision.sentence, decision.reasons);
                Answer::ModifyDefence(decision.spending)
            }
            // SA-12
            Request::Effect(offer) => {
                if let Some((answer, why)) = escort::spends(battle, offer) {
                    explain(explanation, || why.sentence, why.reasons);
                    return answer;
                }
                let context = self.context(battle);
                let decision = cards::decide(battle, offer, context.as_ref(), &self.options, dice);
                let name = table.ship(&offer.ship).map_or(&*offer.ship, called);
                let card = &offer.card;
                let chosen = decision.choice.map(|index| &offer.choices[index]);
                let words = move || match chosen {
                    Some(Choice::Use { targets, .. }) if targets.is_empty() => format!("{name} uses {card}."),
                    Some(choice @ Choice::Use { .. }) => format!("{name} uses {card}: {choice}."),
                    Some(choice) => format!("{name} chooses for {card}: {choice}."),
                    None if offer.asks.is_some() => format!("{name} leaves {card} to the players."),
                    None => format!("{name} does not use {card}."),
                };
                explain(explanation, words, decision.reasons);
                self.given = decision.orders;
                Answer::Effect(decision.choice)
            }
            Request::CardAction(given) => {
                let name = table.ship(&given.ship).map_or(&*given.ship, called);
                // What was decided with the effect is what is done with it, if the card still gives it.
                let still = |(ship, order): &(ObjectId, Order)| match order {
                    Order::Bar {
                        kind,
                        difficulty,
                        detail,
                    } => {
                        let acting = table.ship(ship);
                        let mut actions = given.actions.iter().filter(|action| action.kind == *kind);
                        *ship == given.ship
                            && actions.any(|action| {
                                let color = acting.and_then(|acting| acting.color_of(detail, action.difficulty));
                                color == Some(*difficulty)
                            })
                    }
                    Order::Card(_) => false,
                };
                let place = self.given.iter().position(still);
                if let Some(place) = place {
                    let (_, order) = self.given.swap_remove(place);
                    let reason = Reason {
                        rule: "SA-12".to_owned(),
                        text: format!("{}: as it was decided when the card was used", given.card),
                        compared: Vec::new(),
                    };
                    let words = || format!("{name} acts by {}.", given.card);
                    explain(explanation, words, vec![reason]);
                    return Answer::Act(vec![order]);
                }
                let context = self.context(battle);
                let decision = cards::actions::decide(battle, given, context.as_ref(), &self.options, dice);
                let does = if decision.order.is_some() {
                    "acts"
                } else {
                    "does not act"
                };
                let words = || format!("{name} {does} by {}.", given.card);
                explain(explanation, words, decision.reasons);
                Answer::Act(decision.order.into_iter().collect())
            }
        }
    }
}
