//! A place in a file -> what the name there means, and what belongs to that.
//!
//! A definition means itself, and a use that was resolved means its targets. What no use was kept of (a type in a signature,
//! a field that is read, a name in the documentation) is looked up by its name: from the place outwards, then by what else
//! the file knows, and last in the whole tree, with a confidence that says so.

use seekwell_types::structure::{
    Confidence, Facet, FileOccurrences, Occurrence, Place, Role, Row, Spot, StructureAnswer,
};
use seekwell_types::{ByteSpan, Content};

use super::{CANDIDATES, Navigator, confidence};
use crate::resolve::family::{is_common, is_self};
use crate::resolve::{Family, NONE, Site, Target};
use crate::symbols::{CallKind, SymbolKind};

/// A use that can mean more definitions than this says nothing of any of them: it is no reference to one.
const MANY: usize = 8;

/// Types below a type that are told.
const IMPLEMENTATIONS: usize = 1_000;

/// What a place means.
#[derive(Default)]
pub(super) struct Meant {
    /// The definitions.
    symbols: Vec<u32>,
    /// Or the file.
    file: Option<u32>,
    /// How that is known; none for a definition itself.
    confidence: Option<Confidence>,
}

/// A place as it is looked up.
struct At<'a> {
    file: u32,
    name: &'a str,
    on: &'a str,
    line: u32,
    column: u32,
    /// Whether it stands in documentation.
    mention: bool,
}

