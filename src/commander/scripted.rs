//! A player who is no straw man: looks one maneuver ahead on the damage that it gives and takes, by the exact dice, keeps
//! off rocks and the edge, takes the action that helps most, and attacks where it does most.

use rustc_hash::FxHashMap;

use super::{Commander, Explanation, escort, picks};
use crate::{
    dice::DiceSource,
    geometry::{Point, Pose, angle},
    solo_alpha::{
        self,
        attack::windows::{Foresight, best_step},
    },
    xwing::{
        ObjectId,
        action::{ActionDetail, ActionKind, ColoredAction, FullArc},
        battle::{Answer, AttackOrder, Battle, Flight, Order, Request},
        combat::{self, Attack, AttackStep, SpendFirst, Spending},
        device::{self, DropTemplate},
        edition::{Coordinate, IonActions, Jam, Reload, Slam, WhenDecloaking},
        maneuver::{Bearing, Difficulty, Maneuver, Side},
        measure::{self, Object, Stance},
        movement::{
            self, Alignment, Departure, EdgePolicy, Execution, MovementOptions,
            consequences::{obstacle_kind, tokens_after},
        },
        obstacle::ObstacleKind,
        reposition::{self, Decloak},
        ship::{ArcDirection, Ship, Tokens},
        table::{PlayArea, Table},
        targeting,
    },
};

mod retreat;

/// How much a point of damage taken weighs against one given.
const CAUTION: f64 = 0.6;
/// What leaving the table is worth.
const FLED: f64 = -100.0;
/// What leaving safely is worth to a ship that is spent.
const SAVED: f64 = 0.5;
/// What losing the action is worth.
const NO_ACTION: f64 = -0.4;
/// What meeting a rock is worth beyond the lost action.
const ROCK: f64 = -0.6;

/// The scripted player. What it remembers is only what it would reckon out again to the same: what attacks are worth, which
/// is the same in every game, and what follows in the attack under way.
#[derive(Debug, Clone, Default)]
pub struct Scripted {
    /// Only looked up, never walked through.
    worth: FxHashMap<Attack, f64>,
    foresight: Foresight,
}

/// An enemy, and where it may stand when shots are exchanged: each place is as likely.
struct Threat<'t> {
    places: Vec<Stance<'t>>,
}

/// What a ship looks at when it weighs where to stand.
struct Outlook<'t> {
    battle: &'t Battle,
    ship: &'t Ship,
    threats: Vec<Threat<'t>>,
    /// Whether it does better to save itself.
    spent: bool,
}

impl<'t> Outlook<'t> {
    /// The enemies among the targets; with `all_move` even those that have moved move once more before shots are exchanged.
    fn new(battle: &'t Battle, targets: &'t Table, ship: &'t Ship, all_move: bool) -> Self {
        let enemies = targets.ships_in_play().filter(|other| other.is_enemy_of(ship));
        let threats = enemies
            .map(|enemy| {
                let moved = !all_move && battle.done().contains(&enemy.id);
                let places = match moved {
                    true => vec![Stance::of(enemy)],
                    false => guesses(enemy, &targets.area),
                };
                Threat { places }
            })
            .collect();
        Outlook {
            battle,
            ship,
            threats,
            spent: retreat::is_wise(battle, ship),
        }
    }
}

/// Differences of worth below this are rounding.
const ROUNDING: f64 = 1e-6;

impl Scripted {
    fn expected(&mut self, attack: Attack) -> f64 {
        *self.worth.entry(attack).or_insert_with(|| attack.forecast().damage)
    }

    /// The best expected damage of one ship on another as they stand; nothing in the way.
    fn best_shot(&mut self, battle: &Battle, from: &Stance<'_>, to: &Stance<'_>) -> f64 {
        if targeting::is_out_of_range(from, to) {
            return 0.0;
        }
        let mut best = 0.0_f64;
        for weapon in &from.ship.weapons {
            if let Some(legal) = targeting::legal_target_in_reach(&battle.table().rules, from, weapon, to) {
                let damage = self.expected(battle.pools_from(from, to, weapon, &legal, false));
                best = best.max(damage);
            }
        }
        best
    }

