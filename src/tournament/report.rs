//! A tournament as plain text: standings to print, matches with their reasons.

use std::fmt::Write as _;

use textwrap::core::display_width;

use super::{Entrant, Game, Match, Outcome, Record, Tournament, record, standings};
use crate::visible::visible;

/// A player's name, with the id where it is another.
pub fn named(tournament: &Tournament, entrant: Entrant) -> String {
    let player = tournament.player(entrant);
    match player.name.to_lowercase() == player.id {
        true => visible(&player.name),
        false => visible(&format!("{} ({})", player.name, player.id)),
    }
}

/// A number of players in words.
pub fn players(number: usize) -> String {
    match number {
        0 => "no player".to_owned(),
        1 => "1 player".to_owned(),
        _ => format!("{number} players"),
    }
}

/// How far the tournament is, as in `after match 2 of 4, 3 games to be entered`.
pub fn progress(tournament: &Tournament) -> String {
    let paired = tournament.matches.len();
    let planned = tournament
        .planned
        .map(|planned| format!(" of {planned}"))
        .unwrap_or_default();
    let missing: usize = tournament.matches.iter().map(|played| played.missing().len()).sum();
    match (paired, missing) {
        (0, _) if tournament.players.is_empty() => {
            "before the first match, without players: `tallyho tournament add` takes them".to_owned()
        }
        (0, _) => "before the first match".to_owned(),
        (_, 0) => format!("after match {paired}{planned}"),
        (_, 1) => format!("in match {paired}{planned}, 1 game to be entered"),
        _ => format!("in match {paired}{planned}, {missing} games to be entered"),
    }
}

/// The cells of a row of the standings, as text and page show them.
pub(super) fn cells(tournament: &Tournament, standing: &standings::Standing) -> [String; 7] {
    let Record {
        victory_points,
        margin,
        defences_won,
        games,
        won,
        byes,
        ..
    } = standing.record;
    [
        format!("{}{}", standing.place, if standing.is_shared { "=" } else { "" }),
        named(tournament, standing.entrant),
        victory_points.to_string(),
        margin.to_string(),
        defences_won.to_string(),
        format!("{won} of {games}"),
        byes.to_string(),
    ]
}

/// What heads the columns of the standings.
pub(super) const COLUMNS: [&str; 7] = ["place", "player", "VP", "MOV", "won as defender", "games won", "byes"];

/// The standings (PE-9.7).
pub fn standings_text(tournament: &Tournament) -> String {
    let rows: Vec<[String; 7]> = (standings::standings(tournament).iter())
        .map(|standing| cells(tournament, standing))
        .collect();
    let heads = COLUMNS.map(str::to_owned);
    let width = |column: usize| {
        let all = rows.iter().chain([&heads]);
        all.map(|row| display_width(&row[column])).max().unwrap_or_default()
    };
    let widths: [usize; 7] = std::array::from_fn(width);
    let mut text = format!("{}, {}\n\n", visible(&tournament.name), progress(tournament));
    for row in [&heads].into_iter().chain(&rows) {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let room = " ".repeat(widths[column] - display_width(cell));
            // Names stand to the left, figures to the right.
            line += &match column {
                1 => format!("  {cell}{room}"),
                _ => format!("  {room}{cell}"),
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    if let Some(winner) = standings::winner(tournament).filter(|_| is_over(tournament)) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "\nWinner: {} ({})",
            named(tournament, winner.entrant),
            visible(&winner.why)
        );
    }
    text
}

/// Whether all matches that were planned are paired and all their games entered.
pub fn is_over(tournament: &Tournament) -> bool {
    let paired = tournament.matches.len() as u32;
    tournament.planned.is_none_or(|planned| paired >= planned)
        && paired > 0
        && tournament.matches.iter().all(|played| played.missing().is_empty())
}

/// A game in a sentence.
pub fn game_text(tournament: &Tournament, game: &Game) -> String {
    let (defender, attacker) = game.margins(&tournament.options);
    let ended = game
        .ended
        .map(|ended| format!(" by {} ({})", ended.word(), ended.rule()));
    let outcome = match game.outcome {
        Outcome::Draw => "nobody wins".to_owned(),
        _ => format!(
            "{} wins",
            game.winner().map_or("nobody", |winner| tournament.id(winner))
        ),
    };
    visible(&format!(
        "{} defends, {} to {}: {outcome}{}; MOV {defender} and {attacker}",
        tournament.id(game.defender),
        game.defender_score,
        game.attacker_score,
        ended.unwrap_or_default()
    ))
}

/// A match: who plays whom and why, and what was entered.
pub fn match_text(tournament: &Tournament, played: &Match) -> String {
    let records = record::after(tournament, played.number as usize - 1);
    let with = |entrant: Entrant| {
        let record = &records[entrant.0];
        format!(
            "{} [{} VP, MOV {}]",
            named(tournament, entrant),
            record.victory_points,
            record.margin
        )
    };
    let mut text = format!("Match {}\n", played.number);
    // Writing to a string cannot fail.
    if !played.why.is_empty() {
        let _ = writeln!(text, "  {}", visible(&played.why));
    }
    for (table, pairing) in played.pairings.iter().enumerate() {
        let [one, other] = pairing.players;
        let _ = writeln!(text, "  table {}: {} - {}", table + 1, with(one), with(other));
        if !pairing.why.is_empty() {
            let _ = writeln!(text, "    {}", visible(&pairing.why));
        }
        for (defender, attacker) in pairing.games() {
            let line = match played.game(defender, attacker) {
                Some(game) => game_text(tournament, game),
                None => visible(&format!("{} defends: to be entered", tournament.id(defender))),
            };
            let _ = writeln!(text, "    {line}");
        }
    }
    if let Some(bye) = played.bye {
        let _ = writeln!(
            text,
            "  bye: {}, {} VP and MOV {}",
            with(bye),
            record::BYE_VICTORY_POINTS,
            record::BYE_MARGIN
        );
        if !played.why_bye.is_empty() {
            let _ = writeln!(text, "    {}", visible(&played.why_bye));
        }
    }
    text
}
