//! The command `seekwell.search`: places by what they mean, which the protocol has no method for.
//!
//! Its argument is the question, or an object: `{"query": "…", "limit": 10, "mode": "hybrid", "languages": [], "globs": [],
//! "kinds": [], "path": ""}`. It returns `{"hits": [{"location": …, "path", "kind", "symbol", "description", "language", "score",
//! "snippet"}], "total", "weak", "notFound", "nearest", "partial", "notes"}`.

use lsp_types::{Location, Position, Range};
use seekwell_types::{Mode, Query};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::lsp::failure::Failure;
use crate::lsp::uri;
use crate::lsp::world::{Folder, World};
use crate::progress::Progress;
use crate::session::Outcome;

/// The command's name.
pub const COMMAND: &str = "seekwell.search";

/// Hits if nobody says how many.
const LIMIT: u32 = 10;

/// Hits at most.
const MOST: u32 = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    query: String,
    #[serde(default)]
    limit: Option<u32>,
    #[serde(default)]
    mode: Option<ModeWord>,
    #[serde(default)]
    languages: Vec<String>,
    #[serde(default)]
    globs: Vec<String>,
    #[serde(default)]
    kinds: Vec<String>,
    #[serde(default)]
    path: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ModeWord {
    Hybrid,
    Semantic,
    Keyword,
    Exact,
    Regex,
}

/// Answers the command.
pub fn search(world: &World, arguments: &[Value], progress: &dyn Progress) -> Result<Value, Failure> {
    let query = read(arguments)?;
    if world.folders.is_empty() {
        return Err(Failure::Failed("no folder is open: there is nothing to search".to_owned()));
    }
    let mut hits: Vec<(f32, Value)> = Vec::new();
    let (mut total, mut weak, mut not_found, mut partial) = (0, true, true, false);
    let (mut nearest, mut notes): (Vec<String>, Vec<String>) = Default::default();
    for folder in world.folders.iter() {
        let outcome = folder.search(world, &query, progress)?;
        total += outcome.answer.total;
        weak &= outcome.answer.weak;
        not_found &= outcome.answer.not_found;
        partial |= outcome.partial;
        hits.extend(told(&outcome, folder, world));
        nearest.extend(outcome.answer.nearest);
        notes.extend(outcome.answer.notes);
    }
    // Scores of several trees can be compared, roughly.
    hits.sort_by(|a, b| b.0.total_cmp(&a.0));
    hits.truncate(query.limit as usize);
    let hits: Vec<Value> = hits.into_iter().map(|(_, hit)| hit).collect();
    Ok(json!({
        "hits": hits, "total": total, "weak": weak, "notFound": not_found, "nearest": nearest, "partial": partial,
        "notes": notes,
    }))
}

fn read(arguments: &[Value]) -> Result<Query, Failure> {
    let form = "write [\"the question\"] or [{\"query\": \"the question\"}]";
    let arguments = match arguments {
        [Value::String(query)] => Arguments {
            query: query.clone(),
            limit: None,
            mode: None,
            languages: Vec::new(),
            globs: Vec::new(),
            kinds: Vec::new(),
            path: String::new(),
        },
        [object @ Value::Object(_)] => serde_json::from_value(object.clone())
            .map_err(|e| Failure::Params(format!("arguments of {COMMAND}: {e}; {form}")))?,
        _ => return Err(Failure::Params(format!("{COMMAND} takes one argument: {form}"))),
    };
    if arguments.query.trim().is_empty() {
        return Err(Failure::Params(format!("the query is empty: {form}")));
    }
    Ok(Query {
        text: arguments.query,
        mode: match arguments.mode {
            None | Some(ModeWord::Hybrid) => Mode::Hybrid,
            Some(ModeWord::Semantic) => Mode::Semantic,
            Some(ModeWord::Keyword) => Mode::Keyword,
            Some(ModeWord::Exact) => Mode::Exact,
            Some(ModeWord::Regex) => Mode::Regex,
        },
        limit: arguments.limit.unwrap_or(LIMIT).clamp(1, MOST),
        languages: arguments.languages,
        globs: arguments.globs,
        kinds: arguments.kinds,
        path_prefix: arguments.path,
        ..Query::default()
    })
}

fn told(outcome: &Outcome, folder: &Folder, world: &World) -> Vec<(f32, Value)> {
    let encoding = world.settings.encoding;
    let hits = outcome.answer.hits.iter().zip(&outcome.snippets);
    hits.filter_map(|(hit, snippet)| {
        let uri = uri::of_path(&folder.path.join(&hit.path))?;
        // The snippet is the text of these very lines.
        let text = crate::lsp::text::Text::new(snippet.text.as_str());
        let end = text.position(snippet.text.len(), encoding);
        let first = hit.lines.start.saturating_sub(1);
        let range = Range::new(Position::new(first, 0), Position::new(first + end.line, end.character));
        let hit_object = json!({
            "location": Location::new(uri, range), "path": hit.path, "kind": hit.kind, "symbol": hit.symbol,
            "description": hit.description, "language": hit.language, "score": hit.score, "snippet": snippet.text,
        });
        Some((hit.score, hit_object))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        assert_eq!(read(&[json!("retry")]).unwrap().text, "retry");
        let query = read(&[json!({"query": "x", "limit": 9999, "mode": "regex", "path": "src"})]).unwrap();
        assert_eq!((query.limit, query.mode, query.path_prefix.as_str()), (MOST, Mode::Regex, "src"));
        for bad in [vec![], vec![json!(1)], vec![json!(" ")], vec![json!("a"), json!("b")], vec![json!({"limit": 1})]] {
            assert!(matches!(read(&bad), Err(Failure::Params(_))), "{bad:?}");
        }
        let Err(Failure::Params(why)) = read(&[json!({"query": "x", "top_k": 3})]) else { panic!("refused") };
        assert!(why.contains("top_k") && why.contains("limit"), "{why}");
    }
}
