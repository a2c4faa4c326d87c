//! Star Wars Miniatures: cases as data, and laws of the grid.

use std::collections::BTreeSet;

use tallyho::{
    bridge::grid::{self, Answer, GridPosition},
    dice::SeededDice,
    swm::{
        movement::{Manner, Ways},
        opponent::activation,
        square::Square,
        targets,
    },
};

mod brute;
mod conduct;
mod course;
mod force;
mod laws;
mod play;
mod skirmishes;
mod stream;
mod table;

/// Worked decisions, and a case or more for every sentence of the rules.
const CASES: [&str; 2] = [
    include_str!("../cases/swm/decisions.txt"),
    include_str!("../cases/swm/rules.txt"),
];

/// Each case's name and text.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    CASES.into_iter().flat_map(|cases| cases.split("\n## ")).map(|section| {
        let section = section.trim_start_matches("## ");
        let (head, body) = section.split_once('\n').unwrap_or((section, ""));
        (head.split_whitespace().next().unwrap_or(head), body)
    })
}

fn read(name: &str, body: &str) -> GridPosition {
    let position: String = body
        .lines()
        .filter(|line| !line.starts_with("=>"))
        .map(|line| format!("{line}\n"))
        .collect();
    grid::parse_text(&position).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn yes(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

/// What a case says of an expectation's subject.
fn found(position: &GridPosition, words: &[&str]) -> String {
    let (board, options) = (&position.board, &position.options);
    let figure = |id: &str| board.figure(id).unwrap_or_else(|| panic!("no figure {id}"));
    match words {
        ["range", a, b] => board
            .ranges(figure(a).space())
            .to_space(figure(b).space())
            .map_or("none".into(), |r| r.to_string()),
        ["adjacent", a, b] => yes(board.are_adjacent(figure(a).space(), figure(b).space())),
        ["sees", a, b] => yes(board.sees(figure(a).space(), figure(b).space())),
        ["cover", a, b] => yes(!board.cover(figure(a), figure(a).space(), figure(b), options).is_empty()),
        ["legal", a] => {
            let seen = targets::sighted(board, figure(a), figure(a).space(), options);
            let legal: Vec<&str> = seen
                .iter()
                .filter(|enemy| enemy.legal)
                .map(|enemy| &*enemy.figure.id)
                .collect();
            legal.join(" ")
        }
        ["cost", a, at] => {
            let at: Square = at.parse().unwrap();
            let ways = Ways::from(board, figure(a), figure(a).at, Manner::of(figure(a)), u16::MAX);
            ways.cost(at).map_or("none".into(), |cost| cost.to_string())
        }
        ["order"] => {
            let (order, _) = activation::order(board, options, &mut SeededDice::new(1));
            order
                .iter()
                .map(|waiting| waiting.figure.clone())
                .collect::<Vec<_>>()
                .join(" ")
        }
        [id, key] => {
            let (order, _) = activation::order(board, options, &mut SeededDice::new(1));
            let answer = serde_json::to_value(Answer::new("", &order, &position.sightings, Vec::new())).unwrap();
            match &answer["decisions"][id][key] {
                serde_json::Value::Null => "none".to_owned(),
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Array(list) => list
                    .iter()
                    .filter_map(|value| value.as_str())
                    .collect::<Vec<_>>()
                    .join(" "),
                other => other.to_string(),
            }
        }
        other => panic!("{other:?} says nothing that can be checked"),
    }
}

#[test]
fn swm_cases_come_out_as_written() {
    let mut wrong = Vec::new();
    let mut names = BTreeSet::new();
    for (name, body) in sections() {
        assert!(names.insert(name), "case {name} is there twice");
        let position = read(name, body);
        let expectations: Vec<&str> = body.lines().filter_map(|line| line.strip_prefix("=> ")).collect();
        assert!(!expectations.is_empty(), "{name} expects nothing");
        for expectation in expectations {
            let words: Vec<&str> = expectation.split_whitespace().collect();
            let subject = match words[0] {
                "order" => 1,
                "range" | "adjacent" | "sees" | "cover" | "cost" => 3,
                _ => 2,
            };
            let expected = words[subject..].join(" ");
            let found = found(&position, &words[..subject]);
            if found != expected {
                wrong.push(format!("{name}: {expectation}, but found {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
