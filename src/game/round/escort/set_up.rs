//! The set-up of Political Escort at a table (PE-3): who attacks is asked where it is the players' to choose, the program lays
//! and puts down what is its own, asks for the rest in the order of the rules, and says which rule of it is broken.
//!
//! What players have laid or put down already is theirs: it is checked and never moved. Every question has a default; what is
//! not done is told, once, and play goes on.

use super::{Led, Place, places::EDGES};
use crate::{
    game::{
        Game,
        event::Topic,
        instruction::pose_words,
        opponent::Opponent,
        round::{
            Ask, Mark, Pick, Then,
            choices::Question,
            scenario::{AS_IT_LIES, BY_OURSELVES, DONE, LOOK_AGAIN, WITHOUT},
        },
        step::{Step, StepKind},
    },
    geometry::Pose,
    solo_alpha::escort::placing::OBSTACLES,
    xwing::{
        ObjectId,
        battle::Phase,
        escort::{Role, setup::placing_skill},
        placing::{check_obstacle, check_ship, in_placing_order},
        scenario::Edge,
        ship::{Ship, Status},
    },
};

/// So many broken rules are shown with the question.
const RULES_SHOWN: usize = 2;

/// How far the set-up has come, in the order of PE-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum SetUp {
    /// Who has initiative, and who attacks.
    #[default]
    Roles,
    /// The models of the solo side are not known yet.
    Models,
    /// Which model is the shuttle.
    Shuttle,
    /// Six obstacles.
    Obstacles,
    /// The defender picks his edge.
    Edges,
    /// Both squads are put down.
    Ships,
    /// The shuttle is.
    ShuttleDown,
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
    /// Who has initiative and attacks.
    Roles,
    /// Which model the shuttle is.
    Model,
    /// An obstacle, by its number.
    Obstacle(usize),
    /// The defender's edge.
    Edge,
    /// A ship of a squad.
    Ship(Place),
    /// The shuttle.
    Shuttle,
    /// Rules are broken.
    Rules,
}

/// What the players answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The players have initiative; their role, where it is not fixed.
    WeHaveIt(Option<Role>),
    /// The solo side has it.
    SoloHasIt,
    /// This model is the shuttle.
    Model(ObjectId),
    /// The defender's edge.
    Edge(Edge),
    /// It is done, or the table is to be looked at again.
    Done,
    /// They play without it, or as it lies.
    Without,
    /// They do the rest by themselves.
    ByOurselves,
}

impl<O: Opponent> Game<O> {
    /// Goes on with the set-up. Whether something is under way, or waited for.
    pub(super) fn escort_set_up(&mut self, led: &Led) -> bool {
        loop {
            let begun = self.phase() != Some(Phase::Planning) || self.round > 1;
            let Some(progress) = self.escort_progress() else {
                return false;
            };
            let by_ourselves = progress.by_ourselves;
            let stage = progress.set_up;
            let (waits, next) = match stage {
                SetUp::Over => return false,
                SetUp::ByPlayers => return true,
                SetUp::Roles => (self.settle_roles(led), SetUp::Models),
                SetUp::Models => (!self.solo_models_known(led), SetUp::Shuttle),
                SetUp::Shuttle if begun => (self.find_shuttle(led), SetUp::Edges),
                SetUp::Shuttle => (self.find_shuttle(led), SetUp::Obstacles),
                SetUp::Obstacles => (self.lay_next_obstacle(led), SetUp::Edges),
                SetUp::Edges => (
                    self.settle_edge(led),
                    match (begun, by_ourselves) {
                        (true, _) => SetUp::Over,
                        (false, true) => SetUp::Rules,
                        (false, false) => SetUp::Ships,
                    },
                ),
                SetUp::Ships => (self.put_next_ship_down(led), SetUp::ShuttleDown),
                SetUp::ShuttleDown => (self.put_shuttle_down(led), SetUp::Rules),
                SetUp::Rules => (self.check_escort_rules(), SetUp::Over),
            };
            // A question that nobody can be asked was answered by its default, which has gone on already.
            let moved_on = self.escort_progress().is_none_or(|progress| progress.set_up != stage);
            if waits || moved_on {
                return true;
            }
            if let Some(whole) = &mut self.whole {
                whole.escort.set_up = next;
            }
            if next == SetUp::Over {
                self.escort_begins(led);
            }
        }
    }

