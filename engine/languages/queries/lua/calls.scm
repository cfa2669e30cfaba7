; Lua: what is used.

(function_call
  name: [
    (identifier) @name
    (dot_index_expression field: (identifier) @name)
    (method_index_expression method: (identifier) @name)
  ]
  (#not-eq? @name "require")) @reference.call
(function_call
  name: (identifier) @_call
  arguments: (arguments . (string content: (_) @name))
  (#any-of? @_call "require" "dofile" "loadfile")) @reference.import
