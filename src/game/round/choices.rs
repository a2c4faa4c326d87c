//! What players may choose when their ships attack or defend: options in words, best first.

use super::Pick;
use crate::{
    commander::picks,
    dice::SeededDice,
    game::{Game, called, event::Topic, opponent::Opponent},
    solo_alpha::{
        attack::{dice::step_name, engage::weapon_words},
        sentence::SpokenIn,
    },
    xwing::{
        ObjectId,
        battle::{Answer, AttackOrder, Battle, Duel, Request, attack::DiceChoice},
        catalog::Titles,
        combat::{self, SpendFirst},
        edition::Edition,
        maneuver::Side,
        measure,
        movement::{EdgePolicy, MovementOptions},
        reposition::{self, Decloak},
        ship::Ship,
        targeting::{LegalTarget, legal_target},
        weapon::{Weapon, WeaponArc},
    },
};

/// The option to make no attack.
pub const NO_ATTACK: &str = "No attack";
/// The option to attack by hand and tell the result.
pub const BY_HAND: &str = "By hand";

/// The option to keep a device.
pub const KEEP_IT: &str = "Keep it";
/// The option not to decloak.
pub const STAY_CLOAKED: &str = "Stay cloaked";

/// The option that leads to further ones.
const MORE: &str = "More...";

/// Options beside the special ones; a panel has room for so many.
pub(super) const MOST_OPTIONS: usize = 8;

/// A question before it has a number.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::game) struct Question {
    pub text: String,
    pub picks: Vec<(String, Pick)>,
    pub default: String,
    pub topic: Topic,
}

/// An attack that could be made.
struct Shot {
    order: AttackOrder,
    text: String,
    damage: f64,
}

/// What a side picks where rules ask it to: all that there is, what is most likely wanted by default. `None` where there is
/// no choice.
fn pick_question(battle: &Battle, request: &Request) -> Option<Question> {
    let (what, all): (_, Vec<(String, Answer)>) = match request {
        Request::PickManeuver { target, .. } => {
            let edition = battle.table().rules.edition;
            let maneuvers = battle.pickable(target).into_iter();
            let all =
                maneuvers.map(|maneuver| (SpokenIn(edition, maneuver).to_string(), Answer::PickManeuver(maneuver)));
            let what = format!("{target} is stressed and shows a red maneuver: which does it fly?");
            (what, all.collect())
        }
        Request::Jammed { ship } => {
            let all = battle.jammable(ship).into_iter();
            let all = all.map(|what| (what.to_string(), Answer::Jammed(what)));
            (format!("{ship} is jammed: what does it lose?"), all.collect())
        }
        Request::MineUnder { device, .. } => {
            let ships = battle.under_mine(device).into_iter();
            let all = ships.map(|ship| (ship.to_string(), Answer::MineUnder(ship)));
            (format!("Under which ship does {device} go off?"), all.collect())
        }
        _ => return None,
    };
    let likely = picks::pick(battle, request);
    let default = all.iter().find(|(_, answer)| Some(answer) == likely.as_ref());
    let default = default.or(all.first())?.0.clone();
    // What is likely comes first: a panel does not have room for every dial.
    let (first, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(text, _)| *text == default);
    let picks: Vec<(String, Pick)> = (first.into_iter().chain(others).take(MOST_OPTIONS))
        .map(|(text, answer)| (text, Pick::Choose(answer, String::new())))
        .collect();
    (picks.len() > 1).then_some(Question {
        text: what,
        picks,
        default,
        topic: Topic::Ability,
    })
}

