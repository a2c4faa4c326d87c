//! Attacks, weapons, damage, devices.

use serde::{Deserialize, Serialize};

use crate::xwing::effects::{
    amount::Amount, arc::ArcWord, cost::is_zero, one_or_many::OneOrMany, range::RangeSpan, selector::Selector,
    vocabulary::vocabulary, weapon::WeaponFilter, window::Window,
};

vocabulary! {
    /// Against whom a bonus attack is made.
    pub enum BonusTarget {
        Other = "other_target": "another target than before",
        OtherOrSameIfMissed = "other_target_or_same_if_missed": "another target, or the same one if it was missed",
        Same = "same_target": "the same target",
        Attacker = "attacker": "the attacker",
        Defender = "defender": "the defender",
        Subject = "subject": "the ship that the window is about",
        NotYetAttacked = "not_yet_attacked": "a ship that was not attacked yet",
        UnusedArc = "unused_arc": "a ship in an arc that was not used yet",
        FromCarrier = "carrier": "a target of the carrier",
        UpTo4 = "up_to_4": "up to four targets",
        UpTo5 = "up_to_5": "up to five targets",
        Own = "self": "the own ship",
        Target = "target": "the chosen ship",
    }
}

/// A bonus attack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BonusAttack {
    /// Who attacks.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// With which weapon.
    pub weapon: WeaponFilter,
    /// Against whom; anybody when nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<BonusTarget>,
}

vocabulary! {
    /// Rules of weapons.
    pub enum WeaponRule {
        Range0 = "range_0": "primary attacks are possible at range 0",
        Range0AgainstSelf = "range_0_against_self": "enemies may attack it at range 0",
        IgnoreRequirement = "ignore_requirement": "the header's requirement is ignored",
        WhileDisarmed = "while_disarmed": "the attack is possible while disarmed",
        RangePlusMinus1 = "range+-1": "the weapon's range may grow or shrink by one",
        PrimaryRange1To4 = "primary_range_1_4": "the primary weapon's range is 1-4",
        TorpedoTurretArc = "torpedo_turret_arc": "torpedoes fire in the turret's arc",
        MissileTurretArc = "missile_turret_arc": "missiles fire in the turret's arc",
        CannonTurretArc = "cannon_turret_arc": "cannons fire in the turret's arc",
        PrimaryTurretArc = "primary_turret_arc": "the primary weapon fires in the turret's arc",
        RearArc = "rear_arc": "the weapon fires in the rear arc",
        RearArcRange1To2 = "rear_arc_range_1_2": "the weapon fires in the rear arc at range 1-2",
        FullFrontArc = "full_front_arc": "the weapon fires in the full front arc",
        BullseyeArc = "bullseye_arc": "the weapon fires in the bullseye arc",
        OnObstacle = "attack_on_obstacle": "it may attack while on an obstacle",
        OnAsteroid = "attack_on_asteroid": "it may attack while on an asteroid",
        GainRearPrimary = "gain_rear_primary": "it gains a primary weapon to the rear",
        GainFrontPrimary3 = "gain_front_primary_3": "it gains a primary weapon of three dice ahead",
        OnlyAsBonus = "only_as_bonus": "the weapon makes only bonus attacks",
    }
}

vocabulary! {
    /// Who may or must be attacked.
    pub enum TargetRuleWord {
        MayAttackFriends = "may_attack_friends": "friendly ships may be attacked",
        ClosestRange = "closest_range": "the nearest range comes first",
    }
}

/// Who may or must be attacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetRule {
    /// The rule.
    pub rule: TargetRuleWord,
}

vocabulary! {
    /// Rules of arcs.
    pub enum ArcRuleWord {
        TurretFrontOrRear = "turret_front_or_rear": "the turret points only ahead or astern",
        TurretNotRear = "turret_not_rear": "the turret does not point astern",
        GainTurret = "gain_turret": "it gains a turret",
        TreatAsBullseye = "treat_as_bullseye": "it counts as in the bullseye arc",
    }
}

/// Rules of arcs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArcRule {
    /// The rule.
    pub rule: ArcRuleWord,
    /// In which arc, for a ship that counts as in another.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub arc: OneOrMany<ArcWord>,
}

/// Damage is dealt.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DealDamage {
    /// To whom.
    #[serde(skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// Hits.
    #[serde(skip_serializing_if = "is_zero")]
    pub hit: u8,
    /// Crits.
    #[serde(skip_serializing_if = "is_zero")]
    pub crit: u8,
    /// Damage of the kind that the effect takes away or the event had.
    #[serde(skip_serializing_if = "is_zero")]
    pub matching: u8,
    /// Facedown damage cards, whatever shields there are.
    #[serde(skip_serializing_if = "is_zero")]
    pub facedown: u8,
}

vocabulary! {
    /// What is prevented.
    pub enum Prevented {
        Damage = "damage": "damage",
        Card = "card": "the damage card",
    }
}

/// Damage is prevented.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreventDamage {
    /// Whose.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// How much.
    pub n: Amount,
    /// What; damage when nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what: Option<Prevented>,
}

vocabulary! {
    /// Rules of damage cards.
    pub enum DamageCardRuleWord {
        HitBecomesCrit = "hit_becomes_crit": "hits become crits",
        AllFaceup = "all_faceup": "all cards that are dealt are dealt faceup",
        Faceup = "faceup": "the card is dealt faceup",
        Facedown = "facedown": "the card is dealt facedown",
        Draw3Choose1 = "draw_3_choose_1": "three cards are drawn, one is chosen",
        ChooseExposed = "choose_exposed": "the owner chooses which card is exposed",
        ChooseShipCard = "choose_ship_card": "the owner chooses a card that names the ship",
        DiscardAll = "discard_all": "all cards are discarded",
        DiscardPilotAndDirectHit = "discard_pilot_and_direct_hit": "cards of some kinds are discarded and drawn again",
        PrecisionShot = "precision_shot": "the attacker chooses among cards",
        PreparedCardInstead = "prepared_card_instead": "the prepared card is dealt instead",
    }
}

