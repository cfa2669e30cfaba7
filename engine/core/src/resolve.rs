//! Uses of names -> the definitions that they mean, in stages, each with its confidence.
//!
//! A use is looked up where its language would look: in the scopes around it, in its file, among what the file imports,
//! in its package, or, if it is on a value or a type, among the members of that type as far as the text shows it. Only
//! then does it count that a name is unique in the tree. Where several definitions remain, all of them are kept, and
//! nothing is chosen. Every chase (re-exports, supertypes, types of types) has a bound and notices that it goes in a
//! circle, so that no input keeps it busy.

pub mod family;
mod index;
mod input;
mod members;
mod modules;
mod types;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use crate::names::Names;
use crate::qualifier::{UNKNOWN, segments};
use crate::symbols::{CallKind, SymbolKind};
pub use family::Family;
use family::is_common;
use index::{Index, Scope};
use input::Use;
pub use input::{NONE, Uses};
use modules::Modules;
use types::Entity;

/// Re-exports that are followed one after the other.
const REEXPORTS: u32 = 8;

/// Supertypes that are asked for one member.
const SUPERTYPES: usize = 64;

/// Steps from type to type that one use may take.
const STEPS: u32 = 48;

/// How it is known what a use means, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Confidence {
    /// Defined in a scope around it.
    Scope,
    /// Defined at the top of its file.
    File,
    /// Imported by its file.
    Import,
    /// Defined in its package.
    Package,
    /// A member of a type that can be seen.
    Receiver,
    /// The only definition of that name in the tree.
    Unique,
    /// One of several definitions.
    Ambiguous,
    /// Not defined in the tree.
    External,
}

impl Confidence {
    /// All of them, the surest first.
    pub const ALL: [Self; 8] = [
        Self::Scope,
        Self::File,
        Self::Import,
        Self::Package,
        Self::Receiver,
        Self::Unique,
        Self::Ambiguous,
        Self::External,
    ];

    /// The word in answers.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::File => "file",
            Self::Import => "import",
            Self::Package => "package",
            Self::Receiver => "receiver",
            Self::Unique => "unique",
            Self::Ambiguous => "ambiguous",
            Self::External => "external",
        }
    }
}

/// What a use means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// Nothing in the tree.
    Nothing,
    /// A symbol.
    Symbol(u32),
    /// A file: what is imported is all of it.
    File(u32),
    /// One of several symbols: the number of the list.
    Several(u32),
}

/// A use of a name, resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// What is done with the name.
    pub kind: CallKind,
    /// The name.
    pub name: u32,
    /// The file.
    pub file: u32,
    /// Where it stands, in bytes.
    pub start: u32,
    /// Its line, one-based.
    pub line: u32,
    /// Its column, one-based, in bytes.
    pub column: u32,
    /// The symbol it stands in, or [`NONE`].
    pub within: u32,
    /// How sure the target is.
    pub confidence: Confidence,
    /// What it means.
    pub target: Target,
}

/// All uses of a tree, resolved.
pub struct Resolved {
    /// Names of sites.
    pub names: Names,
    /// Sites, file after file, in order of place.
    pub sites: Vec<Site>,
    /// Lists of symbols for [`Target::Several`].
    pub lists: Vec<Vec<u32>>,
    /// Symbol and type: a parameter, variable or field of the type is declared in the symbol.
    pub mentions: Vec<(u32, u32)>,
    /// The type that each symbol is a member of, or [`NONE`].
    pub member_of: Vec<u32>,
    /// A member, and one of the same name in a type above its own: a use of the second can run the first.
    pub overrides: Vec<(u32, u32)>,
}

/// Resolves all uses.
pub fn resolve(uses: Uses) -> Resolved {
    let modules = Modules::new(&uses);
    let index = Index::new(&uses, &modules.folder_of);
    let mut resolver = Resolver {
        member_of: vec![NONE; uses.symbols.len()],
        supertypes: vec![Vec::new(); uses.symbols.len()],
        imports: Vec::new(),
        import_ranges: Vec::new(),
        uses: &uses,
        index,
        modules,
        lists: RefCell::default(),
        steps: Cell::new(0),
    };
    resolver.find_imports();
    resolver.find_members();
    let mut sites = Vec::with_capacity(uses.uses.len());
    for (number, file) in uses.files.iter().enumerate() {
        for used in &uses.uses[file.uses.0 as usize..file.uses.1 as usize] {
            if let Some(site) = resolver.site(number as u32, used) {
                sites.push(site);
            }
        }
    }
    let mentions = resolver.mentions();
    let overrides = resolver.overrides();
    let Resolver { member_of, lists, .. } = resolver;
    let lists = lists.into_inner().lists;
    Resolved { names: uses.names, sites, lists, mentions, member_of, overrides }
}

