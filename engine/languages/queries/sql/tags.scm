; SQL: what is defined.

(create_table [(keyword_table) (keyword_exists)] . (object_reference name: (identifier) @name) (column_definitions)? @body) @definition.class
(create_view [(keyword_view) (keyword_exists)] . (object_reference name: (identifier) @name)) @definition.class
(create_materialized_view [(keyword_view) (keyword_exists)] . (object_reference name: (identifier) @name)) @definition.class
(create_function (keyword_function) . (object_reference name: (identifier) @name) (function_body)? @body) @definition.function
(create_trigger [(keyword_trigger) (keyword_exists)] . (object_reference name: (identifier) @name)) @definition.function
(create_type [(keyword_type) (keyword_exists)] . (object_reference name: (identifier) @name)) @definition.type
(create_schema (identifier) @name) @definition.module
(create_index column: (identifier) @name) @definition.variable
(create_sequence [(keyword_sequence) (keyword_exists)] . (object_reference name: (identifier) @name)) @definition.variable
(column_definition name: (identifier) @name) @definition.field
