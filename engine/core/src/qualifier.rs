//! What stands before a name, and what a type or a value comes down to: short paths, read off the text.
//!
//! A *path* is what an expression comes to without arguments: `self.inner`, `Client::new()`, `os.path`, `?` for what
//! cannot be said. Segments are joined by `.` or `::`, as written (`->`, `?.`, `&.` and Lua's `:` are `.`, `\` is
//! `::`), and a segment that is called ends with `()`. The text is enough for that in every language, so no grammar
//! needs to say how its member expressions are built.

/// Where a receiver is looked for, in bytes before the name: longer chains are no evidence any more.
const REACH: usize = 600;

/// Segments that a path has at most; what stands further left is `?`.
const SEGMENTS: usize = 6;

/// A path that cannot be said.
pub const UNKNOWN: &str = "?";

/// Wrappers that hand on the methods of what they hold, or that hold one thing which is meant: a value of
/// `Arc<Client>` is a `Client` to whoever calls it.
const WRAPPERS: [&str; 34] = [
    "Annotated",
    "Arc",
    "Awaitable",
    "Box",
    "ClassVar",
    "Cow",
    "Final",
    "Guard",
    "Lazy",
    "LazyLock",
    "ManuallyDrop",
    "Mutex",
    "MutexGuard",
    "NonNull",
    "OnceCell",
    "OnceLock",
    "Option",
    "Optional",
    "Partial",
    "Pin",
    "Promise",
    "Rc",
    "Readonly",
    "Ref",
    "RefCell",
    "RefMut",
    "Required",
    "Result",
    "RwLock",
    "Type",
    "Weak",
    "shared_ptr",
    "type",
    "unique_ptr",
];

/// Words before a type or a value that are none of its name.
const MARKS: [&str; 26] = [
    "&",
    "*",
    "mut ",
    "const ",
    "dyn ",
    "impl ",
    "ref ",
    "final ",
    "readonly ",
    "static ",
    "struct ",
    "await ",
    "yield ",
    "return ",
    "?",
    "...",
    "..",
    "@",
    "volatile ",
    "unsigned ",
    "var ",
    "let ",
    "in ",
    "out ",
    "inout ",
    "typeof ",
];

/// The path before the name that starts at `name`, not looking past `floor`; empty if there is none.
pub fn receiver(text: &[u8], name: usize, floor: usize) -> String {
    let floor = floor.max(name.saturating_sub(REACH));
    let mut scan = Backward { text, at: name, floor };
    let mut parts: Vec<String> = Vec::new();
    while let Some(separator) = scan.separator() {
        if parts.len() / 2 == SEGMENTS {
            parts.push(separator.to_owned());
            parts.push(UNKNOWN.to_owned());
            break;
        }
        let segment = scan.segment();
        // Rust's `.await` is no member.
        if segment == "await" && separator == "." {
            continue;
        }
        parts.push(separator.to_owned());
        let known = segment != UNKNOWN;
        parts.push(segment);
        if !known {
            break;
        }
    }
    // Separators stand behind the segments; the last one is before the name itself.
    let mut path = String::new();
    for (at, pair) in parts.chunks(2).rev().enumerate() {
        let separator = parts.len() / 2 - 1 - at;
        path.push_str(&pair[1]);
        if separator > 0 || pair[0] == "::" {
            path.push_str(&pair[0]);
        }
    }
    path
}

/// What a definition's name is declared on: what stands before it, or the receiver in parentheses as Go has it.
pub fn owner(text: &[u8], name: usize, floor: usize) -> String {
    let path = receiver(text, name, floor);
    if !path.is_empty() {
        return path.trim_end_matches(':').to_owned();
    }
    let before = text.get(floor..name).unwrap_or_default().trim_ascii_end();
    let Some(inner) = before.strip_prefix(b"func").map(<[u8]>::trim_ascii_start).and_then(|b| b.strip_prefix(b"("))
    else {
        return String::new();
    };
    let Some(inner) = inner.strip_suffix(b")").and_then(|inner| std::str::from_utf8(inner).ok()) else {
        return String::new();
    };
    type_path(inner.trim().rsplit_once(' ').map_or(inner, |(_, of)| of))
}

struct Backward<'a> {
    text: &'a [u8],
    /// What is before this place is still to be read.
    at: usize,
    floor: usize,
}

