//! Actions, maneuvers, moves.

use serde::{Deserialize, Serialize};

use crate::xwing::effects::{
    one_or_many::OneOrMany,
    predicate::{ActionColor, ActionWord, ManeuverColor, ManeuverFilter},
    selector::Selector,
    vocabulary::vocabulary,
};

/// A ship may perform an action: one of these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerformAction {
    /// Who.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// One of these.
    pub any_of: OneOrMany<ActionWord>,
    /// Of this colour, whatever the bar says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<ActionColor>,
    /// Even while it is stressed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub even_while_stressed: bool,
}

/// An action for the bar that the catalog does not know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantAction {
    /// The action.
    pub action: ActionWord,
    /// Its colour; white when nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<ActionColor>,
    /// Who has it, when it is not the own ship.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
}

vocabulary! {
    /// How actions are carried out.
    pub enum ActionRule {
        AsRed = "as_red": "it is treated as red",
        RedAsWhite = "red_as_white": "a red one is treated as white",
        WhiteAndOneMore = "white_and_one_more": "it is white, and one more ship is chosen",
        ChosenLimitedToOwnBar = "chosen_limited_to_own_bar": "the chosen ship is limited to actions of the own bar",
        TemplateBank = "template_bank": "a bank template may be used",
        TemplateTurn = "template_turn": "a turn template may be used",
        TemplateTurn1 = "template_turn1": "the turn template of speed 1 must be used",
        TemplateFaster = "template_speed+1": "a template one speed higher may be used",
        DecloakBank2 = "decloak_bank2": "the bank template of speed 2 may be used to decloak",
        DecloakOtherSpeed = "decloak_speed+-1": "a template one speed higher or lower may be used to decloak",
        BoostPartial = "boost_partial": "a boost that would overlap is executed partially",
        CoordinateOneMore = "coordinate_one_more": "one more ship is coordinated",
        CoordinateOneMoreSame = "coordinate_one_more_same_type": "one more ship of the same type is coordinated",
        CoordinateTwoMoreSame = "coordinate_two_more_same_type": "two more ships of the same type are coordinated",
        CoordinateMore = "coordinate_more": "more ships are coordinated, at a price each",
        CoordinateBeyond2 = "coordinate_beyond2": "a ship beyond range 2 may be coordinated",
        CoordinateAndJam = "coordinate_and_jam": "coordinating, a ship may be jammed as well",
        Range2To3As0To1 = "range_2-3_as_0-1": "range 2-3 counts as 0-1",
        RangePerEnergy = "range+1_per_energy": "energy raises the range",
        AnyRange = "any_range": "at any range",
        MayChooseFriend = "may_choose_friend": "a friendly ship may be chosen",
        MayChooseAllied = "may_choose_allied": "an allied ship may be chosen",
        MayChooseRemote = "may_choose_remote": "a remote may be chosen",
        JamFromRemote = "jam_from_remote": "range is measured from a remote to jam",
        NotLimited = "not_limited": "the chosen ship may be of any side or kind",
        OnlyFrontOrRear = "only_front_or_rear_arc": "the turret turns only ahead or astern",
        ReinforceFrontOnly = "reinforce_front_only": "only the full front arc is reinforced",
    }
}

vocabulary! {
    /// What is possible while stressed.
    pub enum StressPermission {
        All = "all": "everything",
        Actions = "actions": "actions",
        OneAction = "one_action": "one action",
        WhiteActions = "white_actions": "white actions",
        DamageCardActions = "damage_card_actions": "actions of damage cards",
        Focus = "focus": "the focus action",
        Slam = "slam": "the SLAM action",
        BarrelRollOrBoost = "barrel_roll_or_boost": "barrel rolls and boosts",
        Support = "reinforce_coordinate_jam": "reinforce, coordinate and jam actions",
        Coordinated = "coordinated_ship": "the action of a coordinated ship",
        RedManeuvers = "red_maneuvers": "red maneuvers",
        RedBasic = "red_basic": "red basic maneuvers",
        RedAdvanced = "red_advanced": "red advanced maneuvers",
        RedSegnorBoostRotate = "red_segnor_boost_rotate": "red Segnor's loops, boosts and rotate actions",
        Ailerons = "ailerons": "the extra maneuver of ailerons",
    }
}

