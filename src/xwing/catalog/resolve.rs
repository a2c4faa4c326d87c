//! From ids to the parts of a ship on the table: statline, dial, weapons, action bar, device, charges.

use std::sync::Arc;

use super::{
    Catalog, PilotFacts, ShipFacts, UpgradeFacts,
    facts::{AttackFacts, AttackMode, Grant, Pool, SideFacts, SlotArc, Statline},
    normalized,
    notation::primary_weapon,
};
use crate::{
    geometry::Pose,
    xwing::{
        ObjectId,
        action::BarAction,
        edition::{Bombs, Edition, SameCard},
        effects::{CardId, CardKind},
        maneuver::Dial,
        ship::{ArcDirection, Device, Ship, Status, Tokens},
        size::Size,
        weapon::{Charges, OtherArc, Permits, SpecialWeapon, Weapon, WeaponArc},
    },
};

mod note;

pub use note::ResolveNote;

/// A ship with its pilot and upgrades, put together.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// The pilot's name, or the ship's.
    pub name: String,
    /// The edition that the cards belong to.
    pub edition: Edition,
    /// xws id of the ship type.
    pub chassis: String,
    /// Base size.
    pub size: Size,
    /// The pilot's initiative, if a pilot is known.
    pub initiative: Option<u8>,
    /// What it can select.
    pub dial: Arc<Dial>,
    /// Primary weapons, then special weapons in the order of the upgrades, all charges active.
    pub weapons: Vec<Weapon>,
    /// Weapons that only make bonus attacks; they take no part when the ship engages.
    pub bonus_weapons: Vec<Weapon>,
    /// The action bar with what upgrades add to it.
    pub actions: Vec<BarAction>,
    /// Its device upgrade.
    pub device: Option<Device>,
    /// Further bomb cards (FE-11.1); in the second edition one is told of instead.
    pub other_devices: Vec<Device>,
    /// Agility, if known.
    pub agility: Option<u32>,
    /// Hull, if known.
    pub hull: Option<u32>,
    /// Shields.
    pub shields: u32,
    /// Energy of a huge ship.
    pub energy: Option<Pool>,
    /// Force of pilot and upgrades together.
    pub force: u32,
    /// Charges of all cards that have some, the pilot's first.
    pub charges: Vec<CardCharges>,
    /// Whether the pilot is limited.
    pub limited: bool,
    /// Keywords of the pilot.
    pub keywords: Vec<String>,
    /// Its cards: the pilot, the ship ability, the upgrades in their order.
    pub cards: Vec<CardId>,
    /// The slots that its upgrades take, by their xws ids.
    pub slots: Vec<(String, Vec<String>)>,
    /// For each card with two sides: the action bar with its other side up. Not for weapons.
    pub other_bars: Vec<(CardId, Vec<BarAction>)>,
    /// Arcs in which its pilot may fire special weapons of a slot besides their own.
    pub slot_arcs: Vec<SlotArc>,
    /// What the player ought to know: cards that are not known, and what could not be put together.
    pub notes: Vec<ResolveNote>,
}

/// Charges of one card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardCharges {
    /// The card's xws id.
    pub id: String,
    /// Its charges, all active.
    pub charges: Charges,
    /// How many come back each round.
    pub recovers: i32,
}

/// Neither the ship nor the pilot is known, so nothing can be put together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the ship `{0}` is not in the catalog; check its id, or give a newer catalog with --catalog")]
pub struct UnknownShip(pub String);

