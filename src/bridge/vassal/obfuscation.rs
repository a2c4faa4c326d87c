//! The three forms in which Vassal keeps the commands of a save: hexadecimal (up to 3.7), raw bytes (3.8), and plain text.
//!
//! The first two hide the text from a casual look: each byte is combined with one key byte that stands at the front.

use super::Damage;

/// Begins the hexadecimal form.
const HEXADECIMAL: &[u8] = b"!VCSK";
/// Begins the raw form.
const RAW: &[u8] = b"VOBS";

/// The form that a text has in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `!VCSK`, the key and each byte as two hexadecimal digits: written up to Vassal 3.7.
    Hexadecimal {
        /// What each byte is combined with.
        key: u8,
    },
    /// `VOBS`, the key and each byte raw: written by Vassal 3.8, which alone reads it.
    Raw {
        /// What each byte is combined with.
        key: u8,
    },
    /// Plain text in UTF-8. Every Vassal reads it, and so do people.
    Plain,
}

/// The value of a hexadecimal digit.
fn digit(byte: u8) -> Option<u8> {
    (byte as char).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// Reads a text, in whichever form it has.
///
/// # Errors
/// Digits that are none, a text that ends too early, or one that is not UTF-8; with the byte where it happens.
pub fn read(bytes: Vec<u8>) -> Result<(String, Form), Damage> {
    let (bytes, form) = if let Some(digits) = bytes.strip_prefix(HEXADECIMAL) {
        if digits.is_empty() || !digits.len().is_multiple_of(2) {
            return Err(Damage::at(
                format!("byte {}", bytes.len()),
                "it ends within a pair of hexadecimal digits: the file is cut off",
            ));
        }
        let mut plain = Vec::with_capacity(digits.len() / 2);
        for (index, pair) in digits.chunks_exact(2).enumerate() {
            let (Some(high), Some(low)) = (digit(pair[0]), digit(pair[1])) else {
                return Err(Damage::at(
                    format!("byte {}", HEXADECIMAL.len() + 2 * index),
                    "no pair of hexadecimal digits stands here",
                ));
            };
            plain.push(high << 4 | low);
        }
        let key = plain.remove(0);
        plain.iter_mut().for_each(|byte| *byte ^= key);
        (plain, Form::Hexadecimal { key })
    } else if let Some(hidden) = bytes.strip_prefix(RAW) {
        let Some((key, hidden)) = hidden.split_first() else {
            return Err(Damage::at(
                format!("byte {}", bytes.len()),
                "it ends before its key: the file is cut off",
            ));
        };
        (hidden.iter().map(|byte| byte ^ key).collect(), Form::Raw { key: *key })
    } else {
        (bytes, Form::Plain)
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        Damage::at(
            format!("byte {} of the text", error.utf8_error().valid_up_to()),
            "it is not UTF-8: load it in Vassal 3.2 or later and save it again",
        )
    })?;
    Ok((text, form))
}

/// Writes a text in a form.
pub fn write(text: &str, form: Form) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    match form {
        Form::Plain => text.as_bytes().to_vec(),
        Form::Raw { key } => (RAW.iter().copied())
            .chain([key])
            .chain(text.bytes().map(|byte| byte ^ key))
            .collect(),
        Form::Hexadecimal { key } => {
            let hidden = std::iter::once(key).chain(text.bytes().map(|byte| byte ^ key));
            let digits = hidden.flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
            HEXADECIMAL.iter().copied().chain(digits).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_in_each_form() {
        let cases: [(&[u8], Form); 3] = [
            (b"!VCSK2a4843", Form::Hexadecimal { key: 0x2a }),
            (b"VOBS\x2a\x48\x43", Form::Raw { key: 0x2a }),
            (b"bi", Form::Plain),
        ];
        for (bytes, form) in cases {
            assert_eq!(read(bytes.to_vec()), Ok(("bi".to_owned(), form)));
            assert_eq!(write("bi", form), bytes);
        }
    }

    #[test]
    fn damage_is_told_with_its_place() {
        for (bytes, place) in [
            (&b"!VCSK"[..], "byte 5"),
            (b"!VCSK2a484", "byte 10"),
            (b"!VCSK2a4x", "byte 7"),
            (b"VOBS", "byte 4"),
            (b"!VCSK0061ff", "byte 1 of the text"),
            (b"a\xff", "byte 1 of the text"),
        ] {
            assert_eq!(
                read(bytes.to_vec()).map_err(|damage| damage.place),
                Err(place.to_owned())
            );
        }
    }

    proptest! {
        #[test]
        fn each_form_holds_any_text(text in ".*", key in any::<u8>()) {
            for form in [Form::Hexadecimal { key }, Form::Raw { key }] {
                prop_assert_eq!(read(write(&text, form)), Ok((text.clone(), form)));
            }
        }
    }
}
