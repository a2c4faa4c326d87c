//! One server a user: the lock, and the file that says where it runs.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};

use crate::private_file::{create_folder, in_file, write_private};

/// Where things are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// Tokens.
    pub config: PathBuf,
    /// Instance file, lock, logs.
    pub state: PathBuf,
}

impl Folders {
    /// The user's own: `%APPDATA%` and `%LOCALAPPDATA%` on Windows, the XDG folders elsewhere. `TALLYHO_HOME` puts everything
    /// into one folder instead.
    ///
    /// # Errors
    /// The system does not say where the user's folders are.
    pub fn of_user() -> io::Result<Folders> {
        if let Some(home) = std::env::var_os("TALLYHO_HOME").filter(|home| !home.is_empty()) {
            return Ok(Folders::within(Path::new(&home)));
        }
        let base = etcetera::choose_base_strategy().map_err(|error| {
            io::Error::new(
                io::ErrorKind::NotFound,
                format!("no home folder ({error}); set TALLYHO_HOME"),
            )
        })?;
        // Windows has no folder for state; what need not follow the user to other machines goes where its caches are.
        let state = base.state_dir().unwrap_or_else(|| base.cache_dir());
        Ok(Folders {
            config: base.config_dir().join("tallyho"),
            state: state.join("tallyho"),
        })
    }

    /// Everything in one folder.
    pub fn within(folder: &Path) -> Folders {
        Folders {
            config: folder.to_owned(),
            state: folder.to_owned(),
        }
    }

    /// The file with the tokens.
    pub fn tokens(&self) -> PathBuf {
        self.config.join("tokens.json")
    }

    /// The file that says where the server runs.
    pub fn instance(&self) -> PathBuf {
        self.state.join("instance.json")
    }

    /// The folder of the logs.
    pub fn logs(&self) -> PathBuf {
        self.state.join("logs")
    }

    /// The folder with the records of games.
    pub fn games(&self) -> PathBuf {
        self.state.join("games")
    }

    fn lock(&self) -> PathBuf {
        self.state.join("instance.lock")
    }
}

/// What the instance file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Instance {
    /// Process id.
    pub pid: u32,
    /// Port on 127.0.0.1.
    pub port: u16,
    /// Protocol version.
    pub protocol: u32,
    /// Program version.
    pub version: String,
    /// Seconds since 1970.
    pub started_at: u64,
    /// The file with the tokens; readable by the user alone.
    pub token_file: PathBuf,
}

impl Instance {
    /// This process, on this port.
    pub fn here(port: u16, token_file: PathBuf) -> Instance {
        Instance {
            pid: std::process::id(),
            port,
            protocol: crate::protocol::PROTOCOL_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |time| time.as_secs()),
            token_file,
        }
    }

    /// The server that runs now, if one does: the file counts only while its lock is held.
    ///
    /// # Errors
    /// The files cannot be read.
    pub fn running(folders: &Folders) -> io::Result<Option<Instance>> {
        let lock = match File::open(folders.lock()) {
            Ok(lock) => lock,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(in_file(&folders.lock(), error)),
        };
        match lock.try_lock_shared() {
            Ok(()) => Ok(None),
            Err(TryLockError::WouldBlock) => Instance::read(&folders.instance()),
            Err(TryLockError::Error(error)) => Err(in_file(&folders.lock(), error)),
        }
    }

    fn read(path: &Path) -> io::Result<Option<Instance>> {
        match std::fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text)
                .map(Some)
                .map_err(|error| in_file(path, error.into())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(in_file(path, error)),
        }
    }
}

/// The lock, held as long as this lives; the instance file goes with it.
#[derive(Debug)]
pub struct InstanceLock {
    lock: File,
    folders: Folders,
    published: bool,
}

/// Why the lock was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another server holds it.
    #[error("{}", already_running(.0.as_ref()))]
    Running(Option<Instance>),
    /// The folder or the file cannot be used.
    #[error(transparent)]
    Io(#[from] io::Error),
}

fn already_running(instance: Option<&Instance>) -> String {
    match instance {
        Some(instance) => format!(
            "tallyho is already running: process {}, http://127.0.0.1:{} (`tallyho status` asks it)",
            instance.pid, instance.port
        ),
        None => "tallyho is already running; it has not said yet where".to_owned(),
    }
}

impl InstanceLock {
    /// Takes the lock.
    ///
    /// # Errors
    /// Another server holds it, or the file cannot be used.
    pub fn take(folders: &Folders) -> Result<InstanceLock, LockError> {
        create_folder(&folders.state)?;
        let path = folders.lock();
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .read(true)
            .open(&path)
            .map_err(|error| in_file(&path, error))?;
        match lock.try_lock() {
            Ok(()) => Ok(InstanceLock {
                lock,
                folders: folders.clone(),
                published: false,
            }),
            Err(TryLockError::WouldBlock) => {
                Err(LockError::Running(Instance::read(&folders.instance()).ok().flatten()))
            }
            Err(TryLockError::Error(error)) => Err(in_file(&path, error).into()),
        }
    }

    /// Writes the instance file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn publish(&mut self, instance: &Instance) -> io::Result<()> {
        write_private(&self.folders.instance(), &serde_json::to_string(instance)?)?;
        self.published = true;
        Ok(())
    }
}

impl Drop for InstanceLock {
    fn drop(&mut self) {
        if self.published {
            // A file that stays behind does no harm: it counts only while the lock is held.
            let _ = std::fs::remove_file(self.folders.instance());
        }
        let _ = self.lock.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_one_is_told_where_the_first_one_is() {
        let home = tempfile::tempdir().unwrap();
        let folders = Folders::within(home.path());
        assert_eq!(Instance::running(&folders).unwrap(), None);
        let mut lock = InstanceLock::take(&folders).unwrap();
        assert!(matches!(InstanceLock::take(&folders), Err(LockError::Running(None))));
        let instance = Instance::here(5000, folders.tokens());
        lock.publish(&instance).unwrap();
        assert_eq!(Instance::running(&folders).unwrap(), Some(instance));
        let error = InstanceLock::take(&folders).unwrap_err().to_string();
        assert!(error.contains("http://127.0.0.1:5000"), "{error}");
        drop(lock);
        assert_eq!(Instance::running(&folders).unwrap(), None);
        assert!(!folders.instance().exists());
    }

    #[test]
    fn a_stale_file_is_no_server() {
        let home = tempfile::tempdir().unwrap();
        let folders = Folders::within(home.path());
        let mut lock = InstanceLock::take(&folders).unwrap();
        lock.publish(&Instance::here(5000, folders.tokens())).unwrap();
        let text = std::fs::read_to_string(folders.instance()).unwrap();
        drop(lock);
        std::fs::write(folders.instance(), text).unwrap();
        assert_eq!(Instance::running(&folders).unwrap(), None);
        InstanceLock::take(&folders).unwrap();
    }
}
