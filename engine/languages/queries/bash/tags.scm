; Shell: what is defined.

(function_definition name: (word) @name body: (_) @body) @definition.function
(variable_assignment name: (variable_name) @name) @definition.variable
; What is set for one command only.
(command) @scope
