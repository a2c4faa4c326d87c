//! The cards that have a say in an attack: which of their effects come up in it, and as what the solver sees them.

use std::sync::Arc;

use super::{
    super::{
        Battle,
        conditions::{AttackScene, Chosen, Scene},
        occasion::{Happening, Occasion},
        queue::places::{of_chosen, place},
    },
    pools::is_counted,
    read::Reading,
};
use crate::xwing::{
    ObjectId,
    combat::{
        Attack, SpendFirst,
        contest::{
            Ban, Change, Contest, Dice, Effect, Face, FaceSet, HowMany, Resource, ResourceKind, Side,
            Window as ContestWindow, WindowSet, tokens::Tools,
        },
    },
    effects::{Coming, EffectRef, Primitive, Role, Window, primitive::InflictInstead, token::TokenWord},
    measure,
    obstacle::ObstacleKind,
    ship::{Ship, Tokens},
    targeting,
    weapon::Weapon,
};

/// What a resource of the contest is on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// A ship's tokens of a kind.
    Token(TokenWord),
    /// The lock of a ship on the other one of the attack.
    Lock,
    /// Force charges.
    Force,
    /// The charges of a card, by its place among the ship's.
    Charge(usize),
    /// Shields that may be spent.
    Shield,
    /// Hull and shields that it can lose and live.
    Life,
    /// A mark that something was done in this attack, by its number.
    Mark(usize),
}

/// Who has a resource of the contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Holding {
    pub ship: usize,
    pub held: Held,
}

/// Damage that an effect costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Suffering {
    pub hits: u8,
    pub crits: u8,
    /// Damage of the kind of the results that the effect takes away.
    pub matching: u8,
}

/// One effect of a card as it may be used in an attack.
#[derive(Debug, Clone, PartialEq)]
pub struct CardUse {
    /// The place of the ship whose card it is.
    pub(super) ship: usize,
    /// The card's place among the ship's, and the effect's on the card.
    pub at: EffectRef,
    /// The moment.
    pub(super) window: Window,
    /// The ship whose card it is.
    pub owner: ObjectId,
    /// The card's id, as in `pilot:howlrunner`.
    pub id: String,
    /// Harmful tokens that it costs, by the place of the ship that gains them.
    pub(super) gains: Vec<(usize, Tokens)>,
    /// Damage that it costs.
    pub(super) suffers: Option<(usize, Suffering)>,
    /// What happens beside the dice.
    pub(super) aside: Vec<Primitive>,
    /// Who was chosen for it.
    pub(super) chosen: Chosen,
    /// How many charges are paid, where the card leaves the number open.
    pub(super) paid: Option<u8>,
}

/// The cards that have a say in an attack, and the attack as they make it.
#[derive(Debug, Clone, PartialEq)]
pub struct Contested {
    /// The attack for the solver: effects of cards have the first places, in the order of [`Contested::uses`].
    pub contest: Contest,
    /// The effects of cards.
    pub uses: Vec<CardUse>,
    pub(super) holdings: Vec<Holding>,
    /// The face that is named by each mark; `None` for marks of other things.
    pub(super) named: Vec<Option<Face>>,
    /// What results give instead of damage, with whose card it is.
    pub(super) inflict: Option<(ObjectId, InflictInstead)>,
    /// What is forbidden for the whole attack, and by which card.
    pub forbidden: Vec<Forbidden>,
}

/// Something that a card forbids in an attack: it has to be told to whoever rolls the dice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forbidden {
    /// Whom.
    pub side: Side,
    /// With which dice.
    pub dice: Dice,
    /// What.
    pub ban: Ban,
    /// The ship whose card it is.
    pub owner: ObjectId,
    /// The card's id.
    pub card: String,
    /// The card's place among the ship's, and the effect's on the card.
    pub at: EffectRef,
}

impl Contested {
    /// Ships have other places from now on.
    pub(in crate::xwing::battle) fn renumber(&mut self, places: &[usize]) {
        for holding in &mut self.holdings {
            holding.ship = place(places, holding.ship);
        }
        for used in &mut self.uses {
            used.ship = place(places, used.ship);
            for (ship, _) in &mut used.gains {
                *ship = place(places, *ship);
            }
            if let Some((ship, _)) = &mut used.suffers {
                *ship = place(places, *ship);
            }
            of_chosen(&mut used.chosen, places);
        }
    }