    /// Damage given less damage taken for a ship as it would stand. Where it is certain to be less than `enough`, not all
    /// that it takes is counted: what comes back is less than `enough`, too.
    fn balance(&mut self, outlook: &Outlook<'_>, ship: &Stance<'_>, enough: f64) -> f64 {
        let (battle, threats) = (outlook.battle, &outlook.threats);
        let (mut given, mut taken) = (0.0_f64, 0.0);
        let share = |threat: &Threat<'_>| 1.0 / threat.places.len().max(1) as f64;
        if ship.ship.tokens.disarm == 0 {
            for threat in threats {
                let mut shot = 0.0;
                for enemy in &threat.places {
                    shot += share(threat) * self.best_shot(battle, ship, enemy);
                }
                given = given.max(shot);
            }
        }
        for threat in threats {
            if given - CAUTION * taken < enough - ROUNDING {
                break;
            }
            for enemy in &threat.places {
                taken += share(threat) * self.best_shot(battle, enemy, ship);
            }
        }
        given - CAUTION * taken
    }

    /// What a move is worth as it comes out; anything less than `enough` where it is certain to be less. `there` is the ship
    /// as it would be: its pose and its tokens are set.
    fn worth_of_move(&mut self, outlook: &Outlook<'_>, there: &mut Ship, execution: &Execution, enough: f64) -> f64 {
        let Outlook {
            battle, ship, spent, ..
        } = *outlook;
        if execution.edge {
            let safe = spent && retreat::is_safe(battle, ship, execution.pose);
            return if safe { SAVED } else { FLED };
        }
        let table = battle.table();
        there.pose = execution.pose;
        there.tokens = tokens_after(table, ship, execution);
        let rocks = execution.suffered.iter();
        let rocks = rocks
            .filter(|id| obstacle_kind(table, id) != Some(ObstacleKind::Debris))
            .count();
        let idle = !execution.overlapped.is_empty() || rocks > 0 || there.is_stressed();
        if !idle {
            // It will have a token of some kind by then.
            there.tokens.focus += 1;
        }
        let on_rock =
            (execution.overlapped_obstacles.iter()).any(|id| obstacle_kind(table, id) == Some(ObstacleKind::Asteroid));
        there.tokens.disarm += u32::from(on_rock);
        let lost = if idle { NO_ACTION } else { 0.0 };
        let rocks = ROCK * execution.suffered.len() as f64;
        let (risk, place) = match spent {
            true => (0.0, retreat::homing(battle, there)),
            false => (edge_risk(&table.area, execution.pose), closing(there, &outlook.threats)),
        };
        let enough = enough - lost - rocks - risk - place;
        self.balance(outlook, &Stance::of(there), enough) + lost + rocks + risk + place
    }

    fn dial(&mut self, battle: &Battle, id: &str) -> Option<Maneuver> {
        let table = battle.table();
        let ship = table.ship(id)?;
        let targets = battle.targets();
        let outlook = Outlook::new(battle, &targets, ship, true);
        let departure = Departure::new(table, ship, &movement_options(battle));
        let mut there = ship.clone();
        let mut best: Option<(f64, Maneuver)> = None;
        for &maneuver in ship.dial.maneuvers() {
            let unpaid = match maneuver.difficulty {
                Difficulty::Red => !ship.may_fly(maneuver),
                Difficulty::Purple => ship.tokens.force == 0,
                Difficulty::Blue | Difficulty::White => false,
            };
            if unpaid {
                continue;
            }
            let execution = departure.execute(maneuver, Alignment::Middle);
            let enough = best.map_or(f64::NEG_INFINITY, |(most, _)| most);
            let worth = self.worth_of_move(&outlook, &mut there, &execution, enough);
            if best.is_none_or(|(most, _)| worth > most + 1e-9) {
                best = Some((worth, maneuver));
            }
        }
        best.map(|(_, maneuver)| maneuver)
            .or_else(|| ship.dial.maneuvers().first().copied())
    }

    /// Out of the cloak the way after which it stands best, if that is better than to stay.
    fn decloak(&mut self, battle: &Battle, id: &str) -> Option<Decloak> {
        let ship = battle.table().ship(id)?;
        let targets = battle.targets();
        let outlook = Outlook::new(battle, &targets, ship, true);
        let options = movement_options(battle);
        let mut cloaked = ship.clone();
        // A cloaked ship gives nothing.
        cloaked.weapons.clear();
        let mut best = (self.balance(&outlook, &Stance::of(&cloaked), f64::NEG_INFINITY), None);
        for (way, end) in reposition::decloaks(battle.table(), ship, &options) {
            if end.blocked.is_none() {
                let mut there = ship.clone();
                there.pose = end.pose;
                there.tokens.cloak = 0;
                let risk = edge_risk(&battle.table().area, end.pose);
                let worth = self.balance(&outlook, &Stance::of(&there), best.0 - risk) + risk;
                if worth > best.0 + 1e-9 {
                    best = (worth, Some(way));
                }
            }
        }
        best.1
    }

