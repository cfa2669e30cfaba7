//! Holds nothing: the package exists for its dependencies.