    /// The effect of a card that a step would use; `None` for tokens and for the end of a turn.
    pub fn card_of(&self, effect: Option<u8>) -> Option<&CardUse> {
        self.uses.get(usize::from(effect?))
    }
}

/// Collects the effects of all cards for one attack.
pub(super) struct Gathering<'b> {
    pub battle: &'b Battle,
    pub attack: AttackScene<'b>,
    pub tools: Tools,
    pub holdings: Vec<Holding>,
    pub uses: Vec<CardUse>,
    pub inflict: Option<(ObjectId, InflictInstead)>,
    pub forbidden: Vec<Forbidden>,
    /// The effects that have been read: each is used once, in whatever window.
    groups: Vec<(usize, EffectRef)>,
    /// What marks stand for: an effect, and which of its marks.
    marks: Vec<(usize, EffectRef, usize)>,
    /// The face that each of them names, if it names one.
    named: Vec<Option<Face>>,
    /// The mark that the attacker has modified attack dice, when any effect asks.
    modified: Option<u8>,
}

/// The mark of no effect: that the attacker has modified its dice.
const MODIFIED: (usize, EffectRef, usize) = (
    usize::MAX,
    EffectRef {
        card: usize::MAX,
        effect: 0,
    },
    0,
);

/// Effects that are used once in an attack: more of them than a contest has room for are left out.
const MOST_GROUPS: u8 = 60;

impl<'b> Gathering<'b> {
    fn new(battle: &'b Battle, attack: AttackScene<'b>, pools: &Attack) -> Self {
        let tools = Tools::of_tokens(pools, [SpendFirst::default(); 2]);
        let (ours, theirs) = (attack.attacker, attack.defender);
        // In the order of `Tools::of_tokens`.
        let holdings = vec![
            (ours, Held::Lock),
            (ours, Held::Token(TokenWord::Focus)),
            (ours, Held::Token(TokenWord::Calculate)),
            (ours, Held::Force),
            (theirs, Held::Token(TokenWord::Focus)),
            (theirs, Held::Token(TokenWord::Calculate)),
            (theirs, Held::Force),
            (theirs, Held::Token(TokenWord::Evade)),
        ];
        Gathering {
            battle,
            attack,
            tools,
            holdings: holdings
                .into_iter()
                .map(|(ship, held)| Holding { ship, held })
                .collect(),
            uses: Vec::new(),
            inflict: None,
            forbidden: Vec::new(),
            groups: Vec::new(),
            marks: Vec::new(),
            named: Vec::new(),
            modified: None,
        }
    }

    /// The place of a mark of an effect among the resources: it is set once something is done, and taken by what follows.
    pub fn pending(&mut self, of: (usize, EffectRef, usize)) -> u8 {
        self.mark(of, None)
    }

    /// The place of the mark that a face is named for dice.
    pub fn naming(&mut self, ship: usize, at: EffectRef, dice: Dice, face: Face) -> u8 {
        self.mark(
            (ship, at, 1 + dice as usize * Face::ALL.len() + face as usize),
            Some(face),
        )
    }

    fn mark(&mut self, of: (usize, EffectRef, usize), face: Option<Face>) -> u8 {
        let known = self.marks.iter().position(|mark| *mark == of);
        let mark = known.unwrap_or_else(|| {
            self.marks.push(of);
            self.named.push(face);
            self.marks.len() - 1
        });
        self.resource(self.attack.attacker, Held::Mark(mark))
    }

    /// The place of the mark that the attacker has modified attack dice.
    pub fn modified(&mut self) -> u8 {
        let place = self.pending(MODIFIED);
        self.modified = Some(place);
        place
    }

    /// Lets everything that modifies attack dice for the attacker set the mark of it.
    fn mark_modifying(&mut self) {
        let Some(resource) = self.modified else { return };
        let effects = self.tools.cards.iter_mut().chain(&mut self.tools.tokens);
        for effect in effects {
            let modifies = effect.side == Side::Attacker
                && effect.windows.has(ContestWindow::AttackModify)
                && effect.modifies(Dice::Attack);
            if modifies {
                effect.does.push(Change::Stock { resource, by: 1 });
            }
        }
    }

