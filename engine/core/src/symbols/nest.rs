//! Definitions -> symbols: one for each name, each in its place.

use super::collect::{Collected, Definition, Wrapper};
use super::{Binding, Call, CallKind, Extracted, Symbol, SymbolKind};
use crate::qualifier::owner;
use seekwell_types::ByteSpan;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Gives every name one symbol, every symbol its parent and every call the symbol it stands in.
pub(super) fn nest(found: Collected, text: &str) -> Extracted {
    let Collected { definitions, scopes, wrappers, calls, bindings } = found;
    let mut names: Vec<ByteSpan> = definitions.iter().map(|d| d.name).collect();
    names.sort_unstable();
    let mut imports: Vec<ByteSpan> = calls.iter().filter(|c| c.kind == CallKind::Import).map(|c| c.name).collect();
    imports.sort_unstable();
    let mut definitions = one_per_name(definitions);
    // A variable for what is imported (`const x = require("x")`) defines nothing.
    definitions.retain(|d| d.kind != Some(SymbolKind::Variable) || imports.binary_search(&d.name).is_err());
    wrap(&mut definitions, &wrappers);
    let symbols = Nesting::new(text).run(definitions, scopes);
    let calls = known_values(place_calls(calls, &names, &symbols), &symbols, text);
    let bindings = place_bindings(bindings, &symbols);
    Extracted { symbols, calls, bindings }
}

/// Of definitions with the same name node the widest stays. What it does not know it takes from the others.
fn one_per_name(mut all: Vec<Definition>) -> Vec<Definition> {
    let shared = shared_spans(&all);
    // Stable: of two equally wide ones the pattern that comes first wins.
    all.sort_by_key(|d| (d.name, Reverse(d.span.len())));
    let mut kept: Vec<Definition> = Vec::with_capacity(all.len());
    for definition in all {
        let same = kept.last_mut().filter(|last| last.name == definition.name);
        let is_shared = |span: ByteSpan| shared.binary_search_by_key(&span, |(span, _)| *span).is_ok();
        let alone = definition.kind.is_none() || !is_shared(definition.span);
        match same {
            Some(last) if alone => {
                last.kind = last.kind.or(definition.kind);
                last.merge |= definition.merge;
                last.body = last.body.or(definition.body);
                last.doc = last.doc.or(definition.doc);
            }
            Some(last) => *last = apart(definition, &shared),
            None => kept.push(if alone { definition } else { apart(definition, &shared) }),
        }
    }
    kept.retain(|d| d.kind.is_some());
    kept.sort_by_key(|d| (d.span.start, Reverse(d.span.end), d.name.start));
    kept
}

/// The nodes that define several names (`int a, b;`), sorted, each with the first of the names.
fn shared_spans(all: &[Definition]) -> Vec<(ByteSpan, ByteSpan)> {
    let mut names: Vec<(ByteSpan, ByteSpan)> =
        all.iter().filter(|d| d.kind.is_some()).map(|d| (d.span, d.name)).collect();
    names.sort_unstable();
    names.dedup();
    names.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1).map(|same| same[0]).collect()
}

/// A definition that shares its node with others: the first reaches from the node's start to its name, the others are
/// their names.
fn apart(definition: Definition, shared: &[(ByteSpan, ByteSpan)]) -> Definition {
    let name = definition.name;
    let whole = Definition { body: None, ..definition };
    if shared.binary_search(&(whole.span, name)).is_ok() {
        Definition { span: ByteSpan::new(whole.span.start, name.end), ..whole }
    } else {
        Definition { span: name, head: name.start, before: None, ..whole }
    }
}

/// Each wrapper becomes the node of the first definition inside it.
fn wrap(sorted: &mut [Definition], wrappers: &[Wrapper]) {
    let starts: Vec<u32> = sorted.iter().map(|d| d.span.start).collect();
    for wrapper in wrappers {
        let first = starts.partition_point(|start| *start < wrapper.span.start);
        if let Some(definition) = sorted.get_mut(first).filter(|d| wrapper.span.contains(d.span)) {
            definition.span = wrapper.span;
            definition.head = wrapper.head;
            definition.before = wrapper.before;
        }
    }
    sorted.sort_by_key(|d| (d.span.start, Reverse(d.span.end), d.name.start));
}

/// Something that is open while its inside is gone through.
#[derive(Clone, Copy)]
struct Open {
    end: u32,
    /// None for a scope.
    symbol: Option<u32>,
}

struct Nesting<'a> {
    text: &'a str,
    symbols: Vec<Symbol>,
    /// The last child of each symbol, and last of all that of the file.
    last_child: Vec<Option<u32>>,
    last_top: Option<u32>,
    open: Vec<Open>,
    /// Variables by parent and name: later assignments define nothing.
    variables: BTreeSet<(Option<u32>, &'a str)>,
}

