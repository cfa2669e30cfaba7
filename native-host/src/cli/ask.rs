//! What the arguments mean: a request to the session, checked, with the settings of the tree worked in.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use seekwell_types::{Content, Mode, Query, Scope};

use super::args::{ContentArg, DepthArg, ModeArg, OutputArgs, SearchArgs, WalkArgs};
use super::error::Error;
use super::{names, values};
use crate::config::{self, Config};
use crate::print::{Depth, Layout, MIN_JSON, MIN_TEXT, cursor};
use crate::session::{self, DEFAULT_MAX_FILESIZE, Request, StoreUse, WalkOptions};

/// Hits shown if nobody says how many.
const LIMIT: u32 = 10;

/// A search, understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The folder that answers are relative to.
    pub root: PathBuf,
    /// What to search.
    pub paths: Vec<PathBuf>,
    /// The question.
    pub query: Query,
    /// Which files are read.
    pub walk: WalkOptions,
    /// Only files changed since.
    pub since: Option<SystemTime>,
    /// What of the store is used.
    pub store: StoreUse,
    /// Whether every file is hashed.
    pub verify: bool,
    /// What the asker should know about the question itself.
    pub notes: Vec<String>,
}

impl Ask {
    /// The request to a session.
    pub fn request<'a>(&self, progress: &'a dyn crate::progress::Progress) -> Request<'a> {
        let Self { paths, query, walk, since, store, verify, .. } = self.clone();
        Request { paths, query, walk, since, store, verify, overlay: None, progress }
    }
}

/// What a search asks.
pub fn search(args: &SearchArgs, now: SystemTime) -> Result<Ask, Error> {
    let (text, mut paths) = match (&args.regexp, &args.query) {
        (Some(pattern), first) => (pattern, first.iter().map(PathBuf::from).collect()),
        (None, Some(query)) => (query, Vec::new()),
        (None, None) => return Err(Error::NoQuery),
    };
    paths.extend(args.paths.iter().cloned());
    let text = text.to_string_lossy().into_owned();
    let mode = mode(args);
    // White space is a text like any other, but it has no words.
    let empty = if matches!(mode, Mode::Exact | Mode::Regex) { text.is_empty() } else { text.trim().is_empty() };
    if empty {
        return Err(Error::EmptyQuery);
    }
    check_paths(&paths, Some(&text))?;
    let mut ask = filtered(args, paths, now)?;
    ask.query = Query { text, mode, explain: args.output.explain, ..ask.query };
    if let Some(typed) = &args.cursor {
        match cursor::read(typed, &ask.query) {
            Ok(offset) => ask.query.offset = offset,
            Err(fault) => ask.notes.push(fault.note().to_owned()),
        }
    }
    Ok(ask)
}

/// What `--files` asks: all arguments are paths.
pub fn files(args: &SearchArgs, now: SystemTime) -> Result<Ask, Error> {
    let paths: Vec<PathBuf> = args.query.iter().map(PathBuf::from).chain(args.paths.iter().cloned()).collect();
    check_paths(&paths, None)?;
    filtered(args, paths, now)
}

/// What is asked of a whole folder: `status`, and questions about structure.
///
/// A tree is looked at as a question would look at it, but no index is begun.
pub fn status(path: Option<&Path>, walk: &WalkArgs) -> Result<Ask, Error> {
    let mut ask = index(path, walk)?;
    ask.store = if walk.no_store { StoreUse::Never } else { StoreUse::Existing };
    Ok(ask)
}

/// What `index` and `watch` ask.
pub fn index(path: Option<&Path>, walk: &WalkArgs) -> Result<Ask, Error> {
    let paths: Vec<PathBuf> = path.map(Path::to_owned).into_iter().collect();
    check_paths(&paths, None)?;
    let root = session::root_of(&paths)?;
    let verify = walk.verify;
    let walk = self::walk(walk, config::load(&root)?);
    let (query, notes) = (Query::default(), Vec::new());
    Ok(Ask { root, paths, query, walk, since: None, store: StoreUse::Always, verify, notes })
}

