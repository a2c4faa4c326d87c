//! The conditions of an effect in an attack: those that hold or do not, and those that the solver has to look at.

use super::{Reading, at_least, at_most};
use crate::xwing::{
    combat::contest::{Dice, Face, FaceSet, Need},
    effects::{
        Predicate, State, TokenWord, Window,
        predicate::{EventWord, ResultTest},
    },
};

use super::super::gather::Held;

impl Reading<'_, '_, '_> {
    /// What must hold at the moment of use; `None` when it does not hold now, or is not known.
    pub(super) fn condition(&mut self, predicate: &Predicate) -> Option<Vec<Need>> {
        match predicate {
            // What is added then says which face it is.
            Predicate::Result(ResultTest::SameFaces) => return Some(Vec::new()),
            Predicate::Result(test) => return self.result(*test).map(|need| vec![need]),
            Predicate::Event(words) if self.window == Window::DamageWould => {
                let [word] = words.0.as_slice() else { return None };
                let faces = match word {
                    EventWord::FaceupCard => return Some(self.would_be_dealt(Face::Crit)),
                    EventWord::FacedownCard => return Some(self.would_be_dealt(Face::Hit)),
                    EventWord::Damage => FaceSet::SUCCESS,
                    EventWord::Hit => FaceSet::of(&[Face::Hit]),
                    EventWord::Crit => FaceSet::of(&[Face::Crit]),
                    _ => return None,
                };
                return Some(vec![at_least(Dice::Attack, faces, 1)]);
            }
            Predicate::AllOf(inner) => {
                let mut needs = Vec::new();
                for predicate in inner {
                    needs.extend(self.condition(predicate)?);
                }
                return Some(needs);
            }
            Predicate::Not(inner) => {
                if let Some(resource) = self.stock(inner) {
                    return Some(vec![Need::NoStock { resource }]);
                }
            }
            _ => {}
        }
        let holds = self.scene.holds(predicate)?;
        if !holds {
            return None;
        }
        let stock = self
            .stock(predicate)
            .map(|resource| Need::Stock { resource, at_least: 1 });
        Some(stock.into_iter().collect())
    }

    /// The defender would be dealt a damage card faceup, by a crit, or facedown, by a hit: hits take shields before crits.
    fn would_be_dealt(&self, face: Face) -> Vec<Need> {
        let defender = &self.gathering.battle.fighters[self.gathering.attack.defender];
        let more = defender.integrity.shields.saturating_add(1);
        let one = at_least(Dice::Attack, FaceSet::of(&[face]), 1);
        let enough = match face {
            Face::Crit => FaceSet::SUCCESS,
            face => FaceSet::of(&[face]),
        };
        vec![one, at_least(Dice::Attack, enough, more)]
    }

    /// The resource of the attack's ships that a state is about, so that it counts as it is when the effect is used.
    fn stock(&mut self, predicate: &Predicate) -> Option<u8> {
        let (state, ship) = match predicate {
            Predicate::Own(state) => (state, self.own()),
            Predicate::Subject(state) => (state, self.subject),
            Predicate::Other(state) => (state, self.scene.other()?),
            _ => return None,
        };
        let attack = self.gathering.attack;
        let held = match state {
            State::ChargeActive => Held::Charge(self.at.card),
            _ if ship != attack.attacker && ship != attack.defender => return None,
            State::Focused => Held::Token(TokenWord::Focus),
            State::Evading => Held::Token(TokenWord::Evade),
            State::Calculating => Held::Token(TokenWord::Calculate),
            State::ForceActive => Held::Force,
            State::HasLockOnOther => Held::Lock,
            State::HasLockOnDefender if ship == attack.attacker => Held::Lock,
            _ => return None,
        };
        let of = if matches!(held, Held::Charge(_)) {
            self.own()
        } else {
            ship
        };
        Some(self.gathering.resource(of, held))
    }

    fn result(&mut self, test: ResultTest) -> Option<Need> {
        let dice = self.window_dice();
        match test {
            ResultTest::AttackerModifiedDice => {
                let resource = self.gathering.modified();
                Some(Need::Stock { resource, at_least: 1 })
            }
            ResultTest::DiceAtMost(at_most) if matches!(self.window, Window::AttackRoll | Window::DefenseRoll) => {
                Some(Need::Dice { dice, at_most })
            }
            ResultTest::Hit => Some(at_least(Dice::Attack, FaceSet::SUCCESS, 1)),
            ResultTest::ResultsAtLeast(count) => Some(at_least(Dice::Attack, FaceSet::SUCCESS, count)),
            ResultTest::ResultsExceedShields => {
                let defender = &self.gathering.battle.fighters[self.gathering.attack.defender];
                let shields = defender.integrity.shields;
                Some(at_least(Dice::Attack, FaceSet::SUCCESS, shields.saturating_add(1)))
            }
            ResultTest::OnlyBlank => Some(at_most(dice, FaceSet::SUCCESS.with(FaceSet::of(&[Face::Focus])), 0)),
            ResultTest::DiceAtMost(count) => Some(at_most(dice, FaceSet::ANY, count)),
            _ => None,
        }
    }
}
