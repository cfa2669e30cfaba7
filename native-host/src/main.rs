//! The `seekwell` binary. Everything is in the library, where tests and other programs can reach it.

use std::process::ExitCode;

fn main() -> ExitCode {
    seekwell::cli::main()
}
