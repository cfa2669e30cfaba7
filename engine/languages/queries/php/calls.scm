; PHP: what is used.

(function_call_expression
  function: [(name) @name (qualified_name (name) @name) (relative_name (name) @name)]) @reference.call
(member_call_expression name: (name) @name) @reference.call
(nullsafe_member_call_expression name: (name) @name) @reference.call
(scoped_call_expression name: (name) @name) @reference.call
(object_creation_expression . [(name) @name (qualified_name (name) @name)]) @reference.call
(attribute . [(name) @name (qualified_name (name) @name)]) @reference.call

(namespace_use_clause . [(name) @name (qualified_name (name) @name)] alias: (name) @alias) @reference.import
(namespace_use_clause . [(name) @name (qualified_name (name) @name)] !alias) @reference.import

(base_clause [(name) @name (qualified_name (name) @name)]) @reference.extends
(class_interface_clause [(name) @name (qualified_name (name) @name)]) @reference.extends
(use_declaration [(name) @name (qualified_name (name) @name)]) @reference.extends

; Types that can be seen.
(simple_parameter type: (_) @type name: (variable_name) @name) @binding
(property_promotion_parameter type: (_) @type name: (variable_name) @name @path) @binding
(property_declaration type: (_) @type (property_element name: (variable_name) @name)) @binding
(assignment_expression left: (variable_name) @name right: (_) @value) @binding
(assignment_expression
  left: (member_access_expression object: (variable_name) @path name: (name) @name)
  right: (_) @value) @binding
