; TypeScript: what is defined, beyond what it shares with JavaScript.

(class_declaration name: (type_identifier) @name body: (_) @body) @definition.class
(abstract_class_declaration name: (type_identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (type_identifier) @name body: (_) @body) @definition.interface
(type_alias_declaration name: (type_identifier) @name) @definition.type
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_body name: [(property_identifier) (string)] @name (#set! narrow)) @definition.field
(enum_assignment name: [(property_identifier) (string)] @name) @definition.field
(internal_module name: (_) @name body: (_)? @body) @definition.module
(module name: [(identifier) @name (nested_identifier) @name (string (string_fragment) @name)] body: (_)? @body)
  @definition.module
(expression_statement (internal_module name: (_) @name)) @widen

(function_signature name: (identifier) @name (#set! merge)) @definition.function
(method_signature
  name: [(property_identifier) (private_property_identifier)] @name
  (#set! merge)) @definition.method
(abstract_method_signature name: [(property_identifier) (private_property_identifier)] @name) @definition.method
(property_signature name: [(property_identifier) (private_property_identifier)] @name) @definition.field
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name) @definition.field
(ambient_declaration (_ name: [(_) @name (string (string_fragment) @name)])) @widen
(ambient_declaration (_ . (variable_declarator name: (identifier) @name) .)) @widen
