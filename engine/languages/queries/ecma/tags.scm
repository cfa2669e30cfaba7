; JavaScript and TypeScript: what is defined. Of two patterns for one node the first counts.

; The overloads of a function are one definition with it, and so are a getter and its setter.
(function_declaration name: (identifier) @name body: (_) @body (#set! merge)) @definition.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function
(method_definition name: (property_identifier) @name body: (_) @body (#eq? @name "constructor")) @definition.constructor
(method_definition
  name: [(property_identifier) (private_property_identifier) (string) (number)] @name
  body: (_) @body
  (#set! merge)) @definition.method

; Functions and classes under a variable's name.
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class
(variable_declarator name: (identifier) @name) @definition.variable
(lexical_declaration . (variable_declarator name: (identifier) @name) .) @widen
(variable_declaration . (variable_declarator name: (identifier) @name) .) @widen
(pair
  key: [(property_identifier) @name (string (string_fragment) @name)]
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method

; `exports.x = function …`, `Thing.prototype.x = function …`, `x.y = class …`
(expression_statement
  (assignment_expression
    left: [(identifier) @name (member_expression property: (property_identifier) @name)]
    right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @definition.function
(expression_statement
  (assignment_expression
    left: (member_expression property: (property_identifier) @name)
    right: (class body: (_) @body))) @definition.class

(export_statement declaration: (_ name: (_) @name)) @widen
(export_statement
  declaration: [
    (lexical_declaration . (variable_declarator name: (identifier) @name) .)
    (variable_declaration . (variable_declarator name: (identifier) @name) .)
  ]) @widen
(export_statement
  "default" @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression !name body: (_) @body)
  ]) @definition.function
(export_statement "default" @name value: (class !name body: (_) @body)) @definition.class

; Tests go by what they say of themselves.
(expression_statement
  (call_expression
    function: [
      (identifier) @_call
      (member_expression object: (identifier) @_call)
    ]
    arguments: (arguments . [(string (string_fragment) @name) (template_string (string_fragment) @name)]
      [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))
  (#any-of? @_call "describe" "it" "test" "suite" "context" "specify")) @definition.test

[
  (arrow_function)
  (function_expression)
  (generator_function)
  (for_statement)
  (for_in_statement)
  (while_statement)
  (if_statement)
  (try_statement)
  (class_static_block)
] @scope
