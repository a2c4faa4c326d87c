//! The ability queue: what an event opens, in which order its effects are reached, and how the game goes on after them.
//!
//! An event opens one level. Effects enter it if their conditions hold and their price can be paid; both are looked at
//! again when an effect is reached, and one that fails then is dropped without a price. The first player's effects come
//! before the second's (FE-0.6); among the effects of a side, what must be done first, then by initiative, ship and card. What a
//! resolution triggers goes to the front. No effect enters twice for the same event, and the stack has a limit: a card that
//! triggers itself for ever becomes a fault in the record, not a hang.
//!
//! | what | where |
//! |---|---|
//! | what may be chosen, what may be paid | `choices`, `price` |
//! | what happens | `resolve`, `tokens`, `given`, `bring`, `at_once` |
//! | actions that cards add | `headers` |
//! | maneuvers that become others | `reveal` |
//! | destroyed ships that have yet to leave | `fallen` |
//! | what cards do all the time | `standing` |
//! | which effects are played here at all | [`support`] |

use std::{collections::VecDeque, sync::Arc};

use super::{
    Battle, Event, Flight, LostAction, Refused, Request,
    attack::{Fought, support as attack_support},
    conditions::{AttackScene, Chosen, Scene},
    occasion::{Happening, Occasion},
    offer::{GivenAction, Offer},
};
use crate::{
    dice::DiceSource,
    xwing::{
        ObjectId,
        effects::{Effect, Primitive, Role, TokenWord, Window, primitive::BonusAttack},
        ship::Ship,
        targeting,
    },
};

mod at_once;
mod bring;
mod choices;
mod fallen;
mod given;
mod headers;
pub(super) mod places;
mod preview;
mod price;
mod resolve;
mod reveal;
pub mod standing;
pub mod support;
pub(super) mod tokens;
mod unknown;
pub(super) mod words;

pub(super) use price::counted_with;

/// So many levels and resolutions may wait for each other.
const MAX_DEPTH: usize = 32;

/// The key of the question about a card that no file knows.
pub const UNKNOWN_CARD: &str = "unknown_card";

/// The highest initiative at which anything happens.
const HIGHEST: u8 = 7;

/// The most levels that one moment of the game opens, one after the other.
const MAX_CHAIN: u32 = 200;

/// One effect of one card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EffectId {
    /// The ship whose card it is.
    ship: usize,
    /// The card's place among those of the ship.
    card: usize,
    /// Its place on the card.
    effect: usize,
}

/// An effect that is being carried out.
#[derive(Debug, Clone, PartialEq)]
struct Resolving {
    effect: EffectId,
    occasion: Arc<Occasion>,
    chosen: Chosen,
    /// The one that `for_each` has come to.
    each: Option<usize>,
    /// What is still to be done.
    rest: VecDeque<Primitive>,
}

/// A choice within an effect.
#[derive(Debug, Clone, PartialEq)]
enum Pick {
    /// Which of these happens.
    Branch(Vec<Vec<Primitive>>),
    /// Which token a ship gains.
    Gain {
        ship: usize,
        kinds: Vec<TokenWord>,
        count: u32,
    },
    /// Which token a ship loses.
    Lose {
        ship: usize,
        kinds: Vec<TokenWord>,
        count: u32,
    },
    /// Where a turret turns.
    Turn { ship: usize },
    /// Where a ship moves.
    Move { ship: usize },
    /// How a ship rotates.
    Rotate { ship: usize },
    /// Which special weapon is discarded.
    Discard { ship: usize },
    /// Which maneuver a ship executes.
    Maneuver {
        ship: usize,
        options: Vec<crate::xwing::maneuver::Maneuver>,
    },
}

