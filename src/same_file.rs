//! Whether two paths mean one file, before one is written over the other.

use std::path::{Path, PathBuf};

/// Whether both paths mean the same file, there already or not: through links, and by any way through folders. What is
/// no plain file (a terminal, a pipe, the null device) may be written by many and is never the same.
pub fn same_file(one: &Path, other: &Path) -> bool {
    let is_special = |path: &Path| std::fs::metadata(path).is_ok_and(|file| !file.is_file());
    !is_special(one) && !is_special(other) && (place(one) == place(other) || is_linked(one, other))
}

/// The path without links and detours, as far as it is there.
fn place(path: &Path) -> PathBuf {
    let whole = std::fs::canonicalize(path).unwrap_or_else(|_| {
        // The file is to be made; its folder is there, or nothing can be made in it.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = std::fs::canonicalize(folder.unwrap_or(Path::new("."))).unwrap_or_default();
        folder.join(path.file_name().unwrap_or_default())
    });
    // Systems that take `Table.csv` for `table.csv`.
    match cfg!(any(windows, target_os = "macos")) {
        true => PathBuf::from(whole.to_string_lossy().to_lowercase()),
        false => whole,
    }
}

/// Whether both are names of one file on the disk.
#[cfg(unix)]
fn is_linked(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let number = |path: &Path| std::fs::metadata(path).map(|file| (file.dev(), file.ino()));
    matches!((number(one), number(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(not(unix))]
fn is_linked(_: &Path, _: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_every_path_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        let there = folder.path().join("there.txt");
        std::fs::write(&there, "").unwrap();
        let detour = inner.join("..").join("there.txt");
        assert!(same_file(&there, &there) && same_file(&there, &detour));
        let missing = folder.path().join("missing.txt");
        let detour = inner.join("..").join("missing.txt");
        assert!(same_file(&missing, &detour) && !same_file(&missing, &there));
        assert!(!same_file(&inner, &inner), "a folder is written by many");
        assert!(same_file(Path::new("no-such-file"), Path::new("./no-such-file")));
        #[cfg(unix)]
        {
            let link = folder.path().join("link.txt");
            std::os::unix::fs::symlink(&there, &link).unwrap();
            let hard = folder.path().join("hard.txt");
            std::fs::hard_link(&there, &hard).unwrap();
            assert!(same_file(&link, &there) && same_file(&hard, &there));
            assert!(!same_file(Path::new("/dev/null"), Path::new("/dev/null")));
        }
    }
}
