//! What can go wrong that a caller can act on.

/// An error of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The question holds no text. Ask something.
    EmptyQuery,
    /// A regular expression that cannot be read: the pattern and what is wrong with it.
    Pattern(String),
    /// A glob that cannot be read: the glob and what is wrong with it.
    Glob(String),
    /// A blob that this engine did not make, or a damaged one. Analyse the file again.
    Blob,
    /// A snapshot that this engine did not make, or a damaged one. Build the generation from analyses.
    Snapshot,
    /// A question before the first commit. Commit first.
    NotCommitted,
    /// The lexical index failed; its own words. Out of memory, as far as is known.
    Index(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::EmptyQuery => f.write_str("the query is empty"),
            Self::Pattern(why) => write!(f, "not a regular expression: {why}"),
            Self::Glob(why) => write!(f, "not a glob: {why}"),
            Self::Blob => f.write_str("not an analysis of this engine"),
            Self::Snapshot => f.write_str("not a snapshot of this engine"),
            Self::NotCommitted => f.write_str("nothing was committed yet"),
            Self::Index(why) => write!(f, "the index failed: {why}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<tantivy::TantivyError> for Error {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Index(error.to_string())
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Index(error.to_string())
    }
}
