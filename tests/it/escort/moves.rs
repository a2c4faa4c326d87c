//! PE-1, PE-4.3, PE-5, PE-7: the shuttle's moves; PE-A2: which one it takes.

use tallyho::{
    dice::SeededDice,
    geometry::{Pose, angle},
    solo_alpha::escort::race::{self, LONGEST, Racing, rounds_to_exit},
    xwing::{
        escort::{
            blocking::{self, BlockState},
            ending::{Leaving, leaving},
        },
        maneuver::Maneuver,
        movement::consequences::tokens_after,
        scenario::Edge,
        size::Size,
        table::PlayArea,
    },
};

use super::cases::{Case, file, pair, read};

fn state(case: &Case<'_>) -> BlockState {
    match case.given("state") {
        Some(["primed"]) => BlockState::Primed,
        _ => BlockState::Free,
    }
}

fn ids(ids: &[tallyho::xwing::ObjectId]) -> String {
    ids.join(",")
}

/// What is expected after a move, without the pose, in the words of the file.
fn told(run: &blocking::Run, leaves: Leaving, stress: Option<u32>) -> String {
    let mut words = vec![run.after.name().to_owned()];
    if !run.blocked_by.is_empty() {
        words.push(format!("blocked {}", ids(&run.blocked_by)));
    }
    words.extend(run.cleared.map(|speed| format!("cleared {speed}")));
    if !run.execution.suffered.is_empty() {
        words.push(format!("met {}", ids(&run.execution.suffered)));
    }
    match leaves {
        Leaving::Inside => {}
        Leaving::Exits => words.push("exits".to_owned()),
        Leaving::Flees(edge) => words.push(format!("flees {}", edge.word())),
    }
    words.extend(stress.map(|stress| format!("stress {stress}")));
    words.join(" ")
}

#[test]
fn pe_5_the_shuttle_moves_as_the_cases_say() {
    let text = file("moves.txt");
    for case in read(&text) {
        let mut table = case.table();
        let options = case.options();
        let mut state = state(&case);
        let codes = case.given("fly").expect("`fly`");
        assert_eq!(codes.len(), case.expected.len(), "{}", case.title);
        for (code, expected) in codes.iter().zip(&case.expected) {
            let maneuver: Maneuver = code.parse().expect("a dial code");
            let shuttle = table.ship("shuttle").expect("a shuttle").clone();
            let choosing = race::choosing(&shuttle);
            let run = blocking::fly(&table, &shuttle, maneuver, choosing, state, &options, false);
            let pose = run.execution.pose;
            let leaves = leaving(table.area, shuttle.size, pose, Edge::North);
            let words: Vec<&str> = if expected[0] == "partial" {
                assert!(!run.execution.full, "{}", case.title);
                expected[1..].to_vec()
            } else {
                let (x, y) = pair(expected[0]);
                let heading: f64 = expected[1].trim_start_matches('@').parse().expect("a heading");
                let near = (pose.position.x - x).abs() < 1e-3
                    && (pose.position.y - y).abs() < 1e-3
                    && angle::signed(pose.heading - heading).abs() < 1e-6;
                assert!(near, "{} after {code}: {pose:?}", case.title);
                expected[2..].to_vec()
            };
            let asked = words.contains(&"stress");
            let stress = asked.then(|| tokens_after(&table, &shuttle, &run.execution).stress);
            assert_eq!(
                told(&run, leaves, stress),
                words.join(" "),
                "{} after {code}",
                case.title
            );
            state = run.after;
            let index = table.index("shuttle").expect("a shuttle");
            table.ships[index].pose = pose;
        }
    }
}

/// PE-5.8: so that it cannot attack the shuttle (FE-8.2).
#[test]
fn pe_5_8_who_blocked_the_shuttle_touches_it() {
    let text = file("moves.txt");
    for case in read(&text) {
        if !case.title.starts_with("B1 ") {
            continue;
        }
        let table = case.table();
        let shuttle = table.ship("shuttle").expect("a shuttle");
        let straight = "2FB".parse().expect("a dial code");
        let run = blocking::fly(
            &table,
            shuttle,
            straight,
            race::choosing(shuttle),
            BlockState::Free,
            &case.options(),
            false,
        );
        assert_eq!(run.execution.bumped, run.blocked_by);
        return;
    }
    panic!("the case B1 is missing");
}

