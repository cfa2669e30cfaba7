//! `search_code` and `find_similar_code`.

use seekwell_types::{Content, Mode, Query, Scope};

use super::{Call, Found, PATIENCE, Refusal};
use crate::cli::names;
use crate::mcp::answer::{Link, Parts, cut, one_line};
use crate::mcp::arguments::Given;
use crate::print::{self, Depth, Layout, cursor, terminal};
use crate::session::{self, Outcome};

/// Hits of a page, and the most that can be asked for.
const LIMIT: u32 = 10;
const LIMITS: std::ops::RangeInclusive<u32> = 1..=100;

/// Characters of a piece of code that similar ones are looked for by: what is beyond says nothing new.
const SAMPLE: usize = 4_000;

/// `search_code`.
pub fn search(call: &Call<'_>) -> Result<Found, Refusal> {
    let given = call.given;
    let text = given.text("query").ok_or_else(|| "`query` is empty; write what to look for".to_owned())?;
    // A text in quotes is meant as it stands.
    let quoted = text.len() > 2 && text.starts_with('"') && text.ends_with('"');
    let mode = if quoted { Mode::Exact } else { Mode::Hybrid };
    let text = if quoted { &text[1..text.len() - 1] } else { text };
    let mut query = Query {
        text: text.to_owned(),
        mode,
        limit: given.number_in("limit", LIMITS, LIMIT)?,
        languages: languages(given)?,
        kinds: names::kinds(&words(given, "kind")).map_err(said)?,
        globs: given.text("glob").map(str::to_owned).into_iter().collect(),
        path_prefix: call.path("path")?.unwrap_or_default(),
        scope: match given.text("content") {
            Some("code") => Scope::Only(Content::Code),
            Some("docs") => Scope::Only(Content::Docs),
            Some("config") => Scope::Only(Content::Config),
            _ => Scope::All,
        },
        ..Query::default()
    };
    let mut notes = Vec::new();
    go_on(given, &mut query, &mut notes);
    let mut outcome = call.live.search(&query, Some(PATIENCE), call.progress)?;
    if quoted && outcome.answer.hits.is_empty() && query.offset == 0 {
        notes.push("the quoted text stands nowhere as it is; these are the hits for its words".to_owned());
        query.mode = Mode::Hybrid;
        outcome = call.live.search(&query, Some(PATIENCE), call.progress)?;
    }
    Ok(shown(call, &outcome, &query, notes))
}

/// `find_similar_code`.
pub fn similar(call: &Call<'_>) -> Result<Found, Refusal> {
    let given = call.given;
    let limit = given.number_in("limit", LIMITS, LIMIT)?;
    let (sample, of, globs) = match (given.text("code"), call.path("path")?) {
        (Some(code), None) => (code.to_owned(), format!("similar to: {}", cut(&one_line(code), 80)), Vec::new()),
        (None, Some(path)) => {
            let (first, last) = match given.number("line") {
                Some(line) => super::read::around(call, &path, line)?,
                None => (1, 120),
            };
            let code = call.lines(&path, first, last)?;
            // The code itself is no answer.
            (code, format!("similar to {path}:{first}-{last}"), vec![format!("!/{}", glob_of(&path))])
        }
        _ => return Err("find_similar_code needs `code`, or `path` and `line`, not both".to_owned().into()),
    };
    if sample.trim().is_empty() {
        return Err(format!("there is no text to compare: {of}").into());
    }
    let text = cut(&sample, SAMPLE);
    let mut query = Query { text, mode: Mode::Semantic, limit, globs, ..Query::default() };
    // The page belongs to the place, not to what stands there at the moment.
    let mut asked = Query { text: of, ..query.clone() };
    let mut notes = Vec::new();
    go_on(given, &mut asked, &mut notes);
    query.offset = asked.offset;
    let mut outcome = call.live.search(&query, Some(PATIENCE), call.progress)?;
    // What the engine says of a question for a text is not about a sample.
    outcome.answer.notes.clear();
    outcome.answer.weak = false;
    notes.push("note: the order counts; scores of a whole piece of code are low by nature".to_owned());
    Ok(shown(call, &outcome, &asked, notes))
}

/// Goes on where a cursor says.
fn go_on(given: &Given, query: &mut Query, notes: &mut Vec<String>) {
    if let Some(typed) = given.text("cursor") {
        match cursor::read(typed, query) {
            Ok(offset) => query.offset = offset,
            Err(fault) => notes.push(format!("note: {}", fault.note())),
        }
    }
}

