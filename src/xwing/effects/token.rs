//! Tokens as cards name them.

use super::{one_or_many::OneOrMany, vocabulary::vocabulary};

vocabulary! {
    /// A kind of token, or a group of kinds.
    pub enum TokenWord {
        Focus = "focus": "a focus token",
        Evade = "evade": "an evade token",
        Calculate = "calculate": "a calculate token",
        Reinforce = "reinforce": "a reinforce token",
        Cloak = "cloak": "a cloak token",
        Stress = "stress": "a stress token",
        Strain = "strain": "a strain token",
        Deplete = "deplete": "a deplete token",
        Ion = "ion": "an ion token",
        Disarm = "disarm": "a disarm token",
        Jam = "jam": "a jam token",
        Tractor = "tractor": "a tractor token",
        Lock = "lock": "a lock",
        EnemyLock = "enemy_lock": "a lock that an enemy has on the ship",
        Green = "green": "a green token: focus, evade, calculate or reinforce",
        Orange = "orange": "an orange token: disarm, jam or tractor",
        Red = "red": "a red token: stress, strain, deplete, ion or a lock on the ship",
        Blue = "blue": "a blue token",
        Circular = "circular": "a token that the End Phase removes",
        NonlockRed = "nonlock_red": "a red token that is no lock",
        NonlockRedOrOrange = "nonlock_red_or_orange": "a red or orange token that is no lock",
        NonstressRedOrOrange = "nonstress_red_or_orange": "a red or orange token that is no stress",
        Same = "same": "a token of the kind that the event is about",
        AsOther = "as_other": "a green token of a kind that the other ship has",
        Missing = "missing": "a kind that the receiver has none of",
        OnCard = "on_card": "a token of the kind that lies on the card",
        Any = "any": "any token",
    }
}

/// Any one of these kinds.
pub type TokenSet = OneOrMany<TokenWord>;

impl TokenWord {
    /// The single kinds that the word covers; empty for words that only the event can tell.
    pub const fn kinds(self) -> &'static [TokenWord] {
        use TokenWord as T;
        match self {
            T::Focus => &[T::Focus],
            T::Evade => &[T::Evade],
            T::Calculate => &[T::Calculate],
            T::Reinforce => &[T::Reinforce],
            T::Cloak => &[T::Cloak],
            T::Stress => &[T::Stress],
            T::Strain => &[T::Strain],
            T::Deplete => &[T::Deplete],
            T::Ion => &[T::Ion],
            T::Disarm => &[T::Disarm],
            T::Jam => &[T::Jam],
            T::Tractor => &[T::Tractor],
            T::Lock => &[T::Lock],
            T::EnemyLock => &[T::EnemyLock],
            T::Blue => &[T::Cloak],
            T::Green => &[T::Focus, T::Evade, T::Calculate, T::Reinforce],
            T::Orange => &[T::Disarm, T::Jam, T::Tractor],
            T::Red => &[T::Stress, T::Strain, T::Deplete, T::Ion, T::EnemyLock],
            T::NonlockRed => &[T::Stress, T::Strain, T::Deplete, T::Ion],
            T::NonlockRedOrOrange => &[T::Stress, T::Strain, T::Deplete, T::Ion, T::Disarm, T::Jam, T::Tractor],
            T::NonstressRedOrOrange => &[
                T::Strain,
                T::Deplete,
                T::Ion,
                T::EnemyLock,
                T::Disarm,
                T::Jam,
                T::Tractor,
            ],
            T::Circular => &[
                T::Focus,
                T::Evade,
                T::Calculate,
                T::Reinforce,
                T::Disarm,
                T::Jam,
                T::Tractor,
            ],
            T::Any => &[
                T::Focus,
                T::Evade,
                T::Calculate,
                T::Reinforce,
                T::Cloak,
                T::Stress,
                T::Strain,
                T::Deplete,
                T::Ion,
                T::Disarm,
                T::Jam,
                T::Tractor,
                T::Lock,
                T::EnemyLock,
            ],
            T::Same | T::AsOther | T::Missing | T::OnCard => &[],
        }
    }
}
