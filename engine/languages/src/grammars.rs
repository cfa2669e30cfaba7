//! Which grammar a language has, with its queries and the kinds that belong to definitions.

use seekwell_core::grammar::{Grammar, Structure};

/// A grammar, or [`Structure::Plain`] where its feature is off.
macro_rules! grammar {
    ($name:ident, $feature:literal, $language:expr, [$($tags:literal),+], [$($calls:literal),*],
     attached $attached:expr, comments $comments:expr, opaque $opaque:expr $(, overflows $overflows:expr)?) => {
        #[cfg(feature = $feature)]
        pub(crate) const $name: Structure = Structure::Grammar(Grammar {
            language: || $language.into(),
            tags: concat!($(include_str!(concat!("../queries/", $tags)), "\n"),+),
            calls: concat!($(include_str!(concat!("../queries/", $calls)), "\n"),*),
            attached: &$attached,
            comments: &$comments,
            opaque: &$opaque,
            overflows: grammar!(@overflows $($overflows)?),
        });
        #[cfg(not(feature = $feature))]
        pub(crate) const $name: Structure = Structure::Plain;
    };
    (@overflows $overflows:expr) => { Some($overflows) };
    (@overflows) => { None };
}

grammar! { BASH, "bash", tree_sitter_bash::LANGUAGE, ["bash/tags.scm"], ["bash/calls.scm"],
attached ["comment"], comments ["comment"],
opaque [] }
grammar! { C, "c", tree_sitter_c::LANGUAGE, ["c/tags.scm"], ["c/calls.scm"],
attached ["comment", "attribute_declaration"], comments ["comment"],
opaque ["string_literal", "char_literal", "preproc_include", "type_descriptor"] }
grammar! { CPP, "cpp", tree_sitter_cpp::LANGUAGE, ["cpp/tags.scm"], ["cpp/calls.scm"],
attached ["comment", "attribute_declaration"], comments ["comment"],
opaque ["string_literal", "char_literal", "preproc_include"] }
grammar! { CSS, "css", tree_sitter_css::LANGUAGE, ["css/tags.scm"], ["css/calls.scm"],
attached ["comment", "js_comment"], comments ["comment", "js_comment"],
opaque ["selectors", "declaration", "comment"] }
grammar! { C_SHARP, "c-sharp", tree_sitter_c_sharp::LANGUAGE, ["c-sharp/tags.scm"], ["c-sharp/calls.scm"],
attached ["comment", "attribute_list"], comments ["comment"],
opaque [
    "string_literal", "verbatim_string_literal", "modifier", "qualified_name", "type_argument_list",
    "using_directive", "generic_name", "nullable_type",
] }
grammar! { DART, "dart", tree_sitter_dart::LANGUAGE, ["dart/tags.scm"], ["dart/calls.scm"],
attached ["comment", "documentation_comment", "block_comment", "documentation_block_comment", "annotation"],
comments ["comment", "documentation_comment", "block_comment", "documentation_block_comment"],
opaque ["type", "type_arguments", "comment", "documentation_comment", "block_comment", "uri"] }
grammar! { ELIXIR, "elixir", tree_sitter_elixir::LANGUAGE, ["elixir/tags.scm"], ["elixir/calls.scm"],
attached ["comment", "unary_operator"], comments ["comment", "unary_operator"],
opaque ["alias", "comment"] }
grammar! { GO, "go", tree_sitter_go::LANGUAGE, ["go/tags.scm"], ["go/calls.scm"],
attached ["comment"], comments ["comment"],
opaque [
    "interpreted_string_literal", "raw_string_literal", "qualified_type", "import_spec", "package_clause",
    "pointer_type",
] }
grammar! { HASKELL, "haskell", tree_sitter_haskell::LANGUAGE, ["haskell/tags.scm"], ["haskell/calls.scm"],
attached ["comment", "haddock", "pragma"], comments ["comment", "haddock"],
opaque ["import", "qualified", "comment", "haddock", "deriving"] }
grammar! { HCL, "hcl", tree_sitter_hcl::LANGUAGE, ["hcl/tags.scm"], ["hcl/calls.scm"],
attached ["comment"], comments ["comment"],
opaque [] }
grammar! { HTML, "html", tree_sitter_html::LANGUAGE, ["html/tags.scm"], ["html/calls.scm"],
attached ["comment"], comments ["comment"],
opaque ["start_tag", "end_tag", "self_closing_tag", "attribute"] }
grammar! { JAVA, "java", tree_sitter_java::LANGUAGE, ["java/tags.scm"], ["java/calls.scm"],
attached ["line_comment", "block_comment", "annotation", "marker_annotation"],
comments ["line_comment", "block_comment"],
opaque [
    "scoped_identifier", "scoped_type_identifier", "string_literal", "type_arguments", "generic_type",
    "import_declaration", "package_declaration",
] }
grammar! { JAVASCRIPT, "javascript", tree_sitter_javascript::LANGUAGE,
["javascript/tags.scm", "ecma/tags.scm"], ["javascript/calls.scm", "ecma/calls.scm", "ecma/jsx.scm"],
attached ["comment", "decorator"], comments ["comment"],
opaque ["string", "regex", "comment", "import_specifier", "update_expression", "jsx_closing_element"] }
grammar! { JSON, "json", tree_sitter_json::LANGUAGE, ["json/tags.scm"], [],
attached ["comment"], comments ["comment"],
opaque ["array", "string"] }
grammar! { KOTLIN, "kotlin", tree_sitter_kotlin_ng::LANGUAGE, ["kotlin/tags.scm"], ["kotlin/calls.scm"],
attached ["line_comment", "block_comment", "annotation"], comments ["line_comment", "block_comment"],
opaque ["user_type", "nullable_type", "type_arguments", "import", "package_header", "qualified_identifier"] }
grammar! { LUA, "lua", tree_sitter_lua::LANGUAGE, ["lua/tags.scm"], ["lua/calls.scm"],
attached ["comment"], comments ["comment"],
opaque ["string", "parameters", "comment"] }
grammar! { NIX, "nix", tree_sitter_nix::LANGUAGE, ["nix/tags.scm"], ["nix/calls.scm"],
attached ["comment"], comments ["comment"],
opaque [] }
grammar! { PHP, "php", tree_sitter_php::LANGUAGE_PHP, ["php/tags.scm"], ["php/calls.scm"],
attached ["comment", "attribute_list"], comments ["comment"],
opaque [
    "namespace_use_clause", "qualified_name", "named_type", "optional_type", "union_type", "comment",
    "visibility_modifier",
] }
grammar! { PROTO, "proto", tree_sitter_proto::LANGUAGE, ["proto/tags.scm"], ["proto/calls.scm"],
attached ["comment"], comments ["comment"],
opaque ["comment", "string"] }
grammar! { PYTHON, "python", tree_sitter_python::LANGUAGE, ["python/tags.scm"], ["python/calls.scm"],
attached ["comment", "decorator"], comments ["comment"],
opaque ["dotted_name", "import_statement", "import_from_statement", "union_type"], overflows crate::scanners::python }
grammar! { RUBY, "ruby", tree_sitter_ruby::LANGUAGE, ["ruby/tags.scm"], ["ruby/calls.scm"],
attached ["comment"], comments ["comment"],
opaque [], overflows crate::scanners::ruby }
grammar! { RUST, "rust", tree_sitter_rust::LANGUAGE, ["rust/tags.scm"], ["rust/calls.scm"],
attached ["line_comment", "block_comment", "attribute_item"], comments ["line_comment", "block_comment"],
opaque [
    "line_comment", "block_comment", "string_literal", "raw_string_literal", "char_literal", "scoped_identifier",
    "scoped_type_identifier", "generic_type", "type_arguments", "type_parameters", "reference_type",
    "pointer_type", "tuple_type", "function_type", "dynamic_type", "abstract_type", "bounded_type", "trait_bounds",
    "where_clause", "attribute_item", "inner_attribute_item", "or_pattern", "tuple_struct_pattern", "tuple_pattern",
    "struct_pattern", "visibility_modifier", "lifetime", "self_parameter",
] }
grammar! { SCALA, "scala", tree_sitter_scala::LANGUAGE, ["scala/tags.scm"], ["scala/calls.scm"],
attached ["comment", "block_comment", "annotation"], comments ["comment", "block_comment"],
opaque ["string", "stable_identifier", "import_declaration", "package_identifier"] }
grammar! { SQL, "sql", tree_sitter_sequel::LANGUAGE, ["sql/tags.scm"], ["sql/calls.scm"],
attached ["comment", "marginalia"], comments ["comment", "marginalia"],
opaque [] }
grammar! { SWIFT, "swift", tree_sitter_swift::LANGUAGE, ["swift/tags.scm"], ["swift/calls.scm"],
attached ["comment", "multiline_comment", "attribute"], comments ["comment", "multiline_comment"],
opaque ["user_type", "optional_type", "array_type", "dictionary_type"] }
grammar! { TOML, "toml", tree_sitter_toml_ng::LANGUAGE, ["toml/tags.scm"], [],
attached ["comment"], comments ["comment"],
opaque ["array", "inline_table", "string", "dotted_key"] }
grammar! { TSX, "typescript", tree_sitter_typescript::LANGUAGE_TSX,
["typescript/tags.scm", "ecma/tags.scm"], ["typescript/calls.scm", "ecma/calls.scm", "ecma/jsx.scm"],
attached ["comment", "decorator"], comments ["comment"],
opaque [
    "string", "regex", "comment", "import_specifier", "predefined_type", "nested_type_identifier", "literal_type",
    "update_expression", "accessibility_modifier", "jsx_closing_element",
] }
grammar! { TYPESCRIPT, "typescript", tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
["typescript/tags.scm", "ecma/tags.scm"], ["typescript/calls.scm", "ecma/calls.scm"],
attached ["comment", "decorator"], comments ["comment"],
opaque [
    "string", "regex", "comment", "import_specifier", "predefined_type", "nested_type_identifier", "literal_type",
    "update_expression", "accessibility_modifier",
] }
grammar! { YAML, "yaml", tree_sitter_yaml::LANGUAGE, ["yaml/tags.scm"], [],
attached ["comment"], comments ["comment"],
opaque [
    "block_sequence", "flow_sequence", "flow_mapping", "plain_scalar", "double_quote_scalar", "single_quote_scalar",
    "block_scalar",
], overflows crate::scanners::yaml }
grammar! { ZIG, "zig", tree_sitter_zig::LANGUAGE, ["zig/tags.scm"], ["zig/calls.scm"],
attached ["comment"], comments ["comment"],
opaque ["string"] }