impl Backward<'_> {
    fn last(&self) -> Option<u8> {
        (self.at > self.floor).then(|| self.text[self.at - 1])
    }

    fn skip_space(&mut self) {
        while self.last().is_some_and(|b| b.is_ascii_whitespace()) {
            self.at -= 1;
        }
    }

    fn ends_with(&self, mark: &[u8]) -> bool {
        self.at >= self.floor + mark.len() && self.text[self.at - mark.len()..self.at] == *mark
    }

    /// Passes over what joins a name to what is before it.
    fn separator(&mut self) -> Option<&'static str> {
        let start = self.at;
        self.skip_space();
        for (mark, as_written) in [
            ("!!.", "."),
            ("?.", "."),
            ("&.", "."),
            ("!.", "."),
            ("?->", "."),
            ("->", "."),
            ("::", "::"),
            (".", "."),
            ("\\", "::"),
        ] {
            if self.ends_with(mark.as_bytes()) {
                self.at -= mark.len();
                // A range or a spread; a path from the root.
                let from_root = mark == "\\" && !self.last().is_some_and(is_word);
                if from_root || mark == "." && self.last() == Some(b'.') {
                    break;
                }
                return Some(as_written);
            }
        }
        // Lua's `object:method`, and nothing else that has a colon: no space on either side.
        if self.at == start && self.ends_with(b":") && self.at > self.floor + 1 && is_word(self.text[self.at - 2]) {
            self.at -= 1;
            return Some(".");
        }
        self.at = start;
        None
    }

    /// The name before a separator, with `()` if it is called.
    fn segment(&mut self) -> String {
        self.skip_space();
        let mut called = false;
        loop {
            match self.last() {
                Some(b'?' | b'!') => self.at -= 1,
                Some(b')') if !called => {
                    called = true;
                    if !self.balanced(b'(', b')') {
                        return UNKNOWN.to_owned();
                    }
                    self.skip_space();
                }
                Some(b'>') if self.balanced(b'<', b'>') => {
                    // The turbofish: `collect::<Vec<_>>()`.
                    if self.ends_with(b"::") {
                        self.at -= 2;
                    }
                }
                Some(byte) if is_word(byte) => break,
                _ => return UNKNOWN.to_owned(),
            }
        }
        let end = self.at;
        while self.last().is_some_and(is_word) {
            self.at -= 1;
        }
        let Ok(name) = std::str::from_utf8(&self.text[self.at..end]) else { return UNKNOWN.to_owned() };
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            return UNKNOWN.to_owned();
        }
        if called { format!("{name}()") } else { name.to_owned() }
    }

    /// Passes over a bracket and all inside it. Brackets in strings can mislead it; then it ends at the floor.
    fn balanced(&mut self, open: u8, close: u8) -> bool {
        let start = self.at;
        let mut depth = 0;
        while let Some(byte) = self.last() {
            self.at -= 1;
            // `->` and `=>` are no brackets.
            let arrow = byte == b'>' && close == b'>' && matches!(self.last(), Some(b'-' | b'='));
            if byte == close && !arrow {
                depth += 1;
            } else if byte == open {
                depth -= 1;
                if depth == 0 {
                    return true;
                }
            }
        }
        self.at = start;
        false
    }
}

