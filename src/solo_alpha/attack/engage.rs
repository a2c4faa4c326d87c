//! SA-9: the weapon, then the target.

use std::borrow::Cow;

use crate::{
    decision::{Compared, Reason},
    dice::DiceSource,
    solo_alpha::{
        DecideError, active, citing,
        nearest::{Measured, compared, enemies, nearest},
        sentence::called,
    },
    xwing::{
        ObjectId,
        edition::{Edition, solo::Primaries, words::Words},
        measure::{self, Object},
        ship::Ship,
        table::Table,
        weapon::{Weapon, WeaponArc},
    },
};

pub use crate::xwing::targeting::{Blocked, LegalTarget, blocked, legal_target};

/// Counts the abilities that a ship could resolve while it attacks a target with a weapon (SA-9.2).
pub type Abilities<'a> = dyn Fn(&Weapon, &Ship) -> u32 + 'a;

/// For ships whose abilities nobody has counted: none.
pub fn no_abilities(_: &Weapon, _: &Ship) -> u32 {
    0
}

/// What made the target the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TargetRule {
    /// SA-9.1: it is locked.
    Locked,
    /// PE-A5: it is what the ship is after in the scenario.
    Preferred,
    /// SA-9.2: most abilities can be resolved against it.
    MostAbilities,
    /// SA-9.3: it is the nearest.
    Nearest,
}

impl TargetRule {
    /// The rule's id.
    pub const fn id(self) -> &'static str {
        match self {
            TargetRule::Locked => "SA-9.1",
            TargetRule::Preferred => "PE-A5",
            TargetRule::MostAbilities => "SA-9.2",
            TargetRule::Nearest => "SA-9.3",
        }
    }
}

/// A weapon of the ship, in the order of SA-9, and whom it can attack.
#[derive(Debug, Clone, PartialEq)]
pub struct WeaponChoice {
    /// Its place among the ship's weapons.
    pub index: usize,
    /// Its name in answers: see [`weapon_name`].
    pub name: String,
    /// All legal targets, in id order.
    pub legal: Vec<LegalTarget>,
    /// Other arcs of the same weapon, by their places, where its arcs are looked at together (FE-8.3).
    pub other_arcs: Vec<usize>,
}

impl WeaponChoice {
    /// How people call it: see [`weapon_words`].
    fn words(&self, ship: &Ship) -> String {
        let weapon = &ship.weapons[self.index];
        match self.other_arcs.is_empty() {
            true => weapon_words(weapon),
            false => format!("primary weapon ({})", dice_words(weapon)),
        }
    }
}

/// The attack that is made.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedAttack {
    /// The weapon's place among the ship's weapons.
    pub weapon: usize,
    /// Its name: see [`weapon_name`].
    pub weapon_name: String,
    /// Whom, where and how far.
    pub target: LegalTarget,
    /// What made it the target.
    pub rule: TargetRule,
    /// Equally good targets, in id order; more than one means that a seeded roll chose.
    pub candidates: Vec<ObjectId>,
    /// Obstacles on the line of the attack, in id order.
    pub obstructing: Vec<ObjectId>,
    /// Attack dice: the weapon's value, and the range bonus.
    pub attack_dice: u32,
    /// Defence dice beyond the defender's agility: range bonus and obstruction.
    pub defence_bonus: u32,
}

/// What a solo ship does when it engages.
#[derive(Debug, Clone, PartialEq)]
pub struct Engagement {
    /// The ship.
    pub ship: ObjectId,
    /// Its attack, if it makes one.
    pub attack: Option<PlannedAttack>,
    /// Why it may not attack.
    pub blocked: Vec<Blocked>,
    /// Its weapons in the order of SA-9, each with all legal targets, whether or not it may attack.
    pub weapons: Vec<WeaponChoice>,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The whole in one readable sentence.
    pub sentence: String,
}

