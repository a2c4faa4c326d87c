//! Whole skirmishes: they end, nothing is refused, and an independent look at their events finds nothing wrong.

use std::sync::{Arc, atomic::AtomicBool};

use tallyho::{
    dice::SeededDice,
    sim::{
        dice_of,
        skirmish::{self, Ground, Muster, Plan, SkirmishFigures, Summary},
    },
    swm::{
        arena,
        board::Board,
        commander::{automated::Automated, play, scripted::Scripted},
        figure::{Card, Figure, Side},
        options::Options,
        roster::Roster,
        skirmish::{Cause, Event, audit},
        square::Square,
    },
};

/// Cards made up for abilities and bases that the sample has not.
const MORE: &str = "id,hp,def,atk,dmg,speed,size,cost,abilities\n\
    grenadier,20,14,5,10,6,1,12,Grenades 10\n\
    launcher,40,15,6,20,4,2,20,Missiles 20; Heavy Weapon\n\
    beast,120,16,10,20,8,3,40,Melee Attack; Cleave; Savage\n\
    sniper,30,14,7,20,6,1,18,Careful Shot; Sniper; Accurate Shot\n\
    protocol,30,14,0,0,6,1,8,Droid; Diplomat\n\
    turret,60,18,6,20,6,1,21,Emplacement; Droid\n\
    assassin,70,17,9,20,6,1,30,Poison Blade; Opportunist\n\
    guard,60,17,8,10,6,1,19,Bodyguard; Shields 1; Parry\n\
    mercenary,30,15,7,20,6,1,15,Mercenary; Evade\n\
    adept,80,18,10,20,6,1,40,Melee Attack; Double Attack; Force 5; Master of the Force 2; Lightsaber Defense; Lightsaber Riposte; Mettle\n\
    mystic,50,16,8,20,6,1,33,Force 6; Force Renewal 1; Lightsaber Reflect; Illusion; Absorb Energy; Splash 10\n\
    flyer,40,15,6,10,8,1,22,Flight; Mobile Attack; Greater Mobile Attack; Double Attack\n";

pub(super) fn roster() -> Roster {
    Roster::read(MORE).unwrap().over(Roster::sample())
}

fn random(width: u8, height: u8, points: u16) -> Plan {
    let roster = Arc::new(roster());
    let muster = || Muster::Drawn {
        roster: Arc::clone(&roster),
        points,
    };
    Plan {
        audit: true,
        rounds: 15,
        ..Plan::of(Ground::Random {
            width,
            height,
            automated: muster(),
            player: muster(),
        })
    }
}

fn run(plan: &Plan, games: usize, threads: usize) -> Vec<SkirmishFigures> {
    skirmish::run(plan, games, threads, &AtomicBool::new(false), &|| {}).unwrap()
}

#[test]
fn swm_random_skirmishes_end_without_a_violation_and_repeat_themselves() {
    for (width, height, points, games) in [(12, 10, 60, 6), (16, 12, 90, 1), (7, 7, 50, 4)] {
        let plan = random(width, height, points);
        let played = run(&plan, games, 2);
        for game in &played {
            assert_eq!(game.problem, None, "{width} x {height}, skirmish {}", game.game);
        }
        let summary = Summary::of(&played);
        assert_eq!(summary.games, games);
        // Figures that only keep away, and those that cannot move, may leave one undecided.
        assert!(summary.undecided * 2 <= games + 1, "{summary:?}");
        let both = [&summary.player, &summary.automated];
        assert!(
            both.iter()
                .all(|side| side.attacks > 5 && side.squares > 5 && side.hits > 1),
            "{summary:?}"
        );
        assert_eq!(
            run(&plan, games.min(4), 1),
            played[..games.min(4)],
            "another number of threads"
        );
    }
}

/// The audit sees what is not allowed: each kind of event, changed, is told.
#[test]
fn an_audit_tells_what_is_broken() {
    let plan = random(12, 10, 90);
    let mut broken = 0;
    for number in 0..3 {
        let mut dice = dice_of(1, number);
        let board = plan.ground.open(&mut dice).unwrap();
        let options = Options::default();
        let (skirmish, _) = play(
            board.clone(),
            options.clone(),
            15,
            &mut Scripted,
            &mut Automated::default(),
            &mut dice,
        );
        let events = skirmish.events();
        assert_eq!(audit::audit(&board, &options, events), Vec::<String>::new());
        let mut kinds = std::collections::BTreeSet::new();
        for (place, event) in events.iter().enumerate() {
            let kind = format!("{event:?}")
                .split([' ', '{'])
                .next()
                .unwrap_or_default()
                .to_owned();
            if !kinds.insert(kind) {
                continue;
            }
            let changed = match event.clone() {
                Event::Attacked {
                    attacker,
                    target,
                    cause,
                    rolled,
                    bonus,
                    defense,
                    repeated,
                    hit,
                    ..
                } => Event::Attacked {
                    attacker,
                    target,
                    cause,
                    rolled,
                    bonus,
                    defense,
                    repeated,
                    hit: !hit,
                    critical: false,
                },
                Event::Stepped { figure, from, .. } => Event::Stepped {
                    figure,
                    from,
                    to: Square::new(from.column.wrapping_add(2) % 12, from.row),
                },
                Event::Damaged { figure, damage, left } => Event::Damaged {
                    figure,
                    damage: damage + 10,
                    left,
                },
                Event::Activated { .. } => Event::Activated {
                    figure: "nobody".to_owned(),
                },
                Event::Initiative { player, .. } => Event::Initiative { player, automated: 21 },
                Event::Saved {
                    figure,
                    against,
                    rolled,
                    bonus,
                    needs,
                    repeated,
                    succeeds,
                } => Event::Saved {
                    figure,
                    against,
                    rolled,
                    bonus,
                    needs,
                    repeated,
                    succeeds: !succeeds,
                },
                _ => continue,
            };
            let mut wrong = events.to_vec();
            wrong[place] = changed;
            let found = audit::audit(&board, &options, &wrong);
            assert!(!found.is_empty(), "{event:?}");
            broken += 1;
        }
    }
    assert!(broken > 12, "{broken}");
}

