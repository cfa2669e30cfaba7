; Ruby: what is used.

(call
  method: [(identifier) (constant)] @name
  (#not-any-of? @name "require" "require_relative" "load" "include" "extend" "prepend" "new" "attr_accessor"
    "attr_reader" "attr_writer" "private" "public" "protected" "lambda" "proc" "raise" "loop" "alias_method" "define_method")) @reference.call
(call
  receiver: [(constant) @name (scope_resolution name: (constant) @name)]
  method: (identifier) @_new
  (#eq? @_new "new")) @reference.call

(call
  method: (identifier) @_call
  arguments: (argument_list . (string (string_content) @name))
  (#any-of? @_call "require" "require_relative" "load" "autoload")) @reference.import

(class superclass: (superclass [(constant) @name (scope_resolution name: (constant) @name)])) @reference.extends
(call
  method: (identifier) @_call
  arguments: (argument_list [(constant) @name (scope_resolution name: (constant) @name)])
  (#any-of? @_call "include" "extend" "prepend")) @reference.extends

; Functions handed on, by their names.
(argument_list (simple_symbol) @name) @reference.value
(block_argument (simple_symbol) @name) @reference.value

; Types that can be seen.
(assignment left: (identifier) @name right: (_) @value) @binding
(assignment left: (instance_variable) @name @path right: (_) @value) @binding