/// A name that a file imports.
struct Import {
    /// What it is called in the file; [`NONE`] for all names of the scopes.
    local: u32,
    /// What it is called where it comes from.
    name: u32,
    /// Where the name stands that imports it.
    at: u32,
    /// Where it comes from: empty if that is not in the tree.
    from: Vec<Scope>,
    /// The scopes that it is itself, if it is a module.
    module: Vec<Scope>,
}

#[derive(Default)]
struct Lists {
    lists: Vec<Vec<u32>>,
    numbers: HashMap<Vec<u32>, u32, FxBuildHasher>,
    /// Members of a name in a family: their list.
    by_name: HashMap<(u32, Family, bool), Vec<u32>, FxBuildHasher>,
}

struct Resolver<'u> {
    uses: &'u Uses,
    index: Index,
    modules: Modules,
    /// Imports of all files, each file's sorted by local name.
    imports: Vec<Import>,
    import_ranges: Vec<(u32, u32)>,
    /// The type that a symbol is a member of.
    member_of: Vec<u32>,
    /// By type: what it extends.
    supertypes: Vec<Vec<u32>>,
    lists: RefCell<Lists>,
    /// Steps that are left for the use at hand.
    steps: Cell<u32>,
}

/// Definitions that a name may mean, and how that is known.
type Found = Option<(Vec<u32>, Confidence)>;

