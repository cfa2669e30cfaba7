#!/bin/sh
# Puts the standard library for wasm32-unknown-unknown into the active Rust toolchain.
#
# `rustup target add` is the ordinary way and is tried first. Where rustup cannot download, the
# library is built from source: Debian ships the source of several compiler versions side by side
# (package rust-src, suite trixie-backports), and -Zbuild-std builds it with the compiler at hand.
# The system's own apt sources and state are left as they are.
set -eu

target=wasm32-unknown-unknown
sysroot=$(rustc --print sysroot)
version=$(rustc -V | cut -d' ' -f2)
lib=$sysroot/lib/rustlib/$target/lib

have() { ls "$lib"/libcore-*.rlib >/dev/null 2>&1 && ls "$lib"/libstd-*.rlib >/dev/null 2>&1; }
if have; then exit 0; fi

echo "x: installing Rust's standard library for $target: the engine is compiled to WebAssembly" >&2
if command -v rustup >/dev/null 2>&1 && timeout 120 rustup target add "$target" >/dev/null 2>&1 && have; then exit 0; fi

echo "x: rustup cannot download it; building it from Debian's rust-src $version (about 25 s)" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ ! -f "$sysroot/lib/rustlib/src/rust/library/std/Cargo.toml" ]; then
    # The archive's address is taken from the machine's own sources, so that a mirror stays a mirror.
    uri=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
        sed -n -e 's/^URIs: *\([^ ]*\/debian\)\/* *$/\1/p' -e 's/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\/debian\)\/* .*/\2/p' | head -n 1)
    if [ -z "$uri" ]; then
        echo "x: no Debian archive among this machine's apt sources; run: rustup target add $target" >&2
        exit 1
    fi
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri trixie-backports main" >"$work/sources.list"
    private="-o Dir::Etc::sourcelist=$work/sources.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$work/lists -o Dir::Cache=$work/cache -o APT::Sandbox::User=root"
    # shellcheck disable=SC2086  # the options are words
    apt-get $private update >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    # shellcheck disable=SC2086
    package=$(apt-cache $private madison rust-src | sed -n "s/^ *rust-src *| *\($version[^ ]*\) .*/\1/p" | head -n 1)
    if [ -z "$package" ]; then
        echo "x: Debian has no rust-src for rustc $version; run: rustup target add $target" >&2
        exit 1
    fi
    # shellcheck disable=SC2086
    (cd "$work" && apt-get $private download "rust-src=$package" >log 2>&1) || { cat "$work/log" >&2; exit 1; }
    dpkg -x "$work"/rust-src_*.deb "$work/src"
    mkdir -p "$sysroot/lib/rustlib/src/rust"
    cp -r "$work/src/usr/src/rustc-$version/library" "$sysroot/lib/rustlib/src/rust/library"
fi

mkdir -p "$work/empty/src"
printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n' >"$work/empty/Cargo.toml"
: >"$work/empty/src/lib.rs"
(cd "$work/empty" && env -u RUSTFLAGS RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$work/target" \
    cargo build --quiet --release -Zbuild-std=std,panic_abort --target "$target")
mkdir -p "$lib"
for rlib in "$work/target/$target/release/deps"/*.rlib; do
    case $rlib in */libempty-*) ;; *) cp "$rlib" "$lib/" ;; esac
done
have || { echo "x: the build left no standard library in $lib" >&2; exit 1; }