    fn fly(&mut self, battle: &Battle, id: &str, maneuver: Maneuver) -> Flight {
        let mut flight = Flight {
            maneuver,
            alignment: Alignment::Middle,
            edge_turn: None,
        };
        let Some(ship) = battle.table().ship(id) else {
            return flight;
        };
        if matches!(maneuver.bearing, Bearing::TallonRoll(_)) {
            let targets = battle.targets();
            let outlook = Outlook::new(battle, &targets, ship, false);
            let mut there = ship.clone();
            let mut most = f64::NEG_INFINITY;
            for end in movement::executions(battle.table(), ship, maneuver, &movement_options(battle)) {
                let worth = self.worth_of_move(&outlook, &mut there, &end, most);
                if worth > most + 1e-9 {
                    most = worth;
                    flight.alignment = end.alignment.unwrap_or_default();
                }
            }
        }
        flight
    }

    /// The action after which the ship stands best; of equal ones the first on its bar.
    fn act(&mut self, battle: &Battle, id: &str) -> Vec<Order> {
        let Some(ship) = battle.table().ship(id) else {
            return Vec::new();
        };
        let targets = battle.targets();
        let outlook = Outlook::new(battle, &targets, ship, false);
        let now = self.balance(&outlook, &Stance::of(ship), f64::NEG_INFINITY);
        let mut best: Option<(f64, Order)> = None;
        let mut there = ship.clone();
        let ionized = battle.table().rules.ion_actions == IonActions::FocusOnly
            && battle.moved().is_some_and(|moved| moved.maneuver == Maneuver::ION);
        for entry in &ship.actions {
            let (kind, difficulty) = (entry.action.kind, entry.action.difficulty);
            if !battle.table().rules.actions.has(kind) {
                continue;
            }
            if ship.performed.contains(&kind) || (ionized && kind != ActionKind::Focus) || !ship.may_act(entry.action) {
                continue;
            }
            let cost = match difficulty {
                Difficulty::Red => 0.35,
                Difficulty::Purple if ship.tokens.force == 0 => continue,
                Difficulty::Purple => 0.2,
                Difficulty::White | Difficulty::Blue => 0.0,
            };
            for (detail, change, beyond) in ends_of(battle, ship, kind) {
                change.make(&mut there);
                let here = edge_risk(&battle.table().area, there.pose) - edge_risk(&battle.table().area, ship.pose);
                let beside = here + beyond - now - cost;
                let enough = best.as_ref().map_or(f64::NEG_INFINITY, |(most, _)| most - beside);
                let worth = self.balance_after(&outlook, &there, enough) - now + beyond + here - cost;
                if best.as_ref().is_none_or(|(most, _)| worth > most + 1e-9) {
                    let order = Order::Bar {
                        kind,
                        difficulty,
                        detail,
                    };
                    best = Some((worth, order));
                }
                change.undo(&mut there, ship);
            }
        }
        let mends = |card: &String| card.starts_with("damage:");
        let cards = battle.card_actions(id);
        // A mine that is dropped as an action, where enemies are near it.
        let own = ship.device.as_ref().map(|device| format!("upgrade:{}", device.id));
        let mines = |card: &&String| Some(*card) == own.as_ref();
        if let Some(mine) = cards.iter().find(mines)
            && best.as_ref().is_none_or(|(worth, _)| *worth < 0.6)
            && hurts_most(battle, ship, device::templates(ship)).is_some()
        {
            return vec![Order::Card(mine.clone())];
        }
        let repair = cards.into_iter().find(mends);
        match (best, repair) {
            // Out of the fight it mends what it can.
            (Some((worth, _)), Some(card)) if worth <= 0.1 && !ionized => vec![Order::Card(card)],
            (Some((worth, order)), _) if worth > 0.0 => vec![order],
            _ => Vec::new(),
        }
    }

