//! SA-13, set-up at a table: the program lays markers and obstacles, puts the solo ships where the dice say, asks the players
//! for their ships in the order of initiative and for what has no model, and says which rule of set-up is broken.
//!
//! What the players have laid or put down already is theirs: it is checked and never moved. Every question has a default, and
//! whatever is not done is told, once; play goes on.

use super::{Coming, TableMission};
use crate::{
    dice::SeededDice,
    game::{
        Effect, Game, Prompt,
        event::Topic,
        instruction::pose_words,
        opponent::Opponent,
        round::{Ask, Mark, Pick, Then},
        step::{Step, StepKind},
    },
    xwing::{
        ObjectId,
        battle::{Phase, mission::MissionInPlay},
        catalog::Catalog,
        scenario::{LockOnArrival, arrival, muster::Recruit, review},
        ship::Ship,
    },
};

/// The option to go on: what was asked for is done.
pub const DONE: &str = "Done";
/// The option to play without a piece or a ship.
pub const WITHOUT: &str = "Play without it";
/// The option to set up without being led.
pub const BY_OURSELVES: &str = "We set up ourselves";
/// The option to have the table looked at again.
pub const LOOK_AGAIN: &str = "Look again";
/// The option to play although a rule of set-up is broken.
pub const AS_IT_LIES: &str = "Play as it lies";

/// So many broken rules are shown with the question.
const RULES_SHOWN: usize = 2;

/// How far the set-up has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum SetUp {
    /// The models of the solo side are not known yet.
    #[default]
    Models,
    /// The markers are to be shown.
    Markers,
    /// Obstacles are to be laid.
    Obstacles,
    /// Ships are to be put down, in ascending initiative.
    Ships,
    /// The players set up by themselves; the next press checks it.
    ByPlayers,
    /// The table is to be checked.
    Rules,
    /// The game begins.
    Over,
}

/// Something of the set-up.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    /// An obstacle, by its place in the scenario's list.
    Obstacle(usize),
    /// A ship of the scenario, at set-up or later.
    Ship(ObjectId),
    /// The lock that a ship acquires as it arrives.
    Lock(ObjectId),
    /// Rules are broken.
    Rules,
}

/// What the players answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// It is done, or the table is to be looked at again.
    Done,
    /// They play without it, or as it lies.
    Without,
    /// They do the rest by themselves.
    ByOurselves,
}

impl<O: Opponent> Game<O> {
    /// Goes on with the set-up. Whether something is under way, or asked.
    pub(super) fn set_up_goes_on(&mut self, mission: &TableMission) -> bool {
        loop {
            let begun = self.phase() != Some(Phase::Planning) || self.round > 1;
            let Some(whole) = &mut self.whole else { return false };
            if !whole.progress.announced {
                return false;
            }
            if begun {
                whole.progress.set_up = SetUp::Over;
            }
            let (waits, next) = match whole.progress.set_up {
                SetUp::Over | SetUp::ByPlayers => return false,
                SetUp::Models => (!self.solo_models_are_there(&mission.play), SetUp::Markers),
                SetUp::Markers => (self.show_markers(&mission.play), SetUp::Obstacles),
                SetUp::Obstacles => (self.lay_obstacles(mission), SetUp::Ships),
                SetUp::Ships => (self.put_ships_down(&mission.play), SetUp::Rules),
                SetUp::Rules => (self.check_rules(&mission.play), SetUp::Over),
            };
            if waits {
                // What is shown once is not shown again.
                if let Some(whole) = self.whole.as_mut()
                    && whole.progress.set_up == SetUp::Markers
                {
                    whole.progress.set_up = SetUp::Obstacles;
                }
                return true;
            }
            if let Some(whole) = &mut self.whole {
                whole.progress.set_up = next;
            }
        }
    }

