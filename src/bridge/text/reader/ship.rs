//! The `ship` line: `ship ID TYPE SIDE X,Y @HEADING`, then words in any order.

use super::{Places, heading, place_on};
use crate::bridge::{
    position::wire::{Action, Colour, Device, Header, Linked, Primary, Ship, Special},
    text::{
        TextError,
        token::{Word, Words},
        words::{self, Vocabulary, listed, meaning},
    },
};

/// The shape of the line.
const LINE: &str = "ship ID TYPE SIDE X,Y @HEADING ...";

/// The words that may follow, for the error of one that may not.
const OPTIONS: &str = "init N, pilot ID, name \"...\", size SIZE, TOKEN N, lock ID, turret ARC, weapon ID, device ID, \
                       done ACTION, bumped ID, dial CODES, primary ARC DICE, action NAME, unarmed, nodial, noactions, docked, reserved, destroyed \
                       or removed";

/// What the words `arc`, `dice`, `range`, `needs`, `charges` and `slot` belong to.
enum Last {
    Nothing,
    Weapon,
    Primary,
    Device,
}

/// Reads the rest of a ship's line.
pub(super) fn read(words: &mut Words<'_>, path: &str, places: &mut Places) -> Result<Ship, TextError> {
    let mut reader = Reader {
        ship: Ship::default(),
        path,
        places,
        last: Last::Nothing,
    };
    reader.ship.id = reader.text(words, "the ship's id", "id")?;
    reader.ship.ship = reader.text(words, "the ship type's xws id, as in tielnfighter", "ship")?;
    reader.ship.side = reader.text(words, "its side, as in solo or player", "side")?;
    let place = words.expect("its place as x,y")?;
    (reader.ship.x, reader.ship.y) = place_on(&place, LINE)?;
    reader.note("x", &place);
    reader.note("y", &place);
    let turn = words.expect("@ and its heading")?;
    reader.ship.heading = heading(&turn)?;
    reader.note("heading", &turn);
    while let Some(word) = words.next()? {
        reader.option(&word, words)?;
    }
    Ok(reader.ship)
}

struct Reader<'p> {
    ship: Ship,
    path: &'p str,
    places: &'p mut Places,
    last: Last,
}

