; JavaScript: what is defined, beyond what it shares with TypeScript.

(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(field_definition
  property: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @definition.field
