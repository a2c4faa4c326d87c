//! Special abilities and Force powers as data with typed effects (SWM 1.9, 1.10, 3.4): `data/swm-abilities.toml`.
//!
//! An ability that is not in the file is kept by name, shown to the players, and ignored: play goes on.

use std::{fmt, sync::LazyLock};

use serde::Deserialize;

/// What must hold for a bonus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// The attacker does not move on this turn.
    NotMoved,
    /// It has moved on this turn.
    Moved,
    /// The target is adjacent.
    TargetAdjacent,
    /// The target has not activated this round.
    TargetNotActivated,
    /// The target has activated this round.
    TargetActivated,
    /// The target has a Force rating.
    TargetHasForce,
    /// The target is unique.
    TargetIsUnique,
    /// The target's cost is higher than the attacker's.
    TargetCostsMore,
    /// The target has a commander effect.
    TargetHasCommanderEffect,
    /// The attacker is adjacent (of a defender's bonus).
    AttackerAdjacent,
    /// The attacker has a Force rating (of a defender's bonus).
    AttackerHasForce,
}

/// Which hits a Force power is against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Against {
    /// Hits from an adjacent attacker.
    Melee,
    /// Hits from one that is not adjacent.
    Ranged,
    /// All hits.
    Any,
}

/// Whom an area attack reaches beside its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blast {
    /// Everybody adjacent to the target.
    #[default]
    Everybody,
    /// So many adjacent to the target, by choice, friends too where there are not enough enemies.
    Some(u8),
    /// Everybody adjacent to the attacker; there is no target.
    AroundSelf,
    /// The target alone.
    Alone,
    /// The target alone, chosen as if the attacker had no Melee Attack.
    Thrown,
    /// Every enemy adjacent to the attacker; there is no target.
    AdjacentEnemies,
}

