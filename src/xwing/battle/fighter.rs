//! What a ship is beside its place on the table: hull, agility, charges that come back, its cards.

use std::sync::Arc;

use super::{
    queue::standing::{Changed, Lasting},
    support,
};
use crate::xwing::{
    action::{BarAction, FullArc},
    catalog::{Catalog, Resolved},
    damage_deck::Integrity,
    device::DeviceBook,
    effects::{
        CardBook, CardEntry, CardId, CardInPlay, CardKind, CardsInPlay, Primitive, TokenWord, Window,
        primitive::{Flipped, SharedAbility},
    },
    maneuver::{Dial, Maneuver},
    size::Size,
};

/// What a battle knows of a ship beside what lies on the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Fighter {
    /// Agility.
    pub agility: u32,
    /// Hull, shields and damage cards.
    pub integrity: Integrity,
    /// Its shields when all are active.
    pub shields: u8,
    /// The most Force charges.
    pub force: u32,
    /// Weapons whose charges come back, by their place, with how many each round.
    pub recovering: Vec<(usize, u32)>,
    /// The arcs that its reinforce tokens cover.
    pub reinforced: Vec<FullArc>,
    /// Whether it has become tractored in this round, so that it cannot be moved again for that.
    pub pulled: bool,
    /// Whether it has dropped a bomb or a mine in this round, in an edition that allows one (FE-11.1).
    pub dropped: bool,
    /// Whether its damage cards changed its skill before this round, so that it counts (FE-4.1).
    pub skill_counts: bool,
    /// Its dial as printed.
    pub dial: Arc<Dial>,
    /// Its action bar as printed.
    pub actions: Vec<BarAction>,
    /// What its dial is set to this round.
    pub set: Option<Maneuver>,
    /// Whether its pilot is limited.
    pub limited: bool,
    /// Keywords of its pilot.
    pub keywords: Arc<[String]>,
    /// Its cards in play.
    pub cards: CardsInPlay,
    /// Cards that its cards may bring into play: conditions that they assign, their other sides.
    pub brings: Arc<[Arc<CardEntry>]>,
    /// The slots that its cards take, in the order of the cards; none for cards that are no upgrades.
    pub slots: Arc<[Vec<String>]>,
    /// For each card of it that may be turned over, by its place: the printed bar with the other side up.
    pub other_bars: Vec<(usize, Vec<BarAction>)>,
    /// The initiative that it has by itself; `None` before it is in play.
    pub base_initiative: Option<u8>,
    /// What cards do to it until something is over.
    pub lasting: Vec<Lasting>,
    /// Which of its constant effects are in force, a bit each; `None` when that has to be looked at anew.
    pub stands: Option<u64>,
    /// What cards change about its dial and its bar.
    pub changed: Changed,
    /// Tokens that stay in this End Phase, with how many.
    pub kept: Vec<(TokenWord, u32)>,
    /// Actions that its cards add and that it has performed in this round: the card's place and the effect's.
    pub performed: Vec<(usize, usize)>,
    /// What about it is not played.
    pub notes: Vec<String>,
    /// What it costs with its upgrades, squad points, if that is known (FE-10.3).
    pub points: Option<u32>,
}

impl Fighter {
    /// The fighter of a ship out of the catalog. `None` when the catalog does not say its hull or its agility.
    pub fn of(resolved: &Resolved) -> Option<Fighter> {
        Fighter::with_cards(resolved, Catalog::embedded_for(resolved.edition).cards())
    }

