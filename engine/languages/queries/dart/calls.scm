; Dart: what is used.

(call_expression function: [
  (identifier) @name
  (member_expression property: (identifier) @name)
  (null_aware_member_expression property: (identifier) @name)
]) @reference.call
(new_expression (type (type_identifier) @name)) @reference.call
(const_object_expression (type (type_identifier) @name)) @reference.call
(annotation name: (identifier) @name) @reference.call

(import_specification uri: (configurable_uri (uri (string_literal [
  (string_literal_single_quotes (template_chars_single_single) @name)
  (string_literal_double_quotes (template_chars_double_single) @name)
])))) @reference.import
(superclass type: (type . (type_identifier) @name)) @reference.extends
(mixins (type . (type_identifier) @name)) @reference.extends
(interfaces (type . (type_identifier) @name)) @reference.extends

; Types that can be seen.
(formal_parameter (type) @type name: (identifier) @name) @binding
