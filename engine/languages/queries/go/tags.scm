; Go: what is defined.

(package_clause (package_identifier) @name) @definition.module
(function_declaration name: (identifier) @name body: (_)? @body) @definition.function
(method_declaration name: (field_identifier) @name body: (_)? @body) @definition.method
(method_elem name: (field_identifier) @name) @definition.method

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.class
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
; Outside of a group the keyword belongs to the definition.
(type_declaration . [(type_spec name: (type_identifier) @name) (type_alias name: (type_identifier) @name)] .) @widen

(field_declaration name: (field_identifier) @name) @definition.field
(const_spec name: (identifier) @name) @definition.variable
(var_spec name: (identifier) @name) @definition.variable
(const_declaration . (const_spec . name: (identifier) @name)  .) @widen
(var_declaration . (var_spec . name: (identifier) @name) .) @widen
(func_literal) @scope