/// What is still to be done, the last one first.
#[derive(Debug, Clone, PartialEq)]
enum Work {
    /// A level of the queue.
    Level {
        occasion: Arc<Occasion>,
        waiting: Vec<EffectId>,
    },
    /// An effect whose use somebody decides.
    Decide {
        effect: EffectId,
        occasion: Arc<Occasion>,
        offer: Box<Offer>,
    },
    /// An effect that goes on.
    Steps(Box<Resolving>),
    /// A choice within an effect that somebody makes.
    Pick {
        resolving: Box<Resolving>,
        pick: Pick,
        offer: Box<Offer>,
    },
    /// An action that a card gives.
    Given(GivenAction),
    /// A request that was put off.
    Ask(Request),
    /// A move that was chosen.
    Fly { index: usize, flight: Box<Flight> },
    /// A moment of a move that is still to be made.
    BeforeMove { window: Window, index: usize },
    /// The Perform Action step.
    ActionStep {
        index: usize,
        lost: Option<LostAction>,
        headers: Headers,
    },
    /// The dice of obstacles, in place of the Perform Action step or after it.
    Obstacles { index: usize, obstacles: Vec<ObjectId> },
    /// An action that a card adds was performed.
    Acted { index: usize },
    /// The end of an activation.
    Activated { index: usize },
    /// An attack is over, but for what comes after it.
    Aftermath { fought: Box<Fought> },
    /// A ship engages.
    Engage { index: usize },
    /// A bonus attack that a card gives, on one ship if one was chosen.
    Bonus {
        effect: EffectId,
        attack: Box<BonusAttack>,
        target: Option<usize>,
    },
    /// The attack under way, if there is one, and the bonus attacks after it.
    Duel,
    /// A ship has engaged.
    Engaged { index: usize },
}

/// How far the actions that cards add have come in a Perform Action step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Headers {
    /// They have not been offered yet.
    ToCome,
    /// They are offered, or were, and none was taken.
    Offered,
    /// One was taken: it was the action.
    Taken,
}

/// The queue and what waits below it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Queue {
    work: Vec<Work>,
    /// The number of the next event.
    next: u64,
    /// The windows at which any card in play has an effect, a bit each.
    windows: u64,
    /// The moments that have been opened for the ship whose turn it is, or for the phase.
    opened: Vec<(Window, Option<usize>)>,
    /// The step of initiative of the Engagement Phase that is opened next; none when all were.
    step: Option<u8>,
    /// Whether this End Phase has taken its tokens.
    tidied: bool,
    /// Levels opened since nothing waited the last time.
    chain: u32,
    /// Destroyed ships whose moment has been opened: they leave when nothing waits any more.
    fallen: Vec<ObjectId>,
    /// The ship that a card keeps from acting after its move.
    acted_before: Option<ObjectId>,
}

/// Work that was taken off the queue for a moment.
pub(super) struct Waiting(Vec<Work>);

const _: () = assert!(Window::ALL.len() <= 64, "the windows fit in the bits of a word");

const fn bit(window: Window) -> u64 {
    1 << window as u64
}

impl Queue {
    /// A moment of the game is over: the next chain of effects begins anew.
    pub(super) fn nothing_waits(&mut self) {
        self.chain = 0;
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.work.is_empty()
    }

    /// Forgets what waits.
    pub(super) fn clear(&mut self) {
        self.work.clear();
    }

    /// Ships have other places among the ships of the table from now on: `places` has the new place for each old one.
    pub(super) fn renumber(&mut self, places: &[usize]) {
        places::renumber(self, places);
    }

    /// Forgets what waits on top.
    pub(super) fn drop_top(&mut self) {
        self.work.pop();
    }

    /// What waits above a depth.
    pub(super) fn split_off(&mut self, depth: usize) -> Waiting {
        Waiting(self.work.split_off(depth.min(self.work.len())))
    }

    /// Puts it on top again.
    pub(super) fn append(&mut self, Waiting(mut work): Waiting) {
        self.work.append(&mut work);
    }

    /// How much waits: what is put below something else is put at a depth noted before.
    pub(super) fn depth(&self) -> usize {
        self.work.len()
    }
}

impl Battle {
    /// The effects of a ship's cards in play.
    fn effects_of(&self, ship: usize) -> impl Iterator<Item = (EffectId, &Effect)> {
        let all = &self.fighters[ship].cards;
        let cards = all.iter().enumerate().filter(|(card, _)| !all.is_ignored(*card));
        cards.flat_map(move |(card, in_play)| {
            let effects = in_play.entry.iter().flat_map(|entry| &entry.effects);
            effects
                .enumerate()
                .map(move |(effect, of)| (EffectId { ship, card, effect }, of))
        })
    }

    /// An effect by its id.
    fn effect(&self, id: EffectId) -> Option<&Effect> {
        let card = self.fighters[id.ship].cards.get(id.card)?;
        card.effects().get(id.effect)
    }

