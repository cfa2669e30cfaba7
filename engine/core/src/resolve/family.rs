//! What languages have in common when names are looked up.

/// Languages whose files can use each other's names, with one set of rules for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Rust.
    Rust,
    /// Python, and notebooks.
    Python,
    /// JavaScript, TypeScript, and what embeds them.
    Ecma,
    /// Go.
    Go,
    /// Java, Kotlin, Scala.
    Jvm,
    /// C#.
    CSharp,
    /// C and C++.
    C,
    /// PHP.
    Php,
    /// Ruby.
    Ruby,
    /// Swift.
    Swift,
    /// Dart.
    Dart,
    /// Elixir.
    Elixir,
    /// Haskell.
    Haskell,
    /// Lua.
    Lua,
    /// Shell.
    Bash,
    /// Zig.
    Zig,
    /// HCL.
    Hcl,
    /// Whatever else has definitions: Protocol Buffers, SQL, Nix.
    Other,
    /// Prose and data: their headings and keys are no names that code uses.
    None,
}

impl Family {
    /// The family of a language id.
    pub fn of(language: &str) -> Self {
        match language {
            "rust" => Self::Rust,
            "python" | "jupyter" | "notebook" => Self::Python,
            "javascript" | "typescript" | "tsx" | "jsx" | "vue" | "svelte" | "astro" => Self::Ecma,
            "go" => Self::Go,
            "java" | "kotlin" | "scala" => Self::Jvm,
            "c-sharp" => Self::CSharp,
            "c" | "cpp" => Self::C,
            "php" => Self::Php,
            "ruby" => Self::Ruby,
            "swift" => Self::Swift,
            "dart" => Self::Dart,
            "elixir" => Self::Elixir,
            "haskell" => Self::Haskell,
            "lua" => Self::Lua,
            "bash" => Self::Bash,
            "zig" => Self::Zig,
            "hcl" => Self::Hcl,
            "proto" | "sql" | "nix" => Self::Other,
            _ => Self::None,
        }
    }

    /// Whether a bare name can be a member of the type around it.
    pub fn implicit_self(self) -> bool {
        matches!(self, Self::Jvm | Self::CSharp | Self::C | Self::Ruby | Self::Swift | Self::Dart)
    }

    /// Whether files of one folder see each other's names without importing them.
    pub fn package(self) -> bool {
        matches!(self, Self::Go | Self::Jvm | Self::CSharp | Self::Swift | Self::Php | Self::Hcl | Self::Ruby)
    }

    /// Whether a bare name that is neither defined here nor imported cannot be one of the tree's.
    pub fn strict(self) -> bool {
        matches!(self, Self::Rust | Self::Python | Self::Ecma | Self::Go)
    }

    /// Whether an import without a list of names brings all of them.
    pub fn imports_all(self) -> bool {
        matches!(
            self,
            Self::C | Self::Bash | Self::Ruby | Self::Dart | Self::Swift | Self::CSharp | Self::Haskell | Self::Other
        )
    }
}