    /// All is set up: what is known of the game is told.
    fn escort_begins(&mut self, led: &Led) {
        self.install_escort(led);
        let Some(play) = self.escort_in_play() else { return };
        let (edge, shuttle) = (play.attackers_edge, self.name(&play.shuttle));
        let unknown = play.points.iter().filter(|(_, points)| points.is_none());
        let unknown: Vec<String> = unknown.map(|(id, _)| self.name(id)).collect();
        let mut text = format!(
            "The shuttle is {shuttle}. It exits over the {} edge, and activates first (PE-4.1).",
            edge.word()
        );
        if !unknown.is_empty() {
            text.push_str(&format!(
                " What these cost is not known, and counts nothing in the score: {}.",
                unknown.join(", ")
            ));
        }
        self.note(&text);
        self.status();
    }

    /// The button, while the set-up waits for it. Whether it did.
    pub(in crate::game::round) fn escort_pressed(&mut self) -> bool {
        let Some(stage) = self.escort_progress().map(|progress| progress.set_up) else {
            return false;
        };
        let Some(whole) = &mut self.whole else { return false };
        match stage {
            SetUp::Over => return false,
            SetUp::Models => whole.escort.set_up = SetUp::Shuttle,
            SetUp::ByPlayers => {
                whole.escort.by_ourselves = true;
                whole.escort.set_up = SetUp::Edges;
            }
            _ => {}
        }
        self.escort_goes_on();
        self.status();
        // Nothing more to wait for: the press begins the round.
        self.escort_progress()
            .is_some_and(|progress| progress.set_up != SetUp::Over)
    }

    /// One line about the set-up while it goes on.
    pub(super) fn escort_set_up_text(&self) -> Option<String> {
        let progress = self.escort_progress()?;
        if let Ask::Choice { prompt, .. } = &self.ask
            && prompt.topic == Topic::SetUp
        {
            return Some(prompt.text.clone());
        }
        match progress.set_up {
            SetUp::Models => Some(format!(
                "Set-up: not among the solo side's models yet: {}. Assign the models, or go on without.",
                self.missing_models().join(", ")
            )),
            SetUp::Shuttle => Some(
                "Set-up: put a model for the shuttle beside the play area or on it: one named shuttle, or a large base \
                 (PE-1.1). Then go on."
                    .to_owned(),
            ),
            SetUp::ByPlayers => Some("Set-up: set the table up as PE-3 says, then go on.".to_owned()),
            _ => None,
        }
    }

    /// FE-2.2: six obstacles, one from each side in turn, whoever has initiative first. What lies there already counts.
    fn lay_next_obstacle(&mut self, led: &Led) -> bool {
        let (Some(whole), Some(table)) = (&self.whole, &self.table) else {
            return true;
        };
        let progress = &whole.escort;
        let lying = table.obstacles.len();
        let open = |number: &usize| !progress.settled.contains(&Item::Obstacle(*number));
        let Some(number) = (lying..OBSTACLES).find(open) else {
            return false;
        };
        let solo_first = whole.solo_first.unwrap_or(false);
        let solo_lays = solo_first == (number % 2 == 0);
        let solo_defends = progress.solo_defends.unwrap_or(false);
        let item = Item::Obstacle(number);
        if !solo_lays {
            let text = format!(
                "Please lay an obstacle of yours, number {} of {OBSTACLES}: no point of it within range 2 of an edge or range 1 \
                 of another obstacle (FE-2.2).",
                number + 1
            );
            return self.ask_to_put(item, text);
        }
        let Some((piece, pose)) = self.next_obstacle(led, number, solo_defends) else {
            self.note("There is no room for an obstacle of the solo side (FE-2.2).");
            if let Some(whole) = &mut self.whole {
                whole.escort.settled.insert(item);
            }
            return self.lay_next_obstacle(led);
        };
        let spare = self.loose.iter().find(|loose| loose.piece == piece);
        if let Some(spare) = spare.filter(|_| self.can(StepKind::Lay)) {
            let step = Step::Lay {
                object: spare.id.clone(),
                from: spare.pose,
                to: pose,
            };
            let before = self.checkpoint();
            if let Some(whole) = &mut self.whole {
                whole.escort.settled.insert(item);
            }
            self.begin_errand(&"".into(), vec![step], Mark::Step, before);
            return true;
        }
        let text = format!(
            "The solo side lays obstacle {} of {OBSTACLES} (PE-A8): please lay {piece} down, {}.",
            number + 1,
            pose_words(pose)
        );
        self.ask_to_put(item, text)
    }

