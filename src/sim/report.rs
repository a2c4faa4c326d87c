//! The report of many games: one HTML file with tables and plots that needs nothing else to be read.

use std::fmt::Write as _;

use super::{
    Plan, PlayerPolicy, compare,
    field::Field,
    figures::{GameFigures, Summary},
};
use crate::{solo_alpha::options::FirstPlayer, visible::escaped};

mod charts;

pub use charts::ChartError;

/// Games of one kind.
#[derive(Debug, Clone)]
pub struct Arm<'a> {
    /// What tells it from the others; empty if it is the only one.
    pub name: &'a str,
    /// What was played.
    pub plan: &'a Plan,
    /// What came of it.
    pub games: &'a [GameFigures],
    /// The sums.
    pub summary: Summary,
}

/// One meeting of a plan and who won there.
#[derive(Debug, Clone, Copy)]
pub struct MeetingWins<'a> {
    /// The meeting.
    pub field: &'a Field,
    /// Games played.
    pub games: usize,
    /// Games won by the player and by the solo side.
    pub wins: [usize; 2],
}

impl Arm<'_> {
    /// Who won at each meeting of the plan.
    pub fn meetings(&self) -> Vec<MeetingWins<'_>> {
        let mut meetings: Vec<MeetingWins<'_>> = (self.plan.fields.iter())
            .map(|field| MeetingWins {
                field,
                games: 0,
                wins: [0, 0],
            })
            .collect();
        for game in self.games {
            let meeting = &mut meetings[game.field];
            meeting.games += 1;
            if let Some(side) = game.winner {
                meeting.wins[side] += 1;
            }
        }
        meetings
    }
}

/// The whole report.
///
/// # Errors
/// A plot that cannot be drawn.
pub fn html(title: &str, arms: &[Arm<'_>]) -> Result<String, ChartError> {
    let mut body = format!("<h1>Tallyho: {}</h1>\n", escaped(title));
    for arm in arms {
        body += &described(arm);
    }
    body += "<section><h2>Who won</h2>\n";
    body += &figure(&charts::outcomes(arms)?, "Games won by each side, and by nobody.");
    if arms.iter().any(|arm| arm.plan.fields.len() > 1) {
        for arm in arms {
            if let Some(grid) = charts::win_grid(arm)? {
                let name = if arm.name.is_empty() { "all games" } else { arm.name };
                body += &figure(
                    &grid,
                    &format!("Games that the player won at each meeting, percent: {name}."),
                );
            }
        }
    }
    body += "</section>\n<section><h2>How long, and at what price</h2>\n<div class=\"grid\">\n";
    body += &figure(&charts::lengths(arms)?, "Games by their length in rounds.");
    if let Some(ratios) = charts::ratios(arms)? {
        let words = "Share of the games that ended with at most such a points ratio: enemy points destroyed to own points that came into play.";
        body += &figure(&ratios, words);
    }
    body += "</div></section>\n<section><h2>Round by round</h2>\n<p>Means over the games that came to the round, with 95 % \
             intervals where there is one kind of game. Rounds that fewer than one game in twenty came to are left out.</p>\n";
    if let [first, second, others @ ..] = arms {
        let third = others.first().map(|arm| format!("; dotted: {}", escaped(arm.name)));
        let (first, second, third) = (escaped(first.name), escaped(second.name), third.unwrap_or_default());
        body += &format!("<p>Solid lines: {first}; dashed: {second}{third}.</p>\n");
    }
    body += "<div class=\"grid\">\n";
    for (name, words) in charts::BY_ROUND {
        body += &figure(&charts::by_round(arms, name)?, words);
    }
    body += "</div></section>\n<section><h2>Figures</h2>\n";
    body += &match arms {
        [arm] => totals(arm),
        arms => comparison(arms),
    };
    body += "</section>\n";
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>Tallyho: {}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{body}</body>\n</html>\n",
        escaped(title)
    ))
}

