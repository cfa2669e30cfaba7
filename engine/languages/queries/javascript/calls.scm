; JavaScript: what is used, beyond what it shares with TypeScript.

(class_declaration
  (class_heritage [(identifier) @name (member_expression property: (property_identifier) @name)])) @reference.extends
(class
  (class_heritage [(identifier) @name (member_expression property: (property_identifier) @name)])) @reference.extends

(field_definition property: (property_identifier) @name value: (_) @value) @binding
