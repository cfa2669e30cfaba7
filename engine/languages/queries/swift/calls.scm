; Swift: what is used.

(call_expression . [
  (simple_identifier) @name
  (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @name))
]) @reference.call
(constructor_expression constructed_type: (user_type . (type_identifier) @name)) @reference.call
(attribute (user_type . (type_identifier) @name)) @reference.call
(macro_invocation . (simple_identifier) @name) @reference.call
(import_declaration (identifier (simple_identifier) @name .)) @reference.import
(inheritance_specifier inherits_from: (user_type . (type_identifier) @name)) @reference.extends

; Types that can be seen.
(parameter name: (simple_identifier) @name (_) @type .) @binding
(property_declaration name: (pattern (simple_identifier) @name) (type_annotation (_) @type)) @binding
(property_declaration name: (pattern (simple_identifier) @name) value: (_) @value) @binding
