//! Laws of what the automated opponents do, over random skirmishes (SWM-A1 to SWM-A6, SWM-S6, SWM-M5).

use std::sync::Arc;

use tallyho::{
    dice::SeededDice,
    swm::{
        ability::Effect,
        arena,
        board::Board,
        figure::{Card, Figure, Side},
        map::{Door, Map, Place},
        movement::{Manner, step_cost},
        opponent::{self, Step, Turn, activation},
        options::{North, Options},
        square::{Base, Space, Square},
        targets,
    },
};

use super::skirmishes::roster;

/// Random boards of mixed figures; every third with the enemy near.
fn boards(count: u64) -> impl Iterator<Item = (u64, Board)> {
    let cards: Vec<Arc<Card>> = roster().entries().iter().map(|entry| Arc::clone(&entry.card)).collect();
    (0..count).filter_map(move |seed| {
        let (width, height) = if seed % 3 == 0 { (9, 8) } else { (22, 16) };
        let board = arena::skirmish(&cards, width, height, 5, &mut SeededDice::new(seed))?;
        Some((seed, board))
    })
}

fn turns(board: &Board, options: &Options, seed: u64) -> Vec<Turn> {
    let automated: Vec<&Figure> = board.side(Side::Automated).collect();
    let turn = |figure: &&Figure| opponent::decide(board, figure, options, &mut SeededDice::new(seed));
    automated.iter().map(turn).collect()
}

#[test]
fn swm_s6_m5_no_decision_provokes_and_all_moves_and_targets_are_legal() {
    let options = Options::default();
    let (mut moves, mut attacks) = (0, 0);
    for (seed, board) in boards(60) {
        for turn in turns(&board, &options, seed) {
            let mut board = board.clone();
            let figure = board.figure(&turn.figure).unwrap().clone();
            let ignores = figure.card.has(|effect| *effect == Effect::IgnoresEnemies);
            let mut walked = [0_u16; 2];
            let mut fought = 0;
            for step in &turn.steps {
                let now = board.figure(&turn.figure).unwrap().clone();
                match step {
                    Step::Move { way, force } => {
                        let mut mover = now.clone();
                        for &to in way {
                            let cost = step_cost(&board, &mover, mover.at, to);
                            let cost = cost.unwrap_or_else(|| panic!("seed {seed}: {} to {to}: {turn:?}", mover.at));
                            walked[usize::from(fought > 0)] += cost;
                            for enemy in board.enemies(&mover) {
                                let reflexes = enemy.card.has(|effect| *effect == Effect::StrikesAtComers);
                                let leaves = board.are_adjacent(mover.space(), enemy.space());
                                let comes = reflexes && board.are_adjacent(mover.space_at(to), enemy.space());
                                assert!(!comes && (!leaves || (ignores && !reflexes)), "seed {seed}: {turn:?}");
                            }
                            mover.at = to;
                        }
                        walked[0] = walked[0].saturating_sub(if *force { 2 } else { 0 });
                        assert!(!board.is_taken(mover.space(), &mover), "seed {seed}: {turn:?}");
                        board.figure_mut(&turn.figure).unwrap().at = mover.at;
                        moves += 1;
                    }
                    Step::Attack { target, .. } => {
                        assert!(
                            opponent::is_legal(&board, &now, target, &options),
                            "seed {seed}: {turn:?}"
                        );
                        (fought, attacks) = (fought + 1, attacks + 1);
                    }
                    Step::Area { affected, .. } => {
                        let foe = |id: &String| board.figure(id).is_some_and(|other| other.side == Side::Player);
                        assert!(affected.iter().all(foe), "seed {seed}: {turn:?}");
                        fought += 1;
                    }
                }
            }
            assert_eq!(board.figure(&turn.figure).unwrap().at, turn.end);
            let charges = figure
                .card
                .has(|effect| matches!(effect, Effect::AttackAfterDoubleMove { .. }));
            let most = if fought > 0 && !charges {
                figure.single_move()
            } else {
                figure.double_move()
            };
            assert!(walked[0] + walked[1] <= most, "seed {seed}: {turn:?}");
            let splits = figure.card.has(|effect| *effect == Effect::MobileAttack);
            assert!(walked[0] == 0 || walked[1] == 0 || splits, "seed {seed}: {turn:?}");
            // Whatever decided names its rule, and something was compared on the way.
            assert!(
                turn.reasons
                    .iter()
                    .any(|reason| reason.rule == turn.rule || turn.rule.starts_with("SWM-H")),
                "{turn:?}"
            );
        }
    }
    assert!(moves > 80 && attacks > 40, "{moves} moves, {attacks} attacks");
}

