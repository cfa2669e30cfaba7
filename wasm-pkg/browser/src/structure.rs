//! Questions about structure <-> JavaScript objects.

use seekwell_core::error::Error;
use seekwell_print::map::{MapForm, map, mermaid};
use seekwell_print::outcome::StructureOutcome;
use seekwell_print::structure::{Question, as_json, identifier};
use seekwell_types::structure as own;
use seekwell_types::{self as types, ByteSpan, LineSpan};
use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Result, engine, read, write};
use crate::values::{Skipped, six};
use crate::workspace::{JsonLayout, Surroundings};

/// Files that a map is made of, as on the command line.
const MAP_FILES: u32 = 600;

/// Files of a map that are printed if nobody says how many, as on the command line.
const MAP_SHOWN: u32 = 40;

/// A question about structure. Names may be qualified as any language writes it.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "lowercase", tag = "command")]
pub enum StructureQuestion {
    /// The symbols of a file, nested.
    Outline {
        /// The file.
        path: String,
    },
    /// Where a name is defined.
    Def {
        /// The name.
        name: String,
    },
    /// Where a name stands, with what each use of it means.
    Refs {
        /// The name.
        name: String,
    },
    /// What uses a symbol.
    Callers {
        /// The name.
        name: String,
    },
    /// What a symbol uses.
    Callees {
        /// The name.
        name: String,
    },
    /// Where documentation speaks of a symbol.
    Mentions {
        /// The name.
        name: String,
    },
    /// What uses a symbol, and what uses that, and so on.
    Impact {
        /// The name.
        name: String,
        /// How many steps are taken; 0, the default, means all.
        #[tsify(optional)]
        #[serde(default)]
        depth: u32,
    },
    /// The shortest way of calls from one symbol to another.
    Path {
        /// Where it starts.
        from: String,
        /// Where it leads.
        to: String,
    },
    /// The files that matter, with the symbols that matter in each.
    Map {
        /// What they should matter for; empty, the default, means in general.
        #[tsify(optional)]
        #[serde(default)]
        task: String,
        /// How many files are told at most; 600 by default.
        #[tsify(optional)]
        #[serde(default)]
        files: u32,
    },
    /// The tests that reach what was changed.
    Affected {
        /// What was changed, by place.
        #[tsify(optional)]
        #[serde(default)]
        changes: Vec<ChangedFile>,
        /// What was changed, by name.
        #[tsify(optional)]
        #[serde(default)]
        names: Vec<String>,
    },
}

/// A file that was changed.
#[derive(Deserialize, Tsify)]
pub struct ChangedFile {
    /// The file.
    pub path: String,
    /// The lines as they are now; none means the whole file.
    #[tsify(optional)]
    #[serde(default)]
    pub lines: Vec<Lines>,
}

/// Lines, one-based, both included.
#[derive(Deserialize, Tsify)]
pub struct Lines {
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
}

/// Where a name stands in one file: five numbers a place, as {@link occurrences} gives them.
#[derive(Deserialize, Tsify)]
pub struct FoundPlaces {
    /// The file.
    pub path: String,
    /// The places.
    pub numbers: Vec<u32>,
}

const ROLES: [own::Role; 8] = [
    own::Role::Definition,
    own::Role::Call,
    own::Role::Import,
    own::Role::Extends,
    own::Role::Read,
    own::Role::Write,
    own::Role::Mention,
    own::Role::Text,
];

/// The words for what a name does where it stands, in the order of the numbers of {@link occurrences}.
#[wasm_bindgen]
pub fn roles() -> Vec<String> {
    ROLES.iter().map(|role| role.word().to_owned()).collect()
}

/// The identifier that a qualified name ends with: what can stand in a text as a word.
#[wasm_bindgen(js_name = identifierOf)]
pub fn identifier_of(name: &str) -> String {
    identifier(name).to_owned()
}

/// A place as five numbers.
pub fn numbers(of: &own::Occurrence) -> [u32; 5] {
    let role = ROLES.iter().position(|role| *role == of.role).unwrap_or(ROLES.len() - 1);
    [of.span.start, of.span.end, of.line, of.column, role as u32]
}

impl FoundPlaces {
    fn own(self) -> own::FileOccurrences {
        let one = |n: &[u32]| own::Occurrence {
            span: ByteSpan::new(n[0], n[1]),
            line: n[2],
            column: n[3],
            role: ROLES.get(n[4] as usize).copied().unwrap_or(own::Role::Text),
            // Only questions about a place, which editors ask, need these.
            on: String::new(),
            local: false,
        };
        own::FileOccurrences { path: self.path, occurrences: self.numbers.chunks_exact(5).map(one).collect() }
    }
}

