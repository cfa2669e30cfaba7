//! A tree: analyses in, answers out.

use js_sys::Uint8Array;
use seekwell_core::analysis::Analysis;
use seekwell_core::error::Error;
use seekwell_core::find::Finder;
use seekwell_core::generation::{Builder, Generation};
use seekwell_core::navigate::Navigator;
use seekwell_core::snapshot;
use seekwell_core::update::{Step, Update};
use seekwell_languages::LANGUAGES;
use seekwell_print::outcome::{Outcome, Snippet, Source};
use seekwell_print::{Depth, Layout, MIN_JSON, json};
use seekwell_types as own;
use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Result, coded, engine, read, write};
use crate::structure::{FoundPlaces, StructureQuestion, Told};
use crate::table;
use crate::values::{self, Change, Matches, Query, Skipped};

/// Collects the analyses of a tree and holds what they come to together.
#[wasm_bindgen]
pub struct Workspace {
    vectors: bool,
    builder: Option<Builder<'static>>,
    generation: Option<Generation>,
    update: Option<Update<'static>>,
}

/// A committed tree as bytes that only this build of the engine reads.
#[wasm_bindgen(getter_with_clone)]
pub struct Snapshot {
    /// What questions are answered from: for {@link Workspace.restore}.
    pub searchable: Uint8Array,
    /// What else updates need, in parts, of which each needs few.
    pub rest: Vec<Uint8Array>,
}

/// What an update has come to: it needs more, or it is done.
#[derive(Serialize, Tsify)]
pub struct Updated {
    /// Numbers of the parts that the next {@link Workspace.update} needs.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<Vec<u32>>,
    /// The tree: answers are those of one that was added and committed like this.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation: Option<values::Generation>,
}

#[wasm_bindgen]
impl Workspace {
    /// An empty one. With `vectors`, there will be one a chunk, provided that all analyses were made for it.
    #[wasm_bindgen(constructor)]
    pub fn new(vectors: bool) -> Self {
        Self { vectors, builder: None, generation: None, update: None }
    }

    /// Adds a file. Files must come in the order of their paths' bytes.
    pub fn add(&mut self, path: &str, analysis: &[u8]) -> Result<()> {
        let analysis = Analysis::from_bytes(analysis).ok_or_else(|| engine(Error::Blob))?;
        let builder = match &mut self.builder {
            Some(builder) => builder,
            empty => empty.insert(new_builder(self.vectors)?),
        };
        builder.add(path, analysis).map_err(engine)
    }

    /// Makes what was added searchable. What is added later begins a new generation.
    pub fn commit(&mut self) -> Result<Ts<values::Generation>> {
        let builder = match self.builder.take() {
            Some(builder) => builder,
            None => new_builder(self.vectors)?,
        };
        let generation = builder.commit().map_err(engine)?;
        self.now(generation)
    }

    /// What was committed, as bytes; undefined if it was restored or updated since, or if nothing was committed.
    pub fn snapshot(&self) -> Result<Option<Snapshot>> {
        let Some(generation) = &self.generation else { return Ok(None) };
        let Some(snapshot) = snapshot::snapshot(generation).map_err(engine)? else { return Ok(None) };
        let array = |bytes: &[u8]| Uint8Array::from(bytes);
        let rest = snapshot.rest.iter().map(|part| array(part)).collect();
        Ok(Some(Snapshot { searchable: array(&snapshot.searchable), rest }))
    }

    /// Takes a snapshot in place of `add` and `commit`. With one that this engine cannot read (an error of code `snapshot`), the
    /// workspace is as it was.
    pub fn restore(&mut self, searchable: Vec<u8>) -> Result<Ts<values::Generation>> {
        let generation = snapshot::restore(searchable, self.vectors.then(table)).map_err(engine)?;
        self.now(generation)
    }

    /// Begins to replace files of what was restored, each once, in the order of their paths. Gives the numbers of those parts of
    /// the snapshot's `rest` that the first {@link update} needs. After an error, and until the last `update`, there is nothing to
    /// answer from.
    #[wasm_bindgen(js_name = beginUpdate)]
    pub fn begin_update(&mut self, changes: Vec<Ts<Change>>) -> Result<Vec<u32>> {
        let changes = changes.iter().map(read).collect::<Result<Vec<_>>>()?;
        let changes: Option<Vec<_>> = changes.into_iter().map(Change::own).collect();
        let changes = changes.ok_or_else(|| engine(Error::Blob))?;
        let generation = self.generation.take().ok_or_else(|| engine(Error::NotCommitted))?;
        let begun = Update::begin(generation, LANGUAGES, self.vectors.then(table), changes);
        let (begun, needs) = begun.map_err(engine)?;
        self.update = Some(begun);
        Ok(needs)
    }

    /// Takes the parts that are needed, be it none, in the order of their numbers. What is found in them may need more.
    pub fn update(&mut self, parts: Vec<Uint8Array>) -> Result<Ts<Updated>> {
        let begun = self.update.take().ok_or_else(|| engine(Error::NotCommitted))?;
        let parts: Vec<_> = parts.iter().map(Uint8Array::to_vec).collect();
        write(match begun.take(parts).map_err(engine)? {
            Step::Needs(update, needs) => {
                self.update = Some(*update);
                Updated { needs: Some(needs), generation: None }
            }
            Step::Done(generation) => {
                let summary = values::Generation::of(&generation.summary());
                self.generation = Some(*generation);
                Updated { needs: None, generation: Some(summary) }
            }
        })
    }

