//! Faults of a profile in plain words: where it stands, and what is expected there.

use crate::{bridge::vassal::Damage, toml_text};

/// What is wrong with a profile, without the words of the library that reads it.
pub(super) fn plain(error: &toml::de::Error, text: &str) -> Damage {
    let (line, fault) = toml_text::fault(error, text);
    let place = line.map_or_else(|| "the profile".to_owned(), |line| format!("the profile, line {line}"));
    Damage::at(place, fault.replace("a list of two", "a list of two, as in [50, 50],"))
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
