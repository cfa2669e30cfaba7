//! The engine's settings, shared by the host, which runs the component, and xtask, which compiles it ahead: a precompiled
//! component is accepted only where both agree.

use wasmtime::{Config, Inlining};

/// Stack of the guest, in bytes, below the stack of every thread that runs it ([`THREAD_STACK`]): wasmtime trusts the
/// number, and a guest stack larger than what is left of the thread's would bring the process down.
pub const GUEST_STACK: usize = 1 << 20;

/// Stack of the threads that run the guest, in bytes.
pub const THREAD_STACK: usize = GUEST_STACK + (1 << 20);

/// The settings. Everything else stands at wasmtime's defaults: the 4 GiB reservation and the guard pages alone are
/// worth half of the engine's speed.
pub fn config() -> Config {
    let mut config = Config::new();
    config.compiler_inlining(Inlining::Yes);
    config.max_wasm_stack(GUEST_STACK);
    config
}
