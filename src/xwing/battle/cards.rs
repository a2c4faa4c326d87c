//! Damage cards that lie face up, at their moments. What each does is data; no card is named here.

use super::{
    Battle, Event, Fighter,
    conditions::{bearing_is, is_meant},
    occasion::Happening,
    queue::made_harder,
};
use crate::{
    dice::DiceSource,
    xwing::{
        action::{ActionKind, BarAction},
        damage_deck::{Card, Damage, DamageEvent, DeckFacts, HarmfulToken},
        effects::{
            Effect, Predicate, Primitive, Window,
            predicate::{EventWord, ManeuverFilter, Terrain},
            primitive::{Pool, RepairedCard, StepRule},
        },
        maneuver::{Bearing, Dial, Maneuver},
        movement::Execution,
    },
};

/// The effects of a ship's face-up cards at a moment.
fn card_effects<'f>(
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
        let now = effects.iter().filter(move |effect| effect.on.window.contains(&window));
        now.map(move |effect| (card, effect))
    })
}

fn steps<'f>(
    fighter: &'f Fighter,
    facts: &'static DeckFacts,
    window: Window,
) -> impl Iterator<Item = &'static Primitive> + use<'f> {
    card_effects(fighter, facts, window).flat_map(|(_, effect)| &effect.steps)
}

/// How many dice more a ship rolls.
pub(super) fn dice_change(fighter: &Fighter, facts: &'static DeckFacts, window: Window, pool: Pool) -> i64 {
    steps(fighter, facts, window)
        .map(|step| match step {
            Primitive::DiceCount(change) if change.dice == pool => i64::from(change.by),
            _ => 0,
        })
        .sum()
}

/// Whether nothing but Force may change its attack dice.
pub(super) fn only_force(fighter: &Fighter, facts: &'static DeckFacts) -> bool {
    steps(fighter, facts, Window::AttackModify).any(|step| matches!(step, Primitive::RestrictModification(_)))
}

/// Whether a step repairs the card itself.
fn repairs_this(step: &Primitive) -> bool {
    matches!(step, Primitive::Repair(repair) if repair.card == RepairedCard::This)
}

/// The dial and the action bar as the cards leave them.
pub(super) fn in_force(fighter: &Fighter, facts: &'static DeckFacts) -> (Dial, Vec<BarAction>) {
    let changed = &fighter.changed;
    let mut harder: Vec<(&ManeuverFilter, i8)> = changed.harder.iter().map(|(filter, by)| (filter, *by)).collect();
    let mut actions = fighter.actions.clone();
    for entry in &changed.granted {
        if actions.iter().all(|other| other.action.kind != entry.action.kind) {
            actions.push(*entry);
        }
    }
    actions.retain(|entry| !changed.barred.contains(&entry.action.kind));
    for (kind, from, to) in &changed.recolored {
        let colored = actions
            .iter_mut()
            .flat_map(|entry| std::iter::once(&mut entry.action).chain(&mut entry.linked));
        for action in colored.filter(|action| action.kind == *kind && action.difficulty == *from) {
            action.difficulty = *to;
        }
    }
    for step in steps(fighter, facts, Window::Passive) {
        match step {
            Primitive::ChangeDifficulty(change) => {
                let filter = change.maneuvers.as_ref();
                harder.extend(filter.map(|filter| (filter, change.by.unwrap_or(0))));
            }
            Primitive::StepRule(rules) if rules.contains(&StepRule::OnlyFocusAndCardActions) => {
                actions.retain(|entry| entry.action.kind == ActionKind::Focus);
            }
            _ => {}
        }
    }
    let turned = |maneuver: &Maneuver| {
        let meant = harder.iter().filter(|(filter, _)| is_meant(filter, *maneuver, None));
        let by = meant.fold(0_i8, |sum, (_, by)| sum.saturating_add(*by));
        Maneuver {
            difficulty: made_harder(maneuver.difficulty, by),
            ..*maneuver
        }
    };
    (Dial::new(fighter.dial.maneuvers().iter().map(turned)), actions)
}

/// Whether a condition holds after a maneuver of this bearing; `met` tells whether the ship met an obstacle. Conditions that
/// ask about other moments do not.
fn after_maneuver_holds(condition: &Predicate, bearing: Bearing, ionized: bool, met: bool) -> bool {
    match condition {
        Predicate::Not(inner) => !after_maneuver_holds(inner, bearing, ionized, met),
        Predicate::MovedThrough(terrain) => met && terrain.contains(&Terrain::Obstacle),
        Predicate::Maneuver(filter) => filter.bearing.iter().any(|word| bearing_is(*word, bearing, ionized)),
        _ => false,
    }
}