fn filtered(args: &SearchArgs, paths: Vec<PathBuf>, now: SystemTime) -> Result<Ask, Error> {
    let root = session::root_of(&paths)?;
    let config = config::load(&root)?;
    let filters = &args.filters;
    let query = Query {
        limit: args.limit.or(config.limit).unwrap_or(LIMIT),
        // The table of languages is asked for only where there is a name to look up.
        languages: if filters.languages.is_empty() {
            Vec::new()
        } else {
            names::languages(&filters.languages, &session::languages()?)?
        },
        kinds: names::kinds(&filters.kinds)?,
        globs: filters.globs.clone(),
        path_prefix: match &filters.path {
            Some(typed) => path_prefix(typed, &root)?,
            None => String::new(),
        },
        scope: filters.content.map(scope).or(config.content).unwrap_or_default(),
        ..Query::default()
    };
    let since = filters.since.map(|since| since.moment(now));
    let store = store(&args.walk, config.store);
    let walk = walk(&args.walk, config);
    Ok(Ask { root, paths, query, walk, since, store, verify: args.walk.verify, notes: Vec::new() })
}

/// What is typed is obeyed, then the repository's settings.
fn store(args: &WalkArgs, config: Option<StoreUse>) -> StoreUse {
    match args {
        WalkArgs { no_store: true, .. } => StoreUse::Never,
        WalkArgs { store: true, .. } => StoreUse::Always,
        _ => config.unwrap_or_default(),
    }
}

/// What is typed is obeyed; what a repository says can only narrow it.
pub(crate) fn walk(args: &WalkArgs, config: Config) -> WalkOptions {
    let cap = config.max_filesize.map(|cap| cap.min(DEFAULT_MAX_FILESIZE));
    let mut extensions = config.ignore_extensions;
    extensions.extend(args.exclude_ext.iter().filter_map(|typed| values::extension(typed)));
    WalkOptions {
        no_ignore: args.no_ignore,
        hidden: args.hidden,
        exclude: config.ignore_patterns.into_iter().chain(args.exclude.iter().cloned()).collect(),
        exclude_extensions: extensions,
        max_filesize: args.max_filesize.or(cap),
        threads: args.threads,
    }
}

fn mode(args: &SearchArgs) -> Mode {
    match args.mode {
        _ if args.fixed_strings => Mode::Exact,
        _ if args.regexp.is_some() => Mode::Regex,
        None | Some(ModeArg::Hybrid) => Mode::Hybrid,
        Some(ModeArg::Semantic) => Mode::Semantic,
        Some(ModeArg::Keyword) => Mode::Keyword,
        Some(ModeArg::Exact) => Mode::Exact,
        Some(ModeArg::Regex) => Mode::Regex,
    }
}

const fn scope(content: ContentArg) -> Scope {
    match content {
        ContentArg::All => Scope::All,
        ContentArg::Code => Scope::Only(Content::Code),
        ContentArg::Docs => Scope::Only(Content::Docs),
        ContentArg::Config => Scope::Only(Content::Config),
    }
}

/// How much is printed.
pub fn layout(args: &OutputArgs) -> Result<Layout, Error> {
    let least = if args.json || args.jsonl { MIN_JSON } else { MIN_TEXT };
    if let Some(budget) = args.budget.filter(|budget| *budget < least) {
        let next = format!("{least} is the least that holds a hit in this form");
        return Err(Error::Value { option: "--budget", value: budget.to_string(), next });
    }
    let depth = args.depth.map(|depth| match depth {
        DepthArg::Abstract => Depth::Abstract,
        DepthArg::Overview => Depth::Overview,
        DepthArg::Full => Depth::Full,
    });
    Ok(Layout { depth, budget: args.budget })
}

