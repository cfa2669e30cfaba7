; Java: what is used.

(method_invocation name: (identifier) @name) @reference.call
(method_reference (identifier) @name .) @reference.value
(object_creation_expression
  type: [
    (type_identifier) @name
    (scoped_type_identifier (type_identifier) @name .)
    (generic_type (type_identifier) @name)
  ]) @reference.call
(marker_annotation name: [(identifier) @name (scoped_identifier name: (identifier) @name)]) @reference.call
(annotation name: [(identifier) @name (scoped_identifier name: (identifier) @name)]) @reference.call

(import_declaration (scoped_identifier name: (identifier) @name) .) @reference.import
(import_declaration (scoped_identifier) @path (asterisk) @name) @reference.import

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

; Types that can be seen.
(formal_parameter type: (_) @type name: (identifier) @name) @binding
(local_variable_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @name value: (_)? @value)) @binding
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @binding
(enhanced_for_statement type: (_) @type name: (identifier) @name) @binding
(resource type: (_) @type name: (identifier) @name) @binding
