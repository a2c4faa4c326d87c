//! Ctrl-C while something long is under way: the first one asks it to stop and keep what is done, the second one ends the
//! program at once.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use anyhow::Context as _;

/// The exit code of a program that Ctrl-C has ended, by the custom of shells.
const INTERRUPTED: i32 = 130;

/// A flag that the first Ctrl-C sets, on Windows, macOS and Linux alike.
///
/// # Errors
/// The system does not let the program watch for it.
pub(super) fn watch() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .context("cannot watch for Ctrl-C")?;
    let set = Arc::clone(&stop);
    std::thread::spawn(move || {
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                if set.swap(true, Ordering::Relaxed) {
                    std::process::exit(INTERRUPTED);
                }
                crate::cli::console::tell!("stopping and keeping what is done; Ctrl-C again to end at once");
            }
        });
    });
    Ok(stop)
}
