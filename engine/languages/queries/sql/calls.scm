; SQL: what is used.

(invocation (object_reference name: (identifier) @name)) @reference.call
(relation (object_reference name: (identifier) @name)) @reference.call
(column_definition (keyword_references) (object_reference name: (identifier) @name)) @reference.call
