//! A question's text -> what is looked for: terms with weights, identifiers, runs of words, and what kind of question it is.

use seekwell_types::{ByteSpan, Mode, Route, RouteKind};

use crate::intent::Kinds;
use crate::message::is_message;
use crate::place::letters;
use crate::platform;
use crate::words::{STOP_WORDS, Terms, whole, words};

/// Words that open the less important rest of a question: "retry policy *for* idempotent requests".
const TURNS: [&str; 27] = [
    "for", "of", "with", "and", "in", "to", "from", "via", "by", "that", "using", "on", "or", "when", "into", "as",
    "at", "before", "after", "without", "between", "is", "are", "inside", "within", "through", "during",
];

/// What a term weighs after the first turn. The laboratory found 0.25 to 1/2 alike and both better than 1.
const AFTER_TURN: f32 = 0.35;

/// How fast weight falls from one content word to the next in the other weighting: 1 / (1 + 0.5 i).
const DECAY: f32 = 0.5;

/// Longest run of words that is tried as one name.
const LONGEST_RUN: usize = 4;

/// Questions longer than this are cut: a pasted file is no question, and each term costs a pass over its postings.
const MOST_WORDS: usize = 64;

/// A term of the question.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryTerm {
    /// The term, as the index has it.
    pub text: String,
    /// Weight by whether it stands before the first turn.
    pub head: f32,
    /// Weight by its place among the content words.
    pub position: f32,
}

/// An identifier in the question.
#[derive(Clone, Debug, PartialEq)]
pub struct Identifier {
    /// As typed.
    pub text: String,
    /// The qualifier before it (`Client` of `Client::send`), empty if none.
    pub container: String,
}

/// A run of consecutive content words.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The words' letters, joined.
    pub joined: String,
    /// How many words.
    pub count: usize,
    /// Their terms, by number in [`Question::terms`].
    pub terms: Vec<u16>,
}

/// A question, understood.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    /// Terms, each once, in the order of their first use.
    pub terms: Vec<QueryTerm>,
    /// Words with their position weights, for the table.
    pub words: Vec<(String, f32)>,
    /// Identifiers.
    pub identifiers: Vec<Identifier>,
    /// Runs of one to four content words.
    pub runs: Vec<Run>,
    /// Whole terms: identifiers of several parts, and runs of words that could be one.
    pub wholes: Vec<String>,
    /// Text to be found as it stands, if the question is or holds such.
    pub literal: Option<String>,
    /// Whether tests are asked for.
    pub asks_tests: bool,
    /// Whether several places are asked for: "formatters for CI systems", "every provider".
    pub asks_many: bool,
    /// Whether a platform is named that few questions mean.
    pub asks_platform: bool,
    /// Kinds of documents and settings that are asked for.
    pub kinds: Kinds,
    /// Its form.
    pub form: Form,
    /// Whether it reads as a message that a program has printed.
    pub is_message: bool,
    /// How many words it has, the most common ones too.
    pub length: usize,
    /// How it was understood.
    pub route: Route,
}

/// The form of a question, which tells code from documents: "how the pool reaps connections" is about code, "may a connection
/// be shared" is answered by a manual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// How something works.
    How,
    /// Which, what, where, whether.
    Fact,
    /// Neither.
    #[default]
    Other,
}

impl Question {
    /// Understands a question. `defined` says whether a symbol of that name exists.
    pub fn new(text: &str, mode: Mode, defined: impl Fn(&str) -> bool) -> Self {
        let text = text.trim();
        let mut question = Self { literal: literal(text), ..Self::default() };
        let bare = symbol_shaped(text);
        question.read_words(text, bare.is_some());
        question.identifiers = identifiers(text, bare, &defined);
        for identifier in &question.identifiers {
            let folded = whole(&identifier.text);
            if !question.wholes.contains(&folded) {
                question.wholes.push(folded);
            }
        }
        question.route = question.routed(mode, bare);
        question
    }

