//! Changes to the text of a tournament's file. All else in it stays as it is: people's own comments, order, spacing.

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value, value};

use super::{Game, Match, Options, Outcome, Tournament, file::DRAW};

/// Why a text cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotEdited {
    /// It is no TOML; reading it says in which line.
    #[error("the file is no TOML: {0}")]
    NoToml(String),
    /// It is written in a form to which nothing can be added.
    #[error("`{0}` is written in one line: write each as a [[{0}]] of its own")]
    Inline(&'static str),
    /// A match, player or game that is to be changed is not there.
    #[error("there is no {0}")]
    Missing(String),
}

/// The text of a new tournament without players.
pub fn new(name: &str, seed: u64, matches: Option<u32>, options: Options) -> String {
    let matches = matches.map_or_else(
        || "# matches = 4         # as many are advised (PE-9.1)\n".to_owned(),
        |matches| format!("matches = {matches}\n"),
    );
    let Options { mov_floor, rematch } = options;
    let name = Value::from(name);
    format!(
        "# A tournament of Political Escort. Edit it as you like: comments and order stay. `tallyho tournament --help` has the\n\
         # commands, docs/tournament.md the fields.\n\
         \n\
         [tournament]\n\
         name ={name}\n\
         seed = {seed}\n\
         {matches}\
         mov_floor = {mov_floor}     # true: a winner with fewer points than the loser has MOV 100 (PE-9.4)\n\
         rematch = {rematch}       # true: players may meet again (PE-9.5)\n",
        name = format_args!(" {}", name.to_string().trim()),
    )
}

fn document(text: &str) -> Result<DocumentMut, NotEdited> {
    (text.parse()).map_err(|error: toml_edit::TomlError| NotEdited::NoToml(error.message().to_owned()))
}

/// The text of a document that was changed. Lines that were there keep their ends, as the editor wrote them that made them; new
/// ones end as most do.
fn written(before: &str, document: &DocumentMut) -> String {
    let after = document.to_string();
    if !before.contains('\r') {
        return after;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (
        before.split_inclusive('\n').collect(),
        after.split_inclusive('\n').collect(),
    );
    let bare = |line: &str| line.trim_end_matches(['\r', '\n']).to_owned();
    let same = |(old, new): &(&&str, &&str)| bare(old) == bare(new);
    let head = old.iter().zip(&new).take_while(same).count();
    let tail = (old[head..].iter().rev().zip(new[head..].iter().rev()))
        .take_while(same)
        .count();
    let returns = old.iter().filter(|line| line.ends_with("\r\n")).count();
    let end = if returns * 2 > old.len() { "\r\n" } else { "\n" };
    let mut text = String::with_capacity(before.len() + after.len());
    // The last line that stays may have had no end, and has one now.
    let mut line_of = |line: &str, ended: bool| {
        text.push_str(line);
        if ended && !line.ends_with('\n') {
            text.push_str(end);
        }
    };
    for (line, changed) in old[..head].iter().zip(&new) {
        line_of(line, changed.ends_with('\n'));
    }
    for line in &new[head..new.len() - tail] {
        match line.ends_with('\n') {
            true => line_of(&bare(line), true),
            false => line_of(line, false),
        }
    }
    for line in &old[old.len() - tail..] {
        line_of(line, false);
    }
    text
}

/// The tables of a name, made if there are none.
fn tables<'a>(document: &'a mut DocumentMut, name: &'static str) -> Result<&'a mut ArrayOfTables, NotEdited> {
    let item = document
        .entry(name)
        .or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    item.as_array_of_tables_mut().ok_or(NotEdited::Inline(name))
}

fn push(document: &mut DocumentMut, name: &'static str, mut table: Table) -> Result<(), NotEdited> {
    table.decor_mut().set_prefix("\n");
    tables(document, name)?.push(table);
    Ok(())
}

/// Adds a player.
///
/// # Errors
/// The text is no TOML, or has its players in one line.
pub fn add_player(text: &str, id: &str, name: &str, from: u32) -> Result<String, NotEdited> {
    let mut document = document(text)?;
    let mut table = Table::new();
    table["id"] = value(id);
    table["name"] = value(name);
    if from > 1 {
        table["from"] = value(i64::from(from));
    }
    push(&mut document, "player", table)?;
    Ok(written(text, &document))
}

/// The part of a tournament that a player takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// From this match on.
    From(u32),
    /// Until this match.
    Until(u32),
}

/// Notes which part a player takes.
///
/// # Errors
/// The text is no TOML, or there is no such player.
pub fn takes_part(text: &str, id: &str, part: Part) -> Result<String, NotEdited> {
    let mut document = document(text)?;
    let player = (tables(&mut document, "player")?.iter_mut())
        .find(|table| table.get("id").and_then(Item::as_str) == Some(id))
        .ok_or_else(|| NotEdited::Missing(format!("player `{id}`")))?;
    let (field, number) = match part {
        Part::From(number) => ("from", number),
        Part::Until(number) => ("until", number),
    };
    player[field] = value(i64::from(number));
    Ok(written(text, &document))
}