/// What an ability does, with its numbers filled in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Effect {
    /// Attacks adjacent enemies only.
    MeleeAttack,
    /// More attacks instead of moving.
    ExtraAttacks {
        /// How many more.
        count: u8,
        /// Whether it adds to others of its kind; else the most counts.
        #[serde(default)]
        adds_up: bool,
    },
    /// Each attack brings one more on the same target.
    TwinAttack,
    /// The same against adjacent enemies.
    TwinAttackAdjacent,
    /// May move before and after its attack.
    MobileAttack,
    /// Extra attacks are made in spite of moving.
    ExtraAttacksDespiteMoving,
    /// One attack after a double move.
    AttackAfterDoubleMove {
        /// On an adjacent enemy only.
        melee: bool,
        /// More damage then.
        #[serde(default)]
        damage: u16,
    },
    /// A better attack.
    Bonus {
        /// On the attack roll.
        #[serde(default)]
        attack: u16,
        /// More damage.
        #[serde(default)]
        damage: u16,
        /// When all of it holds.
        when: Vec<Condition>,
    },
    /// Damage to a living enemy that was hit, unless it saves.
    Poison {
        /// How much.
        damage: u16,
        /// The save.
        save: u8,
        /// Also of enemies that are not adjacent.
        #[serde(default)]
        at_any_range: bool,
    },
    /// One more attack after an adjacent enemy was defeated.
    Cleave,
    /// Attacks or moves, not both.
    AttackOrMove,
    /// Moves only when it has nobody to attack.
    MovesOnlyWithoutTarget,
    /// Ends its move adjacent to an enemy if it can.
    EndsBesideEnemy,
    /// Attacks so far as if adjacent, squares.
    Reach(u16),
    /// Replaces attacks: damage to a target and to those adjacent to it, or attacks on all whom it reaches.
    Area {
        /// The target is at most so far away; without it, as far as is seen.
        within: Option<u16>,
        /// How much; nothing where it is attacks.
        #[serde(default)]
        damage: u16,
        /// Attacks on each whom it reaches, rolled as any other.
        #[serde(default)]
        attacks: u8,
        /// The save of each; without it there is none.
        save: Option<u8>,
        /// Force points.
        #[serde(default)]
        cost: u8,
        /// Whom it reaches.
        #[serde(default)]
        reach: Blast,
        /// Replaces the whole turn.
        #[serde(default)]
        whole_turn: bool,
    },
    /// Damage to all adjacent to the target of an attack; to the target too when it misses.
    Splash {
        /// How much.
        damage: u16,
        /// The save of each.
        save: u8,
    },
    /// Its speed in squares.
    Speed(u16),
    /// Costly squares cost it nothing more, and pits do not stop it.
    IgnoresTerrain,
    /// It passes through enemies, and provokes no attack of opportunity.
    IgnoresEnemies,
    /// Both, and costly squares cost nothing more, beside walls.
    ClimbsWalls,
    /// Makes attacks of opportunity also against enemies that come beside it, and against those who ignore enemies.
    StrikesAtComers,
    /// Moves so far when it does not attack, squares.
    MovesWithoutAttack(u16),
    /// The Defense of its targets counts less.
    LowersDefence {
        /// By how much.
        by: u16,
        /// When all of it holds.
        when: Vec<Condition>,
    },
    /// Does not pass gaps that are narrower than it is.
    CannotSqueeze,
    /// Does not move.
    CannotMove,
    /// Attacks enemies with cover that are not the nearest.
    AttacksCovered,
    /// Other figures give its targets no cover.
    FiguresGiveNoCover,
    /// With cover it is no nearest enemy for attackers farther away than this.
    HiddenInCover {
        /// Squares.
        beyond: u16,
    },
    /// Is no target and not the nearest while the attacker sees somebody else.
    Diplomat,
    /// Criticals do no double damage.
    NoCriticals,
    /// A better defence.
    Defence {
        /// By how much.
        by: u16,
        /// When all of it holds.
        when: Vec<Condition>,
    },
    /// A save against hits from attackers that are not adjacent.
    Evade {
        /// The save.
        save: u8,
    },
    /// A save against hits from adjacent attackers.
    Parry {
        /// The save.
        save: u8,
    },
    /// Damage is less by this.
    DamageReduction(u16),
    /// Its Force points at the start.
    Force(u16),
    /// Force points that it gains when it activates.
    ForceRenewal(u16),
    /// How often it may spend Force points on one turn.
    ForceSpends(u16),
    /// A bonus on a roll that was repeated with the Force.
    Mettle {
        /// How much.
        by: u8,
    },
    /// Does not repeat rolls and does not move farther with the Force.
    NoForceRerollOrMove,
    /// No damage of a hit on a save.
    Avoid {
        /// Force points.
        cost: u8,
        /// Which hits.
        against: Against,
        /// The save.
        save: u8,
        /// The attacker takes the damage on a save.
        #[serde(default)]
        reflects: bool,
    },
    /// Attacks back when hit by an adjacent attacker.
    Riposte {
        /// Force points.
        cost: u8,
    },
    /// No damage of a hit unless the attacker saves.
    Illusion {
        /// Force points.
        cost: u8,
        /// The attacker's save.
        save: u8,
    },
    /// No damage of a hit on a save, and heals as much.
    Absorb {
        /// Force points.
        cost: u8,
        /// The save.
        save: u8,
    },
    /// It may take the damage of a hit on a friend beside it.
    TakesDamageOfFriends,
    /// The players are asked when it matters: how much of some damage the figure takes.
    Ask,
    /// Known, but carried out by the players alone.
    ByHand,
}

/// What the file says of one ability.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    name: String,
    /// Other spellings of it.
    #[serde(default)]
    also: Vec<String>,
    /// Its number where a card gives none.
    n: Option<u16>,
    #[serde(default)]
    hybrid: bool,
    effects: Vec<toml::Value>,
}

/// All abilities that the program knows.
#[derive(Debug)]
pub struct Abilities {
    facts: Vec<Facts>,
}

/// An abilities file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadAbilities {
    /// Not the form of such a file.
    #[error("{0}")]
    Form(#[from] toml::de::Error),
    /// An effect that is not known.
    #[error("ability `{name}`: {source}")]
    Effect {
        /// The ability.
        name: String,
        /// What the reader said.
        source: toml::de::Error,
    },
}

/// The embedded file.
static EMBEDDED: LazyLock<Abilities> = LazyLock::new(|| {
    Abilities::parse(include_str!("../../data/swm-abilities.toml")).unwrap_or(Abilities { facts: Vec::new() })
});

