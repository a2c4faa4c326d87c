//! The moments of an activation: what a move meets (obstacles, mines), damage cards, and cards of every ship that have an
//! effect then. They come when the steps before them are carried out, so that the battle stands as the table does; what comes
//! of them goes out as steps of the activation, and is taken back with it.

use super::{Ask, Asked, Deed, DiceFrom, Faces, faces::GivenDice, telling::obstacle_words};
use crate::{
    decision::Reason,
    dice::{DiceSource, SeededDice},
    game::{
        Effect, Event, Game, Prompt, Roll,
        event::{DiceWanted, Topic},
        opponent::Opponent,
        step::{Step, Token},
    },
    geometry::Pose,
    xwing::{
        ObjectId,
        battle::{self, ActedAtTable, Order, Request},
        effects::Window,
        escort::blocking::Run,
        movement::{
            Execution,
            consequences::{ObstacleEffect, obstacle_effect, obstacle_kind},
        },
    },
};

/// The option that lets the program roll.
pub const ROLL_FOR_ME: &str = "Roll for me";

/// A moment of an activation.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::game) enum Moment {
    /// One that comes once: before the ship activates, before its dial is revealed, after its activation.
    Once(Window),
    /// Its dial is revealed.
    Revealed,
    /// It may drop a bomb, its dial being revealed and before it moves (FE-11.1).
    Bomb,
    /// It has moved.
    Moved {
        /// From here.
        from: Pose,
        /// As it came out by the rules.
        execution: Box<Execution>,
        /// Whether it was ionized.
        ionized: bool,
    },
    /// It is the shuttle of Political Escort, and has moved (PE-5).
    Ran {
        /// From here.
        from: Pose,
        /// As it came out by the rules.
        run: Box<Run>,
        /// Whether it was ionized.
        ionized: bool,
    },
    /// It, or a ship that it coordinates, has performed an action.
    Acted {
        /// The ship.
        ship: ObjectId,
        /// The action.
        act: ActedAtTable,
    },
    /// Its Perform Action step begins: the actions that its cards add are offered.
    CardActions,
    /// It takes the action of one of its cards.
    ActsByCard {
        /// The ship.
        ship: ObjectId,
        /// The card's id.
        card: String,
    },
    /// It has performed all its actions: what they set off is reached.
    ActionsOver,
}

impl<O: Opponent> Game<O> {
    /// Whether the activations of ships have moments that are played here.
    pub(in crate::game) fn opens_moments(&self) -> bool {
        self.leads()
            && self
                .whole
                .as_ref()
                .is_some_and(|whole| whole.battle.follows_the_table())
    }

    /// What is asked, about a card, while the table's players and bridges move the ships.
    pub(in crate::game) fn asked_meanwhile(&self) -> Option<Request> {
        let whole = self.whole.as_ref().filter(|_| self.opens_moments())?;
        whole.battle.pending().cloned()
    }

    /// Whether the activation of a ship runs.
    pub(super) fn is_activating(&self) -> bool {
        let activation = self.activation.as_ref();
        activation.is_some_and(|activation| !activation.is_errand())
    }

    /// Goes on: with the activation that runs, or with the round.
    pub(crate) fn carry_on(&mut self) {
        if self.activation.is_some() {
            self.proceed();
        } else {
            self.drive();
        }
    }