impl Resolver<'_> {
    fn name(&self, id: u32) -> &str {
        self.uses.names.get(id)
    }

    fn kind(&self, symbol: u32) -> SymbolKind {
        self.uses.symbols[symbol as usize].kind
    }

    /// Resolves one use. Values that turn out to be no functions are none.
    fn site(&self, file: u32, used: &Use) -> Option<Site> {
        self.steps.set(STEPS);
        let (confidence, target) = match used.kind {
            CallKind::Import => self.import_site(file, used),
            _ => self.use_site(file, used),
        };
        if used.kind == CallKind::Value && !self.is_function_value(file, target) {
            return None;
        }
        Some(Site {
            kind: used.kind,
            name: used.name,
            file,
            start: used.start,
            line: used.line,
            column: used.column,
            within: used.within,
            confidence,
            target,
        })
    }

    /// Whether a value is a function that is handed on: with several candidates it is too uncertain that it is.
    fn is_function_value(&self, file: u32, target: Target) -> bool {
        let Target::Symbol(symbol) = target else { return false };
        self.uses.files[file as usize].family == Family::Hcl
            || self.kind(symbol).is_callable()
            || self.kind(symbol).is_type()
    }

    fn import_site(&self, file: u32, used: &Use) -> (Confidence, Target) {
        let wildcard = self.name(used.name) == "*";
        let Some(import) = self.imports_of(file).iter().find(|import| import.at == used.start) else {
            return (Confidence::External, Target::Nothing);
        };
        let mut found = if wildcard { Vec::new() } else { self.imported(import, 0) };
        found.retain(|&s| self.kind(s) != SymbolKind::Impl);
        if !found.is_empty() {
            return (Confidence::Import, self.target(&found));
        }
        let scopes = if import.module.is_empty() { &import.from } else { &import.module };
        match scopes.first() {
            Some(Scope::File(file)) => (Confidence::Import, Target::File(*file)),
            Some(Scope::Symbol(symbol)) => (Confidence::Import, Target::Symbol(*symbol)),
            // A package: its first file stands for it.
            Some(Scope::Folder(folder)) => {
                let first = self.modules.folder_of.iter().position(|f| f == folder);
                first.map_or((Confidence::External, Target::Nothing), |f| (Confidence::Import, Target::File(f as u32)))
            }
            None => (Confidence::External, Target::Nothing),
        }
    }

    fn use_site(&self, file: u32, used: &Use) -> (Confidence, Target) {
        let family = self.uses.files[file as usize].family;
        // Most uses are of names that the tree does not define.
        if self.index.named(used.name).is_empty() && !self.is_local_import(file, used.name) {
            return (Confidence::External, Target::Nothing);
        }
        let found = if used.on == NONE {
            self.bare(file, used.within, used.name)
        } else {
            self.qualified(file, used.within, used.on, used.name)
        };
        let found = found.map(|(symbols, confidence)| (self.fitting(symbols, used.kind, family), confidence));
        match found {
            Some((symbols, confidence)) if !symbols.is_empty() => {
                let certain = confidence < Confidence::Ambiguous;
                let one_place = certain && self.is_one_place(&symbols);
                let confidence = if symbols.len() == 1 || one_place { confidence } else { Confidence::Ambiguous };
                (confidence, self.target(&symbols))
            }
            _ => (Confidence::External, Target::Nothing),
        }
    }

    /// Whether several definitions are one to a caller: overloads, variants for platforms, a declaration and its
    /// definition.
    fn is_one_place(&self, symbols: &[u32]) -> bool {
        let place = |s: u32| (self.member_of[s as usize], self.uses.symbols[s as usize].parent);
        let first = place(symbols[0]);
        symbols.iter().all(|&s| place(s) == first || first.0 != NONE && place(s).0 == first.0)
    }

    /// The definitions that can be used like this: of those that can be called and others only the first, and no mere
    /// declarations beside definitions.
    fn fitting(&self, mut symbols: Vec<u32>, kind: CallKind, family: Family) -> Vec<u32> {
        let keep = |symbols: &mut Vec<u32>, wanted: &dyn Fn(u32) -> bool| {
            if symbols.iter().any(|&s| wanted(s)) {
                symbols.retain(|&s| wanted(s));
            }
        };
        if kind == CallKind::Extends {
            symbols.retain(|&s| self.kind(s).is_type() || self.kind(s) == SymbolKind::Module);
            return symbols;
        }
        symbols.retain(|&s| {
            self.kind(s) != SymbolKind::Impl && (self.kind(s) != SymbolKind::Module || family == Family::Hcl)
        });
        keep(&mut symbols, &|s| self.kind(s).is_callable() || self.kind(s).is_type());
        if family == Family::C {
            keep(&mut symbols, &|s| !self.uses.symbols[s as usize].declares);
        }
        symbols
    }

    fn target(&self, symbols: &[u32]) -> Target {
        match symbols {
            [] => Target::Nothing,
            [one] => Target::Symbol(*one),
            several => {
                let Lists { lists, numbers, .. } = &mut *self.lists.borrow_mut();
                let number = *numbers.entry(several.to_vec()).or_insert_with(|| {
                    lists.push(several.to_vec());
                    lists.len() as u32 - 1
                });
                Target::Several(number)
            }
        }
    }

    /// A bare name, as it is looked up from the inside out.
    fn bare(&self, file: u32, within: u32, name: u32) -> Found {
        let family = self.uses.files[file as usize].family;
        let found = self.in_scopes(family, within, name);
        if !found.is_empty() {
            return Some((found, Confidence::Scope));
        }
        // Functions of another type are no bare names.
        let free = |s: &u32| self.uses.symbols[*s as usize].on == NONE;
        let here: Vec<u32> = self.index.inner(Scope::File(file), name).filter(free).collect();
        if !here.iter().all(|&s| self.kind(s) == SymbolKind::Module) {
            return Some((here, Confidence::File));
        }
        if let Some(found) = self.by_import(file, name).filter(|found| here.is_empty() || !found.is_empty()) {
            return (!found.is_empty()).then_some((found, Confidence::Import));
        }
        if !here.is_empty() {
            return Some((here, Confidence::File));
        }
        let found = self.by_wildcard(file, name, 0, &mut Vec::new());
        if !found.is_empty() {
            return Some((found, Confidence::Import));
        }
        if family.package() {
            let folder = Scope::Folder(self.modules.folder_of[file as usize]);
            let found: Vec<u32> =
                self.index.inner(folder, name).filter(free).filter(|&s| self.uses.family(s) == family).collect();
            if !found.is_empty() {
                return Some((found, Confidence::Package));
            }
        }
        let anywhere = self.anywhere(family, name, false);
        let macros = |&s: &u32| self.kind(s) == SymbolKind::Macro;
        let candidates: Vec<u32> =
            if family.strict() { anywhere.into_iter().filter(macros).collect() } else { anywhere };
        spread(candidates)
    }

    /// What the scopes around a place define, the innermost first.
    fn in_scopes(&self, family: Family, within: u32, name: u32) -> Vec<u32> {
        for around in self.uses.around(within) {
            let kind = self.kind(around);
            let is_type = kind.is_type() || kind == SymbolKind::Impl;
            let mut found: Vec<u32> = Vec::new();
            if is_type && family.implicit_self() {
                found = self.members(self.type_of_scope(around), name, true);
            }
            if found.is_empty() {
                let visible = |s: &u32| !is_type || family.implicit_self() || self.kind(*s).is_type();
                found = self.index.inner(Scope::Symbol(around), name).filter(visible).collect();
            }
            // C++ and Kotlin define members outside of their types.
            if found.is_empty() && family.implicit_self() && self.member_of[around as usize] != NONE {
                found = self.members(self.member_of[around as usize], name, true);
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// All definitions of a name in the languages of a family: members of types, or others.
    fn anywhere(&self, family: Family, name: u32, members: bool) -> Vec<u32> {
        if let Some(known) = self.lists.borrow().by_name.get(&(name, family, members)) {
            return known.clone();
        }
        let is_member = |s: u32| self.member_of[s as usize] != NONE;
        // In these, functions of modules are called on their modules, and nothing tells these from types.
        let loose =
            matches!(family, Family::Ruby | Family::Elixir | Family::Lua | Family::Bash | Family::Hcl | Family::Other);
        let wanted = |s: u32| {
            let kind = self.kind(s);
            let fits = kind.is_callable() || kind.is_type() || kind == SymbolKind::Section;
            fits && self.uses.family(s) == family && (loose || is_member(s) == members)
        };
        let found: Vec<u32> = self.index.named(name).iter().map(|&(_, s)| s).filter(|&s| wanted(s)).collect();
        self.lists.borrow_mut().by_name.insert((name, family, members), found.clone());
        found
    }

    /// A name on something.
    fn qualified(&self, file: u32, within: u32, on: u32, name: u32) -> Found {
        let family = self.uses.files[file as usize].family;
        let path = self.name(on);
        match self.entity(file, within, path) {
            Entity::Scopes(scopes) => {
                let mut found = Vec::new();
                for scope in scopes {
                    found.extend(self.in_module(scope, name, 0, &mut Vec::new()));
                }
                (!found.is_empty()).then_some((found, Confidence::Import))
            }
            Entity::Type(of) => {
                let found = self.members(of, name, true);
                if !found.is_empty() {
                    return Some((found, Confidence::Receiver));
                }
                // Extension traits add members to types of others.
                let extends = |&s: &u32| {
                    let of = self.member_of[s as usize];
                    of != NONE && self.kind(of) == SymbolKind::Interface
                };
                let found: Vec<u32> = if family == Family::Rust && !is_common(self.name(name)) {
                    self.anywhere(family, name, true).into_iter().filter(extends).collect()
                } else {
                    Vec::new()
                };
                spread(found)
            }
            Entity::Above(of) => {
                let found = self.members(of, name, false);
                (!found.is_empty()).then_some((found, Confidence::Receiver))
            }
            Entity::External => None,
            Entity::Unknown => self.on_unknown(family, path, name),
        }
    }

    /// A member of who knows what.
    fn on_unknown(&self, family: Family, path: &str, name: u32) -> Found {
        // A type or module that is not in the tree.
        let is_path = path.ends_with("::");
        if is_path && path != UNKNOWN && family == Family::Rust && segments(path).last().is_some_and(is_capitalised) {
            return None;
        }
        let candidates = self.anywhere(family, name, true);
        let candidates =
            if candidates.is_empty() && family == Family::C { self.anywhere(family, name, false) } else { candidates };
        let (found, confidence) = spread(candidates)?;
        // One definition in the tree is no evidence for a name that strings and lists have, too.
        let confidence = if is_common(self.name(name)) { Confidence::Ambiguous } else { confidence };
        Some((found, confidence))
    }
}

/// One definition is unique, several are ambiguous.
fn spread(candidates: Vec<u32>) -> Found {
    match candidates.len() {
        0 => None,
        1 => Some((candidates, Confidence::Unique)),
        _ => Some((candidates, Confidence::Ambiguous)),
    }
}

fn is_capitalised(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
