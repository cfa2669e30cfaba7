//! What an import names -> the files, folders or modules of the tree that it means.
//!
//! No build file is read: paths of files say enough. An import that names nothing of the tree is external.

use std::collections::{BTreeMap, HashMap};

use rustc_hash::FxBuildHasher;

use super::family::Family;
use super::index::{Index, Scope};
use super::input::{FileUses, Uses};
use crate::place;
use crate::symbols::{CallKind, SymbolKind};

/// Endings that an import of JavaScript or TypeScript leaves out, in the order they are tried.
const ECMA: [&str; 14] = [
    ".ts",
    ".tsx",
    ".d.ts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".mts",
    ".vue",
    ".svelte",
    "/index.ts",
    "/index.tsx",
    "/index.js",
    "/index.mjs",
];

/// Files and folders by the paths that imports name.
pub struct Modules {
    files: HashMap<Box<str>, u32, FxBuildHasher>,
    folders: HashMap<Box<str>, u32, FxBuildHasher>,
    /// Folder of each file.
    pub folder_of: Vec<u32>,
    folder_paths: Vec<Box<str>>,
    /// The path of each file as imports write it, its ending, and its family.
    stems: Vec<(Box<str>, Box<str>, Family)>,
    /// Last segment of a module's path -> files, in order.
    by_stem: HashMap<Box<str>, Vec<u32>, FxBuildHasher>,
    /// Last segment of a folder's path -> folders, in order.
    by_folder: HashMap<Box<str>, Vec<u32>, FxBuildHasher>,
    /// Names of crates -> their root files.
    crates: HashMap<Box<str>, u32, FxBuildHasher>,
    /// What the imports of Go packages of this tree begin with.
    go_module: Option<String>,
    /// Full names of modules, namespaces and packages -> symbols.
    named: HashMap<u32, Vec<u32>, FxBuildHasher>,
}

impl Modules {
    /// Of all files.
    pub fn new(uses: &Uses) -> Self {
        let mut modules = Self {
            files: HashMap::default(),
            folders: HashMap::default(),
            folder_of: Vec::with_capacity(uses.files.len()),
            folder_paths: Vec::new(),
            stems: Vec::with_capacity(uses.files.len()),
            by_stem: HashMap::default(),
            by_folder: HashMap::default(),
            crates: HashMap::default(),
            go_module: None,
            named: HashMap::default(),
        };
        for (number, file) in uses.files.iter().enumerate() {
            let path = file.path.as_str();
            let folder = modules.folder(folder_path(path).trim_end_matches('/'));
            modules.folder_of.push(folder);
            let ending = place::file_name(path).rsplit_once('.').map_or("", |(_, ending)| ending);
            modules.stems.push((module_path(path).into(), ending.into(), file.family));
            if file.family == Family::None {
                continue;
            }
            modules.files.insert(path.into(), number as u32);
            let stem = module_stem(path);
            modules.by_stem.entry(stem.into()).or_default().push(number as u32);
            if let Some(root) = path.strip_suffix("src/lib.rs") {
                let name = place::file_name(root.trim_end_matches('/')).replace('-', "_");
                modules.crates.entry(name.into()).or_insert(number as u32);
            }
        }
        for (number, symbol) in uses.symbols.iter().enumerate() {
            if symbol.kind == SymbolKind::Module {
                modules.named.entry(symbol.name).or_default().push(number as u32);
            }
        }
        modules.go_module = modules.go_module(uses);
        modules
    }

    /// What most imports that end with a folder of the tree begin with: `go.mod` says it, but is not read.
    fn go_module(&self, uses: &Uses) -> Option<String> {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for file in uses.files.iter().filter(|file| file.family == Family::Go) {
            for import in &uses.uses[file.uses.0 as usize..file.uses.1 as usize] {
                let path = uses.names.get(import.name);
                if import.kind == CallKind::Import && is_hosted(path) {
                    let parts: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
                    if let Some(&at) = parts.iter().find(|&&at| self.folders.contains_key(&path[at + 1..])) {
                        *counts.entry(&path[..at]).or_default() += 1;
                    }
                }
            }
        }
        counts.into_iter().rev().max_by_key(|&(_, count)| count).map(|(prefix, _)| prefix.to_owned())
    }

