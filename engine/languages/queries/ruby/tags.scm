; Ruby: what is defined.

(module name: [(constant) @name (scope_resolution name: (constant) @name)] body: (_)? @body) @definition.module
(class name: [(constant) @name (scope_resolution name: (constant) @name)] body: (_)? @body) @definition.class
(method name: (_) @name body: (_)? @body) @definition.method
(singleton_method name: (_) @name body: (_)? @body) @definition.method
(alias name: (_) @name) @definition.method
(assignment left: (constant) @name) @definition.variable

(call
  method: (identifier) @_call
  arguments: (argument_list (simple_symbol) @name)
  (#any-of? @_call "attr_accessor" "attr_reader" "attr_writer" "cattr_accessor" "mattr_accessor" "class_attribute"))
  @definition.field
(call
  method: (identifier) @_call
  arguments: (argument_list . (simple_symbol) @name)
  (#any-of? @_call "alias_method" "define_method" "scope" "delegate")) @definition.method

; Tests go by what they say of themselves.
(call
  method: (identifier) @_call
  arguments: (argument_list . [(string (string_content) @name) (constant) @name (scope_resolution name: (constant) @name)])
  block: (_) @body
  (#any-of? @_call "describe" "context" "it" "specify" "feature" "scenario" "test" "shared_examples")) @definition.test
