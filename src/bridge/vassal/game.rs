//! A game as its commands have left it: the pieces with their places, the boards, the players.

use std::collections::BTreeMap;

use super::{
    Damage,
    command::{Basic, Command, Move, PlacedBoard},
    piece::Piece,
    secret::Secret,
    traits::{Core, Place},
};

/// A player who has taken a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The player's id, which is a password.
    pub id: Secret,
    /// What the player is called.
    pub name: String,
    /// Which side.
    pub side: String,
}

/// Why a piece is not for all to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Concealed {
    /// A player hides it: others do not see that it is there.
    Hidden(Secret),
    /// A player has turned it face down: others see its back.
    Masked(Secret),
    /// It lies in a deck that is face down.
    InDeck,
}

/// A game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Game {
    pieces: BTreeMap<String, Piece>,
    /// The stack or deck in which a piece lies.
    holders: BTreeMap<String, String>,
    boards: BTreeMap<String, Vec<PlacedBoard>>,
    players: Vec<Player>,
    unnamed: usize,
}

impl Game {
    /// The game to which commands lead; entries of a log are carried out.
    ///
    /// # Errors
    /// A change whose state does not fit its piece.
    pub fn of(commands: &Command) -> Result<Game, Damage> {
        let mut game = Game::default();
        game.carry_out(commands)?;
        Ok(game)
    }

    /// The game as a log begins, before its entries.
    ///
    /// # Errors
    /// As [`Game::of`].
    pub fn at_start_of(commands: &Command) -> Result<Game, Damage> {
        let mut game = Game::default();
        for basic in commands.basics() {
            if !matches!(basic, Basic::Log(_)) {
                game.carry_out_one(basic)?;
            }
        }
        Ok(game)
    }

    /// Carries out commands. One about a piece that is not there changes nothing, as in Vassal.
    ///
    /// # Errors
    /// A change whose state does not fit its piece; the commands before it are carried out.
    pub fn carry_out(&mut self, commands: &Command) -> Result<(), Damage> {
        commands
            .basics()
            .into_iter()
            .try_for_each(|basic| self.carry_out_one(basic))
    }

    fn carry_out_one(&mut self, basic: &Basic) -> Result<(), Damage> {
        match basic {
            Basic::BeginSave => *self = Game::default(),
            Basic::Add { id, piece } => {
                let id = id.clone().unwrap_or_else(|| {
                    self.unnamed += 1;
                    format!("unnamed {}", self.unnamed)
                });
                self.release(&id);
                self.pieces.insert(id.clone(), piece.clone());
                self.hold(&id);
            }
            Basic::Remove { id } => {
                self.take_out(id);
                self.release(id);
                self.pieces.remove(id);
            }
            Basic::Change { id, new, old } => {
                self.release(id);
                if let Some(piece) = self.pieces.get_mut(id) {
                    let taken = piece.take_state(new, old.as_deref());
                    self.hold(id);
                    taken.map_err(|damage| damage.within(&format!("change of piece {id}")))?;
                }
            }
            Basic::Move(own) => self.go(own),
            Basic::Player { id, name, side } => {
                self.players.retain(|player| player.id != *id);
                self.players.push(Player {
                    id: id.clone(),
                    name: name.clone(),
                    side: side.clone(),
                });
            }
            Basic::PlayerLeaves { id } => self.players.retain(|player| player.id != *id),
            Basic::Boards { map, boards } => drop(self.boards.insert(map.clone(), boards.clone())),
            Basic::Log(commands) => self.carry_out(commands)?,
            Basic::Null | Basic::EndSave | Basic::Chat(_) | Basic::Undo { .. } | Basic::Other(_) => {}
        }
        Ok(())
    }

    /// Forgets what lies in a stack or a deck.
    fn release(&mut self, id: &str) {
        let children = self.pieces.get(id).map(|piece| piece.core().children());
        for child in children.unwrap_or_default() {
            if self.holders.get(&child).is_some_and(|holder| holder == id) {
                self.holders.remove(&child);
            }
        }
    }

    /// Notes what lies in a stack or a deck now.
    fn hold(&mut self, id: &str) {
        let Some(piece) = self.pieces.get(id) else { return };
        if !matches!(piece.core().core(), Core::Stack | Core::Deck) {
            return;
        }
        for child in piece.core().children() {
            if let Some(other) = self.holders.insert(child.clone(), id.to_owned()) {
                self.drop_child(&other, &child);
            }
        }
    }

    fn drop_child(&mut self, holder: &str, child: &str) {
        if let Some(holder) = self.pieces.get_mut(holder) {
            let mut children = holder.core().children();
            children.retain(|own| own != child);
            holder.core_mut().set_children(&children);
        }
    }