/// The card of a special weapon is discarded: its ship's player picks which one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DiscardWeapon {
    /// Whose.
    #[serde(skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
}

/// Rules of damage cards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DamageCardRule {
    /// The rule.
    pub rule: DamageCardRuleWord,
    /// Whose cards.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
}

vocabulary! {
    /// Which damage cards are repaired.
    pub enum RepairedCard {
        This = "this": "this card",
        Faceup = "faceup": "a faceup card",
        FaceupShip = "faceup_ship": "a faceup card that names the ship",
        FaceupPilot = "faceup_pilot": "a faceup card that names the pilot",
        Facedown = "facedown": "a facedown card",
        Any = "any": "any card",
        Same = "same": "the card of the event",
        FacedownThenFaceupShip = "mixed": "facedown cards and faceup ones that name the ship, together",
    }
}

/// Damage cards are repaired: a faceup one is turned, a facedown one discarded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repair {
    /// Which.
    pub card: RepairedCard,
    /// How many.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
    /// Whose.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
}

/// Damage cards are exposed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expose {
    /// Whose.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// How many.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
}

/// A ship is destroyed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Destroy {
    /// Who.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
}

vocabulary! {
    /// How long a destroyed ship stays.
    pub enum Survival {
        PhaseEnd = "until_phase_end": "until the end of the phase",
        EndPhase = "until_end_phase": "until the End Phase",
        Instead = "instead": "it is not destroyed",
    }
}

/// A destroyed ship stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Survive {
    /// Who.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// How long.
    pub how: Survival,
}

vocabulary! {
    /// What is put on the table.
    pub enum Placed {
        Any = "any": "a device of an equipped card",
        Bomb = "bomb": "the card's bomb",
        Mine = "mine": "the card's mine",
        Remote = "remote": "the card's remote",
        CommandoRemote = "commando_remote": "the card's remote of commandos",
        BuzzDroids = "buzz_droids": "a buzz droid swarm",
        TrackingTorpedo = "tracking_torpedo": "a tracking torpedo",
        LooseCargo = "loose_cargo": "a loose cargo cloud",
        SpareParts = "spare_parts": "spare parts",
    }
}

vocabulary! {
    /// How a device comes to the table.
    pub enum Placing {
        Drop = "drop": "dropped behind the ship",
        Launch = "launch": "launched ahead of the ship",
        Place = "place": "placed",
    }
}

/// A device comes to the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceDevice {
    /// What.
    pub device: Placed,
    /// How.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub how: OneOrMany<Placing>,
    /// With one of these templates (`1F`, `2B`); the one that drops use when nothing is said.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub templates: OneOrMany<String>,
    /// How many.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
    /// When it goes off by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detonates: Option<Window>,
}

vocabulary! {
    /// Rules of devices.
    pub enum DeviceRule {
        TemplateBank = "template_bank": "bank templates may be used",
        TemplateBankOrSide = "template_bank_or_side": "bank templates, or from the side",
        TemplateFromSide = "template_from_side": "from the side of the base",
        Template3Straight = "template_3_straight": "the straight template of speed 3 may be used",
        TemplateSpeed3 = "template_speed_3": "a template of speed 3 may be used",
        TemplateAnySpeed1 = "template_any_speed_1": "any template of speed 1 may be used",
        Template1Or2Straight = "template_1_or_2_straight": "the straight templates of speed 1 and 2",
        TemplateOtherSpeed = "template_speed+-1": "a template one speed higher or lower",
        LaunchOrTemplate3 = "launch_or_template_3": "launched, or with a template of speed 3",
        LaunchTemplate1 = "launch_template_1": "launched with a template of speed 1",
        LaunchTemplate3 = "launch_template_3": "launched with a template of speed 3",
        LaunchTemplate5Straight = "launch_template_5_straight": "launched with the straight template of speed 5",
        LaunchSameTemplate = "launch_same_template": "launched with the template that drops use",
        LaunchThreeTemplates = "launch_three_templates": "launched with three templates in line",
        PlaceTouching = "place_touching": "touching the one before",
        PlaceAtEnemy = "place_at_enemy": "near an enemy",
        Fuse1 = "fuse_1": "with a fuse marker",
        PreventDetonation = "prevent_detonation": "it does not go off",
        RemoveDevice = "remove_device_0_1": "a device at range 0-1 is removed",
        IgnoreFriendlyDevices = "ignore_friendly_devices": "friendly devices have no effect on it",
    }
}

/// A device moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelocateDevice {
    /// With one of these templates.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub templates: OneOrMany<String>,
    /// To the guides of this ship instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Selector>,
}

vocabulary! {
    /// What is done to objects.
    pub enum ObjectChange {
        MoveObstacle = "move_obstacle": "an obstacle is moved",
        RemoveObstacle = "remove_obstacle": "an obstacle is removed",
        Blaze = "blaze": "a blaze is placed",
        CargoCrate = "cargo_crate": "a cargo crate is placed",
        ElectroChaffCloud = "electro_chaff_cloud": "an electro-chaff cloud is placed",
    }
}

/// An obstacle or another object is placed, moved or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceObject {
    /// What is done.
    pub what: ObjectChange,
    /// At this range of the own ship.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<RangeSpan>,
}
