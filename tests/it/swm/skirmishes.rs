//! Whole skirmishes: they end, nothing is refused, and an independent look at their events finds nothing wrong.

use std::sync::Arc;

use tallyho::{
    dice::SeededDice,
    swm::{
        arena,
        commander::{automated::Automated, play, scripted::Scripted},
        figure::{Card, Side},
        options::Options,
        roster::Roster,
        skirmish::{Event, audit},
    },
};

/// The sample's cards, and some made up for abilities and bases that it has not.
fn cards() -> Vec<Arc<Card>> {
    let more = "id,hp,def,atk,dmg,speed,size,abilities\n\
                grenadier,20,14,5,10,6,1,Grenades 10\n\
                launcher,40,15,6,20,4,2,Missiles 20; Heavy Weapon\n\
                beast,120,16,10,20,8,3,Melee Attack; Cleave; Savage\n\
                sniper,30,14,7,20,6,1,Careful Shot; Sniper; Accurate Shot\n\
                protocol,30,14,0,0,6,1,Droid; Diplomat\n\
                turret,60,18,6,20,6,1,Emplacement; Droid\n\
                assassin,70,17,9,20,6,1,Poison Blade; Opportunist\n\
                flyer,40,15,6,10,8,1,Flight; Mobile Attack; Greater Mobile Attack; Double Attack\n";
    let roster = Roster::read(more).unwrap();
    let all = Roster::sample().entries().iter().chain(roster.entries());
    all.map(|entry| Arc::clone(&entry.card)).collect()
}

#[test]
fn swm_skirmishes_end_without_a_violation_and_repeat_themselves() {
    let cards = cards();
    let (mut ended, mut attacks, mut walked, mut automated) = (0, 0, 0, 0);
    for seed in 0..24 {
        let mut dice = SeededDice::new(seed);
        let board = arena::skirmish(&cards, 12, 10, 4, &mut dice).unwrap();
        let options = Options::default();
        let run = |mut dice: SeededDice| {
            play(
                board.clone(),
                options.clone(),
                12,
                &mut Scripted,
                &mut Automated::default(),
                &mut dice,
            )
        };
        let (skirmish, refused) = run(dice.clone());
        assert!(refused.is_empty(), "seed {seed}: {refused:?}");
        let wrong = audit::audit(&board, &options, skirmish.events());
        assert!(wrong.is_empty(), "seed {seed}: {wrong:#?}");
        assert!(matches!(skirmish.events().last(), Some(Event::Ended { .. })));
        let (again, _) = run(dice);
        assert_eq!(skirmish.events(), again.events(), "seed {seed}");
        for event in skirmish.events() {
            match event {
                Event::Attacked { .. } => attacks += 1,
                Event::Stepped { .. } => walked += 1,
                Event::Ended { winner: Some(side) } => {
                    ended += 1;
                    automated += usize::from(*side == Side::Automated);
                }
                _ => {}
            }
        }
    }
    assert!(
        ended > 10 && attacks > 300 && walked > 600,
        "{ended} {attacks} {walked} {automated}"
    );
}