    /// What a ship is worth as it would stand after an action; anything less than `enough` where it is certain to be less.
    fn balance_after(&mut self, outlook: &Outlook<'_>, there: &Ship, enough: f64) -> f64 {
        // An evade result against nobody is worth nothing, and neither is a focus token; a little for later shots.
        let later = if there.tokens == outlook.ship.tokens { 0.0 } else { 0.02 };
        self.balance(outlook, &Stance::of(there), enough - later) + later
    }

    fn attack(&mut self, battle: &Battle, id: &str) -> Option<AttackOrder> {
        let table = battle.targets_of(id);
        let ship = table.ship(id)?;
        let mut best: Option<(f64, AttackOrder)> = None;
        for other in table.ships_in_play().filter(|other| other.is_enemy_of(ship)) {
            let left = battle.fighter(&other.id).map_or(1, crate::xwing::battle::Fighter::left);
            for (place, weapon) in ship.weapons.iter().enumerate() {
                let Some(legal) = targeting::legal_target(&table.rules, ship, weapon, other) else {
                    continue;
                };
                let obstructed = measure::obstructed(&table, ship, other, legal.arc);
                let damage = self.expected(battle.pools(ship, other, weapon, &legal, obstructed));
                // Damage beyond the hull is wasted, and a ship that is nearly down is worth finishing.
                let left = f64::from(left.max(1));
                let worth = damage.min(left) * (1.0 + 0.5 / left);
                if best.as_ref().is_none_or(|(most, _)| worth > most + 1e-9) {
                    let target = other.id.clone();
                    best = Some((worth, AttackOrder { weapon: place, target }));
                }
            }
        }
        best.map(|(_, order)| order)
    }
}

fn movement_options(battle: &Battle) -> MovementOptions {
    MovementOptions {
        guides: battle.guides(),
        edge: EdgePolicy::Flee,
    }
}

/// Where an enemy may go: ahead, or to either side at a middling speed. Nothing outside the table.
fn guesses<'t>(enemy: &'t Ship, area: &PlayArea) -> Vec<Stance<'t>> {
    let ways = [Bearing::Straight, Bearing::Bank(Side::Left), Bearing::Bank(Side::Right)];
    let mut places = Vec::with_capacity(ways.len());
    for bearing in ways {
        let maneuver = Maneuver {
            speed: 2,
            bearing,
            difficulty: Difficulty::White,
        };
        let pose = movement::full_end(enemy.size, enemy.pose, maneuver, Alignment::Middle);
        if is_inside(area, pose.position) {
            places.push(Stance::at(enemy, pose));
        }
    }
    if places.is_empty() {
        places.push(Stance::of(enemy));
    }
    places
}

/// The template after which most enemies less friends stand within range 1 of the device, if any more do.
fn drop_where_it_hurts(battle: &Battle, id: &str) -> Option<DropTemplate> {
    let ship = battle.table().ship(id)?;
    hurts_most(battle, ship, battle.drops(ship))
}

fn hurts_most(battle: &Battle, ship: &Ship, templates: Vec<DropTemplate>) -> Option<DropTemplate> {
    let id = &*ship.id;
    let worth = |template: &DropTemplate| {
        let pieces = device::dropped(ship, *template, "");
        pieces.first().map_or(0, |piece| {
            let (enemies, friends) = device::near(battle.table(), &piece.outline, &ship.side, id);
            enemies as i64 - friends as i64
        })
    };
    let best = (templates.into_iter())
        .map(|template| (worth(&template), std::cmp::Reverse(template)))
        .max();
    best.filter(|(worth, _)| *worth > 0)
        .map(|(_, std::cmp::Reverse(template))| template)
}

fn is_inside(area: &PlayArea, point: Point) -> bool {
    (0.0..=area.width).contains(&point.x) && (0.0..=area.height).contains(&point.y)
}

/// What it costs to look at the edge from near: the fewer ways out, the more.
fn edge_risk(area: &PlayArea, pose: Pose) -> f64 {
    const AHEAD_MM: f64 = 130.0;
    let Point { x, y } = pose.position;
    if x.min(y).min(area.width - x).min(area.height - y) > AHEAD_MM + 1.0 {
        return 0.0;
    }
    let open = [-60.0, -30.0, 0.0, 30.0, 60.0].into_iter().filter(|turn| {
        let ahead = Pose {
            position: pose.position,
            heading: angle::normalize(pose.heading + turn),
        };
        is_inside(area, ahead.to_table(Point::new(0.0, AHEAD_MM)))
    });
    match open.count() {
        0 => -4.0,
        1 => -2.0,
        2 => -0.8,
        _ => 0.0,
    }
}

