; Zig: what is defined.

(function_declaration name: (identifier) @name body: (_)? @body) @definition.function
(variable_declaration
  . (identifier) @name
  [(struct_declaration) (opaque_declaration) (union_declaration)]) @definition.class
(variable_declaration . (identifier) @name [(enum_declaration) (error_set_declaration)]) @definition.enum
(variable_declaration . (identifier) @name) @definition.variable
(error_set_declaration (identifier) @name (#set! narrow)) @definition.field
(container_field name: (identifier) @name) @definition.field
(test_declaration [(string (string_content) @name) (identifier) @name] (block) @body) @definition.test
