//! The engine's nouns -> the protocol's.

use lsp_types::{Location, LocationLink, Range, SymbolKind};
use seekwell_types::structure::{Confidence, Row, Symbol};

use super::world::Answered;

/// The protocol's kind of a symbol.
pub fn kind(symbol: &Symbol) -> SymbolKind {
    match symbol.kind.as_str() {
        "module" => SymbolKind::MODULE,
        // These have no classes.
        "class" if matches!(symbol.language.as_str(), "rust" | "go" | "c" | "zig" | "proto") => SymbolKind::STRUCT,
        "class" => SymbolKind::CLASS,
        "interface" => SymbolKind::INTERFACE,
        "enum" => SymbolKind::ENUM,
        "type" => SymbolKind::TYPE_PARAMETER,
        "impl" => SymbolKind::OBJECT,
        "method" => SymbolKind::METHOD,
        "constructor" => SymbolKind::CONSTRUCTOR,
        "field" => SymbolKind::FIELD,
        "variable" => SymbolKind::VARIABLE,
        "section" if matches!(symbol.language.as_str(), "markdown" | "rst" | "asciidoc") => SymbolKind::STRING,
        "section" => SymbolKind::KEY,
        _ => SymbolKind::FUNCTION,
    }
}

/// What a symbol is called: never empty, since some clients take no symbol without a name.
pub fn name(symbol: &Symbol) -> String {
    match symbol.name.trim() {
        "" => format!("({})", symbol.kind),
        name => name.to_owned(),
    }
}

/// What is said beside the name: the signature without it, on one line.
pub fn detail(symbol: &Symbol) -> Option<String> {
    let signature = symbol.signature.trim();
    (!signature.is_empty() && signature != symbol.name).then(|| signature.to_owned())
}

/// Where the definition of a row is: its symbol, or a whole file.
pub struct Target {
    /// All of it.
    pub location: Location,
    /// Its name.
    pub name: Range,
}

impl Target {
    /// Where a row leads; none if its file is gone.
    pub fn of(row: &Row, answered: &Answered<'_>) -> Option<Self> {
        match &row.symbol {
            Some(symbol) => Self::of_symbol(symbol, answered),
            None => {
                let place = row.places.first()?;
                let uri = answered.source(&place.path)?.uri.clone();
                Some(Self { location: Location::new(uri, Range::default()), name: Range::default() })
            }
        }
    }

    /// Where a symbol is.
    pub fn of_symbol(symbol: &Symbol, answered: &Answered<'_>) -> Option<Self> {
        let source = answered.source(&symbol.path)?;
        let (all, name) = source.symbol_ranges(symbol, answered.encoding());
        Some(Self { location: Location::new(source.uri.clone(), all), name })
    }

    /// As a link from what was asked about.
    pub fn link(self, origin: Range) -> LocationLink {
        LocationLink {
            origin_selection_range: Some(origin),
            target_uri: self.location.uri,
            target_range: self.location.range,
            target_selection_range: self.name,
        }
    }

    /// As a location: the name, which an editor puts the cursor on.
    pub fn location(self) -> Location {
        Location::new(self.location.uri, self.name)
    }
}

/// How sure it is what a use means, in words.
pub const fn how_sure(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Scope => "defined in a scope around this place",
        Confidence::File => "defined in this file",
        Confidence::Import => "imported by this file",
        Confidence::Package => "defined in the same package",
        Confidence::Receiver => "a member of the type before it",
        Confidence::Unique => "the only definition of this name; not certain that it is meant",
        Confidence::Ambiguous => "one of several definitions of this name",
        Confidence::External => "not defined in the tree",
    }
}
