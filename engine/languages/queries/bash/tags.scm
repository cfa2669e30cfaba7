; Shell: what is defined.

(function_definition name: (word) @name body: (_) @body) @definition.function
(variable_assignment name: (variable_name) @name) @definition.variable
; Bats: the grammar sees a command whose last argument is the opening brace.
(command
  name: (command_name (word) @_call)
  argument: [(string (string_content) @name) (raw_string) @name]
  (#eq? @_call "@test")) @definition.test
; What is set for one command only.
(command) @scope
