; Swift: what is defined.

(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @definition.enum
(class_declaration declaration_kind: "extension" name: (user_type (type_identifier) @name) body: (_) @body) @definition.impl
(class_declaration name: (type_identifier) @name body: (_) @body) @definition.class
(protocol_declaration name: (type_identifier) @name body: (_) @body) @definition.interface
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(enum_entry name: (simple_identifier) @name) @definition.field
(macro_declaration (simple_identifier) @name) @definition.macro

; Its name comes first; what it returns is a name to the grammar too.
(function_declaration "func" . name: (simple_identifier) @name body: (_) @body) @definition.function
(function_declaration "func" . name: (custom_operator) @name body: (_) @body) @definition.function
(function_declaration
  name: ["==" "!=" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "+=" "-=" "*=" "/=" "==="] @name
  body: (_) @body) @definition.function
(protocol_function_declaration "func" . name: (simple_identifier) @name) @definition.method
(init_declaration name: "init" @name body: (_)? @body) @definition.constructor
(deinit_declaration "deinit" @name body: (_)? @body) @definition.method
(subscript_declaration "subscript" @name) @definition.method
(lambda_literal) @scope

(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @definition.field
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field
