//! Names as they may be shown on a terminal, a page or a table: what cannot be seen and steers what is shown (control characters,
//! marks that turn the direction of a line) is written out, and what a page would take for markup is no markup.

/// Whether a character is not seen itself, and steers how others are shown.
pub fn steers(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        )
}

/// A text with everything in it to be seen: what steers is written out, as in `\u{202e}`.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match steers(letter) {
            true => shown.extend(letter.escape_unicode()),
            false => shown.push(letter),
        }
    }
    shown
}

/// A text as HTML, in an element or a quoted attribute; control characters become spaces.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_written_out_and_all_else_stays() {
        for plain in ["Wedge", "Łukasz 王 👩\u{200d}🚀", "\u{202f}", ""] {
            assert_eq!(visible(plain), plain);
        }
        for (steering, shown) in [
            ("a\u{202e}b", "a\\u{202e}b"),
            ("\u{1b}[31m", "\\u{1b}[31m"),
            ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
            ("\n", "\\u{a}"),
            ("\u{feff}", "\\u{feff}"),
        ] {
            assert_eq!(visible(steering), shown);
        }
    }
}
