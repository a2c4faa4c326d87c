//! Vassal's way to put several texts into one: tokens joined by one delimiter character.
//!
//! A delimiter inside a token has a backslash before it, and nothing else is escaped. A token that begins with a backslash, or
//! begins and ends with `'`, is put between `'`; a reader takes one such pair off every token of two or more characters.
//! Sequences nest, and each level adds one backslash to the delimiters of the levels below that are the same.

use std::borrow::Cow;

/// Whether a token stands between quotes in the text that it was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quotes {
    /// As the rule has it.
    #[default]
    AsNeeded,
    /// Though it needs none.
    Needless,
    /// Though the rule wants them, it has none.
    Missing,
}

/// A token of a sequence, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// The text without escapes and quotes.
    pub text: Cow<'a, str>,
    /// How it was quoted.
    pub quotes: Quotes,
}

/// Whether the rule puts a token between quotes.
fn needs_quotes(token: &str) -> bool {
    token.starts_with('\\') || token.starts_with('\'') && token.ends_with('\'')
}

/// Takes the tokens of a sequence one by one; an empty text is one empty token.
#[derive(Debug, Clone)]
pub struct Tokens<'a> {
    rest: Option<&'a str>,
    delimiter: char,
}

impl<'a> Tokens<'a> {
    /// What is not yet taken, as it stands in the text.
    pub fn rest(&self) -> Option<&'a str> {
        self.rest
    }

    /// The next token as text.
    pub fn text(&mut self) -> Option<Cow<'a, str>> {
        self.next().map(|token| token.text)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let rest = self.rest?;
        let mut escapes = Vec::new();
        let mut end = rest.len();
        for (at, _) in rest.match_indices(self.delimiter) {
            if rest[..at].ends_with('\\') {
                escapes.push(at - 1);
            } else {
                end = at;
                break;
            }
        }
        self.rest = (end < rest.len()).then(|| &rest[end + self.delimiter.len_utf8()..]);
        let raw = &rest[..end];
        let mut text = Cow::Borrowed(raw);
        if !escapes.is_empty() {
            let mut plain = String::with_capacity(raw.len());
            let mut from = 0;
            for at in escapes {
                plain.push_str(&raw[from..at]);
                from = at + 1;
            }
            plain.push_str(&raw[from..]);
            text = Cow::Owned(plain);
        }
        let quoted = text.len() > 1 && text.starts_with('\'') && text.ends_with('\'');
        if quoted {
            text = match text {
                Cow::Borrowed(text) => Cow::Borrowed(&text[1..text.len() - 1]),
                Cow::Owned(mut text) => {
                    text.pop();
                    text.remove(0);
                    Cow::Owned(text)
                }
            };
        }
        let quotes = match (quoted, needs_quotes(&text)) {
            (true, false) => Quotes::Needless,
            (false, true) => Quotes::Missing,
            _ => Quotes::AsNeeded,
        };
        Some(Token { text, quotes })
    }
}

/// The tokens of a text.
pub fn tokens(text: &str, delimiter: char) -> Tokens<'_> {
    Tokens {
        rest: Some(text),
        delimiter,
    }
}

/// The tokens of a text, all at once and without their quotes.
pub fn split(text: &str, delimiter: char) -> Vec<Cow<'_, str>> {
    tokens(text, delimiter).map(|token| token.text).collect()
}

/// Puts tokens together.
#[derive(Debug, Clone)]
pub struct Encoder {
    delimiter: char,
    text: String,
    /// Where the last token begins, once there is one.
    last: Option<usize>,
}

impl Encoder {
    /// An empty sequence.
    pub fn new(delimiter: char) -> Encoder {
        Encoder::after(String::new(), delimiter)
    }

    /// A sequence whose first token comes right after a text, as in `D/` before the tokens of a change.
    pub fn after(text: impl Into<String>, delimiter: char) -> Encoder {
        Encoder {
            delimiter,
            text: text.into(),
            last: None,
        }
    }