    fn take_out(&mut self, id: &str) {
        if let Some(holder) = self.holders.remove(id) {
            self.drop_child(&holder, id);
        }
    }

    fn go(&mut self, own: &Move) {
        let Some(id) = own.id.as_ref().filter(|id| self.pieces.contains_key(*id)) else {
            return;
        };
        self.take_out(id);
        let place = Place {
            map: own.map.clone(),
            x: own.to.0,
            y: own.to.1,
        };
        let Some(piece) = self.pieces.get_mut(id) else { return };
        piece.core_mut().set_place(&place);
        if piece.core().core() != Core::Piece || piece.stays_alone() || place.map.is_none() {
            return;
        }
        // It lies on the piece that is named, or on the stack at that very point.
        let below = own.under.as_ref().and_then(|under| self.holders.get(under).cloned());
        let holder = below.or_else(|| {
            let stacks = self
                .pieces
                .iter()
                .filter(|(_, piece)| piece.core().core() == Core::Stack);
            stacks
                .filter(|(_, stack)| stack.core().place() == place)
                .map(|(id, _)| id.clone())
                .next()
        });
        if let Some(holder) = holder
            && let Some(stack) = self.pieces.get_mut(&holder)
        {
            let mut children = stack.core().children();
            let at = (own.under.as_ref()).and_then(|under| children.iter().position(|child| child == under));
            children.insert(at.map_or(children.len(), |at| at + 1), id.clone());
            stack.core_mut().set_children(&children);
            self.holders.insert(id.clone(), holder);
        }
    }

    /// How many bytes its pieces and boards are.
    pub fn bytes(&self) -> usize {
        let pieces = self.pieces.iter().map(|(id, piece)| {
            let traits = piece.traits().iter().map(|own| own.kind.len() + own.state.len());
            id.len() + traits.sum::<usize>()
        });
        let boards = self
            .boards
            .iter()
            .map(|(map, boards)| map.len() + boards.iter().map(|board| board.name.len()).sum::<usize>());
        pieces.sum::<usize>() + boards.sum::<usize>()
    }

    /// All pieces with their ids, without stacks and decks; in the order of their ids.
    pub fn pieces(&self) -> impl Iterator<Item = (&str, &Piece)> {
        let proper = |(_, piece): &(&String, &Piece)| !matches!(piece.core().core(), Core::Stack | Core::Deck);
        (self.pieces.iter()).filter(proper).map(|(id, piece)| (&**id, piece))
    }

    /// All decks with their ids.
    pub fn decks(&self) -> impl Iterator<Item = (&str, &Piece)> {
        let decks = self
            .pieces
            .iter()
            .filter(|(_, piece)| piece.core().core() == Core::Deck);
        decks.map(|(id, piece)| (&**id, piece))
    }

    /// The piece of that id, also a stack or a deck.
    pub fn piece(&self, id: &str) -> Option<&Piece> {
        self.pieces.get(id)
    }

    /// Where a piece is. In a stack or a deck that is where the stack or the deck is.
    pub fn place(&self, id: &str) -> Option<Place> {
        let holder = self.holders.get(id).and_then(|holder| self.pieces.get(holder));
        Some(holder.or_else(|| self.pieces.get(id))?.core().place())
    }

    /// The stack or the deck in which a piece lies.
    pub fn holder(&self, id: &str) -> Option<&str> {
        self.holders.get(id).map(String::as_str)
    }

    /// The piece right below one in its stack.
    pub fn below(&self, id: &str) -> Option<String> {
        let children = self.pieces.get(self.holders.get(id)?)?.core().children();
        let at = children.iter().position(|child| child == id)?;
        at.checked_sub(1).map(|below| children[below].clone())
    }

    /// How many pieces lie below one in its stack.
    pub fn layer(&self, id: &str) -> usize {
        let holder = self.holders.get(id).and_then(|holder| self.pieces.get(holder));
        let at = holder.and_then(|holder| holder.core().children().iter().position(|child| child == id));
        at.unwrap_or(0)
    }

    /// The highest piece at a point, on which one that is put there would lie.
    pub fn top_at(&self, place: &Place) -> Option<String> {
        let mut stacks = self.pieces.values().filter(|piece| piece.core().core() == Core::Stack);
        let stack = stacks.find(|stack| stack.core().place() == *place)?;
        stack.core().children().pop()
    }

    /// Why a piece is not for all to see, if it is not.
    pub fn concealed(&self, id: &str) -> Option<Concealed> {
        let piece = self.pieces.get(id)?;
        for own in piece.traits() {
            if let Some(by) = own.hidden_by() {
                return Some(match own.id() {
                    super::piece::HIDE => Concealed::Hidden(by),
                    _ => Concealed::Masked(by),
                });
            }
        }
        let holder = self.pieces.get(self.holders.get(id)?)?;
        holder.core().is_face_down().then_some(Concealed::InDeck)
    }

