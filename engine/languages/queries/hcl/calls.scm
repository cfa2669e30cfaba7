; HCL: what is used.

(function_call . (identifier) @name) @reference.call
(block
  . (identifier) @_kind
  (body (attribute . (identifier) @_key (expression (literal_value (string_lit (template_literal) @name)))))
  (#eq? @_kind "module")
  (#eq? @_key "source")) @reference.import
