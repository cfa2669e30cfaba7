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
(import_specifier name: [(identifier) (string)] @name) @reference.import
(import_clause (identifier) @name) @reference.import
(namespace_import (identifier) @name) @reference.import
(variable_declarator
  name: [(identifier) @name (object_pattern (shorthand_property_identifier_pattern) @name)]
  value: (call_expression function: (identifier) @_require)
  (#eq? @_require "require")) @reference.import
