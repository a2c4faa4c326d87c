//! What of a card is played. The interpreters of the windows say what they carry out; nobody writes it down by hand.

use serde::Serialize;

use crate::xwing::device::DeviceBook;

use super::{
    card::{CardEntry, DeviceType},
    effect::Effect,
    window::{Role, Window},
};

/// What an interpreter makes of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Support {
    /// The player is asked, or nothing happens.
    Asked,
    /// It is carried out, but for a part.
    Partly,
    /// It is carried out as written.
    Played,
}

/// What an interpreter declares: what it makes of an effect in a window, for a ship of a role. [`Support::Asked`] for what
/// it does not know.
pub type Supports = fn(Window, Role, &Effect) -> Support;

impl Effect {
    /// What the interpreters together make of the effect: in every window that it names, the best of them. Partly, when it
    /// is carried out in some windows only.
    pub fn support(&self, interpreters: &[Supports]) -> Support {
        if self.is_asked() {
            return Support::Asked;
        }
        let places = self.on.window.iter().flat_map(|&window| {
            let roles = self.on.role.parts(window).iter();
            roles.map(move |&role| (window, role))
        });
        let each = places.map(|(window, role)| {
            let best = interpreters.iter().map(|supports| supports(window, role, self)).max();
            best.unwrap_or(Support::Asked)
        });
        together(each)
    }
}

impl CardEntry {
    /// What of the card is played: all of it, a part, nothing. What the catalog carries (actions, values, a weapon's dice)
    /// is played.
    pub fn support(&self, interpreters: &[Supports]) -> Support {
        let carried = (self.grants || self.weapon.is_some() || self.blank).then_some(Support::Played);
        let effects = self.effects.iter().map(|effect| effect.support(interpreters));
        let all = together(carried.into_iter().chain(effects));
        // What a bomb or a mine does stands with the devices, and so does what of it is left to the players.
        let by_hand = self.device.is_some_and(|device| {
            let rules = DeviceBook::embedded().device(&self.id.xws);
            matches!(device.kind, DeviceType::Bomb | DeviceType::Mine)
                && rules.is_none_or(|rules| rules.not_played.is_some())
        });
        match self.unread.is_some() || self.draft || by_hand {
            true => all.min(Support::Partly),
            false => all,
        }
    }
}

/// What several parts come to: all alike, or partly.
pub fn together(parts: impl Iterator<Item = Support>) -> Support {
    let mut parts = parts.peekable();
    let Some(&first) = parts.peek() else {
        return Support::Asked;
    };
    match parts.all(|part| part == first) {
        true => first,
        false => Support::Partly,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xwing::effects::book::read_file;

    #[test]
    fn a_card_is_what_its_interpreters_make_of_it() {
        let dice: Supports = |window, _, _| match window {
            Window::AttackModify => Support::Played,
            _ => Support::Asked,
        };
        let tokens: Supports = |window, _, _| match window {
            Window::Aftermath => Support::Played,
            _ => Support::Asked,
        };
        let effect = |window: &str, more: &str| {
            format!(
                "[[card.effect]]\non = {{ window = {window}, role = \"attacker\" }}\n{more}do = [{{ gain_token = {{ token = \
                 \"stress\" }} }}]\n"
            )
        };
        let asked = "use = \"ask_player\"\nask = \"what\"\n";
        let both = "[\"attack_modify\", \"aftermath\"]";
        let cards = [
            (
                effect("\"attack_modify\"", ""),
                [Support::Asked, Support::Played, Support::Played],
            ),
            (effect("\"attack_modify\"", asked), [Support::Asked; 3]),
            (effect(both, ""), [Support::Asked, Support::Partly, Support::Played]),
            (
                effect("\"attack_modify\"", "") + &effect("\"setup\"", ""),
                [Support::Asked, Support::Partly, Support::Partly],
            ),
            ("grants = true\n".to_owned(), [Support::Played; 3]),
            ("blank = true\n".to_owned(), [Support::Played; 3]),
            (
                "unread = \"its price\"\ngrants = true\n".to_owned(),
                [Support::Partly; 3],
            ),
            ("unread = \"its price\"\n".to_owned(), [Support::Asked; 3]),
        ];
        for (text, expected) in cards {
            let card = &read_file("cards.toml", &format!("[[card]]\nid = \"pilot:a\"\n{text}")).unwrap()[0];
            let found = [&[][..], &[dice], &[dice, tokens]].map(|interpreters| card.support(interpreters));
            assert_eq!(found, expected, "{text}");
        }
    }
}