    /// Appends a token, quoted as the rule has it.
    pub fn push(&mut self, token: &str) -> &mut Encoder {
        self.push_as(token, Quotes::AsNeeded)
    }

    /// Appends a token, quoted as it was where it was read.
    pub fn push_as(&mut self, token: &str, quotes: Quotes) -> &mut Encoder {
        if let Some(last) = self.last {
            // A backslash at its end would take the delimiter into the token. Vassal's own writer does not see to this.
            if self.text[last..].ends_with('\\') {
                self.text.insert(last, '\'');
                self.text.push('\'');
            }
            self.text.push(self.delimiter);
        }
        self.last = Some(self.text.len());
        let quoted = match quotes {
            Quotes::AsNeeded => needs_quotes(token),
            Quotes::Needless => true,
            Quotes::Missing => false,
        };
        if quoted {
            self.text.push('\'');
        }
        for (index, part) in token.split(self.delimiter).enumerate() {
            if index > 0 {
                self.text.push('\\');
                self.text.push(self.delimiter);
            }
            self.text.push_str(part);
        }
        if quoted {
            self.text.push('\'');
        }
        self
    }

    /// The text.
    pub fn finish(self) -> String {
        self.text
    }
}

/// The text of a sequence of tokens.
pub fn join<T: AsRef<str>>(tokens: impl IntoIterator<Item = T>, delimiter: char) -> String {
    let mut encoder = Encoder::new(delimiter);
    for token in tokens {
        encoder.push(token.as_ref());
    }
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What Vassal's own encoder writes for these tokens (its source, and saves that it wrote).
    #[test]
    fn tokens_are_written_as_vassal_writes_them() {
        let cases: &[(&[&str], char, &str)] = &[
            (&["a", "b"], ';', "a;b"),
            (&["a;b", "c"], ';', r"a\;b;c"),
            (&["", "", "x"], ',', ",,x"),
            (&[""], ',', ""),
            (&[r"\a"], ',', r"'\a'"),
            (&["'a'", "b"], ',', "''a'',b"),
            (&["'"], ',', "'''"),
            (&["'a", "a'"], ',', "'a,a'"),
            (&[r"a\;b"], ';', r"a\\;b"),
            (&[r"C:\x", "y"], ';', r"C:\x;y"),
            (&["piece;;;a.png;A\tB", "x"], '\t', "piece;;;a.png;A\\\tB\tx"),
        ];
        for (list, delimiter, text) in cases {
            assert_eq!(join(*list, *delimiter), *text, "{list:?}");
            assert_eq!(split(text, *delimiter), *list, "{text}");
        }
    }

    /// Vassal's encoder loses such a token; ours puts it between quotes, which Vassal's decoder takes off again.
    #[test]
    fn a_backslash_at_the_end_of_a_token_does_not_join_it_to_the_next() {
        assert_eq!(join([r"a\", "b"], ','), r"'a\',b");
        assert_eq!(split(r"'a\',b", ','), [r"a\", "b"]);
        assert_eq!(join(["b", r"a\"], ','), r"b,a\");
    }

    fn any_text() -> impl Strategy<Value = String> {
        prop::collection::vec(
            prop::sample::select(vec!['a', '\\', '\'', ';', '\t', '/', '\u{1b}', 'é', ',']),
            0..12,
        )
        .prop_map(|letters| letters.into_iter().collect())
    }

    proptest! {
        #[test]
        fn tokens_come_back(list in prop::collection::vec(any_text(), 1..6), delimiter in prop::sample::select(vec![';', '\t', '/', ','])) {
            let text = join(&list, delimiter);
            prop_assert_eq!(split(&text, delimiter), list);
        }

        #[test]
        fn any_text_is_written_back_as_it_was(text in any_text(), delimiter in prop::sample::select(vec![';', '\t', '/', ','])) {
            let mut encoder = Encoder::new(delimiter);
            for token in tokens(&text, delimiter) {
                encoder.push_as(&token.text, token.quotes);
            }
            prop_assert_eq!(encoder.finish(), text);
        }
    }
}
