//! What still matters at each stage of an attack: states that differ in nothing else are one.

use super::{
    effect::{Change, Effect, Need, Price},
    faces::FaceSet,
    schedule::Stage,
    state::{BITS, Contest, MASK},
};

/// All faces that anything after a stage may reroll, and all that anything may touch at all.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Live {
    pub groups: u64,
    pub stock: u128,
    pub rerolled: [FaceSet; 2],
    pub touched: [FaceSet; 2],
}

impl Contest {
    /// What still matters at each stage: all else about a state makes no difference any more.
    pub(super) fn live(&self) -> Vec<Live> {
        let mut live = vec![Live::default(); self.stages().len() + 1];
        let mut after = Live::default();
        for (place, stage) in self.stages().iter().enumerate().rev() {
            if let Stage::Turn(window, side) = *stage {
                for effect in self.effects() {
                    if effect.side == side && effect.windows.has(window) {
                        after.join(effect);
                    }
                }
            }
            live[place] = after;
        }
        live
    }
}

impl Live {
    fn join(&mut self, effect: &Effect) {
        let stock = |resource: u8| MASK << (u32::from(resource) * BITS);
        if !effect.repeats {
            self.groups |= 1 << (effect.group & 63);
        }
        for price in &effect.price {
            match *price {
                Price::Spend { resource, .. } => self.stock |= stock(resource),
                Price::Suffer { life, .. } => self.stock |= stock(life),
            }
        }
        for need in &effect.needs {
            match *need {
                Need::Stock { resource, .. } | Need::NoStock { resource } => self.stock |= stock(resource),
                Need::Results { dice, faces, .. } => {
                    let touched = &mut self.touched[dice as usize];
                    *touched = touched.with(faces);
                }
                Need::Used { group, .. } => self.groups |= 1 << (group & 63),
                // The number of dice is told apart anyway.
                Need::Dice { .. } => {}
            }
        }
        for change in &effect.does {
            match *change {
                Change::Stock { resource, .. } => self.stock |= stock(resource),
                Change::Reroll { dice, faces, .. } => {
                    let rerolled = &mut self.rerolled[dice as usize];
                    *rerolled = rerolled.with(faces);
                }
                Change::RollAgain { dice } => {
                    self.rerolled[dice as usize] = FaceSet::ANY;
                    self.touched[dice as usize] = FaceSet::ANY;
                }
                Change::Turn { dice, from: faces, .. } | Change::Cancel { dice, faces, .. } => {
                    let touched = &mut self.touched[dice as usize];
                    *touched = touched.with(faces);
                }
                _ => {}
            }
        }
    }
}