    /// The same, its cards by another book. A book without a card, as for an edition whose cards are facts alone, leaves what
    /// they say to the players: a note names them, and nothing is asked.
    pub fn with_cards(resolved: &Resolved, book: &CardBook) -> Option<Fighter> {
        let hull = u8::try_from(resolved.hull?).ok()?;
        let shields = u8::try_from(resolved.shields).ok()?;
        let recovers = |id: &str| {
            let card = resolved.charges.iter().find(|card| card.id == id)?;
            u32::try_from(card.recovers).ok().filter(|&count| count > 0)
        };
        let weapons = resolved.weapons.iter().enumerate();
        let mut notes: Vec<String> = resolved.notes.iter().map(ToString::to_string).collect();
        let cards = cards(resolved, book);
        notes.extend(support::announcements(&cards));
        // A pilot who is not unique has no text, but for those of huge ships.
        let is_blank = |id: &CardId| id.kind == CardKind::Pilot && !resolved.limited && resolved.size != Size::Huge;
        let texts: Vec<String> = (cards.iter().filter(|card| !is_blank(&card.id)))
            .map(|card| card.id.to_string())
            .collect();
        if book.is_empty() && !texts.is_empty() {
            notes.push(format!(
                "what its cards say is the players' to carry out: {}",
                texts.join(", ")
            ));
        }
        for device in resolved.device.iter().chain(&resolved.other_devices) {
            match DeviceBook::of(resolved.edition).device(&device.id) {
                None => notes.push(format!("{}: this device is not known and is not dropped", device.id)),
                Some(rules) => notes.extend(rules.not_played.as_ref().map(|text| format!("{}: {text}", device.id))),
            }
        }
        Some(Fighter {
            agility: resolved.agility?,
            // FE-2.5: as many shields as the shield value.
            integrity: Integrity::new(hull, shields),
            shields,
            force: resolved.force,
            recovering: weapons
                .filter_map(|(place, weapon)| Some((place, recovers(&weapon.id)?)))
                .collect(),
            reinforced: Vec::new(),
            pulled: false,
            dropped: false,
            skill_counts: false,
            dial: Arc::clone(&resolved.dial),
            actions: resolved.actions.clone(),
            set: None,
            limited: resolved.limited,
            keywords: resolved.keywords.as_slice().into(),
            slots: slots(resolved, &cards),
            brings: brings(&cards, book),
            other_bars: other_bars(resolved, &cards),
            cards,
            base_initiative: None,
            lasting: Vec::new(),
            stands: None,
            changed: Changed::default(),
            kept: Vec::new(),
            performed: Vec::new(),
            notes,
            points: None,
        })
    }

    /// A ship about which no catalog says anything. Its damage is counted; it is never taken for destroyed.
    pub fn unknown() -> Fighter {
        Fighter {
            agility: 0,
            integrity: Integrity::new(u8::MAX, 0),
            shields: 0,
            force: 0,
            recovering: Vec::new(),
            reinforced: Vec::new(),
            pulled: false,
            dropped: false,
            skill_counts: false,
            dial: Arc::default(),
            actions: Vec::new(),
            set: None,
            limited: false,
            keywords: Arc::default(),
            slots: Arc::default(),
            brings: Arc::default(),
            other_bars: Vec::new(),
            cards: CardsInPlay::default(),
            base_initiative: None,
            lasting: Vec::new(),
            stands: None,
            changed: Changed::default(),
            kept: Vec::new(),
            performed: Vec::new(),
            notes: Vec::new(),
            points: None,
        }
    }

    /// Whether its hull value is known.
    pub fn is_known(&self) -> bool {
        self.integrity.hull != u8::MAX
    }

    /// Whether it has a card in play. A pilot's name covers all versions of the pilot, whose ids continue it after a hyphen.
    pub fn has_card(&self, kind: CardKind, xws: &str) -> bool {
        let version = |rest: &str| rest.is_empty() || kind == CardKind::Pilot && rest.starts_with('-');
        // A condition that was removed says nothing any more.
        let lies = |card: &&CardInPlay| card.id.kind == kind && (kind != CardKind::Condition || card.entry.is_some());
        let mut cards = self.cards.iter().filter(lies);
        cards.any(|card| card.id.xws.strip_prefix(xws).is_some_and(version))
    }

    /// How many hull and shield points are left.
    pub fn left(&self) -> u32 {
        let hull = usize::from(self.integrity.hull).saturating_sub(self.integrity.damage());
        hull as u32 + u32::from(self.integrity.shields)
    }
}

