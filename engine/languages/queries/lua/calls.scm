; Lua: what is used.

(function_call
  name: [
    (identifier) @name
    (dot_index_expression field: (identifier) @name)
    (method_index_expression method: (identifier) @name)
  ]
  (#not-eq? @name "require")) @reference.call
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @alias)
    (expression_list . value: (function_call
      name: (identifier) @_call
      arguments: (arguments . (string content: (_) @name)))))
  (#eq? @_call "require")) @reference.import
(function_call
  name: (identifier) @_call
  arguments: (arguments . (string content: (_) @name))
  (#any-of? @_call "require" "dofile" "loadfile")) @reference.import

; Functions handed on.
(arguments (identifier) @name) @reference.value
(field value: (identifier) @name) @reference.value
