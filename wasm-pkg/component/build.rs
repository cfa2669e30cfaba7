//! Link settings of the component. They stand here and not in RUSTFLAGS, whose change would rebuild the grammars.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        // The grammars' C library and the engine's own allocator both define malloc; the first, ours, wins.
        println!("cargo:rustc-link-arg-cdylib=--allow-multiple-definition");
        // The shadow stack stands at address 0, so that its overflow traps instead of overwriting data.
        println!("cargo:rustc-link-arg-cdylib=--stack-first");
        println!("cargo:rustc-link-arg-cdylib=-zstack-size=1048576");
    }
}
