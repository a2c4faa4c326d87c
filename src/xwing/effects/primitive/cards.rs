//! Cards, squads, values, and choices.

use serde::{Deserialize, Serialize};

use super::{FaceWord, Pool, Primitive};
use crate::xwing::effects::{
    amount::Amount,
    one_or_many::OneOrMany,
    selector::{Query, Selector},
    vocabulary::vocabulary,
};

vocabulary! {
    /// Where ships are placed.
    pub enum Placement {
        Reserve = "reserve": "in reserve",
        ReserveReturn = "reserve_return": "back from reserve",
        ReserveWing = "reserve_wing": "in reserve with its wing",
        DeployWing = "deploy_wing": "its wing deploys",
        DeployEdge = "deploy_edge": "at an edge",
        SameDeploymentArea = "same_deployment_area": "in the same deployment area",
        Setup0To2 = "setup_range_0_2": "at range 0-2 of another in set-up",
        OfFriend0To2 = "range_0_2_of_friend": "at range 0-2 of a friendly ship",
        AtObstacle = "at_obstacle_beyond_3": "at an obstacle, beyond range 3 of enemies",
        BeyondEnemies = "anywhere_beyond_3_of_enemies": "anywhere beyond range 3 of enemies",
        WithLimits = "anywhere_with_limits": "anywhere within limits that the card names",
    }
}

/// A ship is placed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceShip {
    /// Who.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// Where.
    pub place: Placement,
}

vocabulary! {
    /// Rules of docking.
    pub enum DockRuleWord {
        CarryOne = "carry_one": "it carries one ship",
        Carry2Small = "carry_2_small": "it carries two small ships",
        Carry4Small = "carry_4_small": "it carries four small ships",
        UsesDockedDial = "uses_docked_dial": "it flies the docked ship's dial",
        StartsDocked = "starts_docked": "it starts docked",
        RearOnly = "rear_only": "only from the rear",
        Range0To1 = "range_0_1": "at range 0-1",
    }
}

/// Rules of docking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DockRule {
    /// The rule.
    pub rule: DockRuleWord,
}

vocabulary! {
    /// When a ship acts.
    pub enum InitiativeWord {
        Equal = "equal": "at the initiative of another ship",
        Initiative0 = "0": "at initiative 0",
        Initiative6 = "6": "at initiative 6",
        Initiative7 = "7": "at initiative 7",
        From1To6 = "1-6": "at an initiative of its choice from 1 to 6",
        From0To6 = "0-6": "at an initiative of its choice from 0 to 6",
        EngageNow = "engage_now": "it engages now",
        AsCarrier = "as_carrier": "at the initiative of its carrier",
        AsDocked = "as_docked": "at the initiative of the docked ship",
    }
}

/// The ship acts at another initiative.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetInitiative {
    /// Who.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// At which.
    pub to: InitiativeWord,
}

vocabulary! {
    /// Values of a ship.
    pub enum Stat {
        Attack = "attack": "attack dice",
        Agility = "agility": "agility",
        AgilityAsSpeed = "agility_as_speed": "agility is the speed of the revealed maneuver",
        Hull = "hull": "hull",
        Shields = "shields": "shields",
        ShieldsOfDocked = "shields_of_docked": "the shields of the docked ship",
        Force = "force": "Force",
        ForceNotRecurring = "force_not_recurring": "Force does not recur",
        Energy = "energy": "energy",
    }
}

/// A value of the ship changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatChange {
    /// Which.
    pub stat: Stat,
    /// By how much.
    #[serde(default)]
    pub by: i8,
}

/// A condition is assigned or removed. Exactly one of `assign`, `one_of` and `remove` is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssignCondition {
    /// Assigns this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assign: Option<String>,
    /// Assigns one of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<String>,
    /// Removes this one; `this` is the card itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove: Option<String>,
    /// Facedown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub facedown: bool,
    /// To whom, or from whom.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub to: Selector,
}

vocabulary! {
    /// Cards that are flipped.
    pub enum Flipped {
        This = "this": "this card",
        Configuration = "configuration": "the configuration",
        ReinforceSide = "reinforce_side": "the side of the reinforce token",
        OfflineCards = "offline_cards": "cards that are offline",
    }
}

/// A card is flipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlipCard {
    /// Which.
    pub card: Flipped,
}

