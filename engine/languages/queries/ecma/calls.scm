; JavaScript and TypeScript: what is used.

(call_expression
  function: [
    (identifier) @name
    (member_expression property: [(property_identifier) (private_property_identifier)] @name)
  ]
  (#not-eq? @name "require")) @reference.call
(new_expression
  constructor: [(identifier) @name (member_expression property: (property_identifier) @name)]) @reference.call
(decorator [
  (identifier) @name
  (member_expression property: (property_identifier) @name)
]) @reference.call
(import_statement source: (string) @path) @origin
(export_statement source: (string) @path) @origin
(import_specifier name: [(identifier) (string)] @name !alias) @reference.import
(import_specifier name: [(identifier) (string)] @name alias: (identifier) @alias) @reference.import
(export_statement "*" @name source: (_)) @reference.import
(export_statement
  (export_clause [
    (export_specifier name: (identifier) @name !alias)
    (export_specifier name: (identifier) @name alias: (identifier) @alias)
  ])
  source: (_)) @reference.import
; `export * as name from "…"`, and `export { name as other }` of what the file has itself.
(export_statement (namespace_export [(identifier) (string)] @name) source: (_)) @reference.import
(export_statement
  (export_clause (export_specifier name: (identifier) @name alias: (identifier) @alias))
  !source) @reference.import
(import_clause (identifier) @name) @reference.import
(namespace_import (identifier) @name) @reference.import
(variable_declarator
  name: [
    (identifier) @name
    (object_pattern [
      (shorthand_property_identifier_pattern) @name
      (pair_pattern key: (property_identifier) @name value: (identifier) @alias)
    ])
  ]
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @path))
  (#eq? @_require "require")) @reference.import

; Functions handed on.
(arguments [(identifier) @name (member_expression property: (property_identifier) @name)]) @reference.value
(pair value: (identifier) @name) @reference.value
(array (identifier) @name) @reference.value
(return_statement (identifier) @name) @reference.value
(assignment_expression right: (identifier) @name) @reference.value

; Types that can be seen.
(variable_declarator
  name: (identifier) @name
  value: [(new_expression) (call_expression) (await_expression) (member_expression)] @value) @binding
(assignment_expression
  left: (member_expression object: (this) @path property: (property_identifier) @name)
  right: (_) @value) @binding