    /// A moment of the activation comes: all that it leads to happens, up to the first question, or dice are asked for first.
    pub(in crate::game) fn come_to(&mut self, moment: Moment, faces: Faces) {
        let Some(activation) = &self.activation else { return };
        let ship = activation.ship.clone();
        let acting = match &moment {
            Moment::Acted { ship, .. } | Moment::ActsByCard { ship, .. } => ship.clone(),
            _ => ship.clone(),
        };
        let label = match &moment {
            Moment::Moved { .. } | Moment::Ran { .. } => "damage",
            Moment::Acted { .. } | Moment::ActsByCard { .. } => "after its action",
            Moment::Once(window) => window.word(),
            Moment::CardActions => "actions of its cards",
            Moment::Revealed => "revealed",
            Moment::Bomb => "its bomb",
            Moment::ActionsOver => "after its actions",
        };
        let mut own = SeededDice::for_activation(self.config.seed, activation.round, &format!("{acting} {label}"));
        if !self.leads() || self.whole.is_none() {
            if let Moment::Moved { execution, .. } = &moment {
                self.meet_obstacles_by_hand(&ship, execution, &moment, faces, &mut own);
            }
            return;
        }
        self.follow_table();
        let Some(whole) = &self.whole else { return };
        let mut battle = whole.battle.clone();
        let (activated, stress) = (&self.activated, |battle: &battle::Battle| {
            battle.table().ship(&acting).map_or(0, |ship| ship.tokens.stress)
        });
        let before = stress(&battle);
        let ((), missing) = self.with_dice(faces.clone(), &mut own, |dice| match &moment {
            Moment::Once(window) => {
                if *window == Window::BeforeActivate {
                    battle.set_activated(activated);
                }
                battle.moment_at_table(&ship, *window, dice);
            }
            Moment::Revealed => battle.revealed_at_table(&ship, dice),
            Moment::Bomb => battle.bomb_at_table(&ship, dice),
            Moment::Moved {
                from,
                execution,
                ionized,
            } => battle.moved_at_table(&ship, *from, execution, *ionized, dice),
            Moment::Ran { from, run, ionized } => battle.ran_at_table(&ship, *from, run, *ionized, dice),
            Moment::Acted { ship, act } => battle.acted_at_table(ship, act, dice),
            Moment::CardActions => battle.headers_at_table(&ship, dice),
            Moment::ActsByCard { ship, card } => {
                battle.acted_by_card_at_table(ship, card, dice);
            }
            Moment::ActionsOver => {
                battle.shuttle_activated_at_table(&ship);
                battle.go_on_at_table(dice);
            }
        });
        if missing != DiceWanted::default() {
            self.ask_for_faces(acting, missing, Deed::Moment(moment), faces);
            return;
        }
        let disturbed = stress(&battle) > before || battle.table().ship(&acting).is_none_or(|ship| !ship.in_play());
        if let Some(whole) = &mut self.whole {
            whole.battle = battle;
        }
        self.tell_obstacles(&ship);
        self.follow_in_activation(&ship, Vec::new());
        // What came of an action (a damage card, an obstacle in a SLAM) leaves no other after it.
        if disturbed
            && matches!(moment, Moment::Acted { .. })
            && let Some(activation) = &mut self.activation
        {
            activation.actions.clear();
            self.leave_out_actions();
        }
    }

    /// Tells what has happened in the battle in the course of an activation, and brings it to the table with its steps.
    pub(super) fn follow_in_activation(&mut self, ship: &ObjectId, mut said: Vec<String>) {
        let happened = self
            .whole
            .as_ref()
            .is_some_and(|whole| whole.battle.events().len() > whole.told);
        self.take_performed();
        said.extend(self.tell_battle());
        let steps = self.differences();
        self.lend_cards();
        let say = self.say(ship, &said);
        let back = std::mem::take(&mut self.players_moves);
        if let Some(activation) = &mut self.activation {
            activation.inverse.extend(back);
            activation.touched |= happened;
            activation.todo.extend(say);
            activation.todo.extend(steps);
        }
    }

    /// Actions that cards gave in the battle are performed for this round.
    pub(super) fn take_performed(&mut self) {
        let Some(whole) = &self.whole else { return };
        let new = whole.battle.events().get(whole.told..).unwrap_or_default();
        let performed = new.iter().filter_map(|event| match event {
            battle::Event::Acted {
                ship,
                order: Order::Bar { kind, .. },
                ..
            } => Some((ship.clone(), *kind)),
            _ => None,
        });
        for (ship, kind) in performed.collect::<Vec<_>>() {
            self.note_performed(&ship, kind);
        }
    }

