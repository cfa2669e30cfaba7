; Haskell: what is used.

(apply function: [(variable) @name (qualified id: (variable) @name)]) @reference.call
(apply function: (constructor) @name) @reference.call
(infix left_operand: (variable) @name operator: (operator) @_op (#any-of? @_op "$" "<$>" "." ">>=" "=<<" "<*>")) @reference.call
(infix operator: [(infix_id (variable) @name) (infix_id (qualified id: (variable) @name))]) @reference.call
(import module: (module) @name) @reference.import
(instance name: (name) @name) @reference.extends