impl Catalog {
    /// Puts a ship together from ids or names (in any spelling). Unknown pilots and upgrades become notes.
    ///
    /// # Errors
    /// When the ship is not known, nor is there a known pilot who says which ship it is.
    pub fn resolve<U: AsRef<str>>(
        &self,
        ship: &str,
        pilot: Option<&str>,
        upgrades: impl IntoIterator<Item = U>,
    ) -> Result<Resolved, UnknownShip> {
        let mut notes = Vec::new();
        let found_ship = self.find_ship(ship);
        let pilot = pilot.and_then(|text| self.the_pilot(text, found_ship, &mut notes));
        let facts = match (found_ship, pilot) {
            (Some(ship), Some(pilot)) => self.ship_of(&ship.xws, &pilot.faction),
            (Some(ship), None) => Some(ship),
            (None, Some(pilot)) => {
                notes.push(ResolveNote::UnknownShip {
                    ship: ship.to_owned(),
                    taken: pilot.ship.clone(),
                });
                self.ship_of(&pilot.ship, &pilot.faction)
            }
            (None, None) => None,
        };
        let facts = facts.ok_or_else(|| UnknownShip(ship.to_owned()))?;
        let mut resolved = base(self.edition(), facts, pilot, notes);
        let own = pilot.map_or(&[][..], |pilot| &pilot.standard_loadout);
        let mut cards: Vec<(&UpgradeFacts, usize)> = Vec::new();
        for text in own {
            self.add_card(text, own, &mut cards, &mut resolved.notes);
        }
        for text in upgrades {
            self.add_card(text.as_ref(), own, &mut cards, &mut resolved.notes);
        }
        let other_bars = other_bars(&resolved, &cards);
        for (upgrade, side) in cards {
            resolved.equip(upgrade, side);
        }
        // Unknown is a value: the card lies there, and whoever plays asks about it.
        let unknown = resolved.notes.iter().filter_map(|note| match note {
            ResolveNote::UnknownUpgrade(text) => Some(normalized(text)),
            _ => None,
        });
        let unknown = unknown.filter(|xws| !xws.is_empty());
        let unknown: Vec<CardId> = unknown.map(|xws| CardId::new(CardKind::Upgrade, &xws)).collect();
        resolved.cards.extend(unknown);
        resolved.other_bars = other_bars;
        Ok(resolved)
    }

    fn the_pilot(&self, text: &str, ship: Option<&ShipFacts>, notes: &mut Vec<ResolveNote>) -> Option<&PilotFacts> {
        let mut found = self.find_pilots(text, ship.map(|ship| ship.xws.as_str()));
        if found.is_empty() {
            notes.push(match self.find_pilots(text, None).first() {
                Some(other) => ResolveNote::PilotOfOtherShip {
                    pilot: other.xws.clone(),
                    flies: other.ship.clone(),
                },
                None => ResolveNote::UnknownPilot(text.to_owned()),
            });
            return None;
        }
        let pilot = found.remove(0);
        if !found.is_empty() {
            notes.push(ResolveNote::AmbiguousPilot {
                name: text.to_owned(),
                taken: pilot.xws.clone(),
                others: found.iter().map(|other| other.xws.clone()).collect(),
            });
        }
        Some(pilot)
    }

    /// Adds the card of that id or name. A ship has no card twice; one that is named again (builders list the cards of a
    /// standard loadout too) only says which side is up.
    fn add_card<'c>(
        &'c self,
        text: &str,
        own: &[String],
        cards: &mut Vec<(&'c UpgradeFacts, usize)>,
        notes: &mut Vec<ResolveNote>,
    ) {
        let Some((upgrade, side)) = self.find_upgrade(text) else {
            notes.push(ResolveNote::UnknownUpgrade(text.to_owned()));
            return;
        };
        match cards.iter_mut().find(|(card, _)| card.xws == upgrade.xws) {
            None => cards.push((upgrade, side)),
            Some(card) if side > 0 => card.1 = side,
            Some(_) if own.contains(&upgrade.xws) => {}
            // FE-1.4
            Some(_) if self.edition().rules().same_card == SameCard::UnlessLimited && !upgrade.once_per_ship => {
                cards.push((upgrade, side));
            }
            Some(_) => notes.push(ResolveNote::Repeated(upgrade.xws.clone())),
        }
    }
}