    fn folder(&mut self, path: &str) -> u32 {
        if let Some(&folder) = self.folders.get(path) {
            return folder;
        }
        let number = self.folder_paths.len() as u32;
        self.folder_paths.push(path.into());
        self.folders.insert(path.into(), number);
        self.by_folder.entry(place::file_name(path).into()).or_default().push(number);
        number
    }

    /// The scopes that the path of an import means, seen from a file.
    pub fn find(&self, uses: &Uses, index: &Index, file: u32, path: &str) -> Vec<Scope> {
        let from = &uses.files[file as usize];
        match from.family {
            Family::Rust => self.rust(uses, index, Scope::File(file), path),
            Family::Python => self.python(&from.path, path),
            Family::Ecma => self.ecma(&from.path, path),
            Family::Go => self.go(path),
            Family::C | Family::Bash | Family::Zig | Family::Other => self.by_file_path(&from.path, path),
            Family::Dart => {
                let path = path.rsplit_once(':').map_or(path, |(_, rest)| rest);
                let inside = path.split_once('/').map_or(path, |(_, rest)| rest);
                let found = self.by_file_path(&from.path, path);
                if found.is_empty() { self.by_file_path(&from.path, inside) } else { found }
            }
            Family::Ruby => self.by_file_path(&from.path, &format!("{path}.rb")),
            Family::Hcl => self.folders_of(&join(folder_path(&from.path), path)),
            _ => self.dotted(uses, from, path),
        }
    }

    /// The symbols of modules with this full name.
    pub fn modules_named(&self, name: u32) -> &[u32] {
        self.named.get(&name).map_or(&[], Vec::as_slice)
    }

    /// `crate::a::b`, `super::a`, `a::b`, seen from a module: a file, or an inline one.
    pub fn rust(&self, uses: &Uses, index: &Index, from: Scope, path: &str) -> Vec<Scope> {
        let mut segments = path.split("::").map(str::trim).filter(|s| !s.is_empty()).peekable();
        let file = match from {
            Scope::File(file) => file,
            Scope::Symbol(symbol) => uses.symbols[symbol as usize].file,
            Scope::Folder(_) => return Vec::new(),
        };
        let mut at = from;
        match segments.peek() {
            None => return Vec::new(),
            Some(&"crate" | &"$crate") => {
                segments.next();
                at = self.crate_root(&uses.files[file as usize].path).map_or(at, Scope::File);
            }
            Some(&"self") => {
                segments.next();
            }
            Some(&"super") => {
                while segments.next_if(|s| *s == "super").is_some() {
                    match self.rust_parent(uses, at) {
                        Some(parent) => at = parent,
                        None => return Vec::new(),
                    }
                }
            }
            Some(&first) => {
                let child = self.rust_child(uses, index, at, first);
                let named = || self.crates.get(first).map(|&root| Scope::File(root));
                // A crate at the top of the tree goes by a name that no path tells; `std` is never it.
                let sole = || {
                    let top = self.files.get("src/lib.rs").map(|&root| Scope::File(root));
                    top.filter(|_| !["std", "core", "alloc"].contains(&first) && self.crates.len() <= 1)
                };
                let Some(child) = child.or_else(named).or_else(sole) else { return Vec::new() };
                segments.next();
                at = child;
            }
        }
        for segment in segments {
            match self.rust_child(uses, index, at, segment) {
                Some(child) => at = child,
                None => return Vec::new(),
            }
        }
        vec![at]
    }

