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

; What functions return, where their parameters are the value.
(function_declaration
  name: (identifier) @name
  parameters: (_) @value
  return_type: (type_annotation (_) @type)) @binding
(function_signature
  name: (identifier) @name
  parameters: (_) @value
  return_type: (type_annotation (_) @type)) @binding
(method_definition
  name: (property_identifier) @name
  parameters: (_) @value
  return_type: (type_annotation (_) @type)) @binding
(method_signature
  name: (property_identifier) @name
  parameters: (_) @value
  return_type: (type_annotation (_) @type)) @binding
(public_field_definition
  name: (property_identifier) @name
  value: (arrow_function parameters: (_) @value return_type: (type_annotation (_) @type))) @binding

; Types that can be seen.
(required_parameter (accessibility_modifier) @path pattern: (identifier) @name type: (_) @type) @binding
(required_parameter pattern: (identifier) @name type: (_) @type) @binding
(optional_parameter pattern: (identifier) @name type: (_) @type) @binding
(variable_declarator name: (identifier) @name type: (_) @type) @binding
(public_field_definition name: (property_identifier) @name type: (_) @type) @binding
(public_field_definition name: (property_identifier) @name !type value: (_) @value) @binding
(property_signature name: (property_identifier) @name type: (_) @type) @binding
