//! Players' dials that are missing or another ship's (FE-3.3), and those of stressed ships that show red (FE-4.3, FE-14.4, SA-6.2).
//! No table shows what a dial shows: the players tell it before the ship moves, or where it stands tells it. What the ship
//! flies then is asked before it counts; where it has moved already its model is put there.

use super::{Mark, Pick, choices::Question, flown, following::BY_THE_PLAYERS, following::ONLY_PUT_RIGHT};
use crate::{
    commander::picks,
    game::{Game, Refusal, called, event::Topic, known_ship, opponent::Opponent, step::Step, undo::Done},
    solo_alpha::sentence::SpokenIn,
    xwing::{
        ObjectId,
        battle::Phase,
        dial_rulings::{self, Ruling},
        edition::{Edition, StressedRed, WrongDial},
        maneuver::{Difficulty, Maneuver},
        movement,
        ship::Ship,
        table::Table,
    },
};

/// The answer that the players agree on a maneuver among themselves.
pub const WE_SETTLE_IT: &str = "We settle it ourselves";
/// The answer that a card lets a stressed ship fly what it shows.
pub const A_CARD_LETS_IT: &str = "A card lets it fly that";

/// What the players tell about a dial of theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DialTold {
    /// The ship has none.
    Missing,
    /// It is another ship's, and shows this.
    Shows(Maneuver),
    /// It shows a red maneuver, and the ship is stressed.
    Red,
}

impl<O: Opponent> Game<O> {
    /// What a ship flies by a ruling: where the opponent picks, the solo side does, what is worst for the ship.
    fn ruled(&self, table: &Table, ship: &Ship, ruling: Ruling) -> Option<(Maneuver, bool)> {
        match ruling {
            // What is red for a stressed ship gives way once more.
            Ruling::Flies(maneuver) if maneuver.difficulty == Difficulty::Red && !ship.may_fly(maneuver) => {
                self.ruled(table, ship, dial_rulings::of_stressed(&table.rules, ship))
            }
            Ruling::Flies(maneuver) => Some((maneuver, false)),
            Ruling::OpponentPicks(all) => {
                let options = self.players_options();
                picks::worst_maneuver(table, ship, all, &options).map(|maneuver| (maneuver, true))
            }
        }
    }

    fn spoken(&self, maneuver: Maneuver) -> String {
        SpokenIn(self.edition(), maneuver).to_string()
    }

    /// The players tell what is wrong with the dial of a ship that has not moved; what it flies is asked.
    ///
    /// # Errors
    /// No such ship, one that has no dial to be wrong, or something else goes on.
    pub(super) fn dial_told(&mut self, id: &ObjectId, told: DialTold) -> Result<String, Refusal> {
        let table = self.table.as_ref().ok_or(Refusal::NoTable)?;
        let ship = known_ship(table, id)?;
        let name = called(ship).to_owned();
        if self.seats.is_solo(id) {
            return Err(Refusal::Dial(format!("{name} is flown by the program, without a dial")));
        }
        if self.activated.contains(id) || !matches!(self.phase(), Some(Phase::Planning | Phase::Activation)) {
            return Err(Refusal::AlreadyActivated(name));
        }
        if !ship.in_play() {
            return Err(Refusal::NotInPlay(name));
        }
        if ship.is_ionized() {
            let flies = self.spoken(table.rules.ion_maneuver());
            return Err(Refusal::Dial(format!(
                "{name} is ionized: it flies a {flies}, whatever a dial shows"
            )));
        }
        let (ruling, what) = match (told, table.rules.wrong_dial) {
            (DialTold::Red, _) => {
                let mut reds = (ship.dial.maneuvers().iter()).filter(|maneuver| maneuver.difficulty == Difficulty::Red);
                if reds.all(|maneuver| ship.may_fly(*maneuver)) {
                    return Err(Refusal::Dial(format!("{name} may fly the red maneuvers of its dial")));
                }
                let text = format!("{name} is stressed and shows red ({})", self.red_rule());
                (dial_rulings::of_stressed(&table.rules, ship), text)
            }
            (_, WrongDial::Unsaid) => {
                return Err(Refusal::Dial(
                    "the rules of this edition do not say what is flown without the right dial: settle it among you, and move \
                     the ship"
                        .to_owned(),
                ));
            }
            (DialTold::Missing, WrongDial::ShownOrOpponent) => {
                let text = format!("{name} has no dial (FE-3.3)");
                (dial_rulings::of_wrong_dial(ship, None), text)
            }
            (DialTold::Shows(shown), WrongDial::ShownOrOpponent) => {
                // Its colour there says nothing.
                let spoken = self.spoken(shown);
                let way = spoken.split_once(' ').map_or("", |(_, way)| way);
                let text = format!("The dial of {name} is another ship's and shows {way} (FE-3.3)");
                (dial_rulings::of_wrong_dial(ship, Some(shown)), text)
            }
        };
        let Some((maneuver, picked)) = self.ruled(table, ship, ruling) else {
            return Err(Refusal::Dial(format!("nothing is known of the dial of {name}")));
        };
        if self.activation.is_some() {
            return Err(self.busy());
        }
        if let Some(waits) = self.waits_for_somebody() {
            return Err(waits);
        }
        let flies = format!("It flies {}", self.spoken(maneuver));
        let by_whom = if picked { ": the solo side picks" } else { ": it flies" };
        let text = format!("{what}{by_whom} {}. Does it fly that?", self.spoken(maneuver));
        let question = Question {
            text: text.clone(),
            picks: vec![
                (flies.clone(), Pick::Fly(id.clone(), Some(maneuver))),
                (WE_SETTLE_IT.to_owned(), Pick::Fly(id.clone(), None)),
            ],
            default: flies,
            topic: Topic::Action,
        };
        self.put_choice(id, question);
        Ok(text)
    }