impl StructureQuestion {
    /// The command's word, what it is asked about, and the engine's question.
    fn own(self, found: Vec<FoundPlaces>) -> (&'static str, String, own::StructureQuery) {
        use own::StructureQuery as Query;
        let found = || found.into_iter().map(FoundPlaces::own).collect();
        match self {
            Self::Outline { path } => ("outline", path.clone(), Query::Outline { path }),
            Self::Def { name } => ("def", name.clone(), Query::Definitions { name }),
            Self::Refs { name } => ("refs", name.clone(), Query::References { name, found: found() }),
            Self::Callers { name } => ("callers", name.clone(), Query::Callers { name }),
            Self::Callees { name } => ("callees", name.clone(), Query::Callees { name }),
            Self::Mentions { name } => ("mentions", name.clone(), Query::Mentions { name, found: found() }),
            Self::Impact { name, depth } => ("impact", name.clone(), Query::Impact { name, depth }),
            Self::Path { from, to } => ("path", format!("{from} -> {to}"), Query::Path { from, to }),
            Self::Map { task, files } => {
                let files = if files == 0 { MAP_FILES } else { files };
                ("map", task.clone(), Query::Map { task, files })
            }
            Self::Affected { changes, names } => {
                let lines = |l: Lines| LineSpan { start: l.start, end: l.end };
                let change =
                    |c: ChangedFile| own::Change { path: c.path, lines: c.lines.into_iter().map(lines).collect() };
                let changes: Vec<_> = changes.into_iter().map(change).collect();
                let words: Vec<_> = names.iter().chain(changes.iter().map(|c| &c.path)).cloned().collect();
                ("affected", words.join(" "), Query::Affected { changes, names })
            }
        }
    }
}

/// A definition.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct CodeSymbol {
    /// Its name.
    pub name: String,
    /// The names around it; empty at the top.
    pub container: String,
    /// Its kind.
    pub kind: String,
    /// Language id.
    pub language: String,
    /// The file.
    pub path: String,
    /// First line, with comments and decorators.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// First byte, likewise.
    pub start_byte: u32,
    /// One past the last byte.
    pub end_byte: u32,
    /// Line of its name.
    pub name_line: u32,
    /// Column of its name.
    pub name_column: u32,
    /// Its signature or heading, on one line.
    pub signature: String,
    /// The first sentence of its documentation.
    pub doc: String,
    /// The share of the tree's functions and types that it ranks above by PageRank, 0 to 1.
    pub importance: f64,
    /// Whether it is a test.
    pub test: bool,
}

/// A place in a file.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The file.
    pub path: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// First byte.
    pub start_byte: u32,
    /// One past the last byte.
    pub end_byte: u32,
    /// What the name does there.
    pub role: &'static str,
}

/// One part of an answer.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The symbol that it is about.
    pub symbol: Option<CodeSymbol>,
    /// The name that is used; the file's path where no symbol is around.
    pub name: String,
    /// Which of the answer's subjects it belongs to, where that is known.
    pub subject: Option<u32>,
    /// Where the uses stand.
    pub places: Vec<Place>,
    /// How it is known what they mean.
    pub confidence: Option<&'static str>,
    /// The definitions that are meant, where these are several: at most 20.
    pub candidates: Vec<CodeSymbol>,
    /// How many these are.
    pub candidate_count: u32,
    /// Steps from a subject.
    pub depth: u32,
    /// The row that it came from, by number.
    pub parent: Option<u32>,
}

/// One file of a map.
#[derive(Serialize, Tsify)]
pub struct MapFile {
    /// The file.
    pub path: String,
    /// Language id.
    pub language: String,
    /// The share of the tree's files of code that it ranks above by PageRank, 0 to 1.
    pub importance: f64,
    /// Its symbols, the most important first.
    pub symbols: Vec<CodeSymbol>,
    /// The other files of the map that it uses, the most used first.
    pub uses: Vec<String>,
}

/// The answer to a question about structure.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub struct StructureAnswer {
    /// What the name of the question means.
    pub subjects: Vec<CodeSymbol>,
    /// The parts.
    pub rows: Vec<Row>,
    /// The files of a map, the most important first.
    pub files: Vec<MapFile>,
    /// How many rows or files there are.
    pub total: u32,
    /// Whether the name, file or way does not exist.
    pub not_found: bool,
    /// If not found: names or paths of this tree that come nearest.
    pub nearest: Vec<String>,
    /// What a reader should know, a sentence each.
    pub notes: Vec<String>,
}

