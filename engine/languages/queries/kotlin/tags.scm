; Kotlin: what is defined.

(package_header (qualified_identifier (identifier) @name .)) @definition.module
(class_declaration "interface" name: (identifier) @name (class_body)? @body) @definition.interface
(class_declaration name: (identifier) @name (enum_class_body) @body) @definition.enum
(class_declaration name: (identifier) @name (class_body)? @body) @definition.class
(object_declaration name: (identifier) @name (class_body)? @body) @definition.class
(companion_object name: (identifier) @name (class_body)? @body) @definition.class
(companion_object !name "companion" @name (class_body)? @body) @definition.class
(enum_entry . (modifiers)? (identifier) @name (class_body)? @body) @definition.field
(type_alias type: (identifier) @name) @definition.type

(function_declaration name: (identifier) @name (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name (block)? @body) @definition.constructor
(lambda_literal) @scope
(anonymous_initializer) @scope
(getter) @scope
(setter) @scope

(property_declaration (variable_declaration (identifier) @name)) @definition.variable
(property_declaration (multi_variable_declaration (variable_declaration (identifier) @name))) @definition.variable
(class_parameter ["val" "var"] (identifier) @name) @definition.field
