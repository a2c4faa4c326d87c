//! What cards do all the time, or until something is over: initiative, the dial's colours, the action bar, what is possible
//! while stressed. It is put in force when it changes, and said in the record.

use std::sync::Arc;

use super::{reveal, support};
use crate::xwing::{
    action::{ActionKind, BarAction, ColoredAction},
    battle::{
        Battle, Event, Fighter,
        conditions::{Chosen, Scene, is_meant, kind_of},
        occasion::{Happening, Occasion},
    },
    edition::SkillOfDamageCards,
    effects::{
        CardKind, Effect, Predicate, Primitive, Role, Window,
        effect::Duration,
        predicate::{ActionColor, ActionFilter, ActionWord, ManeuverFilter},
        primitive::{
            ActionRule, ArcRuleWord, IgnoreObstacles, InitiativeWord, LockRule, Stat, StepRule, StressPermission,
            WeaponRule,
        },
    },
    maneuver::{Bearing, Dial, Difficulty, Maneuver},
    obstacle::ObstacleKind,
    ship::{ArcDirection, RedWhileStressed, Standing, TurnBoost},
    weapon::WeaponArc,
};

/// Something that a card does until something is over.
#[derive(Debug, Clone, PartialEq)]
pub struct Lasting {
    /// What.
    pub what: Lasts,
    /// Until when.
    pub until: Duration,
}

/// What lasts.
#[derive(Debug, Clone, PartialEq)]
pub enum Lasts {
    /// The ship acts at this initiative.
    Initiative(u8),
    /// A rule that cards may also have all the time.
    Step(Box<Primitive>),
}

/// What cards change about a ship's dial and bar.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changed {
    /// Maneuvers that are so many steps harder (easier, where negative).
    pub harder: Vec<(ManeuverFilter, i8)>,
    /// Actions that are added to the bar.
    pub granted: Vec<BarAction>,
    /// Actions that are of this colour instead of that one.
    pub recolored: Vec<(ActionKind, Difficulty, Difficulty)>,
    /// Actions that it cannot perform, whatever gives them.
    pub barred: Vec<ActionKind>,
    /// Whether the only actions that cards may add are those of damage cards.
    pub only_damage_cards: bool,
    /// Whether it cannot plan straights.
    pub no_straights: bool,
    /// By how much its agility is changed.
    pub agility: i8,
    /// By how much its primary weapon values are changed.
    pub primary: i8,
}

/// All that stands for a ship.
#[derive(Default)]
struct InForce {
    limit: Option<Vec<ArcDirection>>,
    ignored: Vec<ObstacleKind>,
    swivels: Vec<&'static str>,
    standing: Standing,
    initiative: Option<u8>,
    changed: Changed,
    /// Whether none of the actions on its bar may be performed, wherever they come from.
    bar_is_barred: bool,
    /// Whether its pilot ability and its elite talents are ignored.
    no_pilot_ability: bool,
}

pub(super) const WINDOWS: [Window; 2] = [Window::Passive, Window::WhileAction];

/// Whether a condition says for which action a rule stands: it is no condition of the moment.
pub(super) fn names_actions(condition: &Predicate) -> bool {
    matches!(condition, Predicate::Action(filter) if *filter == ActionFilter { any_of: filter.any_of.clone(), ..ActionFilter::default() })
}

/// Whether a step lets boosts use the turns of speed 1.
fn turns_boosts(step: &Primitive) -> bool {
    match step {
        Primitive::ActionRule(rules) => {
            rules.contains(&ActionRule::TemplateTurn1) || rules.contains(&ActionRule::TemplateTurn)
        }
        _ => false,
    }
}

/// Whether an effect does no more than to let boosts use the turns of speed 1: for nothing, or treated as red.
pub(super) fn is_daring(effect: &Effect) -> bool {
    let red = |step: &Primitive| matches!(step, Primitive::ActionRule(rules) if rules.0[..] == [ActionRule::AsRed]);
    matches!(effect.steps.as_slice(), [first, second] if red(first) && turns_boosts(second))
}

/// Whether an effect is about boosts, and about nothing else.
pub(super) fn is_about_boosts(effect: &Effect) -> bool {
    let [Predicate::Action(filter)] = effect.conditions.as_slice() else {
        return false;
    };
    names_actions(&effect.conditions[0]) && filter.any_of.0[..] == [ActionWord::Boost]
}

