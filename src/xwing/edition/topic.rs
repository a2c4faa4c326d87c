//! The topics in which the editions differ, each with the values that it can have.

use crate::xwing::action::ActionKind;

/// What an ionized ship may do when it acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IonActions {
    /// Focus alone; its 1 straight is blue (SA-6.1).
    FocusOnly,
    /// Whatever it could do otherwise; its 1 straight is white (FE-7.2).
    Any,
}

/// Whose ships come first at equal initiative or pilot skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// Those of the first player, who may change from round to round (SA-13).
    PlayerOrder,
    /// Those of the side with initiative, the same for the whole game (FE-4.1).
    WholeGame,
}

/// How ships of one side and of equal initiative or pilot skill are ordered, where nobody picks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameSkill {
    /// By id, letter by letter: `10` before `2`.
    ById,
    /// By id with the ID number at its end as a number: `2` before `10` (FE-SOLO-2).
    ByIdNumber,
}

/// What ships of one side and of equal initiative or pilot skill are ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct IdOrder<'i> {
    /// The id before its number, or all of it.
    name: &'i str,
    number: Option<u64>,
    /// Of two that are the same so far, as `1` and `01`, the letters decide.
    whole: &'i str,
}

impl SameSkill {
    /// What a ship of that id is ordered by.
    pub fn order(self, id: &str) -> IdOrder<'_> {
        let whole = match self {
            SameSkill::ById => None,
            SameSkill::ByIdNumber => {
                let name = id.trim_end_matches(|letter: char| letter.is_ascii_digit());
                let number = id[name.len()..].parse().ok();
                number.map(|number| (name, Some(number)))
            }
        };
        let (name, number) = whole.unwrap_or((id, None));
        IdOrder {
            name,
            number,
            whole: id,
        }
    }
}

/// From when on a damage card changes the value that ships are ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkillOfDamageCards {
    /// At once.
    AtOnce,
    /// From the next round on (FE-4.1).
    NextRound,
}

/// Who is first at equal pilot skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstInitiative {
    /// The lower squad total chooses; equal totals roll for the choice (FE-2.1).
    LowerTotalChooses,
    /// The lower total has it; equal: the Imperial side (FE-14.1).
    LowerTotal,
}

/// Where obstacles may be placed, who starts, and who picks his edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObstaclePlacing {
    /// Beyond range 2 of every edge and beyond range 1 of each other; the side with initiative starts, the other one picks an
    /// edge (FE-2.2, FE-2.3).
    EdgesAndEachOther,
    /// Beyond range 2 of every edge and not on each other; the Imperial side starts, the Rebel side picks an edge (FE-14.3).
    EdgesOnly,
}

/// What becomes of a stressed ship that shows a red maneuver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StressedRed {
    /// It flies a white 2 straight (SA-6.2, FE-4.3).
    White2Straight,
    /// The opponent picks a maneuver of its dial that is not red (FE-14.4).
    OpponentPicks,
}

/// What bases that meet do to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contact {
    /// Range 0, at which primary weapons do not fire (SA-0).
    RangeZero,
    /// Range 1; no attack at a ship that it touches, which is made by overlapping alone (FE-4.7).
    Touching,
    /// Range 1; no attack at a ship in contact, however that arose (FE-14.5).
    AnyContact,
}

/// What it means to meet an obstacle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObstacleMet {
    /// By base or template: a die, asteroids and gas clouds take the action (SA-7).
    Second,
    /// By base or template; an asteroid takes the action for a die, debris gives stress, then a die (FE-4.8).
    First,
    /// By the base alone, and all obstacles are asteroids (FE-14.6).
    Rulebook2012,
}

/// How a Tallon roll is set down at the end of its template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tallon {
    /// In one of three places; it may be the one that lies on a ship.
    ThreePlaces,
    /// At any slide, on no ship if there is such a slide (FE-4.6).
    AnySlide,
}

/// How a barrel roll is set down beside its template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BarrelRoll {
    /// In one of three places.
    ThreePlaces,
    /// At any slide of template and base (FE-6.1).
    AnySlide,
}

/// What becomes of a boost, a roll or a decloak that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailedReposition {
    /// It fails, and the action with it.
    ActionLost,
    /// Another direction or another action is chosen (FE-5.5).
    Another,
}