    /// SA-7: tells everyone what the obstacles of a move did, with the dice.
    fn tell_obstacles(&mut self, ship: &ObjectId) {
        let Some(whole) = &self.whole else { return };
        let new = whole.battle.events().get(whole.told..).unwrap_or_default();
        let told = new.iter().filter_map(|event| match event {
            battle::Event::MetObstacle {
                ship,
                obstacle,
                face,
                effect,
            } => {
                let kind = obstacle_kind(whole.battle.table(), obstacle)?;
                Some(obstacle_words(&self.name(ship), kind, *face, *effect))
            }
            _ => None,
        });
        let texts = told.collect();
        self.decided_by_dice(ship, texts);
    }

    fn decided_by_dice(&mut self, ship: &ObjectId, texts: Vec<String>) {
        if texts.is_empty() {
            return;
        }
        self.effects.push(Effect::Event(Event::Decided {
            ship: ship.clone(),
            sentence: texts.join(" "),
            reasons: (texts.into_iter())
                .map(|text| Reason {
                    rule: "SA-7".to_owned(),
                    text,
                    compared: Vec::new(),
                })
                .collect(),
        }));
    }

    /// SA-7, where only activations are played: the dice of obstacles are rolled here, the damage is the players' to deal.
    fn meet_obstacles_by_hand(
        &mut self,
        ship: &ObjectId,
        execution: &Execution,
        moment: &Moment,
        faces: Faces,
        own: &mut SeededDice,
    ) {
        let Some(table) = &self.table else { return };
        let met: Vec<_> = (execution.suffered.iter())
            .filter_map(|obstacle| obstacle_kind(table, obstacle))
            .collect();
        let (rolled, missing) = self.with_dice(faces.clone(), own, |dice| {
            let rolled = met.into_iter().map(|kind| (kind, dice.attack()));
            rolled.collect::<Vec<_>>()
        });
        if missing != DiceWanted::default() {
            self.ask_for_faces(ship.clone(), missing, Deed::Moment(moment.clone()), faces);
            return;
        }
        let name = self.name(ship);
        let mut texts = Vec::new();
        for (kind, face) in rolled {
            let effect = obstacle_effect(kind, face);
            let text = obstacle_words(&name, kind, face, effect);
            match effect {
                ObstacleEffect::Nothing => {}
                ObstacleEffect::Strain => {
                    if let Some(activation) = &mut self.activation {
                        activation.todo.push_back(Step::Token {
                            ship: ship.clone(),
                            token: Token::Strain,
                            count: 1,
                        });
                    }
                }
                ObstacleEffect::Hit | ObstacleEffect::Crit => {
                    self.instruct(format!("{text} Please deal it the damage."), false);
                }
            }
            texts.push(text);
        }
        self.decided_by_dice(ship, texts);
    }

    /// Whether dice come from outside the program, and somebody is there who can give them.
    pub(in crate::game) fn dice_from_outside(&self) -> bool {
        let able = self.abilities.as_ref();
        match self.dice_from {
            DiceFrom::Program => false,
            DiceFrom::Table => able.is_some_and(|abilities| abilities.dice),
            DiceFrom::Typed => able.is_some_and(|abilities| abilities.prompt),
        }
    }

    /// Does something with dice: the program's own, or those of known faces, as the players chose. What it gave, and which dice
    /// are missing: then it is not meant to stay.
    pub(super) fn with_dice<T>(
        &self,
        faces: Faces,
        own: &mut SeededDice,
        act: impl FnOnce(&mut dyn DiceSource) -> T,
    ) -> (T, DiceWanted) {
        if self.dice_from_outside() || faces != Faces::default() {
            let mut given = GivenDice::new(faces, own);
            let done = act(&mut given);
            (done, given.missing())
        } else {
            (act(own), DiceWanted::default())
        }
    }

