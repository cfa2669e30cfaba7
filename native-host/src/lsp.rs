//! The language server: the session behind the editors' protocol, on two streams.
//!
//! One thread reads, one writes, one owns what is open ([`server`]), and a few answer requests, each with the world as it was
//! when its request came. So an edit or a cancellation never waits for an answer. Every byte that is written is the
//! protocol's, and the end of the input ends everything.

mod client;
mod convert;
mod failure;
mod features;
mod frames;
mod pool;
mod requests;
mod server;
mod text;
mod uri;
mod world;

pub use features::{Feature, Features};
pub use server::{Options, serve};