const STYLE: &str = "\
body { font: 16px/1.5 system-ui, 'Segoe UI', sans-serif; color: #1c2430; background: #fff; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid #d5dbe3; }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; }
figure { margin: 0.5rem 0; } figure svg { max-width: 100%; height: auto; } figcaption { font-size: 0.85rem; color: #4a5667; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; } th, td { padding: 0.15rem 0.8rem; text-align: right; }
th:first-child, td:first-child { text-align: left; } thead th { border-bottom: 1px solid #8a95a5; } tbody tr:nth-child(even) { background: #f4f6f9; }
.distinct { font-weight: 600; }
";

fn figure(svg: &str, words: &str) -> String {
    // Who cannot see the picture hears the words.
    let svg = svg.replacen(
        "<svg ",
        &format!("<svg role=\"img\" aria-label=\"{}\" ", escaped(words)),
        1,
    );
    format!(
        "<figure>\n{svg}\n<figcaption>{}</figcaption>\n</figure>\n",
        escaped(words)
    )
}

/// What was played, in a paragraph.
fn described(arm: &Arm<'_>) -> String {
    let plan = arm.plan;
    let who = match plan.policy {
        PlayerPolicy::Scripted => "a scripted player against Solo Alpha",
        PlayerPolicy::Solo => "Solo Alpha on both sides",
    };
    let first = match (plan.alternating, plan.options.first_player) {
        (true, _) => "the first player changes each round",
        (false, FirstPlayer::Player) => "the player is first player",
        (false, FirstPlayer::Solo) => "the solo side is first player",
    };
    let reading = |any: bool| if any { "any stress makes focus" } else { "as written" };
    let stress = match (
        plan.policy,
        plan.options.any_stress_makes_focus,
        plan.player_options.any_stress_makes_focus,
    ) {
        (PlayerPolicy::Solo, north, south) if north != south => {
            format!("SA-6.2: solo side {}, player's side {}", reading(north), reading(south))
        }
        (_, north, _) => format!("SA-6.2 {}", reading(north)),
    };
    let meetings = match &plan.fields[..] {
        [one] => escaped(&one.name()),
        many => format!("{} meetings", many.len()),
    };
    let name = match arm.name {
        "" => String::new(),
        name => format!("<b>{}</b>: ", escaped(name)),
    };
    let summary = &arm.summary;
    format!(
        "<p>{name}{} game{}, {who}: {meetings}; {first}; {stress}; seed {}, at most {} rounds. {:.2} rounds on average, at most \
         {}; {} ended at the limit.</p>\n",
        summary.games,
        if summary.games == 1 { "" } else { "s" },
        plan.seed,
        plan.rounds,
        summary.mean_rounds,
        summary.longest,
        summary.unfinished
    )
}

/// The figures of both sides, a game.
fn totals(arm: &Arm<'_>) -> String {
    let mut rows = String::new();
    let totals: Vec<_> = arm.games.iter().map(GameFigures::totals).collect();
    let mean = |side: usize, place: usize| {
        let values: Vec<f64> = totals
            .iter()
            .map(|sides| f64::from(sides[side].named()[place].1))
            .collect();
        shown(compare::Mean::of(&values))
    };
    for (place, (name, _)) in super::figures::SideRound::default().named().iter().enumerate() {
        let (player, solo, name) = (mean(0, place), mean(1, place), name.replace('_', " "));
        // Writing to a string cannot fail.
        let _ = writeln!(rows, "<tr><td>{name}</td><td>{player}</td><td>{solo}</td></tr>");
    }
    let ratio = |side| {
        let values: Option<Vec<f64>> = arm.games.iter().map(|game| game.final_ratio(side)).collect();
        shown(values.and_then(|values| compare::Mean::of(&values)))
    };
    let (player, solo) = (ratio(0), ratio(1));
    let _ = writeln!(rows, "<tr><td>points ratio</td><td>{player}</td><td>{solo}</td></tr>");
    format!(
        "<p>Means of a game, with the half width of the 95 % interval.</p>\n<table>\n<thead><tr><th></th><th>player</th>\
         <th>solo</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    )
}

fn shown(mean: Option<compare::Mean>) -> String {
    match mean {
        None => "unknown".to_owned(),
        Some(mean) if mean.half_width.is_finite() => format!("{:.3} ± {:.3}", mean.mean, mean.half_width),
        Some(mean) => format!("{:.3}", mean.mean),
    }
}

/// The figures of all kinds side by side.
fn comparison(arms: &[Arm<'_>]) -> String {
    let played: Vec<Vec<GameFigures>> = arms.iter().map(|arm| arm.games.to_vec()).collect();
    let mut head = String::from("<th></th>");
    for arm in arms {
        let _ = write!(head, "<th>{}</th>", escaped(arm.name));
    }
    for arm in &arms[1..] {
        let _ = write!(head, "<th>difference: {}</th>", escaped(arm.name));
    }
    let mut rows = String::new();
    for row in compare::table(&played) {
        let _ = write!(rows, "<tr><td>{}</td>", escaped(&row.name));
        for mean in &row.means {
            let _ = write!(rows, "<td>{:.3}</td>", mean.mean);
        }
        for difference in &row.differences {
            let class = if difference.is_distinct() {
                " class=\"distinct\""
            } else {
                ""
            };
            let _ = write!(
                rows,
                "<td{class}>{:+.3} ± {:.3}</td>",
                difference.mean, difference.half_width
            );
        }
        rows += "</tr>\n";
    }
    format!(
        "<p>Means of a game. Differences from the first kind, game by game with the same seed, with the half width of the 95 % \
         interval; bold where zero is outside.</p>\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    )
}