/// What a type comes down to: `&mut Arc<Mutex<net::Client>>` is `net::Client`; empty if it names nothing.
pub fn type_path(text: &str) -> String {
    let mut text = bare(text);
    // Each round takes one wrapper off; types nest as deep as somebody writes.
    for _ in 0..6 {
        // `A | None`, `A | undefined`, `A?`, `dyn A + Send`.
        if let Some(first) = alternatives(text).find(|part| !is_nothing(part)) {
            text = bare(first);
        }
        let (head, inner) = match text.find(['<', '[']) {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let name = last_segment(head);
        match inner {
            Some(inner) if WRAPPERS.contains(&name) => {
                let end = first_argument(inner);
                text = bare(&inner[..end]);
            }
            _ => {
                let path: String = path_prefix(head);
                return path;
            }
        }
    }
    String::new()
}

/// What a value comes down to: `Client::new(url)?` is `Client::new()`, `new Client(url)` and `&Client{}` are `Client`;
/// empty if nothing can be said.
pub fn value_path(text: &str) -> String {
    let text = text.trim_start();
    for keyword in ["new ", "box "] {
        if let Some(made) = text.strip_prefix(keyword) {
            return path_prefix(made);
        }
    }
    let text = unmarked(text);
    if let Some(made) = text.strip_prefix("new ") {
        return path_prefix(made);
    }
    let mut path = String::new();
    let mut rest = text;
    loop {
        let name_end = rest.find(|c: char| !is_name_char(c)).unwrap_or(rest.len());
        let name = &rest[..name_end];
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return String::new();
        }
        rest = &rest[name_end..];
        path.push_str(name);
        // `Vec::<T>::new()`, `List<T>()`
        let mut generic = rest.strip_prefix("::<").or_else(|| rest.strip_prefix('<'));
        if let Some(inner) = generic.take() {
            let Some(end) = closing(inner, b'<', b'>') else { return String::new() };
            rest = &inner[end + 1..];
        }
        let after = rest.trim_start();
        if let Some(inner) = rest.strip_prefix('(').or_else(|| after.strip_prefix('(')) {
            let Some(end) = closing(inner, b'(', b')') else { return String::new() };
            // `Arc::new(Client::new())` is a client to whoever calls it.
            if path.strip_suffix("::new").is_some_and(|wrapper| WRAPPERS.contains(&wrapper)) {
                return value_path(&inner[..end]);
            }
            path.push_str("()");
            rest = &inner[end + 1..];
        } else if after.starts_with('{') {
            // A literal of the type: what is inside does not matter.
            return path;
        }
        rest = rest.trim_start().trim_start_matches(['?', '!']);
        let joined = [("::", "::"), ("?.", "."), ("->", "."), (".", "."), ("\\", "::")]
            .iter()
            .find_map(|(mark, separator)| Some((rest.strip_prefix(mark)?, *separator)));
        match joined {
            Some((after, separator)) => {
                rest = after.trim_start();
                if rest.strip_prefix("await").is_some_and(|r| !r.starts_with(is_name_char)) {
                    rest = rest["await".len()..].trim_start().trim_start_matches('?');
                    let Some(next) = rest.strip_prefix('.') else {
                        return if rest.is_empty() { path } else { String::new() };
                    };
                    rest = next.trim_start();
                }
                path.push_str(separator);
            }
            // `a + b` is neither a nor b.
            None if rest.is_empty() || rest.starts_with([';', ',', ')', '\n']) => return path,
            None => return String::new(),
        }
        if path.len() > 120 {
            return String::new();
        }
    }
}

/// The segments of a path with what follows each: `("Client", "::")`, `("new()", "")`.
pub fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split("::").flat_map(|part| part.split('.')).filter(|part| !part.is_empty())
}

/// The last segment of a path.
pub fn last_segment(path: &str) -> &str {
    let at = path.rfind(['.', ':', '\\', '/']).map_or(0, |at| at + 1);
    path[at..].trim()
}

/// A text without the marks before and behind it.
fn bare(text: &str) -> &str {
    unmarked(text).trim_end_matches(['?', '!', '"', '\'', '*', '&', ' ', ')'])
}

/// A text without the marks before it.
fn unmarked(text: &str) -> &str {
    let mut text = text.trim().trim_start_matches([':', '=', '(', '"', '\'']).trim_start();
    loop {
        // A lifetime: `&'a mut T`.
        if let Some(rest) = text.strip_prefix('\'') {
            text = rest.trim_start_matches(is_name_char).trim_start();
            continue;
        }
        match MARKS.iter().find_map(|mark| text.strip_prefix(mark)) {
            Some(rest) => text = rest.trim_start(),
            None => return text,
        }
    }
}

