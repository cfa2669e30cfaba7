//! Why a request has no answer, with the protocol's number for it.

use serde_json::{Value, json};

use crate::engine::Failed;
use crate::session;

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The message is not one of the protocol, or comes at the wrong time.
    Request(String),
    /// There is no such method, or it is switched off.
    Method(String),
    /// Its parameters cannot be used.
    Params(String),
    /// Nothing was agreed yet.
    TooEarly,
    /// The client wants no answer any more.
    Cancelled,
    /// It could not be done.
    Failed(String),
    /// A fault of ours.
    Internal(String),
}

impl Failure {
    /// The error object of a response.
    pub fn object(&self) -> Value {
        let (code, message) = match self {
            Self::Request(why) => (-32600, why.as_str()),
            Self::Method(why) => (-32601, why.as_str()),
            Self::Params(why) => (-32602, why.as_str()),
            Self::Internal(why) => (-32603, why.as_str()),
            Self::TooEarly => (-32002, "initialize comes first"),
            Self::Cancelled => (-32800, "cancelled"),
            Self::Failed(why) => (-32803, why.as_str()),
        };
        json!({"code": code, "message": message})
    }
}

impl From<session::Error> for Failure {
    fn from(error: session::Error) -> Self {
        match error {
            session::Error::Cancelled => Self::Cancelled,
            session::Error::Regex { .. } | session::Error::Glob { .. } => Self::Params(error.to_string()),
            other => Self::Failed(other.to_string()),
        }
    }
}

impl From<Failed> for Failure {
    fn from(failed: Failed) -> Self {
        Self::Failed(format!("the engine failed: {failed}"))
    }
}
