//! Kinds of documents and settings, by path, and the words of a question that ask for them: a licence, the change log,
//! continuous integration, linters.
//!
//! Such files seldom answer a question about code, so that they are demoted; but when asked for, hardly a word of the
//! question may stand in them ("which versions are tested" is answered by a matrix of numbers).

use serde::{Deserialize, Serialize};

use crate::place;

/// Kinds of files that a question can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Licences, notices.
    License,
    /// How to take part: contributing, conduct, security, templates.
    Contributing,
    /// Change logs, release notes, upgrade guides.
    Changes,
    /// Readme and installation.
    Readme,
    /// Continuous integration.
    Integration,
    /// Containers.
    Container,
    /// Package manifests and build files.
    Manifest,
    /// Settings of linters and formatters.
    Style,
    /// Settings of the program itself: samples, services.
    Settings,
    /// Manuals and guides.
    Manual,
}

impl Kind {
    const ALL: [Self; 10] = [
        Self::License,
        Self::Contributing,
        Self::Changes,
        Self::Readme,
        Self::Integration,
        Self::Container,
        Self::Manifest,
        Self::Style,
        Self::Settings,
        Self::Manual,
    ];

    /// Words, and pairs of words, that ask for the kind. In lower case.
    const fn cues(self) -> &'static [&'static str] {
        match self {
            Self::License => &["license", "licence", "licensed", "licensing", "copyright", "licenses", "lizenz"],
            Self::Contributing => &[
                "contribute",
                "contributing",
                "contribution",
                "contributions",
                "contributor",
                "contributors",
                "pull request",
                "pull requests",
                "commit message",
                "commit messages",
                "bug report",
                "bug reports",
                "code of conduct",
                "vulnerability",
                "vulnerabilities",
                "security policy",
                "maintainer",
                "maintainers",
                "coding style",
                "coding conventions",
                "coding standards",
                "report a",
                "issue template",
                "squash",
                "authors",
            ],
            Self::Changes => &[
                "changelog",
                "change log",
                "release",
                "releases",
                "released",
                "release notes",
                "upgrade",
                "upgrading",
                "migrating",
                "migration guide",
                "breaking changes",
                "publishing",
                "changed in",
                "removed in",
                "deprecated in",
                "new version",
                "new in",
                "since when",
                "since which",
                "which version",
                "in which",
                "roadmap",
                "what is new",
            ],
            Self::Readme => &[
                "install",
                "installing",
                "installation",
                "installed",
                "getting started",
                "quick start",
                "quickstart",
                "prerequisites",
                "requirements",
                "compiling",
                "how to build",
                "building from",
                "build from",
                "supported platforms",
                "alternatives",
                "compared to",
                "overview of the project",
            ],
            Self::Integration => &[
                "ci",
                "continuous integration",
                "workflow",
                "workflows",
                "tested",
                "matrix",
                "github actions",
                "travis",
                "appveyor",
                "gitlab",
                "nightly",
                "build job",
                "ci job",
                "jobs",
                "code coverage",
                "scheduled check",
                "test matrix",
                "timeout minutes",
                "dependabot",
            ],
            Self::Container => &[
                "docker",
                "dockerfile",
                "docker image",
                "docker compose",
                "devcontainer",
                "vagrant",
                "container image",
            ],
            Self::Manifest => &[
                "minimum version",
                "versions",
                "msrv",
                "edition",
                "dependencies of",
                "runtime dependencies",
                "optional features",
                "cargo features",
                "package metadata",
                "package name",
                "published",
                "classifiers",
                "entry points",
                "build system",
                "requires",
                "required version",
                "build flags",
                "compiler flags",
                "dev dependencies",
                "extras",
                "development dependencies",
                "version of",
            ],
            Self::Style => &[
                "lint",
                "linter",
                "linters",
                "linting",
                "formatter",
                "line length",
                "line width",
                "indentation",
                "indent",
                "eslint",
                "prettier",
                "clippy",
                "rustfmt",
                "flake8",
                "pylint",
                "black",
                "editorconfig",
                "pre commit",
                "type checker",
                "type checking",
                "style rules",
                "code style",
                "static analysis",
                "trailing whitespace",
            ],
            Self::Settings => &[
                "default",
                "defaults",
                "setting",
                "settings",
                "config",
                "configure",
                "configured",
                "configuration",
                "sample",
                "systemd",
                "service unit",
                "unit file",
                "key bindings",
                "ini",
                "shipped",
                "environment variable",
                "environment variables",
            ],
            Self::Manual => &[
                "documentation",
                "documented",
                "docs",
                "doc",
                "manual",
                "man page",
                "guide",
                "tutorial",
                "explained",
                "described",
                "faq",
                "how do i",
                "how can i",
                "how should i",
                "how to",
                "should i",
                "do i",
                "can i",
                "explanation",
                "handbook",
                "api reference",
                "specification",
            ],
        }
    }

    fn is(self, path: &str, name: &str, stem: &str) -> bool {
        let begins = |words: &[&str]| words.iter().any(|w| stem.starts_with(w));
        let named = |names: &[&str]| names.contains(&name);
        let ends = |endings: &[&str]| endings.iter().any(|e| name.ends_with(e));
        let under = |folders: &[&str]| folders.iter().any(|f| path.contains(f));
        match self {
            Self::License => begins(&["license", "licence", "copying", "copyright", "notice", "unlicense"]),
            Self::Contributing => {
                begins(&[
                    "contributing",
                    "contribut",
                    "hacking",
                    "code_of_conduct",
                    "code-of-conduct",
                    "security",
                    "maintainers",
                    "authors",
                    "codeowners",
                    "development",
                    "developing",
                    "pull_request_template",
                    "governance",
                ]) || under(&["issue_template", "pull_request_template"])
            }
            Self::Changes => begins(&[
                "changelog",
                "changes",
                "news",
                "history",
                "release",
                "upgrad",
                "migrat",
                "whatsnew",
                "what's-new",
                "roadmap",
                "future",
                "todo",
            ]),
            Self::Readme => begins(&["readme", "install", "getting-started", "getting_started", "quickstart", "build"]),
            Self::Integration => {
                under(&[".github/workflows/", ".circleci/", ".gitlab/", ".buildkite/", ".builds/"])
                    || begins(&[
                        ".travis",
                        ".gitlab-ci",
                        "appveyor",
                        ".appveyor",
                        "azure-pipelines",
                        ".cirrus",
                        ".drone",
                    ])
                    || named(&["jenkinsfile", "tox.ini", "noxfile.py", "dependabot.yml", ".codecov.yml", "codecov.yml"])
            }
            Self::Container => {
                begins(&["dockerfile", "docker-compose", "containerfile", "compose", "vagrantfile", ".dockerignore"])
                    || under(&[".devcontainer/", "docker/"])
            }
            Self::Manifest => {
                named(&[
                    "cargo.toml",
                    "package.json",
                    "pyproject.toml",
                    "setup.py",
                    "setup.cfg",
                    "go.mod",
                    "pom.xml",
                    "build.gradle",
                    "build.gradle.kts",
                    "mix.exs",
                    "composer.json",
                    "package.swift",
                    "build.sbt",
                    "gemfile",
                    "meson.build",
                    "cmakelists.txt",
                    "configure.ac",
                    "makefile",
                    "makefile.am",
                    "pubspec.yaml",
                    "pkg-info",
                    "build.zig.zon",
                    "configure",
                ]) || ends(&[".csproj", ".cabal", ".gemspec", ".rockspec", ".fsproj", ".nuspec"])
                    || begins(&["requirements"])
            }
            Self::Style => {
                begins(&[
                    ".eslint",
                    "eslint",
                    ".prettier",
                    ".editorconfig",
                    ".flake8",
                    ".rubocop",
                    "rustfmt",
                    ".rustfmt",
                    "clippy",
                    ".clippy",
                    ".clang",
                    ".pylint",
                    "pylint",
                    ".luacheck",
                    ".pre-commit",
                    "phpcs",
                    "phpstan",
                    "psalm",
                    "tslint",
                    "mypy",
                    "ruff",
                    ".golangci",
                    "checkstyle",
                    ".stylelint",
                    ".credo",
                    "deny",
                ]) || named(&["tox.ini", "setup.cfg", "pyproject.toml", "tsconfig.json"])
            }
            Self::Settings => ends(&[
                ".conf",
                ".ini",
                ".cfg",
                ".service",
                ".socket",
                ".toml",
                ".yml",
                ".yaml",
                ".properties",
                ".env",
                ".example",
                ".sample",
                "rc",
                ".apparmor",
                ".desktop",
                ".timer",
            ]),
            Self::Manual => {
                ends(&[".md", ".rst", ".txt", ".adoc", ".scd", ".1", ".5", ".7", ".8", ".pod", ".texi", ".org", ".mdx"])
            }
        }
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kinds(u16);

impl Kinds {
    /// The kinds that a file is of, by its path.
    pub fn of_path(path: &str) -> Self {
        let path = path.to_ascii_lowercase();
        let (name, stem) = (place::file_name(&path), place::stem(&path));
        Self::of(|kind| kind.is(&path, name, stem))
    }

    /// The kinds that a question asks for.
    pub fn of_question(text: &str) -> Self {
        let words: String = text
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
            .flat_map(|word| [" ", word])
            .chain([" "])
            .collect();
        Self::of(|kind| {
            kind.cues().iter().any(|cue| {
                words.match_indices(cue).any(|(at, _)| {
                    words.as_bytes()[at - 1] == b' ' && words.as_bytes().get(at + cue.len()) == Some(&b' ')
                })
            })
        })
    }

    fn of(holds: impl Fn(Kind) -> bool) -> Self {
        Self(Kind::ALL.into_iter().filter(|&kind| holds(kind)).fold(0, |set, kind| set | 1 << kind as u16))
    }

    /// Kinds in both.
    pub const fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether the kind is among them.
    pub const fn has(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u16) != 0
    }

    /// Whether one besides settings and manuals is among them, which are kinds of a file's ending.
    pub const fn has_particular(self) -> bool {
        self.0 & !(1 << Kind::Settings as u16 | 1 << Kind::Manual as u16) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_files() {
        assert!(Kinds::of_path(".github/workflows/test.yml").has(Kind::Integration));
        assert!(Kinds::of_path("LICENSE-MIT").has(Kind::License));
        assert!(Kinds::of_path("a/Cargo.toml").has(Kind::Manifest));
        assert!(!Kinds::of_path("src/license.rs").common(Kinds::of_question("the licence")).has(Kind::Manual));
    }

    #[test]
    fn kinds_asked_for() {
        assert!(Kinds::of_question("Which Rust versions are tested by CI?").has(Kind::Integration));
        assert!(Kinds::of_question("how do I configure TLS").has(Kind::Settings));
        assert!(Kinds::of_question("parse a recipe").common(Kinds::of_path("ci/x.md")) == Kinds::default());
    }
}
