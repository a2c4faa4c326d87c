//! What must hold for an effect.

use serde::{Deserialize, Serialize};

use super::{
    arc::{ArcWord, TurretWord},
    one_or_many::OneOrMany,
    range::RangeSpan,
    spatial::{Compare, Count, Spatial},
    state::State,
    token::TokenSet,
    vocabulary::vocabulary,
    weapon::WeaponFilter,
};

/// One condition. All conditions of an effect must hold.
///
/// Where one ship is meant beside the own one (`range`, `in_own_arc`, `in_its_arc`), it is the subject if that is another
/// ship, else the other ship of the attack or event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Predicate {
    /// The contrary.
    Not(Box<Predicate>),
    /// At least one of these.
    AnyOf(Vec<Predicate>),
    /// All of these.
    AllOf(Vec<Predicate>),
    /// Range from the own ship.
    Range(RangeSpan),
    /// Range of the attack.
    AttackRange(RangeSpan),
    /// In this arc of the own ship, or one of these.
    InOwnArc(OneOrMany<ArcWord>),
    /// The own ship is in this arc of it, or one of these.
    InItsArc(OneOrMany<ArcWord>),
    /// The attack is made with such a weapon.
    Weapon(WeaponFilter),
    /// The own ship is like this.
    #[serde(rename = "self")]
    Own(State),
    /// The subject is like this.
    Subject(State),
    /// The other ship is like this.
    Other(State),
    /// What was chosen is like this.
    Target(State),
    /// The own ship's turret points there.
    Turret(OneOrMany<TurretWord>),
    /// Geometry among three places.
    Spatial(Box<Spatial>),
    /// Two numbers compared.
    Compare(Box<Compare>),
    /// How many qualify.
    Count(Box<Count>),
    /// The action of the event.
    Action(ActionFilter),
    /// The maneuver of the event.
    Maneuver(ManeuverFilter),
    /// The maneuver or move went through such a thing, or ended on it.
    MovedThrough(OneOrMany<Terrain>),
    /// Such an object is near the own ship.
    Near(Near),
    /// How the attack is obstructed.
    Obstructed(OneOrMany<Obstruction>),
    /// What happened: one of these.
    Event(OneOrMany<EventWord>),
    /// The token of the event is one of these.
    Token(TokenSet),
    /// The device of the event.
    Device(OneOrMany<DeviceWord>),
    /// How the attack stands.
    Result(ResultTest),
    /// In one of these phases.
    Phase(OneOrMany<PhaseWord>),
    /// At this initiative.
    Initiative(u8),
    /// The card itself came into play in an earlier round.
    EarlierRound,
}

vocabulary! {
    /// An action, or a group of actions.
    pub enum ActionWord {
        Focus = "focus": "the focus action",
        Calculate = "calculate": "the calculate action",
        Evade = "evade": "the evade action",
        Lock = "lock": "the lock action",
        BarrelRoll = "barrel-roll": "the barrel roll action",
        Boost = "boost": "the boost action",
        Slam = "slam": "the SLAM action",
        RotateArc = "rotate-arc": "the rotate action",
        Reinforce = "reinforce": "the reinforce action",
        Reload = "reload": "the reload action",
        Coordinate = "coordinate": "the coordinate action",
        Jam = "jam": "the jam action",
        Cloak = "cloak": "the cloak action",
        Any = "any": "any action",
        Same = "same": "the action of the event",
        White = "white": "a white action",
        OnBar = "on-bar": "an action on its action bar",
        OnOwnBar = "on-own-bar": "an action on the own ship's action bar",
        WhiteOnBar = "white-on-bar": "a white action on its action bar",
        DamageCard = "damage-card": "an action of a damage card",
    }
}

vocabulary! {
    /// Colours of actions.
    pub enum ActionColor {
        White = "white": "white",
        Red = "red": "red",
        Purple = "purple": "purple",
        AsRed = "as_red": "treated as red",
    }
}

vocabulary! {
    /// Types of upgrades that give actions.
    pub enum Granter {
        Crew = "crew": "a crew card",
        Talent = "talent": "a talent",
        Illicit = "illicit": "an illicit card",
        Modification = "modification": "a modification",
    }
}

/// Which actions are meant.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ActionFilter {
    /// One of these; any when nothing is said.
    #[serde(skip_serializing_if = "OneOrMany::is_empty")]
    pub any_of: OneOrMany<ActionWord>,
    /// Of this colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<ActionColor>,
    /// Performed while stressed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stressed: bool,
    /// On the printed bar.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub printed: bool,
    /// Given by a card of such a type.
    #[serde(skip_serializing_if = "OneOrMany::is_empty")]
    pub given_by: OneOrMany<Granter>,
}