    /// The rule by which a stressed ship does not fly red.
    fn red_rule(&self) -> &'static str {
        let rules = self.table.as_ref().map(|table| table.rules).unwrap_or_default();
        match (rules.stressed_red, rules.edition) {
            (StressedRed::OpponentPicks, _) => "FE-14.4",
            (StressedRed::White2Straight, Edition::First) => "FE-4.3",
            (StressedRed::White2Straight, Edition::Second) => "SA-6.2",
        }
    }

    /// The players have agreed to what a ship flies, or settle it themselves.
    pub(super) fn fly_ruled(&mut self, id: &ObjectId, maneuver: Option<Maneuver>) {
        let Some(maneuver) = maneuver else { return };
        if self
            .activation
            .as_ref()
            .is_some_and(|activation| activation.ship == *id)
            && self.following().is_some()
        {
            self.fly_instead(maneuver);
            return;
        }
        let (before, name) = (self.checkpoint(), self.name(id));
        if let Some(whole) = &mut self.whole {
            whole.ruled.insert(id.clone(), maneuver);
        }
        self.remember(Done {
            ship: id.clone(),
            name: name.clone(),
            round: self.round,
            roll: None,
            inverse: Vec::new(),
            by_hand: Vec::new(),
            mark: Mark::Step,
            before,
        });
        let flies = self.spoken(maneuver);
        self.note(&format!(
            "{name} flies {flies} in this round: move it when it is its turn."
        ));
    }

    /// What the ship was ruled to fly in this round.
    pub(super) fn ruled_for(&self, id: &ObjectId) -> Option<Maneuver> {
        self.whole.as_ref()?.ruled.get(id).copied()
    }

    /// The ship whose activation is followed flies this in place of what its players moved it by: its model is put there.
    fn fly_instead(&mut self, maneuver: Maneuver) {
        let (Some(activation), Some(following)) = (&self.activation, self.following()) else {
            return;
        };
        let id = activation.ship.clone();
        let table = following.before_table();
        let (Some(before), Some(now)) = (table.ship(&id), self.table.as_ref().and_then(|table| table.ship(&id))) else {
            return;
        };
        let from = now.pose;
        // Of the ends of a Tallon roll the one nearest to where its players have put it.
        let ends = movement::executions(table, before, maneuver, &self.players_options()).into_iter();
        let nearest = ends.min_by(|a, b| flown::apart(a.pose, from).total_cmp(&flown::apart(b.pose, from)));
        let Some(execution) = nearest else { return };
        let step = Step::Place {
            ship: id,
            from,
            to: execution.pose,
        };
        if let Some(activation) = &mut self.activation {
            activation.todo.push_back(step);
        }
        self.players_flew(Some(flown::Flown { execution, off: 0.0 }));
    }

    /// FE-4.3, FE-14.4: a stressed ship stands where only red maneuvers of its dial end. What it flies instead, as a question;
    /// `None` where it may fly what it flew.
    pub(super) fn question_about_red(&self, id: &ObjectId, agreeing: &[flown::Flown]) -> Option<Question> {
        let table = self.following()?.before_table();
        let before = table.ship(id)?;
        let flown = agreeing.first()?;
        let barred = |flown: &flown::Flown| {
            flown.execution.maneuver.difficulty == Difficulty::Red && !before.may_fly(flown.execution.maneuver)
        };
        if !agreeing.iter().all(barred) {
            return None;
        }
        let (instead, picked) = self.ruled(table, before, dial_rulings::of_stressed(&table.rules, before))?;
        let put = format!("Put it at the end of the {}", self.spoken(instead));
        let by_whom = if picked { "the solo side picks" } else { "it flies" };
        Some(Question {
            text: format!(
                "{} is stressed and may not fly {} ({}): {by_whom} {} instead.",
                self.name(id),
                self.spoken(flown.execution.maneuver),
                self.red_rule(),
                self.spoken(instead)
            ),
            picks: vec![
                (put.clone(), Pick::Fly(id.clone(), Some(instead))),
                (A_CARD_LETS_IT.to_owned(), Pick::Flew(Box::new(flown.clone()))),
                (BY_THE_PLAYERS.to_owned(), Pick::HasActivated),
                (ONLY_PUT_RIGHT.to_owned(), Pick::PutRight),
            ],
            default: put,
            topic: Topic::Action,
        })
    }

    /// FE-3.3: the ship stands at the end of no maneuver of its own dial. If it does at that of one that another ship's dial
    /// may show, an option to have the solo side pick.
    pub(super) fn pick_for_wrong_dial(&self, id: &ObjectId) -> Option<(String, Pick)> {
        let table = self.following()?.before_table();
        match table.rules.wrong_dial {
            WrongDial::Unsaid => return None,
            WrongDial::ShownOrOpponent => {}
        }
        let (before, now) = (table.ship(id)?, self.table.as_ref()?.ship(id)?);
        let shown = flown::of_another_dial(table, before, now.pose, &self.players_options())?;
        let (picked, _) = self.ruled(table, before, dial_rulings::of_wrong_dial(before, Some(shown)))?;
        let text = format!(
            "Another ship's dial: the solo side picks {} (FE-3.3)",
            self.spoken(picked)
        );
        Some((text, Pick::Fly(id.clone(), Some(picked))))
    }
}
