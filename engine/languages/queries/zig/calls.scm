; Zig: what is used.

(call_expression function: [(identifier) @name (field_expression member: (identifier) @name)]) @reference.call
(builtin_function
  (builtin_identifier) @_call
  (arguments . (string (string_content) @name))
  (#any-of? @_call "@import" "@cImport" "@embedFile")) @reference.import
(struct_initializer . (identifier) @name (#not-eq? @name "Self")) @reference.call

; Types that can be seen.
(parameter name: (identifier) @name type: (_) @type) @binding
(container_field name: (identifier) @name type: (_) @type) @binding
