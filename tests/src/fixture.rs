//! Fixtures: one Markdown file holds a small tree and the questions that are put to it.
//!
//! A heading `## file PATH` is followed by a fenced block with the file's content, a heading `## ask ARGUMENTS` (a search)
//! or `## run COMMAND ARGUMENTS` by a list of what must come back, one hit or row a line: `- path:start-end kind symbol`. Further lines `- weak`, `- not found` and
//! `- route KIND` state the rest. Prose between them is for readers.

use std::path::Path;

/// A fixture.
#[derive(Debug, Default)]
pub struct Fixture {
    /// Path and content of each file.
    pub files: Vec<(String, String)>,
    /// The questions.
    pub questions: Vec<Question>,
}

/// A question to the tree of a fixture.
#[derive(Debug, Default)]
pub struct Question {
    /// The command.
    pub command: String,
    /// The arguments, as for the command line.
    pub arguments: Vec<String>,
    /// What must come back, line by line: the first hits in order, then properties.
    pub expected: Vec<String>,
}

/// Reads a fixture.
pub fn parse(text: &str) -> Fixture {
    let mut fixture = Fixture::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(path) = line.strip_prefix("## file ") {
            let opening = lines.find(|l| l.starts_with("```")).expect("a fenced block follows `## file`");
            let mark = opening.split(|c| c != '`').next().unwrap_or_default().to_owned();
            let mut content = String::new();
            for line in lines.by_ref().take_while(|l| *l != mark) {
                content.push_str(line);
                content.push('\n');
            }
            fixture.files.push((path.trim().to_owned(), content));
        } else if let Some(arguments) = line.strip_prefix("## ask ") {
            fixture.questions.push(Question {
                command: "search".to_owned(),
                arguments: words(arguments),
                expected: Vec::new(),
            });
        } else if let Some((command, arguments)) = line.strip_prefix("## run ").and_then(|line| line.split_once(' ')) {
            fixture.questions.push(Question {
                command: command.to_owned(),
                arguments: words(arguments),
                expected: Vec::new(),
            });
        } else if let (Some(expected), Some(question)) = (line.strip_prefix("- "), fixture.questions.last_mut()) {
            question.expected.push(expected.trim().to_owned());
        }
    }
    fixture
}

/// Splits at blanks, outside of double quotes.
fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => out.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    out
}

impl Fixture {
    /// Writes the tree below a folder.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        for (path, content) in &self.files {
            let path = folder.join(path);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(path, content)?;
        }
        Ok(())
    }
}
