//! Faults of a profile in plain words: where it stands, and what is expected there.

use crate::{bridge::vassal::Damage, json};

/// What is wrong with a profile, without the words of the library that reads it.
pub(super) fn plain(error: &toml::de::Error, text: &str) -> Damage {
    let place = match error.span() {
        Some(span) => {
            let before = text.get(..span.start).unwrap_or(text);
            format!("the profile, line {}", before.matches('\n').count() + 1)
        }
        None => "the profile".to_owned(),
    };
    Damage::at(place, in_words(error.message()))
}

/// The texts between backticks of a message.
fn named(message: &str) -> Vec<&str> {
    message.split('`').skip(1).step_by(2).collect()
}

fn in_words(message: &str) -> String {
    let message = message.lines().next().unwrap_or_default();
    let names = named(message);
    let others = || names.get(1..).unwrap_or_default().join(", ");
    match (message, names.first()) {
        (_, Some(field)) if message.starts_with("unknown field") => {
            format!("there is no field `{field}` here; known are {}", others())
        }
        (_, Some(word)) if message.starts_with("unknown variant") => {
            format!("`{word}` is not known here; write one of {}", others())
        }
        (_, Some(field)) if message.starts_with("missing field") => format!("the field `{field}` is missing"),
        _ if message.starts_with("invalid type") || message.starts_with("invalid value") => json::plain(message)
            .replace("an object", "a table of fields, as in { name = 1 }")
            .replace("a list", "a list between [ and ]")
            .replace("an array of length 2", "a list of two, as in [50, 50],"),
        _ if message.starts_with("invalid length") => "the list has too few or too many entries: give two".to_owned(),
        _ if message.starts_with("duplicate") => "it is written twice; leave one of them out".to_owned(),
        _ => {
            "it cannot be read: a field is written NAME = VALUE on a line of its own, a text stands between double quotes, a list \
             between [ and ]"
                .to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::bridge::vassal::profile::Profile;

    #[test]
    fn faults_name_the_line_and_what_is_expected() {
        let head = "name = \"x\"\ngame = \"x-wing\"\npixels_per_mm = 2\n";
        for (text, told) in [
            (
                format!("{head}colour = 1\n"),
                "the profile, line 4: there is no field `colour` here; known are name, game,",
            ),
            (
                head.replace("x-wing", "chess"),
                "the profile, line 2: `chess` is not known here; write one of x-wing, star-wars-miniatures",
            ),
            ("game = \"x-wing\"\n".to_owned(), "the field `name` is missing"),
            (
                format!("{head}heading_offset = \"up\"\n"),
                "the profile, line 4: a number is expected, not the text \"up\"",
            ),
            (
                format!("{head}maps = \"Main Map\"\n"),
                "the profile, line 4: a list between [ and ] is expected, not the text \"Main Map\"",
            ),
            (
                format!("{head}[grid]\nstep = 50\norigin = [1, 2]\n"),
                "the profile, line 5: a list of two, as in [50, 50], is expected, not `50`",
            ),
            (
                format!("{head}[grid]\nstep = [50]\norigin = [1, 2]\n"),
                "the profile, line 5: the list has too few or too many entries: give two",
            ),
            (
                format!("{head}grid = 5\n"),
                "the profile, line 4: a table of fields, as in { name = 1 } is expected, not `5`",
            ),
            (
                format!("{head}name = \"y\"\n"),
                "the profile, line 4: it is written twice; leave one of them out",
            ),
            (format!("{head}maps = [\"a\""), "a list between [ and ]"),
            (
                format!("{head}= 5\n"),
                "the profile, line 4: it cannot be read: a field is written",
            ),
            (
                format!("{head}[[piece]]\nkind = \"boat\"\n"),
                "the profile, line 5: `boat` is not known here; write one of ship, figure, obstacle, token, ignore",
            ),
        ] {
            let damage = Profile::read(&text).unwrap_err().to_string();
            assert!(damage.contains(told), "{text}\n{damage}");
            for jargon in ["TOML", "sequence", "struct", "f64", "variant", "parse", "expected `"] {
                assert!(!damage.contains(jargon), "{damage}");
            }
        }
    }
}
