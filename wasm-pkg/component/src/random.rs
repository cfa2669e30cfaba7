//! The source of randomness, which is none: tantivy wants random names for its segments, and nothing reads them.
//!
//! The engine has no import, so there is nobody to ask; and the same bytes must come out twice.

/// Fills the buffer with a fixed sequence (splitmix64 from a fixed seed, going on from call to call so that names differ).
///
/// # Safety
/// `dest` must point to `len` writable bytes; getrandom promises that.
#[allow(unsafe_code, reason = "the signature is getrandom's")]
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(dest: *mut u8, len: usize) -> Result<(), getrandom::Error> {
    use std::cell::Cell;
    thread_local! {
        static STATE: Cell<u64> = const { Cell::new(0x5EEC_3E11) };
    }
    // SAFETY: the caller promises that the buffer is there.
    let buffer = unsafe { std::slice::from_raw_parts_mut(dest, len) };
    for chunk in buffer.chunks_mut(8) {
        let state = STATE.get().wrapping_add(0x9E37_79B9_7F4A_7C15);
        STATE.set(state);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        chunk.copy_from_slice(&z.to_le_bytes()[..chunk.len()]);
    }
    Ok(())
}
