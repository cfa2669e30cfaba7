//! One wildcard pattern against one path, with git's meaning of `*`, `?`, `[…]` and `**`.
//!
//! Written for start-up: a pattern becomes a short list of tokens, there is no regex to compile. Matching never
//! recurses and remembers one place for `*` and one for `**`, so its cost is bounded by text² x pattern whatever
//! the pattern is: a hostile ignore file cannot stall the walk.

/// A pattern with wildcards.
#[derive(Clone, Debug)]
pub(crate) struct Glob(Box<[Token]>);

#[derive(Clone, Debug)]
enum Token {
    /// This byte.
    Byte(u8),
    /// `?`: any byte but `/`.
    Any,
    /// `[…]`: a byte of the set, which never holds `/`.
    Set(Box<Set>),
    /// `*`: any bytes but `/`.
    Star,
    /// `**` up to the end, or before an escaped slash: any bytes.
    Deep,
    /// `**/`: nothing, or whole folders.
    Folders,
}

impl Glob {
    /// Compiles a pattern; `None` if no text can ever match it (a `[` without its `]`, a `\` at the end, an unknown
    /// `[:class:]`). Under `fold` the pattern is put into lower case, and so must be the texts it is asked about.
    pub(crate) fn new(pattern: &[u8], fold: bool) -> Option<Self> {
        let mut tokens = Vec::with_capacity(pattern.len());
        let mut at = 0;
        while let Some(&byte) = pattern.get(at) {
            at += 1;
            tokens.push(match byte {
                b'?' => Token::Any,
                b'[' => Token::Set(Box::new(Set::parse(pattern, &mut at, fold)?)),
                b'*' => star(pattern, &mut at),
                b'\\' => {
                    let escaped = *pattern.get(at)?;
                    at += 1;
                    Token::Byte(folded(escaped, fold))
                }
                _ => Token::Byte(folded(byte, fold)),
            });
        }
        Some(Self(tokens.into()))
    }

    /// Whether the whole text matches.
    pub(crate) fn matches(&self, text: &[u8]) -> bool {
        let (mut token, mut at) = (0, 0);
        // Where to go on after a mismatch: the token behind the wildcard, and the text that it has not swallowed yet.
        // The last wildcard of either kind is enough: what an earlier one could still give up or take, this one can
        // make good for, since a `*` cannot leave its path segment and a `**` may swallow anything.
        let mut star: Option<(usize, usize)> = None;
        let mut deep: Option<(usize, usize, bool)> = None;
        loop {
            match self.0.get(token) {
                Some(Token::Star) => {
                    token += 1;
                    star = Some((token, at));
                    continue;
                }
                Some(kind @ (Token::Deep | Token::Folders)) => {
                    token += 1;
                    star = None;
                    deep = Some((token, at, matches!(kind, Token::Folders)));
                    continue;
                }
                Some(single) => {
                    if let Some(&byte) = text.get(at)
                        && single.takes(byte)
                    {
                        if byte == b'/' {
                            star = None;
                        }
                        token += 1;
                        at += 1;
                        continue;
                    }
                }
                None if at == text.len() => return true,
                None => {}
            }
            if let Some((behind, swallowed)) = star
                && text.get(swallowed).is_some_and(|&byte| byte != b'/')
            {
                (token, at) = (behind, swallowed + 1);
                star = Some((behind, at));
                continue;
            }
            star = None;
            let Some((behind, swallowed, whole_folders)) = deep else { return false };
            let step = if whole_folders {
                memchr::memchr(b'/', &text[swallowed..]).map(|slash| slash + 1)
            } else {
                (swallowed < text.len()).then_some(1)
            };
            let Some(step) = step else { return false };
            (token, at) = (behind, swallowed + step);
            deep = Some((behind, at, whole_folders));
        }
    }
}

impl Token {
    /// Whether a token for one byte takes this one.
    fn takes(&self, byte: u8) -> bool {
        match self {
            Self::Byte(wanted) => *wanted == byte,
            Self::Any => byte != b'/',
            Self::Set(set) => set.has(byte),
            Self::Star | Self::Deep | Self::Folders => false,
        }
    }
}

