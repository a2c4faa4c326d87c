//! A figure on the map: what its card says, and how it stands now (SWM 3.2).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    ability::{Ability, Effect},
    square::{Base, Space, Square},
};

/// Who moves a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The program.
    Automated,
    /// A player.
    Player,
}

/// How an automated figure fights (SWM 2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// From afar.
    Shooter,
    /// Adjacent enemies only.
    Melee,
    /// Both, but better against adjacent enemies.
    Hybrid,
}

impl Kind {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Shooter => "shooter",
            Kind::Melee => "melee",
            Kind::Hybrid => "hybrid",
        }
    }
}

/// What a card says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// What the figure is called; may be empty.
    pub name: String,
    /// The squares that it takes up.
    pub size: Base,
    /// Squares of a move without an ability that says otherwise: see [`Card::single_move`].
    pub speed: u16,
    /// Hit points at the start.
    pub hit_points: u16,
    /// Defense.
    pub defense: i16,
    /// The bonus on the attack roll.
    pub attack: i16,
    /// Damage of a hit.
    pub damage: u16,
    /// What it costs.
    pub cost: u16,
    /// Whether a squad may have one of it only.
    pub unique: bool,
    /// Whether it is alive, for poison.
    pub living: bool,
    /// Whether it has a commander effect.
    pub commander: bool,
    /// Special abilities and Force powers.
    pub abilities: Vec<Ability>,
    /// How it fights, where somebody knows better than the rule.
    pub kind: Option<Kind>,
}

impl Default for Card {
    fn default() -> Self {
        Card {
            name: String::new(),
            size: Base::ONE,
            speed: DEFAULT_SPEED,
            hit_points: 10,
            defense: 14,
            attack: 4,
            damage: 10,
            cost: 0,
            unique: false,
            living: true,
            commander: false,
            abilities: Vec::new(),
            kind: None,
        }
    }
}

/// Squares of a move without another number on the card (SWM 1.3).
pub const DEFAULT_SPEED: u16 = 6;

impl Card {
    /// All its effects.
    pub fn effects(&self) -> impl Iterator<Item = &Effect> {
        self.abilities.iter().flat_map(|ability| &ability.effects)
    }

    /// Whether it has such an effect.
    pub fn has(&self, effect: impl Fn(&Effect) -> bool) -> bool {
        self.effects().any(effect)
    }

    /// The first number that an effect gives.
    pub fn number<T>(&self, of: impl Fn(&Effect) -> Option<T>) -> Option<T> {
        self.effects().find_map(of)
    }

    /// Whether it attacks adjacent enemies only.
    pub fn is_melee(&self) -> bool {
        self.has(|effect| *effect == Effect::MeleeAttack)
    }

    /// Squares that it may move and attack (SWM 1.3).
    pub fn single_move(&self) -> u16 {
        let own = self.number(|effect| match effect {
            Effect::Speed(squares) => Some(*squares),
            _ => None,
        });
        match self.has(|effect| *effect == Effect::CannotMove) {
            true => 0,
            false => own.unwrap_or(self.speed),
        }
    }

    /// Squares that it may move without attacking: twice as far, or as Accelerate says.
    pub fn double_move(&self) -> u16 {
        let single = self.single_move();
        let farther = self.number(|effect| match effect {
            Effect::MovesWithoutAttack(squares) if single > 0 => Some(*squares),
            _ => None,
        });
        farther.unwrap_or_default().max(single.saturating_mul(2))
    }

    /// The Force points of a fresh figure (SWM 1.10).
    pub fn force(&self) -> u16 {
        let points = self.number(|effect| match effect {
            Effect::Force(points) => Some(*points),
            _ => None,
        });
        points.unwrap_or_default()
    }

    /// SWM 2.2: how it fights. One without any use for attacks is a shooter that keeps away.
    pub fn kind(&self) -> Kind {
        self.kind.unwrap_or_else(|| {
            if !self.can_attack() {
                Kind::Shooter
            } else if self.is_melee() {
                Kind::Melee
            } else if self.abilities.iter().any(|ability| ability.hybrid) {
                Kind::Hybrid
            } else {
                Kind::Shooter
            }
        })
    }

