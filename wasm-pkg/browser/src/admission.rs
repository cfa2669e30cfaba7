//! What belongs to the corpus, folder by folder, for a host that lists folders in JavaScript.

use seekwell_admit as own;
use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Result, coded, read, write};
use crate::values::{Bytes, Skipped};

/// Which files are read.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Rules {
    /// Read what ignore files exclude, too.
    #[tsify(optional)]
    #[serde(default)]
    pub no_ignore: bool,
    /// Read hidden files and folders outside of a git work tree, too.
    #[tsify(optional)]
    #[serde(default)]
    pub hidden: bool,
    /// Excluded paths, in gitignore syntax.
    #[tsify(optional)]
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Excluded extensions.
    #[tsify(optional)]
    #[serde(default)]
    pub exclude_extensions: Vec<String>,
}

/// What was read of a `.git`.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Repository {
    /// The same for all work trees of one repository, different for two repositories.
    pub identity: String,
    /// The first line of its `HEAD`, if that is there.
    #[tsify(optional)]
    #[serde(default)]
    pub head: Option<String>,
    /// Whether it has the folders `objects` and `refs`.
    pub stocked: bool,
    /// Its settings files, the weakest first.
    #[tsify(type = "Uint8Array[]")]
    pub configs: Vec<Bytes>,
    /// Its index, if there is one.
    #[tsify(optional, type = "Uint8Array")]
    #[serde(default)]
    pub index: Option<Bytes>,
    /// The files `sharedindex.*` beside it.
    pub shared_indexes: Vec<NamedBytes>,
    /// Ignore files for the whole work tree, weakest first, each by what a reader is told of it.
    pub excludes: Vec<NamedBytes>,
}

/// Bytes of a file, with a name.
#[derive(Deserialize, Tsify)]
pub struct NamedBytes {
    /// The name.
    pub name: String,
    /// The content.
    #[tsify(type = "Uint8Array")]
    pub bytes: Bytes,
}

/// The content of one folder.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Listing {
    /// The content of its `.gitignore`, if that is a regular file.
    #[tsify(optional, type = "Uint8Array")]
    #[serde(default)]
    pub gitignore: Option<Bytes>,
    /// What its `.git` leads to, if it has one. Not for the root.
    #[tsify(optional)]
    #[serde(default)]
    pub repository: Option<Repository>,
    /// Everything in it.
    pub entries: Vec<ListedEntry>,
}

/// One entry of a folder.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ListedEntry {
    /// Its name.
    pub name: String,
    /// What it is, links not followed.
    #[tsify(type = "\"file\" | \"folder\" | \"link\" | \"special\"")]
    pub kind: String,
    /// What a link says; what a special file is.
    #[tsify(optional)]
    #[serde(default)]
    pub detail: String,
    /// Where a link leads.
    #[tsify(optional)]
    #[serde(default)]
    pub target: Option<LinkTarget>,
}

/// Where a link leads, once every link on the way is followed.
#[derive(Deserialize, Tsify)]
pub struct LinkTarget {
    /// What is there.
    #[tsify(type = "\"file\" | \"folder\" | \"special\" | \"outside\" | \"missing\"")]
    pub kind: String,
    /// For a file: its path below the root. For what is missing: the system's reason.
    #[tsify(optional)]
    #[serde(default)]
    pub path: String,
}

/// What became of a folder.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// The number of a root that was opened, or 0.
    pub id: u32,
    /// A verdict for each entry, in the order of the listing; empty if the folder as a whole is left out.
    pub verdicts: Vec<Verdict>,
    /// Why the folder as a whole is left out.
    #[tsify(optional)]
    pub skipped: Option<Skip>,
    /// What could not be taken into account.
    pub notes: Vec<Skipped>,
}

/// What is to be done with an entry.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "lowercase", tag = "what")]
pub enum Verdict {
    /// It belongs to the corpus.
    Admit,
    /// It is a folder to enter, under this number.
    Descend {
        /// The number.
        id: u32,
    },
    /// It does not belong, and a reader may want to know.
    Skip(Skip),
    /// It is git's or seekwell's own, and nobody asks.
    Own,
}

/// Why something is left out.
#[derive(Serialize, Tsify)]
pub struct Skip {
    /// A short word.
    pub reason: String,
    /// What a reader can act on.
    pub detail: String,
}

impl Skip {
    fn of(skip: own::Skip) -> Self {
        Self { reason: skip.reason, detail: skip.detail }
    }
}

