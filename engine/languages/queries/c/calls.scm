; C: what is used.

(call_expression
  function: [
    (identifier) @name
    (field_expression field: (field_identifier) @name)
  ]) @reference.call
(preproc_include path: (string_literal (string_content) @name)) @reference.import
(preproc_include path: (system_lib_string) @name) @reference.import

; Functions handed on.
(argument_list [(identifier) @name (pointer_expression argument: (identifier) @name)]) @reference.value
(initializer_pair value: (identifier) @name) @reference.value
(initializer_list (identifier) @name) @reference.value
(assignment_expression right: (identifier) @name) @reference.value