#[test]
fn swm_1_5_whoever_may_not_be_attacked_has_a_reason_and_nobody_else() {
    let options = Options::default();
    let mut told = [0; 3];
    for (seed, board) in boards(60) {
        for figure in board.figures() {
            let seen = targets::sighted(&board, figure, figure.space(), &options);
            for enemy in board.enemies(figure) {
                let legal = seen.iter().any(|seen| seen.legal && seen.figure.id == enemy.id);
                let why = targets::why_not(&board, figure, enemy, &options);
                assert_eq!(
                    why.is_none(),
                    legal,
                    "seed {seed}: {} on {}: {why:?}",
                    figure.id,
                    enemy.id
                );
                let why = why.unwrap_or_default();
                let words = ["walls", "cover (", "for adjacent enemies"];
                for (count, words) in told.iter_mut().zip(words) {
                    *count += u32::from(why.contains(words));
                }
                assert!(!why.contains("()"), "seed {seed}: cover of nothing: {why}");
            }
        }
    }
    assert!(told.iter().all(|&count| count > 0), "{told:?}");
}

/// A board with every square put elsewhere: `at` says where, `turned` whether rows and columns change places.
fn moved(board: &Board, size: (u8, u8), at: &dyn Fn(Square) -> Square, turned: bool) -> Board {
    let old = board.map();
    let mut map = Map::new(size.0, size.1).unwrap();
    for square in old.squares() {
        map.set_terrain(at(square), old.terrain(square));
    }
    let place = |place: Place| match place {
        Place::Square(square) => Place::Square(at(square)),
        Place::East(square) => Map::edge_between(at(square), at(Square::new(square.column + 1, square.row))).unwrap(),
        Place::South(square) => Map::edge_between(at(square), at(Square::new(square.column, square.row + 1))).unwrap(),
    };
    for square in old.squares() {
        let is_door = |place: Place| old.doors().iter().any(|door| door.place == place);
        for (edge, shut) in [
            (Place::East(square), old.is_east_shut(square)),
            (Place::South(square), old.is_south_shut(square)),
        ] {
            if shut && !is_door(edge) {
                map.add_wall(place(edge));
            }
        }
    }
    for door in old.doors() {
        map.add_door(Door {
            place: place(door.place),
            ..*door
        });
    }
    let figures = board.figures().iter().map(|figure| {
        let mut figure = figure.clone();
        let base = figure.card.size;
        if turned {
            let mut card = (*figure.card).clone();
            card.size = Base {
                wide: base.high,
                high: base.wide,
            };
            figure.card = Arc::new(card);
        }
        figure.at = north_west(Space::new(figure.at, base), at);
        figure
    });
    Board::new(map, figures.collect()).unwrap()
}

fn north_west(space: Space, at: &dyn Fn(Square) -> Square) -> Square {
    let squares: Vec<Square> = space.squares().map(at).collect();
    let row = squares.iter().map(|square| square.row).min().unwrap();
    Square::new(squares.iter().map(|square| square.column).min().unwrap(), row)
}

