//! The server for agents, driven by clients: the official ones, in both eras of the protocol, and one of our own that says
//! what no good client would.
//!
//! `SEEKWELL_BINARY` names the binary. The official clients are installed from their registries at the first run;
//! `SEEKWELL_OFFLINE=1` does without them, and says so.

mod mcp {
    pub mod client;
    pub mod official;
    pub mod tree;

    mod answers;
    mod arguments;
    mod endings;
    mod failures;
    mod http;
    mod lists;
    mod roots;
    mod setup;
}
