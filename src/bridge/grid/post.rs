//! Positions as they stand in a forum post or a page of rules: a drawn map between fences (three backticks), and prose with the
//! figures' numbers.
//!
//! ````text
//! ### M1 base with six
//! ```
//!   A  B  C
//! 1 .a .. .P
//! ```
//! a Wookiee 50/18/+9/20 Melee Attack, Double Attack. P 40/16/+6/10, activated. Facts: ...
//! ````
//!
//! What follows `Facts` or `Expect` is about the answer and is not read. Words that mean nothing here are passed over.

use super::{Wire, WireFigure};
use crate::swm::{ability::Abilities, figure::Kind};

const FENCE: &str = "```";

/// Whether a text is such a post.
pub(super) fn is_post(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with(FENCE))
}

/// The position of a post, as far as it can be told.
pub(super) fn read(text: &str) -> Wire {
    let mut wire = Wire::default();
    let mut prose = String::new();
    let (mut fenced, mut drawn) = (false, false);
    for line in text.lines() {
        let bare = line.trim();
        if bare.starts_with(FENCE) {
            // The first drawing is the map.
            drawn |= fenced;
            fenced = !fenced;
        } else if fenced && !drawn {
            wire.map.push(line.to_owned());
        } else if let Some(title) = bare.strip_prefix('#') {
            let title = title.trim_start_matches('#').split_whitespace().next();
            if wire.id.is_empty() {
                wire.id = title.unwrap_or_default().to_owned();
            }
        } else if !fenced {
            prose.push_str(bare);
            prose.push('\n');
        }
    }
    let told = ["Facts", "**Expect", "Expect"]
        .iter()
        .filter_map(|word| prose.find(word))
        .min();
    prose.truncate(told.unwrap_or(prose.len()));
    let on_map = |word: &str| {
        let mut letters = word.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else {
            return false;
        };
        // The second letter of a cell is the figure.
        letter.is_alphabetic()
            && wire.map.iter().any(|row| {
                row.split_whitespace()
                    .any(|cells| cells.chars().skip(1).step_by(2).any(|stands| stands == letter))
            })
    };
    let mut last: Option<String> = None;
    for part in parts(&prose) {
        let words: Vec<&str> = part.split_whitespace().collect();
        if let Some((at, [hp, def, atk, dmg])) = words
            .iter()
            .enumerate()
            .find_map(|(at, word)| Some((at, numbers(word)?)))
        {
            let Some(letter) = words[..at].iter().rposition(|word| on_map(word)) else {
                continue;
            };
            let id = words[letter].to_owned();
            let figure = wire.figures.entry(id.clone()).or_default();
            figure.hp = u16::try_from(hp).ok();
            figure.def = i16::try_from(def).ok();
            figure.atk = i16::try_from(atk).ok();
            figure.dmg = u16::try_from(dmg).ok();
            name(figure, &words[letter + 1..at]);
            abilities(figure, &words[at + 1..]);
            last = Some(id);
        } else if let [id, points, unit, ..] = words[..]
            && on_map(id)
            && let Ok(points) = points.parse()
            && unit == "HP"
        {
            wire.figures.entry(id.to_owned()).or_default().hp = Some(points);
            last = Some(id.to_owned());
        } else if let Some(figure) = last.as_ref().and_then(|id| wire.figures.get_mut(id)) {
            abilities(figure, &words);
        }
    }
    wire
}

/// Parts of sentences: between commas, full stops and the like that a blank or the end follows.
fn parts(prose: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut letters = prose.chars().peekable();
    while let Some(letter) = letters.next() {
        let ends = letters.peek().is_none_or(|next| next.is_whitespace() || *next == '*');
        match letter {
            // After the letter of a figure it is no end.
            ':' if ends && parts.last().is_some_and(|part| part.trim().chars().count() == 1) => {}
            ',' | '.' | ';' | ':' | ')' if ends => parts.push(String::new()),
            '(' | '*' => {}
            letter => parts.last_mut().expect("there is one").push(letter),
        }
    }
    parts
}

/// Hit points, Defense, Attack and Damage, as in `20/14/+5/10`.
fn numbers(word: &str) -> Option<[i32; 4]> {
    let all: Vec<i32> = word
        .split('/')
        .map(|number| number.trim_start_matches('+').parse().ok())
        .collect::<Option<_>>()?;
    all.try_into().ok()
}

/// Words before the numbers: how it fights, or what it is called.
fn name(figure: &mut WireFigure, words: &[&str]) {
    let kind = |word: &&str| match *word {
        "shooter" => Some(Kind::Shooter),
        "melee" => Some(Kind::Melee),
        "hybrid" => Some(Kind::Hybrid),
        _ => None,
    };
    match words.iter().find_map(kind) {
        Some(kind) => figure.ai_type = Some(kind),
        None => figure.name = words.join(" "),
    }
}

/// Words after the numbers: an ability that is known, alone or with a number, or that it has activated.
fn abilities(figure: &mut WireFigure, words: &[&str]) {
    if words == ["activated"] {
        figure.activated = true;
        return;
    }
    let text = words.join(" ");
    if Abilities::embedded().read(&text).known {
        figure.abilities.push(text);
    }
}

#[cfg(test)]
mod tests {
    use crate::{bridge::grid, swm::figure::Kind};

    #[test]
    fn a_post_is_read_as_far_as_it_can_be_told() {
        let post = "### S3 Double Attack pins  [text]\n```\n  A  B  C\n1 .. o. .P\n2 .a .. .Q\n3 .b .. ..\n```\n\
                    a Old Republic Captain 40/16/+8/20 Double Attack, Grenades 10. P 20/16/+6/10, activated, Q 50 HP.\n\
                    b shooter 20/14/+5/10, no special abilities. Facts: legal {P, Q}. Variant P 30 HP.\n**Expect no move**\n";
        let position = grid::parse_text(post).unwrap();
        assert_eq!(position.id, "S3");
        let figure = |id: &str| position.board.figure(id).unwrap();
        let a = figure("a");
        assert_eq!(
            (a.hit_points, a.card.defense, a.card.attack, a.card.damage),
            (40, 16, 8, 20)
        );
        assert_eq!(a.card.name, "Old Republic Captain");
        let names: Vec<&str> = a.card.abilities.iter().map(|ability| &*ability.name).collect();
        assert_eq!(names, ["Double Attack", "Grenades"]);
        assert!(figure("P").activated && figure("P").hit_points == 20 && figure("Q").hit_points == 50);
        assert_eq!(
            (figure("b").card.kind(), figure("b").card.abilities.len()),
            (Kind::Shooter, 0)
        );
    }

    #[test]
    fn a_post_may_leave_out_blanks_and_set_colons_after_letters() {
        let post = "```\n.a...P\n......\n```\na: Captain 40/16/+8/20 Double Attack. P: 20/16/+6/10\n";
        let position = grid::parse_text(post).unwrap();
        let figure = |id: &str| position.board.figure(id).unwrap();
        assert_eq!((figure("a").hit_points, figure("P").hit_points), (40, 20));
        assert_eq!(figure("a").card.name, "Captain");
        assert!(figure("P").card.name.is_empty(), "{}", figure("P").card.name);
    }
}
