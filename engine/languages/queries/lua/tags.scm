; Lua: what is defined.

(function_declaration
  name: [(identifier) @name (dot_index_expression field: (identifier) @name)]
  body: (_)? @body) @definition.function
(function_declaration name: (method_index_expression method: (identifier) @name) body: (_)? @body) @definition.method
(assignment_statement
  (variable_list . name: [(identifier) @name (dot_index_expression field: (identifier) @name)] .)
  (expression_list . value: (function_definition body: (_)? @body) .)) @definition.function
(assignment_statement
  (variable_list name: [(identifier) @name (dot_index_expression field: (identifier) @name)])) @definition.variable
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name .))) @widen
(variable_declaration (variable_list name: (identifier) @name)) @definition.variable
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @definition.method
[(function_definition) (for_statement) (while_statement) (if_statement) (do_statement) (repeat_statement)] @scope

; Tests go by what they say of themselves.
(function_call
  name: (identifier) @_call
  arguments: (arguments . (string content: (_) @name) (function_definition body: (_)? @body))
  (#any-of? @_call "describe" "context" "it" "test" "insulate" "pending")) @definition.test
