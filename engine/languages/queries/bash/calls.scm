; Shell: what is used.

(command name: (command_name (word) @name) (#not-any-of? @name "source" "." "load" "echo" "printf" "[" "@test" "}" "local" "set" "shift" "return" "exit" "cd" "test" "true" "false")) @reference.call
(command
  name: (command_name (word) @_call)
  argument: [(word) @name (string (string_content) @name) (raw_string) @name]
  (#any-of? @_call "source" "." "load")) @reference.import