/// The action bars with the other side of each card up that has two, none of them a weapon.
fn other_bars(bare: &Resolved, cards: &[(&UpgradeFacts, usize)]) -> Vec<(CardId, Vec<BarAction>)> {
    let turns =
        |upgrade: &UpgradeFacts| upgrade.sides.len() == 2 && upgrade.sides.iter().all(|side| side.attack.is_none());
    let turned = cards.iter().enumerate().filter(|(_, (upgrade, _))| turns(upgrade));
    let each = turned.map(|(place, &(upgrade, side))| {
        let mut other = bare.clone();
        for (index, &(card, up)) in cards.iter().enumerate() {
            other.equip(card, if index == place { 1 - up.min(1) } else { up });
        }
        let id = CardId {
            side: u8::from(side > 0),
            ..CardId::new(CardKind::Upgrade, &upgrade.xws)
        };
        (id, other.actions)
    });
    each.collect()
}

/// The ship with its pilot's overrides, before any upgrade.
fn base(edition: Edition, ship: &ShipFacts, pilot: Option<&PilotFacts>, mut notes: Vec<ResolveNote>) -> Resolved {
    let Statline {
        weapons,
        agility,
        hull,
        shields,
        energy,
        ..
    } = pilot
        .and_then(|pilot| pilot.stats.clone())
        .unwrap_or_else(|| ship.stats.clone());
    if ship.dial.maneuvers().is_empty() {
        notes.push(ResolveNote::NoDial(ship.xws.clone()));
    }
    let charges = pilot.and_then(|pilot| pilot.charges.map(|pool| card_charges(&pilot.xws, pool)));
    Resolved {
        name: pilot.map_or(&ship.name, |pilot| &pilot.name).clone(),
        edition,
        chassis: ship.xws.clone(),
        size: ship.size,
        initiative: pilot.map(|pilot| pilot.initiative),
        dial: Arc::clone(&ship.dial),
        weapons,
        bonus_weapons: Vec::new(),
        actions: pilot
            .and_then(|pilot| pilot.actions.clone())
            .unwrap_or_else(|| ship.actions.clone()),
        device: None,
        other_devices: Vec::new(),
        agility,
        hull,
        shields,
        energy,
        force: pilot
            .and_then(|pilot| pilot.force.as_ref())
            .map_or(0, |force| force.value),
        charges: charges.into_iter().collect(),
        limited: pilot.is_some_and(|pilot| pilot.limited > 0),
        keywords: pilot.map_or_else(Vec::new, |pilot| pilot.keywords.clone()),
        cards: pilot.map_or_else(Vec::new, |pilot| {
            let ability = Some(CardId::ship_ability(&pilot.ship_ability)).filter(|id| !id.xws.is_empty());
            let own = CardId::new(CardKind::Pilot, &pilot.xws);
            let own = Some(own).filter(|_| !pilot.without_text);
            own.into_iter().chain(ability).collect()
        }),
        slots: Vec::new(),
        other_bars: Vec::new(),
        slot_arcs: pilot.map_or_else(Vec::new, |pilot| pilot.slot_arcs.clone()),
        notes,
    }
}

fn card_charges(id: &str, pool: Pool) -> CardCharges {
    CardCharges {
        id: id.to_owned(),
        charges: Charges {
            left: pool.value,
            max: pool.value,
        },
        recovers: pool.recovers,
    }
}

