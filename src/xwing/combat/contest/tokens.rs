//! Tokens as effects: the contest of an attack that no card touches, to which the effects of cards are added.

use super::{
    super::{
        Attack, DiceRules, Means, SpendFirst,
        modifier::{AttackEffect, DefenceEffect, Modifier},
    },
    effect::{Change, Effect, HowMany, Price, Resource, ResourceKind},
    faces::{Dice, Face, FaceSet},
    schedule::{Side, Window, WindowSet},
    state::{Contest, ContestError},
};

/// What both sides have and what they can do with it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tools {
    /// What can be spent.
    pub resources: Vec<Resource>,
    /// What cards do: of equal steps theirs come before those of tokens (SA-12).
    pub cards: Vec<Effect>,
    /// What tokens do.
    pub tokens: Vec<Effect>,
}

impl Tools {
    /// The tokens of an attack, with the attacker's and the defender's thrift.
    pub fn of_tokens(attack: &Attack, first: [SpendFirst; 2]) -> Tools {
        let mut tools = Tools::default();
        let Attack {
            rules,
            attack_tokens,
            defence_tokens,
            ..
        } = *attack;
        let held = [
            attack_tokens.lock,
            attack_tokens.focus,
            attack_tokens.calculate,
            attack_tokens.force,
        ];
        let modifiers = attack_tokens.modifiers(rules, first[0], u8::MAX);
        for (modifier, held) in modifiers.into_iter().zip(held) {
            let change = match modifier.effect {
                AttackEffect::Reroll { up_to } => Change::Reroll {
                    dice: Dice::Attack,
                    faces: FaceSet::ANY,
                    how_many: HowMany::UpTo(up_to),
                },
                AttackEffect::FocusToHit { count } => turn(Dice::Attack, count),
            };
            tools.token(Side::Attacker, modifier, held_by(rules, modifier.means, held), change);
        }
        let held = [
            defence_tokens.focus,
            defence_tokens.calculate,
            defence_tokens.force,
            defence_tokens.evade,
        ];
        let modifiers = defence_tokens.modifiers(rules, first[1], u8::MAX);
        for (modifier, held) in modifiers.into_iter().zip(held) {
            let change = match modifier.effect {
                DefenceEffect::FocusToEvade { count } => turn(Dice::Defence, count),
                DefenceEffect::DieToEvade => Change::Turn {
                    dice: Dice::Defence,
                    from: FaceSet::of(&[Face::Blank, Face::Focus]),
                    to: Face::Evade,
                    how_many: HowMany::Exactly(1),
                },
                DefenceEffect::AddEvade => Change::Add {
                    dice: Dice::Defence,
                    face: Face::Evade,
                    count: 1,
                },
            };
            tools.token(Side::Defender, modifier, held_by(rules, modifier.means, held), change);
        }
        tools
    }

    fn token<E>(&mut self, side: Side, modifier: Modifier<E>, held: u8, change: Change) {
        let kind = match modifier.means {
            Means::Focus => ResourceKind::Focus,
            Means::Lock => ResourceKind::Lock,
            Means::Calculate => ResourceKind::Calculate,
            Means::Force => ResourceKind::Force,
            Means::Evade => ResourceKind::Evade,
        };
        let resource = self.resource(Resource {
            kind,
            side,
            left: held,
            rank: Resource::OWN + modifier.rank,
        });
        let window = match side {
            Side::Attacker => Window::AttackModify,
            Side::Defender => Window::DefenceModify,
        };
        self.tokens.push(Effect {
            windows: WindowSet::of(&[window]),
            side,
            group: 0,
            repeats: true,
            must: false,
            referred: false,
            needs: Vec::new(),
            price: vec![Price::Spend { resource, count: 1 }],
            does: vec![change],
        });
    }

    /// One resource more; its place.
    pub fn resource(&mut self, resource: Resource) -> u8 {
        self.resources.push(resource);
        // More than there may be is refused when the contest is made.
        u8::try_from(self.resources.len() - 1).unwrap_or(u8::MAX)
    }

    /// The place of a side's resource of a kind: the first one.
    pub fn find(&self, side: Side, kind: ResourceKind) -> Option<u8> {
        let place = self
            .resources
            .iter()
            .position(|resource| resource.side == side && resource.kind == kind)?;
        u8::try_from(place).ok()
    }

    /// The contest of an attack with these tools: the effects of cards have the first places.
    ///
    /// # Errors
    /// As [`Contest::new`].
    pub fn contest(self, attack: &Attack, first_player: Side) -> Result<Contest, ContestError> {
        let mut effects = self.cards;
        effects.extend(self.tokens);
        Contest::new(
            attack.rules,
            attack.rule,
            [attack.attack_dice, attack.defence_dice],
            attack.defence_tokens.reinforce,
            first_player,
            self.resources,
            effects,
        )
    }
}

fn turn(dice: Dice, count: u8) -> Change {
    let to = match dice {
        Dice::Attack => Face::Hit,
        Dice::Defence => Face::Evade,
    };
    Change::Turn {
        dice,
        from: FaceSet::of(&[Face::Focus]),
        to,
        how_many: HowMany::Exactly(count),
    }
}

/// FE-8.8: how many tokens of a kind can be spent; a contest counts no more than 31. Calculate tokens and Force have a limit
/// in no edition.
fn held_by(rules: DiceRules, means: Means, held: u8) -> u8 {
    match means {
        Means::Focus | Means::Lock | Means::Evade => held.min(rules.most_spent()),
        Means::Calculate | Means::Force => held.min(31),
    }
}
