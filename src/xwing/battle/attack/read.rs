//! How one effect of a card reads in an attack: its conditions, its price and what it does, for the solver.
//!
//! Whatever the words here do not cover makes the effect one that is not played: [`super::support`] tells the same from
//! the card alone.

use super::{
    super::conditions::{Chosen, Scene},
    gather::{CardUse, Forbidden, Gathering, Suffering},
    worth,
};
use crate::xwing::{
    combat::contest::{
        Change, Dice, Effect as DiceEffect, Face, FaceSet, Need, Price, Side, Window as ContestWindow, WindowSet,
    },
    effects::{
        Amount, Effect, EffectRef, Predicate, Primitive, Window,
        effect::Duration,
        predicate::ResultTest,
        primitive::{FaceWord, GainToken, Reroll},
        selector::Party,
    },
    ship::Tokens,
};

mod conditions;
mod prices;
mod steps;

/// The window of the solver that a moment is.
pub(super) const fn contest_window(window: Window) -> Option<ContestWindow> {
    Some(match window {
        Window::AttackDeclared => ContestWindow::Declared,
        Window::AttackRoll => ContestWindow::AttackRoll,
        Window::AttackRolled => ContestWindow::AttackRolled,
        Window::AttackModify => ContestWindow::AttackModify,
        Window::AttackModified => ContestWindow::AttackModified,
        Window::DefenseRoll => ContestWindow::DefenceRoll,
        Window::DefenseRolled => ContestWindow::DefenceRolled,
        Window::DefenseModify => ContestWindow::DefenceModify,
        Window::DefenseModified => ContestWindow::DefenceModified,
        Window::BeforeNeutralize => ContestWindow::BeforeNeutralize,
        Window::Neutralize => ContestWindow::Neutralize,
        Window::AfterNeutralize => ContestWindow::AfterNeutralize,
        Window::AttackDamage | Window::DamageWould => ContestWindow::Damage,
        _ => return None,
    })
}

/// One way to pay for an effect and what it does.
#[derive(Debug, Clone, Default)]
struct Draft {
    needs: Vec<Need>,
    price: Vec<Price>,
    does: Vec<Change>,
    aside: Vec<Primitive>,
    gains: Vec<(usize, Tokens)>,
    suffers: Option<(usize, Suffering)>,
    /// Whether a ship suffers for another: no trade that dice decide.
    moved: bool,
    /// Whether it may be used as often as it is paid, as the tokens that are lent may.
    repeats: bool,
    /// How many charges are paid, where the card leaves the number open.
    paid: Option<u8>,
    /// How many of the changes are a part of the price.
    costs: usize,
    /// The window in which it is used, when that is not the one of the effect.
    window: Option<ContestWindow>,
}

/// Reads one effect in one window.
pub(super) struct Reading<'g, 'b, 's> {
    pub gathering: &'g mut Gathering<'b>,
    pub scene: Scene<'s>,
    pub at: EffectRef,
    pub window: Window,
    pub subject: usize,
    pub group: u8,
}

