; Rust: what is used.

(call_expression
  function: [
    (identifier) @name
    (scoped_identifier name: (identifier) @name)
    (field_expression field: (field_identifier) @name)
    (generic_function function: (identifier) @name)
    (generic_function function: (scoped_identifier name: (identifier) @name))
    (generic_function function: (field_expression field: (field_identifier) @name))
  ]) @reference.call
(macro_invocation macro: [(identifier) @name (scoped_identifier name: (identifier) @name)]) @reference.call
(struct_expression
  name: [(type_identifier) @name (scoped_type_identifier name: (type_identifier) @name)]
  (#not-eq? @name "Self")) @reference.call
; The arguments of a macro are tokens only: a name before parentheses is taken for a call.
(token_tree (identifier) @name . (token_tree . "(")) @reference.call

(scoped_use_list path: (_) @path) @origin
(use_declaration
  argument: [
    (identifier) @name
    (scoped_identifier path: (_) @path name: (identifier) @name)
    (use_as_clause path: (identifier) @name alias: (identifier) @alias)
    (use_as_clause path: (scoped_identifier path: (_) @path name: (identifier) @name) alias: (identifier) @alias)
  ]) @reference.import
(use_list [
  (identifier) @name
  (self) @name
  (scoped_identifier path: (_) @path name: (identifier) @name)
  (use_as_clause path: (identifier) @name alias: (identifier) @alias)
  (use_as_clause path: (self) @name alias: (identifier) @alias)
  (use_as_clause path: (scoped_identifier path: (_) @path name: (identifier) @name) alias: (identifier) @alias)
]) @reference.import
(use_wildcard (_) @path "*" @name) @reference.import
(use_wildcard . "*" @name) @reference.import

(impl_item
  trait: [
    (type_identifier) @name
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
  ]) @reference.extends
(trait_item
  bounds: (trait_bounds [
    (type_identifier) @name
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: (type_identifier) @name)
  ])) @reference.extends

; Functions handed on.
(arguments [(identifier) @name (scoped_identifier name: (identifier) @name)]) @reference.value
(field_initializer value: [(identifier) @name (scoped_identifier name: (identifier) @name)]) @reference.value

; Types that can be seen.
(parameter pattern: [(identifier) @name (mut_pattern (identifier) @name)] type: (_) @type) @binding
(field_declaration name: (field_identifier) @name type: (_) @type) @binding
(let_declaration pattern: (identifier) @name type: (_) @type) @binding
(let_declaration pattern: (identifier) @name !type value: (_) @value) @binding
(const_item name: (identifier) @name type: (_) @type) @binding
(static_item name: (identifier) @name type: (_) @type) @binding
(let_declaration
  pattern: (tuple_pattern . [(identifier) @name (mut_pattern (identifier) @name)])
  value: (_) @value) @binding
(let_declaration
  pattern: (tuple_pattern . (_) . [(identifier) @name (mut_pattern (identifier) @name)])
  value: (_) @value
  (#set! second)) @binding