impl<'a> Nesting<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            symbols: Vec::new(),
            last_child: Vec::new(),
            last_top: None,
            open: Vec::new(),
            variables: BTreeSet::new(),
        }
    }

    fn run(mut self, definitions: Vec<Definition>, mut scopes: Vec<ByteSpan>) -> Vec<Symbol> {
        scopes.sort_unstable_by_key(|scope| (scope.start, Reverse(scope.end)));
        let mut scopes = scopes.into_iter().peekable();
        for definition in definitions {
            let span = definition.span;
            // A definition that is a scope itself comes first, so that it is not inside of itself.
            while let Some(scope) =
                scopes.next_if(|scope| (scope.start, Reverse(scope.end)) < (span.start, Reverse(span.end)))
            {
                self.close(scope.start);
                self.open.push(Open { end: scope.end, symbol: None });
            }
            self.close(span.start);
            self.add(&definition);
        }
        self.symbols
    }

    fn close(&mut self, at: u32) {
        while self.open.last().is_some_and(|open| open.end <= at) {
            self.open.pop();
        }
    }

    fn add(&mut self, definition: &Definition) {
        let Some(kind) = definition.kind else { return };
        if self.open.last().is_some_and(|open| open.end < definition.span.end) {
            return;
        }
        let around = self.open.last().and_then(|open| open.symbol);
        let parent = self.open.iter().rev().find_map(|open| open.symbol);
        let outer = around.map(|symbol| self.symbols[symbol as usize].kind);
        let grandparent = parent.and_then(|parent| self.symbols[parent as usize].parent);
        if definition.shallow && grandparent.is_some() {
            return;
        }
        let name = self.text.get(definition.name.range()).unwrap_or_default();
        let in_scope = around.is_none() && !self.open.is_empty();
        let Some(mut kind) = kind_within(kind, outer, in_scope, definition.body.is_some()) else { return };
        if kind == SymbolKind::Method
            && around.is_some_and(|at| self.text.get(self.symbols[at as usize].name.range()) == Some(name))
        {
            kind = SymbolKind::Constructor;
        }
        let last = self.last_of(parent);
        if let Some(last) = last.filter(|_| definition.merge)
            && (kind == SymbolKind::Variable || self.symbols[last as usize].kind == kind)
            && self.text.get(self.symbols[last as usize].name.range()) == Some(name)
        {
            let symbol = &mut self.symbols[last as usize];
            symbol.span.end = definition.span.end;
            symbol.extent.end = definition.span.end;
            self.open.push(Open { end: definition.span.end, symbol: Some(last) });
            return;
        }
        if kind == SymbolKind::Variable && !self.variables.insert((parent, name)) {
            return;
        }
        if let Some(last) = last {
            self.yield_run(last, definition);
        }
        let floor = last
            .map(|last| self.symbols[last as usize].extent.end)
            .or(parent.map(|parent| self.symbols[parent as usize].span.start))
            .unwrap_or(0);
        let symbol = symbol(definition, kind, parent, floor, self.text);
        let index = self.symbols.len() as u32;
        self.symbols.push(symbol);
        self.last_child.push(None);
        *self.last_of_mut(parent) = Some(index);
        self.open.push(Open { end: definition.span.end, symbol: Some(index) });
    }

    /// Where a node reaches over the comments before its successor (a table of TOML up to the next), it gives them up,
    /// and so do its last child and that one's.
    fn yield_run(&mut self, last: u32, definition: &Definition) {
        let Some(run) = definition.before else { return };
        let symbol = &self.symbols[last as usize];
        let is_over = symbol.name.end <= run.start && run.start < symbol.span.end;
        if !is_over || column(self.text, run.start) != column(self.text, definition.span.start) {
            return;
        }
        let kept = self.text.get(symbol.span.start as usize..run.start as usize).unwrap_or_default();
        let end = symbol.span.start + kept.trim_end().len() as u32;
        let mut next = Some(last);
        while let Some(at) = next {
            let symbol = &mut self.symbols[at as usize];
            for span in [&mut symbol.span, &mut symbol.extent, &mut symbol.signature, &mut symbol.doc] {
                span.end = span.end.min(end);
            }
            next = self.last_child[at as usize];
        }
    }

    fn last_of(&self, parent: Option<u32>) -> Option<u32> {
        parent.map_or(self.last_top, |parent| self.last_child[parent as usize])
    }

    fn last_of_mut(&mut self, parent: Option<u32>) -> &mut Option<u32> {
        match parent {
            Some(parent) => &mut self.last_child[parent as usize],
            None => &mut self.last_top,
        }
    }
}

/// What a definition is, given the symbol directly around it; none for local variables and local declarations of
/// functions that are defined elsewhere.
fn kind_within(kind: SymbolKind, outer: Option<SymbolKind>, in_scope: bool, has_body: bool) -> Option<SymbolKind> {
    let in_type = outer.is_some_and(SymbolKind::is_type);
    let in_code = in_scope || outer.is_some_and(SymbolKind::is_callable);
    match kind {
        SymbolKind::Function if in_type || outer == Some(SymbolKind::Impl) => Some(SymbolKind::Method),
        SymbolKind::Function if in_code && !has_body => None,
        SymbolKind::Variable if in_code => None,
        SymbolKind::Variable if in_type => Some(SymbolKind::Field),
        kind => Some(kind),
    }
}

