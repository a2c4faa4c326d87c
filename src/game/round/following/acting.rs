//! The actions of a player's ship that activates: those that the table shows are taken as they are, others are asked for.

use super::{Course, take_over};
use crate::{
    game::{
        Game, called,
        event::Topic,
        opponent::{ActionPlan, Opponent},
        round::{
            Moment,
            acts::{By, no_action, ordered},
            cards::NO_ACTION,
            choices::Question,
            flown::{apart, near},
        },
        same_pose,
        step::{Step, Token},
    },
    geometry::Pose,
    xwing::{
        ObjectId,
        action::{ActionDetail, ActionKind, ColoredAction, FullArc},
        battle::{Battle, Order},
        movement::consequences::obstacle_kind,
        obstacle::ObstacleKind,
        ship::Ship,
    },
};

impl<O: Opponent> Game<O> {
    /// Why the ship has no action; `None` if it has one.
    fn has_no_action(&self, ship: &Ship) -> Option<&'static str> {
        let following = self.following()?;
        let flown = following.flown.as_ref()?;
        if !flown.overlapped.is_empty() {
            return Some("it overlapped a ship");
        }
        let bars = |id: &ObjectId| obstacle_kind(&following.table, id).is_some_and(|kind| kind != ObstacleKind::Debris);
        if flown.suffered.iter().any(bars) {
            return Some("it met an obstacle");
        }
        // FE-11.2: a Conner net.
        if self.battle().is_some_and(|battle| battle.is_mined(&ship.id)) {
            return Some("a mine takes it");
        }
        ship.stress_bars_actions().then_some("it is stressed")
    }

    /// The next action: what the table shows that was done, else what the players choose. False: they are asked.
    pub(super) fn next_to_act(&mut self) -> bool {
        let Some((actor, after)) = self.following().and_then(|following| following.turns.front().cloned()) else {
            self.set_course(Course::Over);
            return true;
        };
        self.follow_table();
        let Some(ship) = self.battle().and_then(|battle| battle.table().ship(&actor)).cloned() else {
            self.pass_turn();
            return true;
        };
        if !ship.in_play() {
            self.pass_turn();
            return true;
        }
        self.know(&actor);
        if let Some((order, from)) = self.shown_action() {
            self.players_act(Some(order), Some(from));
            return true;
        }
        let own = self
            .activation
            .as_ref()
            .is_some_and(|activation| activation.ship == actor);
        if own
            && after.is_none()
            && let Some(cause) = self.has_no_action(&ship)
        {
            let text = format!("{} has no action: {cause}.", called(&ship));
            if let Some(following) = self.following_mut() {
                following.said.push(text.clone());
            }
            let say = self.say(&actor, &[text]);
            if let Some(activation) = &mut self.activation {
                activation.todo.extend(say);
            }
            self.pass_turn();
            return true;
        }
        let Some(question) = self.action_question(&actor, after) else {
            self.pass_turn();
            return true;
        };
        self.put_own_choice(&actor, question)
    }

    fn pass_turn(&mut self) {
        if let Some(following) = self.following_mut() {
            following.turns.pop_front();
            following.known = None;
        }
    }

    /// The ship that acts is known as it is, unless it is the one that has moved, of which more is known.
    fn know(&mut self, actor: &ObjectId) {
        let is_known = self
            .following()
            .and_then(|following| following.known.as_ref())
            .is_some_and(|known| known.id == *actor);
        let now = self.table.as_ref().and_then(|table| table.ship(actor)).cloned();
        if !is_known && let Some(following) = self.following_mut() {
            following.known = now;
        }
    }

    fn action_question(&self, actor: &ObjectId, after: Option<ActionKind>) -> Option<Question> {
        let battle = self.battle()?;
        let open = battle.open_actions(actor, after);
        let mut picks = vec![(NO_ACTION.to_owned(), no_action(By::Bar))];
        picks.extend(self.action_picks(battle, actor, &open, By::Bar));
        if after.is_none() {
            let of_cards = battle.card_actions_at_table(actor).into_iter().map(Order::Card);
            picks.extend(of_cards.map(|order| (self.order_words(&order), ordered(order, By::Bar))));
        }
        let name = self.name(actor);
        (picks.len() > 1).then(|| Question {
            text: match after {
                None => format!("{name}: which action does it take? What it has taken at the table is seen."),
                Some(kind) => format!("{name}: does it take an action that is linked to {}?", kind.name()),
            },
            picks,
            default: NO_ACTION.to_owned(),
            topic: Topic::Action,
        })
    }

    /// The action that the table shows: a token more, a lock more, another place. With where the ship stood before it.
    pub(super) fn shown_action(&self) -> Option<(Order, Pose)> {
        let following = self.following()?;
        let (actor, after) = following.turns.front()?;
        let known = following.known.as_ref()?;
        let now = self.table.as_ref()?.ship(actor)?;
        let whole = self.whole.as_ref()?;
        let bar = whole.battle.table().ship(actor)?.actions.iter();
        let offered: Vec<(ColoredAction, Option<ColoredAction>)> = bar
            .filter_map(|entry| match after {
                None => Some((entry.action, entry.linked)),
                Some(kind) => entry
                    .linked
                    .filter(|_| entry.action.kind == *kind)
                    .map(|linked| (linked, None)),
            })
            .collect();
        let mut shown: Vec<(Order, Option<ColoredAction>)> = Vec::new();
        for (action, linked) in offered {
            let detail = shown_detail(&whole.battle, action, known, now);
            if let Some(order) = detail
                && shown.iter().all(|(other, _)| *other != order)
            {
                shown.push((order, linked));
            }
        }
        // Of two, one is linked to the other.
        let kind_of = |order: &Order| match order {
            Order::Bar { kind, .. } => Some(*kind),
            Order::Card(_) => None,
        };
        let kinds: Vec<_> = shown.iter().filter_map(|(order, _)| kind_of(order)).collect();
        let leads = |linked: &Option<ColoredAction>| linked.is_some_and(|linked| kinds.contains(&linked.kind));
        let first = shown.iter().position(|(_, linked)| leads(linked)).unwrap_or(0);
        let order = shown.into_iter().nth(first)?.0;
        Some((order, known.pose))
    }

    /// The players' ship takes this action, or none. `from`: where it stood before it, where it was moved.
    pub(in crate::game::round) fn players_act(&mut self, order: Option<Order>, from: Option<Pose>) {
        let Some((actor, _)) = self.following().and_then(|following| following.turns.front().cloned()) else {
            return;
        };
        let (Some(table), Some(known)) = (&self.table, self.following().and_then(|f| f.known.clone())) else {
            return;
        };
        let Some(now) = table.ship(&actor).cloned() else { return };
        let words = order.as_ref().map(|order| self.order_words(order));
        let (kind, difficulty, detail) = match order {
            None => {
                self.pass_turn();
                return;
            }
            Some(Order::Card(card)) => {
                self.say_action(words);
                self.pass_turn();
                if let Some(activation) = &mut self.activation {
                    activation.moments.push_back(Moment::ActsByCard { ship: actor, card });
                }
                return;
            }
            Some(Order::Bar {
                kind,
                difficulty,
                detail,
            }) => (kind, difficulty, detail),
        };
        let from = from.unwrap_or(now.pose);
        let mut plan = ActionPlan::of(table, &known, (kind, difficulty, &detail), from, now.pose);
        // Whom it coordinates is asked next.
        if matches!(detail, ActionDetail::Coordinate(_)) {
            plan.instruction = None;
        }
        let (mut due, mut shown) = (known.clone(), known.clone());
        let mut steps = Vec::new();
        for step in &plan.steps {
            take_over(&mut due, step);
            let is_shown = match step {
                Step::Move { .. } | Step::Place { .. } => true,
                Step::Token { ship, token, count } if *ship == actor => {
                    let of = |ship: &Ship| *token.count_mut(&mut ship.tokens.clone());
                    if *count > 0 {
                        of(&now) >= of(&due)
                    } else {
                        of(&now) <= of(&due)
                    }
                }
                Step::Lock { target, remove, .. } => now.locks.contains(target) != *remove,
                Step::Turret { arcs, .. } => now.turret == *arcs,
                _ => false,
            };
            match is_shown {
                true => take_over(&mut shown, step),
                false => steps.push(step.clone()),
            }
        }
        shown.pose = now.pose;
        let instruction = plan.instruction.clone();
        self.say_action(words);
        if let Some(following) = self.following_mut() {
            following.known = Some(shown);
            following.acting = Some(plan);
            following.course = Course::Acting;
        }
        if let Some(activation) = &mut self.activation {
            activation.acting_from = (from, known.is_stressed());
            activation.todo.extend(steps);
        }
        if let Some(text) = instruction {
            self.instruct(text, false);
        }
    }

    fn say_action(&mut self, words: Option<String>) {
        let Some(following) = self.following_mut() else { return };
        let name = following.turns.front().map(|(actor, _)| actor.clone());
        let name = name.map_or_else(String::new, |actor| self.name(&actor));
        if let (Some(words), Some(following)) = (words, self.following_mut()) {
            following.said.push(format!("{name}: {}.", lower(&words)));
        }
    }

    /// The steps of an action are carried out: what it sets off comes, and then what is linked to it.
    pub(super) fn players_acted(&mut self) {
        let Some(following) = self.following_mut() else { return };
        following.course = Course::Act;
        let Some(done) = following.acting.take() else { return };
        following.turns.pop_front();
        following.turns.push_front((done.performer.clone(), Some(done.kind)));
        if let ActionDetail::Coordinate(friend) = &done.detail {
            following.turns.push_front((friend.clone(), None));
            following.known = None;
        }
        self.has_acted(done);
    }

    /// What came of an action leaves no other after it.
    pub(in crate::game::round) fn leave_out_actions(&mut self) {
        if let Some(following) = self.following_mut() {
            following.turns.clear();
        }
    }
}