vocabulary! {
    /// How upgrades change ships.
    pub enum UpgradeMove {
        ReturnToOwner = "return_to_owner": "it returns to its ship",
        Illicit = "illicit": "an illicit card goes to another ship",
        IllicitBetweenTargets = "illicit_between_targets": "an illicit card goes from one chosen ship to another",
        Talent = "talent": "a talent goes to another ship",
        HiddenIllicit = "hidden_illicit": "an illicit card is hidden beneath the card",
        RevealIllicit = "reveal_illicit": "the hidden illicit card is equipped",
    }
}

/// Upgrade cards change ships.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveUpgrade {
    /// How.
    pub how: UpgradeMove,
}

vocabulary! {
    /// Whose ability a ship has.
    pub enum SharedAbility {
        ReplaceShipAbility = "replace_ship_ability": "the ship ability is replaced by that of the card",
        FriendsWithTitle = "friends_with_title": "the abilities of friendly ships with the title",
        DestroyedCarrier = "destroyed_carrier": "the ability of the destroyed carrier",
        GivenToCarrier = "given_to_carrier": "the carrier has the own ability",
    }
}

/// The ship has the ability of another card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareAbility {
    /// Whose.
    pub of: SharedAbility,
}

vocabulary! {
    /// What is looked at or guessed.
    pub enum Hidden {
        Dial = "dial": "a dial is looked at",
        Reveal = "reveal": "a dial is revealed",
        GuessDial = "guess_dial": "a dial is guessed",
        GuessNumber = "guess_number": "a number is guessed",
        OwnChoiceOfCard = "own_choice_of_card": "a card is looked up and chosen",
    }
}

/// Dials or cards are looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HiddenInformation {
    /// What.
    pub what: Hidden,
    /// Whose.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
}

vocabulary! {
    /// Rules of squad building.
    pub enum SquadRuleWord {
        OtherFactions = "other_factions": "cards of other factions may be equipped",
        Slot = "slot": "slots are gained or lost",
        TorpedoOrMissile = "torpedo_or_missile": "a torpedo or a missile may be equipped",
        TorpedoAndMissile = "torpedo_and_missile": "a torpedo and a missile may be equipped",
        CannonTorpedoOrMissile = "cannon_torpedo_or_missile": "a cannon, a torpedo or a missile may be equipped",
        IgnoreTieRestriction = "ignore_tie_restriction": "cards restricted to TIEs may be equipped",
        IgnoreStandardized = "ignore_standardized": "standardized cards need not be equipped on all",
        Gunner = "gunner": "a gunner may be equipped",
        Device = "device": "a device may be equipped",
        DarkSide = "dark_side": "cards of the dark side may be equipped",
    }
}

/// Squads are built by another rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SquadRule {
    /// The rule.
    pub rule: SquadRuleWord,
}

vocabulary! {
    /// Victory and mission tokens.
    pub enum ScoringWord {
        Victory = "victory": "a side gains victory points",
        MoveToken = "move_token": "a token of the mission is moved",
    }
}

/// Victory or mission tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scoring {
    /// What.
    pub what: ScoringWord,
}

vocabulary! {
    /// Who is friendly to whom.
    pub enum SideRuleWord {
        AlliedAreFriendly = "allied_are_friendly": "allied ships count as friendly",
        FriendsAreAllied = "friends_are_allied": "friendly ships count as allied only",
    }
}

/// Who is friendly to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideRule {
    /// The rule.
    pub rule: SideRuleWord,
}

vocabulary! {
    /// Wings of epic games.
    pub enum WingRuleWord {
        Leader = "leader": "it leads a wing",
        Split = "split": "the wing splits",
        Join = "join": "a ship joins the wing",
        PurpleAsRed = "purple_as_red": "purple actions are treated as red",
    }
}

/// Wings of epic games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WingRule {
    /// The rule.
    pub rule: WingRuleWord,
}

/// Dice are rolled outside an attack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RollCheck {
    /// Which dice.
    pub dice: Pool,
    /// How many.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
    /// Who rolls.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// What happens on which faces.
    pub branches: Vec<RollBranch>,
}

/// What happens on certain faces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RollBranch {
    /// On one of these faces.
    pub faces: OneOrMany<FaceWord>,
    /// Once for each such die, not once for all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub per_die: bool,
    /// What happens.
    #[serde(rename = "do")]
    pub steps: Vec<Primitive>,
}

/// For each that qualifies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForEach {
    /// Which.
    pub of: Query,
    /// What happens; `each` is the one in turn.
    #[serde(rename = "do")]
    pub steps: Vec<Primitive>,
}