    fn read_words(&mut self, text: &str, symbol: bool) {
        let terms = Terms::default();
        let mut weight = 1.0;
        let mut content: Vec<(&str, Vec<u16>)> = Vec::new();
        let all: Vec<&str> =
            words(text, ByteSpan::new(0, text.len() as u32)).take(MOST_WORDS).map(|span| &text[span.range()]).collect();
        let only_stop_words = all.iter().all(|w| is_stop_word(w));
        for &word in &all {
            let lower = word.to_lowercase();
            // "how to retry": the turn comes after something was said.
            if TURNS.contains(&lower.as_str()) && !content.is_empty() && !symbol {
                weight = AFTER_TURN;
            }
            if is_stop_word(&lower) && !only_stop_words && !symbol {
                continue;
            }
            let position = 1.0 / (1.0 + DECAY * content.len() as f32);
            self.words.push((word.to_owned(), position));
            let mut numbers = Vec::new();
            terms.of_word(word, |term| {
                let known = self.terms.iter().position(|t| t.text == term);
                numbers.push(known.unwrap_or(self.terms.len()) as u16);
                if known.is_none() {
                    self.terms.push(QueryTerm { text: term.to_owned(), head: weight, position });
                }
            });
            if numbers.len() > 1 {
                self.wholes.push(whole(word));
            }
            content.push((word, numbers));
        }
        self.runs_of(&content);
        self.asks_tests = asks_tests(&all);
        self.asks_platform = platform::is_asked_for(&all);
        self.kinds = Kinds::of_question(text);
        self.form = form(&all);
        self.asks_many = self.form == Form::Other && asks_many(&all);
        self.is_message = self.form == Form::Other && is_message(text);
        self.length = all.len();
    }

    fn runs_of(&mut self, content: &[(&str, Vec<u16>)]) {
        for start in 0..content.len() {
            for count in 1..=LONGEST_RUN.min(content.len() - start) {
                let run = &content[start..start + count];
                let joined: String = run.iter().map(|(word, _)| letters(word)).collect();
                if count > 1 && !self.wholes.contains(&joined) {
                    self.wholes.push(joined.clone());
                }
                let terms = run.iter().flat_map(|(_, terms)| terms).copied().collect();
                self.runs.push(Run { joined, count, terms });
            }
        }
    }

    fn routed(&self, mode: Mode, bare: Option<(&str, &str)>) -> Route {
        let route = |kind, why: &str| Route { kind, why: why.to_owned() };
        match mode {
            Mode::Exact => return route(RouteKind::Literal, "exact mode: the text as it stands"),
            Mode::Regex => return route(RouteKind::Regex, "regex mode: a regular expression"),
            Mode::Hybrid | Mode::Keyword | Mode::Semantic => {}
        }
        if let Some((_, name)) = bare
            && !self.identifiers.is_empty()
        {
            return Route { kind: RouteKind::Symbol, why: format!("`{name}` has the shape of an identifier") };
        }
        if self.literal.is_some() {
            return route(RouteKind::Literal, "quoted or punctuated as source text is");
        }
        if let [identifier] = self.identifiers.as_slice()
            && self.words.len() == 1
        {
            return Route { kind: RouteKind::Symbol, why: format!("a symbol `{}` is defined here", identifier.text) };
        }
        if self.is_message {
            return route(RouteKind::Natural, "reads as a message that a program has printed");
        }
        route(RouteKind::Natural, "words without the shape of an identifier or of source text")
    }

    /// Whether it is an identifier.
    pub fn is_symbol(&self) -> bool {
        self.route.kind == RouteKind::Symbol
    }

    /// The weights that apply.
    pub fn weights(&self) -> WeightSet {
        match self.route.kind {
            RouteKind::Symbol => WeightSet::Symbol,
            _ if self.is_message => WeightSet::Message,
            _ => WeightSet::Natural,
        }
    }
}

/// Which of the fitted weights apply to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightSet {
    /// Those for all that is neither of the others.
    Natural,
    /// Those for identifiers.
    Symbol,
    /// Those for messages that a program has printed.
    Message,
}

impl WeightSet {
    /// The name in dumps of signals.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Symbol => "symbol",
            Self::Message => "message",
        }
    }
}

fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word.to_lowercase().as_str()).is_ok()
}

