; Python: what is defined.

(class_definition
  name: (identifier) @name
  body: (block . (expression_statement (string (string_content) @doc))? ) @body) @definition.class
(function_definition
  name: (identifier) @name
  body: (block . (expression_statement (string (string_content) @doc))? ) @body) @definition.function
; Decorators stand outside of what they decorate.
(decorated_definition) @widen
(lambda) @scope

(expression_statement . (assignment left: (identifier) @name) .) @definition.variable
(type_alias_statement left: (type (identifier) @name)) @definition.type
(type_alias_statement left: (type (generic_type (identifier) @name))) @definition.type
