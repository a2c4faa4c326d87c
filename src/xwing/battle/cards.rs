//! Damage cards that lie face up, at their moments. What each does is data; no card is named here.

use super::{Battle, Event, Fighter};
use crate::{
    dice::DiceSource,
    xwing::{
        action::{ActionKind, BarAction},
        damage_deck::{
            Card, Damage, DamageEvent, DeckFacts,
            facts::{AllowedAction, Condition, Effect, HarmfulToken, Maneuvers, Pool, Step, Window},
        },
        maneuver::{Bearing, Dial, Difficulty, Maneuver},
        movement::Execution,
    },
};

/// The effects of a ship's face-up cards at a moment.
fn effects<'f>(
    fighter: &'f Fighter,
    facts: &'static DeckFacts,
    window: Window,
) -> impl Iterator<Item = (Card, &'static Effect)> + use<'f> {
    let cards = fighter.integrity.face_up.iter();
    cards.flat_map(move |&card| {
        let effects = card
            .facts(facts)
            .map(|card| card.effects.as_slice())
            .unwrap_or_default();
        let now = effects.iter().filter(move |effect| effect.on.window == window);
        now.map(move |effect| (card, effect))
    })
}

fn steps<'f>(
    fighter: &'f Fighter,
    facts: &'static DeckFacts,
    window: Window,
) -> impl Iterator<Item = &'static Step> + use<'f> {
    effects(fighter, facts, window).flat_map(|(_, effect)| &effect.steps)
}

/// How many dice more a ship rolls.
pub(super) fn dice_change(fighter: &Fighter, facts: &'static DeckFacts, window: Window, pool: Pool) -> i64 {
    steps(fighter, facts, window)
        .map(|step| match step {
            Step::DiceCount(change) if change.dice == pool => i64::from(change.by),
            _ => 0,
        })
        .sum()
}

/// Whether nothing but Force may change its attack dice.
pub(super) fn only_force(fighter: &Fighter, facts: &'static DeckFacts) -> bool {
    steps(fighter, facts, Window::AttackModify).any(|step| matches!(step, Step::RestrictModification(_)))
}

/// The dial and the action bar as the cards leave them.
pub(super) fn in_force(fighter: &Fighter, facts: &'static DeckFacts) -> (Dial, Vec<BarAction>) {
    let mut harder = 0;
    let mut actions = fighter.actions.clone();
    for step in steps(fighter, facts, Window::Passive) {
        match step {
            Step::ChangeDifficulty(change) if change.maneuvers == Maneuvers::Turns => harder += change.by,
            Step::OnlyActions(allowed) => actions
                .retain(|entry| allowed.contains(&AllowedAction::Focus) && entry.action.kind == ActionKind::Focus),
            _ => {}
        }
    }
    let turned = |maneuver: &Maneuver| Maneuver {
        difficulty: match maneuver.bearing {
            Bearing::Turn(_) => (0..harder).fold(maneuver.difficulty, |difficulty, _| match difficulty {
                Difficulty::Blue => Difficulty::White,
                Difficulty::White | Difficulty::Red => Difficulty::Red,
                Difficulty::Purple => Difficulty::Purple,
            }),
            _ => maneuver.difficulty,
        },
        ..*maneuver
    };
    (Dial::new(fighter.dial.maneuvers().iter().map(turned)), actions)
}

impl Battle {
    /// The face-up cards of a ship that an action repairs.
    pub(super) fn repairable(&self, index: usize) -> Vec<Card> {
        effects(&self.fighters[index], self.facts, Window::ActionHeader)
            .filter(|(_, effect)| effect.steps.contains(&Step::RepairThis))
            .map(|(card, _)| card)
            .collect()
    }

    /// The face-up damage cards of a ship that it may repair for its action.
    pub fn repairs(&self, ship: &str) -> Vec<Card> {
        self.index(ship).map(|index| self.repairable(index)).unwrap_or_default()
    }

    pub(super) fn repair(&mut self, index: usize, card: Card) {
        if self.fighters[index].integrity.turn_face_down(card) {
            let ship = self.table.ships[index].id.clone();
            self.events.push(Event::Repaired { ship, card });
            self.cards_change(index);
        }
    }