/// A prefix relative to the root, from one relative to it or an absolute one below it.
fn path_prefix(typed: &str, root: &Path) -> Result<String, Error> {
    let below = Path::new(typed).strip_prefix(root).ok().map(|path| path.to_string_lossy().into_owned());
    values::prefix(below.as_deref().unwrap_or(typed)).ok_or_else(|| {
        let next = format!("it is not below {}; write it relative to that", root.display());
        Error::Value { option: "--path", value: typed.to_owned(), next }
    })
}

/// A path that was named must be there and be readable; a walk passes over what is not.
fn check_paths(paths: &[PathBuf], query: Option<&str>) -> Result<(), Error> {
    for path in paths {
        let unreadable = |detail: String| Error::Unreadable { path: path.clone(), detail };
        let meta = match path.metadata() {
            Ok(meta) => meta,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::NoSuchPath {
                    path: path.clone(),
                    quoted: query.and_then(|query| quoted(query, paths)),
                });
            }
            Err(e) => return Err(unreadable(e.to_string())),
        };
        let readable = if meta.is_dir() {
            path.read_dir().map(drop)
        } else if meta.is_file() {
            std::fs::File::open(path).map(drop)
        } else {
            // Opening a FIFO would wait for a writer.
            return Err(unreadable("it is neither a file nor a folder".to_owned()));
        };
        readable.map_err(|e| unreadable(e.to_string()))?;
    }
    Ok(())
}