    /// The module of a name inside a module of Rust: an inline one, or a file.
    pub fn rust_child(&self, uses: &Uses, index: &Index, at: Scope, name: &str) -> Option<Scope> {
        let id = uses.names.find(name);
        let inline = id.and_then(|id| {
            let inline = |s: &u32| {
                let definition = &uses.symbols[*s as usize];
                definition.kind == SymbolKind::Module && !definition.declares
            };
            let found = index.inner(at, id).find(inline)?;
            Some(Scope::Symbol(found))
        });
        if inline.is_some() {
            return inline;
        }
        let folder = match at {
            Scope::File(file) => rust_folder(&uses.files[file as usize].path),
            Scope::Symbol(symbol) => {
                let definition = &uses.symbols[symbol as usize];
                format!(
                    "{}{}/",
                    rust_folder(&uses.files[definition.file as usize].path),
                    uses.names.get(definition.name)
                )
            }
            Scope::Folder(_) => return None,
        };
        let file = self.files.get(format!("{folder}{name}.rs").as_str());
        let file = file.or_else(|| self.files.get(format!("{folder}{name}/mod.rs").as_str()));
        file.map(|&file| Scope::File(file))
    }

    fn rust_parent(&self, uses: &Uses, at: Scope) -> Option<Scope> {
        match at {
            Scope::Symbol(symbol) => {
                let definition = &uses.symbols[symbol as usize];
                let outer =
                    uses.around(definition.parent).find(|&s| uses.symbols[s as usize].kind == SymbolKind::Module);
                Some(outer.map_or(Scope::File(definition.file), Scope::Symbol))
            }
            Scope::File(file) => {
                let path = &uses.files[file as usize].path;
                let folder = folder_path(path).trim_end_matches('/');
                let folder = if path.ends_with("/mod.rs") { folder_path(folder).trim_end_matches('/') } else { folder };
                let slash = if folder.is_empty() { "" } else { "/" };
                let tries = [
                    format!("{folder}{slash}mod.rs"),
                    format!("{folder}{slash}lib.rs"),
                    format!("{folder}{slash}main.rs"),
                    format!("{folder}.rs"),
                ];
                tries.iter().find_map(|path| self.files.get(path.as_str())).map(|&file| Scope::File(file))
            }
            Scope::Folder(_) => None,
        }
    }

    fn crate_root(&self, path: &str) -> Option<u32> {
        let mut folder = folder_path(path);
        loop {
            for root in ["lib.rs", "main.rs"] {
                if let Some(&file) = self.files.get(format!("{folder}{root}").as_str()) {
                    return Some(file);
                }
            }
            if folder.is_empty() {
                return None;
            }
            folder = folder_path(folder.trim_end_matches('/'));
        }
    }

    /// `a.b`, `.a`, `..`.
    fn python(&self, from: &str, path: &str) -> Vec<Scope> {
        let dots = path.len() - path.trim_start_matches('.').len();
        let rest = path[dots..].replace('.', "/");
        if dots > 0 {
            let mut folder = folder_path(from);
            for _ in 1..dots {
                folder = folder_path(folder.trim_end_matches('/'));
            }
            return self.python_file(&format!("{folder}{rest}")).into_iter().map(Scope::File).collect();
        }
        let last = rest.rsplit('/').next().unwrap_or_default();
        let candidates = self.by_stem.get(last).map_or(&[][..], Vec::as_slice);
        let fits = |&&file: &&u32| {
            let path = self.path_of_stem(file);
            let Some(before) = path.strip_suffix(&rest).filter(|_| self.stems[file as usize].2 == Family::Python)
            else {
                return false;
            };
            // What lies in a package is not found by its bare name.
            (before.is_empty() || before.ends_with('/'))
                && !self.files.contains_key(format!("{before}__init__.py").as_str())
        };
        let fitting: Vec<u32> = candidates.iter().filter(fits).copied().collect();
        nearest(from, &fitting, |file| self.path_of_stem(file)).into_iter().map(Scope::File).collect()
    }

    fn python_file(&self, path: &str) -> Option<u32> {
        let path = path.trim_end_matches('/');
        let slash = if path.is_empty() { "" } else { "/" };
        let tries = [format!("{path}.py"), format!("{path}{slash}__init__.py"), format!("{path}.pyi")];
        tries.iter().find_map(|path| self.files.get(path.as_str())).copied()
    }