/// Members that values of the language's own types have: with nothing known of the receiver, one of these names says
/// nothing of the tree, even if only one definition in it has the name.
///
/// Compiled from the documentation of each language's strings, lists, maps, options, futures and streams.
const COMMON: &[&str] = &[
    "Add",
    "Any",
    "Clear",
    "Close",
    "Contains",
    "ContainsKey",
    "Count",
    "Dispose",
    "Equals",
    "Error",
    "First",
    "Format",
    "Get",
    "GetHashCode",
    "Invoke",
    "Join",
    "Len",
    "Read",
    "Remove",
    "Replace",
    "Select",
    "Set",
    "Split",
    "String",
    "ToArray",
    "ToList",
    "ToString",
    "Trim",
    "Unwrap",
    "Where",
    "Write",
    "abs",
    "accept",
    "add",
    "addAll",
    "all",
    "and",
    "and_then",
    "any",
    "append",
    "apply",
    "as_bytes",
    "as_mut",
    "as_ref",
    "as_slice",
    "as_str",
    "assign",
    "await",
    "begin",
    "bind",
    "borrow",
    "borrow_mut",
    "build",
    "bytes",
    "c_str",
    "call",
    "capacity",
    "catch",
    "ceil",
    "chain",
    "charAt",
    "chars",
    "clear",
    "clone",
    "cloned",
    "close",
    "cmp",
    "collect",
    "compare",
    "compareTo",
    "concat",
    "contains",
    "containsKey",
    "contains_key",
    "copied",
    "copy",
    "count",
    "create",
    "data",
    "decode",
    "default",
    "delete",
    "deref",
    "done",
    "drain",
    "drop",
    "each",
    "empty",
    "encode",
    "end",
    "endsWith",
    "ends_with",
    "entries",
    "entry",
    "enumerate",
    "eq",
    "equals",
    "erase",
    "err",
    "error",
    "every",
    "exists",
    "expect",
    "extend",
    "fetch",
    "fill",
    "filter",
    "filter_map",
    "find",
    "first",
    "flatMap",
    "flat_map",
    "flatten",
    "floor",
    "flush",
    "fmt",
    "fold",
    "forEach",
    "for_each",
    "format",
    "freeze",
    "from",
    "front",
    "get",
    "getClass",
    "getOrDefault",
    "get_mut",
    "group",
    "groups",
    "has",
    "hasNext",
    "hash",
    "hashCode",
    "id",
    "includes",
    "index",
    "indexOf",
    "info",
    "init",
    "insert",
    "into",
    "into_iter",
    "invoke",
    "isEmpty",
    "is_empty",
    "is_err",
    "is_none",
    "is_ok",
    "is_some",
    "items",
    "iter",
    "iter_mut",
    "iterator",
    "join",
    "keys",
    "kill",
    "last",
    "len",
    "length",
    "let",
    "lines",
    "list",
    "load",
    "lock",
    "log",
    "lower",
    "map",
    "map_err",
    "match",
    "max",
    "merge",
    "min",
    "name",
    "ne",
    "next",
    "nth",
    "ok",
    "ok_or",
    "on",
    "open",
    "or_else",
    "parse",
    "peek",
    "poll",
    "pop",
    "pop_back",
    "position",
    "print",
    "println",
    "push",
    "push_back",
    "push_str",
    "put",
    "read",
    "recv",
    "reduce",
    "remove",
    "replace",
    "reset",
    "resize",
    "retain",
    "reverse",
    "run",
    "save",
    "send",
    "set",
    "shift",
    "size",
    "skip",
    "slice",
    "some",
    "sort",
    "spawn",
    "split",
    "start",
    "startsWith",
    "starts_with",
    "stop",
    "strip",
    "sub",
    "substring",
    "swap",
    "take",
    "test",
    "then",
    "toString",
    "to_owned",
    "to_string",
    "to_vec",
    "trim",
    "unwrap",
    "unwrap_or",
    "update",
    "upper",
    "use",
    "value",
    "values",
    "wait",
    "wake",
    "with",
    "write",
    "write_all",
    "zip",
];

/// Members of Rust's wrappers that hand out what is in them, or a copy of it.
const TRANSPARENT: &[&str] = &[
    "as_deref",
    "as_deref_mut",
    "as_mut",
    "as_ref",
    "blocking_lock",
    "borrow",
    "borrow_mut",
    "clone",
    "cloned",
    "deref",
    "deref_mut",
    "expect",
    "get_mut",
    "into_inner",
    "lock",
    "read",
    "to_owned",
    "unwrap",
    "unwrap_or_default",
    "write",
];

/// Whether a value stays what it is under a member that its type does not have itself.
pub fn is_transparent(name: &str) -> bool {
    TRANSPARENT.binary_search(&name).is_ok()
}

/// Whether values of the language's own types have a member of this name.
pub fn is_common(name: &str) -> bool {
    COMMON.binary_search(&name).is_ok()
}

/// The words for the value or type that a member is of.
pub fn is_self(word: &str) -> bool {
    matches!(word, "self" | "this" | "Self" | "$this" | "cls" | "static" | "@" | "__MODULE__")
}

/// The words for the types above the one that a member is of.
pub fn is_super(word: &str) -> bool {
    matches!(word, "super" | "super()" | "parent" | "base")
}