impl Battle {
    /// The face-up cards of a ship that an action repairs.
    pub(super) fn repairable(&self, index: usize) -> Vec<Card> {
        card_effects(&self.fighters[index], self.facts, Window::ActionHeader)
            .filter(|(_, effect)| effect.steps.iter().any(repairs_this))
            .map(|(card, _)| card)
            .collect()
    }

    /// The face-up damage cards of a ship that it may repair for its action.
    pub fn repairs(&self, ship: &str) -> Vec<Card> {
        let Some(index) = self.index(ship) else {
            return Vec::new();
        };
        let subject = &self.table.ships[index];
        match subject.is_stressed() && !subject.standing.repairs_stressed {
            true => Vec::new(),
            false => self.repairable(index),
        }
    }

    pub(super) fn repair(&mut self, index: usize, card: Card) {
        if self.fighters[index].integrity.turn_face_down(card) {
            let ship = self.table.ships[index].id.clone();
            self.events.push(Event::Repaired { ship, card });
            self.cards_change(index);
            let what = EventWord::Repair;
            self.open(
                Window::DamageCardEvent,
                Some(index),
                None,
                Happening::DamageCard { card, what },
            );
        }
    }

    /// A ship suffers damage, with all that its cards make of it.
    pub(super) fn suffer(&mut self, index: usize, damage: Damage, dice: &mut dyn DiceSource) {
        let integrity = &mut self.fighters[index].integrity;
        let outcome = integrity.suffer(damage, self.facts, &mut self.deck, dice);
        self.after_cards(index, damage, outcome);
    }

    /// What damage, or a card that was dealt or exposed, does to a ship beside the card itself.
    pub(super) fn after_cards(&mut self, index: usize, damage: Damage, outcome: Vec<DamageEvent>) {
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
        let count = |wanted: fn(&DamageEvent) -> bool| outcome.iter().filter(|event| wanted(event)).count();
        let shields = count(|event| matches!(event, DamageEvent::ShieldLost));
        let cards = count(|event| matches!(event, DamageEvent::Dealt { .. }));
        self.events.push(Event::Suffered { ship, damage, outcome });
        if gained {
            self.record_tokens(index);
        }
        if dealt {
            self.cards_change(index);
        }
        let what = Happening::Damage {
            damage,
            shields: shields as u8,
            cards: cards as u8,
        };
        self.open(Window::DamageSuffered, Some(index), None, what);
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
        let bearing = execution.maneuver.bearing;
        let holds = |condition: &Predicate| after_maneuver_holds(condition, bearing, ionized, met);
        self.play(index, Window::AfterManeuver, holds, dice);
    }

    /// Plays the cards that lie face up when the moment comes.
    fn play(&mut self, index: usize, window: Window, holds: impl Fn(&Predicate) -> bool, dice: &mut dyn DiceSource) {
        if self.fighters[index].integrity.face_up.is_empty() {
            return;
        }
        let now: Vec<(Card, &'static Effect)> = card_effects(&self.fighters[index], self.facts, window)
            .filter(|(_, effect)| effect.conditions.iter().all(&holds))
            .collect();
        for (card, effect) in now {
            for step in &effect.steps {
                self.play_step(index, card, step, dice);
            }
        }
    }

    fn play_step(&mut self, index: usize, card: Card, step: &'static Primitive, dice: &mut dyn DiceSource) {
        match step {
            Primitive::Repair(repair) if repair.card == RepairedCard::This => self.repair(index, card),
            Primitive::DealDamage(dealt) => {
                let damage = Damage {
                    hits: dealt.hit,
                    crits: dealt.crit,
                };
                self.suffer(index, damage, dice);
            }
            Primitive::GainToken(gained) => {
                let Some((token, count)) = HarmfulToken::given(gained) else {
                    return;
                };
                let tokens = &mut self.table.ships[index].tokens;
                *match token {
                    HarmfulToken::Stress => &mut tokens.stress,
                    HarmfulToken::Ion => &mut tokens.ion,
                } += u32::from(count);
                self.record_tokens(index);
            }
            Primitive::RollCheck(check) => {
                let face = dice.attack();
                let ship = self.table.ships[index].id.clone();
                self.events.push(Event::CardRolled { ship, card, face });
                let branches = check.branches.iter();
                for branch in branches.filter(|branch| branch.faces.iter().any(|word| word.is_attack(face))) {
                    for step in &branch.steps {
                        self.play_step(index, card, step, dice);
                    }
                }
            }
            // These belong to other moments.
            _ => {}
        }
    }
}