/// How answers to programs name a weapon: a special one by its id, a primary one by arc and value, as in
/// `primary:Front Arc:3`. People read [`weapon_words`].
pub fn weapon_name(weapon: &Weapon) -> String {
    match &weapon.special {
        Some(_) => weapon.id.clone(),
        None => format!("primary:{}:{}", arc_label(weapon.arc), weapon.value),
    }
}

/// How people call a weapon: a primary one by arc and value, as in `front arc (3 dice)`. A special one has its id here, for
/// which texts say the printed name ([`Titles`](crate::xwing::catalog::Titles)).
pub fn weapon_words(weapon: &Weapon) -> String {
    if weapon.special.is_some() {
        return weapon.id.clone();
    }
    format!("{} ({})", arc_label(weapon.arc).to_lowercase(), dice_words(weapon))
}

fn dice_words(weapon: &Weapon) -> String {
    let dice = if weapon.value == 1 { "die" } else { "dice" };
    format!("{} {dice}", weapon.value)
}

const fn arc_label(arc: WeaponArc) -> &'static str {
    match arc {
        WeaponArc::Front => "Front Arc",
        WeaponArc::Rear => "Rear Arc",
        WeaponArc::Left => "Left Arc",
        WeaponArc::Right => "Right Arc",
        WeaponArc::FullFront => "Full Front Arc",
        WeaponArc::FullRear => "Full Rear Arc",
        WeaponArc::Bullseye => "Bullseye Arc",
        WeaponArc::SingleTurret => "Single Turret Arc",
        WeaponArc::DoubleTurret => "Double Turret Arc",
        WeaponArc::AllRound => "All Round",
    }
}

/// SA-9a to c: the place of a weapon's kind in the order.
fn kind(weapon: &Weapon) -> u8 {
    match &weapon.special {
        Some(_) if weapon.asks_for_lock() => 0,
        Some(_) => 1,
        None => 2,
    }
}

const KINDS: [&str; 3] = ["SA-9a", "SA-9b", "SA-9c"];

/// What weapons of a kind are called.
fn kind_words(words: &Words, kind: u8) -> String {
    match kind {
        0 => format!("{} with the {} header", words.special_weapon, words.lock),
        1 => words.special_weapon.to_owned(),
        _ => "primary weapon".to_owned(),
    }
}

/// SA-9: which weapon a solo ship attacks with, and whom.
///
/// # Errors
/// A ship that is unknown or not in play.
pub fn engage(
    table: &Table,
    ship_id: &str,
    abilities: &Abilities<'_>,
    dice: &mut dyn DiceSource,
) -> Result<Engagement, DecideError> {
    engage_preferring(table, ship_id, None, abilities, dice)
}