/// The command with the question in quotes, if the paths look like words and none of them is there.
fn quoted(query: &str, paths: &[PathBuf]) -> Option<String> {
    let words: Option<Vec<&str>> = paths.iter().map(|path| path.to_str()).collect();
    let words = words?;
    let word = |text: &&str| text.len() <= 40 && !text.contains(['/', '\\', '.']) && !text.is_empty();
    let all = words.iter().all(word) && paths.iter().all(|path| !path.exists()) && query.len() <= 200;
    all.then(|| {
        format!(
            "seekwell '{}'",
            std::iter::once(query).chain(words).collect::<Vec<_>>().join(" ").replace('\'', "'\\''")
        )
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::args::Arguments;
    use super::*;

    fn typed(line: &[&str]) -> SearchArgs {
        Arguments::try_parse_from(std::iter::once(&"seekwell").chain(line)).unwrap().search
    }

    fn asked(line: &[&str]) -> Result<Ask, String> {
        search(&typed(line), SystemTime::UNIX_EPOCH).map_err(|e| e.to_string())
    }

    #[test]
    fn modes() {
        let mode = |line: &[&str]| asked(line).unwrap().query.mode;
        assert_eq!(mode(&["q"]), Mode::Hybrid);
        assert_eq!(mode(&["q", "-F"]), Mode::Exact);
        assert_eq!(mode(&["q", "--mode", "regex"]), Mode::Regex);
        assert_eq!(mode(&["q", "--mode", "semantic"]), Mode::Semantic);
        let by_flag = asked(&["-e", "-a.*b", "src"]).unwrap();
        assert_eq!(
            (by_flag.query.text.as_str(), by_flag.query.mode, by_flag.paths),
            ("-a.*b", Mode::Regex, vec!["src".into()])
        );
    }

    #[test]
    fn empty_and_missing_queries() {
        let empty = "seekwell: the query is empty; write what to search for, or seekwell --files to list what would be searched";
        for line in [&["", "src"][..], &[" \t"], &["", "-F"], &["-e", ""]] {
            assert_eq!(asked(line).unwrap_err(), empty);
        }
        assert!(asked(&[" ", "-F"]).is_ok());
        assert!(asked(&[]).unwrap_err().starts_with("seekwell: no query: "));
    }

    #[test]
    fn paths_must_be_there() {
        assert_eq!(
            asked(&["how", "does", "it's"]).unwrap_err(),
            "seekwell: no such file or folder: does; to search for all these words: seekwell 'how does it'\\''s'"
        );
        assert_eq!(
            asked(&["q", "no/such"]).unwrap_err(),
            "seekwell: no such file or folder: no/such; paths follow the query, relative to the current folder"
        );
        assert_eq!(
            asked(&["q", "src", "nope"]).unwrap_err(),
            "seekwell: no such file or folder: nope; paths follow the query, relative to the current folder"
        );
        #[cfg(unix)]
        assert_eq!(
            asked(&["q", "/dev/null"]).unwrap_err(),
            "seekwell: cannot search: /dev/null: it is neither a file nor a folder; name a readable file or folder"
        );
    }

    #[test]
    fn filters_reach_the_query() {
        let line = [
            "q",
            "-n",
            "3",
            "--kind",
            "fn",
            "-g",
            "!x",
            "--path",
            "./src/",
            "--content",
            "docs",
            "--since",
            "1d",
            "--explain",
        ];
        let args = typed(&line);
        let now = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(100_000);
        let ask = search(&args, now).unwrap();
        let expected = Query {
            text: "q".to_owned(),
            limit: 3,
            kinds: vec!["function".to_owned()],
            globs: vec!["!x".to_owned()],
            path_prefix: "src".to_owned(),
            scope: Scope::Only(Content::Docs),
            explain: true,
            ..Query::default()
        };
        assert_eq!(ask.query, expected);
        assert_eq!(ask.since, Some(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(13_600)));
        assert_eq!(asked(&["q"]).unwrap().query.limit, LIMIT);
        assert!(
            asked(&["q", "--path", "../x"])
                .unwrap_err()
                .starts_with("seekwell: not a value for --path: ../x; it is not below /")
        );
    }

    #[test]
    fn settings_narrow_and_flags_rule() {
        let config = || Config {
            ignore_patterns: vec!["gen/".to_owned()],
            ignore_extensions: vec!["csv".to_owned()],
            max_filesize: Some(u64::MAX),
            ..Config::default()
        };
        let args = typed(&["q", "--exclude", "x", "--exclude-ext", ".md,*.txt", "--hidden"]).walk;
        let walk = super::walk(&args, config());
        assert_eq!(walk.exclude, ["gen/", "x"]);
        assert_eq!(walk.exclude_extensions, ["csv", "md", "txt"]);
        assert_eq!(walk.max_filesize, Some(DEFAULT_MAX_FILESIZE));
        assert!(walk.hidden && !walk.no_ignore);
        let args = typed(&["q", "--max-filesize", "1G"]).walk;
        assert_eq!(super::walk(&args, config()).max_filesize, Some(1 << 30));
    }

    #[test]
    fn cursors_lead_on_or_back_to_the_beginning() {
        let first = asked(&["q"]).unwrap();
        let cursor = cursor::write(&first.query, 10);
        let page = asked(&["q", "--cursor", &cursor, "-n", "3"]).unwrap();
        assert_eq!((page.query.offset, page.query.limit, page.notes.len()), (10, 3, 0));
        let other = asked(&["other", "--cursor", &cursor]).unwrap();
        assert_eq!((other.query.offset, other.notes), (0, vec![cursor::Fault::Foreign.note().to_owned()]));
        let garbled = asked(&["q", "--cursor", "-é"]).unwrap();
        assert_eq!((garbled.query.offset, garbled.notes), (0, vec![cursor::Fault::Garbled.note().to_owned()]));
    }

    #[test]
    fn budgets_have_a_least() {
        let least = |line: &[&str]| layout(&typed(line).output).map_err(|e| e.to_string());
        assert_eq!(
            least(&["q", "--budget", "63"]).unwrap_err(),
            "seekwell: not a value for --budget: 63; 64 is the least that holds a hit in this form"
        );
        assert!(least(&["q", "--budget", "64"]).is_ok());
        assert!(least(&["q", "--budget", "64", "--jsonl"]).is_err());
        assert_eq!(
            least(&["q", "--depth", "full", "--budget", "256", "--json"]),
            Ok(Layout { depth: Some(Depth::Full), budget: Some(256) })
        );
    }
}