fn shown(call: &Call<'_>, outcome: &Outcome, query: &Query, mut notes: Vec<String>) -> Found {
    let answer = &outcome.answer;
    let stale = call.stale(answer.hits.iter().map(|hit| (hit.path.as_str(), &hit.content_hash)));
    if answer.hits.is_empty() {
        notes.push(missing(outcome, query));
    } else if answer.weak {
        notes.push(format!("weak: nothing here is a strong match{}", nearest(&answer.nearest)));
    }
    notes.extend(answer.notes.iter().map(|note| format!("note: {note}")));
    if !stale.is_empty() {
        notes.push(format!("stale: changed since they were read, lines may have moved: {}", stale.join(", ")));
    }
    let links = answer.hits.iter().enumerate().map(|(index, hit)| Link {
        path: hit.path.clone(),
        escaped: outcome.snippets.get(index).is_some_and(|snippet| snippet.path_escaped),
        lines: (hit.lines.start, hit.lines.end),
    });
    let style = terminal::Style { heading: true, ..terminal::Style::default() };
    let what = match answer.total {
        1 => "1 hit".to_owned(),
        total => format!("{total} hits"),
    };
    let parts = Parts {
        root: call.root(),
        title: call.title(&what, &outcome.generation, outcome.partial),
        notes,
        stale,
        links: links.collect(),
        text: &|layout| {
            // Places that are hardly what was meant are named, not shown: there are likely to be better words.
            let depth = (answer.weak).then_some(Depth::Abstract);
            terminal::search(outcome, query, Layout { depth, ..layout }, &style)
        },
        data: &|layout| print::json::search(outcome, query, layout),
    };
    call.found(&parts, answer.hits.is_empty())
}

/// Why there is no hit, and what to try.
fn missing(outcome: &Outcome, query: &Query) -> String {
    let answer = &outcome.answer;
    if query.offset > 0 && answer.total > 0 {
        return format!("no more hits: there are {} in all; leave out the cursor to see them", answer.total);
    }
    let files = outcome.generation.files;
    if files == 0 && outcome.skipped.is_empty() {
        return "not found: there are no files in this folder".to_owned();
    }
    if files == 0 && !outcome.partial {
        return "not found: no file here is searched; get_index_status says why".to_owned();
    }
    let filters: Vec<&str> = [
        (!query.languages.is_empty(), "language"),
        (!query.globs.is_empty() && query.mode != Mode::Semantic, "glob"),
        (!query.path_prefix.is_empty(), "path"),
        (!query.kinds.is_empty(), "kind"),
        (query.scope != Scope::All, "content"),
    ]
    .into_iter()
    .filter_map(|(set, name)| set.then_some(name))
    .collect();
    let next = match filters.as_slice() {
        _ if outcome.partial => "ask again in a few seconds".to_owned(),
        [] => "try other words, or scan_text for an exact text".to_owned(),
        filters => format!("leave out {}", filters.join(" or ")),
    };
    format!("not found: nothing in {files} files matches{}; {next}", nearest(&answer.nearest))
}

fn nearest(words: &[String]) -> String {
    if words.is_empty() {
        return String::new();
    }
    let words: Vec<String> = words.iter().take(8).map(|word| cut(&one_line(word), 60)).collect();
    format!("; nearest words: {}", words.join(", "))
}

/// The languages that were named, by their ids.
fn languages(given: &Given) -> Result<Vec<String>, Refusal> {
    let typed = words(given, "language");
    if typed.is_empty() {
        return Ok(Vec::new());
    }
    Ok(names::languages(&typed, &session::languages()?).map_err(said)?)
}

fn words(given: &Given, name: &str) -> Vec<String> {
    given.text(name).unwrap_or_default().split(',').map(|word| word.trim().to_owned()).collect()
}

/// An error of the command line, without its name and its options.
fn said(e: crate::cli::error::Error) -> String {
    e.to_string()
        .trim_start_matches("seekwell: ")
        .replace("; seekwell --type-list lists all", "")
        .replace("seekwell --type-list lists all", "")
}

/// A path as a glob that matches nothing else.
fn glob_of(path: &str) -> String {
    path.chars().flat_map(|c| ("*?[]{}\\!".contains(c)).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_as_a_glob() {
        assert_eq!(glob_of("a/[id]/b*.ts"), "a/\\[id\\]/b\\*.ts");
    }
}