impl<O: Opponent> Game<O> {
    /// What is asked for a request; `None` if there is nothing to choose.
    pub(super) fn question_for(&self, request: &Request) -> Option<Question> {
        let battle = &self.whole.as_ref()?.battle;
        match request {
            Request::Attack { ship } => self.attack_question(battle, ship),
            Request::ModifyAttack { .. } | Request::ModifyDefence { .. } | Request::Dice { .. }
                if battle.duel().is_some_and(|duel| duel.windows.is_some()) =>
            {
                self.cards_question(battle, request)
            }
            Request::ModifyAttack { .. } => {
                let duel = battle.duel()?;
                let (pools, first) = (&duel.pools, SpendFirst::default());
                let (tokens, defence) = (pools.attack_tokens, pools.defence());
                let offered = combat::attack::offered(pools.rules, duel.dice, duel.settled, tokens, &defence, first);
                let options = offered.options.iter().map(|option| {
                    let text = format!(
                        "{} ({:.2} damage expected)",
                        step_name(&option.step),
                        option.worth.damage
                    );
                    (text, Answer::ModifyAttack(option.step))
                });
                self.spending(request, options.collect(), lying_attack(duel))
            }
            Request::ModifyDefence { .. } => {
                let duel = battle.duel()?;
                let (pools, lying) = (&duel.pools, duel.defence.unwrap_or_default());
                let offered = combat::defence::offered(
                    pools.rules,
                    pools.rule,
                    duel.results(),
                    lying,
                    pools.defence_tokens,
                    SpendFirst::default(),
                );
                let options = offered.options.iter().map(|option| {
                    let text = format!("spends {} ({} damage)", option.spending, option.damage.count());
                    (text, Answer::ModifyDefence(option.spending))
                });
                self.spending(request, options.collect(), lying_defence(duel))
            }
            Request::Drop { ship } => self.drop_question(battle, ship),
            Request::Decloak { ship } => self.decloak_question(battle, ship),
            Request::PickManeuver { .. } | Request::Jammed { .. } | Request::MineUnder { .. } => {
                pick_question(battle, request)
            }
            Request::Effect(offer) => self.effect_question(battle, offer),
            Request::CardAction(given) => Some(self.given_action_question(battle, given)),
            Request::Act {
                ship,
                coordinated_by: Some(_),
            } => self.coordinated_question(battle, ship),
            _ => None,
        }
    }

    /// What a side may do in a window of an attack in which cards have a say: best play first. `None` if it can only go on.
    fn cards_question(&self, battle: &Battle, request: &Request) -> Option<Question> {
        let duel = battle.duel()?;
        let windows = duel.windows.as_ref()?;
        let (_, _, steps) = windows.turn()?;
        if steps.len() < 2 {
            return None;
        }
        let mut dice = SeededDice::for_activation(self.config.seed, self.round, request.ship());
        let (best, _) = self.best_play(battle, request, &mut dice);
        let best = match best {
            Answer::Dice(choice) => Some(choice),
            _ => windows.idle(),
        }?;
        let others = steps.into_iter().filter(|step| *step != best.step);
        let others = others.map(|step| DiceChoice { step, weighed: None });
        let mut picks: Vec<(String, Pick)> = Vec::new();
        for choice in std::iter::once(best).chain(others).take(MOST_OPTIONS) {
            let words = windows.words(choice.step);
            let sentence = match choice.step.effect {
                None => String::new(),
                Some(_) => format!("{}: {words}.", self.name(request.ship())),
            };
            let text = unlike(&picks, words);
            picks.push((text, Pick::Choose(Answer::Dice(choice), sentence)));
        }
        let lying = match duel.defence {
            None => lying_attack(duel),
            Some(_) => lying_defence(duel),
        };
        let default = picks.first()?.0.clone();
        Some(Question {
            text: format!("{}: {lying}. What does it do?", self.name(request.ship())),
            picks,
            default,
            topic: match request {
                Request::Dice { .. } => Topic::Ability,
                _ => Topic::Spend,
            },
        })
    }

    /// SA-2 is for solo ships; players choose.
    fn drop_question(&self, battle: &Battle, id: &ObjectId) -> Option<Question> {
        let ship = battle.table().ship(id)?;
        let device = ship.device.as_ref()?;
        let keep = (KEEP_IT.to_owned(), Pick::Choose(Answer::Drop(None), String::new()));
        let drops = battle.drops(ship).into_iter().map(|template| {
            let pick = Pick::Choose(Answer::Drop(Some(template)), String::new());
            (format!("Drop it, {template}"), pick)
        });
        // FE-11.1: whichever of its bombs.
        let others = battle.other_drops(ship).into_iter().map(|(device, template)| {
            let text = format!("Drop {device}, {template}");
            (
                text,
                Pick::Choose(Answer::DropOther { device, template }, String::new()),
            )
        });
        let drops = drops.chain(others).take(MOST_OPTIONS);
        let picks: Vec<(String, Pick)> = std::iter::once(keep).chain(drops).collect();
        (picks.len() > 1).then(|| Question {
            text: format!("{} may drop {}.", called(ship), device.id),
            picks,
            default: KEEP_IT.to_owned(),
            topic: Topic::Ability,
        })
    }

