//! The native host: everything around the engine that touches a machine.

pub mod cli;
pub mod component;
pub mod config;
pub mod engine;
pub mod mcp;
pub mod lsp;
pub mod progress;
pub mod session;
pub mod store;
pub mod walk;
pub mod watch;

/// Answers as text.
pub use seekwell_print as print;
