//! Names from closed lists (languages, kinds): checked, canonical, with the nearest ones for a slip.

pub use seekwell_settings::nearest;

use crate::session::LanguageInfo;

use super::error::Error;

/// Kinds that a hit can have. `SymbolKind` in engine/core is the source, apart from `text`, which is what has no symbol.
pub const KINDS: [&str; 15] = [
    "module",
    "class",
    "interface",
    "enum",
    "type",
    "impl",
    "function",
    "method",
    "constructor",
    "macro",
    "field",
    "variable",
    "test",
    "section",
    "text",
];

/// What users of one language call a kind that all languages share.
const OTHER_WORDS: [(&str, &str); 20] = [
    ("fn", "function"),
    ("func", "function"),
    ("def", "function"),
    ("struct", "class"),
    ("record", "class"),
    ("object", "class"),
    ("trait", "interface"),
    ("protocol", "interface"),
    ("union", "enum"),
    ("alias", "type"),
    ("namespace", "module"),
    ("package", "module"),
    ("mod", "module"),
    ("property", "field"),
    ("attribute", "field"),
    ("const", "variable"),
    ("constant", "variable"),
    ("static", "variable"),
    ("heading", "section"),
    ("ctor", "constructor"),
];

/// The kinds that `typed` names, each once, in the order typed.
pub fn kinds(typed: &[String]) -> Result<Vec<String>, Error> {
    let one = |word: &str| {
        let word = word.to_lowercase();
        let shared = OTHER_WORDS.iter().find(|(other, _)| *other == word).map_or(word.as_str(), |(_, kind)| kind);
        KINDS.iter().find(|kind| **kind == shared).map(|kind| (*kind).to_owned())
    };
    resolve(typed, one, |word| Error::UnknownKind { word: word.to_owned(), nearest: nearest(word, KINDS) })
}

/// The ids of the languages that `typed` names by id, other name or extension, each once, in the order typed.
pub fn languages(typed: &[String], known: &[LanguageInfo]) -> Result<Vec<String>, Error> {
    let one = |word: &str| {
        let is = |name: &String| name.eq_ignore_ascii_case(word.trim_start_matches('.'));
        let by_id = known.iter().find(|l| is(&l.id));
        let by_name = || known.iter().find(|l| is(&l.name) || l.aliases.iter().any(is));
        let by_extension = || known.iter().find(|l| l.extensions.iter().any(is));
        by_id.or_else(by_name).or_else(by_extension).map(|l| l.id.clone())
    };
    resolve(typed, one, |word| {
        let names = known.iter().flat_map(|l| std::iter::once(&l.id).chain(&l.aliases)).map(String::as_str);
        Error::UnknownLanguage { word: word.to_owned(), nearest: nearest(word, names) }
    })
}

fn resolve(
    typed: &[String],
    one: impl Fn(&str) -> Option<String>,
    unknown: impl Fn(&str) -> Error,
) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for word in typed.iter().map(|word| word.trim()).filter(|word| !word.is_empty()) {
        let name = one(word).ok_or_else(|| unknown(word))?;
        if !found.contains(&name) {
            found.push(name);
        }
    }
    Ok(found)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn some_languages() -> Vec<LanguageInfo> {
        let row = |id: &str, name: &str, aliases: &[&str], extensions: &[&str]| LanguageInfo {
            id: id.to_owned(),
            name: name.to_owned(),
            aliases: aliases.iter().map(|s| (*s).to_owned()).collect(),
            extensions: extensions.iter().map(|s| (*s).to_owned()).collect(),
        };
        vec![
            row("c-sharp", "C#", &["csharp"], &["cs"]),
            row("python", "Python", &["py"], &["py", "pyi"]),
            row("rust", "Rust", &[], &["rs"]),
        ]
    }

    fn words(list: &[&str]) -> Vec<String> {
        list.iter().map(|s| (*s).to_owned()).collect()
    }

    #[test]
    fn languages_by_id_name_alias_and_extension() {
        let known = some_languages();
        let typed = words(&["RS", "c#", "py", "python", "", ".cs"]);
        assert_eq!(languages(&typed, &known).unwrap(), ["rust", "c-sharp", "python"]);
        let e = languages(&words(&["pyhton"]), &known).unwrap_err();
        assert_eq!(
            e.to_string(),
            "seekwell: unknown language: pyhton; did you mean python? seekwell --type-list lists all"
        );
        let e = languages(&words(&["cobol"]), &known).unwrap_err();
        assert_eq!(e.to_string(), "seekwell: unknown language: cobol; seekwell --type-list lists all");
    }

    #[test]
    fn kinds_by_any_languages_word() {
        assert_eq!(kinds(&words(&["fn", "Function", "struct", "text"])).unwrap(), ["function", "class", "text"]);
        let e = kinds(&words(&["metod"])).unwrap_err();
        assert!(
            e.to_string()
                .starts_with("seekwell: unknown kind: metod; did you mean method? the kinds are module, class,")
        );
    }

    #[test]
    fn every_other_word_means_a_kind() {
        for (word, kind) in OTHER_WORDS {
            assert!(KINDS.contains(&kind), "{word}");
        }
    }
}
