#!/bin/sh
# Everything that must hold, step by step; `./x test` calls this when all is built. The last line sums up all tests.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"
target=${CARGO_TARGET_DIR:-$top/target}
# Set for every step: the host is compiled anew when this changes.
export SEEKWELL_COMPONENT="${SEEKWELL_COMPONENT:-$target/component/seekwell.cwasm}"
export SEEKWELL_BINARY="${SEEKWELL_BINARY:-$target/release/seekwell}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/results"
started=$(date +%s)
failures=
extra=0

elapsed() { echo $(($(date +%s) - started)); }

# step NAME COMMAND...: runs it quietly; what it printed is shown if it fails.
step() {
    name=$1
    shift
    printf 'test: [%4s s] %s ... ' "$(elapsed)" "$name"
    before=$(date +%s)
    code=0
    "$@" >"$work/log" 2>&1 </dev/null || code=$?
    grep '^test result:' "$work/log" >"$work/step" || true
    cat "$work/step" >>"$work/results"
    count=$(sum passed "$work/step")
    [ "$count" = 0 ] || printf '%s passed, ' "$count"
    if [ "$code" = 0 ]; then
        printf 'ok (%s s)\n' $(($(date +%s) - before))
        # What could not be run here is said, with the reason.
        sed -n 's/^skipped /    skipped: /p' "$work/log"
        return
    fi
    printf 'FAILED (%s s)\n' $(($(date +%s) - before))
    sed 's/^/    /' "$work/log"
    failures="$failures
    $name"
    # A step that fails without a failing test (a lint, a compiler error) counts as one.
    [ "$(sum failed "$work/step")" != 0 ] || extra=$((extra + 1))
}

# sum WORD FILE: adds up the numbers before a word in cargo's result lines.
sum() {
    awk -v word="$1" '{ for (i = 2; i <= NF; i++) if ($i == word ";") n += $(i - 1) } END { print n + 0 }' "$2"
}

for tool in fmt clippy; do
    cargo $tool --version >/dev/null 2>&1 && continue
    package=$([ $tool = fmt ] && echo rustfmt || echo clippy)
    echo "test: installing $package, which this toolchain lacks"
    rustup component add "$package"
done

step 'tidy' "$target/release/xtask" tidy
step 'format (cargo fmt --all mends it)' cargo fmt --all -- --check -l
# In the release profile, whose dependencies are compiled already.
step 'lints, native' cargo clippy --quiet --release --workspace --all-targets -- -D warnings
step 'lints, WebAssembly' sh -c ". engine/languages/wasm-env.sh &&
    exec cargo clippy --quiet --release -p seekwell-component -p seekwell-browser --target wasm32-unknown-unknown -- -D warnings"

# One call for all but xtask: the dependencies are then compiled for one set of features, once. xtask is apart, so that the
# host is not linked with its compiler.
step 'tests of the engine, the host and the suite on three drivers' cargo test --quiet --release --no-fail-fast \
    -p seekwell-types -p seekwell-admit -p seekwell-core -p seekwell-models -p seekwell-languages -p seekwell -p seekwell-tests
step "programs for the package's tests" npm --prefix tests/browser ci --no-audit --no-fund --loglevel error
step 'the package for JavaScript in Node' node tests/browser/run.js suite session package
step 'the package for JavaScript in Chromium' node tests/browser/run.js chromium
step 'the example host in Rust' cargo build --quiet --release -p xtask --example plugin
step 'the component as a plugin, in three languages' node tests/browser/run.js plugin
step 'tests of xtask' cargo test --quiet --release --no-fail-fast -p xtask

step 'size of the page' npm --prefix web-demo run --silent size
step 'the page in Chromium' npm --prefix web-demo run --silent test

failed=$(($(sum failed "$work/results") + extra))
[ -z "$failures" ] || printf 'test: failed after %s s:%s\n' "$(elapsed)" "$failures"
printf '%s passed, %s failed\n' "$(sum passed "$work/results")" "$failed"
[ -z "$failures" ] && [ "$failed" = 0 ]