impl Reading<'_, '_, '_> {
    fn own(&self) -> usize {
        self.scene.own
    }

    /// The dice of the subject.
    fn subject_dice(&self) -> Dice {
        match self.subject == self.gathering.attack.attacker {
            true => Dice::Attack,
            false => Dice::Defence,
        }
    }

    /// The dice of the window; after both are rolled those of the subject.
    fn window_dice(&self) -> Dice {
        match self.window {
            Window::AttackRoll | Window::AttackRolled | Window::AttackModify | Window::AttackModified => Dice::Attack,
            Window::DefenseRoll | Window::DefenseRolled | Window::DefenseModify | Window::DefenseModified => {
                Dice::Defence
            }
            _ => self.subject_dice(),
        }
    }

    /// Adds the effect, once for each way to choose, to pay and to pick. Nothing when it does not come up, or says more
    /// than is played.
    pub fn effect(&mut self, effect: &Effect) {
        let lasts = !matches!(effect.until, None | Some(Duration::Attack));
        if lasts || effect.replaces != (self.window == Window::DamageWould) {
            return;
        }
        match effect.choose.0.as_slice() {
            [] => self.chosen(effect, &Chosen::default()),
            [query] if query.count.is_one() => {
                for target in self.scene.query(query).unwrap_or_default() {
                    let chosen = Chosen(vec![(query.name.clone(), vec![target])]);
                    self.chosen(effect, &chosen);
                }
            }
            // All of them: more is better for whoever uses it.
            [query] if matches!(query.count, Amount::All | Amount::Any) => {
                let targets = self.scene.query(query).unwrap_or_default();
                if !targets.is_empty() {
                    let chosen = Chosen(vec![(query.name.clone(), targets)]);
                    self.chosen(effect, &chosen);
                }
            }
            _ => {}
        }
    }

    fn chosen(&mut self, effect: &Effect, chosen: &Chosen) {
        let scene = Scene { chosen, ..self.scene };
        let mut here = Reading {
            gathering: &mut *self.gathering,
            scene,
            ..*self
        };
        if asks_for_same_faces(effect) && !adds_a_matching_face(effect) {
            return;
        }
        let mut needs = Vec::new();
        for condition in &effect.conditions {
            match here.condition(condition) {
                Some(more) => needs.extend(more),
                None => return,
            }
        }
        let Some(prices) = here.prices(&effect.cost) else {
            return;
        };
        let side = here.gathering.side(here.own());
        for price in prices {
            let draft = Draft {
                needs: needs.iter().copied().chain(price.needs.iter().copied()).collect(),
                costs: price.does.len(),
                ..price
            };
            let picked = match effect.steps.as_slice() {
                [Primitive::OpponentChoice(options)] if effect.cost.is_empty() && !effect.may => {
                    here.opponent_choice(&draft, options)
                }
                [Primitive::OpponentChoice(options)] => here
                    .answered(draft, options, chosen)
                    .map(|draft| (side, !effect.may, vec![draft])),
                steps if rerolls_at_a_price(steps).is_some() => here
                    .priced_reroll(&draft, steps)
                    .map(|drafts| (side, !effect.may, drafts)),
                steps => {
                    let side = here.changes_by(steps).unwrap_or(side);
                    here.steps(&draft, steps).map(|drafts| (side, !effect.may, drafts))
                }
            };
            if let Some((side, must, drafts)) = picked {
                for draft in drafts {
                    here.add(side, must, draft, chosen);
                }
            }
        }
    }

    /// What the other side picks among: it must pick one unless one of them is nothing.
    fn opponent_choice(&mut self, draft: &Draft, options: &[Vec<Primitive>]) -> Option<(Side, bool, Vec<Draft>)> {
        let side = self.gathering.side(self.own()).other();
        let must = options.iter().all(|option| !option.is_empty());
        let mut drafts = Vec::new();
        for option in options.iter().filter(|option| !option.is_empty()) {
            drafts.extend(self.steps(draft, option)?);
        }
        Some((side, must, drafts))
    }

    /// What is paid for, and what the other side picks among afterwards, in its turn of the window that follows.
    fn answered(&mut self, mut draft: Draft, options: &[Vec<Primitive>], chosen: &Chosen) -> Option<Draft> {
        let window = match self.window {
            Window::AttackModify => ContestWindow::AttackModified,
            Window::DefenseModify => ContestWindow::DefenceModified,
            _ => return None,
        };
        let resource = self.gathering.pending((self.own(), self.at, 0));
        let answer = Draft {
            price: vec![Price::Spend { resource, count: 1 }],
            window: Some(window),
            repeats: true,
            ..Draft::default()
        };
        let (side, must, answers) = self.opponent_choice(&answer, options)?;
        for answer in answers {
            self.add(side, must, answer, chosen);
        }
        draft.does.push(Change::Stock { resource, by: 1 });
        Some(draft)
    }

    /// Something that follows from the effect by itself, once: it is not listed twice.
    fn follow(&mut self, side: Side, must: bool, draft: Draft) {
        let cards = &self.gathering.tools.cards;
        let known =
            |effect: &DiceEffect| effect.side == side && effect.price == draft.price && effect.does == draft.does;
        if !cards.iter().any(known) {
            self.add(side, must, draft, &Chosen::default());
        }
    }

    fn add(&mut self, side: Side, must: bool, mut draft: Draft, chosen: &Chosen) {
        let Some(window) = draft.window.or(contest_window(self.window)) else {
            return;
        };
        // What is done beside the dice is weighed by what it is worth. Harm to the own side that goes with dice is not.
        if !draft.aside.is_empty() {
            let alone = draft.does.len() == draft.costs;
            let worths = draft
                .aside
                .iter()
                .map(|step| worth::of(&self.scene, step, chosen, draft.paid));
            let worth: i32 = worths.map(|worth| if alone { worth } else { worth.max(0) }).sum();
            let own = self.gathering.side(self.own());
            let hundredths = u16::try_from(worth.unsigned_abs()).unwrap_or(u16::MAX);
            let side = if worth >= 0 { own } else { own.other() };
            if alone || hundredths > 0 {
                draft.does.push(Change::Prize { side, hundredths });
            }
        }
        let fighter = &self.gathering.battle.fighters[self.own()];
        let Some(card) = fighter.cards.get(self.at.card) else {
            return;
        };
        let (id, owner) = (
            card.id.to_string(),
            self.gathering.battle.table.ships[self.own()].id.clone(),
        );
        let forbids = |change: &Change| matches!(change, Change::Forbid { .. });
        if must
            && draft.needs.is_empty()
            && draft.price.is_empty()
            && draft.aside.is_empty()
            && draft.does.iter().all(forbids)
        {
            // What is forbidden anyway is forbidden from the beginning, and has to be told.
            for change in draft.does {
                if let Change::Forbid { side, dice, ban } = change {
                    self.gathering.forbidden.push(Forbidden {
                        side,
                        dice,
                        ban,
                        owner: owner.clone(),
                        card: id.clone(),
                        at: self.at,
                    });
                }
            }
            return;
        }
        if draft.does.len() == draft.costs {
            return;
        }
        self.gathering.tools.cards.push(DiceEffect {
            windows: WindowSet::of(&[window]),
            side,
            group: self.group,
            repeats: draft.repeats,
            must,
            referred: draft.moved,
            needs: draft.needs,
            price: draft.price,
            does: draft.does,
        });
        self.gathering.uses.push(CardUse {
            ship: self.own(),
            at: self.at,
            window: self.window,
            owner,
            id,
            gains: draft.gains,
            suffers: draft.suffers,
            aside: draft.aside,
            chosen: chosen.clone(),
            paid: draft.paid,
        });
    }
}