/// How an action shows in what a ship has now beyond what is known of it.
fn shown_detail(battle: &Battle, action: ColoredAction, known: &Ship, now: &Ship) -> Option<Order> {
    let more = |token: Token| *token.count_mut(&mut now.tokens.clone()) > *token.count_mut(&mut known.tokens.clone());
    let detail = match action.kind {
        ActionKind::Focus | ActionKind::Calculate | ActionKind::Evade | ActionKind::Cloak => {
            Token::of_action(action.kind).filter(|token| more(*token))?;
            ActionDetail::Token
        }
        ActionKind::Lock => {
            let new = now.locks.iter().find(|lock| !known.locks.contains(lock))?;
            ActionDetail::Lock(new.clone())
        }
        ActionKind::RotateArc if now.turret != known.turret && !now.turret.is_empty() => {
            ActionDetail::RotateArc(now.turret.clone())
        }
        ActionKind::Reinforce if more(Token::ReinforceFore) => {
            let sides = battle.fighter(&now.id).map(|fighter| &fighter.reinforced[..]);
            ActionDetail::Reinforce(sides.and_then(<[FullArc]>::last).copied().unwrap_or(FullArc::Fore))
        }
        ActionKind::BarrelRoll | ActionKind::Boost | ActionKind::Slam if !same_pose(known.pose, now.pose) => {
            let mut stood = battle.clone();
            stood.put_right(&now.id, |ship, _, _, _| ship.pose = known.pose);
            let ends = stood.ends_near(&now.id, action, now.pose).into_iter();
            let placed = ends.filter(|(_, end)| near(*end, now.pose));
            return placed
                .min_by(|a, b| apart(a.1, now.pose).total_cmp(&apart(b.1, now.pose)))
                .map(|(order, _)| order);
        }
        _ => return None,
    };
    Some(Order::Bar {
        kind: action.kind,
        difficulty: action.difficulty,
        detail,
    })
}

/// Words in the middle of a sentence.
fn lower(words: &str) -> String {
    let mut letters = words.chars();
    // An abbreviation stays one, as in `SLAM`.
    if words.chars().nth(1).is_some_and(char::is_uppercase) {
        return words.to_owned();
    }
    letters
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