#[test]
fn pe_a2_the_shuttle_chooses_as_the_cases_say() {
    let text = file("race.txt");
    for case in read(&text) {
        let table = case.table();
        let options = case.options();
        let racing = Racing {
            table: &table,
            shuttle: table.ship("shuttle").expect("a shuttle"),
            state: state(&case),
            edge: Edge::North,
            options: &options,
            guides: false,
        };
        let mut taken = std::collections::BTreeSet::new();
        for seed in 0..16 {
            let decision = race::decide(&racing, &mut SeededDice::new(seed)).expect("the shuttle has a dial");
            taken.insert(decision.maneuver.to_string());
            for expected in &case.expected {
                match expected[0] {
                    "fly" => {}
                    code => {
                        let candidate = decision
                            .candidates
                            .iter()
                            .find(|other| other.maneuver.to_string() == code);
                        let candidate = candidate.unwrap_or_else(|| panic!("{}: no {code}", case.title));
                        let told = match candidate.leaving {
                            Leaving::Exits => "exits".to_owned(),
                            Leaving::Flees(edge) => format!("flees {}", edge.word()),
                            Leaving::Inside => race::to_exit(candidate.rounds),
                        };
                        let words = race::comes_to(candidate);
                        assert!(
                            candidate.leaving != Leaving::Inside || words.contains(&format!(", {told}")),
                            "{}: {words}",
                            case.title
                        );
                        assert_eq!(told, expected[1..].join(" "), "{} by {code}", case.title);
                    }
                }
            }
            let reason = &decision.reasons[0];
            assert_eq!(reason.rule, "PE-A2");
            assert_eq!(
                reason.compared.len(),
                decision.candidates.len(),
                "{}: every candidate is in the log",
                case.title
            );
        }
        let fly = case.expected.iter().find(|words| words[0] == "fly").expect("`=> fly`");
        let fly: Vec<&str> = fly[1..].to_vec();
        assert_eq!(
            taken.iter().map(String::as_str).collect::<Vec<_>>(),
            fly,
            "{}",
            case.title
        );
    }
}

/// R by trying every sequence, which is what the rule says, as far as that is quick.
fn by_trying_all(area: PlayArea, from: Pose, edge: Edge, most: u32) -> Option<u32> {
    use tallyho::xwing::{
        escort::shuttle::MANEUVERS,
        movement::{Alignment, full_end},
    };
    if most == 0 {
        return None;
    }
    let after = MANEUVERS.map(|maneuver| full_end(Size::Large, from, maneuver, Alignment::Middle));
    let ends = after.map(|end| (end, leaving(area, Size::Large, end, edge)));
    if ends.iter().any(|(_, leaves)| *leaves == Leaving::Exits) {
        return Some(1);
    }
    let inside = ends.iter().filter(|(_, leaves)| *leaves == Leaving::Inside);
    inside
        .filter_map(|(end, _)| by_trying_all(area, *end, edge, most - 1))
        .min()
        .map(|rounds| rounds + 1)
}

#[test]
fn pe_a2_r_is_the_least_of_all_sequences() {
    let area = PlayArea::STANDARD;
    for (x, y, heading) in [
        (457.2, 60.0, 0.0),
        (300.0, 500.0, 90.0),
        (600.0, 420.0, 135.0),
        (800.0, 700.0, 270.0),
        (457.2, 700.0, 20.0),
    ] {
        let pose = Pose::new(x, y, heading);
        let quick = rounds_to_exit(area, Size::Large, pose, Edge::North);
        match by_trying_all(area, pose, Edge::North, 7) {
            Some(rounds) => assert_eq!(quick, rounds, "{pose:?}"),
            None => assert!(quick > 7, "{pose:?}"),
        }
    }
    // A corner from which nothing leads out in time.
    let stuck = Pose::new(45.0, 45.0, 225.0);
    assert_eq!(rounds_to_exit(area, Size::Large, stuck, Edge::North), LONGEST + 1);
}
