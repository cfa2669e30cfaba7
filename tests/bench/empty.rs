//! No code: the manifests beside it only name crates whose sources are a corpus.
