//! The component imports nothing: what it may touch is what it is handed. Read from its bytes, without a library that
//! could be wrong in the same way as the one that made it.

use std::path::{Path, PathBuf};

/// Sections of a component, as numbered in the component model's binary format.
const CUSTOM: u8 = 0;
const CORE_MODULE: u8 = 1;
const IMPORT: u8 = 10;
const EXPORT: u8 = 11;

/// Magic number, version 13, layer 1.
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

/// One section: its number and content.
type Section<'b> = (u8, &'b [u8]);

/// Takes an unsigned LEB128 number from the front.
fn number(bytes: &mut &[u8]) -> usize {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let (first, rest) = bytes.split_first().expect("a number ends");
        *bytes = rest;
        value |= usize::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            break;
        }
    }
    value
}

/// The sections of a component, in order.
fn sections(bytes: &[u8]) -> Vec<Section<'_>> {
    let mut rest = bytes.strip_prefix(COMPONENT).expect("a component");
    let mut sections = Vec::new();
    while let Some((&id, after)) = rest.split_first() {
        rest = after;
        let length = number(&mut rest);
        let (content, after) = rest.split_at(length);
        sections.push((id, content));
        rest = after;
    }
    sections
}

/// How many imports the component has.
fn imports(sections: &[Section<'_>]) -> usize {
    sections.iter().filter(|(id, _)| *id == IMPORT).map(|&(_, mut content)| number(&mut content)).sum()
}

/// The content of the custom section with this name.
fn custom<'b>(sections: &[Section<'b>], name: &str) -> Option<&'b [u8]> {
    sections.iter().filter(|(id, _)| *id == CUSTOM).find_map(|(_, content)| {
        let mut rest = *content;
        let length = number(&mut rest);
        rest.strip_prefix(&name.as_bytes()[..length.min(name.len())]).filter(|_| length == name.len())
    })
}

fn component() -> Vec<u8> {
    let compiled = std::env::var_os("SEEKWELL_COMPONENT").map(PathBuf::from);
    let path =
        compiled.expect("SEEKWELL_COMPONENT names the compiled component; ./x test sets it").with_extension("wasm");
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn the_component_imports_nothing() {
    let bytes = component();
    let sections = sections(&bytes);
    let has = |wanted: u8| sections.iter().any(|(id, _)| *id == wanted);
    assert!(
        has(CORE_MODULE) && has(EXPORT),
        "a component with code: {:?}",
        sections.iter().map(|s| s.0).collect::<Vec<_>>()
    );
    assert_eq!(imports(&sections), 0);
}

#[test]
fn it_says_which_contract_it_keeps() {
    let worlds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit/worlds.wit");
    let text = std::fs::read_to_string(worlds).expect("the contract");
    let package = text.lines().find_map(|line| line.strip_prefix("package seekwell:engine@")).expect("a package line");
    let bytes = component();
    let version = custom(&sections(&bytes), "seekwell-contract").expect("a section seekwell-contract");
    assert_eq!(std::str::from_utf8(version), Ok(package.trim_end_matches(';')));
    // The host says the same of itself.
    let version = super::support::Tree::new(&[]).run(&["--version"]).stdout;
    assert!(version.contains(&format!("(wit {}, ", package.trim_end_matches(';'))), "{version}");
}

/// So that the checks above can fail: a component that imports one function, made by hand.
#[test]
fn an_import_would_be_seen() {
    // A function type without parameters and result; then one import, `a` of that type.
    let types = [&[7, 5, 1][..], &[0x40, 0, 1, 0]].concat();
    let import = [10, 6, 1, 0, 1, b'a', 1, 0];
    let named = [&[0, 8, 4][..], b"namexyz"].concat();
    let bytes = [COMPONENT, &types, &import, &named].concat();
    let sections = sections(&bytes);
    assert_eq!(sections.iter().map(|s| s.0).collect::<Vec<_>>(), [7, IMPORT, CUSTOM]);
    assert_eq!(imports(&sections), 1);
    assert_eq!(custom(&sections, "name"), Some(&b"xyz"[..]));
    assert_eq!(custom(&sections, "nam"), None);
    assert_eq!(custom(&sections, "names"), None);
}
