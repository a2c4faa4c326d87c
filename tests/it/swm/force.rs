//! What is decided by dice: ties of targets (SWM-T5), and what the Force is spent on (SWM-F1 to SWM-F6).

use std::collections::BTreeSet;

use tallyho::{
    bridge::grid,
    dice::SeededDice,
    swm::{
        figure::Figure,
        opponent::{self, force},
        options::Options,
    },
};

fn figure(text: &str) -> Figure {
    let position = grid::parse_text(&format!("1 .a\nfigure a 50/16/+8/20 {text}\n")).unwrap();
    position.board.figure("a").unwrap().clone()
}

#[test]
fn swm_t5_targets_that_tie_in_everything_are_rolled_for() {
    let text = "1 .. .. .. .. .Q\n2 oa .. .. .. ..\n3 .. .. .. .. .P\n4 .. .. .. .. .R\n\
                figure a 20/14/+5/10 : Accurate Shot\nfigure P 30/16/+6/10\nfigure Q 30/16/+6/10\nfigure R 31/16/+6/10\n";
    let board = grid::parse_text(text).unwrap().board;
    let own = board.figure("a").unwrap();
    let roll = |seed| opponent::next_target(&board, own, &Options::default(), &mut SeededDice::new(seed)).unwrap();
    let chosen: BTreeSet<String> = (0..40).map(roll).collect();
    assert_eq!(chosen, ["P", "Q"].map(str::to_owned).into());
    assert_eq!(roll(7), roll(7));
    let turn = opponent::decide(&board, own, &Options::default(), &mut SeededDice::new(1));
    assert!(turn.reasons.iter().any(|reason| reason.rule == "SWM-T5"));
}

#[test]
fn swm_f1_f2_f5_misses_and_failed_saves_are_repeated_and_hits_are_not() {
    let own = figure("force 2");
    // SWM-F1 and SWM-F2: what failed; SWM-F5: what did not.
    assert!(force::repeats(&own, false) && !force::repeats(&own, true));
    assert!(!force::repeats(&figure("force 0"), false));
    assert!(!force::repeats(&figure("force 2 : Force Ascetic"), false));
    assert_eq!((force::bonus(&own), force::bonus(&figure("force 2 : Mettle"))), (0, 4));
}

#[test]
fn swm_f3_against_a_hit_the_cheapest_power_that_fits_is_used() {
    let name = |text: &str, adjacent| force::defends(&figure(text), adjacent).map(|power| power.name);
    let both = "force 3 : Lightsaber Reflect, Lightsaber Deflect, Lightsaber Block";
    // SWM-F3: Block against hits from beside, Deflect against the others, being cheaper than Reflect.
    assert_eq!(name(both, true).as_deref(), Some("Lightsaber Block"));
    assert_eq!(name(both, false).as_deref(), Some("Lightsaber Deflect"));
    assert_eq!(name("force 3 : Illusion", true).as_deref(), Some("Illusion"));
    assert_eq!(name("force 1 : Absorb Energy", false), None);
    assert_eq!(name("force 0 : Lightsaber Block", true), None);
}

#[test]
fn swm_f6_one_spend_on_a_turn_or_as_many_as_master_of_the_force_says() {
    let mut own = figure("force 5 : Lightsaber Block");
    own.force_spent = 1;
    assert!(!force::repeats(&own, false) && force::defends(&own, true).is_none());
    let mut master = figure("force 5 : Lightsaber Block, Master of the Force 2");
    master.force_spent = 1;
    assert!(force::repeats(&master, false));
    master.force_spent = 2;
    assert!(!force::repeats(&master, false));
}