impl Repository {
    fn own(self) -> own::Repo {
        let mut config = own::GitConfig::default();
        self.configs.iter().for_each(|bytes| config.add(&bytes.0));
        own::Repo {
            identity: self.identity,
            sound: self.stocked && self.head.is_some_and(|line| own::is_head(&line)),
            ignore_case: config.is_on("core.ignorecase"),
            index: self.index.map(|bytes| bytes.0),
            shared_indexes: self
                .shared_indexes
                .into_iter()
                .map(|file| own::SharedIndex { name: file.name, bytes: file.bytes.0 })
                .collect(),
            excludes: self
                .excludes
                .into_iter()
                .map(|file| own::IgnoreFile { label: file.name, bytes: file.bytes.0 })
                .collect(),
        }
    }
}

impl ListedEntry {
    fn own(self) -> own::Entry {
        let target = |target: LinkTarget| match target.kind.as_str() {
            "file" => own::Target::File(target.path.into_bytes()),
            "folder" => own::Target::Folder,
            "special" => own::Target::Special,
            "outside" => own::Target::Outside,
            _ => own::Target::Missing(target.path),
        };
        let missing = || own::Target::Missing(String::new());
        let kind = match self.kind.as_str() {
            "file" => own::Kind::File,
            "folder" => own::Kind::Folder,
            "link" => {
                own::Kind::Link(own::Link { text: self.detail, target: self.target.map_or_else(missing, target) })
            }
            _ => own::Kind::Special(self.detail),
        };
        own::Entry { name: self.name.into_bytes(), kind }
    }
}

/// Decides what belongs to the corpus: {@link Admission.root} once, then {@link Admission.enter} for it and for every
/// folder that it says to descend into, in any order.
#[wasm_bindgen]
pub struct Admission(own::Admission);

#[wasm_bindgen]
impl Admission {
    /// Prepares a walk; an error of code `glob` names the first pattern that can never match.
    #[wasm_bindgen(constructor)]
    pub fn new(rules: Ts<Rules>) -> Result<Admission> {
        let rules = read(&rules)?;
        let exclude = |pattern| own::Exclude { pattern, origin: "exclude".to_owned() };
        let options = own::Options {
            no_ignore: rules.no_ignore,
            hidden: rules.hidden,
            excludes: rules.exclude.into_iter().map(exclude).collect(),
            exclude_extensions: rules.exclude_extensions,
        };
        own::Admission::new(options).map(Self).map_err(|error| coded("glob", &error.to_string()))
    }

    /// Begins the tree; gives the number under which its root is entered.
    pub fn root(&mut self, repository: Option<Ts<Repository>>) -> Result<Ts<Judged>> {
        let repository = repository.map(|repository| read(&repository)).transpose()?;
        let root = own::Root { repo: repository.map(Repository::own), ..own::Root::default() };
        let answer = self.0.root(&root);
        let notes = answer.notes.into_iter().map(Skipped::of).collect();
        write(Judged { id: answer.value, verdicts: Vec::new(), skipped: None, notes })
    }

    /// Judges the entries of a folder.
    pub fn enter(&mut self, folder: u32, listing: Ts<Listing>) -> Result<Ts<Judged>> {
        let listing = read(&listing)?;
        let listing = own::Listing {
            gitignore: listing.gitignore.map(|bytes| bytes.0),
            repo: listing.repository.map(Repository::own),
            entries: listing.entries.into_iter().map(ListedEntry::own).collect(),
        };
        let answer = self.0.enter(folder, &listing);
        let verdict = |verdict| match verdict {
            own::Verdict::Admit => Verdict::Admit,
            own::Verdict::Descend(id) => Verdict::Descend { id },
            own::Verdict::Skip(skip) => Verdict::Skip(Skip::of(skip)),
            own::Verdict::Own => Verdict::Own,
        };
        let (verdicts, skipped) = match answer.value {
            own::Entered::Verdicts(verdicts) => (verdicts.into_iter().map(verdict).collect(), None),
            own::Entered::Skipped(skip) => (Vec::new(), Some(Skip::of(skip))),
        };
        write(Judged { id: 0, verdicts, skipped, notes: answer.notes.into_iter().map(Skipped::of).collect() })
    }
}

/// Size in bytes above which a file is not read, unless the caller says otherwise.
#[wasm_bindgen(js_name = maxFileSize)]
pub fn max_file_size() -> f64 {
    own::MAX_FILE_SIZE as f64
}

/// What is said of a file above the limit.
#[wasm_bindgen(js_name = tooLarge)]
pub fn too_large(size: f64, limit: f64) -> String {
    own::too_large(size as u64, limit as u64)
}
