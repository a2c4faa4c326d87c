//! The TTS controller as a Saved Object: its Lua sources bundled to one script, with port and token, and the folder where
//! the game looks for it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::{
    private_file::write_private,
    protocol::{DEFAULT_PORT, PORTS_TRIED},
};

/// The controller's sources, in the order in which they must stand.
const SOURCES: [(&str, &str); 18] = [
    ("guard", include_str!("../../../lua/guard.lua")),
    ("json", include_str!("../../../lua/json.lua")),
    ("state", include_str!("../../../lua/state.lua")),
    ("mod", include_str!("../../../lua/mod.lua")),
    ("mats", include_str!("../../../lua/mats.lua")),
    ("dice", include_str!("../../../lua/dice.lua")),
    ("cards", include_str!("../../../lua/cards.lua")),
    ("probe", include_str!("../../../lua/probe.lua")),
    ("snapshot", include_str!("../../../lua/snapshot.lua")),
    ("lines", include_str!("../../../lua/lines.lua")),
    ("steps", include_str!("../../../lua/steps.lua")),
    ("link", include_str!("../../../lua/link.lua")),
    ("rounds", include_str!("../../../lua/rounds.lua")),
    ("sheet", include_str!("../../../lua/sheet.lua")),
    ("panel", include_str!("../../../lua/panel.lua")),
    ("questions", include_str!("../../../lua/questions.lua")),
    ("faces", include_str!("../../../lua/faces.lua")),
    ("presses", include_str!("../../../lua/presses.lua")),
];

/// Where the game comes in; stands last.
const MAIN: &str = include_str!("../../../lua/main.lua");

/// Name of the file in the game's folder.
pub const FILE_NAME: &str = "Tallyho controller.json";
/// Name of the object on the table.
pub const OBJECT_NAME: &str = "Tallyho controller";
/// The tag by which our own file and object are known.
pub const TAG: &str = "TallyhoController";

/// What is built into a controller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// Port on which the server listens.
    pub port: u16,
    /// The table token.
    pub token: String,
}

/// Why the controller could not be installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// The game's folder is not where it should be.
    #[error(
        "no Tabletop Simulator data was found; looked in {places}. Start the game once, or name the folder of its Saved \
         Objects with --dir"
    )]
    NoGame {
        /// Where it was looked for.
        places: String,
    },
    /// The folder given does not exist.
    #[error("{0} is no folder; give the game's folder `Saves/Saved Objects` with --dir")]
    NoFolder(PathBuf),
    /// The file there is somebody else's.
    #[error("{0} is there already and is no Tallyho controller; move it away or choose another folder with --dir")]
    NotOurs(PathBuf),
    /// The system refused.
    #[error("{path}: {source}")]
    Io {
        /// File or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system refused to write the file, which it names.
    #[error("{0}")]
    Write(io::Error),
    /// A token that cannot be written into a script.
    #[error("the token may hold only letters, digits, `-`, `_`, `.` and `=`")]
    BadToken,
}

/// What an installation did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The file written.
    pub path: PathBuf,
    /// What the controller that was there before had built in, if it was another.
    pub replaced: Option<Connection>,
}

/// The whole script of a controller. Lines end with a line feed alone, as the game wants them.
///
/// # Errors
/// The token holds letters that have no place in one.
pub fn script(connection: &Connection) -> Result<String, InstallError> {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.=".contains(letter);
    if !connection.token.chars().all(allowed) {
        return Err(InstallError::BadToken);
    }
    let mut script = format!(
        "-- Tallyho {version}, controller for Tabletop Simulator. Written by `tallyho install tts`.\n\
         Install = {{ version = \"{version}\", port = \"{port}\", token = \"{token}\", first_port = {DEFAULT_PORT}, ports_tried = \
         {PORTS_TRIED} }}\n",
        version = env!("CARGO_PKG_VERSION"),
        port = connection.port,
        token = connection.token,
    );
    for (name, source) in SOURCES.into_iter().chain([("main", MAIN)]) {
        script.push_str("\n-- ==== ");
        script.push_str(name);
        script.push_str(" ====\n");
        script.push_str(&source.replace('\r', ""));
    }
    Ok(script)
}