    /// PE-3: the defender picks his edge. Where ships stand at one already it is that.
    fn settle_edge(&mut self, led: &Led) -> bool {
        let Some(progress) = self.escort_progress() else {
            return true;
        };
        let (None, Some(solo_defends)) = (progress.edge, progress.solo_defends) else {
            return false;
        };
        let stands = self.edge_of(solo_defends);
        let stands = stands.or_else(|| self.edge_of(!solo_defends).map(Edge::opposite));
        if let Some(edge) = stands {
            self.take_edge(led, edge, String::new());
            return false;
        }
        if solo_defends {
            let Some(start) = self.escort_start(led, &EDGES) else {
                return true;
            };
            let why = start.reasons.iter();
            let why: Vec<String> = why.map(|reason| format!("{}: {}.", reason.rule, reason.text)).collect();
            self.take_edge(led, start.edge, why.join(" "));
            return false;
        }
        let pick = |edge: Edge| (format!("The {} edge", edge.word()), Reply::Edge(edge));
        let picks: Vec<(String, Reply)> = EDGES.into_iter().map(pick).collect();
        let default = picks[0].0.clone();
        let text =
            "You defend: which edge is yours? The shuttle starts there and exits over the other one (PE-3).".to_owned();
        self.ask_in_set_up(Item::Edge, text, picks, &default)
    }

    fn take_edge(&mut self, led: &Led, edge: Edge, why: String) {
        if let Some(whole) = &mut self.whole {
            whole.escort.edge = Some(edge);
        }
        if !why.is_empty() {
            self.note(&why);
        }
        self.install_escort(led);
    }

    /// FE-2.4: both squads in ascending skill, of equal skill the side with initiative first.
    fn put_next_ship_down(&mut self, led: &Led) -> bool {
        let solo_first = self.whole.as_ref().and_then(|whole| whole.solo_first).unwrap_or(false);
        let of_squad = |solo: bool| {
            let ships = led.game.squad(solo).ships.iter().enumerate();
            ships.map(move |(place, ship)| ((solo, place), ship))
        };
        let mut order: Vec<_> = of_squad(false).chain(of_squad(true)).collect();
        in_placing_order(
            &mut order,
            |(_, ship)| placing_skill(ship.skill, false),
            |((solo, _), _)| *solo == solo_first,
        );
        for (place, ship) in order {
            let (Some(progress), Some(table)) = (self.escort_progress(), &self.table) else {
                return true;
            };
            let item = Item::Ship(place);
            let model = progress.bound.get(&place).cloned();
            let stands = model.as_ref().and_then(|id| table.ship(id)).is_some_and(Ship::in_play);
            if stands || progress.settled.contains(&item) {
                continue;
            }
            let own = progress.edge.unwrap_or(Edge::South);
            let defends = Some(place.0) == progress.solo_defends;
            let edge = if defends { own } else { own.opposite() };
            let what = format!("{} ({}, pilot skill {})", ship.name, ship.ship, ship.skill);
            if !place.0 {
                let text = format!(
                    "Please put {what} down, wholly within range 1 of the {} edge (FE-2.4).",
                    edge.word()
                );
                if self.ask_to_put(item, text) {
                    return true;
                }
                continue;
            }
            let pose = self
                .solo_places(led, own)
                .into_iter()
                .find(|(other, _)| *other == place);
            let Some((_, pose)) = pose else { continue };
            if self.put_down(item, model, pose, &what) {
                return true;
            }
        }
        false
    }

    /// PE-3: the shuttle, last of all.
    fn put_shuttle_down(&mut self, led: &Led) -> bool {
        let (Some(progress), Some(table)) = (self.escort_progress(), &self.table) else {
            return true;
        };
        let Some(shuttle) = progress.shuttle.clone() else {
            return false;
        };
        let stands = table.ship(&shuttle).is_some_and(Ship::in_play);
        if stands || progress.settled.contains(&Item::Shuttle) {
            return false;
        }
        let edge = progress.edge.unwrap_or(Edge::South);
        if progress.solo_defends != Some(true) {
            let text = format!(
                "Please put the shuttle down, wholly within range 1 of the {} edge, at any facing (PE-3).",
                edge.word()
            );
            return self.ask_to_put(Item::Shuttle, text);
        }
        let Some(start) = self.escort_start(led, &[edge]) else {
            return false;
        };
        self.put_down(Item::Shuttle, Some(shuttle), start.pose, "the shuttle")
    }