/// Which actions ships may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionSet {
    /// The second edition's, with red, purple and linked ones.
    Second,
    /// The whole of FE-6.
    First,
    /// Evade, focus, barrel roll, lock and actions of cards (FE-14.7).
    Rulebook2012,
}

impl ActionSet {
    /// Whether ships may take that action at all.
    pub const fn has(self, kind: ActionKind) -> bool {
        use ActionKind as A;
        match self {
            ActionSet::Second => !matches!(kind, A::Recover),
            ActionSet::First => !matches!(kind, A::Calculate),
            ActionSet::Rulebook2012 => matches!(kind, A::Evade | A::Focus | A::BarrelRoll | A::Lock),
        }
    }
}

/// How often actions of cards of one name may be taken in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardActions {
    /// Once for each copy.
    EachCopy,
    /// Once: two copies are one action (FE-5.4).
    EachName,
}

/// Which maneuvers a SLAM may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slam {
    /// Those of the executed speed after which the ship has not fled.
    NotOverTheEdge,
    /// Any of the executed speed; it is no free action (FE-6.12, FE-5.2).
    AnyOfItsSpeed,
}

/// When a tractor token lets a ship be moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tractor {
    /// When its size is tractored by so many; by the one whose effect it was.
    WhenTractored,
    /// The first one of a round on a small ship; by its opponent (FE-7.3).
    FirstOnSmall,
}

/// What an evade token does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Evade {
    /// It changes a die to an evade result (SA-11).
    ChangesADie,
    /// It adds an evade result (FE-6.5).
    AddsAResult,
}

/// What a reinforce token does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reinforce {
    /// It cancels a result if more than one would land, by full arcs.
    CancelsOne,
    /// It adds an evade result: fore against attackers in the printed arcs of the defender, aft against others; of a huge ship
    /// against attacks on that section (FE-6.9).
    AddsAnEvade,
}

/// What a jam does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jam {
    /// The jamming side picks a green token or a lock.
    JammerPicks,
    /// The token takes a focus token, an evade token or a lock with it, which its owner picks (FE-6.7).
    OwnerPicks {
        /// Whether range 2 in the front arc is left out.
        range_1_only: bool,
    },
}

/// What the coordinate action gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coordinate {
    /// One action of its bar, to an unstressed friend.
    UnstressedOnly,
    /// Any free action, to any friend; a stressed one can take none (FE-6.4).
    FreeAction,
}

/// What the reload action does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reload {
    /// One charge comes back.
    OneCharge,
    /// All discarded torpedoes and missiles come back (FE-6.10).
    AllCards,
}

/// What can be locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Locks {
    /// Any object at range 0-3.
    AnyObject,
    /// Enemy ships at range 1-3 (FE-6.13).
    Enemies,
}

/// When cloaked ships decloak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenDecloaking {
    /// In the System phase, by a template after its size.
    SystemPhase,
    /// At the start of the Activation phase, by the straight of speed 2 (FE-6.3).
    StartOfActivation,
}

/// When bombs and mines are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bombs {
    /// In the System phase (SA-2).
    SystemPhase,
    /// In the ship's own activation: bombs when it reveals its dial, mines as its action (FE-11.1).
    OwnActivation,
}

/// How many tokens of a kind a modify step takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenSpending {
    /// As many as there are.
    Unlimited,
    /// One of a kind for its usual effect (FE-8.8).
    OneOfAKind,
}

/// Which dice tokens of an attack may be spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenUse {
    /// On dice that they change: none is spent where there is nothing to change, and locks reroll no successes.
    DiceItChanges,
    /// On any: a focus token also without a focus result (FE-6.6), a lock also on hits, or on no die at all (FE-6.13, FE-8.7).
    AnyDice,
}

/// What an added result is to later effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddedResult {
    /// It is never rerolled.
    Apart,
    /// It is a die like any other, which is rerolled and changed (FE-8.7).
    NormalDie,
}

/// When a ship that was shot down in combat leaves the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dying {
    /// After all ships of the engaging initiative have engaged.
    AfterItsInitiative,
    /// At the skill that is active: after its own turn in Combat, with a target or without (FE-9.5).
    AfterItsTurn,
    /// The same, after it has attacked (FE-14.11).
    AfterItsAttack,
}

