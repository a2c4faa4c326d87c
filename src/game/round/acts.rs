//! The actions that players may choose from: of their ships' own bars, given by cards, coordinated. Tokens, locks and turrets
//! are the table's to carry out; what moves a ship the players place, and the next look tells how.

use super::{
    Ask, Pick,
    cards::{ACT_BY_HAND, NO_ACTION, title},
    choices::Question,
    flown::{apart, near},
};
use crate::{
    game::{Game, event::Topic, opponent::Opponent, same_pose, step::Step},
    geometry::Pose,
    solo_alpha::sentence::NamedDetailIn,
    xwing::{
        ObjectId,
        action::{ActionDetail, ActionKind, ColoredAction},
        battle::{Answer, Battle, GivenAction, Order},
        catalog::Titles,
        escort::protect::PROTECT,
        maneuver::Difficulty,
    },
};

/// The answer that a ship was moved by hand.
pub const PLACED: &str = "It is placed";
/// The answer that the move is not made, or failed.
pub const NOT_PLACED: &str = "It does not move";
/// The answer that a place near no end of the action is meant.
pub const AS_IT_STANDS: &str = "Take it as it stands";

/// Whose action is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::game) enum By {
    /// The Perform Action step of a ship that activates.
    Bar,
    /// Something in the battle that asks for it: a card, a ship that coordinates.
    Battle,
}

/// An action that moves a ship, while its players place it.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::game) struct Placing {
    pub ship: ObjectId,
    pub by: By,
    /// What players call the action.
    pub what: String,
    /// Where it stands before.
    pub from: Pose,
    /// What may come of it, and where it stands then.
    pub ends: Vec<(Order, Pose)>,
}

/// A ship that players have placed, for an order that moves it in the battle too.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub ship: ObjectId,
    pub from: Pose,
    pub to: Pose,
}

impl<O: Opponent> Game<O> {
    /// What a ship may do of these actions: an option each, or if there are several ways, a question that follows.
    pub(super) fn action_picks(
        &self,
        battle: &Battle,
        ship: &ObjectId,
        actions: &[ColoredAction],
        by: By,
    ) -> Vec<(String, Pick)> {
        let from = battle.table().ship(ship).map_or_else(Pose::default, |ship| ship.pose);
        let mut picks = Vec::new();
        for &action in actions {
            let what = action_words(action);
            if matches!(
                action.kind,
                ActionKind::BarrelRoll | ActionKind::Boost | ActionKind::Slam
            ) {
                let ends = battle.ends_of(ship, action);
                if !ends.is_empty() {
                    let placing = Placing {
                        ship: ship.clone(),
                        by,
                        what: what.clone(),
                        from,
                        ends,
                    };
                    picks.push((what, Pick::Place(Box::new(placing))));
                }
                continue;
            }
            let mut orders = battle.orders_of(ship, action);
            if orders.len() <= 1 {
                let Some(order) = orders.pop() else { continue };
                let plain = matches!(
                    order,
                    Order::Bar {
                        detail: ActionDetail::Token,
                        ..
                    }
                );
                let text = if plain { what } else { self.order_words(&order) };
                picks.push((text, ordered(order, by)));
                continue;
            }
            let ways = orders
                .into_iter()
                .map(|order| (self.order_words(&order), ordered(order, by)));
            let question = Question {
                text: format!("{}: {what}. Which?", self.name(ship)),
                default: NO_ACTION.to_owned(),
                picks: ways
                    .chain(std::iter::once((NO_ACTION.to_owned(), no_action(by))))
                    .collect(),
                topic: Topic::Action,
            };
            picks.push((format!("{what}..."), Pick::Narrow(Box::new(question))));
        }
        picks
    }

    /// An action that a card gives to a ship of the players.
    pub(super) fn given_action_question(&self, battle: &Battle, given: &GivenAction) -> Question {
        let mut picks = vec![(NO_ACTION.to_owned(), no_action(By::Battle))];
        picks.extend(self.action_picks(battle, &given.ship, &given.actions, By::Battle));
        picks.push((ACT_BY_HAND.to_owned(), no_action(By::Battle)));
        let kinds: Vec<&str> = given.actions.iter().map(|action| action.kind.name()).collect();
        Question {
            text: format!(
                "{} may take an action by {}: {}.",
                self.name(&given.ship),
                title(&given.card),
                kinds.join(", ")
            ),
            picks,
            default: NO_ACTION.to_owned(),
            topic: Topic::Ability,
        }
    }

    /// The action of a player's ship that another one coordinates in the battle.
    pub(super) fn coordinated_question(&self, battle: &Battle, ship: &ObjectId) -> Option<Question> {
        let open = battle.open_actions(ship, None);
        let mut picks = vec![(NO_ACTION.to_owned(), no_action(By::Battle))];
        picks.extend(self.action_picks(battle, ship, &open, By::Battle));
        (picks.len() > 1).then(|| Question {
            text: format!("{} is coordinated: which action does it take?", self.name(ship)),
            picks,
            default: NO_ACTION.to_owned(),
            topic: Topic::Ability,
        })
    }

    /// An action in words, ships by their names and cards by their titles.
    pub(super) fn order_words(&self, order: &Order) -> String {
        match order {
            Order::Bar { kind, detail, .. } => {
                let words = match detail {
                    ActionDetail::Lock(id) => format!("lock on {}", self.name(id)),
                    ActionDetail::Jam(id) => format!("jam on {}", self.name(id)),
                    ActionDetail::Coordinate(id) => format!("coordinate {}", self.name(id)),
                    detail => {
                        let edition = self.edition();
                        Titles::embedded_for(edition).speak(&NamedDetailIn(edition, *kind, detail).to_string())
                    }
                };
                let mut letters = words.chars();
                letters
                    .next()
                    .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
            }
            Order::Card(card) if card == PROTECT => "Protect the shuttle".to_owned(),
            Order::Card(card) => format!("The action of {}", title(card)),
        }
    }