    /// Asks the table, or the players, for dice without which something cannot be done.
    pub(in crate::game) fn ask_for_faces(&mut self, ship: ObjectId, wanted: DiceWanted, deed: Deed, faces: Faces) {
        let dice = dice_words(wanted);
        let what = match &deed {
            Deed::Approach => format!("{}: its approach", self.name(&ship)),
            Deed::Engagement(_) => format!("what goes off: {dice}"),
            _ => format!("{} rolls {dice}", self.name(&ship)),
        };
        let about = Some(ship.clone()).filter(|ship| !ship.is_empty());
        let asked = if self.dice_from == DiceFrom::Typed {
            Asked::Players(Prompt {
                id: self.new_id("q"),
                text: match &deed {
                    Deed::Approach => format!("{what}, {dice}: which faces?"),
                    _ => format!("{what}: which faces?"),
                },
                options: vec![ROLL_FOR_ME.to_owned()],
                default: ROLL_FOR_ME.to_owned(),
                deadline_ms: self.patient_deadline_ms(),
                topic: Topic::Dice,
                ship: about,
                dice: Some(wanted),
            })
        } else {
            Asked::Table(Roll {
                id: self.new_id("r"),
                reason: what,
                dice: wanted,
                ship,
            })
        };
        self.effects.push(match &asked {
            Asked::Table(roll) => Effect::Roll(roll.clone()),
            Asked::Players(prompt) => Effect::Prompt(prompt.clone()),
        });
        self.ask = Ask::Dice {
            asked,
            wanted,
            deed,
            faces,
        };
        self.status();
    }

    /// The table's dice were read; `None`: they were not.
    pub(crate) fn table_rolled(&mut self, roll_id: &str, faces: Option<Faces>) {
        if let Ask::Dice {
            asked: Asked::Table(roll),
            wanted,
            ..
        } = &self.ask
            && roll.id == roll_id
        {
            let faces = faces.and_then(|faces| faces.exactly(*wanted));
            if faces.is_none() {
                self.note("The dice could not be read: the program rolled.");
            }
            self.dice_came(faces);
            self.status();
        }
    }

    /// Dice came from outside, or (none) the program rolls them; what needs them is done again.
    pub(super) fn dice_came(&mut self, more: Option<Faces>) {
        if !matches!(self.ask, Ask::Dice { .. }) {
            return;
        }
        let Ask::Dice {
            wanted,
            deed,
            mut faces,
            ..
        } = std::mem::replace(&mut self.ask, Ask::Nothing)
        else {
            return;
        };
        let rolled = match (more, &deed, &mut self.whole) {
            (Some(more), ..) => more,
            // The activation has dice of its own for it.
            (None, Deed::Approach, _) => Faces::default(),
            (None, _, Some(whole)) => Faces::rolled(wanted, &mut whole.dice),
            (None, _, None) => {
                let label = format!("rolled for the players {}", self.numbers);
                Faces::rolled(
                    wanted,
                    &mut SeededDice::for_activation(self.config.seed, self.round, &label),
                )
            }
        };
        faces.extend(rolled);
        match deed {
            Deed::Approach => self.approach_rolled(&faces),
            Deed::Choice(request) => self.choose_for_solo(&request, faces),
            Deed::Answer(answer, sentence) => self.choose(answer, sentence, faces),
            Deed::Moment(moment) => self.come_to(moment, faces),
            Deed::Engagement(go) => self.engage(go, faces),
        }
        self.carry_on();
    }

    /// What was typed is no roll: the players are asked again.
    pub(super) fn ask_dice_again(&mut self, text: &str) {
        let id = self.new_id("q");
        let Ask::Dice {
            asked: Asked::Players(prompt),
            wanted,
            ..
        } = &mut self.ask
        else {
            return;
        };
        let shown: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
        prompt.id = id;
        prompt.text = format!(
            "`{shown}` is no roll of {}. Write the faces, as in `2h 1f` or `hit hit focus`; which faces?",
            dice_words(*wanted)
        );
        let prompt = prompt.clone();
        self.effects.push(Effect::Prompt(prompt));
    }
}

/// As in `3 attack dice`, `1 defence die`.
fn dice_words(wanted: DiceWanted) -> String {
    let of = |count: u32, kind: &str| {
        let dice = if count == 1 { "die" } else { "dice" };
        (count > 0).then(|| format!("{count} {kind} {dice}"))
    };
    let parts: Vec<String> = of(wanted.attack, "attack")
        .into_iter()
        .chain(of(wanted.defence, "defence"))
        .collect();
    parts.join(" and ")
}