/// The cards of a ship as they come into play. A configuration may take the place of the ship's own ability.
fn cards(resolved: &Resolved, book: &CardBook) -> CardsInPlay {
    let in_weapon = |id: &CardId| {
        let mut weapons = resolved.weapons.iter().chain(&resolved.bonus_weapons);
        weapons.any(|weapon| weapon.id == id.xws)
    };
    let in_device = |id: &CardId| {
        let mut devices = resolved.device.iter().chain(&resolved.other_devices);
        devices.any(|device| device.id == id.xws)
    };
    let mut cards: Vec<CardInPlay> = (resolved.cards.iter())
        .map(|id| {
            let counted = (resolved.charges.iter())
                .filter(|_| matches!(id.kind, CardKind::Pilot | CardKind::Upgrade))
                .find(|card| card.id == id.xws && !in_weapon(id) && !in_device(id));
            CardInPlay {
                charges: counted.map(|card| card.charges),
                recovers: counted.map_or(0, |card| card.recovers),
                ..CardInPlay::of(id, book)
            }
        })
        .collect();
    if book.is_empty() {
        for card in &mut cards {
            card.entry = Some(Arc::new(CardEntry::blank(CardId::clone(&card.id))));
        }
    }
    if cards.iter().any(takes_the_ability) {
        cards.retain(|card| card.id.kind != CardKind::ShipAbility);
    }
    CardsInPlay::new(cards)
}

/// The conditions that cards assign, themselves and by what those assign, and the other sides of cards that turn over.
fn brings(cards: &CardsInPlay, book: &CardBook) -> Arc<[Arc<CardEntry>]> {
    let mut found: Vec<Arc<CardEntry>> = Vec::new();
    let mut looked_at: Vec<Arc<CardEntry>> = cards.iter().filter_map(|card| card.entry.clone()).collect();
    while let Some(entry) = looked_at.pop() {
        let mut named: Vec<CardId> = Vec::new();
        for step in entry.effects.iter().flat_map(|effect| &effect.steps) {
            match step {
                Primitive::Condition(condition) => {
                    let ids = condition.assign.iter().chain(&condition.one_of);
                    named.extend(ids.map(|xws| CardId::new(CardKind::Condition, xws)));
                }
                Primitive::FlipCard(flip) if flip.card == Flipped::This => named.push(entry.id.other_side()),
                _ => {}
            }
        }
        for id in named {
            if let Some(entry) = book.card(&id.to_string())
                && !found.iter().any(|known| known.id == id)
            {
                found.push(Arc::clone(entry));
                looked_at.push(Arc::clone(entry));
            }
        }
    }
    found.into()
}

/// The slots that cards take, in their order.
fn slots(resolved: &Resolved, cards: &CardsInPlay) -> Arc<[Vec<String>]> {
    let of = |id: &CardId| {
        let mut known = resolved.slots.iter();
        let found = known.find(|(xws, _)| id.kind == CardKind::Upgrade && *xws == id.xws);
        found.map_or_else(Vec::new, |(_, slots)| slots.clone())
    };
    cards.iter().map(|card| of(&card.id)).collect()
}

/// The printed bar with the other side of a card up, for cards that change nothing else of what the catalog knows.
fn other_bars(resolved: &Resolved, cards: &CardsInPlay) -> Vec<(usize, Vec<BarAction>)> {
    let bars = resolved.other_bars.iter().filter_map(|(id, bar)| {
        let place = cards.find(id)?;
        Some((place, bar.clone()))
    });
    bars.collect()
}

fn takes_the_ability(card: &CardInPlay) -> bool {
    let effects = card.entry.iter().flat_map(|entry| &entry.effects);
    let mut steps = effects
        .filter(|effect| effect.on.window.contains(&Window::Passive))
        .flat_map(|effect| &effect.steps);
    steps.any(|step| matches!(step, Primitive::ShareAbility(share) if share.of == SharedAbility::ReplaceShipAbility))
}
