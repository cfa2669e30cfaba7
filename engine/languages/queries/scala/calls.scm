; Scala: what is used.

(call_expression
  function: [
    (identifier) @name
    (field_expression field: (identifier) @name)
    (generic_function function: [(identifier) @name (field_expression field: (identifier) @name)])
  ]) @reference.call
(instance_expression [(type_identifier) @name (generic_type type: (type_identifier) @name)
  (stable_type_identifier (type_identifier) @name)]) @reference.call
(annotation name: [(type_identifier) @name (generic_type type: (type_identifier) @name)]) @reference.call
(import_declaration path: (identifier) @name .) @reference.import
(import_declaration (namespace_selectors [(identifier) @name
  (arrow_renamed_identifier . (identifier) @name) (as_renamed_identifier . (identifier) @name)])) @reference.import
(extends_clause type: [(type_identifier) @name (generic_type type: (type_identifier) @name)
  (stable_type_identifier (type_identifier) @name)]) @reference.extends

; Functions handed on.
(arguments (identifier) @name) @reference.value

; Types that can be seen.
(parameter name: (identifier) @name type: (_) @type) @binding
(class_parameter name: (identifier) @name type: (_) @type) @binding
(val_definition pattern: (identifier) @name type: (_) @type) @binding
(val_definition pattern: (identifier) @name !type value: (_) @value) @binding
(var_definition pattern: (identifier) @name type: (_) @type) @binding
(var_definition pattern: (identifier) @name !type value: (_) @value) @binding
