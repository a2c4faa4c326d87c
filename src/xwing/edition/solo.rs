//! How the solo rules are read in an edition: what FE-SOLO adapts and no rule of the game itself tells.

/// How the Solo Alpha rules are read. What follows from a rule of the game, such as where a reinforce token works, follows
/// from the field of that rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoloReadings {
    /// Whose ships come first at equal pilot skill (FE-SOLO-2).
    pub initiative: SoloInitiative,
    /// Which of several equal moves out of firing arcs is made (SA-5, FE-SOLO-8).
    pub equal_moves: EqualMoves,
    /// Where a turret indicator is turned (SA-8, FE-SOLO-8).
    pub rotation: Rotation,
    /// When the actions of face-up damage cards are taken (SA-12, FE-SOLO-8).
    pub damage_card_actions: DamageCardActions,
    /// Whether the arcs of a primary weapon are weapons of their own where the weapon is chosen (SA-9, FE-SOLO-9).
    pub primaries: Primaries,
    /// How a cloaked ship decloaks (SA-12, FE-SOLO-12).
    pub decloak: SoloDecloak,
    /// Whether a ship without a target cloaks, Defensive, after evade (FE-SOLO-8, `soloCloak`).
    pub cloaks: bool,
    /// Whether a stressed ship says which line it would have met (FE-SOLO-13).
    pub stressed_line_told: bool,
}

impl SoloReadings {
    /// As the solo rules are written.
    pub const SECOND: SoloReadings = SoloReadings {
        initiative: SoloInitiative::Player,
        equal_moves: EqualMoves::ByTheRow,
        rotation: Rotation::AnyEnemy,
        damage_card_actions: DamageCardActions::AfterTheOthers,
        primaries: Primaries::EachArc,
        decloak: SoloDecloak::ByDie,
        cloaks: false,
        stressed_line_told: false,
    };

    /// As FE-SOLO adapts them.
    pub const FIRST: SoloReadings = SoloReadings {
        initiative: SoloInitiative::Player,
        equal_moves: EqualMoves::MostArcs,
        rotation: Rotation::NearestEnemy,
        damage_card_actions: DamageCardActions::BeforeTokens,
        primaries: Primaries::OneWeapon,
        decloak: SoloDecloak::AfterTheTally,
        cloaks: false,
        stressed_line_told: true,
    };
}

/// Whose ships come first at equal pilot skill where one side is flown by the solo rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoloInitiative {
    /// The player's, in both phases (SA-13, FE-SOLO-2).
    Player,
    /// As the squads' totals say; a solo side that may choose rolls for it (FE-2.1, FE-SOLO-2).
    Points,
}

/// Which of several equal moves out of firing arcs is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EqualMoves {
    /// As the row's towards or away aligns it; without one the middle first (SA-5).
    ByTheRow,
    /// The one that leaves the most enemies' arcs, then the smallest slide or the straight boost (FE-SOLO-8).
    MostArcs,
}

/// Where a turret indicator is turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotation {
    /// To any enemy (SA-8).
    AnyEnemy,
    /// To the nearest enemy at range 1-3 (FE-SOLO-8).
    NearestEnemy,
}

/// When the actions of face-up damage cards are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DamageCardActions {
    /// As those of other cards: after the lines of the attitude that they belong to (SA-12).
    AfterTheOthers,
    /// Just before the first line that gives a token (FE-SOLO-8).
    BeforeTokens,
}

/// Whether the arcs of a primary weapon are weapons of their own where the weapon is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Primaries {
    /// Each arc is one; a seeded roll decides between those of the same value (SA-9).
    EachArc,
    /// An auxiliary or mobile arc belongs to the one primary weapon, whose target is looked for in all of its arcs (FE-8.3,
    /// FE-SOLO-9).
    OneWeapon,
}

/// How a cloaked ship decloaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoloDecloak {
    /// By a defence die and the three tests of moves (SA-12).
    ByDie,
    /// When it can, after its tally (FE-SOLO-12).
    AfterTheTally,
}