vocabulary! {
    /// How a maneuver was executed.
    pub enum Executed {
        Full = "full": "fully executed",
        Partial = "partial": "partially executed",
        Skipped = "skipped": "skipped",
    }
}

vocabulary! {
    /// Colours of maneuvers.
    pub enum ManeuverColor {
        Blue = "blue": "blue",
        White = "white": "white",
        Red = "red": "red",
        Purple = "purple": "purple",
    }
}

vocabulary! {
    /// Bearings, and groups of bearings.
    pub enum BearingWord {
        Straight = "straight": "a straight",
        Bank = "bank": "a bank",
        Turn = "turn": "a turn",
        Koiogran = "koiogran": "a Koiogran turn",
        Segnor = "segnor": "a Segnor's loop",
        Tallon = "tallon": "a Tallon roll",
        Sideslip = "sideslip": "a sideslip",
        Stationary = "stationary": "a stationary maneuver",
        Reverse = "reverse": "a reverse maneuver",
        ReverseStraight = "reverse_straight": "a reverse straight",
        Ion = "ion": "the ion maneuver",
        Basic = "basic": "a basic maneuver: straight, bank, turn",
        Advanced = "advanced": "an advanced maneuver: everything that is not basic",
    }
}

vocabulary! {
    /// Which maneuver is looked at.
    pub enum ManeuverOf {
        Ailerons = "ailerons": "the extra maneuver of the own ship's ailerons",
    }
}

vocabulary! {
    /// The maneuver against that of the other ship.
    pub enum ManeuverCompare {
        SameBearing = "same_bearing": "of the same bearing as the other's",
        SameSpeed = "same_speed": "of the same speed as the other's",
        Faster = "faster": "of higher speed than the other's",
        Easier = "easier": "of lower difficulty than the other's",
    }
}

/// Which maneuvers are meant.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ManeuverFilter {
    /// Executed like this.
    #[serde(skip_serializing_if = "OneOrMany::is_empty")]
    pub executed: OneOrMany<Executed>,
    /// Of this speed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<Speeds>,
    /// Of one of these colours.
    #[serde(skip_serializing_if = "OneOrMany::is_empty")]
    pub color: OneOrMany<ManeuverColor>,
    /// Of one of these bearings.
    #[serde(skip_serializing_if = "OneOrMany::is_empty")]
    pub bearing: OneOrMany<BearingWord>,
    /// A certain maneuver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<ManeuverOf>,
    /// Against that of the other ship.
    #[serde(skip_serializing_if = "OneOrMany::is_empty")]
    pub compare: OneOrMany<ManeuverCompare>,
}

/// Speeds: `2`, `3-5`, `even`, `odd`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Speeds {
    /// From a speed to a speed, both included.
    Span {
        /// The lowest.
        min: u8,
        /// The highest.
        max: u8,
    },
    /// 2, 4.
    Even,
    /// 1, 3, 5.
    Odd,
}

impl Speeds {
    /// Whether a speed is among them.
    pub const fn holds(self, speed: u8) -> bool {
        match self {
            Speeds::Span { min, max } => min <= speed && speed <= max,
            Speeds::Even => speed.is_multiple_of(2),
            Speeds::Odd => !speed.is_multiple_of(2),
        }
    }
}

impl TryFrom<String> for Speeds {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "even" => return Ok(Speeds::Even),
            "odd" => return Ok(Speeds::Odd),
            _ => {}
        }
        let (min, max) = text.split_once('-').unwrap_or((&text, &text));
        match (min.parse(), max.parse()) {
            (Ok(min), Ok(max)) if min <= max && max <= 5 => Ok(Speeds::Span { min, max }),
            _ => Err(format!("`{text}` is no speed; write `2`, `3-5`, `even` or `odd`")),
        }
    }
}

impl From<Speeds> for String {
    fn from(speeds: Speeds) -> String {
        match speeds {
            Speeds::Span { min, max } if min == max => min.to_string(),
            Speeds::Span { min, max } => format!("{min}-{max}"),
            Speeds::Even => "even".to_owned(),
            Speeds::Odd => "odd".to_owned(),
        }
    }
}