impl InForce {
    fn add(&mut self, step: &Primitive, actions: &[ActionKind]) {
        use ArcDirection::{Front, Left, Rear, Right};
        let mut point = |only: &[ArcDirection]| {
            let before = self.limit.take().unwrap_or_else(|| vec![Front, Rear, Left, Right]);
            self.limit = Some(before.into_iter().filter(|arc| only.contains(arc)).collect());
        };
        match step {
            Primitive::ArcRule(rule) if rule.rule == ArcRuleWord::TurretFrontOrRear => point(&[Front, Rear]),
            Primitive::ArcRule(rule) if rule.rule == ArcRuleWord::TurretNotRear => point(&[Front, Left, Right]),
            Primitive::ActionRule(rules) => {
                if turns_boosts(step) {
                    self.standing.boost_turns = Some(TurnBoost::Free);
                }
                for rule in rules {
                    let colors = match rule {
                        ActionRule::OnlyFrontOrRear => {
                            point(&[Front, Rear]);
                            continue;
                        }
                        ActionRule::RedAsWhite => (Difficulty::Red, Difficulty::White),
                        ActionRule::AsRed => (Difficulty::White, Difficulty::Red),
                        _ => continue,
                    };
                    let each = actions.iter().map(|kind| (*kind, colors.0, colors.1));
                    self.changed.recolored.extend(each);
                }
            }
            Primitive::WeaponRule(rules) => self.swivels.extend(rules.iter().filter_map(|rule| match rule {
                WeaponRule::MissileTurretArc => Some("Missile"),
                WeaponRule::CannonTurretArc => Some("Cannon"),
                _ => None,
            })),
            Primitive::IgnoreObstacles(words) => {
                for word in words {
                    match word {
                        IgnoreObstacles::AsteroidsMoving => self.ignored.push(ObstacleKind::Asteroid),
                        IgnoreObstacles::Moving | IgnoreObstacles::Maneuver => {
                            self.ignored
                                .extend([ObstacleKind::Asteroid, ObstacleKind::Debris, ObstacleKind::GasCloud]);
                        }
                        IgnoreObstacles::Reposition => self.standing.repositions_over_obstacles = true,
                        _ => {}
                    }
                }
            }
            Primitive::LockRule(rules) => {
                for rule in rules {
                    let standing = &mut self.standing;
                    match rule {
                        LockRule::Max2 => standing.more_locks = standing.more_locks.max(1),
                        LockRule::Max3 => standing.more_locks = standing.more_locks.max(2),
                        LockRule::CannotBeLocked => standing.cannot_be_locked = true,
                        _ => {}
                    }
                }
            }
            Primitive::StressPermission(words) => words.iter().for_each(|word| self.permit(*word)),
            Primitive::StepRule(rules) => {
                for rule in rules {
                    match rule {
                        StepRule::NoSlam => self.changed.barred.push(ActionKind::Slam),
                        StepRule::CannotBeCoordinated => self.standing.cannot_be_coordinated = true,
                        StepRule::OnlyFocusAndCardActions => {
                            let others = ActionKind::ALL.into_iter().filter(|kind| *kind != ActionKind::Focus);
                            self.changed.barred.extend(others);
                            self.changed.only_damage_cards = true;
                        }
                        StepRule::OnlyDamageCardActions => {
                            self.changed.barred.extend(ActionKind::ALL);
                            self.changed.only_damage_cards = true;
                        }
                        StepRule::NoBarActions => self.bar_is_barred = true,
                        StepRule::CannotAttack => self.standing.cannot_attack = true,
                        StepRule::NoStraights => self.changed.no_straights = true,
                        StepRule::NoPilotAbility => self.no_pilot_ability = true,
                        _ => {}
                    }
                }
            }
            // FE-7.5: all changes of a value are summed before the least value counts.
            Primitive::StatChange(change) => match change.stat {
                Stat::Agility => self.changed.agility = self.changed.agility.saturating_add(change.by),
                Stat::Attack => self.changed.primary = self.changed.primary.saturating_add(change.by),
                _ => {}
            },
            Primitive::Initiative(set) => self.initiative = fixed_initiative(set.to).or(self.initiative),
            Primitive::GrantAction(grant) => {
                let kind = kind_of(grant.action);
                self.changed.granted.extend(kind.map(|kind| BarAction {
                    action: ColoredAction {
                        kind,
                        difficulty: match grant.difficulty {
                            Some(ActionColor::Red | ActionColor::AsRed) => Difficulty::Red,
                            Some(ActionColor::Purple) => Difficulty::Purple,
                            Some(ActionColor::White) | None => Difficulty::White,
                        },
                    },
                    linked: None,
                }));
            }
            Primitive::ChangeDifficulty(change) => {
                if let (Some(filter), Some(by)) = (&change.maneuvers, change.by) {
                    self.changed.harder.push((filter.clone(), by));
                }
            }
            // What else stands has its place where it is asked about.
            _ => {}
        }
    }