impl Resolved {
    fn equip(&mut self, upgrade: &UpgradeFacts, side: usize) {
        let id = upgrade.xws.as_str();
        let number = u8::try_from(side).unwrap_or(0);
        let Some(side) = upgrade.sides.get(side) else {
            return;
        };
        if self.slots.iter().any(|(card, _)| card == id) {
            self.equip_copy(id, side);
            return;
        }
        self.cards.push(CardId {
            side: number,
            ..CardId::new(CardKind::Upgrade, id)
        });
        if upgrade.sides.len() > 1 {
            let title = if side.title.is_empty() {
                &upgrade.name
            } else {
                &side.title
            };
            self.notes.push(ResolveNote::SideTaken {
                upgrade: id.to_owned(),
                title: title.clone(),
            });
        }
        self.slots.push((id.to_owned(), side.slots.clone()));
        let charges = side.charges.map(|pool| card_charges(id, pool));
        let counted = charges.as_ref().map(|card| card.charges);
        for grant in &side.grants {
            self.grant(grant, side.force.is_some());
        }
        self.force += side.force.as_ref().map_or(0, |force| force.value);
        if let Some(attack) = &side.attack {
            self.arm(id, side.kind(), attack, counted);
        }
        // A device is what stands in a device slot; cards of other slots that put something on the table are their own
        // matter (SA-2 asks for the device upgrade).
        if (side.slots.iter()).any(|slot| slot == "Device" || slot == "Bomb" && side.device.is_some()) {
            let device = Device {
                id: id.to_owned(),
                charges: counted.unwrap_or(Charges { left: 0, max: 0 }),
            };
            match (&self.device, self.edition.rules().bombs) {
                (None, _) => self.device = Some(device),
                // FE-11.1: one drop a round, of whichever of its bombs.
                (Some(_), Bombs::OwnActivation) => self.other_devices.push(device),
                (Some(_), Bombs::SystemPhase) => self.notes.push(ResolveNote::SecondDevice(id.to_owned())),
            }
        }
        self.charges.extend(charges);
    }

    /// FE-1.4: another copy of a card. It adds what the first one added, and the two share a weapon or a device, which can be
    /// used as often as there are copies.
    fn equip_copy(&mut self, id: &str, side: &SideFacts) {
        self.slots.push((id.to_owned(), side.slots.clone()));
        for grant in &side.grants {
            self.grant(grant, side.force.is_some());
        }
        let Some(pool) = side.charges else {
            return;
        };
        let weapons = self.weapons.iter_mut().chain(&mut self.bonus_weapons);
        let weapons = weapons.filter(|weapon| weapon.id == id);
        let of_weapons = weapons.filter_map(|weapon| weapon.special.as_mut()?.charges.as_mut());
        let of_device = (self.device.iter_mut().chain(&mut self.other_devices))
            .filter(|device| device.id == id)
            .map(|device| &mut device.charges);
        let of_cards = self
            .charges
            .iter_mut()
            .filter(|card| card.id == id)
            .map(|card| &mut card.charges);
        for charges in of_weapons.chain(of_device).chain(of_cards) {
            charges.left += pool.value;
            charges.max += pool.value;
        }
    }

    /// Mounts the weapon of a card.
    fn arm(&mut self, id: &str, slot: &str, attack: &AttackFacts, charges: Option<Charges>) {
        // FE-SOLO-9: a value that nobody knows is asked for, never guessed.
        let Some(value) = attack.value else {
            self.notes.push(ResolveNote::NoAttackValue(id.to_owned()));
            return;
        };
        let others = self.slot_arcs.iter().filter(|other| other.slot == slot);
        let others = others.map(|other| OtherArc {
            arc: other.arc,
            min_range: attack.min_range,
            max_range: attack.max_range,
        });
        let weapon = Weapon {
            id: id.to_owned(),
            arc: attack.arc,
            value,
            min_range: attack.min_range,
            max_range: attack.max_range,
            special: Some(SpecialWeapon {
                slot: slot.to_owned(),
                requires: attack.requires.clone(),
                spends: attack.spends,
                ordnance: attack.ordnance,
                charges,
                permits: Permits {
                    also: others.collect(),
                    ..Permits::default()
                },
            }),
        };
        match attack.mode {
            // Special weapons stand behind the primary ones.
            AttackMode::Engage => self.weapons.push(weapon),
            AttackMode::Bonus => self.bonus_weapons.push(weapon),
            AttackMode::Primary => self.turn_primary(attack.arc),
        }
    }

