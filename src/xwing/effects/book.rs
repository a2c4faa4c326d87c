//! All cards: the ones that come with the program, with a user's own over them.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, LazyLock, OnceLock},
};

use super::card::{CardEntry, CardFile, CardId};

macro_rules! embedded {
    ($file:literal) => {
        ($file, include_str!(concat!("../../../data/cards/", $file)))
    };
}

/// The files of cards that come with the program.
const EMBEDDED: &[(&str, &str)] = &[
    embedded!("conditions.toml"),
    embedded!("pilots-firstorder.toml"),
    embedded!("pilots-galacticempire.toml"),
    embedded!("pilots-galacticrepublic.toml"),
    embedded!("pilots-rebelalliance.toml"),
    embedded!("pilots-resistance.toml"),
    embedded!("pilots-scumandvillainy.toml"),
    embedded!("pilots-separatistalliance.toml"),
    embedded!("ship-abilities.toml"),
    embedded!("upgrades-astromech.toml"),
    embedded!("upgrades-cannon.toml"),
    embedded!("upgrades-cargo.toml"),
    embedded!("upgrades-command.toml"),
    embedded!("upgrades-configuration.toml"),
    embedded!("upgrades-crew.toml"),
    embedded!("upgrades-device.toml"),
    embedded!("upgrades-force-power.toml"),
    embedded!("upgrades-gunner.toml"),
    embedded!("upgrades-hardpoint.toml"),
    embedded!("upgrades-hyperdrive.toml"),
    embedded!("upgrades-illicit.toml"),
    embedded!("upgrades-missile.toml"),
    embedded!("upgrades-modification.toml"),
    embedded!("upgrades-sensor.toml"),
    embedded!("upgrades-tactical-relay.toml"),
    embedded!("upgrades-talent.toml"),
    embedded!("upgrades-team.toml"),
    embedded!("upgrades-tech.toml"),
    embedded!("upgrades-title.toml"),
    embedded!("upgrades-torpedo.toml"),
    embedded!("upgrades-turret.toml"),
];

/// What a file of cards has wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct CardError {
    /// The file.
    pub file: String,
    /// The card, when one had begun.
    pub card: Option<String>,
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(card) = &self.card {
            write!(f, ", card `{card}`")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// One card of the book. Embedded ones are read when they are first asked for.
#[derive(Debug)]
struct Slot {
    /// The text of an embedded card, from its `[[card]]` line.
    text: &'static str,
    entry: OnceLock<Option<Arc<CardEntry>>>,
}

impl Slot {
    fn entry(&self) -> Option<&Arc<CardEntry>> {
        // Embedded text is part of the program, and a test reads all of it.
        let read = || read_file("", self.text).ok()?.into_iter().next().map(Arc::new);
        self.entry.get_or_init(read).as_ref()
    }
}

impl PartialEq for Slot {
    fn eq(&self, other: &Slot) -> bool {
        self.entry() == other.entry()
    }
}

/// What is known of cards, by id.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CardBook {
    slots: BTreeMap<String, Arc<Slot>>,
}

impl CardBook {
    /// The cards that come with the program.
    pub fn embedded() -> &'static CardBook {
        static BOOK: LazyLock<CardBook> = LazyLock::new(|| CardBook::indexed(EMBEDDED));
        &BOOK
    }

    /// The cards of these files. Only where each stands is noted; a card is read when it is first asked for, and one that
    /// cannot be read is not there.
    pub fn indexed(files: &'static [(&'static str, &'static str)]) -> CardBook {
        let mut book = CardBook::default();
        for (_, text) in files {
            book.index(text);
        }
        book
    }

    /// The texts of the cards that come with the program, by file name.
    pub fn embedded_files() -> &'static [(&'static str, &'static str)] {
        EMBEDDED
    }

    /// Notes where each card of a file stands, without reading it.
    fn index(&mut self, text: &'static str) {
        let mut rest = text;
        while let Some(start) = find_card(rest, 0) {
            let end = find_card(rest, start + 1).unwrap_or(rest.len());
            let card = &rest[start..end];
            let id = card
                .lines()
                .find_map(|line| line.strip_prefix("id = \"")?.strip_suffix('"'));
            if let Some(id) = id {
                let slot = Slot {
                    text: card,
                    entry: OnceLock::new(),
                };
                self.slots.insert(id.to_owned(), Arc::new(slot));
            }
            rest = &rest[end..];
        }
    }

    /// The book with the cards of a user's file: they take the place of those of the same id.
    ///
    /// # Errors
    /// The file is not of this form, or names a card twice; with the place.
    pub fn with_file(&self, file: &str, text: &str) -> Result<CardBook, CardError> {
        let mut book = self.clone();
        for card in read_file(file, text)? {
            let id = card.id.to_string();
            let slot = Slot {
                text: "",
                entry: OnceLock::from(Some(Arc::new(card))),
            };
            book.slots.insert(id, Arc::new(slot));
        }
        Ok(book)
    }

    /// A card by its id, as in `pilot:howlrunner`.
    pub fn card(&self, id: &str) -> Option<&Arc<CardEntry>> {
        self.slots.get(id)?.entry()
    }

    /// All cards, in the order of their ids as text.
    pub fn cards(&self) -> impl Iterator<Item = &Arc<CardEntry>> {
        self.slots.values().filter_map(|slot| slot.entry())
    }

    /// How many cards it has.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
}

/// Where the next `[[card]]` line begins, from an offset on.
fn find_card(text: &str, from: usize) -> Option<usize> {
    const HEADER: &str = "[[card]]";
    let mut from = from;
    loop {
        let at = from + text.get(from..)?.find(HEADER)?;
        if at == 0 || text.as_bytes()[at - 1] == b'\n' {
            return Some(at);
        }
        from = at + HEADER.len();
    }
}

/// The cards of a file.
///
/// # Errors
/// Not of this form, a card that stands twice, or one that contradicts itself; with the place.
pub fn read_file(file: &str, text: &str) -> Result<Vec<CardEntry>, CardError> {
    let cards = toml::from_str::<CardFile>(text).map_err(|error| {
        let at = error.span().map(|span| span.start);
        CardError {
            file: file.to_owned(),
            card: at.and_then(|at| card_before(text, at)),
            line: at.map(|at| text[..at.min(text.len())].matches('\n').count() + 1),
            message: error.message().to_owned(),
        }
    })?;
    let mut seen: BTreeMap<CardId, ()> = BTreeMap::new();
    for card in &cards.cards {
        let fault = match seen.insert(card.id.clone(), ()) {
            Some(()) => Some("the card stands twice; give all its effects in one place".to_owned()),
            None => card.check().err(),
        };
        if let Some(message) = fault {
            let id = card.id.to_string();
            return Err(CardError {
                file: file.to_owned(),
                line: line_of(text, &id),
                card: Some(id),
                message,
            });
        }
    }
    Ok(cards.cards)
}

/// The id of the card that a place belongs to.
fn card_before(text: &str, at: usize) -> Option<String> {
    let start = text.get(..at)?.rfind("[[card]]").unwrap_or(0);
    let lines = text[start..].lines();
    let mut ids = lines.filter_map(|line| line.trim().strip_prefix("id")?.trim_start().strip_prefix('='));
    ids.next().map(|id| id.trim().trim_matches(['"', '\'']).to_owned())
}

/// The last line that gives a card this id.
fn line_of(text: &str, id: &str) -> Option<usize> {
    let last = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.trim_start().starts_with("id") && line.contains(id));
    last.last().map(|(place, _)| place + 1)
}