    fn permit(&mut self, word: StressPermission) {
        use ActionKind as A;
        let standing = &mut self.standing;
        let mut may = |kinds: &[ActionKind]| standing.acts_stressed.extend_from_slice(kinds);
        match word {
            StressPermission::All => {
                may(&A::ALL);
                standing.repairs_stressed = true;
                standing.flies_red = RedWhileStressed::ALL;
            }
            StressPermission::Actions => {
                may(&A::ALL);
                standing.repairs_stressed = true;
            }
            StressPermission::WhiteActions => standing.acts_white_stressed = true,
            StressPermission::DamageCardActions => standing.repairs_stressed = true,
            StressPermission::Focus => may(&[A::Focus]),
            StressPermission::Slam => may(&[A::Slam]),
            StressPermission::BarrelRollOrBoost => may(&[A::BarrelRoll, A::Boost]),
            StressPermission::Support => may(&[A::Reinforce, A::Coordinate, A::Jam]),
            StressPermission::RedManeuvers => standing.flies_red = RedWhileStressed::ALL,
            StressPermission::RedBasic => standing.flies_red.basic = true,
            StressPermission::RedAdvanced => {
                standing.flies_red.segnor = true;
                standing.flies_red.advanced = true;
            }
            StressPermission::RedSegnorBoostRotate => {
                may(&[A::Boost, A::RotateArc]);
                standing.flies_red.segnor = true;
            }
            StressPermission::OneAction | StressPermission::Coordinated | StressPermission::Ailerons => {}
        }
    }
}

/// A dial and an action bar as cards leave them.
pub(in crate::xwing::battle) fn in_force(fighter: &Fighter) -> (Dial, Vec<BarAction>) {
    let changed = &fighter.changed;
    let mut actions = fighter.actions.clone();
    for entry in &changed.granted {
        if actions.iter().all(|other| other.action.kind != entry.action.kind) {
            actions.push(*entry);
        }
    }
    actions.retain(|entry| !changed.barred.contains(&entry.action.kind));
    for entry in &mut actions {
        entry.linked = entry.linked.filter(|linked| !changed.barred.contains(&linked.kind));
    }
    for (kind, from, to) in &changed.recolored {
        let colored = actions
            .iter_mut()
            .flat_map(|entry| std::iter::once(&mut entry.action).chain(&mut entry.linked));
        for action in colored.filter(|action| action.kind == *kind && action.difficulty == *from) {
            action.difficulty = *to;
        }
    }
    let turned = |maneuver: &Maneuver| {
        let meant = changed
            .harder
            .iter()
            .filter(|(filter, _)| is_meant(filter, *maneuver, None));
        let by = meant.fold(0_i8, |sum, (_, by)| sum.saturating_add(*by));
        Maneuver {
            difficulty: reveal::harder(maneuver.difficulty, by),
            ..*maneuver
        }
    };
    let planned = |maneuver: &&Maneuver| !(changed.no_straights && maneuver.bearing == Bearing::Straight);
    (
        Dial::new(fighter.dial.maneuvers().iter().filter(planned).map(turned)),
        actions,
    )
}

/// The initiative that a word names by itself.
pub(super) fn fixed_initiative(word: InitiativeWord) -> Option<u8> {
    match word {
        InitiativeWord::Initiative0 => Some(0),
        InitiativeWord::Initiative6 => Some(6),
        InitiativeWord::Initiative7 => Some(7),
        _ => None,
    }
}

