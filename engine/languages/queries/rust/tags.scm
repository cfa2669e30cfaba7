; Rust: what is defined.

(mod_item name: (identifier) @name body: (_)? @body) @definition.module
(struct_item name: (type_identifier) @name body: (_)? @body) @definition.class
(union_item name: (type_identifier) @name body: (_) @body) @definition.class
(enum_item name: (type_identifier) @name body: (_) @body) @definition.enum
(trait_item name: (type_identifier) @name body: (_) @body) @definition.interface
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(macro_definition name: (identifier) @name) @definition.macro

; An implementation goes by the name of its type.
(impl_item
  type: [
    (type_identifier) @name
    (primitive_type) @name
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
    (reference_type type: (type_identifier) @name)
    (reference_type type: (generic_type type: (type_identifier) @name))
    (dynamic_type trait: (type_identifier) @name)
    (dynamic_type trait: (scoped_type_identifier name: (type_identifier) @name))
  ]
  body: (_)? @body) @definition.impl

(function_item name: [(identifier) (metavariable)] @name body: (_) @body) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(closure_expression) @scope

(const_item name: (identifier) @name) @definition.variable
(static_item name: (identifier) @name) @definition.variable
(field_declaration name: (field_identifier) @name) @definition.field
(enum_variant name: (identifier) @name) @definition.field
