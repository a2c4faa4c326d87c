//! FE-0.5, FE-7.4, FE-7.5, FE-8 to FE-10: attacks, ships that are shot down, the End phase and the end of a game.

use std::collections::VecDeque;

use serde::Deserialize;
use tallyho::{
    bridge::text,
    dice::{AttackFace, DefenceFace, DiceSource, SeededDice},
    geometry::{Point, Pose},
    xwing::{
        action::FullArc,
        battle::{
            Answer, AttackOrder, Battle, Event, Fighter, Flight, NoAttack, Phase, Request, Setup, Side, audit::audit,
        },
        catalog::Catalog,
        combat::{
            Attack, AttackStep, AttackTokens, DamageRule, DefenceDice, DefenceTokens, DiceRules, SpendFirst, Spending,
            Uncancelled,
            contest::{
                Change, Dice, Effect, Face, FaceSet, HowMany, Side as DiceSide, Window, WindowSet, tokens::Tools,
            },
            defence,
        },
        damage_deck::{Damage, DamageDeck, DamageEvent, DeckFacts, Integrity},
        edition::{Edition, EndPhase, FirstEditionOptions, LeavingTheArea, Rules, TokenSpending},
        effects::CardBook,
        maneuver::Bearing,
        movement::Alignment,
        obstacle_outlines::ObstacleOutlines,
        ship::{Ship, Status, Tokens},
        size::Size,
        targeting,
        weapon::{Charges, Permits, Requirement, SpecialWeapon, Weapon, WeaponArc},
    },
};

use crate::tables::asteroid;

/// Attack dice as given, then hits; defence dice blank.
struct Rolls(VecDeque<AttackFace>);

impl DiceSource for Rolls {
    fn attack(&mut self) -> AttackFace {
        self.0.pop_front().unwrap_or(AttackFace::Hit)
    }
    fn defence(&mut self) -> DefenceFace {
        DefenceFace::Blank
    }
    fn choose(&mut self, _count: usize) -> usize {
        0
    }
}

fn deadly() -> Rolls {
    Rolls(VecDeque::new())
}

/// A battle of a position's ships as ships of the first edition. Nobody has a dial, so that every maneuver is chosen as the
/// ship flies.
fn setup(fixture: &str, rules: Rules) -> Setup {
    let catalog = Catalog::embedded();
    let mut table = text::parse(fixture, catalog)
        .unwrap_or_else(|error| panic!("{error}\n{fixture}"))
        .table
        .with_rules(rules);
    let fighters = table.ships.iter_mut().map(|ship| {
        ship.edition = Edition::First;
        let resolved = catalog.resolve(&ship.chassis, None, &[] as &[&str]).unwrap();
        (ship.id.clone(), Fighter::of(&resolved).unwrap())
    });
    let fighters = fighters.collect();
    let side = |name: &str| Side {
        name: name.to_owned(),
        dials: false,
        flees: true,
    };
    Setup {
        fighters,
        table,
        sides: vec![side("player"), side("solo")],
        alternating: false,
        rounds: Some(1),
        guides: false,
        mission: None,
        escort: None,
    }
}

fn ship<'s>(setup: &'s mut Setup, id: &str) -> &'s mut Ship {
    setup.table.ships.iter_mut().find(|ship| &*ship.id == id).unwrap()
}

fn fighter<'s>(setup: &'s mut Setup, id: &str) -> &'s mut Fighter {
    let found = setup.fighters.iter_mut().find(|(other, _)| &**other == id);
    &mut found.unwrap().1
}