impl Battle {
    /// The constant effects of a ship's cards, each with whether it holds now.
    fn constant(&self, ship: usize) -> Vec<(&Effect, bool)> {
        let occasion = Occasion {
            id: 0,
            window: Window::Passive,
            subject: Some(ship),
            other: None,
            what: Happening::Moment,
        };
        let chosen = Chosen::default();
        let mut all = Vec::new();
        for window in WINDOWS {
            for coming in self.fighters[ship].cards.effects(window, Role::Own) {
                let scene = Scene {
                    table: &self.table,
                    fighters: &self.fighters,
                    own: ship,
                    card: Some(coming.at.card),
                    occasion: &occasion,
                    subject: Some(ship),
                    of_friends: false,
                    attack: None,
                    chosen: &chosen,
                    each: None,
                    imagined: &[],
                };
                let conditions = coming.effect.conditions.iter();
                let mut of_the_moment = conditions.filter(|condition| !names_actions(condition));
                let holds = support::is_standing(window, coming.effect)
                    && of_the_moment.all(|condition| scene.holds(condition) == Some(true));
                all.push((coming.effect, holds));
            }
        }
        all
    }

    /// Looks whether what cards do all the time has changed for any ship.
    pub(in crate::xwing::battle) fn refresh_standing(&mut self) {
        let any = WINDOWS.iter().any(|window| self.has_window(*window));
        for ship in 0..self.fighters.len() {
            let fighter = &self.fighters[ship];
            if fighter.stands.is_some() && !any {
                continue;
            }
            let constant = WINDOWS.iter().any(|window| fighter.cards.has(*window));
            if self.table.ships[ship].in_play() && (constant || fighter.stands.is_none()) {
                self.put_standing_in_force(ship);
            }
        }
    }

    /// What lasted until then is over.
    pub(in crate::xwing::battle) fn expire(&mut self, over: &[Duration]) {
        for ship in 0..self.fighters.len() {
            self.expire_for(ship, over);
        }
    }

    /// The same, for one ship.
    pub(in crate::xwing::battle) fn expire_for(&mut self, ship: usize, over: &[Duration]) {
        let fighter = &mut self.fighters[ship];
        let before = fighter.lasting.len();
        fighter.lasting.retain(|lasting| !over.contains(&lasting.until));
        if fighter.lasting.len() != before {
            fighter.stands = None;
            self.put_standing_in_force(ship);
        }
    }

    /// Something lasts for a ship.
    pub(super) fn last(&mut self, ship: usize, what: Lasts, until: Duration) {
        let fighter = &mut self.fighters[ship];
        fighter.lasting.push(Lasting { what, until });
        fighter.stands = None;
        self.put_standing_in_force(ship);
    }

    /// A round begins: a skill that damage cards have lowered before it counts from now on (FE-4.1).
    pub(in crate::xwing::battle) fn take_over_skills(&mut self) {
        match self.table.rules.skill_of_damage_cards {
            SkillOfDamageCards::AtOnce => return,
            SkillOfDamageCards::NextRound => {}
        }
        for ship in 0..self.fighters.len() {
            let constant = self.constant(ship);
            let mut steps = constant
                .iter()
                .filter(|(_, holds)| *holds)
                .flat_map(|(effect, _)| &effect.steps);
            let counts =
                steps.any(|step| matches!(step, Primitive::Initiative(set) if fixed_initiative(set.to).is_some()));
            let fighter = &mut self.fighters[ship];
            if fighter.skill_counts != counts {
                fighter.skill_counts = counts;
                fighter.stands = None;
                self.put_standing_in_force(ship);
            }
        }
    }