/// As [`engage`], with a ship that is the target whenever a weapon can hit it, after a locked enemy and before all others
/// (PE-A5).
///
/// # Errors
/// As [`engage`].
pub fn engage_preferring(
    table: &Table,
    ship_id: &str,
    prefers: Option<&str>,
    abilities: &Abilities<'_>,
    dice: &mut dyn DiceSource,
) -> Result<Engagement, DecideError> {
    let ship = active(table, ship_id)?;
    let others = enemies(&table.ships, ship);
    let mut order: Vec<usize> = (0..ship.weapons.len()).collect();
    // A stable sort: weapons of the same kind and value stay in the ship's order.
    order.sort_by_key(|&index| {
        let weapon = &ship.weapons[index];
        (kind(weapon), std::cmp::Reverse(weapon.value))
    });
    let weapons: Vec<WeaponChoice> = order
        .into_iter()
        .map(|index| {
            let weapon = &ship.weapons[index];
            WeaponChoice {
                index,
                name: weapon_name(weapon),
                legal: others
                    .iter()
                    .filter_map(|other| legal_target(&table.rules, ship, weapon, other))
                    .collect(),
                other_arcs: Vec::new(),
            }
        })
        .collect();
    let mut weapons = weapons;
    if let Some(first) = prefers {
        let legal = |weapons: &[WeaponChoice], meant: &dyn Fn(&LegalTarget) -> bool| {
            weapons.iter().any(|choice| choice.legal.iter().any(meant))
        };
        let locked = legal(&weapons, &|target| ship.locks.contains(&target.id));
        if !locked && legal(&weapons, &|target| *target.id == *first) {
            for choice in &mut weapons {
                choice.legal.retain(|target| *target.id == *first);
            }
        }
    }
    let blocked = blocked(table, ship);
    let mut reasons = Vec::new();
    let words = table.rules.edition.words();
    let attack = if blocked.is_empty() {
        let together = match table.rules.solo.primaries {
            Primaries::EachArc => Cow::Borrowed(&weapons),
            Primaries::OneWeapon => Cow::Owned(primaries_together(ship, &weapons)),
        };
        choose_weapon(ship, words, &together, dice, &mut reasons).map(|choice| {
            let mut attack = choose_target(
                table,
                ship,
                choice,
                &others,
                &Leaning { prefers, abilities },
                dice,
                &mut reasons,
            );
            // It is made in the arc with the shortest way to the target.
            let arc = |own: &&WeaponChoice| own.index == choice.index || choice.other_arcs.contains(&own.index);
            let mut arcs = weapons.iter().filter(arc);
            if let Some(own) = arcs.find(|own| own.legal.contains(&attack.target)) {
                (attack.weapon, attack.weapon_name) = (own.index, own.name.clone());
            }
            attack
        })
    } else {
        reasons.push(Reason {
            rule: "SA-9".to_owned(),
            text: format!("does not attack: {}", causes(words, &blocked)),
            compared: Vec::new(),
        });
        None
    };
    let sentence = sentence(table, ship, attack.as_ref(), &blocked);
    citing::cite(&table.rules, &mut reasons);
    Ok(Engagement {
        ship: ship.id.clone(),
        attack,
        blocked,
        weapons,
        reasons,
        sentence,
    })
}

/// FE-SOLO-9, FE-8.3: the arcs of the primary weapon as one weapon, each target once, where the way to it is shortest.
fn primaries_together(ship: &Ship, weapons: &[WeaponChoice]) -> Vec<WeaponChoice> {
    let mut together: Vec<WeaponChoice> = Vec::with_capacity(weapons.len());
    for choice in weapons {
        let weapon = &ship.weapons[choice.index];
        let same = |other: &&mut WeaponChoice| {
            let other = &ship.weapons[other.index];
            weapon.special.is_none() && other.special.is_none() && other.value == weapon.value
        };
        let Some(first) = together.iter_mut().find(same) else {
            together.push(choice.clone());
            continue;
        };
        first.other_arcs.push(choice.index);
        for target in &choice.legal {
            match first.legal.iter_mut().find(|known| known.id == target.id) {
                Some(known) if target.distance_mm < known.distance_mm => *known = target.clone(),
                Some(_) => {}
                None => first.legal.push(target.clone()),
            }
        }
        first.legal.sort_by(|a, b| a.id.cmp(&b.id));
    }
    together
}

