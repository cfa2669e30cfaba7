//! The rows.

use crate::grammars;
use seekwell_core::grammar::{Language, Structure};
use seekwell_types::Content::{self, Code, Config, Docs};

/// A row; what is not given is empty.
const fn row(id: &'static str, name: &'static str, content: Content, structure: Structure) -> Language {
    Language {
        id,
        name,
        aliases: &[],
        extensions: &[],
        file_names: &[],
        interpreters: &[],
        content,
        structure,
        shared: None,
    }
}

/// Headers are written in C and in C++. A line that begins as only C++ does decides.
fn c_or_cpp(path: &str, text: &str) -> Option<&'static str> {
    let is_cpp = |line: &str| {
        let line = line.trim_start();
        let standard = line.strip_prefix("#include <").is_some_and(|rest| !rest.contains('.') && !rest.contains('/'));
        let class = line.starts_with("class ") && line.contains([';', '{', ':']);
        let starts = ["namespace ", "template <", "template<", "public:", "private:", "protected:", "using "];
        standard || class || starts.iter().any(|start| line.starts_with(start))
    };
    (path.ends_with(".h") && text.lines().any(is_cpp)).then_some("cpp")
}

/// The rows. Of two rows with the same extension the first counts.
pub(crate) static ROWS: [Language; 120] = [
    // With a grammar, by id.
    Language {
        aliases: &["sh", "shell", "zsh"],
        extensions: &["sh", "bash", "zsh", "bats", "ksh", "ebuild", "eclass"],
        file_names: &[
            ".bashrc",
            ".bash_profile",
            ".bash_aliases",
            ".profile",
            ".zshrc",
            ".zshenv",
            ".zprofile",
            ".envrc",
            "PKGBUILD",
            "APKBUILD",
        ],
        interpreters: &["sh", "bash", "zsh", "ksh", "dash", "ash", "bats"],
        ..row("bash", "Shell", Code, grammars::BASH)
    },
    Language { extensions: &["c", "h"], shared: Some(c_or_cpp), ..row("c", "C", Code, grammars::C) },
    Language {
        aliases: &["cs", "csharp", "c#"],
        extensions: &["cs", "csx", "cake"],
        ..row("c-sharp", "C#", Code, grammars::C_SHARP)
    },
    Language {
        aliases: &["c++", "cxx", "cuda"],
        extensions: &[
            "cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "inl", "ipp", "tpp", "cppm", "ixx", "cu", "cuh",
            "ino",
        ],
        ..row("cpp", "C++", Code, grammars::CPP)
    },
    Language { extensions: &["css", "pcss"], ..row("css", "CSS", Code, grammars::CSS) },
    Language { extensions: &["dart"], interpreters: &["dart"], ..row("dart", "Dart", Code, grammars::DART) },
    Language {
        aliases: &["ex"],
        extensions: &["ex", "exs"],
        interpreters: &["elixir"],
        ..row("elixir", "Elixir", Code, grammars::ELIXIR)
    },
    Language { aliases: &["golang"], extensions: &["go"], ..row("go", "Go", Code, grammars::GO) },
    Language {
        aliases: &["hs"],
        extensions: &["hs", "hs-boot"],
        interpreters: &["runhaskell", "runghc"],
        ..row("haskell", "Haskell", Code, grammars::HASKELL)
    },
    Language {
        aliases: &["terraform", "tf"],
        extensions: &["tf", "hcl", "tfvars", "tofu", "nomad"],
        ..row("hcl", "HCL", Code, grammars::HCL)
    },
    Language { aliases: &["htm"], extensions: &["html", "htm", "xhtml"], ..row("html", "HTML", Code, grammars::HTML) },
    Language { extensions: &["java"], ..row("java", "Java", Code, grammars::JAVA) },
    Language {
        aliases: &["js", "jsx", "node"],
        extensions: &["js", "jsx", "mjs", "cjs", "es6"],
        file_names: &["Jakefile"],
        interpreters: &["node", "nodejs", "bun"],
        ..row("javascript", "JavaScript", Code, grammars::JAVASCRIPT)
    },
    Language {
        aliases: &["jsonc", "json5"],
        extensions: &["json", "jsonc", "json5", "jsonl", "ndjson", "geojson", "webmanifest", "avsc", "code-workspace"],
        file_names: &[
            ".babelrc",
            ".eslintrc",
            ".prettierrc",
            ".jshintrc",
            ".swcrc",
            "composer.lock",
            "flake.lock",
            "Pipfile.lock",
            "deno.lock",
        ],
        ..row("json", "JSON", Config, grammars::JSON)
    },
    Language {
        aliases: &["kt"],
        extensions: &["kt", "kts"],
        interpreters: &["kotlin"],
        ..row("kotlin", "Kotlin", Code, grammars::KOTLIN)
    },
    Language {
        extensions: &["lua", "rockspec"],
        interpreters: &["lua", "luajit"],
        ..row("lua", "Lua", Code, grammars::LUA)
    },
    Language { extensions: &["nix"], ..row("nix", "Nix", Code, grammars::NIX) },
    Language {
        extensions: &["php", "phtml", "module", "inc", "php3", "php4", "php5", "phps", "theme", "install", "profile"],
        interpreters: &["php"],
        ..row("php", "PHP", Code, grammars::PHP)
    },
    Language {
        aliases: &["protobuf"],
        extensions: &["proto"],
        ..row("proto", "Protocol Buffers", Code, grammars::PROTO)
    },
    Language {
        aliases: &["py", "starlark"],
        extensions: &["py", "pyi", "pyw", "bzl", "star"],
        file_names: &[
            "BUILD",
            "BUILD.bazel",
            "WORKSPACE",
            "WORKSPACE.bazel",
            "MODULE.bazel",
            "Tiltfile",
            "SConstruct",
            "SConscript",
            "wscript",
        ],
        interpreters: &["python", "pypy", "uv"],
        ..row("python", "Python", Code, grammars::PYTHON)
    },
    Language {
        aliases: &["rb"],
        extensions: &["rb", "rake", "gemspec", "ru", "podspec", "jbuilder", "rbi", "builder"],
        file_names: &[
            "Rakefile",
            "Gemfile",
            "Guardfile",
            "Capfile",
            "Vagrantfile",
            "Podfile",
            "Fastfile",
            "Brewfile",
            "Dangerfile",
        ],
        interpreters: &["ruby", "jruby"],
        ..row("ruby", "Ruby", Code, grammars::RUBY)
    },
    Language {
        aliases: &["rs"],
        extensions: &["rs"],
        interpreters: &["rust-script"],
        ..row("rust", "Rust", Code, grammars::RUST)
    },
    Language {
        extensions: &["scala", "sc", "sbt", "mill"],
        interpreters: &["scala"],
        ..row("scala", "Scala", Code, grammars::SCALA)
    },
    Language { extensions: &["sql", "ddl", "psql", "pgsql"], ..row("sql", "SQL", Code, grammars::SQL) },
    Language {
        extensions: &["swift", "swiftinterface"],
        interpreters: &["swift"],
        ..row("swift", "Swift", Code, grammars::SWIFT)
    },
    Language {
        extensions: &["toml"],
        file_names: &["Cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", "Pipfile", "Gopkg.lock"],
        ..row("toml", "TOML", Config, grammars::TOML)
    },
    Language { extensions: &["tsx"], ..row("tsx", "TSX", Code, grammars::TSX) },
    Language {
        aliases: &["ts"],
        extensions: &["ts", "mts", "cts"],
        interpreters: &["ts-node", "tsx", "deno"],
        ..row("typescript", "TypeScript", Code, grammars::TYPESCRIPT)
    },
    Language {
        aliases: &["yml"],
        extensions: &["yaml", "yml"],
        file_names: &[".clang-format", ".clang-tidy", ".clangd", "CITATION.cff"],
        ..row("yaml", "YAML", Config, grammars::YAML)
    },
    Language { extensions: &["zig", "zon"], ..row("zig", "Zig", Code, grammars::ZIG) },
    Language {
        aliases: &["md"],
        extensions: &["md", "markdown", "mdx", "mdown", "mkd", "mdc", "qmd", "rmd"],
        ..row("markdown", "Markdown", Docs, Structure::Markdown)
    },
    Language {
        aliases: &["restructuredtext"],
        extensions: &["rst", "rest"],
        ..row("rst", "reStructuredText", Docs, Structure::Headings)
    },
    Language {
        aliases: &["adoc"],
        extensions: &["adoc", "asciidoc", "asc"],
        ..row("asciidoc", "AsciiDoc", Docs, Structure::Headings)
    },
    Language { extensions: &["astro"], ..row("astro", "Astro", Code, Structure::Embedded) },
    Language { extensions: &["svelte"], ..row("svelte", "Svelte", Code, Structure::Embedded) },
    Language {
        aliases: &["ipynb", "notebook"],
        extensions: &["ipynb"],
        ..row("jupyter", "Jupyter", Code, Structure::Notebook)
    },
    Language { extensions: &["vue"], ..row("vue", "Vue", Code, Structure::Embedded) },
    // Without.
    Language {
        aliases: &["sass", "less"],
        extensions: &["scss", "less", "sass"],
        ..row("scss", "SCSS", Code, Structure::Plain)
    },
    Language { extensions: &["adb", "ads"], ..row("ada", "Ada", Code, Structure::Plain) },
    Language { extensions: &["cls", "trigger"], ..row("apex", "Apex", Code, Structure::Plain) },
    Language { extensions: &["asm", "s", "nasm"], ..row("asm", "Assembly", Code, Structure::Plain) },
    Language { extensions: &["awk"], interpreters: &["awk", "gawk"], ..row("awk", "AWK", Code, Structure::Plain) },
    Language { extensions: &["bat", "cmd"], ..row("bat", "Batch", Code, Structure::Plain) },
    Language { extensions: &["bicep"], ..row("bicep", "Bicep", Code, Structure::Plain) },
    Language {
        extensions: &["clj", "cljs", "cljc", "edn", "bb"],
        interpreters: &["bb", "clojure"],
        ..row("clojure", "Clojure", Code, Structure::Plain)
    },
    Language {
        extensions: &["cmake"],
        file_names: &["CMakeLists.txt"],
        ..row("cmake", "CMake", Code, Structure::Plain)
    },
    Language { extensions: &["cob", "cbl", "cpy"], ..row("cobol", "COBOL", Code, Structure::Plain) },
    Language {
        extensions: &["coffee"],
        file_names: &["Cakefile"],
        interpreters: &["coffee"],
        ..row("coffeescript", "CoffeeScript", Code, Structure::Plain)
    },
    Language {
        extensions: &["lisp", "lsp", "asd"],
        interpreters: &["sbcl"],
        ..row("common-lisp", "Common Lisp", Code, Structure::Plain)
    },
    Language { extensions: &["cr"], interpreters: &["crystal"], ..row("crystal", "Crystal", Code, Structure::Plain) },
    Language { extensions: &["cue"], ..row("cue", "CUE", Code, Structure::Plain) },
    Language { extensions: &["pyx", "pxd", "pxi"], ..row("cython", "Cython", Code, Structure::Plain) },
    Language { extensions: &["d", "di"], ..row("d", "D", Code, Structure::Plain) },
    Language { extensions: &["diff", "patch"], ..row("diff", "Diff", Docs, Structure::Plain) },
    Language {
        extensions: &["dockerfile", "containerfile"],
        file_names: &["Dockerfile", "Containerfile"],
        ..row("dockerfile", "Dockerfile", Code, Structure::Plain)
    },
    Language { extensions: &["elm"], ..row("elm", "Elm", Code, Structure::Plain) },
    Language {
        extensions: &["el"],
        file_names: &[".emacs"],
        ..row("emacs-lisp", "Emacs Lisp", Code, Structure::Plain)
    },
    Language {
        extensions: &["erl", "hrl"],
        interpreters: &["escript"],
        ..row("erlang", "Erlang", Code, Structure::Plain)
    },
    Language { extensions: &["fish"], interpreters: &["fish"], ..row("fish", "fish", Code, Structure::Plain) },
    Language {
        extensions: &["f", "f77", "f90", "f95", "f03", "f08", "for"],
        ..row("fortran", "Fortran", Code, Structure::Plain)
    },
    Language { extensions: &["fs", "fsi", "fsx"], ..row("fsharp", "F#", Code, Structure::Plain) },
    Language { extensions: &["gd"], ..row("gdscript", "GDScript", Code, Structure::Plain) },
    Language { extensions: &["gleam"], ..row("gleam", "Gleam", Code, Structure::Plain) },
    Language {
        extensions: &["glsl", "vert", "frag", "geom", "comp", "tesc", "tese", "hlsl", "wgsl", "metal"],
        ..row("shader", "Shader", Code, Structure::Plain)
    },
    Language {
        extensions: &["groovy", "gradle", "gvy"],
        file_names: &["Jenkinsfile"],
        interpreters: &["groovy"],
        ..row("groovy", "Groovy", Code, Structure::Plain)
    },
    Language { extensions: &["graphql", "gql", "graphqls"], ..row("graphql", "GraphQL", Code, Structure::Plain) },
    Language {
        extensions: &[
            "hbs",
            "handlebars",
            "mustache",
            "ejs",
            "erb",
            "haml",
            "slim",
            "liquid",
            "jinja",
            "jinja2",
            "j2",
            "njk",
            "twig",
            "tmpl",
            "gohtml",
            "tpl",
            "eex",
            "heex",
            "leex",
            "cshtml",
            "razor",
            "jsp",
            "pug",
        ],
        ..row("template", "Template", Code, Structure::Plain)
    },
    Language { extensions: &["hx"], ..row("haxe", "Haxe", Code, Structure::Plain) },
    Language { extensions: &["idr"], ..row("idris", "Idris", Code, Structure::Plain) },
    Language { extensions: &["janet"], ..row("janet", "Janet", Code, Structure::Plain) },
    Language { extensions: &["jsonnet", "libsonnet"], ..row("jsonnet", "Jsonnet", Code, Structure::Plain) },
    Language { extensions: &["jl"], interpreters: &["julia"], ..row("julia", "Julia", Code, Structure::Plain) },
    Language {
        extensions: &["just"],
        file_names: &["justfile", ".justfile"],
        ..row("just", "Just", Code, Structure::Plain)
    },
    Language { extensions: &["tex", "ltx", "sty", "bib"], ..row("latex", "LaTeX", Docs, Structure::Plain) },
    Language { extensions: &["lean"], ..row("lean", "Lean", Code, Structure::Plain) },
    Language {
        extensions: &["mk", "mak", "make"],
        file_names: &["Makefile", "GNUmakefile", "BSDmakefile", "Kbuild", "Makefile.am", "Makefile.in"],
        interpreters: &["make"],
        ..row("make", "Makefile", Code, Structure::Plain)
    },
    Language {
        file_names: &["meson.build", "meson_options.txt", "meson.options"],
        ..row("meson", "Meson", Code, Structure::Plain)
    },
    Language { extensions: &["mojo"], ..row("mojo", "Mojo", Code, Structure::Plain) },
    Language { extensions: &["nim", "nims", "nimble"], ..row("nim", "Nim", Code, Structure::Plain) },
    Language {
        extensions: &["nginx", "nginxconf"],
        file_names: &["nginx.conf"],
        ..row("nginx", "nginx", Config, Structure::Plain)
    },
    Language { extensions: &["m", "mm"], ..row("objc", "Objective-C", Code, Structure::Plain) },
    Language {
        extensions: &["ml", "mli", "mll", "mly"],
        interpreters: &["ocaml"],
        ..row("ocaml", "OCaml", Code, Structure::Plain)
    },
    Language { extensions: &["odin"], ..row("odin", "Odin", Code, Structure::Plain) },
    Language { extensions: &["org"], ..row("org", "Org", Docs, Structure::Plain) },
    Language { extensions: &["pas", "pp", "dpr", "lpr"], ..row("pascal", "Pascal", Code, Structure::Plain) },
    Language {
        extensions: &["pl", "pm", "t", "pod"],
        interpreters: &["perl"],
        ..row("perl", "Perl", Code, Structure::Plain)
    },
    Language { extensions: &["pony"], ..row("pony", "Pony", Code, Structure::Plain) },
    Language {
        extensions: &["ps1", "psm1", "psd1"],
        interpreters: &["pwsh"],
        ..row("powershell", "PowerShell", Code, Structure::Plain)
    },
    Language { extensions: &["prisma"], ..row("prisma", "Prisma", Code, Structure::Plain) },
    Language {
        extensions: &["pro", "prolog"],
        interpreters: &["swipl"],
        ..row("prolog", "Prolog", Code, Structure::Plain)
    },
    Language { extensions: &["purs"], ..row("purescript", "PureScript", Code, Structure::Plain) },
    Language { extensions: &["qml"], ..row("qml", "QML", Code, Structure::Plain) },
    Language {
        extensions: &["r", "rprofile"],
        file_names: &[".Rprofile"],
        interpreters: &["Rscript"],
        ..row("r", "R", Code, Structure::Plain)
    },
    Language { extensions: &["rkt"], interpreters: &["racket"], ..row("racket", "Racket", Code, Structure::Plain) },
    Language { extensions: &["rego"], ..row("rego", "Rego", Code, Structure::Plain) },
    Language { extensions: &["roc"], ..row("roc", "Roc", Code, Structure::Plain) },
    Language { extensions: &["scm", "ss", "sld"], ..row("scheme", "Scheme", Code, Structure::Plain) },
    Language { extensions: &["sol"], ..row("solidity", "Solidity", Code, Structure::Plain) },
    Language {
        extensions: &["lock", "sum"],
        file_names: &[
            "go.sum",
            "yarn.lock",
            "Gemfile.lock",
            "mix.lock",
            "bun.lock",
            "Podfile.lock",
            "Cartfile.resolved",
            "Package.resolved",
            "gradle.lockfile",
            "npm-shrinkwrap.json",
        ],
        ..row("lock", "Lock file", Config, Structure::Plain)
    },
    Language { extensions: &["styl"], ..row("stylus", "Stylus", Code, Structure::Plain) },
    Language { extensions: &["v", "vh", "sv", "svh"], ..row("verilog", "Verilog", Code, Structure::Plain) },
    Language {
        extensions: &["tcl", "tk"],
        interpreters: &["tclsh", "wish"],
        ..row("tcl", "Tcl", Code, Structure::Plain)
    },
    Language { extensions: &["td"], ..row("tablegen", "TableGen", Code, Structure::Plain) },
    Language { extensions: &["thrift"], ..row("thrift", "Thrift", Code, Structure::Plain) },
    Language { extensions: &["typ"], ..row("typst", "Typst", Docs, Structure::Plain) },
    Language { extensions: &["vala", "vapi"], ..row("vala", "Vala", Code, Structure::Plain) },
    Language { extensions: &["vhd", "vhdl"], ..row("vhdl", "VHDL", Code, Structure::Plain) },
    Language {
        extensions: &["vim"],
        file_names: &[".vimrc", ".gvimrc", "vimrc"],
        ..row("vim", "Vim script", Code, Structure::Plain)
    },
    Language {
        extensions: &["vb", "vbs", "bas", "frm"],
        ..row("visual-basic", "Visual Basic", Code, Structure::Plain)
    },
    Language { extensions: &["wat", "wast"], ..row("wat", "WebAssembly text", Code, Structure::Plain) },
    Language { extensions: &["wit"], ..row("wit", "WIT", Code, Structure::Plain) },
    Language { extensions: &["capnp"], ..row("capnp", "Cap'n Proto", Code, Structure::Plain) },
    Language { extensions: &["fbs"], ..row("flatbuffers", "FlatBuffers", Code, Structure::Plain) },
    Language {
        extensions: &["mod", "work"],
        file_names: &["go.mod", "go.work"],
        ..row("go-mod", "Go module", Config, Structure::Plain)
    },
    Language {
        extensions: &[
            "ini",
            "cfg",
            "conf",
            "cnf",
            "properties",
            "prefs",
            "desktop",
            "service",
            "socket",
            "timer",
            "mount",
            "target",
            "env",
            "editorconfig",
            "gitconfig",
        ],
        file_names: &[
            ".editorconfig",
            ".gitconfig",
            ".gitmodules",
            ".gitattributes",
            ".gitignore",
            ".dockerignore",
            ".npmrc",
            ".yarnrc",
            ".env",
            ".env.example",
            ".env.local",
            ".env.sample",
            ".env.test",
            ".flake8",
            ".pylintrc",
            ".coveragerc",
            ".curlrc",
            ".wgetrc",
            ".inputrc",
            ".ignore",
            ".npmignore",
            ".prettierignore",
            ".eslintignore",
            ".helmignore",
            "CODEOWNERS",
            ".browserslistrc",
            ".nvmrc",
            ".node-version",
            ".python-version",
            ".ruby-version",
            ".tool-versions",
            ".mailmap",
            "requirements.txt",
            "constraints.txt",
        ],
        ..row("ini", "INI", Config, Structure::Plain)
    },
    Language {
        extensions: &[
            "xml",
            "xsd",
            "xsl",
            "xslt",
            "svg",
            "plist",
            "csproj",
            "fsproj",
            "vbproj",
            "props",
            "targets",
            "resx",
            "xaml",
            "axaml",
            "nuspec",
            "wsdl",
            "pom",
            "iml",
            "storyboard",
            "xib",
            "rss",
            "atom",
            "dtd",
            "ui",
            "qrc",
        ],
        ..row("xml", "XML", Config, Structure::Plain)
    },
    Language { extensions: &["csv", "tsv", "psv"], ..row("csv", "CSV", Config, Structure::Plain) },
    Language {
        extensions: &["pbxproj", "strings", "entitlements", "xcconfig"],
        ..row("plist", "Property list", Config, Structure::Plain)
    },
    Language {
        extensions: &["txt", "text", "log"],
        file_names: &[
            "LICENSE",
            "LICENCE",
            "COPYING",
            "NOTICE",
            "AUTHORS",
            "CONTRIBUTORS",
            "CHANGES",
            "CHANGELOG",
            "HISTORY",
            "NEWS",
            "README",
            "INSTALL",
            "TODO",
            "THANKS",
            "MAINTAINERS",
            "PATENTS",
            "UNLICENSE",
            "OWNERS",
            "VERSION",
            "LICENSE-MIT",
            "LICENSE-APACHE",
            "LICENSE-APACHE-2.0",
            "MIT-LICENSE",
            "robots.txt",
        ],
        ..row("text", "Text", Docs, Structure::Plain)
    },
    Language {
        extensions: &["man", "roff", "mdoc", "1", "2", "3", "4", "5", "6", "7", "8"],
        ..row("man", "Manual page", Docs, Structure::Plain)
    },
];
