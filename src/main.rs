//! The `tallyho` program: parses the command line and hands over to [`tallyho::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    tallyho::cli::main()
}
