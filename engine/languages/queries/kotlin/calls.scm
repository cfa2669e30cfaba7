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