fn asks_for_same_faces(effect: &Effect) -> bool {
    let same = |condition: &Predicate| matches!(condition, Predicate::Result(ResultTest::SameFaces));
    effect.conditions.iter().any(same)
}

/// Whether all that an effect does is to add a result of the face that all dice show.
pub(super) fn adds_a_matching_face(effect: &Effect) -> bool {
    matches!(effect.steps.as_slice(), [Primitive::AddResult(added)] if added.face == FaceWord::Matching)
}

/// Any number of dice that are rerolled, and the token that each of them costs afterwards.
pub(super) fn rerolls_at_a_price(steps: &[Primitive]) -> Option<(&Reroll, &GainToken)> {
    match steps {
        [Primitive::Reroll(reroll), Primitive::ForEach(each)]
            if each.of.who == Party::DieRerolled && reroll.up_to == Some(Amount::All) && reroll.faces.is_empty() =>
        {
            match each.steps.as_slice() {
                [Primitive::GainToken(gained)] if gained.n.is_one() && gained.who.is_own() => Some((reroll, gained)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whose dice they are.
const fn owner(dice: Dice) -> Side {
    match dice {
        Dice::Attack => Side::Attacker,
        Dice::Defence => Side::Defender,
    }
}

/// The faces of a kind of dice.
fn faces_of(dice: Dice) -> Vec<Face> {
    match dice {
        Dice::Attack => vec![Face::Crit, Face::Hit, Face::Focus, Face::Blank],
        Dice::Defence => vec![Face::Evade, Face::Focus, Face::Blank],
    }
}

const fn at_least(dice: Dice, faces: FaceSet, count: u8) -> Need {
    Need::Results {
        dice,
        faces,
        at_least: count,
        at_most: u8::MAX,
    }
}

const fn at_most(dice: Dice, faces: FaceSet, count: u8) -> Need {
    Need::Results {
        dice,
        faces,
        at_least: 0,
        at_most: count,
    }
}

fn face(word: FaceWord, dice: Dice) -> Option<Face> {
    Some(match word {
        FaceWord::Hit => Face::Hit,
        FaceWord::Crit => Face::Crit,
        FaceWord::Evade => Face::Evade,
        FaceWord::Focus => Face::Focus,
        FaceWord::Blank => Face::Blank,
        FaceWord::Success if dice == Dice::Attack => Face::Hit,
        FaceWord::Success => Face::Evade,
        FaceWord::Matching | FaceWord::Named | FaceWord::Any => return None,
    })
}

fn faces(words: &[FaceWord], dice: Dice) -> Option<FaceSet> {
    let mut set = FaceSet::NONE;
    for word in words {
        set = set.with(match word {
            FaceWord::Any => FaceSet::ANY,
            word => FaceSet::of(&[face(*word, dice)?]),
        });
    }
    Some(set)
}
