//! What resolution needs of the analyses of a tree: definitions, uses and bindings of all files, in one numbering.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::analysis::Analysis;
use crate::names::Names;
use crate::resolve::family::{Family, returned};
use crate::symbols::{CallKind, SymbolKind};

/// No symbol.
pub const NONE: u32 = u32::MAX;

/// The definitions and uses of a tree, file after file, as they were added.
#[derive(Default)]
pub struct Uses {
    /// Every name and path.
    pub names: Names,
    /// Files, in the order of their numbers.
    pub files: Vec<FileUses>,
    /// Symbols, numbered as in the generation.
    pub symbols: Vec<Definition>,
    /// Uses of names.
    pub uses: Vec<Use>,
    /// Names whose type can be seen.
    pub bindings: Vec<Binding>,
}

/// A file.
pub struct FileUses {
    /// Its path.
    pub path: String,
    /// The family of its language.
    pub family: Family,
    /// Its symbols: the first, and one past the last.
    pub symbols: (u32, u32),
    /// Its uses, likewise.
    pub uses: (u32, u32),
    /// Its bindings, likewise.
    pub bindings: (u32, u32),
}

/// A definition.
pub struct Definition {
    /// Its name.
    pub name: u32,
    /// What it is.
    pub kind: SymbolKind,
    /// The file it is in.
    pub file: u32,
    /// The symbol around it, or [`NONE`].
    pub parent: u32,
    /// The path its name is declared on, or [`NONE`].
    pub on: u32,
    /// The path of what it returns, or [`NONE`].
    pub returns: u32,
    /// The path of the second of two values that it returns, or [`NONE`].
    pub returns_second: u32,
    /// Whether it only declares what is defined elsewhere: a prototype of C, `mod name;` of Rust.
    pub declares: bool,
    /// Whether it is what its file exports without a name (JavaScript).
    pub is_default: bool,
}

/// A use of a name.
pub struct Use {
    /// What is done with it.
    pub kind: CallKind,
    /// The name.
    pub name: u32,
    /// The path before it, or where it is imported from, or [`NONE`].
    pub on: u32,
    /// What an import is called here, or [`NONE`].
    pub alias: u32,
    /// Where it stands, in bytes.
    pub start: u32,
    /// Its line, one-based.
    pub line: u32,
    /// Its column, one-based, in bytes.
    pub column: u32,
    /// The symbol it stands in, or [`NONE`].
    pub within: u32,
}

/// A name whose type can be seen.
pub struct Binding {
    /// The name, without `$`.
    pub name: u32,
    /// The path of its type or value.
    pub of: u32,
    /// Whether `of` is a value.
    pub is_value: bool,
    /// Whether it is the second of what the value is.
    pub is_second: bool,
    /// Whether it is a field, though it stands in a method.
    pub is_field: bool,
    /// The symbol it stands in, or [`NONE`].
    pub within: u32,
}

impl Uses {
    /// Adds a file; its symbols get the next numbers.
    pub fn add(&mut self, path: &str, analysis: &Analysis) {
        let family = Family::of(&analysis.language);
        let file = self.files.len() as u32;
        let symbols = self.symbols.len() as u32;
        let (uses, bindings) = (self.uses.len() as u32, self.bindings.len() as u32);
        let strings = &analysis.strings;
        let names = &mut self.names;
        // Most strings of a file are used many times, and looked up once.
        let mut known = vec![NONE; strings.len()];
        let mut number = |local: u32, names: &mut Names| match known.get_mut(local as usize) {
            Some(slot) if *slot != NONE => *slot,
            Some(slot) => {
                *slot = names.intern(strings.get(local));
                *slot
            }
            None => names.intern(""),
        };
        let moved = |symbol: Option<u32>| symbol.map_or(NONE, |s| s + symbols);
        for symbol in &analysis.symbols {
            let signature = strings.get(symbol.signature);
            let (returns, second) = if symbol.kind.is_callable() && family != Family::None {
                returned(signature, strings.get(symbol.name), family)
            } else {
                (String::new(), String::new())
            };
            self.symbols.push(Definition {
                name: number(symbol.name, names),
                kind: symbol.kind,
                file,
                parent: moved(symbol.parent),
                on: symbol.on.map_or(NONE, |on| number(on, names)),
                returns: if returns.is_empty() { NONE } else { names.intern(&returns) },
                returns_second: if second.is_empty() { NONE } else { names.intern(&second) },
                declares: signature.ends_with(';')
                    && match family {
                        Family::C => symbol.kind.is_callable(),
                        Family::Rust => symbol.kind == SymbolKind::Module,
                        _ => false,
                    },
                is_default: family == Family::Ecma && signature.starts_with("export default"),
            });
        }
        for call in &analysis.calls {
            self.uses.push(Use {
                kind: call.kind,
                name: number(call.name, names),
                on: call.on.map_or(NONE, |on| number(on, names)),
                alias: call.alias.map_or(NONE, |alias| number(alias, names)),
                start: call.start,
                line: call.line,
                column: call.column,
                within: moved(call.within),
            });
        }
        let mut functions: Option<HashMap<(u32, u32), u32, FxBuildHasher>> = None;
        for binding in &analysis.bindings {
            let of = strings.get(binding.of);
            if let Some(of) = of.strip_prefix(')') {
                // What a function returns whose signature does not say so: it is long, or one of several.
                let functions = functions.get_or_insert_with(|| {
                    let numbered = self.symbols[symbols as usize..].iter().enumerate().rev();
                    numbered
                        .filter(|(_, s)| s.kind.is_callable())
                        .map(|(at, s)| ((s.parent, s.name), symbols + at as u32))
                        .collect()
                });
                let (within, name) = (moved(binding.within), names.intern(strings.get(binding.name)));
                let own = self.symbols.get(within as usize).filter(|s| s.name == name).map(|_| within);
                let function = functions.get(&(within, name)).copied().or(own);
                if let Some(function) = function.map(|at| &mut self.symbols[at as usize]).filter(|s| s.returns == NONE)
                {
                    function.returns = names.intern(of);
                }
                continue;
            }
            let (is_field, of) = of.strip_prefix('.').map_or((false, of), |of| (true, of));
            let (is_value, of) = of.strip_prefix('=').map_or((false, of), |of| (true, of));
            let (is_second, of) = of.strip_prefix('#').map_or((false, of), |of| (true, of));
            let name = strings.get(binding.name);
            let name = if family == Family::Php { name.trim_start_matches('$') } else { name };
            self.bindings.push(Binding {
                name: names.intern(name),
                of: names.intern(of),
                is_value,
                is_second,
                is_field,
                within: moved(binding.within),
            });
        }
        // By name within a symbol; of several the first stays the first.
        self.bindings[bindings as usize..].sort_by_key(|binding| (binding.within, binding.name));
        self.files.push(FileUses {
            path: path.to_owned(),
            family,
            symbols: (symbols, self.symbols.len() as u32),
            uses: (uses, self.uses.len() as u32),
            bindings: (bindings, self.bindings.len() as u32),
        });
    }

    /// The family of the file that a symbol is in.
    pub fn family(&self, symbol: u32) -> Family {
        self.files[self.symbols[symbol as usize].file as usize].family
    }

    /// The symbols around a place, innermost first. Parents come before their children, so this ends.
    pub fn around(&self, within: u32) -> impl Iterator<Item = u32> {
        let parent = |at: &u32| Some(self.symbols[*at as usize].parent).filter(|p| *p != NONE);
        std::iter::successors(Some(within).filter(|w| *w != NONE), parent)
    }
}
