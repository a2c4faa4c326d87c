//! Files and folders that only their owner may read.

use std::io::{self, Write};
use std::path::Path;

/// Puts the path into an error.
pub fn in_file(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Makes a folder, and those above it, for its owner alone. The program's own folder is tightened where it is wider; one
/// of another name may be shared with others on purpose.
///
/// # Errors
/// The folder cannot be made.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    // An empty path is the folder where the program was started.
    if !folder.as_os_str().is_empty() {
        builder.create(folder).map_err(|error| in_file(folder, error))?;
    }
    if folder.ends_with(env!("CARGO_PKG_NAME")) {
        tighten(folder, 0o700);
    }
    Ok(())
}

/// Takes every right beyond `mode` off a file or folder, and says so in the log. Where there are no such rights (Windows)
/// the user's profile keeps others out.
pub fn tighten(path: &Path, mode: u32) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let Ok(found) = std::fs::metadata(path).map(|found| found.permissions().mode() & 0o777) else {
            return;
        };
        if found & !mode == 0 {
            return;
        }
        let place = path.display();
        match std::fs::set_permissions(path, std::fs::Permissions::from_mode(found & mode)) {
            Ok(()) => tracing::warn!(
                "{place} was open to others (mode {found:o}) and is now the owner's alone; where others use this machine, \
                 end the program and delete tokens.json for new tokens"
            ),
            Err(error) => {
                tracing::warn!("{place} is open to others (mode {found:o}) and stays so: {error}; run chmod go= on it")
            }
        }
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
}

/// Writes a file that only its owner may read, whole or not at all: under another name first, then renamed.
///
/// # Errors
/// The folder or the file cannot be written.
pub fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    create_folder(folder)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // A leftover of a run that crashed with the same process id would stand in the way.
    let _ = std::fs::remove_file(&temporary);
    let written = options.open(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.write_all(b"\n")?;
        file.sync_all()
    });
    written
        .and_then(|()| std::fs::rename(&temporary, path))
        .map_err(|error| {
            let _ = std::fs::remove_file(&temporary);
            in_file(path, error)
        })
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn open_to(path: &Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn what_is_wider_is_tightened_and_what_is_narrower_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "x").unwrap();
        for (before, after) in [
            (0o644, 0o600),
            (0o666, 0o600),
            (0o640, 0o600),
            (0o600, 0o600),
            (0o400, 0o400),
        ] {
            open_to(&path, before);
            tighten(&path, 0o600);
            assert_eq!(mode(&path), after, "{before:o}");
        }
        tighten(&folder.path().join("missing"), 0o600);
    }

    #[test]
    fn folders_are_made_private_and_only_the_own_one_is_tightened() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("state/tallyho");
        create_folder(&own).unwrap();
        assert_eq!((mode(&own), mode(own.parent().unwrap())), (0o700, 0o700));
        open_to(&own, 0o755);
        create_folder(&own).unwrap();
        assert_eq!(mode(&own), 0o700);
        let shared = folder.path().join("shared");
        create_folder(&shared).unwrap();
        open_to(&shared, 0o755);
        create_folder(&shared).unwrap();
        assert_eq!(mode(&shared), 0o755);
    }
}
