; C#: what is used.

(invocation_expression
  function: [
    (identifier) @name
    (generic_name (identifier) @name)
    (member_access_expression name: [(identifier) @name (generic_name (identifier) @name)])
    (conditional_access_expression
      (member_binding_expression name: [(identifier) @name (generic_name (identifier) @name)]))
  ]) @reference.call
(object_creation_expression
  type: [
    (identifier) @name
    (generic_name (identifier) @name)
    (qualified_name name: [(identifier) @name (generic_name (identifier) @name)])
  ]) @reference.call
(attribute name: [(identifier) @name (qualified_name name: (identifier) @name)]) @reference.call

(using_directive !name (identifier) @name) @reference.import
(using_directive (qualified_name name: (identifier) @name)) @reference.import

(base_list [
  (identifier) @name
  (generic_name (identifier) @name)
  (qualified_name name: [(identifier) @name (generic_name (identifier) @name)])
  (primary_constructor_base_type type: [(identifier) @name (generic_name (identifier) @name)])
]) @reference.extends