/// Plays a battle: `choose` answers what it cares about, the rest is answered idly, but that everybody attacks who can.
fn play(
    mut start: Setup,
    dice: &mut dyn DiceSource,
    mut choose: impl FnMut(&Battle, &Request) -> Option<Answer>,
) -> Battle {
    for ship in &mut start.table.ships {
        ship.actions.clear();
    }
    let mut battle = Battle::new(start.clone(), dice).unwrap();
    while let Some(request) = battle.pending().cloned() {
        let idle = || match &request {
            Request::Fly { ship, fixed } => {
                let dial = battle.table().ship(ship).unwrap().dial.maneuvers().iter();
                let straight = dial.filter(|maneuver| maneuver.bearing == Bearing::Straight).min();
                Answer::Fly(Flight {
                    maneuver: fixed.or(straight.copied()).unwrap(),
                    alignment: Alignment::Middle,
                    edge_turn: None,
                })
            }
            Request::Decloak { .. } => Answer::Decloak(None),
            Request::Attack { ship } => {
                let targets = battle.targets_of(ship);
                let own = targets.ship(ship).unwrap();
                let mut enemies = targets.ships_in_play().filter(|other| other.is_enemy_of(own));
                let target = enemies
                    .find(|enemy| targeting::legal_target(&targets.rules, own, &own.weapons[0], enemy).is_some());
                Answer::Attack(target.map(|target| AttackOrder {
                    weapon: 0,
                    target: target.id.clone(),
                }))
            }
            Request::ModifyAttack { .. } => Answer::ModifyAttack(AttackStep::Finish {
                spending: Spending::default(),
                changed: 0,
            }),
            Request::ModifyDefence { .. } => Answer::ModifyDefence(Spending::default()),
            Request::Effect(offer) => Answer::Effect(offer.default.or(Some(0))),
            Request::Dice { .. } => Answer::Dice(battle.duel().unwrap().windows.as_ref().unwrap().idle().unwrap()),
            _ => Answer::Act(Vec::new()),
        };
        let answer = choose(&battle, &request).unwrap_or_else(idle);
        battle.answer(answer, dice).unwrap();
    }
    assert_eq!(audit(&start, battle.events()), []);
    battle
}

fn nothing(_: &Battle, _: &Request) -> Option<Answer> {
    None
}

/// Who attacked, in order.
fn attackers(battle: &Battle) -> Vec<String> {
    let attacks = battle.events().iter().filter_map(|event| match event {
        Event::Attacked { attacker, .. } => Some(attacker.to_string()),
        _ => None,
    });
    attacks.collect()
}

