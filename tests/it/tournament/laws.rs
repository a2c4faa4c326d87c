//! Laws of whole tournaments: sums (PE-9.4), who plays whom (PE-9.5, PE-9.6), and texts in which nothing is lost.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use tallyho::{
    dice::{DiceSource as _, SeededDice},
    tournament::{
        Ending, Game, Match, Options, Tournament, edit, file,
        pairing::{Cost, Costs, pair},
        record, standings,
    },
};

use super::begun;

/// Plays a match with all kinds of endings and scores.
fn results(paired: &Match, dice: &mut SeededDice) -> Vec<Game> {
    (paired.pairings.iter().flat_map(|pairing| pairing.games()))
        .map(|(defender, attacker)| {
            let (defender_score, attacker_score) = (dice.choose(101) as u32, dice.choose(101) as u32);
            let ended = Ending::ALL[dice.choose(Ending::ALL.len())];
            Game {
                defender,
                attacker,
                defender_score,
                attacker_score,
                ended: Some(ended),
                outcome: ended.outcome(defender_score, attacker_score),
            }
        })
        .collect()
}

fn whole(players: usize, matches: usize, seed: u64, options: Options) -> Tournament {
    let ids: Vec<String> = (0..players).map(|number| format!("p{number:03}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut tournament = begun(&ids, seed, options);
    let mut dice = SeededDice::new(seed ^ 0x5eed);
    for _ in 0..matches {
        let mut paired = pair(&tournament).unwrap();
        paired.games = results(&paired, &mut dice);
        tournament.matches.push(paired);
    }
    tournament
}

/// Everybody plays or sits out once in each match, and the sums are those of the games and byes.
fn sums_hold(tournament: &Tournament) -> Result<(), TestCaseError> {
    let (mut games, mut wins, mut byes) = (0, 0, 0);
    for played in &tournament.matches {
        let mut seen: Vec<_> = played.pairings.iter().flat_map(|pairing| pairing.players).collect();
        seen.extend(played.bye);
        seen.sort();
        prop_assert_eq!(&seen, &tournament.taking_part(played.number));
        games += played.games.len();
        wins += played.games.iter().filter(|game| game.winner().is_some()).count();
        byes += usize::from(played.bye.is_some());
        for game in &played.games {
            let (defender, attacker) = game.margins(&tournament.options);
            prop_assert_eq!(defender + attacker, 200);
        }
    }
    let standings = standings::standings(tournament);
    let margin: i64 = standings.iter().map(|standing| standing.record.margin).sum();
    let points: u32 = standings.iter().map(|standing| standing.record.victory_points).sum();
    prop_assert_eq!(margin, 200 * (games + byes) as i64);
    prop_assert_eq!(points as usize, wins + 2 * byes);
    prop_assert_eq!(standings.len(), tournament.players.len());
    for pair in standings.windows(2) {
        let worth = |place: usize| {
            let record = &pair[place].record;
            (record.victory_points, record.margin, record.defences_won)
        };
        prop_assert!(worth(0) >= worth(1));
        prop_assert_eq!(worth(0) == worth(1), pair[0].place == pair[1].place);
    }
    Ok(())
}

/// The least sum over all ways to pair those who are left.
fn least(costs: &Costs<'_>, left: &[usize]) -> Cost {
    let Some((&first, rest)) = left.split_first() else {
        return Cost::default();
    };
    (0..rest.len())
        .map(|at| {
            let others: Vec<usize> = rest.iter().copied().filter(|other| *other != rest[at]).collect();
            costs.of(first, rest[at]) + least(costs, &others)
        })
        .min()
        .unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// 16 players, four matches: nobody need meet anybody twice, so nobody does.
    #[test]
    fn pe_9_5_sixteen_players_and_four_matches_sum_up_and_repeat_nothing(seed: u64, mov_floor: bool) {
        let tournament = whole(16, 4, seed, Options { mov_floor, rematch: false });
        sums_hold(&tournament)?;
        for record in record::now(&tournament) {
            prop_assert_eq!((record.met.len(), record.games), (4, 8));
            prop_assert!(record.met.values().all(|times| *times == 1));
        }
    }

    /// However many players and matches, those who came late and left among them.
    #[test]
    fn pe_9_6_byes_go_round_and_sums_hold(players in 2..12_usize, matches in 1..7_usize, seed: u64, rematch: bool) {
        let tournament = whole(players, matches, seed, Options { mov_floor: false, rematch });
        sums_hold(&tournament)?;
        let byes: Vec<u32> = record::now(&tournament).iter().map(|record| record.byes).collect();
        prop_assert!(byes.iter().max().unwrap() - byes.iter().min().unwrap() <= 1);
    }

    /// No pairing of all there are costs less than the one that is made.
    #[test]
    fn pe_9_5_no_pairing_is_better(players in 2..10_usize, matches in 0..6_usize, seed: u64, rematch: bool) {
        let tournament = whole(players, matches, seed, Options { mov_floor: false, rematch });
        let paired = pair(&tournament).unwrap();
        let playing: Vec<_> = tournament.entrants().filter(|entrant| Some(*entrant) != paired.bye).collect();
        let records = record::now(&tournament);
        let costs = Costs::new(&tournament, paired.number, &playing, &records);
        let place = |entrant| playing.iter().position(|other| *other == entrant).unwrap();
        let sum = (paired.pairings.iter()).fold(Cost::default(), |sum, pairing| {
            sum + costs.of(place(pairing.players[0]), place(pairing.players[1]))
        });
        let all: Vec<usize> = (0..playing.len()).collect();
        prop_assert_eq!(sum, least(&costs, &all));
    }

    /// The text of a whole tournament, written move by move, reads back as the tournament, whatever people wrote between.
    #[test]
    fn what_people_wrote_stays_in_the_text(players in 2..7_usize, seed in 0..1000_u64) {
        let tournament = whole(players, 2, seed, Options::default());
        let mut text = edit::new(&tournament.name, seed, None, Options::default());
        for player in &tournament.players {
            text = edit::add_player(&text, &player.id, &player.name, 1).unwrap();
        }
        let mut own = Vec::new();
        for played in &tournament.matches {
            let bare = Match { games: Vec::new(), ..played.clone() };
            text = edit::add_match(&text, &tournament, &bare).unwrap();
            for game in &played.games {
                let note = format!("# own words {}", own.len());
                // Behind the list that grows: where an organiser jots down what a result was about.
                let at = text.rfind("\n]").or_else(|| text.rfind("[]").map(|at| at + 1)).unwrap();
                text.insert_str(at, &format!(" {note}\n"));
                own.push(note);
                text = edit::enter_game(&text, &tournament, played.number, game).unwrap();
            }
        }
        for note in &own {
            prop_assert_eq!(text.matches(&format!("{note}\n")).count(), 1, "{}\n{}", note, text);
        }
        let read = file::read(&text).unwrap();
        prop_assert_eq!(&read, &tournament);
        // Entered again it is replaced and not doubled.
        if let Some(game) = tournament.matches[1].games.first() {
            let again = edit::enter_game(&text, &tournament, 2, game).unwrap();
            prop_assert_eq!(&file::read(&again).unwrap(), &tournament);
        }
        let shorter = file::read(&edit::remove_last_match(&text).unwrap()).unwrap();
        prop_assert_eq!(&shorter.matches[..], &tournament.matches[..1]);
        // The order of the file does not count, and the same seed pairs the same.
        prop_assert_eq!(pair(&read), pair(&tournament));
    }
}

#[test]
fn the_order_of_players_in_the_file_does_not_count() {
    let of = |ids: [&str; 5]| {
        let mut text = edit::new("Cup", 9, Some(3), Options::default());
        for id in ids {
            text = edit::add_player(&text, id, id, 1).unwrap();
        }
        pair(&file::read(&text).unwrap()).unwrap()
    };
    assert_eq!(of(["a", "b", "c", "d", "e"]), of(["e", "c", "a", "d", "b"]));
}

/// Sixty players who met often, and the most that are taken.
#[test]
fn pe_9_5_large_tournaments_are_paired() {
    for (players, matches) in [(60, 8), (512, 1)] {
        let tournament = whole(players, matches, 5, Options::default());
        for record in record::now(&tournament) {
            assert!(record.met.values().all(|times| *times == 1));
        }
        let paired = pair(&tournament).unwrap();
        let once: BTreeSet<_> = paired.pairings.iter().flat_map(|pairing| pairing.players).collect();
        assert_eq!(once.len(), players);
    }
}

/// Of two pairings that are equal in everything the seed takes each about as often.
#[test]
fn pe_9_5_the_roll_is_even() {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..3000 {
        let tournament = begun(&["a", "b", "c", "d"], seed, Options::default());
        let paired = pair(&tournament).unwrap();
        let of_a = paired
            .pairings
            .iter()
            .flat_map(|pairing| pairing.games())
            .find(|(one, _)| one.0 == 0);
        *counts.entry(tournament.id(of_a.unwrap().1).to_owned()).or_default() += 1;
    }
    assert_eq!(counts.len(), 3);
    // Five standard deviations of a third of 3000.
    assert!(counts.values().all(|count| count.abs_diff(1000) < 130), "{counts:?}");
}