    /// The boards of each map.
    pub fn boards(&self) -> &BTreeMap<String, Vec<PlacedBoard>> {
        &self.boards
    }

    /// Who has taken a side, in the order in which they did.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// The player of that id.
    pub fn player(&self, id: &Secret) -> Option<&Player> {
        self.players.iter().find(|player| player.id == *id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SET_UP: &str = "begin_save\u{1b}\u{1b}\
        PLAYER\tpw\tAnn\tRebels\u{1b}\
        Main MapBoardPicker\tHoth\t0\t0\u{1b}\
        +/1/piece;;;a.png;Vader/Main Map;1;1;7;0\u{1b}\
        +/2/hide;x;;;\tpiece;;;a.png;Spy/pw\tMain Map;40;50;7;0\u{1b}\
        +/3/piece;;;a.png;Card/Main Map;0;0;7;0\u{1b}\
        +/9/stack/Main Map;25;75;1;@@0\u{1b}\
        +/8/deck;false/Main Map;500;500;true;3\u{1b}\
        end_save";

    fn game(more: &[&str]) -> Game {
        let text = [&[SET_UP], more].concat().join("\u{1b}");
        Game::of(&Command::read(&text).unwrap()).unwrap()
    }

    fn places(game: &Game) -> String {
        let place = |(id, _): (&str, &Piece)| {
            let place = game.place(id).unwrap_or_default();
            format!("{id} {} {},{}", place.map.as_deref().unwrap_or("off"), place.x, place.y)
        };
        game.pieces().map(place).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_stack_says_where_its_pieces_are() {
        let game = game(&[]);
        assert_eq!(places(&game), "1 Main Map 25,75; 2 Main Map 40,50; 3 Main Map 500,500");
        assert_eq!(game.concealed("1"), None);
        assert_eq!(game.concealed("2"), Some(Concealed::Hidden(Secret::new("pw"))));
        assert_eq!(game.concealed("3"), Some(Concealed::InDeck));
        assert_eq!(game.players()[0].side, "Rebels");
        assert_eq!(game.boards()["Main Map"][0].name, "Hoth");
    }

    #[test]
    fn pieces_move_change_and_go() {
        for (commands, expected) in [
            (
                &["M/1/Main Map/125/175/null/Main Map/25/75/null/pw"][..],
                "1 Main Map 125,175; 2 Main Map 40,50; 3 Main Map 500,500",
            ),
            (
                &[
                    "M/2/Main Map/25/75/1/Main Map/40/50/null/pw",
                    "D/9/Main Map;60;70;1;2;@@0",
                ],
                "1 Main Map 60,70; 2 Main Map 60,70; 3 Main Map 500,500",
            ),
            (
                &["M/2/Main Map/25/75/null/Main Map/40/50/null", "-/1"],
                "2 Main Map 25,75; 3 Main Map 500,500",
            ),
            (
                &["M/1/null/0/0/null/Main Map/25/75/null/pw"],
                "1 off 0,0; 2 Main Map 40,50; 3 Main Map 500,500",
            ),
            (
                &["D/77/x", "-/78", "M/79/a/0/0/null/a/0/0/null"],
                "1 Main Map 25,75; 2 Main Map 40,50; 3 Main Map 500,500",
            ),
            (&["LOG\t-/2", "UNDO\ttrue"], "1 Main Map 25,75; 3 Main Map 500,500"),
        ] {
            assert_eq!(places(&game(commands)), expected, "{commands:?}");
        }
        let moved = game(&["M/2/Main Map/25/75/1/Main Map/40/50/null/pw"]);
        assert_eq!((moved.below("2").as_deref(), moved.holder("2")), (Some("1"), Some("9")));
    }

    #[test]
    fn a_log_can_be_looked_at_before_its_entries() {
        let text = format!("{SET_UP}\u{1b}LOG\t-/1");
        let commands = Command::read(&text).unwrap();
        assert!(Game::at_start_of(&commands).unwrap().piece("1").is_some());
        assert!(Game::of(&commands).unwrap().piece("1").is_none());
    }

    #[test]
    fn a_change_that_does_not_fit_is_told() {
        let text = format!("{SET_UP}\u{1b}D/2/pw");
        let damage = Game::of(&Command::read(&text).unwrap()).unwrap_err();
        assert_eq!(
            damage.to_string(),
            "change of piece 2, state: it has 1 levels where its type has 2: it is cut off"
        );
    }
}