/// Who was taken off the table before which number of attacks was over.
fn removed(battle: &Battle) -> Vec<(String, usize)> {
    let mut attacks = 0;
    let mut gone = Vec::new();
    for event in battle.events() {
        match event {
            Event::AttackResolved { .. } => attacks += 1,
            Event::Removed { ship } => gone.push((ship.to_string(), attacks)),
            _ => {}
        }
    }
    gone
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PoolCase {
    name: String,
    at: [f64; 2],
    #[serde(default)]
    heading: f64,
    agility: Option<u32>,
    #[serde(default)]
    large: bool,
    #[serde(default)]
    secondary: bool,
    #[serde(default)]
    turret: bool,
    #[serde(default)]
    asteroid: bool,
    #[serde(default)]
    second_asteroid: bool,
    #[serde(default)]
    cards: Vec<String>,
    #[serde(default)]
    more_agility: i8,
    #[serde(default)]
    tractor: u32,
    #[serde(default)]
    cloak: u32,
    reinforced: Option<String>,
    auxiliary: Option<WeaponArc>,
    attack: u8,
    defence: u8,
    /// Evade results that are added without being spent.
    #[serde(default)]
    added: u8,
}

#[test]
fn fe_8_3_how_many_dice_are_rolled() {
    for case in super::cases::<PoolCase>("pools.toml") {
        let name = &case.name;
        let [x, y] = case.at;
        let fixture = format!(
            "ship P t65xwing player 400,200 @0\nship S tielnfighter solo {x},{y} @{}\n",
            case.heading
        );
        let mut start = setup(&fixture, Rules::FIRST);
        if case.more_agility != 0 {
            let text = format!(
                "[[card]]\nid = \"pilot:academypilot\"\n[[card.effect]]\non = {{ window = \"passive\", role = \"self\" }}\n\
                 do = [{{ stat_change = {{ stat = \"agility\", by = {} }} }}]\n",
                case.more_agility
            );
            let book = CardBook::default().with_file("cards.toml", &text).unwrap();
            let resolved = Catalog::embedded()
                .resolve("tielnfighter", Some("academypilot"), &[] as &[&str])
                .unwrap();
            *fighter(&mut start, "S") = Fighter::with_cards(&resolved, &book).unwrap();
        }
        let mut weapon = Weapon {
            id: "primary".to_owned(),
            arc: if case.turret {
                WeaponArc::AllRound
            } else {
                WeaponArc::Front
            },
            value: 3,
            min_range: 1,
            max_range: 3,
            special: None,
        };
        let auxiliary = case.auxiliary.map(|arc| Weapon { arc, ..weapon.clone() });
        if case.secondary {
            weapon.special = Some(torpedoes());
        }
        ship(&mut start, "P").weapons = vec![weapon];
        let defender = ship(&mut start, "S");
        defender.size = if case.large { Size::Large } else { Size::Small };
        defender.weapons.extend(auxiliary);
        (defender.tokens.tractor, defender.tokens.cloak) = (case.tractor, case.cloak);
        let facts = DeckFacts::of(Rules::FIRST.damage_deck);
        let mut deck = DamageDeck::shuffled(facts, &mut SeededDice::new(1));
        let theirs = fighter(&mut start, "S");
        theirs.agility = case.agility.unwrap_or(2);
        theirs.integrity.face_up = case.cards.iter().map(|id| deck.take(facts, id).unwrap()).collect();
        theirs.reinforced = match case.reinforced.as_deref() {
            Some("fore") => vec![FullArc::Fore],
            Some("aft") => vec![FullArc::Aft],
            _ => Vec::new(),
        };
        let rocks = [(case.asteroid, 260.0), (case.second_asteroid, 340.0)];
        for (number, (_, y)) in rocks.into_iter().filter(|(lies, _)| *lies).enumerate() {
            // Wide enough that no shortest line passes it by.
            let corners = [(350.0, y), (450.0, y), (450.0, y + 20.0), (350.0, y + 20.0)];
            let corners = corners.map(|(x, y)| Point::new(x, y));
            start.table.obstacles.push(asteroid(&format!("O{number}"), corners));
        }
        let battle = Battle::new(start, &mut SeededDice::new(1)).unwrap();
        let (ours, theirs) = (battle.table().ship("P").unwrap(), battle.table().ship("S").unwrap());
        let legal = targeting::legal_target(&battle.table().rules, ours, &ours.weapons[0], theirs);
        let legal = legal.unwrap_or_else(|| panic!("{name}: no legal target"));
        let obstructed = case.asteroid;
        let lies = tallyho::xwing::measure::obstructed(battle.table(), ours, theirs, legal.arc);
        assert_eq!(lies, obstructed, "{name}: obstructed");
        let pools = battle.pools(ours, theirs, &ours.weapons[0], &legal, obstructed);
        assert_eq!(
            (pools.attack_dice, pools.defence_dice, pools.defence_tokens.reinforce),
            (case.attack, case.defence, case.added),
            "{name}"
        );
        assert_eq!(pools.rules, DiceRules::FIRST, "{name}");
    }
}

fn torpedoes() -> SpecialWeapon {
    SpecialWeapon {
        slot: "Torpedo".to_owned(),
        requires: Vec::new(),
        spends: false,
        ordnance: false,
        charges: Some(Charges { left: 1, max: 1 }),
        permits: Permits::default(),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultCase {
    name: String,
    hits: u8,
    #[serde(default)]
    crits: u8,
    dice: String,
    #[serde(default)]
    focus: u8,
    #[serde(default)]
    evade: u8,
    #[serde(default)]
    reinforce: u8,
    #[serde(default)]
    unlimited: bool,
    spends: Option<String>,
    left: [u8; 2],
    second: Option<[u8; 2]>,
    /// All that a player is offered to spend; nothing more than best play looks at in the second edition.
    offers: Option<Vec<String>>,
}

#[test]
fn fe_8_3_what_is_spent_and_what_is_left() {
    for case in super::cases::<ResultCase>("results.toml") {
        let name = &case.name;
        let faces: Vec<DefenceFace> = (case.dice.chars())
            .map(|letter| match letter {
                'e' => DefenceFace::Evade,
                'f' => DefenceFace::Focus,
                _ => DefenceFace::Blank,
            })
            .collect();
        let attack = Uncancelled {
            hits: case.hits,
            crits: case.crits,
        };
        let tokens = DefenceTokens {
            focus: case.focus,
            evade: case.evade,
            reinforce: case.reinforce,
            ..DefenceTokens::default()
        };
        let choose = |rules: DiceRules| {
            let dice = DefenceDice::rolled(&faces);
            let choice = defence::choose(rules, DamageRule::Results, attack, dice, tokens, SpendFirst::default());
            *choice.best()
        };
        let mut rules = DiceRules::FIRST;
        if case.unlimited {
            rules.token_spending = TokenSpending::Unlimited;
        }
        let best = choose(rules);
        assert_eq!([best.damage.hits, best.damage.crits], case.left, "{name}");
        if let Some(spends) = &case.spends {
            assert_eq!(best.spending.to_string(), *spends, "{name}");
        }
        if let Some(offers) = &case.offers {
            let offered = |rules: DiceRules| {
                let dice = DefenceDice::rolled(&faces);
                let first = SpendFirst::default();
                let choice = defence::offered(rules, DamageRule::Results, attack, dice, tokens, first);
                let names = choice.options.iter().map(|option| option.spending.to_string());
                names.collect::<Vec<String>>()
            };
            assert_eq!(offered(rules), *offers, "{name}");
            let freely = |offer: &String| !offered(DiceRules::SECOND).contains(offer);
            assert!(offers.iter().any(freely), "{name}: second edition");
        }
        if let Some(second) = case.second {
            let best = choose(DiceRules::SECOND);
            assert_eq!([best.damage.hits, best.damage.crits], second, "{name}: second edition");
        }
    }
}

/// FE-8.9: more dice than anybody owns are as many dice.
#[test]
fn fe_8_9_each_die_is_a_die() {
    let attack = Attack {
        rules: DiceRules::FIRST,
        attack_dice: 9,
        ..Attack::default()
    };
    assert!((attack.forecast().damage - 4.5).abs() < 1e-9);
}

/// F7, FE-8.3: exact play with a focus token each way and an evade token, by the code that battles use.
#[test]
fn fe_8_3_f7_exact_dice() {
    let expected = |attack_dice, defence_dice| {
        let attack = Attack {
            rules: DiceRules::FIRST,
            attack_dice,
            attack_tokens: AttackTokens {
                focus: 1,
                ..AttackTokens::default()
            },
            defence_dice,
            defence_tokens: DefenceTokens {
                evade: 1,
                ..DefenceTokens::default()
            },
            rule: DamageRule::Results,
        };
        attack.forecast().damage
    };
    for (attack, defence, exact) in [(3, 2, 2835.0 / 4096.0), (4, 3, 67905.0 / 65536.0)] {
        let found = expected(attack, defence);
        assert!((found - exact).abs() < 1e-12, "{attack} against {defence}: {found}");
    }
}

/// F9, FE-8.7: the defender's effect on the attack dice comes first; the die that it has rerolled is not rerolled by the lock.
#[test]
fn fe_8_3_f9_the_defender_modifies_attack_dice_first() {
    let attack = Attack {
        rules: DiceRules::FIRST,
        attack_dice: 2,
        attack_tokens: AttackTokens {
            lock: 1,
            ..AttackTokens::default()
        },
        ..Attack::default()
    };
    let mut tools = Tools::of_tokens(&attack, [SpendFirst::default(); 2]);
    tools.cards.push(Effect {
        windows: WindowSet::of(&[Window::AttackModify]),
        side: DiceSide::Defender,
        group: 1,
        repeats: false,
        must: true,
        referred: false,
        needs: Vec::new(),
        price: Vec::new(),
        does: vec![Change::Reroll {
            dice: Dice::Attack,
            faces: FaceSet::of(&[Face::Hit]),
            how_many: HowMany::Exactly(1),
        }],
    });
    let contest = tools.contest(&attack, DiceSide::Attacker).unwrap();
    let rolled = contest.rolled(contest.start(), [Face::Hit, Face::Blank]);
    assert_eq!(contest.turn(&rolled), Some((Window::AttackModify, DiceSide::Defender)));
    let [step] = contest.steps(&rolled)[..] else {
        panic!("the defender must reroll the hit");
    };
    let rerolled = contest.rolled(contest.take(rolled, step), [Face::Blank]);
    assert_eq!(
        contest.turn(&rerolled),
        Some((Window::AttackModify, DiceSide::Attacker))
    );
    // Two blanks lie there, of which one alone may be rerolled.
    let most = contest
        .steps(&rerolled)
        .into_iter()
        .map(|step| step.pick[Face::Blank as usize]);
    assert_eq!(most.max(), Some(1));
}

/// F3, FE-9.1: damage before critical damage, each point on its own: a shield, a card face down, a card face up.
#[test]
fn fe_9_1_f3_shields_then_cards_down_then_up() {
    let facts = DeckFacts::of(Rules::FIRST.damage_deck);
    let mut dice = SeededDice::new(3);
    let mut deck = DamageDeck::shuffled(facts, &mut dice);
    let mut hull = Integrity::new(4, 1);
    let points = Damage { hits: 2, crits: 1 }.points();
    let events: Vec<DamageEvent> = points.map(|crit| hull.suffer_one(crit, &mut deck, &mut dice)).collect();
    assert!(matches!(
        events[..],
        [
            DamageEvent::ShieldLost,
            DamageEvent::Dealt { face_up: false, .. },
            DamageEvent::Dealt { face_up: true, .. }
        ]
    ));
    assert_eq!((hull.face_down.len(), hull.face_up.len()), (1, 1));
}

/// FE-9.2: an empty deck is shuffled from the discards; without any, damage lies as counters face down.
#[test]
fn fe_9_2_an_empty_deck() {
    let facts = DeckFacts::of(Rules::FIRST.damage_deck);
    let mut dice = SeededDice::new(3);
    let mut deck = DamageDeck::shuffled(facts, &mut dice);
    let mut first = Integrity::new(40, 0);
    (0..33).for_each(|_| _ = first.deal(false, &mut deck, &mut dice));
    let mut second = Integrity::new(5, 0);
    let counter = second.deal(true, &mut deck, &mut dice);
    assert!(matches!(counter, DamageEvent::Dealt { card: None, .. }));
    assert_eq!((second.without_card, second.damage()), (1, 1));
    first.discard_all(&mut deck);
    assert!(matches!(
        second.deal(true, &mut deck, &mut dice),
        DamageEvent::Dealt { card: Some(_), .. }
    ));
}

/// Two TIE fighters of each side that face each other, the hulls of 3 gone with one attack.
fn facing(skills: [u8; 2], rules: Rules) -> Setup {
    let fixture = "ship P tielnfighter player 400,200 @0\nship S tielnfighter solo 400,600 @180\n";
    let mut start = setup(fixture, rules);
    for (id, skill) in ["P", "S"].into_iter().zip(skills) {
        ship(&mut start, id).initiative = skill;
        fighter(&mut start, id).integrity = Integrity::new(2, 0);
        fighter(&mut start, id).agility = 0;
    }
    start
}

/// FE-9.5: at its own skill it still shoots; at another it is gone at once.
#[test]
fn fe_9_5_a_ship_shot_down_at_its_own_skill_stays_for_its_turn() {
    let both = ["P", "S"].map(str::to_owned).to_vec();
    // Same skill: the side with initiative shoots first, the other one shoots still.
    let battle = play(facing([4, 4], Rules::FIRST), &mut deadly(), nothing);
    assert_eq!(attackers(&battle), both);
    // P goes at once, for it has had its turn; S goes after its own.
    let order = removed(&battle);
    assert_eq!(order.len(), 2);
    assert!(order.iter().all(|(_, attacks)| *attacks == 2), "{order:?}");
    assert_eq!(battle.winner(), None);
    // Another skill: it goes at once.
    let battle = play(facing([5, 4], Rules::FIRST), &mut deadly(), nothing);
    assert_eq!(attackers(&battle), ["P"]);
    assert_eq!(removed(&battle), [("S".to_owned(), 1)]);
    assert_eq!(battle.winner(), Some("player"));
}

#[test]
fn fe_9_5_a_ship_that_has_been_active_goes_at_once() {
    let fixture = "ship P1 tielnfighter player 400,200 @0\nship P2 tielnfighter player 500,200 @0\n\
                   ship S tielnfighter solo 400,600 @180\n";
    let mut start = setup(fixture, Rules::FIRST);
    for (id, hull) in [("P1", 9), ("P2", 1), ("S", 9)] {
        ship(&mut start, id).initiative = 4;
        fighter(&mut start, id).integrity = Integrity::new(hull, 0);
        fighter(&mut start, id).agility = 0;
    }
    // S shoots P2, which has been active: it is gone before anything else comes.
    let battle = play(start, &mut deadly(), |_, request| match request {
        Request::Attack { ship } if &**ship == "S" => Some(Answer::Attack(Some(AttackOrder {
            weapon: 0,
            target: "P2".into(),
        }))),
        _ => None,
    });
    assert_eq!(removed(&battle), [("P2".to_owned(), 3)]);
}

/// F11: it goes after its turn even if its damage is repaired meanwhile, and without a target, too.
#[test]
fn fe_9_5_f11_a_repair_and_no_target_change_nothing() {
    for aimed in [true, false] {
        let mut start = facing([4, 4], Rules::FIRST);
        if !aimed {
            // It looks away, and sees nobody.
            ship(&mut start, "S").pose = Pose::new(400.0, 500.0, 0.0);
        }
        let mut dice = deadly();
        for ship in &mut start.table.ships {
            ship.actions.clear();
        }
        let mut mended = false;
        let mut battle = Battle::new(start, &mut dice).unwrap();
        while let Some(request) = battle.pending().cloned() {
            let down = battle
                .fighter("S")
                .is_some_and(|fighter| fighter.integrity.is_destroyed());
            if down && !mended {
                mended = true;
                battle.put_right("S", |_, fighter, deck, _| fighter.integrity.discard_all(deck));
            }
            let answer = match &request {
                Request::Fly { ship, .. } => {
                    let dial = battle.table().ship(ship).unwrap().dial.maneuvers();
                    let straight = dial
                        .iter()
                        .filter(|maneuver| maneuver.bearing == Bearing::Straight)
                        .min();
                    Answer::Fly(Flight {
                        maneuver: *straight.unwrap(),
                        alignment: Alignment::Middle,
                        edge_turn: None,
                    })
                }
                Request::Attack { ship } => Answer::Attack(Some(AttackOrder {
                    weapon: 0,
                    target: if &**ship == "P" { "S".into() } else { "P".into() },
                })),
                Request::ModifyAttack { .. } => Answer::ModifyAttack(AttackStep::Finish {
                    spending: Spending::default(),
                    changed: 0,
                }),
                Request::ModifyDefence { .. } => Answer::ModifyDefence(Spending::default()),
                _ => Answer::Act(Vec::new()),
            };
            battle.answer(answer, &mut dice).unwrap();
        }
        assert_eq!(mended, aimed, "only a ship that is asked can be mended here");
        assert_eq!(battle.table().ship("S").unwrap().status, Status::Destroyed);
    }
}

/// FE-14.11: by the rulebook of 2012 a ship stays until it has attacked; without a target it stays while its skill attacks.
#[test]
fn fe_14_11_a_dying_ship_stays_until_it_has_attacked() {
    let old = FirstEditionOptions {
        dies_after_attack: Some(true),
        ..FirstEditionOptions::default()
    };
    let fixture = "ship P tielnfighter player 400,200 @0\nship S1 tielnfighter solo 400,480 @0\n\
                   ship S2 tielnfighter solo 500,600 @180\n";
    let gone = |rules: Rules| {
        let mut start = setup(fixture, rules);
        for (id, hull) in [("P", 9), ("S1", 1), ("S2", 9)] {
            ship(&mut start, id).initiative = 4;
            fighter(&mut start, id).integrity = Integrity::new(hull, 0);
            fighter(&mut start, id).agility = 0;
        }
        let battle = play(start, &mut deadly(), |_, request| match request {
            Request::Attack { ship } if &**ship == "P" => Some(Answer::Attack(Some(AttackOrder {
                weapon: 0,
                target: "S1".into(),
            }))),
            _ => None,
        });
        removed(&battle)
    };
    assert_eq!(gone(Rules::FIRST), [("S1".to_owned(), 1)]);
    assert_eq!(gone(old.rules()), [("S1".to_owned(), 2)]);
}

/// FE-8.1: a ship whose skill rises above the active one's before its turn came does not get one.
#[test]
fn fe_8_1_a_skill_that_rises_too_late_costs_the_turn() {
    let text = r#"
[[card]]
id = "pilot:academypilot"
[[card.effect]]
on = { window = "after_engage", role = "friend", other = true }
if = [{ subject = { initiative = { at_least = 5 } } }]
do = [{ initiative = { to = "7" } }]
until = "phase"
"#;
    let book = CardBook::default().with_file("cards.toml", text).unwrap();
    let fixture = "ship P1 t65xwing player 400,200 @0\nship P2 tielnfighter player 460,200 @0\n\
                   ship S tielnfighter solo 400,600 @180\n";
    let attacks = |rules: Rules| {
        let mut start = setup(fixture, rules);
        for (id, skill) in [("P1", 5), ("P2", 3), ("S", 4)] {
            ship(&mut start, id).initiative = skill;
            fighter(&mut start, id).integrity = Integrity::new(20, 0);
        }
        let resolved = Catalog::embedded()
            .resolve("tielnfighter", Some("academypilot"), &[] as &[&str])
            .unwrap();
        *fighter(&mut start, "P2") = Fighter::with_cards(&resolved, &book).unwrap();
        fighter(&mut start, "P2").integrity = Integrity::new(20, 0);
        let battle = play(start, &mut deadly(), nothing);
        let late = battle
            .events()
            .iter()
            .any(|event| matches!(event, Event::HeldFire { ship, cause: NoAttack::Late } if &**ship == "P2"));
        (attackers(&battle), late)
    };
    let names = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
    assert_eq!(attacks(Rules::FIRST), (names(&["P1", "S"]), true));
    assert_eq!(attacks(Rules::SECOND), (names(&["P1", "P2", "S"]), false));
}

/// FE-7.4, FE-8.2: weapons disabled, a cloak, an asteroid under the base: no attack.
#[test]
fn fe_8_2_who_cannot_attack() {
    let attacks = |change: &dyn Fn(&mut Setup)| {
        let mut start = facing([5, 4], Rules::FIRST);
        change(&mut start);
        attackers(&play(start, &mut deadly(), nothing)).contains(&"P".to_owned())
    };
    assert!(attacks(&|_| {}));
    assert!(!attacks(&|start| ship(start, "P").tokens.disarm = 1));
    assert!(!attacks(&|start| ship(start, "P").tokens.cloak = 1));
    assert!(!attacks(&|start| {
        let outline = ObstacleOutlines::embedded().find("coreasteroid1").unwrap();
        start
            .table
            .obstacles
            .push(outline.placed("O1".into(), Pose::new(400.0, 320.0, 0.0)));
    }));
    // On a debris cloud it can (FE-4.8).
    assert!(attacks(&|start| {
        let outline = ObstacleOutlines::embedded().find("vt49decimatordebris1").unwrap();
        start
            .table
            .obstacles
            .push(outline.placed("O1".into(), Pose::new(400.0, 320.0, 0.0)));
    }));
}

/// F15, FE-10.1, FE-14.8: what the End phase takes.
#[test]
fn fe_10_1_f15_the_end_phase() {
    let all = Tokens {
        stress: 1,
        ion: 1,
        focus: 2,
        evade: 1,
        disarm: 1,
        reinforce: 1,
        tractor: 1,
        jam: 1,
        cloak: 1,
        ..Tokens::default()
    };
    let left = |end_phase: EndPhase| {
        let rules = Rules {
            end_phase,
            ..Rules::FIRST
        };
        let mut start = facing([5, 4], rules);
        start.rounds = Some(2);
        // Large ships are not ionized by one token, and keep it.
        for id in ["P", "S"] {
            ship(&mut start, id).size = Size::Large;
        }
        let mut battle = Battle::at_table(start, 1, &mut deadly());
        battle.put_right("P", |ship, _, _, _| {
            ship.tokens = all;
            ship.locks.push("S".into());
        });
        battle.begin_phase(Phase::End, &mut deadly());
        let ship = battle.table().ship("P").unwrap();
        assert_eq!(ship.locks.len(), 1);
        ship.tokens
    };
    let later = Tokens {
        stress: 1,
        ion: 1,
        jam: 1,
        cloak: 1,
        ..Tokens::default()
    };
    assert_eq!(left(EndPhase::First), later);
    let rulebook = Tokens {
        focus: 0,
        evade: 0,
        ..all
    };
    assert_eq!(left(EndPhase::Rulebook2012), rulebook);
}

/// FE-10.2: who has no ships left loses at the end of the round, and no sooner; both: a draw.
#[test]
fn fe_10_2_victory_is_looked_at_when_the_round_ends() {
    let mut start = facing([5, 4], Rules::FIRST);
    start.rounds = None;
    let battle = play(start, &mut deadly(), nothing);
    assert_eq!((battle.winner(), battle.round()), (Some("player"), 1));
    let ended = battle
        .events()
        .iter()
        .any(|event| matches!(event, Event::PhaseBegan(Phase::End)));
    assert!(ended, "the round is played to its end");
    let mut start = facing([4, 4], Rules::FIRST);
    start.rounds = None;
    let battle = play(start, &mut deadly(), nothing);
    assert_eq!((battle.winner(), battle.round()), (None, 1));
}

/// FE-10.3: at the limit of rounds the cost of destroyed ships decides; with half points a large ship at half of its hull and
/// shields gives half of its cost, rounded down.
#[test]
fn fe_10_3_the_score_decides_at_the_limit() {
    let fixture = "ship P1 tielnfighter player 100,100 @90\nship P2 yt1300 player 100,300 @90\n\
                   ship S1 tielnfighter solo 800,700 @270\nship S2 tielnfighter solo 800,800 @270\n";
    let fixture = fixture.replace("yt1300", "modifiedyt1300lightfreighter");
    let play_out = |large_half_points: bool, hurt: u8| {
        let rules = FirstEditionOptions {
            large_half_points,
            ..FirstEditionOptions::default()
        }
        .rules();
        let mut start = setup(&fixture, rules);
        for (id, points) in [("P1", 12), ("P2", 45), ("S1", 20), ("S2", 14)] {
            fighter(&mut start, id).points = Some(points);
        }
        ship(&mut start, "S1").status = Status::Destroyed;
        let large = fighter(&mut start, "P2");
        large.integrity = Integrity::new(8, 5);
        large.shields = 5;
        large.integrity.shields = 5 - hurt.min(5);
        large.integrity.without_card = hurt.saturating_sub(5);
        let battle = play(start, &mut deadly(), nothing);
        let scores = ["player", "solo"].map(|side| battle.score(side));
        (scores, battle.winner().map(str::to_owned))
    };
    let player = Some("player".to_owned());
    assert_eq!(play_out(false, 9), ([Some(20), Some(0)], player.clone()));
    assert_eq!(play_out(true, 6), ([Some(20), Some(0)], player));
    assert_eq!(play_out(true, 7), ([Some(20), Some(22)], Some("solo".to_owned())));
    // Nobody has lost anything: a draw, as with equal scores.
    let start = setup(&fixture, Rules::FIRST);
    assert_eq!(play(start, &mut deadly(), nothing).winner(), None);
}

/// FE-14.15, FE-4.9: leaving the play area costs the ship; read as it is worded, the game.
#[test]
fn fe_14_15_leaving_the_play_area() {
    let fixture = "ship P1 tielnfighter player 400,860 @0\nship P2 tielnfighter player 100,100 @0\n\
                   ship S tielnfighter solo 800,300 @0\n";
    let winner = |leaving: LeavingTheArea| {
        let battle = play(
            setup(
                fixture,
                Rules {
                    leaving,
                    ..Rules::FIRST
                },
            ),
            &mut deadly(),
            nothing,
        );
        assert!(battle.events().iter().any(|event| matches!(event, Event::Fled { .. })));
        (battle.winner().map(str::to_owned), attackers(&battle).len())
    };
    assert_eq!(winner(LeavingTheArea::ShipLost).0, None);
    assert_eq!(winner(LeavingTheArea::GameLost), (Some("solo".to_owned()), 0));
}

/// FE-8.3, FE-6.13: what the header asks for is held, and spent if the text says so: before a die is rolled, and it rerolls
/// nothing. The card is discarded.
#[test]
fn fe_8_3_the_cost_of_a_secondary_weapon_is_paid_as_it_is_declared() {
    let fire = |requires: Requirement, spends: bool, locked: bool, focus: u32| {
        let mut start = facing([5, 4], Rules::FIRST);
        let mut special = torpedoes();
        special.requires = vec![requires];
        special.spends = spends;
        let attacker = ship(&mut start, "P");
        attacker.weapons[0].special = Some(special);
        attacker.weapons[0].max_range = 3;
        attacker.tokens.focus = focus;
        if locked {
            attacker.locks.push("S".into());
        }
        let mut seen = None;
        let battle = play(start, &mut deadly(), |battle, request| {
            if matches!(request, Request::ModifyAttack { ship } if &**ship == "P") {
                let attacker = battle.table().ship("P").unwrap();
                let charges = attacker.weapons[0].special.as_ref().unwrap().charges.unwrap();
                let pools = battle.duel().unwrap().pools;
                seen = Some((
                    pools.attack_tokens.lock,
                    attacker.locks.len(),
                    attacker.tokens.focus,
                    charges.left,
                ));
            }
            None
        });
        assert_eq!(seen.is_some(), attackers(&battle).contains(&"P".to_owned()));
        seen
    };
    assert_eq!(fire(Requirement::Lock, true, true, 1), Some((0, 0, 1, 0)));
    assert_eq!(fire(Requirement::Lock, false, true, 1), Some((1, 1, 1, 0)));
    assert_eq!(fire(Requirement::Lock, true, false, 1), None);
    assert_eq!(fire(Requirement::Focus, true, true, 1), Some((1, 1, 0, 0)));
    assert_eq!(fire(Requirement::Focus, false, false, 1), Some((0, 0, 1, 0)));
    assert_eq!(fire(Requirement::Focus, true, true, 0), None);
}