    /// The button, while the set-up waits for it. Whether it did.
    pub(crate) fn set_up_pressed(&mut self) -> bool {
        let Some(whole) = self.whole.as_mut().filter(|_| self.mission.is_some()) else {
            return false;
        };
        if !whole.progress.announced || whole.battle.phase() != Phase::Planning || self.round > 1 {
            return false;
        }
        match whole.progress.set_up {
            SetUp::Models => whole.progress.set_up = SetUp::Markers,
            SetUp::ByPlayers => whole.progress.set_up = SetUp::Rules,
            _ => return false,
        }
        self.scenario_goes_on();
        self.status();
        true
    }

    /// One line about the set-up while it goes on.
    pub(super) fn set_up_text(&self) -> Option<String> {
        let whole = self.whole.as_ref()?;
        if !whole.progress.announced {
            return None;
        }
        if let Ask::Choice { prompt, .. } = &self.ask
            && prompt.topic == Topic::SetUp
        {
            return Some(prompt.text.clone());
        }
        match whole.progress.set_up {
            SetUp::Models => Some(format!(
                "Set-up: not among the solo side's models yet: {}. Assign the models, or go on without.",
                self.missing_solo_models().join(", ")
            )),
            SetUp::ByPlayers => Some("Set-up: set the table up as the scenario says, then go on.".to_owned()),
            _ => None,
        }
    }

    /// The solo ships of the set-up that no model is known for.
    fn missing_solo_models(&self) -> Vec<String> {
        let (Some(whole), Some(mission)) = (&self.whole, &self.mission) else {
            return Vec::new();
        };
        let order = self.ships_of_set_up(&mission.play).into_iter();
        let missing = order.filter(|recruit| !review::is_players(recruit));
        let missing = missing.filter(|recruit| !whole.progress.bound.contains_key(&recruit.ship.id));
        missing.map(|recruit| recruit.ship.name).collect()
    }

    fn solo_models_are_there(&self, play: &MissionInPlay) -> bool {
        let bound = self.whole.as_ref().map(|whole| &whole.progress.bound);
        let order = self.ships_of_set_up(play).into_iter();
        let mut solo = order.filter(|recruit| !review::is_players(recruit));
        bound.is_some_and(|bound| solo.all(|recruit| bound.contains_key(&recruit.ship.id)))
    }

    /// The ships of the set-up in the order in which they are put down.
    fn ships_of_set_up(&self, play: &MissionInPlay) -> Vec<Recruit> {
        // The ships were mustered with this variant, so the scenario has it.
        arrival::at_set_up(&play.mission.scenario, &play.mission.muster).unwrap_or_default()
    }

    /// Draws the markers on the table, where it can draw; where they lie was told.
    fn show_markers(&mut self, play: &MissionInPlay) -> bool {
        let Some(table) = self.table.as_ref().filter(|_| self.can(StepKind::Show)) else {
            return false;
        };
        let markers = play.markers_on(table);
        if markers.is_empty() {
            return false;
        }
        let lines = markers.iter().flat_map(|marker| {
            let [a, b, c, d] = marker.outline();
            [(a, b), (b, c), (c, d), (d, a)]
        });
        let lines = lines.collect();
        let before = self.checkpoint();
        let ship: ObjectId = "".into();
        self.begin_errand(
            &ship,
            vec![Step::Show {
                ship: ship.clone(),
                lines,
            }],
            Mark::Step,
            before,
        );
        true
    }

