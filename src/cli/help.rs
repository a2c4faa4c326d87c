//! Help as it is printed: the words of options wrapped to the terminal, examples as they stand, so that they can be pasted.

use std::ffi::OsString;

use clap::{CommandFactory as _, FromArgMatches as _, error::ErrorKind};

use super::Cli;

/// What stands in place of the text behind a command's options until the help is laid out. No word of a help is like it.
const PLACE: &str = "\u{a4}";

/// Parses arguments as [`Cli::try_parse_from`](clap::Parser::try_parse_from) does.
///
/// # Errors
/// What clap says, and the help and the version that were asked for.
pub(super) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let mut texts = Vec::new();
    let command = without_examples(Cli::command(), &mut texts);
    command.clone().try_get_matches_from(arguments).and_then(|mut matches| {
        Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command.clone()))
    })
}

/// Prints an error, a help or the version where each belongs.
pub(super) fn print(error: &clap::Error) {
    // If even this cannot be written, nobody is listening.
    let _ = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let text = with_examples(&error.render().ansi().to_string());
            use std::io::Write as _;
            match error.use_stderr() {
                true => anstream::stderr().lock().write_all(text.as_bytes()),
                false => anstream::stdout().lock().write_all(text.as_bytes()),
            }
        }
        _ => error.print(),
    };
}

/// The command with a mark in place of each text that is not to be wrapped; the texts in the order of their numbers.
fn without_examples(mut command: clap::Command, texts: &mut Vec<String>) -> clap::Command {
    if let Some(text) = command.get_after_help().map(ToString::to_string) {
        command = command.after_help(format!("{PLACE}{}{PLACE}", texts.len()));
        texts.push(text);
    }
    command.mut_subcommands(|command| without_examples(command, texts))
}

/// A laid-out help with the texts in their places.
fn with_examples(help: &str) -> String {
    let mut texts = Vec::new();
    without_examples(Cli::command(), &mut texts);
    let mut parts = help.split(PLACE);
    let mut whole = parts.next().unwrap_or_default().to_owned();
    while let (Some(number), Some(rest)) = (parts.next(), parts.next()) {
        let text = number.parse().ok().and_then(|number: usize| texts.get(number));
        whole.push_str(text.map_or("", String::as_str));
        whole.push_str(rest);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All commands with their subcommands, each by the words that are typed for it.
    fn all(command: &clap::Command, typed: &[String], found: &mut Vec<(Vec<String>, Option<String>)>) {
        found.push((typed.to_vec(), command.get_after_help().map(ToString::to_string)));
        for inner in command.get_subcommands() {
            let mut typed = typed.to_vec();
            typed.push(inner.get_name().to_owned());
            all(inner, &typed, found);
        }
    }

    fn commands() -> Vec<(Vec<String>, Option<String>)> {
        let mut found = Vec::new();
        all(&Cli::command(), &["tallyho".to_owned()], &mut found);
        assert!(found.len() > 15);
        found
    }

    #[test]
    fn every_help_ends_with_its_text_as_it_stands_and_has_the_options_of_all_under_one_heading() {
        for (typed, text) in commands() {
            for option in ["-h", "--help"] {
                let arguments = typed.iter().map(OsString::from).chain([OsString::from(option)]);
                let error = parse(arguments).unwrap_err();
                let help = with_examples(&error.render().to_string());
                assert!(!help.contains(PLACE), "{help}");
                if let Some(text) = &text {
                    assert!(help.trim_end().ends_with(text.trim_end()), "{typed:?}:\n{help}");
                }
                let (_, options) = help.split_once("Options of every command:").unwrap();
                for option in ["--catalog", "--obstacles", "--card-file", "--verbose"] {
                    assert!(options.contains(option), "{typed:?}: {option}");
                    let before = &help[..help.len() - options.len()];
                    let listed = before.lines().any(|line| line.trim_start().starts_with(option));
                    assert!(!listed, "{typed:?}: {option} stands among others");
                }
            }
        }
    }

    /// The words of an example, as a shell makes them; what is redirected and what explains it left out.
    fn words(line: &str) -> Vec<String> {
        let line = line.trim_start().split("  ").next().unwrap_or_default();
        let line = line.split([';', '>', '<']).next().unwrap_or_default();
        let mut words = Vec::new();
        for (place, part) in line.split('\'').enumerate() {
            match place % 2 {
                1 => words.push(part.to_owned()),
                _ => words.extend(part.split_whitespace().map(str::to_owned)),
            }
        }
        words
    }

    #[test]
    fn every_example_can_be_typed() {
        let mut examples = 0;
        for (typed, text) in commands() {
            let text = text.unwrap_or_default();
            for line in text.lines().filter(|line| line.starts_with("  tallyho ")) {
                assert!(!line.contains('\u{2026}'), "{line}");
                let words = words(line);
                if let Err(error) = parse(words.iter().map(OsString::from)) {
                    panic!("{typed:?}: {line}: {error}");
                }
                examples += 1;
            }
            // The first line of a text is as far in as the others.
            assert!(
                !text.lines().any(|line| line.starts_with("tallyho ")),
                "{typed:?}: {text}"
            );
        }
        assert!(examples > 20, "{examples}");
    }
}
