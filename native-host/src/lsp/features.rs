//! What the server offers, feature by feature: each can be switched off, since it runs beside other servers.

use std::str::FromStr;

use serde_json::Value;

/// A feature of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// `textDocument/documentSymbol`.
    DocumentSymbol,
    /// `workspace/symbol`.
    WorkspaceSymbol,
    /// `textDocument/definition`.
    Definition,
    /// `textDocument/references`.
    References,
    /// `textDocument/implementation`.
    Implementation,
    /// `textDocument/hover`.
    Hover,
    /// `textDocument/prepareCallHierarchy` and what follows it.
    CallHierarchy,
    /// `textDocument/documentHighlight`.
    DocumentHighlight,
    /// Errors of syntax. Off unless asked for: a language's own server tells them better.
    Diagnostics,
    /// The command `seekwell.search`.
    Search,
}

impl Feature {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::DocumentSymbol,
        Self::WorkspaceSymbol,
        Self::Definition,
        Self::References,
        Self::Implementation,
        Self::Hover,
        Self::CallHierarchy,
        Self::DocumentHighlight,
        Self::Diagnostics,
        Self::Search,
    ];

    /// The word for it, as the protocol writes it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::DocumentSymbol => "documentSymbol",
            Self::WorkspaceSymbol => "workspaceSymbol",
            Self::Definition => "definition",
            Self::References => "references",
            Self::Implementation => "implementation",
            Self::Hover => "hover",
            Self::CallHierarchy => "callHierarchy",
            Self::DocumentHighlight => "documentHighlight",
            Self::Diagnostics => "diagnostics",
            Self::Search => "search",
        }
    }
}

impl FromStr for Feature {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, String> {
        let letters = |word: &str| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
        Self::ALL.into_iter().find(|feature| letters(feature.word()) == letters(typed)).ok_or_else(|| {
            format!("no feature is called {typed:?}; there are {}", Self::ALL.map(Self::word).join(", "))
        })
    }
}

/// Which features are on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features(Vec<Feature>);

impl Default for Features {
    fn default() -> Self {
        Self(Feature::ALL.into_iter().filter(|feature| *feature != Feature::Diagnostics).collect())
    }
}

impl Features {
    /// Whether a feature is on.
    pub fn has(&self, feature: Feature) -> bool {
        self.0.contains(&feature)
    }

    /// Switches a feature.
    pub fn set(&mut self, feature: Feature, on: bool) {
        self.0.retain(|other| *other != feature);
        if on {
            self.0.push(feature);
        }
    }

    /// Takes what `initializationOptions` say: `{"enable": [...], "disable": [...]}`. Returns what of it is not understood, a
    /// sentence each.
    pub fn take(&mut self, options: &Value) -> Vec<String> {
        let Some(options) = options.as_object() else { return Vec::new() };
        let mut faults = Vec::new();
        for (key, value) in options {
            let on = match key.as_str() {
                "enable" => true,
                "disable" => false,
                _ => {
                    faults.push(format!("initializationOptions has no {key:?}; it has enable and disable"));
                    continue;
                }
            };
            let Some(words) = value.as_array() else {
                faults.push(format!("initializationOptions.{key} is not a list of features"));
                continue;
            };
            for word in words {
                match word.as_str().map(Feature::from_str) {
                    Some(Ok(feature)) => self.set(feature, on),
                    Some(Err(fault)) => faults.push(fault),
                    None => faults.push(format!("initializationOptions.{key}: not a word: {word}")),
                }
            }
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn switches() {
        let mut features = Features::default();
        assert!(features.has(Feature::Hover) && !features.has(Feature::Diagnostics));
        assert_eq!(features.take(&json!({"enable": ["diagnostics"], "disable": ["hover", "call-hierarchy"]})), [""; 0]);
        assert!(!features.has(Feature::Hover) && features.has(Feature::Diagnostics));
        assert!(!features.has(Feature::CallHierarchy));
        let faults = features.take(&json!({"disabled": [], "enable": "hover", "disable": ["hoover", 1]}));
        assert_eq!(faults.len(), 4, "{faults:?}");
        assert_eq!(features.take(&json!(null)), [""; 0]);
    }

    #[test]
    fn words_are_read_in_any_case() {
        for feature in Feature::ALL {
            assert_eq!(feature.word().parse(), Ok(feature));
        }
        assert_eq!("document-symbol".parse(), Ok(Feature::DocumentSymbol));
        assert!("x".parse::<Feature>().unwrap_err().contains("documentSymbol"));
    }
}