    /// A file of this path, with an ending of JavaScript or TypeScript left out.
    fn ecma(&self, from: &str, path: &str) -> Vec<Scope> {
        let with_ending = |base: &str| -> Option<u32> {
            if let Some(&file) = self.files.get(base) {
                return Some(file);
            }
            // TypeScript imports the `.js` that will be.
            let bare = [".js", ".mjs", ".cjs", ".jsx"].iter().find_map(|e| base.strip_suffix(e));
            let bases = std::iter::once(base).chain(bare);
            bases
                .flat_map(|base| ECMA.iter().map(move |e| format!("{base}{e}")))
                .find_map(|p| self.files.get(p.as_str()).copied())
        };
        if path.starts_with('.') {
            return with_ending(&join(folder_path(from), path)).into_iter().map(Scope::File).collect();
        }
        // `@/a/b`, `~/a/b`, `src/a/b`: below some folder on the way up.
        let inside = path.strip_prefix("@/").or_else(|| path.strip_prefix("~/")).unwrap_or(path);
        let mut folder = folder_path(from);
        loop {
            for middle in ["", "src/", "packages/"] {
                let bases = [format!("{folder}{middle}{inside}"), format!("{folder}{middle}{inside}/src/index")];
                if let Some(file) = bases.iter().find_map(|base| with_ending(base)) {
                    return vec![Scope::File(file)];
                }
            }
            if folder.is_empty() {
                break;
            }
            folder = folder_path(folder.trim_end_matches('/'));
        }
        // A package of the same tree goes by its folder: `@scope/name` lies in `packages/name`.
        let mut parts = path.split('/');
        let name = if path.starts_with('@') { parts.nth(1) } else { parts.next() };
        let rest = parts.collect::<Vec<_>>().join("/");
        let folders = name.and_then(|name| self.by_folder.get(name)).map_or(&[][..], Vec::as_slice);
        let found = folders.iter().find_map(|&folder| {
            let folder = &self.folder_paths[folder as usize];
            let bases = if rest.is_empty() {
                [format!("{folder}/src/index"), format!("{folder}/index")]
            } else {
                [format!("{folder}/src/{rest}"), format!("{folder}/{rest}")]
            };
            bases.iter().find_map(|base| with_ending(base))
        });
        // The only package of a tree goes by a name that no path tells.
        let own = || if path.starts_with('@') || rest.is_empty() { with_ending("src/index") } else { None };
        found.or_else(own).into_iter().map(Scope::File).collect()
    }

    /// The folder of a package. A path without a host is of the standard library.
    fn go(&self, path: &str) -> Vec<Scope> {
        if !is_hosted(path) {
            return Vec::new();
        }
        let inside = self.go_module.as_deref().and_then(|module| path.strip_prefix(module));
        if let Some(inside) = inside.filter(|inside| inside.is_empty() || inside.starts_with('/')) {
            let folder = self.folders.get(inside.trim_start_matches('/'));
            return folder.map(|&folder| Scope::Folder(folder)).into_iter().collect();
        }
        // Another module of the same tree: two segments must agree.
        let mut rest = path;
        while let Some((_, inner)) = rest.split_once('/') {
            rest = inner;
            if let Some(&folder) = self.folders.get(rest).filter(|_| rest.contains('/')) {
                return vec![Scope::Folder(folder)];
            }
        }
        Vec::new()
    }

    /// A file by a path relative to the one that names it, or by the end of its path.
    fn by_file_path(&self, from: &str, path: &str) -> Vec<Scope> {
        if let Some(&file) = self.files.get(join(folder_path(from), path).as_str()) {
            return vec![Scope::File(file)];
        }
        let inside = path.trim_start_matches("./").trim_start_matches("../");
        let stem = module_stem(inside);
        let candidates = self.by_stem.get(stem).map_or(&[][..], Vec::as_slice);
        let whole = |file: u32| self.path_of_stem(file);
        let target = inside.rsplit_once('.').map_or(inside, |(path, _)| path);
        let ending = inside.rsplit_once('.').map_or("", |(_, ending)| ending);
        let fits = |&&file: &&u32| {
            let (path, kind) = (whole(file), self.ending_of(file));
            path.strip_suffix(target).is_some_and(|before| before.is_empty() || before.ends_with('/')) && kind == ending
        };
        let fitting: Vec<u32> = candidates.iter().filter(fits).copied().collect();
        nearest(from, &fitting, whole).into_iter().map(Scope::File).collect()
    }

