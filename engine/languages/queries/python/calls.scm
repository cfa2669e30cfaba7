; Python: what is used.

(call function: [(identifier) @name (attribute attribute: (identifier) @name)]) @reference.call
(decorator [(identifier) @name (attribute attribute: (identifier) @name)]) @reference.call

(import_statement name: [
  (dotted_name (identifier) @name .)
  (aliased_import name: (dotted_name (identifier) @name .))
]) @reference.import
(import_from_statement name: [
  (dotted_name (identifier) @name .)
  (aliased_import name: (dotted_name (identifier) @name .))
]) @reference.import

(class_definition
  superclasses: (argument_list [(identifier) @name (attribute attribute: (identifier) @name)])) @reference.extends