fn symbol(symbol: &own::Symbol) -> CodeSymbol {
    CodeSymbol {
        name: symbol.name.clone(),
        container: symbol.container.clone(),
        kind: symbol.kind.clone(),
        language: symbol.language.clone(),
        path: symbol.path.clone(),
        start_line: symbol.lines.start,
        end_line: symbol.lines.end,
        start_byte: symbol.span.start,
        end_byte: symbol.span.end,
        name_line: symbol.name_line,
        name_column: symbol.name_column,
        signature: symbol.signature.clone(),
        doc: symbol.doc.clone(),
        importance: six(symbol.importance),
        test: symbol.test,
    }
}

fn row(row: &own::Row) -> Row {
    let place = |p: &own::Place| Place {
        path: p.path.clone(),
        line: p.line,
        column: p.column,
        start_byte: p.span.start,
        end_byte: p.span.end,
        role: p.role.word(),
    };
    Row {
        symbol: row.symbol.as_ref().map(symbol),
        name: row.name.clone(),
        subject: row.subject,
        places: row.places.iter().map(place).collect(),
        confidence: row.confidence.map(own::Confidence::word),
        candidates: row.candidates.iter().map(symbol).collect(),
        candidate_count: row.candidate_count,
        depth: row.depth,
        parent: row.parent,
    }
}

/// The answer to a question about structure; free it when it is told.
#[wasm_bindgen]
pub struct Told {
    command: &'static str,
    text: String,
    answer: own::StructureAnswer,
    generation: types::Generation,
}

impl Told {
    /// Has the question answered.
    pub fn new(
        question: StructureQuestion,
        found: Vec<FoundPlaces>,
        generation: types::Generation,
        answer: impl FnOnce(&own::StructureQuery) -> std::result::Result<own::StructureAnswer, Error>,
    ) -> Result<Self> {
        let (command, text, query) = question.own(found);
        Ok(Self { command, text, answer: answer(&query).map_err(engine)?, generation })
    }

    fn outcome(&self, around: Surroundings, lines: Vec<String>, files: Vec<String>) -> StructureOutcome {
        let source = around.source();
        StructureOutcome {
            root: around.root.into(),
            generation: self.generation.clone(),
            skipped: around.skipped.into_iter().map(Skipped::own).collect(),
            partial: around.partial,
            source,
            answer: self.answer.clone(),
            lines,
            files,
        }
    }

    fn question(&self, layout: &JsonLayout) -> Question {
        let (command, text) = (self.command, self.text.clone());
        Question { command, text, offset: layout.offset, limit: layout.limit, prefix: String::new() }
    }
}

#[wasm_bindgen]
impl Told {
    /// The answer.
    #[wasm_bindgen(getter)]
    pub fn answer(&self) -> Result<Ts<StructureAnswer>> {
        let answer = &self.answer;
        let path = |&number: &u32| answer.files.get(number as usize).map(|file| file.path.clone());
        let file = |file: &own::FileRow| MapFile {
            path: file.path.clone(),
            language: file.language.clone(),
            importance: six(file.importance),
            symbols: file.symbols.iter().map(symbol).collect(),
            uses: file.uses.iter().filter_map(path).collect(),
        };
        write(StructureAnswer {
            subjects: answer.subjects.iter().map(symbol).collect(),
            rows: answer.rows.iter().map(row).collect(),
            files: answer.files.iter().map(file).collect(),
            total: answer.total,
            not_found: answer.not_found,
            nearest: answer.nearest.clone(),
            notes: answer.notes.clone(),
        })
    }

    /// The answer as the command of its name prints it with `--json`. `lines` are the texts of the line of each row's first
    /// place, for `refs` and `mentions`; `files` the paths of the tree.
    #[wasm_bindgen(js_name = toJson)]
    pub fn to_json(
        &self,
        around: Ts<Surroundings>,
        lines: Vec<String>,
        files: Vec<String>,
        layout: Ts<JsonLayout>,
    ) -> Result<String> {
        let (around, layout) = (read(&around)?, read(&layout)?);
        let outcome = self.outcome(around, lines, files);
        let mut question = self.question(&layout);
        let own = layout.own()?;
        if self.command != "map" {
            return Ok(as_json(&outcome, &question, own));
        }
        question.limit = question.limit.or((own.budget.is_none()).then_some(MAP_SHOWN));
        Ok(map(&outcome, &question, MapForm::Json, own))
    }

    /// A map as a graph in Mermaid's language.
    #[wasm_bindgen]
    pub fn mermaid(&self, around: Ts<Surroundings>) -> Result<String> {
        let outcome = self.outcome(read(&around)?, Vec::new(), Vec::new());
        Ok(mermaid(&outcome, &self.question(&JsonLayout::default()), seekwell_print::Layout::default()))
    }
}