    fn decloak_question(&self, battle: &Battle, id: &ObjectId) -> Option<Question> {
        let ship = battle.table().ship(id)?;
        let options = MovementOptions {
            guides: battle.guides(),
            edge: EdgePolicy::Stop,
        };
        let ways = reposition::decloaks(battle.table(), ship, &options);
        let free = ways.filter(|(_, end)| end.blocked.is_none()).map(|(way, _)| {
            let Decloak::Sideways { side, slide_mm } = way else {
                return ("Decloak ahead".to_owned(), way);
            };
            let word = match side {
                Side::Left => "left",
                Side::Right => "right",
            };
            // Where there are three places a word is enough; of any slide the distance is told.
            let end = match slide_mm {
                0.0 => String::new(),
                slide if reposition::slides(ship.size).contains(&slide) => {
                    if slide > 0.0 { ", forward" } else { ", back" }.to_owned()
                }
                slide if slide > 0.0 => format!(", {slide:.1} mm forward"),
                slide => format!(", {:.1} mm back", -slide),
            };
            (format!("Decloak to the {word}{end}"), way)
        });
        let stay = (
            STAY_CLOAKED.to_owned(),
            Pick::Choose(Answer::Decloak(None), String::new()),
        );
        let picks = free.map(|(text, way)| (text, Pick::Choose(Answer::Decloak(Some(way)), String::new())));
        let picks: Vec<(String, Pick)> = std::iter::once(stay).chain(picks).collect();
        Some(Question {
            text: format!("{} is cloaked: does it decloak?", called(ship)),
            picks,
            default: STAY_CLOAKED.to_owned(),
            topic: Topic::Ability,
        })
    }

    /// The choice that is made for players who cannot be asked, or have no other.
    pub(super) fn default_choice(&self, request: &Request) -> (Answer, String) {
        if let Some(Question { picks, default, .. }) = self.question_for(request)
            && let Some((_, Pick::Choose(answer, sentence))) = picks.into_iter().find(|(text, _)| *text == default)
        {
            return (answer, sentence);
        }
        match request {
            Request::Attack { .. } => return (Answer::Attack(None), String::new()),
            Request::Act { .. } => return (Answer::Act(Vec::new()), String::new()),
            _ => {}
        }
        let Some(whole) = &self.whole else {
            return (Answer::Attack(None), String::new());
        };
        let mut dice = SeededDice::for_activation(self.config.seed, self.round, request.ship());
        let (answer, _) = self.best_play(&whole.battle, request, &mut dice);
        (answer, String::new())
    }

    fn attack_question(&self, battle: &Battle, id: &ObjectId) -> Option<Question> {
        let targets = battle.targets_of(id);
        let ship = targets.ship(id)?;
        let mut shots: Vec<Shot> = Vec::new();
        for (index, weapon) in ship.weapons.iter().enumerate() {
            for other in targets.ships_in_play().filter(|other| other.is_enemy_of(ship)) {
                if let Some(target) = legal_target(&targets.rules, ship, weapon, other) {
                    shots.push(self.shot(battle, ship, (index, weapon), other, &target));
                }
            }
        }
        // Equal ones stay in the order of weapons and ids.
        shots.sort_by(|a, b| b.damage.total_cmp(&a.damage));
        shots.truncate(MOST_OPTIONS);
        let mut picks: Vec<(String, Pick)> = Vec::new();
        for shot in shots {
            let text = unlike(&picks, shot.text);
            let answer = Answer::Attack(Some(shot.order));
            picks.push((text, Pick::Choose(answer, String::new())));
        }
        // **choice** Who does not answer in time attacks where it does most.
        let default = picks.first()?.0.clone();
        let hold = Pick::Choose(Answer::Attack(None), String::new());
        picks.push((NO_ATTACK.to_owned(), hold));
        picks.push((BY_HAND.to_owned(), Pick::ByHand));
        Some(Question {
            text: format!(
                "{} ({} {}) engages: whom does it attack?",
                called(ship),
                self.words().order_value,
                ship.initiative
            ),
            picks,
            default,
            topic: Topic::Attack,
        })
    }

