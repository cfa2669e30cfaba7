//! Git's settings files, as far as a walk needs them: plain sections, no includes.

use std::collections::BTreeMap;

/// Settings by lower-case name (`core.excludesfile`); those of subsections are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GitConfig(BTreeMap<String, String>);

impl GitConfig {
    /// Adds the settings of a file over those that are there. Lines that are not understood are passed over: git
    /// will complain about them, and a search should not.
    pub fn add(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let mut section = None;
        let mut rest = text.trim_start_matches('\u{feff}');
        while !rest.is_empty() {
            rest = rest.trim_start();
            if let Some(header) = rest.strip_prefix('[') {
                let Some(end) = header_end(header) else { return };
                let name = header[..end].trim();
                section = (!name.contains('"')).then(|| name.to_ascii_lowercase());
                rest = &header[end + 1..];
            } else if rest.starts_with(['#', ';']) {
                rest = rest.split_once('\n').map_or("", |(_, after)| after);
            } else {
                let end = rest.find(['=', '\n', '#', ';']).unwrap_or(rest.len());
                let name = rest[..end].trim().to_ascii_lowercase();
                let mut value = "true".to_string();
                rest = &rest[end..];
                if let Some(after) = rest.strip_prefix('=') {
                    (value, rest) = self::value(after);
                }
                if let Some(section) = section.as_ref().filter(|_| !name.is_empty()) {
                    self.0.insert(format!("{section}.{name}"), value);
                }
            }
        }
    }

    /// A setting.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A setting that is yes or no; no if it is not set.
    pub fn is_on(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| matches!(&*value.to_ascii_lowercase(), "true" | "yes" | "on" | "1"))
    }
}

/// Whether the first line of a `HEAD` names a reference or a commit: part of what makes a folder a repository.
pub fn is_head(line: &str) -> bool {
    match line.strip_prefix("ref:") {
        Some(name) => name.trim_start().starts_with("refs/"),
        None => line.len() >= 40 && line.bytes().take(40).all(|byte| byte.is_ascii_hexdigit()),
    }
}

/// Where a section's header ends: its name may hold a `]` in quotes.
fn header_end(header: &str) -> Option<usize> {
    let mut quoted = false;
    let mut escaped = false;
    header.char_indices().find_map(|(at, char)| {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            ']' if !quoted => return Some(at),
            _ => {}
        }
        None
    })
}

/// A value, and what follows its line.
fn value(text: &str) -> (String, &str) {
    let mut value = String::new();
    // Spaces at the end do not belong to it, unless they were quoted.
    let mut kept = 0;
    let mut quoted = false;
    let mut chars = text.char_indices();
    let mut end = text.len();
    while let Some((at, char)) = chars.next() {
        match char {
            '\n' => {
                end = at;
                break;
            }
            '#' | ';' if !quoted => {
                end = text[at..].find('\n').map_or(text.len(), |line| at + line);
                break;
            }
            '"' => quoted = !quoted,
            '\\' => match chars.next() {
                Some((_, '\n')) => continue,
                Some((_, 'n')) => value.push('\n'),
                Some((_, 't')) => value.push('\t'),
                Some((_, other)) => value.push(other),
                None => break,
            },
            space if space.is_whitespace() && !quoted => {
                if !value.is_empty() {
                    value.push(space);
                }
                continue;
            }
            other => value.push(other),
        }
        kept = value.len();
    }
    value.truncate(kept);
    (value, &text[end..])
}

#[cfg(test)]
mod tests {
    use super::GitConfig;

    #[test]
    fn settings_are_read_as_git_writes_them() {
        let mut config = GitConfig::default();
        config.add(b"# mine\n[user]\n\tname = A [B] C ; who\n[Core] bare\n\texcludesFile = \"~/a b#c\" # why\n[core \"x]y\"]\n\tbare = false\n");
        assert_eq!(config.get("core.excludesfile"), Some("~/a b#c"));
        assert_eq!(config.get("user.name"), Some("A [B] C"));
        assert!(config.is_on("core.bare"));
        config.add(b"[core]\r\n\tbare = no\r\n\texcludesfile = C:\\\\x\\\n/y  \r\n\tignorecase = TRUE");
        assert!(!config.is_on("core.bare"));
        assert!(config.is_on("core.ignorecase"));
        assert_eq!(config.get("core.excludesfile"), Some("C:\\x/y"));
        config.add(b"[core\nexcludesfile");
        config.add(b"\xFF\xFE[[]=\\");
    }
}