    /// Whose side a ship is on in the attack.
    pub fn side(&self, ship: usize) -> Side {
        let ships = &self.battle.table.ships;
        match ships[ship].is_enemy_of(&ships[self.attack.attacker]) {
            true => Side::Defender,
            false => Side::Attacker,
        }
    }

    /// The place of a resource of a ship among those of the contest, with what there is of it.
    pub fn resource(&mut self, ship: usize, held: Held) -> u8 {
        let wanted = Holding { ship, held };
        if let Some(place) = self.holdings.iter().position(|holding| *holding == wanted) {
            return place as u8;
        }
        let (table, fighter) = (&self.battle.table.ships[ship], &self.battle.fighters[ship]);
        let count = |word| super::super::conditions::tokens_of(&table.tokens, word).unwrap_or(0);
        let (kind, left) = match held {
            Held::Token(word) => (kind_of(word), count(word)),
            Held::Lock => {
                let other = match self.side(ship) {
                    Side::Attacker => self.attack.defender,
                    Side::Defender => self.attack.attacker,
                };
                let id = &self.battle.table.ships[other].id;
                (
                    ResourceKind::Lock,
                    table.locks.iter().filter(|lock| *lock == id).count() as u32,
                )
            }
            Held::Force => (ResourceKind::Force, table.tokens.force),
            Held::Charge(card) => (ResourceKind::Charge, self.battle.card_charges(ship, card)),
            Held::Shield => (ResourceKind::Life, u32::from(fighter.integrity.shields)),
            Held::Life => (ResourceKind::Life, fighter.left().saturating_sub(1)),
            Held::Mark(_) => (ResourceKind::Mark, 0),
        };
        let own = ship == self.attack.attacker || ship == self.attack.defender;
        let rank = match held {
            Held::Charge(card) if fighter.cards.get(card).is_some_and(|card| card.recovers > 0) => {
                Resource::RECURRING_CHARGE
            }
            Held::Charge(_) => Resource::FINITE_CHARGE,
            Held::Life | Held::Shield | Held::Mark(_) => 0,
            _ if !own && self.battle.done.contains(&table.id) => Resource::FRIEND,
            Held::Token(TokenWord::Focus) => Resource::OWN + 1,
            Held::Lock | Held::Token(TokenWord::Evade) => Resource::OWN + 2,
            Held::Force => Resource::OWN + 3,
            Held::Token(_) => Resource::OWN,
        };
        self.holdings.push(wanted);
        let side = self.side(ship);
        self.tools.resource(Resource {
            kind,
            side,
            left: super::few(left).min(31),
            rank,
        })
    }

    /// Whom a window is about when a ship plays a role in it; `None` when it does not.
    fn subject(&self, role: Role, ship: usize, other: bool, window: Window) -> Option<usize> {
        let (ours, theirs) = (self.attack.attacker, self.attack.defender);
        let ships = &self.battle.table.ships;
        let friendly = |of: usize| !ships[ship].is_enemy_of(&ships[of]);
        let meant = |of: usize, is: bool| (is && !(other && ship == of)).then_some(of);
        match role {
            Role::Own if window == Window::DamageWould => meant(theirs, ship == theirs),
            Role::Friend if window == Window::DamageWould => meant(theirs, friendly(theirs)),
            Role::Enemy if window == Window::DamageWould => meant(theirs, !friendly(theirs)),
            // Whose dice the window is about.
            Role::AnyShip => match window {
                Window::DefenseRoll | Window::DefenseRolled | Window::DefenseModify | Window::DefenseModified => {
                    meant(theirs, true)
                }
                _ => meant(ours, true),
            },
            Role::Attacker => meant(ours, ship == ours),
            Role::Defender => meant(theirs, ship == theirs),
            Role::FriendAttacks => meant(ours, friendly(ours)),
            Role::FriendDefends => meant(theirs, friendly(theirs)),
            Role::EnemyAttacks => meant(ours, !friendly(ours)),
            Role::EnemyDefends => meant(theirs, !friendly(theirs)),
            _ => None,
        }
    }

