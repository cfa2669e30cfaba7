; C++: what is defined.

(namespace_definition name: (_) @name body: (_) @body) @definition.module
(class_specifier
  name: [(type_identifier) @name (template_type name: (type_identifier) @name)
    (qualified_identifier name: (type_identifier) @name)]
  body: (_) @body) @definition.class
(struct_specifier
  name: [(type_identifier) @name (template_type name: (type_identifier) @name)
    (qualified_identifier name: (type_identifier) @name)]
  body: (_) @body) @definition.class
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.class
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.field
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.interface
(type_definition
  type: [(struct_specifier body: (_) @body) (union_specifier body: (_) @body)]
  declarator: (type_identifier) @name) @definition.class
(type_definition type: (enum_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition
  declarator: [
    (type_identifier) @name
    (_ (type_identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (_ (type_identifier) @name)))
  ]) @definition.type

; What comes back may be a pointer or a reference, which stands around the declarator.
(function_definition
  declarator: [
    (function_declarator declarator: [
      (identifier) @name
      (field_identifier) @name
      (destructor_name) @name
      (operator_name) @name
    ])
    (_ (function_declarator declarator: [
      (identifier) @name
      (field_identifier) @name
      (destructor_name) @name
      (operator_name) @name
    ]))
    (_ (_ (function_declarator declarator: [
      (identifier) @name
      (field_identifier) @name
      (destructor_name) @name
      (operator_name) @name
    ])))
  ]
  body: (_)? @body
  (#not-any-of? @name "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P")) @definition.function
; GoogleTest: `TEST_F(Fixture, Name) { … }`.
(function_definition
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list (parameter_declaration) (parameter_declaration type: (type_identifier) @name) .))
  body: (_) @body
  (#any-of? @_macro "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P")) @definition.test
(function_definition
  declarator: [
    (function_declarator declarator: [
      (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name)
      (qualified_identifier name: (template_function name: (identifier) @name))
      (qualified_identifier name: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name))
      (qualified_identifier name: (qualified_identifier
        name: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name)))
    ])
    (_ (function_declarator declarator: [
      (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name)
      (qualified_identifier name: (template_function name: (identifier) @name))
      (qualified_identifier name: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name))
      (qualified_identifier name: (qualified_identifier
        name: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name)))
    ]))
    (_ (_ (function_declarator declarator: [
      (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name)
      (qualified_identifier name: (template_function name: (identifier) @name))
      (qualified_identifier name: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name))
      (qualified_identifier name: (qualified_identifier
        name: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name)))
    ])))
  ]
  body: (_)? @body) @definition.method
(declaration
  declarator: [
    (function_declarator declarator: [
      (identifier) @name
      (field_identifier) @name
      (destructor_name) @name
      (operator_name) @name
    ])
    (_ (function_declarator declarator: [
      (identifier) @name
      (field_identifier) @name
      (destructor_name) @name
      (operator_name) @name
    ]))
    (_ (_ (function_declarator declarator: [
      (identifier) @name
      (field_identifier) @name
      (destructor_name) @name
      (operator_name) @name
    ])))
  ]) @definition.function
(field_declaration
  declarator: [
    (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)
    (_ (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name))
    (_ (_ (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)))
  ]) @definition.method
(function_definition declarator: (operator_cast type: (_) @name) body: (_)? @body) @definition.method
(template_declaration) @widen
(lambda_expression) @scope

(field_declaration
  declarator: [
    (field_identifier) @name
    (_ (field_identifier) @name)
    (_ (_ (field_identifier) @name))
    (function_declarator declarator: (parenthesized_declarator
      (pointer_declarator declarator: (field_identifier) @name)))
  ]) @definition.field

; Without a value it is an include guard or a switch.
(preproc_def name: (identifier) @name value: (_)) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

(declaration
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: [
      (identifier) @name
      (pointer_declarator declarator: (identifier) @name)
      (array_declarator declarator: (identifier) @name)
      (reference_declarator (identifier) @name)
    ])
  ]) @definition.variable
