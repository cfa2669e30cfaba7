//! What a path means where it stands: a scope whose names can be used, or a type whose members can.

use super::family::{Family, is_self, is_super, is_transparent};
use super::index::Scope;
use super::input::{Binding, NONE};
use super::{Resolver, is_capitalised};
use crate::qualifier::{UNKNOWN, segments};
use crate::symbols::SymbolKind;

/// What stands before a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entity {
    /// Modules, packages or files of the tree.
    Scopes(Vec<Scope>),
    /// A type of the tree, or a value of it.
    Type(u32),
    /// The types above this one.
    Above(u32),
    /// Something that is not in the tree.
    External,
    /// Nothing is known.
    Unknown,
}

impl Resolver<'_> {
    /// What a path means.
    pub(super) fn entity(&self, file: u32, within: u32, path: &str) -> Entity {
        if path.is_empty() || path.starts_with(UNKNOWN) {
            return Entity::Unknown;
        }
        let (mut at, rest) = match self.whole_path(file, within, path) {
            Some((scopes, rest)) => (Entity::Scopes(scopes), rest),
            None => {
                let Some(first) = segments(path).next() else { return Entity::Unknown };
                (self.head(file, within, first), &path[first.len()..])
            }
        };
        for part in segments(rest) {
            if self.steps.get() == 0 {
                return Entity::Unknown;
            }
            self.steps.set(self.steps.get() - 1);
            at = self.step(at, part);
        }
        at
    }

    /// Paths that mean something as a whole, and what follows them: modules of Rust, those of Python's `import a.b`,
    /// names of modules with dots.
    fn whole_path<'p>(&self, file: u32, within: u32, path: &'p str) -> Option<(Vec<Scope>, &'p str)> {
        let family = self.uses.files[file as usize].family;
        let path = path.trim_end_matches(':');
        let scopes = match family {
            Family::Rust => {
                let first = path.split("::").next().unwrap_or_default();
                if !matches!(first, "crate" | "super" | "self" | "$crate") || path == "self" {
                    return None;
                }
                self.modules.rust(self.uses, &self.index, self.module_around(file, within), path)
            }
            Family::Python => {
                let mut head = path;
                while head.contains('.') {
                    let imports = self.uses.names.find(head).map_or(&[][..], |id| self.imports_named(file, id));
                    if let Some(import) = imports.first() {
                        return Some((import.module.clone(), &path[head.len()..]));
                    }
                    head = &head[..head.rfind('.').unwrap_or(0)];
                }
                return None;
            }
            Family::Elixir | Family::Haskell | Family::Php | Family::CSharp | Family::C => {
                let dotted = self.uses.names.find(path);
                let named = dotted.map_or(&[][..], |id| self.modules.modules_named(id));
                named.iter().map(|&s| Scope::Symbol(s)).collect()
            }
            _ => Vec::new(),
        };
        (!scopes.is_empty()).then_some((scopes, ""))
    }

    /// What the first segment of a path means.
    fn head(&self, file: u32, within: u32, segment: &str) -> Entity {
        let family = self.uses.files[file as usize].family;
        let (word, called) = segment.strip_suffix("()").map_or((segment, false), |word| (word, true));
        if is_self(word) || is_super(word) {
            let of = self.enclosing_type(within);
            return match of {
                // `self::f()` outside of a type is the module's.
                NONE if family == Family::Rust => Entity::Scopes(vec![self.module_around(file, within)]),
                // Ruby's and Lua's `self` may be anything; elsewhere there must be a type.
                NONE => Entity::Unknown,
                of if is_super(word) => Entity::Above(of),
                of => Entity::Type(of),
            };
        }
        let word = if family == Family::Php { word.trim_start_matches('$') } else { word };
        let Some(name) = self.uses.names.find(word) else {
            // A crate's name may stand nowhere but in paths.
            let scopes =
                if family == Family::Rust { self.modules.find(self.uses, &self.index, file, word) } else { Vec::new() };
            return if scopes.is_empty() { self.unseen(family, word) } else { Entity::Scopes(scopes) };
        };
        if !called {
            for around in self.uses.around(within).chain([NONE]) {
                // `const x = require("x")` is an import, whatever else it looks like.
                if around == NONE && self.is_local_import(file, name) {
                    break;
                }
                if let Some(binding) = self.binding(file, around, name) {
                    return self.bound(file, binding);
                }
            }
            // Instance variables, and fields where no `this` is needed.
            if family.implicit_self() || word.starts_with('@') {
                let of = self.enclosing_type(within);
                if let Some(entity) = self.field(of, name) {
                    return entity;
                }
            }
        }
        if let Some((found, _)) = self.bare_without_guess(file, within, name) {
            return self.meaning(&found, called);
        }
        for import in self.imports_named(file, name) {
            if !import.module.is_empty() {
                return Entity::Scopes(import.module.clone());
            }
        }
        if self.is_local_import(file, name) {
            return Entity::External;
        }
        if family == Family::Rust {
            let child = self.modules.rust_child(self.uses, &self.index, self.module_around(file, within), word);
            let found = child.map(|child| vec![child]);
            let found = found.or_else(|| {
                Some(self.modules.find(self.uses, &self.index, file, word)).filter(|found| !found.is_empty())
            });
            if let Some(scopes) = found {
                return Entity::Scopes(scopes);
            }
        }
        if matches!(family, Family::Elixir | Family::Hcl | Family::Ruby | Family::C | Family::Php | Family::CSharp) {
            let named = self.modules.modules_named(name);
            if !named.is_empty() {
                return Entity::Scopes(named.iter().map(|&s| Scope::Symbol(s)).collect());
            }
        }
        let types = self.index.named(name).iter().map(|&(_, s)| s);
        let types: Vec<u32> = types.filter(|&s| self.kind(s).is_type() && self.uses.family(s) == family).collect();
        match types[..] {
            [one] if !family.strict() || is_capitalised(word) => Entity::Type(one),
            [] => self.unseen(family, word),
            _ => Entity::Unknown,
        }
    }

    /// A name of which nothing is known. A capitalised one is a type or module of others.
    fn unseen(&self, family: Family, word: &str) -> Entity {
        let is_type = is_capitalised(word)
            && matches!(
                family,
                Family::Rust
                    | Family::Python
                    | Family::Jvm
                    | Family::CSharp
                    | Family::Swift
                    | Family::Elixir
                    | Family::Php
                    | Family::Dart
                    | Family::Ecma
                    | Family::Ruby
            );
        let is_type = is_type && word.chars().any(char::is_lowercase);
        if is_type { Entity::External } else { Entity::Unknown }
    }

    /// The definitions of a bare name, without those that are merely unique.
    fn bare_without_guess(&self, file: u32, within: u32, name: u32) -> super::Found {
        let (found, confidence) = self.bare(file, within, name)?;
        (!found.is_empty() && confidence < super::Confidence::Unique).then_some((found, confidence))
    }

    /// What one of these definitions is to who uses its members.
    fn meaning(&self, found: &[u32], called: bool) -> Entity {
        if let Some(&of) = found.iter().find(|&&s| self.kind(s).is_type()) {
            // TypeScript: an interface is no value; the variable of its name is meant where a value stands.
            let is_shape = matches!(self.kind(of), SymbolKind::Interface | SymbolKind::Type);
            let value = found.iter().find(|&&s| self.kind(s) == SymbolKind::Variable);
            return match value {
                Some(&value) if is_shape && self.uses.family(of) == Family::Ecma => {
                    match self.value_of(value, called) {
                        Entity::Unknown => Entity::Type(of),
                        known => known,
                    }
                }
                _ => Entity::Type(of),
            };
        }
        let modules = found.iter().filter(|&&s| self.kind(s) == SymbolKind::Module);
        let mut scopes: Vec<Scope> = modules.map(|&s| self.module(s)).collect();
        // `mod name;` stands once for each platform.
        scopes.dedup();
        if !scopes.is_empty() {
            return Entity::Scopes(scopes);
        }
        match found {
            [one] if self.kind(*one).is_callable() && called => self.returned(*one),
            [one] => self.value_of(*one, called),
            _ => Entity::Unknown,
        }
    }

    /// What a variable stands for, or what it returns: `const make = Client.create`.
    fn value_of(&self, variable: u32, called: bool) -> Entity {
        let definition = &self.uses.symbols[variable as usize];
        let Some(binding) = self.binding(definition.file, definition.parent, definition.name) else {
            return Entity::Unknown;
        };
        if !called {
            return self.bound(definition.file, binding);
        }
        let path = self.name(binding.of);
        if !binding.is_value || binding.is_second || path.ends_with(')') || self.steps.get() == 0 {
            return Entity::Unknown;
        }
        self.steps.set(self.steps.get() - 1);
        self.entity(definition.file, binding.within, &format!("{path}()"))
    }

    /// The scope of a module: where Rust only names it, the file.
    fn module(&self, symbol: u32) -> Scope {
        let definition = &self.uses.symbols[symbol as usize];
        if !definition.declares {
            return Scope::Symbol(symbol);
        }
        let around = self.module_around(definition.file, definition.parent);
        let child = self.modules.rust_child(self.uses, &self.index, around, self.name(definition.name));
        child.unwrap_or(Scope::Symbol(symbol))
    }

    /// What a function returns.
    fn returned(&self, function: u32) -> Entity {
        let definition = &self.uses.symbols[function as usize];
        if definition.kind == SymbolKind::Constructor {
            return match self.member_of[function as usize] {
                NONE => Entity::Unknown,
                of => Entity::Type(of),
            };
        }
        if definition.returns == NONE {
            return Entity::Unknown;
        }
        let path = self.name(definition.returns);
        if is_self(path) {
            return match self.member_of[function as usize] {
                NONE => Entity::Unknown,
                of => Entity::Type(of),
            };
        }
        self.type_entity(definition.file, function, path)
    }

    fn returns_itself(&self, function: u32) -> bool {
        let returns = self.uses.symbols[function as usize].returns;
        returns != NONE && is_self(self.name(returns))
    }

    /// What a written type means: never a value of that name.
    fn type_entity(&self, file: u32, within: u32, path: &str) -> Entity {
        if self.steps.get() == 0 {
            return Entity::Unknown;
        }
        self.steps.set(self.steps.get() - 1);
        let family = self.uses.files[file as usize].family;
        if path.contains(['.', ':']) {
            let (scope, last) = path.rsplit_once(['.', ':']).unwrap_or(("", path));
            let scope = scope.trim_end_matches(':');
            let Some(name) = self.uses.names.find(last) else { return Entity::External };
            return match self.entity(file, within, scope) {
                Entity::Scopes(scopes) => {
                    let found: Vec<u32> =
                        scopes.iter().flat_map(|&s| self.in_module(s, name, 0, &mut Vec::new())).collect();
                    match found.iter().find(|&&s| self.kind(s).is_type()) {
                        Some(&of) => Entity::Type(of),
                        None => self.meaning(&found, false),
                    }
                }
                Entity::Type(of) => self.meaning(&self.members(of, name, true), false),
                other => other,
            };
        }
        if is_self(path) {
            return match self.enclosing_type(within) {
                NONE => Entity::Unknown,
                of => Entity::Type(of),
            };
        }
        let Some(name) = self.uses.names.find(path) else { return Entity::External };
        let found = self.bare(file, within, name).map_or(Vec::new(), |(found, _)| found);
        if let Some(&of) = found.iter().find(|&&s| self.kind(s).is_type()) {
            return Entity::Type(of);
        }
        let types = self.index.named(name).iter().map(|&(_, s)| s);
        let types: Vec<u32> = types.filter(|&s| self.kind(s).is_type() && self.uses.family(s) == family).collect();
        match types[..] {
            [one] if !family.strict() && !self.is_local_import(file, name) => Entity::Type(one),
            [] => Entity::External,
            _ if family.strict() => Entity::External,
            _ => Entity::Unknown,
        }
    }

    /// One segment further.
    fn step(&self, at: Entity, segment: &str) -> Entity {
        let (word, called) = segment.strip_suffix("()").map_or((segment, false), |word| (word, true));
        let Some(name) = self.uses.names.find(word) else {
            return match at {
                Entity::Type(of) if called && self.uses.family(of) == Family::Rust && is_transparent(word) => at,
                Entity::External => at,
                _ => Entity::Unknown,
            };
        };
        match at {
            Entity::Scopes(scopes) => {
                let found: Vec<u32> =
                    scopes.iter().flat_map(|&s| self.in_module(s, name, 0, &mut Vec::new())).collect();
                if !found.is_empty() {
                    return self.meaning(&found, called);
                }
                let child = scopes.iter().find_map(|&s| self.modules.rust_child(self.uses, &self.index, s, word));
                let child = child.map(|child| vec![child]);
                let child = child.or_else(|| scopes.iter().find_map(|&s| self.module_in(s, name, &mut Vec::new())));
                child.map_or(Entity::Unknown, Entity::Scopes)
            }
            Entity::Type(of) | Entity::Above(of) => {
                if !called && let Some(entity) = self.field(of, name) {
                    return entity;
                }
                let found = self.members(of, name, true);
                match found[..] {
                    [] if word == "new" => Entity::Type(of),
                    [] if called && self.uses.family(of) == Family::Rust && is_transparent(word) => Entity::Type(of),
                    // What returns itself returns what it was called on, not what declares it.
                    [one] if self.returns_itself(one) => Entity::Type(of),
                    // Without parentheses a member that can be called is a property.
                    _ => self.meaning(&found, called || found.iter().all(|&s| self.kind(s).is_callable())),
                }
            }
            // What a value of another's type has or returns is another's, too.
            other => other,
        }
    }

    /// The type of a field.
    fn field(&self, of: u32, name: u32) -> Option<Entity> {
        if of == NONE {
            return None;
        }
        let own = self.index.fields(of, name).next();
        let inherited = || self.supertypes[of as usize].iter().find_map(|&above| self.index.fields(above, name).next());
        let binding = &self.uses.bindings[own.or_else(inherited)? as usize];
        let file = match binding.within {
            NONE => return None,
            within => self.uses.symbols[within as usize].file,
        };
        Some(self.bound(file, binding))
    }

    /// What a binding's name stands for.
    fn bound(&self, file: u32, binding: &Binding) -> Entity {
        if self.steps.get() == 0 {
            return Entity::Unknown;
        }
        self.steps.set(self.steps.get() - 1);
        let path = self.name(binding.of);
        // `x = x.next()` says nothing of x.
        if binding.is_value {
            if segments(path).next() == Some(self.name(binding.name)) {
                return Entity::Unknown;
            }
            if binding.is_second {
                return self.second(file, binding.within, path);
            }
            return self.entity(file, binding.within, path);
        }
        self.type_entity(file, binding.within, path)
    }

    /// The second of two values that a call returns.
    fn second(&self, file: u32, within: u32, path: &str) -> Entity {
        let Some(path) = path.strip_suffix("()") else { return Entity::Unknown };
        let last = crate::qualifier::last_segment(path);
        let Some(name) = self.uses.names.find(last) else { return Entity::External };
        let before = path[..path.len() - last.len()].trim_end_matches('.');
        let found = if before.is_empty() {
            self.bare_without_guess(file, within, name).map_or(Vec::new(), |(found, _)| found)
        } else {
            match self.entity(file, within, before) {
                Entity::Scopes(scopes) => {
                    scopes.iter().flat_map(|&s| self.in_module(s, name, 0, &mut Vec::new())).collect()
                }
                Entity::Type(of) | Entity::Above(of) => self.members(of, name, true),
                Entity::External | Entity::Unknown => Vec::new(),
            }
        };
        let mut functions = found.into_iter().filter(|&s| self.kind(s).is_callable());
        let Some(function) = functions.next() else { return Entity::Unknown };
        match self.uses.symbols[function as usize].returns_second {
            NONE => Entity::Unknown,
            returns => self.type_entity(self.uses.symbols[function as usize].file, function, self.name(returns)),
        }
    }

    /// The binding of a name directly in a symbol, or at the top of the file.
    fn binding(&self, file: u32, within: u32, name: u32) -> Option<&Binding> {
        let (first, end) = self.uses.files[file as usize].bindings;
        let bindings = &self.uses.bindings[first as usize..end as usize];
        let at = bindings.partition_point(|b| (b.within, b.name) < (within, name));
        bindings.get(at).filter(|b| (b.within, b.name) == (within, name))
    }

    /// The type around a place: that of the innermost type, or the one its function is declared on.
    pub(super) fn enclosing_type(&self, within: u32) -> u32 {
        for around in self.uses.around(within) {
            let of = self.type_of_scope(around);
            if of != NONE {
                return of;
            }
            if self.member_of[around as usize] != NONE {
                return self.member_of[around as usize];
            }
        }
        NONE
    }

    /// The innermost module around a place.
    pub(super) fn module_around(&self, file: u32, within: u32) -> Scope {
        let module = self.uses.around(within).find(|&s| self.kind(s) == SymbolKind::Module);
        module.map_or(Scope::File(file), Scope::Symbol)
    }

    /// Symbols that declare something of a type of the tree, and the type.
    pub(super) fn mentions(&self) -> Vec<(u32, u32)> {
        let mut mentions = Vec::new();
        for (number, file) in self.uses.files.iter().enumerate() {
            for binding in &self.uses.bindings[file.bindings.0 as usize..file.bindings.1 as usize] {
                if binding.is_value || binding.within == NONE {
                    continue;
                }
                self.steps.set(super::STEPS);
                if let Entity::Type(of) = self.type_entity(number as u32, binding.within, self.name(binding.of))
                    && of != binding.within
                {
                    mentions.push((binding.within, of));
                }
            }
        }
        mentions.sort_unstable();
        mentions.dedup();
        mentions
    }
}
