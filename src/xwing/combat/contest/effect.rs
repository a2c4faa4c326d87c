//! What may be done in an attack, what it needs and what it costs.

use super::{
    faces::{Dice, Face, FaceSet},
    schedule::{Side, WindowSet},
};

/// What a resource is, as far as restrictions and thrift ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResourceKind {
    /// Focus tokens.
    Focus,
    /// Evade tokens.
    Evade,
    /// Calculate tokens.
    Calculate,
    /// Reinforce tokens.
    Reinforce,
    /// Locks on the other ship.
    Lock,
    /// Force charges.
    Force,
    /// Charges of a card.
    Charge,
    /// Any other token.
    Token,
    /// Hull and shields that a ship can lose and live.
    Life,
    /// Nothing that anybody has: a mark that something was done in the attack, which counts as no expense.
    Mark,
}

impl ResourceKind {
    /// Whether it is a green token.
    pub const fn is_green(self) -> bool {
        matches!(
            self,
            ResourceKind::Focus | ResourceKind::Evade | ResourceKind::Calculate | ResourceKind::Reinforce
        )
    }
}

/// Something that can be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Resource {
    /// What it is.
    pub kind: ResourceKind,
    /// Whose.
    pub side: Side,
    /// How many are left, at most 31.
    pub left: u8,
    /// Of equally good and equally many, the lower ones are spent first.
    pub rank: u8,
}

impl Resource {
    /// Rank of a charge that comes back: before every token.
    pub const RECURRING_CHARGE: u8 = 0;
    /// Rank of a token of a friend that has had its turn.
    pub const FRIEND: u8 = 1;
    /// Ranks of the ship's own tokens begin here: those of [`super::super::SpendFirst`] are added.
    pub const OWN: u8 = 2;
    /// Rank of a charge that does not come back: last.
    pub const FINITE_CHARGE: u8 = 6;
}

/// How many dice an effect touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HowMany {
    /// So many, or all of them if there are fewer.
    Exactly(u8),
    /// At least one, at most so many.
    UpTo(u8),
    /// All of them.
    All,
}

/// What a restriction forbids its side to do with the dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ban {
    /// Any modification.
    Modify,
    /// Rerolls.
    Reroll,
    /// Spending green tokens.
    Green,
    /// Spending focus tokens.
    Focus,
    /// Spending calculate tokens.
    Calculate,
    /// Spending evade tokens.
    Evade,
    /// Spending locks.
    Lock,
    /// Modifying by anything but Force.
    ButForce,
}

impl Ban {
    /// All of them.
    pub const ALL: [Ban; 8] = [
        Ban::Modify,
        Ban::Reroll,
        Ban::Green,
        Ban::Focus,
        Ban::Calculate,
        Ban::Evade,
        Ban::Lock,
        Ban::ButForce,
    ];

    /// What its side must not do, as the end of a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Ban::Modify => "cannot modify its dice",
            Ban::Reroll => "cannot reroll its dice",
            Ban::Green => "cannot spend green tokens on its dice",
            Ban::Focus => "cannot spend focus tokens on its dice",
            Ban::Calculate => "cannot spend calculate tokens on its dice",
            Ban::Evade => "cannot spend evade tokens on its dice",
            Ban::Lock => "cannot spend locks on its dice",
            Ban::ButForce => "cannot modify its dice but by spending Force",
        }
    }
}

/// Which results an evade cancels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CancelOrder {
    /// Hits before crits.
    #[default]
    HitsFirst,
    /// Crits before hits.
    CritsFirst,
    /// Hits only.
    HitsOnly,
}

/// What of its own dice a side may touch only so often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Capped {
    /// Rerolled dice.
    Rerolls,
    /// Focus results that are modified.
    Focuses,
}

