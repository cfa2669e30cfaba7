; Haskell: what is used.

(apply function: [(variable) @name (qualified id: (variable) @name)]) @reference.call
(apply function: (constructor) @name) @reference.call
(infix left_operand: (variable) @name operator: (operator) @_op (#any-of? @_op "$" "<$>" "." ">>=" "=<<" "<*>")) @reference.call
(infix operator: [(infix_id (variable) @name) (infix_id (qualified id: (variable) @name))]) @reference.call
(import module: (module) @name !alias) @reference.import
(import module: (module) @name alias: (module) @alias) @reference.import
(import module: (module) @path names: (import_list name: (import_name variable: (variable) @name))) @reference.import
(import module: (module) @path names: (import_list name: (import_name type: (name) @name))) @reference.import
(instance name: (name) @name) @reference.extends

; Functions handed on.
(apply argument: (variable) @name) @reference.value