#[test]
fn swm_a5_a_turned_map_with_its_north_turned_gives_the_turned_answer() {
    let mut compared = 0;
    for (seed, board) in boards(16) {
        let (width, height) = (board.map().width(), board.map().height());
        let half = |square: Square| Square::new(width - 1 - square.column, height - 1 - square.row);
        // A quarter to the left: the northern edge comes to lie in the west.
        let quarter = |square: Square| Square::new(square.row, width - 1 - square.column);
        type Turned<'a> = (&'a dyn Fn(Square) -> Square, (u8, u8), bool, North);
        let turned: [Turned<'_>; 2] = [
            (&half, (width, height), false, North::LastRow),
            (&quarter, (height, width), true, North::FirstColumn),
        ];
        let straight = Options::default();
        let order = activation::order(&board, &straight, &mut SeededDice::new(seed)).0;
        for (at, size, swapped, north) in turned {
            let other = moved(&board, size, at, swapped);
            let options = Options {
                north,
                ..Options::default()
            };
            let turned = activation::order(&other, &options, &mut SeededDice::new(seed)).0;
            for (a, b) in order.iter().zip(&turned) {
                assert_eq!((&a.figure, a.tier), (&b.figure, b.tier), "seed {seed}, {north:?}");
                let base = board.figure(&a.figure).unwrap().card.size;
                let end = north_west(Space::new(a.turn.end, base), at);
                assert_eq!(end, b.turn.end, "seed {seed}, {north:?}: {:#?}\n{:#?}", a.turn, b.turn);
                assert_eq!(
                    (a.turn.rule, &a.turn.target),
                    (b.turn.rule, &b.turn.target),
                    "seed {seed}"
                );
                assert_eq!(
                    (a.turn.attack, a.turn.damage),
                    (b.turn.attack, b.turn.damage),
                    "seed {seed}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 80, "{compared}");
}

#[test]
fn swm_a6_a_mirrored_map_gives_the_mirrored_answer_but_for_ties_that_north_and_east_break() {
    let (mut same, mut tied) = (0, 0);
    let options = Options::default();
    for (seed, board) in boards(24) {
        let (width, height) = (board.map().width(), board.map().height());
        let mirror = |square: Square| Square::new(width - 1 - square.column, square.row);
        let mirrored = moved(&board, (width, height), &mirror, false);
        for (a, b) in turns(&board, &options, seed)
            .iter()
            .zip(turns(&mirrored, &options, seed))
        {
            let figure = board.figure(&a.figure).unwrap();
            let end = north_west(Space::new(a.end, figure.card.size), &mirror);
            assert_eq!((a.kind, &a.figure), (b.kind, &b.figure));
            if end == b.end {
                same += 1;
                continue;
            }
            // Another square was as good: it costs as much to come to, and as much is gained by it.
            tied += 1;
            let cost = |board: &Board, turn: &Turn| {
                let figure = board.figure(&turn.figure).unwrap();
                let budget = figure.double_move() + 2;
                let ways = tallyho::swm::movement::Ways::from(board, figure, figure.at, Manner::of(figure), budget);
                ways.cost(turn.end)
            };
            assert_eq!(a.rule, b.rule, "seed {seed}: {a:#?}\n{b:#?}");
            if a.fire == Some(figure.at) || a.fire.is_none() {
                assert_eq!(cost(&board, a), cost(&mirrored, &b), "seed {seed}: {a:#?}\n{b:#?}");
            }
        }
    }
    assert!(same > 5 * tied && tied > 0, "{same} the same, {tied} tied");
}

#[test]
fn swm_a1_to_a6_the_order_does_not_depend_on_the_order_of_the_figures() {
    let options = Options::default();
    for (seed, board) in boards(8) {
        let mut figures: Vec<Figure> = board.figures().to_vec();
        figures.reverse();
        let other = Board::new(board.map().clone(), figures).unwrap();
        let order = |board: &Board| {
            let order = activation::order(board, &options, &mut SeededDice::new(seed)).0;
            order
                .into_iter()
                .map(|waiting| (waiting.figure, waiting.turn))
                .collect::<Vec<_>>()
        };
        assert_eq!(order(&board), order(&other), "seed {seed}");
        // The next to activate is the first of the order.
        let (next, reason) = activation::next(&board, &options, &mut SeededDice::new(seed));
        let first = order(&board).first().map(|(figure, _)| figure.clone());
        let tie = reason.compared.len() > 1;
        assert!(next == first || tie, "seed {seed}: {next:?} {first:?}");
    }
}
