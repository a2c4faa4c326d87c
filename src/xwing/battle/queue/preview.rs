//! What a choice about a card would come to: for whoever decides, never for the game itself.

use super::{EffectId, Happening, Occasion, Work, support};
use crate::{
    dice::DiceSource,
    xwing::{
        action::ColoredAction,
        battle::{
            Battle,
            conditions::Chosen,
            occasion::Performed,
            offer::{Choice, GivenAction, Offer},
        },
        effects::{Primitive, Role, Window},
        maneuver::Difficulty,
    },
};

impl Battle {
    /// The battle after a choice about the card that is asked about, up to the next choice that it leads to or to where it
    /// is done with; its record begins with the choice. `None` when nothing of a card is asked, or the choice is not
    /// offered.
    pub fn preview(&self, choice: Option<usize>, dice: &mut dyn DiceSource) -> Option<Battle> {
        let mut then = self.without_record();
        let below = then.queue.work.len().checked_sub(1)?;
        then.pending = None;
        then.answer_effect(choice, dice).ok()?;
        while then.pending.is_none() && then.queue.work.len() > below {
            then.pending = then.work(dice);
        }
        Some(then)
    }

    /// The actions that cards of a ship would give it after an action of its bar, each with that action and the card. What
    /// must hold is looked at as the ship stands now.
    pub fn links_by_cards(&self, ship: &str) -> Vec<(ColoredAction, ColoredAction, String)> {
        let mut links = Vec::new();
        let Some(index) = self.index(ship) else { return links };
        if !self.has_window(Window::AfterAction) {
            return links;
        }
        let (acting, none) = (&self.table.ships[index], Chosen::default());
        for entry in acting.actions.iter().map(|entry| entry.action) {
            if acting.performed.contains(&entry.kind) {
                continue;
            }
            let occasion = Occasion {
                id: 0,
                window: Window::AfterAction,
                subject: Some(index),
                other: None,
                what: Happening::Action(Performed {
                    action: entry,
                    target: None,
                    stressed: false,
                }),
            };
            for coming in self.fighters[index].cards.effects(Window::AfterAction, Role::Own) {
                let effect = coming.effect;
                let id = EffectId {
                    ship: index,
                    card: coming.at.card,
                    effect: coming.at.effect,
                };
                let [Primitive::PerformAction(perform), ..] = effect.steps.as_slice() else {
                    continue;
                };
                let red = entry.difficulty == Difficulty::Red && !perform.even_while_stressed;
                if red || !perform.who.is_own() || !support::is_played(effect) || !effect.choose.is_empty() {
                    continue;
                }
                let scene = self.scene(id, &occasion, &none, None);
                let mut conditions = effect.conditions.iter();
                let holds = conditions.all(|condition| scene.holds(condition) == Some(true));
                let payable = self.prices(effect).iter().any(|costs| self.can_pay(&scene, id, costs));
                if holds && payable {
                    let given = self.given_actions(&scene, perform, index, id).into_iter();
                    let others = given.filter(|given| given.kind != entry.kind);
                    links.extend(others.map(|given| (entry, given, coming.card.id.to_string())));
                }
            }
        }
        links
    }

    /// The actions that an effect would give, if it is used as offered.
    pub fn actions_given(&self, offer: &Offer, choice: &Choice) -> Vec<GivenAction> {
        let Some(Work::Decide {
            effect: id, occasion, ..
        }) = self.queue.work.last()
        else {
            return Vec::new();
        };
        let (Some(effect), Choice::Use { targets, .. }) = (self.effect(*id), choice) else {
            return Vec::new();
        };
        let id: EffectId = *id;
        let chosen = self.chosen(effect, targets);
        let scene = self.scene(id, occasion, &chosen, None);
        let mut given = Vec::new();
        for step in &effect.steps {
            let Primitive::PerformAction(perform) = step else {
                continue;
            };
            for ship in scene.select(&perform.who).unwrap_or_default() {
                let actions = self.given_actions(&scene, perform, ship, id);
                if !actions.is_empty() {
                    given.push(GivenAction {
                        ship: self.table.ships[ship].id.clone(),
                        owner: offer.owner.clone(),
                        card: offer.card.clone(),
                        actions,
                        while_stressed: perform.even_while_stressed,
                    });
                }
            }
        }
        given
    }
}
