; PHP: what is defined.

(namespace_definition name: (namespace_name) @name body: (_)? @body) @definition.module
(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.interface
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(enum_case name: (name) @name) @definition.field

(function_definition name: (name) @name body: (_) @body) @definition.function
(method_declaration name: (name) @name body: (_) @body (#eq? @name "__construct")) @definition.constructor
(method_declaration name: (name) @name body: (_)? @body) @definition.method
[(anonymous_function) (arrow_function)] @scope

(const_declaration (const_element . (name) @name)) @definition.variable
(property_declaration (property_element name: (variable_name (name) @name))) @definition.field
(property_promotion_parameter name: (variable_name (name) @name)) @definition.field