    fn grant(&mut self, grant: &Grant, side_has_force: bool) {
        match grant {
            Grant::Action(action) => self.add_action(*action),
            Grant::Stat { stat, amount, arc } => match (stat.as_str(), arc) {
                ("hull", _) => self.hull = self.hull.map(|hull| hull.saturating_add_signed(*amount)),
                ("shields", _) => self.shields = self.shields.saturating_add_signed(*amount),
                ("agility", _) => self.agility = self.agility.map(|agility| agility.saturating_add_signed(*amount)),
                ("energy", _) => {
                    if let Some(energy) = &mut self.energy {
                        energy.value = energy.value.saturating_add_signed(*amount);
                    }
                }
                ("attack", Some(arc)) => self.add_attack(*arc, *amount),
                ("attack", None) => {
                    let primaries = self.weapons.iter_mut().filter(|weapon| weapon.special.is_none());
                    primaries.for_each(|weapon| weapon.value = weapon.value.saturating_add_signed(*amount));
                }
                ("skill", _) => {
                    let raised = |skill: u8| i32::from(skill).saturating_add(*amount).clamp(0, i32::from(u8::MAX));
                    self.initiative = self.initiative.map(|skill| raised(skill) as u8);
                }
                _ => {}
            },
            Grant::Force { amount, .. } if !side_has_force => {
                self.force = self.force.saturating_add_signed(*amount);
            }
            // Slots matter when a squad is built; the turret of `Grant::Arc` comes with the attack beside it.
            Grant::Force { .. }
            | Grant::Slot { .. }
            | Grant::SlotChoice(_)
            | Grant::Discount { .. }
            | Grant::Arc(_) => {}
        }
    }

    /// Adds an action to the bar. A linked form takes the place of the plain one of the same colour, which it contains.
    fn add_action(&mut self, action: BarAction) {
        let same = |entry: &BarAction| entry.action == action.action;
        if action.linked.is_none() && self.actions.iter().any(same) || self.actions.contains(&action) {
            return;
        }
        match self
            .actions
            .iter_mut()
            .find(|entry| same(entry) && entry.linked.is_none())
        {
            Some(plain) => *plain = action,
            None => self.actions.push(action),
        }
    }

    /// Raises the primary weapon of that arc, or adds one.
    fn add_attack(&mut self, arc: WeaponArc, amount: i32) {
        let primaries = self
            .weapons
            .iter()
            .take_while(|weapon| weapon.special.is_none())
            .count();
        match self.weapons[..primaries].iter_mut().find(|weapon| weapon.arc == arc) {
            Some(weapon) => weapon.value = weapon.value.saturating_add_signed(amount),
            None => self
                .weapons
                .insert(primaries, primary_weapon(arc, amount.max(0).unsigned_abs())),
        }
    }

    /// Points the ship's front primary weapon another way.
    fn turn_primary(&mut self, arc: WeaponArc) {
        let front = |weapon: &&mut Weapon| weapon.special.is_none() && weapon.arc == WeaponArc::Front;
        if let Some(weapon) = self.weapons.iter_mut().find(front) {
            weapon.arc = arc;
        }
    }

    /// A ship of these parts on the table, without tokens but for its Force, its turret pointing ahead (a double turret
    /// ahead and astern), of initiative 0 when no pilot is known.
    pub fn into_ship(self, id: ObjectId, side: String, pose: Pose) -> Ship {
        let has = |arc| {
            self.weapons
                .iter()
                .chain(&self.bonus_weapons)
                .any(|weapon| weapon.arc == arc)
        };
        let turret = if has(WeaponArc::DoubleTurret) {
            vec![ArcDirection::Front, ArcDirection::Rear]
        } else if has(WeaponArc::SingleTurret) {
            vec![ArcDirection::Front]
        } else {
            Vec::new()
        };
        Ship {
            id,
            name: self.name,
            side,
            edition: self.edition,
            chassis: self.chassis,
            size: self.size,
            pose,
            initiative: self.initiative.unwrap_or(0),
            status: Status::InPlay,
            tokens: Tokens {
                force: self.force,
                ..Tokens::default()
            },
            locks: Vec::new(),
            turret,
            turret_limit: Vec::new(),
            ignored_obstacles: Vec::new(),
            fires_on_obstacles: false,
            open_at_range_0: false,
            standing: Default::default(),
            dial: self.dial,
            weapons: self.weapons,
            actions: self.actions,
            device: self.device,
            other_devices: self.other_devices,
            performed: Vec::new(),
            bumped: Vec::new(),
            touching: Vec::new(),
        }
    }
}
