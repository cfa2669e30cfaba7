//! A map as one page that needs nothing else: no script, no font, no network.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use super::super::structure::Question;
use super::{EDGES, escaped, full_name};
use crate::outcome::StructureOutcome;

/// Files in the picture.
const CIRCLE: usize = 36;

/// Files in the list.
const LISTED: usize = 200;

/// Symbols of a file in the list.
const SYMBOLS: usize = 16;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1b1f24;--dim:#667;--line:#c8ccd4;--bar:#4b7bec;--page:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8ec;--dim:#9aa3b2;--line:#3a4150;--bar:#7aa2f7;--page:#16181d}}
body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--page);margin:2rem auto;max-width:72rem;padding:0 1rem}
h1{font-size:1.3rem;margin:0}p{color:var(--dim);margin:.3rem 0 1rem}
svg{width:100%;height:auto;max-height:44rem}svg text{font-size:11px;fill:var(--ink)}
svg line{stroke:var(--line)}svg circle{fill:var(--bar)}svg a:hover text{text-decoration:underline}
details{border-top:1px solid var(--line);padding:.35rem 0}summary{cursor:pointer;overflow-wrap:anywhere}
summary i{display:inline-block;height:.55rem;background:var(--bar);border-radius:2px;margin-right:.6rem}
ul{list-style:none;margin:.3rem 0 .3rem 1.2rem;padding:0}li{overflow-wrap:anywhere}code{font-size:.9em}small{color:var(--dim)}";

/// The page.
pub fn page(outcome: &StructureOutcome, question: &Question) -> String {
    let answer = &outcome.answer;
    let root = outcome.root.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let title = match question.text.as_str() {
        "" => format!("Map of {}", escaped(&root)),
        task => format!("Map of {} for “{}”", escaped(&root), escaped(task)),
    };
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    let shown = answer.files.len().min(LISTED);
    let _ = writeln!(
        text,
        "<p>{shown} of {} files with code, by PageRank over who uses whom; {} symbols in all. Lines lead from a file to \
         those that it uses most.</p>",
        answer.total, outcome.generation.symbols
    );
    circle(outcome, &mut text);
    for (number, file) in answer.files.iter().take(shown).enumerate() {
        list_entry(outcome, number, file, &mut text);
    }
    text + "</body>\n</html>\n"
}

/// The first files on a circle, with lines between those that use each other.
fn circle(outcome: &StructureOutcome, text: &mut String) {
    let files = &outcome.answer.files[..outcome.answer.files.len().min(CIRCLE)];
    if files.len() < 2 {
        return;
    }
    let place = |number: usize, radius: f64| {
        let angle = TAU * number as f64 / files.len() as f64 - TAU / 4.0;
        (450.0 + radius * angle.cos(), 320.0 + radius * angle.sin())
    };
    text.push_str("<svg viewBox=\"0 0 900 640\" role=\"img\" aria-label=\"which files use which\">\n");
    for (number, file) in files.iter().enumerate() {
        for &to in file.uses.iter().filter(|&&to| (to as usize) < files.len()).take(EDGES) {
            let ((x1, y1), (x2, y2)) = (place(number, 205.0), place(to as usize, 205.0));
            let _ = writeln!(text, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
        }
    }
    for (number, file) in files.iter().enumerate() {
        let (x, y) = place(number, 205.0);
        let (label_x, label_y) = place(number, 218.0);
        let anchor = if label_x < 449.0 { "end" } else { "start" };
        let size = 2.5 + 4.5 * f64::from(file.importance);
        let name: Vec<&str> = file.path.rsplit('/').take(2).collect();
        let name = name.into_iter().rev().collect::<Vec<_>>().join("/");
        let _ = writeln!(
            text,
            "<a href=\"#f{number}\"><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{size:.1}\"/>\
             <text x=\"{label_x:.1}\" y=\"{label_y:.1}\" text-anchor=\"{anchor}\" dominant-baseline=\"middle\">{}</text></a>",
            escaped(&name)
        );
    }
    text.push_str("</svg>\n");
}

fn list_entry(outcome: &StructureOutcome, number: usize, file: &seekwell_types::structure::FileRow, text: &mut String) {
    let open = if number < 5 { " open" } else { "" };
    let _ = writeln!(
        text,
        "<details id=\"f{number}\"{open}><summary><i style=\"width:{:.0}px\"></i>{} <small>{}</small></summary>\n<ul>",
        4.0 + 60.0 * f64::from(file.importance),
        escaped(&file.path),
        escaped(&file.language)
    );
    for symbol in file.symbols.iter().take(SYMBOLS) {
        let name = full_name(symbol);
        let told = if symbol.signature.is_empty() { &name } else { &symbol.signature };
        let _ = writeln!(
            text,
            "<li><code title=\"{}\">{}</code> <small>{} line {} {}</small></li>",
            escaped(&name),
            escaped(told),
            escaped(&symbol.kind),
            symbol.name_line,
            escaped(&symbol.doc)
        );
    }
    text.push_str("</ul>\n");
    let links: Vec<String> = file
        .uses
        .iter()
        .filter(|&&to| (to as usize) < outcome.answer.files.len().min(LISTED))
        .take(EDGES * 2)
        .map(|&to| format!("<a href=\"#f{to}\">{}</a>", escaped(&outcome.answer.files[to as usize].path)))
        .collect();
    if !links.is_empty() {
        let _ = writeln!(text, "<p>uses {}</p>", links.join(", "));
    }
    text.push_str("</details>\n");
}
