; Haskell: what is defined. A signature and the equations after it are one definition.

(header module: (module) @name) @definition.module
(data_type name: (name) @name) @definition.class
(newtype name: (name) @name) @definition.class
(type_synonym name: (name) @name) @definition.type
(type_family name: (name) @name) @definition.type
(class name: (name) @name declarations: (_)? @body) @definition.interface
(instance name: (name) @name declarations: (_)? @body) @definition.impl
(data_constructor constructor: [
  (prefix name: (constructor) @name)
  (record name: (constructor) @name)
]) @definition.field
(newtype_constructor name: (constructor) @name) @definition.field
(gadt_constructor name: (constructor) @name) @definition.field
(field name: (field_name (variable) @name)) @definition.field

(signature name: (variable) @name (#set! merge)) @definition.function
(signature name: (prefix_id (operator) @name) (#set! merge)) @definition.function
(function name: (variable) @name match: (_) @body (#set! merge)) @definition.function
(function (infix operator: (operator) @name) match: (_) @body (#set! merge)) @definition.function
(function name: (prefix_id (operator) @name) match: (_) @body (#set! merge)) @definition.function
(bind name: (variable) @name match: (_) @body (#set! merge)) @definition.variable
[(local_binds) (let) (let_in) (do) (lambda)] @scope