/// The path of what a function returns, and of the second of two values, read off its signature; empty if it does not say,
/// or if it was cut.
pub fn returned(signature: &str, name: &str, family: Family) -> (String, String) {
    let nothing = (String::new(), String::new());
    if signature.ends_with('…') {
        return nothing;
    }
    let Some(at) = signature.find(name) else { return nothing };
    let after = &signature[at + name.len()..];
    let text = match family {
        Family::Rust | Family::Python | Family::Swift => after.rsplit_once("->").map_or("", |(_, of)| of),
        Family::Ecma | Family::Php => {
            after_parameters(after).and_then(|rest| rest.trim().strip_prefix(':')).unwrap_or("")
        }
        Family::Go => after_parameters(after).unwrap_or(""),
        // Kotlin and Scala write the type behind, Java before.
        Family::Jvm => match after_parameters(after).map(str::trim).and_then(|rest| rest.strip_prefix(':')) {
            Some(rest) => rest,
            None => before(signature, at),
        },
        Family::CSharp | Family::C | Family::Dart => before(signature, at),
        _ => "",
    };
    // `(Client, error)`, and in Go `(c *Client, err error)`: each without its name.
    let text = text.trim().split(" where ").next().unwrap_or_default();
    let pair = matches!(family, Family::Go | Family::Rust) && text.starts_with('(');
    let text = if pair { &text[1..] } else { text };
    let path = |text: &str| {
        let text = text[..first_of_list(text)].trim();
        let bare = if family == Family::Go { text.rsplit_once(' ').map_or(text, |(_, of)| of) } else { text };
        crate::qualifier::type_path(bare)
    };
    let second = if pair { text.get(first_of_list(text) + 1..).map_or(String::new(), path) } else { String::new() };
    (path(text), second)
}

fn before(signature: &str, at: usize) -> &str {
    let text = signature[..at].trim_end();
    let from = text.rfind(|c: char| c.is_whitespace()).map_or(0, |space| space + 1);
    &text[from..]
}

/// What follows the list of parameters, behind the type parameters.
fn after_parameters(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    let open = text.find('(')?;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return text.get(at + 1..);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where the first of several ends that are separated by commas.
fn first_of_list(text: &str) -> usize {
    let mut depth = 0i32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'<' => depth += 1,
            b')' | b']' | b'>' => depth -= 1,
            b',' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_names_are_sorted() {
        assert!(COMMON.is_sorted(), "{:?}", COMMON.windows(2).find(|pair| pair[0] > pair[1]));
        assert!(TRANSPARENT.is_sorted());
        assert!(is_common("unwrap") && !is_common("with_retry"));
    }

    #[test]
    fn seconds() {
        let of = |signature, family| returned(signature, "f", family).1;
        assert_eq!(of("fn f<T>() -> (Sender<T>, Receiver<T>)", Family::Rust), "Receiver");
        assert_eq!(of("func f() (a A, err error)", Family::Go), "error");
        assert_eq!(of("fn f() -> Client", Family::Rust), "");
    }

    #[test]
    fn returns() {
        for (signature, name, family, path) in [
            ("pub fn new(a: u32) -> Result<Self, E>", "new", Family::Rust, "Self"),
            ("fn run(f: impl Fn() -> u32)", "run", Family::Rust, "u32"),
            ("def get(self) -> Optional[\"Client\"]", "get", Family::Python, "Client"),
            ("async get(url: string): Promise<Client>", "get", Family::Ecma, "Client"),
            ("func (s *Store) Get(k K) (*Item, error)", "Get", Family::Go, "Item"),
            ("func Make(w W) (c *Context, r *Engine)", "Make", Family::Go, "Context"),
            ("func New() *Engine", "New", Family::Go, "Engine"),
            ("func run()", "run", Family::Go, ""),
            ("public static Client create(String url)", "create", Family::Jvm, "Client"),
            ("fun create(url: String): Client", "create", Family::Jvm, "Client"),
            ("public function get(): ?Client", "get", Family::Php, "Client"),
            ("Client* make(int a)", "make", Family::C, "Client"),
            ("pub fn channel<T>() -> (Sender<T>, Receiver<T>)", "channel", Family::Rust, "Sender"),
            ("fn cut(a: u32…", "cut", Family::Rust, ""),
        ] {
            assert_eq!(returned(signature, name, family).0, path, "{signature}");
        }
    }
}
