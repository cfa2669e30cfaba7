//! What files import, and which types symbols are members of.

use super::family::Family;
use super::index::Scope;
use super::input::NONE;
use super::types::Entity;
use super::{Import, REEXPORTS, Resolver, STEPS, SUPERTYPES};
use crate::place;
use crate::symbols::{CallKind, SymbolKind};

impl Resolver<'_> {
    /// Finds where the imports of all files come from.
    pub(super) fn find_imports(&mut self) {
        for (number, file) in self.uses.files.iter().enumerate() {
            let number = number as u32;
            let first = self.imports.len() as u32;
            let uses = &self.uses.uses[file.uses.0 as usize..file.uses.1 as usize];
            for used in uses.iter().filter(|used| used.kind == CallKind::Import) {
                let import = self.import(number, used);
                self.imports.push(import);
            }
            self.imports[first as usize..].sort_by_key(|import| import.local);
            self.import_ranges.push((first, self.imports.len() as u32));
        }
    }

    fn import(&self, file: u32, used: &super::Use) -> Import {
        let family = self.uses.files[file as usize].family;
        let find = |path: &str| match family {
            Family::Rust => self.modules.rust(self.uses, &self.index, self.module_around(file, used.within), path),
            _ => self.modules.find(self.uses, &self.index, file, path),
        };
        let name = self.name(used.name);
        let on = if used.on == NONE { "" } else { self.name(used.on) };
        let plain = Import {
            local: if used.alias == NONE { used.name } else { used.alias },
            name: used.name,
            at: used.start,
            from: Vec::new(),
            module: Vec::new(),
        };
        match family {
            // `use a::b::{self}` is `use a::b`.
            Family::Rust if name == "self" => {
                let last = on.rsplit("::").next().unwrap_or(on);
                let local =
                    if used.alias == NONE { self.uses.names.find(last).unwrap_or(NONE - 1) } else { used.alias };
                Import { local, module: find(on), ..plain }
            }
            Family::Rust if name == "*" => Import { local: NONE, from: find(on), ..plain },
            Family::Rust => {
                let path = if on.is_empty() { name.to_owned() } else { format!("{on}::{name}") };
                Import { from: find(on), module: find(&path), ..plain }
            }
            Family::Python if name == "*" => Import { local: NONE, from: find(on), ..plain },
            // `import a.b` names a module, whole.
            Family::Python if on.is_empty() => Import { module: find(name), ..plain },
            Family::Python => {
                let dot = if on.ends_with('.') { "" } else { "." };
                Import { from: find(on), module: find(&format!("{on}{dot}{name}")), ..plain }
            }
            // `export { name as other }`.
            Family::Ecma if on.is_empty() && used.alias != NONE => Import { from: vec![Scope::File(file)], ..plain },
            Family::Ecma => {
                let from = find(on);
                match name {
                    "*" if used.alias == NONE => Import { local: NONE, from, ..plain },
                    // A default or namespace import has a name of the importer's choice.
                    _ => Import { module: from.clone(), from, ..plain },
                }
            }
            Family::Go => {
                let last = name.rsplit('/').find(|part| !is_version(part)).unwrap_or(name);
                let last = last.split('.').next().unwrap_or(last);
                let found = find(name);
                match used.alias {
                    NONE => Import { local: self.uses.names.find(last).unwrap_or(NONE - 1), module: found, ..plain },
                    alias if self.name(alias) == "." => Import { local: NONE, from: found, ..plain },
                    alias => Import { local: alias, module: found, ..plain },
                }
            }
            Family::Lua | Family::Zig => Import { module: find(name), ..plain },
            family if family.imports_all() => {
                let path = match (on, family) {
                    ("", _) => name.to_owned(),
                    (on, _) => format!("{on}.{name}"),
                };
                let from = find(&path);
                // `import Data.List (nub)` names what it brings.
                let named = if from.is_empty() && !on.is_empty() { find(on) } else { Vec::new() };
                if named.is_empty() {
                    let local = if used.alias == NONE { NONE } else { used.alias };
                    Import { local, module: from.clone(), from, ..plain }
                } else {
                    Import { from: named, ..plain }
                }
            }
            // Java, Kotlin, Scala, PHP, Elixir: a path and the name at its end.
            _ => {
                let separator = if family == Family::Php { "\\" } else { "." };
                let whole = if on.is_empty() { name.to_owned() } else { format!("{on}{separator}{name}") };
                if name == "*" || name == "_" {
                    return Import { local: NONE, from: self.types_of(find(on), on), ..plain };
                }
                let module = if family == Family::Elixir { find(&whole) } else { Vec::new() };
                Import { from: self.types_of(find(on), on), module, ..plain }
            }
        }
    }

    /// The scopes with the type in place of the file that is called like it: `import static a.b.Util.help`.
    fn types_of(&self, mut scopes: Vec<Scope>, path: &str) -> Vec<Scope> {
        let last = self.uses.names.find(crate::qualifier::last_segment(path));
        for scope in &mut scopes {
            if let (Scope::File(_), Some(last)) = (*scope, last) {
                let found = self.index.inner(*scope, last).find(|&s| self.kind(s).is_type());
                *scope = found.map_or(*scope, Scope::Symbol);
            }
        }
        scopes
    }

    pub(super) fn imports_of(&self, file: u32) -> &[Import] {
        let (first, end) = self.import_ranges.get(file as usize).copied().unwrap_or((0, 0));
        &self.imports[first as usize..end as usize]
    }

    /// The imports of a file that go by this name.
    pub(super) fn imports_named(&self, file: u32, local: u32) -> &[Import] {
        let imports = self.imports_of(file);
        let from = imports.partition_point(|import| import.local < local);
        let len = imports[from..].partition_point(|import| import.local == local);
        &imports[from..from + len]
    }

    /// Whether a file imports something under this name.
    pub(super) fn is_local_import(&self, file: u32, name: u32) -> bool {
        !self.imports_named(file, name).is_empty()
    }

    /// What a name means that the file imports: empty if that is not in the tree, none if it imports no such name.
    pub(super) fn by_import(&self, file: u32, name: u32) -> Option<Vec<u32>> {
        let imports = self.imports_named(file, name);
        let found = imports.iter().map(|import| self.imported(import, 0)).find(|found| !found.is_empty());
        if imports.is_empty() { None } else { Some(found.unwrap_or_default()) }
    }

    /// The definitions that an import brings.
    pub(super) fn imported(&self, import: &Import, depth: u32) -> Vec<u32> {
        if depth > REEXPORTS {
            return Vec::new();
        }
        let mut found = Vec::new();
        for &scope in &import.from {
            found.extend(self.in_module(scope, import.name, depth + 1, &mut Vec::new()));
        }
        if found.is_empty() && !import.from.is_empty() && import.module == import.from {
            // `import Name from "./file"`: its default export.
            found = import.from.iter().flat_map(|&scope| self.default_export(scope)).collect();
        }
        found.dedup();
        found
    }

    /// What a file of JavaScript exports without a name, or what is called like the file.
    fn default_export(&self, scope: Scope) -> Option<u32> {
        let Scope::File(file) = scope else { return None };
        let (first, end) = self.uses.files[file as usize].symbols;
        let marked = (first..end).find(|&s| self.uses.symbols[s as usize].is_default);
        let stem = place::letters(place::stem(&self.uses.files[file as usize].path));
        let named = |&s: &u32| {
            let definition = &self.uses.symbols[s as usize];
            let name = self.name(definition.name);
            definition.parent == NONE && (name == "default" || place::letters(name) == stem)
        };
        marked.or_else(|| (first..end).find(named))
    }

    /// What a scope defines or hands on under a name. `seen` are the files that were asked before.
    pub(super) fn in_module(&self, scope: Scope, name: u32, depth: u32, seen: &mut Vec<u32>) -> Vec<u32> {
        let found: Vec<u32> = match scope {
            Scope::Symbol(symbol) if self.kind(symbol).is_type() => self.members(symbol, name, true),
            scope => self.index.inner(scope, name).collect(),
        };
        // A module and what it hands on often have one name: `mod spawn; pub use spawn::spawn;`.
        let is_module = |s: &u32| self.kind(*s) == SymbolKind::Module;
        if !found.iter().all(is_module) || depth > REEXPORTS {
            return found;
        }
        let file = match scope {
            Scope::File(file) => file,
            Scope::Symbol(symbol) => self.uses.symbols[symbol as usize].file,
            Scope::Folder(_) => return found,
        };
        if seen.contains(&file) || seen.len() > SUPERTYPES {
            return found;
        }
        seen.push(file);
        let mut by_name = self.imports_named(file, name).iter().map(|import| self.imported(import, depth + 1));
        if let Some(imported) = by_name.find(|found| !found.iter().all(is_module)) {
            return imported;
        }
        let wild = self.by_wildcard(file, name, depth + 1, seen);
        if wild.is_empty() { found } else { wild }
    }

    /// The module that a scope hands on under a name: `export * as name from "./file"`, `pub use a::b as name`. `seen` are
    /// the files that were asked before.
    pub(super) fn module_in(&self, scope: Scope, name: u32, seen: &mut Vec<u32>) -> Option<Vec<Scope>> {
        let Scope::File(file) = scope else { return None };
        if seen.contains(&file) || seen.len() > SUPERTYPES {
            return None;
        }
        seen.push(file);
        if let Some(import) = self.imports_named(file, name).iter().find(|import| !import.module.is_empty()) {
            return Some(import.module.clone());
        }
        let wild = self.imports_named(file, NONE).iter().flat_map(|import| &import.from);
        wild.copied().collect::<Vec<_>>().into_iter().find_map(|scope| self.module_in(scope, name, seen))
    }

    /// What a file imports with everything else of a module.
    pub(super) fn by_wildcard(&self, file: u32, name: u32, depth: u32, seen: &mut Vec<u32>) -> Vec<u32> {
        if depth > REEXPORTS {
            return Vec::new();
        }
        for import in self.imports_named(file, NONE) {
            for &scope in &import.from {
                let found = self.in_module(scope, name, depth + 1, seen);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        Vec::new()
    }

    /// Finds the type that each symbol is a member of, the fields of types, and what types extend.
    pub(super) fn find_members(&mut self) {
        let mut members = Vec::new();
        for symbol in 0..self.uses.symbols.len() as u32 {
            self.steps.set(STEPS);
            let definition = &self.uses.symbols[symbol as usize];
            let of = if definition.on != NONE {
                self.declared_on(symbol)
            } else if definition.parent != NONE {
                self.type_of_scope(definition.parent)
            } else {
                NONE
            };
            if of != NONE {
                self.member_of[symbol as usize] = of;
                members.push((of, definition.name, symbol));
            }
        }
        let mut fields = Vec::new();
        for (number, binding) in self.uses.bindings.iter().enumerate() {
            let around = binding.within;
            if around == NONE {
                continue;
            }
            let is_type = |s: u32| self.kind(s).is_type() || self.kind(s) == SymbolKind::Impl;
            let of = if is_type(around) {
                self.type_of_scope(around)
            } else if binding.is_field {
                self.member_of[around as usize]
            } else {
                NONE
            };
            if of != NONE {
                fields.push((of, binding.name, number as u32));
            }
        }
        self.index.set_members(members, fields);
        self.find_supertypes();
    }

    /// Members that stand in for others of the same name above them.
    pub(super) fn overrides(&self) -> Vec<(u32, u32)> {
        let mut overrides = Vec::new();
        for (member, &of) in self.member_of.iter().enumerate() {
            if of != NONE && !self.supertypes[of as usize].is_empty() && self.kind(member as u32).is_callable() {
                let above = self.members(of, self.uses.symbols[member].name, false);
                overrides.extend(above.into_iter().map(|above| (member as u32, above)));
            }
        }
        overrides
    }

    fn find_supertypes(&mut self) {
        let mut found: Vec<(u32, u32)> = Vec::new();
        for (number, file) in self.uses.files.iter().enumerate() {
            for used in &self.uses.uses[file.uses.0 as usize..file.uses.1 as usize] {
                if used.kind != CallKind::Extends || used.within == NONE {
                    continue;
                }
                self.steps.set(STEPS);
                let of = self.type_of_scope(used.within);
                let (_, target) = self.use_site(number as u32, used);
                if let (true, super::Target::Symbol(above)) = (of != NONE, target)
                    && above != of
                {
                    found.push((of, above));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        for (of, above) in found {
            self.supertypes[of as usize].push(above);
        }
    }

    /// The type that the inside of a symbol belongs to: itself, or what an implementation is for.
    pub(super) fn type_of_scope(&self, symbol: u32) -> u32 {
        let definition = &self.uses.symbols[symbol as usize];
        match definition.kind {
            kind if kind.is_type() => symbol,
            SymbolKind::Impl => self.type_named(definition.file, definition.parent, definition.name),
            // Ruby and Elixir have modules with members.
            SymbolKind::Module if matches!(self.uses.family(symbol), Family::Ruby | Family::Elixir | Family::Php) => {
                symbol
            }
            _ => NONE,
        }
    }

    fn declared_on(&self, symbol: u32) -> u32 {
        let definition = &self.uses.symbols[symbol as usize];
        let path = self.name(definition.on);
        let path = path.strip_suffix(".prototype").unwrap_or(path);
        if super::family::is_self(path) {
            return self
                .uses
                .around(definition.parent)
                .map(|s| self.type_of_scope(s))
                .find(|of| *of != NONE)
                .unwrap_or(NONE);
        }
        match self.entity(definition.file, definition.parent, path) {
            Entity::Type(of) => of,
            _ => NONE,
        }
    }

    /// The type of this name, seen from a place.
    fn type_named(&self, file: u32, within: u32, name: u32) -> u32 {
        let found = self.bare(file, within, name).map_or(Vec::new(), |(found, _)| found);
        let mut types = found.into_iter().filter(|&s| self.kind(s).is_type());
        types.next().unwrap_or(NONE)
    }

    /// Members of a type, or of those above it; the type itself is asked if `own`. The nearest that have it win.
    pub(super) fn members(&self, of: u32, name: u32, own: bool) -> Vec<u32> {
        if of == NONE {
            return Vec::new();
        }
        let mut seen = vec![of];
        let mut at = 0;
        while let Some(&here) = seen.get(at) {
            if own || at > 0 {
                let found: Vec<u32> = self.index.members(here, name).collect();
                if !found.is_empty() {
                    return found;
                }
            }
            for &above in &self.supertypes[here as usize] {
                if seen.len() < SUPERTYPES && !seen.contains(&above) {
                    seen.push(above);
                }
            }
            at += 1;
        }
        Vec::new()
    }
}

/// `v2` at the end of a Go package's path is no name.
fn is_version(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
}
