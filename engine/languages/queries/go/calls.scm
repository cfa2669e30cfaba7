; Go: what is used.

(call_expression
  function: [
    (identifier) @name
    (selector_expression field: (field_identifier) @name)
    (parenthesized_expression (identifier) @name)
  ]) @reference.call
(composite_literal
  type: [(type_identifier) @name (qualified_type name: (type_identifier) @name)
    (generic_type type: (type_identifier) @name)]) @reference.call

(import_spec path: (interpreted_string_literal (interpreted_string_literal_content) @name)) @reference.import

; An embedded type.
(field_declaration !name type: [(type_identifier) @name (qualified_type name: (type_identifier) @name)]) @reference.extends
(interface_type
  (type_elem [(type_identifier) @name (qualified_type name: (type_identifier) @name)])) @reference.extends