impl Navigator<'_> {
    /// What stands at a place, and what belongs to it.
    pub(super) fn at(&self, spot: &Spot, facet: Facet, found: &[FileOccurrences]) -> StructureAnswer {
        let files = &self.generation.files;
        let Ok(file) = files.binary_search_by(|f| f.path.as_bytes().cmp(spot.path.as_bytes())) else {
            return StructureAnswer {
                not_found: true,
                notes: vec![format!("not a file of this tree: {}", spot.path)],
                ..StructureAnswer::default()
            };
        };
        let code = files[file].content == Content::Code;
        let meant = self.meaning(&At {
            file: file as u32,
            name: &spot.name,
            on: &spot.on,
            line: spot.line,
            column: spot.column,
            mention: !code,
        });
        if let Some(target) = meant.file {
            return self.whole_file(target, facet, meant.confidence);
        }
        let rows = match facet {
            Facet::Definitions => self.defined(&meant),
            Facet::Implementations => self.implementations(&meant.symbols),
            Facet::Callers => self.callers(&meant.symbols),
            Facet::Callees => self.callees(&meant.symbols),
            Facet::References => self.meaning_the_same(&meant.symbols, found),
        };
        let subjects = meant.symbols.iter().take(CANDIDATES).map(|&symbol| self.symbol(symbol)).collect();
        let not_found = meant.symbols.is_empty();
        StructureAnswer { subjects, total: rows.len() as u32, rows, not_found, ..StructureAnswer::default() }
    }

    fn defined(&self, meant: &Meant) -> Vec<Row> {
        let count = meant.symbols.len() as u32;
        let row = |(number, &symbol): (usize, &u32)| Row {
            symbol: Some(self.symbol(symbol)),
            name: self.generation.symbol_name(symbol).to_owned(),
            subject: Some(number as u32),
            confidence: meant.confidence,
            candidate_count: if count > 1 { count } else { 0 },
            ..Row::default()
        };
        meant.symbols.iter().take(CANDIDATES).enumerate().map(row).collect()
    }

    /// The answer about a name that means a file: where that is, or what imports it.
    fn whole_file(&self, file: u32, facet: Facet, confidence: Option<Confidence>) -> StructureAnswer {
        let place = |path: &str| Place {
            path: path.to_owned(),
            line: 1,
            column: 1,
            span: ByteSpan::new(0, 0),
            role: Role::Definition,
        };
        let path = self.path(file);
        let whole = Row { name: path.to_owned(), places: vec![place(path)], confidence, ..Row::default() };
        let rows: Vec<Row> = match facet {
            Facet::Definitions | Facet::Implementations => vec![whole],
            Facet::Callers | Facet::References => {
                let row = |site: &Site| Row {
                    name: self.path(site.file).to_owned(),
                    places: vec![self.place(site)],
                    confidence: Some(super::confidence(site.confidence)),
                    ..Row::default()
                };
                self.generation.graph().imports_to(file).map(row).collect()
            }
            Facet::Callees => Vec::new(),
        };
        StructureAnswer { total: rows.len() as u32, rows, ..StructureAnswer::default() }
    }

    fn meaning(&self, at: &At<'_>) -> Meant {
        if let Some(defined) = self.defined_at(at) {
            return defined;
        }
        let sites = self.generation.graph().uses_of(at.file);
        let from = sites.partition_point(|site| site.line < at.line);
        let mut on_line = sites[from..].iter().take_while(|site| site.line == at.line);
        let Some(site) = on_line.find(|site| site.column == at.column) else { return self.by_name(at) };
        let confidence = Some(confidence(site.confidence));
        match site.target {
            Target::File(file) => Meant { file: Some(file), confidence, ..Meant::default() },
            // Not in the tree, as far as its language's rules say: the same name elsewhere would be a guess.
            Target::Nothing => Meant { confidence, ..Meant::default() },
            Target::Symbol(_) | Target::Several(_) => {
                let symbols = self.generation.graph().targets(site).to_vec();
                Meant { symbols, confidence, ..Meant::default() }
            }
        }
    }

    /// The symbol whose name stands here.
    fn defined_at(&self, at: &At<'_>) -> Option<Meant> {
        let (first, end) = self.generation.files[at.file as usize].symbols;
        let here = |&symbol: &u32| {
            let record = self.record(symbol);
            (record.name_line, record.name_column) == (at.line, at.column) && record.kind != SymbolKind::Impl
        };
        let symbol = (first..end).find(here)?;
        if !self.declares(symbol) {
            return Some(Meant { symbols: vec![symbol], ..Meant::default() });
        }
        // A prototype means its definition, `mod name;` the file of that name.
        let name = self.generation.symbol_name(symbol);
        if self.record(symbol).kind == SymbolKind::Module {
            let file = self.module_file(at.file, name);
            return Some(match file {
                Some(file) => Meant { file: Some(file), ..Meant::default() },
                None => Meant { symbols: vec![symbol], ..Meant::default() },
            });
        }
        let defines = |&other: &u32| {
            self.family(self.file_of(other)) == Family::C
                && self.record(other).kind.is_callable()
                && !self.declares(other)
                && self.full_name(other) == self.full_name(symbol)
        };
        let mut symbols: Vec<u32> = self.generation.symbols_named(name).filter(defines).collect();
        if symbols.is_empty() {
            symbols.push(symbol);
        }
        Some(Meant { symbols, ..Meant::default() })
    }

    /// Whether a symbol only declares what is defined elsewhere.
    fn declares(&self, symbol: u32) -> bool {
        let record = self.record(symbol);
        let file = &self.generation.files[self.file_of(symbol) as usize];
        file.strings.get(record.signature).ends_with(';')
            && match Family::of(&file.language) {
                Family::C => record.kind.is_callable(),
                Family::Rust => record.kind == SymbolKind::Module,
                _ => false,
            }
    }

    /// The file of a module of Rust that another one declares.
    fn module_file(&self, file: u32, name: &str) -> Option<u32> {
        let path = self.path(file);
        let (folder, file_name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
        let stem = file_name.trim_end_matches(".rs");
        let mut inside = folder.to_owned();
        if !matches!(stem, "mod" | "lib" | "main") {
            inside = if inside.is_empty() { stem.to_owned() } else { format!("{inside}/{stem}") };
        }
        let files = &self.generation.files;
        let joined = |folder: &str, rest: String| if folder.is_empty() { rest } else { format!("{folder}/{rest}") };
        [(&*inside, format!("{name}.rs")), (&*inside, format!("{name}/mod.rs")), (folder, format!("{name}.rs"))]
            .into_iter()
            .map(|(folder, rest)| joined(folder, rest))
            .find_map(|path| files.binary_search_by(|f| f.path.as_bytes().cmp(path.as_bytes())).ok())
            .map(|file| file as u32)
    }

    fn family(&self, file: u32) -> Family {
        Family::of(&self.generation.files[file as usize].language)
    }

    fn by_name(&self, at: &At<'_>) -> Meant {
        let found = if at.on.is_empty() { self.by_bare_name(at) } else { self.by_member_name(at) };
        found.unwrap_or_default()
    }

    /// A name with nothing before it, as it is looked up from the inside out.
    fn by_bare_name(&self, at: &At<'_>) -> Option<Meant> {
        let family = self.family(at.file);
        let named = self.nameable(at);
        if named.is_empty() {
            return None;
        }
        let known = |symbols: Vec<u32>, confidence| Some(Meant { symbols, confidence: Some(confidence), file: None });
        if !at.mention {
            for around in self.around(at) {
                let kind = self.record(around).kind;
                // The members of a type are no bare names in it, except where the language says so.
                let closed = (kind.is_type() || kind == SymbolKind::Impl) && !family.implicit_self();
                let inside =
                    |&s: &u32| self.record(s).parent == Some(around) && (!closed || self.record(s).kind.is_type());
                let of = self.type_around(around);
                let member = |&s: &u32| of != NONE && family.implicit_self() && self.member_of(s) == of;
                let here: Vec<u32> = named.iter().copied().filter(|s| inside(s) || member(s)).collect();
                if !here.is_empty() {
                    return known(here, Confidence::Scope);
                }
            }
            let top = |&s: &u32| self.record(s).parent.is_none_or(|p| self.record(p).kind == SymbolKind::Module);
            let free = |s: &u32| top(s) && (self.member_of(*s) == NONE || family.implicit_self());
            let here: Vec<u32> = named.iter().copied().filter(|s| self.file_of(*s) == at.file && free(s)).collect();
            if !here.is_empty() {
                return known(here, Confidence::File);
            }
            if let Some(meant) = self.known_to_file(at) {
                return Some(meant);
            }
            if family.package() {
                let folder = crate::place::folders(self.path(at.file)).collect::<Vec<_>>();
                let beside = |s: &u32| crate::place::folders(self.path(self.file_of(*s))).eq(folder.iter().copied());
                let here: Vec<u32> = named.iter().copied().filter(|s| beside(s) && free(s)).collect();
                if !here.is_empty() {
                    return known(here, Confidence::Package);
                }
            }
        }
        let is_field = |s: u32| self.record(s).kind == SymbolKind::Field;
        let free = |s: u32| self.record(s).kind.is_type() || self.member_of(s) == NONE && !is_field(s);
        let anywhere = named.iter().copied().filter(|&s| at.mention || free(s)).collect();
        // What is nothing else is a field of something that is made here.
        self.spread(anywhere).or_else(|| self.spread(named.into_iter().filter(|&s| is_field(s)).collect()))
    }

    /// A member, by what stands before it.
    fn by_member_name(&self, at: &At<'_>) -> Option<Meant> {
        let named = self.nameable(at);
        let last = at.on.trim_end_matches("::").rsplit(['.', ':']).next().unwrap_or_default();
        let of = |symbols: Vec<u32>, confidence| Some(Meant { symbols, confidence: Some(confidence), file: None });
        if is_self(at.on.trim_end_matches("::")) {
            let own = self.around(at).map(|around| self.type_around(around)).find(|&of| of != NONE);
            if let Some(own) = own {
                let here: Vec<u32> = named.iter().copied().filter(|&s| self.is_member(s, own)).collect();
                if !here.is_empty() {
                    return of(here, Confidence::Receiver);
                }
            }
        }
        let inside = |&s: &u32| {
            let container = self.container(s);
            let stem = crate::place::stem(self.path(self.file_of(s)));
            container.rsplit("::").next() == Some(last) || container.is_empty() && stem == last
        };
        let here: Vec<u32> = named.iter().copied().filter(inside).collect();
        if !last.is_empty() && !here.is_empty() {
            return of(here, Confidence::Receiver);
        }
        // Names that values of the language's own types have, too, say nothing of the tree.
        if is_common(at.name) && !at.mention {
            return None;
        }
        let members = |&s: &u32| self.member_of(s) != NONE || self.record(s).parent.is_some();
        self.spread(named.into_iter().filter(members).collect())
    }

    /// What other uses of the same name in the file mean: its imports first.
    fn known_to_file(&self, at: &At<'_>) -> Option<Meant> {
        let graph = self.generation.graph();
        let sure =
            |site: &&Site| graph.name(site) == at.name && matches!(site.target, Target::Symbol(_) | Target::File(_));
        let sites: Vec<&Site> = graph.uses_of(at.file).iter().filter(sure).collect();
        let imports = sites.iter().find(|site| site.kind == CallKind::Import);
        let site = imports.or_else(|| sites.iter().min_by_key(|site| site.confidence))?;
        let confidence = Some(confidence(site.confidence));
        Some(match site.target {
            Target::File(file) => Meant { file: Some(file), confidence, ..Meant::default() },
            _ => Meant { symbols: graph.targets(site).to_vec(), confidence, file: None },
        })
    }

    /// Symbols of this name that the place's language could mean.
    fn nameable(&self, at: &At<'_>) -> Vec<u32> {
        let family = self.family(at.file);
        let fits = |&s: &u32| {
            let kind = self.record(s).kind;
            self.generation.symbol_name(s) == at.name
                && (at.mention || family == Family::None || self.family(self.file_of(s)) == family)
                && !matches!(kind, SymbolKind::Impl | SymbolKind::Test)
                && (kind != SymbolKind::Section || family == Family::Hcl)
        };
        self.generation.symbols_named(at.name).filter(fits).collect()
    }

    fn spread(&self, mut symbols: Vec<u32>) -> Option<Meant> {
        if symbols.iter().any(|&s| !self.declares(s)) {
            symbols.retain(|&s| !self.declares(s));
        }
        let importance = |s: u32| self.generation.graph().symbol_percentile[s as usize];
        symbols.sort_by(|&a, &b| importance(b).total_cmp(&importance(a)).then(a.cmp(&b)));
        let confidence = match symbols.len() {
            0 => return None,
            1 => Confidence::Unique,
            _ => Confidence::Ambiguous,
        };
        Some(Meant { symbols, confidence: Some(confidence), file: None })
    }

    /// The symbols around a place, the innermost first.
    fn around(&self, at: &At<'_>) -> impl Iterator<Item = u32> {
        let (first, end) = self.generation.files[at.file as usize].symbols;
        let holds = |&s: &u32| {
            let record = self.record(s);
            record.lines.0 <= at.line && at.line <= record.lines.1
        };
        // By lines, since that is what is known of the place: the last that begins before it is the innermost.
        let mut innermost = (first..end).filter(holds).filter(|&s| {
            let record = self.record(s);
            (record.lines.0, record.lines.1) != (at.line, at.line) || record.name_column <= at.column
        });
        std::iter::successors(innermost.next_back(), |&s| self.record(s).parent)
    }

    fn member_of(&self, symbol: u32) -> u32 {
        self.generation.graph().member_of[symbol as usize]
    }

    /// The type that a symbol is, or that it is a member of, or [`NONE`].
    fn type_around(&self, symbol: u32) -> u32 {
        if self.record(symbol).kind.is_type() { symbol } else { self.member_of(symbol) }
    }

    fn is_member(&self, symbol: u32, of: u32) -> bool {
        self.member_of(symbol) == of || self.record(symbol).parent == Some(of)
    }

    /// The places that mean one of these symbols, definitions included.
    fn meaning_the_same(&self, subjects: &[u32], found: &[FileOccurrences]) -> Vec<Row> {
        let files = &self.generation.files;
        let mut rows = Vec::new();
        for FileOccurrences { path, occurrences } in found {
            let Ok(file) = files.binary_search_by(|f| f.path.as_bytes().cmp(path.as_bytes())) else { continue };
            for occurrence in occurrences {
                if let Some(row) = self.same(subjects, file as u32, occurrence) {
                    rows.push(row);
                }
            }
        }
        rows
    }

    fn same(&self, subjects: &[u32], file: u32, occurrence: &Occurrence) -> Option<Row> {
        if occurrence.local || matches!(occurrence.role, Role::Text | Role::Mention) {
            return None;
        }
        let name = self.generation.symbol_name(*subjects.first()?);
        let meant = self.meaning(&At {
            file,
            name,
            on: &occurrence.on,
            line: occurrence.line,
            column: occurrence.column,
            mention: false,
        });
        let subject = subjects.iter().position(|subject| meant.symbols.contains(subject))?;
        if meant.symbols.len() > MANY && meant.symbols.len() > subjects.len() {
            return None;
        }
        let around = self.innermost(file, occurrence.span.start);
        let defined = meant.confidence.is_none();
        Some(Row {
            symbol: around.map(|symbol| self.symbol(symbol)),
            name: around.map_or(self.path(file), |symbol| self.generation.symbol_name(symbol)).to_owned(),
            subject: Some(subject as u32),
            places: vec![Place {
                path: self.path(file).to_owned(),
                line: occurrence.line,
                column: occurrence.column,
                span: occurrence.span,
                role: if defined { Role::Definition } else { occurrence.role },
            }],
            confidence: meant.confidence,
            candidate_count: if meant.symbols.len() > 1 { meant.symbols.len() as u32 } else { 0 },
            ..Row::default()
        })
    }

    /// What extends, implements or overrides these symbols, directly or through others; of a type without any, its own
    /// implementation blocks; of what is itself an implementation, itself.
    fn implementations(&self, subjects: &[u32]) -> Vec<Row> {
        let mut rows = Vec::new();
        for (number, &subject) in subjects.iter().enumerate() {
            let is_go = self.family(self.file_of(subject)) == Family::Go;
            let mut below = if self.record(subject).kind.is_type() {
                self.types_below(subject)
            } else {
                self.generation.graph().overridden_by(subject)
            };
            if is_go && below.is_empty() {
                below = self.satisfying(subject);
            }
            if below.is_empty() && self.record(subject).kind.is_type() {
                below = self.blocks_of(subject);
            }
            if below.is_empty() {
                below.push(subject);
            }
            rows.extend(below.into_iter().map(|symbol| Row {
                symbol: Some(self.symbol(symbol)),
                name: self.generation.symbol_name(symbol).to_owned(),
                subject: Some(number as u32),
                ..Row::default()
            }));
        }
        rows
    }

    fn types_below(&self, of: u32) -> Vec<u32> {
        let mut below: Vec<u32> = Vec::new();
        let mut open = vec![of];
        while let Some(above) = open.pop() {
            for site in self.generation.graph().uses_to(above) {
                let is_below = site.kind == CallKind::Extends && site.within != NONE && site.within != of;
                if is_below && !below.contains(&site.within) && below.len() < IMPLEMENTATIONS {
                    below.push(site.within);
                    open.push(site.within);
                }
            }
        }
        below.sort_unstable();
        below
    }

    /// In Go a type says nothing of the interfaces that it implements: those with all methods of an interface, by name; or, of one
    /// of its methods, theirs.
    fn satisfying(&self, subject: u32) -> Vec<u32> {
        let interface = match self.record(subject).kind {
            SymbolKind::Interface => Some(subject),
            _ => self.record(subject).parent.filter(|&of| self.record(of).kind == SymbolKind::Interface),
        };
        let Some(interface) = interface else { return Vec::new() };
        let symbols = self.generation.files[self.file_of(interface) as usize].symbols;
        let inside = (symbols.0..symbols.1).filter(|&s| self.record(s).parent == Some(interface));
        let wanted: Vec<&str> = inside.map(|s| self.generation.symbol_name(s)).collect();
        let Some(first) = wanted.first() else { return Vec::new() };
        let method = |of: u32, name: &str| {
            self.generation.symbols_named(name).find(|&s| {
                self.member_of(s) == of && self.record(s).kind.is_callable() && self.generation.symbol_name(s) == name
            })
        };
        let mut types: Vec<u32> = self.generation.symbols_named(first).map(|s| self.member_of(s)).collect();
        types.sort_unstable();
        types.dedup();
        types.retain(|&of| {
            of != NONE
                && of != interface
                && self.record(of).kind != SymbolKind::Interface
                && wanted.iter().all(|name| method(of, name).is_some())
        });
        match subject == interface {
            true => types,
            false => types.into_iter().filter_map(|of| method(of, self.generation.symbol_name(subject))).collect(),
        }
    }

    /// The blocks that implement a type, where its language has such.
    fn blocks_of(&self, of: u32) -> Vec<u32> {
        let members = (0..self.generation.symbols.len() as u32).filter(|&s| self.member_of(s) == of);
        let mut blocks: Vec<u32> = members
            .filter_map(|member| self.record(member).parent)
            .filter(|&parent| self.record(parent).kind == SymbolKind::Impl)
            .collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }
}
