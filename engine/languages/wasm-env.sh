# The C compiler for the grammars when they are built for WebAssembly. To be sourced at the repository's top.
#
# The headers are copied to the target folder under a name with their checksum: flags that named this checkout would
# have another checkout, with the same target folder, compile all grammars anew.
seekwell_include=${CARGO_TARGET_DIR:-$(pwd)/target}/wasm-include-$(cat engine/languages/wasm-include/*.h | cksum | cut -d' ' -f1)
mkdir -p "$seekwell_include"
cp engine/languages/wasm-include/*.h "$seekwell_include/"
export CC_wasm32_unknown_unknown=clang-19
export AR_wasm32_unknown_unknown=llvm-ar
# Freestanding, so that clang's own headers stand by themselves; -fbuiltin, so that memcpy of a few bytes is still a load
# and a store. Bulk memory and SIMD as for the Rust code.
export CFLAGS_wasm32_unknown_unknown="-ffreestanding -fbuiltin -DNDEBUG -msimd128 -mbulk-memory -isystem $seekwell_include -include seekwell_libc.h -Wno-everything"
