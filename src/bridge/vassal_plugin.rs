//! The Vassal plugin: built ahead of time from `vassal/` and carried in the program, and the folder where Vassal looks for it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::tts::install::Platform;

/// The package, as `vassal/build` wrote it.
pub const PACKAGE: &[u8] = include_bytes!("../../vassal/Tallyho.vmdx");

/// Name of the file in Vassal's folder of plugins.
pub const FILE_NAME: &str = "Tallyho.vmdx";

/// The class that Vassal makes: whatever package has it is ours.
const OUR_CLASS: &str = "tallyho/vassal/Tallyho.class";

/// Why the plugin could not be installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// The system does not say where the user's folders are.
    #[error("no home folder; give Vassal's folder `plugins` with --dir")]
    NoHome,
    /// Vassal's folder is not where it should be.
    #[error(
        "no Vassal data was found; looked in {0}. Start Vassal once, or name its folder `plugins` with --dir (Vassal shows its \
         folder under Help > Show Error Log)"
    )]
    NoVassal(PathBuf),
    /// The folder given does not exist.
    #[error("{0} is no folder; give Vassal's folder `plugins` with --dir")]
    NoFolder(PathBuf),
    /// The file there is somebody else's.
    #[error("{0} is there already and is no plugin of Tallyho; move it away or choose another folder with --dir")]
    NotOurs(PathBuf),
    /// The system refused.
    #[error("{path}: {source}; if Vassal is running, close it and try again")]
    Io {
        /// File or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// What an installation did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The file written.
    pub path: PathBuf,
    /// Whether another build of the plugin was there before.
    pub replaced: bool,
}

/// Vassal's own folder on a platform: `%APPDATA%\VASSAL`, `~/Library/Application Support/VASSAL`, `~/.VASSAL`.
/// `application_data` is `%APPDATA%`, which users may have moved; only Windows has it.
pub fn vassal_folder(platform: Platform, home: &Path, application_data: Option<&Path>) -> PathBuf {
    match platform {
        Platform::Windows => {
            let roaming = application_data.map_or_else(|| home.join("AppData").join("Roaming"), Path::to_owned);
            roaming.join("VASSAL")
        }
        Platform::MacOs => home.join("Library").join("Application Support").join("VASSAL"),
        Platform::Linux => home.join(".VASSAL"),
    }
}

/// The current user's folder of Vassal's plugins. It is made where Vassal has been, but the folder is not there.
///
/// # Errors
/// Vassal has never been started by this user, or the folder cannot be made.
pub fn plugins_folder() -> Result<PathBuf, InstallError> {
    let home = etcetera::home_dir().map_err(|_| InstallError::NoHome)?;
    let application_data = std::env::var_os("APPDATA").filter(|path| !path.is_empty());
    let vassal = vassal_folder(Platform::HERE, &home, application_data.as_ref().map(Path::new));
    if !vassal.is_dir() {
        return Err(InstallError::NoVassal(vassal));
    }
    let folder = vassal.join("plugins");
    match fs::create_dir_all(&folder) {
        Ok(()) => Ok(folder),
        Err(source) => Err(InstallError::Io { path: folder, source }),
    }
}

/// Whether a package is the plugin, of this or another version.
fn is_ours(package: &[u8]) -> bool {
    package
        .windows(OUR_CLASS.len())
        .any(|window| window == OUR_CLASS.as_bytes())
}