vocabulary! {
    /// Things that lie or fly on the table.
    pub enum Terrain {
        Obstacle = "obstacle": "an obstacle",
        Asteroid = "asteroid": "an asteroid",
        Debris = "debris": "a debris cloud",
        Gas = "gas": "a gas cloud",
        Ship = "ship": "a ship",
        Friend = "friend": "a friendly ship",
        Enemy = "enemy": "an enemy ship",
        Huge = "huge": "a huge ship",
        Device = "device": "a device",
    }
}

/// An object near the own ship.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Near {
    /// What.
    pub what: OneOrMany<Terrain>,
    /// At this range.
    pub range: RangeSpan,
}

vocabulary! {
    /// What obstructs an attack.
    pub enum Obstruction {
        Obstacle = "by_obstacle": "obstructed by an obstacle",
        Own = "by_self": "obstructed by the own ship",
        Device = "by_device": "obstructed by a device",
        Any = "any": "obstructed by anything",
    }
}

vocabulary! {
    /// What an event was.
    pub enum EventWord {
        Damage = "damage": "damage is suffered",
        Hit = "hit": "the damage has a hit",
        Crit = "crit": "the damage has a crit",
        ShieldLost = "shield_lost": "a shield is lost",
        CardDealt = "card_dealt": "a damage card is dealt",
        FaceupCard = "faceup_card": "a damage card would be dealt faceup",
        FacedownCard = "facedown_card": "a damage card would be dealt facedown",
        DealtFaceup = "dealt_faceup": "the damage card itself was dealt faceup or exposed",
        PilotCard = "pilot_card": "the damage card names the pilot",
        ShipCard = "ship_card": "the damage card names the ship",
        Expose = "expose": "a damage card is exposed",
        Repair = "repair": "a damage card is repaired",
        Destroyed = "destroyed": "a ship is destroyed",
        Flee = "flee": "a ship flees",
        Attacked = "attacked": "the subject attacked",
        Defended = "defended": "the subject defended",
        NotDefending = "not_defending": "the ship is not defending",
        Obstacle = "obstacle": "an obstacle did it",
        FriendlyBomb = "friendly_bomb": "a friendly bomb did it",
        Overlap = "overlap": "the ship overlaps something",
        OverlapShip = "overlap_ship": "the ship overlaps a ship",
        BarrelRoll = "barrel_roll": "a barrel roll",
        Boost = "boost": "a boost",
        Decloak = "decloak": "a decloak",
        Sideslip = "sideslip": "a sideslip",
        Deploy = "deploy": "a ship deploys",
        EmergencyDeploy = "emergency_deploy": "a ship deploys because its carrier is destroyed",
        Force = "force": "a Force charge is spent",
        WouldRecover = "would_recover": "a charge would be recovered",
        PerformActionStep = "perform_action_step": "in the Perform Action step",
        DuringActivation = "during_activation": "during the ship's activation",
        BonusAttackOnNewTarget = "bonus_attack_on_new_target": "a bonus attack against another ship than before",
    }
}

vocabulary! {
    /// What the device of an event is.
    pub enum DeviceWord {
        Friendly = "friendly": "a friendly device",
        Bomb = "bomb": "a bomb",
        Mine = "mine": "a mine",
        Remote = "remote": "a remote",
        CrewRemote = "crew_remote": "a remote of a crew card",
        NoneDropped = "none_dropped": "no device was dropped or launched this round",
    }
}

/// How an attack stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultTest {
    /// It hit.
    Hit,
    /// It missed.
    Miss,
    /// The defender was destroyed.
    DefenderDestroyed,
    /// The defender was dealt a damage card.
    CardDealt,
    /// The defender was dealt a faceup damage card.
    FaceupCardDealt,
    /// A result was neutralized.
    Neutralized,
    /// The attacker modified dice.
    AttackerModifiedDice,
    /// All dice show the same face.
    SameFaces,
    /// All dice are blank.
    OnlyBlank,
    /// This many results or more are left.
    ResultsAtLeast(u8),
    /// More results are left than the defender has shields.
    ResultsExceedShields,
    /// This many dice or fewer are rolled.
    DiceAtMost(u8),
    /// Another number of dice than this is rolled.
    DiceNot(u8),
}

vocabulary! {
    /// Phases of a round.
    pub enum PhaseWord {
        Planning = "planning": "the Planning Phase",
        System = "system": "the System Phase",
        Activation = "activation": "the Activation Phase",
        Engagement = "engagement": "the Engagement Phase",
        Attack = "attack": "an attack",
        End = "end": "the End Phase",
    }
}
