//! The requests, a file each or two that belong together: parameters and the world in, a result out.

pub mod calls;
pub mod diagnostics;
pub mod highlight;
pub mod hover;
pub mod places;
pub mod search;
pub mod symbols;
