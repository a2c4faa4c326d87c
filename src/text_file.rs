//! Text as people's editors and shells write it into files: UTF-8, with or without the byte order mark that Windows programs
//! put before it, or the UTF-16 that the `>` of Windows PowerShell makes.

use std::{fs::File, io, io::Read, path::Path};

/// Why bytes are no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotText {
    /// Neither UTF-8 nor marked as UTF-16.
    #[error("byte {at} is not UTF-8; save it as UTF-8")]
    Utf8 {
        /// Offset of the first byte that does not fit.
        at: usize,
    },
    /// Marked as UTF-16, but broken.
    #[error("it begins like UTF-16 and is not; save it as UTF-8")]
    Utf16,
}

/// The text that the bytes stand for, without the byte order mark.
///
/// # Errors
/// They are neither UTF-8 nor UTF-16 with its mark.
pub fn decode(mut bytes: Vec<u8>) -> Result<String, NotText> {
    let utf16 = match bytes[..] {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes as fn([u8; 2]) -> u16),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes as fn([u8; 2]) -> u16),
        _ => None,
    };
    if let Some(unit) = utf16 {
        let (pairs, rest) = bytes[2..].as_chunks::<2>();
        let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
        return match (String::from_utf16(&units), rest) {
            (Ok(text), []) => Ok(text),
            _ => Err(NotText::Utf16),
        };
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| NotText::Utf8 {
        at: error.utf8_error().valid_up_to(),
    })
}

/// The most that is read of one file, bytes: far more than any file that the program writes or expects.
pub const MAX_BYTES: u64 = 1 << 28;

/// Reads a file as it is, but not without end: a device file may have none.
///
/// # Errors
/// It cannot be read, or is larger than [`MAX_BYTES`].
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    at_most(File::open(path)?, MAX_BYTES)
}

/// Reads to the end of a source that has at most so many bytes.
///
/// # Errors
/// It cannot be read, or has more.
pub fn at_most(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut read = Vec::new();
    from.take(most + 1).read_to_end(&mut read)?;
    if read.len() as u64 > most {
        let error = format!("it is longer than {most} bytes, which nothing of its kind is; check the name");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, error));
    }
    Ok(read)
}

/// Reads a text file.
///
/// # Errors
/// It cannot be read, is larger than [`MAX_BYTES`], or is no text.
pub fn read(path: &Path) -> io::Result<String> {
    read_at_most(path, MAX_BYTES)
}

/// As [`read`], of a file that has at most so many bytes.
///
/// # Errors
/// It cannot be read, is larger, or is no text.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<String> {
    let bytes = at_most(File::open(path)?, most)?;
    decode(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ship Ä 😀\r\n";

    #[test]
    fn one_text_is_read_in_every_encoding() {
        let marked = format!("\u{feff}{TEXT}");
        let little: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [TEXT.as_bytes().to_vec(), marked.into_bytes(), little, big] {
            assert_eq!(decode(bytes).as_deref(), Ok(TEXT));
        }
        assert_eq!(decode(Vec::new()).as_deref(), Ok(""));
    }

    #[test]
    fn what_has_no_end_is_not_read_to_it() {
        assert_eq!(at_most(&b"abcd"[..], 4).unwrap(), b"abcd");
        let error = at_most(io::repeat(b'a'), 4).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(error.to_string().contains("longer than 4 bytes"), "{error}");
    }

    #[test]
    fn what_is_no_text_is_told_with_the_place() {
        assert_eq!(decode(b"ab\xe4c".to_vec()), Err(NotText::Utf8 { at: 2 }));
        // Half a unit, and half a pair.
        assert_eq!(decode(b"\xff\xfea".to_vec()), Err(NotText::Utf16));
        assert_eq!(decode(b"\xff\xfe\x3d\xd8".to_vec()), Err(NotText::Utf16));
    }
}
