//! A piece as it is written: its traits, the outermost first, each with what it is and the state that it has.
//!
//! The type of a piece nests its traits with tabs, outer before inner, down to what is no trait: a basic piece, a stack or a
//! deck. The state nests in the same way. Both are taken apart and put together here; what a trait's own text means is
//! [`super::traits`]' business.

use std::{collections::BTreeMap, fmt};

use super::{Damage, sequence::Encoder};

/// Most traits of one piece; the richest known module has about 170.
pub const MOST_TRAITS: usize = 4096;

/// The id of the trait by which a player hides a piece; its state is that player's password.
pub const HIDE: &str = "hide";
/// The id of the trait by which a player turns a piece face down; its state begins with that player's password.
pub const MASK: &str = "obs";
/// The id of the trait that belongs to a player; its state can be that player's password.
pub const RESTRICTED: &str = "restrict";

/// What stands between the levels of a type or a state.
const LEVEL: char = '\t';

/// One trait, or what the traits are around.
#[derive(Clone, PartialEq, Eq)]
pub struct Trait {
    /// What it is: its id, a `;`, and how it is set up.
    pub kind: String,
    /// What may change in a game.
    pub state: String,
}

impl Trait {
    /// A trait.
    pub fn new(kind: impl Into<String>, state: impl Into<String>) -> Trait {
        Trait {
            kind: kind.into(),
            state: state.into(),
        }
    }

    /// The word that tells which trait it is, as in `rotate` or `piece`.
    pub fn id(&self) -> &str {
        self.kind.split(';').next().unwrap_or_default()
    }

    /// What follows the id in its kind.
    pub fn setting(&self) -> &str {
        self.kind.split_once(';').map_or("", |(_, setting)| setting)
    }
}

/// The state of a hidden, masked or owned piece can name a password.
impl fmt::Debug for Trait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.id() {
            HIDE | MASK | RESTRICTED if !matches!(&*self.state, "" | "null" | "null;") => "(hidden)",
            _ => &self.state,
        };
        f.debug_struct("Trait")
            .field("kind", &self.kind)
            .field("state", &state)
            .finish()
    }
}

/// A piece, a stack or a deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The outermost first; the last one is the basic piece, the stack or the deck. There is at least one.
    traits: Vec<Trait>,
}

impl Piece {
    /// A piece of traits around its core.
    pub fn new(traits: impl IntoIterator<Item = Trait>, core: Trait) -> Piece {
        let mut traits: Vec<Trait> = traits.into_iter().collect();
        traits.push(core);
        Piece { traits }
    }

    /// Reads a piece from its type and its state.
    ///
    /// # Errors
    /// A state of fewer levels than its type, or more levels than any piece has.
    pub fn read(kind: &str, state: &str) -> Result<Piece, Damage> {
        let mut kinds = Vec::new();
        let mut levels = Levels::of(kind);
        loop {
            let (outer, goes_on) = levels.take();
            kinds.push(outer);
            if kinds.len() > MOST_TRAITS {
                return Err(Damage::at("type", format!("it nests more than {MOST_TRAITS} traits")));
            }
            if !goes_on {
                break;
            }
        }
        let states = read_states(state, kinds.len())?;
        let traits = kinds.into_iter().zip(states).map(|(kind, state)| Trait { kind, state });
        Ok(Piece {
            traits: traits.collect(),
        })
    }

    /// The type as it is written.
    pub fn kind(&self) -> String {
        nested(self.traits.iter().map(|own| &*own.kind))
    }

    /// The state as it is written.
    pub fn state(&self) -> String {
        nested(self.traits.iter().map(|own| &*own.state))
    }

    /// All traits, the outermost first; the last one is the core.
    pub fn traits(&self) -> &[Trait] {
        &self.traits
    }

    /// All traits, to change their states.
    pub fn traits_mut(&mut self) -> &mut [Trait] {
        &mut self.traits
    }

    /// The basic piece, the stack or the deck within.
    pub fn core(&self) -> &Trait {
        &self.traits[self.traits.len() - 1]
    }

    /// The core, to change its state.
    pub fn core_mut(&mut self) -> &mut Trait {
        let last = self.traits.len() - 1;
        &mut self.traits[last]
    }

