//! Definitions by where they are and what they are called.

use super::family::Family;
use super::input::{NONE, Uses};
use crate::symbols::SymbolKind;

/// Where names are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The top level of a file.
    File(u32),
    /// Inside a module, namespace, type or function.
    Symbol(u32),
    /// The top levels of a folder's files: a package.
    Folder(u32),
}

/// Sorted lists; each look-up is a binary search.
#[derive(Default)]
pub struct Index {
    /// Scope, name, symbol.
    inner: Vec<(Scope, u32, u32)>,
    /// Name, symbol, in the order of symbols.
    by_name: Vec<(u32, u32)>,
    /// Type, name, symbol: what is declared in a type or for it, anywhere.
    members: Vec<(u32, u32, u32)>,
    /// Type, name, binding.
    fields: Vec<(u32, u32, u32)>,
}

impl Index {
    /// By scope and by name; members come later, when it is known which type each is of.
    pub fn new(uses: &Uses, folder_of: &[u32]) -> Self {
        let mut index = Self::default();
        for (number, symbol) in uses.symbols.iter().enumerate() {
            let number = number as u32;
            let family = uses.files[symbol.file as usize].family;
            if !is_code(symbol.kind, family) {
                continue;
            }
            index.by_name.push((symbol.name, number));
            if symbol.parent != NONE {
                index.inner.push((Scope::Symbol(symbol.parent), symbol.name, number));
            }
            // Namespaces around it are told apart by what is imported, not here.
            let is_top = symbol.parent == NONE || family != Family::Rust && in_namespaces(uses, symbol.parent);
            if is_top {
                index.inner.push((Scope::File(symbol.file), symbol.name, number));
                index.inner.push((Scope::Folder(folder_of[symbol.file as usize]), symbol.name, number));
            }
        }
        index.inner.sort_unstable();
        index.by_name.sort_unstable();
        index
    }

    /// Adds which types symbols are members of, and which bindings are their fields.
    pub fn set_members(&mut self, mut members: Vec<(u32, u32, u32)>, mut fields: Vec<(u32, u32, u32)>) {
        members.sort_unstable();
        fields.sort_unstable();
        self.members = members;
        self.fields = fields;
    }

    /// Symbols of this name directly in a scope, in order.
    pub fn inner(&self, scope: Scope, name: u32) -> impl Iterator<Item = u32> {
        let from = self.inner.partition_point(|&(s, n, _)| (s, n) < (scope, name));
        self.inner[from..].iter().take_while(move |&&(s, n, _)| (s, n) == (scope, name)).map(|&(_, _, symbol)| symbol)
    }

    /// All symbols of this name, in order.
    pub fn named(&self, name: u32) -> &[(u32, u32)] {
        let from = self.by_name.partition_point(|&(n, _)| n < name);
        let len = self.by_name[from..].partition_point(|&(n, _)| n == name);
        &self.by_name[from..from + len]
    }

    /// Members of this name that a type has itself, in order.
    pub fn members(&self, of: u32, name: u32) -> impl Iterator<Item = u32> {
        let from = self.members.partition_point(|&(t, n, _)| (t, n) < (of, name));
        self.members[from..].iter().take_while(move |&&(t, n, _)| (t, n) == (of, name)).map(|&(_, _, symbol)| symbol)
    }

    /// The bindings that give a field of this name its type, in order.
    pub fn fields(&self, of: u32, name: u32) -> impl Iterator<Item = u32> {
        let from = self.fields.partition_point(|&(t, n, _)| (t, n) < (of, name));
        self.fields[from..].iter().take_while(move |&&(t, n, _)| (t, n) == (of, name)).map(|&(_, _, binding)| binding)
    }
}

/// Whether code can use a symbol of this kind by its name: tests that go by what they say of themselves are not called.
fn is_code(kind: SymbolKind, family: Family) -> bool {
    family != Family::None && kind != SymbolKind::Test && (kind != SymbolKind::Section || family == Family::Hcl)
}

fn in_namespaces(uses: &Uses, parent: u32) -> bool {
    uses.around(parent).all(|s| uses.symbols[s as usize].kind == SymbolKind::Module)
}
