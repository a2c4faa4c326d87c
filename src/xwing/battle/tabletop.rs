//! A battle that follows a real table: ships are moved there, and what was seen there counts. It keeps what no table shows
//! (hull, cards, charges), plays the phases that it is told to play, and can be put right at any time.

use std::sync::Arc;

use super::{
    Battle, Event, Fighter, Phase, Request, Setup, Side,
    occasion::{Happening, Performed},
};
use crate::{
    dice::DiceSource,
    geometry::Pose,
    xwing::{
        ObjectId,
        action::{ActionDetail, ActionKind},
        damage_deck::{Damage, DamageDeck, DeckFacts},
        device::Harm,
        edition::{Contact, Jam, Reload},
        effects::Window,
        maneuver::Difficulty,
        movement::{self, Execution},
        reposition::{self, Reposition},
        ship::{Ship, Status},
        table::Table,
    },
};

/// An action that was performed at a table.
#[derive(Debug, Clone, PartialEq)]
pub struct ActedAtTable {
    /// Where the ship stood before it.
    pub from: Pose,
    /// Which action.
    pub kind: ActionKind,
    /// Its colour.
    pub difficulty: Difficulty,
    /// How.
    pub detail: ActionDetail,
    /// Whether the ship was stressed when it performed it.
    pub stressed: bool,
}

/// The fighter of a ship that is seen for the first time. Its dial and its actions are the table's.
fn met(ship: &Ship, fighter: Option<Fighter>) -> Fighter {
    Fighter {
        dial: ship.dial.clone(),
        actions: ship.actions.clone(),
        ..fighter.unwrap_or_else(Fighter::unknown)
    }
}

impl Battle {
    /// A battle in the planning phase of a round, which asks for nothing until a phase is begun. Ships without an entry
    /// among the fighters are on the table and take no part: nothing is known about their hull.
    pub fn at_table(mut setup: Setup, round: u32, dice: &mut dyn DiceSource) -> Battle {
        let entries = std::mem::take(&mut setup.fighters);
        let known = |ship: &Ship| entries.iter().find(|(id, _)| *id == ship.id);
        let fighters = setup.table.ships.iter();
        let fighters = fighters
            .map(|ship| met(ship, known(ship).map(|(_, fighter)| fighter.clone())))
            .collect();
        let mut battle = Battle::assemble(setup, fighters, dice);
        battle.at_table = true;
        battle.round = round;
        battle.phase = Phase::Planning;
        battle.index_windows();
        for index in 0..battle.fighters.len() {
            battle.settle_damage_cards(index);
            battle.put_standing_in_force(index);
            battle.ask_about_unknown_cards(index);
        }
        // A game that is joined later was set up without it.
        if round <= 1 {
            battle.open(Window::Setup, None, None, Happening::Moment);
        }
        battle.advance(dice);
        battle
    }

    /// The phase that follows when the dials are set: the first edition has no System Phase (FE-3.1).
    pub const fn after_planning(&self) -> Phase {
        match self.table.rules.has_system_phase() {
            true => Phase::System,
            false => Phase::Activation,
        }
    }

    /// Begins a phase. The system, the engagement and the end phase are played from there, up to the first choice; in the
    /// others a table's players and bridges move the ships, and nothing is asked but whether cloaked ships decloak, where the
    /// activation phase begins with that (FE-6.3).
    pub fn begin_phase(&mut self, phase: Phase, dice: &mut dyn DiceSource) {
        self.pending = None;
        self.duel = None;
        self.detonations = None;
        self.queue.clear();
        self.begin(phase);
        let is_played = match phase {
            Phase::System | Phase::Engagement | Phase::End => true,
            Phase::Activation => !self.table.rules.has_system_phase(),
            Phase::Planning | Phase::Over => false,
        };
        if is_played {
            self.advance(dice);
        } else {
            self.queue.clear();
        }
    }

    /// Whether its players and bridges go on by themselves: the dials are set, the ships move. What is asked meanwhile is about
    /// cards.
    pub fn follows_the_table(&self) -> bool {
        let moves = self.phase == Phase::Activation && !self.activation_over;
        self.at_table && (self.phase == Phase::Planning || moves)
    }

