//! What parsing a file has found, in few bytes: an analysis can be made of it and the file without parsing again.
//!
//! An analysis is many times as long as what the parser alone can tell. All else in it, words and terms, lines, names and
//! signatures as texts, stands in the file, and is read off it in a fraction of the time. So this is what is kept of a file
//! whose bytes are at hand: columns of numbers, each told by its difference from what it usually is.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use seekwell_types::ByteSpan;

use crate::columns::{Packer, Unpacker, moved};
use crate::symbols::{Binding, Call, CallKind, Extracted, Symbol, SymbolKind};

/// Changes whenever the skeleton of the same file could come out differently.
pub const SKELETON_FORMAT: u8 = 1;

const CALL_KINDS: [CallKind; 4] = [CallKind::Call, CallKind::Import, CallKind::Extends, CallKind::Value];

/// The skeleton of a text in which this was found. `degraded` says why its structure was given up, if it was.
pub fn pack(text: &str, found: &Extracted, degraded: &str) -> Vec<u8> {
    let mut out = Writer { columns: Packer::default(), strings: Vec::new(), numbers: HashMap::default() };
    out.columns.bytes.push(SKELETON_FORMAT);
    out.columns.text(degraded);
    // Spans are of this text and no other.
    out.columns.number(text.len() as u32);
    out.symbols(&found.symbols);
    out.calls(text, &found.calls);
    out.bindings(text, &found.bindings);
    let Writer { mut columns, strings, .. } = out;
    columns.number(strings.len() as u32);
    columns.numbers(strings.iter().map(|string| string.len() as u32));
    strings.iter().for_each(|string| columns.bytes.extend_from_slice(string.as_bytes()));
    columns.bytes
}

/// What was found in a text, and why its structure was given up if it was; `None` if the skeleton is of another text or
/// format, or not sound.
pub fn unpack(skeleton: &[u8], text: &str) -> Option<(Extracted, String)> {
    let mut from = Reader { columns: Unpacker::new(skeleton), text };
    (from.columns.bytes(1)? == [SKELETON_FORMAT]).then_some(())?;
    let degraded = from.columns.text()?.to_owned();
    (from.columns.number()? as usize == text.len()).then_some(())?;
    let (mut symbols, on_symbols) = from.symbols()?;
    let (mut calls, on_calls) = from.calls(symbols.len() as u32)?;
    let (mut bindings, of_bindings) = from.bindings(symbols.len() as u32)?;
    let strings = from.strings()?;
    from.columns.is_done().then_some(())?;
    // Zero is no string.
    let string = |number: u32| match number {
        0 => Some(String::new()),
        _ => strings.get(number as usize - 1).map(|&string| string.to_owned()),
    };
    for (symbol, on) in symbols.iter_mut().zip(on_symbols) {
        symbol.on = string(on)?;
    }
    for (call, on) in calls.iter_mut().zip(on_calls) {
        call.on = string(on)?;
    }
    for (binding, of) in bindings.iter_mut().zip(of_bindings) {
        binding.of = string(of)?;
    }
    Some((Extracted { symbols, calls, bindings }, degraded))
}

/// Length of the word that begins at an offset: what a name usually is.
fn word_length(text: &str, at: u32) -> u32 {
    let rest = text.as_bytes().get(at as usize..).unwrap_or_default();
    rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_' || **b >= 128).count() as u32
}

struct Writer<'a> {
    columns: Packer,
    strings: Vec<&'a str>,
    numbers: HashMap<&'a str, u32, FxBuildHasher>,
}

impl<'a> Writer<'a> {
    fn string(&mut self, string: &'a str) {
        let number = if string.is_empty() {
            0
        } else {
            *self.numbers.entry(string).or_insert_with(|| {
                self.strings.push(string);
                self.strings.len() as u32
            })
        };
        self.columns.number(number);
    }

    fn within(&mut self, symbols: impl Iterator<Item = Option<u32>>) {
        self.columns.steps(symbols.map(|symbol| symbol.map_or(0, |symbol| symbol + 1)));
    }

    /// Spans that may be empty, and then are nowhere; each is near a number.
    fn spans(&mut self, spans: impl Iterator<Item = (ByteSpan, u32)> + Clone) {
        self.columns.numbers(spans.clone().map(|(span, _)| length(span)));
        spans.filter(|(span, _)| !span.is_empty()).for_each(|(span, near)| self.columns.near(span.start, near));
    }