/// The first weapon in the order that has a legal target. **choice** Equal ones of the same kind: a seeded roll.
fn choose_weapon<'w>(
    ship: &Ship,
    words: &Words,
    weapons: &'w [WeaponChoice],
    dice: &mut dyn DiceSource,
    reasons: &mut Vec<Reason>,
) -> Option<&'w WeaponChoice> {
    let rank = |choice: &WeaponChoice| {
        let weapon = &ship.weapons[choice.index];
        (kind(weapon), weapon.value)
    };
    let first = weapons.iter().find(|choice| !choice.legal.is_empty());
    let tied: Vec<&WeaponChoice> = first
        .into_iter()
        .flat_map(|first| {
            weapons
                .iter()
                .filter(move |choice| !choice.legal.is_empty() && rank(choice) == rank(first))
        })
        .collect();
    let chosen = match tied.len() {
        0 => None,
        1 => Some(tied[0]),
        count => Some(tied[dice.choose(count).min(count - 1)]),
    };
    let compared = weapons
        .iter()
        .map(|choice| Compared {
            candidate: choice.words(ship),
            value: Some(f64::from(ship.weapons[choice.index].value)),
            unit: "dice".to_owned(),
            verdict: match chosen {
                _ if choice.legal.is_empty() => "no legal target".to_owned(),
                Some(chosen) if chosen.index == choice.index => {
                    format!("chosen, a {}", kind_words(words, rank(choice).0))
                }
                Some(chosen) if rank(chosen) == rank(choice) => "equal; the roll chose another".to_owned(),
                _ => "comes later".to_owned(),
            },
        })
        .collect();
    let (rule, text) = match chosen {
        Some(choice) => {
            let kind = rank(choice).0;
            (
                KINDS[usize::from(kind)],
                format!(
                    "attacks with its {}, the first {} with a legal target",
                    choice.words(ship),
                    kind_words(words, kind)
                ),
            )
        }
        None => ("SA-9", "no weapon has a legal target".to_owned()),
    };
    reasons.push(Reason {
        rule: rule.to_owned(),
        text,
        compared,
    });
    chosen
}

/// What makes one legal target better than another, beside locks and distances.
struct Leaning<'a> {
    /// The ship that a scenario wants attacked (PE-A5).
    prefers: Option<&'a str>,
    /// How many abilities work against a target (SA-9.2).
    abilities: &'a Abilities<'a>,
}