    /// `a.b.C` and its like: a module of that name, files in a folder `a/b/C`, a file `a/b/C`.
    fn dotted(&self, uses: &Uses, from: &FileUses, path: &str) -> Vec<Scope> {
        let family = from.family;
        if let Some(id) = uses.names.find(path) {
            let named = self.modules_named(id);
            if !named.is_empty() {
                return named.iter().map(|&s| Scope::Symbol(s)).collect();
            }
        }
        let slashed = path.replace("::", "/").replace(['.', '\\'], "/");
        let folders = self.folders_of(&slashed);
        if !folders.is_empty() {
            return folders;
        }
        let stem = slashed.rsplit('/').next().unwrap_or_default();
        let candidates = self.by_stem.get(stem).map_or(&[][..], Vec::as_slice);
        let ends = |&&file: &&u32| {
            let path = self.path_of_stem(file);
            let before = path.strip_suffix(slashed.as_str()).filter(|_| self.stems[file as usize].2 == family);
            before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let fitting: Vec<u32> = candidates.iter().filter(ends).copied().collect();
        nearest(&from.path, &fitting, |file| self.path_of_stem(file)).into_iter().map(Scope::File).collect()
    }

    /// The folders whose path ends like this.
    fn folders_of(&self, path: &str) -> Vec<Scope> {
        let path = path.trim_end_matches('/');
        if let Some(&folder) = self.folders.get(path) {
            return vec![Scope::Folder(folder)];
        }
        let named = self.by_folder.get(place::file_name(path)).map_or(&[][..], Vec::as_slice);
        let ends = |&&folder: &&u32| {
            let whole = &self.folder_paths[folder as usize];
            path.contains('/') && whole.strip_suffix(path).is_some_and(|before| before.ends_with('/'))
        };
        named.iter().filter(ends).map(|&folder| Scope::Folder(folder)).collect()
    }

    /// The path of a file as imports write it: without its ending, an index file by its folder.
    fn path_of_stem(&self, file: u32) -> &str {
        &self.stems[file as usize].0
    }

    fn ending_of(&self, file: u32) -> &str {
        &self.stems[file as usize].1
    }
}

/// Whether the path of a Go package begins with a host.
fn is_hosted(path: &str) -> bool {
    path.split('/').next().is_some_and(|host| host.contains('.'))
}

/// Of several files, the one that shares the most folders with where it is named; the first of equals.
fn nearest<'a>(from: &str, files: &[u32], path: impl Fn(u32) -> &'a str) -> Option<u32> {
    let shared = |file: u32| from.split('/').zip(path(file).split('/')).take_while(|(a, b)| a == b).count();
    files.iter().copied().rev().max_by_key(|&file| shared(file))
}

/// Folders of a path, with the slash at the end; empty at the top.
fn folder_path(path: &str) -> &str {
    &path[..path.len() - place::file_name(path).len()]
}

/// The folder that the children of a module of Rust lie in.
fn rust_folder(path: &str) -> String {
    let folder = folder_path(path);
    match place::file_name(path) {
        "mod.rs" | "lib.rs" | "main.rs" => folder.to_owned(),
        name => format!("{folder}{}/", name.trim_end_matches(".rs")),
    }
}

/// The last segment of a module's path: an index file goes by its folder.
fn module_stem(path: &str) -> &str {
    let whole = module_path(path);
    place::file_name(whole)
}

/// A file's path without its ending; an index file's is its folder's.
fn module_path(path: &str) -> &str {
    let name = place::file_name(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    let folder = folder_path(path);
    match stem {
        "__init__" | "index" | "mod" | "init" if !folder.is_empty() => folder.trim_end_matches('/'),
        _ => &path[..folder.len() + stem.len()],
    }
}

/// A path relative to a folder, with `.` and `..` worked in.
fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> =
        if path.starts_with('/') { Vec::new() } else { folder.split('/').filter(|p| !p.is_empty()).collect() };
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
