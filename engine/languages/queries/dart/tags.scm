; Dart: what is defined.

(library_name (dotted_identifier_list (identifier) @name .)) @definition.module
(class_declaration name: (identifier) @name body: (_)? @body) @definition.class
(mixin_declaration name: (identifier) @name body: (_)? @body) @definition.interface
(extension_declaration name: (identifier) @name body: (_)? @body) @definition.impl
(extension_type_declaration name: [(identifier) @name (extension_type_name (identifier) @name)] body: (_)? @body) @definition.class
(enum_declaration name: (identifier) @name body: (_)? @body) @definition.enum
(type_alias (type_identifier) @name) @definition.type
