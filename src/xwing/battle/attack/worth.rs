//! What happens beside the dice, in hundredths of damage, as far as the reckoning of an attack has to weigh it against dice
//! (SA-12): the table of losses that the opponent has for everything else, with its ordinary values.

use super::super::conditions::{Chosen, Scene};
use crate::xwing::effects::{Amount, Primitive, Selector, TokenWord, primitive::Resource};

/// What a token is worth to a ship that gains it: harmful ones less than nothing.
const fn token(kind: TokenWord) -> i32 {
    match kind {
        TokenWord::Focus | TokenWord::Evade | TokenWord::Calculate | TokenWord::Reinforce => 45,
        TokenWord::Lock => 30,
        TokenWord::Stress => -35,
        TokenWord::Strain | TokenWord::Tractor | TokenWord::EnemyLock => -30,
        TokenWord::Deplete | TokenWord::Ion => -40,
        TokenWord::Jam => -20,
        TokenWord::Disarm => -50,
        _ => 0,
    }
}

/// What a step is worth to the side of the card.
pub(super) fn of(scene: &Scene<'_>, step: &Primitive, chosen: &Chosen, paid: Option<u8>) -> i32 {
    let scene = Scene { chosen, ..*scene };
    let own = scene.ship(scene.own);
    let each = |who: &Selector, worth: i32| -> i32 {
        let ships = scene.select(who).unwrap_or_default();
        let signed = ships.into_iter().map(|ship| match scene.ship(ship).is_enemy_of(own) {
            true => -worth,
            false => worth,
        });
        signed.sum()
    };
    let count = |amount: &Amount| match amount {
        Amount::Matching => i32::from(paid.unwrap_or(0)),
        amount => i32::from(amount.at_most().unwrap_or(1)),
    };
    // Of several kinds the owner of the card picks.
    let best = |words: &[TokenWord], sign: i32| {
        let kinds = words.iter().flat_map(|word| word.kinds());
        kinds.map(|kind| sign * token(*kind)).max().unwrap_or(0)
    };
    match step {
        Primitive::GainToken(gained) => each(&gained.who, best(&gained.token.0, 1) * count(&gained.n)),
        Primitive::RemoveToken(removed) => each(&removed.who, best(&removed.token.0, -1) * count(&removed.n)),
        Primitive::AcquireLock(lock) => each(&lock.who, token(TokenWord::Lock)),
        Primitive::Expose(exposed) => each(&exposed.who, -50 * count(&exposed.n)),
        Primitive::Recover(recovered) if recovered.what == Resource::Shield => {
            each(&recovered.who, 100 * count(&recovered.n))
        }
        Primitive::Lose(lost) if lost.what == Resource::Shield => each(&lost.who, -100 * count(&lost.n)),
        _ => 0,
    }
}
