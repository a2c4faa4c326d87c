//! What a position says of a ship that its edition does not have: told with the remedy, and left aside where it would count.

use super::Warning;
use crate::{
    bridge::position::wire::{Action, Colour, Header, Ship},
    xwing::{action::ActionKind, edition::Edition, size::Size, weapon::Requirement},
};

/// How often a card of an edition without charges may be used: it is discarded, and an ordnance token keeps it once.
const MOST_USES: u32 = 2;

/// Leaves aside what the edition does not have.
pub(super) fn leave_aside(ship: &mut Ship, place: &str, edition: Edition, warnings: &mut Vec<Warning>) {
    let words = edition.words();
    if words.absent_tokens.is_empty() {
        return;
    }
    let mut tell = |field: &str, what: String| {
        let name = edition.name();
        let message = format!("the {name} edition has no {what}; correct it, or say `edition second` for the position");
        warnings.push(Warning::at(place, field, message));
    };
    for name in words.absent_tokens {
        if let Some(count) = ship.tokens.count_mut(name)
            && *count > 0
        {
            *count = 0;
            tell(&format!("tokens.{name}"), format!("{name} tokens: they are left aside"));
        }
    }
    if ship.size == Some(Size::Medium) {
        tell("size", "medium bases (FE-0.2): it is measured as given".to_owned());
    }
    for (index, special) in ship.special.iter().enumerate() {
        if special.charges.max(special.max_charges) > Some(MOST_USES) {
            tell(
                &format!("special[{index}].charges"),
                format!(
                    "charges, its cards are discarded: `{}` has as many uses as given",
                    special.id
                ),
            );
        }
        let asks = match &special.requires {
            Some(Header::One(one)) => *one == Requirement::Calculate,
            Some(Header::AnyOf(any)) => any.contains(&Requirement::Calculate),
            Some(Header::Nothing) | None => false,
        };
        if asks {
            tell(
                &format!("special[{index}].requires"),
                format!("calculate tokens: `{}` finds none to spend", special.id),
            );
        }
    }
    if let Some(device) = &ship.device
        && device.charges.max(device.max_charges) > MOST_USES
    {
        tell(
            "device.charges",
            "charges, its cards are discarded: as many uses are counted as given".to_owned(),
        );
    }
    let calculate = |action: &Action| {
        matches!(
            action,
            Action::Name(ActionKind::Calculate)
                | Action::Full {
                    kind: ActionKind::Calculate,
                    ..
                }
        )
    };
    let coloured = |action: &Action| matches!(action, Action::Full { difficulty, linked, .. } if *difficulty != Colour::White || linked.is_some());
    if ship.done.contains(&ActionKind::Calculate) {
        ship.done.retain(|done| *done != ActionKind::Calculate);
        tell("done", "calculate action: it is left aside".to_owned());
    }
    if let Some(actions) = &mut ship.actions {
        if actions.iter().any(calculate) {
            actions.retain(|action| !calculate(action));
            tell("actions", "calculate action: it is left aside".to_owned());
        }
        if actions.iter().any(coloured) {
            tell(
                "actions",
                "coloured and no linked actions: they count as given".to_owned(),
            );
        }
    }
}