/// A little for being near and pointing at somebody, so that a ship without a shot seeks one.
fn closing(ship: &Ship, threats: &[Threat<'_>]) -> f64 {
    let mut most: Option<f64> = None;
    for enemy in threats.iter().filter_map(|threat| threat.places.first()) {
        let way = enemy.pose.position - ship.pose.position;
        let beyond = (way.length() - 200.0).max(0.0);
        let near = -beyond / 2000.0;
        // Wherever it points, it is not worth more than that.
        if most.is_none_or(|most| near > most) {
            let off = angle::signed(way.bearing() - ship.pose.heading).abs();
            let worth = near - off / 600.0;
            most = Some(most.map_or(worth, |most| most.max(worth)));
        }
    }
    most.unwrap_or(0.0)
}

/// What an action makes of a ship.
enum Change {
    Tokens(Tokens),
    Pose(Pose),
    Turret(Vec<ArcDirection>),
    Lock(ObjectId),
    /// A pose, and a token that keeps it from attacking.
    Slam(Pose),
}

impl Change {
    fn make(&self, ship: &mut Ship) {
        match self {
            Change::Tokens(tokens) => ship.tokens = *tokens,
            Change::Pose(pose) => ship.pose = *pose,
            Change::Turret(arcs) => ship.turret.clone_from(arcs),
            Change::Lock(id) => ship.locks = vec![id.clone()],
            Change::Slam(pose) => {
                ship.pose = *pose;
                ship.tokens.disarm += 1;
            }
        }
    }

    /// The ship as it was.
    fn undo(&self, ship: &mut Ship, before: &Ship) {
        match self {
            Change::Tokens(_) => ship.tokens = before.tokens,
            Change::Pose(_) => ship.pose = before.pose,
            Change::Turret(_) => ship.turret.clone_from(&before.turret),
            Change::Lock(_) => ship.locks.clone_from(&before.locks),
            Change::Slam(_) => (ship.pose, ship.tokens) = (before.pose, before.tokens),
        }
    }
}

/// The ways to take an action, with what each makes of the ship, and what is not seen in that.
fn ends_of(battle: &Battle, ship: &Ship, kind: ActionKind) -> Vec<(ActionDetail, Change, f64)> {
    let table: &Table = battle.table();
    let token = |gain: &dyn Fn(&mut Tokens)| {
        let mut tokens = ship.tokens;
        gain(&mut tokens);
        vec![(ActionDetail::Token, Change::Tokens(tokens), 0.0)]
    };
    match kind {
        ActionKind::Focus => token(&|tokens| tokens.focus += 1),
        ActionKind::Evade => token(&|tokens| tokens.evade += 1),
        ActionKind::Calculate => token(&|tokens| tokens.calculate += 1),
        ActionKind::BarrelRoll | ActionKind::Boost => {
            let options = movement_options(battle);
            // Turns that a card lets a ship boost by have a price of their own, and it leaves them.
            let turns = |detail: &ActionDetail| matches!(detail, ActionDetail::Boost(template) if template.is_turn());
            let ends = reposition::ends(table, ship, kind, &options)
                .filter(|(detail, end)| end.blocked.is_none() && !turns(detail));
            ends.map(|(detail, end)| (detail, Change::Pose(end.pose), 0.0))
                .collect()
        }
        ActionKind::RotateArc if !ship.turret.is_empty() => {
            use ArcDirection::{Front, Left, Rear, Right};
            let ways: Vec<Vec<ArcDirection>> = match ship.turret.len() {
                1 => [Front, Rear, Left, Right].map(|direction| vec![direction]).to_vec(),
                _ => vec![vec![Front, Rear], vec![Left, Right]],
            };
            let others = ways
                .into_iter()
                .filter(|arcs| *arcs != ship.turret && ship.may_point(arcs));
            others
                .map(|arcs| (ActionDetail::RotateArc(arcs.clone()), Change::Turret(arcs), 0.0))
                .collect()
        }
        ActionKind::Lock => {
            let targets = battle.targets();
            let enemies = targets.ships_in_play().filter(|other| other.is_enemy_of(ship));
            enemies
                .filter(|enemy| !ship.locks.contains(&enemy.id) && !enemy.standing.cannot_be_locked)
                .filter(|enemy| measure::range(measure::distance(ship.size, ship.pose, &Object::Ship(enemy))).is_some())
                .map(|enemy| {
                    let id = enemy.id.clone();
                    // It stays until it is spent.
                    (ActionDetail::Lock(id.clone()), Change::Lock(id), 0.05)
                })
                .collect()
        }
        // Reinforce counts in the pools only when the battle has it, so its worth is a guess.
        ActionKind::Reinforce => [FullArc::Fore, FullArc::Aft]
            .into_iter()
            .map(|arc| {
                let enemies = battle.table().ships_in_play().filter(|other| other.is_enemy_of(ship));
                let side = match arc {
                    FullArc::Fore => measure::Arc::FullFront,
                    FullArc::Aft => measure::Arc::FullRear,
                };
                let near = enemies.filter(|enemy| {
                    let object = Object::Ship(enemy);
                    measure::distance_in_arc(ship.print(), ship.pose, side, &object)
                        .is_some_and(|mm| measure::range(mm).is_some())
                });
                let mut tokens = ship.tokens;
                tokens.reinforce += 1;
                let detail = ActionDetail::Reinforce(arc);
                (detail, Change::Tokens(tokens), 0.3 * near.count() as f64 - 0.1)
            })
            .collect(),
        _ => ends_of_support(battle, ship, kind),
    }
}

/// The same of actions that help others, or that are dear: only where they are as the first edition has them. What they are
/// worth beyond what is seen in the ship itself is a guess.
fn ends_of_support(battle: &Battle, ship: &Ship, kind: ActionKind) -> Vec<(ActionDetail, Change, f64)> {
    let table = battle.table();
    let action = ColoredAction {
        kind,
        difficulty: Difficulty::White,
    };
    let details = || {
        let orders = battle.orders_of(&ship.id, action).into_iter();
        orders.filter_map(|order| match order {
            Order::Bar { detail, .. } => Some(detail),
            Order::Card(_) => None,
        })
    };
    let with = |gain: &dyn Fn(&mut Tokens)| {
        let mut tokens = ship.tokens;
        gain(&mut tokens);
        Change::Tokens(tokens)
    };
    let rules = table.rules;
    match kind {
        ActionKind::Jam if matches!(rules.jam, Jam::OwnerPicks { .. }) => {
            let takes = |detail: &ActionDetail| match detail {
                ActionDetail::Jam(target) => !battle.jammable(target).is_empty(),
                _ => false,
            };
            details()
                .map(|detail| {
                    let worth = if takes(&detail) { 0.4 } else { 0.15 };
                    (detail, with(&|_| ()), worth)
                })
                .collect()
        }
        ActionKind::Coordinate if rules.coordinate == Coordinate::FreeAction => {
            let acts = |detail: &ActionDetail| match detail {
                ActionDetail::Coordinate(friend) => table.ship(friend).is_some_and(|friend| !friend.is_stressed()),
                _ => false,
            };
            let able = details().filter(acts);
            able.map(|detail| (detail, with(&|_| ()), 0.3)).collect()
        }
        ActionKind::Reload if rules.reload == Reload::AllCards => {
            let cards = ship.weapons.iter().filter(|weapon| weapon.is_discarded()).count();
            let worth = 0.4 * cards as f64;
            details()
                .map(|detail| (detail, with(&|tokens| tokens.disarm += 1), worth))
                .collect()
        }
        ActionKind::Recover => {
            let worth = 0.4 * f64::from(battle.recoverable(&ship.id));
            details()
                .map(|detail| (detail, with(&|tokens| tokens.energy = 0), worth))
                .collect()
        }
        // It cannot attack while it is cloaked.
        ActionKind::Cloak if rules.decloaking == WhenDecloaking::StartOfActivation => {
            let gain = |tokens: &mut Tokens| {
                tokens.cloak += 1;
                tokens.disarm += 1;
            };
            let open = ship.tokens.cloak == 0;
            // It serves against all shots until it is given up.
            (open.then(|| (ActionDetail::Token, with(&gain), 0.25)).into_iter()).collect()
        }
        ActionKind::Slam if rules.slam == Slam::AnyOfItsSpeed => {
            let ends = battle.ends_of(&ship.id, action).into_iter();
            ends.filter_map(|(order, pose)| match order {
                Order::Bar { detail, .. } => Some((detail, Change::Slam(pose), -0.05)),
                Order::Card(_) => None,
            })
            .collect()
        }
        _ => Vec::new(),
    }
}

impl Commander for Scripted {
    fn answer(
        &mut self,
        battle: &Battle,
        request: &Request,
        dice: &mut dyn DiceSource,
        _explanation: Option<&mut Explanation>,
    ) -> Answer {
        match request {
            Request::Decloak { ship } => Answer::Decloak(self.decloak(battle, ship)),
            Request::Drop { ship } => Answer::Drop(drop_where_it_hurts(battle, ship)),
            Request::Detonate { device, .. } => {
                let piece = battle.devices().iter().find(|piece| piece.id == *device);
                // As the opponent does: most enemies less friends.
                match piece.and_then(|piece| solo_alpha::device::obstacle(battle.table(), piece)) {
                    Some((obstacle, _)) => Answer::Detonate(obstacle),
                    None => Answer::Act(Vec::new()),
                }
            }
            Request::PickManeuver { .. } | Request::Jammed { .. } | Request::MineUnder { .. } => {
                picks::pick(battle, request).unwrap_or(Answer::Act(Vec::new()))
            }
            Request::Pull { ship, target } => Answer::Pull(solo_alpha::tractor::decide(battle, ship, target).0),
            Request::Dial { ship } | Request::Fly { ship, fixed: None } if battle.is_shuttle(ship) => {
                let flight = escort::fly(battle, ship, dice).map(|(flight, _)| flight);
                match (request, flight) {
                    (_, None) => Answer::Act(Vec::new()),
                    (Request::Dial { .. }, Some(flight)) => Answer::Dial(flight.maneuver),
                    (_, Some(flight)) => Answer::Fly(flight),
                }
            }
            Request::Dial { ship } => match self.dial(battle, ship) {
                Some(maneuver) => Answer::Dial(maneuver),
                None => Answer::Act(Vec::new()),
            },
            Request::Fly { ship, fixed } => match fixed.or_else(|| self.dial(battle, ship)) {
                Some(maneuver) => Answer::Fly(self.fly(battle, ship, maneuver)),
                None => Answer::Act(Vec::new()),
            },
            Request::Act { ship, .. } => Answer::Act(match escort::proposes_protect(battle, ship) {
                Some(protect) => vec![protect],
                None => self.act(battle, ship),
            }),
            Request::Attack { ship } => Answer::Attack(self.attack(battle, ship)),
            Request::ModifyAttack { .. } | Request::ModifyDefence { .. } | Request::Dice { .. }
                if battle.duel().is_some_and(|duel| duel.windows.is_some()) =>
            {
                let windows = battle.duel().and_then(|duel| duel.windows.as_ref());
                let choice = windows.and_then(|windows| best_step(windows, &mut self.foresight));
                choice.map_or(Answer::Act(Vec::new()), Answer::Dice)
            }
            Request::Dice { .. } => Answer::Act(Vec::new()),
            Request::ModifyAttack { .. } => {
                let step = battle.duel().map(|duel| {
                    let pools = &duel.pools;
                    let defence = pools.defence();
                    let first = SpendFirst::default();
                    let tokens = pools.attack_tokens;
                    combat::attack::choose(pools.rules, duel.dice, tokens, &defence, first)
                        .best()
                        .step
                });
                Answer::ModifyAttack(step.unwrap_or(AttackStep::Finish {
                    spending: Spending::default(),
                    changed: 0,
                }))
            }
            Request::ModifyDefence { .. } => {
                let spending = battle.duel().map(|duel| {
                    let (pools, dice) = (&duel.pools, duel.defence.unwrap_or_default());
                    let first = SpendFirst::default();
                    let tokens = pools.defence_tokens;
                    let results = duel.results();
                    combat::defence::choose(pools.rules, pools.rule, results, dice, tokens, first)
                        .best()
                        .spending
                });
                Answer::ModifyDefence(spending.unwrap_or_default())
            }
            Request::Effect(offer) => Answer::Effect(offer.default),
            Request::CardAction(_) => Answer::Act(Vec::new()),
        }
    }
}