impl Reader<'_> {
    fn note(&mut self, field: &str, word: &Word<'_>) {
        self.places.note(format!("{}.{field}", self.path), word);
    }

    fn text(&mut self, words: &mut Words<'_>, what: &str, field: &str) -> Result<String, TextError> {
        let word = words.expect(what)?;
        self.note(field, &word);
        Ok(word.text.into_owned())
    }

    fn option(&mut self, word: &Word<'_>, words: &mut Words<'_>) -> Result<(), TextError> {
        if word.quoted {
            return Err(word.error(format!("expected {OPTIONS}")));
        }
        match &*word.text {
            "init" | "initiative" | "skill" => {
                let value = words.expect("the initiative")?;
                self.note("initiative", &value);
                self.ship.initiative = Some(count(&value)?.try_into().map_err(|_| value.error("expected 0 to 9"))?);
            }
            "pilot" => self.ship.pilot = Some(self.text(words, "the pilot's xws id", "pilot")?),
            "name" => self.ship.name = Some(self.text(words, "a name, in quotes if it has spaces", "name")?),
            "size" => self.ship.size = Some(self.one_of(words, words::SIZES, "size")?),
            "lock" => {
                let list = words.expect("the ids of what it has locked, as in B,C")?;
                for id in list.parts() {
                    self.note(&format!("tokens.lock[{}]", self.ship.tokens.lock.len()), &list);
                    self.ship.tokens.lock.push(id.to_owned());
                }
            }
            "turret" => {
                let list = words.expect("where the turret points, as in left or front,rear")?;
                self.note("turret", &list);
                self.ship.turret.extend(all_of(&list, words::DIRECTIONS)?);
            }
            "bumped" => {
                let list = words.expect("the ids of the ships that it bumped")?;
                for id in list.parts() {
                    self.note(&format!("bumped[{}]", self.ship.bumped.len()), &list);
                    self.ship.bumped.push(id.to_owned());
                }
            }
            "done" => {
                let list = words.expect("the actions performed this round, as in focus,barrelroll")?;
                self.ship.done.extend(all_of(&list, words::ACTIONS)?);
            }
            "dial" => {
                let list = words.expect("dial codes, as in 1FB,2FB,3TR")?;
                self.note("dial", &list);
                let codes = list.parts().map(str::to_owned);
                self.ship.dial.get_or_insert_default().extend(codes);
            }
            "action" => {
                let list = words.expect("an action, as in focus, red:boost or focus>red:lock")?;
                for part in list.parts() {
                    let action = action(part).map_err(|message| list.error(message))?;
                    self.ship.actions.get_or_insert_default().push(action);
                }
            }
            // A ship that has none of these is said to have none, since silence means "as the catalog says".
            "unarmed" => self.ship.weapons = Some(Vec::new()),
            "noactions" => self.ship.actions = Some(Vec::new()),
            "nodial" => self.ship.dial = Some(Vec::new()),
            "weapon" => {
                let id = self.text(
                    words,
                    "the weapon's xws id",
                    &format!("special[{}]", self.ship.special.len()),
                )?;
                self.ship.special.push(Special {
                    id,
                    ..Special::default()
                });
                self.last = Last::Weapon;
            }
            "device" => {
                let id = self.text(words, "the device's xws id", "device")?;
                self.ship.device = Some(Device {
                    id: Some(id),
                    slot: None,
                    charges: 1,
                    max_charges: 1,
                });
                self.last = Last::Device;
            }
            "primary" => {
                let weapons = self.ship.weapons.get_or_insert_default().len();
                let arc = self.one_of(words, words::WEAPON_ARCS, &format!("weapons[{weapons}]"))?;
                let value = count(&words.expect("its attack dice")?)?;
                self.ship.weapons.get_or_insert_default().push(Primary {
                    arc,
                    value,
                    min: 1,
                    max: 3,
                });
                self.last = Last::Primary;
            }
            other => {
                if let Ok(status) = meaning(other, words::STATUSES) {
                    self.ship.status = status;
                } else if let Some(counter) = self.ship.tokens.count_mut(other) {
                    *counter = count(&words.expect("how many")?)?;
                    self.note(&format!("tokens.{other}"), word);
                } else {
                    return self.detail(word, words);
                }
            }
        }
        Ok(())
    }

    /// A word about the weapon or device before it.
    fn detail(&mut self, word: &Word<'_>, words: &mut Words<'_>) -> Result<(), TextError> {
        let special = self.ship.special.last_mut();
        let primary = self.ship.weapons.as_mut().and_then(|weapons| weapons.last_mut());
        let device = self.ship.device.as_mut();
        match (&self.last, &*word.text, special, primary, device) {
            (Last::Weapon, "arc", Some(weapon), ..) => {
                let value = words.expect("the weapon's arc")?;
                weapon.arc = Some(meaning(&value.text, words::WEAPON_ARCS).map_err(|message| value.error(message))?);
            }
            (Last::Weapon, "dice", Some(weapon), ..) => weapon.value = Some(count(&words.expect("attack dice")?)?),
            (Last::Weapon, "slot", Some(weapon), ..) => {
                weapon.slot = Some(words.expect("the upgrade slot, as in Torpedo")?.text.into_owned());
            }
            (Last::Weapon, "needs", Some(weapon), ..) => {
                let value = words.expect("what the attack needs: lock, focus, calculate or nothing")?;
                weapon.requires = Some(match &*value.text {
                    "nothing" => Header::Nothing,
                    _ => all_of(&value, words::REQUIREMENTS)?.into(),
                });
            }
            (Last::Weapon, "range", Some(weapon), ..) => {
                let (min, max) = span(&words.expect("its range, as in 2-3")?, '-', "a range, as in 2-3")?;
                (weapon.min, weapon.max) = (Some(min), Some(max));
            }
            (Last::Primary, "range", _, Some(weapon), _) => {
                (weapon.min, weapon.max) = span(&words.expect("its range, as in 1-3")?, '-', "a range, as in 1-3")?;
            }
            (Last::Weapon, "charges", Some(weapon), ..) => {
                let (left, max) = span(
                    &words.expect("its charges, as in 1/2")?,
                    '/',
                    "charges left of all, as in 1/2",
                )?;
                (weapon.charges, weapon.max_charges) = (Some(left), Some(max));
            }
            (Last::Device, "charges", _, _, Some(device)) => {
                let charges = words.expect("its charges, as in 1/2")?;
                (device.charges, device.max_charges) = span(&charges, '/', "charges left of all, as in 1/2")?;
            }
            (_, "arc" | "dice" | "slot" | "needs" | "range" | "charges", ..) => {
                return Err(word.error("belongs after `weapon ID`, `primary ARC DICE` or `device ID`"));
            }
            _ => return Err(word.error(format!("expected {OPTIONS}"))),
        }
        Ok(())
    }

    fn one_of<T: Copy>(&mut self, words: &mut Words<'_>, set: Vocabulary<T>, field: &str) -> Result<T, TextError> {
        let word = words.expect(&format!("one of {}", listed(set)))?;
        self.note(field, &word);
        meaning(&word.text, set).map_err(|message| word.error(message))
    }
}

/// Every part of a list of words.
fn all_of<T: Copy>(list: &Word<'_>, set: Vocabulary<T>) -> Result<Vec<T>, TextError> {
    (list.parts())
        .map(|part| meaning(part, set).map_err(|message| list.error(message)))
        .collect()
}

fn count(word: &Word<'_>) -> Result<u32, TextError> {
    word.text
        .parse()
        .map_err(|_| word.error("expected a whole number, as in 2"))
}

fn span(word: &Word<'_>, between: char, what: &str) -> Result<(u32, u32), TextError> {
    let numbers = word.text.split_once(between);
    let parsed = numbers.and_then(|(first, second)| Some((first.parse().ok()?, second.parse().ok()?)));
    parsed.ok_or_else(|| word.error(format!("expected {what}")))
}

/// `focus`, `red:boost`, `focus>red:lock`.
fn action(text: &str) -> Result<Action, String> {
    let (first, second) = match text.split_once('>') {
        Some((first, second)) => (first, Some(second)),
        None => (text, None),
    };
    let (kind, difficulty) = coloured(first)?;
    let linked = match second {
        None => None,
        Some(second) => {
            let (kind, difficulty) = coloured(second)?;
            Some(Linked { kind, difficulty })
        }
    };
    Ok(Action::Full {
        kind,
        difficulty,
        linked,
    })
}

fn coloured(text: &str) -> Result<(crate::xwing::action::ActionKind, Colour), String> {
    let (colour, name) = match text.split_once(':') {
        Some((colour, name)) => (meaning(colour, words::COLOURS)?.into(), name),
        None => (Colour::White, text),
    };
    Ok((meaning(name, words::ACTIONS)?, colour))
}