/// Writes the plugin into a folder. Replaces an earlier build of it, and nothing else.
///
/// # Errors
/// There is no such folder, a file of that name is not ours, or the system refuses.
pub fn install(folder: &Path) -> Result<Installed, InstallError> {
    if !folder.is_dir() {
        return Err(InstallError::NoFolder(folder.to_owned()));
    }
    let path = folder.join(FILE_NAME);
    let replaced = match fs::read(&path) {
        Ok(before) if !is_ours(&before) => return Err(InstallError::NotOurs(path)),
        Ok(before) => before != PACKAGE,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(source) => return Err(InstallError::Io { path, source }),
    };
    // Under another name first: Vassal never reads half a package.
    let half = folder.join(format!("{FILE_NAME}.part"));
    let written = fs::write(&half, PACKAGE).and_then(|()| fs::rename(&half, &path));
    written.map_err(|source| {
        let _ = fs::remove_file(&half);
        InstallError::Io {
            path: path.clone(),
            source,
        }
    })?;
    Ok(Installed { path, replaced })
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;

    /// The digests of the plugin's sources, as `vassal/Pack.java` lists them.
    fn sources(root: &Path) -> String {
        fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => walk(&path, files),
                    false => files.push(path),
                }
            }
        }
        let mut files = Vec::new();
        walk(root, &mut files);
        let mut lines: Vec<(String, String)> = (files.iter())
            .map(|file| {
                let digest = Sha256::digest(fs::read(file).unwrap());
                let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
                let name = file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                (name, hex)
            })
            .collect();
        lines.sort();
        lines.iter().map(|(name, hex)| format!("{hex}  {name}\n")).collect()
    }

    #[test]
    fn the_package_was_built_from_the_sources_that_are_here() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("vassal").join("src");
        let sources = sources(&root);
        assert!(sources.lines().count() >= 8, "{sources}");
        // Entries are not compressed, so that the list stands in the package as it is.
        let holds = PACKAGE
            .windows(sources.len())
            .any(|window| window == sources.as_bytes());
        assert!(holds, "vassal/Tallyho.vmdx is of other sources: run vassal/build");
        for name in ["buildFile.xml", "extensiondata"] {
            let file = fs::read(root.with_file_name("package").join(name)).unwrap();
            assert!(
                PACKAGE.windows(file.len()).any(|window| window == file),
                "{name}: run vassal/build"
            );
        }
        assert!(is_ours(PACKAGE));
    }

    #[test]
    fn classes_are_of_java_11_and_none_of_a_library() {
        // Every class begins with the magic number, then minor 0 and major 55.
        let magic = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0];
        let classes: Vec<&[u8]> = PACKAGE.windows(8).filter(|window| window.starts_with(&magic)).collect();
        assert!(classes.len() >= 8);
        assert!(classes.iter().all(|class| class[6..] == [0, 55]));
    }

    #[test]
    fn vassal_keeps_its_folder_elsewhere_on_each_system() {
        let home = Path::new("home");
        let roaming = Path::new("moved");
        let folder = |platform, data| vassal_folder(platform, home, data);
        assert_eq!(folder(Platform::Windows, Some(roaming)), roaming.join("VASSAL"));
        assert_eq!(
            folder(Platform::Windows, None),
            home.join("AppData").join("Roaming").join("VASSAL")
        );
        assert_eq!(
            folder(Platform::MacOs, None),
            home.join("Library").join("Application Support").join("VASSAL")
        );
        assert_eq!(folder(Platform::Linux, Some(roaming)), home.join(".VASSAL"));
    }

    #[test]
    fn an_earlier_build_is_replaced_and_a_strange_file_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let installed = |replaced| Installed {
            path: path.clone(),
            replaced,
        };
        assert_eq!(install(folder.path()).unwrap(), installed(false));
        assert_eq!(install(folder.path()).unwrap(), installed(false));
        assert_eq!(fs::read(&path).unwrap(), PACKAGE);
        fs::write(&path, format!("earlier {OUR_CLASS}")).unwrap();
        assert_eq!(install(folder.path()).unwrap(), installed(true));
        fs::write(&path, "somebody else's").unwrap();
        assert!(matches!(install(folder.path()), Err(InstallError::NotOurs(_))));
        assert_eq!(fs::read(&path).unwrap(), b"somebody else's");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let nowhere = folder.path().join("nowhere");
        assert!(matches!(install(&nowhere), Err(InstallError::NoFolder(_))));
    }
}