    /// Answers a question. `matches`, by path, says where its needle stands; in the exact and regex modes nothing else is a hit.
    pub fn find(&self, query: Ts<Query>, matches: Vec<Ts<Matches>>) -> Result<Found> {
        let generation = self.committed()?;
        let query = read(&query)?.own()?;
        let matches: Vec<_> = matches.iter().map(|m| read(m).map(Matches::own)).collect::<Result<_>>()?;
        let finder = Finder::new(generation, LANGUAGES, self.vectors.then(table));
        let answer = finder.find(&query, &matches).map_err(engine)?;
        Ok(Found { query, answer, generation: generation.summary() })
    }

    /// Answers a question about structure. `found`, by path, says where the name of `refs` and `mentions` stands.
    pub fn ask(&self, question: Ts<StructureQuestion>, found: Vec<Ts<FoundPlaces>>) -> Result<Told> {
        let generation = self.committed()?;
        let navigator = Navigator::new(generation, LANGUAGES, self.vectors.then(table));
        let found = found.iter().map(read).collect::<Result<_>>()?;
        Told::new(read(&question)?, found, generation.summary(), |query| navigator.answer(query))
    }
}

impl Workspace {
    fn committed(&self) -> Result<&Generation> {
        self.generation.as_ref().ok_or_else(|| engine(Error::NotCommitted))
    }

    fn now(&mut self, generation: Generation) -> Result<Ts<values::Generation>> {
        let summary = values::Generation::of(&generation.summary());
        self.generation = Some(generation);
        write(summary)
    }
}

fn new_builder(vectors: bool) -> Result<Builder<'static>> {
    Builder::new(LANGUAGES, vectors.then(table)).map_err(engine)
}

/// What a JSON answer says of the tree beside the answer itself.
#[derive(Deserialize, Tsify)]
pub struct Surroundings {
    /// The folder that paths are relative to.
    pub root: String,
    /// What is not searched.
    pub skipped: Vec<Skipped>,
    /// Whether the tree was searched in part only.
    pub partial: bool,
    /// Whether the generation came from a snapshot.
    pub restored: bool,
    /// Files that were searched, where these are more than those of the generation.
    #[tsify(optional)]
    #[serde(default)]
    pub searched: u32,
}

impl Surroundings {
    /// Where the generation came from.
    pub const fn source(&self) -> Source {
        if self.restored { Source::Store } else { Source::Memory }
    }
}

/// What is printed of an answer.
#[derive(Default, Deserialize, Tsify)]
pub struct JsonLayout {
    /// How much of each hit; `full` by default.
    #[tsify(optional)]
    #[serde(default)]
    pub depth: Option<JsonDepth>,
    /// Tokens that the whole may take, of four bytes each; at least 256.
    #[tsify(optional)]
    #[serde(default)]
    pub budget: Option<u32>,
    /// For answers about structure: rows at most.
    #[tsify(optional)]
    #[serde(default)]
    pub limit: Option<u32>,
    /// For answers about structure: rows that are passed over first.
    #[tsify(optional)]
    #[serde(default)]
    pub offset: u32,
}

/// How much of a hit is printed.
#[derive(Clone, Copy, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum JsonDepth {
    /// Place, name and description.
    Abstract,
    /// And the first lines of the text.
    Overview,
    /// And the whole text.
    Full,
}

impl JsonLayout {
    /// The printers' own.
    pub fn own(&self) -> Result<Layout> {
        if let Some(budget) = self.budget.filter(|budget| *budget < MIN_JSON) {
            return Err(coded("budget", &format!("{budget} tokens; {MIN_JSON} is the least that holds an answer")));
        }
        let depth = self.depth.map(|depth| match depth {
            JsonDepth::Abstract => Depth::Abstract,
            JsonDepth::Overview => Depth::Overview,
            JsonDepth::Full => Depth::Full,
        });
        Ok(Layout { depth, budget: self.budget })
    }
}

/// The answer to a question; free it when it is told.
#[wasm_bindgen]
pub struct Found {
    query: own::Query,
    answer: own::Answer,
    generation: own::Generation,
}

#[wasm_bindgen]
impl Found {
    /// The answer, without the text of its hits.
    #[wasm_bindgen(getter)]
    pub fn answer(&self) -> Result<Ts<values::Answer>> {
        write(values::Answer::of(&self.answer))
    }

    /// The answer as `seekwell search --json` prints it. `snippets` are the texts of the hits, in their order.
    #[wasm_bindgen(js_name = toJson)]
    pub fn to_json(&self, around: Ts<Surroundings>, snippets: Vec<String>, layout: Ts<JsonLayout>) -> Result<String> {
        let (around, layout) = (read(&around)?, read(&layout)?.own()?);
        let source = around.source();
        let mut generation = self.generation.clone();
        generation.files = generation.files.max(around.searched);
        let outcome = Outcome {
            root: around.root.into(),
            generation,
            skipped: around.skipped.into_iter().map(Skipped::own).collect(),
            partial: around.partial,
            source,
            answer: self.answer.clone(),
            snippets: snippets.into_iter().map(|text| Snippet { text, path_escaped: false }).collect(),
            ..Outcome::default()
        };
        Ok(json::search(&outcome, &self.query, layout))
    }
}
