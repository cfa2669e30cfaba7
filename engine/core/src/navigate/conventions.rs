//! What runs although no use names it, and who is taken to run it.

use super::Navigator;
use crate::resolve::{Family, NONE};
use crate::symbols::{CallKind, SymbolKind};

/// Members that run when a value of their type is made.
const CONSTRUCTORS: [&str; 7] =
    ["__init__", "__new__", "__post_init__", "initialize", "__construct", "init", "constructor"];

/// Methods of the interfaces of Go's standard library: a type that has one may be called through it by who knows only the
/// interface (`builtin`, `context`, `encoding`, `fmt`, `io`, `net/http`, `sort`, `container/heap`, `database/sql`, `flag`,
/// `log/slog`, `errors`).
const OF_GO: [&str; 48] = [
    "As",
    "Close",
    "CloseNotify",
    "Deadline",
    "Done",
    "Enabled",
    "Err",
    "Error",
    "Flush",
    "Format",
    "GoString",
    "Handle",
    "Header",
    "Hijack",
    "Is",
    "Len",
    "Less",
    "MarshalBinary",
    "MarshalJSON",
    "MarshalText",
    "MarshalXML",
    "MarshalYAML",
    "Pop",
    "Push",
    "Read",
    "ReadAt",
    "ReadByte",
    "ReadFrom",
    "ReadRune",
    "RoundTrip",
    "Scan",
    "Seek",
    "ServeHTTP",
    "Set",
    "String",
    "Swap",
    "UnmarshalBinary",
    "UnmarshalJSON",
    "UnmarshalText",
    "UnmarshalXML",
    "UnmarshalYAML",
    "Unwrap",
    "Value",
    "Write",
    "WriteByte",
    "WriteHeader",
    "WriteString",
    "WriteTo",
];

/// Supertypes that are followed to one outside the tree.
const BASES: usize = 16;

/// Who runs a symbol without naming it.
#[derive(Default)]
pub(super) struct Convention {
    /// The function that it is defined in: made there, it is run there or handed on.
    pub around: Option<u32>,
    /// The type whose users run it.
    pub of: Option<u32>,
    /// Whether these are sure to: it makes a value of the type.
    pub is_sure: bool,
    /// Whether its file runs it, or hands it to who will: it is decorated.
    pub at_top: bool,
}

impl Navigator<'_> {
    /// Who runs a symbol without naming it. `has_user` is whether anything names it.
    pub(super) fn convention(&self, symbol: u32, has_user: bool) -> Convention {
        let record = self.record(symbol);
        if !record.kind.is_callable() {
            return Convention::default();
        }
        let mut around = std::iter::successors(record.parent, |&at| self.record(at).parent);
        // A method's class is not defined by calling it, however deep it stands in a function.
        let around = around.find(|&s| self.record(s).kind.is_callable() || self.record(s).kind.is_type());
        let around = around.filter(|&s| self.record(s).kind.is_callable());
        let of = Some(self.generation.graph().member_of[symbol as usize]).filter(|of| *of != NONE);
        let name = self.generation.symbol_name(symbol);
        let is_sure = record.kind == SymbolKind::Constructor || CONSTRUCTORS.contains(&name);
        let is_special = name.starts_with("__") && name.ends_with("__");
        let is_decorated = self.is_decorated(symbol);
        let family = Family::of(&self.generation.files[self.file_of(symbol) as usize].language);
        let runs_unnamed = match family {
            // There is no overriding, and what an interface asks for has a name that is known.
            Family::Go => OF_GO.contains(&name),
            _ => is_sure || is_special || is_decorated || !has_user || self.is_override_of_others(symbol),
        };
        // Every file of a package has its own, and all of them run before anything of the package.
        let is_go_init = family == Family::Go && name == "init" && of.is_none();
        Convention {
            around,
            of: of.filter(|_| runs_unnamed),
            is_sure,
            at_top: of.is_none() && (is_decorated || is_go_init),
        }
    }

    /// Whether a call stands before a symbol's name, as part of it: a decorator.
    pub(super) fn is_decorated(&self, symbol: u32) -> bool {
        let record = self.record(symbol);
        let sites = self.generation.graph().uses_of(self.file_of(symbol));
        let from = sites.partition_point(|site| site.start < record.extent.0);
        sites[from..].iter().take_while(|site| site.start < record.name_span.0).any(|site| site.kind == CallKind::Call)
    }

    /// Whether what a member is declared in has a supertype that is not in the tree, which may call it.
    fn is_override_of_others(&self, symbol: u32) -> bool {
        let Some(parent) = self.record(symbol).parent else {
            let of = self.generation.graph().member_of[symbol as usize];
            return of != NONE && self.has_base_of_others(of);
        };
        self.has_base_of_others(parent)
    }

    fn has_base_of_others(&self, of: u32) -> bool {
        let graph = self.generation.graph();
        let mut open = vec![of];
        let mut at = 0;
        while let Some(&here) = open.get(at) {
            let (start, end) = self.record(here).extent;
            let sites = graph.uses_of(self.file_of(here));
            let from = sites.partition_point(|site| site.start < start);
            let own = sites[from..].iter().take_while(|site| site.start < end);
            for site in own.filter(|site| site.kind == CallKind::Extends && site.within == here) {
                match graph.targets(site) {
                    [] => return true,
                    above if open.len() < BASES => open.extend(above),
                    _ => {}
                }
            }
            at += 1;
        }
        false
    }
}