    /// A gas cloud in the way lets the defender change one blank to an evade.
    fn gas_cloud(&mut self) {
        let clouds = self.battle.table.obstacles.iter();
        let mut clouds = clouds.filter(|obstacle| obstacle.kind == ObstacleKind::GasCloud);
        if !clouds.any(|cloud| self.attack.obstructing.contains(&cloud.id)) {
            return;
        }
        let defender = self.attack.defender;
        // No card has this place, and no other effect this group.
        let at = EffectRef {
            card: usize::MAX,
            effect: 0,
        };
        self.tools.cards.push(Effect {
            windows: WindowSet::of(&[ContestWindow::DefenceModify]),
            side: Side::Defender,
            group: MOST_GROUPS,
            repeats: false,
            must: false,
            referred: false,
            needs: Vec::new(),
            price: Vec::new(),
            does: vec![Change::Turn {
                dice: Dice::Defence,
                from: FaceSet::of(&[Face::Blank]),
                to: Face::Evade,
                how_many: HowMany::Exactly(1),
            }],
        });
        self.uses.push(CardUse {
            ship: defender,
            at,
            window: Window::DefenseModify,
            owner: self.battle.table.ships[defender].id.clone(),
            id: "obstacle:gascloud".to_owned(),
            gains: Vec::new(),
            suffers: None,
            aside: Vec::new(),
            chosen: Chosen::default(),
            paid: None,
        });
    }

    /// Reads an effect that comes up for a ship of a role in a window.
    fn effect(&mut self, ship: usize, coming: &Coming<'_>, window: Window, role: Role) {
        if coming.effect.is_asked() || usize::from(MOST_GROUPS) <= self.groups.len() {
            return;
        }
        if is_counted(window, role, coming.effect) {
            return;
        }
        let Some(subject) = self.subject(role, ship, coming.effect.on.other, window) else {
            return;
        };
        let other = match subject == self.attack.attacker {
            true => self.attack.defender,
            false => self.attack.attacker,
        };
        let occasion = Occasion {
            id: 0,
            window,
            subject: Some(subject),
            other: Some(other),
            what: Happening::Moment,
        };
        let nobody = Chosen::default();
        let scene = Scene {
            table: &self.battle.table,
            fighters: &self.battle.fighters,
            own: ship,
            card: Some(coming.at.card),
            occasion: &occasion,
            subject: Some(subject),
            of_friends: matches!(role, Role::FriendAttacks | Role::FriendDefends | Role::AnyShip),
            attack: Some(self.attack),
            chosen: &nobody,
            each: None,
            imagined: &[],
        };
        let known = self.groups.iter().position(|group| *group == (ship, coming.at));
        let group = known.unwrap_or_else(|| {
            self.groups.push((ship, coming.at));
            self.groups.len() - 1
        });
        let mut reading = Reading {
            gathering: self,
            scene,
            at: coming.at,
            window,
            subject,
            group: group as u8,
        };
        reading.effect(coming.effect);
    }
}

fn kind_of(word: TokenWord) -> ResourceKind {
    match word {
        TokenWord::Focus => ResourceKind::Focus,
        TokenWord::Evade => ResourceKind::Evade,
        TokenWord::Calculate => ResourceKind::Calculate,
        TokenWord::Reinforce => ResourceKind::Reinforce,
        _ => ResourceKind::Token,
    }
}

/// The moments of an attack at which dice, results or damage are touched.
pub(super) const WINDOWS: [Window; 14] = [
    Window::AttackDeclared,
    Window::AttackRoll,
    Window::AttackRolled,
    Window::AttackModify,
    Window::AttackModified,
    Window::DefenseRoll,
    Window::DefenseRolled,
    Window::DefenseModify,
    Window::DefenseModified,
    Window::BeforeNeutralize,
    Window::Neutralize,
    Window::AfterNeutralize,
    Window::AttackDamage,
    Window::DamageWould,
];

/// What a card's ship may be in an attack.
const ROLES: [Role; 10] = [
    Role::Own,
    Role::Attacker,
    Role::Defender,
    Role::FriendAttacks,
    Role::FriendDefends,
    Role::EnemyAttacks,
    Role::EnemyDefends,
    Role::Friend,
    Role::Enemy,
    Role::AnyShip,
];

