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

; Types that can be seen.
(required_parameter (accessibility_modifier) @path pattern: (identifier) @name type: (_) @type) @binding
(required_parameter pattern: (identifier) @name type: (_) @type) @binding
(optional_parameter pattern: (identifier) @name type: (_) @type) @binding
(variable_declarator name: (identifier) @name type: (_) @type) @binding
(public_field_definition name: (property_identifier) @name type: (_) @type) @binding
(public_field_definition name: (property_identifier) @name !type value: (_) @value) @binding
(property_signature name: (property_identifier) @name type: (_) @type) @binding