    /// SA-13: the obstacles are laid where the seed lays them, unless some lie there: then they are the players'.
    fn lay_obstacles(&mut self, mission: &TableMission) -> bool {
        let (Some(whole), Some(table)) = (&self.whole, &self.table) else {
            return false;
        };
        let settled = |index: usize| whole.progress.settled.contains(&Item::Obstacle(index));
        let begun = (0..mission.obstacles.len()).any(settled);
        if !begun && !table.obstacles.is_empty() {
            return false;
        }
        let area = table.area;
        let mut taken: Vec<&ObjectId> = Vec::new();
        let mut steps = Vec::new();
        let mut laid = Vec::new();
        for (index, placed) in mission
            .obstacles
            .iter()
            .enumerate()
            .filter(|(index, _)| !settled(*index))
        {
            let fits = |piece: &&crate::game::LoosePiece| piece.piece == placed.piece && !taken.contains(&&piece.id);
            let spare = self.loose.iter().find(fits).filter(|_| self.can(StepKind::Lay));
            if let Some(piece) = spare {
                taken.push(&piece.id);
                laid.push(Item::Obstacle(index));
                steps.push(Step::Lay {
                    object: piece.id.clone(),
                    from: piece.pose,
                    to: mission.play.onto(area, placed.pose),
                });
            }
        }
        let next = (0..mission.obstacles.len()).find(|index| !settled(*index));
        if !steps.is_empty() {
            let before = self.checkpoint();
            if let Some(whole) = &mut self.whole {
                whole.progress.settled.extend(laid);
            }
            self.begin_errand(&"".into(), steps, Mark::Step, before);
            return true;
        }
        let Some(index) = next else { return false };
        let placed = &mission.obstacles[index];
        let text = format!(
            "Please lay the obstacle {} down: {}.",
            placed.piece,
            pose_words(mission.play.onto(area, placed.pose))
        );
        self.ask_for(Item::Obstacle(index), text.clone(), text)
    }

    /// SA-13: ships in ascending initiative, the players' by the players.
    fn put_ships_down(&mut self, play: &MissionInPlay) -> bool {
        let scenario = &play.mission.scenario;
        let order = self.ships_of_set_up(play);
        for recruit in &order {
            let Some(whole) = &self.whole else { return false };
            let own = &recruit.ship.id;
            let item = Item::Ship(own.clone());
            if whole.progress.arrived.contains(own) || whole.progress.settled.contains(&item) {
                continue;
            }
            if review::is_players(recruit) {
                let text = format!(
                    "Please put {} down, {}: {}.",
                    recruit.ship.name,
                    ship_words(recruit),
                    review::where_words(scenario, recruit)
                );
                if self.ask_for(item, text.clone(), text) {
                    return true;
                }
                continue;
            }
            let Some(table) = self.scenario_table(play) else {
                return false;
            };
            let mut dice = SeededDice::for_activation(play.seed, 0, own);
            let mut notes = Vec::new();
            let markers = play.markers_on(&table);
            let placed = arrival::place_of(scenario, recruit, &markers, &table, &mut dice, &mut notes);
            let before = self.checkpoint();
            if let Some(whole) = &mut self.whole {
                whole.progress.settled.insert(item);
            }
            match placed {
                Ok(Some(pose)) => {
                    let ship = Ship {
                        pose,
                        ..recruit.ship.clone()
                    };
                    let coming = Coming {
                        ship,
                        instead_of: None,
                        notes,
                    };
                    self.bring(play, coming, before);
                    return true;
                }
                Ok(None) => self.note(&format!("{} finds no room to arrive and waits.", recruit.ship.name)),
                Err(error) => self.note(&format!("{} is not put down: {error}.", recruit.ship.name)),
            }
        }
        order.iter().any(|recruit| self.lock_at_set_up(play, recruit))
    }

