//! What happens.
//!
//! | what | where |
//! |---|---|
//! | dice of an attack | [`dice`] |
//! | tokens, locks, charges | [`tokens`] |
//! | actions, maneuvers, moves | [`moves`] |
//! | attacks, weapons, damage, devices | [`attacks`] |
//! | cards, squads, choices | [`cards`] |

use serde::{Deserialize, Serialize};

pub mod attacks;
pub mod cards;
pub mod dice;
pub mod moves;
pub mod tokens;

pub use self::{attacks::*, cards::*, dice::*, moves::*, tokens::*};

use super::one_or_many::OneOrMany;

/// One thing that an effect does. The steps of an effect happen in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Primitive {
    /// More or fewer dice.
    DiceCount(DiceCount),
    /// A limit for the number of dice.
    DiceLimit(DiceLimit),
    /// Dice are rerolled.
    Reroll(Reroll),
    /// Results become another face.
    ChangeResult(ChangeResult),
    /// Results are added.
    AddResult(AddResult),
    /// Results are cancelled.
    CancelResult(CancelResult),
    /// Modifying dice is forbidden or limited.
    RestrictModification(RestrictModification),
    /// Which results are neutralized first, or at all.
    NeutralizeOrder(NeutralizeOrder),
    /// The range bonus is applied, ignored or replaced.
    RangeBonus(RangeBonus),
    /// The attack range counts as another.
    TreatAttackRange(TreatAttackRange),
    /// No dice are rolled; the attack counts as hitting.
    TreatAsHit(TreatAsHit),
    /// Results give tokens, or nothing, instead of damage.
    InflictInstead(InflictInstead),
    /// A ship may spend what another one has.
    LendResource(LendResource),
    /// Obstruction is ignored.
    ObstructionRule(ObstructionRule),

    /// A ship gains tokens.
    GainToken(GainToken),
    /// A ship loses tokens.
    RemoveToken(RemoveToken),
    /// Tokens go from one ship to another.
    TransferToken(TransferToken),
    /// A token that would be gained becomes something else.
    ReplaceToken(ReplaceToken),
    /// Tokens are not removed.
    KeepToken(KeepToken),
    /// A ship acquires a lock.
    AcquireLock(AcquireLock),
    /// Locks follow another rule.
    LockRule(OneOrMany<LockRule>),
    /// Charges, Force, shields or energy come back.
    Recover(Recover),
    /// Charges, Force or shields are lost.
    Lose(Lose),
    /// Tokens lie on the card.
    CardBank(CardBank),

    /// A ship may perform an action.
    PerformAction(PerformAction),
    /// An action for the bar that the catalog does not know.
    GrantAction(GrantAction),
    /// Actions are carried out another way.
    ActionRule(OneOrMany<ActionRule>),
    /// What is possible while stressed.
    StressPermission(OneOrMany<StressPermission>),
    /// Steps are skipped, kept or barred.
    StepRule(OneOrMany<StepRule>),
    /// A boost, barrel roll or other move that is no action.
    Reposition(Reposition),
    /// The ship turns in place.
    RotateShip(RotateShip),
    /// The turret turns.
    RotateArc(RotateArc),
    /// Another maneuver is executed.
    ExtraManeuver(ExtraManeuver),
    /// Another maneuver than the revealed one.
    ChangeManeuver(OneOrMany<ChangeManeuver>),
    /// Maneuvers become harder or easier.
    ChangeDifficulty(ChangeDifficulty),
    /// Obstacles are ignored.
    IgnoreObstacles(OneOrMany<IgnoreObstacles>),

    /// A bonus attack.
    BonusAttack(BonusAttack),
    /// Weapons follow another rule.
    WeaponRule(OneOrMany<WeaponRule>),
    /// A special weapon's card is discarded.
    DiscardWeapon(DiscardWeapon),
    /// Who may or must be attacked.
    TargetRule(TargetRule),
    /// Arcs follow another rule.
    ArcRule(ArcRule),
    /// Damage is dealt.
    DealDamage(DealDamage),
    /// Damage is prevented.
    PreventDamage(PreventDamage),
    /// Damage cards follow another rule.
    DamageCardRule(DamageCardRule),
    /// Damage cards are repaired.
    Repair(Repair),
    /// Damage cards are exposed.
    Expose(Expose),
    /// A ship is destroyed.
    Destroy(Destroy),
    /// A destroyed ship stays.
    Survive(Survive),
    /// A device is dropped, launched or placed.
    PlaceDevice(PlaceDevice),
    /// Devices follow another rule.
    DeviceRule(OneOrMany<DeviceRule>),
    /// A device moves.
    RelocateDevice(RelocateDevice),
    /// An obstacle or another object is placed, moved or removed.
    PlaceObject(PlaceObject),

    /// A ship is placed.
    PlaceShip(PlaceShip),
    /// Docking follows another rule.
    DockRule(DockRule),
    /// The ship acts at another initiative.
    Initiative(SetInitiative),
    /// A value of the ship changes that the catalog does not know.
    StatChange(StatChange),
    /// A condition is assigned or removed.
    Condition(AssignCondition),
    /// A card is flipped.
    FlipCard(FlipCard),
    /// Upgrade cards change ships.
    MoveUpgrade(MoveUpgrade),
    /// The ship has the ability of another card.
    ShareAbility(ShareAbility),
    /// Dials or cards are looked at.
    HiddenInformation(HiddenInformation),
    /// Squads are built by another rule.
    SquadRule(SquadRule),
    /// Victory or mission tokens.
    Scoring(Scoring),
    /// Who is friendly to whom.
    SideRule(SideRule),
    /// Wings of epic games.
    WingRule(WingRule),

    /// The other player picks one of these.
    OpponentChoice(Vec<Vec<Primitive>>),
    /// The owner picks one of these.
    OwnerChoice(Vec<Vec<Primitive>>),
    /// Dice are rolled outside an attack.
    RollCheck(RollCheck),
    /// For each that qualifies.
    ForEach(ForEach),
}