    /// Takes on a new state.
    ///
    /// With the old state, only the traits in which the two differ change, as other changes may have come in between.
    ///
    /// # Errors
    /// A state of too few levels.
    pub fn take_state(&mut self, new: &str, old: Option<&str>) -> Result<(), Damage> {
        let new = read_states(new, self.traits.len())?;
        let old = old.map(|old| read_states(old, self.traits.len())).transpose()?;
        for (index, (own, state)) in self.traits.iter_mut().zip(new).enumerate() {
            if old.as_ref().is_none_or(|old| old[index] != state) {
                own.state = state;
            }
        }
        Ok(())
    }
}

/// The states of so many levels; what is left over is the innermost one's.
fn read_states(state: &str, count: usize) -> Result<Vec<String>, Damage> {
    let mut states = Vec::with_capacity(count);
    let mut levels = Levels::of(state);
    for level in 1..count {
        let (outer, goes_on) = levels.take();
        states.push(outer);
        if !goes_on {
            return Err(Damage::at(
                "state",
                format!("it has {level} levels where its type has {count}: it is cut off"),
            ));
        }
    }
    states.push(levels.rest());
    Ok(states)
}

/// Takes a nested text apart from the outside in. What lies within is not copied level by level, which would cost the square of
/// its length: a tab that so many backslashes stand before belongs to the level of that number.
struct Levels<'t> {
    text: &'t str,
    /// Where the tabs of each level are.
    tabs: BTreeMap<usize, Vec<usize>>,
    /// The level that comes next, and where it begins and ends.
    depth: usize,
    start: usize,
    end: usize,
}

impl<'t> Levels<'t> {
    fn of(text: &'t str) -> Levels<'t> {
        let mut tabs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut backslashes = 0;
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                b'\\' => backslashes += 1,
                b'\t' => {
                    tabs.entry(backslashes).or_default().push(at);
                    backslashes = 0;
                }
                _ => backslashes = 0,
            }
        }
        Levels {
            text,
            tabs,
            depth: 0,
            start: 0,
            end: text.len(),
        }
    }

    /// The text of the next level, and whether there is one within.
    fn take(&mut self) -> (String, bool) {
        let own = self.tabs.get(&self.depth).map_or(&[][..], Vec::as_slice);
        let first = own.partition_point(|at| *at < self.start);
        let mut ends = own[first..].iter().copied().take_while(|at| *at < self.end);
        let inner = ends.next();
        // The backslashes before a tab of this level are not part of what stands before it.
        let outer = self.written(self.start, inner.map_or(self.end, |at| at - self.depth), self.depth + 1);
        let outer = unquoted(&outer).to_owned();
        let Some(at) = inner else { return (outer, false) };
        // What follows a second tab belongs to no level.
        self.end = ends.next().map_or(self.end, |second| second - self.depth);
        self.start = at + 1;
        self.depth += 1;
        let within = &self.text[self.start..self.end];
        if unquoted(within).len() < within.len() {
            self.start += 1;
            self.end -= 1;
        }
        (outer, true)
    }

    /// All that is left, as the text of one level.
    fn rest(&self) -> String {
        self.written(self.start, self.end, self.depth)
    }

    /// A part of the text with so many backslashes less before each tab.
    fn written(&self, start: usize, end: usize, less: usize) -> String {
        let part = &self.text[start..end];
        let mut text = String::with_capacity(part.len());
        for (index, piece) in part.split('\t').enumerate() {
            if index > 0 {
                text.truncate(text.len() - less);
                text.push('\t');
            }
            text.push_str(piece);
        }
        text
    }
}

/// A text without the pair of quotes that it stands between.
fn unquoted(text: &str) -> &str {
    let within = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    within.unwrap_or(text)
}

