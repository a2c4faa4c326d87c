//! SA-12's three tests of moves, in the cases of `tests/cases/cards/moves.txt`.

use std::collections::BTreeSet;

use tallyho::{
    bridge::text,
    dice::SeededDice,
    solo_alpha::{
        Options,
        cards::moves::{MoveChoice, choose_move},
        options::CardMoves,
        sentence::NamedDetail,
    },
    xwing::{action::ActionKind, catalog::Catalog},
};

const CASES: &str = include_str!("../../cases/cards/moves.txt");
/// Enough that a choice between three comes up for sure.
const SEEDS: u64 = 40;

fn kind(word: &str) -> ActionKind {
    match word {
        "barrelroll" => ActionKind::BarrelRoll,
        "boost" => ActionKind::Boost,
        "rotatearc" => ActionKind::RotateArc,
        other => panic!("no such move: {other}"),
    }
}

fn name(choice: &MoveChoice) -> String {
    let chosen = choice.chosen.as_ref();
    chosen.map_or("none".to_owned(), |c| NamedDetail(c.kind, &c.detail).to_string())
}

#[test]
fn sa_12_moves_are_chosen_as_the_cases_say() {
    let mut failures = Vec::new();
    let mut checked = 0;
    for section in CASES.split("\n## ").skip(1) {
        let (id, body) = section.split_once(' ').expect("an id");
        let body = body.split_once('\n').expect("a title").1;
        let fixture: String = (body.lines())
            .filter(|line| !line.starts_with("=>") && !line.starts_with("offer"))
            .flat_map(|line| [line, "\n"])
            .collect();
        let position = text::parse(&fixture, Catalog::embedded()).unwrap_or_else(|error| panic!("{id}: {error}"));
        let offers = body
            .lines()
            .find_map(|line| line.strip_prefix("offer "))
            .expect("an offer");
        let kinds: Vec<ActionKind> = offers.split(' ').map(kind).collect();
        let table = &position.table;
        let choices = |card_moves| -> Vec<MoveChoice> {
            let options = Options {
                card_moves,
                ..Options::default()
            };
            let ship = table.ship("A").expect("A");
            let choose = |seed| choose_move(table, ship, &kinds, None, "card", &options, &mut SeededDice::new(seed));
            (0..SEEDS).map(choose).collect()
        };
        let usual = choices(CardMoves::AnyTest);
        for line in body.lines().filter_map(|line| line.strip_prefix("=> ")) {
            checked += 1;
            let (key, expected) = line.split_once(' ').expect("a key and a value");
            let all: BTreeSet<String> = match key {
                "move" => usual.iter().map(name).collect(),
                "net" => choices(CardMoves::Net).iter().map(name).collect(),
                "end" => (usual.iter())
                    .filter_map(|choice| choice.chosen.as_ref())
                    .map(|c| {
                        format!(
                            "{:.2},{:.2} @{:.1}",
                            c.pose.position.x, c.pose.position.y, c.pose.heading
                        )
                    })
                    .collect(),
                "reason" => {
                    let holds = |choice: &&MoveChoice| !choice.reason.text.contains(expected);
                    if let Some(other) = usual.iter().find(holds) {
                        failures.push(format!("{id}: {}", other.reason.text));
                    }
                    continue;
                }
                other => panic!("{id}: no such key: {other}"),
            };
            let wanted: BTreeSet<String> = expected.split(" | ").map(str::to_owned).collect();
            if all != wanted {
                failures.push(format!(
                    "{id} {key}: {all:?}, expected {wanted:?}; {:#?}",
                    usual[0].reason
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(checked > 15, "only {checked} expectations");
}
