; C++: what is used.

(call_expression
  function: [
    (identifier) @name
    (field_expression field: [(field_identifier) @name (template_method name: (field_identifier) @name)])
    (template_function name: (identifier) @name)
    (qualified_identifier name: [(identifier) @name (template_function name: (identifier) @name)])
    (qualified_identifier name: (qualified_identifier
      name: [(identifier) @name (template_function name: (identifier) @name)]))
    (qualified_identifier name: (qualified_identifier name: (qualified_identifier
      name: [(identifier) @name (template_function name: (identifier) @name)])))
  ]) @reference.call
(new_expression
  type: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
    (qualified_identifier name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
  ]) @reference.call
(preproc_include path: (string_literal (string_content) @name)) @reference.import
(preproc_include path: (system_lib_string) @name) @reference.import
(using_declaration (qualified_identifier name: (identifier) @name)) @reference.import
(base_class_clause [
  (type_identifier) @name
  (template_type name: (type_identifier) @name)
  (qualified_identifier name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
]) @reference.extends
