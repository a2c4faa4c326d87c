//! What the results of an attack do when it is over.

use super::{
    super::{Battle, Event},
    Fought,
};
use crate::{
    dice::DiceSource,
    xwing::{
        ObjectId,
        combat::{Uncancelled, contest::Face},
        damage_deck::{Damage, DamageEvent},
        effects::{
            TokenWord,
            primitive::{FaceWord, InflictInstead, Inflicted},
        },
    },
};

impl Battle {
    /// The attack is over but for its damage: tokens that it uses up go, then damage is suffered.
    pub(in crate::xwing::battle) fn resolve_attack(&mut self, damage: Damage, dice: &mut dyn DiceSource) {
        let Some(duel) = self.duel.take() else {
            return;
        };
        let (Some(attacker), Some(defender)) = (self.index(&duel.attacker), self.index(&duel.defender)) else {
            return;
        };
        let hit = damage != Damage::default();
        let waiting = self.queue.depth();
        let told = self.events.len();
        let instead = duel.windows.as_ref().and_then(|windows| windows.cards.inflict.as_ref());
        let (damage, tokens) = match instead {
            Some((_, instead)) => inflicted(instead, damage),
            None => (damage, Vec::new()),
        };
        self.events.push(Event::AttackResolved {
            attacker: duel.attacker.clone(),
            defender: duel.defender.clone(),
            spent: duel.spent,
            damage,
        });
        if self.table.ships[defender].tokens.strain > 0 {
            self.table.ships[defender].tokens.strain -= 1;
            self.record_tokens(defender);
        }
        if self.table.ships[attacker].tokens.deplete > 0 {
            self.table.ships[attacker].tokens.deplete -= 1;
            self.record_tokens(attacker);
        }
        if damage != Damage::default() {
            self.suffer(defender, damage, dice);
        }
        for (word, count) in tokens {
            match word {
                TokenWord::Tractor => {
                    let target = self.table.ships[defender].id.clone();
                    self.gain_tractor(&target, u32::from(count), &duel.attacker);
                }
                word => self.gain(defender, word, i64::from(count)),
            }
        }
        for (word, count) in &duel.gains_after {
            self.gain_tokens(attacker, *word, u32::from(*count), attacker);
        }
        let (cards, face_up) = self.cards_dealt(told, &duel.defender);
        let mut course = duel.course;
        if let Some(windows) = &duel.windows {
            course.modified = windows.state.attacker_modified();
            course.neutralized = windows.state.neutralized();
        }
        let fought = Fought {
            attacker,
            defender,
            weapon: duel.weapon,
            range: duel.target.range,
            arc: duel.target.arc,
            hit,
            cards,
            face_up,
            destroyed: self.fighters[defender].integrity.is_destroyed(),
            course,
        };
        self.fought.push(fought);
        self.expect_aftermath(waiting, fought);
    }

    /// Damage cards that a ship was dealt since so much had been told: all of them, and those face up.
    fn cards_dealt(&self, told: usize, ship: &ObjectId) -> (usize, usize) {
        let since = self.events.get(told..).unwrap_or_default().iter();
        let dealt = since.flat_map(|event| match event {
            Event::Suffered { ship: of, outcome, .. } if of == ship => outcome.as_slice(),
            _ => &[],
        });
        dealt.fold((0, 0), |(cards, face_up), event| match event {
            DamageEvent::Dealt { face_up: up, .. } => (cards + 1, face_up + usize::from(*up)),
            _ => (cards, face_up),
        })
    }
}

/// The damage and the tokens that results give under a rule of the weapon's.
fn inflicted(instead: &InflictInstead, results: Damage) -> (Damage, Vec<(TokenWord, u8)>) {
    let counts = |face: Face| {
        let word = match face {
            Face::Crit => FaceWord::Crit,
            _ => FaceWord::Hit,
        };
        let words = [word, FaceWord::Success, FaceWord::Any];
        instead.faces.is_empty() || words.iter().any(|word| instead.faces.contains(word))
    };
    let (mut damage, mut left) = (Damage::default(), 0_u8);
    for (face, count) in [(Face::Hit, results.hits), (Face::Crit, results.crits)] {
        match (counts(face), face) {
            (true, _) => left += count,
            (false, Face::Crit) => damage.crits += count,
            (false, _) => damage.hits += count,
        }
    }
    let mut tokens = Vec::new();
    let mut give = |what: &Inflicted, times: u8, damage: &mut Damage| match what {
        Inflicted::Damage(dealt) => {
            damage.hits += dealt.hit * times;
            damage.crits += dealt.crit * times;
        }
        Inflicted::Token(word) if times > 0 => tokens.push((*word, times)),
        Inflicted::Token(_) | Inflicted::Nothing => {}
    };
    if left > 0
        && let Some(first) = &instead.first
    {
        let takes = match first {
            Inflicted::Damage(dealt) => (dealt.hit + dealt.crit).max(1),
            _ => 1,
        };
        give(first, 1, &mut damage);
        left = left.saturating_sub(takes);
    }
    give(&instead.rest, left, &mut damage);
    (damage, tokens)
}

/// Results as damage.
pub(super) fn as_damage(left: Uncancelled) -> Damage {
    Damage {
        hits: left.hits,
        crits: left.crits,
    }
}