/// The token for a run of stars whose first one ends at `at`; moves `at` behind what it covers.
fn star(pattern: &[u8], at: &mut usize) -> Token {
    let first = *at - 1;
    while pattern.get(*at) == Some(&b'*') {
        *at += 1;
    }
    let run = *at - first;
    let opens_segment = first == 0 || pattern[first - 1] == b'/';
    match &pattern[*at..] {
        _ if run < 2 || !opens_segment => Token::Star,
        [] | [b'\\', b'/', ..] => Token::Deep,
        [b'/', ..] => {
            *at += 1;
            Token::Folders
        }
        _ => Token::Star,
    }
}

fn folded(byte: u8, fold: bool) -> u8 {
    if fold { byte.to_ascii_lowercase() } else { byte }
}

/// A set of bytes.
#[derive(Clone, Debug, Default)]
struct Set([u64; 4]);

impl Set {
    /// Reads a bracket expression whose `[` ends at `at`; moves `at` behind its `]`.
    fn parse(pattern: &[u8], at: &mut usize, fold: bool) -> Option<Self> {
        let mut set = Self::default();
        let negated = matches!(pattern.get(*at), Some(b'!' | b'^'));
        *at += usize::from(negated);
        let mut low: Option<u8> = None;
        let mut first = true;
        loop {
            let byte = *pattern.get(*at)?;
            *at += 1;
            match byte {
                b']' if !first => break,
                b'-' if low.is_some() && pattern.get(*at).is_some_and(|&next| next != b']') => {
                    let mut high = pattern[*at];
                    *at += 1;
                    if high == b'\\' {
                        high = *pattern.get(*at)?;
                        *at += 1;
                    }
                    set.add(low.take().into_iter().flat_map(|low| low..=high));
                }
                b'[' if pattern.get(*at) == Some(&b':') => {
                    let close = *at + memchr::memchr(b']', &pattern[*at..])?;
                    match pattern[*at + 1..close].strip_suffix(b":") {
                        Some(class) => {
                            set.add(class_members(class)?);
                            *at = close + 1;
                            low = None;
                        }
                        // Not a class after all: the bracket is a member, and so is what follows it.
                        None => low = set.member(b'['),
                    }
                }
                b'\\' => {
                    low = set.member(*pattern.get(*at)?);
                    *at += 1;
                }
                _ => low = set.member(byte),
            }
            first = false;
        }
        if fold {
            let upper = set.clone();
            set.add((b'A'..=b'Z').filter(|&byte| upper.has(byte)).map(|byte| byte.to_ascii_lowercase()));
        }
        if negated {
            set.0 = set.0.map(|bits| !bits);
        }
        set.0[usize::from(b'/' >> 6)] &= !(1 << (b'/' & 63));
        Some(set)
    }

    fn add(&mut self, bytes: impl IntoIterator<Item = u8>) {
        for byte in bytes {
            self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
    }

    /// Adds one byte, and gives it back: it may turn out to begin a range.
    fn member(&mut self, byte: u8) -> Option<u8> {
        self.add([byte]);
        Some(byte)
    }

    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] & (1 << (byte & 63)) != 0
    }
}

/// The members of a POSIX class; `None` if there is no such class.
fn class_members(name: &[u8]) -> Option<Vec<u8>> {
    let belongs: fn(&u8) -> bool = match name {
        b"alnum" => u8::is_ascii_alphanumeric,
        b"alpha" => u8::is_ascii_alphabetic,
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"cntrl" => u8::is_ascii_control,
        b"digit" => u8::is_ascii_digit,
        b"graph" => u8::is_ascii_graphic,
        b"lower" => u8::is_ascii_lowercase,
        b"print" => |byte| matches!(byte, b' '..=b'~'),
        b"punct" => u8::is_ascii_punctuation,
        b"space" => |byte| matches!(byte, b' ' | b'\t'..=b'\r'),
        b"upper" => u8::is_ascii_uppercase,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    };
    Some((0..=127).filter(belongs).collect())
}