/// The scripted player is no straw man: with the same squad as the automated side it wins more than a third.
#[test]
fn the_scripted_player_holds_its_own_in_mirrored_skirmishes() {
    let roster = roster();
    let squads = [
        "old-republic-captain,old-republic-guard,mira",
        "squint,atton-rand",
        "nomi-sunrider,2*old-republic-guard",
    ];
    let (mut wins, mut games) = (0, 0);
    for squad in squads {
        let cards = tallyho::swm::squad::read(squad, &roster).unwrap();
        let plan = Plan {
            ground: Ground::Random {
                width: 10,
                height: 8,
                automated: Muster::Given(cards.clone()),
                player: Muster::Given(cards),
            },
            ..random(14, 12, 0)
        };
        for game in run(&plan, 4, 2) {
            assert_eq!(game.problem, None, "{squad}, skirmish {}", game.game);
            games += usize::from(game.winner.is_some());
            wins += usize::from(game.winner == Some(Side::Player));
        }
    }
    assert!(games > 8 && wins * 3 >= games, "{wins} of {games}");
}

/// What a player's figure provokes, and what a bodyguard does, happens in whole skirmishes too: nothing of the rules is left
/// out by both commanders.
#[test]
fn swm_whole_skirmishes_use_what_the_cards_have() {
    let roster = roster();
    let cards: Vec<Arc<Card>> = roster.entries().iter().map(|entry| Arc::clone(&entry.card)).collect();
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..14 {
        let mut dice = SeededDice::new(seed);
        let Some(board) = arena::skirmish(&cards, 9, 7, 4, &mut dice) else {
            continue;
        };
        let (skirmish, refused) = play(
            board,
            Options::default(),
            12,
            &mut Scripted,
            &mut Automated::default(),
            &mut dice,
        );
        assert!(refused.is_empty(), "seed {seed}: {refused:?}");
        for event in skirmish.events() {
            seen.insert(match event {
                Event::Attacked { cause, repeated, .. } if *repeated || *cause != Cause::Turn => {
                    format!("{cause:?} {repeated}")
                }
                Event::Defended { power, .. } => power.clone(),
                Event::Intercepted { .. } => "intercepted".to_owned(),
                Event::Area { ability, .. } => ability.clone(),
                Event::ForceGained { .. } => "force gained".to_owned(),
                Event::Door { .. } => "door".to_owned(),
                Event::Healed { .. } => "healed".to_owned(),
                _ => continue,
            });
        }
    }
    for expected in [
        "Twin false",
        "Turn true",
        "door",
        "force gained",
        "Lightsaber Block",
        "Illusion",
    ] {
        assert!(seen.contains(expected), "{expected} is not among {seen:?}");
    }
}

#[test]
fn figures_are_counted_by_round_and_side() {
    let card = Arc::new(Card {
        cost: 7,
        ..Card::default()
    });
    let figures = vec![
        Figure::new("a", Side::Automated, Arc::clone(&card), Square::new(0, 0)),
        Figure::new("P", Side::Player, card, Square::new(3, 0)),
    ];
    let board = Board::new(arena::map(5, 5, &mut SeededDice::new(1)).unwrap(), figures);
    let Ok(board) = board else { panic!("{board:?}") };
    let events = [
        Event::RoundBegan { round: 1 },
        Event::Activated { figure: "P".into() },
        Event::Attacked {
            attacker: "P".into(),
            target: "a".into(),
            cause: Cause::Turn,
            rolled: 3,
            bonus: 4,
            defense: 14,
            repeated: false,
            hit: false,
            critical: false,
        },
        Event::RoundBegan { round: 2 },
        Event::Damaged {
            figure: "a".into(),
            damage: 10,
            left: 0,
        },
        Event::Defeated { figure: "a".into() },
        Event::Ended {
            winner: Some(Side::Player),
        },
    ];
    let (winner, rounds) = skirmish::count(&board, &events);
    assert_eq!(winner, Some(Side::Player));
    let [first, second] = &rounds[..] else {
        panic!("{rounds:?}")
    };
    assert_eq!((first[0].attacks, first[0].hits, first[1].survivors), (1, 0, 1));
    assert_eq!(
        (second[0].defeated, second[0].cost_defeated, second[0].damage),
        (1, 7, 10)
    );
    assert_eq!((second[0].survivors, second[1].survivors), (1, 0));
}