/// The whole question as one identifier, qualifier and name: `a::b`, `a.b`, `a#b`, `a->b`, `name()`.
fn symbol_shaped(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_suffix("()").unwrap_or(text).trim_start_matches('@');
    let is_name = |s: &str| {
        s.starts_with(|c: char| c == '_' || c.is_alphabetic()) && s.chars().all(|c| c == '_' || c.is_alphanumeric())
    };
    let qualified = ["::", "->", ".", "#", "/"].into_iter().find_map(|mark| text.rsplit_once(mark));
    match qualified {
        Some((container, name)) => {
            let last = container.rsplit(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap_or_default();
            let names = container.split(|c: char| c != '_' && !c.is_alphanumeric()).all(|s| s.is_empty() || is_name(s));
            let is_path = text.contains('/');
            (is_name(name) && names && !last.is_empty() && !is_path).then_some((last, name))
        }
        None => (is_name(text) && has_identifier_shape(text)).then_some(("", text)),
    }
}

/// An upper case letter, an underscore between letters, or letters and digits mixed.
fn has_identifier_shape(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let upper = inner.chars().any(char::is_uppercase);
    let mixed = inner.chars().any(|c| c.is_ascii_digit()) && inner.chars().any(char::is_alphabetic);
    upper || inner.contains('_') || mixed || (word.starts_with('_') && !inner.is_empty())
}

/// Identifiers of the question. In a sentence, a bare common word is none, and neither is the capital that begins it:
/// `check` in "how does upgrade check the version" must not bury the right file under every `check()`.
fn identifiers(text: &str, bare: Option<(&str, &str)>, defined: &impl Fn(&str) -> bool) -> Vec<Identifier> {
    if let Some((container, name)) = bare {
        return vec![Identifier { text: name.to_owned(), container: container.to_owned() }];
    }
    let spans: Vec<ByteSpan> = words(text, ByteSpan::new(0, text.len() as u32)).take(MOST_WORDS).collect();
    let mut found: Vec<Identifier> = Vec::new();
    for (i, span) in spans.iter().enumerate() {
        let word = &text[span.range()];
        let rest = &text[span.end as usize..];
        let before = &text[..span.start as usize];
        let capital_only = word.chars().skip(1).all(|c| !c.is_uppercase() && c != '_' && !c.is_ascii_digit());
        let qualified =
            before.ends_with("::") || (before.ends_with('.') && i > 0 && spans[i - 1].end + 1 == span.start);
        let ticked = before.ends_with('`') && rest.starts_with('`');
        let shaped = has_identifier_shape(word) && !(i == 0 && capital_only && spans.len() > 1);
        let called = rest.starts_with("()") || rest.starts_with('!');
        let alone = spans.len() == 1 && defined(word);
        if shaped || qualified || ticked || called || alone {
            let container = if qualified { text[spans[i - 1].range()].to_owned() } else { String::new() };
            if !found.iter().any(|f| f.text == word) {
                found.push(Identifier { text: word.to_owned(), container });
            }
        }
    }
    found
}

/// Text that is meant as it stands: in quotes as a whole, or with punctuation that only source text has.
fn literal(text: &str) -> Option<String> {
    for quote in ['"', '\'', '`'] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote))
            && !inner.trim().is_empty()
            && !inner.contains(quote)
        {
            return Some(inner.to_owned());
        }
    }
    let source = [
        "(", ")", "{", "}", ";", "=", "<", ">", "->", "#define", "#include", "++", "$", "\\", "|", "*", "&&", "[", "]",
    ];
    let is_option = text.starts_with("--") || text.contains(" --");
    let is_version = !text.contains(' ')
        && text.as_bytes().windows(3).any(|w| w[0].is_ascii_digit() && w[1] == b'.' && w[2].is_ascii_digit());
    if !text.is_empty() && words(text, ByteSpan::new(0, text.len() as u32)).next().is_none() {
        return Some(text.to_owned());
    }
    // One word with signs that no name has: `C++`, `left|right`.
    let is_sign = |c: char| c.is_ascii_punctuation() && !"_.:-/'@#?!,".contains(c);
    let is_signed = !text.contains(char::is_whitespace) && !text.ends_with("()") && text.contains(is_sign);
    let asks = text.ends_with('?');
    let called = text.ends_with("()") && !text.contains(' ');
    let marks = source.iter().filter(|mark| text.contains(*mark)).count();
    (!asks && !called && (marks > 0 || is_option || is_version || is_signed) && !text.is_empty())
        .then(|| text.to_owned())
}

fn form(words: &[&str]) -> Form {
    let at = |i: usize| words.get(i).map(|w| w.to_lowercase()).unwrap_or_default();
    match at(0).as_str() {
        // "How to" and "how do I" ask for instructions.
        "how" if !matches!(at(1).as_str(), "to" | "do" | "can" | "should") => Form::How,
        "which" | "what" | "where" | "is" | "are" | "may" | "can" | "does" => Form::Fact,
        _ => Form::Other,
    }
}