    /// Lets what cards do all the time take hold of a ship, if it is not in force already.
    pub(in crate::xwing::battle) fn put_standing_in_force(&mut self, ship: usize) {
        let constant = self.constant(ship);
        let mask = (constant.iter().enumerate())
            .filter(|(_, (_, holds))| *holds)
            .fold(0_u64, |bits, (place, _)| bits | 1 << (place % 64));
        if self.fighters[ship].stands == Some(mask) {
            return;
        }
        let mut now = InForce::default();
        for (effect, _) in constant.iter().filter(|(_, holds)| *holds) {
            let named = effect.conditions.iter().filter(|condition| names_actions(condition));
            let actions: Vec<ActionKind> = named
                .flat_map(|condition| match condition {
                    Predicate::Action(filter) => &filter.any_of.0[..],
                    _ => &[],
                })
                .filter_map(|word| kind_of(*word))
                .collect();
            if is_daring(effect) {
                now.standing.boost_turns.get_or_insert(TurnBoost::AsRed);
                continue;
            }
            for step in &effect.steps {
                now.add(step, &actions);
            }
        }
        if self.table.rules.skill_of_damage_cards == SkillOfDamageCards::NextRound && !self.fighters[ship].skill_counts
        {
            now.initiative = None;
        }
        // Only the latest effect counts; when it ends the one before it counts again (FE-4.1).
        for lasting in &self.fighters[ship].lasting {
            match &lasting.what {
                Lasts::Initiative(initiative) => now.initiative = Some(*initiative),
                Lasts::Step(step) => now.add(step, &[]),
            }
        }
        // PE-1: no free action either, so nobody coordinates the shuttle.
        now.standing.cannot_be_coordinated |= self.is_shuttle_at(ship);
        if now.bar_is_barred {
            let bar = self.fighters[ship].actions.iter().chain(&now.changed.granted);
            let bar: Vec<ActionKind> = bar.map(|entry| entry.action.kind).collect();
            now.changed.barred.extend(bar);
        }
        if now.no_pilot_ability || !self.fighters[ship].cards.ignored().is_empty() {
            let talents = if now.no_pilot_ability {
                self.pilot_ability(ship)
            } else {
                Vec::new()
            };
            self.fighters[ship].cards.ignore(talents);
        }
        now.ignored.sort_unstable();
        now.ignored.dedup();
        now.standing.acts_stressed.sort_unstable();
        now.standing.acts_stressed.dedup();
        let subject = &mut self.table.ships[ship];
        let fighter = &mut self.fighters[ship];
        let base = *fighter.base_initiative.get_or_insert(subject.initiative);
        fighter.stands = Some(mask);
        let before = (
            subject.initiative,
            Arc::clone(&subject.dial),
            subject.actions.clone(),
            subject.standing.clone(),
        );
        subject.initiative = now.initiative.unwrap_or(base);
        subject.ignored_obstacles = now.ignored;
        subject.standing = now.standing;
        // What had to be fired to the front is fired in the turret's arc instead.
        let arms = subject
            .weapons
            .iter_mut()
            .filter(|weapon| weapon.arc == WeaponArc::Front);
        for weapon in arms {
            let slot = weapon.special.as_ref().map(|special| special.slot.as_str());
            if slot.is_some_and(|slot| now.swivels.contains(&slot)) {
                weapon.arc = WeaponArc::SingleTurret;
            }
        }
        if let Some(limit) = now.limit {
            // An indicator that points elsewhere is put right.
            if !subject.turret.is_empty() && !subject.turret.iter().all(|arc| limit.contains(arc)) {
                subject.turret = limit[..1].to_vec();
            }
            subject.turret_limit = limit;
        }
        if fighter.changed != now.changed {
            fighter.changed = now.changed;
            self.cards_change(ship);
        }
        let subject = &self.table.ships[ship];
        let after = (&subject.initiative, &subject.dial, &subject.actions, &subject.standing);
        if (&before.0, &before.1, &before.2, &before.3) != after {
            self.record_standing(ship);
        }
    }

    /// The places of a ship's cards that are its pilot ability or elite talents.
    fn pilot_ability(&self, ship: usize) -> Vec<usize> {
        let fighter = &self.fighters[ship];
        let talent = |place: &usize| {
            let slots = fighter.slots.get(*place);
            slots.is_some_and(|slots| slots.iter().any(|slot| slot == "Elite" || slot == "Talent"))
        };
        let of_the_pilot = |place: &usize| fighter.cards[*place].id.kind == CardKind::Pilot || talent(place);
        (0..fighter.cards.len()).filter(of_the_pilot).collect()
    }

    /// Records what cards make of a ship after it has changed.
    pub(super) fn record_standing(&mut self, ship: usize) {
        let ship = &self.table.ships[ship];
        self.events.push(Event::Standing {
            ship: ship.id.clone(),
            initiative: ship.initiative,
            actions: ship.actions.clone(),
            standing: Box::new(ship.standing.clone()),
        });
    }
}
