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

; Functions handed on.
(argument_list [(identifier) @name (pointer_expression argument: (identifier) @name)]) @reference.value
(argument_list (pointer_expression argument: (qualified_identifier name: (identifier) @name))) @reference.value
(initializer_list (identifier) @name) @reference.value
(assignment_expression right: (identifier) @name) @reference.value

; Types that can be seen.
(parameter_declaration
  type: (_) @type
  declarator: [
    (identifier) @name
    (reference_declarator (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
  ]) @binding
(declaration
  type: (_) @type
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (init_declarator
      declarator: [
        (identifier) @name
        (reference_declarator (identifier) @name)
        (pointer_declarator declarator: (identifier) @name)
      ]
      value: (_) @value)
  ]) @binding
(field_declaration
  type: (_) @type
  declarator: [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)]) @binding