/// The Saved Object.
///
/// # Errors
/// The token holds letters that have no place in one.
pub fn saved_object(connection: &Connection) -> Result<Value, InstallError> {
    let object = json!({
        "GUID": "7a11e0",
        "Name": "BlockSquare",
        "Transform": {
            "posX": 24.0, "posY": 1.2, "posZ": 0.0, "rotX": 0.0, "rotY": 0.0, "rotZ": 0.0,
            "scaleX": 1.0, "scaleY": 0.2, "scaleZ": 1.0
        },
        "Nickname": OBJECT_NAME,
        "Description": "Flies the solo ships. Needs `tallyho serve` on the host's computer.",
        "ColorDiffuse": { "r": 0.08, "g": 0.1, "b": 0.14 },
        "Tags": [TAG],
        "Locked": true,
        "Grid": false,
        "Snap": false,
        "IgnoreFoW": true,
        "DragSelectable": false,
        "Autoraise": false,
        "Sticky": false,
        "Tooltip": true,
        "LuaScript": script(connection)?,
        "LuaScriptState": "",
        "XmlUI": ""
    });
    Ok(json!({
        "SaveName": "",
        "GameMode": "",
        "Date": "",
        "VersionNumber": "",
        "Table": "",
        "Sky": "",
        "Note": "",
        "TabStates": {},
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "ObjectStates": [object]
    }))
}

/// What a Saved Object of ours has built in; `None` for anything else.
pub fn connection_of(saved: &Value) -> Option<Connection> {
    let object = saved.get("ObjectStates")?.get(0)?;
    let ours = object.get("Tags")?.as_array()?.iter().any(|tag| tag == TAG);
    if !ours {
        return None;
    }
    let script = object.get("LuaScript")?.as_str()?;
    let field = |name: &str| {
        let (_, rest) = script.split_once(&format!("{name} = \""))?;
        Some(rest.split_once('"')?.0.to_owned())
    };
    Some(Connection {
        port: field("port")?.parse().ok()?,
        token: field("token")?,
    })
}

/// The systems on which the game keeps its data in different places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// Windows.
    Windows,
    /// macOS.
    MacOs,
    /// Linux and whatever is like it.
    Linux,
}

impl Platform {
    /// The one this program was built for.
    pub const HERE: Platform = if cfg!(windows) {
        Platform::Windows
    } else if cfg!(target_os = "macos") {
        Platform::MacOs
    } else {
        Platform::Linux
    };
}

/// The user's folders under which the game may keep its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserFolders {
    /// The home folder.
    pub home: PathBuf,
    /// The folder `Documents` where Windows says that it lies: users and OneDrive move it, and it has other names in other
    /// languages.
    pub documents: Option<PathBuf>,
}

impl UserFolders {
    /// Those of the current user; `None` if the system does not say where the home folder is.
    pub fn of_user() -> Option<UserFolders> {
        let home = etcetera::home_dir().ok()?;
        let documents = documents_of(&home);
        Some(UserFolders { home, documents })
    }
}

/// Where Windows says that the documents of this home are. It knows only those of the real user, so another home, set by
/// `USERPROFILE`, has none.
#[cfg(windows)]
fn documents_of(home: &Path) -> Option<PathBuf> {
    use known_folders::{KnownFolder, get_known_folder_path};
    let profile = get_known_folder_path(KnownFolder::Profile)?;
    // The two may differ in case, which Windows does not mind.
    let is_users_own = profile.as_os_str().eq_ignore_ascii_case(home.as_os_str());
    is_users_own.then(|| get_known_folder_path(KnownFolder::Documents))?
}

/// Elsewhere the game does not ask for a documents folder.
#[cfg(not(windows))]
fn documents_of(_: &Path) -> Option<PathBuf> {
    None
}

