//! Where the log goes: a file a day, seven kept, and the console (stderr; stdout belongs to programs).

use std::io::{self, IsTerminal};
use std::path::Path;

use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::WorkerGuard;
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::private_file::create_folder;

/// How many daily files are kept.
const KEPT: usize = 7;

/// Target of the error that a command ends with: the command line prints it itself, so only the file gets it from here.
pub const OUTCOME: &str = "outcome";

/// Whether the log on stderr is coloured: for people, and not on Windows, whose older consoles show the codes as letters.
pub fn colours() -> bool {
    !cfg!(windows) && io::stderr().is_terminal()
}

/// Starts logging into `folder` and, from `console` on, to stderr. `TALLYHO_LOG` sets the filter of the file (`info`
/// otherwise). What is still unwritten is written when the guard is dropped.
///
/// # Errors
/// The folder cannot be used.
pub fn start(folder: &Path, console: LevelFilter) -> io::Result<WorkerGuard> {
    create_folder(folder)?;
    let appender = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("tallyho")
        .filename_suffix("log")
        .max_log_files(KEPT)
        .build(folder)
        .map_err(io::Error::other)?;
    let (writer, guard) = tracing_appender::non_blocking(appender);
    let filter = EnvFilter::builder()
        .with_default_directive(LevelFilter::INFO.into())
        .with_env_var("TALLYHO_LOG")
        .from_env_lossy();
    let file = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_writer(writer)
        .with_filter(filter);
    let stderr = tracing_subscriber::fmt::layer()
        .without_time()
        .with_target(false)
        .with_ansi(colours())
        .with_writer(io::stderr)
        .with_filter(
            Targets::new()
                .with_default(console)
                .with_target(OUTCOME, LevelFilter::OFF),
        );
    // In a test process another one may be there already; then that one stays.
    let _ = tracing_subscriber::registry().with(file).with(stderr).try_init();
    Ok(guard)
}