/// Puts a number in for every `"n"`.
fn fill(value: &toml::Value, own: u16) -> toml::Value {
    match value {
        toml::Value::Table(table) => toml::Value::Table(
            table
                .iter()
                .map(|(key, value)| (key.clone(), fill(value, own)))
                .collect(),
        ),
        toml::Value::Array(list) => toml::Value::Array(list.iter().map(|value| fill(value, own)).collect()),
        toml::Value::String(text) if text == "n" => toml::Value::Integer(own.into()),
        other => other.clone(),
    }
}

impl Facts {
    fn effects(&self, own: u16) -> Result<Vec<Effect>, BadAbilities> {
        let read = |value: &toml::Value| {
            fill(value, own).try_into().map_err(|source| BadAbilities::Effect {
                name: self.name.clone(),
                source,
            })
        };
        self.effects.iter().map(read).collect()
    }
}

/// Names are compared without regard to case, blanks, hyphens and underscores.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

impl Abilities {
    /// The abilities that come with the program.
    pub fn embedded() -> &'static Abilities {
        &EMBEDDED
    }

    /// Reads an abilities file.
    ///
    /// # Errors
    /// A file of another form, or an effect that is not known.
    pub fn parse(text: &str) -> Result<Abilities, BadAbilities> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            ability: Vec<Facts>,
        }
        let File { ability } = toml::from_str(text)?;
        for facts in &ability {
            facts.effects(facts.n.unwrap_or_default())?;
        }
        Ok(Abilities { facts: ability })
    }

    /// The ability that a card names, as in `Double Attack`, `grenades:20`, `Charging Assault +10`.
    pub fn read(&self, text: &str) -> Ability {
        let whole = self.find(text);
        let end = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number: Option<u16> = text[end.len()..].parse().ok();
        // `Force Push 3` is a name; in `Grenades 20` the number is apart from it.
        let (name, facts, number) = match (whole, number) {
            (Some(facts), _) => (text, Some(facts), None),
            (None, Some(number)) => (end, self.find(end), Some(number)),
            (None, None) => (text, None, None),
        };
        let own = number.or(facts.and_then(|facts| facts.n));
        // The embedded file was read once; a user's was checked when it was read.
        let effects = facts.and_then(|facts| facts.effects(own.unwrap_or_default()).ok());
        Ability {
            name: facts.map_or_else(|| name.trim().to_owned(), |facts| facts.name.clone()),
            number: own,
            hybrid: facts.is_some_and(|facts| facts.hybrid),
            known: facts.is_some(),
            effects: effects.unwrap_or_default(),
        }
    }

    fn find(&self, name: &str) -> Option<&Facts> {
        let name = plain(name);
        let named = |facts: &&Facts| plain(&facts.name) == name || facts.also.iter().any(|also| plain(also) == name);
        self.facts.iter().find(named)
    }
}

/// An ability of a figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ability {
    /// Its name.
    pub name: String,
    /// Its number, as in `Grenades 20`.
    pub number: Option<u16>,
    /// Whether it makes a figure without Melee Attack a hybrid (SWM 2.2).
    pub hybrid: bool,
    /// Whether the program knows it; else the players carry it out.
    pub known: bool,
    /// What it does.
    pub effects: Vec<Effect>,
}

impl fmt::Display for Ability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            Some(number) => write!(f, "{} {number}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_file_is_read_whole() {
        let abilities = Abilities::parse(include_str!("../../data/swm-abilities.toml"));
        let abilities = abilities.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(abilities.facts.len(), Abilities::embedded().facts.len());
        let mut names: Vec<String> = abilities.facts.iter().map(|facts| plain(&facts.name)).collect();
        names.sort();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all, "an ability is there twice");
    }

    #[test]
    fn abilities_are_found_however_a_card_writes_them() {
        let read = |text: &str| Abilities::embedded().read(text);
        for text in ["Grenades 20", "grenades:20", "grenades_20", "GRENADES +20"] {
            let area = Effect::Area {
                within: Some(6),
                damage: 20,
                save: Some(11),
                attacks: 0,
                cost: 0,
                reach: Blast::Everybody,
                whole_turn: false,
            };
            assert_eq!(read(text).effects, [area], "{text}");
        }
        assert_eq!(read("double_attack"), read("Double Attack"));
        assert_eq!(read("Grenades").number, Some(10));
        assert_eq!(read("Speed 8").effects, [Effect::Speed(8)]);
        let unknown = read("Sonic Stunner");
        assert!(!unknown.known && unknown.effects.is_empty());
        assert_eq!(unknown.to_string(), "Sonic Stunner");
    }
}
