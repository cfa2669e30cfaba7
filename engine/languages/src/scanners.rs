//! Texts in which a grammar's scanner cannot keep its place.
//!
//! After each of its tokens a scanner writes its state to a buffer of 1,024 bytes that lies within the parser. Of the scanners in
//! this build (their versions are pinned) three can write past its end, or write a length to too few bits and read it back
//! wrongly. Where assertions are compiled in, the process ends; where they are not, as in the component, the parser's own
//! fields are overwritten. So these texts are not parsed. All others were read, too: they give up their state when it is
//! too large (bash, C#, Haskell, HCL, PHP, Scala, SQL), write less of it (HTML), or have one that is always small.
//!
//! The checks are bounds: they look at lines, not at syntax, and rather refuse a text that would have gone well. What they refuse is
//! far from what people write.

/// What there is room for in the buffer: `TREE_SITTER_SERIALIZATION_BUFFER_SIZE` of tree-sitter's `parser.h`.
const STATE: usize = 1_024;

/// tree-sitter-ruby 0.23.1 writes the length of a word that ends a heredoc to one byte.
const LONGEST_HEREDOC_WORD: usize = 255;
/// It checks for two bytes less than it writes, so the buffer may not be filled to its end.
const RUBY_STATE: usize = STATE - 8;
/// What it writes for each open literal.
const RUBY_LITERAL: usize = 5;
/// What it writes for each open heredoc besides its word.
const RUBY_HEREDOC: usize = 4;

/// Whether a text of Ruby has a heredoc whose word is too long, or more heredocs and literals in each other than fit.
pub(crate) fn ruby(text: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    // Braces that are open since the outermost `#{`, and how many of them are such.
    let mut braces: Vec<bool> = Vec::new();
    for line in text.lines() {
        if !open.is_empty() {
            open.retain(|word| *word != line.trim());
        }
        let mut rest = line;
        while let Some(at) = rest.find(['<', '#', '{', '}']) {
            let (mark, after) = (&rest[at..], &rest[at + 1..]);
            rest = after;
            if mark.starts_with("#{") {
                braces.push(true);
                rest = &after[1..];
            } else if mark.starts_with('{') && !braces.is_empty() {
                braces.push(false);
            } else if mark.starts_with('}') {
                braces.pop();
            } else if let Some(after) = mark.strip_prefix("<<") {
                let word = heredoc_word(text, after);
                if word.chars().count() > LONGEST_HEREDOC_WORD {
                    return true;
                }
                if !word.is_empty() {
                    open.push(word);
                }
                rest = after;
            }
        }
        let literals = 1 + braces.iter().filter(|&&interpolation| interpolation).count();
        let heredocs: usize = open.iter().map(|word| word.chars().count() + RUBY_HEREDOC).sum();
        if 2 + literals * RUBY_LITERAL + heredocs > RUBY_STATE {
            return true;
        }
    }
    false
}

/// The word after a `<<` of Ruby, which may be in quotes, and then over several lines.
fn heredoc_word<'t>(text: &'t str, after: &'t str) -> &'t str {
    let after = after.strip_prefix(['-', '~']).unwrap_or(after);
    let quote = after.chars().next().filter(|c| ['"', '\'', '`'].contains(c));
    let Some(quote) = quote else {
        let end = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
        return &after[..end];
    };
    // `after` ends with its line; the word need not.
    let start = after.as_ptr() as usize - text.as_ptr() as usize + 1;
    let word = &text[start..];
    &word[..word.find(quote).unwrap_or(word.len())]
}

/// tree-sitter-python 0.25.0 writes two bytes as long as there is room for one: of more than 510 blocks in each other.
const PYTHON_BLOCKS: usize = 500;

/// Whether lines of a text of Python begin at so many columns that as many blocks could be in each other.
pub(crate) fn python(text: &str) -> bool {
    let mut columns = Columns::default();
    for line in text.split(['\n', '\r', '\x0c']) {
        let blanks = line.bytes().take_while(|b| matches!(b, b' ' | b'\t'));
        columns.add(blanks.map(|b| if b == b'\t' { 8 } else { 1 }).sum());
    }
    columns.count > PYTHON_BLOCKS
}

/// tree-sitter-yaml 0.7.2 writes four bytes as long as there is room for one: of the 254th of collections in each other. A
/// mapping and a sequence can begin at one column.
const YAML_COLUMNS: usize = 253 / 2 - 1;

/// Whether so many columns of a text of YAML could begin a collection that more of them could be in each other than fit.
pub(crate) fn yaml(text: &str) -> bool {
    let mut columns = Columns::default();
    for line in text.split(['\n', '\r']) {
        let (mut column, mut property, mut blank) = (0, false, true);
        for c in line.chars() {
            let begins = blank && !matches!(c, ' ' | '\t');
            blank = matches!(c, ' ' | '\t');
            if begins {
                columns.add(column);
                // Anchors and tags stand before what they belong to.
                property = matches!(c, '&' | '!');
            }
            if !blank && !property && !matches!(c, '-' | '?' | ':') {
                break;
            }
            column += 1;
        }
    }
    columns.count > YAML_COLUMNS
}

/// A set of columns.
#[derive(Default)]
struct Columns {
    seen: Vec<bool>,
    count: usize,
}

impl Columns {
    fn add(&mut self, column: usize) {
        // Scanners count columns in 16 bits.
        let column = column & 0xffff;
        if column >= self.seen.len() {
            self.seen.resize(column + 1, false);
        }
        self.count += usize::from(!std::mem::replace(&mut self.seen[column], true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heredocs_of_ruby() {
        let word = |length: usize| "A".repeat(length);
        let of = |word: &str| format!("x = <<~{word}\n  text #{{1}}\n{word}\ny = 1\n");
        assert!(!ruby(&of(&word(255))));
        assert!(ruby(&of(&word(256))));
        assert!(ruby(&format!("x = <<'{}'\n", "a b\n".repeat(80))));
        // One after the other are not open at once.
        assert!(!ruby(&of("SQL").repeat(1_000)));
        assert!(ruby(&format!("f({})\n", "<<A1234567, ".repeat(100))));
        assert!(ruby(&"\"#{".repeat(300)));
        assert!(!ruby("class << self\n  list << item\n  \"#{ {a: 1}.to_s }\"\nend\n"));
    }

    #[test]
    fn blocks_of_python() {
        let nested = |levels: usize| -> String { (0..levels).map(|n| format!("{}if x:\n", " ".repeat(n))).collect() };
        assert!(!python(&nested(400)));
        assert!(python(&nested(512)));
        assert!(!python(&"\tif x:\n".repeat(1_000)));
    }

    #[test]
    fn collections_of_yaml() {
        assert!(yaml(&format!("{}a\n", "- ".repeat(254))));
        assert!(yaml(&(0..254).map(|n| format!("{}a:\n", " ".repeat(n))).collect::<String>()));
        assert!(!yaml(&(0..100).map(|n| format!("{}a: [1, 2, 3] - - -\n", " ".repeat(n))).collect::<String>()));
        assert!(!yaml(&format!("a: {}\n", "- ".repeat(300))));
    }
}
