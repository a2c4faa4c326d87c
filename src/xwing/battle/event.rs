//! What happened in a battle, one value after the other. The events alone tell the whole course of it.

use super::{Choice, EscortEvent, Order, Phase};
use crate::{
    dice::{AttackFace, DefenceFace},
    geometry::Pose,
    xwing::{
        ObjectId,
        action::{ActionDetail, BarAction},
        combat::{
            AttackStep, Spending,
            contest::{Ban, Face},
        },
        damage_deck::{Card, Damage, DamageEvent},
        device::{DropTemplate, Harm, PlacedDevice},
        dispute::Dispute,
        effects::{TokenWord, Window},
        maneuver::Maneuver,
        movement::{Execution, consequences::ObstacleEffect},
        ship::{Standing, Tokens},
        targeting::Blocked,
    },
};

/// Why a ship has no action after its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LostAction {
    /// It was on another ship.
    Overlap,
    /// It met an asteroid or a gas cloud.
    Obstacle,
    /// It was stopped at the edge (SA-7).
    Edge,
    /// It is stressed.
    Stressed,
    /// A card let it act before its move instead.
    Card,
    /// A mine that went off under it takes the action (FE-11.2).
    Mine,
}

/// Why a ship makes no attack when it engages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAttack {
    /// It may not.
    Blocked(Vec<Blocked>),
    /// No weapon has a legal target.
    NoTarget,
    /// It could, and does not.
    Declined,
    /// Its order value has risen above that of the ships that attack now, so that its turn is over (FE-8.1).
    Late,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// FE-0.8: dice decided whose reading of the rules counts.
    Disputed {
        /// What it is about, in the words of whoever disputes it; may be empty.
        about: String,
        /// The sides, in the order of their rolls.
        sides: [String; 2],
        /// What they rolled.
        dispute: Dispute,
    },
    /// Something that is not played.
    Noted {
        /// The ship that has it.
        ship: ObjectId,
        /// What.
        text: String,
    },
    /// A round began, from 1.
    RoundBegan(u32),
    /// A ship arrived at the beginning of a round (SA-13).
    Arrived {
        /// The ship.
        ship: ObjectId,
        /// What the players call it.
        name: String,
        /// The destroyed ship that returns as this one.
        instead_of: Option<ObjectId>,
        /// Where it stands.
        pose: Pose,
        /// What it has locked as it arrived.
        locks: Vec<ObjectId>,
    },
    /// What the players ought to know about arrivals: rolls, blocked sides, ships that wait.
    Told {
        /// A sentence.
        text: String,
    },
    /// A phase began.
    PhaseBegan(Phase),
    /// A ship decloaked.
    Decloaked {
        /// The ship.
        ship: ObjectId,
        /// Where it stood.
        from: Pose,
        /// Where it stands then.
        to: Pose,
    },
    /// A device was dropped (SA-2).
    Dropped {
        /// The ship.
        ship: ObjectId,
        /// By which template.
        template: DropTemplate,
        /// Its pieces on the table.
        pieces: Vec<PlacedDevice>,
    },
    /// A fuse marker was taken off a device that would have gone off.
    FuseBurned {
        /// The device.
        device: ObjectId,
    },
    /// A device went off, and is gone.
    Detonated {
        /// The device.
        device: ObjectId,
        /// The obstacle that it went off around, and that is gone, too.
        obstacle: Option<ObjectId>,
    },
    /// A device reached a ship; what it suffers follows.
    Blasted {
        /// The ship.
        ship: ObjectId,
        /// The device.
        device: ObjectId,
        /// What the ship rolled for it.
        rolled: Vec<AttackFace>,
        /// What it gets.
        harm: Harm,
    },
    /// A tractored ship was moved.
    Pulled {
        /// The ship.
        ship: ObjectId,
        /// The ship whose effect it was.
        by: ObjectId,
        /// Where it stood.
        from: Pose,
        /// Where it stands then.
        to: Pose,
    },
    /// A dial was set.
    DialSet {
        /// The ship.
        ship: ObjectId,
        /// To what.
        maneuver: Maneuver,
    },
    /// A ship moved: its maneuver, or a SLAM.
    Flew {
        /// The ship.
        ship: ObjectId,
        /// From where.
        from: Pose,
        /// How, before any turn at the edge.
        execution: Box<Execution>,
        /// The turn at the edge (SA-7), degrees.
        edge_turn: Option<f64>,
        /// To where.
        to: Pose,
        /// Whether it is the move of a SLAM.
        slam: bool,
    },
    /// A ship met an obstacle and a die was rolled (SA-7).
    MetObstacle {
        /// The ship.
        ship: ObjectId,
        /// What it met.
        obstacle: ObjectId,
        /// The die.
        face: AttackFace,
        /// What the die does.
        effect: ObstacleEffect,
    },
    /// A ship left the table over the edge.
    Fled {
        /// The ship.
        ship: ObjectId,
    },
    /// A ship left the table over an edge where it is safe (SA-13: over the player edge).
    Saved {
        /// The ship.
        ship: ObjectId,
    },
    /// A ship left the table where it was making for (SA-13: the transport at the opposite corner).
    Escaped {
        /// The ship.
        ship: ObjectId,
    },
    /// The tokens that a ship has now.
    Tokens {
        /// The ship.
        ship: ObjectId,
        /// All of them.
        tokens: Tokens,
    },
    /// A ship loses its action.
    ActionLost {
        /// The ship.
        ship: ObjectId,
        /// Why.
        cause: LostAction,
    },
    /// A ship took an action.
    Acted {
        /// The ship.
        ship: ObjectId,
        /// Which, and how.
        order: Order,
        /// Where it stood.
        from: Pose,
        /// Where it stands then.
        to: Pose,
    },
    /// A ship engages without an attack.
    HeldFire {
        /// The ship.
        ship: ObjectId,
        /// Why.
        cause: NoAttack,
    },
    /// An attack begins; the attacker's dice are rolled.
    Attacked {
        /// The attacker.
        attacker: ObjectId,
        /// The defender.
        defender: ObjectId,
        /// The weapon's place among the attacker's.
        weapon: usize,
        /// Attack range.
        range: u32,
        /// Whether something lies in the way.
        obstructed: bool,
        /// Whether it is a bonus attack.
        bonus: bool,
        /// The attack dice.
        rolled: Vec<AttackFace>,
    },
    /// The attacker did something with its dice.
    AttackModified {
        /// The attacker.
        attacker: ObjectId,
        /// What it did.
        step: AttackStep,
        /// The new faces after a reroll.
        rerolled: Vec<AttackFace>,
    },
    /// The effect of a card was used in an attack (SA-12), or happened by itself.
    EffectUsed {
        /// The ship whose card it is.
        ship: ObjectId,
        /// The card's id, as in `pilot:howlrunner`.
        card: String,
        /// The effect's place on the card, from 0.
        effect: usize,
        /// The moment.
        window: Window,
        /// The dice that it touched, as they lay.
        touched: Vec<Face>,
        /// The new faces of dice that it rerolled.
        rolled: Vec<Face>,
        /// The most results that it adds.
        added: u8,
        /// The damage that was expected with it and without it, where its side has reckoned.
        weighed: Option<[f64; 2]>,
    },
    /// A card forbids a side something in the attack that begins.
    Forbidden {
        /// The ship whose dice are meant.
        ship: ObjectId,
        /// The ship whose card it is.
        owner: ObjectId,
        /// The card's id.
        card: String,
        /// What is forbidden.
        ban: Ban,
    },
    /// The defender rolled.
    Defended {
        /// The defender.
        defender: ObjectId,
        /// The dice.
        rolled: Vec<DefenceFace>,
    },
    /// The defender's dice are final, and the attack is over but for the damage.
    AttackResolved {
        /// The attacker.
        attacker: ObjectId,
        /// The defender.
        defender: ObjectId,
        /// What the defender spent.
        spent: Spending,
        /// The damage that is dealt.
        damage: Damage,
    },
    /// A ship suffered damage.
    Suffered {
        /// The ship.
        ship: ObjectId,
        /// How much, before shields.
        damage: Damage,
        /// What came of it.
        outcome: Vec<DamageEvent>,
    },
    /// A damage card was turned face down.
    Repaired {
        /// The ship.
        ship: ObjectId,
        /// The card.
        card: Card,
    },
    /// A destroyed ship was taken off the table; its cards go to the discard pile.
    Removed {
        /// The ship.
        ship: ObjectId,
    },
    /// Something that Political Escort brings (PE).
    Escort(EscortEvent),
    /// It is over.
    Ended {
        /// Who has won: see [`Battle::winner`](super::Battle::winner).
        winner: Option<String>,
        /// What the scenario says of this ending.
        ending: Option<String>,
    },
    /// A card's effect is used: its price is paid, and what it does follows.
    CardUsed {
        /// The ship whose card it is.
        ship: ObjectId,
        /// The card, as in `pilot:howlrunner`.
        card: String,
        /// The moment.
        window: Window,
        /// The ships that were chosen for it.
        targets: Vec<ObjectId>,
    },
    /// Somebody has chosen about a card.
    CardChoice {
        /// The ship whose player chose.
        ship: ObjectId,
        /// The ship whose card it is.
        owner: ObjectId,
        /// The card.
        card: String,
        /// The moment.
        window: Window,
        /// What was chosen; `None` for nothing.
        choice: Option<Choice>,
        /// The key of the question, for what is left to the players.
        asks: Option<String>,
    },
    /// A card gives the action that comes next.
    CardAction {
        /// Who acts.
        ship: ObjectId,
        /// The ship whose card it is.
        owner: ObjectId,
        /// The card.
        card: String,
    },
    /// Dice were rolled for a card, outside an attack.
    CardDice {
        /// The ship whose card it is.
        ship: ObjectId,
        /// The card.
        card: String,
        /// Attack dice.
        attack: Vec<AttackFace>,
        /// Defence dice.
        defence: Vec<DefenceFace>,
    },
    /// The charges that a card has now.
    CardCharges {
        /// The ship whose card it is.
        ship: ObjectId,
        /// The card.
        card: String,
        /// How many are active.
        left: u32,
    },
    /// A card cannot go on; play does.
    CardFault {
        /// The ship whose card it is.
        ship: ObjectId,
        /// The card.
        card: String,
        /// What is wrong.
        text: String,
    },
    /// A ship moves, rotates where it stands, or turns its turret, without an action.
    Moved {
        /// The ship.
        ship: ObjectId,
        /// How; `None` where it rotates.
        detail: Option<ActionDetail>,
        /// From where.
        from: Pose,
        /// To where.
        to: Pose,
    },
    /// What cards do to a ship all the time, or for now, has changed.
    Standing {
        /// The ship.
        ship: ObjectId,
        /// The initiative at which it acts.
        initiative: u8,
        /// Its action bar.
        actions: Vec<BarAction>,
        /// What else they change about how it acts and flies.
        standing: Box<Standing>,
    },
    /// Another maneuver takes the place of the one that was revealed, or it has another colour.
    ManeuverChanged {
        /// The ship.
        ship: ObjectId,
        /// What it executes now.
        maneuver: Maneuver,
    },
    /// Tokens of a ship stay in this End Phase.
    Kept {
        /// The ship.
        ship: ObjectId,
        /// Of which kind.
        token: TokenWord,
        /// How many.
        count: u32,
    },
    /// A condition was assigned to a ship, or removed from it.
    Condition {
        /// The ship.
        ship: ObjectId,
        /// The condition, as in `condition:hunted`.
        condition: String,
        /// The ship whose card assigned it; `None` when it was removed.
        source: Option<ObjectId>,
    },
    /// A card was turned to its other side.
    Flipped {
        /// The ship whose card it is.
        ship: ObjectId,
        /// The side that is up now, as in `upgrade:landingstruts#1`.
        card: String,
    },
    /// A ship has performed an action that a card of its own adds.
    ActedByCard {
        /// The ship.
        ship: ObjectId,
        /// The card.
        card: String,
    },
    /// The locks that a ship has now.
    Locks {
        /// The ship.
        ship: ObjectId,
        /// What it has locked.
        locks: Vec<ObjectId>,
    },
    /// A lock has a letter, which both of its tokens show (FE-6.13).
    LockLettered {
        /// The ship that has the lock.
        ship: ObjectId,
        /// The ship that is locked.
        target: ObjectId,
        /// As in A.
        letter: String,
    },
    /// The shields that a ship has now.
    Shields {
        /// The ship.
        ship: ObjectId,
        /// How many are active.
        left: u8,
    },
    /// A facedown damage card was repaired: it is discarded.
    Discarded {
        /// The ship.
        ship: ObjectId,
        /// The card.
        card: Card,
    },
}