/// One thing that an effect does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// More or fewer dice, before they are rolled.
    Count {
        /// Which dice.
        dice: Dice,
        /// How many more; negative for fewer.
        by: i8,
    },
    /// Bounds of the number of dice: they hold when the dice are rolled, whatever else changes the number.
    Limit {
        /// Which dice.
        dice: Dice,
        /// No fewer than these.
        min: u8,
        /// No more than these.
        max: u8,
    },
    /// Rolls dice again; each die once.
    Reroll {
        /// Which dice.
        dice: Dice,
        /// Which faces.
        faces: FaceSet,
        /// How many.
        how_many: HowMany,
    },
    /// Rolls all dice again; it does not count as rerolling.
    RollAgain {
        /// Which dice.
        dice: Dice,
    },
    /// Turns dice to another face.
    Turn {
        /// Which dice.
        dice: Dice,
        /// From any of these.
        from: FaceSet,
        /// To this.
        to: Face,
        /// How many.
        how_many: HowMany,
    },
    /// Adds results; whether they can be rerolled the rules of the table say (FE-8.7).
    Add {
        /// To which dice.
        dice: Dice,
        /// What.
        face: Face,
        /// How many.
        count: u8,
    },
    /// Cancels results; of results that would be damage it prevents so much damage.
    Cancel {
        /// Which dice.
        dice: Dice,
        /// Which results.
        faces: FaceSet,
        /// How many.
        how_many: HowMany,
    },
    /// Names a number of evades before the defence dice are rolled; if exactly so many come, one more is added.
    Guess {
        /// The smallest number that may be named.
        least: u8,
    },
    /// No more defence dice are rolled than the attacker has hits and crits.
    LimitToResults,
    /// A side may not do more than so much with its own dice, until the attack is over.
    Cap {
        /// Which dice.
        dice: Dice,
        /// What is limited.
        what: Capped,
        /// How many dice.
        most: u8,
    },
    /// What happens beside the dice is worth so much to a side, in hundredths of damage.
    Prize {
        /// To whom.
        side: Side,
        /// How much.
        hundredths: u16,
    },
    /// Forbids a side something with these dice, until the attack is over.
    Forbid {
        /// Whom.
        side: Side,
        /// With which dice.
        dice: Dice,
        /// What.
        ban: Ban,
    },
    /// Changes what evades cancel.
    Order(CancelOrder),
    /// A resource grows or shrinks.
    Stock {
        /// The resource's place.
        resource: u8,
        /// By how much; it never falls below none.
        by: i8,
    },
    /// The attack hits with these results, and no dice are rolled or cancelled any more.
    Strike {
        /// Hits.
        hits: u8,
        /// Crits.
        crits: u8,
    },
    /// Damage beside the results of the attack.
    Wound {
        /// To whom.
        side: Side,
        /// Hits.
        hits: u8,
        /// Crits.
        crits: u8,
    },
}

/// What an effect costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Price {
    /// So many of a resource, by its place.
    Spend {
        /// The resource's place.
        resource: u8,
        /// How many.
        count: u8,
    },
    /// Damage to a ship of the own side, taken from its [`ResourceKind::Life`]: never so much that it would be destroyed.
    Suffer {
        /// The life's place among the resources.
        life: u8,
        /// How much.
        damage: u8,
    },
}

/// What must hold at the moment an effect is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Need {
    /// So many of a resource are there (and are not spent by this).
    Stock {
        /// The resource's place.
        resource: u8,
        /// How many.
        at_least: u8,
    },
    /// None of a resource is there.
    NoStock {
        /// The resource's place.
        resource: u8,
    },
    /// No more dice than these would be rolled.
    Dice {
        /// Which dice.
        dice: Dice,
        /// At most.
        at_most: u8,
    },
    /// So many results lie there.
    Results {
        /// Which dice.
        dice: Dice,
        /// Which faces.
        faces: FaceSet,
        /// At least.
        at_least: u8,
        /// At most.
        at_most: u8,
    },
    /// Another effect was used before, or was not: by its group.
    Used {
        /// The group.
        group: u8,
        /// Whether it must have been used.
        used: bool,
    },
}

/// Something that a side may, or must, do once in an attack.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Effect {
    /// When.
    pub windows: WindowSet,
    /// Whose turn it is used in, and who chooses.
    pub side: Side,
    /// Effects of one group are used once between them; below 64.
    pub group: u8,
    /// Whether it may be used as often as it is paid, as tokens and Force are.
    pub repeats: bool,
    /// Whether it happens without being chosen.
    pub must: bool,
    /// Whether somebody decides about it who weighs more than this attack, so that nobody counts on it: damage moved to
    /// another ship of the side, say.
    pub referred: bool,
    /// What must hold.
    pub needs: Vec<Need>,
    /// What it costs.
    pub price: Vec<Price>,
    /// What it does, in order.
    pub does: Vec<Change>,
}

impl Effect {
    /// Whether it modifies these dice, in the sense of restrictions: rerolls, changes or adds.
    pub fn modifies(&self, dice: Dice) -> bool {
        self.does.iter().any(|change| {
            matches!(change, Change::Reroll { dice: touched, .. } | Change::RollAgain { dice: touched }
                | Change::Turn { dice: touched, .. } | Change::Add { dice: touched, .. } if *touched == dice)
        })
    }
}
