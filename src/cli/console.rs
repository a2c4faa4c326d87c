//! The console: notes on standard error, and the window of Windows, which closes with the program that it was opened for.

/// Writes a line to standard error. Where nobody listens any more (a pipe that was closed) it is not written, and that is all.
macro_rules! tell {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

pub(in crate::cli) use tell;

#[cfg(windows)]
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// After a failure: keeps a window open that a double click opened, until its user has read what it says.
pub(super) fn let_it_be_read() {
    use std::io::{IsTerminal as _, stdin};
    if opened_by_double_click() && stdin().is_terminal() {
        crate::cli::console::tell!("\nPress Enter to close this window.");
        // Whatever comes, the window may close then.
        let _ = stdin().read_line(&mut String::new());
    }
}

/// Whether the program was started from the desktop or a folder's window, not from a shell.
#[cfg(windows)]
fn opened_by_double_click() -> bool {
    let mut system = System::new();
    let own = Pid::from_u32(std::process::id());
    look_at(&mut system, own);
    let Some(parent) = system.process(own).and_then(sysinfo::Process::parent) else {
        return false;
    };
    look_at(&mut system, parent);
    let shell = system.process(parent);
    shell.is_some_and(|process| process.name().eq_ignore_ascii_case("explorer.exe"))
}

/// Learns about one process.
#[cfg(windows)]
fn look_at(system: &mut System, process: Pid) {
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), true, ProcessRefreshKind::nothing());
}

/// Elsewhere the window stays.
#[cfg(not(windows))]
fn opened_by_double_click() -> bool {
    false
}