impl Battle {
    /// Active charges of a card, wherever they are counted.
    pub(super) fn card_charges(&self, ship: usize, card: usize) -> u32 {
        let Some(in_play) = self.fighters[ship].cards.get(card) else {
            return 0;
        };
        let of_weapon = || {
            let weapon = (self.table.ships[ship].weapons.iter()).find(|weapon| weapon.id == in_play.id.xws)?;
            weapon.special.as_ref()?.charges
        };
        in_play.charges.or_else(of_weapon).map_or(0, |charges| charges.left)
    }

    fn gather<'b>(&'b self, attack: AttackScene<'b>, pools: &Attack) -> Gathering<'b> {
        let mut gathering = Gathering::new(self, attack, pools);
        for ship in 0..self.fighters.len() {
            let cards = &self.fighters[ship].cards;
            if cards.is_empty() || !self.table.ships[ship].in_play() {
                continue;
            }
            for window in WINDOWS.into_iter().filter(|window| cards.has(*window)) {
                for role in ROLES {
                    for coming in cards.effects(window, role) {
                        gathering.effect(ship, &coming, window, role);
                    }
                }
            }
        }
        gathering.gas_cloud();
        gathering
    }

    /// The attack as cards make it; `None` when no card has a say in it.
    pub(super) fn contested(&self, attack: AttackScene<'_>, pools: &Attack) -> Option<Arc<Contested>> {
        let mut gathering = self.gather(attack, pools);
        gathering.mark_modifying();
        if gathering.uses.is_empty() && gathering.forbidden.is_empty() && gathering.inflict.is_none() {
            return None;
        }
        let first = self
            .table
            .ships
            .get(attack.attacker)
            .map_or(0, |ship| self.rank(self.side_of(ship)));
        let second = self
            .table
            .ships
            .get(attack.defender)
            .map_or(0, |ship| self.rank(self.side_of(ship)));
        let first_player = if first <= second {
            Side::Attacker
        } else {
            Side::Defender
        };
        // More cards than a contest has room for: it is played with tokens alone.
        let mut contest = gathering.tools.contest(pools, first_player).ok()?;
        for forbidden in &gathering.forbidden {
            contest = contest.forbidding(forbidden.side, forbidden.dice, forbidden.ban);
        }
        Some(Arc::new(Contested {
            contest,
            uses: gathering.uses,
            holdings: gathering.holdings,
            named: gathering.named,
            inflict: gathering.inflict,
            forbidden: gathering.forbidden,
        }))
    }

    /// SA-9.2: how many effects of the attacker's own cards come up in its attack with a weapon on a target, their conditions
    /// met. None when it cannot make the attack.
    pub fn abilities(&self, attacker: &str, weapon: &Weapon, target: &Ship) -> u32 {
        let (Some(attacker), Some(defender)) = (self.index(attacker), self.index(&target.id)) else {
            return 0;
        };
        let ship = &self.table.ships[attacker];
        let cards = &self.fighters[attacker].cards;
        let place = ship.weapons.iter().position(|own| own == weapon);
        let (Some(place), true) = (place, WINDOWS.into_iter().any(|window| cards.has(window))) else {
            return 0;
        };
        let Some(legal) = targeting::legal_target(&self.table.rules, ship, weapon, target) else {
            return 0;
        };
        let obstructing = measure::obstructing(&self.table, ship, target, legal.arc);
        let pools = self.pools(ship, target, weapon, &legal, !obstructing.is_empty());
        let scene = AttackScene {
            attacker,
            defender,
            weapon: place,
            range: legal.range,
            arc: legal.arc,
            obstructing: &obstructing,
        };
        let gathering = self.gather(scene, &pools);
        let used = gathering
            .uses
            .iter()
            .filter(|used| used.ship == attacker)
            .map(|used| used.at);
        let id = &ship.id;
        let forbidden = gathering.forbidden.iter().filter(|forbidden| forbidden.owner == *id);
        let mut own: Vec<EffectRef> = used.chain(forbidden.map(|forbidden| forbidden.at)).collect();
        own.sort_unstable();
        own.dedup();
        own.len() as u32
    }
}
