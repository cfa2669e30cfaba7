; PHP: what is used.

(function_call_expression
  function: [(name) @name (qualified_name (name) @name) (relative_name (name) @name)]) @reference.call
(member_call_expression name: (name) @name) @reference.call
(nullsafe_member_call_expression name: (name) @name) @reference.call
(scoped_call_expression name: (name) @name) @reference.call
(object_creation_expression . [(name) @name (qualified_name (name) @name)]) @reference.call
(attribute . [(name) @name (qualified_name (name) @name)]) @reference.call

(namespace_use_clause . [(name) @name (qualified_name (name) @name)]) @reference.import

(base_clause [(name) @name (qualified_name (name) @name)]) @reference.extends
(class_interface_clause [(name) @name (qualified_name (name) @name)]) @reference.extends
(use_declaration [(name) @name (qualified_name (name) @name)]) @reference.extends