/// Whether the words before the first turn end in a plural, or all are asked for.
fn asks_many(words: &[&str]) -> bool {
    let turns = |word: &str| TURNS.contains(&word) || STOP_WORDS.contains(&word);
    let is_all = |word: &&str| ["all", "each", "every"].iter().any(|all| word.eq_ignore_ascii_case(all));
    let is_plural = |word: &str| {
        word.len() > 3
            && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
            && word.ends_with('s')
            && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending))
    };
    let head = words.iter().take_while(|word| !turns(&word.to_lowercase())).last();
    words.iter().any(is_all) || head.is_some_and(|word| is_plural(word))
}

fn asks_tests(words: &[&str]) -> bool {
    let lower: Vec<String> = words.iter().map(|w| w.to_lowercase()).collect();
    let is_test = |w: &str| matches!(w, "test" | "tests" | "spec" | "specs" | "testcase" | "testcases");
    lower.first().is_some_and(|w| matches!(w.as_str(), "tests" | "test" | "specs"))
        && lower.get(1).is_some_and(|w| matches!(w.as_str(), "for" | "of" | "that" | "covering" | "cases" | "case"))
        || lower
            .windows(2)
            .any(|pair| matches!(pair[0].as_str(), "unit" | "integration" | "regression") && is_test(&pair[1]))
        || lower.windows(2).any(|pair| is_test(&pair[0]) && matches!(pair[1].as_str(), "for" | "covering"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(text: &str) -> Question {
        Question::new(text, Mode::Hybrid, |name| name == "select")
    }

    fn kind(text: &str) -> RouteKind {
        ask(text).route.kind
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn one_place_or_many() {
        for text in
            ["formatters for CI systems", "security cops", "every authentication provider", "mail backends, one each"]
        {
            assert!(ask(text).asks_many, "{text}");
        }
        for text in [
            "how locks are taken",
            "connection pool",
            "HttpHeaders",
            "access to users",
            "what does all this do",
            "get_users",
        ] {
            assert!(!ask(text).asks_many, "{text}");
        }
    }

    #[test]
    fn routes() {
        for text in [
            "with_retry",
            "HttpClient",
            "Client::send",
            "self.cache",
            "foo::bar",
            "select",
            "utf8",
            "run()",
            "__init__",
        ] {
            assert_eq!(kind(text), RouteKind::Symbol, "{text}");
        }
        for text in ["retry logic with exponential backoff", "where is the config?", "NOT found", "a-b", "retry"] {
            assert_eq!(kind(text), RouteKind::Natural, "{text}");
        }
        for text in [
            "v1.2.3",
            "\"connection refused\"",
            "--error-on-warnings",
            "#define MAX",
            "foo(bar, 1)",
            "a|b",
            "let x = 1;",
        ] {
            assert_eq!(kind(text), RouteKind::Literal, "{text}");
        }
    }

    #[test]
    fn identifiers_in_sentences() {
        let of = |text: &str| ask(text).identifiers.into_iter().map(|i| i.text).collect::<Vec<_>>();
        assert_eq!(of("how does the upgrade command check the version"), Vec::<String>::new());
        assert_eq!(of("Check how RetryPolicy uses max_retries"), ["RetryPolicy", "max_retries"]);
        assert_eq!(of("what does `select` do"), ["select"]);
        assert_eq!(ask("Client::send").identifiers[0].container, "Client");
    }

    #[test]
    fn head_weights_fall_after_the_first_turn() {
        let terms = ask("retry policy for idempotent requests").terms;
        let heads: Vec<f32> = terms.iter().map(|t| t.head).collect();
        assert_eq!(heads, [1.0, 1.0, AFTER_TURN, AFTER_TURN]);
        assert!(terms[0].position > terms[1].position);
    }

    #[test]
    fn any_text_is_a_question() {
        for text in ["", " ", "?", "the", "\"unbalanced", "((((", "😀", "\u{0}", "a|b", "*", "$x", &"x ".repeat(10_000)]
        {
            ask(text);
        }
        assert_eq!(ask("what is the").terms.len(), 3, "nothing but stop words: they are all there is");
    }
}