/// Adds a match that was paired.
///
/// # Errors
/// The text is no TOML, or has its matches in one line.
pub fn add_match(text: &str, tournament: &Tournament, paired: &Match) -> Result<String, NotEdited> {
    let mut document = document(text)?;
    let mut table = Table::new();
    table["number"] = value(i64::from(paired.number));
    table["why"] = value(&paired.why);
    if let Some(bye) = paired.bye {
        table["bye"] = value(tournament.id(bye));
        table["why_bye"] = value(&paired.why_bye);
    }
    let mut pairings = Array::new();
    for pairing in &paired.pairings {
        let mut line = InlineTable::new();
        line.insert(
            "players",
            pairing
                .players
                .map(|entrant| tournament.id(entrant))
                .into_iter()
                .collect::<Array>()
                .into(),
        );
        line.insert("why", pairing.why.as_str().into());
        append(&mut pairings, line);
    }
    table["pairings"] = value(pairings);
    let mut games = Array::new();
    for game in &paired.games {
        append(&mut games, line_of(tournament, game));
    }
    table["games"] = value(games);
    push(&mut document, "match", table)?;
    Ok(written(text, &document))
}

/// Takes the last match away.
///
/// # Errors
/// The text is no TOML, or there is no match.
pub fn remove_last_match(text: &str) -> Result<String, NotEdited> {
    let mut document = document(text)?;
    let matches = tables(&mut document, "match")?;
    let last = matches
        .len()
        .checked_sub(1)
        .ok_or_else(|| NotEdited::Missing("match".to_owned()))?;
    matches.remove(last);
    Ok(written(text, &document))
}

/// Enters a game of a match; one of the same players in the same roles is replaced.
///
/// # Errors
/// The text is no TOML, or there is no such match.
pub fn enter_game(text: &str, tournament: &Tournament, number: u32, game: &Game) -> Result<String, NotEdited> {
    let mut document = document(text)?;
    let missing = || NotEdited::Missing(format!("match {number}"));
    let place = (number as usize).checked_sub(1).ok_or_else(missing)?;
    let table = tables(&mut document, "match")?.get_mut(place).ok_or_else(missing)?;
    let games = table.entry("games").or_insert(value(Array::new()));
    let games = games.as_array_mut().ok_or(NotEdited::Inline("games"))?;
    let line = line_of(tournament, game);
    let is_same = |there: &Value| {
        let who = |field: &str| tournament.entrant(there.as_inline_table()?.get(field)?.as_str()?);
        (who("defender"), who("attacker")) == (Some(game.defender), Some(game.attacker))
    };
    let there = games.iter().position(is_same);
    match there {
        Some(there) => {
            games.replace(there, line);
        }
        None => append(games, line),
    }
    Ok(written(text, &document))
}

/// A game in one line.
fn line_of(tournament: &Tournament, game: &Game) -> InlineTable {
    let mut line = InlineTable::new();
    line.insert("defender", tournament.id(game.defender).into());
    line.insert("attacker", tournament.id(game.attacker).into());
    let score = [game.defender_score, game.attacker_score].map(i64::from);
    line.insert("score", score.into_iter().collect::<Array>().into());
    if let Some(ended) = game.ended {
        line.insert("ended", ended.word().into());
    }
    let winner = match game.outcome {
        Outcome::Draw => DRAW,
        Outcome::Defender => tournament.id(game.defender),
        Outcome::Attacker => tournament.id(game.attacker),
    };
    line.insert("winner", winner.into());
    line
}

/// Adds an element on a line of its own; what people wrote behind the last one stays behind it.
fn append(array: &mut Array, line: InlineTable) {
    let mut behind = array.trailing().as_str().unwrap_or_default().to_owned();
    if !array.trailing_comma()
        && let Some(last) = array.len().checked_sub(1).and_then(|last| array.get_mut(last))
    {
        let suffix = last
            .decor()
            .suffix()
            .and_then(|suffix| suffix.as_str())
            .unwrap_or_default();
        behind = format!("{suffix}{behind}");
        last.decor_mut().set_suffix("");
    }
    let mut element = Value::from(line);
    element.decor_mut().set_prefix(format!("{}\n  ", behind.trim_end()));
    array.push_formatted(element);
    array.set_trailing_comma(true);
    array.set_trailing("\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "# by hand\r\n[tournament]\r\nname = \"Cup\"   # ours\r\nseed = 1\r\n\r\n[[player]]\r\nid = \"ann\"\r\n";

    /// Every line that was there is there as it was, byte by byte; new ones end as most.
    #[test]
    fn lines_keep_their_ends() {
        let mixed = TEXT.replacen("\r\n", "\n", 1);
        let no_end = TEXT.trim_end();
        for (text, end) in [
            (TEXT, "\r\n"),
            (&mixed, "\r\n"),
            (no_end, "\r\n"),
            (&TEXT.replace("\r\n", "\n"), "\n"),
        ] {
            let longer = add_player(text, "bob", "Bob", 2).unwrap();
            let gap = if text.ends_with('\n') { "" } else { end };
            let added =
                ["", "[[player]]", "id = \"bob\"", "name = \"Bob\"", "from = 2"].map(|line| format!("{line}{end}"));
            assert_eq!(longer, format!("{text}{gap}{}", added.concat()));
            let left = takes_part(&longer, "ann", Part::Until(1)).unwrap();
            let ann = format!("id = \"ann\"{end}");
            assert_eq!(left, longer.replace(&ann, &format!("{ann}until = 1{end}")));
        }
    }
}