/// Whether a ship still has its turn to attack when its order value rises above that of the active ship before it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LateTurn {
    /// It comes next.
    ComesNext,
    /// It has none in this phase (FE-8.1).
    IsLost,
}

/// Which weapons roll an attack die more at range 1 and give a defence die at range 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeBonus {
    /// All but those marked as ordnance.
    AllButOrdnance,
    /// Primary weapons, turrets among them, and no secondary weapon (FE-8.5).
    PrimariesOnly,
}

/// How far the weapons of huge ships reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HugeWeapons {
    /// To range 3, as those of other ships.
    Range3,
    /// To range 5, where the weapon does (FE-0.3, FE-12).
    Range5,
}

/// What tractor tokens do to the agility of a defender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TractoredAgility {
    /// A defence die less while it is tractored.
    OneLess,
    /// Agility falls by one for each token, not under none (FE-7.3).
    OneLessEachToken,
}

/// When it is looked whether a side has won because the other one has no ships left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victory {
    /// At once.
    AtOnce,
    /// At the end of a round; an objective of a mission still ends the game at once (FE-10.2).
    EndOfRound,
}

/// Who wins when the rounds that were agreed are over and both sides have ships left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundLimit {
    /// Nobody.
    Undecided,
    /// The higher score of destroyed ships; equal scores are a draw (FE-10.3).
    ByScore,
}

/// Which tokens go in the End phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndPhase {
    /// All round tokens.
    RoundTokens,
    /// Focus, evade, reinforce, weapons disabled, tractor (FE-10.1).
    First,
    /// Focus and evade (FE-14.8).
    Rulebook2012,
}

/// When distances are shown to a human.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShowRanges {
    /// Whenever the program has measured.
    Always,
    /// When players may measure: in an attack, and of a ship that was named (FE-0.7).
    AtTheirMoments,
}

/// What a ship flies whose dial is missing or another ship's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrongDial {
    /// The rules do not say.
    Unsaid,
    /// What is shown, in the right colour, if the right dial has it; else the opponent picks (FE-3.3).
    ShownOrOpponent,
}

/// How many damage decks a game has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DamageDecks {
    /// One that all ships draw from.
    Shared,
    /// One for each side, never mixed (FE-2 step 7).
    OnePerSide,
}

/// Which damage cards are dealt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DamageDeckKind {
    /// The second edition's.
    Second,
    /// The first edition's of 2015 (FE-9.2).
    Core2015,
    /// The first edition's of 2012 (FE-14.9).
    Core2012,
}

impl DamageDeckKind {
    /// All decks.
    pub const ALL: [DamageDeckKind; 3] = [
        DamageDeckKind::Second,
        DamageDeckKind::Core2015,
        DamageDeckKind::Core2012,
    ];
}

/// Which factions a squad may join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factions {
    /// Each of the seven by itself.
    Seven,
    /// Three: Rebel with Resistance, Imperial with First Order, Scum (FE-1.2).
    Three,
}

impl Factions {
    /// The faction, by its xws id, that stands for all that fly together with this one.
    pub fn primary(self, faction: &str) -> &str {
        match (self, faction) {
            (Factions::Three, "resistance") => "rebelalliance",
            (Factions::Three, "firstorder") => "galacticempire",
            _ => faction,
        }
    }

    /// Whether ships of both may be in one squad.
    pub fn fly_together(self, one: &str, other: &str) -> bool {
        self.primary(one) == self.primary(other)
    }
}

/// Whether a ship may have a card twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameCard {
    /// It may not.
    Never,
    /// It may, one for each of its icons, unless the card says `Limited` (FE-1.4).
    UnlessLimited,
}

/// Which names may occur twice in a squad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameName {
    /// As the limit on the card says.
    Limited,
    /// All but unique ones, across kinds of cards (FE-1.3).
    Unique,
    /// No pilot's (FE-14.10).
    NoPilotTwice,
}

/// What leaving the play area costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeavingTheArea {
    /// The ship (FE-4.9).
    ShipLost,
    /// The game (FE-14.15, as it is worded).
    GameLost,
}

/// How a question is settled that no rule answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dispute {
    /// The program names the rule that it used.
    TheProgramSays,
    /// Each player rolls three attack dice; the most focus results decide (FE-0.8).
    Roll,
}
