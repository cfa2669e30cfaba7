//! The real binary on trees made for the occasion: what goes wrong, what comes out, and that it is the same every time.
//!
//! `SEEKWELL_BINARY` names the binary, `SEEKWELL_COMPONENT` the compiled component that it was built with; `./x test` sets
//! both. A check that this machine cannot make prints why it is passed over.

mod binary {
    mod support;

    mod alone;
    mod bad_input;
    mod budgets;
    mod contract;
    mod deep;
    mod determinism;
    mod encodings;
    mod endings;
    mod filters;
    mod languages;
    mod pages;
    mod peers;
    mod queries;
    mod sandbox;
    mod store;
    mod structure;
    mod tree;
}