vocabulary! {
    /// Steps that are skipped, kept or barred.
    pub enum StepRule {
        NoMoreActions = "no_more_actions": "no further actions this activation",
        SkipManeuver = "skip_maneuver": "the maneuver is not executed",
        SkipAction = "skip_action": "the Perform Action step is skipped",
        KeepAction = "keep_action": "the Perform Action step is not skipped",
        NoSlam = "no_slam": "it cannot SLAM",
        AileronsOptional = "ailerons_optional": "the extra maneuver of ailerons may be left out",
        PassiveSensorsOn = "passive_sensors_on": "the card waits for the Engagement Phase",
        CannotBeCoordinated = "cannot_be_coordinated": "it cannot be coordinated",
        OnlyFocusAndCardActions = "only_focus_and_card_actions": "only the focus action and those of damage cards",
        OnlyDamageCardActions = "only_damage_card_actions": "only the actions of damage cards",
        NoBarActions = "no_bar_actions": "none of the actions on its action bar",
        CannotAttack = "cannot_attack": "it cannot attack",
        NoStraights = "no_straights": "it cannot plan straights",
        NoPilotAbility = "no_pilot_ability": "its pilot ability and its elite talents are ignored",
    }
}

vocabulary! {
    /// Moves that are no actions.
    pub enum Move {
        BarrelRoll = "barrel_roll": "a barrel roll",
        Boost = "boost": "a boost",
        BoostStraight = "boost_straight": "a boost straight ahead",
        Decloak = "decloak": "a decloak",
    }
}

/// A move that is no action: one of these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reposition {
    /// Who.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// One of these.
    pub any_of: OneOrMany<Move>,
}

/// The ship turns in place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotateShip {
    /// Who.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// By one of these angles, degrees.
    pub degrees: OneOrMany<u16>,
}

/// The turret turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotateArc {
    /// Who.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// To whom it must point; anywhere when nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Selector>,
}

/// Another maneuver is executed: one of these, in the notation of dials (`1BW` is a white bank left of speed 1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtraManeuver {
    /// One of these.
    pub any_of: OneOrMany<String>,
}

vocabulary! {
    /// What takes the place of the revealed maneuver.
    pub enum ChangeManeuver {
        Any = "any": "any maneuver",
        SameSpeedAndDifficulty = "same_speed_and_difficulty": "one of the same speed and difficulty",
        SameSpeedNotRed = "same_speed_not_red": "one of the same speed that is not red",
        SameDifficulty = "same_difficulty": "one of the same difficulty",
        SameBearingSpeed1 = "same_bearing_speed+-1": "one of the same bearing, one speed higher or lower",
        OtherSpeed1 = "speed+-1": "one of a speed one higher or lower",
        Faster = "speed+1": "one of a speed one higher",
        Slower = "speed-1": "one of a speed one lower",
        Speed1 = "speed_1": "one of speed 1",
        BasicNextSpeed = "basic_next_speed": "a basic one of the next speed",
        OtherDirection = "other_direction": "the same to the other side",
        WhiteStationary = "white_stationary": "a white stationary maneuver",
        Koiogran = "koiogran": "a Koiogran turn of the same speed",
        RedKoiogran = "red_koiogran": "a red Koiogran turn of the same speed",
        Segnor = "segnor": "a Segnor's loop of the same speed",
        Sideslip = "sideslip": "a sideslip of the same template",
        SideslipBank1 = "sideslip_bank1": "a sideslip with the bank of speed 1",
        TemplateTurnOrStraight = "template_turn_or_straight": "the turn or the straight template of the same speed",
    }
}

/// Maneuvers become harder or easier. Exactly one of `by` and `to` is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeDifficulty {
    /// Which; the one of the event when nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maneuvers: Option<ManeuverFilter>,
    /// By so many steps harder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<i8>,
    /// To this colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<ManeuverColor>,
    /// Whose.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
}

vocabulary! {
    /// When obstacles are ignored.
    pub enum IgnoreObstacles {
        All = "all": "always",
        Effects = "effects": "their effects",
        Moving = "moving": "while it moves",
        Maneuver = "maneuver": "while it executes a maneuver",
        Reposition = "reposition": "while it boosts or barrel rolls",
        AtRange0AndMoving = "at_range0_and_moving": "at range 0 and while it moves",
        Overlapped = "overlapped_obstacles": "those that it overlaps",
        AsteroidsMoving = "asteroids_moving": "asteroids while it moves",
        LockedMovingAndAttacking = "locked_moving_and_attacking": "a locked one, while it moves and attacks",
    }
}