/// SA-9.1 to SA-9.3 among the legal targets of a weapon; there is at least one.
fn choose_target(
    table: &Table,
    ship: &Ship,
    choice: &WeaponChoice,
    others: &[&Ship],
    leaning: &Leaning<'_>,
    dice: &mut dyn DiceSource,
    reasons: &mut Vec<Reason>,
) -> PlannedAttack {
    let weapon = &ship.weapons[choice.index];
    let target = |legal: &LegalTarget| others.iter().copied().find(|other| other.id == legal.id);
    let count = |legal: &LegalTarget| target(legal).map_or(0, |other| (leaning.abilities)(weapon, other));
    let (rule, preferred) = {
        let locked: Vec<&LegalTarget> = choice
            .legal
            .iter()
            .filter(|legal| ship.locks.contains(&legal.id))
            .collect();
        let most = choice.legal.iter().map(count).max().unwrap_or(0);
        if !locked.is_empty() {
            (TargetRule::Locked, locked)
        } else if let Some(first) = choice.legal.iter().find(|legal| Some(&*legal.id) == leaning.prefers) {
            (TargetRule::Preferred, vec![first])
        } else if choice.legal.iter().any(|legal| count(legal) != most) {
            let best = choice.legal.iter().filter(|legal| count(legal) == most).collect();
            (TargetRule::MostAbilities, best)
        } else {
            (TargetRule::Nearest, choice.legal.iter().collect())
        }
    };
    let measured: Vec<Measured<'_>> = preferred
        .iter()
        .filter_map(|legal| {
            target(legal).map(|other| Measured {
                object: Object::Ship(other),
                distance: legal.nearest_mm,
            })
        })
        .collect();
    let nearest = nearest(&measured, dice);
    let candidates = nearest.as_ref().map(|found| found.tied_ids()).unwrap_or_default();
    let chosen_id = nearest.map(|found| found.chosen.object.id().clone());
    let chosen = preferred
        .iter()
        .find(|legal| Some(&legal.id) == chosen_id.as_ref())
        .map_or_else(|| choice.legal[0].clone(), |legal| (*legal).clone());
    let all = choice.legal.iter().map(|legal| {
        let verdict = if legal.id == chosen.id {
            "chosen".to_owned()
        } else if ship.locks.contains(&legal.id) {
            "locked, but farther".to_owned()
        } else {
            match rule {
                TargetRule::Locked => "not locked".to_owned(),
                TargetRule::Preferred => "another is its forced tally".to_owned(),
                TargetRule::MostAbilities => format!("abilities: {}", count(legal)),
                TargetRule::Nearest if candidates.contains(&legal.id) => "as near; the roll chose another".to_owned(),
                TargetRule::Nearest => "farther".to_owned(),
            }
        };
        compared(&legal.id, legal.nearest_mm, verdict)
    });
    let why = match rule {
        TargetRule::Locked => "which it has locked".to_owned(),
        TargetRule::Preferred => "its forced tally, which a weapon can hit".to_owned(),
        TargetRule::MostAbilities => format!("against which it has most abilities ({})", count(&chosen)),
        TargetRule::Nearest => "the nearest in its arc and range".to_owned(),
    };
    reasons.push(Reason {
        rule: rule.id().to_owned(),
        text: format!("attacks {} at range {}, {why}", chosen.id, chosen.range),
        compared: all.collect(),
    });
    let obstructing = target(&chosen)
        .map(|other| measure::obstructing(table, ship, other, chosen.arc))
        .unwrap_or_default();
    let bonus = weapon.has_range_bonus(&table.rules);
    let attack_bonus = u32::from(bonus && chosen.range <= 1);
    let obstructed = u32::from(!obstructing.is_empty());
    let defence_bonus = u32::from(bonus && chosen.range == 3) + obstructed;
    reasons.push(Reason {
        rule: "SA-9".to_owned(),
        text: format!(
            "rolls {} attack dice{}; the defender adds {defence_bonus} defence dice{}{}",
            weapon.value + attack_bonus,
            match (bonus, attack_bonus) {
                (false, _) => match table.rules.edition {
                    Edition::Second => ", ordnance having no range bonus",
                    Edition::First => ", a secondary weapon having no range bonus",
                },
                (true, 0) => "",
                (true, _) => ", one of them for range",
            },
            if bonus && chosen.range == 3 {
                ", one for range 3"
            } else {
                ""
            },
            if obstructing.is_empty() {
                String::new()
            } else {
                format!(", one for {} in the way", obstructing.join(", "))
            },
        ),
        compared: Vec::new(),
    });
    PlannedAttack {
        weapon: choice.index,
        weapon_name: choice.name.clone(),
        target: chosen,
        rule,
        candidates,
        obstructing,
        attack_dice: weapon.value + attack_bonus,
        defence_bonus,
    }
}

fn sentence(table: &Table, ship: &Ship, attack: Option<&PlannedAttack>, blocked: &[Blocked]) -> String {
    let name = called(ship);
    let Some(attack) = attack else {
        return if blocked.is_empty() {
            format!("{name} has nobody to attack.")
        } else {
            format!(
                "{name} does not attack: {}.",
                causes(table.rules.edition.words(), blocked)
            )
        };
    };
    let target = table.ship(&attack.target.id).map_or(&*attack.target.id, called);
    let obstructed = if attack.obstructing.is_empty() {
        ""
    } else {
        ", obstructed"
    };
    let weapon = ship.weapons.get(attack.weapon).map_or_else(String::new, weapon_words);
    format!(
        "{name} attacks {target} with its {weapon} at range {}{obstructed}: {} attack dice.",
        attack.target.range, attack.attack_dice
    )
}

/// Why a ship attacks nobody, in the words of its edition.
pub fn causes(words: &Words, blocked: &[Blocked]) -> String {
    let causes: Vec<String> = (blocked.iter())
        .map(|cause| match cause {
            Blocked::Disarmed => words.disarmed.to_owned(),
            other => other.to_string(),
        })
        .collect();
    causes.join(", ")
}
