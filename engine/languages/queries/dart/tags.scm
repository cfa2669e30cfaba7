; Dart: what is defined.

(library_name (dotted_identifier_list (identifier) @name .)) @definition.module
(class_declaration name: (identifier) @name body: (_)? @body) @definition.class
(mixin_declaration name: (identifier) @name body: (_)? @body) @definition.interface
(extension_declaration name: (identifier) @name body: (_)? @body) @definition.impl
(extension_type_declaration
  name: [(identifier) @name (extension_type_name (identifier) @name)]
  body: (_)? @body) @definition.class
(enum_declaration name: (identifier) @name body: (_)? @body) @definition.enum
(enum_entry name: (identifier) @name) @definition.field
(type_alias (type_identifier) @name) @definition.type

(function_declaration signature: (function_signature name: (identifier) @name) body: (_) @body) @definition.function
(external_function_declaration (function_signature name: (identifier) @name)) @definition.function
(local_function_declaration (function_signature name: (identifier) @name) (function_body) @body) @definition.function
(getter_declaration signature: (getter_signature name: (identifier) @name) body: (_) @body) @definition.function
(setter_declaration signature: (setter_signature name: (identifier) @name) body: (_) @body) @definition.function
(function_expression) @scope

; A getter and its setter are one definition.
(member_declaration
  (method_declaration
    signature: (method_signature [
      (function_signature name: (identifier) @name)
      (getter_signature name: (identifier) @name)
      (setter_signature name: (identifier) @name)
      (operator_signature operator: _ @name)
    ])
    body: (_) @body)
  (#set! merge)) @definition.method
(member_declaration
  (method_declaration
    signature: (method_signature [
      (constructor_signature name: (identifier) @name .  (formal_parameter_list))
      (factory_constructor_signature name: (identifier) @name . (formal_parameter_list))
    ])
    body: (_) @body)) @definition.constructor
(member_declaration
  (declaration [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (operator_signature operator: _ @name)
  ])) @definition.method
(member_declaration
  (declaration [
    (constructor_signature name: (identifier) @name . (formal_parameter_list))
    (constant_constructor_signature name: (identifier) @name . (formal_parameter_list))
    (redirecting_factory_constructor_signature name: (identifier) @name . (formal_parameter_list))
    (factory_constructor_signature name: (identifier) @name . (formal_parameter_list))
  ])) @definition.constructor
(member_declaration
  (declaration [
    (initialized_identifier_list (initialized_identifier name: (identifier) @name))
    (static_final_declaration_list (static_final_declaration name: (identifier) @name))
    (identifier_list (identifier) @name)
  ])) @definition.field
(top_level_variable_declaration [
  (initialized_identifier_list (initialized_identifier name: (identifier) @name))
  (static_final_declaration_list (static_final_declaration name: (identifier) @name))
]) @definition.variable

; Tests go by what they say of themselves.
(expression_statement
  (call_expression
    function: (identifier) @_call
    arguments: (arguments
      . (string_literal [
        (string_literal_single_quotes (template_chars_single_single) @name)
        (string_literal_double_quotes (template_chars_double_single) @name)
      ])
      (function_expression body: (_) @body)))
  (#any-of? @_call "test" "group" "testWidgets")) @definition.test