    /// SA-13, the ace: a ship of the set-up that locks somebody as it arrives does when all are there.
    fn lock_at_set_up(&mut self, play: &MissionInPlay, recruit: &Recruit) -> bool {
        let own = &recruit.ship.id;
        let Some(mut table) = self.scenario_table(play) else {
            return false;
        };
        let Some(mut ship) = table.ship(own).cloned() else {
            return false;
        };
        let Some(whole) = &mut self.whole else { return false };
        let progress = &mut whole.progress;
        let due = recruit.lock == Some(LockOnArrival::NearestEnemy) && progress.arrived.contains(own);
        let Some(model) = progress.bound.get(own).filter(|_| due).cloned() else {
            return false;
        };
        if !progress.settled.insert(Item::Lock(own.clone())) {
            return false;
        }
        let mut dice = SeededDice::for_activation(play.seed, 0, &format!("{own} locks"));
        let mut notes = Vec::new();
        arrival::lock_on_arrival(
            &mut ship,
            LockOnArrival::NearestEnemy,
            &mut table,
            &mut dice,
            &mut notes,
        );
        let before = self.checkpoint();
        let Some(whole) = &mut self.whole else { return false };
        let bound = &whole.progress.bound;
        let locks: Vec<ObjectId> = (ship.locks.iter())
            .map(|lock| bound.get(lock).unwrap_or(lock).clone())
            .collect();
        whole.battle.put_right(&model, |ship, _, _, _| ship.locks = locks);
        self.follow_battle(&model, notes.join(" "), Mark::Step, before);
        true
    }

    /// SA-13: what of the set-up breaks a rule is told; the players may put it right.
    fn check_rules(&mut self, play: &MissionInPlay) -> bool {
        if self.stale {
            self.look(Then::Scenario, false);
            return true;
        }
        let Some(table) = self.scenario_table(play) else {
            return false;
        };
        if self
            .whole
            .as_ref()
            .is_none_or(|whole| whole.progress.settled.contains(&Item::Rules))
        {
            return false;
        }
        let markers = play.markers_on(&table);
        let broken = review::broken_rules(&play.mission.scenario, &play.mission.muster, &markers, &table);
        if broken.is_empty() {
            return false;
        }
        self.note(&format!(
            "The set-up is not as the scenario has it (SA-13). {}",
            broken.join(" ")
        ));
        // A panel has room for so much; everybody has read all of it.
        let shown = broken.iter().take(RULES_SHOWN).cloned().collect::<Vec<_>>().join(" ");
        let more = match broken.len().saturating_sub(RULES_SHOWN) {
            0 => String::new(),
            more => format!(" And {more} more."),
        };
        let text = format!("Not as the scenario has it: {shown}{more}");
        self.put_question(
            Item::Rules,
            text,
            [(LOOK_AGAIN, Reply::Done), (AS_IT_LIES, Reply::Without)],
            AS_IT_LIES,
        )
    }

    /// Asks the players to put something on the table; tells them where they cannot be asked. Whether they were asked.
    pub(super) fn ask_for(&mut self, item: Item, question: String, told: String) -> bool {
        let can_ask = self.abilities.as_ref().is_none_or(|abilities| abilities.prompt);
        if told != question || !can_ask {
            self.note(&told);
        }
        if !can_ask {
            if let Some(whole) = &mut self.whole {
                whole.progress.settled.insert(item);
            }
            return false;
        }
        let at_set_up = self
            .whole
            .as_ref()
            .is_some_and(|whole| whole.progress.set_up != SetUp::Over);
        let mut options = vec![(DONE, Reply::Done), (WITHOUT, Reply::Without)];
        if at_set_up {
            options.push((BY_OURSELVES, Reply::ByOurselves));
        }
        self.put_question(item, question, options, DONE)
    }