    /// Whether a table has come to where its players and bridges go on by themselves, and no card is left to ask about.
    pub(super) fn waits_for_the_table(&self) -> bool {
        self.follows_the_table() && self.queue.is_empty()
    }

    fn asks_about_a_card(&self) -> bool {
        matches!(self.pending, Some(Request::Effect(_) | Request::CardAction(_)))
    }

    /// Carries out what waits above a depth, as far as nobody has to decide about it: the rest is the players'.
    fn settle_above(&mut self, depth: usize, dice: &mut dyn DiceSource) {
        while self.queue.depth() > depth {
            if let Some(Request::Effect(_) | Request::CardAction(_)) = self.work(dice) {
                self.queue.drop_top();
            }
        }
    }

    /// Lets something happen that is not played here, and opens the moments of cards that come up in it. While a card is
    /// asked about, those that somebody has to decide about are the players': the question is about what was before.
    pub(super) fn let_happen(
        &mut self,
        dice: &mut dyn DiceSource,
        happens: impl FnOnce(&mut Self, &mut dyn DiceSource),
    ) {
        let asked = self.asks_about_a_card();
        let depth = self.queue.depth();
        happens(self, dice);
        if asked {
            self.settle_above(depth, dice);
        }
        self.go_on_at_table(dice);
    }

    /// Reaches the effects of cards whose moment has come, up to the first question about one. Nothing while something is
    /// asked, or in a phase that is played here: there they are reached in its course.
    pub fn go_on_at_table(&mut self, dice: &mut dyn DiceSource) {
        if self.pending.is_none() && self.follows_the_table() {
            self.advance(dice);
        }
    }

    /// A moment of a ship's activation that comes once a phase: before it activates, before its dial is revealed, after its
    /// activation. Nothing if there is no such ship, or in a phase without activations.
    pub fn moment_at_table(&mut self, id: &str, window: Window, dice: &mut dyn DiceSource) {
        if let Some(index) = self.index(id).filter(|_| self.follows_the_table()) {
            if self.table.ships[index].in_play() {
                self.open_once(window, Some(index));
            }
            self.go_on_at_table(dice);
        }
    }

    /// The ship's dial is revealed at the table; its maneuver comes when nothing is asked any more. Nothing if there is no such
    /// ship, or in a phase without activations.
    pub fn revealed_at_table(&mut self, id: &str, dice: &mut dyn DiceSource) {
        if let Some(index) = self.index(id).filter(|_| self.follows_the_table()) {
            let ship = self.table.ships[index].id.clone();
            self.done.retain(|other| *other != ship);
            self.done.push(ship);
            self.moved = None;
            self.open_reveal(index);
            self.go_on_at_table(dice);
        }
    }

    /// A ship's dial is revealed at the table, and it has not moved yet: where the rules let it drop a bomb then, that is asked
    /// (FE-11.1). Nothing if there is no such ship, or in a phase without activations.
    pub fn bomb_at_table(&mut self, id: &str, dice: &mut dyn DiceSource) {
        if let Some(index) = self.index(id).filter(|_| self.follows_the_table()) {
            self.offer_bomb(index);
            self.go_on_at_table(dice);
        }
    }

