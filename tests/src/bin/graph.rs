//! The definitions and resolved uses of a tree, as lines that a script can hold against what a compiler says
//! (`docs/structure`). The engine is linked natively: what it answers is the component's answer, which the suite shows.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use seekwell::print::map::MapForm;
use seekwell::print::structure::{Question, as_json};
use seekwell::print::{self, Layout};
use seekwell::session::{self, Session};
use seekwell_core::analyse::Analyst;
use seekwell_core::generation::{Builder, Generation};
use seekwell_core::resolve::{NONE, Target};
use seekwell_languages::LANGUAGES;
use seekwell_tests::native::Native;
use seekwell_tests::request;
use seekwell_types::structure::StructureQuery;
use seekwell_types::{Mode, Query};

const USAGE: &str = "graph FOLDER [--times]
graph FOLDER --affected REV      what `seekwell affected --diff REV --json` prints
graph FOLDER --map TOKENS        what `seekwell map --budget TOKENS` prints

  def   PATH LINE COLUMN KIND CONTAINER NAME IMPORTANCE
  use   KIND CONFIDENCE PATH LINE COLUMN NAME USER-PATH:USER-LINE TARGET-PATH:TARGET-LINE[,...]

  --times tells on stderr how long the parts take.
";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = match arguments.first().map(String::as_str) {
        None | Some("--help" | "-h") => {
            print!("{USAGE}");
            return Ok(());
        }
        Some(folder) => Path::new(folder).canonicalize().with_context(|| folder.to_owned())?,
    };
    if let [_, option, value] = &arguments[..] {
        print!("{}", answer(&folder, option, value)?);
        return Ok(());
    }
    let times = arguments.iter().any(|argument| argument == "--times");
    let listed = session::files(&request(vec![folder.clone()], Query::default()))?;
    let mut analyst = Analyst::new(LANGUAGES, None);
    let mut builder = Builder::new(LANGUAGES, None)?;
    let started = Instant::now();
    for path in &listed.files {
        let Ok(bytes) = std::fs::read(folder.join(path)) else { continue };
        if let Ok(analysis) = analyst.analyse(path, &bytes, None) {
            builder.add(path, analysis)?;
        }
    }
    let analysed = started.elapsed();
    let generation = builder.commit()?;
    if times {
        eprintln!("analyse and add {analysed:.2?}, commit {:.2?}", started.elapsed() - analysed);
    }
    print!("{}", lines(&generation));
    Ok(())
}

/// What the binary would print.
fn answer(folder: &Path, option: &str, value: &str) -> Result<String> {
    let (command, query, budget) = match option {
        "--affected" => {
            let changes = session::changes(folder, value)?;
            ("affected", StructureQuery::Affected { changes, names: Vec::new() }, None)
        }
        "--map" => ("map", StructureQuery::Map { task: String::new(), files: 600 }, Some(value.parse()?)),
        other => bail!("{other} is not an option; --help lists them"),
    };
    let ask = request(vec![folder.to_owned()], Query { mode: Mode::Keyword, ..Query::default() });
    let outcome = Session::new(&Native).structure(&ask, &query)?;
    let question = Question { command, text: String::new(), offset: 0, limit: None, prefix: String::new() };
    let layout = Layout { depth: None, budget };
    Ok(match command {
        "map" => print::map::map(&outcome, &question, MapForm::Text, layout),
        _ => as_json(&outcome, &question, layout),
    })
}

fn lines(generation: &Generation) -> String {
    let mut text = String::new();
    let path = |file: u32| generation.files[file as usize].path.as_str();
    let place = |symbol: u32| {
        let data = &generation.symbols[symbol as usize];
        format!("{}:{}", path(data.file), data.record.name_line)
    };
    for (number, symbol) in generation.symbols.iter().enumerate() {
        let record = &symbol.record;
        let number = number as u32;
        let of = generation.graph().member_of[number as usize];
        let container = match record.parent {
            Some(parent) => generation.qualified_name(parent),
            None if of != NONE => generation.qualified_name(of),
            None => "-".to_owned(),
        };
        let _ = writeln!(
            text,
            "def\t{}\t{}\t{}\t{}\t{}\t{}\t{:.4}",
            path(symbol.file),
            record.name_line,
            record.name_column,
            record.kind.word(),
            container.replace(['\t', '\n'], " "),
            generation.symbol_name(number).replace(['\t', '\n'], " "),
            generation.graph().symbol_percentile[number as usize],
        );
    }
    for site in &generation.graph().sites {
        let mut user = site.within;
        while user != NONE {
            let record = &generation.symbols[user as usize].record;
            if record.kind.is_callable() || record.kind.is_type() {
                break;
            }
            user = record.parent.unwrap_or(NONE);
        }
        let user = if user == NONE { format!("{}:0", path(site.file)) } else { place(user) };
        let targets = match site.target {
            Target::File(file) => format!("{}:0", path(file)),
            Target::Nothing => "-".to_owned(),
            _ => generation.graph().targets(site).iter().map(|&s| place(s)).collect::<Vec<_>>().join(","),
        };
        let _ = writeln!(
            text,
            "use\t{:?}\t{}\t{}\t{}\t{}\t{}\t{user}\t{targets}",
            site.kind,
            site.confidence.word(),
            path(site.file),
            site.line,
            site.column,
            generation.graph().name(site).replace(['\t', '\n'], " "),
        );
    }
    text
}