    /// The id of a card as files write it.
    fn card_id(&self, id: EffectId) -> String {
        let card = self.fighters[id.ship].cards.get(id.card);
        card.map_or_else(String::new, |card| card.id.to_string())
    }

    /// The effect that an offer is about.
    pub fn offered(&self, offer: &Offer) -> Option<&Effect> {
        let ship = self.index(&offer.owner)?;
        let mut effects = self.effects_of(ship);
        let found = effects.find(|(id, _)| id.effect == offer.effect && self.card_id(*id) == offer.card);
        found.map(|(_, effect)| effect)
    }

    /// Notes at which moments any card has an effect, so that the others cost nothing.
    pub(super) fn index_windows(&mut self) {
        let mut windows = 0;
        for ship in 0..self.fighters.len() {
            for (_, effect) in self.effects_of(ship) {
                windows |= effect.on.window.iter().fold(0, |bits, window| bits | bit(*window));
            }
        }
        self.queue.windows = windows;
    }

    /// A card has come into play, at a place among those of its ship: its moments may come, and what it does all the time
    /// takes hold.
    pub(super) fn cards_came(&mut self, ship: usize, card: usize) {
        let (mut windows, mut constant) = (0, false);
        for effect in self.fighters[ship]
            .cards
            .get(card)
            .map_or(&[][..], |card| card.effects())
        {
            windows |= effect.on.window.iter().fold(0, |bits, window| bits | bit(*window));
            constant |= effect.on.window.iter().any(|window| standing::WINDOWS.contains(window));
        }
        self.queue.windows |= windows;
        if constant {
            self.fighters[ship].stands = None;
            self.put_standing_in_force(ship);
        }
    }

    /// Whether any card in play has an effect at a moment.
    pub(super) fn has_window(&self, window: Window) -> bool {
        self.queue.windows & bit(window) != 0
    }