    /// Takes over which ships have activated at the table.
    pub fn set_activated<'a>(&mut self, ships: impl IntoIterator<Item = &'a ObjectId>) {
        if self.follows_the_table() {
            self.done = ships.into_iter().cloned().collect();
        }
    }

    /// Whether the activations of this round are over: what goes off at their end does.
    pub fn activations_are_over(&self) -> bool {
        self.phase == Phase::Activation && self.activation_over
    }

    /// All ships have activated at the table: what goes off at the end of the activation phase does, and the engagement
    /// phase begins, up to the first choice.
    pub fn finish_activation(&mut self, dice: &mut dyn DiceSource) {
        self.phase = Phase::Activation;
        self.done = self.table.ships_in_play().map(|ship| ship.id.clone()).collect();
        self.activation_over = true;
        self.advance(dice);
    }

    /// Takes over the number of the round.
    pub fn set_round(&mut self, round: u32) {
        self.round = round;
    }

    /// Takes over the sides, the first player's first.
    pub fn set_sides(&mut self, sides: Vec<Side>) {
        self.decks.seat(sides.iter().map(|side| &*side.name));
        self.sides = sides;
    }

    /// The players say whether two ships touch each other since one overlapped the other (FE-4.7). Nothing if one of them is
    /// not there, or where the rules know no such state.
    pub fn put_touching_right(&mut self, one: &str, other: &str, touching: bool) {
        if self.table.rules.contact == Contact::Touching
            && let (Some(one), Some(other)) = (self.index(one), self.index(other))
        {
            self.table.set_touching(one, other, touching);
        }
    }

    /// Takes over what was seen of the ships: where they are, their tokens, locks and turrets. `fighter` tells about ships
    /// that were not there before; their cards take hold then, as they do for all at set-up. What a battle took off the table
    /// stays off, however long its model stands there.
    pub fn see(&mut self, table: &Table, fighter: &dyn Fn(&str) -> Option<Fighter>) {
        let new: Vec<ObjectId> = (table.ships.iter())
            .filter(|ship| self.index(&ship.id).is_none())
            .map(|ship| ship.id.clone())
            .collect();
        let mut ships = Vec::with_capacity(table.ships.len());
        let mut fighters = Vec::with_capacity(table.ships.len());
        for seen in &table.ships {
            let Some(index) = self.index(&seen.id) else {
                ships.push(seen.clone());
                fighters.push(met(seen, fighter(&seen.id)));
                continue;
            };
            let known = &self.table.ships[index];
            // The game goes on without the shuttle's model until it is back.
            let status = match known.status {
                Status::Removed if self.is_lifted(&known.id) => seen.status,
                Status::Destroyed | Status::Removed => known.status,
                _ => seen.status,
            };
            // What cards do to it all the time, no table shows.
            let base = self.fighters[index].base_initiative;
            let shifted = base.is_some_and(|base| base != known.initiative);
            ships.push(Ship {
                status,
                initiative: if shifted { known.initiative } else { seen.initiative },
                turret_limit: known.turret_limit.clone(),
                ignored_obstacles: known.ignored_obstacles.clone(),
                standing: known.standing.clone(),
                dial: known.dial.clone(),
                weapons: known.weapons.clone(),
                actions: known.actions.clone(),
                device: known.device.clone(),
                other_devices: known.other_devices.clone(),
                touching: known.touching.clone(),
                ..seen.clone()
            });
            let mut kept = self.fighters[index].clone();
            if !shifted {
                kept.base_initiative = None;
                kept.stands = None;
            }
            let reinforced = seen.tokens.reinforce as usize;
            kept.reinforced.truncate(reinforced);
            // Which side a token covers is not always seen. **choice** The fore side then.
            kept.reinforced.resize(reinforced, crate::xwing::action::FullArc::Fore);
            fighters.push(kept);
        }
        // A ship that is no longer seen has left the table.
        for (known, fighter) in self.table.ships.iter().zip(&self.fighters) {
            if table.ship(&known.id).is_none() {
                let status = if known.in_play() { Status::Removed } else { known.status };
                ships.push(Ship {
                    status,
                    ..known.clone()
                });
                fighters.push(fighter.clone());
            }
        }
        let mut order: Vec<usize> = (0..ships.len()).collect();
        order.sort_by(|&a, &b| ships[a].id.cmp(&ships[b].id));
        let known = self.table.ships.iter();
        let places: Vec<usize> = known
            .filter_map(|known| order.iter().position(|&place| ships[place].id == known.id))
            .collect();
        self.renumber(&places);
        self.fighters = order.iter().map(|&index| fighters[index].clone()).collect();
        let seen = Table::new(table.area, ships, table.obstacles.clone(), table.markers.clone());
        self.table = seen.with_rules(self.table.rules);
        self.recount = true;
        self.index_windows();
        let set_up = self.round <= 1 && self.phase == Phase::Planning;
        for index in new.iter().filter_map(|id| self.index(id)).collect::<Vec<_>>() {
            self.settle_damage_cards(index);
            self.put_standing_in_force(index);
            if self.follows_the_table() && self.pending.is_none() {
                self.ask_about_unknown_cards(index);
            }
            if set_up && self.pending.is_none() {
                self.open(Window::Setup, Some(index), None, Happening::Moment);
            }
        }
    }

    /// Ships have other places from now on: what waits, and the attacks under way, follow them.
    fn renumber(&mut self, places: &[usize]) {
        self.queue.renumber(places);
        for fought in &mut self.fought {
            fought.renumber(places);
        }
        if let Some(windows) = self.duel.as_mut().and_then(|duel| duel.windows.as_mut()) {
            Arc::make_mut(&mut windows.cards).renumber(places);
        }
    }

    /// A ship suffers damage that does not come from an attack that is played here. Nothing if there is no such ship.
    pub fn deal(&mut self, id: &str, damage: Damage, dice: &mut dyn DiceSource) {
        if let Some(index) = self.index(id) {
            self.let_happen(dice, |battle, dice| {
                battle.suffer(index, damage, dice);
                battle.remove_at_table();
            });
        }
    }

    /// Takes destroyed ships off, but in the engagement phase: there the ships of the same initiative may still fire.
    fn remove_at_table(&mut self) {
        if self.phase != Phase::Engagement {
            self.remove_destroyed();
        }
    }

    /// A device has reached a ship at the table ([`device::reached`](crate::xwing::device::reached)) and the ship's dice for it
    /// are rolled ([`device::harm`](crate::xwing::device::harm)): it suffers the harm (SA-2). Nothing if there is no such ship.
    pub fn blasted_at_table(&mut self, id: &str, harm: Harm, dice: &mut dyn DiceSource) {
        if let Some(index) = self.index(id) {
            self.let_happen(dice, |battle, dice| {
                battle.take_harm(index, harm, dice);
                battle.remove_at_table();
            });
        }
    }

    /// A ship has moved at the table, from a pose to where it stands now: obstacles are suffered (SA-7), mines go off (SA-2),
    /// its damage cards and the cards of all answer. Nothing if there is no such ship.
    pub fn moved_at_table(
        &mut self,
        id: &str,
        from: Pose,
        execution: &Execution,
        ionized: bool,
        dice: &mut dyn DiceSource,
    ) {
        if let Some(index) = self.index(id) {
            self.let_happen(dice, |battle, dice| {
                battle.after_move(index, from, execution, ionized, dice);
                battle.moved = Some((battle.table.ships[index].id.clone(), execution.clone()));
            });
        }
    }

    /// A ship has performed an action at the table, whose tokens and places are seen already: mines go off under it, its damage
    /// cards answer, and the moments of cards are opened. They are reached in [`Battle::go_on_at_table`], when all actions of
    /// the step are performed.
    pub fn acted_at_table(&mut self, id: &str, act: &ActedAtTable, dice: &mut dyn DiceSource) {
        let Some(index) = self.index(id) else { return };
        let depth = self.queue.depth();
        let options = self.movement(index);
        let before = Ship {
            pose: act.from,
            ..self.table.ships[index].clone()
        };
        match &act.detail {
            ActionDetail::BarrelRoll { side, slide_mm } => {
                let roll = |table: &Table| reposition::barrel_roll(table, &before, *side, *slide_mm, &options);
                self.meet_in_reposition(index, act.from, roll, dice);
            }
            ActionDetail::Boost(template) => {
                let boost = |table: &Table| reposition::boost(table, &before, *template, &options);
                self.meet_in_reposition(index, act.from, boost, dice);
            }
            ActionDetail::Slam { maneuver, alignment } => {
                let flown = movement::execute(&self.table, &before, *maneuver, *alignment, &options);
                self.after_move(index, act.from, &flown, false, dice);
            }
            // Players may have put the cards right themselves.
            detail if act.kind == ActionKind::Reload => {
                let _ = match (self.table.rules.reload, detail) {
                    (Reload::OneCharge, ActionDetail::Reload(upgrade)) => self.recover_charge(index, upgrade),
                    (Reload::AllCards, ActionDetail::Reload(upgrade)) => self.turn_up_cards(index, Some(upgrade)),
                    (Reload::AllCards, _) => self.turn_up_cards(index, None),
                    (Reload::OneCharge, _) => Ok(()),
                };
            }
            // No table shows shields.
            ActionDetail::Token if act.kind == ActionKind::Recover => {
                let _ = self.recover(index);
            }
            _ => {}
        }
        self.settle_jams_at_table(index, &act.detail);
        let action = Performed::of(act.kind, act.difficulty, &act.detail, act.stressed);
        self.after_performing(index, depth, action);
        if self.asks_about_a_card() || !self.follows_the_table() {
            self.settle_above(depth, dice);
        }
        self.remove_at_table();
    }

    /// Jam tokens that lie at the table beside what they take with them (FE-6.7), after an action of a ship. Where the jamming
    /// side picks what it takes, the players see to it.
    fn settle_jams_at_table(&mut self, index: usize, detail: &ActionDetail) {
        match self.table.rules.jam {
            Jam::JammerPicks => {}
            Jam::OwnerPicks { .. } => {
                let jammed = match detail {
                    ActionDetail::Jam(target) => self.index(target),
                    _ => None,
                };
                for ship in [Some(index), jammed].into_iter().flatten() {
                    self.settle_jam(ship);
                }
            }
        }
    }

    /// A ship that was boosted or rolled at the table meets the obstacles and mines on its way.
    fn meet_in_reposition(
        &mut self,
        index: usize,
        from: Pose,
        how: impl Fn(&Table) -> Reposition,
        dice: &mut dyn DiceSource,
    ) {
        self.table.moved(index, from);
        let (crossed, mines) = (how(&self.table).crossed, self.mines_met(&how));
        self.go_over(index, &crossed, dice);
        self.meet_mines(index, &mines, dice);
        self.crossed = crossed;
    }

    /// The cards whose own action a ship at the table may take for its action now, by their ids. None while something is asked.
    pub fn card_actions_at_table(&self, id: &str) -> Vec<String> {
        let Some(index) = self.index(id).filter(|_| self.pending.is_none()) else {
            return Vec::new();
        };
        let mut asked = self.clone();
        asked.pending = Some(self.action_of(index));
        asked.card_actions(id)
    }

    /// A ship at the table takes the action of one of its cards, such as the repair of a damage card. False if it cannot.
    pub fn acted_by_card_at_table(&mut self, id: &str, card: &str, dice: &mut dyn DiceSource) -> bool {
        let Some(index) = self.index(id).filter(|_| self.pending.is_none()) else {
            return false;
        };
        self.pending = Some(self.action_of(index));
        let done = match self.mine_of(index, card) {
            Some(mine) => self.drop_as_action(index, card, mine, dice).is_ok(),
            None => self.act_by_header(index, card, dice).is_ok(),
        };
        self.pending = None;
        self.go_on_at_table(dice);
        done
    }

    fn action_of(&self, index: usize) -> Request {
        Request::Act {
            ship: self.table.ships[index].id.clone(),
            coordinated_by: None,
        }
    }

    /// A ship of the players has left the play area over the edge in its move. Nothing if there is no such ship.
    pub fn fled_at_table(&mut self, id: &str) {
        if let Some(index) = self.index(id) {
            self.leave(index, Status::Removed);
            let ship = self.table.ships[index].id.clone();
            self.events.push(Event::Fled { ship });
        }
    }

    /// A ship has arrived at the table (SA-13). `anew`: its model was shot down and comes as this other ship. Nothing if
    /// there is no such ship.
    pub fn arrive_at_table(&mut self, id: &str, pose: Pose, locks: Vec<ObjectId>, anew: Option<(&Ship, Fighter)>) {
        let Some(index) = self.index(id) else { return };
        let ship = &mut self.table.ships[index];
        if let Some((other, fighter)) = anew {
            *ship = Ship {
                id: ship.id.clone(),
                name: std::mem::take(&mut ship.name),
                side: std::mem::take(&mut ship.side),
                ..other.clone()
            };
            self.fighters[index] = fighter;
        }
        ship.pose = pose;
        ship.status = Status::InPlay;
        ship.locks.clone_from(&locks);
        let arrived = Event::Arrived {
            ship: ship.id.clone(),
            name: ship.name.clone(),
            instead_of: None,
            pose,
            locks,
        };
        self.events.push(arrived);
        self.settle_damage_cards(index);
        self.cards_change(index);
        self.put_standing_in_force(index);
        self.index_windows();
        self.recount = true;
    }

    /// A ship has left the table where it is safe (SA-13). Nothing if there is no such ship.
    pub fn saved_at_table(&mut self, id: &str) {
        if let Some(index) = self.index(id) {
            self.leave(index, Status::Removed);
            let ship = self.table.ships[index].id.clone();
            self.events.push(Event::Saved { ship });
        }
    }

    /// A ship has left the table at the corner that it was making for (SA-13). Nothing if there is no such ship.
    pub fn escaped_at_table(&mut self, id: &str) {
        if let Some(index) = self.index(id) {
            self.leave(index, Status::Removed);
            let ship = self.table.ships[index].id.clone();
            self.events.push(Event::Escaped { ship });
        }
    }

    /// Puts right what is kept of a ship. False if there is no such ship.
    pub fn put_right(
        &mut self,
        id: &str,
        change: impl FnOnce(&mut Ship, &mut Fighter, &mut DamageDeck, &DeckFacts),
    ) -> bool {
        let Some(index) = self.index(id) else { return false };
        let (ship, fighter) = (&mut self.table.ships[index], &mut self.fighters[index]);
        let deck = self.decks.of(&ship.side);
        change(ship, fighter, deck, self.facts);
        self.settle_damage_cards(index);
        self.cards_change(index);
        true
    }

    /// Marks a ship as having had its turn in this phase, or as waiting. In the engagement phase the next ship is asked
    /// then, unless an attack is under way.
    pub fn set_done(&mut self, id: &str, done: bool, dice: &mut dyn DiceSource) {
        self.done.retain(|other| **other != *id);
        if let Some(index) = self.index(id).filter(|_| done) {
            self.done.push(self.table.ships[index].id.clone());
        }
        if self.phase == Phase::Engagement && self.duel.is_none() {
            // Who is asked now has not had its turn.
            if let Some(Request::Attack { ship }) = self.pending.take()
                && *ship != *id
            {
                self.done.retain(|other| *other != ship);
            }
            self.advance(dice);
        }
    }

    /// Gives up the attack under way; nothing comes of it.
    pub fn drop_attack(&mut self, dice: &mut dyn DiceSource) {
        if let Some(duel) = self.duel.take() {
            self.events.push(Event::HeldFire {
                ship: duel.attacker,
                cause: super::NoAttack::Declined,
            });
            self.advance(dice);
        }
    }

    /// The damage deck that the ships of a side draw from.
    pub fn deck(&self, side: &str) -> &DamageDeck {
        self.decks.seen_by(side)
    }

    /// What the damage cards are.
    pub fn deck_facts(&self) -> &'static DeckFacts {
        self.facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        dice::SeededDice,
        geometry::Pose,
        xwing::{
            battle::{Answer, Side},
            catalog::Catalog,
            effects::CardBook,
            ship::Tokens,
            table::PlayArea,
        },
    };

    fn side(name: &str) -> Side {
        Side {
            name: name.to_owned(),
            dials: true,
            flees: true,
        }
    }

    fn ship(id: &str, side: &str, chassis: &str, pose: Pose) -> (Ship, Fighter) {
        let resolved = Catalog::embedded()
            .resolve(chassis, None, std::iter::empty::<&str>())
            .expect("a ship of the catalog");
        let fighter = Fighter::of(&resolved).expect("its hull is known");
        (resolved.into_ship(id.into(), side.to_owned(), pose), fighter)
    }

    fn duel_at_range_2() -> (Battle, SeededDice) {
        let ships = [
            ship("a", "player", "t65xwing", Pose::new(400.0, 200.0, 0.0)),
            ship("b", "solo", "tielnfighter", Pose::new(400.0, 400.0, 180.0)),
        ];
        let (ships, fighters): (Vec<_>, Vec<_>) = ships
            .into_iter()
            .map(|(ship, fighter)| (ship.clone(), (ship.id, fighter)))
            .unzip();
        let setup = Setup {
            table: Table::new(PlayArea::STANDARD, ships, Vec::new(), Vec::new()),
            fighters,
            sides: vec![side("player"), side("solo")],
            alternating: false,
            rounds: None,
            guides: false,
            mission: None,
            escort: None,
        };
        let mut dice = SeededDice::new(1);
        let battle = Battle::at_table(setup, 3, &mut dice);
        (battle, dice)
    }

    #[test]
    fn it_asks_for_nothing_before_the_engagement_phase_and_stops_in_the_next_planning_phase() {
        let (mut battle, mut dice) = duel_at_range_2();
        assert_eq!(
            (battle.round(), battle.phase(), battle.pending()),
            (3, Phase::Planning, None)
        );
        battle.begin_phase(Phase::Activation, &mut dice);
        assert_eq!(battle.pending(), None);
        battle.begin_phase(Phase::Engagement, &mut dice);
        for _ in 0..2 {
            assert!(matches!(battle.pending(), Some(Request::Attack { .. })));
            battle
                .answer(Answer::Attack(None), &mut dice)
                .expect("nobody must attack");
        }
        assert_eq!((battle.round(), battle.phase()), (4, Phase::Planning));
    }

    #[test]
    fn what_is_seen_counts_and_what_is_not_seen_is_kept() {
        let (mut battle, mut dice) = duel_at_range_2();
        battle.deal("b", Damage { hits: 1, crits: 0 }, &mut dice);
        let mut seen = battle.table().clone();
        seen.ships[0].pose = Pose::new(100.0, 100.0, 90.0);
        seen.ships[1].tokens = Tokens {
            focus: 1,
            reinforce: 1,
            ..Tokens::default()
        };
        let (new, fighter) = ship("c", "solo", "tielnfighter", Pose::new(800.0, 800.0, 180.0));
        seen.ships.push(new);
        battle.see(&seen, &|id| (id == "c").then(|| fighter.clone()));
        assert_eq!(battle.table().ships[0].pose, Pose::new(100.0, 100.0, 90.0));
        assert_eq!(battle.table().ships[1].tokens.focus, 1);
        let b = battle.fighter("b").expect("it is there");
        assert_eq!((b.left(), b.reinforced.len()), (2, 1));
        assert_eq!(battle.fighter("c").map(Fighter::left), Some(3));
        // A model that still stands there does not bring a destroyed ship back.
        battle.deal("b", Damage { hits: 2, crits: 0 }, &mut dice);
        battle.see(&seen, &|_| None);
        assert_eq!(battle.table().ships[1].status, Status::Destroyed);
        // One that is gone has left.
        seen.ships.remove(0);
        battle.see(&seen, &|_| None);
        assert_eq!(battle.table().ship("a").map(|ship| ship.status), Some(Status::Removed));
    }

    #[test]
    fn sa_2_a_device_at_the_table_harms_whom_it_reaches() {
        let (mut battle, mut dice) = duel_at_range_2();
        battle.begin_phase(Phase::Activation, &mut dice);
        let harm = Harm {
            hits: 1,
            ion: 3,
            ..Harm::default()
        };
        let left = battle.fighter("a").map(Fighter::left);
        battle.blasted_at_table("a", harm, &mut dice);
        assert_eq!(battle.fighter("a").map(Fighter::left), left.map(|left| left - 1));
        assert_eq!(battle.table().ships[0].tokens.ion, 3);
        battle.blasted_at_table("b", Harm { hits: 9, ..harm }, &mut dice);
        assert_eq!(battle.table().ships[1].status, Status::Destroyed);
    }

    #[test]
    fn a_turn_may_be_taken_back_or_taken_for_done() {
        let (mut battle, mut dice) = duel_at_range_2();
        battle.begin_phase(Phase::Engagement, &mut dice);
        let first = battle.pending().map(|request| request.ship().clone());
        let first = first.expect("somebody is asked");
        battle.set_done(&first, true, &mut dice);
        let second = battle.pending().map(|request| request.ship().clone());
        assert!(second.is_some() && second.as_ref() != Some(&first));
        battle.set_done(&first, false, &mut dice);
        assert_eq!(battle.pending().map(|request| request.ship().clone()), Some(first));
    }

    #[test]
    fn a_ship_of_unknown_hull_is_never_destroyed_by_counting() {
        let (mut battle, mut dice) = duel_at_range_2();
        let mut seen = battle.table().clone();
        let mut stranger = seen.ships[1].clone();
        stranger.id = "x".into();
        stranger.dial = Arc::default();
        seen.ships.push(stranger);
        battle.see(&seen, &|_| None);
        battle.deal("x", Damage { hits: 20, crits: 0 }, &mut dice);
        assert!(
            battle
                .fighter("x")
                .is_some_and(|fighter| !fighter.is_known() && !fighter.integrity.is_destroyed())
        );
        battle.put_right("x", |_, fighter, _, _| fighter.integrity.hull = 5);
        assert!(
            battle
                .fighter("x")
                .is_some_and(|fighter| fighter.integrity.is_destroyed())
        );
    }

    #[test]
    fn an_attack_and_what_follows_it_are_of_the_same_ships_when_others_come_in_the_middle_of_it() {
        let book = CardBook::default()
            .with_file(
                "cards.toml",
                r#"
[[card]]
id = "pilot:academypilot"
[[card.effect]]
on = { window = "attack_modify", role = "attacker" }
may = true
do = [{ change_result = { from = "any", to = "crit", n = 1 } }, { gain_token = { token = "stress" } }]
[[card.effect]]
on = { window = "aftermath", role = "attacker" }
do = [{ gain_token = { token = "evade" } }]
"#,
            )
            .expect("cards");
        let resolved = Catalog::embedded()
            .resolve("tielnfighter", Some("academypilot"), std::iter::empty::<&str>())
            .expect("a ship of the catalog");
        let (mut battle, mut dice) = duel_at_range_2();
        battle.put_right("b", |_, fighter, _, _| {
            *fighter = Fighter::with_cards(&resolved, &book).expect("its hull is known");
        });
        battle.index_windows();
        battle.begin_phase(Phase::Engagement, &mut dice);
        for _ in 0..200 {
            let Some(request) = battle.pending().cloned() else {
                break;
            };
            let attack = crate::xwing::battle::AttackOrder {
                weapon: 0,
                target: "a".into(),
            };
            let answer = match &request {
                Request::Attack { ship } if **ship == *"b" => Answer::Attack(Some(attack)),
                Request::Attack { .. } => Answer::Attack(None),
                Request::Effect(offer) => Answer::Effect(offer.default),
                _ => {
                    let windows = battle
                        .duel()
                        .and_then(|duel| duel.windows.as_ref())
                        .expect("cards have a say");
                    let (_, _, steps) = windows.turn().expect("somebody has a turn");
                    let by_card =
                        |step: &&crate::xwing::combat::contest::Step| windows.cards.card_of(step.effect).is_some();
                    let step = steps.iter().find(by_card).copied();
                    // Others come before the card is used.
                    if step.is_some() && battle.table().ship("0").is_none() {
                        let mut seen = battle.table().clone();
                        let (other, _) = ship("0", "player", "tielnfighter", Pose::new(800.0, 800.0, 0.0));
                        seen.ships.insert(0, other);
                        battle.see(&seen, &|_| None);
                    }
                    let idle = battle.duel().and_then(|duel| duel.windows.as_ref()?.idle());
                    match step {
                        Some(step) => Answer::Dice(crate::xwing::battle::DiceChoice { step, weighed: None }),
                        None => Answer::Dice(idle.expect("a way on")),
                    }
                }
            };
            battle.answer(answer, &mut dice).expect("the rules allow it");
        }
        let tokens = |id: &str| battle.table().ship(id).expect("it is there").tokens;
        // Evade tokens go in the end phase: that it was gained is in the record.
        assert_eq!([tokens("0").stress, tokens("a").stress, tokens("b").stress], [0, 0, 1]);
        let gained: Vec<&str> = (battle.events().iter())
            .filter_map(|event| match event {
                Event::Tokens { ship, tokens } if tokens.evade > 0 => Some(&**ship),
                _ => None,
            })
            .collect();
        assert_eq!(gained, ["b"]);
    }
}
