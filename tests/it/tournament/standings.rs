//! PE-9.7: places, shared places, the one winner; PE-9.6: what a bye is worth.

use tallyho::tournament::{Options, Tournament, standings};

use super::{begun, game, play};

/// `place=` for a shared one, and who stands there.
fn places(tournament: &Tournament) -> Vec<String> {
    (standings::standings(tournament).iter())
        .map(|standing| {
            let shared = if standing.is_shared { "=" } else { "" };
            format!("{}{shared} {}", standing.place, tournament.id(standing.entrant))
        })
        .collect()
}

#[test]
fn pe_9_7_victory_points_come_first_then_the_margin_then_defences() {
    let mut tournament = begun(&["ann", "bob", "cid", "dora"], 1, Options::default());
    play(&mut tournament, &["ann-bob 1", "cid-dora 1"]);
    // All have one victory point of a game as defender and MOV 200.
    assert_eq!(places(&tournament), ["1= ann", "1= bob", "1= cid", "1= dora"]);
    // A higher margin is worth more than games won as defender, a victory point more than any margin.
    tournament.matches[0].games[0].defender_score = 51;
    assert_eq!(places(&tournament), ["1 ann", "2= cid", "2= dora", "4 bob"]);
    let (cid, dora) = (tournament.entrant("cid").unwrap(), tournament.entrant("dora").unwrap());
    tournament.matches[0].games[2] = game(cid, dora, None);
    tournament.matches[0].games[0].defender_score = 100;
    tournament.matches[0].games[1].defender_score = 0;
    // bob has MOV 100 and one point, cid 150 and none.
    assert_eq!(places(&tournament), ["1 ann", "2 dora", "3 bob", "4 cid"]);
    // Both games of cid and dora are won as attacker, with the same victory points and margin as bob's and ann's.
    tournament.matches[0].games[0].defender_score = 50;
    tournament.matches[0].games[1].defender_score = 50;
    tournament.matches[0].games[2] = game(cid, dora, Some(dora));
    tournament.matches[0].games[3] = game(dora, cid, Some(cid));
    assert_eq!(places(&tournament), ["1= ann", "1= bob", "3= cid", "3= dora"]);
}

#[test]
fn pe_9_6_a_bye_counts_two_points_and_200_and_no_defence() {
    let mut tournament = begun(&["ann", "bob", "cid"], 1, Options::default());
    play(&mut tournament, &["ann-bob 2", "cid bye"]);
    let standings = standings::standings(&tournament);
    let cid = standings
        .iter()
        .find(|standing| tournament.id(standing.entrant) == "cid")
        .unwrap();
    let record = &cid.record;
    let found = (
        record.victory_points,
        record.margin,
        record.defences_won,
        record.games,
        record.byes,
    );
    assert_eq!(found, (2, 200, 0, 0, 1));
    assert_eq!(places(&tournament), ["1 ann", "2 cid", "3 bob"]);
}

#[test]
fn pe_9_7_one_winner_by_the_match_between_them_then_by_the_roll() {
    let winner = |tournament: &Tournament| {
        let winner = standings::winner(tournament).unwrap();
        (tournament.id(winner.entrant).to_owned(), winner.why)
    };
    let mut tournament = begun(&["ann", "bob", "cid", "dora"], 3, Options::default());
    play(&mut tournament, &["ann-bob 2", "cid-dora 1"]);
    let alone = ("ann".to_owned(), "PE-9.7: 2 VP, MOV 300, 1 won as defender".to_owned());
    assert_eq!(winner(&tournament), alone);
    // bob catches up: both have four points, ann won the match between them.
    play(&mut tournament, &["ann-cid 0", "bob-dora 2"]);
    play(&mut tournament, &["ann-dora 2", "bob-cid 2"]);
    let shared = places(&tournament);
    assert_eq!(shared[..2], ["1= ann", "1= bob"], "{shared:?}");
    let (who, why) = winner(&tournament);
    assert_eq!(who, "ann");
    assert!(why.ends_with("VP between them: ann 2, bob 0"), "{why}");
    // Nobody has met: the seed decides, and another seed otherwise.
    let rolled: std::collections::BTreeSet<String> = (0..32)
        .map(|seed| {
            let mut tournament = begun(&["ann", "bob", "cid", "dora"], seed, Options::default());
            play(&mut tournament, &["ann-bob 2", "cid-dora 2"]);
            let (who, why) = winner(&tournament);
            assert!(why.contains("not all of them have met; rolled among ann, cid"), "{why}");
            assert_eq!(winner(&tournament).0, who, "the same seed rolls the same");
            who
        })
        .collect();
    assert_eq!(rolled.into_iter().collect::<Vec<_>>(), ["ann", "cid"]);
}