    fn symbols(&mut self, symbols: &'a [Symbol]) {
        let columns = &mut self.columns;
        columns.number(symbols.len() as u32);
        columns.bytes.extend(symbols.iter().map(|s| s.kind as u8));
        columns.steps(symbols.iter().map(|s| s.extent.start));
        columns.numbers(symbols.iter().map(|s| length(s.extent)));
        symbols.iter().for_each(|s| columns.near(s.name.start, s.signature.start));
        columns.numbers(symbols.iter().map(|s| length(s.name)));
        symbols.iter().for_each(|s| columns.near(s.signature.start, s.extent.start));
        symbols.iter().for_each(|s| columns.near(s.signature.end, s.name.end));
        self.spans(symbols.iter().map(|s| (s.doc, s.extent.start)));
        let up = |(i, s): (usize, &Symbol)| s.parent.map_or(0, |parent| i as u32 - parent);
        self.columns.numbers(symbols.iter().enumerate().map(up));
        symbols.iter().for_each(|s| self.string(&s.on));
    }

    fn calls(&mut self, text: &str, calls: &'a [Call]) {
        self.columns.number(calls.len() as u32);
        self.columns.bytes.extend(calls.iter().map(|c| c.kind as u8));
        self.names(text, calls.iter().map(|c| c.name));
        self.within(calls.iter().map(|c| c.within));
        self.spans(calls.iter().map(|c| (c.alias, c.name.end)));
        calls.iter().for_each(|c| self.string(&c.on));
    }

    fn bindings(&mut self, text: &str, bindings: &'a [Binding]) {
        self.columns.number(bindings.len() as u32);
        self.names(text, bindings.iter().map(|b| b.name));
        self.within(bindings.iter().map(|b| b.within));
        bindings.iter().for_each(|b| self.string(&b.of));
    }

    /// Names, each as long as the word it begins with, or nearly.
    fn names(&mut self, text: &str, names: impl Iterator<Item = ByteSpan> + Clone) {
        self.columns.steps(names.clone().map(|name| name.start));
        names.for_each(|name| self.columns.near(length(name), word_length(text, name.start)));
    }
}

fn length(span: ByteSpan) -> u32 {
    span.end.saturating_sub(span.start)
}

struct Reader<'a> {
    columns: Unpacker<'a>,
    text: &'a str,
}

impl<'a> Reader<'a> {
    /// A span of the text.
    fn span(&self, start: u32, length: u32) -> Option<ByteSpan> {
        let span = ByteSpan::new(start, start.checked_add(length)?);
        self.text.get(span.range()).map(|_| span)
    }

    fn spans(&mut self, near: &[u32]) -> Option<Vec<ByteSpan>> {
        let lengths = self.columns.numbers(near.len())?;
        let span = |(&near, length): (&u32, u32)| match length {
            0 => Some(ByteSpan::new(0, 0)),
            _ => {
                let start = self.columns.near(near)?;
                self.span(start, length)
            }
        };
        near.iter().zip(lengths).map(span).collect()
    }

    fn names(&mut self, count: usize) -> Option<Vec<ByteSpan>> {
        let starts = self.columns.steps(count)?;
        let name = |start: u32| {
            let length = self.columns.near(word_length(self.text, start))?;
            self.span(start, length)
        };
        starts.into_iter().map(name).collect()
    }

    fn within(&mut self, count: usize, symbols: u32) -> Option<Vec<Option<u32>>> {
        let numbers = self.columns.steps(count)?;
        numbers.into_iter().map(|number| (number <= symbols).then(|| number.checked_sub(1))).collect()
    }

    fn symbols(&mut self) -> Option<(Vec<Symbol>, Vec<u32>)> {
        let count = self.columns.count()?;
        let kinds = self.columns.bytes(count)?;
        let starts = self.columns.steps(count)?;
        let lengths = self.columns.numbers(count)?;
        // What these are near to is known when all columns are.
        let name_starts = self.columns.numbers(count)?;
        let name_lengths = self.columns.numbers(count)?;
        let signature_starts = self.columns.numbers(count)?;
        let signature_ends = self.columns.numbers(count)?;
        let docs = self.spans(&starts)?;
        let parents = self.columns.numbers(count)?;
        let on = self.columns.numbers(count)?;
        let symbol = |i: usize| {
            let extent = self.span(starts[i], lengths[i])?;
            let signature_start = moved(extent.start, signature_starts[i]);
            let name = self.span(moved(signature_start, name_starts[i]), name_lengths[i])?;
            let signature_end = moved(name.end, signature_ends[i]);
            let signature = self.span(signature_start, signature_end.checked_sub(signature_start)?)?;
            let parent = match parents[i] {
                0 => None,
                up => Some((i as u32).checked_sub(up)?),
            };
            let kind = *SymbolKind::ALL.get(usize::from(kinds[i]))?;
            Some(Symbol { kind, name, on: String::new(), span: extent, extent, signature, doc: docs[i], parent })
        };
        Some(((0..count).map(symbol).collect::<Option<_>>()?, on))
    }

