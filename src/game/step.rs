//! What a table is asked to carry out, one step at a time, in mm and degrees.

use crate::{
    geometry::{Point, Pose},
    xwing::{
        ObjectId,
        action::ActionKind,
        maneuver::{Maneuver, Side},
        ship::{ArcDirection, Tokens},
    },
};

/// One step. A table that cannot do a kind is told about it as an instruction instead.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Tell the players something.
    Say {
        /// Whom it is about, if anyone.
        ship: Option<ObjectId>,
        /// Plain text.
        text: String,
    },
    /// Show lines (tally and arc) while a decision stands; none clears them.
    Show {
        /// The deciding ship; empty: lines of the table itself, which stay (the outlines of hyperspace markers).
        ship: ObjectId,
        /// From, to.
        lines: Vec<(Point, Point)>,
    },
    /// Set the dial of a ship.
    Dial {
        /// The ship.
        ship: ObjectId,
        /// What to select.
        maneuver: Maneuver,
    },
    /// Move by the table's own rules.
    Move {
        /// The ship.
        ship: ObjectId,
        /// Which move.
        movement: Movement,
        /// Where it must stand beforehand.
        from: Pose,
        /// Where it is expected afterwards; what is observed counts.
        to: Pose,
    },
    /// Put a ship at an exact place.
    Place {
        /// The ship.
        ship: ObjectId,
        /// Where it must stand beforehand.
        from: Pose,
        /// Where to put it.
        to: Pose,
    },
    /// Add tokens, or take them away.
    Token {
        /// The ship.
        ship: ObjectId,
        /// Which.
        token: Token,
        /// How many; negative takes away.
        count: i32,
    },
    /// Put a lock on an object, or take it away.
    Lock {
        /// The locking ship.
        ship: ObjectId,
        /// The locked object.
        target: ObjectId,
        /// Take it away.
        remove: bool,
    },
    /// Turn a turret indicator.
    Turret {
        /// The ship.
        ship: ObjectId,
        /// Where it shall point; two entries for a double turret.
        arcs: Vec<ArcDirection>,
    },
    /// Lay an obstacle down.
    Lay {
        /// The obstacle.
        object: ObjectId,
        /// Where it lies.
        from: Pose,
        /// Where to lay it: its own frame, whose heading is its local north.
        to: Pose,
    },
    /// Take a ship off the table, or put it back.
    Remove {
        /// The ship.
        ship: ObjectId,
        /// Put it back here instead.
        back: Option<Pose>,
    },
}

/// What a kind of step is called where a table lists the kinds that it can carry out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepKind {
    /// [`Step::Say`].
    Say,
    /// [`Step::Show`].
    Show,
    /// [`Step::Dial`].
    Dial,
    /// [`Step::Move`].
    Move,
    /// [`Step::Place`].
    Place,
    /// [`Step::Token`].
    Token,
    /// [`Step::Lock`].
    Lock,
    /// [`Step::Turret`].
    Turret,
    /// [`Step::Remove`].
    Remove,
    /// [`Step::Lay`].
    Lay,
}

impl StepKind {
    /// Every kind.
    pub const ALL: [StepKind; 10] = [
        StepKind::Say,
        StepKind::Show,
        StepKind::Dial,
        StepKind::Move,
        StepKind::Place,
        StepKind::Token,
        StepKind::Lock,
        StepKind::Turret,
        StepKind::Remove,
        StepKind::Lay,
    ];