    /// The program puts a model of its own down, or asks for it where there is none. Whether that is under way.
    fn put_down(&mut self, item: Item, model: Option<ObjectId>, pose: Pose, what: &str) -> bool {
        let known = model.filter(|id| self.table.as_ref().is_some_and(|table| table.ship(id).is_some()));
        let Some(id) = known else {
            let text = format!("Please put {what} of the solo side down: {} (PE-A8).", pose_words(pose));
            return self.ask_to_put(item, text);
        };
        let before = self.checkpoint();
        let Some(whole) = &mut self.whole else { return false };
        whole.escort.settled.insert(item);
        whole.battle.arrive_at_table(&id, pose, Vec::new(), None);
        let said = self.tell_battle();
        let mut steps: Vec<Step> = self.say(&id, &said).into_iter().collect();
        let off = self
            .table
            .as_ref()
            .and_then(|table| table.ship(&id))
            .map(|ship| ship.status);
        if matches!(off, Some(Status::Destroyed | Status::Removed)) {
            steps.push(Step::Remove {
                ship: id.clone(),
                back: Some(pose),
            });
        }
        steps.extend(self.differences());
        self.begin_errand(&id, steps, Mark::Step, before);
        true
    }

    /// PE-3, FE-2.2, FE-2.4: what of the set-up breaks a rule is told; the players may put it right.
    fn check_escort_rules(&mut self) -> bool {
        if self.stale {
            self.look(Then::Scenario, false);
            return true;
        }
        let Some(progress) = self.escort_progress() else {
            return false;
        };
        if progress.settled.contains(&Item::Rules) {
            return false;
        }
        let broken = self.broken_rules();
        if broken.is_empty() {
            return false;
        }
        self.note(&format!("The set-up is not as PE-3 has it. {}", broken.join(" ")));
        let shown = broken.iter().take(RULES_SHOWN).cloned().collect::<Vec<_>>().join(" ");
        let more = match broken.len().saturating_sub(RULES_SHOWN) {
            0 => String::new(),
            more => format!(" And {more} more."),
        };
        let text = format!("Not as PE-3 has it: {shown}{more}");
        let picks = vec![(LOOK_AGAIN, Reply::Done), (AS_IT_LIES, Reply::Without)];
        self.ask_in_set_up(Item::Rules, text, picks, AS_IT_LIES)
    }

    /// What of the set-up breaks a rule, a sentence each.
    fn broken_rules(&self) -> Vec<String> {
        let (Some(whole), Some(progress)) = (&self.whole, self.escort_progress()) else {
            return Vec::new();
        };
        let table = whole.battle.table();
        let mut broken = Vec::new();
        let lying = table.obstacles.len();
        if lying != OBSTACLES {
            broken.push(format!("{lying} obstacles lie there, not {OBSTACLES} (PE-3)."));
        }
        for (number, obstacle) in table.obstacles.iter().enumerate() {
            let wrong = check_obstacle(&table.rules, table.area, obstacle, &table.obstacles[..number]);
            broken.extend(wrong.iter().map(|wrong| format!("{wrong} (FE-2.2).")));
        }
        let own = progress.edge.unwrap_or(Edge::South);
        for ship in table.ships_in_play() {
            let defends = Some(self.seats.is_solo(&ship.id)) == progress.solo_defends;
            let edge = if defends { own } else { own.opposite() };
            let wrong = check_ship(table, ship, edge, whole.battle.guides());
            broken.extend(wrong.iter().map(|wrong| format!("{wrong} (FE-2.4).")));
        }
        let stands = (progress.shuttle.as_ref()).is_some_and(|id| table.ship(id).is_some_and(Ship::in_play));
        if !stands {
            broken.push("The shuttle is not on the play area (PE-3).".to_owned());
        }
        broken
    }

    /// Asks the players to put something on the table; tells them where they cannot be asked. Whether they were asked.
    fn ask_to_put(&mut self, item: Item, text: String) -> bool {
        let can_ask = self.abilities.as_ref().is_none_or(|abilities| abilities.prompt);
        if !can_ask {
            self.note(&text);
            if let Some(whole) = &mut self.whole {
                whole.escort.settled.insert(item);
            }
            return false;
        }
        let picks = vec![
            (DONE, Reply::Done),
            (WITHOUT, Reply::Without),
            (BY_OURSELVES, Reply::ByOurselves),
        ];
        self.ask_in_set_up(item, text, picks, DONE)
    }