    fn put_question(
        &mut self,
        item: Item,
        text: String,
        options: impl IntoIterator<Item = (&'static str, Reply)>,
        default: &str,
    ) -> bool {
        if self.abilities.as_ref().is_some_and(|abilities| !abilities.prompt) {
            return false;
        }
        let (options, replies): (Vec<_>, Vec<_>) = options.into_iter().unzip();
        let prompt = Prompt {
            id: self.new_id("q"),
            text,
            options: options.into_iter().map(str::to_owned).collect(),
            default: default.to_owned(),
            deadline_ms: self.patient_deadline_ms(),
            topic: Topic::SetUp,
            ship: None,
            dice: None,
        };
        let Some(whole) = &mut self.whole else { return false };
        whole.progress.asked = Some(item);
        self.ask = Ask::Choice {
            prompt: prompt.clone(),
            picks: replies.into_iter().map(Pick::SetUp).collect(),
        };
        self.effects.push(Effect::Prompt(prompt));
        self.status();
        true
    }

    /// What the players were asked to put down lies there now: the question is taken back, and the set-up goes on without an
    /// answer.
    pub(super) fn take_back_what_is_seen(&mut self) {
        let (Some(whole), Ask::Choice { picks, .. }) = (&self.whole, &self.ask) else {
            return;
        };
        if !matches!(picks.first(), Some(Pick::SetUp(_))) {
            return;
        }
        let progress = &whole.progress;
        let table = whole.battle.table();
        let is_seen = match &progress.asked {
            // Its number among those that were asked for before it.
            Some(Item::Obstacle(_)) => {
                let asked_for = progress.settled.iter().filter(|item| matches!(item, Item::Obstacle(_)));
                table.obstacles.len() > asked_for.count()
            }
            Some(Item::Ship(own)) => progress.arrived.contains(own),
            Some(Item::Lock(_) | Item::Rules) | None => false,
        };
        if !is_seen {
            return;
        }
        self.drop_ask();
        if let Some(whole) = &mut self.whole {
            let item = whole.progress.asked.take();
            whole.progress.settled.extend(item);
        }
    }

    /// The players answered a question of the set-up, or about a model that is missing.
    pub(in crate::game::round) fn set_up_answered(&mut self, reply: Reply) {
        let Some(whole) = &mut self.whole else { return };
        let progress = &mut whole.progress;
        let Some(item) = progress.asked.take() else { return };
        match (reply, &item) {
            // They may look as often as they like.
            (Reply::Done, Item::Rules) => {}
            (Reply::Done, _) => {
                progress.settled.insert(item.clone());
                progress.expected = Some(item);
            }
            (Reply::Without, _) => {
                if let Item::Ship(own) = &item {
                    progress.awaited.remove(own);
                    progress.absent.insert(own.clone());
                }
                progress.settled.insert(item);
            }
            (Reply::ByOurselves, _) => {
                if let Item::Ship(own) = &item {
                    progress.awaited.remove(own);
                }
                progress.set_up = SetUp::ByPlayers;
            }
        }
        match reply {
            Reply::Done => self.look(Then::Scenario, false),
            Reply::Without | Reply::ByOurselves => self.scenario_goes_on(),
        }
    }

    /// What the players said is done, and the table does not show, is told once; play goes on.
    pub(super) fn tell_what_is_not_seen(&mut self) {
        let Some(whole) = &mut self.whole else { return };
        let progress = &mut whole.progress;
        let Some(item) = progress.expected.take() else { return };
        let laid = self.table.as_ref().map_or(0, |table| table.obstacles.len());
        let asked_for = progress
            .settled
            .iter()
            .filter(|item| matches!(item, Item::Obstacle(_)))
            .count();
        let missing = match &item {
            Item::Obstacle(_) => (laid < asked_for).then(|| "The obstacle is".to_owned()),
            Item::Ship(own) => (!progress.arrived.contains(own)).then(|| format!("The ship {own} is")),
            Item::Lock(_) | Item::Rules => None,
        };
        if let Some(missing) = missing {
            self.note(&format!(
                "{missing} not seen on the mat yet. Put it down whenever you like; play goes on."
            ));
        }
    }
}

/// A ship as players look for its model: type, initiative, upgrades.
fn ship_words(recruit: &Recruit) -> String {
    let catalog = Catalog::embedded();
    let ship = &recruit.ship;
    let chassis = catalog.ship(&ship.chassis).map_or(&*ship.chassis, |facts| &*facts.name);
    let mut words = format!("{chassis}, initiative {}", ship.initiative);
    for upgrade in &recruit.upgrades {
        let name = catalog.upgrade(upgrade).map_or(&**upgrade, |facts| &*facts.name);
        words.push_str(" + ");
        words.push_str(name);
    }
    words
}
