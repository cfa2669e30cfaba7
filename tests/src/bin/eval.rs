//! Quality of ranking: asks the questions of a benchmark and writes the run, or the signals that weights are fitted on.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use seekwell::component::Component;
use seekwell::engine::Engine;
use seekwell::session::Session;
use seekwell_tests::native::Native;
use seekwell_tests::request;
use seekwell_types::{Content, Mode, Query, Scope};
use serde_json::{Value, json};

const USAGE: &str = "eval --repos DIR --questions FILE --list FILE [options]

  --repos DIR       checkouts, one folder a repository
  --questions FILE  JSON lines {repo, query, targets: [{path}]}
  --list FILE       JSON lines {repo, root}
  --scope SCOPE     root: only the folder `root` of each repository (the default); repo: the whole checkout
  --content CLASS   code, docs, config or all (the default)
  --mode MODE       hybrid (the default), semantic or keyword
  --limit N         hits a question; 10 unless told
  --only NAME,...   only these repositories
  --native          the engine as a library instead of the component
  --out FILE        where the run goes; standard output unless told
  --dump FILE       write every candidate's signals there instead of a run
  --places          with --dump: the signals of the chunks of the files that answer, for questions whose answers are lines
";

struct Options {
    repos: PathBuf,
    questions: PathBuf,
    list: PathBuf,
    whole: bool,
    query: Query,
    only: Vec<String>,
    native: bool,
    out: Option<PathBuf>,
    dump: Option<PathBuf>,
    places: bool,
}

fn main() -> Result<()> {
    let Some(options) = options()? else {
        print!("{USAGE}");
        return Ok(());
    };
    let engine: &dyn Engine = if options.native { &Native } else { Component::shared()? };
    let session = Session::new(engine);
    let questions = read_lines(&options.questions)?;
    let mut out: Box<dyn Write> = match options.dump.as_ref().or(options.out.as_ref()) {
        Some(path) => Box::new(std::io::BufWriter::new(fs::File::create(path)?)),
        None => Box::new(std::io::stdout().lock()),
    };
    for repo in read_lines(&options.list)? {
        let name = text(&repo, "repo")?;
        if !options.only.is_empty() && !options.only.iter().any(|only| only == name) {
            continue;
        }
        let root = if options.whole { "" } else { repo["root"].as_str().unwrap_or_default() };
        let folder = options.repos.join(name).join(root);
        let prefix = if root.is_empty() { String::new() } else { format!("{root}/") };
        let mut ask = request(vec![folder], options.query.clone());
        // Checkouts laid out by a script are no git work trees: what is there was tracked, hidden or ignored or not.
        ask.walk.hidden = true;
        ask.walk.no_ignore = true;
        let started = Instant::now();
        let mut corpus = session.corpus(&ask)?;
        eprintln!(
            "{name}: {} files, {} chunks in {:.1} s",
            corpus.generation.files,
            corpus.generation.chunks,
            started.elapsed().as_secs_f32()
        );
        for question in questions.iter().filter(|q| q["repo"] == repo["repo"]) {
            let query = Query { text: text(question, "query")?.to_owned(), ..options.query.clone() };
            if options.dump.is_some() {
                for query in dumped(question, &query, &prefix, options.places) {
                    let measured = corpus.measure(&query, options.places)?;
                    let rows: Vec<String> = measured.rows.iter().map(|row| format!("{prefix}{row}")).collect();
                    let line = json!({
                        "repo": name, "query": query.text, "category": question["category"],
                        "language": question["language"], "targets": question["targets"], "any": question["any"],
                        "weights": measured.weights, "signals": measured.signals, "paths": rows, "values": measured.values,
                    });
                    writeln!(out, "{line}")?;
                }
                continue;
            }
            let started = Instant::now();
            let answer = corpus.find(&query)?;
            let ms = started.elapsed().as_secs_f64() * 1e3;
            let results: Vec<Value> = answer
                .hits
                .iter()
                .map(|hit| json!({"path": format!("{prefix}{}", hit.path), "start": hit.lines.start, "end": hit.lines.end, "score": hit.score}))
                .collect();
            writeln!(
                out,
                "{}",
                json!({"repo": name, "query": query.text, "results": results, "ms": ms, "weak": answer.weak})
            )?;
        }
    }
    Ok(out.flush()?)
}

fn options() -> Result<Option<Options>> {
    let mut options = Options {
        repos: PathBuf::new(),
        questions: PathBuf::new(),
        list: PathBuf::new(),
        whole: false,
        query: Query { limit: 10, per_file: 1, ..Query::default() },
        only: Vec::new(),
        native: false,
        out: None,
        dump: None,
        places: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--repos" => options.repos = value()?.into(),
            "--questions" => options.questions = value()?.into(),
            "--list" => options.list = value()?.into(),
            "--scope" => {
                options.whole = match value()?.as_str() {
                    "root" => false,
                    "repo" => true,
                    other => bail!("--scope {other}: root or repo"),
                }
            }
            "--content" => {
                options.query.scope = match value()?.as_str() {
                    "code" => Scope::Only(Content::Code),
                    "docs" => Scope::Only(Content::Docs),
                    "config" => Scope::Only(Content::Config),
                    "all" => Scope::All,
                    other => bail!("--content {other}: code, docs, config or all"),
                }
            }
            "--mode" => {
                options.query.mode = match value()?.as_str() {
                    "hybrid" => Mode::Hybrid,
                    "semantic" => Mode::Semantic,
                    "keyword" => Mode::Keyword,
                    other => bail!("--mode {other}: hybrid, semantic or keyword"),
                }
            }
            "--limit" => options.query.limit = value()?.parse()?,
            "--only" => options.only = value()?.split(',').map(str::to_owned).collect(),
            "--native" => options.native = true,
            "--places" => options.places = true,
            "--out" => options.out = Some(value()?.into()),
            "--dump" => options.dump = Some(value()?.into()),
            "--help" | "-h" => return Ok(None),
            other => bail!("{other} is not an option; --help lists them"),
        }
    }
    for (path, name) in [(&options.repos, "--repos"), (&options.questions, "--questions"), (&options.list, "--list")] {
        if path.as_os_str().is_empty() {
            bail!("{name} is missing; --help says what it is");
        }
    }
    Ok(Some(options))
}

/// What is dumped for a question: itself, or itself within each of the files that have an answer in lines.
fn dumped(question: &Value, query: &Query, prefix: &str, places: bool) -> Vec<Query> {
    if !places {
        return vec![query.clone()];
    }
    let targets = question["targets"].as_array().into_iter().flatten();
    let mut paths: Vec<&str> =
        targets.filter(|t| t["start"].is_u64()).filter_map(|t| t["path"].as_str()?.strip_prefix(prefix)).collect();
    paths.dedup();
    paths.into_iter().map(|path| Query { path_prefix: path.to_owned(), ..query.clone() }).collect()
}

fn read_lines(path: &Path) -> Result<Vec<Value>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    text.lines().filter(|l| !l.trim().is_empty()).map(|l| Ok(serde_json::from_str(l)?)).collect()
}

fn text<'v>(value: &'v Value, key: &str) -> Result<&'v str> {
    value[key].as_str().with_context(|| format!("a line without `{key}`"))
}
