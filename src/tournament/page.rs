//! A tournament as one HTML page without scripts and outside resources: it prints as it is shown.

use std::fmt::Write as _;

use super::{
    Entrant, Match, Tournament, record,
    report::{COLUMNS, cells, game_text, is_over, named, progress},
    standings,
};
use crate::visible::{escaped, visible};

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, 'Segoe UI', sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } small { color: GrayText; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; } th, td { padding: 0.2rem 0.8rem; text-align: right; }
th { border-bottom: 1px solid; } th:nth-child(2), td:nth-child(2) { text-align: left; }
td { border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
li { break-inside: avoid; margin-bottom: 0.5rem; } section { break-inside: auto; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } section.match { break-before: page; } }
";

/// The page.
pub fn page(tournament: &Tournament) -> String {
    let name = escaped(&visible(&tournament.name));
    let mut body = format!(
        "<h1>{name}</h1>\n<p>{}</p>\n<section>\n<h2>Standings</h2>\n<table>\n<thead><tr>",
        progress(tournament)
    );
    for head in COLUMNS {
        body += &format!("<th scope=\"col\">{head}</th>");
    }
    body += "</tr></thead>\n<tbody>\n";
    for standing in standings::standings(tournament) {
        let cells = cells(tournament, &standing).map(|cell| format!("<td>{}</td>", escaped(&cell)));
        body += &format!("<tr>{}</tr>\n", cells.concat());
    }
    body += "</tbody>\n</table>\n";
    if let Some(winner) = standings::winner(tournament).filter(|_| is_over(tournament)) {
        let (who, why) = (named(tournament, winner.entrant), visible(&winner.why));
        // Writing to a string cannot fail.
        let _ = writeln!(
            body,
            "<p>Winner: <b>{}</b><br><small>{}</small></p>",
            escaped(&who),
            escaped(&why)
        );
    }
    body += "</section>\n";
    for played in tournament.matches.iter().rev() {
        body += &section(tournament, played);
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         {body}</body>\n</html>\n"
    )
}

fn section(tournament: &Tournament, played: &Match) -> String {
    let records = record::after(tournament, played.number as usize - 1);
    let with = |entrant: Entrant| {
        let points = records[entrant.0].victory_points;
        format!("<b>{}</b> ({points} VP)", escaped(&named(tournament, entrant)))
    };
    let small = |why: &str| format!("<br><small>{}</small>", escaped(&visible(why)));
    let mut text = format!("<section class=\"match\">\n<h2>Match {}</h2>\n", played.number);
    if !played.why.is_empty() {
        text += &format!("<p><small>{}</small></p>\n", escaped(&visible(&played.why)));
    }
    text += "<ol>\n";
    for pairing in &played.pairings {
        let [one, other] = pairing.players;
        text += &format!("<li>{} against {}", with(one), with(other));
        for (defender, attacker) in pairing.games() {
            let line = match played.game(defender, attacker) {
                Some(game) => game_text(tournament, game),
                None => format!(
                    "{} defends: ______ to ______, winner ____________",
                    tournament.id(defender)
                ),
            };
            text += &format!("<br>{}", escaped(&visible(&line)));
        }
        text += &format!("{}</li>\n", small(&pairing.why));
    }
    text += "</ol>\n";
    if let Some(bye) = played.bye {
        text += &format!("<p>Bye: {}{}</p>\n", with(bye), small(&played.why_bye));
    }
    text + "</section>\n"
}