/// The parts of a union or of bounds.
fn alternatives(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    text.split(move |c: char| {
        match c {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(c, '|' | '+')
    })
    .map(str::trim)
}

fn is_nothing(part: &str) -> bool {
    part.is_empty() || ["None", "null", "undefined", "nil", "void", "false"].contains(&part)
}

/// Where the first argument of a list ends.
fn first_argument(text: &str) -> usize {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'[' | b'(' => depth += 1,
            b'>' | b']' | b')' if depth == 0 => return at,
            b'>' | b']' | b')' => depth -= 1,
            b',' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// Where the bracket closes that was opened before the text.
fn closing(text: &str, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0;
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        if byte == open {
            depth += 1;
        } else if byte == close && !(close == b'>' && at > 0 && matches!(bytes[at - 1], b'-' | b'=')) {
            if depth == 0 {
                return Some(at);
            }
            depth -= 1;
        }
    }
    None
}

/// The path that a text begins with.
fn path_prefix(text: &str) -> String {
    let text = text.trim_start();
    let end = text.find(|c: char| !(is_name_char(c) || matches!(c, '.' | ':' | '\\'))).unwrap_or(text.len());
    let path = text[..end].trim_end_matches([':', '.', '\\']).trim_start_matches([':', '\\']);
    if path.starts_with(|c: char| c.is_ascii_digit()) || path.len() > 120 {
        return String::new();
    }
    path.replace('\\', "::")
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '@')
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@') || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        let at = text.rfind("f(").expect("a call of f");
        receiver(text.as_bytes(), at, 0)
    }

    #[test]
    fn receivers_in_any_language() {
        for (text, path) in [
            ("f()", ""),
            ("a.f()", "a"),
            ("self.inner.f()", "self.inner"),
            ("Client::f()", "Client::"),
            ("a::b::f()", "a::b::"),
            ("Client::new(x, (y)).f()", "Client::new()"),
            ("Vec::<Option<T>>::new().f()", "Vec::new()"),
            ("a\n    .b()?\n    .f()", "a.b()"),
            ("x.read().await?.f()", "x.read()"),
            ("$this->f()", "$this"),
            ("App\\Models\\f()", "App::Models::"),
            ("@store&.f()", "@store"),
            ("return \\f()", ""),
            ("object:f()", "object"),
            ("user?.name!!.f()", "user.name"),
            ("list[0].f()", "?"),
            ("\"text\".f()", "?"),
            ("(a + b).f()", "?"),
            ("x = {a: f()}", ""),
            ("0..f()", ""),
            ("return f()", ""),
            ("é.f()", "é"),
            ("a.b.c.d.e.g.h.f()", "?.b.c.d.e.g.h"),
            ("))).f()", "?"),
        ] {
            assert_eq!(of(text), path, "{text}");
        }
    }

    #[test]
    fn owners() {
        for (text, path) in [
            ("func (c *Client) f()", "Client"),
            ("func (Client) f()", "Client"),
            ("func (l List[T]) f()", "List"),
            ("func f()", ""),
            ("void net::Client::f()", "net::Client"),
            ("fun Client.f()", "Client"),
            ("function M:f()", "M"),
            ("fn f()", ""),
        ] {
            assert_eq!(owner(text.as_bytes(), text.rfind("f(").expect("f"), 0), path, "{text}");
        }
    }

    #[test]
    fn types_come_down_to_a_path() {
        for (text, path) in [
            ("Client", "Client"),
            ("&'a mut Arc<Mutex<net::Client>>", "net::Client"),
            (": Optional[Client]", "Client"),
            ("\"Client\"", "Client"),
            ("None | app.Client", "app.Client"),
            ("*gin.Context", "gin.Context"),
            ("Client?", "Client"),
            ("Box<dyn Handler + Send>", "Handler"),
            ("List<Client>", "List"),
            ("const std::unique_ptr<Client>&", "Client"),
            ("\\App\\Client", "App::Client"),
            ("(A, B)", "A"),
            ("[]", ""),
            ("", ""),
        ] {
            assert_eq!(type_path(text), path, "{text}");
        }
    }

    #[test]
    fn values_come_down_to_a_path() {
        for (text, path) in [
            ("Client::new(url)?", "Client::new()"),
            ("new Client(url)", "Client"),
            ("Arc::new(Mutex::new(Client::new()))", "Client::new()"),
            ("&Client{url: x}", "Client"),
            ("Client(url)", "Client()"),
            ("await open_client(a, (b))", "open_client()"),
            ("open().await?", "open()"),
            ("self.inner", "self.inner"),
            ("gin.New()", "gin.New()"),
            ("a + b", ""),
            ("1", ""),
            ("[a, b]", ""),
            ("\"text\"", ""),
            ("", ""),
        ] {
            assert_eq!(value_path(text), path, "{text}");
        }
    }
}
