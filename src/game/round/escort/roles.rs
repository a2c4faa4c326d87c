//! Who has initiative in Political Escort, and who attacks (PE-3, PE-A1).

use super::{
    Led,
    set_up::{Item, Reply},
};
use crate::{
    dice::SeededDice,
    game::{Game, opponent::Opponent},
    solo_alpha::escort::first::{Decides, Seat, attacks_by_roll, first},
    xwing::escort::Role,
};

/// The players take initiative and shoot at the shuttle.
pub const WE_ATTACK: &str = "We have initiative and attack";
/// The players take initiative and bring the shuttle across.
pub const WE_DEFEND: &str = "We have initiative and defend";
/// The players take initiative; their role is fixed.
pub const WE_HAVE_IT: &str = "We have initiative";
/// The solo side gets initiative.
pub const SOLO_HAS_IT: &str = "The program has initiative";

impl<O: Opponent> Game<O> {
    /// PE-3, PE-A1: initiative and roles.
    pub(super) fn settle_roles(&mut self, led: &Led) -> bool {
        let asks_open = self
            .escort_progress()
            .is_some_and(|progress| progress.solo_defends.is_none());
        if !asks_open {
            return false;
        }
        let game = led.game.clone();
        let solo_attacks = |role: Role| role == Role::Defender;
        let mut dice = SeededDice::for_activation(self.config.seed, 0, "roles");
        if let (Some(solo_first), Some(role)) = (game.solo_first, game.role) {
            self.take_roles(solo_first, !solo_attacks(role), Vec::new());
            return false;
        }
        let wish = self.opponent.escort_initiative();
        let points = [game.player.points, game.solo.points];
        let (decides, reasons) = first([Seat::Human, Seat::Automated], points, wish, &mut dice);
        let why: Vec<String> = (reasons.iter())
            .map(|reason| format!("{}: {}.", reason.rule, reason.text))
            .collect();
        match (game.solo_first, decides) {
            (Some(true), _) => {
                let (place, reason) = attacks_by_roll(1, &mut dice);
                let said = vec![format!("{}: {}.", reason.rule, reason.text)];
                self.take_roles(true, place == 0, said);
                false
            }
            (
                None,
                Decides::Settled {
                    initiative,
                    attacks_first,
                },
            ) => {
                let solo_defends = game.role.map_or(attacks_first == 0, |role| !solo_attacks(role));
                self.take_roles(initiative == 1, solo_defends, why);
                false
            }
            (known, _) => {
                let mut picks: Vec<(&str, Reply)> = match game.role {
                    Some(_) => vec![(WE_HAVE_IT, Reply::WeHaveIt(None))],
                    None => vec![
                        (WE_ATTACK, Reply::WeHaveIt(Some(Role::Attacker))),
                        (WE_DEFEND, Reply::WeHaveIt(Some(Role::Defender))),
                    ],
                };
                if known.is_none() {
                    picks.push((SOLO_HAS_IT, Reply::SoloHasIt));
                }
                let why = if known.is_some() {
                    String::new()
                } else {
                    format!("{} ", why.join(" "))
                };
                let text = format!("{why}Who has initiative says who attacks in the first game (PE-3). Who is it?");
                // **choice** Who does not answer takes initiative and attacks.
                let default = picks[0].0;
                self.ask_in_set_up(Item::Roles, text, picks, default)
            }
        }
    }

    pub(super) fn take_roles(&mut self, solo_first: bool, solo_defends: bool, said: Vec<String>) {
        let Some(whole) = &mut self.whole else { return };
        whole.solo_first = Some(solo_first);
        whole.escort.solo_defends = Some(solo_defends);
        let who = |solo: bool| if solo { "solo side" } else { "players' side" };
        let mut text = said.join(" ");
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&format!(
            "The {} has initiative, the {} attacks, the {} defends.",
            who(solo_first),
            who(!solo_defends),
            who(solo_defends)
        ));
        self.note(&text);
        self.follow_table();
    }

    /// The players have given initiative to the solo side, which says who attacks (PE-A1).
    pub(super) fn give_initiative(&mut self, led: &Led) {
        let mut dice = SeededDice::for_activation(self.config.seed, 0, "who attacks");
        let (solo_defends, said) = match led.game.role {
            Some(role) => (role == Role::Attacker, Vec::new()),
            None => {
                let (place, reason) = attacks_by_roll(1, &mut dice);
                (place == 0, vec![format!("{}: {}.", reason.rule, reason.text)])
            }
        };
        self.take_roles(true, solo_defends, said);
    }
}