    /// Asks the players to place a ship, or to say that it stays.
    pub(super) fn ask_to_place(&mut self, placing: Placing, remark: &str, nearest: bool) {
        let name = self.name(&placing.ship);
        let mut picks = vec![(PLACED.to_owned(), Pick::Placed(Box::new(placing.clone()), false))];
        if nearest {
            picks.push((AS_IT_STANDS.to_owned(), Pick::Placed(Box::new(placing.clone()), true)));
        }
        picks.push((NOT_PLACED.to_owned(), no_action(placing.by)));
        let question = Question {
            text: format!("{remark}{name}: {}. Please place it, then answer.", placing.what),
            default: NOT_PLACED.to_owned(),
            picks,
            topic: Topic::Action,
        };
        let ship = placing.ship;
        self.put_choice(&ship, question);
    }

    /// The players say that a ship is placed: the table is looked at.
    pub(super) fn look_at_placed(&mut self, placing: Placing, as_it_stands: bool) {
        self.ask = Ask::Placed(Box::new(placing), as_it_stands);
        self.effects.push(crate::game::Effect::RequestSync);
        self.status();
    }

    /// Puts a ship back that players say they have placed, while the table was not looked at since.
    pub(in crate::game) fn placed_unread(&self) -> Option<Step> {
        let Ask::Placed(placing, _) = &self.ask else {
            return None;
        };
        Some(Step::Place {
            ship: placing.ship.clone(),
            from: placing.from,
            to: placing.from,
        })
    }

    /// The table was looked at: tells by where the ship stands what it has done.
    pub(in crate::game) fn judge_placed(&mut self) -> bool {
        let Ask::Placed(placing, as_it_stands) = self.ask.clone() else {
            return false;
        };
        self.ask = Ask::Nothing;
        let placing = *placing;
        let seen = self.table.as_ref().and_then(|table| table.ship(&placing.ship));
        let Some(pose) = seen.filter(|ship| ship.in_play()).map(|ship| ship.pose) else {
            self.answer_act(&placing, None);
            return true;
        };
        let followed = self.following().is_some() && self.activation.as_ref().is_some_and(|a| a.ship == placing.ship);
        if !followed && !same_pose(pose, placing.from) {
            self.players_moves = vec![Step::Place {
                ship: placing.ship.clone(),
                from: pose,
                to: placing.from,
            }];
        }
        if same_pose(pose, placing.from) {
            self.ask_to_place(placing, "It stands where it stood. ", false);
            return true;
        }
        let off = |end: &(Order, Pose)| apart(end.1, pose);
        let ends = self.ends_seen(&placing, pose);
        let best = ends.into_iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        match best {
            Some((order, end)) if as_it_stands || near(end, pose) => self.answer_act(&placing, Some((order, pose))),
            _ => self.ask_to_place(placing, "It stands at no end of this action. ", true),
        }
        true
    }

    /// What may have come of an action, now that the ship is seen where its players have put it.
    fn ends_seen(&self, placing: &Placing, seen: Pose) -> Vec<(Order, Pose)> {
        let action = placing.ends.first().and_then(|(order, _)| match order {
            Order::Bar { kind, difficulty, .. } => Some(ColoredAction {
                kind: *kind,
                difficulty: *difficulty,
            }),
            Order::Card(_) => None,
        });
        let (Some(action), Some(battle)) = (action, self.battle()) else {
            return placing.ends.clone();
        };
        let mut stood = battle.clone();
        stood.put_right(&placing.ship, |ship, _, _, _| ship.pose = placing.from);
        let near = stood.ends_near(&placing.ship, action, seen);
        near.into_iter().chain(placing.ends.iter().cloned()).collect()
    }

    fn answer_act(&mut self, placing: &Placing, done: Option<(Order, Pose)>) {
        match (placing.by, done) {
            (By::Bar, done) => {
                let order = done.map(|(order, _)| order);
                self.players_act(order, Some(placing.from));
            }
            (By::Battle, None) => self.choose(Answer::Act(Vec::new()), String::new(), super::Faces::default()),
            (By::Battle, Some((order, to))) => {
                if let Some(whole) = &mut self.whole {
                    whole.placed = Some(Placed {
                        ship: placing.ship.clone(),
                        from: placing.from,
                        to,
                    });
                }
                self.choose(Answer::Act(vec![order]), String::new(), super::Faces::default());
            }
        }
    }
}

/// What is chosen, whoever gives the action.
pub(super) fn ordered(order: Order, by: By) -> Pick {
    match by {
        By::Bar => Pick::Act(Some(order)),
        By::Battle => Pick::Choose(Answer::Act(vec![order]), String::new()),
    }
}

/// No action.
pub(super) fn no_action(by: By) -> Pick {
    match by {
        By::Bar => Pick::Act(None),
        By::Battle => Pick::Choose(Answer::Act(Vec::new()), String::new()),
    }
}

/// As in `Focus`, `Barrel Roll (red)`.
pub(super) fn action_words(action: ColoredAction) -> String {
    let name = action.kind.name();
    match action.difficulty {
        Difficulty::White | Difficulty::Blue => name.to_owned(),
        Difficulty::Red => format!("{name} (red)"),
        Difficulty::Purple => format!("{name} (purple)"),
    }
}
