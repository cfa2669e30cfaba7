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

(using_directive name: (identifier) @alias [(identifier) @name (qualified_name name: (identifier) @name)] .) @reference.import
(using_directive !name (identifier) @name) @reference.import
(using_directive !name (qualified_name name: (identifier) @name)) @reference.import

(base_list [
  (identifier) @name
  (generic_name (identifier) @name)
  (qualified_name name: [(identifier) @name (generic_name (identifier) @name)])
  (primary_constructor_base_type type: [(identifier) @name (generic_name (identifier) @name)])
]) @reference.extends

; Functions handed on.
(argument [(identifier) @name (member_access_expression name: (identifier) @name)]) @reference.value

; Types that can be seen.
(parameter type: (_) @type name: (identifier) @name) @binding
(variable_declaration type: (_) @type (variable_declarator name: (identifier) @name (_)? @value)) @binding
(property_declaration type: (_) @type name: (identifier) @name) @binding
(foreach_statement type: (_) @type left: (identifier) @name) @binding