    /// Its word in the protocol.
    pub const fn word(self) -> &'static str {
        match self {
            StepKind::Say => "say",
            StepKind::Show => "show",
            StepKind::Dial => "dial",
            StepKind::Move => "move",
            StepKind::Place => "place",
            StepKind::Token => "token",
            StepKind::Lock => "lock",
            StepKind::Turret => "turret",
            StepKind::Remove => "remove",
            StepKind::Lay => "lay",
        }
    }

    /// The kind that a word means.
    pub fn from_word(word: &str) -> Option<StepKind> {
        StepKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl Step {
    /// Its kind.
    pub const fn kind(&self) -> StepKind {
        match self {
            Step::Say { .. } => StepKind::Say,
            Step::Show { .. } => StepKind::Show,
            Step::Dial { .. } => StepKind::Dial,
            Step::Move { .. } => StepKind::Move,
            Step::Place { .. } => StepKind::Place,
            Step::Token { .. } => StepKind::Token,
            Step::Lock { .. } => StepKind::Lock,
            Step::Turret { .. } => StepKind::Turret,
            Step::Remove { .. } => StepKind::Remove,
            Step::Lay { .. } => StepKind::Lay,
        }
    }

    /// The ship that it moves.
    pub const fn moves(&self) -> Option<&ObjectId> {
        match self {
            Step::Move { ship, .. } | Step::Place { ship, .. } | Step::Remove { ship, .. } => Some(ship),
            _ => None,
        }
    }

    /// Whether it changes the game: such a step is not left out silently when a table cannot do it.
    pub const fn changes_the_table(&self) -> bool {
        matches!(
            self,
            Step::Move { .. }
                | Step::Place { .. }
                | Step::Token { .. }
                | Step::Lock { .. }
                | Step::Turret { .. }
                | Step::Remove { .. }
                | Step::Lay { .. }
        )
    }
}

/// A move that a table knows by name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Movement {
    /// A maneuver of the dial; `slide_mm` is a Tallon roll's end position along the old heading (+10, 0, -10).
    Maneuver {
        /// Which.
        maneuver: Maneuver,
        /// mm along the old heading; 0 for every other bearing.
        slide_mm: f64,
    },
    /// A barrel roll.
    BarrelRoll {
        /// To which side.
        side: Side,
        /// mm along the heading.
        slide_mm: f64,
    },
    /// A boost, `None` straight ahead.
    Boost {
        /// Along a bank to this side.
        bank: Option<Side>,
    },
}

/// A token, as the game names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Token {
    /// Stress.
    Stress,
    /// Ion.
    Ion,
    /// Focus.
    Focus,
    /// Evade.
    Evade,
    /// Calculate.
    Calculate,
    /// Disarm.
    Disarm,
    /// Reinforce, on the full front side.
    ReinforceFore,
    /// Reinforce, on the full rear side.
    ReinforceAft,
    /// Strain.
    Strain,
    /// Deplete.
    Deplete,
    /// Tractor.
    Tractor,
    /// Jam.
    Jam,
    /// Cloak.
    Cloak,
    /// An active Force charge.
    Force,
}

impl Token {
    /// Every token.
    pub const ALL: [Token; 14] = [
        Token::Stress,
        Token::Ion,
        Token::Focus,
        Token::Evade,
        Token::Calculate,
        Token::Disarm,
        Token::ReinforceFore,
        Token::ReinforceAft,
        Token::Strain,
        Token::Deplete,
        Token::Tractor,
        Token::Jam,
        Token::Cloak,
        Token::Force,
    ];

    /// Its word in the protocol, without a side.
    pub const fn word(self) -> &'static str {
        match self {
            Token::Stress => "stress",
            Token::Ion => "ion",
            Token::Focus => "focus",
            Token::Evade => "evade",
            Token::Calculate => "calculate",
            Token::Disarm => "disarm",
            Token::ReinforceFore | Token::ReinforceAft => "reinforce",
            Token::Strain => "strain",
            Token::Deplete => "deplete",
            Token::Tractor => "tractor",
            Token::Jam => "jam",
            Token::Cloak => "cloak",
            Token::Force => "force",
        }
    }

    /// `fore` or `aft` for reinforce, else empty.
    pub const fn side(self) -> &'static str {
        match self {
            Token::ReinforceFore => "fore",
            Token::ReinforceAft => "aft",
            _ => "",
        }
    }

    /// The count of it among a ship's tokens.
    pub fn count_mut(self, tokens: &mut Tokens) -> &mut u32 {
        match self {
            Token::Stress => &mut tokens.stress,
            Token::Ion => &mut tokens.ion,
            Token::Focus => &mut tokens.focus,
            Token::Evade => &mut tokens.evade,
            Token::Calculate => &mut tokens.calculate,
            Token::Disarm => &mut tokens.disarm,
            Token::ReinforceFore | Token::ReinforceAft => &mut tokens.reinforce,
            Token::Strain => &mut tokens.strain,
            Token::Deplete => &mut tokens.deplete,
            Token::Tractor => &mut tokens.tractor,
            Token::Jam => &mut tokens.jam,
            Token::Cloak => &mut tokens.cloak,
            Token::Force => &mut tokens.force,
        }
    }

    /// The token that an action gives to the ship that performs it, if any.
    pub const fn of_action(kind: ActionKind) -> Option<Token> {
        match kind {
            ActionKind::Focus => Some(Token::Focus),
            ActionKind::Calculate => Some(Token::Calculate),
            ActionKind::Evade => Some(Token::Evade),
            ActionKind::Cloak => Some(Token::Cloak),
            // All its cards come back (FE-6.10); of one charge (SA-8) the detail tells.
            ActionKind::Reload => Some(Token::Disarm),
            _ => None,
        }
    }
}