/// Places where the game keeps its data on a platform, most likely first.
pub fn game_folders(platform: Platform, folders: &UserFolders) -> Vec<PathBuf> {
    let places: &[&str] = match platform {
        Platform::Windows => &[
            "Documents/My Games/Tabletop Simulator",
            "OneDrive/Documents/My Games/Tabletop Simulator",
            "My Documents/My Games/Tabletop Simulator",
        ],
        Platform::MacOs => &["Library/Tabletop Simulator"],
        Platform::Linux => &[
            ".local/share/Tabletop Simulator",
            // The Windows build under Proton, and Steam from Flatpak or Snap.
            ".steam/steam/steamapps/compatdata/286160/pfx/drive_c/users/steamuser/Documents/My Games/Tabletop Simulator",
            ".local/share/Steam/steamapps/compatdata/286160/pfx/drive_c/users/steamuser/Documents/My Games/Tabletop Simulator",
            ".var/app/com.valvesoftware.Steam/.local/share/Tabletop Simulator",
            "snap/steam/common/.local/share/Tabletop Simulator",
        ],
    };
    let documents = folders
        .documents
        .iter()
        .map(|documents| (documents, "My Games/Tabletop Simulator"));
    let mut found: Vec<PathBuf> = Vec::new();
    for (folder, place) in documents.chain(places.iter().map(|place| (&folders.home, *place))) {
        // Part by part, so that the path is shown with the system's own separators.
        let mut path = folder.clone();
        path.extend(place.split('/'));
        if !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

/// The folder of the game's Saved Objects. It is made where the game is there but the folder is not.
///
/// # Errors
/// The game's data is in none of the known places.
pub fn saved_objects_folder(user: &UserFolders) -> Result<PathBuf, InstallError> {
    let places = game_folders(Platform::HERE, user);
    let game = places.iter().find(|place| place.join("Saves").is_dir());
    let Some(game) = game.or_else(|| places.iter().find(|place| place.is_dir())) else {
        let places: Vec<String> = places.iter().map(|place| place.display().to_string()).collect();
        return Err(InstallError::NoGame {
            places: places.join(", "),
        });
    };
    let folder = game.join("Saves").join("Saved Objects");
    fs::create_dir_all(&folder).map_err(|source| InstallError::Io {
        path: folder.clone(),
        source,
    })?;
    Ok(folder)
}

/// Writes the controller into a folder. Replaces an earlier controller, and nothing else.
///
/// # Errors
/// There is no such folder, a file of that name is not ours, or the system refuses.
pub fn install(folder: &Path, connection: &Connection) -> Result<Installed, InstallError> {
    if !folder.is_dir() {
        return Err(InstallError::NoFolder(folder.to_owned()));
    }
    let path = folder.join(FILE_NAME);
    let replaced = match fs::read(&path) {
        Ok(bytes) => {
            let before = serde_json::from_slice(&bytes)
                .ok()
                .and_then(|saved| connection_of(&saved));
            match before {
                None => return Err(InstallError::NotOurs(path)),
                Some(before) => Some(before).filter(|before| before != connection),
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(source) => return Err(InstallError::Io { path, source }),
    };
    let text = serde_json::to_string_pretty(&saved_object(connection)?).unwrap_or_default();
    // The file holds the table token. It is whole or as it was: the game never reads half a file.
    write_private(&path, &text).map_err(InstallError::Write)?;
    Ok(Installed { path, replaced })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection() -> Connection {
        Connection {
            port: 4711,
            token: "abc-123_X".into(),
        }
    }

    #[test]
    fn the_connection_is_read_back_from_the_saved_object() {
        assert_eq!(connection_of(&saved_object(&connection()).unwrap()), Some(connection()));
        assert_eq!(
            connection_of(&json!({ "ObjectStates": [{ "Tags": ["Ship"], "LuaScript": "" }] })),
            None
        );
        assert_eq!(connection_of(&json!([1])), None);
    }

    #[test]
    fn a_token_cannot_break_out_of_the_script() {
        let evil = Connection {
            port: 1,
            token: "\" } os.exit() --".into(),
        };
        assert!(matches!(script(&evil), Err(InstallError::BadToken)));
    }

    #[test]
    fn every_source_file_is_bundled_once_and_main_is_last() {
        let listed: Vec<String> = SOURCES.iter().map(|(name, _)| format!("{name}.lua")).collect();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lua");
        let mut there: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".lua") && name != "main.lua")
            .collect();
        there.sort();
        let mut listed_sorted = listed;
        listed_sorted.sort();
        assert_eq!(there, listed_sorted);
        let script = script(&connection()).unwrap();
        assert!(script.rfind("-- ==== main ====") > script.rfind("-- ==== presses ===="));
        assert!(!script.contains('\r'));
    }

    #[test]
    fn it_replaces_its_own_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let first = install(folder.path(), &connection()).unwrap();
        assert_eq!(first.replaced, None);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&first.path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        let again = install(folder.path(), &connection()).unwrap();
        assert_eq!(again.replaced, None, "the same again is no change");
        let other = Connection {
            port: 4712,
            ..connection()
        };
        let changed = install(folder.path(), &other).unwrap();
        assert_eq!(changed.replaced, Some(connection()));
        fs::write(folder.path().join(FILE_NAME), "{\"ObjectStates\":[]}").unwrap();
        assert!(matches!(install(folder.path(), &other), Err(InstallError::NotOurs(_))));
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "nothing else is left behind"
        );
    }

    #[test]
    fn the_folder_is_found_or_the_places_are_named() {
        let home = tempfile::tempdir().unwrap();
        let user = UserFolders {
            home: home.path().to_owned(),
            documents: None,
        };
        let error = saved_objects_folder(&user).unwrap_err().to_string();
        assert!(
            error.contains("--dir") && error.contains("Tabletop Simulator"),
            "{error}"
        );
        let place = &game_folders(Platform::HERE, &user)[0];
        fs::create_dir_all(place).unwrap();
        let folder = saved_objects_folder(&user).unwrap();
        assert_eq!(folder, place.join("Saves").join("Saved Objects"));
        assert!(folder.is_dir());
    }

    #[test]
    fn moved_documents_come_before_the_usual_ones() {
        let game = |documents: &Path| documents.join("My Games").join("Tabletop Simulator");
        let home = PathBuf::from("home");
        let usual = home.join("Documents");
        for documents in [None, Some(usual.clone())] {
            let user = UserFolders {
                home: home.clone(),
                documents,
            };
            let places = game_folders(Platform::Windows, &user);
            assert_eq!(places[0], game(&usual));
            assert_eq!(places.len(), 3, "none is named twice: {places:?}");
        }
        // On another drive, in another language, in a firm's OneDrive.
        for moved in ["other/Dokumente", "home/OneDrive - Firm/Documents"] {
            let user = UserFolders {
                home: home.clone(),
                documents: Some(moved.into()),
            };
            let places = game_folders(Platform::Windows, &user);
            assert_eq!(places[..2], [game(Path::new(moved)), game(&usual)]);
            assert_eq!(places.len(), 4);
            // The game is found there although there is an empty folder at the usual place.
            let root = tempfile::tempdir().unwrap();
            let under = UserFolders {
                home: root.path().join("home"),
                documents: Some(root.path().join(moved)),
            };
            fs::create_dir_all(&game_folders(Platform::HERE, &under)[1]).unwrap();
            let place = game_folders(Platform::HERE, &under)[0].join("Saves");
            fs::create_dir_all(&place).unwrap();
            assert_eq!(saved_objects_folder(&under).unwrap(), place.join("Saved Objects"));
        }
    }

    #[test]
    fn each_platform_has_its_places_under_the_home() {
        let user = UserFolders {
            home: "home".into(),
            documents: None,
        };
        for platform in [Platform::Windows, Platform::MacOs, Platform::Linux] {
            let places = game_folders(platform, &user);
            assert!(places.iter().all(|place| place.starts_with("home")), "{places:?}");
            assert!(
                places.iter().all(|place| place.ends_with("Tabletop Simulator")),
                "{places:?}"
            );
        }
    }
}
