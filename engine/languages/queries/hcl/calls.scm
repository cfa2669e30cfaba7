; HCL: what is used.

(function_call . (identifier) @name) @reference.call
(block
  . (identifier) @_kind
  (body (attribute . (identifier) @_key (expression (literal_value (string_lit (template_literal) @name)))))
  (#eq? @_kind "module")
  (#eq? @_key "source")) @reference.import

; Variables, locals, modules, resources and data, by their names.
(expression . (variable_expr (identifier) @_root) . (get_attr (identifier) @name) (#not-any-of? @_root "data" "each" "self" "count" "path" "terraform")) @reference.value
(expression . (variable_expr (identifier) @_root) . (get_attr) . (get_attr (identifier) @name) (#eq? @_root "data")) @reference.value
