//! The two sides, the windows of an attack in their order, and its stages.

use super::faces::Dice;

/// Whose side: the attacker with its friends, or the defender with its friends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The attacker's.
    Attacker,
    /// The defender's.
    Defender,
}

impl Side {
    /// The other side.
    pub const fn other(self) -> Side {
        match self {
            Side::Attacker => Side::Defender,
            Side::Defender => Side::Attacker,
        }
    }

    /// Its own dice.
    pub const fn dice(self) -> Dice {
        match self {
            Side::Attacker => Dice::Attack,
            Side::Defender => Dice::Defence,
        }
    }
}

/// The windows of an attack in which dice can be touched, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Window {
    /// The defender is declared, no dice are rolled yet.
    Declared,
    /// The number of attack dice.
    AttackRoll,
    /// Attack dice are rolled, before they are modified.
    AttackRolled,
    /// Modify Attack Dice: the defender's side, then the attacker's (FE-8.3).
    AttackModify,
    /// After Modify Attack Dice.
    AttackModified,
    /// The number of defence dice.
    DefenceRoll,
    /// Defence dice are rolled, before they are modified.
    DefenceRolled,
    /// Modify Defense Dice: the attacker's side, then the defender's.
    DefenceModify,
    /// After Modify Defense Dice.
    DefenceModified,
    /// Before Neutralize Results.
    BeforeNeutralize,
    /// Neutralize Results: what cancels what.
    Neutralize,
    /// After Neutralize Results, before Deal Damage.
    AfterNeutralize,
    /// Deal Damage of an attack that hit.
    Damage,
}

impl Window {
    /// All windows, in their order.
    pub const ALL: [Window; 13] = [
        Window::Declared,
        Window::AttackRoll,
        Window::AttackRolled,
        Window::AttackModify,
        Window::AttackModified,
        Window::DefenceRoll,
        Window::DefenceRolled,
        Window::DefenceModify,
        Window::DefenceModified,
        Window::BeforeNeutralize,
        Window::Neutralize,
        Window::AfterNeutralize,
        Window::Damage,
    ];

    /// The window in words.
    pub const fn name(self) -> &'static str {
        match self {
            Window::Declared => "the defender is declared",
            Window::AttackRoll => "number of attack dice",
            Window::AttackRolled => "attack dice as rolled",
            Window::AttackModify => "attack dice",
            Window::AttackModified => "attack dice as modified",
            Window::DefenceRoll => "number of defence dice",
            Window::DefenceRolled => "defence dice as rolled",
            Window::DefenceModify => "defence dice",
            Window::DefenceModified => "defence dice as modified",
            Window::BeforeNeutralize => "before results cancel each other",
            Window::Neutralize => "what cancels what",
            Window::AfterNeutralize => "results that are left",
            Window::Damage => "damage",
        }
    }

    /// Whose turn comes first in it; in most windows the first player's.
    pub(super) const fn first(self, first_player: Side) -> Side {
        match self {
            Window::AttackModify => Side::Defender,
            Window::DefenceModify => Side::Attacker,
            _ => first_player,
        }
    }

    /// Whether dice are modified in it, so that restrictions hold.
    pub(super) const fn is_modify_step(self) -> bool {
        matches!(self, Window::AttackModify | Window::DefenceModify)
    }
}

/// A set of windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WindowSet(u16);

impl WindowSet {
    /// These windows.
    pub const fn of(windows: &[Window]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < windows.len() {
            bits |= 1 << windows[index] as u16;
            index += 1;
        }
        WindowSet(bits)
    }

    /// Whether a window is among them.
    pub const fn has(self, window: Window) -> bool {
        self.0 & (1 << window as u16) != 0
    }

    /// One window more.
    #[must_use]
    pub const fn with(self, window: Window) -> Self {
        WindowSet(self.0 | 1 << window as u16)
    }
}

/// One stage of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Stage {
    /// A side's turn in a window.
    Turn(Window, Side),
    /// Dice are rolled.
    Roll(Dice),
    /// Results cancel each other.
    Cancel,
    /// The results that are left become damage.
    Damage,
    /// It is over.
    Over,
}
