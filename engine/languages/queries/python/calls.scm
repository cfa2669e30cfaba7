; Python: what is used.

(call function: [(identifier) @name (attribute attribute: (identifier) @name)]) @reference.call
(decorator [(identifier) @name (attribute attribute: (identifier) @name)]) @reference.call

(import_from_statement module_name: (_) @path) @origin
(import_statement name: [
  (dotted_name) @name
  (aliased_import name: (dotted_name) @name alias: (identifier) @alias)
]) @reference.import
(import_from_statement name: [
  (dotted_name (identifier) @name .)
  (aliased_import name: (dotted_name (identifier) @name .) alias: (identifier) @alias)
]) @reference.import
(import_from_statement (wildcard_import) @name) @reference.import

(class_definition
  superclasses: (argument_list [(identifier) @name (attribute attribute: (identifier) @name)])) @reference.extends

; Functions handed on.
(argument_list [
  (identifier) @name
  (attribute attribute: (identifier) @name)
  (keyword_argument value: [(identifier) @name (attribute attribute: (identifier) @name)])
]) @reference.value
(pair value: [(identifier) @name (attribute attribute: (identifier) @name)]) @reference.value
(list (identifier) @name) @reference.value
(return_statement (identifier) @name) @reference.value
(assignment right: (identifier) @name) @reference.value

; Types that can be seen.
(typed_parameter (identifier) @name type: (type) @type) @binding
(typed_default_parameter name: (identifier) @name type: (type) @type) @binding
(assignment left: (identifier) @name type: (type) @type) @binding
(assignment left: (identifier) @name !type right: (_) @value) @binding
(assignment left: (attribute object: (identifier) @path attribute: (identifier) @name) type: (type) @type
  (#any-of? @path "self" "cls")) @binding
(assignment left: (attribute object: (identifier) @path attribute: (identifier) @name) !type right: (_) @value
  (#any-of? @path "self" "cls")) @binding
(as_pattern (call) @value alias: (as_pattern_target (identifier) @name)) @binding
