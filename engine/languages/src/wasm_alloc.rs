//! The C allocator of the grammars, over Rust's.
//!
//! tree-sitter-language brings a `malloc` that takes all memory up to the end for its own, and so does Rust's allocator:
//! together they corrupt the heap at the first recovery from a syntax error. Hence C's is defined here over Rust's; the
//! component is linked so that these definitions win.

#![allow(unsafe_code, reason = "these are C's interfaces")]
#![allow(clippy::missing_safety_doc, reason = "C's contract, word for word")]

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc as grow};

/// Room for the size before each block; also its alignment. C promises 16 for `long double`, which no scanner uses; 8 is
/// what Rust's allocator gives without going out of its way.
const HEADER: usize = 8;

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEADER)?, HEADER).ok()
}

/// Writes the size into the header and gives what comes after it; null stays null.
unsafe fn with_header(block: *mut u8, size: usize) -> *mut u8 {
    if block.is_null() {
        return block;
    }
    // SAFETY: the block has HEADER bytes more than `size`, and is aligned for them.
    unsafe {
        block.cast::<usize>().write(size);
        block.add(HEADER)
    }
}

/// C's `malloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn malloc(size: usize) -> *mut u8 {
    let Some(layout) = layout(size) else { return std::ptr::null_mut() };
    // SAFETY: the layout has at least HEADER bytes.
    unsafe { with_header(alloc(layout), size) }
}

/// C's `calloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut u8 {
    let Some(size) = count.checked_mul(size) else { return std::ptr::null_mut() };
    let Some(layout) = layout(size) else { return std::ptr::null_mut() };
    // SAFETY: the layout has at least HEADER bytes.
    unsafe { with_header(alloc_zeroed(layout), size) }
}

/// C's `realloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn realloc(pointer: *mut u8, size: usize) -> *mut u8 {
    if pointer.is_null() {
        // SAFETY: as for malloc.
        return unsafe { malloc(size) };
    }
    // SAFETY: a pointer that is not null came from here, with its header before it.
    unsafe {
        let block = pointer.sub(HEADER);
        let (Some(old), Some(new)) = (layout(block.cast::<usize>().read()), layout(size)) else {
            return std::ptr::null_mut();
        };
        with_header(grow(block, old, new.size()), size)
    }
}

/// C's `free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(pointer: *mut u8) {
    if pointer.is_null() {
        return;
    }
    // SAFETY: a pointer that is not null came from here, with its header before it.
    unsafe {
        let block = pointer.sub(HEADER);
        if let Some(layout) = layout(block.cast::<usize>().read()) {
            dealloc(block, layout);
        }
    }
}

/// C's `exit`, which one scanner calls where it has met an impossible state: a trap, which costs that file its structure.
#[unsafe(no_mangle)]
pub extern "C" fn exit(_code: i32) -> ! {
    std::arch::wasm32::unreachable()
}
