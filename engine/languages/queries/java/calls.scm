; Java: what is used.

(method_invocation name: (identifier) @name) @reference.call
(method_reference (identifier) @name .) @reference.call
(object_creation_expression
  type: [
    (type_identifier) @name
    (scoped_type_identifier (type_identifier) @name .)
    (generic_type (type_identifier) @name)
  ]) @reference.call
(marker_annotation name: [(identifier) @name (scoped_identifier name: (identifier) @name)]) @reference.call
(annotation name: [(identifier) @name (scoped_identifier name: (identifier) @name)]) @reference.call

(import_declaration (scoped_identifier name: (identifier) @name)) @reference.import

(superclass [
  (type_identifier) @name
  (scoped_type_identifier (type_identifier) @name .)
  (generic_type (type_identifier) @name)
]) @reference.extends
(type_list [
  (type_identifier) @name
  (scoped_type_identifier (type_identifier) @name .)
  (generic_type (type_identifier) @name)
]) @reference.extends