    fn shot(
        &self,
        battle: &Battle,
        ship: &Ship,
        (index, weapon): (usize, &Weapon),
        other: &Ship,
        target: &LegalTarget,
    ) -> Shot {
        let obstructed = measure::obstructed(battle.table(), ship, other, target.arc);
        let pools = battle.pools(ship, other, weapon, target, obstructed);
        let damage = pools.forecast().damage;
        let in_the_way = if obstructed { ", obstructed" } else { "" };
        Shot {
            order: AttackOrder {
                weapon: index,
                target: other.id.clone(),
            },
            text: format!(
                "{}: {}, range {}{in_the_way}, {} dice",
                called(other),
                arms(weapon, self.edition()),
                target.range,
                pools.attack_dice
            ),
            damage,
        }
    }

    /// A question about spending; `None` if there is but one way.
    fn spending(&self, request: &Request, options: Vec<(String, Answer)>, lying: String) -> Option<Question> {
        if options.len() < 2 {
            return None;
        }
        let mut picks: Vec<(String, Pick)> = Vec::new();
        for (text, answer) in options {
            let text = unlike(&picks, text);
            let sentence = format!("{} {}.", self.name(request.ship()), without_figures(&text));
            picks.push((text, Pick::Choose(answer, sentence)));
        }
        let text = format!("{}: {lying}. What does it spend?", self.name(request.ship()));
        in_pages(text, picks)
    }
}

/// A question whose options go on behind its last one where a panel has no room for all; the default is the first option.
fn in_pages(text: String, mut picks: Vec<(String, Pick)>) -> Option<Question> {
    if picks.len() > MOST_OPTIONS {
        let later = picks.split_off(MOST_OPTIONS - 1);
        let later = in_pages(text.clone(), later)?;
        picks.push((MORE.to_owned(), Pick::Narrow(Box::new(later))));
    }
    let default = picks.first()?.0.clone();
    Some(Question {
        text,
        picks,
        default,
        topic: Topic::Spend,
    })
}

/// What players call a weapon.
pub(super) fn arms(weapon: &Weapon, edition: Edition) -> String {
    match (&weapon.special, weapon.arc) {
        (None, WeaponArc::Front) => "primary weapon".to_owned(),
        _ => Titles::embedded_for(edition).speak(&weapon_words(weapon)),
    }
}

/// The text, with a number behind it if another option reads the same.
pub(super) fn unlike(picks: &[(String, Pick)], text: String) -> String {
    let same = picks.iter().filter(|(other, _)| other.starts_with(&*text)).count();
    if same == 0 {
        text
    } else {
        format!("{text} ({})", same + 1)
    }
}

/// What an option does, without what is expected of it.
fn without_figures(text: &str) -> &str {
    text.split(" (").next().unwrap_or(text)
}

fn counted(parts: &[(u8, &str)]) -> String {
    let parts: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, face)| format!("{count} {face}"))
        .collect();
    if parts.is_empty() {
        "no dice".to_owned()
    } else {
        parts.join(", ")
    }
}

fn lying_attack(duel: &Duel) -> String {
    let dice = &duel.dice;
    counted(&[
        (dice.crits, "crit"),
        (dice.hits, "hit"),
        (dice.focuses + dice.rerolled_focuses, "focus"),
        (dice.blanks + dice.rerolled_blanks, "blank"),
    ])
}

fn lying_defence(duel: &Duel) -> String {
    let dice = duel.defence.unwrap_or_default();
    let results = duel.results();
    format!(
        "{} against {}",
        counted(&[(dice.evades, "evade"), (dice.focuses, "focus"), (dice.blanks, "blank")]),
        counted(&[(results.crits, "crit"), (results.hits, "hit")])
    )
}