/// `floor` is where what stands before the definition ends: nothing above it can belong to the definition.
fn symbol(definition: &Definition, kind: SymbolKind, parent: Option<u32>, floor: u32, text: &str) -> Symbol {
    let Definition { span, name, .. } = *definition;
    let before = definition.before.filter(|run| run.start >= floor);
    let extent = ByteSpan::new(before.map_or(span.start, |run| run.start), span.end);
    let doc = definition.doc.or(before.and_then(|run| run.doc)).unwrap_or(ByteSpan::new(span.start, span.start));
    let end = definition.body.filter(|body| *body > definition.head).unwrap_or(span.end);
    let head = text.get(definition.head as usize..end as usize).unwrap_or_default();
    let head = match definition.body {
        Some(_) => head.trim_end(),
        None => head.split(['\n', '\r']).next().unwrap_or_default().trim_end().trim_end_matches('{').trim_end(),
    };
    let signature = ByteSpan::new(definition.head, definition.head + head.len() as u32);
    let on = match kind {
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor => {
            owner(text.as_bytes(), name.start as usize, definition.head as usize)
        }
        _ => String::new(),
    };
    Symbol { kind, name, on, span, extent, signature, doc, parent }
}

/// Calls by place, without those that are a definition's own name, each with the innermost symbol around it:
/// decorators and attributes count as inside.
fn place_calls(mut calls: Vec<Call>, names: &[ByteSpan], symbols: &[Symbol]) -> Vec<Call> {
    calls.retain(|call| call.kind == CallKind::Import || names.binary_search(&call.name).is_err());
    // Of two uses of one name (a value that is called, too) the first kind is the closer one.
    calls.sort_by_key(|call| (call.name, call.kind));
    calls.dedup_by(|later, first| {
        later.name == first.name && (later.kind == first.kind || later.kind == CallKind::Value)
    });
    let mut around = Around::new(symbols);
    calls.iter_mut().for_each(|call| call.within = around.at(call.name.start));
    calls
}

/// The uses without those values that this file neither defines nor imports: any variable that is passed to a function
/// looks like one.
fn known_values(mut calls: Vec<Call>, symbols: &[Symbol], text: &str) -> Vec<Call> {
    if !calls.iter().any(|call| call.kind == CallKind::Value) {
        return calls;
    }
    let of = |span: ByteSpan| text.get(span.range()).unwrap_or_default();
    let mut known: Vec<&str> = Vec::new();
    known.extend(symbols.iter().filter(|s| s.kind.is_callable() || s.kind.is_type()).map(|s| of(s.name)));
    let imports = calls.iter().filter(|call| call.kind == CallKind::Import);
    known.extend(imports.map(|call| of(if call.alias.is_empty() { call.name } else { call.alias })));
    known.sort_unstable();
    calls.retain(|call| {
        call.kind != CallKind::Value || !call.on.is_empty() || known.binary_search(&of(call.name)).is_ok()
    });
    calls
}

/// Bindings by place, each with the innermost symbol around it. A field is in its type: it is no symbol around itself.
fn place_bindings(mut bindings: Vec<Binding>, symbols: &[Symbol]) -> Vec<Binding> {
    bindings.sort_by_key(|binding| binding.name);
    bindings.dedup_by_key(|binding| binding.name);
    let mut around = Around::new(symbols);
    for binding in &mut bindings {
        binding.within = around.at(binding.name.start);
        if let Some(own) = binding.within.map(|at| &symbols[at as usize]).filter(|own| own.name == binding.name) {
            binding.within = own.parent;
        }
    }
    bindings
}

/// The innermost symbol around places that come in order.
struct Around<'s> {
    symbols: &'s [Symbol],
    open: Vec<u32>,
    next: usize,
}

impl<'s> Around<'s> {
    fn new(symbols: &'s [Symbol]) -> Self {
        Self { symbols, open: Vec::new(), next: 0 }
    }

    fn at(&mut self, place: u32) -> Option<u32> {
        let symbols = self.symbols;
        while symbols.get(self.next).is_some_and(|symbol| symbol.extent.start <= place) {
            self.close(symbols[self.next].extent.start);
            self.open.push(self.next as u32);
            self.next += 1;
        }
        self.close(place);
        self.open.last().copied()
    }

    fn close(&mut self, place: u32) {
        while self.open.last().is_some_and(|&at| self.symbols[at as usize].extent.end <= place) {
            self.open.pop();
        }
    }
}

/// How far into its line a place is, in bytes.
fn column(text: &str, at: u32) -> usize {
    let before = text.as_bytes().get(..at as usize).unwrap_or_default();
    before.iter().rev().take_while(|b| !matches!(b, b'\n' | b'\r')).count()
}
