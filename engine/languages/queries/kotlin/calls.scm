; Kotlin: what is used.

(call_expression . [(identifier) @name (navigation_expression (identifier) @name .)]) @reference.call
(infix_expression (_) . (identifier) @name . (_)) @reference.call
(annotation [
  (user_type (identifier) @name .)
  (constructor_invocation (user_type (identifier) @name .))
]) @reference.call
(import (qualified_identifier (identifier) @name .)) @reference.import
(delegation_specifier [
  (user_type . (identifier) @name)
  (constructor_invocation (user_type . (identifier) @name))
  (explicit_delegation (user_type . (identifier) @name))
]) @reference.extends

; Functions handed on.
(value_argument (callable_reference (identifier) @name .)) @reference.value

; Types that can be seen.
(parameter (identifier) @name (_) @type .) @binding
(class_parameter (identifier) @name (user_type) @type) @binding
(property_declaration (variable_declaration (identifier) @name [(user_type) (nullable_type)] @type)) @binding
(property_declaration (variable_declaration (identifier) @name .) "=" (_) @value) @binding
