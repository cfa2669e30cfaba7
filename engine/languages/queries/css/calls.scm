; CSS: what is used.

(import_statement [
  (string_value (string_content) @name)
  (call_expression (arguments (string_value (string_content) @name)))
]) @reference.import
