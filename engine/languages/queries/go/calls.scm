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

(import_spec
  name: [(package_identifier) (dot) (blank_identifier)] @alias
  path: (interpreted_string_literal (interpreted_string_literal_content) @name)) @reference.import
(import_spec !name path: (interpreted_string_literal (interpreted_string_literal_content) @name)) @reference.import

; An embedded type.
(field_declaration !name type: [(type_identifier) @name (qualified_type name: (type_identifier) @name)]) @reference.extends
(interface_type
  (type_elem [(type_identifier) @name (qualified_type name: (type_identifier) @name)])) @reference.extends

; Functions handed on.
(argument_list [(identifier) @name (selector_expression field: (field_identifier) @name)]) @reference.value
(keyed_element (literal_element (identifier) @name) .) @reference.value

; Types that can be seen.
(parameter_declaration name: (identifier) @name type: (_) @type) @binding
(field_declaration name: (field_identifier) @name type: (_) @type) @binding
(var_spec name: (identifier) @name type: (_) @type) @binding
(var_spec . name: (identifier) @name !type value: (expression_list . (_) @value)) @binding
(short_var_declaration
  left: (expression_list . (identifier) @name)
  right: (expression_list . (_) @value)) @binding