    fn calls(&mut self, symbols: u32) -> Option<(Vec<Call>, Vec<u32>)> {
        let count = self.columns.count()?;
        let kinds = self.columns.bytes(count)?;
        let names = self.names(count)?;
        let within = self.within(count, symbols)?;
        let ends: Vec<u32> = names.iter().map(|name| name.end).collect();
        let aliases = self.spans(&ends)?;
        let on = self.columns.numbers(count)?;
        let call = |i: usize| {
            let kind = *CALL_KINDS.get(usize::from(kinds[i]))?;
            Some(Call { kind, name: names[i], on: String::new(), alias: aliases[i], within: within[i] })
        };
        Some(((0..count).map(call).collect::<Option<_>>()?, on))
    }

    fn bindings(&mut self, symbols: u32) -> Option<(Vec<Binding>, Vec<u32>)> {
        let count = self.columns.count()?;
        let names = self.names(count)?;
        let within = self.within(count, symbols)?;
        let of = self.columns.numbers(count)?;
        let binding = |(name, within)| Binding { name, of: String::new(), within };
        Some((names.into_iter().zip(within).map(binding).collect(), of))
    }

    fn strings(&mut self) -> Option<Vec<&'a str>> {
        let count = self.columns.count()?;
        let lengths = self.columns.numbers(count)?;
        lengths.into_iter().map(|length| std::str::from_utf8(self.columns.bytes(length as usize)?).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (&'static str, Extracted) {
        let text = "// ü\nimpl Größe { fn wachse(&self) { self.x.tun(); } }\n";
        let span = |part: &str| {
            let at = text.find(part).expect("a part") as u32;
            ByteSpan::new(at, at + part.len() as u32)
        };
        let symbol = |kind, name, extent, signature, doc, on: &str, parent| Symbol {
            kind,
            name,
            on: on.to_owned(),
            span: extent,
            extent,
            signature,
            doc,
            parent,
        };
        let whole = ByteSpan::new(0, text.len() as u32 - 1);
        let none = ByteSpan::new(0, 0);
        let body = span("fn wachse(&self) { self.x.tun(); }");
        let symbols = vec![
            symbol(SymbolKind::Impl, span("Größe"), whole, span("impl Größe "), span("// ü"), "", None),
            symbol(SymbolKind::Method, span("wachse"), body, span("fn wachse(&self)"), none, "Größe", Some(0)),
        ];
        let call = |kind, name, on: &str, alias, within| Call { kind, name, on: on.to_owned(), alias, within };
        let calls = vec![
            call(CallKind::Value, span("self.x"), "", none, Some(1)),
            call(CallKind::Call, span("tun"), "self.x", span("x"), None),
        ];
        let bindings = vec![Binding { name: span("x"), of: "Größe".to_owned(), within: Some(1) }];
        (text, Extracted { symbols, calls, bindings })
    }

    #[test]
    fn what_was_found_comes_back() {
        let (text, found) = example();
        let skeleton = pack(text, &found, "");
        assert_eq!(unpack(&skeleton, text), Some((found, String::new())));
        let nothing = pack("", &Extracted::default(), "minified");
        assert_eq!(unpack(&nothing, ""), Some((Extracted::default(), "minified".to_owned())));
    }

    #[test]
    fn what_is_no_skeleton_of_the_text_is_refused() {
        let (text, found) = example();
        let skeleton = pack(text, &found, "");
        for length in 0..skeleton.len() {
            assert_eq!(unpack(&skeleton[..length], text), None, "{length}");
        }
        assert_eq!(unpack(&skeleton, &text[..text.len() - 1]), None, "another text");
        assert_eq!(unpack(&[&skeleton[..], &[0]].concat(), text), None, "longer");
        // Damaged in any place, it is refused or all it says is of the text.
        for at in 0..skeleton.len() {
            for bit in 0..8 {
                let mut damaged = skeleton.clone();
                damaged[at] ^= 1 << bit;
                let Some((found, _)) = unpack(&damaged, text) else { continue };
                let spans = found.symbols.iter().flat_map(|s| [s.name, s.extent, s.signature, s.doc]);
                let uses = found.calls.iter().flat_map(|c| [c.name, c.alias]);
                assert!(spans.chain(uses).all(|span| text.get(span.range()).is_some()));
                assert!(found.symbols.iter().enumerate().all(|(i, s)| s.parent.is_none_or(|p| (p as usize) < i)));
            }
        }
    }
}