    /// A ship suffers damage, with all that its cards make of it.
    pub(super) fn suffer(&mut self, index: usize, damage: Damage, dice: &mut dyn DiceSource) {
        let integrity = &mut self.fighters[index].integrity;
        let outcome = integrity.suffer(damage, self.facts, &mut self.deck, dice);
        let mut gained = false;
        let tokens = &mut self.table.ships[index].tokens;
        for event in &outcome {
            if let DamageEvent::Tokens { token, count } = event {
                gained = true;
                *match token {
                    HarmfulToken::Stress => &mut tokens.stress,
                    HarmfulToken::Ion => &mut tokens.ion,
                } += u32::from(*count);
            }
        }
        let ship = self.table.ships[index].id.clone();
        let dealt = outcome.iter().any(|event| !matches!(event, DamageEvent::ShieldLost));
        self.events.push(Event::Suffered { ship, damage, outcome });
        if gained {
            self.record_tokens(index);
        }
        if dealt {
            self.cards_change(index);
        }
    }

    pub(super) fn before_engaging(&mut self, index: usize, dice: &mut dyn DiceSource) {
        self.play(index, Window::BeforeEngage, |_| true, dice);
    }

    pub(super) fn after_action(&mut self, index: usize, dice: &mut dyn DiceSource) {
        self.play(index, Window::AfterAction, |_| true, dice);
    }

    pub(super) fn after_maneuver(
        &mut self,
        index: usize,
        execution: &Execution,
        ionized: bool,
        dice: &mut dyn DiceSource,
    ) {
        self.ionized = ionized;
        let met = !execution.suffered.is_empty() || !execution.overlapped_obstacles.is_empty();
        let straight = matches!(
            execution.maneuver.bearing,
            Bearing::Straight | Bearing::ReverseStraight | Bearing::Stationary
        );
        let holds = |condition: &Condition| match condition {
            Condition::MetObstacle => met,
            Condition::ManeuverNotStraight => !straight,
            Condition::IonManeuver => ionized,
            Condition::DealtFaceup | Condition::SuffersHit | Condition::SufferedCrit => false,
        };
        self.play(index, Window::AfterManeuver, holds, dice);
    }

    /// Plays the cards that lie face up when the moment comes.
    fn play(&mut self, index: usize, window: Window, holds: impl Fn(&Condition) -> bool, dice: &mut dyn DiceSource) {
        if self.fighters[index].integrity.face_up.is_empty() {
            return;
        }
        let now: Vec<(Card, &'static Effect)> = effects(&self.fighters[index], self.facts, window)
            .filter(|(_, effect)| effect.conditions.iter().all(&holds))
            .collect();
        for (card, effect) in now {
            for step in &effect.steps {
                self.play_step(index, card, step, dice);
            }
        }
    }

    fn play_step(&mut self, index: usize, card: Card, step: &'static Step, dice: &mut dyn DiceSource) {
        match step {
            Step::RepairThis => self.repair(index, card),
            Step::DealDamage(dealt) => {
                let damage = Damage {
                    hits: dealt.hit,
                    crits: dealt.crit,
                };
                self.suffer(index, damage, dice);
            }
            Step::GainToken(gained) => {
                let tokens = &mut self.table.ships[index].tokens;
                *match gained.token {
                    HarmfulToken::Stress => &mut tokens.stress,
                    HarmfulToken::Ion => &mut tokens.ion,
                } += u32::from(gained.n);
                self.record_tokens(index);
            }
            Step::RollCheck(check) => {
                let face = dice.attack();
                let ship = self.table.ships[index].id.clone();
                self.events.push(Event::CardRolled { ship, card, face });
                if check.attack.contains(&face) {
                    for step in &check.then {
                        self.play_step(index, card, step, dice);
                    }
                }
            }
            // These belong to other moments.
            Step::HitsBecomeCrits
            | Step::DiceCount(_)
            | Step::RestrictModification(_)
            | Step::ChangeDifficulty(_)
            | Step::OnlyActions(_) => {}
        }
    }
}
