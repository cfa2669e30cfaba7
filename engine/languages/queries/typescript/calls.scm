; TypeScript: what is used, beyond what it shares with JavaScript.

(extends_clause value: [(identifier) @name (member_expression property: (property_identifier) @name)]) @reference.extends
(implements_clause [
  (type_identifier) @name
  (nested_type_identifier name: (type_identifier) @name)
  (generic_type name: (type_identifier) @name)
  (generic_type name: (nested_type_identifier name: (type_identifier) @name))
]) @reference.extends
(extends_type_clause type: [
  (type_identifier) @name
  (nested_type_identifier name: (type_identifier) @name)
  (generic_type name: (type_identifier) @name)
  (generic_type name: (nested_type_identifier name: (type_identifier) @name))
]) @reference.extends