    /// Attacks beside the first one that it makes when it does not move (1.9): the most of one ability, and those that add up.
    pub fn extra_attacks(&self) -> u8 {
        let (mut most, mut more) = (0, 0);
        for effect in self.effects() {
            match effect {
                Effect::ExtraAttacks { count, adds_up: true } => more = count.saturating_add(more),
                Effect::ExtraAttacks { count, .. } => most = most.max(*count),
                _ => {}
            }
        }
        // The first attack is counted beside them.
        most.saturating_add(more).min(u8::MAX - 1)
    }

    /// Whether it has any use for attacks: figures with Attack 0 and Damage 0 only keep away.
    pub fn can_attack(&self) -> bool {
        self.attack != 0 || self.damage != 0
    }
}

/// A figure on the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Its letter, or another short name that no other figure has.
    pub id: String,
    /// Who moves it.
    pub side: Side,
    /// Its card.
    pub card: Arc<Card>,
    /// Its north-western square.
    pub at: Square,
    /// Hit points left; 0: defeated.
    pub hit_points: u16,
    /// Force points left.
    pub force: u16,
    /// Whether it has activated this round.
    pub activated: bool,
    /// How often it has spent Force points on the current turn.
    pub force_spent: u16,
    /// What commander effects and others add to its numbers now (SWM 1.9).
    pub modifiers: Modifiers,
}

/// What is added to the printed numbers of a figure, as a commander effect does (SWM 1.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Modifiers {
    /// To Attack.
    pub attack: i16,
    /// To Defense.
    pub defense: i16,
    /// To Damage.
    pub damage: i16,
    /// To the squares of a move.
    pub speed: i16,
}

impl Figure {
    /// A fresh figure.
    pub fn new(id: impl Into<String>, side: Side, card: Arc<Card>, at: Square) -> Figure {
        Figure {
            id: id.into(),
            side,
            at,
            hit_points: card.hit_points,
            force: card.force(),
            activated: false,
            force_spent: 0,
            modifiers: Modifiers::default(),
            card,
        }
    }

    /// The squares that it takes up.
    pub fn space(&self) -> Space {
        self.space_at(self.at)
    }

    /// The squares that it would take up elsewhere.
    pub fn space_at(&self, at: Square) -> Space {
        Space::new(at, self.card.size)
    }

    /// Whether it is still there.
    pub const fn in_play(&self) -> bool {
        self.hit_points > 0
    }

    /// Squares that it may move now and attack.
    pub fn single_move(&self) -> u16 {
        match self.card.single_move() {
            0 => 0,
            squares => squares.saturating_add_signed(self.modifiers.speed),
        }
    }

    /// Squares that it may move now without attacking.
    pub fn double_move(&self) -> u16 {
        let more = self.single_move().saturating_mul(2);
        more.max(self.card.double_move().saturating_add_signed(self.modifiers.speed))
    }

    /// How often it may spend Force points on a turn (SWM 1.10): once, or as often as Master of the Force says.
    pub fn force_spends(&self) -> u16 {
        let times = self.card.number(|effect| match effect {
            Effect::ForceSpends(times) => Some(*times),
            _ => None,
        });
        times.unwrap_or(1)
    }

    /// Whether it may spend Force points now (SWM 1.10).
    pub fn may_spend_force(&self, points: u16) -> bool {
        self.force >= points && self.force_spent < self.force_spends()
    }

    /// Whether its card has a Force rating or a Force power.
    pub fn has_force(&self) -> bool {
        self.card
            .has(|effect| matches!(effect, Effect::Force(_) | Effect::ForceRenewal(_)))
    }

    /// What players call it: its letter, and its name if it has one.
    pub fn called(&self) -> String {
        match self.card.name.is_empty() {
            true => self.id.clone(),
            false => format!("{} ({})", self.card.name, self.id),
        }
    }
}
