//! A picture in a file that the player names.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use crate::render;

/// Draws into a file, and over one that is there only if it is a picture of this program.
///
/// # Errors
/// Why nothing is drawn, in words for the player.
pub(super) fn draw_into(path: &Path, picture: &str) -> Result<(), String> {
    let shown = path.display();
    let drawn = match may_be_drawn_over(path) {
        Ok(true) => std::fs::write(path, picture),
        Ok(false) => {
            return Err(format!(
                "{shown} is there already and is no picture that was drawn here: it is left as it is; name another file."
            ));
        }
        Err(error) => Err(error),
    };
    drawn.map_err(|error| format!("{shown} cannot be written: {error}"))
}

fn may_be_drawn_over(path: &Path) -> io::Result<bool> {
    // Nothing is lost of what is not there, or keeps nothing, as a pipe.
    if !path.is_file() {
        return Ok(true);
    }
    let mut start = Vec::new();
    let most = render::SVG_START.len() as u64;
    File::open(path)?.take(most).read_to_end(&mut start)?;
    Ok(start == render::SVG_START.as_bytes())
}