#[cfg(test)]
mod tests {
    use super::Glob;
    use proptest::prelude::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Glob::new(pattern.as_bytes(), false).is_some_and(|glob| glob.matches(text.as_bytes()))
    }

    #[test]
    fn wildcards_stay_in_their_segment() {
        for (pattern, text, expected) in [
            ("*.log", "a.log", true),
            ("a/*.log", "a/b/c.log", false),
            ("a/?", "a/b", true),
            ("a?b", "a/b", false),
            ("a[!x]b", "a/b", false),
            ("a*/b", "axx/b", true),
            ("a*/b", "a/x/b", false),
            ("*a*b", "xaxaxb", true),
            ("*/a*b/c", "x/a/b/c", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn double_stars_span_folders() {
        for (pattern, text, expected) in [
            ("**/a", "a", true),
            ("**/a", "x/y/a", true),
            ("**/a", "xa", false),
            ("a/**", "a/b/c", true),
            ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b", true),
            ("a/**/b", "a/xb", false),
            ("a**b", "axxb", true),
            ("a**b", "a/b", false),
            ("**/*.js/**/x*", "p/q.js/r/xy", true),
            ("**/a/**/a/**/b", "a/a/a/c", false),
            ("a/***/b", "a/x/b", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn brackets() {
        for (pattern, text, expected) in [
            ("[]a]", "]", true),
            ("[!]a]", "]", false),
            ("[^a]", "b", true),
            ("[a-c]", "b", true),
            ("[a-]", "-", true),
            ("[\\]]", "]", true),
            ("[[:digit:]x]", "7", true),
            ("[[:digit:]x]", "x", true),
            ("[[:nope:]]", "n", false),
            ("[a", "a", false),
            ("[a", "[a", false),
            ("a\\", "a\\", false),
            ("\\*", "*", true),
            ("\\*", "x", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn case_can_be_folded() {
        let glob = Glob::new(b"RE[A-D]*.MD", true).expect("a valid pattern");
        assert!(glob.matches(b"readme.md"));
    }

    #[test]
    fn no_pattern_takes_exponential_time() {
        let pattern = "**/*a".repeat(30) + "b";
        let text = "a/aaaa".repeat(200);
        assert!(!matches(&pattern, &text));
        assert!(!matches(&"*a".repeat(60), &("a".repeat(2_000) + "b")));
    }

    /// The meaning, said by recursion: slow and plain. `opens` says that a segment of the pattern begins here.
    fn meaning(pattern: &[u8], text: &[u8], opens: bool) -> bool {
        match pattern {
            [] => text.is_empty(),
            [b'*', b'*', b'/', rest @ ..] if opens => {
                let folders = (0..text.len()).filter(|&at| text[at] == b'/');
                meaning(rest, text, true) || folders.into_iter().any(|at| meaning(rest, &text[at + 1..], true))
            }
            [b'*', b'*'] if opens => true,
            [b'*', b'*', rest @ ..] | [b'*', rest @ ..] => (0..=text.len())
                .take_while(|&at| !text[..at].contains(&b'/'))
                .any(|at| meaning(rest, &text[at..], false)),
            [b'?', rest @ ..] => text.first().is_some_and(|&byte| byte != b'/') && meaning(rest, &text[1..], false),
            [byte, rest @ ..] => text.first() == Some(byte) && meaning(rest, &text[1..], *byte == b'/'),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn agrees_with_the_meaning(pattern in "([ab/?]|\\*|\\*\\*|\\*\\*/|/\\*\\*/){0,8}", text in "[ab/]{0,10}") {
            let glob = Glob::new(pattern.as_bytes(), false).expect("no brackets");
            let mut plain = pattern.clone();
            while plain.contains("***") {
                plain = plain.replace("***", "**");
            }
            prop_assert_eq!(glob.matches(text.as_bytes()), meaning(plain.as_bytes(), text.as_bytes(), true));
        }
    }
}