    /// Puts a question of the set-up. Whether it waits for an answer.
    pub(super) fn ask_in_set_up(
        &mut self,
        item: Item,
        text: String,
        picks: Vec<(impl Into<String>, Reply)>,
        default: &str,
    ) -> bool {
        if let Some(whole) = &mut self.whole {
            whole.escort.asked = Some(item);
        }
        let picks = picks
            .into_iter()
            .map(|(text, reply)| (text.into(), Pick::Escort(reply)));
        let question = Question {
            text,
            picks: picks.collect(),
            default: default.to_owned(),
            topic: Topic::SetUp,
        };
        self.put_choice(&"".into(), question);
        true
    }

    /// Whether what was asked for stands there now.
    fn stands_there(&self, item: &Item) -> bool {
        let (Some(whole), Some(progress)) = (&self.whole, self.escort_progress()) else {
            return false;
        };
        let table = whole.battle.table();
        let in_play = |id: &ObjectId| table.ship(id).is_some_and(Ship::in_play);
        match item {
            Item::Obstacle(number) => table.obstacles.len() > *number,
            Item::Ship(place) => progress.bound.get(place).is_some_and(in_play),
            Item::Shuttle => progress.shuttle.as_ref().is_some_and(in_play),
            Item::Roles | Item::Model | Item::Edge | Item::Rules => false,
        }
    }

    /// What the players were asked to put down stands there now: the question is taken back.
    pub(super) fn take_back_what_stands(&mut self) {
        let Ask::Choice { picks, .. } = &self.ask else { return };
        if !matches!(picks.first(), Some(Pick::Escort(_))) {
            return;
        }
        let asked = self.escort_progress().and_then(|progress| progress.asked.clone());
        if let Some(item) = asked.filter(|item| self.stands_there(item)) {
            self.drop_ask();
            if let Some(whole) = &mut self.whole {
                whole.escort.asked = None;
                whole.escort.settled.insert(item);
            }
        }
    }

    /// What the players said is done, and the table does not show, is told once; play goes on.
    pub(super) fn tell_what_is_missing(&mut self) {
        let expected = self.whole.as_mut().and_then(|whole| whole.escort.expected.take());
        let Some(item) = expected.filter(|item| !self.stands_there(item)) else {
            return;
        };
        let missing = match &item {
            Item::Obstacle(number) => format!("Obstacle {} is", number + 1),
            Item::Ship((solo, place)) => {
                let led = self.escort.as_ref().map(|led| led.game.clone());
                let ship = led.and_then(|game| Some(game.squad(*solo).ships.get(*place)?.name.clone()));
                format!("{} is", ship.unwrap_or_else(|| "The ship".to_owned()))
            }
            Item::Shuttle => "The shuttle is".to_owned(),
            Item::Roles | Item::Model | Item::Edge | Item::Rules => return,
        };
        self.note(&format!(
            "{missing} not seen on the play area yet. Put it down whenever you like; play goes on."
        ));
    }

    /// The players answered a question of the set-up.
    pub(in crate::game::round) fn escort_answered(&mut self, reply: Reply) {
        let Some(led) = self.escort.clone() else { return };
        let Some(whole) = &mut self.whole else { return };
        let progress = &mut whole.escort;
        let Some(item) = progress.asked.take() else { return };
        let mut looks = false;
        match (reply, &item) {
            (Reply::WeHaveIt(role), _) => {
                let role = role.or(led.game.role).unwrap_or(Role::Attacker);
                self.take_roles(false, role == Role::Attacker, Vec::new());
            }
            (Reply::SoloHasIt, _) => {
                self.give_initiative(&led);
            }
            (Reply::Model(id), _) => self.take_model(&led, id),
            (Reply::Edge(edge), _) => self.take_edge(&led, edge, String::new()),
            // They may look as often as they like.
            (Reply::Done, Item::Rules) => looks = true,
            (Reply::Done, _) => {
                progress.settled.insert(item.clone());
                progress.expected = Some(item);
                looks = true;
            }
            (Reply::Without, _) => {
                progress.settled.insert(item);
            }
            (Reply::ByOurselves, _) => progress.set_up = SetUp::ByPlayers,
        }
        match looks {
            true => self.look(Then::Scenario, false),
            false => self.escort_goes_on(),
        }
    }
}