/// The texts of all levels, nested, the outermost first.
fn nested<'a>(levels: impl DoubleEndedIterator<Item = &'a str>) -> String {
    let mut levels = levels.rev();
    let mut text = levels.next().unwrap_or_default().to_owned();
    for outer in levels {
        let mut encoder = Encoder::new(LEVEL);
        encoder.push(outer).push(&text);
        text = encoder.finish();
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn traits_nest_from_the_outside_in() {
        let kind = "delete;Delete;127,0;\tmark;Faction\\\tpiece;;;vader.png;Vader";
        let state = "\tSith\\\tMain Map;125;175;7;0";
        let piece = Piece::read(kind, state).unwrap();
        let ids: Vec<&str> = piece.traits().iter().map(Trait::id).collect();
        assert_eq!(ids, ["delete", "mark", "piece"]);
        assert_eq!(piece.traits()[1].state, "Sith");
        assert_eq!(piece.core().state, "Main Map;125;175;7;0");
        assert_eq!((piece.kind(), piece.state()), (kind.to_owned(), state.to_owned()));
    }

    /// The levels of a text as the rule for sequences has them, one sequence within the other.
    fn levels_of_sequences(text: &str) -> Vec<String> {
        let mut levels = Vec::new();
        let mut rest = text.to_owned();
        loop {
            let mut tokens = crate::bridge::vassal::sequence::tokens(&rest, LEVEL);
            levels.push(tokens.text().unwrap_or_default().into_owned());
            match tokens.text().map(std::borrow::Cow::into_owned) {
                Some(inner) => rest = inner,
                None => return levels,
            }
        }
    }

    proptest! {
        #[test]
        fn levels_are_those_of_sequences_within_sequences(letters in prop::collection::vec(prop::sample::select(vec!['\\', '\t', '\'', 'a', 'é']), 0..60)) {
            let text: String = letters.into_iter().collect();
            let mut levels = Levels::of(&text);
            let mut taken = Vec::new();
            loop {
                let (outer, goes_on) = levels.take();
                taken.push(outer);
                if !goes_on {
                    break;
                }
            }
            prop_assert_eq!(taken, levels_of_sequences(&text));
        }
    }

    #[test]
    fn a_state_that_is_cut_off_is_refused() {
        let damage = Piece::read("a;\tb;\\\tpiece;;;;", "x").unwrap_err();
        assert_eq!(
            damage.to_string(),
            "state: it has 1 levels where its type has 3: it is cut off"
        );
    }

    #[test]
    fn only_the_traits_that_differ_change_when_the_old_state_is_told() {
        let mut piece = Piece::read("a;\tb;\\\tpiece;;;;", "1\t2\\\tx").unwrap();
        piece.take_state("9\t5\\\tx", Some("9\t2\\\tx")).unwrap();
        assert_eq!(piece.state(), "1\t5\\\tx");
        piece.take_state("9\t5\\\ty", None).unwrap();
        assert_eq!(piece.state(), "9\t5\\\ty");
    }

    #[test]
    fn what_is_said_for_debugging_hides_passwords() {
        for kind in ["hide;;", "obs;x;y", "restrict;;true"] {
            let shown = format!("{:?}", Trait::new(kind, "hunter2"));
            assert!(!shown.contains("hunter2"), "{shown}");
        }
        assert!(format!("{:?}", Trait::new("label;x", "Stress 1")).contains("Stress 1"));
    }

    pub(in crate::bridge::vassal) fn any_piece() -> impl Strategy<Value = Piece> {
        let text = || {
            let letters = vec!['a', 'Z', '\\', '\'', ';', '\t', '/', '\u{1b}', 'é', ',', ' '];
            prop::collection::vec(prop::sample::select(letters), 0..9)
                .prop_map(|letters| letters.into_iter().collect::<String>())
        };
        let id = prop::sample::select(vec!["mark;", "rotate;1;", "unknown.Trait;", "obs;", ""]);
        let own = (id, text(), text()).prop_map(|(id, setting, state)| Trait::new(format!("{id}{setting}"), state));
        let core = (text(), text())
            .prop_map(|(name, state)| Trait::new(format!("piece;;;{}", name.replace(['\t', '\''], "")), state));
        (prop::collection::vec(own, 0..20), core).prop_map(|(traits, core)| Piece::new(traits, core))
    }

    proptest! {
        #[test]
        fn any_piece_comes_back(piece in any_piece()) {
            let (kind, state) = (piece.kind(), piece.state());
            let read = Piece::read(&kind, &state).unwrap();
            prop_assert_eq!(&read.kind(), &kind);
            prop_assert_eq!(&read.state(), &state);
            prop_assert_eq!(read, piece);
        }
    }
}