    /// The scene of an effect.
    fn scene<'b>(&'b self, id: EffectId, occasion: &'b Occasion, chosen: &'b Chosen, each: Option<usize>) -> Scene<'b> {
        let under_way = || {
            let duel = self.duel.as_ref()?;
            Some(AttackScene {
                attacker: self.index(&duel.attacker)?,
                defender: self.index(&duel.defender)?,
                weapon: duel.weapon,
                range: duel.target.range,
                arc: duel.target.arc,
                obstructing: &[],
            })
        };
        let attack = occasion.attack().map(Fought::scene).or_else(under_way);
        Scene {
            table: &self.table,
            fighters: &self.fighters,
            own: id.ship,
            card: Some(id.card),
            occasion,
            subject: self.subject_of(id, occasion).or(Some(id.ship)),
            of_friends: self.effect(id).is_some_and(|effect| effect.on.role == Role::Friend),
            attack,
            chosen,
            each,
            imagined: &[],
        }
    }

    /// The ship that an event is about, as an effect sees it: after an attack the attacker or the defender, by its role.
    fn subject_of(&self, id: EffectId, occasion: &Occasion) -> Option<usize> {
        if occasion.attack().is_none() {
            return occasion.subject;
        }
        let effect = self.effect(id)?;
        let parts = effect.on.role.parts(occasion.window);
        let mut played = (parts.iter().copied()).filter(|role| self.plays_part(*role, effect, id.ship, occasion));
        match played.next() {
            Some(Role::Defender | Role::FriendDefends | Role::EnemyDefends) => occasion.other,
            _ => occasion.subject,
        }
    }

    /// Whether a ship's role in an event is one of those that the effect names.
    fn plays_role(&self, effect: &Effect, ship: usize, occasion: &Occasion) -> bool {
        let parts = effect.on.role.parts(occasion.window);
        parts.iter().any(|role| self.plays_part(*role, effect, ship, occasion))
    }

    fn plays_part(&self, role: Role, effect: &Effect, ship: usize, occasion: &Occasion) -> bool {
        let subject = occasion.subject.unwrap_or(ship);
        let friends = |other: usize| !self.table.ships[ship].is_enemy_of(&self.table.ships[other]);
        let not_own = |other: usize| !effect.on.other || other != ship;
        match role {
            Role::Own => subject == ship,
            // In a moment of a phase every ship is its own subject: there is no other.
            Role::Friend | Role::Enemy if occasion.subject.is_none() => false,
            Role::Friend => friends(subject) && not_own(subject),
            Role::Enemy => !friends(subject),
            Role::AnyShip => not_own(subject),
            // Aftermath: the subject is the attacker, the other one the defender.
            Role::Attacker => occasion.subject == Some(ship),
            Role::Defender => occasion.other == Some(ship),
            Role::FriendAttacks => occasion.subject.is_some_and(|other| friends(other) && not_own(other)),
            Role::EnemyAttacks => occasion.subject.is_some_and(|other| !friends(other)),
            Role::FriendDefends => occasion.other.is_some_and(|other| friends(other) && not_own(other)),
            Role::EnemyDefends => occasion.other.is_some_and(|other| !friends(other)),
            Role::Device | Role::AttackerOrDefender | Role::FriendAttacksOrDefends | Role::EnemyAttacksOrDefends => {
                false
            }
        }
    }

    /// Opens a level of the queue for what happens to a ship, or at a moment of a phase.
    pub(super) fn open(&mut self, window: Window, subject: Option<usize>, other: Option<usize>, what: Happening) {
        if !self.has_window(window) {
            return;
        }
        let occasion = Occasion {
            id: self.queue.next,
            window,
            subject,
            other,
            what,
        };
        self.queue.next += 1;
        let mut waiting: Vec<EffectId> = Vec::new();
        for ship in 0..self.fighters.len() {
            let shot_down = occasion.attack().is_some() && self.fighters[ship].integrity.is_destroyed();
            if !self.table.ships[ship].in_play() || shot_down {
                continue;
            }
            for (id, effect) in self.effects_of(ship) {
                if effect.on.window.contains(&window)
                    && !occasion.came_with(id.ship, id.card)
                    // Bonus attacks come after everything else, and are asked for there.
                    && !(window == Window::Aftermath && attack_support::is_bonus_played(effect))
                    && self.plays_role(effect, ship, &occasion)
                    && !self.choices(id, effect, &occasion).is_empty()
                {
                    waiting.push(id);
                }
            }
        }
        if waiting.is_empty() {
            return;
        }
        // Effects that set each other off one after the other never wait deep, but would never end either.
        self.queue.chain += 1;
        if self.queue.work.len() >= MAX_DEPTH || self.queue.chain > MAX_CHAIN {
            self.fault(
                waiting[0],
                "too many effects wait for each other: the rest of them is left to the players",
            );
            return;
        }
        waiting.sort_by_cached_key(|id| self.place_in_line(*id, &occasion));
        let occasion = Arc::new(occasion);
        self.queue.work.push(Work::Level { occasion, waiting });
    }

    /// Puts the moment after an attack below what the attack has triggered since there waited so much.
    pub(super) fn expect_aftermath(&mut self, depth: usize, fought: Fought) {
        if self.has_window(Window::Aftermath) {
            let fought = Box::new(fought);
            let depth = depth.min(self.queue.work.len());
            self.queue.work.insert(depth, Work::Aftermath { fought });
        }
    }

    fn open_aftermath(&mut self, fought: Fought) {
        // What came of the damage may have destroyed the defender since.
        let destroyed = self.fighters[fought.defender].integrity.is_destroyed();
        let fought = Fought { destroyed, ..fought };
        let (attacker, defender) = (Some(fought.attacker), Some(fought.defender));
        self.open(Window::Aftermath, attacker, defender, Happening::Attack(fought));
    }

    /// Opens a moment once for a ship's turn or for a phase; whether it was opened only now.
    pub(super) fn open_once(&mut self, window: Window, subject: Option<usize>) -> bool {
        if !self.has_window(window) || self.queue.opened.contains(&(window, subject)) {
            return false;
        }
        self.queue.opened.push((window, subject));
        self.open(window, subject, None, Happening::Moment);
        !self.queue.is_empty()
    }

    /// Opens the next step of initiative of the Engagement Phase down to one, whether a ship engages at it or not. Whether
    /// anything comes of it.
    pub(super) fn open_initiative(&mut self, down_to: u8) -> bool {
        if !self.has_window(Window::EngagementInitiative) {
            return false;
        }
        while let Some(step) = self.queue.step.filter(|step| *step >= down_to) {
            self.queue.step = step.checked_sub(1);
            self.open(Window::EngagementInitiative, None, None, Happening::Initiative(step));
            if !self.queue.is_empty() {
                return true;
            }
        }
        false
    }

    /// Whether the End Phase has yet to take its tokens; from now on it has.
    pub(super) fn tidies_now(&mut self) -> bool {
        !std::mem::replace(&mut self.queue.tidied, true)
    }

    /// A new phase: its moments are to come.
    pub(super) fn forget_opened(&mut self) {
        self.queue.opened.clear();
        self.queue.tidied = false;
        self.queue.step = Some(HIGHEST);
    }

    /// In which order effects are reached: the first player's first; what must be done before what may be; then by
    /// initiative, ship and card. After an attack the defender's side comes first.
    fn place_in_line(&self, id: EffectId, occasion: &Occasion) -> (usize, bool, u8, usize, String, usize) {
        let ship = &self.table.ships[id.ship];
        let may = self.effect(id).is_some_and(|effect| effect.may);
        let rank = match occasion.attack() {
            Some(fought) => usize::from(ship.is_enemy_of(&self.table.ships[fought.defender])),
            None => self.rank(self.side_of(ship)),
        };
        (rank, may, ship.initiative, id.ship, self.card_id(id), id.effect)
    }

    /// Something that cannot go on; play does.
    fn fault(&mut self, id: EffectId, what: &str) {
        let event = Event::CardFault {
            ship: self.table.ships[id.ship].id.clone(),
            card: self.card_id(id),
            text: what.to_owned(),
        };
        self.events.push(event);
    }

    /// Goes on with what waits. `None`: nobody is asked, or nothing waits.
    pub(super) fn work(&mut self, dice: &mut dyn DiceSource) -> Option<Request> {
        match self.queue.work.pop()? {
            Work::Level { occasion, mut waiting } => {
                let next = waiting.remove(0);
                if !waiting.is_empty() {
                    let occasion = Arc::clone(&occasion);
                    self.queue.work.push(Work::Level { occasion, waiting });
                }
                self.reach(next, occasion, dice)
            }
            Work::Steps(resolving) => self.step(*resolving, dice),
            Work::Decide {
                effect,
                occasion,
                offer,
            } => {
                let request = Request::Effect(offer.clone());
                self.queue.work.push(Work::Decide {
                    effect,
                    occasion,
                    offer,
                });
                Some(request)
            }
            Work::Pick { resolving, pick, offer } => {
                let request = Request::Effect(offer.clone());
                self.queue.work.push(Work::Pick { resolving, pick, offer });
                Some(request)
            }
            Work::Given(given) => {
                let index = self.index(&given.ship)?;
                if !self.table.ships[index].in_play() {
                    return None;
                }
                self.queue.work.push(Work::Given(given.clone()));
                Some(Request::CardAction(given))
            }
            Work::Ask(request) => self.can_still_be_asked(&request).then_some(request),
            Work::Fly { index, flight } => {
                self.take_off(index, *flight, dice);
                None
            }
            Work::BeforeMove { window, index } => {
                self.open_before_move(window, index);
                None
            }
            Work::ActionStep { index, lost, headers } => self.offer_headers(index, lost, headers),
            Work::Obstacles { index, obstacles } => {
                self.meet_obstacles_later(index, &obstacles, dice);
                None
            }
            Work::Aftermath { fought } => {
                self.open_aftermath(*fought);
                None
            }
            Work::Acted { index } => {
                if self.goes_on(index) {
                    self.open(Window::AfterAction, Some(index), None, Happening::Moment);
                }
                None
            }
            Work::Activated { index } => {
                if self.goes_on(index) {
                    self.open(Window::AfterActivate, Some(index), None, Happening::Moment);
                }
                None
            }
            Work::Engage { index } => self.engage(index),
            Work::Bonus { effect, attack, target } => self.ask_for_bonus_by(effect, &attack, target),
            Work::Duel => {
                // Bonus attacks belong to the engagement: it is over when nobody may make one any more.
                if self.duel.is_none() && self.fought.is_empty() {
                    return None;
                }
                self.queue.work.push(Work::Duel);
                self.duel_goes_on(dice)
            }
            Work::Engaged { index } => {
                if self.table.ships[index].in_play() {
                    self.open(Window::AfterEngage, Some(index), None, Happening::Moment);
                }
                None
            }
        }
    }

    /// Whether a request that was put off is for somebody who can still do it.
    pub(super) fn can_still_be_asked(&self, request: &Request) -> bool {
        let in_play = |id: &str| self.table.ship(id).is_some_and(Ship::in_play);
        match request {
            Request::Drop { ship } => {
                let ship = self.table.ship(ship).filter(|ship| ship.in_play());
                ship.is_some_and(|ship| !self.drops(ship).is_empty() || !self.other_drops(ship).is_empty())
            }
            Request::Pull { target, .. } => in_play(target),
            Request::Jammed { ship } => in_play(ship) && !self.jammable(ship).is_empty(),
            Request::MineUnder { device, .. } => !self.under_mine(device).is_empty(),
            other => self.index(other.ship()).is_some_and(|index| self.goes_on(index)),
        }
    }

    /// An effect comes to the front: it is asked about, carried out, or dropped.
    fn reach(&mut self, id: EffectId, occasion: Arc<Occasion>, dice: &mut dyn DiceSource) -> Option<Request> {
        if !self.table.ships[id.ship].in_play() {
            return None;
        }
        let effect = self.effect(id)?;
        let mut choices = self.choices(id, effect, &occasion);
        let (may, asks) = (effect.may, self.asks(effect));
        if choices.is_empty() {
            return None;
        }
        if asks.is_none() && !may && choices.len() == 1 {
            let choice = choices.remove(0);
            self.resolve(id, occasion, &choice, dice);
            return None;
        }
        let owner = self.table.ships[id.ship].id.clone();
        let offer = Box::new(Offer {
            ship: owner.clone(),
            owner,
            card: self.card_id(id),
            effect: id.effect,
            window: occasion.window,
            about: occasion.subject.map(|subject| self.table.ships[subject].id.clone()),
            default: (!may && asks.is_none()).then_some(0),
            must: !may && asks.is_none(),
            choices,
            asks,
        });
        self.queue.work.push(Work::Decide {
            effect: id,
            occasion,
            offer,
        });
        self.work(dice)
    }

    /// Somebody answers what a card offers.
    pub(super) fn answer_effect(&mut self, answer: Option<usize>, dice: &mut dyn DiceSource) -> Result<(), Refused> {
        match self.queue.work.last() {
            Some(Work::Decide { offer, .. } | Work::Pick { offer, .. }) => {
                let known = answer.map_or(!offer.must, |index| index < offer.choices.len());
                if !known {
                    let ship = offer.ship.clone();
                    return Err(Refused::Choice { ship });
                }
            }
            _ => return Err(Refused::NotAsked),
        }
        match self.queue.work.pop() {
            Some(Work::Decide {
                effect,
                occasion,
                offer,
            }) => {
                self.record_choice(&offer, answer);
                if let Some(choice) = answer.map(|index| &offer.choices[index])
                    && offer.asks.is_none()
                {
                    self.resolve(effect, occasion, choice, dice);
                }
            }
            Some(Work::Pick { resolving, pick, offer }) => {
                self.record_choice(&offer, answer);
                let choice = answer.map(|index| offer.choices[index].clone());
                self.picked(*resolving, pick, choice, dice);
            }
            // What lies on top was looked at before.
            _ => return Err(Refused::NotAsked),
        }
        Ok(())
    }

    fn record_choice(&mut self, offer: &Offer, answer: Option<usize>) {
        self.events.push(Event::CardChoice {
            ship: offer.ship.clone(),
            owner: offer.owner.clone(),
            card: offer.card.clone(),
            window: offer.window,
            choice: answer.map(|index| offer.choices[index].clone()),
            asks: offer.asks.clone(),
        });
    }

    /// Whether a request waits that was put off.
    pub(super) fn is_put_off(&self, request: &Request) -> bool {
        let mut waiting = self.queue.work.iter();
        waiting.any(|work| matches!(work, Work::Ask(other) if other == request))
    }

    /// Puts a request off until what happens before it is over.
    pub(super) fn ask_later(&mut self, request: Request) {
        self.queue.work.push(Work::Ask(request));
    }

    /// Puts a move off until what follows the reveal is over.
    pub(super) fn fly_later(&mut self, index: usize, flight: Flight) {
        let flight = Box::new(flight);
        self.queue.acted_before = None;
        self.queue.work.push(Work::Fly { index, flight });
        self.open_reveal(index);
    }

    /// Opens the moments between a ship's reveal and its maneuver, the reveal's first.
    pub(super) fn open_reveal(&mut self, index: usize) {
        if self.flight_of(index).is_none() {
            // Where a table moves the ships, what they fly is not said yet.
            self.open(Window::BeforeManeuver, Some(index), None, Happening::Moment);
            self.open(Window::AfterReveal, Some(index), None, Happening::Moment);
            return;
        }
        for window in [Window::WhileManeuver, Window::BeforeManeuver] {
            if self.has_window(window) {
                self.queue.work.push(Work::BeforeMove { window, index });
            }
        }
        self.open_before_move(Window::AfterReveal, index);
    }

    /// Whether a ship has had its turn to attack this round. One that is asked about what comes before it engages has not.
    pub fn has_engaged(&self, id: &str) -> bool {
        let to_come = self.queue.work.iter().any(|work| match work {
            Work::Engage { index } => *self.table.ships[*index].id == *id,
            _ => false,
        });
        !to_come && self.done.iter().any(|done| **done == *id)
    }

    /// Puts a bonus attack below the attack under way: only one is made at a time.
    fn bonus_later(&mut self, effect: EffectId, attack: &BonusAttack, target: Option<usize>) {
        let work = Work::Bonus {
            effect,
            attack: Box::new(attack.clone()),
            target,
        };
        let duel = self.queue.work.iter().position(|work| matches!(work, Work::Duel));
        match duel.filter(|_| self.duel.is_some() || !self.fought.is_empty()) {
            Some(place) => self.queue.work.insert(place, work),
            None => self.queue.work.push(work),
        }
    }

    /// A bonus attack that a card gives is asked for, if the ship can make one.
    fn ask_for_bonus_by(&mut self, id: EffectId, attack: &BonusAttack, target: Option<usize>) -> Option<Request> {
        let allowed = self.bonus_targets(id, attack, target);
        if allowed.is_empty() || self.duel.is_some() || !self.fought.is_empty() {
            return None;
        }
        let ship = self.table.ships[id.ship].id.clone();
        self.bonus_made.push(ship.clone());
        self.offer_bonus(ship.clone(), self.card_id(id), allowed);
        self.expect_duel();
        Some(Request::Attack { ship })
    }

    /// The weapons with which a ship may make a bonus attack now, each with a target.
    fn bonus_targets(&self, id: EffectId, attack: &BonusAttack, target: Option<usize>) -> Vec<(usize, ObjectId)> {
        let ship = &self.table.ships[id.ship];
        let ready =
            ship.in_play() && !self.bonus_made.contains(&ship.id) && targeting::blocked(&self.table, ship).is_empty();
        let mut allowed = Vec::new();
        if !ready {
            return allowed;
        }
        let (none, occasion) = (
            Chosen::default(),
            Occasion {
                id: 0,
                window: Window::EngagementInitiative,
                subject: Some(id.ship),
                other: None,
                what: Happening::Moment,
            },
        );
        for (place, weapon) in ship.weapons.iter().enumerate() {
            for (index, enemy) in self.table.ships.iter().enumerate() {
                let meant = enemy.in_play()
                    && enemy.is_enemy_of(ship)
                    && !self.fighters[index].integrity.is_destroyed()
                    && target.is_none_or(|target| target == index);
                let legal = meant
                    .then(|| targeting::legal_target(&self.table.rules, ship, weapon, enemy))
                    .flatten();
                let Some(legal) = legal else { continue };
                let scene = Scene {
                    attack: Some(AttackScene {
                        attacker: id.ship,
                        defender: index,
                        weapon: place,
                        range: legal.range,
                        arc: legal.arc,
                        obstructing: &[],
                    }),
                    ..self.scene(id, &occasion, &none, None)
                };
                if scene.weapon(&attack.weapon) == Some(true) {
                    allowed.push((place, enemy.id.clone()));
                }
            }
        }
        allowed
    }

    /// Puts a ship's attack below what comes before it engages.
    pub(super) fn engage_later(&mut self, index: usize) {
        self.queue.work.push(Work::Engaged { index });
        self.queue.work.push(Work::Engage { index });
        self.open(Window::BeforeEngage, Some(index), None, Happening::Moment);
    }

    /// The attack that is declared next is finished before what waits goes on.
    pub(super) fn expect_duel(&mut self) {
        self.queue.work.push(Work::Duel);
    }
}
