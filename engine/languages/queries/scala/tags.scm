; Scala: what is defined.

(package_clause name: (package_identifier [(identifier) (operator_identifier)] @name .) body: (_)? @body) @definition.module
(package_object name: (identifier) @name body: (_)? @body) @definition.module
(class_definition name: (_) @name body: (_)? @body) @definition.class
(object_definition name: (_) @name body: (_)? @body) @definition.class
(trait_definition name: (_) @name body: (_)? @body) @definition.interface
(enum_definition name: (_) @name body: (_) @body) @definition.enum
(enum_case_definitions (simple_enum_case name: (_) @name)) @definition.field
(enum_case_definitions (full_enum_case name: (_) @name)) @definition.field
(type_definition name: (type_identifier) @name) @definition.type
(given_definition name: (_) @name body: (_)? @body) @definition.impl
(extension_definition "extension" @name) @definition.impl

(function_definition name: (identifier) @name body: (_) @body (#eq? @name "this")) @definition.constructor
(function_definition name: (_) @name body: (_) @body) @definition.function
(function_declaration name: (_) @name) @definition.method
(val_definition pattern: [(identifier) @name (identifiers (identifier) @name)]) @definition.variable
(var_definition pattern: [(identifier) @name (identifiers (identifier) @name)]) @definition.variable
(val_declaration name: (identifier) @name) @definition.variable
(var_declaration name: (identifier) @name) @definition.variable
(class_parameter ["val" "var"] name: (identifier) @name) @definition.field
[(lambda_expression) (block) (case_clause) (for_expression)] @scope

; Tests go by what they say of themselves.
(call_expression
  function: (call_expression function: (identifier) @_call arguments: (arguments . (string) @name))
  arguments: (_) @body
  (#any-of? @_call "test" "it" "describe" "property" "ignore")) @definition.test
