//! PE-8.5: critical cards on the shuttle.

use tallyho::xwing::escort::critical::{CardEffect, Moment, TurnsDown, on_shuttle, turns_down};

#[test]
fn pe_8_5_each_card_does_and_turns_as_the_table_says() {
    use CardEffect::{Card, None};
    use TurnsDown::{AfterNextActivation as After, AtOnce, Never, WhenItActivates};
    for (card, effect, turns) in [
        ("direct-hit", Card, Never),
        ("stunned-pilot", Card, Never),
        ("structural-damage", Card, After),
        // PE-10.3
        ("console-fire", None, After),
        ("loose-stabilizer", Card, After),
        ("major-hull-breach", Card, After),
        ("shaken-pilot", Card, WhenItActivates),
        ("minor-explosion", Card, AtOnce),
        ("major-explosion", Card, AtOnce),
        ("thrust-control-fire", Card, AtOnce),
        ("munitions-failure", None, AtOnce),
        ("blinded-pilot", None, After),
        ("damaged-cockpit", None, After),
        ("damaged-engine", None, After),
        ("damaged-sensor-array", None, After),
        ("injured-pilot", None, After),
        ("minor-hull-breach", None, After),
        ("weapon-malfunction", None, After),
        ("weapons-failure", None, After),
        // Unknown is a value: it does what it says and stays.
        ("a-card-of-tomorrow", Card, Never),
    ] {
        assert_eq!(on_shuttle(card), (effect, turns), "{card}");
    }
}

/// The activation in which a card was dealt does not count.
#[test]
fn pe_8_5_a_card_turns_down_after_the_next_activation() {
    for moment in [Moment::Dealt, Moment::Activates, Moment::Activated] {
        assert!(!turns_down("direct-hit", moment, true));
    }
    // C7: dealt in the Combat phase of round 3, down after the activation of round 4.
    assert!(!turns_down("structural-damage", Moment::Dealt, false));
    assert!(!turns_down("structural-damage", Moment::Activates, true));
    assert!(turns_down("structural-damage", Moment::Activated, true));
    // Dealt by an asteroid in the activation itself: that one does not count.
    assert!(!turns_down("structural-damage", Moment::Activated, false));
    assert!(turns_down("shaken-pilot", Moment::Activates, true));
    assert!(!turns_down("shaken-pilot", Moment::Activated, false));
    assert!(turns_down("minor-explosion", Moment::Dealt, false));
}
